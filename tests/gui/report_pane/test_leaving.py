"""What leaves the report pane: files, letters, paper; and what is verified."""

import re

import numpy as np
import pypdfium2
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QDialog

from tapdesk.answers.naming import RatersAs, naming
from tapdesk.answers.side_results import Wanted
from tapdesk.cli.main import main
from tapdesk.errors import TapdeskError
from tapdesk.gui.report.export import SizeDialog, free_name
from tapdesk.gui.report.export_dialog import ExportDialog
from tapdesk.gui.report.preview import ExportOptions
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.files import outputs
from tapdesk.project.files.file import save
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read_now
from tapdesk.report.issue.issued import issued
from tapdesk.studies.analysis import Request, analyse

from .steps import LONG, saved, words_of


def test_window_and_command_line_make_the_same_document(printed, known, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr("tapdesk.report.setup.ALL", known.wanted)
    printed.report.ticks["purpose"].setChecked(False)
    save(printed.session.document.project, tmp_path / "work.tapdesk")
    window = saved(qtbot, printed.report, tmp_path / "window.pdf")
    assert main(["report", str(tmp_path / "work.tapdesk"), "-o", str(tmp_path / "line.pdf")]) == 0
    assert window.read_bytes() == (tmp_path / "line.pdf").read_bytes()
    told = words_of(window.read_bytes())
    assert "Krippendorff" in told
    assert "Could this be chance?" in told


def test_the_saved_file_is_recorded_survives_undo_and_is_verified_when_dropped(printed, qtbot, tmp_path):
    report, document = printed.report, printed.session.document
    report.ticks["checklist"].setChecked(False)
    path = saved(qtbot, report, tmp_path / "issued.pdf")
    assert f"Saved {len(report.made.pages)} pages" in report.banner.words
    assert "save the project" in report.banner.words
    assert [record.name for record in issued(document.project)] == ["issued.pdf"]
    assert printed.project_file.unsaved
    document.undo_stack.undo()
    assert report.ticks["checklist"].isChecked()
    document.undo_stack.redo()
    assert len(issued(document.project)) == 1
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    printed.go(0)
    with qtbot.waitSignal(report.export.job.done, timeout=LONG):
        printed.dropEvent(QDropEvent(QPointF(5, 5), Qt.CopyAction, data, Qt.LeftButton, Qt.KeyboardModifier.NoModifier))
    assert printed.panes.currentWidget() is report
    assert "the same to the last byte" in report.banner.words
    assert "This very file was issued from this project" in report.banner.words


def test_a_changed_project_is_told_apart_from_what_was_issued(printed, qtbot, tmp_path):
    path = saved(qtbot, printed.report, tmp_path / "issued.pdf")
    printed.session.choose_class1(("gold",))
    with qtbot.waitSignal(printed.report.export.job.done, timeout=LONG):
        printed.take(str(path))
    assert "The data have changed" in printed.report.banner.words


def test_a_pdf_dropped_on_an_empty_window_tells_its_own_fingerprint(printed, qtbot, tmp_path):
    path = saved(qtbot, printed.report, tmp_path / "issued.pdf")
    fingerprint = printed.session.document.project.fingerprint
    # The project is left, not saved.
    printed.session.document.open(Project())
    with qtbot.waitSignal(printed.report.export.job.done, timeout=LONG):
        printed.take(str(path))
    assert fingerprint in printed.report.banner.words
    assert "open its project" in printed.report.banner.words


def test_names_or_codes_are_asked_each_time_and_nothing_is_chosen_beforehand(printed, qtbot, monkeypatch, tmp_path):
    dialog = ExportDialog(printed, "Save", raters=True, issue=True)
    qtbot.addWidget(dialog)
    assert not dialog.ready.isEnabled()
    dialog.codes.setChecked(True)
    dialog.issued.setChecked(True)
    assert dialog.ready.isEnabled()
    assert dialog.options.raters_as is RatersAs.CODES
    assert dialog.options.issued is not None
    asked = []

    def answer(_parent, title, *, raters, issue, missing, **_cases_and_file):
        asked.append((title, raters, issue, missing))
        return ExportOptions(RatersAs.CODES)

    monkeypatch.setattr("tapdesk.gui.report.export_dialog.ask_options", answer)
    place = tmp_path / "coded.pdf"
    monkeypatch.setattr("tapdesk.gui.report.export.ask_where", lambda *_: place)
    for _ in range(2):
        with qtbot.waitSignal(printed.report.export.job.done, timeout=LONG):
            qtbot.mouseClick(printed.report.save, Qt.LeftButton)
    assert asked == [("Save report (PDF)", True, True, "")] * 2
    told = words_of(place.read_bytes())
    raters = printed.session.document.project.reading.as_read.raters
    assert not [name for name in raters if re.search(rf"\b{name}\b", told)]


def test_an_issued_report_prints_its_date_on_every_page(printed, qtbot, tmp_path):
    dialog = ExportDialog(printed, "Save", raters=False, issue=True)
    qtbot.addWidget(dialog)
    assert dialog.ready.isEnabled()
    dialog.issued.setChecked(True)
    path = saved(qtbot, printed.report, tmp_path / "issued.pdf", dialog.options)
    with pypdfium2.PdfDocument(path) as document:
        told = [page.get_textpage().get_text_bounded() for page in document]
    when = f"Issued {dialog.options.issued.day} {dialog.options.issued:%B %Y}"
    assert all(when in page for page in told)


@pytest.mark.parametrize(("suffix", "start"), [(".html", b"<!DOCTYPE html>"), (".xlsx", b"PK"), (".png", b"\x89PNG")])
def test_other_forms_are_saved_as_well(printed, qtbot, tmp_path, suffix, start):
    saved(qtbot, printed.report, tmp_path / f"out{suffix}")
    files = sorted(tmp_path.iterdir())
    assert len(files) == (len(printed.report.made.pages) if suffix == ".png" else 1)
    assert all(file.read_bytes().startswith(start) for file in files)
    assert issued(printed.session.document.project) == ()


def test_figures_and_letters_are_saved_as_a_batch(printed, qtbot, tmp_path, monkeypatch):
    report = printed.report
    monkeypatch.setattr("tapdesk.gui.report.export_dialog.ask_options", lambda *_, **__: ExportOptions(RatersAs.CODES))
    monkeypatch.setattr("tapdesk.gui.report.export_dialog.folder", lambda *_: str(tmp_path))

    def narrow(dialog):
        assert not dialog.ppi.isEnabled()
        dialog.kind.setCurrentIndex(1)
        assert dialog.ppi.isEnabled()
        dialog.across.setText("8")
        assert not dialog.ready.isEnabled()
        assert "60 to 400 millimetres" in dialog.remark.text()
        dialog.across.setText("84")
        assert dialog.ready.isEnabled()
        assert "992 dots wide" in dialog.remark.text()
        return QDialog.DialogCode.Accepted

    monkeypatch.setattr(SizeDialog, "exec", narrow)
    with qtbot.waitSignal(report.export.job.done, timeout=LONG):
        report.export.save_drawings()
    drawn = [QImage(str(path)) for path in tmp_path.glob("figure-*.png")]
    assert len(drawn) >= 3
    # A margin of nine points on each side stands around the drawing.
    assert all(picture.width() == pytest.approx(992 + 2 * 9 / 72 * 300, abs=2) for picture in drawn)
    with qtbot.waitSignal(report.export.job.done, timeout=LONG):
        printed.actions_["letters"].trigger()
    raters = printed.session.document.project.reading.as_read.raters
    letters = sorted(tmp_path.glob("*.pdf"))
    assert len(letters) == len(raters)
    assert f"Saved {len(raters)} private letters" in report.banner.words
    called = naming(printed.session.document.project, RatersAs.CODES)
    for name in raters:
        told = words_of((tmp_path / f"letter-{called.rater(name)}.pdf").read_bytes())
        assert name in told
        assert not [other for other in raters if other != name and re.search(rf"\b{other}\b", told)]


def test_cancelling_letters_half_way_leaves_no_letter(printed, qtbot, tmp_path, monkeypatch):
    report = printed.report
    made = []

    def stopping(page):
        # The second page is just being made when the user stops.
        if len(made) == 1:
            report.export.job._worker.requestInterruption()
        made.append(page)
        return b"%PDF"

    monkeypatch.setattr("tapdesk.report.forms.pdf.pdf", stopping)
    with qtbot.waitSignal(report.export.job.cancelled, timeout=LONG):
        report.export.letters_to(tmp_path)
    assert len(made) == 2
    assert list(tmp_path.iterdir()) == []
    assert "nothing was written" in report.banner.words


def test_a_locked_file_is_named_and_a_second_name_offered(printed, qtbot, tmp_path, monkeypatch):
    report = printed.report
    place = tmp_path / "report.pdf"
    old = b"%PDF-1.7\n<pdf:Keywords>tapdesk mark: report</pdf:Keywords>\n%%EOF"
    place.write_bytes(old)
    real = outputs.save_all

    def locked(files):
        if place in [path for path, _content in files]:
            raise TapdeskError("The file is open in another program.", str(place))
        real(files)

    monkeypatch.setattr("tapdesk.project.files.outputs.save_all", locked)
    with qtbot.waitSignal(report.export.job.failed, timeout=LONG):
        report.save_to(place)
    assert report.error.words[0] == "The file is open in another program."
    assert place.read_bytes() == old
    assert "report (2).pdf" in report.banner.words
    with qtbot.waitSignal(report.export.job.done, timeout=LONG):
        qtbot.mouseClick(report.banner._button, Qt.LeftButton)
    assert (tmp_path / "report (2).pdf").read_bytes().startswith(b"%PDF")
    assert [record.name for record in issued(printed.session.document.project)] == ["report (2).pdf"]
    assert free_name(tmp_path / "report.pdf").name == "report (3).pdf"


def test_the_pages_go_to_the_printer_of_the_system(printed, qtbot, tmp_path, monkeypatch):
    report = printed.report
    paper = tmp_path / "printed.pdf"

    def chosen(_parent, project, pages):
        from tapdesk.gui.report.export import printer_for

        assert pages == len(report.made.pages)
        printer = printer_for(project)
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(paper))
        printer.setResolution(50)
        printer.setFromTo(2, 3)
        return printer

    monkeypatch.setattr("tapdesk.gui.report.export.PPI", 50.0)
    monkeypatch.setattr("tapdesk.gui.report.export_dialog.ask_options", lambda *_, **__: ExportOptions(RatersAs.NAMES))
    monkeypatch.setattr("tapdesk.gui.report.export.ask_printer", chosen)
    with qtbot.waitSignal(report.export.job.done, timeout=LONG):
        report.export.print_report()
    assert "Sent 2 pages" in report.banner.words
    with pypdfium2.PdfDocument(paper) as document:
        assert len(document) == 2
        assert [round(v) for v in document[0].get_size()] == [595, 842]
        shades = np.asarray(document[1].render(scale=0.5).to_pil().convert("L"))
    assert shades.min() < 120
    assert (shades > 250).mean() > 0.5


def test_a_report_for_each_group_is_asked_for_made_and_named(printed, qtbot, tmp_path, monkeypatch):
    rng = np.random.default_rng(4)
    rows = ["case,Ana,Ben,Cy,year"]
    for i in range(40):
        truth = rng.integers(2)
        said = [("no", "yes")[truth if rng.random() < 0.8 else rng.integers(2)] for _ in range(3)]
        rows.append(f"c{i},{','.join(said)},{2024 + i % 2}")
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("\n".join(rows))
    project = Project(title="Audit").with_reading(read_now(sheet, ReadingOptions(columns=("Ana", "Ben", "Cy"))))
    asked = Request(model("t-a-p"), interval="none")
    fit = finish(analyse(project.ratings, asked))
    printed.session.document.open(project.with_analysis(Analysis("main", asked, fit, run_at="2026-05-14T10:44:00")))
    offered = []

    def column(_parent, columns):
        offered.extend(columns)
        return "year"

    monkeypatch.setattr("tapdesk.report.setup.ALL", Wanted(replicates=5, tests=False, sensitivity=False))
    monkeypatch.setattr("tapdesk.gui.report.export_dialog.column", column)
    monkeypatch.setattr("tapdesk.gui.report.export_dialog.ask_options", lambda *_, **__: ExportOptions(RatersAs.CODES))
    monkeypatch.setattr("tapdesk.gui.report.export.ask_where", lambda *_: tmp_path / "audit.pdf")
    with qtbot.waitSignal(printed.report.export.job.done, timeout=LONG):
        printed.report.export.each()
    assert offered == ["year"]
    files = sorted(tmp_path.glob("*.pdf"))
    assert [file.name for file in files] == ["audit-01-2024.pdf", "audit-02-2025.pdf"]
    assert "Saved 2 reports" in printed.report.banner.words
    told = words_of(files[0].read_bytes())
    assert "Audit: year 2024" in told
    assert "20 cases, 60 ratings" in told
    assert not re.search(r"\b(Ana|Ben|Cy)\b", told)
