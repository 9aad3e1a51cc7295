"""Sections: the raters one by one, and the cases and classes that were hard."""

import numpy as np
from numpy.typing import NDArray

from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.report.beliefs import Beliefs
from tapdesk.report.figure import Figure, Role
from tapdesk.report.figures import classes as figures_classes
from tapdesk.report.figures import raters as figures_raters
from tapdesk.report.figures.raters import MOST_SURPRISES, surprised, surprises_needs
from tapdesk.report.report import Block, Heading, Paragraph, Picture, Section, Voice
from tapdesk.report.sections.context import Context
from tapdesk.report.tables import checks as tables_checks
from tapdesk.report.tables import studies as tables_studies
from tapdesk.report.words import checks as words_checks
from tapdesk.report.words import fit as words
from tapdesk.report.words.left_open import no_beliefs
from tapdesk.report.words.nouns import Nouns
from tapdesk.studies.raters import surprises

MOST_CASES = 12
DISCUSS = 0.9
_TIE = 1e-9


def raters(context: Context) -> Section | None:
    """Accuracy of each rater, and pairs who agree more or less than they should."""
    ratings, extras, nouns = context.ratings, context.extras, context.nouns
    if ratings is None or not ratings.raters_known or len(ratings.raters) < 2:
        return None
    blocks: list[Block] = []
    fit = extras.by_rater
    if fit is not None:
        blocks.append(Paragraph(_opening(context)))
        figure = figures_raters.raters(fit, context.style, nouns, _panel(context))
        blocks.append(
            Picture(
                figure.title,
                (figure,),
                figure.note,
                height=50.0 + (25.0 if len(figure.y.ticks) < 13 else 17.0) * max(len(figure.y.ticks), 1),
            )
        )
        blocks.append(tables_studies.by_rater(fit, ratings, extras.without, context.style, nouns))
    elif "by_rater" in extras.reasons:
        blocks.append(Paragraph(extras.reasons["by_rater"], Voice.WARNING, _("No accuracy of single raters.")))
    if extras.independence is not None:
        voice = Voice.WARNING if extras.independence.flagged.any() else Voice.BODY
        blocks.append(Paragraph(words_checks.together(extras.independence), voice, _("Independence.")))
    if not blocks:
        return None
    return Section("raters", _("The raters"), (*blocks, *context.comment("raters")))


def _panel(context: Context) -> Estimate | None:
    main = context.main
    if main is None or not any(str(e.name) == "a" for e in main.fit.estimates):
        return None
    return main.fit.estimate("a")


def _opening(context: Context) -> str:
    nouns = context.nouns
    called = _(" {raters} are called by codes; the key is not in this report.").format(raters=_upper(nouns.raters))
    return _(
        "The accuracy of a {rater} is how often their {ratings} follow the {subject} itself, as far as the shared "
        "pattern of the whole panel can tell. It says nothing about who is right where the panel as a whole is "
        "wrong.{called}"
    ).format(
        rater=nouns.rater,
        ratings=nouns.ratings,
        subject=nouns.subject,
        called=called if context.names.codes else "",
    )


def believed(context: Context) -> Beliefs | None:
    """What is believed about single cases; None where the accuracy behind it is too unsure for that."""
    found, main, test, ratings = context.extras.beliefs, context.main, context.extras.chance, context.ratings
    if found is None or main is None or ratings is None or (test is not None and not test.more_than_chance):
        return None
    if words.too_wide(main.fit) or found.probability.shape != (len(ratings.subjects), len(ratings.classes)):
        return None
    return found


def cases(context: Context) -> Section | None:
    """The cases to discuss, and the classes that are confused with each other."""
    ratings, extras, nouns = context.ratings, context.extras, context.nouns
    if ratings is None or not ratings.subject.size:
        return None
    blocks: list[Block] = []
    found = believed(context)
    if found is not None:
        sure = found.probability.max(axis=1)
        least = int(np.count_nonzero(sure < DISCUSS))
        told = f"{sure_of(found, ratings, nouns)} {_listed(sure, least, nouns) if least else ''}".strip()
        blocks.append(Paragraph(told))
        if least:
            blocks.append(tables_studies.least_certain(ratings, found, min(MOST_CASES, least), nouns))
    elif context.main is not None:
        fit = context.main.fit if context.main is not None else None
        blocks.append(Paragraph(no_beliefs(fit, extras.chance, nouns)))
    main = context.main
    if found is not None and main is not None and surprises_needs(main.fit, ratings) is None:
        surprise = surprised(main.fit, ratings, context.style, nouns)
        if any(mark.role is Role.SINGLED_OUT for mark in surprise.marks):
            blocks.append(Picture(surprise.title, (surprise,), surprise.note, height=_high(surprise)))
            odd = surprises(ratings, main.fit, MOST_SURPRISES)
            told_ratings = [(int(at), float(p)) for at, p in zip(odd.rating, odd.probability, strict=True)]
            blocks.append(tables_checks.surprising(told_ratings, ratings, nouns))
    shown = ratings if extras.every_class is None else extras.every_class
    figure = figures_classes.confusion(shown, nouns)
    if figure is not None:
        blocks.append(Heading(_("Classes confused with each other")))
        blocks.append(Picture(figure.title, (figure,), figure.note, height=56.0 + 34.0 * len(shown.classes)))
    if extras.pairs is not None and len(extras.pairs.pairs) > 1:
        pairs = figures_classes.paired(extras.pairs, shown, context.style)
        blocks.append(Picture(pairs.title, (pairs,), pairs.note, height=_high(pairs)))
        blocks.append(tables_studies.class_pairs(extras.pairs, context.style, nouns))
    elif "pairs" in extras.reasons:
        untold = _("How well every two classes are told apart is not reported. {why}")
        blocks.append(Paragraph(untold.format(why=extras.reasons["pairs"])))
    return Section("cases", _("Cases and classes"), (*blocks, *context.comment("cases"))) if blocks else None


def _high(figure: Figure) -> float:
    """How high a picture of rows is."""
    return 50.0 + 21.0 * max(len(figure.y.ticks), 2)


def sure_of(found: Beliefs, ratings: Ratings, nouns: Nouns) -> str:
    """Of how many cases the panel is less than 90 % sure."""
    unsure = int(ratings.subject_weights()[found.probability.max(axis=1) < DISCUSS].sum())
    if not unsure:
        return _("Of each of the {n} {subjects} the panel is at least 90 % sure, if the model holds.").format(
            n=numbers.count(ratings.subject_count), subjects=nouns.subjects
        )
    return _("The panel is less than 90 % sure of {unsure} of the {n} {subjects}.").format(
        unsure=numbers.count(unsure), n=numbers.count(ratings.subject_count), subjects=nouns.subjects
    )


def _listed(sure: NDArray[np.float64], least: int, nouns: Nouns) -> str:
    if least > MOST_CASES:
        told = _(
            "The table lists the {n} least certain {subjects}, the least certain first: they are worth discussing."
        )
        last = float(np.sort(sure)[MOST_CASES - 1])
        alike = int(np.count_nonzero(sure <= last + _TIE)) - MOST_CASES
        if alike:
            told = ngettext(
                "The table lists {n} of the least certain {subjects}; {alike} more is as uncertain as its last one.",
                "The table lists {n} of the least certain {subjects}; {alike} more are as uncertain as its last one.",
                alike,
            )
        return told.format(n=numbers.count(MOST_CASES), subjects=nouns.subjects, alike=numbers.count(alike))
    return _("The table lists the least certain {subjects} first: they are the ones worth discussing.").format(
        subjects=nouns.subjects
    )


def _upper(word: str) -> str:
    return word[:1].upper() + word[1:]
