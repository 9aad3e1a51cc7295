"""Broken, hostile and very large workbooks (bad_input.md 50, 51, 53): refused without harm."""

import io
import multiprocessing
import zipfile

import openpyxl
import pytest

from tapdesk.errors import TapdeskError
from tapdesk.progress import finish
from tapdesk.ratings.formats.kinds import FileKind
from tapdesk.ratings.formats.workbooks import workbook
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read, read_now
from tests.ratings.books import ROWS, SHEET, replaced, saved


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
    with pytest.raises(TapdeskError, match="Unpacked, this workbook would take"):
        read_now(path)


def test_51_a_cell_far_outside_is_refused_quickly(tmp_path):
    path = saved(tmp_path, ROWS)
    book = openpyxl.load_workbook(path)
    book.active["XFD1048576"] = 1
    book.save(path)
    assert path.stat().st_size < 10_000
    with pytest.raises(TapdeskError, match="reaches to row 1,048,576 and column 16,384") as caught:
        read_now(path)
    assert "delete the empty rows and columns" in caught.value.fix


def test_51_a_stray_entry_in_a_column_of_two_letters_is_refused_quickly_too(tmp_path):
    path = saved(tmp_path, ROWS)
    book = openpyxl.load_workbook(path)
    book.active["ZZ500000"] = 1
    book.save(path)
    with pytest.raises(TapdeskError, match="reaches to row 500,000 and column 702"):
        read_now(path)


@pytest.mark.parametrize(
    ("cell", "reach"),
    [
        ("ZZZZZZ99999999999", "row 99,999,999,999 and column 321,272,406"),
        ("B99999999999", "row 99,999,999,999 and column 3"),
        ("B1048577", "row 1,048,577 and column 3"),
        ("XFE3", r"row \d+ and column 16,385"),
        ("A" * 27 + "3", r"row \d+ and column 321,272,407"),
        ("B" + "9" * 5000, "row 999,999,999,999,999 and column 3"),
    ],
)
def test_51_a_cell_that_no_sheet_has_is_named_and_memory_is_not_blamed(tmp_path, cell, reach):
    path = saved(tmp_path, ROWS)
    replaced(path, SHEET, lambda x: x.replace(b'r="B3"', f'r="{cell}"'.encode()))
    with pytest.raises(TapdeskError, match=f"reaches to {reach}") as caught:
        read_now(path)
    assert "delete the empty rows and columns" in caught.value.fix


def test_51_a_name_that_looks_like_a_far_cell_is_none(tmp_path):
    path = saved(tmp_path, ROWS)
    usual = read_now(path).ratings
    replaced(path, SHEET, lambda x: x.replace(b"<sheetPr>", b'<sheetPr codeName="SHEET1234567890">'))
    assert b"SHEET1234567890" in zipfile.ZipFile(path).read(SHEET)
    assert read_now(path).ratings.subjects == usual.subjects


def test_51_a_reader_that_panics_is_told_as_damage(tmp_path, capfd):
    path = saved(tmp_path, ROWS)
    # In single quotes, which the scan does not look for.
    replaced(path, SHEET, lambda x: x.replace(b'r="B3"', b"r='ZZZZZZ99999999999'"))
    with pytest.raises(TapdeskError, match="damaged"):
        read_now(path)
    assert capfd.readouterr() == ("", "")


def test_51_a_process_that_is_aborted_writes_nothing_on_the_terminal(tmp_path, capfd):
    path = saved(tmp_path, ROWS)
    far = b"<row r='1048576'><c r='XFD1048576'><v>1</v></c></row></sheetData>"
    replaced(path, SHEET, lambda x: x.replace(b"</sheetData>", far))
    with pytest.raises(TapdeskError, match="needs more than 3 GB"):
        read_now(path)
    assert capfd.readouterr() == ("", "")


def test_51_what_the_scan_does_not_see_ends_the_child_and_not_the_program(tmp_path):
    path = saved(tmp_path, ROWS)
    far = b"<row r='1048576'><c r='XFD1048576'><v>1</v></c></row></sheetData>"
    replaced(path, SHEET, lambda x: x.replace(b"</sheetData>", far))
    with pytest.raises(TapdeskError, match="needs more than 3 GB of memory"):
        read_now(path)


def test_51_a_workbook_that_takes_too_long_is_stopped(tmp_path):
    path = saved(tmp_path, ROWS)
    with pytest.raises(TapdeskError, match="takes more than 0 seconds"):
        finish(workbook(path.read_bytes(), "x.xlsx", FileKind.XLSX, ReadingOptions(), seconds=0.0))


def test_a_reading_that_is_given_up_ends_its_child(tmp_path):
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


def test_53_entities_among_the_texts_of_cells_are_never_resolved(tmp_path):
    path = saved(tmp_path, [["case", "A", "B"], ["w1", "x", "y"], ["w2", "y", "y"]])
    replaced(path, "xl/sharedStrings.xml", lambda x: b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>' + x)
    with pytest.raises(TapdeskError, match="declarations that no spreadsheet program writes"):
        read_now(path)


def test_a_process_that_opens_workbooks_and_cannot_begin_is_told_in_a_sentence(tmp_path, capfd):
    path = saved(tmp_path, ROWS)
    # What cannot be unpickled at the other end stops it as lack of memory does: before it can say a word.
    with pytest.raises(TapdeskError, match=r"ended before it had answered \(exit code 1\)"):
        finish(workbook(path.read_bytes(), "x.xlsx", FileKind.XLSX, ReadingOptions(sheet=Unloadable())))
    assert capfd.readouterr() == ("", "")


def test_a_fault_of_the_process_that_opens_workbooks_is_no_fault_of_the_workbook(capfd):
    with pytest.raises(TypeError, match="bytes-like") as caught:
        finish(workbook("no bytes", "x.xlsx", FileKind.XLSX, ReadingOptions()))
    assert "workbook_child" in caught.value.__notes__[0]
    assert capfd.readouterr() == ("", "")


class Unloadable(str):
    """A name that no other process can make again."""

    __slots__ = ()

    def __reduce__(self):
        return int, ("no number",)


def test_an_empty_workbook_is_called_empty(tmp_path):
    with pytest.raises(TapdeskError, match="Every sheet of the workbook is empty"):
        read_now(saved(tmp_path, []))
