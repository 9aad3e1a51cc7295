"""Bootstrap over subjects: all coefficients on the same re-draws at once."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tapdesk.agreement.quantity import Quantity
from tapdesk.progress import Run, Step

_CELLS_AT_ONCE = 8_000_000
_REPLICATES_AT_ONCE = 250


def redraws(
    weight: NDArray[np.float64], quantities: Sequence[Quantity], replicates: int, seed: int
) -> Run[NDArray[np.float64]]:
    """Values of all quantities under subjects drawn again with replacement.

    Parameters
    ----------
    weight
        Shape (P,): number of subjects with each pattern.
    quantities
        What to evaluate; their families refer to the same patterns.
    replicates, seed
        How many re-draws B, and from which seed.

    Returns
    -------
    Run[NDArray[np.float64]]
        Shape (quantities, B); not-a-number where a re-draw leaves a coefficient undefined.
    """
    generator = np.random.default_rng(seed)
    draws = np.full((len(quantities), replicates), np.nan)
    families = {id(q.family): q.family for q in quantities}
    widest = max((f.features.shape[1] for f in families.values()), default=1)
    chunk = int(np.clip(_CELLS_AT_ONCE // max(weight.size + widest, 1), 1, _REPLICATES_AT_ONCE))
    for start in range(0, replicates, chunk):
        yield Step(start, replicates, "re-draws")
        stop = min(start + chunk, replicates)
        drawn = draw_weights(generator, weight, stop - start)
        totals = {key: family.redrawn(drawn) for key, family in families.items()}
        for row, quantity in enumerate(quantities):
            draws[row, start:stop] = quantity.value(totals[id(quantity.family)][:, quantity.columns])
    yield Step(replicates, replicates, "re-draws")
    return draws


def draw_weights(generator: np.random.Generator, weight: NDArray[np.float64], replicates: int) -> NDArray[np.float64]:
    """Shape (B, P): how often subjects of each pattern are drawn, out of as many as there are."""
    total, patterns = round(float(weight.sum())), weight.size
    if total > 8 * patterns:
        return generator.multinomial(total, weight / weight.sum(), replicates).astype(np.float64)
    # Drawing subjects one by one is ten times faster than a multinomial with as many cells.
    owner = np.repeat(np.arange(patterns), np.rint(weight).astype(np.int64))
    drawn = owner[generator.integers(0, total, (replicates, total))]
    flat = drawn + np.arange(replicates)[:, None] * patterns
    counts = np.bincount(flat.ravel(), minlength=replicates * patterns)
    return counts.reshape(replicates, patterns).astype(np.float64)
