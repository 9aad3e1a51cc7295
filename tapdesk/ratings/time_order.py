"""In which order ratings were given, by the texts of a column: numbers, dates, times of day, or numbered rounds.

Texts are never ordered by their letters: ``3.10.2026`` stands before ``12.9.2026`` then, and ``round 10`` before
``round 2``. What may be read in two ways that order the ratings differently is refused.
"""

import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _

# With dots the day comes first wherever dates are written so; other signs leave it open.
_DAYS = ("%d.%m.%Y", "%d.%m.%y", "%d/%m/%Y", "%m/%d/%Y", "%d/%m/%y", "%m/%d/%y")
_MORE_DAYS = ("%d-%m-%Y", "%m-%d-%Y", "%d-%m-%y", "%m-%d-%y", "%Y/%m/%d", "%Y.%m.%d")
_NAMED = ("%d %b %Y", "%d %B %Y", "%d-%b-%Y", "%d-%b-%y", "%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%d. %B %Y")
_HOURS = ("%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p")
_FORMS = (
    "ISO8601",
    *(f"{day}{hour}" for day in (*_DAYS, *_MORE_DAYS, *_NAMED) for hour in ("", *(f" {hour}" for hour in _HOURS))),
    *_HOURS,
)
_NUMBERED = re.compile(r"(?P<before>.*?)(?P<number>\d+)(?P<after>\D*)")
_SOME = 20
_NUMBERS_OR_DATES = _("Give the order as numbers, or as dates with their year.")


def time_ranks(texts: Collection[str], column: str) -> Mapping[str, int]:
    """The rank of each distinct text of a column, the earliest 0; texts of one moment share a rank.

    Parameters
    ----------
    texts
        Of the column, none of them empty.
    column
        Its name, for sentences.

    Raises
    ------
    UsageError
        When the texts have no order, or have two.
    """
    known = sorted(set(texts))
    numbers = _numbers(known)
    numbers = _numbered(known) if numbers is None else numbers
    _distinct, ranks = np.unique(_moments(known, column) if numbers is None else numbers, return_inverse=True)
    return dict(zip(known, ranks.ravel().tolist(), strict=True))


def _numbers(texts: Sequence[str]) -> NDArray[np.float64] | None:
    """The texts as numbers; None where one is none."""
    try:
        values = np.array([float(text) for text in texts], dtype=np.float64)
    except ValueError:
        return None
    return values if np.isfinite(values).all() else None


def _numbered(texts: Sequence[str]) -> NDArray[np.float64] | None:
    """The numbers of texts that are alike but for them, as ``round 2`` and ``round 10``; else None."""
    parts = [_NUMBERED.fullmatch(text) for text in texts]
    if any(part is None for part in parts):
        return None
    around = {(part["before"].casefold(), part["after"].casefold()) for part in parts if part is not None}
    # A number that is left is one of several, as in a date.
    if len(around) > 1 or any(sign.isdigit() for before, _after in around for sign in before):
        return None
    return np.array([float(part["number"]) for part in parts if part is not None], dtype=np.float64)


def _read_as(form: str, texts: Sequence[str]) -> NDArray[np.datetime64] | None:
    """The texts as moments written in one form; None where one is not."""
    import pandas as pd  # start-up cost: few ratings have an order

    # Most forms fail at the first texts.
    for some in (texts[:_SOME], texts):
        moments = pd.to_datetime(pd.Series(some, dtype=object), format=form, errors="coerce", utc=True)
        if moments.isna().any():
            return None
    return moments.dt.tz_localize(None).to_numpy(dtype="datetime64[ns]")


def moments(texts: Sequence[str], column: str) -> NDArray[np.datetime64]:
    """The texts as moments whose distances are known: none of them can be read in two ways that differ in a distance.

    Parameters
    ----------
    texts
        Of the column, none of them empty.
    column
        Its name, for sentences.

    Raises
    ------
    UsageError
        When they are no moments, are written in different ways, or may be read in two.
    """
    known = sorted(set(texts))
    at = {text: i for i, text in enumerate(known)}
    return _moments(known, column, distances=True)[[at[text] for text in texts]]


def _moments(texts: Sequence[str], column: str, *, distances: bool = False) -> NDArray[np.datetime64]:
    """The texts as moments of time.

    Raises
    ------
    UsageError
        When they are none, are written in different ways, or may be read in two: with another order, and where
        distances count with other distances.
    """
    found = [read for form in _FORMS if (read := _read_as(form, texts)) is not None]
    if not found:
        examples = {"column": Label(column), "first": Label(texts[0]), "last": Label(texts[-1])}
        raise UsageError(
            _(
                "The texts of '{column}', such as '{first}' and '{last}', are no numbers and no dates written alike, "
                "so their order is not known."
            ).format(**examples),
            fix=_NUMBERS_OR_DATES,
        )
    orders = [m - m[0] if distances else np.unique(m, return_inverse=True)[1] for m in found]
    other = next((i for i, order in enumerate(orders) if (order != orders[0]).any()), None)
    if other is None:
        return found[0]
    apart = int(np.flatnonzero(found[0] != found[other])[0])
    first, second = (str(m[apart].astype("datetime64[D]")) for m in (found[0], found[other]))
    named = {"column": Label(column), "text": Label(texts[apart]), "first": first, "second": second}
    sentence = (
        _("The dates of '{column}' can be read in two ways: '{text}' may be {first} or {second}.")
        if distances
        else _(
            "The dates of '{column}' can be read in two ways that order the {ratings} differently: '{text}' may be "
            "{first} or {second}."
        )
    )
    raise UsageError(sentence.format(**named), fix=_("Write the year first, such as {first}.").format(first=first))
