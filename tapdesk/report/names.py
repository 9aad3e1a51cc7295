"""Rater names or codes: one switch for everything a report prints."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from string import ascii_uppercase
from types import MappingProxyType

from tapdesk.language import gettext as _
from tapdesk.project.decisions.names import NameRaters, NumberCases
from tapdesk.project.project import Project
from tapdesk.project.replay import LogRow, Standing
from tapdesk.ratings.checks.panel import UNRATED

_LONG = 6  # digits: fewer are a number of a case


class RatersAs(Enum):
    """How raters are called."""

    NAMES = "names"
    CODES = "codes"


@dataclass(frozen=True, eq=False)
class Naming:
    """Code by rater name; empty where names are printed.

    The order of the codes follows from a digest of name and data file, not from the order in the file, so that it
    does not give the names away.

    Attributes
    ----------
    codes
        Code by name.
    hidden
        What persons were called in the file, where a decision gave them other names: by old name the new one.
    """

    codes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    hidden: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def rater(self, name: str) -> str:
        """What a rater is called."""
        return self.codes.get(name, name)

    def text(self, words: str) -> str:
        """A sentence with the names in it replaced; a name of a single sign or digits alone is no name of a person."""
        found = [name for name in self.codes if len(name) > 1 and any(c.isalpha() for c in name)]
        # There may be a million cases: only names that stand in these words are looked for one by one.
        found += [name for name in self.hidden if name in words and name not in self.codes and is_telling(name)]
        if not found:
            return words
        longest_first = sorted(found, key=len, reverse=True)
        pattern = r"(?<!\w)(" + "|".join(re.escape(name) for name in longest_first) + r")(?!\w)"
        return re.sub(pattern, lambda m: self.codes.get(m.group(1)) or self.hidden[m.group(1)], words)


NAMES = Naming()


def naming(project: Project, raters_as: RatersAs) -> Naming:
    """The codes of a project's raters; none where names are wanted or raters are seats."""
    hidden = _hidden(project)
    if raters_as is RatersAs.NAMES or project.reading is None or not project.reading.as_read.raters_known:
        return Naming(hidden=hidden) if hidden else NAMES
    salt = project.reading.source.sha256
    known = dict.fromkeys((*project.reading.as_read.raters, *project.ratings.raters))
    ordered = sorted(known, key=lambda name: hashlib.sha256(f"{salt} {name}".encode("utf-8", "replace")).digest())
    return Naming(MappingProxyType({name: code(i) for i, name in enumerate(ordered)}), hidden)


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
        hidden |= dict.fromkeys((*project.reading.as_read.subjects, *unrated), _("(a case)"))
    for decision in decisions:
        if isinstance(decision, NameRaters):
            hidden |= {old: new for old, new in decision.names if old != new}
    return MappingProxyType(hidden)


def _holds(row: LogRow) -> bool:
    return row.standing is Standing.IN_FORCE


def code(index: int) -> str:
    """The code with this number: ``A`` … ``Z``, ``AA`` and so on."""
    first, last = divmod(index, 26)
    return (code(first - 1) if first else "") + ascii_uppercase[last]
