"""The long tables of the newer studies, made once and kept: ``python -m tests.studies.long_tables NAME``.

What is finished is kept beside the table while it is made, so that it goes on where it was ended; the slow suite makes
a random tenth again.
"""

import csv
import sys
from functools import partial
from pathlib import Path

from tapdesk.progress import finish
from tapdesk.studies.error_rates import TESTS, error_rates
from tapdesk.studies.parallel import Checkpoint
from tapdesk.studies.pooling_calibration import pooling_calibration

FOLDER = Path(__file__).parents[1] / "data" / "long"
TABLES = {
    "pooling-hmc": partial(pooling_calibration, "hmc", 48),
    "pooling-approximation": partial(pooling_calibration, "approximation"),
    **{f"errors-{test}": partial(error_rates, test, 150) for test in TESTS[:2]},
}


def kept(name):
    """The rows of a table that was made, as dictionaries."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main(names) -> None:
    """Make the tables of these names, all without any."""
    FOLDER.mkdir(exist_ok=True)
    for name in names or TABLES:
        with Checkpoint(FOLDER / f"{name}.pieces", {"table": name}) as pieces:
            table = finish(TABLES[name](kept=pieces))
            with (FOLDER / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                out = csv.writer(file, lineterminator="\n")
                out.writerow(table.columns)
                out.writerows(table.rows)
            pieces.remove()


if __name__ == "__main__":
    main(sys.argv[1:])
