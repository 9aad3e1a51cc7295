"""The same ratings in every other layout and file format are read back the same."""

import html
import zipfile
from collections import Counter
from xml.sax.saxutils import escape

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapdesk.errors import TapdeskError
from tapdesk.ratings.options import Layout, RatersAre, ReadingOptions
from tapdesk.ratings.reading import read_now
from tests.ratings.test_round_trips import expected, panels, triples, write

MANIFEST = (
    '<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
)
ODS = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" office:version="1.2"><office:body>'
    '<office:spreadsheet><table:table table:name="Ratings">{rows}</table:table></office:spreadsheet></office:body>'
    "</office:document-content>"
)


def by_column(panel):
    """The panel as the lines of a wide table."""
    subjects, raters, labels, matrix = panel
    lines = [["case", *raters]]
    return lines + [[s, *(labels[c] if c >= 0 else "" for c in row)] for s, row in zip(subjects, matrix, strict=True)]


def long(panel):
    """The panel as the lines of a long table."""
    return [["case", "judge", "rating"], *(list(row) for row in expected(*panel))]


def ods(path, lines):
    """Write a spreadsheet as LibreOffice does, every cell a text."""
    cells = (
        "".join(
            f'<table:table-cell office:value-type="string"><text:p>{escape(t)}</text:p></table:table-cell>'
            if t
            else "<table:table-cell/>"
            for t in line
        )
        for line in lines
    )
    rows = "".join(f"<table:table-row>{line}</table:table-row>" for line in cells)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", ODS.replace("{rows}", rows))
        archive.writestr("META-INF/manifest.xml", MANIFEST)


@settings(max_examples=4)
@given(panels())
def test_ods_comes_back(tmp_path_factory, panel):
    path = tmp_path_factory.mktemp("ods") / "x.ods"
    ods(path, long(panel))
    assert triples(read_now(path)) == expected(*panel)


@given(panels())
def test_web_tables_come_back(tmp_path_factory, panel):
    path = tmp_path_factory.mktemp("html") / "x.html"
    rows = "".join("<tr>" + "".join(f"<td>{html.escape(t)}</td>" for t in line) + "</tr>" for line in long(panel))
    path.write_text(f"<html><body><table>{rows}</table></body></html>", encoding="utf-8")
    assert triples(read_now(path)) == expected(*panel)


@pytest.mark.parametrize("kind", ["sav", "dta"])
@settings(max_examples=8)
@given(panel=panels())
def test_files_of_statistics_programs_come_back(tmp_path_factory, kind, panel):
    path = tmp_path_factory.mktemp(kind) / f"x.{kind}"
    frame = pd.DataFrame(expected(*panel), columns=["case", "judge", "rating"])
    (pyreadstat.write_sav if kind == "sav" else pyreadstat.write_dta)(frame, path)
    assert triples(read_now(path)) == expected(*panel)


@given(panels(), st.integers(1, 4))
def test_one_of_several_questions_comes_back(tmp_path_factory, panel, others):
    lines = long(panel)
    path = tmp_path_factory.mktemp("questions") / "x.csv"
    head = [*lines[0][:2], *(f"other {i}" for i in range(others)), "wanted"]
    write(path, [head, *([s, r, *["no"] * others, c] for s, r, c in lines[1:])], ",")
    options = ReadingOptions(layout=Layout.QUESTIONS, subject="case", rater="judge", only="wanted")
    assert triples(read_now(path, options)) == expected(*panel)
    # The same questions below each other, in a column of their own.
    stacked = [[s, r, q, c if q == "wanted" else "no"] for s, r, c in lines[1:] for q in ("other", "wanted")]
    write(path, [["case", "judge", "criterion", "rating"], *stacked], ",")
    options = ReadingOptions(question="criterion", only="wanted", subject="case", rater="judge", rating="rating")
    assert triples(read_now(path, options)) == expected(*panel)


@given(panels(complete=True))
def test_patterns_with_a_count_come_back(tmp_path_factory, panel):
    _, raters, labels, matrix = panel
    rows = Counter(tuple(labels[c] for c in row) for row in matrix)
    path = tmp_path_factory.mktemp("patterns") / "x.csv"
    write(path, [[*raters, "how many"], *([*row, str(n)] for row, n in rows.items())], ",")
    options = ReadingOptions(columns=tuple(raters), count="how many", subject="", raters_are=RatersAre.PEOPLE)
    ratings = read_now(path, options).ratings
    assert ratings.subject_count == matrix.shape[0]
    assert ratings.rating_count == matrix.size
    weights = np.ones(len(ratings.subjects), int) if ratings.weight is None else ratings.weight
    again = Counter()
    for i in range(len(ratings.subjects)):
        mine = ratings.subject == i
        given_ = dict(zip(ratings.rater[mine], ratings.category[mine], strict=True))
        again[tuple(ratings.classes[given_[ratings.raters.index(r)]] for r in raters)] += int(weights[i])
    assert again == rows


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=3, max_size=3))
def test_a_confusion_matrix_comes_back(tmp_path_factory, counts):
    counts[0][0] += 1
    labels = ["low", "medium", "high"]
    path = tmp_path_factory.mktemp("confusion") / "x.csv"
    write(path, [["", *labels], *([label, *map(str, row)] for label, row in zip(labels, counts, strict=True))], ",")
    ratings = read_now(path, ReadingOptions(layout=Layout.CONFUSION)).ratings
    table = np.zeros((3, 3), int)
    weights = np.ones(len(ratings.subjects), int) if ratings.weight is None else ratings.weight
    place = [labels.index(c) for c in ratings.classes]
    for i in range(len(ratings.subjects)):
        first, second = (place[ratings.category[(ratings.subject == i) & (ratings.rater == j)][0]] for j in (0, 1))
        table[first, second] += weights[i]
    assert table.tolist() == counts


@given(panels())
def test_what_was_resolved_reads_the_same_in_a_wide_table_and_a_long_one(tmp_path_factory, panel):
    path = tmp_path_factory.mktemp("resolved") / "x.csv"
    for lines in (long(panel), by_column(panel)):
        write(path, lines, ";")
        try:
            reading = read_now(path)
        except TapdeskError:
            continue  # a table of one column of ratings may be refused as identifiers
        assert triples(read_now(path, reading.options)) == triples(reading)
