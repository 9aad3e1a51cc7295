"""One answer: the headline, the numbers behind it, their model and their order are the same wherever they are shown."""

import io
import json
import re
from dataclasses import replace

import pypdfium2
import pytest
from openpyxl import load_workbook

from tapdesk.answers import cases, coefficients, cut_points, fit_parts, terminal
from tapdesk.answers.content import Number, Table
from tapdesk.answers.numbers import REPORT
from tapdesk.answers.part import Answer, Content, record
from tapdesk.answers.parts import PARTS, contents, part
from tapdesk.answers.question import QUESTIONS, Guesses, headline
from tapdesk.answers.raters import fit_by_rater
from tapdesk.answers.side_results import Wanted
from tapdesk.answers.side_studies import work_out
from tapdesk.cli import json_output
from tapdesk.fitting.fit import Fit
from tapdesk.language import PLAIN, speaking
from tapdesk.language import gettext as _
from tapdesk.progress import finish
from tapdesk.project.decisions.classes import SetClass1
from tapdesk.project.nouns import nouns_of
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.reading import read
from tapdesk.ratings.samples import SAMPLES
from tapdesk.report.build import build
from tapdesk.report.forms.html import html
from tapdesk.report.forms.pdf import pdf
from tapdesk.report.forms.xlsx import xlsx
from tapdesk.report.letters import letters
from tapdesk.studies.analysis import Request, analyse, refusal

# Few data sets: what is held here is that all say the same, not what it is.
FEW = 20
BESIDE = (
    "coefficients",
    "every_class",
    "all_classes",
    "paradox",
    "chance",
    "by_rater",
    "panel",
    "beliefs",
    "scan",
)
# Every question of one sample, and of others what is said differently there.
CASES = [("jury", question) for question in QUESTIONS]
_MORE = {"raters": ("jury-panel",), "knowledge": ("paradox",)}
CASES += [(name, q) for q in QUESTIONS for name in _MORE.get(q.key, ())]


def answered(name, question):
    """A sample, with a class 1 where it has more than two, asked one question; None where it cannot be asked."""
    project = Project(title=name).with_reading(finish(read(f"sample:{name}")), when="")
    if len(project.ratings.classes) > 2:
        project = project.decide(SetClass1(project.ratings.classes[len(project.ratings.classes) // 2 :]), when="")
    ratings = project.ratings
    request = Request(question.model(Guesses.OWN), interval="wald", replicates=FEW)
    if question.refuses(ratings, project.all_classes) or refusal(ratings, request):
        return None
    fit = finish(analyse(ratings, request))
    return project.with_analysis(Analysis("", request, fit, question=question.key))


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"{case[0]}-{case[1].key}")
def told(request):
    """A project with its answer and what stands beside it."""
    project = answered(*request.param)
    if project is None:
        pytest.skip("these ratings cannot be asked this question")
    side = finish(work_out(project, Wanted(replicates=FEW), only=BESIDE))
    analysis = project.analyses[0]
    shown = Answer(analysis.fit, project.ratings, project.all_classes, side, analysis)
    return project, side, shown


@pytest.fixture(autouse=True)
def own_words(request):
    """Every face speaks in the words of the project: those its file is headed by."""
    project = request.getfixturevalue("told")[0] if "told" in request.fixturenames else Project()
    with speaking(replace(PLAIN, nouns=nouns_of(project))):
        yield


def plain(text):
    return re.sub(r"\s+", " ", text.replace("\u00ad", "")).strip()


def words_of_pdf(content):
    with pypdfium2.PdfDocument(io.BytesIO(content)) as document:
        return plain(" ".join(page.get_textpage().get_text_bounded() for page in document))


def test_the_headline_is_the_first_sentence_of_every_face(told):
    project, side, shown = told
    said, follows = headline(shown)
    report = build(project, extras=side)
    summary = next(s for s in report.sections if s.key == "summary")
    assert summary.blocks[0].text == said
    assert summary.blocks[1].text.startswith(follows)
    for face in (words_of_pdf(pdf(report)), plain(re.sub(r"<[^>]+>", "", html(report).decode()))):
        assert plain(said) in face
    cells = [str(cell.value) for sheet in load_workbook(io.BytesIO(xlsx(report))) for row in sheet.rows for cell in row]
    assert any(said in cell for cell in cells)
    lines = plain(terminal.fit(shown, contents("fit", shown)))
    assert lines.index(plain(said)) < lines.index(plain(follows)) if follows else plain(said) in lines


def numbers_of(table):
    """Every row of a table by its values: what the cells say is decided by the style of the face alone."""
    return [[cell.values if isinstance(cell, Number) else str(cell) for cell in row] for row in table.rows]


def test_every_part_shows_the_same_numbers_in_the_same_order_on_screen_on_paper_and_in_json(told):
    project, side, shown = told
    printed = replace(shown, style=REPORT)
    report = build(project, extras=side, style=REPORT)
    on_paper = [numbers_of(b) for s in report.sections for b in s.blocks if isinstance(b, Table)]
    compared = 0
    for row in PARTS:
        if row.content is None or row.key == "movement":
            continue
        on_screen, content = row.content(shown), row.content(printed)
        assert type(on_screen) is type(content)
        if not isinstance(content, Content):
            continue
        assert [numbers_of(t) for t in on_screen.tables] == [numbers_of(t) for t in content.tables]
        if row.key != "search":
            for table in content.tables:
                assert numbers_of(table) in on_paper, row.key
        made = json.loads(json_output.json_text(record(row, content)))
        for table, known in zip(made["tables"], content.tables, strict=True):
            assert len(table["rows"]) == len(known.rows)
            compared += 1
    assert compared


def test_a_person_has_one_accuracy_from_one_model_on_screen_on_paper_in_a_letter_and_in_json(told):
    project, side, shown = told
    content = part("raters").content(shown)
    if not isinstance(content, Content):
        pytest.skip("nothing is told of single raters")
    fit = fit_by_rater(shown)
    assert isinstance(fit, Fit)
    if shown.fit.model.by_rater:
        assert fit is shown.fit
    known = {e.name.rater: e.estimate for e in fit.estimates if e.name.name == "a" and e.name.rater is not None}
    for table in (content.tables[0], part("raters").content(replace(shown, style=REPORT)).tables[0]):
        assert {row[0]: row[2].values[0] for row in table.rows} == {name: e.value for name, e in known.items()}
        values = [row[2].values[0] for row in table.rows if row[2].values[0] is not None]
        assert values == sorted(values, reverse=True)
    for name, letter in letters(project, side):
        (section,) = letter.sections
        figure = section.blocks[2].panels[0]
        own = next(mark for mark in figure.marks if getattr(mark, "label", "") and len(getattr(mark, "x", ())) == 1)
        assert own.x[0] == known[name].value


def test_where_another_model_fits_better_that_is_said_and_not_used():
    project = answered("jury-panel", next(q for q in QUESTIONS if q.key == "raters"))
    only = ("by_rater", "panel", "others")
    side = finish(work_out(project, Wanted(replicates=FEW), only=only))
    analysis = project.analyses[0]
    shown = Answer(analysis.fit, project.ratings, project.all_classes, side, analysis)
    content = part("raters").content(shown)
    better = [f for f in side.others if f.model.by_rater and f.aic < analysis.fit.aic - 2]
    said = " ".join(p.text for p in content.paragraphs)
    assert (_("which the question names") in said) == bool(better)
    assert side.by_rater is analysis.fit


def test_the_samples_looked_at_are_samples():
    assert {name for name, _question in CASES} <= {sample.name for sample in SAMPLES}


def test_a_command_prints_every_part_that_is_its_own():
    """It looks for them in the parts of one subject alone, so that the others need not be loaded."""
    printed = {
        "fit": fit_parts.PARTS,
        "agree": coefficients.PARTS,
        "scan": cut_points.PARTS,
        "pairs": cases.PARTS,
    }
    assert {command for row in PARTS for command in row.commands} == set(printed)
    for command, rows in printed.items():
        assert [r for r in PARTS if command in r.commands] == [r for r in rows if command in r.commands]
