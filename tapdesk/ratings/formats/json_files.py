"""Lists of annotations as JSON, whole or one in each line, to a grid of cells.

A record is a row, its fields are columns; a list of records inside each, as of annotations inside a task, has a row for
each of them. Source of the tasks of Label Studio: labelstud.io/guide/task_format (``annotations`` with ``completed_by``
and ``result``; the values of ``choices``, ``rating``, ``number``, ``taxonomy`` and ``text``; regions say where
they are).
"""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tapdesk.errors import TapdeskError
from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.findings import Finding, note
from tapdesk.ratings.grid import CellGrid, FileCells, column_of
from tapdesk.ratings.label_sets import BETWEEN_LABELS

MOST_BYTES = 256 << 20
_MOST_COLUMNS = 2_000
_DEEPEST = 4
_PIECE = 2_000
# What holds the answer itself in the value of a result, in this order.
_VALUES = ("choices", "taxonomy", "rating", "number", "text")
_PLACED = frozenset({"start", "end", "x", "y", "points", "ranges", "startOffset", "rle"})


def json_file(raw: bytes, name: str) -> Run[FileCells]:
    """The cells of a JSON file.

    Raises
    ------
    TapdeskError
        When it is too large, breaks off, or is no list of records.
    """
    if len(raw) > MOST_BYTES:
        raise TapdeskError(
            _("The file has {size:,.0f} MB; of JSON at most {most} MB can be read.").format(
                size=len(raw) / 2**20, most=MOST_BYTES >> 20
            ),
            name,
            _("Export it as CSV."),
        )
    yield Step(0, 0, "read")
    records = _records(_values(raw, name), name)
    yield Step(0, len(records), "read")
    words = [_("Each record of the JSON file is read as a row.")]
    findings: list[Finding] = []
    if all("annotations" in r and "data" in r for r in records):
        rows = _annotations(records, name, findings)
        words = [_("The file is an export of {program}.").format(program="Label Studio")]
    else:
        rows = [row for record in records for row in _rows(record)]
    if not rows:
        raise TapdeskError(_("The file holds no record."), name, _("Export it again with the annotations in it."))
    names = tuple(dict.fromkeys(n for row in rows for n in row))
    if len(names) > _MOST_COLUMNS:
        raise TapdeskError(
            _("The records have {n:,} different fields.").format(n=len(names)), name, _("Export the file as CSV.")
        )
    columns = []
    for done, field in enumerate(names):
        columns.append(column_of([field, *(row.get(field, "") for row in rows)]))
        yield Step(done, len(names), "read")
    return FileCells(
        CellGrid(tuple(columns), len(rows) + 1),
        "json",
        hashlib.sha256(raw).hexdigest(),
        words=tuple(words),
        findings=tuple(findings),
    )


def _values(raw: bytes, name: str) -> Any:
    """What the file holds: one value, or a list of those of its lines."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TapdeskError(_("The JSON file is not in UTF-8."), name, _("Export it again as UTF-8.")) from None
    if re.search(r"\\ud[89a-f]", text, re.IGNORECASE) and not _is_whole(text):
        raise TapdeskError(_("Some letters of the JSON file are halves of one."), name, _("Export it again as UTF-8."))

    def record(fields: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(fields)
        if len(made) < len(fields):
            twice = next(key for i, (key, _value) in enumerate(fields) if key in dict(fields[:i]))
            raise TapdeskError(
                _("A record of the JSON file names '{field}' twice, and only one of them could be kept.").format(
                    field=Label(twice)
                ),
                name,
                _("Give the two different names, and export the ratings again."),
            )
        return made

    try:
        return json.loads(text, object_pairs_hook=record)
    except RecursionError:
        raise _no_list(name) from None
    except ValueError as whole:
        lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
        made = []
        for n, line in lines:
            try:
                made.append(json.loads(line, object_pairs_hook=record))
            except (ValueError, RecursionError):
                row = n if n > 1 else getattr(whole, "lineno", n)
                raise TapdeskError(
                    _("The JSON file breaks off or is damaged in line {row}.").format(row=row),
                    name,
                    _("Export or copy it again."),
                ) from None
        return made


def _is_whole(text: str) -> bool:
    """Whether letters that are written as two codes have both of them."""
    pairs = re.sub(r"\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}", "", text, flags=re.IGNORECASE)
    return re.search(r"\\ud[89a-f][0-9a-f]{2}", pairs, re.IGNORECASE) is None


def _records(value: Any, name: str) -> Sequence[Mapping[str, Any]]:
    """The records in a value: a list, the one list inside a record, or answers by rater by case."""
    if isinstance(value, list) and value and all(isinstance(r, dict) for r in value):
        return value
    if isinstance(value, dict) and value:
        lists = [v for v in value.values() if isinstance(v, list) and v and all(isinstance(r, dict) for r in v)]
        if len(lists) == 1:
            return list(lists[0])
        crossed = all(
            isinstance(v, dict) and v and not any(isinstance(x, dict | list) for x in v.values())
            for v in value.values()
        )
        if crossed and not lists:
            return [{"case": case, **answers} for case, answers in value.items()]
    raise _no_list(name)


def _no_list(name: str) -> TapdeskError:
    return TapdeskError(
        _("This is data for programs (JSON), and no list of records."),
        name,
        _("Export the ratings as CSV or as a workbook from where this file comes from."),
    )


def _rows(record: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """The rows of a record: one, or one for each of the records in a list of its own."""
    inner = [n for n, v in record.items() if isinstance(v, list) and v and all(isinstance(x, dict) for x in v)]
    if len(inner) != 1:
        yield _flat(record)
        return
    (held,) = inner
    own = _flat({n: v for n, v in record.items() if n != held})
    for one in record[held]:
        sentence = _flat(one)
        yield {**own, **{(f"{held}.{n}" if n in own else n): v for n, v in sentence.items()}}


def _flat(record: Mapping[str, Any], prefix: str = "", depth: int = 0) -> dict[str, str]:
    """The fields of a record as texts; those of a record inside it are called ``outer.inner``."""
    made: dict[str, str] = {}
    for name, value in record.items():
        called = f"{prefix}{name}"
        if isinstance(value, dict):
            answer = _answer(value) if len(value) == 1 else None
            if answer is not None or depth >= _DEEPEST:
                made[called] = answer if answer is not None else json.dumps(value, ensure_ascii=False)
            else:
                made |= _flat(value, f"{called}.", depth + 1)
        else:
            made[called] = _text(value)
    return made


def _text(value: Any) -> str:
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
        return BETWEEN_LABELS.join(map(_text, value))
    return str(value) if isinstance(value, str | int | float) else json.dumps(value, ensure_ascii=False)


def _answer(value: Mapping[str, Any]) -> str | None:
    """What the value of a result says of the whole task; None where it says something of a part of it."""
    if _PLACED & set(value):
        return None
    name = next((n for n in _VALUES if n in value), None)
    if name is None:
        return None
    words = value[name]
    if name == "taxonomy" and isinstance(words, list):
        return BETWEEN_LABELS.join(" / ".join(map(str, p)) if isinstance(p, list) else str(p) for p in words)
    return _text(words)


def _dicts(value: Any) -> Iterator[Mapping[str, Any]]:
    """The records in a value that should be a list of them."""
    yield from (one for one in value if isinstance(one, dict)) if isinstance(value, list) else ()


def _annotations(records: Sequence[Mapping[str, Any]], name: str, findings: list[Finding]) -> list[dict[str, str]]:
    """The annotations of tasks of Label Studio: task, annotator, the question where there are several, and label."""
    made: list[dict[str, str]] = []
    parts = skipped = 0
    for place, task in enumerate(records):
        held = task["annotations"]
        for annotation in _dicts(held):
            if annotation.get("was_cancelled"):
                skipped += 1
                continue
            who = annotation.get("completed_by")
            who = (who.get("email") or who.get("id")) if isinstance(who, dict) else who
            own = {"task": _text(task.get("id", place + 1)), "annotator": _text(who)}
            for result in _dicts(annotation.get("result")):
                sentence = _answer(result["value"]) if isinstance(result.get("value"), dict) else None
                parts += sentence is None
                if sentence is not None:
                    made.append({**own, "question": _text(result.get("from_name")), "label": sentence})
    if not made:
        raise TapdeskError(
            _("No annotation of this Label Studio export says something of a whole task."),
            name,
            _("Choices, ratings and numbers of tasks can be read; regions and words that were marked cannot."),
        )
    if len({row["question"] for row in made}) == 1:
        made = [{n: v for n, v in row.items() if n != "question"} for row in made]
    text = _("This is an export of {program}.").format(program="Label Studio")
    findings.append(note("known_export", "", text, default=_("A task is a case, and an annotator a rater.")))
    for n, one, many in (
        (skipped, _("{n:,} annotation was cancelled."), _("{n:,} annotations were cancelled.")),
        (parts, _("{n:,} result marks a part of a task."), _("{n:,} results mark parts of tasks.")),
    ):
        if n:
            left = ngettext("It is no rating and is left out.", "They are no ratings and are left out.", n)
            findings.append(note("annotations_left_out", "", (one if n == 1 else many).format(n=n), default=left))
    return made
