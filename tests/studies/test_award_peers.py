"""Awards against many-facet Rasch by another program (RaschPy; its answers are kept in tests/data/peers).

Of judges who differ in severity alone both see the same. Where a judge guesses or has the scale turned round, the
peer, which takes every judge to follow the entries alike, loses the order of the entries; ours keeps it.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from tapdesk.progress import finish
from tapdesk.studies.award_answer import AwardRequest
from tapdesk.studies.awards import awards
from tests.tables import scored

PEERS = Path(__file__).resolve().parents[1] / "data" / "peers"
JURIES = {jury["name"]: jury for jury in json.loads((PEERS / "juries.json").read_text("utf-8"))}
ANSWERS = json.loads((PEERS / "raschpy.json").read_text("utf-8"))["answers"]


def both(name):
    """Severities and scores of a jury by us and by the peer, and the truth of both."""
    jury, peer = JURIES[name], ANSWERS[name]
    lines = enumerate(jury["scores"])
    rows = [(i, j, float(score)) for i, line in lines for j, score in enumerate(line) if score is not None]
    found = finish(awards(scored(rows), AwardRequest()))
    severity = np.array([judge.severity.value for judge in found.judges])
    values = (severity, found.fair, peer["severity"], peer["measure"], jury["severity"], jury["truth"])
    return [np.asarray(one, dtype=float) for one in values]


@pytest.mark.parametrize("name", ["alike 1", *(pytest.param(f"alike {i}", marks=pytest.mark.slow) for i in (2, 3))])
def test_of_judges_who_differ_in_severity_alone_both_see_the_same(name):
    severity, fair, their_severity, measure, true_severity, truth = both(name)
    assert np.corrcoef(severity, their_severity)[0, 1] > 0.99
    assert spearmanr(fair, measure)[0] > 0.99
    # Their logits on our points: what is left is a tenth of a point and some more.
    line = np.polyfit(measure, fair, 1)
    assert np.sqrt(np.mean((fair - np.polyval(line, measure)) ** 2)) < 0.25
    # Neither is nearer to the truth by more than luck.
    assert spearmanr(fair, truth)[0] == pytest.approx(spearmanr(measure, truth)[0], abs=0.01)
    assert abs(np.corrcoef(severity, true_severity)[0, 1] - np.corrcoef(their_severity, true_severity)[0, 1]) < 0.02


@pytest.mark.parametrize("name", ["mixed 2", *(pytest.param(f"mixed {i}", marks=pytest.mark.slow) for i in (1, 3))])
def test_of_one_who_guesses_and_one_turned_round_ours_keeps_the_order_the_peer_does_not(name):
    severity, fair, their_severity, measure, _true_severity, truth = both(name)
    assert np.corrcoef(severity, their_severity)[0, 1] > 0.97
    assert spearmanr(fair, truth)[0] > spearmanr(measure, truth)[0] + 0.02
    assert spearmanr(fair, truth)[0] > 0.9
