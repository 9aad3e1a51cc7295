"""What is said about accuracy along the order in which the ratings were given."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tapdesk.answers import cells, numbers
from tapdesk.answers.charts import FIFTHS, Series, curves
from tapdesk.answers.content import Align, Block, Column, Paragraph, Picture, Table, Tone
from tapdesk.answers.figure import Axis, Figure, Role
from tapdesk.answers.figure_style import restyled
from tapdesk.answers.part import Answer, Content, Missing, Part, reason_for
from tapdesk.estimate import Estimate
from tapdesk.language import RaterName, ngettext
from tapdesk.language import gettext as _

if TYPE_CHECKING:
    from tapdesk.studies.drift import Drift

_MOST_SAID = 6
_STEPS, _TINY = 11, 1e-3
_NOT_SAID = _("What this does not say.")


def drift_content(answer: Answer) -> Content | Missing | None:
    """Whether accuracy changed along the order of the ratings; None where no order was named."""
    rows = answer.side.drift
    if not rows:
        why = reason_for(answer, "drift")
        return Missing(why) if why else None
    everyone, *single = rows
    blocks: list[Block] = [Paragraph(_of_all(everyone))]
    seen = [one for one in single if one.drifts]
    blocks += [Paragraph(_of_one(one)) for one in seen[:_MOST_SAID]]
    if len(seen) > _MOST_SAID:
        more = _("Further {raters} who changed stand in the table: {n} in all.")
        blocks.append(Paragraph(more.format(n=numbers.count(len(seen)))))
    if len(seen) < len(single):
        rest = (
            _("Of the other {raters} no change is shown beyond luck; that does not show that there was none.")
            if seen
            else _("Of no single {rater} a change is shown beyond luck; that does not show that there was none.")
        )
        blocks.append(Paragraph(rest.format()))
    figure = restyled(drift_figure(rows), answer.style)
    blocks.append(Picture(figure.title, (figure,), figure.note, height=190.0))
    blocks.append(_table(answer, rows))
    caution = _(
        "{Subjects} that become harder make their {raters} look less accurate. Only where those seen early and late "
        "are alike is a change one of the {raters}."
    )
    blocks.append(Paragraph(caution.format(), Tone.BODY, _NOT_SAID))
    return Content(tuple(blocks))


def drift_figure(rows: "Sequence[Drift]") -> Figure:
    """The accuracy of each rater along the order of their ratings, those who changed beyond luck singled out."""
    place = np.linspace(0.0, 1.0, _STEPS)
    series = []
    for one in sorted(rows, key=lambda one: (one.drifts, not one.rater)):
        first, last = (np.log(x) - np.log1p(-x) for x in np.clip((one.first, one.last), _TINY, 1 - _TINY))
        role = Role.MODEL if not one.rater else Role.SINGLED_OUT if one.drifts else Role.REFERENCE
        name = one.rater or _("all")
        told = name if one.drifts or not one.rater else ""
        y = 0.5 * (1 + np.tanh((first + (last - first) * place) / 2))
        series.append(Series(name, place, y, role, label=told))
    changed = [one for one in rows[1:] if one.drifts]
    title = _("Of no single {rater} a change of accuracy is shown").format()
    if changed:
        title = ngettext(
            "{n} {rater} changed in accuracy along the way",
            "{n} {raters} changed in accuracy along the way",
            len(changed),
        ).format(n=numbers.count(len(changed)))
    return curves(
        "drift",
        title,
        Axis(_("place among the own {ratings}").format(), 0.0, 1.0, ((0.0, _("first tenth")), (1.0, _("last tenth")))),
        Axis(_("accuracy"), 0.0, 1.0, FIFTHS),
        series,
        note=_(
            "A line for each {rater}, and one for all with one slope. Names stand at those who changed more than luck "
            "makes."
        ).format(),
        columns=(_("Place"), _("Accuracy")),
    )


def _of_all(one: "Drift") -> str:
    """The verdict on all raters together."""
    if not one.drifts:
        return _(
            "Of all {raters} together, nothing shows that they became more or less accurate along the "
            "order of their {ratings}."
        ).format()
    fields = {"first": numbers.about(one.first), "last": numbers.about(one.last)}
    if one.change < 0:
        return _(
            "All {raters} together became less accurate along the order of their {ratings}: {a_rating} "
            "followed its {subject} {first} times in 100 at first, and {last} at last."
        ).format(**fields)
    return _(
        "All {raters} together became more accurate along the order of their {ratings}: {a_rating} "
        "followed its {subject} {first} times in 100 at first, and {last} at last."
    ).format(**fields)


def _of_one(one: "Drift") -> str:
    """The verdict on a rater who changed."""
    fields = {
        "rater": RaterName(one.rater),
        "first": numbers.about(one.first),
        "last": numbers.about(one.last),
        "n": numbers.count(one.ratings),
    }
    if one.change < 0:
        return ngettext(
            "{rater} became less accurate: of {n} {ratings}, they followed the {subject} {first} times in "
            "100 at first, and {last} at last.",
            "{rater} became less accurate: of {n} {ratings}, they followed the {subject} {first} times in "
            "100 at first, and {last} at last.",
            one.ratings,
        ).format(**fields)
    return ngettext(
        "{rater} became more accurate: of {n} {ratings}, they followed the {subject} {first} times in 100 "
        "at first, and {last} at last.",
        "{rater} became more accurate: of {n} {ratings}, they followed the {subject} {first} times in 100 "
        "at first, and {last} at last.",
        one.ratings,
    ).format(**fields)


def _table(answer: Answer, rows: "tuple[Drift, ...]") -> Table:
    style, level = answer.style, answer.fit.interval[1]
    columns = (
        Column(_("{Rater}"), wide=True),
        Column(_("{Ratings}"), Align.RIGHT),
        Column(_("First tenth"), Align.RIGHT),
        Column(_("Last tenth"), Align.RIGHT),
        Column(_("Change"), Align.RIGHT),
        Column(_("Interval"), Align.RIGHT),
        Column(_("p"), Align.RIGHT),
    )
    body = []
    for one in rows:
        between = Estimate(one.change)
        if one.low is not None and one.high is not None:
            between = between.between(one.low, one.high, level, "profile")
        body.append(
            (
                RaterName(one.rater) if one.rater else _("All, one slope").format(),
                cells.count(one.ratings),
                cells.decimal(one.first, style, 2),
                cells.decimal(one.last, style, 2),
                cells.value(between, style),
                cells.interval(between, style),
                cells.decimal(one.p_holm, style),
            )
        )
    note = _(
        "Accuracy in the first and the last tenth of the {ratings} of each, on a logistic curve along their order; "
        "{level} profile-likelihood intervals of the change. p: of no change, of all {raters} together (Holm)."
    ).format(level=numbers.level(level))
    return Table(_("Accuracy along the order of the {ratings}").format(), columns, tuple(body), note)


DRIFT = Part(
    "drift",
    "raters",
    _("Did accuracy change along the way?"),
    _(
        "{Raters} learn, and they tire. Along the order in which the {ratings} were given it is looked "
        "whether the first followed their {subjects} oftener than the last, or seldomer."
    ),
    drift_content,
    uses=("drift",),
    commands=("fit",),
)
