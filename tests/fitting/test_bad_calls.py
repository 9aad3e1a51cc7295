"""The engine's public functions refuse what makes no sense, and the value stands in the sentence."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from tapdesk.errors import UsageError
from tapdesk.fitting.em import ExactEM, MomentEM
from tapdesk.fitting.priors import Prior
from tapdesk.fitting.quadrature.method import Quadrature
from tapdesk.fitting.sampling.method import Sampling
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.parameters import Parameters
from tapdesk.models.simulate import simulate, simulate_like
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tests.tables import counted, drawn

PANEL = drawn(np.random.default_rng(0), (0.5, 0.5), 0.6, (0.5, 0.5), 10, 3)
POINT = Parameters(np.array([0.4, 0.6]), np.array([[0.7]]), np.array([[[0.5, 0.5]]]), np.zeros(0))


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: ExactEM(tolerance=0.0), "0.0"),
        (lambda: ExactEM(tolerance=float("nan")), "nan"),
        (lambda: ExactEM(limit=0), "limit of steps is 0"),
        (lambda: ExactEM(random_starts=-2), "-2"),
        (lambda: MomentEM(prior="middling"), "middling"),
        (lambda: MomentEM(tolerance=-1e-3), "-0.001"),
        (lambda: Quadrature(level=1.5), "1.5"),
        (lambda: Sampling(chains=1), "1"),
        (lambda: Prior("a", 0.0, 2.0), "beta\\(0,2\\)"),
        (lambda: model("t-b-p"), "t-b-p"),
        (lambda: design(model("t-a(x)-p"), PANEL), "covariates"),
        (lambda: design(replace(model("t-a(x)-p"), covariates=("age",)), PANEL), "age"),
    ],
)
def test_methods_priors_and_models_without_meaning_are_refused(make, told):
    with pytest.raises(UsageError, match=told):
        make()


@pytest.mark.parametrize("values", [["young", "old", "old"], [1.0, np.nan, 3.0]])
def test_a_covariate_of_words_or_with_gaps_is_refused_by_name(values):
    column = Covariate("age", CovariateOf.RATER, np.array(values))
    with pytest.raises(UsageError, match="age"):
        design(replace(model("t-a(x)-p"), covariates=("age",)), replace(PANEL, covariates={"age": column}))


@pytest.mark.parametrize(
    ("weight", "told"),
    [([1, 2], r"\(2,\) for 3 subjects"), ([1, -4, 2], "not -4"), ([1.0, np.nan, 2.0], "not nan")],
    ids=str,
)
def test_weights_of_another_shape_or_sign_are_refused(weight, told):
    with pytest.raises(ValueError, match=told):
        replace(counted((3, 4, 5)), weight=np.array(weight))


@pytest.mark.parametrize("name", ["t-a-p", "t-aj-pj", "dawid-skene"])
def test_a_class_that_was_declared_and_never_seen_is_kept(name):
    wider = replace(PANEL, classes=(*PANEL.classes, "never"), members=())
    fit = finish(ExactEM().run(model(name), wider, 1))
    assert fit.classes == wider.classes
    # The saturated model may see a true class behind ratings that never name it.
    if name != "dawid-skene":
        assert (fit.estimate("t", category="never").value or 0) == pytest.approx(0, abs=1e-6)
    assert np.isfinite(fit.log_likelihood.ratings)


def test_data_without_a_rating_or_of_no_weight_are_refused_or_say_so():
    nothing = np.zeros(0, dtype=np.int64)
    none = Ratings.of(nothing, nothing, nothing, ["S"], ["J"], ["a", "b"])
    weightless = replace(PANEL, weight=np.zeros(10, dtype=np.int64))
    for method, empty in product((ExactEM(), MomentEM(), Quadrature(), Sampling()), (none, weightless)):
        assert "no ratings" in method.refuses(model("t-a-p"), empty)
        with pytest.raises(UsageError, match="no ratings"):
            finish(method.run(model("t-a-p"), empty, 1))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"truth": np.array([0.2, 0.3, 0.5])}, "3 in the parameters"),
        ({"truth": np.array([0.4, 0.7])}, "add up to 1"),
        ({"accuracy": np.array([[1.3]])}, "not 1.3"),
        ({"guessing": np.array([[[-0.5, 1.5]]])}, "not -0.5"),
        ({"accuracy": np.array([[0.5], [0.6]])}, "2 raters for 3"),
    ],
    ids=str,
)
def test_parameters_that_are_no_rates_or_of_another_panel_are_refused(change, told):
    wanted = model("t-aj-p")
    point = replace(POINT, **change)
    with pytest.raises(ValueError, match=told):
        simulate(wanted, point, ["a", "b"], ["x", "y", "z"], 5, 1)
    with pytest.raises(ValueError, match=told):
        simulate_like(PANEL, wanted, point, 1)


def test_a_negative_number_of_subjects_is_refused():
    with pytest.raises(ValueError, match="-5"):
        simulate(model("t-a-p"), POINT, ["a", "b"], ["x"], -5, 1)
