"""The pages of the report of a form: one table on one page, intervals drawn in it; half a page for what needs talk."""

import random
import re
from dataclasses import replace

import numpy as np
import pypdfium2
import pytest

from tapdesk.answers.content import Table
from tapdesk.answers.criteria import criteria_of
from tapdesk.answers.naming import RatersAs
from tapdesk.progress import finish
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.form import form
from tapdesk.ratings.options import ReadingOptions
from tapdesk.report.form_report import form_names, form_report
from tapdesk.report.forms.html import html
from tapdesk.report.forms.pdf import pdf
from tapdesk.report.report import Form
from tapdesk.studies.criteria import criteria
from tests.gui.test_four_journeys import annotations

RATERS = ("Adams", "Brown", "Clark", "Davis")
KINDS = {"Told": 0.0, "Watched": 0.45, "Allergy": None, "Pulse": 0.95}
LONG = "“{kind}” was written down within the first {n} hours"


def written(place, columns):
    """A form whose questions are of these kinds."""
    rng = np.random.default_rng(5)
    lines = ["Record,Nurse," + ",".join(columns)]
    for i in range(40):
        true = rng.random(len(columns)) < 0.5
        for j, rater in enumerate(RATERS):
            told = []
            for q, kind in enumerate(columns.values()):
                accuracy = KINDS[kind]
                guess = rng.random() < 0.3 + 0.1 * j
                told.append("Yes" if accuracy is None or (true[q] if rng.random() < accuracy else guess) else "No")
            lines.append(f"r{i},{rater},{','.join(told)}")
    place.write_text("\n".join(lines))
    return place


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """The report of a form of so many questions; the numbers are worked out for one question of each kind."""
    folder = tmp_path_factory.mktemp("form")
    first = finish(form(written(folder / "kinds.csv", {kind: kind for kind in KINDS})))
    names = form_names(first, RatersAs.NAMES)
    numbers = dict(zip(KINDS, finish(criteria(criteria_of(first, names))), strict=True))

    def made(n, name="{kind} {n}", kinds=tuple(KINDS), **options):
        columns = {name.format(kind=kind, n=i): kind for i, kind in zip(range(1, n + 1), [*kinds] * n, strict=False)}
        read = finish(form(written(folder / f"{n}.csv", columns)))
        each = [replace(numbers[kind], name=column) for column, kind in columns.items()]
        return form_report(read, each, form_names(read, RatersAs.NAMES), **options)

    return made


def pages_of(report):
    """The words of every page, and how far down it is filled."""
    with pypdfium2.PdfDocument(pdf(report)) as document:
        words = [" ".join(page.get_textpage().get_text_range().split()) for page in document]
        filled = []
        for page in document:
            ink = page.render(scale=0.5, grayscale=True).to_numpy().squeeze() < 200
            body = np.flatnonzero(ink.any(axis=1)[: int(0.92 * ink.shape[0])])
            filled.append(body.max() / ink.shape[0])
    return words, filled


def glance(report):
    """The table of all questions."""
    return next(b for s in report.sections if s.key == "glance" for b in s.blocks if isinstance(b, Table))


@pytest.mark.costly(4)
@pytest.mark.parametrize("paper", ["a4", "us-letter"])
@pytest.mark.parametrize(("n", "page"), [(6, 0), (12, 0), (24, 1), (30, 1)])
def test_the_table_of_all_questions_stands_on_one_page(reported, n, page, paper):
    report = reported(n, paper=paper)
    words, filled = pages_of(report)
    assert f"Agreement and accuracy on {n} questions, worst first" in words[page]
    # Every row stands there with its number, in the order of the table, and so does the note.
    order = [re.search(rf"\b{i + 1} {row[0]} \d+ ", words[page]) for i, row in enumerate(glance(report).rows)]
    places = [found.start() for found in order]
    assert places == sorted(places)
    assert "Guessing: not more than chance" in words[page]
    # By the noun of the file's own head.
    assert "N: number of cases.".replace("case", "record") in words[page]
    assert "A clear question is not a well-kept record" in words[0]
    assert min(filled[:-1]) > 0.5


@pytest.mark.parametrize("columns", [30, 13])
def test_a_form_with_nothing_to_talk_about_fills_its_first_page_with_the_raters(reported, columns):
    report = reported(columns, kinds=["Pulse"])
    words, filled = pages_of(report)
    assert f"On all {columns} questions the ratings clearly follow the record." in words[0]
    assert "Nurses over all questions" in words[0]
    assert "deserves the meeting’s time" not in words[0]
    assert f"Agreement and accuracy on {columns} questions, worst first" in words[1]
    assert min(filled[:-1]) > 0.6
    # Paper tells what is to be done as the terminal does, on every line.
    assert {row[-1] for row in glance(report).rows} == {"Keep"}
    assert words[1].count("clear Keep") == columns


def test_raters_stand_on_the_first_page_only_where_they_have_room(reported):
    keys = [section.key for section in reported(30).sections]
    assert keys[:3] == ["short", "glance", "talk"]
    assert [section.key for section in reported(30, kinds=["Pulse"]).sections][:3] == ["short", "raters", "glance"]


def test_a_longer_form_says_on_its_first_page_what_needs_talk(reported):
    first = pages_of(reported(24))[0][0]
    assert "On 6 of 24 questions the ratings clearly follow the record. 6 cannot be told from guessing." in first
    listed = first[first.index("What deserves the meeting’s time, first things first") :]
    assert listed.index("Told 1 guessing") < listed.index("Watched 2 mixed") < listed.index("The first 15 of 18 rows")
    assert "Pulse 4" not in first


def test_a_form_longer_than_a_page_goes_on_with_its_heads(reported):
    words, _filled = pages_of(reported(60))
    with_rows = [re.findall(r"(\d+) (\w+ \d+) 40 ", page) for page in words if "Raw AC1 0 0.5 1 a Interval" in page]
    assert len(with_rows) == 2
    assert min(map(len, with_rows)) > 2
    assert [int(number) for rows in with_rows for number, _name in rows] == list(range(1, 61))


def test_what_is_said_of_a_question_stays_together_two_to_a_page(reported):
    words, _filled = pages_of(reported(24))
    talked = {}
    for at, page in enumerate(words):
        for number, name in re.findall(r"3\.(\d+) (\w+ \d+) (?:Guessing|Mixed|All the same)", page):
            talked[int(number)] = (at, name)
            assert f"“{name}” in numbers" in page
    assert sorted(talked) == list(range(1, 19))
    assert max(at for at, _name in talked.values()) - min(at for at, _name in talked.values()) + 1 <= 9


def test_how_often_each_rater_says_it_stands_beside_the_numbers(reported):
    with pypdfium2.PdfDocument(pdf(reported(24))) as document:
        words = document[2].get_textpage()
        tops = [words.get_charbox(words.search(text).get_next()[0])[3] for text in ("Table 3", "Table 4")]
        assert tops[0] == pytest.approx(tops[1], abs=1.5)


def test_long_names_wrap_and_nothing_leaves_the_page(reported):
    report = reported(24, LONG)
    with pypdfium2.PdfDocument(pdf(report)) as document:
        for page in document:
            wide, _high = page.get_size()
            words = page.get_textpage()
            edges = [words.get_rect(i) for i in range(words.count_rects())]
            assert min(left for left, *_ in edges) > 40
            # A margin of 37 points, into which the space at the end of a line may reach.
            assert max(right for _l, _b, right, _t in edges) < wide - 30


def test_an_interval_and_a_mark_are_drawn_in_every_row_that_has_them(reported):
    report = reported(4)
    table = glance(report)
    drawn = {row[0].split()[0]: one for row, one in zip(table.rows, table.drawn.rows, strict=True)}
    assert {name: one.mark for name, one in drawn.items()} == {
        "Told": "know", "Watched": "mixed", "Allergy": "same", "Pulse": "done",
    }  # fmt: skip
    assert (drawn["Told"].value, drawn["Told"].low) == (None, 0.0)
    assert drawn["Pulse"].low < drawn["Pulse"].value < drawn["Pulse"].high
    assert not drawn["Pulse"].strong
    # What is drawn is what the row says in words.
    for row, one in zip(table.rows, table.drawn.rows, strict=True):
        assert row[5].values == (one.value,)
        assert getattr(row[6], "values", (None, None)) == (one.low, one.high)
    page = html(report).decode()
    assert page.count('<svg aria-hidden="true" width="108"') == 4
    assert page.count('stroke-dasharray="3 2.4"') == 1
    assert page.count('<td class="scale">') == 4


def test_what_was_read_as_no_rating_and_which_checks_are_open_is_said(tmp_path):
    place = written(tmp_path / "gaps.csv", {"Watched": "Watched", "Pulse": "Pulse"})
    lines = place.read_text().splitlines()
    # Each loses one answer to three cases of a rater: three cells, and one more of the second question.
    for i in (1, 5, 9, 13):
        record, nurse, first, _second = lines[i].split(",")
        lines[i] = f"{record},{nurse},{first if i == 13 else 'n/a'},n/a"
    place.write_text("\n".join(lines))
    read = finish(form(place))
    names = form_names(read, RatersAs.NAMES)
    told = finish(criteria(criteria_of(read, names)))
    asked = len({(f.code, f.message) for r in read.readings for f in r.findings if f.severity is Severity.ASK})
    for shape in (Form.FULL, Form.BRIEF):
        words = " ".join(pages_of(form_report(read, told, names, shape=shape))[0])
        assert "Read as no rating: “n/a” (7 cells, 2 of 2 questions)." in words
        assert re.search(rf"\b{asked} checks? (is|are) open\.", words)
        assert "usually means no rating. It is read as no rating." in words.replace("\u00ad", "")


def test_what_a_blank_cell_means_is_said_and_nothing_of_one_question_alone(tmp_path):
    annotations(random.Random(11), tmp_path / "sets.jsonl")
    whole = finish(form(tmp_path / "sets.jsonl", ReadingOptions(blank="none", label="*", missing=("skip", "joy"))))
    names = form_names(whole, RatersAs.NAMES)
    numbers = finish(criteria(criteria_of(whole, names)))
    for shape in (Form.FULL, Form.BRIEF):
        page = " ".join(html(form_report(whole, numbers, names, shape=shape)).decode().split())
        assert "A blank cell is read as “none”." in page
        # The first question is one of several: what was asked of its cells is no word about all of them.
        assert "Asked of each set" not in page
    words = whole.readings[0].source.words
    assert any("'joy'" in said and "no rating" in said for said in words)
    assert not any("Besides blank cells" in said for said in words)
