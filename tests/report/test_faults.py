"""A bug in one part of a report: the part is named in its place, and everything else is written."""

import io
import re

import openpyxl
import pypdfium2
import pytest

from tapdesk.answers import side_studies as preparing
from tapdesk.answers.content import Picture, Table
from tapdesk.answers.faults import Fault
from tapdesk.answers.side_results import STUDIES, SideResults, Wanted
from tapdesk.cli.main import main
from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.progress import Step, finish
from tapdesk.project.files.file import save
from tapdesk.report import build as building
from tapdesk.report.build import build
from tapdesk.report.forms.html import html
from tapdesk.report.forms.pdf import pages, pdf
from tapdesk.report.forms.write import pictures, write
from tapdesk.report.forms.xlsx import xlsx
from tapdesk.report.issue.texts import texts
from tapdesk.report.issue.verify import Outcome, verify
from tapdesk.report.letters import letters
from tapdesk.report.outline import Row
from tapdesk.report.report import spared
from tapdesk.report.setup import prepare

from .examples import project_of

QUICK = Wanted(replicates=5, tests=False, raters=False, sensitivity=False)


class OddError(Exception):
    """A bug that names a rater."""


def broken(*_arguments, **_more):
    raise OddError("Zebedee")


@pytest.fixture
def wine_project(fitted, wine):
    return project_of(fitted, wine)


def with_bug(monkeypatch, *keys):
    """Give the makers of these sections a bug."""
    rows = tuple(Row(row.key, row.title, broken) if row.key in keys else row for row in building.SECTIONS)
    monkeypatch.setattr(building, "SECTIONS", rows)


def section(report, key):
    return next(s for s in report.sections if s.key == key)


def words_of_pdf(content):
    with pypdfium2.PdfDocument(io.BytesIO(content)) as document:
        return re.sub(r"\s+", " ", " ".join(page.get_textpage().get_text_bounded() for page in document))


def test_a_section_with_a_bug_is_named_in_its_place_and_all_others_are_as_they_were(wine_project, extras, monkeypatch):
    with_bug(monkeypatch, "description")
    report = build(wine_project, extras=extras)
    told = " ".join(texts(report))
    (said,) = section(report, "description").blocks
    assert "A fault of the program stopped this section" in said.text
    assert "OddError" in said.text
    # The words of the bug may hold anything, a name too.
    assert "Zebedee" not in told
    assert dict(report.record)["Not made"] == "How the classes were used"
    monkeypatch.undo()
    whole = build(wine_project, extras=extras)
    assert [s.key for s in whole.sections] == [s.key for s in report.sections]
    assert "Not made" not in dict(whole.record)
    changed = {s.key for s, w in zip(report.sections, whole.sections, strict=True) if s.blocks != w.blocks}
    # Pictures are drawn anew and never equal; sections of words alone are.
    assert changed >= {"description"}
    assert not changed & {"meaning", "decisions", "signoff", "purpose", "record"}


def test_the_words_the_committee_wrote_stay_in_a_section_that_failed(wine_project, extras, monkeypatch):
    with_bug(monkeypatch, "purpose")
    report = build(wine_project.with_note("instrument", "Four medals, as the show has them."), extras=extras)
    assert any("Four medals" in getattr(b, "text", "") for b in section(report, "purpose").blocks)


def test_the_checklist_does_not_count_what_was_asked_for_in_a_section_that_failed(wine_project, extras, monkeypatch):
    with_bug(monkeypatch, "data")
    (table,) = section(build(wine_project, extras=extras), "checklist").blocks
    states = {row[2]: row[-1] for row in table.rows}
    assert states["Data used"] == "left out"
    assert states["Full counts"] == "answered"


@pytest.mark.parametrize("suffix", [".pdf", ".html", ".xlsx", ".png"])
def test_every_form_is_written_without_the_section(suffix, wine_project, extras, tmp_path, monkeypatch):
    with_bug(monkeypatch, "description")
    _made, files = write(build(wine_project, extras=extras), tmp_path / f"out{suffix}", ppi=30)
    assert files
    assert all(file.stat().st_size > 1000 for file in files)


def test_a_figure_that_cannot_be_drawn_costs_its_section_only(wine_project, extras, monkeypatch):
    report = build(wine_project, extras=extras)
    victim = next(b for b in section(report, "description").blocks if isinstance(b, Picture)).panels[0]
    from tapdesk.answers.svg import draw

    def drawn(figure, **more):
        if figure is victim:
            raise OddError
        return draw.svg(figure, **more)

    monkeypatch.setattr("tapdesk.report.forms.document.svg", drawn)
    monkeypatch.setattr("tapdesk.report.forms.html.svg", drawn)
    monkeypatch.setattr("tapdesk.report.forms.pdf.svg", drawn)
    made = {make: spared(report, make) for make in (pdf, html, pictures)}
    for without, _inside in made.values():
        assert [fault.title for fault in without.faults] == ["How the classes were used"]
    told = words_of_pdf(made[pdf][1])
    assert "A fault of the program stopped this section" in told
    assert "Not made How the classes were used" in told
    assert "Krippendorff" in told
    # Nothing is drawn in a workbook.
    assert spared(report, xlsx)[0] is report


def test_a_bug_in_all_of_the_report_is_no_fault_of_a_section(wine_project, monkeypatch):
    report = build(wine_project)
    monkeypatch.setattr("tapdesk.report.forms.pdf._compiled", broken)
    with pytest.raises(OddError):
        spared(report, pages)


def test_what_the_user_can_mend_is_said_as_ever(wine_project, tmp_path):
    with pytest.raises(TapdeskError, match="cannot be written as"):
        write(build(wine_project), tmp_path / "out.doc")


@pytest.mark.parametrize("name", ["agree", "differ", "case_beliefs"])
def test_a_study_with_a_bug_is_named_where_it_would_be_printed(name, wine_project, monkeypatch):
    def stops(*_arguments, **_more):
        yield Step(0, 1, "agree")
        raise OddError

    monkeypatch.setattr(preparing, name, stops if name == "agree" else broken)
    found = finish(prepare(wine_project, QUICK))
    part = {"agree": "coefficients", "differ": "paradox", "case_beliefs": "beliefs"}[name]
    key, title = STUDIES[part]
    assert title in [fault.title for fault in found.faults]
    report = build(wine_project, extras=found)
    # The file's own noun stands at its end.
    begins = f"{title}".rpartition(" ")[0]
    assert begins in f"{section(report, key).blocks[0].text}"
    assert begins in f"{dict(report.record)['Not made']}"
    words_of_pdf(pdf(report))


def test_every_study_has_its_place_in_the_catalog_of_sections():
    assert {key for key, _title in STUDIES.values()} <= {row.key for row in building.SECTIONS}
    assert set(STUDIES) <= set(SideResults.__dataclass_fields__)


def test_letters_say_why_there_are_none_when_a_bug_stopped_them(wine_project):
    found = SideResults(
        fingerprint=wine_project.data_fingerprint, faults=(Fault(*STUDIES["by_rater"], OddError("x"), whole=False),)
    )
    with pytest.raises(CannotAnswerError, match="A fault of the program stopped “Accuracy of each rater”"):
        letters(wine_project, found)


def test_the_command_writes_the_report_and_tells_what_is_missing(wine_project, tmp_path, capsys, monkeypatch):
    with_bug(monkeypatch, "description")
    monkeypatch.setattr("tapdesk.report.setup.ALL", QUICK)
    save(wine_project, tmp_path / "work.tapdesk")
    out = tmp_path / "out.xlsx"
    assert main(["report", str(tmp_path / "work.tapdesk"), "-o", str(out), "--json"]) == 0
    said = capsys.readouterr()
    assert "not in the report: How the classes were used" in said.err
    assert '"section": "description"' in said.out
    book = openpyxl.load_workbook(out)
    whole = [b for s in build(wine_project).sections for b in s.blocks if isinstance(b, Table)]
    assert 5 < len(book.sheetnames) < len(whole) + 5


def test_a_report_with_a_missing_section_is_still_verified(wine_project, tmp_path, monkeypatch):
    with_bug(monkeypatch, "description")
    path = tmp_path / "out.pdf"
    path.write_bytes(pdf(build(wine_project)))
    assert finish(verify(path, wine_project)).outcome is not Outcome.DIFFERS
