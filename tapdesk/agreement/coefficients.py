"""The agreement coefficients: the catalog of all, and each on one set of ratings, or the reason why it is undefined."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from tapdesk.agreement.concordance import kendall_w
from tapdesk.agreement.icc import icc_1, icc_1k, icc_a1, icc_ak, icc_c1, icc_ck
from tapdesk.agreement.kappas import (
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    hubert_kappa,
    krippendorff_alpha,
    light_kappa,
    percent_agreement,
    scott_pi,
    specific_agreement,
)
from tapdesk.agreement.quantity import Case, LeftOut, Usage, analytic, bootstrap, redraws
from tapdesk.agreement.tables import Tables, Weights
from tapdesk.agreement.tables import weights as named_weights
from tapdesk.errors import UsageError
from tapdesk.estimate import Estimate, undefined
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings

REPEATS = _("Repeated {ratings} of {a_subject} by one {rater} share that {rater}'s vote.")
RARE = 30
FEW = _(
    "Fewer than {rare} {ratings} lie outside the commonest class: an interval from so few is often too "
    "narrow and should not be relied on."
).format(rare=RARE)
Interval: TypeAlias = Literal["analytic", "bootstrap", "none"]
CoefficientCases: TypeAlias = Callable[[Tables, Weights | str], Iterator[Case]]


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient, its estimate and what it rests on.

    Attributes
    ----------
    name
        ``fleiss_kappa`` ... as in ``catalog.COEFFICIENTS``.
    weights
        Name of the weights, ``identity`` for an ICC, which knows no others; None for alpha by any metric but nominal.
    metric
        Krippendorff's metric; None for the others.
    category
        The class of a specific agreement; None for the others.
    raters
        The two raters of Cohen's kappa; None for the others.
    estimate
        Value, standard error and interval, or why there is none.
    subjects, ratings
        Numbers used.
    left_out
        Numbers of subjects and ratings not used.
    note
        What the reader must know beside the number; empty when nothing.
    """

    name: str
    weights: str | None
    metric: str | None
    category: str | None
    raters: tuple[str, str] | None
    estimate: Estimate
    subjects: int
    ratings: int
    left_out: LeftOut = field(default_factory=LeftOut)
    note: str = ""

    def record(self) -> dict[str, Any]:
        """The fields of the command line's JSON (cli.md), in its order, and what else there is to say."""
        e = self.estimate
        return {
            "name": self.name,
            "weights": self.weights,
            "metric": self.metric,
            "class": self.category,
            "raters": None if self.raters is None else list(self.raters),
            "value": e.value,
            "se": e.se,
            "low": e.low,
            "high": e.high,
            "undefined": e.undefined,
            "subjects": self.subjects,
            "ratings": self.ratings,
            "left_out": {"subjects": self.left_out.subjects, "ratings": self.left_out.ratings},
            "how": e.how,
            "no_interval": e.no_interval,
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class SpecialCase:
    """The special case of the t-a-p model in which a coefficient measures accuracy.

    Attributes
    ----------
    formula
        The condition in symbols, empty where there is none.
    equals
        What the coefficient is then, in symbols.
    words
        The same in plain words, or why there is no such case.
    """

    formula: str
    equals: str
    words: str


SAME_RATES = SpecialCase(
    "p = t",
    "a²",
    _(
        "If {ratings} that do not follow the {subject} come out as often in each class as true {subjects} "
        "do, and all {raters} are equally accurate, this is the square of the accuracy. With {raters} of "
        "different accuracy it is the mean product of the accuracies of two {raters}."
    ),
)
PAIR = SpecialCase(
    "p of each rater = t",
    "a₁a₂",
    _(
        "If {ratings} that do not follow the {subject} come out as often in each class as true {subjects} "
        "do, this is the accuracy of the one {rater} times that of the other."
    ),
)
MEAN_OF_PAIRS = SpecialCase(
    "p of each rater = t",
    "mean of aⱼaₗ over pairs",
    _(
        "If {ratings} that do not follow the {subject} come out as often in each class as true {subjects} "
        "do, this is the mean product of the accuracies of two {raters}, and the square of the accuracy "
        "where all are equally accurate."
    ),
)
UNIFORM = SpecialCase(
    "p uniform",
    "a²",
    _(
        "If {ratings} that do not follow the {subject} fall into every class equally often, this is the "
        "square of the accuracy, however common the true classes are."
    ),
)
STEPPED = SpecialCase(
    "p = t",
    "k a² / (1 + (k - 1) a²)",
    _(
        "It is about the mean of several {ratings}. If guesses come out as often in each class as true "
        "{subjects} do, it grows with the accuracy and with the number of {ratings}."
    ),
)
CONCORDANCE = SpecialCase(
    "p of each rater = t",
    "(1 + (k - 1) a²) / k",
    _(
        "It is one for {raters} who rank alike, and one divided by their number for {raters} who rank by luck. If "
        "guesses come out as often in each class as true {subjects} do, the rest grows with the mean product of the "
        "accuracies of two {raters}."
    ),
)
NO_CASE_AC = SpecialCase(
    "",
    "",
    _(
        "No version of the model makes this the square of the accuracy. It takes agreement by chance to "
        "become rarer as one class becomes common; in the model it becomes more frequent. Only if all "
        "classes are equally common, in truth and in guesses, do the two agree."
    ),
)
NO_CASE_RAW = SpecialCase(
    "",
    "",
    _(
        "Raw agreement holds the agreement of guesses too, so it is no measure of accuracy: where "
        "one class is common, {raters} who know nothing agree often."
    ),
)
NO_CASE_SPECIFIC = SpecialCase(
    "",
    "t + a² (1 - t) where p = t",
    _(
        "It is high for a common class even if {raters} know nothing. If guesses come out as often in "
        "each class as true {subjects} do, it is the share of the class plus the squared accuracy times "
        "the rest."
    ),
)
NO_CASE_WEIGHTED = SpecialCase(
    "",
    "",
    _(
        "With unequal credit for near misses, no version of the model makes this the square of the "
        "accuracy whatever the true classes are."
    ),
)


@dataclass(frozen=True, slots=True)
class CoefficientKind:
    """One named coefficient.

    Attributes
    ----------
    name
        As in commands and JSON.
    title
        As in tables and pictures.
    cases
        From the tables and weights (or the reason why the weights have no meaning) to what is to be reported.
    named_weights, own_weights
        Whether linear, quadratic and ordinal weights, and a user's matrix, have a meaning; identity always has.
    weighted
        Whether the weights belong to the coefficient's name.
    special_case
        In which case of the t-a-p model it measures accuracy, or why in none.
    frail
        Whether its interval is often too narrow where hardly any rating lies outside the commonest class.
    corrected
        Whether it is corrected for chance, as the scales of words expect.
    forest, strip
        Whether it is drawn among the coefficients on one scale, and on the strip of the data's own numbers.
    """

    name: str
    title: str
    cases: CoefficientCases
    special_case: SpecialCase
    named_weights: bool = True
    own_weights: bool = True
    weighted: bool = True
    frail: bool = True
    corrected: bool = True
    forest: bool = False
    strip: bool = False


def _icc(name: str, title: str, cases: CoefficientCases, special_case: SpecialCase) -> CoefficientKind:
    """An ICC, as a coefficient of ranks, knows no weights, and no scale of words was made for it."""
    return CoefficientKind(
        name, title, cases, special_case, named_weights=False, own_weights=False, weighted=False, corrected=False
    )


COEFFICIENTS: tuple[CoefficientKind, ...] = (
    CoefficientKind(
        "percent_agreement",
        _("Raw agreement"),
        percent_agreement,
        NO_CASE_RAW,
        frail=False,
        corrected=False,
        forest=True,
        strip=True,
    ),
    CoefficientKind(
        "specific_agreement",
        _("Agreement on one class"),
        specific_agreement,
        NO_CASE_SPECIFIC,
        named_weights=False,
        own_weights=False,
        corrected=False,
    ),
    CoefficientKind("cohen_kappa", _("Cohen's kappa"), cohen_kappa, PAIR),
    CoefficientKind("scott_pi", _("Scott's pi"), scott_pi, SAME_RATES, forest=True),
    CoefficientKind("fleiss_kappa", _("Fleiss' kappa"), fleiss_kappa, SAME_RATES, forest=True, strip=True),
    CoefficientKind("conger_kappa", _("Conger's kappa"), conger_kappa, MEAN_OF_PAIRS, forest=True),
    CoefficientKind("light_kappa", _("Light's kappa"), light_kappa, MEAN_OF_PAIRS),
    CoefficientKind("hubert_kappa", _("Hubert's kappa"), hubert_kappa, MEAN_OF_PAIRS),
    CoefficientKind(
        "brennan_prediger", _("Brennan-Prediger (Bennett's S)"), brennan_prediger, UNIFORM, frail=False, forest=True
    ),
    CoefficientKind(
        "gwet_ac", _("Gwet's AC1 (AC2 with weights)"), gwet_ac, NO_CASE_AC, frail=False, forest=True, strip=True
    ),
    CoefficientKind(
        "krippendorff_alpha",
        _("Krippendorff's alpha"),
        krippendorff_alpha,
        SAME_RATES,
        named_weights=False,
        weighted=False,
        forest=True,
        strip=True,
    ),
    _icc("icc_1", "ICC(1)", icc_1, SAME_RATES),
    _icc("icc_a1", "ICC(A,1)", icc_a1, MEAN_OF_PAIRS),
    _icc("icc_c1", "ICC(C,1)", icc_c1, MEAN_OF_PAIRS),
    _icc("icc_1k", "ICC(1,k)", icc_1k, STEPPED),
    _icc("icc_ak", "ICC(A,k)", icc_ak, STEPPED),
    _icc("icc_ck", "ICC(C,k)", icc_ck, STEPPED),
    _icc("kendall_w", _("Kendall's W"), kendall_w, CONCORDANCE),
)
"""Every coefficient, in the order of tables and pictures: a new one is its function and its row."""


@dataclass(frozen=True, eq=False)
class _Row:
    """One coefficient to come: its kind, its weights and what there is to evaluate."""

    kind: CoefficientKind
    weights: str | None
    case: Case


def agree(
    ratings: Ratings,
    *,
    weights: Sequence[str | Weights] = ("identity",),
    level: float = 0.95,
    interval: Interval = "analytic",
    replicates: int = 2000,
    seed: int = 1,
    only: Collection[str] | None = None,
) -> Run[tuple[Coefficient, ...]]:
    """All coefficients of the catalog on one set of ratings.

    Missing ratings and abstentions are simply absent: each coefficient uses the pairs of ratings there are, and tells
    how many subjects and ratings it used and left out. Tallied subjects count as often as they stand for. Repeats of
    one rater on a subject share that rater's vote (``tables.py``).

    Parameters
    ----------
    ratings
        The data.
    weights
        Names (``identity``, ``linear``, ``quadratic``, ``ordinal``) or matrices from ``own_weights``.
    level
        Of the intervals, between 0 and 1.
    interval
        ``analytic`` by standard errors or F, ``bootstrap`` by re-drawing subjects, ``none``.
    replicates, seed
        Of the bootstrap.
    only
        The names of the kinds that are asked for; None for all.

    Yields
    ------
    Step
        Phase ``coefficients``, then ``re-draws`` where asked for.

    Raises
    ------
    UsageError
        When weights, level, interval or replicates make no sense.
    """
    if not 0 < level < 1:
        raise UsageError(
            _("The level {level:g} is not between 0 and 1.").format(level=level), fix=_("Use 0.95 for 95 %.")
        )
    if interval not in {"analytic", "bootstrap", "none"}:
        raise UsageError(
            _("There is no interval '{interval}'.").format(interval=interval),
            fix=_("Choose from: analytic, bootstrap, none."),
        )
    if interval == "bootstrap" and replicates < 2:
        raise UsageError(
            ngettext("{replicates} resample is too few.", "{replicates} resamples are too few.", replicates).format(
                replicates=replicates
            ),
            fix=_("Use 2000 or more for an interval."),
        )
    # Who abstains agrees with nobody, and disagrees with nobody.
    ratings = ratings.decided()
    tables = Tables(ratings)
    schemes = [named_weights(choice, ratings) for choice in weights]
    labels = [choice if isinstance(choice, str) else choice.name for choice in weights]
    coefficients: list[Coefficient] = []
    pending: list[_Row] = []
    everything = tables.pattern_usage(np.ones(tables.weight.size, dtype=bool))
    kinds = [kind for kind in COEFFICIENTS if only is None or kind.name in only]
    for done, kind in enumerate(kinds):
        yield Step(done, len(kinds), "coefficients")
        for row in _rows(kind, tables, schemes, labels, everything):
            if interval == "bootstrap":
                pending.append(row)
            else:
                coefficients.append(_reported(row, level if interval == "analytic" else None))
    yield Step(len(kinds), len(kinds), "coefficients")
    if interval == "bootstrap":
        coefficients = yield from _bootstrapped(tables, pending, level, replicates, seed)
    return tuple(coefficients)


def _rows(
    kind: CoefficientKind, tables: Tables, schemes: Sequence[Weights | str], labels: Sequence[str], everything: Usage
) -> Iterator[_Row]:
    """What one kind has to report: under each of the weights that have a meaning for it, or once."""
    chosen: list[tuple[str, Weights | str]] = []
    for label, scheme in zip(labels, schemes, strict=True):
        named = isinstance(scheme, str) or scheme.name in {"linear", "quadratic", "ordinal"}
        identity = label == "identity"
        if not identity and (kind.named_weights if named else kind.own_weights):
            chosen.append((label, scheme))
    if "identity" in labels or not kind.named_weights:
        chosen.insert(0, ("identity", named_weights("identity", tables.ratings)))
    for label, scheme in chosen:
        for case in kind.cases(tables, scheme):
            # What is refused is refused on all there is.
            whole = case.quantity is None and case.raters is None
            sentence = replace(case, usage=everything) if whole else case
            if case.quantity is not None:
                notes = (
                    tables.repeats and REPEATS,
                    kind.frail and tables.outside_commonest() < RARE and FEW,
                    sentence.note,
                )
                sentence = replace(sentence, note=joined(*(n for n in notes if n)))
            yield _Row(kind, label if kind.weighted else case.weights, sentence)


def _reported(row: _Row, level: float | None) -> Coefficient:
    """A row with its large-sample standard error and interval."""
    case = row.case
    if case.quantity is None:
        return _coefficient(row, undefined(case.reason or case.otherwise), "")
    return _coefficient(row, *analytic(case.quantity, level, case.otherwise))


def _bootstrapped(
    tables: Tables, rows: Sequence[_Row], level: float, replicates: int, seed: int
) -> Run[list[Coefficient]]:
    """All rows with the spread of their re-draws."""
    quantities = [row.case.quantity for row in rows if row.case.quantity is not None]
    draws = yield from redraws(tables.weight, quantities, replicates, seed)
    spread = iter(draws)
    items = []
    for row in rows:
        if row.case.quantity is None:
            items.append(_reported(row, level))
        else:
            items.append(_coefficient(row, *bootstrap(row.case.quantity, next(spread), level, row.case.otherwise)))
    return items


def _coefficient(row: _Row, estimate: Estimate, note: str) -> Coefficient:
    case = row.case
    notes = joined(case.note, note)
    return Coefficient(
        row.kind.name,
        row.weights,
        case.metric,
        case.category,
        case.raters,
        estimate,
        case.usage.subjects,
        case.usage.ratings,
        case.usage.left_out,
        notes,
    )
