"""A question of a form on which all raters agree is read as one; that it may be a fact about the case is said."""

import numpy as np
import pytest

from tapdesk.errors import UsageError
from tapdesk.progress import finish
from tapdesk.ratings.form import form
from tapdesk.ratings.options import ReadingOptions


def written(place, more, raters=4, questions=4, cases=30):
    """A form of questions answered alike by most raters, with one more column: its name, and what it says of a case."""
    rng = np.random.default_rng(8)
    names = [f"Item {i}" for i in range(questions)]
    lines = [",".join(("Record", "Nurse", *names[:2], *more, *names[2:]))]
    for case in range(cases):
        truth = rng.choice(["Yes", "No"], questions)
        own = [told(case) for told in more.values()]
        for rater in range(raters):
            said = np.where(rng.random(questions) < 0.2, "No", truth)
            lines.append(",".join((f"r{case}", f"n{rater}", *said[:2], *own, *said[2:])))
    place.write_text("\n".join(lines))
    return finish(form(place))


def names_of(made):
    return [one.name for one in made.questions]


@pytest.mark.parametrize("raters", [2, 4, 6])
def test_a_question_on_which_all_agree_is_no_longer_lost_and_it_is_said_that_they_do(tmp_path, raters):
    more = {"Band worn": lambda case: "Yes" if case % 3 else "No"}
    made = written(tmp_path / "form.csv", more, raters)
    assert names_of(made) == ["Item 0", "Item 1", "Band worn", "Item 2", "Item 3"]
    told = [f for f in made.remarks if f.code == "agreed_on"]
    assert len(told) == 1
    assert str(told[0].message) == (
        "On 'Band worn' all raters of each case say the same: they agree, or the column says something about the case "
        "that was not rated."
    )


def test_what_has_answers_of_its_own_or_the_name_of_a_fact_stays_a_fact(tmp_path):
    more = {"Stay": lambda case: ("short", "long")[case % 2], "Ward": lambda case: ("Yes", "No")[case % 2]}
    made = written(tmp_path / "form.csv", more)
    assert names_of(made) == ["Item 0", "Item 1", "Item 2", "Item 3"]
    assert [f for f in made.remarks if f.code == "agreed_on"] == []


def test_nothing_is_said_where_raters_differ_or_everybody_always_says_the_same(tmp_path):
    made = written(tmp_path / "form.csv", {"Allergy": lambda _case: "Yes"})
    assert "Allergy" in names_of(made)
    assert [f for f in made.remarks if f.code == "agreed_on"] == []


def read(place, **options):
    return finish(form(place, ReadingOptions(**options)))


def test_a_question_is_left_out_by_its_name_and_named_with_its_ratings(tmp_path):
    place = tmp_path / "form.csv"
    written(place, {"Band worn": lambda case: "Yes" if case % 3 else "No"})
    made = read(place, without=("band worn",))
    assert names_of(made) == ["Item 0", "Item 1", "Item 2", "Item 3"]
    told = {f.code: f for f in made.remarks}
    assert "agreed_on" not in told
    assert str(told["questions_left_out"].message) == (
        "Left out of the form, with the ratings there: “Band worn” (120); 120 in all."
    )
    # The others are what they were.
    before = {one.name: one.reading.as_read for one in read(place).questions}
    for one in made.questions:
        assert np.array_equal(one.reading.as_read.category, before[one.name].category)


def test_what_is_no_question_is_not_left_out_and_two_are_left_at_least(tmp_path):
    place = tmp_path / "form.csv"
    written(place, {})
    with pytest.raises(UsageError, match="There is no question 'Item 9'") as one:
        read(place, without=("Item 9",))
    assert one.value.where == "--without"
    with pytest.raises(UsageError, match="Fewer than two questions would be left, so there is nothing to set side"):
        read(place, without=("Item 0", "Item 1", "Item 2"))


def test_a_label_of_sets_is_left_out_as_a_question_is(tmp_path):
    place = tmp_path / "sets.csv"
    sets = ("trust; fear", "fear; cost", "cost", "trust", "trust; cost", "fear")
    lines = ["segment,coder,codes"]
    lines += [
        f"s{i},{who},{sets[(i + k * (i % 7 == 0)) % 6]}" for i in range(40) for k, who in enumerate(("Ana", "Ben"))
    ]
    place.write_text("\n".join(lines))
    assert names_of(read(place)) == ["trust", "fear", "cost"]
    assert names_of(read(place, without=("cost",))) == ["trust", "fear"]


def test_rows_that_a_filter_leaves_out_of_a_form_are_named_once_for_all_questions(tmp_path):
    place = tmp_path / "form.csv"
    written(place, {})
    made = read(place, where_not=(("Nurse", "n3"), ("Nurse", "n2")))
    (told,) = [f for f in made.remarks if f.code == "rest_of_form"]
    assert str(told.message) == (
        "Rows were chosen by the column “Nurse”. Left out, with the ratings there: n2 (120) and n3 (120); 240 ratings "
        "in all."
    )
