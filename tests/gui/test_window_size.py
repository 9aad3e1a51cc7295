"""Windows beside the main one stay on the screen, whatever the size of the text."""

import pytest
from PySide6.QtWidgets import QDialog

from tapdesk.gui.model.model_pane import WhyWindow
from tapdesk.gui.theme.theme import ColourScheme
from tapdesk.gui.widgets.layouts import WindowSize


@pytest.fixture
def usual(theme):
    yield theme
    theme.use(ColourScheme.LIGHT, 100)


def test_a_window_grows_with_the_text_and_never_beyond_the_screen(qtbot, usual):
    dialog = QDialog()
    qtbot.addWidget(dialog)
    WindowSize(dialog, usual, 300, 200)
    assert (dialog.width(), dialog.height()) == (300, 200)
    usual.use(ColourScheme.LIGHT, 150)
    assert (dialog.width(), dialog.height()) == (450, 300)
    WindowSize(dialog, usual, 5000, 5000)
    room = dialog.screen().availableGeometry()
    # Its own frame has room as well.
    assert dialog.width() < room.width()
    assert dialog.height() <= room.height() - 32


def test_another_look_leaves_the_size_the_user_chose(qtbot, usual):
    dialog = QDialog()
    qtbot.addWidget(dialog)
    WindowSize(dialog, usual, 300, 200)
    dialog.resize(350, 260)
    usual.use(ColourScheme.DARK)
    assert (dialog.width(), dialog.height()) == (350, 260)


def test_the_way_out_of_a_window_is_on_the_screen_in_the_largest_letters(window, qtbot, usual):
    usual.use(ColourScheme.LIGHT, 200)
    page = WhyWindow(usual, window)
    qtbot.addWidget(page)
    page.show()
    assert page.height() <= page.screen().availableGeometry().height() - 32
