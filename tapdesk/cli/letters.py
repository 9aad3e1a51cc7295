"""The command that writes a private letter to each rater; apart, for few commands load what sets pages."""

import argparse
from typing import Any

from tapdesk.answers.content import Align, Column, Table
from tapdesk.answers.numbers import APA, REPORT
from tapdesk.answers.terminal import table
from tapdesk.cli import json_output
from tapdesk.cli.analyses import has_answers, open_project, reading_of
from tapdesk.cli.documents import default_fit, with_notes_of
from tapdesk.cli.option import PAPERS
from tapdesk.cli.outputs import permitted_outputs
from tapdesk.cli.terminal import run_watched
from tapdesk.language import gettext as _
from tapdesk.project.project import Analysis, Project
from tapdesk.report.letters import Letter, prepare_letters, write_letters
from tapdesk.report.notes_file import with_notes


def letters(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """A PDF for each rater in a folder: the same numbers as the report's, from whoever is named as the sender."""
    project = with_notes_of(args, open_project(args, args.title))
    project = with_notes(project, {place: args.typed[place] for place in _PLACES if place in args.typed})
    project = _answered(args, project)
    made = run_watched(
        write_letters(
            project,
            run_watched(prepare_letters(project)),
            args.output,
            style=APA if args.apa else REPORT,
            paper=PAPERS[args.paper or "a4"],
            date=args.date,
            named=args.file_names == "names",
            outputs=permitted_outputs(args),
        )
    )
    answer = {
        **json_output.answer_head("letters", reading_of(project)),
        "outputs": [str(one.path) for one in made],
        "rows": [_row(one) for one in made],
    }
    return answer, table(_listed(made))


_PLACES = ("sender", "contact", "readers")


def _answered(args: argparse.Namespace, project: Project) -> Project:
    """The project with an answer: its own, or that of a report."""
    if project.reading is None or has_answers(project):
        return project
    question, fit = default_fit(args, reading_of(project), args.model, redraws=False)
    return project.with_analysis(Analysis("main", question, fit))


def _row(letter: Letter) -> dict[str, Any]:
    accuracy = letter.accuracy
    return {
        "rater": letter.rater,
        "code": letter.code,
        "output": str(letter.path),
        "accuracy": None
        if accuracy is None
        else json_output.fields(accuracy, "value", "se", "low", "high", "undefined"),
    }


def _listed(made: tuple[Letter, ...]) -> Table:
    """Whose letter is which: it stands on the screen alone, for the names of the files do not tell."""
    columns = (Column(_("{Rater}"), wide=True), Column(_("Code"), Align.RIGHT), Column(_("File"), wide=True))
    rows = tuple((one.rater, one.code, "" if one.path is None else one.path.name) for one in made)
    return Table(_("Private letters, one for each {rater}"), columns, rows)
