"""What the bundled faces can show."""

import pytest

from tapdesk.answers import fonts

FACES = ("Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf", "Inter-Italic.otf", "Inter-SemiBoldItalic.otf")


@pytest.mark.parametrize("name", FACES)
def test_every_bundled_face_has_the_same_characters(name):
    assert set(fonts.face(name).glyphs) == set(fonts.face().glyphs)


def test_figures_and_greek_are_printable_and_han_is_not():
    assert all(fonts.printable(c) for c in "0123456789.,−–…“”ÄÖÜßéàœŁΑβγωЖя·≤")
    assert all(fonts.printable(c) for c in "محمدعلي٣پשרהלוי")
    assert not any(fonts.printable(c) for c in "王小😀\x07\ue000\ud800")


def test_a_name_the_faces_lack_is_shown_by_its_codes_and_remembered():
    missing = set()
    assert fonts.shown("王小 Ωμέγα", missing) == "[U+738B U+5C0F] Ωμέγα"
    assert missing == {"王", "小"}


def test_a_name_from_right_to_left_is_held_by_marks_that_keep_the_numbers_after_it_in_order():
    said = fonts.shown("(محمد علي) 0.45 [0.3, 0.5]")
    assert said == "(\u200eمحمد علي\u200e) 0.45 [0.3, 0.5]"
    assert fonts.shown("Rater שרה לוי: 7") == "Rater \u200eשרה לוי\u200e: 7"
    assert fonts.width("\u200eעלי\u200e", 13) == fonts.width("עלי", 13) > 13


def test_invisible_characters_cannot_turn_a_text_round():
    assert fonts.shown("a\u202eb\u200b\ufeff\tc\nd") == "ab c d"


def test_a_control_character_is_shown_by_its_code():
    assert fonts.shown("a\x07b") == "a[U+0007]b"


def test_plain_text_stays_as_it_is():
    assert fonts.shown("Ward 7, “gold”") == "Ward 7, “gold”"


def test_semi_bold_is_wider_than_regular():
    assert 80 < fonts.width("Share of wines", 13) < fonts.width("Share of wines", 13, bold=True) < 105


def test_a_label_too_long_for_its_room_keeps_both_ends():
    short = fonts.fitted("severe adverse drug reaction of grade 3 or higher", 13, 120)
    assert short.startswith("severe")
    assert short.endswith("er")
    assert "…" in short
    assert fonts.width(short, 13) <= 120


def test_a_per_cent_sign_never_begins_a_line():
    text = "at least 91 % of the pairs, 5 %, and 100 % at most"
    for room in range(60, 400, 3):
        lines = fonts.wrapped(text, 13, room)
        assert " ".join(lines).split() == text.split() or room < 70
        assert not any(line.startswith("%") for line in lines)


def test_wrapped_lines_hold_every_word_within_the_room():
    text = "the model differs from the data by at most one in a hundred cases"
    lines = fonts.wrapped(text, 13, 150)
    assert " ".join(lines) == text
    assert all(fonts.width(line, 13) <= 150 for line in lines)
