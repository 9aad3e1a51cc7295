"""Raters of known accuracy got back by ti-aj-P in the two designs of "Modeling Raters and Ratings", and kappa apart."""

from dataclasses import dataclass

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.charts import half_bars
from tapdesk.answers.figure import Axis, Band, Figure, Mark, Points, Role
from tapdesk.answers.figures.design_study import unit
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.fitting.fit import Fit, Posterior
from tapdesk.fitting.sampling.method import Sampling
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray, Parameters
from tapdesk.models.simulate import simulate
from tapdesk.papers.reproduction import FigureRequest, PaperNumber
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import IntArray, Ratings
from tapdesk.studies.kappa_study import kappa_study
from tapdesk.studies.table import Cell, StudyTable

ACCURACIES = (0.1, 0.3, 0.5, 0.7, 0.9)
_RATE = 0.4
# How high the highest density of a row is drawn, where rows are one apart.
_TALL = 0.85


@dataclass(frozen=True, slots=True)
class RaterDesign:
    """One design of the paper: so many subjects, each rated by all raters, and the bins of its histogram.

    ``accuracies`` of None are drawn by lot, Beta(2, 2).
    """

    subjects: int
    raters: int
    accuracies: tuple[float, ...] | None
    bins: int

    def panel(self, seed: int) -> tuple[Ratings, IntArray, FloatArray]:
        """Simulated ratings at t = p = .4, the true classes (N,), and the true accuracies (R,)."""
        own = np.random.SeedSequence(seed, spawn_key=(29, self.subjects))
        drawn = np.random.default_rng(own).beta(2, 2, self.raters)
        true = np.array(self.accuracies) if self.accuracies else np.sort(drawn)
        rates = np.array([1 - _RATE, _RATE])
        point = Parameters(rates, true[:, None], rates[None, None], np.zeros(0))
        names = tuple(f"J{j + 1}" for j in range(self.raters))
        ratings, truth = simulate(model("t-aj-p"), point, ("0", "1"), names, self.subjects, own)
        return ratings, truth, true


DESIGNS = (RaterDesign(1000, 5, ACCURACIES, 10), RaterDesign(100, 3, None, 15))


def kappas(request: FigureRequest) -> Run[StudyTable]:
    """Kappa of 25 panels at 49 accuracies."""
    return kappa_study(
        500, 5, replicates=request.sets(1), seed=request.seed, workers=request.workers, kept=request.kept
    )


def _fit(ratings: Ratings, seed: int) -> Run[tuple[Fit, Posterior]]:
    fit = yield from Sampling(subjects=True).run(model("ti-aj-P"), ratings, seed)
    if fit.posterior is None:
        raise ValueError("a sampled fit has a posterior")
    return fit, fit.posterior


def accuracies(request: FigureRequest) -> Run[StudyTable]:
    """The posterior of every rater's accuracy under ti-aj-P, in one data set of each design.

    Returns
    -------
    StudyTable
        ``what`` is ``rater`` (``true a``; posterior ``mean`` and ``sd``; its middle 90 % from ``low`` to ``high``) or
        ``density`` (``x`` and ``y`` of the posterior of that rater); ``subjects`` names the design.
    """
    rows: list[tuple[Cell, ...]] = []
    for done, kind in enumerate(DESIGNS):
        yield Step(done, len(DESIGNS), "study")
        ratings, _truth, true = kind.panel(request.seed)
        _sampled, posterior = yield from _fit(ratings, request.seed)
        for j, row in enumerate(posterior.summaries):
            head = (kind.subjects, kind.raters, ratings.raters[j])
            rows.append((*head, "rater", float(true[j]), row.mean, row.sd, row.q05, row.q95, None, None))
            curve = posterior.marginals[row.name]
            rows += [
                (*head, "density", float(true[j]), None, None, None, None, float(x), float(y))
                for x, y in zip(curve.x, curve.density, strict=True)
            ]
    columns = ("subjects", "raters", "rater", "what", "true a", "mean", "sd", "low", "high", "x", "y")
    return StudyTable("rater accuracies", columns, tuple(rows))


# Exact limits of many subjects for the first design, and the posterior's spread there with 1,000.
_LIMITS, _SPREADS = (0.108, 0.325, 0.540, 0.759, 0.952), (0.037, 0.036, 0.034, 0.031, 0.029)


def accuracies_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """What follows from the first design: the accuracies of many subjects within three spreads, and the spreads."""
    rows = table.only(subjects=1000, what="rater").records()
    means = [
        PaperNumber(f"rater of a = {true}, posterior mean", want, float(str(row["mean"])), 3 * spread)
        for true, want, spread, row in zip(ACCURACIES, _LIMITS, _SPREADS, rows, strict=True)
    ]
    spreads = [
        PaperNumber(f"rater of a = {true}, posterior sd", want, float(str(row["sd"])), 0.005)
        for true, want, row in zip(ACCURACIES, _SPREADS, rows, strict=True)
    ]
    return (*means, *spreads)


def subjects(request: FigureRequest) -> Run[StudyTable]:
    """How probable class 1 is for subjects of either true class, in one data set of each design.

    The probability is the posterior mean of sig(t_i): the mean of t_i itself can only lie between .23 and .77.

    Returns
    -------
    StudyTable
        For each design and each bin of the scale: how many subjects of true class 0 and 1 have a probability there.
    """
    rows: list[tuple[Cell, ...]] = []
    for done, kind in enumerate(DESIGNS):
        yield Step(done, len(DESIGNS), "study")
        ratings, truth, _true = kind.panel(request.seed)
        fit, _posterior = yield from _fit(ratings, request.seed)
        if fit.subject_posterior is None:
            raise ValueError("the subjects were asked for")
        edges = np.linspace(0, 1, kind.bins + 1)
        counts = [np.histogram(fit.subject_posterior[truth == k, 1], edges)[0] for k in (0, 1)]
        rows += [
            (kind.subjects, kind.raters, float(low), float(high), int(zero), int(one))
            for low, high, zero, one in zip(edges[:-1], edges[1:], *counts, strict=True)
        ]
    columns = ("subjects", "raters", "low", "high", "truly_0", "truly_1")
    return StudyTable("subject probabilities", columns, tuple(rows))


def subjects_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """Where the subjects of the first design lie, within four standard errors of their shares."""
    rows = table.only(subjects=1000)
    counts = [rows.numbers(f"truly_{k}") for k in (0, 1)]
    zero, one = (own / own.sum() for own in counts)
    half = rows.numbers("low") > 0.49
    right = float(counts[0][~half].sum() + counts[1][half].sum()) / 1000
    return (
        PaperNumber("class 0 in the first bin", 0.80, float(zero[0]), 0.065),
        PaperNumber("class 0 in the second bin", 0.11, float(zero[1]), 0.05),
        PaperNumber("class 1 in the last bin", 0.80, float(one[-1]), 0.08),
        PaperNumber("class 1 in the bin before", 0.09, float(one[-2]), 0.06),
        PaperNumber("on the side of their class", 0.96, right, 0.025),
    )


def _designs(table: StudyTable) -> list[StudyTable]:
    return [table.only(subjects=n) for n in dict.fromkeys(table.values("subjects"))]


def draw_accuracies(table: StudyTable) -> Sheet:
    """A row for each rater, the least accurate at the bottom: density, middle 90 %, mean, and the truth."""
    panels, worst = [], []
    for rows in _designs(table):
        raters = rows.only(what="rater")
        n = numbers.count(rows.numbers("subjects")[0])
        true, mean = raters.numbers("true a"), raters.numbers("mean")
        height = _TALL / max(rows.only(what="density").numbers("y").max(), 1e-9)
        marks: list[Band | Points] = []
        for j, name in enumerate(raters.values("rater")):
            own = rows.only(what="density", rater=name)
            x = own.numbers("x")
            marks.append(Band("", x, np.full(x.size, float(j)), j + height * own.numbers("y"), Role.OBSERVED))
        at = np.arange(true.size, dtype=np.float64)
        ends = raters.numbers("low"), raters.numbers("high")
        marks.append(Points("", mean, at, Role.MODEL, *ends, horizontal=True))
        marks.append(Points("", true, at, Role.KNOWN))
        off = float(np.abs(true - mean).max())
        worst.append(numbers.decimal(off))
        title = _("{n} subjects, each rated by {r} raters: off by {off} at most").format(
            n=n, r=numbers.count(true.size), off=numbers.decimal(off)
        )
        listed = ", ".join(f"{numbers.decimal(a)} → {numbers.decimal(b)}" for a, b in zip(true, mean, strict=True))
        ticks = tuple((float(j), str(name)) for j, name in enumerate(raters.values("rater")))
        axes = unit(_("accuracy")), Axis("", -0.4, true.size, ticks)
        alt = _("{title}. True → estimated: {listed}.").format(title=title, listed=listed)
        panels.append(Figure("rater-accuracies", title, alt, *axes, tuple(marks)))
    note = _(
        "Posterior of ti-aj-P, t = p = .4, one data set of each design: grey its density, lines its middle 90 %, dots "
        "its mean, diamonds the truth. Many subjects would give .11, .33, .54, .76 and .95: high, for the model takes "
        "every subject’s truth for a number between 0 and 1."
    )
    title = _("Known accuracies come back within {first} with 1,000 subjects, {last} with 100").format(
        first=worst[0], last=worst[-1]
    )
    return Sheet(title, tuple(panels), columns=2, width=380.0, height=260.0, note=note)


def draw_subjects(table: StudyTable) -> Sheet:
    """Side by side in each bin: how many subjects of class 0 (grey) and of class 1 (white) have such a probability."""
    panels, sides = [], []
    for rows in _designs(table):
        low, high = rows.numbers("low"), rows.numbers("high")
        counts = [rows.numbers(f"truly_{k}") for k in (0, 1)]
        n, half = float(sum(own.sum() for own in counts)), (low + high) / 2 > 0.5
        right = float(counts[0][~half].sum() + counts[1][half].sum()) / max(n, 1.0)
        sides.append(numbers.percent(right))
        title = _("{n} subjects, {r} raters: {share} on the side of their class").format(
            n=numbers.count(n), r=numbers.count(rows.numbers("raters")[0]), share=sides[-1]
        )
        most = float(max(own.max() for own in counts))
        panels.append(
            Figure(
                "subject-probabilities",
                title,
                _("{title}. Of class 0 {zero} are in the first bin, of class 1 {one} in the last.").format(
                    title=title, zero=numbers.count(counts[0][0]), one=numbers.count(counts[1][-1])
                ),
                unit(_("probability of class 1")),
                Axis(_("subjects"), 0.0, most * 1.08),
                (
                    half_bars(low, high, counts[0], Role.OBSERVED, first=True),
                    half_bars(low, high, counts[1], Role.OBSERVED, first=False, empty=True),
                    Mark("", 0.5),
                ),
            )
        )
    note = _(
        "ti-aj-P, posterior means of sig(t), one data set of each design: grey bars are subjects of true class 0, "
        "white ones of true class 1."
    )
    title = _("{first} of the subjects are on the side of their class with five ratings, {last} with three").format(
        first=sides[0], last=sides[-1]
    )
    return Sheet(title, tuple(panels), columns=2, width=380.0, height=230.0, note=note)
