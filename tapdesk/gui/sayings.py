"""Short words about the state of the window: the rail, the status bar, time left."""

from functools import lru_cache

from tapdesk.gui.desk import Desk
from tapdesk.gui.look.icons import State
from tapdesk.gui.plan_words import cases
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.project.looked_at import asking, waiting
from tapdesk.project.project import Project
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.report import numbers

PHASES = {
    "fit": _("Estimating"),
    "check": _("Checking"),
    "intervals": _("Intervals"),
    "re-draws": _("Re-drawing"),
    "sampling": _("Sampling"),
    "posterior": _("Adding up"),
}
STEPS = (_("Dataset"), _("Model"), _("Results"), _("Report"))


def rail(desk: Desk, at: int, pages: int = 0) -> list[tuple[State, str]]:
    """Mark and word of each step; ``at`` is the pane in front."""
    rows = [_dataset(desk), _model(desk), _results(desk), _report(desk, pages)]
    return [(State.HERE if i == at and state is State.EMPTY else state, word) for i, (state, word) in enumerate(rows)]


def _dataset(desk: Desk) -> tuple[State, str]:
    if desk.reading.running:
        return State.RUNNING, _("Reading")
    reading = desk.document.project.reading
    if reading is None:
        return State.EMPTY, _("Nothing open yet")
    if waiting(desk.document.project):
        return State.BLOCKED, _("Not yet")
    if desk.changed_since is reading:
        return State.KNOW, _("The file has changed")
    count = asking(desk.document.project)
    return State.DONE, _("Ready, {count} to know").format(count=count) if count else _("Ready")


def _model(desk: Desk) -> tuple[State, str]:
    if desk.fitting.running:
        return State.RUNNING, _("Running")
    if desk.document.empty:
        return State.EMPTY, _("Add ratings first")
    analysis = desk.document.analysis
    if analysis is None or analysis.fit is None:
        return (State.BLOCKED, _("Cannot be run yet")) if desk.refused else (State.EMPTY, _("Ready to run"))
    return State.DONE, _("Done in {seconds}").format(seconds=seconds(analysis.fit.seconds))


def _results(desk: Desk) -> tuple[State, str]:
    analysis = desk.document.analysis
    if analysis is None or analysis.fit is None:
        return State.EMPTY, _("Nothing to show yet")
    if desk.fitting.running:
        return State.STALE, _("Updating")
    return (State.STALE, _("Out of date")) if desk.out_of_date else (State.DONE, _("Up to date"))


def _report(desk: Desk, pages: int) -> tuple[State, str]:
    if desk.blocked:
        return State.BLOCKED, _("Not yet")
    analysis = desk.document.analysis
    if analysis is None or analysis.fit is None:
        return State.EMPTY, _("Nothing to print yet")
    if not pages:
        return State.EMPTY, _("Draft")
    return State.EMPTY, _("Draft, {pages} pages").format(pages=pages) if pages > 1 else _("Draft, 1 page")


def checks(project: Project) -> str:
    """The line above the checks."""
    waits = len(waiting(project))
    if waits:
        return ngettext(
            "Not yet: {count} question has to be answered first",
            "Not yet: {count} questions have to be answered first",
            waits,
        ).format(count=waits)
    count = asking(project)
    if not count:
        return _("Ready")
    return (
        _("Ready, with {count} things to know").format(count=count) if count > 1 else _("Ready, with 1 thing to know")
    )


@lru_cache(maxsize=1)
def summary(project: Project) -> str:
    """The data as the decisions have made them, in one line."""
    reading = project.reading
    if reading is None:
        return _("No ratings loaded")
    ratings = project.all_classes
    decided = reading.as_read.rating_count - ratings.rating_count
    possible = max(reading.as_read.rating_count + reading.missing, ratings.rating_count)
    missing = _("{missing} missing ({share} %)") if reading.missing else _("{missing} missing")
    share = numbers.decimal(100 * reading.missing / max(possible, 1), places=1)
    parts = [
        cases(ratings.subject_count),
        raters(ratings),
        _("{rating_count} of {possible} ratings").format(
            rating_count=numbers.count(ratings.rating_count), possible=numbers.count(possible)
        ),
        missing.format(missing=numbers.count(reading.missing), share=share),
    ]
    if reading.left_out_ratings:
        parts.append(_("{left_out_ratings} left out").format(left_out_ratings=numbers.count(reading.left_out_ratings)))
    if decided > 0:
        parts.append(_("{decided} left out by decisions").format(decided=numbers.count(decided)))
    elif decided < 0:
        parts.append(_("{added} added by hand").format(added=numbers.count(-decided)))
    return " · ".join(part for part in parts if part)


@lru_cache(maxsize=2)
def names_in(reading: Reading) -> tuple[str, ...]:
    """What the user has named in a file: in a sentence about it these stay as they are, numbers in them too.

    Cases are left out: sentences about a file name them in quotation marks only, and there may be millions.
    """
    source, ratings = reading.source, reading.as_read
    own = (source.name, source.sheet, *source.sheets, *reading.preview.header, *reading.missing_by)
    return tuple(dict.fromkeys(name for name in (*own, *ratings.classes, *ratings.raters) if name))


def raters(ratings: Ratings) -> str:
    """How many raters, or seats, there are."""
    if not ratings.raters_known:
        per_case = ratings.ratings_per_subject()
        seats = int(per_case.max(initial=0))
        told = ngettext("{count} seat", "{count} seats", seats).format(count=numbers.count(seats))
        return told if per_case.size else _("raters not named")
    count = len(ratings.raters)
    return ngettext("{count} rater", "{count} raters", count).format(count=numbers.count(count))


def seconds(number: float) -> str:
    """A duration in words."""
    if number < 0.1:
        return _("under {value} s").format(value=numbers.decimal(0.1, places=1))
    if number < 10:
        return f"{numbers.decimal(number, places=1)} s"
    if number < 120:
        return f"{number:.0f} s"
    return _("{number} min").format(number=f"{number / 60:.0f}")


def status(desk: Desk) -> str:
    """The right end of the status bar."""
    if desk.reading.running:
        return _("Reading")
    last = desk.fitting.last
    if desk.fitting.running and last is not None:
        phase = PHASES.get(last.phase, last.phase)
        return f"{phase}: {numbers.percent(last.done / last.total)}" if last.total else phase
    analysis = desk.document.analysis
    if analysis is None or analysis.fit is None:
        return _("Offline: this program opens no connection")
    reason = desk.out_of_date
    fingerprint = desk.fingerprint
    told = _("{state} · data fingerprint {fingerprint} · seed {seed}") if fingerprint else _("{state} · seed {seed}")
    return told.format(state=reason or _("Up to date"), fingerprint=fingerprint, seed=analysis.fit.seed)
