"""Pairs of raters as a heat map with numbers."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tapdesk.agreement.coefficients import Coefficient, agree
from tapdesk.answers import fonts, numbers
from tapdesk.answers.figure import Axis, Cells, Figure
from tapdesk.answers.nouns import PLAIN, Nouns
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings

# More columns than this are too narrow for their numbers on a page.
MOST_RATERS = 30
_WHOLE = 14
_NAME = 22
_ACROSS = 430.0
_MOST_TOLD = 10


def pairs_figure(found: Sequence[Coefficient], style: Style = SCREEN, nouns: Nouns = PLAIN) -> tuple[Figure, ...]:
    """Cohen's kappa of every two raters as a square of shaded cells with numbers.

    Parameters
    ----------
    found
        Coefficients as `tapdesk.agreement.coefficients.agree` returns them.
    style, nouns
        How numbers are written, and what raters and subjects are called.

    Returns
    -------
    tuple of Figure
        One figure; none for fewer than three raters or more than ``MOST_RATERS``, or raters that are not known.
    """
    told = [c for c in found if c.name == "cohen_kappa" and c.raters is not None and c.weights == "identity"]
    names = tuple(dict.fromkeys(name for c in told for name in c.raters or ()))
    if not 3 <= len(names) <= MOST_RATERS or all(c.estimate.value is None for c in told):
        return ()
    values, shared = _square(told, names)
    order = _by_mean(values)
    names, values = tuple(names[i] for i in order), values[np.ix_(order, order)]
    n = len(names)
    by_number = _numbered(names)
    called = numbers.shorts(names, _NAME)
    rows = tuple((float(n - 1 - i), f"{name} ({i + 1})" if by_number else name) for i, name in enumerate(called))
    columns = tuple((float(i), str(i + 1) if by_number else name) for i, name in enumerate(called))
    figure = Figure(
        kind="pairs",
        title=_("Cohen’s kappa of every two {raters}").format(raters=nouns.raters),
        alt=_alt(told, style, nouns),
        x=Axis("", -0.5, n - 0.5, columns),
        y=Axis("", -0.5, n - 0.5, rows),
        marks=(Cells("", values, _texts(values, style)),),
        note=_note(told, shared, style, nouns),
    )
    return (figure,)


def height(figure: Figure) -> float:
    """How high the picture is drawn, in pixels."""
    rows = len(figure.y.ticks)
    return 46.0 + rows * (34.0 if rows <= 8 else 26.0 if rows <= _WHOLE else 18.0)


def _square(told: Sequence[Coefficient], names: tuple[str, ...]) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """Shape (raters, raters): kappas, NaN where there is none; and the fewest and most cases two raters share."""
    place = {name: i for i, name in enumerate(names)}
    values = np.full((len(names), len(names)), np.nan)
    for c in told:
        if c.raters is not None and c.estimate.value is not None:
            i, j = place[c.raters[0]], place[c.raters[1]]
            values[i, j] = values[j, i] = c.estimate.value
    each = [c.subjects for c in told if c.estimate.value is not None]
    return values, (min(each), max(each))


def _by_mean(values: NDArray[np.float64]) -> list[int]:
    """The raters who agree most with the others first; equal ones as they come."""
    known = np.isfinite(values)
    mean = np.where(known, values, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    mean[~known.any(axis=1)] = -2.0
    return [int(i) for i in np.argsort(-mean, kind="stable")]


def _hundredths(count: int) -> bool:
    """Whether cells are so narrow that kappas are written without point and zero."""
    return count > _WHOLE


def _texts(values: NDArray[np.float64], style: Style) -> tuple[tuple[str, ...], ...]:
    small = _hundredths(values.shape[0])

    def text(value: float) -> str:
        if not np.isfinite(value):
            return ""
        return f"{100 * value:.0f}".replace("-", "−") if small else numbers.decimal(value, style)

    return tuple(tuple(text(float(v)) for v in row) for row in values)


def _numbered(names: tuple[str, ...]) -> bool:
    """Whether the columns stand by number, for the names would not fit beside each other."""
    room = _ACROSS / len(names) - 10
    return any(fonts.width(numbers.short(name, _NAME), 13) > room for name in names)


def _note(told: Sequence[Coefficient], shared: tuple[int, int], style: Style, nouns: Nouns) -> str:
    least, most = shared
    each = (
        numbers.count(least)
        if least == most
        else _("{least} to {most}").format(least=numbers.count(least), most=numbers.count(most))
    )
    subjects = nouns.subject if least == most == 1 else nouns.subjects
    parts = [
        _(
            "Two {raters} share {each} {subjects}. The stronger the shade, the higher; who agrees most with the "
            "others comes first."
        ).format(raters=nouns.raters, each=each, subjects=subjects)
    ]
    if _hundredths(len({name for c in told for name in c.raters or ()})):
        told_small = _("Numbers, where there is room for them, are kappas in hundredths: 71 is {value}.")
        parts.append(told_small.format(value=numbers.decimal(0.71, style)))
    if any(c.estimate.value is not None and c.estimate.value < 0 for c in told):
        parts.append(_("Framed: below 0, less agreement than luck alone would give."))
    if any(c.estimate.value is None for c in told):
        parts.append(
            _("No number: the two share too few {subjects}, or used one class only.").format(subjects=nouns.subjects)
        )
    return " ".join(parts)


def _alt(told: Sequence[Coefficient], style: Style, nouns: Nouns) -> str:
    """The lowest and highest pairs in words; of few raters all."""
    known = sorted((c for c in told if c.estimate.value is not None), key=lambda c: c.estimate.value or 0.0)
    listed = known if len(known) <= 2 * _MOST_TOLD else [*known[:_MOST_TOLD], *known[-_MOST_TOLD:]]
    words = "; ".join(
        _("{one} and {other} {value}").format(
            one=c.raters[0], other=c.raters[1], value=numbers.decimal(c.estimate.value, style)
        )
        for c in listed
        if c.raters is not None
    )
    if len(listed) < len(known):
        return _(
            "Heat map of Cohen’s kappa of {n} pairs of {raters}, here the lowest and the highest: {words}."
        ).format(n=numbers.count(len(known)), raters=nouns.raters, words=words)
    return _("Heat map of Cohen’s kappa of every two {raters}, from the lowest: {words}.").format(
        raters=nouns.raters, words=words
    )


def pairs_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why there is no heat map; None where there is."""
    del fit
    if not ratings.raters_known:
        return _("The file does not say which rater gave which rating, so pairs of raters cannot be compared.")
    if not 3 <= len(ratings.raters) <= MOST_RATERS:
        return _("The picture of pairs needs 3 to {most} raters; there are {n} here.").format(
            most=MOST_RATERS, n=numbers.count(len(ratings.raters))
        )
    if not pairs(None, ratings):
        return _("No two raters share enough cases for a kappa.")
    return None


def pairs(fit: Fit | None, ratings: Ratings) -> tuple[Figure, ...]:
    """The heat map of these ratings."""
    del fit
    if not ratings.raters_known or not 3 <= len(ratings.raters) <= MOST_RATERS:
        return ()
    return pairs_figure(finish(agree(ratings, interval="none")))
