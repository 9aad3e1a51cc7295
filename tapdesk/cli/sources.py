"""What a command is about: a file of ratings, or a project."""

import argparse

from tapdesk.cli.arguments import reading_options
from tapdesk.cli.watch import run_watched
from tapdesk.project.files.file import is_project
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
    if _holds_project(args.file):
        project = project_in(args.file, options)
    else:
        project = Project(title=title).with_reading(run_watched(read(args.file, options)))
    if waits:
        refuse_what_waits(project, getattr(args, "by", None) if args.command == "study" else None)
    return project


def open_file(args: argparse.Namespace, *, waits: bool = True) -> Reading:
    """The ratings a command is about, those of a project as they stand after all decisions; see `open_project`."""
    project = open_project(args, waits=waits)
    reading = project.reading
    return current_reading(project) if reading is None or project.decisions else reading


def answerable(args: argparse.Namespace, reading: Reading) -> Reading:
    """A reading, where no finding blocks.

    Raises
    ------
    TapdeskError
        When one does; what is asked in groups of a column (``--by``) is not pooled over it.
    """
    refuse_what_waits(Project().with_reading(reading), args.by)
    return reading


def _holds_project(file: str) -> bool:
    return not file.startswith("sample:") and is_project(file)
