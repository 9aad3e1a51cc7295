"""Text larger than what is looked at in one go reads as if it were looked at whole."""

import csv
import io

import numpy as np
import pytest

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.progress import finish
from tapdesk.ratings.formats.text_files import decode, read_separated

PIECE = 1 << 21  # two letters of three bytes, or half a line end, may stand across every multiple of it


def long_text(before, across):
    """A text in which something stands across the end of the first piece, ``before`` bytes before it."""
    line = "a,b,c\n"
    lines = line * ((PIECE - before) // len(line))
    fill = "x" * (PIECE - before - len(lines))
    return f"{lines}{fill}{across}{line * 50_000}"


def cells(data):
    """Rows of texts of a comma file as the program reads them."""
    grid = finish(read_separated(data, "file.csv", ",")).grid
    return [grid.row(i) for i in range(grid.rows)]


@pytest.mark.parametrize("before", [0, 1, 2])
def test_line_ends_of_windows_across_a_piece_are_one_line_end(before):
    raw = long_text(before, "\r\n\r\nend\r").encode()
    assert decode(raw, "file.csv").data == raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def test_a_text_that_ends_in_half_a_line_end_of_windows_ends_its_line():
    raw = b"a,b\r\n" * (PIECE // 5) + b"c\r"
    assert decode(raw, "file.csv").data.endswith(b"\nc\n")


@pytest.mark.parametrize("before", [1, 2, 3])
def test_a_letter_of_several_bytes_across_a_piece_is_one_letter(before):
    text = long_text(before, "\U0001f377\u017e")
    assert decode(text.encode(), "file.csv").data.decode() == text


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-8-sig", "cp1250"])
def test_large_text_in_another_encoding_is_told_in_utf_8_letter_by_letter(codec):
    wine = "\u017elut\u00e9,\u0161" if codec == "cp1250" else "\u017elut\u00e9,\U0001f377"
    text = f"{wine}\n" * 400_000
    asked = codec if codec in {"utf-16-le", "cp1250"} else None
    assert decode(text.encode(codec), "file.csv", asked).data == text.encode()


def test_bytes_that_make_no_sense_far_down_are_told_with_their_row():
    raw = b"a,b\n" * 900_000 + b"\xff\xfe,b\n"
    with pytest.raises(TapdeskError, match="from row 900001 on"):
        decode(raw, "file.csv", "utf-8")
    with pytest.raises(TapdeskError, match=r"shows the letters|no text has"):
        decode(raw, "file.csv")


def test_a_null_byte_far_down_is_no_text():
    with pytest.raises(TapdeskError, match="bytes that no text has"):
        decode(b"a,b\n" * 900_000 + b"\x00,b\n", "file.csv", "utf-8")


@pytest.mark.parametrize("name", ["base64", "rot13", "hex"])
def test_what_packs_bytes_is_no_encoding_of_text(name):
    with pytest.raises(UsageError, match="There is no encoding"):
        decode(b"a,b\n", "file.csv", name)


def test_every_cell_of_a_long_table_is_what_the_standard_library_reads():
    rng = np.random.default_rng(5)
    words = ["plain", 'with "marks"', "two\nlines", "a,b", "", " blank ", "\u017eluna"]
    # Names come for the first time in every part of the file, and again long after.
    names = [f"case {i}" for i in rng.integers(0, 30_000, 50_000)]
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator="\n").writerows(zip(names, rng.choice(words, 50_000).tolist(), strict=True))
    told = written.getvalue()
    assert cells(told.encode()) == [tuple(row) for row in csv.reader(io.StringIO(told, newline=""))]


def test_a_quotation_mark_that_opens_far_down_is_told_with_its_row():
    raw = b"a,b\n" * 60_000 + b'"open,b\n' + b"a,b\n" * 1_000
    with pytest.raises(TapdeskError, match="opens in row 60,001 and is never closed"):
        cells(raw)
