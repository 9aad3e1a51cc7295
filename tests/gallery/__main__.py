"""``python -m tests.gallery FOLDER [NAME ...]``: the reports, their pages, a sheet of each and one of all.

``python -m tests.gallery --columns FOLDER [SAMPLE ...]``: every figure in grey, as wide as a column of print.
"""

import sys
from pathlib import Path

from tests.gallery.columns import sheets
from tests.gallery.make import gallery

if sys.argv[1] == "--columns":
    for sheet in sheets(Path(sys.argv[2]), tuple(sys.argv[3:])):
        sys.stdout.write(f"{sheet}\n")
else:
    made = gallery(Path(sys.argv[1]), tuple(sys.argv[2:]))
    sys.stdout.write(f"{len(made)} pages; the whole on {Path(sys.argv[1]) / 'sheet.png'}.\n")
