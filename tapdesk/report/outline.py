"""The outline of a report: its sections in order, those about an answer made of the parts by one function."""

from collections.abc import Callable
from dataclasses import dataclass

from tapdesk.answers.content import Block, Heading, Paragraph
from tapdesk.answers.part import About, Answer, Missing, Part
from tapdesk.answers.parts import PARTS
from tapdesk.language import gettext as _
from tapdesk.report.annex import in_annex, in_appendix
from tapdesk.report.report import Form, Section
from tapdesk.report.sections.appendix import actions, checklist, counts, decisions, meaning, record, signoff
from tapdesk.report.sections.context import Context
from tapdesk.report.sections.data import data, description, design, purpose
from tapdesk.report.sections.methods import methods, works
from tapdesk.report.sections.summary import summary
from tapdesk.report.sections.what_if import what_if


@dataclass(frozen=True, slots=True)
class Row:
    """One section.

    Attributes
    ----------
    key, title
        Its key, and its name in the outline.
    write
        What makes it; by default the parts of this section.
    appended
        Whether it stands in the appendix and not in the annex, where it is not made of parts.
    """

    key: str
    title: str
    write: Callable[[Context], Section | None] | None = None
    appended: bool = False

    def make(self, context: Context) -> Section | None:
        """The section as its form of the report has it; None where there is nothing to say."""
        if self.write is None:
            return of_parts(self, context)
        absent = Form.APPENDIX if not self.appended else None
        return None if context.form is absent or (self.appended and context.form.annexed) else self.write(context)


def of_parts(row: Row, context: Context) -> Section | None:
    """What the parts of a section say, each answer by itself first, and what the committee says of it."""
    if context.ratings is None:
        return None
    parts = [part for part in PARTS if part.section == row.key and part.printed]
    each, once = [p for p in parts if p.about.each], [p for p in parts if not p.about.each]
    runs = [d for d in context.done if not d.analysis.stale or any(p.about is About.RUNS for p in each)] if each else []
    blocks: list[Block] = []
    for done in runs:
        answer = context.answer(done)
        shown = (p for p in each if p.about is About.RUNS or not answer.stale)
        made = [block for part in shown for block in _printed(part, answer, context.form)]
        if made and len(runs) > 1:
            blocks.append(Heading(done.fit.model.name))
        blocks += made
    main = context.answer(context.main)
    for part in once:
        if main.result is not None or part.about is About.RATINGS:
            blocks += _printed(part, main, context.form)
    # A comment of the committee is printed once, in the annex.
    said = () if context.form is Form.APPENDIX else context.comment(row.key)
    return Section(row.key, row.title, (*blocks, *said)) if blocks else None


def _printed(part: Part, answer: Answer, form: Form) -> list[Block]:
    """A part as it stands in its section: its title where it has one there, what it says, or why it says nothing."""
    if form.annexed:
        content = in_annex(part, answer, form)
    else:
        content = in_appendix(part, answer) if form is Form.APPENDIX else part.content(answer)
    if content is None or (isinstance(content, Missing) and content.quiet):
        return []
    title: list[Block] = [Heading(part.title)] if part.headed else []
    if isinstance(content, Missing):
        return [*title, Paragraph(content.reason, content.tone, content.opening), *content.blocks]
    return [*title, *content.blocks]


SECTIONS: tuple[Row, ...] = (
    Row("summary", _("Summary for the committee"), summary),
    Row("agreement", _("Agreement")),
    Row("results", _("Truth, accuracy and chance")),
    Row("raters", _("The {raters}")),
    Row("cases", _("{Subjects} and classes")),
    Row("sensitivity", _("Sensitivity")),
    # What is worked out only where it is asked for is a section of its own.
    *(Row(part.section, part.title) for part in PARTS if part.on_demand),
    Row("what_if", _("What if"), what_if),
    Row("purpose", _("Purpose"), purpose),
    Row("design", _("Design"), design),
    Row("meaning", _("Meaning and limits"), meaning),
    Row("actions", _("Actions"), actions),
    Row("data", _("Data used"), data),
    Row("decisions", _("Decisions log"), decisions),
    Row("model", _("How the numbers were obtained"), methods),
    Row("references", _("References"), works),
    Row("description", _("How the classes were used"), description, appended=True),
    Row("counts", _("Full counts"), counts, appended=True),
    Row("checks", _("Does the model hold?")),
    Row("technical", _("Technical details")),
    Row("paper", _("For your paper")),
    Row("checklist", _("Checklist"), checklist),
    Row("record", _("Settings and fingerprint"), record),
    Row("signoff", _("Sign-off"), signoff),
)
"""The results, what they rest on, how they were made, and the record; what `tapdesk.report.annex` leaves out stands in
the appendix in the same order."""
