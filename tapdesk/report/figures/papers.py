"""The papers' simulations as pictures: what was put in against what came back."""

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.models.stack import FloatArray
from tapdesk.report import numbers
from tapdesk.report.figure import Axis, Band, Bars, Figure, Line, Mark, Points, Role
from tapdesk.report.svg.sheet import Sheet
from tapdesk.studies.table import Table

TENTHS = tuple((i / 5, Number(f"{i / 5:g}")) for i in range(6))
HALVES = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))
_MIDDLE = (0.05, 0.95)
# Below this accuracy the paper leaves panels out.
WEAK = 0.2


def unit(title: str, ticks: tuple[tuple[float, str], ...] = TENTHS) -> Axis:
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


def _missed(true: FloatArray, found: FloatArray) -> float:
    known = np.isfinite(found)
    return float(np.abs(found - true)[known].mean())


def recovery(table: Table) -> Sheet:
    """Estimates of t, a and p against their true values, with the a > .2 filter and the root of kappa."""
    a = table.numbers("true a")
    panels = [_recovered(table, name, name) for name in ("t", "a", "p")]
    panels.insert(1, _recovered(table, "t", "t", a > WEAK + 1e-9))
    panels.append(_recovered(table, "a", "root_kappa"))
    panels.append(_by_accuracy(table))
    kept = a > WEAK + 1e-9
    misses = {
        name: [
            numbers.decimal(_missed(table.numbers(f"true {name}")[rows], table.numbers(name)[rows]))
            for rows in (~kept, kept)
        ]
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
            "{n} simulated panels of {subjects} subjects and {raters} raters. Dots: mean of the estimates; lines: the "
            "middle 90 %; dashed: what was put in."
        ).format(
            n=numbers.count(len(table.rows)), subjects=table.values("subjects")[0], raters=table.values("raters")[0]
        ),
    )


def _recovered(table: Table, true: str, found: str, rows: NDArray[np.bool_] | None = None) -> Figure:
    x, y = table.numbers(f"true {true}"), table.numbers(found)
    chosen = np.isfinite(y) if rows is None else np.isfinite(y) & rows
    x, y = x[chosen], y[chosen]
    off = numbers.decimal(_missed(x, y))
    name = _("√κ") if found == "root_kappa" else found
    title = _("{name} against a: off by {off}") if found == "root_kappa" else _("{name}: off by {off}")
    if rows is not None:
        title = _("{name}, a > .2 only: off by {off}")
    title = title.format(name=name, off=off)
    told = spread(x, y)
    listed = ", ".join(
        _("{x} gives {y}").format(x=Number(f"{a:g}"), y=numbers.decimal(float(b)))
        for a, b in zip(told.x, told.y, strict=True)
    )
    return Figure(
        "recovery",
        title,
        _("{title}. Means: {listed}.").format(title=title, listed=listed),
        unit(_("true {name}").format(name=true), HALVES),
        unit("", HALVES),
        (diagonal(), told),
    )


def _by_accuracy(table: Table) -> Figure:
    """How far each estimate is off, by the true accuracy."""
    a = table.numbers("true a")
    places = np.unique(a)
    marks: list[Line | Mark] = []
    for name, role in (("t", Role.MODEL), ("p", Role.SECOND), ("a", Role.OBSERVED)):
        true, found = table.numbers(f"true {name}"), table.numbers(name)
        marks.append(Line(name, places, np.array([_missed(true[a == x], found[a == x]) for x in places]), role))
    top = float(max(line.y.max() for line in marks if isinstance(line, Line)))
    title = _("How far off, by the true a")
    first, last = (
        ", ".join(f"{m.label} {numbers.decimal(float(m.y[i]))}" for m in marks if isinstance(m, Line)) for i in (0, -1)
    )
    return Figure(
        "recovery",
        title,
        _("{title}: at {low} {first}; at {high} {last}.").format(
            title=title,
            low=Number(f"{places[0]:g}"),
            high=Number(f"{places[-1]:g}"),
            first=first,
            last=last,
        ),
        unit(_("true a"), HALVES),
        Axis("", 0.0, float(np.ceil(10 * top + 1e-9)) / 10),
        (*marks, Mark("", WEAK + 0.05, role=Role.REFERENCE)),
    )


def kappas(table: Table) -> Sheet:
    """Kappa against the square of the accuracy, one panel for each t and p."""
    panels = []
    same = []
    for t in sorted({float(x) for x in table.numbers("t")}):
        for p in sorted({float(x) for x in table.numbers("p")}):
            rows = table.only(t=t, p=p)
            square, seen = rows.numbers("a_squared"), rows.numbers("kappa_mean")
            if t == p:
                same.append(_missed(square, seen))
            title = _("t = {t}, p = {p}").format(t=Number(f"{t:g}"), p=Number(f"{p:g}"))
            panels.append(
                Figure(
                    "kappa",
                    title,
                    _("{title}: off by {off}.").format(
                        title=title, off=numbers.decimal(_missed(square, seen), places=3)
                    ),
                    unit("", HALVES),
                    Axis("", -0.1, 1.0, HALVES),
                    (
                        diagonal(),
                        Line("", square, seen, Role.OBSERVED),
                        Line("", square, rows.numbers("kappa_expected"), Role.MODEL),
                    ),
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


def rater_accuracies(table: Table) -> Sheet:
    """Five accuracies that came back, one panel for each design."""
    panels = []
    found = []
    for n, each in dict.fromkeys(zip(table.values("subjects"), table.values("ratings_each"), strict=True)):
        rows = table.only(subjects=n, ratings_each=each)
        told = spread(rows.numbers("true a"), rows.numbers("a"))
        off = _missed(rows.numbers("true a"), rows.numbers("a"))
        title = _("{n} subjects, {each} ratings each: off by {off}").format(n=n, each=each, off=numbers.decimal(off))
        listed = ", ".join(f"{a:g} → {numbers.decimal(float(b))}" for a, b in zip(told.x, told.y, strict=True))
        found.append(numbers.decimal(off))
        axes = unit(_("true accuracy of the rater")), unit(_("estimated"))
        alt = _("{title}. Means: {listed}.").format(title=title, listed=listed)
        panels.append(Figure("rater-accuracies", title, alt, *axes, (diagonal(), told)))
    sets = max(int(x) for x in table.numbers("replicate"))
    return Sheet(
        _("Each rater’s accuracy comes back within {first} on average with many ratings, {last} with few").format(
            first=found[0], last=found[-1]
        ),
        tuple(panels),
        columns=2,
        width=380.0,
        height=260.0,
        note=_("{sets} data sets of each design, t = p = .4. Lines: the middle 90 % of the estimates.").format(
            sets=sets
        ),
    )


def subject_probabilities(table: Table) -> Sheet:
    """Histograms of the probability of class 1, for subjects of either class and each design."""
    panels, sides = [], []
    for n, each in dict.fromkeys(zip(table.values("subjects"), table.values("ratings_each"), strict=True)):
        rows = table.only(subjects=n, ratings_each=each)
        edges = np.append(rows.numbers("low"), 1.0)
        right = 0.0
        for column, side, role in (("truly_0", 0, Role.OBSERVED), ("truly_1", 1, Role.MODEL)):
            counts = rows.numbers(column)
            middle = (edges[1:] + edges[:-1]) / 2
            own = counts[(middle > 0.5) == bool(side)].sum()
            right += float(own)
            title = _("{n} × {each}, truly {side}: {own} of {all} on their side").format(
                n=n, each=each, side=side, own=numbers.count(own), all=numbers.count(counts.sum())
            )
            share = counts / max(counts.sum(), 1)
            panels.append(
                Figure(
                    "subject-probabilities",
                    title,
                    _("{title} of one half.").format(title=title),
                    unit(_("probability of class 1")),
                    Axis("", 0.0, 1.0, percent=True),
                    (Bars("", edges, share, role),),
                )
            )
        sides.append(right / float(n or 1))
    return Sheet(
        _("{first} of the subjects are on the side of their class with five ratings, {last} with three").format(
            first=numbers.percent(sides[0]), last=numbers.percent(sides[-1])
        ),
        tuple(panels),
        columns=2,
        width=380.0,
        height=190.0,
        note=_("One data set of each design; raters of accuracy .1, .3, .5, .7 and .9, t = p = .4."),
    )


def by_age(table: Table) -> Sheet:
    """The curve of accuracy by age, put in and got back."""
    curve, raters = table.only(what="curve"), table.only(what="rater")
    x, true, fitted = (curve.numbers(c) for c in ("x", "true", "fitted"))
    title = _("Accuracy from {first} at {young} years to {last} at {old}: put in {a} and {b}").format(
        first=numbers.decimal(float(fitted[0])),
        last=numbers.decimal(float(fitted[-1])),
        young=Number(f"{x[0]:g}"),
        old=Number(f"{x[-1]:g}"),
        a=numbers.decimal(float(true[0])),
        b=numbers.decimal(float(true[-1])),
    )
    figure = Figure(
        "accuracy-by-age",
        "",
        _("{title}. The curve that comes back is never more than {off} from the one put in.").format(
            title=title, off=numbers.decimal(float(np.abs(true - fitted).max()), places=3)
        ),
        Axis(_("age of the rater, years"), 24.0, 66.0),
        unit(_("accuracy")),
        (
            Band("", x, curve.numbers("low"), curve.numbers("high"), Role.MODEL),
            Line(_("came back"), x, fitted, Role.MODEL),
            Line(_("put in"), x, true, Role.REFERENCE),
            Points("", raters.numbers("x"), raters.numbers("fitted"), Role.OBSERVED),
        ),
    )
    note = _("Band: the middle 90 % of the curves. Dots: each rater of the first data set alone (t-aj-p).")
    return Sheet(title, (figure,), width=640.0, height=300.0, note=note)
