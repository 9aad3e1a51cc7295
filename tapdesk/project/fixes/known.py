"""What can be done about what may be known answers, or a summary, and no rater."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from tapdesk.language import gettext as _
from tapdesk.project.decisions.ratings import LeaveOutRaters, LeaveOutSubjects
from tapdesk.project.fixes.fix import MOST, Case, Fix, Offer, leave_out, read_again, still_there
from tapdesk.ratings.findings import label_text
from tapdesk.ratings.options import Layout


def _known_answers(case: Case) -> Iterator[Fix]:
    """A column, or a rater, that may hold what is known to be true of the cases."""
    for name in case.names[:1]:
        if name in case.reading.preview.header or case.finding.code == "summary_rater":
            yield read_again(_("“{name}” is the known answer").format(name=label_text(name)), known=name, columns=None)


def _consensus(case: Case) -> Iterator[Fix]:
    """A rater who follows the majority."""
    if case.layout is Layout.RATERS and case.raters():
        yield from _known_answers(case)
    for name in case.raters():
        yield leave_out(LeaveOutRaters((name,)))
        yield case.leave(_("Keep as a rater"))


def _summary(case: Case) -> Iterator[Fix]:
    """A summary posing as a rater or case, wherever the layout has put it."""
    code, transposed = case.finding.code, case.layout is Layout.SUBJECTS
    cases, raters = still_there(case.names, case.now.subjects), case.raters()
    if code in {"summary_column", "known_answers"}:
        cases, raters = cases if transposed else (), raters if case.layout is Layout.RATERS else ()
    elif code == "summary_rater":
        cases = ()
    elif not transposed:
        raters = ()
    if raters:
        known = tuple(_known_answers(case)) if code == "summary_rater" or case.layout is Layout.RATERS else ()
        # A mean is hardly ever the truth; a column that is called so may be.
        yield from () if code == "summary_column" else known
        yield leave_out(LeaveOutRaters(raters, with_classes=True))
        yield case.leave(_("It rated like the others"))
        yield from known if code == "summary_column" else ()
    elif cases:
        yield leave_out(LeaveOutSubjects(cases, with_classes=True))
        yield case.leave(_("It is no summary"))
    elif code == "summary_column" and case.layout in {Layout.COUNTS, Layout.CONFUSION}:
        columns = tuple(c for c in case.reading.source.rating_columns if c not in case.names)
        if len(columns) > 1:
            yield read_again(_("Leave the column out"), columns=columns)


def _key_sheet(case: Case) -> Iterator[Fix]:
    """A sheet with an answer for each case: what is known, one more rater, or neither."""
    (sheet,), answers = case.finding.about
    if len(answers) < 2:
        words = _("The sheet “{name}” holds the known answers").format(name=label_text(sheet))
        yield read_again(words, known_sheet=sheet)
    else:
        for answer in answers[: MOST - 2]:
            words = _("“{answer}” on the sheet “{name}” is the known answer").format(
                answer=label_text(answer), name=label_text(sheet)
            )
            yield read_again(words, known_sheet=sheet, known=answer)
    if len(answers) == 1 and case.layout in {Layout.RATERS, Layout.LONG}:
        yield read_again(_("The sheet “{name}” is a rater").format(name=label_text(sheet)), rater_sheet=sheet)
    # Where it knows the questions one by one, it is asked about once for all of them.
    yield replace(case.leave(_("Neither: leave it out")), everywhere=not answers)


def _written_otherwise(case: Case) -> Iterator[Fix]:
    """Known answers that are written otherwise than the raters write them."""
    pairs = tuple((old, new) for old, new in case.finding.about if new in case.now.classes)
    if pairs:
        sentences = (_("{old} as {new}").format(old=label_text(old), new=label_text(new)) for old, new in pairs[:3])
        words = _("Read {pairs}").format(pairs=", ".join(sentences))
        yield read_again(words, known_as=(*case.reading.asked.known_as, *pairs))


def _class_of_known(case: Case) -> Iterator[Fix]:
    """A known answer that is no class: the classes it may mean."""
    for text in case.names[:1]:
        for label in case.now.classes[: MOST - 1] if len(case.now.classes) < MOST else ():
            words = _("Read {old} as {new}").format(old=label_text(text), new=label_text(label))
            yield read_again(words, known_as=(*case.reading.asked.known_as, (text, label)))


KNOWN: Mapping[str, tuple[Offer, ...]] = MappingProxyType(
    {
        **dict.fromkeys(("summary_column", "summary_row", "summary_rater", "known_answers"), (_summary,)),
        **dict.fromkeys(("looks_like_consensus", "perhaps_known"), (_consensus,)),
        "known_answers_beside": (_known_answers, _("It is something else")),
        "known_no_class": (_class_of_known, _("Their answers are not known")),
        "known_written_otherwise": (_written_otherwise, _("Their answers are not known")),
        "known_by": (Fix(_("Write it…"), place="known_by"), _("Not known")),
        "key_sheet": (_key_sheet,),
    }
)
"""By code of a finding about known answers and summaries what is offered."""
