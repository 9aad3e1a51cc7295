"""A figure of a paper reproduced: what that is, how it is made, and the page that sets it beside the paper's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tapdesk.answers.svg.sheet import Sheet
from tapdesk.errors import CannotAnswerError
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read
from tapdesk.studies.parallel import FinishedPieces
from tapdesk.studies.table import StudyTable

MRR = _("D. Eubanks, Modeling Raters and Ratings (2020)")
KZ4 = _("D. Eubanks, Kappa Zoo, ch. 4: More parameters")
KZ9 = _("D. Eubanks, Kappa Zoo, ch. 9: Multinomial Rater Models")
CK = _("A worked multiclass Cohen's kappa")


@dataclass(frozen=True, eq=False)
class FigureRequest:
    """How a figure is to be made.

    Attributes
    ----------
    seed
        Of everything random.
    workers
        Number of processes; the numbers do not depend on it.
    replicates
        Simulated data sets; None for as many as the paper has.
    ratings
        The user's own data, for figures that are drawn of data; None for the example that comes with the program.
    kept
        Of a study in pieces: what is finished of it.
    """

    seed: int = 1
    workers: int = 1
    replicates: int | None = None
    ratings: Ratings | None = None
    kept: FinishedPieces | None = None

    def sets(self, usual: int) -> int:
        """How many data sets to simulate."""
        return self.replicates or usual


@dataclass(frozen=True, slots=True)
class PaperNumber:
    """A number that a paper prints, or that follows from its settings, and ours.

    Attributes
    ----------
    what
        What it is of.
    paper, ours
        Both values.
    within
        How far apart they may be: half of the last digit that is printed, or what random numbers of another seed do.
    """

    what: str
    paper: float
    ours: float
    within: float

    @property
    def agrees(self) -> bool:
        """Whether ours is the paper's."""
        return bool(abs(self.ours - self.paper) <= self.within)


def not_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """Of a figure of which the paper prints no number and implies none: what is drawn is compared by its shape."""
    del table
    return ()


@dataclass(frozen=True, slots=True)
class Reproduction:
    """One figure of a paper.

    Attributes
    ----------
    name
        As on the command line.
    title
        What is shown.
    source
        The paper.
    says
        What the paper says there, and where our version has to differ from it.
    run
        From what is asked to the numbers of the figure.
    draw
        The picture of these numbers.
    own
        Whether it can be drawn of the user's own ratings.
    pieces
        Whether it is made in pieces, so that it can be gone on with.
    sets
        Whether the number of simulated data sets can be chosen.
    random
        Whether anything is drawn; of a figure that can be drawn of the user's own ratings, where it is not.
    printed
        The numbers of the paper with ours beside them; of the paper's data only, never of the user's.
    """

    name: str
    title: str
    source: str
    says: str
    run: Callable[[FigureRequest], Run[StudyTable]]
    draw: Callable[[StudyTable], Sheet]
    own: bool = False
    pieces: bool = False
    sets: bool = False
    random: bool = False
    printed: Callable[[StudyTable], tuple[PaperNumber, ...]] = not_printed

    def sheet(self, table: StudyTable) -> Sheet:
        """The picture, its note begun with what the table is of."""
        return sized_sheet(self.draw, table)


def sized_sheet(draw: Callable[[StudyTable], Sheet], table: StudyTable) -> Sheet:
    """The picture of a table, its note begun with the size of the data."""
    sheet = draw(table)
    return replace(sheet, note=f"{table.size} {sheet.note}".strip())


def size_of_data(ratings: Ratings) -> str:
    """How many ratings a figure of data is drawn of."""
    sentence = _("N = {subjects:,.0f} subjects, {ratings:,.0f} ratings.")
    if ratings.raters_known:
        sentence = _("N = {subjects:,.0f} subjects, {raters:,} raters, {ratings:,.0f} ratings.")
    return sentence.format(subjects=ratings.subject_count, raters=len(ratings.raters), ratings=ratings.rating_count)


def size_of_sets(sets: int, subjects: int, raters: int) -> str:
    """How large simulated data sets are, and how many there are of each."""
    return _("{subjects:,} subjects × {raters} raters; data sets of each kind: {sets:,}.").format(
        subjects=subjects, raters=raters, sets=sets
    )


def example(name: str) -> Run[Ratings]:
    """The ratings of a sample that comes with the program."""
    result = yield from read(f"sample:{name}")
    return result.ratings


def data_of(request: FigureRequest, sample: str) -> Run[Ratings]:
    """The user's own ratings, or those of a sample where none are given."""
    return request.ratings if request.ratings is not None else (yield from example(sample))


def two_classes(ratings: Ratings) -> Ratings:
    """The same ratings.

    Raises
    ------
    CannotAnswerError
        When they are not in two classes; says how to count some of them.
    """
    if len(ratings.classes) == 2:
        return ratings
    raise CannotAnswerError(
        _("This figure is for two classes, and there are {classes}.").format(classes=len(ratings.classes)),
        fix=_("Name the classes that make up class 1 with --class1."),
    )


_HEAD = """# The papers, reproduced

Every figure below was computed and drawn by this program. All of them again, into a folder of yours:

    tapdesk study paper --figure all -o FOLDER

One of them, its numbers and its picture:

    tapdesk study paper --figure NAME -o NAME.csv --picture NAME.svg

Simulations start from seed 1 and give the same numbers whatever the number of `--workers`. Where the papers' ratings
are not public, or their settings are not printed, ours are named as *ours*.
"""
_OWN = "It can be drawn of your own ratings: `tapdesk study paper --figure {name} FILE -o {name}.svg`."


def verdict(numbers: Sequence[PaperNumber]) -> str:
    """How many of the paper's numbers are found, in a sentence; empty where there are none."""
    if not numbers:
        return ""
    agree = sum(one.agrees for one in numbers)
    return ngettext(
        "{agree} of {n} number of the paper agrees with ours", "{agree} of {n} numbers of the paper agree with ours",
        len(numbers),
    ).format(agree=agree, n=len(numbers))  # fmt: skip


def _numbers(numbers: Sequence[PaperNumber]) -> list[str]:
    """The paper's numbers and ours as a table, and how many agree."""
    if not numbers:
        return []
    head = ["| of | paper | ours | within | agrees |", "| --- | ---: | ---: | ---: | --- |"]
    rows = (
        f"| {one.what} | {one.paper:.6g} | {one.ours:.6g} | {one.within:.2g} | {'yes' if one.agrees else '**no**'} |"
        for one in numbers
    )
    return [f"{verdict(numbers)}.", "", *head, *rows, ""]


def page(made: Sequence[tuple[Reproduction, StudyTable]]) -> str:
    """The page as Markdown.

    Parameters
    ----------
    made
        Each figure and its numbers; its picture stands beside the page as ``NAME.png``.
    """
    parts = [_HEAD, *(f"- [{row.title}](#{row.name})" for row, _table in made), ""]
    for row, table in made:
        sheet = row.sheet(table)
        parts += [
            f'## <a id="{row.name}"></a>{row.title}',
            "",
            f"- *Source:* {row.source}.",
            f"- *The paper:* {_joined(row.says)}",
            f"- *We find:* {sheet.title}.",
            "",
            f"![{_plain(sheet.alt)}]({row.name}.png)",
            "",
            *([sheet.note, ""] if sheet.note else []),
            *_numbers(row.printed(table)),
            *([_OWN.format(name=row.name), ""] if row.own else []),
        ]
    return "\n".join(parts)


def _joined(says: str) -> str:
    """What the paper says, and ours set apart."""
    return says.replace(" Ours: ", "\n- *Ours:* ")


def _plain(alt: str) -> str:
    """Words for a picture, without signs that mean something in Markdown."""
    return alt.replace("[", "(").replace("]", ")").replace("*", "×")
