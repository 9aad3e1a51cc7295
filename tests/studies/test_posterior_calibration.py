"""Beliefs about the newer models are calibrated: the table in the help, a tenth of it again, and how it goes on."""

import numpy as np
import pytest

from tapdesk.errors import UsageError
from tapdesk.progress import finish
from tapdesk.studies.posterior_calibration import (
    BELIEFS,
    LEANING,
    PLAIN,
    POOLED,
    QUICK,
    QUICK_LEANING,
    SETS,
    belief_parts,
    posterior_calibration,
    sets_of,
)
from tests.studies.long_tables import rows_of


def made(name, sets, seed=1, kept=None):
    return finish(posterior_calibration(belief_parts([name], sets, seed), kept=kept))


def test_the_table_in_the_help_shows_ranks_that_are_uniform():
    table = rows_of("ranks")
    for row in table:
        assert row["beliefs"] in BELIEFS
        looked = int(row["told"])
        # Of an approximation, those where it settles: of guesses of each rater's own fewer than of common ones.
        assert looked >= {QUICK: SETS / 3, QUICK_LEANING: SETS / 4}.get(row["beliefs"], sets_of(row["beliefs"]))
        # Of all these rows one in a thousand may be as odd by chance.
        assert float(row["p_uniform"]) > 0.001 / len(table), row
        assert abs(float(row["mean"]) - 0.5) < 4 * np.sqrt(1 / 12 / looked), row
        assert abs(float(row["in_90"]) - 0.9) < 4 * np.sqrt(0.09 / looked), row


def test_a_study_that_was_ended_goes_on_where_it_was():
    pieces = {}
    whole = made(QUICK, 3, kept=pieces)
    assert len(pieces) == len(belief_parts([QUICK], 3)) == 3
    assert set(whole.values("number")) == {"t", "a[R1]", "p", "mu", "omega"}
    assert made(QUICK, 3, kept=pieces).rows == whole.rows
    del pieces[1]
    assert made(QUICK, 3, kept=pieces).rows == whole.rows


def test_guesses_of_each_rater_are_ranked_as_well():
    table = made(LEANING, 1)
    assert set(table.values("number")) == {"t", "a[R1]", "p[R1]", "x", "mu", "omega"}
    assert all(0 < mean < 1 for mean in table.numbers("mean"))


@pytest.mark.parametrize(("name", "numbers"), [("t-a-pj", ("t", "a", "p[R1]")), ("t-aj-pj", ("t", "a[R1]", "p[R1]"))])
def test_raters_who_each_guess_in_a_way_of_their_own_have_their_ranks(name, numbers):
    table = made(name, 1)
    assert table.values("number") == numbers
    assert all(0 < mean < 1 for mean in table.numbers("mean"))
    assert {row["beliefs"] for row in rows_of("ranks")} >= {*PLAIN, POOLED}


def test_members_of_every_kind_have_their_ranks():
    table = made("t-ah-p", 1)
    assert table.values("number") == ("t", "a", "p", "h")
    assert all(0 < mean < 1 for mean in table.numbers("mean"))


@pytest.mark.slow
@pytest.mark.timeout(2400)
@pytest.mark.parametrize("names", [PLAIN, (POOLED, LEANING), (QUICK, "tg-a-p", "t-ah-p")])
def test_a_tenth_made_again_is_calibrated_as_well(names):
    rng = np.random.default_rng()
    seed, name = int(rng.integers(2, 1_000_000)), str(rng.choice(names))
    for row in made(name, max(sets_of(name) // 10, 30), seed).records():
        assert row["p_uniform"] > 1e-4, (seed, row)
        assert row["in_90"] > 0.7, (seed, row)


def test_what_makes_no_sense_is_refused_in_a_sentence():
    with pytest.raises(UsageError) as error:
        belief_parts(["guessing"])
    assert error.value.what == "Beliefs about 'guessing' are not tried."
    assert "Choose from these:" in error.value.fix
    assert error.value.fix.startswith(
        "Choose from these: t-aj-p, pooled; t-aj-p, pooled, approximation; t-aj-pj, pooled; "
    )
    with pytest.raises(UsageError) as error:
        finish(posterior_calibration(belief_parts([POOLED], 0)))
    assert error.value.what == "A study of no panels tells nothing."
