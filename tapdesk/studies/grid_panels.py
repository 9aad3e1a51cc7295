"""Panels of every model of the grid with known numbers, on designs that tell these: what long studies draw from."""

from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, design
from tapdesk.models.model import GRID_MODELS, Accuracy, Cases, Key, Ordered, RaterModel, Truth, model
from tapdesk.models.parameters import FloatArray, Parameters
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings

COLUMN, KEY = "part", "key"
"""What the columns of groups or occasions, and of known answers, are called."""
KNOWN = "t-aj-pj, known answers"
"""Two raters who are told apart by known answers alone."""
MEMBERS: tuple[str, ...] = (*(row.name for row in GRID_MODELS), KNOWN)
_RATERS, _CASE_RATERS, _ORDERED_RATERS = 5, 8, 4
_TRUTHS, _ACCURACIES, _GUESSES = (0.3, 0.6), (0.8, 0.5), (0.3, 0.6)
_TRUTH, _ACCURACY, _GUESS = 0.4, 0.7, 0.4
_SPREAD = {Cases.HARD: 0.3, Cases.ACCURACY: 0.3, Cases.MISLEADING: 0.4, Cases.DIFFICULTY: 0.15}
_NEAR, _MEMORY = 0.4, 0.3
_DISCRIMINATIONS, _LEAN = (2.0, 3.0), 0.4
_EVERY_KNOWN, _EVERY_TWICE = 3, 4


@dataclass(frozen=True, eq=False)
class GridPanel:
    """A model with its numbers on a design.

    Attributes
    ----------
    blank
        The design: who rated what, and the columns the model needs; its ratings mean nothing.
    model
        With the columns it names.
    point
        The numbers.
    """

    blank: Ratings
    model: RaterModel
    point: Parameters


def grid_panel(name: str, subjects: int) -> GridPanel:
    """The panel of a member of the grid.

    Parameters
    ----------
    name
        One of `MEMBERS`.
    subjects
        How many cases.

    Raises
    ------
    UsageError
        When there is no such member.
    """
    if name not in MEMBERS:
        raise UsageError(
            _("There are no panels of the model '{name}'.").format(name=name),
            fix=_("The models are: {known}.").format(known=", ".join(MEMBERS)),
        )
    if name == KNOWN:
        row = replace(model("t-aj-pj"), key=Key.CERTAIN)
        return GridPanel(blank := blank_panel(subjects, 2, known=True), row, point_on(design(row, blank)))
    row = model(name, GRID_MODELS)
    row = replace(row, groups=COLUMN if row.by_group else "", occasions=COLUMN if row.memory else "")
    if row.ordered is not Ordered.NONE:
        blank = blank_panel(subjects, _ORDERED_RATERS, 3)
    elif row.near:
        blank = blank_panel(subjects, _RATERS, 4)
    elif row.memory:
        blank = blank_panel(subjects, _ORDERED_RATERS, again=subjects // _EVERY_TWICE)
    else:
        raters = _CASE_RATERS if row.cases not in {Cases.ALIKE, Cases.DIFFICULTY} else _RATERS
        blank = blank_panel(subjects, raters, groups=row.by_group)
    return GridPanel(blank, row, point_on(design(row, blank)))


def blank_panel(
    subjects: int, raters: int, classes: int = 2, *, groups: bool = False, again: int = 0, known: bool = False
) -> Ratings:
    """A complete design: every rater rates every case, some of them twice.

    Parameters
    ----------
    subjects, raters, classes
        How many.
    groups
        Whether the cases are of two groups, in turn.
    again
        How many cases every rater rates on two occasions.
    known
        Whether the class of every third case is known: each class in turn.
    """
    times = np.where(np.arange(subjects) < again, 2, 1)
    subject = np.repeat(np.arange(subjects), times * raters)
    rater = np.concatenate([np.repeat(np.arange(raters), n) for n in times.tolist()])
    columns = {}
    labels = ("no", "yes") if classes == 2 else tuple(str(k + 1) for k in range(classes))
    if groups:
        names = np.array(["one", "two"], dtype=object)[np.arange(subjects) % 2]
        columns[COLUMN] = Covariate(COLUMN, CovariateOf.SUBJECT, names)
    if again:
        turn = np.concatenate([np.tile(np.arange(1, n + 1), raters) for n in times.tolist()])
        columns[COLUMN] = Covariate(COLUMN, CovariateOf.RATING, turn.astype(object))
    if known:
        texts = [labels[i // _EVERY_KNOWN % classes] if i % _EVERY_KNOWN == 0 else "" for i in range(subjects)]
        columns[KEY] = Covariate(KEY, CovariateOf.SUBJECT, np.array(texts, dtype=object))
    return Ratings.of(
        subject,
        rater,
        np.arange(subject.size) % classes,
        [f"S{i + 1}" for i in range(subjects)],
        [f"R{j + 1}" for j in range(raters)],
        labels,
        covariates=MappingProxyType(columns),
        known=KEY if known else "",
        ordered=classes > 2,
    )


def point_on(
    plan: Design,
    truth: FloatArray | float | None = None,
    accuracy: FloatArray | float | None = None,
    spread: FloatArray | float | None = None,
) -> Parameters:
    """Numbers of a model on a design: what it tells apart differs, as far as nothing else is asked for.

    Parameters
    ----------
    plan
        The design.
    truth
        The share of the last class, shape () or (G,); of more than two classes the others share the rest.
    accuracy
        Shape () or (U,).
    spread
        Shape () or (M,): how much cases differ, how often answers are copied, or misses fall near.
    """
    space, row = plan.space, plan.space.model
    groups = space.groups if row.truth.by_group else 1
    last = _along(_TRUTHS, groups, _TRUTH) if truth is None else np.broadcast_to(truth, (groups,))
    others = np.repeat((1 - last[:, None]) / (space.classes - 1), space.classes - 1, axis=1)
    rates = np.concatenate([others, last[:, None]], axis=1)
    units = space.guessing_shape[0] if row.accuracy is Accuracy.NONE else space.accuracy_shape[0]
    skill = _along(_ACCURACIES, units, _ACCURACY) if accuracy is None else np.broadcast_to(accuracy, (units,))
    guess = _along(_GUESSES, space.guessing_shape[0], _GUESS)[:, None, None]
    others = (1 - guess) / (space.classes - 1)
    guesses = np.concatenate([*[others] * (space.classes - 1), guess], axis=2)
    given = rates[None] if row.truth is Truth.PER_GROUP else rates[:1]
    stack = space.point(given, skill[None, :, None], guesses[None])
    if space.ordered is not None:
        d = _along(_DISCRIMINATIONS, space.ordered.discriminations, float(np.mean(_DISCRIMINATIONS)))
        lean = _along((-_LEAN, _LEAN), space.ordered.sets, 0.0)
        own = np.broadcast_to(d, (space.ordered.sets,)) if d.size in {1, space.ordered.sets} else d[:1]
        cuts = own[:, None] * (np.arange(space.classes - 1) + 0.5) + lean[:, None]
        stack = space.follow(replace(stack, slopes=space.ordered.joined(d[None], cuts[None])))
    usual = _MEMORY if row.memory else _NEAR if row.near else _SPREAD.get(row.cases, 0.0)
    wide = usual if spread is None else spread
    return replace(stack.one(0), spread=np.broadcast_to(wide, (space.spreads,)).astype(float))


def _along(ends: tuple[float, float], count: int, alone: float) -> FloatArray:
    """Shape (count,): values from one end to the other; the middle one where there is only one."""
    return np.linspace(*ends, count) if count > 1 else np.array([alone])
