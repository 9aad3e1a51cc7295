"""What re-draws cannot show: numbers these ratings leave open, and numbers on the edge of what is possible."""

from tapdesk.answers import numbers
from tapdesk.answers.parameters import called
from tapdesk.fitting.fit import Draws, Fit
from tapdesk.language import gettext as _

_MOST_NAMES = 3


def has_belief(draws: Draws | None) -> bool:
    """Whether what was drawn is a posterior, rather than data again and again."""
    return draws is not None and draws.kind == "posterior"


def nothing_moves(fit: Fit) -> str:
    """Why it cannot be shown how far the numbers would move; empty where it can."""
    drawn = fit.draws.values if fit.draws is not None else {}
    if not drawn:
        return _("No re-draws were made with this fit.")
    if not has_belief(fit.draws) and all(e.estimate.value is None for e in fit.estimates if e.name in drawn):
        return _("These ratings leave the numbers open, so how far they would move cannot be shown.")
    return ""


def cautions(fit: Fit) -> tuple[str, ...]:
    """What must be known to read the re-draws that are shown, one sentence each.

    The re-draws of a number that has no value would look like an answer, so they are left out; a belief stays, as the
    prior's answer, and is called so (models.md §3). Re-draws of a number on the edge stay there: the bootstrap does not
    hold where a parameter is at its bound (models.md §5).
    """
    drawn = fit.draws.values if fit.draws is not None else {}
    told = []
    left_out = [called(e, fit) for e in fit.estimates if e.name in drawn and e.estimate.value is None]
    if left_out and has_belief(fit.draws):
        told.append(
            _("What is assumed beforehand (the prior) decides these as much as the ratings: {names}.").format(
                names=_first(left_out)
            )
        )
    elif left_out:
        told.append(_("Not drawn, because these ratings leave it open: {names}.").format(names=_first(left_out)))
    known = {str(e.name): called(e, fit) for e in fit.estimates if e.estimate.value is not None}
    bounds = [bound.rpartition(" = ") for bound in fit.active_bounds]
    edges = [f"{known[name]} = {value}" for name, _is, value in bounds if name in known]
    if edges and not has_belief(fit.draws):
        told.append(
            _(
                "A number on the edge ({edges}) hardly moves when cases are drawn again, however little is known of "
                "it: read its interval instead."
            ).format(edges=_first(edges))
        )
    return tuple(told)


def _first(names: list[str]) -> str:
    """A few names, and how many more there are."""
    shown = ", ".join(numbers.short(name, 60) for name in names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    return _("{names} and {count} more").format(names=shown, count=numbers.count(more)) if more > 0 else shown
