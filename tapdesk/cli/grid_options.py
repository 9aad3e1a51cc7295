"""Options of groups and known answers in a fit: rows of the table of options (`options`), in a file for their number.

It stands alone because that table is as long as a file may be.
"""

from dataclasses import replace
from functools import partial

from tapdesk.cli.option import EXACT, FILES, PROJECT, SAMPLING, Option, Scope, Topic
from tapdesk.models.model import GROUP_MODELS, MEMORY_MODELS, MODELS, ORDERED_MODELS, POOLED

_BY_RATER = tuple(m.name for m in (*MODELS, *GROUP_MODELS, *ORDERED_MODELS) if m.by_rater and m.truth.free)
_REPEATED = ("t-aj-p", "t-aj-pj", *(m.name for m in MEMORY_MODELS))
_OF_ORDER = ("t-a-p", "t-aj-p", "t-aj-pj")
# A report makes an analysis where the project holds none.
_REPORTED = (*FILES, PROJECT)


def _cells(
    *method: str, model: tuple[str, ...] = (), needs: tuple[str, ...] = (), values: tuple[str, ...] = ()
) -> tuple[Scope, ...]:
    """The cells of an option of a fit, whether it is printed or reported."""
    return (
        Scope(("fit",), model=model, method=method, needs=needs, values=values),
        Scope(("report",), model=model, method=method, needs=needs, values=values, format=_REPORTED),
    )


_RATER = _cells(EXACT, SAMPLING, model=_BY_RATER, values=("rater",))
_CERTAIN = ("no --known-use rater", "no --known-use beside")
_DRAWN = partial(Scope, ("figure",), method=(EXACT, SAMPLING))
GRID: tuple[Option, ...] = (
    Option(
        ("--by",), Topic.ESTIMATION, "the column of the groups: of models of groups, such as tg-a-p; with other models "
        "alone each group is fitted by itself", (Scope(("fit",)),), metavar="COL",
    ),
    Option(
        ("--occasion",), Topic.ESTIMATION, "the column that orders the ratings of a case by one rater: may a repeat "
        "be a copy of the answer before? With --awards: when it was given",
        (*_cells(EXACT, model=_REPEATED), Scope(("report",), needs=("--awards",))), metavar="COL",
    ),
    Option(
        ("--drift",), Topic.ESTIMATION, "the column of the date or number of each rating: did accuracy change along "
        "that order?", _cells(EXACT, model=_OF_ORDER), metavar="COL",
    ),
    Option(
        ("--pool",), Topic.ESTIMATION, "raters come from one population: those with few ratings are drawn towards "
        "the others", _cells(SAMPLING, model=POOLED), takes="flag", default=False,
    ),
    Option(
        ("--known-use",), Topic.ESTIMATION,
        "what the known answers are for the numbers: certain, one more rater, or only set beside; default: certain",
        (
            *_cells(EXACT, SAMPLING, values=("certain", "beside")),
            _RATER[0],
            replace(_RATER[1], format=FILES, needs=("no --each",)),
            _DRAWN(values=("certain", "beside"), needs=("no --kind list",)),
            _DRAWN(values=("rater",), needs=("no --kind list",), model=_BY_RATER),
        ), choices=("certain", "rater", "beside"),
    ),
    Option(
        ("--known-informs-t",), Topic.ESTIMATION,
        "use the known answers as certain; yes if their cases are a random part of all; default: no",
        (
            *_cells(EXACT, SAMPLING, needs=_CERTAIN),
            _DRAWN(needs=(*_CERTAIN, "no --kind list")),
        ), choices=("yes", "no"),
    ),
)  # fmt: skip
