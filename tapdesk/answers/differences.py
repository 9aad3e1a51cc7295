"""How far two numbers lie apart, in words: the difference itself with its interval decides, never two intervals."""

from dataclasses import replace
from typing import TYPE_CHECKING

from tapdesk.answers import numbers
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _

if TYPE_CHECKING:
    # Only a name here: no sentence needs the study.
    from tapdesk.studies.differences import Difference


def words(difference: "Difference", level: float, style: Style = SCREEN) -> str:
    """How far two of some numbers lie apart, and what follows."""
    template = _("Their difference is {value} ({reach}), so the order may be luck.")
    if difference.clear:
        template = _("Their difference is {value} ({reach}).")
    if not difference.bounded:
        template = _("Their difference is {value}; how sure that is cannot be said, so the order may be luck.")
    if difference.alike:
        template = _("The test of equal {raters} finds nothing that tells them apart, so the order may be luck.")
    return template.format(**fields(difference, level, style))


def fields(difference: "Difference", level: float, style: Style = SCREEN) -> dict[str, str]:
    """The difference as ``value`` and its interval as ``reach``: a dash where it has none."""
    if not difference.bounded:
        return {"value": numbers.value(Estimate(difference.value), style), "reach": numbers.DASH}
    sentence = Estimate(difference.value).between(difference.low, difference.high, level, "bootstrap")
    return {
        "value": numbers.value(sentence, style),
        "reach": numbers.interval(sentence, replace(style, brackets=False)),
    }
