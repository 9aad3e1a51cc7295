"""From a project to a report: the catalog of sections, and the first page."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from gettext import gettext as _

from tapdesk.project.project import Project
from tapdesk.report import numbers
from tapdesk.report.numbers import REPORT, Style
from tapdesk.report.report import Report, Section
from tapdesk.report.sections.context import Context, Done
from tapdesk.report.sections.data import data, description
from tapdesk.report.sections.model import model
from tapdesk.report.sections.record import record
from tapdesk.report.sections.results import results
from tapdesk.report.sections.summary import summary
from tapdesk.report.words import PLAIN, Nouns

# The date of a report about data that were never analysed: a fixed one, for the clock would change the bytes.
_NEVER = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Row:
    """One section of the catalog: its key, its name in the outline, and what makes it (None: nothing to say)."""

    key: str
    title: str
    make: Callable[[Context], Section | None]


SECTIONS: tuple[Row, ...] = (
    Row("summary", _("Summary for the committee"), summary),
    Row("data", _("Data used"), data),
    Row("description", _("How the classes were used"), description),
    Row("model", _("How the numbers were obtained"), model),
    Row("results", _("Truth, accuracy and chance"), results),
    Row("record", _("Settings and fingerprint"), record),
)


def build(
    project: Project,
    *,
    leave_out: Collection[str] = (),
    style: Style = REPORT,
    nouns: Nouns = PLAIN,
    issued: datetime | None = None,
    status: str = "",
    paper: str = "a4",
) -> Report:
    """The report of a project.

    Parameters
    ----------
    project
        The work to report; stale analyses are printed with a warning.
    leave_out
        Keys of sections that are switched off.
    style, nouns
        How numbers are written, and what a subject, a rater and a rating are called.
    issued
        The date recorded at issue; by default that of the last run, never the clock.
    status
        Such as "Draft 3, not signed".
    paper
        ``a4`` or ``us-letter``.
    """
    done = tuple(Done(a, a.fit) for a in project.analyses if a.fit is not None)
    ratings = project.ratings if project.reading is not None else None
    context = Context(project, ratings, done, style, nouns)
    made = (row.make(context) for row in SECTIONS if row.key not in leave_out)
    status = status or _("Draft, not signed")
    return Report(
        title=project.title or _("Inter-rater agreement"),
        subtitle=_subtitle(context),
        record=_box(context, status),
        sections=tuple(section for section in made if section is not None),
        fingerprint=project.fingerprint if ratings is not None else "",
        status=status,
        issued=issued or _last_run(done),
        paper=paper,
    )


def _last_run(done: tuple[Done, ...]) -> datetime:
    """The latest recorded run."""
    moments = [m for m in (_moment(d.analysis.run_at) for d in done) if m is not None]
    return max(moments, default=_NEVER)


def _moment(text: str) -> datetime | None:
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return None
    # A local time without a zone is taken as it reads: the printed date must not depend on the machine.
    return when if when.tzinfo is not None else when.replace(tzinfo=UTC)


def _subtitle(context: Context) -> str:
    ratings, nouns = context.ratings, context.nouns
    if ratings is None:
        return _("No ratings read yet")
    return _("{n} {subjects}, {m} {ratings}").format(
        n=numbers.count(ratings.subject_count),
        subjects=nouns.subjects,
        m=numbers.count(ratings.rating_count),
        ratings=nouns.ratings,
    )


def _box(context: Context, status: str) -> tuple[tuple[str, str], ...]:
    """The record box of the first page."""
    rows = [(_("Status"), status)]
    reading, ratings = context.project.reading, context.ratings
    if reading is not None:
        rows.append((_("Data file"), reading.source.name))
    if ratings is not None and len(ratings.classes) == 2:
        rows.append((_("Class 1"), numbers.short(ratings.classes[1])))
    if context.done:
        rows.append((_("Model"), ", ".join(d.fit.model.name for d in context.done)))
        rows.append((_("Last run"), numbers.date(_last_run(context.done))))
    return tuple(rows)
