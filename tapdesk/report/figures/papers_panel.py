"""The papers' panels as pictures: accuracies of many raters, the weakest rater, negative kappa, many classes."""

import numpy as np

from tapdesk.language import gettext as _
from tapdesk.report import numbers
from tapdesk.report.figure import Axis, Figure, Line, Points, Role
from tapdesk.report.figures.sized import HALVES, diagonal, spread, unit
from tapdesk.report.svg.sheet import Sheet
from tapdesk.studies.table import Table


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
            name=name, true=f"{true[i * len(table.rows)]:g}", found=numbers.decimal(float(told.y[i]))
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
