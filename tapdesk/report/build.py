"""From a project to a report: its sections, and the first page."""

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

from tapdesk.answers import cases, naming, numbers, pseudonyms
from tapdesk.answers.content import Paragraph, Table
from tapdesk.answers.faults import Bug, Fault, attempt
from tapdesk.answers.naming import CasesAs, Naming, RatersAs
from tapdesk.answers.numbers import REPORT, Style, counted
from tapdesk.answers.question import question_of
from tapdesk.answers.side_results import SideResults
from tapdesk.language import PLAIN as FILES
from tapdesk.language import Nouns, in_voice, speaking, voice
from tapdesk.language import gettext as _
from tapdesk.project.nouns import nouns_of
from tapdesk.project.project import TITLES, Project
from tapdesk.project.shown import in_report_order, place_of_main
from tapdesk.report.issue.facts import Choices, facts
from tapdesk.report.outline import SECTIONS, Row
from tapdesk.report.report import DRAFT, ENGLISH, Form, Logo, Report, Section, instead, missing, with_faults
from tapdesk.report.sections.brief import brief_sections
from tapdesk.report.sections.context import Context, Done

# Stands for the date of a report whose project recorded none; it is neither printed nor written into the file.
_NEVER = datetime(2000, 1, 1, tzinfo=UTC)
NOTHING = SideResults()


def build(
    project: Project,
    *,
    extras: SideResults = NOTHING,
    leave_out: Collection[str] = (),
    style: Style = REPORT,
    nouns: Nouns | None = None,
    raters_as: RatersAs = RatersAs.NAMES,
    cases_as: CasesAs = CasesAs.NAMES,
    file_named: bool = True,
    issued: datetime | None = None,
    status: str = "",
    paper: str = "a4",
    logo: Logo | None = None,
    scale: str = "",
    command_line: str = "",
    language: str = ENGLISH,
    form: Form = Form.EVERYTHING,
    libraries: str = "",
) -> Report:
    """The report of a project.

    Parameters
    ----------
    project
        The work to report; stale analyses are printed with a warning.
    extras
        What `tapdesk.report.setup.prepare` computed; left aside where it belongs to other ratings.
    leave_out
        Keys of sections that are switched off.
    style, nouns
        How numbers are written, and what a case, a rater and a rating are called; None for the words of the project.
    raters_as, cases_as
        Names or codes.
    file_named
        Whether the data file is called by its name; where names are called by codes and it holds one, it never is.
    issued
        The date recorded at issue; by default that of the last run, never the clock.
    status
        Such as "Draft 3, not signed".
    paper
        ``a4`` or ``us-letter``.
    logo
        Of the committee (`tapdesk.report.forms.logo`).
    scale
        Whose words are printed beside the coefficients: a key of `tapdesk.answers.coefficients.SCALES`, or none.
    command_line
        The options a command makes this report with; they belong to it, not to the project.
    language
        Code of the language it is written in, whatever the screen speaks.
    form
        How much of it; by default everything, as for a workbook.
    libraries
        What the numbers were worked out with, as an issued report says it; by default what is used now.
    """
    # Longer than 50 lines: a report is one value of many names, and what they hold is made elsewhere.
    # Points, English or another language, and the words for cases and raters: nothing of the screen.
    called = naming.naming(project, raters_as, cases_as)
    nouns = nouns_of(project) if nouns is None else nouns
    spoken = replace(FILES, language="" if language == ENGLISH else language)
    with speaking(replace(spoken, naming=called, nouns=nouns, style=style)):
        context = replace(
            _context(project, extras, style, called),
            left_out=frozenset(leave_out),
            scale=scale,
            file=_file(project, called, named=file_named),
            command_line=called.command_line(command_line),
            form=form,
            libraries=libraries or used_libraries(),
        )
        sections, faults = _formed(context, form)
        status, issued = status or DRAFT, issued or _last_run(context.done)
        fingerprint = project.fingerprint if project.reading is not None else ""
        choices = Choices(
            tuple(sorted(leave_out)), style, raters_as, issued, status, paper, nouns, context.extras.wanted, scale,
            cases_as, file_named, context.command_line, form, context.libraries, place_of_main(project),
        )  # fmt: skip
        made = Report(
            title=_title(context, form), subtitle=_subtitle(context),
            record=_box(context, status, issued, form),
            sections=sections,
            fingerprint=fingerprint, status=status, issued=issued, dated=issued != _NEVER, paper=paper, logo=logo,
            author=context.words("author"),
            kind=_kind(form), facts=facts(project, choices) if fingerprint else (),
            secrets=called.secrets, language=language, voice=voice(), workbook=_workbook(context), contents=form.long,
        )  # fmt: skip
        # What was a sentence before, at import or in a window, is one in the language of the report now.
        return in_voice(with_faults(made, faults))


# What the two pages say is not said again behind them.
_IN_BRIEF = frozenset({"summary", "signoff"})


def _formed(context: Context, form: Form) -> tuple[tuple[Section, ...], tuple[Fault, ...]]:
    """The sections of a form of the report, and what is missing in them."""
    if form not in {Form.BRIEF, Form.BOTH}:
        return _sections(context)
    pages, faults = _pages(context)
    if form is Form.BRIEF:
        return pages, faults
    sections, more = _sections(replace(context, left_out=context.left_out | _IN_BRIEF))
    return (*pages, *sections), (*faults, *more)


def _workbook(context: Context) -> tuple[Table, ...]:
    """The tables that are too long for paper."""
    if context.main is None or context.ratings is None:
        return ()
    made = attempt(lambda: cases.probabilities(context.answer(context.main)))
    return () if made is None or isinstance(made, Bug) else (made,)


def _pages(context: Context) -> tuple[tuple[Section, ...], tuple[Fault, ...]]:
    """The two pages of the brief; where a bug of ours stops them, its place says so."""
    made = attempt(partial(brief_sections, context))
    if not isinstance(made, Bug):
        return made, ()
    fault = Fault("brief-answer", _("Answer"), made.error)
    return (instead(fault, _own(context, "summary")),), (fault,)


def _kind(form: Form) -> str:
    if form is Form.APPENDIX:
        return _("Appendix to an inter-rater agreement report")
    return _("Committee brief") if form in {Form.BRIEF, Form.BOTH} else _("Inter-rater agreement report")


def _title(context: Context, form: Form) -> str:
    """The title its user gave it; of a brief else the question that was asked."""
    if context.project.title or form not in {Form.BRIEF, Form.BOTH}:
        return context.project.title or _("Inter-rater agreement")
    key = "" if context.main is None else context.main.analysis.question
    return TITLES.get(key) or TITLES["knowledge"]


def _sections(context: Context) -> tuple[tuple[Section, ...], tuple[Fault, ...]]:
    """All sections in order, and what is missing in them: a bug in one of them leaves the others as they are."""
    sections: list[Section] = []
    faults: list[Fault] = []
    for row in _in_order(context):
        if row.key in context.left_out:
            continue
        # The checklist stands near the end: what is asked for in a section that failed is not answered.
        failed = frozenset(fault.section for fault in faults if fault.whole)
        made = attempt(partial(row.make, replace(context, left_out=context.left_out | failed, failed=failed)))
        studies = tuple(fault for fault in context.extras.faults if fault.section == row.key)
        if isinstance(made, Bug):
            fault = Fault(row.key, row.title, made.error)
            sections.append(instead(fault, _own(context, row.key)))
            faults.append(fault)
        elif made is not None or studies:
            made = Section(row.key, row.title, ()) if made is None else made
            sections.append(replace(made, blocks=(*(missing(fault) for fault in studies), *made.blocks)))
            faults += studies
    return tuple(sections), tuple(faults)


def _in_order(context: Context) -> tuple[Row, ...]:
    """The sections as they are printed: a part that answers the question stands before all that is beside it."""
    question = None if context.main is None else question_of(context.main.analysis)
    first = "" if question is None else question.demand
    return tuple(sorted(SECTIONS, key=lambda row: 0 if row.key == "summary" else 1 if row.key == first else 2))


def _own(context: Context, key: str) -> tuple[Paragraph, ...]:
    """What the committee wrote in a section."""
    made = attempt(lambda: [*context.answers_to(key), *context.comment(key)])
    return () if isinstance(made, Bug) else tuple(block for block in made if isinstance(block, Paragraph))


def _context(project: Project, extras: SideResults, style: Style, called: Naming) -> Context:
    """What the sections are made from, raters called as in the report."""
    ratings = project.ratings if project.reading is not None else None
    if ratings is None or extras.fingerprint != project.data_fingerprint:
        extras = NOTHING
    done = tuple(
        Done(a, pseudonyms.coded_fit(a.fit, called, ratings)) for a in in_report_order(project) if a.fit is not None
    )
    if ratings is None:
        return Context(project, None, done, style, extras, called)
    results = pseudonyms.coded_results(extras, called, ratings)
    return Context(project, pseudonyms.coded_ratings(ratings, called), done, style, results, called)


def _file(project: Project, called: Naming, *, named: bool) -> str:
    """What the data file is called."""
    if project.reading is None:
        return ""
    source = project.reading.source
    return called.file(source.name, source.sha256) if named else naming.unnamed(source.sha256)


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
    ratings = context.ratings
    if ratings is None:
        return _("No {ratings} read yet")
    return counted(ratings.subject_count, ratings.rating_count)


def _question(project: Project) -> str:
    """Which of the questions of its file a project is about; empty where the file asks one only."""
    reading = project.reading
    if project.question or reading is None:
        return project.question
    return (reading.options.label if reading.sets is not None else None) or reading.asked.only or ""


def _box(context: Context, status: str, issued: datetime, form: Form) -> tuple[tuple[str, str], ...]:
    """The record box of the first page; of a brief without the names of models, and what stands below each page."""
    full = form not in {Form.BRIEF, Form.BOTH}
    wanted = (("committee", _("Committee")), ("period", _("Period")), ("version", _("Version")))
    rows = [(name, context.words(place)) for place, name in wanted if context.words(place)]
    rows.append((_("Status"), status))
    reading, ratings = context.project.reading, context.ratings
    if reading is not None:
        rows.append((_("Data file"), context.file))
        rows += [(_("Data fingerprint"), context.project.fingerprint)] if full else []
    if question := _question(context.project):
        rows.append((_("Question"), numbers.short(question)))
    if ratings is not None and len(ratings.classes) == 2:
        rows.append((_("Counted class"), numbers.short(ratings.classes[1])))
    if ratings is not None and ratings.raters_known:
        rows.append((_("{Raters}").format(), _("by code") if context.names.codes else _("by name")))
    if context.names.cases:
        rows.append((_("{Subjects}").format(), _("by code")))
    if context.done and full:
        rows.append((_("Model"), ", ".join(d.fit.model.name for d in context.done)))
    if context.done:
        # A run without a recorded moment, as on the command line, has no date to print.
        when = _last_run(context.done)
        rows += [(_("Last run"), numbers.date(when))] if when != _NEVER else []
    if issued == _NEVER:
        rows.append((_("Date"), _("to be written at signing")))
    return tuple(rows)


def used_libraries() -> str:
    """Python and what the numbers are worked out with, each with its version."""
    import platform

    # Late: the version is asked for before anything else is loaded.
    import numpy as np
    import scipy

    return f"Python {platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}"
