"""Ratings written to a file in any layout and read again are the same ratings."""

import csv
import io

import numpy as np
import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapdesk.ratings.options import Layout, RatersAre, ReadingOptions
from tapdesk.ratings.reading import read_now

NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp", "Cf")), min_size=1, max_size=8
).map(lambda s: "n" + s)
LABELS = st.sampled_from(
    [
        ("no", "yes"),
        ("1", "2", "3"),
        ("low", "medium", "high"),
        ("a,b", 'c"d', "e;f"),
        ("1,5", "2,5", "3,0"),
        ("x y", "z"),
    ]
)


@st.composite
def panels(draw, complete=False):
    """Subjects, raters, classes and a matrix of class indices, -1 where there is no rating."""
    subjects = draw(st.lists(NAMES, min_size=1, max_size=8, unique=True))
    raters = draw(st.lists(NAMES, min_size=2, max_size=5, unique=True))
    labels = draw(LABELS)
    low = 0 if complete else -1
    flat = st.lists(
        st.integers(low, len(labels) - 1), min_size=len(subjects) * len(raters), max_size=len(subjects) * len(raters)
    )
    matrix = np.array(draw(flat)).reshape(len(subjects), len(raters))
    matrix[0, 0] = max(matrix[0, 0], 0)
    return subjects, raters, labels, matrix


def write(path, lines, delimiter):
    """Write a table to a CSV file or, for a path with that suffix, to a workbook (texts as texts)."""
    if path.suffix == ".xlsx":
        book = openpyxl.Workbook()
        for row in lines:
            book.active.append(row)
        book.save(path)
        return
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(lines)
    path.write_text(out.getvalue(), encoding="utf-8", newline="")


def triples(reading):
    """The ratings as sorted triples of names."""
    r = reading.ratings
    return sorted(
        (r.subjects[s], r.raters[j], r.classes[c]) for s, j, c in zip(r.subject, r.rater, r.category, strict=True)
    )


def expected(subjects, raters, labels, matrix):
    """The same from the matrix."""
    return sorted(
        (s, r, labels[matrix[i, j]]) for i, s in enumerate(subjects) for j, r in enumerate(raters) if matrix[i, j] >= 0
    )


@given(panels(), st.sampled_from([",", ";", "\t", "|"]), st.randoms(use_true_random=False))
def test_long_tables_come_back(tmp_path_factory, panel, delimiter, random):
    subjects, raters, labels, matrix = panel
    lines = [[s, r, c] for s, r, c in expected(*panel)]
    random.shuffle(lines)
    path = tmp_path_factory.mktemp("long") / "x.csv"
    write(path, [["case", "judge", "rating"], *lines], delimiter)
    reading = read_now(path)
    assert triples(reading) == expected(subjects, raters, labels, matrix)
    assert reading.source.layout is Layout.LONG
    assert reading.missing == 0


@given(panels(), st.sampled_from([",", ";", "\t"]))
def test_wide_tables_come_back(tmp_path_factory, panel, delimiter):
    subjects, raters, labels, matrix = panel
    lines = [["case", *raters]]
    lines += [[s, *(labels[c] if c >= 0 else "" for c in row)] for s, row in zip(subjects, matrix, strict=True)]
    path = tmp_path_factory.mktemp("wide") / "x.csv"
    write(path, lines, delimiter)
    options = ReadingOptions(layout=Layout.RATERS, columns=tuple(raters), subject="case", raters_are=RatersAre.PEOPLE)
    reading = read_now(path, options)
    assert triples(reading) == expected(*panel)
    assert reading.missing == int((matrix < 0).sum())
    # The other way round the same table gives the same ratings.
    turned = [list(column) for column in zip(*lines, strict=True)]
    turned[0][0] = "judge"
    write(path, turned, delimiter)
    assert triples(read_now(path, ReadingOptions(layout=Layout.SUBJECTS, rater="judge"))) == expected(*panel)


@given(panels(complete=True), st.sampled_from([",", ";"]))
def test_counts_come_back(tmp_path_factory, panel, delimiter):
    _, _, labels, matrix = panel
    counts = np.stack([(matrix == c).sum(axis=1) for c in range(len(labels))], axis=1)
    path = tmp_path_factory.mktemp("counts") / "x.csv"
    write(path, [labels, *counts.tolist()], delimiter)
    ratings = read_now(path, ReadingOptions(layout=Layout.COUNTS)).ratings
    where = [ratings.classes.index(label) for label in labels]
    assert ratings.counts()[:, where].tolist() == counts.tolist()


@settings(max_examples=6)
@given(panels())
def test_workbooks_come_back(tmp_path_factory, panel):
    lines = [["case", "judge", "rating"], *([s, r, c] for s, r, c in expected(*panel))]
    path = tmp_path_factory.mktemp("book") / "x.xlsx"
    write(path, lines, ",")
    assert triples(read_now(path)) == expected(*panel)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_the_same_text_in_every_marked_encoding_is_the_same(tmp_path, encoding):
    (tmp_path / "a.csv").write_bytes("wine;Zoë;王\nw1;1,5;2,5\nw2;2,5;1,5\n".encode(encoding))
    assert triples(read_now(tmp_path / "a.csv"))[0] == ("w1", "Zoë", "1,5")
