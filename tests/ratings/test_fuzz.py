"""Whatever bytes come, reading answers with ratings or with one plain sentence."""

import io
import zipfile

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapdesk.errors import TapdeskError
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.reading import Reading, read_now

PIECES = st.sampled_from(
    [
        *["case", "judge", "rating", "1", "2", "1,5", "2.5", "yes", "no", "", " ", '"', "'", ",", ";", "\t", "|", "\n"],
        *["NA", "=1+1", "Total", "2024-01-02", "é", "\u200b", "🍷", "1,234", "x" * 60, "weight", "n_class1", "\r\n"],
        *["n_ratings", "-1"],
    ]
)
LAYOUTS = st.sampled_from(list(Layout))


def answers(path, options):
    """Read, and accept ratings or a refusal that says what to do."""
    try:
        reading = read_now(path, options)
    except TapdeskError as problem:
        refusal = problem
    else:
        refusal = None
    if refusal is not None:
        assert refusal.what
        assert refusal.fix
        assert "fault of the program" not in refusal.what
        return
    assert isinstance(reading, Reading)
    assert reading.ratings.rating_count > 0
    assert reading.left_out_ratings >= 0
    assert reading.source.sentence


@settings(max_examples=120)
@given(st.lists(PIECES, max_size=60), LAYOUTS)
def test_pieces_of_tables_in_any_order_are_answered(tmp_path_factory, pieces, layout):
    path = tmp_path_factory.mktemp("f") / "x.csv"
    path.write_bytes("".join(pieces).encode())
    answers(path, ReadingOptions(layout=layout))


@settings(max_examples=60)
@given(st.binary(max_size=400))
def test_garbage_is_answered(tmp_path_factory, raw):
    path = tmp_path_factory.mktemp("f") / "x.csv"
    path.write_bytes(raw)
    answers(path, ReadingOptions())


def workbook_bytes():
    """A small workbook."""
    book = openpyxl.Workbook()
    for row in [["case", "Ana", "Ben"], ["w1", 1, 2], ["w2", 2, 2], ["w3", 1, None]]:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@settings(max_examples=8)
@given(st.data())
def test_workbooks_with_damaged_bytes_are_answered(tmp_path_factory, data):
    raw = bytearray(workbook_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("f") / "x.xlsx"
    path.write_bytes(bytes(raw[: data.draw(st.integers(1, len(raw)))]) if data.draw(st.booleans()) else bytes(raw))
    answers(path, ReadingOptions())


# Each example starts a process: how long they take together is the machine's business.
@pytest.mark.timeout(3600)
@pytest.mark.slow
@settings(max_examples=1_500)
@given(st.data())
def test_workbooks_with_damaged_parts_are_answered(tmp_path_factory, data):
    with zipfile.ZipFile(io.BytesIO(workbook_bytes())) as archive:
        parts = {n: archive.read(n) for n in archive.namelist()}
    victim = data.draw(st.sampled_from(sorted(parts)))
    content = bytearray(parts[victim])
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place : place + data.draw(st.integers(0, 6))] = data.draw(st.binary(max_size=6))
        if not content:
            content = bytearray(b" ")
    parts[victim] = bytes(content)
    path = tmp_path_factory.mktemp("f") / "x.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    answers(path, ReadingOptions())


@pytest.mark.timeout(3600)
@pytest.mark.slow
@settings(max_examples=25_000)
@given(st.lists(PIECES, max_size=150), LAYOUTS)
def test_many_pieces_of_tables_are_answered(tmp_path_factory, pieces, layout):
    path = tmp_path_factory.mktemp("f") / "x.csv"
    path.write_bytes("".join(pieces).encode())
    answers(path, ReadingOptions(layout=layout))
