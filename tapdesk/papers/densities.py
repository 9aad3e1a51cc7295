"""Posterior densities of the paradox table and of switched labels (Kappa Zoo ch. 4, exact instead of sampled)."""

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
from scipy.ndimage import gaussian_filter
from scipy.special import expit, logsumexp

from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Bars, Cells, Figure, Line, Mark, Role
from tapdesk.answers.figures.chance import top
from tapdesk.answers.figures.design_study import unit
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Curve, Posterior
from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.models.simulate import exact, parse_parameters
from tapdesk.papers.reproduction import FigureRequest, PaperNumber, data_of, size_of_data, two_classes
from tapdesk.progress import Run, Step
from tapdesk.ratings.patterns import tabulate
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.paradox import between, exact_posterior, masses, refusal
from tapdesk.studies.parallel import in_parallel
from tapdesk.studies.table import Cell, StudyTable, join_tables

# Agreements on class 0, and disagreements: the text of the paper, and the data its code draws.
PARADOX = ((998, 2), (980, 2))
COLUMNS = ("data", "model", "parameter", "what", "at", "value")
_CELLS = 50
# How far a joint density is smoothed, in cells.
_SMOOTH = 1.6
# The shares of the posterior that the levels of a joint density hold.
_HELD = (0.1, 0.25, 0.5, 0.75, 0.9, 0.97)
# How far from 0 the middle of p - t is drawn.
_NEAR = 0.01
SWITCHED = ("t=.3", "a0=.5", "a1=.2", "p0=.7", "p1=.1")
_SWITCHED_SUBJECTS, _SWITCHED_RATERS = 1000, 100

_TRUE = {"t": 0.3, "a0": 0.5, "a1": 0.2, "p0": 0.7, "p1": 0.1}


def tallied(agree: int, differ: int) -> Ratings:
    """Subjects with two ratings each: both 0, or one of each."""
    return Ratings(
        np.array([0, 0, 1, 1]),
        np.array([0, 1, 0, 1]),
        np.array([0, 0, 0, 1]),
        ("both 0", "one of each"),
        ("seat 1", "seat 2"),
        ("0", "1"),
        raters_known=False,
        weight=np.array([agree, differ]),
    )


def paradox(request: FigureRequest) -> Run[StudyTable]:
    """Exact posterior of t, a, p and of p - t under t-a-p; the 998 + 2 subjects unless ratings are given.

    Raises
    ------
    CannotAnswerError
        When the user's own ratings are not in two classes, or no subject has two of them.
    """
    ratings = yield from _agreeing(request)
    posterior = yield from exact_posterior(ratings, "t-a-p", request.seed)
    rows = list(_density_rows("given" if request.ratings is not None else "998 + 2", "t-a-p", posterior))
    return StudyTable("paradox", COLUMNS, tuple(rows), size_of_data(ratings))


def _agreeing(request: FigureRequest) -> Run[Ratings]:
    """The ratings of the figure, where they show whether ratings agree: without that a belief is what was put in."""
    ratings = two_classes((yield from data_of(request, "paradox")))
    reason = refusal(ratings)
    if reason is not None:
        raise CannotAnswerError(reason)
    return ratings


def _mass(table: StudyTable, parameter: str, low: float, high: float) -> float:
    """The share of the posterior between two places, from its fiftieths."""
    rows = table.only(parameter=parameter, what="share")
    at = rows.numbers("at")
    return float(rows.numbers("value")[(at > low) & (at < high)].sum())


def paradox_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """What follows from the 998 + 2 subjects under t-a-p."""
    means = {"a": 0.4089, "t": 0.0831, "p": 0.0559}
    shares = {
        "a below .1": (0.42, 0.0, 0.1), "a below .2": (0.49, 0.0, 0.2), "a from .2 to .8": (0.21, 0.2, 0.8),
        "a above .8": (0.30, 0.8, 1.0), "a above .9": (0.25, 0.9, 1.0),
    }  # fmt: skip
    return (
        *(
            PaperNumber(f"{name}, posterior mean", want, _mean(table, name), 5.1e-5 + 1e-4)
            for name, want in means.items()
        ),
        *(
            PaperNumber(f"share of the posterior, {what}", want, _mass(table, "a", low, high), 0.0055)
            for what, (want, low, high) in shares.items()
        ),
        PaperNumber("share of the posterior, p above t", 0.42, _mass(table, "p - t", 0.0, 1.0), 0.0055),
    )


def _mean(table: StudyTable, parameter: str) -> float:
    return float(table.only(parameter=parameter, what="mean").numbers("at")[0])


def both_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """What follows from the 998 + 2 subjects under t-a0a1-p, and that both counts give the same densities."""
    own = table.only(model="t-a0a1-p", data="998 + 2")
    means = {"t": 0.0595, "a0": 0.7751, "a1": 0.1942, "p": 0.0510}
    return (
        *paradox_printed(table.only(model="t-a-p", data="998 + 2")),
        *(
            PaperNumber(f"{name} of t-a0a1-p, posterior mean", want, _mean(own, name), 0.002)
            for name, want in means.items()
        ),
        PaperNumber("share of the posterior, a0 above .9", 0.49, _mass(own, "a0", 0.9, 1.0), 0.0055),
        PaperNumber("share of the posterior, a1 below .1", 0.54, _mass(own, "a1", 0.0, 0.1), 0.0055),
    )


def third_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """How far the likelihood falls along a where p = t."""
    own = table.only(data="998 + 2", what="fall")
    at, fall = own.numbers("at"), own.numbers("value")
    half = float(np.interp(0.5, at, fall))
    # Half the 95 % limit of chi-square with one degree of freedom.
    end = float(np.interp(1.9207, -fall, at))
    return (
        PaperNumber("fall of the log-likelihood at a = 0.5", -0.31, half, 0.01),
        PaperNumber("end of the 95 % interval of a", 0.87, end, 0.006),
    )


def joint_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """How much of the posterior lies in the corner of the figure."""
    density, a1, a0 = (table.numbers(c) for c in ("density", "a1", "a0"))
    corner = (a0 > 0.8) & (a1 < 0.3)
    return (
        PaperNumber("share with a0 above .8 and a1 below .3", 0.44, float(density[corner].sum() / density.sum()), 0.02),
        PaperNumber("a0, posterior mean", 0.7751, float(density @ a0 / density.sum()), 0.005),
        PaperNumber("a1, posterior mean", 0.1942, float(density @ a1 / density.sum()), 0.005),
    )


def switching_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """The rates of the example, and how much of the posterior goes to the labelling that was put in."""
    mass = {row["parameter"]: float(str(row["value"])) for row in table.only(what="mass").records()}
    t = _TRUE
    return (
        PaperNumber("ratings in class 1 of a true 0", 0.35, (1 - t["a0"]) * t["p0"], 1e-9),
        PaperNumber("ratings in class 1 of a true 1", 0.28, t["a1"] + (1 - t["a1"]) * t["p1"], 1e-9),
        PaperNumber("share of the labelling that was put in", 0.386, min(mass.values()), 0.006),
    )


def both_models(request: FigureRequest) -> Run[StudyTable]:
    """Posterior densities of t-a-p and t-a0a1-p, for 998 + 2 subjects and for the 980 + 2 of the paper's code."""
    units = [(data, name) for data in PARADOX for name in ("t-a-p", "t-a0a1-p")]
    parts = yield from in_parallel(partial(_of_one, request.seed), units, request.workers, kept=request.kept)
    return join_tables("densities", COLUMNS, parts)


def _of_one(seed: int, unit: tuple[tuple[int, int], str]) -> Run[tuple[tuple[Cell, ...], ...]]:
    """The rows of one model on one of the data sets."""
    (agree, differ), name = unit
    posterior = yield from exact_posterior(tallied(agree, differ), name, seed)
    return tuple(_density_rows(f"{agree} + {differ}", name, posterior))


def _density_rows(data: str, name: str, posterior: Posterior) -> Iterable[tuple[Cell, ...]]:
    """Shares of the posterior in fiftieths of the scale (of p - t also near 0), modes with masses, means."""
    for parameter, curve in posterior.marginals.items():
        yield from _shares(data, name, str(parameter), curve, (0.0, 1.0))
    if posterior.guess_minus_truth is not None:
        yield from _shares(data, name, "p - t", posterior.guess_minus_truth, (-1.0, 1.0))
        edges = np.linspace(-_NEAR, _NEAR, _CELLS + 1)
        near = between(posterior.guess_minus_truth, edges)
        for at, value in zip((edges[1:] + edges[:-1]) / 2, near, strict=True):
            yield (data, name, "p - t", "near", float(at), float(value))
    for summary in posterior.summaries:
        yield (data, name, str(summary.name), "mean", summary.mean, None)
        yield (data, name, str(summary.name), "low", summary.hdi_low, None)
        yield (data, name, str(summary.name), "high", summary.hdi_high, None)
        for mode in summary.modes:
            yield (data, name, str(summary.name), "mode", mode.at, mode.mass)


def _shares(
    data: str, name: str, parameter: str, curve: Curve, ends: tuple[float, float]
) -> Iterable[tuple[Cell, ...]]:
    edges = np.linspace(*ends, round((ends[1] - ends[0]) * _CELLS) + 1)
    for at, value in zip((edges[1:] + edges[:-1]) / 2, masses(curve, edges), strict=True):
        yield (data, name, parameter, "share", float(at), float(value))


def third_reading(_asked: FigureRequest) -> Run[StudyTable]:
    """With p = t any accuracy will do: the likelihood along a under t-a-t, and the posterior of a there.

    Returns
    -------
    Table
        For each data set and accuracy the highest log-likelihood below its maximum (``what`` = fall), and for fiftieths
        of the scale the share of the posterior under flat priors (share).
    """
    rows: list[tuple[Cell, ...]] = []
    t = expit(np.linspace(-16, 6, 1201))
    # Flat in t, on the logit scale.
    volume = np.log(t) + np.log1p(-t)
    for done, (agree, differ) in enumerate(PARADOX):
        yield Step(done, len(PARADOX), "study")
        data = f"{agree} + {differ}"
        at = (np.arange(_CELLS) + 0.5) / _CELLS
        level = _tied(tallied(agree, differ), at, t)
        best = level.max(axis=1)
        mass = np.exp(logsumexp(level + volume, axis=1))
        rows += [(data, "t-a-t", "a", "fall", float(x), float(y)) for x, y in zip(at, best - best.max(), strict=True)]
        rows += [(data, "t-a-t", "a", "share", float(x), float(y)) for x, y in zip(at, mass / mass.sum(), strict=True)]
    return StudyTable("third reading", COLUMNS, tuple(rows))


def _tied(ratings: Ratings, a: FloatArray, t: FloatArray) -> FloatArray:
    """Shape (accuracies, truths): log-likelihood of t-a-t."""
    rates = np.stack([1 - t, t], axis=1)
    plan = design(model("t-a-t"), ratings)
    evidence = plan.space.evidence(tabulate(ratings))
    rows = []
    for value in a:
        stack = Stack(rates, np.full((t.size, 1, 1), value), rates[:, None, None, :], np.zeros((t.size, 0)))
        rows.append(evidence.expect(stack).log_likelihood)
    return np.array(rows)


def joint(request: FigureRequest) -> Run[StudyTable]:
    """The density of (a1, a0) under t-a0a1-p; the 998 + 2 subjects unless ratings are given.

    Raises
    ------
    CannotAnswerError
        As `paradox`.
    """
    ratings = yield from _agreeing(request)
    posterior = yield from exact_posterior(ratings, "t-a0a1-p", request.seed)
    surface = posterior.joint
    if surface is None:
        raise ValueError("the model has two accuracies")
    x = (surface.x_edges[1:] + surface.x_edges[:-1]) / 2
    y = (surface.y_edges[1:] + surface.y_edges[:-1]) / 2
    rows = [(float(x[i]), float(y[j]), float(v)) for (i, j), v in np.ndenumerate(surface.density)]
    return StudyTable("joint", ("a1", "a0", "density"), tuple(rows), size_of_data(ratings))


def switching(request: FigureRequest) -> Run[StudyTable]:
    """Parameters whose labels switch: a0 = .5, a1 = .2, p0 = .7, p1 = .1, so true 1s are rated 1 *less* often.

    Exact data of 1000 subjects x 100 ratings at t = .3, for true classes are told apart by 28 against 35 of 100
    ratings only; the posterior of t-a0a1-p0p1.

    Returns
    -------
    Table
        As the other densities, and ``what`` = mass, one row for each labelling: ``parameter`` says which, ``value`` is
        its share of the posterior; ``what`` = median with the parameters under each.
    """
    m = model("t-a0a1-p0p1")
    names = tuple(f"seat {j + 1}" for j in range(_SWITCHED_RATERS))
    point = parse_parameters(m, SWITCHED, ("0", "1"), names)
    ratings, _truth = exact(m, point, ("0", "1"), names, _SWITCHED_SUBJECTS)
    posterior = yield from exact_posterior(ratings, m.name, request.seed)
    rows = list(_density_rows("exact", m.name, posterior))
    for reading in posterior.readings:
        which = "switched" if "switched" in reading.words else "as labelled"
        rows.append(("exact", m.name, which, "mass", None, reading.mass))
        rows += [("exact", m.name, f"{which}: {s.name}", "median", s.median, None) for s in reading.summaries]
    return StudyTable("label switching", COLUMNS, tuple(rows))


def draw_paradox(table: StudyTable) -> Sheet:
    """What is known of a, and of p - t; all numbers of the model stand in `draw_both_models`."""
    modes = table.only(parameter="a", what="mode").records()
    low, high = (_number(table.only(parameter="a", what=end).records()[0]["at"]) for end in ("low", "high"))
    # One peak may be as wide as the scale, so it stands with its interval.
    title = _("The data leave one reading open: a near {at} ({low} to {high})").format(
        at=numbers.decimal(_number(modes[0]["at"])), low=numbers.decimal(low), high=numbers.decimal(high)
    )
    if len(modes) > 1:
        title = _("The data leave two readings open: {told}").format(told=_peaks(modes))
    panels = (_shares_panel(table.only(parameter="a"), "a"), _near(table.only(parameter="p - t")))
    note = _("Bars: share of the exact posterior (flat priors) in each fiftieth of the scale.")
    return Sheet(title, panels, columns=2, width=400.0, height=220.0, note=note)


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


def _shares_panel(
    table: StudyTable, name: str, second: StudyTable | None = None, truth: float | None = None, per: int = 1
) -> Figure:
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
    sentences = [title]
    if mean.size:
        sentences.append(_("mean {mean}").format(mean=numbers.decimal(float(mean[0]))))
    ends = share[: share.size // 5].sum(), share[-(share.size // 5) :].sum()
    sentences.append(
        _("{low} below 0.2, {high} above 0.8").format(
            low=numbers.percent(float(ends[0])), high=numbers.percent(float(ends[1]))
        )
    )
    return Figure(
        "densities",
        title,
        f"{'; '.join(sentences)}.",
        unit(name),
        Axis("", 0.0, top(float(share.max()) * (1.0 if truth is None else 1.2)), percent=True),
        tuple(marks),
    )


def _gathered(table: StudyTable, per: int) -> tuple[FloatArray, FloatArray]:
    """Middles and shares of so many neighbouring cells together."""
    rows = table.only(what="share")
    at, share = rows.numbers("at").reshape(-1, per), rows.numbers("value").reshape(-1, per)
    return at.mean(axis=1), share.sum(axis=1)


def _near(table: StudyTable) -> Figure:
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


def draw_both_models(table: StudyTable) -> Sheet:
    """Both models side by side; dashed, the data of the paper's code."""
    datas = list(dict.fromkeys(table.values("data")))
    panels, worst = [], 0.0
    for one, names in (("t-a-p", ("t", "a", "p")), ("t-a0a1-p", ("t", "a0", "a1", "p"))):
        for name in names:
            first, second = (table.only(data=d, model=one, parameter=name) for d in datas)
            worst = max(
                worst,
                float(
                    np.abs(first.only(what="share").numbers("value") - second.only(what="share").numbers("value")).max()
                ),
            )
            panels.append(_shares_panel(first, f"{name}, {one}", second, per=2))
        if len(names) == 3:
            panels.append(_near(table.only(data=datas[0], model=one, parameter="p - t")))
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


def draw_third_reading(table: StudyTable) -> Sheet:
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
    panels = (curve, _shares_panel(shares[0], _("a, given p = t"), shares[1], per=2))
    note = _("{first} subjects; dashed: {second}. Dotted: the 95 % limit.").format(first=datas[0], second=datas[1])
    return Sheet(title, panels, columns=2, width=400.0, height=220.0, note=note)


def draw_joint(table: StudyTable) -> Sheet:
    """The joint density of the two accuracies in filled levels, a1 across and a0 up."""
    x, y, density = (table.numbers(c) for c in ("a1", "a0", "density"))
    columns, rows = np.unique(x).size, np.unique(y).size
    surface = density.reshape(columns, rows).T[::-1]
    corner = float(density[(x > -1) & (x < 0.3) & (y > 0.8)].sum() / density.sum())
    # The grid of the exact posterior is fine at the edges and coarse in the middle, where it leaves cells empty.
    surface = gaussian_filter(surface, _SMOOTH, mode="reflect")
    # A level is where the densest part of the belief ends that holds so much of it.
    order = np.sort(surface, axis=None)[::-1]
    held = np.cumsum(order) / order.sum()
    ends = [float(order[min(int(np.searchsorted(held, share)), order.size - 1)]) for share in _HELD]
    level = sum((surface >= end).astype(np.float64) for end in ends)
    values = np.where(level > 0, level, np.nan)
    title = _("{share} of the posterior has a0 above 0.8 and a1 below 0.3").format(share=numbers.percent(corner))
    figure = Figure(
        "joint",
        "",
        _("{title}; densest in the corner of a1 = 0 and a0 = 1, with arms along both edges.").format(title=title)
        if _cornered(table)
        else _("{title}; a1 runs across, a0 up.").format(title=title),
        unit("a1"),
        unit("a0"),
        (Cells("", values, (), 0.0, float(len(_HELD)), Role.MODEL, extent=(0.0, 1.0, 0.0, 1.0)),),
    )
    note = _(
        "Exact posterior of t-a0a1-p under flat priors; from dark to light the smallest areas that hold {shares} of it."
    ).format(shares=", ".join(numbers.percent(share) for share in _HELD))
    return Sheet(title, (figure,), width=460.0, height=400.0, note=note)


def _cornered(table: StudyTable) -> bool:
    """Whether the densest place is the corner of a1 = 0 and a0 = 1."""
    x, y, density = (table.numbers(c) for c in ("a1", "a0", "density"))
    peak = int(density.argmax())
    return bool(x[peak] < 0.1 and y[peak] > 0.9)


def draw_switching(table: StudyTable) -> Sheet:
    """Both labellings of the switched example, and what each says."""
    mass = {str(row["parameter"]): _number(row["value"]) for row in table.only(what="mass").records()}
    panels = [
        _shares_panel(table.only(parameter=name), name, truth=_TRUE[name], per=2)
        for name in ("t", "a0", "a1", "p0", "p1")
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
