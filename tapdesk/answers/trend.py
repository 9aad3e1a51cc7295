"""The numbers of three and more rounds beside each other, in the order of time.

It stands alone because two analyses need none of it.
"""

from collections.abc import Sequence
from typing import Any

from tapdesk.answers import cells
from tapdesk.answers.content import Align, Column, Table
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.answers.what_if import WhatIf, called
from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _
from tapdesk.models.parameters import ParameterName
from tapdesk.studies.comparison import Comparison


def _series(steps: Sequence[Comparison]) -> dict[ParameterName, list[Estimate]]:
    """Each number that all rounds have, round by round."""
    first = steps[0]
    names = [c.name for c in first.contrasts]
    rows: dict[ParameterName, list[Estimate]] = {}
    for name in names:
        found = [next((c for c in step.contrasts if c.name == name), None) for step in steps]
        known = [c for c in found if c is not None]
        if len(known) == len(steps):
            rows[name] = [known[0].a, *(c.b for c in known)]
    return rows


def trend_table(told: WhatIf, steps: Sequence[Comparison], names: Sequence[str], style: Style = SCREEN) -> Table:
    """Every number in every round.

    Parameters
    ----------
    told
        The last round against the first.
    steps
        Each round against the one before it.
    names
        What the rounds are called.
    style
        Of the numbers.
    """
    columns = (Column(_("number"), wide=True), *(Column(name, Align.RIGHT) for name in names))
    rows = tuple(
        (called(name, told), *(cells.value(one, style) for one in found)) for name, found in _series(steps).items()
    )
    return Table(_("Round by round"), columns, rows)


def trend_record(steps: Sequence[Comparison], names: Sequence[str]) -> list[dict[str, Any]]:
    """The same as JSON."""
    return [
        {
            "name": name.name,
            "class": name.category,
            "rater": name.rater,
            "rounds": [
                {"round": called_, "value": one.value, "low": one.low, "high": one.high}
                for called_, one in zip(names, found, strict=True)
            ],
        }
        for name, found in _series(steps).items()
    ]
