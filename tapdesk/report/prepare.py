"""What a report prints beside the project's own answers, as the project asks for it."""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from tapdesk.answers.demands import Choice, Selection, demand
from tapdesk.answers.side_results import ALL, SideResults, Wanted
from tapdesk.answers.side_studies import main_analysis, work_out
from tapdesk.progress import Run
from tapdesk.project.project import Project
from tapdesk.report.setup import setup
from tapdesk.studies.design_study import DesignStudy


def prepare(project: Project, wanted: Wanted | None = None) -> Run[SideResults]:
    """Compute what the report of a project prints besides the project's own answers.

    Parameters
    ----------
    project
        The work; without ratings there is nothing to compute.
    wanted
        Which parts; by default all the project asks for, with level and seed of its own answer.

    Yields
    ------
    Step
        As `tapdesk.answers.side_studies.work_out`.
    """
    if wanted is None:
        main = main_analysis(project)
        wanted = ALL if main is None else replace(ALL, level=main.request.level, seed=main.request.seed)
        wanted = replace(wanted, selection=setup(project).selection)
    return (yield from work_out(project, wanted))


def prepare_further(project: Project, known: SideResults) -> Run[SideResults]:
    """What is known of the same answer, with what the project asks for by now.

    Yields
    ------
    Step
        As `prepare`; nothing that is known is worked out again.
    """
    selection = setup(project).selection
    wanted = replace(known.wanted or ALL, selection=selection)
    missing = Selection({key: _missing(known, key, choice) for key, choice in selection.items()})
    found = yield from prepare(
        project, replace(wanted, agreement=False, tests=False, raters=False, sensitivity=False, selection=missing)
    )
    on_demand = {
        key: _together(known.on_demand.get(key), found.on_demand.get(key), selection[key]) for key in selection
    }
    return replace(
        known,
        on_demand=MappingProxyType({key: value for key, value in on_demand.items() if value is not None}),
        wanted=wanted,
        reasons=MappingProxyType({**known.reasons, **found.reasons}),
        faults=(*known.faults, *found.faults),
    )


def _missing(known: SideResults, key: str, choice: Choice) -> Choice:
    """What of a choice is not known, or known with another number of data sets."""
    found = known.on_demand.get(key)
    if isinstance(choice, tuple):
        return tuple(column for column in choice if column not in (found or {}))
    other = isinstance(found, DesignStudy) and found.replicates != choice
    return choice if found is None or other else demand(key).none


def _together(known: Any, found: Any, choice: Choice) -> Any:
    """What is known of a part now; of one by columns, each in the order they were asked for."""
    if not isinstance(choice, tuple):
        return known if found is None else found
    every = {**(known or {}), **(found or {})}
    return MappingProxyType({column: every[column] for column in choice if column in every})
