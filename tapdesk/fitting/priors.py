"""Beta priors of the binary models: what is believed of a rate before the data are seen."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _

LEAST_WEIGHT, MOST_WEIGHT = 1e-6, 1e6
"""A belief is worth so many ratings; beyond that the numbers of a computer no longer tell it from certainty."""

_NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)"
_WRITTEN = re.compile(rf"^\s*(\w+)\s*=\s*beta\(\s*{_NUMBER}\s*,\s*{_NUMBER}\s*\)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Prior:
    """A Beta(alpha, beta) prior of one named rate; Beta(1, 1) is flat.

    Attributes
    ----------
    name
        The parameter (``t``, ``a``, ``a0`` ...), in its class 1 meaning: ``p`` is the rate of class 1.
    alpha, beta
        Both from `LEAST_WEIGHT` to `MOST_WEIGHT`: anything else is no distribution, or as good as a fixed number.

    Raises
    ------
    UsageError
        When the prior is improper; the sentence holds the values.
    """

    name: str
    alpha: float = 1.0
    beta: float = 1.0

    def __post_init__(self) -> None:
        if not (LEAST_WEIGHT <= self.alpha <= MOST_WEIGHT and LEAST_WEIGHT <= self.beta <= MOST_WEIGHT):
            raise UsageError(
                _("The prior {self} is not a distribution.").format(self=self),
                where=_("prior of {name}").format(name=self.name),
                fix=_(
                    "Both numbers of a beta prior must lie between {least:g} and {most:,.0f}; beta(1,1) is flat."
                ).format(least=LEAST_WEIGHT, most=MOST_WEIGHT),
            )

    def __str__(self) -> str:
        return f"{self.name}=beta({self.alpha:g},{self.beta:g})"

    @property
    def flat(self) -> bool:
        """Whether every value is held equally probable."""
        return self.alpha == self.beta == 1

    def mirrored(self) -> "Prior":
        """The prior of one minus the rate."""
        return Prior(self.name, self.beta, self.alpha)


def parse_prior(text: str) -> Prior:
    """The prior written as ``a=beta(2,5)``.

    Raises
    ------
    UsageError
        When it is written otherwise or improper; the sentence holds the text.
    """
    found = _WRITTEN.match(text)
    if found is None:
        raise UsageError(
            _("The prior '{text}' cannot be read.").format(text=text),
            where="prior",
            fix=_('Write it like this: "a=beta(2,5)".'),
        )
    alpha, beta = float(found[2]), float(found[3])
    return Prior(found[1], alpha, beta)


def priors_of(names: Iterable[str], priors: Iterable[Prior]) -> Mapping[str, Prior]:
    """The prior of each named parameter, flat unless one is given.

    Parameters
    ----------
    names
        The parameters of the model.
    priors
        The priors that were asked for.

    Raises
    ------
    UsageError
        When a prior is for a parameter the model has not, or a parameter is given two.
    """
    chosen = {name: Prior(name) for name in names}
    asked: set[str] = set()
    for prior in priors:
        if prior.name not in chosen:
            raise UsageError(
                _("The model has no parameter '{name}' for the prior {prior}.").format(name=prior.name, prior=prior),
                where=_("prior of {name}").format(name=prior.name),
                fix=_("Its parameters are: {chosen}.").format(chosen=", ".join(chosen)),
            )
        if prior.name in asked:
            raise UsageError(
                _("There are two priors for '{name}'.").format(name=prior.name),
                where=_("prior of {name}").format(name=prior.name),
                fix=_("Give one."),
            )
        asked.add(prior.name)
        chosen[prior.name] = prior
    return chosen
