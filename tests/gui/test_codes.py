"""Raters by name or by code, wherever results name them."""

import re

from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from tapdesk.answers.naming import RatersAs, naming
from tapdesk.answers.question import QUESTIONS

LONG = 240_000
NAMES = re.compile(r"\b(Ana|Ben|Carla|Dimitri)\b")


def answered(window, qtbot):
    window.session.choose(question=QUESTIONS[1], interval="wald")
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    window.go(1)
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        window.run()
    window.go(2)
    qtbot.waitUntil(lambda: not window.session.side_studies.current.waiting, timeout=LONG)


def everything_said(pane):
    """Every word of a pane that can be read, heard, or copied as a table."""
    said = [label.text() for label in pane.findChildren(QLabel)]
    for widget in pane.findChildren(QWidget):
        said += [widget.accessibleName(), widget.accessibleDescription(), widget.toolTip()]
    return "\n".join(said)


def tables(results):
    blocks = [block for block in results.blocks if block.rows is not None]
    return "\n".join("\t".join(row) for block in blocks for row in (block.rows[0], *block.rows[1]))


def test_codes_hide_every_name_of_the_results_and_of_the_run(jury, qtbot):
    answered(jury, qtbot)
    assert NAMES.search(tables(jury.results))
    jury.actions_["codes"].trigger()
    codes = naming(jury.session.document.project, RatersAs.CODES)
    for pane in (jury.results, jury.model):
        assert NAMES.search(everything_said(pane)) is None
    assert NAMES.search(tables(jury.results)) is None
    assert NAMES.search(jury.model.running.ridge.describe()) is None
    _, rows = jury.results.part_blocks["raters"].rows
    assert {row[0] for row in rows} == {codes.rater(name) for name in ("Ana", "Ben", "Carla", "Dimitri")}
    jury.actions_["codes"].trigger()
    assert NAMES.search(tables(jury.results))
    assert not jury.actions_["codes"].isChecked()


def test_numbers_stay_with_their_rater_when_names_become_codes(jury, qtbot):
    answered(jury, qtbot)
    codes = naming(jury.session.document.project, RatersAs.CODES)
    _, named = jury.results.part_blocks["raters"].rows
    _, pairs = jury.results.part_blocks["pairs"].rows
    jury.actions_["codes"].trigger()
    _, coded = jury.results.part_blocks["raters"].rows
    assert [(codes.rater(row[0]), *row[1:]) for row in named] == [tuple(row) for row in coded]
    _, coded_pairs = jury.results.part_blocks["pairs"].rows
    before = {frozenset(map(codes.rater, row[:2])): row[2:] for row in pairs}
    after = {frozenset(row[:2]): row[2:] for row in coded_pairs}
    assert len(before) == 6
    assert before == after


def test_names_codes_and_letters_stand_at_the_foot_of_the_raters(jury, qtbot, monkeypatch):
    answered(jury, qtbot)
    (block,) = [one for one in jury.results.blocks if one.part.key == "raters"]
    assert block.called.value is False
    assert "before turning the screen" in block.hint.text()
    codes, names = block.called.findChildren(QAbstractButton)[1], block.called.findChildren(QAbstractButton)[0]
    codes.click()
    qtbot.waitUntil(lambda: not NAMES.search(tables(jury.results)), timeout=LONG)
    assert jury.actions_["codes"].isChecked()
    names.click()
    qtbot.waitUntil(lambda: bool(NAMES.search(tables(jury.results))), timeout=LONG)
    assert not jury.actions_["codes"].isChecked()
    # From the menu the foot follows.
    jury.actions_["codes"].trigger()
    qtbot.waitUntil(lambda: block.called.value is True, timeout=LONG)
    asked = []
    monkeypatch.setattr(jury, "on_report", asked.append)
    block.letters.click()
    assert len(asked) == 1
