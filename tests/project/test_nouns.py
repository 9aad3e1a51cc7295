"""What cases, raters and ratings are called: the words of the file, or those of the user."""

from dataclasses import replace

import pytest

from tapdesk.answers import terminal
from tapdesk.answers.part import Answer, contents
from tapdesk.answers.parts import PARTS
from tapdesk.answers.side_results import SideResults
from tapdesk.language import NOUN_FIELDS, Nouns, Voice, speaking
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.files.file import decode, encode
from tapdesk.project.nouns import PLACE, nouns_of, nouns_read, with_nouns
from tapdesk.project.project import Project
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse
from tests.ratings import test_trades_screening as screening
from tests.ratings import trade_samples as trades

ROWS = [f"{case},{who},{'yes' if (case + at) % 3 else 'no'}" for case in range(12) for at, who in enumerate("XYZ")]


def read_as(folder, *heads):
    """Long ratings under three heads."""
    path = folder / "ratings.csv"
    path.write_text("\n".join([",".join(heads), *ROWS]) + "\n", encoding="utf-8")
    return read_now(str(path))


@pytest.mark.parametrize(
    ("heads", "told"),
    [
        (("Wein", "Juror", "Medaille"), Nouns("Wein", "Weine", "juror", "jurors", "Medaille", "Medaillen")),
        (("Patient ID", "Nurse", "Answer"), Nouns("patient", "patients", "nurse", "nurses", "answer", "answers")),
        (("wine", "judge", "medal"), Nouns("wine", "wines", "judge", "judges", "medal", "medals")),
        (("case", "midwife", "diagnosis"), Nouns("case", "cases", "midwife", "midwives", "diagnosis", "diagnoses")),
        # What is no known word of a trade, or stands for another thing here, heads nothing.
        (("id", "rater", "class"), Nouns()),
        (("Wine of the year", "rater", "rating"), Nouns()),
    ],
)
def test_a_file_says_what_its_things_are_called(tmp_path, heads, told):
    reading = read_as(tmp_path, *heads)
    assert {role for role in ("subject", "rater", "rating") if reading.source.roles.get(role)} == {
        "subject", "rater", "rating",
    }  # fmt: skip
    assert nouns_read(reading) == told


@pytest.mark.parametrize(
    ("heads", "rater"),
    [
        (("Judge 1", "Judge 2", "Judge 3"), "judge"),
        (("Nurse A", "Nurse B", "Nurse C"), "nurse"),
        (("Judge 1", "Nurse 2", "Judge 3"), "rater"),
        (("Ana", "Ben", "Carla"), "rater"),
    ],
)
def test_raters_with_a_column_each_are_called_by_the_word_they_share(tmp_path, heads, rater):
    path = tmp_path / "wide.csv"
    rows = [f"W{i},{'yes' if i % 2 else 'no'},{'yes' if i % 3 else 'no'},no" for i in range(12)]
    path.write_text("\n".join([",".join(("wine", *heads)), *rows]) + "\n", encoding="utf-8")
    found = nouns_read(read_now(str(path)))
    assert (found.subject, found.rater, found.rating) == ("wine", rater, "rating")


def test_the_words_of_the_user_go_before_those_of_the_file_and_are_kept(tmp_path):
    project = Project(title="x").with_reading(read_as(tmp_path, "wine", "judge", "medal"), when="")
    own = Nouns("vin", "vins", "juré", "jurés", "note", "notes")
    changed = with_nouns(project, own)
    assert nouns_of(changed) == own
    assert nouns_of(decode(encode(changed), "x")) == own
    assert nouns_of(with_nouns(changed, None)) == nouns_of(project)
    # Half a list says nothing.
    assert nouns_of(project.with_note(PLACE, "vin\nvins")) == nouns_of(project)
    assert nouns_of(project.with_note(PLACE, "a\nb\nc\n \ne\nf")) == nouns_of(project)


def test_every_sentence_of_an_answer_takes_the_words(tmp_path):
    project = Project(title="x").with_reading(read_as(tmp_path, "wine", "judge", "medal"), when="")
    fit = finish(analyse(project.ratings, Request(model("t-a-p"), interval="wald")))
    with speaking(replace(Voice(), nouns=nouns_of(project))):
        answer = Answer(fit, project.ratings, project.all_classes, SideResults())
        told = terminal.fit(answer, contents(PARTS, "fit", answer))
    assert "12 wines, 36 medals" in told
    assert "of 100 medals follow the wine" in told or "These medals cannot tell" in told


def test_no_field_of_a_noun_takes_an_article_twice():
    assert {form for form in NOUN_FIELDS if form.lower().startswith("a_")} == {
        *("a_subject", "a_rater", "a_rating", "A_subject", "A_rater", "A_rating")
    }


@pytest.mark.parametrize("made", [screening.rayyan, screening.covidence, lambda: screening.asreview("Ana")])
def test_an_export_of_a_screening_program_is_of_articles_and_reviewers(tmp_path, made):
    path = tmp_path / "articles.csv"
    path.write_text(trades.text(made()), "utf-8")
    reading = read_now(str(path))
    assert nouns_read(reading) == Nouns("article", "articles", "reviewer", "reviewers")
