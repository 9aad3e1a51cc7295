"""Raters of known accuracy got back, and those of a large panel ("Modeling Raters and Ratings"): numbers, pictures."""

from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Band, Bars, Figure, Line, Mark, Points, Role
from tapdesk.answers.figures.design_study import diagonal, missed, spread, unit
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import Fit
from tapdesk.fitting.fit_summary import subject_posterior
from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray, Parameters
from tapdesk.models.simulate import parse_parameters, simulate
from tapdesk.papers.reproduction import FigureRequest, size_of_data, size_of_sets
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Covariate, CovariateOf, IntArray, Ratings
from tapdesk.studies.batch_fit import fit_dataset
from tapdesk.studies.design_study import kappa_study
from tapdesk.studies.parallel import in_parallel
from tapdesk.studies.table import Cell, StudyTable, join_tables

_RATERS, _SUBJECTS, _EACH = 60, 1200, 15
_TRUE_T, _TRUE_P = 0.4, 0.5
_LEAST_SHARED = 10
# Accuracy by age on the logit scale: at 45 years, and per decade.
AGE_INTERCEPT, AGE_SLOPE = 0.3, -0.5
_AGE_SUBJECTS = 200
_AGES = np.arange(25, 66, dtype=np.float64)

RATERS = ("J1", "J2", "J3", "J4", "J5")
ACCURACIES = (0.1, 0.3, 0.5, 0.7, 0.9)
# Subjects, and how many of the five raters each subject gets.
DESIGNS = ((1000, 5), (100, 3))
_TEXTS = ("t=.4", "a=.1,.3,.5,.7,.9", "p=.4")
_BINS = 20


def accuracies(request: FigureRequest) -> Run[StudyTable]:
    """The accuracy of each rater of a large panel by t-aj-p; a simulated panel unless ratings are given.

    Returns
    -------
    Table
        ``rater``, ``ratings``, ``a`` and ``true a`` (None for the user's own data).

    Raises
    ------
    CannotAnswerError
        When the user's ratings do not tell single raters apart.
    """
    ratings, true = _panel(request)
    fit = yield from _by_rater(ratings, request.seed)
    given = np.bincount(ratings.rater, minlength=len(ratings.raters))
    rows = [
        (name, int(n), float(a), None if true is None else float(true[j]))
        for j, (name, n, a) in enumerate(zip(ratings.raters, given, fit.parameters.accuracy[:, 0], strict=True))
    ]
    return StudyTable("rater accuracies", ("rater", "ratings", "a", "true a"), tuple(rows), size_of_data(ratings))


def companions(request: FigureRequest) -> Run[StudyTable]:
    """Correlation of the least and of the most accurate rater with every other on the subjects both rated.

    Returns
    -------
    Table
        ``which`` (lowest or highest), ``rater``, its ``own_a``, the ``other`` and its ``a``, ``shared`` subjects,
        ``correlation`` as seen (None where one of the two gave all shared subjects the same class, or fewer than ten
        are shared), and ``expected`` by the model: a_j a_l t(1 - t) / sqrt(c_j(1 - c_j) c_l(1 - c_l)).
    """
    ratings, _true = _panel(request)
    fit = yield from _by_rater(ratings, request.seed)
    a = fit.parameters.accuracy[:, 0]
    t, p = float(fit.parameters.truth[1]), float(fit.parameters.guessing[0, 0, 1])
    rate = a * t + (1 - a) * p
    scale = np.sqrt(rate * (1 - rate))
    table = np.full((len(ratings.subjects), len(ratings.raters)), np.nan)
    table[ratings.subject, ratings.rater] = ratings.category
    rows: list[tuple[Cell, ...]] = []
    for which, j in (("lowest", int(a.argmin())), ("highest", int(a.argmax()))):
        for other in np.argsort(a, kind="stable"):
            if other == j:
                continue
            shared, seen = correlation(table[:, j], table[:, other])
            expected = float(a[j] * a[other] * t * (1 - t) / max(scale[j] * scale[other], 1e-12))
            names = (ratings.raters[j], float(a[j]), ratings.raters[other], float(a[other]))
            rows.append((which, *names, shared, seen, expected))
    columns = ("which", "rater", "own_a", "other", "a", "shared", "correlation", "expected")
    return StudyTable("companions", columns, tuple(rows), size_of_data(ratings))


def correlation(x: FloatArray, y: FloatArray) -> tuple[int, float | None]:
    """How many subjects both rated (NaN: not rated), and the correlation there; None where it is undefined."""
    both = np.isfinite(x) & np.isfinite(y)
    n = int(both.sum())
    if n < _LEAST_SHARED or np.ptp(x[both]) == 0 or np.ptp(y[both]) == 0:
        return n, None
    return n, float(np.corrcoef(x[both], y[both])[0, 1])


def _panel(request: FigureRequest) -> tuple[Ratings, FloatArray | None]:
    """The user's ratings, or a simulated panel with its accuracies: most raters know something, the first does not."""
    if request.ratings is not None:
        if len(request.ratings.classes) != 2:
            raise CannotAnswerError(
                _("This figure is for two classes, and there are {classes}.").format(
                    classes=len(request.ratings.classes)
                ),
                fix=_("Name the classes that make up class 1 with --class1."),
            )
        reason = ExactEM().refuses(model("t-aj-p"), request.ratings)
        if reason:
            raise CannotAnswerError(reason)
        return request.ratings, None
    own = np.random.SeedSequence(request.seed, spawn_key=(11,))
    rng = np.random.default_rng(own)
    true = np.clip(rng.beta(6, 3, _RATERS), 0.02, 0.98)
    true[0] = 0.05
    point = Parameters(
        np.array([1 - _TRUE_T, _TRUE_T]), true[:, None], np.array([[[1 - _TRUE_P, _TRUE_P]]]), np.zeros(0)
    )
    raters = [f"R{j + 1:02d}" for j in range(_RATERS)]
    ratings, _truth = simulate(model("t-aj-p"), point, ("0", "1"), raters, _SUBJECTS, own)
    return ratings.keep(_some(rng)[ratings.subject, ratings.rater]), true


def _some(rng: np.random.Generator) -> NDArray[np.bool_]:
    """Shape (subjects, raters): a few raters for each subject, drawn by lot."""
    place = rng.random((_SUBJECTS, _RATERS)).argsort(axis=1).argsort(axis=1)
    return np.asarray(place < _EACH)


def _by_rater(ratings: Ratings, seed: int) -> Run[Fit]:
    fit = yield from ExactEM().run(model("t-aj-p"), ratings, seed)
    if not fit.identification.identified:
        raise CannotAnswerError(
            _("These ratings do not tell single raters apart. {words}").format(words=fit.identification.words)
        )
    return fit


def by_age(request: FigureRequest) -> Run[StudyTable]:
    """Accuracy as a logistic curve of the rater's age, put in and got back.

    Returns
    -------
    Table
        ``what`` is ``curve`` (``x`` the age; ``true``, the mean ``fitted`` curve over the data sets, and where the
        middle 90 % of them lie, ``low`` and ``high``) or ``rater`` (one rater of the first data set: ``fitted`` is the
        accuracy t-aj-p gives this rater alone).
    """
    sets = request.sets(20)
    parts = yield from in_parallel(
        partial(_age_set, request.seed), tuple(range(sets)), request.workers, kept=request.kept
    )
    slopes = np.array([slopes for slopes, _own in parts])
    x = (_AGES - 45) / 10
    curves = expit(slopes[:, :1] + slopes[:, 1:] * x)
    low, high = np.quantile(curves, [0.05, 0.95], axis=0)
    true = expit(AGE_INTERCEPT + AGE_SLOPE * x)
    rows: list[tuple[Cell, ...]] = [
        ("curve", float(age), float(a), float(b), float(c), float(d))
        for age, a, b, c, d in zip(_AGES, true, curves.mean(axis=0), low, high, strict=True)
    ]
    ages = _ages()
    own = expit(AGE_INTERCEPT + AGE_SLOPE * (ages - 45) / 10)
    rows += [
        ("rater", float(age), float(a), float(b), None, None) for age, a, b in zip(ages, own, parts[0][1], strict=True)
    ]
    columns = ("what", "x", "true", "fitted", "low", "high")
    return StudyTable("accuracy by age", columns, tuple(rows), size_of_sets(sets, _AGE_SUBJECTS, ages.size))


def _ages() -> FloatArray:
    return np.linspace(25, 65, 21)


def _age_set(seed: int, which: int) -> Run[tuple[tuple[float, ...], tuple[float, ...]]]:
    """The slopes found in one data set, and the accuracy of each rater alone."""
    own = np.random.SeedSequence(seed, spawn_key=(13, which))
    ages = _ages()
    true = expit(AGE_INTERCEPT + AGE_SLOPE * (ages - 45) / 10)
    point = Parameters(np.array([0.5, 0.5]), true[:, None], np.array([[[0.5, 0.5]]]), np.zeros(0))
    names = [f"R{j + 1:02d}" for j in range(ages.size)]
    ratings, _truth = simulate(model("t-aj-p"), point, ("0", "1"), names, _AGE_SUBJECTS, own)
    decades = Covariate("decades", CovariateOf.RATER, (ages - 45) / 10)
    ratings = replace(ratings, covariates=MappingProxyType({"decades": decades}))
    curve = replace(model("t-a(x)-p"), covariates=("decades",))
    result, _level, _settled = yield from fit_dataset(curve, ratings, seed)
    alone, _level, _settled = yield from fit_dataset(model("t-aj-p"), ratings, seed)
    return tuple(map(float, result.slopes)), tuple(map(float, alone.accuracy[:, 0]))


def kappas(request: FigureRequest) -> Run[StudyTable]:
    """Kappa of 25 panels at 49 accuracies."""
    return kappa_study(
        500, 5, replicates=request.sets(1), seed=request.seed, workers=request.workers, kept=request.kept
    )


@dataclass(frozen=True, slots=True)
class _Set:
    """One data set of five raters: its place among the sets of its design."""

    subjects: int
    each: int
    replicate: int


def five_raters(request: FigureRequest) -> Run[StudyTable]:
    """The five accuracies estimated from 1000 subjects x 5 ratings and from 100 subjects x 3 ratings.

    Returns
    -------
    Table
        One row for each data set and rater: ``subjects``, ``ratings_each``, ``replicate``, ``settled``, ``rater``,
        ``true a``, ``a``, and the ``t`` and ``p`` of the data set.
    """
    sets = [_Set(n, r, i) for n, r in DESIGNS for i in range(request.sets(20))]
    parts = yield from in_parallel(partial(_recovered, request.seed), sets, request.workers, kept=request.kept)
    columns = ("subjects", "ratings_each", "replicate", "settled", "rater", "true a", "a", "t", "p")
    return join_tables("rater accuracies", columns, parts)


def five(subjects: int, each: int, seed: int | np.random.SeedSequence) -> tuple[Ratings, IntArray]:
    """Ratings by the five raters and the true classes; with fewer ratings than raters the groups take turns."""
    m = model("t-aj-p")
    point = parse_parameters(m, _TEXTS, ("0", "1"), RATERS)
    ratings, truth = simulate(m, point, ("0", "1"), RATERS, subjects, seed)
    groups = np.zeros((0, len(RATERS)), dtype=bool)
    for who in combinations(range(len(RATERS)), each):
        groups = np.vstack([groups, np.isin(np.arange(len(RATERS)), who)])
    return ratings.keep(groups[ratings.subject % len(groups), ratings.rater]), truth


def _recovered(seed: int, which: _Set) -> Run[list[tuple[Cell, ...]]]:
    own = np.random.SeedSequence(seed, spawn_key=(which.subjects, which.each, which.replicate))
    ratings, _truth = five(which.subjects, which.each, own)
    point, _level, settled = yield from fit_dataset(model("t-aj-p"), ratings, seed)
    head = (which.subjects, which.each, which.replicate + 1, settled)
    t, p = float(point.truth[1]), float(point.guessing[0, 0, 1])
    return [
        (*head, name, true, float(result), t, p)
        for name, true, result in zip(RATERS, ACCURACIES, point.accuracy[:, 0], strict=True)
    ]


def subjects(request: FigureRequest) -> Run[StudyTable]:
    """How probable class 1 is for subjects of either true class, in one data set of each design.

    Returns
    -------
    Table
        For each design and each twentieth of the scale: how many subjects of true class 0 and 1 have a probability of
        class 1 there.
    """
    rows: list[tuple[Cell, ...]] = []
    m = model("t-aj-p")
    edges = np.linspace(0, 1, _BINS + 1)
    for done, (n, r) in enumerate(DESIGNS):
        yield Step(done, len(DESIGNS), "study")
        ratings, truth = five(n, r, request.seed)
        fit = yield from ExactEM().run(m, ratings, request.seed)
        plan = design(m, ratings)
        result = subject_posterior(fit, plan, plan.space.evidence(plan.patterns))[:, 1]
        counts = [np.histogram(result[truth == k], edges)[0] for k in (0, 1)]
        rows += [
            (n, r, float(low), float(high), int(zero), int(one))
            for low, high, zero, one in zip(edges[:-1], edges[1:], *counts, strict=True)
        ]
    columns = ("subjects", "ratings_each", "low", "high", "truly_0", "truly_1")
    return StudyTable("subject probabilities", columns, tuple(rows))


def draw_five_raters(table: StudyTable) -> Sheet:
    """Five accuracies that came back, one panel for each design."""
    panels = []
    items = []
    for n, each in dict.fromkeys(zip(table.values("subjects"), table.values("ratings_each"), strict=True)):
        rows = table.only(subjects=n, ratings_each=each)
        points = spread(rows.numbers("true a"), rows.numbers("a"))
        off = missed(rows.numbers("true a"), rows.numbers("a"))
        title = _("{n} subjects, {each} ratings each: off by {off}").format(n=n, each=each, off=numbers.decimal(off))
        listed = ", ".join(f"{a:g} → {numbers.decimal(float(b))}" for a, b in zip(points.x, points.y, strict=True))
        items.append(numbers.decimal(off))
        axes = unit(_("true accuracy of the rater")), unit(_("estimated"))
        alt = _("{title}. Means: {listed}.").format(title=title, listed=listed)
        panels.append(Figure("rater-accuracies", title, alt, *axes, (diagonal(), points)))
    sets = max(int(x) for x in table.numbers("replicate"))
    return Sheet(
        _("Each rater’s accuracy comes back within {first} on average with many ratings, {last} with few").format(
            first=items[0], last=items[-1]
        ),
        tuple(panels),
        columns=2,
        width=380.0,
        height=260.0,
        note=_("{sets} data sets of each design, t = p = .4. Lines: the middle 90 % of the estimates.").format(
            sets=sets
        ),
    )


def draw_subjects(table: StudyTable) -> Sheet:
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


def draw_by_age(table: StudyTable) -> Sheet:
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


def draw_accuracies(table: StudyTable) -> Sheet:
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
        sentence = _("Estimated against true: off by {off}").format(off=off)
        alt = _("{told} on average.").format(told=sentence)
        marks = (diagonal(), Points("", true, a, Role.MODEL))
        panels.append(
            Figure("rater-histogram", sentence, alt, unit(_("true accuracy")), unit(_("estimated accuracy")), marks)
        )
    note = _("t-aj-p, {n} to {m} ratings by each rater.").format(
        n=numbers.count(table.numbers("ratings").min()), m=numbers.count(table.numbers("ratings").max())
    )
    whole = _("Accuracies of one panel from {least} to {most}").format(
        least=numbers.decimal(float(a.min())), most=numbers.decimal(float(a.max()))
    )
    return Sheet(whole, tuple(panels), columns=2, width=400.0, height=270.0, note=note)


def draw_companions(table: StudyTable) -> Sheet:
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
