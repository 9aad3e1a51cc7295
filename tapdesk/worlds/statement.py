"""What the program says of a panel, by the way a user's file goes: written, read, fitted, studied, reported."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tapdesk.answers.side_results import ALL, SideResults, Wanted
from tapdesk.fitting.fit import Fit
from tapdesk.language import Message
from tapdesk.models.model import model
from tapdesk.progress import Run
from tapdesk.project.files.outputs import CAREFUL
from tapdesk.project.project import Project
from tapdesk.ratings.form import FilePart
from tapdesk.report.build import build
from tapdesk.report.parts import part_project
from tapdesk.report.report import Report
from tapdesk.report.setup import prepare
from tapdesk.studies.analysis import Request
from tapdesk.worlds.world import SimulatedPanel

_TRIED = (model("t-a-p"), model("t-a-t"))
# What a user asks of a file that holds an age for each rater.
_BY_AGE = (replace(model("t-a(x)-p"), covariates=("age",)),)
# Enough for tests at .05 and .01, and a tenth of the work of a report.
_REPLICATES = 200
# No claim is made of other models, cuts, pairs of classes and raters left out, which take half of the time of a report.
JUDGED = replace(ALL, replicates=_REPLICATES, sensitivity=False)


@dataclass(frozen=True, eq=False)
class Statement:
    """A whole report and what it was made from.

    Attributes
    ----------
    fit
        The numbers of its headline.
    side
        What stands beside them.
    report
        All that is printed.
    """

    fit: Fit
    side: SideResults
    report: Report

    @cached_property
    def sentences(self) -> tuple[Message, ...]:
        """Every sentence in the report, those inside others too."""
        return tuple(messages(self.report.sections))

    def says(self, *phrases: str) -> bool:
        """Whether a sentence is made from a template that holds one of these phrases."""
        return any(phrase in template for phrase in phrases for template in self.templates)

    @cached_property
    def templates(self) -> frozenset[str]:
        """The templates of all sentences, of one that depends on a number those for one and for several."""
        several = {one.plural[0] for one in self.sentences if one.plural is not None}
        return frozenset(one.template for one in self.sentences) | several


def state(panel: SimulatedPanel, seed: int = 1, wanted: Wanted = JUDGED) -> Run[Statement]:
    """The report on a panel.

    Parameters
    ----------
    panel
        The ratings; the truth is not looked at.
    seed
        Of all that is drawn at random.
    wanted
        What stands in the report; by default all in which a claim of the table can be made.

    Yields
    ------
    Step
        The phases of reading, fitting and preparing.

    Raises
    ------
    TapdeskError
        When the ratings cannot be answered.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ratings.csv"
        CAREFUL.save(path, panel.text().encode())
        whole = FilePart("ratings", panel.options)
        tried = _BY_AGE if panel.ages else _TRIED
        items = tuple(Request(one, replicates=_REPLICATES, seed=seed, redraws=True) for one in tried)
        project = yield from part_project(Project(), path, whole, "panel", lambda _ratings: items)
    side = yield from prepare(project, replace(wanted, seed=seed))
    fit = next(a.fit for a in project.analyses if a.fit is not None)
    return Statement(fit, side, build(project, extras=side))


def messages(value: Any) -> Iterator[Message]:
    """Every sentence in a value, however deep, and those that are fields of others."""
    if isinstance(value, Message):
        yield value
        yield from messages(tuple(value.fields.values()))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from messages(one)
    elif isinstance(value, Mapping):
        yield from messages(tuple(value.values()))
    elif is_dataclass(value) and not isinstance(value, type):
        yield from messages(tuple(getattr(value, f.name) for f in fields(value) if f.init))
