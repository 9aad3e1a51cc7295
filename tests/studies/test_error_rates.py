"""The tests of the newer models keep their word: kept tables of size and power, a tenth again, how a table goes on."""

import numpy as np
import pytest

from tapdesk.errors import UsageError
from tapdesk.progress import finish
from tapdesk.studies.error_rates import TESTS, error_rates
from tests.studies.long_tables import kept


@pytest.mark.parametrize("test", TESTS[:2])
def test_the_kept_sizes_lie_where_they_are_promised(test):
    same, differs = kept(f"errors-{test}")
    assert (same["truth"], differs["truth"]) == ("same", "differs")
    assert int(same["sets"]) >= 150
    assert 0.03 - 2 * float(same["error"]) <= float(same["rejected"]) <= 0.08
    assert float(differs["rejected"]) > float(same["rejected"]) + 0.1


def test_a_table_that_was_ended_goes_on_where_it_was():
    pieces = {}
    whole = finish(error_rates("equal-t-groups", 2, kept=pieces))
    del pieces[1]
    assert finish(error_rates("equal-t-groups", 2, kept=pieces)).rows == whole.rows
    assert whole.values("truth") == ("same", "differs")


@pytest.mark.slow
@pytest.mark.parametrize("test", TESTS)
def test_a_tenth_made_again_speaks_as_seldom(test):
    seed = int(np.random.default_rng().integers(2, 1_000_000))
    same = finish(error_rates(test, 40, seed)).only(truth="same")
    # Ten of 40 come in one of 20,000 times where a test speaks in 8 of 100.
    assert same.numbers("rejected")[0] * 40 < 10, seed


def test_a_test_without_a_table_is_refused_in_a_sentence():
    with pytest.raises(UsageError) as error:
        finish(error_rates("G2"))
    assert error.value.what == "There is no table of error rates of the test 'G2'."
    assert error.value.fix == "The tests are: equal-a-groups, equal-t-groups, memory."
    with pytest.raises(UsageError, match="A study of no panels tells nothing"):
        finish(error_rates("memory", 0))
