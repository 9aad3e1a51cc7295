"""What was once said falsely of simulated panels: each of these reports held a false sentence."""

from functools import cache
from zlib import crc32

import numpy as np
import pytest

from tapdesk.progress import finish
from tapdesk.worlds.catalog import world
from tapdesk.worlds.statement import state

PLAIN = "{number} of 100 {ratings} follow the {subject} ({low} to {high})"
HARDER = "Some cases seem harder than others."


@cache
def told(key, draw):
    """As `study words` draws and reads it."""
    panel = world(key).draw(np.random.default_rng([1, crc32(key.encode()), draw]))
    return finish(state(panel, 1 + draw))


@pytest.mark.parametrize(("key", "draw"), [("leanings-200x5", 0), ("leanings-200x5", 2), ("turned-200x5-two", 1)])
def test_what_raters_do_in_another_way_is_not_put_down_to_the_cases(key, draw):
    """Own leanings are told though a rate lies on its edge; no accuracy below 0 describes a turned scale."""
    assert not told(key, draw).says(HARDER)


def test_pairs_of_raters_who_contradict_each_other_are_not_compared_and_the_reason_is_told():
    found = told("turned-200x5-two", 1)
    assert found.side.opposition is not None
    assert found.side.opposition.exists
    assert found.side.independence is None
    assert "contradict each other" in found.side.reasons["independence"]


def test_of_ratings_within_chance_the_headline_says_that_first_and_reads_no_accuracy_out_of_them():
    found = told("model-100x5-rare", 1)
    assert found.says("Within chance: of {all}")
    assert found.says("These {ratings} cannot be told from chance.")
    assert not found.says(PLAIN)
    assert told("model-100x5-rare", 0).says(PLAIN)


def test_a_misfit_of_several_classes_is_not_put_down_to_hard_cases_alone():
    found = told("near-150x4-five", 0)
    assert found.says("or taken for their neighbours")
    assert not found.says("{Subjects} seem to differ in difficulty")


def test_where_raters_are_set_apart_copying_is_named_as_what_looks_the_same():
    found = told("raters-150x12-one-apart", 0)
    assert found.says("stands below the panel.")
    assert found.says("who copy from each other look accurate")


def test_where_raters_contradict_each_other_nothing_is_said_of_how_sure_the_panel_is():
    found = told("turned-300x6-two", 0)
    assert found.side.opposition.exists
    assert not found.says("The panel is less than 90 % sure of", "the panel is at least 90 % sure of each")
