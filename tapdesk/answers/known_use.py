"""What an answer says that rests on known answers: how many there are, and what they were taken to tell.

It stands alone because `tapdesk.answers.known` is about raters, of any ratings, and this is about a fit.
"""

from tapdesk.answers import numbers
from tapdesk.fitting.fit import Fit
from tapdesk.language import Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.models.model import Key
from tapdesk.ratings.ratings import Ratings


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
    else:
        sentences.append(_("How common the classes are is told of the other {subjects} alone.").format())
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
