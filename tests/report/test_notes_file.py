"""The committee's own words from a file: where they are printed, and what is said of a file that is none."""

import json

import pytest

from tapdesk.answers.user_words import PROMPTS
from tapdesk.cli.main import main
from tapdesk.errors import TapdeskError, UsageError
from tapdesk.report.notes_file import read_notes

NOTES = """
committee = "Audit committee"
period = "Third quarter"
conclusion = "The ratings can be used."
signers = ["Ann Lee", "Bob May", "Cy Ray"]
actions = ["Training: A. Lee, by May", "Next audit: October"]
independence = "Each nurse alone, <b>before</b> discussion."

[comment]
agreement = "As last year."
"""


@pytest.fixture
def notes(tmp_path):
    place = tmp_path / "notes.toml"
    place.write_text(NOTES)
    return place


def report(source, out, *more):
    assert main(["report", source, "-o", str(out), *more]) == 0
    return " ".join(out.read_text("utf-8").split())


def test_the_words_stand_in_the_brief_and_in_the_annex(notes, tmp_path):
    page = report("sample:audit", tmp_path / "r.html", "--form", "both", "--notes", str(notes))
    for words in (
        "<dt>Committee</dt><dd>Audit committee</dd>",
        "<dt>Period</dt><dd>Third quarter</dd>",
        "The ratings can be used.",
        "Ann Lee. I made this analysis",
        "Cy Ray. The committee accepts",
        "Training: A. Lee, by May",
        "Each nurse alone, &lt;b&gt;before&lt;/b&gt; discussion.",
        "As last year.",
    ):
        assert words in page, words
    # What nobody wrote is named in a line, never as an empty one.
    assert "6 Numbers planned; 7 Choice; 8 Process" in page
    assert 'class="ruled"' not in page


def test_a_project_keeps_them_and_verifies_the_report(notes, tmp_path, capsys):
    pdf, kept = tmp_path / "r.pdf", tmp_path / "r.tapdesk"
    typed = ["report", "sample:audit", "--form", "brief", "--notes", str(notes), "-o", str(pdf)]
    assert main([*typed, "--issued", "2025-10-14", "--save-project", str(kept)]) == 0
    capsys.readouterr()
    assert main(["verify", str(pdf), str(kept)]) == 0
    assert "the same to the last byte" in capsys.readouterr().out


def test_a_file_over_which_a_report_would_be_written_is_kept(notes, capsys):
    assert main(["report", "sample:audit", "--notes", str(notes), "-o", str(notes.with_suffix(".html"))]) == 0
    capsys.readouterr()
    assert main(["report", "sample:audit", "--notes", str(notes), "--save-project", str(notes), "-o", "x.pdf"]) == 2
    assert notes.read_text() == NOTES


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ('comittee = "A"', UsageError, "Did you mean “committee”?"),
        ('weather = "fine"', UsageError, "There is no place “weather” for words in a report."),
        ("size = 12", UsageError, "“size” holds something else than text."),
        ('[comment]\nagreemnt = "A"', UsageError, "There is no section “agreemnt” to comment on."),
        ("[comment]\nagreement = 1", UsageError, "“comment.agreement” holds something else than text."),
        ("committee: Audit", TapdeskError, "line 1"),
        ("\x00\x01", TapdeskError, "These notes cannot be read"),
    ],
)
def test_what_is_no_word_for_a_report_is_said(text, error, words, tmp_path):
    place = tmp_path / "notes.toml"
    place.write_text(text)
    with pytest.raises(error) as refused:
        read_notes(place)
    told = f"{refused.value.what} {refused.value.fix}"
    assert words in told
    assert refused.value.where == "notes.toml"


@pytest.mark.parametrize("name", ["missing.toml", "."])
def test_a_file_that_is_not_there_is_said(name, tmp_path, capsys):
    assert main(["report", "sample:audit", "--notes", str(tmp_path / name), "-o", str(tmp_path / "x.html")]) == 3
    assert "Traceback" not in capsys.readouterr().err
    assert not (tmp_path / "x.html").exists()


def test_a_file_in_another_encoding_is_no_text(tmp_path):
    place = tmp_path / "notes.toml"
    place.write_bytes('committee = "Prüfausschuss"'.encode("latin-1"))
    with pytest.raises(TapdeskError, match="no text in UTF-8"):
        read_notes(place)


def test_every_place_can_be_named(tmp_path):
    place = tmp_path / "notes.toml"
    place.write_text("\n".join(f"{prompt.place} = {json.dumps(prompt.title)}" for prompt in PROMPTS))
    assert read_notes(place).keys() == {prompt.place for prompt in PROMPTS}


def test_a_form_of_many_questions_has_them_and_its_data_file_verifies_it(notes, tmp_path, capsys):
    source = tmp_path / "form.csv"
    rows = [
        f"r{i},{r},{'Yes' if (i + j) % 3 else 'No'},{'Yes' if i % 2 else 'No'}"
        for i in range(30)
        for j, r in enumerate("ABC")
    ]
    source.write_text("Record,Nurse,Plan told,Pulse taken\n" + "\n".join(rows))
    pdf = tmp_path / "form.pdf"
    typed = ["report", str(source), "--class1", "Yes", "--form", "brief", "--notes", str(notes)]
    assert main([*typed, "-o", str(pdf), "--issued", "2025-10-14"]) == 0
    capsys.readouterr()
    assert main(["verify", str(pdf), str(source)]) == 0
    assert "Ann Lee" in report(str(source), tmp_path / "f.html", *typed[2:])
