"""How often the intervals of the two shares of a rating hold the truth: the study, and the published table."""

import csv
from pathlib import Path

import numpy as np
import pytest

from tapdesk.errors import UsageError
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies import share_coverage as share_coverage_module
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.share_coverage import COLUMNS, ShareCells, share_cells, share_coverage
from tests.fitting.test_likelihood_region import counts_of


def test_small_panels_are_counted_through_and_give_what_the_program_says_of_each():
    # Four cases with three ratings: 35 panels, each with its own interval and probability.
    t, a, p = 0.4, 0.7, 0.5
    rows = finish(share_coverage([ShareCells(4, 3, (t,), a, (p,))])).records()
    assert tuple(rows[0]) == COLUMNS
    assert [row["truth"] for row in rows] == [1, 0]
    chance = {k: t * b(k, a + (1 - a) * p) + (1 - t) * b(k, (1 - a) * p) for k in range(4)}
    held, told = {1: 0.0, 0: 0.0}, 0.0
    for ones in np.ndindex(5, 5, 5, 5):
        if sum(ones) != 4:
            continue
        # The intervals of shares come from the likelihood whatever is asked for the numbers themselves.
        fit = finish(analyse(counts_of(list(ones), 3), Request(model("t-a-p"), interval="wald")))
        if not fit.shares:
            continue
        weight = 24 * np.prod([chance[k] ** n / max(np.prod(range(1, n + 1)), 1) for k, n in enumerate(ones)])
        told += weight
        for share, rate in zip(fit.shares, (a + (1 - a) * p, (1 - a) * p), strict=True):
            held[1 if share.truth == "yes" else 0] += weight * (share.low - 1e-6 <= rate <= share.high + 1e-6)
    for row in rows:
        assert row["exact"]
        assert row["error"] == 0
        assert row["without"] == pytest.approx(1 - told, abs=1e-6)
        assert row["covered"] == pytest.approx(held[row["truth"]] / told, abs=1e-6)


def b(k, rate):
    """Probability of k of three ratings."""
    return (1, 3, 3, 1)[k] * rate**k * (1 - rate) ** (3 - k)


@pytest.mark.parametrize(
    ("counted", "large", "most"),
    # The same cell both ways; and one with too many panels to count through beside one with as many as can be.
    [(12, 12, 400), pytest.param(30, 40, 6000, marks=pytest.mark.slow)],
)
def test_drawn_panels_repeat_with_the_seed_and_agree_with_counted_ones(counted, large, most, monkeypatch):
    assert share_coverage_module._MOST_PANELS == 6000
    exact = finish(share_coverage([ShareCells(counted, 3, (0.3,), 0.9, (0.3,))])).records()
    assert all(row["exact"] for row in exact)
    monkeypatch.setattr(share_coverage_module, "_MOST_PANELS", most)
    drawn = [
        finish(share_coverage([ShareCells(large, 3, (0.3,), 0.9, (0.3,), 300, seed)])).records() for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    for one, other in zip(exact, drawn[0], strict=True):
        assert not other["exact"]
        assert other["covered"] == pytest.approx(one["covered"], abs=0.06)


def test_the_cells_are_those_of_the_promise():
    cells = {(c.subjects, c.raters, t, c.accuracy, p) for c in share_cells() for t in c.truths for p in c.guesses}
    assert cells == {
        (n, r, t, a, p)
        for n in (30, 100) for r in (3, 5) for t in (0.1, 0.3, 0.5) for a in (0.5, 0.7, 0.9, 0.98) for p in (0.3, 0.5)
    }  # fmt: skip
    assert {c.sets for c in share_cells()} == {2000}


def test_no_panels_are_no_study():
    with pytest.raises(UsageError, match="no panels"):
        finish(share_coverage([ShareCells(4, 3, (0.4,), 0.7, (0.5,), 0)]))


TABLE = Path(__file__).parents[2] / "resources" / "help" / "coverage" / "shares.csv"


def kept():
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [{k: v == "True" if k == "exact" else float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def test_the_table_in_the_help_keeps_the_promise():
    table = kept()
    assert len(table) == 2 * 96
    for row in table:
        assert row["covered"] > 0.93 - 2 * row["error"] or row["t"] == 0.1, row
        assert row["exact"] or row["panels"] >= 2000
        assert row["width"] > 0.005


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_random_tenth_of_the_table_is_what_the_study_gives_today():
    chosen = np.random.default_rng().choice(len(share_cells()), 2, replace=False)
    for place in chosen.tolist():
        for row in finish(share_coverage([share_cells()[place]])).records():
            key = ("subjects", "raters", "t", "a", "p", "truth")
            (same,) = (r for r in kept() if all(r[k] == pytest.approx(row[k]) for k in key))
            assert same["covered"] == pytest.approx(row["covered"], abs=1e-3)
            assert same["width"] == pytest.approx(row["width"], abs=1e-3)
