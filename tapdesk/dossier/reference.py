"""Reference values by programs that share no code with this one, each asked of this copy again as a user asks it.

``resources/reference/values.json`` holds them: a row for each question with the file, the command and its options, how
the values were made, and each value with how far ours may be from it.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tapdesk import resources
from tapdesk.errors import TapdeskError
from tapdesk.progress import Run, Step

Answer: TypeAlias = Callable[[Sequence[str]], Mapping[str, Any]]
"""The answer of a command, as its JSON has it."""
FOLDER = "reference"
_PLACES = ("class", "rater", "group", "rated", "cut")


@dataclass(frozen=True, slots=True)
class ReferenceValue:
    """A kept value and ours.

    Attributes
    ----------
    what
        What it is of.
    kept, ours
        Both; None where there must be none, or there is none. Yes and no are 1 and 0.
    within
        How far apart they may be; 0 where they must be the same.
    available
        Whether the answer says anything of it, be it that there is none.
    """

    what: str
    kept: float | None
    ours: float | None
    within: float
    available: bool = True

    @property
    def agrees(self) -> bool:
        """Whether ours is the kept one."""
        if not self.available or self.kept is None or self.ours is None:
            return self.available and self.kept is self.ours
        return bool(abs(self.kept - self.ours) <= self.within)

    @property
    def share_of_tolerance(self) -> float | None:
        """How much of what is allowed the difference is; None where there is nothing to measure."""
        if self.kept is None or self.ours is None or not self.within:
            return None
        return abs(self.kept - self.ours) / self.within


@dataclass(frozen=True, slots=True)
class ReferenceQuestion:
    """A question asked of the program, and what came of it.

    Attributes
    ----------
    command, file, options
        As they are typed.
    by
        What the kept values were made with.
    values
        Kept and ours.
    failure
        Why there is no answer; empty where there is one.
    """

    command: str
    file: str
    options: tuple[str, ...]
    by: str
    values: tuple[ReferenceValue, ...]
    failure: str = ""

    @property
    def agrees(self) -> bool:
        """Whether every value does."""
        return all(one.agrees for one in self.values)

    @property
    def share_of_tolerance(self) -> float | None:
        """The largest share of what is allowed that a difference is; None where nothing could be measured."""
        return max((one.share_of_tolerance for one in self.values if one.share_of_tolerance is not None), default=None)


def kept_questions() -> list[dict[str, Any]]:
    """What is kept, as it is written down."""
    rows: list[dict[str, Any]] = json.loads(resources.path(FOLDER, "values.json").read_text("utf-8"))
    return rows


def ask_again(answer: Answer) -> Run[tuple[ReferenceQuestion, ...]]:
    """Every kept question asked again; one that is refused does not hide the others.

    Yields
    ------
    Step
        One for each question.
    """
    rows = kept_questions()
    made = []
    for i, row in enumerate(rows):
        yield Step(i, len(rows), "reference")
        made.append(_ask(row, answer))
    return tuple(made)


def _ask(row: Mapping[str, Any], answer: Answer) -> ReferenceQuestion:
    command, file, options = row["command"], row["file"], tuple(row["options"])
    path = file if file.startswith("sample:") else str(resources.path(FOLDER, file))
    failure, ours = "", dict[str, float | None]()
    try:
        ours = dict(_values_of(command, answer([command, path, *options])))
    except TapdeskError as problem:
        failure = str(problem)
    values = tuple(_value(one, ours) for one in row["values"])
    return ReferenceQuestion(command, file, options, row["by"], values, failure)


def _value(one: Mapping[str, Any], ours: Mapping[str, float | None]) -> ReferenceValue:
    """A kept value beside that of the answer, found by what it is of."""
    what = _label(one["of"], one, one.get("part", ""))
    kept = None if one["kept"] is None else float(one["kept"])
    return ReferenceValue(what, kept, ours.get(what), one.get("within", 0.0), available=what in ours)


def _label(of: str, places: Mapping[str, Any], part: str = "") -> str:
    """What a value is of, in one line, as ``a, rater R1``."""
    where = [f"{place} {places[place]}" for place in _PLACES if places.get(place) is not None]
    return ", ".join([f"{of} {part}".strip(), *where])


def _values_of(command: str, answer: Mapping[str, Any]) -> Iterator[tuple[str, float | None]]:
    """Every value of an answer by what it is of."""
    if command == "agree":
        for one in answer["coefficients"]:
            if one["weights"] == "identity":
                yield one["name"], one["value"]
                yield f"{one['name']} se", one["se"]
        return
    fit = answer["fits"][0]
    for form, value in (fit["log_likelihood"] or {}).items():
        yield f"log-likelihood of {form}", value
    yield "identified", float(fit["identified"])
    for one in fit["estimates"]:
        yield _label(one["name"], one), one["value"]
    posterior = fit.get("posterior")
    if posterior:
        yield "log evidence", posterior["log_evidence"]["counts"]
        for one in posterior["summaries"]:
            for part in ("mean", "sd", "q05", "median", "q95"):
                yield f"{one['name']} {part}", one[part]
