"""Looking at one analysis or another, and having more of them: what the window does to its desk for that."""

from dataclasses import replace

from tapdesk.gui.desk import Desk
from tapdesk.gui.keeping.opening import plan_of
from tapdesk.gui.running import several
from tapdesk.gui.running.questions import label_of
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
    name = several.another(desk.plan, analyses)
    request = desk.effective.request()
    desk.plan = replace(desk.plan, label=label_of(name))
    desk.document.set_analyses((*analyses, Analysis(name, request)), name)


def rename(desk: Desk, label: str) -> str:
    """Give the analysis that is looked at another label; the reason where that cannot be, else nothing."""
    analysis, analyses = desk.document.analysis, desk.document.project.analyses
    if analysis is None:
        return ""
    name, reason = several.renamed(analysis.name, label, analyses)
    if not reason and name != analysis.name:
        if desk.plan.name == analysis.name:
            desk.plan = replace(desk.plan, label=label_of(name))
        desk.document.set_analyses(tuple(replace(a, name=name) if a is analysis else a for a in analyses), name)
    return reason


def remove(desk: Desk) -> None:
    """Remove the analysis that is looked at, with its answer."""
    analysis = desk.document.analysis
    left = tuple(a for a in desk.document.project.analyses if a is not analysis)
    if left:
        desk.plan = plan_of(left[-1])
    desk.document.set_analyses(left, left[-1].name if left else "")
