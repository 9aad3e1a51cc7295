"""What can be done about a finding with one click: what such an offer is, and one row for each kind of finding."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeAlias

from tapdesk.language import gettext as _
from tapdesk.language import say
from tapdesk.project.bands import bands_of_ranks, usual_bands
from tapdesk.project.decisions.base import Decision, LeaveAsRead
from tapdesk.project.decisions.classes import MergeClasses, RenameClass, ReorderClasses, SetClass1, TreatAsMissing
from tapdesk.project.decisions.names import FlipRater, JoinRaters, JoinSubjects, NumberCases, letter_codes
from tapdesk.project.decisions.ratings import KeepRepeats, KeepWhere, LeaveOutRaters, LeaveOutSubjects, Repeats
from tapdesk.ratings.findings import Finding, label_text
from tapdesk.ratings.label_sets import NO_LABEL, label_sets
from tapdesk.ratings.layouts.understanding import options_of
from tapdesk.ratings.options import Layout, RatersAre
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.ratings.texts import two_numbers
from tapdesk.ratings.vocabulary import words as words_of

_MOST = 4  # more links than this under one finding are no help


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
    everywhere
        Whether the decision is about every question of a form that it fits.
    """

    words: str
    decision: Decision | None = None
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    place: str = ""
    everywhere: bool = False


@dataclass(frozen=True)
class _Case:
    """A finding, the reading that noticed it, and the ratings with the decisions made so far."""

    finding: Finding
    reading: Reading
    now: Ratings

    @property
    def names(self) -> tuple[str, ...]:
        """The first group of names that the finding is about."""
        return self.finding.about[0] if self.finding.about else ()

    @property
    def layout(self) -> Layout:
        """How the file was read."""
        return self.reading.source.layout

    def raters(self) -> tuple[str, ...]:
        """The names that are raters still."""
        return _known(self.names, self.now.raters)

    def leave(self, words: str) -> Fix:
        """Look at the finding and leave it as it was read."""
        return Fix(words, LeaveAsRead(self.finding.code, self.finding.about, self.finding.message))


def _known(names: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """The names that are still known."""
    among = frozenset(known)
    return tuple(n for n in names if n in among)


def _read(words: str, **options: Any) -> Fix:
    """Read the file again in another way."""
    return Fix(words, options=MappingProxyType(options))


def _labels(names: Iterable[str]) -> str:
    """The first names of some in one line."""
    return ", ".join(label_text(n) for n in tuple(names)[:3])


def _write_as(old: str, new: str, decision: Decision) -> Fix:
    return Fix(_("Write {old} as {new}").format(old=label_text(old), new=label_text(new)), decision)


def _leave_out(decision: LeaveOutRaters | LeaveOutSubjects) -> Fix:
    return Fix(_("Leave out {names}").format(names=_labels(decision.names)), decision)


# How the file is read -----------------------------------------------------------------------------------------------


def _sheets(case: _Case) -> Iterator[Fix]:
    """The other sheets of a workbook."""
    for name in case.names[: _MOST - 1]:
        yield _read(_("Read the sheet “{name}”").format(name=label_text(name)), sheet=name)
    source = case.reading.source
    yield case.leave(_("Stacking is right") if source.sheet not in source.sheets else _("This sheet is right"))


def _row_as_header(case: _Case) -> Iterator[Fix]:
    for (row,) in case.finding.about:
        yield _read(_("Row {row} is the header").format(row=row), header=int(row))


def _one_header_row(case: _Case) -> Iterator[Fix]:
    for row in case.names:
        yield _read(_("Only row {row}").format(row=row), header=int(row), header_rows=1)


def _header_as_it_stands(case: _Case) -> Iterator[Fix]:
    for row in case.names:
        yield _read(_("The names stand above their columns"), header=int(row))


def _further_raters(case: _Case) -> Iterator[Fix]:
    """Columns that are not read as ratings, each as a rater."""
    if case.layout is Layout.RATERS:
        for name in case.names[: _MOST - 1]:
            columns = (*case.reading.source.rating_columns, name)
            words = _("“{name}” is a rater").format(name=label_text(name))
            yield _read(words, layout=Layout.RATERS, columns=columns)


def _rows_as_raters(case: _Case) -> Iterator[Fix]:
    """A table that is much wider than long, or whose columns are named like cases."""
    columns, header = case.reading.source.rating_columns, case.reading.preview.header
    # Who filled in a row is named by a column for names, else by the one that names the rows.
    naming = (n for n in header if n not in columns and "name" in words_of(n))
    rater = next(naming, case.reading.source.roles.get("subject"))
    more: dict[str, Any] = {}
    # What stands beside the ratings, such as the time of an answer, is no case.
    if rater is not None and set(header) - {*columns, rater}:
        more = {"columns": columns, "rater": rater, "subject": None}
    yield _read(_("Each row is a rater"), layout=Layout.SUBJECTS, **more)


def _one_question(case: _Case) -> Iterator[Fix]:
    """Several questions beside each other, each to the same raters."""
    for question, *_columns in case.finding.about[: _MOST - 1]:
        yield _read(_("Only “{name}”").format(name=label_text(question)), layout=Layout.RATERS, only=question)


def _count_columns(case: _Case) -> Iterator[Fix]:
    """Columns among counts that may be no class."""
    doubtful, rest = case.finding.about
    yield _read(_("Leave out {names}").format(names=_labels(doubtful)), layout=Layout.COUNTS, columns=rest)
    yield _read(_("All are classes"), layout=Layout.COUNTS, columns=case.reading.source.rating_columns)


def _named_raters(case: _Case) -> Iterator[Fix]:
    yield _read(_("Each column is a rater"), layout=Layout.RATERS, columns=case.names)


def _above_second_table(case: _Case) -> Iterator[Fix]:
    for row in case.names[:1]:
        yield _read(_("Read only what stands above row {row}").format(row=row), last=int(row) - 1)


def _first_table(case: _Case) -> Iterator[Fix]:
    items = {name for group in case.finding.about for name in group}
    columns = tuple(c for c in case.reading.source.rating_columns if c not in items)
    if columns:
        yield _read(_("Read only the first table"), columns=columns)


def _count(case: _Case) -> Iterator[Fix]:
    for name in case.names:
        yield _read(_("It counts cases"), count=name)


def _two_readings(case: _Case) -> Iterator[Fix]:
    """Two readings of a table, each with the options that choose it, question by question."""
    for words, *texts in case.finding.about:
        yield Fix(words, options=MappingProxyType(options_of(texts)))


def _one_place(case: _Case) -> Iterator[Fix]:
    """Cases whose numbers begin anew in each place."""
    (column,), places = case.finding.about
    for place in places[: _MOST - 1]:
        where = (*case.reading.asked.where, (column, place))
        yield _read(_("Only “{value}”").format(value=label_text(place)), where=where)


def _without_trials(case: _Case) -> Iterator[Fix]:
    """Responses of a survey that were given to try it."""
    (column,), (status,) = case.finding.about
    where_not = (*case.reading.asked.where_not, (column, status))
    yield _read(_("Leave out “{value}”").format(value=label_text(status)), where_not=where_not)
    yield case.leave(_("They are answers"))


def _events(case: _Case) -> Iterator[Fix]:
    """Events of a study that are raters, or times of which one is read."""
    (column,), events = case.finding.about
    yield _read(_("The events are raters"), rater=column)
    for event in events[: _MOST - 1]:
        where = (*case.reading.asked.where, (column, event))
        yield _read(_("Only “{value}”").format(value=label_text(event)), where=where)


def _repeats_by_persons(case: _Case) -> Iterator[Fix]:
    """Repeats of a form in the order of the persons who filled it in."""
    yield _read(_("The same persons in the same order"), rater=case.names[0])


# What the ratings are -----------------------------------------------------------------------------------------------


def _without_nameless_rows(case: _Case) -> Iterator[Fix]:
    """Rows with ratings and no case, as sums below a table are."""
    rows = _known(case.names, case.now.subjects)
    if rows and len(rows) < case.now.subject_count:
        yield _leave_out(LeaveOutSubjects(rows, with_classes=True))


def _merge(case: _Case) -> Iterator[Fix]:
    """Names that are perhaps one class."""
    group = _known(case.names, case.now.classes)
    if len(group) > 1:
        # Where one of them is the other without outer blanks, that is the name to keep.
        into = next((name for name in group if name == name.strip()), group[0])
        yield Fix(_("Merge as “{name}”").format(name=label_text(into)), MergeClasses(((into, group),)))
        yield case.leave(_("Keep apart"))


def _merge_labels(case: _Case) -> Iterator[Fix]:
    """Values that stand beside their own labels."""
    pairs = [pair for pair in case.finding.about if len(_known(pair, case.now.classes)) == len(pair)]
    if pairs:
        merged = MergeClasses(tuple((label, (label, value)) for label, value in pairs))
        yield Fix(_("Merge each value with its label"), merged)
        yield case.leave(_("Keep apart"))


def _other_mark(case: _Case) -> Iterator[Fix]:
    """Numbers with the other decimal mark, one by one."""
    here = [(old, new) for old, new in case.finding.about if old in case.now.classes]
    for old, new in here[: _MOST - 1]:
        there = new in case.now.classes
        yield _write_as(old, new, MergeClasses(((new, (new, old)),)) if there else RenameClass(old, new))
    if here:
        yield case.leave(_("Keep as answers"))


def _code_of_form(case: _Case) -> Iterator[Fix]:
    """A code of several questions of a form: asked once, answered for all of them, or otherwise for this one."""
    (code,), names, every = case.finding.about
    leave = replace(case.leave(""), everywhere=True)
    all_of_them = {"n": len(names)}
    if case.finding.code == "missing_codes":
        rest = tuple(other for other in every if other != code)
        yield replace(leave, words=_("No rating in all {n} questions").format(**all_of_them))
        yield _read(_("An answer in all {n} questions").format(**all_of_them), missing=rest)
        own = case.reading.options
        name = own.only or own.sheet or ""
        here = case.reading.asked.with_missing_of(name, tuple(c for c in own.missing or () if c != code))
        yield _read(_("An answer in “{name}” only").format(name=label_text(name)), of_questions=here.of_questions)
        return
    there = code in case.now.classes and len(case.now.classes) > 1
    if there:
        gone = TreatAsMissing((code,))
        yield Fix(_("No rating in all {n} questions").format(**all_of_them), gone, everywhere=True)
        yield Fix(_("No rating in this question only"), gone)
    yield replace(leave, words=_("An answer in all {n} questions").format(**all_of_them))


def _missing_codes(case: _Case) -> Iterator[Fix]:
    """Codes that are read as no rating."""
    if len(case.finding.about) > 1:
        yield from _code_of_form(case)
        return
    yield case.leave(_("They mean no rating"))
    yield _read(_("They are answers"), missing=())


def _no_rating(case: _Case) -> Iterator[Fix]:
    """Texts that are perhaps no rating, or a slip for another one."""
    if len(case.finding.about) > 1 and case.finding.code in {"maybe_missing_word", "maybe_missing_number"}:
        yield from _code_of_form(case)
        return
    labels = _known(case.names, case.now.classes)
    meant = [(old, new) for old in labels for new in _perhaps_meant(case, old)]
    for old, new in meant[: _MOST - 2]:
        yield _write_as(old, new, MergeClasses(((new, (new, old)),)))
    if labels and len(labels) < len(case.now.classes):
        why = _("turned into a date") if case.finding.code == "dates_among_ratings" else ""
        yield Fix(_("Count as no rating"), TreatAsMissing(labels, why))
    if labels:
        yield case.leave(_("Keep as answers"))


def _perhaps_meant(case: _Case, text: str) -> tuple[str, ...]:
    """What was perhaps typed where a date or a number far outside stands now; only answers that others gave count."""
    known = case.now.classes
    if case.finding.code == "far_value" and len(text) == 2 and text[0] == text[1]:
        return _known((text[0],), known)
    if case.finding.code != "dates_among_ratings":
        return ()
    numbers = two_numbers(text)
    pairs = () if numbers is None else (numbers, numbers[::-1])
    # A half point 3,5 becomes the third of May, and 3-4 the third of April.
    marks = (case.reading.source.decimal or ".", ".", ",", "-", "/")
    typed = (_known(dict.fromkeys(f"{a}{mark}{b}" for a, b in pairs), known) for mark in marks)
    return next((texts for texts in typed if texts), ())


def _labels_of_sets(case: _Case) -> Iterator[Fix]:
    """Sets of labels: one yes/no question for each of the most frequent labels."""
    sets = label_sets(case.now.classes)
    if sets is None:
        return
    if case.reading.missing_by.get(""):
        yield _read(_("A blank cell: no label applies"), blank=NO_LABEL)
    for label in sets.labels[: _MOST - 1]:
        inside = tuple(case.now.classes[i] for i in sets.with_label(label))
        if len(inside) < len(case.now.classes):
            yield Fix(_("Ask about “{label}”, yes or no").format(label=label_text(label)), SetClass1(inside))


def _order(case: _Case) -> Iterator[Fix]:
    """Classes without a known order."""
    yield Fix(_("Choose the order"), place="categories")
    yield Fix(_("This order is right"), ReorderClasses(case.now.classes))
    if len(case.now.classes) > 2:
        yield Fix(_("No order"), ReorderClasses(case.now.classes, ordered=False))


def _summary(case: _Case) -> Iterator[Fix]:
    """A summary posing as a rater or case, wherever the layout has put it."""
    code, transposed = case.finding.code, case.layout is Layout.SUBJECTS
    cases, raters = _known(case.names, case.now.subjects), case.raters()
    if code in {"summary_column", "known_answers"}:
        cases, raters = cases if transposed else (), raters if case.layout is Layout.RATERS else ()
    elif code == "summary_rater":
        cases = ()
    elif not transposed:
        raters = ()
    if raters:
        if code == "summary_rater" or (code in {"known_answers", "summary_column"} and case.layout is Layout.RATERS):
            yield from _known_answers(case)
        yield _leave_out(LeaveOutRaters(raters, with_classes=True))
        yield case.leave(_("It rated like the others"))
    elif cases:
        yield _leave_out(LeaveOutSubjects(cases, with_classes=True))
        yield case.leave(_("It is no summary"))
    elif code == "summary_column" and case.layout in {Layout.COUNTS, Layout.CONFUSION}:
        columns = tuple(c for c in case.reading.source.rating_columns if c not in case.names)
        if len(columns) > 1:
            yield _read(_("Leave the column out"), columns=columns)


def _known_answers(case: _Case) -> Iterator[Fix]:
    """A column, or a rater, that may hold what is known to be true of the cases."""
    for name in case.names[:1]:
        if name in case.reading.preview.header or case.finding.code == "summary_rater":
            yield _read(_("“{name}” is the known answer").format(name=label_text(name)), known=name, columns=None)


def _join(case: _Case) -> Iterator[Fix]:
    """Raters or cases with nearly one name."""
    raters = case.finding.code == "similar_rater_names"
    groups = [_known(group, case.now.raters if raters else case.now.subjects) for group in case.finding.about[:_MOST]]
    several = [names for names in groups if len(names) > 1]
    for names in several:
        joined = JoinRaters(names, names[0]) if raters else JoinSubjects(names, names[0])
        yield Fix(_("Join {names}").format(names=_labels(names)), joined)
    if several:
        yield case.leave(_("They are different"))


def _columns_of_one_rater(case: _Case) -> Iterator[Fix]:
    """Columns of one name."""
    if case.layout is Layout.RATERS:
        for group in case.finding.about[:_MOST]:
            names = _known(group, case.now.raters)
            if len(names) > 1:
                yield Fix(_("“{name}” is one rater").format(name=label_text(names[0])), JoinRaters(names, names[0]))


def _either_twin(case: _Case) -> Iterator[Fix]:
    """Two raters with the same answers."""
    pair = case.raters()
    if len(pair) > 1:
        for name in reversed(pair):
            yield _leave_out(LeaveOutRaters((name,)))
        yield case.leave(_("Keep both"))


def _consensus(case: _Case) -> Iterator[Fix]:
    """A rater who follows the majority."""
    if case.layout is Layout.RATERS and case.raters():
        yield from _known_answers(case)
    for name in case.raters():
        yield _leave_out(LeaveOutRaters((name,)))
        yield case.leave(_("Keep as a rater"))


def _no_raters(case: _Case) -> Iterator[Fix]:
    """Columns that share the scale of the raters."""
    names = case.raters()
    if names and len(names) < len(case.now.raters):
        yield _leave_out(LeaveOutRaters(names, with_classes=True))
        yield case.leave(_("Keep as a rater") if len(names) == 1 else _("Keep as raters"))


def _turn_round(case: _Case) -> Iterator[Fix]:
    """A rater with the scale upside down."""
    for name in case.raters():
        yield Fix(_("Turn the scale round for {name}").format(name=label_text(name)), FlipRater(name))
        yield case.leave(_("Keep as it is"))


def _one_round(case: _Case) -> Iterator[Fix]:
    """Rounds told apart by a column."""
    if len(case.finding.about) == 2:
        (column,), values = case.finding.about
        if column in case.now.covariates:
            for value in values[:_MOST]:
                yield Fix(_("Only “{value}”").format(value=label_text(value)), KeepWhere(column, (value,)))


def _codes(case: _Case) -> Iterator[Fix]:
    """Columns about persons."""
    named = {n for group in case.finding.about for n in group}
    if case.reading.source.roles.get("subject") in named:
        yield _NUMBER_CASES
    if case.now.raters_known and case.reading.source.roles.get("rater") in named:
        yield Fix(_("Call the raters A, B, C"), letter_codes(case.now.raters))


_OWN_CUTS = Fix(_("Cut points of your own…"), place="bands")


def _steps(case: _Case) -> Iterator[Fix]:
    """Cut points of one's own, equal steps, and one cut in the middle, each told by where it cuts."""
    usual = tuple(usual_bands(case.now, case.reading.source.decimal or "."))
    if usual:
        yield replace(_OWN_CUTS, words=say(_OWN_CUTS.words))
        yield from (Fix(words, decision) for words, decision in usual)
        yield case.leave(_("Keep every score"))


def _rank_bands(case: _Case) -> Iterator[Fix]:
    """The first few of those that were ranked, or cut points of one's own."""
    for words, decision in bands_of_ranks(case.now, case.reading.source.decimal or "."):
        yield Fix(words, decision)
    yield replace(_OWN_CUTS, words=say(_OWN_CUTS.words))


# What is offered ----------------------------------------------------------------------------------------------------

_COLUMNS_ARE_RATERS = _read(_("Each column is a rater"), layout=Layout.RATERS)
_CHOOSE_COLUMN = Fix(_("Choose a column"), place="subject")
_CHOOSE_HEADER = Fix(_("Choose the header row"), place="header")
_NUMBER_CASES = Fix(_("Call the cases Case 1, Case 2"), NumberCases())
_LEAVE_OUT_HIDDEN = _read(_("Leave out what is hidden"), hidden=False)
_MARKS = (_read(_("Comma is the decimal mark"), decimal=","), _read(_("Dot is the decimal mark"), decimal="."))
_REPEATS = (
    Fix(_("Keep as repeats"), KeepRepeats(Repeats.ALL)),
    Fix(_("Only the first counts"), KeepRepeats(Repeats.FIRST)),
    Fix(_("Only the last counts"), KeepRepeats(Repeats.LAST)),
)
_RIGHT = _("That is right")
_HEADER = (_RIGHT, _CHOOSE_HEADER)
_TALLIES = (_read(_("They are counts"), layout=Layout.COUNTS), _("They are ratings"))
_HIDDEN = (_LEAVE_OUT_HIDDEN, _("Count it"))
_TEXTS = (
    *("dates_among_ratings", "percentages", "unusual_marks", "half_points", "far_value", "maybe_missing_number"),
    *("maybe_missing_word", "numbers_among_words", "missing_code_like", "serial_dates"),
)
_LOOKED_AT = (
    *("filled_down", "rater_without_name", "blank_counts", "user_missing", "files_stacked", "merged_ratings"),
    *("numbers_cut_short", "one_rating_per_subject", "one_rater", "one_class", "struck_out", "partly_struck_out"),
    *(
        "sparse_rater",
        "totals_differ",
        "unseen_ratings",
        "rounded_ratings",
        "unfinished_responses",
        "sessions_as_raters",
    ),
)

_Offer: TypeAlias = Fix | str | Callable[[_Case], Iterable[Fix]]
_FIXES: Mapping[str, tuple[_Offer, ...]] = MappingProxyType(
    {
        "seats_or_people": (
            _read(_("Seats"), raters_are=RatersAre.SEATS),
            _read(_("The same people"), raters_are=RatersAre.PEOPLE),
        ),
        **dict.fromkeys(("several_sheets", "hidden_sheets", "sheets_stacked"), (_sheets,)),
        "no_header": (_row_as_header, _("There is no header")),
        "two_row_header": (_("Both rows are the header"), _one_header_row),
        "header_too_short": (_header_as_it_stands,),
        **dict.fromkeys(("numeric_header", "letterhead", "header_one_short"), _HEADER),
        "notes_below": (_("They are notes"), _read(_("They are cases"), last=0)),
        **dict.fromkeys(("hidden_rows", "hidden_columns"), _HIDDEN),
        "columns_not_rated": (_("No ratings there"), _further_raters),
        "raters_in_rows": (_("Each row is a rater"), _read(_("Each row is a case"), layout=Layout.RATERS)),
        "looks_like_counts": (_("They are counts"), _read(_("They are ratings"), layout=Layout.RATERS)),
        "maybe_raters_in_rows": (_rows_as_raters, _("Each row is a case")),
        "several_questions": (_one_question, _("Each column is a rater")),
        **dict.fromkeys(("called_like_answers", "rows_add_up"), _TALLIES),
        "counts_column_doubtful": (_count_columns,),
        "looks_like_shares": (_named_raters,),
        "second_table": (_above_second_table, _("It is one table")),
        "table_beside": (_first_table, _("It is one table")),
        **dict.fromkeys(("decimal_mark_uncertain", "zero_decimals"), _MARKS),
        "missing_codes": (_missing_codes,),
        "maybe_count_column": (_count, _("Each row counts once")),
        "no_case_column": (_CHOOSE_COLUMN, _("Keep numbers")),
        "roles_by_values": (_RIGHT, _COLUMNS_ARE_RATERS, _CHOOSE_COLUMN),
        "perhaps_questions": (
            _("They are raters"),
            _read(_("They are questions"), layout=Layout.QUESTIONS, rater=None),
        ),
        "two_readings": (_two_readings,),
        "survey_previews": (_without_trials,),
        "responses_are_raters": (_RIGHT, _COLUMNS_ARE_RATERS),
        "events_as_raters": (_events,),
        "repeats_as_ratings": (_RIGHT, _repeats_by_persons),
        "square_without_counts": (_read(_("Each row is a case, each column a rater"), layout=Layout.RATERS),),
        "bare_square": (
            _read(_("Two raters crossed"), layout=Layout.CONFUSION),
            _COLUMNS_ARE_RATERS,
            _read(_("Each row counts the ratings of a case"), layout=Layout.COUNTS),
        ),
        "cases_come_again": (
            _read(_("Each row is one rating"), layout=Layout.LONG),
            _COLUMNS_ARE_RATERS,
            _CHOOSE_COLUMN,
        ),
        "cases_numbered_anew": (_one_place, _("They are the same cases")),
        "case_without_name": (_without_nameless_rows, _("They are cases")),
        **dict.fromkeys(("look_alikes", "case_space_variants", "same_number", "same_meaning"), (_merge,)),
        "label_and_value": (_merge_labels,),
        "other_decimal_mark": (_other_mark,),
        **dict.fromkeys(_TEXTS, (_no_rating,)),
        "continuous_scores": (_steps,),
        "ranks": (_rank_bands, _("Read the ranks as they are")),
        "order_unknown": (_order,),
        "sets_of_labels": (_labels_of_sets, _("Each set is a class")),
        **dict.fromkeys(("summary_column", "summary_row", "summary_rater", "known_answers"), (_summary,)),
        **dict.fromkeys(("similar_rater_names", "similar_case_names"), (_join,)),
        "duplicate_column_names": (_columns_of_one_rater, _("They are different")),
        "repeats_same": _REPEATS,
        "repeats_different": (*_REPEATS, Fix(_("Leave out"), KeepRepeats(Repeats.NONE))),
        "identical_raters": (_either_twin,),
        **dict.fromkeys(("looks_like_consensus", "perhaps_known"), (_consensus,)),
        "known_answers_beside": (_known_answers, _("It is something else")),
        "known_no_class": (_("Their answers are not known"),),
        "perhaps_no_rater": (_no_raters,),
        "reversed_rater": (_turn_round,),
        "rounds": (_one_round, _("All together")),
        "rows_of_questions": (_one_round, _("They repeat one question")),
        "personal_data": (_codes,),
        "persons_as_cases": (_NUMBER_CASES, _("Print them as they are")),
        **dict.fromkeys(_LOOKED_AT, (_RIGHT,)),
    }
)
"""By code of a finding what is offered: what is always the same, the words for leaving it as read, what names make."""


def fixes(finding: Finding, reading: Reading, now: Ratings) -> tuple[Fix, ...]:
    """What can be done about a finding.

    Parameters
    ----------
    finding
        What was noticed.
    reading
        The reading that noticed it.
    now
        The ratings with the decisions made so far, before class 1 is chosen.
    """
    case = _Case(finding, reading, now)
    made: list[Fix] = []
    for offer in _FIXES.get(finding.code, ()):
        if isinstance(offer, Fix):
            made.append(replace(offer, words=say(offer.words)))
        elif isinstance(offer, str):
            made.append(case.leave(say(offer)))
        else:
            made += offer(case)
    return tuple(made)
