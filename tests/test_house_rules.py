"""The rules every source keeps: short files, short functions, nothing silenced."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LONGEST_FILE = 600
LONGEST_FUNCTION = 50
WHY_LONGER = "# Longer than 50 lines: "  # followed, inside the function, by the reason
SILENCED = re.compile(r"#\s*(type:\s*ignore|noqa|ruff:|mypy:|pragma:|pyright:|flake8)", re.IGNORECASE)


def own_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function without its docstring, which may be as long as its mathematics asks for."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    if ast.get_docstring(function) is not None:
        told = function.body[0]
        lines -= (told.end_lineno or told.lineno) - told.lineno + 1
    return lines


def long_parts(name: str, source: str) -> list[str]:
    """The file itself and its functions, where they are longer than the house allows."""
    lines = source.splitlines()
    found = [f"{name} has {len(lines)} lines"] if len(lines) > LONGEST_FILE else []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and own_lines(node) > LONGEST_FUNCTION:
            inside = [line.strip() for line in lines[node.lineno - 1 : node.end_lineno]]
            if not any(line.startswith(WHY_LONGER) and len(line) > len(WHY_LONGER) + 10 for line in inside):
                found.append(f"{name}:{node.lineno} {node.name} has {own_lines(node)} lines")
    return found


def silenced(name: str, source: str) -> list[str]:
    """The comments that tell a checker to look away; words inside strings are none."""
    if SILENCED.search(source) is None:
        return []
    comments = [t for t in tokenize.generate_tokens(io.StringIO(source).readline) if t.type == tokenize.COMMENT]
    return [f"{name}:{c.start[0]} {c.string}" for c in comments if SILENCED.search(c.string)]


def sources(*folders: str) -> dict[str, str]:
    """Every Python source in these folders, by its path in the project."""
    paths = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in paths}


def test_files_and_functions_of_the_program_are_short():
    assert [part for name, source in sources("tapdesk").items() for part in long_parts(name, source)] == []


def test_files_of_tests_are_short_as_well():
    tests = {name: source.count("\n") for name, source in sources("tests", "packaging").items()}
    assert {name: lines for name, lines in tests.items() if lines > LONGEST_FILE} == {}


def test_no_checker_is_told_to_look_away():
    everywhere = sources("tapdesk", "tests", "packaging")
    assert [comment for name, source in everywhere.items() for comment in silenced(name, source)] == []


def test_the_guard_sees_a_file_that_is_too_long():
    assert long_parts("a.py", "x = 1\n" * 601) == ["a.py has 601 lines"]
    assert long_parts("a.py", "x = 1\n" * 600) == []


@pytest.mark.parametrize("head", ["def f():", "async def f():"])
def test_the_guard_sees_a_function_that_is_too_long(head):
    assert long_parts("a.py", f"{head}\n" + "    x = 1\n" * 50) == ["a.py:1 f has 51 lines"]
    assert long_parts("a.py", f"{head}\n" + "    x = 1\n" * 49) == []


def test_a_docstring_does_not_make_a_function_long():
    docstring = '    """What it computes.\n' + "    More.\n" * 40 + '    """\n'
    assert long_parts("a.py", "def f():\n" + docstring + "    x = 1\n" * 49) == []


def test_a_longer_function_passes_only_with_its_reason_inside():
    body = "    x = 1\n" * 60
    assert long_parts("a.py", f"def f():\n    {WHY_LONGER}one table, a row a line.\n{body}") == []
    assert len(long_parts("a.py", f"def f():\n    {WHY_LONGER}\n{body}")) == 1
    assert len(long_parts("a.py", f"{WHY_LONGER}one table, a row a line.\ndef f():\n{body}")) == 1


@pytest.mark.parametrize(
    "words", ["type: ignore", "type:ignore[misc]", "noqa", "NOQA: E501", "mypy: disable-error-code=x"]
)
def test_the_guard_sees_a_silenced_checker(words):
    assert len(silenced("a.py", f"x = 1  # {words}\n")) == 1
    assert silenced("a.py", f"x = '# {words}'\n") == []


# Who may write to the disk by themselves: the mechanism, its locks and its folders; what holds unfinished work; the
# window's copies and its log; folders of our own for a moment. What only makes a row of text is `_BY_THE_WAY`.
WRITERS = {
    "project/files/saving.py",
    "project/files/locks.py",
    "project/files/autosave.py",
    "project/files/file.py",
    "project/files/outputs.py",
    "project/external_change.py",
    "studies/parallel.py",
    "gui/shell/opening.py",
    "gui/shell/crash.py",
    "ratings/formats/statistics_files.py",
}
_WRITING = re.compile(
    r"write_(?:text|bytes)\(|\bopen\([^)]*[\"'][rwxab+]*[wxa+][rwxab+]*[\"']"
    r"|files\.file import [^\n]*\bsave\b|\bfiles\.save\("
    r"|files import saving|files\.saving import|csv\.writer|write_sav\(|\.mkdir\("
)
_BY_THE_WAY = {"cli/selftest.py": "write_sav(", "gui/shell/opening.py": "csv.writer", "cli/effects.py": "csv.writer"}


def test_nothing_is_written_but_through_what_knows_what_may_be_replaced():
    package = Path(__file__).resolve().parent.parent / "tapdesk"
    found = {
        (str(path.relative_to(package)), hit.group(0))
        for path in package.rglob("*.py")
        for hit in _WRITING.finditer(path.read_text("utf-8"))
        if str(path.relative_to(package)) not in WRITERS
    }
    assert found - set(_BY_THE_WAY.items()) == set()
