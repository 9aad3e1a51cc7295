"""Numbers in the signs of a computer: asked for block by block, in files never, names left as they are."""

import copy
import pickle
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.answers import numbers
from tapdesk.answers.signs import POINT, Number, Signs, rewritten, written_with

GERMAN = Signs(",", ".")
FRENCH = Signs(",", "\N{NARROW NO-BREAK SPACE}")


def test_numbers_have_a_point_unless_a_block_asks_for_other_signs():
    assert numbers.decimal(0.5432) == "0.54"
    with written_with(GERMAN):
        assert numbers.decimal(0.5432) == "0,54"
        assert numbers.count(1098) == "1.098"
        assert numbers.large(-1286.1163) == "−1.286,116"
        assert numbers.level(0.999) == "99,9 %"
        assert numbers.often(0.0041, 0.004, 0.0042) == "less than once in 100 (between 0,4 and 0,4)"
        with written_with(POINT):
            assert numbers.count(1098) == "1,098"
    with written_with(FRENCH):
        assert numbers.count(1_234_567) == "1\u202f234\u202f567"
    assert numbers.count(1098) == "1,098"


def test_an_error_inside_a_block_leaves_no_signs_behind():
    with pytest.raises(ZeroDivisionError), written_with(GERMAN):
        numbers.decimal(1 // 0)
    assert numbers.decimal(0.5) == "0.50"


def test_another_thread_keeps_its_points_meanwhile():
    told = []
    with written_with(GERMAN):
        other = Thread(target=lambda: told.append(numbers.decimal(0.54)))
        other.start()
        other.join()
    assert told == ["0.54"]


@given(st.floats(-1e9, 1e9), st.integers(0, 4))
def test_a_spreadsheet_of_the_same_computer_reads_the_number_back(value, places):
    with written_with(GERMAN):
        told = numbers.large(value, places)
    assert float(told.cell.replace(",", ".")) == float(f"{value:.{places}f}")


def test_a_copy_of_a_number_is_not_written_twice():
    with written_with(GERMAN):
        told = Number("-1,286.5")
        assert copy.deepcopy(told) == pickle.loads(pickle.dumps(told)) == "−1.286,5"


def test_finished_sentences_are_rewritten_but_for_names_versions_and_dates():
    told = "Every value of a[Ward 3.2] from 0.312 to 1,098.5 fits 3.2 times; version 1.2.3 of 2024-01-02, p1.5, 12."
    assert rewritten(told, ["Ward 3.2"]) == told
    with written_with(GERMAN):
        assert rewritten(told, ["Ward 3.2", "12"]) == (
            "Every value of a[Ward 3.2] from 0,312 to 1.098,5 fits 3,2 times; version 1.2.3 of 2024-01-02, p1.5, 12."
        )


@pytest.mark.parametrize(
    "sentence",
    [
        "Besides blank cells, '1,5' and '2.5' mean no rating.",
        "The order is “1.5 < 2.5” now.",
        "'don't 1.5' is a class.",
        "The file audit 2.5.csv cannot be read.",
        "Rater Ward 3.2 and Ward 4.1 of the …",
    ],
)
def test_what_the_user_wrote_is_never_rewritten(sentence):
    names = ["Ward 3.2", "Ward 4.1 of the northern hospital"]
    with written_with(GERMAN):
        assert rewritten(sentence, names) == sentence


def test_numbers_beside_quotation_marks_and_apostrophes_are_rewritten():
    with written_with(GERMAN):
        told = rewritten("Fleiss' kappa is 0.31 on the raters' 1,098 ratings: 'gold' (1,200), “2.5” (3,400).")
    assert told == "Fleiss' kappa is 0,31 on the raters' 1.098 ratings: 'gold' (1.200), “2.5” (3.400)."
