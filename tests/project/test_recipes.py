"""Choices remembered for files of one shape."""

import json

from hypothesis import given
from hypothesis import strategies as st

from tapdesk.project.decisions.base import LeaveAsRead
from tapdesk.project.decisions.classes import MergeClasses, ReorderClasses
from tapdesk.project.decisions.ratings import LeaveOutSubjects
from tapdesk.project.project import Project
from tapdesk.project.recipes import (
    KEPT,
    Recipe,
    add_recipe,
    apply_recipe,
    for_shape,
    options_for,
    recipe_of,
    recipes_of_text,
    recipes_text,
    shape_of,
)
from tapdesk.project.review_state import blocking_findings, finding_states
from tapdesk.ratings.options import Layout, RatersAre, ReadingOptions, Uneven
from tapdesk.ratings.reading import read_now

SHEET = "case,Ana,Ben\n" + "".join(f"c{i},{'yes' if i % 3 else 'no'},{'Yes' if i == 4 else 'no'}\n" for i in range(9))
MERGE = MergeClasses((("yes", ("yes", "Yes")),))


def opened(tmp_path, name, content=SHEET, **options):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    return Project().with_reading(read_now(path, ReadingOptions(**options)))


def test_choices_about_reading_and_classes_are_kept_and_those_about_single_cases_not(tmp_path):
    first = opened(tmp_path, "one.csv", missing=("no answer",))
    assert recipe_of(opened(tmp_path, "two.csv"), ("x",), "") is None
    project = first.decide(MERGE).decide(LeaveOutSubjects(("c1",)))
    recipe = recipe_of(project, shape_of(first.reading), "2024-05-03T10:00:00+00:00")
    assert recipe.decisions == (MERGE,)
    assert recipe.options.missing == ("no answer",)
    assert recipe.words == ("missing codes: 'no answer'", "1 decision about the classes")


def test_a_recipe_makes_the_same_decisions_for_the_next_file_and_says_which_do_not_fit(tmp_path):
    first = opened(tmp_path, "one.csv").decide(MERGE).decide(ReorderClasses(("yes", "no")))
    recipe = recipe_of(first, shape_of(first.reading), "")
    after, left = apply_recipe(opened(tmp_path, "two.csv"), recipe)
    assert (after.ratings.classes, left) == (("yes", "no"), ())
    assert after.log[0].reason == "As for one.csv."
    other, left = apply_recipe(opened(tmp_path, "three.csv", SHEET.replace("Yes", "no")), recipe)
    assert other.ratings.classes == ("yes", "no")
    assert len(left) == 1
    assert "There is no class 'Yes'" in left[0]


def test_an_order_that_lacks_a_class_of_the_next_file_is_called_the_remembered_one(tmp_path):
    first = opened(tmp_path, "one.csv").decide(MERGE).decide(ReorderClasses(("yes", "no")))
    recipe = recipe_of(first, shape_of(first.reading), "")
    after, left = apply_recipe(opened(tmp_path, "more.csv", SHEET + "c10,perhaps,no\n"), recipe)
    assert "perhaps" in after.ratings.classes
    assert [words.endswith("The remembered order does not know the class 'perhaps'.") for words in left] == [True]


TOTALS = "record,Adams,Brown,Chen\n" + "".join(
    f"{{}}{i:02},{'Yes' if i % 3 else 'No'},{'Yes' if i % 4 else 'No'},Yes\n" for i in range(30)
)


def test_a_row_of_totals_left_out_is_left_out_of_the_next_file_whatever_it_is_called_there(tmp_path):
    first = opened(tmp_path, "spring.csv", TOTALS.format(*["R"] * 30) + "Total Yes,20,22,30\n")
    state = next(s for s in finding_states(first) if s.finding.code == "summary_row")
    decided = first.decide(state.fixes[0].decision).decide(LeaveOutSubjects(("R07",)))
    recipe = recipe_of(decided, shape_of(first.reading), "")
    # The row that was noticed, and not the record that somebody left out by hand: the next file has other records.
    assert (recipe.decisions, recipe.codes) == ((state.fixes[0].decision,), ("summary_row",))
    assert recipe.words == ("left out: 'Total Yes'",)
    assert recipes_of_text(recipes_text([recipe])) == (recipe,)
    text = TOTALS.format(*["S"] * 30)
    after, left = apply_recipe(opened(tmp_path, "summer.csv", text + "Total,21,23,29\n"), recipe)
    assert left == ()
    assert (after.ratings.classes, after.ratings.subject_count) == (("No", "Yes"), 30)
    assert blocking_findings(after) == ()
    # Where nothing is summed up there is nothing to leave out, and nothing to tell.
    clean = opened(tmp_path, "autumn.csv", text)
    assert apply_recipe(clean, recipe) == (clean, ())


def test_a_second_table_left_out_is_left_out_of_the_next_file_wherever_it_begins_there(tmp_path):
    second = "case,Dora,Eve\n" + "".join(f"d{i},yes,no\n" for i in range(4))
    first = opened(tmp_path, "spring.csv", SHEET + second)
    state = next(s for s in finding_states(first) if s.finding.code == "second_table")
    read = opened(tmp_path, "spring.csv", SHEET + second, **state.fixes[0].options)
    recipe = recipe_of(read, shape_of(first.reading), "")
    assert recipe.words == ("only what stands above a second table",)
    more = "".join(f"e{i},yes,no\n" for i in range(5))
    for content in (SHEET + more + second, SHEET + more):
        following = opened(tmp_path, "summer.csv", content)
        options = options_for(recipe, following.reading)
        ratings = read_now(tmp_path / "summer.csv", options).ratings
        assert ratings.subject_count == 14
        assert {"d0"}.isdisjoint(ratings.subjects)


def test_what_was_left_as_read_stays_so_where_the_same_is_noticed_again(tmp_path):
    first = opened(tmp_path, "one.csv", missing=("x",))
    state = next(s for s in finding_states(first) if s.finding.about == (("yes", "Yes"),))
    kept = next(f.decision for f in state.fixes if isinstance(f.decision, LeaveAsRead))
    recipe = recipe_of(first.decide(kept), shape_of(first.reading), "")
    assert "1 thing left as read" in recipe.words
    after, left = apply_recipe(opened(tmp_path, "two.csv", missing=("x",)), recipe)
    assert (len(after.in_force), left) == (1, ())
    other, left = apply_recipe(opened(tmp_path, "three.csv", SHEET.replace("Yes", "no"), missing=("x",)), recipe)
    assert (len(other.in_force), left) == (0, ())


def test_recipes_of_an_earlier_version_hold_no_codes_and_are_used_as_they_are():
    old = Recipe(("x",), "old", "", ReadingOptions(), (MERGE,))
    text = recipes_text([old]).replace(', "codes": []', "").replace(', "of_all": []', "")
    assert "codes" not in text
    assert recipes_of_text(text) == (old,)
    assert old.answers == ((MERGE, "", False),)


def test_the_shape_is_layout_and_names_of_columns(tmp_path):
    one, other = opened(tmp_path, "a.csv"), opened(tmp_path, "b.csv", SHEET.replace("c1", "zz"))
    assert shape_of(one.reading) == shape_of(other.reading)
    third = opened(tmp_path, "c.csv", SHEET.replace("Ben", "Cy"))
    assert shape_of(third.reading) != shape_of(one.reading)


options = st.builds(
    ReadingOptions,
    layout=st.sampled_from(Layout),
    missing=st.none() | st.lists(st.text(max_size=5), max_size=3).map(tuple),
    raters_are=st.none() | st.sampled_from(RatersAre),
    where=st.lists(st.tuples(st.text(max_size=4), st.text(max_size=4)), max_size=2).map(tuple),
    header=st.none() | st.integers(0, 30),
    uneven=st.sampled_from(Uneven),
    hidden=st.booleans(),
)
recipes = st.builds(
    Recipe,
    shape=st.lists(st.text(max_size=5), max_size=4).map(tuple),
    name=st.text(max_size=9),
    when=st.text(max_size=9),
    options=options,
    decisions=st.lists(st.sampled_from([MERGE, ReorderClasses(("a", "b"))]), max_size=2).map(tuple),
)


@given(st.lists(recipes, max_size=4))
def test_recipes_come_back_as_they_were_written(rows):
    assert recipes_of_text(recipes_text(rows)) == tuple(rows)
    for row in rows:
        assert all(row.words) or not row.words


@given(
    st.text()
    | st.recursive(st.none() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)).map(json.dumps)
)
def test_settings_that_were_spoilt_hold_no_recipe_and_do_no_harm(text):
    assert recipes_of_text(text) == ()


def test_the_newest_recipe_of_a_shape_takes_the_place_of_the_older():
    rows = ()
    for i in range(KEPT + 5):
        rows = add_recipe(rows, Recipe((str(i),), "old", "", ReadingOptions(), (MERGE,)))
    assert len(rows) == KEPT
    rows = add_recipe(rows, Recipe(("9",), "new", "", ReadingOptions(), (MERGE,)))
    assert for_shape(rows, ("9",)).name == "new"
    assert len([r for r in rows if r.shape == ("9",)]) == 1
    assert for_shape(rows, ("nowhere",)) is None
