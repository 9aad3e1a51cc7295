"""The picture of how far numbers would move: room for every row, names told apart, nothing drawn of what is open."""

import numpy as np
import pytest

from tapdesk.answers.parameter_names import picture_names, two_words
from tapdesk.estimate import Estimate, undefined
from tapdesk.gui.pictures.ridge import RidgePlot
from tapdesk.models.parameters import ParameterName

DRAWS = np.linspace(0.2, 0.4, 50)
LONG = ("t[Medication error without any consequence]", "t[Medication error with consequence]")


@pytest.fixture
def ridge(qtbot, theme):
    made = RidgePlot(theme, "How far would the numbers move?")
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


def test_what_each_number_is_a_share_of_is_written_where_there_is_room_and_told_always(ridge):
    names = [ParameterName(name) for name in ("t", "a0", "a1", "p")]
    ridge.reset([*map(str, names)], picture_names(names, ("no", "yes")))
    for name in names:
        ridge.grow(str(name), DRAWS)
    ridge.show()
    ridge.resize(900, 260)
    wide = ridge.grab().toImage()
    assert ridge._with_words()
    told = [ridge.words_at(y) for y in (20, 70, 120, 170)]
    assert told == [words for words in told if "middle 0.30" in words]
    assert told[1].startswith("a “no”: follows a true “no”, middle")
    assert told[2].startswith("a “yes”: follows a true “yes”, middle")
    assert [row[0] for row in ridge.table()[1]] == [
        "t, truly “yes”",
        "a, follows a true “no”",
        "a, follows a true “yes”",
        "p, chance “yes”",
    ]
    # Without them the room is given to the rows.
    left = ridge._plot().left()
    ridge.resize(300, 260)
    assert not ridge._with_words()
    assert ridge._plot().left() < left
    ridge.resize(900, 260)
    ridge.reset([*map(str, names)])
    for name in names:
        ridge.grow(str(name), DRAWS)
    assert ridge.grab().toImage() != wide


def test_numbers_by_class_and_of_raters_are_worded_each_in_their_way():
    classes = ("no", "yes", "perhaps")
    assert two_words(ParameterName("t", "perhaps"), classes) == "truly “perhaps”"
    assert two_words(ParameterName("a", "no"), classes) == "follows a true “no”"
    assert two_words(ParameterName("p", "no", rated="yes"), classes) == "chance “yes”, where it is “no”"
    assert two_words(ParameterName("a", rater="Ana"), classes) == ""
    assert two_words(ParameterName("a"), ("no", "yes")) == "follows the case"
    assert two_words(ParameterName("p1"), ("no", "yes")) == "chance, where it is “yes”"
    alike = ("Medication error without any consequence", "Medication error with consequence")
    assert two_words(ParameterName("a0"), alike) != two_words(ParameterName("a1"), alike)
