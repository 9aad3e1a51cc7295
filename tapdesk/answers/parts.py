"""The catalog of parts: all that can be said about an answer, in the order of the window."""

from tapdesk.answers.cases import CASES, CATEGORIES
from tapdesk.answers.coefficients import COEFFICIENTS, PAIRS, READINGS
from tapdesk.answers.cut_points import LINES
from tapdesk.answers.fit_parts import CHANCE, MODEL, MOVEMENT, SEARCH, WORDS
from tapdesk.answers.part import Part
from tapdesk.answers.raters import RATERS
from tapdesk.language import gettext as _

PARTS: tuple[Part, ...] = (
    MODEL,
    MOVEMENT,
    WORDS,
    CHANCE,
    SEARCH,
    COEFFICIENTS,
    READINGS,
    PAIRS,
    RATERS,
    CASES,
    CATEGORIES,
    LINES,
    Part(
        "groups",
        "results",
        _("Is it the same in every group?"),
        _(
            "The same analysis by itself in every group of a further column, such as the ward or the "
            "year. Groups whose "
            "intervals meet may well be alike; the more groups there are, the sooner one of them looks "
            "different by luck."
        ),
        on_demand=True,
    ),
    Part(
        "models",
        "results",
        _("Would another model say otherwise?"),
        _(
            "Every other way these ratings can be understood, each with its accuracy, and whether what a simpler one "
            "leaves out is needed. If all of them say nearly the same, the answer above does not depend "
            "on the way it was found."
        ),
        on_demand=True,
    ),
    Part(
        "of_size",
        "results",
        _("What could a study of this size find?"),
        _(
            "Ratings are made up many times for a study as large as yours, with numbers that are known then. What is "
            "found of them shows what a study of this size can find at all, whatever your own ratings say."
        ),
        on_demand=True,
    ),
    Part(
        "more",
        "results",
        _("More pictures of these results"),
        _(
            "More questions to the same results. Each picture is drawn from this answer and these "
            "ratings when it is asked "
            "for; those that simulate take a while, and can be stopped and gone on with."
        ),
        on_demand=True,
    ),
)
"""Their keys stand in the notes of projects."""


def part(key: str) -> Part:
    """The part with this key."""
    return next(row for row in PARTS if row.key == key)
