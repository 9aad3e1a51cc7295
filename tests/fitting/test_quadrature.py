"""The posterior by quadrature against integrals that are exact, and against what must hold for any data."""

import itertools
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import betaincinv, betaln, roots_legendre

from tapdesk.errors import UsageError
from tapdesk.fitting.posterior import Posterior
from tapdesk.fitting.priors import Prior, parse_prior
from tapdesk.fitting.quadrature.integrate import posterior_by_quadrature
from tapdesk.models.catalog import model
from tapdesk.models.parameters import ParameterName
from tapdesk.progress import finish
from tapdesk.ratings.patterns import Patterns, tabulate
from tapdesk.ratings.ratings import Ratings

MODELS = {
    "t-a-p": ("t", "a", "p"),
    "t-a0a1-p": ("t", "a0", "a1", "p"),
    "t-a0a1-p0p1": ("t", "a0", "a1", "p0", "p1"),
}
SHARES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}
# Tallies of (ratings in class 0, ratings in class 1) with the number of subjects.
SMALL = {(3, 0): 3, (2, 1): 1, (1, 2): 1, (0, 3): 2}
RAGGED = {(1, 0): 1, (0, 2): 2, (3, 1): 1, (0, 1): 1, (2, 2): 1}
PARADOX = {(2, 0): 998, (1, 1): 2}
WINE_CUT_1 = {(4, 0): 62, (3, 1): 58, (2, 2): 31, (1, 3): 17, (0, 4): 15}


def patterns(tally: Mapping[tuple[int, int], float]) -> Patterns:
    table = np.array(list(tally), dtype=float).reshape(-1, 2)
    row, column = np.nonzero(table)
    return Patterns(
        pattern=row,
        unit=np.zeros(row.size, dtype=np.int64),
        category=column,
        count=table[row, column],
        weight=np.array(list(tally.values()), dtype=float),
        of_subject=np.arange(len(tally)),
        units=1,
        classes=2,
    )


def posterior(name: str, tally: Mapping[tuple[int, int], float], *priors: Prior, seed: int = 1) -> Posterior:
    return finish(posterior_by_quadrature(name, patterns(tally), priors, seed))


class Exact:
    """Integrals of likelihood times prior by Gauss-Legendre: exact, because both are polynomials in the parameters.

    Straight from the definition in the parameters themselves; nothing is shared with the code under test.
    """

    def __init__(self, name: str, tally: Mapping[tuple[int, int], float], priors: Mapping[str, Prior]) -> None:
        self.names, self.tally, self.priors = MODELS[name], tally, priors
        ratings = sum((zeros + ones) * w for (zeros, ones), w in tally.items())
        self.nodes = int(ratings + max([0.0, *(p.alpha + p.beta for p in priors.values())])) // 2 + 3

    def integral(self, power: tuple[str, int] | None = None, below: tuple[str, float] | None = None) -> float:
        """Of one parameter's power, over that part of the cube where a parameter is below a value."""
        axes, weights = [], []
        for name in self.names:
            x, w = roots_legendre(self.nodes)
            top = below[1] if below is not None and below[0] == name else 1.0
            x, w = (x + 1) / 2 * top, w / 2 * top
            prior = self.priors.get(name, Prior(name))
            w = w * x ** (prior.alpha - 1) * (1 - x) ** (prior.beta - 1) / np.exp(betaln(prior.alpha, prior.beta))
            axes.append(x)
            weights.append(w)
        at = dict(zip(self.names, np.meshgrid(*axes, indexing="ij", sparse=True), strict=True))
        value = self._likelihood(at)
        if power is not None:
            value = value * at[power[0]] ** power[1]
        for w in reversed(weights):
            value = value @ w
        return float(value)

    def _likelihood(self, at: Mapping[str, np.ndarray]) -> np.ndarray:
        a1, a0 = at.get("a1", at.get("a")), at.get("a0", at.get("a"))
        p1, p0 = at.get("p1", at.get("p")), at.get("p0", at.get("p"))
        assert all(x is not None for x in (a1, a0, p1, p0))
        mu1, mu0, t = a1 + (1 - a1) * p1, (1 - a0) * p0, at["t"]
        total = np.ones(np.broadcast_shapes(*(x.shape for x in at.values())))
        for (zeros, ones), w in self.tally.items():
            total = total * (t * mu1**ones * (1 - mu1) ** zeros + (1 - t) * mu0**ones * (1 - mu0) ** zeros) ** w
        return total


def hold_against_exact(name: str, tally: Mapping[tuple[int, int], float], *priors: Prior) -> None:
    found = posterior(name, tally, *priors)
    exact = Exact(name, tally, {prior.name: prior for prior in priors})
    evidence = exact.integral()
    assert found.log_evidence is not None
    assert found.log_evidence.ratings == pytest.approx(np.log(evidence), abs=1e-5)
    for parameter in MODELS[name]:
        row = found.summary(parameter)
        mean = exact.integral(power=(parameter, 1)) / evidence
        sd = np.sqrt(exact.integral(power=(parameter, 2)) / evidence - mean**2)
        assert row.mean == pytest.approx(mean, abs=2e-5), parameter
        assert row.sd == pytest.approx(sd, abs=2e-5), parameter
        for field, share in SHARES.items():
            at = getattr(row, field)
            below = exact.integral(below=(parameter, at)) / evidence
            # The density on the probability scale turns a difference in mass into one in the quantile.
            near = exact.integral(below=(parameter, min(at + 1e-4, 1.0))) / evidence
            density = max((near - below) / 1e-4, 0.05)
            assert (below - share) / density == pytest.approx(0.0, abs=1e-4), (parameter, field)


@pytest.mark.parametrize("tally", [SMALL, RAGGED], ids=["three ratings each", "ragged"])
@pytest.mark.parametrize("name", MODELS)
def test_flat_priors_give_the_integrals_of_the_polynomial_likelihood(name, tally):
    hold_against_exact(name, tally)


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


@pytest.mark.parametrize("name", MODELS)
def test_draws_have_the_moments_of_the_summaries_and_follow_the_seed(name):
    found = posterior(name, WINE_CUT_1, seed=7)
    draws = found.draws(8_000, 11)
    for row in found.summaries:
        x = draws.values[row.name]
        assert x.shape == (8_000,)
        assert x.mean() == pytest.approx(row.mean, abs=4.5 * row.sd / np.sqrt(8_000))
        assert np.mean(x < row.q05) == pytest.approx(0.05, abs=0.011)
    again = found.draws(8_000, 11)
    assert all(np.array_equal(draws.values[k], again.values[k]) for k in draws.values)
    kept = posterior(name, WINE_CUT_1, seed=7).sample
    assert kept is not None
    assert found.sample is not None
    assert all(np.array_equal(kept.values[k], found.sample.values[k]) for k in kept.values)


def test_shortest_interval_holds_its_mass_and_is_no_longer_than_the_central_one():
    found = finish(posterior_by_quadrature("t-a-p", patterns(WINE_CUT_1), level=0.9))
    for row in found.summaries:
        assert row.hdi_high - row.hdi_low <= row.q95 - row.q05 + 1e-9
        x = found.draws(20_000, 2).values[row.name]
        assert np.mean((x > row.hdi_low) & (x < row.hdi_high)) == pytest.approx(0.9, abs=0.01)


@pytest.mark.parametrize("name", MODELS)
def test_densities_for_drawing_integrate_to_one(name):
    found = posterior(name, WINE_CUT_1)
    for name_of, curve in found.marginals.items():
        assert np.trapezoid(curve.density, curve.x) == pytest.approx(1.0, abs=5e-3), name_of
    if found.joint is not None:
        assert found.joint.density.mean() == pytest.approx(1.0)
        mean = found.joint.density.sum(axis=1) @ (found.joint.x_edges[1:] + found.joint.x_edges[:-1]) / 2 / 50**2
        assert mean == pytest.approx(found.summary("a1").mean, abs=0.005)
    if found.guess_minus_truth is not None:
        gap = found.guess_minus_truth
        assert np.trapezoid(gap.density, gap.x) == pytest.approx(1.0, abs=5e-3)
        mean = np.trapezoid(gap.density * gap.x, gap.x)
        assert mean == pytest.approx(found.summary("p").mean - found.summary("t").mean, abs=2e-3)
    assert (found.joint is None) == (name == "t-a-p")
    assert (found.guess_minus_truth is None) == (name == "t-a0a1-p0p1")


def test_patterns_by_rater_give_the_same_posterior_as_pooled_ones():
    rng = np.random.default_rng(4)
    subject = np.repeat(np.arange(30), 4)
    rater = np.tile(np.arange(4), 30)
    names = tuple(str(i) for i in range(30))
    category = (rng.random(120) < np.repeat(rng.random(30), 4)).astype(np.int64)
    ratings = Ratings.of(subject, rater, category, names, tuple("abcd"), ("no", "yes"))
    pooled = finish(posterior_by_quadrature(model("t-a-p"), tabulate(ratings)))
    apart = finish(posterior_by_quadrature(model("t-a-p"), tabulate(ratings, ratings.rater, 4)))
    assert pooled.log_evidence is not None
    assert apart.log_evidence is not None
    assert apart.log_evidence.ratings == pytest.approx(pooled.log_evidence.ratings, abs=1e-9)
    assert apart.summary("a").median == pytest.approx(pooled.summary("a").median, abs=1e-9)


def test_a_run_tells_its_progress_and_can_be_left_at_any_step():
    steps = list(itertools.islice(posterior_by_quadrature("t-a0a1-p0p1", patterns(SMALL)), 3))
    assert {step.phase for step in steps} == {"posterior"}
    assert all(0 <= step.done <= step.total for step in steps)


@pytest.mark.parametrize("written", ["a=beta(0,1)", "a=beta(1,-2)"])
def test_an_improper_prior_is_refused_with_its_numbers(written):
    with pytest.raises(UsageError, match="no distribution") as raised:
        parse_prior(written)
    assert written in str(raised.value)


@pytest.mark.parametrize("written", ["a", "a=beta(1)", "a=normal(0,1)", "a=beta(x,1)", "", "a=beta(nan,1)"])
def test_a_prior_that_cannot_be_read_is_refused_with_its_text(written):
    with pytest.raises(UsageError, match="cannot be read"):
        parse_prior(written)


def test_priors_of_infinite_size_are_refused():
    with pytest.raises(UsageError, match="inf"):
        Prior("a", float("inf"), 1.0)


@pytest.mark.parametrize(
    ("priors", "words"), [((Prior("a1"),), "no parameter 'a1'"), ((Prior("a"), Prior("a", 2, 2)), "two priors for 'a'")]
)
def test_priors_that_do_not_fit_the_model_are_refused(priors, words):
    with pytest.raises(UsageError, match=words):
        posterior("t-a-p", SMALL, *priors)


def test_other_models_are_refused_by_name():
    with pytest.raises(UsageError, match="'t-aj-pj'"):
        posterior("t-aj-pj", SMALL)
    with pytest.raises(UsageError, match="dawid-skene"):
        finish(posterior_by_quadrature(model("dawid-skene"), patterns(SMALL)))


def test_bad_numbers_are_refused_with_their_value():
    with pytest.raises(ValueError, match=r"weight .* -2"):
        posterior("t-a-p", {(3, 0): -2.0})
    with pytest.raises(ValueError, match=r"weight .* nan"):
        posterior("t-a-p", {(3, 0): float("nan")})
    with pytest.raises(ValueError, match=r"level .* 1\.5"):
        finish(posterior_by_quadrature("t-a-p", patterns(SMALL), level=1.5))
    with pytest.raises(ValueError, match=r"draws .* 0"):
        posterior("t-a-p", SMALL).draws(0, 1)


def test_three_classes_are_refused():
    three = patterns(SMALL)
    three = Patterns(
        three.pattern, three.unit, three.category, three.count, three.weight, three.of_subject, units=1, classes=3
    )
    with pytest.raises(ValueError, match="two classes, not 3"):
        finish(posterior_by_quadrature("t-a-p", three))
