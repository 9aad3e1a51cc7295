"""The section of analyses that stand side by side.

It stands alone because no other section is made of what a project keeps for its report.
"""

from tapdesk.answers import what_if_kept as words
from tapdesk.language import gettext as _
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context


def what_if(context: Context) -> Section | None:
    """What was put side by side; None where nothing was."""
    if context.ratings is None:
        return None
    blocks = words.section(context.project, context.style)
    return Section("what_if", _("What if"), (*blocks, *context.comment("what_if"))) if blocks else None
