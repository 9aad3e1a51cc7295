"""Pictures of the answer with one rater left out."""

from collections.abc import Sequence

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.report.figure import Figure, Mark, Role
from tapdesk.report.figures.agreement import dots
from tapdesk.report.figures.checks import independence_needs
from tapdesk.report.numbers import SCREEN
from tapdesk.studies.influence import accuracy_without, influence
from tapdesk.studies.table import Table

_NAME = 22


def influence_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why no rater can be left out, or None."""
    if ratings.raters_known and len(ratings.raters) < 3:
        return _("Leaving a rater out needs at least three.")
    return independence_needs(fit, ratings)


def leaving_out(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study and its pictures."""
    table = yield from influence(ratings, fit.seed)
    return influences(fit, table)


def influences(fit: Fit, table: Table) -> tuple[Figure, ...]:
    """The accuracy of the panel and Fleiss' kappa with each rater left out, the largest change first.

    Raises
    ------
    CannotAnswerError
        When nothing can be told without any of the raters.
    """
    size = numbers.count(fit.subjects), numbers.count(fit.ratings)
    dot_a = _("N = {n} cases, {m} ratings; t-a-p model. Each dot: the accuracy without this rater. Line: with all.")
    dot_kappa = _("N = {n} cases, {m} ratings. Each dot: Fleiss’ kappa without this rater. Line: with all.")
    title_a = _("Without {rater} the accuracy of the panel would be {value} instead of {whole}")
    title_kappa = _("Without {rater} Fleiss’ kappa would be {value} instead of {whole}")
    panels = [
        _panel(table, column, title, note.format(n=size[0], m=size[1]))
        for column, title, note in (("a", title_a, dot_a), ("kappa", title_kappa, dot_kappa))
    ]
    drawn = tuple(panel for panel in panels if panel is not None)
    if not drawn:
        raise CannotAnswerError(_("Nothing can be told of these ratings with a rater left out."))
    return drawn


def _panel(table: Table, column: str, title: str, note: str) -> Figure | None:
    """One number with each rater left out; None where it is never told."""
    rows = [row for row in table.records() if row[column] is not None and row[f"{column}_change"] is not None]
    if not rows:
        return None
    rows.sort(key=lambda row: -abs(float(row[f"{column}_change"] or 0)))
    value = float(rows[0][column] or 0)
    whole = value + float(rows[0][f"{column}_change"] or 0)
    told = [accuracy_without(row) if column == "a" else Estimate(float(row[column] or 0)) for row in rows]
    words = title.format(
        rater=numbers.short(str(rows[0]["rater"]), _NAME), value=numbers.decimal(value), whole=numbers.decimal(whole)
    )
    return dots(
        [(str(row["rater"]), e, Role.MODEL) for row, e in zip(rows, told, strict=True) if e is not None],
        SCREEN,
        kind="influence",
        title=words,
        note=" ".join((note, *_reach(told))),
        marks=(Mark(_("with all"), whole),),
    )


def _reach(told: Sequence[Estimate | None]) -> list[str]:
    """Of which kind the intervals of some numbers are, and why some have none."""
    level = next((e.level for e in told if e is not None and e.level is not None), None)
    reasons = dict.fromkeys(e.no_interval for e in told if e is not None and e.no_interval)
    kind = [] if level is None else [_("{level} profile intervals.").format(level=numbers.level(level))]
    return [*kind, *reasons]
