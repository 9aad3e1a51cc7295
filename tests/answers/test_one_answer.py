"""One answer: the headline, the numbers behind it, their model and their order are the same wherever they are shown."""

import io
import json
import re
from dataclasses import replace
from functools import cache
from html import unescape

import pypdfium2
import pytest
from openpyxl import load_workbook

from tapdesk.answers import cases, coefficients, cut_points, fit_parts, grid_parts, terminal
from tapdesk.answers.content import Number, Paragraph, Picture, Table
from tapdesk.answers.demands import DEMANDS, Selection
from tapdesk.answers.numbers import REPORT
from tapdesk.answers.part import Answer, Content, Missing, contents, record
from tapdesk.answers.parts import BLOCKS, COMMENTED, PARTS, part
from tapdesk.answers.question import QUESTIONS, Guesses, headline
from tapdesk.answers.raters import fit_by_rater
from tapdesk.answers.side_results import Wanted
from tapdesk.answers.side_studies import work_out
from tapdesk.cli import json_output
from tapdesk.fitting.fit import Fit
from tapdesk.language import PLAIN, speaking
from tapdesk.language import gettext as _
from tapdesk.models.model import model as named_model
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
from tapdesk.report.outline import SECTIONS
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
# Every sample is asked every question: of one sample at every time, of the others what is said differently there.
_OFTEN = {"jury": {q.key for q in QUESTIONS}, "jury-panel": {"raters"}, "paradox": {"knowledge"}}
CASES = [
    pytest.param(
        (sample.name, question),
        id=f"{sample.name}-{question.key}",
        marks=[] if question.key in _OFTEN.get(sample.name, ()) else [pytest.mark.slow],
    )
    for sample in SAMPLES
    for question in QUESTIONS
]


@cache
def fit_of(name, model):
    """A fit is made once of each sample and model, whatever the question; None where the model cannot be fitted."""
    ratings, asked = opened(name).ratings, Request(named_model(model), interval="wald", replicates=FEW)
    return None if refusal(ratings, asked) else finish(analyse(ratings, asked))


@cache
def opened(name):
    """A sample, with a class 1 where it has more than two."""
    project = Project(title=name).with_reading(finish(read(f"sample:{name}")), when="")
    if len(project.ratings.classes) > 2:
        project = project.decide(SetClass1(project.ratings.classes[len(project.ratings.classes) // 2 :]), when="")
    return project


def answered(name, question):
    """A sample asked one question; None where it cannot be asked."""
    project, wanted = opened(name), question.model(Guesses.OWN)
    if question.refuses(project.ratings, project.all_classes) or (fit := fit_of(name, wanted.name)) is None:
        return None
    request = Request(wanted, interval="wald", replicates=FEW)
    return project.with_analysis(Analysis("", request, fit, question=question.key))


@cache
def side_of(name, model, *, whole):
    """What stands beside a fit: all of it, or what the window has soon."""
    question = next(q for q in QUESTIONS if q.model(Guesses.OWN).name == model and answered(name, q) is not None)
    asked = Selection(contour=True, recovery=True) if whole else Selection()
    wanted = Wanted(replicates=FEW, selection=asked)
    return finish(work_out(answered(name, question), wanted, only=() if whole else BESIDE))


@pytest.fixture(scope="module", params=CASES)
def told(request):
    """A project with its answer and what stands beside it."""
    name, question = request.param
    project = answered(name, question)
    if project is None:
        pytest.skip("these ratings cannot be asked this question")
    often = question.key in _OFTEN.get(name, ())
    side = side_of(name, question.model(Guesses.OWN).name, whole=not often)
    analysis = project.analyses[0]
    return project, side, Answer(analysis.fit, project.ratings, project.all_classes, side, analysis)


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
    # The other sections are of the same compiler, and take it a second.
    printed = words_of_pdf(pdf(replace(report, sections=(summary,))))
    for face in (printed, plain(re.sub(r"<[^>]+>", "", html(report).decode()))):
        assert plain(said) in face
    cells = [str(cell.value) for sheet in load_workbook(io.BytesIO(xlsx(report))) for row in sheet.rows for cell in row]
    assert any(said in cell for cell in cells)
    lines = plain(terminal.fit(shown, contents(PARTS, "fit", shown)))
    assert lines.index(plain(said)) < lines.index(plain(follows)) if follows else plain(said) in lines


def numbers_of(table):
    """Every row of a table by its values: what the cells say is decided by the style of the face alone."""
    return [[cell.values if isinstance(cell, Number) else str(cell) for cell in row] for row in table.rows]


def held_elsewhere(content, sections):
    """Whether every number of a part that paper does not print stands in tables that it does."""
    tables = [block for blocks in sections for block in blocks if isinstance(block, Table)]
    printed = {cell.values for table in tables for row in table.rows for cell in row if isinstance(cell, Number)}
    cells = [cell for table in content.tables for row in table.rows for cell in row if isinstance(cell, Number)]
    return bool(cells) and all(cell.values in printed for cell in cells)


def shown_by(answer):
    """Every part that belongs to an answer with what it says."""
    made = ((row, row.content(answer)) for row in PARTS)
    return [(row, content) for row, content in made if content is not None]


def test_every_part_says_the_same_on_screen_and_on_paper(told):
    project, side, shown = told
    report = build(project, extras=side, style=REPORT)
    sections = {s.key: s.blocks for s in report.sections}
    on_screen = dict(zip((row.key for row, _c in shown_by(shown)), (c for _r, c in shown_by(shown)), strict=True))
    compared = 0
    for row, content in shown_by(replace(shown, style=REPORT)):
        screen = on_screen.pop(row.key)
        assert type(screen) is type(content)
        if not row.printed:
            # What only the window sets side by side is printed in other tables.
            assert held_elsewhere(content, sections.values()), row.key
            continue
        printed = sections.get(row.section, ())
        if isinstance(content, Missing):
            assert content.quiet or content.reason in [b.text for b in printed if isinstance(b, Paragraph)], row.key
            continue
        assert [numbers_of(t) for t in screen.tables] == [numbers_of(t) for t in content.tables]
        on_paper = [numbers_of(b) for b in printed if isinstance(b, Table)]
        for table in content.tables:
            assert numbers_of(table) in on_paper, row.key
            compared += 1
        for sentence in content.paragraphs:
            assert sentence in printed, row.key
        for picture in content.pictures:
            assert picture.title in [b.title for b in printed if isinstance(b, Picture)], row.key
    assert compared
    assert not on_screen


@pytest.mark.costly(4)
def test_every_form_of_the_paper_holds_every_table_of_every_part(told):
    project, side, shown = told
    report = build(project, extras=side, style=REPORT)
    page, of_pdf = plain(unescape(re.sub(r"<[^>]+>", " ", html(report).decode()))), words_of_pdf(pdf(report))
    book = [
        tuple(cell for cell in row if cell is not None)
        for sheet in load_workbook(io.BytesIO(xlsx(report)))
        for row in sheet.iter_rows(values_only=True)
    ]
    for part_, content in shown_by(replace(shown, style=REPORT)):
        if not part_.printed:
            continue
        for table in content.tables if isinstance(content, Content) else ():
            assert plain(table.title) in page, part_.key
            assert re.sub(r"\W", "", table.title) in re.sub(r"\W", "", of_pdf), part_.key
            for row in table.printed().rows[:3]:
                assert all(plain(cell) in page for cell in row if cell), part_.key
            for row in table.rows[:3]:
                values = [v for cell in row if isinstance(cell, Number) and len(cell.values) == 1 for v in cell.values]
                wanted = [v for v in values if v is not None]
                assert any(all(any(same(v, cell) for cell in told_) for v in wanted) for told_ in book), part_.key


def same(value, cell):
    """Whether a cell of a workbook holds a value."""
    return isinstance(cell, int | float) and cell == pytest.approx(value, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("command", sorted({command for row in PARTS for command in row.commands}))
def test_a_command_prints_and_writes_the_parts_that_are_its_own(told, command):
    _project, _side, shown = told
    rows = contents(PARTS, command, shown)
    lines = plain(" ".join(terminal.parts(rows)))
    for row, content in rows:
        assert command in row.commands
        assert content == row.content(shown) or type(content) is type(row.content(shown))
        made = json.loads(json_output.json_text(record(row, content)))
        assert (made["key"], made["refused"]) == (row.key, content.reason if isinstance(content, Missing) else None)
        if isinstance(content, Missing):
            assert plain(content.reason) in lines
            continue
        for sentence in content.paragraphs:
            assert plain(sentence.text) in lines
        for table, known in zip(made["tables"], content.tables, strict=True):
            assert plain(known.title) in lines
            for values, cells in zip(table["rows"], known.rows, strict=True):
                one = [(v, c.values) for v, c in zip(values, cells, strict=True) if isinstance(c, Number)]
                assert all(v == known_[0] for v, known_ in one if len(known_) == 1)


def test_every_part_is_told_where_its_row_says_and_no_two_have_one_place():
    assert len({row.key for row in COMMENTED}) == len(COMMENTED) == len({row.place for row in COMMENTED})
    printed = {row.key for row in SECTIONS}
    blocks = {row.key for row in BLOCKS}
    for row in PARTS:
        assert row.section in printed
        assert not row.comments or row.comments in printed
        assert (row.block or row.key) in blocks
        assert row.explanation
        assert (row.demand is None) == (row.study is None)
    assert {row.key for row in DEMANDS} == {row.key for row in PARTS if row.on_demand}


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
    for letter in letters(project, side):
        (section,) = letter.page.sections
        figure = next(block for block in section.blocks if isinstance(block, Picture)).panels[0]
        own = next(mark for mark in figure.marks if getattr(mark, "label", "") and len(getattr(mark, "x", ())) == 1)
        assert own.x[0] == known[letter.rater].value == letter.accuracy.value


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


def test_a_command_prints_every_part_that_is_its_own():
    """It looks for them in the parts of one subject alone, so that the others need not be loaded."""
    printed = {
        "fit": grid_parts.PARTS,
        "agree": coefficients.PARTS,
        "scan": cut_points.PARTS,
        "pairs": cases.PARTS,
    }
    assert {command for row in PARTS for command in row.commands} == set(printed)
    for command, rows in printed.items():
        assert [r for r in PARTS if command in r.commands] == [r for r in rows if command in r.commands]
    # Few fits are of the grid: the others do without its parts, and print what is left of these.
    plain = [r for r in fit_parts.PARTS if "fit" in r.commands]
    assert plain == [r for r in grid_parts.PARTS if r in fit_parts.PARTS]
