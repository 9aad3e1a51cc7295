"""Pictures of the catalog that are printed where they are asked for: each with its question, or why it cannot be drawn.

They stand in one part, because each is one figure of an answer and nothing is said of it that its title does not say.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tapdesk.answers.content import Block, Heading, Paragraph, Picture
from tapdesk.answers.demands import demand
from tapdesk.answers.figure import Figure
from tapdesk.answers.figure_style import restyled
from tapdesk.answers.part import About, Answer, Content, Missing, Part, not_found
from tapdesk.answers.side_results import Basis
from tapdesk.errors import CannotAnswerError
from tapdesk.language import gettext as _
from tapdesk.language import say
from tapdesk.progress import Run, Step

# These look at all classes, also where the fit tells one side from the other.
OF_ALL = frozenset({"scan", "class_pairs"})
Drawn = tuple[Figure, ...] | str | None
"""The panels of a picture that is a study, or why there are none; None for one that is drawn of the answer at once."""


def _pictures_study(basis: Basis) -> Run[Mapping[str, Drawn]]:
    """What takes time of the pictures that are asked for, by their names."""
    # Late: pictures of every kind are not needed before one is asked for.
    from tapdesk.answers.figures.catalog import FIGURES, made

    rows = {row.kind: row for row in FIGURES}
    found: dict[str, Drawn] = {}
    wanted = [kind for kind in basis.wanted.selection.columns("pictures") if kind in rows]
    for done, kind in enumerate(wanted):
        yield Step(done, len(wanted), "figure")
        found[kind] = None
        if rows[kind].run is not None:
            try:
                ratings = basis.every if kind in OF_ALL else basis.ratings
                found[kind] = yield from made(kind, basis.answer, ratings, basis.wanted.direction)
            except CannotAnswerError as error:
                found[kind] = error.what
    return MappingProxyType(found)


def pictures_content(answer: Answer) -> Content | Missing | None:
    """The pictures, in the order they were asked for."""
    found = answer.side.on_demand.get("pictures")
    if not found or answer.result is None:
        return not_found(answer, "pictures")
    blocks: list[Block] = []
    for kind, drawn in found.items():
        blocks += _blocks(kind, drawn, answer)
    return Content(tuple(blocks))


def _blocks(kind: str, drawn: Any, answer: Answer) -> list[Block]:
    """One picture under its question; one that is drawn at once calls raters as this answer does."""
    from tapdesk.answers.figures.catalog import picture

    row = picture(kind)
    reason = drawn if isinstance(drawn, str) else None
    if drawn is None:
        ratings = answer.every if kind in OF_ALL else answer.ratings
        reason = row.needs(answer.fit, ratings)
        drawn = row.draw(answer.fit, ratings) if reason is None else ()
    if reason is not None:
        return [Heading(row.title), Paragraph(say(reason))]
    panels = tuple(restyled(panel, answer.style) for panel in drawn)
    high = 0.85 * max(panel.height for panel in panels)
    return [Heading(row.title), Picture.of_panels(row.title, panels, high, row.columns)]


PICTURES = Part(
    "pictures",
    "pictures",
    _("More pictures"),
    _("Pictures of this answer and these {ratings} that were asked for, each under the question it answers."),
    pictures_content,
    uses=("pictures",),
    about=About.RATINGS,
    headed=False,
    demand=demand("pictures"),
    study=_pictures_study,
    block="more",
)
