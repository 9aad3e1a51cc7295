"""What the technical annex prints of each part, so that it has ten pages with the brief; the rest goes to the appendix.

One subject stands once: a picture or its table, whose numbers a workbook holds. A part without a row here is printed as
it is.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum
from typing import TypeAlias

from tapdesk.agreement.coefficients import Coefficient
from tapdesk.answers import award_brief, brief
from tapdesk.answers.charts import MOST_ROWS
from tapdesk.answers.coefficients import COEFFICIENTS, SCALES, benchmarks, coefficients, pairs_of_raters, plain
from tapdesk.answers.content import Block, Paragraph, Picture, Table, Tone
from tapdesk.answers.figures.ruler import least_height, ruler, ruler_needs
from tapdesk.answers.fit_parts import stale, what_data_tell
from tapdesk.answers.parameters import parameter_rows
from tapdesk.answers.part import Answer, Content, Missing, Part
from tapdesk.answers.question import awarded, question_of
from tapdesk.answers.raters import fit_by_rater, panel_accuracy
from tapdesk.language import gettext as _
from tapdesk.report.report import Form


class Kept(Enum):
    """What of a part stands in the annex."""

    ALL = "everything"
    PICTURES = "sentences and pictures, and of what is not drawn the table"
    TABLES = "sentences and tables"
    SENTENCES = "sentences"
    NOTHING = "nothing: it stands in the appendix"


Short: TypeAlias = Callable[[Answer], Content | Missing | None]
# Rows of coefficients in the one table of the annex.
_ASKED = (
    *("percent_agreement", "specific_agreement", "cohen_kappa", "fleiss_kappa", "gwet_ac", "krippendorff_alpha"),
    *("brennan_prediger", "icc_a1", "kendall_w"),
)
_MOST_CLASSES = 5
# Pictures of so many panels are drawn lower.
_MANY, _LOWER = 3, 0.75
_TALL, _DENSER = 300, 0.82


def asked_for(every: Sequence[Coefficient], classes: int) -> tuple[Coefficient, ...]:
    """The coefficients that readers of journals ask for; all others stand in the appendix.

    Parameters
    ----------
    every
        All that were worked out.
    classes
        How many classes there are: of many the agreement on each is left to the appendix.
    """
    pair = pairs_of_raters(every)
    named = [c for c in plain(every) if c.name in _ASKED and c.metric in {None, "nominal", "interval"}]
    if classes > _MOST_CLASSES:
        named = [c for c in named if c.category is None]
    weighed = [c for c in every if c.raters is None and c.weights == "quadratic" and c.name == "fleiss_kappa"]
    shown = (*named, *(pair if len(pair) == 1 else ()), *weighed)
    return tuple(c for c in shown if c.estimate.value is not None)


def short_coefficients(answer: Answer) -> Content | Missing | None:
    """One table of coefficients; where none is defined, why."""
    every = answer.side.coefficients
    shown = asked_for(every, len(answer.ratings.classes))
    if not shown:
        # The whole table says why none has a value.
        return COEFFICIENTS.content(answer)
    words = benchmarks(every, answer.style, SCALES[answer.scale]) if answer.scale in SCALES else None
    return Content((coefficients(shown, answer.style), *(() if words is None else (words,))))


def short_cases(answer: Answer) -> Content | Missing | None:
    """Every case to discuss, those with the same ratings in one row: what the brief begins goes on here."""
    if answer.result is None or not answer.ratings.subject.size:
        return None
    return Content(brief.cases_blocks(answer, whole=False))


def ruled(content: Content, answer: Answer) -> Content | None:
    """What is said of the raters, with raters and cases on one ruler; None where there is none, or no room for all."""
    fit = fit_by_rater(answer)
    if len(answer.ratings.raters) > MOST_ROWS:
        return None
    if fit is None or answer.side.pooled is not None or ruler_needs(fit, answer.ratings) is not None:
        return None
    figure = ruler(fit, answer.ratings, answer.style, panel_accuracy(answer))
    drawn = Picture(figure.title, (figure,), figure.note, height=max(_LOWER * figure.height, least_height(figure)))
    return replace(content, blocks=tuple(drawn if isinstance(b, Picture) else b for b in content.blocks))


def remarks_on_estimates(answer: Answer) -> Content | Missing | None:
    """What to keep in mind of the numbers, without those that stand in their table."""
    read = {symbol for symbol, _sentence in parameter_rows(answer.fit)}
    kept = [Paragraph(words, tone, about) for about, words, tone in what_data_tell(answer) if about not in read]
    first = [Paragraph(stale(answer), Tone.WARNING, _("Out of date."))] if answer.stale else []
    return Content((*first, *kept))


ANNEX: dict[str, Kept | Short] = {
    "paradox": Kept.PICTURES,
    "coefficients": short_coefficients,
    "pairs": Kept.PICTURES,
    "differ": Kept.NOTHING,
    "all_classes": Kept.NOTHING,
    "unanimity": Kept.SENTENCES,
    "ranks": Kept.TABLES,
    "sets": Kept.TABLES,
    "known": Kept.TABLES,
    "words": remarks_on_estimates,
    "estimates": Kept.TABLES,
    "model": Kept.PICTURES,
    "profile": Kept.NOTHING,
    "chance": Kept.SENTENCES,
    "raters": Kept.PICTURES,
    "curve": Kept.PICTURES,
    "consistency": Kept.PICTURES,
    "drift": Kept.PICTURES,
    "population": Kept.PICTURES,
    "severities": Kept.PICTURES,
    "cases": short_cases,
    "scores": Kept.PICTURES,
    "categories": Kept.PICTURES,
    "choices": Kept.PICTURES,
    "lines": Kept.SENTENCES,
    **dict.fromkeys(("calibration", "rater_calibration", "votes", "independence", "information"), Kept.NOTHING),
    **dict.fromkeys(("details", "movement", "search", "paper"), Kept.NOTHING),
}
"""By the key of a part."""
# What asks for one accuracy of all tells a committee nothing about its awards: it stands in the appendix.
_OF_ONE_ACCURACY = frozenset({"results", "raters", "cases", "sensitivity", "checks"})
_OF_MATCHES = frozenset({"pairs", "unanimity", "differ"})
# Behind a brief, whose first page has their picture.
_DRAWN_BEFORE = {"raters": Kept.TABLES}


def _kept_of(part: Part, answer: Answer) -> Kept | Short:
    """The row of a part; what answers the question that was asked is drawn in any case."""
    kept = ANNEX.get(part.key, Kept.ALL)
    if awarded(answer) is not None and (part.section in _OF_ONE_ACCURACY or part.key in _OF_MATCHES):
        return Kept.NOTHING
    question = None if answer.analysis is None else question_of(answer.analysis)
    asked = question is not None and part.key in question.parts
    return Kept.PICTURES if asked and kept in {Kept.SENTENCES, Kept.NOTHING} else kept


def in_annex(part: Part, answer: Answer, form: Form) -> Content | Missing | None:
    """What the annex prints of a part; None where it stands in the appendix alone, or the brief says it all."""
    kept = _kept_of(part, answer)
    if form is Form.BOTH:
        kept = _DRAWN_BEFORE.get(part.key, kept) if kept is not Kept.NOTHING else kept
        if kept is short_cases:
            further = brief.further_cases(answer)
            return Content(further) if further else None
    if kept is Kept.NOTHING:
        return None
    if not isinstance(kept, Kept):
        return kept(answer)
    content = part.content(answer)
    if content is None or isinstance(content, Missing):
        return content
    if part.key == "raters" and (one := ruled(content, answer)) is not None:
        content, kept = one, Kept.PICTURES
    more = _to_discuss(answer, form) if part.key == "awards" else ()
    return replace(content, blocks=(*_kept(content.blocks, kept), *more))


def _to_discuss(answer: Answer, form: Form) -> tuple[Block, ...]:
    """The entries to discuss where who wins was asked; behind a brief those that its second page may not hold."""
    result = awarded(answer)
    if result is None:
        return ()
    return (award_brief.further_blocks if form is Form.BOTH else award_brief.discuss_blocks)(result, answer)


def in_appendix(part: Part, answer: Answer) -> Content | Missing | None:
    """What of a part the annex leaves out; not the table of a picture, which is a workbook's."""
    kept = _kept_of(part, answer)
    if kept in {Kept.ALL, Kept.PICTURES, Kept.TABLES} or kept is remarks_on_estimates:
        return None
    content = part.content(answer)
    if content is None or isinstance(content, Missing) or kept is Kept.NOTHING or not isinstance(kept, Kept):
        # That nothing can be said is said in the annex.
        return None if isinstance(content, Missing) and kept is not Kept.NOTHING else content
    rest = tuple(block for block in content.blocks if not isinstance(block, Paragraph))
    return replace(content, blocks=rest) if rest else None


def _kept(blocks: Sequence[Block], kept: Kept) -> tuple[Block, ...]:
    """The blocks of the annex; sentences always stay."""
    pictures = any(isinstance(block, Picture) for block in blocks)
    drop: tuple[type, ...] = ()
    if kept is Kept.PICTURES and pictures:
        drop = (Table,)
    elif kept is Kept.TABLES:
        drop = (Picture,)
    elif kept is Kept.SENTENCES:
        drop = (Picture, Table)
    return tuple(_lower(block) for block in blocks if not isinstance(block, drop))


def _lower(block: Block) -> Block:
    """Pictures of many panels or many rows are lower than on a screen: they are compared, not read off."""
    if not isinstance(block, Picture):
        return block
    if len(block.panels) >= _MANY:
        return replace(block, height=_LOWER * block.height)
    return replace(block, height=_DENSER * block.height) if block.height > _TALL else block
