"""Agreement with oneself: what is said of pairs of scores, against what the own spread makes of them, and when."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest

from tapdesk.answers import repeats
from tapdesk.answers.repeats import repeats_tables, time_words
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf
from tapdesk.studies.award_answer import AwardRequest
from tapdesk.studies.awards import awards
from tapdesk.studies.repeat_times import moments_of, time_column
from tapdesk.studies.self_agreement import SelfAgreement, exact_interval
from tests.tables import scored


@pytest.fixture(scope="module")
def ratings():
    """Fifteen entries by four judges; the first judge had six of them again, a day and an hour later."""
    rng = np.random.default_rng(3)
    worth = rng.normal(15, 1.2, 15)
    rows = [(i, j, round(2 * (w + rng.normal(0, 0.7))) / 2) for i, w in enumerate(worth) for j in range(4)]
    rows += [(i, 0, round(2 * (worth[i] + rng.normal(0, 0.7))) / 2) for i in range(6)]
    return scored(rows)


def at(ratings, texts, name="when", of=CovariateOf.RATING):
    return replace(ratings, covariates={**ratings.covariates, name: Covariate(name, of, np.array(texts, dtype=object))})


def moments(ratings, first, second):
    """The texts of a column: one for who scores an entry first, one for who scores it again."""
    seen, texts = set(), []
    for cell in zip(ratings.subject, ratings.rater, strict=True):
        texts.append(second if cell in seen else first)
        seen.add(cell)
    return texts


@pytest.mark.parametrize(("count", "n"), [(0, 1), (1, 1), (0, 5), (2, 3), (7, 9)])
def test_the_interval_of_a_share_is_the_exact_one(count, n):
    published = binomtest(count, n).proportion_ci(0.95, method="exact")
    assert exact_interval(count, n, 0.95) == pytest.approx((published.low, published.high), abs=1e-9)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("2026-05-14", "2026-05-17", 3.0),
        ("2026-05-14 09:00", "2026-05-15 10:00", 25 / 24),
        ("14.05.2026 09:00", "14.05.2026 09:30", 1 / 48),
        ("5/14/2026 9:00 AM", "5/16/2026 9:00 AM", 2.0),
        ("09:00", "15:00", 0.25),
    ],
)
def test_the_only_column_of_days_or_times_tells_the_time_between(ratings, first, second, expected):
    timed = at(ratings, moments(ratings, first, second))
    assert time_column(timed) == "when"
    result = finish(awards(timed, AwardRequest()))
    assert result.request.occasion == "when"
    assert result.judges[0].self_agreement.apart == (pytest.approx(expected), "days")
    assert all(one.self_agreement is None for one in result.judges[1:])


def test_no_time_is_told_where_a_column_tells_none(ratings):
    assert time_column(ratings) == ""
    texts = moments(ratings, "2026-05-14", "2026-05-17")
    timed = at(ratings, texts)
    # Two such columns, one that is a fact of the entry, one that may be read in two ways, and words.
    assert time_column(at(timed, texts, "entered")) == ""
    assert time_column(at(ratings, [f"2026-05-{1 + i:02}" for i in ratings.subject])) == ""
    assert time_column(at(ratings, moments(ratings, "3/4/2026", "5/9/2026"))) == ""
    assert time_column(at(ratings, moments(ratings, "first", "second"))) == ""
    # A repeat whose day is not known has no distance.
    gaps = at(ratings, moments(ratings, "2026-05-14", ""))
    assert finish(awards(gaps, AwardRequest(occasion="when"))).judges[0].self_agreement.apart is None


def test_days_that_may_be_read_in_two_ways_are_refused_where_they_are_named(ratings):
    from tapdesk.errors import TapdeskError

    with pytest.raises(TapdeskError, match="can be read in two ways: '3/4/2026' may be 2026-04-03 or 2026-03-04"):
        moments_of(at(ratings, moments(ratings, "3/4/2026", "5/9/2026")), "when")


@pytest.mark.parametrize(
    ("time", "unit", "expected"),
    [
        (3.0, "days", "3 days"),
        (1.0, "days", "1 day"),
        (2.54, "days", "2.5 days"),
        (12.4, "days", "12 days"),
        (0.25, "days", "6 hours"),
        (1 / 24, "days", "1 hour"),
        (1 / 48, "days", "30 minutes"),
        (1 / 1440, "days", "1 minute"),
        (0.0, "days", "0 minutes"),
        (2.0, "", "2"),
        (2.5, "", "2.5"),
    ],
)
def test_a_time_is_said_in_the_unit_in_which_one_says_it(time, unit, expected):
    assert time_words(time, unit) == expected


def test_the_table_holds_share_kappa_and_what_the_own_spread_makes_of_it(ratings):
    timed = at(ratings, moments(ratings, "2026-05-14", "2026-05-17"))
    result = finish(awards(timed, AwardRequest()))
    (table,) = repeats_tables(result)
    own = result.judges[0].self_agreement
    (row,) = table.rows
    assert row[:3] == ("J01", f"{own.same} of 6", f"{round(100 * own.same / 6)} %")
    assert row[-2] == "3 days"
    assert own.kappa_low <= own.kappa <= own.kappa_high
    assert "Kappa: of the rater with themselves, chance taken as known." in table.note
    assert "Expected: the share that the spread of the rater makes of it." in table.note
    assert "Distance: mean of the two, in points." in table.note
    assert "Time between: the middle one, by the column “when”." in table.note
    assert repeats_tables(replace(result, judges=result.judges[1:])) == ()


@pytest.mark.parametrize(
    ("expected", "words"),
    [(0.9, "less often than expected"), (0.4, "as expected"), (0.1, "more often than expected")],
)
def test_a_share_is_surprising_only_outside_its_interval(expected, words):
    own = SelfAgreement(0, 5, 3, 0.2, 0.85, 0.4, 0.6, expected, 0.7)
    assert words in repeats._surprise(own)


def test_one_pair_that_is_the_same_surprises_nobody():
    low, high = exact_interval(1, 1, 0.95)
    assert SelfAgreement(0, 1, 1, low, high, None, 0.0, 0.15, 0.7).surprising == 0
