"""The signs numbers are written with: a point and a comma in every file, those of the user's computer on screen.

All numbers of the program go through `answers.numbers`, and those ask the voice in use (`tapdesk.language`).
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from tapdesk.language import POINT, Message, Number, Own, Signs, in_signs, say, speaking, voice

__all__ = ["POINT", "Number", "Signs", "rewritten", "written_with"]


# As Python writes them: 1,286.116 or 0.54 or 1.5e-05, not a part of a word, a version, a date or the name of a file.
_WRITTEN = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]\d+)?(?![\w])(?![.,]\w)")
# What stands in quotation marks is the user's own; an apostrophe follows a letter and opens nothing.
_QUOTED = r"“[^”]*”|(?<!\w)'[^\n]*?'(?!\w)"
_MOST_NAMES = 1_000


@contextmanager
def written_with(signs: Signs) -> Iterator[None]:
    """Numbers written inside this block, by this thread, have these signs."""
    with speaking(replace(voice(), signs=signs)):
        yield


def rewritten(text: str, names: Iterable[str] = ()) -> str:
    """A finished sentence with its numbers in the signs in use; what the user wrote inside it stays.

    For the sentences a reading or a fit carries: they were written when it was made, and are kept in files with it.
    The user's own are ``names``, and all that stands in quotation marks.
    """
    if isinstance(text, Message) and text.fields:
        # A field that was glued from pieces has the signs of whoever made it.
        fields = {
            key: rewritten(sentence, names) if isinstance(sentence, str) else sentence
            for key, sentence in text.fields.items()
        }
        return Message(text.template, text.plural, fields)
    if isinstance(text, Message | Number | Own):
        return say(text)
    # As files of earlier versions keep it, or glued from pieces.
    signs = voice().signs
    if signs == POINT or not _pointed(text):
        return text
    kept = sorted({standing for n in names if (standing := _standing(n, text))}, key=len, reverse=True)
    if len(kept) > _MOST_NAMES:
        return text  # a point too much rather than a name of the user's changed
    parts = re.split(f"({'|'.join([_QUOTED, *map(re.escape, kept)])})", text)
    # Every second part is a name.
    return "".join(
        part if i % 2 else _WRITTEN.sub(lambda result: in_signs(result.group(), signs), part)
        for i, part in enumerate(parts)
    )


def _pointed(text: str) -> list[int]:
    """Where numbers with a point or a comma, which other signs would change, end in a text."""
    if "." not in text and "," not in text:
        return []
    return [n.end() for n in _WRITTEN.finditer(text) if not n.group().isdigit()]


def _standing(name: str, text: str) -> str:
    """What of a name with a number in it stands in a text: all of it, or its beginning where it was shortened."""
    ends = _pointed(name)
    if not ends or name in text:
        return name if ends else ""
    return next((name[:end] for end in reversed(ends) if name[:end] in text), "")
