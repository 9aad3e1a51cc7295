"""The window replaces no file unasked that it did not write, and none that the project was read from."""

import errno

import pytest
from PySide6.QtWidgets import QMessageBox

from tapdesk.answers.figures.catalog import figures
from tapdesk.gui.shell.dialogs import permitted, save_picture
from tapdesk.project.files.file import load
from tapdesk.project.files.outputs import OutputKind, mark_at, mark_in
from tests.faults import FailingDisk

from .steps import LONG

ISSUED = b"%PDF-1.7\n<pdf:Keywords>tapdesk mark: report issued</pdf:Keywords>\n%%EOF"
DRAFT = ISSUED.replace(b" issued", b"")


@pytest.fixture
def answers(monkeypatch):
    """Answer every question with the button named last; what was asked, and what Enter would have said."""
    asked = []

    def run(box):
        asked.append((box.text(), box.standardButton(box.defaultButton())))
        (box.button(run.button) or box.defaultButton()).click()
        return 0

    run.button = QMessageBox.StandardButton.No
    monkeypatch.setattr(QMessageBox, "exec", run)
    run.asked = asked
    return run


@pytest.mark.parametrize("there", [ISSUED, DRAFT + b"/ByteRange[0 1]\n%%EOF", b"typed by hand", b"%PDF-1.4 another's"])
def test_a_report_over_an_issued_signed_or_foreign_file_is_asked_about_and_no_is_the_default(
    printed, qtbot, tmp_path, answers, there
):
    report, place = printed.report, tmp_path / "report.pdf"
    place.write_bytes(there)
    with qtbot.waitSignal(report.export.job.failed, timeout=LONG):
        report.save_to(place)
    ((said, default),) = answers.asked
    assert "report.pdf" in said
    assert default is QMessageBox.StandardButton.No
    assert place.read_bytes() == there
    assert report.banner.words == "Nothing was written."
    answers.button = QMessageBox.StandardButton.Yes
    with qtbot.waitSignal(report.export.job.done, timeout=LONG):
        report.save_to(place)
    assert mark_at(place).kind is OutputKind.REPORT


def test_a_draft_of_ours_is_replaced_without_a_second_question(printed, qtbot, tmp_path, answers):
    place = tmp_path / "report.pdf"
    place.write_bytes(DRAFT)
    with qtbot.waitSignal(printed.report.export.job.done, timeout=LONG):
        printed.report.save_to(place)
    assert not answers.asked
    assert place.read_bytes() != DRAFT


def test_letters_and_figures_over_other_files_are_asked_about_by_name(printed, qtbot, tmp_path, answers):
    report = printed.report
    with qtbot.waitSignal(report.export.job.done, timeout=LONG):
        report.export.letters_to(tmp_path)
    letters = sorted(tmp_path.iterdir())
    with qtbot.waitSignal(report.export.job.done, timeout=LONG):
        report.export.letters_to(tmp_path)
    assert not answers.asked
    for one in letters[:2]:
        one.write_bytes(b"mine")
    with qtbot.waitSignal(report.export.job.failed, timeout=LONG):
        report.export.letters_to(tmp_path)
    assert all(one.name in answers.asked[0][0] for one in letters[:2])
    assert [one.read_bytes() for one in letters[:2]] == [b"mine", b"mine"]


def test_a_picture_over_another_file_is_asked_about(printed, tmp_path, answers, monkeypatch):
    place, window = tmp_path / "picture.svg", printed
    place.write_bytes(b"<svg/>")
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.ask_where", lambda *_: place)
    fit = window.session.document.project.analyses[0].fit
    panels = figures("estimates", fit, window.session.document.project.ratings)
    given = (window, panels, "picture", window.results.error, permitted(window.session.document.project))
    save_picture(*given)
    assert place.read_bytes() == b"<svg/>"
    assert len(answers.asked) == 1
    answers.button = QMessageBox.StandardButton.Yes
    save_picture(*given)
    assert mark_in(place.read_bytes()).kind is OutputKind.FIGURE
    save_picture(*given)
    assert len(answers.asked) == 2


def test_a_project_never_takes_the_place_of_its_table_and_asks_about_other_files(
    window, qtbot, tmp_path, answers, monkeypatch
):
    table, other = tmp_path / "ratings.csv", tmp_path / "notes.tapdesk"
    table.write_text("case,Ann,Ben\n1,1,1\n2,0,1\n3,0,0\n")
    other.write_bytes(b"typed by hand")
    before = table.read_bytes()
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_file(str(table))
    place = table
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.where_to_save", lambda _parent, _name: place)
    refused = []
    window.project_file.refused.connect(refused.append)
    with qtbot.waitSignal(window.project_file.saving.failed, timeout=LONG):
        window.project_file.save_as()
    assert "holds the ratings that the project was made from" in refused[0].what
    assert table.read_bytes() == before
    place = other
    with qtbot.waitSignal(window.project_file.saving.failed, timeout=LONG):
        window.project_file.save_as()
    assert "notes.tapdesk" in answers.asked[-1][0]
    assert other.read_bytes() == b"typed by hand"
    answers.button = QMessageBox.StandardButton.Yes
    with qtbot.waitSignal(window.project_file.saving.done, timeout=LONG):
        window.project_file.save_as()
    assert load(other).reading is not None


def test_a_disk_that_fails_while_the_window_saves_is_one_message_and_the_work_is_still_there(
    printed, qtbot, tmp_path, monkeypatch
):
    place, filing = tmp_path / "show.tapdesk", printed.project_file
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.where_to_save", lambda _parent, _name: place)
    with qtbot.waitSignal(filing.saving.done, timeout=LONG):
        filing.save_as()
    disk, refused, before = FailingDisk(monkeypatch, tmp_path), [], place.read_bytes()
    filing.refused.connect(refused.append)
    ends = []
    filing.saving.failed.connect(ends.append)
    filing.saving.done.connect(ends.append)
    failures = 0
    # Some calls only say that the file is open here, and saving does without them.
    for at in range(1, 13):
        if not filing.unsaved:
            document, before = printed.session.document, place.read_bytes()
            document.record(document.project.with_note("author", f"somebody else {at}"))
        disk.arm(at, errno.ENOSPC)
        filing.save()
        qtbot.waitUntil(lambda count=at: len(ends) == count, timeout=LONG)
        if filing.unsaved:
            failures += 1
            assert place.read_bytes() == before
    assert failures >= 3
    assert len(refused) == failures
    assert "The disk is full" in refused[0].what
    disk.arm(0, 0)
    with qtbot.waitSignal(printed.report.export.job.failed, timeout=LONG):
        disk.arm(1, errno.EIO)
        printed.report.save_to(tmp_path / "report.pdf")
    assert "could not be saved" in printed.report.error.words[0]
    assert not (tmp_path / "report.pdf").exists()
    disk.arm(0, 0)
