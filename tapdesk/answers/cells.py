"""Cells of tables that carry the number behind the text."""

from tapdesk.answers import numbers
from tapdesk.answers.content import Number
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.estimate import Estimate


def count(number: float) -> Number:
    """A whole number."""
    return Number(numbers.count(number), float(number))


def decimal(value: float | None, style: Style = SCREEN, places: int | None = None) -> Number:
    """A number with the places it needs, or fixed ones."""
    return Number(numbers.decimal(value, style, places), value)


def large(value: float | None, places: int = 3) -> Number:
    """A number on an open scale."""
    return Number(numbers.large(value, places), value)


def percent(share: float, places: int = 0) -> Number:
    """A share in per cent; the value behind it stays a share of 1."""
    return Number(numbers.percent(share, places), share)


def percent_below(share: float, limit: float) -> Number:
    """A share in per cent that never reads as ``limit`` where it is below: ``89.7 %``, not ``90 %``."""
    for places in (0, 1, 2):
        if share >= limit or float(numbers.rounded(100 * share, places)) < 100 * limit:
            return percent(share, places)
    return Number(f"<{numbers.percent(limit)}", share)


def value(estimate: Estimate, style: Style = SCREEN) -> Number:
    """The value of an estimate, with the places that it and its interval need."""
    return Number(numbers.value(estimate, style), estimate.value)


def interval(estimate: Estimate, style: Style = SCREEN) -> Number:
    """The two ends of an interval, with the places that they and the value need."""
    return Number(numbers.interval(estimate, style), estimate.low, estimate.high)
