"""Projects of earlier formats, one step for each number."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

Document: TypeAlias = dict[str, Any]
"""The JSON of a project; see ``files``."""

FORMAT = 3
"""The number of the format this program writes. It grows when a change would make this program with an older file
read something else than what was written; an added part with a default needs no new number. An older program of the
same number refuses a file with a part it does not know, for numbers may mean something else with it, and says that a
newer one wrote it; only the names of notes and records are free, and those it does not know it keeps."""

_TITLES_1: Mapping[str, str] = MappingProxyType(
    {
        "How much of the agreement is knowledge, how much luck?": "knowledge",
        "Who differs?": "raters",
        "How sure is each case?": "cases",
        "Which grade line is hardest?": "lines",
        "Is one answer easier than the others?": "classes",
        "Do we have enough data?": "enough",
    }
)
"""Titles of questions as analyses were named after them in format 1; they never change, whatever they are by now."""


def _from_1(document: Document) -> Document:
    """Analyses hold the key of their question instead of its title, and issued reports are records, no notes.

    What is not as format 1 has it is left as it is, for the reader to refuse.
    """
    project = document.get("project")
    if not isinstance(project, dict):
        return document
    analyses, notes = project.get("analyses"), project.get("notes")
    after = dict(project)
    if isinstance(analyses, list):
        after["analyses"] = [_with_key(one) for one in analyses]
    if isinstance(notes, list):
        issued = [pair for pair in notes if isinstance(pair, list) and pair[:1] == ["issued"]]
        after["notes"] = [pair for pair in notes if pair not in issued]
        after.setdefault("records", issued)
    return document | {"project": after}


def _with_key(analysis: Any) -> Any:
    """An analysis of format 1 with the key of the question its name began with."""
    if not isinstance(analysis, dict) or not isinstance(analysis.get("name"), str):
        return analysis
    name = analysis["name"]
    title, _between, label = name.partition(" \N{EN DASH} ")
    key = _TITLES_1.get(title, "")
    rest = {part: value for part, value in analysis.items() if part != "name"}
    return rest | {"question": key, "label": label if key else name}


def _from_2(document: Document) -> Document:
    """Sentences are templates with fields where a program made them; those of format 2 stay the texts they are."""
    return document


MIGRATIONS: Mapping[int, Callable[[Document], Document]] = MappingProxyType({1: _from_1, 2: _from_2})
"""From the number of a format to the function that makes the next one of it."""


def lifted(
    document: Document,
    number: int,
    *,
    to: int = FORMAT,
    steps: Mapping[int, Callable[[Document], Document]] = MIGRATIONS,
) -> Document:
    """A document of an earlier format as one of a later format.

    Parameters
    ----------
    document, number
        The document and its format.
    to, steps
        The format wanted, and the step from each number to the next.

    Raises
    ------
    KeyError
        When a step is missing.
    """
    for at in range(number, to):
        document = steps[at](document)
    return document
