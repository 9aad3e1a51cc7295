"""The walk through the bundle finds its way by the words of the window: they are the same ones."""

import re
from pathlib import Path

from tests.gui.readable import everything

WALK = Path(__file__).resolve().parents[2] / "packaging" / "smoke_journey.py"
# Those of dialogs, and of what happens to a file.
ELSEWHERE = {"Go on", r"How are the \w+ called\? \w+ by name", "&?Save", "disk is full", r"^Saved \d+ pages"}
LONG = 240_000


def test_every_word_the_walk_looks_for_is_in_the_window(fitted, qtbot):
    wanted = set(re.findall(r'(?:press|words)\(r?"([^"]+)"\)', WALK.read_text("utf-8")))
    assert wanted >= ELSEWHERE
    assert len(wanted - ELSEWHERE) > 8
    fitted.go(3)
    qtbot.waitUntil(lambda: "Page 1" in fitted.report.page_words.text(), timeout=LONG)
    said = set(everything())
    missing = {pattern for pattern in wanted - ELSEWHERE if not any(re.search(pattern, words) for words in said)}
    assert not missing
