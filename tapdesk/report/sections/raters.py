"""Sections: the raters one by one, and the cases and classes that were hard."""

from tapdesk.answers.cases import CATEGORIES, cases_content, categories_content
from tapdesk.answers.content import Block, Heading, Paragraph, Tone
from tapdesk.answers.part import Content, Missing
from tapdesk.answers.raters import independence_words, raters_content
from tapdesk.language import gettext as _
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context


def raters(context: Context) -> Section | None:
    """Accuracy of each rater, and pairs who agree more or less than they should."""
    main = context.main
    if main is None:
        return None
    content = raters_content(context.answer(main))
    if content is None:
        return None
    if isinstance(content, Missing):
        blocks: list[Block] = [Paragraph(content.reason, Tone.WARNING, _("No accuracy of single raters."))]
        blocks += independence_words(context.extras)
    else:
        blocks = [*content.blocks]
    return Section("raters", _("The raters"), (*blocks, *context.comment("raters")))


def cases(context: Context) -> Section | None:
    """The cases to discuss, and the classes that are confused with each other."""
    ratings, main = context.ratings, context.main
    if ratings is None or not ratings.subject.size:
        return None
    blocks: list[Block] = []
    if main is not None:
        answer = context.answer(main)
        content = cases_content(answer)
        if isinstance(content, Missing):
            blocks.append(Paragraph(content.reason))
        elif content is not None:
            blocks += content.blocks
        mixed = categories_content(answer)
        if isinstance(mixed, Content):
            blocks += [Heading(CATEGORIES.title), *mixed.blocks]
    return Section("cases", _("Cases and classes"), (*blocks, *context.comment("cases"))) if blocks else None
