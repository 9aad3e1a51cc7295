"""How a file is to be read: what the user decided; everything else is guessed and reported."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path


class Layout(Enum):
    """What a row and a column of the file stand for."""

    AUTO = "auto"
    LONG = "long"
    RATERS = "raters"
    SUBJECTS = "subjects"
    QUESTIONS = "questions"
    COUNTS = "counts"
    CONFUSION = "confusion"


class RatersAre(Enum):
    """Whether columns are persons or seats that different persons may take."""

    SEATS = "seats"
    PEOPLE = "people"


class Uneven(Enum):
    """What to do with rows that have too few or too many cells."""

    REFUSE = "refuse"
    FIT = "fit"


@dataclass(frozen=True)
class QuestionOptions:
    """What holds for one question of a form in place of what holds for all; a field left alone is as for all.

    Attributes
    ----------
    question
        Its name.
    missing, order, class1, class0
        As in `ReadingOptions`.
    """

    question: str
    missing: tuple[str, ...] | None = None
    order: tuple[str, ...] | None = None
    class1: tuple[str, ...] | None = None
    class0: tuple[str, ...] | None = None


@dataclass(frozen=True)
class ReadingOptions:
    """What the user decided about reading; a field left alone is guessed and the guess is reported.

    Attributes
    ----------
    layout
        What rows and columns stand for.
    subject, rater, rating
        Names of columns; a blank subject says that no column names the cases.
    question, only
        The column that names the question, and the question to read.
    columns
        The rating columns of a wide layout.
    sheet
        The sheet of a workbook; ``*`` stacks all sheets of one shape, each sheet one rater.
    encoding, delimiter, decimal
        How text becomes cells and numbers.
    missing
        Texts that mean "no rating", besides blank cells; an empty tuple means blank cells only.
    order
        The classes, lowest first.
    class1, class0
        The classes of the two sides of a binary question.
    where, where_not
        Pairs of column and value: only such rows are read, and none of the others.
    raters_are
        Persons or seats.
    count
        The column that says how many subjects a row stands for.
    strict
        Whether a finding that asks stops the reading.
    header
        The row of the file that holds the (first) header, 0 when there is none.
    uneven
        Whether rows of uneven length are refused or filled up and cut.
    fill_down
        Whether a blank case cell takes the case of the row above.
    header_rows
        How many rows the header has, 1 or 2.
    hidden
        Whether hidden rows and columns of a workbook are read.
    last
        The last row of the table in the file, 0 for the last one that is there.
    keep_summaries
        Whether rows, columns and numbers that look like summaries or known answers are ratings: the user said so.
    known
        The column that holds answers known to be true of the cases, which are no ratings.
    label
        Of sets of labels such as ``trust; fear`` the one that is asked about: class 1 are the sets that hold it.
    unordered
        Whether the classes in ``order`` only stand so and mean no order.
    of_questions
        What is otherwise for single questions of a form.
    known_sheet
        The sheet beside the ratings that holds known answers; ``known`` is its column then, where it has several.
    rater_sheet
        The sheet beside the ratings that holds those of one more rater.
    known_as
        Pairs of a known answer as it is written and the class that is meant.
    known_by
        Who wrote the known answers, in the user's words.
    without
        Questions of a form that are used for nothing, such as a fact that each rater copied.
    blank
        The class that a blank cell among the ratings means, such as that no label applies; None for no rating.
    abstain
        Classes that tell nothing of the case, such as "cannot say": no case truly is one; None where nothing was said.
    """

    layout: Layout = Layout.AUTO
    subject: str | None = None
    rater: str | None = None
    rating: str | None = None
    question: str | None = None
    only: str | None = None
    columns: tuple[str, ...] | None = None
    sheet: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    missing: tuple[str, ...] | None = None
    order: tuple[str, ...] | None = None
    class1: tuple[str, ...] | None = None
    class0: tuple[str, ...] | None = None
    where: tuple[tuple[str, str], ...] = ()
    raters_are: RatersAre | None = None
    count: str | None = None
    strict: bool = False
    header: int | None = None
    uneven: Uneven = Uneven.REFUSE
    fill_down: bool = False
    header_rows: int | None = None
    hidden: bool = True
    last: int | None = None
    where_not: tuple[tuple[str, str], ...] = ()
    keep_summaries: bool = False
    known: str | None = None
    label: str | None = None
    unordered: bool = False
    of_questions: tuple[QuestionOptions, ...] = ()
    without: tuple[str, ...] = ()
    blank: str | None = None
    abstain: tuple[str, ...] | None = None
    known_sheet: str | None = None
    rater_sheet: str | None = None
    known_as: tuple[tuple[str, str], ...] = ()
    known_by: str = ""

    def for_question(self, name: str | None) -> "ReadingOptions":
        """The same options, with what is otherwise for the question of that name."""
        own = next((one for one in self.of_questions if one.question == name), None)
        if own is None:
            return self
        given = {f: getattr(own, f) for f in ("missing", "order", "class1", "class0") if getattr(own, f) is not None}
        if own.class1 is not None and own.class0 is None:
            given["class0"] = None
        return replace(self, **given)

    def with_missing_of(self, name: str, codes: tuple[str, ...]) -> "ReadingOptions":
        """The same options, with codes of its own for one question."""
        own = next((one for one in self.of_questions if one.question == name), QuestionOptions(name))
        rest = tuple(one for one in self.of_questions if one.question != name)
        return replace(self, of_questions=(*rest, replace(own, missing=codes)))

    @property
    def classes(self) -> tuple[str, ...]:
        """The texts the user named as classes: in the order, in class 1 or in class 0."""
        return (*(self.order or ()), *(self.class1 or ()), *(self.class0 or ()))

    def without_classes(self, texts: Collection[str]) -> "ReadingOptions":
        """The same options, naming none of these texts as a class."""

        def others(named: tuple[str, ...] | None) -> tuple[str, ...] | None:
            return None if named is None else tuple(text for text in named if text not in texts) or None

        return replace(self, order=others(self.order), class1=others(self.class1), class0=others(self.class0))


@dataclass(frozen=True, eq=False)
class Source:
    """Where ratings come from and how the file was understood.

    Attributes
    ----------
    name, path, sha256
        The file; a path of None means it came with the program. Several files that were read as one stand in the
        path one per line.
    format, sheet, sheets, encoding, delimiter, decimal
        How it was opened; None where it does not apply.
    layout
        What rows and columns stand for.
    header_rows
        The rows of the file that hold the header, counted from 1.
    rows, columns
        Size of the table below the header.
    roles
        Role to column name: subject, rater, rating, question, count, known.
    rating_columns
        The rating columns of a wide layout.
    guessed
        Names of the options that were guessed.
    words
        Sentences that tell how it was read.
    sentence
        One rating told in words, the test whether it was read rightly.
    """

    name: str
    path: Path | None
    sha256: str
    format: str
    sheet: str | None
    sheets: tuple[str, ...]
    layout: Layout
    encoding: str | None
    delimiter: str | None
    decimal: str | None
    header_rows: tuple[int, ...]
    rows: int
    columns: int
    roles: Mapping[str, str]
    rating_columns: tuple[str, ...]
    guessed: tuple[str, ...]
    words: tuple[str, ...]
    sentence: str


@dataclass(frozen=True, eq=False)
class Preview:
    """The first rows of the file as they stand in it.

    Attributes
    ----------
    header
        The names of the columns as understood.
    rows
        At most 200 rows of texts from the top of the file, header and letterhead included.
    first
        The row of the file with the first data, counted from 1.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    first: int
