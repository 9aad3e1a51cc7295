"""Whether one accuracy describes these ratings, where it does not, and what that does to the number."""

from typing import TYPE_CHECKING

from tapdesk.answers import chance, fit_words, numbers, range_words
from tapdesk.answers.numbers import listed
from tapdesk.answers.part import Answer
from tapdesk.answers.side_results import SideResults, within_chance
from tapdesk.estimate import MATTERS
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.model import Accuracy, Cases
from tapdesk.studies.analysis import CONTRADICTED
from tapdesk.studies.likelihood_ratio import follows_anything
from tapdesk.studies.rater_differences import RaterDifferences
from tapdesk.studies.rater_pairs import Independence

if TYPE_CHECKING:
    from tapdesk.studies.dependence import Dependence

_LEVEL = 0.05
_MOST_NAMED = 6
_TWO = 2
# All ratings agree: what is said then is of another kind.
_NEVER_DIFFER = 1e-6


def level(side: SideResults) -> float:
    """Below which p-value the model misses something: of two tests that are independent 5 in 100 reject by luck."""
    both = side.goodness is not None and side.differences is not None
    return 1 - (1 - _LEVEL) ** 0.5 if both else _LEVEL


def cases_differ(fit: Fit, side: SideResults) -> bool:
    """Whether the counts of the classes are not what one accuracy makes, of raters who are alike."""
    test = side.goodness
    return _one(fit) and test is not None and test.p_bootstrap < level(side) and not raters_differ(side)


def _one(fit: Fit) -> bool:
    """Whether one accuracy is to describe all raters and all cases."""
    return fit.model.accuracy is Accuracy.ONE and not fit.model.by_rater and fit.model.cases is Cases.ALIKE


def raters_differ(side: SideResults) -> bool:
    """Whether it matters who gave a rating."""
    return side.differences is not None and side.differences.test.p_bootstrap < level(side)


def too_alike(side: SideResults) -> bool:
    """Whether some pair of raters agrees more often than raters who judge by themselves."""
    return side.independence is not None and side.independence.too_alike


def agree_too_often(fit: Fit, side: SideResults) -> bool:
    """Whether pairs of raters agree more than one accuracy makes them, though nothing else speaks against it."""
    return _one(fit) and too_alike(side) and not raters_differ(side) and not cases_differ(fit, side)


def missed(fit: Fit, side: SideResults) -> bool:
    """Whether the model misses so much that no number of it is to be read out: it stands in the tables."""
    return cases_differ(fit, side) or agree_too_often(fit, side) or contradicted(side)


def about_pairs(fit: Fit, pairs: Independence) -> tuple[str, str]:
    """That raters agree too often for one accuracy, and which way that moves it."""
    value = fit.estimate("a").value
    text = _("{Raters} agree more often than one accuracy explains.")
    if value is not None:
        text = _("{Raters} agree more often than one accuracy explains: {value} is probably too high.").format(
            value=numbers.decimal(value)
        )
    if pairs.named is not None:
        return text, joined(pairs.finding, _("Why cannot be told from these {ratings}.").format())
    follows = (
        _(
            "Some {subjects} may be harder than others, or {raters} did not judge alone: these {ratings} cannot say "
            "which."
        )
        if pairs.widespread
        else _("Why cannot be told from these {ratings}.")
    )
    return text, follows.format()


def tells_range(fit: Fit, side: SideResults) -> bool:
    """Whether the headline tells where the accuracy lies if cases differ."""
    seen = side.dependence
    # A model of an accuracy for each rater has no "a".
    two = cases_differ(fit, side) and len(fit.classes) == 2 and fit.estimate("a").value is not None
    return two and seen is not None and range_words.tells_range(seen)


def unseen(fit: Fit, side: SideResults) -> bool:
    """Whether ratings of this design cannot show that cases differ: one accuracy follows whatever they are."""
    test = side.goodness
    alike = fit.model.accuracy is Accuracy.ONE and fit.model.cases is Cases.ALIKE
    return alike and test is not None and follows_anything(test)


def silent(fit: Fit, side: SideResults) -> bool:
    """Whether the test of fit could speak against one accuracy of two classes, and nothing speaks against it."""
    test = side.goodness
    if test is None or fit.model.name != "t-a-p" or len(fit.classes) != _TWO or follows_anything(test):
        return False
    # Where raters differ, in whatever, the counts of the classes are no test of the cases.
    quiet = not (raters_differ(side) or contradicted(side) or within_chance(side))
    return quiet and before_the_headline(fit, side) is None


def unproved(fit: Fit, side: SideResults) -> bool:
    """Whether nothing speaks against cases that are alike, and yet the accuracy is another one if they are not.

    The ratings could not show it then: the accuracy of cases that are not equally hard may lie a good deal lower.
    """
    seen = side.dependence
    if seen is None or not seen.seen or seen.varied is None or not silent(fit, side):
        return False
    one = fit.estimate("a")
    if one.value is None or one.low is None or one.value > 1 - _NEVER_DIFFER or fit_words.void(fit):
        return False
    return range_words.open_range(fit) is None and one.low - seen.varied[0] >= MATTERS


def if_not_alike(fit: Fit, seen: "Dependence") -> tuple[str, str]:
    """The accuracy if cases are alike, and how far it reaches if they differ; and that silence is no proof."""
    return range_words.unless_alike(fit.estimate("a"), seen), range_words.no_proof(seen)


def if_some_are_harder(fit: Fit, side: SideResults) -> tuple[float, float] | None:
    """How far the one accuracy of a headline reaches if some cases are harder than others, as the headline tells it.

    None where it has no such condition: the ratings show that cases are alike, or something else is told.
    """
    seen = side.dependence
    if seen is None or raters_differ(side) or contradicted(side) or within_chance(side):
        return None
    if unproved(fit, side):
        return range_words.varied(fit.estimate("a"), seen)
    if tells_range(fit, side):
        return seen.harder
    return seen.harder if unseen(fit, side) and not seen.seen and range_words.open_range(fit) is None else None


def condition(fit: Fit, side: SideResults) -> str:
    """The one accuracy with its condition, and how far it reaches without (`if_some_are_harder`), in one sentence."""
    seen = side.dependence
    if seen is None or if_some_are_harder(fit, side) is None:
        return ""
    if unproved(fit, side):
        return range_words.unless_alike(fit.estimate("a"), seen)
    if tells_range(fit, side):
        return range_words.cases_seem_to_differ(seen)[0]
    return range_words.if_some_are_harder(seen)


def about_cases(fit: Fit, seen: "Dependence | None" = None) -> tuple[str, str]:
    """That cases seem to differ, and where the accuracy then lies, or which way that moves it."""
    value = fit.estimate("a").value
    if len(fit.classes) > 2:
        return _about_classes(value)
    if value is not None and seen is not None and range_words.tells_range(seen):
        first, prefers = range_words.cases_seem_to_differ(seen)
        follows = _("Which of them are harder, or whether they mislead everybody, these {ratings} cannot say.")
        return first, joined(prefers, follows.format())
    text = _("{Subjects} seem to differ in difficulty.")
    if value is not None:
        text = _("{Subjects} seem to differ in difficulty: an accuracy of {value} is probably too high.").format(
            value=numbers.decimal(value)
        )
    follows = _(
        "One accuracy for all {subjects} does not make such {ratings}, so its interval may not hold the true one "
        "either. Some {subjects} may be harder than others, or mislead everybody: these {ratings} cannot say which."
    )
    return text, follows.format()


def _about_classes(value: float | None) -> tuple[str, str]:
    """Of more than two classes a misfit may lie in them as well: a class may be taken for its neighbour."""
    text = _("One accuracy does not describe these {ratings}.")
    if value is not None:
        text = _("One accuracy does not describe these {ratings}: {value} is not to be relied on.").format(
            value=numbers.decimal(value)
        )
    follows = _(
        "Some {subjects} may be harder than others, some classes harder to recognise or taken for their neighbours, or "
        "{a_subject} may mislead everybody: these {ratings} cannot say which."
    )
    return text, follows.format()


def about_raters(differences: RaterDifferences, *, pairs: bool = False) -> tuple[str, str] | None:
    """Who stands apart, or how far raters differ; None where their accuracies do not.

    Where ``pairs`` agree too often nobody is named: those look able, and the rest worse than they are.
    """
    if not differences.accuracies or differences.middle is None or differences.reach is None:
        return None
    follows = _("One accuracy for all {raters} would not describe them.")
    if pairs or not differences.apart:
        low, high = map(numbers.decimal, differences.reach)
        if low == high:
            return _("The {raters} differ in accuracy, by how much cannot be told."), follows.format()
        text = _("The {raters} differ: their accuracies go from about {low} to about {high}.").format(
            low=low, high=high
        )
        return text, follows.format()
    names = differences.apart[:_MOST_NAMED]
    fields = {
        "names": listed(names),
        "own": listed([numbers.decimal(differences.accuracy(name)) for name in names]),
        "middle": numbers.decimal(differences.middle),
    }
    one = _("{names} stands apart: {own} against {middle}, the middle accuracy of the panel.")
    many = _("{names} stand apart: {own} against {middle}, the middle accuracy of the panel.")
    text = (one if len(names) == 1 else many).format(**fields)
    return text, joined(follows, _("That others agree less often with {a_rater} does not tell who is right."))


def contradicted(side: SideResults) -> bool:
    """Whether raters contradict each other, which explains any misfit."""
    return side.opposition is not None and side.opposition.exists


def sentence(side: SideResults) -> str:
    """The test of fit in words; empty where there is none, or where raters contradict each other, which explains it."""
    if side.goodness is None or contradicted(side):
        return ""
    return chance.misfit(side.goodness, level(side), unlike=raters_differ(side), paired=too_alike(side))


def about_leanings() -> str:
    """That raters differ in what they answer, though not clearly in accuracy."""
    return _("The {raters} differ in how often they give each answer, more than luck explains.")


def before_the_headline(fit: Fit, side: SideResults) -> tuple[str, str] | None:
    """What is to be said before one accuracy of all raters and cases is; None where nothing speaks against it."""
    if fit.model.accuracy is not Accuracy.ONE or fit.model.by_rater:
        return None
    if raters_differ(side) and side.differences is not None:
        # Of ratings that luck makes as well no accuracy is told: then it is their leanings in which raters differ.
        return None if within_chance(side) else _with_pair(about_raters(side.differences, pairs=too_alike(side)), side)
    if cases_differ(fit, side):
        return about_cases(fit, side.dependence)
    if side.independence is not None and agree_too_often(fit, side):
        return about_pairs(fit, side.independence)
    return None


def _with_pair(sentences: tuple[str, str] | None, side: SideResults) -> tuple[str, str] | None:
    """How raters differ, and whose agreement makes them look so."""
    pairs = side.independence
    if sentences is None or pairs is None or pairs.named is None:
        return sentences
    looks = _("Who agrees so looks able, and the rest worse than they are.")
    return sentences[0], joined(sentences[1], pairs.finding, looks.format())


def beside_the_headline(fit: Fit, side: SideResults) -> str:
    """What is to be said besides where raters differ in their leanings alone; else empty."""
    holds = fit.model.accuracy is Accuracy.ONE and not fit.model.by_rater and raters_differ(side)
    return about_leanings() if holds and before_the_headline(fit, side) is None else ""


def by_luck(fit: Fit, side: SideResults) -> tuple[str, str] | None:
    """That ratings cannot be told from luck, before a number of theirs is read; None where they can be."""
    sentences = [e.estimate for e in fit.estimates if str(e.name) == "a"]
    if not within_chance(side) or not sentences or sentences[0].low is None or sentences[0].high is None:
        return None
    if fit_words.too_wide(fit) or range_words.open_range(fit) is not None:
        return None
    follows = _(
        "By the model between {low} and {high} of 100 {ratings} follow the {subject}, but the test of chance sees "
        "nothing that luck does not make as well."
    ).format(low=numbers.of_100(sentences[0].low), high=numbers.of_100(sentences[0].high))
    return _("These {ratings} cannot be told from chance.").format(), follows


def set_back(fit: Fit, side: SideResults) -> bool:
    """Whether the one accuracy is not to be shown as the result."""
    if _contradicted_panel(fit, side) or by_luck(fit, side) is not None:
        return True
    return before_the_headline(fit, side) is not None


def _contradicted_panel(fit: Fit, side: SideResults) -> bool:
    return contradicted(side) and fit.model.accuracy is Accuracy.ONE


def why_set_back(answer: Answer) -> str:
    """Why the one accuracy is not to be read as the result; empty where it is."""
    if _contradicted_panel(answer.fit, answer.side):
        # How far their accuracies lie apart would be told with an accuracy of 0 for those who turned the scale.
        return CONTRADICTED.format()
    sentences = by_luck(answer.fit, answer.side) or before_the_headline(answer.fit, answer.side)
    if sentences is None and unproved(answer.fit, answer.side):
        return _("Only if all {subjects} are equally hard.").format()
    if sentences is not None and tells_range(answer.fit, answer.side) and not within_chance(answer.side):
        # The headline has told the rest.
        return _("Only if all {subjects} are equally hard.").format()
    return "" if sentences is None else sentences[0]
