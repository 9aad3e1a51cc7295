"""How a report of a data file was made: enough to make it again from the same file, without its project."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tapdesk.answers.forbidden import Secrets, holds
from tapdesk.answers.naming import Naming
from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.project.decisions.classes import SetClass1
from tapdesk.project.files.codec import DamagedError, Reader, Writer
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read
from tapdesk.studies.analysis import Request, analyse

NAME = "recipe"
# What the program itself keeps in the notes of a project; everything else there is a user's words.
_SETUP = "report.setup"
_OURS = frozenset({_SETUP})


@dataclass(frozen=True, eq=False)
class Recipe:
    """What a report of a data file follows from, besides the file.

    Attributes
    ----------
    title
        Of the report.
    options
        How the file was read.
    analyses
        What was asked: of each analysis its label, the key of its question, and the request.
    """

    title: str
    options: ReadingOptions
    analyses: tuple[tuple[str, str, Request], ...]

    def told(self) -> str:
        """The recipe as one line of text."""
        return json.dumps(self._plain(), sort_keys=True)

    def names(self, secrets: Secrets) -> bool:
        """Whether it may hold a name: looked for in signs as they are written, numbers of a list one by one."""
        return holds(secrets, json.dumps(self._plain(), ensure_ascii=False).replace(",", ", "))

    def _plain(self) -> dict[str, Any]:
        plain = Writer().plain
        analyses = [[label, question, plain(request)] for label, question, request in self.analyses]
        return {"title": self.title, "options": plain(self.options), "analyses": analyses}


def recipe_of(project: Project, called: Naming) -> str:
    """The recipe of a report; empty where it rests on more than a file and options, or would tell a name."""
    reading = project.reading
    if reading is None or not project.notes.keys() <= _OURS:
        return ""
    options = reading.asked or reading.options
    class1 = None if options.class1 is None else (SetClass1(options.class1, options.class0),)
    if tuple(d.decision for d in project.decisions) != (class1 or ()) or project.undone:
        return ""
    asked = tuple((a.label, a.question, a.request) for a in project.analyses if a.fit is not None)
    made = Recipe(project.title, options, asked)
    return "" if made.names(Secrets(called.secrets.names)) else made.told()


def recipe(told: str) -> Recipe | None:
    """The recipe from its line; None where there is none, or a damaged one."""

    def no_array(name: str) -> Any:
        raise DamagedError(name)

    try:
        found = json.loads(told)
        reader = Reader(no_array)
        asked = tuple(
            (str(label), str(question), reader.value(request, Request))
            for label, question, request in found["analyses"]
        )
        return Recipe(str(found["title"]), reader.value(found["options"], ReadingOptions), asked)
    except (ValueError, KeyError, TypeError, DamagedError):
        return None


def made_again(path: str | Path, found: Recipe | None) -> Run[Project]:
    """The project of a recipe about a data file.

    Raises
    ------
    TapdeskError
        When the report does not tell how it was made, or the file cannot be read so.
    """
    if found is None:
        raise TapdeskError(
            _("This report does not say how it was made from its data file, so a data file alone cannot verify it."),
            str(path),
            _(
                "Give the project it was made from instead; “report --save-project FILE” writes one. A report with "
                "decisions, notes or codes of names is verified with its project only."
            ),
        )
    reading = yield from read(path, found.options)
    project = Project(title=found.title).with_reading(reading, when="")
    for label, question, request in found.analyses:
        fit = yield from analyse(project.ratings, request)
        project = project.with_analysis(Analysis(label, request, fit, question=question))
    return project
