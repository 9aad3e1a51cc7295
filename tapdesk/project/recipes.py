"""How a file was read and its classes were put in order, remembered for the next file of the same shape."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

from tapdesk.errors import TapdeskError
from tapdesk.language import Label, joined
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import Decision, DecisionStatus, LeaveAsRead
from tapdesk.project.decisions.classes import (
    CountAsAbstention,
    DeclareClass,
    MergeClasses,
    RenameClass,
    ReorderClasses,
    SetClass1,
    TreatAsMissing,
)
from tapdesk.project.decisions.ratings import LeaveOutRaters, LeaveOutSubjects
from tapdesk.project.files.codec import DamagedError, Reader, Writer, no_array
from tapdesk.project.fixes.catalog import fixes
from tapdesk.project.project import Project
from tapdesk.project.review_state import finding_states
from tapdesk.ratings.findings import quoted_list
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import Reading

KEPT = 40
# Decisions about classes hold for the next file as well. Those about cases and raters do so only where they answered
# what was noticed, such as a row of totals, and then for what is noticed there: the next file has other cases.
_PORTABLE = (SetClass1, ReorderClasses, DeclareClass, MergeClasses, RenameClass, TreatAsMissing, CountAsAbstention)
_LEFT_OUT = (LeaveOutSubjects, LeaveOutRaters)
_NOTHING = ReadingOptions()


@dataclass(frozen=True)
class Recipe:
    """The choices for files of one shape.

    Attributes
    ----------
    shape
        Of the file, see `shape_of`.
    name
        The file the choices were made for.
    when
        Local date and time in ISO form.
    options
        How it was read, as far as the user said so.
    decisions
        What was decided about its classes, what was left out and what was left as read, in order.
    codes
        For each decision that answered a finding the code of that finding, else an empty text.
    of_all
        For each decision whether it holds for every question of a form.
    """

    shape: tuple[str, ...]
    name: str
    when: str
    options: ReadingOptions
    decisions: tuple[Decision, ...] = ()
    codes: tuple[str, ...] = ()
    of_all: tuple[bool, ...] = ()

    @property
    def answers(self) -> tuple[tuple[Decision, str, bool], ...]:
        """Each decision with the code of the finding it answered, and whether it holds for every question."""
        size = len(self.decisions)
        return tuple(zip(self.decisions, (*self.codes, *[""] * size), (*self.of_all, *[False] * size), strict=False))

    @property
    def words(self) -> tuple[str, ...]:
        """What was chosen, a few words each."""
        sentences = [words for _name, words in stated_options(replace(self.options, last=None))]
        if self.options.last is not None:
            above = _("only what stands above a second table")
            sentences.append(above if self.options.last else _("all rows are read"))
        count = sum(isinstance(d, _PORTABLE) for d in self.decisions)
        if count:
            sentences.append(
                _("1 decision about the classes")
                if count == 1
                else _("{n} decisions about the classes").format(n=count)
            )
        names = [name for d in self.decisions if isinstance(d, _LEFT_OUT) for name in d.names]
        if names:
            sentences.append(_("left out: {names}").format(names=quoted_list(names, 4)))
        kept = sum(isinstance(d, LeaveAsRead) for d in self.decisions)
        if kept:
            sentences.append(_("1 thing left as read") if kept == 1 else _("{n} things left as read").format(n=kept))
        return tuple(sentences)


_WORDS = {
    "layout": _("layout"),
    "subject": _("case column"),
    "rater": _("rater column"),
    "rating": _("rating column"),
    "question": _("question column"),
    "only": _("question"),
    "columns": _("rating columns"),
    "sheet": _("sheet"),
    "encoding": _("encoding"),
    "delimiter": _("columns split by"),
    "decimal": _("decimal mark"),
    "missing": _("missing codes"),
    "raters_are": _("raters are"),
    "count": _("count column"),
    "header": _("header row"),
    "hidden": _("hidden rows are read"),
    "uneven": _("uneven rows"),
    "fill_down": _("a blank case is that of the row above"),
    "header_rows": _("rows of the header"),
    "where": _("only rows where"),
    "last": _("last row"),
    "where_not": _("no rows where"),
    "known": _("known answers"),
    "known_sheet": _("sheet with the known answers"),
    "rater_sheet": _("sheet of one more rater"),
    "known_as": _("known answers read as"),
    "known_by": _("who wrote the known answers"),
    "label": _("label asked about"),
    "unordered": _("classes without an order"),
    "blank": _("a blank cell means"),
    "abstain": _("abstentions"),
    "keep_summaries": _("what looks like summaries counts as ratings"),
}


def stated_options(options: ReadingOptions) -> tuple[tuple[str, str], ...]:
    """What the user said about reading: the name of each option, and it in words."""
    return tuple(
        (f.name, _("{what}: {value}").format(what=_WORDS[f.name], value=_value_words(getattr(options, f.name))))
        for f in fields(options)
        if f.name in _WORDS and getattr(options, f.name) != getattr(_NOTHING, f.name)
    )


def _value_words(value: object) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, tuple) and value and isinstance(value[0], tuple):
        return joined(
            *(_("{column} = {value}").format(column=Label(c), value=Label(v)) for c, v in value), sep=_(" and ")
        )
    if isinstance(value, tuple):
        return quoted_list([str(v) for v in value], 4) if value else _("none")
    text = str(getattr(value, "value", value))
    return {"\t": _("tab"), "": _("none")}.get(text, text)


def shape_of(reading: Reading) -> tuple[str, ...]:
    """What files that can be read alike have in common: their layout and the names of their columns."""
    return (reading.source.layout.value, *reading.preview.header)


def recipe_of(project: Project, shape: tuple[str, ...], when: str) -> Recipe | None:
    """The choices made in a project; None where none was made that the next file could use."""
    reading = project.reading
    if reading is None:
        return None
    known = _answered(project)
    kept = [
        (entry.decision, known.get(entry.id, ""), bool(project.form) and not entry.question)
        for entry, row in zip(project.in_force, project.log, strict=True)
        if row.standing is DecisionStatus.IN_FORCE
        and (isinstance(entry.decision, (*_PORTABLE, LeaveAsRead)) or entry.id in known)
    ]
    options = replace(reading.asked, strict=False)
    if options == _NOTHING and not kept:
        return None
    decisions, codes, of_all = (tuple(row) for row in zip(*kept, strict=True)) if kept else ((), (), ())
    return Recipe(shape, reading.source.name, when, options, decisions, codes, of_all)


def options_for(recipe: Recipe, reading: Reading) -> ReadingOptions:
    """The reading options of a recipe for a file: it has as many rows as it has, so where it ends is told by the file.

    Parameters
    ----------
    recipe
        Where a last row was named, a further table that begins below one is left out here as well.
    reading
        The file as it was opened.
    """
    if not recipe.options.last:
        return recipe.options
    rows = [int(row) for f in reading.findings if f.code == "second_table" for (row,) in f.about[:1]]
    return replace(recipe.options, last=rows[0] - 1 if rows else None)


def _answered(project: Project) -> dict[int, str]:
    """For each decision that left something out and answered a finding by that: the code of the finding."""
    reading = project.reading
    if reading is None:
        return {}
    left = {d.id: d.decision for d in project.in_force if isinstance(d.decision, _LEFT_OUT)}
    by_key: dict[int, str] = {}
    for state in finding_states(project) if left else ():
        decision = None if state.done is None else left.get(state.done.id)
        if state.done is None or decision is None:
            continue
        offered = fixes(state.finding, reading, reading.as_read)
        # The finding may be settled by the way: a case among others was left out for another reason.
        if any(type(fix.decision) is type(decision) and fix.decision == decision for fix in offered):
            by_key.setdefault(state.done.id, state.finding.code)
    return by_key


def apply_recipe(project: Project, recipe: Recipe) -> tuple[Project, tuple[str, ...]]:
    """The project with the decisions of a recipe, and those that do not fit its ratings, in words."""
    left = []
    for earlier, code, of_all in recipe.answers:
        for decision in _anew(project, earlier, code):
            reason = _("As for {name}.").format(name=recipe.name)
            try:
                project = project.decide(decision, reason=reason, everywhere=of_all)
            except TapdeskError as problem:
                left.append(joined(decision.words(project.all_classes), _why_not(project, decision, problem)))
    return project, tuple(left)


def _why_not(project: Project, decision: Decision, problem: TapdeskError) -> str:
    """Why a decision of an earlier file does not go with this one."""
    if isinstance(decision, ReorderClasses):
        ratings = project.all_classes
        used = {ratings.classes[k] for k in set(ratings.category.tolist())}
        if unknown := [name for name in ratings.classes if name in used and name not in decision.order]:
            return _("The remembered order does not know the class {names}.").format(names=quoted_list(unknown[:1]))
    return problem.what


def _anew(project: Project, earlier: Decision, code: str) -> Iterator[Decision]:
    """A decision of an earlier file as it is made about this one; none where it answers what is not noticed here."""
    reading = project.reading
    findings = () if reading is None else reading.findings
    if isinstance(earlier, LeaveAsRead):
        if any((f.code, f.about) == (earlier.code, earlier.about) for f in findings):
            yield earlier
    elif not code or reading is None:
        yield earlier
    else:
        for finding in findings:
            offered = fixes(finding, reading, project.all_classes) if finding.code == code else ()
            same = [f.decision for f in offered if f.decision is not None and type(f.decision) is type(earlier)]
            # Of two twins the same one is left out; of a row of totals there is one only, whatever it is called.
            yield from (earlier,) if earlier in same else same[:1]


def add_recipe(recipes: Sequence[Recipe], one: Recipe) -> tuple[Recipe, ...]:
    """The recipes with one on top, in the place of an earlier one for the same shape."""
    return (one, *(r for r in recipes if r.shape != one.shape))[:KEPT]


def for_shape(recipes: Sequence[Recipe], shape: tuple[str, ...]) -> Recipe | None:
    """The recipe for a shape, if there is one."""
    return next((r for r in recipes if r.shape == shape), None)


def recipes_text(recipes: Sequence[Recipe]) -> str:
    """Recipes as text."""
    writer = Writer()
    return json.dumps([writer.plain(r) for r in recipes], ensure_ascii=False)


def recipes_of_text(text: str) -> tuple[Recipe, ...]:
    """Recipes from a text; those that cannot be understood are left out."""
    try:
        rows = json.loads(text)
    except ValueError:
        return ()
    items = []
    for row in rows if isinstance(rows, list) else []:
        try:
            items.append(Reader(no_array).value(row, Recipe))
        except DamagedError:
            continue
    return tuple(items[:KEPT])
