"""What is about to be run: the question, its few choices, and the sentence that restates them."""

from dataclasses import dataclass, replace
from html import escape

from tapdesk.answers import numbers
from tapdesk.answers.question import QUESTIONS, Guesses, Question
from tapdesk.fitting.fit import Identification
from tapdesk.gui.plan_words import FLAT, IN_SENTENCE, NAMED, PRIORS, size, what
from tapdesk.gui.running.by_name import AS_ASKED, SHORT, ByName
from tapdesk.language import gettext as _
from tapdesk.models.model import RaterModel, Truth
from tapdesk.project.project import name_of
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request

INTERVALS: dict[str, str] = {
    "profile": _("Profile of the likelihood"),
    "bootstrap": _("Re-draws of the cases"),
    "parametric-bootstrap": _("Data drawn from the model"),
    "wald": _("Curvature of the likelihood"),
    "none": _("No intervals"),
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
    named: ByName = AS_ASKED
    label: str = ""

    @property
    def name(self) -> str:
        """Of the analysis: the question, and what tells it from other analyses of the same question."""
        return name_of(self.question.key, self.shown_label)

    @property
    def shown_label(self) -> str:
        """What tells the analysis from others of the same question; empty where nothing needs to."""
        return self.label or self.named.label

    @property
    def tied(self) -> bool:
        """Whether p = t is assumed."""
        return self.guesses is Guesses.TIED and self.question.tied and not self.named.model

    def resolved(self, verdict: Identification | None) -> "Plan":
        """The same plan as it is run where the design cannot tell the numbers apart and the user has not chosen.

        With p = t where the question can be answered so; by what to believe where a best fit would be no answer.
        """
        if verdict is None or verdict.by_design or self.named.model:
            return self
        if self.guesses is Guesses.AUTO and self.question.tied:
            return replace(self, guesses=Guesses.TIED)
        if self.question.believed and self.named.estimator == AS_ASKED.estimator:
            return replace(self, named=replace(self.named, estimator="posterior"))
        return self

    @property
    def model(self) -> RaterModel:
        """The model it stands for."""
        return self.named.chosen(self.question.model(self.guesses))

    @property
    def replicates(self) -> int:
        """How many re-draws of the cases are made."""
        return self.named.replicates or REPLICATES

    def request(self) -> Request:
        """What the engine is asked.

        Re-draws are made for the picture of how far numbers would move, whatever the kind of interval; the belief
        about every case costs next to nothing.

        Raises
        ------
        TapdeskError
            When a prior cannot be read.
        """
        model = self.model
        return Request(
            model=model,
            estimator=self.named.estimator,
            interval=self.interval,
            level=self.level,
            replicates=self.replicates,
            seed=self.seed,
            subjects=True,
            redraws=self.question.redraws and not model.by_rater and model.truth is not Truth.SHARPENED,
            priors=self.named.prior_values(),
            draws=self.named.draws,
        )

    def sentence(self, ratings: Ratings) -> str:
        """The run in one sentence, as rich text."""
        level, named = numbers.level(self.level), self.named
        intervals = "none" if named.estimator == "moment-em" else self.interval
        fields = {
            "model": escape(self.model.name),
            "how": SHORT[named.estimator],
            "what": what(ratings),
            "size": size(ratings),
            "level": level,
            "intervals": IN_SENTENCE[intervals].format(level=level, draws=numbers.count(self.replicates)),
            "seed": self.seed,
        }
        if named.estimator == "posterior":
            priors = escape(", ".join(named.written))
            return (PRIORS if priors else FLAT).format(priors=priors, **fields)
        if named.model or named.estimator != "exact-em":
            return NAMED.format(**fields)
        return (self.question.assumed if self.tied else self.question.own).format(**fields)
