"""Coefficients and lines as cells, sentences, pictures and rows; wording comes from explain and the report."""

from collections.abc import Sequence

import numpy as np

from tapdesk.agreement.coefficient import Coefficient
from tapdesk.agreement.explain import paradox, reading, title
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.gui.telling import places
from tapdesk.gui.widgets.numbers import Cell
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.models.model import Accuracy
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.report.figure import Figure, Role
from tapdesk.report.figures import agreement as figures_agreement
from tapdesk.report.figures.design import class_pairs
from tapdesk.report.numbers import DASH, SCREEN
from tapdesk.report.report import Paragraph, Section, Voice
from tapdesk.report.tables.agreement import coefficients as printed
from tapdesk.report.words.fit import too_wide
from tapdesk.studies.scan import Cut, Scan

Rows = tuple[tuple[str, ...], list[tuple[str, ...]]]

# The cells of the strip: coefficient, symbol, whose it is or what of.
CELLS = (
    ("percent_agreement", _("Raw"), _("agreement")),
    ("fleiss_kappa", _("Kappa"), _("Fleiss")),
    ("gwet_ac", "AC1", _("Gwet")),
)
FOREST = ("percent_agreement", "scott_pi", "fleiss_kappa", "conger_kappa", "brennan_prediger", "gwet_ac")
READ = ("percent_agreement", "fleiss_kappa", "gwet_ac", "brennan_prediger")
SHORT = 18  # letters of a class in a cell of the strip


def _plain(found: Sequence[Coefficient]) -> list[Coefficient]:
    """Coefficients of the whole panel without credit for near misses."""
    return [c for c in found if c.raters is None and c.weights in {None, "identity"}]


def cells(found: Sequence[Coefficient], waiting: str = "", why: str = "", shares: Sequence[float] = ()) -> list[Cell]:
    """Raw agreement, kappa and AC1 as cells of the strip; where those tell different stories, each class as well.

    Parameters
    ----------
    found
        The coefficients; empty while they are worked out, or when they could not be.
    waiting
        What is said meanwhile.
    why
        The reason why there are none.
    shares
        Of the ratings in each class.
    """
    told = []
    for name, symbol, words in CELLS:
        c = next((c for c in _plain(found) if c.name == name), None)
        missing = Cell(symbol, words, "…" if waiting else DASH, waiting, "", ours=False, why=why)
        told.append(missing if c is None else _cell(c, symbol, words))
    # Of two classes, one common: kappa is low, and what raters agree on is seen only class by class.
    if len(shares) == 2 and paradox(tuple(found), max(shares)):
        own = [c for c in found if c.name == "specific_agreement" and c.category is not None]
        named = zip(own, numbers.shorts([c.category or "" for c in own], SHORT), strict=True)
        told += [_cell(c, _("On “{one}”").format(one=one), _("agreement")) for c, one in named]
    return told


def _cell(c: Coefficient, symbol: str, words: str) -> Cell:
    e = c.estimate
    value, interval = reach(e)
    interval = interval if e.low is not None else _("no interval")
    reasons = [e.undefined, e.no_interval if e.value is not None and e.low is None else "", c.note]
    return Cell(symbol, words, value, interval, _size(c), ours=False, why=" ".join(r for r in reasons if r))


def _size(c: Coefficient) -> str:
    return ngettext("{subjects} case, {ratings} ratings", "{subjects} cases, {ratings} ratings", c.subjects).format(
        subjects=numbers.count(c.subjects), ratings=numbers.count(c.ratings)
    )


def forest(found: Sequence[Coefficient]) -> Figure:
    """The coefficients everyone asks for on one scale, each with its interval."""
    plain = [c for c in _plain(found) if c.metric in {None, "nominal"}]
    specific = [c for c in plain if c.name == "specific_agreement"]
    shown = [c for name in (*FOREST, "krippendorff_alpha") for c in plain if c.name == name]
    shown += [c for c in found if c.name == "cohen_kappa" and c.weights == "identity" and len(_pairs(found)) == 1]
    shown[1:1] = specific if len(specific) < 5 else []
    rows = [(title(c), c.estimate, Role.CLASSICAL) for c in shown]
    name = _("Agreement coefficients, each with its interval")
    # The report's own words below its table: N, and where the intervals come from.
    return figures_agreement.dots(rows, SCREEN, kind="agreement", title=name, note=printed(shown, SCREEN).note)


def table(found: Sequence[Coefficient]) -> Rows:
    """Every coefficient: value, interval, N, what was left out, and what must be known or why there is none."""
    rows = []
    for c in found:
        e = c.estimate
        remarks = [e.undefined, e.no_interval if e.value is not None and e.low is None else "", c.note]
        rows.append(
            (
                title(c),
                *reach(e),
                numbers.count(c.subjects),
                numbers.count(c.ratings),
                numbers.count(c.left_out.ratings),
                " ".join(r for r in remarks if r),
            )
        )
    return (
        _("Coefficient"),
        _("Value"),
        _("Interval"),
        _("Cases"),
        _("Ratings"),
        _("Ratings left out"),
        _("Remark"),
    ), rows


def differ(found: Sequence[Coefficient], fit: Fit | None, warning: Section | None) -> list[tuple[str, str]]:
    """What each of the coefficients says of accuracy, one after the other; a warning where they tell two stories.

    Parameters
    ----------
    found, fit
        The coefficients, and the model whose accuracy is set beside them where it has one.
    warning
        The report's section on agreement, which warns where one class is so common that kappa misleads.
    """
    blocks = () if warning is None else warning.blocks
    told = [(b.opening, b.text) for b in blocks if isinstance(b, Paragraph) and b.voice is Voice.WARNING]
    fitted = None
    # What is known too roughly, or lies on the edge, is nothing to set another number beside.
    sure = fit is not None and fit.identification.identified and not fit.degenerate and not too_wide(fit)
    if fit is not None and sure and fit.model.accuracy is Accuracy.ONE:
        fitted = fit.estimate("a")
    plain = _plain(found)
    return told + [(title(c), reading(c, fitted, _exactly)) for name in READ for c in plain if c.name == name]


def _exactly(value: float) -> str:
    """A number with as many places as keep it from reading 0 or 1 where it is neither."""
    return numbers.decimal(value, places=places(Estimate(value)))


def _pairs(found: Sequence[Coefficient]) -> list[Coefficient]:
    return [c for c in found if c.name == "cohen_kappa" and c.raters is not None and c.weights == "identity"]


def pairs(found: Sequence[Coefficient]) -> tuple[tuple[str, ...], list[tuple[str, ...]], str] | None:
    """Cohen's kappa of every two raters, each with its interval and N, the lowest first; None without pairs."""
    told = _pairs(found)
    if not told:
        return None
    told.sort(key=lambda c: 2.0 if c.estimate.value is None else c.estimate.value)
    rows = [(*(c.raters or ()), *reach(c.estimate), numbers.count(c.subjects)) for c in told]
    return (_("First"), _("Second"), _("Kappa"), _("Interval"), _("Shared cases")), rows, _dash(told)


def _dash(told: Sequence[Coefficient]) -> str:
    known = sorted(c.subjects for c in told)
    shared = (
        _("{low} to {high}").format(low=numbers.count(known[0]), high=numbers.count(known[-1]))
        if known[0] != known[-1]
        else numbers.count(known[0])
    )
    words = ngettext(
        "Every two raters share {shared} case.", "Every two raters share {shared} cases.", known[-1]
    ).format(shared=shared)
    if any(c.estimate.value is None for c in told):
        return _("{words} A dash: the two share too few cases, or used one class only.").format(words=words)
    return words


def reach(found: Estimate) -> tuple[str, str]:
    """Value and interval of a number, with as many places as they need."""
    digits = places(found)
    return numbers.decimal(found.value, places=digits), numbers.interval(found, places=digits)


def _accuracy(cut: Cut) -> Estimate | None:
    fit = cut.free
    return fit.estimate("a") if fit is not None and fit.converged and fit.identification.identified else None


def lines(found: Scan) -> Figure:
    """The accuracy at every line between two classes, and the root of kappa beside it."""
    rows = []
    for cut in found.cuts:
        accuracy = _accuracy(cut)
        if accuracy is not None:
            rows.append((f"{cut.name}, a", accuracy, Role.MODEL))
        rows.append((f"{cut.name}, √κ", cut.root_kappa, Role.CLASSICAL))
    untold = [f"{cut.name}: {_refused(cut)}" for cut in found.cuts if _accuracy(cut) is None]
    size = found.cuts[0]
    note = _(
        "N = {subjects} cases, {ratings} ratings at every line. Circle: accuracy by the t-a-p "
        "model. Square: root of Fleiss’ kappa. {untold}"
    ).format(subjects=numbers.count(size.subjects), ratings=numbers.count(size.ratings), untold=" ".join(untold))
    name = _("How often a rating follows the case itself, at every line between two grades")
    return figures_agreement.dots(rows, SCREEN, kind="lines", title=name, note=note.strip())


def _refused(cut: Cut) -> str:
    return cut.refused or (cut.free.identification.words if cut.free is not None else "")


def lines_table(found: Scan) -> Rows:
    """Every line: a, root kappa, t and p with intervals, or why there are none."""
    rows = []
    for cut in found.cuts:
        row = [cut.name, f"{{{', '.join(numbers.short(c, 24) for c in cut.high)}}}"]
        fit = cut.free if _accuracy(cut) is not None else None
        for name in ("a", "t", "p"):
            row += reach(fit.estimate(name)) if fit is not None else (DASH, DASH)
        row += reach(cut.root_kappa)
        rows.append((*row, _refused(cut) if fit is None else ""))
    parts = ("a", _("Interval"), "t", _("Interval"), "p", _("Interval"), "√κ", _("Interval"))
    return (_("Line"), _("Class 1: above it"), *parts, _("Remark")), rows


def confused(ratings: Ratings) -> Rows:
    """When one rater gives the category of the row, how often another gives each: rows sum to 100 %."""
    pairs = class_pairs(ratings)
    share = pairs / np.maximum(pairs.sum(axis=1, keepdims=True), 1e-300)
    header = (_("One says"), *(_("Another says “{label}”").format(label=c) for c in ratings.classes))
    return header, [
        (c, *(numbers.percent(float(v)) if pairs[i].sum() else DASH for v in share[i]))
        for i, c in enumerate(ratings.classes)
    ]
