"""Every option of the command line, declared once: its name, what it takes, and the cells in which it has an effect.

The table drives the parser and ``--help`` (`arguments`), the refusal of what has no effect and the receipt (`effects`),
the page of commands in the help (`command_page`), and a test that walks all cells. A new option is one row here.
"""

from tapdesk.cli.option import (
    ANSWERED,
    BOOKS,
    COMMANDS,
    EXACT,
    FILES,
    LAYOUTS,
    MOMENT,
    PAGE,
    PROJECT,
    QUADRATURE,
    SAMPLING,
    STUDIES,
    TEXT,
    Cell,
    Group,
    Option,
)
from tapdesk.models.catalog import MODELS
from tapdesk.models.model import Truth
from tapdesk.ratings.options import Layout, RatersAre, Uneven
from tapdesk.report.forms.size import USUAL
from tapdesk.report.tables.agreement import SCALES
from tapdesk.studies.coverage import ASKED, KINDS, PROFILED
from tapdesk.studies.of_size import SETS
from tapdesk.studies.paper import REPRODUCTIONS
from tapdesk.studies.request import ESTIMATORS, INTERVALS

_STUDIES_OF_FILES = tuple(f"study {k}" for k in STUDIES if k != "coverage")
_WITH_FILE = ("check", "fit", "agree", "scan", "pairs", "report", "figure", *_STUDIES_OF_FILES)
_FITS = ("fit", "report", "figure")
_EVERY = (*(c for c in COMMANDS if c != "study"), *(f"study {k}" for k in STUDIES))
_KINDS = tuple(f"study {k}" for k in STUDIES)
# What writes where no --json is named; of the others `outputs` refuses --force where nothing is written.
_WRITERS = ("simulate", "report", "figure", "selftest", *_KINDS)
_TALLIED = ("counts", "counts-class1", "confusion")
_UNTALLIED = tuple(x for x in LAYOUTS if x not in _TALLIED)
_REDRAWN = "--interval bootstrap | --interval parametric-bootstrap"
_FREE_TRUTH = tuple(m.name for m in MODELS if m.truth is Truth.FREE)
# An analysis is made where the project holds none.
_NEW = (*FILES, PROJECT)


def _read(*layout: str, form: tuple[str, ...] = FILES, needs: tuple[str, ...] = ()) -> tuple[Cell, ...]:
    """The cells of an option about reading: by default of files, not of projects, which are read already."""
    return (Cell(_WITH_FILE, layout=layout, format=form, needs=("FILE", *needs)),)


_ALSO_PROJECTS = _read(form=(*FILES, PROJECT, ANSWERED))
_COLUMN = "COL"
READING: tuple[Option, ...] = (
    Option(
        ("--layout",), Group.READING, "what rows and columns stand for; default: {default}", _read(),
        choices=tuple(x.value for x in Layout), default="auto",
    ),
    Option(
        ("--subject",), Group.READING, "the column that names the cases; of a confusion matrix the classes",
        _read("long", "raters", "questions", "questions-column", "counts", "counts-class1", "confusion"),
        metavar=_COLUMN,
    ),
    Option(
        ("--rater",), Group.READING, "the column that names the raters",
        _read("long", "subjects", "questions", "questions-column"), metavar=_COLUMN,
    ),
    Option(
        ("--rating",), Group.READING, "the column that holds the ratings; of questions in columns the one to read",
        (
            *_read("long", "questions-column"),
            *_read("questions", needs=("no --only",)),
        ), metavar=_COLUMN,
    ),
    Option(
        ("--question",), Group.READING, "the column that names the question; with --only the rows of one are read",
        _read(), metavar=_COLUMN,
    ),
    Option(
        ("--only",), Group.READING, "the question to read: a value of --question, or of questions in columns a column",
        (
            *_read("questions"),
            *_read(needs=("--question",)),
        ), metavar="VALUE",
    ),
    Option(
        ("--columns",), Group.READING, "the rating columns, or the columns of the classes",
        _read("raters", "subjects", "counts", "counts-class1", "confusion"), takes="list", metavar="A,B,C",
    ),
    Option(
        ("--sheet",), Group.READING, "the sheet of a workbook, some (A,B), or '*' for all", _read(form=BOOKS),
        metavar="NAME",
    ),
    Option(
        ("--encoding",), Group.READING, "how the signs of the text are stored, such as utf-8",
        _read(form=(*TEXT, *PAGE)), metavar="NAME",
    ),
    Option(
        ("--delimiter",), Group.READING, "what separates the columns of a text; 'tab' for a tabulator",
        _read(form=TEXT), takes="sign", metavar="SIGN",
    ),
    Option(
        ("--decimal",), Group.READING, "the decimal mark of numbers", _read(), choices=(".", ","),
    ),
    Option(
        ("--missing",), Group.READING, "texts that mean: no rating", _read(*_UNTALLIED), takes="list",
        metavar='"NA,.,99"',
    ),
    Option(
        ("--order",), Group.READING, "the classes, lowest first", _ALSO_PROJECTS, takes="list",
        metavar='"low,…,high"',
    ),
    Option(
        ("--class1",), Group.READING, "the classes asked about; makes the data binary", _ALSO_PROJECTS, takes="list",
        metavar='"A,B"',
    ),
    Option(
        ("--class0",), Group.READING, "the other side of --class1; default: the rest",
        _read(form=(*FILES, PROJECT, ANSWERED), needs=("--class1",)), takes="list", metavar='"C,D"',
    ),
    Option(
        ("--where",), Group.READING, "only rows with this value, or with COL!=VALUE all others; may be named again",
        _read(), takes="filter", several=True, default=(), metavar='"COL=VALUE"',
    ),
    Option(
        ("--keep-summaries",), Group.READING, "what looks like totals, means or known answers are ratings",
        _read("long", "raters", "questions", "questions-column", "counts", "counts-class1", "confusion", "subjects"),
        takes="flag", default=False,
    ),
    Option(
        ("--raters-are",), Group.READING, "whether columns are persons", _read(*_UNTALLIED),
        choices=tuple(x.value for x in RatersAre),
    ),
    Option(
        ("--count",), Group.READING, "the column with the number of cases each row stands for",
        _read("long", "raters", "questions", "questions-column", "counts", "counts-class1"), metavar=_COLUMN,
    ),
    Option(
        ("--header",), Group.READING, "the row of the header, counted from 1; 0 for none", _read(), takes="row",
        metavar="ROW",
    ),
    Option(
        ("--header-rows",), Group.READING, "how many rows the header has", _read(), takes="choice", choices=(1, 2),
    ),
    Option(
        ("--last-row",), Group.READING, "the last row of the table; 0 for the last one there is", _read(),
        takes="row", metavar="ROW",
    ),
    Option(
        ("--fill-down",), Group.READING, "a blank case is that of the row above",
        _read("long", "questions", "questions-column"), takes="flag", default=False,
    ),
    Option(
        ("--uneven",), Group.READING, "rows of uneven length: refuse them, or fill them up and cut them; default: "
        "{default}", _read(form=TEXT), choices=tuple(x.value for x in Uneven), default="refuse",
    ),
    Option(
        ("--leave-out-hidden",), Group.READING, "do not read hidden rows and columns of a workbook",
        _read(form=BOOKS), takes="flag", default=False,
    ),
    Option(
        ("--strict",), Group.READING, "refuse when anything has to be asked", _ALSO_PROJECTS, takes="flag",
        default=False,
    ),
)  # fmt: skip

ESTIMATION: tuple[Option, ...] = (
    Option(
        ("--model",), Group.ESTIMATION, "the models, separated by commas; default: t-a-p", (Cell(("fit",)),),
        takes="list", metavar="NAME[,NAME…]", default=("t-a-p",),
    ),
    Option(
        ("--model",), Group.ESTIMATION, "the model; default: t-a-p, or t-a-t where that is not identified",
        (Cell(("report", "figure"), format=_NEW),), metavar="NAME",
    ),
    Option(
        ("--estimator",), Group.ESTIMATION, "default: exact-em; for ti-aj-P posterior", (Cell(_FITS, format=_NEW),),
        choices=ESTIMATORS,
    ),
    Option(
        ("--interval",), Group.ESTIMATION, "default: {default}",
        (
            Cell(_FITS, method=(EXACT,), format=_NEW),
            # cli.md: a posterior has a belief in place of an interval, and saying so is no mistake.
            Cell(_FITS, method=(MOMENT, QUADRATURE, SAMPLING), format=_NEW, values=("none",)),
            Cell(("scan", "pairs")),
        ), choices=INTERVALS, default="profile",
    ),
    Option(
        ("--interval",), Group.ESTIMATION, "default: {default}", (Cell(("agree",)),),
        choices=("analytic", "bootstrap", "none"), default="analytic",
    ),
    Option(
        ("--level",), Group.ESTIMATION, "of intervals; default: {default}",
        (
            Cell(("fit", "figure"), method=(EXACT,), format=_NEW, needs=("no --interval none",)),
            Cell(("fit", "figure"), method=(QUADRATURE, SAMPLING), format=_NEW),
            Cell(("report",), format=_NEW),
            Cell(("scan", "pairs")),
            Cell(("agree",), needs=("no --interval none",)),
        ), takes="share", metavar="SHARE", default=0.95,
    ),
    Option(
        ("--replicates",), Group.ESTIMATION, "re-draws of a bootstrap; default: {default}",
        (
            Cell(("fit",), method=(EXACT,), needs=(f"{_REDRAWN} | --tests",)),
            Cell(("scan",), needs=(f"{_REDRAWN} | --tests",)),
            Cell(("pairs",), needs=(_REDRAWN,)),
            Cell(("agree",), needs=("--interval bootstrap",)),
            Cell(("report", "figure"), method=(EXACT,), format=_NEW),
        ), takes="replicates", metavar="N", default=2000,
    ),
    Option(
        ("--seed",), Group.ESTIMATION, "of everything random, the starts of a search too; default: {default}",
        (
            Cell(("fit",), method=(EXACT, SAMPLING)),
            Cell(("fit",), method=(QUADRATURE,), needs=("--subjects",)),
            Cell(("report", "figure"), method=(EXACT, QUADRATURE, SAMPLING), format=_NEW),
            Cell(("report",), method=(MOMENT,), format=_NEW),
            Cell(("scan",)),
            Cell(("pairs",), needs=(_REDRAWN,)),
            Cell(("agree",), needs=("--interval bootstrap",)),
        ), takes="seed", metavar="N", default=1,
    ),
    Option(
        ("--prior",), Group.ESTIMATION, "of a posterior; may be named again; default: flat",
        (Cell(_FITS, method=(QUADRATURE, SAMPLING), format=_NEW),), several=True, default=(),
        metavar='"a=beta(1,1)"',
    ),
    Option(
        ("--moment-prior",), Group.ESTIMATION, "of moment-em; default: {default}",
        (Cell(_FITS, method=(MOMENT,), format=_NEW),), choices=("average", "flat"), default="average",
    ),
    Option(
        ("--chains",), Group.ESTIMATION, "of a sampled posterior", (Cell(_FITS, method=(SAMPLING,), format=_NEW),),
        takes="chains", metavar="N",
    ),
    Option(
        ("--draws",), Group.ESTIMATION, "of each chain", (Cell(_FITS, method=(SAMPLING,), format=_NEW),),
        takes="draws", metavar="N",
    ),
    Option(
        ("--subjects",), Group.ESTIMATION, "add the probabilities of every subject",
        (Cell(("fit",), method=(EXACT, QUADRATURE, SAMPLING)),), takes="flag", default=False,
    ),
    Option(
        ("--truth",), Group.ESTIMATION, "whether the true rates are estimated or all alike; default: {default}",
        (Cell(_FITS, model=_FREE_TRUTH, format=_NEW),), choices=("free", "uniform"), default="free",
    ),
    Option(
        ("--covariates",), Group.ESTIMATION, "what the accuracy depends on in t-a(x)-p",
        (Cell(_FITS, model=("t-a(x)-p",), format=_NEW),), takes="list", metavar="COL,COL", default=(),
    ),
    Option(
        ("--sharpness",), Group.ESTIMATION, "how near the truths of ti-aj-P are to 0 and 1; default: {default}",
        (Cell(_FITS, model=("ti-aj-P",), format=_NEW),), takes="sharpness", metavar="D", default=30.0,
    ),
    Option(
        ("--tests",), Group.ESTIMATION, "add tests by parametric bootstrap",
        (
            Cell(("fit",), method=(EXACT,)),
            Cell(("scan",), classes=("more",)),
            Cell(("report",)),
        ), takes="flag", default=False,
    ),
    Option(
        ("--weights",), Group.ESTIMATION, "of disagreements, such as linear; default: identity", (Cell(("agree",)),),
        takes="list", metavar="NAME[,NAME…]", default=("identity",),
    ),
)  # fmt: skip

_OWN = tuple(row.name for row in REPRODUCTIONS if row.own)
_IN_PIECES = (*(row.name for row in REPRODUCTIONS if row.pieces), "all")
_IN_SETS = (*(row.name for row in REPRODUCTIONS if row.sets), "all")
_RANDOM = (*(row.name for row in REPRODUCTIONS if row.random), "all")
_SIMULATED = ("recovery", "coverage", "kappa", "horizon", "plan", "models")
_SET_SIZES = ("--param | --grid",)
_PARTLY = ", ".join(kind for kind in KINDS if kind != "profile")
STUDY: tuple[Option, ...] = (
    Option(
        ("--model",), Group.STUDY, "the model; default: {default}",
        (Cell(("simulate", "study groups")), Cell(("study recovery",), needs=("--param", "no --grid"))),
        metavar="NAME", default="t-a-p",
    ),
    Option(
        ("--param",), Group.STUDY, "a number of the model; named again for each", (Cell(("simulate",)),),
        several=True, default=(), metavar="t=.1,.2,.3,.4", required=True,
    ),
    Option(
        ("--param",), Group.STUDY, "a number of the model; named again for each",
        (Cell(("study recovery",), needs=("no --grid",)), Cell(("study plan",))), several=True, default=(),
        metavar="t=.1,.2,.3,.4",
    ),
    Option(("--subjects",), Group.STUDY, "cases", (Cell(("simulate",)),), takes="subjects", metavar="N", required=True),
    Option(
        ("--raters",), Group.STUDY, "ratings of each case", (Cell(("simulate",)),), takes="raters", metavar="R",
        required=True,
    ),
    Option(
        ("--subjects",), Group.STUDY, "cases; default: as in FILE, or as in the paper",
        (Cell(("study recovery",), needs=_SET_SIZES), Cell(("study kappa", "study plan"))), takes="subjects",
        metavar="N",
    ),
    Option(
        ("--raters",), Group.STUDY, "ratings of each case; default: as in FILE, or as in the paper",
        (Cell(("study recovery",), needs=_SET_SIZES), Cell(("study kappa", "study plan"))), takes="raters", metavar="R",
    ),
    Option(
        ("--classes",), Group.STUDY, "their names; default: 0,1, or 1,2,3 and so on", (Cell(("simulate",)),),
        takes="list", metavar="A,B,C",
    ),
    Option(
        ("--exact",), Group.STUDY, "no chance: every pattern as often as expected", (Cell(("simulate",)),),
        takes="flag", default=False,
    ),
    Option(
        ("--replicates",), Group.STUDY,
        f"data sets of each cell; default: {PROFILED} for profile intervals, {ASKED} for {_PARTLY}, "
        "which take half a second each",
        (Cell(("study coverage",)),), takes="replicates", metavar="SETS",
    ),
    Option(
        ("--replicates",), Group.STUDY, "data sets; default: with --grid 1, else 20", (Cell(("study recovery",)),),
        takes="replicates", metavar="SETS",
    ),
    Option(
        ("--replicates",), Group.STUDY, "data sets of each cell; default: 1", (Cell(("study kappa",)),),
        takes="replicates", metavar="SETS",
    ),
    Option(
        ("--replicates",), Group.STUDY, "data sets; default: 2000", (Cell(("study horizon",)),), takes="replicates",
        metavar="SETS",
    ),
    Option(
        ("--replicates",), Group.STUDY, "data sets of each size; default: 200", (Cell(("study plan",)),),
        takes="replicates", metavar="SETS",
    ),
    Option(
        ("--replicates",), Group.STUDY, "data sets of each test; default: 1000", (Cell(("study models",)),),
        takes="replicates", metavar="SETS",
    ),
    Option(
        ("--replicates",), Group.STUDY, "data sets of figures that are simulated; default: as in the paper",
        (Cell(("study paper",), figure=_IN_SETS),), takes="replicates", metavar="SETS",
    ),
    Option(
        ("--seed",), Group.STUDY, "of everything random; default: {default}",
        (
            Cell(("simulate",), needs=("no --exact",)),
            Cell(tuple(f"study {kind}" for kind in _SIMULATED)),
            Cell(("study paper",), figure=tuple(name for name in _RANDOM if name not in _OWN)),
            Cell(("study paper",), figure=tuple(name for name in _RANDOM if name in _OWN), needs=("no FILE",)),
        ), takes="seed", metavar="N", default=1,
    ),
    Option(
        ("--interval",), Group.STUDY, "only this kind of interval; default: all", (Cell(("study coverage",)),),
        choices=KINDS,
    ),
    Option(
        ("--by",), Group.STUDY, "the column whose values make the groups", (Cell(("study groups",)),), metavar="COL",
    ),
    Option(
        ("--figure",), Group.STUDY, "which figure; 'list' names them, 'all' makes a page of all",
        (Cell(("study paper",)),), metavar="NAME",
    ),
    Option(
        ("--grid",), Group.STUDY, "the paper's 729 cells, in the size of FILE where it is named",
        (Cell(("study recovery",)),), takes="flag", default=False,
    ),
    Option(
        ("--posterior",), Group.STUDY, "of t-a-p with two classes: the exact posterior besides",
        (Cell(("study recovery",), needs=_SET_SIZES),), takes="flag", default=False,
    ),
)  # fmt: skip

_NAMED = (Cell(("report",)), Cell(("figure",), needs=("no --kind list",)))
REPORT: tuple[Option, ...] = (
    Option(("--title",), Group.REPORT, "of the report", (Cell(("report",)),), default="", metavar="TEXT"),
    Option(
        ("--rater-names",), Group.REPORT, "names, or codes such as A and B; default: {default}", _NAMED,
        choices=("names", "codes"), default="names",
    ),
    Option(
        ("--case-names",), Group.REPORT, "names of cases, or codes such as C01; default: what the project remembers",
        _NAMED, choices=("names", "codes"),
    ),
    Option(
        ("--paper",), Group.REPORT, "default: what the project remembers, else a4",
        (Cell(("report",), suffix=(".pdf", ".png")),), choices=("a4", "letter"),
    ),
    Option(
        ("--apa",), Group.REPORT, "numbers in the style of the APA: .44", (Cell(("report",)),), takes="flag",
        default=False,
    ),
    Option(
        ("--each",), Group.REPORT, "one report for each text in this column; '*': for each question",
        (Cell(("report",), format=FILES, suffix=(".pdf", ".html", ".xlsx")),), metavar="COL",
    ),
    Option(
        ("--leave-out",), Group.REPORT, "sections to switch off, such as counts", (Cell(("report",)),), several=True,
        default=(), metavar="SECTIONS",
    ),
    Option(
        ("--by",), Group.REPORT, "also the answer in every group of COL; may be named again", (Cell(("report",)),),
        several=True, default=(), metavar="COL",
    ),
    Option(
        ("--contour",), Group.REPORT, "also how every two of t, a and p hang together", (Cell(("report",)),),
        takes="flag", default=False,
    ),
    Option(
        ("--plan",), Group.REPORT, "also what studies of other sizes would tell", (Cell(("report",)),), takes="flag",
        default=False,
    ),
    Option(
        ("--recovery",), Group.REPORT, "also what the numbers imply and if they would be found again",
        (Cell(("report",)),), takes="flag", default=False,
    ),
    Option(
        ("--grid",), Group.REPORT, "also which numbers a study of this size could find", (Cell(("report",)),),
        takes="flag", default=False,
    ),
    Option(
        ("--square",), Group.REPORT, "also if kappa is the square of the accuracy in such studies",
        (Cell(("report",)),), takes="flag", default=False,
    ),
    Option(
        ("--sets",), Group.REPORT, "data sets of each cell of --grid and --square; default: 1",
        (Cell(("report",), needs=("--grid | --square",)),), takes="choice", choices=SETS,
    ),
    Option(
        ("--scale",), Group.REPORT, "print the words of this scale beside the coefficients", (Cell(("report",)),),
        choices=tuple(SCALES),
    ),
    Option(
        ("--logo",), Group.REPORT, "picture of the committee: PNG, JPEG or SVG",
        (Cell(("report",), suffix=(".pdf", ".png", ".html")),), metavar="PICTURE",
    ),
    Option(
        ("--issued",), Group.REPORT, "not a draft: issued on this day, printed on each page", (Cell(("report",)),),
        takes="day", metavar="YYYY-MM-DD",
    ),
    Option(
        ("--save-project",), Group.REPORT, "write the project too, which later verifies the report",
        (Cell(("report",), needs=("no --each",)),), metavar="PROJECT",
    ),
    Option(
        ("--no-archive",), Group.REPORT, "PDF/UA-1 only, not also PDF/A-2a for long keeping",
        (Cell(("report",), suffix=(".pdf",)),), takes="flag", default=False,
    ),
    Option(
        ("--kind",), Group.REPORT, "which figure; 'list' names them", (Cell(("figure",)),), metavar="NAME",
        required=True,
    ),
    Option(
        ("--width",), Group.REPORT, "width in millimetres; default: {default:g}",
        (Cell(("figure",), needs=("no --kind list",)),), takes="number", metavar="MM", default=USUAL.millimetres,
    ),
    Option(
        ("--ppi",), Group.REPORT, ".png: dots an inch; default: {default:g}",
        (Cell(("report",), suffix=(".png",)),), takes="number", metavar="N", default=144.0,
    ),
    Option(
        ("--ppi",), Group.REPORT, ".png: dots an inch; default: {default:g}",
        (Cell(("figure",), suffix=(".png",)),), takes="number", metavar="N", default=USUAL.ppi,
    ),
)  # fmt: skip

OUTPUT: tuple[Option, ...] = (
    Option(
        ("-o", "--output"), Group.OUTPUT, "the report: a name that ends in .pdf, .html, .xlsx or .png",
        (Cell(("report",)),), metavar="OUT.pdf", required=True,
    ),
    Option(
        ("-o", "--output"), Group.OUTPUT, "the figure", (Cell(("figure",), needs=("no --kind list",)),),
        metavar="OUT.png|.svg|.pdf",
    ),
    Option(
        ("-o", "--output"), Group.OUTPUT, "the ratings; default: standard output", (Cell(("simulate",)),),
        metavar="OUT.csv",
    ),
    Option(
        ("-o", "--output"), Group.OUTPUT, "the table; a name that ends in .svg, .png, .pdf: a picture",
        (Cell(_KINDS),), metavar="OUT.csv",
    ),
    Option(
        ("-o", "--output"), Group.OUTPUT, "keep what it writes in this folder", (Cell(("selftest",)),),
        metavar="FOLDER",
    ),
    Option(
        ("--truth-out",), Group.OUTPUT, "where to write the true classes", (Cell(("simulate",)),), metavar="TRUTH.csv",
    ),
    Option(
        ("--picture",), Group.OUTPUT, "the picture besides the table", (Cell(_KINDS),), metavar="OUT.svg|.png|.pdf",
    ),
    Option(
        ("--json",), Group.OUTPUT, "print the answer as JSON, or write it to =PATH", (Cell(_EVERY),), takes="optional",
        metavar="=PATH",
    ),
    Option(
        ("--force",), Group.OUTPUT, "replace files that this program did not write, or issued",
        (
            Cell(_WRITERS),
            Cell(_EVERY, needs=("--json",)),
        ), takes="flag", default=False,
    ),
)  # fmt: skip

RUNNING: tuple[Option, ...] = (
    Option(
        ("--workers",), Group.RUNNING, "processes; default: {default}",
        (
            Cell(tuple(k for k in _KINDS if k != "study paper")),
            Cell(("study paper",), figure=_IN_PIECES),
        ), takes="workers", metavar="N", default=1,
    ),
    Option(
        ("--resume",), Group.RUNNING,
        "keep what is finished in OUT.csv.unfinished while it runs, and go on from there if it is there",
        (Cell(_KINDS),), takes="flag", default=False,
    ),
    Option(
        ("--debug",), Group.RUNNING, "show where in the program a failure happened", (Cell(_EVERY),), takes="flag",
        default=False,
    ),
)  # fmt: skip

_SIZE_LEFT = "no --subjects | no --raters"
PLACES: tuple[Option, ...] = (
    Option(
        ("FILE",), Group.SUBJECT, "a spreadsheet, a text file, a project, or sample:NAME",
        (Cell(("check", "fit", "agree", "scan", "pairs", "report", "figure")),), required=True,
    ),
    Option(
        ("FILE",), Group.SUBJECT, "ratings: a spreadsheet, a text file, a project, or sample:NAME",
        (
            Cell(tuple(f"study {kind}" for kind in ("horizon", "groups", "models", "influence"))),
            Cell(("study recovery",), needs=("--grid", _SIZE_LEFT)),
            Cell(("study kappa",), needs=(_SIZE_LEFT,)),
            Cell(("study plan",), needs=("no --param",)),
            Cell(("study paper",), figure=_OWN),
        ),
    ),
    Option(("PDF",), Group.SUBJECT, "an issued report", (Cell(("verify",)),), metavar="OUT.pdf", required=True),
    Option(("PROJECT",), Group.SUBJECT, "its project, or the data file it was made from", (Cell(("verify",)),)),
)  # fmt: skip

OPTIONS: tuple[Option, ...] = (*PLACES, *READING, *ESTIMATION, *STUDY, *REPORT, *OUTPUT, *RUNNING)


def options_of(command: str) -> tuple[Option, ...]:
    """The options a command takes, in the order of the help."""
    return tuple(row for row in OPTIONS if command in row.commands)
