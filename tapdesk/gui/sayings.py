"""Short words about the state of the window: the rail, the status bar, time left."""

from functools import lru_cache

from tapdesk.gui.desk import Desk
from tapdesk.gui.look.icons import State
from tapdesk.gui.on_screen import on_screen
from tapdesk.project.looked_at import asking
from tapdesk.project.project import Project
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.report import numbers

PHASES = {
    "fit": "Estimating",
    "check": "Checking",
    "intervals": "Intervals",
    "re-draws": "Re-drawing",
    "sampling": "Sampling",
    "posterior": "Adding up",
}
STEPS = ("Dataset", "Model", "Results", "Report")


@on_screen
def rail(desk: Desk, at: int, pages: int = 0) -> list[tuple[State, str]]:
    """Mark and word of each step; ``at`` is the pane in front."""
    rows = [_dataset(desk), _model(desk), _results(desk), _report(desk, pages)]
    return [(State.HERE if i == at and state is State.EMPTY else state, word) for i, (state, word) in enumerate(rows)]


def _dataset(desk: Desk) -> tuple[State, str]:
    if desk.reading.running:
        return State.RUNNING, "Reading"
    reading = desk.document.project.reading
    if reading is None:
        return State.EMPTY, "Nothing open yet"
    if blocking(reading):
        return State.BLOCKED, "Not yet"
    count = asking(desk.document.project)
    return State.DONE, f"Ready, {count} to know" if count else "Ready"


def _model(desk: Desk) -> tuple[State, str]:
    if desk.fitting.running:
        return State.RUNNING, "Running"
    if desk.document.empty:
        return State.EMPTY, "Add ratings first"
    analysis = desk.document.analysis
    if analysis is None or analysis.fit is None:
        return State.EMPTY, "Ready to run"
    return State.DONE, f"Done in {seconds(analysis.fit.seconds)}"


def _results(desk: Desk) -> tuple[State, str]:
    analysis = desk.document.analysis
    if analysis is None or analysis.fit is None:
        return State.EMPTY, "Nothing to show yet"
    if desk.fitting.running:
        return State.STALE, "Updating"
    return (State.STALE, "Out of date") if desk.out_of_date else (State.DONE, "Up to date")


def _report(desk: Desk, pages: int) -> tuple[State, str]:
    analysis = desk.document.analysis
    if analysis is None or analysis.fit is None:
        return State.EMPTY, "Nothing to print yet"
    if not pages:
        return State.EMPTY, "Draft"
    return State.EMPTY, f"Draft, {pages} pages" if pages > 1 else "Draft, 1 page"


def blocking(reading: Reading) -> bool:
    """Whether a finding stands in the way of an answer."""
    return any(f.severity is Severity.BLOCK for f in reading.findings)


def checks(project: Project) -> str:
    """The line above the checks."""
    if project.reading is not None and blocking(project.reading):
        return "Not yet"
    count = asking(project)
    if not count:
        return "Ready"
    return f"Ready, with {count} things to know" if count > 1 else "Ready, with 1 thing to know"


@lru_cache(maxsize=1)
@on_screen
def summary(project: Project) -> str:
    """The data as the decisions have made them, in one line."""
    reading = project.reading
    if reading is None:
        return "No ratings loaded"
    ratings = project.all_classes
    possible = reading.as_read.rating_count + reading.missing
    decided = reading.as_read.rating_count - ratings.rating_count
    share = f" ({numbers.decimal(100 * reading.missing / possible, places=1)} %)" if reading.missing else ""
    parts = [
        f"{numbers.count(ratings.subject_count)} cases",
        raters(ratings),
        f"{numbers.count(ratings.rating_count)} of {numbers.count(possible)} ratings",
        f"{numbers.count(reading.missing)} missing{share}",
    ]
    if reading.left_out_ratings:
        parts.append(f"{numbers.count(reading.left_out_ratings)} left out")
    if decided > 0:
        parts.append(f"{numbers.count(decided)} left out by decisions")
    return " · ".join(part for part in parts if part)


def raters(ratings: Ratings) -> str:
    """How many raters, or seats, there are."""
    if not ratings.raters_known:
        per_case = ratings.ratings_per_subject()
        return f"{int(per_case.max(initial=0))} seats" if per_case.size else "raters not named"
    count = len(ratings.raters)
    return "1 rater" if count == 1 else f"{numbers.count(count)} raters"


@on_screen
def seconds(number: float) -> str:
    """A duration in words."""
    if number < 0.1:
        return f"under {numbers.decimal(0.1, places=1)} s"
    if number < 10:
        return f"{numbers.decimal(number, places=1)} s"
    if number < 120:
        return f"{number:.0f} s"
    return f"{number / 60:.0f} min"


@on_screen
def status(desk: Desk) -> str:
    """The right end of the status bar."""
    if desk.reading.running:
        return "Reading"
    last = desk.fitting.last
    if desk.fitting.running and last is not None:
        phase = PHASES.get(last.phase, last.phase)
        return f"{phase}: {numbers.percent(last.done / last.total)}" if last.total else phase
    analysis = desk.document.analysis
    if analysis is None or analysis.fit is None:
        return "Offline: this program opens no connection"
    reason = desk.out_of_date
    fingerprint = desk.fingerprint
    data = f" · data fingerprint {fingerprint}" if fingerprint else ""
    return f"{reason or 'Up to date'}{data} · seed {analysis.fit.seed}"
