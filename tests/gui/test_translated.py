"""Every sentence of the window goes through gettext; what is written without it fails here."""

import ast
import re
from pathlib import Path

import pytest

import tapdesk.gui

ROOM = Path(tapdesk.gui.__file__).parent
# A sentence or a label: a word and a blank, or one word that begins as a label does.
SAID = re.compile(
    r"(?=.*[A-Za-z]{3})(?=.*[A-Za-z\d“”.,…] |.* [A-Za-z“])(?!.*[{};]\s*\w+:)|^[A-Z][a-z]{2,}[.…?]?$", re.DOTALL
)
NOT_SAID = {
    "Inter": "a font",
    '"Inter, sans-serif"': "fonts",
    "Fusion": "a style of Qt",
    "Fleiss": "a name",
    "Gwet": "a name",
    "[*] - tapdesk": "the name of the program",
    "class 1": "a phase for the machinery",
    "%(asctime)s %(levelname)s %(message)s": "a line of the log",
    "*.csv *.tsv *.txt *.xlsx *.xlsm *.xls *.xlsb *.ods *.sav *.dta": "names of files",
}


def looked_up(node):
    """Whether a node is a call of gettext."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_"


def unsaid(tree):
    """Literals that no user reads or that are translated already: arguments of `_`, docstrings, errors, keys, types."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.returns is not None:
            yield from ast.walk(node.returns)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            yield node.body[0].value
        elif isinstance(node, ast.Raise | ast.Compare) or looked_up(node):
            yield from ast.walk(node)
        elif isinstance(node, ast.Dict):
            yield from (key for key in node.keys if key is not None)
        elif isinstance(node, ast.Subscript):
            yield from ast.walk(node.slice)
        elif isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
            yield from ast.walk(node.annotation)
        elif isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            yield from ast.walk(node.format_spec)


def plain_words(source):
    """Line and text of every literal a user would read untranslated."""
    tree = ast.parse(source)
    out = set(unsaid(tree))
    for node in ast.walk(tree):
        words = node.value if isinstance(node, ast.Constant) and node not in out else None
        if isinstance(words, str) and words not in NOT_SAID and SAID.search(words):
            yield node.lineno, words


@pytest.mark.parametrize("line", ['label.setText("Not run yet")', 'text(f"about {n} s left")', 'button("Cancel")'])
def test_a_sentence_without_gettext_is_found(line):
    assert [words for _line, words in plain_words(line)]


@pytest.mark.parametrize(
    "line", ['label.setText(_("Not run yet"))', '_("about {n} s left").format(n=n)', 'text("small")', 'd["Not run"]']
)
def test_a_translated_sentence_and_a_key_are_not(line):
    assert list(plain_words(line)) == []


def test_every_sentence_of_the_window_goes_through_gettext():
    found = [
        f"{path.relative_to(ROOM)}:{line}: {words!r}"
        for path in sorted(ROOM.rglob("*.py"))
        if path.name != "qss.py"
        for line, words in plain_words(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_nobody_hides_gettext_behind_a_name_of_his_own():
    hidden = []
    for path in sorted(ROOM.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "gettext as _" in source:
            for node in ast.walk(ast.parse(source)):
                bound = isinstance(node, ast.Name) and node.id == "_" and isinstance(node.ctx, ast.Store)
                if bound or (isinstance(node, ast.arg) and node.arg == "_"):
                    hidden.append(f"{path.relative_to(ROOM)}:{node.lineno}")
    assert hidden == []


def test_no_sentence_is_filled_in_before_it_is_looked_up():
    filled = [
        f"{path.relative_to(ROOM)}:{node.lineno}"
        for path in sorted(ROOM.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if looked_up(node)
        if not (isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str))
    ]
    assert filled == []
