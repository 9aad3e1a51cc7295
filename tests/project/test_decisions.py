"""Each kind of decision: what it does, what it says, what it refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.errors import TapdeskError
from tapdesk.project.decisions.base import LeaveAsRead
from tapdesk.project.decisions.classes import (
    ColourClass,
    CountAsAbstention,
    DeclareClass,
    MergeClasses,
    RenameClass,
    ReorderClasses,
    SetClass1,
    TreatAsMissing,
)
from tapdesk.project.decisions.names import (
    FlipRater,
    JoinRaters,
    JoinSubjects,
    NameKeyAuthors,
    NameRaters,
    NumberCases,
    TakeKeyAsRater,
    letter_codes,
)
from tapdesk.project.decisions.ratings import (
    AddCounts,
    AddPair,
    EditCount,
    EditRating,
    EditWeight,
    KeepRepeats,
    KeepWhere,
    LeaveOutRaters,
    LeaveOutSubjects,
    Repeats,
)
from tapdesk.project.files.codec import BY_KIND, DECISIONS
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tests.project.examples import ratings_of, same

CLASSES = ("no medal", "bronze", "silver", "gold")
ROWS = [(0, 0, 3), (0, 1, 2), (0, 2, 3), (1, 0, 0), (1, 1, 1), (1, 2, 0), (2, 0, 2), (2, 1, 2), (2, 1, 3)]


def wines(**more):
    return ratings_of(ROWS, CLASSES, **({"ordered": True} | more))


def table(ratings):
    """The ratings by names, in their order."""
    rows = zip(ratings.subject, ratings.rater, ratings.category, strict=True)
    return [(ratings.subjects[s], ratings.raters[r], ratings.classes[c]) for s, r, c in rows]


def test_every_kind_has_a_name_of_its_own():
    assert len(BY_KIND) == len(DECISIONS)


def test_class_1_makes_the_ratings_binary_and_tells_what_it_leaves_out():
    one = SetClass1(("gold", "silver"), ("no medal",))
    after = one.apply(wines())
    assert after.classes == ("no medal", "silver, gold")
    assert "'bronze' are left out" in one.words(wines())
    assert SetClass1(()).apply(wines()).classes == CLASSES


def test_the_order_of_classes_changes_no_rating():
    decision = ReorderClasses(CLASSES[::-1])
    assert table(decision.apply(wines())) == table(wines())
    assert decision.touches(wines()) == 0
    with pytest.raises(TapdeskError, match="does not know the class 'bronze'"):
        ReorderClasses(("no medal", "silver", "gold")).apply(wines())


def test_an_unused_class_finds_its_place():
    after = DeclareClass("trophy").apply(wines())
    assert after.classes == (*CLASSES, "trophy")
    assert after.ordered
    assert DeclareClass("commended", "bronze").apply(wines()).classes[1] == "commended"
    with pytest.raises(TapdeskError, match="already"):
        DeclareClass("gold").apply(wines())


def test_merged_classes_stand_where_the_first_stood_and_remember_what_they_are_made_of():
    decision = MergeClasses((("medal", ("gold", "bronze")),))
    after = decision.apply(wines())
    assert after.classes == ("no medal", "medal", "silver")
    assert after.members == (("no medal",), ("bronze", "gold"), ("silver",))
    assert decision.touches(wines()) == 4
    assert after.rating_count == wines().rating_count


@pytest.mark.parametrize(
    "groups",
    [
        (("silver", ("gold", "bronze")),),
        (("x", ("gold", "tin")),),
        (("x", ("gold",)), ("y", ("gold", "silver"))),
        (("x", ()),),
        ((" ", ("gold", "silver")),),
    ],
)
def test_a_merge_that_is_not_clear_is_refused(groups):
    with pytest.raises(TapdeskError):
        MergeClasses(groups).apply(wines())


def test_a_renamed_class_keeps_its_ratings_and_no_two_get_one_name():
    decision = RenameClass("gold", "Gold")
    assert decision.touches(wines()) == 3
    assert decision.apply(wines()).members[-1] == ("Gold",)
    with pytest.raises(TapdeskError, match="merge"):
        RenameClass("gold", "silver").apply(wines())


def test_a_missing_code_is_no_class_and_no_rating():
    decision = TreatAsMissing(("no medal",), "not poured")
    after = decision.apply(wines())
    assert after.classes == CLASSES[1:]
    assert decision.touches(wines()) == 2
    assert decision.words(wines()) == "'no medal' means that there is no rating, because: not poured."
    assert TreatAsMissing(("gold", "silver")).words(wines()) == "'gold' and 'silver' mean that there is no rating."
    with pytest.raises(TapdeskError, match="No rating would be left"):
        TreatAsMissing(CLASSES).apply(wines())


def test_cases_left_out_are_gone_with_their_names():
    decision = LeaveOutSubjects(("W0",))
    after = decision.apply(wines())
    assert after.subjects == ("W1", "W2")
    assert decision.touches(wines()) == 3
    with pytest.raises(TapdeskError, match="no case 'W9'"):
        LeaveOutSubjects(("W9",)).apply(wines())
    with pytest.raises(TapdeskError, match="No rating would be left"):
        LeaveOutSubjects(("W0", "W1", "W2")).apply(wines())


def test_raters_left_out_are_gone_with_their_names_and_columns():
    years = Covariate("years", CovariateOf.RATER, np.array([3.0, 5.0, 9.0]))
    after = LeaveOutRaters(("Ben",)).apply(wines(covariates={"years": years}))
    assert after.raters == ("Ana", "Cem")
    assert [r for r in table(wines()) if r[1] != "Ben"] == table(after)
    assert after.covariates["years"].values.tolist() == [3.0, 9.0]


@pytest.mark.parametrize(
    ("of", "values", "left"),
    [
        (CovariateOf.SUBJECT, ["2023", "2024", "2023"], 6),
        (CovariateOf.RATER, ["2023", "2024", "2023"], 5),
        (CovariateOf.RATING, ["2023"] * 2 + ["2024"] * 7, 2),
    ],
)
def test_a_filter_on_a_further_column_keeps_what_has_the_value(of, values, left):
    column = Covariate("year", of, np.array(values, dtype=object))
    decision, data = KeepWhere("year", ("2023",)), wines(covariates={"year": column})
    assert decision.apply(data).rating_count == left
    assert decision.touches(data) == 9 - left
    with pytest.raises(TapdeskError, match="no column 'month'"):
        KeepWhere("month", ("1",)).apply(data)


def test_a_rating_changed_by_hand_keeps_what_stood_there():
    decision = EditRating("W0", "Ben", "silver", "gold")
    assert ("W0", "Ben", "gold") in table(decision.apply(wines()))
    assert "it was 'silver' before" in decision.words(wines())
    with pytest.raises(TapdeskError, match="not what it was"):
        decision.apply(decision.apply(wines()))


def test_a_rating_can_be_added_and_left_out_by_hand_and_that_is_the_way_back():
    added = EditRating("W0", "Ana", None, "bronze", nth=1).apply(wines())
    assert table(added)[3] == ("W0", "Ana", "bronze")
    assert same(EditRating("W0", "Ana", "bronze", None, nth=1).apply(added), wines())


def test_the_second_of_two_ratings_of_a_case_can_be_changed_alone():
    after = EditRating("W2", "Ben", "gold", "bronze", nth=1).apply(wines())
    assert table(after)[-2:] == [("W2", "Ben", "silver"), ("W2", "Ben", "bronze")]


def test_the_class_of_a_typing_slip_goes_with_its_last_rating_and_that_is_said():
    slip = ratings_of([*ROWS, (2, 2, 4)], (*CLASSES, "55"), ordered=True)
    decision = EditRating("W2", "Cem", "55", "silver")
    assert decision.apply(slip).classes == CLASSES
    assert "'55' is no longer used" in decision.words(slip)


def test_a_new_word_becomes_a_class_at_the_end():
    assert EditRating("W0", "Ben", "silver", "trophy").apply(wines()).classes[-1] == "trophy"


def test_tallied_data_have_no_single_ratings():
    tallied = wines(weight=np.array([4, 5, 6]))
    for decision in (KeepRepeats(Repeats.FIRST), JoinSubjects(("W0", "W1"), "W0")):
        with pytest.raises(TapdeskError, match="tallied"):
            decision.apply(tallied)
    assert LeaveOutSubjects(("W0",)).touches(tallied) == 12


@pytest.mark.parametrize(
    ("which", "left"),
    [(Repeats.ALL, ["silver", "gold"]), (Repeats.FIRST, ["silver"]), (Repeats.LAST, ["gold"]), (Repeats.NONE, [])],
)
def test_repeats_count_as_decided(which, left):
    decision = KeepRepeats(which)
    after = decision.apply(wines())
    assert [c for s, r, c in table(after) if (s, r) == ("W2", "Ben")] == left
    assert after.rating_count == 7 + len(left) == wines().rating_count - decision.touches(wines())


def test_repeats_are_not_looked_for_among_unknown_raters():
    with pytest.raises(TapdeskError, match="not known by name"):
        KeepRepeats(Repeats.FIRST).apply(wines(raters_known=False))


def test_a_reversed_rater_is_turned_round_and_twice_is_as_before():
    decision = FlipRater("Ana")
    once = decision.apply(wines())
    assert [c for _s, r, c in table(once) if r == "Ana"] == ["no medal", "gold", "bronze"]
    assert same(decision.apply(once), wines())
    assert decision.touches(wines()) == 3
    with pytest.raises(TapdeskError, match="no order"):
        decision.apply(wines(ordered=False))


def test_two_names_of_one_rater_become_one():
    after = JoinRaters(("Ana", "Cem"), "Ana").apply(wines())
    assert after.raters == ("Ana", "Ben")
    assert JoinRaters(("Ana", "Cem"), "Ana").touches(wines()) == 2
    with pytest.raises(TapdeskError, match="another rater"):
        JoinRaters(("Ana", "Cem"), "Ben").apply(wines())


def test_two_names_of_one_case_become_one_and_stay_sorted():
    after = JoinSubjects(("W0", "W2"), "W0").apply(wines())
    assert after.subjects == ("W0", "W1")
    assert sorted(table(after)) == sorted(("W0" if s == "W2" else s, r, c) for s, r, c in table(wines()))


def test_codes_for_raters_are_letters_in_their_order():
    decision = letter_codes([f"rater {i}" for i in range(28)])
    assert [new for _old, new in decision.names][24:] == ["Y", "Z", "AA", "AB"]
    assert letter_codes(wines().raters).apply(wines()).raters == ("A", "B", "C")
    with pytest.raises(TapdeskError, match="one name"):
        NameRaters((("Ana", "Ben"),)).apply(wines())


@st.composite
def any_ratings(draw):
    rows = draw(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=30))
    data = ratings_of(sorted(rows, key=lambda row: row[0]), CLASSES, ordered=draw(st.booleans()))
    return data.keep(np.ones(len(rows), dtype=bool))


EXAMPLES = (
    SetClass1(("gold",)), ReorderClasses(CLASSES[::-1]), DeclareClass("tin", "gold"),
    MergeClasses((("m", ("gold", "silver")),)), RenameClass("gold", "Au"), ColourClass("gold", "blue"),
    TreatAsMissing(("bronze",)), CountAsAbstention(("no medal",)), LeaveOutSubjects(("W1",)),
    LeaveOutSubjects(("W1",), with_classes=True),
    LeaveOutRaters(("Ben",)), EditRating("W0", "Ana", "gold", "silver"),
    EditRating("W0", "Ana", "gold", None), KeepRepeats(Repeats.FIRST), KeepRepeats(Repeats.NONE), FlipRater("Ana"),
    NameKeyAuthors("two experts"), TakeKeyAsRater(),
    JoinRaters(("Ana", "Ben"), "Ana"), JoinSubjects(("W0", "W1"), "W0"), letter_codes(("Ana", "Ben", "Cem")),
    NumberCases(),
    EditWeight("W0", 4, 5), EditCount("W0", "gold", 1, 0),
    AddPair("W9", ("gold", "silver"), 4), AddCounts("W9", "gold", 2),
    LeaveAsRead("similar_rater_names", (("Ana", "ANA"),), "Some raters have nearly the same name."),
)  # fmt: skip


@given(any_ratings(), st.sampled_from(EXAMPLES))
def test_a_decision_gives_sound_ratings_or_a_sentence_and_counts_what_it_touches(data, decision):
    try:
        after = decision.apply(data)
    except TapdeskError as refused:
        problem = refused
    else:
        problem = None
    if problem is not None:
        assert problem.what.endswith(".")
        return
    # The constructor checks indices and order; names that lost their ratings are gone.
    Ratings(after.subject, after.rater, after.category, after.subjects, after.raters, after.classes)
    assert len(after.members) == len(after.colours) == len(after.classes) == len(set(after.classes))
    assert set(after.subject.tolist()) == set(range(len(after.subjects)))
    left_out = data.rating_count - after.rating_count
    assert 0 <= left_out <= decision.touches(data) <= data.rating_count
    assert decision.words(data).endswith(".")
