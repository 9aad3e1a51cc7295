"""How far judges agree with themselves: the table of results, report and list, and the sentences of a letter."""

from tapdesk.answers import cells, numbers
from tapdesk.answers.content import Align, Column, Number, Table
from tapdesk.answers.numbers import DASH, SCREEN, Style
from tapdesk.language import Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.studies.award_answer import Awards, ScoreKind
from tapdesk.studies.judge_numbers import JudgeNumbers
from tapdesk.studies.self_agreement import SelfAgreement

_RIGHT = Align.RIGHT
_HOURS, _MINUTES = 24, 24 * 60


def repeats_tables(result: Awards, style: Style = SCREEN) -> tuple[Table, ...]:
    """How far every judge who scored something again agrees with themselves; nothing where nobody did."""
    again = [(one, own) for one in result.judges if (own := one.self_agreement) is not None]
    if not again:
        return ()
    timed = any(own.apart is not None for _one, own in again)
    modelled = any(own.expected_same is not None for _one, own in again)
    nominal = result.kind is ScoreKind.CLASSES
    columns = [
        Column(_("{Rater}").format()),
        Column(_("Same again"), _RIGHT),
        Column(_("Share"), _RIGHT),
        Column(_("Interval"), _RIGHT),
        Column(_("Kappa"), _RIGHT),
        Column(_("Interval"), _RIGHT),
        *([] if nominal else [Column(_("Distance"), _RIGHT)]),
        *([Column(_("Expected"), _RIGHT)] if modelled else []),
        *([Column(_("Time between"), _RIGHT)] if timed else []),
        *([Column(_("In words"), wide=True)] if modelled else []),
    ]
    rows = tuple(_row(one, own, style, nominal=nominal, modelled=modelled, timed=timed) for one, own in again)
    title = _("How the {raters} agree with themselves").format()
    return (Table(title, tuple(columns), rows, _note(result, modelled=modelled, timed=timed)),)


def _row(
    one: JudgeNumbers, own: SelfAgreement, style: Style, *, nominal: bool, modelled: bool, timed: bool
) -> tuple[str, ...]:
    row = [
        RaterName(one.judge),
        Number(_("{same} of {n}").format(same=own.same, n=own.pairs), own.same),
        cells.percent(own.same / own.pairs),
        _ends(own.low, own.high, style, share=True),
        cells.decimal(own.kappa, style, 2),
        _ends(own.kappa_low, own.kappa_high, style, share=False),
    ]
    row += [] if nominal else [cells.decimal(own.gap, style, 1)]
    if modelled:
        row.append(DASH if own.expected_same is None else cells.percent(own.expected_same))
    if timed:
        row.append(DASH if own.apart is None else Number(time_words(*own.apart), own.apart[0]))
    return (*row, _surprise(own)) if modelled else tuple(row)


def _ends(low: float | None, high: float | None, style: Style, *, share: bool) -> str:
    if low is None or high is None:
        return DASH
    ends = [numbers.percent(end) if share else numbers.decimal(end, style, 2) for end in (low, high)]
    return Number(_("{low} to {high}").format(low=ends[0], high=ends[1]), low, high)


def _surprise(own: SelfAgreement) -> str:
    """Whether the share is what the spread of the judge makes of it, within its interval."""
    if own.surprising < 0:
        return _("less often than expected")
    return _("more often than expected") if own.surprising else _("as expected")


def _note(result: Awards, *, modelled: bool, timed: bool) -> str:
    unit = _("points") if result.kind is ScoreKind.POINTS else _("classes")
    column = result.request.occasion
    return joined(
        _(
            "Same again: of own pairs of {ratings} of one {subject}. Kappa: of the {rater} with themselves, chance "
            "taken as known. Agreeing with oneself is not being right."
        ).format(),
        "" if result.kind is ScoreKind.CLASSES else _("Distance: mean of the two, in {unit}.").format(unit=unit),
        _("Expected: the share that the spread of the {rater} makes of it.").format() if modelled else "",
        _("Time between: the middle one, by the column “{name}”.").format(name=Label(column)) if timed else "",
    )


def time_words(time: float, unit: str) -> str:
    """A time as one says it: days, of less than one hours, of less than one minutes; a bare count without a unit."""
    if not unit:
        return numbers.decimal(time, places=0 if time >= 10 or time == round(time) else 1)
    if time * _HOURS < 1:
        minutes = round(time * _MINUTES)
        return ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)
    hours = time < 1
    size = round(time * _HOURS, 1) if hours else round(time, 1)
    whole = size >= 10 or size == round(size)
    shown, many = numbers.decimal(size, places=0 if whole else 1), 1 if size == 1 else 2
    if hours:
        return ngettext("{time} hour", "{time} hours", many).format(time=shown)
    return ngettext("{time} day", "{time} days", many).format(time=shown)


def own_words(one: JudgeNumbers, result: Awards, style: Style) -> str:
    """To the judge: agreement with oneself, against what the own spread makes of it, and the time between."""
    own = one.self_agreement
    if own is None:
        return ""
    unit = _("points") if result.kind is ScoreKind.POINTS else _("classes")
    sentence = ngettext(
        "You had {n} {subjects} a second time and gave the same {rating} in {same}; between the two lay {gap} {unit} "
        "on average.",
        "You had {n} {subjects} a second time and gave the same {rating} in {same} of them; between the two lay {gap} "
        "{unit} on average.",
        own.pairs,
    ).format(n=own.pairs, same=own.same, gap=numbers.decimal(own.gap, style, 1), unit=unit)
    return joined(sentence, _kappa_words(own, style), _expected_words(own), _time_sentence(own, result))


def _kappa_words(own: SelfAgreement, style: Style) -> str:
    if own.kappa is None or own.kappa_low is None or own.kappa_high is None:
        return ""
    value, low, high = (numbers.decimal(v, style, 2) for v in (own.kappa, own.kappa_low, own.kappa_high))
    return _("With chance taken out that is a kappa of {value} with yourself ({low} to {high}).").format(
        value=value, low=low, high=high
    )


def _expected_words(own: SelfAgreement) -> str:
    if own.expected_same is None:
        return ""
    share = numbers.percent(own.expected_same)
    if own.surprising == 0:
        return _("By your spread {share} would be the same: so few pairs do not contradict that.").format(share=share)
    if own.surprising < 0:
        return _("By your spread {share} would be the same: you agree with yourself less than that.").format(
            share=share
        )
    return _("By your spread {share} would be the same: you agree with yourself more than that.").format(share=share)


def _time_sentence(own: SelfAgreement, result: Awards) -> str:
    if own.apart is None:
        return ""
    time, unit = own.apart
    if unit:
        return _("Between your two {ratings} of {a_subject} lay {time}, by the middle one.").format(
            time=time_words(time, unit)
        )
    return _("Between your two {ratings} of {a_subject} lay {time}, as the column “{name}” counts.").format(
        time=time_words(time, unit), name=Label(result.request.occasion)
    )
