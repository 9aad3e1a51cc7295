"""``python -m tests.gallery FOLDER [NAME ...]``: the reports, their pages, a sheet of each and one of all."""

import sys
from pathlib import Path

from tests.gallery.make import gallery

made = gallery(Path(sys.argv[1]), tuple(sys.argv[2:]))
sys.stdout.write(f"{len(made)} pages; the whole on {Path(sys.argv[1]) / 'sheet.png'}.\n")
