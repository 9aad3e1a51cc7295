"""The commands that write tables: cleaned ratings, and blank rating sheets."""

import argparse
from pathlib import Path
from typing import Any

from tapdesk.answers.pseudonyms import coded_reading
from tapdesk.answers.terminal import paragraph
from tapdesk.cli import json_output
from tapdesk.cli.analyses import open_project, reading_of
from tapdesk.cli.documents import called_in
from tapdesk.cli.effects import holds_project
from tapdesk.cli.outputs import permitted_outputs
from tapdesk.cli.terminal import run_watched
from tapdesk.errors import CannotAnswerError, SeveralQuestionsError, TapdeskError, UsageError
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.project.project import Project
from tapdesk.ratings.findings import quoted_list
from tapdesk.ratings.own.case_list import numbered_cases, read_cases
from tapdesk.ratings.own.clean_table import Shape
from tapdesk.ratings.own.plan import plan_sheets
from tapdesk.ratings.reading import Reading
from tapdesk.report.cleaned import CleanedData, cleaned_data, cleaned_files
from tapdesk.report.rating_sheets import sheet_files


def export(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """The cleaned ratings of a file or a project as a table, with what was decided beside it."""
    shape = Shape(args.shape) if args.shape else None
    try:
        project = open_project(args)
    except SeveralQuestionsError:
        if args.only is not None:
            raise
        return _export_form(args, shape)
    except TapdeskError as problem:
        if args.only is not None:
            raise
        try:
            return _export_form(args, shape)
        except CannotAnswerError:
            # It is no form: what keeps the ratings back is said of them.
            raise problem from None
    if project.form and args.only is None:
        return _export_form(args, shape)
    called = called_in(args, project)
    made = cleaned_data(project, shape, called)
    answer, text = _saved(args, made, coded_reading(reading_of(project), called))
    if made.table.left_out:
        text.append(
            _("A row for each {subject} has no place for {columns}; --shape long has.").format(
                columns=quoted_list(made.table.left_out)
            )
        )
    return answer, "\n".join(paragraph(line) for line in text)


def _saved(args: argparse.Namespace, made: CleanedData, reading: Reading | None) -> tuple[dict[str, Any], list[str]]:
    """Save a cleaned table with what goes beside it: the answer of the command, and its first lines."""
    files = cleaned_files(made, Path(args.output))
    permitted_outputs(args).save_all(files)
    answer = {
        **json_output.answer_head("export", reading),
        "outputs": [str(path) for path, _content in files],
        "shape": made.shape.value,
        "rows": len(made.table.rows),
        "columns": list(made.table.names),
        "left_out_columns": list(made.table.left_out),
    }
    return answer, [_("Saved {file}.").format(file=path) for path, _content in files]


def _export_form(args: argparse.Namespace, shape: Shape | None) -> tuple[dict[str, Any], str]:
    """All questions of a form as one table."""
    from tapdesk.answers.naming import CasesAs, RatersAs
    from tapdesk.cli.questions import open_form
    from tapdesk.project.files.file import load
    from tapdesk.report.cleaned_form import cleaned_form, questions_of
    from tapdesk.report.form_report import form_names

    if args.cuts:
        raise UsageError(
            _("Lines through scores are drawn question by question."), "--cuts", _("Name one with --only.")
        )
    if args.case_names == CasesAs.CODES.value:
        raise UsageError(
            _("Codes of cases are given question by question."), "--case-names", _("Name a question with --only.")
        )
    form = open_form(args)
    called = args.called = form_names(form, RatersAs(args.rater_names))
    if holds_project(args.file):
        kept = load(args.file)
        projects = dict(questions_of(kept))
        refused = [one.name for one in kept.form if one.reading is None]
    else:
        read = ((one.name, one.reading) for one in form.questions)
        projects = {name: Project().with_reading(one, when="") for name, one in read if one is not None}
        refused = [one.name for one in form.questions if one.reading is None]
    made = cleaned_form(projects, shape, called)
    answer, text = _saved(args, made, None)
    text.append(
        ngettext(
            "It holds {n} question; --only exports one alone.",
            "It holds {n} questions; --only exports one alone.",
            len(projects),
        ).format(n=len(projects))
    )
    if refused:
        text.append(_("Not read, so not in it: {names}.").format(names=quoted_list(refused, 20)))
    answer |= {"questions": list(projects), "questions_not_read": refused}
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
