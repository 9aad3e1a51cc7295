"""What a command is about: a file of ratings, or a project."""

import argparse

from tapdesk.cli.arguments import reading_options
from tapdesk.cli.effects import holds_project, refuse_once_read
from tapdesk.cli.watch import run_watched
from tapdesk.project.opening import current_reading
from tapdesk.project.opening import open_project as project_in
from tapdesk.project.project import Project
from tapdesk.ratings.reading import Reading, read


def open_project(args: argparse.Namespace, title: str = "") -> Project:
    """The project in a file, or a new one about a file of ratings."""
    options = reading_options(args)
    if holds_project(args.file):
        project = project_in(args.file, options)
    else:
        project = Project(title=title).with_reading(run_watched(read(args.file, options)), when="")
    if project.reading is not None:
        refuse_once_read(args, project.reading, answered=has_answers(project))
    return project


def has_answers(project: Project) -> bool:
    """Whether a project holds an answer of its own."""
    return any(a.fit is not None for a in project.analyses)


def open_file(args: argparse.Namespace) -> Reading:
    """The ratings a command is about, those of a project as they stand after all decisions."""
    options = reading_options(args)
    if holds_project(args.file):
        reading = current_reading(project_in(args.file, options))
    else:
        reading = run_watched(read(args.file, options))
    refuse_once_read(args, reading)
    return reading
