"""The worlds: designs, truths and what breaks the model, one row each."""

from tapdesk.worlds.world import World

_HALF = ((0.5, 0.5),)
_FAIR3, _FAIR5 = (0.5, 0.3, 0.2), (0.2,) * 5
_AGES = (25.0, 30.0, 36.0, 41.0, 47.0, 52.0, 58.0, 64.0)


def _grades(count: int) -> tuple[float, ...]:
    return (1 / count,) * count


AS_MODELLED: tuple[World, ...] = (
    World("model-10x5", "Few cases, five raters.", 10, 5),
    World("model-30x3", "Thirty cases, three raters.", 30, 3),
    World("model-30x5", "Thirty cases, five raters.", 30, 5),
    World("model-100x3", "A hundred cases, three raters.", 100, 3),
    World("model-100x5", "A hundred cases, five raters.", 100, 5),
    World("model-200x5", "Two hundred cases, five raters.", 200, 5),
    World("model-300x3", "Three hundred cases, three raters.", 300, 3),
    World("model-200x5-low", "Low accuracy.", 200, 5, accuracy=(0.3,)),
    World("model-100x4-high", "High accuracy.", 100, 4, accuracy=(0.95,)),
    World("model-50x3-all-but-sure", "Raters who hardly ever differ.", 50, 3, accuracy=(0.99,), guessing=_HALF),
    World("model-100x3-sure", "Accuracy .98, truth .3.", 100, 3, (0.7, 0.3), (0.98,), ((0.7, 0.3),)),
    World("model-100x5-rare", "The second class is rare.", 100, 5, (0.95, 0.05), (0.7,), _HALF),
    World("model-200x5-leaning", "Guesses fall elsewhere than the truth.", 200, 5, (0.5, 0.5), (0.6,), ((0.9, 0.1),)),
    World("model-100x4-gaps", "Two ratings of five are missing.", 100, 4, missing=0.4),
    World("model-100x4-seats", "Nobody knows who gave which rating.", 100, 4, named=False),
    World("model-60x12", "Twelve raters who are alike.", 60, 12),
    World("model-80x8", "Eight raters who are alike.", 80, 8, accuracy=(0.7,)),
    World("model-150x4-three", "Three classes.", 150, 4, _FAIR3, (0.6,), (_FAIR3,)),
    World("model-200x4-five", "Five classes without guesses that favour one.", 200, 4, _FAIR5, (0.5,), (_FAIR5,)),
    World(
        "two-100-as-truth", "Two raters whose guesses fall like the truth.", 100, 2, (0.7, 0.3), (0.6,), ((0.7, 0.3),)
    ),
    World("two-1000-rare", "Two raters, a rare class, guesses half and half.", 1000, 2, (0.95, 0.05), (0.7,), _HALF),
    World(
        "two-1000-leaning",
        "Two raters whose guesses hardly ever say yes.",
        1000,
        2,
        (0.5, 0.5),
        (0.7,),
        ((0.95, 0.05),),
    ),
    World("two-30", "Two raters, thirty cases.", 30, 2),
    World("two-200-three", "Two raters, three classes.", 200, 2, _FAIR3, (0.6,), (_FAIR3,)),
)
CHANCE: tuple[World, ...] = (
    World("chance-100x3", "Nobody knows anything; three raters.", 100, 3, accuracy=(0.0,)),
    World("chance-60x5", "Nobody knows anything; five raters.", 60, 5, accuracy=(0.0,)),
    World(
        "chance-60x6-three",
        "Nobody knows anything; three classes, gaps.",
        60,
        6,
        _FAIR3,
        (0.0,),
        (_FAIR3,),
        missing=0.4,
    ),
    World(
        "chance-100x5-leanings", "Nobody knows anything, and guesses of every rater fall differently.", 100, 5,
        accuracy=(0.0,), guessing=((0.9, 0.1), (0.1, 0.9), (0.5, 0.5), (0.7, 0.3), (0.3, 0.7)),
    ),
)  # fmt: skip
RATERS: tuple[World, ...] = (
    World("raters-200x5-split", "Two who know, three who hardly do.", 200, 5, accuracy=(0.95, 0.9, 0.2, 0.1, 0.0)),
    World("raters-200x5-ladder", "Five accuracies from .9 to .2.", 200, 5, accuracy=(0.9, 0.8, 0.6, 0.3, 0.2)),
    World("raters-30x4-ladder", "Four accuracies, thirty cases.", 30, 4, accuracy=(0.8, 0.6, 0.4, 0.2)),
    World("raters-100x3-ladder", "Three raters of three accuracies.", 100, 3, accuracy=(0.9, 0.6, 0.3)),
    World("raters-150x12-one-apart", "One of twelve knows little.", 150, 12, accuracy=(*(0.75,) * 11, 0.1)),
    World("raters-200x6-one-apart", "One of six knows little.", 200, 6, accuracy=(*(0.75,) * 5, 0.2)),
    World("raters-100x5-one-apart", "One of five knows little.", 100, 5, accuracy=(*(0.75,) * 4, 0.1)),
    World("raters-60x5-one-apart", "One of five knows little, sixty cases.", 60, 5, accuracy=(*(0.75,) * 4, 0.1)),
    World(
        "raters-200x4-constant", "One of four always says no.", 200, 4, accuracy=(0.8, 0.8, 0.8, 0.0),
        guessing=((0.6, 0.4), (0.6, 0.4), (0.6, 0.4), (1.0, 0.0)),
    ),
    World(
        "leanings-100x5", "Guesses of every rater fall differently.", 100, 5,
        guessing=((0.9, 0.1), (0.1, 0.9), (0.5, 0.5), (0.7, 0.3), (0.3, 0.7)),
    ),
    World(
        "leanings-200x5", "The same with two hundred cases.", 200, 5,
        guessing=((0.9, 0.1), (0.1, 0.9), (0.5, 0.5), (0.7, 0.3), (0.3, 0.7)),
    ),
    World(
        "raters-200x4-both", "Accuracy and guesses differ.", 200, 4, accuracy=(0.9, 0.7, 0.5, 0.3),
        guessing=((0.8, 0.2), (0.5, 0.5), (0.2, 0.8), (0.6, 0.4)),
    ),
)  # fmt: skip
TURNED: tuple[World, ...] = (
    World("turned-200x5-two", "Two of five use the scale the other way round.", 200, 5, accuracy=(0.7,), turned=2),
    World("turned-200x4-one", "One of four uses the scale the other way round.", 200, 4, accuracy=(0.7,), turned=1),
    World("turned-100x3-one", "One of three does.", 100, 3, accuracy=(0.8,), turned=1),
    World("turned-300x6-two", "Two of six do, and nobody knows very much.", 300, 6, accuracy=(0.5,), turned=2),
    World("camp-200x6", "Three of six judge something else.", 200, 6, accuracy=(0.8,), camp=3),
    World("camp-200x5", "Two of five judge something else.", 200, 5, accuracy=(0.8,), camp=2),
)
CASES: tuple[World, ...] = (
    World("spread-200x5-1", "Cases differ in difficulty, sd 1.", 200, 5, (0.5, 0.5), (0.6,), _HALF, spread=1.0),
    World("spread-200x5-15", "Cases differ in difficulty, sd 1.5.", 200, 5, (0.5, 0.5), (0.6,), _HALF, spread=1.5),
    World("spread-200x5-2", "Cases differ in difficulty, sd 2.", 200, 5, (0.5, 0.5), (0.6,), _HALF, spread=2.0),
    World("spread-100x5-15", "The same with a hundred cases, sd 1.5.", 100, 5, (0.5, 0.5), (0.6,), _HALF, spread=1.5),
    World("spread-300x3-15", "Three raters, sd 1.5.", 300, 3, (0.5, 0.5), (0.6,), _HALF, spread=1.5),
    World("hard-200x5", "Everyone guesses on two cases of five.", 200, 5, (0.5, 0.5), (1.0,), _HALF, hard=0.4),
    World("hard-300x3", "The same with three raters.", 300, 3, (0.5, 0.5), (1.0,), _HALF, hard=0.4),
    World("hard-100x5", "Everyone guesses on one case of five.", 100, 5, (0.5, 0.5), (0.8,), _HALF, hard=0.2),
    World("varied-200x5", "Every case has an accuracy of its own.", 200, 5, (0.5, 0.5), guessing=_HALF, varied=True),
    World("drift-200x5", "Accuracy .9 in the first half, .2 in the second.", 200, 5, accuracy=(0.9,), later=0.2),
    World("lookalike-200x5", "A fifth of the no look like a yes to all.", 200, 5, lookalike=0.2),
)
TOGETHER: tuple[World, ...] = (
    World("copy-200x5", "The second rater copies the first in half of the cases.", 200, 5, copied=0.5),
    World("copy-300x3", "The same in seven cases of ten, three raters.", 300, 3, copied=0.7),
    World("herd-200x5", "All copy the first in three cases of ten.", 200, 5, accuracy=(0.4,), herd=0.3),
    World("herd-200x3", "All copy the first in half of the cases, three raters.", 200, 3, accuracy=(0.4,), herd=0.5),
)
CLASSES: tuple[World, ...] = (
    World("classes-200x5-three", "Accuracies .9, .5 and .2 of three classes.", 200, 5, (1 / 3,) * 3,
          guessing=((1 / 3,) * 3,), by_class=(0.9, 0.5, 0.2)),
    World("classes-200x5-two", "Accuracies .3 and .9 of two classes.", 200, 5, by_class=(0.3, 0.9)),
    World("classes-300x4-two", "Accuracies .5 and .8 of two classes.", 300, 4, by_class=(0.5, 0.8)),
    World("near-150x4-five", "Five grades, errors to the neighbour.", 150, 4, _grades(5), near=0.7),
    World("near-200x5-five", "Five grades, small errors.", 200, 5, _grades(5), near=0.4),
    World("near-150x4-ten", "Ten grades, errors of a grade.", 150, 4, _grades(10), near=0.8),
    World("near-150x5-three", "Three grades, errors to the neighbour.", 150, 5, _grades(3), near=0.6),
)  # fmt: skip
AGES: tuple[World, ...] = (
    World("ages-150x8-none", "Eight raters who are alike, of eight ages.", 150, 8, ages=_AGES),
    World("ages-150x8-half", "They differ, but not with age; sd .5.", 150, 8, ages=_AGES, uneven=0.5),
    World("ages-150x8-one", "They differ more, but not with age; sd 1.", 150, 8, ages=_AGES, uneven=1.0),
    World("ages-150x8-slope", "Accuracy rises with age.", 150, 8, ages=_AGES, slope=0.08),
)
WORLDS: tuple[World, ...] = (
    *AS_MODELLED, *CHANCE, *RATERS, *TURNED, *CASES, *TOGETHER, *CLASSES, *AGES,
)  # fmt: skip
"""Every world, in the order of the table in the help."""


def world(key: str) -> World:
    """The world of a key.

    Raises
    ------
    KeyError
        When there is none.
    """
    return {row.key: row for row in WORLDS}[key]
