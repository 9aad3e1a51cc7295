"""Two analyses side by side: the command, of two files and more, or of one with something otherwise."""

import argparse
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tapdesk.answers import what_if as words
from tapdesk.answers.terminal import paragraph, table
from tapdesk.answers.trend import trend_record, trend_table
from tapdesk.cli import json_output
from tapdesk.cli.analyses import open_project, project_of, reading_of
from tapdesk.cli.effects import holds_project
from tapdesk.cli.requests import request
from tapdesk.cli.terminal import run_watched
from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.fitting.fit import Fit
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.models.model import Key
from tapdesk.project.project import Project
from tapdesk.project.review_state import refuse_blocking
from tapdesk.project.what_if import (
    MergedClasses,
    Variation,
    WithModel,
    WithoutDecision,
    WithoutGroup,
    WithoutRaters,
    another_round,
    reading_differences,
)
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request
from tapdesk.studies.comparison import Comparison, compare, matched_classes
from tapdesk.studies.what_if import Side, side_of

_USUAL = "t-a-p"


@dataclass(frozen=True, eq=False)
class Round:
    """One of the analyses: what it is called, its project, what is asked, and what was otherwise in reading it."""

    name: str
    project: Project
    request: Request
    answer: Fit | None = None
    differences: tuple[str, ...] = ()
    ratings: Ratings | None = None

    def side(self) -> Side:
        """The analysis."""
        ratings = self.project.ratings if self.ratings is None else self.ratings
        return run_watched(side_of(ratings, self.request, self.answer))


def compare_analyses(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Two analyses side by side, or the trend of several.

    Raises
    ------
    UsageError
        When there is nothing to compare with.
    """
    first = open_project(args)
    asked, answer = _asked(args, first)
    variation = _variation(args)
    if variation is None and not args.other:
        raise UsageError(
            _("There is nothing to compare with."),
            fix=_("Name another file, or say what is otherwise: --without RATER, --merge A,B, --other-model NAME."),
        )
    rounds = [Round(_("this analysis") if variation else _name(args.file), first, asked, answer)]
    if variation is not None:
        rounds.append(Round(variation.words, variation.apply(first), variation.ask(asked)))
    for path in args.other:
        rounds.append(_another(rounds[0], path))
    sides = [one.side() for one in rounds]
    pairs = [(0, len(rounds) - 1), *(_steps(len(rounds)) if len(rounds) > 2 else [])]
    made = [run_watched(compare(sides[i], sides[j], args.level, args.replicates, args.seed)) for i, j in pairs]
    otherwise = [text for one in rounds for text in one.differences]
    names = rounds[0].name, rounds[-1].name
    told = words.what_if(made[0], names, args.smallest_change, otherwise, first.data_fingerprint)
    return _answer(rounds, told, made), _text(rounds, told, made)


def with_comparison(args: argparse.Namespace, project: Project) -> Project:
    """The project of a report with another file beside it, for the section that tells what changed.

    Raises
    ------
    TapdeskError
        When the other file cannot be read so, or has other classes.
    """
    kept = next((a for a in project.analyses if a.fit is not None and not a.stale), None)
    if kept is None:
        raise CannotAnswerError(_("The file has no answer, so nothing can be put beside it."), Path(args.file).name)
    first = Round(_name(args.file), project, replace(kept.request, redraws=False), kept.fit)
    second = _another(first, args.compare, named=False)
    comparison = run_watched(compare(first.side(), second.side(), kept.request.level, seed=kept.request.seed))
    told = words.what_if(
        comparison, (first.name, second.name), args.smallest_change, second.differences, project.data_fingerprint
    )
    return words.with_kept(project, told)


def _steps(count: int) -> list[tuple[int, int]]:
    """Each round against the one before it."""
    return [(i, i + 1) for i in range(count - 1)]


def _asked(args: argparse.Namespace, project: Project) -> tuple[Request, Fit | None]:
    """What is asked of the first, and its answer where the project has it."""
    kept = next((a for a in project.analyses if a.fit is not None and not a.stale), None)
    if kept is not None and "model" not in args.typed:
        answer = kept.fit if kept.request.level == args.level and kept.request.seed == args.seed else None
        return replace(kept.request, level=args.level, seed=args.seed), answer
    defaults = argparse.Namespace(**{**vars(args), "interval": "profile"})
    return request(defaults, args.model or _USUAL, project.ratings), None


def _variation(args: argparse.Namespace) -> Variation | None:
    """What is otherwise; None where another file is."""
    if args.without:
        return WithoutRaters(tuple(args.without))
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
    return None if args.other_model is None else WithModel(args.other_model)


def _another(first: Round, path: str, *, named: bool = True) -> Round:
    """Another file, read and decided as the first."""
    lost: tuple[str, ...] = ()
    if holds_project(path):
        project = project_of(path)
    else:
        project, lost = run_watched(another_round(first.project, path))
    refuse_blocking(project)
    differences = reading_differences(first.project, project, lost, named=named)
    matched = matched_classes(first.project.ratings, project.ratings)
    kept = first.request.model.key
    asked = replace(
        first.request, model=replace(first.request.model, key=kept if matched.knows_answers else Key.UNUSED)
    )
    return Round(_name(path), project, asked, differences=differences, ratings=matched)


def _name(path: str) -> str:
    """What a file is called in sentences."""
    return Label(path if path.startswith("sample:") else Path(path).name)


def _answer(rounds: list[Round], told: words.WhatIf, made: list[Comparison]) -> dict[str, Any]:
    """The JSON (cli.md, ``compare``)."""
    whole, smallest = made[0], told.smallest
    sentence, follows = words.headline(told)
    answer: dict[str, Any] = {
        **json_output.answer_head("compare", reading_of(rounds[0].project)),
        "headline": {"sentence": str(sentence), "follows": str(follows)},
        "sides": [_side(one) for one in rounds],
        "differences_of_reading": [str(text) for text in told.otherwise],
        "remarks": [str(text) for text in words.remarks(told)],
        "shared_subjects": whole.shared,
        "replicates": whole.replicates,
        "level": whole.level,
        "smallest_change": smallest,
        "same": whole.same,
        "contrasts": [words.record(c, smallest) for c in words.ordered(whole.contrasts, smallest)],
    }
    names = [str(one.name) for one in rounds]
    if len(rounds) > 2:
        answer["trend"] = trend_record(made[1:], names)
        answer["steps"] = [
            {"a": names[i], "b": names[i + 1], "contrasts": [words.record(c, smallest) for c in step.contrasts]}
            for i, step in enumerate(made[1:])
        ]
    return answer


def _side(one: Round) -> dict[str, Any]:
    reading = reading_of(one.project)
    data = json_output.data(reading)
    return {"name": str(one.name), "model": one.request.model.name, "data": data}


def _text(rounds: list[Round], told: words.WhatIf, made: list[Comparison]) -> str:
    """The same as a page of text: what was read otherwise first."""
    blocks = [paragraph(text) for text in (*told.otherwise, *words.headline(told))]
    if len(rounds) > 2:
        blocks.append(table(trend_table(told, made[1:], [one.name for one in rounds])))
        blocks.append(paragraph(_("The last of {n} rounds against the first:").format(n=len(rounds))))
    blocks.append(table(words.table(told)))
    blocks += [paragraph(text) for text in (*words.remarks(told), words.NOT_SAID)]
    return "\n\n".join(block for block in blocks if block.strip())
