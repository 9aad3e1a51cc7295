"""What stands in the place of ratings and cannot be any: identifiers, dates, remarks, measurements."""

import numpy as np

from tapdesk.errors import TapdeskError, Ways
from tapdesk.language import gettext as _
from tapdesk.ratings.checks.distinct import Values
from tapdesk.ratings.dates import is_date
from tapdesk.ratings.findings import quoted
from tapdesk.ratings.numbers import number
from tapdesk.ratings.options import ReadingOptions

MOST_WORDS = 50
MOST_NUMBERS = 250
_FEW = 10


def refuse_what_is_no_rating(values: Values, name: str, options: ReadingOptions, ways: Ways = ()) -> None:
    """Refuse identifiers, dates, comments and measurements in the place of ratings.

    Raises
    ------
    TapdeskError
        Saying what the column looks like and what to choose instead; ``ways`` are offered with it.
    """
    if options.order is not None:
        return
    texts, total = values.texts, int(values.counts.sum())
    numeric = sum(number(t, values.decimal) is not None for t in texts) / len(texts)
    choose = _("Choose the column that holds the ratings (--rating or --columns).")
    if total >= _FEW and all(is_date(t) for t in texts):
        raise TapdeskError(
            _("The ratings are all dates or times; this looks like a date column."), name, choose, ways=ways
        )
    # No identifier has decimals: they are measurements, which are asked about.
    fractions = sum((n := number(t, values.decimal)) is not None and n != int(n) for t in texts)
    if total >= 2 * _FEW and len(texts) == total and 2 * fractions < len(texts):
        like = "remarks" if sum(t.count(" ") > 2 for t in texts) > len(texts) / 2 else "identifiers"
        raise TapdeskError(
            _("All {total:,} ratings are different, as {like} are: {texts}.").format(
                total=total, like=like, texts=quoted(texts, 3)
            ),
            name,
            choose,
            ways=ways,
        )
    if len(texts) > (MOST_NUMBERS if numeric > 0.9 else MOST_WORDS):
        order = np.argsort(-values.counts, kind="stable")[:_FEW]
        top = values.told([texts[i] for i in order])
        what = "scores" if numeric > 0.9 else "texts"
        raise TapdeskError(
            _("There are {texts:,} different {what} where ratings should be; the most frequent are {top}.").format(
                texts=len(texts), what=what, top=top
            ),
            name,
            _(
                "{choose} Comments cannot be analysed; measurements need cut-points first. Where they are classes, "
                "name them all (--order)."
            ).format(choose=choose),
            ways=ways,
        )
