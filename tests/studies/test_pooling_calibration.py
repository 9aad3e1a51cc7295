"""Beliefs about a population of raters are calibrated: the kept tables, a tenth of them again, and how it goes on."""

import numpy as np
import pytest

from tapdesk.errors import UsageError
from tapdesk.progress import finish
from tapdesk.studies.pooling_calibration import NUMBERS, pooling_calibration, pooling_parts
from tests.studies.long_tables import kept


@pytest.mark.parametrize("how", ["hmc", "approximation"])
def test_the_kept_table_shows_ranks_that_are_uniform(how):
    for row in kept(f"pooling-{how}"):
        sets = int(row["told"])
        assert sets >= (40 if how == "hmc" else 100)
        assert float(row["p_uniform"]) > 0.001
        assert abs(float(row["mean"]) - 0.5) < 4 * np.sqrt(1 / 12 / sets)
        assert abs(float(row["in_90"]) - 0.9) < 4 * np.sqrt(0.09 / sets)


def test_a_study_that_was_ended_goes_on_where_it_was():
    pieces = {}
    whole = finish(pooling_calibration("approximation", 3, kept=pieces))
    assert len(pieces) == len(pooling_parts("approximation", 3)) == 3
    assert whole.values("number") == tuple(map(str, NUMBERS))
    again = finish(pooling_calibration("approximation", 3, kept=pieces))
    assert again.rows == whole.rows
    del pieces[1]
    assert finish(pooling_calibration("approximation", 3, kept=pieces)).rows == whole.rows


@pytest.mark.slow
@pytest.mark.parametrize("how", ["hmc", "approximation"])
def test_a_tenth_made_again_is_calibrated_as_well(how):
    seed = int(np.random.default_rng().integers(2, 1_000_000))
    table = finish(pooling_calibration(how, 30, seed))
    for row in table.records():
        assert row["p_uniform"] > 1e-4, (seed, row)
        assert row["in_90"] > 0.7, (seed, row)


def test_what_makes_no_sense_is_refused_in_a_sentence():
    with pytest.raises(UsageError) as error:
        pooling_parts("guessing")
    assert error.value.what == "A population of raters is found by hmc or by approximation."
    with pytest.raises(UsageError) as error:
        finish(pooling_calibration("hmc", 0))
    assert error.value.what == "A study of no panels tells nothing."
