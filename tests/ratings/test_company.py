"""A column with another kind of name is a rater where it answers as one, and asked about where it does not."""

import numpy as np
import pytest

from tapdesk.ratings.findings import Severity
from tapdesk.ratings.reading import read_now

CASES = 60


def sheet(tmp_path, last, name):
    """Three judges who agree in three cases of four, and a column of another name."""
    rng = np.random.default_rng(7)
    true = rng.integers(0, 3, CASES)
    judges = [np.where(rng.random(CASES) < 0.75, true, rng.integers(0, 3, CASES)) for _ in range(3)]
    fourth = {
        "as they do": np.where(rng.random(CASES) < 0.75, true, rng.integers(0, 3, CASES)),
        "of its own": rng.integers(0, 3, CASES),
        "a little": np.where(rng.random(CASES) < 0.25, true, rng.integers(0, 3, CASES)),
    }[last]
    place = tmp_path / "wines.csv"
    rows = [",".join([f"w{i}", *(str(column[i] + 1) for column in (*judges, fourth))]) for i in range(CASES)]
    place.write_text("\n".join([f"wine,Judge 1,Judge 2,Judge 3,{name}", *rows]) + "\n")
    return read_now(place)


@pytest.mark.parametrize(("last", "asked"), [("as they do", False), ("of its own", True), ("a little", True)])
@pytest.mark.parametrize("name", ["Chair", "Parity"])
def test_a_column_of_another_name_is_asked_about_where_it_does_not_answer_as_the_others(tmp_path, last, asked, name):
    found = sheet(tmp_path, last, name)
    assert found.ratings.raters[-1] == name
    assert ("perhaps_no_rater" in {f.code for f in found.findings}) == asked


def test_where_nobody_agrees_with_anybody_the_name_stays_a_doubt(tmp_path):
    rng = np.random.default_rng(8)
    place = tmp_path / "noise.csv"
    rows = [",".join([f"w{i}", *map(str, rng.integers(1, 4, 4))]) for i in range(400)]
    place.write_text("\n".join(["wine,Judge 1,Judge 2,Judge 3,Chair", *rows]) + "\n")
    assert "perhaps_no_rater" in {f.code for f in read_now(place).findings}


def test_a_mean_among_people_is_asked_about_once_as_what_it_is(tmp_path):
    rng = np.random.default_rng(9)
    true = rng.integers(1, 10, 40)
    judges = np.stack([np.clip(true + rng.integers(-1, 2, 40), 1, 10) for _ in range(4)])
    place = tmp_path / "jury.csv"
    rows = [",".join([f"w{i}", *map(str, judges[:, i]), f"{judges[:, i].mean():.2f}"]) for i in range(40)]
    place.write_text("\n".join(["wine,Anna,Jonas,Klara,Tobias,Schnitt", *rows]) + "\n")
    found = [f for f in read_now(place).findings if f.severity is Severity.BLOCK]
    assert [(f.code, f.about) for f in found] == [("summary_column", (("Schnitt",),))]
