"""What the report of a form follows from besides its data file, so that the file alone verifies it.

It stands alone because `form_report` makes pages of what was read, and this reads and analyses the file again.
"""

import json
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from tapdesk.answers.criteria import criteria_of
from tapdesk.answers.forbidden import Secrets, holds
from tapdesk.answers.naming import RatersAs
from tapdesk.answers.numbers import APA, REPORT
from tapdesk.answers.question_columns import USUAL, table_coefficient
from tapdesk.progress import Run
from tapdesk.project.files.codec import DamagedError, Reader, Writer
from tapdesk.ratings.form import form
from tapdesk.ratings.options import ReadingOptions
from tapdesk.report.form_report import form_names, form_report
from tapdesk.report.report import Form, Report
from tapdesk.studies.criteria import criteria


@dataclass(frozen=True, eq=False)
class FormRecipe:
    """How the report of a form was made.

    Attributes
    ----------
    options
        How the file was read.
    raters_as
        Names or codes, as the value of `tapdesk.answers.naming.RatersAs`.
    level, seed
        Of the numbers (`tapdesk.studies.criteria.criteria`).
    title, apa, paper, command_line, issued
        Of the report; the moment of issue as ISO 8601, empty for a draft.
    own_pages
        The questions that have a page of their own.
    shape
        Brief, full report or both, as the value of `tapdesk.report.report.Form`.
    notes
        The committee's own words: place and text.
    coefficient
        What stands beside raw agreement in the table (`tapdesk.answers.question_columns`).
    """

    options: ReadingOptions
    raters_as: str
    level: float
    seed: int
    title: str = ""
    apa: bool = False
    paper: str = "a4"
    command_line: str = ""
    issued: str = ""
    own_pages: tuple[str, ...] = ()
    shape: str = Form.FULL.value
    notes: tuple[tuple[str, str], ...] = ()
    coefficient: str = USUAL.name

    def text(self, secrets: Secrets) -> str:
        """The recipe as one line; empty where it would tell a name that the report does not."""
        plain = {**asdict(replace(self, options=ReadingOptions())), "options": Writer().plain(self.options)}
        if holds(secrets, json.dumps(plain, ensure_ascii=False).replace(",", ", ")):
            return ""
        return json.dumps(plain, sort_keys=True)


def form_recipe(line: str) -> FormRecipe | None:
    """The recipe from its line; None where there is none, or a damaged one."""

    def no_array(name: str) -> Any:
        raise DamagedError(name)

    try:
        plain = json.loads(line)
        options = Reader(no_array).value(plain.pop("options"), ReadingOptions)
        pages = tuple(str(name) for name in plain.pop("own_pages", ()))
        notes = tuple((str(place), str(text)) for place, text in plain.pop("notes", ()))
        made = FormRecipe(options, **plain, own_pages=pages, notes=notes)
        RatersAs(made.raters_as)
        Form(made.shape)
        _moment(made)
    except (ValueError, KeyError, TypeError, AttributeError, DamagedError):
        return None
    return made


def _moment(recipe: FormRecipe) -> datetime | None:
    return datetime.fromisoformat(recipe.issued) if recipe.issued else None


def made_again(path: str | Path, recipe: FormRecipe) -> Run[Report]:
    """The report of a form made anew from its data file.

    Yields
    ------
    Step
        The phases of the reading and of the questions.

    Raises
    ------
    TapdeskError
        When the file cannot be read so.
    """
    read = yield from form(path, recipe.options)
    names = form_names(read, RatersAs(recipe.raters_as))
    numbers = yield from criteria(criteria_of(read, names), recipe.level, recipe.seed)
    return form_report(
        read,
        numbers,
        names,
        title=recipe.title,
        style=APA if recipe.apa else REPORT,
        paper=recipe.paper,
        command_line=recipe.command_line,
        issued=_moment(recipe),
        recipe=recipe.text(names.secrets),
        own_pages=recipe.own_pages,
        shape=Form(recipe.shape),
        notes=dict(recipe.notes),
        chosen=table_coefficient(recipe.coefficient),
    )
