"""Short words about the state of the window: the rail, the status bar, time left."""

from datetime import datetime
from functools import lru_cache

from tapdesk.answers import numbers
from tapdesk.gui.runs.plan import cases
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.icons import State
from tapdesk.language import gettext as _
from tapdesk.language import ngettext, say
from tapdesk.project.project import Project
from tapdesk.project.review_state import blocking_findings, checks_open, open_questions, questions_with_open_checks
from tapdesk.ratings.ratings import Ratings

PHASES = {
    "fit": _("Estimating"),
    "check": _("Checking"),
    "intervals": _("Intervals"),
    "re-draws": _("Resampling"),
    "sampling": _("Sampling"),
    "posterior": _("Adding up"),
    "beliefs": _("How sure each {subject} is"),
}
STEPS = (_("Dataset"), _("Model"), _("Results"), _("Report"))


def rail(session: Session, at: int, pages: int = 0) -> list[tuple[State, str]]:
    """Mark and word of each step; ``at`` is the pane in front."""
    rows = [_dataset(session), _model(session), _results(session), _report(session, pages)]
    return [(State.HERE if i == at and state is State.EMPTY else state, word) for i, (state, word) in enumerate(rows)]


def _dataset(session: Session) -> tuple[State, str]:
    if session.reading.running:
        return State.RUNNING, _("Reading")
    reading = session.document.project.reading
    if reading is None:
        return State.EMPTY, _("Nothing open yet")
    if waits := len(blocking_findings(session.document.project)):
        return State.BLOCKED, ngettext("Not yet, {n} to answer", "Not yet, {n} to answer", waits).format(n=waits)
    if session.changed_since is reading:
        return State.KNOW, _("The file has changed")
    count = open_questions(session.document.project)
    if not count and questions_with_open_checks(session.document.project):
        return State.DONE, _("Checks in other questions")
    return State.DONE, checks_open(count) if count else _("Ready")


def _model(session: Session) -> tuple[State, str]:
    if session.fitting.running:
        return State.RUNNING, _("Running")
    if session.document.empty:
        return State.EMPTY, _("Add {ratings} first")
    analysis = session.document.analysis
    if analysis is None or analysis.fit is None:
        if waits := len(blocking_findings(session.document.project)):
            return State.BLOCKED, ngettext("Waits for {n} answer", "Waits for {n} answers", waits).format(n=waits)
        return (State.BLOCKED, _("Cannot be run yet")) if session.refused else (State.EMPTY, _("Ready to run"))
    return State.DONE, _("Done in {seconds}").format(seconds=numbers.seconds(analysis.fit.seconds))


def _results(session: Session) -> tuple[State, str]:
    analysis = session.document.analysis
    if analysis is None or analysis.fit is None:
        questions = len(session.document.project.form)
        if questions:
            return State.EMPTY, ngettext("{n} question", "{n} questions", questions).format(n=questions)
        return State.EMPTY, _("Nothing to show yet")
    if session.fitting.running:
        return State.STALE, _("Updating")
    if session.out_of_date:
        return State.STALE, _("Out of date")
    return (State.KNOW, _("Wrong together")) if _wrong_together(session) else (State.DONE, _("Up to date"))


def _wrong_together(session: Session) -> bool:
    """Whether the headline of the results says that the panel agrees with itself more than with what is known."""
    beside = session.side_studies.current
    if beside is None or beside.extras.together is None or beside.analysis.fit is None:
        return False
    # Late: without known answers it is not needed.
    from tapdesk.answers.known_use import wrong_together
    from tapdesk.answers.part import Answer

    ratings = session.fitted_ratings
    answer = Answer(beside.analysis.fit, ratings, ratings, beside.extras, beside.analysis)
    return wrong_together(answer) is not None


def _report(session: Session, pages: int) -> tuple[State, str]:
    if session.blocked:
        return State.BLOCKED, _("Not yet")
    analysis = session.document.analysis
    if analysis is None or analysis.fit is None:
        if session.document.project.form:
            return State.EMPTY, _("Of all: save it in Results")
        if not pages:
            return State.EMPTY, _("Nothing to print yet")
        return State.EMPTY, ngettext("Data only, {n} page", "Data only, {n} pages", pages).format(n=pages)
    if not pages:
        return State.EMPTY, _("Draft")
    return State.EMPTY, _("Draft, {pages} pages").format(pages=pages) if pages > 1 else _("Draft, 1 page")


def checks(project: Project) -> str:
    """The line above the checks."""
    waits = len(blocking_findings(project))
    if waits:
        return ngettext(
            "Not yet: {count} question has to be answered first",
            "Not yet: {count} questions have to be answered first",
            waits,
        ).format(count=waits)
    count = open_questions(project)
    others = questions_with_open_checks(project)
    if others:
        # Late: nothing of a form is needed before one is open.
        from tapdesk.answers.form_reading import checks_of
        from tapdesk.project.form import form_of

        here = checks_open(count) if count else _("No check is open")
        every = len(checks_of(form_of(project)))
        return ngettext(
            "{here} in this question; {n} other question has open checks, {all} in all questions together",
            "{here} in this question; {n} other questions have open checks, {all} in all questions together",
            len(others),
        ).format(here=here, n=numbers.count(len(others)), all=numbers.count(every))
    return checks_open(count) if count else _("Ready")


@lru_cache(maxsize=1)
def summary(project: Project) -> str:
    """The data as the decisions have made them, in one line."""
    reading = project.reading
    if reading is None:
        return _("No {ratings} loaded")
    ratings = project.all_classes
    decided = reading.as_read.rating_count - ratings.rating_count
    possible = max(reading.as_read.rating_count + reading.missing, ratings.rating_count)
    missing = _("{missing} missing ({share} %)") if reading.missing else _("{missing} missing")
    share = numbers.decimal(100 * reading.missing / max(possible, 1), places=1)
    parts = [
        cases(ratings.subject_count),
        say(raters(ratings)),
        _("one of {n} questions").format(n=len(project.form)) if project.form else "",
        _("{rating_count} of {possible} {ratings}").format(
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
def raters(ratings: Ratings) -> str:
    """How many raters, or seats, there are."""
    if not ratings.raters_known:
        per_case = ratings.ratings_per_subject()
        seats = int(per_case.max(initial=0))
        sentence = ngettext("{count} seat", "{count} seats", seats).format(count=numbers.count(seats))
        return sentence if per_case.size else _("{raters} not named")
    return _("{count} {raters}").format(count=numbers.count(len(ratings.raters)))


def status(session: Session) -> str:
    """The right end of the status bar."""
    if session.reading.running:
        return _("Reading")
    last = session.fitting.last
    if session.fitting.running and last is not None:
        phase = PHASES.get(last.phase, _("Working"))
        return f"{phase}: {numbers.percent(last.done / last.total)}" if last.total else phase
    analysis = session.document.analysis
    if analysis is None or analysis.fit is None:
        return _("Offline: this program opens no connection")
    reason = session.out_of_date
    fingerprint = session.fingerprint
    sentence = (
        _("{state} · data fingerprint {fingerprint} · random start {seed}")
        if fingerprint
        else _("{state} · random start {seed}")
    )
    return sentence.format(state=reason or _("Up to date"), fingerprint=fingerprint, seed=analysis.fit.seed)


def clock(moment: str) -> str:
    """The time of day of an ISO date and time, with the day where it is not today."""
    if not moment:
        return _("an earlier time")
    then = datetime.fromisoformat(moment)
    today = then.date() == datetime.now().astimezone().date()
    time = f"{then:%H:%M}"
    return time if today else _("{day}, {time}").format(day=numbers.day(then), time=time)
