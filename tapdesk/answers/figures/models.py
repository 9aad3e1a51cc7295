"""Pictures of one accuracy beside others: under every model of the grid, and in every group of the ratings."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from tapdesk.answers import differences, numbers
from tapdesk.answers import model_comparison as words
from tapdesk.answers.charts import MOST_ROWS, forest
from tapdesk.answers.figure import Figure, Role
from tapdesk.answers.numbers import SCREEN, Style, counted
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.differences import separate_differences
from tapdesk.studies.model_comparison import GridComparison, compare_fits, grid_fits, mean_accuracy, nothing_to_compare
from tapdesk.studies.table import Cell, StudyTable

_ROW, _EDGE = 26.0, 80.0
_FEWEST = 190.0
_MOST_REASONS = 4
# Of the intervals of groups, which are asked for without a level of their own.
_LEVEL = 0.95


def models_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why there is nothing to fit other models to, or None."""
    del fit
    return nothing_to_compare(ratings)


def fitted(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The fits without the tests between them, and their picture."""
    fits = yield from grid_fits(ratings, fit.seed, key=fit.model.key)
    return (models(GridComparison(compare_fits(fits), (), MappingProxyType({}))),)


def models(comparison: GridComparison, style: Style = SCREEN) -> Figure:
    """The accuracy under every model; filled is the one that follows the ratings best."""
    compared = comparison.comparison
    rows = []
    for i, row in enumerate(compared.rows):
        a = mean_accuracy(row.fit)
        if a is not None:
            rows.append((words.called(row.fit.model.name), a, Role.MODEL if i == compared.by_bic else Role.CLASSICAL))
    values = [e.value for _name, e, _role in rows if e.value is not None]
    title = _("No model determines the accuracy")
    if values:
        low, high = numbers.decimal(min(values), style), numbers.decimal(max(values), style)
        title = _("The accuracy is {low} to {high} under these models").format(low=low, high=high)
        if low == high:
            title = _("The accuracy is {value} under each of these models").format(value=low)
    if values and all(e.low is None for _name, e, _role in rows):
        title = _("{title}, told without intervals").format(title=title)
    fit = compared.rows[0].fit
    note = _(
        "N = {size}. {intervals} The mean where a model has several accuracies; a model that does not "
        "determine it is not drawn. {best}"
    ).format(
        size=counted(fit.subjects, fit.ratings),
        intervals=words.intervals([row.fit for row in compared.rows]),
        best=words.best(comparison),
    )
    return forest(rows, style, kind="models", title=title, note=note)


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
            estimate = estimate_of(record, name)
            of = str(record[table.columns[0]])
            who = name.removeprefix("a[").removesuffix("]")
            rows.append((of if names == ["a"] else f"{of}, {who}", estimate, Role.MODEL))
    note = untold(table)
    known = [row for row in rows if row[1].value is not None]
    if len(known) > MOST_ROWS:
        note = _("{note} The first {most} of {all} are drawn; the table has all of them.").format(
            note=note, most=MOST_ROWS, all=numbers.count(len(known))
        )
    return forest(known[:MOST_ROWS], style, kind="groups", title=group_title(table, style), note=note)


def accuracies(table: StudyTable) -> list[str]:
    """The columns that hold accuracies: one, or one for each class or rater."""
    ends = {c for c in table.columns if c.endswith((" low", " high"))}
    with_ends = [c for c in table.columns if f"{c} low" in ends]
    return [c for c in with_ends if c in {"a", "a0", "a1"} or c.startswith(("a[", "a_"))]


def estimate_of(record: Mapping[str, Cell], name: str) -> Estimate:
    """A number of a row with its interval."""
    sentences = [
        None if x is None else float(str(x)) for x in (record[name], record[f"{name} low"], record[f"{name} high"])
    ]
    if sentences[0] is None:
        return undefined(str(record["why_not"] or _("These {ratings} do not determine it.")))
    return Estimate(sentences[0], low=sentences[1], high=sentences[2])


def group_title(table: StudyTable, style: Style = SCREEN) -> str:
    """In which group ratings follow the case most and least, and whether luck may be all there is to it."""
    by = table.columns[0]
    sentences = [r for r in table.records() if "a" in r and r["a"] is not None]
    several = [r for r in table.records() if any(r[name] is not None for name in accuracies(table))]
    if "a" not in table.columns and len(several) > 1:
        return _("The accuracies of every group, one for each {rater} or class")
    if len(sentences) < 2:
        return _("There are not two groups whose accuracy these {ratings} determine")
    sentences = [r for r in sentences if r["a low"] is not None and r["a high"] is not None] or sentences
    at = np.argsort([float(r["a"] or 0) for r in sentences])
    low, high = sentences[int(at[0])], sentences[int(at[-1])]
    words = {
        "top": numbers.short(str(high[by]), 30),
        "high": numbers.decimal(float(high["a"] or 0), style),
        "bottom": numbers.short(str(low[by]), 30),
        "low": numbers.decimal(float(low["a"] or 0), style),
    }
    compared = separate_differences([estimate_of(r, "a") for r in sentences], _LEVEL)
    if compared is None:
        return _(
            "From {low} in “{bottom}” to {high} in “{top}”: without intervals nobody can say whether that is luck"
        ).format(**words)
    words |= differences.fields(compared.extremes, _LEVEL, style)
    if compared.extremes.clear:
        return _(
            "{Ratings} follow the {subject} most in “{top}” ({high}), least in “{bottom}” ({low}): they "
            "differ by {value} ({reach})"
        ).format(**words)
    if len(sentences) == 2 and words["low"] == words["high"]:
        return _("“{bottom}” and “{top}” are alike: {low} in both, with a difference of {value} ({reach})").format(
            **words
        )
    return _(
        "From {low} in “{bottom}” to {high} in “{top}”: they differ by {value} ({reach}), so luck may be all there is "
        "to it"
    ).format(**words)


def untold(table: StudyTable) -> str:
    """What was counted, and why groups have no number."""
    records = table.records()
    by = table.columns[0]
    reasons = [_("{group}: {why}").format(group=r[by], why=r["why_not"]) for r in records if r["why_not"]]
    if len(reasons) > _MOST_REASONS:
        more = numbers.count(len(reasons) - _MOST_REASONS)
        rest = ngettext(
            "{n} more group has no number; the table says why.",
            "{n} more groups have no number; the table says why.",
            len(reasons) - _MOST_REASONS,
        )
        reasons = [*reasons[:_MOST_REASONS], rest.format(n=more)]
    sizes = [int(str(r["cases"])) for r in records]
    template = _("{n} groups of {few} to {most} {subjects}, each fitted by itself.")
    if min(sizes) == max(sizes):
        template = _("{n} groups of {few} {subjects}, each fitted by itself.")
    if len(records) == 1:
        template = _("One group of {few} {subjects}, fitted by itself.")
    counts = {"n": len(records), "few": min(sizes), "most": max(sizes)}
    what = template.format(**{name: numbers.count(count) for name, count in counts.items()})
    many = _("Of many groups the first and the last differ by luck alone.") if len(records) > 2 else ""
    return joined(what, many, *reasons)


def sheet(table: StudyTable) -> Sheet:
    """The picture as a sheet of its own."""
    figure = groups(table)
    high = max(_FEWEST, _EDGE + _ROW * len(figure.y.ticks))
    return Sheet(figure.title, (figure,), width=640.0, height=high, note=figure.note)
