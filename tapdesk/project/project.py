"""The work of a user as one value: what was read, what was decided, what was asked and answered."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.studies.analysis import Request


@dataclass(frozen=True, eq=False)
class Analysis:
    """One question and, once it was run, its answer.

    Attributes
    ----------
    name
        As shown.
    request
        What was asked.
    fit
        The answer, or None before the first run.
    stale
        Whether data or request changed after the run; the numbers stay.
    run_at
        Local date and time of the run in ISO form; empty before it.
    """

    name: str
    request: Request
    fit: Fit | None = None
    stale: bool = False
    run_at: str = ""


@dataclass(frozen=True, eq=False)
class Project:
    """Everything a user would miss if it were lost.

    Attributes
    ----------
    reading
        The ratings as read, with how they were read; None before a file is opened.
    class1
        Labels of class 1, which make the data binary; None for all classes.
    order
        Order of the classes, lowest first; None as read.
    analyses
        Questions and answers.
    title
        Of the report.
    notes
        The user's words by place.
    """

    reading: Reading | None = None
    class1: tuple[str, ...] | None = None
    order: tuple[str, ...] | None = None
    analyses: tuple[Analysis, ...] = ()
    title: str = ""
    notes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def all_classes(self) -> Ratings:
        """The ratings in the chosen order of classes, before any choice of class 1.

        Raises
        ------
        TapdeskError
            When no file is open.
        """
        if self.reading is None:
            raise TapdeskError("No ratings are open.", fix="Open a spreadsheet or a sample first.")
        ratings = self.reading.as_read
        return ratings if self.order is None else ratings.with_order(self.order)

    @property
    def ratings(self) -> Ratings:
        """The current ratings: as read, with the decisions replayed."""
        ratings = self.all_classes
        return ratings if self.class1 is None else ratings.dichotomised(self.class1)

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits in groups of four that change when any rating or decision changes."""
        digest = hashlib.sha256()
        ratings = self.ratings
        for array in (ratings.subject, ratings.rater, ratings.category):
            digest.update(array.astype("<i8").tobytes())
        if ratings.weight is not None:
            digest.update(ratings.weight.astype("<i8").tobytes())
        names = (ratings.subjects, ratings.raters, ratings.classes, ratings.members)
        digest.update(repr((names, ratings.ordered, ratings.raters_known)).encode())
        digits = digest.hexdigest()[:16].upper()
        return "-".join(digits[i : i + 4] for i in range(0, 16, 4))

    def with_reading(self, reading: Reading) -> "Project":
        """A project about other ratings: choices of classes start anew, results are marked out of date."""
        class1 = reading.options.class1
        return replace(self._aged(), reading=reading, class1=class1, order=None)

    def with_class1(self, labels: tuple[str, ...] | None) -> "Project":
        """Another class 1; None for all classes."""
        return replace(self._aged(), class1=labels)

    def with_order(self, order: tuple[str, ...]) -> "Project":
        """Another order of the classes, lowest first."""
        return replace(self._aged(), order=order)

    def with_analysis(self, analysis: Analysis) -> "Project":
        """An analysis added, or put in the place of the one with its name."""
        kept = [analysis if a.name == analysis.name else a for a in self.analyses]
        if analysis.name not in {a.name for a in self.analyses}:
            kept.append(analysis)
        return replace(self, analyses=tuple(kept))

    def with_note(self, place: str, words: str) -> "Project":
        """The user's words at a place of the report; empty words remove them."""
        notes = {k: v for k, v in self.notes.items() if k != place} | ({place: words} if words else {})
        return replace(self, notes=MappingProxyType(notes))

    def _aged(self) -> "Project":
        """The same project with every answer marked out of date."""
        return replace(self, analyses=tuple(replace(a, stale=a.fit is not None) for a in self.analyses))
