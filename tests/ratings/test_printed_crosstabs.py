"""Two raters crossed as programs print it: titles above, totals beside and below, checked and left out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.ratings.findings import Severity
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.reading import read_now

WORDS = [("Total", "Total"), ("Gesamt", "Gesamt"), ("Sum", "Σ"), ("Totale", "totale"), ("Row total", "Column total")]


def printed(cells, classes, words=("Total", "Total"), title=()):
    """A printed table of counts, as lines."""
    beside, below = words
    lines = [*title, ["Reader A", *classes, *([beside] if beside else [])]]
    for label, row in zip(classes, cells, strict=True):
        lines.append([label, *map(str, row), *([str(sum(row))] if beside else [])])
    if below:
        sums = [sum(column) for column in zip(*cells, strict=True)]
        lines.append([below, *map(str, sums), *([str(sum(sums))] if beside else [])])
    return lines


def read(folder, lines):
    path = folder / "crosstab.csv"
    width = max(map(len, lines))
    path.write_text("\n".join(",".join([*line, *[""] * (width - len(line))]) for line in lines) + "\n", "utf-8")
    return read_now(path)


@st.composite
def tables(draw):
    size = draw(st.integers(2, 5))
    cells = draw(st.lists(st.lists(st.integers(0, 40), min_size=size, max_size=size), min_size=size, max_size=size))
    # Every class was given by both, or a program would not print it.
    return [[count + 5 * (i == j) + (abs(i - j) == 1) for j, count in enumerate(row)] for i, row in enumerate(cells)]


@given(tables(), st.sampled_from(WORDS), st.sampled_from(["both", "beside", "below"]), st.booleans())
def test_totals_are_checked_and_left_out(tmp_path_factory, cells, words, which, titled):
    classes = ["none", "mild", "moderate", "severe", "extreme"][: len(cells)]
    words = (words[0] if which != "below" else "", words[1] if which != "beside" else "")
    title = [["First by second reader"], [""]] if titled else []
    reading = read(tmp_path_factory.mktemp("cross"), printed(cells, classes, words, title))
    assert reading.source.layout is Layout.CONFUSION
    assert "totals_checked" in {f.code for f in reading.findings}
    assert not [f.code for f in reading.findings if f.severity is Severity.BLOCK]
    ratings = reading.ratings
    assert set(ratings.classes) == set(classes)
    back = np.zeros((len(cells), len(cells)), dtype=int)
    for subject in range(len(ratings.subjects)):
        first, second = (ratings.classes[int(c)] for c in ratings.category[ratings.subject == subject])
        back[classes.index(first), classes.index(second)] += int(ratings.weight[subject])
    assert back.tolist() == cells


@pytest.mark.parametrize("place", [(1, 3), (3, 1), (3, 3), (2, 1)])
def test_a_total_that_is_wrong_is_asked_about_with_its_sum(tmp_path, place):
    lines = printed([[20, 3], [4, 12]], ["no", "yes"])
    lines[place[0]][place[1]] = str(int(lines[place[0]][place[1]]) + 1)
    reading = read(tmp_path, lines)
    findings = {f.code: f for f in reading.findings}
    assert findings["totals_differ"].severity is Severity.ASK
    assert "add up to" in findings["totals_differ"].message
    # It stays a question that stops the analysis.
    assert [f.code for f in reading.findings if f.severity is Severity.BLOCK]


def test_a_title_above_a_table_whose_totals_agree_is_no_question(tmp_path):
    reading = read(tmp_path, [["Readers"], ["", "", "Reader B"], *printed([[20, 3], [4, 12]], ["no", "yes"])])
    assert not [f.code for f in reading.findings if f.severity is not Severity.NOTE]
    assert reading.ratings.subject_count == 39


def test_a_jury_with_a_total_is_no_crosstab(tmp_path):
    lines = [
        ["wine", "Ana", "Ben", "Total"],
        *([f"w{i}", str(i % 3), str(i % 2), str(i % 3 + i % 2)] for i in range(9)),
    ]
    assert "totals_checked" not in {f.code for f in read(tmp_path, lines).findings}


@pytest.mark.parametrize(
    "cells", [[["0.4", "0.1"], ["0.1", "0.4"]], [["40", "-1"], ["10", "40"]], [["40 %", "10 %"]] * 2]
)
def test_a_square_of_shares_or_of_negative_counts_is_asked_about_before_anything_is_computed(tmp_path, cells):
    lines = [["", "yes", "no"], *([label, *row] for label, row in zip(("yes", "no"), cells, strict=True))]
    findings = {f.code: f for f in read(tmp_path, lines).findings}
    assert [f.code for f in findings.values() if f.severity is Severity.BLOCK] == ["square_without_counts"]
    answered = read_now(tmp_path / "crosstab.csv", ReadingOptions(layout=Layout.RATERS))
    assert not [f.code for f in answered.findings if f.severity is Severity.BLOCK]


def test_no_row_of_a_long_table_is_looked_at_as_a_total(text, monkeypatch):
    looked = []
    monkeypatch.setattr("tapdesk.ratings.layouts.crosstab._is_total", lambda name: bool(looked.append(name)))
    lines = [f"c{i},{who},{'yn'[(i + j) % 2]}" for i in range(200) for j, who in enumerate(("Ana", "Ben", "Cy"))]
    assert text("case,rater,rating\n" + "\n".join(lines) + "\n").ratings.rating_count == 600
    assert looked == []
