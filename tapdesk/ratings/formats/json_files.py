"""Lists of annotations as JSON, whole or one in each line, to a grid of cells.

A record is a row, its fields are columns; a list of records inside each, as of annotations inside a task, has a row for
each of them. What programs write that are known stands in `json_exports`.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tapdesk.errors import TapdeskError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.findings import Finding
from tapdesk.ratings.formats.json_exports import answer_of, marked_words, program_of, text_of
from tapdesk.ratings.grid import CellGrid, FileCells, column_of

MOST_BYTES = 256 << 20
_MOST_COLUMNS = 2_000
_DEEPEST = 4
_PIECE = 2_000


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
    program = program_of(records)
    if program is not None:
        rows = program.rows(records, name, findings)
        words = [_("The file is an export of {program}.").format(program=Label(program.name))]
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
        if "%TYPES" in value or "%FEATURE_STRUCTURES" in value:
            raise marked_words(name)
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
            answer = answer_of(value) if len(value) == 1 else None
            if answer is not None or depth >= _DEEPEST:
                made[called] = answer if answer is not None else json.dumps(value, ensure_ascii=False)
            else:
                made |= _flat(value, f"{called}.", depth + 1)
        else:
            made[called] = text_of(value)
    return made
