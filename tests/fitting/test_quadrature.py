"""The posterior by quadrature against integrals that are exact, and against what must hold for any data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betaincinv, comb, expit, logit

from tapdesk.fitting.priors import Prior, parse_prior
from tapdesk.models.parameters import ParameterName
from tests.fitting.quadrature_examples import (
    MODELS,
    PARADOX,
    RAGGED,
    SHARES,
    SMALL,
    WINE_CUT_1,
    hold_against_exact,
    posterior,
)


@pytest.mark.costly(3)
@pytest.mark.parametrize("tally", [SMALL, RAGGED], ids=["three ratings each", "ragged"])
@pytest.mark.parametrize("name", MODELS)
def test_flat_priors_give_the_integrals_of_the_polynomial_likelihood(name, tally):
    hold_against_exact(name, tally)


@pytest.mark.costly(3)
@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("t-a-p", ["t=beta(2,5)", "a=beta(3,1)", "p=beta(1,4)"]),
        ("t-a0a1-p", ["t=beta(2,2)", "a1=beta(2,1)", "p=beta(2,5)"]),
        ("t-a0a1-p", ["a0=beta(1,3)"]),
        ("t-a0a1-p0p1", ["a1=beta(4,2)", "p0=beta(2,5)"]),
        ("t-a0a1-p0p1", ["t=beta(1,3)", "a0=beta(2,2)", "p1=beta(3,2)"]),
    ],
)
def test_other_beta_priors_give_the_integrals_of_the_polynomial(name, written):
    hold_against_exact(name, {(2, 0): 2, (1, 1): 1, (0, 3): 2}, *map(parse_prior, written))


@pytest.mark.costly(4)
@pytest.mark.parametrize(
    ("name", "tally", "written"),
    [
        ("t-a-p", {(0, 1): 1}, []),
        ("t-a0a1-p", {(0, 1): 1}, []),
        ("t-a0a1-p", {(0, 5): 4}, []),
        ("t-a-p", {(5, 0): 1, (4, 1): 2, (3, 2): 3, (2, 3): 3, (1, 4): 2, (0, 5): 1}, []),
        ("t-a0a1-p", {(2, 0): 4, (1, 1): 4, (0, 2): 4}, []),
        ("t-a0a1-p", {(5, 0): 4, (0, 5): 2}, []),
        ("t-a0a1-p", {(1, 0): 3, (0, 7): 2, (4, 3): 1, (9, 1): 1, (2, 0): 2}, []),
        ("t-a0a1-p", {(1, 0): 3, (0, 7): 2, (4, 3): 1, (9, 1): 1, (2, 0): 2}, ["p=beta(2,5)"]),
    ],
)
def test_ridges_edges_and_unequal_numbers_of_ratings_give_the_exact_integrals(name, tally, written):
    hold_against_exact(name, tally, *map(parse_prior, written))


def test_rates_known_from_ten_million_subjects_leave_the_distributions_the_prior_makes_of_them():
    # Given the rates logit p is uniform between their logits (models.md §5.5), and 10 million subjects give the rates
    # to a thousandth; what is left of their uncertainty moves quantiles by its square.
    t, high, low, ones = 0.3, 0.8, 0.15, np.arange(6)
    share = comb(5, ones) * (t * high**ones * (1 - high) ** (5 - ones) + (1 - t) * low**ones * (1 - low) ** (5 - ones))
    found = posterior("t-a0a1-p", {(5 - k, k): 1e7 * share[k] for k in ones})
    for field, part in SHARES.items():
        up, down = (expit((1 - s) * logit(low) + s * logit(high)) for s in (part, 1 - part))
        assert getattr(found.summary("p"), field) == pytest.approx(up, abs=1e-5)
        assert getattr(found.summary("a1"), field) == pytest.approx((high - down) / (1 - down), abs=1e-5)
        assert getattr(found.summary("a0"), field) == pytest.approx(1 - low / up, abs=1e-5)
    # What is drawn of p - t is the same density, without ripples from its sharp ends.
    p, drawn = np.linspace(low + 0.03, high - 0.03, 50), found.guess_minus_truth
    assert drawn is not None
    density = 1 / ((logit(high) - logit(low)) * p * (1 - p))
    assert np.interp(p - t, drawn.x, drawn.density) == pytest.approx(density, rel=0.05)


@settings(max_examples=6, deadline=None)
@given(
    st.dictionaries(
        st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(lambda pair: sum(pair) > 0),
        st.integers(1, 3),
        max_size=4,
    )
)
def test_any_small_tally_gives_the_exact_integrals(tally):
    hold_against_exact("t-a-p", tally)


@pytest.mark.parametrize("name", MODELS)
def test_without_data_the_priors_come_back(name):
    prior = Prior("t", 2.5, 0.7)
    found = posterior(name, {}, prior)
    assert found.log_evidence is not None
    assert found.log_evidence.counts == pytest.approx(0.0, abs=1e-5)
    row = found.summary("t")
    for field, share in SHARES.items():
        assert getattr(row, field) == pytest.approx(betaincinv(2.5, 0.7, share), abs=1e-4)
        for parameter in MODELS[name][1:]:
            assert getattr(found.summary(parameter), field) == pytest.approx(share, abs=1e-4)


@pytest.mark.parametrize("name", MODELS)
def test_one_rating_of_one_subject_is_class_1_with_probability_one_half(name):
    found = posterior(name, {(0, 1): 1})
    assert found.log_evidence is not None
    assert found.log_evidence.counts == pytest.approx(np.log(0.5), abs=1e-6)


def test_evidence_in_the_counts_form_adds_the_binomial_coefficients():
    found = posterior("t-a-p", SMALL)
    assert found.log_evidence is not None
    assert found.log_evidence.counts - found.log_evidence.ratings == pytest.approx(2 * np.log(3))


def test_paradox_data_give_the_published_mean_accuracy():
    # 998 subjects rated 0 twice, 2 with one rating each way (Kappa Zoo ch. 4). Mean of a .4089 under flat priors, where
    # 201^3 midpoints on the unit cube give .436; quantiles and evidence by an independent quadrature.
    found = posterior("t-a-p", PARADOX)
    row = found.summary("a")
    assert row.mean == pytest.approx(0.40888, abs=1e-5)
    assert (row.q05, row.median, row.q95) == pytest.approx((0.000941, 0.223425, 0.996902), abs=1e-5)
    assert found.log_evidence is not None
    assert found.log_evidence.counts == pytest.approx(-24.726447, abs=2e-6)


def test_paradox_data_are_told_as_two_readings():
    found = posterior("t-a-p", PARADOX)
    low, high = found.readings
    accuracy = [next(row for row in reading.summaries if row.name.name == "a") for reading in (low, high)]
    assert low.mass + high.mass == pytest.approx(1.0, abs=1e-6)
    assert accuracy[0].mean < 0.2
    assert accuracy[1].mean > 0.8
    mixed = low.mass * accuracy[0].mean + high.mass * accuracy[1].mean
    assert mixed == pytest.approx(found.summary("a").mean, abs=1e-5)
    assert [mode.mass for mode in found.summary("a").modes] == pytest.approx([low.mass, high.mass], abs=1e-3)
    assert "guess" in low.words
    assert "know" in high.words


@pytest.mark.parametrize("name", MODELS)
def test_swapping_the_classes_mirrors_the_posterior(name):
    found, mirror = posterior(name, RAGGED), posterior(name, {(k, m): w for (m, k), w in RAGGED.items()})
    partner = {"t": ("t", True), "a": ("a", False), "p": ("p", True), "a0": ("a1", False), "a1": ("a0", False)}
    partner |= {"p0": ("p1", True), "p1": ("p0", True)}
    for parameter in MODELS[name]:
        other, turned = partner[parameter]
        a, b = found.summary(parameter), mirror.summary(other)
        quantiles = (b.q95, b.q75, b.median, b.q25, b.q05) if turned else (b.q05, b.q25, b.median, b.q75, b.q95)
        turn = (lambda x: 1 - x) if turned else (lambda x: x)
        assert a.mean == pytest.approx(turn(b.mean), abs=2e-6)
        assert (a.q05, a.q25, a.median, a.q75, a.q95) == pytest.approx([turn(q) for q in quantiles], abs=1e-4)


def test_symmetric_data_have_a_symmetric_posterior():
    tally = {(5, 0): 10, (4, 1): 47, (3, 2): 93, (2, 3): 93, (1, 4): 47, (0, 5): 10}
    found = posterior("t-a-p", tally)
    assert (found.summary("t").mean, found.summary("p").mean) == pytest.approx((0.5, 0.5), abs=1e-6)
    assert found.summary("t").q05 == pytest.approx(1 - found.summary("t").q95, abs=1e-4)


def test_accuracy_and_guessing_of_a_class_have_the_same_posterior_under_flat_priors():
    found = posterior("t-a0a1-p0p1", WINE_CUT_1)
    for field in ("mean", "sd", "q05", "median", "q95"):
        assert getattr(found.summary("a1"), field) == pytest.approx(getattr(found.summary("p1"), field), abs=1e-6)
    assert found.summary("p0").mean == pytest.approx(1 - found.summary("a0").mean, abs=1e-6)
    assert found.summary("p0").q05 == pytest.approx(1 - found.summary("a0").q95, abs=1e-5)


def test_mass_of_the_other_labelling_is_that_of_the_draws_with_rates_the_other_way_round():
    found = posterior("t-a0a1-p0p1", SMALL)
    draws = {name.name: x for name, x in found.draws(20_000, 3).values.items()}
    mu1 = draws["a1"] + (1 - draws["a1"]) * draws["p1"]
    mu0 = (1 - draws["a0"]) * draws["p0"]
    assert found.other_labelling_mass is not None
    noise = np.sqrt(found.other_labelling_mass / 20_000)
    assert np.mean(mu1 < mu0) == pytest.approx(found.other_labelling_mass, abs=4 * noise)
    assert found.other_labelling_mass > 0.01


def test_the_mirrored_mode_keeps_its_mass_however_many_subjects_there_are():
    # The likelihood is the same under both labellings; only the prior chooses, and no amount of data changes that.
    few, many = (posterior("t-a0a1-p0p1", {k: m * w for k, w in WINE_CUT_1.items()}) for m in (100, 50_000))
    assert few.other_labelling_mass == pytest.approx(many.other_labelling_mass, rel=0.02)
    assert many.summary("t").modes[0].at == pytest.approx(1 - many.summary("t").modes[1].at, abs=1e-3)
    other = many.other_labelling_mass
    assert [reading.mass for reading in many.readings] == pytest.approx([1 - other, other], abs=1e-6)


def test_ten_million_subjects_shrink_the_posterior_by_the_root_of_their_number():
    few, many = (posterior("t-a-p", {k: m * w for k, w in WINE_CUT_1.items()}) for m in (500, 55_000))
    for name in MODELS["t-a-p"]:
        assert few.summary(name).sd / many.summary(name).sd == pytest.approx(np.sqrt(110), rel=0.02)
        assert abs(few.summary(name).mean - many.summary(name).mean) < few.summary(name).sd
        row = many.summary(name)
        assert (row.q95 - row.q05) / row.sd == pytest.approx(2 * 1.6449, rel=0.01)
    assert many.error is not None
    assert many.error < 1e-6


def test_two_ratings_each_of_ten_thousand_subjects_leave_a_curve_and_every_draw_lies_on_it():
    tally = {(2, 0): 5000, (1, 1): 2000, (0, 2): 3000}
    found = posterior("t-a-p", tally)
    t, a, p = (found.draws(2000, 5).values[ParameterName(name)] for name in ("t", "a", "p"))
    rate = a * t + (1 - a) * p
    covariance = a * a * t * (1 - t)
    assert np.abs(rate - 0.4).max() < 5 * np.sqrt(0.24 / 10_000)
    assert covariance.mean() == pytest.approx(0.3 - 0.16, abs=0.002)
    # The curve ends where p is 0 and where it is 1: t between these values (models.md §3).
    lowest, highest = 0.14 / (0.6**2 + 0.14), 0.16 / (0.4**2 + 0.14)
    assert (t.min(), t.max()) == pytest.approx((lowest, highest), abs=0.02)
    assert t.min() < 0.30
    assert t.max() > 0.51


@pytest.mark.costly(5)
@pytest.mark.parametrize(
    ("name", "tally"),
    [
        ("t-a-p", {(0, 5): 1e7}),
        ("t-a-p", {(5, 0): 40}),
        ("t-a-p", {(5, 0): 7e6, (0, 5): 3e6}),
        ("t-a-p", {(400, 600): 1}),
        ("t-a-p", {(1, 0): 7, (0, 1): 3}),
        ("t-a0a1-p", {(0, 5): 40}),
        ("t-a0a1-p", {(5, 0): 7e6, (0, 5): 3e6}),
        ("t-a0a1-p0p1", {(0, 5): 1e7}),
        ("t-a0a1-p0p1", {(5, 0): 70, (0, 5): 30}),
        pytest.param("t-a0a1-p", {(400, 600): 1}, marks=pytest.mark.slow),
        pytest.param("t-a0a1-p0p1", {(400, 600): 1}, marks=pytest.mark.slow),
    ],
)
def test_degenerate_data_give_finite_ordered_summaries(name, tally):
    found = posterior(name, tally)
    for row in found.summaries:
        quantiles = [row.q05, row.q25, row.median, row.q75, row.q95]
        assert np.isfinite([row.mean, row.sd, *quantiles, row.hdi_low, row.hdi_high]).all()
        assert 0 <= row.hdi_low <= row.hdi_high <= 1
        assert quantiles == sorted(quantiles)
        assert sum(mode.mass for mode in row.modes) == pytest.approx(1.0, abs=1e-6)
    assert found.log_evidence is not None
    assert np.isfinite(found.log_evidence.ratings)
