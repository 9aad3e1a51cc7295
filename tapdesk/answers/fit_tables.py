"""The tables of a fit: estimates, details, data, and the readings that are left open."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import cells, numbers
from tapdesk.answers import fit_words as words
from tapdesk.answers.content import Align, Column, Number, Table
from tapdesk.answers.numbers import DASH, REPORT, SCREEN, Style, counted
from tapdesk.answers.parameters import kind_of_interval, share_of
from tapdesk.fitting.fit import Fit, Posterior
from tapdesk.language import Label, joined
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, Severity, label_text
from tapdesk.ratings.options import Layout
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading, rows_summary

if TYPE_CHECKING:
    # Only a name here: no fit needs the study.
    from tapdesk.studies.paradox import Paradox

SEVERITIES = {
    Severity.BLOCK: _("stops the analysis"),
    Severity.ASK: _("still open"),
    Severity.DECIDED: _("you decided"),
    Severity.NOTE: _("to know"),
}
MOST_COUNTS = 20
_OPTIONS = re.compile(r" \(--[^)]*\)")


def estimates(fit: Fit, style: Style = SCREEN) -> Table:
    """The numbers of a fit with their intervals; undefined ones as a dash with the reason in the note."""
    with_se = any(e.estimate.se is not None for e in fit.estimates)
    rows = []
    reasons: dict[str, list[str]] = {}
    for e in fit.estimates:
        name = e.name.name
        row = [name, share_of(e, fit), cells.value(e.estimate, style)]
        if with_se:
            row.append(cells.decimal(e.estimate.se, style, places=max(numbers.places(e.estimate), 3)))
        rows.append((*row, cells.interval(e.estimate, style)))
        for reason in (e.estimate.undefined, e.estimate.no_interval, words.tie(e, fit)):
            if reason and str(e.name) not in reasons.setdefault(f"{reason.rstrip('.')}.", []):
                reasons[f"{reason.rstrip('.')}."].append(str(e.name))
    columns = [Column("", symbol=True), Column(_("Share of"), wide=True), Column(_("Est."), Align.RIGHT)]
    if with_se:
        columns.append(Column(_("SE"), Align.RIGHT))
    columns.append(Column(_("{level} interval").format(level=numbers.level(fit.interval[1])), Align.RIGHT))
    note = _("N = {size}. Intervals: {how}.").format(
        size=words.size(fit), how=kind_of_interval(fit.interval[0], fit.interval[1])
    )
    if not fit.converged:
        note = _("{note} The search had not settled: do not report these numbers.").format(note=note)
    return Table(
        _("Estimates of the {model} model").format(model=fit.model.name),
        tuple(columns),
        tuple(rows),
        joined(note, *_few([f"{_few_names(names)}: {reason}" for reason, names in reasons.items()])),
    )


def _few_names(names: list[str], most: int = 6) -> str:
    """The first names; how many more there are."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else _("{names} and {n} more").format(names=shown, n=len(names) - most)


def _few(reasons: list[str], most: int = 6) -> list[str]:
    """The first reasons; how many more there are."""
    if len(reasons) <= most:
        return reasons
    return [*reasons[:most], _("… and {n} more.").format(n=len(reasons) - most)]


_MOST_CLASSES = 8


def _krits_by_class(fit: Fit, style: Style) -> list[tuple[str, Number]]:
    """What the standardised krits are the mean of: those of each true class, of more than a few none."""
    if not fit.rates_known or len(fit.classes) > _MOST_CLASSES:
        return []
    return [
        (_("… of a true “{category}”").format(category=Label(name)), cells.decimal(value, style, 4))
        for name, value in zip(fit.classes, fit.krits.by_class, strict=False)
    ]


def details(fit: Fit, style: Style = SCREEN) -> Table:
    """How the fit was found and how well it follows the data."""
    known = fit.rates_known
    rows = [
        (_("Log-likelihood, ratings form"), cells.large(fit.log_likelihood.ratings)),
        (_("Log-likelihood, counts form"), cells.large(fit.log_likelihood.counts)),
        (_("Free parameters"), cells.count(fit.free)),
        (_("AIC"), cells.large(fit.aic)),
        (_("BIC"), cells.large(fit.bic)),
        *_evidence(fit),
        (_("Kappa that follows from the estimates"), cells.decimal(fit.kappa if known else None, style)),
        (_("Krits per {rating}, imputed"), cells.decimal(fit.krits.imputed, style, 4)),
        (_("Krits per {rating}, expected"), cells.decimal(fit.krits.expected, style, 4)),
        (_("Krits per {rating}, marginal"), cells.decimal(fit.krits.marginal, style, 4)),
        (_("Krits per {rating}, standardised"), cells.decimal(fit.krits.standardised, style, 4)),
        *_krits_by_class(fit, style),
    ]
    rates = fit.match_rates
    if rates is not None and known:
        rows += [
            (_("Pairs of {ratings} that match"), cells.decimal(rates.observed, style)),
            (_("… both justified"), cells.decimal(rates.accurate, style)),
            (_("… both by luck"), cells.decimal(rates.inaccurate, style)),
            (_("… one justified, one by luck"), cells.decimal(rates.mixed, style)),
        ]
    rows += [
        (_("Steps of the search"), cells.count(fit.iterations)),
        (_("Starts"), cells.count(fit.starts)),
        (_("Distinct maxima found"), cells.count(max(len(fit.optima), 1))),
    ]
    return Table(
        _("How well the model follows the data"),
        (Column("", wide=True), Column("", Align.RIGHT)),
        tuple(rows),
        _(
            "Krits measure surprise per {rating}: 0 = predicted, 1 = as hard to predict as a pick among "
            "all classes at random. Matching pairs are those the model expects."
        )
        if not _evidence(fit)
        else _(
            "Likelihood, AIC, BIC and krits are those of the maximum. Evidence: how probable these "
            "{ratings} are by the model and what was believed before; of models of the same {ratings}, 1 "
            "more is 2.7 times as probable. Krits measure surprise per {rating}: 0 = predicted, 1 = as "
            "hard to predict as a pick among all classes at random. Matching pairs are those the model "
            "expects."
        ),
        headed=False,
    )


def _evidence(fit: Fit) -> list[tuple[str, str]]:
    """The evidence of a belief, where it is worked out: by it such models may be compared, never by their maxima."""
    posterior = fit.posterior
    if not isinstance(posterior, Posterior) or posterior.log_evidence is None:
        return []
    exact = _("Log-evidence, ratings form (exact)") if posterior.rhat is None else _("Log-evidence, ratings form")
    return [(exact, cells.large(posterior.log_evidence.ratings, 2))]


def class_counts(ratings: Ratings) -> Table:
    """How often each class was given."""
    rates = ratings.class_rates()
    counts = np.rint(rates * ratings.rating_count)
    rows: list[tuple[str, ...]] = [
        (label_text(label, 200), cells.count(n), cells.percent(float(rate)))
        for label, n, rate in zip(ratings.classes, counts, rates, strict=True)
    ]
    rows.append((_("All"), cells.count(ratings.rating_count), cells.percent(1.0) if ratings.rating_count else DASH))
    return Table(
        _("{Ratings} by class"),
        (Column(_("Class"), wide=True), Column(_("{Ratings}"), Align.RIGHT), Column(_("Share"), Align.RIGHT)),
        tuple(rows),
        _("Shares are rounded and may not add to 100."),
        totals=True,
    )


def flow(reading: Reading, ratings: Ratings, decided: Ratings | None = None) -> Table:
    """From rows read to ratings used (experience.md §3, Fig 2, as a table that can be read aloud).

    ``decided`` are the ratings after all decisions, before class 1 was chosen; as read unless given.
    """
    read = reading.as_read.rating_count
    kept = read if decided is None else decided.rating_count
    left_classes = kept - ratings.rating_count
    rows: list[tuple[str, str]] = [
        (_("Rows read from the file"), cells.count(reading.source.rows)),
        *_account(reading),
        (_("Cells without {a_rating}"), cells.count(reading.missing)),
        (
            _("{Ratings} left out while reading"),
            cells.count(reading.left_out_ratings),
        ),
        (
            _("{Subjects} left out while reading"),
            cells.count(reading.left_out_subjects),
        ),
    ]
    if kept < read:
        sentence = _("{Ratings} left out by decisions")
        rows.append((sentence, cells.count(read - kept)))
    elif kept > read:
        sentence = _("{Ratings} added by hand")
        rows.append((sentence, cells.count(kept - read)))
    if left_classes > 0:
        rows.append(
            (
                _("{Ratings} in classes on neither side"),
                cells.count(left_classes),
            )
        )
    each = ratings.ratings_per_subject()
    rows += [
        (_("{Subjects} used"), cells.count(ratings.subject_count)),
        (_("{Ratings} used"), cells.count(ratings.rating_count)),
        (_("{Ratings} of {a_subject}"), spread(each)),
        (_raters_head(ratings), cells.count(len(ratings.raters))),
    ]
    return Table(
        _("From the file to the analysis"),
        (Column("", wide=True), Column("", Align.RIGHT)),
        tuple(rows),
        rows_summary(reading),
        headed=False,
    )


def _account(reading: Reading) -> list[tuple[str, str]]:
    """What became of the cells that hold something, as far as they are no ratings of the analysis."""
    if reading.account is None:
        return []
    total = reading.account.total
    counted = reading.source.layout in {Layout.COUNTS, Layout.CONFUSION}
    words = _("Cells for {ratings} with something in them").format()
    if counted:
        words = _("{Ratings} counted in the file").format()
    elif reading.options.blank:
        words = _("Cells for {ratings}, blank ones as “{text}”").format(text=Label(reading.options.blank))
    rows: list[tuple[str, str]] = [(words, cells.count(total.cells))]
    if total.missing:
        rows.append((_("Codes for no {rating} among them"), cells.count(total.missing)))
    for reason, n in total.left_out.items():
        rows.append((_("Left out among them: {reason}").format(reason=reason), cells.count(n)))
    return rows


def _raters_head(ratings: Ratings) -> str:
    if ratings.raters_known:
        return _("{Raters}")
    return _("Seats (who sat in them is not known)")


def spread(each: NDArray[np.int64]) -> str:
    """The least and the most of some counts; one number where they are equal."""
    if not each.size:
        return DASH
    if each.min() == each.max():
        return cells.count(float(each.min()))
    return _("{least} to {most}").format(least=int(each.min()), most=int(each.max()))


def findings(result: Sequence[Finding]) -> Table:
    """What reading noticed: how grave, where, what, and what was done; on paper no option of the command line helps."""
    fixes = [_without_options(f.fix) for f in result]
    rows = tuple(
        (
            SEVERITIES[f.severity],
            f.where or _("whole file"),
            f.message,
            _("{default} To change it: {fix}").format(default=f.default, fix=fix)
            if f.default and fix
            else f.default or fix,
        )
        for f, fix in zip(result, fixes, strict=True)
    )
    return Table(
        _("Things to know about the data"),
        (
            Column(_("How serious")),
            Column(_("Where")),
            Column(_("What"), wide=True),
            Column(_("What was done"), wide=True),
        ),
        rows,
    )


def _without_options(fix: str) -> str:
    """What can be done, without the options of the command line it may name; empty where it is nothing else."""
    plain = _OPTIONS.sub("", fix)
    return "" if "--" in plain else plain


def pairs(title: str, rows: Sequence[tuple[str, str]], note: str = "") -> Table:
    """A list of names and values."""
    return Table(title, (Column(""), Column("", wide=True)), tuple(rows), note, headed=False)


_SHOWN = ("t", "a", "p")
# One more than elsewhere: where kappa is a paradox, the rates of the rarer class are near 0.
_PLACES = 3


def readings(paradox: "Paradox", style: Style = REPORT) -> Table:
    """Each way to understand the ratings: how far it may be believed, and the numbers of t-a-p under it.

    Where there is only one way, the numbers over all that may be believed.

    Parameters
    ----------
    paradox
        The exact posterior, and its readings.
    style
        How numbers are written.
    """
    text = paradox.one.readings
    ways = [(_("Reading {n}").format(n=n), one.mass, one.summaries) for n, one in enumerate(text, start=1)]
    ways = ways or [(_("The only reading"), 1.0, paradox.one.summaries)]
    rows = []
    for name, mass, summaries in ways:
        row: list[Number | str] = [name, cells.percent(mass)]
        for symbol in _SHOWN:
            one = next(s for s in summaries if s.name.name == symbol)
            ends = _("{low} to {high}").format(
                low=numbers.decimal(one.hdi_low, style, _PLACES), high=numbers.decimal(one.hdi_high, style, _PLACES)
            )
            row += [cells.decimal(one.median, style, _PLACES), ends]
        rows.append(tuple(row))
    level, right = numbers.level(paradox.one.level), Align.RIGHT
    of_numbers = [
        column
        for symbol in _SHOWN
        for column in (Column(symbol, right), Column(_("{level} interval").format(level=level), right))
    ]
    return Table(
        _("What may be believed of t, a and p, reading by reading"),
        (Column(_("Reading"), wide=True), Column(_("Belief"), right), *of_numbers),
        tuple(rows),
        _("N = {size}. The exact beliefs of t-a-p with flat priors: medians, and the shortest intervals.").format(
            size=counted(paradox.subjects, paradox.ratings)
        ),
    )


def full_counts(ratings: Ratings) -> Table:
    """How many subjects got each combination of classes, the commonest first: all a fit of shared raters knows."""
    counts = ratings.counts()
    each, of_subject = np.unique(counts, axis=0, return_inverse=True)
    number = np.bincount(of_subject.ravel(), ratings.subject_weights(), each.shape[0])
    order = np.lexsort((*(-each.T[::-1]), -number))
    rows = tuple((cells.count(number[i]), *(cells.count(int(c)) for c in each[i])) for i in order)
    columns = tuple(Column(c, Align.RIGHT) for c in numbers.shorts(ratings.classes, 60))
    total = (cells.count(ratings.subject_count), *(cells.count(v) for v in counts.T @ ratings.subject_weights()))
    return Table(
        _("All counts: {ratings} of {a_subject} in each class, and how many {subjects} have them"),
        (Column(_("{Subjects}"), wide=True), *columns),
        (*rows, total),
        _("The commonest first. Last row: all {ratings} of each class, and all {subjects}."),
        totals=True,
        most=MOST_COUNTS,
    )
