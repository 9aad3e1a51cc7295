"""A report for each question of a file, or for each group: made one after the other, written at the end."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from tapdesk.answers.faults import listed
from tapdesk.answers.forbidden import guard
from tapdesk.answers.naming import RatersAs
from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.project.files.outputs import CAREFUL, Outputs
from tapdesk.project.project import Analysis, Project
from tapdesk.project.review_state import refuse_blocking
from tapdesk.ratings.form import QUESTIONS, FilePart
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read
from tapdesk.report.forms.write import content
from tapdesk.report.report import Form, Report, spared
from tapdesk.report.setup import arranged, prepare
from tapdesk.studies.analysis import Request, analyse, refusal

Ask = Callable[[Ratings], tuple[Request, ...]]


@dataclass(frozen=True, slots=True)
class Made:
    """The report of one part: its file, or why there is none; what a bug of ours left out of it."""

    value: str
    path: Path | None = None
    fingerprint: str = ""
    refused: str = ""
    missing: str = ""


def part_project(
    whole: Project, path: str | Path, part: FilePart, column: str, ask: Ask, question: str = ""
) -> Run[Project]:
    """The project of one part: read alone, with the decisions and words of the whole, and answered.

    Parameters
    ----------
    whole
        Its title, decisions and words are taken over.
    path
        The file of the whole.
    part
        Which part, and how to read it.
    column
        The column that names the parts.
    ask
        The requests to try on the ratings of a part, the wanted one first: the next one is taken where the design
        cannot answer the one before.
    question
        Key of the question they answer; empty where none was named.

    Raises
    ------
    TapdeskError
        When the part cannot be read, or none of the requests can be answered.
    """
    reading = yield from read(path, part.options)
    name = part.value if column == QUESTIONS else f"{column} {part.value}"
    title = f"{whole.title or reading.source.name.rsplit('.', 1)[0]}: {name}"
    project = replace(whole, analyses=(), title=title)
    # Where the whole is open its decisions hold; else what was said about the classes is decided here.
    project = project.with_reading(reading) if whole.reading is None else replace(project, reading=reading)
    refuse_blocking(project)
    left = ""
    for request in ask(project.ratings):
        left = refusal(project.ratings, request) or ""
        if left:
            continue
        fit = yield from analyse(project.ratings, request)
        answered = project.with_analysis(Analysis("main", request, fit, run_at=_now(), question=question))
        if fit.identification.by_design:
            return answered
        project = replace(answered, analyses=answered.analyses[-1:])
    if not project.analyses:
        raise TapdeskError(left or _("No model can be fitted to these {ratings}."), name)
    return project


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")


def part_reports(
    whole: Project,
    path: str | Path,
    parts: tuple[FilePart, ...],
    column: str,
    ask: Ask,
    target: Path,
    raters_as: RatersAs = RatersAs.NAMES,
    arrange: Callable[..., Report] = arranged,
    outputs: Outputs = CAREFUL,
    form: Form = Form.FULL,
    question: str = "",
) -> Run[tuple[Made, ...]]:
    """Write the report of every part beside a path, each named after its part.

    Yields
    ------
    Step
        Phase ``parts``, and the phases of reading, fitting and preparing.

    Raises
    ------
    TapdeskError
        When the place cannot be written.
    """
    mades: list[Made] = []
    ready: list[tuple[Path, bytes]] = []
    for i, part in enumerate(parts):
        yield Step(i, len(parts), "parts")
        try:
            project = yield from part_project(whole, path, part, column, ask, question)
        except TapdeskError as problem:
            mades.append(Made(part.value, refused=problem.what))
            continue
        extras = yield from prepare(project, form=form)
        made = arrange(project, extras, raters_as=raters_as)
        # The number keeps parts apart whose names look alike once unusual signs are gone.
        plain = re.sub(r"[^\w.-]+", "_", part.value).strip("_.")[:40]
        place = target.with_stem("-".join(p for p in (target.stem, f"{i + 1:02d}", plain) if p))
        guard(made.secrets, ((_("the name of the file"), plain),))
        made, inside = spared(made, partial(content, suffix=target.suffix))
        ready.append((place, inside))
        mades.append(Made(part.value, place, made.fingerprint, missing=listed(made.faults)))
    yield Step(len(parts), len(parts), "parts")
    # Written only now: a run that is stopped leaves no half of the reports.
    outputs.save_all(ready)
    return tuple(mades)
