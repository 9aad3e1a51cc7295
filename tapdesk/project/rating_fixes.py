"""One thing that can be done about a finding, and what all such offers share."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np

from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import Decision, LeaveAsRead
from tapdesk.project.decisions.classes import MergeClasses, RenameClass, ReorderClasses, TreatAsMissing
from tapdesk.project.decisions.names import FlipRater, JoinRaters, JoinSubjects, NumberCases, letter_codes
from tapdesk.project.decisions.ratings import KeepRepeats, KeepWhere, LeaveOutRaters, LeaveOutSubjects, Repeats
from tapdesk.ratings.findings import Finding, label_text
from tapdesk.ratings.options import Layout
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.ratings.texts import number, two_numbers

MOST = 4
"""More links than this under one finding are no help."""


@dataclass(frozen=True)
class Fix:
    """One thing that can be done about a finding.

    Attributes
    ----------
    words
        What the link says.
    decision
        What is decided; None where the file is read again instead, or a place of the window is shown.
    options
        The reading options that change, by the names of their fields.
    place
        The part of the window where the user does it: ``header``, ``subject`` or ``categories``; else empty.
    """

    words: str
    decision: Decision | None = None
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    place: str = ""


def read_with(words: str, **options: Any) -> Fix:
    """Read the file again in another way."""
    return Fix(words, options=MappingProxyType(options))


def leave_as_read(finding: Finding, words: str) -> Fix:
    """Look at a finding and leave it as it was read."""
    return Fix(words, LeaveAsRead(finding.code, finding.about, finding.message))


def known_names(names: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """The names that are still known."""
    among = frozenset(known)
    return tuple(n for n in names if n in among)


def merge(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Names that are perhaps one class."""
    del reading
    group = known_names(finding.about[0] if finding.about else (), now.classes)
    if len(group) > 1:
        # Where one of them is the other without outer blanks, that is the name to keep.
        into = next((name for name in group if name == name.strip()), group[0])
        yield Fix(_("Merge as “{name}”").format(name=label_text(into)), MergeClasses(((into, group),)))
        yield leave_as_read(finding, _("Keep apart"))


def merge_labels(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Values that stand beside their own labels."""
    del reading
    pairs = [pair for pair in finding.about if len(known_names(pair, now.classes)) == len(pair)]
    if pairs:
        merged = MergeClasses(tuple((label, (label, value)) for label, value in pairs))
        yield Fix(_("Merge each value with its label"), merged)
        yield leave_as_read(finding, _("Keep apart"))


def decimal_mark(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Numbers with the other decimal mark, one by one."""
    del reading
    here = [(old, new) for old, new in finding.about if old in now.classes]
    for old, new in here[: MOST - 1]:
        decision = MergeClasses(((new, (new, old)),)) if new in now.classes else RenameClass(old, new)
        yield Fix(_("Write {old} as {new}").format(old=label_text(old), new=label_text(new)), decision)
    if here:
        yield leave_as_read(finding, _("Keep as answers"))


def no_rating(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Texts that are perhaps no rating, or a slip for another one."""
    labels = known_names(finding.about[0] if finding.about else (), now.classes)
    meant = [(old, new) for old in labels for new in _perhaps_meant(finding.code, old, reading, now.classes)]
    for old, new in meant[: MOST - 2]:
        yield Fix(
            _("Write {old} as {new}").format(old=label_text(old), new=label_text(new)),
            MergeClasses(((new, (new, old)),)),
        )
    if labels and len(labels) < len(now.classes):
        why = _("turned into a date") if finding.code == "dates_among_ratings" else ""
        yield Fix(_("Count as no rating"), TreatAsMissing(labels, why))
    if labels:
        yield leave_as_read(finding, _("Keep as answers"))


def _perhaps_meant(code: str, text: str, reading: Reading, known: tuple[str, ...]) -> tuple[str, ...]:
    """What was perhaps typed where a date or a number far outside stands now; only answers that others gave count."""
    if code == "far_value" and len(text) == 2 and text[0] == text[1]:
        return known_names((text[0],), known)
    if code != "dates_among_ratings":
        return ()
    found = two_numbers(text)
    pairs = () if found is None else (found, found[::-1])
    # A half point 3,5 becomes the third of May, and 3-4 the third of April.
    marks = (reading.source.decimal or ".", ".", ",", "-", "/")
    typed = (known_names(dict.fromkeys(f"{a}{mark}{b}" for a, b in pairs), known) for mark in marks)
    return next((texts for texts in typed if texts), ())


def order(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Classes without a known order."""
    del reading
    yield Fix(_("Choose the order"), place="categories")
    yield Fix(_("This order is right"), ReorderClasses(now.classes))
    if len(now.classes) > 2:
        yield Fix(_("They have no order"), ReorderClasses(now.classes, ordered=False))
    del finding


def summary(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """A summary posing as a rater or case, wherever the layout has put it."""
    names = finding.about[0] if finding.about else ()
    cases, raters = known_names(names, now.subjects), known_names(names, now.raters)
    if finding.code in {"summary_column", "known_answers"}:
        cases = cases if reading.source.layout is Layout.SUBJECTS else ()
        raters = raters if reading.source.layout is Layout.RATERS else ()
    elif finding.code == "summary_rater":
        cases = ()
    else:
        raters = raters if reading.source.layout is Layout.SUBJECTS else ()
    if raters:
        told = ", ".join(label_text(n) for n in raters[:3])
        yield Fix(_("Leave out {names}").format(names=told), LeaveOutRaters(raters, with_classes=True))
    elif cases:
        told = ", ".join(label_text(n) for n in cases[:3])
        yield Fix(_("Leave out {names}").format(names=told), LeaveOutSubjects(cases, with_classes=True))
    elif finding.code == "summary_column" and reading.source.layout in {Layout.COUNTS, Layout.CONFUSION}:
        columns = tuple(c for c in reading.source.rating_columns if c not in names)
        if len(columns) > 1:
            yield read_with(_("Leave the column out"), columns=columns)
    if raters or cases:
        yield leave_as_read(finding, _("It rated like the others") if raters else _("It is no summary"))


def similar(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Raters or cases with nearly one name."""
    del reading
    raters = finding.code == "similar_rater_names"
    known = now.raters if raters else now.subjects
    several = False
    for group in finding.about[:MOST]:
        names = known_names(group, known)
        if len(names) > 1:
            several = True
            told = ", ".join(label_text(n) for n in names[:3])
            joined = JoinRaters(names, names[0]) if raters else JoinSubjects(names, names[0])
            yield Fix(_("Join {names}").format(names=told), joined)
    if several:
        yield leave_as_read(finding, _("They are different"))


def same_column_name(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Columns of one name."""
    if reading.source.layout is Layout.RATERS:
        for group in finding.about[:MOST]:
            names = known_names(group, now.raters)
            if len(names) > 1:
                yield Fix(_("“{name}” is one rater").format(name=label_text(names[0])), JoinRaters(names, names[0]))
    yield leave_as_read(finding, _("They are different"))


def repeats(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """A case rated again by one rater."""
    del reading, now
    yield Fix(_("Keep as repeats"), KeepRepeats(Repeats.ALL))
    yield Fix(_("Only the first counts"), KeepRepeats(Repeats.FIRST))
    yield Fix(_("Only the last counts"), KeepRepeats(Repeats.LAST))
    if finding.code == "repeats_different":
        yield Fix(_("Leave out"), KeepRepeats(Repeats.NONE))


def identical(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Two raters with the same answers."""
    del reading
    pair = known_names(finding.about[0] if finding.about else (), now.raters)
    if len(pair) > 1:
        for name in reversed(pair):
            yield Fix(_("Leave out {names}").format(names=label_text(name)), LeaveOutRaters((name,)))
        yield leave_as_read(finding, _("Keep both"))


def consensus(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """A rater who follows the majority."""
    del reading
    for name in known_names(finding.about[0] if finding.about else (), now.raters):
        yield Fix(_("Leave out {names}").format(names=label_text(name)), LeaveOutRaters((name,)))
        yield leave_as_read(finding, _("Keep as a rater"))


def perhaps_no_rater(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Columns that share the scale of the raters."""
    del reading
    names = known_names(finding.about[0] if finding.about else (), now.raters)
    if names and len(names) < len(now.raters):
        told = ", ".join(label_text(n) for n in names[:3])
        yield Fix(_("Leave out {names}").format(names=told), LeaveOutRaters(names, with_classes=True))
        yield leave_as_read(finding, _("Keep as a rater") if len(names) == 1 else _("Keep as raters"))


def upside_down(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """A rater with the scale upside down."""
    del reading
    for name in known_names(finding.about[0] if finding.about else (), now.raters):
        yield Fix(_("Turn the scale round for {name}").format(name=label_text(name)), FlipRater(name))
        yield leave_as_read(finding, _("Keep as it is"))


def rounds(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Rounds told apart by a column."""
    del reading
    if len(finding.about) == 2:
        (column,), values = finding.about
        if column in now.covariates:
            for value in values[:MOST]:
                yield Fix(_("Only “{value}”").format(value=label_text(value)), KeepWhere(column, (value,)))
    yield leave_as_read(finding, _("All together") if finding.code == "rounds" else _("They repeat one question"))


def persons_as_cases(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Cases that are called like persons."""
    del reading, now
    yield Fix(_("Call the cases Case 1, Case 2"), NumberCases())
    yield leave_as_read(finding, _("Print them as they are"))


def personal(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Columns about persons."""
    if reading.source.roles.get("subject") in {n for g in finding.about for n in g}:
        yield Fix(_("Call the cases Case 1, Case 2"), NumberCases())
    if now.raters_known and reading.source.roles.get("rater") in {n for g in finding.about for n in g}:
        yield Fix(_("Call the raters A, B, C"), letter_codes(now.raters))


STEPS = 5
_MANY = 15  # more scores than this are no steps
_WIDTHS = (1.0, 2.0, 2.5, 5.0, 10.0)


def steps(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Equal steps, and one cut in the middle, each told by where it cuts."""
    mark = reading.source.decimal or "."
    scores = {c: n for c in now.classes if (n := number(c, mark)) is not None}
    if len(scores) <= _MANY:
        return
    width = _round_width((max(scores.values()) - min(scores.values())) / STEPS)
    first = math.floor(min(scores.values()) / width) * width
    cuts = [first + width * i for i in range(1, STEPS + 2) if first + width * i <= max(scores.values())]
    told = "; ".join(_written(cut, mark) for cut in cuts)
    yield Fix(_("Cut at {cuts}").format(cuts=told), _grouped(scores, cuts, mark))
    middle = _median(scores, now)
    if middle > min(scores.values()):
        yield Fix(
            _("Below {cut}, and {cut} or more").format(cut=_written(middle, mark)), _grouped(scores, [middle], mark)
        )
    yield leave_as_read(finding, _("Keep every score"))


def _round_width(width: float) -> float:
    """A step of a round size, at least as wide as asked."""
    power = 10.0 ** math.floor(math.log10(width))
    return next(w * power for w in _WIDTHS if w * power >= width * (1 - 1e-9))


def _median(scores: dict[str, float], now: Ratings) -> float:
    """The first score that more than half of the ratings do not exceed."""
    rates = now.class_rates()
    rows = sorted((score, float(rates[now.classes.index(label)])) for label, score in scores.items())
    upto = np.cumsum([rate for _score, rate in rows])
    return rows[int(np.searchsorted(upto, upto[-1] / 2 * (1 + 1e-9), side="right"))][0]


def _written(score: float, mark: str) -> str:
    """A number with the decimal mark of the file: names of classes are words of the user's data."""
    return f"{score:g}".replace(".", mark)


def _grouped(scores: dict[str, float], cuts: list[float], mark: str) -> MergeClasses:
    """Scores between cut-points as one class each, called by what it reaches from and to."""
    edges = [-math.inf, *cuts, math.inf]
    groups = []
    for low, high in pairwise(edges):
        labels = tuple(label for label, score in scores.items() if low <= score < high)
        if labels:
            groups.append((_called(low, high, mark), labels))
    return MergeClasses(tuple(groups))


def _called(low: float, high: float, mark: str) -> str:
    """The name of the scores from one cut-point to the next."""
    if math.isinf(low):
        return _("below {high}").format(high=_written(high, mark))
    if math.isinf(high):
        return _("{low} or more").format(low=_written(low, mark))
    return _("{low} to below {high}").format(low=_written(low, mark), high=_written(high, mark))
