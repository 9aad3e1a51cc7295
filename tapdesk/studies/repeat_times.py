"""When scores were given: by the column that is named, else by the only one that holds days or times of day."""

import numpy as np

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.models.parameters import FloatArray
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.texts import is_date, number
from tapdesk.ratings.time_order import moments

_SECONDS = 86_400


def time_column(ratings: Ratings) -> str:
    """The only further column that holds days or times and tells when scores were given; empty where none does.

    A column that may be read in two ways tells nothing, nor does one that is the same for all scores of an entry.
    """
    dated = [name for name in ratings.covariates if _is_dated(ratings, name)]
    if len(dated) != 1:
        return ""
    try:
        moments_of(ratings, dated[0])
    except TapdeskError:
        return ""
    return dated[0]


def _is_dated(ratings: Ratings, name: str) -> bool:
    """Whether all that stands in a column is a day or a time, and scores of an entry differ in it."""
    texts = _texts(ratings, name)
    filled = {text for text in texts if text}
    if len(filled) < 2 or not all(map(is_date, filled)):
        return False
    pairs = {(int(subject), text) for subject, text in zip(ratings.subject, texts, strict=True)}
    return len(pairs) > np.unique(ratings.subject).size


def _texts(ratings: Ratings, name: str) -> list[str]:
    return [str(value).strip() for value in ratings.covariates[name].values]


def moments_of(ratings: Ratings, column: str) -> tuple[tuple[FloatArray, str], ...]:
    """When each score was given, in the order of `PanelScores`, with the unit; nothing where no column tells.

    An empty cell is not a number.

    Raises
    ------
    TapdeskError
        When the column holds neither numbers nor days, or days that may be read in two ways.
    """
    if not column:
        return ()
    texts = _texts(ratings, column)
    order = np.lexsort((ratings.rater, ratings.subject))
    filled = np.array([bool(text) for text in texts])
    result = np.full(len(texts), np.nan)
    known = [text for text in texts if text]
    if all(number(text) is not None for text in known):
        result[filled] = [number(text) for text in known]
        return ((result[order], ""),)
    try:
        result[filled] = moments(known, column).astype("datetime64[s]").astype(float) / _SECONDS
    except UsageError as error:
        if not all(map(is_date, known)):
            raise TapdeskError(
                _(
                    "The column '{name}' holds neither numbers nor days, so it does not say when {a_rating} was given."
                ).format(name=Label(column)),
                fix=_("Name a column such as 2026-05-14, or of numbers that count on."),
            ) from None
        raise TapdeskError(error.what, fix=error.fix) from None
    return ((result[order], "days"),)
