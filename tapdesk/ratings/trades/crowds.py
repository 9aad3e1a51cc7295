"""Exports of programs for crowds and annotators that need a word from the user before they can be read.

Sources: Zooniverse, "Data exports" (``classification_id, user_name, …, annotations, subject_data``, answers as JSON),
and the extracts of panoptes_aggregation (``classification_id, user_name, …, task, …, subject_id, extractor, data.*``);
Amazon Mechanical Turk, "Batch results" (``HITId, HITTypeId, …, WorkerId, …, Input.*, Answer.*``); Label Studio, "Export
annotations", CSV (``annotation_id, annotator, created_at, id, lead_time, …, updated_at`` as in public files, several
choices as ``{"choices": […]}``); doccano, backend/data_export (``id, text, label, Comments``, labels joined by ``#`` in
CSV and as a list in JSON, and a file for each user where annotations are not shared). Of MAXQDA ("Overview of coded
segments": ``Document group, Document name, Code, Begin, End, …, Segment``) neither the page nor a file could be had
when this was written: the columns are as remembered, and such a file is asked about.
"""

import json
from dataclasses import replace
from types import MappingProxyType

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import label_text, note, quoted_list
from tapdesk.ratings.grid import TextColumn, column_of
from tapdesk.ratings.label_sets import BETWEEN_LABELS
from tapdesk.ratings.layouts.structure import without_facts
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.trades.export import STACKED, Export, Head, Settled, with_columns

_OFFERED = 8


def zooniverse(head: Head) -> Export | None:
    """Classifications of Zooniverse: the answers stand in one column, as data for programs."""
    if not head.has("annotations"):
        return None
    # Columns may have been taken away; what the answers are written as is known by the answers.
    texts = head.texts("annotations")
    if not texts or not all(map(_is_of_task, texts)):
        return None
    return Export("Zooniverse", _answers_as_data)


def _is_of_task(text: str) -> bool:
    """Whether a text is a list of answers to tasks, as JSON."""
    if not text.startswith("["):
        return False
    try:
        answers = json.loads(text)
    except ValueError:
        return False
    return all(isinstance(one, dict) and "task" in one for one in answers)


def _answers_as_data(table: RatingTable, options: ReadingOptions) -> Settled:
    """Refuse answers that are data for programs.

    Raises
    ------
    TapdeskError
        Unless the user names the column of the ratings.
    """
    if options.rating is not None:
        return Settled()
    raise TapdeskError(
        _("This is a classification export of Zooniverse: the answers stand in the column 'annotations', as JSON."),
        table.file,
        _(
            "Take the answers out with the program of Zooniverse for it (panoptes_aggregation extract), which writes "
            "one row for each classification and task, and open that table."
        ),
    )


_EXTRACTED = ("classification_id", "subject_id", "extractor", "task")
_DATA, _VERSION = "data.", "data.aggregation_version"
_TICKS = frozenset({"1", "1.0"})


def zooniverse_answers(head: Head) -> Export | None:
    """Answers that were taken out of classifications: one row for each, a column of ticks for each answer."""
    answers = tuple(n for n in head.names if n.startswith(_DATA) and n != _VERSION)
    rater = next(iter(head.named(("user_name", "user_id"))), None)
    if not head.has(*_EXTRACTED) or rater is None or not answers:
        return None
    if not all(head.texts(n) <= _TICKS for n in answers):
        return None
    ticked = [[bool(t.strip()) for t in head.column(n).values] for n in answers]
    codes = [head.column(n).codes for n in answers]
    labels = [n.removeprefix(_DATA) for n in answers]
    texts = [
        BETWEEN_LABELS.join(label for label, tick, code in zip(labels, ticked, codes, strict=True) if tick[code[row]])
        for row in range(1, head.grid.rows)
    ]
    several = len(head.texts("task")) > 1

    def settle(_table: RatingTable, _options: ReadingOptions) -> Settled:
        sentence = _("Each row is what one volunteer answered about one subject.")
        options = {"layout": Layout.LONG, "subject": "subject_id", "rater": rater, "rating": "answer"}
        return Settled(MappingProxyType({**options, **({"question": "task"} if several else {})}), sentence)

    kept = {"subject_id", rater, "answer", *(("task",) if several else ())}
    return Export(
        "Zooniverse",
        settle,
        aside=tuple(n for n in head.names if n and n not in kept),
        grid=with_columns(head.grid, 1, {"answer": texts}),
        words=(_("The ticked answers are read as labels one after the other."),),
    )


def mechanical_turk(head: Head) -> Export | None:
    """Results of a batch of Mechanical Turk: an assignment in each row, answers in columns called so."""
    answers = tuple(n for n in head.names if n.startswith("Answer."))
    if not answers or not head.has("HITId", "WorkerId", "AssignmentId"):
        return None

    def settle(table: RatingTable, options: ReadingOptions) -> Settled:
        here = tuple(n for n in answers if n in table.names)
        if options.rating is None and options.layout is Layout.AUTO and options.only is None:
            named = {"layout": Layout.LONG, "subject": "HITId", "rater": "WorkerId"}
            raise TapdeskError(
                _("This is a batch of Mechanical Turk: each row is what one worker answered to one task."),
                table.file,
                _(
                    "Say which answer is the rating: --subject HITId --rater WorkerId --rating '{first}'. The answers "
                    "are {answers}."
                ).format(first=here[0], answers=quoted_list(here, 8)),
                ways=[(label_text(n), {**named, "rating": n}) for n in here[:_OFFERED]],
            )
        sentence = _("A task is a case, and a worker a rater.")
        return Settled(MappingProxyType({"subject": "HITId", "rater": "WorkerId"}), sentence)

    kept = {"HITId", "WorkerId", *answers}
    return Export("Mechanical Turk", settle, aside=tuple(n for n in head.names if n and n not in kept))


_STUDIO_OWN = ("annotation_id", "lead_time", "created_at", "updated_at")
_STUDIO_VALUES = ("choices", "labels", "taxonomy", "rating", "number", "text")


def label_studio(head: Head) -> Export | None:
    """A table of annotations by Label Studio, as CSV or flat JSON."""
    if not head.has("annotation_id", "annotator", "lead_time", "id"):
        return None
    grid, changed = head.grid, False
    for place, _name in enumerate(head.names):
        if any(t.startswith('{"') and t.endswith("}") for t in head.at(place)):
            columns = list(grid.columns)
            columns[place] = _plain_labels(columns[place])
            grid, changed = replace(grid, columns=tuple(columns)), True
    words = (_("Lists of choices are read as labels one after the other."),) if changed else ()
    own = head.named(_STUDIO_OWN)
    return Export("Label Studio", _annotations, aside=own, grid=grid if changed else None, words=words)


def _plain_labels(column: TextColumn) -> TextColumn:
    """A column in which several choices stand as data for programs, with the choices one after the other."""
    made = column_of([_labels(v) for v in column.values])
    return TextColumn(made.codes[column.codes], made.values)


def _labels(text: str) -> str:
    """The labels in ``{"choices": ["a", "b"]}``; any other text as it is."""
    try:
        sentence = json.loads(text) if text.startswith('{"') else None
    except (ValueError, RecursionError):
        return text
    if not isinstance(sentence, dict):
        return text
    for name in _STUDIO_VALUES:
        values = sentence.get(name)
        if isinstance(values, list) and all(isinstance(v, str | int | float) for v in values):
            return BETWEEN_LABELS.join(map(str, values))
    return text


def _annotations(table: RatingTable, _options: ReadingOptions) -> Settled:
    """Each row is an annotation; what says the same in all rows of a task is the task, not an answer."""
    rest = [n for n in table.names if n not in {"id", "annotator"} and table.texts(n)]
    answers = without_facts(table, rest, "id")
    sentence = _("Each row is one annotation: 'id' is the task, 'annotator' the rater.")
    options = {"subject": "id", "rater": "annotator"}
    if len(answers) == 1:
        return Settled(MappingProxyType({**options, "layout": Layout.LONG, "rating": answers[0]}), sentence)
    return Settled(MappingProxyType({**options, "layout": Layout.QUESTIONS}), sentence)


_DOCCANO = ("text", "filename", "upload_name", "image_url")
_SPANS = ("[[", "[{")


def doccano(head: Head) -> Export | None:
    """Documents of doccano with their labels, of one user or of several whose files were opened together."""
    if not head.has("id", "label", "Comments") or not head.named(_DOCCANO):
        return None
    if any(t.startswith(_SPANS) for t in head.texts("label")):
        return Export("doccano", _marked_words)
    place = next(i for i, n in enumerate(head.names) if n.casefold() == "label")
    grid, joined = head.grid, any("#" in t for t in head.at(place))
    if joined:
        columns = list(grid.columns)
        made = column_of([v.replace("#", BETWEEN_LABELS) for v in columns[place].values])
        columns[place] = TextColumn(made.codes[columns[place].codes], made.values)
        grid = replace(grid, columns=tuple(columns))

    def settle(table: RatingTable, _options: ReadingOptions) -> Settled:
        several = STACKED in table.names and len(table.texts(STACKED)) > 1
        options = {"layout": Layout.LONG, "subject": "id", "rating": "label", **({"rater": STACKED} if several else {})}
        sentence = _("Each row is a document with the labels that one user gave it.")
        alone = note(
            "one_screener",
            "",
            _("doccano writes a file for each user, and this is the file of one, or of all without their names."),
            _("Open the files of all users together."),
        )
        return Settled(MappingProxyType(options), sentence, () if several else (alone,))

    words = (_("Labels that are joined by # are read as labels one after the other."),) if joined else ()
    kept = {"id", "label", STACKED}
    aside = tuple(n for n in head.names if n and n not in kept)
    return Export("doccano", settle, aside=aside, grid=grid if joined else None, words=words)


def _marked_words(table: RatingTable, options: ReadingOptions) -> Settled:
    """Refuse labels of words in a text.

    Raises
    ------
    TapdeskError
        Unless the user names the column of the ratings.
    """
    if options.rating is not None:
        return Settled()
    raise TapdeskError(
        _("These are words that were marked in texts with doccano, not ratings of whole texts."),
        table.file,
        _("Write one row for each document, user and label, and open that table."),
    )


_SEGMENTS = (("document name", "code", "begin", "end"), ("dokumentname", "code", "anfang", "ende"))


def maxqda(head: Head) -> Export | None:
    """Coded segments of MAXQDA: parts of documents, each with a code."""
    return Export("MAXQDA", _segments) if any(head.has(*names) for names in _SEGMENTS) else None


def _segments(table: RatingTable, options: ReadingOptions) -> Settled:
    """Refuse segments, which say where a code stands and not what was said of a case.

    Raises
    ------
    TapdeskError
        Unless the user says how it is to be read.
    """
    if options.layout is not Layout.AUTO or options.rating is not None:
        return Settled()
    raise TapdeskError(
        _("These are coded segments of MAXQDA: parts of documents with a code each, not ratings of cases."),
        table.file,
        _(
            "Write a table with one row for each document and coder and the code that was given, or a yes or no for "
            "each code, and open that."
        ),
    )
