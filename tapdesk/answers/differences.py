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


def words(found: "Difference", level: float, style: Style = SCREEN) -> str:
    """How far two of some numbers lie apart, and what follows."""
    template = _("Their difference is {value} ({reach}), so the order may be luck.")
    if found.clear:
        template = _("Their difference is {value} ({reach}).")
    if not found.bounded:
        template = _("Their difference is {value}; how sure that is cannot be said, so the order may be luck.")
    if found.alike:
        template = _("The test of equal {raters} finds nothing that tells them apart, so the order may be luck.")
    return template.format(**fields(found, level, style))


def fields(found: "Difference", level: float, style: Style = SCREEN) -> dict[str, str]:
    """The difference as ``value`` and its interval as ``reach``: a dash where it has none."""
    if not found.bounded:
        return {"value": numbers.value(Estimate(found.value), style), "reach": numbers.DASH}
    told = Estimate(found.value).between(found.low, found.high, level, "bootstrap")
    return {"value": numbers.value(told, style), "reach": numbers.interval(told, replace(style, brackets=False))}
