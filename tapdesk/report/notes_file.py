"""The committee's own words from a file, for reports of the command line: TOML, a name and a text on each line.

``committee = "Audit committee"`` fills one place of `tapdesk.answers.user_words.PROMPTS`; a list stands for several
lines, as of ``actions`` and ``signers``; below ``[comment]`` stand comments on sections, by the keys of the outline.
"""

import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from tapdesk.answers.user_words import PROMPTS, comment
from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import gettext as _
from tapdesk.project.project import Project
from tapdesk.ratings.formats.files import read_refusal, refuse_what_is_no_file
from tapdesk.report.outline import SECTIONS

PLACES = tuple(prompt.place for prompt in PROMPTS)
COMMENT = "comment"
# What is longer is a file of another kind, and is cut where it makes no sense.
_MOST_BYTES = 1 << 20


def read_notes(path: str | Path) -> dict[str, str]:
    """The texts of a file by their place in the notes of a project.

    Parameters
    ----------
    path
        A file of TOML in UTF-8.

    Raises
    ------
    TapdeskError
        When the file cannot be read, or is no TOML.
    UsageError
        When it names a place that there is not, or holds something else than texts.
    """
    place = Path(path)
    try:
        refuse_what_is_no_file(place)
        inside = place.read_bytes()
    except (OSError, ValueError) as error:
        raise read_refusal(error, place) from error
    try:
        table = tomllib.loads(inside[:_MOST_BYTES].decode("utf-8-sig"))
    except ValueError as error:
        raise TapdeskError(
            _("These notes cannot be read: {why}.").format(why=_why(error)),
            place.name,
            _('Write a name and a text on each line, such as committee = "Audit committee", and save it as UTF-8.'),
        ) from error
    return dict(_texts(table, place.name))


def with_notes(project: Project, notes: Mapping[str, str]) -> Project:
    """The project with these words in their places; what it held elsewhere stays."""
    for place, words in notes.items():
        project = project.with_note(place, words)
    return project


def _why(error: ValueError) -> str:
    if isinstance(error, tomllib.TOMLDecodeError):
        # Such as "Expected '=' after a key in a key/value pair (at line 1, column 7)".
        return str(error)
    return _("they are no text in UTF-8")


def _texts(table: Mapping[str, Any], file: str) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if name == COMMENT and isinstance(value, dict):
            keys = tuple(row.key for row in SECTIONS)
            for key, words in value.items():
                _known(key, keys, file, _("There is no section “{name}” to comment on."))
                yield comment(key), _text(f"{COMMENT}.{key}", words, file)
            continue
        _known(name, PLACES, file, _("There is no place “{name}” for words in a report."))
        yield name, _text(name, value, file)


def _known(name: str, every: tuple[str, ...], file: str, sentence: str) -> None:
    if name in every:
        return
    near = get_close_matches(name, every, 1)
    fix = _("Did you mean “{near}”? The names are: {names}.") if near else _("The names are: {names}.")
    raise UsageError(sentence.format(name=name), file, fix.format(near=near[0] if near else "", names=", ".join(every)))


def _text(name: str, value: Any, file: str) -> str:
    """A text, or the lines of a list."""
    lines = value if isinstance(value, list) else [value]
    if not all(isinstance(line, str) for line in lines):
        raise UsageError(
            _("“{name}” holds something else than text.").format(name=name),
            file,
            _('Put quotation marks around it, or write several lines as ["one", "another"].'),
        )
    return "\n".join(line.strip() for line in lines).strip()
