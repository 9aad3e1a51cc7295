"""The numbers of an answer as cells of one strip, and what specialists ask about its run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tapdesk.agreement.coefficients import Coefficient
from tapdesk.agreement.known import known_shares
from tapdesk.answers import fit_words as words
from tapdesk.answers import numbers, range_words
from tapdesk.answers.known_use import wrong_together
from tapdesk.answers.numbers import DASH
from tapdesk.answers.parameter_names import letter, two_words
from tapdesk.answers.parameters import kind_of_interval
from tapdesk.answers.part import Answer
from tapdesk.estimate import AccuracyRange, Estimate
from tapdesk.fitting.fit import Fit, ParameterEstimate, Posterior
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.models.design import Freedom
from tapdesk.models.model import Guessing, Truth
from tapdesk.project.project import Analysis
from tapdesk.ratings.ratings import Ratings


@dataclass(frozen=True, slots=True)
class NumberCell:
    """One number of the strip.

    Attributes
    ----------
    symbol, words
        What it is, short and in words.
    value, interval
        As they are shown; an interval that does not exist is the words ``no interval``.
    count
        How many cases, ratings or pairs it rests on.
    ours
        Whether it belongs to the fitted model.
    why
        The reason why there is no value or no interval, one sentence.
    set_back
        Whether it is not to be read as the result, and stands smaller.
    """

    symbol: str
    words: str
    value: str
    interval: str
    count: str
    ours: bool = True
    why: str = ""
    set_back: bool = False


_EXAMPLE = (
    ("t", _("truly “yes”"), Estimate(0.40, low=0.33, high=0.47)),
    ("a", _("follows the {subject}"), Estimate(0.60, low=0.52, high=0.68)),
    ("p", _("chance “yes”"), Estimate(0.50, low=0.41, high=0.59)),
)


def example() -> tuple[NumberCell, ...]:
    """The strip of numbers of an invented study."""
    return tuple(
        NumberCell(symbol, words, numbers.decimal(e.value), numbers.interval(e), _("120 {subjects}, 720 {ratings}"))
        for symbol, words, e in _EXAMPLE
    )


# No shares of anything: they stand among the numbers of the model.
_ON_LOGITS = frozenset({"mu", "omega", "x", "b", "d", "tau"})


def fit_cells(fit: Fit, why_not: str = "") -> list[NumberCell]:
    """The numbers of a fit as cells of the strip: those of single raters and of each class have blocks of their own.

    Of two classes those of each class stand here as well, where there is room.

    Parameters
    ----------
    fit
        The answer.
    why_not
        Why its one accuracy is not to be read as the result; empty where it is.
    """
    shown = [e for e in fit.estimates if e.name.rater is None and e.name.name not in _ON_LOGITS]
    if len(fit.classes) > 2 or len(shown) > MOST:
        shown = [e for e in shown if e.name.category is None and e.name.group is None]
    cells = [_fit_cell(estimate, fit) for estimate in shown]
    if not why_not:
        return cells
    return [replace(cell, why=why_not, set_back=True) if cell.symbol == "a" else cell for cell in cells]


def _fit_cell(estimate: ParameterEstimate, fit: Fit) -> NumberCell:
    result, open_range = estimate.estimate, range_words.open_range(fit)
    if open_range is not None and str(estimate.name) == "a":
        return _open_cell(estimate, open_range, fit)
    return NumberCell(
        symbol=letter(estimate.name),
        words=_two_words(estimate, fit),
        value=numbers.value(result),
        interval=_fit_interval(estimate, fit),
        count=words.size(fit),
        why=_why(estimate) or _only_repeats(estimate, fit) or range_words.rests_on_it(fit),
    )


def _open_cell(estimate: ParameterEstimate, accuracy_range: AccuracyRange, fit: Fit) -> NumberCell:
    """The accuracy where a range of them fits equally well: the range, and behind it what an assumption makes of it."""
    reach = Estimate(accuracy_range.low, low=accuracy_range.outer_low, high=accuracy_range.outer_high)
    return NumberCell(
        symbol=letter(estimate.name),
        words=_two_words(estimate, fit),
        value=range_words.reach_of(accuracy_range),
        interval=_("no interval") if accuracy_range.outer_low is None else numbers.interval(reach),
        count=words.size(fit),
        why=range_words.under_the_assumption(accuracy_range),
    )


def _only_repeats(estimate: ParameterEstimate, fit: Fit) -> str:
    """That a share of true classes is no knowledge; empty where it may be."""
    if estimate.name.name != "t" or fit.model.guessing is not Guessing.AS_TRUTH or "a = 0" not in fit.active_bounds:
        return ""
    return _("With a = 0 it only repeats how often each class was said: it tells nothing about the truth.")


def _two_words(estimate: ParameterEstimate, fit: Fit) -> str:
    return two_words(estimate.name, fit.classes) or str(estimate.name)


def _fit_interval(estimate: ParameterEstimate, fit: Fit) -> str:
    result = estimate.estimate
    if result.low is not None:
        return numbers.interval(result)
    if estimate.name.name == "t" and fit.model.truth is Truth.SHARPENED:
        return _("of the prior, not of the data")
    return {Freedom.FREE: _("no interval"), Freedom.TIED: _("follows t"), Freedom.FIXED: _("held at the data")}[
        estimate.freedom
    ]


def _why(estimate: ParameterEstimate) -> str:
    result: Estimate = estimate.estimate
    return result.undefined or (result.no_interval or "" if result.low is None else "")


@dataclass(frozen=True, slots=True)
class CellKind:
    """A coefficient that stands in the strip.

    Attributes
    ----------
    name, weights
        Of the coefficient.
    symbol, of
        What it is, and whose it is or what of.
    """

    name: str
    weights: str | None
    symbol: str
    of: str


CELLS = (
    CellKind("percent_agreement", "identity", _("Raw"), _("agreement")),
    CellKind("fleiss_kappa", "identity", _("Kappa"), _("Fleiss")),
    CellKind("gwet_ac", "identity", "AC1", _("Gwet")),
)
# Of classes in an order the kappa that a radiologist is asked for, of two raters the one that everybody knows.
ORDERED = CellKind("fleiss_kappa", "quadratic", _("Kappa"), _("weighted, squares"))
OF_TWO = CellKind("cohen_kappa", "identity", _("Kappa"), _("Cohen"))
SHORT = 18  # letters of a class in a cell of the strip
MOST = 6  # cells of the strip


def strip_cells(answer: Answer, waiting: str = "") -> list[NumberCell]:
    """The strip of an answer: at most six numbers, those of the model first.

    What has one value for each class stands in the table of the classes (`tapdesk.answers.class_rows`) where it has no
    room here, and what has one for each rater in the block of the raters.

    Parameters
    ----------
    answer
        What is told.
    waiting
        What is said while the coefficients are worked out.
    """
    known = known_cells(answer)
    if known:
        return known
    from tapdesk.answers import misfit

    fit, ratings = answer.fit, answer.ratings
    own = fit_cells(fit, misfit.why_set_back(answer))
    why = "" if waiting else answer.side.reasons.get("coefficients", "")
    kinds = coefficient_kinds(ratings, MOST - len(own))
    return [*own, *coefficient_cells(answer.side.coefficients, waiting, why, kinds)]


def coefficient_kinds(ratings: Ratings, room: int) -> tuple[CellKind, ...]:
    """The coefficients of a strip: those everyone asks for, and where there is room those of such ratings.

    Parameters
    ----------
    ratings
        What they are of.
    room
        Cells that are left for them.
    """
    raw, fleiss, ac1 = CELLS
    of_such = []
    if ratings.ordered and len(ratings.classes) > 2:
        of_such.append(ORDERED)
    if ratings.raters_known and len(ratings.raters) == 2:
        of_such.append(OF_TWO)
    return (raw, *of_such[: max(room - len(CELLS), 0)], fleiss, ac1)


def coefficient_cells(
    coefficients: Sequence[Coefficient], waiting: str = "", why: str = "", kinds: Sequence[CellKind] = CELLS
) -> list[NumberCell]:
    """Coefficients of the panel as cells of the strip.

    Parameters
    ----------
    coefficients
        The coefficients; empty while they are worked out, or when they could not be.
    waiting
        What is said meanwhile.
    why
        The reason why there are none.
    kinds
        Which of them.
    """
    shown = []
    for kind in kinds:
        c = next((c for c in coefficients if _is_of(c, kind)), None)
        missing = NumberCell(kind.symbol, kind.of, "…" if waiting else DASH, waiting, "", ours=False, why=why)
        shown.append(missing if c is None else _cell(c, kind.symbol, kind.of))
    return shown


def _is_of(c: Coefficient, kind: CellKind) -> bool:
    """Whether a coefficient is of a kind: Cohen's of the two raters, the others of the panel."""
    weights = c.weights in {None, kind.weights} if kind.weights == "identity" else c.weights == kind.weights
    return c.name == kind.name and weights and (c.raters is None or kind is OF_TWO)


def known_cells(answer: Answer) -> list[NumberCell]:
    """Both accuracies, what lies between them, and how often the known class is said, as cells of the strip.

    Empty where nothing was held against known answers, or neither the question nor what came of it is about that.
    """
    found, ratings = answer.side.together, answer.ratings
    asked = answer.analysis is not None and answer.analysis.question == "known"
    shares = known_shares(ratings)
    if found is None or shares is None or not (asked or wrong_together(answer) is not None):
        return []
    apart = found.difference
    chance = apart.low is None or apart.high is None or apart.low <= 0 <= apart.high
    every = numbers.counted(int(ratings.subject_weights().sum()), answer.fit.ratings)
    held = numbers.counted(shares.everyone.cases, shares.everyone.ratings)
    cells = [
        _plain_cell("a", _("against the known answers"), found.against_key, held),
        replace(_plain_cell("a", _("against the panel"), found.against_panel, every), ours=False),
        replace(
            _plain_cell(_("Difference"), "", apart, _("no more than chance") if chance else _("more than chance")),
            ours=False,
        ),
    ]
    if len(ratings.classes) != 2:
        return [*cells, _plain_cell(_("Right"), _("of the {ratings}"), shares.everyone.share, held)]
    for name, k in ((_("Sensitivity"), 1), (_("Specificity"), 0)):
        label = Label(numbers.short(ratings.classes[k], SHORT))
        of = _("{n} {subjects} known “{label}”").format(n=numbers.count(int(shares.per_class[k])), label=label)
        cells.append(_plain_cell(name, "", shares.everyone.by_class[k], of))
    return cells


def _plain_cell(symbol: str, about: str, e: Estimate, count: str) -> NumberCell:
    interval = numbers.interval(e) if e.low is not None else _("no interval")
    return NumberCell(symbol, about, numbers.value(e), interval, count, why=e.undefined or e.no_interval or "")


def _cell(c: Coefficient, symbol: str, of: str) -> NumberCell:
    e = c.estimate
    value = numbers.value(e)
    interval = numbers.interval(e) if e.low is not None else _("no interval")
    reasons = [e.undefined, e.no_interval if e.value is not None and e.low is None else "", c.note]
    return NumberCell(
        symbol,
        of,
        value,
        interval,
        numbers.counted(c.subjects, c.ratings),
        ours=False,
        why=" ".join(r for r in reasons if r),
    )


def _search(fit: Fit) -> tuple[str, str]:
    """The row of the details about the search, or about the draws."""
    posterior = fit.posterior
    if isinstance(posterior, Posterior):
        draws = next((v.size for v in fit.draws.values.values()), 0) if fit.draws is not None else 0
        return _("Draws; R-hat"), f"{numbers.count(draws)}; {numbers.decimal(posterior.rhat, places=4)}"
    return _("Steps of the best start; distinct maxima"), f"{fit.iterations}; {len(fit.optima)}"


def details(fit: Fit, analysis: Analysis) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows of everything behind the numbers."""
    ll = fit.log_likelihood
    krits = fit.krits
    rows: list[tuple[str, ...]] = [
        (_("Model"), fit.model.name),
        (_("What it assumes"), fit.model.about),
        (_("Method, random start"), f"{fit.estimator}, {fit.seed}"),
        (_("Intervals"), kind_of_interval(*fit.interval)),
        (_("{Subjects}, {ratings}"), f"{numbers.count(fit.subjects)}, {numbers.count(fit.ratings)}"),
        (
            _("Log-likelihood of the {ratings}; of the counts"),
            f"{numbers.large(ll.ratings)}; {numbers.large(ll.counts)}",
        ),
        (_("AIC; BIC; free numbers"), f"{numbers.large(fit.aic)}; {numbers.large(fit.bic)}; {fit.free}"),
        (_("Krits per {rating}: marginal; imputed; expected; standardised"), _krits(krits)),
        (_("Kappa that follows from the model"), numbers.decimal(fit.kappa, places=3)),
        _search(fit),
        (_("Time; run at"), f"{numbers.seconds(fit.seconds)}; {numbers.moment(analysis.run_at)}"),
    ]
    return (_("What"), _("Value")), rows


def _krits(krits: object) -> str:
    names = ("marginal", "imputed", "expected", "standardised")
    return "; ".join(numbers.decimal(getattr(krits, name), places=4) for name in names)
