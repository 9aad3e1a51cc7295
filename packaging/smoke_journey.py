"""Walks through the window by the names a screen reader hears: ratings that are open, question, fit, report as PDF.

python3 packaging/smoke_journey.py REPORT.pdf [FOLDER FOR PICTURES] [--full]

The program runs already and was given a file. Needs the system's Python with gir1.2-atspi-2.0, the session bus the
program is on, and `import` of ImageMagick for the pictures. With --full the report cannot be saved, because the disk is
full, and the program must say so.
"""

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gi.repository import Atspi, GLib

PATIENCE = 120.0
BUTTONS = {"push button", "toggle button", "check box", "radio button"}


def everything(node: Any) -> Iterator[Any]:
    """What is shown below a node, the node included; tables are not gone through cell by cell."""
    try:
        if not node.get_state_set().contains(Atspi.StateType.SHOWING) and node.get_role_name() != "application":
            return
        yield node
        if node.get_role_name() == "table":
            return
        for i in range(node.get_child_count()):
            child = node.get_child_at_index(i)
            if child is not None:
                yield from everything(child)
    except GLib.Error:
        return  # it went away while it was looked at


def all_shown() -> Iterator[Any]:
    """Everything of tapdesk on the screen."""
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
        program = desktop.get_child_at_index(i)
        if program is not None and program.get_name() == "tapdesk":
            yield from everything(program)


def wait(what: str, fits: Callable[[Any], bool]) -> Any:
    """The first thing on the screen that fits."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for node in all_shown():
            try:
                if fits(node):
                    return node
            except GLib.Error:
                continue
        time.sleep(0.2)
    names = sorted({node.get_name() for node in all_shown() if node.get_name()})
    sys.exit(f"There is no {what} on the screen, only: {names}")


def button(name: str) -> Callable[[Any], bool]:
    """A button of this name that can be pressed."""

    def fits(node: Any) -> bool:
        usable = node.get_state_set().contains(Atspi.StateType.ENABLED)
        return bool(usable and node.get_role_name() in BUTTONS and re.fullmatch(name, node.get_name()))

    return fits


def press(name: str) -> None:
    """Press a button; what can only be switched is clicked where it stands, as its action does not go anywhere yet."""
    node = wait(f"button {name}", button(name))
    if node.get_action_name(0) == "Press":
        node.do_action(0)
        return
    place = node.get_extents(Atspi.CoordType.SCREEN)
    at = (str(place.x + place.width // 2), str(place.y + place.height // 2))
    subprocess.run(["xdotool", "mousemove", *at, "click", "1"], check=True)


def words(pattern: str) -> str:
    """The words on the screen that hold a pattern, once they are there."""
    node = wait(f"text {pattern}", lambda node: re.search(pattern, node.get_name() or "") is not None)
    return str(node.get_name())


def main() -> None:
    """The walk."""
    arguments = [word for word in sys.argv[1:] if not word.startswith("--")]
    report, full = Path(arguments[0]), "--full" in sys.argv
    pictures = Path(arguments[1]) if len(arguments) > 1 else None

    def picture(name: str) -> None:
        if pictures is not None:
            time.sleep(0.5)
            subprocess.run(["import", "-window", "root", str(pictures / f"{name}.png")], check=True)

    print("read:", words(r"^We read \d+ rows")[:60])
    picture("1-dataset")
    press("Choose the question")
    press("no medal")
    press("bronze")
    print("asked:", words(r"The rest is “silver”, “gold”"))
    picture("2-question")
    press(r"Run.*")
    print("fitted:", words(r"Done in"))
    picture("3-fitted")
    press("Results")
    print("results:", words(r"Up to date"))
    picture("4-results")
    press("Report")
    print("report:", words(r"^Page 1 of \d+"))
    press(r"Save report \(PDF\)")
    # In the nouns of the file: raters, judges.
    press(r"How are the \w+ called\? \w+ by name")
    press("Go on")
    name = wait("place for the name", lambda node: node.get_role_name() == "text" and "name" in node.get_name().lower())
    name.set_text_contents(str(report))
    press("&?Save")
    if full:
        print("full disk:", words(r"disk is full"))
        picture("5-full")
        if report.exists():
            sys.exit("A piece of a report was left on the full disk.")
        return
    print("saved:", words(r"^Saved \d+ pages"))
    picture("5-report")
    if not report.read_bytes().startswith(b"%PDF"):
        sys.exit(f"{report} is no PDF.")


if __name__ == "__main__":
    main()
