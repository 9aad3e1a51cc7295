"""Projects where the command line expects a file of ratings."""

from dataclasses import fields, replace
from pathlib import Path

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import gettext as _
from tapdesk.project.decisions.classes import ReorderClasses, SetClass1
from tapdesk.project.files.file import load
from tapdesk.project.project import Project
from tapdesk.project.review_state import LookedAt, looked_at
from tapdesk.ratings.findings import Finding, Severity
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import Reading, refuse_what_asks

_ABOUT_CLASSES = {"class1", "class0", "order", "strict"}
# How options are typed that are called otherwise inside.
_TYPED = {"last": "last-row", "hidden": "leave-out-hidden"}
NO_OPTIONS = ReadingOptions()


def open_project(path: str | Path, options: ReadingOptions = NO_OPTIONS) -> Project:
    """The project in a file, with what the user said about the classes decided on top.

    Parameters
    ----------
    path
        A project file; see `files.is_project`.
    options
        Class 1, class 0 and order; how the ratings are read was decided when the project was made.

    Raises
    ------
    TapdeskError
        When the file cannot be opened or is no sound project, or the classes do not exist.
    UsageError
        When an option asks to read in another way.
    """
    for one in fields(options):
        if one.name not in _ABOUT_CLASSES and getattr(options, one.name) != getattr(NO_OPTIONS, one.name):
            raise UsageError(
                _("A project is read already, so --{replace} cannot be used.").format(
                    replace=_TYPED.get(one.name, one.name.replace("_", "-"))
                ),
                Path(path).name,
                _("Give the spreadsheet instead, or leave the option out."),
            )
    project = load(path)
    if options.order is not None:
        project = project.decide(ReorderClasses(options.order), when="")
    if options.class1 is not None:
        project = project.decide(SetClass1(options.class1, options.class0), when="")
    if options.strict and project.reading is not None:
        refuse_what_asks([row.finding for row in looked_at(project) if row.open], Path(path).name)
    return project


def _as_decided(row: LookedAt) -> Finding:
    """A finding as it stands: one that blocked and was answered is told with the answer."""
    if row.open or row.finding.severity is not Severity.BLOCK:
        return row.finding
    answer = _("It is no longer in the data.") if row.done is None else row.done.words
    return replace(row.finding, severity=Severity.NOTE, fix=_("Nothing needs to be done."), default=answer)


def current_reading(project: Project) -> Reading:
    """The reading of a project with the ratings as the decisions make them, for all that is told about a file.

    Raises
    ------
    TapdeskError
        When the project holds no ratings.
    """
    reading = project.reading
    if reading is None:
        raise TapdeskError(
            _("The project holds no ratings."), fix=_("Open it in the window and add a spreadsheet to it.")
        )
    findings = tuple(_as_decided(row) for row in looked_at(project))
    ratings, all_classes = project.ratings, project.all_classes
    class1, class0 = project.replayed.class1, project.replayed.class0
    return replace(
        reading,
        ratings=ratings,
        as_read=all_classes,
        findings=tuple(sorted(findings, key=lambda f: list(Severity).index(f.severity))),
        options=replace(reading.options, class1=class1, class0=class0, order=project.order or reading.options.order),
        left_out_subjects=max(reading.left_out_subjects + reading.ratings.subject_count - ratings.subject_count, 0),
        left_out_ratings=max(reading.left_out_ratings + reading.ratings.rating_count - ratings.rating_count, 0),
    )
