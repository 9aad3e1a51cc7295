"""The commands simulate and study: ratings drawn from a model, tables and pictures of simulations."""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tapdesk import resources
from tapdesk.cli import json_output
from tapdesk.cli.analyses import aligned, number, open_file
from tapdesk.cli.arguments import refuse_absurd_size
from tapdesk.cli.outputs import STANDARD_OUTPUT, permitted_outputs, resumable_pieces
from tapdesk.cli.terminal import FAULT, Csv, run_watched
from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.language import gettext as _
from tapdesk.models.drifting import ORDER, drift_ends, with_drift
from tapdesk.models.model import GRID_MODELS, Cases, RaterModel
from tapdesk.models.model import model as named_model
from tapdesk.models.parameters import Parameters
from tapdesk.models.simulate import Asymptotic, asymptotic, exact, parse_parameters
from tapdesk.models.simulate import simulate as simulated
from tapdesk.papers import writing
from tapdesk.papers.catalog import REPRODUCTIONS, STUDY_SHEETS, reproduction
from tapdesk.papers.reproduction import FigureRequest, PaperNumber, page, verdict
from tapdesk.progress import Run, Step
from tapdesk.project.files.outputs import OutputKind, make_folder, seal
from tapdesk.ratings.grid import GUARD_NOTE, csv_text
from tapdesk.ratings.ratings import CovariateOf, Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.studies.analysis import COVERAGE_KINDS, Request, analyse, refusal
from tapdesk.studies.award_calibration import award_calibration
from tapdesk.studies.belief_calibration import belief_calibration
from tapdesk.studies.chance import horizon
from tapdesk.studies.coverage import coverage, coverage_parts
from tapdesk.studies.design_study import StudySize, no_grid, no_squares, plan, plan_point, size_of
from tapdesk.studies.judge_coverage import judge_coverage
from tapdesk.studies.kappa_study import kappa_study
from tapdesk.studies.model_comparison import models_study
from tapdesk.studies.parallel import FinishedPieces
from tapdesk.studies.recovery import RecoveryPlan, Setting, four_classes, recover, tap_grid
from tapdesk.studies.share_coverage import share_cells, share_coverage
from tapdesk.studies.subsets import group_table, influence
from tapdesk.studies.table import StudyTable

# Of the pictures of all figures: sharp on paper and screen, and small enough to come with the program.
_PPI = 120
GROUP, OCCASION = "group", "occasion"
"""Columns of the ratings that are made up."""
_MADE_COLUMNS = {GROUP, OCCASION, ORDER}
_NO_LONG_RUN = (
    "What this comes to in the long run is not told: accuracy goes with other columns here, cases are of groups or "
    "rated again, or ratings of one case go together in more ways than its truth."
)
_MATCHES = (
    ("accurate", "both justified"),
    ("mixed", "one justified, one by luck"),
    ("inaccurate", "both by luck"),
    ("observed", "all pairs that match"),
    ("random", "two guesses match"),
    ("kappa", "Fleiss' kappa"),
)


def long_run_text(result: Asymptotic | None, classes: Sequence[str]) -> str:
    """The shares in the long run as two tables, with what they are shares of."""
    if result is None:
        return _NO_LONG_RUN
    shares = [
        (label, number(float(t)), number(float(c)))
        for label, t, c in zip(classes, result.truth, result.given, strict=True)
    ]
    matches = [(title, number(getattr(result, name))) for name, title in _MATCHES]
    parts = [
        "In the long run, by the numbers themselves:",
        aligned(("Class", "true of cases", "of the ratings"), shares),
        aligned(("Pairs of ratings of a case", "share"), matches),
    ]
    if result.observed is None:
        parts.append("A single rater has no pairs, so there is nothing that could match.")
    elif result.accurate is None:
        parts.append("This model has no accuracy, so the matches have no causes.")
    return "\n".join(parts)


def long_run_record(result: Asymptotic | None, classes: Sequence[str]) -> dict[str, Any] | None:
    """The same as plain values; None of a regression."""
    if result is None:
        return None
    rates = [
        {"class": label, "true": float(t), "given": float(c)}
        for label, t, c in zip(classes, result.truth, result.given, strict=True)
    ]
    return {"classes": rates, **{name: getattr(result, name) for name, _title in _MATCHES}}


def simulate(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Ratings simulated from a model, as a long table, and what its numbers come to in the long run."""
    model = made_model(args.model)
    _refuse_columns(args, model)
    if args.exact and (model.cases is not Cases.ALIKE or model.near or model.by_group or model.memory):
        raise UsageError(
            _("Patterns of {name} cannot be listed as often as they are expected.").format(name=model.name),
            "--exact",
            _("Leave it out: random ratings are made."),
        )
    refuse_absurd_size(args.subjects, args.raters)
    classes = _sound(args.classes) if args.classes is not None else default_classes(args.param)
    raters = [f"J{j + 1}" for j in range(args.raters)]
    parameters = parse_parameters(model, args.param, classes, raters, args.groups)
    make = exact if args.exact else simulated
    more = {} if args.exact else {"seed": args.seed, "groups": args.groups, "again": args.repeats}
    ratings, truth = make(model, parameters, classes, raters, args.subjects, **more)
    if args.drift:
        ratings = with_drift(ratings, truth, model, parameters, drift_ends(args.drift, raters), args.seed)
    names, rows = _made_rows(ratings)
    table, files = as_csv(names, rows), []
    if args.truth_out:
        true = zip(ratings.subjects, (ratings.classes[k] for k in truth), strict=True)
        files.append((Path(args.truth_out), as_csv(("subject", "truth"), true).encode()))
    result = None if model.by_group or model.memory or args.drift else asymptotic(parameters, args.raters)
    answer = {**json_output.answer_head("simulate", None), "seed": args.seed, "output": args.output}
    answer["asymptotic"] = long_run_record(result, classes)
    if args.output not in STANDARD_OUTPUT:
        files.append((Path(args.output), table.encode()))
    permitted_outputs(args).save_all(files)
    if args.output not in STANDARD_OUTPUT:
        sentence = f"Saved {ratings.rating_count:,} ratings to {args.output}."
        return answer, f"{sentence}\n\n{long_run_text(result, classes)}"
    # JSON stands in place of the table, so it holds the ratings where no file does.
    return {**answer, "rows": [dict(zip(names, row, strict=True)) for row in rows]}, table


def made_model(name: str) -> RaterModel:
    """The named model, about the columns of ratings that are made up.

    Raises
    ------
    UsageError
        When there is no such model.
    """
    row = named_model(name, GRID_MODELS)
    return replace(row, groups=GROUP if row.by_group else "", occasions=OCCASION if row.memory else "")


def _refuse_columns(args: argparse.Namespace, model: RaterModel) -> None:
    """Refuse groups and repeats of a model that has none."""
    for option, named, belongs in (
        ("--groups", args.groups, model.by_group),
        ("--repeats", args.repeats, model.memory),
    ):
        if named and not belongs:
            raise UsageError(
                _("{option} has no effect on the model {name}.").format(option=option, name=model.name),
                option,
                _("Leave it out, or choose a model such as {other}.").format(
                    other="tg-a-p" if option == "--groups" else "t-aj-p+m"
                ),
            )


def _made_rows(ratings: Ratings) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """The titles of a long table, and a row for each rating with its group and occasion where there are such."""
    more = tuple(ratings.covariates.values())
    columns = [c.values[ratings.subject] if c.of is CovariateOf.SUBJECT else c.values for c in more]
    shown = [c for c, one in zip(columns, more, strict=True) if one.name in _MADE_COLUMNS]
    rows = [
        (ratings.subjects[i], ratings.raters[j], ratings.classes[c], *own)
        for i, j, c, *own in zip(ratings.subject, ratings.rater, ratings.category, *shown, strict=True)
    ]
    return ("subject", "rater", "rating", *(c.name for c in more if c.name in _MADE_COLUMNS)), rows


def _sound(classes: tuple[str, ...]) -> tuple[str, ...]:
    """The classes named, each with a name of its own."""
    if not all(classes) or not classes:
        raise UsageError("A class has no name.", "--classes", "Write each name once, such as --classes low,high.")
    twice = [label for i, label in enumerate(classes) if label in classes[:i]]
    if twice:
        raise UsageError(f"The class '{twice[0]}' is named twice.", "--classes", "Write each name once.")
    return classes


def default_classes(params: Sequence[str]) -> tuple[str, ...]:
    """Labels when none are given: as many as the true rates named, 0 and 1 for two."""
    for given in params:
        name, _equals, values = given.partition("=")
        count = values.count(",") + 1
        if name.strip() in {"t", "p"} and count > 2:
            return tuple(str(c + 1) for c in range(count))
    return ("0", "1")


def as_csv(names: Sequence[str], rows: Iterable[Sequence[object]]) -> Csv:
    """A table as CSV; where a text had to be kept from being a formula, that is said on standard error."""
    table = csv_text(names, rows)
    if table.prefixed:
        sys.stderr.write(f"{GUARD_NOTE}\n")
    return Csv(table.text)


_PICTURES = (".svg", ".png", ".pdf")
# Places of the pieces of one figure among those of all: there are fewer pieces, and fewer figures.
_APART = 100_000
# Of data sets whose interval the program is asked for one by one: how many are worth a word, and what one takes.
_MANY_SETS, _SECONDS_A_SET = 100, 0.5


def study(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """A study as a table, as a picture, or both.

    Raises
    ------
    UsageError
        When a picture is asked for that does not exist, before any work is done.
    """
    # A plan has several sizes: the largest counts.
    refuse_absurd_size(*(max(x, default=None) if isinstance(x, tuple) else x for x in (args.subjects, args.raters)))
    if args.kind == "paper" and args.figure == "all":
        return _all_figures(args)
    pictures, draw = _pictures(args)
    with resumable_pieces(args) as kept:
        table = run_watched(_STUDIES[args.kind](args, kept))
        return _written(args, table, pictures, draw)


def _all_figures(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Run every study of the papers and write a page with the pictures into a folder."""
    from tapdesk.report.forms.pdf import sheet_file  # late: the compiler of pictures takes a moment to load

    if args.output in STANDARD_OUTPUT:
        raise UsageError("All figures need a folder to be written to.", fix="Name it with -o, such as -o papers.")
    if args.file or args.picture:
        raise UsageError("All figures are made of the data that come with them, as .png.", fix="Name one --figure.")
    folder, may = make_folder(Path(args.output)), permitted_outputs(args)
    made = []
    with resumable_pieces(args) as kept:
        for i, row in enumerate(REPRODUCTIONS):
            table = _figure_table(i, args, {} if kept is None else kept)
            sheet = row.sheet(table)
            may.save(folder / f"{row.name}.png", sheet_file(sheet, ".png", ppi=_PPI))
            made.append((row, table, sheet.title))
        text = page([(row, table) for row, table, _title in made])
        may.save(folder / "README.md", seal(text.encode(), OutputKind.PAGE))
        # The page names the simulated file it stands for; one that is there already is left as it is.
        data = resources.path(*writing.FILE)
        if not (folder / data.name).exists():
            may.save(folder / data.name, data.read_bytes())
    rows = [
        {"figure": row.name, "file": f"{row.name}.png", "found": title, "numbers": _printed(row.printed(table))}
        for row, table, title in made
    ]
    answer = {**json_output.answer_head("study", None), "study": "paper", "rows": rows}
    numbers = [one for row, table, _title in made for one in row.printed(table)]
    sentences = [f"Saved {len(made)} pictures, README.md and {data.name} to {folder}. {verdict(numbers)}."]
    off = [line for row, table, _title in made for line in _disagreeing(row.name, row.printed(table))]
    return _failed(answer, off, args), "\n".join(sentences)


def _disagreeing(figure: str, numbers: Sequence[PaperNumber]) -> list[str]:
    """A line for each number of a figure that is not the paper's."""
    return [
        f"Not so: {figure}, {one.what}: the paper {one.paper:.6g}, ours {one.ours:.6g}."
        for one in numbers
        if not one.agrees
    ]


def _failed(answer: dict[str, Any], off: Sequence[str], args: argparse.Namespace) -> dict[str, Any]:
    """The answer, failed where numbers are not the papers': the data are the papers', so the program is at fault.

    The lines go to standard error beside whatever was asked for. With a number of data sets of the user's own the
    study is another than the paper's, and what is apart is said without a verdict on the program.
    """
    if not off:
        return answer
    sys.stderr.write("".join(f"tapdesk: {line}\n" for line in off))
    return answer if args.replicates is not None else {**answer, "exit_status": FAULT}


def _printed(numbers: Sequence[PaperNumber]) -> list[dict[str, Any]]:
    """The numbers of a paper and ours as plain values."""
    return [{**asdict(one), "agrees": one.agrees} for one in numbers]


class _PiecesInside:
    """The pieces of one figure among those of all figures, which are kept in one file.

    Parameters
    ----------
    kept
        Of all figures: those that are finished by their place, and the pieces of one by what follows all places.
    place
        Of the figure.
    """

    def __init__(self, kept: FinishedPieces, place: int) -> None:
        self._kept, self._first = kept, _APART * (place + 1)

    def __contains__(self, place: object, /) -> bool:
        """Whether that piece is finished."""
        return isinstance(place, int) and self._first + place in self._kept

    def __getitem__(self, place: int, /) -> Any:
        """Its answer."""
        return self._kept[self._first + place]

    def __setitem__(self, place: int, answer: Any, /) -> None:
        """Keep an answer."""
        self._kept[self._first + place] = answer


def _figure_table(place: int, args: argparse.Namespace, kept: FinishedPieces) -> StudyTable:
    """The numbers of one figure: worked out now, or before the command was stopped."""
    row = REPRODUCTIONS[place]
    if place not in kept:
        inside = _PiecesInside(kept, place) if row.pieces else None
        watched = run_watched(row.run(FigureRequest(args.seed, args.workers, args.replicates, kept=inside)))
        kept[place] = (watched.name, watched.columns, watched.rows, watched.size)
    return StudyTable(*kept[place])


def _written(
    args: argparse.Namespace, table: StudyTable, pictures: Sequence[Path], draw: Callable[[StudyTable], Any] | None
) -> tuple[dict[str, Any], str]:
    """Table and pictures where they were asked for."""
    text = as_csv(table.columns, table.rows)
    answer = {**json_output.answer_head("study", args.read), "study": args.kind, "rows": table.records()}
    sentences: list[str] = []
    if args.kind == "paper" and args.figure not in {None, "list"} and not args.file:
        numbers = reproduction(args.figure).printed(table)
        answer["numbers"] = _printed(numbers)
        if numbers and (args.output not in STANDARD_OUTPUT or draw is not None):
            sentences.append(f"{verdict(numbers)}.")
        answer = _failed(answer, _disagreeing(args.figure, numbers), args)
    files: list[tuple[Path, bytes]] = []
    if draw is not None:
        from tapdesk.report.forms.pdf import sheet_file  # late: the compiler of pictures takes a moment to load

        sheet = draw(table)
        files += [(place, sheet_file(sheet, place.suffix.lower())) for place in pictures]
        answer["picture"] = {"files": [str(p) for p in pictures], "title": sheet.title, "alt": sheet.alt}
        sentences += [f"{sheet.title}.", *(f"Saved {place}." for place in pictures)]
    if args.output not in STANDARD_OUTPUT and Path(args.output) not in pictures:
        files.append((Path(args.output), text.encode()))
        sentences.append(f"Saved {len(table.rows):,} rows to {args.output}.")
    permitted_outputs(args).save_all(files)
    return answer, "\n".join(sentences) or text


def _pictures(args: argparse.Namespace) -> tuple[list[Path], Callable[[StudyTable], Any] | None]:
    """Where pictures go, and what draws them; None when none is asked for."""
    places = [Path(args.picture)] if args.picture else []
    if args.output not in STANDARD_OUTPUT and Path(args.output).suffix.lower() in _PICTURES:
        places.append(Path(args.output))
    if not places:
        return [], None
    for place in places:
        if place.suffix.lower() not in _PICTURES:
            raise UsageError(f"A picture cannot be written as '{place.suffix}'.", fix=f"Use {', '.join(_PICTURES)}.")
    from tapdesk.answers.figures.catalog import FIGURES  # late: see above

    if args.kind == "paper":
        if args.figure in {None, "list"}:
            raise UsageError("The list of figures has no picture.", fix="Name one of them with --figure.")
        return places, reproduction(args.figure).sheet
    name = "recovery-grid" if args.kind == "recovery" and args.grid else args.kind
    if name not in STUDY_SHEETS:
        own = args.kind in {row.kind for row in FIGURES}
        raise UsageError(
            f"The study '{args.kind}' has no picture of its own.",
            fix=f"Write: tapdesk figure FILE --kind {args.kind} -o {places[0]}"
            if own
            else "Name a file for its table, such as OUT.csv.",
        )
    return places, STUDY_SHEETS[name]


def _recovery(args: argparse.Namespace, kept: FinishedPieces | None) -> Run[StudyTable]:
    """The four-class case, the paper's grid (``--grid``), or the parameters given."""
    if args.grid:
        subjects, raters = _sizes(args, StudySize(300, 5, 5, 5), no_grid)
        scale = {"posterior": args.posterior, "subjects": subjects, "raters": raters}
        return recover(tap_grid(args.replicates or 1, args.seed, **scale), args.workers, kept=kept)
    if not args.param:
        plan = four_classes(args.replicates or 20, args.seed)
        return recover(replace(plan, posterior=args.posterior), args.workers, kept=kept)
    model = made_model(args.model)
    _refuse_columns(args, model)
    raters = args.raters or 5
    names = [f"J{j + 1}" for j in range(raters)]
    point = parse_parameters(model, args.param, default_classes(args.param), names, args.groups)
    setting = Setting(point, args.subjects or 300, raters)
    plan = RecoveryPlan(
        model, (setting,), args.replicates or 20, args.seed, args.posterior, tuple(args.groups), args.repeats
    )
    return recover(plan, args.workers, kept=kept)


def _coverage(args: argparse.Namespace, kept: FinishedPieces | None) -> Run[StudyTable]:
    """How often intervals of every kind hold the truth."""
    kinds = (args.interval,) if args.interval else COVERAGE_KINDS
    slow = sum(part.sets for part in coverage_parts(args.replicates, kinds=kinds) if part.kind != "profile")
    if slow > _MANY_SETS:
        minutes = max(round(slow * _SECONDS_A_SET / args.workers / 60), 1)
        sentence = _("{sets:,} data sets are asked for their intervals one by one, which takes about {minutes:,} min.")
        sys.stderr.write(f"{sentence.format(sets=slow, minutes=minutes)}\n")
    return coverage(args.replicates, args.seed, args.workers, kinds=kinds, kept=kept)


def _words(args: argparse.Namespace, kept: FinishedPieces | None) -> Run[StudyTable]:
    """How often what reports say is false."""
    from tapdesk.worlds.study import SETS, false_words  # late: it needs all that reports need

    worlds = tuple(args.world or ())
    return (yield from false_words(args.replicates or SETS, args.seed, args.workers, worlds, kept))


def _shares(args: argparse.Namespace, kept: FinishedPieces | None) -> Run[StudyTable]:
    """How often "when truly yes, a rating says so" lies in its interval."""
    return share_coverage(share_cells(args.replicates, args.seed), args.workers, kept)


def _beliefs(args: argparse.Namespace, kept: FinishedPieces | None) -> Run[StudyTable]:
    """Of the cases said to be so sure, how many are right."""
    return belief_calibration(args.replicates, args.seed, args.workers, kept)


def _awards(args: argparse.Namespace, kept: FinishedPieces | None) -> Run[StudyTable]:
    """Of the awards said to be deserved so surely, how many are."""
    return award_calibration(args.replicates, args.seed, args.workers, kept)


def _judges(args: argparse.Namespace, kept: FinishedPieces | None) -> Run[StudyTable]:
    """How often the intervals of a judge's numbers hold the truth."""
    return judge_coverage(args.replicates, args.seed, args.workers, kept)


def _kappa(args: argparse.Namespace, kept: FinishedPieces | None) -> Run[StudyTable]:
    scale = {"replicates": args.replicates or 1, "seed": args.seed, "workers": args.workers}
    return kappa_study(*_sizes(args, StudySize(500, 5, 5, 5), no_squares), **scale, kept=kept)


def _sizes(args: argparse.Namespace, usual: StudySize, refused: Callable[[StudySize], str | None]) -> tuple[int, int]:
    """Cases, and ratings of each: those named, else of the file that is named, else the paper's."""
    size = usual
    if args.file:
        size = size_of(open_file(args).ratings)
    subjects, raters = args.subjects or size.subjects, args.raters or size.raters
    reason = refused(StudySize(subjects, raters, raters, raters))
    if reason is not None:
        raise CannotAnswerError(reason)
    if not size.even and not args.raters:
        sentence = f"In {args.file} a case has {size.least:,} to {size.most:,} ratings; here all have {raters:,}."
        sys.stderr.write(f"{sentence}\n")
    return subjects, raters


def _horizon(args: argparse.Namespace, kept: FinishedPieces | None) -> Run[StudyTable]:
    """How large root kappa gets by luck on the design of a file."""
    reading = _needed_file(args, "horizon")
    result = yield from horizon(reading.ratings, args.replicates or 2000, args.seed, workers=args.workers, kept=kept)
    rows = [(level, value, result.root_kappa) for level, value in result.quantiles.items()]
    return StudyTable("horizon", ("level", "root_kappa_by_luck", "root_kappa_observed"), tuple(rows))


def _plan(args: argparse.Namespace, kept: FinishedPieces | None) -> Run[StudyTable]:
    """Width of the interval of the accuracy against numbers of subjects and raters."""
    if args.param and args.model != "t-a-p":
        return (yield from _member_plan(args, kept))
    _refuse_columns(args, named_model("t-a-p"))
    if args.param:
        point = parse_parameters(named_model("t-a-p"), args.param, default_classes(args.param), [])
    else:
        reading = _needed_file(args, "plan")
        point = yield from _estimated(reading.ratings)
    subjects, raters = args.subjects or _PLAN_SUBJECTS, args.raters or _PLAN_RATERS
    scale = {"replicates": args.replicates or 200, "seed": args.seed, "workers": args.workers}
    return (yield from plan(point, subjects, raters, width=args.width, **scale, kept=kept))


def _member_plan(args: argparse.Namespace, kept: FinishedPieces | None) -> Run[StudyTable]:
    """Where all numbers of another model would be found, by numbers of subjects and raters."""
    from tapdesk.studies.member_plan import PlanSize, member_plan  # late: few plans are of these models

    model = made_model(args.model)
    _refuse_columns(args, model)
    classes = default_classes(args.param)
    sizes = []
    for r in args.raters or _MEMBER_RATERS:
        point = parse_parameters(model, args.param, classes, [f"J{j + 1}" for j in range(r)], args.groups)
        sizes += [PlanSize(n, r, point) for n in args.subjects or _MEMBER_SUBJECTS]
    scale = {"replicates": args.replicates or 100, "seed": args.seed, "workers": args.workers}
    return (yield from member_plan(model, sizes, classes, args.groups, again=args.repeats, **scale, kept=kept))


def _estimated(ratings: Ratings) -> Run[Parameters]:
    """What a file says of t, a and p, by t-a-p or else by t-a-t; how unsure it is goes to standard error."""
    from tapdesk.answers.figures.designs import plan_needs, unsure  # late: see above

    words = ""
    for name in ("t-a-p", "t-a-t"):
        request = Request(named_model(name))
        words = refusal(ratings, request) or ""
        if words:
            break
        fit = yield from analyse(ratings, request, shares=False)
        reason = plan_needs(fit, ratings)
        if reason is not None:
            if fit.identification.identified:
                words = reason
                break
            words = fit.identification.words
            continue
        sentence = unsure(fit)
        if name == "t-a-t":
            sentence = f"These ratings determine t, a and p only if p = t, and so the plan takes it. {sentence}"
        if sentence:
            sys.stderr.write(f"{sentence.strip()}\n")
        return plan_point(fit, ratings)
    raise CannotAnswerError(
        f"There is nothing to plan from: {words}", fix="Give numbers with --param, such as --param a=.6."
    )


def _groups(args: argparse.Namespace, kept: FinishedPieces | None) -> Run[StudyTable]:
    """The model fitted to every group of a file; a group that cannot answer carries its reason."""
    reading = _needed_file(args, "groups")
    if not args.by:
        known = ", ".join(reading.ratings.covariates) or "none"
        raise UsageError("There is no column to make groups of.", fix=f"Name one with --by; there are: {known}.")
    request = Request(named_model(args.model, GRID_MODELS), seed=args.seed)
    if request.model.by_group:
        from tapdesk.studies.joint_groups import joint_groups  # late: few groups are asked for in one model

        return (yield from joint_groups(reading.ratings, args.by, request))
    return (yield from group_table(reading.ratings, args.by, request, args.workers, kept))


def _models(args: argparse.Namespace, kept: FinishedPieces | None) -> Run[StudyTable]:
    """The models of the sharing grid on the ratings of a file, and the tests between them."""
    reading = _needed_file(args, "models")
    return (yield from models_study(reading.ratings, args.replicates or 1000, args.seed, args.workers, kept))


def _influence(args: argparse.Namespace, kept: FinishedPieces | None) -> Run[StudyTable]:
    """The accuracy of a file of ratings, and kappa, with each rater left out."""
    reading = _needed_file(args, "influence")
    return (yield from influence(reading.ratings, args.seed, workers=args.workers, kept=kept))


def _paper(args: argparse.Namespace, kept: FinishedPieces | None) -> Run[StudyTable]:
    """The data of a figure of the papers, or the names of all."""
    if args.figure in {None, "list"}:
        yield Step(0, 1, "study")
        rows = tuple((r.name, r.title, r.source, r.says, r.own) for r in REPRODUCTIONS)
        return StudyTable("paper", ("figure", "title", "source", "paper_says", "own_file"), rows)
    row = reproduction(args.figure)
    ratings = None
    if args.file:
        if not row.own:
            known = ", ".join(r.name for r in REPRODUCTIONS if r.own)
            raise UsageError(f"The figure '{row.name}' has data of its own.", fix=f"A file can be given for: {known}.")
        ratings = open_file(args).ratings
    return (yield from row.run(FigureRequest(args.seed, args.workers, args.replicates, ratings, kept)))


def _needed_file(args: argparse.Namespace, kind: str) -> Reading:
    if not args.file:
        raise UsageError(f"The study '{kind}' needs a file of ratings.", fix=f"Write: tapdesk study {kind} FILE")
    return open_file(args)


_PLAN_SUBJECTS = (30, 50, 100, 200, 400, 800)
_PLAN_RATERS = (2, 3, 4, 5, 8)
_MEMBER_SUBJECTS, _MEMBER_RATERS = (50, 100, 200, 400), (3, 5, 8)
_STUDIES: dict[str, Callable[[argparse.Namespace, FinishedPieces | None], Run[StudyTable]]] = {
    "recovery": _recovery,
    "coverage": _coverage,
    "words": _words,
    "shares": _shares,
    "beliefs": _beliefs,
    "awards": _awards,
    "judges": _judges,
    "kappa": _kappa,
    "horizon": _horizon,
    "plan": _plan,
    "paper": _paper,
    "groups": _groups,
    "models": _models,
    "influence": _influence,
}
