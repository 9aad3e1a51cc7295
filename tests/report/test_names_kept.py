"""Codes hold by construction: whatever names are like, a kept sentence knows which of its parts are names."""

from dataclasses import replace
from random import Random

import pytest

from tapdesk.answers.naming import WITHHELD, CasesAs, RatersAs, naming
from tapdesk.project.project import Project
from tapdesk.ratings.findings import Finding, Severity
from tapdesk.ratings.reading import read_now
from tapdesk.report.build import build
from tapdesk.report.issue.texts import names_left, texts

STAFF = ("104233", "104234", "104235", "104236")
LETTERS = ("x", "y", "z", "w")
LONG = tuple(
    f"Doctor {name} of the large hospital beyond the river in the north" for name in ("Ann", "Bea", "Cia", "Dee")
)
OURS = ("Rating", "Case", "Order", "True")


def panel(folder, raters, cases=30):
    """A project in which the first two raters agree on every case."""
    drawn = Random(4)
    rows = [",".join(("case", *raters))]
    for i in range(cases):
        one, three, four = (drawn.choice(("no", "yes")) for _ in range(3))
        rows.append(f"W{i},{one},{one},{three},{four}")
    file = folder / "staff.csv"
    file.write_text("\n".join(rows) + "\n", "utf-8")
    return Project().with_reading(read_now(file))


@pytest.mark.parametrize("raters", [STAFF, LETTERS, LONG, OURS], ids=["numbers", "letters", "long", "words of ours"])
def test_no_rater_is_named_in_a_report_with_codes_and_what_was_noticed_is_still_said(tmp_path, raters):
    project = panel(tmp_path, raters)
    report = build(project, raters_as=RatersAs.CODES)
    called = naming(project, RatersAs.CODES)
    assert names_left(report) == ()
    told = (
        [text for _place, text in texts(report)]
        if isinstance(next(iter(texts(report)), ""), tuple)
        else [*texts(report)]
    )
    first, second = sorted((called.rater(raters[0]), called.rater(raters[1])))
    assert any(f"{first} and {second} gave the same answer on all 30 cases" in words for words in told)
    assert not [words for words in told if raters[0] in words.replace(",", " ").split() and raters is not OURS]


def test_a_finding_of_reading_names_codes_where_it_named_raters_and_cases(tmp_path):
    project = panel(tmp_path, STAFF)
    called = naming(project, RatersAs.CODES, CasesAs.CODES)
    (alike,) = [f for f in project.reading.findings if f.code == "identical_raters"]
    assert "104233" in alike.message
    said = called.text(alike.message)
    assert called.rater("104233") in said.split()
    assert "104233" not in said


def test_a_sentence_of_an_older_file_is_printed_only_where_nothing_in_it_may_be_a_name(tmp_path):
    project = panel(tmp_path, STAFF)
    plain = Finding("x", Severity.NOTE, "", "The rater 104233 is odd.", "Nothing.")
    project = replace(project, reading=replace(project.reading, findings=(plain,)))
    called = naming(project, RatersAs.CODES)
    assert called.text(plain.message) == WITHHELD
    assert called.text(plain.fix) == plain.fix
