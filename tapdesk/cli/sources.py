"""What a command is about: a file of ratings, or a project."""

import argparse

from tapdesk.cli.arguments import reading_options
from tapdesk.cli.watch import run_watched
from tapdesk.project.files.file import is_project
from tapdesk.project.opening import current_reading
from tapdesk.project.opening import open_project as project_in
from tapdesk.project.project import Project
from tapdesk.ratings.reading import Reading, read


def open_project(args: argparse.Namespace, title: str = "") -> Project:
    """The project in a file, or a new one about a file of ratings."""
    options = reading_options(args)
    if _holds_project(args.file):
        return project_in(args.file, options)
    return Project(title=title).with_reading(run_watched(read(args.file, options)), when="")


def open_file(args: argparse.Namespace) -> Reading:
    """The ratings a command is about, those of a project as they stand after all decisions."""
    options = reading_options(args)
    if _holds_project(args.file):
        return current_reading(project_in(args.file, options))
    return run_watched(read(args.file, options))


def _holds_project(file: str) -> bool:
    return not file.startswith("sample:") and is_project(file)
