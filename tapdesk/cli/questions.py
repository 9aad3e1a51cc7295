"""All questions of a form at a glance: the command, and the one report for all of them."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from tapdesk.agreement.sets import set_agreement
from tapdesk.answers import criteria as words
from tapdesk.answers import criteria_conditions as conditions
from tapdesk.answers import terminal
from tapdesk.answers.form_reading import checks_of, questions_read, questions_with, shared_findings
from tapdesk.answers.question_columns import TableCoefficient, table_coefficient
from tapdesk.answers.sets import whole_sets
from tapdesk.answers.terminal import paragraph
from tapdesk.cli import json_output
from tapdesk.cli.arguments import reading_options
from tapdesk.cli.effects import holds_project, receipt_line, refuse_on_a_form, refuse_once_read
from tapdesk.cli.kept_numbers import KeptNumbers
from tapdesk.cli.option import PAPERS, Topic
from tapdesk.cli.outputs import STANDARD_OUTPUT, permitted_outputs
from tapdesk.cli.terminal import run_watched
from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import gettext as _
from tapdesk.language import joined, same_sentence, say, speak, voice
from tapdesk.project.nouns import nouns_read
from tapdesk.project.review_state import checks_open
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.form import QUESTIONS, Form, form
from tapdesk.ratings.label_sets import counted_names, label_sets
from tapdesk.ratings.ratings import fingerprint
from tapdesk.ratings.reading import ONE_OF_SEVERAL
from tapdesk.studies.criteria import (
    CriterionRow,
    RaterAcross,
    criteria,
    judge,
)
from tapdesk.studies.parallel import FinishedPieces
from tapdesk.studies.pooled_raters import raters_across


def open_form(args: argparse.Namespace, *, waits: bool = True) -> Form:
    """The form in FILE, its own words for things spoken from here on.

    Parameters
    ----------
    args
        What was typed.
    waits
        Whether a finding that blocks is refused; as of `tapdesk.cli.analyses.open_project`.

    Raises
    ------
    UsageError
        When FILE is a project, which holds one question.
    TapdeskError
        When it cannot be read, or a finding that blocks was not answered.
    """
    if holds_project(args.file):
        return _kept_form(args)
    if args.cell == "questions" and args.question == QUESTIONS:
        raise UsageError(
            _("The questions are found without saying so."), "--question", _("Leave it out, or name their column.")
        )
    watched = run_watched(form(args.file, reading_options(args)))
    first = watched.readings[0]
    refuse_once_read(args, first)
    blocking = [f for f in shared_findings(watched) if f.severity is Severity.BLOCK]
    if blocking and waits:
        more = [joined(f.message, f.fix) for f in blocking[1:]]
        where = ", ".join(filter(None, (first.source.name, str(blocking[0].where))))
        raise TapdeskError(blocking[0].message, where, joined(blocking[0].fix, *more))
    speak(replace(voice(), nouns=nouns_read(first)))
    return watched


def _kept_form(args: argparse.Namespace) -> Form:
    """The form a project holds, each question as it was decided about it; errors as of `open_form`."""
    from tapdesk.project.files.file import load
    from tapdesk.project.form import form_of
    from tapdesk.project.review_state import refuse_blocking

    project = load(args.file)
    if not project.form or project.reading is None:
        raise UsageError(
            _("This project is about one question."), Path(args.file).name, _("Give the spreadsheet it was made from.")
        )
    refuse_once_read(args, project.reading, answered=True)
    typed = next((f"--{key}" for key in ("class1", "class0", "order", "strict") if key in args.typed), None)
    if typed is not None:
        raise UsageError(
            _("Of a form that was saved, classes and their order are decided in the window."), typed, _("Leave it out.")
        )
    for one in project.form:
        if one.reading is not None:
            refuse_blocking(project.with_question(one.name))
    speak(replace(voice(), nouns=nouns_read(project.reading)))
    return form_of(project)


def check_form(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """What was understood of a form, question by question, and what was noticed, each thing once for all of them."""
    result = open_form(args, waits=False)
    findings = shared_findings(result)
    source = result.readings[0].source
    text = [
        paragraph(joined(f"{source.name}:", *(w for w in source.words[:-1] if not same_sentence(w, ONE_OF_SEVERAL)))),
        paragraph(say(source.sentence)),
        terminal.table(questions_read(result)),
        terminal.findings(findings) if findings else _("Reading the file raised no question."),
        paragraph(_("All questions in one table: tapdesk questions. One by itself: tapdesk check --only QUESTION.")),
    ]
    head = json_output.answer_head("check", None)
    told = [json_output.finding(f) for f in findings]
    return {**head, "data": _data(result), "findings": told}, "\n\n".join(filter(None, text))


def _chosen(args: argparse.Namespace) -> TableCoefficient:
    """The coefficient of the table: the one that was typed, else that of the project, else the usual."""
    if "coefficient" not in args.typed and holds_project(args.file):
        from tapdesk.project.files.file import load
        from tapdesk.report.setup import setup

        return table_coefficient(setup(load(args.file)).coefficient)
    return table_coefficient(args.coefficient)


def questions(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """All questions of a form in one table, those that need talk first."""
    result, chosen = open_form(args), _chosen(args)
    request = words.criteria_of(result)
    with finished_questions(args, result) as kept:
        run = criteria(request, args.level, args.seed, workers=args.workers, kept=kept)
        rows = judge((*run_watched(run), *words.unread(result)))
    raters = run_watched(raters_across(request, rows, args.level))
    sentence, follows = words.headline(rows)
    text = [paragraph(sentence), paragraph(follows), terminal.table(words.table(rows, chosen=chosen))]
    if told := words.raters_to_tell(raters):
        text.append(terminal.table(words.raters_table(told)))
    sets = None if result.sets is None else whole_sets(result.sets)
    if sets is not None:
        text += [paragraph(sets[0]), terminal.table(sets[1])]
    # What is asked of the whole form is one of the checks that are open.
    said = (
        joined(f.message, f.default, f.fix if f.code == "agreed_on" else "")
        for f in result.remarks
        if f.severity is not Severity.ASK
    )
    text += [paragraph(words.not_said()), *map(paragraph, said), *map(paragraph, _open_checks(result))]
    answer = {
        **json_output.answer_head("questions", None),
        "data": _data(result),
        "findings": [{**json_output.finding(f), "questions": list(questions_with(result, f))} for f in result.findings],
        "headline": {"sentence": sentence, "follows": follows},
        "rows": [_record(row, chosen) for row in rows],
        "raters": [_of_rater(one) for one in raters],
        "sets": _of_sets(result),
    }
    return answer, "\n\n".join(part for part in text if part.strip())


_CHECKS = 5
"""So many open checks are told in a line each."""


def _open_checks(result: Form) -> Iterator[str]:
    """How many checks are open, and the first of them with what was taken meanwhile and what can be done."""
    checks = checks_of(result)
    if not checks:
        return
    yield _("{checks}. Of one question all are told by: tapdesk check --only QUESTION.").format(
        checks=checks_open(len(checks))
    )
    for finding in checks[:_CHECKS]:
        yield joined(finding.message, finding.default, finding.fix if finding in result.remarks else "")


@contextmanager
def finished_questions(args: argparse.Namespace, whole: Form) -> Iterator[FinishedPieces | None]:
    """The numbers of questions that are done, kept beside the answer while it is worked out; None unless asked for."""
    if not args.resume:
        yield None
        return
    from tapdesk.cli.outputs import going_on

    if args.json in STANDARD_OUTPUT:
        raise UsageError(
            _("To go on later, the answer needs a file."), "--resume", _("Name it with --json, as --json=OUT.json.")
        )
    about = {
        "questions": [[one.name, fingerprint(one.reading.ratings)] for one in whole.questions if one.reading],
        "level": args.level,
        "seed": args.seed,
    }
    with going_on(Path(f"{args.json}.unfinished"), about) as pieces:
        yield KeptNumbers(pieces)


def _data(result: Form) -> dict[str, Any]:
    """What was read of the whole form."""
    readings = result.readings
    source = readings[0].source

    def every(names: Sequence[Sequence[str]]) -> list[str]:
        return list(dict.fromkeys(name for some in names for name in some))

    return {
        "file": source.name,
        "sha256": source.sha256,
        "layout": source.layout.value,
        "questions": len(result.questions),
        "subjects": len(every([r.ratings.subjects for r in readings])),
        "raters": len(every([r.ratings.raters for r in readings])),
        "ratings": sum(r.ratings.rating_count for r in readings),
        "checks_open": len(checks_of(result)),
        "missing": sum(r.missing for r in readings),
        "left_out": {
            "subjects": sum(r.left_out_subjects for r in readings),
            "ratings": sum(r.left_out_ratings for r in readings),
        },
        "classes": every([r.as_read.classes for r in readings]),
        "class1": every([counted_names(r.ratings, r.options) for r in readings]),
    }


def _record(row: CriterionRow, chosen: TableCoefficient) -> dict[str, Any]:
    """One question as JSON (cli.md, ``questions``)."""
    own, reach = row.numbers, row.open_range
    raw, ac, kappa = (own.coefficient(n) for n in ("percent_agreement", "gwet_ac", "fleiss_kappa"))
    other = own.coefficient(chosen.name)
    return {
        "question": row.name,
        "subjects": own.subjects,
        "raters": own.raters,
        "ratings": own.ratings,
        "classes": list(own.classes),
        "share": own.rates[1] if len(own.classes) == 2 else None,
        "percent_agreement": raw.value,
        "gwet_ac": ac.value,
        "fleiss_kappa": kappa.value,
        "intervals": {
            name: [e.low, e.high] for name, e in (("percent_agreement", raw), ("gwet_ac", ac), ("fleiss_kappa", kappa))
        },
        "coefficient": {"name": chosen.name, "value": other.value, "low": other.low, "high": other.high},
        "a": {
            "value": row.accuracy.value,
            "low": row.accuracy.low,
            "high": row.accuracy.high,
            "identified_low": None if reach is None else reach.low,
            "identified_high": None if reach is None else reach.high,
            "undefined": row.accuracy.undefined and say(row.accuracy.undefined),
            "set_back": row.set_back,
            "if_some_are_harder": _ends(conditions.if_some_are_harder(row)),
        },
        "verdict": row.verdict.value,
        "p": None if own.chance is None else own.chance.test.p_bootstrap,
        "p_holm": row.p_holm,
        "advice": words.advice(row),
        "about": list(row.about),
        "sentences": list(words.talk(row)),
        "refused": say(own.why_not) or None,
    }


def _ends(reach: tuple[float, float] | None) -> dict[str, float] | None:
    return None if reach is None else {"low": reach[0], "high": reach[1]}


def _of_sets(result: Form) -> dict[str, Any] | None:
    """How far raters agree on whole sets of labels; None where the questions are no labels."""
    sets = None if result.sets is None else label_sets(result.sets.classes)
    if result.sets is None or sets is None or result.sets.weight is not None:
        return None
    found = set_agreement(result.sets, sets)
    alphas = (("masi", found.masi), ("jaccard", found.jaccard), ("nominal", found.nominal))
    return {
        "labels": list(sets.labels),
        **{name: {"value": e.value, "low": e.low, "high": e.high, "undefined": e.undefined} for name, e in alphas},
    }


def _of_rater(one: RaterAcross) -> dict[str, Any]:
    own = one.accuracy
    pooled = None if own is None else {"value": own.value, "low": own.low, "high": own.high, "undefined": own.undefined}
    return {
        "rater": one.rater,
        "questions": one.questions,
        "apart": list(one.apart),
        "turned": list(one.turned),
        "a": pooled,
        "pooled_questions": one.pooled,
    }


def report_form(args: argparse.Namespace, target: Path) -> tuple[dict[str, Any], str]:
    """One report for a whole form: the table, and half a page for each question that needs talk.

    Raises
    ------
    UsageError
        When an option was typed that has an effect on the report of one question only.
    """
    from tapdesk.answers.naming import RatersAs
    from tapdesk.answers.numbers import APA, REPORT
    from tapdesk.report.form_recipe import FormRecipe
    from tapdesk.report.form_report import form_names, form_report
    from tapdesk.report.forms.logo import logo
    from tapdesk.report.forms.write import write
    from tapdesk.report.notes_file import read_notes
    from tapdesk.report.report import Form

    refuse_on_a_form(args)
    result = open_form(args)
    notes = read_notes(args.notes) if args.notes else {}
    names_as = RatersAs(args.rater_names)
    names = form_names(result, names_as)
    args.called = names
    request = words.criteria_of(result, names)
    line = receipt_line(args, (Topic.READING, Topic.ESTIMATION))
    recipe = FormRecipe(
        reading_options(args), names_as.value, args.level, args.seed, args.title, args.apa, PAPERS[args.paper or "a4"],
        line, "" if args.issued is None else args.issued.isoformat(), shape=args.form, notes=tuple(notes.items()),
        coefficient=args.coefficient,
    )  # fmt: skip
    made = form_report(
        result,
        run_watched(criteria(request, args.level, args.seed)),
        names,
        title=args.title,
        style=APA if args.apa else REPORT,
        paper=PAPERS[args.paper or "a4"],
        logo=logo(args.logo) if args.logo else None,
        command_line=line,
        issued=args.issued,
        recipe="" if args.logo else recipe.text(names.secrets),
        shape=Form(args.form),
        notes=notes,
        chosen=table_coefficient(args.coefficient),
    )
    may = permitted_outputs(args)
    made, files = write(made, target, ppi=args.ppi, archive=not args.no_archive, page=args.page, outputs=may)
    head = {**json_output.answer_head("report", None), "data": _data(result)}
    return json_output.report_written(head, made, files)
