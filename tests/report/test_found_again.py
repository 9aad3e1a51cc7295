"""Whether the numbers of a fit would be found again in data like these."""

import numpy as np
import pytest

from tapdesk.answers.figure import Points
from tapdesk.answers.figures.catalog import figures
from tapdesk.answers.figures.designs import recovery
from tapdesk.answers.svg.draw import svg
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.recovery import recover_fit, summarised

from .examples import WINE, counted, wine_fit
from .implying import HALVES, fit_to


def test_the_same_seed_finds_the_same_and_another_one_does_not(fitted, wine):
    one, same, other = (finish(recover_fit(fitted, wine, 30, seed)) for seed in (5, 5, 6))
    assert one == same
    assert one != other


def test_the_range_is_the_interval_by_data_drawn_from_the_model(wine):
    fit = fit_to(wine)
    asked = Request(model("t-a-p"), interval="parametric-bootstrap", replicates=200, seed=3)
    drawn = finish(analyse(wine, asked))
    for one in finish(recover_fit(fit, wine, 200, 3)):
        reach = drawn.estimates[one.at].estimate
        assert (one.low, one.high) == pytest.approx((reach.low, reach.high), abs=1e-3)


def test_what_is_found_holds_the_number_and_is_narrower_with_more_cases():
    small, large = counted(HALVES), counted(tuple(9 * n for n in HALVES))
    fit = fit_to(small)
    (few,), (many,) = ([x for x in finish(recover_fit(fit, r, 150)) if x.at == 1] for r in (small, large))
    assert few.true == many.true == fit.estimate("a").value
    for one in (few, many):
        assert one.low < one.true < one.high
    # Nine times as many cases: about a third of the width.
    assert 0.2 < (many.high - many.low) / (few.high - few.low) < 0.5
    assert abs(many.median - many.true) < 0.03


def test_only_numbers_the_model_estimates_are_found_again():
    ratings = counted(WINE)
    fit = fit_to(ratings, "t-a-t")
    assert [str(fit.estimates[x.at].name) for x in finish(recover_fit(fit, ratings, 5))] == ["t", "a"]


def test_edges_and_sets_without_a_value_are_told_by_the_share_of_the_sets():
    fit = wine_fit(slots=fit_to(counted(WINE)).slots)
    half = np.linspace(0.3, 0.6, 100)
    accuracy = np.where(np.arange(100) < 60, 1.0, half)
    names = {e.name.name: e.name for e in fit.estimates}
    t, a, p = summarised(fit, {names["t"]: half, names["a"]: accuracy, names["p"]: half})
    assert (t.on_edge, t.without) == (0.0, 0.0)
    assert a.on_edge == pytest.approx(0.6)
    # Nobody guesses where everyone is accurate, so there is no share of guesses in 60 of 100 sets.
    assert (p.median, p.low, p.without) == (None, None, pytest.approx(0.6))
    figure = recovery(fit, (t, a, p), 100)
    assert "a is found at 0 or 1 in 60 % of the data sets." in figure.note
    assert "Not drawn: p. In most of these data sets this number has no value." in figure.note
    assert [words for _at, words in figure.y.ticks] == ["t", "a"]
    assert "nan" not in svg(figure)


def test_the_picture_marks_what_the_sets_were_drawn_with(fitted, wine):
    (figure,) = figures("recovery", fitted, wine)
    *ranges, true = (m for m in figure.marks if isinstance(m, Points))
    assert list(true.x) == [fitted.estimate(name).value for name in "tap"]
    assert [m.low[0] <= x <= m.high[0] for m, x in zip(ranges, true.x, strict=True)] == [True] * 3
    assert [m.y[0] for m in ranges] == list(true.y)
    assert "200 data sets" in figure.note
