"""Many raters left out side by side: against the ratings that are left, tabulated and fitted by themselves."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.patterns import tabulate
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.fleiss_kappa import kappa_of
from tapdesk.studies.subsets import accuracies, influence, kappas, without_each
from tests.studies.examples import panel

ASKED = Request(model("t-a-p"), interval="none")


def sparse(given, subjects, raters, keep, classes=("0", "1")):
    """A panel in which a rater sees only some of the cases."""
    whole = panel(given, subjects, raters, name="t-aj-p", classes=classes)
    return whole.keep(np.random.default_rng(1).random(whole.subject.size) < keep)


TWO = sparse(["t=.4", "a=.2,.5,.7,.9,.6,.6,.6,.6", "p=.3"], 150, 8, 0.5)
THREE = sparse(["t=.2,.3,.5", "a=.3,.5,.7,.9,.6,.6", "p=.4,.4,.2"], 150, 6, 0.6, ("x", "y", "z"))


def awkward():
    """Repeats of one rater, cases that stand for several or none, and cases that only one rater saw."""
    again = np.concatenate([np.arange(TWO.subject.size), np.flatnonzero(TWO.rater == 3)])
    order = again[np.argsort(TWO.subject[again], kind="stable")]
    twice = replace(TWO, subject=TWO.subject[order], rater=TWO.rater[order], category=TWO.category[order])
    alone = twice.keep((twice.subject > 10) | (twice.rater == 0))
    return replace(alone, weight=np.arange(len(alone.subjects)) % 4)


PANELS = {"two classes": TWO, "three classes": THREE, "awkward": awkward()}


@pytest.mark.parametrize("name", PANELS)
def test_the_counts_without_each_are_those_of_the_ratings_that_are_left(name):
    ratings = PANELS[name]
    patterns, weights = without_each(ratings, range(len(ratings.raters)))
    for j, weight in enumerate(weights):
        left = tabulate(ratings.keep(ratings.rater != j))
        wanted = {tuple(v): w for v, w in zip(left.table.tolist(), left.weight.tolist(), strict=True) if w and sum(v)}
        found = {tuple(v): w for v, w in zip(patterns.table.tolist(), weight.tolist(), strict=True) if w}
        assert found == wanted


@pytest.mark.parametrize("name", PANELS)
def test_accuracy_and_kappa_without_each_are_those_of_the_ratings_fitted_by_themselves(name):
    ratings = PANELS[name]
    everyone = range(len(ratings.raters))
    whole = finish(analyse(ratings, ASKED))
    quick = finish(accuracies(ratings, whole, everyone))
    assert sum(a is not None for a in quick) > len(quick) / 2
    for j, (a, kappa) in enumerate(zip(quick, kappas(ratings, everyone), strict=True)):
        left = ratings.keep(ratings.rater != j)
        assert kappa == pytest.approx(kappa_of(left), abs=1e-12)
        if a is not None:
            assert a == pytest.approx(finish(analyse(left, ASKED)).estimate("a").value, abs=1e-8)


def test_what_is_near_an_edge_or_hardly_determined_is_left_to_a_whole_analysis():
    # Without the last rater all agree.
    table = np.array([[1, 1, 1, 1, 0], [0, 0, 0, 0, 1]] * 8 + [[1, 1, 1, 1, 1], [0, 0, 0, 0, 0]] * 8)
    ratings = replace(panel(["t=.5", "a=1", "p=.5"], 32, 5), category=table.reshape(-1))
    *_others, last = finish(accuracies(ratings, finish(analyse(ratings, ASKED)), range(5)))
    assert last is None
    # Without any of three raters two classes and two ratings of a case are left.
    three = panel(["t=.4", "a=.6", "p=.4"], 100, 3)
    assert finish(accuracies(three, finish(analyse(three, ASKED)), range(3))) == [None] * 3
    # Without the one who says yes there is one class.
    alone = replace(three, category=((three.rater == 1) & (three.subject % 2 == 0)).astype(three.category.dtype))
    found = finish(influence(alone)).records()
    assert found[1]["a"] is None
    assert found[1]["note"]


def test_many_raters_give_the_table_of_few_whatever_the_number_of_processes(monkeypatch):
    usual = finish(influence(TWO)).records()
    monkeypatch.setattr("tapdesk.studies.subsets.MOST_INTERVALS", 3)
    monkeypatch.setattr("tapdesk.studies.subsets._PORTION", 3)
    one = finish(influence(TWO))
    for row, other in zip(usual, one.records(), strict=True):
        for name in ("rater", "ratings", "a", "kappa", "a_change", "kappa_change"):
            assert other[name] == (pytest.approx(row[name], abs=1e-8) if name[0] in "ak" else row[name])
    assert finish(influence(TWO, workers=2)).rows == one.rows
    kept = {}
    run = influence(TWO, kept=kept)
    while len(kept) < 2:
        next(run)
    run.close()
    assert finish(influence(TWO, kept=kept)).rows == one.rows
