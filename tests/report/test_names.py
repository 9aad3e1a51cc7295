"""Names or codes, everywhere at once; and a private page for each rater."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from tapdesk.answers.content import Picture, Table
from tapdesk.answers.naming import RatersAs, code, naming
from tapdesk.answers.side_results import SideResults, Wanted
from tapdesk.errors import CannotAnswerError
from tapdesk.models.model import model
from tapdesk.progress import finish
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
    assert [name for name, _page in made] == list(project.ratings.raters)
    for name, page in made:
        assert len(pages(page, ppi=10)) == 1
        assert names_left(page) == ()
        words = " ".join(texts(page)).split()
        assert [n for n in project.ratings.raters if n in words] == [name]
        own = known.by_rater.estimate("a", rater=name).value
        assert f"about {100 * own:.0f} times in 100" in " ".join(texts(page))


def test_a_letter_tells_the_code_of_the_report(project, known):
    called = naming(project, RatersAs.CODES)
    for name, page in letters(project, known):
        assert dict(page.record)["Your code"] == called.rater(name)


def test_letters_are_saved_as_one_file_each(project, known, tmp_path):
    written = finish(write_letters(project, known, tmp_path))
    assert [path.name for path in written] == ["01 Ana.pdf", "02 Ben.pdf", "03 Carla.pdf", "04 Dimitri.pdf"]
    assert all(path.read_bytes().startswith(b"%PDF") for path in written)


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
