"""Decisions about repeats: which of several ratings of one case by one rater count."""

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

import numpy as np

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import Decision, Mask, counted, kept, single
from tapdesk.ratings.ratings import Ratings


class Repeats(Enum):
    """What to do where a rater rated a case more than once."""

    ALL = "all"
    FIRST = "first"
    LAST = "last"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class KeepRepeats(Decision):
    """Which of several ratings of one case by one rater count."""

    kind: ClassVar[str] = "repeats"
    which: Repeats

    def words(self, before: Ratings) -> str:
        """The rule."""
        del before
        return {
            Repeats.ALL: _("Where a rater rated a case more than once, every rating counts: they are real repeats."),
            Repeats.FIRST: _("Where a rater rated a case more than once, the first rating in the file counts."),
            Repeats.LAST: _("Where a rater rated a case more than once, the last rating in the file counts."),
            Repeats.NONE: _("Where a rater rated a case more than once, none of these ratings counts."),
        }[self.which]

    def touches(self, before: Ratings) -> int:
        """The ratings left out."""
        return counted(before, ~self._stays(before))

    def apply(self, before: Ratings) -> Ratings:
        """The ratings that count."""
        single(before)
        if not before.raters_known:
            raise TapdeskError(
                _("The raters are not known by name, so repeats cannot be told from other raters."),
                fix=_("Say that columns are persons when the file is read."),
            )
        return kept(before, self._stays(before))

    def _stays(self, before: Ratings) -> Mask:
        """Shape (m,): which ratings count."""
        if self.which is Repeats.ALL or not before.subject.size:
            return np.ones(before.subject.size, dtype=bool)
        key = before.subject.astype(np.int64) * len(before.raters) + before.rater
        order = np.argsort(key, kind="stable")
        differs = np.diff(key[order]) != 0
        first, last = np.append(True, differs), np.append(differs, True)
        chosen = {Repeats.FIRST: first, Repeats.LAST: last, Repeats.NONE: first & last}[self.which]
        stays = np.zeros(key.size, dtype=bool)
        stays[order[chosen]] = True
        return stays
