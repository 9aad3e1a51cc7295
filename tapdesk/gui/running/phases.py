"""The phases of a run and the pictures that fill in meanwhile, in words."""

from tapdesk.gui.look.icons import State
from tapdesk.language import gettext as _
from tapdesk.progress import Step
from tapdesk.report import numbers

# Of each estimator: its phases, their words, and the share of the bar at which each ends; re-draws take the time, where
# any are made.
PHASES: dict[str, dict[str, tuple[str, float]]] = {
    "exact-em": {
        "fit": (_("Find the best fit"), 0.15),
        "check": (_("Check that the answer is one answer"), 0.2),
        "intervals": (_("Intervals"), 0.4),
        "re-draws": (_("Re-draw the cases"), 1.0),
    },
    "exact-em-once": {
        "fit": (_("Find the best fit"), 0.3),
        "check": (_("Check that the answer is one answer"), 0.4),
        "intervals": (_("Intervals"), 1.0),
    },
    "moment-em": {"fit": (_("Find the best fit"), 0.95), "check": (_("Check the answer"), 1.0)},
    "posterior": {"posterior": (_("Find what to believe"), 0.98), "check": (_("Check the answer"), 1.0)},
}
REDRAWN = _("Distributions of the numbers over the re-draws")
ALIASES = {"sampling": "posterior"}
SETTLING = (_("Is it settling?"), _("one line per start; they should meet at the top"))
AGREEING = (_("Do the chains agree?"), _("one line per chain; they should cover each other"))
MOVING = (_("How far would the numbers move?"), _("re-draws of the cases"))
BELIEF = (_("What do the data say?"), _("draws from the posterior"))
ENDS = (_("How sure are the numbers?"), _("intervals, when the run has ended"))


def counted(name: str, step: Step | None, state: State) -> str:
    """The end of a phase's line: how much of it there is, or is done."""
    if step is None or step.total <= 1:
        return ""
    total = numbers.count(step.total)
    if state is not State.DONE:
        return _("{done} of {total}").format(done=numbers.count(step.done), total=total)
    notes = {"fit": _("{total} starts").format(total=total), "re-draws": _("{total} re-draws").format(total=total)}
    return notes.get(name, "")
