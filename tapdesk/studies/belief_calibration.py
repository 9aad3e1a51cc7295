"""Whether cases are what they are said to be: of those said to be .95 "yes", how many truly are (models.md §5.6).

Panels are simulated with known truth and read as the program reads them; the cases of all panels are put together by
how sure the likeliest class is said to be.
"""

from dataclasses import dataclass

import numpy as np

from tapdesk.fitting.fit_summary import subject_posterior
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray, Parameters
from tapdesk.models.simulate import simulate
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import BELIEF_SETS, Request, analyse
from tapdesk.studies.case_beliefs import case_beliefs
from tapdesk.studies.parallel import FinishedPieces, in_parallel, portions, rows_by_kind
from tapdesk.studies.table import Cell, StudyTable, join_tables

COLUMNS = (
    "panel", "subjects", "raters", "t", "a", "p", "sets", "told", "how", "from", "to",
    "cases", "said", "right", "error",
)  # fmt: skip
BANDS = ((0.5, 0.9), (0.9, 0.97), (0.97, 1.0))
"""How sure the likeliest class is said to be: from, and up to."""
WAYS = ("averaged", "estimates taken as known")
_PIECES = 8
_RATES = 0.4


@dataclass(frozen=True, slots=True)
class PanelDesign:
    """One kind of panel: its name, how many cases, the accuracies of its raters, the fewest ratings of a case."""

    name: str
    subjects: int
    accuracies: tuple[float, ...]
    fewest: int


PANELS = (
    PanelDesign("10 x 5", 10, (0.6,) * 5, 5),
    PanelDesign("30 x 3", 30, (0.6,) * 3, 3),
    PanelDesign("30 x 5", 30, (0.6,) * 5, 5),
    PanelDesign("30 x 1 to 5", 30, (0.6,) * 5, 1),
    PanelDesign("30 x 4, unequal raters", 30, (0.8, 0.6, 0.4, 0.2), 4),
)
"""Those of the published table; t = p = .4 in all of them."""


@dataclass(frozen=True, slots=True)
class BeliefPart:
    """Some of the data sets of one kind of panel; set r is the same whatever else is asked for."""

    panel: PanelDesign
    first: int
    last: int
    seed: int


def belief_parts(sets: int | None = None, seed: int = 1) -> tuple[BeliefPart, ...]:
    """What `belief_calibration` works on, every panel in several pieces."""
    count = BELIEF_SETS if sets is None else sets
    return tuple(BeliefPart(panel, *ends, seed) for panel in PANELS for ends in portions(count, _PIECES))


def belief_calibration(
    sets: int | None = None, seed: int = 1, workers: int = 1, kept: FinishedPieces | None = None
) -> Run[StudyTable]:
    """A table with a row for every panel, band and way of telling: how sure the cases are said to be, and are right.

    Yields
    ------
    Step
        Phase ``study``.

    Returns
    -------
    StudyTable
        In ``told`` of the ``sets`` there are beliefs. ``said`` and ``right`` are means over the ``cases`` of a band;
        ``error`` is the standard error of their difference, data sets being what is drawn. ``how`` tells beliefs as
        they are told from what they would be were the estimates taken as known.

    Raises
    ------
    UsageError
        When no data sets are asked for.
    """
    parts = belief_parts(sets, seed)
    results = yield from in_parallel(tallies, parts, workers, kept=kept)
    rows = [_rows(panel, own) for panel, own in rows_by_kind(PANELS, parts, results, lambda part: part.panel)]
    return join_tables("beliefs", COLUMNS, rows)


def tallies(part: BeliefPart) -> Run[list[list[float]]]:
    """For every data set whether there are beliefs, and by way and band the number of cases, of sayings, and right."""
    items = []
    for r in range(part.first, part.last):
        yield Step(r - part.first, part.last - part.first, "study")
        ratings, truth = _drawn(part.panel, part.seed, r)
        sentence = yield from relay(_panel_beliefs(ratings), r - part.first, part.last - part.first, "study")
        row = [float(sentence is not None)]
        for probability in sentence or ():
            row += _by_band(probability, truth)
        items.append(row if sentence is not None else row + [0.0] * (3 * len(BANDS) * len(WAYS)))
    return items


def _panel_beliefs(ratings: Ratings) -> Run[tuple[FloatArray, FloatArray] | None]:
    """The beliefs about all cases, and what they would be were the estimates taken as known."""
    fit = yield from analyse(ratings, Request(model("t-a-p"), interval="none"))
    beliefs = yield from case_beliefs(ratings, fit)
    if beliefs is None:
        return None
    if beliefs.model != fit.model.name:
        fit = yield from analyse(ratings, Request(model(beliefs.model), interval="none"))
    plan = design(fit.model, ratings)
    return beliefs.probability, subject_posterior(fit, plan, plan.space.evidence(plan.patterns))


def _drawn(panel: PanelDesign, seed: int, r: int) -> tuple[Ratings, FloatArray]:
    """A data set and the true class of each case that has ratings."""
    place = PANELS.index(panel)
    accuracies = np.array(panel.accuracies)
    rates = np.array([1 - _RATES, _RATES])
    point = Parameters(rates, accuracies[:, None], rates[None, None], np.zeros(0))
    names = tuple(f"R{j + 1}" for j in range(accuracies.size))
    ratings, truth = simulate(
        model("t-aj-p"), point, ("no", "yes"), names, panel.subjects, np.random.SeedSequence([seed, place, r])
    )
    if panel.fewest < accuracies.size:
        rng = np.random.default_rng([seed, place, r, 1])
        given = rng.integers(panel.fewest, accuracies.size + 1, panel.subjects)
        order = rng.random((panel.subjects, accuracies.size)).argsort(axis=1).argsort(axis=1)
        ratings = ratings.keep(order[ratings.subject, ratings.rater] < given[ratings.subject])
    return ratings, np.asarray(truth, dtype=np.float64)


def _by_band(probability: FloatArray, truth: FloatArray) -> list[float]:
    sure, best = probability.max(axis=1), probability.argmax(axis=1)
    row: list[float] = []
    for low, high in BANDS:
        here = (sure >= low) & ((sure < high) | (high == 1.0))
        row += [float(here.sum()), float(sure[here].sum()), float((best[here] == truth[here]).sum())]
    return row


def _rows(panel: PanelDesign, array: FloatArray) -> list[tuple[Cell, ...]]:
    """The rows of one kind of panel."""
    rows: list[tuple[Cell, ...]] = []
    accuracies = panel.accuracies[0] if len(set(panel.accuracies)) == 1 else " ".join(map(str, panel.accuracies))
    for w, how in enumerate(WAYS):
        for b, (low, high) in enumerate(BANDS):
            at = 1 + 3 * (w * len(BANDS) + b)
            cases, words, right = array[:, at : at + 3].T
            n = float(cases.sum())
            off = (right - words) - cases * float((right - words).sum()) / max(n, 1.0)
            error = float(np.sqrt((off**2).sum()) / n) if n else None
            rows.append(
                (
                    panel.name, panel.subjects, len(panel.accuracies), _RATES, accuracies, _RATES,
                    len(array), int(array[:, 0].sum()), how, low, high, int(n),
                    float(words.sum() / n) if n else None, float(right.sum() / n) if n else None, error,
                )
            )  # fmt: skip
    return rows
