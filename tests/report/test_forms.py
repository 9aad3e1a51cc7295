"""The same report as web page, workbook and pages."""

import csv
import io
import re
from dataclasses import replace

import numpy as np
import openpyxl
import pytest
from defusedxml import ElementTree

from tapdesk.answers.content import Align, Column, Number, Picture, Table
from tapdesk.errors import TapdeskError, UsageError
from tapdesk.report.build import build
from tapdesk.report.forms.document import narrowed
from tapdesk.report.forms.html import html
from tapdesk.report.forms.logo import logo
from tapdesk.report.forms.pdf import pdf
from tapdesk.report.forms.write import content, pictures, write
from tapdesk.report.forms.xlsx import xlsx
from tapdesk.report.report import Report, Section

from .examples import project_of


@pytest.fixture(scope="module")
def report(fitted, wine, extras):
    return build(project_of(fitted, wine), extras=extras)


@pytest.fixture(scope="module")
def page(report):
    return html(report).decode()


def small(rows, columns=("Name", "Value")):
    from datetime import UTC, datetime

    table = Table("A table", tuple(Column(c) for c in columns), rows)
    return Report("T", "", (), (Section("s", "S", (table,)),), "", "", datetime(2025, 5, 14, tzinfo=UTC))


def test_the_web_page_holds_everything_itself(page):
    assert not re.findall(r"(?:src|href)\s*=\s*\"(?!data:|#)", page)
    assert "<script" not in page
    assert "@import" not in page
    assert "url(" not in page


def test_the_web_page_has_language_title_headings_and_heads(page, report):
    assert '<html lang="en">' in page
    assert f"<title>{report.title}</title>" in page
    assert page.count("<h1>") == 1
    assert re.findall(r"<h2>(?:\d+ )?([^<]+)</h2>", page) == [s.title for s in report.sections]
    assert page.count("<table>") == len([b for s in report.sections for b in s.blocks if isinstance(b, Table)])
    assert page.count('scope="col"') > 20


def test_every_figure_of_the_web_page_is_drawn_and_told(page, report):
    panels = [f for s in report.sections for b in s.blocks if isinstance(b, Picture) for f in b.panels]
    every = re.findall(r'<div class="phone"><svg.*?</svg>|<svg.*?</svg>', page, re.DOTALL)
    # A wide one is drawn again for telephones, with the same words; one of the two is shown.
    drawn = [one for one in every if not one.startswith("<div")]
    again = [one.removeprefix('<div class="phone">') for one in every if one.startswith("<div")]
    assert len(drawn) == len(panels)
    wide = [f for f, one in zip(panels, drawn, strict=True) if float(ElementTree.fromstring(one).get("width")) > 340]
    assert len(wide) == len(again) > 0
    for figure, drawing in [*zip(panels, drawn, strict=True), *zip(wide, again, strict=True)]:
        root = ElementTree.fromstring(drawing)
        assert root.get("aria-label") == figure.alt
        assert root.get("role") == "img"


def test_labels_cannot_become_markup_of_the_web_page(wine):
    odd = replace(wine, classes=("plain", "<script>alert(1)</script>"), members=(("plain",), ("x",)))
    told = html(build(project_of(None, odd, title='"><img src=x onerror=y>'))).decode()
    assert "<script>" not in told
    assert "<img" not in told


def test_numbers_of_the_workbook_are_numbers(report, fitted):
    book = openpyxl.load_workbook(io.BytesIO(xlsx(report)))
    (name,) = [n for n in book.sheetnames if "Estimates of the t-a-p" in n]
    rows = {row[0]: row for row in book[name].iter_rows(min_row=3, values_only=True)}
    for e in fitted.estimates:
        # The format keeps sixteen digits.
        assert rows[e.name.name][2] == pytest.approx(e.estimate.value, rel=1e-14)
        assert rows[e.name.name][-2:] == pytest.approx((e.estimate.low, e.estimate.high), rel=1e-14)
    heads = [cell.value for cell in book[name][2]]
    assert heads[-2:] == ["95 % interval, low", "95 % interval, high"]


def test_there_is_a_sheet_for_each_table_and_a_list_of_them(report):
    book = openpyxl.load_workbook(io.BytesIO(xlsx(report)))
    tables = [b for s in report.sections for b in s.blocks if isinstance(b, Table)] + [*report.workbook]
    assert len(book.sheetnames) == len(tables) + 1
    listed = [row[2] for row in book["Contents"].iter_rows(values_only=True) if row[0] in book.sheetnames]
    assert listed == [t.title for t in tables]


@pytest.mark.parametrize("risky", ["=1+1", "+cmd", "-2 (text)", "@SUM(A1)", "\tx"])
def test_text_that_looks_like_a_formula_is_escaped_and_said(risky):
    book = openpyxl.load_workbook(io.BytesIO(xlsx(small(((risky, Number("−2", -2.0)),)))))
    sheet = book[book.sheetnames[1]]
    assert sheet["A3"].value == f"'{risky}"
    assert sheet["A3"].data_type == "s"
    assert sheet["B3"].value == -2
    told = [cell for row in book["Contents"].iter_rows(values_only=True) for cell in row if cell]
    assert any("apostrophe" in str(cell) for cell in told)


def test_a_workbook_without_risky_text_says_nothing_about_it():
    book = openpyxl.load_workbook(io.BytesIO(xlsx(small((("plain", "text"),)))))
    told = [str(cell) for row in book["Contents"].iter_rows(values_only=True) for cell in row if cell]
    assert not any("apostrophe" in cell for cell in told)


def test_signs_no_workbook_can_hold_do_not_stop_it():
    book = openpyxl.load_workbook(io.BytesIO(xlsx(small((("a\x00\x0bb\ud800", "x" * 40_000),)))))
    sheet = book[book.sheetnames[1]]
    assert sheet["A3"].value == "a  b "
    assert len(sheet["B3"].value) <= 32_767


def test_workbook_and_web_page_have_the_same_bytes_each_time(report):
    assert html(report) == html(report)
    first = xlsx(report)
    assert b"2025-05-14T10:44:00Z" in _core(first)
    assert xlsx(report) == first


def _core(content):
    import zipfile

    with zipfile.ZipFile(io.BytesIO(content)) as book:
        return book.read("docProps/core.xml")


def test_the_suffix_decides_about_the_kind_of_file(report, tmp_path):
    for suffix, start in ((".pdf", b"%PDF"), (".html", b"<!DOCTYPE"), (".XLSX", b"PK")):
        _made, (written,) = write(report, tmp_path / f"out{suffix}")
        assert written.read_bytes().startswith(start)
    _made, names = write(report, tmp_path / "out.png", ppi=30)
    assert len(names) > 5
    assert all(name.read_bytes().startswith(b"\x89PNG") for name in names)
    with pytest.raises(UsageError, match=r"\.xlsx"):
        write(report, tmp_path / "out.doc")


def test_nothing_is_left_of_a_file_of_unknown_kind(report):
    with pytest.raises(UsageError):
        content(report, ".odt")


def test_every_figure_can_be_had_as_a_file(report):
    made = pictures(report)
    panels = [f for s in report.sections for b in s.blocks if isinstance(b, Picture) for f in b.panels]
    assert len(made) == len(panels)
    assert len({name for name, _content in made}) == len(made)
    assert all(drawing.startswith(b"<svg") for _name, drawing in made)


def test_a_wide_table_is_split_and_its_first_column_repeated():
    columns = tuple(f"a head of words {i}" for i in range(20))
    rows = tuple(tuple(f"{r},{c} of some length" for c in range(20)) for r in range(3))
    (whole,) = small(rows, columns).sections[0].blocks
    parts = narrowed(whole)
    assert len(parts) > 2
    assert all(part.columns[0] == whole.columns[0] for part in parts)
    assert [c for part in parts for c in part.columns[1:]] == list(whole.columns[1:])
    assert "part 2" in parts[1].title
    assert narrowed(small((("a", "b"),)).sections[0].blocks[0]) == (small((("a", "b"),)).sections[0].blocks[0],)


def test_what_is_said_last_stands_beside_what_it_is_about():
    ends = Align.RIGHT
    columns = (
        Column("number", wide=True),
        *(Column(c, ends) for c in ("A", "B", "B less A")),
        Column("more than chance?"),
    )
    row = ("Part of the agreement that is knowledge", *["0.49 [0.34, 0.64]"] * 2, "−0.26 [−0.49, −0.04]", "cannot tell")
    heads = [[column.title for column in part.columns] for part in narrowed(Table("Side by side", columns, (row,)))]
    assert heads == [["number", "A", "B"], ["number", "B less A", "more than chance?"]]


def test_long_heads_of_narrow_numbers_become_numbers_with_a_key_and_the_workbook_keeps_them():
    heads = tuple(f"a long head of words {i}" for i in range(12))
    columns = (Column("case"), *(Column(head, Align.RIGHT) for head in heads))
    table = Table("Counts", columns, (tuple(str(i) for i in range(13)),), "A note.")
    (one,) = narrowed(table)
    assert [c.title for c in one.columns] == ["case", *(str(i) for i in range(1, 13))]
    assert one.rows == table.rows
    assert one.note.startswith("Columns: 1 = a long head of words 0; 2 = ")
    assert one.note.endswith("12 = a long head of words 11. A note.")
    report = replace(small((("a", "b"),)), sections=(Section("s", "S", (table,)),))
    sheet = openpyxl.load_workbook(io.BytesIO(xlsx(report))).worksheets[1]
    assert [cell.value for cell in sheet[2]] == ["case", *heads]


def test_a_name_from_right_to_left_does_not_turn_the_numbers_of_the_web_page_round(wine):
    odd = replace(wine, classes=("plain", "محمد علي"), members=(("plain",), ("محمد علي",)))
    told = html(build(project_of(None, odd))).decode()
    assert "\u200eمحمد علي\u200e" in told
    assert not re.search("(?<!\u200e)محمد", told)


def test_the_checklist_leads_to_its_sections_and_only_to_those_that_are_there(fitted, wine):
    report = build(project_of(fitted, wine), leave_out={"design"})
    told = html(report).decode()
    ways, places = set(re.findall(r'href="#([^"]+)"', told)), set(re.findall(r'id="([^"]+)"', told))
    assert {"purpose", "data"} <= ways <= places
    book = openpyxl.load_workbook(io.BytesIO(xlsx(report)))
    (sheet,) = [s for s in book if "Items a report" in s.title]
    # A workbook has no pages.
    assert [cell.value for cell in sheet[2]] == ["Item", "What it asks for", "Section", "State"]
    assert "purpose" not in [cell.value for row in sheet for cell in row]


SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/>{}</svg>'


@pytest.fixture
def drawn(tmp_path):
    path = tmp_path / "logo.svg"
    path.write_text(SVG.format(""))
    return path


def test_a_logo_is_printed_with_words(drawn, fitted, wine):
    mark = logo(drawn, "Crest of the society")
    made = build(project_of(fitted, wine), logo=mark)
    assert pdf(made) != pdf(replace(made, logo=None))
    assert "Crest of the society" in html(made).decode()


@pytest.mark.parametrize(
    "inside",
    ["<script>x</script>", '<image href="http://a.b/c.png"/>', '<rect onload="x"/>', "<style>@import 'x'</style>"],
)
def test_an_svg_that_is_more_than_a_drawing_is_refused(inside, tmp_path):
    path = tmp_path / "logo.svg"
    path.write_text(SVG.format(inside))
    with pytest.raises(TapdeskError, match="more than a drawing"):
        logo(path)


@pytest.mark.parametrize("content", [b"GIF89a", b"", b"\x89PNG\r\n\x1a\n and no picture", b"\xff\xd8\xff broken"])
def test_a_file_that_is_no_picture_is_refused(content, tmp_path):
    path = tmp_path / "logo.png"
    path.write_bytes(content)
    with pytest.raises(TapdeskError):
        logo(path)
    with pytest.raises(TapdeskError, match="no such file"):
        logo(tmp_path / "none.png")


def test_the_workbook_and_the_csv_hold_every_case_with_every_probability(report, extras, wine, tmp_path):
    belief = extras.beliefs.probability
    book = openpyxl.load_workbook(io.BytesIO(xlsx(report)))
    title = report.workbook[0].title
    sheet = next(one for one in book.worksheets if one["A1"].value == title)
    heads = [cell.value for cell in sheet[2]]
    first = heads.index(next(head for head in heads if head.startswith("Probability of")))
    rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=3, max_row=2 + len(wine.subjects))]
    assert [row[0] for row in rows] == list(wine.subjects)
    assert np.array([row[first:] for row in rows], float) == pytest.approx(belief, abs=1e-12)
    note = [row[0].value for row in sheet.iter_rows() if row[0].value][-1]
    assert "averaged over all values of its numbers that these" in note
    _made, files = write(report, tmp_path / "out.csv")
    # A file for each table of the workbook, whose first sheet is its contents.
    assert len(files) == len(book.worksheets) - 1
    last = list(csv.reader(files[-1].read_text("utf-8-sig").splitlines()))
    assert last[0] == heads
    assert [row[0] for row in last[1:]] == list(wine.subjects)
    assert np.array([row[first:] for row in last[1:]], float) == pytest.approx(belief, abs=1e-9)
    # No page holds it.
    assert title not in html(report).decode()


def test_a_table_that_is_cut_on_paper_stands_whole_in_the_workbook_and_as_csv(tmp_path):
    rows = tuple((f"case {i}", Number(f"{i / 100:.2f}", i / 100)) for i in range(30))
    short = small(rows)
    table = replace(short.sections[0].blocks[0], most=5)
    short = replace(short, sections=(replace(short.sections[0], blocks=(table,)),))
    assert len(table.printed().rows) == 5
    assert openpyxl.load_workbook(io.BytesIO(xlsx(short))).worksheets[1].max_row == 32
    _made, (file,) = write(short, tmp_path / "out.csv")
    assert file.name == "out 1 A table.csv"
    assert len(file.read_text("utf-8-sig").splitlines()) == 31


def test_one_page_alone_is_a_picture_under_the_name_that_was_chosen(tmp_path):
    short = small((("a", "1"),))
    _made, files = write(short, tmp_path / "slide.png", ppi=30, page=1)
    assert [file.name for file in files] == ["slide.png"]
    with pytest.raises(UsageError, match="no page 2: the report has 1"):
        write(short, tmp_path / "slide.png", ppi=30, page=2)
