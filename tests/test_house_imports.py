"""Who may import whom: the import table of tapdesk/ARCHITECTURE.md, held against the sources and the interpreter."""

import ast
import subprocess
import sys
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "tapdesk"
QT = {"PySide6", "shiboken6", "pyqtgraph"}

GROUND = {"errors", "estimate", "language", "resources", "version"}
BELOW_STUDIES = {"models", "agreement", "ratings", "estimate", "progress", "processes", "errors", "language"}
BELOW_PROJECT = {"fitting", "studies", *BELOW_STUDIES, "version"}
BELOW_ANSWERS = {"project", "progress", *BELOW_PROJECT, *GROUND}
MAY_IMPORT: dict[str, set[str]] = {
    **{room: set() for room in GROUND},
    "language": {"resources"},
    "errors": {"language"},
    "progress": {"errors", "language"},
    "processes": set(),
    "ratings": {"errors", "language", "processes", "progress", "resources"},
    # A coefficient's re-draws are told in steps.
    "agreement": {"ratings", "estimate", "progress", "errors", "language"},
    "models": {"ratings", "estimate", "errors", "language"},
    "fitting": BELOW_STUDIES,
    "studies": {"fitting", *BELOW_STUDIES},
    "project": BELOW_PROJECT,
    "answers": BELOW_ANSWERS,
    "report": {"answers", *BELOW_ANSWERS},
    "papers": {"report", "answers", *BELOW_ANSWERS},
    # ``import tapdesk`` for those who program; loaded when its names are first asked for.
    "notebook": {"report", "answers", *BELOW_ANSWERS},
    "worlds": {"report", "answers", *BELOW_ANSWERS},
    "dossier": {"worlds", "report", "answers", *BELOW_ANSWERS},
    "gui": {"report", "answers", *BELOW_ANSWERS},
    "cli": {"papers", "worlds", "dossier", "report", "answers", *BELOW_ANSWERS},
    "__main__": {"cli", "report", "answers", *BELOW_ANSWERS},
}


@dataclass(frozen=True)
class Import:
    """One imported module, and whether a function imports it late."""

    module: str
    line: int
    late: bool

    @property
    def room(self) -> str | None:
        """The room of ours it names, if it is ours."""
        parts = self.module.split(".")
        return parts[1] if parts[0] == "tapdesk" and len(parts) > 1 else None


def room_of(name: str) -> str:
    """The room of a file told relative to the package, such as ``gui/app.py``."""
    return name.split("/", maxsplit=1)[0].removesuffix(".py")


def imports(source: str) -> list[Import]:
    """Every import of one source, those inside functions included; a relative one keeps its dots."""
    found: list[Import] = []

    def walk(node: ast.AST, late: bool) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                found.extend(Import(alias.name, child.lineno, late) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                module = "." * child.level + (child.module or "")
                names = [f"tapdesk.{alias.name}" for alias in child.names] if module == "tapdesk" else [module]
                found.extend(Import(name, child.lineno, late) for name in names)
            elif isinstance(child, ast.Call) and ast.unparse(child.func).split(".")[-1] in {
                "import_module",
                "__import__",
            }:
                found.append(Import("by a string", child.lineno, late))
            walk(child, late or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda))

    walk(ast.parse(source), late=False)
    return found


def faults(name: str, source: str) -> list[str]:
    """What one file imports against the table."""
    room = room_of(name)
    if name == "__init__.py":
        late = [one for one in imports(source) if one.room]
        return [f"{name} imports {one.module} early" for one in late if one.room != "notebook" or not one.late]
    if name.endswith("__init__.py"):
        body = ast.parse(source).body
        only_docstring = len(body) == 1 and ast.get_docstring(ast.parse(source)) is not None
        return [] if only_docstring else [f"{name} holds more, or less, than a docstring"]
    if room not in MAY_IMPORT:
        return [f"{name} is in a room the table does not know"]
    wrong = []
    for one in imports(source):
        opens_window = room == "__main__" and one.room == "gui" and one.late
        if one.module.startswith(".") or one.module in {"by a string", "tapdesk"}:
            wrong.append(f"{name}:{one.line} does not import by its full name")
        elif one.module.split(".")[0] in QT and room != "gui":
            wrong.append(f"{name}:{one.line} imports {one.module}, which only gui may")
        elif one.room and one.room not in {room, *MAY_IMPORT[room]} and not opens_window:
            wrong.append(f"{name}:{one.line} imports {one.module}, which {room} may not")
    return wrong


def ring(files: dict[str, str]) -> list[str]:
    """Rooms that import each other in a circle, in order; empty when there is none."""
    graph: dict[str, set[str]] = {}
    for name, source in files.items():
        room = room_of(name)
        graph.setdefault(room, set()).update(one.room for one in imports(source) if one.room and one.room != room)
    return circle_of(graph)


def file_ring(files: dict[str, str]) -> list[str]:
    """Files that import each other in a circle, late imports included, in order; empty when there is none."""
    of_module = {"tapdesk." + name.removesuffix(".py").replace("/", "."): name for name in files}
    graph: dict[str, set[str]] = {}
    for name, source in files.items():
        body = ast.walk(ast.parse(source))
        taken = [n for n in body if isinstance(n, ast.ImportFrom) and n.module]
        # A module itself may be what is taken from a folder.
        named = {x for n in taken for x in (str(n.module), *(f"{n.module}.{alias.name}" for alias in n.names))}
        graph[name] = {of_module[x] for x in named if x in of_module} - {name}
    return circle_of(graph)


def circle_of(graph: dict[str, set[str]]) -> list[str]:
    """The nodes of a circle, in order; empty when there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        return list(circle.args[1])
    return []


def sources() -> dict[str, str]:
    """Every source of the program, by its path inside the package."""
    return {path.relative_to(PACKAGE).as_posix(): path.read_text("utf-8") for path in sorted(PACKAGE.rglob("*.py"))}


def test_no_file_needs_itself_by_way_of_others():
    assert file_ring(sources()) == []


def test_a_circle_of_files_is_seen_late_imports_and_folders_included():
    one = "from tapdesk.report import two\n"
    assert file_ring({"report/one.py": one, "report/two.py": "def f():\n    from tapdesk.report.one import x\n"})
    assert file_ring({"report/one.py": one, "report/two.py": "import numpy\n"}) == []


def test_every_file_imports_only_what_the_table_allows():
    assert [fault for name, source in sources().items() for fault in faults(name, source)] == []


def test_no_rooms_import_each_other_in_a_circle():
    assert ring({name: source for name, source in sources().items() if not name.endswith("__init__.py")}) == []


def test_every_room_of_the_program_has_a_docstring_file_and_a_row_in_the_table():
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.rglob("*.py"))}
    assert rooms <= MAY_IMPORT.keys()
    assert [room for room in sorted(rooms) if not (PACKAGE / room / "__init__.py").is_file()] == []


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("ratings/reading.py", "from tapdesk.models.model import RaterModel"),
        ("ratings/reading.py", "def f():\n    import tapdesk.fitting.fit"),
        ("models/model.py", "from tapdesk import agreement"),
        ("models/model.py", "from . import parameters"),
        ("models/model.py", "from ..ratings import ratings"),
        ("models/model.py", "import tapdesk"),
        ("errors.py", "from tapdesk.progress import Step"),
        ("report/svg/draw.py", "from PySide6.QtGui import QImage"),
        ("report/svg/draw.py", "async def f():\n    import pyqtgraph as pg"),
        ("fitting/fit.py", "import importlib\nimportlib.import_module('tapdesk.gui.app')"),
        ("cli.py", "def f():\n    from tapdesk.gui.app import main"),
        ("__main__.py", "from tapdesk.gui.app import main"),
        ("gui/app.py", "from tapdesk.cli import main"),
        ("report/build.py", "from tapdesk.papers.catalog import REPRODUCTIONS"),
        ("attic/old.py", ""),
        ("models/__init__.py", '"""Models."""\nfrom tapdesk.models.model import RaterModel'),
        ("models/__init__.py", ""),
    ],
)
def test_the_guard_sees_an_import_against_the_table(name, source):
    assert len(faults(name, source)) == 1


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("ratings/reading.py", "from tapdesk.ratings.table import Table\nfrom tapdesk.errors import TapdeskError"),
        ("project/project.py", "from tapdesk.studies.analysis import Request"),
        ("gui/app.py", "from PySide6.QtWidgets import QApplication\nimport pyqtgraph"),
        ("__main__.py", "def window():\n    from tapdesk.gui.app import main"),
        ("cli.py", "from tapdesk.report.build import build\nimport numpy"),
        ("models/__init__.py", '"""Models."""'),
    ],
)
def test_the_guard_lets_an_import_within_the_table_pass(name, source):
    assert faults(name, source) == []


def test_the_guard_sees_a_ring():
    files = {"models/model.py": "import tapdesk.agreement.kappa", "agreement/kappa.py": "import tapdesk.models.model"}
    assert set(ring(files)) == {"models", "agreement"}


ALONE = """
import importlib, pkgutil, sys
import tapdesk
rooms = [room for room in pkgutil.iter_modules(tapdesk.__path__, "tapdesk.") if room.name != "tapdesk.gui"]
names = [room.name for room in rooms]
for room in rooms:
    if room.ispkg:
        path = importlib.import_module(room.name).__path__
        names += [one.name for one in pkgutil.walk_packages(path, room.name + ".")]
for name in names:
    importlib.import_module(name)
print(len(names), sorted({name.split(".")[0] for name in sys.modules} & {"PySide6", "shiboken6", "pyqtgraph"}))
"""


def test_everything_but_the_window_loads_without_qt():
    alone = [sys.executable, "-W", "error", "-c", ALONE]
    done = subprocess.run(alone, check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    count, loaded = done.stdout.split(" ", 1)
    expected = [n for n in sources() if not n.startswith("gui/") and not n.endswith("__init__.py")]
    # The rooms themselves count as well as their files.
    assert int(count) >= len(expected)
    assert loaded.strip() == "[]"
