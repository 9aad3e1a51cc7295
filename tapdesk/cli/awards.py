"""Who wins, how sure: the command, its JSON, the list as a table and the worklist as rating sheets."""

import argparse
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

from tapdesk.answers import awards as words
from tapdesk.answers import terminal
from tapdesk.answers.content import Table
from tapdesk.answers.repeats import repeats_tables
from tapdesk.answers.terminal import paragraph
from tapdesk.cli import json_output
from tapdesk.cli.analyses import open_project, reading_line, reading_of
from tapdesk.cli.outputs import permitted_outputs
from tapdesk.cli.terminal import run_watched
from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.project.awards import award_request, medal_lines
from tapdesk.project.project import Project
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.studies.award_answer import FIRST, AwardRequest, Awards, ScoreKind
from tapdesk.studies.award_changes import Change
from tapdesk.studies.award_rules import Rule
from tapdesk.studies.awards import awards
from tapdesk.studies.judge_numbers import JudgeNumbers

_MOST_LINES = 25
_MOST_TO_DISCUSS = 12


def award(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Who wins and how sure; the committee's own result stands first."""
    # Lines are drawn through what the committee makes of the scores, not through each score.
    project = open_project(argparse.Namespace(**{**vars(args), "cuts": None, "bands": None}))
    reading = reading_of(project)
    ratings = reading.ratings
    result = run_watched(awards(ratings, request_of(args, project, reading)))
    saved = _save(args, result, ratings)
    sentence, follows = words.headline(result)
    text = [reading_line(reading), *_paragraphs(sentence, follows, *words.caveats(result))]
    text.append(_cut(words.short_table(result), _MOST_LINES))
    text += _paragraphs(*words.ties(result))
    text += [terminal.table(table) for table in (words.judges_table(result), *repeats_tables(result))]
    text.append(terminal.table(words.changes_table(result)))
    text.append(_cut(words.discuss_table(result), _MOST_TO_DISCUSS))
    text += _paragraphs(words.not_said(), *saved)
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


def request_of(args: argparse.Namespace, project: Project, reading: Reading) -> AwardRequest:
    """What was asked: as typed, else as the project remembers it.

    Raises
    ------
    UsageError
        When the lines are none of these scores.
    """
    kept = award_request(project)
    lines, names = kept.lines, kept.names
    if args.cuts:
        lines, names = medal_lines(reading.ratings, kept.decimal, tuple(args.cuts), tuple(args.bands or ()))
    return replace(
        kept,
        rule=Rule(args.rule) if args.rule else kept.rule,
        lines=lines,
        names=names,
        wanted=args.wanted or ("" if args.cuts else kept.wanted),
        first=(args.first,) if args.first else FIRST,
        occasion=args.occasion or "",
        level=args.level,
        seed=args.seed,
    )


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
