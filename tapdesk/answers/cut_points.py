"""Every line between two grades in plain sentences: where the panel is surest, and where least."""

from tapdesk.answers import numbers
from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _
from tapdesk.studies.scan import Cut, Scan


def accuracy(cut: Cut) -> Estimate | None:
    """The accuracy at a line; None where the ratings do not determine it."""
    fit = cut.free
    if fit is None or not fit.converged:
        return None
    found = fit.estimate("a")
    return found if found.value is not None else None


def headline(found: Scan) -> tuple[str, str] | None:
    """Which line is hardest, and what that rests on; None where fewer than two lines have an interval.

    Lines are only set against each other where their intervals do not meet.
    """
    told = [(cut, e) for cut in found.cuts if (e := accuracy(cut)) is not None and e.low is not None]
    if len(told) < 2:
        return None
    order = sorted(told, key=lambda row: row[1].value or 0.0)
    (low, worst), (high, best) = order[0], order[-1]
    names = {"worst": numbers.short(low.name, 40), "best": numbers.short(high.name, 40)}
    apart = worst.high is not None and best.low is not None and worst.high < best.low
    said = _("No line between two grades is clearly harder than another.")
    if apart:
        said = _("The panel is surest at the line “{best}”, and least sure at “{worst}”.").format(**names)
    follows = _("Accuracy runs from {least} ({least_reach}) at “{worst}” to {most} ({most_reach}) at “{best}”.").format(
        **names,
        least=numbers.decimal(worst.value),
        least_reach=numbers.interval(worst),
        most=numbers.decimal(best.value),
        most_reach=numbers.interval(best),
    )
    untold = [cut.name for cut in found.cuts if cut not in [c for c, _e in told]]
    if not apart:
        follows = _("{follows} The intervals meet, so the order may be luck.").format(follows=follows)
    if untold:
        follows = _("{follows} Not reported: {lines}.").format(
            follows=follows, lines=", ".join(f"“{numbers.short(name, 40)}”" for name in untold)
        )
    return said, f"{follows} {found.words}".strip()
