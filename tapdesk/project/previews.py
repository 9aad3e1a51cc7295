"""How the first rows of a file come out in each of several readings, told from what was kept of its top."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from tapdesk.language import gettext as _
from tapdesk.project.fixes.fix import Fix
from tapdesk.ratings.findings import label_text
from tapdesk.ratings.layouts.crossed import raters_of
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.reading import Reading

_ROWS, _RATERS = 4, 3  # so many are shown of each


@dataclass(frozen=True)
class WayPreview:
    """One way to read a file.

    Attributes
    ----------
    words
        What a row and a column are then.
    header, rows
        The first ratings as they come out.
    fixes
        What chooses this way: one for each question, where there are several.
    """

    words: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    fixes: tuple[Fix, ...]


def way_previews(reading: Reading, fixes: Sequence[Fix]) -> tuple[WayPreview, ...]:
    """Each way to read the file that some fixes choose, once; those of one way differ in the question alone.

    Parameters
    ----------
    reading
        The reading that asks.
    fixes
        What can be done about it, all of which read the file again.
    """
    ways: dict[ReadingOptions, list[Fix]] = {}
    for fix in fixes:
        chosen = replace(ReadingOptions(), **fix.options)
        ways.setdefault(replace(chosen, only=None), []).append(fix)
    return tuple(_preview(reading, way, tuple(of)) for way, of in ways.items())


def _preview(reading: Reading, way: ReadingOptions, fixes: tuple[Fix, ...]) -> WayPreview:
    only = replace(ReadingOptions(), **fixes[0].options).only
    case, rater, rating = _("Case: {column}"), _("Rater: {column}"), _("Rating: {column}")
    head = [case.format(column=label_text(way.subject or ""))]
    columns = [way.subject]
    if way.layout is Layout.RATERS:
        words, own = _("Each column is a rater."), list(way.columns or ())
        names: Sequence[str] = own
        if way.question is None and only is not None:
            # Columns of a question and a rater each, question by question.
            own = list(takewhile(lambda n: only in n, own))
            names = raters_of(only, own)
            words = _("“{question}” is a question, and each of its columns a rater.").format(question=label_text(only))
        columns += own[:_RATERS]
        head += [rater.format(column=label_text(n)) for n in names[:_RATERS]]
    else:
        words = _("Each row is one rating.")
        if way.rater is not None:
            columns.append(way.rater)
            head.append(rater.format(column=label_text(way.rater)))
            words = _("“{rater}” names the rater.").format(rater=label_text(way.rater))
        last = way.rating or (only if way.question is None else None)
        if last is not None:
            columns.append(last)
            head.append(rating.format(column=label_text(last)))
    if way.question is not None:
        columns.insert(1, way.question)
        head.insert(1, _("Question: {column}").format(column=label_text(way.question)))
    return WayPreview(words, tuple(head), _rows(reading, columns), fixes)


def _rows(reading: Reading, columns: Sequence[str | None]) -> tuple[tuple[str, ...], ...]:
    """The first rows of data in some columns; blank where the file has no such column."""
    preview = reading.preview
    heads = reading.source.header_rows
    named = preview.rows[heads[-1] - 1] if heads and heads[-1] <= len(preview.rows) else preview.header
    at = []
    for name in columns:
        if name in named:
            at.append(named.index(name))
        else:
            # The names of two header rows stand in neither of them as they are.
            at.append(preview.header.index(name) if name in preview.header else -1)
    data = preview.rows[preview.first - 1 : preview.first - 1 + _ROWS]
    return tuple(tuple(row[i].strip() if 0 <= i < len(row) else "" for i in at) for row in data)
