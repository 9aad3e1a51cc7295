"""The models of the sharing grid and the tests between them as a study in pieces, which can be gone on with."""

from functools import partial
from typing import Any

import numpy as np

from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.bootstrapped import BootstrapTest, bootstrap_test
from tapdesk.studies.comparison import compare_fits
from tapdesk.studies.others import REDRAWS, TESTS, asked, grid_fits, nothing_to_compare, told
from tapdesk.studies.parallel import in_parallel
from tapdesk.studies.ratio import Nested, observed, portions, simulated
from tapdesk.studies.table import Table
from tapdesk.studies.unfinished import Kept

# A piece: the name of a test, and from which to which data set; no name: the fits; no data sets: the ratings.
_Unit = tuple[str, int, int]


def models_study(
    ratings: Ratings, replicates: int = 1000, seed: int = 1, workers: int = 1, kept: Kept | None = None
) -> Run[Table]:
    """The table of `tapdesk.studies.others.others`, worked out in pieces.

    Parameters
    ----------
    ratings
        The data.
    replicates, seed
        Simulated data sets of each test, and of the random numbers.
    workers
        Number of processes; the table is the same whatever it is.
    kept
        What an earlier run of the same study had finished when it was ended; what is finished now goes there.

    Yields
    ------
    Step
        Phase ``study``, pieces done.

    Raises
    ------
    CannotAnswerError
        When the ratings cannot tell one model from another.
    """
    reason = nothing_to_compare(ratings)
    if reason is not None:
        raise CannotAnswerError(reason)
    untested: dict[str, str] = {}
    hypotheses: dict[str, Nested] = {}
    for name in TESTS:
        try:
            hypotheses[name] = asked(ratings, name)
        except TapdeskError as error:
            untested[name] = error.what
    units: list[_Unit] = [("", 0, 0)]
    for name, nested in hypotheses.items():
        units += [(name, 0, 0), *((name, *part) for part in portions(ratings, nested, replicates))]
    found = yield from in_parallel(partial(_piece, ratings, (replicates, seed)), units, workers, kept=kept)
    answers: dict[str, list[Any]] = {name: [] for name in ("", *hypotheses)}
    for (name, *_part), answer in zip(units, found, strict=True):
        answers[name].append(answer)
    tests = []
    for name, nested in hypotheses.items():
        why = next((answer for answer in answers[name] if isinstance(answer, str)), None)
        if why is None:
            tests.append(_joined(nested, answers[name]))
        else:
            untested[name] = why
    ((columns, rows),) = answers[""]
    return told(Table("comparison", columns, rows), tests, {n: untested[n] for n in TESTS if n in untested})


def _joined(nested: Nested, answers: list[Any]) -> BootstrapTest:
    """A test from its pieces: the statistic of the ratings, and those of the simulated data sets."""
    (statistic,), *parts = answers
    return bootstrap_test(nested.name, statistic, nested.df, np.concatenate(parts), nested.about)


def _piece(ratings: Ratings, scale: tuple[int, int], unit: _Unit) -> Run[Any]:
    """Plain values: the comparison of the fits, statistics, or the reason why there are none."""
    (replicates, seed), (name, first, last) = scale, unit
    yield Step(0, 1, "study")
    if not name:
        fits = yield from grid_fits(ratings, seed, redraws=min(replicates, REDRAWS))
        table = compare_fits(fits).table()
        return table.columns, table.rows
    try:
        nested = asked(ratings, name)
        if last == 0:
            return ((yield from observed(ratings, nested, seed)),)
        draws = yield from simulated(ratings, nested, (first, last), seed)
    except TapdeskError as error:
        return error.what
    return tuple(draws.tolist())
