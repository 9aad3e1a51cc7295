"""A model is one choice of sharing for each of truth, accuracy and guessing; the named ones are here (models.md §2)."""

from dataclasses import dataclass
from enum import Enum, Flag
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _

ALIASES = {"t-a0a1-p": "t-ak-p", "t-ax-p": "t-a(x)-p"}


class Own(Flag):
    """What a part of a model has numbers of its own for; `NONE` where it has no free numbers at all."""

    ALL = 0
    RATER = 1
    CLASS = 2
    NONE = 4
    GROUP = 8


class Sharing(Enum):
    """Who shares the numbers of one part of a model.

    Space, reports, simulation and sampling ask for these facts, not for the names: a new choice is a row below (and, if
    it is held at something new, a line of `held`).

    Attributes
    ----------
    by_rater, by_class, by_group
        Whether each rater, each true class, each group has numbers of its own.
    free
        Whether its numbers are parameters themselves.
    """

    def __new__(cls, words: str, _own: Own = Own.ALL) -> Self:
        """A choice, by its words: project files hold them."""
        choice = object.__new__(cls)
        choice._value_ = words
        return choice

    def __init__(self, _words: str, own: Own = Own.ALL) -> None:
        self.by_rater, self.by_class, self.free = Own.RATER in own, Own.CLASS in own, Own.NONE not in own
        self.by_group = Own.GROUP in own


class Truth(Sharing):
    """What is assumed about the true class rates."""

    FREE = "one free vector"
    PER_GROUP = "one vector for each group", Own.GROUP
    OBSERVED = "fixed at the observed rates", Own.NONE
    UNIFORM = "fixed, all classes equal", Own.NONE
    SHARPENED = "one number for each subject, sharpened towards 0 and 1", Own.NONE

    def held(self, observed: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """The rates it is held at, shape (..., K) as the observed ones; None where they are not known beforehand."""
        if self is Truth.OBSERVED:
            return observed
        return np.full(observed.shape, 1 / observed.shape[-1]) if self is Truth.UNIFORM else None


class Accuracy(Sharing):
    """Who shares an accuracy."""

    ONE = "one for all"
    PER_CLASS = "one for each true class", Own.CLASS
    PER_RATER = "one for each rater", Own.RATER
    PER_GROUP = "one for each group", Own.GROUP
    PER_RATER_AND_GROUP = "one for each rater in each group", Own.RATER | Own.GROUP
    REGRESSION = "logistic in covariates", Own.NONE
    NONE = "none: guessing by true class says everything", Own.NONE


class Guessing(Sharing):
    """Who shares the rates of the classes picked without knowledge."""

    ONE = "one vector for all"
    AS_TRUTH = "tied to the true class rates", Own.NONE
    OBSERVED = "fixed at the observed rates", Own.NONE
    PER_CLASS = "one vector for each true class", Own.CLASS
    PER_RATER = "one vector for each rater", Own.RATER
    PER_GROUP = "one vector for each group", Own.GROUP
    PER_RATER_AND_CLASS = "one vector for each rater and true class", Own.RATER | Own.CLASS
    ORDERED = "by cut points and discrimination of each rater", Own.RATER | Own.CLASS | Own.NONE
    ORDERED_ALIKE = "by one set of cut points and one discrimination", Own.CLASS | Own.NONE

    def held(self, truth: NDArray[np.float64], observed: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """The rates it is held at, of shape (..., K) as the true and observed ones; None where it has its own."""
        return {Guessing.AS_TRUTH: truth, Guessing.OBSERVED: observed}.get(self)


class Cases(Enum):
    """Whether all cases are alike but for their truth (models_more.md §3)."""

    ALIKE = "all alike"
    HARD = "some are beyond everybody"
    ACCURACY = "each has an accuracy of its own"
    MISLEADING = "guesses about one case go the same way"
    DIFFICULTY = "each is as hard for all raters, who differ in accuracy"


class Ordered(Enum):
    """What of signal detection each rater has to themselves (models_more.md §4)."""

    NONE = "classes have no order"
    RATER = "discrimination and cut points"
    CUT_POINTS = "cut points; one discrimination for all"
    DISCRIMINATION = "discrimination; one set of cut points for all"
    ALIKE = "nothing: all share both"

    @property
    def own_discrimination(self) -> bool:
        """Whether each rater tells classes apart in their own measure."""
        return self in {Ordered.RATER, Ordered.DISCRIMINATION}

    @property
    def own_cut_points(self) -> bool:
        """Whether each rater has cut points of their own."""
        return self in {Ordered.RATER, Ordered.CUT_POINTS}


class Key(Enum):
    """What is made of cases whose true class is known (models_more.md §1)."""

    UNUSED = "nothing: they are cases like others"
    CERTAIN = "their class is certain, and tells nothing of how common it is"
    INFORMING = "their class is certain, and they are a random part of all cases"


@dataclass(frozen=True, slots=True)
class RaterModel:
    """One point of the sharing grid (models.md §2).

    Each rating is accurate with probability a, and then the true class; otherwise it is drawn from p:
    Pr(C = c | T = k) = a I(c = k) + (1 - a) p(c).

    Attributes
    ----------
    name
        The name used in commands, reports and files.
    truth, accuracy, guessing
        The sharing choices.
    about
        What the model assumes, one plain sentence.
    covariates
        Names of the covariates of a regression, in order.
    groups
        The column whose values are the groups, where a part has numbers of its own for each; else empty.
    key
        What is made of known cases.
    cases
        Whether cases differ.
    ordered
        What each rater has to themselves in a model of ordered classes.
    whole
        The column that says which subjects are one case, such as its answers to several questions: resamples draw all
        of them or none. Empty where every subject is a case.
    memory
        Whether a rater who rates a case again may copy the answer given before (models_more.md §6).
    occasions
        The column that orders the ratings of a case by one rater, where there is memory; else empty.
    near
        Whether ratings that do not follow their case may fall next to it, in the order of the classes.
    along
        The column along whose order it is asked beside the fit whether accuracy changed; empty where it is not.
    """

    name: str
    truth: Truth
    accuracy: Accuracy
    guessing: Guessing
    about: str = ""
    covariates: tuple[str, ...] = ()
    groups: str = ""
    key: Key = Key.UNUSED
    cases: Cases = Cases.ALIKE
    ordered: Ordered = Ordered.NONE
    whole: str = ""
    memory: bool = False
    occasions: str = ""
    near: bool = False
    along: str = ""

    @property
    def by_rater(self) -> bool:
        """Whether the model needs to know who gave each rating."""
        return self.accuracy.by_rater or self.guessing.by_rater

    @property
    def counted(self) -> bool:
        """Whether the class counts of a case are all that counts: who rated, groups and known classes play no part."""
        return self.key is Key.UNUSED and not self.by_rater and not self.by_group

    @property
    def pools(self) -> bool:
        """Whether accuracy and guessing are all: besides `counted`, cases do not differ and misses are guesses."""
        return self.counted and self.cases is Cases.ALIKE and not self.near

    @property
    def plain(self) -> bool:
        """Whether raters share everything, without groups, known classes, memory or an order of the classes."""
        return self.pools and self.ordered is Ordered.NONE and not self.memory

    @property
    def by_group(self) -> bool:
        """Whether the model needs to know the group of each case or rating."""
        return self.truth.by_group or self.ratings_by_group

    @property
    def ratings_by_group(self) -> bool:
        """Whether accuracy or guessing differ by group."""
        return self.accuracy.by_group or self.guessing.by_group


MODELS: tuple[RaterModel, ...] = (
    RaterModel(
        "t-a-p",
        Truth.FREE,
        Accuracy.ONE,
        Guessing.ONE,
        _("All {raters} share one accuracy and one way of picking when they do not know."),
    ),
    RaterModel(
        "t-a-t",
        Truth.FREE,
        Accuracy.ONE,
        Guessing.AS_TRUTH,
        _("All {raters} share one accuracy; when they do not know, they pick each class as often as it is true."),
    ),
    RaterModel(
        "P-a-P",
        Truth.OBSERVED,
        Accuracy.ONE,
        Guessing.OBSERVED,
        _("Truth and guessing are both held at the observed rates; only the accuracy is estimated."),
    ),
    RaterModel(
        "t-ak-p",
        Truth.FREE,
        Accuracy.PER_CLASS,
        Guessing.ONE,
        _("Each true class has its own accuracy; {raters} who do not know pick alike."),
    ),
    RaterModel(
        "t-a0a1-p0p1",
        Truth.FREE,
        Accuracy.PER_CLASS,
        Guessing.PER_CLASS,
        _("Each true class has its own accuracy and its own way of picking without knowledge."),
    ),
    RaterModel(
        "t-aj-p",
        Truth.FREE,
        Accuracy.PER_RATER,
        Guessing.ONE,
        _("Each {rater} has their own accuracy; all pick alike when they do not know."),
    ),
    RaterModel(
        "t-a-pj",
        Truth.FREE,
        Accuracy.ONE,
        Guessing.PER_RATER,
        _("All {raters} are equally accurate; each has their own leaning when picking without knowledge."),
    ),
    RaterModel(
        "t-aj-pj",
        Truth.FREE,
        Accuracy.PER_RATER,
        Guessing.PER_RATER,
        _("Each {rater} has their own accuracy and their own leaning when picking without knowledge."),
    ),
    RaterModel(
        "t-a(x)-p",
        Truth.FREE,
        Accuracy.REGRESSION,
        Guessing.ONE,
        _("Accuracy depends on covariates through a logistic curve; all pick alike when they do not know."),
    ),
    RaterModel(
        "ti-aj-P",
        Truth.SHARPENED,
        Accuracy.PER_RATER,
        Guessing.OBSERVED,
        _("Each {subject} has its own truth between 0 and 1; {raters} who do not know pick at the observed rates."),
    ),
    RaterModel(
        "dawid-skene",
        Truth.FREE,
        Accuracy.NONE,
        Guessing.PER_RATER_AND_CLASS,
        _("Each {rater} has a table of rates of the given class for each true class, without further structure."),
    ),
)

GROUP_MODELS: tuple[RaterModel, ...] = (
    RaterModel(
        "tg-a-p",
        Truth.PER_GROUP,
        Accuracy.ONE,
        Guessing.ONE,
        _("Each group has its own true class rates; accuracy and guessing are the same everywhere."),
    ),
    RaterModel(
        "t-ag-p",
        Truth.FREE,
        Accuracy.PER_GROUP,
        Guessing.ONE,
        _("Each group has its own accuracy; the classes are equally common in all groups."),
    ),
    RaterModel(
        "t-a-pg",
        Truth.FREE,
        Accuracy.ONE,
        Guessing.PER_GROUP,
        _("Each group has its own leaning when picking without knowledge; all else is shared."),
    ),
    RaterModel(
        "t-ag-pg",
        Truth.FREE,
        Accuracy.PER_GROUP,
        Guessing.PER_GROUP,
        _("Each group has its own accuracy and leaning; the classes are equally common in all groups."),
    ),
    RaterModel(
        "tg-ag-p",
        Truth.PER_GROUP,
        Accuracy.PER_GROUP,
        Guessing.ONE,
        _("Each group has its own true class rates and accuracy; those who do not know pick alike everywhere."),
    ),
    RaterModel(
        "tg-a-pg",
        Truth.PER_GROUP,
        Accuracy.ONE,
        Guessing.PER_GROUP,
        _("Each group has its own true class rates and leaning; accuracy is the same everywhere."),
    ),
    RaterModel(
        "tg-ag-pg",
        Truth.PER_GROUP,
        Accuracy.PER_GROUP,
        Guessing.PER_GROUP,
        _("Each group has everything of its own, as if it were analysed alone."),
    ),
    RaterModel(
        "tg-a-pj",
        Truth.PER_GROUP,
        Accuracy.ONE,
        Guessing.PER_RATER,
        _(
            "Each group has its own true class rates, each {rater} their own leaning in all of them; all are "
            "as accurate."
        ),
    ),
    RaterModel(
        "tg-aj-p",
        Truth.PER_GROUP,
        Accuracy.PER_RATER,
        Guessing.ONE,
        _("Each group has its own true class rates, each {rater} their own accuracy, the same in all groups."),
    ),
    RaterModel(
        "tg-aj-pj",
        Truth.PER_GROUP,
        Accuracy.PER_RATER,
        Guessing.PER_RATER,
        _("Each group has its own true class rates, each {rater} their own accuracy and leaning in all of them."),
    ),
    RaterModel(
        "t-ajg-p",
        Truth.FREE,
        Accuracy.PER_RATER_AND_GROUP,
        Guessing.ONE,
        _("Each {rater} has an accuracy of their own in each group; the classes are equally common in all groups."),
    ),
    RaterModel(
        "tg-dawid-skene",
        Truth.PER_GROUP,
        Accuracy.NONE,
        Guessing.PER_RATER_AND_CLASS,
        _(
            "Each group has its own true class rates, each {rater} a table of rates of the given class for "
            "each true one."
        ),
    ),
)
"""Models of several groups (models_more.md §2): they need the column that holds the groups."""

QUESTION_MODELS: tuple[RaterModel, ...] = (
    RaterModel(
        "tq-a-pq",
        Truth.PER_GROUP,
        Accuracy.ONE,
        Guessing.PER_GROUP,
        _("One accuracy holds on all questions; each has its own true class rates and leaning."),
    ),
    RaterModel(
        "tq-aq-pq",
        Truth.PER_GROUP,
        Accuracy.PER_GROUP,
        Guessing.PER_GROUP,
        _("Each question has everything of its own, as if it were analysed alone."),
    ),
    RaterModel(
        "tq-aj-pj",
        Truth.PER_GROUP,
        Accuracy.PER_RATER,
        Guessing.PER_RATER,
        _("Each question has its own true class rates, each {rater} the same accuracy and leaning on all of them."),
    ),
)
"""Models of several questions (models_more.md §7), about ratings of all of them (`models.panels.join_questions`)."""

CASE_MODELS: tuple[RaterModel, ...] = (
    RaterModel(
        "t-ah-p",
        Truth.FREE,
        Accuracy.ONE,
        Guessing.ONE,
        _("Some {subjects} are beyond everybody: their {ratings} are guesses. All others are equally hard."),
        cases=Cases.HARD,
    ),
    RaterModel(
        "t-ai-p",
        Truth.FREE,
        Accuracy.ONE,
        Guessing.ONE,
        _("Each {subject} has an accuracy of its own, around a common one."),
        cases=Cases.ACCURACY,
    ),
    RaterModel(
        "t-a-pi",
        Truth.FREE,
        Accuracy.ONE,
        Guessing.ONE,
        _("Some {subjects} mislead: guesses about one {subject} go the same way."),
        cases=Cases.MISLEADING,
    ),
)
"""Models of cases that differ besides their truth (models_more.md §3)."""

DIFFICULTY_MODELS: tuple[RaterModel, ...] = (
    RaterModel(
        "t-aij-p",
        Truth.FREE,
        Accuracy.PER_RATER,
        Guessing.ONE,
        _(
            "Some {subjects} are harder for everybody, and each {rater} has their own accuracy; all pick alike "
            "without it."
        ),
        cases=Cases.DIFFICULTY,
    ),
    RaterModel(
        "t-aij-pj",
        Truth.FREE,
        Accuracy.PER_RATER,
        Guessing.PER_RATER,
        _("Some {subjects} are harder for everybody, and each {rater} has their own accuracy and leaning."),
        cases=Cases.DIFFICULTY,
    ),
)
"""Models of cases that are harder for raters who differ (models_more.md §3)."""

ORDERED_MODELS: tuple[RaterModel, ...] = (
    RaterModel(
        "sdt",
        Truth.FREE,
        Accuracy.NONE,
        Guessing.ORDERED,
        _("{Raters} perceive the order of the classes: each has cut points and a discrimination."),
        ordered=Ordered.RATER,
    ),
    RaterModel(
        "sdt-d",
        Truth.FREE,
        Accuracy.NONE,
        Guessing.ORDERED,
        _("{Raters} perceive the order of the classes: all tell them apart alike, each by their cut points."),
        ordered=Ordered.CUT_POINTS,
    ),
    RaterModel(
        "sdt-tau",
        Truth.FREE,
        Accuracy.NONE,
        Guessing.ORDERED,
        _("{Raters} perceive the order of the classes: all use the same cut points, some tell classes apart better."),
        ordered=Ordered.DISCRIMINATION,
    ),
    RaterModel(
        "sdt-1",
        Truth.FREE,
        Accuracy.NONE,
        Guessing.ORDERED_ALIKE,
        _("{Raters} perceive the order of the classes, all of them alike."),
        ordered=Ordered.ALIKE,
    ),
)
"""Models of ordered classes (models_more.md §4)."""


MEMORY_MODELS: tuple[RaterModel, ...] = tuple(
    RaterModel(name, Truth.FREE, Accuracy.PER_RATER, guessing, about, memory=True)
    for name, guessing, about in (
        (
            "t-aj-p+m",
            Guessing.ONE,
            _("Each {rater} has their own accuracy; who rates {a_subject} again may copy their answer before."),
        ),
        (
            "t-aj-pj+m",
            Guessing.PER_RATER,
            _(
                "Each {rater} has their own accuracy and leaning; who rates {a_subject} again may copy their "
                "answer before."
            ),
        ),
    )
)
"""Models of raters who rate a case again (models_more.md §6): they need the column that orders these ratings."""


NEAR_MODELS: tuple[RaterModel, ...] = (
    RaterModel(
        "t-an-p",
        Truth.FREE,
        Accuracy.ONE,
        Guessing.ONE,
        _("{A_rating} follows its {subject}, or falls next to it in the order of the classes, or is a guess."),
        near=True,
    ),
)
"""Models of ordered classes within the family: a share n of what is not accurate falls next to the truth."""

GRID_MODELS: tuple[RaterModel, ...] = (
    *GROUP_MODELS,
    *CASE_MODELS,
    *DIFFICULTY_MODELS,
    *ORDERED_MODELS,
    *MEMORY_MODELS,
    *NEAR_MODELS,
)
"""Every model of models_more.md about one question, whatever it needs besides ratings."""

POOLED: tuple[str, ...] = ("t-aj-p", "t-aj-pj", "tg-aj-p", "tg-aj-pj")
"""Names of the models whose raters can be drawn from one population (models_more.md §5)."""


def model(name: str, also: tuple[RaterModel, ...] = ()) -> RaterModel:
    """The named model.

    Parameters
    ----------
    name
        Of one of `MODELS`, or an alias of it.
    also
        Further models, where what they need can be told, such as `GROUP_MODELS`.

    Raises
    ------
    UsageError
        When there is no such model; the names are listed.
    """
    wanted = ALIASES.get(name, name)
    every = (*MODELS, *also)
    for row in every:
        if row.name == wanted:
            return row
    known = ", ".join([row.name for row in every] + list(ALIASES))
    raise UsageError(
        _("There is no model '{name}'.").format(name=name), fix=_("The models are: {known}.").format(known=known)
    )
