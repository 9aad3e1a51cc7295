"""Tables on the terminal."""

import re

import pytest

from tapdesk.answers import fit_tables as tables
from tapdesk.answers import terminal
from tapdesk.answers.content import Align, Column, Table
from tapdesk.answers.part import Answer, contents
from tapdesk.answers.parts import PARTS
from tapdesk.ratings.findings import Finding, Severity

from .examples import FINDINGS, four_ratings, open_fit, reading_of, wine_fit, wine_ratings


def printed(answer):
    return terminal.fit(answer, contents(PARTS, "fit", answer))


def test_columns_are_aligned_also_with_wide_letters():
    table = Table("T", (Column("Name"), Column("n", Align.RIGHT)), (("王小", "1"), ("Ana", "1,000")))
    rows = terminal.table(table).splitlines()[2:]
    assert rows[0] == "Name      n"
    assert rows[2:] == ["王小      1", "Ana   1,000"]
    assert terminal.cells(rows[2]) == terminal.cells(rows[3])


@pytest.mark.parametrize(
    "number", ["0.48 to 0.57", "[0.48, 0.57]", "0.4 (0.31 to 0.52)", "12.5 % to 17 %", "−0.48 to −0.12"]
)
def test_a_long_cell_never_ends_within_a_number_or_an_interval(number):
    for before in range(30, 62):
        words = ("words of a long cell " * 4)[: before - 1].rstrip() + " "
        table = Table("T", (Column("Name"),), ((f"{words}{number}; and more of the same kind",),))
        cell = terminal.table(table).splitlines()[-1]
        assert len(cell) <= 60
        assert cell.endswith("…") or cell == f"{words}{number}; and more of the same kind"
        # It stands there whole, or not at all.
        assert number in cell or not set("0123456789") & set(cell), cell
        assert not re.search(r" to…$|,…$|\[…$", cell), cell


def test_no_label_can_steer_the_terminal():
    assert terminal.plain("a\x1b[31mred\x07\u202e") == "a[31mred"


def test_a_fit_prints_every_number_with_its_interval(fitted, wine):
    told = printed(Answer(fitted, wine, wine))
    for e in fitted.estimates:
        assert f"{e.estimate.value:.2f}" in told
        assert f"{e.estimate.low:.2f} to {e.estimate.high:.2f}" in told
    assert "−483.599" in told
    assert "183 cases, 732 ratings" in told


def test_a_fit_that_is_not_identified_prints_dashes_and_reasons():
    told = printed(Answer(open_fit(), wine_ratings(), wine_ratings()))
    assert "cannot tell" in told
    assert "0.54" not in told
    # Said once for all of them; lines are broken anywhere.
    assert "t, a, p: Many values fit equally well." in " ".join(told.split())


def test_a_search_that_did_not_settle_warns_below_its_numbers():
    assert "do not report these numbers" in tables.estimates(wine_fit(converged=False)).note


def test_findings_say_where_and_what_was_done():
    told = terminal.table(tables.findings(FINDINGS))
    assert "still open" in told
    assert "rows 12 and 40" in told
    assert "Both count. To change it: Choose which one counts." in told


def test_a_reading_prints_its_counts_and_every_finding_whole():
    long = Finding("x", Severity.ASK, "row 3", "A message of many words " * 12 + "ends here.", "Do this.", "Kept.")
    told = " ".join(terminal.check(reading_of(wine_ratings(), (*FINDINGS, long))).split())
    assert "Seat 1 gave wine W12 the score silver." in told
    assert "Ratings used 732" in told
    assert "still open: rows 12 and 40 Seat 2 rated wine W12 twice. Both count. To do: Choose" in told
    assert long.message in told


def test_a_reading_without_findings_says_so():
    assert "Reading the file raised no question." in terminal.check(reading_of(wine_ratings()))


def test_class_counts_add_up():
    table = tables.class_counts(four_ratings())
    assert sum(int(row[1]) for row in table.rows[:-1]) == int(table.rows[-1][1]) == 732
