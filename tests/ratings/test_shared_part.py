"""What the names of all rating columns share is dropped from the raters' names, and told; options take both names."""

import random

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.reading import read_now
from tests.ratings.telling import asks, blocks, codes, rows, told


def sheet(tmp_path, heads, classes=("no", "yes"), more=()):
    """A sheet with a case in each row, where raters mostly agree."""
    draw = random.Random(7)
    lines = [",".join(("Case", *heads, *more))]
    for i in range(30):
        truth = draw.choice(classes)
        given = [truth if draw.random() < 0.8 else draw.choice(classes) for _head in heads]
        lines.append(",".join((f"C{i:02}", *given, *("north" if i % 3 else "south" for _more in more))))
    path = tmp_path / "sheet.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("heads", "part", "raters"),
    [
        (("p_Ana", "p_Ben", "p_Cy"), "p_", ("Ana", "Ben", "Cy")),
        (("Rating - Ana", "Rating - Ben"), "Rating -", ("Ana", "Ben")),
        (("Bewertung Ana", "Bewertung Jörg", "Bewertung Cy"), "Bewertung", ("Ana", "Jörg", "Cy")),
        (("note_ana", "note_benoît", "note_cy"), "note_", ("ana", "benoît", "cy")),
        (("puntuación: Ana", "puntuación: Ben"), "puntuación:", ("Ana", "Ben")),
        (("Is the wound clean? [Ana]", "Is the wound clean? [Ben]"), "Is the wound clean?", ("Ana", "Ben")),
        (("Is the wound clean? Ana", "Is the wound clean? Ben"), "Is the wound clean?", ("Ana", "Ben")),
        (("Q7_Ana", "Q7_Ben", "Q7_Cy"), "Q7_", ("Ana", "Ben", "Cy")),
        (("Ana_score", "Ben_score", "Cy_score"), "_score", ("Ana", "Ben", "Cy")),
        (("Ana (grade)", "Ben (grade)"), "(grade)", ("Ana", "Ben")),
        (("Rating - Dr Ana", "Rating - Dr Ben"), "Rating -", ("Dr Ana", "Dr Ben")),
        (("rating_Ana_v2", "rating_Ben_v2"), "rating_", ("Ana", "Ben")),
    ],
)
def test_what_all_rating_columns_share_is_no_part_of_a_rater(tmp_path, heads, part, raters):
    reading = read_now(sheet(tmp_path, heads))
    assert reading.ratings.raters == raters
    assert f"“{part}”" in told(reading, "shared_name_part").message
    assert all(name in told(reading, "shared_name_part").message for name in raters)
    # No rating is moved: what each rater said is what stands in the column.
    assert rows(reading) == rows(read_now(sheet(tmp_path, raters)))


@pytest.mark.parametrize(
    "heads",
    [
        ("Ana", "Ben", "Cy"),
        ("Rater 1", "Rater 2", "Rater 3"),
        ("Rater A", "Rater B"),
        ("Dr Ana", "Dr Ben"),
        ("J1", "J2", "J3"),
        ("Maria Huber", "Maria Maier"),
        ("Ana Smith", "Ben Smith"),
        ("Ana-Lena", "Ana-Marie"),
        ("J. Smith", "J. Miller"),
        ("Mark Smith", "Mark Jones"),
        ("Rating 1", "Rating 2", "Rating 3"),
        ("p_1", "p_2", "p_3"),
        ("Ana_p", "Ana_q", "Ben_p"),
        ("Prüfer_Ana", "Prüfer_Ben"),
    ],
)
def test_names_of_persons_and_seats_stay_whole(tmp_path, heads):
    reading = read_now(sheet(tmp_path, heads))
    assert reading.ratings.raters == heads
    assert "shared_name_part" not in codes(reading)


def test_a_single_rating_column_keeps_its_name(tmp_path):
    path = sheet(tmp_path, ("p_Ana", "p_Ben"))
    assert read_now(path, ReadingOptions(columns=("p_Ana",))).ratings.raters == ("p_Ana",)


def test_no_name_becomes_empty_or_that_of_another_column(tmp_path):
    heads = ("p_Case", "p_Ben", "p_Cy")
    assert read_now(sheet(tmp_path, heads)).ratings.raters == heads
    heads = ("p_Ana", "p_ana", "p_Cy")
    assert read_now(sheet(tmp_path, heads), ReadingOptions(layout=Layout.RATERS)).ratings.raters == heads
    heads = ("p", "p_Ana", "p_Ben")
    assert read_now(sheet(tmp_path, heads)).ratings.raters == heads


def test_options_take_the_names_of_the_file_and_the_short_ones(tmp_path):
    path = sheet(tmp_path, ("p_Ana", "p_Ben", "p_Cy", "p_gold"), more=("Ward",))

    def read(**given):
        return read_now(path, ReadingOptions(layout=Layout.RATERS, subject="Case", **given))

    both = [read(columns=names) for names in (("p_Ana", "p_Cy"), ("Ana", "Cy"), ("ana", "p_Cy"))]
    assert {r.ratings.raters for r in both} == {("Ana", "Cy")}
    assert rows(both[0]) == rows(both[1]) == rows(both[2])
    # The options as resolved read the same again.
    assert rows(read_now(path, both[0].options)) == rows(both[0])
    keyed = [read(known=name, columns=("Ana", "Ben", "Cy")) for name in ("p_gold", "gold")]
    assert rows(keyed[0]) == rows(keyed[1])
    assert keyed[0].ratings.known
    assert keyed[0].ratings.raters == ("Ana", "Ben", "Cy")
    chosen = [read(where=((name, "yes"),), columns=("Ana", "Ben")) for name in ("p_Ana", "Ana")]
    assert rows(chosen[0]) == rows(chosen[1])
    assert set(chosen[0].ratings.classes) == {"no", "yes"}
    assert chosen[0].ratings.subject_count < 30
    assert str(told(chosen[0], "rest_of_file").message) == str(told(chosen[1], "rest_of_file").message)
    with pytest.raises(TapdeskError, match="There is no column 'Dora'"):
        read(columns=("Ana", "Dora"))


def test_a_short_name_of_several_columns_is_the_name_of_none(tmp_path):
    path = sheet(tmp_path, ("Q1_Ana", "Q1_Ben", "Q2_Ana", "Q2_Ben"))
    with pytest.raises(TapdeskError, match="There is no column 'Ana'"):
        read_now(path, ReadingOptions(columns=("Ana", "Ben")))
    reading = read_now(path, ReadingOptions(columns=("Q2_Ana", "Q2_Ben")))
    assert reading.ratings.raters == ("Ana", "Ben")


def test_several_questions_keep_their_names_until_one_is_chosen(tmp_path):
    path = sheet(tmp_path, ("p_Q1_Ana", "p_Q1_Ben", "p_Q2_Ana", "p_Q2_Ben"))
    reading = read_now(path)
    assert "several_questions" in blocks(reading)
    assert reading.ratings.raters[0] == "p_Q1_Ana"
    question = told(reading, "several_questions").about[0][0]
    one = read_now(path, ReadingOptions(layout=Layout.RATERS, only=question))
    assert one.ratings.raters == ("Ana", "Ben")


@pytest.mark.parametrize(
    "heads",
    [
        ("Wound score", "Pain score", "Sleep score"),
        ("item_a", "item_b", "item_c"),
    ],
)
def test_what_may_be_questions_is_asked_about_under_its_own_name(tmp_path, heads):
    reading = read_now(sheet(tmp_path, heads))
    assert reading.ratings.raters == heads
    assert asks(reading)


def test_the_header_of_the_window_and_of_the_options_are_one(tmp_path):
    reading = read_now(sheet(tmp_path, ("p_Ana", "p_Ben", "p_Cy"), more=("Ward",)))
    assert reading.preview.header == ("Case", "Ana", "Ben", "Cy", "Ward")
    assert reading.source.rating_columns == ("Ana", "Ben", "Cy")
    assert reading.preview.rows[0] == ("Case", "p_Ana", "p_Ben", "p_Cy", "Ward")
