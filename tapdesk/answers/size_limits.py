"""Beyond which size a study would keep a committee waiting, so that a report leaves it out and says so."""

from collections.abc import Callable
from typing import TypeVar

from tapdesk.answers import numbers
from tapdesk.errors import CannotAnswerError
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings

T = TypeVar("T")

# Of few classes cases with the same counts are one to the search, however many they are.
_MOST_RATINGS, _FEW_CLASSES, _MOST_OF_MANY_CLASSES = 100_000, 4, 20_000
# Where raters are told apart every case is its own.
MOST_APART, _MOST_APART_RATERS = 20_000, 100
_MOST_LEFT_OUT = 1_000
_MOST_CLASSES = 8


def limited(ratings: Ratings, run: Callable[[], Run[T]]) -> Run[T]:
    """A study of the counts of the classes, unless the ratings are so many that it would take very long."""
    few = len(ratings.classes) <= _FEW_CLASSES
    _refuse_more(ratings.subject.size, _MOST_RATINGS if few else _MOST_OF_MANY_CLASSES)
    return (yield from run())


def apart(ratings: Ratings, run: Callable[[], Run[T]], *, by_rater: bool = True) -> Run[T]:
    """A study in which every rater has numbers of an own, unless ratings or raters are very many.

    Parameters
    ----------
    ratings
        The data.
    run
        The study.
    by_rater
        Whether its model does tell raters apart; else the study is as any other.
    """
    if not by_rater:
        return (yield from limited(ratings, run))
    _refuse_raters(ratings, _MOST_APART_RATERS)
    _refuse_more(ratings.subject.size, MOST_APART)
    return (yield from run())


def each_left_out(ratings: Ratings, run: Callable[[], Run[T]]) -> Run[T]:
    """A study that leaves one rater out after the other, unless these are very many."""
    _refuse_raters(ratings, _MOST_LEFT_OUT)
    return (yield from limited(ratings, run))


def few_classes(ratings: Ratings, run: Callable[[], Run[T]]) -> Run[T]:
    """A study of every class or pair of classes, unless there are very many."""
    if len(ratings.classes) > _MOST_CLASSES:
        raise CannotAnswerError(
            _("With more than {most} classes this study is left out of the report.").format(most=_MOST_CLASSES)
        )
    return (yield from limited(ratings, run))


def _refuse_more(size: int, most: int) -> None:
    if size > most:
        raise CannotAnswerError(
            _(
                "With more than {most} ratings this study would take very long, so it was left out of the report."
            ).format(most=numbers.count(most))
        )


def _refuse_raters(ratings: Ratings, most: int) -> None:
    if ratings.raters_known and len(ratings.raters) > most:
        raise CannotAnswerError(
            _("With more than {most} raters this study would take very long, so it was left out of the report.").format(
                most=numbers.count(most)
            )
        )
