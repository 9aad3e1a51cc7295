"""Raters from one population (models_more.md §5): published values, the density by hand, identities, words."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import dirichlet, halfnorm, logistic, norm

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.sampling.pooled import PoolRequest, pooled_raters, pooled_target
from tapdesk.fitting.sampling.pooled_quick import quick_pooled_raters
from tapdesk.models.model import GROUP_MODELS, model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.ratings.samples import sample
from tapdesk.studies.analysis import Request, analyse


def panel(seed, accuracies, *, cases=60, ratings_of=None, rate=0.4):
    rng = np.random.default_rng(seed)
    truth = (rng.random(cases) < rate).astype(int)
    raters = len(accuracies)
    subject, rater = np.repeat(np.arange(cases), raters), np.tile(np.arange(raters), cases)
    if ratings_of is not None:
        kept = subject < np.array(ratings_of)[rater]
        subject, rater = subject[kept], rater[kept]
    right = rng.random(subject.size) < np.array(accuracies)[rater]
    category = np.where(right, truth[subject], rng.integers(0, 2, subject.size))
    return Ratings.of(
        subject, rater, category, [f"S{i}" for i in range(cases)], [f"R{j}" for j in range(raters)], ["no", "yes"]
    )


def anaesthetists():
    return read_now("sample:dawid-skene-1979", sample("dawid-skene-1979").options).ratings


def holds_the_published_values(found, tolerance):
    """models_more.md §5: error .001, limits of omega .01."""
    means, sds = (0.814, 0.669, 0.742, 0.775, 0.735), (0.043, 0.086, 0.065, 0.060, 0.067)
    for j, (mean, sd) in enumerate(zip(means, sds, strict=True)):
        one = found.number("a", str(j + 1))
        assert one.mean == pytest.approx(mean, abs=tolerance)
        assert one.sd == pytest.approx(sd, abs=tolerance)
    assert found.number("mu").mean == pytest.approx(1.09, abs=5 * tolerance)
    omega = found.number("omega")
    assert (omega.mean, omega.low90, omega.high90) == pytest.approx((0.51, 0.07, 1.13), abs=10 * tolerance)
    assert found.alike == pytest.approx(0.36, abs=5 * tolerance)
    assert found.settled


def test_the_approximation_finds_the_published_anaesthetists():
    holds_the_published_values(finish(quick_pooled_raters(anaesthetists())), 0.004)


@pytest.mark.slow
def test_the_chains_find_the_published_anaesthetists():
    holds_the_published_values(finish(pooled_raters(anaesthetists())), 0.004)


def by_hand(ratings, t, p, logits):
    a, total = expit(logits), 0.0
    for i in range(len(ratings.subjects)):
        joint = np.array([1 - t, t])
        for m in np.flatnonzero(ratings.subject == i):
            c, j = int(ratings.category[m]), int(ratings.rater[m])
            joint = joint * [a[j] * (c == k) + (1 - a[j]) * (p if c else 1 - p) for k in (0, 1)]
        total += np.log(joint.sum())
    return total


def test_the_density_is_the_likelihood_times_the_priors():
    ratings = panel(1, (0.8, 0.6, 0.5, 0.7), cases=12)
    target = pooled_target(ratings, model("t-aj-p"), PoolRequest())
    rng = np.random.default_rng(2)
    at = rng.normal(0, 0.7, (6, target.size))
    found, expected = target(at)[0], []
    for row in at:
        stack = target.points(row[None])
        t, p = float(stack.truth[0, 1]), float(stack.guessing[0, 0, 0, 1])
        mu, log_omega, z = row[2], row[3], row[4:]
        logits = mu + np.exp(log_omega) * z
        assert stack.accuracy[0, :, 0] == pytest.approx(expit(logits))
        prior = logistic.logpdf(mu) + halfnorm.logpdf(np.exp(log_omega)) + log_omega + norm.logpdf(z).sum()
        # Flat rates on the scale of log ratios.
        prior += np.log(t * (1 - t)) + np.log(p * (1 - p))
        expected.append(by_hand(ratings, t, p, logits) + prior)
    # Up to a constant.
    assert found - found[0] == pytest.approx(np.array(expected) - expected[0], abs=1e-8)


def test_with_leanings_of_each_it_is_the_likelihood_times_their_dirichlet_law():
    ratings, raters = panel(1, (0.8, 0.6, 0.5, 0.7), cases=12), 4
    target = pooled_target(ratings, model("t-aj-pj"), PoolRequest())
    at = np.random.default_rng(3).normal(0, 0.7, (6, target.size))
    found, expected = target(at)[0], []
    for row in at:
        stack = target.points(row[None])
        t, own = float(stack.truth[0, 1]), stack.guessing[0, :, 0]
        common, share = expit(np.sqrt(2) * row[1 + raters]), expit(row[2 + raters])
        # The log ratios of each rater are those of all plus so many roots of x.
        assert own[:, 1] == pytest.approx(
            expit(np.sqrt(2) * (row[1 + raters] + np.sqrt(share) * row[1 : 1 + raters])), abs=1e-12
        )
        mu, log_omega, z = row[3 + raters], row[4 + raters], row[5 + raters :]
        logits, kappa = mu + np.exp(log_omega) * z, 1 / share - 1
        law = dirichlet(kappa * np.array([1 - common, common]))
        prior = logistic.logpdf(mu) + halfnorm.logpdf(np.exp(log_omega)) + log_omega + norm.logpdf(z).sum()
        # Each rate on the scale of its coordinate: of logits, and of those of raters in units of the root of x.
        prior += np.log(t * (1 - t)) + np.log(common * (1 - common)) + np.log(share * (1 - share))
        prior += sum(law.logpdf(p) + np.log(p[0] * p[1]) + np.log(share) / 2 for p in own)
        level = 0.0
        for i in range(len(ratings.subjects)):
            joint = np.array([1 - t, t])
            for m in np.flatnonzero(ratings.subject == i):
                c, j = int(ratings.category[m]), int(ratings.rater[m])
                a = expit(logits[j])
                joint = joint * [a * (c == k) + (1 - a) * own[j, c] for k in (0, 1)]
            level += np.log(joint.sum())
        expected.append(level + prior)
    assert found - found[0] == pytest.approx(np.array(expected) - expected[0], abs=1e-8)


@pytest.mark.parametrize("name", ["t-aj-p", "t-aj-pj"])
@pytest.mark.parametrize("covariates", [(), ("years",)])
def test_the_slope_is_that_of_the_density(name, covariates):
    ratings = with_years(panel(3, (0.8, 0.6, 0.5, 0.7), cases=25), [1.0, 2.0, 4.0, 9.0])
    target = pooled_target(ratings, model(name), PoolRequest(covariates=covariates))
    at = np.random.default_rng(4).normal(0, 0.6, target.size)
    steps = 1e-5 * np.eye(target.size)
    numeric = (target(at + steps)[0] - target(at - steps)[0]) / 2e-5
    assert target(at[None])[1][0] == pytest.approx(numeric, abs=1e-5)


def with_years(ratings, years):
    column = Covariate("years", CovariateOf.RATER, np.array(years, dtype=object))
    return replace(ratings, covariates=MappingProxyType({"years": column}))


def test_where_raters_may_not_differ_they_are_one_rater():
    ratings = panel(5, (0.7, 0.6, 0.65, 0.7, 0.6))
    found = finish(quick_pooled_raters(ratings, request=PoolRequest(spread=1e-3)))
    plain = finish(analyse(ratings, Request(model("t-a-p"), estimator="posterior", interval="none")))
    for name in ("t", "p"):
        assert found.number(name).mean == pytest.approx(plain.estimate(name).value, abs=0.006)
    for j in range(5):
        assert found.number("a", f"R{j}").mean == pytest.approx(plain.estimate("a").value, abs=0.006)
    assert found.alike == 1


def test_chains_and_approximation_say_the_same():
    ratings = panel(6, (0.9, 0.7, 0.6, 0.4, 0.7), cases=40)
    request = PoolRequest(chains=8, draws=400, warmup=200, subjects=True)
    slow, quick = finish(pooled_raters(ratings, 1, request)), finish(quick_pooled_raters(ratings, 1, request))
    assert (slow.how, quick.how) == ("hmc", "approximation")
    for one, other in zip(slow.numbers, quick.numbers, strict=True):
        assert one.name == other.name
        assert one.mean == pytest.approx(other.mean, abs=0.15 * one.sd + 0.003)
        assert one.low90 == pytest.approx(other.low90, abs=0.25 * one.sd)
    assert slow.alike == pytest.approx(quick.alike, abs=0.03)
    assert slow.subject_posterior == pytest.approx(quick.subject_posterior, abs=0.03)
    assert slow.ranks == pytest.approx(quick.ranks, abs=0.06)


def test_raters_with_few_ratings_are_drawn_towards_the_others():
    ratings = panel(7, (0.7,) * 5 + (0.95,), cases=150, ratings_of=(150, 150, 150, 150, 150, 12))
    found = finish(quick_pooled_raters(ratings))
    alone = finish(analyse(ratings, Request(model("t-aj-p"), interval="none"))).estimate("a", None, "R5").value
    one = found.number("a", "R5")
    assert abs(one.mean - found.typical.mean) < abs(alone - found.typical.mean)
    assert one.sd > 1.25 * found.number("a", "R0").sd
    assert found.new.sd > found.typical.sd
    assert found.ranks.sum(axis=0) == pytest.approx(1)
    assert found.ranks.sum(axis=1) == pytest.approx(1)


def test_the_population_comes_back_in_nine_of_ten_intervals():
    held = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        accuracies = expit(0.7 + 0.8 * rng.standard_normal(8))
        found = finish(quick_pooled_raters(panel(seed, accuracies, cases=50)))
        held += [
            found.number("a", f"R{j}").low90 <= a <= found.number("a", f"R{j}").high90 for j, a in enumerate(accuracies)
        ]
    # 96 intervals of 90 %, three standard errors.
    assert 0.80 <= np.mean(held) <= 0.99


def test_what_is_known_of_raters_moves_their_accuracies():
    years = np.linspace(-1.5, 1.5, 10)
    ratings = with_years(panel(8, expit(0.5 + 1.0 * years), cases=120), years)
    found = finish(quick_pooled_raters(ratings, request=PoolRequest(covariates=("years",))))
    slope = next(one for one in found.numbers if one.name.name == "b")
    assert slope.name.covariate == "years"
    assert slope.low95 <= years.std() <= slope.high95
    assert slope.low95 > 0
    # Eight values of a column are eight raters, however often each of them rated.
    noise = with_years(panel(9, expit(np.random.default_rng(2).normal(0.5, 1, 8)), cases=150), np.arange(8.0))
    none = finish(quick_pooled_raters(noise, request=PoolRequest(covariates=("years",))))
    width = next(one for one in none.numbers if one.name.name == "b")
    assert width.low95 < 0 < width.high95


def leaning(leanings, seed=1, cases=80, few=10):
    """Raters of one accuracy with such leanings, the last of whom rated few cases."""
    rng, raters = np.random.default_rng(seed), len(leanings)
    truth = (rng.random(cases) < 0.4).astype(int)
    subject, rater = np.repeat(np.arange(cases), raters), np.tile(np.arange(raters), cases)
    kept = (subject < few) | (rater < raters - 1)
    subject, rater = subject[kept], rater[kept]
    guesses = rng.random(subject.size) < np.array(leanings)[rater]
    category = np.where(rng.random(subject.size) < 0.6, truth[subject], guesses).astype(np.int64)
    names = [f"S{i}" for i in range(cases)], [f"R{j}" for j in range(raters)]
    return Ratings.of(subject, rater, category, *names, ["no", "yes"])


def test_leanings_of_each_are_drawn_towards_the_common_one():
    request = PoolRequest()
    # Of the first seed one trajectory of 8,000 goes astray on some kinds of processor, which is said and not reported.
    differ = finish(pooled_raters(leaning((0.95, 0.05, 0.5, 0.5, 0.5, 0.5)), 2, request, model("t-aj-pj")))
    alike = finish(pooled_raters(leaning((0.5,) * 6), 1, request, model("t-aj-pj")))
    assert differ.settled
    assert alike.settled
    assert differ.number("p", "R0").low95 > differ.number("p", "R1").high95
    assert alike.number("x").mean < differ.number("x").low95 + 0.05 < differ.number("x").mean
    # Who rated little is believed to guess as any rater might, and nearer to the others where these are alike.
    assert differ.number("p", "R5").sd > 1.3 * differ.number("p", "R4").sd
    assert alike.number("p", "R5").sd < 0.75 * differ.number("p", "R5").sd


def test_raters_in_another_order_are_the_same_raters():
    ratings = panel(10, (0.9, 0.7, 0.6, 0.4, 0.7))
    turned = replace(ratings, rater=4 - ratings.rater, raters=ratings.raters[::-1])
    one, other = finish(quick_pooled_raters(ratings)), finish(quick_pooled_raters(turned))
    for j in range(5):
        assert one.number("a", f"R{j}").mean == pytest.approx(other.number("a", f"R{j}").mean, abs=0.006)


def test_groups_may_have_truths_of_their_own():
    ratings = panel(11, (0.9, 0.7, 0.6, 0.5, 0.7), cases=80)
    column = Covariate("ward", CovariateOf.SUBJECT, np.array(["a", "b"] * 40, dtype=object))
    ratings = replace(ratings, covariates=MappingProxyType({"ward": column}))
    row = replace(model("tg-aj-p", GROUP_MODELS), groups="ward")
    found = finish(quick_pooled_raters(ratings, row=row))
    assert {one.name.group for one in found.numbers if one.name.name == "t"} == {"a", "b"}
    assert found.settled


def test_few_raters_are_told():
    found = finish(quick_pooled_raters(panel(1, (0.8, 0.6, 0.7))))
    assert str(found.findings[0].message) == (
        "With 3 raters, how much raters differ is mostly what was assumed beforehand: five or more can tell it."
    )
    assert str(found.findings[0].fix) == "Read the accuracies of the single raters without pooling."
    assert not finish(quick_pooled_raters(panel(1, (0.8, 0.6, 0.7, 0.7, 0.7)))).findings


@pytest.mark.parametrize(
    ("ratings", "row", "covariates", "sentence"),
    [
        (
            panel(1, (0.8,) * 5),
            "t-a-p",
            (),
            "Pooled raters have accuracies of their own: choose one of t-aj-p, t-aj-pj, tg-aj-p, tg-aj-pj.",
        ),
        (
            panel(1, (0.8,) * 2),
            "t-aj-p",
            (),
            "Two raters tell nothing of a population of raters: three are needed, five are better.",
        ),
        (
            with_years(panel(1, (0.8,) * 3), ["x", "y", "z"]),
            "t-aj-p",
            ("years",),
            "'years' is not a number that is known of every rater and differs between them.",
        ),
        (
            with_years(panel(1, (0.8,) * 3), [1.0, 2.0, 4.0]),
            "t-aj-p",
            ("years", "years"),
            "So many columns cannot be told apart by 3 raters.",
        ),
        (
            panel(1, (0.8,) * 3),
            "t-aj-p",
            ("age",),
            "'age' is not a number that is known of every rater and differs between them.",
        ),
    ],
)
def test_raters_that_cannot_be_pooled_are_refused_in_a_sentence(ratings, row, covariates, sentence):
    with pytest.raises(CannotAnswerError) as error:
        finish(quick_pooled_raters(ratings, 1, PoolRequest(covariates=covariates), model(row)))
    assert str(error.value.what) == sentence


def test_an_approximation_that_is_rough_says_so():
    from tapdesk.fitting.sampling.pooled_quick import _rough

    assert str(_rough(37.2).message) == (
        "The approximation is rough here: its draws are worth 37 independent ones, and 400 are wanted."
    )
    assert str(_rough(37.2).fix) == "Sample the population of raters instead."
