"""The commands that write tables: cleaned ratings, and blank rating sheets."""

import argparse
from pathlib import Path
from typing import Any

from tapdesk.answers.pseudonyms import coded_reading
from tapdesk.answers.terminal import paragraph
from tapdesk.cli import json_output
from tapdesk.cli.analyses import open_project, reading_of
from tapdesk.cli.documents import called_in
from tapdesk.cli.outputs import permitted_outputs
from tapdesk.cli.terminal import run_watched
from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import quoted_list
from tapdesk.ratings.own.case_list import numbered_cases, read_cases
from tapdesk.ratings.own.clean_table import Shape
from tapdesk.ratings.own.plan import plan_sheets
from tapdesk.report.cleaned import cleaned_data, cleaned_files
from tapdesk.report.rating_sheets import sheet_files


def export(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """The cleaned ratings of a file or a project as a table, with what was decided beside it."""
    project = open_project(args)
    called = called_in(args, project)
    made = cleaned_data(project, Shape(args.shape) if args.shape else None, called)
    files = cleaned_files(made, Path(args.output))
    permitted_outputs(args).save_all(files)
    text = [_("Saved {file}.").format(file=path) for path, _content in files]
    if made.table.left_out:
        text.append(
            _("A row for each case has no place for {columns}; --shape long has.").format(
                columns=quoted_list(made.table.left_out)
            )
        )
    answer = {
        **json_output.answer_head("export", coded_reading(reading_of(project), called)),
        "outputs": [str(path) for path, _content in files],
        "shape": made.shape.value,
        "rows": len(made.table.rows),
        "columns": list(made.table.names),
        "left_out_columns": list(made.table.left_out),
    }
    return answer, "\n".join(paragraph(line) for line in text)


def sheets(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Blank rating sheets: a workbook with the key, and a copy for each rater."""
    if args.file is None and args.subjects is None:
        raise UsageError(_("There are no cases."), fix=_("Name a table of the cases, or say how many with --subjects."))
    if args.file is None:
        cases = numbered_cases(args.subjects)
    else:
        options = {"subject": args.subject, "shown": args.show, "known": args.known, "sheet": args.sheet}
        cases = run_watched(read_cases(args.file, **options))
    plan = plan_sheets(
        cases,
        args.raters,
        args.classes,
        ordered=not args.unordered,
        repeats=args.repeats,
        coded=args.coded,
        seed=args.seed,
    )
    files = sheet_files(plan, Path(args.output))
    permitted_outputs(args).save_all(files)
    key, *copies = (str(path) for path, _content in files)
    text = [
        _("Saved {file}: keep it, the key to the sheets stands in it.").format(file=key),
        *(_("Saved {file} for {rater}.").format(file=c, rater=r) for c, r in zip(copies, plan.raters, strict=True)),
        _("Put the filled copies beside the key and read the key: tapdesk check {file}").format(file=key),
    ]
    answer = {
        **json_output.answer_head("sheets", None),
        "outputs": [key, *copies],
        "cases": len(plan.cases.names),
        "raters": list(plan.raters),
        "classes": list(plan.classes),
        "lines": len(plan.lines),
        "repeats": sum(line.time > 1 for line in plan.lines),
        "known": sum(bool(text) for text in plan.cases.known),
        "coded": plan.coded,
        "seed": plan.seed,
    }
    return answer, "\n".join(paragraph(line) for line in text)
