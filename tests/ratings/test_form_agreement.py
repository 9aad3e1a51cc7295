"""A question of a form on which all raters agree is read as one; that it may be a fact about the case is said."""

import numpy as np
import pytest

from tapdesk.progress import finish
from tapdesk.ratings.form import form


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
