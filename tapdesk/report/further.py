"""Studies that a report prints only where it is asked for: two numbers at once, the next study, numbers found again."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.catalog import model
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.figures import designs as figures_designs
from tapdesk.report.figures import likelihood as figures_likelihood
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.found_again import Again, found_again
from tapdesk.studies.plan_point import plan_point
from tapdesk.studies.planner import plan
from tapdesk.studies.surface import Surface, surface
from tapdesk.studies.table import Table
from tapdesk.studies.two_numbers import two_numbers

_REPLICATES = 200
# The picture calls its intervals so.
_LEVEL = 0.95
_NO_ANSWER = _("This is worked out from the answer of a model, and there is none for these ratings.")


@dataclass(frozen=True, eq=False)
class Together:
    """The likelihood over every two of t, a and p of a class, and of a rater where raters differ.

    Attributes
    ----------
    fit
        Whose numbers they are: the answer of the project, or `t-a-p` where that one has not two numbers to hold.
    surfaces
        One for each two numbers.
    root
        Of Fleiss' kappa; None where it has none.
    """

    fit: Fit
    surfaces: tuple[Surface, ...]
    root: float | None


@dataclass(frozen=True, eq=False)
class Planned:
    """What studies of other sizes would tell.

    Attributes
    ----------
    fit
        Whose numbers are taken as the true ones.
    table
        As `tapdesk.studies.planner.plan` makes it.
    replicates
        Simulated studies of each size.
    """

    fit: Fit
    table: Table
    replicates: int


@dataclass(frozen=True, eq=False)
class Recovered:
    """Where the numbers would be found in data drawn from them.

    Attributes
    ----------
    fit
        The answer of the project, whose numbers they are.
    found
        As `tapdesk.studies.found_again.found_again` makes it.
    replicates
        Data sets drawn.
    """

    fit: Fit
    found: tuple[Again, ...]
    replicates: int


def together(ratings: Ratings, fit: Fit | None, level: float, seed: int) -> Run[Together]:
    """The likelihood over two numbers at once.

    Yields
    ------
    Step
        The phases of a fit, where another one is needed, and ``surface``.

    Raises
    ------
    CannotAnswerError
        When these ratings have no such picture.
    """
    found = yield from _suited(figures_likelihood.contour_needs, ratings, fit, level, seed)
    surfaces = []
    for pair in two_numbers(found).pairs:
        made = yield from surface(ratings, found, pair)
        surfaces.append(made)
    return Together(found, tuple(surfaces), figures_likelihood.root_kappa(ratings))


def planned(ratings: Ratings, fit: Fit | None, level: float, seed: int, replicates: int = _REPLICATES) -> Run[Planned]:
    """How much studies of other sizes would tell, if the numbers were as estimated.

    Yields
    ------
    Step
        The phases of a fit, where another one is needed, and ``study``.

    Raises
    ------
    CannotAnswerError
        When there is nothing to plan from.
    """
    found = yield from _suited(figures_designs.plan_needs, ratings, fit, level, seed)
    sets = min(replicates, _REPLICATES)
    table = yield from plan(
        plan_point(found, ratings),
        figures_designs.SUBJECTS,
        figures_designs.RATERS,
        level=_LEVEL,
        replicates=sets,
        seed=seed,
    )
    return Planned(found, table, sets)


def recovered(ratings: Ratings, fit: Fit | None, seed: int, replicates: int = _REPLICATES) -> Run[Recovered]:
    """Where the numbers of the answer would be found if they were true.

    Yields
    ------
    Step
        The phase ``re-draws``.

    Raises
    ------
    CannotAnswerError
        When there is nothing to draw from.
    """
    if fit is None:
        raise CannotAnswerError(_NO_ANSWER)
    sets = min(replicates, _REPLICATES)
    found = yield from found_again(fit, ratings, sets, seed)
    return Recovered(fit, found, sets)


def _suited(
    needs: Callable[[Fit, Ratings], str | None], ratings: Ratings, fit: Fit | None, level: float, seed: int
) -> Run[Fit]:
    """The answer itself where a study can be made of it, else one accuracy for all raters."""
    reason = _NO_ANSWER if fit is None else needs(fit, ratings)
    if fit is not None and reason is None:
        return fit
    asked = Request(model("t-a-p"), level=level, seed=seed)
    if fit is None or fit.model.name == "t-a-p" or refusal(ratings, asked):
        raise CannotAnswerError(str(reason))
    found = yield from analyse(ratings, replace(asked, subjects=False))
    again = needs(found, ratings)
    if again:
        raise CannotAnswerError(again)
    return found
