"""Numbers of a workbook that are stored as text among numbers."""

from collections.abc import Iterator

from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, note
from tapdesk.ratings.formats.sheet_cells import RawSheet
from tapdesk.ratings.grid import column_letter


def numbers_typed_as_text(sheet: RawSheet) -> Iterator[Finding]:
    """What is told of each column where some numbers are text: a program that counts would pass them over."""
    for place in sheet.typed:
        yield note(
            "numbers_as_text",
            _("column {letter}").format(letter=column_letter(place)),
            _("Some numbers of this column are stored as text, the others as numbers."),
            default=_("They are read as the numbers they show."),
        )
