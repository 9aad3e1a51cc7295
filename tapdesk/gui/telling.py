"""A fit as cells, sentences and rows for the results pane; all wording of numbers comes from the report's words."""

from datetime import datetime

from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit, Freedom, ParameterEstimate
from tapdesk.fitting.posterior import Posterior
from tapdesk.fitting.sampling.diagnosis import MOST_RHAT
from tapdesk.gui import sayings
from tapdesk.gui.look.symbols import letter, two_words
from tapdesk.gui.widgets.numbers import Cell
from tapdesk.language import gettext as _
from tapdesk.models.model import Guessing
from tapdesk.project.project import Analysis
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.report.words import fit as words
from tapdesk.report.words.further import width_now
from tapdesk.report.words.intervals import kind_of_interval
from tapdesk.report.words.panel import same_answer
from tapdesk.report.words.parameters import degeneracy, said

_EXAMPLE = (
    ("t", _("truly “yes”"), Estimate(0.40, low=0.33, high=0.47)),
    ("a", _("follows the case"), Estimate(0.60, low=0.52, high=0.68)),
    ("p", _("chance “yes”"), Estimate(0.50, low=0.41, high=0.59)),
)


def example() -> tuple[Cell, ...]:
    """The strip of numbers of an invented study."""
    return tuple(
        Cell(symbol, words, numbers.decimal(e.value), numbers.interval(e), _("120 cases, 720 ratings"))
        for symbol, words, e in _EXAMPLE
    )


def answer(question: str, fit: Fit, ratings: Ratings) -> tuple[str, str]:
    """The headline of a question by its key, and what follows from it."""
    said, follows = words.headline(fit, ratings), words.consequence(fit)
    if question == "enough" and not words.warns(fit, ratings):
        # Whether that is enough is for the committee to say; how much more would help stands right below.
        return width_now(fit, numbers.SCREEN), f"{said} {follows}".strip()
    return said, follows


def cells(fit: Fit) -> list[Cell]:
    """Every reported parameter as a cell of the strip; those of single raters have a block of their own."""
    return [_cell(estimate, fit) for estimate in fit.estimates if estimate.name.rater is None]


def _cell(estimate: ParameterEstimate, fit: Fit) -> Cell:
    found = estimate.estimate
    return Cell(
        symbol=letter(estimate.name),
        words=_two_words(estimate, fit),
        value=numbers.decimal(found.value, places=places(found)),
        interval=_interval(estimate),
        count=words.size(fit),
        why=_why(estimate) or _only_repeats(estimate, fit),
    )


def _only_repeats(estimate: ParameterEstimate, fit: Fit) -> str:
    """That a share of true classes is no knowledge; empty where it may be."""
    if estimate.name.name != "t" or fit.model.guessing is not Guessing.AS_TRUTH or "a = 0" not in fit.active_bounds:
        return ""
    return _("With a = 0 it only repeats how often each class was said: it tells nothing about the truth.")


def places(found: Estimate) -> int:
    """Decimals that keep what is not 0 or 1 from reading so: two, for very small or large shares up to four."""
    shares = [v for v in (found.value, found.low, found.high) if v is not None]
    nearest = min((min(abs(v), abs(1 - v)) for v in shares if min(abs(v), abs(1 - v)) > 1e-6), default=1.0)
    return 2 if nearest >= 0.005 else 3 if nearest >= 0.0005 else 4


def _two_words(estimate: ParameterEstimate, fit: Fit) -> str:
    return two_words(estimate.name, fit.classes) or str(estimate.name)


def _interval(estimate: ParameterEstimate) -> str:
    found = estimate.estimate
    if found.low is not None:
        return numbers.interval(found, places=places(found))
    return {Freedom.FREE: _("no interval"), Freedom.TIED: _("follows t"), Freedom.FIXED: _("held at the data")}[
        estimate.freedom
    ]


def _why(estimate: ParameterEstimate) -> str:
    found: Estimate = estimate.estimate
    return found.undefined or (found.no_interval or "" if found.low is None else "")


def what_data_tell(fit: Fit, ratings: Ratings) -> list[tuple[str, str]]:
    """What about, and the sentence: whether the numbers can be read, what they mean, and what to keep in mind."""
    rows = [(_("The search"), words.settled(fit)), (_("The design"), words.identification(fit))]
    rows += [(_("On the edge"), sentence) for sentence in degeneracy(fit)]
    rows += posterior_words(fit)
    rows += [(_("To know"), words.own(sentence, fit)) for sentence in words.fit_findings(fit)]
    rows += [(_("To know"), sentence) for sentence in (same_answer(ratings),) if sentence]
    rows += [(_("Few data"), sentence) for sentence in (words.caution(fit, ratings),) if sentence]
    rows += said(fit)
    return rows


def posterior_words(fit: Fit) -> list[tuple[str, str]]:
    """How a posterior was obtained, and every way to understand the data where there are several."""
    found = fit.posterior
    if not isinstance(found, Posterior):
        return []
    rows = []
    if found.rhat is not None:
        rows.append(
            (
                _("The chains"),
                _(
                    "R-hat is {rhat}: at most {most} is wanted. The draws are worth {bulk} independent ones in the "
                    "middle and {tail} in the tails; {astray} trajectories went astray."
                ).format(
                    rhat=numbers.decimal(found.rhat, places=3),
                    most=numbers.decimal(MOST_RHAT),
                    bulk=numbers.count(int(found.ess_bulk or 0)),
                    tail=numbers.count(int(found.ess_tail or 0)),
                    astray=numbers.count(found.divergences or 0),
                ),
            )
        )
    elif found.error is not None:
        rows.append(
            (
                _("The sum"),
                _("The posterior was added up on a grid; half of its points change no number by more than {e}.").format(
                    e=numbers.figures(found.error, 2)
                ),
            )
        )
    rows += [
        (
            _("Reading {i} of {readings}").format(i=i, readings=len(found.readings)),
            _("{words} It holds {mass} of what can be believed.").format(
                words=words.own(reading.words, fit), mass=numbers.percent(reading.mass)
            ),
        )
        for i, reading in enumerate(found.readings, start=1)
    ]
    return rows


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
    rows = [
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
        (_("Time; run at"), f"{sayings.seconds(fit.seconds)}; {numbers.moment(analysis.run_at)}"),
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
