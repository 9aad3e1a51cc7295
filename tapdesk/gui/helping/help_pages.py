"""The pages of help, and what is found in them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

from tapdesk import resources
from tapdesk.gui.actions import ACTIONS, MENUS
from tapdesk.language import gettext as _
from tapdesk.project.files.outputs import unseal

# A heading that links lead to.
_PLACE = re.compile(r'^## <a id="([^"]*)"></a>(.*)$', re.MULTILINE)
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
    pictures
        The folder of its pictures; empty where it has none.
    places
        What is said in the headings that links within the page lead to, by their names.
    """

    key: str
    title: str
    markdown: str
    pictures: str = ""
    places: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def plain(self) -> str:
        """The words without marks, for searching."""
        # What stands for a picture is said by the picture.
        words = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", self.markdown)
        return re.sub(r"[*`|#]|\]\([^)]*\)|\[|^\s*-{3,}.*$", "", words, flags=re.MULTILINE)


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
    return (*made, _papers(), _keyboard())


def _papers() -> Page:
    """The page of the papers' figures, as the program wrote it, its places told apart from its words."""
    path = resources.path("help", "reproductions", "README.md")
    words = unseal(path.read_bytes()).decode()
    places = dict(_PLACE.findall(words))
    title = words.splitlines()[0].removeprefix("# ")
    how = _("A click on a picture, or Enter on it, shows it as large as it was made.")
    words = _PLACE.sub(r"## \2", words.replace("\n", f"\n\n{how}\n", 1))
    return Page("papers", title, words, str(path.parent), MappingProxyType(places))


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
