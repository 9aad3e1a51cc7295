"""Whole reports on panels that are small enough to be answered at once, with every picture of the catalog."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tapdesk.answers.demands import Selection
from tapdesk.answers.figures.catalog import FIGURES, figures
from tapdesk.answers.naming import CasesAs, RatersAs
from tapdesk.answers.part import Answer
from tapdesk.answers.parts import PARTS
from tapdesk.answers.side_results import ALL
from tapdesk.errors import TapdeskError
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.project import Project
from tapdesk.ratings.form import FilePart
from tapdesk.ratings.options import RatersAre, ReadingOptions
from tapdesk.report.build import build
from tapdesk.report.parts import part_project
from tapdesk.report.setup import prepare
from tapdesk.studies.analysis import Request
from tapdesk.worlds.world import World
from tests.words.situations.situation import Situation

REPLICATES = 20
# Pictures that are studies of their own: drawn where a situation asks for them.
STUDIED = frozenset(row.kind for row in FIGURES if row.run is not None)
NAMES = ReadingOptions()


def answered(text, names, options, **request):
    """The project of a file, as its user has it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ratings.csv"
        path.write_text(text, "utf-8")
        items = tuple(
            Request(name if not isinstance(name, str) else model(name), replicates=REPLICATES, redraws=True, **request)
            for name in names
        )
        return finish(part_project(Project(), path, FilePart("ratings", options), "panel", lambda _ratings: items))


def report(text, names=("t-a-p", "t-a-t"), options=NAMES, studied=(), wanted=None, change=None, **request):
    """All that is said of a file: its report, every part with its title, every picture or why it cannot be drawn."""
    text = text() if callable(text) else text
    project = answered(text, names, options, **request)
    side = finish(prepare(project, replace(ALL, replicates=REPLICATES, selection=Selection(wanted or {}))))
    if change is not None:
        project = change(project)
    done = project.analyses[0]
    every = project.ratings if side.every_class is None else side.every_class
    answer = Answer(done.fit, project.ratings, every, side, done)
    parts = [(part.title, part.explanation, said) for part in PARTS if (said := part.content(answer)) is not None]
    coded = build(project, extras=side, raters_as=RatersAs.CODES, cases_as=CasesAs.CODES)
    drawn = [_picture(row, done.fit, project.ratings) for row in FIGURES if row.run is None or row.kind in studied]
    return build(project, extras=side), coded.sections, done.fit, side, parts, drawn


def _picture(row, fit, ratings):
    try:
        return row.title, figures(row.kind, fit, ratings)
    except TapdeskError as error:
        return error


def drawn(seed=1, /, **recipe):
    """The file of a panel of a world."""
    here = World("here", "", **recipe)
    return lambda: here.draw(np.random.default_rng(seed)).text()


def typed(rows, header="case,A,B,C", *, sign=","):
    """A file of rows such as ``"yes,no,yes"``, cases numbered."""
    return "\n".join([header, *(f"c{i + 1}{sign}{row}" for i, row in enumerate(rows))]) + "\n"


HALF = ((0.5, 0.5),)
FOUR = (0.25,) * 4
SEATS = ReadingOptions(raters_are=RatersAre.SEATS)
RARE = ["no,no,no"] * 46 + ["yes,no,no", "no,yes,no", "no,no,yes", "no,yes,no"]
AGES = (25.0, 30.0, 36.0, 41.0, 47.0, 52.0, 58.0, 64.0)


def known_file():
    """Ratings with a column of answers known to be true."""
    rows = drawn(cases=30, raters=3)().splitlines()
    return "\n".join([f"{rows[0]},lab", *(f"{row},{row.split(',')[1]}" for row in rows[1:])]) + "\n"


def sets_file():
    """Ratings that are sets of labels."""
    return typed(["trust; fear,trust,fear", "trust,trust; fear,joy; fear", "fear,fear,joy; fear", "joy,trust,joy"] * 8)


def wards_file():
    """Ratings with the ward of each case."""
    rows = drawn(cases=40, raters=3)().splitlines()
    lines = ["case,rater,rating,ward"]
    for i, row in enumerate(rows[1:]):
        name, *cells = row.split(",")
        lines += [f"{name},R{j},{cell},{'north' if i % 2 else 'south'}" for j, cell in enumerate(cells)]
    return "\n".join(lines) + "\n"


def changed(project):
    """The same project after its data were changed, with comments of the committee and a decision."""
    stale = tuple(replace(one, stale=True) for one in project.analyses)
    noted = replace(project, analyses=stale)
    for place in ("comment.results", "comment.results.estimates"):
        noted = noted.with_note(place, "We discussed this.")
    return noted.with_order(tuple(reversed(project.ratings.classes)))


def situation(key, *given, **more):
    return Situation(key, partial(report, *given, **more), slow=True)


SITUATIONS = (
    situation("report-plain", drawn(cases=40, raters=3), studied=STUDIED),
    situation("report-ordered", drawn(cases=30, raters=4, truth=FOUR, guessing=(FOUR,)), studied=STUDIED),
    situation(
        "report-raters", drawn(cases=40, raters=5, accuracy=(0.9, 0.9, 0.9, 0.9, 0.1)), ("t-aj-pj",), studied=STUDIED
    ),
    situation("report-alike-raters", drawn(cases=40, raters=5), ("t-aj-p",)),
    situation("report-two", drawn(cases=30, raters=2), studied={"plan", "recovery", "influence"}),
    situation("report-turned", drawn(cases=60, raters=4, accuracy=(0.9,), turned=1)),
    situation("report-camp", drawn(cases=60, raters=6, accuracy=(0.95,), camp=3)),
    situation("report-luck", drawn(cases=40, raters=3, accuracy=(0.0,)), studied=STUDIED),
    situation("report-all-agree", typed(["no,no,no", "yes,yes,yes"] * 15), studied=STUDIED),
    situation("report-seats", drawn(cases=40, raters=4, missing=0.3), options=SEATS),
    situation("report-gaps", drawn(cases=40, raters=4, missing=0.4)),
    situation("report-hard", drawn(cases=200, raters=5, truth=(0.5, 0.5), accuracy=(1.0,), guessing=HALF, hard=0.4)),
    situation("report-near", drawn(cases=80, raters=4, truth=(0.2,) * 5, near=0.7)),
    situation("report-ages", drawn(cases=40, raters=8, ages=AGES), (replace(model("t-a(x)-p"), covariates=("age",)),)),
    situation("report-rare", typed(RARE), studied=STUDIED),
    situation("report-few", typed(["no,no,no", "yes,yes,no", "no,yes,no", "yes,yes,yes", "no,no,yes"])),
    situation(
        "report-classes",
        drawn(cases=60, raters=4, truth=(1 / 3,) * 3, guessing=((1 / 3,) * 3,), by_class=(0.9, 0.5, 0.2)),
        ("t-ak-p",),
    ),
    situation("report-tables", drawn(cases=60, raters=4), ("dawid-skene",)),
    situation("report-belief", drawn(cases=30, raters=3), ("t-a-p",), estimator="posterior"),
    situation(
        "report-belief-classes", drawn(cases=30, raters=3, by_class=(0.3, 0.9)), ("t-a0a1-p0p1",), estimator="posterior"
    ),
    situation("report-sampled", drawn(cases=30, raters=4), ("t-aj-p",), estimator="posterior", chains=4, draws=60),
    situation("report-sharpened", drawn(cases=30, raters=4), ("ti-aj-P",), estimator="posterior", chains=4, draws=60),
    situation("report-resampled", drawn(cases=30, raters=3), ("t-a-p",), interval="bootstrap"),
    situation("report-wald", drawn(cases=30, raters=3), ("t-a-p",), interval="wald"),
    situation("report-no-intervals", drawn(cases=30, raters=3), ("t-a-p",), interval="none"),
    situation("report-moments", drawn(cases=30, raters=3), ("t-a-p",), estimator="moment-em", interval="none"),
    situation(
        "report-on-demand",
        drawn(cases=40, raters=3),
        wanted={"contour": True, "plan": True, "recovery": True, "models": True, "grid": 1, "square": 1},
    ),
    situation("report-known", known_file, options=ReadingOptions(known="lab")),
    situation("report-sets", sets_file),
    situation("report-groups", wards_file, wanted={"groups": ("ward",)}),
    situation("report-changed", drawn(cases=12, raters=3), change=changed),
    situation(
        "report-counted",
        drawn(cases=30, raters=3, truth=FOUR, guessing=(FOUR,)),
        options=ReadingOptions(class1=("3", "4")),
    ),
    situation("report-one-number", drawn(cases=30, raters=3), ("P-a-P",)),
    situation("report-tested", drawn(cases=30, raters=3), ("t-ak-p",), tests=True),
    situation("report-planned", drawn(cases=40, raters=3), wanted={"plan": True}),
)
