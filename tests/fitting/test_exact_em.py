"""Exact E-M against published numbers, laws and pathologies."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapdesk.errors import UsageError
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import Fit, Status
from tapdesk.models.model import Truth, model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now
from tests.tables import WINE_CUTS, counted, drawn


def fitted(name: str, ratings: Ratings, seed: int = 1) -> Fit:
    return finish(ExactEM().run(model(name), ratings, seed))


# "Modeling Raters and Ratings" (Eubanks 2020), wine; the log-likelihoods as in models.md and issue 3.
@pytest.mark.parametrize(
    ("cut", "t", "a", "p", "counts"),
    [("1|2", 0.27, 0.54, 0.22, -243.36), ("2|3", 0.54, 0.44, 0.59, -286.12), ("3|4", 0.65, 0.25, 0.95, -169.94)],
)
def test_wine_cuts_have_the_published_estimates(cut: str, t: float, a: float, p: float, counts: float):
    fit = fitted("t-a-p", counted(WINE_CUTS[cut]))
    assert fit.status is Status.SETTLED
    assert fit.estimate("t").value == pytest.approx(t, abs=0.006)
    assert fit.estimate("a").value == pytest.approx(a, abs=0.006)
    assert fit.estimate("p").value == pytest.approx(p, abs=0.006)
    assert fit.log_likelihood.counts == pytest.approx(counts, abs=0.006)


@pytest.mark.parametrize("name", ["t-a-p", "t-a0a1-p0p1", "dawid-skene"])
def test_krits_of_a_true_class_are_the_entropy_of_its_ratings_and_average_to_both_others(name: str):
    rates = [0.5, 0.5] if name == "t-a0a1-p0p1" else [0.5, 0.3, 0.2]
    ratings = drawn(np.random.default_rng(5), rates, 0.6, rates, 60, 4, share=0.9)
    fit = fitted(name, ratings)
    k = len(fit.classes)
    rates = fit.parameters.rating_rates()
    each = np.bincount(ratings.rater, minlength=len(ratings.raters)) / ratings.rater.size
    share = each if rates.shape[0] > 1 else [1.0]
    for true, value in enumerate(fit.krits.by_class):
        entropies = [-sum(x * np.log(x) / np.log(k) for x in one[true] if x > 0) for one in rates]
        assert value == pytest.approx(sum(w * h for w, h in zip(share, entropies, strict=True)), abs=1e-12)
    assert np.mean(fit.krits.by_class) == pytest.approx(fit.krits.standardised, abs=1e-12)
    assert fit.parameters.truth @ fit.krits.by_class == pytest.approx(fit.krits.expected, abs=1e-12)


def test_krits_of_wine_cut_one_are_those_of_models_md():
    krits = fitted("t-a-p", counted(WINE_CUTS["1|2"])).krits
    told = (krits.expected, krits.marginal, krits.imputed, krits.standardised)
    assert told == pytest.approx((0.5930, 0.7264, 0.5694, 0.7043), abs=5e-5)


# Issue 3: values computed by brute force from the tables of Fleiss (1971) and Dawid & Skene (1979).
@pytest.mark.parametrize(
    ("sample", "name", "level"),
    [
        ("fleiss-1971", "t-a-p", -207.3563828812),
        ("dawid-skene-1979", "t-a-p", -239.3565708009),
    ],
)
def test_published_tables_reach_the_reference_likelihood(sample: str, name: str, level: float):
    ratings = read_now(f"sample:{sample}").ratings
    assert fitted(name, ratings).log_likelihood.ratings == pytest.approx(level, abs=1e-7)


def test_saturated_model_of_dawid_and_skene_reaches_the_best_known_maximum():
    fit = fitted("dawid-skene", read_now("sample:dawid-skene-1979").ratings)
    assert fit.log_likelihood.ratings == pytest.approx(-189.4053, abs=5e-5)
    assert sum(fit.parameters.truth) == pytest.approx(1)


@given(seed=st.integers(0, 10_000), k=st.integers(2, 4))
def test_permuting_subjects_and_classes_permutes_the_answer(seed: int, k: int):
    rng = np.random.default_rng(seed)
    r = drawn(rng, rng.dirichlet(np.full(k, 5)), 0.6, rng.dirichlet(np.full(k, 5)), 60, 4)
    order = rng.permutation(k)
    shuffled = rng.permutation(r.subject.size)
    new_names = rng.permutation(len(r.subjects))
    other = Ratings.of(
        new_names[r.subject][shuffled],
        r.rater[shuffled],
        np.argsort(order)[r.category][shuffled],
        r.subjects,
        r.raters,
        [r.classes[c] for c in order],
    )
    one, two = fitted("t-a-p", r), fitted("t-a-p", other)
    assert two.log_likelihood.ratings == pytest.approx(one.log_likelihood.ratings, abs=1e-8)
    if one.status is Status.SETTLED and len(one.optima) == 1:
        np.testing.assert_allclose(two.parameters.truth, one.parameters.truth[order], atol=1e-6)
        assert two.parameters.accuracy[0, 0] == pytest.approx(one.parameters.accuracy[0, 0], abs=1e-6)


@given(seed=st.integers(0, 10_000), times=st.integers(2, 5))
def test_duplicated_subjects_keep_the_estimates_and_shrink_the_errors(seed: int, times: int):
    rng = np.random.default_rng(seed)
    r = drawn(rng, (0.4, 0.6), 0.7, (0.3, 0.7), 120, 4)
    one = fitted("t-a-p", r)
    many = fitted("t-a-p", replace(r, weight=np.full(len(r.subjects), times)))
    assert many.log_likelihood.ratings == pytest.approx(times * one.log_likelihood.ratings, rel=1e-10)
    for a, b in zip(one.estimates, many.estimates, strict=True):
        if a.estimate.se and b.estimate.se:
            assert b.estimate.value == pytest.approx(a.estimate.value, abs=1e-6)
            assert b.estimate.se == pytest.approx(a.estimate.se / np.sqrt(times), rel=1e-4)


NESTED = [
    ("P-a-P", "t-a-t"),
    ("t-a-t", "t-a-p"),
    ("t-a-p", "t-ak-p"),
    ("t-a-p", "t-aj-p"),
    ("t-a-p", "t-a-pj"),
    ("t-aj-p", "t-aj-pj"),
    ("t-a-pj", "t-aj-pj"),
    ("t-aj-pj", "dawid-skene"),
]


@settings(max_examples=max(settings().max_examples // 4, 5))
@given(seed=st.integers(0, 10_000), k=st.integers(2, 3))
def test_a_larger_model_never_fits_worse(seed: int, k: int):
    rng = np.random.default_rng(seed)
    r = drawn(rng, rng.dirichlet(np.full(k, 3)), rng.uniform(0.1, 0.9, 3), rng.dirichlet(np.full(k, 3)), 30, 3)
    levels = {n: fitted(n, r).log_likelihood.ratings for n in {x for pair in NESTED for x in pair}}
    for smaller, larger in NESTED:
        assert levels[larger] >= levels[smaller] - 1e-6, (smaller, larger)


def test_two_classes_as_three_with_one_unused_give_the_same_fit():
    r = drawn(np.random.default_rng(4), (0.4, 0.6), 0.7, (0.3, 0.7), 80, 4)
    wider = r.with_order(("c0", "c1", "never used"))
    assert fitted("t-a-p", wider).log_likelihood.ratings == pytest.approx(
        fitted("t-a-p", r).log_likelihood.ratings, abs=1e-7
    )


def test_collapsing_classes_keeps_the_accuracy_on_expected_data():
    # models.md §2: any merging of the classes of t-a-p is t-a-p with the same a and summed t and p.
    from itertools import product

    t, a, p = np.array([0.5, 0.3, 0.2]), 0.6, np.array([0.2, 0.3, 0.5])
    rates = a * np.eye(3) + (1 - a) * p
    rows = list(product(range(3), repeat=4))
    share = [float((t * np.prod([rates[:, c] for c in row], axis=0)).sum()) for row in rows]
    weight = np.round(np.array(share) * 10_000_000).astype(np.int64)
    r = Ratings.of(
        np.repeat(np.arange(len(rows)), 4), np.tile(np.arange(4), len(rows)), np.array(rows).ravel(),
        [str(i) for i in range(len(rows))], list("wxyz"), list("ABC"), weight=weight,
    )  # fmt: skip
    whole = fitted("t-a-p", r)
    cut = fitted("t-a-p", r.dichotomised(["C"]))
    assert whole.parameters.accuracy[0, 0] == pytest.approx(a, abs=1e-4)
    assert cut.parameters.accuracy[0, 0] == pytest.approx(a, abs=1e-4)
    assert cut.estimate("t").value == pytest.approx(0.2, abs=1e-3)
    assert cut.estimate("p").value == pytest.approx(0.5, abs=1e-3)
    # models.md §2: kappa = a^2 (1 - t't) / (1 - c'c).
    c = a * t + (1 - a) * p
    assert whole.kappa == pytest.approx(a * a * (1 - t @ t) / (1 - c @ c), abs=1e-4)


def test_same_seed_gives_the_same_bits():
    r = drawn(np.random.default_rng(8), (0.2, 0.3, 0.5), 0.5, (0.3, 0.3, 0.4), 50, 3)
    one, two = fitted("t-aj-pj", r), fitted("t-aj-pj", r)
    assert one.log_likelihood == two.log_likelihood
    np.testing.assert_array_equal(one.parameters.guessing, two.parameters.guessing)


def test_every_trace_rises():
    fit = fitted("t-a-p", counted(WINE_CUTS["3|4"]))
    assert len(fit.trace) > 3
    for trace in fit.trace:
        assert (np.diff(trace.log_likelihood) >= -1e-9).all()


def test_uniform_truth_is_held():
    r = drawn(np.random.default_rng(8), (0.2, 0.3, 0.5), 0.5, (0.3, 0.3, 0.4), 50, 3)
    fit = finish(ExactEM().run(replace(model("t-aj-pj"), truth=Truth.UNIFORM), r, 1))
    np.testing.assert_allclose(fit.parameters.truth, 1 / 3)
    assert fit.free == fitted("t-aj-pj", r).free - 2


def test_regression_recovers_an_accuracy_that_falls_with_age():
    from tapdesk.ratings.ratings import Covariate, CovariateOf

    rng = np.random.default_rng(2)
    age = np.linspace(-1, 1, 12)
    r = drawn(rng, (0.4, 0.6), 1 / (1 + np.exp(-(0.4 - 1.2 * age))), (0.5, 0.5), 800, 12)
    r = replace(r, covariates={"age": Covariate("age", CovariateOf.RATER, age)})
    fit = finish(ExactEM().run(replace(model("t-ax-p"), covariates=("age",)), r, 1))
    slopes = {e.name.covariate: e.estimate for e in fit.estimates if e.name.name == "b"}
    assert abs(slopes["(intercept)"].value - 0.4) < 3.5 * slopes["(intercept)"].se
    assert abs(slopes["age"].value + 1.2) < 3.5 * slopes["age"].se
    assert slopes["age"].se < 0.2


class TestPathologies:
    def test_one_used_class_says_that_the_truth_is_all_it_shows(self):
        fit = fitted("t-a-p", counted((40, 0, 0, 0), raters=3))
        assert fit.status is Status.DEGENERATE
        assert fit.log_likelihood.ratings == pytest.approx(0, abs=1e-6)
        assert [e.estimate.value is None for e in fit.estimates].count(True) >= 2
        assert all(e.estimate.undefined for e in fit.estimates if e.estimate.value is None)

    def test_perfect_agreement_leaves_guessing_undefined(self):
        fit = fitted("t-a-p", counted((30, 0, 0, 20)))
        assert fit.estimate("a").value == pytest.approx(1)
        assert fit.estimate("t").value == pytest.approx(0.4, abs=1e-6)
        assert fit.estimate("p").value is None
        assert "guess" in fit.estimate("p").undefined

    def test_two_ratings_of_two_classes_are_not_identified_and_three_are(self):
        assert not fitted("t-a-p", counted((50, 20, 30))).identification.by_design
        assert fitted("t-a-t", counted((50, 20, 30))).identification.identified
        assert fitted("t-a-p", counted((50, 20, 15, 30))).identification.identified

    def test_two_ratings_of_three_classes_are_identified(self):
        r = drawn(np.random.default_rng(0), (0.3, 0.3, 0.4), 0.6, (0.2, 0.3, 0.5), 400, 2)
        assert fitted("t-a-p", r).identification.identified

    def test_accuracies_by_class_are_an_interval_of_equal_fits(self):
        fit = fitted("t-a0a1-p", counted(WINE_CUTS["1|2"]))
        assert not fit.identification.by_design
        assert fit.estimate("t").value == pytest.approx(0.2651, abs=1e-4)
        assert fit.estimate("a0").value is None
        ranges = {str(r.name): (r.low, r.high) for r in fit.identification.ranges}
        # models.md §3: p in [mu0, mu1], a1 up to (mu1 - mu0) / (1 - mu0), a0 up to 1 - mu0 / mu1.
        mu0, mu1 = (1 - 0.54212) * 0.21721, 0.54212 + (1 - 0.54212) * 0.21721
        assert ranges["p"] == pytest.approx((mu0, mu1), abs=1e-4)
        assert ranges["a1"] == pytest.approx((0, (mu1 - mu0) / (1 - mu0)), abs=1e-4)
        assert ranges["a0"] == pytest.approx((0, 1 - mu0 / mu1), abs=1e-4)

    def test_pairs_of_raters_in_a_triangle_do_not_identify_and_in_a_ring_do(self):
        # models.md §3: three raters in pairs 12, 13, 23 do not identify t-aj-pj; a ring of pairs does identify t-aj-p.
        rng = np.random.default_rng(1)

        def pairs(links: list[tuple[int, int]], raters: int) -> Ratings:
            who = np.array([links[i % len(links)] for i in range(300)])
            true = rng.random(300) < 0.4
            knows = rng.random((300, 2)) < 0.7
            given_class = np.where(knows, true[:, None], rng.random((300, 2)) < 0.5).astype(int)
            return Ratings.of(
                np.repeat(np.arange(300), 2), who.ravel(), given_class.ravel(), [str(i) for i in range(300)],
                [f"J{j}" for j in range(raters)], ["no", "yes"],
            )  # fmt: skip

        triangle = pairs([(0, 1), (0, 2), (1, 2)], 3)
        assert not fitted("t-aj-pj", triangle).identification.by_design
        ring = pairs([(j, (j + 1) % 7) for j in range(7)], 7)
        assert fitted("t-aj-p", ring).identification.by_design

    def test_a_thousand_ratings_of_one_subject_do_not_underflow(self):
        rng = np.random.default_rng(3)
        r = drawn(rng, (0.5, 0.5), 0.5, (0.5, 0.5), 3, 1000)
        fit = fitted("t-a-p", r)
        assert np.isfinite(fit.log_likelihood.ratings)

    @pytest.mark.parametrize("rate", [0.001, 0.999])
    def test_rare_and_common_classes_are_fitted(self, rate: float):
        t, a, p = rate, 0.7, 0.5
        mu = np.array([(1 - a) * p, a + (1 - a) * p])
        from math import comb

        table = [
            round(1e7 * comb(5, k) * sum(w * m**k * (1 - m) ** (5 - k) for w, m in zip((1 - t, t), mu, strict=True)))
            for k in range(6)
        ]
        fit = fitted("t-a-p", counted(table))
        assert fit.estimate("t").value == pytest.approx(rate, abs=2e-5)
        assert fit.estimate("a").value == pytest.approx(0.7, abs=5e-3)

    def test_two_hundred_classes_settle(self):
        k = 200
        rng = np.random.default_rng(5)
        r = drawn(rng, np.full(k, 1 / k), 0.7, np.full(k, 1 / k), 400, 4)
        fit = fitted("t-a-p", r)
        assert fit.converged
        assert fit.parameters.accuracy[0, 0] == pytest.approx(0.7, abs=0.06)

    def test_a_single_subject_and_a_single_rater_say_why_there_is_nothing_to_learn(self):
        one_rater = drawn(np.random.default_rng(0), (0.5, 0.5), 0.5, (0.5, 0.5), 20, 1)
        fit = fitted("t-a-p", one_rater)
        assert not fit.identification.by_design
        assert "more than once" in fit.identification.words

    def test_a_model_by_rater_is_refused_where_raters_are_not_known(self):
        with pytest.raises(UsageError, match="raters are not known"):
            fitted("t-aj-p", counted((3, 4, 5, 6)))

    def test_one_declared_class_is_refused(self):
        r = Ratings.of(np.array([0, 0]), np.array([0, 1]), np.array([0, 0]), ["s"], ["x", "y"], ["only"])
        with pytest.raises(UsageError, match="only one class"):
            fitted("t-a-p", r)

    def test_tables_of_rates_beyond_a_gigabyte_are_refused_with_the_figure(self):
        j, k = 3200, 200
        r = Ratings.of(
            np.repeat(np.arange(2), 2), np.array([0, 1, 0, 1]), np.array([0, 1, 1, 1]), ["a", "b"],
            [f"J{i}" for i in range(j)], [f"c{i}" for i in range(k)],
        )  # fmt: skip
        reason = ExactEM().refuses(model("dawid-skene"), r)
        assert "1.0 GB" in reason
        assert ExactEM().refuses(model("t-aj-pj"), r) is None
