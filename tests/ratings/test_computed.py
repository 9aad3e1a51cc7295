"""What is computed from the other rows or columns is no rating, whatever it is called: Run waits for an answer."""

import numpy as np
import pytest

from tests.ratings.telling import blocks, codes, told

DRAW = np.random.default_rng(3)
SCORES = DRAW.integers(1, 6, (30, 3))
MARKS = DRAW.integers(0, 2, (30, 3))


def table(rows, *more: str, head: str = "case,Ana,Ben,Cy") -> str:
    lines = [",".join([f"w{i}", *map(str, row)]) for i, row in enumerate(rows)]
    return "\n".join([head, *lines, *more]) + "\n"


def beside(values) -> list[list[object]]:
    return [[*row, value] for row, value in zip(SCORES.tolist(), values, strict=True)]


@pytest.mark.parametrize(
    "values",
    [
        SCORES.sum(axis=1).tolist(),
        np.median(SCORES, axis=1).astype(int).tolist(),
        [f"{m:.1f}" for m in SCORES.mean(axis=1)],
        [f"{m:.2f}" for m in SCORES.mean(axis=1)],
    ],
)
@pytest.mark.parametrize("name", ["Dee", "points", "Med."])
def test_a_column_that_the_others_come_to_in_every_row_blocks(text, name, values):
    reading = text(table(beside(values), head=f"case,Ana,Ben,Cy,{name}"))
    if "." in str(values[0]):
        # Numbers between the steps of the others were never a rater.
        assert name not in reading.ratings.raters or "summary_column" in blocks(reading)
    else:
        assert "summary_column" in blocks(reading)
        assert told(reading, "summary_column").about == ((name,),)


def test_a_rater_near_the_others_is_none(text):
    near = np.median(SCORES, axis=1).astype(int)
    near[4] = 5 if near[4] < 5 else 1
    assert "summary_column" not in codes(text(table(beside(near.tolist()), head="case,Ana,Ben,Cy,Dee")))
    alike = [[s, s, s, s] for s in SCORES[:, 0].tolist()]
    assert "summary_column" not in codes(text(table(alike, head="case,Ana,Ben,Cy,Dee")))
    majority = (MARKS.sum(axis=1) > 1).astype(int).tolist()
    rows = [[*row, m] for row, m in zip(MARKS.tolist(), majority, strict=True)]
    assert "summary_column" not in codes(text(table(rows, head="case,Ana,Ben,Cy,Dee")))


@pytest.mark.parametrize(
    "more",
    [
        ["zz,{sum}"],
        ["zz,{mean}"],
        ["zz,{sum}", "yy,{mean}"],
        ["% yes,{percent}"],
        ["Cohen's kappa,0.54,,"],
        ["Fleiss kappa,0.54,0.54,0.54"],
        ["ICC,0.81,,"],
        ["agreement,0.81,0.9,0.7"],
    ],
)
def test_a_row_that_sums_up_the_others_blocks(text, more):
    fields = {
        "sum": ",".join(map(str, MARKS.sum(axis=0))),
        "mean": ",".join(f"{m:.2f}" for m in MARKS.mean(axis=0)),
        "percent": ",".join(f"{100 * m:.0f}%" for m in MARKS.mean(axis=0)),
    }
    lines = [line.format(**fields) for line in more]
    reading = text(table(MARKS.tolist(), *lines))
    assert "summary_row" in blocks(reading)
    assert told(reading, "summary_row").about == (tuple(line.split(",")[0] for line in lines),)


def test_a_last_case_like_others_is_none(text):
    assert "summary_row" not in codes(text(table(MARKS.tolist(), "zz,1,0,1")))
    assert "summary_row" not in codes(text(table(SCORES.tolist(), "zz,3,3,3")))
    assert "summary_row" not in codes(text(table(np.zeros((9, 3), dtype=int).tolist(), "Omega,1,1,0")))


def test_a_row_without_a_name_is_not_called_by_one(text):
    reading = text(table(MARKS.tolist(), "," + ",".join(map(str, MARKS.sum(axis=0)))))
    assert "summary_row" in blocks(reading)
    assert str(told(reading, "summary_row").message) == "A row without a name looks like a summary."


def test_of_two_scores_and_their_difference_the_difference_is_computed(text):
    rows = [[int(a), int(b), int(a) - int(b)] for a, b, _c in SCORES]
    reading = text(table(rows, head="case,first,second,diff"))
    assert told(reading, "summary_column").about == (("diff",),)
