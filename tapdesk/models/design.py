"""From ratings to a model's patterns: who is a unit, what is reported of it, and where it stands in the arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.language import CaseName, Label, joined
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy, Cases, Guessing, Key, Ordered, RaterModel
from tapdesk.models.parameters import FloatArray, ParameterName, Parameters, Stack
from tapdesk.models.space import Space
from tapdesk.ratings.findings import quoted_list
from tapdesk.ratings.patterns import Kinds, Patterns, tabulate
from tapdesk.ratings.ratings import CovariateOf, IntArray, Ratings, plain_texts

if TYPE_CHECKING:
    from tapdesk.models.ordered import OrderedRates


class Freedom(Enum):
    """Whether a reported parameter was estimated, follows another one or was held."""

    FREE = "free"
    TIED = "tied"
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class Slot:
    """One reported number: its name, its freedom, and where it stands.

    Attributes
    ----------
    name
        As reported.
    freedom
        Free, tied or fixed.
    part
        Field of `Parameters`.
    index
        Index into that field, without a leading batch axis.
    most
        What is reported where the field holds 1.
    """

    name: ParameterName
    freedom: Freedom
    part: str
    index: tuple[int, ...]
    most: float = 1.0

    def value(self, point: Parameters) -> float:
        """The number at a point."""
        return self.most * float(getattr(point, self.part)[self.index])

    def column(self, stack: Stack) -> FloatArray:
        """Shape (B,): the number at many points."""
        return self.most * np.asarray(getattr(stack, self.part)[:, *self.index])


@dataclass(frozen=True, slots=True)
class Unit:
    """Whose ratings have numbers together: a rater's, a group's, or a rater's in a group."""

    rater: str | None = None
    group: str | None = None


def slots(
    space: Space,
    classes: Sequence[str],
    units: Sequence[Unit],
    covariates: Sequence[str] = (),
    groups: Sequence[str] = (),
) -> list[Slot]:
    """Everything a fit of this model reports, in the order of reports: t, a (or slopes), p (or pi).

    Parameters
    ----------
    space
        The model on its design.
    classes
        Class labels; two classes are told as class 1 only (cli.md, "Names").
    units
        For parts by rater or group.
    covariates
        Names of the columns of the design after the intercept.
    groups
        Names of the groups, where these have true class rates of their own.
    """
    rows = _truth(space, classes, groups) + _accuracy(space, classes, units, covariates)
    rows += _guessing(space, classes, units) if space.ordered is None else _ordered(space.ordered, classes, units)
    if space.model.cases is Cases.DIFFICULTY:
        from tapdesk.models.difficulty import MOST_SIGMA  # start-up cost: few fits need it

        rows.append(Slot(ParameterName("sigma"), Freedom.FREE, "spread", (0,), MOST_SIGMA))
    elif space.model.cases is not Cases.ALIKE:
        name = "h" if space.model.cases is Cases.HARD else "rho"
        rows.append(Slot(ParameterName(name), Freedom.FREE, "spread", (0,)))
    if space.model.near:
        rows.append(Slot(ParameterName("n"), Freedom.FREE, "spread", (0,)))
    return rows + [
        Slot(ParameterName("m", rater=units[u].rater), Freedom.FREE, "spread", (i,))
        for i, u in enumerate(space.repeaters)
    ]


def _class_labels(classes: Sequence[str]) -> list[tuple[int, str | None]]:
    """Index and label of the classes told apart: class 1 alone, without a label, for two."""
    return [(1, None)] if len(classes) == 2 else list(enumerate(classes))


def _truth(space: Space, classes: Sequence[str], groups: Sequence[str]) -> list[Slot]:
    freedom = Freedom.FREE if space.model.truth.free else Freedom.FIXED
    # Of a class that no case truly is there is nothing to tell.
    labels = [(c, label) for c, label in _class_labels(classes) if c not in space.empty]
    if space.model.truth.by_group:
        return [
            Slot(ParameterName("t", label, group=group), freedom, "truth", (g, c))
            for g, group in enumerate(groups)
            for c, label in labels
        ]
    return [Slot(ParameterName("t", label), freedom, "truth", (c,)) for c, label in labels]


def _accuracy(space: Space, classes: Sequence[str], units: Sequence[Unit], covariates: Sequence[str]) -> list[Slot]:
    kind = space.model.accuracy
    free = Freedom.FREE
    if kind is Accuracy.ONE:
        return [Slot(ParameterName("a"), free, "accuracy", (0, 0))]
    if kind is Accuracy.PER_CLASS:
        names = [("a0", None), ("a1", None)] if len(classes) == 2 else [("a", label) for label in classes]
        rows = [Slot(ParameterName(n, label), free, "accuracy", (0, c)) for c, (n, label) in enumerate(names)]
        return [row for c, row in enumerate(rows) if c not in space.empty]
    if kind.by_rater or kind.by_group:
        return [
            Slot(ParameterName("a", rater=unit.rater, group=unit.group), free, "accuracy", (u, 0))
            for u, unit in enumerate(units)
        ]
    if kind is Accuracy.REGRESSION:
        columns = ["(intercept)", *covariates]
        return [Slot(ParameterName("b", covariate=x), free, "slopes", (i,)) for i, x in enumerate(columns)]
    return []


def _ordered(rates: "OrderedRates", classes: Sequence[str], units: Sequence[Unit]) -> list[Slot]:
    own = rates.ordered
    whose = [unit.rater for unit in units] or [None]
    free = Freedom.FREE
    raters = whose if own.own_discrimination else [None]
    rows = [Slot(ParameterName("d", rater=rater), free, "slopes", (i,)) for i, rater in enumerate(raters)]
    raters = whose if own.own_cut_points else [None]
    return rows + [
        Slot(ParameterName("tau", rater=rater, cut=f"{low}|{high}"), free, "slopes", (rates.place(i, c),))
        for i, rater in enumerate(raters)
        for c, (low, high) in enumerate(pairwise(classes))
    ]


def _guessing(space: Space, classes: Sequence[str], units: Sequence[Unit]) -> list[Slot]:
    kind = space.model.guessing
    labels = _class_labels(classes)
    if kind is Guessing.PER_RATER_AND_CLASS:
        return [
            Slot(ParameterName("pi", true, unit.rater, rated), Freedom.FREE, "guessing", (u, k, c))
            for u, unit in enumerate(units)
            for k, true in enumerate(classes)
            if k not in space.empty
            for c, rated in enumerate(classes)
        ]
    if kind is Guessing.PER_CLASS:
        if len(classes) == 2:
            return [Slot(ParameterName(f"p{k}"), Freedom.FREE, "guessing", (0, k, 1)) for k in (0, 1)]
        return [
            Slot(ParameterName("p", true, rated=rated), Freedom.FREE, "guessing", (0, k, c))
            for k, true in enumerate(classes)
            if k not in space.empty
            for c, rated in enumerate(classes)
        ]
    if kind.by_rater or kind.by_group:
        return [
            Slot(ParameterName("p", label, unit.rater, group=unit.group), Freedom.FREE, "guessing", (u, 0, c))
            for u, unit in enumerate(units)
            for c, label in labels
        ]
    freedom = Freedom.FREE if kind.free else Freedom.TIED if kind is Guessing.AS_TRUTH else Freedom.FIXED
    return [Slot(ParameterName("p", label), freedom, "guessing", (0, 0, c)) for c, label in labels]


@dataclass(frozen=True, eq=False)
class Design:
    """One model on one set of ratings, tabulated.

    Attributes
    ----------
    space
        What is free.
    patterns
        Distinct evidence.
    units
        Names of the raters, where units are these; else empty.
    classes
        Class labels.
    slots
        What is reported.
    groups
        Names of the groups, where the model has any.
    whole
        Shape (N,): the case each subject is a part of; None where every subject is a case.
    """

    space: Space
    patterns: Patterns
    units: tuple[str, ...]
    classes: tuple[str, ...]
    slots: tuple[Slot, ...]
    groups: tuple[str, ...] = ()
    whole: IntArray | None = None


def design(model: RaterModel, ratings: Ratings) -> Design:
    """Tabulate ratings for a model.

    Raises
    ------
    UsageError
        When a covariate does not exist or is not numeric; when there are no groups, or they are not those of cases
        where each has its own truth; when no rater rated a case again, or nothing says in which order.
    """
    if not model.by_group and model.key is Key.UNUSED and not model.memory:
        units, names, matrix = unit_of_ratings(model, ratings)
        covariates = model.covariates if model.accuracy is Accuracy.REGRESSION else ()
        count = max(len(names), 1)
        patterns = tabulate(ratings, units, count)
        space = Space(model, count, len(ratings.classes), ratings.class_rates(), matrix, empty=ratings.empty_classes)
        rows = tuple(slots(space, ratings.classes, [Unit(name) for name in names], covariates))
        return Design(space, patterns, names, ratings.classes, rows)
    return _of_kinds(model, ratings)


def _of_kinds(model: RaterModel, ratings: Ratings) -> Design:
    """The design of a model for which cases or ratings are of several kinds: groups, and those that are known."""
    groups = groups_of_ratings(model, ratings) if model.by_group else None
    units, count, names, matrix = _units_in_groups(model, ratings, groups)
    kinds = _kinds(model, ratings, groups)
    labels = () if groups is None else groups.names
    repeaters: tuple[int, ...] = ()
    if model.memory and units is not None:
        from tapdesk.models.repeats import occasions, repeaters_of, tabulate_repeats  # start-up cost: few have repeats

        order, repeaters = occasions(model, ratings), repeaters_of(ratings)
        patterns = tabulate_repeats(ratings, units, count, order, kinds)
    else:
        patterns = tabulate(ratings, units, count, kinds)
    anchored = kinds.known is not None
    rates = ratings.class_rates()
    empty = ratings.empty_classes
    space = Space(model, count, len(ratings.classes), rates, matrix, max(len(labels), 1), anchored, repeaters, empty)
    rows = tuple(slots(space, ratings.classes, names, model.covariates, labels))
    raters = ratings.raters if model.by_rater and not model.ratings_by_group else ()
    return Design(space, patterns, raters, ratings.classes, rows, labels, _whole(model, ratings))


def _whole(model: RaterModel, ratings: Ratings) -> IntArray | None:
    """Shape (N,): the case each subject is a part of."""
    if not model.whole:
        return None
    _names, case = np.unique(plain_texts(ratings.covariates[model.whole].values), return_inverse=True)
    return np.asarray(case.ravel(), dtype=np.int64)


def _kinds(model: RaterModel, ratings: Ratings, groups: "RatingGroups | None") -> Kinds:
    """What tells the subjects apart besides their ratings."""
    known = ratings.known_classes() if model.key is not Key.UNUSED else None
    known = known if known is not None and (known >= 0).any() else None
    return Kinds(groups.of_subjects(ratings) if groups is not None and model.truth.by_group else None, known)


def rows_of_ratings(model: RaterModel, ratings: Ratings) -> tuple[IntArray | None, Kinds]:
    """The unit of each rating (None where all share one), and the group and known class of each subject.

    Raises
    ------
    UsageError
        As of `design`.
    """
    groups = groups_of_ratings(model, ratings) if model.by_group else None
    return _units_in_groups(model, ratings, groups)[0], _kinds(model, ratings, groups)


def _units_in_groups(
    model: RaterModel, ratings: Ratings, groups: "RatingGroups | None"
) -> tuple[IntArray | None, int, list[Unit], FloatArray]:
    """The unit of each rating, how many there are, whose they are, and their covariates."""
    if groups is None or not model.ratings_by_group:
        units, names, matrix = unit_of_ratings(model, ratings)
        return units, max(len(names), 1), [Unit(name) for name in names], matrix
    if not model.by_rater:
        count = len(groups.names)
        return groups.of_rating, count, [Unit(group=name) for name in groups.names], np.zeros((count, 0))
    code = ratings.rater.astype(np.int64) * len(groups.names) + groups.of_rating
    present, unit = np.unique(code, return_inverse=True)
    rater, group = np.divmod(present, len(groups.names))
    names_of = [Unit(ratings.raters[j], groups.names[g]) for j, g in zip(rater, group, strict=True)]
    return unit.ravel(), len(names_of), names_of, np.zeros((len(names_of), 0))


@dataclass(frozen=True, eq=False)
class RatingGroups:
    """The groups of ratings.

    Attributes
    ----------
    column
        Whose values they are.
    names
        As they come in the file, numbers by size.
    of_rating
        Shape (m,): the group of each rating.
    """

    column: str
    names: tuple[str, ...]
    of_rating: IntArray

    def of_subjects(self, ratings: Ratings) -> IntArray:
        """Shape (N,): the group of each subject.

        Raises
        ------
        UsageError
            When ratings of one subject are of several groups.
        """
        group = np.zeros(len(ratings.subjects), dtype=np.int64)
        group[ratings.subject] = self.of_rating
        mixed = group[ratings.subject] != self.of_rating
        if mixed.any():
            case = ratings.subjects[int(ratings.subject[int(mixed.argmax())])]
            raise UsageError(
                _(
                    "{Ratings} of one {subject}, such as {case}, are of several groups of '{column}', so "
                    "{subjects} have no group and the groups no class rates of their own."
                ).format(case=CaseName(case), column=Label(self.column)),
                fix=_("Choose a model in which accuracy or guessing differ by group, such as t-ag-p."),
            )
        return group


def groups_of_ratings(model: RaterModel, ratings: Ratings) -> RatingGroups:
    """The groups a model of groups is about.

    Raises
    ------
    UsageError
        When the model names no column, there is no such column, it has gaps, or all its values are the same.
    """
    name = model.groups
    if not name:
        raise UsageError(
            _("The model {name} is about groups.").format(name=model.name), fix=_("Name their column with --by COL.")
        )
    if name not in ratings.covariates:
        known = ", ".join(ratings.covariates) or _("none")
        raise UsageError(
            _("There is no column '{name}' to group by.").format(name=Label(name)),
            fix=_("The further columns are: {known}.").format(known=known),
        )
    column = ratings.covariates[name]
    row = {CovariateOf.SUBJECT: ratings.subject, CovariateOf.RATER: ratings.rater}
    values = column.values[row[column.of]] if column.of in row else column.values
    texts = np.array(plain_texts(values), dtype=object)
    if (texts == "").any():
        raise UsageError(
            _("The column '{bad}' has gaps.").format(bad=Label(name)),
            fix=_("Fill it for every {rating}, or leave those {ratings} out."),
        )
    names = _in_order(texts.tolist())
    if len(names) < 2:
        raise UsageError(
            _("All {ratings} are of one group of '{name}'.").format(name=Label(name)),
            fix=_("Choose a column with several values, or a model without groups."),
        )
    where = {text: g for g, text in enumerate(names)}
    groups = RatingGroups(name, tuple(names), np.array([where[text] for text in texts], dtype=np.int64))
    _refuse_one_case(groups, ratings)
    return groups


def _refuse_one_case(groups: RatingGroups, ratings: Ratings) -> None:
    """Refuse a group of which one case would have to tell everything."""
    cases = ratings.subject_weights()
    for g, name in enumerate(groups.names):
        if cases[np.unique(ratings.subject[groups.of_rating == g])].sum() < 2:
            raise UsageError(
                _("The group “{group}” of '{column}' has one {subject} only, which tells nothing of a group.").format(
                    group=Label(name), column=Label(groups.column)
                ),
                fix=_("Leave it out, or join it with another group."),
            )


def _in_order(texts: list[str]) -> list[str]:
    """Each text once: as they come, numbers by their size."""
    names = list(dict.fromkeys(texts))
    try:
        return sorted(names, key=float)
    except ValueError:
        return names


def unsuited(model: RaterModel, ratings: Ratings) -> str | None:
    """Why a model does not go with these ratings, whatever fits it: their groups, repeats or the order of classes."""
    in_order = model.ordered is not Ordered.NONE or model.near
    if in_order and len(ratings.classes) > 2 and not ratings.ordered:
        return _(
            "The model {name} is about ordered classes, and nothing says how these are ordered. Declare their order, "
            "lowest first."
        ).format(name=model.name)
    if ratings.empty_classes and (words := _undecided(model, ratings)):
        return words
    if not model.by_group and not model.memory:
        return None
    try:
        if model.memory:
            from tapdesk.models.repeats import occasions  # start-up cost: few have repeats

            occasions(model, ratings)
        if not model.by_group:
            return None
        groups = groups_of_ratings(model, ratings)
        if model.truth.by_group:
            groups.of_subjects(ratings)
    except UsageError as error:
        return joined(error.what, error.fix)
    return None


def _undecided(model: RaterModel, ratings: Ratings) -> str | None:
    """Why a model has no place for abstentions; None where it has."""
    names = quoted_list(tuple(ratings.classes[i] for i in ratings.empty_classes), 12)
    if len(ratings.classes) - len(ratings.empty_classes) < 2:
        return _("Besides abstentions ({names}) there is only one class, so there is nothing to tell apart.").format(
            names=names
        )
    if model.ordered is not Ordered.NONE or model.near:
        return _(
            "An abstention ({names}) has no place in the order of the classes, as the model {name} asks "
            "for. Count it as no {rating}, or choose a model without an order."
        ).format(names=names, name=model.name)
    if not model.truth.free or not model.guessing.free:
        return _(
            "In the model {name} guesses or truth are tied to the rates of all answers, but no {subject} "
            "is truly an abstention ({names}). Count it as no {rating}, or choose a model with guesses of "
            "its own, such as t-a-p."
        ).format(names=names, name=model.name)
    return None


def reported(model: RaterModel, ratings: Ratings) -> tuple[ParameterName, ...]:
    """The names of everything a fit of a model reports, in the order of reports, before anything is tabulated."""
    groups = groups_of_ratings(model, ratings) if model.by_group else None
    labels = () if groups is None else groups.names
    if model.ratings_by_group:
        _units, count, units, _matrix = _units_in_groups(model, ratings, groups)
    else:
        units = [Unit(name) for name in ratings.raters] if model.by_rater else []
        count = max(len(units), 1)
    rates = ratings.class_rates()
    repeaters: tuple[int, ...] = ()
    if model.memory:
        from tapdesk.models.repeats import repeaters_of  # start-up cost, as above

        repeaters = repeaters_of(ratings)
    matrix = np.zeros((count, 0))
    groups_of_truth, empty = max(len(labels), 1), ratings.empty_classes
    space = Space(model, count, len(ratings.classes), rates, matrix, groups_of_truth, repeaters=repeaters, empty=empty)
    return tuple(slot.name for slot in slots(space, ratings.classes, units, model.covariates, labels))


def unit_of_ratings(
    model: RaterModel, ratings: Ratings
) -> tuple[IntArray | None, tuple[str, ...], NDArray[np.float64]]:
    """The unit of each rating (None where raters are pooled), names of the units, and their covariates (U, S).

    Raises
    ------
    UsageError
        When a covariate does not exist or is not numeric.
    """
    if model.by_rater:
        return ratings.rater, ratings.raters, np.zeros((len(ratings.raters), 0))
    if model.accuracy is Accuracy.REGRESSION:
        units, matrix = _covariate_units(ratings, model.covariates)
        return units, tuple(str(u) for u in range(matrix.shape[0])), matrix
    return None, (), np.zeros((1, 0))


def _covariate_units(ratings: Ratings, names: Sequence[str]) -> tuple[IntArray, NDArray[np.float64]]:
    """Unit of each rating (ratings with equal covariates share one), and the design matrix of the units."""
    if not names:
        raise UsageError(_("This model needs covariates."), fix=_("Name them with --covariates COL,COL."))
    columns = [np.ones(ratings.subject.size)]
    for name in names:
        if name not in ratings.covariates:
            known = ", ".join(ratings.covariates) or _("none")
            raise UsageError(
                _("There is no covariate '{name}'.").format(name=Label(name)),
                fix=_("The further columns are: {known}.").format(known=known),
            )
        c = ratings.covariates[name]
        row = {CovariateOf.SUBJECT: ratings.subject, CovariateOf.RATER: ratings.rater}
        values = c.values[row[c.of]] if c.of in row else c.values
        try:
            columns.append(np.asarray(values, dtype=np.float64))
        except ValueError:
            raise UsageError(
                _("The column '{name}' holds text, not numbers.").format(name=Label(name)),
                fix=_("Choose a column of numbers as covariate."),
            ) from None
    matrix = np.stack(columns, axis=1)
    if not np.isfinite(matrix).all():
        bad = names[int(np.argmax(~np.isfinite(matrix).all(axis=0))) - 1]
        raise UsageError(
            _("The column '{bad}' has gaps.").format(bad=Label(bad)),
            fix=_(
                "Leave out the {ratings} without a value there, with “Only some rows” or --where '{bad}!=', or leave "
                "out the column."
            ).format(bad=Label(bad)),
        )
    rows, unit = np.unique(matrix, axis=0, return_inverse=True)
    return unit.ravel(), rows
