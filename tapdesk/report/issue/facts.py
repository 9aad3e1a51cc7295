"""What is written into an issued PDF so that it can be checked later: names and values, short and plain."""

import json
import re
import zlib
from dataclasses import astuple, dataclass, fields
from datetime import datetime
from html import unescape
from pathlib import Path
from typing import Any

from tapdesk.answers.demands import Selection
from tapdesk.answers.forbidden import Secrets, holds
from tapdesk.answers.naming import CasesAs, Naming, RatersAs, naming
from tapdesk.answers.numbers import Style
from tapdesk.answers.pseudonyms import coded_fit
from tapdesk.answers.side_results import Wanted
from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.language import PLAIN, Nouns, plain
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.project.decisions.classes import SetClass1
from tapdesk.project.files.codec import DamagedError, Reader, Writer
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import FINGERPRINT_VERSION as FINGERPRINT
from tapdesk.ratings.reading import read
from tapdesk.report.issue.pdf_objects import Document, UnreadableError
from tapdesk.report.report import Form
from tapdesk.studies.analysis import Request, analyse
from tapdesk.version import VERSION

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

    def text(self) -> str:
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
    items = tuple((a.label, a.question, a.request) for a in project.analyses if a.fit is not None)
    made = Recipe(project.title, options, items)
    return "" if made.names(Secrets(called.secrets.names)) else made.text()


def recipe(sentence: str) -> Recipe | None:
    """The recipe from its line; None where there is none, or a damaged one."""

    def no_array(name: str) -> Any:
        raise DamagedError(name)

    try:
        result = json.loads(sentence)
        reader = Reader(no_array)
        items = tuple(
            (str(label), str(question), reader.value(request, Request))
            for label, question, request in result["analyses"]
        )
        return Recipe(str(result["title"]), reader.value(result["options"], ReadingOptions), items)
    except (ValueError, KeyError, TypeError, DamagedError):
        return None


def refuse_without_recipe(path: str | Path) -> TapdeskError:
    """The refusal of a data file beside a report that does not say how it was made from it."""
    return TapdeskError(
        _("This report does not say how it was made from its data file, so a data file alone cannot verify it."),
        str(path),
        _(
            "Give the project it was made from instead; “report --save-project FILE” writes one. A report with "
            "decisions, notes or codes of names is verified with its project only."
        ),
    )


def made_again(path: str | Path, result: Recipe | None) -> Run[Project]:
    """The project of a recipe about a data file.

    Raises
    ------
    TapdeskError
        When the report does not tell how it was made, or the file cannot be read so.
    """
    if result is None:
        raise refuse_without_recipe(path)
    reading = yield from read(path, result.options)
    project = Project(title=result.title).with_reading(reading, when="")
    for label, question, request in result.analyses:
        fit = yield from analyse(project.ratings, request)
        project = project.with_analysis(Analysis(label, request, fit, question=question))
    return project


PREFIX = "tapdesk"
# The pieces of the keywords are kept apart by commas, so no value may hold one.
_COMMA = "%2C"
_KEYWORDS = re.compile(rb"<pdf:Keywords>(.*?)</pdf:Keywords>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Choices:
    """How a report was written: enough to write it again (`tapdesk.report.build.build`)."""

    leave_out: tuple[str, ...]
    style: Style
    raters_as: RatersAs
    issued: datetime
    status: str
    paper: str
    nouns: Nouns = PLAIN.nouns
    wanted: Wanted | None = None
    scale: str = ""
    cases_as: CasesAs = CasesAs.NAMES
    file_named: bool = True
    command_line: str = ""
    form: Form = Form.FULL
    libraries: str = ""
    leads: int | None = None

    def text(self) -> str:
        """The choices as one line of text."""
        table = {
            "leave_out": list(self.leave_out),
            "leading_zero": self.style.leading_zero,
            "brackets": self.style.brackets,
            "raters_as": self.raters_as.value,
            "issued": self.issued.isoformat(),
            "status": self.status,
            "paper": self.paper,
            "nouns": [plain(word) for word in astuple(self.nouns)],
            "wanted": None if self.wanted is None else _computed(self.wanted),
            "scale": self.scale,
            "cases_as": self.cases_as.value,
            "file_named": self.file_named,
            "command_line": self.command_line,
            "form": self.form.value,
            "libraries": self.libraries,
            "leads": self.leads,
        }
        return json.dumps(table, sort_keys=True)


def choices(sentence: str) -> Choices | None:
    """The choices from their line; None where it is damaged."""
    try:
        f = json.loads(sentence)
        return Choices(
            tuple(str(key) for key in f["leave_out"]),
            Style(bool(f["leading_zero"]), bool(f["brackets"])),
            RatersAs(f["raters_as"]),
            datetime.fromisoformat(f["issued"]),
            str(f["status"]),
            str(f["paper"]),
            Nouns(*(str(word) for word in f["nouns"])),
            None if f["wanted"] is None else _wanted(f["wanted"]),
            str(f.get("scale", "")),
            CasesAs(f.get("cases_as", "names")),
            bool(f.get("file_named", True)),
            str(f.get("command_line", "")),
            Form(f.get("form", Form.FULL.value)),
            str(f.get("libraries", "")),
            None if f.get("leads") is None else int(f["leads"]),
        )
    except (ValueError, KeyError, TypeError):
        return None


def _computed(wanted: Wanted) -> dict[str, Any]:
    """What was computed, each choice by the name it is kept under."""
    plain = {f.name: getattr(wanted, f.name) for f in fields(wanted) if f.name != "selection"}
    return {**plain, **wanted.selection.record()}


def _wanted(by_key: dict[str, Any]) -> Wanted:
    """What was computed; reports of earlier versions do not name everything."""
    rest = {key: value for key, value in by_key.items() if key not in Selection().record()}
    return Wanted(**rest, selection=Selection.read(by_key))


def facts(project: Project, chosen: Choices) -> tuple[tuple[str, str], ...]:
    """Fingerprint, file, version, choices and the numbers of every answer, for the keywords of the PDF."""
    source = "" if project.reading is None else project.reading.source.sha256
    sentences = [
        ("data", project.fingerprint),
        ("fingerprint", str(FINGERPRINT)),
        ("file", source),
        ("version", VERSION),
        ("choices", chosen.text()),
    ]
    # Counted, not named, and in the order of the report: a report that calls raters by codes shall not give them away.
    for i, fit in enumerate(fits_told(project, chosen.raters_as)):
        sentences.append((f"numbers {i + 1}", numbers_of(fit)))
    how = recipe_of(project, naming(project, chosen.raters_as, chosen.cases_as))
    return (*sentences, (NAME, how)) if how else tuple(sentences)


def fits_told(project: Project, raters_as: RatersAs, *, salted: bool = True) -> tuple[Fit, ...]:
    """The fit of every answer of a project, its raters called and ordered as in a report."""
    called = naming(project, raters_as, salted=salted)
    return tuple(coded_fit(a.fit, called) for a in project.analyses if a.fit is not None)


def numbers_of(fit: Fit | None) -> str:
    """Model and estimates of a fit as one line: six digits each, ``-`` where there is none."""
    if fit is None:
        return ""
    values = (e.estimate.value for e in fit.estimates[:60])
    return " ".join([fit.model.name, *("-" if v is None else f"{v:.6g}" for v in values)])


def keywords(items: tuple[tuple[str, str], ...]) -> list[str]:
    """The facts as keywords."""
    return [f"{PREFIX} {name}: {value}".replace(",", _COMMA) for name, value in items]


def facts_of(content: bytes) -> dict[str, str]:
    """What tapdesk wrote into the keywords of a PDF, the newest of its revisions."""
    try:
        document = Document(content)
        info = document.get(document.trailer.get("Info")) or {}
        words = document.get(info.get("Keywords"))
        if isinstance(words, bytes):
            two = words.startswith(b"\xfe\xff")
            return from_keywords(words[2:].decode("utf-16-be", "replace") if two else words.decode("latin-1"))
    except (UnreadableError, ValueError, KeyError, IndexError, TypeError, AttributeError, zlib.error, RecursionError):
        pass
    # A damaged file may still hold its XMP packet, which is stored as plain text.
    hits = _KEYWORDS.search(content)
    return from_keywords(unescape(hits.group(1).decode("utf-8", "replace"))) if hits else {}


def facts_in(path: str | Path) -> dict[str, str]:
    """What tapdesk wrote into a PDF; empty where it cannot be read, or is a pipe or device that may never end."""
    try:
        return facts_of(Path(path).read_bytes()) if Path(path).is_file() else {}
    except OSError:
        return {}


def from_keywords(text: str) -> dict[str, str]:
    """The facts in the keywords of a PDF; empty where they are not ours."""
    table = {}
    for piece in text.split(","):
        name, sep, value = piece.strip().partition(": ")
        if sep and name.startswith(f"{PREFIX} "):
            table[name.removeprefix(f"{PREFIX} ")] = value.replace(_COMMA, ",")
    return table
