"""An answer of each kind of the grid is the same in window, PDF, web page, workbook, terminal and JSON."""

from dataclasses import replace
from functools import cache

import pytest

from tapdesk.answers.content import Paragraph
from tapdesk.answers.part import Answer, Content
from tapdesk.answers.parts import parts_of
from tapdesk.answers.side_results import Wanted
from tapdesk.answers.side_studies import work_out
from tapdesk.cli import json_output
from tapdesk.gui.runs.side_studies import studies_of
from tapdesk.language import PLAIN, speaking
from tapdesk.models.model import GRID_MODELS, Key, model
from tapdesk.progress import finish
from tapdesk.project.files.file import decode, encode
from tapdesk.project.nouns import nouns_of
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read_now
from tapdesk.report.build import build
from tapdesk.studies.analysis import Request, analyse
from tests.answers import test_one_answer as one
from tests.project.test_grid_files import CLASSES, rows

FEW = 40
KINDS = {
    "groups": {"model": "tg-a-p"},
    "accuracy by group": {"model": "t-ag-p"},
    "known": {"model": "t-aj-pj", "key": Key.CERTAIN},
    "hard": {"model": "t-ah-p"},
    "ordered": {"model": "sdt-1"},
    "near misses": {"model": "t-an-p"},
    "repeats": {"model": "t-aj-p+m"},
    "pooled": {"model": "t-aj-p", "pool": True},
}
# The part that such a model is chosen for.
OWN = {
    "groups": "contrasts",
    "accuracy by group": "contrasts",
    "known": "together",
    "hard": "dependence",
    "ordered": "scores",
    "repeats": "consistency",
    "pooled": "population",
}


@cache
def panel(folder):
    file = folder / "ratings.csv"
    file.write_text("\n".join(rows()) + "\n")
    read = ReadingOptions(subject="case", rater="rater", rating="rating", known="key", order=CLASSES)
    return Project(title="Wards").with_reading(read_now(file, read), when="")


@cache
def answered(folder, kind):
    """A project with one answer, what stands beside it, and the answer as it is told."""
    asked = KINDS[kind]
    row = model(asked["model"], GRID_MODELS)
    columns = {"groups": "ward" if row.by_group else "", "occasions": "round" if row.memory else ""}
    row = replace(row, key=asked.get("key", Key.UNUSED), **columns)
    request = Request(row, interval="wald", subjects=True, replicates=FEW)
    if asked.get("pool"):
        request = replace(request, estimator="posterior", pool=True, chains=4, draws=60)
    project = panel(folder)
    fit = finish(analyse(project.ratings, request))
    project = project.with_analysis(Analysis("", request, fit, question="knowledge"))
    side = finish(work_out(project, Wanted(replicates=FEW)))
    return project, side, Answer(fit, project.ratings, project.all_classes, side, project.analyses[0])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("grid")


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def told(folder, kind):
    found = answered(folder, kind)
    with speaking(replace(PLAIN, nouns=nouns_of(found[0]))):
        yield found


def test_nothing_beside_the_answer_is_stopped_by_a_fault(told):
    assert told[1].faults == ()


def test_the_headline_is_the_first_sentence_of_every_face(told):
    one.test_the_headline_is_the_first_sentence_of_every_face(told)


def test_every_part_says_the_same_on_screen_and_on_paper(told):
    one.test_every_part_says_the_same_on_screen_and_on_paper(told)


@pytest.mark.costly(4)
def test_every_form_of_the_paper_holds_every_table_of_every_part(told):
    one.test_every_form_of_the_paper_holds_every_table_of_every_part(told)


def test_what_the_model_was_chosen_for_stands_with_it_in_the_window(told, kind):
    project, side, shown = told
    keys = parts_of(shown)
    if kind in OWN:
        assert OWN[kind] in keys
        assert isinstance(dict(one.shown_by(shown))[one.part(OWN[kind])], Content)
    others = {"contrasts", "together", "scores", "consistency", "population"} - {OWN.get(kind)}
    # Raters who are told apart and rated again are asked how consistent they are, whatever the model.
    others -= {"consistency"} if shown.fit.model.accuracy.by_rater else set()
    # Where the accuracy of each rater by itself lies on the edge, all are told as drawn from one population.
    others -= {"population"} if side.pooled is not None else set()
    assert others.isdisjoint(keys)
    # What the window works out is what the report works out.
    waited = {name for study in studies_of(project.analyses[0], project.ratings) for name in study.names}
    found = {name for name in json_output.OF_GRID if getattr(side, name) not in (None, ())}
    assert found <= waited


def test_what_is_known_is_said_to_be_used_only_where_it_is(told, kind):
    project, side, _shown = told
    report = build(project, extras=side)
    said = " ".join(
        block.text for section in report.sections for block in section.blocks if isinstance(block, Paragraph)
    )
    assert ("The known answers are taken as true." in said) is (kind == "known")
    assert ("The known answers are not used for these numbers" in said) is (kind != "known")


def test_the_answer_is_told_the_same_after_it_was_kept(told):
    project, side, shown = told
    back = decode(encode(project), "again.tapdesk")
    again = Answer(back.analyses[0].fit, back.ratings, back.all_classes, side, back.analyses[0])
    before, after = dict(one.shown_by(shown)), dict(one.shown_by(again))
    assert before.keys() == after.keys()
    for row, content in before.items():
        kept = after[row]
        if isinstance(content, Content):
            assert list(map(one.numbers_of, content.tables)) == list(map(one.numbers_of, kept.tables)), row.key
            assert content.paragraphs == kept.paragraphs, row.key
