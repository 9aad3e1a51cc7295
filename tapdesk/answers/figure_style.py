"""A figure that was drawn as on screen, with its numbers written as the report that prints it writes them."""

import re
from dataclasses import replace

from tapdesk.answers.figure import Axis, Figure
from tapdesk.answers.numbers import Style

_OF_ONE_STYLE = frozenset(
    {
        "estimates",
        "parameters",
        "profile",
        "paradox",
        "calibration",
        "votes",
        "independence",
        "information",
        "scan",
        "expected",
        "recovery",
    }
)
# The words of a row on screen (`charts.forest`, `figures.ruler`).
_ROW = "{value}, {reach}"
_ZERO = re.compile(r"(?<![\d.])0(?=\.\d)")


def restyled(figure: Figure, style: Style) -> Figure:
    """A figure of one fit with its values written in a style: labels beside rows, ticks and title."""
    if style.brackets:
        figure = replace(figure, marks=tuple(replace(m, label=_bracketed(m.label)) for m in figure.marks))
    if style.leading_zero or figure.kind not in _OF_ONE_STYLE:
        return figure
    return replace(
        figure,
        title=_ZERO.sub("", figure.title),
        note=_ZERO.sub("", figure.note),
        x=_without_zero(figure.x),
        y=_without_zero(figure.y),
        marks=tuple(replace(m, label=_ZERO.sub("", m.label)) for m in figure.marks),
    )


def _bracketed(label: str) -> str:
    """The words of a row as the tables of a report tell an interval: ``0.63 [0.55, 0.70]``; others as they are."""
    told = getattr(label, "fields", {})
    ends = getattr(told.get("reach"), "fields", {})
    if getattr(label, "template", "") != _ROW or not {"low", "high"} <= ends.keys():
        return label
    return f"{told['value']} [{ends['low']}, {ends['high']}]"


def _without_zero(axis: Axis) -> Axis:
    """An axis without the zero before the point; what may be more than 1 keeps it."""
    ticks = tuple((at, _ZERO.sub("", words)) for at, words in axis.ticks)
    return replace(axis, ticks=ticks, leading_zero=not -1 <= axis.low <= axis.high <= 1)
