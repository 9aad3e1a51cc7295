"""A sheet of pictures as a file."""

from tapdesk.answers.svg.sheet import Sheet, sheet_svg
from tapdesk.report.forms.pdf import drawing_file


def sheet_file(sheet: Sheet, suffix: str, *, ppi: float = 144) -> bytes:
    """A sheet as ``.svg``, ``.png`` or ``.pdf``.

    Raises
    ------
    UsageError
        When there is no such kind of file.
    """
    drawing = sheet_svg(sheet)
    return drawing_file(drawing, suffix, title=sheet.title, alt=sheet.alt, width=sheet.across, ppi=ppi)
