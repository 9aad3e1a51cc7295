"""The report pane: the same document as the command line, kept, undone, found one's way in."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace

import pikepdf
import pypdfium2
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton

from tapdesk.answers.content import Table
from tapdesk.answers.demands import Selection
from tapdesk.answers.naming import CasesAs, RatersAs, naming
from tapdesk.gui.report import preview
from tapdesk.gui.report.own_words import places, words_at
from tapdesk.gui.report.preview import ExportOptions, read_page
from tapdesk.gui.runs.side_studies import SideStudies, SideStudy
from tapdesk.project.files.file import load, save
from tapdesk.report.forms.pdf import pdf
from tapdesk.report.issue.texts import texts
from tapdesk.report.report import Form
from tapdesk.report.setup import PLACE, Setup, setup, with_setup

from .steps import LONG, SMALL, after, saved, words_of_page


def test_each_section_is_switched_undone_and_kept_in_the_file(printed, qtbot, tmp_path):
    report, document = printed.report, printed.session.document
    assert report.outline.places["design"].text().isdigit()
    after(qtbot, report, lambda: report.ticks["design"].setChecked(False))
    assert "design" not in report.made.starts
    assert report.outline.absent["design"].text() == "off"
    assert document.undo_stack.undoText() == "Leave out: Design"
    save(document.project, tmp_path / "kept.tapdesk")
    assert setup(load(tmp_path / "kept.tapdesk")).leave_out == tuple(sorted((*SMALL, "design")))
    after(qtbot, report, document.undo_stack.undo)
    assert report.ticks["design"].isChecked()
    assert "design" in report.made.starts
    # What nobody wrote has no page, and so no tick; what is off keeps one to be switched on again.
    assert "purpose" not in report.made.starts
    assert not report.ticks["purpose"].isVisible()
    assert report.ticks[SMALL[0]].isVisible()


@pytest.mark.parametrize("way", ["button", "frame", "escape"])
def test_the_window_of_words_closes_however_it_is_closed_and_keeps_what_was_written(printed, qtbot, way):
    words = printed.report.words
    words.show_at(places()[0].place)
    assert words.isVisible()
    words.field.setPlainText(f"Closed by {way}")
    if way == "button":
        (close,) = [b for b in words.findChildren(QAbstractButton) if b.text() == "Close"]
        qtbot.mouseClick(close, Qt.LeftButton)
    elif way == "frame":
        assert words.close()
    else:
        qtbot.keyClick(words, Qt.Key.Key_Escape)
    assert not words.isVisible()
    assert words_at(printed.session.document.project, places()[0].place) == f"Closed by {way}"


def test_a_page_number_of_the_outline_leads_to_its_page(printed, qtbot):
    report = printed.report
    number = report.made.starts["signoff"]
    place = report.outline.places["signoff"]
    assert place.text() == str(number)
    qtbot.mouseClick(place, Qt.LeftButton)
    top = report.pages.verticalScrollBar().value()
    view = report.pages.views[number - 1]
    at = view.mapTo(report.pages.widget(), view.rect().topLeft()).y()
    room = report.pages.viewport().height()
    assert top <= at < top + room
    assert "Sign-off" in words_of_page(report, number)


def test_small_pages_lead_to_their_page_by_keyboard_and_follow_the_scrolling(printed, qtbot):
    report = printed.report
    assert report.thumbs.count() == len(report.made.pages)
    report.thumbs.setFocus()
    report.thumbs.setCurrentRow(2)
    qtbot.keyClick(report.thumbs, Qt.Key.Key_Return)
    assert report.page_words.text() == f"Page 3 of {len(report.made.pages)}"
    report.pages.go(1)
    assert report.thumbs.currentRow() == 0


def test_pages_grow_and_stay_where_they_were_looked_at(printed, qtbot):
    report = printed.report
    wide = report.pages.views[0].width()
    report.pages.go(3)
    report.zoom.setCurrentIndex(report.zoom.findData(200))
    after(qtbot, report, lambda: report.zoom.activated.emit(report.zoom.currentIndex()))
    assert report.pages.views[0].width() > 1.5 * wide
    assert report.page_words.text().startswith("Page 3 of")
    assert report.made.images[0].width() >= report.pages.views[0].width() * 0.95


def test_the_words_of_the_user_reach_the_pages_the_checklist_and_undo(printed, qtbot):
    report, document = printed.report, printed.session.document
    assert report.checklist.count.text() == "2 of 15"
    link = next(
        report.checklist.rows.box.itemAt(i).widget()
        for i in range(report.checklist.rows.box.count())
        if "instrument" in report.checklist.rows.box.itemAt(i).widget().text()
    )
    qtbot.mouseClick(link, Qt.LeftButton)
    assert report.words.heading.text() == "Purpose: Instrument"
    report.words.field.setPlainText("Four medals given by the rules of the show.")
    after(qtbot, report, report.words.close)
    assert document.project.notes["instrument"] == "Four medals given by the rules of the show."
    assert report.checklist.count.text() == "3 of 15"
    assert "Four medals given by the rules" in words_of_page(report, report.made.starts["purpose"])
    after(qtbot, report, document.undo_stack.undo)
    assert report.checklist.count.text() == "2 of 15"
    assert document.undo_stack.redoText() == "Words: Purpose: Instrument"


def test_the_summary_is_edited_from_its_draft_and_the_title_is_printed(printed, qtbot):
    report = printed.report
    report.words.show_at("summary")
    qtbot.mouseClick(report.words.from_draft, Qt.LeftButton)
    draft = report.words.field.toPlainText()
    assert "times in 100" in draft
    report.words.field.setPlainText(f"{draft}\nThe jury will meet again in May.")
    report.words.list.setCurrentRow(0)
    assert report.words.heading.text() == "Title"
    report.words.field.setPlainText("Spring show: inter-rater agreement")
    after(qtbot, report, report.words.close)
    told = words_of_page(report, 1)
    assert "The jury will meet again in May." in re.sub(r"\s+", " ", told)
    assert "written by the committee" in re.sub(r"\s+", " ", told)
    assert "Spring show: inter-rater agreement" in told


def test_words_being_written_do_not_go_into_another_project(printed, qtbot):
    report = printed.report
    report.words.show_at("known")
    report.words.field.setPlainText("Of the first project.")
    with qtbot.waitSignal(printed.session.opened, timeout=LONG):
        printed.session.open("sample:paradox")
    assert not report.words.isVisible()
    assert "known" not in printed.session.document.project.notes


def test_paper_numbers_archive_and_logo_are_kept_and_printed(printed, qtbot, tmp_path, monkeypatch):
    report, document = printed.report, printed.session.document
    picture = tmp_path / "crest.svg"
    picture.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
    )
    monkeypatch.setattr("tapdesk.gui.report.export_dialog.picture", lambda _parent: str(picture))
    report.paper.setCurrentIndex(1)
    report.paper.activated.emit(1)
    report.style_card.counted.emit(True)
    report.style_card.kind.setCurrentIndex(1)
    report.style_card.kind.activated.emit(1)
    after(qtbot, report, lambda: qtbot.mouseClick(report.style_card.choose_logo, Qt.LeftButton))
    chosen = setup(document.project)
    assert (chosen.paper, chosen.apa, chosen.archive) == ("us-letter", True, False)
    assert report.style_card.drop_logo.isVisible()
    path = saved(qtbot, report, tmp_path / "letter.pdf")
    with pikepdf.open(path) as opened:
        assert [round(float(v)) for v in opened.pages[0].mediabox] == [0, 0, 612, 792]
        meta = opened.open_metadata()
        assert meta.get("pdfuaid:part") == "1"
        assert meta.get("pdfaid:part") is None
    assert report.made.report.logo is not None
    for _ in range(4):
        document.undo_stack.undo()
    assert setup(document.project) == Setup(tuple(sorted(SMALL)), form=Form.FULL)
    assert report.paper.currentData() == "a4"


def test_a_picture_that_is_none_is_refused_in_words(printed, tmp_path, monkeypatch):
    sheet = tmp_path / "logo.png"
    sheet.write_text("no picture")
    monkeypatch.setattr("tapdesk.gui.report.export_dialog.picture", lambda _parent: str(sheet))
    printed.report.style_card.logo_wanted.emit(True)
    assert "not a picture" in printed.report.error.words[0]
    assert setup(printed.session.document.project).logo is None


def test_codes_that_do_not_hide_a_name_are_told(printed, qtbot, tmp_path):
    report, document = printed.report, printed.session.document
    name = document.project.reading.as_read.raters[0]
    document.do("Words", document.project.with_note("instrument", f"We thank {name}."))
    report.style_card.raters.choose(RatersAs.CODES)
    after(qtbot, report, lambda: report.style_card.called.emit(RatersAs.CODES))
    code = naming(document.project, RatersAs.CODES).rater(name)
    assert report.made.names == (f"{code} in your words on “instrument”",)
    assert f"cannot be saved: {code} in your words" in report.banner.words
    with qtbot.waitSignal(report.export.problem, timeout=LONG) as refused:
        report.export.save_to(tmp_path / "coded.pdf", ExportOptions(RatersAs.CODES))
    assert "the name of" in str(refused.args[0])
    assert name not in str(refused.args[0])
    assert not (tmp_path / "coded.pdf").exists()


def of_studies(report):
    """The tables of the coefficients: what the agreement section says without any study is no matter here."""
    section = next(s for s in report.made.report.sections if s.key == "agreement")
    return [block for block in section.blocks if isinstance(block, Table) and "coefficients" in block.title]


def test_what_is_printed_beside_the_answer_can_be_skipped_and_made_up_for(printed, qtbot, monkeypatch):
    report = printed.report
    real, held = report.preview.preparing.start, []
    monkeypatch.setattr(report.preview.preparing, "start", held.append)
    report.preview.clear()
    report.refresh()
    assert len(held) == 1
    assert not report.save.isEnabled()
    with qtbot.waitSignal(report.paged, timeout=LONG):
        report._skip()
    assert not of_studies(report)
    assert "no coefficients" in report.banner.words
    monkeypatch.setattr(report.preview.preparing, "start", real)
    with qtbot.waitSignal(report.paged, timeout=LONG):
        qtbot.mouseClick(report.banner._button, Qt.LeftButton)
    assert of_studies(report)


def test_the_report_waits_for_what_the_window_works_out_and_takes_it_over(printed, qtbot, monkeypatch):
    report, studies = printed.report, printed.session.side_studies
    prepare, taken = preview.prepare, []

    def noted(project, before=None):
        taken.append(before)
        return prepare(project, before=before)

    analysis = printed.session.document.analysis
    waiting = SideStudies(printed.session.document.project, analysis, waiting=(SideStudy.CHANCE,))
    monkeypatch.setattr(preview, "prepare", noted)
    monkeypatch.setattr(studies, "current", waiting)
    monkeypatch.setattr(studies, "job", SimpleNamespace(running=True))
    report.preview.clear()
    report.refresh()
    assert taken == []
    assert not report.save.isEnabled()
    monkeypatch.setattr(studies, "current", replace(waiting, waiting=()))
    with qtbot.waitSignal(report.paged, timeout=LONG):
        studies.changed.emit()
    assert taken == [waiting.extras]


def test_tests_between_models_are_worked_out_when_they_are_wanted_and_nothing_else_again(printed, qtbot, monkeypatch):
    report, document = printed.report, printed.session.document
    monkeypatch.setattr("tapdesk.gui.report.preview.prepare", lambda _project: pytest.fail("all is known but these"))
    before = report.preview.extras
    assert "models" not in report.made.starts
    wanted = replace(setup(document.project), selection=Selection(models=True, groups=("nothing",)))
    with qtbot.waitSignal(report.paged, timeout=LONG):
        document.do("Print the tests between models", with_setup(document.project, wanted))
    assert report.made.starts["models"] <= report.made.starts["groups"]
    assert report.preview.extras.coefficients is before.coefficients
    with qtbot.waitSignal(report.paged, timeout=LONG):
        document.undo_stack.undo()
    assert not {"models", "groups"} & set(report.made.starts)


def test_a_section_that_takes_long_is_ticked_to_be_worked_out_and_unticked_to_go(printed, qtbot, monkeypatch):
    report, document = printed.report, printed.session.document
    monkeypatch.setattr("tapdesk.answers.figures.designs.SUBJECTS", (50,))
    monkeypatch.setattr("tapdesk.answers.optional._REPLICATES", 5)
    before = report.preview.extras
    assert not report.ticks["plan"].isChecked()
    assert report.outline.absent["plan"].text() == "off"
    after(qtbot, report, lambda: report.ticks["plan"].setChecked(True))
    assert "plan" in setup(document.project).selection
    assert document.undo_stack.undoText() == "Print: Would more ratings tell more?"
    assert "plan" in report.made.starts
    assert report.preview.extras.coefficients is before.coefficients
    after(qtbot, report, lambda: report.ticks["plan"].setChecked(False))
    assert "plan" not in setup(document.project).selection
    assert setup(document.project).leave_out == tuple(sorted(SMALL))
    assert "plan" not in report.made.starts


def test_what_the_numbers_imply_is_ticked_and_printed_with_what_was_known(printed, qtbot, monkeypatch):
    report, document = printed.report, printed.session.document
    monkeypatch.setattr("tapdesk.answers.optional._REPLICATES", 5)
    before = report.preview.extras
    assert not report.ticks["recovery"].isChecked()
    after(qtbot, report, lambda: report.ticks["recovery"].setChecked(True))
    assert document.undo_stack.undoText() == "Print: What do these numbers imply?"
    assert "recovery" in report.made.starts
    assert report.preview.extras.coefficients is before.coefficients
    after(qtbot, report, document.undo_stack.undo)
    assert "recovery" not in setup(document.project).selection
    assert "recovery" not in report.made.starts


def test_a_change_redraws_only_the_pages_that_changed(printed, qtbot):
    report = printed.report
    before = report.made
    after(qtbot, report, lambda: report.ticks["record"].setChecked(False))
    kept = [a is b for a, b in zip(before.images, report.made.images, strict=False)]
    assert sum(kept[:-1]) >= len(kept) - 3 > 0


def test_notes_of_the_project_hold_what_was_chosen_as_plain_json(printed, qtbot):
    del qtbot
    printed.report.ticks["checklist"].setChecked(False)
    assert json.loads(printed.session.document.project.notes["report.setup"])["leave_out"] == sorted(
        (*SMALL, "checklist")
    )


def test_the_words_of_a_scale_come_and_go_and_undo_knows_them(printed, qtbot):
    report, document = printed.report, printed.session.document
    assert report.style_card.scale.currentText() == "no scale"
    report.style_card.scale.setCurrentIndex(1)
    after(qtbot, report, lambda: report.style_card.scale.activated.emit(1))
    assert setup(document.project).scale == "landis-koch"
    first = report.made.starts["agreement"]
    told = " ".join(words_of_page(report, number) for number in range(first, report.made.starts["results"] + 1))
    assert "The words of Landis and Koch" in told
    assert document.undo_stack.undoText() == "Words of: Landis and Koch (1977)"
    after(qtbot, report, document.undo_stack.undo)
    assert report.style_card.scale.currentText() == "no scale"


def test_a_page_is_read_as_png_and_nothing_else_is_asked_what_it_is(printed):
    # Qt's reader of SVG connects a signal; in the thread of a computation that once stood still with the window.
    assert not read_page(printed.report.made.pages[0]).isNull()
    assert read_page(b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>').isNull()


def test_cases_are_called_by_codes_where_they_are_chosen_to_be(printed, qtbot):
    report, document = printed.report, printed.session.document
    case = document.project.ratings.subjects[0]
    after(qtbot, report, lambda: report.style_card.cases_called.emit(CasesAs.CODES))
    assert setup(document.project).cases_as is CasesAs.CODES
    assert ("Wines", "by code") in report.made.report.record
    assert case not in " ".join(text for text in texts(report.made.report)).split()


def test_where_the_window_shows_codes_the_pages_show_no_names_either(printed, qtbot):
    report = printed.report
    names = set(printed.session.document.project.reading.as_read.raters)
    assert names & set(re.findall(r"\w+", " ".join(texts(report.made.report))))
    after(qtbot, report, printed.actions_["codes"].trigger)
    assert report.style_card.raters.value is RatersAs.CODES
    assert not names & set(re.findall(r"\w+", " ".join(texts(report.made.report))))
    after(qtbot, report, printed.actions_["codes"].trigger)
    assert report.style_card.raters.value is RatersAs.NAMES


def test_the_brief_is_offered_first_and_the_full_report_behind_it(printed, qtbot):
    report, document = printed.report, printed.session.document
    # A project that says nothing about it.
    chosen = setup(document.project)
    assert setup(document.project.with_note(PLACE, "")).form is Form.BRIEF
    after(qtbot, report, lambda: document.do("Brief", with_setup(document.project, replace(chosen, form=Form.BRIEF))))
    assert report.form.currentText() == "Committee brief, 2 pages"
    assert len(report.made.pages) == 2
    assert not report.outline.isVisible()
    assert "Signatures" in words_of_page(report, 2)
    report.form.setCurrentIndex(2)
    after(qtbot, report, lambda: report.form.activated.emit(2))
    assert setup(document.project).form is Form.BOTH
    assert report.outline.isVisible()
    assert "Technical annex" in words_of_page(report, 3)
    after(qtbot, report, document.undo_stack.undo)
    assert len(report.made.pages) == 2


def test_the_paper_of_the_brief_is_letter_where_it_is_chosen(printed, qtbot):
    report, document = printed.report, printed.session.document
    chosen = replace(setup(document.project), form=Form.BRIEF, paper="us-letter")
    after(qtbot, report, lambda: document.do("Letter", with_setup(document.project, chosen)))
    with pypdfium2.PdfDocument(pdf(report.made.report)) as made:
        assert [tuple(round(side) for side in page.get_size()) for page in made] == [(612, 792)] * 2
