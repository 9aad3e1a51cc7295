"""The options of documents, ``report`` before all: what is printed, for whom, on what paper.

They stand apart from the other options because they are read with every kind of document and with nothing else.
"""

from tapdesk.agreement.word_scales import SCALE_KEYS
from tapdesk.answers.demands import DEMANDS
from tapdesk.answers.figure import USUAL
from tapdesk.cli.option import FILES, Option, Scope, Topic
from tapdesk.studies.analysis import GRID_SETS


def _demanded() -> tuple[Option, ...]:
    """The options that ask for a part, but those that are of a fit as well."""
    return tuple(
        Option(
            (row.option,),
            Topic.REPORT,
            row.help,
            (Scope(("report",)),),
            several=True,
            default=(),
            metavar="NAME" if row.key == "pictures" else "COL",
        )
        if row.by_column
        else Option((row.option,), Topic.REPORT, row.help, (Scope(("report",)),), takes="flag", default=False)
        for row in DEMANDS
        if row.help
    )


_LETTERS = (Scope(("letters",)),)
_OF_LETTERS: tuple[Option, ...] = (
    Option(("--sender",), Topic.REPORT, "who sends the letters; it stands on each", _LETTERS, metavar="TEXT"),
    Option(("--contact",), Topic.REPORT, "where raters ask back", _LETTERS, metavar="TEXT"),
    Option(("--readers",), Topic.REPORT, "who else sees the number of a rater", _LETTERS, metavar="TEXT"),
    Option(
        ("--date",), Topic.REPORT, "of the letters; default: none is printed", _LETTERS, takes="day",
        metavar="YYYY-MM-DD",
    ),
    Option(
        ("--file-names",), Topic.REPORT, "the letters are called by the codes of the raters, or by their names; "
        "default: {default}", _LETTERS, choices=("codes", "names"), default="codes",
    ),
)  # fmt: skip
_NAMED = (Scope(("report", "export")), Scope(("figure",), needs=("no --kind list",)))
REPORT: tuple[Option, ...] = (
    Option(
        ("--title",), Topic.REPORT, "of the report", (Scope(("report", "letters")),), default="", metavar="TEXT",
    ),
    Option(
        ("--form",), Topic.REPORT, "the full report, two pages for a committee, or both; default: {default}",
        (Scope(("report",)),), choices=("full", "brief", "both"), default="full",
    ),
    Option(
        ("--appendix",), Topic.REPORT,
        "also what the full report leaves out for length, as a file of its own: further coefficients, checks of the "
        "model, all counts", (Scope(("report",), needs=("no --each",), suffix=(".pdf", ".html", ".docx")),),
        metavar="APPENDIX",
    ),
    Option(
        ("--rater-names",), Topic.REPORT, "names, or codes such as A and B; default: {default}", _NAMED,
        choices=("names", "codes"), default="names",
    ),
    Option(
        ("--case-names",), Topic.REPORT, "names of cases, or codes such as C01; default: what the project remembers",
        _NAMED, choices=("names", "codes"),
    ),
    Option(
        ("--paper",), Topic.REPORT, "default: what the project remembers, else a4",
        (Scope(("report",), suffix=(".pdf", ".docx", ".png")), Scope(("letters",))), choices=("a4", "letter"),
    ),
    Option(
        ("--paper",), Topic.REPORT, "default: {default}", (Scope(("dossier",)),), choices=("a4", "letter"),
        default="a4",
    ),
    Option(
        ("--apa",), Topic.REPORT, "numbers in the style of the APA: .44", (Scope(("report", "letters")),), takes="flag",
        default=False,
    ),
    Option(
        ("--each",), Topic.REPORT, "one report for each text in this column; '*': for each question",
        (Scope(("report",), format=FILES, suffix=(".pdf", ".html", ".docx", ".xlsx")),), metavar="COL",
    ),
    Option(
        ("--leave-out",), Topic.REPORT, "sections to switch off, such as counts", (Scope(("report",)),), several=True,
        default=(), metavar="SECTIONS",
    ),
    *_demanded(),
    Option(
        ("--sets",), Topic.REPORT, "data sets of each cell of --grid and --square; default: 1",
        (Scope(("report",), needs=(" | ".join(row.option for row in DEMANDS if row.by_sets),)),), takes="choice",
        choices=GRID_SETS,
    ),
    Option(
        ("--scale",), Topic.REPORT, "print the words of this scale beside the coefficients", (Scope(("report",)),),
        choices=SCALE_KEYS,
    ),
    Option(
        ("--direction",), Topic.REPORT,
        "which side of every line between classes is counted; default: what the project remembers, else above",
        (Scope(("report",), classes=("more",)),), choices=("above", "below"),
    ),
    Option(
        ("--logo",), Topic.REPORT, "picture of the committee: PNG, JPEG or SVG",
        (Scope(("report",), suffix=(".pdf", ".png", ".html")),), metavar="PICTURE",
    ),
    Option(
        ("--notes",), Topic.REPORT,
        'a TOML file of the committee\'s own words, such as committee = "Audit"; the help lists the names',
        (Scope(("report", "letters")),), metavar="FILE",
    ),
    *_OF_LETTERS,
    Option(
        ("--issued",), Topic.REPORT, "not a draft: issued on this day, printed on each page",
        (Scope(("report", "dossier")),), takes="day", metavar="YYYY-MM-DD",
    ),
    Option(
        ("--save-project",), Topic.REPORT, "write the project too, which later verifies the report",
        (Scope(("report",), needs=("no --each",)),), metavar="PROJECT",
    ),
    Option(
        ("--no-archive",), Topic.REPORT, "PDF/UA-1 only, not also PDF/A-2a for long keeping",
        (Scope(("report",), suffix=(".pdf",)),), takes="flag", default=False,
    ),
    Option(
        ("--kind",), Topic.REPORT, "which figure; 'list' names them", (Scope(("figure",)),), metavar="NAME",
        required=True,
    ),
    Option(
        ("--width",), Topic.REPORT, "width in millimetres; default: {default:g}",
        (Scope(("figure",), needs=("no --kind list",)),), takes="millimetres", metavar="MM", default=USUAL.millimetres,
    ),
    Option(
        ("--page",), Topic.REPORT, ".png: this page alone, as for a slide; default: all, numbered",
        (Scope(("report",), suffix=(".png",)),), takes="page", metavar="N",
    ),
    Option(
        ("--ppi",), Topic.REPORT, ".png: dots an inch; default: {default:g}",
        (Scope(("report",), suffix=(".png",)),), takes="dots", metavar="N", default=144.0,
    ),
    Option(
        ("--ppi",), Topic.REPORT, ".png: dots an inch; default: {default:g}",
        (Scope(("figure",), suffix=(".png",)),), takes="dots", metavar="N", default=USUAL.ppi,
    ),
)  # fmt: skip
