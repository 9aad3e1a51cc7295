"""The nouns of the file are those of every sentence: records, nurses, answers are not cases, raters, ratings."""

import ast
import io
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import docx
import pypdfium2
import pytest
from openpyxl import load_workbook

from tapdesk.answers.literature import WORKS
from tapdesk.answers.part import Answer, Content, Missing
from tapdesk.answers.parts import PARTS
from tapdesk.answers.side_results import Wanted
from tapdesk.language import PLAIN, Message, say, speaking
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.decisions.classes import SetClass1
from tapdesk.project.nouns import nouns_of
from tapdesk.project.project import TITLES, Analysis, Project
from tapdesk.ratings.reading import read
from tapdesk.report.build import build
from tapdesk.report.forms.write import content
from tapdesk.report.report import Form
from tapdesk.report.setup import prepare
from tapdesk.studies.analysis import Request, analyse

SOURCES = Path(__file__).parents[2] / "tapdesk"
ROOMS = (
    "answers",
    "report",
    "studies",
    "fitting",
    "models",
    "agreement",
    "project/decisions",
    "ratings/reading.py",
    "ratings/checks/panel.py",
    "ratings/checks/values.py",
)
OURS = re.compile(r"(?<![\w-])(?:cases?|raters?|ratings?)(?![\w-])", re.IGNORECASE)
FIELD = re.compile(r"\{[^{}]*\}")
# What is written with these words whatever the file calls its own.
EXEMPT = {
    "options of the command line": re.compile(r"--[a-z]+(?: \w+)?|'[^'{}]*'"),
    "what the field calls the thing": re.compile(r"[Ii]nter-rater|[Ll]og-(?:likelihood|evidence), ratings form"),
    "the columns of a file, by their role": re.compile(r"rating (?:columns?|sheets?)"),
    "names that the program gives": re.compile(r"Case 1 to Case"),
    "what is typed": re.compile(r", RATER\]"),
}


def stripped(text):
    for reason in EXEMPT.values():
        text = reason.sub(" ", text)
    return text


def templates(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"_", "ngettext"}:
            for given in node.args[:2]:
                if isinstance(given, ast.Constant) and isinstance(given.value, str):
                    yield given.value


def test_no_sentence_about_a_result_has_a_noun_of_its_own():
    places = [SOURCES / room for room in ROOMS]
    paths = [path for place in places for path in (sorted(place.rglob("*.py")) if place.is_dir() else [place])]
    works = {work.work for work in WORKS}
    literal = [
        f"{path.relative_to(SOURCES)}: {template}"
        for path in paths
        for template in templates(path)
        if OURS.search(FIELD.sub(" ", stripped(template))) and template not in works
    ]
    assert literal == []


def test_the_questions_and_the_titles_of_what_is_said_take_the_nouns_of_the_file():
    for title in (*TITLES.values(), *(part.title for part in PARTS)):
        template = title.template if isinstance(title, Message) else title
        assert not OURS.search(FIELD.sub(" ", stripped(template))), template


def table():
    """Sixty records, four nurses of whom one guesses often, some answers missing."""
    rows = ["Record,Nurse,Answer"]
    for i in range(60):
        for k, name in enumerate(("Anna", "Bert", "Cleo", "Dora"), 1):
            if (i * 7 + k * 3) % 23:
                rows.append(f"R{i + 1:03d},{name},{'NY'[(i % 5 < 2) ^ ((i * k * k + k) % (9 - k) == 1)]}")
    return "\n".join(rows) + "\n"


@cache
def answered(source, class1=()):
    """A file with its answer and what stands beside it."""
    project = Project(title="Audit").with_reading(finish(read(source)), when="")
    if class1:
        project = project.decide(SetClass1(class1), when="")
    request = Request(model("t-a-p"), interval="wald", replicates=60)
    fit = finish(analyse(project.ratings, request))
    project = project.with_analysis(Analysis("2025-05-14T10:44:00", request, fit))
    return project, finish(prepare(project, Wanted(replicates=60)))


@pytest.fixture(scope="module", params=["records", "wines"])
def asked(request, tmp_path_factory):
    """The answer, and the words that must not be read of its file."""
    if request.param == "wines":
        return *answered("sample:jury", ("gold",)), re.compile(r"(?<![\w-])cases?(?![\w-])", re.IGNORECASE)
    path = tmp_path_factory.mktemp("audit") / "audit.csv"
    path.write_text(table(), "utf-8")
    return *answered(str(path)), OURS


class Texts(HTMLParser):
    """What a page says, to those who see it and to those who do not."""

    def __init__(self):
        super().__init__()
        self.words, self.hidden = [], 0

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in {"style", "script"}
        self.words += [value for key, value in attrs if key in {"alt", "aria-label", "title"} and value]

    def handle_endtag(self, tag):
        self.hidden -= tag in {"style", "script"}

    def handle_data(self, data):
        if not self.hidden:
            self.words.append(data)


def of_html(made):
    page = Texts()
    page.feed(made.decode())
    return page.words


def of_pdf(made):
    with pypdfium2.PdfDocument(made) as document:
        pages = [page.get_textpage().get_text_bounded() for page in document]
    # A line of a page may end within a citation.
    return re.sub(r"\s+", " ", " ".join(pages).replace("\ufffe", "")).split(". ")


def of_docx(made):
    document = docx.Document(io.BytesIO(made))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    drawn = [node.get("descr") or "" for node in document.element.body.iter() if node.tag.endswith("}docPr")]
    return [*(p.text for p in document.paragraphs), *cells, *drawn]


def of_xlsx(made):
    book = load_workbook(io.BytesIO(made))
    return [str(cell.value) for sheet in book for row in sheet.rows for cell in row if cell.value is not None]


READERS = {".html": of_html, ".pdf": of_pdf, ".docx": of_docx, ".xlsx": of_xlsx}
CITED = re.compile(r"\((?:19|20)\d\d\)|Kappa Zoo|Psychological|nominal scale|Assessment of|Modeling Raters|Online book")


@pytest.mark.parametrize("form", [Form.BOTH, Form.APPENDIX])
@pytest.mark.parametrize("suffix", sorted(READERS))
def test_a_report_calls_things_as_its_file_does(asked, form, suffix):
    project, side, ours = asked
    report = build(project, extras=side, form=form)
    words = READERS[suffix](content(report, suffix))
    assert len(words) > 50
    cited = {work.work for work in WORKS}
    literal = {w.strip() for w in words if ours.search(stripped(w)) and not CITED.search(w) and w.strip() not in cited}
    assert literal == set()


def test_every_part_of_the_results_calls_things_as_its_file_does(asked):
    project, side, ours = asked
    analysis = project.analyses[0]
    literal = set()
    with speaking(replace(PLAIN, nouns=nouns_of(project))):
        answer = Answer(analysis.fit, project.ratings, project.all_classes, side, analysis)
        for part in PARTS:
            made = part.content(answer)
            literal |= {text for text in (say(part.title), *texts_of(made)) if ours.search(stripped(text))}
    assert literal - {work.work for work in WORKS} == set()


def texts_of(made):
    """The sentences, tables and pictures of a part."""
    if isinstance(made, Missing):
        yield say(made.reason)
    if not isinstance(made, Content):
        return
    yield from (p.text for p in made.paragraphs)
    for one in made.tables:
        yield from (one.title, one.note, *(c.title for c in one.columns), *(str(c) for row in one.rows for c in row))
    for picture in made.pictures:
        yield from (picture.title, picture.note, *(figure.alt for figure in picture.panels))
