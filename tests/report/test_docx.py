"""A report as a document of Word: real headings, heads of tables, words for pictures, the same bytes each time."""

import io
import zipfile
from itertools import pairwise

import docx
import pytest
from docx.oxml.ns import qn

from tapdesk.answers.content import Picture, Table
from tapdesk.project.files.outputs import OutputKind, mark_in
from tapdesk.report.build import build
from tapdesk.report.forms.docx import _columns
from tapdesk.report.forms.write import content
from tapdesk.report.report import Form

from .examples import project_of


@pytest.fixture(scope="module")
def report(fitted, wine, extras):
    return build(project_of(fitted, wine, title="Wine <b>show</b>"), extras=extras, form=Form.BOTH, paper="us-letter")


@pytest.fixture(scope="module")
def inside(report):
    return content(report, ".docx")


@pytest.fixture
def opened(inside):
    return docx.Document(io.BytesIO(inside))


def test_headings_are_headings_in_order(opened, report):
    titles = [p.text for p in opened.paragraphs if p.style.name == "Heading 1"]
    assert titles == [section.title for section in report.sections]
    assert [p.text for p in opened.paragraphs if p.style.name == "Title"] == ["Wine <b>show</b>"]
    levels = [int(p.style.name[-1]) for p in opened.paragraphs if p.style.name.startswith("Heading")]
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_table_is_one_with_a_head_and_whole_rows(opened, report):
    tables = [b for s in report.sections for b in s.blocks if isinstance(b, Table) and b.rows]
    captions = [p.text for p in opened.paragraphs if p.style.name == "Caption"]
    assert sum(text.startswith("Table ") for text in captions) == len(tables)
    heads = [table for table in opened.tables if table.rows[0]._tr.findall(f".//{qn('w:tblHeader')}")]
    assert len(heads) == sum(table.headed for table in tables) + 3  # and the three who sign
    shown = {tuple(cell.text for cell in table.rows[0].cells) for table in heads}
    for table in tables:
        if table.headed and not any(column.page for column in table.columns):
            assert tuple(column.title for column in table.columns) in shown
    for table in heads:
        assert all(row._tr.findall(f".//{qn('w:cantSplit')}") for row in table.rows)


def test_every_picture_has_words_for_who_cannot_see_it(opened, report):
    alts = [figure.alt for s in report.sections for b in s.blocks if isinstance(b, Picture) for figure in b.panels]
    told = [shape.get("descr") for shape in opened.element.body.iter(qn("wp:docPr"))]
    assert told == alts
    assert len(told) >= 3
    widths = {shape.width for shape in opened.inline_shapes}
    page = opened.sections[0]
    assert all(width <= page.page_width - page.left_margin - page.right_margin for width in widths)


def test_the_paper_is_that_of_the_report(opened):
    assert (round(opened.sections[0].page_width.mm), round(opened.sections[0].page_height.mm)) == (216, 279)


def test_the_same_report_is_the_same_bytes_and_carries_its_mark(report, inside):
    assert content(report, ".docx") == inside
    mark = mark_in(inside)
    assert (mark.kind, mark.form, mark.changed) == (OutputKind.REPORT, "docx", False)
    with zipfile.ZipFile(io.BytesIO(inside)) as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize("title", ["\x00\x0b<w:t>&amp;", "王小明 مرحبا", "x" * 400])
def test_texts_of_any_kind_are_written(title, fitted, wine):
    made = content(build(project_of(fitted, wine, title=title), form=Form.BRIEF), ".docx")
    told = [p.text for p in docx.Document(io.BytesIO(made)).paragraphs if p.style.name == "Title"]
    assert told == [title.replace("\x00", " ").replace("\x0b", " ")]


@pytest.mark.parametrize("wide", [4, 9, 12])
def test_columns_fill_the_page_and_no_word_of_a_table_is_parted_where_there_is_room(wide):
    rows = [[f"Title{i}" for i in range(wide)], *([f"{r}.25 to {r}.75" for _ in range(wide)] for r in range(3))]
    rows = [[*row[:-1], "whether the scores follow the panel cannot be told"] for row in rows]
    size, widths = _columns(rows, 162.0)
    assert sum(widths) == pytest.approx(162.0)
    assert 6.5 <= size <= 10
    # A sign is at most six tenths as wide as it is high; cells keep their edge.
    longest = [max(len(word) for row in rows for word in row[i].split()) for i in range(wide)]
    assert all(n * size * 0.6 * 0.3528 <= width for n, width in zip(longest, widths, strict=True))
