"""The colour of a class: a decision like any other, which changes no number."""

import json

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.project.decisions.base import DecisionStatus
from tapdesk.project.decisions.classes import (
    ColourClass,
    DeclareClass,
    MergeClasses,
    RenameClass,
    ReorderClasses,
    TreatAsMissing,
)
from tapdesk.project.decisions.names import JoinSubjects
from tapdesk.project.files.file import decode, encode
from tapdesk.ratings.ratings import fingerprint
from tests.project.examples import fitted, medals
from tests.project.test_decisions import CLASSES, wines
from tests.project.test_hostile import JSON, packed, parts_of


def test_a_colour_stays_with_its_class_through_every_other_decision_and_changes_no_number():
    gold = ColourClass("gold", "orange")
    coloured = ColourClass("bronze", "blue").apply(gold.apply(wines()))
    assert coloured.colours == ("", "blue", "", "orange")
    assert fingerprint(coloured) == fingerprint(wines())
    assert gold.touches(wines()) == 0
    assert RenameClass("gold", "Au").apply(coloured).colours[-1] == "orange"
    assert ReorderClasses(CLASSES[::-1]).apply(coloured).colours == ("orange", "", "blue", "")
    assert TreatAsMissing(("no medal",)).apply(coloured).colours == ("blue", "", "orange")
    assert DeclareClass("trophy").apply(coloured).colours == ("", "blue", "", "orange", "")
    assert JoinSubjects(("W0", "W1"), "W0").apply(coloured).colours == coloured.colours
    assert ColourClass("gold", "").apply(coloured).colours == ("", "blue", "", "")


def test_merged_classes_keep_the_colour_of_the_one_they_are_merged_into_and_none_of_two_others():
    coloured = ColourClass("bronze", "blue").apply(ColourClass("gold", "orange").apply(wines()))
    assert MergeClasses((("gold", ("gold", "bronze")),)).apply(coloured).colours == ("", "orange", "")
    assert MergeClasses((("medal", ("gold", "bronze")),)).apply(coloured).colours == ("", "", "")
    assert coloured.dichotomised(["gold"]).colours == ("", "orange")


@pytest.mark.parametrize(("decision", "words"), [
    (ColourClass("tin", "blue"), "no class 'tin'"),
    (ColourClass("gold", "#FFFFFF"), "no colour '#FFFFFF'"),
])  # fmt: skip
def test_a_colour_that_is_not_there_or_of_no_class_is_refused(decision, words):
    with pytest.raises(TapdeskError, match=words):
        decision.apply(wines())


def test_a_colour_is_undone_taken_back_and_kept_with_the_project_and_no_answer_grows_old(tmp_path):
    project = fitted()
    one = project.ratings.classes[1]
    coloured = project.decide(ColourClass(one, "green"))
    assert not coloured.analyses[0].stale
    assert decode(encode(coloured), "x").ratings.colours == ("", "green")
    assert coloured.undo().ratings.colours == ("", "")
    assert coloured.undo().redo().ratings.colours == ("", "green")
    assert coloured.take_back(1).ratings.colours == ("", "")
    assert coloured.log[0].words == f"The class '{one}' is drawn in green."
    twice = coloured.decide(ColourClass(one, "blue"))
    assert [row.standing for row in twice.log] == [DecisionStatus.REPLACED, DecisionStatus.IN_FORCE]
    assert medals(tmp_path).decide(ColourClass("gold", "blue")).with_class1(("gold",)).ratings.colours == ("", "blue")


@pytest.mark.parametrize("colours", [["blue"], ["blue", "#FF0000"], ["blue"] * 3])
def test_a_project_with_colours_that_are_none_or_too_many_is_damaged(colours):
    parts = parts_of(encode(fitted()))
    document = json.loads(parts[JSON])
    document["project"]["reading"]["as_read"]["colours"] = colours
    with pytest.raises(TapdeskError, match="damaged"):
        decode(packed(parts | {JSON: json.dumps(document).encode()}), "x")


def test_a_project_of_before_there_were_colours_opens_without_them():
    parts = parts_of(encode(fitted()))
    document = json.loads(parts[JSON])
    del document["project"]["reading"]["as_read"]["colours"]
    assert decode(packed(parts | {JSON: json.dumps(document).encode()}), "x").ratings.colours == ("", "")
