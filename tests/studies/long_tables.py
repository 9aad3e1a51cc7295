"""The long tables of the newer models in the help: ``python -m tests.studies.long_tables [TABLE [NAME]]``.

The rows of a table are made name by name - of a test, a model, a kind of belief - and put into the file at once; what
is finished of a name is kept in a folder meanwhile. So the same command goes on where it was ended, and does nothing
once all is there. The slow suite makes a random tenth again.
"""

import csv
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tapdesk.progress import Run, finish
from tapdesk.studies.error_rates import TESTS, error_rate_parts, error_rates
from tapdesk.studies.grid_panels import MEMBERS
from tapdesk.studies.member_coverage import member_coverage, member_parts
from tapdesk.studies.parallel import Checkpoint, FinishedPieces
from tapdesk.studies.pooling_coverage import PANELS, pooling_coverage, pooling_parts
from tapdesk.studies.posterior_calibration import BELIEFS, belief_parts, posterior_calibration
from tapdesk.studies.table import StudyTable
from tapdesk.worlds.headline_ranges import WORLDS, headline_ranges, range_parts

FOLDER = Path(__file__).parents[2] / "resources" / "help" / "coverage"
UNFINISHED = Path(tempfile.gettempdir()) / "tapdesk-long-tables"


@dataclass(frozen=True)
class LongTable:
    """A table of the help: its names, in the order of their first column, and how the rows of one are made."""

    names: Sequence[str]
    make: Callable[[str, FinishedPieces], Run[StudyTable]]


TABLES = {
    "tests": LongTable(TESTS, lambda name, kept: error_rates(error_rate_parts([name]), kept=kept)),
    "members": LongTable(MEMBERS, lambda name, kept: member_coverage(member_parts([name]), kept=kept)),
    "pooling": LongTable(tuple(PANELS), lambda name, kept: pooling_coverage(pooling_parts([name]), kept=kept)),
    "headlines": LongTable(WORLDS, lambda name, kept: headline_ranges(range_parts([name]), kept=kept)),
    "ranks": LongTable(BELIEFS, lambda name, kept: posterior_calibration(belief_parts([name]), kept=kept)),
}


def rows_of(table):
    """The rows of a table that are there, as dictionaries."""
    place = FOLDER / f"{table}.csv"
    if not place.exists():
        return []
    with place.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _put(table, found):
    """Write the rows of one name between those of the others, in the order of the catalog."""
    first = found.columns[0]
    rows = [row for row in rows_of(table) if row[first] not in found.values(first)]
    rows += [{key: "" if value is None else value for key, value in row.items()} for row in found.records()]
    rows.sort(key=lambda row: TABLES[table].names.index(row[first]))
    with (FOLDER / f"{table}.csv").open("w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, found.columns, lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def main(asked) -> None:
    """Make what is missing: of one table and name, of one table, or of all."""
    UNFINISHED.mkdir(exist_ok=True)
    for table in asked[:1] or TABLES:
        there = {next(iter(row.values())) for row in rows_of(table)}
        for name in asked[1:2] or [name for name in TABLES[table].names if name not in there]:
            with Checkpoint(UNFINISHED / f"{table} {name}.pieces", {"table": table, "name": name}) as pieces:
                _put(table, finish(TABLES[table].make(name, pieces)))
                pieces.remove()


if __name__ == "__main__":
    main(sys.argv[1:])
