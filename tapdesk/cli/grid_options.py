"""Options of groups and known answers in a fit: rows of the table of options (`options`), in a file for their number.

It stands alone because that table is as long as a file may be.
"""

from tapdesk.cli.option import EXACT, SAMPLING, Option, Scope, Topic
from tapdesk.models.model import GROUP_MODELS, MEMORY_MODELS, MODELS, ORDERED_MODELS

_BY_RATER = tuple(m.name for m in (*MODELS, *GROUP_MODELS, *ORDERED_MODELS) if m.by_rater and m.truth.free)
_REPEATED = ("t-aj-p", "t-aj-pj", *(m.name for m in MEMORY_MODELS))
_OF_ORDER = ("t-a-p", "t-aj-p", "t-aj-pj")
GRID: tuple[Option, ...] = (
    Option(
        ("--by",), Topic.ESTIMATION, "the column of the groups: of models of groups, such as tg-a-p; with other models "
        "alone each group is fitted by itself", (Scope(("fit",)),), metavar="COL",
    ),
    Option(
        ("--occasion",), Topic.ESTIMATION, "the column that orders the ratings of a case by one rater: may a repeat "
        "be a copy of the answer before?", (Scope(("fit",), model=_REPEATED, method=(EXACT,)),), metavar="COL",
    ),
    Option(
        ("--drift",), Topic.ESTIMATION, "the column of the date or number of each rating: did accuracy change along "
        "that order?", (Scope(("fit",), model=_OF_ORDER, method=(EXACT,)),), metavar="COL",
    ),
    Option(
        ("--pool",), Topic.ESTIMATION, "raters come from one population: those with few ratings are drawn towards "
        "the others", (Scope(("fit",), model=("t-aj-p", "tg-aj-p"), method=(SAMPLING,)),), takes="flag",
        default=False,
    ),
    Option(
        ("--known-use",), Topic.ESTIMATION,
        "what the known answers are for the numbers: certain, one more rater, or only set beside; default: certain",
        (
            Scope(("fit",), method=(EXACT, SAMPLING), values=("certain", "beside")),
            Scope(("fit",), model=_BY_RATER, method=(EXACT, SAMPLING), values=("rater",)),
        ), choices=("certain", "rater", "beside"),
    ),
    Option(
        ("--known-informs-t",), Topic.ESTIMATION,
        "use the known answers as certain; yes if their cases are a random part of all; default: no",
        (Scope(("fit",), method=(EXACT, SAMPLING), needs=("no --known-use rater", "no --known-use beside")),),
        choices=("yes", "no"),
    ),
)  # fmt: skip
