"""Flags: what to know before a number is used, at most three, each with the part of the results that shows more.

They stand below the headline in the window, gravest first: who stands apart, misfit, few data. What the headline says
already is not said again; the way to its part stands there all the same.
"""

from dataclasses import dataclass

from tapdesk.answers import fit_words, misfit
from tapdesk.answers.part import Answer
from tapdesk.answers.side_results import within_chance
from tapdesk.language import gettext as _

MOST = 3


@dataclass(frozen=True, slots=True)
class Flag:
    """One thing to know.

    Attributes
    ----------
    text
        A sentence; empty where the headline says it.
    link
        What leads to more.
    part
        Key of the part that shows it.
    """

    text: str
    link: str
    part: str


def flags(answer: Answer, said: str) -> tuple[Flag, ...]:
    """What to know before the numbers of an answer are used.

    Parameters
    ----------
    answer
        What is told.
    said
        The headline and what follows from it: no flag repeats a sentence of it.

    Returns
    -------
    tuple of Flag
        At most three; none of an answer without numbers.
    """
    if answer.result is None:
        return ()
    made = (_apart(answer), _misfit(answer), _few(answer))
    shown = [flag for flag in made if flag is not None][:MOST]
    return tuple(Flag("" if flag.text in said else flag.text, flag.link, flag.part) for flag in shown)


def _apart(answer: Answer) -> Flag | None:
    """Who stands apart from the panel, or that raters differ."""
    differences, side = answer.side.differences, answer.side
    if differences is None or not misfit.raters_differ(side) or within_chance(side) or side.by_rater is None:
        return None
    link = _("See each {rater}").format()
    told = misfit.about_raters(differences, pairs=misfit.too_alike(side))
    if told is None:
        return Flag(misfit.about_leanings().format(), link, "raters")
    return Flag(told[0], link, "raters")


def _misfit(answer: Answer) -> Flag | None:
    """That the ratings do not look like what the model makes."""
    test, side = answer.side.goodness, answer.side
    if test is None or test.p_bootstrap >= misfit.level(side) or misfit.contradicted(side):
        return None
    text = _("The {ratings} do not look like what the model makes: read with care.").format()
    return Flag(text, _("See where"), "model")


def _few(answer: Answer) -> Flag | None:
    """That there are few cases, or few ratings of the rarest class."""
    text = fit_words.caution(answer.fit, answer.ratings)
    return Flag(text, _("See what these data tell"), "words") if text else None
