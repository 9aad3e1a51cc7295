"""The commands that look at a file from several sides: agree, scan, pairs."""

import argparse
from typing import Any

from tapdesk.agreement.agree import agree as agreement
from tapdesk.agreement.explain import reading as explained
from tapdesk.agreement.explain import title
from tapdesk.cli import reading_words, told
from tapdesk.cli.commands import request
from tapdesk.cli.sources import open_file
from tapdesk.cli.tables import Column, aligned, number, reach
from tapdesk.cli.watch import run_watched
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.pairs import pairs as all_pairs
from tapdesk.studies.scan import Cut
from tapdesk.studies.scan import scan as all_cuts


def agree(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Every coefficient, or the reason why it is undefined."""
    reading = open_file(args)
    run = agreement(
        reading.ratings,
        weights=args.weights,
        level=args.level,
        interval=args.interval,
        replicates=args.replicates,
        seed=args.seed,
    )
    found = run_watched(run)
    rows = []
    for c in found:
        told_value = (number(c.estimate.value), number(c.estimate.se), reach(c.estimate))
        rows.append((title(c), *told_value, f"{c.subjects:,}", f"{c.ratings:,}"))
    heads = ("value", "SE", f"{args.level:.0%} interval", "cases", "ratings")
    columns = [Column("Coefficient"), *map(Column.right, heads)]
    reasons = dict.fromkeys(f"{title(c)}: {c.estimate.undefined}" for c in found if c.estimate.undefined)
    notes = dict.fromkeys(c.note for c in found if c.note)
    words = [reading_words.in_short(reading), aligned(columns, rows), *reasons, *notes]
    answer = {**told.head("agree", reading), "coefficients": [{**c.record(), "reading": explained(c)} for c in found]}
    return answer, "\n\n".join(words)


def scan(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """t-a-p, t-a-t and kappa at every cut of the ordered classes."""
    reading = open_file(args)
    found = run_watched(all_cuts(reading.ratings, request(args, "t-a-p"), test=args.tests, replicates=args.replicates))
    cuts, rows = [], []
    for cut in found.cuts:
        binary = reading.ratings.dichotomised(cut.high, cut.low)
        cuts.append(
            {
                "cut": cut.name,
                "class0": list(cut.low),
                "class1": list(cut.high),
                "direction": cut.words,
                "refused": cut.refused,
                "fits": _fits(binary, cut.free, cut.tied),
                "kappa": _estimate(cut.kappa),
                "root_kappa": _estimate(cut.root_kappa),
                "subjects": cut.subjects,
                "ratings": cut.ratings,
            }
        )
        names = ("t", "a", "p")
        free = [_told(cut.free.estimate(n)) if cut.free else "–" for n in names]
        tied = _told(cut.tied.estimate("a")) if cut.tied else "–"
        rows.append((cut.name, *free, tied, number(cut.kappa.value), f"{cut.subjects:,}"))
    columns = [Column("Cut"), *map(Column.right, ("t", "a", "p", "a (p = t)", "kappa", "cases"))]
    words = [reading_words.in_short(reading), aligned(columns, rows)]
    words += [c.words for c in found.cuts[:1]] + [found.words] * bool(found.words)
    words += [f"{c.name}: {why}" for c in found.cuts if (why := _untold(c))]
    test = found.one_accuracy
    answer = {**told.head("scan", reading), "cuts": cuts, "one_accuracy": test and told.test(test)}
    return answer, "\n\n".join(words)


def pairs(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Conditional accuracy for every pair of classes."""
    reading = open_file(args)
    found = run_watched(all_pairs(reading.ratings, request(args, "t-a-t")))
    answers, rows = [], []
    for pair in found.pairs:
        answers.append(
            {
                "classes": [pair.first, pair.second],
                "subjects": pair.subjects,
                "ratings": pair.ratings,
                "compared": pair.compared,
                "kappa": _estimate(pair.kappa),
                "root_kappa": _estimate(pair.root_kappa),
                "accuracy": _estimate(pair.accuracy),
            }
        )
        told_pair = (f"{pair.first} | {pair.second}", number(pair.root_kappa.value), _told(pair.accuracy))
        rows.append((*told_pair, f"{pair.compared:,}", f"{pair.ratings:,}"))
    columns = [Column("Classes"), *map(Column.right, ("root kappa", "a (t-a-t)", "cases compared", "ratings"))]
    words = [reading_words.in_short(reading), aligned(columns, rows), found.about]
    words += [f"{p.first} | {p.second}: {p.accuracy.undefined}" for p in found.pairs if p.accuracy.undefined]
    return {**told.head("pairs", reading), "pairs": answers}, "\n\n".join(words)


def _untold(cut: Cut) -> str:
    """Why a cut has no numbers; empty where it has."""
    if cut.refused or cut.free is None:
        return cut.refused or ""
    reasons = dict.fromkeys(e.estimate.undefined for e in cut.free.estimates if e.estimate.undefined)
    return " ".join(reasons)


def _fits(ratings: Ratings, *fits: Fit | None) -> list[dict[str, Any]]:
    return [told.fit(f, f.model.name, ratings) for f in fits if f is not None]


def _estimate(e: Estimate) -> dict[str, Any]:
    return told.fields(e, "value", "se", "low", "high", "undefined", "no_interval")


def _told(e: Estimate) -> str:
    """Value and interval in one cell."""
    inside = reach(e)
    return number(e.value) + (f" ({inside})" if inside else "")
