"""Sheets as committees bring them, made on the spot, each with what it truly says.

Layouts × the words of trades in six languages × orders of columns × further columns × gaps. Every answer follows its
case with some probability (truth, accuracy, guessing), as ratings do, so a sheet shows what a real one would show.
"""

import csv
import io
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from tapdesk.ratings.options import Layout
from tapdesk.ratings.ratings import CovariateOf
from tests.ratings.corpus_words import GRADES, TRADES, Trade, drawn

Answers = dict[tuple[str, str], str]
"""What each rater said of each case."""
SUBJECT, RATER, RATING = CovariateOf.SUBJECT, CovariateOf.RATER, CovariateOf.RATING


@dataclass(frozen=True)
class Sheet:
    """One file and what it says.

    Attributes
    ----------
    key
        Layout, language, trade, order, gaps and further columns, as a name.
    text
        The file.
    layouts
        The layouts that are a right understanding of it.
    answers
        By question (empty where there is but one) what each rater said of each case.
    counts
        For tables of counts: for each row the number of ratings of each class, and how often the row counts.
    beside
        Which further column belongs to what.
    riddle
        Whether nothing in the file tells how it is meant, so that only a question is right.
    """

    key: str
    text: str
    layouts: tuple[Layout, ...]
    answers: Mapping[str, Answers]
    counts: tuple[tuple[tuple[int, ...], int], ...] = ()
    beside: Mapping[str, CovariateOf] = field(default_factory=dict)
    riddle: bool = False


ORDERS = ("plain", "turned", "last")
MIXED = (*ORDERS, "mixed")
GAPS = ("full", "blanks", "some raters")
BESIDE = ("nothing", "case", "rater", "both", "remark")


@dataclass(frozen=True)
class World:
    """Who said what of which case."""

    trade: Trade
    rng: random.Random
    gaps: str
    raters: int = 0
    cases: int = 0

    def people(self) -> tuple[str, ...]:
        """The raters."""
        return self.trade.people[: self.raters or self.trade.raters]

    def people_above_columns(self, join: str = " ") -> tuple[str, ...]:
        """The raters as they head columns: a number alone would be no name there."""
        people = self.people()
        return tuple(f"{self.trade.rater}{join}{p}" for p in people) if people[0].isdigit() else people

    def names(self) -> list[str]:
        """The cases, called as one of three habits calls them."""
        start = self.trade.case[0].upper()
        habit = self.rng.randrange(3)
        return [
            (f"{start}{i + 1:03d}", str(i + 1), f"{2000 + 7 * i}-{start}")[habit]
            for i in range(self.cases or self.trade.cases)
        ]

    def answers(self, cases: Sequence[str], people: Sequence[str], says: Sequence[str]) -> Answers:
        """One rating of each rater on each case but for the gaps."""
        rng, made = self.rng, {}
        accuracy = rng.uniform(0.45, 0.85)
        shares = [rng.uniform(0.6, 1.4) for _ in says]
        for i, case in enumerate(cases):
            true = rng.choices(says, shares)[0]
            for j, who in enumerate(people):
                given = true if rng.random() < accuracy else rng.choices(says, shares)[0]
                absent = self.gaps == "blanks" and rng.random() < 0.1
                absent |= self.gaps == "some raters" and len(people) > 2 and (i + j) % len(people) == 0
                if not absent:
                    made[case, who] = given
        return made


def written(header: Sequence[str], rows: Sequence[Sequence[str]], order: str = "plain") -> str:
    places = list(range(len(header)))
    if order == "mixed":
        random.Random(",".join(header)).shuffle(places)
    if order == "turned":
        places[0], places[1] = places[1], places[0]
    elif order == "last":
        places = places[2:] + places[:2]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([header[i] for i in places])
    writer.writerows([row[i] for i in places] for row in rows)
    return file.getvalue()


def _said(
    world: World, beside: str, cases: Sequence[str], people: Sequence[str]
) -> list[tuple[str, CovariateOf, dict]]:
    """The further columns: name, what it belongs to, and the value for each case, rater or row."""
    trade, rng = world.trade, world.rng
    made: list[tuple[str, CovariateOf, dict]] = []
    if beside in {"case", "both"}:
        numeric = trade.of_case in {"Year", "vintage", "Jahrgang", "annata", "safra"}
        kinds = ["2019", "2020", "2021"] if numeric else ["North", "South", "East"]
        made.append((trade.of_case, SUBJECT, {c: rng.choice(kinds) for c in cases}))
    if beside in {"rater", "both"}:
        made.append((trade.of_rater, RATER, {p: str(28 + 7 * j) for j, p in enumerate(people)}))
    if beside == "remark":
        made.append(("remark", RATING, {}))
    return made


def _long(trade: Trade, rng: random.Random, order: str, gaps: str, beside: str) -> Sheet:
    """One rating in each row."""
    world = World(trade, rng, gaps)
    cases, people = world.names(), world.people()
    given = world.answers(cases, people, trade.says)
    more = _said(world, beside, cases, people)
    header = [trade.case, trade.rater, trade.rating, *(n for n, _of, _v in more)]
    rows = []
    for c, p in product(cases, people):
        if (c, p) in given:
            facts = [
                v[c] if of is SUBJECT else v[p] if of is RATER else rng.choice(["", "", "", "see file"])
                for _n, of, v in more
            ]
            rows.append([c, p, given[c, p], *facts])
    if rng.random() < 0.5:
        rng.shuffle(rows)
    return Sheet(
        "",
        written(header, rows, order),
        (Layout.LONG, Layout.QUESTIONS),
        {"": given},
        beside={n: of for n, of, _v in more},
    )


def _by_rater(trade: Trade, rng: random.Random, order: str, gaps: str, beside: str) -> Sheet:
    """A case in each row, a column for each rater."""
    world = World(trade, rng, gaps)
    cases, people = world.names(), world.people_above_columns()
    given = world.answers(cases, people, trade.says)
    more = _said(world, {"rater": "nothing", "both": "case"}.get(beside, beside), cases, people)
    header = [trade.case, *people, *(n for n, _of, _v in more)]
    rows = [
        [
            c,
            *(given.get((c, p), "") for p in people),
            *(v.get(c, rng.choice(["", "", "see file"])) for _n, _of, v in more),
        ]
        for c in cases
    ]
    if order != "plain" and more:
        # What is known of a case stands before the raters.
        places = [0, len(header) - 1, *range(1, len(header) - 1)]
        header, rows = [header[i] for i in places], [[row[i] for i in places] for row in rows]
    beside_ = {n: SUBJECT for n, _of, _v in more}
    return Sheet("", written(header, rows), (Layout.RATERS,), {"": given}, beside=beside_)


def _by_case(trade: Trade, rng: random.Random, order: str, gaps: str, beside: str) -> Sheet:
    """A rater in each row, a column for each case."""
    del order, beside
    world = World(trade, rng, gaps, raters=6)
    cases = [f"{trade.case} {i + 1}" for i in range(trade.cases)]
    people = world.people()
    given = world.answers(cases, people, trade.says)
    rows = [[p, *(given.get((c, p), "") for c in cases)] for p in people]
    return Sheet("", written([trade.rater, *cases], rows), (Layout.SUBJECTS,), {"": given})


def _form(trade: Trade, rng: random.Random, order: str, gaps: str, beside: str) -> Sheet:
    """A case and a rater in each row, a column for each question."""
    world = World(trade, rng, gaps)
    cases, people = world.names(), world.people()
    given = {q: world.answers(cases, people, trade.says) for q in trade.asked}
    more = _said(world, beside, cases, people)
    header = [trade.case, trade.rater, *trade.asked, *(n for n, _of, _v in more)]
    rows = []
    for c, p in product(cases, people):
        if any((c, p) in g for g in given.values()):
            facts = [
                v[c] if of is SUBJECT else v[p] if of is RATER else rng.choice(["", "", "", "see file"])
                for _n, of, v in more
            ]
            rows.append([c, p, *(given[q].get((c, p), "") for q in trade.asked), *facts])
    beside_ = {n: of for n, of, _v in more}
    return Sheet("", written(header, rows, order), (Layout.QUESTIONS,), given, beside=beside_)


def _long_questions(trade: Trade, rng: random.Random, order: str, gaps: str, beside: str) -> Sheet:
    """A case, a rater, a question and an answer in each row."""
    world = World(trade, rng, gaps)
    cases, people = world.names(), world.people()
    given = {q: world.answers(cases, people, trade.says) for q in trade.asked}
    more = _said(world, beside, cases, people)
    header = [trade.case, trade.rater, trade.question, trade.rating, *(n for n, _of, _v in more)]
    rows = []
    for c, p, q in product(cases, people, trade.asked):
        if (c, p) in given[q]:
            facts = [
                v[c] if of is SUBJECT else v[p] if of is RATER else rng.choice(["", "", "", "see file"])
                for _n, of, v in more
            ]
            rows.append([c, p, q, given[q][c, p], *facts])
    beside_ = {n: of for n, of, _v in more}
    return Sheet("", written(header, rows, order), (Layout.LONG, Layout.QUESTIONS), given, beside=beside_)


def _question_rows(trade: Trade, rng: random.Random, order: str, gaps: str, beside: str) -> Sheet:
    """A case and a question in each row, a column for each rater."""
    world = World(trade, rng, gaps)
    cases, people = world.names(), world.people_above_columns("_")
    given = {q: world.answers(cases, people, trade.says) for q in trade.asked}
    more = _said(world, {"rater": "nothing", "both": "case"}.get(beside, "nothing"), cases, people)
    header = [trade.case, trade.question, *people, *(n for n, _of, _v in more)]
    rows = [
        [c, q, *(given[q].get((c, p), "") for p in people), *(v[c] for _n, _of, v in more)]
        for c, q in product(cases, trade.asked)
    ]
    return Sheet("", written(header, rows, order), (Layout.RATERS, Layout.QUESTIONS), given)


def _crossed_columns(trade: Trade, rng: random.Random, order: str, gaps: str, beside: str) -> Sheet:
    """A case in each row, a column for each question and rater."""
    world = World(trade, rng, gaps)
    cases, people = world.names(), world.people_above_columns()
    given = {q: world.answers(cases, people, trade.says) for q in trade.asked}
    more = _said(world, {"rater": "nothing", "both": "case"}.get(beside, "nothing"), cases, people)
    pairs = (
        [(q, p) for q in trade.asked for p in people]
        if order != "turned"
        else [(q, p) for p in people for q in trade.asked]
    )
    name = (lambda q, p: f"{q}_{p}") if order in {"plain", "mixed"} else (lambda q, p: f"{p} {q}")
    header = [trade.case, *(name(q, p) for q, p in pairs), *(n for n, _of, _v in more)]
    rows = [[c, *(given[q].get((c, p), "") for q, p in pairs), *(v[c] for _n, _of, v in more)] for c in cases]
    return Sheet("", written(header, rows), (Layout.RATERS, Layout.QUESTIONS), given)


def _rounds(trade: Trade, rng: random.Random, order: str, gaps: str, beside: str) -> Sheet:
    """Two rounds of the same cases below each other, a column for each rater; a round is a property of the row."""
    del beside
    world = World(trade, rng, gaps, cases=18)
    cases, people = world.names(), world.people_above_columns()
    rounds = ("before", "after")
    given = {q: world.answers(cases, people, trade.says) for q in rounds}
    header = [trade.case, "phase", *people]
    rows = [[c, q, *(given[q].get((c, p), "") for p in people)] for q in rounds for c in cases]
    return Sheet("", written(header, rows, order), (Layout.RATERS,), given, beside={"phase": RATING})


def _counts(trade: Trade, rng: random.Random, order: str, gaps: str, beside: str) -> Sheet:
    """A case in each row and how many raters said what."""
    del order, gaps, beside
    world = World(trade, rng, "full", raters=6)
    cases, people = world.names(), trade.people
    says = trade.says if not trade.says[0].isdigit() else GRADES
    given = world.answers(cases, people, says)
    rows = []
    for c in cases:
        said = [given[c, p] for p in people]
        rows.append([c, *(str(said.count(s)) for s in says)])
    counts = tuple((tuple(map(int, row[1:])), 1) for row in rows)
    return Sheet("", written([trade.case, *says], rows), (Layout.COUNTS,), {}, counts)


def _counts_uneven(trade: Trade, rng: random.Random, order: str, gaps: str, beside: str) -> Sheet:
    """The same, where of some cases a few were absent."""
    return _counts_of_many(trade, rng, order, gaps, beside, uneven=True)


def _counts_of_many(
    trade: Trade, rng: random.Random, order: str, gaps: str, beside: str, *, uneven: bool = False
) -> Sheet:
    """A case in each row and how many of a crowd said what."""
    del beside, gaps
    crowd = rng.choice((12, 25, 40))
    world = World(trade, rng, "full", raters=crowd)
    cases = world.names()
    says = trade.says if not trade.says[0].isdigit() else GRADES
    given = world.answers(cases, [f"r{j}" for j in range(crowd)], says)
    rows = []
    for c in cases:
        there = crowd - (rng.randrange(4) if uneven else 0)
        said = [given[c, f"r{j}"] for j in range(there)]
        rows.append([c, *(str(said.count(s)) for s in says)])
    counts = tuple((tuple(map(int, row[1:])), 1) for row in rows)
    header = [trade.case if order != "turned" else "", *says]
    return Sheet("", written(header, rows), (Layout.COUNTS,), {}, counts)


def _pairs_of_counts(trade: Trade, rng: random.Random, order: str, gaps: str, beside: str) -> Sheet:
    """How many ratings and how many of class 1, as the papers write it; perhaps with how many cases are so."""
    del trade, gaps
    names = ("n_ratings", "n_class1") if order == "turned" else ("N_r", "N_c")
    counts = []
    for _row in range(30):
        n = 4
        counts.append(((n - (k := rng.randint(0, n)), k), 1))
    header: list[str] = [*names]
    rows = [[str(sum(c)), str(c[1])] for c, _w in counts]
    if beside in {"case", "both"}:
        header = ["case", *header]
        rows = [[f"S{i}", *row] for i, row in enumerate(rows)]
    return Sheet("", written(header, rows), (Layout.COUNTS,), {}, tuple(counts))


def _crosstab(trade: Trade, rng: random.Random, order: str, gaps: str, beside: str) -> Sheet:
    """Two raters crossed, with the classes beside and above."""
    del beside, gaps
    says = trade.says if not trade.says[0].isdigit() else GRADES
    cells = [[rng.randint(9, 30) if i == j else rng.randint(0, 9) for j in range(len(says))] for i in range(len(says))]
    header = [f"{trade.rater} A / B" if order == "plain" else "", *says]
    rows = [[s, *map(str, line)] for s, line in zip(says, cells, strict=True)]
    counts = []
    for i, j in product(range(len(says)), repeat=2):
        if cells[i][j]:
            row = [0] * len(says)
            row[i] += 1
            row[j] += 1
            counts.append((tuple(row), cells[i][j]))
    return Sheet("", written(header, rows), (Layout.CONFUSION,), {}, tuple(counts))


def _bare_square(trade: Trade, rng: random.Random, order: str, gaps: str, beside: str) -> Sheet:
    """Three by three numbers: counts of two raters crossed, three cases by three raters, or counts of three cases."""
    del order, gaps, beside, trade
    cells = [[str(rng.randint(20, 90) if i == j else rng.randint(0, 19)) for j in range(3)] for i in range(3)]
    text = "\n".join(",".join(line) for line in cells) + "\n"
    return Sheet("", text, (), {}, riddle=True)


MAKERS = {
    "long": _long, "raters": _by_rater, "subjects": _by_case, "form": _form, "long questions": _long_questions,
    "question rows": _question_rows, "crossed columns": _crossed_columns, "rounds": _rounds, "counts": _counts,
    "counts of many": _counts_of_many, "uneven counts": _counts_uneven,
    "N_r N_c": _pairs_of_counts, "crosstab": _crosstab, "bare square": _bare_square,
}  # fmt: skip
# How many combinations of order, gaps and further columns each trade has of each layout.
_SHARE = {"long": 4, "raters": 4, "form": 4, "long questions": 2, "question rows": 2, "crossed columns": 2}


def sheets(seed: str = "") -> Iterator[Sheet]:
    """Every sheet of the corpus, the same at every call.

    Parameters
    ----------
    seed
        Another seed makes others of the same kinds: of other words, names, classes, sizes, orders and gaps.
    """
    ways = list(product(MIXED if seed else ORDERS, GAPS, BESIDE))
    for kind, make in MAKERS.items():
        trades = drawn(f"{seed} {kind}") if seed else TRADES
        for number, (language, trade) in enumerate(trades):
            rng = random.Random(f"{seed}{kind} {number}")
            for order, gaps, beside in rng.sample(ways, _SHARE.get(kind, 1)):
                key = "; ".join((kind, language, f"{trade.case}/{trade.rater}", order, gaps, beside))
                made = make(trade, random.Random(f"{seed}{key} {number}" if seed else key), order, gaps, beside)
                key += f"; {number}" if seed else ""
                yield Sheet(
                    key, *(getattr(made, n) for n in ("text", "layouts", "answers", "counts", "beside", "riddle"))
                )
