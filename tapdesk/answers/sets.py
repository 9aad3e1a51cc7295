"""How far raters agree who give sets of labels: the sets with two distances, and each label by itself."""

from tapdesk.agreement.sets import SetAgreement, set_agreement
from tapdesk.answers import cells, numbers
from tapdesk.answers.content import Align, Column, Paragraph, Table
from tapdesk.answers.numbers import SCREEN, Style, counted
from tapdesk.answers.part import About, Answer, Content, Part
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings.label_sets import NO_LABEL, label_sets
from tapdesk.ratings.ratings import Ratings


def sets_content(answer: Answer) -> Content | None:
    """Alpha of the sets, and a line for each label; None where the ratings are no sets."""
    agreement = _agreement(answer.every)
    if agreement is None:
        return None
    first, whole = _told(answer.every, agreement, answer.style)
    return Content((Paragraph(first), whole, _by_label(answer, agreement)))


def whole_sets(ratings: Ratings, style: Style = SCREEN) -> tuple[str, Table] | None:
    """How far raters agree on whole sets of labels, in a sentence and a table; None where the ratings are no sets.

    Parameters
    ----------
    ratings
        With a class for each set.
    style
        Of the numbers.
    """
    agreement = _agreement(ratings)
    return None if agreement is None else _told(ratings, agreement, style)


def _agreement(ratings: Ratings) -> SetAgreement | None:
    sets = label_sets(ratings.classes)
    return None if sets is None or ratings.weight is not None else set_agreement(ratings, sets)


def _told(ratings: Ratings, agreement: SetAgreement, style: Style) -> tuple[str, Table]:
    sentence = _(
        "The {ratings} are sets of {n} labels. As sets that may overlap, Krippendorff’s alpha is {masi} (MASI) and "
        "{jaccard} (Jaccard); as classes of their own, where only equal sets agree, it is {nominal}."
    ).format(
        n=sum(row.label != NO_LABEL for row in agreement.labels),
        masi=numbers.value(agreement.masi, style),
        jaccard=numbers.value(agreement.jaccard, style),
        nominal=numbers.value(agreement.nominal, style),
    )
    rows = (
        (_("Alpha, MASI distance"), agreement.masi),
        (_("Alpha, Jaccard distance"), agreement.jaccard),
        (_("Alpha, equal sets only"), agreement.nominal),
    )
    note = _(
        "N = {size}. MASI (Passonneau 2006): a part of the other set counts two thirds, an overlap one third."
    ).format(size=counted(ratings.subject_count, ratings.rating_count))
    table = Table(
        _("Agreement on sets of labels"),
        (Column("", wide=True), Column(_("Value"), Align.RIGHT), Column(_("95 % interval"), Align.RIGHT)),
        tuple((name, cells.value(e, style), cells.interval(e, style)) for name, e in rows),
        note,
    )
    return sentence, table


def _by_label(answer: Answer, agreement: SetAgreement) -> Table:
    style = answer.style
    head = (_("Share"), _("Raw agreement"), _("AC1"), _("95 % interval"), _("Alpha"))
    columns = (Column(_("Label"), wide=True), *(Column(name, Align.RIGHT) for name in head))
    rows = tuple(
        (
            Label(row.label),
            cells.percent(row.share),
            cells.value(row.raw, style),
            cells.value(row.gwet, style),
            cells.interval(row.gwet, style),
            cells.value(row.alpha, style),
        )
        for row in agreement.labels
    )
    note = _("Each label is a question of its own: does {a_rating} hold it? Shares may add to more than 100 %.")
    return Table(_("Agreement label by label"), columns, rows, note)


SETS = Part(
    "sets",
    "agreement",
    _("How far do sets of labels agree?"),
    _(
        "Where {a_rating} is a set of labels, two {ratings} may agree in part. The distances of Jaccard "
        "and of MASI count how much of two sets is the same; below, each label is a yes/no question by "
        "itself. Each label can be asked about like any other question: choose the sets that hold it as "
        "what is counted."
    ),
    sets_content,
    about=About.RATINGS,
    commands=("agree",),
)
