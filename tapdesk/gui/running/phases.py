"""The phases of a run and the pictures that fill in meanwhile, in words."""

from tapdesk.language import gettext as _

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
