"""Questions that the papers leave open, asked of the ratings at hand: root kappa, balanced cases, thermometers."""

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import numbers
from tapdesk.answers.charts import Row, Series, curves, forest
from tapdesk.answers.figure import Axis, DataColumn, DataTable, Figure, Line, Mark, Points, Role, Unit, Words
from tapdesk.answers.figures.checks import readable
from tapdesk.answers.fit_words import size
from tapdesk.answers.grids import CELL_NAME, heat
from tapdesk.answers.numbers import SCREEN
from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import Number, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.balance import Balance, balance_study
from tapdesk.studies.fleiss_kappa import kappa_estimate, root

Floats = NDArray[np.float64]
_GRID = 10
_FIFTHS = 5
# Kappa may be more than the square of a: twice as much is the strongest shade.
_STRONGEST = 2.0
_MOST_RATINGS = 8
_MIDDLE = (0.025, 0.975)
FREE_AGREEMENTS = _(
    "Of the agreements of k instruments that agree, k − 1 (whole lines) imply all others (broken). So agreement grows "
    "as the square of what is known, and the root of κ, not κ, is on the scale of an accuracy."
)


def factor(t: Floats, p: Floats, a: float) -> Floats:
    """Kappa over the square of a, (1 - t't)/(1 - c'c) with c = at + (1 - a)p (models.md §2).

    Parameters
    ----------
    t, p
        Shape (..., K) each: rates of the classes.
    a
        The accuracy.

    Returns
    -------
    array
        Shape (...).
    """
    c = a * t + (1 - a) * p
    return np.asarray((1 - (t * t).sum(axis=-1)) / np.maximum(1 - (c * c).sum(axis=-1), 1e-12))


def of_two(rate: Floats) -> Floats:
    """Shape (..., 2): the rates of both classes, by that of class 1."""
    return np.stack([1 - rate, rate], axis=-1)


def one_accuracy(fit: Fit, ratings: Ratings) -> Run[Fit]:
    """The answer itself where it is of t-a-p, else t-a-p fitted to the same ratings.

    Raises
    ------
    CannotAnswerError
        When these ratings do not determine its numbers.
    """
    found = fit
    if fit.model.name != "t-a-p":
        request = Request(model("t-a-p"), interval="none", level=fit.interval[1], seed=fit.seed)
        if reason := refusal(ratings, request):
            raise CannotAnswerError(reason)
        found = yield from analyse(ratings, request, shares=False)
    if reason := _open(found):
        raise CannotAnswerError(reason)
    return found


def _open(fit: Fit) -> str | None:
    """Why a fit of t-a-p does not tell its numbers, or None."""
    if fit.converged and all(e.estimate.value is not None for e in fit.estimates):
        return None
    return _("These {ratings} do not determine the numbers of t-a-p: {why}").format(why=fit.identification.words)


def kappa_factor_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why kappa cannot be set beside the square of the accuracy, or None."""
    if ratings.subject.size and not (ratings.ratings_per_subject() > 1).any():
        return _("No {subject} has two {ratings}, so there is no kappa.")
    if (reason := readable(fit, ratings)) is not None:
        return reason
    return _open(fit) if fit.model.name == "t-a-p" else None


def kappa_factor(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """Kappa over the square of a: of two classes as a map over t and p, then root kappa beside the accuracy."""
    found = yield from one_accuracy(fit, ratings)
    point = found.parameters
    a, t, p = float(point.accuracy[0, 0]), point.truth, point.guessing[0, 0]
    own = float(factor(t, p, a))
    title = _("With these {ratings} κ is {own} of the square of a, and its root {root} of a").format(
        own=numbers.percent(own), root=numbers.percent(float(np.sqrt(own)))
    )
    note = _("N = {size}; t-a-p model. κ/a² = (1 − Σt²)/(1 − Σc²) over the classes, c = at + (1 − a)p.").format(
        size=size(found)
    )
    kappa = root(kappa_estimate(ratings, fit.interval[1]))
    implied = Estimate(a * float(np.sqrt(own)))
    rows: list[Row] = [
        (_("a, by t-a-p"), found.estimate("a"), Role.MODEL),
        (_("√κ that follows from t, a, p"), implied, Role.REFERENCE),
        (_("√κ of these {ratings}"), kappa, Role.CLASSICAL),
    ]
    beside = forest(
        rows,
        SCREEN,
        kind="kappa_factor",
        title=title,
        note=joined(note, _("Root kappa is the accuracy where t = p; apart from there it is off by the root of κ/a².")),
    )
    if len(found.classes) != 2:
        return (beside,)
    return (_map(float(t[1]), float(p[1]), a, own, note), beside)


def _map(t: float, p: float, a: float, own: float, note: str) -> Figure:
    """Tenths of t, the largest on top, by tenths of p; the line t = p, and where these ratings lie."""
    at = (np.arange(_GRID) + 0.5) / _GRID
    values = factor(of_two(at[::-1, None]), of_two(at[None, :]), a)
    ticks = tuple((_place(i / _FIFTHS), Number(f"{i / _FIFTHS:g}")) for i in range(_FIFTHS + 1))
    axes = (
        Axis(_("p, how often guesses say so"), _place(0.0), _place(1.0), ticks),
        Axis(_("t, how common class 1 is"), _place(0.0), _place(1.0), ticks),
    )
    title = _("κ is {own} of a² at t = {t} and p = {p}").format(
        own=numbers.percent(own), t=numbers.decimal(t), p=numbers.decimal(p)
    )
    words = _(
        "In the cells κ/a² at a = {a}. On the line t = p it is 1, and near it root kappa holds up. Diamond: these "
        "{ratings}."
    ).format(a=numbers.decimal(a))
    drawn = heat(
        "kappa_factor",
        title,
        (at[::-1].tolist(), at.tolist()),
        values,
        axes,
        numbers.decimal,
        note=joined(note, words),
        ends=(0.0, _STRONGEST),
        value=DataColumn("value", _("κ/a²")),
    )
    rows = (*drawn.table.rows, (t, p, own))
    return Figure(
        drawn.kind,
        title,
        drawn.alt,
        *axes,
        (
            *drawn.marks,
            Line("", np.array([_place(0.0), _place(1.0)]), np.array([_place(0.0), _place(1.0)]), Role.REFERENCE),
            Points("", np.array([_place(p)]), np.array([_place(t)]), Role.SINGLED_OUT, rows=(len(rows) - 1,)),
        ),
        drawn.note,
        DataTable(drawn.table.columns, rows),
        drawn.height,
    )


def _place(rate: float) -> float:
    """Where a rate lies among cells that are one unit wide."""
    return _GRID * rate - 0.5


def balance_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why no cases can be left out for balance, or None."""
    if len(ratings.classes) != 2:
        return _("Balance is of two classes, and there are {classes}: choose what is counted.").format(
            classes=len(ratings.classes)
        )
    return kappa_factor_needs(fit, ratings)


def balancing(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """Kappa and accuracy with all cases and with as many of either class, here and where the accuracy is known."""
    found = yield from one_accuracy(fit, ratings)
    study = yield from balance_study(ratings, found, fit.seed)
    before, after = (_spread(values) for values in (study.own.kappa, study.own.kappa_after))
    rows = [*_rows(study.own, _("these {ratings}").format()), *_rows(study.made, _("made"))]
    title = _(
        "Leaving out {subjects} of “{name}” would move κ from {before} to {after}; panels of a = {a} would seem to "
        "have {wrong}"
    )
    made = _spread(study.made.a_after)
    note = _(
        "N = {size}; {n} of {all} {subjects} would be left: as many with most {ratings} in one class as in the other, "
        "drawn {sets} times; lines: the middle 95 %. Made: panels made with t = {t}, a = {a}. Nobody in them becomes "
        "better when {subjects} are left out: how far a is from {a} then is what leaving out does, for it leaves those "
        "whose {ratings} agree, and fewer."
    ).format(
        size=size(found),
        n=numbers.count(float(study.own.left.mean())),
        all=numbers.count(ratings.subject_count),
        sets=numbers.count(study.own.left.size),
        t=numbers.decimal(study.t),
        a=numbers.decimal(study.a),
    )
    figure = forest(
        rows,
        SCREEN,
        kind="balance",
        title=title.format(
            name=numbers.short(ratings.classes[study.frequent], CELL_NAME),
            before=numbers.decimal(before.value),
            after=numbers.decimal(after.value),
            a=numbers.decimal(study.a),
            wrong=numbers.decimal(made.value),
        ),
        note=note,
        marks=(Mark(_("a = {a}").format(a=numbers.decimal(study.a)), study.a),),
        each=True,
    )
    return (figure,)


def _rows(one: Balance, name: str) -> list[Row]:
    """Four numbers of some data sets."""
    of = (
        (_("κ, {name}: all"), one.kappa, Role.CLASSICAL),
        (_("κ, {name}: balanced"), one.kappa_after, Role.SINGLED_OUT),
        (_("a, {name}: all"), one.a, Role.MODEL),
        (_("a, {name}: balanced"), one.a_after, Role.SINGLED_OUT),
    )
    return [(words.format(name=name), _spread(values), role) for words, values, role in of]


def _spread(values: Floats) -> Estimate:
    """The mean of some values with their middle 95 %; no range where they are all alike."""
    known = values[np.isfinite(values)]
    if not known.size:
        return Estimate(None)
    mean = float(known.mean())
    low, high = (float(end) for end in np.quantile(known, _MIDDLE))
    return Estimate(mean) if high - low < 1e-9 else Estimate(mean, low=min(low, mean), high=max(high, mean), level=0.95)


def thermometers_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why agreements cannot be counted, or None."""
    del fit
    return None if ratings.subject.size else _("There are no {ratings} to draw.")


def thermometers(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """How agreements and evidence grow with the ratings of a case, and which agreements follow from others."""
    k = ratings.ratings_per_subject()
    usual = int(np.median(np.repeat(k, ratings.subject_weights().astype(np.int64)))) if k.size else 2
    note: str = FREE_AGREEMENTS
    if usual >= 2:
        here = ngettext(
            "The usual {subject} here has {k} {ratings}: one agreement, which is free.",
            "The usual {subject} here has {k} {ratings}: {n} agreements, {free} of them free.",
            usual - 1,
        ).format(k=numbers.count(usual), n=numbers.count(usual * (usual - 1) // 2), free=numbers.count(usual - 1))
        note = joined(here, note)
    note = joined(_("N = {size}.").format(size=size(fit)), note)
    return (growth(note), instruments(3, note), instruments(4, note))


def growth(note: str) -> Figure:
    """Agreements k(k - 1)/2, their root, and evidence k, each relative to two ratings."""
    k = np.arange(2.0, _MOST_RATINGS + 1)
    pairs = k * (k - 1) / 2
    every = ((_("agreements"), pairs, Role.CLASSICAL), (_("their root"), np.sqrt(pairs), Role.MODEL),
             (_("evidence"), k / 2, Role.REFERENCE))  # fmt: skip
    return curves(
        "thermometers",
        _("Three instruments for two: half as much evidence again, three times the agreements"),
        Axis(_("{ratings} of {a_subject}").format(), 1.8, k[-1] + 0.2, tuple((x, Number(f"{x:g}")) for x in k)),
        Axis(_("relative to two"), 0.0, 30.0, tuple((float(x), Number(str(x))) for x in (0, 10, 20, 30))),
        [Series(name, k, y, role) for name, y, role in every],
        note=note,
    )


def instruments(n: int, note: str) -> Figure:
    """So many instruments in a circle, and every agreement between two of them."""
    turn = np.pi / 2 + 2 * np.pi * np.arange(n) / n
    x, y = np.cos(turn), np.sin(turn)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    lines = [_agreement(x, y, at, pair) for at, pair in enumerate(pairs)]
    names = [Words(str(i + 1), x[[i]], y[[i]], Role.OBSERVED) for i in range(n)]
    title = _("{n} instruments: {all} agreements, {free} of them free").format(n=n, all=len(pairs), free=n - 1)
    none = ((-1.4, ""),)
    axes = Axis("", -1.4, 1.4, none), Axis("", -1.4, 1.4, none)
    table = DataTable(
        (DataColumn("row", _("One"), Unit.NAME), DataColumn("column", _("Other"), Unit.NAME),
         DataColumn("what", _("Agreement"), Unit.NAME)),
        tuple((str(i + 1), str(j + 1), _("free") if j == i + 1 else _("implied")) for i, j in pairs),
    )  # fmt: skip
    return Figure("thermometers", title, _("{title}.").format(title=title), *axes, (*lines, *names), note, table)


def _agreement(x: Floats, y: Floats, at: int, pair: tuple[int, int]) -> Line:
    """One agreement, a row of the table: whole where it is not implied by others."""
    i, j = pair
    free = j == i + 1
    return Line("", x[[i, j]], y[[i, j]], Role.MODEL if free else Role.CLASSICAL, (at, at), broken=not free)
