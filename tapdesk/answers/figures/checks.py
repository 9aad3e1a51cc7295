"""Pictures that hold the model against the ratings: rates it predicts, and votes it would foretell (models.md §8)."""

import numpy as np

from tapdesk.answers import model_checks as words_checks
from tapdesk.answers import numbers
from tapdesk.answers.charts import FIFTHS, SQUARE, Series, Shown, curves
from tapdesk.answers.figure import Axis, Figure, Line, Role
from tapdesk.answers.figures.shares import no_one_rating
from tapdesk.answers.fit_words import too_wide
from tapdesk.answers.numbers import counted
from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.language import Number, joined
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.design_study import votes
from tapdesk.studies.rater_diagnostics import Calibration, rater_calibration, rating_calibration
from tapdesk.studies.simulated_data import complete_count_vectors

_MOST_CLASSES = 4
_MOST_VOTES = 15
_NAME = 22


def size_of(fit: Fit) -> str:
    """Of how many ratings a picture is, and of which model."""
    return _("N = {size}; {model} model.").format(size=counted(fit.subjects, fit.ratings), model=fit.model.name)


def readable(fit: Fit, ratings: Ratings) -> str | None:
    """Why nothing can be drawn of these ratings with this fit, or None."""
    if not ratings.subject.size:
        return _("There are no {ratings} to draw.")
    if fit.classes != ratings.classes:
        return _("The classes have changed since this model was fitted: run it again.")
    if fit.model.name == "ti-aj-P":
        return _("This picture needs a model with true classes, such as t-aj-p.")
    return None


def calibration_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why calibration cannot be drawn, or None."""
    if ratings.subject.size and not (ratings.ratings_per_subject() > 1).any():
        return _("No {subject} has two {ratings}, so there is nothing that the model could predict from the others.")
    return readable(fit, ratings)


def calibration(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """Modelled against observed rates: of ratings in groups, and of raters where they are known.

    Of two classes class 1 is told, of more each class, the first few of many.
    """
    return (*ratings_foretold(fit, ratings), *(raters_foretold(fit, ratings) if ratings.raters_known else ()))


def ratings_foretold(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """Calibration of groups of ratings, one panel for each class that is told."""
    return tuple(
        _calibrated(fit, rating_calibration(ratings, fit, c), fit.classes[c], raters=False) for c in told_classes(fit)
    )


def raters_foretold(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """Calibration of raters, one panel for each class that is told."""
    return tuple(
        _calibrated(fit, rater_calibration(ratings, fit, c), fit.classes[c], raters=True) for c in told_classes(fit)
    )


def told_classes(fit: Fit) -> tuple[int, ...]:
    """The classes whose calibration is told: class 1 of two, else the first few."""
    return (1,) if len(fit.classes) == 2 else tuple(range(len(fit.classes)))[:_MOST_CLASSES]


def _calibrated(fit: Fit, result: Calibration, label: str, *, raters: bool) -> Figure:
    name = numbers.short(label, _NAME)
    off = numbers.decimal(result.mean_absolute_error)
    title = _("{Ratings} “{label}”, by group: {off} between model and data").format(label=name, off=off)
    if raters:
        title = _("{Ratings} “{label}”, by {rater}: {off} between model and data").format(label=name, off=off)
    kind = _("Each dot is one {rater}.")
    if not raters:
        kind = _(
            "Each dot is a group of {ratings} for which the model, given the other {ratings} of {a_subject}, says "
            "much the same."
        )
    seen = Series(
        "", result.modelled, result.observed, Role.OBSERVED, Shown.DOTS, result.low, result.high, names=result.names
    )
    return curves(
        "calibration",
        title,
        Axis(_("rate by the model"), 0.0, 1.0, FIFTHS),
        Axis(_("observed rate of “{label}”").format(label=name), 0.0, 1.0, FIFTHS),
        [seen],
        note=joined(
            size_of(fit),
            kind,
            _("Lines: two standard errors."),
            _("{outside} of {all} are further from the diagonal than luck explains.").format(
                outside=int(words_checks.beyond(result).sum()), all=len(result.names)
            ),
            result.note,
        ),
        behind=[Line("", np.array([0.0, 1.0]), np.array([0.0, 1.0]), Role.REFERENCE)],
        height=SQUARE,
    )


def votes_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why votes are not foretold, or None."""
    reason = no_vote(fit, ratings)
    return words_checks.no_votes() if reason is None and too_wide(fit) else reason


def no_vote(fit: Fit, ratings: Ratings) -> str | None:
    """Why votes cannot be foretold, however well the accuracy is known, or None."""
    if (reason := no_one_rating(fit)) is not None:
        return reason
    if fit.parameters.rating_rates().shape[0] != 1:
        return _("{Raters} differ in this model, so no vote stands for all: choose t-a-p.")
    if not fit.rates_known:
        return _("These {ratings} do not determine the numbers, so votes cannot be predicted.")
    return readable(fit, ratings)


def vote_sizes(fit: Fit) -> list[int]:
    """The numbers of ratings whose votes are foretold: as many as can be listed, fewer where there are more classes."""
    k = len(fit.classes)
    most = _MOST_VOTES if k == 2 else _MOST_VOTES // 2
    return [r for r in range(1, most + 1) if complete_count_vectors(1, r, k) is not None] or [1]


def voting(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """How often a vote of so many raters would be right, and the best any rule could do."""
    del ratings
    sizes = vote_sizes(fit)
    result = votes(fit.parameters, sizes)
    at = int(np.argmax(result.ratings == min(5, sizes[-1])))
    title = _("A vote of {r} {ratings} would be right {often}").format(
        r=Number(f"{result.ratings[at]:g}"), often=numbers.often(float(result.plurality[at]))
    )
    x = Axis(_("{ratings} of {a_subject}"), 0.5, sizes[-1] + 0.5, tuple((float(r), str(r)) for r in sizes[::2]))
    return (
        curves(
            "votes",
            title,
            x,
            Axis(_("chance to be right"), 0.0, 1.0, percent=True),
            [
                Series(_("best rule"), result.ratings, result.model, Role.REFERENCE),
                Series(_("vote"), result.ratings, result.plurality),
                Series(_("95 % sure"), result.ratings, result.certain, Role.OTHER_START),
            ],
            note=_(
                "{size} Ties are broken by lot. 95 % sure: share of {subjects} whose class would be that probable. "
                "{behind}"
            ).format(size=size_of(fit), behind=_behind(fit)),
        ),
    )


def foretold(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The same as a run, which looks how sure the accuracy is where no interval was asked for.

    Whether the ratings support a vote follows from them, not from what is printed beside it.

    Raises
    ------
    CannotAnswerError
        When the accuracy is known too roughly.
    """
    if fit.estimator == "exact-em" and fit.interval[0] == "none":
        known = yield from analyse(ratings, Request(model=fit.model, interval="profile", seed=fit.seed), {"a"})
        if too_wide(known):
            raise CannotAnswerError(words_checks.no_votes())
    yield Step(1, 1, "figure")
    return voting(fit, ratings)


def _behind(fit: Fit) -> str:
    """How sure the accuracy is on which everything rests that is worked out from the numbers."""
    sentences = [e.estimate for e in fit.estimates if e.name.name == "a"]
    if len(sentences) == 1 and sentences[0].low is not None and sentences[0].high is not None:
        return _("All this takes the accuracy as estimated; the {ratings} would fit any from {low} to {high}.").format(
            low=numbers.decimal(sentences[0].low), high=numbers.decimal(sentences[0].high)
        )
    return _("All this takes the numbers as estimated; how sure they are is not shown.")
