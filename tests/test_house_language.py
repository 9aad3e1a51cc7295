"""Every sentence a user reads goes through gettext; what is written without it fails here."""

import ast
import re
import string
from functools import cache
from pathlib import Path

import pytest

import tapdesk
from tapdesk.language import NOUN_FIELDS

HOUSE = Path(tapdesk.__file__).parent
ROOM = HOUSE / "gui"
# The command line speaks English, as its options do; the others are lists of words to recognise, or no text.
OTHER_ROOMS = ("ratings", "agreement", "models", "fitting", "studies", "project", "report", "papers")
NO_WORDS = {
    "ratings/texts.py": "words and months to recognise",
    "ratings/vocabulary.py": "scales and headers to recognise",
    "ratings/samples.py": "references, as printed",
    "report/forms/html.py": "mark-up",
    "report/svg/draw.py": "mark-up",
    "report/svg/sheet.py": "mark-up",
    "papers/reproduction.py": "a page that is written once",
}
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
    "what is not saved could not be kept": "a line of the log",
    "%(asctime)s %(levelname)s %(message)s": "a line of the log",
    "*.csv *.tsv *.txt *.xlsx *.xlsm *.xls *.xlsb *.ods *.sav *.dta": "names of files",
}


@cache
def parsed(source):
    """Every node of a source: several tests look at them."""
    return tuple(ast.walk(ast.parse(source)))


def looked_up(node):
    """Whether a node is a call of gettext."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"_", "ngettext"}


def unsaid(nodes):
    """Literals that no user reads or that are translated already: arguments of `_`, docstrings, errors, keys, types."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and node.returns is not None:
            yield from ast.walk(node.returns)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            yield node.body[0].value
        elif isinstance(node, ast.Raise | ast.Compare) or looked_up(node):
            yield from ast.walk(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cast":
            yield from ast.walk(node.args[0])
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
    nodes = parsed(source)
    out = set(unsaid(nodes))
    for node in nodes:
        words = node.value if isinstance(node, ast.Constant) and node not in out else None
        if isinstance(words, str) and words not in NOT_SAID and SAID.search(words):
            yield node.lineno, words


@pytest.mark.parametrize("line", ['label.setText("Not run yet")', 'text(f"about {n} s left")', 'button("Cancel")'])
def test_a_sentence_without_gettext_is_found(line):
    assert [words for _line, words in plain_words(line)]


@pytest.mark.parametrize(
    "line",
    [
        'label.setText(_("Not run yet"))',
        '_("about {n} s left").format(n=n)',
        'text("small")',
        'd["Not run"]',
        'cast("Chip", w)',
    ],
)
def test_a_translated_sentence_and_a_key_are_not(line):
    assert list(plain_words(line)) == []


def sentences(source):
    """Line and text of every whole sentence written without gettext, those of errors a user can mend among them."""
    nodes = parsed(source)
    out = set(unsaid(nodes))
    for node in nodes:
        ours = isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name)
        if ours and node.exc.func.id in {"TapdeskError", "UsageError", "CannotAnswerError"}:
            out -= set(ast.walk(node))
        elif isinstance(node, ast.Expr | ast.Compare):
            out.update(ast.walk(node) if isinstance(node, ast.Compare) else [node.value])
    for node in nodes:
        if looked_up(node):
            out.update(ast.walk(node))
    for node in nodes:
        words = node.value if isinstance(node, ast.Constant) and node not in out else None
        if isinstance(words, str) and re.search(r"^[A-Z“].*[a-z]{3}.* .*[.?!]$", words, re.DOTALL):
            yield node.lineno, words


@pytest.mark.parametrize(
    "line", ['raise UsageError("Choose 0 or more of them.")', 'x = "There are no ratings."', 'f("No case has two.")']
)
def test_a_sentence_of_another_room_without_gettext_is_found(line):
    assert list(sentences(line))


def test_every_sentence_of_the_other_rooms_goes_through_gettext():
    found = [
        f"{path.relative_to(HOUSE)}:{line}: {words!r}"
        for room in OTHER_ROOMS
        for path in sorted((HOUSE / room).rglob("*.py"))
        if str(path.relative_to(HOUSE)) not in NO_WORDS
        for line, words in sentences(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def fields(template):
    """The names of the places in a sentence that are filled in."""
    names = (name for _text, name, _spec, _how in string.Formatter().parse(template) if name is not None)
    return {re.split(r"[.\[]", name)[0] for name in names}


def badly_filled(source):
    """Lines of sentences whose places are not those that are filled in; nouns may be left to the voice."""
    for node in parsed(source):
        call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format"
        if call and looked_up(node.func.value):
            given = {word.arg for word in node.keywords}
            texts = [a.value for a in node.func.value.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            used = set().union(*map(fields, texts))
            if not node.args and None not in given and not (given <= used <= given | NOUN_FIELDS):
                yield node.lineno


@pytest.mark.parametrize("line", ['_("{n} cases").format(m=3)', 'ngettext("a", "{n} b", n).format(n=n, m=1)'])
def test_a_sentence_with_a_place_that_is_not_filled_is_found(line):
    assert list(badly_filled(line)) == [1]


def test_every_place_in_a_sentence_is_filled_and_nothing_else_is_given():
    found = [
        f"{path.relative_to(HOUSE)}:{line}"
        for path in sorted(HOUSE.rglob("*.py"))
        for line in badly_filled(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_every_sentence_of_the_window_goes_through_gettext():
    found = [
        f"{path.relative_to(ROOM)}:{line}: {words!r}"
        for path in sorted(ROOM.rglob("*.py"))
        if path.name != "style_sheet.py"
        for line, words in plain_words(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_nobody_hides_gettext_behind_a_name_of_his_own():
    hidden = []
    for path in sorted(HOUSE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "gettext as _" in source:
            for node in parsed(source):
                bound = isinstance(node, ast.Name) and node.id == "_" and isinstance(node.ctx, ast.Store)
                if bound or (isinstance(node, ast.arg) and node.arg == "_"):
                    hidden.append(f"{path.relative_to(HOUSE)}:{node.lineno}")
    assert hidden == []


def test_no_sentence_is_filled_in_before_it_is_looked_up():
    filled = [
        f"{path.relative_to(HOUSE)}:{node.lineno}"
        for path in sorted(HOUSE.rglob("*.py"))
        for node in parsed(path.read_text(encoding="utf-8"))
        if looked_up(node)
        if not (isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str))
    ]
    assert filled == []


SAYS = {"_", "ngettext", "joined", "say"}


def is_sentence(node, known):
    """Whether an expression gives a sentence: a call that makes one, or a name that was given one."""
    if isinstance(node, ast.Name):
        return node.id in known
    if isinstance(node, ast.IfExp):
        return is_sentence(node.body, known) or is_sentence(node.orelse, known)
    if isinstance(node, ast.BoolOp):
        return any(is_sentence(one, known) for one in node.values)
    if isinstance(node, ast.NamedExpr):
        return is_sentence(node.value, known)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in SAYS
    kept = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return kept and node.func.attr in {"format", "strip", "rstrip"} and is_sentence(node.func.value, known)


def own_nodes(scope):
    """The nodes of a function or a module without those of the functions in it."""
    waiting = [*ast.iter_child_nodes(scope)]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, ast.FunctionDef):
            yield node
            waiting += ast.iter_child_nodes(node)


def sentence_names(nodes, known):
    """The names that are given a sentence somewhere in these nodes."""
    for node in nodes:
        if isinstance(node, ast.NamedExpr) and is_sentence(node.value, known):
            yield node.target.id
        for target in node.targets if isinstance(node, ast.Assign) else ():
            several = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
            pairs = zip(target.elts, node.value.elts, strict=False) if several else [(target, node.value)]
            yield from (one.id for one, value in pairs if isinstance(one, ast.Name) and is_sentence(value, known))


def in_text(node, known):
    """Whether an f-string puts a sentence beside something else; lines below each other and marks of a page may be."""
    between = "".join(one.value for one in node.values if isinstance(one, ast.Constant))
    lines = not between.strip() and "\n" in between
    filled = (one.value for one in node.values if isinstance(one, ast.FormattedValue))
    return "<" not in between and not lines and any(is_sentence(one, known) for one in filled)


def in_row(between, pieces, known):
    """Whether `between.join(pieces)` puts sentences in a row; lines below each other may be."""
    if isinstance(between, ast.Constant) and between.value in {"", "\n", "\n\n"}:
        return False
    if isinstance(pieces, ast.GeneratorExp | ast.ListComp):
        return is_sentence(pieces.elt, known) or is_glue(pieces.elt, known)
    return isinstance(pieces, ast.List | ast.Tuple) and any(is_sentence(one, known) for one in pieces.elts)


def is_glue(node, known):
    """Whether a node makes one text of a sentence and something else."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return is_sentence(node.left, known) or is_sentence(node.right, known)
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
        return is_sentence(node.value, known)
    if isinstance(node, ast.JoinedStr):
        return in_text(node, known)
    joins = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join"
    return joins and bool(node.args) and in_row(node.func.value, node.args[0], known)


def glued(source):
    """Lines where a sentence is glued to something else, which no translation can take apart; `joined` may."""
    tree = parsed(source)[0]
    of_module = set(sentence_names(nodes := [*own_nodes(tree)], set()))
    for scope in parsed(source):
        if isinstance(scope, ast.FunctionDef | ast.Module):
            nodes = [*own_nodes(scope)]
            known = of_module | set(sentence_names(nodes, of_module))
            known |= set(sentence_names(nodes, known))
            yield from (node.lineno for node in nodes if is_glue(node, known))


@pytest.mark.parametrize(
    "line",
    [
        '_("One. ") + name',
        'x = _("One.")\ny = f"{x} {z}"',
        'def f():\n    told = _("{n} b").format(n=1)\n    return f"{told}."',
        '"; ".join(_("{a} b").format(a=a) for a in b)',
        '" ".join((_("One."), two))',
        'note += _(" And two.")',
        'a, b = _("One."), 2\nc = b + a',
    ],
)
def test_a_sentence_that_is_glued_is_found(line):
    assert [*glued(line)]


@pytest.mark.parametrize(
    "line",
    ['joined(_("One."), two)', 'f"{_(1)}\\n{two}"', '"\\n".join([_("One."), two])', 'f"<b>{_(1)}</b>"'],
)
def test_lines_below_each_other_and_marks_of_a_page_are_no_glue(line):
    assert [*glued(line)] == []


def test_no_sentence_is_glued_to_another():
    found = [
        f"{path.relative_to(HOUSE)}:{line}"
        for path in sorted(HOUSE.rglob("*.py"))
        for line in glued(path.read_text(encoding="utf-8"))
    ]
    assert found == []
