"""Groups in one model (models_more.md §2): published values, a likelihood by hand, laws of nesting, what is refused."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from tapdesk.errors import UsageError
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.identification import verdict
from tapdesk.models.design import design
from tapdesk.models.model import GROUP_MODELS, model
from tapdesk.models.parameters import Stack
from tapdesk.models.simulate import simulate_like
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.analysis import Request, analyse

# Hui & Walter 1980 (Biometrics 36:167), table 1: two tests for tuberculosis in two populations, ++ +- -+ --.
HUI_WALTER = {"district": (14, 4, 9, 528), "sanatorium": (887, 31, 37, 367)}


def of_groups(name, column="ward"):
    return replace(model(name, GROUP_MODELS), groups=column)


def with_groups(ratings, values, of=CovariateOf.SUBJECT):
    column = Covariate("ward", of, np.array(values, dtype=object))
    return replace(ratings, covariates=MappingProxyType({"ward": column}))


def two_tests(counts):
    """Two ratings of each case, by group the number of cases with each pair."""
    pairs = ((1, 1), (1, 0), (0, 1), (0, 0))
    rows = [
        (group, pair) for group, cells in counts.items() for pair, n in zip(pairs, cells, strict=True) for _ in range(n)
    ]
    category = np.array([c for _group, pair in rows for c in pair])
    n = len(rows)
    subject, rater = np.repeat(np.arange(n), 2), np.tile([0, 1], n)
    ratings = Ratings.of(subject, rater, category, [str(i) for i in range(n)], ["mantoux", "tine"], ["no", "yes"])
    return with_groups(ratings, [group for group, _pair in rows])


def drawn(seed, *, classes=2, raters=3, groups=("a", "b", "c"), cases=60):
    """Ratings of a random panel with a different truth in each group."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, len(groups), cases)
    rates = rng.dirichlet(np.full(classes, 2.0), len(groups))
    truth = np.array([rng.choice(classes, p=rates[g]) for g in group])
    subject, rater = np.repeat(np.arange(cases), raters), np.tile(np.arange(raters), cases)
    right = rng.random(subject.size) < 0.7
    category = np.where(right, truth[subject], rng.integers(0, classes, subject.size))
    names = [str(i) for i in range(cases)]
    ratings = Ratings.of(
        subject, rater, category, names, [f"R{j}" for j in range(raters)], [f"c{k}" for k in range(classes)]
    )
    return with_groups(ratings, [groups[g] for g in group])


def fitted(name, ratings):
    return finish(ExactEM().run(of_groups(name) if name in {m.name for m in GROUP_MODELS} else model(name), ratings, 1))


def values(fit):
    return {str(e.name): e.estimate.value for e in fit.estimates}


class TestHuiAndWalter:
    """Two raters are enough where two groups differ in truth only."""

    def test_two_tests_in_two_populations_have_the_published_rates(self):
        fit = fitted("tg-dawid-skene", two_tests(HUI_WALTER))
        at = values(fit)
        assert fit.log_likelihood.ratings == pytest.approx(-1207.616749, abs=1e-6)
        assert (at["t[district]"], at["t[sanatorium]"]) == pytest.approx((0.0268, 0.7168), abs=5e-5)
        false_positives = (at["pi[no, mantoux, yes]"], at["pi[no, tine, yes]"])
        assert false_positives == pytest.approx((0.0067, 0.0159), abs=5e-5)
        assert (at["pi[yes, mantoux, no]"], at["pi[yes, tine, no]"]) == pytest.approx((0.0339, 0.0312), abs=5e-5)
        assert fit.identification.identified

    def test_accuracies_say_the_same(self):
        fit = fitted("tg-aj-pj", two_tests(HUI_WALTER))
        at = values(fit)
        assert fit.log_likelihood.ratings == pytest.approx(-1207.616749, abs=1e-6)
        assert (at["a[mantoux]"], at["a[tine]"]) == pytest.approx((0.959443, 0.952963), abs=1e-6)

    def test_pooled_tests_have_one_accuracy(self):
        fit = fitted("tg-a-p", two_tests(HUI_WALTER))
        assert fit.log_likelihood.ratings == pytest.approx(-1208.868570, abs=1e-6)
        assert (values(fit)["a"], values(fit)["p"]) == pytest.approx((0.956179, 0.257751), abs=1e-6)


def log_likelihood_by_hand(ratings, space, point, group_of_case, unit_of_rating):
    total = 0.0
    rates, truth = point.rating_rates(), point.truth.reshape(-1, space.classes)
    for i in range(len(ratings.subjects)):
        mine = np.flatnonzero(ratings.subject == i)
        joint = truth[group_of_case[i] if truth.shape[0] > 1 else 0].copy()
        for m in mine:
            joint *= rates[unit_of_rating[m] if rates.shape[0] > 1 else 0, :, ratings.category[m]]
        total += np.log(joint.sum())
    return total


@pytest.mark.parametrize("row", GROUP_MODELS, ids=lambda row: row.name)
@pytest.mark.parametrize("classes", [2, 3])
def test_the_likelihood_is_that_of_every_case_by_itself(row, classes):
    ratings = drawn(7, classes=classes, cases=25)
    plan = design(of_groups(row.name), ratings)
    space, rng = plan.space, np.random.default_rng(3)
    accuracy = rng.uniform(0.2, 0.9, (1, *space.accuracy_shape))
    guessing = rng.dirichlet(np.ones(classes), (1, *space.guessing_shape[:2]))
    stack = space.settle(space.point(rng.dirichlet(np.ones(classes), (1, *space.truth_shape[:-1])), accuracy, guessing))
    group = np.array([plan.groups.index(v) for v in ratings.covariates["ward"].values])
    of_rating = group[ratings.subject]
    if row.ratings_by_group and row.by_rater:
        unit = np.unique(ratings.rater * len(plan.groups) + of_rating, return_inverse=True)[1]
    else:
        unit = of_rating if row.ratings_by_group else ratings.rater
    found = space.evidence(plan.patterns).expect(stack).log_likelihood[0]
    assert found == pytest.approx(log_likelihood_by_hand(ratings, space, stack.one(0), group, unit), abs=1e-9)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_larger_model_never_fits_worse_and_everything_of_its_own_is_as_if_alone(seed):
    ratings = drawn(seed)
    level = {name: fitted(name, ratings).log_likelihood.ratings for name in ("t-a-p", *(m.name for m in GROUP_MODELS))}
    for small, large in (
        ("t-a-p", "tg-a-p"), ("t-a-p", "t-ag-p"), ("t-a-p", "t-a-pg"), ("tg-a-p", "tg-ag-p"), ("t-ag-p", "tg-ag-p"),
        ("tg-a-p", "tg-aj-p"), ("tg-aj-p", "tg-aj-pj"), ("tg-aj-pj", "tg-dawid-skene"), ("tg-ag-p", "tg-ag-pg"),
        ("tg-a-p", "tg-a-pj"), ("tg-a-pj", "tg-aj-pj"),
        ("t-ag-p", "t-ajg-p"), ("tg-a-pg", "tg-ag-pg"), ("t-ag-p", "t-ag-pg"),
    ):  # fmt: skip
        assert level[small] <= level[large] + 1e-6, (small, large)
    own = ratings.covariates["ward"].values[ratings.subject]
    alone = sum(fitted("t-a-p", ratings.keep(own == g)).log_likelihood.ratings for g in ("a", "b", "c"))
    assert level["tg-ag-pg"] == pytest.approx(alone, abs=1e-6)


IDENTIFIED_BY_TWO = {"tg-a-p", "tg-a-pj", "t-ag-p", "tg-aj-p", "tg-aj-pj", "t-ajg-p", "tg-dawid-skene"}


@pytest.mark.parametrize("row", GROUP_MODELS, ids=lambda row: row.name)
def test_what_two_ratings_and_two_groups_can_tell(row):
    two = drawn(5, raters=2, groups=("a", "b"))
    assert verdict(of_groups(row.name), two).by_design == (row.name in IDENTIFIED_BY_TWO)
    if "j" not in row.name and "skene" not in row.name:
        assert verdict(of_groups(row.name), drawn(5, classes=3, raters=2, groups=("a", "b"))).by_design


def test_ratings_of_a_group_of_their_own_are_a_group_of_ratings():
    ratings = drawn(3)
    rounds = np.where(np.arange(ratings.subject.size) % 3 == 0, "first", "second")
    ratings = with_groups(ratings, rounds, CovariateOf.RATING)
    assert fitted("t-ag-p", ratings).estimates
    with pytest.raises(UsageError, match="Ratings of one case, such as 0, are of several groups of 'ward'"):
        fitted("tg-a-p", ratings)


def test_numbers_name_groups_in_their_order():
    ratings = with_groups(drawn(3), [2010.0 if i % 3 else 999.0 for i in range(60)])
    assert design(of_groups("tg-a-p"), ratings).groups == ("999", "2010")


@pytest.mark.parametrize(
    ("values_of", "column", "sentence"),
    [
        (["a", "b"] * 30, "", "Name their column with --by COL"),
        (["a", "b"] * 30, "site", "There is no column 'site'"),
        (["a", ""] * 30, "ward", "The column 'ward' has gaps"),
        (["a"] * 60, "ward", "All ratings are of one group"),
    ],
)
def test_groups_that_cannot_be_are_refused_in_a_sentence(values_of, column, sentence):
    ratings = with_groups(drawn(3), values_of)
    with pytest.raises(UsageError) as error:
        design(of_groups("tg-a-p", column), ratings)
    assert sentence in f"{error.value.what} {error.value.fix}"


def test_data_are_simulated_with_the_truth_of_each_group():
    ratings = drawn(3, cases=4000)
    plan = design(of_groups("tg-a-p"), ratings)
    rates = np.array([[[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]]])
    point = plan.space.point(rates, np.array([0.8]), np.array([[0.5, 0.5]])).one(0)
    _made, truth = simulate_like(ratings, plan.space.model, point, 5)
    group = np.array([plan.groups.index(v) for v in ratings.covariates["ward"].values])
    share = np.bincount(group, truth) / np.bincount(group)
    assert share == pytest.approx([0.1, 0.5, 0.8], abs=0.045)


@pytest.mark.parametrize("interval", ["profile", "bootstrap", "parametric-bootstrap"])
def test_every_number_has_its_interval(interval):
    fit = finish(analyse(drawn(2), Request(of_groups("tg-aj-p"), interval=interval, replicates=60, subjects=True)))
    for e in fit.estimates:
        assert e.estimate.low <= e.estimate.value <= e.estimate.high
        assert e.estimate.high - e.estimate.low > 0.01
    assert fit.subject_posterior.shape == (60, 2)


def test_a_posterior_of_groups_lies_where_the_likelihood_does():
    ratings = drawn(4, groups=("a", "b"), cases=200)
    belief = values(finish(analyse(ratings, Request(of_groups("tg-a-p"), estimator="posterior", draws=300))))
    best = values(finish(analyse(ratings, Request(of_groups("tg-a-p"), interval="none"))))
    assert belief == pytest.approx(best, abs=0.06)


def test_the_order_of_cases_and_groups_changes_nothing():
    ratings = drawn(6)
    order = np.random.default_rng(1).permutation(60)
    place = np.argsort(order)
    rows = np.argsort(place[ratings.subject], kind="stable")
    turned = Ratings.of(
        place[ratings.subject][rows], ratings.rater[rows], ratings.category[rows],
        [ratings.subjects[i] for i in order], ratings.raters, ratings.classes,
    )  # fmt: skip
    turned = with_groups(turned, ratings.covariates["ward"].values[order])
    one, other = fitted("tg-aj-p", ratings), fitted("tg-aj-p", turned)
    assert values(one) == pytest.approx(values(other), abs=1e-6)
    assert one.log_likelihood.ratings == pytest.approx(other.log_likelihood.ratings, abs=1e-9)
    plan = design(of_groups("tg-aj-p"), ratings)
    score = plan.space.tally(plan.space.evidence(plan.patterns).expect(Stack.of([one.parameters])))
    assert score.truth.sum() == pytest.approx(60)


def test_leanings_of_raters_and_the_classes_of_groups_are_found_together():
    """Groups that differ in what is true, raters who only lean differently: a model in between tells it."""
    blank = drawn(3, cases=6000, raters=4, groups=("a", "b"))
    plan = design(of_groups("tg-a-pj"), blank)
    leanings = np.array([0.2, 0.4, 0.6, 0.8])
    rates = np.array([[[0.8, 0.2], [0.4, 0.6]]])
    guesses = np.stack([1 - leanings, leanings], axis=1)[None, :, None]
    point = plan.space.point(rates, np.array([0.7]), guesses).one(0)
    made, _truth = simulate_like(blank, plan.space.model, point, 5)
    fit = fitted("tg-a-pj", made)
    found = {str(e.name): e.estimate.value for e in fit.estimates}
    assert found["a"] == pytest.approx(0.7, abs=0.03)
    assert [found[f"t[{group}]"] for group in plan.groups] == pytest.approx([0.2, 0.6], abs=0.04)
    assert [found[f"p[{rater}]"] for rater in made.raters] == pytest.approx(leanings.tolist(), abs=0.06)
