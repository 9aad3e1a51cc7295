"""Cases that differ (models_more.md §3): published and worked-out values, likelihoods by integration, laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import beta

from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.identification import verdict
from tapdesk.models.design import design
from tapdesk.models.model import CASE_MODELS, Cases, model
from tapdesk.models.parameters import Stack
from tapdesk.models.simulate import simulate_like
from tapdesk.models.space import line
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.ratings.samples import sample
from tapdesk.studies.analysis import Request, analyse

NAMES = [m.name for m in CASE_MODELS]
HARD, ACCURACY, MISLEADING = NAMES


def of_cases(name):
    return model(name, CASE_MODELS)


def of_counts(table, classes=2):
    """Ratings of cases by their vectors of class counts."""
    table = np.asarray(table)
    subject = np.repeat(np.arange(len(table)), table.sum(axis=1))
    category = np.concatenate([np.repeat(np.arange(classes), row) for row in table])
    names = [str(i) for i in range(len(table))]
    return Ratings.of(subject, np.zeros_like(subject), category, names, [""], [f"c{k}" for k in range(classes)])


def fitted(name, ratings):
    return finish(ExactEM().run(of_cases(name), ratings, 1))


def values(fit):
    return {str(e.name): e.estimate.value for e in fit.estimates}


def stack_of(plan, truth, accuracy, guessing, spread):
    point = plan.space.point(np.array([truth]), np.array([accuracy]), np.array([guessing]))
    return Stack(point.truth, point.accuracy, point.guessing, point.slopes, np.array([[spread]]))


def binary(rng, cases=60, raters=5):
    yes = rng.binomial(raters, rng.beta(0.7, 0.7, cases))
    return of_counts(np.stack([raters - yes, yes], axis=1))


class TestFleiss:
    """Fleiss 1971, table 1: thirty patients, six ratings each, five diagnoses."""

    @pytest.fixture
    def ratings(self):
        return read_now("sample:fleiss-1971", sample("fleiss-1971").options).ratings

    @pytest.mark.parametrize("name", [HARD, ACCURACY])
    def test_no_patient_is_harder_than_others(self, ratings, name):
        fit = fitted(name, ratings)
        plain = finish(ExactEM().run(model("t-a-p"), ratings, 1))
        assert fit.log_likelihood.ratings == pytest.approx(plain.log_likelihood.ratings, abs=1e-6)
        assert fit.log_likelihood.ratings == pytest.approx(-207.356383, abs=1e-6)
        assert values(fit)["h" if name == HARD else "rho"] == 0

    def test_wrong_diagnoses_of_a_patient_go_together(self, ratings):
        fit = fitted(MISLEADING, ratings)
        assert fit.log_likelihood.ratings == pytest.approx(-199.927404, abs=1e-6)
        assert values(fit)["rho"] == pytest.approx(0.54, abs=5e-3)


@pytest.mark.parametrize("name", NAMES)
def test_three_ratings_of_two_classes_cannot_show_it(name):
    ratings = binary(np.random.default_rng(2), raters=3)
    fit = fitted(name, ratings)
    plain = finish(ExactEM().run(model("t-a-p"), ratings, 1))
    assert fit.log_likelihood.ratings == pytest.approx(plain.log_likelihood.ratings, abs=1e-5)
    assert not fit.identification.identified
    assert not verdict(of_cases(name), ratings).by_design
    assert verdict(of_cases(name), binary(np.random.default_rng(2), raters=4)).by_design


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=20, deadline=None)
@given(
    table=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=5).filter(
        lambda rows: all(sum(row) for row in rows)
    ),
    accuracy=st.floats(0.05, 0.95),
)
def test_cases_that_are_all_alike_are_those_of_the_plain_model(name, table, accuracy):
    ratings = of_counts(table, 3)
    plan, plain = design(of_cases(name), ratings), design(model("t-a-p"), ratings)
    point = (np.array([0.5, 0.3, 0.2]), accuracy, np.array([0.2, 0.2, 0.6]))
    stack = plain.space.point(point[0][None], np.array([accuracy]), point[2][None])
    expected = plain.space.evidence(plain.patterns).expect(stack)
    alike = plan.space.evidence(plan.patterns).expect(stack_of(plan, *point, 0.0))
    assert alike.log_likelihood == pytest.approx(expected.log_likelihood, abs=1e-9)
    assert alike.truth == pytest.approx(expected.truth, abs=1e-9)
    assert alike.hits.sum() == pytest.approx(expected.hits.sum(), abs=1e-9)
    assert alike.guesses.ravel() == pytest.approx(expected.guesses.ravel(), abs=1e-9)


@pytest.mark.parametrize("spread", [0.05, 0.3, 0.8])
@pytest.mark.parametrize("yes", range(6))
def test_the_likelihood_is_the_integral_over_what_differs(spread, yes):
    t, a, p, n = 0.3, 0.6, 0.4, 5
    weight = (1 - spread) / spread

    def given_case(accuracy, guess):
        rate1, rate0 = accuracy + (1 - accuracy) * guess, (1 - accuracy) * guess
        return t * rate1**yes * (1 - rate1) ** (n - yes) + (1 - t) * rate0**yes * (1 - rate0) ** (n - yes)

    own = beta(a * weight, (1 - a) * weight), beta(p * weight, (1 - p) * weight)
    by_hand = {
        HARD: (1 - spread) * given_case(a, p) + spread * given_case(0.0, p),
        ACCURACY: quad(lambda x: given_case(x, p) * own[0].pdf(x), 0, 1, limit=200)[0],
        MISLEADING: quad(lambda x: given_case(a, x) * own[1].pdf(x), 0, 1, limit=200)[0],
    }
    for name, wanted in by_hand.items():
        plan = design(of_cases(name), of_counts([[n - yes, yes]]))
        found = plan.space.evidence(plan.patterns).expect(stack_of(plan, [1 - t, t], a, [1 - p, p], spread))
        # Near its ends the density of a wide beta runs off, where the integral is good to six digits only.
        assert np.exp(found.log_likelihood[0]) == pytest.approx(wanted, rel=2e-5), name


def test_cases_of_all_or_nothing_agree_or_guess():
    t, a, p = 0.3, 0.6, 0.4
    for no, yes in ((3, 0), (0, 3), (2, 1)):
        plan = design(of_cases(ACCURACY), of_counts([[no, yes]]))
        found = plan.space.evidence(plan.patterns).expect(stack_of(plan, [1 - t, t], a, [1 - p, p], 1.0))
        together = (t if no == 0 else 0.0) + (1 - t if yes == 0 else 0.0)
        wanted = together * a + (1 - a) * p**yes * (1 - p) ** no
        assert np.exp(found.log_likelihood[0]) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_the_score_is_the_slope_of_the_likelihood(name):
    rng = np.random.default_rng(4)
    ratings = of_counts(rng.multinomial(6, [0.2, 0.5, 0.3], 30), 3)
    plan = design(of_cases(name), ratings)
    evidence = plan.space.evidence(plan.patterns)
    point = stack_of(plan, [0.5, 0.3, 0.2], 0.55, [0.2, 0.2, 0.6], 0.25).one(0)
    way = line(plan.space, point)
    at = way.coordinates(point)
    assert at.size == plan.space.free
    stack = way.points(at[None])
    score = way.score(plan.space.tally(evidence.expect(stack)), stack)[0]
    step = 1e-5 * np.eye(at.size)
    ahead, behind = (evidence.expect(way.points(at + sign * step)).log_likelihood for sign in (1, -1))
    assert score == pytest.approx((ahead - behind) / 2e-5, abs=1e-5)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_never_fits_worse_than_with_cases_alike(name, seed):
    ratings = binary(np.random.default_rng(seed))
    plain = finish(ExactEM().run(model("t-a-p"), ratings, 1)).log_likelihood.ratings
    assert fitted(name, ratings).log_likelihood.ratings >= plain - 1e-6


@pytest.mark.parametrize(("name", "spread"), [(HARD, 0.3), (ACCURACY, 0.4), (MISLEADING, 0.4)])
def test_what_is_simulated_is_found_again(name, spread):
    empty = of_counts(np.tile([4, 4], (4000, 1)))
    plan = design(of_cases(name), empty)
    drawn, _truth = simulate_like(empty, of_cases(name), stack_of(plan, [0.7, 0.3], 0.7, [0.6, 0.4], spread).one(0), 3)
    evidence = plan.space.evidence(design(of_cases(name), drawn).patterns)
    here, elsewhere = (
        evidence.expect(stack_of(plan, [0.7, 0.3], 0.7, [0.6, 0.4], value)).log_likelihood[0]
        for value in (spread, spread - 0.15)
    )
    assert here > elsewhere + 10
    fit = fitted(name, drawn)
    assert fit.log_likelihood.ratings >= here - 1e-6
    assert fit.log_likelihood.ratings - here < 12


@pytest.mark.parametrize("name", NAMES)
def test_every_number_has_its_interval_and_beliefs_are_rates(name):
    ratings = binary(np.random.default_rng(5), raters=8)
    fit = finish(analyse(ratings, Request(of_cases(name), subjects=True)))
    for e in fit.estimates:
        assert e.estimate.low <= e.estimate.value <= e.estimate.high
    assert fit.subject_posterior.sum(axis=1) == pytest.approx(np.ones(60))


def test_a_posterior_of_the_spread_lies_within_its_profile():
    ratings = binary(np.random.default_rng(6), raters=8)
    request = Request(of_cases(ACCURACY), estimator="posterior", draws=300)
    (belief,) = [e.estimate for e in finish(analyse(ratings, request)).estimates if e.name.name == "rho"]
    (profile,) = [
        e.estimate for e in finish(analyse(ratings, Request(of_cases(ACCURACY)))).estimates if e.name.name == "rho"
    ]
    assert profile.low - 0.05 < belief.value < profile.high + 0.05


def test_the_models_say_what_differs():
    assert [of_cases(name).cases for name in NAMES] == [Cases.HARD, Cases.ACCURACY, Cases.MISLEADING]


@pytest.mark.parametrize("name", [ACCURACY, MISLEADING])
def test_draws_are_counted_the_same_in_one_product_and_one_by_one(name, monkeypatch):
    rng = np.random.default_rng(5)
    ratings = of_counts(rng.multinomial(6, [0.5, 0.3, 0.2], 30), classes=3)
    plan = design(of_cases(name), ratings)
    point = stack_of(plan, [0.5, 0.3, 0.2], [0.6], [0.2, 0.5, 0.3], 0.3)
    weights = rng.multinomial(30, np.full(plan.patterns.patterns, 1 / plan.patterns.patterns), 3).astype(float)
    many = Stack.join([point] * 3)
    found = plan.space.evidence(plan.patterns).expect(many, weights)
    monkeypatch.setattr("tapdesk.models.case_evidence._MOST_CELLS", 0)
    other = plan.space.evidence(plan.patterns).expect(many, weights)
    assert other.spread == pytest.approx(found.spread, rel=1e-12)
    assert other.guesses == pytest.approx(found.guesses, rel=1e-12)
    assert other.hits == pytest.approx(found.hits, rel=1e-12)
