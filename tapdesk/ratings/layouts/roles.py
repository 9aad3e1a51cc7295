"""Which column is what: the user's word first, then names, then the values themselves."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings import vocabulary as w
from tapdesk.ratings.findings import Finding, quoted_list
from tapdesk.ratings.number_marks import is_count, likely
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import IntArray
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import (
    NUMBER_CODES,
    PERHAPS_MISSING,
    USUAL_MISSING,
    is_date,
    is_number,
    number,
    number_of_either,
)

_LARGEST = 1_000_000_000  # a longer number is an identifier
_SEAT = re.compile(r"([^\W\d_]+)?[ _.-]*\d+")
_SEATS = w.RATER_ANYWHERE | {"rating", "score", "seat", "position"} | set("abcdefghijklmnopqrstuvwxyz")


@dataclass(frozen=True)
class Roles:
    """What each column is for.

    Attributes
    ----------
    layout
        Never AUTO.
    subject, rater, rating, question, count
        Names of columns, or None.
    columns
        The rating columns of a wide layout, or the class columns of a table of counts.
    guessed
        Names of the options that were guessed.
    findings
        What was noticed while guessing.
    others
        Of questions side by side those that are not read.
    """

    layout: Layout
    subject: str | None = None
    rater: str | None = None
    rating: str | None = None
    question: str | None = None
    count: str | None = None
    columns: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    others: tuple[str, ...] = ()


def is_called(name: str, kind: frozenset[str]) -> bool:
    """Whether a column name says what it is: one of the words, and no number (``Rater 2`` is one of several).

    The identifier of a rating (``annotation_id``) is neither a rating nor a case.
    """
    spoken = w.words(name)
    of_rating = "id" in spoken and bool(w.RATING.intersection(spoken))
    return bool(kind.intersection(spoken)) and not of_rating and not re.search(r"\d", name)


def is_numbered_seat(name: str) -> bool:
    """Whether a column name is a seat number rather than a person: ``3``, ``J3``, ``Rating 3``, ``Juez 2``."""
    named = _SEAT.fullmatch(name.strip())
    return named is not None and (named[1] is None or named[1].lower() in _SEATS)


def is_rater_column(name: str) -> bool:
    """Whether a column name is one rater of several: ``J3``, ``Rater B``."""
    return is_numbered_seat(name) or (bool(w.RATER_ANYWHERE.intersection(w.words(name))) and len(name.split()) > 1)


def one_family(names: Sequence[str]) -> bool:
    """Whether columns are numbered things of one name: ``Study 1``, ``Study 2`` and so on."""
    named = [re.fullmatch(r"(.*[^\W\d_].*?)\d+", n.strip()) for n in names]
    return len(named) > 1 and all(named) and len({m[1] for m in named if m}) == 1


def user_column(table: RatingTable, name: str, option: str) -> str:
    """The column the user means.

    Raises
    ------
    UsageError
        When there is no such column.
    """
    name = table.aliases.get(name, name)
    if name in table.names:
        return name
    loose = [n for n in table.names if n.strip().casefold() == name.strip().casefold()]
    if len(loose) == 1:
        return loose[0]
    raise UsageError(
        _("There is no column '{name}'.").format(name=Label(name)),
        option,
        _("The columns are {names}.").format(names=quoted_list(table.names, 20)),
    )


def question_rows(table: RatingTable, question: str, only: str) -> IntArray:
    """Shape (n,): the rows that answer the question asked.

    Raises
    ------
    TapdeskError
        When no row does; the questions there are, are listed.
    """
    column = table.column(question)
    wanted = np.array([v.strip() == only.strip() for v in column.values], dtype=bool)
    rows = np.flatnonzero(wanted[column.codes])
    if not rows.size:
        raise TapdeskError(
            _("No row has '{only}' as its question.").format(only=Label(only)),
            f"{table.file}, {table.place(question)}",
            _("The questions are {values}.").format(values=quoted_list(sorted(table.texts(question)), 8)),
        )
    return rows


def column_called(table: RatingTable, kind: frozenset[str], *, apart_from: tuple[str | None, ...] = ()) -> str | None:
    """The column whose name says what it is: an exact name (``Rater``) before one of several words (``RaterAge``)."""
    known = w.in_language(table.names, kind)
    fit = [n for n in table.names if n not in apart_from and is_called(n, known)]
    # ``Fall`` is a case in German, and what a patient had in English: what it holds tells.
    cases = kind is w.SUBJECT
    return plainest_name(
        [n for n in fit if not cases or not (holds_words_of_others(table, n) or is_place(table, n))], known
    )


def is_place(table: RatingTable, name: str) -> bool:
    """Whether a column that may be called a case, as ``unit`` is, says where each was: others tell all rows apart."""
    if not w.OTHER_COLUMN.intersection(w.words(name)) or table.all_different(name):
        return False
    return any(table.all_different(n) for n in table.names)


def holds_words_of_others(table: RatingTable, name: str) -> bool:
    """Whether a column holds a few words again and again that other columns hold too, as answers are and no names."""
    own = table.texts(name)
    if not own or 4 * len(own) > table.rows:
        return False
    shared = any(len(own & table.texts(n)) >= min(2, len(own)) for n in table.names if n != name)
    return shared and not any(map(is_number, own))


def plainest_name(names: Iterable[str], known: frozenset[str]) -> str | None:
    """The name that says most plainly what it is; of equally plain ones the first."""

    def plainness(name: str) -> int:
        more = set(w.words(name)) - known
        return 0 if not more else 1 if more <= w.NAMING else 2

    return min(names, key=plainness, default=None)


def whole_numbers(table: RatingTable, name: str) -> bool:
    """Whether a column holds nothing but whole numbers of at least 0."""
    values = table.texts(name)
    return bool(values) and all(is_count(v) and likely(v) < _LARGEST for v in values)


def as_counts(table: RatingTable, name: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Shape (rows,): the whole numbers of a column, blanks as 0."""
    column = table.column(name)
    numbers = np.array([likely(v) for v in column.values], dtype=np.int64)
    return np.asarray(numbers[column.codes])


_TOTALS = (("n_ratings", "n_class1"), ("n_r", "n_c"))


def total_and_part(table: RatingTable) -> tuple[str, str] | None:
    """The columns that say how many ratings a case has, and how many of them are in class 1, as the papers write it.

    ``N_r`` and ``N_c`` are short names, so the numbers below must be such, too.
    """
    by_name = {n.strip().lower(): n for n in table.names}
    for total, part in _TOTALS:
        if total in by_name and part in by_name:
            pair = (by_name[total], by_name[part])
            if total == "n_ratings":
                return pair
            if all(whole_numbers(table, n) for n in pair):
                numbers, inside = (as_counts(table, n) for n in pair)
                return pair if (inside <= numbers).all() else None
    return None


def names_without_dates(table: RatingTable) -> tuple[str, ...]:
    """The columns that hold something else than dates and times."""
    kept = []
    for name in table.names:
        values = table.column(name).values
        # A column of a hundred thousand names is told by its first ones.
        if not values or not all(is_date(v) for v in values[:50] if v.strip()):
            kept.append(name)
    return tuple(kept)


def stated_layout(options: ReadingOptions) -> Layout:
    """The layout the options name or imply."""
    if options.layout is not Layout.AUTO:
        return options.layout
    if options.only is not None or options.question is not None:
        return Layout.QUESTIONS
    if options.columns is not None:
        return Layout.RATERS
    if options.rater is not None or options.rating is not None:
        return Layout.LONG
    return Layout.AUTO


def _shares(table: RatingTable, name: str) -> bool:
    """Whether a column holds nothing but percentages, which stand beside counts and are none."""
    values = table.texts(name)
    return bool(values) and all(v.endswith("%") for v in values)


def class_columns(table: RatingTable, options: ReadingOptions | None) -> tuple[str, ...]:
    """The columns of a table of counts that are classes."""
    if options is not None and options.columns is not None:
        return tuple(user_column(table, n, "--columns") for n in options.columns)
    apart = {options.subject, options.count} if options is not None else set()
    chosen = () if options is None else tuple(c for c, _v in (*options.where, *options.where_not))
    apart |= {n for n in table.names if n in chosen and not whole_numbers(table, n)}
    counts, cases = (w.in_language(table.names, kind) for kind in (w.COUNT, w.SUBJECT))
    rest = [n for n in table.names if n not in apart and not is_called(n, counts) and not _shares(table, n)]
    of_case = rest and (is_called(rest[0], cases) or not whole_numbers(table, rest[0]) or _numbers_cases(table, rest))
    return tuple(rest[1:] if of_case else rest)


def _numbers_cases(table: RatingTable, names: Sequence[str]) -> bool:
    """Whether the first of some columns of whole numbers numbers the cases: by 1, 2, 3, or above all numbers beside."""
    first, *others = names
    if not others or not table.all_different(first):
        return False
    if counts_up(table, first):
        return True
    tallied = [n for n in others if whole_numbers(table, n)]
    above = max((int(as_counts(table, n).max()) for n in tallied), default=0)
    return table.rows >= _LEAST and bool(tallied) and int(as_counts(table, first).min()) > above


_NUMBER = re.compile(r"[-+]?(0|[1-9][0-9]*)([.,][0-9]+)?")


def rows_that_pass(table: RatingTable, rows: IntArray, options: ReadingOptions) -> NDArray[np.bool_]:
    """Shape (rows,): which rows of the grid, counted from 0, pass every filter.

    Raises
    ------
    UsageError
        When a filter names a column that is not there.
    """
    kept = np.ones(rows.size, dtype=bool)
    for wanted, same in ((options.where, True), (options.where_not, False)):
        for name, value in wanted:
            column = table.grid.columns[table.positions[table.names.index(user_column(table, name, "--where"))]]
            passing = np.array([_is_same_cell(cell, value) is same for cell in column.values], dtype=bool)
            kept &= passing[column.codes[rows]]
    return kept


def filtered(table: RatingTable, options: ReadingOptions) -> RatingTable:
    """The rows of a table that pass every filter.

    Raises
    ------
    UsageError
        When a filter names a column that is not there.
    """
    if not options.where and not options.where_not:
        return table
    return table.part(rows_that_pass(table, table.row_numbers - 1, options))


def _is_same_cell(cell: str, wanted: str) -> bool:
    """Whether a cell says what a filter names: the same text, or the same number, as 1 and 1.0 are.

    Digits with a nought in front are names, not numbers: 01 is not 1.
    """
    cell, wanted = cell.strip(), wanted.strip()
    if cell == wanted or not (_NUMBER.fullmatch(cell) and _NUMBER.fullmatch(wanted)):
        return cell == wanted
    return float(cell.replace(",", ".")) == float(wanted.replace(",", "."))


_UNNAMED = re.compile(r"unnamed:\s\d+(?:_level_\d+)?", re.IGNORECASE)
_LEAST = 5  # rows that count up: fewer may do so by chance
_ENDS = 1_000


def no_raters(table: RatingTable, candidates: tuple[str, ...]) -> tuple[str, ...]:
    """The columns among some that are no rater's; none where fewer than two would be left."""
    apart = tuple(
        n
        for n in candidates
        if is_index(table, n)
        or counts_cases(table, n)
        or numbers_rows(table, n)
        or _is_legend(table, n)
        or _is_fact(table, n, candidates)
    )
    return apart if len(candidates) - len(apart) >= 2 else ()


def counts_cases(table: RatingTable, name: str) -> bool:
    """Whether a column is called count, weight, n … and holds whole numbers, thousands set apart or not."""
    known = w.in_language(table.names, w.COUNT)
    if not is_called(name, known) and not _says_how_many(name):
        return False
    values = table.texts(name)
    return bool(values) and all(map(is_count, values))


def _says_how_many(name: str) -> bool:
    """Whether a column is called ``n``, ``N cases``, ``No. of patients``: how many there are, not which one it is."""
    spoken = w.words(name)
    plural = spoken and spoken[-1] in w.SUBJECT and spoken[-1].endswith("s")
    return spoken == ["n"] or (len(spoken) > 1 and spoken[0] in {"n", "no", "nr", "num", "number"} and bool(plural))


def counts_up(table: RatingTable, name: str) -> bool:
    """Whether a column holds 1, 2, 3 … from the first row to the last, as numbers of cases do."""
    column = table.column(name)
    if table.rows < _LEAST or len(column.values) != table.rows:
        return False
    # All texts differ, so the two ends of a large table tell enough.
    ends = range(table.rows) if table.rows <= 2 * _ENDS else (*range(_ENDS), *range(table.rows - _ENDS, table.rows))
    return all(column.text(i).strip().lstrip("0") == str(i + 1) for i in ends)


_NEARLY = 0.95  # of the cells of a column; a row of sums below has a text of its own


def nearly_within(table: RatingTable, name: str, scale: frozenset[str]) -> bool:
    """Whether nearly all cells of a column that hold something hold a text of a scale."""
    column = table.column(name)
    filled = [(v.strip(), n) for v, n in zip(column.values, column.counts().tolist(), strict=True) if v.strip()]
    return bool(sum(n for v, n in filled if v in scale) >= _NEARLY * sum(n for _v, n in filled))


OFTEN = 1.5  # rows of a case from which on cases come again on purpose


def comes_again_often(table: RatingTable, name: str) -> bool:
    """Whether a text of a column stands in so many rows, on average, that the rows are told apart by something else."""
    return bool(table.column(name).used().counts().mean() >= OFTEN)


def numbers_rows(table: RatingTable, name: str) -> bool:
    """Whether a column is called ``#``, ``Nr`` … and counts the rows."""
    called = name.strip().rstrip(".").casefold()
    return called in w.NUMBER and counts_up(table, name)


def is_index(table: RatingTable, name: str) -> bool:
    """Whether a column is the index that pandas writes without a name: 0, 1, 2 … or names that are all different."""
    if not _UNNAMED.fullmatch(name.strip()) or table.position(name):
        return False
    column = table.column(name)
    return len({v.strip() for v in column.values} - {""}) == table.rows > 1


def holds_answers(table: RatingTable, name: str) -> bool:
    """Whether a column that is called ``id`` alone holds answers as the other columns do, again and again."""
    if w.words(name) != ["id"]:
        return False
    own = table.texts(name)
    # A column in which no two rows are alike is what tells the cases apart.
    others = [table.texts(n) for n in table.names if n != name and not table.all_different(n)]
    codes = table.column(name).codes
    # Cases that come again stand together or in turns; answers change from row to row.
    mixed = int((np.diff(codes) != 0).sum()) >= len(own) and not np.array_equal(codes, np.sort(codes))
    return table.rows >= 4 * len(own) and mixed and bool(others) and all(own & o for o in others)


def _is_legend(table: RatingTable, name: str) -> bool:
    """Whether a column stands apart, behind a blank column, and is mostly blank or called a key."""
    place = table.names.index(name)
    gaps = [j for j in range(1, place + 1) if table.positions[j] > table.positions[j - 1] + 1]
    if not table.rows or not gaps or gaps[0] < 2:
        return False
    blank = table.column(name).blank.mean()
    usual = max(float(table.columns[j].blank.mean()) for j in range(gaps[0]))
    return bool(blank > max(0.5, usual) or (w.LEGEND.intersection(w.words(name)) and blank > usual))


def _is_fact(table: RatingTable, name: str, candidates: tuple[str, ...]) -> bool:
    """Whether a column is called sex, age, ward … and holds something that none of the others does."""
    if not w.OTHER_COLUMN.intersection(w.words(name)) or re.search(r"\d", name):
        return False
    others: set[str] = set()
    for other in candidates:
        if other != name:
            others |= table.texts(other)
    return not table.texts(name) <= others


_QUESTIONS = w.QUESTION | {
    "q",
    "item",
    "items",
    "code",
    "frage",
    "pregunta",
    "domanda",
    "indicator",
    "var",
    "task",
    "step",
}


def is_like_question(name: str) -> bool:
    """Whether a column is called like one question of several: ``Q1``, ``code_07``, ``Item 3``, ``Criterion B``."""
    spoken = [word for word in w.words(name) if len(word) > 1 or word == "q"]
    return bool(spoken) and set(spoken) <= _QUESTIONS and len(spoken) == 1 and name.strip().casefold() not in _QUESTIONS


def is_phrase(name: str) -> bool:
    """Whether a name is what a form asks (``Consent signed``, ``Was the weight noted?``) rather than a person's."""
    parts = name.split()
    if len(parts) < 3 and w.QUESTION_WORDS.intersection(w.words(name)) and not re.search(r"\d", name):
        return True
    if name.rstrip().endswith("?") or is_like_question(name):
        return True
    plain = len(parts) > 1 and all(p.isalpha() for p in parts) and not w.KINDS.intersection(w.words(name))
    return plain and parts[0][0].isupper() and parts[-1].islower() and len(parts[-1]) > 2


_INITIALS = re.compile(r"[A-ZÀ-Þ]{1,3}|(?:[A-ZÀ-Þ]\. ?){1,3}")
_WITH_INITIAL = re.compile(r"[^\W\d_]+[ _.-]+[A-ZÀ-Þ]\.?|[A-ZÀ-Þ](?:\. ?| )[^\W\d_]{3,}")
_NUMBERED = re.compile(r"[A-Za-z]?[ _.-]?\d{1,4}")


def is_person(name: str) -> bool:
    """Whether a column is called as people are, or as their seats: ``Ana``, ``Dr Weiss``, ``JS``, ``R2``, ``7``."""
    plain = name.strip()
    if is_phrase(plain):
        return False
    if is_rater_column(plain) or (w.KINDS | w.RATER_PERHAPS).intersection(w.words(plain)):
        return True
    if any(form.fullmatch(plain) for form in (_INITIALS, _WITH_INITIAL, _NUMBERED)):
        return True
    return any(part in w.GIVEN_NAMES or part in w.FAMILY_NAMES for part in re.findall(r"[a-z]+", _folded(plain)))


def is_initials(name: str) -> bool:
    """Whether a name is one to three capitals, with full stops or without."""
    return bool(_INITIALS.fullmatch(name.strip()))


_FAMILY = re.compile(r"^(.*?[^\W\d_].*?)[ _.:-]*(?:\d+|\b[A-Za-z])$")
_LONGEST_NAME = 200


def family(name: str) -> str:
    """What names of one kind share: ``Dr A`` and ``Dr B`` are both a ``dr``, ``R1`` and ``R2`` an ``r``."""
    # The pattern looks at every pair of places in a name; one that is so long is not numbered.
    match = _FAMILY.match(name.strip()) if len(name) <= _LONGEST_NAME else None
    return match[1].casefold() if match else ""


def unlike_most(names: Sequence[str]) -> tuple[str, ...]:
    """The names called otherwise than most, who are called like people: ``ICU`` among ``Ana``, ``Ben``, ``Cy``."""
    kinds = [_kind_of_name(n) for n in names]
    most = max(kinds, key=kinds.count)
    odd = tuple(n for n, kind in zip(names, kinds, strict=True) if kind != most)
    return odd if most != "word" and len(names) - len(odd) >= max(2, len(odd)) else ()


def _kind_of_name(name: str) -> str:
    """What sort of name a rater's may be: a number of a family, initials, of a person that is known, another word."""
    if shared := family(name):
        return shared
    if is_initials(name):
        return "initials"
    return "person" if is_person(name) else "word"


def _folded(name: str) -> str:
    """A name in small letters without their marks: ``Élise`` is ``elise``, ``Bjørn`` is ``bjorn``."""
    apart = unicodedata.normalize("NFKD", name.casefold().replace("ø", "o").replace("ł", "l"))
    return "".join(c for c in apart if not unicodedata.combining(c))


def are_called_like_questions(names: Sequence[str]) -> bool:
    """Whether most of some names, or one in three where that is of several words, are what a form asks."""
    phrases = [n for n in names if is_phrase(n)]
    # Of several words as no person is called: ``Hand hygiene`` beside ``Gloves`` and ``Gown``.
    several = sum(" " in n.strip() for n in phrases) * 3 >= len(names)
    return 2 * len(phrases) > len(names) or several


def are_called_like_people(names: Sequence[str]) -> bool:
    """Whether at least half of some names are those of people, or of their seats."""
    return 2 * sum(map(is_person, names)) >= len(names)


_MEASURED, _NEARLY, _GAP = 3, 0.6, 1 / 3  # so many numbers show a range; shares of two ranges together
STEPS = 20  # a scale has at most this many steps
# Steps of a scale with what people write beside them: 4+, <5, 3-4, 3/5, 3.5.
_MARKED = re.compile(r"[<>≤≥~]? ?\d{1,2}(?:[.,]\d)?(?: ?[-–/] ?\d{1,2}| ?[+?*])?")


def rating_columns(table: RatingTable, candidates: tuple[str, ...]) -> tuple[str, ...]:
    """The columns that hold ratings: those named as raters, else the largest group that shares its values."""
    values = {n: _answers(table.texts(n)) for n in candidates}
    filled = [n for n in candidates if values[n]]
    raters = [n for n in filled if is_rater_column(n)]
    if len(raters) >= 2:
        shown = frozenset().union(*(values[n] for n in raters))
        return tuple(n for n in filled if n in raters or _alike(values[n], shown))
    best: list[str] = []
    for start in filled:
        group, shown = [start], values[start]
        grown = True
        while grown:
            more = [n for n in filled if n not in group and _alike(values[n], shown)]
            group += more
            shown = shown.union(*(values[n] for n in more)) if more else shown
            grown = bool(more)
        if len(group) > len(best):
            best = [n for n in filled if n in group]
    return tuple(n for n in best if not _is_by_the_way(n, values, best))


def _is_by_the_way(name: str, values: Mapping[str, frozenset[str]], group: Sequence[str]) -> bool:
    """Whether a column is called like a number a case has by the way, as its flight, and shares no answer."""
    if not (w.OTHER_COLUMN | w.BY_THE_WAY).intersection(w.words(name)) or re.search(r"\d", name):
        return False
    return len(group) > 2 and not any(values[name] & values[n] for n in group if n != name)


def _answers(texts: frozenset[str]) -> frozenset[str]:
    """The texts that tell which columns are alike: missing codes say nothing, and case is how somebody types."""
    known = frozenset(v.casefold() for v in texts)
    return known - USUAL_MISSING - PERHAPS_MISSING - set(NUMBER_CODES) or known


def _alike(values: frozenset[str], shown: frozenset[str]) -> bool:
    """Whether a column could be one more rater: its texts are ratings elsewhere, or steps of the same scale."""
    if len(values) > 4 * max(len(shown), 3):
        return False
    if len(values & shown) * 2 >= min(len(values), len(shown)):
        return True
    if values & shown and all(_MARKED.fullmatch(v) for v in values | shown):
        return True
    # Measurements on one scale: no two need be equal, and their ranges are nearly one.
    if (_overlap(values, shown, _MEASURED) or 0.0) >= _NEARLY:
        return True
    numbers = [number(v) for v in values | shown]
    if all(n is not None and n == int(n) and 0 <= n <= STEPS for n in numbers):
        return True
    return w.known_scale(tuple(values | shown)) is not None


def _overlap(values: frozenset[str], shown: frozenset[str], fewest: int) -> float | None:
    """The overlap of the ranges of two columns of numbers as a share of both together, below 0 of a gap; else None."""
    ranges = []
    for texts in (values, shown):
        items = [n for v in texts if (n := number_of_either(v.removesuffix("%").strip())) is not None]
        if len(items) < max(fewest, 0.9 * len(texts)):
            return None
        ranges.append((min(items), max(items)))
    (low, high), (from_, to) = ranges
    whole = max(high, to) - min(low, from_)
    # Per cent are another scale than numbers.
    if any(v.endswith("%") for v in values) != any(v.endswith("%") for v in shown):
        return None
    return (min(high, to) - max(low, from_)) / whole if whole else 1.0


def lies_near(table: RatingTable, name: str, columns: Sequence[str]) -> bool:
    """Whether a column that is no rating column holds numbers near those that are, as a strict rater's would be.

    A column that is called like a fact about the cases is none.
    """
    if (w.OTHER_COLUMN | w.BY_THE_WAY).intersection(w.words(name)):
        return False
    shown = frozenset().union(*(_answers(table.texts(n)) for n in columns))
    overlap = _overlap(_answers(table.texts(name)), shown, 1)
    return overlap is not None and overlap >= -_GAP
