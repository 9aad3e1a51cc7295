"""What must hold for any ratings."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agreement.examples import all_of, confusion, drawn, pick
from tapdesk.agreement.coefficients import COEFFICIENTS, agree
from tapdesk.agreement.kappas import HUBERT, LIGHT, PairTables
from tapdesk.agreement.quantity import derivatives
from tapdesk.agreement.tables import Tables, Weights, weights
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings

designs = st.builds(
    drawn,
    seed=st.integers(0, 10_000),
    subjects=st.integers(3, 25),
    raters=st.integers(2, 5),
    classes=st.integers(2, 4),
    missing=st.sampled_from([0.0, 0.3]),
)
few = settings(max_examples=25, deadline=None)


def numbers(found):
    """Each coefficient's numbers by what it is about, whatever the order."""
    return {
        (c.name, c.weights, c.metric, c.category, frozenset(c.raters or ())): (
            c.estimate.value,
            c.estimate.se,
            c.estimate.low,
            c.estimate.high,
            c.subjects,
            c.ratings,
        )
        for c in found
    }


def assert_same(one, other, tolerance=1e-9):
    assert one.keys() == other.keys()
    for key, ours in one.items():
        for a, b in zip(ours, other[key], strict=True):
            assert (a is None) == (b is None), key
            if a is not None:
                assert a == pytest.approx(b, abs=tolerance, rel=tolerance), key


@few
@given(designs, st.randoms(use_true_random=False))
def test_names_and_order_of_subjects_and_raters_change_nothing(ratings, random):
    subjects, raters = list(range(len(ratings.subjects))), list(range(len(ratings.raters)))
    random.shuffle(subjects)
    random.shuffle(raters)
    shuffled = Ratings.of(
        np.array(subjects)[ratings.subject],
        np.array(raters)[ratings.rater],
        ratings.category,
        ratings.subjects,
        [ratings.raters[raters.index(j)] for j in range(len(raters))],
        ratings.classes,
    )
    assert_same(numbers(all_of(ratings)), numbers(all_of(shuffled)))


@few
@given(designs, st.randoms(use_true_random=False))
def test_the_order_of_classes_changes_no_nominal_coefficient(ratings, random):
    words = replace(ratings, classes=tuple(f"class {c}" for c in ratings.classes), members=())
    order = list(words.classes)
    random.shuffle(order)
    nominal = [c for c in all_of(words) if c.weights == "identity"]
    shuffled = [c for c in all_of(words.with_order(order, ordered=False)) if c.weights == "identity"]
    assert_same(numbers(nominal), numbers(shuffled))


@few
@given(designs)
def test_turning_the_scale_round_changes_no_weighted_coefficient(ratings):
    ordered = replace(ratings, classes=tuple("abcd"[: len(ratings.classes)]), ordered=True, members=())
    kept = {"weights": ("identity", "linear", "quadratic", "ordinal")}
    # Only the ratio metric has a zero, and so a direction; these classes have no numbers for it.
    assert_same(
        numbers(all_of(ordered, **kept)), numbers(all_of(ordered.with_order(ordered.classes[::-1]), **kept)), 1e-8
    )


@few
@given(designs, st.integers(2, 5))
def test_tallied_subjects_count_as_if_they_were_written_out(ratings, times):
    weight = np.arange(len(ratings.subjects)) % times
    tallied = replace(ratings, weight=weight)
    copies = [np.flatnonzero(ratings.subject == s) for s in np.repeat(np.arange(weight.size), weight)]
    if not copies:
        return
    rows = np.concatenate(copies)
    subject = np.repeat(np.arange(len(copies)), [len(c) for c in copies])
    written = Ratings.of(
        subject,
        ratings.rater[rows],
        ratings.category[rows],
        [str(i) for i in range(len(copies))],
        ratings.raters,
        ratings.classes,
    )
    assert_same(numbers(all_of(tallied)), numbers(all_of(written)))


@few
@given(designs)
def test_every_subject_twice_leaves_the_values_of_nominal_coefficients(ratings):
    once = numbers(all_of(ratings))
    twice = numbers(all_of(replace(ratings, weight=np.full(len(ratings.subjects), 2))))
    exempt = {"krippendorff_alpha", "specific_agreement"} | {k.name for k in COEFFICIENTS if k.name.startswith("icc")}
    for key, found in once.items():
        if key[0] not in exempt and found[0] is not None:
            assert twice[key][0] == pytest.approx(found[0], abs=1e-9), key


@few
@given(designs)
def test_every_interval_holds_its_value_and_stays_in_its_range(ratings):
    for interval in ("analytic", "bootstrap"):
        for c in all_of(ratings, interval=interval, replicates=60):
            e = c.estimate
            if e.low is not None:
                assert e.low <= e.value <= e.high <= 1 + 1e-12
            elif e.value is not None:
                assert e.no_interval


@few
@given(st.integers(0, 10_000), st.integers(2, 4), st.integers(2, 4))
def test_with_every_rating_there_alpha_is_fleiss_kappa_and_hubert_is_conger(seed, raters, classes):
    ratings = drawn(seed, subjects=15, raters=raters, classes=classes, missing=0)
    found = all_of(ratings)
    fleiss, conger, hubert = (pick(found, f"{n}_kappa").estimate.value for n in ("fleiss", "conger", "hubert"))
    if fleiss is None:
        return
    alpha = pick(found, "krippendorff_alpha", metric="nominal").estimate.value
    assert alpha == pytest.approx(fleiss + (1 - fleiss) / (15 * raters), abs=1e-12)
    assert hubert == pytest.approx(conger, abs=1e-12)


def test_with_two_raters_light_hubert_and_conger_are_cohen_and_scott_is_fleiss():
    found = all_of(confusion([[8, 4, 2], [5, 7, 1], [1, 2, 6]]))
    cohen = pick(found, "cohen_kappa").estimate.value
    for name in ("light_kappa", "hubert_kappa", "conger_kappa"):
        assert pick(found, name).estimate.value == pytest.approx(cohen, abs=1e-12)
    assert pick(found, "scott_pi").estimate.value == pytest.approx(
        pick(found, "fleiss_kappa").estimate.value, abs=1e-12
    )


def test_linear_quadratic_and_ordinal_weights_of_two_classes_are_no_weights():
    found = all_of(confusion([[40, 9], [6, 45]]), weights=("identity", "linear", "quadratic", "ordinal"))
    for name in ("cohen_kappa", "fleiss_kappa", "gwet_ac", "brennan_prediger"):
        values = [c.estimate.value for c in found if c.name == name]
        assert len(values) == 4
        assert values == pytest.approx([values[0]] * 4, abs=1e-12)


def quantities(ratings):
    """Every quantity of the catalog under identity and, where they have a meaning, quadratic weights."""
    tables = Tables(ratings)
    for kind in COEFFICIENTS:
        for name in ("identity", "quadratic"):
            scheme = weights(name, ratings)
            assert isinstance(scheme, Weights)
            for found in kind.cases(tables, scheme):
                if found.quantity is not None:
                    yield kind.name, found.quantity


@pytest.mark.parametrize("missing", [0.0, 0.25])
def test_the_linearisation_is_the_change_that_a_bit_more_of_a_subject_makes(missing):
    ratings = drawn(7, subjects=20, raters=3, classes=3, missing=missing)
    tried = set()
    for name, quantity in quantities(ratings):
        function = quantity.smooth or quantity.value
        totals = quantity.family.totals[quantity.columns]
        features = quantity.family.features[:, quantity.columns]
        dense = features if isinstance(features, np.ndarray) else features.toarray()
        change = replace(quantity, pairs=None).influence()
        for row in (0, dense.shape[0] - 1):
            step = 1e-5
            slope = (function(totals + step * dense[row]) - function(totals - step * dense[row])) / (2 * step)
            assert change[row] == pytest.approx(slope, abs=2e-7), name
        tried.add(name)
    assert len(tried) == len(COEFFICIENTS) - 1  # Scott's pi is for two raters


@pytest.mark.parametrize("mean", [LIGHT, HUBERT])
def test_the_closed_form_slope_of_a_mean_over_pairs_is_its_derivative(mean):
    cells = np.random.default_rng(3).integers(0, 9, (3, 9)).astype(float)
    cells[1] = 0  # a pair without a shared subject
    v = 1 - np.eye(3)

    def value(flat):
        found = PairTables(flat.reshape(*flat.shape[:-1], 3, 9), v)
        return mean.value(found.observed(), found.expected())

    found = PairTables(cells, v)
    by_observed, by_expected = mean.slope(found.observed(), found.expected())
    observed, expected = found.slopes()
    closed = by_observed[:, None] * np.nan_to_num(observed) + by_expected[:, None] * np.nan_to_num(expected)
    general = derivatives(value, cells.ravel(), None).reshape(3, 9)
    assert closed[[0, 2]] == pytest.approx(general[[0, 2]], abs=1e-12)


def test_the_standard_error_agrees_with_the_jackknife_in_large_samples():
    ratings = drawn(11, subjects=400, raters=3, classes=3, missing=0.2)
    names = {"fleiss_kappa", "conger_kappa", "gwet_ac", "light_kappa", "hubert_kappa", "icc_1", "percent_agreement"}
    found = {c.name: c.estimate for c in all_of(ratings) if c.name in names}
    left = {name: [] for name in names}
    for out in range(0, 400, 4):
        weight = np.ones(400, dtype=int)
        weight[out : out + 4] = 0
        for c in finish(agree(replace(ratings, weight=weight), interval="none")):
            if c.name in names:
                left[c.name].append(c.estimate.value)
    for name in names:
        groups = np.array(left[name])
        jackknife = np.sqrt((groups.size - 1) * groups.var())
        assert found[name].se == pytest.approx(jackknife, rel=0.25), name
