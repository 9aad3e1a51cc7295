"""What the rows and columns of a table may stand for: every reading that its keys allow, with what speaks for each.

A table of ratings is an array of cases by raters, perhaps by questions and by rounds, some of whose sides lie along the
rows and some along the columns. Which columns together name each row is a fact of the data. Which of them names the
case, and what the columns beside them are, is told by what agrees with what: ratings of one case agree beyond chance,
those of one rater do not. What columns are called weighs as much as that, never more.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from itertools import combinations, permutations
from types import MappingProxyType

import numpy as np

from tapdesk.ratings import vocabulary as w
from tapdesk.ratings.layouts import roles as r
from tapdesk.ratings.layouts.profiles import UNIQUE, Profiles
from tapdesk.ratings.options import Layout
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import is_number

MARGIN = 2.5  # points by which the best reading must lead for it to be taken without a question
_SCALE = 20  # texts: more are no steps of a scale
_ENOUGH = 12  # rows from which on that all combinations occur is no chance
_LEAST = 4  # rows: fewer come again by chance
_AGREES = 0.5  # of 1, from which on raters of a case surely agree on what a column says
_FORM = 3  # questions that share their answers: so many are a form
_FEW = 0.5  # of all numbered questions or rounds, fewer of which are not met by every rater with every case
_WIDE = 60  # columns that are tried as parts of a key
_QUESTIONS = 200  # more texts than this name no questions
_LONG = 25  # letters: names of cases are seldom longer
_TRIED = 60  # pairs and triples of columns that are tried as keys
_DECIMAL = re.compile(r"-?\d+(?:[.,](\d+))?")
# What is said about a case or a rater.
_FACTS_OF = w.OTHER_COLUMN | w.BY_THE_WAY


class Part(Enum):
    """What a column of a table is, or what several columns beside each other are."""

    CASE = "case"
    RATER = "rater"
    QUESTION = "question"
    ROUND = "round"
    RATING = "rating"


@dataclass(frozen=True)
class Understanding:
    """One way to read a table.

    Attributes
    ----------
    layout
        Long, raters or questions.
    subject, rater, question, occasion
        The columns that name the case, the rater, the question and the round of a row, or None.
    answers
        The columns that hold answers.
    evidence
        Points for and against, by what speaks.
    """

    layout: Layout
    subject: str
    rater: str | None = None
    question: str | None = None
    occasion: str | None = None
    answers: tuple[str, ...] = ()
    evidence: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}), compare=False)

    @property
    def score(self) -> float:
        """All points together."""
        return sum(self.evidence.values())


def understandings(table: RatingTable, subject: str | None = None) -> list[Understanding]:
    """Every reading in which two or three columns together name the rows, the likeliest first.

    Parameters
    ----------
    table
        The table.
    subject
        The column of the cases, where the user said so.
    """
    if table.rows < _LEAST or len(table.names) < 3:
        return []
    few = sample(table)
    profiles = Profiles(few, r.names_without_dates(few))
    items = [u for key in _keys(profiles) for u in _of_key(profiles, key) if subject in {None, u.subject}]
    items = [u for u in items if not any(_is_about_the_rater(profiles, u, other) for other in items)]
    items.sort(key=lambda u: -u.score)
    return items if few is table else _exact(table, items)


_SAMPLED, _TOP = 4_000, 6  # rows that tell how a long table is built; readings that are then held to all of it


def sample(table: RatingTable) -> RatingTable:
    """All rows of some cases of a long table, or what else comes again with the most texts; a short one as it is."""
    if table.rows <= 2 * _SAMPLED:
        return table
    sizes = {n: len(c.values) for n, c in zip(table.names, table.columns, strict=True)}
    again = [n for n in table.names if 2 <= sizes[n] <= 0.67 * table.rows]
    if not again:
        return table.part(np.arange(_SAMPLED))
    most = max(again, key=lambda n: sizes[n])
    texts = max(round(sizes[most] * _SAMPLED / table.rows), 2)
    return table.part(np.flatnonzero(table.column(most).codes < texts)[: 4 * _SAMPLED])


def _exact(table: RatingTable, result: Sequence[Understanding]) -> list[Understanding]:
    """The readings of a sample whose columns tell nearly all rows of the whole table apart, too."""
    kept, keys = [], dict[frozenset[str], bool]()
    for way in result[:_TOP]:
        key = tuple(sorted(n for n in (way.subject, way.rater, way.question, way.occasion) if n is not None))
        if frozenset(key) not in keys:
            keys[frozenset(key)] = table.combinations(*key) >= UNIQUE * table.rows
        if keys[frozenset(key)]:
            kept.append(way)
    return kept


def rival(table: RatingTable, result: Sequence[Understanding]) -> Understanding | None:
    """The best reading that is no other spelling of the first one and nearly as likely; None where there is none."""
    table = sample(table)
    profiles = Profiles(table, r.names_without_dates(table))
    best = result[0]
    for other in result[1:]:
        if best.score - other.score >= MARGIN:
            return None
        if not _same(profiles, best, other):
            return other
    return None


def is_said_of(name: str, of: str) -> bool:
    """Whether the name of a column says that it is about what another names: ``RaterAge`` beside ``RaterID``."""
    about = set(w.words(of)) - w.NAMING
    return bool(about) and about < set(w.words(name)) - w.NAMING


def _is_about_the_rater(profiles: Profiles, one: Understanding, other: Understanding) -> bool:
    """Whether a reading takes for the rater what the rater of another one, otherwise the same, is said to be.

    Where few raters share an age, a case and an age tell the rows apart as well as a case and a rater.
    """
    if one.rater is None or other.rater is None or replace(one, rater=other.rater) != other:
        return False
    return is_said_of(one.rater, other.rater) and profiles.decides(other.rater, one.rater)


def _same(profiles: Profiles, one: Understanding, other: Understanding) -> bool:
    """Whether two readings part the ratings in the same way: the number of a rater, or what he is called."""
    if one.layout is not other.layout or set(one.answers) != set(other.answers):
        return False
    if one.layout is Layout.RATERS and (one.question or one.occasion) == (other.question or other.occasion):
        # Whether the rows of a case answer several questions is a question of its own.
        return one.subject == other.subject
    columns = ("subject", "rater", "question", "occasion")
    return all(profiles.alike(getattr(one, c), getattr(other, c)) for c in columns)


def _keys(profiles: Profiles) -> list[tuple[str, ...]]:
    """The pairs of columns that tell nearly all rows apart, else the sets of three that do."""
    table = profiles.table
    names = profiles.repeated[:_WIDE]
    counts = {n: profiles.count(n) for n in names}
    pairs = [k for k in combinations(names, 2) if counts[k[0]] * counts[k[1]] >= UNIQUE * table.rows]
    pairs.sort(key=lambda k: -_named(profiles, k))
    keys: list[tuple[str, ...]] = [k for k in pairs[:_TRIED] if profiles.apart(*k) >= UNIQUE]
    triples = [
        k
        for k in combinations([n for n in names if counts[n] <= max(_QUESTIONS, table.rows // 2)], 3)
        if counts[k[0]] * counts[k[1]] * counts[k[2]] >= UNIQUE * table.rows
    ]
    if len(names) > 12:
        triples = [k for k in triples if _named(profiles, k) > 0]
    triples.sort(key=lambda k: -_named(profiles, k))
    for k in triples[:_TRIED]:
        part = any(set(pair) <= set(k) for pair in keys)
        if not part and profiles.apart(*k) >= UNIQUE:
            keys.append(k)
    return keys


def _named(profiles: Profiles, key: Sequence[str]) -> float:
    """How much the names of some columns say that they name cases, raters, questions or rounds."""
    parts = (Part.CASE, Part.RATER, Part.QUESTION, Part.ROUND)
    return sum(max(name_points(profiles.table, n, part) for part in parts) for n in key)


def _of_key(profiles: Profiles, key: tuple[str, ...]) -> Iterator[Understanding]:
    """Every reading of a table whose rows are named by some columns."""
    answers, left = _answers(profiles, key)
    if not answers or any(_is_answer(profiles, k, answers) for k in key):
        return
    if len(key) == 2:
        for case, partner in permutations(key):
            if len(answers) == 1:
                yield _weighed(profiles, Understanding(Layout.LONG, case, partner, answers=answers), left)
                if name_points(profiles.table, partner, Part.ROUND) >= 2:
                    way = Understanding(Layout.LONG, case, None, None, partner, answers)
                    yield _weighed(profiles, way, left)
            else:
                yield _weighed(profiles, Understanding(Layout.QUESTIONS, case, partner, answers=answers), left)
                raters, others = _raters(profiles, answers)
                more = left + len(others)
                if len(raters) > 1:
                    way = Understanding(Layout.RATERS, case, None, partner, None, raters)
                    yield _weighed(profiles, way, more)
                    yield _weighed(profiles, Understanding(Layout.RATERS, case, None, None, partner, raters), more)
        return
    for case, rater, third in permutations(key):
        layout = Layout.LONG if len(answers) == 1 else Layout.QUESTIONS
        yield _weighed(profiles, Understanding(layout, case, rater, None, third, answers), left)
        if len(answers) == 1:
            yield _weighed(profiles, Understanding(layout, case, rater, third, None, answers), left)


def _is_answer(profiles: Profiles, name: str, answers: Sequence[str]) -> bool:
    """Whether a column of a key holds what the columns of answers hold, and no name says that it is more than that.

    Raters may be numbered as scores are, so one column of numbers alone tells nothing.
    """
    table = profiles.table
    own = table.texts(name)
    if max(name_points(table, name, part) for part in Part if part is not Part.RATING) >= 2:
        return False
    shared = [n for n in answers if 2 * len(own & table.texts(n)) >= len(own)]
    return len(shared) > (1 if numbers_of(table, name) else 0)


def _raters(profiles: Profiles, answers: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns among some that may be raters of one question, and the others."""
    raters = r.rating_columns(profiles.table, answers)
    return raters, tuple(n for n in answers if n not in raters)


def _answers(profiles: Profiles, key: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    """The columns that hold the answers of rows with a key, and how many columns are left that nothing explains."""
    table = profiles.table
    rest = [n for n in profiles.names if n not in key and not table.all_different(n) and table.texts(n)]
    rest = [n for n in rest if not (profiles.is_remark(n) or r.is_index(table, n) or r.counts_up(table, n))]
    rest = [n for n in rest if _shares(table, n, rest) or not any(profiles.alike(n, k) for k in key)]
    free = [n for n in rest if not any(profiles.decides(k, n) for k in key if _few(profiles, k))]
    # Who always says the same is no fact, as long as others say it too.
    free = [n for n in rest if n in free or (len(table.texts(n)) == 1 and _shares(table, n, free))]
    free = [n for n in rest if n in free or _is_agreed_on(profiles, n, key, free)]
    free = [n for n in free if not _is_fact(profiles, n, key, free)] or free
    by_name = [n for n in free if is_fact_by_name(n) and len(free) > 1]
    free = [n for n in free if n not in by_name] or free
    rated = [n for n in free if name_points(table, n, Part.RATING) >= 4]
    if len(rated) == 1 and not _questions_beside(profiles, rated[0], key, free):
        return (rated[0],), 0
    return tuple(free), len(by_name)


def _questions_beside(profiles: Profiles, rated: str, key: Sequence[str], free: Sequence[str]) -> bool:
    """Whether columns beside one that is called like a rating are questions too, as those of a form with a score are.

    They are called so, or raters of one case agree on them, as they do not on what is told of the single row.
    """
    table, case = profiles.table, max(key, key=profiles.count)
    others = [n for n in free if n != rated]
    if any(like_question(table, n) for n in others):
        return True
    # What never differs within a case may as well be a fact about it.
    few = [n for n in others if 1 < len(table.texts(n)) <= _SCALE and not profiles.decides(case, n)]
    return any(profiles.agreement((n,), (case,), (), by_column=True, across=True) >= _AGREES for n in few)


def _is_agreed_on(profiles: Profiles, name: str, key: Sequence[str], others: Sequence[str]) -> bool:
    """Whether a column that says the same in all rows of a case is a question of a form on which its raters agree.

    In a form of several questions it answers as they do, and no name says that it is a fact; that it may be one is
    told (`tapdesk.ratings.form`).
    """
    table = profiles.table
    if is_fact_by_name(name) or len(table.texts(name)) > _SCALE:
        return False
    if any(profiles.decides(k, name) for k in key if k != max(key, key=profiles.count)):
        return False
    return sum(table.texts(name) <= table.texts(n) for n in others) >= _FORM


def _shares(table: RatingTable, name: str, others: Sequence[str]) -> bool:
    """Whether a column has few texts, and another of some columns knows most of them too."""
    own = table.texts(name)
    return 0 < len(own) <= _SCALE and any(2 * len(own & table.texts(n)) >= len(own) for n in others if n != name)


def _few(profiles: Profiles, name: str) -> bool:
    """Whether a column has texts that each stand in many rows, so that what is the same in all of them is no chance."""
    return profiles.count(name) * _LEAST <= profiles.table.rows


def _is_fact(profiles: Profiles, name: str, key: Sequence[str], others: Sequence[str]) -> bool:
    """Whether a column says something fixed about what a column of the key names, and no other column answers alike."""
    own = profiles.table.texts(name)
    if not any(profiles.decides(k, name) for k in key):
        return False
    return is_fact_by_name(name) or not any(own & profiles.table.texts(n) for n in others if n != name)


def is_fact_by_name(name: str) -> bool:
    """Whether a column is called like a fact about a case or a person: ``ward``, ``age``."""
    known = w.OTHER_COLUMN | w.BY_THE_WAY
    return bool(known.intersection(w.words(name))) and not re.search(r"\d", name)


def _weighed(profiles: Profiles, way: Understanding, left: int) -> Understanding:
    """A reading with everything that speaks for and against it."""
    table = profiles.table
    points: dict[str, float] = {"columns left": -1.0 * min(left, 3)}
    for part, column in (
        (Part.CASE, way.subject), (Part.RATER, way.rater), (Part.QUESTION, way.question), (Part.ROUND, way.occasion),
    ):  # fmt: skip
        if column is not None:
            points[f"name of the {part.value}"] = name_points(table, column, part)
            points[f"texts of the {part.value}"] = _looks(profiles, column, part)
            if part is not Part.CASE and points[f"name of the {part.value}"] < 2:
                points[f"{part.value}s by number"] = _numbered(table, column, way.answers)
    partner = way.rater or way.question or way.occasion
    if partner is not None:
        ratio = profiles.count(way.subject) / max(profiles.count(partner), 1)
        points["more cases than others"] = float(np.clip(np.log2(ratio), -2, 2))
        points["every combination"] = _crossed(profiles, way)
    if way.question is not None and way.rater is not None:
        ratio = profiles.count(way.subject) / max(profiles.count(way.question), 1)
        points["more cases than questions"] = float(np.clip(np.log2(ratio), -1.5, 1.5))
    points["numbers of which each case has few"] = _few_of_many(profiles, way)
    if len(way.answers) == 1:
        points["name of the rating"] = name_points(table, way.answers[0], Part.RATING) / 2
    else:
        kind = Part.RATER if way.layout is Layout.RATERS else Part.QUESTION
        points[f"names of the columns as {kind.value}s"] = _names_of(table, way.answers, kind)
    if way.layout is Layout.QUESTIONS and not _one_scale(table, way.answers):
        points["answers of their own"] = 2.0
    if way.occasion is not None:
        points["a round"] = -1.0
        again = (way.subject,) if way.rater is None else (way.subject, way.rater)
        alone = profiles.agreement(way.answers, again, (), by_column=True, across=True)
        points["rounds of a case agree"] = 2 * alone - 1
    points["ratings of a case agree"] = 4 * _agreement(profiles, way)
    against = _agreement_against(profiles, way)
    if against is not None:
        points["what should not agree agrees"] = -2 * against
    return Understanding(
        way.layout, way.subject, way.rater, way.question, way.occasion, way.answers, MappingProxyType(points)
    )


def _crossed(profiles: Profiles, way: Understanding) -> float:
    """What speaks for a key whose columns meet in nearly all combinations, as every rater and every case do."""
    parts = [n for n in (way.subject, way.rater, way.question, way.occasion) if n is not None]
    share = profiles.table.rows / float(np.prod([profiles.count(n) for n in parts]))
    if profiles.table.rows < _ENOUGH:
        return 0.0
    return 2.5 if share >= 0.9 else 1.0 if share >= 0.5 else 0.0


def _few_of_many(profiles: Profiles, way: Understanding) -> float:
    """What speaks against a column of numbers naming questions or rounds of which a case has few: scores.

    A form puts all its questions to everybody who fills it in; a rater gives a case one score, or two in two rounds.
    """
    column, part = (way.question, Part.QUESTION) if way.question is not None else (way.occasion, Part.ROUND)
    if column is None or not numbers_of(profiles.table, column) or name_points(profiles.table, column, part) >= 2:
        return 0.0
    parts = [n for n in (way.subject, way.rater) if n is not None]
    rows_each = 1 / max(profiles.apart(*parts), 1 / profiles.table.rows)
    return -4.0 if rows_each < _FEW * profiles.count(column) else 0.0


def _agreement(profiles: Profiles, way: Understanding) -> float:
    """How much the ratings agree that a reading takes for ratings of one case, and one question, by several raters."""
    rows = [n for n in (way.question, way.occasion) if n is not None]
    if way.layout is Layout.RATERS:
        return profiles.agreement(way.answers, (way.subject, *rows), rows, by_column=False, across=False)
    if way.layout is Layout.QUESTIONS:
        return profiles.agreement(way.answers, (way.subject, *rows), rows, by_column=True, across=True)
    return profiles.agreement(way.answers, (way.subject, *rows), rows, by_column=False, across=False)


def _agreement_against(profiles: Profiles, way: Understanding) -> float | None:
    """How much the answers agree that a reading takes for different questions; None where there are none."""
    if way.layout is Layout.QUESTIONS and way.rater is not None:
        if not _one_scale(profiles.table, way.answers):
            return None
        return profiles.agreement(way.answers, (way.subject, way.rater), (), by_column=False, across=False)
    if way.layout is Layout.RATERS and way.question is not None:
        return profiles.agreement(way.answers, (way.subject,), (), by_column=True, across=True)
    if way.layout is Layout.LONG and way.question is not None and way.rater is not None:
        return profiles.agreement(way.answers, (way.subject, way.rater), (), by_column=False, across=False)
    return None


def _one_scale(table: RatingTable, names: tuple[str, ...]) -> bool:
    return len(r.rating_columns(table, names)) == len(names)


def _looks(profiles: Profiles, name: str, part: Part) -> float:
    """What the texts of a column say about its being a part, whatever it is called."""
    table = profiles.table
    texts = table.texts(name)
    if part is Part.RATER:
        numbers = all(map(is_number, texts))
        alike = [n for n in profiles.repeated if n != name and profiles.alike(name, n)]
        fact = any(not numbers_of(table, n) for n in alike)
        # The age of a rater tells the raters apart as well as their names do, and is no name.
        said = _FACTS_OF.intersection(w.words(name)) and not all(_FACTS_OF.intersection(w.words(n)) for n in alike)
        against = (2.0 if numbers and fact else 0.0) + (4.0 if alike and said else 0.0)
        return 1.5 * profiles.persons(name) - against - _of_questions(table, name)
    if part is Part.CASE:
        # Prices and measurements may tell cases apart by chance; no case is called so.
        measured = 2.0 if all(re.fullmatch(r"-?\d+[.,]\d+", t.strip()) for t in texts) else 0.0
        return 0.5 * profiles.cases(name) - profiles.persons(name) - measured - _wordy(profiles, name)
    if part is Part.QUESTION:
        many = -3.0 if len(texts) > _QUESTIONS else 0.0
        many -= 6.0 if _are_half_points(texts) else 0.0
        return many + 1.5 * _of_questions(table, name) - profiles.persons(name)
    return 0.0


def _are_half_points(texts: Collection[str]) -> bool:
    """Whether texts are numbers some of which lie half or a quarter between: scores, as no questions are numbered."""
    parts = [_DECIMAL.fullmatch(t.strip()) for t in texts]
    ends = {m[1].rstrip("0") for m in parts if m is not None and m[1]}
    return all(parts) and bool(ends - {""}) and ends <= {"", "5", "25", "75"}


def _wordy(profiles: Profiles, name: str) -> float:
    """What speaks against a column that says at length what another names in short: a text beside its number."""
    texts = profiles.table.texts(name)
    length = _length(texts)
    if length < _LONG:
        return 0.0
    short = (n for n in profiles.repeated if n != name and 2 * _length(profiles.table.texts(n)) < length)
    return 2.5 if any(profiles.alike(name, n) for n in short) else 0.0


def _length(texts: Collection[str]) -> float:
    return sum(map(len, texts)) / max(len(texts), 1)


def _numbered(table: RatingTable, name: str, answers: Sequence[str]) -> float:
    """What speaks against a column of numbers without a telling name: they may be answers or measurements."""
    if not numbers_of(table, name):
        return 0.0
    own = table.texts(name)
    return -4.0 if any(2 * len(own & table.texts(n)) >= len(own) for n in answers) else -1.0


def numbers_of(table: RatingTable, name: str) -> bool:
    """Whether a column holds nothing but numbers."""
    return all(map(is_number, table.texts(name)))


def _of_questions(table: RatingTable, name: str) -> float:
    """The share of the texts of a column that are questions: ``Q1``, ``palate``, ``Was the weight noted?``."""
    texts = table.texts(name)
    return sum(r.is_like_question(t) or bool(w.QUESTION_WORDS.intersection(w.words(t))) for t in texts) / max(
        len(texts), 1
    )


def like_question(table: RatingTable, name: str) -> bool:
    """Whether a column is called like one question of several, in English or the language of the table."""
    if r.is_like_question(name):
        return True
    letter = re.fullmatch(r"([A-Za-z])[ _.]?\d{1,2}", name.strip())
    initials = {word[0] for word in w.in_language(table.names, w.QUESTION) - w.QUESTION}
    return letter is not None and letter[1].casefold() in initials | {"q"}


def _names_of(table: RatingTable, names: Sequence[str], kind: Part) -> float:
    """What the names of some columns say about their being raters, or questions."""
    request = sum(like_question(table, n) or r.is_phrase(n) for n in names) / len(names)
    persons = sum((r.is_rater_column(n) and not like_question(table, n)) or _is_person(n) for n in names) / len(names)
    # Written large, and no word of a question: perhaps they are names.
    large = all(re.fullmatch(r"[A-ZÀ-Þ][a-zà-ÿ]+", n.strip()) and not r.is_phrase(n) for n in names)
    words = 3 * (persons - request) + (1.0 if large and not persons else 0.0)
    return -words if kind is Part.QUESTION else words


def _is_person(name: str) -> bool:
    if (w.RATER_ANYWHERE | w.RATER_PERHAPS | w.KINDS).intersection(w.words(name)):
        return True
    return bool(re.fullmatch(r"[A-ZÀ-Þ]{2,3}", name.strip()))


_PARTS: Mapping[Part, frozenset[str]] = MappingProxyType(
    {Part.CASE: w.SUBJECT, Part.RATER: w.RATER, Part.QUESTION: w.QUESTION, Part.RATING: w.RATING}
)
_ANY = {
    Part.ROUND: w.ROUND | w.REPEAT, Part.RATER: w.RATER_ANYWHERE | w.RATER_PERHAPS, Part.QUESTION: w.QUESTION_PERHAPS,
}  # fmt: skip


def name_points(table: RatingTable, name: str, part: Part) -> float:
    """Points for what a column is called: 4 where its name says what it is, 2 among other words, -3 for another thing.

    ``Rater`` and ``RaterID`` say it plainly, ``First rater seen`` among other words.
    """
    return _said(table.names[:100], name, part)


@lru_cache(maxsize=4096)
def _said(names: tuple[str, ...], name: str, part: Part) -> float:
    own = _plainness(names, name, part)
    others = max(_plainness(names, name, p) for p in Part if p is not part)
    if own == 0 and (w.OTHER_COLUMN | w.BY_THE_WAY).intersection(w.words(name)):
        others = max(others, 4.0)
    return own if own >= others else own - 0.75 * others


def _plainness(names: tuple[str, ...], name: str, part: Part) -> float:
    spoken = set(w.words(name))
    known = _ANY.get(part, frozenset())
    if part in _PARTS:
        known |= w.in_language(names, _PARTS[part])
    if not spoken & known or re.search(r"\d", name):
        return 0.0
    return 4.0 if spoken <= known | w.NAMING else 2.0
