"""The commands about a file of ratings: how it is opened, check, fit, agree, scan, pairs, and lines of text for them.

What only one command needs is loaded with that command.
"""

import argparse
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tapdesk.answers import numbers, terminal
from tapdesk.answers.fit_studies import fit_answer
from tapdesk.answers.part import Answer, Part, contents, record
from tapdesk.answers.question import headline
from tapdesk.answers.side_results import SideResults
from tapdesk.answers.terminal import paragraph, plain
from tapdesk.cli import effects, json_output
from tapdesk.cli.arguments import reading_options
from tapdesk.cli.effects import holds_project, refuse_once_read
from tapdesk.cli.json_output import rater_count
from tapdesk.cli.outputs import permitted_outputs
from tapdesk.cli.requests import OF_QUESTIONS, named_model, panel_of, request, uniform_refusal
from tapdesk.cli.terminal import run_watched
from tapdesk.errors import CannotAnswerError, SeveralQuestionsError, TapdeskError, UsageError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext, speak, voice
from tapdesk.models.design import groups_of_ratings
from tapdesk.models.model import (
    Accuracy,
    Key,
)
from tapdesk.models.model import model as by_name
from tapdesk.project.decisions.classes import ReorderClasses, SetClass1
from tapdesk.project.nouns import nouns_of
from tapdesk.project.project import Project
from tapdesk.project.review_state import checks_open, finding_states, findings_now, refuse_blocking
from tapdesk.ratings.findings import Severity, refuse_what_asks
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading, read, rows_summary
from tapdesk.studies.analysis import Request, analyse, refusal

if TYPE_CHECKING:
    # Loaded with the command that needs it, not with the program.
    from tapdesk.studies.scan import Scan

_ABOUT_CLASSES = {"class1", "class0", "order", "strict"}
# How options are typed that are called otherwise inside.
_TYPED = {"last": "last-row", "hidden": "leave-out-hidden"}
NO_OPTIONS = ReadingOptions()


def project_of(path: str | Path, options: ReadingOptions = NO_OPTIONS) -> Project:
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
    from tapdesk.project.files.file import load  # what reads a project comes with a project

    project = load(path)
    if options.order is not None:
        project = project.decide(ReorderClasses(options.order), when="")
    if options.class1 is not None:
        project = project.decide(SetClass1(options.class1, options.class0), when="")
    if options.strict and project.reading is not None:
        refuse_what_asks([row.finding for row in finding_states(project) if row.open], Path(path).name)
    return project


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
    ratings, all_classes = project.ratings, project.all_classes
    class1, class0 = project.replayed.class1, project.replayed.class0
    return replace(
        reading,
        ratings=ratings,
        as_read=all_classes,
        findings=findings_now(project),
        options=replace(reading.options, class1=class1, class0=class0, order=project.order or reading.options.order),
        left_out_subjects=max(reading.left_out_subjects + reading.ratings.subject_count - ratings.subject_count, 0),
        left_out_ratings=max(reading.left_out_ratings + reading.ratings.rating_count - ratings.rating_count, 0),
    )


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
    # Of awards they are lines through what the committee makes of the scores, not through each score.
    cuts = () if args.awards or args.cell == "awards" else args.cuts or ()
    # Where scores are cut, what is counted is said of the bands.
    first = replace(options, class1=None, class0=None) if cuts else options
    if holds_project(args.file):
        project = project_of(args.file, first)
    else:
        project = Project(title=title).with_reading(run_watched(read(args.file, first)), when="")
    if cuts and project.reading is not None:
        project = _in_bands(project, cuts, args.bands or (), options)
    if project.reading is not None:
        refuse_once_read(args, project.reading, answered=args.command == "report" and has_answers(project))
    if waits:
        # What is asked in groups of a column is not pooled over it.
        refuse_blocking(project, args.by if args.cell in {"study groups", "fit"} else None)
    speak(replace(voice(), nouns=nouns_of(project)))
    args.read = project.reading
    return project


def _in_bands(project: Project, cuts: Sequence[str], names: Sequence[str], options: ReadingOptions) -> Project:
    """The project with its scores cut into bands, and with what is counted of them."""
    from tapdesk.project.bands import own_bands  # start-up cost: few scores are cut

    mark = "." if project.reading is None else project.reading.source.decimal or "."
    project = project.decide(own_bands(project.all_classes, mark, cuts, names), when="")
    return project if options.class1 is None else project.decide(SetClass1(options.class1, options.class0), when="")


def has_answers(project: Project) -> bool:
    """Whether a project holds an answer of its own."""
    return any(a.fit is not None for a in project.analyses)


def open_file(args: argparse.Namespace, *, waits: bool = True) -> Reading:
    """The ratings a command is about, those of a project as they stand after all decisions; see `open_project`."""
    reading = reading_of(open_project(args, waits=waits))
    args.read = reading
    return reading


def reading_of(project: Project) -> Reading:
    """The ratings of a project as they stand after all decisions."""
    reading = project.reading
    return current_reading(project) if reading is None or project.decisions else reading


_SHARED_MAXIMUM = {"t-a-p", "t-ak-p", "t-a0a1-p0p1"}


def check(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """What was understood of a file, and what was noticed; where a finding blocks, the exit status says so.

    Of a file with several questions, what was understood of all of them.
    """
    try:
        project = open_project(args, waits=False)
    except SeveralQuestionsError:
        # Who names a question, or the column of questions, asks about one of them (cli.md).
        if args.question is not None or args.only is not None:
            raise
        from tapdesk.cli.questions import check_form

        return check_form(args)
    reading = reading_of(project)
    if project.reading is None:
        return json_output.answer_head("check", reading), terminal.check(reading)
    from tapdesk.answers.fix_effects import with_effects
    from tapdesk.project.damage import findings_by_damage, without_consequences

    findings = with_effects(findings_by_damage(project), project)
    roots = without_consequences(project)
    text = terminal.check(
        replace(reading, findings=tuple(f for f in findings if (f.code, f.about) in roots)),
        {f: roots.get((f.code, f.about), "") for f in findings},
    )
    return json_output.answer_head("check", replace(reading, findings=findings)), text


def fit(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Models fitted to a file.

    Raises
    ------
    CannotAnswerError
        When none of the models can be fitted.
    """
    names = [name for name in dict.fromkeys(args.model) if name]
    if not names:
        raise UsageError("No model was named.", fix="Name it with --model, such as --model t-a-p.")
    reading = _all_questions(args, names) if OF_QUESTIONS.intersection(names) else open_file(args)
    # One of several models that does not go with an option does not stop the others.
    held = {name: uniform_refusal(named_model(name), args) for name in names} if len(names) > 1 else {}
    panel = panel_of(args, reading.ratings)
    table = {name: request(args, name, panel) for name in names if not held.get(name)}
    rows: list[_FitRow] = []
    for group, ratings in _parts(args, panel, table.values()):
        own = {name: request(args, name, ratings) for name in table}
        why_not = {name: held.get(name) or refusal(ratings, own[name]) for name in names}
        rows += [_FitRow(name, group, ratings, own.get(name), why) for name, why in why_not.items()]
    # An option that only a model asks for which cannot be fitted has no effect; where none can, that is said.
    fitted = {row.name: row.request for row in rows if row.request is not None and not row.why_not}
    effects.refuse_once_chosen(args, fitted or table, reading.ratings)
    if not fitted:
        raise CannotAnswerError(" ".join(f"{row.about}: {row.why_not}" for row in rows), reading.source.name)
    shared = len(reading.ratings.classes) == 2 and len({r.model.name for r in table.values()} & _SHARED_MAXIMUM) > 1
    head = json_output.answer_head("fit", reading)
    head["data"] |= _questions_asked(reading.ratings, names)
    answers, words, fits = [], [reading_line(reading, head["data"])], dict[str, Fit]()
    for row in rows:
        told, text, found = _fitted(row, shared=shared)
        told["known"] = json_output.known(reading.ratings, found, args.known_use, told.pop("together", None))
        answers.append(told)
        words.append(text)
        fits |= {} if found is None else {row.about: found}
    if args.worklist:
        words += _worklist(args, reading.ratings, next(iter(fits.values()), None))
    whole = {**head, "fits": answers}
    if args.estimator == "posterior" and len(fits) > 1 and all(row.group is None for row in rows):
        from tapdesk.answers.model_comparison import by_evidence, model_probabilities

        words += [terminal.paragraph(sentence)] if (sentence := by_evidence(fits)) else []
        whole["model_probabilities"] = model_probabilities(fits) or None
    return whole, "\n\n".join(words)


def _worklist(args: argparse.Namespace, ratings: Ratings, fitted: Fit | None) -> list[str]:
    """Save the doubtful cases as rating sheets; what was saved, in sentences.

    Raises
    ------
    CannotAnswerError
        When nothing can be said of single cases, or no case is doubtful.
    """
    from tapdesk.report.award_list import case_worklist_files  # late: it loads what writes workbooks
    from tapdesk.studies.case_beliefs import case_beliefs

    beliefs = None if fitted is None else run_watched(case_beliefs(ratings, fitted, args.seed))
    if beliefs is None:
        raise CannotAnswerError(_("Of single {subjects} nothing can be said, so there is no worklist.").format())
    files = case_worklist_files(beliefs, ratings.subjects, ratings, Path(args.worklist))
    permitted_outputs(args).save_all(files)
    return [_("Saved {file}.").format(file=path) for path, _content in files]


def _all_questions(args: argparse.Namespace, names: Collection[str]) -> Reading:
    """All questions of a form as one panel, for models that are about several.

    Raises
    ------
    UsageError
        When a model of one question is asked for beside them, or one question is named.
    """
    from tapdesk.cli.questions import open_form
    from tapdesk.models.panels import join_questions

    others = [name for name in names if name not in OF_QUESTIONS]
    if others or args.only is not None:
        raise UsageError(
            _("Models of several questions take all questions of a file, and stand beside no other model."),
            "--only" if args.only is not None else f"--model {others[0]}",
            _("Leave it out, or ask for it by itself."),
        )
    whole = open_form(args)
    first = whole.readings[0]
    panel = join_questions({q.name: q.reading.ratings for q in whole.questions if q.reading is not None})
    missing = sum(reading.missing for reading in whole.readings)
    return replace(first, ratings=panel, as_read=panel, findings=tuple(whole.findings), missing=missing)


def _questions_asked(ratings: Ratings, names: Collection[str]) -> dict[str, Any]:
    """Of a panel of several questions their names, and the number of cases; of another one nothing."""
    if not OF_QUESTIONS.intersection(names):
        return {}
    from tapdesk.models.panels import CASE, QUESTION

    asked, about = (dict.fromkeys(map(str, ratings.covariates[name].values)) for name in (QUESTION, CASE))
    return {"subjects": len(about), "questions": list(asked)}


@dataclass(frozen=True, eq=False)
class _FitRow:
    """One model on all ratings, or on those of one group; and why it cannot be fitted to them."""

    name: str
    group: str | None
    ratings: Ratings
    request: Request | None
    why_not: str | None

    @property
    def about(self) -> str:
        """How it is called beside the others."""
        return self.name if self.group is None else f"{self.name}, {plain(self.group)}"


def _parts(args: argparse.Namespace, ratings: Ratings, asked: Collection[Request]) -> list[tuple[str | None, Ratings]]:
    """All ratings; or where groups are named and no model is about them, the ratings of each by its name."""
    if not args.by or any(one.model.by_group for one in asked):
        return [(None, ratings)]
    groups = groups_of_ratings(replace(by_name("t-a-p"), groups=args.by), ratings)
    return [(name, ratings.keep(groups.of_rating == g).panel()) for g, name in enumerate(groups.names)]


def _fitted(row: _FitRow, *, shared: bool) -> tuple[dict[str, Any], str, Fit | None]:
    """One answer as JSON and as text, and its fit; ``shared`` where models that reach one maximum are asked for."""
    if row.why_not is not None or row.request is None:
        why = row.why_not or ""
        return {**json_output.refusal(row.name, why), "group": row.group}, f"{row.about}: {why}", None
    found = run_watched(analyse(row.ratings, row.request))
    answer = run_watched(fit_answer(found, row.ratings, row.request))
    sentence, follows = headline(answer)
    whole = {**json_output.fit(found, row.name, row.ratings), "misfit": json_output.misfit(answer.side)}
    shown = contents(_parts_of(answer), "fit", answer)
    whole |= json_output.of_grid(answer)
    if row.request.tests and answer.side.together is not None:
        # The test that stands beside the known answers is one of those that were asked for.
        whole["tests"] = [*whole["tests"], json_output.test(answer.side.together.test)]
    head = {"model": whole["model"], "group": row.group, "headline": {"sentence": sentence, "follows": follows}}
    told = {**head, **whole, "parts": [record(*one) for one in shown]}
    if shared and row.request.model.name in _SHARED_MAXIMUM:
        _not_comparable(told)
    text = terminal.fit(answer, shown)
    return told, text if row.group is None else f"{plain(row.group)}\n\n{text}", found


def _parts_of(answer: Answer) -> tuple[Part, ...]:
    """The parts of a fit; those of the grid are loaded for few."""
    beside = {name for name in json_output.OF_GRID if getattr(answer.side, name) or name in answer.side.reasons}
    model = answer.fit.model
    known, along = model.key is not Key.UNUSED, model.accuracy is Accuracy.REGRESSION
    if not (beside or known or along) and json_output.population(answer.fit) is None:
        from tapdesk.answers import fit_parts

        return fit_parts.PARTS
    if beside == {"dependence"} and not (known or along) and json_output.population(answer.fit) is None:
        # What stands beside many plain fits comes without the rest.
        from tapdesk.answers import dependence_part, fit_parts

        at = fit_parts.PARTS.index(fit_parts.DETAILS)
        return (*fit_parts.PARTS[:at], dependence_part.DEPENDENCE, *fit_parts.PARTS[at:])
    from tapdesk.answers import grid_parts

    return grid_parts.PARTS


def _answer_of(reading: Reading, **result: Any) -> Answer:
    """What a command has found about the ratings alone."""
    return Answer(None, reading.ratings, reading.as_read, SideResults(**result))


def _not_comparable(answer: dict[str, Any]) -> None:
    """Models that share one maximum on any binary counts are not compared (models.md §3)."""
    answer["aic"] = answer["bic"] = None
    answer["findings"].append(
        {
            "code": "not_comparable",
            "severity": "note",
            "message": "On counts of two classes t-a-p, t-a0a1-p and t-a0a1-p0p1 reach the same likelihood whatever "
            "the data, so AIC and BIC cannot choose between them and are not shown.",
            "fix": "Choose between them by what you know about the raters.",
        }
    )


def agree(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Every coefficient, or the reason why it is undefined."""
    from tapdesk.agreement.coefficients import agree as agreement
    from tapdesk.agreement.interpretation import explain as explained
    from tapdesk.answers import coefficients

    reading = open_file(args)
    run = agreement(
        reading.ratings,
        weights=args.weights,
        level=args.level,
        interval=args.interval,
        replicates=args.replicates,
        seed=args.seed,
    )
    watched = run_watched(run)
    shown = contents(coefficients.PARTS, "agree", _answer_of(reading, coefficients=watched))
    words = [reading_line(reading), *terminal.parts(shown)]
    records = [{**c.record(), "reading": explained(c)} for c in watched]
    parts = [record(*row) for row in shown]
    return {**json_output.answer_head("agree", reading), "coefficients": records, "parts": parts}, "\n\n".join(words)


def scan(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """t-a-p, t-a-t and kappa at every cut of the ordered classes."""
    from tapdesk.answers import cut_points
    from tapdesk.studies.scan import Direction
    from tapdesk.studies.scan import scan as all_cuts

    reading = open_file(args)
    asked, direction = request(args, "t-a-p", reading.ratings), Direction(args.direction)
    study = all_cuts(reading.ratings, asked, test=args.tests, replicates=args.replicates, direction=direction)
    watched = run_watched(study)
    cuts = []
    for cut in watched.cuts:
        others, counted = cut.sides
        binary = reading.ratings.dichotomised(counted, others)
        cuts.append(
            {
                "cut": cut.name,
                "class0": list(others),
                "class1": list(counted),
                "direction": cut.words,
                "refused": cut.refused,
                "fits": _fits(binary, cut.free, cut.tied),
                "kappa": _estimate(cut.kappa),
                "root_kappa": _estimate(cut.root_kappa),
                "subjects": cut.subjects,
                "ratings": cut.ratings,
            }
        )
    shown = contents(cut_points.PARTS, "scan", _answer_of(reading, scan=watched))
    words = [reading_line(reading), *_about_scan(watched, reading.ratings), *terminal.parts(shown)]
    test = watched.one_accuracy
    answer = {**json_output.answer_head("scan", reading), "cuts": cuts, "one_accuracy": test and json_output.test(test)}
    return {**answer, "parts": [record(*row) for row in shown]}, "\n\n".join(words)


def pairs(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Conditional accuracy for every pair of classes."""
    from tapdesk.answers import cases
    from tapdesk.answers.class_pairs import hardest
    from tapdesk.studies.scan import pairs as all_pairs

    reading = open_file(args)
    watched = run_watched(all_pairs(reading.ratings, request(args, "t-a-t", reading.ratings)))
    answers = [
        {
            "classes": [pair.first, pair.second],
            "subjects": pair.subjects,
            "ratings": pair.ratings,
            "compared": pair.compared,
            "kappa": _estimate(pair.kappa),
            "root_kappa": _estimate(pair.root_kappa),
            "accuracy": _estimate(pair.accuracy),
        }
        for pair in watched.pairs
    ]
    shown = contents(cases.PARTS, "pairs", _answer_of(reading, pairs=watched))
    words = [reading_line(reading), paragraph(_("{said}.").format(said=hardest(watched))), *terminal.parts(shown)]
    parts = [record(*row) for row in shown]
    return {**json_output.answer_head("pairs", reading), "pairs": answers, "parts": parts}, "\n\n".join(words)


def _about_scan(result: "Scan", ratings: Ratings) -> list[str]:
    """What must be known of the cuts: that their order was not given, and that they were not tested."""
    blocks = []
    if len(ratings.classes) > 2 and not ratings.ordered:
        unknown = _(
            "The file gives these classes no order; they were taken as {order}. If they have one, name it: --order."
        )
        blocks.append(unknown.format(order=" < ".join(ratings.classes)))
    if len(ratings.classes) > 2 and result.one_accuracy is None:
        blocks.append(_("Whether one accuracy serves all lines is tested with --tests."))
    return [terminal.paragraph(block) for block in blocks]


def _fits(ratings: Ratings, *fits: Fit | None) -> list[dict[str, Any]]:
    return [json_output.fit(f, f.model.name, ratings) for f in fits if f is not None]


def _estimate(e: Estimate) -> dict[str, Any]:
    return json_output.fields(e, "value", "se", "low", "high", "undefined", "no_interval")


def reading_line(reading: Reading, told: dict[str, Any] | None = None) -> str:
    """A line about the data and what should be looked at, and one about what a filter or a question left out.

    Parameters
    ----------
    reading
        What was read.
    told
        The data as JSON, where several questions are read; what is left out of all is told by their findings.
    """
    r, told = reading.ratings, told or {}
    asked = "" if "questions" not in told else _asked(len(told["questions"]))
    line = _(
        "{file}: {asked}{n:,} {subjects}, {m:,} {raters}, {k:,} {ratings}, {missing:,} missing; classes {classes}."
    ).format(
        file=plain(reading.source.name),
        asked=asked,
        n=told.get("subjects", r.subject_count),
        m=rater_count(r),
        k=r.rating_count,
        missing=reading.missing,
        classes=_classes(reading),
    )
    asks = sum(f.severity in {Severity.BLOCK, Severity.ASK} for f in reading.findings)
    if asks:
        line = joined(line, _("{checks}: see tapdesk check.").format(checks=checks_open(asks)))
    left_out = "" if asked else rows_summary(reading)
    return "\n\n".join(map(paragraph, filter(None, (line, left_out))))


def _asked(questions: int) -> str:
    return ngettext("{n:,} question, ", "{n:,} questions, ", questions).format(n=questions)


def _classes(reading: Reading) -> str:
    r = reading.ratings
    if reading.options.label is not None:
        return _("{classes} (class 1: the label {label})").format(
            classes=", ".join(plain(c) for c in r.classes), label=plain(reading.options.label)
        )
    line = (" < " if reading.as_read.ordered else ", ").join(plain(c) for c in reading.as_read.classes[:12])
    more = len(reading.as_read.classes) - 12
    line += f" and {more} more" if more > 0 else ""
    if len(r.classes) == 2:
        line += f" (class 1: {', '.join(plain(c) for c in r.class1)})"
    return line


def aligned(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows under titles, as the report's tables look on a terminal: names to the left, after them numbers."""
    from tapdesk.answers.content import Align, Column, Table

    columns = tuple(Column(title, Align.RIGHT if i else Align.LEFT) for i, title in enumerate(titles))
    return terminal.table(Table(title="", columns=columns, rows=tuple(tuple(r) for r in rows)))


def number(value: float | None) -> str:
    """Three decimals, a dash where undefined: rates that were typed, not estimated, are checked to the third."""
    return numbers.decimal(value, places=3)
