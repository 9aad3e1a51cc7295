"""Four sheets of four trades go from file to a right table, by mouse and by keyboard, without a wrong guess."""

import json
import random

import openpyxl
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tapdesk.project.review_state import blocking_findings, finding_states
from tests.gui.dataset_clicks import LEFT, LONG, link

LABELS = ("trust", "fear", "joy")


def audit(rng, place):
    """24 questions of three auditors about each record, in a workbook."""
    book = openpyxl.Workbook()
    book.active.append(["Record no.", "Auditor", "Ward", *(f"Was item {q + 1} documented?" for q in range(24))])
    said = {}
    for case in range(20):
        true = [rng.random() < 0.7 for _ in range(24)]
        for who in ("Adams", "Brown", "Chen"):
            given = ["Yes" if (t if rng.random() < 0.8 else rng.random() < 0.6) else "No" for t in true]
            given = ["n/a" if rng.random() < 0.04 else g for g in given]
            book.active.append([f"R{case:03}", who, ("North", "South")[case % 2], *given])
            said |= {(f"R{case:03}", who): given[0]} if given[0] != "n/a" else {}
    book.save(place)
    return said


def annotations(rng, place):
    """Sets of labels, one record for each text and annotator, as programs write them."""
    said, lines = {}, []
    for text in range(30):
        true = {label for label in LABELS if rng.random() < 0.4}
        for who in ("ann1", "ann2", "ann3"):
            own = [label for label in LABELS if (label in true) == (rng.random() < 0.85)]
            lines.append(json.dumps({"text_id": f"t{text:03}", "annotator": who, "labels": own}))
            said[f"t{text:03}", who] = "; ".join(own) or "none"
    place.write_text("\n".join(lines))
    return said


def jury(rng, place):
    """Four judges and the mean of them beside."""
    said, lines = {}, ["Wine,Huber,Maier,Schmid,Weber,Mittelwert"]
    for wine in range(30):
        true = rng.gauss(14, 2)
        given = [max(8, min(20, round(true + rng.gauss(0, 1.2)))) for _ in range(4)]
        lines.append(f"W{wine + 1},{','.join(map(str, given))},{sum(given) / 4:.2f}")
        said |= {(f"W{wine + 1}", who): str(g) for who, g in zip(lines[0].split(",")[1:5], given, strict=True)}
    place.write_text("\n".join(lines))
    return said


def screening(rng, place):
    """Two of three reviewers vote on each study, in the columns of Covidence."""
    said, lines = {}, ["Study Id,Title,Reviewer A,Vote A,Reviewer B,Vote B,Consensus"]
    for study in range(40):
        true = rng.random() < 0.3
        pair = rng.sample(["Ana", "Ben", "Cem"], 2)
        votes = ["Include" if (true if rng.random() < 0.85 else rng.random() < 0.4) else "Exclude" for _ in pair]
        cells = [cell for both in zip(pair, votes, strict=True) for cell in both]
        lines.append(",".join([str(1000 + study), f"Study {study}", *cells, "Include" if true else "Exclude"]))
        said |= {(str(1000 + study), who): vote for who, vote in zip(pair, votes, strict=True)}
    place.write_text("\n".join(lines))
    return said


# The sheet, its name, and what has to be answered.
JOURNEYS = {
    "audit": (audit, "audit.xlsx", "No rating in all"),
    "annotations": (annotations, "annotations.jsonl", "A blank cell: no label applies"),
    "jury": (jury, "jury.csv", "Leave out Mittelwert"),
    "screening": (screening, "screening.csv", None),
}


def shown(window):
    """What the window says each rater said of each case."""
    ratings = window.session.document.project.ratings
    return {
        (ratings.subjects[s], ratings.raters[r]): ratings.classes[c]
        for s, r, c in zip(ratings.subject, ratings.rater, ratings.category, strict=True)
    }


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
@pytest.mark.parametrize("journey", JOURNEYS)
def test_from_a_file_to_a_right_table(window, qtbot, tmp_path, journey, by):
    make, name, answer = JOURNEYS[journey]
    said = make(random.Random(11), tmp_path / name)
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_file(str(tmp_path / name))
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    project = window.session.document.project
    if answer is not None:
        fixes = [str(fix.words) for state in finding_states(project) if state.open for fix in state.fixes]
        words = next(w for w in fixes if w.startswith(answer))
        before = window.session.document.project
        if by == "mouse":
            qtbot.mouseClick(link(window, words), LEFT)
        else:
            window.actions_["next_question"].trigger()
            # What is asked first is what is to be answered, and its first answer is the one an expert gives.
            assert QApplication.focusWidget().text() == words
            qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: window.session.document.project is not before, timeout=LONG)
    project = window.session.document.project
    assert not blocking_findings(project)
    assert shown(window) == said
    qtbot.waitUntil(window.actions_["run"].isEnabled, timeout=LONG)
