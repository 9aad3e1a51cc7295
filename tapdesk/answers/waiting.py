"""How long something will still take, in words."""

from tapdesk.language import gettext as _
from tapdesk.language import ngettext

_SOON = 0.02
_BEGUN = 0.5


def left(spent: float, share: float) -> str:
    """How long it will still take; empty while nobody can know.

    Parameters
    ----------
    spent
        Seconds it took so far.
    share
        Of the work that was done in them, from 0 to 1.
    """
    if share <= _SOON or spent < _BEGUN:
        return ""
    remaining = spent * (1 - share) / share
    if remaining < 1:
        return _("a moment left")
    if remaining < 120:
        return _("about {n} s left").format(n=round(remaining))
    if remaining < 7200:
        return _("about {n} min left").format(n=round(remaining / 60))
    hours = round(remaining / 3600)
    return ngettext("about {n} hour left", "about {n} hours left", hours).format(n=hours)
