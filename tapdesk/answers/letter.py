"""What one rater is told of the own ratings beside the panel's: the same fit, rows and cells as the report's.

Nobody else is named in it. Where it stands and how it is sent is decided by `tapdesk.report.letters`.
"""

from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from tapdesk.answers import cells, charts, numbers
from tapdesk.answers.content import Align, Block, Column, Paragraph, Picture, Table, Tone
from tapdesk.answers.figure import Figure, Points, Role
from tapdesk.answers.figures import raters as figures
from tapdesk.answers.numbers import Style, counted
from tapdesk.answers.part import Answer, Content
from tapdesk.answers.raters import fit_by_rater, panel_accuracy
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.ratings.ratings import Ratings

_MOST_CLASSES = 8
_MOST_CASES = 3
_SURPRISING = 0.25
# Among so few everybody can tell whose number is whose.
_FEW = 3


@dataclass(frozen=True, slots=True)
class LetterHead:
    """What stands on a letter besides numbers: words of whoever sends it.

    Attributes
    ----------
    sender, contact, readers
        Who sends it, where to ask back, who else sees the number; empty where nobody said.
    date
        Of the letter; None where nobody said.
    """

    sender: str = ""
    contact: str = ""
    readers: str = ""
    date: datetime | None = None


def letter_content(answer: Answer, rater: str, code: str, head: LetterHead) -> Content:
    """What one rater reads: thanks, the own accuracy, how to read it, who else sees it, classes and cases.

    Parameters
    ----------
    answer
        With its raters under their names, or under those they have in what is sent.
    rater
        The one it is for.
    code
        What the report calls this rater where it names nobody.
    head
        The words of whoever sends it.

    Raises
    ------
    ValueError
        When no fit tells the raters apart.
    """
    fit = letter_fit(answer)
    if fit is None:
        raise ValueError("no fit tells the raters apart")
    ratings, j = answer.ratings, answer.ratings.raters.index(rater)
    own = own_accuracy(fit, rater)
    blocks: list[Block] = [
        Paragraph(_thanks(ratings, j)),
        Paragraph(_headline(own), Tone.LEAD),
        Paragraph(_reading(answer)),
        Paragraph(_readers(head, code), opening=_("Who else sees your number.")),
    ]
    figure = _figure(fit, rater, answer.style)
    blocks.append(Picture(figure.title, (figure,), figure.note, height=100.0))
    if len(ratings.classes) <= _MOST_CLASSES:
        blocks.append(_use(ratings, j))
    surprising = _surprising(answer, j)
    if surprising is not None:
        blocks.append(surprising)
    return Content(tuple(blocks))


def letter_fit(answer: Answer) -> Fit | None:
    """The fit whose accuracies letters tell: the report's, also where the raters are all there is an answer about."""
    return answer.side.by_rater if answer.result is None else fit_by_rater(answer)


def own_accuracy(fit: Fit, rater: str) -> Estimate | None:
    """The accuracy of one rater, as the report has it; None where the fit has none."""
    return next((e.estimate for e in figures.accuracies(fit) if e.name.rater == rater), None)


def _thanks(ratings: Ratings, rater: int) -> str:
    """Thanks come first; among very few raters it is said that names hide nobody."""
    given = ratings.subject_weights()[ratings.subject[ratings.rater == rater]].sum()
    thanks = _("Thank you for your {count} {ratings}. This page is for you alone: the others appear without names.")
    few = _("With {count} {raters}, though, everybody may tell whose number is whose.")
    people = len(np.unique(ratings.rater))
    return joined(
        thanks.format(count=numbers.count(given)),
        few.format(count=numbers.count(people)) if people <= _FEW else "",
    )


def _headline(own: Estimate | None) -> str:
    if own is None or own.value is None:
        return _("These data do not tell how often your {ratings} follow the {subject}.")
    return _("Your {ratings} follow the {subject} {often}, as far as the panel’s shared pattern can tell.").format(
        often=numbers.often(own.value, own.low, own.high)
    )


def _reading(answer: Answer) -> str:
    panel = panel_accuracy(answer) if answer.result is not None else None
    value = _("The panel as a whole: {value}.").format(value=numbers.value(panel)) if panel is not None else ""
    reading = _(
        "A number below the panel’s does not mean that you are wrong, for nobody checked the true answers: you may see "
        "something that the others miss. Wide intervals overlap by luck alone; only a clear gap is worth a "
        "conversation about how the {subjects} are judged."
    )
    return joined(value, reading)


def _readers(head: LetterHead, code: str) -> str:
    """Who sees the number, as far as the program knows and the sender said."""
    stated = _("The sender names: {readers}.").format(readers=head.readers.rstrip(".")) if head.readers else ""
    report = _("The report on all {raters} shows it under your code {code}, or under your name where it prints names.")
    unsaid = "" if head.readers else _("Who reads that report is not stated here; the sender can tell you.")
    ask = _("Questions go to {contact}.").format(contact=head.contact.rstrip(".")) if head.contact else ""
    return joined(stated, report.format(code=code), unsaid, ask)


def _figure(fit: Fit, name: str, style: Style) -> Figure:
    """The rater's accuracy above those of the others, who have no names."""
    result = figures.accuracies(fit)
    own = [(_("You"), e.estimate, Role.MODEL) for e in result if e.name.rater == name]
    others = np.array([e.estimate.value for e in result if e.name.rater != name and e.estimate.value is not None])
    note = _("N = {size}; {model} model; the line is the {level} interval.").format(
        size=counted(fit.subjects, fit.ratings),
        model=fit.model.name,
        level=numbers.level(fit.interval[1]),
    )
    title = _("Accuracy: you and the others of the panel")
    figure = charts.forest(own, style, kind="letter", title=title, note=note)
    rows = (*((1.0, words) for _at, words in figure.y.ticks), (0.0, _("The others")))
    mine = tuple(replace(m, y=np.ones(1)) for m in figure.marks if isinstance(m, Points))
    rest = Points("", others.astype(np.float64), np.zeros(others.size), Role.CLASSICAL)
    listed = ", ".join(numbers.decimal(float(v), style) for v in others)
    return replace(
        figure,
        y=replace(figure.y, low=-0.6, high=1.6, ticks=rows),
        marks=(*mine, rest),
        alt=_("{alt} The others, without their names: {listed}.").format(alt=figure.alt, listed=listed),
    )


def _use(ratings: Ratings, rater: int) -> Table:
    """The classes as this rater and as all the others used them."""
    mine = ratings.rater == rater
    k = len(ratings.classes)
    weight = ratings.subject_weights()[ratings.subject]
    own = np.bincount(ratings.category[mine], weight[mine], k)
    rest = np.bincount(ratings.category[~mine], weight[~mine], k)
    rows = tuple(
        (
            numbers.short(label, 60),
            cells.percent(float(own[i] / max(own.sum(), 1))),
            cells.percent(float(rest[i] / max(rest.sum(), 1))),
        )
        for i, label in enumerate(ratings.classes)
    )
    note = _("Your {n} {ratings} and {m} of the others. You may have had other {subjects}.").format(
        n=numbers.count(own.sum()), m=numbers.count(rest.sum())
    )
    right = Align.RIGHT
    columns = (Column(_("{Rating}"), wide=True), Column(_("You"), right), Column(_("The others"), right))
    return Table(_("How the {ratings} were used"), columns, rows, note)


def _surprising(answer: Answer, rater: int) -> Table | None:
    """The rater's own ratings that the panel as a whole finds least probable."""
    ratings, beliefs = answer.ratings, answer.side.beliefs
    if beliefs is None or beliefs.probability.shape != (len(ratings.subjects), len(ratings.classes)):
        return None
    mine = np.flatnonzero(ratings.rater == rater)
    belief = beliefs.probability[ratings.subject[mine], ratings.category[mine]]
    order = mine[np.argsort(belief, kind="stable")][:_MOST_CASES]
    rows = [
        (
            numbers.short(ratings.subjects[s], 40),
            numbers.short(ratings.classes[ratings.category[i]], 30),
            numbers.short(ratings.classes[int(beliefs.probability[s].argmax())], 30),
        )
        for i in order
        if beliefs.probability[s := int(ratings.subject[i]), int(ratings.category[i])] < _SURPRISING
    ]
    if not rows:
        return None
    columns = (
        Column(_("{Subject}"), wide=True),
        Column(_("You said")),
        Column(_("The panel’s pattern says")),
    )
    return Table(_("{Subjects} you may want to look at again"), columns, tuple(rows))
