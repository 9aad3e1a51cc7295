"""More than two classes (Kappa Zoo ch. 9): krits against accuracy, four classes got back, kappa and accuracy."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Figure, Line, Points, Role
from tapdesk.answers.figures.design_study import HALVES, diagonal, spread, unit
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.fitting.fit_summary import krits
from tapdesk.language import Number, joined
from tapdesk.language import gettext as _
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.parameters import Parameters, Stack
from tapdesk.models.simulate import simulate
from tapdesk.papers.reproduction import FigureRequest, size_of_sets
from tapdesk.progress import Run, Step
from tapdesk.studies.fleiss_kappa import fleiss_kappas
from tapdesk.studies.parallel import in_parallel
from tapdesk.studies.recovery import four_classes, recover, shared_point
from tapdesk.studies.simulated_data import complete_count_vectors
from tapdesk.studies.table import Cell, StudyTable

_SUBJECTS, _RATERS = 200, 5
_KAPPA_SUBJECTS = 500
_ACCURACIES = 21


@dataclass(frozen=True, slots=True)
class Mixture:
    """Rates of the true classes and of the guesses."""

    name: str
    truth: tuple[float, ...]
    guessing: tuple[float, ...]


MIXTURES = (
    Mixture("two even classes", (0.5, 0.5), (0.5, 0.5)),
    Mixture("three classes, one rare", (0.6, 0.3, 0.1), (1 / 3, 1 / 3, 1 / 3)),
    Mixture("four classes, guesses against the grain", (0.1, 0.2, 0.3, 0.4), (0.4, 0.3, 0.2, 0.1)),
)


def krits_by_accuracy(request: FigureRequest) -> Run[StudyTable]:
    """Krits per rating against accuracy for three sets of rates: expected, and in simulated data.

    Returns
    -------
    Table
        ``set``, ``classes``, ``a``; ``expected``; of 200 x 5 simulated ratings, means over the data sets at the true
        parameters: ``empirical`` (the imputed krits that the chapter draws, which weigh each subject's own posterior)
        and ``marginal`` (the log-likelihood, which no number of ratings per subject flatters).
    """
    points = [(done, i) for done in range(len(MIXTURES)) for i in range(_ACCURACIES)]
    work = partial(_mean_krits, request.seed, request.sets(20))
    rows = yield from in_parallel(work, points, request.workers, kept=request.kept)
    size = size_of_sets(request.sets(20), _SUBJECTS, _RATERS)
    return StudyTable("krits", ("set", "classes", "a", "expected", "empirical", "marginal"), rows, size)


def _mean_krits(seed: int, sets: int, which: tuple[int, int]) -> Run[tuple[Cell, ...]]:
    """The row of one set of rates at one accuracy."""
    done, i = which
    mixture, a = MIXTURES[done], float(np.linspace(0, 1, _ACCURACIES)[i])
    point = shared_point(mixture.truth, a, mixture.guessing)
    items = []
    for r in range(sets):
        yield Step(r, sets, "study")
        items.append(_krits(point, np.random.SeedSequence(seed, spawn_key=(done, i, r))))
    expected, empirical, marginal = np.mean(items, axis=0)
    return (mixture.name, len(mixture.truth), a, float(expected), float(empirical), float(marginal))


def _krits(point: Parameters, seed: np.random.SeedSequence) -> tuple[float, float, float]:
    """Expected, imputed and marginal krits of one data set at the parameters it was made from."""
    m = model("t-a-p")
    classes = [str(c + 1) for c in range(point.classes)]
    ratings, _truth = simulate(m, point, classes, [f"J{j + 1}" for j in range(_RATERS)], _SUBJECTS, seed)
    plan = design(m, ratings)
    evidence = plan.space.evidence(plan.patterns)
    level = float(evidence.expect(Stack.of([point])).log_likelihood[0])
    words = krits(evidence, point, level)
    if words.expected is None or words.imputed is None or words.marginal is None:
        raise ValueError("krits of simulated ratings are defined")
    return words.expected, words.imputed, words.marginal


def four(request: FigureRequest) -> Run[StudyTable]:
    """The four-class case, 20 data sets of 100 subjects x 5 raters."""
    return recover(four_classes(request.sets(20), request.seed), request.workers, kept=request.kept)


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


def draw_krits(table: StudyTable) -> Sheet:
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
