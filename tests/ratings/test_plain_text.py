"""A small plain text is split without pandas, into the same cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.progress import finish
from tapdesk.ratings.formats import text_files
from tapdesk.ratings.formats.text_files import DELIMITERS, is_plain, read_separated

# What files hold: letters of many scripts, blanks of all kinds, marks of numbers, words that mean nothing, no quotes.
SIGNS = st.sampled_from("ab1é中 .-+#'\\,;|\t\v\f\x1a\x1c\x85\u00a0\u2028\ufeff😀")
CELLS = st.one_of(st.text(SIGNS, max_size=4), st.sampled_from(["", "NA", "nan", "None", "1e5", "007", "TRUE", " x "]))
ROWS = st.lists(st.lists(CELLS, max_size=5), min_size=1, max_size=8)


def cells(data, delimiter):
    """Every column as its texts."""
    read = finish(read_separated(data, "a.csv", delimiter))
    return read.delimiter, [[c.values[i] for i in c.codes] for c in read.grid.columns], read.grid.rows


@given(ROWS, st.sampled_from([d for d in DELIMITERS if d != " "]), st.integers(0, 3))
def test_a_plain_text_is_read_as_pandas_reads_it(rows, delimiter, ends):
    text = "\n".join(delimiter.join(row) for row in rows) + "\n" * ends
    data = text.removeprefix("\ufeff").encode()
    assert is_plain(data, delimiter)
    if not data or data.isspace():
        return
    ours = cells(data, delimiter)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_files, "is_plain", lambda _data, _delimiter: False)
        assert ours == cells(data, delimiter)


def test_quotes_blanks_as_separators_and_large_texts_are_left_to_pandas():
    assert not is_plain(b'a,"b"\n', ",")
    assert not is_plain(b"a b\n", " ")
    assert not is_plain(b"a,b\n" * 100_000, ",")


WORDS = st.one_of(CELLS, st.text(SIGNS, max_size=30), st.sampled_from(["item0001", "item00012", "item00013", "a" * 64]))
EVEN = st.integers(2, 4).flatmap(lambda n: st.lists(st.lists(WORDS, min_size=n, max_size=n), min_size=2, max_size=12))


@given(EVEN, st.sampled_from([d for d in DELIMITERS if d != " "]), st.integers(0, 1))
def test_a_large_text_told_by_its_bytes_is_read_as_pandas_reads_it(rows, delimiter, ends):
    text = "\n".join(delimiter.join(cell.replace(delimiter, "_") for cell in row) for row in rows) + "\n" * ends
    data = text.removeprefix("\ufeff").encode()
    if data.isspace():
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_files, "_PLAIN", -1)
        by_bytes = cells(data, delimiter)
        order = [c.values for c in finish(read_separated(data, "a.csv", delimiter)).grid.columns]
        patch.setattr(text_files, "_LONGEST", -1)
        assert by_bytes == cells(data, delimiter)
        assert order == [c.values for c in finish(read_separated(data, "a.csv", delimiter)).grid.columns]
