"""The data of every analysis: who put which subject into which class."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _

IntArray: TypeAlias = NDArray[np.integer[Any]]


class CovariateOf(Enum):
    """What a covariate describes, and so how long its array of values is."""

    SUBJECT = "subject"
    RATER = "rater"
    RATING = "rating"


@dataclass(frozen=True, eq=False)
class Covariate:
    """A further column: one value per subject, per rater or per rating (floats, or objects for text)."""

    name: str
    of: CovariateOf
    values: NDArray[Any]


def no_covariates() -> Mapping[str, Covariate]:
    """No further columns."""
    return MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings as three parallel integer arrays, sorted by subject.

    A rater may rate a subject more than once; a missing rating is absent.

    Attributes
    ----------
    subject, rater, category
        Shape (m,): index of the subject, the rater and the class of each rating. Where raters are not known,
        ``rater`` is the seat (the position of the rating within its subject) or all zeros.
    subjects, raters, classes
        Names; classes stand in their order, and for two classes the last one is class 1.
    ordered
        Whether the order of the classes means something.
    raters_known
        Whether equal rater indices mean the same person.
    weight
        Shape (N,): how many subjects each subject stands for (tallied data), or None for one each.
    members
        For each class the labels merged into it; by default the class itself.
    colours
        For each class the name of the colour it is drawn in (`tapdesk.ratings.ratings`), empty for none of its own.
    covariates
        Further columns by name.
    known
        The further column, of subjects, that holds answers known to be true; empty for none.
    known_by
        Who wrote these answers, in the user's words; empty where it was not said.
    abstentions
        Labels of answers that tell nothing of the case, such as "cannot say": no case truly is of that class.
    """

    subject: IntArray
    rater: IntArray
    category: IntArray
    subjects: tuple[str, ...]
    raters: tuple[str, ...]
    classes: tuple[str, ...]
    ordered: bool = False
    raters_known: bool = True
    weight: IntArray | None = None
    members: tuple[tuple[str, ...], ...] = ()
    colours: tuple[str, ...] = ()
    covariates: Mapping[str, Covariate] = field(default_factory=no_covariates)
    known: str = ""
    known_by: str = ""
    abstentions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        arrays = (self.subject, self.rater, self.category)
        if len({a.shape for a in arrays}) != 1 or self.subject.ndim != 1:
            raise ValueError(f"subject, rater and class must be of one length, not {[a.shape for a in arrays]}")
        for what, codes, names in zip(
            ("subject", "rater", "class"), arrays, (self.subjects, self.raters, self.classes), strict=True
        ):
            if codes.size and (codes.min() < 0 or codes.max() >= len(names)):
                raise ValueError(f"{what} index {codes.min()} to {codes.max()} for {len(names)} names")
        if self.weight is not None and self.weight.shape != (len(self.subjects),):
            raise ValueError(f"weights of shape {self.weight.shape} for {len(self.subjects)} subjects: one for each")
        if self.weight is not None and not (self.weight >= 0).all():
            wrong = self.weight[~(self.weight >= 0)][0]
            raise ValueError(f"weights must be numbers of at least 0, not {wrong}")
        if self.subject.size and (np.diff(self.subject) < 0).any():
            raise ValueError("ratings must be sorted by subject; Ratings.of sorts them")
        if not self.members:
            object.__setattr__(self, "members", tuple((label,) for label in self.classes))
        if not self.colours:
            object.__setattr__(self, "colours", ("",) * len(self.classes))

    @staticmethod
    def of(
        subject: IntArray,
        rater: IntArray,
        category: IntArray,
        subjects: Sequence[str],
        raters: Sequence[str],
        classes: Sequence[str],
        **more: Any,
    ) -> "Ratings":
        """Ratings from index arrays in any order; ``more`` are the other fields of the class."""
        order = np.argsort(subject, kind="stable") if (subject[1:] < subject[:-1]).any() else slice(None)
        covariates = {
            name: replace(c, values=c.values[order]) if c.of is CovariateOf.RATING else c
            for name, c in more.pop("covariates", no_covariates()).items()
        }
        return Ratings(
            subject[order],
            rater[order],
            category[order],
            tuple(subjects),
            tuple(raters),
            tuple(classes),
            covariates=MappingProxyType(covariates),
            **more,
        )

    @property
    def subject_count(self) -> int:
        """Number of subjects, tallied ones counted as often as they stand for."""
        return len(self.subjects) if self.weight is None else int(self.weight.sum())

    @property
    def rating_count(self) -> int:
        """Number of ratings, tallied subjects counted as often as they stand for."""
        return self.subject.size if self.weight is None else int(self.weight[self.subject].sum())

    @property
    def class1(self) -> tuple[str, ...]:
        """The labels that make up class 1 of binary data; empty for more classes."""
        return self.members[1] if len(self.classes) == 2 else ()

    @cached_property
    def empty_classes(self) -> tuple[int, ...]:
        """The classes that no case truly is: all that was merged into them are abstentions."""
        none = set(self.abstentions)
        return tuple(i for i, members in enumerate(self.members) if none and set(members) <= none)

    def decided(self) -> "Ratings":
        """The same ratings without abstentions and their classes; cases on which nobody decided are dropped."""
        if not self.empty_classes:
            return self
        kept = tuple((label,) for i, label in enumerate(self.classes) if i not in self.empty_classes)
        return replace(self.merged(kept), abstentions=())

    def subject_weights(self) -> NDArray[np.float64]:
        """Shape (N,): how many subjects each subject stands for."""
        if self.weight is None:
            return np.ones(len(self.subjects))
        return self.weight.astype(np.float64)

    def ratings_per_subject(self) -> NDArray[np.int64]:
        """Shape (N,): number of ratings of each subject, whatever its weight."""
        return np.bincount(self.subject, minlength=len(self.subjects))

    def class_rates(self) -> NDArray[np.float64]:
        """Shape (K,): share of the ratings in each class; zeros where there is no rating."""
        return self._class_rates.copy()

    @cached_property
    def _class_rates(self) -> NDArray[np.float64]:
        counts = np.bincount(
            self.category, None if self.weight is None else self.weight[self.subject], len(self.classes)
        )
        return np.asarray(counts / max(counts.sum(), 1), dtype=np.float64)

    def counts(self) -> NDArray[np.int64]:
        """Shape (N, K): number of ratings of each subject in each class."""
        n, k = len(self.subjects), len(self.classes)
        flat = self.subject.astype(np.int64) * k + self.category
        return np.bincount(flat, minlength=n * k).reshape(n, k)

    def dichotomised(self, class1: Sequence[str], class0: Sequence[str] | None = None) -> "Ratings":
        """The same ratings told as class 1 against class 0; labels in neither are left out.

        Parameters
        ----------
        class1, class0
            Labels of the two sides, in any order; ``class0`` is the rest unless given.

        Raises
        ------
        UsageError
            When a label does not exist, stands on both sides, or a side is empty.
        """
        labels = set(self.classes)
        empty = {self.classes[i] for i in self.empty_classes}
        # Who does not decide is on neither side.
        rest = [c for c in self.classes if c not in {*class1, *empty}]
        sides = [list(class0) if class0 is not None else rest, list(class1)]
        for label in sides[0] + sides[1]:
            if label not in labels:
                raise UsageError(
                    _("There is no class '{label}'.").format(label=Label(label)),
                    fix=_("The classes are: {classes}.").format(classes=", ".join(self.classes)),
                )
        if set(sides[0]) & set(sides[1]):
            both = ", ".join(sorted(set(sides[0]) & set(sides[1])))
            raise UsageError(
                _("Class '{both}' stands on both sides.").format(both=Label(both)),
                fix=_("Name each class on one side only."),
            )
        if not sides[0] or not sides[1]:
            raise UsageError(
                _("What is counted must hold at least one class and leave at least one."),
                fix=_("Choose fewer or more."),
            )
        # The order of the classes decides within a side, so that the same choice always reads the same.
        groups = tuple(tuple(c for c in self.classes if c in side) for side in sides)
        return self.merged(groups)

    def merged(self, groups: Sequence[Sequence[str]], names: Sequence[str] | None = None) -> "Ratings":
        """Classes merged into groups, one new class per group in the given order; others are left out.

        ``names`` are those of the new classes; by default the names of the merged ones in one line.
        """
        code = np.full(len(self.classes), -1)
        where = {label: i for i, label in enumerate(self.classes)}
        for g, group in enumerate(groups):
            code[[where[label] for label in group]] = g
        new = code[self.category]
        kept, inside = self, new >= 0
        if not inside.all():
            kept, new = self.keep(inside), new[inside]
        members = tuple(tuple(m for label in group for m in self.members[where[label]]) for group in groups)
        shades = [{self.colours[where[label]] for label in group} for group in groups]
        return replace(
            kept,
            category=new,
            classes=tuple(", ".join(_as_ranges(group)) for group in groups) if names is None else tuple(names),
            members=members,
            # Classes of different colours have none together.
            colours=tuple(one.pop() if len(one) == 1 else "" for one in shades),
        )

    def columns_with(self, of: CovariateOf, rows: NDArray[Any]) -> Mapping[str, Covariate]:
        """The further columns, those of one kind with only some of their values, in the order given."""
        kept = ((n, replace(c, values=c.values[rows]) if c.of is of else c) for n, c in self.covariates.items())
        return MappingProxyType(dict(kept))

    def known_texts(self) -> tuple[str, ...] | None:
        """What is known to be true of each subject, in the words of the file, empty where nothing is; None without."""
        column = self.covariates.get(self.known) if self.known else None
        return None if column is None else tuple(plain_texts(column.values))

    @property
    def knows_answers(self) -> bool:
        """Whether the true class of some subject is known."""
        column = self.covariates.get(self.known) if self.known else None
        members = {plain_text(m) for named in self.members for m in named}
        return column is not None and not members.isdisjoint(plain_texts(column.values))

    def known_classes(self) -> IntArray | None:
        """Shape (N,): the class that is known to be true of each subject, -1 where none is; None without a key.

        A text that is no class of these ratings, or is the name of one that was left out, is no known class.
        """
        texts = self.known_texts()
        if texts is None:
            return None
        where = {plain_text(m): i for i, members in enumerate(self.members) for m in members}
        where = {text: i for text, i in where.items() if i not in self.empty_classes}
        return np.array([where.get(text, -1) if text else -1 for text in texts], dtype=np.int64)

    def rater_values(self, name: str) -> NDArray[Any] | None:
        """The values of a further column by rater, shape (J,); None where ratings of one rater have several.

        A file has a column beside each rating, and what is known of a rater stands in all rows of that rater.
        """
        column = self.covariates[name]
        if column.of is CovariateOf.RATER:
            return column.values
        values = column.values[self.subject] if column.of is CovariateOf.SUBJECT else column.values
        raters, first = np.unique(self.rater, return_index=True)
        if not self.raters_known or raters.size < len(self.raters):
            return None
        own: NDArray[Any] = values[first]
        return own if bool((values == own[self.rater]).all()) and np.unique(own).size > 1 else None

    def keep(self, which: NDArray[np.bool_]) -> "Ratings":
        """Only some of the ratings, shape (m,); subjects without a rating left are dropped, names stay."""
        seen = np.zeros(len(self.subjects), dtype=bool)
        subject = self.subject[which]
        seen[subject] = True
        # Most decisions leave something of every case; then nothing about cases changes.
        whole = bool(seen.all())
        columns = self.columns_with(CovariateOf.RATING, which)
        if not whole:
            columns = replace(self, covariates=columns).columns_with(CovariateOf.SUBJECT, seen)
        return replace(
            self,
            subject=subject if whole else (np.cumsum(seen) - 1)[subject],
            rater=self.rater[which],
            category=self.category[which],
            subjects=self.subjects if whole else tuple(np.array(self.subjects, dtype=object)[seen]),
            weight=self.weight if whole or self.weight is None else self.weight[seen],
            covariates=columns,
        )

    def panel(self) -> "Ratings":
        """The same ratings without raters who have none: these are no part of the panel that is told about."""
        rated = np.bincount(self.rater, minlength=len(self.raters)) > 0
        if not self.raters_known or rated.all():
            return self
        columns = self.columns_with(CovariateOf.RATER, rated)
        raters = tuple(name for name, r in zip(self.raters, rated, strict=True) if r)
        code = (np.cumsum(rated) - 1)[self.rater]
        return replace(self, rater=code, raters=raters, covariates=columns)

    def with_order(self, order: Sequence[str], *, ordered: bool = True) -> "Ratings":
        """The same ratings with the classes in another order; new labels become unused classes.

        Raises
        ------
        TapdeskError
            When a class that occurs is not in the order.
        """
        left = [c for c in self.classes if c not in set(order)]
        used = np.bincount(self.category, minlength=len(self.classes))
        lost = [c for c in left if used[self.classes.index(c)]]
        if lost:
            raise TapdeskError(
                _("The order does not know the class '{lost}'.").format(lost=Label(lost[0])),
                fix=_("Name every class that occurs, lowest first."),
            )
        if len(set(order)) != len(order):
            raise UsageError(_("The order names a class twice."), fix=_("Name every class once."))
        where = {c: i for i, c in enumerate(order)}
        code = np.array([where.get(c, 0) for c in self.classes], dtype=np.int64)
        old = dict(zip(self.classes, self.members, strict=True))
        shade = dict(zip(self.classes, self.colours, strict=True))
        return replace(
            self,
            category=code[self.category] if self.category.size else self.category,
            classes=tuple(order),
            members=tuple(old.get(c, (c,)) for c in order),
            colours=tuple(shade.get(c, "") for c in order),
            ordered=ordered,
        )


_RANGE = re.compile(r"(?:below (?P<under>\S+)|(?P<low>\S+) to below (?P<high>\S+)|(?P<least>\S+) or more)")


def _as_ranges(group: Sequence[str]) -> list[str]:
    """Classes that are ranges of scores, with those that follow on each other as one: 15 or more."""
    sentences: list[str] = []
    for label in group:
        one, before = _RANGE.fullmatch(label), _RANGE.fullmatch(sentences[-1]) if sentences else None
        starts = None if one is None else one["low"] or one["least"]
        if one is None or before is None or starts is None or starts != (before["high"] or before["under"]):
            sentences.append(label)
            continue
        reaches = one["high"]
        if before["under"]:
            # Below one score and that score or more are all scores: nothing shorter says so.
            sentences[-1:] = [f"below {reaches}"] if reaches else [sentences[-1], label]
        else:
            sentences[-1] = f"{before['low']} to below {reaches}" if reaches else f"{before['low']} or more"
    return sentences


def plain_text(value: object) -> str:
    """A text without blanks around it; a whole number without decimals, so that ``2.0`` is ``2``."""
    if isinstance(value, float | np.floating):
        return "" if np.isnan(value) else f"{float(value):.15g}"
    text = str(value).strip()
    try:
        number = float(text)
    except ValueError:
        return text
    return f"{number:.15g}" if np.isfinite(number) else text


def plain_texts(values: Iterable[object]) -> list[str]:
    """`plain_text` of every value of a column; each different value is read once."""
    column = list(values)
    if len(set(map(type, column))) > 1:
        return [plain_text(value) for value in column]  # 1 and True are one key of a dictionary, and two texts
    texts = {value: plain_text(value) for value in dict.fromkeys(column)}
    return [texts[value] for value in column]


COLOURS: Mapping[str, str] = MappingProxyType(
    {
        "orange": "#E69F00",
        "sky": "#56B4E9",
        "green": "#009E73",
        "blue": "#0072B2",
        "vermilion": "#D55E00",
        "pink": "#CC79A7",
        "grey": "#5E5E5E",
    }
)
"""By the name that projects keep, the colour on screen and paper."""


def colour_name(name: str) -> str:
    """A colour in words, in the language of the reader."""
    words = {
        "orange": _("orange"),
        "sky": _("sky blue"),
        "green": _("green"),
        "blue": _("blue"),
        "vermilion": _("red-orange"),
        "pink": _("pink"),
        "grey": _("grey"),
    }
    return words.get(name, name)


_PIECE = 2_000


# As many as there are ratings in the memory of the replay, told binary and in all classes.
@lru_cache(maxsize=4)
def digest(ratings: Ratings) -> bytes:
    """Thirty-two bytes that follow from the ratings, names, classes, weights and further columns."""
    made = hashlib.sha256()
    for array in (ratings.subject, ratings.rater, ratings.category):
        made.update(array.astype("<i8").tobytes())
    if ratings.weight is not None:
        made.update(ratings.weight.astype("<i8").tobytes())
    for part in _written(ratings):
        made.update(part.encode("utf-8", "surrogatepass"))
    return made.digest()


def fingerprint(ratings: Ratings) -> str:
    """Sixteen hexadecimal digits in groups of four, such as ``7F3A-91C2-0D4E-55B8``.

    They follow from the ratings, not from how they came about: undoing a change brings the fingerprint back.
    """
    return _digit_groups(digest(ratings).hex())


FINGERPRINT_VERSION = 2


def work_fingerprint(as_analysed: Ratings, every_class: Ratings, choices: Sequence[object]) -> str:
    """Digits as `fingerprint` makes them, for all that is printed about some ratings.

    Parameters
    ----------
    as_analysed, every_class
        The ratings after all decisions, and before class 1 was chosen.
    choices
        What was decided, as Python writes it.
    """
    made = hashlib.sha256(f"tapdesk fingerprint {FINGERPRINT_VERSION} ".encode())
    made.update(digest(every_class))
    made.update(digest(as_analysed))
    made.update("\x00".join(map(repr, choices)).encode("utf-8", "surrogatepass"))
    return _digit_groups(made.hexdigest())


def _digit_groups(digits: str) -> str:
    """The first sixteen digits in groups of four."""
    digits = digits[:16].upper()
    return "-".join(digits[i : i + 4] for i in range(0, 16, 4))


def _written(ratings: Ratings) -> Iterator[str]:
    """Names, classes and further columns as Python writes them, in pieces: nothing interrupts one call over all."""
    yield "(("
    for names in (ratings.subjects, ratings.raters, ratings.classes):
        yield from _listed(names, "(", ",)" if len(names) == 1 else ")")
        yield ", "
    yield f"{ratings.members!r}), {ratings.ordered!r}, {ratings.raters_known!r})"
    for name, column in sorted(ratings.covariates.items()):
        yield f"({name!r}, {column.of.value!r}, "
        yield from _listed(column.values.tolist(), "[", "]")
        yield ")"
    if ratings.known:
        yield f"known {ratings.known!r}"
    if ratings.abstentions:
        yield f"abstentions {ratings.abstentions!r}"


def _listed(values: Sequence[Any], begin: str, end: str) -> Iterator[str]:
    """What ``repr`` writes of a list or tuple."""
    yield begin
    for at in range(0, len(values), _PIECE):
        yield (", " if at else "") + ", ".join(map(repr, values[at : at + _PIECE]))
    yield end


def linked_groups(case: IntArray, rater: IntArray, raters: int) -> NDArray[np.int64]:
    """Shape (raters,): the group of each rater, numbered by their first cases; who shares no case is a group alone.

    Raters are linked through cases they share, directly or through other raters. The graph routines of scipy would
    load its linear algebra with them, an eighth of what a fit loads.

    Parameters
    ----------
    case, rater
        Shape (m,): whose rating of which case, in any order.
    raters
        How many there are.
    """
    order = np.argsort(case, kind="stable")
    case, rater = case[order], rater[order].astype(np.int64)
    follows = case[1:] == case[:-1]
    pairs = np.unique(rater[:-1][follows] * raters + rater[1:][follows])
    one, other = np.divmod(pairs, max(raters, 1))
    group = np.arange(raters)
    while (group[one] != group[other]).any():
        low, high = np.minimum(group[one], group[other]), np.maximum(group[one], group[other])
        np.minimum.at(group, high, low)
        # Whoever points to a rater of another group follows it to that group's first.
        while (group[group] != group).any():
            group = group[group]
    begins = np.full(raters, np.iinfo(np.int64).max)
    np.minimum.at(begins, group[rater], case)
    firsts = np.unique(group)
    place = np.empty(raters, dtype=np.int64)
    place[firsts[np.lexsort((firsts, begins[firsts]))]] = np.arange(firsts.size)
    return np.asarray(place[group])
