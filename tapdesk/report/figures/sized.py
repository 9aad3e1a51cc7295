"""Pictures of studies as large as the ratings at hand: any numbers found again, and kappa against a squared."""

from dataclasses import dataclass, replace

import numpy as np

from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.report import numbers
from tapdesk.report.figure import Axis, Figure, Line, Points, Role
from tapdesk.report.figures.papers import HALVES, WEAK, recovery, unit
from tapdesk.report.words.nouns import PLAIN, Nouns
from tapdesk.studies.of_size import Size, Sized
from tapdesk.studies.table import Table

# Panels beside each other where there is room.
COLUMNS = 3
# Every so many points of a curve are drawn.
_STEP = 6
_FOUND = (_("t found"), _("t found, a > 0.2"), _("a found"), _("p found"), _("√κ found"), _("off by"))


@dataclass(frozen=True, eq=False)
class Drawn:
    """A study as pictures.

    Attributes
    ----------
    said
        What it shows, a sentence without full stop.
    panels
        The pictures; their notes are empty.
    note
        What was counted; printed below all.
    """

    said: str
    panels: tuple[Figure, ...]
    note: str


def sized(size: Size, nouns: Nouns = PLAIN) -> str:
    """The size of a study in words."""
    return _("{n} {subjects} with {r} {ratings} each").format(
        n=numbers.count(size.subjects),
        subjects=nouns.subjects if size.subjects != 1 else nouns.subject,
        r=numbers.count(size.raters),
        ratings=nouns.ratings,
    )


def _rounded(size: Size, nouns: Nouns) -> str:
    """That the data at hand have more and fewer ratings of a case than the simulated ones, where that is so."""
    if size.even:
        return ""
    return _("In the data at hand a {subject} has {least} to {most} {ratings}; here all have as many.").format(
        subject=nouns.subject, least=numbers.count(size.least), most=numbers.count(size.most), ratings=nouns.ratings
    )


def grid(found: Sized, nouns: Nouns = PLAIN) -> Drawn:
    """What is found of t, a and p against what was put in, and the root of kappa."""
    sheet = recovery(found.table)
    lost = int(np.isnan(found.table.numbers("root_kappa")).sum())
    note = _(
        "N = {n} data sets of {size}, two classes: {sets} for each t, a and p from 0.1 to 0.9. Dots: mean of what is "
        "found; lines: its middle 90 %; dashed: what was put in."
    ).format(n=numbers.count(len(found.table.rows)), size=sized(found.size, nouns), sets=found.replicates)
    told = _("In {lost} of them kappa is negative or undefined and has no root: √κ is drawn without them.").format(
        lost=numbers.count(lost)
    )
    words = (note, *([told] if lost else []), _rounded(found.size, nouns))
    # Where the titles of panels are not printed the axes tell which is which.
    panels = [replace(f, y=replace(f.y, title=up)) for f, up in zip(sheet.figures, _FOUND, strict=True)]
    short, weak = "a > .2", "a > 0.2"
    panels = [replace(f, title=f.title.replace(short, weak), alt=f.alt.replace(short, weak)) for f in panels]
    return Drawn(_said(found.table), tuple(panels), " ".join(words).strip())


def _said(table: Table) -> str:
    """How far t and a are off where there is little to be found, and where there is more."""
    a = table.numbers("true a")
    weak = a < WEAK + 1e-9
    misses = [
        numbers.decimal(float(np.abs(table.numbers(name) - table.numbers(f"true {name}"))[rows].mean()))
        for rows in (weak, ~weak)
        for name in ("t", "a")
    ]
    return _(
        "Where a is {weak} or less t is off by {t} on average and a by {a}; where it is larger, by {t2} and {a2}"
    ).format(weak=numbers.decimal(WEAK, places=1), **dict(zip(("t", "a", "t2", "a2"), misses, strict=True)))


def squares(found: Sized, nouns: Nouns = PLAIN) -> Drawn:
    """Kappa against the square of the accuracy: a panel for each t, in it a curve for each p."""
    table = found.table
    rates = sorted({float(x) for x in table.numbers("t")})
    same, other = off(table, same=True), off(table, same=False)
    said = _(
        "Where t = p kappa is the square of the accuracy, but for luck ({same} off on average); elsewhere it is off by "
        "{other} on average"
    ).format(same=numbers.decimal(same, places=3), other=numbers.decimal(other, places=3))
    lost = int(table.numbers("undefined").sum())
    note = _(
        "N = {n} data sets of {size}, two classes: {sets} for each t, p and a. Dots: mean of Fleiss’ kappa; lines: "
        "what the model expects. On the line where p is t kappa is the square of the accuracy."
    ).format(n=numbers.count(table.numbers("data_sets").sum()), size=sized(found.size, nouns), sets=found.replicates)
    told = _("In {lost} of them all ratings are alike and kappa is undefined.").format(lost=numbers.count(lost))
    words = (note, *([told] if lost else []), _rounded(found.size, nouns))
    return Drawn(said, tuple(_of_truth(table, t, rates) for t in rates), " ".join(words).strip())


def off(table: Table, *, same: bool) -> float:
    """How far kappa is from the square of the accuracy on average, where t = p or where they differ."""
    rows = (table.numbers("t") == table.numbers("p")) == same
    missed = np.abs(table.numbers("kappa_mean") - table.numbers("a_squared"))[rows]
    return float(np.nanmean(missed)) if np.isfinite(missed).any() else float("nan")


def _of_truth(table: Table, t: float, rates: list[float]) -> Figure:
    """The panel of one share of class 1 in truth."""
    marks: list[Line | Points] = []
    told = []
    for p in rates:
        rows = table.only(t=t, p=p)
        square, seen = rows.numbers("a_squared"), rows.numbers("kappa_mean")
        role = Role.MODEL if t == p else Role.SECOND
        marks.append(Line(_("p = {p}").format(p=Number(f"{p:g}")), square, rows.numbers("kappa_expected"), role))
        known = np.isfinite(seen)
        marks.append(Points("", square[known][::_STEP], seen[known][::_STEP], Role.OBSERVED))
        missed = np.abs(seen - square)[known]
        told.append(
            _("p = {p}: {off}").format(
                p=Number(f"{p:g}"), off=numbers.decimal(float(missed.mean()) if known.any() else None)
            )
        )
    title = _("t = {t}").format(t=Number(f"{t:g}"))
    return Figure(
        "square",
        title,
        _("{title}. Kappa is off the square of the accuracy on average by: {told}.").format(
            title=title, told="; ".join(told)
        ),
        unit(_("a², t = {t}").format(t=Number(f"{t:g}")), HALVES),
        Axis(_("κ"), -0.1, 1.0, HALVES),
        tuple(marks),
    )
