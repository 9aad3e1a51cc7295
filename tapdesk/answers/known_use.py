"""What an answer says that rests on known answers: how many there are, and what they were taken to tell.

It stands alone because `tapdesk.answers.known` is about raters, of any ratings, and this is about a fit.
"""

import numpy as np

from tapdesk.agreement.known import LEAST, common_errors
from tapdesk.answers import numbers
from tapdesk.answers.known import in_common
from tapdesk.answers.part import Answer
from tapdesk.fitting.fit import Fit
from tapdesk.language import Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.models.model import Key
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.wrong_together import WrongTogether

# By so much a panel may be less right than it agrees and still be called as right.
_ALIKE = 0.1


def wrong_together(answer: Answer) -> tuple[str, str] | None:
    """That the panel agrees with itself more than with what is known, and where; None where nothing says so.

    Only of models that tell raters apart: where all are taken for alike, their differences look like common errors.
    """
    found = answer.side.together
    if found is None or not clearly_wrong(found) or (answer.ratings.raters_known and not answer.fit.model.by_rater):
        return None
    sentence = _(
        "The {raters} agree with each other more than with the known answers: the panel seems to be wrong together."
    ).format()
    panel, key = found.against_panel.value, found.against_key.value
    errors = common_errors(answer.ratings)
    follows = (
        in_common(answer.ratings, errors)
        if errors
        else ngettext(
            "For {part} of a known class the panel’s shared pattern names another one.",
            "For {part} of a known class the panel’s shared pattern names another one.",
            found.cases,
        ).format(part=numbers.of_all(found.mismatches, found.cases, "subjects"))
    )
    if panel is None or key is None:
        return sentence, follows
    rely = _("Do not rely on the accuracy of {panel} against the panel: against what is known it is {key}.")
    return sentence, joined(follows, rely.format(panel=numbers.decimal(panel), key=numbers.decimal(key)))


def clearly_wrong(found: WrongTogether) -> bool:
    """Whether the test rejects, and raters are clearly less accurate against what is known than against the panel."""
    return found.test.rejects and found.consensus.high is not None and found.consensus.high < 1


def against_the_known(found: WrongTogether) -> tuple[str, str]:
    """How right the panel is where nothing shows that it is wrong together, and the two accuracies behind that."""
    panel, key, apart = found.against_panel, found.against_key, found.difference
    low, high = apart.low, apart.high
    if found.cases < LEAST or low is None or high is None or (low < -_ALIKE and high >= 0):
        verdict = ngettext(
            "Cannot tell how right the {raters} are: {n} known answer is too few.",
            "Cannot tell how right the {raters} are: {n} known answers are too few.",
            found.cases,
        ).format(n=numbers.count(found.cases))
    elif high < 0:
        verdict = _("The {raters} follow the known answers less often than they follow each other.").format()
    else:
        verdict = _("The panel agrees with the known answers as well as with itself.").format()
    if panel.value is None or key.value is None or low is None:
        return verdict, ""
    follows = _(
        "Accuracy against the known answers {key}, against the panel {panel}: a difference of {apart} ({reach})."
    )
    return verdict, follows.format(
        key=numbers.value(key), panel=numbers.value(panel), apart=numbers.value(apart), reach=numbers.interval(apart)
    )


def known_count(ratings: Ratings) -> str:
    """The column of the known answers, and of how many cases there is one; empty where there is no column."""
    classes = ratings.known_classes()
    if classes is None:
        return ""
    weight = ratings.subject_weights()
    return _("{column}, {part}").format(
        column=Label(numbers.short(ratings.known, 30)),
        part=numbers.of_all(int(weight[classes >= 0].sum()), int(weight.sum())),
    )


def known_words(fit: Fit, ratings: Ratings) -> str:
    """How the known answers were used; empty where they were not."""
    classes, texts = ratings.known_classes(), ratings.known_texts()
    if fit.model.key is Key.UNUSED or classes is None or texts is None:
        return ""
    count = int(ratings.subject_weights()[classes >= 0].sum())
    template = ngettext(
        "Of {n} {subjects} the true class is known (“{column}”) and taken as certain.",
        "Of {n} {subjects} the true classes are known (“{column}”) and taken as certain.",
        count,
    )
    sentences = [template.format(n=numbers.count(count), column=Label(ratings.known))]
    if fit.model.key is Key.INFORMING:
        sentences.append(_("They count as a random part of all {subjects}.").format())
    elif count < int(ratings.subject_weights().sum()):
        sentences.append(_("How common the classes are is told of the other {subjects} alone.").format())
    if len(ratings.classes) > 1 and np.unique(classes[classes >= 0]).size == 1:
        sentences.append(
            _(
                "All of them are of one class, which does little; known {subjects} of two classes would do a lot."
            ).format()
        )
    strange = sum(bool(text) and k < 0 for text, k in zip(texts, classes, strict=True))
    if strange:
        sentences.append(
            ngettext(
                "{n} known answer is no class of these {ratings} and is passed over.",
                "{n} known answers are no classes of these {ratings} and are passed over.",
                strange,
            ).format(n=numbers.count(strange))
        )
    return joined(*sentences)
