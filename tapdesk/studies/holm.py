"""P-values of several tests together (Holm 1979, Scandinavian Journal of Statistics 6:65)."""

from collections.abc import Sequence


def holm(p: Sequence[float]) -> tuple[float, ...]:
    """P-values adjusted so that among all of them a false rejection is no more frequent than the level.

    Parameters
    ----------
    p
        Of the tests, each between 0 and 1.
    """
    order = sorted(range(len(p)), key=lambda i: p[i])
    adjusted, highest = [0.0] * len(p), 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min((len(p) - rank) * p[i], 1.0))
        adjusted[i] = highest
    return tuple(adjusted)
