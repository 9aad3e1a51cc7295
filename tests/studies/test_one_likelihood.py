"""Where known cases are certain in an answer, they are so in all that is fitted beside it."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tapdesk.answers.side_results import Wanted
from tapdesk.answers.side_studies import work_out
from tapdesk.models.model import Key, model
from tapdesk.progress import finish
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.rater_differences import rater_differences


@cache
def graded(folder) -> Project:
    """Four raters of three ordered classes, one of them poor, who are wrong together in many cases; half are known."""
    rng = np.random.default_rng(3)
    words = np.array(["low", "mid", "high"])
    rows = ["case,A,B,C,D,key"]
    for i in range(160):
        true = rng.integers(3)
        together = true if rng.random() < 0.67 else rng.integers(3)
        skills = (0.85, 0.85, 0.85, 0.3)
        cells = [together if rng.random() < a else rng.integers(3) for a in skills]
        rows.append(",".join((f"c{i}", *words[cells], words[true] if i < 80 else "")))
    file = folder / "graded.csv"
    file.write_text("\n".join(rows) + "\n")
    options = ReadingOptions(known="key", order=("low", "mid", "high"), columns=("A", "B", "C", "D"))
    return Project().with_reading(read_now(file, options), when="")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("graded")


def keyed(name):
    return replace(model(name), key=Key.CERTAIN)


def alone(ratings, name, **more):
    return finish(analyse(ratings, Request(keyed(name), interval="none", **more)))


@pytest.fixture
def beside(folder):
    project = graded(folder)
    request = Request(keyed("t-a-p"), interval="none")
    whole = project.with_analysis(Analysis("main", request, finish(analyse(project.ratings, request))))
    only = ("differences", "by_rater", "others", "scan", "pairs", "without", "beliefs")
    return project.ratings, finish(work_out(whole, Wanted(replicates=20), only=only))


def test_every_fit_beside_an_answer_takes_known_cases_as_it_does(beside):
    ratings, side = beside
    plain = finish(analyse(ratings, Request(model("t-a-p"), interval="none"))).log_likelihood.ratings
    assert {fit.model.key for fit in (*side.others, side.by_rater)} == {Key.CERTAIN}
    by_name = {fit.model.name: fit for fit in side.others}
    assert by_name["t-a-p"].log_likelihood.ratings == pytest.approx(alone(ratings, "t-a-p").log_likelihood.ratings)
    assert by_name["t-a-p"].log_likelihood.ratings != pytest.approx(plain, abs=1)
    assert {fit.model.key for cut in side.scan.cuts for fit in (cut.free, cut.tied) if fit is not None} == {Key.CERTAIN}
    assert {pair.fit.model.key for pair in side.pairs.pairs if pair.fit is not None} == {Key.CERTAIN}
    (row,) = [row for row in side.without.records() if row["rater"] == "D"]
    left = ratings.keep(ratings.rater != ratings.raters.index("D"))
    assert row["a"] == pytest.approx(alone(left, "t-a-p").estimate("a").value, abs=1e-6)
    assert side.beliefs.probability[0].max() == pytest.approx(1.0)


def test_raters_who_differ_have_the_accuracies_of_that_likelihood(folder):
    ratings = graded(folder).ratings
    found = finish(rater_differences(ratings, 60, 1, Key.CERTAIN))
    fits = {name: alone(ratings, name) for name in ("t-aj-p", "t-aj-pj")}
    best = min(fits.values(), key=lambda fit: fit.aic)
    assert found.accuracies == pytest.approx(best.parameters.accuracy[:, 0].tolist(), abs=1e-6)
    other = finish(rater_differences(ratings, 60, 1))
    assert other.accuracies != pytest.approx(found.accuracies, abs=0.02)
