"""All questions of a form as one table of cleaned ratings, with what was decided beside it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from tapdesk.answers.naming import NAMES, Naming, RatersAs
from tapdesk.errors import CannotAnswerError
from tapdesk.language import Label, RaterName
from tapdesk.language import gettext as _
from tapdesk.project.form import form_of
from tapdesk.project.project import Project
from tapdesk.ratings.options import Layout
from tapdesk.ratings.own.clean_table import CleanTable, Shape
from tapdesk.ratings.own.recall import READING, record_rows
from tapdesk.ratings.ratings import CovariateOf, Ratings
from tapdesk.report.cleaned import CleanedData, cleaned_data
from tapdesk.report.form_report import form_names

_ROLES = 3  # case, rater and rating stand first in a table of one question


def cleaned_form(projects: Mapping[str, Project], shape: Shape | None = None, called: Naming = NAMES) -> CleanedData:
    """The cleaned ratings of all questions of a form.

    Parameters
    ----------
    projects
        By the name of each question the work about it, in the order of the form.
    shape
        A row for each rating, or for each case and rater with a column for each question; by default that of the file,
        where it leaves nothing out.
    called
        Names or codes of raters and cases, the same on all questions.

    Raises
    ------
    CannotAnswerError
        Where the shape has no place for what is there.
    """
    made = {name: cleaned_data(project, Shape.LONG, called) for name, project in projects.items()}
    if any(one.table.options.get("count") for one in made.values()):
        raise CannotAnswerError(
            _("Rows that stand for many {subjects} have no table of several questions.").format(),
            fix=_("Take one question by itself (--only)."),
        )
    again = _who_repeats(made)
    if shape is Shape.WIDE and again:
        raise CannotAnswerError(
            _("A row for each {subject} and {rater} has no place for what {who} rated again: {question}.").format(
                who=RaterName(again[1]), question=Label(again[0])
            ),
            fix=_("Take a row for each {rating} (--shape long).").format(),
        )
    shape = shape or usual_form_shape(projects)
    table = _wide(made) if shape is Shape.WIDE else _long(made)
    first = next(iter(made.values()))
    kept = [row for row in first.record if row[0] not in {READING, "decision"}]
    rows = [*kept[:3], *((*row, "", "") for row in record_rows(table.options)), *kept[3:]]
    rows += [("classes", name, _order_of(one.table), "", "") for name, one in made.items()]
    rows += [("left out here", _("column"), name, "", "") for name in table.left_out]
    rows += dict.fromkeys(row for one in made.values() for row in one.record if row[0] == "decision")
    return CleanedData(table, shape, tuple(rows))


def whole_form(project: Project, shape: Shape | None, raters_as: RatersAs) -> CleanedData:
    """The cleaned ratings of all questions of a project's form that could be read.

    Parameters
    ----------
    project
        It holds a form.
    shape
        As of `cleaned_form`.
    raters_as
        What raters are called, the same on all questions.
    """
    return cleaned_form(questions_of(project), shape, form_names(form_of(project), raters_as))


def questions_of(project: Project) -> Mapping[str, Project]:
    """By its name the work about each question of a project's form that could be read."""
    return {one.name: project.with_question(one.name) for one in project.form if one.reading is not None}


def usual_form_shape(projects: Mapping[str, Project]) -> Shape:
    """The shape of the file, where it leaves nothing out."""
    of_questions = all(p.reading is not None and p.reading.source.layout is Layout.QUESTIONS for p in projects.values())
    again = any(_repeats(project.all_classes) for project in projects.values())
    return Shape.WIDE if of_questions and not again and not _further(projects) else Shape.LONG


def _repeats(ratings: Ratings) -> bool:
    """Whether anybody rated a case again."""
    pairs = ratings.subject.astype(np.int64) * max(len(ratings.raters), 1) + ratings.rater
    return bool(np.unique(pairs).size < pairs.size)


def _order_of(table: CleanTable) -> str:
    """The classes of a question, lowest first where they are ordered."""
    order: Sequence[str] = table.options.get("order", ())
    return (", " if table.options.get("unordered") else " < ").join(order)


def _further(projects: Mapping[str, Project]) -> tuple[str, ...]:
    """Columns beside the ratings that belong to single ratings."""
    ratings = [project.all_classes for project in projects.values()]
    of_ratings = (name for r in ratings for name, c in r.covariates.items() if c.of is CovariateOf.RATING)
    return tuple(name for name in of_ratings if name not in projects)


def _who_repeats(made: Mapping[str, CleanedData]) -> tuple[str, str] | None:
    """A question and a rater who rated a case twice on it; None where nobody did."""
    for name, one in made.items():
        often = Counter(row[:2] for row in one.table.rows if row[2])
        twice = next((pair for pair, n in often.items() if n > 1), None)
        if twice is not None:
            return name, twice[1]
    return None


def _options(made: Mapping[str, CleanedData], layout: Layout, **columns: Any) -> Mapping[str, Any]:
    """How the table is read; classes and their order only where all questions have the same."""
    every = [one.table.options for one in made.values()]
    own = {"layout", "subject", "rater", "rating", "count"}
    if any((o["order"], o["unordered"]) != (every[0]["order"], every[0]["unordered"]) for o in every):
        own |= {"order", "unordered"}
    own |= {"class1", "class0"} if any(o.get("class1") != every[0].get("class1") for o in every) else set()
    rest = {name: value for name, value in every[0].items() if name not in own}
    return MappingProxyType({"layout": layout, **columns, **rest})


def _beside(made: Mapping[str, CleanedData]) -> tuple[str, ...]:
    """The further columns of all questions; beside one question the others stand as such."""
    every = dict.fromkeys(name for one in made.values() for name in one.table.names[_ROLES:])
    return tuple(name for name in every if name not in made)


def _fresh(wanted: str, taken: Sequence[str]) -> str:
    """A name for a column that none has yet."""
    name, n = wanted, 2
    while name.casefold() in {one.strip().casefold() for one in taken}:
        name, n = f"{wanted} {n}", n + 1
    return name


def _long(made: Mapping[str, CleanedData]) -> CleanTable:
    """One row a rating, with the question it is about."""
    further = _beside(made)
    taken = list(further)
    roles = []
    for wanted in ("case", "rater", "question", "rating"):
        roles.append(_fresh(wanted, taken))
        taken.append(roles[-1])
    rows = []
    for name, one in made.items():
        places = {column: i for i, column in enumerate(one.table.names)}
        for row in one.table.rows:
            more = (row[places[column]] if column in places else "" for column in further)
            rows.append((row[0], row[1], name, row[2], *more))
    case, rater, question, rating = roles
    options = _options(made, Layout.LONG, subject=case, rater=rater, question=question, rating=rating)
    return CleanTable((*roles, *further), tuple(rows), options)


def _wide(made: Mapping[str, CleanedData]) -> CleanTable:
    """One row for each case and rater, with a column for each question."""
    further = _beside(made)
    taken = [*made, *further]
    case, rater = _fresh("case", taken), _fresh("rater", [*taken, "case"])
    cells: dict[tuple[str, str], dict[str, str]] = {}
    texts: dict[tuple[str, str], dict[str, str]] = {}
    for name, one in made.items():
        for row in one.table.rows:
            at = row[0], row[1]
            cells.setdefault(at, {})[name] = row[2]
            known = texts.setdefault(at, {})
            for column, text in zip(one.table.names[_ROLES:], row[_ROLES:], strict=True):
                known.setdefault(column, text)
    rows = tuple(
        (*at, *(own.get(name, "") for name in made), *(texts[at].get(column, "") for column in further))
        for at, own in cells.items()
    )
    options = _options(made, Layout.QUESTIONS, subject=case, rater=rater, columns=tuple(made))
    return CleanTable((case, rater, *made, *further), rows, options)
