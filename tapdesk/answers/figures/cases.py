"""Pictures of the cases one by one, and of what one rating tells of a case: probabilities, clinical rates, Cohen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import fonts, numbers
from tapdesk.answers.charts import Row, counting, forest, histogram, side_by_side
from tapdesk.answers.figure import Axis, DataColumn, Figure, Role
from tapdesk.answers.figures.checks import readable
from tapdesk.answers.figures.shares import no_one_rating
from tapdesk.answers.fit_words import no_beliefs, size
from tapdesk.answers.grids import CELL_NAME, heat
from tapdesk.answers.numbers import SCREEN
from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import Number, joined
from tapdesk.language import gettext as _
from tapdesk.models.model import Key
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings, plain_texts
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.case_beliefs import CaseBeliefs, case_beliefs

Floats = NDArray[np.float64]
_BINS = 10
MOST_GROUPS = 8
_SURE = 0.9
_TWO = _("Cohen’s kappa is about two {raters} whose {ratings} are told apart.")
_FIFTHS = tuple((i / 5, Number(f"{i / 5:g}")) for i in range(6))


def cases_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why no probabilities of cases can be drawn, or None."""
    if (reason := readable(fit, ratings)) is not None:
        return reason
    open_truth = any(e.name.name == "t" and e.estimate.value is None for e in fit.estimates)
    return no_beliefs(fit, None) if open_truth or not fit.rates_known or not fit.converged else None


def case_probabilities(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The beliefs and their picture."""
    beliefs = yield from case_beliefs(ratings, fit)
    if beliefs is None:
        raise CannotAnswerError(no_beliefs(fit, None))
    return spread(beliefs, ratings, fit.model.key)


def spread(beliefs: CaseBeliefs, ratings: Ratings, key: Key = Key.UNUSED) -> tuple[Figure, ...]:
    """Cases by probability, in tenths: of class 1 of two, else of the likeliest class; by known class; by group.

    Of two classes both stand side by side: of the cases of a tenth so many are expected to be truly of each, or are
    where the answer is known and the ``key`` is not used: else each is on its side by what is put in. Groups are those
    of the first column about the cases that has two to eight different values.
    """
    two = beliefs.probability.shape[1] == 2
    values = beliefs.probability[:, 1] if two else beliefs.probability.max(axis=1)
    weight = ratings.subject_weights()
    whole = _Spread(values, weight, _expected(values) if two else None, beliefs.model, ratings)
    figures = [whole.figure()]
    truly = ratings.known_classes() if two and key is Key.UNUSED else None
    if truly is not None and (known := truly >= 0).any():
        sides = np.stack([truly[known] == 0, truly[known] == 1]).astype(np.float64)
        figures.append(_Spread(values[known], weight[known], sides, beliefs.model, ratings, known=True).figure())
    column = grouping(ratings)
    if column is not None:
        texts = np.array(plain_texts(column.values))
        for text in dict.fromkeys(sorted(texts.tolist())):
            own = texts == text
            group = numbers.short(column.name, CELL_NAME), numbers.short(text, CELL_NAME)
            sides_of_group = _expected(values[own]) if two else None
            figures.append(
                _Spread(values[own], weight[own], sides_of_group, beliefs.model, ratings, group=group).figure()
            )
    return tuple(figures)


def _expected(values: Floats) -> Floats:
    """Shape (2, N): how much of each case is expected to be truly of either class."""
    return np.stack([1 - values, values])


def grouping(ratings: Ratings) -> Covariate | None:
    """The first column about the cases with two to eight different values; None where there is none."""
    for column in ratings.covariates.values():
        if column.of is CovariateOf.SUBJECT and column.name != ratings.known:
            values = set(plain_texts(column.values))
            if 2 <= len(values) <= MOST_GROUPS:
                return column
    return None


@dataclass(frozen=True, eq=False)
class _Spread:
    """Some cases and how probable their class is.

    Attributes
    ----------
    values, weight
        Shape (N,): probabilities, and how many cases each stands for.
    sides
        Shape (2, N): how much of each case is of either class; None of more classes than two.
    model, ratings
        By what the probabilities are, and of what.
    group
        The column and the value of a group; None for all.
    known
        Whether the classes are known answers.
    """

    values: Floats
    weight: Floats
    sides: Floats | None
    model: str
    ratings: Ratings
    group: tuple[str, str] | None = None
    known: bool = False

    def figure(self) -> Figure:
        """The histogram."""
        edges = np.linspace(0.0, 1.0, _BINS + 1)
        name = numbers.short(self.ratings.classes[-1], CELL_NAME)
        across = _("probability of “{name}”").format(name=name)
        # In sentences of their own: of several panels what they share is said once below all (`content.note_of`).
        note = joined(
            _("N = {size}.").format(size=_("{n} {subjects}").format(n=numbers.count(float(self.weight.sum())))),
            _("By the {model} model, averaged over what is not known of its numbers.").format(model=self.model),
        )
        if self.sides is None:
            heights, _edges = np.histogram(self.values, edges, weights=self.weight)
            likeliest = Axis(_("probability of the likeliest class"), 0.0, 1.0, _FIFTHS)
            up = counting(_("{subjects}"), float(heights.max(initial=1.0)))
            return histogram("cases", self.title, likeliest, up, edges, heights.astype(np.float64), note=note)
        template = _("Full bars: expected to be truly “{none}”; striped bars: truly “{one}”.")
        if self.known:
            template = _("Full bars: known to be “{none}”; striped bars: known to be “{one}”.")
        none, one = (numbers.short(label, CELL_NAME) for label in self.ratings.classes)
        halves = [np.histogram(self.values, edges, weights=self.weight * side)[0] for side in self.sides]
        up = counting(_("{subjects}"), float(max(half.max(initial=0.0) for half in halves)))
        return side_by_side(
            "cases",
            self.title,
            Axis(across, 0.0, 1.0, _FIFTHS),
            up,
            edges,
            [
                (_("truly “{name}”").format(name=label), half.astype(np.float64), role)
                for label, half, role in zip((none, one), halves, (Role.OBSERVED, Role.SECOND), strict=True)
            ],
            note=joined(note, template.format(none=none, one=one)),
        )

    @property
    def title(self) -> str:
        """How many cases are of one class for sure, or on the side of their known class."""
        total = float(self.weight.sum())
        if self.known and self.sides is not None:
            right = self.sides[1] > 0
            on_side = float(self.weight[(self.values > 0.5) == right].sum())
            return _("{part} with a known answer are on its side").format(
                part=numbers.of_all(on_side, total, "subjects", first=True)
            )
        low = (self.values < 1 - _SURE) if self.sides is not None else np.zeros(self.values.size, dtype=bool)
        words = {
            "part": numbers.of_all(
                float(self.weight[(self.values > _SURE) | low].sum()), total, "subjects", first=self.group is None
            ),
            "sure": numbers.percent(_SURE),
        }
        if self.group is None:
            return _("{part} are of one class with a probability above {sure}").format(**words)
        return _("{column} {value}: {part} are of one class with a probability above {sure}").format(
            column=self.group[0], value=self.group[1], **words
        )


def clinical_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why sensitivity and its companions cannot be told, or None."""
    if len(fit.classes) != 2:
        return _(
            "Sensitivity and specificity are of two classes, and there are {classes}: choose what is counted."
        ).format(classes=len(fit.classes))
    if (reason := no_one_rating(fit)) is not None:
        return reason
    if fit.model.name != "t-a-p":
        return _(
            "These names need one accuracy and one way of guessing that are told apart from the truth, as by t-a-p."
        )
    if not fit.identification.identified or any(e.estimate.value is None for e in fit.estimates):
        return _("These {ratings} do not determine the numbers: {why}").format(why=fit.identification.words)
    if fit.active_bounds:
        # Re-draws of cases stay at an edge, and would say that it is known well.
        return _("A number lies at its edge, where re-draws of the {subjects} do not show how far it may be off.")
    return readable(fit, ratings)


def clinical(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """Sensitivity, specificity and predictive values of one rating, their intervals from re-draws of the cases."""
    again = yield from analyse(ratings, Request(fit.model, interval="bootstrap", seed=fit.seed))
    rates = clinical_estimates(again)
    one, none = (numbers.short(name, CELL_NAME) for name in (fit.classes[1], fit.classes[0]))
    words = (
        _("Sensitivity, of true “{one}”").format(one=one),
        _("Specificity, of true “{none}”").format(none=none),
        _("Predictive value of “{one}”").format(one=one),
        _("Predictive value of “{none}”").format(none=none),
        _("Youden’s J = ΔP = a"),
    )
    rows: list[Row] = [(name, e, Role.MODEL) for name, e in zip(words, rates, strict=True)]
    title = _("One {rating} finds {s} of the true “{one}” and {k} of the true “{none}”").format(
        s=numbers.percent(rates[0].value or 0.0), k=numbers.percent(rates[1].value or 0.0), one=one, none=none
    )
    note = _(
        "N = {size}; {model} model, {level} intervals from re-draws of the {subjects}. Sensitivity, specificity: how "
        "often a class is given where it is true; predictive value: how often it is true where it is given. "
        "Sensitivity and specificity less 1 are Youden’s J, and ΔP, how much more often a class is given where it is "
        "true: both are the accuracy a."
    ).format(size=size(fit), model=fit.model.name, level=numbers.level(again.interval[1]))
    return (forest(rows, SCREEN, kind="clinical", title=title, note=note),)


def clinical_estimates(fit: Fit) -> tuple[Estimate, ...]:
    """Sensitivity, specificity, the predictive values of class 1 and of class 0, and J, with intervals of the draws.

    Parameters
    ----------
    fit
        Of t-a-p with re-draws of the cases.

    Returns
    -------
    tuple of Estimate
        All have a value: where a class is never given the fit determines nothing (`clinical_needs`).
    """
    if fit.draws is None:
        raise ValueError("a bootstrap leaves draws")
    values = {str(key): array for key, array in fit.draws.values.items()}
    names = ("t", "a", "p")
    drawn = clinical_rates(*(values[name] for name in names))
    point = clinical_rates(*(np.array([float(fit.estimate(name).value or 0.0)]) for name in names))[0]
    level = fit.interval[1]
    low, high = np.nanquantile(drawn, ((1 - level) / 2, (1 + level) / 2), axis=0)
    return tuple(
        Estimate(float(x)).between(float(min(a, x)), float(max(b, x)), level, "bootstrap")
        for x, a, b in zip(point, low, high, strict=True)
    )


def clinical_rates(t: Floats, a: Floats, p: Floats) -> Floats:
    """Shape (n, 5): sensitivity, specificity, both predictive values and J of one rating under t-a-p, shape (n,) each.

    Sensitivity is a + (1 - a)p, specificity a + (1 - a)(1 - p); the predictive values follow by Bayes' rule.
    """
    sensitivity, specificity = a + (1 - a) * p, a + (1 - a) * (1 - p)
    given = t * sensitivity + (1 - t) * (1 - specificity)
    with np.errstate(invalid="ignore", divide="ignore"):
        positive, negative = t * sensitivity / given, (1 - t) * specificity / (1 - given)
    return np.stack([sensitivity, specificity, positive, negative, sensitivity + specificity - 1], axis=1)


def cohen_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why Cohen's kappa cannot be shown step by step, or None."""
    del fit
    if not ratings.raters_known or len(ratings.panel().raters) != 2:
        return _TWO
    try:
        table = crossed(ratings)
    except CannotAnswerError as error:
        return error.what
    shares = table / table.sum()
    if float(shares.sum(axis=1) @ shares.sum(axis=0)) > 1 - 1e-12:
        return _("Both {raters} gave every {subject} the same class, so kappa is undefined.")
    return None


def crossed(ratings: Ratings) -> Floats:
    """Shape (K, K): cases by the class of the first and of the second rater.

    Raises
    ------
    CannotAnswerError
        When there are not exactly two raters, or they share no case.
    """
    ratings = ratings.panel()
    if len(ratings.raters) != 2 or not ratings.raters_known:
        raise CannotAnswerError(_TWO)
    k = len(ratings.classes)
    given = np.full((len(ratings.subjects), 2), -1)
    given[ratings.subject, ratings.rater] = ratings.category
    both = (given >= 0).all(axis=1)
    if not both.any():
        raise CannotAnswerError(_("No {subject} was rated by both {raters}."))
    table = np.zeros((k, k))
    np.add.at(table, (given[both, 0], given[both, 1]), ratings.subject_weights()[both])
    return table


def cohen(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """The crossed table, the table that luck would give, and the way from one to kappa (Cohen 1960)."""
    del fit
    table = crossed(ratings)
    raters = ratings.panel().raters
    n = float(table.sum())
    row, column = table.sum(axis=1) / n, table.sum(axis=0) / n
    agree, chance = float(np.trace(table) / n), float(row @ column)
    kappa = (agree - chance) / (1 - chance)
    note = _("N = {n} {subjects} that both have rated.").format(n=numbers.count(n))
    seen = _("Seen: {n} of {all} the same").format(n=numbers.count(np.trace(table)), all=numbers.count(n))
    luck = _("By luck: {n} of {all} the same").format(n=Number(f"{n * chance:.1f}"), all=numbers.count(n))
    steps: list[Row] = [
        (_("P_o: seen, {n} / {all}").format(n=numbers.count(np.trace(table)), all=numbers.count(n)), Estimate(agree),
         Role.OBSERVED),
        (_("P_e: luck, products of shares"), Estimate(chance), Role.REFERENCE),
        (_("κ = (P_o − P_e) / (1 − P_e)"), Estimate(kappa), Role.CLASSICAL),
    ]  # fmt: skip
    title = _("Of the way from luck to full agreement κ = {kappa} is gone: from {chance} to {agree}, not to 1").format(
        kappa=numbers.decimal(kappa), chance=numbers.decimal(chance), agree=numbers.decimal(agree)
    )
    return (
        _square(seen, table, ratings.classes, raters, note, lambda v: f"{v:g}"),
        _square(luck, np.outer(row, column) * n, ratings.classes, raters, note, lambda v: f"{v:.1f}"),
        forest(steps, SCREEN, kind="cohen", title=title, note=note),
    )


def _square(
    title: str, values: Floats, classes: Sequence[str], raters: Sequence[str], note: str, write: Callable[[float], str]
) -> Figure:
    k = len(classes)
    names = [numbers.short(fonts.shown(name), CELL_NAME) for name in classes]
    across, up = (numbers.short(fonts.shown(name), CELL_NAME) for name in (raters[1], raters[0]))
    return heat(
        "cohen",
        title,
        # Equal names would make a symmetric square of it, and the two raters are not.
        (tuple(names), [*names]),
        values,
        (
            Axis(across, -0.5, k - 0.5, tuple((float(j), name) for j, name in enumerate(names))),
            Axis(up, -0.5, k - 0.5, tuple((float(k - 1 - i), name) for i, name in enumerate(names))),
        ),
        write,
        note=note,
        ends=(0.0, float(max(values.max(), 1.0))),
        value=DataColumn("value", _("{Subjects}")),
    )
