"""What a project remembers about its report."""

import io
import json
from dataclasses import replace
from datetime import UTC, datetime

import pikepdf
import pytest

from tapdesk.answers.side_results import ALL
from tapdesk.cli.main import main
from tapdesk.progress import finish
from tapdesk.project.files.file import load, save
from tapdesk.report.forms.logo import logo
from tapdesk.report.forms.pdf import pdf
from tapdesk.report.issue.verify import Outcome, verify
from tapdesk.report.report import Logo
from tapdesk.report.setup import LOGO, PLACE, USUAL, Setup, arranged, prepare, setup, with_setup

from .examples import project_of

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#14607A"/></svg>'
)


@pytest.fixture
def crest(tmp_path):
    path = tmp_path / "crest.svg"
    path.write_text(SVG)
    return logo(path, "Crest of the society")


@pytest.fixture
def project(fitted, wine):
    return project_of(fitted, wine)


def test_what_was_chosen_comes_back_from_the_file_of_the_project(project, crest, tmp_path):
    chosen = Setup(("counts", "technical"), apa=True, paper="us-letter", archive=False, logo=crest, scale="fleiss")
    save(with_setup(project, chosen), tmp_path / "work.tapdesk")
    assert setup(load(tmp_path / "work.tapdesk")) == chosen
    assert setup(project) == USUAL
    assert setup(with_setup(with_setup(project, chosen), USUAL)) == USUAL


@pytest.mark.parametrize("damaged", ["", "{", "[1]", '{"paper": "wall", "leave_out": 3}', "null"])
def test_a_damaged_note_is_the_usual_report(project, damaged):
    assert setup(project.with_note(PLACE, damaged)) == USUAL


@pytest.mark.parametrize(
    "inside",
    ["{", "[]", '{"content": "%%", "alt": ""}', json.dumps({"content": "PHN2Zz48c2NyaXB0Lz48L3N2Zz4=", "alt": ""})],
)
def test_a_logo_that_is_no_drawing_is_not_taken_from_a_project(project, inside):
    assert setup(project.with_note(LOGO, inside)).logo is None


def test_the_report_follows_what_the_project_remembers(project):
    made = arranged(with_setup(project, Setup(("purpose",), apa=True, paper="us-letter")))
    assert "purpose" not in {s.key for s in made.sections}
    assert made.paper == "us-letter"
    assert "0.44" not in " ".join(b.text for s in made.sections for b in s.blocks if hasattr(b, "text"))


def test_an_issued_report_carries_the_moment_of_issue_and_a_draft_that_of_its_run(project):
    when = datetime(2026, 3, 4, 15, 30, tzinfo=UTC)
    made = arranged(project, issued=when)
    assert made.status == "Issued 4 March 2026"
    assert ("Status", "Issued 4 March 2026") in made.record
    assert "Draft" in arranged(project).status
    with pikepdf.open(io.BytesIO(pdf(made))) as opened:
        assert "20260304" in str(opened.docinfo["/CreationDate"])
    assert pdf(made) == pdf(arranged(project, issued=when))


def test_a_report_with_the_logo_of_the_project_is_verified_to_the_last_byte(project, crest, tmp_path):
    with_crest = with_setup(project, replace(USUAL, logo=crest))
    path = tmp_path / "issued.pdf"
    path.write_bytes(pdf(arranged(with_crest)))
    assert finish(verify(path, with_crest)).outcome is Outcome.MATCHES
    other = with_setup(
        project, replace(USUAL, logo=Logo(crest.content.replace(b"14607A", b"000000"), "svg", crest.alt))
    )
    assert finish(verify(path, other)).outcome is Outcome.UNSURE


def test_studies_follow_level_and_seed_of_the_answer(project):
    (analysis,) = project.analyses
    asked = replace(analysis, request=replace(analysis.request, level=0.9, seed=7))
    few = project.with_analysis(asked)
    made = prepare(few)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tapdesk.report.setup.ALL", replace(ALL, replicates=5, tests=False, sensitivity=False))
        found = finish(made)
    assert (found.wanted.level, found.wanted.seed) == (0.9, 7)
    assert {c.estimate.level for c in found.coefficients if c.estimate.low is not None} == {0.9}


def test_the_command_takes_what_the_project_remembers_and_what_is_named(project, tmp_path, capsys):
    work = tmp_path / "work.tapdesk"
    save(with_setup(project, Setup(("purpose",), paper="us-letter")), work)
    out = tmp_path / "report.html"
    assert main(["report", str(work), "-o", str(out), "--leave-out", "counts,technical"]) == 0
    told = out.read_text()
    assert 'id="purpose"' not in told
    assert 'id="counts"' not in told
    assert 'id="summary"' in told
    assert main(["report", str(work), "-o", str(out), "--leave-out", "cover"]) == 2
    assert "There is no section 'cover'" in capsys.readouterr().err


def test_words_of_a_scale_are_printed_only_when_asked_for_and_verified_then(project, extras, tmp_path):
    def printed(chosen):
        return {
            b.title for s in arranged(project, extras, chosen=chosen).sections for b in s.blocks if hasattr(b, "rows")
        }

    assert not [title for title in printed(USUAL) if title.startswith("The words of")]
    assert "The words of Altman (1991)" in printed(replace(USUAL, scale="altman"))
    path = tmp_path / "issued.pdf"
    path.write_bytes(pdf(arranged(project, extras, chosen=replace(USUAL, scale="fleiss"))))
    assert finish(verify(path, project)).outcome is Outcome.MATCHES
    assert setup(project.with_note(PLACE, '{"scale": "own"}')).scale == ""
