"""Numbers as the computer of the user writes them: on screen and on the clipboard, in no file."""

import re

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QLabel

from tapdesk.answers.signs import POINT, Signs
from tapdesk.gui.theme.theme import signs
from tapdesk.project.files.file import load, save

LONG = 240_000
POINTED = re.compile(r"(?<![\w.,])\d+\.\d+(?![\w.,])")
GERMANY = QLocale(QLocale.Language.German, QLocale.Country.Germany)


@pytest.fixture
def german():
    before = QLocale()
    QLocale.setDefault(GERMANY)
    yield
    QLocale.setDefault(before)


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("language", "country", "wanted"),
    [
        (QLocale.Language.German, QLocale.Country.Germany, Signs(",", ".")),
        (QLocale.Language.French, QLocale.Country.France, Signs(",", "\u202f")),
        (QLocale.Language.English, QLocale.Country.UnitedKingdom, POINT),
        (QLocale.Language.German, QLocale.Country.Switzerland, Signs(".", "'")),
        # Digits of another script are not drawn by our fonts: signs of one script between digits of another mislead.
        (QLocale.Language.Arabic, QLocale.Country.Egypt, POINT),
    ],
)
def test_the_signs_are_those_of_the_computer(language, country, wanted):
    QLocale.setDefault(QLocale(language, country))
    assert signs() == wanted


def shown(pane):
    return [label.text() for label in pane.findChildren(QLabel) if label.text() and not label.isHidden()]


@pytest.mark.usefixtures("german")
def test_a_german_computer_shows_commas_and_its_files_keep_points(fitted, monkeypatch, tmp_path):
    fitted.go(2)
    results = fitted.results
    t = fitted.session.document.analysis.fit.estimate("t")
    cell = results.strip.cells[0]
    assert cell.value == f"{t.value:.2f}".replace(".", ",")
    assert cell.interval == f"{t.low:.2f} to {t.high:.2f}".replace(".", ",")
    # Nothing that is read has a point: sentences, captions, hover, descriptions, tables.
    read = [*shown(results), *shown(fitted.model), fitted.status.right.text(), fitted.status.left.text()]
    for block in results.blocks:
        header, rows = block.rows
        read += [*header, *(cell for row in rows for cell in row), block.body.accessibleDescription()]
    view = results.part_blocks["coefficients"].body.picture
    read += [view.words_at(view.width() / 2, y) for y in range(0, view.height(), 8)]
    read += [results.part_blocks["movement"].ridge.words_at(10), view.accessibleDescription()]
    assert [words for words in read if POINTED.search(words)] == []
    assert sum(bool(re.search(r"\d,\d\d", words)) for words in read) > 20

    # The clipboard is read by a spreadsheet of this computer: its decimal sign, no groups.
    results.part_blocks["search"].copy_table()
    start, steps, first, last = QApplication.clipboard().text().splitlines()[1].split("\t")
    assert start
    assert int(steps) > 1
    assert re.fullmatch(r"-\d{3,},\d{4}", first)
    assert float(first.replace(",", ".")) <= float(last.replace(",", "."))
    assert f"<td>{first}</td>" in QApplication.clipboard().mimeData().html()

    # A picture is saved as it is printed.
    place = tmp_path / "agreement.svg"
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.file_to_save", lambda *_: (str(place), "Drawing (*.svg)"))
    results.part_blocks["coefficients"].save_picture()
    drawn = re.findall(r">([^<]*)</", place.read_text(encoding="utf-8"))
    assert any(re.search(r"0\.\d\d, 0\.\d\d to 0\.\d\d", words) for words in drawn)
    assert not any(re.search(r"0,\d", words) for words in drawn)
    results.part_blocks["coefficients"].copy_picture()
    data = QApplication.clipboard().mimeData()
    assert isinstance(data.imageData(), QImage)
    assert QSvgRenderer(data.data("image/svg+xml")).isValid()
    # The file ends with the mark by which it is known again.
    assert place.read_bytes().startswith(data.data("image/svg+xml").data().rstrip())

    # The project keeps the numbers and the words of the fit as every computer reads them.
    save(fitted.session.document.project, tmp_path / "jury.tapdesk")
    kept = load(tmp_path / "jury.tapdesk").analyses[0].fit
    assert kept.estimate("t") == t
    assert [f.message for f in kept.findings] == [f.message for f in fitted.session.document.analysis.fit.findings]


@pytest.mark.usefixtures("german")
def test_a_picture_worked_out_beside_the_window_is_shown_with_commas_and_kept_with_points(fitted, qtbot):
    fitted.go(2)
    more = fitted.results.figure_chooser
    at = next(i for i in range(more.choice.count()) if more.choice.itemData(i) == "influence")
    more.choice.setCurrentIndex(at)
    more.choice.activated.emit(at)
    qtbot.waitUntil(lambda: more.rows is not None, timeout=LONG)
    _header, rows = more.rows
    assert [cell for row in rows for cell in row if POINTED.search(cell)] == []
    _kind, panels = more._for_a_file()
    labels = [mark.label for panel in panels for mark in panel.marks]
    assert any(POINTED.search(label) for label in labels)
    assert not any(re.search(r"\d,\d\d\b", label) for label in labels)
