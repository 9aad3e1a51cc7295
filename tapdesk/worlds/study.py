"""How often are our words wrong? Panels of every world are reported as files are, and every claim held to the truth."""

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from scipy.stats import binom

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import gettext as _
from tapdesk.progress import Run, relay
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.table import Cell, StudyTable
from tapdesk.worlds.catalog import WORLDS, world
from tapdesk.worlds.claims import CLAIMS, Claim
from tapdesk.worlds.statement import state

COLUMNS = ("world", "claim", "sets", "judged", "said", "false", "standard_error", "limit", "within")
SETS = 40
# Small enough that little is lost when a study is ended.
_PIECE = 5
# As many false ones as a claim at its limit exceeds once in a hundred such rows.
_CHANCE = 0.01


@dataclass(frozen=True, slots=True)
class WordsPiece:
    """Some panels of one world: those from ``first`` on, each the same whatever else is asked for."""

    world: str
    first: int
    count: int
    seed: int


def pieces_of(worlds: Sequence[str], sets: int, seed: int = 1) -> tuple[WordsPiece, ...]:
    """The pieces of a study of so many panels of each world."""
    return tuple(
        WordsPiece(key, first, min(_PIECE, sets - first), seed) for key in worlds for first in range(0, sets, _PIECE)
    )


def false_words(
    sets: int = SETS,
    seed: int = 1,
    workers: int = 1,
    worlds: Sequence[str] = (),
    kept: FinishedPieces | None = None,
) -> Run[StudyTable]:
    """The table of claims: how often each is said and how often it is false, world by world.

    Parameters
    ----------
    sets
        Panels of each world.
    seed
        Of the panels and of what a report draws at random.
    workers
        Number of processes; the table is the same whatever it is.
    worlds
        Keys of the worlds; by default all.
    kept
        What an earlier run of the same study had finished when it was ended; what is finished now goes there.

    Yields
    ------
    Step
        Phase ``study``.

    Returns
    -------
    StudyTable
        A row for each claim that can be judged in a world: how often it was ``judged`` (panels that were answered, or
        cases of them) and ``said``, the share of what was judged that is ``false`` with its standard error, the
        ``limit`` (none where nothing can be promised), and whether the share is ``within`` it, or above it by no more
        than chance makes once in a hundred such rows.

    Raises
    ------
    UsageError
        When a world does not exist, or there are no sets.
    """
    known = [row.key for row in WORLDS]
    for key in worlds:
        if key not in known:
            raise UsageError(
                _("There is no world '{key}'.").format(key=key),
                fix=_("Choose from {worlds}.").format(worlds=", ".join(known)),
            )
    if sets < 1:
        raise UsageError(_("{sets} data sets make no study.").format(sets=sets))
    pieces = pieces_of(worlds or known, sets, seed)
    results = yield from in_parallel(_counts, pieces, workers, kept=kept)
    rows: list[tuple[Cell, ...]] = []
    for key in worlds or known:
        counts = np.sum([f for p, f in zip(pieces, results, strict=True) if p.world == key], axis=0)
        judged = [row for row in CLAIMS if row.belongs(world(key))]
        rows += [_row(key, claim, sets, *counts[CLAIMS.index(claim)]) for claim in judged]
    return StudyTable("words", COLUMNS, tuple(rows))


def _row(key: str, claim: Claim, sets: int, judged: int, words: int, false: int) -> tuple[Cell, ...]:
    share = int(false) / max(int(judged), 1)
    error = float(np.sqrt(share * (1 - share) / max(int(judged), 1)))
    return (
        key,
        claim.key,
        sets,
        int(judged),
        int(words),
        share,
        error,
        claim.limit,
        is_within(false, judged, claim.limit),
    )


def is_within(false: int, judged: int, limit: float | None) -> bool:
    """Whether so many false ones are no more than chance makes once in a hundred rows at the limit."""
    return limit is None or int(false) <= int(binom.ppf(1 - _CHANCE, int(judged), limit))


def _counts(piece: WordsPiece) -> Run[tuple[tuple[int, int, int], ...]]:
    """For every claim: how often it was judged, said and false."""
    here = world(piece.world)
    counts = np.zeros((len(CLAIMS), 3), dtype=np.int64)
    for done in range(piece.count):
        draw = piece.first + done
        panel = here.draw(np.random.default_rng([piece.seed, crc32(piece.world.encode()), draw]))
        try:
            sentence = yield from relay(state(panel, piece.seed + draw), done, piece.count, "study")
        except TapdeskError:
            continue
        for at, claim in enumerate(CLAIMS):
            if claim.belongs(here):
                counts[at] += claim.tally(here, panel, sentence)
    return tuple((int(a), int(b), int(c)) for a, b, c in counts)
