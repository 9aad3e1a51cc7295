"""The papers' panels as pictures: accuracies of many raters, the weakest rater, negative kappa, many classes."""

import numpy as np

from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.report import numbers
from tapdesk.report.figure import Axis, Band, Bars, Figure, Line, Mark, Points, Role
from tapdesk.report.figures.papers import HALVES, diagonal, spread, unit
from tapdesk.report.svg.sheet import Sheet
from tapdesk.studies.table import Table

_BINS = 20


def rater_histogram(table: Table) -> Sheet:
    """How the accuracies of a panel are spread, and for a simulated panel how well they came back."""
    a, true = table.numbers("a"), table.numbers("true a")
    heights, edges = np.histogram(a, _BINS, (0.0, 1.0))
    low, high = float(np.quantile(a, 0.05)), float(np.quantile(a, 0.95))
    title = _("{n} raters: nine in ten between {low} and {high}").format(
        n=len(a), low=numbers.decimal(low), high=numbers.decimal(high)
    )
    panels = [
        Figure(
            "rater-histogram",
            title,
            _("Histogram. {title}; the lowest {least}, the highest {most}.").format(
                title=title, least=numbers.decimal(float(a.min())), most=numbers.decimal(float(a.max()))
            ),
            unit(_("estimated accuracy")),
            Axis(_("raters"), 0.0, float(heights.max()) * 1.15),
            (Bars("", edges.astype(np.float64), heights.astype(np.float64), Role.MODEL),),
        )
    ]
    if np.isfinite(true).all():
        off = numbers.decimal(float(np.abs(a - true).mean()))
        told = _("Estimated against true: off by {off}").format(off=off)
        alt = _("{told} on average.").format(told=told)
        marks = (diagonal(), Points("", true, a, Role.MODEL))
        panels.append(
            Figure("rater-histogram", told, alt, unit(_("true accuracy")), unit(_("estimated accuracy")), marks)
        )
    note = _("t-aj-p, {n} to {m} ratings by each rater.").format(
        n=numbers.count(table.numbers("ratings").min()), m=numbers.count(table.numbers("ratings").max())
    )
    whole = _("Accuracies of one panel from {least} to {most}").format(
        least=numbers.decimal(float(a.min())), most=numbers.decimal(float(a.max()))
    )
    return Sheet(whole, tuple(panels), columns=2, width=400.0, height=270.0, note=note)


def low_rater(table: Table) -> Sheet:
    """Correlations with every other rater: of the least accurate rater, and of the most accurate one."""
    panels, means = [], []
    for which in ("lowest", "highest"):
        rows = table.only(which=which)
        x, seen, expected = (rows.numbers(c) for c in ("a", "correlation", "expected"))
        known = np.isfinite(seen)
        mean = float(seen[known].mean()) if known.any() else float("nan")
        means.append(mean)
        own = float(rows.numbers("own_a")[0])
        title = _("{rater}, accuracy {a}: correlation {mean} on average").format(
            rater=numbers.short(str(rows.values("rater")[0]), 20),
            a=numbers.decimal(own),
            mean=numbers.decimal(mean) if known.any() else "–",
        )
        lowest = float(min(seen[known].min(initial=0.0), 0.0))
        panels.append(
            Figure(
                "low-rater",
                title,
                _("{title}, with {n} other raters.").format(title=title, n=int(known.sum())),
                unit(_("accuracy of the other rater")),
                Axis(_("correlation on shared subjects"), min(-0.4, np.floor(10 * lowest) / 10), 1.0),
                (
                    Mark("", 0.0, vertical=False),
                    Line("", x, expected, Role.MODEL),
                    Points("", x[known], seen[known], Role.SINGLED_OUT if which == "lowest" else Role.OBSERVED),
                ),
            )
        )
    shared = table.numbers("shared")
    return Sheet(
        _(
            "The least accurate rater agrees with nobody: correlation {low} on average, of the most accurate {high}"
        ).format(low=numbers.decimal(means[0]), high=numbers.decimal(means[1])),
        tuple(panels),
        columns=2,
        width=400.0,
        height=270.0,
        note=_("Line: what the model expects. Two raters share {low} to {high} subjects.").format(
            low=numbers.count(shared.min()), high=numbers.count(shared.max())
        ),
    )


def negative(table: Table) -> Sheet:
    """Kappa against accuracy by luck alone at several sizes, and with two camps of raters."""
    luck = table.only(cause="luck")
    panels = [_luck(luck.only(subjects=n)) for n in dict.fromkeys(luck.values("subjects"))]
    panels.append(_camps(table.only(cause="camps")))
    none = [luck.only(subjects=n, a=0.0).numbers("negative")[0] for n in dict.fromkeys(luck.values("subjects"))]
    return Sheet(
        _(
            "Without knowledge kappa is negative in {low} to {high} of 100 panels; far below 0 only where raters "
            "form camps"
        ).format(low=Number(f"{100 * min(none):.0f}"), high=Number(f"{100 * max(none):.0f}")),
        tuple(panels),
        columns=3,
        width=290.0,
        height=200.0,
        note=_(
            "Five raters, t = p = .5; bands: the middle 90 % of simulated kappas. Camps: half of the raters take class "
            "1 for class 0; lines: expected; dots: simulated."
        ),
    )


def _luck(rows: Table) -> Figure:
    a, share = rows.numbers("a"), rows.numbers("negative")
    title = _("{n} subjects: negative in {none} of 100 at a = 0, {some} at a = .2").format(
        n=rows.values("subjects")[0],
        none=Number(f"{100 * share[0]:.0f}"),
        some=Number(f"{100 * float(np.interp(0.2, a, share)):.0f}"),
    )
    return Figure(
        "negative-kappa",
        title,
        _("{title}.").format(title=title),
        Axis(_("accuracy"), 0.0, 0.5),
        Axis(_("kappa"), -0.25, 0.5, ((-0.2, "−0.2"), (0.0, "0"), (0.2, "0.2"), (0.4, "0.4"))),
        (
            Band("", a, rows.numbers("low"), rows.numbers("high"), Role.MODEL),
            Mark("", 0.0, vertical=False),
            Line("", a, rows.numbers("mean"), Role.MODEL),
        ),
    )


def _camps(table: Table) -> Figure:
    marks: list[Line | Points | Mark] = [Mark("", 0.0, vertical=False)]
    for r in dict.fromkeys(table.values("raters")):
        rows = table.only(raters=r)
        label = _("{n} raters").format(n=r)
        marks.append(Line(label, rows.numbers("a"), rows.numbers("expected"), Role.MODEL))
        marks.append(Points("", rows.numbers("a")[::2], rows.numbers("mean")[::2], Role.OBSERVED))
    lowest = table.numbers("mean").min()
    title = _("Two camps: kappa down to {low}").format(low=numbers.decimal(float(lowest)))
    return Figure(
        "negative-kappa",
        title,
        _("{title}: minus the square of the accuracy over R − 1.").format(title=title),
        unit(_("accuracy within each camp"), HALVES),
        Axis(_("kappa"), -1.05, 0.2, ((-1.0, "−1"), (-0.5, "−0.5"), (0.0, "0"))),
        tuple(marks),
    )


def krits(table: Table) -> Sheet:
    """Krits per rating against accuracy, one panel for each set of rates."""
    panels = []
    for name in dict.fromkeys(table.values("set")):
        rows = table.only(set=name)
        a, expected, seen = (rows.numbers(c) for c in ("a", "expected", "empirical"))
        off = numbers.decimal(float(np.abs(expected - seen).max()), places=3)
        panels.append(
            Figure(
                "krits",
                str(name),
                _("{name}: expected krits fall from {first} to {last}; empirical ones are within {off}.").format(
                    name=name,
                    first=numbers.decimal(float(expected[0])),
                    last=numbers.decimal(float(expected[-1])),
                    off=off,
                ),
                unit(_("accuracy"), HALVES),
                unit(_("krits per rating")),
                (
                    Line("", a, rows.numbers("marginal"), Role.REFERENCE),
                    Line("", a, expected, Role.MODEL),
                    Points("", a[::2], seen[::2], Role.OBSERVED),
                ),
            )
        )
    return Sheet(
        _("Krits fall to 0 at accuracy 1; those imputed to simulated ratings stay within {off} of the expected").format(
            off=numbers.decimal(float(np.abs(table.numbers("expected") - table.numbers("empirical")).max()))
        ),
        tuple(panels),
        columns=3,
        width=290.0,
        height=250.0,
        note=_(
            "Line: expected; dots: empirical (imputed), means of simulated data sets; "
            "dashed: marginal, which keeps the entropy of the true classes."
        ),
    )


def four_classes(table: Table) -> Sheet:
    """The parameters of four classes, put in and got back."""
    names = [c.removeprefix("true ") for c in table.columns if c.startswith("true ")]
    place = np.repeat(np.arange(len(names), dtype=np.float64), len(table.rows))
    true = np.concatenate([table.numbers(f"true {name}") for name in names])
    found = np.concatenate([table.numbers(name) for name in names])
    told = spread(place, found, _("came back"))
    off = numbers.decimal(float(np.abs(told.y - true[:: len(table.rows)]).max()))
    title = _("All {n} numbers come back: their means are off by {off} at most").format(n=len(names), off=off)
    listed = "; ".join(
        _("{name} {true} gives {found}").format(
            name=name, true=Number(f"{true[i * len(table.rows)]:g}"), found=numbers.decimal(float(told.y[i]))
        )
        for i, name in enumerate(names)
    )
    figure = Figure(
        "four-classes",
        "",
        _("{title}. {listed}.").format(title=title, listed=listed),
        Axis("", -0.6, len(names) - 0.4, tuple((float(i), name) for i, name in enumerate(names))),
        unit(""),
        (Points(_("put in"), place[:: len(table.rows)], true[:: len(table.rows)], Role.REFERENCE), told),
    )
    note = _(
        "{n} data sets of {subjects} subjects and {raters} raters. Lines: the middle 90 % of the estimates."
    ).format(n=len(table.rows), subjects=table.values("subjects")[0], raters=table.values("raters")[0])
    return Sheet(title, (figure,), width=700.0, height=300.0, note=note)


def kappa_by_classes(table: Table) -> Sheet:
    """Kappa against the square of the accuracy, one panel for each number of classes."""
    panels = []
    for k in dict.fromkeys(table.values("classes")):
        rows = table.only(classes=k)
        x, y = rows.numbers("a_squared"), rows.numbers("kappa_mean")
        title = _("{k} classes: off by {off}").format(k=k, off=numbers.decimal(float(np.abs(x - y).mean()), places=3))
        marks = (diagonal(), Points("", x[::2], y[::2], Role.MODEL))
        alt = _("{title} on average.").format(title=title)
        panels.append(Figure("kappa-by-classes", title, alt, unit("", HALVES), unit("", HALVES), marks))
    off = float(np.abs(table.numbers("a_squared") - table.numbers("kappa_mean")).max())
    return Sheet(
        _("For 2 to 6 classes kappa is the square of the accuracy, within {off}").format(
            off=numbers.decimal(off, places=3)
        ),
        tuple(panels),
        columns=5,
        width=190.0,
        height=170.0,
        note=_("Across: the square of the accuracy; up: mean of Fleiss’ kappa; t = p, all classes equally common."),
    )
