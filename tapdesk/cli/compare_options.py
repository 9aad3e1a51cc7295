"""Options of `tapdesk compare`: rows of the table of options (`options`), in a file for their number.

It stands alone because that table is as long as a file may be.
"""

from tapdesk.cli.option import Option, Scope, Topic
from tapdesk.models.model import GRID_MODELS, MODELS

_ONLY = (Scope(("compare",)),)
_NAMES = tuple(row.name for row in (*MODELS, *GRID_MODELS))
_ALONE = ("--without", "--least-accuracy", "--without-group", "--merge", "--undo", "--other-model")


def _otherwise(name: str) -> tuple[Scope, ...]:
    """One thing is otherwise at a time, and then there is no other file."""
    return (Scope(("compare",), needs=("no OTHER", *(f"no {other}" for other in _ALONE if other != name))),)


COMPARE: tuple[Option, ...] = (
    Option(
        ("--compare",), Topic.REPORT, "put another file beside this one: what changed, by more than chance? Named "
        "again for each further round, in the order of time",
        (Scope(("report",), needs=("no --each",)),), metavar="OTHER", several=True, default=(),
    ),
    Option(
        ("OTHER",), Topic.SUBJECT, "one or more other files, in the order of time: each is read and decided as FILE",
        _ONLY, several=True, default=(), metavar="OTHER",
    ),
    Option(
        ("--without",), Topic.ESTIMATION, "what if these raters were left out?", _otherwise("--without"), takes="list",
        metavar="RATER[,RATER…]", default=(),
    ),
    Option(
        ("--least-accuracy",), Topic.ESTIMATION, "what if only raters with an accuracy of at least A counted?",
        _otherwise("--least-accuracy"), takes="share", metavar="A",
    ),
    Option(
        ("--without-group",), Topic.ESTIMATION,
        "what if the ratings with this value in a further column were left out?",
        _otherwise("--without-group"), takes="filter", metavar='"COL=VALUE"',
    ),
    Option(
        ("--merge",), Topic.ESTIMATION, "what if these classes were one?", _otherwise("--merge"), takes="list",
        metavar='"A,B"', default=(),
    ),
    Option(
        ("--undo",), Topic.ESTIMATION, "what if this decision of a project, by its number, were taken back?",
        _otherwise("--undo"), takes="subjects", metavar="N",
    ),
    Option(
        ("--other-model",), Topic.ESTIMATION, "what if this model were asked?", _otherwise("--other-model"),
        choices=_NAMES,
    ),
    Option(
        ("--model",), Topic.ESTIMATION, "the model of both; default: that of the project, else t-a-p", _ONLY,
        choices=_NAMES,
    ),
    Option(
        ("--by",), Topic.ESTIMATION, "the column of the groups, of a model of groups such as tg-a-p",
        (Scope(("compare",), needs=("--model | --other-model",)),), metavar="COL",
    ),
    Option(
        ("--smallest-change",), Topic.ESTIMATION,
        "the smallest change that matters: without it only yes and cannot tell are said",
        (*_ONLY, Scope(("report",), needs=("--compare",))), takes="share",
        metavar="X",
    ),
    Option(
        ("--replicates",), Topic.ESTIMATION, "how often cases that both have are drawn again; default: {default}",
        _ONLY, takes="replicates", metavar="N", default=1000,
    ),
)  # fmt: skip
