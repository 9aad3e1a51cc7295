"""What an option of the command line is, and the words that say where one has an effect."""

from dataclasses import dataclass
from enum import Enum


class Topic(Enum):
    """What an option is about; the value is the heading above its group in the help."""

    SUBJECT = "what it is about"
    READING = "how to read the file (each is guessed, and the guess is reported)"
    ESTIMATION = "how to estimate"
    STUDY = "what is simulated and asked"
    REPORT = "what the report holds"
    TABLE = "what the table holds"
    OUTPUT = "where the answer goes"
    RUNNING = "how it runs"


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an option has an effect: every condition that is set must hold; an empty one always does.

    Attributes
    ----------
    commands
        ``fit``, or a kind of study as ``study plan``.
    layout, format, classes
        Of FILE once it is read: one of `LAYOUTS`, of `FORMATS`, ``two`` or ``more``.
    model, method
        Of the analysis: a name of the catalog, one of `METHODS`.
    suffix
        Of the file that is written.
    reproduction
        Of the figure of ``study paper``: attributes of its row that must be so, or with ``no `` in front must not.
    needs
        What must hold of other options: each entry names one, ``--tests``, ``--interval bootstrap``, ``FILE``, or says
        that it is not so, ``no --exact``; or several with ``|`` between, of which one must hold.
    values
        The values of the option itself that have an effect.
    """

    commands: tuple[str, ...]
    layout: tuple[str, ...] = ()
    format: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    model: tuple[str, ...] = ()
    method: tuple[str, ...] = ()
    suffix: tuple[str, ...] = ()
    reproduction: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    values: tuple[str, ...] = ()

    @property
    def figure(self) -> tuple[str, ...]:
        """The figures of ``study paper`` with which the option has an effect; ``all`` takes no ratings of its own."""
        if not self.reproduction:
            return ()
        from tapdesk.papers.catalog import REPRODUCTIONS

        wanted = {name.removeprefix("no "): not name.startswith("no ") for name in self.reproduction}
        names = [row.name for row in REPRODUCTIONS if all(getattr(row, n) is so for n, so in wanted.items())]
        return tuple(names) if wanted.get("own") else (*names, "all")


@dataclass(frozen=True, slots=True)
class Option:
    """One option of the command line, or FILE.

    Attributes
    ----------
    names
        As typed, the long one last; a name without a dash is told by its place.
    group, help
        For the help; ``{default}`` in the help is the default.
    cells
        Where it has an effect; commands that are in none do not take it.
    takes
        What it takes, a key of `arguments.TYPES`; ``flag`` for nothing, ``optional`` for a text that may be left out.
    metavar, choices
        As `argparse` has them.
    several
        Whether it may be named again, each time adding to the list.
    default
        What holds where it is not named.
    required
        Whether it has to be named.
    """

    names: tuple[str, ...]
    group: Topic
    help: str
    cells: tuple[Scope, ...]
    takes: str = "text"
    metavar: str | None = None
    choices: tuple[str | int, ...] = ()
    several: bool = False
    default: object = None
    required: bool = False

    @property
    def name(self) -> str:
        """The name in sentences."""
        return self.names[-1]

    @property
    def key(self) -> str:
        """The name of its value among the arguments."""
        return self.name.lstrip("-").replace("-", "_").lower()

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands that take it."""
        return tuple(dict.fromkeys(command for cell in self.cells for command in cell.commands))


STUDIES: dict[str, str] = {
    "recovery": "are known numbers found again in simulated ratings?",
    "coverage": "how often intervals hold the truth",
    "words": "how often what is said is false, in simulated worlds",
    "shares": "how often the two shares of a rating lie in their intervals",
    "beliefs": "how often cases are what they are said to be",
    "awards": "how often entries are worth what they are said to be worth",
    "judges": "how often the intervals of a judge's numbers hold the truth",
    "kappa": "Fleiss' kappa against the square of the accuracy",
    "horizon": "how large root kappa gets by luck on the design of a file",
    "plan": "how narrow intervals get with more cases and raters",
    "paper": "the figures of the papers, as numbers and pictures",
    "groups": "the model fitted to every group of a file",
    "models": "the models of the sharing grid, and the tests between them",
    "influence": "the accuracy with each rater left out",
}
PAPERS = {"a4": "a4", "letter": "us-letter"}
"""Sheets of paper by the word of the option, as typst calls them."""
FIELDS: dict[str, str] = {
    "accuracy_range": "every accuracy that fits equally well where an assumption is not made, or null",
    "accuracy_range.low": "the lowest of them; `high` the highest",
    "accuracy_range.outer_low": "lower end of an interval of that range, at its `level`; `outer_high` the upper one",
    "accuracy_range.without": "the assumption it does without",
    "accuracy_range.assumed": "the accuracy under that assumption: `value`, `low`, `high`",
    "misfit": "whether the model describes the ratings, or null where nothing was tested",
    "misfit.level": "below which p-value a test rejects: of two tests 5 in 100 by luck together",
    "misfit.rejects": "whether one of them does",
    "misfit.tests": "the test of fit `G2` by class counts, and `equal raters`: does it matter who gave a rating?",
    "subjects.probabilities": "of each case the probability of each class, averaged over what is not known",
    "subjects.at_estimate": "the same with the estimates taken as known, which is too sure in small panels",
}
"""Fields of one of the `fits` of `tapdesk fit --json` that are not named by what they hold."""
LAYOUTS = {
    "long": "long",
    "raters": "raters",
    "subjects": "subjects",
    "questions": "questions (in columns)",
    "questions-column": "questions (named in a column)",
    "counts": "counts (a column for each class)",
    "counts-class1": "counts (n_ratings and n_class1)",
    "confusion": "confusion",
}
TEXT, PAGE = ("csv", "tsv"), ("html",)
BOOKS, STATISTICS = ("xlsx", "xlsb", "xls", "ods"), ("sav", "dta")
JSON = ("json",)
FILES = (*TEXT, *PAGE, *BOOKS, *STATISTICS, *JSON)
PROJECT, ANSWERED = "project", "answered project"
FORMATS = {
    **{name: f".{name} files" for name in FILES},
    PROJECT: "projects without answers",
    ANSWERED: "projects with answers of their own",
}
EXACT, MOMENT, QUADRATURE, SAMPLING = "exact-em", "moment-em", "the exact posterior", "a sampled posterior"
METHODS = (EXACT, MOMENT, QUADRATURE, SAMPLING)
