"""What a report prints beside the project's own answers, as the project asks for it."""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from tapdesk.answers.side_results import ALL, SideResults, Wanted
from tapdesk.answers.side_studies import main_analysis, work_out
from tapdesk.progress import Run
from tapdesk.project.project import Project
from tapdesk.report.setup import ASKED_FOR, setup
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
        wanted = replace(wanted, by=setup(project).by, **_asked(project))
    return (yield from work_out(project, wanted))


def _asked(project: Project) -> dict[str, Any]:
    """What is worked out only where it is asked for, by its name in `Wanted`, `Setup` and `SideResults`."""
    chosen = setup(project)
    return {field: getattr(chosen, field) for field in ASKED_FOR.values()}


def prepare_further(project: Project, known: SideResults) -> Run[SideResults]:
    """What is known of the same answer, with what the project asks for by now.

    Yields
    ------
    Step
        As `prepare`; nothing that is known is worked out again.
    """
    chosen, asked = setup(project), _asked(project)
    wanted = replace(known.wanted or ALL, by=chosen.by, **asked)
    new = tuple(column for column in chosen.by if column not in known.groups)
    missing = {name: on if _lacks(known, name, on) else type(on)() for name, on in asked.items()}
    none = replace(wanted, agreement=False, tests=False, raters=False, sensitivity=False, by=new, **missing)
    found = yield from prepare(project, none)
    groups = {**known.groups, **found.groups}
    kept: dict[str, Any] = {
        name: (getattr(found, name) or getattr(known, name)) if on else None for name, on in asked.items()
    }
    return replace(
        known,
        **kept,
        wanted=wanted,
        groups=MappingProxyType({column: groups[column] for column in chosen.by if column in groups}),
        reasons=MappingProxyType({**known.reasons, **found.reasons}),
        faults=(*known.faults, *found.faults),
    )


def _lacks(known: SideResults, name: str, wanted: int) -> bool:
    """Whether a part is wanted that is not known, or known with another number of data sets."""
    found = getattr(known, name)
    return bool(wanted) and (found is None or (isinstance(found, DesignStudy) and found.replicates != wanted))
