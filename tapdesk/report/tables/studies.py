"""Tables of raters, cases, models and pairs of classes."""

from collections.abc import Sequence

import numpy as np

from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.report.beliefs import Beliefs
from tapdesk.report.figures.raters import accuracies
from tapdesk.report.numbers import Style
from tapdesk.report.report import Align, Column, Table
from tapdesk.report.tables import cells
from tapdesk.report.words import class_pairs as words_pairs
from tapdesk.report.words import models as words_models
from tapdesk.report.words.intervals import kind_of_interval
from tapdesk.report.words.nouns import PLAIN, Nouns, counted
from tapdesk.studies.comparison import compare_fits, mean_accuracy
from tapdesk.studies.pairs import Pairs
from tapdesk.studies.scan import Cut, Scan
from tapdesk.studies.table import Table as Studied

RIGHT = Align.RIGHT
_OPEN = undefined(_("The data do not determine it."))
MOST_COUNTS = 20
_LUCK = 0.005


def by_rater(fit: Fit, ratings: Ratings, without: Studied | None, style: Style, nouns: Nouns = PLAIN) -> Table:
    """Each rater: how many ratings, accuracy, and what is lost or won by leaving the rater out."""
    given = np.bincount(ratings.rater, ratings.subject_weights()[ratings.subject], len(ratings.raters))
    count = dict(zip(ratings.raters, given, strict=True))
    moved = {str(r["rater"]): r["kappa_change"] for r in without.records()} if without is not None else {}
    rows = []
    for e in accuracies(fit):
        name = e.name.rater or ""
        row = [
            name,
            cells.count(count.get(name, 0)),
            cells.decimal(e.estimate.value, style),
            cells.interval(e.estimate, style),
        ]
        if moved:
            change = moved.get(name)
            row.append(cells.decimal(float(change) if change is not None else None, style, 3))
        rows.append(tuple(row))
    columns = [
        Column(_upper(nouns.rater), wide=True),
        Column(_upper(nouns.ratings), RIGHT),
        Column(_("Accuracy"), RIGHT),
        Column(_("{level} CI").format(level=numbers.level(fit.interval[1])), RIGHT),
    ]
    note = _("{model} model. A dash: the data do not tell.").format(model=fit.model.name)
    if moved:
        columns.append(Column(_("Lifts kappa by"), RIGHT))
        note = _("{note} Last column: Fleiss’ kappa with all {raters} minus kappa without this one.").format(
            note=note, raters=nouns.raters
        )
    return Table(_("The {raters} one by one").format(raters=nouns.raters), tuple(columns), tuple(rows), note)


def least_certain(ratings: Ratings, found: Beliefs, most: int, nouns: Nouns = PLAIN) -> Table:
    """The subjects to discuss: the ratings they got, the likeliest class, and how sure one can be of it."""
    counts, names = ratings.counts(), numbers.shorts(ratings.classes, 28)
    rows = []
    for at in found.least_certain()[:most]:
        best = int(found.probability[at].argmax())
        named = [_("“{label}”: {n}").format(label=c, n=n) for c, n in zip(names, counts[at], strict=True) if n]
        row = [ratings.subjects[at], "; ".join(named), names[best]]
        if ratings.weight is not None:
            row.insert(1, cells.count(int(ratings.weight[at])))
        rows.append((*row, cells.percent(float(found.probability[at, best]))))
    columns = [
        Column(_upper(nouns.subject)),
        Column(_("{ratings} given").format(ratings=_upper(nouns.ratings)), wide=True),
    ]
    if ratings.weight is not None:
        columns.insert(1, Column(_("How many"), RIGHT))
    return Table(
        _("{subjects} to discuss, least certain first").format(subjects=_upper(nouns.subjects)),
        (*columns, Column(_("Likeliest class")), Column(_("Belief"), RIGHT)),
        tuple(rows),
        _("Belief: probability of the likeliest class by the {model} model, its estimates taken as known.").format(
            model=found.model
        ),
    )


def models(fits: Sequence[Fit], style: Style, nouns: Nouns = PLAIN) -> Table:
    """Models side by side: likelihood, criteria where they may be compared, accuracy with its interval."""
    compared = compare_fits(fits)
    rows = []
    for row in compared.rows:
        a = mean_accuracy(row.fit) or _OPEN
        rows.append(
            (
                row.fit.model.name,
                cells.count(row.fit.free),
                cells.large(row.fit.log_likelihood.ratings, 2),
                cells.large(row.fit.aic if row.comparable else None, 1),
                cells.large(row.fit.bic if row.comparable else None, 1),
                cells.decimal(a.value, style),
                cells.interval(a, style),
            )
        )
    notes = [compared.words, *dict.fromkeys(f"{r.fit.model.name}: {r.note}" for r in compared.rows if r.note)]
    if compared.by_bic is not None:
        notes.insert(
            0,
            _("Lowest AIC: {aic}; lowest BIC: {bic}.").format(
                aic=fits[compared.by_aic or 0].model.name, bic=fits[compared.by_bic].model.name
            ),
        )
    size = _("N = {size}.").format(
        size=counted(fits[0].subjects, fits[0].ratings, nouns),
    )
    told = _("Accuracy: the mean where a model has several; a dash where the data do not determine it.")
    notes += [told, words_models.intervals(fits), size]
    return Table(
        _("Other models of the same ratings"),
        (
            Column(_("Model"), wide=True),
            Column(_("Free"), RIGHT),
            Column(_("Log-lik."), RIGHT),
            Column(_("AIC"), RIGHT),
            Column(_("BIC"), RIGHT),
            Column(_("Accuracy"), RIGHT),
            Column(_("{level} CI").format(level=numbers.level(fits[0].interval[1])), RIGHT),
        ),
        tuple(rows),
        " ".join(n for n in notes if n),
    )


def cuts(found: Scan, style: Style, nouns: Nouns = PLAIN) -> tuple[Table, Table]:
    """Ordered classes told as two at every cut: the numbers of t-a-p, and the accuracies that t-a-t and kappa give."""
    rows = [(cut, [_determined(cut.free, name) for name in ("t", "a", "p")]) for cut in found.cuts]
    also = [(cut, [_determined(cut.tied, "a"), cut.root_kappa, cut.kappa]) for cut in found.cuts]
    size = _("N = {size}.").format(
        size=counted(max(cut.subjects for cut in found.cuts), max(cut.ratings for cut in found.cuts), nouns),
    )
    refused = " ".join(f"{cut.name}: {cut.refused}" for cut in found.cuts if cut.refused)
    line = _("All classes below a line against all above it, which are class 1. A dash: not determined.")
    below = _("Root kappa, an accuracy where chance follows the truth, does not exist where kappa is below 0.")
    negative = any(cut.kappa.value is not None and cut.kappa.value < 0 for cut in found.cuts)
    kappas = [cut.kappa for cut in found.cuts]
    beside = [_kinds([row[0] for _cut, row in also])]
    if how := _kinds_of(kappas):
        beside.append(_("CI of kappa and its root: {kinds}.").format(kinds=how))
    beside += [below if negative else "", *_without(found, kappas)]
    return (
        _with_intervals(
            _("The line between two classes, at every place: t-a-p"),
            ("t", "a", "p"),
            [(cut.name, row) for cut, row in rows],
            style,
            " ".join((line, _kinds([e for _cut, row in rows for e in row]), size, _near_luck(rows), refused)).strip(),
        ),
        _with_intervals(
            _("The line between two classes, at every place: t-a-t and kappa"),
            (_("a, t-a-t"), _("Root kappa"), _("Fleiss’ kappa")),
            [(cut.name, row) for cut, row in also],
            style,
            " ".join(part for part in (size, *beside) if part),
        ),
    )


def _without(found: Scan, kappas: Sequence[Estimate]) -> list[str]:
    """Why a kappa or its interval is not told, each reason once with the lines it is about."""
    why: dict[str, list[str]] = {}
    for cut, e in zip(found.cuts, kappas, strict=True):
        if reason := e.undefined or e.no_interval:
            why.setdefault(reason, []).append(cut.name)
    return [f"{'; '.join(lines)}: {reason}" for reason, lines in why.items()]


def _near_luck(rows: Sequence[tuple[Cut, Sequence[Estimate]]]) -> str:
    """At which lines the accuracy may be none at all, so that nothing is known of the truth either."""
    names = [cut.name for cut, (_t, a, _p) in rows if a.value is not None and a.low is not None and a.low < _LUCK]
    if not names:
        return ""
    return _(
        "At {lines} the interval of a reaches 0: these ratings may be luck, and t and p say nothing there."
    ).format(lines="; ".join(names))


def _determined(fit: Fit | None, name: str) -> Estimate:
    """A number of a fit, if the data determine it."""
    return _OPEN if fit is None or not fit.converged else fit.estimate(name)


def _with_intervals(
    title: str, heads: Sequence[str], rows: Sequence[tuple[str, Sequence[Estimate]]], style: Style, note: str
) -> Table:
    """Named rows of estimates, the interval of each in the column after it."""
    columns = [Column(_("Line between"), wide=True)]
    for head in heads:
        columns += [Column(head, RIGHT), Column(_("CI"), RIGHT)]
    told = [
        (name, *(cell for e in row for cell in (cells.decimal(e.value, style), cells.interval(e, style))))
        for name, row in rows
    ]
    return Table(title, tuple(columns), tuple(told), note)


def _kinds(told: Sequence[Estimate]) -> str:
    """Of which kinds the intervals are."""
    listed = _kinds_of(told)
    return _("CI: {kinds}.").format(kinds=listed) if listed else _("There are no intervals.")


def _kinds_of(told: Sequence[Estimate]) -> str:
    kinds = dict.fromkeys((e.how, e.level or 0.95) for e in told if e.low is not None and e.how)
    return "; ".join(kind_of_interval(how, level) for how, level in kinds)


def class_pairs(found: Pairs, style: Style, nouns: Nouns = PLAIN) -> Table:
    """Every pair of classes alone, the hardest to tell apart first."""
    ordered = sorted(found.pairs, key=lambda p: 2.0 if p.kappa.value is None else p.kappa.value)
    rows = tuple(
        (
            words_pairs.name(p),
            cells.decimal(p.root_kappa.value, style),
            cells.interval(p.root_kappa, style),
            cells.decimal(p.accuracy.value, style),
            cells.interval(p.accuracy, style),
            cells.count(p.compared),
            cells.count(p.ratings),
        )
        for p in ordered
    )
    roots = _kinds_of([p.root_kappa for p in ordered])
    untold = " ".join(f"{p.first} | {p.second}: {p.accuracy.undefined}" for p in ordered if p.accuracy.undefined)
    note = _(
        "Only {ratings} of the two classes count, and only {subjects} with at least two of them. Accuracy by the t-a-t "
        "model. {kinds} {of_roots} A dash: it cannot be told. {roots} {about} {untold}"
    ).format(
        roots=words_pairs.no_roots(found),
        ratings=nouns.ratings,
        subjects=nouns.subjects,
        kinds=_kinds([p.accuracy for p in ordered]),
        of_roots=_("CI of root kappa: {kinds}.").format(kinds=roots) if roots else "",
        about=found.about,
        untold=untold,
    )
    return Table(
        _("Classes confused with each other, the hardest pair first"),
        (
            Column(_("Pair"), wide=True),
            Column(_("Root kappa"), RIGHT),
            Column(_("CI"), RIGHT),
            Column(_("Accuracy"), RIGHT),
            Column(_("CI"), RIGHT),
            Column(_upper(nouns.subjects), RIGHT),
            Column(_upper(nouns.ratings), RIGHT),
        ),
        rows,
        " ".join(note.split()),
    )


def full_counts(ratings: Ratings) -> Table:
    """How many subjects got each combination of classes, the commonest first: all a fit of shared raters knows."""
    counts = ratings.counts()
    each, of_subject = np.unique(counts, axis=0, return_inverse=True)
    number = np.bincount(of_subject.ravel(), ratings.subject_weights(), each.shape[0])
    order = np.lexsort((*(-each.T[::-1]), -number))
    rows = tuple((cells.count(number[i]), *(cells.count(int(c)) for c in each[i])) for i in order)
    columns = tuple(Column(c, RIGHT) for c in numbers.shorts(ratings.classes, 60))
    total = (cells.count(ratings.subject_count), *(cells.count(v) for v in counts.T @ ratings.subject_weights()))
    return Table(
        _("All counts: ratings of a case in each class, and how many cases have them"),
        (Column(_("Cases"), wide=True), *columns),
        (*rows, total),
        _("The commonest first. Last row: all ratings of each class, and all cases."),
        totals=True,
        most=MOST_COUNTS,
    )


def _upper(word: str) -> str:
    return word[:1].upper() + word[1:]
