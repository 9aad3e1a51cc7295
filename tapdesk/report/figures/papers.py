"""The papers' simulations as pictures: what was put in against what came back."""

import numpy as np

from tapdesk.language import gettext as _
from tapdesk.report import numbers
from tapdesk.report.figure import Axis, Band, Bars, Figure, Line, Mark, Points, Role
from tapdesk.report.figures.sized import diagonal, missed, spread, unit
from tapdesk.report.svg.sheet import Sheet
from tapdesk.studies.table import Table


def rater_accuracies(table: Table) -> Sheet:
    """Five accuracies that came back, one panel for each design."""
    panels = []
    found = []
    for n, each in dict.fromkeys(zip(table.values("subjects"), table.values("ratings_each"), strict=True)):
        rows = table.only(subjects=n, ratings_each=each)
        told = spread(rows.numbers("true a"), rows.numbers("a"))
        off = missed(rows.numbers("true a"), rows.numbers("a"))
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
        young=f"{x[0]:g}",
        old=f"{x[-1]:g}",
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
