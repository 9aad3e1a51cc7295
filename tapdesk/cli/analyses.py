"""The commands that look at a file from several sides: agree, scan, pairs."""

import argparse
from typing import Any

from tapdesk.agreement.coefficients import agree as agreement
from tapdesk.agreement.interpretation import explain as explained
from tapdesk.agreement.interpretation import title
from tapdesk.cli import reading_words, told
from tapdesk.cli.commands import request
from tapdesk.cli.sources import open_file
from tapdesk.cli.tables import Column, aligned, number, reach
from tapdesk.cli.watch import run_watched
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.numbers import SCREEN
from tapdesk.report.tables import studies as tables_studies
from tapdesk.report.tables import text
from tapdesk.report.words import class_pairs as words_pairs
from tapdesk.report.words import lines as words_lines
from tapdesk.studies.class_pairs import pairs as all_pairs
from tapdesk.studies.scan import Cut, Scan
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
    cuts = []
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
    words = [reading_words.in_short(reading), *_scanned(found, reading.ratings)]
    test = found.one_accuracy
    answer = {**told.head("scan", reading), "cuts": cuts, "one_accuracy": test and told.test(test)}
    return answer, "\n\n".join(words)


def pairs(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Conditional accuracy for every pair of classes."""
    reading = open_file(args)
    found = run_watched(all_pairs(reading.ratings, request(args, "t-a-t")))
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
        for pair in found.pairs
    ]
    said = _("{said}.").format(said=words_pairs.hardest(found))
    words = [
        reading_words.in_short(reading),
        text.paragraph(said),
        text.table(tables_studies.class_pairs(found, SCREEN)),
    ]
    return {**told.head("pairs", reading), "pairs": answers}, "\n\n".join(words)


def _scanned(found: Scan, ratings: Ratings) -> list[str]:
    """The cuts as sentences and tables: which is hardest, the numbers with intervals, and why some are not told."""
    said = words_lines.headline(found)
    blocks = list(said) if said is not None else [found.words]
    if len(ratings.classes) > 2 and not ratings.ordered:
        unknown = _(
            "The file gives these classes no order; they were taken as {order}. If they have one, name it: --order."
        )
        blocks.insert(0, unknown.format(order=" < ".join(ratings.classes)))
    if len(ratings.classes) > 2 and found.one_accuracy is None:
        blocks.append(_("Whether one accuracy serves all lines is tested with --tests."))
    told = [text.paragraph(block) for block in blocks if block]
    told += [text.table(table) for table in tables_studies.cuts(found, SCREEN)]
    told.append(text.paragraph(" ".join(c.words for c in found.cuts[:1])))
    return told + [text.paragraph(f"{c.name}: {why}") for c in found.cuts if (why := _untold(c)) and why != c.refused]


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
