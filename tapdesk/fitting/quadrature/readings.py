"""Two ways to understand the same data, each with its share of the posterior and its own numbers."""

from collections.abc import Mapping
from dataclasses import replace

from tapdesk.fitting.posterior import Reading
from tapdesk.fitting.quadrature.likelihood import Floats
from tapdesk.fitting.quadrature.marginal import share_below
from tapdesk.fitting.quadrature.models import OneAccuracy, TwoAndTwo
from tapdesk.fitting.quadrature.parts import Part, Sharing
from tapdesk.fitting.quadrature.summary import Told, modes, summarise, valley
from tapdesk.language import gettext as _

# A second labelling with less than this is told as a number, not as a reading of its own.
_LEAST = 0.001

_LOW = {
    "a": _("The raters mostly guess: what they agree on comes from how often they pick each class."),
    "t": _("Class 1 is the rarer one in truth."),
    "p": _("Raters who do not know pick class 1 less often."),
}
_HIGH = {
    "a": _("The raters mostly know: what they agree on comes from the truth."),
    "t": _("Class 1 is the commoner one in truth."),
    "p": _("Raters who do not know pick class 1 more often."),
}
_AS_LABELLED = _("The classes are as labelled: cases truly in class 1 are rated class 1 more often than the others.")
_SWITCHED = _("The classes are switched: cases truly in class 1 are rated class 1 less often than the others.")


def readings(sharing: Sharing, parts: tuple[Part, ...], told: Mapping[str, Told], level: float) -> tuple[Reading, ...]:
    """The readings, the heavier first; empty when there is one only.

    ``t-a-p`` is cut where the density of the parameter with the clearest two peaks is lowest between them;
    ``t-a0a1-p0p1`` into its two labellings.

    Parameters
    ----------
    sharing, parts
        The model and its posterior.
    told
        Each parameter over the whole posterior.
    level
        Mass of the shortest intervals.
    """
    if isinstance(sharing, OneAccuracy):
        return _by_peaks(sharing, parts[0], told, level)
    if isinstance(sharing, TwoAndTwo):
        return _by_labelling(sharing, parts, level)
    return ()


def _by_labelling(sharing: TwoAndTwo, parts: tuple[Part, ...], level: float) -> tuple[Reading, ...]:
    if min(part.mass for part in parts) < _LEAST:
        return ()
    found = [
        _reading(sharing, part, part.mass, _SWITCHED if part.half.mirrored else _AS_LABELLED, level) for part in parts
    ]
    return tuple(sorted(found, key=lambda reading: -reading.mass))


def _by_peaks(sharing: OneAccuracy, part: Part, told: Mapping[str, Told], level: float) -> tuple[Reading, ...]:
    second: dict[str, tuple[float, float]] = {}
    for name, one in told.items():
        cut, peaks = valley(one.found), modes(one.found)
        if cut is not None:
            second[name] = (peaks[1].mass, cut)
    if not second:
        return ()
    name = max(second, key=lambda n: second[n][0])
    below = _below(part, name, second[name][1])
    sides = ((below, _LOW[name]), (1 - below, _HIGH[name]))
    rows = []
    for share, words in sides:
        side = replace(part, share=share)
        rows.append(_reading(sharing, side, float(side.node_mass.sum()), words, level))
    return tuple(sorted(rows, key=lambda reading: -reading.mass))


def _below(part: Part, name: str, cut: float) -> Floats:
    """The share of every node of the grid that lies below a cut of one parameter."""
    which = ("t", "a", "p").index(name)
    return share_below(cut, part.grid.logits[which], part.grid.spacing[which])


def _reading(sharing: Sharing, part: Part, mass: float, words: str, level: float) -> Reading:
    told = sharing.told([part])
    return Reading(mass, words, tuple(summarise(name, told[name], level) for name in sharing.names))
