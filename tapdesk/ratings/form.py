"""A form: the questions a file holds, each read alone, and the parts of a file that are reported one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tapdesk.errors import CannotAnswerError, SeveralQuestionsError, TapdeskError, UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.findings import Finding, quoted_list
from tapdesk.ratings.layouts.roles import user_column
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import NO_OPTIONS, OpenFile, Reading, as_asked, opened, read_cells, refuse_what_asks
from tapdesk.ratings.table import RatingTable, frame_table
from tapdesk.ratings.trades.catalog import framed, settled

QUESTIONS = "*"
"""In place of a column: the questions of a form, wherever their names stand."""
_MOST_PARTS, _MOST_QUESTIONS = 40, 200


@dataclass(frozen=True, slots=True)
class FilePart:
    """One part: what it is called, and how the file is read to get it alone."""

    value: str
    options: ReadingOptions


@dataclass(frozen=True, eq=False)
class FormQuestion:
    """One question of a form.

    Attributes
    ----------
    name
        As the file has it.
    options
        How the file is read to get it alone.
    reading
        Its ratings and all that was noticed; None where it cannot be read.
    refused
        Why it cannot.
    """

    name: str
    options: ReadingOptions
    reading: Reading | None
    refused: str = ""


@dataclass(frozen=True, eq=False)
class Form:
    """Several questions of one file.

    Attributes
    ----------
    questions
        In the order of the file, those that cannot be read included.
    """

    questions: tuple[FormQuestion, ...]

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Those that were read."""
        return tuple(one.reading for one in self.questions if one.reading is not None)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was noticed, what several questions share once."""
        every = (finding for reading in self.readings for finding in reading.findings)
        return tuple({(f.code, str(f.where), str(f.message)): f for f in every}.values())


def form(path: str | Path, options: ReadingOptions = NO_OPTIONS) -> Run[Form]:
    """Every question of a file, each read alone.

    Parameters
    ----------
    path
        A file, or ``sample:NAME``.
    options
        What holds for all questions. Classes that a question does not know are no mistake: a question may have classes
        of its own, and one that everybody answered alike shows one class only.

    Yields
    ------
    Step
        Phase ``read``: questions read of all.

    Raises
    ------
    CannotAnswerError
        When the file holds one question.
    TapdeskError
        When it cannot be read, when it is not sure what its questions are, or when no question can be read.
    UsageError
        When an option names something that is nowhere in the file.
    """
    file = yield from opened(path, options)
    plain = replace(options, strict=False, question=None if options.question == QUESTIONS else options.question)
    parts = yield from _questions(file, plain)
    if len(parts) < 2:
        raise CannotAnswerError(
            _("This file has one question. Several appear here together."),
            file.place.name,
            _("Use 'tapdesk fit' or 'tapdesk report', or name the column of the questions with --question."),
        )
    items = []
    for done, part in enumerate(parts):
        yield Step(done, len(parts), "read")
        items.append((yield from _read_alone(file, part)))
    yield Step(len(parts), len(parts), "read")
    made = Form(_with_common_classes(tuple(items), options))
    if not made.readings:
        raise TapdeskError(items[0].refused, file.place.name)
    if options.strict:
        refuse_what_asks(made.findings, file.place.name)
    return made


def _questions(file: OpenFile, options: ReadingOptions) -> Run[tuple[FilePart, ...]]:
    """How each question of a file is read; one part where it holds one question."""
    # What classes there are, and their order, is a matter of each question.
    each = yield from _choices(file, replace(options, order=None, class1=None, class0=None))
    if len(each) > _MOST_QUESTIONS:
        raise TapdeskError(
            _("There are {n} questions; at most {most} can be set side by side.").format(
                n=len(each), most=_MOST_QUESTIONS
            ),
            file.place.name,
            _("Check the layout (--layout), or choose rows with --where."),
        )
    return tuple(FilePart(name, replace(options, **changes)) for name, changes in each)


def _choices(file: OpenFile, options: ReadingOptions) -> Run[Sequence[tuple[str, Mapping[str, Any]]]]:
    """Every question with the options that read it alone."""
    try:
        reading = yield from read_cells(file, options)
    except SeveralQuestionsError as several:
        if not several.sure:
            raise
        return several.each
    by_code = {f.code: f for f in reading.findings}
    if options.question is None and (rows := by_code.get("rows_of_questions")) is not None:
        return (yield from _choices(file, replace(options, question=rows.about[0][0])))
    if (columns := by_code.get("several_questions")) is not None:
        return [(question, {"layout": Layout.RATERS, "only": question}) for question, *_own in columns.about]
    return ((file.place.name, {}),)


def _read_alone(file: OpenFile, part: FilePart) -> Run[FormQuestion]:
    """One question; where it cannot be read, why."""
    try:
        reading = yield from read_cells(file, part.options, _sides)
    except UsageError:
        raise
    except TapdeskError as problem:
        if part.options.order is None:
            return FormQuestion(part.value, part.options, None, problem.what)
        # The order of other questions is none of this one's, where it knows none of their classes.
        own = yield from _read_alone(file, FilePart(part.value, replace(part.options, order=None)))
        if own.reading is None or not set(own.reading.as_read.classes) & set(part.options.order):
            return own
        return FormQuestion(part.value, part.options, None, problem.what)
    return FormQuestion(part.value, part.options, reading)


def _sides(ratings: Ratings, options: ReadingOptions) -> Ratings:
    """The counted classes against the others, as far as the question knows them; else the ratings as they are."""
    if options.class1 is None:
        return ratings
    class1 = tuple(c for c in options.class1 if c in ratings.classes)
    class0 = None if options.class0 is None else tuple(c for c in options.class0 if c in ratings.classes)
    others = [c for c in ratings.classes if c not in class1] if class0 is None else class0
    if not class1 or not others:
        return ratings
    return as_asked(ratings, replace(options, class1=class1, class0=class0))


def _with_common_classes(questions: tuple[FormQuestion, ...], options: ReadingOptions) -> tuple[FormQuestion, ...]:
    """The questions, those that everybody answered alike with the classes of the others.

    Raises
    ------
    UsageError
        When a counted class is in no question.
    """
    scales = [one.reading.as_read for one in questions if one.reading is not None]
    named = {*(options.class1 or ()), *(options.class0 or ())}
    unknown = [c for c in named if not any(c in scale.classes for scale in scales)]
    if unknown and scales:
        raise UsageError(
            _("There is no class '{label}'.").format(label=Label(unknown[0])),
            fix=_("The classes are: {classes}.").format(
                classes=quoted_list(list(dict.fromkeys(c for scale in scales for c in scale.classes)), 20)
            ),
        )
    return tuple(_with_classes_of(one, scales, options) for one in questions)


def _with_classes_of(one: FormQuestion, scales: Sequence[Ratings], options: ReadingOptions) -> FormQuestion:
    """A question that knows no other side, on the scale of the others that know all of its classes."""
    if one.reading is None:
        return one
    own = one.reading.as_read
    same = len(own.classes) == 1
    uncounted = options.class1 is not None and len(own.classes) > 1 and not set(own.classes) & set(options.class1)
    if not same and not uncounted:
        return one
    like = [s for s in scales if len(s.classes) > len(own.classes) and set(own.classes) <= set(s.classes)]
    if not like:
        return one
    scale = min(like, key=lambda s: len(s.classes))
    read = own.with_order(scale.classes, ordered=scale.ordered)
    return replace(one, reading=replace(one.reading, as_read=read, ratings=_sides(read, options)))


def file_parts(path: str | Path, options: ReadingOptions, column: str) -> Run[tuple[FilePart, ...]]:
    """The parts of a file, in the order in which they appear.

    Parameters
    ----------
    path
        A file, or ``sample:NAME``.
    options
        How the whole file is read.
    column
        The column whose texts name the parts; ``*`` for the questions of a form.

    Raises
    ------
    TapdeskError
        When the file cannot be read, or there are no parts or too many of them.
    UsageError
        When there is no such column.
    """
    file = yield from opened(path, options)
    if column == QUESTIONS:
        made = yield from _questions(file, options)
        table = None
    else:
        table = _table(file, options)
        name = user_column(table, column, "--each")
        values = [v.strip() for v in table.column(name).values if v.strip()]
        made = tuple(FilePart(value, _only(options, name, value)) for value in dict.fromkeys(values))
    yield Step(1, 1, "read")
    if not 2 <= len(made) <= _MOST_PARTS:
        raise TapdeskError(
            _("The column '{column}' names {made} parts; there can be 2 to {most} reports.").format(
                column=Label(column), made=len(made), most=_MOST_PARTS
            ),
            file.place.name,
            ""
            if table is None
            else _("Choose a column that names groups; the columns are {names}.").format(
                names=quoted_list(table.names, 20)
            ),
        )
    return made


def _table(file: OpenFile, options: ReadingOptions) -> RatingTable:
    """The table of a file, without what the program that wrote it put beside the answers."""
    frame = framed(file.export, options)
    whole, _findings = frame_table(file.loaded.grid, file.place.name, frame)
    return settled(file.export, file.loaded, whole, frame)[1]


def _only(options: ReadingOptions, column: str, value: str) -> ReadingOptions:
    if options.question == column:
        return replace(options, only=value)
    return replace(options, where=(*options.where, (column, value)))
