"""What annotation programs write as JSON, record by record, to rows of a table.

Sources: Label Studio, labelstud.io/guide/task_format (``annotations`` with ``completed_by``, ``was_cancelled``,
``ground_truth`` and ``result``; the values of ``choices``, ``rating``, ``number``, ``taxonomy`` and ``text``; regions
say where they are); Prodigy, prodi.gy/docs/api-web-app (the decision - accept, reject or ignore - is added to each
record as ``answer``) and prodi.gy/docs/review (several annotators). Its page about records,
prodi.gy/docs/api-interfaces, could not be opened when this was written; public scripts that read such files know
``_input_hash`` of what was judged, ``_task_hash`` of the question, ``_annotator_id`` and ``_session_id`` of who judged
(as ``dataset-name``) and ``accept`` with the chosen of the ``options``. ``label`` of a question of yes and no and
``spans`` of marked words are as remembered.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.ratings.findings import Finding, ask, note, quoted_list
from tapdesk.ratings.label_sets import BETWEEN_LABELS

Records = Sequence[Mapping[str, Any]]
# What holds the answer itself in the value of a result, in this order.
_VALUES = ("choices", "taxonomy", "rating", "number", "text")
_PLACED = frozenset({"start", "end", "x", "y", "points", "ranges", "startOffset", "rle"})


@dataclass(frozen=True)
class Program:
    """A program that writes annotations as JSON.

    Attributes
    ----------
    name
        What it is called.
    wrote
        Whether records are its own.
    rows
        The rows of a table from its records and the name of the file; what was noticed is added to a list.
    """

    name: str
    wrote: Callable[[Records], bool]
    rows: Callable[[Records, str, list[Finding]], list[dict[str, str]]]


def marked_words(name: str) -> TapdeskError:
    """The refusal of annotations of words in a text (UIMA CAS, as of INCEpTION)."""
    return TapdeskError(
        _("These are annotations of words in a text by INCEpTION or WebAnno, not ratings of cases."),
        name,
        _("Write one row for each document, annotator and label, and open that table."),
    )


def program_of(records: Records) -> Program | None:
    """The program that wrote some records; None where it is not known."""
    return next((program for program in _PROGRAMS if program.wrote(records)), None)


def text_of(value: Any) -> str:
    """A value as a cell holds it; labels of a list one after the other."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        # NaN is how a missing number is written; JSON itself has none.
        whole = value.is_integer() and abs(value) < 2**53
        return "" if math.isnan(value) else str(int(value)) if whole else str(value)
    if isinstance(value, list) and not any(isinstance(x, dict | list) for x in value):
        return BETWEEN_LABELS.join(map(text_of, value))
    return str(value) if isinstance(value, str | int | float) else json.dumps(value, ensure_ascii=False)


def answer_of(value: Mapping[str, Any]) -> str | None:
    """What the value of a result says of the whole task; None where it says something of a part of it."""
    if _PLACED & set(value):
        return None
    name = next((n for n in _VALUES if n in value), None)
    if name is None:
        return None
    words = value[name]
    if name == "taxonomy" and isinstance(words, list):
        return BETWEEN_LABELS.join(" / ".join(map(str, p)) if isinstance(p, list) else str(p) for p in words)
    return text_of(words)


def _dicts(value: Any) -> Iterator[Mapping[str, Any]]:
    """The records in a value that should be a list of them."""
    yield from (one for one in value if isinstance(one, dict)) if isinstance(value, list) else ()


def _studio(records: Sequence[Mapping[str, Any]], name: str, findings: list[Finding]) -> list[dict[str, str]]:
    """The annotations of tasks of Label Studio: task, annotator, the question where there are several, and label.

    What an annotation does not answer is a blank cell, as in the tables of that program.
    """
    said: list[tuple[dict[str, str], list[tuple[str, str]]]] = []
    parts = skipped = 0
    for place, task in enumerate(records):
        held = task["annotations"]
        for annotation in _dicts(held):
            if annotation.get("was_cancelled"):
                skipped += 1
                continue
            who = annotation.get("completed_by")
            who = (who.get("email") or who.get("id")) if isinstance(who, dict) else who
            if annotation.get("ground_truth"):
                # What the project holds to be true is asked about as known answers are, whoever wrote it.
                who = "ground truth"
            own = {"task": text_of(task.get("id", place + 1)), "annotator": text_of(who)}
            answers = []
            for result in _dicts(annotation.get("result")):
                sentence = answer_of(result["value"]) if isinstance(result.get("value"), dict) else None
                parts += sentence is None
                if sentence is not None:
                    answers.append((text_of(result.get("from_name")), sentence))
            said.append((own, answers))
    asked = dict.fromkeys(question for _own, answers in said for question, _sentence in answers)
    made = [
        {**own, "question": question, "label": sentence}
        for own, answers in said
        for question, sentence in (*answers, *((q, "") for q in asked if q not in dict(answers)))
    ]
    if not made:
        raise TapdeskError(
            _("No annotation of this Label Studio export says something of a whole task."),
            name,
            _("Choices, ratings and numbers of tasks can be read; regions and words that were marked cannot."),
        )
    if len(asked) == 1:
        made = [{n: v for n, v in row.items() if n != "question"} for row in made]
    text = _("This is an export of {program}.").format(program="Label Studio")
    findings.append(note("known_export", "", text, default=_("A task is a case, and an annotator a rater.")))
    findings += _left_out(
        (skipped, _("{n:,} annotation was cancelled."), _("{n:,} annotations were cancelled.")),
        (parts, _("{n:,} result marks a part of a task."), _("{n:,} results mark parts of tasks.")),
    )
    return made


def _left_out(*counts: tuple[int, str, str]) -> Iterator[Finding]:
    """Notes of records that are no ratings: how many, and what is said of one and of several."""
    for n, one, many in counts:
        if n:
            left = ngettext("It is no rating and is left out.", "They are no ratings and are left out.", n)
            yield note("annotations_left_out", "", (one if n == 1 else many).format(n=n), default=left)


_ANSWERS = frozenset({"accept", "reject", "ignore"})
# A session that nobody named is called by when it began.
_NAMELESS = re.compile(r"(.*-)?\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}")


def _is_prodigy(records: Records) -> bool:
    return all("_input_hash" in r and "_task_hash" in r and r.get("answer") in _ANSWERS for r in records)


def _prodigy(records: Records, name: str, findings: list[Finding]) -> list[dict[str, str]]:
    """Tasks of Prodigy: choices among options, or yes and no to a label.

    Raises
    ------
    TapdeskError
        Where tasks mark words or regions, or choices stand among tasks of another kind.
    """
    choice = all(isinstance(r.get("accept"), list) for r in records)
    binary = all(isinstance(r.get("label"), str) and "accept" not in r for r in records)
    if not choice and (not binary or any(r.get("spans") for r in records)):
        raise TapdeskError(
            _("No annotation of this Prodigy export says something of a whole task."),
            name,
            _("Choices among options, and labels that are accepted or rejected, can be read; marked words cannot."),
        )
    made, ignored, rejected = [], 0, 0
    labels = {r["label"] for r in records} if binary else set()
    for record in records:
        ignored += record["answer"] == "ignore"
        rejected += choice and record["answer"] == "reject"
        if record["answer"] == "ignore" or (choice and record["answer"] == "reject"):
            continue
        row = {"task": text_of(record["_input_hash"])}
        who = record.get("_annotator_id") or record.get("_session_id")
        if who is not None:
            row["annotator"] = text_of(who)
        if len(labels) > 1:
            row["question"] = record["label"]
        made.append({**row, "label": _chosen(record) if choice else record["answer"]})
    text = _("This is an export of {program}.").format(program="Prodigy")
    default = _("What was judged is a case (_input_hash), and an annotator a rater.")
    findings.append(note("known_export", "", text, default=default))
    findings += _left_out(
        (ignored, _("{n:,} task was ignored."), _("{n:,} tasks were ignored.")),
        (rejected, _("{n:,} task was rejected as a whole."), _("{n:,} tasks were rejected as a whole.")),
    )
    sessions = tuple(dict.fromkeys(w for row in made if _NAMELESS.fullmatch(w := row.get("annotator", ""))))
    if sessions:
        findings.append(_nameless(sessions))
    return made


def _nameless(sessions: tuple[str, ...]) -> Finding:
    """A question where sessions were not named for who annotated."""
    return ask(
        "sessions_as_raters",
        "",
        _("Annotators are called by when their session began: {names}. One person may have had several.").format(
            names=quoted_list(sessions, 3)
        ),
        _("If so, give all sessions of a person one name, or take them all as unknown raters."),
        _("Each session is read as a rater of its own."),
        (sessions,),
    )


def _chosen(record: Mapping[str, Any]) -> str:
    """The options that were chosen, as they were shown."""
    shown = {o.get("id"): o.get("text") for o in _dicts(record.get("options"))}
    return BETWEEN_LABELS.join(text_of(shown.get(c) or c) for c in record["accept"])


_PROGRAMS = (
    Program("Label Studio", lambda records: all("annotations" in r and "data" in r for r in records), _studio),
    Program("Prodigy", _is_prodigy, _prodigy),
)
