"""What a reproduction of a figure is, and how one is to be made."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from tapdesk.answers.svg.sheet import Sheet
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read
from tapdesk.studies.checkpoint import FinishedPieces
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

    def sheet(self, table: StudyTable) -> Sheet:
        """The picture, its note begun with what the table is of."""
        return sized_sheet(self.draw, table)


def sized_sheet(draw: Callable[[StudyTable], Sheet], table: StudyTable) -> Sheet:
    """The picture of a table, its note begun with the size of the data."""
    sheet = draw(table)
    return replace(sheet, note=f"{table.size} {sheet.note}".strip())


def size_of_data(ratings: Ratings) -> str:
    """How many ratings a figure of data is drawn of."""
    told = _("N = {subjects:,.0f} subjects, {ratings:,.0f} ratings.")
    if ratings.raters_known:
        told = _("N = {subjects:,.0f} subjects, {raters:,} raters, {ratings:,.0f} ratings.")
    return told.format(subjects=ratings.subject_count, raters=len(ratings.raters), ratings=ratings.rating_count)


def size_of_sets(sets: int, subjects: int, raters: int) -> str:
    """How large simulated data sets are, and how many there are of each."""
    return _("{subjects:,} subjects × {raters} raters; data sets of each kind: {sets:,}.").format(
        subjects=subjects, raters=raters, sets=sets
    )


def example(name: str) -> Run[Ratings]:
    """The ratings of a sample that comes with the program."""
    found = yield from read(f"sample:{name}")
    return found.ratings
