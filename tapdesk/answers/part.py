"""A part of what is said about an answer: described once, shown by window, report, terminal and JSON.

A part stands in `tapdesk.answers.parts.PARTS`; whoever shows it takes its title, its sentences, its tables and its
figures from here and writes none of its own, so that two faces of the program cannot say two things.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tapdesk.answers.content import Block, Number, Paragraph, Picture, Table
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.answers.side_results import SideResults
from tapdesk.fitting.fit import Fit
from tapdesk.project.project import Analysis
from tapdesk.ratings.ratings import Ratings


@dataclass(frozen=True, eq=False)
class Answer:
    """The answer of one analysis with all that stands beside it, people and cases called as they are to be shown.

    Attributes
    ----------
    fit
        The numbers.
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

    fit: Fit
    ratings: Ratings
    every: Ratings
    side: SideResults = field(default_factory=SideResults)
    analysis: Analysis | None = None
    style: Style = SCREEN
    scale: str = ""
    coded: bool = False

    @property
    def stale(self) -> bool:
        """Whether the data changed after the run."""
        return self.analysis is not None and self.analysis.stale


@dataclass(frozen=True, slots=True)
class Missing:
    """That a part has nothing to show, and why: one sentence."""

    reason: str


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
    on_demand
        Whether it is worked out only when it is asked for: it has a tick of its own, and what is said of it is printed
        whether it is printed or not.
    """

    key: str
    section: str
    title: str
    explanation: str
    content: Callable[[Answer], Content | Missing | None] | None = None
    uses: tuple[str, ...] = ()
    on_demand: bool = False

    @property
    def place(self) -> str:
        """The place of the committee's comment on it, in the notes of a project."""
        return f"comment.{self.section}.{self.key}"


def reason_for(answer: Answer, *uses: str) -> str:
    """Why the side results a part is made from are absent; empty where nobody said."""
    return next((answer.side.reasons[name] for name in uses if name in answer.side.reasons), "")


def record(part: Part, content: Content | Missing) -> dict[str, Any]:
    """A part as JSON: its sentences, and its tables with the values behind the cells."""
    if isinstance(content, Missing):
        return {"key": part.key, "title": part.title, "refused": content.reason, "sentences": [], "tables": []}
    return {
        "key": part.key,
        "title": content.title or part.title,
        "refused": None,
        "sentences": [" ".join(filter(None, (p.opening, p.text))) for p in content.paragraphs],
        "tables": [
            {
                "title": table.title,
                "columns": [column.title for column in table.columns],
                "rows": [[_cell(cell) for cell in row] for row in table.rows],
                "note": table.note,
            }
            for table in content.tables
        ],
    }


def _cell(cell: str) -> str | float | Sequence[float | None] | None:
    """The value behind a cell: one, the two ends of an interval, or the text."""
    if not isinstance(cell, Number):
        return str(cell)
    return cell.values[0] if len(cell.values) == 1 else list(cell.values)
