"""The order of ratings by what a column says of their time: never by letters, and refused where it is open."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.errors import UsageError
from tapdesk.ratings.time_order import time_ranks

DAYS = st.lists(st.dates(date(1995, 1, 1), date(2040, 12, 31)), min_size=2, max_size=12, unique=True)
FORMS = ("%d.%m.%Y", "%Y-%m-%d", "%d %b %Y", "%B %d, %Y", "%Y/%m/%d")


def in_order(texts):
    """The texts, earliest first."""
    ranks = time_ranks(texts, "when")
    return sorted(texts, key=ranks.__getitem__)


@given(DAYS, st.sampled_from(FORMS))
def test_dates_stand_in_the_order_of_the_calendar(days, form):
    assert in_order([day.strftime(form) for day in days]) == [day.strftime(form) for day in sorted(days)]


@given(DAYS)
def test_days_and_months_without_zeros_are_read_as_well(days):
    written = {day: f"{day.day}.{day.month}.{day.year}" for day in days}
    assert in_order(list(written.values())) == [written[day] for day in sorted(days)]


@given(DAYS)
def test_slashes_are_read_in_the_one_way_that_is_possible_or_refused(days):
    """A month is at most 12: one day above it tells; without any both ways must give one order."""
    texts = [day.strftime("%d/%m/%Y") for day in days]
    turned = sorted(days, key=lambda d: (d.year, d.day, d.month))
    if any(day.day > 12 for day in days) or turned == sorted(days):
        assert in_order(texts) == [day.strftime("%d/%m/%Y") for day in sorted(days)]
    else:
        with pytest.raises(UsageError, match="can be read in two ways"):
            time_ranks(texts, "when")


@pytest.mark.parametrize(
    "texts",
    [
        ["9", "10", "100"],
        ["1.5", "2", "10"],
        ["round 2", "Round 10", "round 11"],
        ["12.9.2026", "3.10.2026"],
        ["9:05", "10:00", "13:30"],
        ["3.10.2026 9:30", "3.10.2026 14:05", "4.10.2026 8:00"],
        ["2026-03-04T10:00:00", "2026-03-04T10:00:01"],
        ["10/31/2026", "11/2/2026"],
        ["31/10/26", "2/11/26"],
        ["9:15 AM", "1:00 PM"],
    ],
)
def test_what_has_one_order_has_it(texts):
    assert in_order(texts[::-1]) == texts


def test_one_moment_written_twice_is_one_rank():
    ranks = time_ranks(["2026-10-03", "2026-10-03 00:00:00", "2026-10-04"], "when")
    assert ranks["2026-10-03"] == ranks["2026-10-03 00:00:00"] < ranks["2026-10-04"]


def test_moments_of_a_workbook_keep_their_seconds():
    start = datetime(2026, 10, 3, 9, tzinfo=UTC).replace(tzinfo=None)
    texts = [(start + timedelta(seconds=s)).isoformat(" ") for s in (0, 1, 61)]
    assert in_order(texts[::-1]) == texts


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        (["3/10/2026", "4/9/2026"], "'3/10/2026' may be 2026-10-03 or 2026-03-10"),
        (["first", "second"], "are no numbers and no dates written alike"),
        (["3.10.", "12.9."], "are no numbers and no dates written alike"),
        (["2026-10-03", "4.10.2026"], "are no numbers and no dates written alike"),
        (["nan", "2"], "are no numbers and no dates written alike"),
    ],
)
def test_what_has_none_or_two_is_refused_in_a_sentence(texts, sentence):
    with pytest.raises(UsageError) as refused:
        time_ranks(texts, "when")
    assert sentence in str(refused.value)
    assert "'when'" in str(refused.value)
    assert refused.value.fix
