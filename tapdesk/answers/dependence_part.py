"""The part on cases that differ: the accuracy under every way in which they may."""

from tapdesk.answers import cells, misfit, numbers
from tapdesk.answers.content import Align, Block, Column, Paragraph, Table, Tone
from tapdesk.answers.part import Answer, Content, Missing, Part, reason_for
from tapdesk.answers.range_words import (
    could_have_spoken,
    fewer_still,
    if_cases_differ,
    if_some_are_harder,
    tells_range,
    unless_alike,
)
from tapdesk.estimate import Estimate
from tapdesk.language import Label, joined
from tapdesk.language import gettext as _
from tapdesk.models.model import CASE_MODELS, Cases, model
from tapdesk.studies.dependence import WITHIN, CaseExplanation, Dependence

_NO_REACH = _("How far the accuracy reaches if some {subjects} are harder could not be found.")
NOT_SAID = _("What this does not say.")
"""Above what nobody may read out of a part."""
_WAYS = {
    Cases.ALIKE: _("All are alike"),
    Cases.HARD: _("Some are beyond everybody"),
    Cases.ACCURACY: _("Each has an accuracy of its own"),
    Cases.MISLEADING: _("Some mislead everybody"),
}


def dependence_content(answer: Answer) -> Content | Missing | None:
    """The accuracy under every way in which cases may differ; None where it was not looked at."""
    seen = answer.side.dependence
    if seen is None:
        return Missing(why) if (why := reason_for(answer, "dependence")) else None
    if not seen.seen:
        return Content((Paragraph(if_some_are_harder(seen)),))
    caution = _(
        "None of these numbers is the accuracy corrected for difficulty, and no single {subject} is shown to be hard: "
        "{subjects} may be harder, or mislead, and hardly any {ratings} can say which."
    )
    blocks: tuple[Block, ...] = (
        Paragraph(_reach(answer, seen)),
        _ways(answer, seen),
        Paragraph(caution.format(), Tone.BODY, NOT_SAID),
    )
    return Content(blocks)


def _reach(answer: Answer, seen: Dependence) -> str:
    """How far the accuracy reaches: by the range of the headline, where that tells one."""
    if misfit.unproved(answer.fit, answer.side):
        return joined(unless_alike(answer.fit.estimate("a"), seen), fewer_still(seen), could_have_spoken(seen))
    return joined(*if_cases_differ(seen), could_have_spoken(seen)) if tells_range(seen) else _NO_REACH.format()


def _ways(answer: Answer, seen: Dependence) -> Table:
    """A row for each way in which cases may differ."""
    ratings, style = answer.ratings, answer.style
    two = len(ratings.classes) == 2
    columns = [Column(_("{Subjects}"), wide=True), Column(_("Model")), Column(_("Log-likelihood"), Align.RIGHT)]
    columns += [Column(_("Accuracy"), Align.RIGHT), Column(_("Interval"), Align.RIGHT)]
    columns += [Column(_("Truly “{one}”").format(one=Label(ratings.classes[1])), Align.RIGHT)] if two else []
    columns += [Column(_("Fits"))]
    ways = {row.name: row.cases for row in (model("t-a-p"), *CASE_MODELS)}

    def line(row: CaseExplanation) -> tuple[str, ...]:
        share = (cells.decimal(float(row.truth[1]), style),) if two else ()
        fits = _("yes") if row.fits else _("no")
        level, accuracy = cells.large(row.log_likelihood), Estimate(row.accuracy)
        if row.low is not None and row.high is not None:
            accuracy = accuracy.between(row.low, row.high, 0.95, "profile")
        numbers_of = (cells.value(accuracy, style), cells.interval(accuracy, style))
        return (_WAYS[ways[row.model]], row.model, level, *numbers_of, *share, fits)

    note = _(
        "Accuracy: how often {a_rating} follows its {subject}, over all {subjects}; 95 % profile intervals of those "
        "that fit. What fits lies within {within} of the best log-likelihood, and these {ratings} can tell its numbers."
    ).format(within=numbers.decimal(WITHIN, places=2))
    return Table(
        _("The ways in which {subjects} may differ").format(), tuple(columns), tuple(map(line, seen.rows)), note
    )


DEPENDENCE = Part(
    "dependence",
    "results",
    _("What if some {subjects} are harder than others?"),
    _(
        "One accuracy takes all {subjects} for equally hard. The same {ratings} can be explained by "
        "{subjects} that are beyond everybody, by an accuracy of each {subject}, or by {subjects} that "
        "mislead; each tells another accuracy. The range over all that explain the {ratings} about as well "
        "is what can be said."
    ),
    dependence_content,
    uses=("dependence",),
    commands=("fit",),
)
