"""An issued PDF held against its project."""

import re
from dataclasses import replace

import pytest

from tapdesk.answers.naming import RatersAs
from tapdesk.answers.numbers import APA
from tapdesk.errors import TapdeskError
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.report.build import build
from tapdesk.report.forms.pdf import pdf
from tapdesk.report.issue.facts import Choices, choices
from tapdesk.report.issue.issued import issued, with_issued
from tapdesk.report.issue.verify import Outcome, facts_of, verify

from .examples import fit_of, project_of


@pytest.fixture(scope="module")
def project(fitted, wine):
    return project_of(fitted, wine)


@pytest.fixture(scope="module")
def content(project):
    return pdf(build(project, style=APA, leave_out={"technical"}, status="Draft 3, “not signed”, <a & b>"))


@pytest.fixture
def file(tmp_path, content):
    path = tmp_path / "issued.pdf"
    path.write_bytes(content)
    return path


def test_an_untouched_report_matches_to_the_last_byte(file, project):
    verdict = finish(verify(file, project))
    assert verdict.outcome is Outcome.MATCHES
    assert "the same to the last byte" in verdict.words
    assert verdict.fingerprint == project.fingerprint
    assert "no record" in verdict.words


def test_a_recorded_file_is_named_with_its_date(file, content, project):
    known = with_issued(project, "issued.pdf", content, "2025-05-14T11:00:00")
    verdict = finish(verify(file, known))
    assert verdict.outcome is Outcome.MATCHES
    assert "14 May 2025, 11:00" in verdict.words
    assert verdict.record == issued(known)[0]


def test_a_report_with_studies_is_made_again_with_them(tmp_path, project, extras):
    path = tmp_path / "whole.pdf"
    path.write_bytes(pdf(build(project, extras=extras, raters_as=RatersAs.CODES)))
    assert finish(verify(path, project)).outcome is Outcome.MATCHES


def test_a_report_for_daily_use_matches_too(tmp_path, project):
    path = tmp_path / "daily.pdf"
    path.write_bytes(pdf(build(project), archive=False))
    assert finish(verify(path, project)).outcome is Outcome.MATCHES


def test_changed_data_are_named(file, project):
    verdict = finish(verify(file, project.with_class1(("silver, gold",))))
    assert verdict.outcome is Outcome.DIFFERS
    assert "The data have changed" in verdict.words
    assert project.fingerprint in verdict.words


def test_a_report_held_against_its_data_file_is_told_of_the_file_and_of_no_project(file, project):
    same = finish(verify(file, project, of_data_file=True))
    assert (same.outcome, same.exit_status) == (Outcome.MATCHES, 0)
    assert "The data file, read and analysed as the report says, gives the data and the numbers" in same.words
    other = finish(verify(file, project.with_class1(("silver, gold",)), of_data_file=True))
    assert other.outcome is Outcome.DIFFERS
    assert f"the data file now gives {project.with_class1(('silver, gold',)).fingerprint}" in other.words
    assert "Made again from the data file, the report differs in: " in other.words
    for verdict in (same, other):
        assert "project" not in verdict.words
        assert "no record" not in verdict.words


def test_changed_numbers_are_named(file, wine):
    other = project_of(fit_of(0.6, 0.4, 0.5), wine)
    verdict = finish(verify(file, other))
    assert verdict.outcome is Outcome.DIFFERS
    assert "The numbers differ" in verdict.words
    assert re.search(
        r"t 0\.541\d* in the report, 0\.6 in the project; a 0\.436\d* in the report, 0\.4 in", verdict.words
    )


def test_an_answer_of_another_model_is_named_as_that(file, wine):
    other = project_of(fit_of(0.6, 0.4, 0.5, model=model("t-a-t")), wine)
    assert "an answer of the model t-a-p, the project one of t-a-t" in finish(verify(file, other)).words


def test_a_missing_analysis_is_named(file, project):
    verdict = finish(verify(file, replace(project, analyses=())))
    assert "analyses differs: 1 in the report, 0 in the project" in verdict.words


def test_changed_words_are_found_by_making_the_report_again(file, project):
    verdict = finish(verify(file, replace(project, title="Another title")))
    assert verdict.outcome is Outcome.DIFFERS
    assert "another title, status or record box" in verdict.words


def test_a_changed_byte_is_not_passed_as_a_match(file, content, project):
    at = content.index(b"stream") + 40
    file.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
    verdict = finish(verify(file, project))
    assert verdict.exit_status != 0
    # Nothing is claimed about what the pages show.
    assert "the same words" not in verdict.words


def test_a_file_changed_since_it_was_issued_is_told_by_its_name_and_checksum(file, content, project):
    known = with_issued(project, file.name, content, "2025-05-14T11:00:00")
    assert finish(verify(file, known)).outcome is Outcome.MATCHES
    at = content.index(b"stream") + 40
    file.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
    verdict = finish(verify(file, known))
    assert verdict.exit_status != 0
    # Where its pages can be read all the same, it is told which file it is not.
    file.write_bytes(content.replace(b"/Creator(", b"/Creatox("))
    verdict = finish(verify(file, known))
    assert verdict.outcome is Outcome.DIFFERS
    assert "had another checksum: this is not that file" in verdict.words
    assert "14 May 2025, 11:00" in verdict.words


def test_data_that_changed_by_a_decision_are_told_apart_from_another_file(file, project):
    decided = finish(verify(file, project.with_class1(("silver, gold",)))).words
    assert "what was decided about the data has changed" in decided
    source = replace(project.reading.source, sha256="0" * 64)
    read_anew = finish(verify(file, replace(project, reading=replace(project.reading, source=source)))).words
    assert "The data file is not the one the report was made from" in read_anew
    assert "what was decided" not in read_anew


def test_a_report_of_another_version_is_not_made_again(file, project, monkeypatch):
    monkeypatch.setattr("tapdesk.report.issue.verify.VERSION", "9.9.9")
    verdict = finish(verify(file, project))
    assert verdict.outcome is Outcome.UNSURE
    assert "could not be made again" in verdict.words


def test_without_a_project_the_file_tells_its_fingerprint(file, project):
    verdict = finish(verify(file))
    assert verdict.outcome is Outcome.UNCHECKED
    assert project.fingerprint in verdict.words


@pytest.mark.parametrize(
    ("bytes_", "outcome"),
    [(b"", Outcome.FOREIGN), (b"PK\x03\x04", Outcome.FOREIGN), (b"%PDF-1.7\n%%EOF", Outcome.FOREIGN)],
)
def test_a_foreign_file_is_told_as_such(bytes_, outcome, tmp_path, project):
    path = tmp_path / "x.pdf"
    path.write_bytes(bytes_)
    assert finish(verify(path, project)).outcome is outcome


def test_a_cut_file_is_told_as_damaged(file, content, project):
    file.write_bytes(content[: len(content) // 2])
    verdict = finish(verify(file, project))
    assert verdict.outcome is Outcome.DAMAGED
    assert "its end is missing" in verdict.words


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(TapdeskError, match="no such file"):
        finish(verify(tmp_path / "none.pdf"))


def test_the_facts_hold_the_choices_whatever_their_words(content, project):
    told = facts_of(content)
    found = choices(told["choices"])
    assert isinstance(found, Choices)
    assert found.style == APA
    assert found.status == "Draft 3, “not signed”, <a & b>"
    assert told["data"] == project.fingerprint


@pytest.mark.parametrize("damaged", ["", "{}", "[]", '{"leave_out": 1}', "null"])
def test_damaged_choices_are_none(damaged):
    assert choices(damaged) is None


def test_a_damaged_record_is_passed_over(project):
    broken = project.with_note("issued", 'not json\n{"name": "a"}\n7')
    assert issued(broken) == ()
    assert len(issued(with_issued(broken, "b.pdf", b"x", "2025-05-14T11:00:00"))) == 1
