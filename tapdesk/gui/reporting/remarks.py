"""What is said about pages that are not as they should be."""

from tapdesk.answers.faults import listed
from tapdesk.gui.desk import Desk
from tapdesk.gui.look.icons import State
from tapdesk.gui.reporting.asking import MISSING
from tapdesk.gui.reporting.leaving import Action
from tapdesk.gui.reporting.work import Printed
from tapdesk.language import gettext as _


def remark(made: Printed, desk: Desk) -> tuple[str, State, Action | None] | None:
    """Words for the banner above the pages, their state, and what the banner offers; None where all is well."""
    names = "; ".join(made.names[:5])
    named = (
        _("Codes are on, but names still stand here, so the report cannot be saved: {names}.").format(names=names)
        if names
        else ""
    )
    if not made.report.faults:
        return (named, State.KNOW, None) if named else None
    # The dialog about a bug comes on request only: everything else of the report is there.
    bug = made.report.faults[0].error
    words = f"{MISSING.format(parts=listed(made.report.faults))} {named}".strip()
    return words, State.BLOCKED, (_("What failed…"), lambda: desk.bug.emit(bug))


def about(desk: Desk) -> str:
    """Whether the pages are made from an answer, and from one that still holds."""
    analysis = desk.document.analysis
    if analysis is None or analysis.fit is None:
        return _("Data quality only: run an analysis to add its answer")
    return (
        _("Made from results that are out of date") if desk.out_of_date else _("Made from results that are up to date")
    )
