"""Two analyses side by side: the difference is that of the joint model, turns round with the two, and rarely lies."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.models.model import GROUP_MODELS, model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.comparison import compare, matched_classes
from tapdesk.studies.contrast_intervals import added_difference, drawn_difference
from tapdesk.studies.group_contrasts import group_contrasts
from tapdesk.studies.what_if import Measurement, side_of
from tests.studies import change_coverage
from tests.studies.examples import panel

QUICK = 200


def other_cases(ratings, prefix):
    return replace(ratings, subjects=tuple(prefix + name for name in ratings.subjects))


@cache
def side(accuracy, seed, subjects=150, raters=4, prefix=""):
    ratings = other_cases(panel(["t=.4", f"a={accuracy}", "p=.4"], subjects, raters, seed=seed), prefix)
    return finish(side_of(ratings, Request(model("t-a-p")), raters=False))


def together(one, other):
    """Both sets of ratings as two groups of one set."""
    n = len(one.subjects)
    return Ratings.of(
        np.concatenate([one.subject, other.subject + n]),
        np.concatenate([one.rater, other.rater]),
        np.concatenate([one.category, other.category]),
        (*one.subjects, *other.subjects), one.raters, one.classes,
        covariates={
            "round": Covariate(
                "round", CovariateOf.SUBJECT, np.array(["1"] * n + ["2"] * len(other.subjects), dtype=object)
            )
        },
    )  # fmt: skip


def test_of_other_cases_the_interval_is_that_of_the_model_with_a_part_for_each_group():
    one, other = side(0.5, 1, prefix="a"), side(0.7, 2, prefix="b")
    found = finish(compare(one, other))
    joint = replace(model("tg-ag-pg", GROUP_MODELS), groups="round")
    ratings = together(one.ratings, other.ratings)
    oracle = finish(group_contrasts(ratings, finish(analyse(ratings, Request(joint)))))
    assert (found.shared, found.replicates) == (0, 0)
    for name in ("a", "t"):
        mine = found.contrast(name) or found.contrast(name, "1")
        theirs = next(c for c in oracle if c.name == name)
        assert mine.difference.value == pytest.approx(theirs.value, abs=1e-6)
        assert (mine.difference.low, mine.difference.high) == pytest.approx((theirs.low, theirs.high), abs=0.004)


@pytest.mark.parametrize("prefix", ["", "b"])
def test_turned_round_the_difference_changes_its_sign_alone(prefix):
    one, other = side(0.5, 1), side(0.7, 2, prefix=prefix)
    there, back = (finish(compare(*pair, replicates=QUICK)) for pair in ((one, other), (other, one)))
    for mine, theirs in zip(there.contrasts, back.contrasts, strict=True):
        assert mine.name == theirs.name
        assert mine.difference.value == pytest.approx(-theirs.difference.value)
        assert mine.difference.low == pytest.approx(-theirs.difference.high, abs=0.03)


def test_of_the_same_analysis_every_difference_is_exactly_zero():
    found = finish(compare(side(0.5, 1), side(0.5, 1)))
    assert found.same
    ends = {(c.difference.value, c.difference.low, c.difference.high) for c in found.contrasts}
    assert ends == {(0.0, 0.0, 0.0)}


def test_what_both_share_makes_their_difference_surer_than_two_sets_of_cases():
    ratings = side(0.6, 3).ratings
    names = ratings.raters
    fewer = ratings.keep(ratings.rater != 0).panel()
    one, other = side(0.6, 3), finish(side_of(fewer, Request(model("t-a-p")), raters=False))
    apart = finish(side_of(other_cases(fewer, "x"), Request(model("t-a-p")), raters=False))
    paired, separate = (
        finish(compare(one, second, replicates=400)).contrast("a").difference for second in (other, apart)
    )
    assert paired.value == pytest.approx(separate.value)
    assert paired.high - paired.low < 0.75 * (separate.high - separate.low)
    assert set(other.ratings.raters) == set(names[1:])


def test_a_large_change_is_found_and_of_alike_rounds_few_are_called_different():
    clear = finish(compare(side(0.5, 1, prefix="a"), side(0.9, 2, prefix="b"))).contrast("a").difference
    assert clear.low > 0.2
    missed = 0
    for seed in range(10):
        change = finish(compare(side(0.6, seed, prefix="a"), side(0.6, seed + 50, prefix="b"))).contrast("a").difference
        missed += not change.low <= 0 <= change.high
    # More than two of ten at 5 % come in 12 of 1,000.
    assert missed <= 2


def test_coefficients_in_resamples_are_those_of_the_cases_drawn():
    """With every case drawn once the measured numbers are the estimates themselves."""
    measured = Measurement(side(0.6, 3), 0.95)
    drawn = finish(measured.draw(np.ones((1, 150))))[0]
    for number, value in zip(measured.numbers, drawn, strict=True):
        assert value == pytest.approx(number.estimate.value, abs=1e-4), number.name


def test_too_few_cases_have_no_interval():
    found = finish(compare(side(0.6, 3), side(0.6, 3, subjects=14, prefix="b")))
    assert all(c.difference.low is None for c in found.contrasts)
    assert any(c.difference.value is not None for c in found.contrasts)


def test_classes_that_nothing_matches_are_refused_and_one_that_is_not_used_stays():
    ratings = side(0.6, 3).ratings
    other = replace(ratings, classes=("0", "maybe"), members=())
    with pytest.raises(CannotAnswerError, match="different classes"):
        matched_classes(ratings, other)
    three = ratings.with_order(("0", "1", "2"))
    assert matched_classes(three, ratings).classes == ("0", "1", "2")


def test_numbers_without_an_interval_or_a_value_in_the_resamples_have_none_for_their_difference():
    bare, known = Estimate(0.4), Estimate(0.5).between(0.4, 0.6, 0.95, "profile")
    told = added_difference(bare, known, 0.95)
    assert (told.value, told.low) == (pytest.approx(0.1), None)
    assert "nothing shows how sure the difference is" in told.no_interval
    lost = np.where(np.arange(100) < 20, np.nan, 0.5)
    gone = drawn_difference(known, known, (lost, lost + 0.01), 0.95)
    assert "one of the two has no value, so their spread is not shown" in gone.no_interval


def test_a_wider_level_stretches_the_squares_of_both_reaches():
    one, other = (Estimate(v).between(v - 0.03, v + 0.04, 0.95, "profile") for v in (0.5, 0.6))
    plain, wide = (added_difference(one, other, level) for level in (0.95, 0.99))
    assert (plain.low, plain.high) == pytest.approx((0.05, 0.15))
    assert (wide.high - wide.low) / (plain.high - plain.low) == pytest.approx(2.5758 / 1.96, abs=1e-4)


def test_the_interval_of_a_change_holds_it_about_as_often_as_it_says():
    """The table of `tests.studies.change_coverage`: other cases, the same cases twice, and without a rater."""
    rows = change_coverage.table()
    assert len(rows) == change_coverage.PANELS * len(change_coverage.WAYS)
    error = (0.95 * 0.05 / change_coverage.PANELS) ** 0.5
    for name in change_coverage.NUMBERS:
        held = {way: [int(r[name]) for r in rows if r["way"] == way and r[name]] for way in change_coverage.WAYS}
        assert 0.93 <= np.mean([one for some in held.values() for one in some]) <= 0.97, name
        for way, some in held.items():
            assert len(some) >= 0.95 * change_coverage.PANELS
            assert 0.93 - 2 * error <= np.mean(some) <= 0.97 + 2 * error, (way, name)


@pytest.mark.slow
def test_some_panels_of_the_table_are_what_the_study_gives_today():
    table = {(r["way"], int(r["panel"])): r for r in change_coverage.table()}
    for turn in np.random.default_rng().choice(change_coverage.PANELS, 5, replace=False).tolist():
        for way in change_coverage.WAYS:
            found = dict(zip(change_coverage.COLUMNS, finish(change_coverage.row((way, turn))), strict=True))
            kept = table[way, turn]
            assert {name: str(value) for name, value in found.items()} == kept
