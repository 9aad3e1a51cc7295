"""The command study: tables and pictures of simulations."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tapdesk.cli import told
from tapdesk.cli.bounds import refuse_absurd_size
from tapdesk.cli.outputs import STANDARD_OUTPUT, permitted
from tapdesk.cli.reproductions import all_figures
from tapdesk.cli.resuming import resuming
from tapdesk.cli.simulating import as_csv, default_classes
from tapdesk.cli.sources import open_file
from tapdesk.cli.watch import run_watched
from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.language import gettext as _
from tapdesk.models.catalog import model as named_model
from tapdesk.models.parameters import Parameters
from tapdesk.models.simulate import parse_parameters
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.by_group import group_table
from tapdesk.studies.chance import horizon
from tapdesk.studies.coverage import KINDS, coverage, coverage_parts
from tapdesk.studies.influence import influence
from tapdesk.studies.kappa import kappa_study
from tapdesk.studies.of_size import Size, no_grid, no_squares, size_of
from tapdesk.studies.others import models_study
from tapdesk.studies.paper import REPRODUCTIONS, reproduction
from tapdesk.studies.papers.asked import Asked
from tapdesk.studies.plan_point import plan_point
from tapdesk.studies.planner import plan
from tapdesk.studies.recovery import Recovery, Setting, four_classes, recover, tap_grid
from tapdesk.studies.table import Table
from tapdesk.studies.unfinished import Kept

_PICTURES = (".svg", ".png", ".pdf")
# Of data sets whose interval the program is asked for one by one: how many are worth a word, and what one takes.
_MANY_SETS, _SECONDS_A_SET = 100, 0.5


def study(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """A study as a table, as a picture, or both.

    Raises
    ------
    UsageError
        When a picture is asked for that does not exist, before any work is done.
    """
    refuse_absurd_size(args.subjects, args.raters)
    if args.kind == "paper" and args.figure == "all":
        return all_figures(args)
    pictures, draw = _pictures(args)
    with resuming(args) as kept:
        table = run_watched(_STUDIES[args.kind](args, kept))
        return _written(args, table, pictures, draw)


def _written(
    args: argparse.Namespace, table: Table, pictures: Sequence[Path], draw: Callable[[Table], Any] | None
) -> tuple[dict[str, Any], str]:
    """Table and pictures where they were asked for."""
    text = as_csv(table.columns, table.rows)
    answer = {**told.head("study", None), "study": args.kind, "rows": table.records()}
    said: list[str] = []
    files: list[tuple[Path, bytes]] = []
    if draw is not None:
        from tapdesk.report.forms.sheets import sheet_file  # late: the compiler of pictures takes a moment to load

        sheet = draw(table)
        files += [(place, sheet_file(sheet, place.suffix.lower())) for place in pictures]
        answer["picture"] = {"files": [str(p) for p in pictures], "title": sheet.title, "alt": sheet.alt}
        said += [f"{sheet.title}.", *(f"Saved {place}." for place in pictures)]
    if args.output not in STANDARD_OUTPUT and Path(args.output) not in pictures:
        files.append((Path(args.output), text.encode()))
        said.append(f"Saved {len(table.rows):,} rows to {args.output}.")
    permitted(args).save_all(files)
    return answer, "\n".join(said) or text


def _pictures(args: argparse.Namespace) -> tuple[list[Path], Callable[[Table], Any] | None]:
    """Where pictures go, and what draws them; None when none is asked for."""
    places = [Path(args.picture)] if args.picture else []
    if args.output not in STANDARD_OUTPUT and Path(args.output).suffix.lower() in _PICTURES:
        places.append(Path(args.output))
    if not places:
        return [], None
    for place in places:
        if place.suffix.lower() not in _PICTURES:
            raise UsageError(f"A picture cannot be written as '{place.suffix}'.", fix=f"Use {', '.join(_PICTURES)}.")
    from tapdesk.report.figures.catalog import FIGURES  # late: see above
    from tapdesk.report.figures.papers_catalog import SHEETS, STUDY_SHEETS

    if args.kind == "paper":
        if args.figure in {None, "list"}:
            raise UsageError("The list of figures has no picture.", fix="Name one of them with --figure.")
        return places, SHEETS[reproduction(args.figure).name]
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


def _recovery(args: argparse.Namespace, kept: Kept | None) -> Run[Table]:
    """The four-class case, the paper's grid (``--grid``), or the parameters given."""
    if args.grid:
        subjects, raters = _sizes(args, Size(300, 5, 5, 5), no_grid)
        scale = {"posterior": args.posterior, "subjects": subjects, "raters": raters}
        return recover(tap_grid(args.replicates or 1, args.seed, **scale), args.workers, kept=kept)
    if not args.param:
        plan = four_classes(args.replicates or 20, args.seed)
        return recover(replace(plan, posterior=args.posterior), args.workers, kept=kept)
    model = named_model(args.model)
    raters = args.raters or 5
    names = [f"J{j + 1}" for j in range(raters)]
    point = parse_parameters(model, args.param, default_classes(args.param), names)
    setting = Setting(point, args.subjects or 300, raters)
    plan = Recovery(model, (setting,), args.replicates or 20, args.seed, args.posterior)
    return recover(plan, args.workers, kept=kept)


def _coverage(args: argparse.Namespace, kept: Kept | None) -> Run[Table]:
    """How often intervals of every kind hold the truth."""
    kinds = (args.interval,) if args.interval else KINDS
    slow = sum(part.sets for part in coverage_parts(args.replicates, kinds=kinds) if part.kind != "profile")
    if slow > _MANY_SETS:
        minutes = max(round(slow * _SECONDS_A_SET / args.workers / 60), 1)
        told = _("{sets:,} data sets are asked for their intervals one by one, which takes about {minutes:,} min.")
        sys.stderr.write(f"{told.format(sets=slow, minutes=minutes)}\n")
    return coverage(args.replicates, args.seed, args.workers, kinds=kinds, kept=kept)


def _kappa(args: argparse.Namespace, kept: Kept | None) -> Run[Table]:
    scale = {"replicates": args.replicates or 1, "seed": args.seed, "workers": args.workers}
    return kappa_study(*_sizes(args, Size(500, 5, 5, 5), no_squares), **scale, kept=kept)


def _sizes(args: argparse.Namespace, usual: Size, refused: Callable[[Size], str | None]) -> tuple[int, int]:
    """Cases, and ratings of each: those named, else of the file that is named, else the paper's.

    Raises
    ------
    CannotAnswerError
        When a study of this size cannot tell.
    """
    size = usual
    if args.file:
        size = size_of(open_file(args).ratings)
    subjects, raters = args.subjects or size.subjects, args.raters or size.raters
    reason = refused(Size(subjects, raters, raters, raters))
    if reason is not None:
        raise CannotAnswerError(reason)
    if not size.even and not args.raters:
        told = f"In {args.file} a case has {size.least:,} to {size.most:,} ratings; here all have {raters:,}."
        sys.stderr.write(f"{told}\n")
    return subjects, raters


def _horizon(args: argparse.Namespace, kept: Kept | None) -> Run[Table]:
    """How large root kappa gets by luck on the design of a file."""
    reading = _needed_file(args, "horizon")
    found = yield from horizon(reading.ratings, args.replicates or 2000, args.seed, workers=args.workers, kept=kept)
    rows = [(level, value, found.root_kappa) for level, value in found.quantiles.items()]
    return Table("horizon", ("level", "root_kappa_by_luck", "root_kappa_observed"), tuple(rows))


def _plan(args: argparse.Namespace, kept: Kept | None) -> Run[Table]:
    """Width of the interval of the accuracy against numbers of subjects and raters."""
    if args.param:
        point = parse_parameters(named_model("t-a-p"), args.param, default_classes(args.param), [])
    else:
        reading = _needed_file(args, "plan")
        point = yield from _estimated(reading.ratings)
    subjects = (args.subjects,) if args.subjects else _PLAN_SUBJECTS
    raters = (args.raters,) if args.raters else _PLAN_RATERS
    scale = {"replicates": args.replicates or 200, "seed": args.seed, "workers": args.workers}
    return (yield from plan(point, subjects, raters, **scale, kept=kept))


def _estimated(ratings: Ratings) -> Run[Parameters]:
    """What a file says of t, a and p: by t-a-p, by t-a-t where that is not determined; how unsure it is goes to stderr.

    Raises
    ------
    CannotAnswerError
        When the ratings determine neither.
    """
    from tapdesk.report.figures.designs import plan_needs, unsure  # late: see above

    words = ""
    for name in ("t-a-p", "t-a-t"):
        asked = Request(named_model(name))
        words = refusal(ratings, asked) or ""
        if words:
            break
        fit = yield from analyse(ratings, asked)
        reason = plan_needs(fit, ratings)
        if reason is not None:
            if fit.identification.identified:
                words = reason
                break
            words = fit.identification.words
            continue
        said = unsure(fit)
        if name == "t-a-t":
            said = f"These ratings determine t, a and p only if p = t, and so the plan takes it. {said}"
        if said:
            sys.stderr.write(f"{said.strip()}\n")
        return plan_point(fit, ratings)
    raise CannotAnswerError(
        f"There is nothing to plan from: {words}", fix="Give numbers with --param, such as --param a=.6."
    )


def _groups(args: argparse.Namespace, kept: Kept | None) -> Run[Table]:
    """The model fitted to every group of a file; a group that cannot answer carries its reason."""
    reading = _needed_file(args, "groups")
    if not args.by:
        known = ", ".join(reading.ratings.covariates) or "none"
        raise UsageError("There is no column to make groups of.", fix=f"Name one with --by; there are: {known}.")
    asked = Request(named_model(args.model), seed=args.seed)
    return (yield from group_table(reading.ratings, args.by, asked, args.workers, kept))


def _models(args: argparse.Namespace, kept: Kept | None) -> Run[Table]:
    """The models of the sharing grid on the ratings of a file, and the tests between them."""
    reading = _needed_file(args, "models")
    return (yield from models_study(reading.ratings, args.replicates or 1000, args.seed, args.workers, kept))


def _influence(args: argparse.Namespace, kept: Kept | None) -> Run[Table]:
    """The accuracy of a file of ratings, and kappa, with each rater left out."""
    reading = _needed_file(args, "influence")
    return (yield from influence(reading.ratings, args.seed, workers=args.workers, kept=kept))


def _paper(args: argparse.Namespace, kept: Kept | None) -> Run[Table]:
    """The data of a figure of the papers, or the names of all."""
    if args.figure in {None, "list"}:
        yield Step(0, 1, "study")
        rows = tuple((r.name, r.title, r.source, r.says, r.own) for r in REPRODUCTIONS)
        return Table("paper", ("figure", "title", "source", "paper_says", "own_file"), rows)
    row = reproduction(args.figure)
    ratings = None
    if args.file:
        if not row.own:
            known = ", ".join(r.name for r in REPRODUCTIONS if r.own)
            raise UsageError(f"The figure '{row.name}' has data of its own.", fix=f"A file can be given for: {known}.")
        ratings = open_file(args).ratings
    return (yield from row.run(Asked(args.seed, args.workers, args.replicates, ratings, kept)))


def _needed_file(args: argparse.Namespace, kind: str) -> Reading:
    if not args.file:
        raise UsageError(f"The study '{kind}' needs a file of ratings.", fix=f"Write: tapdesk study {kind} FILE")
    return open_file(args)


_PLAN_SUBJECTS = (30, 50, 100, 200, 400, 800)
_PLAN_RATERS = (2, 3, 4, 5, 8)
_STUDIES: dict[str, Callable[[argparse.Namespace, Kept | None], Run[Table]]] = {
    "recovery": _recovery,
    "coverage": _coverage,
    "kappa": _kappa,
    "horizon": _horizon,
    "plan": _plan,
    "paper": _paper,
    "groups": _groups,
    "models": _models,
    "influence": _influence,
}
