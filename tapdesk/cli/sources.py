"""What a command is about: a file of ratings, or a project."""

import argparse

from tapdesk.cli.arguments import reading_options
from tapdesk.cli.effects import holds_project, refuse_once_read
from tapdesk.cli.watch import run_watched
from tapdesk.project.looked_at import refuse_what_waits
from tapdesk.project.opening import current_reading
from tapdesk.project.opening import open_project as project_in
from tapdesk.project.project import Project
from tapdesk.ratings.reading import Reading, read


def open_project(args: argparse.Namespace, title: str = "", *, waits: bool = True) -> Project:
    """The project in a file, or a new one about a file of ratings.

    Parameters
    ----------
    args
        What was typed.
    title
        Of a new project.
    waits
        Whether a finding that blocks is refused; only what answers nothing, as ``check``, goes on without an answer.

    Raises
    ------
    TapdeskError
        When the file cannot be read, or a finding that blocks was not answered.
    """
    options = reading_options(args)
    if holds_project(args.file):
        project = project_in(args.file, options)
    else:
        project = Project(title=title).with_reading(run_watched(read(args.file, options)), when="")
    if project.reading is not None:
        refuse_once_read(args, project.reading, answered=args.command == "report" and has_answers(project))
    if waits:
        # What is asked in groups of a column is not pooled over it.
        refuse_what_waits(project, args.by if args.cell == "study groups" else None)
    return project


def has_answers(project: Project) -> bool:
    """Whether a project holds an answer of its own."""
    return any(a.fit is not None for a in project.analyses)


def open_file(args: argparse.Namespace, *, waits: bool = True) -> Reading:
    """The ratings a command is about, those of a project as they stand after all decisions; see `open_project`."""
    return reading_of(open_project(args, waits=waits))


def reading_of(project: Project) -> Reading:
    """The ratings of a project as they stand after all decisions."""
    reading = project.reading
    return current_reading(project) if reading is None or project.decisions else reading
