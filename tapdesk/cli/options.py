"""Every option of the command line, declared once: its name, what it takes, and the cells in which it has an effect.

The table drives the parser and ``--help`` (`arguments`), the refusal of what has no effect and the receipt (`effects`),
the page of commands in the help (`command_page`), and a test that walks all cells. A new option is one row here.
"""

from functools import cache

from tapdesk.cli.compare_options import COMPARE
from tapdesk.cli.first_page import COMMANDS
from tapdesk.cli.grid_options import GRID
from tapdesk.cli.option import (
    ANSWERED,
    BOOKS,
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
    Option,
    Scope,
    Topic,
)
from tapdesk.cli.report_options import REPORT
from tapdesk.cli.study_options import STUDY, STUDY_COMMANDS
from tapdesk.cli.table_options import TABLES
from tapdesk.models.model import MODELS, POOLED
from tapdesk.ratings.options import Layout, RatersAre, Uneven
from tapdesk.studies.analysis import (
    ESTIMATORS,
    INTERVALS,
)

# Of `tapdesk.answers.question_columns`, whose words no parser needs.
TABLE_COEFFICIENTS = ("gwet_ac", "fleiss_kappa", "krippendorff_alpha", "brennan_prediger")
_STUDIES_OF_FILES = tuple(
    f"study {k}" for k in STUDIES if k not in {"coverage", "shares", "beliefs", "awards", "judges", "words"}
)
_OF_ONE_QUESTION = (
    *("check", "fit", "agree", "scan", "pairs", "compare", "awards", "report", "letters", "figure", "export"),
    *_STUDIES_OF_FILES,
)
_WITH_FILE = (*_OF_ONE_QUESTION, "questions")
_FITS = ("fit", "report", "figure")
_EVERY = (*(c for c in COMMANDS if c != "study"), *(f"study {k}" for k in STUDIES))
# What writes where no --json is named; of the others `outputs` refuses --force where nothing is written.
_WRITERS = ("simulate", "report", "letters", "figure", "dossier", "selftest", "export", "sheets", *STUDY_COMMANDS)
_TALLIED = ("counts", "counts-class1", "confusion")
_UNTALLIED = tuple(x for x in LAYOUTS if x not in _TALLIED)
_REDRAWN = "--interval bootstrap | --interval parametric-bootstrap"
_FREE_TRUTH = tuple(m.name for m in MODELS if m.truth.free)
# An analysis is made where the project holds none.
_NEW = (*FILES, PROJECT)


def _read(*layout: str, form: tuple[str, ...] = FILES, needs: tuple[str, ...] = ()) -> tuple[Scope, ...]:
    """The cells of an option about reading: by default of files, not of projects, which are read already."""
    return (Scope(_WITH_FILE, layout=layout, format=form, needs=("FILE", *needs)),)


_ALSO_PROJECTS = _read(form=(*FILES, PROJECT, ANSWERED))
_COLUMN = "COL"
_WITH_KEY = ("long", "raters", "questions", "questions-column")
_KEYED = _read(*_WITH_KEY, needs=("--known | --known-sheet",))
READING: tuple[Option, ...] = (
    Option(
        ("--layout",), Topic.READING, "what rows and columns stand for; default: {default}", _read(),
        choices=tuple(x.value for x in Layout), default="auto",
    ),
    Option(
        ("--subject",), Topic.READING, "the column that names the cases; of a confusion matrix the classes",
        _read("long", "raters", "questions", "questions-column", "counts", "counts-class1", "confusion"),
        metavar=_COLUMN,
    ),
    Option(
        ("--rater",), Topic.READING, "the column that names the raters",
        _read("long", "subjects", "questions", "questions-column"), metavar=_COLUMN,
    ),
    Option(
        ("--rating",), Topic.READING, "the column that holds the ratings; of questions in columns the one to read",
        (
            *_read("long", "questions-column"),
            *_read("questions", needs=("no --only",)),
        ), metavar=_COLUMN,
    ),
    Option(
        ("--question",), Topic.READING, "the column that names the question of each row; of columns that stand for "
        "a question and a rater each one of the questions; in report '*' for all questions of a form, wherever they "
        "stand",
        _read(), metavar=_COLUMN,
    ),
    Option(
        ("--only",), Topic.READING, "the question to read: a value of --question, or of questions in columns a column",
        (
            Scope(_OF_ONE_QUESTION, layout=("questions", "raters"), format=FILES, needs=("FILE",)),
            Scope(_OF_ONE_QUESTION, format=FILES, needs=("FILE", "--question")),
        ), metavar="VALUE",
    ),
    Option(
        ("--columns",), Topic.READING, "the rating columns, or the columns of the classes",
        _read("raters", "subjects", "counts", "counts-class1", "confusion"), takes="list", metavar="A,B,C",
    ),
    Option(
        ("--sheet",), Topic.READING, "the sheet of a workbook, some (A,B), or '*' for all", _read(form=BOOKS),
        metavar="NAME",
    ),
    Option(
        ("--encoding",), Topic.READING, "how the signs of the text are stored, such as utf-8",
        _read(form=(*TEXT, *PAGE)), metavar="NAME",
    ),
    Option(
        ("--delimiter",), Topic.READING, "what separates the columns of a text; 'tab' for a tabulator",
        _read(form=TEXT), takes="sign", metavar="SIGN",
    ),
    Option(("--decimal",), Topic.READING, "the decimal mark of numbers", _read(), choices=(".", ",")),
    Option(
        ("--missing",), Topic.READING, "texts that mean: no rating", _read(*_UNTALLIED), takes="entries",
        metavar='"NA,.,99"',
    ),
    Option(
        ("--abstain",), Topic.READING, "answers that tell nothing of the case: the rater looked and could not say",
        _read(*(x for x in LAYOUTS if x != "counts-class1")), takes="list", metavar='"unsure"',
    ),
    Option(
        ("--blank",), Topic.READING, "the class a blank cell means, as that none of several labels applies; default: "
        "no rating", _read(*_UNTALLIED), metavar="NAME",
    ),
    Option(
        ("--order",), Topic.READING, "the classes, lowest first", _ALSO_PROJECTS, takes="list",
        metavar='"low,…,high"',
    ),
    Option(
        ("--class1",), Topic.READING, "the classes asked about; makes the data binary", _ALSO_PROJECTS, takes="list",
        metavar='"A,B"',
    ),
    Option(
        ("--class0",), Topic.READING, "the other side of --class1; default: the rest",
        _read(form=(*FILES, PROJECT, ANSWERED), needs=("--class1",)), takes="list", metavar='"C,D"',
    ),
    Option(
        ("--label",), Topic.READING, "of sets of labels such as 'trust; fear': is this one among them? yes or no; in "
        "questions one or some (A,B)",
        (Scope((*_OF_ONE_QUESTION, "questions"), layout=_UNTALLIED, format=FILES, needs=("FILE", "no --class1")),),
        metavar="NAME",
    ),
    Option(
        ("--where",), Topic.READING, "only rows with this value, or with COL!=VALUE all others; may be named again",
        _read(), takes="filter", several=True, default=(), metavar='"COL=VALUE"',
    ),
    Option(
        ("--keep-summaries",), Topic.READING, "what looks like totals, means or known answers are ratings",
        _read("long", "raters", "questions", "questions-column", "counts", "counts-class1", "confusion", "subjects"),
        takes="flag", default=False,
    ),
    Option(
        ("--known",), Topic.READING,
        "the column, or the rater, of answers known to be true; it is no rater, each is compared with it",
        _read("long", "raters", "questions", "questions-column"), metavar=_COLUMN,
    ),
    Option(
        ("--known-sheet",), Topic.READING,
        "the sheet of a workbook beside the ratings with answers known to be true; --known says which of its columns",
        _read(*_WITH_KEY, form=BOOKS, needs=("no --rater-sheet",)), metavar="NAME",
    ),
    Option(
        ("--rater-sheet",), Topic.READING, "the sheet of a workbook beside the ratings with those of one more rater",
        _read("long", "raters", form=BOOKS, needs=("no --known-sheet",)), metavar="NAME",
    ),
    Option(
        ("--known-as",), Topic.READING, "known answers that are written otherwise than the raters write them",
        _KEYED, takes="pairs", default=(), metavar='"POS=positive,NEG=negative"',
    ),
    Option(
        ("--known-by",), Topic.READING, "who wrote the known answers, a sentence for the report", _KEYED, default="",
        metavar="TEXT",
    ),
    Option(
        ("--raters-are",), Topic.READING, "whether columns are persons", _read(*_UNTALLIED),
        choices=tuple(x.value for x in RatersAre),
    ),
    Option(
        ("--count",), Topic.READING, "the column with the number of cases each row stands for",
        _read("long", "raters", "questions", "questions-column", "counts", "counts-class1"), metavar=_COLUMN,
    ),
    Option(
        ("--header",), Topic.READING, "the row of the header, counted from 1; 0 for none", _read(), takes="row",
        metavar="ROW",
    ),
    Option(("--header-rows",), Topic.READING, "how many rows the header has", _read(), takes="choice", choices=(1, 2)),
    Option(
        ("--last-row",), Topic.READING, "the last row of the table; 0 for the last one there is", _read(),
        takes="row", metavar="ROW",
    ),
    Option(
        ("--fill-down",), Topic.READING, "a blank case is that of the row above",
        _read("long", "questions", "questions-column"), takes="flag", default=False,
    ),
    Option(
        ("--uneven",), Topic.READING, "rows of uneven length: refuse them, or fill them up and cut them; default: "
        "{default}", _read(form=TEXT), choices=tuple(x.value for x in Uneven), default="refuse",
    ),
    Option(
        ("--leave-out-hidden",), Topic.READING, "do not read hidden rows and columns of a workbook",
        _read(form=BOOKS), takes="flag", default=False,
    ),
    Option(
        ("--strict",), Topic.READING, "refuse when anything has to be asked", _ALSO_PROJECTS, takes="flag",
        default=False,
    ),
)  # fmt: skip
OF_FORMS: tuple[Option, ...] = (
    Option(
        ("--without",), Topic.READING, "questions of a form that are left out, separated by commas",
        (Scope(("questions",), format=FILES), Scope(("report",), format=FILES, needs=("no --only", "no --each"))),
        takes="list", default=(), metavar="QUESTION[,QUESTION…]",
    ),
    Option(
        ("--for-question",), Topic.READING,
        "what is otherwise for one question of a form: its missing codes, order or counted classes; may be named again",
        (
            Scope(("questions",), format=FILES),
            Scope(("report",), format=FILES, needs=("no --only",)),
        ), takes="question", several=True, default=(), metavar='"Q3: missing=n/a; order=low,high"',
    ),
)  # fmt: skip
"""About reading forms as a whole; all else about reading holds for one table as well."""
TABLE_OF_FORMS: tuple[Option, ...] = (
    Option(
        ("--coefficient",), Topic.TABLE,
        "what stands beside raw agreement in the table of all questions; default: {default}",
        (
            Scope(("questions",)),
            Scope(("report",), format=FILES, needs=("no --only", "no --each")),
        ), choices=TABLE_COEFFICIENTS, default=TABLE_COEFFICIENTS[0],
    ),
)  # fmt: skip
"""About the table of all questions."""

ESTIMATION: tuple[Option, ...] = (
    Option(
        ("--model",), Topic.ESTIMATION, "the models, separated by commas; default: t-a-p", (Scope(("fit",)),),
        takes="entries", metavar="NAME[,NAME…]", default=("t-a-p",),
    ),
    Option(
        ("--model",), Topic.ESTIMATION, "the model; default: t-a-p, or t-a-t where that is not identified",
        (Scope(("report", "letters", "figure"), format=_NEW),), metavar="NAME",
    ),
    Option(
        ("--estimator",), Topic.ESTIMATION, "default: exact-em; for ti-aj-P posterior", (Scope(_FITS, format=_NEW),),
        choices=ESTIMATORS,
    ),
    Option(
        ("--interval",), Topic.ESTIMATION, "default: {default}",
        (
            Scope(_FITS, method=(EXACT,), format=_NEW),
            # cli.md: a posterior has a belief in place of an interval, and saying so is no mistake.
            Scope(_FITS, method=(MOMENT, QUADRATURE, SAMPLING), format=_NEW, values=("none",)),
            Scope(("scan", "pairs")),
        ), choices=INTERVALS, default="profile",
    ),
    Option(
        ("--interval",), Topic.ESTIMATION, "default: {default}", (Scope(("agree",)),),
        choices=("analytic", "bootstrap", "none"), default="analytic",
    ),
    Option(
        ("--level",), Topic.ESTIMATION, "of intervals; default: {default}",
        (
            Scope(("fit", "figure"), method=(EXACT,), format=_NEW, needs=("no --interval none",)),
            Scope(("fit", "figure"), method=(QUADRATURE, SAMPLING), format=_NEW),
            Scope(("report", "letters"), format=_NEW),
            Scope(("scan", "pairs", "questions", "compare", "awards")),
            Scope(("agree",), needs=("no --interval none",)),
        ), takes="share", metavar="SHARE", default=0.95,
    ),
    Option(
        ("--replicates",), Topic.ESTIMATION, "re-draws of a bootstrap; default: {default}",
        (
            Scope(("fit",), method=(EXACT,), needs=(f"{_REDRAWN} | --tests",)),
            Scope(("scan",), needs=(f"{_REDRAWN} | --tests",)),
            Scope(("pairs",), needs=(_REDRAWN,)),
            Scope(("agree",), needs=("--interval bootstrap",)),
            Scope(("report", "figure"), method=(EXACT,), format=_NEW),
        ), takes="replicates", metavar="N", default=2000,
    ),
    Option(
        ("--seed",), Topic.ESTIMATION, "of everything random, the starts of a search too; default: {default}",
        (
            Scope(("fit",), method=(EXACT, SAMPLING)),
            Scope(("fit",), method=(QUADRATURE,), needs=("--subjects",)),
            Scope(("report", "figure"), method=(EXACT, QUADRATURE, SAMPLING), format=_NEW),
            Scope(("report",), method=(MOMENT,), format=_NEW),
            Scope(("letters",), format=_NEW),
            Scope(("scan", "questions", "compare", "awards")),
            Scope(("pairs",), needs=(_REDRAWN,)),
            Scope(("agree",), needs=("--interval bootstrap",)),
        ), takes="seed", metavar="N", default=1,
    ),
    Option(
        ("--prior",), Topic.ESTIMATION, "of a posterior; may be named again; default: flat",
        (Scope(_FITS, method=(QUADRATURE, SAMPLING), format=_NEW, needs=("no --pool",)),), several=True, default=(),
        metavar='"a=beta(1,1)"',
    ),
    Option(
        ("--moment-prior",), Topic.ESTIMATION, "of moment-em; default: {default}",
        (Scope(_FITS, method=(MOMENT,), format=_NEW),), choices=("average", "flat"), default="average",
    ),
    Option(
        ("--chains",), Topic.ESTIMATION, "of a sampled posterior", (Scope(_FITS, method=(SAMPLING,), format=_NEW),),
        takes="chains", metavar="N",
    ),
    Option(
        ("--draws",), Topic.ESTIMATION, "of each chain", (Scope(_FITS, method=(SAMPLING,), format=_NEW),),
        takes="draws", metavar="N",
    ),
    Option(
        ("--subjects",), Topic.ESTIMATION, "add the probabilities of every subject",
        (Scope(("fit",), method=(EXACT, QUADRATURE, SAMPLING)),), takes="flag", default=False,
    ),
    Option(
        ("--truth",), Topic.ESTIMATION, "whether the true rates are estimated or all alike; default: {default}",
        (Scope(_FITS, model=_FREE_TRUTH, format=_NEW),), choices=("free", "uniform"), default="free",
    ),
    Option(
        ("--covariates",), Topic.ESTIMATION, "what the accuracy depends on in t-a(x)-p, or that of raters with --pool",
        (
            Scope(_FITS, model=("t-a(x)-p",), format=_NEW),
            Scope(("fit", "report"), model=POOLED, method=(SAMPLING,), format=_NEW, needs=("--pool",)),
        ), takes="list", metavar="COL,COL", default=(),
    ),
    *GRID,
    Option(
        ("--sharpness",), Topic.ESTIMATION, "how near the truths of ti-aj-P are to 0 and 1; default: {default}",
        (Scope(_FITS, model=("ti-aj-P",), format=_NEW),), takes="sharpness", metavar="D", default=30.0,
    ),
    Option(
        ("--tests",), Topic.ESTIMATION, "add tests by parametric bootstrap",
        (
            Scope(("fit",), method=(EXACT,)),
            Scope(("scan",), classes=("more",)),
            Scope(("report",)),
        ), takes="flag", default=False,
    ),
    Option(
        ("--direction",), Topic.ESTIMATION, "which side of every line between classes is counted; default: {default}",
        (Scope(("scan",)), Scope(("figure",), needs=("--kind scan",))), choices=("above", "below"), default="above",
    ),
    Option(
        ("--weights",), Topic.ESTIMATION, "of disagreements, such as linear; default: identity", (Scope(("agree",)),),
        takes="list", metavar="NAME[,NAME…]", default=("identity",),
    ),
)  # fmt: skip

OUTPUT: tuple[Option, ...] = (
    Option(
        ("-o", "--output"), Topic.OUTPUT, "the report: a name that ends in .pdf, .html, .docx, .xlsx, .csv (a "
        "file for each table) or .png",
        (Scope(("report",)),), metavar="OUT.pdf", required=True,
    ),
    Option(
        ("-o", "--output"), Topic.OUTPUT, "the folder of the letters", (Scope(("letters",)),), metavar="FOLDER",
        required=True,
    ),
    Option(
        ("-o", "--output"), Topic.OUTPUT, "the figure", (Scope(("figure",), needs=("no --kind list",)),),
        metavar="OUT.png|.svg|.pdf",
    ),
    Option(
        ("-o", "--output"), Topic.OUTPUT, "the ratings; default: standard output", (Scope(("simulate",)),),
        metavar="OUT.csv",
    ),
    Option(
        ("-o", "--output"), Topic.OUTPUT, "the table; a name that ends in .svg, .png, .pdf: a picture",
        (Scope(STUDY_COMMANDS),), metavar="OUT.csv",
    ),
    Option(
        ("-o", "--output"), Topic.OUTPUT, "the dossier: a name that ends in .pdf", (Scope(("dossier",)),),
        metavar="OUT.pdf", required=True,
    ),
    Option(
        ("-o", "--output"), Topic.OUTPUT, "keep what it writes in this folder", (Scope(("selftest",)),),
        metavar="FOLDER",
    ),
    Option(
        ("--truth-out",), Topic.OUTPUT, "where to write the true classes", (Scope(("simulate",)),), metavar="TRUTH.csv",
    ),
    Option(
        ("--picture",), Topic.OUTPUT, "the picture besides the table", (Scope(STUDY_COMMANDS),),
        metavar="OUT.svg|.png|.pdf",
    ),
    Option(
        ("--json",), Topic.OUTPUT, "print the answer as JSON, or write it to =PATH", (Scope(_EVERY),), takes="optional",
        metavar="=PATH",
    ),
    Option(
        ("--force",), Topic.OUTPUT, "replace files that this program did not write, or issued",
        (
            Scope(_WRITERS),
            Scope(("awards",), needs=("--output | --worklist",)),
            Scope(("fit",), needs=("--worklist",)),
            Scope(_EVERY, needs=("--json",)),
        ), takes="flag", default=False,
    ),
)  # fmt: skip

RUNNING: tuple[Option, ...] = (
    Option(
        ("--workers",), Topic.RUNNING, "processes; default: {default}",
        (
            Scope(("questions", *(k for k in STUDY_COMMANDS if k != "study paper"))),
            Scope(("study paper",), reproduction=("pieces",)),
        ), takes="workers", metavar="N", default=1,
    ),
    Option(
        ("--resume",), Topic.RUNNING,
        "keep what is finished in OUT.csv.unfinished while it runs, and go on from there if it is there",
        (Scope(STUDY_COMMANDS),), takes="flag", default=False,
    ),
    Option(
        ("--resume",), Topic.RUNNING,
        "keep what is finished in OUT.json.unfinished while it runs, and go on from there if it is there",
        (Scope(("questions",), needs=("--json",)),), takes="flag", default=False,
    ),
    Option(
        ("--debug",), Topic.RUNNING, "show where in the program a failure happened", (Scope(_EVERY),), takes="flag",
        default=False,
    ),
)  # fmt: skip

_SIZE_LEFT = "no --subjects | no --raters"
PLACES: tuple[Option, ...] = (
    Option(
        ("FILE",), Topic.SUBJECT, "a spreadsheet, a text file, a project, or sample:NAME",
        (
            Scope(("check", "fit", "agree", "scan", "pairs", "questions", "compare", "awards")),
            Scope(("report", "letters", "figure", "export")),
        ), required=True,
    ),
    Option(
        ("FILE",), Topic.SUBJECT, "ratings: a spreadsheet, a text file, a project, or sample:NAME",
        (
            Scope(tuple(f"study {kind}" for kind in ("horizon", "groups", "models", "influence"))),
            Scope(("study recovery",), needs=("--grid", _SIZE_LEFT)),
            Scope(("study kappa",), needs=(_SIZE_LEFT,)),
            Scope(("study plan",), needs=("no --param",)),
            Scope(("study paper",), reproduction=("own",)),
        ),
    ),
    Option(("PDF",), Topic.SUBJECT, "an issued report", (Scope(("verify",)),), metavar="OUT.pdf", required=True),
    Option(("PROJECT",), Topic.SUBJECT, "its project, or the data file it was made from", (Scope(("verify",)),)),
)  # fmt: skip

OPTIONS: tuple[Option, ...] = (
    *PLACES,
    *READING,
    *OF_FORMS,
    *ESTIMATION,
    *COMPARE,
    *STUDY,
    *REPORT,
    *TABLE_OF_FORMS,
    *TABLES,
    *OUTPUT,
    *RUNNING,
)

ON_A_FORM = frozenset(row.name for row in (*READING, *OF_FORMS, *TABLE_OF_FORMS)) | {
    *(
        "FILE",
        "--level",
        "--seed",
        "--title",
        "--form",
        "--rater-names",
        "--paper",
        "--apa",
        "--logo",
        "--no-archive",
        "--ppi",
        "--page",
        "--issued",
        "--notes",
    ),
    *("--output", "--json", "--force", "--debug"),
}
"""What has an effect on the one report of a whole form; the others are about the report of one question."""


@cache
def options_of(command: str) -> tuple[Option, ...]:
    """The options a command takes, in the order of the help."""
    return tuple(row for row in OPTIONS if command in row.commands)
