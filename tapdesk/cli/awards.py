"""Who wins, how sure: the command, its JSON, the list as a table and the worklist as rating sheets."""

import argparse
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

from tapdesk.answers import awards as words
from tapdesk.answers import terminal
from tapdesk.answers.content import Table
from tapdesk.answers.question import QUESTIONS, Guesses
from tapdesk.answers.repeats import repeats_tables
from tapdesk.answers.terminal import paragraph
from tapdesk.cli import json_output
from tapdesk.cli.analyses import open_project, reading_line, reading_of
from tapdesk.cli.outputs import permitted_outputs
from tapdesk.cli.terminal import run_watched
from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.project.awards import award_request, medal_lines, with_award_request
from tapdesk.project.project import Project
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.award_answer import FIRST, AwardRequest, Awards, ScoreKind
from tapdesk.studies.award_changes import Change
from tapdesk.studies.award_rules import Rule
from tapdesk.studies.awards import awards, kind_of, refuse_what_tells_nothing
from tapdesk.studies.judge_numbers import JudgeNumbers

_MOST_LINES = 25
_MOST_TO_DISCUSS = 12
QUESTION = next(one for one in QUESTIONS if one.demand == "awards")
"""The question of a report that tells who wins."""
MODEL = QUESTION.models[Guesses.OWN]
"""The name of the model whose numbers stand beside it."""


def award(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Who wins and how sure; the committee's own result stands first."""
    project = open_project(args)
    reading = reading_of(project)
    # What is counted of them is another question's, unless it is asked here.
    ratings = reading.ratings if args.class1 else project.all_classes
    request = replace(request_of(args, project, ratings), level=args.level, seed=args.seed)
    result = run_watched(awards(ratings, request))
    saved = _save(args, result, ratings)
    sentence, follows = words.headline(result)
    text = [reading_line(reading), *_paragraphs(sentence, follows, *words.caveats(result))]
    text.append(_cut(words.short_table(result), _MOST_LINES))
    text += _paragraphs(*words.ties(result))
    text += [terminal.table(table) for table in (words.judges_table(result), *repeats_tables(result))]
    text.append(terminal.table(words.changes_table(result)))
    text.append(_cut(words.discuss_table(result), _MOST_TO_DISCUSS))
    text += _paragraphs(words.not_said(result), *saved)
    answer = {
        **json_output.answer_head("awards", reading),
        "headline": {"sentence": sentence, "follows": follows},
        **record(result, ratings),
    }
    return answer, "\n\n".join(part for part in text if part.strip())


def _paragraphs(*sentences: str) -> list[str]:
    return [paragraph(sentence) for sentence in sentences if sentence]


def _cut(table: Table, most: int) -> str:
    """A table as text, with its first rows."""
    if len(table.rows) <= most:
        return terminal.table(table)
    more = _("{n} more rows are left out here; --json and --output hold all.").format(n=len(table.rows) - most)
    return terminal.table(replace(table, rows=table.rows[:most], note=joined(more, table.note)))


def request_of(args: argparse.Namespace, project: Project, ratings: Ratings) -> AwardRequest:
    """What was asked: as typed, else as the project remembers it; the same for the command and for a report.

    Raises
    ------
    UsageError
        When the lines are none of these scores.
    """
    kept = award_request(project)
    lines, names = kept.lines, kept.names
    if args.cuts:
        lines, names = medal_lines(ratings, kept.decimal, tuple(args.cuts), tuple(args.bands or ()))
    return replace(
        kept,
        rule=Rule(args.rule) if args.rule else kept.rule,
        lines=lines,
        names=names,
        wanted=args.wanted or ("" if args.cuts else kept.wanted),
        first=(args.first,) if args.first else kept.first,
        occasion=args.occasion or kept.occasion,
    )


def with_awards(args: argparse.Namespace, project: Project) -> Project:
    """The project of a report, which remembers what was typed about its awards.

    Raises
    ------
    UsageError
        When the classes have no order and none is wanted, or the lines are none of these scores.
    CannotAnswerError
        When of these ratings nothing can be said of awards.
    """
    if not args.awards or project.reading is None:
        return project
    asked = request_of(args, project, project.all_classes)
    refuse_what_tells_nothing(project.all_classes)
    kind_of(project.all_classes, asked)
    return with_award_request(project, asked)


def with_typed_awards(args: argparse.Namespace, project: Project) -> Project:
    """The project whose parts are reported one by one, with what was typed about their awards: each is looked at."""
    if not args.awards:
        return project
    asked = AwardRequest(
        rule=Rule(args.rule) if args.rule else None,
        wanted=args.wanted or "",
        first=(args.first,) if args.first else FIRST,
        occasion=args.occasion or "",
    )
    return with_award_request(project, asked)


def _save(args: argparse.Namespace, result: Awards, ratings: Ratings) -> list[str]:
    """The list and the worklist where they were asked for; what was saved, in sentences."""
    from tapdesk.report.award_list import award_files, worklist_files  # late: they load what writes workbooks

    files: list[tuple[Path, bytes]] = []
    if args.output:
        files += award_files(result, Path(args.output))
    if args.worklist:
        files += worklist_files(result, ratings, Path(args.worklist))
    permitted_outputs(args).save_all(files)
    return [_("Saved {file}.").format(file=path) for path, _content in files]


# JSON -----------------------------------------------------------------------------------------------------------------


def record(result: Awards, ratings: Ratings) -> dict[str, Any]:
    """The answer as JSON (cli.md, ``awards``)."""
    return {
        "kind": result.kind.value,
        "classes": list(result.classes),
        "lines": list(result.lines),
        "rule": result.rule.value,
        "level": result.level,
        "first": list(result.first),
        "subjects": [_entry(result, ratings, at) for at in range(len(result.order))],
        "not_apart": [{"from": a + 1, "to": b + 1} for a, b in result.groups],
        "raters": [_judge(one) for one in result.judges],
        "left_out": [
            {
                "rater": ratings.raters[one.judge],
                "changed": [_change(c, result, ratings) for c in one.changes],
                "model_changed": [_change(c, result, ratings) for c in result.left_out[one.judge]]
                if one.judge in result.left_out
                else None,
            }
            for one in result.without
        ],
        "rules": [
            {"rule": one.rule.value, "changed": [_change(c, result, ratings) for c in one.changes]}
            for one in result.rules
        ],
        "corrected": None
        if result.corrected is None
        else {
            "rater": ratings.raters[result.corrected.judge],
            "changed": [_change(c, result, ratings) for c in result.corrected.changes],
        },
        "caveats": list(words.caveats(result)),
    }


def _entry(result: Awards, ratings: Ratings, at: int) -> dict[str, Any]:
    i = int(result.order[at])
    given, likeliest = int(result.result.given[i]), int(result.likeliest[i])
    lines = bool(result.probability.shape[1])
    shares = [float(p) for p in result.probability[i]]
    value = float(result.result.value[i])
    if result.kind is ScoreKind.GRADES and result.rule is not Rule.BORDA:
        value += 1
    return {
        "subject": ratings.subjects[i],
        "ratings": int(result.ratings[i]),
        "committee": {"value": value if math.isfinite(value) else None, "place": int(result.result.place[i])},
        "given": result.classes[given] if lines and given >= 0 else None,
        "class": result.classes[likeliest] if lines else None,
        "probability": shares[likeliest] if lines else None,
        "probabilities": dict(zip(result.classes, shares, strict=True)) if lines else None,
        "expected_score": float(result.fair[i]),
        "low": float(result.low[i]),
        "high": float(result.high[i]),
        "rank": {"low": int(result.rank_low[i]), "high": int(result.rank_high[i])},
        "deserved": float(result.deserved[i]) if lines and given >= 0 else None,
        "first": {str(m): float(p) for m, p in zip(result.first, result.among[i], strict=True)},
        "apart_from_next": None if at + 1 == len(result.order) else bool(result.above_next[at] >= 0.95),
        "above_next": None if at + 1 == len(result.order) else float(result.above_next[at]),
        "gain": float(result.gain[i]),
    }


def _estimate(one: Estimate) -> dict[str, Any]:
    return json_output.fields(one, "value", "se", "low", "high", "undefined")


def _judge(one: JudgeNumbers) -> dict[str, Any]:
    own = one.self_agreement
    again = None
    if own is not None:
        again = {
            "pairs": own.pairs,
            "same": own.same / own.pairs,
            "low": own.low,
            "high": own.high,
            "kappa": own.kappa,
            "kappa_low": own.kappa_low,
            "kappa_high": own.kappa_high,
            "gap": own.gap,
            "expected_same": own.expected_same,
            "expected_gap": own.expected_gap,
            "time_between": None if own.apart is None else {"median": own.apart[0], "unit": own.apart[1] or None},
        }
    return {
        "rater": one.judge,
        "ratings": one.scores,
        "severity": _estimate(one.severity),
        "spread": _estimate(one.spread),
        "follows": _estimate(one.follows),
        "self_agreement": again,
    }


def _change(one: Change, result: Awards, ratings: Ratings) -> dict[str, Any]:
    lines = bool(result.probability.shape[1])

    def named(k: int, place: int) -> str | int | None:
        return (result.classes[k] if k >= 0 else None) if lines else place

    return {
        "subject": ratings.subjects[one.entry],
        "from": named(one.before, one.place_before),
        "to": named(one.after, one.place_after),
    }
