"""What every section is made from."""

from dataclasses import dataclass

from tapdesk.fitting.fit import Fit
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.numbers import Style
from tapdesk.report.words import Nouns


@dataclass(frozen=True, eq=False)
class Done:
    """An analysis that has an answer."""

    analysis: Analysis
    fit: Fit


@dataclass(frozen=True, eq=False)
class Context:
    """A project and how the report is to be written.

    Attributes
    ----------
    project
        The work to report.
    ratings
        The current ratings, None before any file was read.
    done
        The analyses that have an answer, in order.
    style
        How numbers are written.
    nouns
        What a subject, a rater and a rating are called.
    """

    project: Project
    ratings: Ratings | None
    done: tuple[Done, ...]
    style: Style
    nouns: Nouns
