"""Sections: the data used, and how the classes were used."""

from gettext import gettext as _

import numpy as np

from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.report import numbers, tables, words
from tapdesk.report.report import Align, Block, Column, Heading, Paragraph, Section, Table
from tapdesk.report.sections.context import Context


def data(context: Context) -> Section | None:
    """What was read, what was left out and why, and what is counted in the end."""
    reading, ratings = context.project.reading, context.ratings
    if reading is None or ratings is None:
        return None
    blocks: list[Block] = [
        Paragraph(text) for text in (" ".join(reading.source.words), reading.source.sentence) if text
    ]
    blocks += [_flow(reading, ratings, context), Paragraph(words.missing_rule(context.nouns))]
    if reading.findings:
        blocks += [Heading(_("What reading noticed")), tables.findings(reading.findings)]
    else:
        blocks.append(Paragraph(_("Reading the file raised no question.")))
    return Section("data", _("Data used"), tuple(blocks), fresh=True)


def _flow(reading: Reading, ratings: Ratings, context: Context) -> Table:
    """From rows read to ratings used (experience.md §3, Fig 2, as a table that can be read aloud)."""
    nouns = context.nouns
    left_classes = reading.as_read.rating_count - ratings.rating_count
    rows = [
        (_("Rows read from the file"), numbers.count(reading.source.rows)),
        (_("Cells without a {rating}").format(rating=nouns.rating), numbers.count(reading.missing)),
        (
            _("{ratings} left out while reading").format(ratings=_upper(nouns.ratings)),
            numbers.count(reading.left_out_ratings),
        ),
        (
            _("{subjects} left out while reading").format(subjects=_upper(nouns.subjects)),
            numbers.count(reading.left_out_subjects),
        ),
    ]
    if left_classes > 0:
        rows.append(
            (
                _("{ratings} in classes on neither side").format(ratings=_upper(nouns.ratings)),
                numbers.count(left_classes),
            )
        )
    each = ratings.ratings_per_subject()
    rows += [
        (_("{subjects} used").format(subjects=_upper(nouns.subjects)), numbers.count(ratings.subject_count)),
        (_("{ratings} used").format(ratings=_upper(nouns.ratings)), numbers.count(ratings.rating_count)),
        (_("{ratings} of a {subject}").format(ratings=_upper(nouns.ratings), subject=nouns.subject), _range(each)),
        (_raters_head(ratings, context), numbers.count(len(ratings.raters))),
    ]
    return Table(
        _("From the file to the analysis"),
        (Column("", wide=True), Column("", Align.RIGHT)),
        tuple(rows),
        headed=False,
    )


def _raters_head(ratings: Ratings, context: Context) -> str:
    if ratings.raters_known:
        return _upper(context.nouns.raters)
    return _("Seats (who sat in them is not known)")


def _range(each: np.ndarray) -> str:
    if not each.size:
        return numbers.DASH
    if each.min() == each.max():
        return numbers.count(float(each.min()))
    return _("{least} to {most}").format(least=int(each.min()), most=int(each.max()))


def _upper(word: str) -> str:
    return word[:1].upper() + word[1:]


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
