"""The list of all sentences that can be said about a result, made by ``python -m tests.words.sentences``.

Every template of the rooms that speak of results is listed with the condition under which it is said, as it stands in
the code, and with what holds it against the truth: the claims of `tapdesk.worlds.claims` it is part of, and the tests
that read its words. A sentence nobody reads is listed too, and says so.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter

from tapdesk.language import NOUN_FIELDS, PLAIN
from tapdesk.worlds.claims import CLAIMS
from tests.words.said import Row, by_sentence

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_suffix(".md")
ROOMS = ("answers", "report/sections", "studies", "fitting", "models", "agreement")
# Shorter pieces of a sentence would be found in tests of other sentences.
_TELLING = 14
_MOST_TESTS = 3
_LONGEST = 200
HEAD = """# Every sentence that can be said about a result

Made by `python -m tests.words.sentences`; a test holds it against the sources. A condition is the code that leads to a
sentence, within its function. Claims are rows of `tapdesk/worlds/claims.py`, held against the truth of simulated worlds
by `tapdesk study words`; tests are those that read the words. The others are rows of `tests/words/said.csv`: each is a
claim, an explanation or a reason, said in the situations that are named and in no other one that `test_said.py` tries.
"""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One template: where it stands, and the condition under which it is said."""

    place: str
    function: str
    condition: str
    text: str


@cache
def sentences() -> tuple[Sentence, ...]:
    """Every sentence of the rooms, in the order of the sources."""
    return tuple(
        one for room in ROOMS for path in sorted((ROOT / "tapdesk" / room).rglob("*.py")) for one in _of_file(path)
    )


def _of_file(path: Path) -> Iterator[Sentence]:
    place = path.relative_to(ROOT / "tapdesk").as_posix()
    seen: set[tuple[str, str, str]] = set()
    for function, conditions, text in _templates(ast.parse(path.read_text("utf-8")), "", ()):
        condition = " and ".join(conditions)
        row = (function, condition, text)
        if row not in seen and text.rstrip('”"’) ').endswith((".", "?")) and text.count(" ") > 1:
            seen.add(row)
            yield Sentence(place, function, condition, text)


def _templates(node: ast.AST, function: str, conditions: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Templates below a node, with the function they stand in and what must hold there."""
    if isinstance(node, ast.FunctionDef):
        function = node.name
        conditions = ()
    elif isinstance(node, ast.ClassDef):
        function = node.name
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"_", "gettext", "ngettext"}:
        for given in node.args[:2]:
            if isinstance(given, ast.Constant) and isinstance(given.value, str):
                yield function, conditions, given.value
    if isinstance(node, ast.IfExp):
        yield from _templates(node.test, function, conditions)
        yield from _templates(node.body, function, (*conditions, ast.unparse(node.test)))
        yield from _templates(node.orelse, function, (*conditions, f"not ({ast.unparse(node.test)})"))
        return
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            yield from _in_order(node, name, value, function, conditions)
        elif isinstance(value, ast.AST):
            yield from _templates(value, function, conditions)


def _in_order(
    node: ast.AST, name: str, value: list[ast.AST], function: str, conditions: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Templates of what is done one after the other: what ended the function before is false from there on."""
    if isinstance(node, ast.If) and name in {"body", "orelse"}:
        test = ast.unparse(node.test)
        conditions = (*conditions, test if name == "body" else f"not ({test})")
    for child in value:
        if isinstance(child, ast.AST):
            yield from _templates(child, function, conditions)
            if isinstance(child, ast.If) and isinstance(child.body[-1], ast.Return | ast.Raise) and not child.orelse:
                conditions = (*conditions, f"not ({ast.unparse(child.test)})")


def pieces(template: str) -> tuple[str, ...]:
    """The telling pieces of a template between its fields; all of it where none is long enough."""
    plain = template
    for form in NOUN_FIELDS:
        plain = plain.replace(f"{{{form}}}", PLAIN.noun(form))
    try:
        literal = [text for text, _name, _spec, _how in Formatter().parse(plain)]
    except ValueError:
        literal = [plain]
    return tuple(text.strip() for text in literal if len(text.strip()) >= _TELLING)


@cache
def texts_of_tests() -> dict[str, set[str]]:
    """Texts in the tests that are long enough to be telling, with the tests they stand in."""
    texts: dict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        place = path.relative_to(ROOT / "tests").as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) >= _TELLING:
                texts[node.value].add(place)
    return texts


@cache
def tests_of(template: str) -> tuple[str, ...]:
    """The tests that read the words of a template."""
    known = pieces(template)
    found = {
        test
        for text, where in texts_of_tests().items()
        if any(piece in text or text in piece for piece in known)
        for test in where
    }
    return tuple(sorted(found))


def claims_of(template: str) -> tuple[str, ...]:
    """The claims a template is part of."""
    return tuple(claim.key for claim in CLAIMS if any(phrase in template for phrase in claim.phrases))


def page() -> str:
    """The whole list."""
    every, table = sentences(), by_sentence()
    lines, place = [HEAD], ""
    untested = 0
    for one in every:
        if one.place != place:
            place = one.place
            lines.append(f"\n## {place}\n")
        claims, tests, row = claims_of(one.text), tests_of(one.text), table.get(one.text)
        untested += not (claims or tests or row)
        held = [*(f"claim `{key}`" for key in claims), *tests[:_MOST_TESTS]]
        if row is not None:
            held.append(_told(row))
        when = one.condition if len(one.condition) <= _LONGEST else f"{one.condition[: _LONGEST - 1]}…"
        lines.append(f"- {_cell(one.text)}  ")
        lines.append(
            f"  `{one.function}`{f', where `{when}`' if when else ''}; {', '.join(held) or '**read by no test**'}"
        )
    lines.insert(1, f"{len(every)} sentences, {untested} of them read by no test and part of no claim.")
    return "\n".join(lines) + "\n"


def _told(row: Row) -> str:
    """In how many situations a sentence of the table is said, and in how many it must not be."""
    first = sorted(row.said)[:_MOST_TESTS]
    more = f" and {len(row.said) - len(first)} more" if len(row.said) > len(first) else ""
    why = f": {row.why}" if row.why else ""
    return f"{row.kind}, words/test_said.py: only in `{'`, `'.join(first)}`{more}{why}"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("*", "\\*").replace("_", "\\_").replace("<", "&lt;")


def main() -> None:
    """Write the list."""
    LIST.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
