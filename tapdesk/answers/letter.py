"""What one rater is told of the own ratings beside the panel's: the same fit, rows and cells as the report's.

Nobody else is named in it. Where it stands and how it is sent is decided by `tapdesk.report.letters`.
"""

from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import cells, charts, numbers
from tapdesk.answers.content import Align, Block, Column, Paragraph, Picture, Table, Tone
from tapdesk.answers.figure import Axis, Figure, Points, Role
from tapdesk.answers.figures import raters as figures
from tapdesk.answers.numbers import Style, counted
from tapdesk.answers.part import Answer, Content
from tapdesk.answers.raters import fit_by_rater, panel_accuracy
from tapdesk.answers.repeats import own_words
from tapdesk.answers.side_results import SideResults
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.award_answer import Awards, ScoreKind
from tapdesk.studies.judge_numbers import JudgeNumbers

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
        When nothing tells the raters apart.
    """
    fit, judged = letter_fit(answer), judged_in(answer.side, rater)
    if judged is not None and (judged[1].kind is ScoreKind.POINTS or _opposed(answer)):
        # That points match exactly says little, as does one accuracy of raters who seem to answer different questions.
        fit = None
    if fit is None and judged is None:
        raise ValueError("nothing tells the raters apart")
    ratings, j = answer.ratings, answer.ratings.raters.index(rater)
    blocks: list[Block] = [Paragraph(_thanks(ratings, j))]
    if judged is not None:
        blocks += _as_judge(*judged, answer.style)
    if fit is not None:
        own = own_accuracy(fit, rater)
        blocks.append(Paragraph(_headline(own), Tone.LEAD if judged is None else Tone.BODY))
    if judged is None:
        blocks.append(Paragraph(_reading(answer)))
    blocks.append(Paragraph(_readers(head, code), opening=_("Who else sees your number.")))
    figure = _severity_figure(*judged, answer.style) if judged is not None else None
    if figure is None and fit is not None:
        figure = _figure(fit, rater, answer.style)
    if figure is not None:
        blocks.append(Picture(figure.title, (figure,), figure.note, height=100.0))
    if len(ratings.classes) <= _MOST_CLASSES:
        blocks.append(_use(ratings, j))
    surprising = _surprising(answer, j) if fit is not None else None
    if surprising is not None:
        blocks.append(surprising)
    return Content(tuple(blocks))


def _opposed(answer: Answer) -> bool:
    """Whether raters seem to answer different questions."""
    return answer.side.opposition is not None and bool(answer.side.opposition.groups)


def judged_in(side: SideResults, rater: str) -> tuple[JudgeNumbers, Awards] | None:
    """How a judge scores, where scores were judged; None where they were not, or classes have no order."""
    result: Awards | None = side.on_demand.get("awards")
    if result is None or result.kind is ScoreKind.CLASSES:
        return None
    return next(((one, result) for one in result.judges if one.judge == rater), None)


def _as_judge(one: JudgeNumbers, result: Awards, style: Style) -> list[Block]:
    """Severity, spread, how far the scores go with those of the others, and agreement with oneself, to the judge."""
    blocks: list[Block] = [
        Paragraph(_severity_words(one, result, style), Tone.LEAD),
        Paragraph(joined(_spread_words(one, result, style), _follow_words(one, style), own_words(one, result, style))),
        Paragraph(
            _(
                "To be strict or generous is no fault: it is taken out before the {subjects} are compared. Nobody "
                "checked what the {subjects} are really worth: you may taste or see what the others miss. Intervals "
                "hold the number with {level}."
            ).format(level=numbers.percent(result.level))
        ),
    ]
    return blocks


def _ends(estimate: Estimate, style: Style, *, turned: bool = False) -> dict[str, str]:
    low, high = estimate.low or 0.0, estimate.high or 0.0
    if turned:
        low, high = -high, -low
    return {"low": numbers.decimal(low, style, 2), "high": numbers.decimal(high, style, 2)}


def _unit(result: Awards) -> str:
    return _("points") if result.kind is ScoreKind.POINTS else _("classes")


def _severity_words(one: JudgeNumbers, result: Awards, style: Style) -> str:
    severity, unit = one.severity, _unit(result)
    value = severity.value or 0.0
    size = numbers.decimal(abs(value), style, 2)
    if severity.low is not None and severity.low > 0:
        return _(
            "For the same {subjects} you give {size} {unit} less than the panel ({low} to {high}): you are among the "
            "stricter {raters}."
        ).format(size=size, unit=unit, **_ends(severity, style))
    if severity.high is not None and severity.high < 0:
        return _(
            "For the same {subjects} you give {size} {unit} more than the panel ({low} to {high}): you are among the "
            "more generous {raters}."
        ).format(size=size, unit=unit, **_ends(severity, style, turned=True))
    return _("For the same {subjects} you give about what the panel gives ({low} to {high} {unit} less).").format(
        unit=unit, **_ends(severity, style)
    )


def _spread_words(one: JudgeNumbers, result: Awards, style: Style) -> str:
    typical = float(np.median([other.spread.value or 0.0 for other in result.judges]))
    return _(
        "If you judged one {subject} again and again, your {ratings} would scatter by about {value} {unit} ({low} to "
        "{high}); in the middle of the panel that is {typical}."
    ).format(
        value=numbers.decimal(one.spread.value or 0.0, style, 2),
        unit=_unit(result),
        typical=numbers.decimal(typical, style, 2),
        **_ends(one.spread, style),
    )


def _follow_words(one: JudgeNumbers, style: Style) -> str:
    follows = one.follows
    if follows.value is None or follows.low is None or follows.high is None:
        return _("Whether your {ratings} go with those of the others cannot be told: {why}").format(
            why=follows.undefined
        )
    sentence = _(
        "Your {ratings} go with what the others make of the same {subjects} by {value} ({low} to {high}), where 1 is "
        "as one and 0 not at all."
    ).format(value=numbers.decimal(follows.value, style, 2), **_ends(follows, style))
    more = ""
    if follows.high < 0:
        more = _("Where the others go up you go down: please look which way the scale runs.")
    elif follows.low <= 0:
        more = _("From so few {ratings} it cannot be told whether they do.")
    return joined(sentence, more.format() if more else "")


def _severity_figure(one: JudgeNumbers, result: Awards, style: Style) -> Figure:
    """The judge's severity above those of the others, who have no names."""
    others = [other.severity.value for other in result.judges if other is not one and other.severity.value is not None]
    unit = _("Points below the panel.") if result.kind is ScoreKind.POINTS else _("Classes below the panel.")
    title = _("How strict: you and the others of the panel")
    reach = [one.severity.low or 0.0, one.severity.high or 0.0, *others, 0.0]
    room = 0.05 * max(max(reach) - min(reach), 1e-9)
    axis = Axis("", min(reach) - room, max(reach) + room, ((0.0, _("as the panel")),))
    figure = charts.forest([(_("You"), one.severity, Role.MODEL)], style, kind="letter", title=title, note=unit, x=axis)
    return _with_others(figure, np.array(others, dtype=float), style)


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
    return _with_others(charts.forest(own, style, kind="letter", title=title, note=note), others, style)


def _with_others(figure: Figure, others: NDArray[np.float64], style: Style) -> Figure:
    """A picture of one's own number with those of the others below it."""
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
