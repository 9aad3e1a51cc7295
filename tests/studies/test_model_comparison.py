"""The models of the sharing grid side by side, and the tests between them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq, minimize
from scipy.special import expit, logit
from scipy.stats import chi2

from tapdesk.answers import model_comparison as words
from tapdesk.errors import CannotAnswerError
from tapdesk.models.model import model
from tapdesk.progress import Step, finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.model_comparison import compare_grid, grid_fits
from tests.studies.examples import panel

ALIKE = panel(["t=.4", "a=.6", "p=.5"], 300, 4)
APART = panel(["t=.4", "a=.15,.5,.7,.95", "p=.5"], 300, 4, name="t-aj-p")


def test_raters_who_are_alike_are_not_told_apart_and_raters_who_differ_are():
    one, other = (finish(compare_grid(ratings, 60)) for ratings in (ALIKE, APART))
    alike, apart = ({t.name: t for t in found.tests} for found in (one, other))
    assert alike["a=0"].rejects
    assert apart["a=0"].rejects
    assert not alike["equal accuracies"].rejects
    assert apart["equal accuracies"].rejects
    assert other.comparison.rows[other.comparison.by_bic].fit.model.name == "t-aj-p"
    assert "t-aj-p follows these ratings best" in words.best(other)
    assert "hardly better" not in words.best(other)
    # A difference that one idle number makes decides nothing, and that is said.
    rows = list(other.comparison.rows)
    at = other.comparison.by_bic
    second = next(i for i, row in enumerate(rows) if i != at and row.comparable)
    rows[second] = replace(rows[second], fit=replace(rows[at].fit, model=rows[second].fit.model))
    near = replace(other, comparison=replace(other.comparison, rows=tuple(rows)))
    assert f"but hardly better than {rows[second].fit.model.name}: between them luck may decide" in words.best(near)
    told = dict(words.answers(other))
    assert told["Could all raters be equally accurate?"].startswith("Hardly: ")
    assert told["Could all raters guess alike?"].startswith("It could: ")


def test_larger_models_fit_at_least_as_well_as_the_smaller_ones_inside_them():
    level = {f.model.name: f.log_likelihood.ratings for f in finish(grid_fits(APART, 1))}
    for smaller, larger in (("P-a-P", "t-a-t"), ("t-a-t", "t-a-p"), ("t-a-p", "t-aj-p"), ("t-aj-p", "t-aj-pj")):
        assert level[smaller] <= level[larger] + 1e-6
    alone = finish(analyse(APART, Request(model("t-aj-p"), interval="none")))
    assert level["t-aj-p"] == pytest.approx(alone.log_likelihood.ratings, abs=1e-6)


def test_one_accuracy_has_the_profile_interval_that_its_own_fit_prints():
    for fit in finish(grid_fits(ALIKE, 1)):
        if fit.model.name in {"t-a-p", "t-a-t", "P-a-P"}:
            printed = finish(analyse(ALIKE, Request(fit.model))).estimate("a")
            assert (fit.mean_accuracy.low, fit.mean_accuracy.high) == pytest.approx(
                (printed.low, printed.high), abs=2e-4
            )
            assert fit.mean_accuracy.value == pytest.approx(printed.value, abs=1e-6)


def test_a_mean_accuracy_reaches_as_far_as_the_likelihood_stays_within_half_a_chi_square_point():
    (fit,) = (f for f in finish(grid_fits(APART, 1)) if f.model.name == "t-aj-p")
    cells = np.zeros((300, 4))
    cells[APART.subject, APART.rater] = APART.category
    patterns, counts = np.unique(cells, axis=0, return_counts=True)

    def log_likelihood(at):
        t, p, *a = expit(at)
        a = np.array(a)
        yes, no = a + (1 - a) * p, (1 - a) * p
        cell = t * np.where(patterns == 1, yes, 1 - yes).prod(1) + (1 - t) * np.where(patterns == 1, no, 1 - no).prod(1)
        return counts @ np.log(cell)

    def pulled(pull):
        ended = minimize(
            lambda at: -log_likelihood(at) - pull * expit(at[2:]).mean(), logit([0.4, 0.5, 0.2, 0.5, 0.7, 0.9])
        )
        return log_likelihood(ended.x), expit(ended.x[2:]).mean()

    top, middle = pulled(0.0)
    assert fit.mean_accuracy.value == pytest.approx(middle, abs=1e-4)
    for side, end in ((1.0, fit.mean_accuracy.high), (-1.0, fit.mean_accuracy.low)):
        pull = brentq(lambda x, side=side: pulled(side * x)[0] - top + chi2.isf(0.05, 1) / 2, 1.0, 400.0, xtol=1e-3)
        assert end == pytest.approx(pulled(side * pull)[1], abs=1e-4)


def test_what_cannot_be_tested_says_why_and_the_rest_is_tested():
    unnamed = replace(panel(["t=.4", "a=.6", "p=.5"], 80, 4), raters_known=False)
    found = finish(compare_grid(unnamed, 20))
    assert [t.name for t in found.tests] == ["a=0", "t=p"]
    assert "raters are not known" in found.untested["equal accuracies"]
    assert "With two classes" in found.untested["equal accuracies by class"]
    assert {f.fit.model.name for f in found.comparison.rows} == {"t-a-p", "t-a-t", "P-a-P"}


def test_the_table_has_a_row_for_each_model_and_each_test():
    table = finish(compare_grid(ALIKE, 20)).table()
    kinds = [record["row"] for record in table.records()]
    assert kinds == ["model"] * 6 + ["test"] * 7
    first, *_rest, last = table.records()
    assert first["aic"] == pytest.approx(2 * first["parameters"] - 2 * first["log_likelihood"])
    assert last["p_bootstrap"] is None
    assert "With two classes" in last["note"]
    p = np.array([r["p_bootstrap"] for r in table.records() if r["p_bootstrap"] is not None])
    assert ((p >= 1 / 21) & (p <= 1)).all()


@pytest.mark.parametrize(
    ("ratings", "why"),
    [
        (panel(["t=0", "a=1", "p=0"], 20, 3), "All ratings are in one class"),
        (panel(["t=.5", "a=1", "p=.5"], 20, 1), "No case has two ratings"),
    ],
)
def test_ratings_that_cannot_tell_models_apart_are_refused_with_the_reason(ratings, why):
    with pytest.raises(CannotAnswerError, match=why):
        finish(compare_grid(ratings, 20))


def test_a_mean_accuracy_whose_ends_are_not_there_has_none_and_says_so(monkeypatch):
    def lost(*_arguments):
        yield Step(1, 1, "intervals")
        return (None,)

    monkeypatch.setattr("tapdesk.studies.model_comparison.extremes", lost)
    mean = finish(grid_fits(ALIKE, 1))[0].mean_accuracy
    assert (mean.low, mean.high) == (None, None)
    assert mean.no_interval == "The ends of the interval could not be found."
