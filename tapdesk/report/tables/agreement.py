"""Tables of coefficients."""

from collections.abc import Sequence

from tapdesk.agreement.coefficients import Coefficient
from tapdesk.agreement.interpretation import ALTMAN, FLEISS, LANDIS_KOCH, WordScale, benchmark, title
from tapdesk.language import gettext as _
from tapdesk.report import numbers
from tapdesk.report.numbers import Style
from tapdesk.report.report import Align, Column, Table
from tapdesk.report.tables import cells
from tapdesk.report.words.intervals import source_of
from tapdesk.report.words.nouns import PLAIN, Nouns, counted

RIGHT = Align.RIGHT
MOST_PAIRS = 20
_KAPPAS = {
    "cohen_kappa", "scott_pi", "fleiss_kappa", "conger_kappa", "light_kappa", "hubert_kappa", "brennan_prediger",
    "gwet_ac", "krippendorff_alpha",
}  # fmt: skip


def coefficients(found: Sequence[Coefficient], style: Style, nouns: Nouns = PLAIN, about: str = "") -> Table:
    """Coefficients of the whole panel with standard error, interval and N; pairs of raters have their own table."""
    shown = [c for c in found if c.raters is None]
    whole = max((c.subjects for c in shown), default=0), max((c.ratings for c in shown), default=0)
    rows, notes = [], []
    places = numbers.places(c.estimate for c in shown)
    for c in shown:
        e = c.estimate
        why = e.undefined or e.no_interval or ""
        if why:
            notes.append(_("{name}: {why}").format(name=title(c), why=_ended(why)))
        if e.value is None:
            continue
        rows.append(
            (
                title(c),
                cells.decimal(e.value, style, places),
                cells.decimal(e.se, style, max(places, 3)),
                cells.interval(e, style, places),
                cells.count(c.subjects),
                cells.count(c.ratings),
            )
        )
    level = next((c.estimate.level for c in shown if c.estimate.level is not None), None)
    interval = _("{level} CI").format(level=numbers.level(level)) if level else _("CI")
    note = _("N = {size}. SE = standard error; CI = confidence interval").format(
        size=counted(whole[0], whole[1], nouns)
    )
    hows = dict.fromkeys(source_of(c.estimate.how) for c in shown if c.estimate.how)
    note = _("{note}, from {how}.").format(note=note, how=_(" or ").join(hows)) if hows else f"{note}."
    alpha = _("AC1 uses another model of chance than kappa does; it is not a corrected kappa.")
    parts = [note, alpha, *_grouped(notes)]
    return Table(
        _("Agreement coefficients") if not about else _("Agreement coefficients, {about}").format(about=about),
        (
            Column(_("Coefficient"), wide=True),
            Column(_("Est."), RIGHT),
            Column(_("SE"), RIGHT),
            Column(interval, RIGHT),
            Column(_upper(nouns.subjects), RIGHT),
            Column(_upper(nouns.ratings), RIGHT),
        ),
        tuple(rows),
        " ".join(parts),
    )


def _grouped(notes: list[str], most: int = 8) -> list[str]:
    """Reasons that several rows share are told once."""
    by_reason: dict[str, list[str]] = {}
    for line in notes:
        name, _sep, why = line.partition(": ")
        by_reason.setdefault(why, []).append(name)
    told = [
        # A reason that begins with the name is not told twice.
        why if names == [why[: len(names[0])]] else _("{names}: {why}").format(names="; ".join(names), why=why)
        for why, names in by_reason.items()
    ]
    return told if len(told) <= most else [*told[:most], _("Further reasons are in the report as a workbook.")]


def _ended(sentence: str) -> str:
    return f"{sentence.rstrip('.')}."


def pair_kappas(found: Sequence[Coefficient], style: Style, nouns: Nouns = PLAIN) -> Table | None:
    """Cohen's kappa of every pair of raters, without credit for near misses."""
    shown = [c for c in found if c.name == "cohen_kappa" and c.raters is not None and c.weights == "identity"]
    if not shown:
        return None
    shown.sort(key=lambda c: 2.0 if c.estimate.value is None else c.estimate.value)
    rows = tuple(
        (
            *(c.raters or ("", "")),
            cells.decimal(c.estimate.value, style),
            cells.interval(c.estimate, style),
            cells.count(c.subjects),
        )
        for c in shown
    )
    level = next((c.estimate.level for c in shown if c.estimate.level is not None), 0.95)
    return Table(
        _("Cohen’s kappa of each pair of {raters}, the lowest first").format(raters=nouns.raters),
        (
            Column(_("First"), wide=True),
            Column(_("Second"), wide=True),
            Column(_("Kappa"), RIGHT),
            Column(_("{level} CI").format(level=numbers.level(level)), RIGHT),
            Column(_("Shared {subjects}").format(subjects=nouns.subjects), RIGHT),
        ),
        rows,
        _("A dash: the two share too few {subjects}, or used one class only.").format(subjects=nouns.subjects)
        if any(c.estimate.value is None for c in shown)
        else "",
        most=MOST_PAIRS,
    )


# The scales a report can print the words of, by the name a project remembers; none unless asked for.
SCALES = {"landis-koch": LANDIS_KOCH, "fleiss": FLEISS, "altman": ALTMAN}


def benchmarks(found: Sequence[Coefficient], style: Style, scale: WordScale = LANDIS_KOCH) -> Table | None:
    """The word of a scale each kappa-type coefficient has earned, with the probability behind it."""
    rows = []
    for c in found:
        told = benchmark(c.estimate, scale)
        if told is None or c.name not in _KAPPAS or c.raters is not None or c.weights not in {None, "identity"}:
            continue
        rows.append((title(c), cells.decimal(c.estimate.value, style), told.word, cells.percent(told.probability)))
    if not rows:
        return None
    return Table(
        _("The words of {scale}").format(scale=scale.name),
        (
            Column(_("Coefficient"), wide=True),
            Column(_("Est."), RIGHT),
            Column(_("Word")),
            Column(_("Sure by"), RIGHT),
        ),
        tuple(rows),
        _(
            "A coefficient gets the highest word that it deserves with a probability of at least 95 %. The limits "
            "of the scale are a convention; it was made for kappa, so no word is given to t, a and p."
        ),
    )


def _upper(word: str) -> str:
    return word[:1].upper() + word[1:]
