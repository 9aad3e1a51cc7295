"""The lines between grades of categories that are no longer those of the run: estimates first, intervals after."""

from dataclasses import dataclass, replace

from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request
from tapdesk.studies.parallel import thin_steps
from tapdesk.studies.scan import Scan, reordered, scan

# Intervals that take a moment are found at once after the estimates; those from re-draws wait for the next run.
SOON = frozenset({"profile", "wald"})


@dataclass(frozen=True, eq=False)
class Abreast:
    """The lines of ratings that are no longer those of the run.

    Attributes
    ----------
    fit
        Of the run the lines stand beside.
    ratings
        Every class in the order as it stands now.
    scan
        The lines of these ratings; None before they are there, and where there are none.
    intervals
        Whether they have their intervals.
    coming
        Whether the intervals are on their way.
    reason
        Why there are no lines in these categories; empty where there are.
    """

    fit: Fit
    ratings: Ratings
    scan: Scan | None = None
    intervals: bool = False
    coming: bool = False
    reason: str = ""

    @property
    def words(self) -> str:
        """What must be known about the lines that are shown."""
        if self.scan is None:
            return _("Out of date. {why}").format(why=self.reason or _("The lines are found anew…"))
        told = _(
            "These lines follow the categories as they stand now; what else stands on this page is of the last run."
        )
        if self.intervals:
            return told
        return f"{told} {_('The intervals follow…') if self.coming else _('Run again for the intervals.')}"


def abreast(begun: Abreast, request: Request, before: Scan | None, of: Ratings) -> Run[Abreast]:
    """The lines of ratings: first the estimates alone, in a step, then intervals where they take only a moment.

    Parameters
    ----------
    begun
        What is to be filled.
    request
        Of the run.
    before, of
        The lines of the run, and the ratings they are of: a line that parts the same categories is taken over.

    Yields
    ------
    Step
        Phase ``lines``; ``values``: ``abreast``, the lines without intervals. And the phases of the fits.
    """
    ratings = begun.ratings
    cuts = before.cuts if before is not None and reordered(of, ratings) else ()
    try:
        quick = yield from thin_steps(scan(ratings, replace(request, interval="none"), tied=False, known=cuts))
        soon = request.interval in SOON
        complete = all(any(c.free is k.free for k in cuts) for c in quick.cuts)
        begun = replace(begun, scan=quick, intervals=complete, coming=soon and not complete)
        yield Step(1, 2, "lines", {"abreast": begun})
        if begun.coming:
            whole = yield from thin_steps(scan(ratings, request, tied=False, known=cuts))
            begun = replace(begun, scan=whole, intervals=True, coming=False)
    except TapdeskError as error:
        return replace(begun, reason=error.what, coming=False)
    return begun
