"""Pictures of coefficients, of chance, and of the raters one by one."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tapdesk.agreement.coefficients import Coefficient
from tapdesk.agreement.interpretation import title
from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Bars, Figure, Mark, Points, Role
from tapdesk.answers.nouns import PLAIN, Nouns, counted
from tapdesk.answers.numbers import Style
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit, ParameterEstimate
from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.studies.chance import Chance

MOST_ROWS = 40
_NAME = 34
_BINS = 40
_FAR = -0.4


def dots(
    rows: Sequence[tuple[str, Estimate, Role]],
    style: Style,
    *,
    kind: str,
    title: str,
    note: str,
    marks: tuple[Mark, ...] = (),
) -> Figure:
    """Named numbers with intervals on one scale, in the order given from the top.

    Parameters
    ----------
    rows
        Name, number and role of each; numbers without value are left out.
    style
        How numbers are written.
    kind, title, note
        Of the figure.
    marks
        Lines across all rows.
    """
    told = [(name, e, role) for name, e, role in rows if e.value is not None]
    shown = told[:MOST_ROWS]
    if len(told) > len(shown):
        note = _("{note} The first {n} of {all} rows are drawn.").format(
            note=note, n=numbers.count(len(shown)), all=numbers.count(len(told))
        )
    lowest = min((min(e.value or 0.0, e.low if e.low is not None else 0.0) for _name, e, _role in shown), default=0.0)
    # Far below 0 there is no room for a word at every fifth.
    fine = 5 if lowest >= _FAR else 2
    low = 0.0 if lowest >= 0 else -float(np.ceil(-fine * lowest - 1e-9)) / fine
    points = [
        Points(
            _value(e, style),
            np.array([e.value]),
            np.array([float(at)]),
            role,
            np.array([e.value if e.low is None else e.low]),
            np.array([e.value if e.high is None else e.high]),
            horizontal=True,
        )
        for at, (_name, e, role) in zip(range(len(shown) - 1, -1, -1), shown, strict=True)
    ]
    steps = round((1 - low) * fine)
    ticks = tuple((low + i / fine, _tick(low + i / fine, style)) for i in range(steps + 1))
    called = numbers.shorts([name for name, _e, _role in shown], _NAME)
    names = tuple((float(len(shown) - 1 - i), name) for i, name in enumerate(called))
    return Figure(
        kind=kind,
        title=title,
        alt=_alt(title, "; ".join(f"{name} {_value(e, style)}" for name, e, _role in shown)),
        x=Axis("", low, 1.0, ticks),
        # Words beside a line stand above the first row.
        y=Axis("", -0.6, len(shown) - (0.4 if not marks else -0.4), names),
        marks=(*marks, *points),
        note=note,
    )


def _alt(title: str, told: str) -> str:
    return _("{title}: {told}.").format(title=title, told=told) if title else _("{told}.").format(told=told)


def _tick(value: float, style: Style) -> str:
    if abs(value) < 1e-9 or abs(value - 1) < 1e-9:
        return Number(f"{abs(value):.0f}")
    return numbers.decimal(value, style, 1)


def _value(e: Estimate, style: Style) -> str:
    if e.low is None:
        return numbers.value(e, style)
    reach = numbers.interval(e, style)
    words = _("{value} {reach}") if style.brackets else _("{value}, {reach}")
    return words.format(value=numbers.value(e, style), reach=reach)


_OF_ONE_STYLE = frozenset(
    {"estimates", "parameters", "profile", "paradox", "calibration", "votes", "entropy", "scan", "expected", "recovery"}
)
_ZERO = re.compile(r"(?<![\d.])0(?=\.\d)")


def restyled(figure: Figure, style: Style) -> Figure:
    """A figure of one fit with its values written in a style: labels beside rows, ticks and title."""
    if style.leading_zero or figure.kind not in _OF_ONE_STYLE:
        return figure
    return replace(
        figure,
        title=_ZERO.sub("", figure.title),
        note=_ZERO.sub("", figure.note),
        x=replace(figure.x, ticks=tuple((at, _ZERO.sub("", words)) for at, words in figure.x.ticks)),
        y=replace(figure.y, ticks=tuple((at, _ZERO.sub("", words)) for at, words in figure.y.ticks)),
        marks=tuple(replace(m, label=_ZERO.sub("", m.label)) for m in figure.marks),
    )


# The strip of a summary: raw agreement, kappa, AC1 and alpha side by side, never one of them alone.
STRIP = ("percent_agreement", "fleiss_kappa", "gwet_ac", "krippendorff_alpha")


def strip(found: Sequence[Coefficient]) -> list[tuple[str, Estimate, Role]]:
    """The rows of a strip: the coefficients everyone asks for, and agreement on each of two classes."""
    rows = [
        (title(c), c.estimate, Role.CLASSICAL)
        for name in STRIP
        for c in found
        if c.name == name and c.weights in {None, "identity"} and c.metric in {None, "nominal"}
    ]
    specific = [c for c in found if c.name == "specific_agreement"]
    if len(specific) == 2:
        rows += [(title(c), c.estimate, Role.CLASSICAL) for c in specific]
    return rows


def accuracies(fit: Fit) -> tuple[ParameterEstimate, ...]:
    """The accuracies of the raters, the highest first, those without value last."""
    found = [e for e in fit.estimates if e.name.name == "a" and e.name.rater is not None]
    return tuple(sorted(found, key=lambda e: -1.0 if e.estimate.value is None else e.estimate.value, reverse=True))


def raters_needs(fit: Fit, nouns: Nouns = PLAIN) -> str | None:
    """Why no accuracy of a rater can be drawn, or None."""
    if any(e.estimate.value is not None for e in accuracies(fit)):
        return None
    return _("These {ratings} leave open how often the {ratings} of each {rater} follow the {subject}.").format(
        ratings=nouns.ratings, rater=nouns.rater, subject=nouns.subject
    )


def raters(fit: Fit, style: Style, nouns: Nouns = PLAIN, panel: Estimate | None = None) -> Figure:
    """Accuracy of each rater with interval, the highest first; diamonds where the interval excludes the panel's."""
    rows = []
    for e in accuracies(fit):
        found = e.estimate
        apart = (
            panel is not None
            and panel.value is not None
            and found.low is not None
            and found.high is not None
            and not found.low <= panel.value <= found.high
        )
        rows.append((e.name.rater or "", found, Role.SINGLED_OUT if apart else Role.MODEL))
    lines: tuple[Mark, ...] = ()
    if panel is not None and panel.value is not None:
        lines = (Mark(_("panel"), panel.value, vertical=True),)
    return dots(
        rows,
        style,
        kind="raters",
        title=_("How often the ratings of each {rater} follow the {subject}").format(
            rater=nouns.rater, subject=nouns.subject
        ),
        note=_(
            "N = {size}; {model} model, {level} intervals. "
            "Diamond: the interval does not hold the accuracy of the whole panel."
        ).format(
            size=counted(fit.subjects, fit.ratings, nouns),
            model=fit.model.name,
            level=numbers.level(fit.interval[1]),
        ),
        marks=lines,
    )


def chance(found: Chance) -> Figure:
    """The likelihood ratios of panels without information, and where the real one stands."""
    draws, seen = found.test.draws, found.test.statistic
    top = 1.08 * max(float(draws.max(initial=1.0)), seen, 1.0)
    heights, edges = np.histogram(draws, _BINS, (0.0, max(float(draws.max(initial=1.0)), 1e-6)))
    share = heights / max(draws.size, 1)
    # As the test counts them: a tie is no difference in the last digit.
    reached = round(found.test.p_bootstrap * (1 + found.test.replicates)) - 1
    return Figure(
        kind="chance",
        title=_("{n} of {all} simulated panels without information look as informed as these ratings").format(
            n=numbers.count(reached), all=numbers.count(draws.size)
        ),
        alt=_(
            "Likelihood ratio against accuracy 0. The real ratings reach {seen}. Of {all} simulated panels without "
            "information half stay below {half}, 95 of 100 below {most}; {n} reach the real one."
        ).format(
            seen=numbers.large(seen, 1),
            all=numbers.count(draws.size),
            half=numbers.large(found.test.quantiles.get("0.5"), 1),
            most=numbers.large(found.test.quantiles.get("0.95"), 1),
            n=numbers.count(reached),
        ),
        x=Axis(_("Likelihood ratio against accuracy 0"), 0.0, top),
        y=Axis(_("Share of simulated panels"), 0.0, max(float(share.max(initial=0.0)), 0.02) * 1.15, percent=True),
        marks=(
            Bars("", edges.astype(np.float64), share.astype(np.float64), Role.REFERENCE),
            Mark(_("these ratings"), seen, vertical=True, role=Role.MODEL),
        ),
        note=_("N = {size}; {model} model. Bars: panels simulated at the observed rates.").format(
            size=counted(found.subjects, found.ratings), model=found.model
        ),
    )
