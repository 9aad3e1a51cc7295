"""A sheet of its own with known answers: noticed by its name or by what it says, read as a key, as a rater or not."""

import json

import openpyxl
import pytest

from tapdesk.cli.main import main
from tapdesk.errors import TapdeskError, UsageError
from tapdesk.progress import finish
from tapdesk.project.decisions.names import NameKeyAuthors
from tapdesk.project.files.file import load, save
from tapdesk.project.fixes.catalog import fixes
from tapdesk.project.project import Project
from tapdesk.project.review_state import finding_states
from tapdesk.ratings.form import form
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.reading import read_now
from tests.ratings.telling import asks, codes, told
from tests.ratings.test_known import PANEL, true

NAMES = ("Key", "Gold standard", "Musterlösung", "Référence", "Respuestas correctas", "Risposte corrette", "Gabarito")


def panel():
    """Thirty photographs and three raters, each with mistakes of their own."""
    yield ["photo", *PANEL]
    for i in range(30):
        yield [f"P{i:02}", *(true(i) if (i * 7 + j * 5) % 6 else "Yes" if true(i) == "No" else "No" for j in range(3))]


def key(head=("photo", "result"), word=str, known=lambda i: i % 2 == 0):
    return [list(head), *([f"P{i:02}", word(true(i))] for i in range(30) if known(i))]


def in_rows():
    rows = list(panel())
    return [
        ["photo", "rater", "rating"],
        *([r[0], who, said] for r in rows[1:] for who, said in zip(PANEL, r[1:], strict=True)),
    ]


@pytest.mark.parametrize("name", [n for n in NAMES if " " not in n or n == "Gold standard"])
def test_a_sheet_called_like_known_answers_in_six_languages_is_asked_about(book, name):
    reading = book(panel(), more=[(name, key())])
    found = told(reading, "key_sheet")
    assert "key_sheet" in asks(reading)
    assert "15 of 30" in found.message
    assert "15 of them" in found.message
    assert f'--known-sheet "{name}"' in found.fix
    assert f'--rater-sheet "{name}"' in found.fix
    # One question about one sheet.
    assert "several_sheets" not in codes(reading)
    assert not reading.ratings.known


def test_a_sheet_is_known_by_its_column_and_by_what_it_says_and_others_are_let_be(book):
    assert "key_sheet" in codes(book(panel(), more=[("Sheet2", key(("photo", "truth")))]))
    assert "key_sheet" in codes(book(panel(), more=[("Sheet2", key(("Bild", "Befund")))]))
    other_words = {"Yes": "POS", "No": "NEG"}
    assert "key_sheet" in codes(book(panel(), more=[("Lab", key(word=other_words.get))]))
    wards = [["photo", "ward"], *([f"P{i:02}", "NS"[i % 2]] for i in range(30))]
    assert "key_sheet" not in codes(book(panel(), more=[("Wards", wards)]))
    strangers = [["photo", "truth"], *([f"X{i:02}", true(i)] for i in range(30))]
    assert "key_sheet" not in codes(book(panel(), more=[("Key", strangers)]))
    twice = [*key(), *key()[1:]]
    assert "key_sheet" not in codes(book(panel(), more=[("Sheet2", twice)]))


@pytest.mark.parametrize("name", ["Key", "Sheet 0"])
def test_a_key_that_comes_first_is_not_taken_for_the_ratings(book, name, tmp_path):
    book(panel(), more=[(name, key())])
    path = tmp_path / "ratings.xlsx"
    workbook = openpyxl.load_workbook(path)
    workbook.move_sheet(name, -1)
    workbook.active = 0
    workbook.save(path)
    reading = read_now(path)
    assert reading.source.sheet == "Ratings"
    assert reading.ratings.raters == PANEL
    assert "key_sheet" in codes(reading)


def test_the_three_answers_are_one_click_each(book):
    reading = book(panel(), more=[("Key", key())])
    offered = {fix.words: fix for fix in fixes(told(reading, "key_sheet"), reading, reading.ratings)}
    assert list(offered) == [
        "The sheet “Key” holds the known answers", "The sheet “Key” is a rater", "Neither: leave it out",
    ]  # fmt: skip
    known = book(panel(), more=[("Key", key())], **offered["The sheet “Key” holds the known answers"].options)
    assert known.ratings.raters == PANEL
    assert known.ratings.known_texts() == tuple(true(i) if i % 2 == 0 else "" for i in range(30))
    assert "key_sheet" not in codes(known)
    rater = book(panel(), more=[("Key", key())], **offered["The sheet “Key” is a rater"].options)
    assert rater.ratings.raters == (*PANEL, "result")
    assert rater.ratings.rating_count == 90 + 15
    assert rater.account.total.ratings == 105
    project = Project().with_reading(reading).decide(offered["Neither: leave it out"].decision)
    (state,) = [s for s in finding_states(project) if s.finding.code == "key_sheet"]
    assert not state.open


def test_the_preview_and_the_sizes_are_those_of_the_sheet_of_ratings(book):
    plain = book(panel(), more=[("Key", key())])
    keyed = book(panel(), more=[("Key", key())], known_sheet="Key")
    assert keyed.preview.header == plain.preview.header == ("photo", *PANEL)
    assert keyed.preview.rows == plain.preview.rows
    assert "30 rows and 4 columns" in keyed.source.words[0]


def test_what_was_resolved_reads_the_same_again(book):
    keyed = book(panel(), more=[("Key", key())], known_sheet="Key")
    again = book(panel(), more=[("Key", key())], **{f: getattr(keyed.options, f) for f in vars(keyed.options)})
    assert again.ratings.known_texts() == keyed.ratings.known_texts()


def test_a_long_table_takes_its_key_from_a_sheet_too(book):
    reading = book(in_rows(), more=[("Key", key())], known_sheet="Key")
    assert reading.source.layout is Layout.LONG
    assert reading.ratings.known_texts()[:3] == ("No", "", "Yes")
    assert reading.ratings.rating_count == 90


def test_a_name_that_is_taken_stands_behind_that_of_the_sheet(book):
    reading = book(panel(), more=[("Key", key(("photo", "Chen")))], known_sheet="Key")
    assert reading.ratings.known == "Key: Chen"
    assert reading.ratings.raters == PANEL


def test_cases_that_were_not_rated_are_told_and_two_answers_of_one_case_refused(book):
    more = [*key(), ["P99", "Yes"]]
    assert (
        "1 case of that sheet was not rated"
        in told(book(panel(), more=[("Key", more)], known_sheet="Key"), "key_sheet_read").message
    )
    with pytest.raises(TapdeskError, match="P00 have different answers"):
        book(panel(), more=[("Key", [*key(), ["P00", "Yes"]])], known_sheet="Key")


def test_what_names_no_sheet_or_no_column_is_refused(book):
    with pytest.raises(UsageError, match="no further sheet 'Keys'"):
        book(panel(), more=[("Key", key())], known_sheet="Keys")
    wide = [["photo", "first", "second"], *([r[0], r[1], r[1]] for r in key()[1:])]
    with pytest.raises(UsageError, match="several columns"):
        book(panel(), more=[("Key", wide)], known_sheet="Key")
    assert book(panel(), more=[("Key", wide)], known_sheet="Key", known="second").ratings.known == "second"
    with pytest.raises(TapdeskError, match="no column with the cases"):
        book(
            panel(),
            more=[("Key", [["a", "b"], ["x", "Yes"], ["y", "No"], ["z", "No"], ["w", "No"]])],
            known_sheet="Key",
        )


def test_answers_written_otherwise_are_merged_by_one_click(book):
    word = {"Yes": "YES!", "No": "nein"}.get
    reading = book(panel(), more=[("Key", key(word=word))], known_sheet="Key")
    found = told(reading, "known_written_otherwise")
    assert found.about == (("nein", "No"), ("YES!", "Yes"))
    assert reading.ratings.known_classes().max() == -1
    fix, leave = fixes(found, reading, reading.as_read)
    assert fix.words == "Read nein as No, YES! as Yes"
    assert leave.words == "Their answers are not known"
    merged = book(panel(), more=[("Key", key(word=word))], **{"known_sheet": "Key", **fix.options})
    assert merged.ratings.known_classes().tolist() == [int(true(i) == "Yes") if i % 2 == 0 else -1 for i in range(30)]
    assert "known_written_otherwise" not in codes(merged)


@pytest.mark.parametrize(
    ("written", "classes", "meant"),
    [
        ("POS", ("negative", "positive"), "positive"),
        ("Yes ", ("No", "Yes"), None),
        ("yes ", ("No", "Yes"), "Yes"),
        ("oui", ("No", "Yes"), "Yes"),
        ("1.0", ("0", "1"), None),
        ("mal", ("benign", "malignant", "malformed"), None),
        ("1", ("10", "20"), None),
    ],
)
def test_only_what_can_mean_one_class_is_offered(text, written, classes, meant):
    rows = ["case,Ana,Ben,key", *(f"c{i},{classes[i % len(classes)]},{classes[i % len(classes)]}," for i in range(12))]
    rows[1] += written
    reading = text("\n".join(rows) + "\n", known="key")
    found = [f.about for f in reading.findings if f.code == "known_written_otherwise"]
    assert found == ([((written.strip(), meant),)] if meant else [])


def test_an_answer_that_is_no_class_is_read_as_one_of_them_by_a_click(text):
    rows = ["case,Ana,Ben,key", *(f"c{i},{'ab'[i % 2]},{'ab'[i % 2]},{'malign' if i else ''}" for i in range(8))]
    reading = text("\n".join(rows) + "\n", known="key")
    offered = fixes(told(reading, "known_no_class"), reading, reading.as_read)
    assert [f.words for f in offered] == ["Read malign as a", "Read malign as b", "Their answers are not known"]
    again = text("\n".join(rows) + "\n", known="key", **offered[1].options)
    assert again.ratings.known_classes()[1:].tolist() == [1] * 7


def asked_form(answers=("YES", "no")):
    """A form of three questions, whose key knows every second case of each."""
    rows, known = [["patient", "nurse", "Q1", "Q2", "Q3"]], [["patient", "Q1", "Q2", "Q3"]]
    for i in range(24):
        truths = [true(i + q) for q in range(3)]
        given = [[t if (i + j + q) % 5 else "Yes" for q, t in enumerate(truths)] for j in range(3)]
        rows += [[f"S{i:02}", f"N{j}", *own] for j, own in enumerate(given)]
        if i % 2:
            known.append([f"S{i:02}", *(answers[t == "No"] for t in truths)])
    return rows, known


def test_a_form_has_a_key_for_each_question_and_is_asked_once(book, tmp_path):
    rows, known = asked_form(("Yes", "No"))
    with pytest.raises(TapdeskError):
        book(rows, more=[("Key", known)])
    path = tmp_path / "ratings.xlsx"
    plain = finish(form(path))
    assert sum(f.code == "key_sheet" for f in plain.findings) == 1
    assert any(f.code == "key_sheet" for f in plain.remarks)
    made = finish(form(path, ReadingOptions(known_sheet="Key")))
    for q, one in enumerate(made.questions):
        texts = one.reading.ratings.known_texts()
        assert texts == tuple(true(i + q) if i % 2 else "" for i in range(24))


def test_who_wrote_the_known_answers_is_asked_kept_and_undone(book, tmp_path):
    reading = book(panel(), more=[("Key", key())], known_sheet="Key")
    assert "known_by" in asks(reading)
    project = Project().with_reading(reading).decide(NameKeyAuthors("two pathologists"))
    (state,) = [s for s in finding_states(project) if s.finding.code == "known_by"]
    assert "two pathologists" in state.done.words
    save(project, tmp_path / "p.tapdesk")
    assert load(tmp_path / "p.tapdesk").ratings.known_by == "two pathologists"
    assert project.undo().ratings.known_by == ""
    assert project.ratings.known_by == "two pathologists"
    # No number rests on it.
    assert project.data_fingerprint == project.undo().data_fingerprint
    assert "known_by" not in codes(book(panel(), more=[("Key", key())], known_sheet="Key", known_by="a biopsy"))


def test_the_command_line_reads_the_sheet_and_says_who_wrote_it(book, tmp_path, capsys):
    book(panel(), more=[("Lab", key(word={"Yes": "POS", "No": "NEG"}.get))])
    place = str(tmp_path / "ratings.xlsx")
    said = ["--known-sheet", "Lab", "--known-as", "POS=Yes,NEG=No", "--known-by", "a laboratory"]
    assert main(["agree", place, *said, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["data"]["known"] == {"column": "result", "subjects": 15, "per_class": {"No": 5, "Yes": 10}}
    (part,) = [p for p in answer["parts"] if p["key"] == "known"]
    assert "The known answers were written by: a laboratory. The known answers may be wrong too." in json.dumps(part)
    assert main(["fit", place, *said]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "The known answers were written by: a laboratory." in printed
    assert main(["fit", place, "--known-sheet", "Lab"]) == 0
    assert "Who wrote the known answers is not known." in " ".join(capsys.readouterr().out.split())
    page = tmp_path / "report.html"
    assert main(["report", place, *said, "--interval", "none", "--replicates", "20", "-o", str(page)]) == 0
    written = " ".join(page.read_text("utf-8").split())
    assert "The answer is known from elsewhere for 15 photos." in written
    assert "The known answers were written by: a laboratory." in written
    assert main(["fit", place, "--known-as", "POS=Yes"]) == 2
    assert main(["fit", place, *said[:2], "--known-as", "POS"]) == 2


def test_a_sheet_of_one_more_rater_joins_a_table_of_one_rating_in_each_row(tmp_path):
    place, book = tmp_path / "long.xlsx", openpyxl.Workbook()
    for row in in_rows():
        book.active.append(row)
    book.active.title = "Ratings"
    more = book.create_sheet("Dr Weiss")
    for row in [*key(), ["P99", "Yes"]]:
        more.append(row)
    book.save(place)
    plain = read_now(place, ReadingOptions(sheet="Ratings"))
    assert '--rater-sheet "Dr Weiss"' in told(plain, "key_sheet").fix
    reading = read_now(place, ReadingOptions(sheet="Ratings", rater_sheet="Dr Weiss"))
    assert reading.source.layout is Layout.LONG
    assert reading.ratings.raters == (*PANEL, "Dr Weiss")
    assert reading.ratings.rating_count == plain.ratings.rating_count + 15
    said = {
        (reading.ratings.subjects[s], reading.ratings.classes[c])
        for s, r, c in zip(reading.ratings.subject, reading.ratings.rater, reading.ratings.category, strict=True)
        if r == len(PANEL)
    }
    assert said == {(f"P{i:02}", true(i)) for i in range(0, 30, 2)}
    assert "1 case of that sheet was not rated" in told(reading, "key_sheet_read").message
