"""Pictures of one model fitted to every group of the ratings."""

from collections.abc import Mapping

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.figure import Figure, Role
from tapdesk.answers.figures.agreement import MOST_ROWS, dots
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.estimate import Estimate, undefined
from tapdesk.language import gettext as _
from tapdesk.studies.table import Cell, StudyTable

_ROW, _EDGE = 26.0, 80.0
_FEWEST = 190.0
_MOST_REASONS = 4


def groups(table: StudyTable, style: Style = SCREEN) -> Figure:
    """The accuracy of every group with its interval.

    Parameters
    ----------
    table
        As `studies.groups.group_table` makes it.
    style
        How numbers are written.
    """
    names = accuracies(table)
    rows = []
    for record in table.records():
        for name in names:
            found = estimate_of(record, name)
            of = str(record[table.columns[0]])
            who = name.removeprefix("a[").removesuffix("]")
            rows.append((of if names == ["a"] else f"{of}, {who}", found, Role.MODEL))
    note = untold(table)
    known = [row for row in rows if row[1].value is not None]
    if len(known) > MOST_ROWS:
        note = _("{note} The first {most} of {all} are drawn; the table has all of them.").format(
            note=note, most=MOST_ROWS, all=numbers.count(len(known))
        )
    return dots(known[:MOST_ROWS], style, kind="groups", title=said(table, style), note=note)


def accuracies(table: StudyTable) -> list[str]:
    """The columns that hold accuracies: one, or one for each class or rater."""
    ends = {c for c in table.columns if c.endswith((" low", " high"))}
    with_ends = [c for c in table.columns if f"{c} low" in ends]
    return [c for c in with_ends if c in {"a", "a0", "a1"} or c.startswith(("a[", "a_"))]


def estimate_of(record: Mapping[str, Cell], name: str) -> Estimate:
    """A number of a row with its interval."""
    told = [None if x is None else float(str(x)) for x in (record[name], record[f"{name} low"], record[f"{name} high"])]
    if told[0] is None:
        return undefined(str(record["why_not"] or _("These ratings do not determine it.")))
    return Estimate(told[0], low=told[1], high=told[2])


def said(table: StudyTable, style: Style = SCREEN) -> str:
    """In which group ratings follow the case most and least, and whether luck may be all there is to it."""
    by = table.columns[0]
    told = [r for r in table.records() if "a" in r and r["a"] is not None]
    several = [r for r in table.records() if any(r[name] is not None for name in accuracies(table))]
    if "a" not in table.columns and len(several) > 1:
        return _("The accuracies of every group, one for each rater or class")
    if len(told) < 2:
        return _("There are not two groups whose accuracy these ratings determine")
    at = np.argsort([float(r["a"] or 0) for r in told])
    low, high = told[int(at[0])], told[int(at[-1])]
    words = {
        "top": numbers.short(str(high[by]), 30),
        "high": numbers.decimal(float(high["a"] or 0), style),
        "bottom": numbers.short(str(low[by]), 30),
        "low": numbers.decimal(float(low["a"] or 0), style),
    }
    ends = (low["a high"], high["a low"])
    if ends[0] is None or ends[1] is None:
        return _(
            "From {low} in “{bottom}” to {high} in “{top}”: without intervals nobody can say whether that is luck"
        ).format(**words)
    if float(ends[0]) < float(ends[1]):
        return _(
            "Ratings follow the case most in “{top}” ({high}), least in “{bottom}” ({low}): the intervals do not meet"
        ).format(**words)
    return _(
        "From {low} in “{bottom}” to {high} in “{top}”: the intervals meet, so luck may be all there is to it"
    ).format(**words)


def untold(table: StudyTable) -> str:
    """What was counted, and why groups have no number."""
    records = table.records()
    by = table.columns[0]
    reasons = [_("{group}: {why}").format(group=r[by], why=r["why_not"]) for r in records if r["why_not"]]
    if len(reasons) > _MOST_REASONS:
        more = numbers.count(len(reasons) - _MOST_REASONS)
        reasons = [*reasons[:_MOST_REASONS], _("{n} more groups have no number; the table says why.").format(n=more)]
    sizes = [int(str(r["cases"])) for r in records]
    told = _(
        "{n} groups of {few} to {most} cases, each fitted by itself. Of many groups the first and the last differ "
        "by luck alone. {reasons}"
    )
    if min(sizes) == max(sizes):
        told = _(
            "{n} groups of {few} cases, each fitted by itself. Of many groups the first and the last differ by luck "
            "alone. {reasons}"
        )
    return told.format(
        n=numbers.count(len(records)),
        few=numbers.count(min(sizes)),
        most=numbers.count(max(sizes)),
        reasons=" ".join(reasons),
    ).strip()


def sheet(table: StudyTable) -> Sheet:
    """The picture as a sheet of its own."""
    figure = groups(table)
    high = max(_FEWEST, _EDGE + _ROW * len(figure.y.ticks))
    return Sheet(figure.title, (figure,), width=640.0, height=high, note=figure.note)
