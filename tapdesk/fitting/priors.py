"""Priors: what is believed of a rate before the data are seen, and as pseudo-counts on the unconstrained line."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, Freedom
from tapdesk.models.parameters import FloatArray
from tapdesk.models.space import Tally

LEAST_WEIGHT, MOST_WEIGHT = 1e-6, 1e6
"""A belief is worth so many ratings; beyond that the numbers of a computer no longer tell it from certainty."""

_NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)"
_WRITTEN = re.compile(rf"^\s*(\w+)\s*=\s*beta\(\s*{_NUMBER}\s*,\s*{_NUMBER}\s*\)\s*$", re.IGNORECASE)

_PRIORS_WRITTEN = re.compile(r"^\s*(\w+)\s*=\s*dirichlet\(\s*([^()]+?)\s*\)\s*$", re.IGNORECASE)
_VECTORS = {"t", "p", "pi", "p0", "p1"}


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
    match = _WRITTEN.match(text)
    if match is None:
        raise UsageError(
            _("The prior '{text}' cannot be read.").format(text=text),
            where="prior",
            fix=_('Write it like this: "a=beta(2,5)".'),
        )
    alpha, beta = float(match[2]), float(match[3])
    return Prior(match[1], alpha, beta)


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
    texts: set[str] = set()
    for prior in priors:
        if prior.name not in chosen:
            raise UsageError(
                _("The model has no parameter '{name}' for the prior {prior}.").format(name=prior.name, prior=prior),
                where=_("prior of {name}").format(name=prior.name),
                fix=_("Its parameters are: {chosen}.").format(chosen=", ".join(chosen)),
            )
        if prior.name in texts:
            raise UsageError(
                _("There are two priors for '{name}'.").format(name=prior.name),
                where=_("prior of {name}").format(name=prior.name),
                fix=_("Give one."),
            )
        texts.add(prior.name)
        chosen[prior.name] = prior
    return chosen


@dataclass(frozen=True, slots=True)
class Dirichlet:
    """A Dirichlet prior of a vector of rates, one weight for each class in their order; all 1 is flat.

    Attributes
    ----------
    name
        The parameter: ``t``, ``p`` or ``pi`` (there of each row, whatever its true class).
    weights
        K numbers, as those of a beta prior.

    Raises
    ------
    UsageError
        When the prior is improper; the sentence holds the values.
    """

    name: str
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.weights) < 2 or not all(LEAST_WEIGHT <= w <= MOST_WEIGHT for w in self.weights):
            raise UsageError(
                _("The prior {self} is not a distribution.").format(self=self),
                where=_("prior of {name}").format(name=self.name),
                fix=_(
                    "A dirichlet prior needs one number from {least:g} to {most:,.0f} for each class; all 1 is flat."
                ).format(least=LEAST_WEIGHT, most=MOST_WEIGHT),
            )

    def __str__(self) -> str:
        return f"{self.name}=dirichlet({','.join(f'{w:g}' for w in self.weights)})"


def parse_sampling_prior(text: str) -> Prior | Dirichlet:
    """The prior written as ``a=beta(2,5)`` or ``t=dirichlet(1,2,1)``.

    Raises
    ------
    UsageError
        When it is written otherwise or improper; the sentence holds the text.
    """
    match = _PRIORS_WRITTEN.match(text)
    if match is None:
        return parse_prior(text)
    try:
        weights = tuple(float(w) for w in match[2].split(","))
    except ValueError:
        raise UsageError(
            _("The prior '{text}' cannot be read.").format(text=text),
            where="prior",
            fix=_('Write it like this: "t=dirichlet(1,2,1)".'),
        ) from None
    return Dirichlet(match[1], weights)


def prior_counts(plan: Design, priors: Iterable[Prior | Dirichlet] = ()) -> Tally:
    """The priors as pseudo-counts with a leading axis of length 1, flat where none is given.

    Parameters
    ----------
    plan
        The model on its data.
    priors
        By name; a prior of ``a`` or ``p`` holds for every rater and class that has one.

    Returns
    -------
    Tally
        ``truth`` (1, K) or (1, G, K), ``hits`` and ``ratings`` (1, U or 1, K or 1), ``guesses`` (1, U or 1, K or 1, K),
        to be added to the expected counts of the data; ``log_likelihood`` is zero.

    Raises
    ------
    UsageError
        When a prior is for a parameter the model has not, comes twice, or has a wrong number of weights.
    """
    space = plan.space
    names = tuple(dict.fromkeys(s.name.name for s in plan.slots if s.freedom is Freedom.FREE and s.part != "slopes"))
    chosen = _chosen(names, priors)
    truth = np.broadcast_to(_weights(chosen.get("t"), plan.classes), (1, *space.truth_shape))
    alpha, beta = np.ones(space.accuracy_shape), np.ones(space.accuracy_shape)
    guesses = np.ones(space.guessing_shape)
    for k in range(space.accuracy_shape[1]):
        prior = chosen.get(f"a{k}" if f"a{k}" in names else "a")
        if isinstance(prior, Prior):
            alpha[:, k], beta[:, k] = prior.alpha, prior.beta
    for k in range(space.guessing_shape[1]):
        name = next((n for n in (f"p{k}", "pi", "p") if n in names), "")
        guesses[:, k] = _weights(chosen.get(name), plan.classes)
    return Tally(np.zeros(1), truth, alpha[None], (alpha + beta)[None], guesses[None])


def _chosen(names: Sequence[str], priors: Iterable[Prior | Dirichlet]) -> Mapping[str, Prior | Dirichlet]:
    chosen: dict[str, Prior | Dirichlet] = {}
    for prior in priors:
        if prior.name not in names:
            raise UsageError(
                _("The model has no parameter '{name}' for the prior {prior}.").format(name=prior.name, prior=prior),
                where=_("prior of {name}").format(name=prior.name),
                fix=_("Its parameters are: {value}.").format(value=", ".join(names) or "none"),
            )
        if prior.name in chosen:
            raise UsageError(
                _("There are two priors for '{name}'.").format(name=prior.name),
                _("prior of {name}").format(name=prior.name),
                _("Give one."),
            )
        if isinstance(prior, Dirichlet) and prior.name not in _VECTORS:
            raise UsageError(
                _("The prior {prior} is for rates of classes, and '{name}' is one rate.").format(
                    prior=prior, name=prior.name
                ),
                where=_("prior of {name}").format(name=prior.name),
                fix=_('Write it like this: "{name}=beta(2,5)".').format(name=prior.name),
            )
        chosen[prior.name] = prior
    return chosen


def _weights(prior: Prior | Dirichlet | None, classes: Sequence[str]) -> FloatArray:
    """Shape (K,): weights of a vector's prior; a beta prior of two classes speaks of class 1, the last one."""
    k = len(classes)
    if prior is None:
        return np.ones(k)
    weights = (prior.beta, prior.alpha) if isinstance(prior, Prior) else prior.weights
    if len(weights) != k:
        raise UsageError(
            _("The prior {prior} needs a weight for each class: {k}, and its number of weights is {weights}.").format(
                prior=prior, weights=len(weights), k=k
            ),
            where=_("prior of {name}").format(name=prior.name),
            fix=_('Write one weight for each class: "{name}=dirichlet({value})".').format(
                name=prior.name, value=",".join("1" * k)
            ),
        )
    return np.array(weights, dtype=np.float64)
