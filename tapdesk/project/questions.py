"""The questions a committee can ask, by the keys that project files keep; what is shown is looked up here."""

from collections.abc import Mapping
from types import MappingProxyType

from tapdesk.language import gettext as _

BETWEEN = " \N{EN DASH} "
"""What stands between a question and the label of an analysis."""

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "knowledge": _("How much of the agreement is knowledge, how much luck?"),
        "raters": _("Who differs?"),
        "cases": _("How sure is each case?"),
        "lines": _("Which grade line is hardest?"),
        "classes": _("Is one answer easier than the others?"),
        "enough": _("Do we have enough data?"),
    }
)
"""The title of each question by its key; a key is never changed or used again, for files hold it."""


def name_of(question: str, label: str) -> str:
    """What an analysis is called: the title of its question, and its label behind it.

    Parameters
    ----------
    question
        Key of the question; empty for an analysis that has a name of its own. One that this version does not know
        stands for itself.
    label
        What tells the analysis from others of the same question.
    """
    title = TITLES.get(question, question)
    return f"{title}{BETWEEN}{label}" if title and label else title or label
