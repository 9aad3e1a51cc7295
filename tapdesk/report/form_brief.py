"""The two pages of a brief about all questions of a form: how they stand, what to talk about, and what it rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tapdesk.answers import criteria as words
from tapdesk.answers import numbers
from tapdesk.answers.brief import plain_words
from tapdesk.answers.content import Align, Block, Column, Paragraph, Table, Tone
from tapdesk.answers.form_reading import blank_read, codes_read_as_missing, open_checks
from tapdesk.answers.numbers import Style
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.form import Form
from tapdesk.report.report import Section
from tapdesk.report.sections.brief import conclusion, signatures
from tapdesk.studies.criteria import CriterionRow, Verdict

# Of more questions the first page counts how they stand; the table of all follows in the full report.
_MOST_ROWS, _MOST_RATERS, _MOST_CHECKS = 30, 12, 2
_LONGEST = 60


def form_brief(
    form: Form, rows: Sequence[CriterionRow], raters: Section | None, style: Style, notes: Mapping[str, str]
) -> tuple[Section, ...]:
    """Both pages, section by section.

    Parameters
    ----------
    form, rows
        What was read, and how each question stands, those that need talk first.
    raters
        Every rater over all questions, as in the full report; None where nobody is known.
    style
        How numbers are written.
    notes
        The committee's own words by place (`tapdesk.answers.user_words`).
    """
    first, follows = words.headline(rows)
    answer: list[Block] = [Paragraph(first, Tone.LEAD), Paragraph(plain_words(follows))]
    unread = [one.name for one in form.questions if one.reading is None]
    if unread:
        sentence = ngettext(
            "{n} question could not be read: {names}.", "{n} questions could not be read: {names}.", len(unread)
        ).format(n=numbers.count(len(unread)), names=numbers.listed([numbers.short(name) for name in unread[:6]]))
        answer.append(Paragraph(sentence, Tone.WARNING, _("Read with care.")))
    if checks := open_checks(form):
        answer.append(Paragraph(joined(*checks[: 1 + _MOST_CHECKS]), Tone.WARNING, _("Read with care.")))
    talk = [row for row in rows if row.needs_talk]
    sections = [
        Section("brief-answer", _("Answer"), tuple(answer)),
        Section("brief-numbers", _("How the questions stand"), (_standing(rows, style),)),
        *_raters(raters),
        Section("brief-basis", _("What it rests on"), (_basis(form),), fresh=True),
    ]
    if talk:
        sections.append(Section("brief-cases", _("Questions to discuss"), (_talk(talk),)))
    sections += [
        Section("brief-limits", _("What it does not say"), (Paragraph(words.not_said()),)),
        Section("brief-conclusion", _("Conclusion of the committee"), conclusion(notes, listed=False)),
        Section("brief-signatures", _("Signatures"), signatures(notes)),
    ]
    return tuple(replace(section, numbered=False) for section in sections)


def _standing(rows: Sequence[CriterionRow], style: Style) -> Table:
    """Every question with its numbers, worst first; of many how often each verdict was given."""
    if len(rows) > _MOST_ROWS:
        counts = [(verdict, sum(row.verdict is verdict for row in rows)) for verdict in Verdict]
        told = tuple((words.verdict(one).capitalize(), numbers.count(n)) for one, n in counts if n)
        heads = (Column(_("So it is"), wide=True), Column(_("Questions"), Align.RIGHT))
        return Table(_("How the questions stand"), heads, told)
    whole = replace(words.table(rows, style), note="", drawn=None)
    # Name, raw agreement, accuracy with its interval and condition, and verdict: what the second page does not tell.
    kept = (0, 3, 5, *range(words.INTERVAL, len(whole.columns) - 1))
    shown = tuple(tuple(numbers.short(row[i], _LONGEST) if i == 0 else row[i] for i in kept) for row in whole.rows)
    names = {3: _("Raw agreement"), 5: _("Accuracy")}
    columns = tuple(replace(whole.columns[i], title=names.get(i, whole.columns[i].title)) for i in kept)
    return replace(whole, columns=columns, rows=shown)


def _raters(section: Section | None) -> list[Section]:
    """The raters over all questions, where there is room for all of them."""
    tables = () if section is None else tuple(b for b in section.blocks if isinstance(b, Table))
    if section is None or sum(len(table.rows) for table in tables) > _MOST_RATERS:
        return []
    return [Section("brief-apart", section.title, tuple(replace(table, note="") for table in tables))]


def _talk(rows: Sequence[CriterionRow]) -> Table:
    """The questions there is something to do about, the neediest first, all of them."""
    shown = tuple((numbers.short(a, _LONGEST), b, c) for a, b, c in words.talk_table(rows).rows)
    return replace(words.talk_table(rows), rows=shown, most=None)


def _basis(form: Form) -> Table:
    """How many questions, cases, raters and ratings there are, and what could not be read."""
    readings = form.readings
    cases = {name for one in readings for name in one.ratings.subjects}
    raters = {name for one in readings for name in one.ratings.raters}
    used = _("{q} questions, {n} {subjects}, {k} {raters}, {m} {ratings}.").format(
        q=numbers.count(len(form.questions)),
        n=numbers.count(len(cases)),
        k=numbers.count(len(raters)),
        m=numbers.count(sum(one.ratings.rating_count for one in readings)),
    )
    out = sum(one.left_out_ratings for one in readings)
    empty = sum(one.missing for one in readings)
    left = [_("{m} {ratings}.").format(m=numbers.count(out))] if out else []
    left += [_("{n} cells hold no {rating}.").format(n=numbers.count(empty))] if empty else []
    left += [codes] if (codes := codes_read_as_missing(form)) else []
    rows = [(_("Used"), used), (_("Left out"), joined(*left) or _("Nothing."))]
    # What is asked stands on the first page.
    remarks = [remark for remark in form.remarks if remark.severity is not Severity.ASK]
    noted = [numbers.short(str(remark.message), 220) for remark in remarks[:3]]
    noted += [blank] if (blank := blank_read(form)) else []
    rows += [(_("Noticed"), joined(*noted))] if noted else []
    return Table(_("What it rests on"), (Column(""), Column("", wide=True)), tuple(rows), headed=False)
