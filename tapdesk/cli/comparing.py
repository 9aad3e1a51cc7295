"""Two analyses side by side: the command, of two files and more, or of one with something otherwise."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from tapdesk.answers import what_if as words
from tapdesk.answers.terminal import paragraph, table
from tapdesk.answers.what_if_cases import case_sentences
from tapdesk.answers.what_if_kept import with_kept
from tapdesk.answers.what_if_runs import (
    THIS,
    Outcome,
    Round,
    caveat_of,
    compare_rounds,
    file_label,
    follow,
    next_round,
    varied_round,
    with_awards,
)
from tapdesk.cli import json_output
from tapdesk.cli.analyses import open_project, reading_of
from tapdesk.cli.requests import named_model, request
from tapdesk.cli.terminal import run_watched
from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.project.project import Project
from tapdesk.project.shown import main_analysis
from tapdesk.project.what_if import (
    MergedClasses,
    OnlyAccurate,
    Variation,
    WithModel,
    WithoutDecision,
    WithoutGroup,
    WithoutRaters,
)
from tapdesk.studies.analysis import Request
from tapdesk.studies.comparison import CaseMoves, Contrast

_USUAL = "t-a-p"


def compare_analyses(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Two analyses side by side, or the trend of several.

    Raises
    ------
    UsageError
        When there is nothing to compare with.
    """
    first = open_project(args)
    question, answer = _question(args, first)
    variation = _variation(args)
    if variation is None and not args.other:
        raise UsageError(
            _("There is nothing to compare with."),
            fix=_("Name another file, or say what is otherwise: --without RATER, --merge A,B, --other-model NAME."),
        )
    rounds = [Round(THIS if variation else file_label(args.file), first, question, first.ratings, answer)]
    caveat = lead = ""
    if variation is not None:
        variation = run_watched(variation.settle(first, answer))
        rounds.append(varied_round(rounds[0], variation))
        caveat, lead = caveat_of(first.ratings, variation), variation.lead
    for path in args.other:
        rounds.append(run_watched(next_round(rounds[0], path)))
    outcome = run_watched(compare_rounds(rounds, args.level, args.replicates, args.seed, caveat=caveat, lead=lead))
    if "model" not in args.typed and (kept := main_analysis(first)) is not None:
        outcome = run_watched(with_awards(outcome, rounds, kept))
    pair = replace(outcome.on_screen, smallest=args.smallest_change)
    return _answer(rounds, outcome, pair), _text(pair)


def with_comparison(args: argparse.Namespace, project: Project) -> Project:
    """The project of a report with other files beside it, for the section that tells what changed.

    Raises
    ------
    TapdeskError
        When another file cannot be read so, or has other classes.
    """
    kept = main_analysis(project)
    if kept is None:
        raise CannotAnswerError(_("The file has no answer, so nothing can be put beside it."), Path(args.file).name)
    outcome = run_watched(follow(project, kept, args.compare, name=file_label(args.file)))
    return with_kept(project, replace(outcome.on_paper, smallest=args.smallest_change))


def _question(args: argparse.Namespace, project: Project) -> tuple[Request, Fit | None]:
    """What is asked of the first, and its answer where the project has it."""
    kept = main_analysis(project)
    if kept is not None and "model" not in args.typed:
        answer = kept.fit if kept.request.level == args.level and kept.request.seed == args.seed else None
        return replace(kept.request, level=args.level, seed=args.seed), answer
    defaults = argparse.Namespace(**{**vars(args), "interval": "profile"})
    return request(defaults, args.model or _USUAL, project.ratings), None


def _variation(args: argparse.Namespace) -> Variation | None:
    """What is otherwise; None where another file is."""
    if args.without:
        return WithoutRaters(tuple(args.without))
    if args.least_accuracy is not None:
        return OnlyAccurate(args.least_accuracy)
    if args.without_group:
        column, value = args.without_group
        if column.endswith("!"):
            raise UsageError(
                _("A group is named by its value."), "--without-group", _('Write for example "ward=North".')
            )
        return WithoutGroup(column, value)
    if args.merge:
        return MergedClasses(tuple(args.merge))
    if args.undo is not None:
        return WithoutDecision(int(args.undo))
    return None if args.other_model is None else WithModel(args.other_model, _groups(args))


def _groups(args: argparse.Namespace) -> str:
    """The column of the groups of the other model; empty where it has none."""
    return args.by or "" if named_model(args.other_model).by_group else ""


def _answer(rounds: list[Round], outcome: Outcome, pair: words.WhatIf) -> dict[str, Any]:
    """The JSON (cli.md, ``compare``)."""
    whole, smallest = outcome.steps[0], pair.smallest
    sentence, follows = words.headline(pair)
    answer: dict[str, Any] = {
        **json_output.answer_head("compare", reading_of(rounds[0].project)),
        "headline": {"sentence": str(sentence), "follows": str(follows)},
        "sides": [_side(one) for one in rounds],
        "differences_of_reading": [str(text) for text in pair.otherwise],
        "remarks": [str(text) for text in words.remarks(pair)],
        "does_not_say": str(words.caveat(pair)),
        "shared_subjects": whole.shared,
        "replicates": whole.replicates,
        "level": whole.level,
        "smallest_change": smallest,
        "same": whole.same,
        "contrasts": [_record(c, smallest) for c in words.ordered(whole.contrasts, smallest)],
        "cases": _cases(whole.cases),
        "awards": list(map(str, pair.awards)),
    }
    if pair.rounds:
        names = [str(one.name) for one in pair.rounds]
        answer["trend"] = _trend(pair)
        answer["steps"] = [
            {"a": names[i], "b": names[i + 1], "contrasts": [_record(c, smallest) for c in step.contrasts]}
            for i, step in enumerate(outcome.steps[1:])
        ]
    return answer


def _side(one: Round) -> dict[str, Any]:
    reading = reading_of(one.project)
    data = json_output.data(reading)
    return {"name": str(one.name), "model": one.request.model.name, "data": data}


def _record(contrast: Contrast, smallest: float | None) -> dict[str, Any]:
    """A contrast as JSON (cli.md, ``compare``)."""
    judged, change = words.verdict(contrast, smallest), contrast.difference
    name = contrast.name
    return {
        "name": name.name,
        "class": name.category,
        "rater": name.rater,
        "a": _ends(contrast.a),
        "b": _ends(contrast.b),
        "value": change.value,
        "low": change.low,
        "high": change.high,
        "level": change.level,
        "how": change.how or None,
        "undefined": change.undefined or change.no_interval,
        "verdict": None if judged is None else judged.value,
    }


def _ends(one: Estimate) -> dict[str, Any]:
    return {"value": one.value, "low": one.low, "high": one.high, "undefined": one.undefined}


def _trend(pair: words.WhatIf) -> list[dict[str, Any]]:
    """The rounds as JSON."""
    return [
        {
            "name": name.name,
            "class": name.category,
            "rater": name.rater,
            "rounds": [
                {"round": str(one.name), "value": e.value, "low": e.low, "high": e.high}
                for one, e in zip(pair.rounds, values, strict=True)
            ],
        }
        for name, values in words.series(pair).items()
    ]


def _cases(moves: CaseMoves | None) -> dict[str, Any] | None:
    """What becomes of the cases, as JSON."""
    if moves is None:
        return None
    return {
        "shared": moves.shared,
        "changed": moves.count,
        "listed": [{"name": m.name, "a": m.before, "b": m.after, "probability": m.surety} for m in moves.moves],
        "less_than_90_percent_sure": {"a": moves.unsure[0], "b": moves.unsure[1]},
    }


def _text(pair: words.WhatIf) -> str:
    """The same as a page of text: what was read otherwise first."""
    blocks = [paragraph(text) for text in (*pair.otherwise, *words.headline(pair), *pair.awards)]
    if pair.rounds:
        blocks.append(table(words.trend_table(pair)))
        blocks.append(paragraph(_("The last of {n} rounds against the first:").format(n=len(pair.rounds))))
    blocks.append(table(words.table(pair).printed()))
    cases = () if pair.awards else case_sentences(pair)
    blocks += [paragraph(text) for text in (*cases, *words.remarks(pair), words.caveat(pair))]
    return "\n\n".join(block for block in blocks if block.strip())
