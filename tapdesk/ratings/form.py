"""A form: the questions a file holds, each read alone."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tapdesk.errors import CannotAnswerError, SeveralQuestionsError, TapdeskError, UsageError
from tapdesk.language import Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.checks.names import question_called_like_sum
from tapdesk.ratings.checks.rest import REST, REST_OF_FORM, rest_of_form
from tapdesk.ratings.findings import Finding, Severity, ask, label_text, name_list, note, quoted_list, refuse_what_asks
from tapdesk.ratings.label_sets import as_asked, label_sets, labels_named, of_label, yes_or_no
from tapdesk.ratings.layouts.two_readings import all_questions_of
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import NO_OPTIONS, OpenFile, Reading, about_label, opened, read_cells
from tapdesk.ratings.shared_codes import codes_asked_once, spellings_asked_once, without_codes_elsewhere

WITHOUT = "--without"
LEFT_OUT = frozenset({"questions_left_out", REST_OF_FORM})
"""Codes of what is said of a form about what is left out of it."""
OF_FORMS = LEFT_OUT | {"agreed_on", "sheets_as_questions", "labels_as_questions"}
"""Codes of what is said of a form as a whole."""
QUESTIONS = "*"
"""In place of a column: the questions of a form, wherever their names stand."""
_MOST_QUESTIONS = 200


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
    remarks
        What was noticed of the file besides its questions.
    """

    questions: tuple[FormQuestion, ...]
    remarks: tuple[Finding, ...] = ()

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Those that were read."""
        return tuple(one.reading for one in self.questions if one.reading is not None)

    @property
    def sets(self) -> Ratings | None:
        """The ratings as sets of labels, where each label is a question; else None."""
        return next((r.sets for r in self.readings if r.sets is not None), None)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was noticed, what several questions share once."""
        every = (*self.remarks, *(finding for reading in self.readings for finding in reading.findings))
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
    sheets = None if plain.question is not None else (yield from _sheets(path, file, plain))
    if sheets is not None:
        return _whole(_without(sheets, options.without), options, file.place.name)
    parts = yield from question_parts(file, replace(plain, label=None))
    if len(parts) < 2 and (labels := (yield from _labels(file, plain))) is not None:
        whole = _without(labels, options.without)
        return _whole(whole, replace(options, class1=None, class0=None), file.place.name)
    if len(parts) < 2:
        raise CannotAnswerError(
            _("This file has one question. Several appear here together."),
            file.place.name,
            _("Use 'tapdesk fit' or 'tapdesk report', or name the column of the questions with --question."),
        )
    items = []
    for done, part in enumerate(parts):
        yield Step(done, len(parts), "read")
        items.append((yield from _read_alone(file, replace(part, options=replace(part.options, label=plain.label)))))
    _refuse_unknown_label(items, plain.label)
    yield Step(len(parts), len(parts), "read")
    rest = _without(Form(tuple(items)), options.without)
    rest = replace(rest, remarks=(*rest.remarks, *_agreed_on(rest.questions)))
    return _whole(rest, options, file.place.name)


def _without(made: Form, names: Sequence[str]) -> Form:
    """A form without some of its questions, which a remark names with their ratings.

    Raises
    ------
    UsageError
        When one of them is no question, or fewer than two would be left.
    """
    if not names:
        return made
    known = {one.name.strip().casefold(): one for one in made.questions}
    unknown = next((name for name in names if name.strip().casefold() not in known), None)
    if unknown is not None:
        raise UsageError(
            _("There is no question '{name}'.").format(name=Label(unknown)),
            WITHOUT,
            _("The questions are {names}.").format(names=quoted_list([one.name for one in made.questions], 20)),
        )
    gone = {known[name.strip().casefold()].name: known[name.strip().casefold()] for name in names}
    rest = tuple(one for one in made.questions if one.name not in gone)
    if len(rest) < 2:
        raise UsageError(
            _("Fewer than two questions would be left, so there is nothing to set side by side."),
            WITHOUT,
            _("Read one question by itself (--only)."),
        )
    return replace(made, questions=rest, remarks=(*made.remarks, _left_out(tuple(gone.values()))))


def _left_out(questions: Sequence[FormQuestion]) -> Finding:
    """That questions are left out, with their ratings."""
    ratings = [0 if one.reading is None else one.reading.as_read.rating_count for one in questions]
    pairs = zip(questions, ratings, strict=True)
    names = name_list([_("“{name}” ({n:,})").format(name=label_text(one.name), n=n) for one, n in pairs])
    message = _("Left out of the form, with the {ratings} there: {names}; {n:,} in all.").format(
        names=names, n=sum(ratings)
    )
    return note("questions_left_out", "", message, about=(tuple(one.name for one in questions),))


def _agreed_on(questions: Sequence[FormQuestion]) -> tuple[Finding, ...]:
    """That all raters of each case say the same on some questions: they agree, or the column is a fact about the case.

    Said of fewer than half of the questions: where raters agree on most of them, they agree.
    """
    names = [one.name for one in questions if one.reading is not None and _in_full_agreement(one.reading.as_read)]
    if not names or 2 * len(names) >= len(questions):
        return ()
    message = ngettext(
        "On {names} all {raters} of each {subject} say the same: they agree, or the column says something about the "
        "{subject} that was not rated.",
        "On {names} all {raters} of each {subject} say the same: they agree, or the columns say something about the "
        "{subject} that was not rated.",
        len(names),
    ).format(names=quoted_list(names, _MOST_NAMED))
    fix = _("What was not rated is no question: leave it out (--without '{name}').").format(name=Label(names[0]))
    return (note("agreed_on", "", message, fix, _("It is read as a question."), (tuple(names),)),)


def _in_full_agreement(ratings: Ratings) -> bool:
    """Whether no case has two different ratings, though cases differ and most have several ratings."""
    of = ratings.ratings_per_subject()
    used = np.unique(np.stack([ratings.subject, ratings.category]), axis=1)
    same = used.shape[1] == np.unique(ratings.subject).size
    return bool(same and 2 * (of > 1).sum() > of.size and np.unique(ratings.category).size > 1)


def _whole(made: Form, options: ReadingOptions, name: str) -> Form:
    """A form with the classes its questions share, and one question for a code of several; errors as of `form`."""
    made = _asked_once(replace(made, questions=_with_common_classes(made.questions, options)))
    if not made.readings:
        raise TapdeskError(made.questions[0].refused, name)
    if options.strict:
        refuse_what_asks(made.findings, name)
    return made


def _sheets(path: str | Path, file: OpenFile, options: ReadingOptions) -> Run[Form | None]:
    """The sheets of a workbook as the questions of a form; None where they are none.

    They are where the same raters rate the same cases on each of them: cases of which fewer than half come again would
    be those of another month or ward. A sheet that is read otherwise, or not at all, is no question.

    Raises
    ------
    TapdeskError
        When raters come again and cases do not, so that it is not sure what the sheets are.
    """
    seen = next((f for f in file.loaded.findings if f.code in {"several_sheets", "sheets_stacked"}), None)
    if seen is None or options.sheet is not None or not 2 <= len(file.loaded.sheets) <= _MOST_QUESTIONS:
        return None
    stacked = seen.code == "sheets_stacked"
    shown = {file.loaded.sheet, *(seen.about[0] if seen.about else file.loaded.sheets)}
    shown -= {options.known_sheet, options.rater_sheet}
    names = [name for name in file.loaded.sheets if name in shown]
    if len(names) < 2:
        return None
    read = []
    for done, name in enumerate(names):
        yield Step(done, len(names), "read")
        chosen = replace(options, sheet=name)
        read.append((yield from _read_sheet(path, FilePart(name, chosen))))
    yield Step(len(names), len(names), "read")
    readings = {one.name: one.reading for one in read if one.reading is not None}
    first = readings.get(file.loaded.sheet or "", next(iter(readings.values()), None))
    if (
        first is None
        or _of_several(first)
        or (stacked and not (first.as_read.raters_known and len(first.as_read.raters) > 1))
    ):
        # One sheet for each rater, as they are stacked; or each holds a form of its own.
        return None
    like = [one for one in read if one.reading is not None and _alike(first, one.reading)]
    other = [one for one in read if one not in like]
    if len(like) < 2:
        return None
    cases = [set(one.reading.as_read.subjects) for one in like if one.reading is not None]
    if any(2 * len(cases[0] & some) < min(len(cases[0]), len(some)) for some in cases):
        raise TapdeskError(
            _("The sheets have the same raters but not the same cases: they may be questions, or months or wards."),
            file.place.name,
            _("Read one of them (--sheet NAME), or put them below one another, with a column that says what each is."),
        )
    return Form(tuple(like), (_of_sheets(like, other),))


def _read_sheet(path: str | Path, part: FilePart) -> Run[FormQuestion]:
    """One sheet; what was said of the table may not go with this one, such as which row is its last."""
    try:
        return (yield from _read_alone((yield from opened(path, part.options)), part))
    except TapdeskError as problem:
        return FormQuestion(part.value, part.options, None, problem.what)


def _alike(first: Reading, other: Reading) -> bool:
    """Whether two sheets are laid out alike and know the same raters, most of them at least."""
    raters = set(first.as_read.raters), set(other.as_read.raters)
    shared = 2 * len(raters[0] & raters[1]) >= max(map(len, raters))
    return first.source.layout is other.source.layout and shared and not _of_several(other)


def _of_several(reading: Reading) -> bool:
    """Whether one table holds several questions itself."""
    return any(f.code in {"several_questions", "rows_of_questions"} for f in reading.findings)


def _of_sheets(like: Sequence[FormQuestion], other: Sequence[FormQuestion]) -> Finding:
    """That sheets are read as questions, and which are not."""
    message = _("The {n} sheets {names} have the same raters and cases: each is read as a question.").format(
        n=len(like), names=quoted_list([one.name for one in like], 20)
    )
    if other:
        left = _("Not read, for they are laid out otherwise: {names}.").format(
            names=quoted_list([one.name for one in other], 20)
        )
        message = joined(message, left)
    return note("sheets_as_questions", "", message, _("If they are no questions, choose one sheet (--sheet)."))


def _labels(file: OpenFile, options: ReadingOptions) -> Run[Form | None]:
    """Of a table whose cells are sets of labels one yes/no question for each label; None where they are none.

    Raises
    ------
    UsageError
        When labels were named, and the cells are no sets of labels or do not hold one of these.
    """
    if options.class1 is not None:
        return None
    try:
        reading = yield from read_cells(file, replace(options, label=None))
    except SeveralQuestionsError:
        return None
    sets, named = label_sets(reading.as_read.classes), labels_named(options)
    if sets is None:
        if options.label is not None:
            of_label(reading.as_read, options)
        return None
    for label in named:
        # Refused where there is no such label.
        of_label(reading.as_read, replace(options, label=label))
    made = []
    for label in named or sets.labels:
        if len(sets.with_label(label)) == len(sets.sets) or label == options.blank:
            continue
        made.append(_about_label(reading, label, options))
    blank = reading.missing_by.get("", 0)
    findings = tuple(_blank_among_labels(blank) for _once in range(bool(blank)))
    message = _("The cells hold sets of labels: each of the {n} labels is a question, yes or no.").format(n=len(made))
    whole = tuple(
        replace(one, reading=replace(one.reading, findings=(*findings, *one.reading.findings)))
        for one in made
        if one.reading is not None
    )
    if len(made) < 2:
        return None
    return Form(whole, (note("labels_as_questions", "", message), *findings))


def _about_label(reading: Reading, label: str, options: ReadingOptions) -> FormQuestion:
    """Whether each cell holds a label, as a question of its own, which knows the sets it was made from."""
    asked = replace(options, label=label)
    about = about_label(reading, asked)
    about = replace(about, asked=replace(reading.asked, label=options.label or QUESTIONS))
    return FormQuestion(label, asked, about)


def _blank_among_labels(blank: int) -> Finding:
    """The question what a blank cell means where cells hold labels."""
    return ask(
        "blank_among_labels",
        "",
        ngettext(
            "{n:,} cell is blank: nobody rated there, or no label applies.",
            "{n:,} cells are blank: nobody rated there, or no label applies.",
            blank,
        ).format(n=blank),
        _("If a blank cell means that no label applies, say --blank none."),
        ngettext("It counts as no rating.", "They count as no ratings.", blank),
    )


def question_parts(file: OpenFile, options: ReadingOptions) -> Run[tuple[FilePart, ...]]:
    """How each question of a file is read; one part where it holds one question.

    Raises
    ------
    TapdeskError
        When it is not sure what the questions are, or there are too many.
    """
    # What classes there are, and their order, is a matter of each question.
    each = yield from _choices(file, replace(options, order=None, class1=None, class0=None, of_questions=()))
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
        return several.each
    by_code = {f.code: f for f in reading.findings}
    if (doubt := by_code.get("two_readings")) is not None:
        raise TapdeskError(str(doubt.message), file.place.name, all_questions_of(doubt))
    if (doubt := by_code.get("perhaps_questions")) is not None and doubt.severity is Severity.BLOCK:
        fix = _(
            "If they are questions, say --layout questions. If each column is a rater, use 'tapdesk fit' with {raters}."
        )
        told = joined(doubt.message, doubt.default)
        raise TapdeskError(str(told), file.place.name, fix.format(raters=Label("--layout raters")))
    if options.question is None and (rows := by_code.get("rows_of_questions")) is not None:
        # All rows together tell the layout: those of one question alone may look like something else.
        known = replace(options, question=rows.about[0][0], layout=reading.source.layout)
        return (yield from _choices(file, replace(known, subject=reading.options.subject)))
    if (columns := by_code.get("several_questions")) is not None:
        return [(question, {"layout": Layout.RATERS, "only": question}) for question, *_own in columns.about]
    return ((file.place.name, {}),)


def _read_alone(file: OpenFile, part: FilePart) -> Run[FormQuestion]:
    """One question; where it cannot be read, why."""
    own = next((one for one in part.options.of_questions if one.question == part.value), None)
    try:
        reading = yield from read_cells(file, part.options, _sides)
    except UsageError:
        raise
    except TapdeskError as problem:
        if own is not None and own.order is not None:
            raise
        if part.options.order is None:
            return FormQuestion(part.value, part.options, None, problem.what)
        # The order of other questions is none of this one's, where it knows none of their classes.
        alone = yield from _read_alone(file, FilePart(part.value, replace(part.options, order=None)))
        if alone.reading is None or not set(alone.reading.as_read.classes) & set(part.options.order):
            return alone
        return FormQuestion(part.value, part.options, None, problem.what)
    doubt = None if part.options.keep_summaries else question_called_like_sum(part.value)
    if doubt is not None and all(f.code != doubt.code for f in reading.findings):
        reading = replace(reading, findings=(doubt, *reading.findings))
    return FormQuestion(part.value, part.options, reading)


def _sides(ratings: Ratings, options: ReadingOptions) -> Ratings:
    """The counted classes against the others, as far as the question knows them; else the ratings as they are.

    Where a label is asked about: whether each set holds it, where the answers of the question are sets that know it.
    """
    if options.label is not None and options.label in getattr(label_sets(ratings.classes), "labels", ()):
        return yes_or_no(ratings, options)
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
        When a counted class is in no question, or something is said of a question that is not there.
    """
    names = [one.name for one in questions]
    stranger = next((one.question for one in options.of_questions if one.question not in names), None)
    if stranger is not None:
        raise UsageError(
            _("There is no question '{question}'.").format(question=Label(stranger)),
            fix=_("The questions are: {names}.").format(names=quoted_list(names, 20)),
        )
    scales = [one.reading.as_read for one in questions if one.reading is not None]
    named = {*(options.class1 or ()), *(options.class0 or ())}
    if scales:
        _refuse_unknown(named, [c for scale in scales for c in scale.classes])
    for one in questions:
        own = next((o for o in options.of_questions if o.question == one.name), None)
        if own is not None and one.reading is not None:
            _refuse_unknown({*(own.class1 or ()), *(own.class0 or ())}, one.reading.as_read.classes)
    return tuple(_with_classes_of(one, scales, options) for one in questions)


def _refuse_unknown_label(questions: Sequence[FormQuestion], label: str | None) -> None:
    """Refuse a label that no question of several knows."""
    every = [label_sets(one.reading.as_read.classes) for one in questions if one.reading is not None]
    there = list(dict.fromkeys(name for sets in every if sets is not None for name in sets.labels))
    if label is not None and label not in there:
        raise UsageError(
            _("No question has answers with the label '{label}'.").format(label=Label(label)),
            "--label",
            _("The labels are {labels}.").format(labels=quoted_list(there, 20)) if there else _("Leave --label out."),
        )


def _refuse_unknown(named: Collection[str], classes: Sequence[str]) -> None:
    """Refuse a class that is none of some."""
    for label in named:
        if label not in classes:
            raise UsageError(
                _("There is no class '{label}'.").format(label=Label(label)),
                fix=_("The classes are: {classes}.").format(classes=quoted_list(list(dict.fromkeys(classes)), 20)),
            )


def _with_classes_of(one: FormQuestion, scales: Sequence[Ratings], options: ReadingOptions) -> FormQuestion:
    """A question that knows no other side, on the scale of the others that know all of its classes."""
    if one.reading is None:
        return one
    options = options.for_question(one.name)
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


_MOST_NAMED = 3


def _asked_once(made: Form) -> Form:
    """The form with one question about a code that several of its questions know, the same beside each of them."""
    readings, once = codes_asked_once({one.name: one.reading for one in made.questions if one.reading is not None})
    readings, spellings = spellings_asked_once(without_codes_elsewhere(readings))
    questions = tuple(replace(one, reading=readings.get(one.name)) for one in made.questions)
    sheets = {f: None for r in made.readings for f in r.findings if f.code == "key_sheet"}
    left = [(r.source.roles, f) for r in made.readings for f in r.findings if f.code == REST and f.about[-1] != ("",)]
    return Form(questions, (*made.remarks, *rest_of_form(left), *sheets, *once, *spellings))
