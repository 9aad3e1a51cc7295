"""Pictures of the answer with one rater left out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.figure import Figure, Mark, Role
from tapdesk.answers.figures.agreement import dots
from tapdesk.answers.figures.checks import independence_needs
from tapdesk.answers.nouns import counted
from tapdesk.answers.numbers import SCREEN
from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.influence import accuracy_without, influence, kappa_without
from tapdesk.studies.table import StudyTable

_NAME = 22
_SAME = 0.005


def influence_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why no rater can be left out, or None."""
    if ratings.raters_known and len(ratings.raters) < 3:
        return _("Leaving a rater out needs at least three.")
    return independence_needs(fit, ratings)


def leaving_out(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study and its pictures."""
    table = yield from influence(ratings, fit.seed)
    return influences(fit, table)


@dataclass(frozen=True, slots=True)
class _Said:
    """What is said of one number: where it changes, where it hardly does, where it is not known of all, below."""

    column: str
    changed: str
    same: str
    only: str
    note: str


_SAID = (
    _Said(
        "a",
        _("Without {rater} the accuracy of the panel would be {value} instead of {whole}"),
        _("Whoever is left out, the accuracy of the panel stays near {whole}"),
        _("Without {rater} the accuracy of the panel would be {value}; with all raters the ratings do not tell it"),
        _("N = {size}; t-a-p model. Each dot: the accuracy without this rater."),
    ),
    _Said(
        "kappa",
        _("Without {rater} Fleiss’ kappa would be {value} instead of {whole}"),
        _("Whoever is left out, Fleiss’ kappa stays near {whole}"),
        _("Without {rater} Fleiss’ kappa would be {value}; with all raters it is undefined"),
        _("N = {size}. Each dot: Fleiss’ kappa without this rater."),
    ),
)


def influences(fit: Fit, table: StudyTable) -> tuple[Figure, ...]:
    """The accuracy of the panel and Fleiss' kappa with each rater left out, the largest change first.

    Raises
    ------
    CannotAnswerError
        When nothing can be told without any of the raters.
    """
    panels = [_panel(fit, table, said) for said in _SAID]
    drawn = tuple(panel for panel in panels if panel is not None)
    if not drawn:
        raise CannotAnswerError(_("Nothing can be told of these ratings with a rater left out."))
    return drawn


def _panel(fit: Fit, table: StudyTable, said: _Said) -> Figure | None:
    """One number with each rater left out; None where it is never told."""
    values, changes = table.numbers(said.column), table.numbers(f"{said.column}_change")
    known = np.flatnonzero(np.isfinite(values))
    if not known.size:
        return None
    whole = float(values[known[0]] + changes[known[0]])
    order = known[np.argsort(-np.abs(changes[known] if np.isfinite(whole) else values[known]), kind="stable")]
    records = table.records()
    rows = [records[i] for i in order]
    told = [accuracy_without(row) if said.column == "a" else kappa_without(row) for row in rows]
    title = said.changed if np.isfinite(whole) else said.only
    if np.isfinite(whole) and (np.abs(changes[known]) < _SAME).all():
        title = said.same
    note = said.note.format(size=counted(fit.subjects, fit.ratings))
    line = [_("Line: with all.")] if np.isfinite(whole) else []
    left = len(records) - len(rows)
    lost = (
        [_("Without {count} of the raters the others tell nothing.").format(count=numbers.count(left))] if left else []
    )
    return dots(
        [(str(row["rater"]), e, Role.MODEL) for row, e in zip(rows, told, strict=True) if e is not None],
        SCREEN,
        kind="influence",
        title=title.format(
            rater=_name(str(rows[0]["rater"])),
            value=_value(told[0]),
            whole=numbers.decimal(whole),
        ),
        note=" ".join((note, *line, *_reach(told), *lost)),
        marks=(Mark(_("with all"), whole),) if np.isfinite(whole) else (),
    )


def _reach(told: Sequence[Estimate | None]) -> list[str]:
    """Of which kind the intervals of some numbers are, and why some have none."""
    level = next((e.level for e in told if e is not None and e.level is not None), None)
    reasons = dict.fromkeys(e.no_interval for e in told if e is not None and e.no_interval)
    if level is None:
        return [*reasons]
    profiled = any(e.how == "profile" for e in told if e is not None)
    words = _("{level} profile intervals.") if profiled else _("{level} intervals by standard errors.")
    return [words.format(level=numbers.level(level)), *reasons]


def _name(rater: str) -> str:
    """A number or a letter alone would read as one of the classes."""
    return (
        numbers.short(rater, _NAME)
        if len(rater) > 1 and not rater.isdigit()
        else _("rater {rater}").format(rater=rater)
    )


def _value(e: Estimate | None) -> str:
    """A number with its interval, where it has one."""
    if e is None or e.value is None:
        return numbers.decimal(None)
    if e.low is None or e.high is None:
        return numbers.decimal(e.value)
    words = _("{value} ({low} to {high})")
    return words.format(value=numbers.decimal(e.value), low=numbers.decimal(e.low), high=numbers.decimal(e.high))
