"""Every layout tells the same ratings."""

from itertools import product

import numpy as np
import pytest

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.ratings.options import Layout, RatersAre
from tapdesk.ratings.ratings import CovariateOf
from tapdesk.ratings.reading import rows_summary
from tests.ratings.telling import asks, codes, rows, told

EXPECTED = [
    ("P1", "Ana", "yes"),
    ("P1", "Ben", "no"),
    ("P2", "Ana", "no"),
    ("P2", "Ben", "no"),
    ("P3", "Ana", "yes"),
    ("P3", "Ben", "yes"),
]


@pytest.mark.parametrize(
    ("content", "layout"),
    [
        ("case,rater,rating\n" + "".join(f"{s},{r},{c}\n" for s, r, c in EXPECTED), Layout.LONG),
        ("case,Ana,Ben\nP1,yes,no\nP2,no,no\nP3,yes,yes\n", Layout.RATERS),
        ("Judge,P1,P2,P3\nAna,yes,no,yes\nBen,no,no,yes\n", Layout.SUBJECTS),
        ("case,judge,question,answer\n" + "".join(f"{s},{r},q1,{c}\n" for s, r, c in EXPECTED), Layout.LONG),
    ],
)
def test_one_table_in_any_layout_gives_the_same_ratings(text, content, layout):
    reading = text(content)
    assert sorted(rows(reading)) == EXPECTED
    assert reading.source.layout is layout
    assert reading.ratings.classes == ("no", "yes")


def test_one_of_several_questions_is_chosen_by_name(text):
    lines = "case,judge,taste,colour\nP1,Ana,yes,no\nP1,Ben,no,no\nP2,Ana,no,yes\nP2,Ben,no,yes\n"
    with pytest.raises(TapdeskError, match="2 questions") as caught:
        text(lines)
    assert "--only" in caught.value.fix
    taste = text(lines, only="taste")
    assert [c for _, _, c in rows(taste)] == ["yes", "no", "no", "no"]
    assert taste.source.layout is Layout.QUESTIONS


def test_a_question_column_is_filtered_by_its_value(text):
    lines = "case,judge,question,answer\nP1,Ana,q1,yes\nP1,Ben,q1,no\nP1,Ana,q2,no\nP1,Ben,q2,no\n"
    with pytest.raises(TapdeskError, match="names 2 questions"):
        text(lines)
    assert rows(text(lines, question="question", only="q1")) == [("P1", "Ana", "yes"), ("P1", "Ben", "no")]


def test_counts_with_a_weight_become_weighted_subjects_without_known_raters(text):
    r = text("n_ratings,n_class1,weight\n4,0,90\n4,1,43\n4,4,10\n").ratings
    assert r.counts().tolist() == [[4, 0], [3, 1], [0, 4]]
    assert r.weight.tolist() == [90, 43, 10]
    assert (r.subject_count, r.rating_count, r.raters_known) == (143, 572, False)


def test_the_class_columns_of_a_count_table_keep_their_order(text):
    r = text("mild,none,severe\n0,3,0\n1,2,0\n0,0,3\n3,0,0\n0,3,0\n", layout=Layout.COUNTS).ratings
    assert set(r.classes) == {"mild", "none", "severe"}
    assert r.counts().sum() == 15


def test_a_table_that_looks_like_counts_is_read_as_counts_and_asked_about(text):
    reading = text("depression,neurosis,other\n0,6,0\n1,2,3\n6,0,0\n2,2,2\n0,0,6\n")
    assert "numbers of ratings" not in told(reading, "looks_like_counts").message
    assert told(reading, "looks_like_counts").default == "Each cell is read as a number of ratings."
    assert reading.ratings.rating_count == 30


def test_a_crosstab_whose_rows_and_columns_have_the_same_names_is_a_confusion_matrix(text):
    reading = text("A/B,low,mid,high\nlow,8,4,2\nmid,5,7,1\nhigh,1,2,6\n")
    assert reading.source.layout is Layout.CONFUSION
    assert reading.ratings.subject_count == 36
    assert "looks_like_counts" in asks(reading)


def test_rows_of_a_confusion_matrix_in_another_order_are_put_right_by_their_names(text):
    reading = text("x,a,b\nb,1,7\na,8,4\n", layout=Layout.CONFUSION)
    weights = dict(zip(reading.ratings.subjects, reading.ratings.weight.tolist(), strict=True))
    assert weights == {"b / a": 1, "b / b": 7, "a / a": 8, "a / b": 4}


def test_a_confusion_matrix_with_a_totals_row_is_refused(text):
    with pytest.raises(TapdeskError, match="square; here the number of rows is 3, and that of class columns 2"):
        text("a,b\n8,4\n5,7\n13,11\n", layout=Layout.CONFUSION)


def test_every_wrong_count_is_named_with_its_row(text):
    with pytest.raises(TapdeskError, match=r"row 3 \('x'\), 5 \('-1'\)") as caught:
        text("n_ratings,n_class1\n4,0\n4,x\n4,1\n4,-1\n", layout=Layout.COUNTS)
    assert caught.value.where == "ratings.csv, column B (n_class1), row 3"


def test_more_ratings_in_class_1_than_ratings_is_refused(text):
    with pytest.raises(TapdeskError, match="More ratings counted than ratings at all in row 3"):
        text("n_ratings,n_class1\n4,0\n4,5\n")


def test_seats_put_the_identity_of_raters_aside(text):
    lines = "J1,J2,J3\n1,2,3\n2,2,1\n"
    assert told(text(lines), "seats_or_people").default == "They are taken as the same people throughout."
    seats = text(lines, raters_are=RatersAre.SEATS)
    assert not seats.ratings.raters_known
    assert "seats_or_people" not in codes(seats)


def test_a_count_column_makes_each_row_stand_for_many_subjects(text):
    r = text("Ana,Ben,n\nyes,no,5\nyes,yes,7\n", columns=("Ana", "Ben"), count="n").ratings
    assert r.weight.tolist() == [5, 7]
    assert r.subject_count == 12


def test_the_rating_columns_can_be_named(text):
    reading = text("id,a,b,c\n1,x,y,x\n2,y,y,x\n", columns=("a", "b"))
    assert reading.ratings.raters == ("a", "b")


def test_a_filter_reads_only_some_rows_and_counts_what_it_left_out(text):
    lines = "case,rater,rating,ward\n" + "".join(f"{s},{r},{c},{'N' if s == 'P1' else 'S'}\n" for s, r, c in EXPECTED)
    reading = text(lines, where=(("ward", "S"),))
    assert {s for s, _, _ in rows(reading)} == {"P2", "P3"}
    assert (reading.left_out_subjects, reading.left_out_ratings) == (1, 2)
    assert "cases_without_rating" not in codes(reading)
    only_ana = text(lines, where=(("rater", "Ana"),))
    assert only_ana.ratings.raters == ("Ana",)
    with pytest.raises(TapdeskError, match="No row has ward=X"):
        text(lines, where=(("ward", "X"),))


def test_class_1_and_class_0_make_two_sides_and_leave_out_the_rest(text):
    reading = text("c,A,B\nw1,1,2\nw2,3,4\nw3,4,4\n", class1=("4",), class0=("1", "2"))
    assert reading.ratings.classes == ("1, 2", "4")
    assert reading.as_read.classes == ("1", "2", "3", "4")
    assert (reading.left_out_subjects, reading.left_out_ratings) == (0, 1)


def test_an_option_that_names_no_column_lists_the_columns(text):
    with pytest.raises(UsageError, match="There is no column 'ratter'") as caught:
        text("case,rater,rating\n1,a,x\n1,b,y\n", rater="ratter")
    assert "'rater'" in caught.value.fix


def test_numbers_as_classes_stay_as_typed_and_stand_in_the_order_of_numbers(text):
    r = text("case,A,B\nx,10,2\ny,2,1\nz,1,10\n").ratings
    assert r.classes == ("1", "2", "10")


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        (["gold", "bronze", "silver"], ("bronze", "silver", "gold")),
        (["High", "low", "Medium"], ("low", "Medium", "High")),
        (["yes", "no"], ("no", "yes")),
        (["always", "never", "often"], ("never", "often", "always")),
        (["agree", "disagree", "neutral"], ("disagree", "neutral", "agree")),
        (["A", "C", "F", "B"], ("F", "C", "B", "A")),
        (["severe", "none", "mild"], ("none", "mild", "severe")),
        (["ouro", "prata", "bronze"], ("bronze", "prata", "ouro")),
        (["Schwer", "keine", "mittel", "leicht"], ("keine", "leicht", "mittel", "Schwer")),
        (["sí", "no"], ("no", "sí")),
        (["élevé", "faible", "moyen"], ("faible", "moyen", "élevé")),
    ],
)
def test_recognised_scales_are_put_in_their_order(text, labels, order):
    lines = "".join(f"c{i},{a},{labels[0]}\n" for i, a in enumerate(labels * 2))
    reading = text("case,Ann,Bob\n" + lines)
    assert reading.ratings.classes == order
    assert reading.ratings.ordered


def test_unknown_labels_stand_as_they_come_and_the_order_is_asked(text):
    reading = text("case,Ann,Bob\n1,tabby,calico\n2,calico,siamese\n3,siamese,tabby\n")
    assert reading.ratings.classes == ("tabby", "calico", "siamese")
    assert not reading.ratings.ordered
    assert "order_unknown" in asks(reading)


def test_a_given_order_is_followed_and_may_name_classes_nobody_used(text):
    r = text("case,Ann,Bob\n1,b,c\n2,c,b\n", order=("a", "b", "c")).ratings
    assert r.classes == ("a", "b", "c")
    assert r.category.tolist() == [1, 2, 2, 1]


def test_cases_without_a_name_column_get_numbers_and_that_is_asked(text):
    reading = text("Ann,Bob\nx,y\ny,x\n")
    assert reading.ratings.subjects == ("1", "2")
    assert "no_case_column" in asks(reading)


def test_further_columns_are_kept_as_covariates(text):
    reading = text("case,rater,rating,age,ward\np1,A,x,34,N\np1,B,y,51,S\np2,A,x,34,N\n")
    told = {name: (c.of, c.values.tolist()) for name, c in reading.ratings.covariates.items()}
    # What is the same in all rows of a rater is said of the rater, as an age is.
    assert told == {"age": (CovariateOf.RATER, [34.0, 51.0]), "ward": (CovariateOf.RATER, ["N", "S"])}


def test_a_further_column_belongs_to_the_case_the_rater_or_the_single_rating(text):
    lines = [
        "SubjectID,RaterID,Rating,RaterAge,Year,Minutes",
        *(f"S{i:02},R{j},{(i + j) % 3},{30 + j},{2019 + i % 2},{i * j}" for i in range(12) for j in range(3)),
    ]
    kinds = {name: c.of for name, c in text("\n".join(lines) + "\n").ratings.covariates.items()}
    assert kinds == {"RaterAge": CovariateOf.RATER, "Year": CovariateOf.SUBJECT, "Minutes": CovariateOf.RATING}


def test_a_filter_leaves_what_is_known_of_the_raters_that_are_left(text):
    lines = ["case,rater,rating,age"]
    lines += [f"c{i},{who},{(i + age) % 2},{age}" for i in range(9) for who, age in (("A", 30), ("B", 41), ("C", 52))]
    reading = text("\n".join(lines) + "\n", where_not=(("rater", "B"),))
    assert reading.ratings.raters == ("A", "C")
    assert reading.ratings.covariates["age"].values.tolist() == [30.0, 52.0]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"where": (("ward", "N"),)}, ["S (12)", "E (12)", "24 ratings in all"]),
        ({"where_not": (("ward", "N"),)}, ["N (12)", "12 ratings in all"]),
        ({"question": "asked", "only": "Q1", "layout": Layout.LONG}, ["Q2 (18)", "18 ratings in all"]),
    ],
)
def test_what_a_filter_or_a_question_leaves_out_is_named_with_its_words_and_counts(text, options, told):
    rows = product(range(6), "ABC", ("Q1", "Q2"))
    lines = ["case,rater,asked,ward,rating", *(f"c{i},{who},{q},{'NSE'[i % 3]},{i % 2}" for i, who, q in rows)]
    more = {} if "question" in options else {"question": "asked", "only": "Q1"}
    reading = text("\n".join(lines) + "\n", **({"layout": Layout.LONG} | more | options))
    said = rows_summary(reading)
    assert all(words in said for words in told), said


def test_the_questions_beside_the_one_that_is_read_are_named(text):
    lines = ["Patient,Nurse,Q1,Q2,Q3"]
    lines += [
        f"P{i},{n},{'YN'[i % 2]},{'YN'[i % 3 > 0]},{'YN'[i % 4 > 0]}" for i in range(8) for n in ("Ann", "Bo", "Cy")
    ]
    reading = text("\n".join(lines) + "\n", only="Q2", layout=Layout.QUESTIONS)
    assert rows_summary(reading) == (
        "Only the question “Q2” is read. Left out, with the ratings there: Q1 (24) and Q3 (24); 48 ratings in all."
    )


def test_strict_refuses_whatever_asks_and_says_every_question(text):
    with pytest.raises(TapdeskError, match="people, or seats") as caught:
        text("J1,J2\n1,2\n2,1\n", strict=True)
    assert "No column names the cases" in caught.value.what


def test_resolved_options_read_the_same_again(text, tmp_path):
    from tapdesk.ratings.reading import read_now

    reading = text("wine;Ana;Ben\nw1;1,5;2,0\nw2;2,0;NA\nw3;1,5;1,5\n")
    again = read_now(tmp_path / "ratings.csv", reading.options)
    assert rows(again) == rows(reading)
    assert again.source.guessed == ()
    assert np.array_equal(again.ratings.category, reading.ratings.category)


def test_what_was_understood_is_told_in_words(text):
    reading = text("wine;Ana;Ben\nw1;1,5;2,0\nw2;2,0;1,5\n")
    words = " ".join(reading.source.words)
    assert "We read 2 rows and 3 columns. Row 1 is the header." in words
    assert "Comma is the decimal mark." in words
    assert "Semicolons separate the columns." in words
    assert reading.source.sentence == "The rater Ana gave the wine w2 the rating 2,0."
    assert reading.source.decimal == ","
    assert reading.preview.rows[0] == ("wine", "Ana", "Ben")


def test_a_column_of_time_stamps_is_never_taken_for_ratings(text):
    stamps = [f"2024-01-0{i} 10:{i}0" for i in range(1, 5)]
    lines = zip(stamps, ["p1", "p1", "p2", "p2"], ["yes", "no", "no", "no"], strict=True)
    reading = text("Timestamp,case,Q\n" + "".join(",".join(line) + "\n" for line in lines))
    assert reading.ratings.classes == ("no", "yes")
    assert reading.ratings.subjects == ("p1", "p2")
    assert not reading.ratings.raters_known


def test_a_column_of_weights_is_asked_before_it_counts(text):
    lines = "Ana,Ben,count\nyes,no,5\nyes,yes,7\nno,no,2\n"
    assert "--count 'count'" in told(text(lines), "maybe_count_column").fix
    assert text(lines, count="count").ratings.subject_count == 14


@pytest.mark.parametrize(
    "content", ["n_ratings,n_class1\n3,0\n3,\n3,2\n", "n_ratings,n_class1,weight\n3,0,5\n3,1,\n3,2,4\n"]
)
def test_a_blank_number_that_decides_how_many_ratings_there_are_is_refused(text, content):
    with pytest.raises(TapdeskError, match=r"not so in row 3 \(blank\)"):
        text(content)


def test_a_blank_count_of_a_class_is_read_as_none_and_asked(text):
    reading = text("red,green,blue\n3,0,0\n1,,2\n0,3,0\n", layout=Layout.COUNTS)
    assert reading.ratings.counts().tolist() == [[3, 0, 0], [1, 0, 2], [0, 3, 0]]
    assert "blank_counts" in asks(reading)


def test_rows_of_weight_zero_stand_for_nobody(text):
    reading = text("n_ratings,n_class1,weight\n3,1,0\n2,0,10\n2,1,5\n2,2,8\n")
    assert reading.ratings.counts().tolist() == [[2, 0], [1, 1], [0, 2]]
    assert reading.left_out_subjects == 0
    with pytest.raises(TapdeskError, match="no rating"):
        text("n_ratings,n_class1,weight\n3,0,0\n3,1,0\n")


@pytest.mark.parametrize("content", ["5,0\n3,2\n4,1\n0,5\n", "0,5\n3,2\n4,1\n5,0\n"])
def test_counts_without_a_header_lose_no_case(text, content):
    reading = text(content, layout=Layout.COUNTS)
    assert reading.ratings.subject_count == 4
    assert "no_header" in asks(reading)


def test_classes_called_by_numbers_are_a_header_of_counts_and_asked(text):
    reading = text("1,2,3\n3,0,0\n1,0,3\n0,3,0\n", layout=Layout.COUNTS)
    assert reading.ratings.classes == ("1", "2", "3")
    assert "numeric_header" in asks(reading)
    # Six ratings of each case, and 1 + 2 + 3 = 6: still the classes.
    assert text("3,2,1\n6,0,0\n1,2,3\n0,6,0\n", layout=Layout.COUNTS).ratings.subject_count == 3


def test_a_square_of_numbers_is_a_confusion_matrix_without_a_header(text):
    reading = text("8,4,2\n5,7,1\n1,2,6\n", layout=Layout.CONFUSION)
    assert reading.ratings.subject_count == 36
    assert text("1,2,3\n8,4,2\n5,7,1\n1,2,6\n", layout=Layout.CONFUSION).ratings.classes == ("1", "2", "3")


def test_a_filter_on_the_question_chooses_it(text):
    lines = "case,judge,question,answer\nP1,Ana,q1,yes\nP1,Ben,q1,no\nP1,Ana,q2,no\nP1,Ben,q2,no\n"
    assert rows(text(lines, where=(("question", "q1"),))) == [("P1", "Ana", "yes"), ("P1", "Ben", "no")]


def test_a_column_that_never_changes_may_be_a_rater_and_is_asked(text):
    reading = text("case,Ann,Bob,Cy\n" + "".join(f"w{i},{'ab'[i % 2]},{'ab'[i % 3 % 2]},c\n" for i in range(9)))
    assert "columns_not_rated" in asks(reading)


@pytest.mark.parametrize("when", ["2026-05-{:02} 11:42", "{:02}.05.2026 11:42", "5/{:02}/2026 11:42 AM", "11:{:02}"])
def test_a_column_of_days_or_times_beside_scores_that_come_again_is_no_question(text, when):
    rng = np.random.default_rng(5)
    cells = [(f"W{i:02}", judge) for i in range(20) for judge in rng.choice(["Ana", "Ben", "Eva"], 2, replace=False)]
    cells += cells[:6]
    lines = [f"{wine},{judge},{when.format(1 + n % 28)},{10 + n % 7}.5" for n, (wine, judge) in enumerate(cells)]
    reading = text("Wine,Judge,Tasted at,Points\n" + "\n".join(lines))
    assert reading.source.layout is Layout.LONG
    assert set(reading.ratings.classes) == {f"{10 + k}.5" for k in range(7)}
    assert len(reading.ratings.category) == len(cells)
    assert "Tasted at" in reading.ratings.covariates
