"""Tables as values: the same rows in the document, in the window and on the terminal."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, Severity, label_text
from tapdesk.ratings.options import Layout
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading, rows_summary
from tapdesk.report import numbers
from tapdesk.report.numbers import DASH, SCREEN, Style
from tapdesk.report.report import Align, Column, Table
from tapdesk.report.tables import cells
from tapdesk.report.words import fit as words
from tapdesk.report.words.intervals import kind_of_interval
from tapdesk.report.words.nouns import PLAIN, Nouns
from tapdesk.report.words.shares import share_of

SEVERITIES = {
    Severity.BLOCK: _("stops the analysis"),
    Severity.ASK: _("needs your decision"),
    Severity.NOTE: _("to know"),
}


def estimates(fit: Fit, style: Style = SCREEN, nouns: Nouns = PLAIN) -> Table:
    """The numbers of a fit with their intervals; undefined ones as a dash with the reason in the note."""
    with_se = any(e.estimate.se is not None for e in fit.estimates)
    rows = []
    places = numbers.places(e.estimate for e in fit.estimates)
    reasons: dict[str, list[str]] = {}
    for e in fit.estimates:
        name = e.name.name
        row = [name, share_of(e, fit, nouns), cells.decimal(e.estimate.value, style, places)]
        if with_se:
            row.append(cells.decimal(e.estimate.se, style, places=max(places, 3)))
        rows.append((*row, cells.interval(e.estimate, style, places)))
        for reason in (e.estimate.undefined, e.estimate.no_interval, words.tie(e)):
            if reason and str(e.name) not in reasons.setdefault(f"{reason.rstrip('.')}.", []):
                reasons[f"{reason.rstrip('.')}."].append(str(e.name))
    columns = [Column("", symbol=True), Column(_("Share of"), wide=True), Column(_("Est."), Align.RIGHT)]
    if with_se:
        columns.append(Column(_("SE"), Align.RIGHT))
    columns.append(Column(_("{level} CI").format(level=numbers.level(fit.interval[1])), Align.RIGHT))
    note = _("N = {size}. CI = {how}.").format(
        size=words.size(fit, nouns), how=kind_of_interval(fit.interval[0], fit.interval[1])
    )
    if not fit.converged:
        note = _("{note} The search had not settled: do not report these numbers.").format(note=note)
    return Table(
        _("Estimates of the {model} model").format(model=fit.model.name),
        tuple(columns),
        tuple(rows),
        " ".join([note, *_few([f"{_few_names(names)}: {reason}" for reason, names in reasons.items()])]),
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


def details(fit: Fit, style: Style = SCREEN) -> Table:
    """How the fit was found and how well it follows the data."""
    known = fit.rates_known
    rows = [
        (_("Log-likelihood, ratings form"), cells.large(fit.log_likelihood.ratings)),
        (_("Log-likelihood, counts form"), cells.large(fit.log_likelihood.counts)),
        (_("Free parameters"), cells.count(fit.free)),
        (_("AIC"), cells.large(fit.aic)),
        (_("BIC"), cells.large(fit.bic)),
        (_("Kappa that follows from the estimates"), cells.decimal(fit.kappa if known else None, style)),
        (_("Krits per rating, imputed"), cells.decimal(fit.krits.imputed, style, 4)),
        (_("Krits per rating, expected"), cells.decimal(fit.krits.expected, style, 4)),
        (_("Krits per rating, marginal"), cells.decimal(fit.krits.marginal, style, 4)),
        (_("Krits per rating, standardised"), cells.decimal(fit.krits.standardised, style, 4)),
    ]
    rates = fit.match_rates
    if rates is not None and known:
        rows += [
            (_("Pairs of ratings that match"), cells.decimal(rates.observed, style)),
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
            "Krits measure surprise per rating: 0 = predicted, 1 = as hard to predict as a pick among all classes "
            "at random. Matching pairs are those the model expects."
        ),
        headed=False,
    )


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
        _("Ratings by class"),
        (Column(_("Class"), wide=True), Column(_("Ratings"), Align.RIGHT), Column(_("Share"), Align.RIGHT)),
        tuple(rows),
        _("Shares are rounded and may not add to 100."),
        totals=True,
    )


def flow(reading: Reading, ratings: Ratings, nouns: Nouns = PLAIN, decided: Ratings | None = None) -> Table:
    """From rows read to ratings used (experience.md §3, Fig 2, as a table that can be read aloud).

    ``decided`` are the ratings after all decisions, before class 1 was chosen; as read unless given.
    """
    read = reading.as_read.rating_count
    kept = read if decided is None else decided.rating_count
    left_classes = kept - ratings.rating_count
    rows: list[tuple[str, str]] = [
        (_("Rows read from the file"), cells.count(reading.source.rows)),
        *_account(reading, nouns),
        (_("Cells without a {rating}").format(rating=nouns.rating), cells.count(reading.missing)),
        (
            _("{ratings} left out while reading").format(ratings=_upper(nouns.ratings)),
            cells.count(reading.left_out_ratings),
        ),
        (
            _("{subjects} left out while reading").format(subjects=_upper(nouns.subjects)),
            cells.count(reading.left_out_subjects),
        ),
    ]
    if kept < read:
        told = _("{ratings} left out by decisions").format(ratings=_upper(nouns.ratings))
        rows.append((told, cells.count(read - kept)))
    elif kept > read:
        told = _("{ratings} added by hand").format(ratings=_upper(nouns.ratings))
        rows.append((told, cells.count(kept - read)))
    if left_classes > 0:
        rows.append(
            (
                _("{ratings} in classes on neither side").format(ratings=_upper(nouns.ratings)),
                cells.count(left_classes),
            )
        )
    each = ratings.ratings_per_subject()
    rows += [
        (_("{subjects} used").format(subjects=_upper(nouns.subjects)), cells.count(ratings.subject_count)),
        (_("{ratings} used").format(ratings=_upper(nouns.ratings)), cells.count(ratings.rating_count)),
        (_("{ratings} of a {subject}").format(ratings=_upper(nouns.ratings), subject=nouns.subject), _range(each)),
        (_raters_head(ratings, nouns), cells.count(len(ratings.raters))),
    ]
    return Table(
        _("From the file to the analysis"),
        (Column("", wide=True), Column("", Align.RIGHT)),
        tuple(rows),
        rows_summary(reading),
        headed=False,
    )


def _account(reading: Reading, nouns: Nouns) -> list[tuple[str, str]]:
    """What became of the cells that hold something, as far as they are no ratings of the analysis."""
    if reading.account is None:
        return []
    total = reading.account.total
    counted = reading.source.layout in {Layout.COUNTS, Layout.CONFUSION}
    words = _("{ratings} counted in the file") if counted else _("Cells for {ratings} with something in them")
    rows: list[tuple[str, str]] = [
        (words.format(ratings=_upper(nouns.ratings) if counted else nouns.ratings), cells.count(total.cells))
    ]
    if total.missing:
        rows.append((_("Codes for no {rating} among them").format(rating=nouns.rating), cells.count(total.missing)))
    for reason, n in total.left_out.items():
        rows.append((_("Left out among them: {reason}").format(reason=reason), cells.count(n)))
    return rows


def _raters_head(ratings: Ratings, nouns: Nouns) -> str:
    if ratings.raters_known:
        return _upper(nouns.raters)
    return _("Seats (who sat in them is not known)")


def _range(each: NDArray[np.int64]) -> str:
    if not each.size:
        return DASH
    if each.min() == each.max():
        return cells.count(float(each.min()))
    return _("{least} to {most}").format(least=int(each.min()), most=int(each.max()))


def _upper(word: str) -> str:
    return word[:1].upper() + word[1:]


def findings(found: Sequence[Finding]) -> Table:
    """What reading noticed: how grave, where, what, and what was done."""
    rows = tuple(
        (
            SEVERITIES[f.severity],
            f.where or _("whole file"),
            f.message,
            _("{default} To change it: {fix}").format(default=f.default, fix=f.fix) if f.default and f.fix else f.fix,
        )
        for f in found
    )
    return Table(
        _("Things to know about the data"),
        (
            Column(_("How grave")),
            Column(_("Where")),
            Column(_("What"), wide=True),
            Column(_("What was done"), wide=True),
        ),
        rows,
    )


def pairs(title: str, rows: Sequence[tuple[str, str]], note: str = "") -> Table:
    """A list of names and values."""
    return Table(title, (Column(""), Column("", wide=True)), tuple(rows), note, headed=False)
