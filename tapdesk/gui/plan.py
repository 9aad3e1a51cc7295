"""What is about to be run: the question, its few choices, and the sentence that restates them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from html import escape

from tapdesk.fitting.fit import Identification
from tapdesk.models import catalog
from tapdesk.models.model import RaterModel
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.studies.analysis import Request


class Guesses(Enum):
    """What is assumed about ratings that do not follow the case."""

    AUTO = "their own rate, or p = t where the design cannot tell"
    OWN = "their own rate"
    TIED = "p = t"


@dataclass(frozen=True, slots=True)
class Question:
    """One row of the catalog of questions.

    Attributes
    ----------
    key
        Its short name.
    title, about
        What the user reads.
    models
        The names of the models that answer it with their own rate of guessing, and with p = t.
    refuses
        None when these ratings can be asked, else the reason in words.
    """

    key: str
    title: str
    about: str
    models: dict[Guesses, str] = field(default_factory=dict)
    refuses: Callable[[Ratings], str | None] = lambda _: None

    def model(self, guesses: Guesses) -> RaterModel:
        """The model that answers the question."""
        return catalog.model(self.models[Guesses.TIED if guesses is Guesses.TIED else Guesses.OWN])


@lru_cache(maxsize=1)
def _one_class(ratings: Ratings) -> str | None:
    used = [c for c, share in zip(ratings.classes, ratings.class_rates(), strict=True) if share > 0]
    if len(used) < 2:
        which = used[0] if used else ""
        return (
            f"Every rating is “{which}”: there is nothing to tell apart. Open the counts in the Dataset pane instead."
        )
    return None


# A question joins the window when the study behind it exists: one row here.
QUESTIONS: tuple[Question, ...] = (
    Question(
        "knowledge",
        "How much of the agreement is knowledge, how much luck?",
        "Truth, accuracy and chance, with intervals",
        {Guesses.OWN: "t-a-p", Guesses.TIED: "t-a-t"},
        _one_class,
    ),
)

INTERVALS: dict[str, str] = {
    "profile": "Profile of the likelihood",
    "bootstrap": "Re-draws of the cases",
    "wald": "Curvature of the likelihood",
    "none": "No intervals",
}
IN_SENTENCE: dict[str, str] = {
    "profile": "{level} profile intervals",
    "bootstrap": "{level} intervals from {draws} re-draws",
    "wald": "{level} intervals from the curvature (Wald)",
    "none": "no intervals",
}
LEVELS = (0.9, 0.95, 0.99)
REPLICATES = 2000


@dataclass(frozen=True, slots=True)
class Plan:
    """The choices of the model pane; a change is a new plan."""

    question: Question = QUESTIONS[0]
    guesses: Guesses = Guesses.AUTO
    level: float = 0.95
    interval: str = "profile"
    seed: int = 1

    def resolved(self, verdict: Identification | None) -> "Plan":
        """The same plan with p = t where the design cannot tell its own rate and the user has not chosen."""
        if self.guesses is Guesses.AUTO and verdict is not None and not verdict.by_design:
            return replace(self, guesses=Guesses.TIED)
        return self

    @property
    def model(self) -> RaterModel:
        """The model it stands for."""
        return self.question.model(self.guesses)

    def request(self) -> Request:
        """What the engine is asked; re-draws are made in any case, for the picture of how far numbers would move."""
        return Request(
            model=self.model,
            interval=self.interval,
            level=self.level,
            replicates=REPLICATES,
            seed=self.seed,
            redraws=True,
        )

    def sentence(self, ratings: Ratings) -> str:
        """The run in one sentence, as rich text."""
        template = (
            "Estimate {letters} for {what}, {size}, <b>{intervals}</b>, seed <b>{seed}</b>."
            if self.guesses is not Guesses.TIED
            else "Estimate {letters} for {what}, assuming {tie}, {size}, <b>{intervals}</b>, seed <b>{seed}</b>."
        )
        letters = "<i>t</i>, <i>a</i> and <i>p</i>" if self.guesses is not Guesses.TIED else "<i>t</i> and <i>a</i>"
        return template.format(
            letters=letters,
            tie="<i>p</i> = <i>t</i>",
            what=_what(ratings),
            size=size(ratings),
            intervals=IN_SENTENCE[self.interval].format(
                level=numbers.level(self.level), draws=numbers.count(REPLICATES)
            ),
            seed=self.seed,
        )


def _what(ratings: Ratings) -> str:
    if len(ratings.classes) == 2:
        members = ", ".join(escape(numbers.short(m)) for m in ratings.class1)
        return f"Class 1 = <b>{{{members}}}</b>"
    return f"<b>{len(ratings.classes)} categories</b>"


@lru_cache(maxsize=1)
def size(ratings: Ratings) -> str:
    """How many cases with how many ratings: ``183 cases with 4 ratings each``."""
    per_case = ratings.ratings_per_subject()
    counted = per_case[per_case > 0]
    cases = numbers.count(ratings.subject_count)
    if not counted.size:
        return f"{cases} cases without ratings"
    low, high = int(counted.min()), int(counted.max())
    if low == high:
        word = "rating" if low == 1 else "ratings"
        return f"{cases} cases with {low} {word} each"
    return f"{cases} cases with {low} to {high} ratings each"
