"""What the window says of a file that has words of its own: patients, nurses and answers are called so."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QTableView, QWidget

from tapdesk.answers.literature import WORKS
from tapdesk.gui.dataset.dataset_pane import rated_by
from tapdesk.gui.shell.table_dialogs import CleanedDialog, SheetsDialog

from .conftest import LONG, worked_out
from .readable import plain

OURS = re.compile(r"\b(?:cases?|raters?)\b", re.IGNORECASE)
# What a column of the file is for, whatever it is called: words of the program and not of the file.
ROLES = re.compile(r"(Case|Rater|Rating) column.*|Raters people.*|one column per rater|Layout.*", re.IGNORECASE)
# Works are called as they were published.
NAMES = {work.work for work in WORKS}


def said(window):
    """What labels and buttons of the window say."""
    for kind in (QLabel, QAbstractButton):
        yield from (plain(one.text()) for one in window.findChildren(kind) if one.text() and one.isVisible())


def heard(root):
    """All that is read of a part of the window, names for screen readers, rows of lists and heads of tables too."""
    for one in [root, *root.findChildren(QWidget)]:
        if one.isVisibleTo(root):
            yield from (plain(t) for t in (one.accessibleName(), one.accessibleDescription(), one.toolTip()) if t)
        if isinstance(one, QLabel | QAbstractButton) and one.isVisibleTo(root):
            yield plain(one.text())
        if isinstance(one, QComboBox) and one.isVisibleTo(root):
            yield from (one.itemText(i) for i in range(one.count()))
        if isinstance(one, QTableView) and one.isVisibleTo(root):
            heads = one.model()
            yield from (str(heads.headerData(i, Qt.Orientation.Horizontal)) for i in range(heads.columnCount()))


def ours(texts):
    """Those that speak of cases or raters, where the file has words of its own."""
    rest = texts
    for name in NAMES:
        rest = [text.replace(name, "") for text in rest]
    return sorted({text for text in rest if OURS.search(text) and not ROLES.fullmatch(text)})


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(lambda i, k: "yn"[(i % 3 == 0) ^ (i * k % 7 == 1)], id="raters who know"),
        # Thousands of steps along flat ridges.
        pytest.param(lambda i, k: "yn"[i * k % 7 > 2], id="raters at odds", marks=pytest.mark.slow),
    ],
)
def test_the_nouns_of_the_file_are_said_by_data_model_and_results(window, qtbot, tmp_path, monkeypatch, answer):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 50)
    file = tmp_path / "wards.csv"
    rows = [f"p{i},{name},{answer(i, k)}\n" for i in range(60) for k, name in enumerate(("Ana", "Ben", "Cy"), 1)]
    file.write_text("patient,nurse,answer\n" + "".join(rows))
    window.open_file(str(file))
    qtbot.waitUntil(lambda: window.session.document.project.reading is not None, timeout=LONG)
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        window.run()
    found = {}
    # The report has an outline of its own, and the words of its checklist.
    for pane in range(3):
        window.go(pane)
        if pane == 2:
            qtbot.waitUntil(lambda: worked_out(window), timeout=LONG)
        found |= {
            text: pane for text in said(window) if OURS.search(text) and text not in NAMES and not ROLES.fullmatch(text)
        }
        found |= dict.fromkeys(ours(heard(window.panes.currentWidget())), pane)
    assert found == {}, "\n".join(f"{pane} {text!r}" for text, pane in found.items())


def test_tables_dialogs_and_the_search_are_in_the_nouns_of_the_file(window, qtbot, tmp_path, theme):
    file = tmp_path / "wards.csv"
    rows = [f"p{i},{name},{'yn'[i % 2]},{k}\n" for i in range(20) for k, name in enumerate(("Ana", "Ben", "Cy"))]
    file.write_text("patient,nurse,answer,minute\n" + "".join(rows))
    window.open_file(str(file))
    qtbot.waitUntil(lambda: window.session.document.project.reading is not None, timeout=LONG)
    project = window.session.document.project
    assert rated_by(project.all_classes)[0] == ("Nurse", "Patients rated", "Not rated")
    dialog = CleanedDialog(theme, window, project)
    qtbot.addWidget(dialog)
    words = list(heard(dialog))
    assert "Nurses by name" in words
    assert "A row for each patient" in words
    assert ours(words) == []
    sheets = SheetsDialog(theme, window, project, str(tmp_path))
    qtbot.addWidget(sheets)
    words = list(heard(sheets))
    assert {"Patients called 1, 2, 3 …", "The patients of the open answers", "Hidden repeats for each nurse"} <= set(
        words
    )
    assert "A workbook with the key, and copies for 3 nurses with 20 lines each." in words
    assert ours(words) == []
    menus = {key: window.actions_[key].text() for key in ("find", "codes", "letters")}
    assert menus == {
        "find": "&Find in the answers", "codes": "Nurses as &codes", "letters": "Private &letters to the nurses…",
    }  # fmt: skip
    window.dataset.find_bar.begin()
    assert window.dataset.find_bar.line.placeholderText() == "Find a patient, a nurse or an answer"


def test_a_whole_form_is_in_its_own_nouns(window, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS", 60)
    monkeypatch.setattr("tapdesk.studies.criteria._TEST_DRAWS", 10)
    file = tmp_path / "wards.csv"
    kinds = ("Plan told", "Pulse taken", "Allergy asked", "Bed low")
    rows = [
        f"p{i},{name},"
        + ",".join("Yes" if q == 3 or (i * (q + 1) + k * (i % 7 < q)) % 5 > 1 else "No" for q in range(4))
        for i in range(40)
        for k, name in enumerate(("Ana", "Ben", "Cy"))
    ]
    file.write_text("\n".join(["Patient,Nurse," + ",".join(kinds), *rows]))
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.session.open(str(file))
    found = {0: ours(heard(window.dataset))}
    window.go(2)
    block = window.results.questions
    block.begin.click()
    qtbot.waitUntil(lambda: block.result is not None, timeout=LONG)
    read = list(heard(window.results))
    for at in range(len(kinds)):
        block.table_view.selectRow(at)
        read += heard(block)
    read += [act.text() for act in block.sorting._menu.actions()]
    assert "fewest patients first" in read
    assert any("patients" in text for text in read)
    found[2] = ours(read)
    assert found == {0: [], 2: []}
