"""The part of an answer that says who wins, how sure: for window and report, worked out where it is asked for.

It stands apart from its words, which the command line says without any part.
"""

from dataclasses import replace
from types import MappingProxyType

from tapdesk.answers import awards as words
from tapdesk.answers import numbers
from tapdesk.answers.charts import Row, forest
from tapdesk.answers.content import Block, Paragraph, Picture, Tone
from tapdesk.answers.demands import demand
from tapdesk.answers.figure import Axis, Figure, Mark, Role
from tapdesk.answers.numbers import Style
from tapdesk.answers.part import About, Answer, Content, Missing, Part, not_found
from tapdesk.answers.repeats import repeats_tables
from tapdesk.answers.side_results import Basis, SideResults
from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.estimate import Estimate
from tapdesk.language import CaseName, Label, RaterName, joined
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.award_answer import AwardRequest, Awards, ScoreKind
from tapdesk.studies.awards import awards

_MOST_DRAWN, _MOST_PRINTED, _MOST_TO_DISCUSS = 25, 16, 8
_OWN = "awards"


def awards_content(answer: Answer) -> Content | Missing | None:
    """Who wins, how sure: the list, the judges, and what would change the awards."""
    result: Awards | None = answer.side.on_demand.get(_OWN)
    if result is None:
        return not_found(answer, _OWN)
    sentence, follows = words.headline(result)
    blocks: list[Block] = [Paragraph(sentence, Tone.LEAD)]
    blocks += [Paragraph(more) for more in (follows, *words.caveats(result), *words.ties(result)) if more]
    figure = scores_figure(result, answer.style)
    blocks.append(Picture(figure.title, (figure,), figure.note, height=50.0 + 21.0 * max(len(figure.y.ticks), 2)))
    blocks.append(words.page_table(result, answer.style, _MOST_PRINTED))
    if result.kind is not ScoreKind.CLASSES:
        strict = severity_figure(result, answer.style)
        blocks.append(Picture(strict.title, (strict,), strict.note, height=50.0 + 21.0 * len(strict.y.ticks)))
    blocks += [words.judges_table(result, answer.style), *repeats_tables(result, answer.style)]
    blocks += [words.changes_table(result), words.discuss_table(result, _MOST_TO_DISCUSS)]
    blocks.append(Paragraph(words.not_said(result), Tone.BODY, _("What this does not say.")))
    return Content(tuple(blocks), headline=(sentence, follows))


def scores_figure(result: Awards, style: Style, most: int = _MOST_DRAWN) -> Figure:
    """The fair scores of the first entries with their intervals; singled out where another award is likelier."""
    table = words.short_table(result, style)
    shown: list[Row] = []
    others = set(map(int, words.differing(result)))
    for i in map(int, result.order[:most]):
        estimate = Estimate(
            float(result.fair[i]), None, float(result.low[i]), float(result.high[i]), result.level, "posterior"
        )
        shown.append((CaseName(result.subjects[i]), estimate, Role.SINGLED_OUT if i in others else Role.MODEL))
    drawn = result.order[:most]
    low, high = float(result.low[drawn].min()), float(result.high[drawn].max())
    upper = result.classes[1:] if result.lines else ()
    lines = tuple(Mark(Label(label), at) for label, at in zip(upper, result.lines, strict=True) if low < at < high)
    note = ""
    if others.intersection(map(int, drawn)):
        note = _("Dots: the likeliest class is the one that was given; diamonds: it is another.")
    return forest(
        shown,
        style,
        kind="fair_scores",
        title=table.title,
        note=joined(
            _("Fair scores with the interval that holds each with {level}.").format(level=_level(result)), note
        ),
        marks=lines,
        x=_axis(low, high, style, result.lines),
        ends=[numbers.decimal(e.value, style, 2) for _name, e, _role in shown],
    )


def _level(result: Awards) -> str:
    return numbers.percent(result.level)


def severity_figure(result: Awards, style: Style) -> Figure:
    """How many points each judge is below the panel, the strictest first."""
    judges = sorted(result.judges, key=lambda one: -(one.severity.value or 0.0))
    shown: list[Row] = [
        (RaterName(one.judge), one.severity, Role.SINGLED_OUT if _apart(one.severity) else Role.MODEL) for one in judges
    ]
    ends = [end for one in judges for end in (one.severity.low, one.severity.high) if end is not None]
    unit = _("Points below the panel.") if result.kind is ScoreKind.POINTS else _("Classes below the panel.")
    return forest(
        shown,
        style,
        kind="severity",
        title=_("Who is strict?"),
        note=unit,
        marks=(Mark("", 0.0),),
        x=replace(_axis(min(*ends, 0.0), max(*ends, 0.0), style, (0.0,)), ticks=((0.0, _("as the panel")),)),
        ends=[numbers.decimal(one.severity.value, style, 2) for one in judges],
    )


def _apart(severity: Estimate) -> bool:
    """Whether a severity is told from that of the panel."""
    return severity.low is not None and severity.high is not None and not severity.low <= 0 <= severity.high


def _axis(low: float, high: float, style: Style, lines: tuple[float, ...]) -> Axis:
    """An axis over all intervals, with the medal lines as its marks, else both ends and the middle."""
    room = 0.04 * max(high - low, 1e-9)
    low, high = low - room, high + room
    inside = [line for line in lines if low < line < high] or [low + room, (low + high) / 2, high - room]
    return Axis("", low, high, tuple((at, numbers.decimal(at, style, 1)) for at in inside))


def _study(basis: Basis) -> Run[Awards]:
    """The awards of the ratings in all their classes, as the committee decided about them."""
    asked = basis.awards or AwardRequest()
    return (yield from _said(basis.every, replace(asked, level=basis.wanted.level, seed=basis.wanted.seed)))


def _said(ratings: Ratings, request: AwardRequest) -> Run[Awards]:
    """The awards; what a command would ask for is a reason."""
    try:
        return (yield from awards(ratings, request))
    except UsageError as error:
        # What a command asks for with an option is said in the window as a reason.
        raise CannotAnswerError(error.what) from error


def award_results(answer: Answer, request: AwardRequest) -> Run[SideResults]:
    """The awards of an answer by the rule and lines of its committee, as its part is made from them.

    Raises
    ------
    CannotAnswerError
        When these ratings cannot be asked.
    """
    analysis = answer.analysis
    if analysis is not None:
        request = replace(request, level=analysis.request.level, seed=analysis.request.seed)
    result = yield from _said(answer.every, request)
    return SideResults(on_demand=MappingProxyType({_OWN: result}))


AWARDS = Part(
    _OWN,
    _OWN,
    _("Who wins, how sure?"),
    _(
        "What each entry is worth with the severity, spread and guessing of its judges taken out, its place with the "
        "interval, and whether what the committee gave is deserved. The committee decides; nothing here gives or takes "
        "an award."
    ),
    awards_content,
    uses=(_OWN,),
    about=About.RATINGS,
    headed=False,
    demand=demand(_OWN),
    study=_study,
)
