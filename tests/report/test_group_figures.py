"""The picture of an analysis of every group: what is said of the groups, and what is left out is named."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np

from tapdesk.answers.figures.models import group_title, groups
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.analysis import Request
from tapdesk.studies.subsets import group_table
from tapdesk.studies.table import StudyTable
from tests.studies.examples import panel

ALIKE = panel(["t=.4", "a=.6", "p=.5"], 120, 4)


def by(ratings: Ratings, values: list[str], name: str = "t-a-p", interval: str = "wald"):
    column = Covariate("ward", CovariateOf.SUBJECT, np.array(values, dtype=object))
    grouped = replace(ratings, covariates=MappingProxyType({"ward": column}))
    return finish(group_table(grouped, "ward", Request(model(name), interval=interval)))


def told(*rows: tuple[str, float | None, float | None, float | None, str | None]) -> StudyTable:
    """A table of groups with their accuracies."""
    columns = ("ward", "cases", "ratings", "a", "a low", "a high", "why_not")
    return StudyTable("groups", columns, tuple((name, 30, 90, a, low, high, why) for name, a, low, high, why in rows))


def test_groups_whose_intervals_nearly_meet_still_differ():
    # Square-and-add: .30 - sqrt(.20² + .20²) = .02, and .30 + sqrt(.20² + .10²) = .52.
    words = group_title(told(("north", 0.7, 0.5, 0.8, None), ("south", 0.4, 0.2, 0.6, None)))
    assert words == (
        "Ratings follow the case most in “north” (0.70), least in “south” (0.40): they differ by 0.30 (0.02 to 0.52)"
    )


def test_groups_that_meet_a_lot_may_differ_by_luck():
    words = group_title(told(("north", 0.6, 0.4, 0.8, None), ("south", 0.45, 0.25, 0.65, None)))
    whole = "From 0.45 in “south” to 0.60 in “north”: they differ by 0.15 (−0.13 to 0.43)"
    assert words == f"{whole}, so luck may be all there is to it"


def test_without_intervals_nothing_is_said_of_luck():
    words = group_title(told(("north", 0.7, None, None, None), ("south", 0.4, None, None, None)))
    assert words.endswith("without intervals nobody can say whether that is luck")


def test_one_group_with_a_number_is_compared_with_nothing():
    table = told(("north", 0.7, 0.5, 0.8, None), ("south", None, None, None, "All ratings are 'no'."))
    assert group_title(table) == "There are not two groups whose accuracy these ratings determine"
    assert "south: All ratings are 'no'." in groups(table).note


def test_accuracies_of_raters_are_drawn_by_group_and_rater_under_a_title_that_ranks_nobody():
    figure = groups(by(ALIKE, ["north", "south"] * 60, "t-aj-p", "none"))
    assert figure.title == "The accuracies of every group, one for each rater or class"
    assert [name for _at, name in figure.y.ticks][:2] == ["north, J1", "north, J2"]


def test_more_groups_than_fit_into_a_picture_are_counted_below_it():
    many = [(str(i), 0.5, 0.4, 0.6, None) for i in range(45)]
    silent = [(f"none {i}", None, None, None, "Too few.") for i in range(9)]
    figure = groups(told(*many, *silent))
    assert len(figure.y.ticks) == 40
    assert "The first 40 of 45 are drawn" in figure.note
    assert figure.note.count("Too few.") == 4
    assert "5 more groups have no number" in figure.note


def test_a_column_of_the_file_that_has_the_name_of_a_number_is_told_apart_from_it():
    column = Covariate("a", CovariateOf.SUBJECT, np.array(["x", "y"] * 60, dtype=object))
    grouped = replace(ALIKE, covariates=MappingProxyType({"a": column}))
    table = finish(group_table(grouped, "a", Request(model("t-a-p"), interval="none")))
    assert table.columns[0] == "a (group)"
    assert table.values("a (group)") == ("x", "y")
    assert all(isinstance(r["a"], float) for r in table.records())


def test_two_groups_that_read_the_same_are_called_alike_with_how_far_they_may_differ():
    table = told(("north", 0.61, 0.41, 0.81, None), ("south", 0.61, 0.41, 0.81, None))
    assert group_title(table).startswith("“north” and “south” are alike: 0.61 in both, with a difference of 0.00 (")
    far = told(("north", 0.61, 0.41, 0.81, None), ("south", 0.65, 0.41, 0.81, None))
    assert "alike" not in group_title(far)


def test_luck_among_many_groups_is_told_of_many():
    rows = [(name, 0.6, 0.4, 0.8, None) for name in ("a", "b", "c")]
    assert "Of many groups" not in groups(told(*rows[:2])).note
    assert "Of many groups" in groups(told(*rows)).note
