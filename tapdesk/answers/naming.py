"""Names or codes of raters and cases: one switch for everything a report prints."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from hashlib import sha256
from string import ascii_uppercase
from types import MappingProxyType

from tapdesk.answers.forbidden import NO_SECRETS, Secrets, folded, holds, leaks
from tapdesk.language import Message, Number, Own, Symbol, say, speaking, voice
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import DecisionStatus, LogRow
from tapdesk.project.decisions.names import JoinRaters, JoinSubjects, NameRaters, NumberCases
from tapdesk.project.project import Project
from tapdesk.ratings.checks.panel import SILENT, UNRATED
from tapdesk.ratings.ratings import digest

_LONG = 6  # digits: fewer are a number of a case
WITHHELD = _("(Not printed here, for it may hold a name that is called by a code.)")


class RatersAs(Enum):
    """How raters are called."""

    NAMES = "names"
    CODES = "codes"


class CasesAs(Enum):
    """How cases are called."""

    NAMES = "names"
    CODES = "codes"


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Naming:
    """What raters and cases are called in a report.

    The order of the codes follows from all ratings and names of the file and is told nowhere: neither the order in
    the file nor a list of the names gives it away.

    Attributes
    ----------
    codes
        Code by rater name; empty where names are printed.
    cases
        Code by name of a case; empty where names are printed.
    hidden
        What persons were called in the file, where a decision gave them other names: by old name the new one.
    secrets
        All names that must not be printed.
    """

    codes: Mapping[str, str] = field(default_factory=_nothing)
    cases: Mapping[str, str] = field(default_factory=_nothing)
    hidden: Mapping[str, str] = field(default_factory=_nothing)
    secrets: Secrets = NO_SECRETS

    @property
    def coded(self) -> bool:
        """Whether raters or cases are called by codes."""
        return bool(self.codes or self.cases)

    def rater(self, name: str) -> str:
        """What a rater is called."""
        return self.codes.get(name, name)

    def case(self, name: str) -> str:
        """What a case is called."""
        return self.cases.get(name, name)

    def text(self, words: str, otherwise: str = WITHHELD) -> str:
        """A kept sentence with everybody in it called as here.

        A sentence knows which of its fields are names; what does not know is printed only where nothing in it may be
        one: a sentence of an older file, a field without a type.

        Parameters
        ----------
        words
            The sentence.
        otherwise
            What stands in its place where it cannot be printed.
        """
        if not self.secrets.names or not words:
            return say(words)
        if not isinstance(words, Message | Own | Number):
            return otherwise if holds(self.secrets, words) else words
        calls = _Kept(self)
        with speaking(replace(voice(), naming=calls)):
            # As text: told again in a voice that calls everybody by name it would give the name away.
            sentence = str(say(words))
        return otherwise if calls.doubtful else sentence

    def label(self, text: str) -> str:
        """A label that stands in the report anyway, or the code of the one it is the name of."""
        return text if text in self.secrets.allowed else self.secrets.names.get(text, text)

    def other(self, text: str) -> str:
        """The text: what a report says itself it says with codes."""
        return text

    def command_line(self, options: str) -> str:
        """The options of a command as they are printed: as they were typed, or not at all where they may hold a name.

        Codes in the place of names would stand in the order of the file, which gives them away. Numbers in a list
        without blanks would be taken for one number.
        """
        return WITHHELD if holds(self.secrets, options.replace(",", ", ")) else options

    def file(self, name: str, sha256_digits: str) -> str:
        """What a data file is called: its name, or its fingerprint where the name holds that of a person."""
        if self.coded and leaks(self.secrets, (("", name),), typed=True):
            return unnamed(sha256_digits)
        return name


NAMES = Naming()


class _Kept:
    """What everybody in a kept sentence is called, and whether something in it may be a name nobody knows as one.

    Attributes
    ----------
    doubtful
        Whether the sentence must not be printed.
    """

    def __init__(self, names: Naming) -> None:
        self._names = names
        self.doubtful = False

    def rater(self, name: str) -> str:
        """The code of a rater, or what a decision called them."""
        return self._called(name, self._names.codes)

    def case(self, name: str) -> str:
        """The code of a case, or what a decision called it."""
        return self._called(name, self._names.cases)

    def _called(self, name: str, codes: Mapping[str, str]) -> str:
        known = self._names.secrets
        if name in codes:
            return codes[name]
        return known.names[name] if name in known.names and name not in known.allowed else self.other(name)

    def label(self, text: str) -> str:
        """A label that stands in the report anyway, or the code of the one it is the name of."""
        known = self._names.secrets
        return self._names.label(text) if text in known.allowed or text in known.names else self.other(text)

    def other(self, text: str) -> str:
        """The text, which is not printed where it may hold a name."""
        if holds(self._names.secrets, text) and text not in self._names.secrets.allowed:
            self.doubtful = True
        return text


def unnamed(sha256_digits: str) -> str:
    """What a data file is called whose name is not printed."""
    return _("data file {digits}").format(digits=Symbol(sha256_digits[:12]))


def naming(project: Project, raters_as: RatersAs, cases_as: CasesAs = CasesAs.NAMES, *, salted: bool = True) -> Naming:
    """The codes of a project's raters and cases; none where names are wanted, or for raters who are seats.

    Parameters
    ----------
    project
        The work.
    raters_as, cases_as
        Names or codes.
    salted
        Whether the order of the codes follows from all ratings; reports of version 0.1 took it from the checksum of
        the file.
    """
    reading, hidden = project.reading, _hidden(project)
    if reading is None:
        return NAMES
    people, cases = _all_names(project)
    codes: Mapping[str, str] = {}
    called: Mapping[str, str] = {}
    secret = digest(reading.as_read).hex() if salted else reading.source.sha256
    if raters_as is RatersAs.CODES and reading.as_read.raters_known:
        unrated = (n for f in reading.findings if f.code == SILENT for g in f.about for n in g)
        codes = _coded((*people, *unrated), secret, _LETTERS, salted=salted)
    if cases_as is CasesAs.CODES:
        unrated = (n for f in reading.findings if f.code == UNRATED for g in f.about for n in g)
        called = _coded((*cases, *unrated), f"{secret} cases", _NUMBERED, salted=salted)
    if not (codes or called or hidden):
        return NAMES
    names = {old: new for old, new in hidden.items() if is_telling(old)} | dict(called) | dict(codes)
    allowed = (*codes.values(), *called.values(), *hidden.values(), *reading.as_read.classes, *project.ratings.classes)
    # What a decision put another name in place of is no name that may be printed.
    open_names = (n for n in (*(() if codes else people), *(() if called else cases)) if n not in hidden)
    secrets = Secrets(MappingProxyType(names), (*dict.fromkeys((*allowed, *open_names)),), _typed(project))
    return Naming(MappingProxyType(codes), MappingProxyType(called), hidden, secrets)


def _all_names(project: Project) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """All names raters and cases have, or had between two decisions: the raters', then the cases'."""
    now = project.ratings
    as_read = now if project.reading is None else project.reading.as_read
    raters, cases = [*as_read.raters, *now.raters], [*as_read.subjects, *now.subjects]
    for decided in project.decisions:
        decision = decided.decision
        raters += [getattr(decision, "rater", "")]
        cases += [getattr(decision, "subject", "")]
        if isinstance(decision, JoinRaters | JoinSubjects):
            (raters if isinstance(decision, JoinRaters) else cases).append(decision.into)
        elif isinstance(decision, NameRaters):
            raters += [new for _old, new in decision.names]
    return tuple(filter(None, raters)), tuple(filter(None, cases))


def _typed(project: Project) -> tuple[tuple[str, str], ...]:
    """What the user wrote, each after its place; what the program keeps in the notes is none of it."""
    kept = {"report.setup", "report.logo", "report.what_if"}
    notes = ((_("your words on “{place}”").format(place=place), sentence) for place, sentence in project.notes.items())
    return ((_("the title"), project.title), *(n for n, p in zip(notes, project.notes, strict=True) if p not in kept))


def is_telling(name: str) -> bool:
    """Whether a name can be that of a person: letters, or a number as long as that of a patient."""
    return len(name) > 1 and (any(c.isalpha() for c in name) or sum(map(str.isdigit, name)) >= _LONG)


def _hidden(project: Project) -> Mapping[str, str]:
    """By what the file calls raters and cases the names that decisions gave them, where these stand for the old ones.

    What is noticed while reading names cases as the file does, and a report would print it.
    """
    if project.reading is None:
        return MappingProxyType({})
    hidden: dict[str, str] = {}
    decisions = [entry.decision for entry, row in zip(project.in_force, project.log, strict=True) if _holds(row)]
    if any(isinstance(d, NumberCases) for d in decisions):
        # Which number a case has depends on what was left out before; that it has one is all a reader needs.
        unrated = (n for f in project.reading.findings if f.code == UNRATED for group in f.about for n in group)
        hidden |= dict.fromkeys((*project.reading.as_read.subjects, *unrated), _("({a_subject})"))
    for decision in decisions:
        if isinstance(decision, NameRaters):
            hidden |= {old: new for old, new in decision.names if old != new}
    return MappingProxyType(hidden)


def _holds(row: LogRow) -> bool:
    return row.standing is DecisionStatus.IN_FORCE


def code(index: int) -> str:
    """The code with this number: ``A`` … ``Z``, ``AA`` and so on."""
    first, last = divmod(index, 26)
    return (code(first - 1) if first else "") + ascii_uppercase[last]


# Kinds of codes, the usual one first; "" stands for letters.
_LETTERS, _NUMBERED = ("", "R", "Rater-", "Code-"), ("C", "K", "Case-", "Code-")


def _coded(names: Sequence[str], secret: str, kinds: Sequence[str], *, salted: bool) -> Mapping[str, str]:
    """A code for each name, in an order nobody can tell from the names; none of the codes is a name itself."""
    known = dict.fromkeys(names)
    ordered = sorted(known, key=lambda name: sha256(f"{secret} {name}".encode("utf-8", "replace")).digest())
    taken, wide = {folded(name) for name in known}, len(str(len(ordered)))
    for kind in (*kinds, *(f"{kinds[-1]}{i}-" for i in range(len(ordered)))):
        made = [f"{kind}{i + 1:0{wide}d}" if kind else code(i) for i in range(len(ordered))]
        if not salted or taken.isdisjoint(map(folded, made)):
            return dict(zip(ordered, made, strict=True))
    return {}
