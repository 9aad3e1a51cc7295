"""The condition of the accuracy of one of many questions: that all its cases are equally hard.

It stands alone because `tapdesk.answers.criteria` is full, and report and command line ask for it by themselves.
"""

from collections.abc import Sequence

from tapdesk.answers import misfit, range_words
from tapdesk.answers.numbers import DASH, SCREEN, Style
from tapdesk.answers.side_results import SideResults
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.studies.criteria import CriterionNumbers, CriterionRow


def if_some_are_harder(row: CriterionRow) -> tuple[float, float] | None:
    """How far the accuracy of a question reaches if some of its cases are harder, as its own headline tells it.

    None where no accuracy is told, or it does not rest on that.
    """
    own = row.numbers
    if own.fit is None or own.dependence is None or row.accuracy.value is None:
        return None
    return misfit.if_some_are_harder(own.fit, _side(own))


def sentence(row: CriterionRow) -> str:
    """The accuracy with its condition and its range, as its own headline tells them; empty where it has none."""
    own = row.numbers
    return "" if own.fit is None else misfit.condition(own.fit, _side(own))


def _side(own: CriterionNumbers) -> SideResults:
    """What was worked out beside the fit of a question, as it stands beside a fit of its own."""
    return SideResults(
        chance=own.chance,
        goodness=own.goodness,
        differences=own.differences,
        opposition=own.opposition,
        dependence=own.dependence,
    )


def any_told(rows: Sequence[CriterionRow]) -> bool:
    """Whether the accuracy of any question rests on cases that are equally hard."""
    return any(if_some_are_harder(row) is not None for row in rows)


def counted(rows: Sequence[CriterionRow]) -> str:
    """On how many questions the one accuracy rests on cases that are alike; empty where on none."""
    count = sum(if_some_are_harder(row) is not None and not row.set_back for row in rows)
    if not count:
        return ""
    return ngettext(
        "{n} accuracy holds only if all {subjects} are equally hard.",
        "{n} accuracies hold only if all {subjects} are equally hard.",
        count,
    ).format(n=count)


def cell(row: CriterionRow, style: Style = SCREEN) -> str:
    """How far the accuracy reaches if some cases are harder, as a cell; a dash where it does not rest on that."""
    reach = if_some_are_harder(row)
    return DASH if reach is None else range_words.reach(*reach, style)


def legend(rows: Sequence[CriterionRow], *, starred: bool) -> str:
    """What a star behind an accuracy, or a range beside its interval, means; empty where there is none."""
    if not any_told(rows):
        return ""
    if starred:
        return _(
            "*: only if all {subjects} are equally hard; how far it reaches if some are harder stands with what each "
            "question rests on."
        ).format()
    return _(
        "Where a range stands below “If some are harder”, the accuracy and its interval hold only if all {subjects} "
        "are equally hard."
    ).format()
