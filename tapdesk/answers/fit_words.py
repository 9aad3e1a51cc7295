"""What a fit means, in sentences: one wording for window, report and command line (experience.md §2)."""

from typing import TYPE_CHECKING

import numpy as np

from tapdesk.answers import numbers, range_words
from tapdesk.answers.numbers import count, counted
from tapdesk.answers.parameters import called, share_of
from tapdesk.answers.signs import rewritten
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit, IdentifiedRange, ParameterEstimate, RatingShare, Status
from tapdesk.fitting.undetermined import GUESSING_ALONE
from tapdesk.language import Label, joined, ngettext, same_sentence, say
from tapdesk.language import gettext as _
from tapdesk.models.design import Freedom
from tapdesk.models.model import Accuracy, Cases, Guessing, Key, Ordered, Truth
from tapdesk.ratings.ratings import Ratings

if TYPE_CHECKING:
    # Only names here: no fit needs the studies.
    from tapdesk.studies.chance import Chance
    from tapdesk.studies.contrasts import Contrasts

_MOST_OPEN = 6


def many_accuracies(fit: Fit, counted: str) -> str:
    """That there is no one accuracy to report, and where those that there are stand."""
    templates = {
        Accuracy.PER_RATER: _(
            "Each of the {raters} has an accuracy of their own here, so there is no single one to report: they are "
            "listed below ({model}, {size})."
        ),
        Accuracy.PER_CLASS: _(
            "Each class has an accuracy of its own here, so there is no single one to report: they are listed below "
            "({model}, {size})."
        ),
        Accuracy.REGRESSION: _(
            "The accuracy may depend on what else is known of each {rating} here, so there is no single one to report: "
            "how far it does is listed below ({model}, {size})."
        ),
        Accuracy.PER_GROUP: _(
            "Each group has an accuracy of its own here, so there is no single one to report: they are listed below "
            "({model}, {size})."
        ),
        Accuracy.PER_RATER_AND_GROUP: _(
            "Each of the {raters} has an accuracy of their own in each group here, so there is no single one to "
            "report: they are listed below ({model}, {size})."
        ),
    }
    other = _("This model has no accuracy: its numbers are listed below ({model}, {size}).")
    return templates.get(fit.model.accuracy, other).format(model=fit.model.name, size=counted)


def easier(fit: Fit, compared: "Contrasts | None") -> tuple[str, str]:
    """Whether one class is recognised more easily than another, and what that rests on.

    Parameters
    ----------
    fit
        With an accuracy for each class.
    compared
        How these differ; None where that was not worked out, and then nothing is said of it.
    """
    if not fit.identification.identified:
        return _("These {ratings} cannot tell whether one answer is easier to recognise than another."), ""
    classes = zip(fit.classes, (e for e in fit.estimates if e.name.name.rstrip("01") == "a"), strict=False)
    table = {c: e.estimate for c, e in classes if e.estimate.value is not None}
    if sum(e.low is not None for e in table.values()) < 2:
        sentence = _("How sure the accuracy of each class is cannot be said, so none is set against another.")
        return sentence, ""
    order = sorted(table, key=lambda c: table[c].value or 0.0)
    worst, best, rests = order[0], order[-1], ""
    sentence = many_accuracies(fit, size(fit))
    if compared is not None and compared.accuracies is not None:
        extremes = compared.accuracies.extremes
        extremes = extremes if extremes.clear else compared.accuracies.clearest or extremes
        worst, best = compared.names[extremes.lower], compared.names[extremes.higher]
        sentence = _("No answer is clearly easier to recognise than another.")
        if extremes.clear:
            sentence = _("“{best}” is easier to recognise than “{worst}”.")
        # Start-up cost: of two classes nothing is compared.
        from tapdesk.answers import differences

        rests = differences.words(extremes, compared.accuracies.level)
    follows = _(
        "{A_rating} follows the {subject} {least} where the {subject} is truly “{worst}”, and {most} where it is truly "
        "“{best}”."
    )
    fields = {
        "best": numbers.short(best, 40),
        "worst": numbers.short(worst, 40),
        "least": numbers.often(table[worst].value or 0.0, table[worst].low, table[worst].high),
        "most": numbers.often(table[best].value or 0.0, table[best].low, table[best].high),
    }
    return sentence.format(**fields), joined(follows.format(**fields), rests)


def fits_equally(fit: Fit, open_range: IdentifiedRange) -> str:
    """Which values of a number fit equally well, the number called by what it is a share of."""
    one = next((e for e in fit.estimates if e.name == open_range.name), None)
    if one is None or fit.model.accuracy is Accuracy.ONE:
        return open_range.words
    return _("Every share of {called} from {low} to {high} fits equally well.").format(
        called=share_of(one, fit),
        low=numbers.decimal(open_range.low),
        high=numbers.decimal(open_range.high),
    )


def left_open(fit: Fit) -> str:
    """Which of many numbers stay open, by what they are shares of; empty where their symbols alone tell it."""
    lost = {str(name) for name in fit.identification.open_parameters}
    names = [called(e, fit) for e in fit.estimates if str(e.name) in lost]
    if all(e.name.name == str(e.name) for e in fit.estimates if str(e.name) in lost):
        return ""
    # One more is named rather than counted.
    most = _MOST_OPEN if len(names) > _MOST_OPEN + 1 else len(names)
    more = len(names) - most
    if more > 0:
        template = _("These {ratings} leave open: {names}; and {more} more numbers.")
    else:
        template = _("These {ratings} leave open: {names}.")
    if not fit.identification.by_design:
        template = _("A design like this leaves open, whatever the {ratings} say: {names}.")
        if more > 0:
            template = _(
                "A design like this leaves open, whatever the {ratings} say: {names}; and {more} more numbers."
            )
    return template.format(names="; ".join(names[:most]), more=numbers.count(more))


def hit_rate(fit: Fit) -> float:
    """Probability that a rating equals the true class: sum of t_k Pr(C = k | T = k)."""
    return float(fit.parameters.truth @ np.diagonal(fit.parameters.rating_rates()[0]))


def names_truth(fit: Fit) -> str:
    """How often a rating names the true class, with its interval where there is one."""
    share = _share(fit, None)
    return numbers.often(hit_rate(fit), share.low if share else None, share.high if share else None)


def called_class1(fit: Fit) -> tuple[str, str]:
    """How often true class 1 and true class 0 are called class 1, with intervals where there are some."""
    rates = fit.parameters.rating_rates()[0]
    shares = [_share(fit, fit.classes[truth]) for truth in (1, 0)]
    right, wrong = (
        numbers.often(float(rates[truth, 1]), share.low if share else None, share.high if share else None)
        for truth, share in zip((1, 0), shares, strict=True)
    )
    return right, wrong


def _share(fit: Fit, truth: str | None) -> RatingShare | None:
    return next((share for share in fit.shares if share.truth == truth), None)


def shares_note(fit: Fit) -> str:
    """Where the intervals of the consequence come from, where the other intervals come from elsewhere."""
    shares = [share for share in fit.shares if share.low is not None]
    if not shares or shares[0].how == fit.interval[0] or not fit.identification.identified or too_wide(fit):
        return ""
    return _("The intervals of these shares come from the profile likelihood, which holds where resamples do not.")


# Proposals of experience.md, to be tuned by simulation: below these the interval leads.
_THREE = 3  # classes from which on there are some next to each other and others further apart
FEW_SUBJECTS = 20
FEW_RARE_RATINGS = 30
TOO_WIDE = 0.5
_MOST_REASONS = 2
_MOST_RARE = 3
_NEVER_DIFFER = 1e-6
_READ_INTERVALS = _(
    "Where a number lies on the edge of what is possible, its interval tells more than the number itself."
)


def class1_name(fit: Fit) -> str:
    """Class 1 of two classes, short enough for a sentence."""
    return numbers.short(fit.classes[1])


def size(fit: Fit) -> str:
    """What was counted: ``183 cases, 732 ratings``."""
    if fit.model.whole:
        sentence = _("{n} pairs of a question and {a_subject}, {m} {ratings}")
        return sentence.format(n=count(fit.subjects), m=count(fit.ratings))
    return counted(fit.subjects, fit.ratings)


def rarer(ratings: Ratings) -> int:
    """Number of ratings in the rarest class that occurs (of two classes: the rarer one)."""
    counts = np.rint(ratings.class_rates() * ratings.rating_count).astype(int)
    used = counts if len(ratings.classes) == 2 else counts[counts > 0]
    return int(used.min()) if used.size else 0


def rare_classes(ratings: Ratings) -> tuple[str, ...]:
    """Classes with too few ratings for numbers that do not hang on a handful of cases, the rarest first."""
    counts = np.rint(ratings.class_rates() * ratings.rating_count).astype(int)
    counted_classes = [k for k in np.argsort(counts, kind="stable") if len(ratings.classes) == 2 or counts[k] > 0]
    return tuple(ratings.classes[k] for k in counted_classes if counts[k] < FEW_RARE_RATINGS)


def small(fit: Fit, ratings: Ratings) -> bool:
    """Whether so few cases or rare ratings stand behind the numbers that only the interval counts."""
    return fit.subjects < FEW_SUBJECTS or rarer(ratings) < FEW_RARE_RATINGS


def warns(fit: Fit, ratings: Ratings) -> bool:
    """Whether the headline must be read as a warning."""
    return (
        fit.status is Status.NOT_SETTLED
        or not fit.converged
        or not fit.identification.identified
        or fit.degenerate
        or small(fit, ratings)
        or too_wide(fit)
        or range_words.open_range(fit) is not None
    )


def headline(fit: Fit, ratings: Ratings, compared: "Contrasts | None" = None) -> str:
    """The answer in one sentence; where there is none, why. ``compared`` are the accuracies of classes."""
    if fit.status is Status.NOT_SETTLED or not fit.converged:
        return _("The estimates had not settled when the search stopped, so no number should be reported.")
    accuracy = _accuracy(fit)
    if fit.model.accuracy is Accuracy.PER_CLASS:
        words, follows = easier(fit, compared)
        # Where no class is set before another there is nothing to take back.
        return joined(words, few_data(fit, ratings)) if follows and compared is not None else words
    if fit.model.cases is not Cases.ALIKE and fit.identification.identified:
        # One of several explanations that hardly any ratings tell apart: its accuracy is not said alone.
        return _(
            "This is one way in which {subjects} may differ; others may fit as well and tell another accuracy. Its "
            "numbers are listed below ({model}, {size})."
        ).format(model=fit.model.name, size=size(fit))
    if sentence := _of_order(fit, ratings):
        return sentence
    if accuracy is None:
        return many_accuracies(fit, size(fit))
    open_range = range_words.open_range(fit)
    return _one_accuracy(fit, ratings, accuracy.estimate) if open_range is None else range_words.fitting(open_range)


def _of_order(fit: Fit, ratings: Ratings) -> str:
    """What a model of the order of the classes says: how many are right, next to the truth, and neither; else empty."""
    known = fit.identification.identified if fit.model.near else fit.rates_known
    if not known or len(fit.classes) < _THREE or not (fit.model.near or fit.model.ordered is not Ordered.NONE):
        return ""
    # Start-up cost: few fits tell near misses.
    from tapdesk.answers.near_words import in_order, near_misses

    return near_misses(fit) if fit.model.near else in_order(fit, ratings)


def _one_accuracy(fit: Fit, ratings: Ratings, value: Estimate) -> str:
    """The one accuracy of all raters, as far as it is known."""
    if value.value is None:
        return _no_accuracy(fit, value.undefined or "")
    if value.low is None or value.high is None:
        return ngettext(
            "{number} of 100 {ratings} follows the {subject}; how sure that is cannot be said.",
            "{number} of 100 {ratings} follow the {subject}; how sure that is cannot be said.",
            numbers.of_100(value.value),
        ).format(number=numbers.about(value.value, first=True))
    reach = value.low, value.high
    if too_wide(fit):
        return _between(
            reach, _("Between {low} and {high} of 100 {ratings} follow the {subject}: too wide to conclude.")
        )
    return joined(_with_interval(value.value, reach, few=small(fit, ratings)), few_data(fit, ratings))


def few_data(fit: Fit, ratings: Ratings) -> str:
    """That few data stand behind the numbers, and of what there are few; empty where there are enough."""
    if fit.subjects < FEW_SUBJECTS:
        return ngettext("There is only {n} {subjects}.", "There are only {n} {subjects}.", fit.subjects).format(
            n=numbers.count(fit.subjects)
        )
    rare = rare_classes(ratings)
    if not rare:
        return ""
    if len(rare) == len(ratings.classes):
        return _("Every class has few {ratings}.").format()
    more = len(rare) - _MOST_RARE
    # One more is named rather than counted.
    shown = rare if more <= 1 else rare[:_MOST_RARE]
    names = [f"“{numbers.short(name, 40)}”" for name in shown]
    if len(shown) < len(rare):
        return _("Some classes are rare: {names} and {more} more.").format(
            names=", ".join(names), more=numbers.count(more)
        )
    return ngettext("One class is rare: {names}.", "Some classes are rare: {names}.", len(rare)).format(
        names=numbers.listed(names)
    )


def _no_accuracy(fit: Fit, reason: str) -> str:
    if fit.identification.identified:
        return _("No accuracy can be given. {reason}").format(reason=reason)
    return _("These {ratings} cannot tell how much of the agreement is knowledge and how much is luck.")


def _with_interval(value: float, reach: tuple[float, float], *, few: bool) -> str:
    """The accuracy; the interval leads where the data are few."""
    if value > 1 - _NEVER_DIFFER:
        # That nobody differs shows that they agree, and nothing else; the best fit itself would sound like a proof.
        template = _(
            "All {ratings} of each {subject} agree: unless the {raters} are wrong together, at least {low} of 100 "
            "{ratings} follow the {subject}."
        )
        return _between(reach, template)
    if few:
        return _between(
            reach, _("Between {low} and {high} of 100 {ratings} follow the {subject}; the rest are guesses.")
        )
    template = ngettext(
        "{number} of 100 {ratings} follows the {subject} ({low} to {high}); the rest are guesses.",
        "{number} of 100 {ratings} follow the {subject} ({low} to {high}); the rest are guesses.",
        numbers.of_100(value),
    )
    return _between(reach, template, number=numbers.about(value, first=True))


def _between(reach: tuple[float, float], template: str, **fields: str) -> str:
    low, high = numbers.ends(*reach)
    return template.format(low=low, high=high, **fields)


def _accuracy(fit: Fit) -> ParameterEstimate | None:
    """The one accuracy of the model, where it has one."""
    if fit.model.accuracy is not Accuracy.ONE:
        return None
    return next((e for e in fit.estimates if e.name.name == "a"), None)


def too_wide(fit: Fit) -> bool:
    """Whether the interval of the accuracy is too wide to conclude anything from it."""
    accuracy = _accuracy(fit)
    if accuracy is None or accuracy.estimate.low is None or accuracy.estimate.high is None:
        return False
    return accuracy.estimate.high - accuracy.estimate.low >= TOO_WIDE


def void(fit: Fit) -> bool:
    """Whether the headline says that nothing can be concluded: then no number of the fit is explained either."""
    return not fit.converged or not fit.identification.identified or too_wide(fit)


def consequence(fit: Fit, compared: "Contrasts | None" = None) -> str:
    """What the numbers do to a single rating; where there are none, what the data leave open."""
    if fit.status is Status.NOT_SETTLED or not fit.converged:
        return _("Run it again with more starts or more steps.")
    open_range = range_words.open_range(fit)
    if open_range is not None:
        return range_words.under_the_assumption(open_range)
    return _of_a_rating(fit, compared) if fit.identification.identified else _why_open(fit)


def _of_a_rating(fit: Fit, compared: "Contrasts | None") -> str:
    """What determined numbers do to a single rating."""
    if fit.parameters.rating_rates().shape[0] != 1 or fit.model.cases is not Cases.ALIKE or fit.model.near:
        return ""
    if too_wide(fit):
        # The estimate alone, or re-draws of a fit on the edge, would sound far surer than the interval is.
        return _("How often {a_rating} is right, lucky guesses counted, is as open as that.")
    if len(fit.classes) != 2 and fit.model.truth.by_group:
        # How often it is right depends on how common the classes are.
        return ""
    if len(fit.classes) != 2:
        hits = _("Counting lucky guesses, {a_rating} is right {often}.").format(often=names_truth(fit))
        which = easier(fit, compared)[1] if fit.model.accuracy is Accuracy.PER_CLASS else ""
        return joined(which, hits)
    # With a = 1 and its kin the rates of ratings stay defined where single parameters are not.
    right, wrong = called_class1(fit)
    sentence = _(
        "When the {subject} is truly “{one}”, {a_rating} says so {right}; when it is not, {a_rating} still says "
        "“{one}” {wrong}."
    ).format(one=class1_name(fit), right=right, wrong=wrong)
    return joined(sentence, range_words.equal_classes(fit))


def _why_open(fit: Fit) -> str:
    """Why not all numbers are determined, in the words of the numbers themselves where the design is not to blame."""
    reasons = list(dict.fromkeys(e.estimate.undefined for e in fit.estimates if e.estimate.undefined))
    # A reason that holds for some raters or classes would sound as if it held for all of them.
    if not fit.identification.by_design or not reasons or fit.model.accuracy is not Accuracy.ONE:
        return identification(fit)
    if len(reasons) == 1 and same_sentence(reasons[0], GUESSING_ALONE):
        return _("Guessing alone explains these {ratings} as well as any knowledge of the {subjects} does.")
    # Below a number that stands, "this number" would be read as that one: the open ones are named.
    if any(e.estimate.value is not None for e in fit.estimates) and (named := left_open(fit)):
        return named
    return own(joined(*reasons[:_MOST_REASONS]), fit)


def identification(fit: Fit) -> str:
    """Whether these data pin the numbers, and what they leave open."""
    sentences = [w for w in (left_open(fit) or fit.identification.words,) if w]
    if not sentences:
        sentences = [
            _("These data determine all the numbers of the model.")
            if fit.identification.identified
            else _("These data cannot separate the numbers of the model: many values fit equally well.")
        ]
    if fit.identification.identified and fit.model.guessing is Guessing.AS_TRUTH:
        if range_words.open_range(fit) is not None:
            sentences = [_("What two {ratings} of {a_subject} leave open is settled by assuming more than they show.")]
        sentences.append(_("That rests on the assumption that guesses come out like the truth (p = t)."))
    return own(joined(*sentences, *(fits_equally(fit, r) for r in fit.identification.ranges)), fit)


def settled(fit: Fit) -> str:
    """How the search ended; that a number lies on the edge does not by itself take the meaning from others."""
    if fit.status is Status.DEGENERATE and all(e.estimate.value is not None for e in fit.estimates):
        return _("The estimates have settled, with a number on the edge of what is possible.")
    table = {
        Status.DEGENERATE: _("A number sits on the edge of what is possible, so others have no meaning."),
        Status.NOT_IDENTIFIED: _("Many values of the numbers fit these {ratings} equally well."),
    }
    return table.get(fit.status, fit.status.value)


def own(sentence: str, fit: Fit) -> str:
    """A sentence a fit carries, its numbers in the signs in use and the names in it as the user wrote them."""
    return rewritten(sentence, (*fit.classes, *fit.raters))


def caution(fit: Fit, ratings: Ratings) -> str:
    """A warning about few data; empty when there are enough, or when there is no number to warn about."""
    rare = rarer(ratings)
    if not fit.identification.identified:
        return ""
    if fit.subjects < FEW_SUBJECTS:
        return ngettext(
            "There is only {n} {subjects}. With fewer than {few} the numbers move a lot from one set of {subjects} to "
            "the next: read the intervals, not the estimates.",
            "There are only {n} {subjects}. With fewer than {few} the numbers move a lot from one set of "
            "{subjects} to the next: read the intervals, not the estimates.",
            fit.subjects,
        ).format(n=numbers.count(fit.subjects), few=FEW_SUBJECTS)
    if rare < FEW_RARE_RATINGS:
        return ngettext(
            "Only {n} {ratings} falls into the rarest class. With fewer than {few} the numbers depend on a handful of "
            "{subjects}: read the intervals, not the estimates.",
            "Only {n} {ratings} fall into the rarest class. With fewer than {few} the numbers depend on a "
            "handful of {subjects}: read the intervals, not the estimates.",
            rare,
        ).format(n=numbers.count(rare), few=FEW_RARE_RATINGS)
    return ""


def fit_findings(fit: Fit) -> list[str]:
    """What the fit itself warns of, without what the verdict on identification says already."""
    verdict = joined(identification(fit), fit.identification.words)
    sentences = [f for f in fit.findings if say(f.message) not in verdict]
    # Which numbers lie on the edge, and what that means, stands beside this in words (`parameters.degeneracy`).
    return [_READ_INTERVALS if f.code == "degenerate" else joined(f.message, f.fix) for f in sentences]


def not_said(ratings: Ratings | None = None, key: Key = Key.UNUSED) -> str:
    """What nobody may read into the numbers.

    Parameters
    ----------
    ratings
        Of an answer; those with known answers are told whether these are used.
    key
        What is made of known answers.
    """
    known_to = "" if ratings is None or not ratings.known else known_by(ratings)
    if key is not Key.UNUSED:
        rest = _(
            "“Accuracy” means agreement with them where they are known, and with the panel’s own shared pattern of "
            "answers elsewhere. The numbers hold for these {raters} and {subjects}, or for others like them, and only "
            "if the {raters} judged without talking to each other."
        )
        return joined(_("The known answers are taken as true."), known_to, rest)
    checked = _("Nobody checked the true answers.")
    if ratings is not None and ratings.known:
        checked = _("The known answers are not used for these numbers, they stand beside them.")
        checked = joined(checked, known_to)
    rest = _(
        "“Accuracy” means agreement with the panel’s own shared pattern of answers, "
        "not with reality: a panel that is wrong together looks accurate. The numbers hold for these {raters} "
        "and {subjects}, or for others like them, and only if the {raters} judged without talking to each other."
    )
    return joined(checked, rest)


def known_by(ratings: Ratings) -> str:
    """Who wrote the known answers, as far as the user said it."""
    if not ratings.known_by:
        return _("Who wrote the known answers is not known.")
    return _("The known answers were written by: {who}.").format(who=Label(ratings.known_by.strip().rstrip(".")))


def missing_rule() -> str:
    """What the method assumes about absent ratings."""
    return _(
        "A missing {rating} is simply left out. That is right if whether {a_rating} is missing "
        "has nothing to do with what it would have said."
    )


def model_words(fit: Fit) -> str:
    """The model in words: what each rating is taken to be."""
    model = fit.model
    parts = [
        _(
            "Each {subject} has one true class that nobody sees. {A_rating} is either justified, and then it is the "
            "true class, or it is a pick without knowledge of the {subject}."
        )
    ]
    if model.about:
        parts.append(model.about)
    return joined(*parts)


_HELD_TRUTH = {
    Truth.SHARPENED: _("the share of the prior: each {subject} has a share of its own, and none for all is estimated"),
    Truth.UNIFORM: _("held at equal shares of all classes"),
}


def tie(estimate: ParameterEstimate, fit: Fit) -> str:
    """Why a parameter carries no estimate of its own; empty when it does."""
    if estimate.freedom is Freedom.FIXED and estimate.name.name == "t" and fit.model.truth is not Truth.OBSERVED:
        return _HELD_TRUTH[fit.model.truth]
    return {
        Freedom.FREE: "",
        Freedom.TIED: _("follows another number"),
        Freedom.FIXED: _("held at the observed rate"),
    }[estimate.freedom]


def no_beliefs(fit: Fit | None, chance: "Chance | None") -> str:
    """Why it is not told how sure one can be of single cases."""
    if fit is not None and not fit.converged:
        sentence = _("How sure one can be of single {subjects} is not reported: the estimates had not settled.")
    elif chance is not None and not chance.more_than_chance:
        sentence = _(
            "How sure one can be of single {subjects} is not reported: these {ratings} cannot be told from chance."
        )
    elif fit is not None and _all_follow(fit):
        sentence = _(
            "All {ratings} of {a_subject} say the same here, so no {subject} is less sure than another. Nobody checked "
            "whether they are right."
        )
    elif fit is not None and too_wide(fit):
        sentence = _(
            "How sure one can be of single {subjects} is not reported: how often {a_rating} follows its {subject} is "
            "known too roughly."
        )
    elif fit is not None and _left_open_accuracy(fit) is not None:
        sentence = _(
            "How sure one can be of single {subjects} is not told: these {ratings} leave open other numbers that it "
            "rests on."
        )
    else:
        sentence = _(
            "How sure one can be of single {subjects} is not reported: these {ratings} leave open how often {a_rating} "
            "follows its {subject}."
        )
    return sentence.format()


def _all_follow(fit: Fit) -> bool:
    """Whether every rating is taken to follow its case."""
    value = _left_open_accuracy(fit)
    return value is not None and value > 1 - 1e-6


def _left_open_accuracy(fit: Fit) -> float | None:
    """The one accuracy of all raters, where there is such a number and it is determined."""
    if fit.model.accuracy is not Accuracy.ONE:
        return None
    return next((e.estimate.value for e in fit.estimates if e.name.name == "a"), None)
