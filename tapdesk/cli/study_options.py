"""The options of simulations and studies: rows of the table of options (`options`), in a file for their number."""

from tapdesk.cli.option import STUDIES, Option, Scope, Topic
from tapdesk.studies.analysis import BELIEF_SETS, COVERAGE_KINDS, COVERAGE_SETS, SHARE_SETS

STUDY_COMMANDS = tuple(f"study {k}" for k in STUDIES)
"""Every kind of study as a command."""
_SIMULATED = (
    "recovery",
    "coverage",
    "shares",
    "beliefs",
    "awards",
    "judges",
    "words",
    "kappa",
    "horizon",
    "plan",
    "models",
)
_SET_SIZES = ("--param | --grid",)
_MADE = (
    Scope(("simulate",), needs=("no --exact",)),
    Scope(("study recovery",), needs=("--param", "no --grid")),
    Scope(("study plan",), needs=("--param",)),
)
_PARTLY = ", ".join(kind for kind in COVERAGE_KINDS if kind != "profile")
STUDY: tuple[Option, ...] = (
    Option(
        ("--model",), Topic.STUDY, "the model; default: {default}",
        (Scope(("simulate", "study groups")), Scope(("study recovery",), needs=("--param", "no --grid"))),
        metavar="NAME", default="t-a-p",
    ),
    Option(
        ("--model",), Topic.STUDY, "the model; of another one than {default} all its numbers are planned",
        (Scope(("study plan",), needs=("--param",)),),
        metavar="NAME", default="t-a-p",
    ),
    Option(
        ("--param",), Topic.STUDY, "a number of the model; named again for each", (Scope(("simulate",)),),
        several=True, default=(), metavar="t=.1,.2,.3,.4", required=True,
    ),
    Option(
        ("--param",), Topic.STUDY, "a number of the model; named again for each",
        (Scope(("study recovery",), needs=("no --grid",)), Scope(("study plan",))), several=True, default=(),
        metavar="t=.1,.2,.3,.4",
    ),
    Option(
        ("--subjects",), Topic.STUDY, "cases", (Scope(("simulate",)),), takes="subjects", metavar="N", required=True,
    ),
    Option(
        ("--raters",), Topic.STUDY, "ratings of each case", (Scope(("simulate",)),), takes="raters", metavar="R",
        required=True,
    ),
    Option(
        ("--subjects",), Topic.STUDY, "cases; default: as in FILE, or as in the paper",
        (Scope(("study recovery",), needs=_SET_SIZES), Scope(("study kappa",))), takes="subjects", metavar="N",
    ),
    Option(
        ("--subjects",), Topic.STUDY, "cases, one number or several; default: 30,50,100,200,400,800",
        (Scope(("study plan",), needs=("no --width",)),), takes="sizes", metavar="N,N,N",
    ),
    Option(
        ("--width",), Topic.STUDY, "find the cases after which the accuracy is known within such a width",
        (Scope(("study plan",), needs=("--model t-a-p",)),), takes="share", metavar="W",
    ),
    Option(
        ("--raters",), Topic.STUDY, "ratings of each case; default: as in FILE, or as in the paper",
        (Scope(("study recovery",), needs=_SET_SIZES), Scope(("study kappa",))), takes="raters", metavar="R",
    ),
    Option(
        ("--raters",), Topic.STUDY, "ratings of each case, one number or several; default: 2,3,4,5,8",
        (Scope(("study plan",)),), takes="sizes", metavar="R,R",
    ),
    Option(
        ("--classes",), Topic.STUDY, "their names; default: 0,1, or 1,2,3 and so on", (Scope(("simulate",)),),
        takes="list", metavar="A,B,C",
    ),
    Option(
        ("--groups",), Topic.STUDY, "of models of groups such as tg-a-p: the names of the groups, which cases are "
        "of in turn; numbers of one go in brackets, such as t[A]=.2",
        _MADE, takes="list", metavar="A,B", default=(),
    ),
    Option(
        ("--repeats",), Topic.STUDY, "of models of repeats such as t-aj-p+m: cases that every rater rates twice",
        _MADE, takes="repeats", metavar="N", default=0,
    ),
    Option(
        ("--drift",), Topic.STUDY, "a rater whose accuracy changes from the first rating to the last, with both; named "
        "again for each; the column order then says which rating came when",
        (Scope(("simulate",), needs=("no --exact",)),), metavar="J1=.9,.3", several=True, default=(),
    ),
    Option(
        ("--exact",), Topic.STUDY, "no chance: every pattern as often as expected", (Scope(("simulate",)),),
        takes="flag", default=False,
    ),
    Option(
        ("--replicates",), Topic.STUDY,
        f"data sets of each cell; default: {COVERAGE_SETS[0]} for profile intervals, {COVERAGE_SETS[1]} for {_PARTLY}, "
        "which take half a second each",
        (Scope(("study coverage",)),), takes="replicates", metavar="SETS",
    ),
    Option(
        ("--replicates",), Topic.STUDY, "panels of each world; default: 40, several seconds each",
        (Scope(("study words",)),), takes="replicates", metavar="SETS",
    ),
    Option(
        ("--world",), Topic.STUDY, "only this world; may be repeated; default: all", (Scope(("study words",)),),
        metavar="NAME", several=True, default=(),
    ),
    Option(
        ("--replicates",), Topic.STUDY,
        f"panels of each cell that cannot be counted through; default: {SHARE_SETS}", (Scope(("study shares",)),),
        takes="replicates", metavar="SETS",
    ),
    Option(
        ("--replicates",), Topic.STUDY, "juries of each kind of scores; default: 100, some seconds each",
        (Scope(("study awards", "study judges")),), takes="replicates", metavar="SETS",
    ),
    Option(
        ("--replicates",), Topic.STUDY, f"data sets of each panel; default: {BELIEF_SETS}",
        (Scope(("study beliefs",)),), takes="replicates", metavar="SETS",
    ),
    Option(
        ("--replicates",), Topic.STUDY, "data sets; default: with --grid 1, else 20", (Scope(("study recovery",)),),
        takes="replicates", metavar="SETS",
    ),
    Option(
        ("--replicates",), Topic.STUDY, "data sets of each cell; default: 1", (Scope(("study kappa",)),),
        takes="replicates", metavar="SETS",
    ),
    Option(
        ("--replicates",), Topic.STUDY, "data sets; default: 2000", (Scope(("study horizon",)),), takes="replicates",
        metavar="SETS",
    ),
    Option(
        ("--replicates",), Topic.STUDY, "data sets of each size; default: 200, of another --model 100",
        (Scope(("study plan",)),), takes="replicates", metavar="SETS",
    ),
    Option(
        ("--replicates",), Topic.STUDY, "data sets of each test; default: 1000", (Scope(("study models",)),),
        takes="replicates", metavar="SETS",
    ),
    Option(
        ("--replicates",), Topic.STUDY, "data sets of figures that are simulated; default: as in the paper",
        (Scope(("study paper",), reproduction=("sets",)),), takes="replicates", metavar="SETS",
    ),
    Option(
        ("--seed",), Topic.STUDY, "of everything random; default: {default}",
        (
            Scope(("simulate",), needs=("no --exact",)),
            Scope(tuple(f"study {kind}" for kind in _SIMULATED)),
            Scope(("study paper",), reproduction=("random", "no own")),
            Scope(("study paper",), reproduction=("random", "own"), needs=("no FILE",)),
        ), takes="seed", metavar="N", default=1,
    ),
    Option(
        ("--interval",), Topic.STUDY, "only this kind of interval; default: all", (Scope(("study coverage",)),),
        choices=COVERAGE_KINDS,
    ),
    Option(
        ("--by",), Topic.STUDY, "the column whose values make the groups; with a --model of groups such as tg-a-p "
        "all stand in one model, with a test whether they are alike", (Scope(("study groups",)),), metavar="COL",
    ),
    Option(
        ("--figure",), Topic.STUDY, "which figure; 'list' names them, 'all' makes a page of all",
        (Scope(("study paper",)),), metavar="NAME",
    ),
    Option(
        ("--grid",), Topic.STUDY, "the paper's 729 cells, in the size of FILE where it is named",
        (Scope(("study recovery",)),), takes="flag", default=False,
    ),
    Option(
        ("--posterior",), Topic.STUDY, "of t-a-p with two classes: the exact posterior besides",
        (Scope(("study recovery",), needs=_SET_SIZES),), takes="flag", default=False,
    ),
)  # fmt: skip
