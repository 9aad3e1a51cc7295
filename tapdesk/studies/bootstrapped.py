"""What a test by simulation says."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from tapdesk.language import gettext as _
from tapdesk.models.stack import FloatArray

QUANTILES = (0.5, 0.75, 0.9, 0.95, 0.98)


@dataclass(frozen=True, eq=False)
class BootstrapTest:
    """A statistic and how often data drawn from the hypothesis reach it (cli.md, ``tests``).

    Attributes
    ----------
    name
        What is tested: ``a=0``, ``t=p``, ``G2`` ...
    statistic
        The observed statistic.
    df
        Degrees of freedom where counting them means something (the p-value does not rest on them); else None.
    p_bootstrap
        (1 + number of simulated statistics at least as large) / (1 + replicates).
    quantiles
        Of the simulated statistics, by level written as ``0.95``.
    replicates
        Number of simulated data sets.
    draws
        Shape (replicates,): their statistics.
    about
        The hypothesis, in words.
    """

    name: str
    statistic: float
    df: int | None
    p_bootstrap: float
    quantiles: Mapping[str, float]
    replicates: int
    draws: FloatArray
    about: str = ""

    @property
    def rejects(self) -> bool:
        """Whether fewer than 5 in 100 data sets of the hypothesis look like this."""
        return self.p_bootstrap < 0.05

    @property
    def reached(self) -> int:
        """How many of the simulated data sets reach the observed statistic."""
        return round(self.p_bootstrap * (1 + self.replicates)) - 1

    @property
    def how_often(self) -> str:
        """How often data of the hypothesis look like this, in words."""
        if self.replicates and self.p_bootstrap * (1 + self.replicates) < 1.5:
            # None did: the p-value is then a bound set by the number of data sets, not a frequency.
            return _("less than 1 time in {replicates:,}").format(replicates=self.replicates)
        return one_in(self.p_bootstrap)


def bootstrap_test(name: str, statistic: float, df: int | None, draws: FloatArray, about: str) -> BootstrapTest:
    """The test of a statistic against its simulated distribution.

    Parameters
    ----------
    name, statistic, df, about
        As in `BootstrapTest`.
    draws
        Shape (replicates,): the statistic under the hypothesis.
    """
    # Equal on paper must count as equal: a statistic of exactly 0 is reached by every draw.
    reached = int((draws >= statistic - 1e-9 * (1 + abs(statistic))).sum())
    levels = np.quantile(draws, QUANTILES) if draws.size else np.full(len(QUANTILES), np.nan)
    told = {f"{q:g}": float(x) for q, x in zip(QUANTILES, levels, strict=True) if draws.size}
    p = (1 + reached) / (1 + draws.size)
    return BootstrapTest(name, float(statistic), df, p, MappingProxyType(told), draws.size, draws, about)


def one_in(p: float) -> str:
    """A probability as people say it, to two figures: ``1 time in 5``, ``1 time in 250``, ``more often than not``."""
    if p > 0.6:
        return "more often than not"
    if p >= 0.45:
        return "about every second time"
    times = 1 / max(p, 1e-12)
    size = 10 ** max(math.floor(math.log10(times)) - 1, 0)
    return _("1 time in {times:,}").format(times=round(times / size) * size)
