"""Sections: purpose and design."""

from tapdesk.answers import cells, numbers
from tapdesk.answers import fit_tables as tables
from tapdesk.answers.content import Block, Picture
from tapdesk.answers.figures import data as figures_data
from tapdesk.answers.numbers import DASH
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context


def purpose(context: Context) -> Section | None:
    """What was asked, of which cases and raters, and what was known: the user's words."""
    return Section("purpose", _("Purpose"), tuple(context.asked("purpose")))


def design(context: Context) -> Section | None:
    """How cases and raters came together: the user's words, and the design as the data show it."""
    blocks: list[Block] = list(context.asked("design"))
    ratings = context.ratings
    if ratings is not None and ratings.subject.size:
        blocks.append(tables.pairs(_("The design as the data show it"), _rows(ratings)))
        if len(ratings.raters) > 1 and ratings.weight is None:
            figure = figures_data.coverage(ratings)
            height = 78.0 + 19.0 * len(figure.y.ticks)
            blocks.append(Picture(figure.title, (figure,), figure.note, height=height))
    return Section("design", _("Design"), tuple(blocks))


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
        (_("{Ratings} of a {subject}"), spread),
        (_("Classes"), "; ".join(numbers.shorts(ratings.classes))),
        (
            _("Order of the classes"),
            _("means something, lowest first") if ratings.ordered else _("means nothing"),
        ),
        (
            _("Repeats: a {rater} rated a {subject} again"),
            _repeats(ratings),
        ),
    ]
    return [(str(name), value) for name, value in rows]


def _repeats(ratings: Ratings) -> str:
    """How many ratings are second or later ones of one rater on one subject."""
    if not ratings.raters_known:
        return DASH
    pairs = ratings.subject.astype("int64") * max(len(ratings.raters), 1) + ratings.rater
    return cells.count(pairs.size - len(set(pairs.tolist())))
