"""The pages of help, and what is found in them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from tapdesk import resources
from tapdesk.gui.actions import ACTIONS, MENUS
from tapdesk.language import gettext as _

AROUND = 60  # characters shown on each side of what was found
KEYS = (
    (_("Tab, Shift+Tab"), _("Next and previous control")),
    (_("Arrows"), _("Between the cells of a table, the rows of a list, the questions")),
    (_("Space"), _("Press a button, tick a box")),
    (_("Esc"), _("Close a window beside the main one")),
    ("Ctrl+C", _("Copy the chosen cells of a table")),
)


@dataclass(frozen=True, slots=True)
class Page:
    """One page.

    Attributes
    ----------
    key
        Its name in links: ``help:numbers``.
    title
        The first line.
    markdown
        All of it.
    """

    key: str
    title: str
    markdown: str

    @property
    def plain(self) -> str:
        """The words without marks, for searching."""
        return re.sub(r"[*`|#]|\]\([^)]*\)|\[|^\s*-{3,}.*$", "", self.markdown, flags=re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that holds what was looked for, how often, and the words around the first place."""

    page: Page
    count: int
    around: str


@cache
def pages() -> tuple[Page, ...]:
    """Every page in the order they are read."""
    made = []
    for path in sorted(resources.path("help").glob("[0-9]-*.md")):
        words = path.read_text("utf-8")
        made.append(Page(path.stem.split("-", 1)[1], words.splitlines()[0].removeprefix("# "), words))
    return (*made, _keyboard())


def _keyboard() -> Page:
    """The page of keys, from the table of actions, so that it is never out of date."""
    rows = [
        f"| {', '.join(row.shortcuts)} | {row.words.replace('&', '')} | {MENUS[row.menu].replace('&', '')} |"
        for row in ACTIONS
        if row.shortcuts
    ]
    others = [f"| {keys} | {what} | |" for keys, what in KEYS]
    lines = [
        _("# The keyboard"),
        "",
        _("Everything can be done without a mouse. A ring shows where the keyboard is."),
        "",
        _("| key | what it does | menu |"),
        "| --- | --- | --- |",
        *rows,
        *others,
    ]
    return Page("keyboard", _("The keyboard"), "\n".join(lines) + "\n")


def page(key: str) -> Page:
    """The page with a key; the first one where there is none."""
    return next((p for p in pages() if p.key == key), pages()[0])


def found(words: str, among: Sequence[Page] | None = None) -> list[Hit]:
    """The pages that hold all of some words, those that hold them most often first; all pages for no words."""
    among = pages() if among is None else among
    wanted = words.casefold().split()
    hits = []
    for one in among:
        text = " ".join(one.plain.split())
        folded = text.casefold()
        counts = [folded.count(word) for word in wanted]
        if all(counts):
            hits.append(Hit(one, sum(counts), _around(text, folded, wanted)))
    return sorted(hits, key=lambda hit: -hit.count) if wanted else hits


def _around(text: str, folded: str, wanted: list[str]) -> str:
    if not wanted:
        return ""
    at = folded.find(wanted[0])
    low, high = max(at - AROUND, 0), min(at + len(wanted[0]) + AROUND, len(text))
    low = text.find(" ", low, at) + 1 if low else 0
    return f"{'…' if low else ''}{text[low:high].strip()}{'…' if high < len(text) else ''}"
