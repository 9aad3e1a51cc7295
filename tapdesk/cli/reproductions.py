"""All figures of the papers as a page with pictures: ``study paper --figure all -o FOLDER``."""

import argparse
from pathlib import Path
from typing import Any

from tapdesk.cli import told
from tapdesk.cli.outputs import STANDARD_OUTPUT, permitted
from tapdesk.cli.resuming import resuming
from tapdesk.cli.watch import run_watched
from tapdesk.errors import UsageError
from tapdesk.project.files.marks import Kind, sealed
from tapdesk.project.files.outputs import made_folder
from tapdesk.studies.checkpoint import Kept
from tapdesk.studies.paper import REPRODUCTIONS
from tapdesk.studies.papers.asked import Asked
from tapdesk.studies.table import Table

# Sharp on paper and screen, and small enough to come with the program.
_PPI = 120


def all_figures(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Run every study of the papers and write a page with the pictures into a folder.

    Raises
    ------
    UsageError
        When no folder is named, or a file of the user's is.
    """
    from tapdesk.report.figures.papers_catalog import SHEETS
    from tapdesk.report.forms.sheets import sheet_file  # late: the compiler of pictures takes a moment to load
    from tapdesk.report.reproductions import page

    if args.output in STANDARD_OUTPUT:
        raise UsageError("All figures need a folder to be written to.", fix="Name it with -o, such as -o papers.")
    if args.file or args.picture:
        raise UsageError("All figures are made of the data that come with them, as .png.", fix="Name one --figure.")
    folder, may = made_folder(Path(args.output)), permitted(args)
    made = []
    with resuming(args) as kept:
        for i, row in enumerate(REPRODUCTIONS):
            sheet = SHEETS[row.name](_table(i, args, {} if kept is None else kept))
            may.save(folder / f"{row.name}.png", sheet_file(sheet, ".png", ppi=_PPI))
            made.append((row, sheet))
        may.save(folder / "README.md", sealed(page(made).encode(), Kind.PAGE))
    rows = [{"figure": row.name, "file": f"{row.name}.png", "found": sheet.title} for row, sheet in made]
    answer = {**told.head("study", None), "study": "paper", "rows": rows}
    return answer, f"Saved {len(made)} pictures and README.md to {folder}."


def _table(place: int, args: argparse.Namespace, kept: Kept) -> Table:
    """The numbers of one figure: worked out now, or before the command was stopped."""
    row = REPRODUCTIONS[place]
    if place not in kept:
        found = run_watched(row.run(Asked(args.seed, args.workers, args.replicates)))
        kept[place] = (found.name, found.columns, found.rows, found.size)
    return Table(*kept[place])
