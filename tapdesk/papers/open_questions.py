"""Questions that "Modeling Raters and Ratings" leaves open, each answered by a picture of ours."""

from dataclasses import replace
from functools import partial

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Cells, Figure, Line, Mark, Points, Role
from tapdesk.answers.figures.cases import clinical_estimates, clinical_needs
from tapdesk.answers.figures.design_study import unit
from tapdesk.answers.figures.open_questions import FREE_AGREEMENTS, factor, growth, instruments, of_two
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.errors import CannotAnswerError
from tapdesk.language import Number, joined
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.papers.agreement import fit_or_refuse
from tapdesk.papers.reproduction import FigureRequest, PaperNumber, data_of, size_of_data, size_of_sets, two_classes
from tapdesk.progress import Run, Step
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.balance import balanced
from tapdesk.studies.batch_fit import fit_count_vectors
from tapdesk.studies.fleiss_kappa import fleiss_kappas
from tapdesk.studies.parallel import in_parallel
from tapdesk.studies.recovery import shared_point
from tapdesk.studies.simulated_data import complete_count_vectors
from tapdesk.studies.table import Cell, StudyTable, join_tables

_GRID = 41
_LEVELS = (0.5, 0.7, 0.8, 0.9, 0.95, 1.05, 1.25, 2.0)
_RATES = (0.02, 0.05, 0.1, 0.2)
_SUBJECTS, _RATERS, _A = 500, 5, 0.5
_MOST_RATINGS = 8


def kappa_factor(request: FigureRequest) -> Run[StudyTable]:
    """Kappa over the square of a, over t and p, at the accuracy of a fit; wine at cut 2 | 3 unless ratings are given.

    Returns
    -------
    StudyTable
        ``what`` is ``map`` (``t``, ``p``, ``factor``) or ``point`` (the fit's own t and p); ``a`` is the fit's.

    Raises
    ------
    CannotAnswerError
        When the ratings are not in two classes, or do not determine the numbers.
    """
    ratings = two_classes((yield from data_of(request, "wine-cut2")))
    fit = yield from fit_or_refuse(ratings, request.seed)
    a, t, p = (float(fit.estimate(name).value or 0.0) for name in ("a", "t", "p"))
    at = (np.arange(_GRID) + 0.5) / _GRID
    rows: list[tuple[Cell, ...]] = [
        ("map", a, float(x), float(y), float(factor(of_two(x), of_two(y), a))) for y in at[::-1] for x in at
    ]
    rows.append(("point", a, t, p, float(factor(of_two(np.array(t)), of_two(np.array(p)), a))))
    return StudyTable("kappa factor", ("what", "a", "t", "p", "factor"), tuple(rows), size_of_data(ratings))


def majority(request: FigureRequest) -> Run[StudyTable]:
    """Whether leaving out cases of the frequent class mends the imbalance: kappa and a before and after.

    Of each simulated panel (500 subjects, 5 raters, t = p, a = .5) as many subjects most of whose ratings are in
    the frequent class are drawn as there are others.

    Returns
    -------
    StudyTable
        For each class rate: how many subjects are ``left`` on average; means and standard deviations over the data
        sets of kappa (``before`` and ``after``) and of the accuracy by t-a-p before and after.
    """
    sets = request.sets(100)
    parts = yield from in_parallel(partial(_rate, request.seed, sets), _RATES, request.workers, kept=request.kept)
    columns = (
        "rate", "left", *(f"{name} {when} {what}" for name in ("kappa", "a") for when in ("before", "after")
        for what in ("mean", "sd")),
    )  # fmt: skip
    return replace(join_tables("majority", columns, parts), size=size_of_sets(sets, _SUBJECTS, _RATERS))


def _rate(seed: int, sets: int, rate: float) -> Run[tuple[tuple[Cell, ...], ...]]:
    """The row of one class rate."""
    here = complete_count_vectors(_SUBJECTS, _RATERS, 2)
    if here is None:
        raise ValueError("count vectors of five ratings exist")
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(31, round(1000 * rate))))
    whole = here.draw(shared_point([1 - rate, rate], _A, [1 - rate, rate]), sets, rng)
    some = balanced(here, whole, rng)
    point = shared_point([1 - rate, rate], _A, [1 - rate, rate])
    values = [fleiss_kappas(here.patterns, weights) for weights in (whole, some)]
    for weights in (whole, some):
        top = yield from fit_count_vectors(model("t-a-p"), here, weights, [point], phase="study")
        values.append(top.stack.accuracy[:, 0, 0])
    row_: list[Cell] = [rate, float(some.sum(axis=1).mean())]
    for array in values:
        known = array[np.isfinite(array)]
        row_ += [float(known.mean()), float(known.std(ddof=1))]
    return (tuple(row_),)


def thermometers(_request: FigureRequest) -> Run[StudyTable]:
    """How evidence and agreements grow with the number of ratings of a subject.

    Returns
    -------
    StudyTable
        ``ratings`` k from 2 to 8, ``agreements`` k(k - 1)/2 and ``free`` k - 1: so many of the agreements are not
        implied by others when all agree; ``evidence``, k relative to two ratings; ``root``, the root of the
        agreements relative to two ratings.
    """
    yield Step(0, 1, "study")
    rows = [(k, k * (k - 1) // 2, k - 1, k / 2, float(np.sqrt(k * (k - 1) / 2))) for k in range(2, _MOST_RATINGS + 1)]
    return StudyTable("thermometers", ("ratings", "agreements", "free", "evidence", "root"), tuple(rows))


def thermometers_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """From two to three instruments: half as much evidence again, three times the agreements."""
    three = table.only(ratings=3)
    return (
        PaperNumber("evidence of three instruments, of two", 1.5, float(three.numbers("evidence")[0]), 1e-9),
        PaperNumber("agreements of three instruments", 3, float(three.numbers("agreements")[0]), 1e-9),
    )


def rates(request: FigureRequest) -> Run[StudyTable]:
    """Sensitivity, specificity and predictive values of one rating by t-a-p, and a as their J and as ΔP.

    Wine at cut 2 | 3 unless ratings are given.

    Returns
    -------
    StudyTable
        ``what`` and its ``value``, ``low`` and ``high`` (95 %, bootstrap of the subjects): sensitivity
        Pr(rated 1 | truly 1), specificity Pr(rated 0 | truly 0), the predictive values of a rating of 1 and of 0, and
        J = sensitivity + specificity - 1 = Pr(rated 1 | truly 1) - Pr(rated 1 | truly 0) = a.

    Raises
    ------
    CannotAnswerError
        When the ratings do not determine the numbers.
    """
    ratings = two_classes((yield from data_of(request, "wine-cut2")))
    if reason := clinical_needs((yield from fit_or_refuse(ratings, request.seed)), ratings):
        raise CannotAnswerError(reason)
    fit = yield from analyse(ratings, Request(model("t-a-p"), interval="bootstrap", seed=request.seed))
    names = ("sensitivity", "specificity", "predictive value of 1", "predictive value of 0", "J")
    rows = [(name, e.value, e.low, e.high) for name, e in zip(names, clinical_estimates(fit), strict=True)]
    return StudyTable("clinical rates", ("what", "value", "low", "high"), tuple(rows), size_of_data(ratings))


def draw_kappa_factor(table: StudyTable) -> Sheet:
    """A map over t and p, the fit's own point on it."""
    cells, point = table.only(what="map"), table.only(what="point")
    a, t, p, own = (float(point.numbers(c)[0]) for c in ("a", "t", "p", "factor"))
    values = cells.numbers("factor").reshape(_GRID, _GRID)
    level = np.digitize(values, _LEVELS).astype(np.float64)
    title = _("With these ratings κ is {own} of the square of a, and its root {root} of a").format(
        own=numbers.percent(own), root=numbers.percent(float(np.sqrt(own)))
    )
    near = float(((values > 0.9) & (values < 1 / 0.9)).mean())
    figure = Figure(
        "kappa-factor",
        "",
        _("{title}. Between 90 and 111 of 100 in {near} of the square of t and p.").format(
            title=title, near=numbers.percent(near)
        ),
        unit("t"),
        unit("p"),
        (
            Cells("", level, (), 0.0, float(len(_LEVELS)), Role.CLASSICAL, extent=(0.0, 1.0, 0.0, 1.0)),
            Line("", np.array([0.0, 1.0]), np.array([0.0, 1.0]), Role.REFERENCE),
            Points(_("these ratings"), np.array([t]), np.array([p]), Role.SINGLED_OUT),
        ),
    )
    note = _(
        "κ/a² = t(1 − t)/(c(1 − c)) with c = at + (1 − a)p, drawn for a = {a}; shades: below .5, .7, .8, .9, .95, from "
        ".95 to 1.05, up to 1.25, 2 and above (darkest). On the dashed line t = p it is 1; near it, and wherever both "
        "are not far from one half, the root of κ holds up as an accuracy. Diamond: t = {t}, p = {p}."
    ).format(a=numbers.decimal(a), t=numbers.decimal(t), p=numbers.decimal(p))
    return Sheet(title, (figure,), width=480.0, height=400.0, note=note)


def draw_majority(table: StudyTable) -> Sheet:
    """Kappa and accuracy before and after, at each class rate."""
    at = np.arange(len(table.rows), dtype=np.float64)
    ticks = tuple((float(i), Number(f"{x:g}")) for i, x in enumerate(table.numbers("rate")))
    panels = []
    for name, truth, label in (("kappa", _A**2, _("κ")), ("a", _A, _("a"))):
        marks: list[Points | Mark] = [Mark("", truth, vertical=False)]
        for when, shift, role in (("before", -0.09, Role.MODEL), ("after", 0.09, Role.CLASSICAL)):
            mean, sd = (table.numbers(f"{name} {when} {what}") for what in ("mean", "sd"))
            words = _("all subjects") if when == "before" else _("balanced")
            marks.append(Points(words, at + shift, mean, role, mean - sd, mean + sd))
        means = [table.numbers(f"{name} {when} mean") for when in ("before", "after")]
        title = _("{name}: put in {truth}").format(name=label, truth=numbers.decimal(truth))
        alt = _("{title}. At a class rate of {rate} on average {a} with all subjects and {b} balanced.").format(
            title=title, rate=numbers.decimal(float(table.numbers("rate")[0])),
            a=numbers.decimal(float(means[0][0])), b=numbers.decimal(float(means[1][0])),
        )  # fmt: skip
        panels.append(
            Figure(
                "majority",
                title,
                alt,
                Axis(_("class rate, t = p"), -0.5, at.size - 0.5, ticks),
                unit(label),
                tuple(marks),
            )
        )
    off = table.numbers("kappa after mean") - _A**2
    title = _(
        "Leaving out cases of the frequent class does not mend the imbalance: κ goes up by {low} to {high}"
    ).format(low=numbers.decimal(float(off.min())), high=numbers.decimal(float(off.max())))
    note = _(
        "Mean and one standard deviation to either side; dotted: what was put in. Balanced: as many subjects with most "
        "ratings in the frequent class as with most in the rare one, {least} to {most} of 500 left. Choosing subjects "
        "by their ratings chooses those whose raters agree, so κ and a are too high, and fewer subjects make them "
        "noisier."
    ).format(least=numbers.count(table.numbers("left").min()), most=numbers.count(table.numbers("left").max()))
    return Sheet(title, tuple(panels), columns=2, width=380.0, height=270.0, note=note)


def draw_thermometers(table: StudyTable) -> Sheet:
    """Left what grows how fast, right which agreements follow from others."""
    title = _("Three instruments for two: half as much evidence again, three times the agreements")
    del table
    panels = (growth(""), instruments(3, ""), instruments(4, ""))
    return Sheet(title, panels, columns=3, width=280.0, height=240.0, note=FREE_AGREEMENTS)


def draw_rates(table: StudyTable) -> Sheet:
    """A row for each name that clinicians use."""
    names = [str(x) for x in table.values("what")]
    shown = {
        "sensitivity": _("sensitivity"), "specificity": _("specificity"),
        "predictive value of 1": _("predictive value of class 1"),
        "predictive value of 0": _("predictive value of class 0"), "J": _("Youden’s J = a"),
    }  # fmt: skip
    at = np.arange(len(names), dtype=np.float64)[::-1]
    value, low, high = (table.numbers(c) for c in ("value", "low", "high"))
    title = _("One rating finds {s} of true class 1 and {k} of true class 0: together less 1 they are a = {a}").format(
        s=numbers.percent(float(value[0])), k=numbers.percent(float(value[1])), a=numbers.decimal(float(value[4]))
    )
    ticks = tuple((float(y), shown[name]) for y, name in zip(at, names, strict=True))
    rows = (
        _("{name} {value} ({low} to {high})").format(
            name=shown[name], value=numbers.decimal(v), low=numbers.decimal(a), high=numbers.decimal(b)
        )
        for name, v, a, b in zip(names, value, low, high, strict=True)
    )
    listed = joined(*rows, sep="; ")
    figure = Figure(
        "clinical-rates",
        "",
        _("{title}. {listed}.").format(title=title, listed=listed),
        unit(""),
        Axis("", -0.6, len(names) - 0.4, ticks),
        (Points("", value, at, Role.MODEL, low, high, horizontal=True),),
    )
    note = _(
        "By t-a-p with 95 % intervals from re-draws of the subjects. ΔP = Pr(rated 1 | truly 1) − Pr(rated 1 | truly "
        "0) is the same number: a is how much the truth changes what is given."
    )
    return Sheet(title, (figure,), width=680.0, height=230.0, note=note)
