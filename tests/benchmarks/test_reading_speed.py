"""A million-row CSV becomes ratings in at most 2.5 times what reading and factorising it costs pandas."""

import itertools
import statistics
import time

import numpy as np
import pandas as pd
import pytest

from tapdesk.progress import finish
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read, read_now

pytestmark = pytest.mark.benchmark
ROWS = 1_000_000
RUNS = 5


@pytest.fixture(scope="module")
def million(tmp_path_factory):
    """A long table of a million ratings: 200,000 items, 500 raters, three labels."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "item": [f"item{i:06d}" for i in rng.integers(0, 200_000, ROWS)],
            "rater": [f"R{j:03d}" for j in rng.integers(0, 500, ROWS)],
            "label": np.array(["no", "maybe", "yes"])[rng.integers(0, 3, ROWS)],
        }
    )
    path = tmp_path_factory.mktemp("million") / "million.csv"
    frame.to_csv(path, index=False)
    return path


def seconds(what):
    """How long a call takes."""
    start = time.perf_counter()
    what()
    return time.perf_counter() - start


def test_a_million_rows_cost_at_most_two_and_a_half_times_pandas(million):
    def pandas_way():
        frame = pd.read_csv(million, dtype=str, keep_default_na=False)
        return [pd.factorize(frame[column]) for column in frame]

    read_now(million)
    pairs = [(seconds(pandas_way), seconds(lambda: read_now(million))) for _ in range(RUNS)]
    ratio = statistics.median(ours / theirs for theirs, ours in pairs)
    print(f"\nreading a million rows: {ratio:.2f} times pandas")
    assert ratio <= 2.5


def test_a_million_rows_are_read_rightly(million):
    frame = pd.read_csv(million, dtype=str)
    ratings = read_now(million).ratings
    assert ratings.rating_count == ROWS
    assert len(ratings.subjects) == frame["item"].nunique()
    some = np.random.default_rng(2).integers(0, ROWS, 2000)
    of_item = frame[frame["item"] == ratings.subjects[int(ratings.subject[some[0]])]]
    assert len(of_item) == int((ratings.subject == ratings.subject[some[0]]).sum())
    counts = frame["label"].value_counts()
    assert np.bincount(ratings.category).tolist() == [counts[c] for c in ratings.classes]


def test_signs_of_life_come_all_the_time_while_reading(million):
    times = [time.perf_counter()]
    finish(read(million, ReadingOptions()), lambda _: times.append(time.perf_counter()))
    gaps = [b - a for a, b in itertools.pairwise(times)]
    print(f"\nlongest time between two signs of life: {max(gaps):.2f} s of {times[-1] - times[0]:.2f} s")
    assert len(gaps) > 10
    assert max(gaps) < 0.6 * (times[-1] - times[0])
