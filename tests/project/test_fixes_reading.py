"""What can be done where the file may have been read wrongly: its rows, columns, tables, header and roles."""

from tapdesk.project.review_state import finding_states
from tapdesk.ratings.findings import Severity
from tests.project.fixing import TWELVE, chosen, counts, row, words_of


def test_a_totals_row_is_left_out(project_from):
    before = project_from(TWELVE + "Total,8,12,6\n")
    after = chosen(before, "summary_row", "Leave out Total")
    assert "Total" not in after.ratings.subjects
    assert after.ratings.rating_count == 36
    # The totals themselves were never answers.
    assert set(before.ratings.classes) - set(after.ratings.classes) == {"8", "12", "6"}
    done = row(after, "summary_row").done
    assert done is not None
    assert done.touches == 3


def test_a_consensus_column_is_left_out_and_other_raters_stay(project_from):
    lines = TWELVE.splitlines()
    sheet = "\n".join([f"{lines[0]},Consensus", *(f"{line},yes" for line in lines[1:])])
    after = chosen(project_from(sheet), "summary_column", "Leave out Consensus")
    assert after.ratings.raters == ("Ana", "Ben", "Cy")


def test_a_round_is_chosen(project_from):
    sheet = "case,rater,rating,round\n" + "".join(
        f"w{i},{r},{'yes' if (i + n) % 2 else 'no'},{n}\n" for n in (1, 2) for i in range(6) for r in ("Ana", "Ben")
    )
    after = chosen(project_from(sheet), "rounds", "Only “1”")
    assert after.ratings.rating_count == 12
    assert not row(after, "rounds").open


def test_seats_and_header_are_settled_by_reading_again(project_from):
    sheet = "J1,J2,J3\n" + "".join(f"{1 + i % 3},{1 + (i + 1) % 3},{1 + i % 2}\n" for i in range(12))
    before = project_from(sheet)
    after = chosen(before, "seats_or_people", "Seats")
    assert not after.ratings.raters_known
    assert "seats_or_people" not in {f.code for f in after.reading.findings}


def test_codes_for_missing_are_read_as_answers_when_the_user_says_so(project_from):
    before = project_from(TWELVE.replace("c1,yes", "c1,n/a"))
    assert before.reading.missing == 1
    after = chosen(before, "missing_codes", "They are answers")
    assert after.reading.missing == 0
    assert counts(after)["n/a"] == 1


def test_a_fact_among_the_raters_is_left_out_by_one_decision(project_from):
    lines = "".join(f"p{i},{i % 4},{1 + i % 3},{1 + i % 3},{1 + (i + i // 5) % 3}\n" for i in range(24))
    before = project_from(f"Patient,Parity,R1,R2,R3\n{lines}")
    after = chosen(before, "perhaps_no_rater", "Leave out Parity")
    assert after.ratings.raters == ("R1", "R2", "R3")
    assert after.ratings.classes == ("1", "2", "3")
    assert not row(after, "perhaps_no_rater").open
    assert row(after.undo(), "perhaps_no_rater").open


def test_one_of_two_questions_is_read_and_nothing_is_asked_about_the_other(project_from):
    lines = "".join(f"i{i},{1 + i % 5},{1 + i % 3},{1 + (i + i // 4) % 5},{1 + (i + 1) % 3}\n" for i in range(20))
    before = project_from(f"image,R1 grade,R1 trust,R2 grade,R2 trust\n{lines}")
    after = chosen(before, "several_questions", "Only “grade”")
    assert after.ratings.raters == ("R1", "R2")
    assert "several_questions" not in {r.finding.code for r in finding_states(after)}
    # R1 and R2 may be seats; about the other question nothing is asked.
    asked = [r for r in finding_states(after) if r.open and r.finding.severity is Severity.ASK]
    assert [r.finding.code for r in asked] == ["seats_or_people"]


def test_numbers_below_answers_are_read_as_counts_or_left(project_from):
    before = project_from("Item,Yes,No\na,3,2\nb,4,1\nc,0,5\n")
    assert words_of(before, "called_like_answers") == ["They are counts", "They are ratings"]
    assert chosen(before, "called_like_answers", "They are counts").ratings.rating_count == 15
    assert not row(chosen(before, "called_like_answers", "They are ratings"), "called_like_answers").open


def test_tables_below_and_beside_the_first_are_left_out(project_from):
    answers = ("Yes", "No", "No", "Yes", "No")
    first = "".join(f"c{i},{answers[i]},{answers[-i]}\n" for i in range(5))
    below = project_from(f"case,Ana,Ben\n{first}\ncase,Cy,Dee\n{first}")
    after = chosen(below, "second_table", "Read only what stands above row 8")
    assert after.ratings.rating_count == 10
    assert after.ratings.classes == ("No", "Yes")
    lines = "".join(f"c{i},{answers[i]},No,,d{i},{answers[-i]},Yes\n" for i in range(5))
    beside = chosen(project_from(f"case,Ana,Ben,,case,Ana,Ben\n{lines}"), "table_beside", "Read only the first table")
    assert beside.ratings.raters == ("Ana", "Ben")
    assert beside.ratings.subjects == ("c0", "c1", "c2", "c3", "c4")


def test_a_row_of_sums_without_a_name_is_left_out(project_from):
    lines = "".join(f"c{i},{1 + i % 3},{1 + (i + i // 5) % 3}\n" for i in range(20))
    after = chosen(project_from(f"case,Ana,Ben\n{lines},40,41\n"), "case_without_name", "Leave out row 22")
    assert after.ratings.rating_count == 40
    assert after.ratings.classes == ("1", "2", "3")


def test_people_in_rows_of_a_form_are_raters_and_their_time_stamps_no_cases(project_from):
    medals = ("Gold", "Silver", "Bronze", "Gold")
    lines = "".join(
        f"2024-03-0{i + 1} 09:1{i},{who},{','.join(medals[(i + j) % 4] for j in range(6))}\n"
        for i, who in enumerate(["Ana", "Ben", "Cy", "Dee"])
    )
    header = ",".join(f"Wine {i}: medal?" for i in range(1, 7))
    before = project_from(f"Timestamp,Your name,{header}\n{lines}")
    # An export of a survey program: a person in each row, and asked about.
    after = chosen(before, "responses_are_raters", "That is right")
    assert after.ratings.raters == ("Ana", "Ben", "Cy", "Dee")
    assert after.ratings.subject_count == 6
    assert after.ratings.rating_count == 24


def test_one_ward_is_read_where_each_numbers_its_own_cases(project_from):
    answers = ("Yes", "No", "No", "Yes", "No")
    lines = "".join(f"{ward},{i},{answers[i]},{answers[-i]}\n" for ward in "XYZ" for i in range(5))
    before = project_from(f"ward,patient,r1,r2\n{lines}")
    after = chosen(before, "cases_numbered_anew", "Only “Y”")
    assert after.ratings.rating_count == 10
    assert "repeats_same" not in {r.finding.code for r in finding_states(after)}


def test_questions_of_a_form_and_roles_without_a_name_are_confirmed_or_read_in_another_way(project_from):
    lines = "".join(f"{i},{'Yes' if i % 3 else 'No'},No,{'Yes' if i % 2 else 'No'}\n" for i in range(12))
    form = project_from(f"patient,Allergy recorded,Consent signed,Weight recorded\n{lines}")
    assert words_of(form, "perhaps_questions") == ["They are raters", "They are questions"]
    assert not row(chosen(form, "perhaps_questions", "They are raters"), "perhaps_questions").open
    lines = "".join(f"{4 + i % 9}.5,{1 + i % 7}.1,{('red', 'blue')[i % 2]}\n" for i in range(40))
    guessed = project_from(f"sepal,petal,species\n{lines}")
    assert not row(chosen(guessed, "roles_by_values", "That is right"), "roles_by_values").open


def test_a_header_that_is_one_short_is_confirmed(project_from):
    lines = "".join(f'"{i + 1}" "c{i}" "{"Yes" if i % 3 else "No"}" "No"\n' for i in range(8))
    before = project_from(f'"case" "ana" "ben"\n{lines}')
    assert not row(chosen(before, "header_one_short", "That is right"), "header_one_short").open
