"""The hypotheses about members of the grid that lie on an edge, or beside the family: what grid tests ask.

It stands alone because `tapdesk.models` knows no hypotheses, and studies of them need no fit.
"""

from dataclasses import replace

from tapdesk.language import gettext as _
from tapdesk.models.model import CASE_MODELS, NEAR_MODELS, Accuracy, Cases, Ordered, RaterModel, model
from tapdesk.studies.likelihood_ratio import Nested

_NO_DIFFICULTY = "no-difficulty"
_ORDER = "order"


def no_difficulty(row: RaterModel | None = None) -> Nested:
    """The hypothesis that cases do not differ; it lies on an edge, so its statistic has no known law.

    Parameters
    ----------
    row
        A model of cases that are harder for raters who differ; by default no case is beyond everybody.
    """
    if row is not None and row.cases is Cases.DIFFICULTY:
        plain = replace(model(row.name.replace("aij", "aj")), key=row.key)
        return Nested(_NO_DIFFICULTY, row, plain, _("All {subjects} are equally hard: no {rater} finds some harder."))
    hard = next(one for one in CASE_MODELS if one.cases is Cases.HARD)
    return Nested(_NO_DIFFICULTY, hard, model("t-a-p"), _("All {subjects} are equally hard: none is beyond everybody."))


def no_near_misses() -> Nested:
    """The hypothesis that misses are guesses all; it lies on an edge, so its statistic has no known law."""
    about = _("{Ratings} that miss the truth fall next to it no oftener than guesses do.")
    return Nested("near-misses", model("t-an-p", NEAR_MODELS), model("t-a-p"), about)


def order_says_all(row: RaterModel) -> Nested:
    """The hypothesis that cut points along one order say which classes are taken for which, against any table of rates.

    Parameters
    ----------
    row
        A model of ordered classes.
    """
    if row.ordered is Ordered.NONE or row.accuracy is not Accuracy.NONE:
        raise ValueError("a model of ordered classes")
    about = _("Which classes are taken for which follows from cut points along their order.")
    return Nested(_ORDER, replace(model("dawid-skene"), key=row.key), row, about)
