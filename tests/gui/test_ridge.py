"""The picture of how far numbers would move: room for every row, names told apart, nothing drawn of what is open."""

import numpy as np
import pytest

from tapdesk.estimate import Estimate, undefined
from tapdesk.gui.ridge import Ridge

DRAWS = np.linspace(0.2, 0.4, 50)
LONG = ("t[Medication error without any consequence]", "t[Medication error with consequence]")


@pytest.fixture
def ridge(qtbot, theme):
    made = Ridge(theme, "How far would the numbers move?")
    qtbot.addWidget(made)
    return made


def test_every_row_has_room_however_many_come(ridge):
    before = ridge.minimumHeight()
    for i in range(25):
        ridge.grow(f"p[{i}]", DRAWS)
    assert ridge.minimumHeight() >= before + 15 * 20
    assert ridge.sizeHint().height() == ridge.minimumHeight()
    ridge.reset()
    assert ridge.minimumHeight() == before


def test_two_long_names_do_not_read_alike(ridge):
    for name in ("t[Fall]", LONG[0], "t[No event]", LONG[1], "a"):
        ridge.grow(name, DRAWS)
    # Their places among the classes, as the strip of numbers has them.
    assert [ridge._short(name)[-4:] for name in LONG] == [" (2)", " (4)"]
    assert ridge._short("t[Fall]") == "t “Fall”"
    assert ridge.table()[1][0][0] == "t “Fall”"
    assert "t “No event”: middle 0.30" in ridge.describe()
    assert "[" not in ridge.describe()
    assert ridge._short("a") == "a"


def test_a_number_without_a_value_shows_none_of_its_re_draws(ridge):
    ridge.grow("a", DRAWS)
    ridge.grow("p", DRAWS)
    ridge.mark("a", Estimate(0.3).between(0.2, 0.4, 0.95, "profile"), "0.30", "0.20 to 0.40")
    ridge.mark("p", undefined("Nobody guesses."), "–", "–")
    header, rows = ridge.table()
    assert [row[0] for row in rows] == ["a"]
    assert len(header) == len(rows[0])
    assert "p: these ratings leave it open." in ridge.describe()
    assert "a: middle 0.30" in ridge.describe()
