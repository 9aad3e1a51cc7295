"""Rating sheets that were filled in: what each workbook says, and how it becomes one table of ratings with the key."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tapdesk.errors import TapdeskError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.findings import quoted_list
from tapdesk.ratings.grid import CellGrid, FileCells, TextColumn, column_letter, grid_of, without_guards
from tapdesk.ratings.options import Layout, RatersAre, ReadingOptions
from tapdesk.ratings.own.recall import SETTLED

ABOUT_SHEET, KEY_SHEET, CLASSES_SHEET = "About these sheets", "Key", "Classes"
ABOUT_MARK = "tapdesk rating sheets"
"""What stands in the first cell of the sheet about them; the name of the plan stands beside it."""
KEY_FILE, COPY, ORDERED, SEED = "key", "copy", "ordered", "seed"
"""What the rows of that sheet tell: the file of the key, a copy for a rater, whether classes are ordered, the seed."""
ITEM, CASE, RATING, REMARK = "item", "case", "rating", "remark"
KEY_HEAD = (ITEM, "rater", "place", CASE, "time", "known answer")
PLANNED = SETTLED | {"repeats_same", "repeats_different", "known_by"}
"""What is asked of other tables and was planned here."""


@dataclass(frozen=True)
class KeyLine:
    """What an item stands for; fields as the columns of the key."""

    item: str
    rater: str
    place: str
    case: str
    time: str
    known: str


@dataclass(frozen=True)
class FilledLine:
    """What somebody wrote about an item, and in which cell."""

    item: str
    rating: str
    remark: str
    where: str


@dataclass(frozen=True, eq=False)
class FilledSheets:
    """What one workbook of a plan says.

    Attributes
    ----------
    plan
        The name of the plan.
    key
        What the items stand for; empty in the copy of a rater.
    key_file
        The name of the file with the key.
    copies
        The names of the files for the raters; only the key knows them.
    classes, ordered
        What can be said of a case.
    lines
        What was written.
    """

    plan: str
    key: tuple[KeyLine, ...]
    key_file: str
    copies: tuple[str, ...]
    classes: tuple[str, ...]
    ordered: bool
    lines: tuple[FilledLine, ...]


NO_SHEETS = FilledSheets("", (), "", (), (), ordered=False, lines=())
"""A workbook that holds none."""


@dataclass(frozen=True, eq=False)
class SheetCells:
    """A sheet of a workbook: its name and its columns."""

    name: str
    columns: tuple[TextColumn, ...]
    rows: int

    def row(self, index: int) -> tuple[str, ...]:
        """The texts of a row."""
        return tuple(c.text(index).strip() for c in self.columns)


def filled_sheets(sheets: Sequence[SheetCells], name: str) -> FilledSheets | None:
    """What a workbook says, where it holds rating sheets of ours; None for others.

    Raises
    ------
    TapdeskError
        When a sheet of a rater has lost its column of items or of ratings.
    """
    own = {sheet.name: SheetCells(sheet.name, without_guards(sheet.columns)[0], sheet.rows) for sheet in sheets}
    about = own.pop(ABOUT_SHEET, None)
    if about is None or not about.rows or len(about.columns) < 2 or about.row(0)[0] != ABOUT_MARK:
        return None
    table = [about.row(i) for i in range(about.rows)]
    key, classes = own.pop(KEY_SHEET, None), own.pop(CLASSES_SHEET, None)

    def values(what: str) -> tuple[str, ...]:
        return tuple(row[1] for row in table[1:] if row[0] == what)

    return FilledSheets(
        table[0][1],
        () if key is None else tuple(KeyLine(*key.row(i)[: len(KEY_HEAD)]) for i in range(1, key.rows)),
        next(iter(values(KEY_FILE)), ""),
        values(COPY),
        () if classes is None else tuple(classes.row(i)[0] for i in range(1, classes.rows)),
        "yes" in values(ORDERED),
        tuple(line for sheet in own.values() if sheet.rows for line in _lines(sheet, name)),
    )


def _lines(sheet: SheetCells, name: str) -> Iterator[FilledLine]:
    """What stands on the sheet of a rater, blank ratings aside."""
    head = [text.casefold() for text in sheet.row(0)]
    if ITEM not in head or RATING not in head:
        raise TapdeskError(
            _("The sheet '{sheet}' has no column '{item}' or no column '{rating}' any more.").format(
                sheet=Label(sheet.name), item=ITEM, rating=RATING
            ),
            name,
            _("Give the columns back the names they had, in the first row."),
        )
    item, rating = head.index(ITEM), head.index(RATING)
    remark = head.index(REMARK) if REMARK in head else None
    for i in range(1, sheet.rows):
        row = sheet.row(i)
        if row[rating] or (remark is not None and row[remark]):
            where = f"{name}, {sheet.name}!{column_letter(rating)}{i + 1}"
            yield FilledLine(row[item], row[rating], "" if remark is None else row[remark], where)


Loader = Callable[[Path, ReadingOptions], Run[FileCells]]


def collected(
    paths: Sequence[Path], loaded: Sequence[FileCells], load: Loader, options: ReadingOptions
) -> Run[tuple[tuple[Path, ...], CellGrid, Mapping[str, Any], tuple[FileCells, ...]]]:
    """The key and all filled copies that stand beside it, as one table.

    Parameters
    ----------
    paths, loaded
        The files that were opened, and what they say.
    load
        What opens a further one.
    options
        The user's.

    Returns
    -------
    tuple
        The files that were read, the one with the key first; the table; how it is read; the cells of the files.

    Raises
    ------
    TapdeskError
        When the sheets are of several plans, the key is missing, an item is none of the plan's, a rating is none of
        the classes, or two files say different things of one item.
    """
    files = dict(zip(paths, loaded, strict=True))
    holder = next((p for p, one in files.items() if _part(one).key), None)
    if holder is None:
        holder = _beside(paths[0], _part(loaded[0]).key_file)
        files[holder] = yield from load(holder, options)
    plan = _part(files[holder])
    for name in plan.copies:
        copy = holder.with_name(name)
        if copy not in files and copy.is_file():
            files[copy] = yield from load(copy, options)
    for path, one in files.items():
        if _part(one).plan != plan.plan or not plan.key:
            raise TapdeskError(
                _("“{name}” does not belong to the rating sheets of “{key}”.").format(
                    name=Label(path.name), key=Label(holder.name)
                ),
                path.name,
                _("Open the sheets of one plan together, or keep the sheets of several plans in folders of their own."),
            )
    order = (holder, *(path for path in files if path != holder))
    cells = tuple(files[path] for path in order)
    grid, recalled = _joined(plan, [_part(one) for one in cells], holder.name)
    return order, grid, recalled, cells


def _part(one: FileCells) -> FilledSheets:
    """What a workbook of a plan says; another is refused by `collected`."""
    return one.filled if isinstance(one.filled, FilledSheets) else NO_SHEETS


def _beside(path: Path, key: str) -> Path:
    """The file with the key, which must stand beside a copy."""
    holder = path.with_name(Path(key).name) if key else path
    if not key or not holder.is_file():
        raise TapdeskError(
            _("These are the ratings of one rater, and the key to them, “{key}”, is not beside them.").format(
                key=Label(key)
            ),
            path.name,
            _("Put the filled copies into the folder of the key and open the key."),
        )
    return holder


def _written(plan: FilledSheets, parts: Sequence[FilledSheets]) -> Mapping[str, FilledLine]:
    """By item what was written about it; refused where that cannot be meant."""
    known = {line.item for line in plan.key}
    written: dict[str, FilledLine] = {}
    classes = set(plan.classes)
    for line in (line for part in parts for line in part.lines):
        if line.item not in known:
            raise TapdeskError(
                _("The item '{item}' is none of the plan's.").format(item=Label(line.item)),
                line.where,
                _("Write the item as it was on the blank sheet."),
            )
        if line.rating and line.rating not in classes:
            raise TapdeskError(
                _("The rating '{rating}' is none of the classes {classes}.").format(
                    rating=Label(line.rating), classes=quoted_list(plan.classes, 12)
                ),
                line.where,
                _("Write one of the classes, or leave the cell blank."),
            )
        before = written.get(line.item)
        if before is not None and before.rating and line.rating and before.rating != line.rating:
            raise TapdeskError(
                _("The item '{item}' is rated '{one}' in one place and '{other}' in another.").format(
                    item=Label(line.item), one=Label(before.rating), other=Label(line.rating)
                ),
                f"{before.where}; {line.where}",
                _("Keep one of the two and blank the other."),
            )
        if before is None or line.rating:
            written[line.item] = line
    return written


def _joined(plan: FilledSheets, parts: Sequence[FilledSheets], name: str) -> tuple[CellGrid, Mapping[str, Any]]:
    """One row for each item of the key, with what was written about it."""
    written = _written(plan, parts)
    blank = FilledLine("", "", "", "")
    lines = [(line, written.get(line.item, blank)) for line in plan.key]
    columns: dict[str, list[str]] = {
        CASE: [key.case for key, _line in lines],
        "rater": [key.rater for key, _line in lines],
        RATING: [line.rating for _key, line in lines],
        "place": [key.place for key, _line in lines],
        "time": [key.time for key, _line in lines],
        REMARK: [line.remark for _key, line in lines],
        "known answer": [key.known for key, _line in lines],
    }
    # What says nothing of any line has no column.
    always = {CASE, "rater", RATING, "place"}
    kept = {n: texts for n, texts in columns.items() if n in always or len({*texts} - {""}) > (n == "time")}
    if not any(columns[RATING]):
        raise TapdeskError(
            _("No rating was filled in yet."),
            name,
            _("Put the filled copies into the folder of the key, under the names they had, and open the key."),
        )
    grid = grid_of([tuple(kept), *zip(*kept.values(), strict=True)])
    return grid, MappingProxyType(_recall(plan, known="known answer" in kept))


def _recall(plan: FilledSheets, *, known: bool) -> dict[str, Any]:
    """The reading options of the table, by the names of their fields."""
    return {
        "layout": Layout.LONG,
        "subject": CASE,
        "rater": "rater",
        "rating": RATING,
        "order": plan.classes,
        "unordered": not plan.ordered,
        "missing": (),
        "raters_are": RatersAre.PEOPLE,
        "keep_summaries": True,
        "header": 1,
        "header_rows": 1,
        "last": 0,
        **({"known": "known answer"} if known else {}),
    }
