"""Pictures of the likelihood over two numbers at once."""

import numpy as np
from scipy.special import chdtri

from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Figure, Line, Mark, Points, Role
from tapdesk.answers.figures.contours import contour
from tapdesk.answers.nouns import counted
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.fitting.profile import value_at
from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy
from tapdesk.models.parameters import ParameterName
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.contour import LikelihoodSurface, surface, two_numbers
from tapdesk.studies.fleiss_kappa import kappa_estimate, root

_TICKS = tuple((i / 5, Number(f"{i / 5:g}")) for i in range(6))
_OF = 20
_LEVELS = ((0.5, Role.MODEL), (0.95, Role.REFERENCE))


def contour_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why there is no such picture, or None."""
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
        found = yield from surface(ratings, fit, pair)
        panels.append(panel(fit, found, root))
    return tuple(panels)


def root_kappa(ratings: Ratings) -> float | None:
    """The root of Fleiss' kappa; None where kappa is negative or undefined."""
    return root(kappa_estimate(ratings)).value


def panel(fit: Fit, found: LikelihoodSurface, root: float | None) -> Figure:
    """The lines of equal likelihood over two numbers; ``root`` of kappa is drawn on an accuracy."""
    names = called(found.x_name), called(found.y_name)
    marks: list[Line | Points | Mark] = []
    reach = []
    for level, role in _LEVELS:
        x, y = contour(found.x, found.y, found.fall, -float(chdtri(2, 1 - level)) / 2)
        if x.size:
            marks.append(Line(numbers.level(level), x, y, role))
        reach.append(reach_of(found, level))
    best = [best_of(fit, name) for name in (found.x_name, found.y_name)]
    # Where the ratings leave a number open there is no highest point, only one of many.
    known = all(estimate_of(fit, name).value is not None for name in (found.x_name, found.y_name))
    if known:
        marks.append(Points(_("highest"), np.array(best[:1]), np.array(best[1:]), Role.OBSERVED))
    if root is not None and found.y_name == ParameterName("a"):
        marks.append(Mark("√κ", root, vertical=False, role=Role.CLASSICAL))
    (low_x, high_x), (low_y, high_y) = (_ends(*ends) for ends in reach[-1])
    title = _("Among what fits almost as well as the best, {x} runs from {a} to {b} and {y} from {c} to {d}").format(
        x=names[0], y=names[1], a=low_x, b=high_x, c=low_y, d=high_y
    )
    told = _("Lines of equal likelihood over {x} and {y}. {title}.").format(x=names[0], y=names[1], title=title)
    if known:
        told = _("Lines of equal likelihood over {x} and {y}. {title}; the best is {bx} and {by}.").format(
            x=names[0], y=names[1], title=title, bx=numbers.decimal(best[0]), by=numbers.decimal(best[1])
        )
    return Figure(
        kind="contour",
        title=title,
        alt=told,
        x=Axis(names[0], 0.0, 1.0, _TICKS),
        y=Axis(names[1], 0.0, 1.0, _TICKS),
        marks=tuple(marks),
        note=_note(fit),
    )


def _note(fit: Fit) -> str:
    """Of how many ratings, what the lines are, and of which class and rater the numbers are."""
    told = [
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
        said = _(
            "Shown for the class {category}, which is most often true; for another class, ask about that one alone."
        )
        told.append(said.format(category=numbers.short(which.category)))
    if which.rater is not None:
        said = _("Shown for the rater {rater}, the least accurate one.")
        if fit.model.accuracy is Accuracy.ONE:
            said = _("Shown for the rater {rater}, whose guesses lie furthest from the others'.")
        told.append(said.format(rater=numbers.short(which.rater)))
    return " ".join(told)


def _ends(low: float, high: float) -> tuple[str, str]:
    """The ends of a range, with places enough to tell them apart."""
    places = numbers.places_of(None, low, high)
    return numbers.decimal(low, places=places), numbers.decimal(high, places=places)


def called(name: ParameterName) -> str:
    """A number as axes and tables call it, with the class and the rater it is of."""
    of = ", ".join(numbers.short(x, _OF) for x in (name.category, name.rater) if x is not None)
    return f"{name.name} ({of})" if of else name.name


def best_of(fit: Fit, name: ParameterName) -> float:
    """The value at the maximum, also of a number that the ratings leave open."""
    return value_at(fit.parameters, next(s for s in fit.slots if s.name == name))


def estimate_of(fit: Fit, name: ParameterName) -> Estimate:
    """The estimate of a number, by its whole name."""
    return next(e.estimate for e in fit.estimates if e.name == name)


def reach_of(found: LikelihoodSurface, level: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """The smallest and largest value of each number within the limit of a level, as far as its line is drawn."""
    limit = -float(chdtri(2, 1 - level)) / 2
    inside = found.fall >= limit
    line_x, line_y = contour(found.x, found.y, found.fall, limit)
    x = np.append(line_x, found.x[inside.any(axis=1)])
    y = np.append(line_y, found.y[inside.any(axis=0)])
    return (float(np.nanmin(x)), float(np.nanmax(x))), (float(np.nanmin(y)), float(np.nanmax(y)))
