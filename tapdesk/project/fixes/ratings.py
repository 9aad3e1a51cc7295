"""What can be done about the ratings as they were read: their classes, raters and cases."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from tapdesk.language import gettext as _
from tapdesk.language import say
from tapdesk.project.bands import bands_of_ranks, usual_bands
from tapdesk.project.decisions.base import Decision
from tapdesk.project.decisions.classes import (
    CountAsAbstention,
    MergeClasses,
    RenameClass,
    ReorderClasses,
    SetClass1,
    TreatAsMissing,
)
from tapdesk.project.decisions.names import FlipRater, JoinRaters, JoinSubjects, NumberCases, letter_codes
from tapdesk.project.decisions.ratings import KeepRepeats, KeepWhere, LeaveOutRaters, LeaveOutSubjects, Repeats
from tapdesk.project.fixes.fix import MOST, RIGHT, Case, Fix, Offer, leave_out, name_list, read_again, still_there
from tapdesk.ratings.checks.units import in_unit, mixed_units
from tapdesk.ratings.findings import label_text
from tapdesk.ratings.label_sets import EVERY_LABEL, NO_LABEL, label_sets
from tapdesk.ratings.options import Layout
from tapdesk.ratings.texts import two_numbers


def _write_as(old: str, new: str, decision: Decision) -> Fix:
    return Fix(_("Write {old} as {new}").format(old=label_text(old), new=label_text(new)), decision)


def _without_nameless_rows(case: Case) -> Iterator[Fix]:
    """Rows with ratings and no case, as sums below a table are."""
    rows = still_there(case.names, case.now.subjects)
    if rows and len(rows) < case.now.subject_count:
        yield leave_out(LeaveOutSubjects(rows, with_classes=True))


def _merge(case: Case) -> Iterator[Fix]:
    """Names that are perhaps one class."""
    group = still_there(case.names, case.now.classes)
    if len(group) > 1 and len(case.finding.about) > 1:
        into = next((name for name in case.names if name == name.strip()), group[0])
        together = MergeClasses(((into, case.names),))
        # A question that knows only one of them writes it so as well, for the counted class is one of all questions.
        words = _("Write “{name}” in every question").format(name=label_text(into))
        yield Fix(words, together, everywhere=True)
        yield Fix(_("Merge in this question only"), MergeClasses(((into, group),)))
        yield replace(case.leave(_("Keep apart")), everywhere=True)
    elif len(group) > 1:
        # Where one of them is the other without outer blanks, that is the name to keep.
        into = next((name for name in group if name == name.strip()), group[0])
        yield Fix(_("Merge as “{name}”").format(name=label_text(into)), MergeClasses(((into, group),)))
        yield case.leave(_("Keep apart"))


def _merge_labels(case: Case) -> Iterator[Fix]:
    """Values that stand beside their own labels."""
    pairs = [pair for pair in case.finding.about if len(still_there(pair, case.now.classes)) == len(pair)]
    if pairs:
        merged = MergeClasses(tuple((label, (label, value)) for label, value in pairs))
        yield Fix(_("Merge each value with its label"), merged)
        yield case.leave(_("Keep apart"))


def _other_mark(case: Case) -> Iterator[Fix]:
    """Numbers with the other decimal mark, one by one."""
    here = [(old, new) for old, new in case.finding.about if old in case.now.classes]
    for old, new in here[: MOST - 1]:
        there = new in case.now.classes
        yield _write_as(old, new, MergeClasses(((new, (new, old)),)) if there else RenameClass(old, new))
    if here:
        yield case.leave(_("Keep as answers"))


def _code_of_form(case: Case) -> Iterator[Fix]:
    """A code of several questions of a form: asked once, answered for all of them, or otherwise for this one."""
    (code,), names, every = case.finding.about
    leave = replace(case.leave(""), everywhere=True)
    all_of_them = {"n": len(names)}
    if case.finding.code == "missing_codes":
        rest = tuple(other for other in every if other != code)
        yield replace(leave, words=_("No rating in all {n} questions").format(**all_of_them))
        yield read_again(_("An answer in all {n} questions").format(**all_of_them), missing=rest)
        own = case.reading.options
        name = own.only or own.sheet or ""
        here = case.reading.asked.with_missing_of(name, tuple(c for c in own.missing or () if c != code))
        yield read_again(_("An answer in “{name}” only").format(name=label_text(name)), of_questions=here.of_questions)
        return
    there = code in case.now.classes and len(case.now.classes) > 1
    if there:
        gone = TreatAsMissing((code,))
        yield Fix(_("No rating in all {n} questions").format(**all_of_them), gone, everywhere=True)
        yield Fix(_("No rating in this question only"), gone)
    yield replace(leave, words=_("An answer in all {n} questions").format(**all_of_them))


def _missing_codes(case: Case) -> Iterator[Fix]:
    """Codes that are read as no rating."""
    if len(case.finding.about) > 1:
        yield from _code_of_form(case)
        return
    yield case.leave(_("They mean no rating"))
    yield read_again(_("They are answers"), missing=())


_CODES_OF_FORM = frozenset({"maybe_missing_word", "maybe_missing_number", "numbers_among_words"})


def _no_rating(case: Case) -> Iterator[Fix]:
    """Texts that are perhaps no rating, or a slip for another one."""
    if len(case.finding.about) > 1 and case.finding.code in _CODES_OF_FORM:
        yield from _code_of_form(case)
        return
    labels = still_there(case.names, case.now.classes)
    if set(labels) <= {case.now.classes[i] for i in case.now.empty_classes}:
        return
    meant = [(old, new) for old in labels for new in _perhaps_meant(case, old)]
    for old, new in meant[: MOST - 2]:
        yield _write_as(old, new, MergeClasses(((new, (new, old)),)))
    if labels and len(labels) < len(case.now.classes):
        why = _("turned into a date") if case.finding.code == "dates_among_ratings" else ""
        yield Fix(_("Count as no rating"), TreatAsMissing(labels, why))
        if case.finding.code == "maybe_missing_word" and len(case.now.classes) - len(labels) > 1:
            yield Fix(_("An abstention: they looked and could not say"), CountAsAbstention(labels))
    if labels:
        yield case.leave(_("Keep as answers"))


def _perhaps_meant(case: Case, text: str) -> tuple[str, ...]:
    """What was perhaps typed where a date or a number far outside stands now; only answers that others gave count."""
    known = case.now.classes
    if case.finding.code == "far_value" and len(text) == 2 and text[0] == text[1]:
        return still_there((text[0],), known)
    if case.finding.code != "dates_among_ratings":
        return ()
    numbers = two_numbers(text)
    pairs = () if numbers is None else (numbers, numbers[::-1])
    # A half point 3,5 becomes the third of May, and 3-4 the third of April.
    marks = (case.reading.source.decimal or ".", ".", ",", "-", "/")
    typed = (still_there(dict.fromkeys(f"{a}{mark}{b}" for a, b in pairs), known) for mark in marks)
    return next((texts for texts in typed if texts), ())


def _labels_of_sets(case: Case) -> Iterator[Fix]:
    """Sets of labels: one yes/no question for each of the most frequent labels."""
    sets = label_sets(case.now.classes)
    if sets is None:
        return
    if case.reading.missing_by.get(""):
        yield read_again(_("A blank cell: no label applies"), blank=NO_LABEL)
    if len(sets.labels) > 1:
        yield read_again(_("Ask about each label, yes or no"), label=EVERY_LABEL)
    for label in sets.labels[: MOST - 2]:
        inside = tuple(case.now.classes[i] for i in sets.with_label(label))
        if len(inside) < len(case.now.classes):
            yield Fix(_("Ask about “{label}”, yes or no").format(label=label_text(label)), SetClass1(inside))


def _blank_labels(case: Case) -> Iterator[Fix]:
    """Blank cells among sets of labels: asked once, for all labels."""
    yield read_again(_("A blank cell: no label applies"), blank=NO_LABEL)
    yield replace(case.leave(_("Nobody rated there")), everywhere=True)


def _order(case: Case) -> Iterator[Fix]:
    """Classes without a known order."""
    yield Fix(_("Choose the order"), place="categories")
    yield Fix(_("This order is right"), ReorderClasses(case.now.classes))
    if len(case.now.classes) > 2:
        yield Fix(_("No order"), ReorderClasses(case.now.classes, ordered=False))


def _join(case: Case) -> Iterator[Fix]:
    """Raters or cases with nearly one name."""
    raters = case.finding.code == "similar_rater_names"
    groups = [
        still_there(group, case.now.raters if raters else case.now.subjects) for group in case.finding.about[:MOST]
    ]
    several = [names for names in groups if len(names) > 1]
    for names in several:
        joined = JoinRaters(names, names[0]) if raters else JoinSubjects(names, names[0])
        yield Fix(_("Join {names}").format(names=name_list(names)), joined)
    if several:
        yield case.leave(_("They are different"))


def _columns_of_one_rater(case: Case) -> Iterator[Fix]:
    """Columns of one name."""
    if case.layout is Layout.RATERS:
        for group in case.finding.about[:MOST]:
            names = still_there(group, case.now.raters)
            if len(names) > 1:
                yield Fix(_("“{name}” is one rater").format(name=label_text(names[0])), JoinRaters(names, names[0]))


def _either_twin(case: Case) -> Iterator[Fix]:
    """Two raters with the same answers."""
    pair = case.raters()
    if len(pair) > 1:
        for name in reversed(pair):
            yield leave_out(LeaveOutRaters((name,)))
        yield case.leave(_("Keep both"))


def _no_raters(case: Case) -> Iterator[Fix]:
    """Columns that share the scale of the raters."""
    names = case.raters()
    if names and len(names) < len(case.now.raters):
        yield leave_out(LeaveOutRaters(names, with_classes=True))
        yield case.leave(_("Keep as a rater") if len(names) == 1 else _("Keep as raters"))


def _turn_round(case: Case) -> Iterator[Fix]:
    """A rater with the scale upside down."""
    for name in case.raters():
        yield Fix(_("Turn the scale round for {name}").format(name=label_text(name)), FlipRater(name))
        yield case.leave(_("Keep as it is"))


def _one_round(case: Case) -> Iterator[Fix]:
    """Rounds told apart by a column."""
    if len(case.finding.about) == 2:
        (column,), values = case.finding.about
        if column in case.now.covariates:
            for value in values[:MOST]:
                yield Fix(_("Only “{value}”").format(value=label_text(value)), KeepWhere(column, (value,)))


def _questions_in_rows(case: Case) -> Iterator[Fix]:
    """Questions told apart by a column: all of them, each by itself, or one alone."""
    if len(case.finding.about) == 2:
        (column,), values = case.finding.about
        # All rows together told the layout: those of one question alone may look like something else.
        roles = {"layout": case.layout, "subject": case.reading.options.subject}
        yield read_again(_("They are {n} questions").format(n=len(values)), question=column, **roles)
    yield from _one_round(case)


def _codes(case: Case) -> Iterator[Fix]:
    """Columns about persons."""
    named = {n for group in case.finding.about for n in group}
    if case.reading.source.roles.get("subject") in named:
        yield _NUMBER_CASES
    if case.now.raters_known and case.reading.source.roles.get("rater") in named:
        yield Fix(_("Call the {raters} A, B, C").format(), letter_codes(case.now.raters))


_OWN_CUTS = Fix(_("Cut points of your own…"), place="bands")


def _steps(case: Case) -> Iterator[Fix]:
    """Cut points of one's own, equal steps, and one cut in the middle, each told by where it cuts."""
    usual = tuple(usual_bands(case.now, case.reading.source.decimal or "."))
    if usual:
        yield replace(_OWN_CUTS, words=say(_OWN_CUTS.words))
        yield from (Fix(words, decision) for words, decision in usual)
        yield case.leave(_("Keep every score"))


def _one_unit(case: Case) -> Iterator[Fix]:
    """All amounts in one of the units they were written in."""
    amounts = mixed_units(case.now.classes, case.reading.source.decimal or ".")
    for unit in dict.fromkeys(a.unit for a in amounts):
        yield Fix(_("Write all in {unit}").format(unit=label_text(unit)), MergeClasses(in_unit(amounts, unit)))
    yield case.leave(_("Each is an answer of its own"))


def _rank_bands(case: Case) -> Iterator[Fix]:
    """The first few of those that were ranked, or cut points of one's own."""
    for words, decision in bands_of_ranks(case.now, case.reading.source.decimal or "."):
        yield Fix(words, decision)
    yield replace(_OWN_CUTS, words=say(_OWN_CUTS.words))


_NUMBER_CASES = Fix(_("Call the cases Case 1, Case 2"), NumberCases())
_REPEATS = (
    Fix(_("Keep as repeats"), KeepRepeats(Repeats.ALL)),
    Fix(_("Only the first counts"), KeepRepeats(Repeats.FIRST)),
    Fix(_("Only the last counts"), KeepRepeats(Repeats.LAST)),
)
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

RATINGS: Mapping[str, tuple[Offer, ...]] = MappingProxyType(
    {
        "missing_codes": (_missing_codes,),
        "case_without_name": (_without_nameless_rows, _("They are cases")),
        **dict.fromkeys(("look_alikes", "case_space_variants", "same_number", "same_meaning"), (_merge,)),
        "remark_behind": (_merge,),
        "label_and_value": (_merge_labels,),
        "other_decimal_mark": (_other_mark,),
        **dict.fromkeys(_TEXTS, (_no_rating,)),
        "continuous_scores": (_steps,),
        "mixed_units": (_one_unit,),
        "ranks": (_rank_bands, _("Read the ranks as they are")),
        "order_unknown": (_order,),
        "blank_among_labels": (_blank_labels,),
        "sets_of_labels": (_labels_of_sets, _("Each set is a class")),
        **dict.fromkeys(("similar_rater_names", "similar_case_names"), (_join,)),
        "duplicate_column_names": (_columns_of_one_rater, _("They are different")),
        "repeats_same": _REPEATS,
        "repeats_different": (*_REPEATS, Fix(_("Leave out"), KeepRepeats(Repeats.NONE))),
        "identical_raters": (_either_twin,),
        "perhaps_no_rater": (_no_raters,),
        "reversed_rater": (_turn_round,),
        "rounds": (_one_round, _("All together")),
        "rows_of_questions": (_questions_in_rows, _("They repeat one question")),
        "personal_data": (_codes,),
        "persons_as_cases": (_NUMBER_CASES, _("Print them as they are")),
        **dict.fromkeys(_LOOKED_AT, (RIGHT,)),
    }
)
"""By code of a finding about ratings what is offered."""
