"""Data that break naive programs: never NaN, never a silent repair, and the status says in a sentence what happened."""

import numpy as np
import pytest

from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import Status
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.parameters import Parameters, Stack
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse

MODELS = ("t-a-p", "t-a-t", "P-a-P", "t-ak-p", "t-aj-p", "t-a-pj", "t-aj-pj", "dawid-skene")


def table(cells, classes: int = 2) -> Ratings:
    """Ratings by known raters, one row per subject."""
    cells = np.asarray(cells)
    subject, rater = np.indices(cells.shape).reshape(2, -1)
    names = [[f"{x}{i}" for i in range(n)] for x, n in zip("SJ", cells.shape, strict=True)]
    return Ratings.of(subject, rater, cells.ravel(), *names, [f"c{c}" for c in range(classes)])


def panel(subjects: int, accuracies, prevalence: float = 0.4, seed: int = 1) -> np.ndarray:
    """Classes 0 and 1; a negative accuracy names the other class when it knows."""
    rng = np.random.default_rng(seed)
    true = (rng.random(subjects) < prevalence).astype(int)
    accuracies = np.asarray(accuracies)
    knows = rng.random((subjects, accuracies.size)) < np.abs(accuracies)
    known = np.where(accuracies > 0, true[:, None], 1 - true[:, None])
    return np.where(knows, known, rng.integers(0, 2, knows.shape))


def wide(classes: int) -> np.ndarray:
    """Each class twice, three raters who err now and then."""
    rng = np.random.default_rng(2)
    true = np.tile(np.arange(classes), 2)
    return np.where(rng.random((true.size, 3)) < 0.8, true[:, None], rng.integers(0, classes, (true.size, 3)))


COPIED = panel(60, (0.7, 0.6, 0.5))
CONSTANT = panel(60, (0.7, 0.6, 0.5))
DATA = {
    "all one class": table(np.zeros((20, 3), int)),
    "perfect agreement": table(np.repeat([[0], [1]], [12, 8], axis=0).repeat(3, axis=1)),
    "one subject": table([[0, 1, 1]]),
    "one rater": table(panel(30, (0.7,))),
    "two ratings each": table(panel(60, (0.7, 0.5))),
    "a constant rater": table(np.column_stack([CONSTANT, np.zeros(60, int)])),
    "a copied rater": table(np.column_stack([COPIED, COPIED[:, 0]])),
    "1,000 raters on one subject": table(panel(1, np.full(1000, 0.6))),
    "prevalence one in a thousand": table(panel(4000, (0.8, 0.8, 0.8, 0.8, 0.8), 0.001)),
    "prevalence all but one in a thousand": table(panel(4000, (0.8, 0.8, 0.8, 0.8, 0.8), 0.999)),
    "an adversarial rater": table(panel(80, (0.8, 0.7, 0.6, -0.9))),
    "200 classes": table(wide(200), 200),
}
# Large ones are looked at with one model that pools raters and one that does not.
LARGE = {
    "1,000 raters on one subject",
    "prevalence one in a thousand",
    "prevalence all but one in a thousand",
    "200 classes",
}
# Minutes of the slow suite.
LONG = {("200 classes", "t-aj-pj"), ("prevalence all but one in a thousand", "t-aj-pj")}
CASES = [
    pytest.param(what, name, marks=[pytest.mark.slow] if (what, name) in LONG else [])
    for what in DATA
    for name in (("t-a-p", "t-aj-pj") if what in LARGE else MODELS)
]


@pytest.mark.costly(30)
@pytest.mark.parametrize(("what", "name"), CASES)
def test_every_number_is_in_its_range_or_has_its_reason_and_nothing_is_repaired(what: str, name: str):
    ratings = DATA[what]
    # Profiling hundreds of parameters takes long; there Wald intervals are looked at.
    interval = "wald" if what in LARGE or name == "dawid-skene" else "profile"
    fit = finish(analyse(ratings, Request(model(name), interval=interval, subjects=True)))
    assert (fit.subjects, fit.ratings) == (len(ratings.subjects), ratings.subject.size)
    assert fit.classes == ratings.classes
    # A sum of a thousand logarithms may round to a hair above 0.
    assert -np.inf < fit.log_likelihood.ratings <= 1e-8
    for e in fit.estimates:
        x = e.estimate
        assert (x.value is None) == bool(x.undefined)
        for number in (x.value, x.low, x.high):
            assert number is None or -1e-12 <= number <= 1 + 1e-12
        assert x.se is None or 0 <= x.se < np.inf
    q = fit.subject_posterior
    assert q.shape == (len(ratings.subjects), len(ratings.classes))
    np.testing.assert_allclose(q.sum(axis=1), 1, atol=1e-9)
    for number in (fit.krits.marginal, fit.krits.imputed, fit.krits.expected, fit.kappa, fit.aic, fit.bic):
        assert number is None or np.isfinite(number)
    if not fit.identification.identified:
        assert fit.status in {Status.NOT_IDENTIFIED, Status.DEGENERATE}
        assert fit.identification.words.endswith(".")
    elif fit.active_bounds:
        assert fit.status in {Status.DEGENERATE, Status.NOT_SETTLED}
    else:
        assert fit.status in {Status.SETTLED, Status.NOT_SETTLED}


def test_a_thousand_raters_leave_no_doubt_about_their_subject_and_do_not_underflow():
    ratings = DATA["1,000 raters on one subject"]
    plan = design(model("t-a-p"), ratings)
    point = Parameters(np.array([0.5, 0.5]), np.array([[0.6]]), np.array([[[0.5, 0.5]]]), np.zeros(0))
    evidence = plan.space.evidence(plan.patterns)
    ones = int(ratings.category.sum())
    # log of .5 (.8^k .2^m + .2^k .8^m), whose smaller part is nothing beside the larger one
    wanted = np.log(0.5) + max(ones, 1000 - ones) * np.log(0.8) + min(ones, 1000 - ones) * np.log(0.2)
    assert evidence.expect(Stack.of([point])).log_likelihood[0] == pytest.approx(wanted, rel=1e-12)
    assert evidence.posterior(Stack.of([point])).max() > 1 - 1e-12


def test_one_adversarial_rater_is_found_by_the_saturated_model_and_told_as_a_camp():
    fit = finish(analyse(DATA["an adversarial rater"], Request(model("t-aj-pj"), interval="none")))
    # Who answers the other way round has no accuracy of 0: it is told why there is none.
    assert fit.estimate("a", rater="J3").value is None
    assert "the other way round" in fit.estimate("a", rater="J3").undefined
    told = " ".join(f"{f.message} {f.fix}" for f in fit.findings)
    assert "J3" in told
    saturated = finish(ExactEM().run(model("dawid-skene"), DATA["an adversarial rater"], 1))
    rates = saturated.parameters.rating_rates()[3]
    assert rates[0, 1] > rates[0, 0]
    assert rates[1, 0] > rates[1, 1]


def test_a_constant_rater_has_no_accuracy_to_speak_of():
    fit = finish(ExactEM().run(model("t-aj-pj"), DATA["a constant rater"], 1))
    assert fit.estimate("a", rater="J3").value == pytest.approx(0, abs=1e-3)
