"""One report for a whole form: all questions at a glance, then what is to be talked about, question by question."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType

from tapdesk.answers import cells, numbers
from tapdesk.answers import criteria as words
from tapdesk.answers import criteria_conditions as conditions
from tapdesk.answers.content import Align, Block, Column, Heading, Paragraph, Picture, Table, Tone
from tapdesk.answers.form_reading import blank_read, codes_read_as_missing, open_checks, reading_words
from tapdesk.answers.naming import CasesAs, Naming, RatersAs, naming
from tapdesk.answers.numbers import REPORT, Style
from tapdesk.answers.question_columns import USUAL, TableCoefficient, table_coefficient
from tapdesk.answers.sets import whole_sets
from tapdesk.language import PLAIN, in_voice, joined, speaking, voice
from tapdesk.language import gettext as _
from tapdesk.progress import finish
from tapdesk.project.nouns import nouns_read
from tapdesk.project.project import Project
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.form import LEFT_OUT, Form
from tapdesk.ratings.ratings import FINGERPRINT_VERSION, Ratings, fingerprint, no_covariates, work_fingerprint
from tapdesk.report.form_brief import form_brief
from tapdesk.report.report import DRAFT, Logo, Report, Section
from tapdesk.report.report import Form as Shape
from tapdesk.studies.criteria import Criterion, CriterionNumbers, CriterionRow, Verdict, judge
from tapdesk.studies.pooled_raters import raters_across
from tapdesk.version import VERSION

_RIGHT = Align.RIGHT
# So many questions have room below the title; of more the table has a page of its own.
_ON_FIRST_PAGE = 12
# Of a longer form so many rows of other tables have room there, and so many of them the heads and notes take.
_ROOM, _HEADS = 24, 8
# So many signs have room on a line of a table, of a paragraph a third more.
_LINE = 75
# Stands for the date of a report that has none; it is neither printed nor written into the file.
_NEVER = datetime(2000, 1, 1, tzinfo=UTC)


def form_names(form: Form, raters_as: RatersAs) -> Naming:
    """What the raters of a form are called, the same on all questions.

    Parameters
    ----------
    form
        The questions; at least one was read.
    raters_as
        Names or codes.
    """
    first = form.readings[0]

    def every(kind: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for r in form.readings for name in getattr(r.as_read, kind)))

    whole: Ratings = replace(
        first.as_read, raters=every("raters"), subjects=every("subjects"), weight=None, covariates=no_covariates()
    )
    return naming(Project().with_reading(replace(first, as_read=whole, ratings=whole)), raters_as, CasesAs.NAMES)


def form_report(
    form: Form,
    criterion_numbers: Sequence[CriterionNumbers],
    names: Naming,
    *,
    title: str = "",
    style: Style = REPORT,
    paper: str = "a4",
    logo: Logo | None = None,
    command_line: str = "",
    issued: datetime | None = None,
    recipe: str = "",
    own_pages: Collection[str] = (),
    shape: Shape = Shape.FULL,
    notes: Mapping[str, str] = MappingProxyType({}),
    chosen: TableCoefficient = USUAL,
) -> Report:
    """The report of a form.

    Parameters
    ----------
    form
        What was read.
    criterion_numbers
        The numbers of the questions that were (`tapdesk.studies.criteria.criteria`), raters called as in ``names``.
    names
        What raters are called (`form_names`).
    title, style, paper, logo, command_line
        As of `tapdesk.report.build.build`.
    issued
        The moment of issue, printed as the status; None for a draft.
    recipe
        How it is made again from its data file (`tapdesk.report.form_recipe`); empty where that is not told.
    own_pages
        The names of the questions that have a page of their own.
    shape
        The two pages of a brief, the full report, or both.
    notes
        The committee's own words by place (`tapdesk.answers.user_words`).
    chosen
        The coefficient that stands beside raw agreement.
    """
    rows = judge((*criterion_numbers, *words.unread(form)))
    first = form.readings[0]
    with speaking(replace(PLAIN, naming=names, nouns=nouns_read(first), style=style)):
        criteria = words.criteria_of(form, names)
        sentence = names.file(first.source.name, first.source.sha256)
        print_ = _fingerprint(form)
        raters = _raters(criteria, rows, style)
        full = _full(form, rows, raters, style, own_pages, chosen)
        made_by = _made(form, rows, names.command_line(command_line))
        status = DRAFT if issued is None else _("Issued {date}").format(date=numbers.date(issued))
        pages = () if shape is Shape.FULL else form_brief(form, rows, raters, style, notes)
        facts = [("data", print_), ("fingerprint", str(FINGERPRINT_VERSION)), ("file", first.source.sha256)]
        facts += [("version", VERSION), *([("form", recipe)] if recipe else [])]
        made = Report(
            title=title or _("How do our {n} questions compare?").format(n=len(form.questions)),
            subtitle=_("{n} questions, {size}").format(n=len(form.questions), size=_size(criteria)),
            record=_box(
                shape, notes, form, ((_("Status"), status), (_("Data file"), sentence), (_("Data fingerprint"), print_))
            ),
            sections=_of_shape(shape, (*full, made_by), pages),
            fingerprint=print_,
            status=status,
            issued=issued or _NEVER,
            paper=paper,
            logo=logo,
            kind=_("Report of all questions of a form") if shape is Shape.FULL else _("Committee brief"),
            secrets=names.secrets,
            facts=tuple(facts),
            dated=issued is not None,
            voice=voice(),
            wide=True,
        )
        return in_voice(made)


def _full(
    form: Form,
    rows: Sequence[CriterionRow],
    raters: Section | None,
    style: Style,
    own_pages: Collection[str],
    chosen: TableCoefficient,
) -> tuple[Section, ...]:
    """What the full report says of the questions, from all of them to each."""
    remarks = _first_page_remarks(form)
    first, *others = _glance(rows, remarks, style, chosen)
    # Where the table has the next page, little to talk about would leave the first one half empty.
    early = bool(others) and _beside_talk(rows, raters, remarks)
    sections = (
        first,
        raters if early else None,
        *others,
        _sets(form, style),
        _talk([row for row in rows if row.name not in own_pages], style, chosen),
        *_own_pages([row for row in rows if row.name in own_pages], style, chosen),
        None if early else raters,
        _numbers(form, rows, style, chosen),
    )
    return tuple(section for section in sections if section is not None)


def _beside_talk(rows: Sequence[CriterionRow], raters: Section | None, remarks: Sequence[Paragraph]) -> bool:
    """Whether the raters have room on the first page of a longer form, below what needs talk."""
    talk = sum(row.needs_talk for row in rows)
    tables = () if raters is None else (block for block in raters.blocks if isinstance(block, Table))
    lines = [1 + max(len(cell) for cell in row) // _LINE for table in tables for row in table.rows]
    taken = sum(1 + len(remark.text) // (_LINE * 4 // 3) for remark in remarks) + (talk + 4 if talk else 0)
    return bool(lines) and taken + _HEADS + sum(lines) <= _ROOM


def _of_shape(shape: Shape, full: tuple[Section, ...], pages: tuple[Section, ...]) -> tuple[Section, ...]:
    return {Shape.FULL: full, Shape.BRIEF: pages, Shape.BOTH: (*pages, *full)}[shape]


def _box(
    shape: Shape, notes: Mapping[str, str], form: Form, rows: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    """The record box; of a brief with the committee, and without what stands below each page."""
    rows = (*rows[:-1], *_checks(form), rows[-1])
    if shape is Shape.FULL:
        return rows
    wanted = (("committee", _("Committee")), ("period", _("Period")))
    named = tuple((title, notes[place].strip()) for place, title in wanted if notes.get(place, "").strip())
    return (*named, *rows[:-1])


def _checks(form: Form) -> tuple[tuple[str, str], ...]:
    """The row of the box about the checks that are open; none where none is."""
    checks = open_checks(form)
    return ((_("Checks"), checks[0]),) if checks else ()


def _sets(form: Form, style: Style) -> Section | None:
    """How far the raters agree on whole sets, where the questions are the labels of sets."""
    told = None if form.sets is None else whole_sets(form.sets, style)
    return None if told is None else Section("sets", _("Whole sets of labels"), (Paragraph(told[0]), told[1]))


def _fingerprint(form: Form) -> str:
    """Of the ratings of all questions together."""
    first = form.readings[0]
    return work_fingerprint(
        first.ratings,
        first.as_read,
        [(r.options.only or r.options.sheet, fingerprint(r.ratings)) for r in form.readings],
    )


def _size(criteria: Sequence[Criterion]) -> str:
    """How many cases and ratings there are on all questions."""
    cases = {name for one in criteria for name in one.ratings.subjects}
    return numbers.counted(len(cases), sum(one.ratings.rating_count for one in criteria))


def _first_page_remarks(form: Form) -> list[Paragraph]:
    """What was left out, and what was read as no rating."""
    said = [Paragraph(remark.message) for remark in form.remarks if remark.code in LEFT_OUT]
    said += [Paragraph(words) for words in (blank_read(form), codes_read_as_missing(form)) if words]
    return said


def _glance(
    rows: Sequence[CriterionRow], remarks: Sequence[Paragraph], style: Style, chosen: TableCoefficient
) -> list[Section]:
    """The headline, what was noticed, and the table; a longer one has a page of its own, after what needs talk."""
    first, follows = words.headline(rows)
    every, limits = words.table(rows, style, paper=True, chosen=chosen), Paragraph(words.not_said(), Tone.BOXED)
    title = _("All questions at a glance")
    if len(rows) <= _ON_FIRST_PAGE:
        from_top = _("Read the table from the top: what stands first deserves the meeting’s time.")
        read = from_top if any(row.needs_talk for row in rows) else ""
        in_short = [Paragraph(first, Tone.LEAD), Paragraph(joined(follows, read)), *remarks]
        return [Section("glance", title, (*in_short, every, limits))]
    # What deserves the meeting's time stands below in a table of its own.
    short: list[Block] = [Paragraph(first, Tone.LEAD), Paragraph(follows), *remarks]
    talk = [row for row in rows if row.needs_talk]
    if talk:
        short.append(words.talk_table(talk))
    return [
        Section("short", _("In short"), (*short, limits)),
        Section("glance", title, (every,), fresh=True),
    ]


def _talk(rows: Sequence[CriterionRow], style: Style, chosen: TableCoefficient) -> Section | None:
    """Half a page for each question there is something to do about."""
    blocks: list[Block] = []
    for row in rows:
        if row.needs_talk:
            blocks += [Heading(row.name), *_question_blocks(row, style, chosen)]
    title = _("Questions to talk about")
    return Section("talk", title, tuple(blocks), fresh=True, kept=True) if blocks else None


def _question_blocks(row: CriterionRow, style: Style, chosen: TableCoefficient) -> list[Block]:
    """A question in words and numbers, and how often each rater says the class where that tells something."""
    blocks: list[Block] = [Paragraph(_in_words(row) or words.not_said(), opening=_opening(row))]
    if row.numbers.ratings:
        blocks.append(words.own_numbers(row, style, chosen))
    if row.numbers.shares and row.verdict in {Verdict.GUESSING, Verdict.MIXED, Verdict.CLEAR}:
        blocks.append(replace(words.shares_table(row), beside=bool(row.numbers.ratings)))
    return blocks


def _own_pages(rows: Sequence[CriterionRow], style: Style, chosen: TableCoefficient) -> list[Section]:
    """Each question the user wants to have a page of its own on that page, with the picture of its raters."""
    sections = []
    for place, row in enumerate(rows, start=1):
        blocks = _question_blocks(row, style, chosen)
        figure = words.shares_figure(row)
        if figure is not None:
            blocks.append(Picture(figure.title, (figure,), height=figure.height))
        sections.append(Section(f"question{place}", row.name, tuple(blocks), fresh=True))
    return sections


def _opening(row: CriterionRow) -> str:
    return _("{verdict}: {advice}.").format(verdict=words.verdict(row.verdict).capitalize(), advice=words.advice(row))


def _in_words(row: CriterionRow) -> str:
    return joined(*words.talk(row))


def _raters(criteria: Sequence[Criterion], rows: Sequence[CriterionRow], style: Style) -> Section | None:
    """Every known rater over all questions."""
    level = next((row.numbers.fit.interval[1] for row in rows if row.numbers.fit is not None), 0.95)
    result = finish(raters_across(criteria, rows, level))
    if not result:
        return None
    return Section("raters", _("{Raters} over all questions").format(), (words.raters_table(result, style),))


def _numbers(form: Form, rows: Sequence[CriterionRow], style: Style, chosen: TableCoefficient) -> Section:
    """What each question rests on, with the intervals of all coefficients."""
    by_name, conditional = {row.name: row for row in rows}, conditions.any_told(rows)
    kappa = table_coefficient("fleiss_kappa")
    two = (kappa, USUAL if chosen == kappa else chosen)
    sentences = []
    for one in form.questions:
        own = by_name[one.name].numbers
        estimates = [own.coefficient(name) for name in ("percent_agreement", *(one.name for one in two))]
        sentences.append(
            (
                one.name,
                cells.count(own.raters),
                cells.count(own.ratings),
                cells.count(0 if one.reading is None else one.reading.missing),
                *(cells.interval(e, style) for e in estimates),
                *((conditions.cell(by_name[one.name], style),) if conditional else ()),
                cells.decimal(by_name[one.name].p_holm, style, 3),
            )
        )
    heads = (
        Column(_("Question"), wide=True),
        Column(_("{Raters}").format(), _RIGHT),
        Column(_("{Ratings}").format(), _RIGHT),
        Column(_("Missing"), _RIGHT),
        Column(_("Raw"), _RIGHT),
        *(Column(one.head, _RIGHT) for one in two),
        *((Column(_("If some are harder"), _RIGHT),) if conditional else ()),
        Column(_("p, adjusted"), _RIGHT),
    )
    title = _("{Raters}, {ratings} and intervals, in the order of the file").format()
    table = Table(title, heads, tuple(sentences), _note(two[1], conditional=conditional))
    return Section("counts", _("What each question rests on"), (table,))


def _note(other: TableCoefficient, *, conditional: bool) -> str:
    """What the columns of that table mean."""
    note = _(
        "Intervals of raw agreement, of Fleiss’ kappa and of {coefficient}. The last column: how often "
        "{ratings} without information look like these, adjusted for the number of questions "
        "(Holm); a dash where no verdict was given."
    ).format(coefficient=other.head)
    if not conditional:
        return note
    harder = _("If some are harder: so far the accuracy reaches then, where it rests on {subjects} equally hard.")
    return joined(note, harder.format())


def _made(form: Form, rows: Sequence[CriterionRow], command_line: str) -> Section:
    """How the numbers came about, and how the file was read."""
    method = _(
        "Each question was analysed as if it stood alone: truth, accuracy and guessing with one accuracy for all "
        "{raters} (t-a-p), profile intervals, and a test of chance in which the {ratings} of every {rater} fall on the "
        "{subjects} in any order. Whether {raters} or {subjects} differ was tested beside it."
    ).format()
    untold = [
        Paragraph(_("“{question}” could not be read: {why}").format(question=one.name, why=one.refused), Tone.WARNING)
        for one in form.questions
        if one.reading is None
    ]
    unlike = [row for row in rows if row.verdict is Verdict.UNKNOWN and row.numbers.ratings]
    untold += [
        Paragraph(_("“{question}” could not be estimated: {why}").format(question=row.name, why=row.numbers.why_not))
        for row in unlike
    ]
    remarks = [
        Paragraph(remark.message)
        for remark in form.remarks
        if remark.code not in LEFT_OUT and remark.severity is not Severity.ASK
    ]
    remarks += [Paragraph(said) for said in open_checks(form)]
    blocks: list[Block] = [Paragraph(method), *remarks, *untold, Paragraph(reading_words(form))]
    if command_line:
        blocks.append(Paragraph(command_line))
    return Section("made", _("How these numbers were made"), tuple(blocks))
