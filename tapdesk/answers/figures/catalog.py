"""The catalog of pictures: each a function from a fit and its ratings to figures."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tapdesk.answers.figure import Figure
from tapdesk.answers.figures import (
    agreement,
    cases,
    chance,
    checks,
    classes,
    designs,
    estimates,
    likelihood,
    models,
    open_questions,
    raters,
    ruler,
    shares,
    split,
)
from tapdesk.answers.figures import tree as figures_tree
from tapdesk.answers.slope_curve import along_columns, curve_needs
from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step, finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.scan import Direction

Needs = Callable[[Fit, Ratings], str | None]
Studied = Callable[[Fit, Ratings], Run[tuple[Figure, ...]]]


@dataclass(frozen=True, slots=True)
class FigureKind:
    """One row of the catalog.

    Attributes
    ----------
    kind
        Its name on the command line and in project files.
    title
        What it answers, a short question.
    needs
        None when the picture can be drawn, else the sentence why not.
    draw
        The figures, one for each panel, at once.
    run
        Of a picture that is a study of its own, or rests on one: the same as a run. None for the others.
    columns
        How many panels have room beside each other on paper.
    redraws
        Whether it shows re-draws of the cases, which a fit is then to have.
    shares
        Whether it shows what follows from the fit about single ratings (`Fit.shares`, `Fit.accuracy_range`), which
        cost as much as the fit itself.
    """

    kind: str
    title: str
    needs: Needs
    draw: Callable[[Fit, Ratings], tuple[Figure, ...]]
    run: Studied | None = None
    columns: int = 2
    redraws: bool = False
    shares: bool = True


def _study(kind: str, title: str, needs: Needs, run: Studied, columns: int = 2, *, shares: bool = True) -> FigureKind:
    """A row whose picture takes time."""
    return FigureKind(kind, title, needs, partial(_drawn, run), run, columns, shares=shares)


def _drawn(run: Studied, fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    return finish(run(fit, ratings))


SCAN = "scan"
FIGURES: tuple[FigureKind, ...] = (
    FigureKind("estimates", _("What are the numbers?"), estimates.estimates_needs, estimates.estimates),
    FigureKind(
        "distribution",
        _("Does the model look like the data?"),
        shares.distribution_needs,
        shares.distribution,
    ),
    FigureKind(
        "class_rates",
        _("How often was each class given?"),
        shares.class_rates_needs,
        shares.class_rates,
        redraws=True,
    ),
    FigureKind(
        "parameters",
        _("How far would the numbers move?"),
        estimates.parameters_needs,
        estimates.parameters,
        redraws=True,
    ),
    FigureKind("profile", _("Which values fit almost as well?"), likelihood.profile_needs, likelihood.profile),
    FigureKind("pairs", _("Which {raters} agree with each other?"), agreement.pairs_needs, agreement.pairs),
    FigureKind("convergence", _("Did the search settle?"), estimates.convergence_needs, estimates.convergence),
    FigureKind("tree", _("How does {a_rating} come about?"), figures_tree.tree_needs, figures_tree.tree),
    FigureKind(
        "votes",
        _("How often is a vote right?"),
        checks.votes_needs,
        checks.voting,
        checks.foretold,
    ),
    _study("information", _("Whose {ratings} say most?"), raters.information_needs, raters.informing),
    FigureKind(
        "calibration",
        _("Does the model predict the rates?"),
        checks.calibration_needs,
        checks.calibration,
    ),
    FigureKind(
        "surprises",
        _("Which {ratings} stand against all others?"),
        raters.surprises_needs,
        raters.surprising,
    ),
    FigureKind(
        "expected",
        _("How much of the agreement is luck?"),
        shares.expected_needs,
        shares.expected,
        # Half a page is too narrow for the names and the numbers of its rows.
        columns=1,
        redraws=True,
    ),
    FigureKind(
        "rater_histogram",
        _("How are the {raters} spread?"),
        raters.histogram_needs,
        raters.rater_histogram,
        columns=1,
    ),
    _study(
        "ruler",
        _("Where do {raters} and {subjects} lie between luck and knowledge?"),
        ruler.ruler_needs,
        ruler.ruling,
        1,
    ),
    _study("accurate_raters", _("What if only accurate {raters} counted?"), raters.accurate_needs, raters.choosing, 1),
    _study("curve", _("What does accuracy change with?"), curve_needs, along_columns),
    FigureKind("cohen", _("How does Cohen’s kappa come about?"), cases.cohen_needs, cases.cohen),
    FigureKind(
        "split", _("How much of it is knowledge, half of it, luck?"), split.split_needs, split.split, redraws=True
    ),
    _study("cases", _("How sure are the {subjects}?"), cases.cases_needs, cases.case_probabilities),
    _study("clinical", _("What are sensitivity and specificity?"), cases.clinical_needs, cases.clinical),
    _study(
        "kappa_factor",
        _("Does the root of kappa hold up as an accuracy?"),
        open_questions.kappa_factor_needs,
        open_questions.kappa_factor,
        columns=1,
    ),
    _study(
        "balance",
        _("Would leaving out {subjects} of the frequent class help?"),
        open_questions.balance_needs,
        open_questions.balancing,
    ),
    FigureKind(
        "thermometers",
        _("Why do agreements grow faster than what is known?"),
        open_questions.thermometers_needs,
        open_questions.thermometers,
    ),
    _study(
        "contour", _("Which two numbers fit together?"), likelihood.contour_needs, likelihood.contours, shares=False
    ),
    _study("paradox", _("What do agreement and kappa leave open?"), chance.paradox_needs, chance.panel, shares=False),
    _study("chance", _("Could this be chance?"), chance.chance_needs, chance.simulated),
    _study("horizon", _("How far does luck alone reach?"), chance.chance_needs, chance.horizon),
    _study(
        "independence",
        _("Do {raters} agree more than the model explains?"),
        raters.independence_needs,
        raters.pairs_together,
    ),
    _study(
        "influence",
        _("What if one {rater} were left out?"),
        raters.influence_needs,
        raters.leaving_out,
    ),
    _study(SCAN, _("Does the place of the line matter?"), classes.scan_needs, classes.cuts),
    _study("class_pairs", _("Which classes are confused?"), classes.pairs_needs, classes.each_pair),
    _study("models", _("Would another model say otherwise?"), models.models_needs, models.fitted),
    _study(
        "recovery",
        _("Would such numbers be found again?"),
        designs.recovery_needs,
        designs.recovered,
    ),
    _study("plan", _("What would more {ratings} give?"), designs.plan_needs, designs.planned, shares=False),
)


def picture(kind: str) -> FigureKind:
    """The row of the catalog with this name.

    Raises
    ------
    UsageError
        When there is none; the names are listed.
    """
    for row in FIGURES:
        if row.kind == kind:
            return row
    known = ", ".join(row.kind for row in FIGURES)
    raise UsageError(
        _("There is no figure “{kind}”.").format(kind=kind), fix=_("The figures are: {known}.").format(known=known)
    )


def figures(kind: str, fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """The figures of one kind, one for each panel.

    Raises
    ------
    UsageError
        When there is no such kind.
    CannotAnswerError
        When these data or this fit do not support it; says why.
    """
    return finish(made(kind, fit, ratings))


def made(kind: str, fit: Fit, ratings: Ratings, direction: str = "above") -> Run[tuple[Figure, ...]]:
    """The same as a run, for pictures that are studies of their own.

    Parameters
    ----------
    kind, fit, ratings
        As `figures`.
    direction
        Of the cuts of ordered classes: a value of `tapdesk.studies.scan.Direction`.

    Yields
    ------
    Step
        The phases of the study, if it is one.

    Raises
    ------
    UsageError, CannotAnswerError
        As `figures`.
    """
    row = picture(kind)
    reason = row.needs(fit, ratings)
    if reason is not None:
        raise CannotAnswerError(reason)
    if row.run is None:
        yield Step(1, 1, "figure")
        return row.draw(fit, ratings)
    if kind == SCAN:
        return (yield from classes.cuts(fit, ratings, Direction(direction)))
    return (yield from row.run(fit, ratings))
