"""What is said about accuracy along the order of the ratings."""

from tapdesk.answers import drift as part
from tapdesk.answers.figure import Line
from tapdesk.studies.drift import Drift
from tests.answers.test_grid_parts import said


def row(rater, change, p, n=100):
    return Drift(rater, n, 0.6, 0.6 + change, change, change - 0.1, change + 0.1, p, p)


def test_who_changed_is_named_with_the_way_it_went():
    text = said(
        part.DRIFT, drift=(row("", -0.2, 0.01), row("J1", -0.4, 0.001), row("J2", 0.3, 0.02), row("J3", 0, 0.9))
    )
    assert "All raters together became less accurate along the order of their ratings: a rating followed its" in text
    assert "J1 became less accurate: of 100 ratings, they followed the case about 60 times in 100 at first" in text
    assert "J2 became more accurate: of 100 ratings, they followed the case" in text
    assert "Of the other raters no change is shown beyond luck; that does not show that there was none." in text
    assert "J3 became" not in text
    assert "that become harder make their raters look less accurate. Only where those seen early and late" in text
    assert "All, one slope" in text
    assert "Accuracy in the first and the last tenth of the ratings of each, on a logistic curve along their" in text
    assert part.DRIFT.explanation.startswith("Raters learn, and they tire. Along the order in which the ratings")
    assert "on a logistic curve along their order; 95 % profile-likelihood intervals of the change" in text
    assert "Accuracy along the order of the ratings" in text


def test_nobody_is_named_where_nothing_is_seen():
    text = said(part.DRIFT, drift=(row("", 0.0, 0.6), row("J1", 0.1, 0.4), row("J2", -0.1, 0.5)))
    assert "Of all raters together, nothing shows that they became more or less accurate along the order" in text
    assert "Of no single rater a change is shown beyond luck; that does not show that there was none." in text
    assert "became less accurate:" not in text


def test_of_many_who_changed_the_table_has_the_rest_and_one_rating_is_one():
    many = [row(f"J{j}", -0.3, 0.001, 1 if j == 0 else 50) for j in range(8)]
    text = said(part.DRIFT, drift=(row("", 0.3, 0.01), *many))
    assert "All raters together became more accurate along the order of their ratings: a rating followed its" in text
    assert "J0 became less accurate: of 1 rating, they followed the case" in text
    assert "Further raters who changed stand in the table: 8 in all." in text
    assert "of the other raters" not in text.lower()


def test_the_way_up_of_one_rating_is_told_alike():
    text = said(part.DRIFT, drift=(row("", 0.0, 0.6), row("J1", 0.3, 0.001, 1), row("J2", 0.0, 0.9)))
    assert "J1 became more accurate: of 1 rating, they followed the case" in text


def test_the_picture_names_those_who_changed():
    rows = (row("", -0.1, 0.2), row("R1", -0.4, 0.001), row("R2", 0.01, 0.9))
    figure = part.drift_figure(rows)
    assert figure.title == "1 rater changed in accuracy along the way"
    assert "A line for each rater, and one for all with one slope. Names stand at those" in figure.note
    named = {mark.label for mark in figure.marks if isinstance(mark, Line) and mark.label}
    assert named == {"all", "R1"}
    assert part.drift_figure(rows[::2]).title == "Of no single rater a change of accuracy is shown"
