"""Looking at one analysis or another, and having more of them: what the window does to its desk for that."""

from dataclasses import replace

from tapdesk.gui.desk import Desk
from tapdesk.gui.keeping.opening import plan_of
from tapdesk.gui.running import several
from tapdesk.project.project import Analysis


def look_at(desk: Desk, name: str) -> None:
    """Look at another analysis: its choices and its results."""
    wanted = next((a for a in desk.document.project.analyses if a.name == name), None)
    if wanted is not None:
        desk.plan = plan_of(wanted)
        desk.document.look_at(name)


def duplicate(desk: Desk) -> None:
    """Add an analysis with the choices as they stand, to be changed and run beside the first."""
    if desk.plan.named.unreadable:
        return
    analyses = desk.document.project.analyses
    label = several.another(desk.plan, analyses)
    new = Analysis(label, desk.effective.request(), question=desk.plan.question.key)
    desk.plan = replace(desk.plan, label=label)
    desk.document.set_analyses((*analyses, new), new.name)


def rename(desk: Desk, label: str) -> str:
    """Give the analysis that is looked at another label; the reason where that cannot be, else nothing."""
    analysis, analyses = desk.document.analysis, desk.document.project.analyses
    if analysis is None:
        return ""
    new, reason = several.relabel(analysis, label, analyses)
    if not reason and new.name != analysis.name:
        if desk.plan.name == analysis.name:
            desk.plan = replace(desk.plan, label=new.label)
        desk.document.set_analyses(tuple(new if a is analysis else a for a in analyses), new.name)
    return reason


def remove(desk: Desk) -> None:
    """Remove the analysis that is looked at, with its answer."""
    analysis = desk.document.analysis
    left = tuple(a for a in desk.document.project.analyses if a is not analysis)
    if left:
        desk.plan = plan_of(left[-1])
    desk.document.set_analyses(left, left[-1].name if left else "")
