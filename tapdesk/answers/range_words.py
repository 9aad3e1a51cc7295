"""Every accuracy that fits, said before the one under an assumption that the ratings cannot test."""

from typing import TYPE_CHECKING

from tapdesk.answers import numbers
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.estimate import AccuracyRange, Estimate, Untestable
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined

if TYPE_CHECKING:
    from tapdesk.studies.dependence import Dependence

# Ends nearer to each other than this are one number wherever they are written.
_ONE_NUMBER = 0.005
# A range of nearly the whole scale says that nothing is known.
_NEARLY_ALL = 0.9


def open_range(fit: Fit) -> AccuracyRange | None:
    """The range that takes the place of the accuracy: where only guesses that fall as the truth give a single one."""
    return _known_range(fit, Untestable.GUESSES)


def _known_range(fit: Fit, without: Untestable) -> AccuracyRange | None:
    accuracy_range = fit.accuracy_range
    if (
        accuracy_range is None
        or accuracy_range.without is not without
        or accuracy_range.high - accuracy_range.low < _ONE_NUMBER
    ):
        return None
    return accuracy_range


def fitting(accuracy_range: AccuracyRange) -> str:
    """The sentence in place of the accuracy: everything that fits, and how far luck widens that."""
    if accuracy_range.high - accuracy_range.low > _NEARLY_ALL:
        return _(
            "These {ratings} cannot tell knowledge from luck: that {low} of 100 follow the {subject} fits them as well "
            "as that {high} do."
        ).format(low=_few_of_100(accuracy_range.low), high=numbers.about(accuracy_range.high))
    low, high = numbers.ends(accuracy_range.low, accuracy_range.high)
    if accuracy_range.outer_low is None or accuracy_range.outer_high is None:
        return _(
            "Between {low} and {high} of 100 {ratings} follow the {subject}; two of each cannot tell it more closely."
        ).format(low=low, high=high)
    outer_low, outer_high = numbers.ends(accuracy_range.outer_low, accuracy_range.outer_high)
    return _(
        "Between {low} and {high} of 100 {ratings} follow the {subject} (interval {outer_low} to {outer_high}); two of "
        "each cannot tell it more closely."
    ).format(low=low, high=high, outer_low=outer_low, outer_high=outer_high)


def _few_of_100(share: float) -> str:
    return _("none") if share == 0 else numbers.about(share)


def under_the_assumption(accuracy_range: AccuracyRange) -> str:
    """The accuracy if guesses fall as often as the truth, and that two ratings of a case cannot show it."""
    one = accuracy_range.assumed
    first = _("Two {ratings} of {a_subject} cannot tell more.")
    if one.value is not None:
        first = _(
            "If guesses fall as often as the truth, the accuracy is {value}; two {ratings} of {a_subject} cannot show "
            "whether they do."
        ).format(value=with_ends(one))
    return joined(first, _("Both answers are taken to be equally easy to recognise."))


def with_ends(one: Estimate, style: Style = SCREEN) -> str:
    """A number with the ends of its interval behind it, where there is one."""
    if one.low is None:
        return numbers.value(one, style)
    return _("{value} ({reach})").format(value=numbers.value(one, style), reach=numbers.interval(one, style))


def equal_classes(fit: Fit) -> str:
    """That both answers are taken to be equally easy to recognise, and what fits if they are not; else empty."""
    result = _known_range(fit, Untestable.CLASSES)
    if result is None:
        return ""
    return _(
        "Both answers are taken to be equally easy to recognise, which {ratings} alone cannot show: if they are not, "
        "every accuracy from {low} to {high} fits equally well, on average over the {subjects}."
    ).format(low=numbers.decimal(result.low), high=numbers.decimal(result.high))


def reach_of(accuracy_range: AccuracyRange, style: Style = SCREEN) -> str:
    """The two ends as one cell."""
    return reach(accuracy_range.low, accuracy_range.high, style)


def reach(low: float, high: float, style: Style = SCREEN) -> str:
    """From one accuracy to another, as a cell."""
    return _("{low} to {high}").format(low=numbers.decimal(low, style), high=numbers.decimal(high, style))


def rests_on_it(fit: Fit) -> str:
    """Why the other numbers of such a fit are not settled either; empty where they are."""
    if open_range(fit) is None or not fit.identification.identified:
        return ""
    return _("This number holds only if guesses fall as often as the truth.")


def conditional(sentence: str, fit: Fit) -> str:
    """What is said of a number, under the assumption it holds by; as it is where that is no question."""
    if open_range(fit) is None or not fit.identification.identified:
        return sentence
    return _("If guesses fall as often as the truth: {sentence}").format(sentence=sentence)


def tells_range(seen: "Dependence") -> bool:
    """Whether ratings of this design can show that cases differ, and how far the accuracy then reaches was found."""
    return seen.seen and (seen.harder is not None or seen.misleading is not None)


# Where some may be harder and some may mislead; where only the first fits; where only the second does.
_IF_CASES_DIFFER = (
    _(
        "{alike} of 100 {ratings} follow the {subject} if all {subjects} are equally hard; {low} to {high} if some "
        "are harder; {least} to {most} if some mislead everybody."
    ),
    _(
        "{alike} of 100 {ratings} follow the {subject} if all {subjects} are equally hard; {low} to {high} if some "
        "are harder."
    ),
    _(
        "{alike} of 100 {ratings} follow the {subject} if all {subjects} are equally hard; {least} to {most} if "
        "some mislead everybody."
    ),
)
_CASES_SEEM_TO_DIFFER = (
    _(
        "{Subjects} seem to differ in difficulty: {alike} of 100 {ratings} follow the {subject} if all are equally "
        "hard, {low} to {high} if some are harder, {least} to {most} if some mislead everybody."
    ),
    _(
        "{Subjects} seem to differ in difficulty: {alike} of 100 {ratings} follow the {subject} if all are equally "
        "hard, {low} to {high} if some are harder."
    ),
    _(
        "{Subjects} seem to differ: {alike} of 100 {ratings} follow the {subject} if all are alike, {least} to "
        "{most} if some mislead everybody."
    ),
)


def if_cases_differ(seen: "Dependence") -> tuple[str, str]:
    """The accuracy if all cases are alike and how far it reaches if they differ; and what the ratings prefer."""
    return _IF_CASES_DIFFER[_ways(seen)].format(**_ranges(seen, first=True)), _preferred(seen)


def cases_seem_to_differ(seen: "Dependence") -> tuple[str, str]:
    """The same where the ratings themselves speak for it."""
    return _CASES_SEEM_TO_DIFFER[_ways(seen)].format(**_ranges(seen, first=False)), _preferred(seen)


def _ways(seen: "Dependence") -> int:
    """Which of three templates names the ways in which cases may differ that fit."""
    if seen.harder is None:
        return 2
    return 0 if seen.misleading is not None else 1


def _ranges(seen: "Dependence", *, first: bool) -> dict[str, str]:
    fields = {"alike": numbers.about(seen.rows[0].accuracy, first=first)}
    if seen.harder is not None:
        fields["low"], fields["high"] = numbers.ends(*seen.harder)
    if seen.misleading is not None:
        fields["least"], fields["most"] = numbers.ends(*seen.misleading)
    return fields


def _preferred(seen: "Dependence") -> str:
    if seen.rows[0].fits:
        return _("These {ratings} go with each of these.").format()
    if seen.harder is None or seen.misleading is None:
        return _("These {ratings} prefer the second.").format()
    return _("These {ratings} speak against the first.").format()


def if_some_are_harder(seen: "Dependence | None") -> str:
    """That ratings of this design cannot show hard cases, and what fits if there are some."""
    if seen is None or seen.seen or seen.harder is None:
        return _(
            "With so few {ratings} of each {subject} it cannot be seen whether some {subjects} are harder than others; "
            "if some are, the accuracy is probably lower."
        ).format()
    low, high = numbers.ends(*seen.harder)
    return _(
        "With so few {ratings} of each {subject} it cannot be seen whether some {subjects} are harder than others; if "
        "some are, {low} to {high} of 100 {ratings} following the {subject} fit as well, and fewer if some mislead "
        "everybody."
    ).format(low=low, high=high)


def varied(one: Estimate, seen: "Dependence") -> tuple[float, float]:
    """How far the accuracy reaches if each case has its own: its interval if all are alike is part of it."""
    if seen.varied is None or one.low is None or one.high is None:
        raise ValueError("no range of cases that differ was found")
    return min(seen.varied[0], one.low), max(seen.varied[1], one.high)


def unless_alike(one: Estimate, seen: "Dependence") -> str:
    """The accuracy if all cases are alike, then how far it reaches if each case has its own."""
    ends = varied(one, seen)
    if one.value is None or one.low is None or one.high is None:
        raise ValueError("no accuracy was found")
    low, high = numbers.ends(*ends)
    least, most = numbers.ends(one.low, one.high)
    return _(
        "{alike} of 100 {ratings} follow the {subject} ({least} to {most}) if all {subjects} are equally hard; {low} "
        "to {high} if some are harder than others."
    ).format(alike=numbers.about(one.value, first=True), least=least, most=most, low=low, high=high)


def no_proof(seen: "Dependence") -> str:
    """That a test of fit that does not speak proves nothing, and how often it would have spoken."""
    first = _("Nothing in these {ratings} speaks against equally hard {subjects}, but not rejected is not right.")
    return joined(first.format(), could_have_spoken(seen), fewer_still(seen))


def could_have_spoken(seen: "Dependence") -> str:
    """How often the test of fit would speak if cases differed so that fewer follow; empty if not tried."""
    power = seen.power
    if power is None or numbers.of_100(power.accuracy) == numbers.of_100(seen.rows[0].accuracy):
        return ""
    return _(
        "If some {subjects} were harder and only {lower} of 100 {ratings} followed the {subject}, the test of fit "
        "would notice it {often}."
    ).format(lower=numbers.about(power.accuracy), often=numbers.often(power.rejections))


def fewer_still(seen: "Dependence") -> str:
    """That still fewer follow if cases are beyond everybody or mislead, where the ratings go with that; else empty."""
    reached = [ends[0] for ends in (seen.harder, seen.misleading) if ends is not None]
    if seen.varied is None or not reached or seen.varied[0] - min(reached) < _ONE_NUMBER:
        return ""
    return _("If some are beyond everybody or mislead everybody, fewer still may follow.").format()
