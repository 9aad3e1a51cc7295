"""Pictures of the likelihood: along each number with the others at their best, and over two numbers at once."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from tapdesk.answers import fit_words as words
from tapdesk.answers import numbers
from tapdesk.answers.charts import FIFTHS, SQUARE, Series, Shown, curves
from tapdesk.answers.figure import Axis, Figure, Mark, Role
from tapdesk.answers.figures.estimates import MOST_STACKED, symbol
from tapdesk.answers.numbers import counted
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.fitting.profile import Profile
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.design import Design, design
from tapdesk.models.model import Accuracy
from tapdesk.models.parameters import ParameterName
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.contour import LikelihoodSurface, along, free_slots, surface, two_numbers
from tapdesk.studies.fleiss_kappa import kappa_estimate, root

Floats = NDArray[np.float64]
Point = tuple[float, float]
_DEPTH = 5.0
_MOST_PANELS = 12
_POINTS = 101
_APART = 0.02
_LEVELS = ((0.5, Role.MODEL), (0.95, Role.REFERENCE))


def profile_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why likelihood profiles cannot be drawn, or None."""
    del ratings
    if not _profiles(fit) and fit.interval[0] == "profile" and not fit.identification.identified:
        return _("These {ratings} leave the numbers of this model open, so no likelihood profile was made of any.")
    if not _profiles(fit):
        return _("No likelihood profile was made with this fit: ask for profile intervals.")
    return None


def _profiles(fit: Fit) -> list[Profile]:
    # The likelihood of a number that means nothing here looks like that of one that does.
    void = {e.name for e in fit.estimates if e.estimate.value is None}
    return [p for p in fit.profiles if p.slot.name.name != "b" and p.slot.name not in void][:_MOST_PANELS]


def profile(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """How far the log-likelihood falls as one number is moved, the others at their best or as they are (models.md §8).

    Vertical lines mark the estimate, and for an accuracy that all raters share the root of Fleiss' kappa.
    """
    profiles = _profiles(fit)
    root = root_kappa(ratings) if fit.classes == ratings.classes else None
    plan = design(fit.model, ratings) if fit.classes == ratings.classes and len(free_slots(fit)) > 1 else None
    return tuple(
        _along(fit, p, _slice(fit, plan, p), root, last=len(profiles) <= MOST_STACKED and p is profiles[-1])
        for p in profiles
    )


def _slice(fit: Fit, plan: Design | None, p: Profile) -> Series | None:
    """The fall with all other numbers as estimated; None where the data have changed or there is no other number."""
    if plan is None:
        return None
    best = float(p.at[int(np.argmax(p.log_likelihood))])
    at = np.unique(np.append(np.linspace(1e-6, 1 - 1e-6, _POINTS), best))
    fall = along(plan, fit, p.slot, at) - float(p.log_likelihood.max())
    return Series(_("others as they are"), at, np.minimum(fall, 0.0), Role.OTHER_START)


def _along(fit: Fit, p: Profile, others: Series | None, root: float | None, *, last: bool) -> Figure:
    fall = p.log_likelihood - float(p.log_likelihood.max())
    best = float(p.at[int(np.argmax(fall))])
    name, level = symbol(p.slot.name), numbers.level(fit.interval[1])
    places = numbers.places_of(None, p.low, p.high)
    low, high = numbers.decimal(p.low, places=places), numbers.decimal(p.high, places=places)
    limit = -float(chdtri(1, 1 - fit.interval[1])) / 2
    # The curve crosses the limit at the ends of the interval, which lie between the points of its grid.
    inner = [end for end in (p.low, p.high) if p.at[0] < end < p.at[-1]]
    at = np.append(p.at, inner)
    order = np.argsort(at, kind="stable")
    at, curve = at[order], np.append(fall, np.full(len(inner), limit))[order]
    if others is not None:
        # Between the points of its grid the line is straight; there it never lies below the other one. The numbers of
        # the profile itself stay as they were found.
        every = np.unique(np.concatenate([at, others.x]))
        least = np.interp(every, others.x, others.y)
        curve = np.interp(every, at, curve)
        curve = np.where(np.isin(every, at), curve, np.maximum(curve, least))
        at = every
    alt = _(
        "Log-likelihood along {name}, the other numbers at their best: highest at {best}, within the {level} limit "
        "from {low} to {high}."
    ).format(name=name, best=numbers.decimal(best, places=places), level=level, low=low, high=high)
    note = _(
        "N = {size}. How far the log-likelihood falls below its highest value, in nats: thick with the other numbers "
        "at their best, thin with them as they are. Vertical: the estimate{root}."
    ).format(size=words.size(fit), root=_(", and √κ") if root is not None else "")
    thick = Series(_("others at their best"), at, curve, label=_("{low} to {high}").format(low=low, high=high))
    return curves(
        "profile",
        _("{name}: values from {low} to {high} fit almost as well as the best").format(name=name, low=low, high=high),
        Axis(_("Value") if last else "", 0.0, 1.0, FIFTHS),
        Axis(name, -_DEPTH, 0.4, ticks=((0.0, "0"), (-2.0, "−2"), (-4.0, "−4"))),
        [thick] if others is None else [others, thick],
        alt=alt,
        note=note,
        behind=[Mark(_("{level} limit").format(level=level), limit, vertical=False)],
        marks=[Mark("", best, role=Role.MODEL), *_root(p, root, best)],
        # Its panels carry the name of the number where the scale would be named.
        columns=(name, _("Log-likelihood below its highest")),
    )


def _root(p: Profile, root: float | None, best: float) -> tuple[Mark, ...]:
    """The root of kappa, the classical accuracy, on a shared accuracy only; without words where they would collide."""
    if root is None or p.slot.name.name != "a" or p.slot.name.rater is not None:
        return ()
    return (Mark("√κ" if abs(root - best) > _APART else "", root, role=Role.CLASSICAL),)


def contour_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why there is no picture of two numbers, or None."""
    if fit.classes != ratings.classes:
        return _("The classes have changed since this model was fitted: run it again.")
    if not two_numbers(fit).pairs:
        return _("The model {model} does not estimate two numbers that can be looked at together.").format(
            model=fit.model.name
        )
    return None


def contours(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """One panel for each two of t, a and p of a class: where the likelihood is nearly at its highest."""
    root = root_kappa(ratings)
    panels = []
    for pair in two_numbers(fit).pairs:
        likelihood_surface = yield from surface(ratings, fit, pair)
        panels.append(panel(fit, likelihood_surface, root))
    return tuple(panels)


def root_kappa(ratings: Ratings) -> float | None:
    """The root of Fleiss' kappa; None where kappa is negative or undefined."""
    return root(kappa_estimate(ratings)).value


def panel(fit: Fit, likelihood_surface: LikelihoodSurface, root: float | None) -> Figure:
    """The lines of equal likelihood over two numbers; ``root`` of kappa is drawn on an accuracy."""
    names = symbol(likelihood_surface.x_name), symbol(likelihood_surface.y_name)
    series = []
    for level, role in _LEVELS:
        x, y = contour(
            likelihood_surface.x, likelihood_surface.y, likelihood_surface.fall, -float(chdtri(2, 1 - level)) / 2
        )
        if x.size:
            series.append(Series(numbers.level(level), x, y, role))
    best = [best_of(fit, name) for name in (likelihood_surface.x_name, likelihood_surface.y_name)]
    (low_x, high_x), (low_y, high_y) = (_ends(*ends) for ends in reach_of(likelihood_surface, _LEVELS[-1][0]))
    title = _("Among what fits almost as well as the best, {x} runs from {a} to {b} and {y} from {c} to {d}").format(
        x=names[0], y=names[1], a=low_x, b=high_x, c=low_y, d=high_y
    )
    sentence = _("Lines of equal likelihood over {x} and {y}. {title}.")
    # Where the ratings leave a number open there is no highest point, only one of many.
    if all(estimate_of(fit, name).value is not None for name in (likelihood_surface.x_name, likelihood_surface.y_name)):
        series.append(Series(_("highest"), np.array(best[:1]), np.array(best[1:]), Role.OBSERVED, Shown.DOTS))
        sentence = _("Lines of equal likelihood over {x} and {y}. {title}; the best is {bx} and {by}.")
    on_accuracy = root is not None and likelihood_surface.y_name == ParameterName("a")
    return curves(
        "contour",
        title,
        Axis(names[0], 0.0, 1.0, FIFTHS),
        Axis(names[1], 0.0, 1.0, FIFTHS),
        series,
        alt=sentence.format(
            x=names[0], y=names[1], title=title, bx=numbers.decimal(best[0]), by=numbers.decimal(best[1])
        ),
        note=_note(fit),
        marks=[Mark("√κ", root, vertical=False, role=Role.CLASSICAL)] if on_accuracy and root is not None else (),
        height=SQUARE,
    )


def _note(fit: Fit) -> str:
    """Of how many ratings, what the lines are, and of which class and rater the numbers are."""
    sentences = [
        _("N = {size}; {model} model.").format(size=counted(fit.subjects, fit.ratings), model=fit.model.name),
        {
            2: _("Lines: where both numbers together fit within the 50 % and the 95 % limit."),
            3: _(
                "Lines: where both numbers together fit within the 50 % and the 95 % limit, the other number at its "
                "best."
            ),
        }.get(
            fit.free,
            _(
                "Lines: where both numbers together fit within the 50 % and the 95 % limit, all other numbers at their "
                "best."
            ),
        ),
    ]
    which = two_numbers(fit)
    if which.category is not None:
        sentence = _(
            "Shown for the class {category}, which is most often true; for another class, ask about that one alone."
        )
        sentences.append(sentence.format(category=numbers.short(which.category)))
    if which.rater is not None:
        sentence = _("Shown for the {rater} {name}, the least accurate one.")
        if fit.model.accuracy is Accuracy.ONE:
            sentence = _("Shown for the {rater} {name}, whose guesses lie furthest from the others'.")
        sentences.append(sentence.format(name=numbers.short(which.rater)))
    return joined(*sentences)


def _ends(low: float, high: float) -> tuple[str, str]:
    """The ends of a range, with places enough to tell them apart."""
    places = numbers.places_of(None, low, high)
    return numbers.decimal(low, places=places), numbers.decimal(high, places=places)


def best_of(fit: Fit, name: ParameterName) -> float:
    """The value at the maximum, also of a number that the ratings leave open."""
    return next(s for s in fit.slots if s.name == name).value(fit.parameters)


def estimate_of(fit: Fit, name: ParameterName) -> Estimate:
    """The estimate of a number, by its whole name."""
    return next(e.estimate for e in fit.estimates if e.name == name)


def reach_of(likelihood_surface: LikelihoodSurface, level: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """The smallest and largest value of each number within the limit of a level, as far as its line is drawn."""
    limit = -float(chdtri(2, 1 - level)) / 2
    inside = likelihood_surface.fall >= limit
    line_x, line_y = contour(likelihood_surface.x, likelihood_surface.y, likelihood_surface.fall, limit)
    x = np.append(line_x, likelihood_surface.x[inside.any(axis=1)])
    y = np.append(line_y, likelihood_surface.y[inside.any(axis=0)])
    return (float(np.nanmin(x)), float(np.nanmax(x))), (float(np.nanmin(y)), float(np.nanmax(y)))


def contour(x: Floats, y: Floats, height: Floats, level: float) -> tuple[Floats, Floats]:
    """The line at one height as points, shape (n,) each; NaN between its pieces.

    Parameters
    ----------
    x, y
        Shape (n,), (m,): rising.
    height
        Shape (n, m), finite or minus infinity.
    level
        The height; where the table ends on higher ground the line stays open.
    """
    heights = np.where(np.isfinite(height), height, np.nanmin(height[np.isfinite(height)]))
    pieces = _joined(_segments(x, y, heights, level))
    gap = np.array([[np.nan, np.nan]])
    parts = [part for piece in pieces for part in (np.array(piece), gap)]
    if not parts:
        return np.zeros(0), np.zeros(0)
    points = np.concatenate(parts[:-1])
    return points[:, 0], points[:, 1]


def _segments(x: Floats, y: Floats, height: Floats, level: float) -> list[tuple[Point, Point]]:
    """One or two straight pieces through every cell that the line crosses."""
    above = height > level
    corners = above[:-1, :-1].astype(int) + above[1:, :-1] + above[1:, 1:] + above[:-1, 1:]
    items: list[tuple[Point, Point]] = []
    for i, j in zip(*np.nonzero((corners > 0) & (corners < 4)), strict=True):
        ring = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
        cuts = []
        for (a, b), (c, d) in zip(ring, [*ring[1:], ring[0]], strict=True):
            if above[a, b] != above[c, d]:
                share = (level - height[a, b]) / (height[c, d] - height[a, b])
                cuts.append((float(x[a] + share * (x[c] - x[a])), float(y[b] + share * (y[d] - y[b]))))
        if len(cuts) == 4 and height[i : i + 2, j : j + 2].mean() > level and above[i, j]:
            # Two high corners across: the ground between them decides which sides belong together.
            cuts = [cuts[1], cuts[2], cuts[3], cuts[0]]
        elif len(cuts) == 4 and height[i : i + 2, j : j + 2].mean() <= level and not above[i, j]:
            cuts = [cuts[1], cuts[2], cuts[3], cuts[0]]
        items += [(cuts[k], cuts[k + 1]) for k in range(0, len(cuts), 2)]
    return items


def _joined(segments: list[tuple[Point, Point]]) -> list[list[Point]]:
    """Segments end to end, closed where they close."""
    at: dict[Point, list[int]] = {}
    for number, ends in enumerate(segments):
        for end in ends:
            at.setdefault(_key(end), []).append(number)
    left = set(range(len(segments)))
    lines: list[list[Point]] = []
    while left:
        first = left.pop()
        line = list(segments[first])
        for grow in (True, False):
            while True:
                end = line[-1] if grow else line[0]
                following = next((n for n in at[_key(end)] if n in left), None)
                if following is None:
                    break
                left.remove(following)
                one, other = segments[following]
                new = other if _key(one) == _key(end) else one
                line = [*line, new] if grow else [new, *line]
        lines.append(line)
    return lines


def _key(point: Point) -> Point:
    return round(point[0], 12), round(point[1], 12)
