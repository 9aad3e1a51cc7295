"""Sections: the data used, and how the classes were used."""

from gettext import gettext as _

from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers, tables, words
from tapdesk.report.report import Block, Heading, Paragraph, Section
from tapdesk.report.sections.context import Context


def data(context: Context) -> Section | None:
    """What was read, what was left out and why, and what is counted in the end."""
    reading, ratings = context.project.reading, context.ratings
    if reading is None or ratings is None:
        return None
    blocks: list[Block] = [
        Paragraph(text) for text in (" ".join(reading.source.words), reading.source.sentence) if text
    ]
    blocks += [tables.flow(reading, ratings, context.nouns), Paragraph(words.missing_rule(context.nouns))]
    if reading.findings:
        blocks += [Heading(_("What reading noticed")), tables.findings(reading.findings)]
    else:
        blocks.append(Paragraph(_("Reading the file raised no question.")))
    return Section("data", _("Data used"), tuple(blocks), fresh=True)


def description(context: Context) -> Section | None:
    """How often each class was given."""
    ratings = context.ratings
    if ratings is None:
        return None
    blocks: list[Block] = [tables.class_counts(ratings)]
    if len(ratings.classes) == 2:
        blocks.insert(0, Paragraph(_class1(ratings)))
    return Section("description", _("How the classes were used"), tuple(blocks))


def _class1(ratings: Ratings) -> str:
    """What class 1 is made of."""
    zero, one = (numbers.short(label, 100) for label in ratings.classes)
    return _("Class 1 is “{one}”; every other rating counts as “{zero}”.").format(one=one, zero=zero)
