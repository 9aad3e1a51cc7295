"""How far raters agree who give sets of labels: the sets with two distances, and each label by itself."""

from tapdesk.agreement.sets import SetAgreement, set_agreement
from tapdesk.answers import cells, numbers
from tapdesk.answers.content import Align, Column, Paragraph, Table
from tapdesk.answers.numbers import counted
from tapdesk.answers.part import About, Answer, Content, Part
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings.label_sets import label_sets


def sets_content(answer: Answer) -> Content | None:
    """Alpha of the sets, and a line for each label; None where the ratings are no sets."""
    every = answer.every
    sets = label_sets(every.classes)
    if sets is None or every.weight is not None:
        return None
    agreement = set_agreement(every, sets)
    sentence = _(
        "The {ratings} are sets of {n} labels. As sets that may overlap, Krippendorff’s alpha is {masi} (MASI) and "
        "{jaccard} (Jaccard); as classes of their own, where only equal sets agree, it is {nominal}."
    ).format(
        n=len(sets.labels),
        masi=numbers.value(agreement.masi, answer.style),
        jaccard=numbers.value(agreement.jaccard, answer.style),
        nominal=numbers.value(agreement.nominal, answer.style),
    )
    return Content((Paragraph(sentence), _whole(answer, agreement), _by_label(answer, agreement)))


def _whole(answer: Answer, agreement: SetAgreement) -> Table:
    style = answer.style
    rows = (
        (_("Alpha, MASI distance"), agreement.masi),
        (_("Alpha, Jaccard distance"), agreement.jaccard),
        (_("Alpha, equal sets only"), agreement.nominal),
    )
    note = _(
        "N = {size}. MASI (Passonneau 2006): a part of the other set counts two thirds, an overlap one third."
    ).format(size=counted(answer.every.subject_count, answer.every.rating_count))
    return Table(
        _("Agreement on sets of labels"),
        (Column("", wide=True), Column(_("Value"), Align.RIGHT), Column(_("95 % interval"), Align.RIGHT)),
        tuple((name, cells.value(e, style), cells.interval(e, style)) for name, e in rows),
        note,
    )


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
    note = _("Each label is a question of its own: does a {rating} hold it? Shares may add to more than 100 %.")
    return Table(_("Agreement label by label"), columns, rows, note)


SETS = Part(
    "sets",
    "agreement",
    _("How far do sets of labels agree?"),
    _(
        "Where a rating is a set of labels, two ratings may agree in part. The distances of Jaccard and of MASI count "
        "how much of two sets is the same; below, each label is a yes/no question by itself. Each label can be asked "
        "about like any other question: choose the sets that hold it as what is counted."
    ),
    sets_content,
    about=About.RATINGS,
    commands=("agree",),
)
