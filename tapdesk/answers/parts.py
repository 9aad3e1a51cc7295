"""The catalog of parts: all that can be said about an answer, in the order of the window."""

from tapdesk.answers.cases import CASES, CATEGORIES
from tapdesk.answers.coefficients import COEFFICIENTS, PAIRS, READINGS
from tapdesk.answers.cut_points import LINES
from tapdesk.answers.part import Part
from tapdesk.answers.raters import RATERS
from tapdesk.language import gettext as _

PARTS: tuple[Part, ...] = (
    Part(
        "model",
        "results",
        _("Does the model look like the data?"),
        _(
            "Dots are your ratings: how many cases got how many answers of one kind. The coloured line is what the "
            "model expects, the grey bars how far luck moves the dots. Where dots lie on the line, the model "
            "describes these ratings well. The dashed line is what raters would do who know nothing. A good picture "
            "does not prove that the model is true."
        ),
    ),
    Part(
        "movement",
        "results",
        _("How far would the numbers move?"),
        _(
            "The same analysis was done again on many re-drawn sets of cases, or many values were drawn from what can "
            "be believed. Each row shows where a number came to lie: half of the time in the dark band, 95 times in "
            "100 in the light one. A wide row is a number that other cases might have made quite different."
        ),
    ),
    Part(
        "words",
        "results",
        _("What can these data tell?"),
        _(
            "Whether the search for the best answer has ended well, whether data of this shape can tell the numbers "
            "apart at all, and what each number means in a sentence."
        ),
    ),
    Part(
        "chance",
        "results",
        _("Could this be chance?"),
        _(
            "Many panels were simulated whose ratings have nothing to do with the case. The bars show how informed "
            "they look, the line shows your panel. Where the line stands beyond the bars, luck alone does not make "
            "such ratings."
        ),
    ),
    Part(
        "search",
        "model",
        _("Did the search settle?"),
        _(
            "The search begins at many places. Where all lines meet at the same height, they have found the same "
            "answer; lines that stop lower have stopped at a poorer one. Of drawn values, the lines of all chains "
            "should cover each other."
        ),
    ),
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
