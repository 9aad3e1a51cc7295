"""Awkward workbooks (bad_input.md 36, 40-44, 47, 48, 50, 51, 53): seen through, or refused with what to do."""

import datetime as dt
import io
import time
import zipfile

import openpyxl
import pandas as pd
import pyreadstat
import pytest

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.progress import finish
from tapdesk.ratings.formats.kinds import Kind
from tapdesk.ratings.formats.workbooks import workbook
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read, read_now
from tests.ratings.telling import asks, codes, rows, told

ROWS = [["case", "Ana", "Ben"], ["w1", 1, 2], ["w2", 2, 2.5], ["w3", 1, 1]]


def test_a_workbook_reads_like_the_same_table_as_text(book, text):
    assert rows(book(ROWS)) == rows(text("case,Ana,Ben\nw1,1,2\nw2,2,2.5\nw3,1,1\n"))


def test_36_value_labels_and_user_missing_codes_of_spss_are_kept(tmp_path):
    frame = pd.DataFrame({"case": [1, 2, 3, 4], "J1": [1.0, 2, 9, 1], "J2": [1.0, 2, 2, None]})
    labels = {"J1": {1: "mild", 2: "severe", 9: "not seen"}, "J2": {1: "mild", 2: "severe"}}
    pyreadstat.write_sav(frame, tmp_path / "a.sav", variable_value_labels=labels, missing_ranges={"J1": [9]})
    reading = read_now(tmp_path / "a.sav")
    assert reading.ratings.classes == ("mild", "severe")
    assert dict(reading.missing_by) == {"missing: not seen": 1, "": 1}
    assert "user_missing" in asks(reading)


def test_36_extended_missing_values_of_stata_are_reasons(tmp_path):
    frame = pd.DataFrame({"case": [1, 2, 3], "J1": [1, 2, "a"], "J2": [1, 2, 2]})
    pyreadstat.write_dta(frame, tmp_path / "a.dta", missing_user_values={"J1": ["a"]})
    reading = read_now(tmp_path / "a.dta")
    assert reading.ratings.classes == ("1", "2")
    assert reading.missing == 1
    assert reading.source.format == "dta"


def test_40_formulas_without_a_result_are_refused_with_their_cells(book):
    def change(sheet):
        sheet["B3"], sheet["C4"] = "=1+1", "=B2"

    with pytest.raises(TapdeskError, match="formulas that were never calculated, in B3 and C4") as caught:
        book(ROWS, change)
    assert caught.value.where == "ratings.xlsx, sheet Ratings, cell B3"
    assert "save it once" in caught.value.fix


def replaced(path, part, change):
    """The same zip with one part changed."""
    with zipfile.ZipFile(path) as old:
        parts = {n: old.read(n) for n in old.namelist()}
    parts[part] = change(parts[part])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in parts.items():
            new.writestr(name, content)


def saved(tmp_path, lines, name="x.xlsx"):
    """A workbook of one sheet on disk."""
    book = openpyxl.Workbook()
    for row in lines:
        book.active.append(row)
    book.save(tmp_path / name)
    return tmp_path / name


SHEET = "xl/worksheets/sheet1.xml"


def test_40_results_of_formulas_are_read(tmp_path):
    path = saved(tmp_path, ROWS)
    replaced(path, SHEET, lambda x: x.replace(b'<c r="C2" t="n"><v>2</v></c>', b'<c r="C2"><f>1+1</f><v>2</v></c>'))
    assert rows(read_now(path))[1] == ("w1", "Ben", "2")


def test_41_error_cells_are_no_rating_and_listed(tmp_path):
    path = saved(tmp_path, ROWS)
    replaced(path, SHEET, lambda x: x.replace(b'<c r="C2" t="n"><v>2</v>', b'<c r="C2" t="e"><v>#DIV/0!</v>'))
    reading = read_now(path)
    assert reading.missing_by == {"#DIV/0!": 1}
    assert told(reading, "error_cells").where == "cells C2 (#DIV/0!)"


def test_42_hidden_rows_columns_and_filters_are_asked_and_read(book):
    def change(sheet):
        sheet.row_dimensions[3].hidden = True
        sheet.column_dimensions["C"].hidden = True
        sheet.auto_filter.ref = "A1:C4"
        sheet.auto_filter.add_filter_column(0, ["w1", "w3"])

    reading = book(ROWS, change)
    assert told(reading, "hidden_rows").where == "row 3"
    assert "a filter is active" in told(reading, "hidden_rows").message
    assert told(reading, "hidden_columns").where == "columns C"
    assert reading.ratings.rating_count == 6


def test_42_hidden_sheets_are_asked(tmp_path):
    book = openpyxl.Workbook()
    for row in ROWS:
        book.active.append(row)
    other = book.create_sheet("Secret")
    other.append(["a"])
    other.sheet_state = "hidden"
    book.save(tmp_path / "x.xlsx")
    reading = read_now(tmp_path / "x.xlsx")
    assert "'Secret' (1 rows, 1 columns)" in told(reading, "hidden_sheets").message


def test_43_of_several_sheets_the_first_is_read_and_all_are_named(book):
    more = [("Second", [["case", "X", "Y", "Z"], ["v1", 3, 4, 4]])]
    reading = book(ROWS, more=more)
    assert reading.source.sheet == "Ratings"
    assert reading.source.sheets == ("Ratings", "Second")
    assert "'Second' (2 rows, 4 columns)" in told(reading, "several_sheets").message
    assert book(ROWS, more=more, sheet="Second").ratings.raters == ("X", "Y", "Z")
    with pytest.raises(UsageError, match="There is no sheet 'Third'"):
        book(ROWS, more=more, sheet="Third")


def test_44_one_sheet_per_rater_is_stacked_and_asked(tmp_path):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for judge, medals in {"Ana": ("gold", "silver"), "Ben": ("gold", "bronze")}.items():
        sheet = book.create_sheet(judge)
        sheet.append(["wine", "medal"])
        for i, medal in enumerate(medals):
            sheet.append([f"w{i}", medal])
    book.save(tmp_path / "x.xlsx")
    reading = read_now(tmp_path / "x.xlsx")
    assert sorted(rows(reading)) == [
        ("w0", "Ana", "gold"), ("w0", "Ben", "gold"), ("w1", "Ana", "silver"), ("w1", "Ben", "bronze"),
    ]  # fmt: skip
    assert "the name of the sheet is the rater" in told(reading, "sheets_stacked").default


def test_28_and_39_dates_and_percentages_are_seen_through_their_formats(book):
    def change(sheet):
        sheet["B2"], sheet["B3"] = dt.date(2024, 3, 4), 0.42
        sheet["B3"].number_format = "0%"

    reading = book(ROWS, change)
    assert {"2024-03-04", "42%"} <= set(reading.ratings.classes)
    assert {"dates_among_ratings", "percentages"} <= asks(reading)
    assert told(reading, "dates_among_ratings").where == "cell B2"


def ole(stream):
    """The head of an older Office file that names a stream."""
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 1000 + stream.encode("utf-16-le") + b"\x00" * 1000


def test_47_a_password_is_said_in_plain_words(text):
    with pytest.raises(TapdeskError, match="has a password") as caught:
        text(ole("EncryptedPackage"), name="ratings.xlsx")
    assert "remove the password" in caught.value.fix


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"%PDF-1.7 ...", "This is a PDF"),
        (rb"{\rtf1\ansi case, A}", "text document"),
        (b"\x1f\x8b\x08\x00packed", "compressed"),
        (b"7z\xbc\xaf\x27\x1cpacked", "compressed"),
        (b"SQLite format 3\x00 pages", "database"),
        (b"PAR1 columns", "another program"),
        (b' [{"case": 1, "A": "yes"}, {"case": 2, "A": "no"}]', "JSON"),
        (b'{"case": 1, "A": "yes"}\n{"case": 2, "A": "no"}\n', "JSON"),
        (b"\x89PNG\r\n\x1a\n....", "photo or picture"),
        (b"\xff\xd8\xff\xe0 jpeg", "photo or picture"),
        (b'{"url": "https://docs.google.com/open?id=1"}', "shortcut to a Google Sheet"),
        (ole("WordDocument"), "older Office program"),
        (b"<html><body><p>Sign in</p></body></html>", "web page without a table"),
    ],
)
def test_48_files_in_disguise_are_told_by_their_content(text, raw, said):
    with pytest.raises(TapdeskError, match=said) as caught:
        text(raw, name="ratings.xlsx")
    assert caught.value.fix


def packed(**parts):
    """A zip of some parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return out.getvalue()


def test_48_numbers_documents_and_other_zips_are_told_apart(text):
    with pytest.raises(TapdeskError, match="Apple Numbers"):
        text(packed(Index__Document_dot_iwa="x"), name="a.xlsx")
    with pytest.raises(TapdeskError, match="zip file without a workbook"):
        text(packed(readme="x"), name="a.xlsx")
    with pytest.raises(TapdeskError, match="text document or a presentation"):
        text(packed(word__document_dot_xml="x"), name="a.xlsx")


def test_48_html_saved_as_xls_is_read(text):
    page = "<html><table><tr><td>case<td>A<td>B</tr><tr><td>w1<td>1<td>2</tr><tr><td>w2<td>2<td>2</tr></table></html>"
    reading = text(page, name="export.xls")
    assert reading.ratings.rating_count == 4
    assert "web_page" in codes(reading)


def test_48_ods_is_read_and_what_cannot_be_seen_is_said(tmp_path):
    content = (
        '<?xml version="1.0"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
        '<table:table table:name="S">'
        + "".join(
            "<table:table-row>"
            + "".join(
                f'<table:table-cell office:value-type="string"><text:p>{c}</text:p></table:table-cell>' for c in row
            )
            + "</table:table-row>"
            for row in [["case", "Ana", "Ben"], ["w1", "a", "b"], ["w2", "b", "b"]]
        )
        + "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    mime = "application/vnd.oasis.opendocument.spreadsheet"
    with zipfile.ZipFile(tmp_path / "x.ods", "w") as archive:
        archive.writestr("mimetype", mime)
        archive.writestr("content.xml", content)
        archive.writestr(
            "META-INF/manifest.xml",
            '<?xml version="1.0"?><manifest:manifest '
            'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
        )
    reading = read_now(tmp_path / "x.ods")
    assert reading.ratings.rating_count == 4
    assert "cannot be seen" in told(reading, "format_hides").message


def test_50_a_truncated_or_damaged_workbook_is_called_damaged(tmp_path):
    path = saved(tmp_path, ROWS)
    whole = path.read_bytes()
    for part in (whole[: len(whole) // 2], whole[:100], whole[:-30] + b"x" * 30):
        path.write_bytes(part)
        with pytest.raises(TapdeskError, match="damaged"):
            read_now(path)
    path.write_bytes(whole)
    replaced(path, SHEET, lambda x: x[: len(x) // 2])
    with pytest.raises(TapdeskError, match="damaged"):
        read_now(path)


def test_50_a_workbook_whose_packed_parts_are_broken_is_called_damaged(text):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet" * 9)
    raw = bytearray(out.getvalue())
    start = raw.index(b"mimetype") + len("mimetype")
    raw[start : start + 12] = b"\xff" * 12
    with pytest.raises(TapdeskError, match="damaged"):
        text(bytes(raw), name="ratings.ods")


def test_51_a_zip_bomb_is_refused_by_its_size_before_it_is_unpacked(tmp_path):
    path = saved(tmp_path, ROWS)
    row = b'<row r="9"><c r="A9"><v>1</v></c></row>'
    replaced(path, SHEET, lambda x: x.replace(b"</sheetData>", row * 2_000_000 + b"</sheetData>"))
    start = time.monotonic()
    with pytest.raises(TapdeskError, match="Unpacked, this workbook would take"):
        read_now(path)
    assert time.monotonic() - start < 5


def test_51_a_cell_far_outside_is_refused_quickly(tmp_path):
    path = saved(tmp_path, ROWS)
    book = openpyxl.load_workbook(path)
    book.active["XFD1048576"] = 1
    book.save(path)
    assert path.stat().st_size < 10_000
    with pytest.raises(TapdeskError, match="reaches to row 1,048,576 and column 16,384") as caught:
        read_now(path)
    assert "delete the empty rows and columns" in caught.value.fix


def test_51_what_the_scan_does_not_see_ends_the_child_and_not_the_program(tmp_path):
    path = saved(tmp_path, ROWS)
    far = b"<row r='1048576'><c r='XFD1048576'><v>1</v></c></row></sheetData>"
    replaced(path, SHEET, lambda x: x.replace(b"</sheetData>", far))
    with pytest.raises(TapdeskError, match="needs more than 3 GB of memory"):
        read_now(path)


def test_51_a_workbook_that_takes_too_long_is_stopped(tmp_path):
    path = saved(tmp_path, ROWS)
    with pytest.raises(TapdeskError, match="takes more than 0 seconds"):
        finish(workbook(path.read_bytes(), "x.xlsx", Kind.XLSX, ReadingOptions(), seconds=0.0))


def test_a_reading_that_is_given_up_ends_its_child(tmp_path):
    import multiprocessing

    run = read(saved(tmp_path, ROWS))
    while not multiprocessing.active_children():
        next(run)
    run.close()
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("part", [SHEET, "xl/workbook.xml", "xl/styles.xml"])
def test_53_declarations_of_entities_are_never_resolved(tmp_path, part):
    path = saved(tmp_path, ROWS)
    evil = b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>'
    replaced(
        path,
        part,
        lambda x: (
            x.replace(b"<worksheet", evil + b"<worksheet", 1)
            .replace(b"<workbook ", evil + b"<workbook ", 1)
            .replace(b"<styleSheet", evil + b"<styleSheet", 1)
        ),
    )
    with pytest.raises(TapdeskError, match="declarations that no spreadsheet program writes"):
        read_now(path)


def test_an_empty_workbook_is_called_empty(tmp_path):
    with pytest.raises(TapdeskError, match="Every sheet of the workbook is empty"):
        read_now(saved(tmp_path, []))
