"""Pictures of studies as large as the ratings at hand: any numbers found again, and kappa against a squared."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import numbers
from tapdesk.answers.charts import FIFTHS, Series, Shown, curves
from tapdesk.answers.figure import Axis, Figure, Line, Mark, Points, Role
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.language import Number, joined
from tapdesk.language import gettext as _
from tapdesk.models.parameters import FloatArray
from tapdesk.studies.design_study import DesignStudy, StudySize
from tapdesk.studies.table import StudyTable

HALVES = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))
_MIDDLE = (0.05, 0.95)
# Below this accuracy the paper leaves panels out.
WEAK = 0.2
# Panels beside each other where there is room.
COLUMNS = 3
# Every so many points of a curve are drawn.
_STEP = 6
_FOUND = (_("t found"), _("t found, a > {weak}"), _("a found"), _("p found"), _("√κ found"), _("off by"))


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

    finding: str
    panels: tuple[Figure, ...]
    note: str


def sized(size: StudySize) -> str:
    """The size of a study in words."""
    return _("{n} {subjects} with {r} {ratings} each").format(
        n=numbers.count(size.subjects),
        subjects=_("{subjects}") if size.subjects != 1 else _("{subject}"),
        r=numbers.count(size.raters),
    )


def _rounded(size: StudySize) -> str:
    """That the data at hand have more and fewer ratings of a case than the simulated ones, where that is so."""
    if size.even:
        return ""
    return _("In the data at hand {a_subject} has {least} to {most} {ratings}; here all have as many.").format(
        least=numbers.count(size.least), most=numbers.count(size.most)
    )


def _ends() -> dict[str, str]:
    """From where to where the values run of which data are made."""
    return {"low": numbers.decimal(0.1, places=1), "high": numbers.decimal(0.9, places=1)}


def grid(study: DesignStudy) -> Drawn:
    """What is found of t, a and p against what was put in, and the root of kappa."""
    sheet = recovery(study.table)
    lost = int(np.isnan(study.table.numbers("root_kappa")).sum())
    note = _(
        "N = {n} data sets of {size}, two classes: {sets} for each t, a and p from {low} to {high}. Dots: mean of "
        "what is "
        "found; lines: its middle 90 %; dashed: what was put in."
    ).format(n=numbers.count(len(study.table.rows)), size=sized(study.size), sets=study.replicates, **_ends())
    sentence = _("In {lost} of them kappa is negative or undefined and has no root: √κ is drawn without them.").format(
        lost=numbers.count(lost)
    )
    words = (note, *([sentence] if lost else []), _rounded(study.size))
    # Where the titles of panels are not printed the axes tell which is which.
    ups = [up.format(weak=numbers.decimal(WEAK, places=1)) for up in _FOUND]
    panels = [replace(f, y=replace(f.y, title=up)) for f, up in zip(sheet.figures, ups, strict=True)]
    return Drawn(_title(study.table), tuple(panels), joined(*words))


def _title(table: StudyTable) -> str:
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


def squares(study: DesignStudy) -> Drawn:
    """Kappa against the square of the accuracy: a panel for each t, in it a curve for each p."""
    table = study.table
    rates = sorted({float(x) for x in table.numbers("t")})
    same, other = off(table, same=True), off(table, same=False)
    sentence = _(
        "Where t = p kappa is the square of the accuracy, but for luck ({same} off on average); elsewhere it is off by "
        "{other} on average"
    ).format(same=numbers.decimal(same, places=3), other=numbers.decimal(other, places=3))
    lost = int(table.numbers("undefined").sum())
    note = _(
        "N = {n} data sets of {size}, two classes: {sets} for each t, p and a. Dots: mean of Fleiss’ kappa; lines: "
        "what the model expects. On the line where p is t kappa is the square of the accuracy."
    ).format(n=numbers.count(table.numbers("data_sets").sum()), size=sized(study.size), sets=study.replicates)
    text = _("In {lost} of them all {ratings} are alike and kappa is undefined.").format(lost=numbers.count(lost))
    words = (note, *([text] if lost else []), _rounded(study.size))
    return Drawn(sentence, tuple(_of_truth(table, t, rates) for t in rates), joined(*words))


def off(table: StudyTable, *, same: bool) -> float:
    """How far kappa is from the square of the accuracy on average, where t = p or where they differ."""
    rows = (table.numbers("t") == table.numbers("p")) == same
    missed = np.abs(table.numbers("kappa_mean") - table.numbers("a_squared"))[rows]
    return float(np.nanmean(missed)) if np.isfinite(missed).any() else float("nan")


def _of_truth(table: StudyTable, t: float, rates: list[float]) -> Figure:
    """The panel of one share of class 1 in truth."""
    series, words = [], []
    for p in rates:
        rows = table.only(t=t, p=p)
        square, seen = rows.numbers("a_squared"), rows.numbers("kappa_mean")
        name, known = _("p = {p}").format(p=Number(f"{p:g}")), np.isfinite(seen)
        expected = rows.numbers("kappa_expected")
        series.append(Series(name, square, expected, Role.MODEL if t == p else Role.SECOND))
        dots = square[known][::_STEP], seen[known][::_STEP]
        series.append(Series(_("{name}, simulated").format(name=name), *dots, Role.OBSERVED, Shown.DOTS, label=""))
        off_by = float(np.abs(seen - square)[known].mean()) if known.any() else None
        words.append(_("p = {p}: {off}").format(p=Number(f"{p:g}"), off=numbers.decimal(off_by)))
    title = _("t = {t}").format(t=Number(f"{t:g}"))
    return curves(
        "square",
        title,
        unit(_("a², t = {t}").format(t=Number(f"{t:g}")), HALVES),
        Axis(_("κ"), -0.1, 1.0, HALVES),
        series,
        alt=_("{title}. Kappa is off the square of the accuracy on average by: {told}.").format(
            title=title, told="; ".join(words)
        ),
    )


def unit(title: str, ticks: tuple[tuple[float, str], ...] = FIFTHS) -> Axis:
    """An axis from 0 to 1."""
    return Axis(title, 0.0, 1.0, ticks)


def diagonal(label: str = "") -> Line:
    """Where what comes back is what was put in."""
    return Line(label, np.array([0.0, 1.0]), np.array([0.0, 1.0]), Role.REFERENCE)


def spread(x: FloatArray, y: FloatArray, label: str = "", role: Role = Role.MODEL) -> Points:
    """Mean of y at each x, with the middle 90 % of y."""
    places = np.unique(x)
    groups = [y[(x == place) & np.isfinite(y)] for place in places]
    low, high = (np.array([np.quantile(g, q) if g.size else np.nan for g in groups]) for q in _MIDDLE)
    mean = np.array([g.mean() if g.size else np.nan for g in groups])
    return Points(label, places, mean, role, low, high)


def missed(true: FloatArray, array: FloatArray) -> float:
    """Mean distance of what was found from the truth, over what was found; NaN where nothing was."""
    known = np.isfinite(array)
    return float(np.abs(array - true)[known].mean()) if known.any() else float("nan")


def _off(value: float, places: int | None = None) -> str:
    """A distance as it is read, a dash where nothing was found."""
    return numbers.decimal(value if np.isfinite(value) else None, places=places)


def recovery(table: StudyTable) -> Sheet:
    """Estimates of t, a and p against their true values, with the a > .2 filter and the root of kappa."""
    a = table.numbers("true a")
    panels = [_recovered(table, name, name) for name in ("t", "a", "p")]
    panels.insert(1, _recovered(table, "t", "t", a > WEAK + 1e-9))
    panels.append(_recovered(table, "a", "root_kappa"))
    panels.append(_by_accuracy(table))
    kept = a > WEAK + 1e-9
    misses = {
        name: [_off(missed(table.numbers(f"true {name}")[rows], table.numbers(name)[rows])) for rows in (~kept, kept)]
        for name in ("t", "a")
    }
    return Sheet(
        _("Where a is .2 or less t is off by {t} on average and a by {a}; where it is larger, by {t2} and {a2}").format(
            t=misses["t"][0], a=misses["a"][0], t2=misses["t"][1], a2=misses["a"][1]
        ),
        tuple(panels),
        columns=3,
        width=290.0,
        height=210.0,
        note=_(
            "{n} simulated panels of {cases} {subjects} and {people} {raters}. Dots: mean of the estimates; lines: the "
            "middle 90 %; dashed: what was put in."
        ).format(n=numbers.count(len(table.rows)), cases=table.values("subjects")[0], people=table.values("raters")[0]),
    )


def _recovered(table: StudyTable, true: str, text: str, rows: NDArray[np.bool_] | None = None) -> Figure:
    x, y = table.numbers(f"true {true}"), table.numbers(text)
    chosen = np.isfinite(y) if rows is None else np.isfinite(y) & rows
    x, y = x[chosen], y[chosen]
    off = _off(missed(x, y))
    name = _("√κ") if text == "root_kappa" else text
    title = _("{name} against a: off by {off}") if text == "root_kappa" else _("{name}: off by {off}")
    if rows is not None:
        title = _("{name}, a > {weak} only: off by {off}")
    title = title.format(name=name, off=off, weak=numbers.decimal(WEAK, places=1))
    points = spread(x, y)
    gives = _("{x} gives {y}")
    pairs = zip(points.x, points.y, strict=True)
    listed = joined(*(gives.format(x=Number(f"{a:g}"), y=numbers.decimal(float(b))) for a, b in pairs), sep=", ")
    across = unit(_("true {name}").format(name=true), HALVES)
    return curves(
        "recovery",
        title,
        across,
        unit("", HALVES),
        [Series("", points.x, points.y, points.role, Shown.DOTS, points.low, points.high)],
        alt=_("{title}. Means: {listed}.").format(title=title, listed=listed),
        behind=[diagonal()],
        columns=(across.title, _("{name} found, mean").format(name=name)),
    )


def _by_accuracy(table: StudyTable) -> Figure:
    """How far each estimate is off, by the true accuracy."""
    a = table.numbers("true a")
    places = np.unique(a)
    series = []
    for name, role in (("t", Role.MODEL), ("p", Role.SECOND), ("a", Role.OBSERVED)):
        true, result = table.numbers(f"true {name}"), table.numbers(name)
        series.append(Series(name, places, np.array([missed(true[a == x], result[a == x]) for x in places]), role))
    top = float(max(one.y.max() for one in series))
    title = _("How far off, by the true a")
    first, last = (", ".join(f"{one.name} {numbers.decimal(float(one.y[i]))}" for one in series) for i in (0, -1))
    return curves(
        "recovery",
        title,
        unit(_("true a"), HALVES),
        Axis("", 0.0, float(np.ceil(10 * top + 1e-9)) / 10),
        series,
        alt=_("{title}: at {low} {first}; at {high} {last}.").format(
            title=title, low=Number(f"{places[0]:g}"), high=Number(f"{places[-1]:g}"), first=first, last=last
        ),
        marks=[Mark("", WEAK + 0.05, role=Role.REFERENCE)],
        columns=(_("true a"), _("off by")),
    )


def kappas(table: StudyTable) -> Sheet:
    """Kappa against the square of the accuracy, one panel for each t and p."""
    panels = []
    same = []
    for t in sorted({float(x) for x in table.numbers("t")}):
        for p in sorted({float(x) for x in table.numbers("p")}):
            rows = table.only(t=t, p=p)
            square, seen = rows.numbers("a_squared"), rows.numbers("kappa_mean")
            if t == p:
                same.append(missed(square, seen))
            title = _("t = {t}, p = {p}").format(t=Number(f"{t:g}"), p=Number(f"{p:g}"))
            panels.append(
                curves(
                    "kappa",
                    title,
                    unit("", HALVES),
                    Axis("", -0.1, 1.0, HALVES),
                    [
                        Series(_("simulated"), square, seen, Role.OBSERVED, label=""),
                        Series(_("expected"), square, rows.numbers("kappa_expected"), Role.MODEL, label=""),
                    ],
                    alt=_("{title}: off by {off}.").format(title=title, off=_off(missed(square, seen), places=3)),
                    behind=[diagonal()],
                    columns=(_("square of the accuracy"), _("Fleiss’ kappa")),
                )
            )
    return Sheet(
        _("Where t = p kappa is the square of the accuracy (off by {off} on average); elsewhere it is not").format(
            off=numbers.decimal(float(np.mean(same)), places=3)
        ),
        tuple(panels),
        columns=5,
        width=180.0,
        height=130.0,
        note=_(
            "Across: the square of the accuracy; up: Fleiss’ kappa. Thin: simulated, at each of {n} accuracies "
            "(data sets: {sets}); thick: what the model expects; dashed: kappa equal to the square."
        ).format(sets=table.values("data_sets")[0], n=len({*table.numbers("a").tolist()})),
    )
