"""The coefficient of choice in the table of all questions: the same number in terminal, JSON, report and project."""

import json
import re
from dataclasses import replace

import pytest

from tapdesk.agreement.coefficients import agree
from tapdesk.answers.question_columns import COEFFICIENTS, USUAL, table_coefficient
from tapdesk.cli.main import main
from tapdesk.cli.options import TABLE_COEFFICIENTS
from tapdesk.progress import finish
from tapdesk.project.files.file import load, save
from tapdesk.project.form import work_of
from tapdesk.project.project import Project
from tapdesk.ratings.form import form
from tapdesk.report.setup import setup, with_setup
from tests.cli.test_questions_command import place

__all__ = ["place"]
NAMES = [one.name for one in COEFFICIENTS]


def test_the_parser_offers_what_the_table_can_hold():
    assert tuple(NAMES) == TABLE_COEFFICIENTS
    assert table_coefficient("no such") is USUAL
    assert len({one.head for one in COEFFICIENTS}) == len(COEFFICIENTS)


@pytest.mark.parametrize("name", NAMES)
def test_terminal_and_json_have_the_number_that_is_worked_out_of_the_question_alone(place, capsys, name):
    chosen = table_coefficient(name)
    asked = ["questions", str(place), "--class1", "Yes", "--coefficient", name]
    assert main([*asked, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert main(asked) == 0
    text = capsys.readouterr().out
    assert re.search(rf"\bRaw +{re.escape(chosen.head)} +a\b", text)
    alone = {one.name: one.reading.ratings for one in finish(form(place)).questions}
    for row in rows:
        told = row["coefficient"]
        assert told["name"] == name
        known = next(c for c in finish(agree(alone[row["question"]])) if c.name == name and c.raters is None)
        if known.estimate.value is None:
            assert told["value"] is None
            continue
        assert told["value"] == pytest.approx(known.estimate.value)
        assert told["low"] == pytest.approx(known.estimate.low)
        (line,) = [line for line in text.splitlines() if line.startswith(row["question"])]
        assert re.search(rf"(?<![\d.]){re.escape(format(told['value'], '.2f').replace('-', '−'))}(?!\d)", line)


def test_the_report_has_it_and_is_verified_by_its_data_file(place, tmp_path, capsys):
    from pypdfium2 import PdfDocument

    usual, other = tmp_path / "usual.pdf", tmp_path / "kappa.pdf"
    asked = ["report", str(place), "--class1", "Yes", "--issued", "2026-11-02"]
    assert main([*asked, "-o", str(usual)]) == 0
    assert main([*asked, "--coefficient", "krippendorff_alpha", "-o", str(other)]) == 0
    capsys.readouterr()

    def words(path):
        with PdfDocument(path) as document:
            return " ".join(page.get_textpage().get_text_bounded() for page in document)

    assert "Alpha" not in words(usual)
    assert words(other).count("Alpha") >= 3
    assert main(["verify", str(other), str(place)]) == 0
    assert "the same to the last byte" in capsys.readouterr().out


def test_a_file_of_one_question_refuses_it(capsys, tmp_path):
    asked = ["report", "sample:audit", "--coefficient", "fleiss_kappa", "-o", str(tmp_path / "r.pdf")]
    assert main(asked) == 2
    assert "one question" in capsys.readouterr().err
    assert not (tmp_path / "r.pdf").exists()


def test_a_project_keeps_it_and_the_command_line_takes_it_from_there(place, tmp_path, capsys):
    project = Project(title="f").with_form(work_of(finish(form(place))), "Told")
    project = with_setup(project, replace(setup(project), coefficient="fleiss_kappa"))
    kept = tmp_path / "f.tapdesk"
    save(project, kept)
    assert setup(load(kept)).coefficient == "fleiss_kappa"
    assert main(["questions", str(kept), "--json"]) == 0
    assert {row["coefficient"]["name"] for row in json.loads(capsys.readouterr().out)["rows"]} == {"fleiss_kappa"}
    assert main(["questions", str(kept), "--json", "--coefficient", "gwet_ac"]) == 0
    assert {row["coefficient"]["name"] for row in json.loads(capsys.readouterr().out)["rows"]} == {"gwet_ac"}
    # A note of an older project, or a damaged one, leaves the usual.
    assert setup(Project(title="x")).coefficient == USUAL.name
