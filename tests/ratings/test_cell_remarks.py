"""What a workbook shows of a cell besides its value is never lost without a word."""

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
from openpyxl.styles import Font

from tapdesk.ratings.findings import Severity
from tapdesk.ratings.reading import read_now
from tests.ratings.books import SHEET, replaced
from tests.ratings.telling import codes, rows, told

LINES = [["case", "Ana", "Ben"], *([f"w{i}", "yn"[i % 2], "yn"[i % 3 == 0]] for i in range(8))]
SCORES = [["case", "Ana", "Ben"], *([f"w{i}", 1 + i % 2, 1 + i % 3] for i in range(8))]


def test_struck_out_ratings_are_asked_about_and_stay(book):
    reading = book(LINES, lambda sheet: setattr(sheet["C4"], "font", Font(strike=True)))
    finding = told(reading, "struck_out")
    assert (finding.severity, finding.where) == (Severity.ASK, "cell C4")
    assert reading.ratings.rating_count == 16


def test_a_struck_out_name_or_blank_cell_is_no_struck_out_rating(book):
    def change(sheet):
        sheet["A3"].font = sheet["F9"].font = sheet["B1"].font = Font(strike=True)

    assert "struck_out" not in codes(book(LINES, change))


def struck(text, gone):
    return CellRichText(text, TextBlock(InlineFont(strike=True), gone))


def test_a_struck_out_part_of_a_text_is_not_read_and_asked_about(book):
    reading = book(LINES, lambda sheet: sheet.__setitem__("B2", struck("y", "n")))
    assert reading.ratings.classes == ("n", "y")
    assert ("w0", "Ana", "y") in rows(reading)
    assert told(reading, "partly_struck_out").where == "cell B2"


def test_a_struck_out_part_of_a_shared_text_is_not_read(tmp_path):
    book = openpyxl.Workbook()
    for line in LINES:
        book.active.append(line)
    book.save(tmp_path / "x.xlsx")
    texts = (
        b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>n</t></si>'
        b"<si><r><t>y</t></r><r><rPr><strike/></rPr><t>n</t></r></si></sst>"
    )
    kind = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
    link = b'<Relationship Id="rId9" Type="' + kind + b'" Target="sharedStrings.xml"/></Relationships>'
    shared = (b't="inlineStr"><is><t>y</t></is></c>', b't="s"><v>1</v></c>')
    replaced(tmp_path / "x.xlsx", "xl/sharedStrings.xml", lambda _none: texts)
    replaced(tmp_path / "x.xlsx", "xl/_rels/workbook.xml.rels", lambda xml: xml.replace(b"</Relationships>", link))
    replaced(tmp_path / "x.xlsx", SHEET, lambda xml: xml.replace(*shared))
    reading = read_now(tmp_path / "x.xlsx")
    assert reading.ratings.classes == ("n", "y")
    assert told(reading, "partly_struck_out").severity is Severity.ASK


def test_comments_on_ratings_are_told_in_their_words(book):
    reading = book(LINES, lambda sheet: setattr(sheet["B5"], "comment", Comment("meant n", "Ana")))
    assert "B5: “meant n”" in told(reading, "cell_comments").message
    assert "cell_comments" not in codes(book(LINES, lambda s: setattr(s["A5"], "comment", Comment("late", "Ana"))))


def test_ratings_whose_format_shows_nothing_are_asked_about(book):
    reading = book(SCORES, lambda sheet: setattr(sheet["C3"], "number_format", ";;;"))
    assert told(reading, "unseen_ratings").where == "cell C3"


@pytest.mark.parametrize("form", ["0", "0.0", "#,##0", '0.0" points"', "0_);(0)"])
def test_ratings_shown_with_fewer_decimals_are_asked_about(book, form):
    def change(sheet):
        sheet["C3"] = 1.44
        sheet["C3"].number_format = form

    shown = "1.4" if ".0" in form else "1"
    assert f"C3 shows {shown} and holds 1.44" in told(book(SCORES, change), "rounded_ratings").message


@pytest.mark.parametrize("form", ["General", "0.00", "0.000", "@", "# ?/?"])
def test_ratings_shown_as_they_are_raise_no_question(book, form):
    def change(sheet):
        sheet["C3"] = 1.44
        sheet["C3"].number_format = form

    assert "rounded_ratings" not in codes(book(SCORES, change))


def test_rows_and_columns_of_no_size_are_hidden(tmp_path):
    book = openpyxl.Workbook()
    for line in SCORES:
        book.active.append(line)
    book.save(tmp_path / "x.xlsx")

    def flat(xml):
        xml = xml.replace(b'<row r="4"', b'<row r="4" ht="0" customHeight="1"')
        return xml.replace(b"<sheetData>", b'<cols><col min="3" max="3" width="0" customWidth="1"/></cols><sheetData>')

    replaced(tmp_path / "x.xlsx", SHEET, flat)
    reading = read_now(tmp_path / "x.xlsx")
    assert told(reading, "hidden_rows").where == "row 4"
    assert told(reading, "hidden_columns").where == "column C"


def test_remarks_on_stacked_sheets_are_found_where_they_stand(tmp_path):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for judge, head in {"Ana": ["wine", "medal"], "Ben": ["medal", "wine"]}.items():
        sheet = book.create_sheet(judge)
        sheet.append(head)
        for i in range(5):
            sheet.append([f"w{i}", "gold"] if head[0] == "wine" else ["none", f"w{i}"])
    book["Ben"]["A3"].font = Font(strike=True)
    book.save(tmp_path / "x.xlsx")
    assert "B8 ('none')" in told(read_now(tmp_path / "x.xlsx"), "struck_out").message
