"""A part of what is said about an answer: described once, shown by window, report, terminal and JSON.

A part stands in `tapdesk.answers.parts.PARTS`; whoever shows it takes its title, its sentences, its tables and its
figures from here and writes none of its own, so that two faces of the program cannot say two things.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from tapdesk.answers.content import Block, Number, Paragraph, Picture, Table, Tone
from tapdesk.answers.demands import Demand
from tapdesk.answers.figure_table import records_of
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.answers.side_results import Basis, SideResults
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.project.project import Analysis
from tapdesk.ratings.ratings import Ratings


@dataclass(frozen=True, eq=False)
class Answer:
    """The answer of one analysis with all that stands beside it, people and cases called as they are to be shown.

    Attributes
    ----------
    result
        The numbers; None where there are none for these ratings, and only what is about the ratings can be said.
    ratings
        What they were fitted to.
    every
        The same ratings before a class 1 was chosen; the ratings themselves where none was.
    side
        Coefficients and studies of these ratings.
    analysis
        Question and request; None for a fit of the command line.
    style
        How numbers are written.
    scale
        Key of the scale whose words stand beside the coefficients; empty for none.
    coded
        Whether raters are called by codes.
    """

    result: Fit | None
    ratings: Ratings
    every: Ratings
    side: SideResults = field(default_factory=SideResults)
    analysis: Analysis | None = None
    style: Style = SCREEN
    scale: str = ""
    coded: bool = False

    @property
    def fit(self) -> Fit:
        """The numbers.

        Raises
        ------
        ValueError
            When there are none.
        """
        if self.result is None:
            raise ValueError("there are no numbers for these ratings")
        return self.result

    @property
    def stale(self) -> bool:
        """Whether the data changed after the run."""
        return self.analysis is not None and self.analysis.stale


@dataclass(frozen=True, slots=True)
class Missing:
    """That a part has nothing to show, and why.

    Attributes
    ----------
    reason
        One sentence.
    tone, opening
        How it is printed: a warning where the part was asked for, bold words before it.
    blocks
        What can be said all the same.
    quiet
        Whether paper goes without it: it says of the kind of data what their reader knows.
    """

    reason: str
    tone: Tone = Tone.BODY
    opening: str = ""
    blocks: tuple[Block, ...] = ()
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Content:
    """What a part says.

    Attributes
    ----------
    blocks
        Sentences, pictures and tables in the order of the page; the first table is the whole of what the pictures show.
    caption
        A few words beside the title.
    title
        A title that says the finding; empty where the part's own stands.
    headline
        Of a question this part answers: the sentence, and what follows from it.
    """

    blocks: tuple[Block, ...]
    caption: str = ""
    title: str = ""
    headline: tuple[str, str] | None = None

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """Its sentences."""
        return tuple(block for block in self.blocks if isinstance(block, Paragraph))

    @property
    def tables(self) -> tuple[Table, ...]:
        """Its tables."""
        return tuple(block for block in self.blocks if isinstance(block, Table))

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """Its pictures."""
        return tuple(block for block in self.blocks if isinstance(block, Picture))


class About(Enum):
    """What a part is about, and so how often a document of several answers says it."""

    RATINGS = "the ratings alone: once, also where there are no numbers"
    ANSWER = "the first answer to the current ratings: once"
    ANSWERS = "each answer to the current ratings"
    RUNS = "each answer, also one whose ratings have changed since"

    @property
    def each(self) -> bool:
        """Whether it is said of every answer of a document."""
        return self in {About.ANSWERS, About.RUNS}


@dataclass(frozen=True, slots=True)
class Part:
    """One row of the catalog of parts.

    Attributes
    ----------
    key
        Its short name, which notes and choices of a project keep: never changed, never used again.
    section
        Key of the section of the report that prints it.
    title
        What it is called everywhere.
    explanation
        What it shows, how it is read, and what it does not say.
    content
        What it says about an answer, or why it says nothing; None where it does not belong to such ratings at all.
    uses
        Names of the side results it is made from (`tapdesk.answers.side_results.SideResults`).
    about
        What it is about.
    headed
        Whether its title stands above it in a section; not where the heading of the section says as much.
    demand
        How it is asked for, where it is worked out only then.
    study
        What is worked out for it then (`tapdesk.answers.side_results.SideResults.on_demand`).
    block
        Key of the block of the window it stands in, with others or to be chosen there; empty for one of its own.
    comments
        Key of the section that prints the committee's comment on it; empty for its own. Never changed, as the key.
    commands
        The commands that print it, and write it as JSON.
    printed
        Whether paper has it; not where its numbers stand there in other tables already.
    """

    key: str
    section: str
    title: str
    explanation: str
    content: Callable[[Answer], Content | Missing | None]
    uses: tuple[str, ...] = ()
    about: About = About.ANSWER
    headed: bool = True
    demand: Demand | None = None
    study: Callable[[Basis], Run[Any]] | None = None
    block: str = ""
    comments: str = ""
    commands: tuple[str, ...] = ()
    printed: bool = True

    @property
    def on_demand(self) -> bool:
        """Whether it is worked out only when it is asked for."""
        return self.demand is not None

    @property
    def place(self) -> str:
        """The place of the committee's comment on it, in the notes of a project."""
        return f"comment.{self.comments or self.section}.{self.key}"


STALE = _("This was not worked out: the data have changed since the run.")
"""Why a part says nothing of an answer to other ratings."""


def reason_for(answer: Answer, *uses: str) -> str:
    """Why the side results a part is made from are absent; empty where nobody said."""
    return next((answer.side.reasons[name] for name in uses if name in answer.side.reasons), "")


def not_found(answer: Answer, name: str) -> Missing | None:
    """Why what was asked for was not found; None where it was not asked for."""
    why = answer.side.reasons.get(name)
    return Missing(why, Tone.WARNING) if why else None


def contents(rows: Sequence[Part], command: str, answer: Answer) -> tuple[tuple[Part, Content | Missing], ...]:
    """What a command prints of an answer: the parts that are its own, as far as they belong to it.

    Parameters
    ----------
    rows
        Of the subject the command is about, so that no other is loaded: its parts in the order of the catalog.
    command
        As in `Part.commands`.
    answer
        What is told.
    """
    own = [row for row in rows if command in row.commands]
    if answer.result is None:
        own = [row for row in own if row.about is About.RATINGS]
    made = ((row, row.content(answer)) for row in own)
    return tuple((row, content) for row, content in made if content is not None)


def record(part: Part, content: Content | Missing) -> dict[str, Any]:
    """A part as JSON: its sentences, its tables with the values behind the cells, and the numbers of its pictures."""
    blocks = content.blocks
    return {
        "key": part.key,
        "title": part.title,
        "refused": content.reason if isinstance(content, Missing) else None,
        "sentences": [" ".join(filter(None, (b.opening, b.text))) for b in blocks if isinstance(b, Paragraph)],
        "tables": [
            {
                "title": table.title,
                "columns": [column.title for column in table.columns],
                "rows": [[_cell(cell) for cell in row] for row in table.rows],
                "note": table.note,
            }
            for table in blocks
            if isinstance(table, Table)
        ],
        "pictures": [
            {"title": figure.title, "note": figure.note, "rows": records_of(figure)}
            for picture in blocks
            if isinstance(picture, Picture)
            for figure in picture.panels
        ],
    }


def _cell(cell: str) -> str | float | Sequence[float | None] | None:
    """The value behind a cell: one, the two ends of an interval, or the text."""
    if not isinstance(cell, Number):
        return str(cell)
    return cell.values[0] if len(cell.values) == 1 else list(cell.values)
