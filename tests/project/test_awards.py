"""What a committee decided about its awards stays with the project, and fits the ratings as they are by now."""

import json

import pytest

from tapdesk.errors import UsageError
from tapdesk.progress import finish
from tapdesk.project.awards import PLACE, award_request, medal_lines, with_award_request
from tapdesk.project.files.file import load, save
from tapdesk.project.project import Project
from tapdesk.ratings.reading import read
from tapdesk.studies.award_answer import AwardRequest
from tapdesk.studies.award_rules import Rule

LINES = AwardRequest(rule=Rule.MEDIAN, lines=(13.0, 15.5), names=("none", "bronze", "gold"))


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    rows = ["wine,Ann,Bea", *(f"W{i},{11 + i / 2:g},{12 + i / 2:g}" for i in range(12))]
    place = tmp_path_factory.mktemp("jury") / "jury.csv"
    place.write_text("\n".join(rows) + "\n")
    return Project().with_reading(finish(read(str(place))))


def test_rule_and_lines_come_back_from_a_file(project, tmp_path):
    kept = with_award_request(project, LINES)
    assert award_request(kept) == LINES
    save(kept, tmp_path / "jury.tapdesk")
    assert award_request(load(tmp_path / "jury.tapdesk")) == LINES


def test_the_usual_leaves_no_trace_and_names_that_tell_the_scores_are_made_anew(project):
    assert with_award_request(project, AwardRequest()) is not None
    assert PLACE not in with_award_request(project, AwardRequest()).notes
    unnamed = AwardRequest(lines=(13.0,), names=medal_lines(project.all_classes, ".", ("13",))[1])
    kept = with_award_request(project, unnamed)
    assert "names" not in json.loads(kept.notes[PLACE])
    assert award_request(kept).names == ("below 13", "13 or more")


@pytest.mark.parametrize(
    "note",
    [
        "no JSON",
        "[]",
        '{"rule": "by the moon"}',
        '{"lines": "x"}',
        '{"lines": [99]}',
        '{"lines": [13], "names": ["one"]}',
        '{"wanted": "gone"}',
        '{"rule": "model"}',
    ],
)
def test_a_damaged_note_or_lines_of_other_scores_ask_the_usual(project, note):
    assert award_request(project.with_note(PLACE, note)) == AwardRequest()
    assert award_request(Project().with_note(PLACE, note)) == AwardRequest()


def test_lines_of_a_file_with_a_decimal_comma_are_written_as_it_writes(tmp_path):
    place = tmp_path / "jury.csv"
    place.write_text(
        "wine;Ann;Bea\n" + "".join(f"W{i};{12 + i / 2:g};{11 + i / 2:g}\n".replace(".", ",") for i in range(9))
    )
    project = Project().with_reading(finish(read(str(place))))
    lines, names = medal_lines(project.all_classes, ",", ("13,5",))
    asked = award_request(with_award_request(project, AwardRequest(lines=lines, names=names, decimal=",")))
    assert (asked.lines, asked.decimal) == ((13.5,), ",")
    assert asked.names == ("below 13,5", "13,5 or more")
    with pytest.raises(UsageError, match="is no cut point"):
        medal_lines(project.all_classes, ",", ("gold",))


def test_as_many_names_as_lines_are_those_of_the_medals(project):
    lines, names = medal_lines(project.all_classes, ".", ("13", "15"), ("bronze", "gold"))
    assert (lines, names) == ((13.0, 15.0), ("none", "bronze", "gold"))
    assert medal_lines(project.all_classes, ".", ("13", "15"), ("third", "second", "first"))[1] == (
        "third", "second", "first",
    )  # fmt: skip
    with pytest.raises(UsageError, match="2 cut points make 3 bands, and the names are 3"):
        medal_lines(project.all_classes, ".", ("13", "15"), ("none", "gold"))
