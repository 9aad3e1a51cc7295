"""The command simulate: ratings drawn from a model, and what they have in store."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from tapdesk.cli import asymptotics, told
from tapdesk.cli.bounds import refuse_absurd_size
from tapdesk.cli.outputs import STANDARD_OUTPUT, permitted
from tapdesk.errors import UsageError
from tapdesk.models.model import model as named_model
from tapdesk.models.simulate import asymptotic, exact, parse_parameters
from tapdesk.models.simulate import simulate as simulated
from tapdesk.ratings.formats.formulas import SAID, csv_text


class Csv(str):
    """A table other programs read: nothing stands before or after it."""

    __slots__ = ()


def simulate(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Ratings simulated from a model, as a long table, and what its numbers come to in the long run."""
    model = named_model(args.model)
    refuse_absurd_size(args.subjects, args.raters)
    classes = _sound(args.classes) if args.classes is not None else default_classes(args.param)
    raters = [f"J{j + 1}" for j in range(args.raters)]
    parameters = parse_parameters(model, args.param, classes, raters)
    make = exact if args.exact else simulated
    more = {} if args.exact else {"seed": args.seed}
    ratings, truth = make(model, parameters, classes, raters, args.subjects, **more)
    names = ("subject", "rater", "rating")
    rows = [
        (ratings.subjects[i], ratings.raters[j], ratings.classes[c])
        for i, j, c in zip(ratings.subject, ratings.rater, ratings.category, strict=True)
    ]
    table, files = as_csv(names, rows), []
    if args.truth_out:
        true = zip(ratings.subjects, (ratings.classes[k] for k in truth), strict=True)
        files.append((Path(args.truth_out), as_csv(("subject", "truth"), true).encode()))
    found = asymptotic(parameters, args.raters)
    answer = {**told.head("simulate", None), "seed": args.seed, "output": args.output}
    answer["asymptotic"] = asymptotics.record(found, classes)
    if args.output not in STANDARD_OUTPUT:
        files.append((Path(args.output), table.encode()))
    permitted(args).save_all(files)
    if args.output not in STANDARD_OUTPUT:
        said = f"Saved {ratings.rating_count:,} ratings to {args.output}."
        return answer, f"{said}\n\n{asymptotics.words(found, classes)}"
    # JSON stands in place of the table, so it holds the ratings where no file does.
    return {**answer, "rows": [dict(zip(names, row, strict=True)) for row in rows]}, table


def _sound(classes: tuple[str, ...]) -> tuple[str, ...]:
    """The classes named, each with a name of its own.

    Raises
    ------
    UsageError
        When one has none, or two have the same.
    """
    if not all(classes) or not classes:
        raise UsageError("A class has no name.", "--classes", "Write each name once, such as --classes low,high.")
    twice = [label for i, label in enumerate(classes) if label in classes[:i]]
    if twice:
        raise UsageError(f"The class '{twice[0]}' is named twice.", "--classes", "Write each name once.")
    return classes


def default_classes(params: Sequence[str]) -> tuple[str, ...]:
    """Labels when none are given: as many as the true rates named, 0 and 1 for two."""
    for given in params:
        name, _, values = given.partition("=")
        count = values.count(",") + 1
        if name.strip() in {"t", "p"} and count > 2:
            return tuple(str(c + 1) for c in range(count))
    return ("0", "1")


def as_csv(names: Sequence[str], rows: Iterable[Sequence[object]]) -> Csv:
    """A table as CSV; where a text had to be kept from being a formula, that is said on standard error."""
    table = csv_text(names, rows)
    if table.prefixed:
        sys.stderr.write(f"{SAID}\n")
    return Csv(table.text)
