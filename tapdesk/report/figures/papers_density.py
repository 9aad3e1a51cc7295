"""The papers' posterior densities as pictures: shares of the posterior in equal steps of the scale."""

from collections.abc import Sequence

import numpy as np

from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.models.stack import FloatArray
from tapdesk.report import numbers
from tapdesk.report.figure import Axis, Bars, Figure, Line, Mark, Role
from tapdesk.report.figures.papers import unit
from tapdesk.report.figures.paradox import BLOCKS, block_cells, top
from tapdesk.report.svg.sheet import Sheet
from tapdesk.studies.table import Cell, Table

_TRUE = {"t": 0.3, "a0": 0.5, "a1": 0.2, "p0": 0.7, "p1": 0.1}


def paradox(table: Table) -> Sheet:
    """What is known of t, a, p and of p - t."""
    modes = table.only(parameter="a", what="mode").records()
    title = _("The data leave one reading open: {told}").format(told=_peaks(modes))
    if len(modes) > 1:
        title = _("The data leave two readings open: {told}").format(told=_peaks(modes))
    panels = [_shares(table.only(parameter=name), name) for name in ("a", "t", "p")]
    panels.append(_near(table.only(parameter="p - t")))
    note = _("Bars: share of the exact posterior (flat priors) in each fiftieth of the scale.")
    return Sheet(title, tuple(panels), columns=2, width=400.0, height=190.0, note=note)


def _peaks(modes: Sequence[dict[str, Cell]]) -> str:
    parts = [
        _("a near {at} ({mass})").format(
            at=numbers.decimal(_number(m["at"])), mass=numbers.percent(_number(m["value"]))
        )
        for m in modes
    ]
    return _(", or ").join(parts)


def _number(x: Cell) -> float:
    return float(x) if isinstance(x, int | float) else float("nan")


def _edges(at: FloatArray) -> FloatArray:
    step = float(at[1] - at[0])
    return np.append(at - step / 2, at[-1] + step / 2)


def _shares(table: Table, name: str, second: Table | None = None, truth: float | None = None, per: int = 1) -> Figure:
    """One parameter: bars over so many fiftieths each, dashed a second data set, dotted what was put in."""
    at, share = _gathered(table, per)
    mean = table.only(what="mean").numbers("at")
    peaks = table.only(what="mode").numbers("at")
    title = _("{name}: peak at {at}").format(name=name, at=numbers.decimal(float(peaks[0]))) if peaks.size else name
    if peaks.size > 1:
        title = _("{name}: peaks at {at} and {other}").format(
            name=name, at=numbers.decimal(float(peaks[0])), other=numbers.decimal(float(peaks[1]))
        )
    marks: list[Bars | Line | Mark] = [Bars("", _edges(at), share, Role.MODEL)]
    if second is not None:
        marks.append(Line("", *_gathered(second, per), Role.REFERENCE))
    if truth is not None:
        marks.append(Mark(_("put in"), truth, role=Role.REFERENCE))
    said = [title]
    if mean.size:
        said.append(_("mean {mean}").format(mean=numbers.decimal(float(mean[0]))))
    ends = share[: share.size // 5].sum(), share[-(share.size // 5) :].sum()
    said.append(
        _("{low} below 0.2, {high} above 0.8").format(
            low=numbers.percent(float(ends[0])), high=numbers.percent(float(ends[1]))
        )
    )
    return Figure(
        "densities",
        title,
        f"{'; '.join(said)}.",
        unit(name),
        Axis("", 0.0, top(float(share.max()) * (1.0 if truth is None else 1.2)), percent=True),
        tuple(marks),
    )


def _gathered(table: Table, per: int) -> tuple[FloatArray, FloatArray]:
    """Middles and shares of so many neighbouring cells together."""
    rows = table.only(what="share")
    at, share = rows.numbers("at").reshape(-1, per), rows.numbers("value").reshape(-1, per)
    return at.mean(axis=1), share.sum(axis=1)


def _near(table: Table) -> Figure:
    """The middle of p - t, where its two sides meet."""
    whole, rows = table.only(what="share"), table.only(what="near")
    at, share = rows.numbers("at"), rows.numbers("value")
    below = float(whole.numbers("value")[whole.numbers("at") < 0].sum())
    title = _("p − t: {below} below 0, {above} above").format(
        below=numbers.percent(below), above=numbers.percent(1 - below)
    )
    edges = _edges(at)
    return Figure(
        "densities",
        title,
        _("{title}; {near} within 0.01 of 0.").format(title=title, near=numbers.percent(float(share.sum()))),
        Axis(
            "p − t",
            float(edges[0]),
            float(edges[-1]),
            tuple((x, f"{x:g}".replace("-", "−")) for x in (-0.01, 0.0, 0.01)),
        ),
        Axis("", 0.0, top(float(share.max())), percent=True),
        (Bars("", edges, share, Role.MODEL), Mark("", 0.0)),
    )


def both_models(table: Table) -> Sheet:
    """Both models side by side; dashed, the data of the paper's code."""
    datas = list(dict.fromkeys(table.values("data")))
    panels, worst = [], 0.0
    for model, names in (("t-a-p", ("t", "a", "p")), ("t-a0a1-p", ("t", "a0", "a1", "p"))):
        for name in names:
            first, second = (table.only(data=d, model=model, parameter=name) for d in datas)
            worst = max(
                worst,
                float(
                    np.abs(first.only(what="share").numbers("value") - second.only(what="share").numbers("value")).max()
                ),
            )
            panels.append(_shares(first, f"{name}, {model}", second, per=2))
        if len(names) == 3:
            panels.append(_near(table.only(data=datas[0], model=model, parameter="p - t")))
    return Sheet(
        _("One accuracy: two readings. Two accuracies: a0 high and a1 low, which the prior decides"),
        tuple(panels),
        columns=4,
        width=235.0,
        height=190.0,
        note=_(
            "Bars: share of the exact posterior in each twenty-fifth, {first} subjects; dashed: {second}. The two "
            "differ by at most {worst} of 100 anywhere."
        ).format(first=datas[0], second=datas[1], worst=Number(f"{100 * worst:.1f}")),
    )


def third_reading(table: Table) -> Sheet:
    """The likelihood along a when p = t, and the posterior of a there."""
    datas = list(dict.fromkeys(table.values("data")))
    falls = [table.only(data=d, what="fall") for d in datas]
    at, fall = falls[0].numbers("at"), falls[0].numbers("value")
    within = at[fall > -1.92]
    title = _("With p = t every accuracy up to {high} fits almost as well as the best").format(
        high=numbers.decimal(float(within.max()))
    )
    curve = Figure(
        "third-reading",
        _("Log-likelihood below its best"),
        _("{title}: the log-likelihood falls by {half} at a = .5.").format(
            title=title, half=numbers.decimal(-float(np.interp(0.5, at, fall)))
        ),
        unit(_("accuracy")),
        Axis("", -5.0, 0.3, ((0.0, "0"), (-2.0, "−2"), (-4.0, "−4"))),
        (
            Mark("", -1.92, vertical=False),
            Line("", at, fall, Role.MODEL),
            Line("", falls[1].numbers("at"), falls[1].numbers("value"), Role.REFERENCE),
        ),
    )
    shares = [table.only(data=d) for d in datas]
    panels = (curve, _shares(shares[0], _("a, given p = t"), shares[1], per=2))
    note = _("{first} subjects; dashed: {second}. Dotted: the 95 % limit.").format(first=datas[0], second=datas[1])
    return Sheet(title, panels, columns=2, width=400.0, height=220.0, note=note)


def joint(table: Table) -> Sheet:
    """The share of the posterior in each tenth by tenth of the two accuracies."""
    x, y, density = (table.numbers(c) for c in ("a1", "a0", "density"))
    shares = np.zeros((BLOCKS, BLOCKS))
    np.add.at(shares, (BLOCKS - 1 - (y * BLOCKS).astype(int), (x * BLOCKS).astype(int)), density)
    shares /= shares.sum()
    cells, across, up = block_cells(shares)
    corner = float(shares[:2, :3].sum())
    title = _("{share} of the posterior has a0 above 0.8 and a1 below 0.3").format(share=numbers.percent(corner))
    figure = Figure(
        "joint",
        "",
        _("{title}; a1 runs across, a0 up.").format(title=title),
        across,
        up,
        (cells,),
    )
    note = _("Hundredths of the exact posterior of t-a0a1-p under flat priors; empty: below one half of a hundredth.")
    return Sheet(title, (figure,), width=520.0, height=400.0, note=note)


def switching(table: Table) -> Sheet:
    """Both labellings of the switched example, and what each says."""
    mass = {str(row["parameter"]): _number(row["value"]) for row in table.only(what="mass").records()}
    panels = [
        _shares(table.only(parameter=name), name, truth=_TRUE[name], per=2) for name in ("t", "a0", "a1", "p0", "p1")
    ]
    title = _(
        "Both labellings fit: {labelled} of the posterior as labelled, {switched} with the classes switched"
    ).format(
        labelled=numbers.percent(mass.get("as labelled", 1.0)), switched=numbers.percent(mass.get("switched", 0.0))
    )
    note = _(
        "Exact data of 1,000 subjects and 100 ratings; dotted: the numbers put in. By them true 1s are rated 1 in 28 "
        "of 100 ratings, true 0s in 35, so the numbers put in belong to the switched labelling."
    )
    return Sheet(title, tuple(panels), columns=3, width=290.0, height=190.0, note=note)
