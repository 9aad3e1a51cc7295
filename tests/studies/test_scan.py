"""Cuts of an order and pairs of classes."""

import numpy as np
import pytest

from tapdesk.errors import CannotAnswerError
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request
from tapdesk.studies.scan import pairs, scan
from tests.studies.examples import WINE, panel, tallied

QUICK = Request(model("t-a-p"), interval="none")


@pytest.mark.parametrize(("cut", "accuracy"), [("1|2", 0.54), ("2|3", 0.44), ("3|4", 0.25)])
def test_wine_at_its_cuts_has_the_accuracies_of_the_paper(cut, accuracy):
    # "Modeling Raters and Ratings", ordinal scan of the wine ratings.
    found = finish(scan(tallied(WINE[cut]), QUICK))
    assert found.cuts[0].free.estimate("a").value == pytest.approx(accuracy, abs=0.005)


def test_a_scan_of_a_panel_with_one_accuracy_finds_it_at_every_cut():
    texts = ["t=.2,.3,.3,.2", "a=.6", "p=.1,.2,.3,.4"]
    ratings = panel(texts, 3000, 5, classes=("none", "bronze", "silver", "gold"))
    found = finish(scan(ratings, QUICK))
    assert [cut.name for cut in found.cuts] == ["none | bronze", "bronze | silver", "silver | gold"]
    for cut, truth, guess in zip(found.cuts, (0.8, 0.5, 0.2), (0.9, 0.7, 0.4), strict=True):
        assert cut.free.estimate("a").value == pytest.approx(0.6, abs=0.04)
        assert cut.free.estimate("t").value == pytest.approx(truth, abs=0.04)
        assert cut.free.estimate("p").value == pytest.approx(guess, abs=0.05)
    assert found.cuts[1].words == "'silver' or 'gold' is counted, 'none' or 'bronze' is not."


def test_intervals_hold_the_estimates_and_kappa_stands_beside_them():
    ratings = panel(["t=.2,.3,.5", "a=.6", "p=.2,.3,.5"], 100, 4, classes=("1", "2", "3"))
    for cut in finish(scan(ratings, Request(model("t-a-p")))).cuts:
        a = cut.free.estimate("a")
        assert a.low < a.value < a.high
        assert cut.root_kappa.low < cut.root_kappa.value < cut.root_kappa.high
        assert cut.root_kappa.value == pytest.approx(np.sqrt(cut.kappa.value))
        # t = p here, so the accuracy of t-a-t is root kappa, nearly (models.md §2).
        assert cut.tied.estimate("a").value == pytest.approx(cut.root_kappa.value, abs=0.03)


def test_whether_one_accuracy_serves_all_cuts_is_tested_when_asked():
    classes = ("1", "2", "3")
    same = panel(["t=.3,.4,.3", "a=.6", "p=.2,.4,.4"], 300, 4, classes=classes)
    moving = panel(["t=.3,.4,.3", "a=.95,.5,.1", "p=.2,.4,.4"], 300, 4, name="t-ak-p", classes=classes)
    assert finish(scan(same, QUICK)).one_accuracy is None
    one, other = (finish(scan(r, QUICK, test=True, replicates=100)) for r in (same, moving))
    assert not one.one_accuracy.rejects
    assert other.one_accuracy.rejects
    assert other.words.startswith("One accuracy does not serve all lines")


def test_a_cut_beyond_which_nothing_lies_is_refused_and_the_others_go_on():
    ratings = panel(["t=.4,.6,0", "a=.5", "p=.5,.5,0"], 60, 4, classes=("low", "mid", "never"))
    first, last = finish(scan(ratings, QUICK)).cuts
    assert first.refused is None
    assert last.refused == "No rating is 'never', so this cut tells nothing apart."
    assert last.free is None


def test_conditional_accuracy_of_a_pair_is_the_accuracy_of_all_classes_over_what_is_in_sight():
    # Under t-a-p it is a / (a + (1 - a)(p_k + p_l)) (models.md §8), subjects of third classes aside.
    a, p = 0.5, np.array([0.1, 0.1, 0.8])
    texts = ["t=.5,.5,0", f"a={a}", "p=.1,.1,.8"]
    ratings = panel(texts, 6000, 5, classes=("x", "y", "z"))
    pair = finish(pairs(ratings, QUICK)).pairs[0]
    assert (pair.first, pair.second) == ("x", "y")
    expected = a / (a + (1 - a) * (p[0] + p[1]))
    assert pair.accuracy.value == pytest.approx(expected, abs=0.02)
    assert pair.root_kappa.value == pytest.approx(expected, abs=0.02)


def test_a_table_of_pairs_counts_what_it_looks_at():
    subject = np.array([0, 0, 0, 1, 1, 2, 2, 2])
    category = np.array([0, 1, 2, 0, 0, 2, 2, 1])
    ratings = Ratings(
        subject, np.zeros(8, dtype=int), category, tuple("ABC"), ("x",), ("a", "b", "c"), raters_known=False
    )
    counted = {(p.first, p.second): (p.subjects, p.ratings, p.compared) for p in finish(pairs(ratings, QUICK)).pairs}
    assert counted == {("a", "b"): (3, 5, 2), ("a", "c"): (3, 6, 3), ("b", "c"): (2, 5, 2)}


def test_a_pair_that_was_never_compared_says_so():
    ratings = panel(["t=.5,.5,0", "a=.5", "p=.5,.5,0"], 20, 3, classes=("x", "y", "z"))
    pair = finish(pairs(ratings, QUICK)).pairs[1]
    assert pair.accuracy.value is None
    assert "one class" in pair.accuracy.undefined


def test_a_negative_kappa_has_no_root_and_says_why():
    # Two ratings each that never agree.
    ratings = tallied((0, 30, 0))
    cut = finish(scan(ratings, QUICK)).cuts[0]
    assert cut.kappa.value == pytest.approx(-1)
    assert cut.root_kappa.value is None
    assert "negative" in cut.root_kappa.undefined


def test_one_class_has_neither_cuts_nor_pairs():
    ratings = Ratings(np.zeros(2, int), np.zeros(2, int), np.zeros(2, int), ("A",), ("x",), ("only",))
    for run in (scan(ratings, QUICK), pairs(ratings, QUICK)):
        with pytest.raises(CannotAnswerError, match="only one class"):
            finish(run)
