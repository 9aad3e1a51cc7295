"""The commands that make data: simulate, study."""

import argparse
import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tapdesk.cli import told
from tapdesk.errors import UsageError
from tapdesk.models.catalog import model as named_model
from tapdesk.models.simulate import exact, parse_parameters
from tapdesk.models.simulate import simulate as simulated
from tapdesk.report.saving import save


def simulate(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Ratings simulated from a model, as a long table."""
    model = named_model(args.model)
    if args.subjects < 1 or args.raters < 1:
        raise UsageError("There must be at least one subject and one rater.")
    classes = args.classes or _default_classes(args.param)
    raters = [f"J{j + 1}" for j in range(args.raters)]
    parameters = parse_parameters(model, args.param, classes, raters)
    make = exact if args.exact else simulated
    more = {} if args.exact else {"seed": args.seed}
    ratings, truth = make(model, parameters, classes, raters, args.subjects, **more)
    rows = zip(
        (ratings.subjects[i] for i in ratings.subject),
        (ratings.raters[j] for j in ratings.rater),
        (ratings.classes[c] for c in ratings.category),
        strict=True,
    )
    table = as_csv(("subject", "rater", "rating"), rows)
    if args.truth_out:
        true = zip(ratings.subjects, (ratings.classes[k] for k in truth), strict=True)
        save(Path(args.truth_out), as_csv(("subject", "truth"), true).encode())
    answer = {**told.head("simulate", None), "seed": args.seed, "output": args.output}
    if args.output:
        save(Path(args.output), table.encode())
        return answer, f"Saved {ratings.rating_count:,} ratings to {args.output}."
    return answer, table


def _default_classes(params: Sequence[str]) -> tuple[str, ...]:
    """Labels when none are given: as many as the true rates named, 0 and 1 for two."""
    for given in params:
        name, _, values = given.partition("=")
        count = values.count(",") + 1
        if name.strip() in {"t", "p"} and count > 2:
            return tuple(str(c + 1) for c in range(count))
    return ("0", "1")


def as_csv(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return out.getvalue()
