"""Cells on the clipboard become a file, so that they are read exactly as a file is."""

from pathlib import Path

from PySide6.QtWidgets import QApplication

from tapdesk.errors import TapdeskError

NAME = "Pasted ratings.tsv"


def written(folder: str) -> str:
    """Write the cells on the clipboard into a folder; the path of the file.

    Raises
    ------
    TapdeskError
        When there are no cells, or they cannot be written.
    """
    words = QApplication.clipboard().text()
    if len(words.strip().splitlines()) < 2:
        raise TapdeskError(
            "There are no cells on the clipboard.",
            fix="Select the ratings with their header row in your spreadsheet, copy them, and paste again.",
        )
    path = Path(folder) / NAME
    try:
        # A line end as it was copied: within a cell it is part of the cell.
        path.write_text(words, encoding="utf-8", newline="")
    except (OSError, UnicodeEncodeError) as problem:
        raise TapdeskError(
            "The cells cannot be taken over from the clipboard.", fix="Save them as a file and open that."
        ) from problem
    return str(path)
