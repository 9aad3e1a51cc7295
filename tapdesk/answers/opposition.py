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
    found = answer.side.opposition
    if found is None or not found.found:
        return None
    if found.groups:
        return _groups(found)
    return _turned(found, answer), _preview(found, answer)


def _groups(found: Opposition) -> tuple[str, str]:
    one, other, *more = (listed(group[:_MOST_NAMED]) for group in found.groups)
    said = _(
        "{one} seem to answer another question than {other}: they agree among themselves, and not with each other."
    )
    if more:
        said = _("The {raters} seem to answer several questions: {one} agree among themselves, and so do {other}.")
    follows = _(
        "One accuracy for all of them says little. Ask what each of them judged before any number below is used."
    )
    return said.format(one=one, other=other), follows.format()


def _turned(found: Opposition, answer: Answer) -> str:
    names = listed(found.turned[:_MOST_NAMED])
    others = listed([name for name in answer.ratings.raters if name not in found.turned][:_MOST_NAMED])
    if found.even:
        return _(
            "{names} and {others} contradict each other: one side seems to use the scale the other way round, or to "
            "answer another question."
        ).format(names=names, others=others)
    if len(found.turned) == 1:
        return _("{names} seems to use the scale the other way round, or to answer another question.").format(
            names=names
        )
    return _("{names} seem to use the scale the other way round, or to answer another question.").format(names=names)


def _preview(found: Opposition, answer: Answer) -> str:
    asked = _("Ask before any number below is used; nothing has been turned round.")
    if found.preview is None:
        return asked.format()
    back = turned_back(answer.ratings, found.turned)
    said = _("With the {ratings} of {names} turned round: {sentence}").format(
        names=listed(found.turned[:_MOST_NAMED]), sentence=fit_words.headline(found.preview, back)
    )
    return joined(said, asked.format())
