"""How far two numbers lie apart, in words: the difference itself with its interval decides, never two intervals."""

from tapdesk.answers import numbers
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _
from tapdesk.studies.differences import Difference


def words(found: Difference, level: float) -> str:
    """How far the lowest and the highest of some numbers lie apart, and what follows."""
    template = _("Their difference is {value} ({reach}), so the order may be luck.")
    if found.clear:
        template = _("Their difference is {value} ({reach}).")
    return template.format(**fields(found, level))


def fields(found: Difference, level: float, style: Style = SCREEN) -> dict[str, str]:
    """The difference as ``value`` and its interval as ``reach``."""
    told = Estimate(found.value).between(found.low, found.high, level, "bootstrap")
    return {"value": numbers.value(told, style), "reach": numbers.interval(told, style)}
