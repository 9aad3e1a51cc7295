"""Pictures of the likelihood along each parameter, the others at their best."""

import numpy as np
from scipy.special import chdtri

from tapdesk.answers import fit_words as words
from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Figure, Line, Mark, Role
from tapdesk.answers.figures.contour import root_kappa
from tapdesk.answers.figures.search import MOST_STACKED
from tapdesk.fitting.fit import Fit
from tapdesk.fitting.profile import Profile
from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, design
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.contour import along, free_slots

_DEPTH = 5.0
_MOST_PANELS = 12
_POINTS = 101
_APART = 0.02


def profile_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why likelihood profiles cannot be drawn, or None."""
    del ratings
    if not _profiles(fit) and fit.interval[0] == "profile" and not fit.identification.identified:
        return _("These ratings leave the numbers of this model open, so no likelihood profile was made of any.")
    if not _profiles(fit):
        return _("No likelihood profile was made with this fit: ask for profile intervals.")
    return None


def _profiles(fit: Fit) -> list[Profile]:
    return [p for p in fit.profiles if p.slot.name.name != "b"][:_MOST_PANELS]


def profile(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """How far the log-likelihood falls as one number is moved, the others at their best or as they are (models.md §8).

    Vertical lines mark the estimate, and for an accuracy that all raters share the root of Fleiss' kappa.
    """
    found = _profiles(fit)
    root = root_kappa(ratings) if fit.classes == ratings.classes else None
    plan = design(fit.model, ratings) if fit.classes == ratings.classes and len(free_slots(fit)) > 1 else None
    return tuple(
        _panel(fit, p, _slice(fit, plan, p), root, last=len(found) <= MOST_STACKED and p is found[-1]) for p in found
    )


def _slice(fit: Fit, plan: Design | None, p: Profile) -> Line | None:
    """The fall with all other numbers as estimated; None where the data have changed or there is no other number."""
    if plan is None:
        return None
    best = float(p.at[int(np.argmax(p.log_likelihood))])
    at = np.unique(np.append(np.linspace(1e-6, 1 - 1e-6, _POINTS), best))
    fall = along(plan, fit, p.slot, at) - float(p.log_likelihood.max())
    return Line(_("others as they are"), at, np.minimum(fall, 0.0), Role.OTHER_START)


def _panel(fit: Fit, p: Profile, others: Line | None, root: float | None, *, last: bool) -> Figure:
    top = float(p.log_likelihood.max())
    fall = p.log_likelihood - top
    best = float(p.at[int(np.argmax(fall))])
    name = str(p.slot.name) if p.slot.name.category is None else f"{p.slot.name.name} ({p.slot.name.category})"
    name = numbers.short(name, 30)
    places = numbers.places_of(None, p.low, p.high)
    low, high = numbers.decimal(p.low, places=places), numbers.decimal(p.high, places=places)
    limit = -float(chdtri(1, 1 - fit.interval[1])) / 2
    # The curve crosses the limit at the ends of the interval, which lie between the points of its grid.
    inner = [end for end in (p.low, p.high) if p.at[0] < end < p.at[-1]]
    at = np.append(p.at, inner)
    order = np.argsort(at, kind="stable")
    at, curve = at[order], np.append(fall, np.full(len(inner), limit))[order]
    if others is not None:
        # Between the points of its grid the line is straight; it never lies below the other one, whose numbers stay.
        every = np.unique(np.concatenate([at, others.x]))
        curve = np.maximum(np.interp(every, at, curve), np.interp(every, others.x, others.y))
        at = every
    return Figure(
        kind="profile",
        title=_("{name}: values from {low} to {high} fit almost as well as the best").format(
            name=name, low=low, high=high
        ),
        alt=_(
            "Log-likelihood along {name}, the other numbers at their best: highest at {best}, within the "
            "{level} limit from {low} to {high}."
        ).format(
            name=name,
            best=numbers.decimal(best, places=places),
            level=numbers.level(fit.interval[1]),
            low=low,
            high=high,
        ),
        x=Axis(_("Value") if last else "", 0.0, 1.0, tuple((i / 5, Number(f"{i / 5:g}")) for i in range(6))),
        y=Axis(name, -_DEPTH, 0.4, ticks=((0.0, "0"), (-2.0, "−2"), (-4.0, "−4"))),
        marks=(
            Mark(_("{level} limit").format(level=numbers.level(fit.interval[1])), limit, vertical=False),
            *(() if others is None else (others,)),
            Line(_("{low} to {high}").format(low=low, high=high), at, curve, Role.MODEL),
            Mark("", best, role=Role.MODEL),
            *_root(p, root, best),
        ),
        note=_(
            "N = {size}. How far the log-likelihood falls below its highest value, in nats: thick with the other "
            "numbers at their best, thin with them as they are. Vertical: the estimate{root}."
        ).format(size=words.size(fit), root=_(", and √κ") if root is not None else ""),
    )


def _root(p: Profile, root: float | None, best: float) -> tuple[Mark, ...]:
    """The root of kappa, the classical accuracy, on a shared accuracy only; without words where they would collide."""
    if root is None or p.slot.name.name != "a" or p.slot.name.rater is not None:
        return ()
    return (Mark("√κ" if abs(root - best) > _APART else "", root, role=Role.CLASSICAL),)
