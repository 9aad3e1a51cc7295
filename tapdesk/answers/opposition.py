"""Raters who contradict each other, or judge something else: said before anything else."""

from tapdesk.answers import fit_words
from tapdesk.answers.numbers import listed
from tapdesk.answers.part import Answer
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.studies.opposition import Opposition, turned_back

_MOST_NAMED = 6


def opposed(answer: Answer) -> tuple[str, str] | None:
    """Who contradicts whom, and what the numbers would be with the scale turned back; None where nobody does."""
    opposition = answer.side.opposition
    if opposition is None or not opposition.exists:
        return None
    if opposition.groups:
        return _groups(opposition)
    return _turned(opposition, answer), _preview(opposition, answer)


def _groups(opposition: Opposition) -> tuple[str, str]:
    one, other, *more = (listed(group[:_MOST_NAMED]) for group in opposition.groups)
    sentence = _(
        "{one} seem to answer another question than {other}: they agree among themselves, and not with each other."
    )
    if more:
        sentence = _("The {raters} seem to answer several questions: {one} agree among themselves, and so do {other}.")
    follows = _(
        "One accuracy for all of them says little. Ask what each of them judged before any number below is used."
    )
    return sentence.format(one=one, other=other), follows.format()


def _turned(opposition: Opposition, answer: Answer) -> str:
    names = listed(opposition.turned[:_MOST_NAMED])
    others = listed([name for name in answer.ratings.raters if name not in opposition.turned][:_MOST_NAMED])
    if opposition.even:
        return _(
            "{names} and {others} contradict each other: one side seems to use the scale the other way round, or to "
            "answer another question."
        ).format(names=names, others=others)
    if len(opposition.turned) == 1:
        return _("{names} seems to use the scale the other way round, or to answer another question.").format(
            names=names
        )
    return _("{names} seem to use the scale the other way round, or to answer another question.").format(names=names)


def _preview(opposition: Opposition, answer: Answer) -> str:
    sentence = _("Ask before any number below is used; nothing has been turned round.")
    if opposition.preview is None:
        return sentence.format()
    back = turned_back(answer.ratings, opposition.turned)
    text = _("With the {ratings} of {names} turned round: {sentence}").format(
        names=listed(opposition.turned[:_MOST_NAMED]), sentence=fit_words.headline(opposition.preview, back)
    )
    return joined(text, sentence.format())
