"""Lines of equal likelihood beyond two classes and one panel: against a search of its own, and against profiles."""

from functools import partial

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, softmax
from scipy.stats import chi2

from tapdesk.answers.content import Picture, Table
from tapdesk.answers.demands import Selection
from tapdesk.answers.figure import Line, Points
from tapdesk.answers.figures.catalog import figures
from tapdesk.answers.figures.likelihood import reach_of
from tapdesk.answers.naming import RatersAs
from tapdesk.answers.side_results import Wanted
from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.build import build
from tapdesk.report.setup import prepare
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.contour import surface, two_numbers
from tests.studies.examples import WINE, panel, tallied

from .examples import project_of
from .looked_up import blocks

SHARED = ["t=.5,.3,.2", "a=.6", "p=.2,.3,.5"]
FEW_CELLS = 13
UNLIKE = ["t=.4", "a=.7", "a[J2]=.2", "p=.3"]


def fitted(ratings: Ratings, name: str, level: float = 0.95) -> Fit:
    return finish(analyse(ratings, Request(model(name), level=level)))


@pytest.fixture(autouse=True)
def few_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are made of few cells: what is held of the cells themselves is held without a picture."""
    monkeypatch.setattr("tapdesk.answers.figures.likelihood.surface", partial(surface, cells=FEW_CELLS))


@pytest.fixture(scope="module")
def three() -> tuple[Fit, Ratings]:
    ratings = panel(SHARED, 90, 4, classes=("x", "y", "z"))
    return fitted(ratings, "t-a-p"), ratings


@pytest.fixture(scope="module")
def unlike() -> tuple[Fit, Ratings]:
    ratings = panel(UNLIKE, 80, 4, name="t-aj-p")
    return fitted(ratings, "t-aj-p"), ratings


def of_point(ratings: Ratings, t: np.ndarray, a: np.ndarray, p: np.ndarray) -> float:
    """The log-likelihood rating by rating, with no pattern and no class of the program."""
    k = len(ratings.classes)
    joint = np.tile(np.log(t), (len(ratings.subjects), 1))
    for i, j, c in zip(ratings.subject, ratings.rater, ratings.category, strict=True):
        joint[i] += np.log(np.where(np.arange(k) == c, a[j], 0.0) + (1 - a[j]) * p[c])
    return float(np.log(np.exp(joint).sum(axis=1)).sum())


def at_best(ratings: Ratings, t0: float, a_of: dict[int, float], start: np.ndarray) -> float:
    """The highest log-likelihood with the share of one class and some accuracies held, by a general search."""
    k, n = len(ratings.classes), len(ratings.raters)
    class_held = 1 if k == 2 else 0

    def point(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        others = softmax(np.append(x[: k - 2], 0.0)) * (1 - t0)
        t = np.insert(others, class_held, t0)
        p = softmax(np.append(x[k - 2 : 2 * k - 3], 0.0))
        a = expit(x[2 * k - 3 :])
        full = np.array([a_of[j] if j in a_of else a[sum(i not in a_of for i in range(j))] for j in range(n)])
        return t, full, p

    found = minimize(lambda x: -of_point(ratings, *point(x)), start, method="BFGS", options={"gtol": 1e-4})
    return -float(found.fun)


def test_of_three_classes_the_others_are_at_their_best(three):
    fit, ratings = three
    t_and_a = two_numbers(fit).pairs[0]
    assert [str(n) for n in t_and_a] == ["t[x]", "a"]
    found = finish(surface(ratings, fit, t_and_a, 9))
    for i, j in ((10, 10), (11, 12), (12, 11)):
        held = dict.fromkeys(range(4), float(found.y[j]))
        oracle = at_best(ratings, float(found.x[i]), held, np.zeros(3)) - fit.log_likelihood.ratings
        assert found.fall[i, j] == pytest.approx(oracle, abs=1e-3)


def test_where_raters_differ_the_least_accurate_one_is_held_and_the_others_are_at_their_best(unlike):
    fit, ratings = unlike
    which = two_numbers(fit)
    assert which.rater == "J2"
    found = finish(surface(ratings, fit, which.pairs[0], 9))
    for i, j in ((9, 7), (10, 8)):
        oracle = at_best(ratings, float(found.x[i]), {1: float(found.y[j])}, np.array([0.0, 1, 1, 1]))
        assert found.fall[i, j] == pytest.approx(oracle - fit.log_likelihood.ratings, abs=1e-3)


@pytest.mark.parametrize("which", ["three", "unlike"])
def test_the_reach_of_a_line_is_the_profile_interval_of_as_deep_a_fall(which, request):
    # Two numbers at 95 % may fall as far as one at 98.6 %.
    fit, ratings = request.getfixturevalue(which)
    deep = fitted(ratings, fit.model.name, float(chi2.cdf(chi2.ppf(0.95, 2), 1)))
    for pair in two_numbers(fit).pairs:
        found = finish(surface(ratings, fit, pair))
        for name, reach in zip(pair, reach_of(found, 0.95), strict=True):
            e = deep.estimate(name.name, name.category, name.rater)
            assert reach == pytest.approx((e.low, e.high), abs=0.08 * (e.high - e.low))


def test_the_note_says_of_which_class_and_rater_and_what_becomes_of_the_others(three, unlike):
    of_class = figures("contour", *three)[0]
    assert of_class.x.title == "t (x)"
    assert "Shown for the class x, which is most often true" in of_class.note
    assert "all other numbers at their best" in of_class.note
    of_rater = figures("contour", *unlike)[0]
    assert of_rater.y.title == "a (J2)"
    assert "Shown for the rater J2, the least accurate one." in of_rater.note
    two = tallied(WINE["2|3"])
    (only,) = figures("contour", fitted(two, "t-a-t"), two)
    # There is no third number.
    assert only.note.endswith("within the 50 % and the 95 % limit.")


def test_two_accuracies_that_nothing_pins_are_drawn_without_a_highest_point():
    ratings = tallied(WINE["2|3"])
    last = figures("contour", fitted(ratings, "t-a0a1-p"), ratings)[-1]
    assert (last.x.title, last.y.title) == ("a0", "a1")
    assert not any(isinstance(mark, Points) for mark in last.marks)
    assert any(isinstance(mark, Line) for mark in last.marks)


def test_a_model_with_one_number_has_nothing_to_look_at_together():
    ratings = tallied(WINE["2|3"])
    with pytest.raises(CannotAnswerError, match="P-a-P does not estimate two numbers"):
        figures("contour", fitted(ratings, "P-a-P"), ratings)


def test_the_report_calls_the_rater_by_code_everywhere(unlike):
    fit, ratings = unlike
    project = project_of(fit, ratings)
    asked = Wanted(
        replicates=20, agreement=False, tests=False, raters=False, sensitivity=False, selection=Selection(contour=True)
    )
    extras = finish(prepare(project, asked))
    assert extras.on_demand.get("contour").fit.model.name == "t-aj-p"
    made = build(project, extras=extras, raters_as=RatersAs.CODES)
    (picture,), (table,) = blocks(made, "contour", Picture), blocks(made, "contour", Table)
    told = " ".join([picture.note, *(f"{p.title} {p.alt} {p.note} {p.y.title}" for p in picture.panels), str(table)])
    assert "J2" not in told
    assert "the least accurate one" in picture.note
