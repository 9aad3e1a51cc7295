"""Names that must not leave the program, and whether a text holds one of them or a piece of one.

Every form of a report passes through `guard` before anything is written: what is looked for are whole names of four
signs and more and pieces of six, whatever their case, accents, invisible signs or line breaks. What stands there
without anybody's name too - words of the program, labels of classes - is no hit. Shorter names and plain numbers cannot
be told from other words and numbers in a finished text; sentences that may hold them are made anew or left out
(`tapdesk.answers.naming.Naming.text`), and a text of the user is looked through for them whole.
"""

import importlib.util
import pkgutil
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from inspect import CO_OPTIMIZED
from itertools import chain
from types import CodeType, MappingProxyType
from typing import TypeAlias

from tapdesk.errors import CannotAnswerError
from tapdesk.language import gettext as _
from tapdesk.language import joined

Pieces: TypeAlias = Iterable[tuple[str, str]]
"""Texts, each after the place it stands in."""

PIECE = 6
_SHORTEST = 4
_MOST_TOLD = 5
# Rooms whose words are in no report.
_FACES = {"gui", "cli", "__main__"}
_BLANKS = re.compile(r"\s+")
_WORD = re.compile(r"\w+")
_QUOTED = re.compile(r"“(.*)”", re.DOTALL)
_COUNTED = re.compile(r"((?:[^\W\d]+ )+)\d+")
_NUMBER = re.compile(r"(?<![\w.,-])\d+(?!\w|[.,-]\d)")


@dataclass(frozen=True, eq=False)
class Secrets:
    """Names that must not be printed.

    Attributes
    ----------
    names
        By name what a reader may know its bearer as.
    allowed
        Texts that stand in the report anyway: labels of classes, codes, names that may be printed.
    typed
        What the user wrote, each after its place: here a name that is a word of the program is a name.
    """

    names: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    allowed: tuple[str, ...] = ()
    typed: tuple[tuple[str, str], ...] = ()


NO_SECRETS = Secrets()


@dataclass(frozen=True, slots=True)
class Leak:
    """A place where a name was seen, and the code of its bearer."""

    place: str
    code: str


def folded(text: str) -> str:
    """A text as it is compared: no case, no accents, no invisible signs, single blanks."""
    if not text.isascii():
        plain = unicodedata.normalize("NFKD", text)
        text = "".join(c for c in plain if unicodedata.category(c) not in {"Mn", "Me", "Cf"})
    return _BLANKS.sub(" ", text.casefold()).strip()


@dataclass(frozen=True, eq=False)
class _Index:
    """Names cut up for looking for many of them at once; values are the codes of their bearers.

    Attributes
    ----------
    inside
        Six letters or digits in a row that may stand anywhere.
    begins
        Six signs that may stand at the beginning of a word.
    short, long
        Names by their length, which may stand as whole words: those without six telling signs, and the others.
    odd
        Names that begin with a sign that belongs to no word.
    numbers
        Names that are numbers, which may stand as whole numbers.
    """

    inside: dict[str, str] = field(default_factory=dict)
    begins: dict[str, str] = field(default_factory=dict)
    short: dict[int, dict[str, str]] = field(default_factory=dict)
    long: dict[int, dict[str, str]] = field(default_factory=dict)
    odd: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)


@lru_cache(maxsize=4)
def _index(secrets: Secrets) -> _Index:
    made = _Index()
    for name, code in secrets.names.items():
        plain = folded(name)
        if plain.isdigit():
            made.numbers[plain] = code
        elif plain:
            _cut_up(plain, code, made)
            for number in _NUMBER.findall(plain):
                if len(number) >= PIECE:
                    made.numbers.setdefault(number, code)
    return made


def _cut_up(plain: str, code: str, made: _Index) -> None:
    """Add a name that is no number to the index."""
    letters = any(map(str.isalpha, plain))
    telling = letters and len(plain) >= PIECE and sum(map(str.isalnum, plain[:PIECE])) >= _SHORTEST
    (made.long if telling else made.short).setdefault(len(plain), {}).setdefault(plain, code)
    if not _WORD.match(plain):
        made.odd.setdefault(plain, code)
    for word in _WORD.finditer(plain):
        run = word.group()
        for at in range(len(run) - PIECE + 1):
            if not run[at : at + PIECE].isdigit():
                made.inside.setdefault(run[at : at + PIECE], code)
        piece = plain[word.start() : word.start() + PIECE]
        if len(piece) == PIECE and _tells(piece):
            made.begins.setdefault(piece, code)


def _tells(piece: str) -> bool:
    """Whether six signs say enough to be looked for: letters among at least four that belong to words."""
    return sum(map(str.isalnum, piece)) >= _SHORTEST and sum(map(str.isalpha, piece)) >= 3


def _cut(text: str, index: _Index) -> Iterator[tuple[str, str]]:
    """The pieces of names that stand in a folded text, each with the code of its bearer."""
    for word in _WORD.finditer(text):
        run, start = word.group(), word.start()
        for at in range(len(run) - PIECE + 1):
            if run[at : at + PIECE] in index.inside:
                yield run[at : at + PIECE], index.inside[run[at : at + PIECE]]
        if text[start : start + PIECE] in index.begins:
            yield text[start : start + PIECE], index.begins[text[start : start + PIECE]]


def _wholes(text: str, names: Mapping[int, Mapping[str, str]], shortest: int) -> Iterator[tuple[str, str]]:
    """The names that stand in a folded text as whole words, each with the code of its bearer."""
    for length, known in names.items():
        if length < shortest:
            continue
        for word in _WORD.finditer(text):
            end = word.start() + length
            ends = end >= len(text) or not (text[end].isalnum() and text[end - 1].isalnum())
            if ends and text[word.start() : end] in known:
                yield text[word.start() : end], known[text[word.start() : end]]


def _numbers(text: str, index: _Index, shortest: int) -> Iterator[tuple[str, str]]:
    """The names that are numbers and stand in a folded text, each with the code of its bearer."""
    if index.numbers:
        for number in _NUMBER.findall(text):
            telling = len(number) >= (shortest if number == text else max(shortest, PIECE) if shortest > 1 else 1)
            if telling and number in index.numbers:
                yield number, index.numbers[number]


def holds(secrets: Secrets, text: str) -> bool:
    """Whether a sentence may hold a name, of whatever length: words and numbers that only look like one count too."""
    if not secrets.names or not text:
        return False
    plain, index = folded(text), _index(secrets)
    if any(True for names in (index.short, index.long) for _hit in _wholes(plain, names, 1)):
        return True
    if any(name in plain for name in index.odd) or any(True for _hit in _numbers(plain, index, 1)):
        return True
    return any(not _stands_anyway(piece, secrets) for piece, _code in _cut(plain, index))


def _stands_anyway(piece: str, secrets: Secrets) -> bool:
    """Whether a piece of a name stands in words of the program or in a text that is printed in any case.

    So does a word of the program before a number: ``row 1`` and ``case 4`` come about wherever something is counted,
    and a name like these is its number.
    """
    counted = _COUNTED.fullmatch(piece)
    if counted is not None and program_vocabulary().issuperset(counted.group(1).split()):
        return True
    return piece in _allowed(secrets) or piece in program_words()


def leaks(secrets: Secrets, texts: Pieces, *, typed: bool = False) -> tuple[Leak, ...]:
    """Where names stand in finished texts.

    Parameters
    ----------
    secrets
        The names.
    texts
        Each after its place.
    typed
        Whether they are the user's own words, in which a whole name that is a word of the program is a name.
    """
    if not secrets.names:
        return ()
    index, seen = _index(secrets), dict[Leak, None]()
    for place, text in texts:
        plain = folded(text)
        odd = ((name, code) for name, code in index.odd.items() if len(name) >= _SHORTEST and name in plain)
        wholes = (*_wholes(plain, index.short, _SHORTEST), *_numbers(plain, index, _SHORTEST), *odd)
        pieces = _cut(plain, index)
        if typed:
            pieces = chain(pieces, _spoken(text, secrets))
            wholes = (*wholes, *_wholes(plain, index.long, _SHORTEST))
            seen |= {Leak(place, code): None for name, code in wholes if name not in _allowed(secrets)}
        else:
            pieces = chain(pieces, wholes)
        seen |= {Leak(place, code): None for piece, code in pieces if not _stands_anyway(piece, secrets)}
    return tuple(dict.fromkeys(Leak(_without_names(leak.place, secrets), leak.code) for leak in seen))


def _without_names(place: str, secrets: Secrets) -> str:
    """A place as it may be printed: one that is called by a title with a name in it is not called so."""
    quoted = _QUOTED.search(place)
    return _("a title") if quoted and leaks(secrets, (("", quoted.group(1)),), typed=True) else place


def _spoken(text: str, secrets: Secrets) -> Iterator[tuple[str, str]]:
    """Names of two and three letters that stand in the user's own words just as they are written."""
    for word in _WORD.findall(text):
        if 1 < len(word) < _SHORTEST and word in secrets.names and word.isalpha():
            yield f"{word} (name)", secrets.names[word]


@lru_cache(maxsize=4)
def _allowed(secrets: Secrets) -> str:
    return "\n".join(map(folded, secrets.allowed))


def guard(secrets: Secrets, texts: Pieces) -> None:
    """Refuse to go on where a name that must not be printed stands in a text.

    Raises
    ------
    CannotAnswerError
        It names the place and the code, not the name.
    """
    if not secrets.names:
        return
    items = tuple(dict.fromkeys((*leaks(secrets, secrets.typed, typed=True), *leaks(secrets, texts))))
    if not items:
        return
    named = (_("{place}: the name of {code}").format(place=one.place, code=one.code) for one in items[:_MOST_TOLD])
    sentence = joined(*named, sep="; ")
    if len(items) > _MOST_TOLD:
        sentence = _("{told}; and {n} more").format(told=sentence, n=len(items) - _MOST_TOLD)
    raise CannotAnswerError(
        _("A name that is to be called by a code, or a piece of one, would be printed. {told}.").format(told=sentence),
        fix=_(
            "Nothing was written. Change the text there (title, notes, name of a column or of the file), or print the "
            "names."
        ),
    )


@cache
def program_words() -> str:
    """All texts the program itself may print: what stands in the code of every room but window and command line."""
    spec = importlib.util.find_spec("tapdesk")
    folders = None if spec is None else spec.submodule_search_locations
    names = [
        result.name for result in pkgutil.walk_packages(folders, "tapdesk.") if result.name.split(".")[1] not in _FACES
    ]
    codes = [code for code in map(_code, names) if code is not None]
    texts = dict.fromkeys(text for code in codes for text in _constants(code))
    return "\n".join(map(folded, texts))


@cache
def program_vocabulary() -> frozenset[str]:
    """The single words of `program_words`."""
    return frozenset(_WORD.findall(program_words()))


def _code(name: str) -> CodeType | None:
    """The code of a module, wherever it was loaded from."""
    spec = importlib.util.find_spec(name)
    get = getattr(spec.loader, "get_code", None) if spec is not None else None
    result = get(name) if get is not None else None
    return result if isinstance(result, CodeType) else None


def _constants(code: CodeType) -> Iterator[str]:
    """The texts in some code, docstrings left aside: they are never printed."""
    # A class tells its name before its docstring.
    of_class = not code.co_flags & CO_OPTIMIZED and code.co_name != "<module>"
    for at, value in enumerate(code.co_consts, start=-1 if of_class else 0):
        if isinstance(value, CodeType):
            yield from _constants(value)
        elif isinstance(value, str) and at > 0:
            yield value
        elif isinstance(value, tuple | frozenset):
            yield from (text for text in value if isinstance(text, str))
