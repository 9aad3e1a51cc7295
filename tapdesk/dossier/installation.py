"""What runs here: the versions of Python and of the libraries, and digests of the files of the program."""

import hashlib
import platform
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tapdesk import resources
from tapdesk.version import VERSION

LIBRARIES = (
    "numpy", "scipy", "pandas", "openpyxl", "python-docx", "defusedxml", "python-calamine", "pyreadstat", "typst",
    "arviz-stats", "charset-normalizer",
)  # fmt: skip
"""What the program asks for, as the package indexes call it; a test holds it against ``pyproject.toml``."""
# What running the program leaves beside its files is none of them.
_MADE_BY_RUNNING = "__pycache__"


@dataclass(frozen=True, slots=True)
class FileGroup:
    """Files of one folder.

    Attributes
    ----------
    name
        The folder.
    digests
        The SHA-256 of each file, by its name below the place of the program.
    """

    name: str
    digests: tuple[tuple[str, str], ...]

    @property
    def digest(self) -> str:
        """One for all of them."""
        return digest_of(self.digests)


@dataclass(frozen=True, slots=True)
class Installation:
    """A copy of the program on a computer.

    Attributes
    ----------
    version
        Of the program.
    python, system
        What it runs on.
    libraries
        Names and versions; None where this copy does not tell one.
    groups
        Its files.
    """

    version: str
    python: str
    system: str
    libraries: tuple[tuple[str, str | None], ...]
    groups: tuple[FileGroup, ...]

    @property
    def count(self) -> int:
        """How many files there are."""
        return sum(len(group.digests) for group in self.groups)

    @property
    def digest(self) -> str:
        """One for all files."""
        return digest_of(tuple(sorted(one for group in self.groups for one in group.digests)))


def digest_of(digests: tuple[tuple[str, str], ...]) -> str:
    """The SHA-256 of a list as ``sha256sum`` writes it: digest, two blanks, name, a line each in the order of names."""
    lines = (f"{digest}  {name}\n" for name, digest in digests)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def installation() -> Installation:
    """What runs here, read from the disk now."""
    groups: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, path in sorted(_files()):
        group = "/".join(name.split("/")[:-1][:2]) or "."
        groups[group].append((name, hashlib.sha256(path.read_bytes()).hexdigest()))
    return Installation(
        VERSION,
        f"{platform.python_implementation()} {platform.python_version()}",
        f"{platform.system()} {platform.machine()}",
        tuple((name, _version(name)) for name in LIBRARIES),
        tuple(FileGroup(name, tuple(rows)) for name, rows in sorted(groups.items())),
    )


def _files() -> Iterator[tuple[str, Path]]:
    """The files of the program by their names: its modules and ``resources``, or all that a bundle holds."""
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle is not None:
        # Modules are packed into the executable there, so it stands for them.
        yield Path(sys.executable).name, Path(sys.executable)
        yield from _below(Path(bundle), "bundle")
        return
    package, data = Path(__file__).resolve().parent.parent, resources.folder()
    yield from ((name, path) for name, path in _below(package, "tapdesk") if not path.is_relative_to(data))
    yield from _below(data, "resources")


def _below(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    for path in folder.rglob("*"):
        if path.is_file() and _MADE_BY_RUNNING not in path.parts:
            yield f"{name}/{path.relative_to(folder).as_posix()}", path


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
