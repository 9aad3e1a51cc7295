"""What a brief says where one bar, one number or one name would mislead: every sentence where it is true, and why."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers import brief
from tapdesk.answers.content import Paragraph, Table
from tapdesk.answers.figures.catalog import picture
from tapdesk.answers.part import Answer
from tapdesk.answers.side_results import SideResults
from tapdesk.models.model import GROUP_MODELS, Accuracy, model
from tapdesk.progress import finish
from tapdesk.project.decisions.ratings import LeaveOutSubjects
from tapdesk.project.project import Project
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read
from tapdesk.report.build import build
from tapdesk.report.report import Form
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.case_beliefs import case_beliefs
from tapdesk.studies.chance import chance_of
from tapdesk.studies.opposition import Opposition

from .looked_up import said


def ratings_of(text, tmp_path, **options):
    place = tmp_path / "ratings.csv"
    place.write_text(text)
    return finish(read(str(place), ReadingOptions(**options)))


def panel(raters, cases=60, name="c"):
    """Cases of which the raters agree on most."""
    heads = ",".join(("Adams", "Brown", "Clark", "Davis")[:raters])
    rows = [
        ",".join("yes" if (i % 2) ^ ((7 * i + 3 * j) % 11 == 0) else "no" for j in range(raters)) for i in range(cases)
    ]
    return f"case,{heads}\n" + "\n".join(f"{name}{i},{row}" for i, row in enumerate(rows)) + "\n"


def answer_to(reading, name="t-a-p", **side):
    fit = finish(analyse(reading.ratings, Request(model(name))))
    return Answer(fit, reading.ratings, reading.as_read, SideResults(**side))


def words(blocks):
    return " ".join(b.text for b in blocks if isinstance(b, Paragraph))


@pytest.fixture
def four(tmp_path):
    return ratings_of(panel(4), tmp_path)


def test_a_model_of_each_rater_is_told_without_its_name(four):
    told = answer_to(four, "t-aj-pj")
    sentence, follows = brief.answer_words(told)
    assert sentence == "Each of the raters has an accuracy of their own, so there is no single one to report."
    assert not brief.kitchen(follows)
    why = "How much of the agreement is luck differs from one pair of raters to the next: no one bar shows it."
    assert brief.why_no_split(told) == why


def test_beside_an_accuracy_of_each_rater_that_of_the_panel_is_a_number(four):
    told = answer_to(four, "t-aj-pj", panel=answer_to(four).fit)
    name, value, _interval = brief.numbers_table(told).rows[0]
    assert name == "Ratings that follow the case itself (accuracy)"
    assert value.values == (told.side.panel.estimate("a").value,)


def test_a_model_without_an_accuracy_is_told_without_its_name(four):
    told = answer_to(four, "dawid-skene")
    assert told.fit.model.accuracy is Accuracy.NONE
    expected = "There is no single accuracy to report of these ratings; the full report tells its numbers."
    assert brief.answer_words(told)[0] == expected
    why = brief.why_no_split(told)
    assert why
    assert not brief.kitchen(why)


def test_where_the_range_is_all_there_is_no_bar_is_drawn(tmp_path):
    told = answer_to(ratings_of(panel(2), tmp_path), "t-a-t")
    assert brief.why_no_split(told) == (
        "How much is luck cannot be split here: these ratings fit every accuracy of the range equally well."
    )
    (row, *_rest) = brief.numbers_table(told).rows
    assert row[0] == "Ratings that follow the case: every share that fits"
    assert " to " in row[1]


def test_where_one_accuracy_does_not_describe_the_ratings_none_is_a_number(four):
    told = answer_to(four)
    assert brief.why_no_split(told) == ""
    assert brief.numbers_table(told).rows[0][0] == "Ratings that follow the case itself (accuracy)"
    opposed = replace(
        told, side=replace(told.side, opposition=Opposition(("Adams",), even=False, groups=(), preview=None))
    )
    assert brief.why_no_split(opposed) == (
        "How much of the agreement is luck is not shown: one accuracy does not describe these ratings."
    )
    # Of two classes how common each truly is rests on the same accuracy.
    assert brief.numbers_table(opposed) is None
    assert words(brief.apart_blocks(opposed)) == ("Some raters contradict others: see the first sentence of this page.")


def test_nobody_is_set_apart_where_nothing_tells_raters_apart(four, tmp_path):
    told = answer_to(four)
    assert words(brief.apart_blocks(told)) == "These ratings do not tell how far single raters follow the case."
    own = answer_to(four, "t-aj-pj").fit
    compared = replace(told, side=replace(told.side, by_rater=own))
    assert words(brief.apart_blocks(compared)) == "Whether single raters differ from the panel cannot be told here."
    two = answer_to(ratings_of(panel(2), tmp_path), "t-a-t")
    assert words(brief.apart_blocks(two)) == "Two raters cannot show which of them differs: that needs a third."
    one = replace(told, ratings=replace(four.ratings.keep(four.ratings.rater == 0), raters=("Adams",)))
    assert words(brief.apart_blocks(one)) == "There is only one rater, so nobody can be set apart."
    unknown = replace(told, ratings=replace(four.ratings, raters_known=False))
    assert words(brief.apart_blocks(unknown)) == (
        "The file does not say who gave which rating, so nobody can be set apart."
    )


def test_the_second_page_tells_what_it_rests_on_and_what_is_signed(four):
    project = Project(title="Falls").with_reading(four)
    report = build(project, form=Form.BRIEF)
    rows = dict(next(s for s in report.sections if s.key == "brief-basis").blocks[0].rows)
    assert rows["Used"] == "60 cases and 240 ratings by 4 raters: 4 ratings of each case."
    assert rows["Decided"] == "Nothing was changed or merged after the file was read."
    assert rows["Still open"] == "Nothing: every check was answered."
    assert rows["Left out"] == "Nothing."
    choices = [b.prompt for b in next(s for s in report.sections if s.key == "brief-conclusion").blocks]
    # No case is listed above, so none is to be decided first.
    assert choices == ["The ratings can be used.", "Rate again."]
    signed = next(s for s in report.sections if s.key == "brief-signatures").blocks
    assert [b.meaning for b in signed[:3]] == [
        "I made this analysis from the data named on page 1.",
        "I have read it and checked it against the data.",
        "The committee accepts this brief.",
    ]
    assert "it says whether pages and numbers are those that were issued" in said(report, "brief-signatures")


def test_what_the_committee_wrote_takes_the_place_of_what_is_drafted(four):
    project = Project().with_reading(four)
    for place, text in (
        ("conclusion", "Keep the form.\nTrain again."),
        ("actions", "A. Smith: training, by May."),
        ("signers", "Ann Lee\nBob May"),
        ("summary", "We agree."),
    ):
        project = project.with_note(place, text)
    report = build(project, form=Form.BRIEF)
    assert said(report, "brief-conclusion") == "Keep the form. Train again. A. Smith: training, by May."
    names = [b.meaning for b in next(s for s in report.sections if s.key == "brief-signatures").blocks[:3]]
    assert names[0].startswith("Ann Lee. I made")
    assert names[1].startswith("Bob May. I have")
    assert names[2] == "The committee accepts this brief."
    assert said(report, "brief-answer").startswith("We agree. These sentences were written by the committee")


def test_seats_are_no_persons(tmp_path):
    reading = ratings_of(panel(3), tmp_path)
    project = Project().with_reading(replace(reading, as_read=replace(reading.as_read, raters_known=False)))
    rows = dict(next(s for s in build(project, form=Form.BRIEF).sections if s.key == "brief-basis").blocks[0].rows)
    assert rows["Used"] == "60 cases and 180 ratings: 3 of each case; who gave which is not known."


def believed_by_halves(reading, sure):
    """An answer whose beliefs in the likeliest class are these, case by case."""
    told = answer_to(reading, "t-a-t")
    beliefs = finish(case_beliefs(reading.ratings, told.fit, 1, None))
    beliefs = replace(beliefs, probability=np.stack([1 - sure, sure], axis=1))
    chance = finish(chance_of(reading.ratings, 20, 1))
    return replace(told, side=replace(told.side, beliefs=beliefs, chance=chance))


def listed_by(told):
    (table,) = (b for b in brief.cases_blocks(told) if isinstance(b, Table))
    return [name for row in table.rows for name in row[0].split(", ")], table


def test_where_nearly_all_cases_are_doubtful_the_worst_are_listed_and_the_page_says_so(tmp_path):
    reading = ratings_of(panel(2, 100), tmp_path)
    sure = np.concatenate([np.linspace(0.51, 0.89, 95), np.full(5, 0.97)])
    told = believed_by_halves(reading, sure)
    names, table = listed_by(told)
    assert 1 <= len(names) <= 50
    assert set(names) == set(reading.ratings.subjects[: len(names)])
    assert table.note == (
        "Nearly all cases are doubtful, 95 of 100: only the least certain are listed here. "
        f"{95 - len(names)} more cases are listed in the technical annex of the full report."
    )
    # There all of them stand.
    (whole,) = (b for b in brief.further_cases(told) if isinstance(b, Table))
    assert sum(len(row[0].split(", ")) for row in whole.rows) == 95


@pytest.mark.parametrize(("cases", "doubtful"), [(20, 20), (100, 60)])
def test_few_doubtful_cases_or_a_part_of_all_are_all_listed(cases, doubtful, tmp_path):
    sure = np.concatenate([np.linspace(0.51, 0.89, doubtful), np.full(cases - doubtful, 0.97)])
    names, table = listed_by(believed_by_halves(ratings_of(panel(2, cases), tmp_path), sure))
    assert (len(names), table.note) == (doubtful, "")


def test_no_case_to_discuss_reads_as_sure_as_the_limit_it_is_below(tmp_path):
    sure = np.array([0.897, 0.8996, 0.899999, 0.6] + [0.97] * 16)
    _names, table = listed_by(believed_by_halves(ratings_of(panel(2, 20), tmp_path), sure))
    assert {str(row[-1]) for row in table.rows} == {"60 %", "89.7 %", "89.96 %", "<90 %"}


def test_of_very_many_names_the_rest_is_counted(tmp_path):
    long = "a case with a name that takes a lot of room on a page "
    reading = ratings_of(panel(2, 300, long), tmp_path)
    told = answer_to(reading, "t-a-t")
    beliefs = finish(case_beliefs(reading.ratings, told.fit, 1, None))
    chance = finish(chance_of(reading.ratings, 20, 1))
    told = replace(told, side=replace(told.side, beliefs=beliefs, chance=chance))
    blocks = brief.cases_blocks(told)
    (table,) = (b for b in blocks if isinstance(b, Table))
    listed = sum(len(row[0].split(", ")) for row in table.rows)
    left = int((beliefs.probability.max(axis=1) < 0.9).sum()) - listed
    assert left > 1
    assert table.note == f"{left} more cases are listed in the technical annex of the full report."
    # And there they are, every one by name.
    (whole,) = (b for b in brief.cases_blocks(told, whole=False) if isinstance(b, Table))
    assert sum(len(row[0].split(", ")) for row in whole.rows) == left + listed
    assert whole.note == ""


def test_decisions_are_told_and_the_rest_counted(four):
    project = Project().with_reading(four)
    for i in range(6):
        project = project.decide(LeaveOutSubjects((f"c{i}",)), when="")
    rows = dict(next(s for s in build(project, form=Form.BRIEF).sections if s.key == "brief-basis").blocks[0].rows)
    assert rows["Decided"].endswith("And 3 more, in the decisions log.")
    assert rows["Left out"] == "24 ratings."


def test_empty_cells_are_counted(tmp_path):
    reading = ratings_of(panel(4).replace(",no,yes\n", ",,yes\n", 2), tmp_path)
    project = Project().with_reading(reading)
    rows = dict(next(s for s in build(project, form=Form.BRIEF).sections if s.key == "brief-basis").blocks[0].rows)
    assert rows["Left out"] == f"{reading.missing} cells hold no rating."
    assert reading.missing > 0


def test_groups_have_no_one_bar(tmp_path):
    lines = panel(4).splitlines()
    wards = [lines[0] + ",ward", *(f"{line},{'NS'[i // 30]}" for i, line in enumerate(lines[1:]))]
    reading = ratings_of("\n".join(wards) + "\n", tmp_path)
    fit = finish(analyse(reading.ratings, Request(replace(model("tg-a-p", GROUP_MODELS), groups="ward"))))
    told = Answer(fit, reading.ratings, reading.as_read, SideResults())
    assert brief.why_no_split(told) == "How much of the agreement is luck cannot be told from these numbers."


def test_the_bar_stands_among_the_pictures():
    assert picture("split").title == "How much of it is knowledge, half of it, luck?"
