"""Whether columns side by side are several raters of one question, or several questions that nobody in the table signs.

A row for each case and a column for each thing that was looked at looks like a panel. People are about one truth:
their answers to a case agree beyond what the share of each answer brings about, and their shares are much alike. Things
to tick are each as common as they are. Where neither that nor the names speak for people, the program asks.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import Label, RaterName, joined
from tapdesk.language import gettext as _
from tapdesk.ratings.checks.names import is_summary
from tapdesk.ratings.findings import Finding, Severity, ask, label_text, quoted_list
from tapdesk.ratings.layouts.roles import Roles, are_called_like_questions
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import PERHAPS_MISSING, USUAL_MISSING, number_of_either
from tapdesk.ratings.vocabulary import KINDS, words

_ENOUGH, _WIDE = 2_000, 12  # cases and columns that are enough to tell, taken evenly
# Agreement beyond chance that people reach, and how much more of it is asked for where their shares differ.
_AGREED, _APART = 0.3, 0.5
_ONE_SIDE = 1.64  # standard errors below which agreement surely is not, one time in twenty


def perhaps_questions(table: RatingTable, roles: Roles) -> Finding | None:
    """The question whether columns are questions rather than raters; None where their answers speak for raters.

    Parameters
    ----------
    table, roles
        What was read; the rating columns are not called as people are, or are called like questions.
    """
    names = roles.columns
    decided = any(KINDS.intersection(words(n)) or is_summary(n) for n in names)
    # Rows and columns of one name are two raters crossed, which is a question of its own.
    crossed = roles.subject is not None and table.texts(roles.subject) == frozenset(names)
    if decided or crossed or any(f.severity is Severity.BLOCK for f in roles.findings):
        return None
    why = ""
    if are_called_like_questions(names):
        message = _("The columns are named like questions, such as {names}, rather than like raters.").format(
            names=quoted_list(names, 2)
        )
    elif not answer_alike(table, names):
        message = _("The columns {names} may be raters of one question, or questions of their own.").format(
            names=quoted_list(names, 3)
        )
        why = _(
            "They do not surely agree beyond what the share of each answer brings about, and are not called as people "
            "are."
        )
    else:
        return None
    return ask(
        "perhaps_questions",
        "",
        message,
        _(
            "If they are questions, choose one of them (--layout questions --only '{first}'). Else say --layout raters."
        ).format(first=Label(names[0])),
        joined(why, *_both_ways(table, roles), _("Each column is read as a rater.")),
        (names,),
    )


def _both_ways(table: RatingTable, roles: Roles) -> tuple[str, ...]:
    """One cell as it is read if the columns are raters, and if they are questions."""
    first = roles.columns[0]
    column = table.column(first)
    order = (*range(table.rows // 2, table.rows), *range(table.rows // 2))
    row = next((i for i in order if not column.blank[i]), None)
    if row is None:
        return ()
    given = label_text(column.text(row).strip())
    case = label_text(table.column(roles.subject).text(row).strip()) if roles.subject is not None else str(row + 1)
    return (
        _("As raters: the rater {rater} gave {case} the rating '{given}'.").format(
            rater=RaterName(first), case=case, given=given
        ),
        _("As questions: somebody answered '{first}' of {case} with '{given}'; who it was is not told.").format(
            first=label_text(first, 40), case=case, given=given
        ),
    )


def answer_alike(table: RatingTable, names: tuple[str, ...]) -> bool:
    """Whether columns answer as raters of one question: they surely agree, the more so the more their shares differ.

    Agreement of all pairs beyond chance, each column with shares of its own (Cohen, 1960; over pairs as in Light, 1971,
    with one ratio of sums). Numbers agree by the square of their distance. The standard error is that over cases left
    out one by one (jackknife). Columns that share too few cases, or only one answer, count as alike: they show nothing.
    """
    values, points = _values(table, names[:: 1 + (len(names) - 1) // _WIDE])
    if not len(points) or ((values >= 0).sum(axis=0) < 2).all():
        return True
    apart, chance = _sums(values, points)
    total, luck = apart.sum(), chance.sum()
    if luck <= 0 or apart.size < 2:
        return False
    kappa = 1 - total / luck
    cases = apart.size
    each = 1 - (total - apart) / np.where(luck - chance > 0, luck - chance, luck)
    error = float(np.sqrt((cases - 1) / cases * ((each - each.mean()) ** 2).sum()))
    return bool(kappa - _ONE_SIDE * error >= _AGREED + _APART * _distance(values, len(points)))


def _values(table: RatingTable, names: tuple[str, ...]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Shape (columns, cases): answers by number, -1 for none; and where each stands, shape (answers, dimensions)."""
    rows = np.arange(0, table.rows, 1 + table.rows // _ENOUGH)
    known: dict[str, int] = {}
    lists = []
    for name in names:
        column = table.column(name)
        texts = [v.strip().casefold() for v in column.values]
        none = [not t or t in USUAL_MISSING | PERHAPS_MISSING for t in texts]
        codes = [-1 if n else known.setdefault(t, len(known)) for t, n in zip(texts, none, strict=True)]
        lists.append(np.array(codes, dtype=np.int64)[column.codes[rows]])
    numbers = [number_of_either(t) for t in known]
    if len(known) > 2 and all(x is not None for x in numbers):
        return np.stack(lists), np.array([[x or 0.0] for x in numbers])
    return np.stack(lists), np.eye(len(known))


def _sums(values: NDArray[np.int64], points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Shape (cases,) each: how far answers to a case lie apart over all pairs, and how far those of chance would."""
    apart = np.zeros(values.shape[1])
    chance = np.zeros(values.shape[1])
    for one, two in combinations(values, 2):
        both = (one >= 0) & (two >= 0)
        if not both.any():
            continue
        first, second = points[one[both]], points[two[both]]
        apart[both] += ((first - second) ** 2).sum(axis=1)
        # The mean square between two answers drawn one from each column.
        spread = first.var(axis=0).sum() + second.var(axis=0).sum()
        chance[both] += spread + ((first.mean(axis=0) - second.mean(axis=0)) ** 2).sum()
    return apart, chance


def _distance(values: NDArray[np.int64], answers: int) -> float:
    """How far the shares of two columns lie apart on average, from 0 (the same) to 1 (no answer in common)."""
    shares = []
    for column in values:
        given = column[column >= 0]
        if given.size:
            shares.append(np.bincount(given, minlength=answers) / given.size)
    pairs = [0.5 * float(np.abs(a - b).sum()) for a, b in combinations(shares, 2)]
    return float(np.mean(pairs)) if pairs else 0.0
