"""A fit as cells, sentences and rows for the results pane; all wording of numbers comes from the report's words."""

from datetime import datetime

from tapdesk.answers import fit_words as words
from tapdesk.answers import numbers
from tapdesk.answers.parameters import kind_of_interval
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit, ParameterEstimate, Posterior
from tapdesk.gui.pictures.parameter_names import letter, two_words
from tapdesk.gui.shell import status_texts
from tapdesk.gui.widgets.number_strip import NumberCell
from tapdesk.language import gettext as _
from tapdesk.models.design import Freedom
from tapdesk.models.model import Guessing
from tapdesk.project.project import Analysis

_EXAMPLE = (
    ("t", _("truly “yes”"), Estimate(0.40, low=0.33, high=0.47)),
    ("a", _("follows the case"), Estimate(0.60, low=0.52, high=0.68)),
    ("p", _("chance “yes”"), Estimate(0.50, low=0.41, high=0.59)),
)


def example() -> tuple[NumberCell, ...]:
    """The strip of numbers of an invented study."""
    return tuple(
        NumberCell(symbol, words, numbers.decimal(e.value), numbers.interval(e), _("120 cases, 720 ratings"))
        for symbol, words, e in _EXAMPLE
    )


def cells(fit: Fit) -> list[NumberCell]:
    """Every reported parameter as a cell of the strip; those of single raters have a block of their own."""
    return [_cell(estimate, fit) for estimate in fit.estimates if estimate.name.rater is None]


def _cell(estimate: ParameterEstimate, fit: Fit) -> NumberCell:
    found = estimate.estimate
    return NumberCell(
        symbol=letter(estimate.name),
        words=_two_words(estimate, fit),
        value=numbers.value(found),
        interval=_interval(estimate),
        count=words.size(fit),
        why=_why(estimate) or _only_repeats(estimate, fit),
    )


def _only_repeats(estimate: ParameterEstimate, fit: Fit) -> str:
    """That a share of true classes is no knowledge; empty where it may be."""
    if estimate.name.name != "t" or fit.model.guessing is not Guessing.AS_TRUTH or "a = 0" not in fit.active_bounds:
        return ""
    return _("With a = 0 it only repeats how often each class was said: it tells nothing about the truth.")


def _two_words(estimate: ParameterEstimate, fit: Fit) -> str:
    return two_words(estimate.name, fit.classes) or str(estimate.name)


def _interval(estimate: ParameterEstimate) -> str:
    found = estimate.estimate
    if found.low is not None:
        return numbers.interval(found)
    return {Freedom.FREE: _("no interval"), Freedom.TIED: _("follows t"), Freedom.FIXED: _("held at the data")}[
        estimate.freedom
    ]


def _why(estimate: ParameterEstimate) -> str:
    found: Estimate = estimate.estimate
    return found.undefined or (found.no_interval or "" if found.low is None else "")


def _search(fit: Fit) -> tuple[str, str]:
    """The row of the details about the search, or about the draws."""
    found = fit.posterior
    if isinstance(found, Posterior):
        draws = next((v.size for v in fit.draws.values.values()), 0) if fit.draws is not None else 0
        return _("Draws; R-hat"), f"{numbers.count(draws)}; {numbers.decimal(found.rhat, places=4)}"
    return _("Steps of the best start; distinct maxima"), f"{fit.iterations}; {len(fit.optima)}"


def details(fit: Fit, analysis: Analysis) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows of everything behind the numbers."""
    ll = fit.log_likelihood
    krits = fit.krits
    rows: list[tuple[str, ...]] = [
        (_("Model"), fit.model.name),
        (_("What it assumes"), fit.model.about),
        (_("Method, seed"), f"{fit.estimator}, {fit.seed}"),
        (_("Intervals"), kind_of_interval(*fit.interval)),
        (_("Cases, ratings"), f"{numbers.count(fit.subjects)}, {numbers.count(fit.ratings)}"),
        (_("Log-likelihood of the ratings; of the counts"), f"{numbers.large(ll.ratings)}; {numbers.large(ll.counts)}"),
        (_("AIC; BIC; free numbers"), f"{numbers.large(fit.aic)}; {numbers.large(fit.bic)}; {fit.free}"),
        (_("Krits per rating: marginal; imputed; expected; standardised"), _krits(krits)),
        (_("Kappa that follows from the model"), numbers.decimal(fit.kappa, places=3)),
        _search(fit),
        (_("Time; run at"), f"{status_texts.seconds(fit.seconds)}; {numbers.moment(analysis.run_at)}"),
    ]
    return (_("What"), _("Value")), rows


def _krits(krits: object) -> str:
    names = ("marginal", "imputed", "expected", "standardised")
    return "; ".join(numbers.decimal(getattr(krits, name), places=4) for name in names)


def clock(moment: str) -> str:
    """The time of day of an ISO date and time, with the day where it is not today."""
    if not moment:
        return _("an earlier time")
    then = datetime.fromisoformat(moment)
    today = then.date() == datetime.now().astimezone().date()
    time = f"{then:%H:%M}"
    return time if today else _("{day}, {time}").format(day=numbers.day(then), time=time)
