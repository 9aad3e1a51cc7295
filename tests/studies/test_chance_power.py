"""What a panel that cannot be told from chance would have noticed: held against panels that know something."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers import fit_words
from tapdesk.answers.chance import verdict
from tapdesk.answers.fit_parts import what_data_tell
from tapdesk.answers.part import Answer
from tapdesk.answers.side_results import SideResults
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.chance import NOTICED, chance_of
from tests.studies.test_opposition import panel, rated


# So few permutations are as exact a test as many.
@pytest.mark.parametrize(
    ("known", "panels", "sets", "fewer"),
    [(True, 12, 199, 99), pytest.param(False, 12, 199, 99, marks=pytest.mark.slow)],
)
def test_the_power_told_is_how_often_such_panels_are_told_from_chance(known, panels, sets, fewer):
    def tested(seed, accuracy, sets):
        ratings = rated(panel(np.random.default_rng(seed), 30, 3, accuracy=accuracy), known)
        return finish(chance_of(ratings, sets, seed, power=accuracy == 0.0))

    found = [tested(seed, 0.0, sets) for seed in range(panels)]
    told = [one.power for one in found if one.power is not None]
    assert len(told) > 6
    noticed = np.mean([tested(seed, NOTICED, fewer).more_than_chance for seed in range(100, 160)])
    # Three standard errors of 60 panels.
    assert np.mean(told) == pytest.approx(noticed, abs=0.19)


def test_a_panel_told_from_chance_has_no_power_and_one_within_chance_says_what_it_would_notice():
    sure = finish(chance_of(rated(panel(np.random.default_rng(1), 100, 5)), 99, 1))
    assert sure.power is None
    assert "would notice" not in verdict(sure)
    unsure = finish(chance_of(rated(panel(np.random.default_rng(2), 30, 3, accuracy=0.0)), 99, 1))
    assert unsure.power is not None
    assert f"a panel of this size would notice an accuracy of {NOTICED:.2f} about" in verdict(unsure)


def test_the_power_told_is_that_of_classes_as_common_as_the_ratings_and_says_so():
    """Guesses half and half hide a rare class: such panels are noticed far less often than is told."""

    def tested(seed):
        return finish(chance_of(rated(rare(np.random.default_rng(seed))), 99, seed))

    def rare(rng):
        true, size = rng.random((100, 1)) < 0.05, (100, 5)
        return np.where(rng.random(size) < NOTICED, true, rng.random(size) < 0.5).astype(int)

    found = [tested(seed) for seed in range(30)]
    missed = [one for one in found if one.power is not None]
    assert np.mean([one.power for one in missed]) > 0.9
    assert 1 - len(missed) / len(found) < 0.5
    for one in missed:
        assert verdict(one).count("If the classes are truly as common as in these ratings, a panel of this size") == 1
        assert "if one of them is rarer, less often" in verdict(one)


def test_nothing_is_read_out_of_a_fit_that_was_declared_void():
    ratings = rated(panel(np.random.default_rng(3), 12, 3, accuracy=0.3))
    for seed in range(40):
        ratings = rated(panel(np.random.default_rng(seed), 12, 3, accuracy=0.3))
        fit = finish(analyse(ratings, Request(model("t-a-p"))))
        if fit.identification.identified and fit_words.too_wide(fit) and fit.active_bounds:
            break
    assert fit.active_bounds
    assert fit_words.void(fit)
    openings = [row[0] for row in what_data_tell(Answer(fit, ratings, ratings))]
    assert "On the edge" not in openings
    # The same number of a fit that stands is explained.
    narrow = tuple(
        replace(e, estimate=replace(e.estimate, low=e.estimate.value, high=e.estimate.value)) for e in fit.estimates
    )
    stands = replace(fit, estimates=narrow)
    assert "On the edge" in [row[0] for row in what_data_tell(Answer(stands, ratings, ratings))]
    within = finish(chance_of(rated(panel(np.random.default_rng(2), 30, 3, accuracy=0.0)), 99, 1))
    told = what_data_tell(Answer(stands, ratings, ratings, SideResults(chance=within)))
    assert "On the edge" not in [row[0] for row in told]
