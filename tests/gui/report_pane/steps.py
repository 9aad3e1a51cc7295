"""What the tests of the report do again and again."""

import io
import re

import pypdfium2

from tapdesk.report.forms.pdf import pdf

LONG = 240_000
SMALL = ("model", "data", "description", "raters", "cases", "sensitivity", "meaning", "counts", "technical")


def after(qtbot, report, change):
    """Make a change and wait for the pages that follow from it."""
    with qtbot.waitSignal(report.paged, timeout=LONG):
        change()


def saved(qtbot, report, path, how=None):
    with qtbot.waitSignal(report.export.job.done, timeout=LONG):
        report.save_to(path, how)
    return path


def words_of(pdf):
    with pypdfium2.PdfDocument(io.BytesIO(pdf)) as document:
        return re.sub(r"\s+", " ", " ".join(page.get_textpage().get_text_bounded() for page in document))


def words_of_page(report, number):
    """The text of a page of the PDF that is shown."""
    with pypdfium2.PdfDocument(io.BytesIO(pdf(report.made.report))) as document:
        return document[number - 1].get_textpage().get_text_bounded()
