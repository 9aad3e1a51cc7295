"""Cells on the clipboard become a file, so that they are read exactly as a file is."""

import csv
import io
from pathlib import Path

from PySide6.QtWidgets import QApplication

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.ratings.formats.files import html_grid

NAME = _("Pasted ratings.tsv")


def cells() -> str:
    """The cells on the clipboard as tab-separated text.

    Spreadsheets put text there whose lines have the same number of tabs. Where they do not - a table of a web page or
    of a letter, whose cells may go over several lines - the table itself is taken.
    """
    words = QApplication.clipboard().text()
    tabs = {line.count("\t") for line in words.splitlines() if line.strip()}
    if len(tabs) == 1 and tabs != {0}:
        return words
    data = QApplication.clipboard().mimeData()
    # Nothing at all is there where no program has copied anything yet.
    page = "" if data is None else data.html()
    if "<table" not in page.lower():
        return words
    try:
        grid = html_grid(page, NAME)
    except TapdeskError:
        return words
    text = io.StringIO()
    csv.writer(text, "excel-tab", lineterminator="\n").writerows(grid.row(i) for i in range(grid.rows))
    return text.getvalue()


def written(folder: str) -> str:
    """Write the cells on the clipboard into a folder; the path of the file.

    Raises
    ------
    TapdeskError
        When there are no cells, or they cannot be written.
    """
    words = cells()
    if len(words.strip().splitlines()) < 2:
        raise TapdeskError(
            _("There are no cells on the clipboard."),
            fix=_("Select the ratings with their header row in your spreadsheet, copy them, and paste again."),
        )
    path = Path(folder) / NAME
    try:
        # A line end as it was copied: within a cell it is part of the cell.
        path.write_text(words, encoding="utf-8", newline="")
    except (OSError, UnicodeEncodeError) as problem:
        raise TapdeskError(
            _("The cells cannot be taken over from the clipboard."), fix=_("Save them as a file and open that.")
        ) from problem
    return str(path)
