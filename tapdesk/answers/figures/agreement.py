"""Pictures of agreement: coefficients side by side, and every two raters."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tapdesk.agreement.coefficients import COEFFICIENTS, Coefficient, agree
from tapdesk.agreement.interpretation import title
from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, DataColumn, Figure, Role
from tapdesk.answers.grids import CELL_NAME, heat, wider
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings

# More columns than this are too narrow for their numbers on a page.
MOST_RATERS = 30
_WHOLE = 14


def strip(coefficients: Sequence[Coefficient]) -> list[tuple[str, Estimate, Role]]:
    """The rows of a strip: the coefficients everyone asks for, never one alone; and each of two classes."""
    rows = [
        (title(c), c.estimate, Role.CLASSICAL)
        for kind in COEFFICIENTS
        if kind.strip
        for c in coefficients
        if c.name == kind.name and c.weights in {None, "identity"} and c.metric in {None, "nominal"}
    ]
    specific = [c for c in coefficients if c.name == "specific_agreement"]
    if len(specific) == 2:
        rows += [(title(c), c.estimate, Role.CLASSICAL) for c in specific]
    return rows


def pairs_figure(coefficients: Sequence[Coefficient], style: Style = SCREEN) -> tuple[Figure, ...]:
    """Cohen's kappa of every two raters as a square of shaded cells with numbers.

    Parameters
    ----------
    coefficients
        Coefficients as `tapdesk.agreement.coefficients.agree` returns them.
    style
        How numbers are written.

    Returns
    -------
    tuple of Figure
        One figure; none for fewer than three raters or more than ``MOST_RATERS``, or raters that are not known.
    """
    sentences = [
        c for c in coefficients if c.name == "cohen_kappa" and c.raters is not None and c.weights == "identity"
    ]
    names = tuple(dict.fromkeys(name for c in sentences for name in c.raters or ()))
    if not 3 <= len(names) <= MOST_RATERS or all(c.estimate.value is None for c in sentences):
        return ()
    values, shared = _square(sentences, names)
    order = _by_mean(values)
    names, values = tuple(names[i] for i in order), values[np.ix_(order, order)]
    n, small = len(names), len(names) > _WHOLE
    by_number = wider(names, 10)
    called = numbers.shorts(names, CELL_NAME)
    rows = tuple((float(n - 1 - i), f"{name} ({i + 1})" if by_number else name) for i, name in enumerate(called))
    columns = tuple((float(i), str(i + 1) if by_number else name) for i, name in enumerate(called))

    def write(value: float) -> str:
        """Cells may be so narrow that kappas are written without point and zero."""
        return f"{100 * value:.0f}".replace("-", "−") if small else numbers.decimal(value, style)

    figure = heat(
        "pairs",
        _pairs_title(values, names, style),
        (names, names),
        values,
        (Axis("", -0.5, n - 0.5, columns), Axis("", -0.5, n - 0.5, rows)),
        write,
        note=_note(sentences, shared, style, small=small),
        value=DataColumn("value", _("Cohen’s kappa"), places=2),
        height=46.0 + n * (34.0 if n <= 8 else 26.0 if n <= _WHOLE else 18.0),
    )
    return (figure,)


def _pairs_title(values: NDArray[np.float64], names: tuple[str, ...], style: Style) -> str:
    """Which two agree least and which most."""
    known = np.argwhere(np.triu(np.isfinite(values), 1))
    of = sorted((float(values[i, j]), int(i), int(j)) for i, j in known)
    if len(of) < 2 or of[0][0] == of[-1][0]:
        return _("Cohen’s kappa of every two {raters}").format()
    pairs = [
        _("{one} and {other}").format(one=numbers.short(names[i], CELL_NAME), other=numbers.short(names[j], CELL_NAME))
        for _kappa, i, j in (of[0], of[-1])
    ]
    return _("Cohen’s kappa of two {raters} runs from {least} ({few}) to {most} ({many})").format(
        least=numbers.decimal(of[0][0], style), few=pairs[0], most=numbers.decimal(of[-1][0], style), many=pairs[1]
    )


def _square(coefficients: Sequence[Coefficient], names: tuple[str, ...]) -> tuple[NDArray[np.float64], tuple[int, int]]:
    """Shape (raters, raters): kappas, NaN where there is none; and the fewest and most cases two raters share."""
    place = {name: i for i, name in enumerate(names)}
    values = np.full((len(names), len(names)), np.nan)
    for c in coefficients:
        if c.raters is not None and c.estimate.value is not None:
            i, j = place[c.raters[0]], place[c.raters[1]]
            values[i, j] = values[j, i] = c.estimate.value
    each = [c.subjects for c in coefficients if c.estimate.value is not None]
    return values, (min(each), max(each))


def _by_mean(values: NDArray[np.float64]) -> list[int]:
    """The raters who agree most with the others first; equal ones as they come."""
    known = np.isfinite(values)
    mean = np.where(known, values, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    mean[~known.any(axis=1)] = -2.0
    return [int(i) for i in np.argsort(-mean, kind="stable")]


def _note(coefficients: Sequence[Coefficient], shared: tuple[int, int], style: Style, *, small: bool) -> str:
    least, most = shared
    each = (
        numbers.count(least)
        if least == most
        else _("{least} to {most}").format(least=numbers.count(least), most=numbers.count(most))
    )
    subjects = _("{subject}") if least == most == 1 else _("{subjects}")
    parts = [
        _(
            "Two {raters} share {each} {subjects}. The stronger the shade, the higher; who agrees most with the "
            "others comes first."
        ).format(each=each, subjects=subjects)
    ]
    if small:
        told_small = _("Numbers, where there is room for them, are kappas in hundredths: 71 is {value}.")
        parts.append(told_small.format(value=numbers.decimal(0.71, style)))
    if any(c.estimate.value is not None and c.estimate.value < 0 for c in coefficients):
        parts.append(_("Framed: below 0, less agreement than luck alone would give."))
    if any(c.estimate.value is None for c in coefficients):
        parts.append(_("No number: the two share too few {subjects}, or used one class only."))
    return joined(*parts)


def pairs_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why there is no heat map; None where there is."""
    del fit
    if not ratings.raters_known:
        return _("The file does not say which {rater} gave which {rating}, so pairs of {raters} cannot be compared.")
    if not 3 <= len(ratings.raters) <= MOST_RATERS:
        return _("The picture of pairs needs 3 to {most} {raters}, and the number here is {n}.").format(
            most=MOST_RATERS, n=numbers.count(len(ratings.raters))
        )
    if not pairs(None, ratings):
        return _("No two {raters} share enough {subjects} for a kappa.")
    return None


def pairs(fit: Fit | None, ratings: Ratings) -> tuple[Figure, ...]:
    """The heat map of these ratings."""
    del fit
    if not ratings.raters_known or not 3 <= len(ratings.raters) <= MOST_RATERS:
        return ()
    return pairs_figure(finish(agree(ratings, interval="none")))
