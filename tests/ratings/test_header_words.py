"""Headers in the languages of our users' spreadsheets."""

import pytest

GERMAN = """Nr;Datum;Prüfer;Patient;Befund
1;01.02.2024;A;x;gut
2;01.02.2024;B;x;schlecht
3;02.02.2024;A;y;gut
4;02.02.2024;B;y;gut
"""
FRENCH = """Vin;Dégustateur;Note
V1;Anne;12,5
V1;Paul;13
V2;Anne;12,5
V2;Paul;12,5
"""
SPANISH = """Paciente;Juez 1;Juez 2;Edad
1;leve;grave;23
2;moderado;leve;45
3;grave;grave;67
"""


@pytest.mark.parametrize(
    ("written", "layout", "raters", "classes"),
    [
        (GERMAN, "long", ("A", "B"), {"gut", "schlecht"}),
        (FRENCH, "long", ("Anne", "Paul"), {"12,5", "13"}),
        (SPANISH, "raters", ("Juez 1", "Juez 2"), {"leve", "moderado", "grave"}),
    ],
    ids=["German", "French", "Spanish"],
)
def test_headers_in_other_languages_say_what_a_column_is(text, written, layout, raters, classes):
    reading = text(written)
    assert reading.source.layout.value == layout
    assert (reading.ratings.raters, set(reading.ratings.classes)) == (raters, classes)


def test_a_word_of_another_language_counts_only_where_the_header_speaks_it(text):
    # In German "Note" is the grade; here it is a remark.
    reading = text("case,rater,note,rating\n1,a,late,yes\n1,b,,no\n2,a,late,no\n2,b,,no\n")
    assert reading.ratings.classes == ("no", "yes")
