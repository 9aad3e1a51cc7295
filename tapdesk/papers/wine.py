"""The wine ratings of "Modeling Raters and Ratings" at every cut: accuracy beside the root of kappa, t beside p."""

from collections.abc import Iterator

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Figure, Form, Points, Role
from tapdesk.answers.figures.design_study import unit
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray
from tapdesk.papers.reproduction import FigureRequest, PaperNumber, example, size_of_data
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.fleiss_kappa import kappa_of
from tapdesk.studies.table import Cell, StudyTable

_ASIDE = 0.08
_NAMES = ("a", "t", "p")


def scan(request: FigureRequest) -> Run[StudyTable]:
    """Posterior mean and spread of a, t and p, and the root of kappa, with all at most a cut counted.

    The single wine ratings are not bundled: their counts at the three cuts are. Of the user's own ratings every cut of
    the order is taken.

    Returns
    -------
    Table
        ``cut``, ``subjects``; for each of a, t, p the posterior ``mean``, ``sd`` and the most likely value, ``best``;
        ``root_kappa`` (None where kappa is below 0), ``rate`` (share of ratings that are counted), ``gain`` (twice the
        log-likelihood that t and p of their own gain over t = p, nats).

    Raises
    ------
    CannotAnswerError
        When the user's classes have no order.
    """
    cuts = yield from _cuts(request)
    rows: list[tuple[Cell, ...]] = []
    for done, (name, ratings) in enumerate(cuts):
        yield Step(done, len(cuts), "study")
        believed = yield from analyse(ratings, Request(model("t-a-p"), "posterior", interval="none", seed=request.seed))
        best = yield from analyse(ratings, Request(model("t-a-p"), interval="none", seed=request.seed))
        tied = yield from analyse(ratings, Request(model("t-a-t"), interval="none", seed=request.seed))
        kappa = kappa_of(ratings)
        root = float(np.sqrt(kappa)) if kappa is not None and kappa >= 0 else None
        gain = 2 * (best.log_likelihood.ratings - tied.log_likelihood.ratings)
        rows.append((name, ratings.subject_count, *_numbers(believed, best), root, _rate(ratings), float(gain)))
    columns = (
        *("cut", "subjects"),
        *(f"{name} {what}" for name in _NAMES for what in ("mean", "sd", "best")),
        *("root_kappa", "rate", "gain"),
    )
    return StudyTable("wine scan", columns, tuple(rows), size_of_data(cuts[0][1]))


def _cuts(request: FigureRequest) -> Run[list[tuple[str, Ratings]]]:
    if request.ratings is None:
        cuts = []
        for cut in (1, 2, 3):
            ratings = yield from example(f"wine-cut{cut}")
            cuts.append((str(cut), ratings))
        return cuts
    ratings = request.ratings.decided()
    if len(ratings.classes) < 3 or not ratings.ordered:
        raise CannotAnswerError(
            _("A scan needs three classes or more in order."), fix=_("Name their order, lowest first, with --order.")
        )
    labels = ratings.classes
    return [(labels[c - 1], ratings.merged((labels[c:], labels[:c]))) for c in range(1, len(labels))]


def _numbers(believed: Fit, best: Fit) -> Iterator[Cell]:
    """Mean, spread and most likely value of a, t and p."""
    if believed.posterior is None:
        raise ValueError("a fit by exact posterior has one")
    known = {row.name.name: row for row in believed.posterior.summaries}
    for name in _NAMES:
        yield from (known[name].mean, known[name].sd, best.estimate(name).value)


def _rate(ratings: Ratings) -> float:
    return float(ratings.class_rates()[-1])


# Exact posterior means and spreads, root kappa, most likely values and class rates at cuts 1 to 3.
_A, _T, _P = ((0.546, 0.057), (0.442, 0.045), (0.276, 0.083)), ((0.267, 0.065), (0.541, 0.128), (0.695, 0.147)), (
    (0.232, 0.073), (0.582, 0.107), (0.929, 0.046),
)  # fmt: skip
_ROOTS, _RATES, _GAINS = (0.567, 0.444, 0.355), (0.243, 0.567, 0.878), (0.15, 0.03, 1.7)
_BEST = ((0.542, 0.265, 0.217), (0.437, 0.541, 0.587), (0.246, 0.648, 0.954))


def scan_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """The paper's scan of the wine ratings, exactly."""
    rows = []
    for i, row in enumerate(table.records()):
        value = {key: float(str(x)) for key, x in row.items() if key != "cut" and x is not None}
        for name, paper in zip(_NAMES, (_A[i], _T[i], _P[i]), strict=True):
            for what, want in zip(("mean", "sd"), paper, strict=True):
                rows.append(PaperNumber(f"cut {i + 1}, {name}, posterior {what}", want, value[f"{name} {what}"], 1e-3))
        rows += [
            PaperNumber(f"cut {i + 1}, {name}, most likely", want, value[f"{name} best"], 6e-4)
            for name, want in zip(_NAMES, _BEST[i], strict=True)
        ]
        rows.append(PaperNumber(f"cut {i + 1}, root kappa", _ROOTS[i], value["root_kappa"], 6e-4))
        rows.append(PaperNumber(f"cut {i + 1}, share of ratings counted", _RATES[i], value["rate"], 6e-4))
        rows.append(PaperNumber(f"cut {i + 1}, gain of t apart from p", _GAINS[i], value["gain"], 0.06))
    return tuple(rows)


def draw_scan(table: StudyTable, root: Form = Form.OPEN_CIRCLE, p: Form | None = Form.OPEN_SQUARE) -> Sheet:
    """Left accuracy with the root of kappa, right t and p, at every cut, marked as the paper marks them.

    Parameters
    ----------
    table
        Of `scan`.
    root, p
        The marks of the root of kappa and of p: an open circle and an open square with the wine, the other way round
        with the writing.
    """
    at = np.arange(len(table.rows), dtype=np.float64)
    ticks = tuple((float(i), numbers.short(str(name), 14)) for i, name in enumerate(table.values("cut")))
    across = Axis(_("counted: at most"), -0.5, at.size - 0.5, ticks)
    accuracy = _dots(table, "a", at - _ASIDE, Role.MODEL, Form.SQUARE)
    roots = table.numbers("root_kappa")
    ends = [numbers.decimal(float(x)) for x in (table.numbers("a mean")[0], table.numbers("a mean")[-1])]
    title = _("Accuracy goes from {first} to {last} over the cuts").format(first=ends[0], last=ends[1])
    gains = table.numbers("gain")
    worst = numbers.decimal(float(gains.max()), places=1)
    panels = (
        Figure(
            "wine-scan",
            _("Accuracy"),
            _("{title}.").format(title=title),
            across,
            unit(_("a, √κ")),
            (accuracy, Points(_("√κ"), at + _ASIDE, roots, Role.CLASSICAL, form=root)),
        ),
        Figure(
            "wine-scan",
            _("Rates"),
            _("t and p at every cut; t = p is rejected nowhere above a gain of 3.84: the largest is {worst}.").format(
                worst=worst
            )
            if gains.max() < 3.84
            else _("t and p at every cut; the largest gain of t apart from p is {worst}.").format(worst=worst),
            across,
            unit(_("t, p")),
            (_dots(table, "t", at - _ASIDE, Role.MODEL), _dots(table, "p", at + _ASIDE, Role.CLASSICAL, p)),
        ),
    )
    note = _(
        "Posterior means with two standard deviations to either side; open marks of the left panel: root of "
        "Fleiss’ kappa. Gain of t apart from p, twice the log-likelihood, at each cut: {gains}; 3.84 would reject "
        "t = p."
    ).format(gains=", ".join(Number(f"{x:.2f}") for x in gains))
    return Sheet(title, panels, columns=2, width=360.0, height=280.0, note=note)


def _dots(table: StudyTable, name: str, at: FloatArray, role: Role, form: Form | None = None) -> Points:
    mean, sd = table.numbers(f"{name} mean"), table.numbers(f"{name} sd")
    low, high = np.clip(mean - 2 * sd, 0.0, 1.0), np.clip(mean + 2 * sd, 0.0, 1.0)
    return Points(name, at, mean, role, low, high, form=form)
