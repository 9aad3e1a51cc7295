"""Numbers of tallied data corrected by hand: each a decision, with what stood there before."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.agreement.coefficients import agree
from tapdesk.errors import TapdeskError
from tapdesk.progress import finish
from tapdesk.project.decisions.ratings import AddCounts, AddPair, EditCount, EditRating, EditWeight
from tapdesk.project.files.file import load, save
from tapdesk.project.project import Project
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import Covariate, CovariateOf
from tapdesk.ratings.reading import read_now
from tests.project.test_decisions import wines

COUNTS = "case,no,yes\nw1,3,1\nw2,0,4\nw3,2,2\n"


@pytest.fixture
def read(tmp_path):
    """A project of a file with some text."""

    def make(text, layout=Layout.AUTO):
        path = tmp_path / "tally.csv"
        path.write_text(text, "utf-8")
        return Project().with_reading(read_now(path, ReadingOptions(layout=layout)))

    return make


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=5), st.data())
def test_a_corrected_count_gives_the_ratings_of_a_file_that_says_so(rows, data):
    text = [[a + 1, b + 1] for a, b in rows]
    at, label = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, 1))
    was, now = text[at][label], data.draw(st.integers(0, 9).filter(lambda n: n != text[at][label]))
    before = counted(text)
    after = EditCount(f"w{at}", ("no", "yes")[label], was, now).apply(before)
    text[at][label] = now
    oracle = counted(text)
    assert (after.counts() == oracle.counts()).all()
    assert after.rating_count == oracle.rating_count
    # No seat is taken twice by one case.
    pairs = list(zip(after.subject.tolist(), after.rater.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
    assert EditCount(f"w{at}", ("no", "yes")[label], was, now).touches(before) == abs(now - was)


def counted(rows):
    """Tallied counts as they are read: seats from left to right."""
    entries = [(i, c) for i, row in enumerate(rows) for c, n in enumerate(row) for _ in range(n)]
    subject, category = (np.array([e[k] for e in entries], dtype=np.int64) for k in (0, 1))
    seat = np.array([sum(s == i for s in subject[:at]) for at, i in enumerate(subject)], dtype=np.int64)
    names = [f"w{i}" for i in range(len(rows))]
    most = [str(i + 1) for i in range(int(seat.max()) + 1)]
    return wines().__class__.of(subject, seat, category, names, most, ("no", "yes"), raters_known=False)


def test_a_count_of_a_file_is_corrected_logged_and_undone(read):
    project = read(COUNTS, Layout.COUNTS)
    after = project.decide(EditCount("w2", "no", 0, 2))
    assert after.ratings.counts().tolist() == [[3, 1], [2, 4], [2, 2]]
    assert after.log[-1].words == "Changed by hand: w2 has 2 ratings 'no'; it was 0 before."
    assert after.log[-1].touches == 2
    assert after.undo().ratings.counts().tolist() == [[3, 1], [0, 4], [2, 2]]


def test_a_case_whose_last_rating_goes_is_gone_and_the_last_case_stays(read):
    project = read("case,no,yes\nw1,1,0\nw2,0,2\nw3,1,1\n", Layout.COUNTS)
    assert project.decide(EditCount("w1", "no", 1, 0)).ratings.subjects == ("w2", "w3")
    one = project.decide(EditCount("w1", "no", 1, 0)).decide(EditCount("w2", "yes", 2, 0))
    one = one.decide(EditCount("w3", "yes", 1, 0))
    with pytest.raises(TapdeskError, match="No rating would be left"):
        one.decide(EditCount("w3", "no", 1, 0))


def test_how_many_cases_a_row_stands_for_is_corrected(read):
    project = read("n_ratings,n_class1,weight\n4,0,90\n4,1,43\n4,4,10\n")
    after = project.decide(EditWeight("2", 43, 44))
    assert after.ratings.subject_count == 144
    assert after.log[-1].words == "Changed by hand: 2 stands for 44 cases; it was 43 before."
    assert after.log[-1].touches == 4
    assert project.decide(EditWeight("2", 43, 0)).ratings.subjects == ("1", "3")
    assert project.decide(EditCount("1", "class 1", 0, 1)).log[-1].touches == 90


def test_a_cell_of_a_confusion_matrix_is_corrected(read):
    project = read(",no,yes\nno,40,9\nyes,6,45\n")
    after = project.decide(EditWeight("no / yes", 9, 19))
    assert after.ratings.subject_count == project.ratings.subject_count + 10


def told(ratings):
    """The coefficients."""
    return finish(agree(ratings))


def crossed(ratings):
    """The square of two raters."""
    k = len(ratings.classes)
    square = np.zeros((k, k), dtype=int)
    for i, (first, second) in enumerate(ratings.category.reshape(-1, 2)):
        square[first, second] += ratings.weight[i]
    return square.tolist()


def test_a_zero_of_a_confusion_matrix_is_raised_kept_in_the_project_and_told(read, tmp_path):
    project = read(",no,yes,maybe\nno,40,9,0\nyes,6,45,0\nmaybe,0,1,2\n")
    after = project.decide(AddPair("no / maybe", ("no", "maybe"), 5)).decide(AddPair("maybe / no", ("maybe", "no"), 3))
    said = read(",no,yes,maybe\nno,40,9,5\nyes,6,45,0\nmaybe,3,1,2\n")
    assert after.ratings.classes == said.ratings.classes
    assert crossed(after.ratings) == crossed(said.ratings)
    assert [c.estimate.value for c in told(after.ratings)] == [c.estimate.value for c in told(said.ratings)]
    assert after.log[-1].words == "Changed by hand: maybe / no stands for 3 cases; it was 0 before."
    assert after.log[-1].touches == 6
    save(after, tmp_path / "square.tapdesk")
    back = load(tmp_path / "square.tapdesk")
    assert crossed(back.ratings) == crossed(said.ratings)
    assert [row.words for row in back.log] == [row.words for row in after.log]
    assert crossed(back.undo().undo().ratings) == crossed(project.ratings)
    # Later it is a cell like any other.
    lowered = after.decide(EditWeight("no / maybe", 5, 0))
    assert crossed(lowered.ratings) == crossed(read(",no,yes,maybe\nno,40,9,0\nyes,6,45,0\nmaybe,3,1,2\n").ratings)


def test_a_case_that_has_no_rating_in_the_file_gets_some(read):
    project = read("case,no,yes\nw1,3,1\nw2,0,0\nw3,2,2\n", Layout.COUNTS)
    after = project.decide(AddCounts("w2", "yes", 2)).decide(EditCount("w2", "no", 0, 1))
    assert after.ratings.subjects == ("w1", "w3", "w2")
    assert after.ratings.counts().tolist() == [[3, 1], [2, 2], [1, 2]]
    assert after.log[-2].words == "Changed by hand: w2 has 2 ratings 'yes'; it had none before."


@pytest.mark.parametrize("decision", [
    AddPair("W9", ("gold", "tin"), 3), AddPair("W9", ("gold",), 3), AddPair("W9", ("gold", "gold", "gold"), 0),
    AddPair("W0", ("gold", "gold", "gold"), 3), AddCounts("W9", "gold", 2),
])  # fmt: skip
def test_what_is_no_cell_of_crossed_raters_is_not_raised(decision):
    with pytest.raises(TapdeskError):
        decision.apply(wines(weight=np.array([4, 5, 6])))


@pytest.mark.parametrize(
    "decision", [AddCounts("W0", "gold", 2), AddCounts("W9", "tin", 2), AddCounts("W9", "gold", 0)]
)
def test_what_is_no_case_without_a_rating_gets_none(decision):
    with pytest.raises(TapdeskError):
        decision.apply(wines(raters_known=False))


def test_a_rating_of_a_row_that_stands_for_many_cases_is_that_of_all_of_them():
    tallied = wines(weight=np.array([4, 5, 6]))
    decision = EditRating("W0", "Ben", "silver", "gold")
    assert decision.touches(tallied) == 4
    before, after = tallied.class_rates(), decision.apply(tallied).class_rates()
    assert after[3] - before[3] == pytest.approx(4 / tallied.rating_count)


@pytest.mark.parametrize("decision", [
    EditWeight("W0", 3, 9), EditWeight("W0", 4, 4), EditWeight("W0", 4, -1), EditWeight("W0", 4, 10**12),
    EditWeight("W9", 4, 5), EditCount("W0", "gold", 1, 2),
])  # fmt: skip
def test_a_number_that_is_none_or_of_something_else_is_refused_and_nothing_changes(decision):
    with pytest.raises(TapdeskError):
        decision.apply(wines(weight=np.array([4, 5, 6])))
    with pytest.raises(TapdeskError):
        decision.apply(wines())


def test_what_is_added_has_nothing_in_further_columns():
    columns = {
        "age": Covariate("age", CovariateOf.RATING, np.arange(9.0)),
        "ward": Covariate("ward", CovariateOf.RATING, np.array(list("ABCDEFGHI"), dtype=object)),
        "seat": Covariate("seat", CovariateOf.RATER, np.arange(3.0)),
    }
    after = EditCount("W0", "gold", 2, 4).apply(wines(raters_known=False, covariates=columns))
    assert np.isnan(after.covariates["age"].values[3:5]).all()
    assert after.covariates["ward"].values[3:5].tolist() == ["", ""]
    assert np.isnan(after.covariates["seat"].values[3:]).all()
    assert len(after.raters) == after.covariates["seat"].values.size == 5
