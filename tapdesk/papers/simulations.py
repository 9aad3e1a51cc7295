"""Ratings made with known numbers ("Modeling Raters and Ratings"): what is found of 729 cells, and kappa at t = p."""

from dataclasses import replace

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Figure, Line, Points, Role
from tapdesk.answers.figures.design_study import HALVES, diagonal, unit
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.parameters import FloatArray
from tapdesk.papers.reproduction import FigureRequest, PaperNumber, size_of_sets
from tapdesk.progress import Run, Step
from tapdesk.studies.fleiss_kappa import fleiss_kappas
from tapdesk.studies.recovery import recover, shared_point, tap_grid
from tapdesk.studies.simulated_data import complete_count_vectors
from tapdesk.studies.table import Cell, StudyTable

_SUBJECTS, _RATERS = 500, 5
_RATES = tuple(round(0.02 * i, 2) for i in range(1, 26))
_ACCURACIES = tuple(round(0.02 * i, 2) for i in range(1, 50))
# Class rates up to here are drawn as open circles: unbalanced.
_UNBALANCED = 0.1
# Below this accuracy the paper's text leaves cells out.
_WEAK = 0.2
_BOX = 0.03


def grid(request: FigureRequest) -> Run[StudyTable]:
    """The 729 cells with exact posteriors, one data set each unless more are asked for."""
    plan = tap_grid(request.sets(1), request.seed, posterior=True)
    return recover(plan, request.workers, kept=request.kept)


def grid_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """Quartiles of the posterior means, and how far they are off: what follows from the settings."""
    weak = table.numbers("true a") <= _WEAK + 1e-9
    # Quartiles of exact posterior means by number and true value; another seed gives them within .02.
    quartiles = {
        ("a", 0.1): (0.13, 0.15, 0.19), ("a", 0.5): (0.47, 0.49, 0.51), ("a", 0.9): (0.89, 0.90, 0.91),
        ("p", 0.1): (0.09, 0.11, 0.14), ("p", 0.5): (0.46, 0.51, 0.55), ("p", 0.9): (0.86, 0.89, 0.90),
        ("t", 0.5): (0.47, 0.50, 0.53),
    }  # fmt: skip
    rows = []
    for (name, true), paper in quartiles.items():
        inside = np.abs(table.numbers(f"true {name}") - true) < 1e-9
        result = np.quantile(table.numbers(f"mean {name}")[inside], (0.25, 0.5, 0.75))
        rows += [
            PaperNumber(f"{name} = {true:g}, {which} of the posterior means", want, float(have), 0.025)
            for which, want, have in zip(("lower quartile", "median", "upper quartile"), paper, result, strict=True)
        ]
    missed = {
        "all cells": (np.ones(weak.size, dtype=bool), (0.086, 0.033, 0.047)),
        "a <= .2": (weak, (0.218, 0.053, 0.050)),
        "a > .2": (~weak, (0.048, 0.027, 0.046)),
    }
    for where, (inside, paper) in missed.items():
        for name, want in zip(("t", "a", "p"), paper, strict=True):
            off = np.abs(table.numbers(f"mean {name}") - table.numbers(f"true {name}"))[inside]
            # Four standard errors of the mean over so many cells.
            allowed = 4 * float(off.std(ddof=1)) / off.size**0.5
            rows.append(PaperNumber(f"mean absolute error of {name}, {where}", want, float(off.mean()), allowed))
    return tuple(rows)


def draw_grid(table: StudyTable) -> Sheet:
    """Box plots of the estimates against what was put in, one panel for each number."""
    weak = table.numbers("true a") <= _WEAK + 1e-9
    panels = []
    for name in ("a", "p", "t"):
        true, result = table.numbers(f"true {name}"), table.numbers(f"mean {name}")
        off = numbers.decimal(float(np.abs(result - true).mean()))
        title = _("{name}: off by {off} on average").format(name=name, off=off)
        boxes = [_box(float(x), result[true == x]) for x in np.unique(true)]
        medians = ", ".join(f"{x:g} → {numbers.decimal(float(np.median(result[true == x])))}" for x in np.unique(true))
        alt = _("{title}. Medians: {listed}.").format(title=title, listed=medians)
        across = unit(_("true {name}").format(name=name), HALVES)
        panels.append(
            Figure(
                "recovery", title, alt, across, unit(_("estimated")), (replace(diagonal(), role=Role.CLASSICAL), *boxes)
            )
        )
    misses = [
        numbers.decimal(float(np.abs(table.numbers("mean t") - table.numbers("true t"))[rows].mean()))
        for rows in (weak, ~weak)
    ]
    title = _("a and p come back; t is off by {weak} where a is .2 or less, by {strong} elsewhere").format(
        weak=misses[0], strong=misses[1]
    )
    note = _(
        "{n} cells of {subjects} subjects and {raters} raters, one data set each unless more were asked for. Posterior "
        "means; boxes: from quartile to quartile with the median; whiskers: all within one and a half boxes; diagonal: "
        "what was put in."
    ).format(n=len(table.rows), subjects=table.values("subjects")[0], raters=table.values("raters")[0])
    return Sheet(title, tuple(panels), columns=3, width=300.0, height=270.0, note=note)


def _box(x: float, values: FloatArray) -> Line:
    """A box with median and whiskers (Tukey) as one line with gaps."""
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75))
    reach = 1.5 * (high - low)
    least, most = values[values >= low - reach].min(), values[values <= high + reach].max()
    left, right, gap = x - _BOX, x + _BOX, (np.nan, np.nan)
    points = [
        (left, low), (right, low), (right, high), (left, high), (left, low), gap,
        (left, middle), (right, middle), gap, (x, high), (x, most), gap, (x, low), (x, least),
    ]  # fmt: skip
    at, up = np.array(points, dtype=np.float64).T
    return Line("", at, up, Role.MODEL)


def kappas(request: FigureRequest) -> Run[StudyTable]:
    """Fleiss' kappa against accuracy: 25 class rates with t = p at 49 accuracies, 500 subjects x 5 raters.

    Returns
    -------
    Table
        ``t`` (which is p), ``a``, ``replicate``, ``kappa`` (None where all ratings are alike).
    """
    here = complete_count_vectors(_SUBJECTS, _RATERS, 2)
    if here is None:
        raise ValueError(f"no count vectors of {_RATERS} raters")
    sets, rows = request.sets(1), list[tuple[Cell, ...]]()
    for i, t in enumerate(_RATES):
        for j, a in enumerate(_ACCURACIES):
            rng = np.random.default_rng(np.random.SeedSequence(request.seed, spawn_key=(31, i, j)))
            found = fleiss_kappas(here.patterns, here.draw(shared_point([1 - t, t], a, [1 - t, t]), sets, rng))
            rows += [(t, a, r + 1, float(k) if np.isfinite(k) else None) for r, k in enumerate(found)]
        yield Step(i + 1, len(_RATES), "study")
    return StudyTable("kappa", ("t", "a", "replicate", "kappa"), tuple(rows), size_of_sets(sets, _SUBJECTS, _RATERS))


def kappas_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """How far kappa is from the square of the accuracy: what follows from the settings."""
    off = table.numbers("kappa") - table.numbers("a") ** 2
    off_abs, known = np.abs(off), np.isfinite(off)
    rare = table.numbers("t") <= _UNBALANCED + 1e-9
    sets = max(len(table.rows) // (len(_RATES) * len(_ACCURACIES)), 1)
    below = float((table.numbers("kappa") < 0).sum()) / sets
    return (
        PaperNumber("mean distance of kappa from the square of a", 0.019, float(off_abs[known].mean()), 0.0015),
        PaperNumber("the same, class rates up to .1", 0.031, float(off_abs[known & rare].mean()), 0.004),
        PaperNumber("the same, class rates above .1", 0.016, float(off_abs[known & ~rare].mean()), 0.0015),
        PaperNumber("bias, class rates up to .1", -0.003, float(off[known & rare].mean()), 0.006),
        PaperNumber("bias, class rates above .1", -0.001, float(off[known & ~rare].mean()), 0.003),
        PaperNumber("kappas below 0", 61.0, below, 4 * 61**0.5),
    )


def draw_kappas(table: StudyTable) -> Sheet:
    """Kappa against accuracy with the curve of its square and the line of equality."""
    a, kappa, rate = table.numbers("a"), table.numbers("kappa"), table.numbers("t")
    known = np.isfinite(kappa)
    off = np.abs(kappa - a**2)
    rare = rate <= _UNBALANCED + 1e-9
    title = _("Kappa is the square of the accuracy at t = p: unbalanced panels are noisier, not biased")
    words = _("Off the square by {rare} on average where a class has {most} or less of the cases, by {rest} elsewhere.")
    alt = words.format(
        rare=numbers.decimal(float(off[known & rare].mean()), places=3),
        rest=numbers.decimal(float(off[known & ~rare].mean()), places=3),
        most=numbers.decimal(_UNBALANCED, places=1),
    )
    square = np.linspace(0, 1, 101)
    marks = (
        Points("", a[known], kappa[known], Role.OTHER_START, many=rare[known]),
        Line(_("κ = a"), np.array([0.0, 1.0]), np.array([0.0, 1.0]), Role.REFERENCE),
        Line(_("κ = a²"), square, square**2, Role.MODEL),
    )
    axes = unit(_("rater accuracy a")), Axis(_("Fleiss’ kappa"), -0.2, 1.0, ((0.0, "0"), (0.5, "0.5"), (1.0, "1")))
    note = _("Open circles: the rarer class has {most} or less. {n} panels, of which {below} have a kappa below 0.")
    return Sheet(
        title,
        (Figure("kappa", "", joined(_("{title}.").format(title=title), alt), *axes, marks),),
        width=640.0,
        height=420.0,
        note=note.format(
            most=numbers.decimal(_UNBALANCED, places=1),
            n=numbers.count(float(known.sum())),
            below=numbers.count(float((kappa[known] < 0).sum())),
        ),
    )
