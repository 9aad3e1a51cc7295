"""What is asked each time a report leaves the program: names or codes, draft or issued."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtWidgets import QButtonGroup, QDialog, QVBoxLayout, QWidget

from tapdesk.answers.naming import CasesAs, RatersAs
from tapdesk.gui.report.preview import ExportOptions
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.pane import Pane
from tapdesk.gui.widgets.controls import Radio, button, plain, text
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import label_text

MISSING = _(
    "A fault of the program left this out: {parts}. The rest can be saved without it; its place in the report, and the "
    "first page, say that it is missing."
)
PICTURES = _("Pictures (*.png *.jpg *.jpeg *.svg)")


class ExportDialog(QDialog):
    """Four questions; the first has no answer beforehand, for nobody's name is to leave by habit.

    What the program could not make is said above them, so that nobody saves without it unawares.
    """

    def __init__(
        self,
        parent: Pane,
        title: str,
        *,
        raters: bool,
        issue: bool,
        missing: str = "",
        cases: bool = False,
        cases_as: CasesAs = CasesAs.NAMES,
        file: str = "",
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        box = QVBoxLayout(self)
        box.setSpacing(8)
        self.names = Radio(parent.theme, _("{Raters} by name"))
        self.codes = Radio(parent.theme, _("{Raters} by code: A, B, C … The key is not in the report."))
        self.draft = Radio(parent.theme, _("A draft, not signed"))
        self.issued = Radio(parent.theme, _("Issued: today's date is printed on every page"))
        self.case_names = Radio(parent.theme, _("{Subjects} by name, as in the file"))
        self.case_codes = Radio(parent.theme, _("{Subjects} by code: C1, C2 … in an order of their own"))
        self.file_name = Radio(parent.theme, _("The data file by its name: {file}").format(file=label_text(file, 60)))
        self.file_code = Radio(parent.theme, _("The data file by the beginning of its checksum"))
        self._raters, self._issue = raters, issue
        self.ready = button(_("Go on without it") if missing else _("Go on"), self.accept, kind="primary")
        if missing:
            box.addWidget(text(MISSING.format(parts=missing), wrap=True))
            box.addSpacing(6)
        for wanted, words, rows in (
            (raters, _("How are the {raters} called?"), (self.names, self.codes)),
            (cases, _("How are the {subjects} called?"), (self.case_names, self.case_codes)),
            (bool(file), _("How is the data file called?"), (self.file_name, self.file_code)),
            (issue, _("What is this report?"), (self.draft, self.issued)),
        ):
            group = QButtonGroup(self)
            label = text(words, "strong")
            for part in (label, *rows):
                box.addWidget(part)
                part.setVisible(wanted)
            for row in rows:
                group.addButton(row)
                row.setAccessibleName(f"{words} {row.text()}")
                row.toggled.connect(self._on_toggled)
        self._usual(cases_as)
        self._add_foot(box)
        self._on_toggled()

    def _add_foot(self, box: QVBoxLayout) -> None:
        """The buttons below the questions."""
        foot = plain(across=True)
        foot.box.addStretch(1)
        box.addSpacing(6)
        self.ready.setDefault(True)
        box.addWidget(foot.add(button(_("Cancel"), self.reject), self.ready))

    def _usual(self, cases_as: CasesAs) -> None:
        """What is chosen beforehand."""
        self.draft.setChecked(True)
        (self.case_codes if cases_as is CasesAs.CODES else self.case_names).setChecked(True)
        self.file_name.setChecked(True)

    def _on_toggled(self) -> None:
        answered = any(row.isChecked() for row in (self.names, self.codes))
        self.ready.setEnabled(answered or not self._raters)

    @property
    def options(self) -> ExportOptions:
        """The answers."""
        codes = self._raters and self.codes.isChecked()
        now = datetime.now().astimezone().replace(microsecond=0) if self._issue and self.issued.isChecked() else None
        return ExportOptions(
            RatersAs.CODES if codes else RatersAs.NAMES,
            CasesAs.CODES if self.case_codes.isChecked() else CasesAs.NAMES,
            self.file_name.isChecked(),
            now,
        )


def ask_options(
    parent: Pane,
    title: str,
    *,
    raters: bool,
    issue: bool = True,
    missing: str = "",
    cases: bool = False,
    cases_as: CasesAs = CasesAs.NAMES,
    file: str = "",
) -> ExportOptions | None:
    """Ask; None when the user turns back.

    Parameters
    ----------
    parent, title
        Of the dialog; the look is that of the pane.
    raters
        Whether there are names to be asked about.
    issue
        Whether it matters that the report is a draft.
    missing
        What a bug of ours left out of the report; the user is asked whether to go on without it.
    cases, cases_as
        Whether there are cases to be asked about, and how they were called last.
    file
        Name of the data file; empty where there is none.
    """
    if not (raters or issue or missing or cases):
        return ExportOptions()
    dialog = ExportDialog(
        parent, title, raters=raters, issue=issue, missing=missing, cases=cases, cases_as=cases_as, file=file
    )
    return dialog.options if dialogs.execute(dialog) else None


def folder(parent: QWidget, title: str, place: str = "") -> str:
    """A folder the user chose, ``place`` being where the dialog begins; empty when none."""
    return dialogs.folder(parent, title, place)


def column(parent: QWidget, columns: Sequence[str]) -> str:
    """The column that names the groups; empty when none was chosen."""
    words = _("One report for each text in this column of the file:")
    return dialogs.one_of(parent, _("One report for each group"), words, columns) or ""


def picture(parent: QWidget) -> str:
    """A picture the user chose; empty when none."""
    return dialogs.file_to_open(parent, _("Choose the committee's logo"), PICTURES)


def report_to_verify(parent: QWidget, place: str = "") -> str:
    """An issued PDF the user chose; empty when none."""
    return dialogs.file_to_open(parent, _("Verify an issued report"), _("Report (*.pdf)"), place)
