"""Lines of text below a table: notes, sources and numbers of cases, which are no ratings."""

import re

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, ask, listed, note, rows_named, shortened
from tapdesk.ratings.grid import Grid
from tapdesk.ratings.numbers import is_number
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import IntArray

BELOW = frozenset({"notes_below", "rows_below"})
_FEW = 25  # more lines than this are no notes, more letters no name
_FIRST = ("*", "†", "note", "key", "legend", "source", "n.b", "nb ", "footnote")
# What a note begins with, in a column of ratings too: a word alone, or stars alone, can be a rating.
_CLEAR = re.compile(
    r"[*†‡§¹²³]+\s*[^\W\d_]|n\s*=\s*\d|(?:notes?|key|legends?|sources?|n\.?b|footnotes?|remarks?|quelle|anmerkung(?:en)?"
    r"|hinweise?|fuente|notas?|fonte|remarques?)\b\s*[:.(\-–]\s*\S",
    re.IGNORECASE,
)


def without_notes(
    grid: Grid, filled: NDArray[np.bool_], body: IntArray, options: ReadingOptions, findings: list[Finding]
) -> IntArray:
    """The rows of a table without the lines of text below it.

    Parameters
    ----------
    grid, filled
        The cells, and which of them hold something: shape (columns, rows).
    body
        The rows below the header that are not blank, counted from 0.
    options
        ``last`` is the last row of the table, where the user said so.
    findings
        What is left out is told here: asked where it was guessed.
    """
    if options.last is not None:
        return _until(body, options.last, findings)
    if len(grid.columns) < 2:
        return body
    end = body.size
    for place in range(body.size - 1, max(body.size - 1 - _FEW, 0), -1):
        row = int(body[place])
        if not _may_be_note(grid, filled, body[:place], row):
            break
        # What follows a line that is clearly a note is a note too.
        if _is_clear(grid, filled, body, place):
            end = place
    left = body[end:]
    if left.size:
        rows = [int(r) + 1 for r in left]
        texts = listed([_("“{text}”").format(text=_words(grid, filled, int(r))) for r in left], 3)
        findings.append(
            ask(
                "notes_below",
                rows_named(rows),
                _("Below the table there are lines of text that look like notes: {texts}.").format(texts=texts),
                _("If one of them is a case, say which row is the last one of the table (--last-row {rows}).").format(
                    rows=rows[-1]
                ),
                _("These lines are left out."),
                (tuple(map(str, rows)),),
            )
        )
    return body[:end]


def _until(body: IntArray, last: int, findings: list[Finding]) -> IntArray:
    """The rows up to the last one, as the user said; 0 for all of them."""
    if not last:
        return body
    if body.size and last > int(body[-1]) + 1:
        raise UsageError(
            _("There is no row {last}: the last one with anything in it is row {end}.").format(
                last=last, end=int(body[-1]) + 1
            ),
            "--last-row",
            _("Choose an earlier row, or 0 for the last one there is."),
        )
    inside: IntArray = body[body < last]
    if not inside.size:
        first = "" if not body.size else _(" The first row of data is row {body}.").format(body=int(body[0]) + 1)
        raise UsageError(
            _("No row of the table is left above row {last}.{first}").format(last=last + 1, first=first),
            fix=_("Choose a later last row."),
        )
    rows = [int(r) + 1 for r in body[body >= last]]
    if rows:
        told = _("The table ends at row {last}, as you said.").format(last=last)
        default = _("What stands below is left out.")
        findings.append(note("rows_below", rows_named(rows), told, default=default, about=(tuple(map(str, rows)),)))
    return inside


def _may_be_note(grid: Grid, filled: NDArray[np.bool_], above: IntArray, row: int) -> bool:
    """Whether a row holds nothing but texts that stand nowhere above in their columns, and no case with ratings."""
    here = np.flatnonzero(filled[:, row]).tolist()
    texts = [grid.columns[i].text(row).strip() for i in here]
    if any(is_number(t) for t in texts):
        return False
    if here[0] == 0 and len(here) > 1 and not all(map(_CLEAR.match, texts)):
        return False
    return not any(_occurs(grid, i, above, text) for i, text in zip(here, texts, strict=True))


def _is_clear(grid: Grid, filled: NDArray[np.bool_], body: IntArray, place: int) -> bool:
    """Whether a row that may be a note is one beyond doubt: by how it begins, its length, or a gap above it."""
    row = int(body[place])
    here = np.flatnonzero(filled[:, row]).tolist()
    texts = [grid.columns[i].text(row).strip() for i in here]
    if any(map(_CLEAR.match, texts)) or (here == [0] and texts[0].lower().startswith(_FIRST)):
        return True
    if len(here) > 1:
        return False
    gap = int(body[place - 1]) < row - 1
    # A sentence in a column of ratings, in a table whose cases all have a name.
    named = here != [0] and bool(filled[0, body[:place]].all()) and " " in texts[0]
    return gap or named or len(texts[0]) > _FEW


def _occurs(grid: Grid, column: int, above: IntArray, text: str) -> bool:
    """Whether a text stands in a column of some rows."""
    cells = grid.columns[column]
    same = [i for i, value in enumerate(cells.values) if value.strip() == text]
    return bool(np.isin(cells.codes[above], same).any())


def _words(grid: Grid, filled: NDArray[np.bool_], row: int) -> str:
    """What stands in a row, shortened."""
    return shortened(" · ".join(grid.columns[i].text(row).strip() for i in np.flatnonzero(filled[:, row])))
