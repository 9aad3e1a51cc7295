"""In which situations each sentence must be said, and in which it must not: the table ``said.csv``.

A row is a sentence that no test reads by its words. It must be said in the situations it names (``group-*``: in all of
a group), and in none of the others that are tried; `test_said.py` tries them all. The kinds: ``claim``, what can be
false of a result; ``explanation``, what is true of the method or tells what a table or a picture shows; ``reason``, why
something cannot be had, and what to do. ``python -m tests.words.said [BEGINNING ...]`` looks again (at situations whose
names begin so), keeps what was written of a row and lists what changed: each of these lines is to be judged by somebody
before it is kept.
"""

import csv
import sys
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tests.words.situations import edges, fitting, forms, parts, refusals, reports, studies
from tests.words.situations.situation import Situation

TABLE = Path(__file__).with_suffix(".csv")
COLUMNS = ("kind", "sentence", "said in", "not in", "why")
KINDS = ("claim", "explanation", "reason")
SITUATIONS: tuple[Situation, ...] = tuple(
    one for module in (refusals, forms, parts, fitting, studies, edges, reports) for one in module.SITUATIONS
)
_OF_ALL = "-*"


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence.

    Attributes
    ----------
    kind
        Of `KINDS`.
    sentence
        The template.
    said
        Keys of the situations in which it must be said.
    left
        Of all others one that comes near: the same part speaks or could, and there the sentence would be false.
    why
        What is not obvious: why it is true there, or why it may not be left out.
    """

    kind: str
    sentence: str
    said: frozenset[str]
    left: str = ""
    why: str = ""


@cache
def groups() -> dict[str, frozenset[str]]:
    """The situations whose names begin alike."""
    table = defaultdict(set)
    for one in SITUATIONS:
        table[one.key.partition("-")[0]].add(one.key)
    return {name: frozenset(keys) for name, keys in table.items()}


def _written(keys):
    """Situations as the table has them: a whole group by its name."""
    rest, words = set(keys), []
    for name, every in groups().items():
        if len(every) > 1 and every <= rest:
            rest -= every
            words.append(f"{name}{_OF_ALL}")
    return " ".join(sorted([*words, *rest]))


def _read(text):
    keys = set()
    for word in text.split():
        keys |= groups()[word.removesuffix(_OF_ALL)] if word.endswith(_OF_ALL) else {word}
    return frozenset(keys)


@cache
def rows() -> tuple[Row, ...]:
    """The table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(
            Row(r["kind"], r["sentence"], _read(r["said in"]), r["not in"], r["why"]) for r in csv.DictReader(file)
        )


@cache
def by_sentence() -> dict[str, Row]:
    """The rows by their sentence."""
    return {row.sentence: row for row in rows()}


def write(table):
    """Write the table, in the order of the sources."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(COLUMNS)
        for row in table:
            out.writerow((row.kind, row.sentence, _written(row.said), row.left, row.why))


def unread():
    """Sentences that are part of no claim and read by no test, in the order of the sources, with where they stand."""
    from tests.words.sentences import claims_of, sentences, tests_of

    every = {}
    for one in sentences():
        if not claims_of(one.text) and not tests_of(one.text):
            every.setdefault(one.text, one)
    return every


def main(beginnings) -> None:
    """Look again at the situations whose names begin so, by default at all."""
    heard = {one.key: one.heard() for one in SITUATIONS if not beginnings or one.key.startswith(tuple(beginnings))}
    there = {one.key for one in SITUATIONS}
    known = by_sentence()
    table = []
    for sentence, place in unread().items():
        old = known.get(sentence, Row("?", sentence, frozenset()))
        said = frozenset(key for key, templates in heard.items() if sentence in templates)
        said |= (old.said & there) - heard.keys()
        if said != old.said:
            more, fewer = _written(said - old.said), _written(old.said - said)
            sys.stdout.write(f"{place.place}: {sentence}\n  more: {more}\n  fewer: {fewer}\n")
        table.append(replace(old, said=said))
    write(table)


if __name__ == "__main__":
    main(sys.argv[1:])
