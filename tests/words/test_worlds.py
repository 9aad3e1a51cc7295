"""The worlds are what they say they are: panels have the rates of their recipes and are read as they were made."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.progress import finish
from tapdesk.ratings.reading import read
from tapdesk.worlds.catalog import WORLDS, world
from tapdesk.worlds.world import MISSING

MANY = 200_000
# Of a share of so many cases: five standard errors.
CLOSE = 5 * 0.5 / np.sqrt(MANY)


def large(key, **changes):
    return replace(world(key), cases=MANY, **changes).draw(np.random.default_rng(7))


def test_there_are_sixty_worlds_and_more_each_with_a_name_of_its_own_and_something_of_everything():
    assert len({row.key for row in WORLDS}) == len(WORLDS) >= 60
    for trait in (
        "hard",
        "spread",
        "varied",
        "near",
        "copied",
        "herd",
        "lookalike",
        "camp",
        "turned",
        "missing",
        "ages",
    ):
        assert any(getattr(row, trait) for row in WORLDS), trait
    assert {row.raters for row in WORLDS} >= {2, 3, 4, 5, 6, 8, 12}
    assert {len(row.truth) for row in WORLDS} >= {2, 3, 5, 10}


@pytest.mark.parametrize("row", [row for row in WORLDS if row.as_modelled], ids=lambda row: row.key)
def test_a_world_of_the_model_has_the_rates_of_the_model(row):
    panel = replace(row, cases=20_000).draw(np.random.default_rng(11))
    a, p, t = row.accuracy[0], np.array(row.guessing[0]), np.array(row.truth)
    there = panel.ratings != MISSING
    assert there.mean() == pytest.approx(1 - row.missing, abs=0.02)
    for k, rate in enumerate(t):
        of_k = panel.truth == k
        assert of_k.mean() == pytest.approx(rate, abs=0.02)
        given = panel.ratings[of_k][there[of_k]]
        shares = np.bincount(given, minlength=t.size) / given.size
        np.testing.assert_allclose(shares, a * (np.arange(t.size) == k) + (1 - a) * p, atol=0.04)


def test_every_rater_has_an_accuracy_and_guesses_of_their_own():
    panel = large("raters-200x4-both")
    row = world("raters-200x4-both")
    for j in range(4):
        for k in range(2):
            said = (panel.ratings[panel.truth == k, j] == 1).mean()
            a, p = row.accuracy[j], row.guessing[j][1]
            assert said == pytest.approx(a * k + (1 - a) * p, abs=2 * CLOSE)


def test_spread_of_difficulty_leaves_the_rates_over_all_cases_and_makes_raters_agree_more():
    plain, spread = large("spread-200x5-2", spread=0.0), large("spread-200x5-2")
    for k in range(2):
        of_k = spread.truth == k
        assert (spread.ratings[of_k] == k).mean() == pytest.approx(0.6 + 0.4 * 0.5, abs=3 * CLOSE)
    both = [float((panel.ratings[:, 0] == panel.ratings[:, 1]).mean()) for panel in (plain, spread)]
    assert both[1] > both[0] + 0.05


def test_on_a_hard_case_everybody_guesses():
    panel = large("hard-200x5")
    right = (panel.ratings == panel.truth[:, None]).mean()
    assert right == pytest.approx(0.6 + 0.4 * 0.5, abs=2 * CLOSE)
    # Where one is wrong the case was hard, and the next is right by luck alone.
    wrong = panel.ratings[:, 0] != panel.truth
    assert (panel.ratings[wrong, 1] == panel.truth[wrong]).mean() == pytest.approx(0.5, abs=0.01)


def test_who_copies_writes_what_the_first_wrote_and_who_turns_the_scale_writes_the_other():
    copied, alone = large("copy-200x5"), large("model-200x5")
    same = [(panel.ratings[:, 0] == panel.ratings[:, 1]).mean() for panel in (alone, copied)]
    assert same[1] == pytest.approx(0.5 + 0.5 * same[0], abs=2 * CLOSE)
    herd = large("herd-200x5")
    assert (herd.ratings == herd.ratings[:, :1]).all(axis=1).mean() > 0.3
    row = world("turned-200x5-two")
    turned, straight = (replace(row, turned=n).draw(np.random.default_rng(3)) for n in (2, 0))
    assert (turned.ratings[:, :3] == straight.ratings[:, :3]).all()
    assert (turned.ratings[:, 3:] == 1 - straight.ratings[:, 3:]).all()


def test_a_camp_judges_what_has_nothing_to_do_with_the_rest_and_a_lookalike_deceives_everybody():
    camp = large("camp-200x6")
    assert (camp.ratings[:, 3] == camp.ratings[:, 4]).mean() > 0.8
    shares = [(camp.ratings[camp.truth == k, 4] == 1).mean() for k in range(2)]
    assert shares[0] == pytest.approx(shares[1], abs=3 * CLOSE)
    alike = large("lookalike-200x5")
    no = alike.truth == 0
    assert (alike.ratings[no] == 1).mean() == pytest.approx(0.2 * (0.6 + 0.4 * 0.4) + 0.8 * 0.4 * 0.4, abs=3 * CLOSE)


def test_accuracy_changes_with_class_with_time_and_with_age():
    classes = large("classes-200x5-three")
    for k, a in enumerate((0.9, 0.5, 0.2)):
        assert (classes.ratings[classes.truth == k] == k).mean() == pytest.approx(a + (1 - a) / 3, abs=3 * CLOSE)
    drift = large("drift-200x5")
    halves = [(part == true[:, None]).mean() for part, true in _halves(drift)]
    assert halves[0] - halves[1] == pytest.approx((0.9 - 0.2) * (1 - 0.52), abs=3 * CLOSE)
    ages = large("ages-150x8-slope")
    right = (ages.ratings == ages.truth[:, None]).mean(axis=0)
    assert (np.diff(right) > 0).all()


def _halves(panel):
    middle = panel.truth.size // 2
    return ((panel.ratings[:middle], panel.truth[:middle]), (panel.ratings[middle:], panel.truth[middle:]))


@pytest.mark.parametrize(
    "key", ["model-100x4-gaps", "model-100x4-seats", "ages-150x8-slope", "near-150x4-ten", "two-30"]
)
def test_the_file_of_a_panel_is_read_as_it_was_made(key, tmp_path):
    panel = world(key).draw(np.random.default_rng(5))
    path = tmp_path / "panel.csv"
    path.write_text(panel.text(), encoding="utf-8")
    ratings = finish(read(path, panel.options)).ratings
    assert ratings.raters_known is panel.named
    assert ratings.rating_count == (panel.ratings != MISSING).sum()
    labels = np.array(ratings.classes)
    for i, j, c in zip(ratings.subject, ratings.rater, ratings.category, strict=True):
        at = int(ratings.subjects[i].removeprefix("c")) - 1
        seat = panel.raters.index(ratings.raters[j]) if panel.named else None
        if seat is not None:
            assert panel.labels[panel.ratings[at, seat]] == labels[c]
    assert bool(ratings.covariates) is bool(panel.ages)


def test_what_is_true_of_a_world_is_told_of_it():
    assert world("model-30x5").as_modelled
    assert world("hard-200x5").mean_accuracy == pytest.approx(0.6)
    assert world("drift-200x5").mean_accuracy == pytest.approx(0.55)
    assert world("camp-200x5").mean_accuracy is None
    assert not world("raters-200x6-one-apart").alike_raters
    assert not world("copy-200x5").alone
    assert not world("near-150x4-five").alike_cases
