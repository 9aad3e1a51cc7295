"""Pictures of the likelihood along each parameter, the others at their best."""

from gettext import gettext as _

import numpy as np
from scipy.special import chdtri

from tapdesk.fitting.fit import Fit
from tapdesk.fitting.profile import Profile
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers, words
from tapdesk.report.figure import Axis, Figure, Line, Mark, Role
from tapdesk.report.figures_search import MOST_STACKED

_DEPTH = 5.0
_MOST_PANELS = 12


def profile_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why likelihood profiles cannot be drawn, or None."""
    del ratings
    if not _profiles(fit):
        return _("No likelihood profile was made with this fit: ask for profile intervals.")
    return None


def _profiles(fit: Fit) -> list[Profile]:
    return [p for p in fit.profiles if p.slot.name.name != "b"][:_MOST_PANELS]


def profile(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """How far the log-likelihood falls when one number is held and all others are at their best (models.md §5.4)."""
    del ratings
    found = _profiles(fit)
    return tuple(_panel(fit, p, last=len(found) <= MOST_STACKED and p is found[-1]) for p in found)


def _panel(fit: Fit, p: Profile, *, last: bool) -> Figure:
    top = float(p.log_likelihood.max())
    fall = p.log_likelihood - top
    best = float(p.at[int(np.argmax(fall))])
    name = str(p.slot.name) if p.slot.name.category is None else f"{p.slot.name.name} ({p.slot.name.category})"
    name = numbers.short(name, 30)
    low, high = numbers.decimal(p.low), numbers.decimal(p.high)
    limit = -float(chdtri(1, 1 - fit.interval[1])) / 2
    # The curve crosses the limit at the ends of the interval, which lie between the points of its grid.
    inner = [end for end in (p.low, p.high) if p.at[0] < end < p.at[-1]]
    at = np.append(p.at, inner)
    order = np.argsort(at, kind="stable")
    curve = np.append(fall, np.full(len(inner), limit))[order]
    return Figure(
        kind="profile",
        title=_("{name}: values from {low} to {high} fit almost as well as the best").format(
            name=name, low=low, high=high
        ),
        alt=_(
            "Log-likelihood along {name}, the other numbers at their best: highest at {best}, within the "
            "{level} limit from {low} to {high}."
        ).format(name=name, best=numbers.decimal(best), level=numbers.level(fit.interval[1]), low=low, high=high),
        x=Axis(_("Value") if last else "", 0.0, 1.0, tuple((i / 5, f"{i / 5:g}") for i in range(6))),
        y=Axis(name, -_DEPTH, 0.4, ticks=((0.0, "0"), (-2.0, "−2"), (-4.0, "−4"))),
        marks=(
            Mark(_("{level} limit").format(level=numbers.level(fit.interval[1])), limit, vertical=False),
            Line(_("{low} to {high}").format(low=low, high=high), at[order], curve, Role.MODEL),
        ),
        note=_("N = {size}. How far the log-likelihood falls below its highest value, in nats.").format(
            size=words.size(fit)
        ),
    )
