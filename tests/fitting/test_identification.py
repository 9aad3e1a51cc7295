"""What designs can tell, where the answer is known."""

import numpy as np
import pytest

from tapdesk.fitting.identification import verdict
from tapdesk.models.model import model
from tapdesk.ratings.ratings import Ratings
from tests.tables import drawn


def rated_by(sets: list[list[int]], raters: int, classes: int = 3) -> Ratings:
    """Subjects rated by given raters; which classes were given does not matter."""
    subject = np.repeat(np.arange(len(sets)), [len(s) for s in sets])
    rater = np.concatenate([np.array(s) for s in sets])
    category = np.arange(subject.size) % classes
    names = [f"J{j}" for j in range(raters)], [f"c{c}" for c in range(classes)]
    return Ratings.of(subject, rater, category, [str(i) for i in range(len(sets))], *names)


@pytest.mark.parametrize(
    ("name", "size", "classes", "can"),
    [
        ("t-a-p", 2, 2, False),
        ("t-a-p", 3, 2, True),
        ("t-a-p", 2, 3, True),
        ("t-a-t", 2, 2, True),
        ("P-a-P", 2, 2, True),
        ("t-a0a1-p", 9, 2, False),
        ("t-a0a1-p0p1", 9, 2, False),
        ("t-ak-p", 2, 4, False),
        ("t-ak-p", 3, 4, True),
        ("t-ak-p", 2, 5, True),
    ],
)
def test_pooled_designs_are_judged_as_models_md_says(name: str, size: int, classes: int, can: bool):
    r = rated_by([[0] * size] * 30, 1, classes)
    says = verdict(model(name), r)
    assert says.by_design is can
    assert bool(says.open_parameters) is not can


def test_named_raters_are_judged_on_their_own_design():
    pairs = [[0, 1], [0, 2], [1, 2]]
    assert not verdict(model("t-aj-pj"), rated_by(pairs * 5, 3, 2)).by_design
    assert verdict(model("t-aj-pj"), rated_by([[0, 1, 2]] * 5, 3, 2)).by_design
    assert verdict(model("t-aj-p"), rated_by([[j, (j + 1) % 6] for j in range(6)], 6, 2)).by_design
    # One rater three times on each subject can be enough.
    assert verdict(model("t-aj-pj"), rated_by([[0, 0, 0]] * 5, 1, 2)).by_design


def test_a_rater_linked_to_nobody_is_named():
    says = verdict(model("t-aj-pj"), rated_by([[0, 1, 2]] * 20 + [[3]] * 5, 4, 2))
    assert not says.by_design
    assert {n.rater for n in says.open_parameters} == {"J3"}
    assert "J3" in says.words


def test_large_panels_are_judged_like_small_ones():
    rng = np.random.default_rng(0)
    sets = [sorted(rng.choice(300, 5, replace=False).tolist()) for _ in range(2000)]
    assert verdict(model("t-aj-pj"), rated_by(sets, 300)).by_design
    alone = [[300]] * 4 + [[301]]
    says = verdict(model("t-aj-pj"), rated_by(sets + alone, 302))
    assert not says.by_design
    assert {n.rater for n in says.open_parameters} == {"J300", "J301"}
    only_pairs = [[3 * i, 3 * i + 1] for i in range(100)]
    assert not verdict(model("t-aj-pj"), rated_by(only_pairs, 300, 2)).by_design


def test_fits_of_large_panels_carry_the_verdict():
    from tapdesk.fitting.em import ExactEM
    from tapdesk.progress import finish

    r = drawn(np.random.default_rng(1), (0.3, 0.3, 0.4), 0.6, (0.3, 0.3, 0.4), 300, 120, share=0.05)
    fit = finish(ExactEM(random_starts=1).run(model("t-aj-pj"), r, 1))
    assert fit.identification.by_design
    assert fit.free > 250
