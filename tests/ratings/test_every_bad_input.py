"""Each awkward input of the table of bad input in one row: how it is met, from silent repair to a question that blocks.

What a row says in full is tested beside its subject (`test_bad_*.py`); here every number has its answer, so that none
is forgotten. ``S`` is a silent repair, ``N`` a note, ``A`` a question with a default, ``B`` a question that blocks,
``R`` a refusal that says what to do.
"""

import random
from pathlib import Path

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.findings import Severity

NAMES = ("Ana", "Ben", "Cy")
MARKS = {"N": Severity.NOTE, "A": Severity.ASK, "B": Severity.BLOCK}


def panel(classes=("yes", "no"), rows=40, names=NAMES, sep=",", more=None):
    """A wide table of raters who mostly agree; ``more`` makes the cell of a further column from the row."""
    rng = random.Random(4)
    lines = [sep.join(["case", *names, *((more("head"),) if more else ())])]
    for row in range(rows):
        true = rng.choice(classes)
        given = [true if rng.random() < 0.8 else rng.choice(classes) for _name in names]
        lines.append(sep.join([f"c{row + 1}", *given, *((more(given),) if more else ())]))
    return "\n".join(lines) + "\n"


def beside(name, cell):
    """A further column of a panel."""
    return lambda given: name if given == "head" else cell(given)


def long(*rows):
    """One rating in each row."""
    return "case,rater,rating\n" + "\n".join(rows) + "\n"


def scores(odd):
    """Three raters on 1 to 5, one cell of them odd."""
    rows = (f"c{i},{odd if i == 4 else 1 + i % 5},{1 + i // 3 % 5},{1 + i % 5}" for i in range(40))
    return "case,Ana,Ben,Cy\n" + "\n".join(rows) + "\n"


YN = panel()


def some(rows, cell):
    """One rating in each row of two raters, by its number."""
    return long(*(f"c{i // 2},{'AB'[i % 2]},{cell(i)}" for i in range(rows)))


TURNED = "\n".join(
    ",".join(cells)
    for cells in zip(*(line.split(",") for line in YN.replace("case", "rater").splitlines()), strict=True)
)
ONE_OF_DAN = "\n".join(
    line + (",Dan" if i == 0 else ",yes" if i == 5 else ",") for i, line in enumerate(YN.splitlines())
)
REPEATED = "".join(f"c{i},{r},{k},{'yn'[(i + k) % 2]}\n" for i in range(30) for r in NAMES for k in (1, 2))
APART = (f"c{i},{r},{'yn'[i % 3 > 0]}" for i in range(40) for r in ("AB" if i < 20 else "CD"))

# The number in the table, the file, how it is met and by which finding; in a refusal some words of it.
ROWS = (
    (1, "\ufeff" + YN, "S", ""),
    (2, YN.encode("utf-16"), "N", "encoding"),
    (2, YN.encode("utf-16-le"), "R", "UTF-16 text without its mark"),
    (3, panel(("größer", "kleiner")).encode("cp1252"), "R", "Which line shows the letters"),
    (4, panel(sep=";"), "N", "delimiter"),
    (4, panel(sep="|"), "N", "delimiter"),
    (5, "sep=;\n" + panel(sep=";"), "S", ""),
    (6, panel(("13,5", "14,5", "15"), sep=";"), "N", "decimal_comma"),
    (6, panel(("1,234", "2,345"), sep=";"), "A", "decimal_mark_uncertain"),
    (7, panel(("13,5", "14.5", "15"), sep=";"), "R", "mixes decimal commas and decimal dots"),
    (8, "n_ratings;n_class1;weight\n2;0;1.250\n2;1;300\n2;2;2.000\n", "N", "thousands_marks"),
    (9, "case,Ana,Ben\nc1,yes,no\nc2,no\nc3,yes,no\n", "R", "not of one length"),
    (10, "St Mary hospital\nWard audit,,\n\n" + YN, "A", "letterhead"),
    (
        11,
        ",Judge 1,,Judge 2,\nWine,Colour,Nose,Colour,Nose\nw1,a,b,a,b\nw2,b,b,a,a\nw3,a,a,b,b\n",
        "B",
        "several_questions",
    ),
    (12, long("w1,Ana,yes", ",Ben,no", "w2,Ana,no", ",Ben,no"), "R", "without a case"),
    (13, "\n".join(YN.splitlines()[1:]), "A", "no_header"),
    (14, YN.replace("c20,", ",,,\n,,,\nc20,"), "N", "blank_lines"),
    (15, YN + "Total Yes,20,22,19\n", "B", "summary_row"),
    (15, panel(more=beside("Consensus", lambda given: max(given, key=given.count))), "B", "summary_column"),
    (15, YN.replace("c7,yes", "c7,24").replace("c7,no", "c7,24"), "B", "numbers_among_words"),
    (16, YN + "\n* absent on the day\n", "A", "notes_below"),
    (17, "case,Ana,Ana,Ben\nc1,yes,no,yes\nc2,no,no,yes\nc3,yes,yes,yes\n", "A", "duplicate_column_names"),
    (17, "case,Ana,ana ,Ben\nc1,yes,no,yes\nc2,no,no,yes\nc3,yes,yes,yes\n", "A", "similar_rater_names"),
    (18, long("w1,Ana,yes", "w1,Ana,yes", "w1,Ben,no", "w2,Ana,no", "w2,Ben,no"), "A", "repeats_same"),
    (19, long("w1,Ana,yes", "w1,Ana,no", "w1,Ben,no", "w2,Ana,no", "w2,Ben,no"), "A", "repeats_different"),
    (20, long("w1,Ana,yes", "w2,Ana,no"), "A", "one_rating_per_subject"),
    (21, panel(names=("Ana", "Ben")), "N", "two_ratings_per_subject"),
    (22, panel(("yes",)), "A", "one_class"),
    (23, "case,Ana,Ben\n" + "".join(f"c{i},{1 + i % 2},{2 + i % 2}\n" for i in range(30)), "N", "different_subsets"),
    (24, "case,Ana,Ben\nc1,Yes,yes \nc2,YES,no\nc3,Y,no\nc4,oui,no\n", "A", "case_space_variants"),
    (24, "case,Ana,Ben\nc1,Yes,yes \nc2,YES,no\nc3,Y,no\nc4,oui,no\n", "A", "same_meaning"),
    (25, "case,Ana,Ben\nc1,A,\u0410\nc2,A,B\nc3,B,\u0410\nc4,B,B\n", "A", "look_alikes"),
    (26, "case,Ana,Ben\nc1,1,'2\nc2,2,3 \nc3,3,1\n", "N", "numbers_as_text"),
    (27, "case,Ana,Ben\nc1,01,1\nc2,2,2\nc3,1,2\n", "A", "same_number"),
    (28, "case,Ana,Ben\nc1,4-Mar,3\nc2,3,3\nc3,4,4\nc4,3,4-Mar\n", "A", "dates_among_ratings"),
    (29, some(40, lambda i: f"2026-{1 + i % 12:02}-{1 + i % 28:02}"), "R", "looks like a date column"),
    (30, some(140, lambda i: f"I think that number {i} was rather good"), "R", "as remarks are"),
    (31, some(80, lambda i: f"X{10000 + i}"), "R", "as identifiers are"),
    (32, some(120, lambda i: f"{i * 37 % 101}.{i % 10}"), "A", "continuous_scores"),
    (33, YN.replace("c3,yes", "c3,NA").replace("c3,no", "c3,NA"), "A", "missing_codes"),
    (33, scores("99"), "A", "maybe_missing_number"),
    (34, YN.replace("c9,no", "c9,could not judge").replace("c9,yes", "c9,could not judge"), "A", "maybe_missing_word"),
    (37, scores("55"), "A", "far_value"),
    (38, "case,Ana,Ben\nc1,3-4,4\nc2,3,4+\nc3,4,4\nc4,3/5,3\n", "A", "unusual_marks"),
    (39, "case,Ana,Ben\nc1,42%,50%\nc2,50%,50%\nc3,42%,42%\n", "A", "percentages"),
    (45, ";a;b;c\na;25;3;1\nb;4;40;2\nc;0;6;31\n", "A", "looks_like_counts"),
    (46, TURNED, "A", "raters_in_rows"),
    (48, b"%PDF-1.7 ...", "R", "This is a PDF"),
    (50, b"", "R", "The file is empty"),
    (52, panel(("=cmd", "@x", "+a")), "A", "order_unknown"),
    (54, panel(names=("دكتور", "山田太郎", "👩‍⚕️")), "S", ""),
    (55, panel(names=("=1+1", "__init__", "index")), "S", ""),
    (57, ONE_OF_DAN, "N", "raters_with_one_rating"),
    (58, YN + "c41,yes,,\n", "N", "cases_with_one_rating"),
    (59, panel(more=beside("Dan", lambda _given: "yes")), "N", "constant_rater"),
    (60, panel(more=beside("Dan", lambda given: given[0])), "A", "identical_raters"),
    (61, panel(tuple("12345"), rows=60, more=beside("Dan", lambda g: str(6 - int(g[0])))), "A", "reversed_rater"),
    (62, long(*APART), "N", "disconnected_panels"),
    (63, panel(rows=300).replace("c9,yes", "c9,maybe").replace("c9,no", "c9,maybe"), "N", "rare_class"),
    (64, "case,rater,round,rating\n" + REPEATED, "A", "rounds"),
    (
        65,
        long(*(f"{c},{r},yes" for c in ("P-01", "p01", "P-02") for r in NAMES), "P-04,A,no"),
        "A",
        "similar_case_names",
    ),
    (66, YN.replace("case,", "NHS number,").replace("\nc", "\n94347659"), "N", "personal_data"),
    (67, "case\tAna\tBen\t\nc1\tyes\tno\t\nc2\tno\tno\t\nc3\tyes\tyes\t\n\t\t\t\n", "N", "delimiter"),
)

# What is no file of text, or is met after the reading: the tests that stand for it.
ELSEWHERE = {
    35: "ratings/test_bad_values.py: test_35_and_37_a_rating_outside_the_declared_order_is_refused_with_its_cell",
    36: "ratings/test_bad_workbooks.py: test_36_value_labels_and_user_missing_codes_of_spss_are_kept",
    40: "ratings/test_bad_workbooks.py: test_40_formulas_without_a_result_are_refused_with_their_cells",
    41: "ratings/test_bad_workbooks.py: test_41_error_cells_are_no_rating_and_listed",
    42: "ratings/test_bad_workbooks.py: test_42_hidden_rows_columns_and_filters_are_asked_and_read",
    43: "ratings/test_bad_workbooks.py: test_43_of_several_sheets_the_first_is_read_and_all_are_named",
    44: "ratings/test_several.py: test_44_a_file_for_each_rater_is_stacked_and_the_name_of_the_file_is_the_rater",
    47: "ratings/test_disguised_files.py: test_47_a_password_is_said_in_plain_words",
    49: "ratings/test_bad_text.py: test_49_a_file_another_program_holds_is_said_so",
    51: "ratings/test_hostile_workbooks.py: test_51_a_zip_bomb_is_refused_by_its_size_before_it_is_unpacked",
    53: "ratings/test_hostile_workbooks.py: test_53_declarations_of_entities_are_never_resolved",
    56: "ratings/test_bad_text.py: test_56_odd_paths_are_read",
    68: "project/test_source_change.py: test_cells_that_differ_are_listed_and_the_project_stays",
    69: "project/test_hostile.py: test_a_newer_format_is_named_and_not_replaced",
    70: "project/test_files.py: test_every_sample_comes_back_with_how_it_was_read",
}


def test_every_number_of_the_table_has_its_answer():
    assert {row[0] for row in ROWS} | set(ELSEWHERE) == set(range(1, 71))
    for told in ELSEWHERE.values():
        place, name = told.split(": ")
        assert f"def {name}(" in (Path(__file__).parents[1] / place).read_text(encoding="utf-8"), told


@pytest.mark.parametrize(
    ("content", "mark", "said"), [row[1:] for row in ROWS], ids=[f"{row[0]:02}-{row[2]}" for row in ROWS]
)
def test_an_awkward_input_is_met_as_the_table_says(text, content, mark, said):
    if mark == "R":
        with pytest.raises(TapdeskError) as caught:
            text(content)
        assert said in str(caught.value)
        assert caught.value.fix
        return
    reading = text(content)
    assert reading.ratings.rating_count
    if mark == "S":
        assert all(finding.severity is Severity.NOTE for finding in reading.findings)
        return
    (severity, *_others) = [finding.severity for finding in reading.findings if finding.code == said]
    assert severity is MARKS[mark]
