"""Studies that a report prints only where it is asked for: two numbers at once, the next study, numbers found again."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from tapdesk.answers.figures import designs as figures_designs
from tapdesk.answers.figures import likelihood as figures_likelihood
from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.contour import LikelihoodSurface, surface, two_numbers
from tapdesk.studies.planning import plan, plan_point
from tapdesk.studies.recovery import RecoveryRange, recover_fit
from tapdesk.studies.table import StudyTable

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
    surfaces: tuple[LikelihoodSurface, ...]
    root: float | None


@dataclass(frozen=True, eq=False)
class Planned:
    """What studies of other sizes would tell.

    Attributes
    ----------
    fit
        Whose numbers are taken as the true ones.
    table
        As `tapdesk.studies.planning.plan` makes it.
    replicates
        Simulated studies of each size.
    """

    fit: Fit
    table: StudyTable
    replicates: int


@dataclass(frozen=True, eq=False)
class Recovered:
    """Where the numbers would be found in data drawn from them.

    Attributes
    ----------
    fit
        The answer of the project, whose numbers they are.
    found
        As `tapdesk.studies.recovery.found_again` makes it.
    replicates
        Data sets drawn.
    """

    fit: Fit
    found: tuple[RecoveryRange, ...]
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
    found = yield from recover_fit(fit, ratings, sets, seed)
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
