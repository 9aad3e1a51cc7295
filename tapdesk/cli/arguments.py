"""What can be typed: commands and options, declared."""

import argparse
from collections.abc import Iterator
from typing import Any, NoReturn

from tapdesk.cli.bounds import (
    CHAINS,
    DRAWS,
    RATERS,
    REPLICATES,
    ROW,
    SEED,
    SHARPNESS,
    SUBJECTS,
    WORKERS,
    dated,
    delimiter,
    listed,
    probability,
)
from tapdesk.errors import UsageError
from tapdesk.ratings.options import Layout, RatersAre, ReadingOptions, Uneven
from tapdesk.report.forms.size import USUAL
from tapdesk.studies.analysis import INTERVALS
from tapdesk.studies.of_size import SETS
from tapdesk.version import VERSION


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are told like all others; options are written out in full."""

    def __init__(self, **more: Any) -> None:
        super().__init__(allow_abbrev=False, **more)
        self.intermixed = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As usual; where ``intermixed`` is set, FILE may also stand between and after the options."""
        if not self.intermixed:
            return super().parse_known_args(args, namespace)
        # The other way of parsing may come back here.
        self.intermixed = False
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self.intermixed = True

    def error(self, message: str) -> NoReturn:
        """Raise the complaint instead of ending the program.

        Raises
        ------
        UsageError
            Always.
        """
        raise UsageError(f"{message[:1].upper()}{message[1:]}.", fix=f"See: {self.prog} --help")


def filtered(text: str) -> tuple[str, str]:
    """``COL=VALUE`` as a pair."""
    column, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"'{text}' is not of the form COL=VALUE.", fix='Write for example --where "year=2024".')
    return column.strip(), value.strip()


_PATHS = {"file", "output", "truth_out", "json", "picture", "logo", "pdf", "project"}


def refuse_what_is_no_text(args: argparse.Namespace) -> None:
    """Refuse what no system could have typed, bytes that are no letters (but in the name of a file), and blank names.

    Raises
    ------
    UsageError
        Naming the option.
    """
    for name, value in vars(args).items():
        option = f"--{name.replace('_', '-')}"
        if name in _PATHS - {"output"} and value == "":
            raise UsageError("The name of a file is blank.", option, "Write it in full, or leave the option out.")
        letters = {c for text in _texts(value) for c in text}
        if "\0" in letters or (name not in _PATHS and any("\ud800" <= c <= "\udfff" for c in letters)):
            raise UsageError(
                f"What is given with {option} is not text.",
                fix="Write it in the encoding of this terminal, which should be UTF-8.",
            )


def _texts(value: object) -> Iterator[str]:
    """The texts in what was given, which may be a list of lists."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)


def reading_parser() -> Parser:
    """The reading options, shared by all commands with FILE."""
    p = Parser(add_help=False)
    p.add_argument("file", metavar="FILE", help="a spreadsheet, a text file, a project, or sample:NAME")
    g = p.add_argument_group("how to read the file (each is guessed, and the guess is reported)")
    g.add_argument("--layout", choices=[x.value for x in Layout], default="auto")
    for name in ("subject", "rater", "rating", "question"):
        g.add_argument(f"--{name}", metavar="COL", help=f"the column that names the {name}")
    g.add_argument("--only", metavar="VALUE", help="the question to read")
    g.add_argument("--columns", metavar="A,B,C", type=listed, help="the rating columns of a wide layout")
    g.add_argument("--sheet", metavar="NAME")
    g.add_argument("--encoding", metavar="NAME")
    g.add_argument("--delimiter", metavar="SIGN", type=delimiter)
    g.add_argument("--decimal", choices=[".", ","])
    g.add_argument("--missing", metavar='"NA,.,99"', type=listed, help="texts that mean: no rating")
    g.add_argument("--order", metavar='"low,…,high"', type=listed, help="the classes, lowest first")
    g.add_argument("--class1", metavar='"A,B"', type=listed, help="the classes asked about; makes the data binary")
    g.add_argument("--class0", metavar='"C,D"', type=listed, help="the other side (default: the rest)")
    g.add_argument("--where", metavar='"COL=VALUE"', type=filtered, action="append", default=[])
    g.add_argument("--raters-are", choices=[x.value for x in RatersAre], help="whether columns are persons")
    g.add_argument("--count", metavar="COL", help="how many subjects each row stands for")
    g.add_argument("--header", metavar="ROW", type=ROW, help="the row of the header, counted from 1; 0 for none")
    g.add_argument("--header-rows", type=int, choices=[1, 2], help="how many rows the header has")
    g.add_argument("--last-row", metavar="ROW", type=ROW, help="the last row of the table; 0 for the last one there is")
    g.add_argument("--fill-down", action="store_true", help="a blank case is that of the row above")
    g.add_argument("--uneven", choices=[x.value for x in Uneven], default="refuse", help="rows of uneven length")
    g.add_argument("--leave-out-hidden", action="store_true", help="do not read hidden rows and columns of a workbook")
    g.add_argument("--strict", action="store_true", help="refuse when anything has to be asked")
    return p


def reading_options(args: argparse.Namespace) -> ReadingOptions:
    """The reading options as typed."""
    return ReadingOptions(
        layout=Layout(args.layout),
        subject=args.subject,
        rater=args.rater,
        rating=args.rating,
        question=args.question,
        only=args.only,
        columns=args.columns,
        sheet=args.sheet,
        encoding=args.encoding,
        delimiter=args.delimiter,
        decimal=args.decimal,
        missing=args.missing,
        order=args.order,
        class1=args.class1,
        class0=args.class0,
        where=tuple(args.where),
        raters_are=RatersAre(args.raters_are) if args.raters_are else None,
        count=args.count,
        strict=args.strict,
        header=args.header,
        header_rows=args.header_rows,
        uneven=Uneven(args.uneven),
        fill_down=args.fill_down,
        hidden=not args.leave_out_hidden,
        last=args.last_row,
    )


def fit_parser() -> Parser:
    """The fit options, shared by ``fit``, ``report`` and ``figure``."""
    p = Parser(add_help=False)
    g = p.add_argument_group("how to estimate")
    g.add_argument("--estimator", choices=["exact-em", "moment-em", "posterior"])
    g.add_argument("--interval", choices=INTERVALS, default="profile")
    g.add_argument("--level", type=probability, default=0.95)
    g.add_argument("--replicates", type=REPLICATES, default=2000, help="re-draws of a bootstrap")
    g.add_argument("--seed", type=SEED, default=1)
    g.add_argument("--prior", metavar='"a=beta(1,1)"', action="append", default=[])
    g.add_argument("--moment-prior", choices=["average", "flat"], default="average")
    g.add_argument("--chains", type=CHAINS)
    g.add_argument("--draws", type=DRAWS)
    g.add_argument("--subjects", action="store_true", help="add the probabilities of every subject")
    g.add_argument("--truth", choices=["free", "uniform"], default="free")
    g.add_argument("--covariates", metavar="COL,COL", type=listed, default=())
    g.add_argument("--sharpness", type=SHARPNESS, default=30.0)
    g.add_argument("--tests", action="store_true", help="add tests by parametric bootstrap")
    return p


def json_parser() -> Parser:
    """What all commands that answer can do with the answer."""
    p = Parser(add_help=False)
    p.add_argument("--json", nargs="?", const="-", metavar="PATH", help="print (or write) the answer as JSON")
    p.add_argument("--debug", action="store_true", help="show where in the program a failure happened")
    return p


def parser() -> Parser:
    """The whole command line."""
    top = Parser(
        prog="tapdesk",
        description="How much of the agreement between raters is knowledge and how much is luck. "
        "Without a command, or with a file alone, the window opens.",
    )
    top.add_argument("--version", action="version", version=f"tapdesk {VERSION}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    read, fit, say = reading_parser(), fit_parser(), json_parser()
    commands.add_parser("check", parents=[read, say], help="read a file, show what was understood, list findings")
    p = commands.add_parser("fit", parents=[read, fit, say], help="fit models")
    p.add_argument("--model", metavar="NAME[,NAME…]", type=listed, default=("t-a-p",))
    p = commands.add_parser("agree", parents=[read, say], help="every agreement coefficient")
    p.add_argument("--weights", type=listed, default=("identity",), metavar="NAME[,NAME…]")
    p.add_argument("--interval", choices=["analytic", "bootstrap", "none"], default="analytic")
    p.add_argument("--level", type=probability, default=0.95)
    p.add_argument("--replicates", type=REPLICATES, default=2000)
    p.add_argument("--seed", type=SEED, default=1)
    commands.add_parser("scan", parents=[read, fit, say], help="t-a-p, t-a-t and kappa at every cut of ordered classes")
    commands.add_parser("pairs", parents=[read, fit, say], help="conditional accuracy for every pair of classes")
    _simulate(commands.add_parser("simulate", parents=[say], help="ratings simulated from a model"))
    _study(commands.add_parser("study", parents=[say], help="simulation studies"))
    _report(commands.add_parser("report", parents=[read, fit, say], help="the whole report"))
    p = commands.add_parser("figure", parents=[read, fit, say], help="one figure")
    p.add_argument("--kind", metavar="NAME", required=True, help="'list' names them")
    p.add_argument("-o", "--output", metavar="OUT.png|.svg|.pdf")
    p.add_argument("--width", metavar="MM", type=float, default=USUAL.millimetres, help="width in millimetres")
    p.add_argument("--ppi", metavar="N", type=float, default=USUAL.ppi, help=".png: dots an inch")
    p.add_argument("--model", metavar="NAME", help="default: t-a-p, or t-a-t where that is not identified")
    p = commands.add_parser("selftest", parents=[say], help="try the program on a known example, step by step")
    p.add_argument("-o", "--output", metavar="FOLDER", help="keep what it writes in this folder")
    p = commands.add_parser("verify", parents=[say], help="does an issued report still match its project?")
    p.add_argument("pdf", metavar="OUT.pdf")
    p.add_argument("project", metavar="PROJECT", nargs="?")
    return top


def _report(p: argparse.ArgumentParser) -> None:
    p.add_argument("-o", "--output", metavar="OUT.pdf", required=True)
    p.add_argument("--title", default="")
    p.add_argument("--rater-names", choices=["names", "codes"], default="names", help="names, or codes such as A and B")
    p.add_argument("--paper", choices=["a4", "letter"], help="default: what the project remembers, else a4")
    p.add_argument("--apa", action="store_true", help="numbers in the style of the APA: .44")
    p.add_argument("--each", metavar="COL", help="one report for each text in this column; '*': for each question")
    p.add_argument("--leave-out", metavar="SECTIONS", action="append", help="sections to switch off, such as counts")
    p.add_argument("--by", metavar="COL", action="append", default=[], help="also the answer in every group of COL")
    p.add_argument("--contour", action="store_true", help="also how every two of t, a and p hang together")
    p.add_argument("--plan", action="store_true", help="also what studies of other sizes would tell")
    p.add_argument(
        "--recovery", action="store_true", help="also what the numbers imply and if they would be found again"
    )
    p.add_argument("--grid", action="store_true", help="also which numbers a study of this size could find")
    p.add_argument("--square", action="store_true", help="also if kappa is the square of the accuracy in such studies")
    p.add_argument("--sets", type=int, choices=SETS, help="data sets of each cell of these two; default: 1")
    scales = ("landis-koch", "fleiss", "altman")
    p.add_argument("--scale", choices=scales, help="print the words of this scale beside the coefficients")
    p.add_argument("--logo", metavar="FILE", help="picture of the committee: PNG, JPEG or SVG")
    p.add_argument(
        "--issued", metavar="YYYY-MM-DD", type=dated, help="not a draft: issued on this day, printed on each page"
    )
    p.add_argument("--ppi", metavar="N", type=float, default=144.0, help=".png: dots an inch")
    p.add_argument("--no-archive", action="store_true", help="PDF/UA-1 only, not also PDF/A-2a for long keeping")


def _simulate(p: argparse.ArgumentParser) -> None:
    p.add_argument("--model", default="t-a-p", metavar="NAME")
    p.add_argument("--param", action="append", default=[], metavar="t=.1,.2,.3,.4", required=True)
    p.add_argument("--subjects", type=SUBJECTS, required=True, metavar="N")
    p.add_argument("--raters", type=RATERS, required=True, metavar="R")
    p.add_argument("--classes", type=listed, metavar="A,B,C")
    p.add_argument("--exact", action="store_true", help="no chance: every pattern as often as expected")
    p.add_argument("--seed", type=SEED, default=1)
    p.add_argument("-o", "--output", metavar="OUT.csv", help="default: standard output")
    p.add_argument("--truth-out", metavar="TRUTH.csv", help="where to write the true classes")


def _study(p: Parser) -> None:
    p.intermixed = True
    kinds = ["recovery", "coverage", "kappa", "horizon", "plan", "paper", "groups", "models", "influence"]
    p.add_argument("kind", choices=kinds)
    p.add_argument("file", nargs="?", metavar="FILE")
    p.add_argument("--model", default="t-a-p", metavar="NAME")
    p.add_argument("--param", action="append", default=[], metavar="t=.1,.2,.3,.4")
    p.add_argument("--subjects", type=SUBJECTS, metavar="N")
    p.add_argument("--raters", type=RATERS, metavar="R")
    p.add_argument("--replicates", type=REPLICATES, metavar="SETS")
    p.add_argument("--seed", type=SEED, default=1)
    kinds = [*(kind for kind in INTERVALS if kind != "none"), "posterior"]
    p.add_argument("--interval", choices=kinds, help="coverage: only this kind of interval")
    p.add_argument("--workers", type=WORKERS, default=1, help="processes")
    p.add_argument("--class1", metavar='"A,B"', type=listed, help="the classes asked about, of FILE")
    p.add_argument("--by", metavar="COL", help="groups: the column whose values make the groups")
    p.add_argument("--figure", metavar="NAME", help="paper: which figure; 'list' names them, 'all' makes a page of all")
    p.add_argument(
        "--grid", action="store_true", help="recovery: the paper's 729 cells, in the size of FILE where it is named"
    )
    p.add_argument("--posterior", action="store_true", help="recovery of t-a-p: the exact posterior besides")
    p.add_argument(
        "-o", "--output", metavar="OUT.csv", help="the table; a name that ends in .svg, .png, .pdf: a picture"
    )
    p.add_argument("--picture", metavar="OUT.svg|.png|.pdf", help="the picture besides the table")
    p.add_argument(
        "--resume",
        action="store_true",
        help="keep what is finished in OUT.csv.unfinished while it runs, and go on from there if it is there",
    )
