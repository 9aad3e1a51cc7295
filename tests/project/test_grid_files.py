"""A project keeps an answer of every model of the grid: its numbers, model and options, and what they rest on."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.cli import json_output
from tapdesk.models.model import GRID_MODELS, Key, model
from tapdesk.progress import finish
from tapdesk.project.decisions.ratings import LeaveOutSubjects
from tapdesk.project.files.file import decode, encode
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse
from tests.project.examples import WHEN, same

EVERY = [row.name for row in GRID_MODELS]
CLASSES = ("low", "mid", "high")


def again(project):
    """The project after it was written and read."""
    return decode(encode(project), "again.tapdesk")


def rows():
    """Fifty cases of two wards rated by four raters, twenty of them twice; of every third case the class is known."""
    rng = np.random.default_rng(4)
    yield "case,ward,rater,round,rating,key"
    for i in range(50):
        true = rng.integers(3)
        key = CLASSES[true] if i % 3 == 0 else ""
        for j in range(4):
            for turn in (1, 2) if i < 20 and j < 2 else (1,):
                seen = true if rng.random() < 0.6 else rng.integers(3)
                yield f"c{i},{'east' if i % 2 else 'west'},r{j},{turn},{CLASSES[seen]},{key}"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    file = tmp_path_factory.mktemp("grid") / "ratings.csv"
    file.write_text("\n".join(rows()) + "\n")
    read = ReadingOptions(subject="case", rater="rater", rating="rating", known="key", order=CLASSES)
    return Project(title="Wards").with_reading(read_now(file, read))


def row_of(name):
    """The named model with the columns it needs."""
    row = model(name, GRID_MODELS)
    return replace(row, groups="ward" if row.by_group else "", occasions="round" if row.memory else "")


def answered(project, asked):
    fit = finish(analyse(project.ratings, asked))
    return project.with_analysis(Analysis(asked.model.name, asked, fit, run_at=WHEN))


def check_same(project):
    """What is written comes back, and is told as before."""
    back = again(project)
    assert same(back, project)
    before, after = project.analyses[0], back.analyses[0]
    assert after.request == before.request
    told = [json_output.fit(one.fit, one.label, back.ratings) for one in (before, after)]
    assert told[0] == told[1]


@pytest.mark.parametrize("name", EVERY)
def test_an_answer_of_every_model_comes_back_with_its_options(project, name):
    check_same(answered(project, Request(row_of(name), interval="none", subjects=True)))


@pytest.mark.parametrize("name", ["tg-aj-p", "t-ah-p", "t-aj-p+m", "t-an-p"])
def test_intervals_of_the_grid_come_back(project, name):
    check_same(answered(project, Request(row_of(name), interval="profile")))


@pytest.mark.parametrize("key", [Key.CERTAIN, Key.INFORMING])
@pytest.mark.parametrize("name", ["t-a-p", "t-ak-p", "t-aj-pj", "dawid-skene", "sdt", "tg-a-p"])
def test_what_is_made_of_known_answers_comes_back(project, name, key):
    check_same(answered(project, Request(replace(row_of(name), key=key), interval="none")))


def test_pooled_raters_come_back_with_their_population(project):
    asked = Request(model("t-aj-p"), estimator="posterior", chains=4, draws=60, pool=True)
    done = answered(project, asked)
    check_same(done)
    assert again(done).analyses[0].fit.posterior.population is not None


def test_undo_leaves_the_answer_of_the_grid_where_it_was(project):
    done = answered(project, Request(row_of("tg-a-p"), interval="none"))
    changed = done.decide(LeaveOutSubjects(("c3",)), reason="spilled")
    assert again(changed).analyses[0].stale
    assert same(again(changed).undo().analyses[0].fit, done.analyses[0].fit)
    assert same(again(again(changed).undo()), changed.undo())
