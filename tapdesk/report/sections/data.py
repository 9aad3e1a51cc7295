"""Sections on what the answer rests on: purpose and design, the data, and how classes were used."""

from dataclasses import replace

import numpy as np

from tapdesk.answers import cells, numbers
from tapdesk.answers import fit_tables as tables
from tapdesk.answers import fit_words as words
from tapdesk.answers.content import Block, Heading, Number, Paragraph, Picture, Table
from tapdesk.answers.figures import classes as figures_classes
from tapdesk.answers.figures import data as figures_data
from tapdesk.answers.figures.catalog import FIGURES
from tapdesk.answers.numbers import DASH
from tapdesk.answers.pseudonyms import coded_findings, coded_ratings
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.project.review_state import findings_now
from tapdesk.ratings.findings import label_text, short_text
from tapdesk.ratings.options import Layout
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.report import Form, Section
from tapdesk.report.sections.context import Context

# The last rows of the table of the flow: cases, ratings, ratings of a case, raters.
_OF_DESIGN = -4


def purpose(context: Context) -> Section | None:
    """What was asked, of which cases and raters, and what was known: the user's words."""
    blocks = tuple(context.answers_to("purpose"))
    return Section("purpose", _("Purpose"), blocks) if blocks else None


def design(context: Context) -> Section | None:
    """How cases and raters came together: the user's words, and the design as the data show it."""
    blocks: list[Block] = list(context.answers_to("design"))
    ratings = context.ratings
    if ratings is not None and ratings.subject.size:
        blocks.append(tables.pairs(_("The design as the data show it"), _rows(ratings)))
        blocks += [] if context.form.annexed else coverage(ratings)
    return Section("design", _("Design"), tuple(blocks)) if blocks else None


def coverage(ratings: Ratings) -> list[Block]:
    """Who rated what, where that can be drawn; in the annex numbers stand for it."""
    if len(ratings.raters) < 2 or ratings.weight is not None:
        return []
    figure = figures_data.coverage(ratings)
    return [Picture(figure.title, (figure,), figure.note, height=78.0 + 19.0 * len(figure.y.ticks))]


def _rows(ratings: Ratings) -> list[tuple[str, str]]:
    each = ratings.ratings_per_subject()
    spread = _("{least} to {most}").format(least=int(each.min()), most=int(each.max()))
    if each.min() == each.max():
        spread = numbers.count(int(each.max()))
    known = _("known by name") if ratings.raters_known else _("seats: who sat in them is not known")
    rows = [
        (_("{Subjects}"), cells.count(ratings.subject_count)),
        (
            _("{Raters}"),
            _("{n}, {known}").format(n=numbers.count(len(ratings.raters)), known=known)
            if len(ratings.raters) > 1
            else known,
        ),
        (_("{Ratings} of {a_subject}"), spread),
        *_each_rater(ratings),
        (_("Classes"), "; ".join(numbers.shorts(ratings.classes))),
        (
            _("Order of the classes"),
            _("means something, lowest first") if ratings.ordered else _("means nothing"),
        ),
        (
            _("Repeats: {a_rater} rated {a_subject} again"),
            _repeats(ratings),
        ),
    ]
    return [(str(name), value) for name, value in rows]


def _each_rater(ratings: Ratings) -> list[tuple[str, str]]:
    """How many ratings each rater gave, where they are known and gave more or fewer."""
    if not ratings.raters_known or len(ratings.raters) < 2:
        return []
    each = np.bincount(ratings.rater, minlength=len(ratings.raters))
    return [(_("{Ratings} of {a_rater}"), tables.spread(each))] if each.min() < each.max() else []


def _repeats(ratings: Ratings) -> str:
    """How many ratings are second or later ones of one rater on one subject."""
    if not ratings.raters_known:
        return DASH
    pairs = ratings.subject.astype("int64") * max(len(ratings.raters), 1) + ratings.rater
    return cells.count(pairs.size - len(set(pairs.tolist())))


def data(context: Context) -> Section | None:
    """What was read, what was left out and why, and what is counted in the end."""
    reading, ratings = context.project.reading, context.ratings
    if reading is None or ratings is None:
        return None
    sentences = (context.names.text(sentence, "") for sentence in reading.source.words)
    lines = (joined(*sentences), _one_rating(context))
    blocks: list[Block] = [Paragraph(text) for text in lines if text]
    if ratings.rating_count and not context.form.annexed:
        figure = figures_data.flow(reading, ratings)
        blocks.append(Picture(figure.title, (figure,), figure.note, height=44.0 + 30.0 * len(figure.y.ticks)))
    told_flow = tables.flow(reading, ratings, context.project.all_classes)
    blocks.append(_fewer(told_flow) if context.form.annexed else told_flow)
    # The annex says so where it tells how the numbers were made.
    blocks += [] if context.form.annexed else [Paragraph(words.missing_rule())]
    blocks += context.answers_to("data")
    if reading.findings:
        now = replace(reading, findings=findings_now(context.project))
        findings = coded_findings(now, context.names)
        blocks += [Heading(_("What reading noticed")), tables.findings(findings)]
    else:
        blocks.append(Paragraph(_("Reading the file raised no question.")))
    return Section("data", _("Data used"), (*blocks, *context.comment("data")))


def _fewer(flow: Table) -> Table:
    """From the file to the analysis, without what did not occur, and what is told of the design."""
    rows = flow.rows[:_OF_DESIGN] if len(flow.rows) > -_OF_DESIGN else flow.rows
    used = [row for row in flow.rows[_OF_DESIGN:] if row[0] == _("{Ratings} used").format()]
    occurred = [row for row in rows if not (isinstance(row[1], Number) and row[1].values == (0,))]
    return replace(flow, rows=(*occurred, *used))


def _one_rating(context: Context) -> str:
    """One rating in words; where somebody is called by a code, of the ratings in the order of the codes."""
    reading = context.project.reading
    if reading is None or not context.names.coded:
        return "" if reading is None else context.names.text(reading.source.sentence, "")
    if reading.source.layout in {Layout.COUNTS, Layout.CONFUSION} or not reading.as_read.rating_count:
        return context.names.text(reading.source.sentence, "")
    coded = coded_ratings(reading.as_read, context.names)
    at = coded.subject.size // 2
    rater, case = coded.raters[int(coded.rater[at])], coded.subjects[int(coded.subject[at])]
    words = {"name": rater, "case": short_text(case), "rated": label_text(coded.classes[int(coded.category[at])], 40)}
    if coded.raters_known:
        return _("The {rater} {name} gave the {subject} {case} the {rating} {rated}.").format(**words)
    return _("The {rater} in seat {name} gave the {subject} {case} the {rating} {rated}.").format(**words)


def description(context: Context) -> Section | None:
    """How often each class was given, and by whom."""
    ratings = context.ratings
    if ratings is None:
        return None
    blocks: list[Block] = []
    if len(ratings.classes) == 2:
        blocks.append(Paragraph(_class1(ratings)))
    blocks.append(tables.class_counts(ratings))
    use = figures_classes.class_use(ratings, context.style)
    if use is not None:
        height = 50.0 + max(16.0, min(30.0, 260.0 / len(use.y.ticks))) * len(use.y.ticks)
        blocks.append(Picture(use.title, (use,), use.note, height=height))
    elif context.main is not None:
        row = next(f for f in FIGURES if f.kind == "class_rates")
        if row.needs(context.main.fit, ratings) is None:
            (figure,) = row.draw(context.main.fit, ratings)
            blocks.append(Picture(figure.title, (figure,), figure.note, height=200.0))
    if context.form is Form.APPENDIX:
        # Where the annex goes with numbers, the picture stands here.
        blocks += coverage(ratings)
    blocks += context.comment("description")
    return Section("description", _("How the classes were used"), tuple(blocks))


def _class1(ratings: Ratings) -> str:
    """What class 1 is made of."""
    zero, one = (numbers.short(label, 100) for label in ratings.classes)
    return _("The counted class is “{one}”; every other {rating} counts as “{zero}”.").format(one=one, zero=zero)
