"""What can be done about ratings, classes and raters, and how the finding stands afterwards."""

import ast
from pathlib import Path

import pytest

import tapdesk.ratings
from tapdesk.answers.side_results import SideResults
from tapdesk.project.decisions.names import NameRaters
from tapdesk.project.decisions.ratings import EditRating
from tapdesk.project.fixes import catalog as table
from tapdesk.project.fixes.catalog import fixes
from tapdesk.project.review_state import finding_states, open_questions
from tapdesk.ratings.findings import Severity
from tapdesk.report.setup import arranged
from tests.project.fixing import TWELVE, chosen, counts, row, words_of


def test_every_question_that_reading_asks_has_something_to_click():
    asked = set()
    for path in Path(tapdesk.ratings.__file__).parent.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "ask":
                asked |= {one.value for one in call.args[:1] if isinstance(one, ast.Constant)}
    assert len(asked) > 30
    assert asked - set(table._FIXES) == set()


def test_variants_of_a_class_are_merged_under_the_name_without_blanks_and_taken_apart_again(project_from):
    before = project_from(TWELVE.replace("c1,yes", "c1,YES").replace("c2,yes", 'c2,"yes "'))
    assert row(before, "case_space_variants").open
    after = chosen(before, "case_space_variants", "Merge as “yes”")
    assert set(counts(after)) == {"no", "yes"}
    assert sum(counts(after).values()) == 36
    done = row(after, "case_space_variants")
    assert not done.open
    assert done.done is not None
    assert done.done.words == "'yes', 'YES' and 'yes ' are one class, 'yes'."
    assert open_questions(after) == open_questions(before) - 1
    back = after.take_back(done.done.id)
    assert counts(back) == counts(before)
    assert row(back, "case_space_variants").open


def test_what_is_kept_as_read_is_in_the_log_and_asks_no_more(project_from):
    before = project_from(TWELVE.replace("c1,yes", "c1,YES"))
    after = chosen(before, "case_space_variants", "Keep apart")
    assert counts(after) == counts(before)
    assert after.data_fingerprint == before.data_fingerprint
    assert after.log[0].words.startswith("Looked at and left as read: The ratings 'YES'")
    assert not row(after, "case_space_variants").open
    assert row(after.undo(), "case_space_variants").open


def test_what_was_noted_about_classes_that_are_gone_is_no_longer_in_the_data(project_from):
    more = TWELVE.partition("\n")[2].replace("c", "d").replace("d0,no,yes", "d0,no,no")
    before = project_from(f"{TWELVE}{more}Total,8,12,6\n")
    assert row(before, "different_subsets").open
    assert row(chosen(before, "summary_row", "Leave out Total"), "different_subsets").gone


def test_a_number_with_the_other_decimal_mark_is_asked_about_and_written_like_the_others(project_from):
    rows = "".join(f"c{i};{'13.5' if i == 3 else '12,5'};{'13,0' if i % 2 else '12,5'}\n" for i in range(12))
    before = project_from("case;Ana;Ben\n" + rows, decimal=",")
    open_ = row(before, "other_decimal_mark")
    assert open_.finding.where == "cell B5"
    assert open_.finding.message == "Some ratings are numbers with the other decimal mark: '13.5' (1)."
    after = chosen(before, "other_decimal_mark", "Write 13.5 as 13,5")
    assert set(after.ratings.classes) == {"12,5", "13,0", "13,5"}
    assert not row(after, "other_decimal_mark").open
    assert after.log[-1].words == "The class '13.5' is now called '13,5'."


def test_the_question_about_the_order_names_the_classes_that_are_left(project_from):
    fruit = TWELVE.replace("yes", "plum").replace("no", "pear")
    before = project_from(fruit.replace("c1,plum", "c1,PLUM") + "Total,8,12,6\n")
    assert "'8'" in row(before, "order_unknown").finding.message
    after = chosen(before, "summary_row", "Leave out Total")
    after = chosen(after, "case_space_variants", "Merge as “plum”")
    left = row(after, "order_unknown")
    assert left.finding.message == "The order of the classes is not certain: 'pear' and 'plum'."
    assert left.open
    assert not row(chosen(after, "order_unknown", "This order is right"), "order_unknown").open


def test_no_and_yes_that_are_left_are_no_question_of_order(project_from):
    before = project_from(TWELVE + "Total,8,12,6\n")
    assert row(before, "order_unknown").open
    after = chosen(before, "summary_row", "Leave out Total")
    assert not row(after, "order_unknown").open
    assert row(after.undo(), "order_unknown").open


def test_a_date_among_ratings_counts_as_no_rating_or_is_corrected_by_hand(project_from):
    before = project_from(TWELVE.replace("c5,yes", "c5,2024-03-04"))
    after = chosen(before, "dates_among_ratings", "Count as no rating")
    assert after.ratings.rating_count == 35
    assert "because: turned into a date" in after.log[-1].words
    mended = before.decide(EditRating("c5", "Ana", "2024-03-04", "yes"))
    found = row(mended, "dates_among_ratings")
    assert found.gone
    assert found.done is not None
    assert "Changed by hand" in found.done.words


REPEATS = "case,rater,rating\n" + "".join(
    f"w{i},{r},{'gold' if (i + j) % 3 else 'none'}\n" for i in range(6) for j, r in enumerate(("Ana", "Ben", "Ana"))
)


@pytest.mark.parametrize(
    ("words", "left"),
    [("Keep as repeats", 18), ("Only the first counts", 12), ("Only the last counts", 12), ("Leave out", 6)],
)
def test_repeats_are_kept_or_dropped_as_the_user_says(project_from, words, left):
    after = chosen(project_from(REPEATS), "repeats_different", words)
    assert after.ratings.rating_count == left
    done = row(after, "repeats_different")
    assert not done.open
    assert done.done is not None


def test_names_of_one_rater_are_joined(project_from):
    sheet = "case,rater,rating\n" + "".join(
        f"w{i},{r},{'yes' if i % 2 else 'no'}\n" for i in range(8) for r in (("Ana" if i < 4 else "ana"), "Ben")
    )
    after = chosen(project_from(sheet), "similar_rater_names", "Join Ana, ana")
    assert after.ratings.raters == ("Ana", "Ben")
    assert not row(after, "similar_rater_names").open


def test_a_rater_with_the_scale_upside_down_is_turned_round_only_when_asked(project_from):
    lines = ["case,Ana,Ben,Cy,Dee"]
    for i in range(40):
        t = 1 + i % 5
        lines.append(f"c{i},{t},{t},{min(t + (i % 7 == 0), 5)},{6 - t}")
    before = project_from("\n".join(lines))
    after = chosen(before, "reversed_rater", "Turn the scale round for Dee")
    r = after.ratings
    dee, ana = r.raters.index("Dee"), r.raters.index("Ana")
    assert (r.category[r.rater == dee] == r.category[r.rater == ana]).all()
    assert not row(after, "reversed_rater").open


def test_one_of_two_identical_raters_is_left_out(project_from):
    lines = ["case,Ana,Ben,Cy"] + [f"c{i},{1 + i % 3},{1 + i % 3},{1 + (i * i) % 3}" for i in range(30)]
    after = chosen(project_from("\n".join(lines)), "identical_raters", "Leave out Ben")
    assert after.ratings.raters == ("Ana", "Cy")
    assert not row(after, "identical_raters").open


def test_an_order_is_confirmed_or_denied(project_from):
    sheet = TWELVE.replace("yes", "red").replace("no", "blue").replace("c1,red", "c1,green")
    before = project_from(sheet)
    assert not before.ratings.ordered
    right = chosen(before, "order_unknown", "This order is right")
    assert right.ratings.ordered
    assert not row(right, "order_unknown").open
    none = chosen(before, "order_unknown", "No order")
    assert not none.ratings.ordered
    assert not row(none, "order_unknown").open


def test_offers_never_name_what_is_gone(project_from):
    before = project_from(TWELVE.replace("c1,yes", "c1,YES").replace("c2,yes", "c2,y"))
    after = chosen(before, "case_space_variants", "Merge as “yes”")
    for one in finding_states(after):
        for fix in one.fixes:
            if fix.decision is not None:
                fix.decision.apply(after.all_classes)


def test_findings_of_notes_offer_nothing_that_changes_data(project_from):
    before = project_from(TWELVE)
    for one in finding_states(before):
        if one.finding.severity is Severity.NOTE:
            assert fixes(one.finding, before.reading, before.all_classes) == one.fixes


def test_a_date_and_a_slip_are_written_as_what_was_perhaps_typed(project_from):
    steps = ("2,5", "3,5", "3", "4")
    lines = [[f"w{i}", steps[i % 4], steps[(i + i // 5) % 4]] for i in range(20)]
    lines[3][1], lines[7][2] = "03.05.2024", "44"
    before = project_from("wine;Ana;Ben\n" + "".join(";".join(row) + "\n" for row in lines))
    # A date is the fourth of May as well as 4-5, but only 3,5 is an answer.
    dated = chosen(before, "dates_among_ratings", "Write 03.05.2024 as 3,5")
    assert "03.05.2024" not in dated.ratings.classes
    assert counts(dated)["3,5"] == counts(before)["3,5"] + 1
    assert not row(dated, "dates_among_ratings").open
    mended = chosen(dated, "far_value", "Write 44 as 4")
    assert "44" not in mended.ratings.classes
    assert counts(mended)["4"] == counts(before)["4"] + 1
    assert mended.ratings.rating_count == 40
    assert counts(mended.undo().undo()) == counts(before)


def test_a_date_that_can_have_been_no_answer_is_not_rewritten(project_from):
    before = project_from(TWELVE.replace("c1,yes", "c1,2024-05-03"))
    assert words_of(before, "dates_among_ratings") == ["Count as no rating", "Keep as answers"]


def test_what_is_noted_about_classes_names_those_that_are_left(project_from):
    lines = "".join(f"c{i},{1 + i % 4},{1 + i % 3},{1 + (i + i // 5) % 3}\n" for i in range(40))
    before = project_from(f"case,Ana,Ben,Cy\n{lines}Total,101,79,80\n")
    assert "'101'" in row(before, "rare_class").finding.message
    assert "'79'" in row(before, "different_subsets").finding.message
    after = chosen(before, "summary_row", "Leave out Total")
    assert row(after, "rare_class").gone
    told = row(after, "different_subsets")
    assert told.open
    assert told.finding.message == (
        "Raters used different classes: Ben never used '4' and Cy never used '4'. All classes count."
    )
    back = after.undo()
    assert "'79'" in row(back, "different_subsets").finding.message


def test_names_of_persons_as_cases_are_asked_about_and_a_report_names_none_of_them(project_from):
    lines = "".join(f"Smith{i} John,{'yes' if i % 3 else 'no'},{'yes' if i % 4 else 'no'}\n" for i in range(12))
    before = project_from(f"Patient name,Ana,Ben\n{lines}Smith3 John,no,no\nSmith99 Eve,,\n")
    assert row(before, "persons_as_cases").open
    assert "Smith" in repr(arranged(before, SideResults()))
    kept = chosen(before, "persons_as_cases", "Print them as they are")
    assert not row(kept, "persons_as_cases").open
    after = chosen(before, "persons_as_cases", "Call the cases Case 1, Case 2")
    assert not row(after, "persons_as_cases").open
    # Reading noticed a repeat on one person and another without a rating, and told one rating as an example.
    assert {"repeats_different", "cases_without_rating"} <= {f.code for f in after.reading.findings}
    assert "Smith" not in repr(arranged(after, SideResults()))


def test_raters_who_have_other_names_are_called_by_these_wherever_a_report_tells_what_was_noticed(project_from):
    before = project_from(
        "case,rater,rating,name\n" + "".join(f"c{i},Eve Long,yes,x\nc{i},Ben Low,no,x\n" for i in range(9))
    )
    assert "Eve Long" in repr(arranged(before, SideResults()))
    after = before.decide(NameRaters((("Eve Long", "A"), ("Ben Low", "B"))))
    assert "Eve Long" not in repr(arranged(after, SideResults()))
    assert "The rater B gave the case c4 the rating no." in repr(arranged(after, SideResults()))
