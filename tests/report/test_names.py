"""Names or codes, everywhere at once; and a private page for each rater."""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations

import numpy as np
import pytest

from tapdesk.answers.content import Picture, Table
from tapdesk.answers.naming import RatersAs, code, naming
from tapdesk.answers.side_results import SideResults, Wanted
from tapdesk.errors import CannotAnswerError
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.decisions.ratings import LeaveOutRaters
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.findings import Finding, Severity
from tapdesk.ratings.reading import read_now
from tapdesk.report.build import build
from tapdesk.report.forms.html import html
from tapdesk.report.forms.pdf import pages
from tapdesk.report.issue.texts import names_left, texts
from tapdesk.report.letters import letters, write_letters
from tapdesk.report.setup import prepare
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.opposition import Opposition

from .examples import project_of

FINDING = Finding("same", Severity.ASK, "columns Ana and Ben", "Ana and 'Ben' are alike.", "Ask Ana.", "Ana stays.")


@pytest.fixture(scope="module")
def project():
    reading = read_now("sample:jury")
    reading = replace(reading, findings=(FINDING,))
    project = Project(reading=reading, title="Jury")
    fit = finish(analyse(project.ratings, Request(model("t-aj-p"), interval="none")))
    return project.with_analysis(Analysis("1", Request(fit.model), fit, run_at="2026-05-14T10:44:00"))


@pytest.fixture(scope="module")
def known(project):
    return finish(prepare(project, Wanted(replicates=20)))


def test_no_name_is_left_in_a_report_with_codes(project, known):
    people = project.ratings.raters
    report = build(project, extras=known, raters_as=RatersAs.CODES)
    assert names_left(report) == ()
    assert not [name for name in people if f">{name}<" in html(report).decode()]
    drawn = [
        text
        for s in report.sections
        for b in s.blocks
        if isinstance(b, Picture)
        for f in b.panels
        for text in (*(m.label for m in f.marks), *(t for _, t in f.y.ticks), f.alt, f.note, f.title)
    ]
    assert not [text for text in drawn for name in people if name in text.split()]
    assert {"A", "B", "C", "D"} <= {
        row[0] for s in report.sections for b in s.blocks if isinstance(b, Table) for row in b.rows
    }


def test_numbers_of_raters_stand_in_the_order_of_their_codes_not_of_the_file(project, known):
    report = build(project, extras=known, raters_as=RatersAs.CODES)
    tables = {b.title: b.rows for s in report.sections for b in s.blocks if isinstance(b, Table)}
    (estimates,) = [rows for title, rows in tables.items() if title.startswith("Estimates of")]
    assert [row[1].split()[2] for row in estimates if row[0] == "a"] == ["A", "B", "C", "D"]
    # Pairs are told by their codes as well, whoever of the two comes first in the file.
    (kappas,) = [rows for title, rows in tables.items() if title.startswith("Cohen")]
    assert sorted((row[0], row[1]) for row in kappas) == list(combinations("ABCD", 2))
    (pairs,) = [rows for title, rows in tables.items() if title.startswith("Every pair of raters")]
    assert sorted(row[0] for row in pairs) == [f"{one} and {two}" for one, two in combinations("ABCD", 2)]
    # Nor do the numbers that the file carries for a later check.
    called = naming(project, RatersAs.CODES).codes
    fit = project.analyses[0].fit
    own = {called[e.name.rater]: f"{e.estimate.value:.6g}" for e in fit.estimates if e.name.rater}
    (kept,) = [told for name, told in report.facts if name.startswith("numbers")]
    assert [number for number in kept.split(" ") if number in own.values()] == [own[c] for c in sorted(own)]
    assert [own[c] for c in sorted(own)] != list(own.values())


def test_names_are_there_where_names_are_wanted(project, known):
    report = build(project, extras=known)
    told = " ".join(texts(report)).split()
    assert set(project.ratings.raters) <= set(told)
    assert names_left(report) == ()


def test_the_words_of_the_user_are_not_changed_but_found(project):
    own = project.with_note("conclusion", "Ana and Ben talk in May.")
    report = build(own, raters_as=RatersAs.CODES)
    called = naming(project, RatersAs.CODES).codes
    assert names_left(report) == tuple(f"{called[name]} in your words on “conclusion”" for name in ("Ana", "Ben"))
    assert "Ana and Ben talk in May." in " ".join(texts(report))
    with pytest.raises(CannotAnswerError, match="your words on “conclusion”: the name of") as refused:
        html(report)
    assert "Ana" not in str(refused.value)


def test_numbers_stay_the_same_with_codes(project, known):
    def numbers(report):
        return sorted(
            str(c) for s in report.sections for b in s.blocks if isinstance(b, Table) for r in b.rows for c in r[1:]
        )

    assert len(numbers(build(project, extras=known))) == len(
        numbers(build(project, extras=known, raters_as=RatersAs.CODES))
    )


def test_codes_do_not_follow_the_order_of_the_file(project):
    called = naming(project, RatersAs.CODES)
    assert sorted(called.codes.values()) == ["A", "B", "C", "D"]
    assert naming(project, RatersAs.CODES).codes == called.codes
    as_read = project.reading.as_read
    # Ratings that nobody outside has seen are the key: neither names nor checksum of the file give the order away.
    others = [replace(as_read, category=np.roll(as_read.category, n)) for n in range(8)]
    changed = [replace(project, reading=replace(project.reading, as_read=r, ratings=r)) for r in others]
    assert len({tuple(naming(p, RatersAs.CODES).codes) for p in changed}) > 2


def test_seats_need_no_codes(wine):
    assert not naming(project_of(None, wine), RatersAs.CODES).codes


def test_a_name_is_replaced_as_a_whole_word_only(project):
    called = naming(project, RatersAs.CODES)
    assert called.text("Analysis of Bench marks") == "Analysis of Bench marks"
    assert "Ana" not in called.text("Ana's and (Ana)").replace("'s", "")


def test_codes_go_on_after_the_alphabet():
    assert [code(i) for i in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


def test_every_rater_gets_one_page_without_the_names_of_others(project, known):
    made = letters(project, known)
    assert [letter.rater for letter in made] == list(project.ratings.raters)
    for name, page in ((letter.rater, letter.page) for letter in made):
        assert len(pages(page, ppi=10)) == 1
        assert names_left(page) == ()
        words = " ".join(texts(page)).split()
        assert [n for n in project.ratings.raters if n in words] == [name]
        own = known.by_rater.estimate("a", rater=name).value
        assert f"about {100 * own:.0f} times in 100" in " ".join(texts(page))


def test_a_letter_tells_the_code_of_the_report(project, known):
    called = naming(project, RatersAs.CODES)
    for letter in letters(project, known):
        assert dict(letter.page.record)["Your code"] == letter.code == called.rater(letter.rater)
        assert f"under your code {letter.code}, or" in " ".join(texts(letter.page))


def test_a_letter_says_who_sends_it_when_and_who_else_sees_the_number(project, known):
    said = {"sender": "Ana, chair of the jury", "contact": "jury@example.org", "readers": "the chair"}
    for place, words in said.items():
        project = project.with_note(place, words)
    for letter in letters(project, known, date=datetime(2026, 5, 14, tzinfo=UTC)):
        box, words = dict(letter.page.record), " ".join(texts(letter.page))
        assert (box["From"], box["Date"]) == (said["sender"], "14 May 2026")
        assert "The sender names: the chair." in words
        assert "Questions go to jury@example.org." in words
        # Thanks first, then the number.
        assert words.index("Thank you") < words.index("times in 100")
        # The sender is one of them, and wants to be known.
        assert names_left(letter.page) == ()


def test_who_was_not_named_is_not_made_up(project, known):
    for letter in letters(project, known):
        assert {"From", "Date"}.isdisjoint(dict(letter.page.record))
        assert "Who reads that report is not stated here" in " ".join(texts(letter.page))


def test_letters_are_saved_as_one_file_each(project, known, tmp_path):
    written = finish(write_letters(project, known, tmp_path))
    assert {one.path.name for one in written} == {f"letter-{code}.pdf" for code in "ABCD"}
    assert all(one.path.read_bytes().startswith(b"%PDF") for one in written)
    assert not any(name in str(one.path.relative_to(tmp_path)) for one in written for name in project.ratings.raters)
    named = finish(write_letters(project, known, tmp_path, named=True))
    assert [one.path.name for one in named] == ["01 Ana.pdf", "02 Ben.pdf", "03 Carla.pdf", "04 Dimitri.pdf"]


def test_raters_who_seem_to_answer_different_questions_get_no_letters(project, known):
    camps = Opposition((), False, (("Ana", "Ben"), ("Carla", "Dimitri")), None)
    with pytest.raises(CannotAnswerError, match="seem to answer different questions"):
        letters(project, replace(known, opposition=camps))
    assert letters(project, replace(known, opposition=replace(camps, groups=())))


def test_there_are_no_letters_to_seats(wine, fitted, extras):
    with pytest.raises(CannotAnswerError):
        letters(project_of(fitted, wine), extras)
    with pytest.raises(CannotAnswerError):
        letters(project_of(fitted, wine), SideResults())


def test_a_letter_thanks_tells_what_its_picture_and_table_show_and_whose_they_are(project, known):
    ratings = project.ratings
    for letter in letters(project, known):
        j = ratings.raters.index(letter.rater)
        own = int((ratings.rater == j).sum())
        said = " ".join(texts(letter.page))
        thanks = f"Thank you for your {own} ratings. This page is for you alone: the others appear without names."
        assert thanks in said
        assert "everybody may tell whose number is whose" not in said
        assert "under your code" in said
        assert "or under your name where it prints names." in said
        assert "Who else sees your number." in said
        rest = "of the others. You may have had other"
        assert f"{own} ratings and {ratings.rating_count - own} {rest} wines." in said
        picture = next(block for block in letter.page.sections[0].blocks if isinstance(block, Picture))
        assert f"{known.by_rater.model.name} model; the line is the 95 % interval." in picture.panels[0].note
        told = picture.panels[0].alt.partition(" The others, without their names: ")[2].rstrip(".").split(", ")
        others = [known.by_rater.estimate("a", rater=n).value for n in ratings.raters if n != letter.rater]
        assert sorted(told) == sorted(f"{value:.2f}" for value in others)


def test_among_three_it_is_said_that_names_hide_nobody(project, known):
    few = project.decide(LeaveOutRaters(project.ratings.raters[:1]), when="")
    side = replace(known, fingerprint=few.data_fingerprint)
    for letter in letters(few, side):
        assert "With 3 raters, though, everybody may tell whose number is whose." in " ".join(texts(letter.page))
