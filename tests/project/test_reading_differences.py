"""What two files were read otherwise in: only what the second file alone shows is said of it alone."""

import numpy as np
import pytest

from tapdesk.progress import finish
from tapdesk.project.project import Project
from tapdesk.project.what_if import reading_differences
from tapdesk.ratings.reading import read


@pytest.fixture
def project(tmp_path):
    def made(name, classes, seed, more=""):
        rng = np.random.default_rng(seed)
        rows = ["Record,Ann,Bea,Eva"]
        rows += [",".join([f"{name}{i}", *(classes[k] for k in rng.integers(0, 3, 3))]) for i in range(40)]
        place = tmp_path / f"{name}.csv"
        place.write_text("\n".join(rows) + more + "\n")
        return Project().with_reading(finish(read(str(place))))

    return made


def test_classes_that_stand_in_another_order_in_the_second_file_are_nothing_that_it_alone_shows(project):
    first, second = project("a", ("red", "green", "blue"), 1), project("b", ("blue", "red", "green"), 1)
    assert first.reading.ratings.classes != second.reading.ratings.classes
    assert all("order_unknown" in {f.code for f in one.reading.findings} for one in (first, second))
    assert reading_differences(first, second) == ()


def test_what_the_second_file_alone_shows_is_said(project):
    first = project("a", ("red", "green", "blue"), 1)
    second = project("b", ("red", "green", "blue"), 2, "\nTotal,red,red,red")
    assert any("Noticed in “b.csv” only: " in words for words in reading_differences(first, second))
