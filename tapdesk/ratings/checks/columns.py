"""Checks of the rating columns of a wide table: whether each is a rater, or something else that shares the scale."""

import re
from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembly
from tapdesk.ratings.checks.names import is_summary
from tapdesk.ratings.findings import Finding, ask, block, name_list, quoted_list
from tapdesk.ratings.grid import column_letter
from tapdesk.ratings.layouts.crossed import question_or_rater, wide_questions
from tapdesk.ratings.layouts.roles import (
    Roles,
    are_called_like_people,
    are_called_like_questions,
    as_counts,
    family,
    is_rater_column,
    unlike_most,
    whole_numbers,
)
from tapdesk.ratings.layouts.structure import rows_of_a_case
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import number_of_either
from tapdesk.ratings.vocabulary import (
    BY_THE_WAY,
    KINDS,
    OTHER_COLUMN,
    RATER_ANYWHERE,
    SUBJECT,
    in_language,
    known_scale,
    words,
)

# Cases that are enough to tell, taken evenly; of more raters a name stands as a doubt.
_CASES_ENOUGH, _MOST_RATERS = 2_000, 40
_SHARED = 10  # cases that two must share before their answers are compared
# How much the others must agree beyond chance for their agreement to tell anything, and how much of it is as close.
_LEAST, _AS_CLOSE = 0.1, 0.7
_LONG_SCALE = 5  # classes from which on scores are compared by how they go together


def _rater_affinity(ratings: Ratings, names: tuple[str, ...]) -> bool:
    """Whether each of some raters agrees with the others nearly as much as those do among themselves.

    Beyond chance, for each pair of raters by itself (Cohen, 1960), and on average over the others.
    """
    raters = len(ratings.raters)
    if not ratings.raters_known or raters > _MOST_RATERS:
        return False
    if np.unique(ratings.category).size == 1:
        # Where all say the same there is nothing by which one of them would be unlike the others.
        return True
    scores = _steps(ratings)
    table = np.full((len(ratings.subjects), raters), -1, dtype=np.int32)
    table[ratings.subject, ratings.rater] = ratings.category if scores is None else scores[ratings.category]
    table = table[:: 1 + len(table) // _CASES_ENOUGH].T.copy()
    doubtful = np.array([name in names for name in ratings.raters])
    kappa = np.full((raters, raters), np.nan)
    # On a long scale hardly two give the same score, however well they know the wine.
    alike = _kappa if scores is None else _correlation
    for i, j in combinations(range(raters), 2):
        kappa[i, j] = kappa[j, i] = alike(table[i], table[j])
    usual = kappa[~doubtful][:, ~doubtful]
    usual, own = usual[np.isfinite(usual)], kappa[doubtful][:, ~doubtful]
    if not usual.size or usual.mean() < _LEAST or not np.isfinite(own).any(axis=1).all():
        return False
    return bool((np.nanmean(own, axis=1) >= _AS_CLOSE * usual.mean()).all())


def _steps(ratings: Ratings) -> NDArray[np.int32] | None:
    """The place of each class on a long scale, -1 of a word among the numbers of one; None where there is no scale."""
    if len(ratings.classes) < _LONG_SCALE:
        return None
    if ratings.ordered:
        return np.arange(len(ratings.classes), dtype=np.int32)
    numbers = [number_of_either(c) for c in ratings.classes]
    known = sorted({n for n in numbers if n is not None})
    often = np.bincount(ratings.category, minlength=len(numbers))
    if len(known) < _LONG_SCALE or 10 * often[[n is not None for n in numbers]].sum() < 9 * often.sum():
        return None
    return np.array([-1 if n is None else known.index(n) for n in numbers], dtype=np.int32)


def _correlation(one: NDArray[np.int32], two: NDArray[np.int32]) -> float:
    """How the steps of two raters on a long scale go together; nan where they share too few cases, or know one step."""
    both = (one >= 0) & (two >= 0)
    if both.sum() < _SHARED or one[both].std() == 0 or two[both].std() == 0:
        return float("nan")
    return float(np.corrcoef(one[both], two[both])[0, 1])


def _kappa(one: NDArray[np.int32], two: NDArray[np.int32]) -> float:
    """Agreement of two beyond chance; nan where they share too few cases, or each knows one answer only."""
    both = (one >= 0) & (two >= 0)
    if both.sum() < _SHARED:
        return float("nan")
    classes = int(max(one.max(), two.max())) + 1
    given = [np.bincount(x[both], minlength=classes) / both.sum() for x in (one, two)]
    chance = float(given[0] @ given[1])
    return float("nan") if chance == 1 else (float((one[both] == two[both]).mean()) - chance) / (1 - chance)


_TRANSPOSED = "maybe_raters_in_rows"
# Doubts about which way the table is to be read: two readings are plausible.
_OF_LAYOUT = frozenset(
    {_TRANSPOSED, "called_like_answers", "rows_add_up", "several_questions", "perhaps_questions", "two_readings"}
)
_STEADY, _LEAST_ROWS = 0.4, 8  # of the variance that the sums of rows would have if no column knew of the others
_ENOUGH = 10  # ratings of a column before its answers are compared with those of the others
_PLACES = frozenset({"site", "ward", "unit", "centre", "center", "hospital", "clinic", "practice", "school", "panel"})
_MANY = 100_000
_ROWS = 3  # of shares: fewer make one together by chance


def column_findings(table: RatingTable, roles: Roles, made: Assembly, options: ReadingOptions) -> Iterator[Finding]:
    """Columns that were taken for raters and may be none.

    Parameters
    ----------
    table, roles, made
        What was read.
    options
        Where the user named the columns, nothing is asked about them.
    """
    yield from _numbered_anew(table, roles, made)
    yield from _merged(table, roles)
    yield from _several_rows(table, roles, options)
    if roles.layout is Layout.RATERS and options.columns is None and (shares := _shares(table, roles)) is not None:
        yield shares
    elif roles.layout is Layout.RATERS and options.columns is None and len(roles.columns) > 1:
        # One doubt about all columns at a time: what is read in another way raises others, or none.
        doubts = (
            _table_beside,
            _called_like_answers,
            _rows_add_up,
            _rows_may_be_raters,
            _several_questions,
            _perhaps_questions,
        )
        doubt = next((d for make in doubts if (d := make(table, roles)) is not None), None)
        odd = () if doubt is not None else _by_the_way(roles.columns, made) or _unlike_by_name(roles.columns, made)
        odd = odd or (_unlike_by_kind(roles.columns, made) if doubt is None else ())
        odd = odd or (_unlike_by_answers(made) if doubt is None else ())
        if odd:
            doubt = _perhaps_no_rater(table, odd, roles.columns)
        if doubt is not None:
            yield from _weighed(doubt, options)


def _weighed(doubt: Finding, options: ReadingOptions) -> Iterator[Finding]:
    """A doubt about all columns: where it is one about the layout it blocks, until the layout is named."""
    if doubt.code not in _OF_LAYOUT:
        yield doubt
    elif options.layout is Layout.AUTO:
        default = _("Shown here is what comes of this reading; nothing is computed before you have chosen.")
        yield block(doubt.code, doubt.where, doubt.message, doubt.fix, joined(doubt.default, default), doubt.about)


def _several_rows(table: RatingTable, roles: Roles, options: ReadingOptions) -> Iterator[Finding]:
    """A column that tells the rows of a case apart, each of which perhaps answers another question."""
    rows = rows_of_a_case(table, roles, options)
    if rows is None:
        return
    values = sorted(table.texts(rows.column))
    repeats = not rows.asks
    if repeats and options.layout is not Layout.AUTO:
        return
    first = values[0]
    fix = _("Read one of them: --question '{column}' --only '{first}', or --where \"{column}={first}\".")
    if repeats:
        fix = _(
            'If each is another question, read one of them: --where "{column}={first}". If they repeat one question, '
            "say so by naming the layout: --layout {layout}."
        )
    yield block(
        "rows_of_questions",
        table.place(rows.column),
        _(
            "'{column}' differs within a case ({values}): each row of a case may answer another question, and all "
            "would be pooled."
        ).format(column=Label(rows.column), values=quoted_list(values)),
        fix.format(column=Label(rows.column), first=Label(first), layout=roles.layout.value),
        _("All rows are read together; nothing is computed before you have chosen."),
        ((rows.column,), tuple(values)),
    )


def _merged(table: RatingTable, roles: Roles) -> Iterator[Finding]:
    """Cells that are merged across raters: what they hold counts once, for the first of them."""
    if roles.layout is not Layout.RATERS or not table.grid.merged:
        return
    places = {table.position(n) for n in roles.columns}
    rows = set((table.row_numbers - 1).tolist())
    blocks = [
        f"{column_letter(c0)}{r0 + 1}:{column_letter(c1)}{r1 + 1}"
        for r0, c0, r1, c1 in table.grid.merged
        if sum(c0 <= p <= c1 for p in places) * sum(r in rows for r in range(r0, min(r1, r0 + _MANY) + 1)) > 1
    ]
    if blocks:
        yield ask(
            "merged_ratings",
            ngettext("cells {blocks}", "cells {blocks}", len(blocks)).format(blocks=name_list(blocks)),
            _("Some cells of ratings are merged, so one rating stands for several cells."),
            _("If it is a rating in each of them, write it there: double-click the blank cells, or correct the file."),
            _("It counts once, in the first of the merged cells; the others are blank."),
            (tuple(blocks),),
        )


def _numbered_anew(table: RatingTable, roles: Roles, made: Assembly) -> Iterator[Finding]:
    """Cases that come again in every ward or centre, each of which perhaps numbers its own from 1."""
    ratings = made.ratings
    told_apart = ratings.raters_known and roles.layout in {Layout.RATERS, Layout.LONG}
    if roles.subject is None or not told_apart or table.rows > _MANY:
        return
    key = ratings.subject.astype(np.int64) * len(ratings.raters) + ratings.rater
    if np.unique(key).size == key.size:
        return
    cases, rater = table.column(roles.subject).codes, roles.rater
    who = np.zeros(table.rows, dtype=np.int64) if rater is None else table.column(rater).codes
    for name in table.names:
        if name in {roles.subject, rater, roles.rating, *roles.columns} or not _PLACES.intersection(words(name)):
            continue
        places = table.column(name).codes
        pairs = np.stack([cases, who, places], axis=1)
        values = sorted(table.texts(name))
        if len(values) > 1 and np.unique(pairs, axis=0).shape[0] == table.rows:
            yield ask(
                "cases_numbered_anew",
                table.place(name),
                _("The same cases come again in every '{name}': perhaps each numbers its own cases.").format(
                    name=Label(name)
                ),
                _("If so, read them one by one, or write '{name}' into the name of each case in the file.").format(
                    name=Label(name)
                ),
                _("Cases of one name are one case, wherever they are."),
                ((name,), tuple(values)),
            )
            return


def _beside(table: RatingTable, roles: Roles) -> tuple[str, ...]:
    """The rating columns behind a second column that is called like the cases, as of a table beside the first."""
    again = f"{roles.subject} (2)"
    if roles.subject is None or again not in table.names or again in roles.columns:
        return ()
    place = table.names.index(again)
    behind = tuple(n for n in roles.columns if table.names.index(n) > place)
    return behind if len(behind) < len(roles.columns) else ()


def _table_beside(table: RatingTable, roles: Roles) -> Finding | None:
    neighbours = _beside(table, roles)
    if not neighbours:
        return None
    return ask(
        "table_beside",
        table.place(f"{roles.subject} (2)"),
        _("A second column is called '{subject}', so another table seems to stand beside the first: {names}.").format(
            subject=Label(roles.subject or ""), names=quoted_list(neighbours)
        ),
        _("If so, read the first table only, or put the second one below it in the file."),
        _("Each row is read as one case, whatever the second column says."),
        (neighbours,),
    )


def _called_like_answers(table: RatingTable, roles: Roles) -> Finding | None:
    if known_scale(roles.columns) is None or not all(whole_numbers(table, n) for n in roles.columns):
        return None
    return ask(
        "called_like_answers",
        "",
        _("The columns {names} are named like answers, so the numbers below them look like counts.").format(
            names=quoted_list(roles.columns)
        ),
        _(
            "If each number says how many raters gave that answer, choose the layout 'counts' (--layout counts). Else "
            "say --layout raters."
        ),
        _("Each column is read as a rater, and each number as a rating."),
        (roles.columns,),
    )


def _rows_add_up(table: RatingTable, roles: Roles) -> Finding | None:
    """A doubt where the rows of a table of whole numbers add up to nearly the same, as counts of a few answers do.

    Ratings of one case agree, so their sums differ more from case to case than those of columns that know nothing of
    each other; counts of the same raters take from one column what they give to another.
    """
    columns = [n for n in roles.columns if not table.all_different(n)]
    if table.rows < _LEAST_ROWS or len(columns) < 2 or not all(whole_numbers(table, n) for n in columns):
        return None
    if all(is_rater_column(n) or KINDS.intersection(words(n)) for n in columns):
        return None
    # Where each case was left to as many raters, the gaps make the sums steady.
    gaps = np.stack([table.column(n).blank for n in columns], axis=1).sum(axis=1)
    if gaps[0] and bool((gaps == gaps[0]).all()):
        return None
    numbers = np.stack([as_counts(table, n) for n in columns], axis=1)
    # Ranks add up as well.
    ranks = bool((np.sort(numbers, axis=1) == np.sort(numbers[0])).all())
    apart = float(numbers.var(axis=0).sum())
    if ranks or apart == 0 or float(numbers.sum(axis=1).var()) > _STEADY * apart:
        return None
    sums = numbers.sum(axis=1)
    return ask(
        "rows_add_up",
        name_list([table.place(n) for n in columns]),
        _(
            "The numbers below {names} add up to nearly the same in every row ({low:,} to {high:,}), as they do where "
            "each number counts the raters who gave one answer. Numbers that raters give to the same case rise and "
            "fall together."
        ).format(names=quoted_list(columns), low=int(sums.min()), high=int(sums.max())),
        _(
            "If each number says how many raters gave that answer, choose the layout 'counts' (--layout counts). Else "
            "say --layout raters."
        ),
        _("Each column is read as a rater, and each number as a rating."),
        (tuple(columns),),
    )


def _shares(table: RatingTable, roles: Roles) -> Finding | None:
    """Columns that together make one in every row: shares of the answers, or a tick below the one that was given."""
    if table.rows < _ROWS:
        return None
    numbers = {
        n: sentence
        for n in table.names
        if n not in {roles.subject, roles.count} and (sentence := _shown(table, n)) is not None
    }
    for names in (tuple(numbers), tuple(n for n in roles.columns if n in numbers)):
        if len(names) > 1 and (total := _made(np.stack([numbers[n] for n in names], axis=1), names)) is not None:
            return block(
                "looks_like_shares",
                name_list([table.place(n) for n in names]),
                _(
                    "In every row the columns {names} make {total:g} together: they look like shares of the answers to "
                    "one question, not like raters."
                ).format(names=quoted_list(names), total=total),
                _(
                    "Write how many raters gave each answer and read the file with --layout counts; if each column is "
                    'a rater, name them (--columns "{all}").'
                ).format(all=",".join(names)),
                about=(names,),
            )
    return None


def _made(numbers: NDArray[np.float64], names: tuple[str, ...]) -> float | None:
    """What some columns make together in every row, 1 or 100; None where they do not."""
    if not numbers.size or numbers.min() < 0:
        return None
    whole = bool((numbers == np.rint(numbers)).all())
    sums = numbers.sum(axis=1)
    total = next((t for t in (1.0, 100.0) if (np.abs(sums - t) <= 0.011 * t * (not whole)).all()), None)
    # One 1 in every row of two columns is two raters who always differ.
    return None if whole and total == 1 and len(names) < 3 and known_scale(names) is None else total


def _shown(table: RatingTable, name: str) -> NDArray[np.float64] | None:
    """Shape (rows,): the numbers of a column, blanks as 0; None where something else stands in it."""
    column = table.column(name)
    if len(column.values) > _MANY:
        return None
    # A percentage counts by the number it shows.
    read = [0.0 if not v.strip() else number_of_either(v.strip().removesuffix("%").strip()) for v in column.values]
    return None if any(x is None for x in read) else np.array([x or 0.0 for x in read])[column.codes]


def _asked_already(roles: Roles) -> bool:
    """Whether it is asked already which way round the table is."""
    return any(f.code == _TRANSPOSED for f in roles.findings)


def _called_like_cases(roles: Roles) -> bool:
    """Whether the columns are numbered cases: ``Case 1``, ``Wine 2: which medal?``."""
    cases = in_language([re.sub(r"\d", "", n) for n in roles.columns], SUBJECT)
    return len(roles.columns) >= 3 and all(
        re.search(r"\d", n) and cases.intersection(words(n)) and not RATER_ANYWHERE.intersection(words(n))
        for n in roles.columns
    )


def _rows_may_be_raters(table: RatingTable, roles: Roles) -> Finding | None:
    if not _called_like_cases(roles) or _asked_already(roles):
        return None
    where = roles.subject or table.names[0]
    return ask(
        _TRANSPOSED,
        table.place(where),
        _("The columns are named like cases, such as {names}: perhaps each row is a rater.").format(
            names=quoted_list(roles.columns[:2])
        ),
        _("If each row is a rater, choose the layout 'subjects' (--layout subjects). Else say --layout raters."),
        _("Rows are read as cases and columns as raters."),
    )


def _perhaps_questions(table: RatingTable, roles: Roles) -> Finding | None:
    if are_called_like_people(roles.columns) and not are_called_like_questions(roles.columns):
        return None
    # Loaded late: most tables say who rated.
    from tapdesk.ratings.checks.question_columns import perhaps_questions

    return perhaps_questions(table, roles)


def _several_questions(table: RatingTable, roles: Roles) -> Finding | None:
    found = wide_questions(roles.columns, table, roles.subject)
    crossed = found.groups
    if not crossed:
        return None
    if found.other:
        return question_or_rater(table, found, roles.subject)
    questions = [group[0] for group in crossed]
    return ask(
        "several_questions",
        "",
        _(
            "The columns seem to hold {n} questions or rounds, {questions}, each answered by the same {raters} raters."
        ).format(n=len(questions), questions=quoted_list(questions), raters=len(crossed[0]) - 1),
        _(
            "One analysis answers one question: choose it (--layout raters --only '{first}'), or see all of them with "
            "'tapdesk questions'. If all columns are raters of one question, say --layout raters."
        ).format(first=Label(questions[0])),
        _("Each column is read as a rater of its own, whatever the question or round."),
        crossed,
    )


def _by_the_way(names: tuple[str, ...], made: Assembly) -> tuple[str, ...]:
    """The columns called like a number a case has by the way, such as its flight, that do not answer as raters do."""
    known = OTHER_COLUMN | BY_THE_WAY
    odd = tuple(n for n in names if known.intersection(words(n)) and not re.search(r"\d", n) and len(n.split()) < 3)
    return odd if odd and len(names) - len(odd) >= 2 and not _rater_affinity(made.ratings, odd) else ()


def _unlike_by_name(names: tuple[str, ...], made: Assembly) -> tuple[str, ...]:
    """The columns not called like the others, where most are called alike and numbered, that answer unlike them too."""
    families = [family(n) for n in names]
    most = max(set(families) - {""}, key=families.count, default="")
    if families.count(most) < 2 or not most:
        return ()
    others = tuple(
        n
        for n, f in zip(names, families, strict=True)
        if (not f or families.count(f) == 1)
        and not (is_rater_column(n) or KINDS.intersection(words(n)) or is_summary(n))
    )
    return others if len(others) <= max(families.count(most), 2) and not _rater_affinity(made.ratings, others) else ()


def _unlike_by_kind(names: tuple[str, ...], made: Assembly) -> tuple[str, ...]:
    """The columns called otherwise than most, who are called like people, that answer unlike them too."""
    odd = unlike_most(names)
    doubtful = tuple(n for n in odd if not (KINDS.intersection(words(n)) or is_summary(n)))
    return tuple(n for n in doubtful if not _rater_affinity(made.ratings, (n,)))


def _unlike_by_answers(made: Assembly) -> tuple[str, ...]:
    """The column most of whose answers nobody else gave, where all others share theirs."""
    ratings = made.ratings
    raters, classes = len(ratings.raters), len(ratings.classes)
    if not 3 <= raters <= 1_000 or not ratings.raters_known or ratings.weight is not None:
        return ()
    table = np.bincount(ratings.rater.astype(np.int64) * classes + ratings.category, minlength=raters * classes)
    table = table.reshape(raters, classes)
    alone = np.where((table > 0).sum(axis=0) == 1, table, 0).sum(axis=1)
    odd = np.flatnonzero((alone * 3 > table.sum(axis=1)) & (table.sum(axis=1) >= _ENOUGH))
    # One answer written in its own way is another question; several of them are another scale.
    several = [int(j) for j in odd if ((table[j] > 0) & ((table > 0).sum(axis=0) == 1)).sum() >= 3]
    return tuple(ratings.raters[j] for j in several) if len(several) == 1 and odd.size == 1 else ()


def _perhaps_no_rater(table: RatingTable, odd: tuple[str, ...], columns: tuple[str, ...]) -> Finding:
    rest = Label(",".join(n for n in columns if n not in odd))
    return block(
        "perhaps_no_rater",
        name_list([table.place(n) for n in odd if n in table.names]),
        ngettext(
            "Is {names} a rater? Its answers are those that raters use, but its name or what it says is unlike theirs: "
            "it may be a fact about the case.",
            "Are {names} raters? Their answers are those the raters use, but their names or what they say differ from "
            "the others: they may be facts about the case.",
            len(odd),
        ).format(names=quoted_list(odd)),
        ngettext(
            'If it is no rater, leave it out (--columns "{rest}"). If it is one, name all columns (--columns).',
            'If they are no raters, leave them out (--columns "{rest}"). If they are, name all columns (--columns).',
            len(odd),
        ).format(rest=rest),
        ngettext("It counts as a rater.", "They count as raters.", len(odd)),
        (odd,),
    )
