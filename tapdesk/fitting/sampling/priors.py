"""Priors of sampled models as pseudo-counts, which is what they are on the unconstrained line.

With log ratios and logits as coordinates, a Dirichlet(w) prior with its Jacobian has the log density sum(w log p),
and a Beta(alpha, beta) prior has alpha log a + beta log(1 - a): both look like further counts, so the log prior and
its gradient need no code of their own.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.fitting.priors import LEAST_WEIGHT, MOST_WEIGHT, Prior, parse_prior
from tapdesk.language import gettext as _
from tapdesk.models.design import Design
from tapdesk.models.slots import Freedom
from tapdesk.models.space import Tally
from tapdesk.models.stack import FloatArray

_WRITTEN = re.compile(r"^\s*(\w+)\s*=\s*dirichlet\(\s*([^()]+?)\s*\)\s*$", re.IGNORECASE)
_VECTORS = {"t", "p", "pi", "p0", "p1"}


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
    found = _WRITTEN.match(text)
    if found is None:
        return parse_prior(text)
    try:
        weights = tuple(float(w) for w in found[2].split(","))
    except ValueError:
        raise UsageError(
            _("The prior '{text}' cannot be read.").format(text=text),
            where="prior",
            fix=_('Write it like this: "t=dirichlet(1,2,1)".'),
        ) from None
    return Dirichlet(found[1], weights)


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
        ``truth`` (1, K), ``hits`` and ``ratings`` (1, U or 1, K or 1), ``guesses`` (1, U or 1, K or 1, K), to be added
        to the expected counts of the data; ``log_likelihood`` is zero.

    Raises
    ------
    UsageError
        When a prior is for a parameter the model has not, comes twice, or has a wrong number of weights.
    """
    space = plan.space
    names = tuple(dict.fromkeys(s.name.name for s in plan.slots if s.freedom is Freedom.FREE and s.part != "slopes"))
    chosen = _chosen(names, priors)
    truth = _weights(chosen.get("t"), plan.classes)[None]
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
            _("The prior {prior} has {weights} weights for {k} classes.").format(
                prior=prior, weights=len(weights), k=k
            ),
            where=_("prior of {name}").format(name=prior.name),
            fix=_('Write one weight for each class: "{name}=dirichlet({value})".').format(
                name=prior.name, value=",".join("1" * k)
            ),
        )
    return np.array(weights, dtype=np.float64)
