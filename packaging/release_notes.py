"""The notes of a release, from CHANGELOG.md: python packaging/release_notes.py VERSION [CHANGELOG].

Fails unless the newest section is of that version, has a date, and says something: no release goes out without notes.
"""

import re
import sys
from datetime import date
from pathlib import Path

CHANGELOG = Path(__file__).resolve().parent.parent / "CHANGELOG.md"
HEAD = re.compile(r"^## (?P<version>\S+) - (?P<day>.+)$", re.MULTILINE)


def notes(changelog: str, version: str) -> str:
    """What the newest section of a changelog says.

    Raises
    ------
    ValueError
        With a sentence, when that section cannot be released as this version.
    """
    heads = list(HEAD.finditer(changelog))
    if not heads:
        raise ValueError("CHANGELOG.md has no section headed '## VERSION - DATE'.")
    newest = heads[0]
    if newest["version"] != version:
        raise ValueError(f"CHANGELOG.md opens with version {newest['version']}, and {version} is to be released.")
    try:
        date.fromisoformat(newest["day"])
    except ValueError:
        told = f"CHANGELOG.md says '{newest['day']}' of version {version}; a date such as 2026-11-25 belongs there."
        raise ValueError(told) from None
    # Up to the next version, or to a chapter that is of none.
    body = re.split(r"^##? ", changelog[newest.end() :], maxsplit=1, flags=re.MULTILINE)[0].strip()
    if not body:
        raise ValueError(f"CHANGELOG.md says nothing about version {version}.")
    return body + "\n"


def main(words: list[str]) -> int:
    """Print the notes, or one sentence on what is missing."""
    changelog = Path(words[1]) if words[1:] else CHANGELOG
    try:
        print(notes(changelog.read_text("utf-8"), words[0].removeprefix("v")), end="")
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
