"""Tables of statistics programs: files of SPSS and Stata, and pandas frames."""

import hashlib
import os
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.findings import Finding, ask, name_list, note
from tapdesk.ratings.formats.kinds import FileKind
from tapdesk.ratings.grid import CellGrid, Codes, FileCells, TextColumn, column_of
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.texts import REASON, as_reason


def statistics_file(raw: bytes, name: str, kind: FileKind) -> Run[FileCells]:
    """The cells of an SPSS or Stata file.

    Values with a label read as their label. A user-missing code reads as a reason for a missing rating and never as
    a number.

    Raises
    ------
    TapdeskError
        When the file is damaged.
    """
    yield Step(0, 0, "read")
    try:
        table, meta = _opened(raw, kind)
    except (ValueError, OSError, KeyError, EOFError, UnicodeDecodeError, _reader_error()):
        raise TapdeskError(
            _("The file is damaged or was not copied completely."),
            name,
            _("Copy it again, or save it again from SPSS or Stata (or export CSV)."),
        ) from None
    yield Step(len(table), len(table), "read")
    columns: list[TextColumn] = []
    counts: dict[str, int] = {}
    labelled: dict[str, str] = {}
    codes: dict[str, Codes] = {}
    for column in table.columns:
        labels = meta.variable_value_labels.get(column, {})
        declared = _Declared(meta.missing_ranges.get(column, []), frozenset(meta.missing_user_values.get(column, [])))
        texts = _texts(table[column].tolist(), labels, declared, counts, labelled)
        columns.append(column_of([str(column), *texts]))
        if labels:
            codes[str(column)] = _codes(table[column].tolist(), texts, meta.variable_measure.get(column, "unknown"))
        yield Step(len(table), len(table), "read")
    grid = CellGrid(tuple(columns), len(table) + 1)
    digest = hashlib.sha256(raw).hexdigest()
    return FileCells(
        grid,
        kind.value,
        digest,
        findings=_findings(meta, counts),
        labels=MappingProxyType(labelled),
        codes=MappingProxyType(codes),
    )


def _findings(meta: Any, counts: dict[str, int]) -> tuple[Finding, ...]:
    """What is told of labels, and asked of values that the file marks as missing."""
    findings: list[Finding] = []
    example = next(iter(next(iter(meta.variable_value_labels.values()), {}).items()), None)
    if example is not None:
        sentence = _("Values with a label are read as their label, for example {plain} as '{example}'.").format(
            plain=Label(_plain(example[0])), example=Label(example[1])
        )
        findings.append(note("value_labels", "", sentence))
    if counts:
        sentence = name_list(
            [
                ngettext("'{text}' ({n:,} cell)", "'{text}' ({n:,} cells)", n).format(
                    text=Label(t.removeprefix(REASON)), n=n
                )
                for t, n in counts.items()
            ]
        )
        findings.append(
            ask(
                "user_missing",
                "",
                _("The file marks values as missing: {told}.").format(told=sentence),
                _("If one of them is an answer, change its definition in the file."),
                _("They are read as no rating, each with its reason."),
            )
        )
    return tuple(findings)


def _codes(values: list[Any], texts: list[str], measure: str) -> Codes:
    """The number behind each text of a column, and what the file says of their order."""
    pairs = dict(zip(texts, values, strict=True))
    numbers = {t: float(v) for t, v in pairs.items() if t and isinstance(v, int | float)}
    return Codes(MappingProxyType(numbers), measure)


def _reader_error() -> type[Exception]:
    """What the SPSS reader raises on a damaged file."""
    import pyreadstat  # start-up cost: only such files need it

    error: type[Exception] = pyreadstat.ReadstatError
    return error


def _opened(raw: bytes, kind: FileKind) -> tuple[Any, Any]:
    """The table and its description, by the reader that keeps user-missing codes in both formats."""
    import pyreadstat  # start-up cost: only such files need it

    handle, path = tempfile.mkstemp(suffix=f".{kind.value}")
    try:
        with os.fdopen(handle, "wb") as copy:
            copy.write(raw)
        readers = {FileKind.SAV: pyreadstat.read_sav, FileKind.DTA: pyreadstat.read_dta}
        return readers[kind](path, user_missing=True)
    finally:
        Path(path).unlink()


@dataclass(frozen=True)
class _Declared:
    """What a column declares as missing: ranges of values (SPSS) and letters (Stata's .a to .z)."""

    ranges: list[dict[str, Any]]
    letters: frozenset[Any]

    def __contains__(self, value: object) -> bool:
        ranges = ((r["lo"], r["hi"]) for r in self.ranges)
        number = isinstance(value, (int, float))
        return value in self.letters or any(
            isinstance(low, (int, float)) == number and low <= value <= high for low, high in ranges
        )


def _plain(value: object) -> str:
    """A value as the file shows it, whole numbers without decimals."""
    return str(int(value)) if isinstance(value, float) and value == int(value) else str(value)


def _texts(
    values: list[Any], labels: dict[Any, str], declared: _Declared, counts: dict[str, int], labelled: dict[str, str]
) -> list[str]:
    """Cells as texts: labels for labelled values, reasons for missing ones.

    A label that several values share is told with the value: two codes never become one class by themselves. What was
    missing is added to ``counts``, and the values behind labels to ``labelled``.
    """
    import pandas as pd  # start-up cost: the program starts without it

    bare = Counter(_plain(v) for v in set(values) if not pd.isna(v) and v not in labels)
    used = bare + Counter(labels.values())
    texts = []
    for value in values:
        if pd.isna(value):
            texts.append("")
            continue
        text = labels.get(value)
        if text is None:
            text = _plain(value)
        elif used[text] > 1:
            text = f"{text} ({_plain(value)})"
        if value in declared:
            text = as_reason(text)
            counts[text] = counts.get(text, 0) + 1
        elif value in labels:
            labelled.setdefault(text, _plain(value))
        texts.append(text)
    return texts


if TYPE_CHECKING:
    import pandas as pd


def from_frame(frame: "pd.DataFrame", subject: str, rater: str, rating: str) -> Ratings:
    """Ratings from a long table with one row per rating; rows without a rating are absent ratings.

    Parameters
    ----------
    frame
        The table.
    subject, rater, rating
        Names of its columns. Classes stand in sorted order where they can be compared, else as they first appear.

    Raises
    ------
    UsageError
        When a column is not there.
    """
    for column in (subject, rater, rating):
        if column not in frame.columns:
            known = ", ".join(map(str, frame.columns))
            raise UsageError(
                _("There is no column '{column}'.").format(column=Label(column)),
                fix=_("The columns are: {known}.").format(known=known),
            )
    frame = frame.loc[frame[rating].notna(), [subject, rater, rating]]
    codes, names = {}, {}
    for column in (subject, rater, rating):
        codes[column], names[column] = _coded(frame[column])
    try:
        order = sorted(range(len(names[rating])), key=lambda i: names[rating][i])
    except TypeError:
        order = list(range(len(names[rating])))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return Ratings.of(
        codes[subject],
        codes[rater],
        rank[codes[rating]],
        list(map(str, names[subject])),
        list(map(str, names[rater])),
        [str(names[rating][i]) for i in order],
    )


def _coded(column: "pd.Series[Any]") -> tuple[NDArray[np.int64], list[Any]]:
    """Code of each value, and the distinct values as they first appear."""
    import pandas as pd  # late: the program's start does without it

    values = column.to_numpy() if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iu" else None
    if values is not None and values.size and (values[1:] >= values[:-1]).all():
        # Whole numbers in order, as subjects of a long table mostly are, need no table of what was seen.
        fresh = np.ones(values.size, dtype=bool)
        np.not_equal(values[1:], values[:-1], out=fresh[1:])
        return np.cumsum(fresh) - 1, values[fresh].tolist()
    codes, uniques = pd.factorize(column)
    return np.asarray(codes, dtype=np.int64), list(uniques)
