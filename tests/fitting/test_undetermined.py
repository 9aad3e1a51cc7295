"""What a maximum leaves open has no value anywhere in the answer, and a sentence says why."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tapdesk.cli.json_output import fit as as_json
from tapdesk.cli.json_output import json_text
from tapdesk.fitting.em import ExactEM, MomentEM
from tapdesk.fitting.fit import Fit, Status
from tapdesk.fitting.quadrature.method import Quadrature
from tapdesk.fitting.sampling.method import Sampling
from tapdesk.models.model import MODELS, Truth, model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.analysis import Request, analyse
from tests.tables import WINE_CUTS, counted

NAMES = [m.name for m in MODELS if m.truth is not Truth.SHARPENED]


def panel(cells: object, classes: int = 2) -> Ratings:
    """Ratings by known raters, one row per subject, with a covariate of the subjects."""
    table = np.asarray(cells)
    subject, rater = np.indices(table.shape).reshape(2, -1)
    names = [f"S{i}" for i in range(table.shape[0])], [f"J{j}" for j in range(table.shape[1])]
    made = Ratings.of(subject, rater, table.ravel(), *names, [f"c{c}" for c in range(classes)])
    x = Covariate("x", CovariateOf.SUBJECT, np.sin(np.arange(table.shape[0])))
    return replace(made, covariates={"x": x})


def fitted(name: str, ratings: Ratings, method: ExactEM | MomentEM | None = None) -> Fit:
    wanted = model(name)
    if name == "t-a(x)-p":
        wanted = replace(wanted, covariates=("x",))
    return finish((method or ExactEM()).run(wanted, ratings, 1))


def noisy(classes: int = 2, subjects: int = 40) -> np.ndarray:
    """The first rater never errs, the others often do."""
    rng = np.random.default_rng(8)
    true = rng.integers(0, classes, subjects)
    knows = rng.random((subjects, 4)) < np.array([1.0, 0.7, 0.6, 0.4])
    return np.where(knows, true[:, None], rng.integers(0, classes, (subjects, 4)))


DATA = {
    "all one class": panel(np.zeros((12, 3), int)),
    "perfect agreement": panel(np.repeat([[0], [1]], [12, 8], axis=0).repeat(3, axis=1)),
    "perfect agreement, three classes": panel(np.repeat(np.arange(3), 4)[:, None].repeat(4, axis=1), 3),
    "one subject": panel([[0, 1, 1]]),
    "one of the raters is always right": panel(noisy()),
    "a copied rater": panel(noisy()[:, [1, 2, 1, 3]]),
    "a class nobody named": panel(noisy(), 3),
}


# With one subject a column of the subjects is a constant, and the climb along that ridge is long.
CASES = [(name, what) for name in NAMES for what in DATA if (name, what) != ("t-a(x)-p", "one subject")]


@pytest.mark.parametrize(("name", "what"), CASES)
def test_a_number_without_a_value_sits_on_no_bound_and_is_null_wherever_it_is_told(name: str, what: str):
    fit = fitted(name, DATA[what])
    told = json.loads(json_text(as_json(fit, name, DATA[what])))
    gone = {str(e.name) for e in fit.estimates if e.estimate.value is None}
    assert not gone & {bound.rpartition(" = ")[0] for bound in told["active_bounds"]}
    best = told["optima"][0]["values"]
    open_by_ties = {n for n in gone if best[n] is not None}
    # The best of several equally high maxima has numbers; that they are not the only ones is why there is no estimate.
    assert not open_by_ties or fit.status is Status.NOT_IDENTIFIED
    for row in told["estimates"]:
        assert (row["value"] is None) == bool(row["undefined"])
        if row["value"] is None:
            assert row["se"] is row["low"] is row["high"] is None


@pytest.mark.parametrize("method", [ExactEM(), MomentEM()], ids=["exact", "moment"])
def test_where_every_rating_is_accurate_there_is_no_guess_to_tell(method: ExactEM | MomentEM):
    fit = fitted("t-a-p", DATA["perfect agreement"], method)
    assert fit.active_bounds == ("a = 1",)
    assert fit.estimate("a").value == pytest.approx(1, abs=1e-9)
    assert "guess" in str(fit.estimate("p").undefined)
    told = as_json(fit, "t-a-p", DATA["perfect agreement"])
    assert told["optima"][0]["values"]["p"] is None


def test_a_rater_who_never_errs_has_no_leaning_and_the_others_keep_theirs():
    # Two columns with the same ratings agree wherever they meet: the fit takes both for always right.
    fit = fitted("t-aj-pj", DATA["a copied rater"])
    assert {"a[J0] = 1", "a[J2] = 1"} <= set(fit.active_bounds)
    assert not any(bound.startswith(("p[J0]", "p[J2]")) for bound in fit.active_bounds)
    assert all(fit.estimate("p", rater=f"J{j}").value is None for j in (0, 2))
    assert all(fit.estimate("p", rater=f"J{j}").value is not None for j in (1, 3))


def grouped() -> Ratings:
    """In the second half of the subjects all raters agree; x tells the halves apart."""
    rng = np.random.default_rng(5)
    true = np.tile([0, 1], 30)
    knows = rng.random((60, 4)) < 0.6
    cells = np.where(knows, true[:, None], rng.integers(0, 2, (60, 4)))
    cells[30:] = true[30:, None]
    ratings = panel(cells)
    return replace(ratings, covariates={"x": Covariate("x", CovariateOf.SUBJECT, np.repeat([0.0, 1.0], 30))})


def test_a_slope_that_grows_without_end_has_no_value():
    fit = fitted("t-a(x)-p", grouped())
    slopes = {e.name.covariate: e.estimate for e in fit.estimates if e.name.name == "b"}
    assert slopes["x"].value is None
    assert "without end" in str(slopes["x"].undefined)
    # The half in which raters differ still has an accuracy, and so the intercept has a value.
    assert slopes["(intercept)"].value is not None
    assert fit.estimate("p").value is not None
    assert not fit.identification.here


def test_one_class_data_of_raters_with_own_accuracies_do_not_say_which_class_it_is():
    # Two raters of one subject: class 1 with accuracies 0 and 1 explains them as well as class 0 with 1 and 0.
    fit = fitted("t-aj-p", panel([[0, 1, 1]]))
    assert fit.log_likelihood.ratings == pytest.approx(0, abs=1e-9)
    assert all(e.estimate.value is None for e in fit.estimates)


@pytest.mark.parametrize("table", [(10, 0, 6, 0, 10), (9, 4, 9, 4, 9)])
def test_two_equally_high_maxima_leave_open_what_they_disagree_about(table: tuple[int, ...]):
    # The counts read the same with the classes exchanged, and the best t does not: it has a twin at 1 - t.
    fit = fitted("t-a-p", counted(table))
    first, second = fit.optima[:2]
    assert first.log_likelihood == pytest.approx(second.log_likelihood, abs=1e-9)
    assert first.parameters.truth[1] == pytest.approx(second.parameters.truth[0], abs=1e-5)
    assert fit.estimate("t").value is None
    assert fit.estimate("p").value is None
    assert fit.estimate("a").value == pytest.approx(float(second.parameters.accuracy[0, 0]), abs=1e-5)
    assert fit.status is Status.NOT_IDENTIFIED


def test_a_class_nobody_named_leaves_class_accuracies_open_that_the_design_could_tell():
    fit = fitted("t-ak-p", DATA["a class nobody named"])
    # With no case of that class either, these are two classes, whose counts tell t and no more.
    assert fit.identification.by_design
    assert not fit.identification.here
    assert fit.estimate("t", category="c2").value == 0
    assert all(fit.estimate(part, category="c0").value is None for part in ("a", "p"))


def test_with_perfect_agreement_any_one_class_may_be_what_all_guesses_name():
    fit = fitted("t-ak-p", DATA["perfect agreement, three classes"])
    assert all(fit.estimate("a", category=f"c{c}").value is None for c in range(3))
    assert [fit.estimate("t", category=f"c{c}").value for c in range(3)] == pytest.approx([1 / 3] * 3)


def test_data_that_pin_their_numbers_lose_none_of_them():
    rng = np.random.default_rng(12)
    true = rng.integers(0, 3, 300)
    cells = np.where(rng.random((300, 5)) < 0.6, true[:, None], rng.integers(0, 3, (300, 5)))
    for name in ("t-a-p", "t-ak-p", "t-aj-p", "t-a-pj", "t-aj-pj", "dawid-skene"):
        fit = fitted(name, panel(cells, 3))
        assert fit.identification.identified, name
        assert all(e.estimate.value is not None for e in fit.estimates)


@pytest.mark.parametrize("method", [Quadrature(), Sampling(chains=4, draws=50, warmup=50)], ids=["exact", "hmc"])
def test_a_posterior_says_what_the_ratings_leave_open_and_that_the_prior_answers_there(method: Quadrature | Sampling):
    fit = finish(method.run(model("t-a-p"), DATA["perfect agreement"], 1))
    assert {str(n) for n in fit.identification.open_parameters} == {"p"}
    assert not fit.identification.identified
    (told,) = [f for f in fit.findings if f.code == "prior_answers"]
    assert "p" in told.message
    assert "prior" in told.message
    sound = finish(method.run(model("t-a-p"), counted(WINE_CUTS["1|2"]), 1))
    assert sound.identification.identified
    assert not any(f.code == "prior_answers" for f in sound.findings)


@pytest.mark.parametrize("name", ["t-aj-p", "t-a-pj", "t-aj-pj", "dawid-skene"])
def test_a_rater_with_one_rating_has_no_numbers_of_their_own_and_takes_none_from_the_others(name):
    # Awkward input 57: the rating counts, the rater is not judged by it.
    rng = np.random.default_rng(8)
    subject, rater = np.repeat(np.arange(80), 3), np.tile(np.arange(3), 80)
    category = np.where(rng.random(240) < 0.75, (rng.random(80) < 0.5)[subject], rng.random(240) < 0.5).astype(np.int64)
    subject, rater, category = (np.append(x, y) for x, y in ((subject, 7), (rater, 3), (category, 1)))
    names = [f"S{i}" for i in range(80)], ["A", "B", "C", "Eva"], ["no", "yes"]
    fit = finish(analyse(Ratings.of(subject, rater, category, *names), Request(model(name), interval="wald")))
    assert fit.ratings == 241
    assert fit.identification.identified
    hers = [e.estimate for e in fit.estimates if e.name.rater == "Eva"]
    assert hers
    assert all(e.value is None and e.low is None and "one rating only" in e.undefined for e in hers)
    others = [e.estimate for e in fit.estimates if e.name.rater != "Eva"]
    assert all(e.value is not None and e.se is not None for e in others)
    assert not any("Eva" in bound for bound in fit.active_bounds)
