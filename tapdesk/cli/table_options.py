"""The options about tables that are made: rating sheets, cleaned ratings, bands, awards; rows of `options`."""

from dataclasses import replace

from tapdesk.cli.option import ANSWERED, FILES, PROJECT, Option, Scope, Topic

_AWARDS = (Scope(("awards",)),)
_ON_PAPER = Scope(("report",), needs=("--awards",))
# Where it is known who gave which rating.
_OF_RATERS = ("long", "raters", "subjects", "questions", "questions-column")
_TOLD = (*_AWARDS, _ON_PAPER)
_OF_AWARDS: tuple[Option, ...] = (
    Option(
        ("--rule",), Topic.TABLE, "by which the committee gives its awards; default: of points mean, of classes median",
        tuple(replace(scope, needs=(*scope.needs, "no --wanted")) for scope in _TOLD),
        choices=("mean", "median", "trimmed", "borda", "majority"),
    ),
    Option(("--wanted",), Topic.TABLE, "of classes without an order the one that wins", _TOLD, metavar="NAME"),
    Option(
        ("--first",), Topic.TABLE, "tell the probability of being among so many best; default: 1, 3 and 10",
        _TOLD, takes="subjects", metavar="M",
    ),
    Option(
        ("--occasion",), Topic.ESTIMATION, "the column that says when a rating was given: days, or numbers that count "
        "on; for the time between repeats", _AWARDS, metavar="COL",
    ),
    Option(
        ("--worklist",), Topic.OUTPUT, "rating sheets of those for which one more rating is worth most",
        (*_AWARDS, Scope(("fit",), layout=_OF_RATERS)), metavar="OUT.xlsx",
    ),
    Option(
        ("-o", "--output"), Topic.OUTPUT, "the list to sign: a name that ends in .xlsx, .docx or .csv", _AWARDS,
        metavar="OUT.xlsx|.docx|.csv",
    ),
)  # fmt: skip

_SHEETS = (Scope(("sheets",)),)
_OF_A_LIST = (Scope(("sheets",), needs=("FILE",)),)
_OF_SCORES = (
    Scope(("check", "fit", "agree", "scan", "pairs", "figure", "export", "awards"), format=(*FILES, PROJECT, ANSWERED)),
    Scope(("report",), format=(*FILES, PROJECT), needs=("no --each",)),
    Scope(("report",), needs=("--awards", "no --each")),
    Scope(("letters",), format=(*FILES, PROJECT)),
    Scope(tuple(f"study {kind}" for kind in ("horizon", "groups", "models", "influence", "plan")), needs=("FILE",)),
)
TABLES: tuple[Option, ...] = (
    *_OF_AWARDS,
    Option(
        ("FILE",), Topic.SUBJECT, "a table of the cases, one row each; or none, with --subjects",
        (Scope(("sheets",), needs=("no --subjects",)),),
    ),
    Option(
        ("--subject",), Topic.TABLE, "the column that names the cases; default: the first that tells all rows apart",
        _OF_A_LIST, metavar="COL",
    ),
    Option(("--sheet",), Topic.TABLE, "the sheet of a workbook that holds the cases", _OF_A_LIST, metavar="NAME"),
    Option(
        ("--subjects",), Topic.TABLE, "cases, called 1, 2, 3 and so on, where no FILE names them",
        (Scope(("sheets",), needs=("no FILE",)),), takes="subjects", metavar="N",
    ),
    Option(
        ("--raters",), Topic.TABLE, "the names of the raters", _SHEETS, takes="list", metavar="A,B,C", required=True,
    ),
    Option(
        ("--classes",), Topic.TABLE, "what can be said of a case, lowest first", _SHEETS, takes="list",
        metavar='"low,…,high"', required=True,
    ),
    Option(("--unordered",), Topic.TABLE, "the classes have no order", _SHEETS, takes="flag", default=False),
    Option(
        ("--show",), Topic.TABLE, "columns of the cases that raters see beside each", _OF_A_LIST, takes="list",
        metavar="COL,COL", default=(),
    ),
    Option(
        ("--known",), Topic.TABLE, "the column of answers known to be true; it stands in the key alone", _OF_A_LIST,
        metavar="COL",
    ),
    Option(
        ("--repeats",), Topic.TABLE, "cases that each rater sees a second time, unseen as such; default: {default}",
        _SHEETS, takes="repeats", metavar="N", default=0,
    ),
    Option(
        ("--coded",), Topic.TABLE, "raters see items in place of the names of cases, as they do with --repeats",
        _SHEETS, takes="flag", default=False,
    ),
    Option(
        ("--seed",), Topic.TABLE, "of the orders; default: {default}", _SHEETS, takes="seed", metavar="N", default=1,
    ),
    Option(
        ("--cuts",), Topic.READING, "cut scores into bands: the lowest score of each band but the first; with awards "
        "the medal lines, which leave the scores as they are", _OF_SCORES,
        takes="list", metavar="13,15,17",
    ),
    Option(
        ("--bands",), Topic.READING, "the names of these bands, lowest first; default: the scores they hold",
        tuple(replace(scope, needs=(*scope.needs, "--cuts")) for scope in _OF_SCORES), takes="list",
        metavar="A,B,C,D",
    ),
    Option(
        ("--shape",), Topic.TABLE, "a row for each rating, or for each case; default: the one that leaves nothing out",
        (Scope(("export",)),), choices=("long", "wide"),
    ),
    Option(
        ("-o", "--output"), Topic.OUTPUT, "the table: a name that ends in .xlsx or .csv", (Scope(("export",)),),
        metavar="OUT.xlsx", required=True,
    ),
    Option(
        ("-o", "--output"), Topic.OUTPUT, "the workbook with the key; a copy for each rater is written beside it",
        _SHEETS, metavar="OUT.xlsx", required=True,
    ),
)  # fmt: skip
