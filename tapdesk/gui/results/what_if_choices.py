"""What may be asked in the pane of what if: rows under heads, and the words of each.

It stands alone because it knows projects and models, and nothing of widgets.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tapdesk.answers import numbers
from tapdesk.errors import TapdeskError
from tapdesk.language import Label, Number, RaterName, joined
from tapdesk.language import gettext as _
from tapdesk.models.model import GRID_MODELS, MODELS, Accuracy, RaterModel
from tapdesk.project.project import Analysis, Project
from tapdesk.project.what_if import (
    MergedClasses,
    OnlyAccurate,
    Variation,
    WithModel,
    WithoutDecision,
    WithoutGroup,
    WithoutRaters,
)
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.accurate_raters import LEAST
from tapdesk.studies.analysis import refusal
from tapdesk.studies.subsets import GAP, groups

_MOST_RATERS, _MOST_GROUPS, _MOST_CLASSES = 60, 8, 6
_LONGEST = 44
# Of raters who are not told apart yet, and how many of them have to stay.
_USUAL_LEAST, _FEWEST_LEFT = (0.5,), 2


@dataclass(frozen=True, slots=True)
class OtherFiles:
    """Other files, each read and decided as this one: one is set against it, several are rounds in the order of time.

    Attributes
    ----------
    paths
        The files in the order of time.
    place
        Where the file that is open stands among them.
    """

    paths: tuple[str, ...]
    place: int = 0

    @property
    def words(self) -> str:
        """What they are called."""
        names = [Label(Path(path).name) for path in self.paths]
        return names[0] if len(names) == 1 else _("all rounds: {names}").format(names=joined(*names, sep=", "))


Question = Variation | OtherFiles


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of one kind under a head."""

    title: str
    questions: tuple[Question, ...]


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key by which names stand in the order in which people count: round 2 before round 10."""
    parts = re.split(r"(\d+)", name.casefold())
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts if part)


def rounds_of(project: Project, paths: Sequence[str]) -> OtherFiles:
    """Files in the order of their names, and where the open one stands among them."""
    ordered = tuple(sorted(dict.fromkeys(paths), key=lambda path: natural(Path(path).stem)))
    if len(ordered) < 2 or project.reading is None:
        return OtherFiles(ordered)
    mine = natural(Path(project.reading.source.name).stem)
    return OtherFiles(ordered, sum(natural(Path(path).stem) < mine for path in ordered))


def choices(project: Project, analysis: Analysis | None, more: Sequence[Question] = ()) -> tuple[Group, ...]:
    """What may be asked of a project, under heads; groups without a row are left out.

    Parameters
    ----------
    project
        The work.
    analysis
        The one that is looked at.
    more
        What was asked besides: other files, other models.
    """
    ratings = project.ratings
    raters: list[Question] = []
    if ratings.raters_known and 2 < len(ratings.raters) <= _MOST_RATERS:
        raters = [WithoutRaters((name,)) for name in ratings.raters]
    chosen: list[Question] = []
    if len(raters) > 2:
        chosen = [OnlyAccurate(least) for least in _least_of(analysis, ratings)]
    classes = project.all_classes.classes
    merged: list[Question] = []
    if project.class1 is None and 2 < len(classes) <= _MOST_CLASSES:
        merged = [MergedClasses(pair) for pair in pairwise(classes)]
    models: list[Question] = []
    if analysis is not None and ratings.raters_known and len(ratings.raters) > 2:
        each = analysis.request.model.accuracy is Accuracy.PER_RATER
        models = [WithModel("t-a-p" if each else "t-aj-pj")]
    parts = _parts(ratings)
    decisions: list[Question] = [WithoutDecision(row.id) for row in project.log if row.standing.name == "IN_FORCE"]
    files: list[Question] = [one for one in more if isinstance(one, OtherFiles)]
    single = [path for one in files if isinstance(one, OtherFiles) and len(one.paths) == 1 for path in one.paths]
    if len(single) > 1 and (rounds := rounds_of(project, single)) not in files:
        files.append(rounds)
    rows = (
        Group(_("One {rater} is left out").format(), (*raters, *_besides(more, WithoutRaters, raters))),
        Group(_("Only accurate {raters} count").format(), tuple(chosen)),
        Group(_("One group is left out"), (*parts, *_besides(more, WithoutGroup, parts))),
        Group(_("Two classes are one"), (*merged, *_besides(more, MergedClasses, merged))),
        Group(_("Another model of the same {ratings}").format(), (*models, *_besides(more, WithModel, models))),
        Group(_("A decision is taken back"), tuple(decisions)),
        Group(_("Another round"), tuple(files)),
    )
    return tuple(row for row in rows if row.questions)


def _least_of(analysis: Analysis | None, ratings: Ratings) -> tuple[float, ...]:
    """The accuracies that may be asked of raters: those that part them, where the answer tells each rater's."""
    fit = None if analysis is None else analysis.fit
    if fit is None or fit.model.accuracy is not Accuracy.PER_RATER:
        return _USUAL_LEAST
    values = [e.estimate.value for e in fit.estimates if e.name.name == "a" and e.name.rater in ratings.raters]
    known = sorted(value for value in values if value is not None)
    return tuple(least for least in LEAST if known and known[0] < least <= known[-_FEWEST_LEFT:][0])


def _besides(more: Sequence[Question], kind: type[Variation], rows: Sequence[Question]) -> list[Question]:
    """What was asked besides of one kind."""
    return [one for one in more if isinstance(one, kind) and one not in rows]


def _parts(ratings: Ratings) -> list[Question]:
    """Each group of each further column that may be left out."""
    rows: list[Question] = []
    for column in ratings.covariates.values():
        if column.name == ratings.known:
            continue
        try:
            known = groups(ratings, column.name, _MOST_GROUPS)
        except TapdeskError:
            continue
        if len(known) > 1:
            rows += [WithoutGroup(column.name, group.value) for group in known if group.value != GAP]
    return rows


def row_words(question: Question, project: Project) -> str:
    """What a row is called below its head."""
    if isinstance(question, WithModel):
        known = {"t-a-p": _("One accuracy for all"), "t-aj-pj": _("An accuracy for each {rater}").format()}
        return known.get(question.name, question.words)
    if isinstance(question, WithoutDecision):
        row = next((one for one in project.log if one.id == question.number), None)
        return question.words if row is None else numbers.short(row.words, _LONGEST)
    if isinstance(question, OtherFiles) and len(question.paths) > 1:
        return _("All {n} rounds").format(n=len(question.paths) + 1)
    return _short_words(question)


def _short_words(question: Question) -> str:
    """What a row is called where its head says the rest."""
    if isinstance(question, WithoutRaters):
        return joined(*map(RaterName, question.names), sep=", ")
    if isinstance(question, OnlyAccurate):
        return _("Accuracy of at least {least}").format(least=Number(f"{question.least:g}"))
    if isinstance(question, MergedClasses):
        return joined(*map(Label, question.labels), sep=" + ")
    return question.words


def other_models(project: Project, analysis: Analysis) -> list[tuple[WithModel, RaterModel, str]]:
    """Every other model that may be asked of the same ratings, and why it cannot where that is so.

    A model of groups stands once for each further column.
    """
    ratings, now = project.ratings, analysis.request.model
    columns = [one.name for one in ratings.covariates.values() if one.name != ratings.known]
    rows: list[tuple[WithModel, RaterModel, str]] = []
    for row in (*MODELS, *GRID_MODELS):
        if row.name == now.name:
            continue
        for column in columns if row.by_group else [""]:
            question = WithModel(row.name, column)
            rows.append((question, row, refusal(ratings, question.ask(analysis.request)) or ""))
    return rows
