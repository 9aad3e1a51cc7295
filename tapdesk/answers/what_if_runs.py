"""What if, worked out: an analysis and the same one with something otherwise, or another file, as the window asks."""

from dataclasses import dataclass, replace
from pathlib import Path

from tapdesk.answers.what_if import WhatIf, what_if
from tapdesk.errors import TapdeskError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.models.model import Key
from tapdesk.progress import Run, Step
from tapdesk.project.files.file import is_project, load
from tapdesk.project.project import Analysis, Project
from tapdesk.project.review_state import refuse_blocking
from tapdesk.project.what_if import Variation, another_round, reading_differences
from tapdesk.studies.comparison import compare, matched_classes
from tapdesk.studies.what_if import Side, side_of

THIS = _("this analysis")


@dataclass(frozen=True, eq=False)
class WorkedOut:
    """What came of a question what if.

    Attributes
    ----------
    told
        The two analyses side by side, as they are shown.
    printed
        The same for a report: people are named in no sentence about a file that is not its own.
    first
        The first of the two, for the next question about it.
    """

    told: WhatIf
    printed: WhatIf
    first: Side


def _first(project: Project, analysis: Analysis | None, known: Side | None) -> Run[Side]:
    """The analysis that something else is set beside."""
    if known is not None:
        return known
    if analysis is None or analysis.fit is None or analysis.stale:
        raise TapdeskError(
            _("There is no answer to these {ratings} yet, so nothing can be set beside it.").format(),
            fix=_("Run the analysis first."),
        )
    return (yield from side_of(project.ratings, replace(analysis.request, redraws=False), analysis.fit))


def vary(
    project: Project, analysis: Analysis | None, variation: Variation, known: Side | None = None
) -> Run[WorkedOut]:
    """An analysis and the same one with something otherwise.

    Parameters
    ----------
    project, analysis
        The work, which stays as it is, and the analysis that is looked at.
    variation
        What is otherwise.
    known
        The analysis as one of two, where it was worked out for another question.

    Yields
    ------
    Step
        Phases ``fit`` to ``re-draws``.

    Raises
    ------
    TapdeskError
        When there is no answer yet, or the variation does not fit the ratings.
    """
    yield Step(0, 1, "fit")
    first = yield from _first(project, analysis, known)
    after = variation.apply(project)
    second = yield from side_of(after.ratings, variation.ask(first.request))
    request = first.request
    found = yield from compare(first, second, request.level, seed=request.seed)
    told = what_if(found, (THIS, variation.words), made_on=project.data_fingerprint)
    return WorkedOut(told, told, first)


def set_beside(project: Project, analysis: Analysis | None, path: str, known: Side | None = None) -> Run[WorkedOut]:
    """An analysis and that of another file, read and decided as the first was.

    Parameters
    ----------
    project, analysis, known
        As of `vary`.
    path
        A spreadsheet, or a project, which is taken as it was decided.

    Yields
    ------
    Step
        Of reading, and phases ``fit`` to ``re-draws``.

    Raises
    ------
    TapdeskError
        When there is no answer yet, or the file cannot be read, waits for an answer, or has other classes.
    """
    yield Step(0, 1, "fit")
    first = yield from _first(project, analysis, known)
    lost: tuple[str, ...] = ()
    if not path.startswith("sample:") and is_project(path):
        other = load(path)
    else:
        other, lost = yield from another_round(project, path)
    refuse_blocking(other)
    ratings = matched_classes(project.ratings, other.ratings)
    model = first.request.model
    asked = replace(first.request, model=replace(model, key=model.key if ratings.knows_answers else Key.UNUSED))
    second = yield from side_of(ratings, asked)
    found = yield from compare(first, second, asked.level, seed=asked.seed)
    names = THIS, Label(Path(path).name)
    made_on = project.data_fingerprint
    told = what_if(found, names, None, reading_differences(project, other, lost), made_on)
    printed = what_if(found, names, None, reading_differences(project, other, lost, named=False), made_on)
    return WorkedOut(told, printed, first)
