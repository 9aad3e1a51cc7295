"""CSV of ours never carries a live formula, and is read back as it was written."""

import csv
import io
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tapdesk.ratings.grid import csv_text, guard, unguard
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.reading import read_now

EVIL = [
    "=1+1",
    "+1+cmd",
    "-1+cmd",
    "@SUM(A1)",
    "\tx",
    "\r=x",
    "'=x",
    "''=x",
    "＝1+1",
    " =1",
    "'-2",
    "-",
    "=",
    "'",
    "''",
    "a;=1+1",
    "a; '=1+1",
    "a\t=1+1",
    "low\n=1+1;-2;@x",
    'a;"=1+1"',
]
NUMBERS = ["-2", "+3", "-1.5", "-1,5", "-2e5", "0", "7"]
FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")
LIVE = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")
evil = st.one_of(st.sampled_from(EVIL), st.text("=+-@'＝ \t\r\nab1,;\"", max_size=8))


@given(evil)
@example("'=x")
def test_what_is_guarded_comes_back(text):
    assert unguard(guard(text)) == text


@given(evil)
def test_no_cell_of_a_table_begins_like_a_formula(text):
    cell = next(csv.reader(io.StringIO(csv_text((text,), [(text, -2.5, None)]).text, newline="")), [""])[0]
    number = re.fullmatch(r"[+-]?(\d+([.,]\d+)?|[.,]\d+)([eE][+-]?\d+)?", cell)
    assert number or not LIVE.match(cell)


@pytest.mark.parametrize("sign", [";", "\t"])
@given(before=evil, text=evil)
@example("x", "a;=1+1")
@example("x", 'a;"=1+1"')
@example("x", "a\n=1+1")
def test_no_cell_begins_like_a_formula_where_a_spreadsheet_parts_them_at_other_signs(sign, before, text):
    written = csv_text(("x", "y", "z"), [(before, text, text)]).text
    # With quotes read as such where they stand at the beginning of a cell, and with quotes taken for plain signs.
    read = csv.reader(io.StringIO(written, newline=""), delimiter=sign)
    cells = [cell for row in read for cell in row] + re.split(rf"[{sign}\r\n]", written)
    for cell in cells:
        number = re.match(r"\s*[+-]?(\d+([.,]\d+)?|[.,]\d+)([eE][+-]?\d+)?\s*\"*(,|$)", cell)
        assert number or not FORMULA.match(cell), (cell, written)


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_stay_what_they_are(number):
    table = csv_text(("a",), [(number,), (-2,), (-0.25,)])
    assert table.text == f"a\n{csv_quoted(number)}\n-2\n-0.25\n"
    assert not table.prefixed


def csv_quoted(text):
    return f'"{text}"' if "," in text else text


# A mixture of decimal marks is refused.
NAMES = st.lists(
    st.sampled_from(EVIL + [n for n in NUMBERS if "," not in n]),
    min_size=4,
    max_size=6,
    unique_by=lambda t: t.strip().lstrip("'"),
)


@settings(max_examples=40, deadline=None)
@given(NAMES.map(lambda names: [name for name in names if name.strip(" '\t\r")]).filter(lambda n: len(n) > 3))
def test_a_table_with_evil_names_is_read_back_as_it_was(tmp_path_factory, names):
    raters, cases = names[:2], [f"{name}{i}" for i, name in enumerate(names)]
    rows = [(case, rater, names[(i + j) % 3]) for i, case in enumerate(cases) for j, rater in enumerate(raters)]
    place = tmp_path_factory.mktemp("evil") / "t.csv"
    place.write_bytes(csv_text(("case", "rater", "rating"), rows).text.encode())
    options = ReadingOptions(
        layout=Layout.LONG, subject="case", rater="rater", rating="rating", delimiter=",", missing=()
    )
    reading = read_now(place, options)
    assert {r.strip() for r in reading.as_read.raters} == {r.strip() for r in raters}
    assert {c.strip() for c in reading.as_read.subjects} == {c.strip() for c in cases}
    plain = {c.strip().lstrip("'") for c in reading.as_read.classes}
    assert plain == {r[2].strip().lstrip("'") for r in rows}
    assert any("apostrophe" in words for words in reading.source.words) == csv_text((), rows).prefixed
