"""Analyses of parts of the ratings: every group of a variable, and all but one rater (models.md §8).

A group that cannot answer says why. Of many raters all that remains without each is told as weights of the same class
counts, fitted side by side.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import CannotAnswerError, TapdeskError, UsageError
from tapdesk.estimate import Estimate
from tapdesk.fitting.climb import polish
from tapdesk.fitting.fit import Fit
from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.models.model import Key, RaterModel, model
from tapdesk.models.parameters import FloatArray, Parameters
from tapdesk.progress import Run, Step
from tapdesk.ratings.patterns import Patterns, count_patterns
from tapdesk.ratings.ratings import CovariateOf, Ratings
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.batch_fit import CAREFUL, fit_weights, pooled_space
from tapdesk.studies.fleiss_kappa import fleiss_kappas, kappa_estimate, repeats
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.table import Cell, StudyTable

# Cases a group needs to have two ratings of: fewer may fit any model by luck.
LEAST = 5
# Value, cases, ratings, why there are no numbers, and each number with the ends of its interval.
_Number: TypeAlias = tuple[str, float | None, float | None, float | None]
_Told: TypeAlias = tuple[str, int, int, str | None, tuple[_Number, ...]]

GAP = "–"
"""The name of the group of what has no value."""


@dataclass(frozen=True, eq=False)
class RatingGroup:
    """The ratings that share a value of a variable."""

    value: str
    ratings: Ratings


def groups(ratings: Ratings, variable: str, most: int = 100) -> tuple[RatingGroup, ...]:
    """Ratings split by the values of a further column, in the order of the values (numbers before text).

    Parameters
    ----------
    ratings
        The data.
    variable
        Name of the column.
    most
        More values than this are refused: the column is then a measurement, not a grouping.

    Raises
    ------
    UsageError
        When there is no such column.
    CannotAnswerError
        When it has too many values.
    """
    if variable not in ratings.covariates:
        known = ", ".join(ratings.covariates) or "none"
        raise UsageError(
            _("There is no column '{variable}'.").format(variable=Label(variable)),
            fix=_("The further columns are: {known}.").format(known=known),
        )
    column = ratings.covariates[variable]
    row = {CovariateOf.SUBJECT: ratings.subject, CovariateOf.RATER: ratings.rater}
    values = column.values[row[column.of]] if column.of in row else column.values
    sentence = np.array([_label(value) for value in values], dtype=object)
    distinct = _in_order(sentence.tolist())
    if len(distinct) > most:
        raise CannotAnswerError(
            _("The column '{variable}' has {distinct} different values, too many for groups.").format(
                variable=Label(variable), distinct=len(distinct)
            ),
            fix=_("Choose a column with few values, or put its values into ranges."),
        )
    return tuple(RatingGroup(value, ratings.keep(sentence == value)) for value in distinct)


def _label(value: object) -> str:
    """A value as its group is named; whole numbers without decimals, gaps by a dash."""
    if isinstance(value, float | np.floating):
        if np.isnan(value):
            return GAP
        return str(int(value)) if float(value).is_integer() else f"{float(value):g}"
    return GAP if value is None or value == "" else str(value)


def _in_order(texts: list[str]) -> list[str]:
    """Each text once: numbers by their size, then the others as they come; what has no value last."""
    names = list(dict.fromkeys(texts))
    return sorted(names, key=lambda name: (name == GAP, *_size(name)))


def _size(name: str) -> tuple[bool, float]:
    """Whether a text is no number, and its size."""
    try:
        return False, float(name)
    except ValueError:
        return True, 0.0


def _none(reasons: Sequence[str | None], variable: str) -> CannotAnswerError:
    """What is said where no group can answer."""
    first = reasons[0] if reasons else _("The column '{variable}' has no values.").format(variable=Label(variable))
    return CannotAnswerError(
        _("No group can answer. {first}").format(first=first),
        fix=_("Put several groups together, or ask of all {ratings}."),
    )


def _nothing_apart(own: Ratings, value: str) -> str | None:
    """Why nothing can be learned of a group, whatever the study."""
    if own.subject.size == 0 or own.rating_count == 0:
        return _("Group '{value}' has no {ratings}, so it says nothing.").format(value=Label(value))
    used = own.class_rates() > 0
    if used.sum() < 2:
        only = own.classes[int(used.argmax())]
        return ngettext(
            "The only {rating} of group '{value}' is '{only}', so there is nothing to tell apart.",
            "All {n:,} {ratings} of group '{value}' are '{only}', so there is nothing to tell apart.",
            own.rating_count,
        ).format(n=own.rating_count, value=Label(value), only=Label(only))
    compared = int(own.subject_weights()[own.ratings_per_subject() > 1].sum())
    if 0 < compared < LEAST:
        return ngettext(
            "Only {n} {subjects} has two {ratings} in group '{value}', too few to fit: {least} are needed.",
            "Only {n} {subjects} have two {ratings} in group '{value}', too few to fit: {least} are needed.",
            compared,
        ).format(n=compared, value=Label(value), least=LEAST)
    if not compared:
        return _("No {subject} of group '{value}' has two {ratings}, so there is no agreement to learn from.").format(
            value=Label(value)
        )
    return None


def group_table(
    ratings: Ratings, variable: str, request: Request, workers: int = 1, kept: FinishedPieces | None = None
) -> Run[StudyTable]:
    """An analysis of every group.

    Parameters
    ----------
    ratings, variable
        The data, and the column whose values make the groups.
    request
        What is asked of each group.
    workers
        Number of processes; the table is the same whatever it is.
    kept
        What an earlier run of the same study had finished when it was ended; what is finished now goes there.

    Yields
    ------
    Step
        Phase ``groups``.

    Returns
    -------
    Table
        One row for each value of the column: ``cases``, ``ratings``, every number with its interval (``a``, ``a low``,
        ``a high``), and ``why_not``, the reason where there are none.

    Raises
    ------
    UsageError
        When there is no such column.
    CannotAnswerError
        When the column has too many values, or no group can answer.
    """
    parts = groups(ratings, variable)
    results = yield from in_parallel(partial(_row, request), parts, workers, "groups", kept)
    if all(not numbers for *_told, numbers in results):
        raise _none([why for *_told, why, _numbers in results], variable)
    names = list(dict.fromkeys(name for *_told, numbers in results for name, *_values in numbers))
    rows = []
    for value, subjects, count, why, numbers in results:
        table = {name: values for name, *values in numbers}
        cells = [cell for name in names for cell in table.get(name, (None, None, None))]
        rows.append((value, subjects, count, *cells, why))
    rest = ("cases", "ratings", *(f"{n}{end}" for n in names for end in ("", " low", " high")), "why_not")
    # A column of the file may have the name of one of ours.
    own = f"{variable} (group)" if variable in rest else variable
    return StudyTable("groups", (own, *rest), tuple(rows))


def _row(request: Request, group: RatingGroup) -> Run[_Told]:
    """One group as plain values."""
    own = group.ratings
    head = group.value, own.subject_count, own.rating_count
    why = _nothing_apart(own, group.value)
    if why is not None:
        return *head, why, ()
    try:
        fit = yield from analyse(own, request, shares=False)
    except TapdeskError as error:
        return *head, _("Group '{value}': {reason}").format(value=Label(group.value), reason=error.what), ()
    why = None if fit.identification.identified else fit.identification.words
    return *head, why, tuple((str(e.name), e.estimate.value, e.estimate.low, e.estimate.high) for e in fit.estimates)


# Beyond this the weights of all raters side by side would not fit a laptop.
_MOST_WEIGHTS = 4_000_000
# A number nearer to its edge than this may stand on it: that takes a whole analysis to tell.
_NEAR_EDGE = 0.01
_MOST_NEAR = 4

_KAPPA = ("kappa", "kappa_low", "kappa_high", "kappa_change")
COLUMNS = ("rater", "ratings", "a", "a_low", "a_high", "level", "a_change", *_KAPPA, "note")
# More than a picture can show; each interval takes about a quarter of a second.
MOST_INTERVALS = 40
_FEW = _("Only the {count} {raters} who move the accuracy most have an interval.").format(count=MOST_INTERVALS)
_ONE_CLASS = _("All {ratings} of the others are in one class.")
_ALL = -1
# Of more raters than have intervals so many are worked out side by side.
_PORTION = 100
# Accuracy, its ends, and why any of them is missing.
_Found = tuple[float | None, float | None, float | None, str]


def without_each(ratings: Ratings, raters: Sequence[int]) -> tuple[Patterns, FloatArray] | None:
    """The class counts of the cases with each of some raters left out.

    Parameters
    ----------
    ratings
        The data.
    raters
        Whom to leave out, one at a time.

    Returns
    -------
    tuple
        All vectors of class counts that occur, and an array (raters, vectors): how often each occurs without a rater.
        None where there are too many. Cases that keep no rating count nowhere.
    """
    counts, weight, n = ratings.counts(), ratings.subject_weights(), len(ratings.subjects)
    mine = np.isin(ratings.rater, raters)
    code = ratings.rater[mine].astype(np.int64) * n + ratings.subject[mine]
    given, which = np.unique(code, return_inverse=True)
    own = np.zeros((given.size, counts.shape[1]), dtype=np.int64)
    np.add.at(own, (which.ravel(), ratings.category[mine]), 1)
    subject = given % n
    every = np.concatenate([counts, counts[subject] - own])
    vectors, number = np.unique(every, axis=0, return_inverse=True)
    number = number.ravel()
    if len(raters) * vectors.shape[0] > _MOST_WEIGHTS:
        return None
    weights: FloatArray = np.tile(
        np.bincount(number[:n], weight, vectors.shape[0]).astype(np.float64), (len(raters), 1)
    )
    place = np.full(len(ratings.raters), -1)
    place[list(raters)] = np.arange(len(raters))
    row = place[given // n]
    np.subtract.at(weights, (row, number[subject]), weight[subject])
    np.add.at(weights, (row, number[n:]), weight[subject])
    weights[:, vectors.sum(axis=1) == 0] = 0
    return count_patterns(vectors), weights


def accuracies(ratings: Ratings, whole: Fit, raters: Sequence[int]) -> Run[list[float | None]]:
    """The accuracy of t-a-p with each of some raters left out, where it is safe to tell it from the whole.

    Starts are the maxima of the whole beside the usual ones: one rater of many hardly moves them.

    Parameters
    ----------
    ratings
        The data.
    whole
        Their fit.
    raters
        Whom to leave out, one at a time.

    Yields
    ------
    Step
        Phase ``raters``.

    Returns
    -------
    list
        None where the answer is to be looked at by itself: near an edge, not settled, or hardly determined.
    """
    made = without_each(ratings, raters)
    if made is None or not whole.identification.identified or whole.degenerate:
        return [None] * len(raters)
    patterns, weights = made
    space = pooled_space(model("t-a-p"), patterns.classes)
    evidence = space.evidence(patterns)
    near = [o.parameters for o in whole.optima[:_MOST_NEAR]]
    climb = yield from fit_weights(space, evidence, weights, near, effort=CAREFUL, phase="raters")
    safe = climb.converged & _determined(patterns, weights)
    items: list[float | None] = []
    for b in range(len(raters)):
        point = climb.stack.one(b)
        if not safe[b] or not _inside(point):
            items.append(None)
            continue
        seen = weights[b] > 0
        alone = count_patterns(patterns.table[seen].astype(np.int64), weights[b][seen])
        best = polish(space, space.evidence(alone), point)
        items.append(float(best.parameters.accuracy[0, 0]) if _inside(best.parameters) else None)
    return items


def kappas(ratings: Ratings, raters: Sequence[int]) -> list[float | None] | None:
    """Fleiss' kappa with each of some raters left out, None where undefined; None where they are too many."""
    made = without_each(ratings, raters)
    if made is None:
        return None
    array = fleiss_kappas(*made)
    return [float(k) if np.isfinite(k) else None for k in array]


def _determined(patterns: Patterns, weights: FloatArray) -> NDArray[np.bool_]:
    """Whether t-a-p is determined by the design alone: two classes occur, and cases have three ratings."""
    classes = ((weights @ patterns.table) > 0).sum(axis=1)
    return np.asarray((classes == patterns.classes) & (weights @ (patterns.size >= 3) > 0))


def _inside(point: Parameters) -> bool:
    numbers = np.concatenate([point.truth, point.accuracy.ravel(), point.guessing.ravel()])
    return bool(numbers.min() > _NEAR_EDGE and numbers.max() < 1 - _NEAR_EDGE)


def influence(
    ratings: Ratings,
    seed: int = 1,
    level: float = 0.95,
    workers: int = 1,
    kept: FinishedPieces | None = None,
    key: Key = Key.UNUSED,
) -> Run[StudyTable]:
    """The estimates of t-a-p and Fleiss' kappa with each rater left out in turn.

    Parameters
    ----------
    ratings
        The data, with known raters.
    seed
        Of random starts.
    level
        Of the profile intervals of the accuracies; of many raters only those who move it most have one.
    workers
        Number of processes; the table is the same whatever it is.
    kept
        What an earlier run of the same study had finished when it was ended; what is finished now goes there.
    key
        What is made of known cases, as in the answer it stands beside.

    Yields
    ------
    Step
        Phase ``raters``.

    Returns
    -------
    Table
        One row for each rater: ``rater``, ``ratings`` (given by this rater), ``a`` and ``kappa`` without the rater with
        the ends of their intervals, and ``a_change``, ``kappa_change``: what is reported with all raters minus that
        (positive: the rater lifts it). None where what is left tells nothing, for the reason in ``note``.

    Raises
    ------
    CannotAnswerError
        When raters are not known, or there are fewer than three.
    """
    if not ratings.raters_known:
        raise CannotAnswerError(_("This needs to know who gave each {rating}, and here the {raters} are not known."))
    if len(ratings.raters) < 3:
        raise CannotAnswerError(_("Leaving {a_rater} out needs at least three."))
    everyone, row = range(len(ratings.raters)), replace(model("t-a-p"), key=key)
    if len(everyone) <= MOST_INTERVALS:
        answer = partial(_without, ratings, row, seed, level)
        whole, *items = yield from in_parallel(answer, (_ALL, *everyone), workers, "raters", kept)
        others: list[float | None] = []
    else:
        portions = [tuple(everyone[at : at + _PORTION]) for at in range(0, len(everyone), _PORTION)]
        parts = yield from in_parallel(
            partial(_portion, ratings, row, seed), ((_ALL,), *portions), workers, "raters", kept
        )
        (whole,), *rest = ([result for result, _kappa in part] for part in parts)
        items = yield from _those_who_move_it(ratings, (row, seed, level), whole[0], list(chain(*rest)), workers)
        others = [own for part in parts[1:] for _found, own in part]
    kappa = kappa_estimate(ratings, level)
    given = np.bincount(ratings.rater, ratings.subject_weights()[ratings.subject], len(ratings.raters))
    rows: list[tuple[Cell, ...]] = []
    for j, (a, low, high, note) in zip(everyone, items, strict=True):
        # Of many raters those who hardly move the accuracy have no intervals.
        own = Estimate(others[j]) if others and low is None else _kappa_without(ratings, j, level)
        reached = None if low is None and own.low is None else level
        sentences = (ratings.raters[j], round(given[j]), a, low, high, reached, _less(whole[0], a))
        rows.append((*sentences, own.value, own.low, own.high, _less(kappa.value, own.value), note))
    return StudyTable("influence", COLUMNS, tuple(rows))


def accuracy_without(record: Mapping[str, Cell]) -> Estimate | None:
    """The accuracy of a row with its interval; None where what is left does not tell it."""
    estimate = _number_of(record, "a", "profile")
    return estimate if estimate is None or estimate.low is not None else estimate.without_interval(str(record["note"]))


def kappa_without(record: Mapping[str, Cell]) -> Estimate | None:
    """Fleiss' kappa of a row with its interval; None where it is undefined."""
    return _number_of(record, "kappa", "linearisation")


def _number_of(record: Mapping[str, Cell], name: str, how: str) -> Estimate | None:
    value, low, high, level = (record[cell] for cell in (name, f"{name}_low", f"{name}_high", "level"))
    if value is None:
        return None
    estimate = Estimate(float(value))
    if low is None or high is None or level is None:
        return estimate
    return estimate.between(float(low), float(high), float(level), how)


def _those_who_move_it(
    ratings: Ratings, items: tuple[RaterModel, int, float], whole: float | None, rows: list[_Found], workers: int
) -> Run[list[_Found]]:
    """The answers with intervals for those raters without whom the accuracy is most another."""
    moved = [abs(_less(whole, a) or 0.0) for a, *_rest in rows]
    most = sorted(range(len(rows)), key=lambda j: (-moved[j], j))[:MOST_INTERVALS]
    answers = yield from in_parallel(partial(_without, ratings, *items), most, workers, "raters")
    closer = dict(zip(most, answers, strict=True))
    return [closer.get(j, (a, None, None, note or _FEW)) for j, (a, _low, _high, note) in enumerate(rows)]


def _portion(
    ratings: Ratings, row: RaterModel, seed: int, raters: tuple[int, ...]
) -> Run[tuple[tuple[_Found, float | None], ...]]:
    """The accuracies and kappas without each of some of many raters, worked out side by side where that is safe."""
    yield Step(0, 1, "raters")
    if raters == (_ALL,):
        without = yield from _without(ratings, row, seed, None, _ALL)
        return ((without, None),)
    request = Request(row, interval="none", seed=seed)
    quick: list[float | None] = [None] * len(raters)
    if row.counted and not refusal(ratings, request):
        whole = yield from analyse(ratings, request, only=())
        quick = yield from accuracies(ratings, whole, raters)
    # What a rater repeats is one vote in the coefficient, so that counts alone do not tell it.
    own = None if repeats(ratings) else kappas(ratings, raters)
    if own is None:
        own = [_kappa_without(ratings, j).value for j in raters]
    sentences = []
    for j, a, kappa in zip(raters, quick, own, strict=True):
        without = (a, None, None, "") if a is not None else (yield from _without(ratings, row, seed, None, j))
        sentences.append((without, kappa))
    return tuple(sentences)


def _kappa_without(ratings: Ratings, rater: int, level: float = 0.95) -> Estimate:
    """Fleiss' kappa of the others, as the coefficients have it."""
    return kappa_estimate(ratings.keep(ratings.rater != rater), level)


def _without(ratings: Ratings, row: RaterModel, seed: int, level: float | None, rater: int) -> Run[_Found]:
    """The accuracy by t-a-p without one rater, or with all; without ends where no level is given."""
    yield Step(0, 1, "raters")
    left = ratings if rater == _ALL else ratings.keep(ratings.rater != rater)
    wanted = level is not None and rater != _ALL
    request = Request(row, interval="profile" if wanted else "none", level=level or 0.95, seed=seed)
    refused = refusal(left, request) or ("" if (left.class_rates() > 0).sum() > 1 else _ONE_CLASS)
    if refused:
        return None, None, None, refused
    fit = yield from analyse(left, request, only=("a",))
    a = next(e.estimate for e in fit.estimates if e.name.name == "a")
    if a.value is None:
        return None, None, None, a.undefined or fit.identification.words
    return a.value, a.low, a.high, a.no_interval or ""


def _less(whole: float | None, part: float | None) -> float | None:
    return None if whole is None or part is None else whole - part
