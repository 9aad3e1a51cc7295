"""The top of a text file, long before the rest is read: something to look at, nothing to count on."""

import csv
import io

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.ratings.formats.encoding import decoded
from tapdesk.ratings.formats.separated import best_delimiter
from tapdesk.ratings.options import ReadingOptions

_BYTES = 1 << 16
_ROWS = 200


def first_rows(raw: bytes, options: ReadingOptions) -> tuple[tuple[str, ...], ...]:
    """The first rows of a text file as they seem to be from its first bytes; none where that cannot be told.

    Whatever is wrong with the file is said when all of it is read.
    """
    head = raw[:_BYTES]
    if len(raw) > _BYTES:
        # A row that is cut off is no row; in wide encodings the end of a line is looked for by its byte all the same.
        head = head[: head.rfind(b"\n") + 1]
    try:
        data = decoded(head, "", options.encoding).data
        delimiter = options.delimiter or best_delimiter(data)
        rows = list(csv.reader(io.StringIO(data.decode("utf-8"), newline=""), delimiter=delimiter))
    except (TapdeskError, UsageError, csv.Error, ValueError, TypeError):
        return ()
    return tuple(tuple(row) for row in rows[:_ROWS])
