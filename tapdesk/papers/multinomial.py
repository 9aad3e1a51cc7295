"""More than two classes (Kappa Zoo ch. 9): krits against accuracy, four classes got back, kappa and accuracy."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Figure, Form, Line, Points, Role
from tapdesk.answers.figures.design_study import HALVES, diagonal, spread, unit
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.fitting.em import ExactEM, MomentEM
from tapdesk.language import Number, joined
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray
from tapdesk.models.simulate import simulate
from tapdesk.papers.reproduction import FigureRequest, PaperNumber, size_of_sets
from tapdesk.progress import Run, Step
from tapdesk.studies.fleiss_kappa import fleiss_kappas
from tapdesk.studies.parallel import in_parallel
from tapdesk.studies.recovery import shared_point
from tapdesk.studies.simulated_data import complete_count_vectors
from tapdesk.studies.table import Cell, StudyTable

_SUBJECTS, _RATERS, _CLASSES = 100, 5, 4
_KAPPA_SUBJECTS = 500
_ACCURACIES = 21
_LIMIT_SUBJECTS, _LIMIT_RATERS = 200, 10


@dataclass(frozen=True, slots=True)
class Mixture:
    """Rates of the true classes and of the guesses, and the krits the chapter's formula expects of them.

    Attributes
    ----------
    name, truth, guessing
        What it is called, and its rates.
    expected
        At accuracies 0, .05, ..., 1, to four digits.
    spread
        Standard deviation of the empirical krits of one data set at accuracies 0, .5 and .8.
    """

    name: str
    truth: tuple[float, ...]
    guessing: tuple[float, ...]
    expected: tuple[float, ...]
    spread: tuple[float, float, float]


_SKEWED, _TURNED, _EVEN = (0.1, 0.1, 0.4, 0.4), (0.4, 0.4, 0.1, 0.1), (0.25,) * 4
# The figure's three sets (Kappa Zoo ch. 9, Figure 1); the expected values follow from its formula.
MIXTURES = (
    Mixture(
        "skewed, unbiased", _SKEWED, _SKEWED,
        (0.8610, 0.8584, 0.8514, 0.8404, 0.8256, 0.8073, 0.7856, 0.7605, 0.7320, 0.7001, 0.6646,
         0.6255, 0.5826, 0.5355, 0.4839, 0.4273, 0.3649, 0.2955, 0.2172, 0.1255, 0.0),
        (0.018, 0.028, 0.033),
    ),
    Mixture(
        "skewed, biased", _SKEWED, _TURNED,
        (0.8610, 0.8849, 0.8988, 0.9045, 0.9031, 0.8954, 0.8818, 0.8627, 0.8382, 0.8084, 0.7734,
         0.7330, 0.6871, 0.6354, 0.5775, 0.5127, 0.4402, 0.3585, 0.2650, 0.1542, 0.0),
        (0.018, 0.023, 0.032),
    ),
    Mixture(
        "uniform", _EVEN, _EVEN,
        (1.0, 0.9974, 0.9898, 0.9776, 0.9610, 0.9401, 0.9152, 0.8861, 0.8530, 0.8158, 0.7744,
         0.7287, 0.6784, 0.6233, 0.5629, 0.4967, 0.4238, 0.3429, 0.2516, 0.1451, 0.0),
        (0.0, 0.025, 0.032),
    ),
)  # fmt: skip


def krits_by_accuracy(request: FigureRequest) -> Run[StudyTable]:
    """Krits per rating against accuracy for the three sets of the figure: expected, and in one data set at each point.

    Returns
    -------
    Table
        ``set``, ``a``; ``expected``, exactly; ``empirical``: of 100 x 5 simulated ratings, scored with the known true
        class and the numbers they were made with (a mean where more data sets are asked for); ``standardised``: what
        is expected where all classes are equally common in truth.
    """
    rows: list[tuple[Cell, ...]] = []
    sets = request.sets(1)
    for done, mixture in enumerate(MIXTURES):
        for i, a in enumerate(np.linspace(0, 1, _ACCURACIES)):
            seeds = [np.random.SeedSequence(request.seed, spawn_key=(done, i, r)) for r in range(sets)]
            seen = float(np.mean([_empirical(mixture, float(a), seed) for seed in seeds]))
            even = replace(mixture, truth=_EVEN)
            rows.append((mixture.name, float(a), _expected(mixture, float(a)), seen, _expected(even, float(a))))
        yield Step(done + 1, len(MIXTURES), "study")
    size = size_of_sets(sets, _SUBJECTS, _RATERS)
    return StudyTable("krits", ("set", "a", "expected", "empirical", "standardised"), tuple(rows), size)


def _chances(mixture: Mixture, a: float) -> FloatArray:
    """Shape (K, K): how a case of each true class is rated."""
    return np.asarray(a * np.eye(_CLASSES) + (1 - a) * np.array(mixture.guessing))


def _surprise(chance: FloatArray) -> FloatArray:
    """Krits of a rating of this probability: 1 is a guess among equally likely classes."""
    return np.asarray(-np.log(np.where(chance > 0, chance, 1.0)) / np.log(_CLASSES))


def _expected(mixture: Mixture, a: float) -> float:
    chance = _chances(mixture, a)
    return float(np.array(mixture.truth) @ (chance * _surprise(chance)).sum(axis=1))


def _empirical(mixture: Mixture, a: float, seed: np.random.SeedSequence) -> float:
    """Krits per rating of one data set, scored with what is true of each case."""
    point = shared_point(mixture.truth, a, mixture.guessing)
    classes = [str(c + 1) for c in range(_CLASSES)]
    ratings, truth = simulate(model("t-a-p"), point, classes, [f"J{j + 1}" for j in range(_RATERS)], _SUBJECTS, seed)
    return float(_surprise(_chances(mixture, a)[truth[ratings.subject], ratings.category]).mean())


def krits_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """What follows from the settings of the figure; the empirical ones as far as luck moves one data set."""
    rows = []
    for mixture in MIXTURES:
        own = table.only(set=mixture.name)
        expected, seen = own.numbers("expected"), own.numbers("empirical")
        rows += [
            PaperNumber(f"{mixture.name}, expected at a = {0.05 * i:g}", paper, float(expected[i]), 5.1e-5)
            for i, paper in enumerate(mixture.expected)
        ]
        rows += [
            PaperNumber(f"{mixture.name}, empirical at a = {0.05 * i:g}", mixture.expected[i], float(seen[i]), 4 * sd)
            for i, sd in zip((0, 10, 16), mixture.spread, strict=True)
        ]
    turned = table.only(set=MIXTURES[1].name).numbers("standardised")
    rows += [
        PaperNumber(f"skewed, biased, standardised at a = {a:g}", paper, float(turned[i]), 5.1e-5)
        for i, a, paper in ((4, 0.2, 0.8644), (10, 0.5, 0.7190))
    ]
    return tuple(rows)


def krits_limits(request: FigureRequest) -> Run[StudyTable]:
    """Krits of pure guessing and of pure knowledge, 200 x 10, four classes equally common: 1 and 0.

    Returns
    -------
    Table
        ``a``, ``how`` (``truth``: scored at the numbers and the true classes the ratings were made with; ``fit``:
        imputed by a fit, which explains some of what is luck), ``krits``.
    """
    rows: list[tuple[Cell, ...]] = []
    m = model("t-a-p")
    classes, raters = [str(c + 1) for c in range(_CLASSES)], [f"J{j + 1}" for j in range(_LIMIT_RATERS)]
    for i, a in enumerate((0.0, 1.0)):
        seed = np.random.SeedSequence(request.seed, spawn_key=(23, i))
        ratings, truth = simulate(m, shared_point(_EVEN, a, _EVEN), classes, raters, _LIMIT_SUBJECTS, seed)
        chance = a * np.eye(_CLASSES) + (1 - a) / _CLASSES
        rows.append((a, "truth", float(_surprise(chance[truth[ratings.subject], ratings.category]).mean())))
        fit = yield from ExactEM().run(m, ratings, request.seed)
        imputed = fit.krits.imputed
        rows.append((a, "fit", None if imputed is None else float(imputed)))
    size = size_of_sets(1, _LIMIT_SUBJECTS, _LIMIT_RATERS)
    return StudyTable("krits limits", ("a", "how", "krits"), tuple(rows), size)


def limits_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """The limits of the chapter."""
    value = {(row["a"], row["how"]): float(row["krits"] or 0.0) for row in table.records()}
    return (
        PaperNumber("a = 0, scored at the truth", 1.0, value[0.0, "truth"], 1e-9),
        PaperNumber("a = 1, scored at the truth", 0.0, value[1.0, "truth"], 1e-9),
        PaperNumber("a = 1, fitted", 0.0, value[1.0, "fit"], 1e-6),
        PaperNumber("a = 0, fitted, is below 1 (1 where it is)", 1.0, float(value[0.0, "fit"] < 1), 0.0),
    )


_FOUR_RATES, _FOUR_GUESSES, _FOUR_ACCURACY = (0.1, 0.2, 0.3, 0.4), (0.4, 0.3, 0.2, 0.1), 0.5
_NINE = ("a", *(f"p{c}" for c in range(1, 5)), *(f"t{c}" for c in range(1, 5)))
_NINE_TRUE = (_FOUR_ACCURACY, *_FOUR_GUESSES, *_FOUR_RATES)
# Standard deviation of one estimate, and how far 20 of them reach on average: what follows from the settings.
_NINE_SD = (0.030, 0.042, 0.043, 0.040, 0.037, 0.044, 0.054, 0.059, 0.062)


def four(request: FigureRequest) -> Run[StudyTable]:
    """The four-class case by moment E-M on counts, as in the chapter: 20 data sets of 100 subjects x 5 raters.

    Returns
    -------
    Table
        A row for each data set: ``replicate``, and for each of the nine numbers in the order of the alphabet
        ``true NAME`` and ``NAME``.
    """
    sets = request.sets(20)
    rows = yield from in_parallel(partial(_four, request.seed), tuple(range(sets)), request.workers, kept=request.kept)
    columns = ("replicate", *(part for name in _NINE for part in (f"true {name}", name)))
    return StudyTable("four classes", columns, tuple(rows), size_of_sets(sets, _SUBJECTS, _RATERS))


def _four(seed: int, which: int) -> Run[tuple[Cell, ...]]:
    """What moment E-M finds in one data set."""
    m, point = model("t-a-p"), shared_point(_FOUR_RATES, _FOUR_ACCURACY, _FOUR_GUESSES)
    own = np.random.SeedSequence(seed, spawn_key=(29, which))
    classes, raters = [str(c + 1) for c in range(_CLASSES)], [f"J{j + 1}" for j in range(_RATERS)]
    ratings, _truth = simulate(m, point, classes, raters, _SUBJECTS, own)
    fit = yield from MomentEM().run(m, ratings, seed)
    at = fit.parameters
    result = (float(at.accuracy[0, 0]), *map(float, at.guessing[0, 0]), *map(float, at.truth))
    pairs: list[Cell] = [value for pair in zip(_NINE_TRUE, result, strict=True) for value in pair]
    return (which + 1, *pairs)


def four_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """Means near what was put in, and the reach of 20 estimates near that of 20 draws of their spread."""
    rows = []
    for name, true, sd in zip(_NINE, _NINE_TRUE, _NINE_SD, strict=True):
        result = table.numbers(name)
        # The mean of 20, whose bias is at most .004, in all but one of some thousands of runs.
        rows.append(PaperNumber(f"{name}, mean", true, float(result.mean()), 0.004 + 3.7 * sd / len(result) ** 0.5))
        if len(result) == 20:
            # The range of 20 normal draws is 3.735 standard deviations on average, and itself spreads by 0.73 of them.
            reach = float(np.ptp(result))
            rows.append(PaperNumber(f"{name}, from lowest to highest", 3.735 * sd, reach, 3.5 * 0.73 * sd))
    return tuple(rows)


def kappa_by_classes(request: FigureRequest) -> Run[StudyTable]:
    """Kappa against the square of the accuracy at t = p, all classes equally common, K = 2 to 6, 500 x 5."""
    rows: list[tuple[Cell, ...]] = []
    accuracies = [round(0.05 * i, 2) for i in range(1, 20)]
    sets = request.sets(20)
    for k in range(2, 7):
        here = complete_count_vectors(_KAPPA_SUBJECTS, _RATERS, k)
        if here is None:
            raise ValueError(f"no count vectors of {k} classes")
        for i, a in enumerate(accuracies):
            point = shared_point([1 / k] * k, a, [1 / k] * k)
            rng = np.random.default_rng(np.random.SeedSequence(request.seed, spawn_key=(k, i)))
            kappas = fleiss_kappas(here.patterns, here.draw(point, sets, rng))
            sd = float(kappas.std(ddof=1)) if sets > 1 else None
            rows.append((k, a, a * a, float(kappas.mean()), sd))
        yield Step(k - 1, 5, "study")
    columns = ("classes", "a", "a_squared", "kappa_mean", "kappa_sd")
    return StudyTable("kappa by classes", columns, tuple(rows), size_of_sets(sets, _KAPPA_SUBJECTS, _RATERS))


_COLOURS = (Role.MODEL, Role.SINGLED_OUT, Role.OBSERVED)


def draw_krits(table: StudyTable) -> Sheet:
    """Krits per rating against accuracy: three sets in one plot, whole lines empirical, broken ones expected."""
    marks: list[Line] = []
    words = []
    for role, name in zip(_COLOURS, dict.fromkeys(table.values("set")), strict=True):
        rows = table.only(set=name)
        a, expected, seen = (rows.numbers(c) for c in ("a", "expected", "empirical"))
        marks += [Line(str(name), a, seen, role), Line("", a, expected, role, broken=True)]
        top = int(expected.argmax())
        words.append(
            _("{name}: expected krits begin at {first}, are highest, {most}, at a = {at}, and end at {last}.").format(
                name=name,
                first=numbers.decimal(float(expected[0])),
                most=numbers.decimal(float(expected[top])),
                at=Number(f"{a[top]:g}"),
                last=numbers.decimal(float(expected[-1])),
            )
        )
    off = float(np.abs(table.numbers("expected") - table.numbers("empirical")).max())
    title = _("Krits fall to 0 at accuracy 1, and where guesses go against the grain they rise first")
    figure = Figure("krits", "", joined(*words), unit(_("accuracy a")), unit(_("krits per rating")), tuple(marks))
    note = _("Whole lines: empirical, one data set at each point; broken: expected. They are {off} apart at most.")
    return Sheet(title, (figure,), width=700.0, height=380.0, note=note.format(off=numbers.decimal(off)))


def draw_limits(table: StudyTable) -> Sheet:
    """Both limits, scored at the truth and fitted."""
    names = {"truth": _("scored at the truth"), "fit": _("fitted")}
    marks = [
        Points(names[how], rows.numbers("a"), rows.numbers("krits"), role)
        for how, role in (("truth", Role.MODEL), ("fit", Role.CLASSICAL))
        for rows in (table.only(how=how),)
    ]
    lowest = table.only(how="fit", a=0.0).numbers("krits")[0]
    title = _(
        "Pure guessing has 1 krit per rating and pure knowledge none; fitted, guessing looks like {value}"
    ).format(value=numbers.decimal(float(lowest)))
    axes = Axis(_("accuracy a"), -0.2, 1.2, ((0.0, "0"), (1.0, "1"))), Axis(_("krits per rating"), -0.1, 1.1, HALVES)
    return Sheet(
        title,
        (Figure("krits-limits", "", _("{title}.").format(title=title), *axes, tuple(marks)),),
        width=500.0,
        height=260.0,
    )


def draw_nine(table: StudyTable) -> Sheet:
    """The nine numbers of four classes as the chapter draws them: true values, means, and the whole reach."""
    place = np.arange(len(_NINE), dtype=np.float64)
    true = np.array([table.numbers(f"true {name}")[0] for name in _NINE])
    result = np.array([table.numbers(name) for name in _NINE])
    mean, low, high = result.mean(axis=1), result.min(axis=1), result.max(axis=1)
    off = numbers.decimal(float(np.abs(mean - true).max()))
    title = _("All {n} numbers come back: their means are off by {off} at most").format(n=len(_NINE), off=off)
    gives = (
        _("{name} {true} gives {found}, {low} to {high}").format(
            name=name,
            true=Number(f"{true[i]:g}"),
            found=numbers.decimal(float(mean[i])),
            low=numbers.decimal(float(low[i])),
            high=numbers.decimal(float(high[i])),
        )
        for i, name in enumerate(_NINE)
    )
    figure = Figure(
        "four-classes",
        "",
        _("{title}. {listed}.").format(title=title, listed=joined(*gives, sep="; ")),
        Axis("", -0.6, len(_NINE) - 0.4, tuple(enumerate(_NINE))),
        unit(""),
        (
            Points(_("lowest to highest"), place, mean, Role.OBSERVED, low, high),
            Points(_("true"), place, true, Role.SINGLED_OUT, form=Form.LARGE_CIRCLE),
            Points(_("mean"), place, mean, Role.MODEL),
        ),
    )
    note = _("Moment E-M on counts, as in the chapter. Bars: from the lowest to the highest estimate.")
    return Sheet(title, (figure,), width=700.0, height=300.0, note=note)


def draw_four(table: StudyTable) -> Sheet:
    """The parameters of four classes, put in and got back."""
    names = [c.removeprefix("true ") for c in table.columns if c.startswith("true ")]
    place = np.repeat(np.arange(len(names), dtype=np.float64), len(table.rows))
    true = np.concatenate([table.numbers(f"true {name}") for name in names])
    result = np.concatenate([table.numbers(name) for name in names])
    points = spread(place, result, _("came back"))
    off = numbers.decimal(float(np.abs(points.y - true[:: len(table.rows)]).max()))
    title = _("All {n} numbers come back: their means are off by {off} at most").format(n=len(names), off=off)
    gives = (
        _("{name} {true} gives {found}").format(
            name=name, true=Number(f"{true[i * len(table.rows)]:g}"), found=numbers.decimal(float(points.y[i]))
        )
        for i, name in enumerate(names)
    )
    listed = joined(*gives, sep="; ")
    figure = Figure(
        "four-classes",
        "",
        _("{title}. {listed}.").format(title=title, listed=listed),
        Axis("", -0.6, len(names) - 0.4, tuple((float(i), name) for i, name in enumerate(names))),
        unit(""),
        (Points(_("put in"), place[:: len(table.rows)], true[:: len(table.rows)], Role.REFERENCE), points),
    )
    note = _(
        "{n} data sets of {subjects} subjects and {raters} raters. Lines: the middle 90 % of the estimates."
    ).format(n=len(table.rows), subjects=table.values("subjects")[0], raters=table.values("raters")[0])
    return Sheet(title, (figure,), width=700.0, height=300.0, note=note)


def draw_kappa_by_classes(table: StudyTable) -> Sheet:
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
