"""Whether ratings that miss the truth fall next to it; it stands alone because `tapdesk.models` knows no hypotheses."""

from tapdesk.language import gettext as _
from tapdesk.models.model import NEAR_MODELS, model
from tapdesk.studies.likelihood_ratio import Nested


def no_near_misses() -> Nested:
    """The hypothesis that misses are guesses all; it lies on an edge, so its statistic has no known law."""
    about = _("Ratings that miss the truth fall next to it no oftener than guesses do.")
    return Nested("near-misses", model("t-an-p", NEAR_MODELS), model("t-a-p"), about)
