"""The report on paper, through the dialog of the system."""

from collections.abc import Generator
from functools import partial

from PySide6.QtCore import QMarginsF, QRectF
from PySide6.QtGui import QPageLayout, QPageSize, QPainter
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QWidget

from tapdesk.answers.side_results import SideResults
from tapdesk.errors import TapdeskError
from tapdesk.gui.dialogs import execute
from tapdesk.gui.reporting.work import How, read
from tapdesk.language import gettext as _
from tapdesk.progress import Step
from tapdesk.project.project import Project
from tapdesk.report.failed import spared
from tapdesk.report.setup import setup

PPI = 300.0
SIZES = {"a4": QPageSize.PageSizeId.A4, "us-letter": QPageSize.PageSizeId.Letter}


def printer_for(project: Project) -> QPrinter:
    """A printer set to the paper of the report, its edges included: the pages bring their own margins."""
    made = QPrinter(QPrinter.PrinterMode.HighResolution)
    made.setDocName(project.title or "report")
    paper = QPageSize(SIZES[setup(project).paper])
    made.setPageLayout(QPageLayout(paper, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    made.setFullPage(True)
    return made


def ask(parent: QWidget, project: Project, pages: int) -> QPrinter | None:
    """The printer the user chose in the dialog of the system; None when the user turned back."""
    printer = printer_for(project)
    dialog = QPrintDialog(printer, parent)
    dialog.setMinMax(1, max(pages, 1))
    return printer if execute(dialog) else None


def sent(project: Project, extras: SideResults, how: How, printer: QPrinter) -> Generator[Step, None, int]:
    """Send the report to a printer; how many pages were sent. A run that is stopped stops the printer."""
    # typst is loaded when the first report is made, not when the program starts.
    from tapdesk.report.forms.pdf import pages

    yield Step(0, 0, "print")
    made = how.arranged(project, extras)
    yield Step(0, 0, "print")
    _made, every = spared(made, partial(pages, ppi=PPI))
    first, last = printer.fromPage() or 1, printer.toPage() or len(every)
    chosen = every[first - 1 : last]
    painter = QPainter()
    if not chosen or not painter.begin(printer):
        raise TapdeskError(
            _("The printer did not take the report."),
            printer.printerName(),
            _("See whether it is on, or save the PDF."),
        )
    whole = False
    try:
        for at, page in enumerate(chosen):
            yield Step(at, len(chosen), "print")
            if at:
                printer.newPage()
            sheet = QRectF(printer.paperRect(QPrinter.Unit.DevicePixel))
            painter.drawImage(QRectF(0, 0, sheet.width(), sheet.height()), read(page))
        whole = True
    finally:
        if not whole:
            printer.abort()
        painter.end()
    return len(chosen)
