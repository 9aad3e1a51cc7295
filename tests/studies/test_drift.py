"""Accuracy along the order of the ratings: the likelihood worked out apart, what is noticed, laws, what is refused."""

from dataclasses import replace
from datetime import date, timedelta
from types import MappingProxyType

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import chi2

from tapdesk.errors import CannotAnswerError
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf
from tapdesk.studies.drift import drift
from tapdesk.studies.grid_panels import blank_panel


def panel(seed, slopes, cases=120, level=1.0):
    """Raters whose logit of accuracy runs along their own order of the cases with such a slope."""
    rng = np.random.default_rng(seed)
    blank = blank_panel(cases, len(slopes))
    turn = np.zeros(blank.subject.size, dtype=int)
    for j in range(len(slopes)):
        turn[blank.rater == j] = rng.permutation(cases)
    truth = rng.random(cases) < 0.4
    a = expit(level + np.array(slopes)[blank.rater] * (turn / cases - 0.5))
    category = np.where(rng.random(a.size) < a, truth[blank.subject], rng.random(a.size) < 0.4)
    return with_order(replace(blank, category=category.astype(int)), turn)


def with_order(ratings, values, of=CovariateOf.RATING):
    column = Covariate("when", of, np.array(values, dtype=object))
    return replace(ratings, covariates=MappingProxyType({"when": column}))


def along(ratings, **more):
    return finish(drift(ratings, "when", **more))


def test_who_tires_is_noticed_and_nobody_else():
    everyone, *rows = along(panel(1, [0, -6, 0, 0], cases=200))
    assert [row.rater for row in rows if row.drifts] == ["R2"]
    tired = rows[1]
    assert tired.first == pytest.approx(expit(1 + 6 * 0.45), abs=0.12)
    assert tired.last == pytest.approx(expit(1 - 6 * 0.45), abs=0.2)
    assert tired.change == pytest.approx(tired.last - tired.first)
    assert tired.low < tired.change < tired.high < 0
    assert (everyone.rater, everyone.ratings) == ("", 800)
    assert everyone.p_holm == everyone.p_value


def test_where_all_tire_the_slope_of_all_says_so():
    everyone, *rows = along(panel(2, [-4, -4, -4, -4], cases=200))
    assert everyone.drifts
    assert everyone.change < 0
    assert everyone.high < 0
    assert all(row.change < 0 for row in rows)


@pytest.mark.parametrize(
    ("seeds", "most"), [(range(20, 24), 1), pytest.param(range(20, 40), 4, marks=pytest.mark.slow)]
)
def test_hardly_anybody_is_accused_where_nothing_changes(seeds, most):
    accused = [any(row.drifts for row in along(panel(seed, [0] * 3, cases=80))[1:]) for seed in seeds]
    assert sum(accused) <= most


def test_the_p_value_is_that_of_a_likelihood_worked_out_apart():
    from scipy.optimize import minimize

    ratings = panel(4, [0, -3, 0], cases=60)
    rows = along(ratings)
    tenth = np.zeros(ratings.rater.size)
    when = ratings.covariates["when"].values.astype(int)
    for j in range(3):
        own = ratings.rater == j
        tenth[own] = np.minimum(10 * (np.argsort(np.argsort(when[own])) + 0.5) / own.sum(), 9).astype(int)
    x = (tenth + 0.5) / 10 - 0.5

    def level(theta):
        t, p = expit(theta[0]), expit(theta[1])
        a = expit(theta[2:5][ratings.rater] + theta[5:8][ratings.rater] * x)
        says = ratings.category == 1
        of = [np.where(says == k, a, 0) + (1 - a) * np.where(says, p, 1 - p) for k in (False, True)]
        joint = [np.bincount(ratings.subject, np.log(rate)) for rate in of]
        return -np.logaddexp(np.log1p(-t) + joint[0], np.log(t) + joint[1]).sum()

    def best(fixed):
        free = np.array([i not in fixed for i in range(8)])
        tops = []
        for beta in (0.0, -2.0):
            start = np.array([-0.4, -0.4, 1, 1, 1, beta, beta, beta])[free]
            tops.append(minimize(lambda z: level(_put(z, free)), start).fun)
        return -min(tops)

    top = best(set())
    for j, row in enumerate(rows[1:]):
        gain = 2 * (top - best({5 + j}))
        assert row.p_value == pytest.approx(chi2.sf(max(gain, 0), 1), abs=2e-3)


def _put(values, free):
    whole = np.zeros(free.size)
    whole[free] = values
    return whole


def test_turning_the_order_round_turns_the_changes_round():
    ratings = panel(5, [2, -2, 0])
    when = ratings.covariates["when"].values.astype(int)
    for one, other in zip(along(ratings), along(with_order(ratings, 1000 - when)), strict=True):
        assert other.change == pytest.approx(-one.change, abs=2e-3)
        assert other.p_value == pytest.approx(one.p_value, abs=2e-3)


def test_dates_and_numbers_order_alike_and_cases_may_carry_the_order():
    ratings = panel(6, [0, -3, 0], cases=60)
    of_cases = np.arange(60)
    numbers = along(with_order(ratings, of_cases, CovariateOf.SUBJECT))
    dates = along(
        with_order(ratings, [f"2026-{1 + i // 28:02}-{1 + i % 28:02}" for i in of_cases], CovariateOf.SUBJECT)
    )
    assert [row.p_value for row in numbers] == pytest.approx([row.p_value for row in dates], abs=1e-9)


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (lambda r: replace(r, covariates=MappingProxyType({})), "Nothing says in which order the ratings were given"),
        (lambda r: with_order(r, ["a", "b", "c"], CovariateOf.RATER), "Name the column of their date or number"),
        (
            lambda r: with_order(r, ["", *range(1, r.subject.size)]),
            "'when' has gaps, so it orders no ratings.",
        ),
        (lambda r: with_order(r, [1] * r.subject.size), "says the same of all ratings, so it orders none"),
        (lambda r: replace(r, raters_known=False), "needs to know who gave each rating"),
    ],
)
def test_what_orders_nothing_is_refused_in_a_sentence(made, sentence):
    with pytest.raises(CannotAnswerError, match=sentence):
        along(made(panel(7, [0, 0, 0], cases=40)))


def test_few_ratings_and_two_raters_show_no_change():
    with pytest.raises(CannotAnswerError, match="A drift is looked for where each rater gave 20 ratings at least"):
        along(panel(8, [0, 0, 0], cases=12))
    with pytest.raises(CannotAnswerError, match="do not tell the accuracy of each rater, so no change is seen"):
        along(panel(8, [0, 0], cases=40))


def test_the_model_carries_the_column_and_nothing_else_changes():
    assert replace(model("t-aj-p"), along="when").by_rater
    assert replace(model("t-a-p"), along="when").plain


def test_calendar_dates_order_as_their_days_do():
    ratings = panel(1, [0, -6, 0], cases=60)
    turn = ratings.covariates["when"].values.astype(int)
    days = [date(2026, 9, 12) + timedelta(days=int(k)) for k in turn]
    written = with_order(ratings, [f"{day.day}.{day.month}.{day.year}" for day in days])
    assert along(written) == along(ratings)


def test_dates_that_may_be_read_in_two_orders_are_refused():
    ratings = panel(1, [0, 0], cases=40)
    turn = ratings.covariates["when"].values.astype(int)
    written = with_order(ratings, [f"{1 + k % 12}/{1 + k // 12}/2026" for k in turn])
    with pytest.raises(CannotAnswerError, match=r"can be read in two ways .* Write the year first"):
        along(written)
