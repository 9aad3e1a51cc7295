"""What is said about who is strict and who is mild, by a model of ordered classes."""

from typing import TYPE_CHECKING

from tapdesk.answers import cells, numbers
from tapdesk.answers.charts import Row, forest
from tapdesk.answers.content import Align, Block, Column, Paragraph, Picture, Table, Tone
from tapdesk.answers.figure import Axis, Figure, Mark, Role
from tapdesk.answers.figure_style import restyled
from tapdesk.answers.numbers import Style
from tapdesk.answers.part import Answer, Content, Missing, Part, reason_for
from tapdesk.language import RaterName, ngettext
from tapdesk.language import gettext as _

if TYPE_CHECKING:
    from tapdesk.studies.severities import Severity

_MOST_NAMED = 6
_ROW, _EDGE = 20.0, 56.0


def severity_content(answer: Answer) -> Content | Missing | None:
    """Who draws the lines higher or lower than the classes lie; None where raters have no lines of their own."""
    rows = answer.side.severities
    if not rows:
        why = reason_for(answer, "severities")
        return Missing(why) if why else None
    order = sorted(rows, key=lambda one: -(one.severity.value or 0.0))
    figure = restyled(severity_figure(order, answer.style), answer.style)
    blocks: list[Block] = [Paragraph(words) for words in _sentences(order)]
    blocks.append(Picture(figure.title, (figure,), figure.note, height=_EDGE + _ROW * len(figure.y.ticks)))
    blocks.append(_table(answer, order))
    caution = _(
        "Strict is said against the other {raters}, not against the truth: if all are strict, nobody stands out."
    )
    blocks.append(Paragraph(caution.format(), Tone.BODY, _("What this does not say.")))
    return Content(tuple(blocks))


def _sentences(rows: "list[Severity]") -> list[str]:
    strict = [one for one in rows if one.leans > 0]
    mild = [one for one in rows[::-1] if one.leans < 0]
    sentences = []
    if strict:
        sentences.append(
            ngettext(
                "{names} is strict: the same {subject} gets a lower class from this {rater}.",
                "{names} are strict: the same {subject} gets a lower class from these {raters}.",
                len(strict),
            ).format(names=_named(strict))
        )
    if mild:
        sentences.append(
            ngettext(
                "{names} is mild: the same {subject} gets a higher class from this {rater}.",
                "{names} are mild: the same {subject} gets a higher class from these {raters}.",
                len(mild),
            ).format(names=_named(mild))
        )
    if not sentences:
        sentences.append(_("No {rater} is shown to be strict or mild; that does not show that all are alike.").format())
    return sentences


def _named(rows: "list[Severity]") -> str:
    if len(rows) <= _MOST_NAMED + 1:
        return numbers.listed([RaterName(one.rater) for one in rows])
    shown = ", ".join(RaterName(one.rater) for one in rows[:_MOST_NAMED])
    return _("{names} and {n} more").format(names=shown, n=numbers.count(len(rows) - _MOST_NAMED))


def severity_figure(order: "list[Severity]", style: Style) -> Figure:
    """How many classes each rater's lines lie too high, the strictest first."""
    shown: list[Row] = [
        (RaterName(one.rater), one.severity, Role.SINGLED_OUT if one.leans else Role.MODEL) for one in order
    ]
    ends = [end for one in order for end in (one.severity.low, one.severity.high) if end is not None]
    low, high = min(*ends, 0.0), max(*ends, 0.0)
    room = 0.05 * max(high - low, 0.1)
    ticks = ((low, _("mild")), (0.0, _("as the panel")), (high, _("strict")))
    return forest(
        shown,
        style,
        kind="severities",
        title=_("Who is strict, who is mild?"),
        note=_("In classes: how far the lines of each {rater} lie above those of the panel.").format(),
        marks=(Mark("", 0.0, vertical=True),),
        x=Axis(_("severity"), low - room, high + room, ticks),
        ends=[numbers.decimal(one.severity.value, style, 2) for one in order],
    )


def _table(answer: Answer, order: "list[Severity]") -> Table:
    style = answer.style
    columns = (
        Column(_("{Rater}"), wide=True),
        Column(_("Severity"), Align.RIGHT),
        Column(_("Interval"), Align.RIGHT),
        Column(_("Lean"), Align.RIGHT),
        Column(_("Avoids the ends"), Align.RIGHT),
        Column(_("Interval"), Align.RIGHT),
    )
    body = tuple(
        (
            RaterName(one.rater),
            cells.value(one.severity, style),
            cells.interval(one.severity, style),
            cells.value(one.lean, style),
            cells.value(one.tendency, style),
            cells.interval(one.tendency, style),
        )
        for one in order
    )
    note = _(
        "Model {model}. Severity: in classes, against the mean of all {raters}. Lean: of the own lines alone, on their "
        "own scale; 0 leans to no side. Avoids the ends: 1 not at all, more the further apart the outermost lines are. "
        "{level} intervals, {subjects} drawn again."
    ).format(model=answer.fit.model.name, level=numbers.level(answer.fit.interval[1]))
    return Table(_("How strict the {raters} are").format(), columns, body, note)


SEVERITIES = Part(
    "severities",
    "raters",
    _("Who is strict, who is mild?"),
    _(
        "Where each {rater} draws the lines between the classes, against where the whole panel draws them. "
        "A strict {rater}'s lines lie high, so the same {subject} gets a lower class."
    ),
    severity_content,
    uses=("severities",),
    commands=("fit",),
)
