"""How pages are broken and filled: awkward names, long tables, many panels, both kinds of paper."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pypdfium2
import pytest

from tapdesk.answers.content import Column, Paragraph, Picture, Table
from tapdesk.report.build import build
from tapdesk.report.forms.pdf import pdf
from tapdesk.report.report import Report, Section

from .examples import counted, four_fit, four_ratings, project_of, wine_fit, with_draws
from .opened import text_of


def test_names_without_glyphs_are_shown_by_code_and_listed(wine):
    odd = replace(wine, classes=("Ελληνικά", "王 فاطمة 😀"), members=(("Ελληνικά",), ("王 فاطمة 😀",)))
    fit = wine_fit(classes=odd.classes)
    told = text_of(pdf(build(project_of(fit, odd, title="Bericht über Прага, 王"))))
    assert "Ελληνικά" in told
    assert "Прага" in told
    assert "王 " in told
    assert "Characters shown by their code" in told
    assert "U+1F600" in told


@pytest.mark.parametrize(
    "label",
    ["x" * 300, "a label of many words " * 15, "#set page(fill: red) $x$ *b* _i_ `c` <l> @r \\ // [ {", "\"; ' %"],
)
def test_labels_of_any_kind_do_not_fail_and_stay_inside_the_page(label, wine):
    odd = replace(wine, classes=("plain", label), members=(("plain",), (label,)))
    fit = wine_fit(classes=odd.classes)
    content = pdf(build(project_of(fit, odd, title=label)))
    document = pypdfium2.PdfDocument(content)
    for page in document:
        width, _ = page.get_size()
        words = page.get_textpage()
        for i in range(words.count_rects()):
            left, _, right, _ = words.get_rect(i)
            assert left >= 60
            assert right <= width - 60
    told = text_of(content).replace(" ", "")
    document.close()
    assert label[:20].replace(" ", "") in told


def test_a_long_table_repeats_its_head_on_every_page():
    table = (30, 20, 10, 10, 30)
    many = counted(table)
    labels = tuple(f"class {i}" for i in range(130))
    many = replace(many, classes=labels, members=tuple((label,) for label in labels))
    content = pdf(build(project_of(None, many)))
    document = pypdfium2.PdfDocument(content)
    told = [page.get_textpage().get_text_range() for page in document]
    document.close()
    # Rows of the classes; another table tells how many "give the same class 60 60 %".
    with_rows = [t for t in told if re.search(r"^class \d+ \d+ \d+ %", t, re.MULTILINE)]
    assert len(with_rows) > 1
    assert all("Ratings" in t and "Share" in t for t in with_rows)


def test_letter_paper_is_letter_paper(fitted, wine):
    document = pypdfium2.PdfDocument(pdf(build(project_of(fitted, wine), paper="us-letter")))
    size = document[0].get_size()
    document.close()
    assert size == pytest.approx((612, 792), abs=1)


def test_four_classes_make_four_panels_and_nine_rows():
    report = build(project_of(four_fit(), four_ratings()))
    tables = [b for s in report.sections for b in s.blocks if isinstance(b, Table) and "t-a-p" in b.title]
    assert len(tables[0].rows) == 9
    assert np.isclose(sum(float(row[2]) for row in tables[0].rows[:4]), 1, atol=0.02)
    pdf(report)


def test_many_panels_stay_above_the_foot_of_the_page():
    report = build(project_of(with_draws(four_fit()), four_ratings()))
    panels = [len(b.panels) for s in report.sections for b in s.blocks if isinstance(b, Picture)]
    assert max(panels) == 9
    opened = pypdfium2.PdfDocument(pdf(report))
    for page in opened:
        words = page.get_textpage()
        boxes = [(words.get_rect(i), words.get_text_bounded(*words.get_rect(i))) for i in range(words.count_rects())]
        low = [told for (_, bottom, _, _), told in boxes if bottom < 70]
        assert all("Page" in told or "fingerprint" in told for told in low)
        assert all(bottom > 0 for (_, bottom, _, _), _ in boxes)
    opened.close()


def pages_of(*blocks):
    """The text of each page of a report of these blocks alone."""
    section = Section("one", "One", blocks)
    report = Report("A title", "", (), (section,), "", "Draft", datetime(2026, 5, 14, tzinfo=UTC))
    document = pypdfium2.PdfDocument(pdf(report))
    told = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return told


@pytest.mark.parametrize("rows", [8, 20])
def test_wherever_a_table_is_parted_three_rows_stay_together_and_its_note_with_them(rows):
    body = tuple((f"row {i + 1:02d}.", "7") for i in range(rows))
    table = Table("Many rows", (Column("Name", wide=True), Column("Value")), body, "The note of the table.")
    parted = 0
    for lines in range(10, 26, 2):
        told = pages_of(*(Paragraph(f"Line {i}.") for i in range(lines)), table)
        holding = [len(re.findall(r"row \d\d\.", page)) for page in told]
        assert sum(holding) == rows
        parted += sum(1 for count in holding if count) > 1
        assert all(count >= 3 for count in holding if count)
        assert all(("Name" in page) == bool(count) for page, count in zip(told, holding, strict=True))
        (noted,) = (page for page in told if "The note of the table." in page)
        assert f"row {rows:02d}." in noted
        assert "Many rows" in next(page for page in told if "row 01." in page)
    assert parted >= 2


def test_a_short_table_is_not_parted():
    body = tuple((f"row {i + 1:02d}.", "7") for i in range(7))
    table = Table("Few rows", (Column("Name", wide=True), Column("Value")), body, "The note of the table.")
    for lines in range(16, 28, 2):
        told = pages_of(*(Paragraph(f"Line {i}.") for i in range(lines)), table)
        (whole,) = (page for page in told if "row 01." in page)
        assert "row 07." in whole
        assert "The note of the table." in whole


def test_a_table_that_is_to_stay_whole_stands_on_one_page():
    body = tuple((f"row {i + 1:02d}.", "7") for i in range(15))
    table = Table("Whole", (Column("Name", wide=True), Column("Value")), body, "The note of the table.", whole=True)
    for lines in range(4, 24, 4):
        told = pages_of(*(Paragraph(f"Line {i}.") for i in range(lines)), table)
        (one,) = (page for page in told if "row 01." in page)
        assert "row 15." in one
        assert "The note of the table." in one


def test_the_numbers_after_a_name_from_right_to_left_stand_in_their_order():
    section = Section("one", "One", (Paragraph("Judge (محمد علي) 0.2 [0.3, 0.5]"),))
    report = Report("A title", "", (), (section,), "", "Draft", datetime(2026, 5, 14, tzinfo=UTC))
    with pypdfium2.PdfDocument(pdf(report)) as document:
        words = document[0].get_textpage()
        signs = [(words.get_text_range(i, 1), words.get_charbox(i)[0]) for i in range(words.count_chars())]
    (line,) = {box for sign, box in signs if sign == "["}
    at = {digit: [x for sign, x in signs if sign == digit] for digit in "235"}
    assert [len(found) for found in at.values()] == [1, 1, 1]
    assert at["2"][0] < line < at["3"][0] < at["5"][0]
    # The name itself is read from the right.
    assert next(x for sign, x in signs if sign == "م") > next(x for sign, x in signs if sign == "د")
