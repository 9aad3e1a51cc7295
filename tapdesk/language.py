"""Sentences that stay sentences until somebody reads them, and the voice they are read in.

A sentence for a user is a `Message`: an English template with typed fields. As text it reads as it did where it was
made; `say` renders it afresh in the voice in use: language, signs of numbers, what people, cases and things are called.
What is kept in a value or in a file is therefore of no language and gives no name away.

The voice in use is a context variable. It holds for one block of code in one thread: a thread that asks for none speaks
English with points and calls everybody by name, as every file does.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from gettext import NullTranslations, translation
from string import Formatter
from types import MappingProxyType, NoneType
from typing import Any, ClassVar, Protocol, Self, TypeVar, cast

from tapdesk.resources import folder

T = TypeVar("T")
PSEUDO = "qps"
"""A language for tests: every sentence in brackets and longer, so that what was not looked up is seen."""
# What a field may ask of a number; a template may come from a file of somebody else's.
_ASKED = re.compile(r",?(\.\d{1,2})?[deEfgG%]?")
_ARTICLES = ("a_", "A_")


# Voices ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Signs:
    """How the parts of a number are set apart.

    Attributes
    ----------
    decimal
        Between whole and fraction.
    thousands
        Between groups of three digits; may be empty.
    """

    decimal: str = "."
    thousands: str = ","


POINT = Signs()
"""Of every file in English: the report, tables, pictures, the command line."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a document writes numbers between 0 and 1.

    Attributes
    ----------
    leading_zero
        ``0.44`` (screen, clinical reports) or ``.44`` (APA).
    brackets
        Intervals as ``[0.36, 0.54]`` or as ``0.36 to 0.54``.
    """

    leading_zero: bool = True
    brackets: bool = False


@dataclass(frozen=True, slots=True)
class Nouns:
    """What is judged, who judges and what a judgement is called.

    A template may hold each of them as a field, with an English article (``{a_rating}``: "an answer") and with a
    capital (``{Raters}``, ``{A_rating}``). Right behind a number of 1 a plural is told as one: ``{n} {subjects}``.
    """

    subject: str = "case"
    subjects: str = "cases"
    rater: str = "rater"
    raters: str = "raters"
    rating: str = "rating"
    ratings: str = "ratings"


_NOUNS = tuple(f.name for f in fields(Nouns))
NOUN_FIELDS = frozenset(
    form
    for noun in _NOUNS
    for form in (noun, noun.capitalize(), *(a + noun for a in _ARTICLES if not noun.endswith("s")))
)
"""Names of fields that a voice fills in where `Message.format` is not given them."""


class Calls(Protocol):
    """What people, cases and what the user wrote are called where something is shown."""

    def rater(self, name: str) -> str:
        """What a rater is called."""
        ...

    def case(self, name: str) -> str:
        """What a case is called."""
        ...

    def label(self, text: str) -> str:
        """What a class, a column or a cell reads as: itself, unless it is the name of somebody called otherwise."""
        ...

    def other(self, text: str) -> str:
        """How a field without a type reads."""
        ...


class ByName:
    """Everybody by name."""

    def rater(self, name: str) -> str:
        """The name."""
        return name

    def case(self, name: str) -> str:
        """The name."""
        return name

    def label(self, text: str) -> str:
        """The label."""
        return text

    def other(self, text: str) -> str:
        """The text."""
        return text


BY_NAME = ByName()


@dataclass(frozen=True, slots=True)
class Voice:
    """How sentences are told.

    Attributes
    ----------
    language
        Code of the catalog of translations; empty for English.
    signs
        Of numbers.
    naming
        What raters and cases are called.
    nouns
        What is judged, by whom.
    style
        Of numbers between 0 and 1.
    """

    language: str = ""
    signs: Signs = POINT
    naming: Calls = BY_NAME
    nouns: Nouns = Nouns()
    style: Style = Style()

    def noun(self, form: str) -> str:
        """A noun by the name of its field: ``raters``, ``a_rating``, ``Subjects``."""
        name = form.removeprefix("a_").removeprefix("A_").lower()
        word = getattr(self.nouns, name)
        if word == getattr(Nouns(), name):
            word = _catalog(self.language).gettext(word)
        if form.startswith(_ARTICLES):
            word = f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"
        return word[:1].upper() + word[1:] if form[0].isupper() else str(word)


PLAIN = Voice()
"""English, points and names: what files keep, and what is said where nobody asks for another voice."""
_in_use: ContextVar[Voice] = ContextVar("voice", default=PLAIN)


def voice() -> Voice:
    """The voice in use in this thread."""
    return _in_use.get()


def speak(spoken: Voice) -> None:
    """Use a voice in this thread from now on: for the thread of a window, once."""
    _in_use.set(spoken)


@contextmanager
def speaking(spoken: Voice) -> Iterator[None]:
    """What is said inside this block, by this thread, is said in a voice.

    No generator may stop inside the block: whoever goes on with it would speak with it as well.
    """
    token = _in_use.set(spoken)
    try:
        yield
    finally:
        _in_use.reset(token)


# Catalogs -------------------------------------------------------------------------------------------------------------


class _Pseudo(NullTranslations):
    """Every sentence in brackets, its vowels doubled, its fields as they are."""

    def gettext(self, message: str) -> str:
        """The sentence as a longer one."""
        try:
            parts = list(Formatter().parse(message))
        except ValueError:
            return message
        if not any(c.isalpha() for literal, *_rest in parts for c in literal):
            return message
        return f"⟦{''.join(_longer(*part) for part in parts)}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """The one of two sentences that fits, as a longer one."""
        return self.gettext(msgid1 if n == 1 else msgid2)


def _longer(literal: str, name: str | None, spec: str | None, conversion: str | None) -> str:
    """A piece of a template, its marks of a page and its fields untouched."""
    pieces = re.split(r"(<[^<>]*>|&\w+;)", literal)
    sentence = "".join(p if i % 2 else re.sub(r"([aeiouy])", r"\1\1", p) for i, p in enumerate(pieces))
    sentence = sentence.replace("{", "{{").replace("}", "}}")
    if name is None:
        return sentence
    return f"{sentence}{{{name}{f'!{conversion}' if conversion else ''}{f':{spec}' if spec else ''}}}"


@lru_cache(maxsize=8)
def _catalog(language: str) -> NullTranslations:
    """The translations into a language; the standard library would look for the file at every sentence."""
    if language == PSEUDO:
        return _Pseudo()
    return translation("tapdesk", folder() / "locale", [language], fallback=True) if language else NullTranslations()


def wanted_language() -> str:
    """The language of the screen: English, or what the environment of a test asks for."""
    return os.environ.get("TAPDESK_LANGUAGE", "")


# Fields of sentences --------------------------------------------------------------------------------------------------


class Own(str):
    """Text of the user's inside a sentence: never translated, never rewritten.

    Attributes
    ----------
    whole
        All of it.
    limit
        How many signs of it are shown, with line breaks made visible; 0 for all of it as it is.
    """

    __slots__ = ("limit", "whole")
    kind: ClassVar[str] = ""
    whole: str
    limit: int

    def __new__(cls, text: str, limit: int = 0) -> Self:
        """From the text as the user has it."""
        whole = text.whole if isinstance(text, Own) else str(text)
        made = super().__new__(cls, _cut(whole, limit))
        made.whole, made.limit = whole, limit
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[str, int]]:
        """A copy knows as much."""
        return type(self), (self.whole, self.limit)

    def __format__(self, spec: str) -> str:
        """Inside another text as the voice in use calls it."""
        return format(self.rendered(_in_use.get()), spec)

    def shortened(self, limit: int) -> Self:
        """The same, shown with so many signs at most."""
        return type(self)(self.whole, limit)

    def rendered(self, spoken: Voice) -> str:
        """As a voice tells it."""
        return _cut(spoken.naming.label(self.whole), self.limit)


class Label(Own):
    """What a class, a column, a sheet, a file or a cell reads as."""

    __slots__ = ()
    kind = "label"


class Symbol(Own):
    """A symbol of ours, such as that of a number of a model: the same in every language, and nobody's name."""

    __slots__ = ()
    kind = "symbol"

    def rendered(self, spoken: Voice) -> str:
        """The symbol."""
        del spoken
        return self.whole


class Name(Own):
    """What a rater or a case is called in the data."""

    __slots__ = ()


class RaterName(Name):
    """The name of a rater."""

    __slots__ = ()
    kind = "rater"

    def rendered(self, spoken: Voice) -> str:
        """The name or the code."""
        return _cut(spoken.naming.rater(self.whole), self.limit)


class CaseName(Name):
    """The name of a case."""

    __slots__ = ()
    kind = "case"

    def rendered(self, spoken: Voice) -> str:
        """The name or the code."""
        return _cut(spoken.naming.case(self.whole), self.limit)


def _cut(text: str, limit: int) -> str:
    """A text short enough for a sentence, line breaks made visible."""
    if not limit:
        return text
    flat = text.replace("\r", " ").replace("\n", "⏎")
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


class Number(str):
    """A number as it is read, which knows how a spreadsheet takes it and how another voice writes it.

    Attributes
    ----------
    plain
        As Python writes it.
    cell
        The same with the decimal sign in use, without groups and with a hyphen for the minus. A spreadsheet reads what
        is pasted by the signs of its own computer: where the comma is the decimal sign it would take ``1.5`` for the
        first of May, and a true minus for a word.
    """

    __slots__ = ("cell", "plain")
    cell: str
    plain: str

    def __new__(cls, plain: str) -> Self:
        """From a number as Python writes it: ``-1,286.116``."""
        signs = _in_use.get().signs
        made = super().__new__(cls, in_signs(plain, signs).replace("-", "−"))
        made.plain = str(plain)
        made.cell = in_signs(plain.replace(",", ""), signs)
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        """A copy is written anew."""
        return type(self), (self.plain,)

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """Itself: it never changes."""
        return self

    def __repr__(self) -> str:
        """As every program reads it, whatever the voice in use."""
        return repr(self.rendered(PLAIN))

    def rendered(self, spoken: Voice) -> str:
        """With the signs of a voice."""
        return in_signs(self.plain, spoken.signs).replace("-", "−")


def in_signs(plain: str, signs: Signs) -> str:
    """A number as Python writes it, in other signs."""
    return plain if signs == POINT else plain.translate({ord("."): signs.decimal, ord(","): signs.thousands})


# Sentences ------------------------------------------------------------------------------------------------------------

_NOTHING: Mapping[str, Any] = MappingProxyType({})
# Made once: a union of types costs more than the question.
_NUMBERS = (int, float)
_AS_IT_IS = (str, int, float, NoneType)


class Message(str):
    """A sentence: text as it was said when it was made, and what is needed to say it again.

    Attributes
    ----------
    template
        The English sentence with named fields, which is its key in a catalog.
    plural
        Where the sentence depends on a number: the one for several, and the number.
    fields
        What fills it in: texts, numbers, names, other sentences.
    """

    __slots__ = ("fields", "plural", "template")
    template: str
    plural: tuple[str, int] | None
    fields: Mapping[str, Any]

    def __new__(
        cls, template: str, plural: tuple[str, int] | None = None, fields: Mapping[str, Any] | None = None
    ) -> Self:
        """From its parts, said in the voice in use.

        Raises
        ------
        KeyError
            When a field is missing.
        ValueError
            When the template asks for what no field can give.
        """
        kept = None if fields is None else MappingProxyType({k: _kept(v) for k, v in fields.items()})
        made = super().__new__(cls, _text(template, plural, kept, _in_use.get()))
        made.template, made.plural, made.fields = template, plural, _NOTHING if kept is None else kept
        return made

    def __reduce__(self) -> tuple[type[Self], tuple[str, tuple[str, int] | None, dict[str, Any] | None]]:
        """A copy knows as much."""
        return type(self), (self.template, self.plural, dict(self.fields) or None)

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """Itself: it never changes."""
        return self

    def __format__(self, spec: str) -> str:
        """Inside another text in the voice in use."""
        return format(self.rendered(_in_use.get()), spec)

    def __repr__(self) -> str:
        """In English, whatever the voice in use: what follows from it is of no language."""
        return repr(self.rendered(PLAIN))

    def format(self, /, *args: object, **given: Any) -> str:
        """The sentence with its fields filled in; those that name a noun are the voice's unless they are given."""
        if args:
            return str(self).format(*args, **given)
        return Message(self.template, self.plural, {**self.fields, **given})

    def rendered(self, spoken: Voice) -> str:
        """The sentence as a voice tells it."""
        return _text(self.template, self.plural, self.fields or None, spoken)


_TOLD = (Message, Own, Number)


@lru_cache(maxsize=8192)
def parts_of(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """A template as pieces: text, then the name of a field or None, and what is asked of a number in it.

    Raises
    ------
    ValueError
        When a field is anything but a name, or asks for more than places and groups of digits.
    """
    parts = []
    for literal, name, spec, conversion in Formatter().parse(template):
        if name is not None and not (name.isidentifier() and not conversion and _ASKED.fullmatch(spec or "")):
            raise ValueError(f"{{{name}}} is no field of a sentence")
        parts.append((literal, name, spec or ""))
    return tuple(parts)


@lru_cache(maxsize=8192)
def _only_nouns(template: str) -> bool:
    """Whether a sentence has fields and needs nothing but nouns to be said."""
    try:
        names = {name for _literal, name, _spec in parts_of(template) if name is not None}
    except ValueError:
        return False
    return bool(names) and names <= NOUN_FIELDS


def _text(template: str, plural: tuple[str, int] | None, given: Mapping[str, Any] | None, spoken: Voice) -> str:
    catalog = _catalog(spoken.language)
    sentence = catalog.gettext(template) if plural is None else catalog.ngettext(template, *plural)
    # A sentence that waits for its fields stays a template, as does one that has none.
    if given is None and ("{" not in sentence or not _only_nouns(sentence)):
        return sentence
    return _filled(sentence, given or _NOTHING, spoken)


def _filled(template: str, given: Mapping[str, Any], spoken: Voice) -> str:
    words, single = [], False
    for literal, name, spec in parts_of(template):
        words.append(literal)
        if name is None:
            continue
        if name not in given and name in NOUN_FIELDS:
            # A noun that is counted goes with its number: "1 case".
            words.append(spoken.noun(name.removesuffix("s") if single and literal == " " else name))
            single = False
        else:
            words.append(_one(given[name], spec, spoken))
            single = getattr(given[name], "plain", given[name]) in (1, "1") and not isinstance(given[name], Own)
    return "".join(words)


def _one(value: Any, spec: str, spoken: Voice) -> str:
    """A field as a voice tells it."""
    if isinstance(value, str):
        sentence: str = value.rendered(spoken) if isinstance(value, _TOLD) else spoken.naming.other(value)
        return sentence
    return in_signs(format(value, spec), spoken.signs) if isinstance(value, _NUMBERS) else str(value)


def _kept(value: Any) -> Any:
    """A field as a sentence keeps it: a text or a plain number; what has a sentence of its own gives that."""
    if isinstance(value, _AS_IT_IS):
        return value
    as_message = getattr(value, "as_message", None)
    if as_message is not None:
        return as_message()
    number = getattr(value, "item", None)
    return number() if number is not None else str(value)


def gettext(sentence: str) -> str:
    """The sentence in the voice in use, which can be said in another one; fields are filled in by its ``format``.

    It is a `Message`; to its callers it is text.
    """
    return Message(sentence)


def ngettext(one: str, many: str, n: int) -> str:
    """The one of two sentences that fits a number, in the voice in use; the number is looked at again in each."""
    return Message(one, (many, int(n)))


def joined(*sentence: str, sep: str = " ") -> str:
    """Sentences one after the other, as one; empty ones are left out."""
    parts = [one for one in sentence if one]
    if len(parts) < 2:
        # A name alone stays one; a sentence is said in the voice in use.
        return "" if not parts else say(parts[0]) if isinstance(parts[0], Message) else parts[0]
    between = sep.replace("{", "{{").replace("}", "}}")
    fields_of = {f"m{i}": one for i, one in enumerate(parts)}
    return Message(between.join(f"{{{name}}}" for name in fields_of), fields=fields_of)


def say(text: str) -> str:
    """A kept sentence, which stays one, number or name as the voice in use tells it; other text as it is."""
    if isinstance(text, Message):
        return Message(text.template, text.plural, text.fields or None)
    if isinstance(text, Number):
        return Number(text.plain)
    return text.rendered(_in_use.get()) if isinstance(text, Own) else text


def plain(text: str) -> str:
    """A text as files keep it, whatever the voice in use."""
    return text.rendered(PLAIN) if isinstance(text, _TOLD) else text


def same_sentence(text: str | None, sentence: str) -> bool:
    """Whether a text is a sentence, in whatever voice each of them was made; no text is none."""
    return text is not None and plain(text) == plain(sentence)


def in_voice(value: T) -> T:
    """A value with every sentence in it, however deep, as the voice in use tells it; arrays stay as they are."""
    return cast("T", _in_voice(value))


def _in_voice(value: Any) -> Any:
    if isinstance(value, str):
        return say(value)
    if isinstance(value, tuple):
        if all(type(one) is str for one in value):
            return value
        sentences = tuple(_in_voice(one) for one in value)
        return value if all(a is b for a, b in zip(sentences, value, strict=True)) else sentences
    if isinstance(value, Mapping):
        pairs = {key: _in_voice(one) for key, one in value.items()}
        return value if all(pairs[key] is one for key, one in value.items()) else MappingProxyType(pairs)
    if is_dataclass(value) and not isinstance(value, type):
        parts = {f.name: getattr(value, f.name) for f in fields(value) if f.init}
        after = {name: _in_voice(part) for name, part in parts.items()}
        changed = {name: part for name, part in after.items() if part is not parts[name]}
        return replace(value, **changed) if changed else value
    return value
