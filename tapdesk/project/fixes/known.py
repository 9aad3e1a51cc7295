"""What can be done about what may be known answers, or a summary, and no rater.

It stands alone because what is known is no part of the ratings.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tapdesk.language import gettext as _
from tapdesk.project.decisions.ratings import LeaveOutRaters, LeaveOutSubjects
from tapdesk.project.fixes.fix import Case, Fix, Offer, leave_out, read_again, still_there
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
        if code == "summary_rater" or (code in {"known_answers", "summary_column"} and case.layout is Layout.RATERS):
            yield from _known_answers(case)
        yield leave_out(LeaveOutRaters(raters, with_classes=True))
        yield case.leave(_("It rated like the others"))
    elif cases:
        yield leave_out(LeaveOutSubjects(cases, with_classes=True))
        yield case.leave(_("It is no summary"))
    elif code == "summary_column" and case.layout in {Layout.COUNTS, Layout.CONFUSION}:
        columns = tuple(c for c in case.reading.source.rating_columns if c not in case.names)
        if len(columns) > 1:
            yield read_again(_("Leave the column out"), columns=columns)


KNOWN: Mapping[str, tuple[Offer, ...]] = MappingProxyType(
    {
        **dict.fromkeys(("summary_column", "summary_row", "summary_rater", "known_answers"), (_summary,)),
        **dict.fromkeys(("looks_like_consensus", "perhaps_known"), (_consensus,)),
        "known_answers_beside": (_known_answers, _("It is something else")),
        "known_no_class": (_("Their answers are not known"),),
    }
)
"""By code of a finding about known answers and summaries what is offered."""
