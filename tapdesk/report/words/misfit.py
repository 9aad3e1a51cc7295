"""Whether a model misses something about the ratings, by the test of fit, in words."""

import numpy as np

from tapdesk.language import gettext as _
from tapdesk.report import numbers
from tapdesk.report.words.nouns import PLAIN, Nouns
from tapdesk.studies.likelihood_ratio import BootstrapTest

# A misfit that is one only in the last digits.
_EXACT = 1e-3


def misfit(test: BootstrapTest, nouns: Nouns = PLAIN, elsewhere: str = "") -> str:
    """How large the misfit is, how many data sets made by the model misfit as much, and what follows.

    Parameters
    ----------
    test
        The test of fit.
    nouns
        What ratings and subjects are called.
    elsewhere
        Where other models are told, a sentence; that of a report unless given.
    """
    told = _("Misfit: G² = {value}; {n} of {all} data sets made by the model misfit as much.").format(
        value=numbers.large(test.statistic, 2), n=numbers.count(test.reached), all=numbers.count(test.replicates)
    )
    if test.rejects:
        other = elsewhere or _("Other assumptions are tried under Sensitivity.")
        return _("{told} So the model misses something about these {ratings}. {other}").format(
            told=told, ratings=nouns.ratings, other=other
        )
    if _follows_anything(test):
        return _(
            "{told} With so few {ratings} of each {subject} it can follow almost any data, so this proves nothing."
        ).format(told=told, ratings=nouns.ratings, subject=nouns.subject)
    return _("{told} The {ratings} look like what the model makes.").format(told=told, ratings=nouns.ratings)


def _follows_anything(test: BootstrapTest) -> bool:
    """Whether the model has as many numbers as there is to follow: then its own data never misfit either."""
    return float(np.max(test.draws, initial=0.0)) < _EXACT or (test.df is not None and test.df <= 0)
