"""The commands that write documents: report, figure, verify."""

import argparse
import sys
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tapdesk.answers.figure import Size
from tapdesk.cli import effects, json_output
from tapdesk.cli.analyses import has_answers, open_project, reading_of
from tapdesk.cli.arguments import reading_options
from tapdesk.cli.option import PAPERS, Topic
from tapdesk.cli.outputs import permitted_outputs
from tapdesk.cli.requests import named_model, panel_of, request, with_options
from tapdesk.cli.terminal import run_watched
from tapdesk.errors import CannotAnswerError, SeveralQuestionsError, TapdeskError, UsageError
from tapdesk.fitting.fit import Fit
from tapdesk.models.model import model
from tapdesk.project.decisions.names import TakeKeyAsRater
from tapdesk.project.files.file import load
from tapdesk.project.files.recognition import is_project
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.findings import NOTHING_TO_COMPARE
from tapdesk.ratings.form import QUESTIONS, FilePart
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading, read
from tapdesk.studies.analysis import Request, analyse, refusal

if TYPE_CHECKING:
    # Loaded with the command that needs it, not with the program.
    from tapdesk.answers.demands import Choice, Selection
    from tapdesk.answers.figure import Figure
    from tapdesk.answers.naming import Naming
    from tapdesk.progress import Run
    from tapdesk.report.issue.verify import Verdict
    from tapdesk.report.parts import Made
    from tapdesk.report.report import Form
    from tapdesk.report.setup import Setup

_MOST_LINES = 60
# What a report holds beside the parts on demand; who made it, when and for whom is the user's, and no part of it.
_HOLDS = frozenset(
    {"--form", "--leave-out", "--sets", "--scale", "--direction", "--apa", "--paper", "--rule", "--wanted", "--first"}
)


def default_fit(
    args: argparse.Namespace, reading: Reading, name: str | None = None, *, redraws: bool = True, shares: bool = True
) -> tuple[Request, Fit]:
    """The fit of a document: t-a-p, or t-a-t where that is not identified, with re-draws for the pictures."""
    question = replace(request(args, name or "t-a-p", reading.ratings), redraws=redraws)
    reason = refusal(reading.ratings, question)
    if reason:
        raise CannotAnswerError(reason, reading.source.name)
    effects.refuse_once_chosen(args, {question.model.name: question}, reading.ratings)
    watched = run_watched(analyse(reading.ratings, question, shares=shares))
    if name is None and not watched.identification.by_design:
        question = replace(question, model=with_options(model("t-a-t"), args, reading.ratings))
        effects.refuse_once_chosen(args, {question.model.name: question}, reading.ratings)
        sys.stderr.write("This design cannot tell t, a and p apart, so the t-a-t model is used, which takes p = t.\n")
        watched = run_watched(analyse(reading.ratings, question, shares=shares))
    return question, watched


def report(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """The whole report as a file: of a spreadsheet with the default fit, of a project its answers, of a form all of it.

    Raises
    ------
    UsageError
        When the suffix is not one a report can have.
    """
    from tapdesk.report.forms.write import SUFFIXES

    target = Path(args.output)
    if target.suffix.lower() not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise UsageError(f"A report cannot be written as '{target.suffix}'.", fix=f"Use a name that ends in {known}.")
    if args.each:
        return _each(args, target)
    if args.question == QUESTIONS:
        return _of_form(args, target)
    try:
        project = open_project(args, args.title)
    except SeveralQuestionsError:
        if args.only is not None:
            raise
        return _of_form(args, target)
    if args.for_question or args.without:
        raise UsageError(
            "This file has one question, so nothing can be said of single ones.",
            "--for-question" if args.for_question else "--without",
            "Leave it out.",
        )
    if "coefficient" in args.typed:
        raise UsageError("This file has one question, so there is no table of all.", "--coefficient", "Leave it out.")
    return _of_project(args, with_notes_of(args, project), target)


def with_notes_of(args: argparse.Namespace, project: Project) -> Project:
    """The project with the words of the file that was named, if one was."""
    if not args.notes:
        return project
    from tapdesk.report.notes_file import read_notes, with_notes

    return with_notes(project, read_notes(args.notes))


def _of_project(args: argparse.Namespace, project: Project, target: Path) -> tuple[dict[str, Any], str]:
    """The report of one question, answered by the default fit where the project has no answer yet."""
    from tapdesk.answers.naming import RatersAs
    from tapdesk.answers.pseudonyms import coded_reading
    from tapdesk.report.forms.write import written
    from tapdesk.report.report import Form
    from tapdesk.report.setup import arranged, prepare, with_setup

    project = _with_awards(args, project)
    size, reading = Size(ppi=args.ppi), project.reading
    undefined = reading is None or any(f.code in NOTHING_TO_COMPARE for f in reading.findings)
    if reading is not None and not undefined and not has_answers(project):
        project = _with_key(args, project)
        project = project.with_analysis(_main(args, replace(reading, ratings=project.ratings)))
    chosen = _setup(args, project)
    project = with_setup(_compared(args, project), chosen)
    _refuse_pictures(args, project)
    form = form_of(args, target)
    extras = run_watched(prepare(project, form=Form.EVERYTHING if args.appendix else form))
    arrange = partial(
        arranged, project, extras, chosen=chosen, raters_as=RatersAs(args.rater_names), issued=args.issued,
        command_line=_printed(args),
    )  # fmt: skip
    files: tuple[tuple[Path, bytes], ...] = ()
    if args.appendix:
        _rest, files = written(arrange(form=Form.APPENDIX), Path(args.appendix), ppi=size.ppi, archive=chosen.archive)
    made, own = written(arrange(form=form), target, ppi=size.ppi, archive=chosen.archive, page=args.page)
    permitted_outputs(args).save_all((*own, *files))
    if args.save_project:
        _save_project(args, project, own[0][0])
    data = None if reading is None else coded_reading(reading_of(project), called_in(args, project))
    places = tuple(name for name, _inside in (*own, *files))
    return json_output.report_written(json_output.answer_head("report", data), made, places)


def _refuse_pictures(args: argparse.Namespace, project: Project) -> None:
    """Say at once which picture that was named cannot be drawn; a report is no place for a refusal.

    Raises
    ------
    CannotAnswerError
        When these ratings or their answer do not support one of them.
    """
    if not args.figure:
        return
    # Late: pictures of every kind are not needed before one is named.
    from tapdesk.answers.chosen_pictures import OF_ALL
    from tapdesk.answers.figures.catalog import picture
    from tapdesk.language import say
    from tapdesk.project.shown import main_analysis

    main = main_analysis(project)
    if main is None or main.fit is None:
        return
    for kind in args.figure:
        why = picture(kind).needs(main.fit, project.all_classes if kind in OF_ALL else project.ratings)
        if why is not None:
            raise CannotAnswerError(say(why), f"--figure {kind}", "Leave out this picture, which cannot be drawn.")


def _with_awards(args: argparse.Namespace, project: Project) -> Project:
    """The project, with what was typed about its awards where a report is to tell them."""
    if not args.awards:
        return project
    # Late: few reports tell who wins.
    from tapdesk.cli.awards import with_awards

    return with_awards(args, project)


def _main(args: argparse.Namespace, reading: Reading) -> Analysis:
    """The answer of a report: who wins where its awards are asked for, else that of the model."""
    if not args.awards or args.model:
        # A brief draws nothing; of two classes it prints how often each is given, with intervals by re-draws.
        redraws = args.form != "brief" or len(reading.ratings.classes) == 2 or bool(args.appendix or args.save_project)
        return Analysis("main", *default_fit(args, reading, args.model, redraws=redraws))
    from tapdesk.cli.awards import MODEL, QUESTION  # late, as above

    return Analysis("main", *default_fit(args, reading, MODEL, redraws=False), question=QUESTION.key)


def form_of(args: argparse.Namespace, target: Path) -> "Form":
    """How much of a report is written: files of tables hold every one, also those the pages leave out."""
    from tapdesk.report.report import Form

    form = Form(args.form)
    return Form.EVERYTHING if form.annexed and target.suffix.lower() in {".xlsx", ".csv"} else form


def _compared(args: argparse.Namespace, project: Project) -> Project:
    """The project, with another file beside it where one is named."""
    if not args.compare:
        return project
    # Late: few reports put another file beside theirs.
    from tapdesk.cli.comparing import with_comparison

    return with_comparison(args, project)


def _with_key(args: argparse.Namespace, project: Project) -> Project:
    """The project, in which it is decided that the key is a rater where it is taken so; see `panel_of`."""
    panel_of(args, project.ratings)
    return project.decide(TakeKeyAsRater(), when="") if args.known_use == "rater" else project


def _of_form(args: argparse.Namespace, target: Path) -> tuple[dict[str, Any], str]:
    # Late: few files are forms.
    from tapdesk.cli.questions import report_form

    return report_form(args, target)


def _save_project(args: argparse.Namespace, project: Project, target: Path) -> None:
    """The project of a report, with the record of having issued it where it is a PDF."""
    from tapdesk.report.issue.issued import with_issued

    if target.suffix.lower() == ".pdf":
        when = datetime.now().astimezone().isoformat(timespec="seconds")
        project = with_issued(project, target.name, target.read_bytes(), when)
    permitted_outputs(args).save_project(Path(args.save_project), project)


def _each(args: argparse.Namespace, target: Path) -> tuple[dict[str, Any], str]:
    """A report for each text in a column, or for each question."""
    from tapdesk.answers.naming import RatersAs
    from tapdesk.ratings.file_parts import file_parts
    from tapdesk.report.forms.write import SEVERAL
    from tapdesk.report.parts import part_reports
    from tapdesk.report.setup import arranged, with_setup

    if target.suffix.lower() in SEVERAL:
        raise UsageError("Reports of several parts cannot be pictures or tables.", fix="Use a name that ends in .pdf.")
    watched = run_watched(file_parts(args.file, reading_options(args), args.each))
    whole, names, question = with_notes_of(args, Project(title=args.title)), _wanted(args), ""
    if args.awards:
        from tapdesk.cli.awards import MODEL, QUESTION, with_typed_awards  # late: few reports tell who wins

        whole = with_typed_awards(args, whole)
        names, question = (names, "") if args.model else ((MODEL,), QUESTION.key)
    items = tuple(replace(request(args, name), redraws=not question) for name in names)
    _refuse_in_parts(args, watched, items)

    def asked(ratings: Ratings) -> tuple[Request, ...]:
        return tuple(replace(request(args, name, ratings), redraws=not question) for name in names)

    chosen = _setup(args, whole)
    form = form_of(args, target)
    arrange = partial(arranged, chosen=chosen, issued=args.issued, command_line=_printed(args), form=form)
    run = part_reports(
        with_setup(whole, chosen),
        args.file,
        watched,
        args.each,
        asked,
        target,
        RatersAs(args.rater_names),
        arrange,
        permitted_outputs(args),
        form,
        question,
    )
    return _saved(args, run_watched(run))


def _saved(args: argparse.Namespace, made: "tuple[Made, ...]") -> tuple[dict[str, Any], str]:
    """What became of each part of a file.

    Raises
    ------
    CannotAnswerError
        When there is a report of none.
    """
    if all(one.path is None for one in made):
        raise CannotAnswerError(f"No part could be answered. {made[0].value}: {made[0].refused}", args.file)
    rows = [
        {
            "value": m.value,
            "output": None if m.path is None else str(m.path),
            "refused": m.refused or None,
            "missing": m.missing or None,
        }
        for m in made
    ]
    for part in made:
        if part.missing:
            sys.stderr.write(f"tapdesk: a fault of the program left out of {part.path}: {part.missing}.\n")
    saved = [str(m.path) for m in made if m.path is not None]
    answer = {**json_output.answer_head("report", None), "outputs": saved, "rows": rows}
    lines = [f"Saved {m.path}." if m.path is not None else f"No report of {m.value}: {m.refused}" for m in made]
    return answer, "\n".join(lines)


def _wanted(args: argparse.Namespace) -> tuple[str, ...]:
    """The models a report tries, the next where the design cannot answer the one before."""
    return (args.model,) if args.model else ("t-a-p", "t-a-t")


def _printed(args: argparse.Namespace) -> str:
    """The options a report prints: how the file was read, the numbers were estimated, and what it holds."""
    from tapdesk.answers.demands import DEMANDS

    names = {*_HOLDS, *(row.option for row in DEMANDS)}
    return effects.typed_line(args, (Topic.READING, Topic.ESTIMATION), names)


def _refuse_in_parts(args: argparse.Namespace, parts: tuple[FilePart, ...], requests: tuple[Request, ...]) -> None:
    """Hold what was typed against the table by the first part that can be read; the others are read alike."""
    for part in parts:
        try:
            reading = run_watched(read(args.file, part.options))
        except UsageError:
            raise
        except TapdeskError:
            continue
        effects.refuse_once_read(args, reading)
        effects.refuse_once_chosen(args, {one.model.name: one for one in requests}, reading.ratings)
        return


def _setup(args: argparse.Namespace, project: Project) -> "Setup":
    """What the project remembers about its report, changed by what the command names."""
    from tapdesk.answers.naming import CasesAs
    from tapdesk.report.forms.logo import logo
    from tapdesk.report.outline import SECTIONS
    from tapdesk.report.setup import setup
    from tapdesk.studies.scan import Direction

    known = [row.key for row in SECTIONS]
    dropped = [key for given in args.leave_out or () for key in given.split(",")]
    for key in dropped:
        if key not in known:
            raise UsageError(f"There is no section '{key}'.", fix=f"The sections are: {', '.join(known)}.")
    chosen = setup(project)
    chosen = replace(chosen, leave_out=tuple(sorted({*chosen.leave_out, *dropped})))
    if args.paper:
        chosen = replace(chosen, paper=PAPERS[args.paper])
    if args.apa:
        chosen = replace(chosen, apa=True)
    if args.scale:
        chosen = replace(chosen, scale=args.scale)
    chosen = replace(chosen, selection=_selection(args, chosen.selection))
    if args.case_names:
        chosen = replace(chosen, cases_as=CasesAs(args.case_names))
    if args.logo:
        chosen = replace(chosen, logo=logo(args.logo))
    if args.direction:
        chosen = replace(chosen, direction=Direction(args.direction))
    return replace(chosen, archive=False) if args.no_archive else chosen


def _selection(args: argparse.Namespace, before: "Selection") -> "Selection":
    """What the project asks for of the parts on demand, and what the command names besides."""
    from tapdesk.answers.demands import DEMANDS, Selection

    named: dict[str, Choice] = {}
    for row in DEMANDS:
        typed = getattr(args, row.option.lstrip("-"))
        if row.key == "pictures":
            # Late: the catalog of pictures is not needed before one is named.
            from tapdesk.answers.figures.catalog import picture

            typed = [picture(kind).kind for kind in typed or ()]
        if typed and row.key == "groups" and _of_the_model(args):
            # Its groups are those of the model itself.
            continue
        if typed and row.by_column:
            named[row.key] = tuple(dict.fromkeys((*before.columns(row.key), *typed)))
        elif typed:
            named[row.key] = (args.sets or before.sets(row.key) or 1) if row.by_sets else True
    return Selection(before, **named)


def _of_the_model(args: argparse.Namespace) -> bool:
    """Whether the columns that are named hold the groups of the model."""
    return bool(args.model) and named_model(args.model).by_group


def figure(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """One figure as a file, or the names of all.

    Raises
    ------
    UsageError
        When the figure or the kind of file does not exist.
    """
    from tapdesk.answers.figure_table import records_of
    from tapdesk.answers.figures.catalog import FIGURES, made, picture
    from tapdesk.answers.pseudonyms import coded_fit, coded_ratings, coded_reading
    from tapdesk.answers.svg.draw import height_at
    from tapdesk.report.forms.pdf import figure_file
    from tapdesk.report.issue.texts import check_figures

    if args.kind == "list":
        rows = [{"name": row.kind, "title": row.title} for row in FIGURES]
        return {**json_output.answer_head("figure", None), "rows": rows}, "\n".join(
            f"{r['name']:<16}{r['title']}" for r in rows
        )
    kind = picture(args.kind)
    size = Size(args.width, args.ppi)
    if not args.output:
        raise UsageError("There is no file to draw to.", fix="Name it with -o, such as -o figure.png.")
    target = Path(args.output)
    suffix = target.suffix.lower()
    if suffix not in {".png", ".svg", ".pdf"}:
        raise UsageError(f"A figure cannot be written as '{target.suffix}'.", fix="Use .png, .svg or .pdf.")
    project = open_project(args)
    reading, called = reading_of(project), called_in(args, project)
    panel = panel_of(args, reading.ratings)
    _, result = default_fit(args, replace(reading, ratings=panel), args.model, redraws=kind.redraws, shares=kind.shares)
    ratings = coded_ratings(panel, called)
    panels = run_watched(made(args.kind, coded_fit(result, called, panel), ratings, args.direction))
    check_figures(panels, called.secrets)
    names = [target] if len(panels) == 1 else [target.with_stem(f"{target.stem}-{i + 1}") for i in range(len(panels))]
    drawn = [
        figure_file(panel, suffix, width=size.pixels, height=height_at(panel, size.pixels), ppi=size.ppi)
        for panel in panels
    ]
    permitted_outputs(args).save_all(zip(names, drawn, strict=True))
    values = [row for panel in panels for row in records_of(panel)]
    head = json_output.answer_head("figure", coded_reading(reading, called))
    answer = {**head, "outputs": [str(n) for n in names], "rows": values}
    return answer, "\n\n".join((*(_as_table(panel) for panel in panels), "\n".join(f"Saved {n}." for n in names)))


def called_in(args: argparse.Namespace, project: Project) -> "Naming":
    """What raters and cases are called in a document of a project, and in the receipt beside it."""
    from tapdesk.answers.naming import CasesAs, RatersAs, naming
    from tapdesk.report.setup import setup

    cases_as = CasesAs(args.case_names) if args.case_names else setup(project).cases_as
    called = naming(project, RatersAs(args.rater_names), cases_as)
    args.called = called
    if project.reading is not None:
        source = project.reading.source
        args.facts["file"] = (called.file(source.name, source.sha256),)
    return called


def _as_table(panel: "Figure") -> str:
    """A picture as lines of text: its sentence, its numbers, its note."""
    from tapdesk.answers import terminal
    from tapdesk.answers.figure_table import table_of

    shown = table_of(panel)
    more = len(shown.rows) - _MOST_LINES
    if more > 0:
        note = f"{more:,} more {'row is' if more == 1 else 'rows are'} left out here; --json holds all. {shown.note}"
        shown = replace(shown, rows=shown.rows[:_MOST_LINES], note=note)
    return terminal.table(shown)


def verify(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Whether an issued report still matches its project, or the data file it was made from."""
    from tapdesk.report.issue.facts import facts_in, made_again, recipe
    from tapdesk.report.issue.verify import verify as compare

    text, project = facts_in(args.pdf), None
    if args.project and "form" in text and not is_project(args.project):
        verdict = run_watched(_of_a_form(args.pdf, args.project, text["form"]))
    else:
        if args.project and is_project(args.project):
            project = load(args.project)
        elif args.project:
            project = run_watched(made_again(args.project, recipe(text.get("recipe", ""))))
        of_data_file = project is not None and not is_project(args.project)
        verdict = run_watched(compare(args.pdf, project, of_data_file=of_data_file))
    answer = {
        **json_output.answer_head("verify", None),
        "outcome": verdict.outcome.value,
        "exit_status": verdict.exit_status,
        "fingerprint": verdict.fingerprint,
        "sentences": list(verdict.sentences),
    }
    return answer, verdict.words


def _of_a_form(pdf: str, data: str, line: str) -> "Run[Verdict]":
    """The verdict on the report of a form beside its data file."""
    from tapdesk.report.form_recipe import form_recipe, made_again
    from tapdesk.report.issue.facts import refuse_without_recipe
    from tapdesk.report.issue.verify import verify_form

    recipe = form_recipe(line)
    if recipe is None:
        raise refuse_without_recipe(data)
    return verify_form(pdf, made_again(data, recipe))
