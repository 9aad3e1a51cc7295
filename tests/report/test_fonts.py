"""What the bundled faces can show."""

import io
from datetime import UTC, datetime

import pypdfium2
import pytest

from tapdesk.answers import fonts
from tapdesk.answers.charts import forest
from tapdesk.answers.content import Column, Picture, Table
from tapdesk.answers.figure import Role
from tapdesk.answers.numbers import REPORT
from tapdesk.estimate import Estimate
from tapdesk.report.forms.pdf import pdf
from tapdesk.report.report import Report, Section

FACES = ("Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf", "Inter-Italic.otf", "Inter-SemiBoldItalic.otf")


@pytest.mark.parametrize("name", FACES)
def test_every_bundled_face_has_the_same_characters(name):
    assert set(fonts.face(name).glyphs) == set(fonts.face().glyphs)


NAMES = {
    "Chinese": "王小明",
    "traditional Chinese": "陳美鳳",
    "Japanese": "たなか サクラ 山田太郎",
    "Korean": "김민준",
    "Russian": "Иван Петров",
    "Greek": "Ωμέγα Παπαδοπούλου",
    "Thai": "สมชาย ใจดี น้ำ",
    "Hindi": "प्रिया शर्मा क्षत्रिय",
    "Bengali": "বাংলা নাম",
    "Tamil": "தமிழ் பெயர்",
    "Georgian": "გიორგი",
    "Armenian": "Արամ",
    "Arabic": "محمد علي",
    "Hebrew": "שרה לוי",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_of_many_scripts_stand_as_themselves_in_text_and_figure_of_a_page(name):
    missing = set()
    assert fonts.shown(name, missing).replace("\u200e", "") == name
    assert not missing
    bars = forest([(name, Estimate(0.5, low=0.4, high=0.6), Role.MODEL)], REPORT, kind="x", title="A title", note="")
    table = Table("A table", (Column("Rater"),), ((name,),))
    blocks = (Picture("A title", (bars,)), table)
    made = Report("T", "", (), (Section("s", "S", blocks),), "", "", datetime(2025, 5, 14, tzinfo=UTC))
    # The compiler fails where a sign of a page or a figure has no character behind it: nothing is left out for that.
    with pypdfium2.PdfDocument(io.BytesIO(pdf(made))) as document:
        words = document[0].get_textpage().get_text_bounded()
    assert "U+" not in words
    # The order of what is joined or runs leftwards is the reader's; every letter is there.
    assert set(name) - {" "} <= set(words)


def test_the_signs_of_chinese_japanese_and_korean_are_all_there():
    assert all(map(fonts.printable, map(chr, range(0x4E00, 0x9FA6))))
    assert all(map(fonts.printable, map(chr, range(0xAC00, 0xD7A4))))
    assert all(map(fonts.printable, map(chr, (*range(0x3041, 0x3095), *range(0x30A1, 0x30F7)))))


def test_a_script_whose_signs_are_joined_is_set_in_its_own_face():
    assert fonts.family("प्रिया") == "Noto Sans Devanagari, Inter, sans-serif"
    assert fonts.family("Rater สมชาย") == "Noto Sans Thai, Inter, sans-serif"
    assert fonts.family("王小明") == fonts.family("Ana") == "Inter, sans-serif"


def test_figures_and_greek_are_printable_and_signs_of_no_face_are_not():
    assert all(fonts.printable(c) for c in "0123456789.,−–…“”ÄÖÜßéàœŁΑβγωЖя·≤")
    assert all(fonts.printable(c) for c in "محمدعلي٣پשרהלוי")
    assert not any(fonts.printable(c) for c in "😀ᚠ\x07\ue000\ud800")


def test_a_name_the_faces_lack_is_shown_by_its_codes_and_remembered():
    missing = set()
    assert fonts.shown("ᚠᚢ Ωμέγα", missing) == "[U+16A0 U+16A2] Ωμέγα"
    assert missing == {"ᚠ", "ᚢ"}


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
