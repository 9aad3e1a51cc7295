"""What was once said falsely of simulated panels: each of these reports held a false sentence."""

from zlib import crc32

import numpy as np
import pytest

from tapdesk.progress import finish
from tapdesk.worlds.catalog import world
from tapdesk.worlds.statement import state

HARDER = "Some cases seem harder than others."


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
    assert found.side.opposition.found
    assert found.side.independence is None
    assert "contradict each other" in found.side.reasons["independence"]
