"""What a command is about: a file of ratings, or a project."""

import argparse
from dataclasses import replace

from tapdesk.cli.arguments import reading_options
from tapdesk.cli.watch import run_watched
from tapdesk.errors import TapdeskError, UsageError
from tapdesk.project.files import is_project, load
from tapdesk.project.project import Project
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import Reading, read


def open_project(args: argparse.Namespace, title: str = "") -> Project:
    """The project in a file, or a new one about a file of ratings.

    Raises
    ------
    UsageError
        When reading options are given for a project, whose ratings were read long ago.
    """
    options = reading_options(args)
    if args.file.startswith("sample:") or not is_project(args.file):
        return Project(title=title).with_reading(run_watched(read(args.file, options)))
    told = replace(options, class1=None, class0=None)
    if told != ReadingOptions():
        raise UsageError("A project keeps how its ratings were read.", args.file, "Leave out the reading options.")
    project = load(args.file)
    if options.class0 is not None:
        raise UsageError("A project has no --class0.", args.file, "Leave it out, or name the spreadsheet.")
    return project if options.class1 is None else project.with_class1(options.class1)


def open_file(args: argparse.Namespace) -> Reading:
    """The ratings a command is about, as they stand after all decisions.

    Raises
    ------
    TapdeskError
        When a project holds no ratings.
    """
    project = open_project(args)
    if project.reading is None:
        raise TapdeskError("The project holds no ratings.", args.file, "Open a spreadsheet in it first.")
    if not is_project_file(args):
        return project.reading
    return replace(project.reading, ratings=project.ratings, as_read=project.all_classes)


def is_project_file(args: argparse.Namespace) -> bool:
    """Whether FILE is a project."""
    return not args.file.startswith("sample:") and is_project(args.file)
