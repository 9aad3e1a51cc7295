"""Where the files that come with the program are: source tree, wheel or bundle."""

import sys
from pathlib import Path

OTHER_FACES = (
    *(
        f"NotoSans{script}-Regular.ttf"
        for script in ("Arabic", "Hebrew", "Devanagari", "Thai", "Bengali", "Tamil", "Georgian", "Armenian")
    ),
    "DroidSansFallback-Regular.ttf",
)
"""Faces for what Inter lacks, in this order; the last one, the largest, has the signs of Chinese, Japanese and Korean.

They stand here because the window adds them to Qt before anything of ours is loaded that could measure them.
"""


def folder() -> Path:
    """The folder ``resources``, wherever the program runs from.

    Raises
    ------
    FileNotFoundError
        When the installation is incomplete.
    """
    bundle = getattr(sys, "_MEIPASS", None)
    here = Path(__file__).resolve().parent
    candidates = [Path(bundle) / "resources"] if bundle else []
    # setup.py puts the folder into a wheel as tapdesk/_data; a source tree has it beside the package.
    candidates += [here / "_data", here.parent / "resources"]
    for candidate in candidates:
        if (candidate / "tokens.json").is_file():
            return candidate
    raise FileNotFoundError(f"the folder 'resources' is missing beside {here}")


def path(*parts: str) -> Path:
    """The path of one bundled file, such as ``path("samples", "jury.csv")``."""
    return folder().joinpath(*parts)
