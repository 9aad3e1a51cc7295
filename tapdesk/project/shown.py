"""Which of the analyses of a project is shown, and so leads its report: the last one run, unless another was looked at.

A project keeps it among its records, each question of a form its own; files that do not say show the last run.
"""

from collections.abc import Iterable
from datetime import UTC, datetime

from tapdesk.project.project import Analysis, Project

# The name among the records of a project, with the name of a question of its form behind it.
PLACE = "analysis shown"


def with_shown(project: Project, name: str) -> Project:
    """The project with one of its analyses shown, by name; by an empty name the last one run."""
    place = _place(project)
    return project if project.records.get(place, "") == name else project.with_record(place, name)


def shown_analysis(project: Project) -> Analysis | None:
    """The analysis whose choices and results are shown, whether it has an answer or not; None where there is none."""
    return _of_name(project) or _last_run(project.analyses)


def main_analysis(project: Project) -> Analysis | None:
    """The analysis that leads a report, and that the studies beside it are made for.

    It is the one that is shown; where that has no answer about the ratings as they are now, the last one run that has.
    """
    named = _of_name(project)
    return named if named is not None and _current(named) else _last_run(filter(_current, project.analyses))


def in_report_order(project: Project) -> tuple[Analysis, ...]:
    """The analyses that have an answer, the one that leads first, the others as the project has them."""
    main = main_analysis(project)
    return tuple(sorted(_answered(project), key=lambda a: a is not main))


def place_of_main(project: Project) -> int | None:
    """Where the analysis that leads stands among those that have an answer; None where none does."""
    main = main_analysis(project)
    return None if main is None else _answered(project).index(main)


def led_by(project: Project, place: int | None) -> Project:
    """The project led by the answer at a place: as a report was issued, whatever was run or shown since.

    Reports of earlier versions do not tell the place; they were led by the first answer about the ratings as they are.
    """
    answered = _answered(project)
    if place is None:
        place = next((i for i, a in enumerate(answered) if _current(a)), len(answered))
    return with_shown(project, answered[place].name) if 0 <= place < len(answered) else project


def _answered(project: Project) -> tuple[Analysis, ...]:
    return tuple(a for a in project.analyses if a.fit is not None)


def _place(project: Project) -> str:
    return f"{PLACE}: {project.question}" if project.question else PLACE


def _of_name(project: Project) -> Analysis | None:
    name = project.records.get(_place(project), "")
    return next((a for a in project.analyses if name and a.name == name), None)


def _current(analysis: Analysis) -> bool:
    return analysis.fit is not None and not analysis.stale


def _last_run(analyses: Iterable[Analysis]) -> Analysis | None:
    """The one that was run last; of those that tell no time, or the same, the last."""
    return max(enumerate(analyses), key=lambda row: (_moment(row[1].run_at), row[0]), default=(0, None))[1]


def _moment(text: str) -> float:
    """The time of a run as a number; that of an analysis without one is before all others."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return float("-inf")
    return (when if when.tzinfo is not None else when.replace(tzinfo=UTC)).timestamp()
