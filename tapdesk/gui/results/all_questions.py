"""What came of setting all questions of a form side by side in the window, and the one report that is made of it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeAlias

from tapdesk.answers import criteria as words
from tapdesk.answers.naming import Naming, RatersAs
from tapdesk.answers.question_columns import USUAL, TableCoefficient
from tapdesk.errors import TapdeskError
from tapdesk.gui.shell.opening import options_of_form
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.project.decisions.classes import SetClass1
from tapdesk.project.form import form_of
from tapdesk.project.project import Project
from tapdesk.project.review_state import refuse_blocking_of_form
from tapdesk.ratings.form import Form, form
from tapdesk.ratings.ratings import fingerprint
from tapdesk.ratings.samples import source_place
from tapdesk.report.form_recipe import FormRecipe
from tapdesk.report.form_report import form_names, form_report
from tapdesk.report.report import Report
from tapdesk.studies.criteria import CriterionNumbers, CriterionRow, RaterAcross, criteria, judge
from tapdesk.studies.parallel import thin_steps
from tapdesk.studies.pooled_raters import raters_across

NOTHING: Mapping[Any, CriterionNumbers] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class AllQuestions:
    """What came of a form: its questions beside each other, its raters over all of them, and what these are called."""

    form: Form
    rows: tuple[CriterionRow, ...]
    raters: tuple[RaterAcross, ...] = ()
    names: Naming = field(default_factory=Naming)
    recipe: FormRecipe | None = None
    worked: "Mapping[QuestionKey, CriterionNumbers]" = field(default_factory=dict)


# What the numbers of a question follow from: name, ratings, raters as they are called, questions, level, seed.
QuestionKey: TypeAlias = tuple[str, str, tuple[str, ...], int, float, int]


def all_questions(
    project: Project, names: Naming, level: float, seed: int, worked: Mapping[QuestionKey, CriterionNumbers] = NOTHING
) -> Run[AllQuestions]:
    """Read the file of a project as a form and set all its questions side by side.

    Parameters
    ----------
    project
        Its form, each question as it was decided about it. Where it holds one question only the file is read for the
        others, and of what was decided the counted class holds for all of them that know it.
    names
        What raters are called on screen; where they have codes and the form knows more of them, all have codes.
    level, seed
        As of `tapdesk.studies.criteria.criteria`.
    worked
        Numbers that were worked out before, by what they follow from.

    Yields
    ------
    Step
        With ``found``, the questions that are done by now, in ``values`` whenever there is one more.
    """
    reading = project.reading
    if reading is None:
        raise TapdeskError(_("The project holds no {ratings}."))
    refuse_blocking_of_form(project)
    decided = project.replayed
    request = replace(options_of_form(reading), class1=decided.class1, class0=decided.class0)
    whole = form_of(project) if project.form else (yield from form(source_place(reading.source), request))
    as_read = not project.form or all(isinstance(d.decision, SetClass1) for d in project.in_force)
    if names.codes and any(r not in names.codes for one in whole.readings for r in one.as_read.raters):
        names = form_names(whole, RatersAs.CODES)
    questions = words.criteria_of(whole, names)
    keys = [
        (one.name, fingerprint(one.ratings), tuple(one.ratings.raters), len(questions), level, seed)
        for one in questions
    ]
    kept = {place: worked[key] for place, key in enumerate(keys) if key in worked}
    run, sentence = thin_steps(criteria(questions, level, seed, kept=kept)), 0
    while True:
        try:
            step = next(run)
        except StopIteration:
            break
        values = {}
        if len(kept) > sentence:
            sentence = len(kept)
            done = {keys[i]: kept[i] for i in sorted(kept)}
            values = {"found": AllQuestions(whole, judge(tuple(done.values())), worked=done)}
        yield Step(len(kept), len(questions), step.phase, values)
    rows = judge((*(kept[i] for i in sorted(kept)), *words.unread(whole)))
    recipe = FormRecipe(request, RatersAs.NAMES.value, level, seed) if as_read and not names.codes else None
    raters = yield from raters_across(questions, rows, level)
    return AllQuestions(whole, rows, raters, names, recipe, {key: kept[place] for place, key in enumerate(keys)})


def report_of(questions: AllQuestions, own_pages: Collection[str] = (), chosen: TableCoefficient = USUAL) -> Report:
    """The one report of a form that was set side by side; with names its data file verifies it.

    Parameters
    ----------
    questions
        What came of the form.
    own_pages
        The names of the questions that have a page of their own.
    chosen
        The coefficient of the table.
    """
    by_name = {row.name: row.numbers for row in questions.rows}
    read = tuple(by_name[one.name] for one in questions.form.questions if one.reading is not None)
    if questions.recipe is None:
        return form_report(questions.form, read, questions.names, own_pages=own_pages, chosen=chosen)
    names = form_names(questions.form, RatersAs.NAMES)
    recipe = replace(questions.recipe, own_pages=tuple(own_pages), coefficient=chosen.name).text(names.secrets)
    return form_report(questions.form, read, names, recipe=recipe, own_pages=own_pages, chosen=chosen)
