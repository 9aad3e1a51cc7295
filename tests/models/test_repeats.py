"""Raters who rate a case again (models_more.md §6): the published example, a likelihood by hand, laws, refusals."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapdesk.errors import UsageError
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.identification import verdict
from tapdesk.models.design import design
from tapdesk.models.model import MEMORY_MODELS, Key, model
from tapdesk.models.parameters import Stack
from tapdesk.models.simulate import simulate_like
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.ratings.samples import sample
from tapdesk.studies.analysis import Request, analyse


def remembering(name):
    return replace(model(name, MEMORY_MODELS), occasions="day")


def on_days(ratings, days, of=CovariateOf.RATING):
    column = Covariate("day", of, np.array(days, dtype=object))
    return replace(ratings, covariates=MappingProxyType({**ratings.covariates, "day": column}))


def in_file_order(ratings):
    """Each rating of a case by one rater on a day of its own, as they stand."""
    rows = np.lexsort((np.arange(ratings.rater.size), ratings.rater, ratings.subject))
    code = ratings.subject[rows].astype(np.int64) * len(ratings.raters) + ratings.rater[rows]
    first = np.searchsorted(code, code)
    day = np.empty(rows.size, dtype=int)
    day[rows] = np.arange(rows.size) - first + 1
    return on_days(ratings, day)


def drawn(seed, *, cases=60, raters=3, classes=2, times=(3, 2, 1), memory=(0.5, 0.2), accuracy=0.6):
    """A panel whose raters see every case several times and sometimes repeat themselves."""
    rows = [(i, j) for i in range(cases) for j in range(raters) for _turn in range(times[j])]
    subject, rater = np.array(rows).T
    blank = Ratings.of(
        subject, rater, np.arange(len(rows)) % classes, [f"S{i}" for i in range(cases)],
        [f"R{j}" for j in range(raters)], [f"c{k}" for k in range(classes)],
    )  # fmt: skip
    ratings = in_file_order(blank)
    row = remembering("t-aj-p+m")
    space = design(row, ratings).space
    even = np.full((1, classes), 1 / classes)
    point = space.point(even, np.full((1, raters, 1), accuracy), even).one(0)
    return simulate_like(ratings, row, replace(point, spread=np.array(memory)), seed)[0]


def once(ratings):
    """Only the first rating of each case by each rater."""
    return ratings.keep(np.array([str(v) == "1" for v in ratings.covariates["day"].values]))


def fitted(row, ratings):
    return finish(ExactEM().run(row, ratings, 1))


def values(fit):
    return {str(e.name): e.estimate.value for e in fit.estimates}


def test_the_anaesthetist_who_judged_three_times_has_the_published_memory():
    ratings = in_file_order(read_now("sample:dawid-skene-1979", sample("dawid-skene-1979").options).ratings)
    plain = fitted(model("t-aj-pj"), ratings)
    fit = fitted(remembering("t-aj-pj+m"), ratings)
    assert plain.log_likelihood.ratings == pytest.approx(-230.684181, abs=1e-6)
    assert fit.log_likelihood.ratings == pytest.approx(-229.706081, abs=1e-6)
    assert fit.free == plain.free + 1
    (memory,) = (e for e in fit.estimates if e.name.name == "m")
    assert memory.name.rater == ratings.raters[0]
    assert memory.estimate.value == pytest.approx(0.149, abs=5e-4)


def by_hand(ratings, point, raters_with_memory, order):
    """Every case by itself, every rating after the one before it."""
    rates, total = point.rating_rates(), 0.0
    for i in range(len(ratings.subjects)):
        joint = point.truth.copy()
        for j in range(len(ratings.raters)):
            mine = np.flatnonzero((ratings.subject == i) & (ratings.rater == j))
            mine = mine[np.argsort(order[mine])]
            m = point.spread[raters_with_memory.index(j)] if j in raters_with_memory else 0.0
            pi = rates[min(j, rates.shape[0] - 1)]
            for n, row in enumerate(mine):
                c = int(ratings.category[row])
                fresh = pi[:, c]
                copy = n > 0 and ratings.category[mine[n - 1]] == c
                joint = joint * (fresh if n == 0 else m * copy + (1 - m) * fresh)
        total += np.log(joint.sum())
    return total


def random_points(plan, seed, count=3):
    space, rng = plan.space, np.random.default_rng(seed)
    k = space.classes
    accuracy = rng.uniform(0.2, 0.9, (count, *space.accuracy_shape))
    guessing = rng.dirichlet(np.ones(k), (count, *space.guessing_shape[:2]))
    stack = space.point(rng.dirichlet(np.ones(k), count), accuracy, guessing)
    return replace(stack, spread=rng.uniform(0.05, 0.9, stack.spread.shape))


@pytest.mark.parametrize("row", MEMORY_MODELS, ids=lambda row: row.name)
@pytest.mark.parametrize("classes", [2, 4])
def test_the_likelihood_is_that_of_every_case_by_itself(row, classes):
    ratings = drawn(3, cases=15, classes=classes)
    rng = np.random.default_rng(8)
    days = rng.permutation(ratings.rater.size)
    plan = design(remembering(row.name), on_days(ratings, days))
    stack = random_points(plan, 5)
    found = plan.space.evidence(plan.patterns).expect(stack).log_likelihood
    for b in range(stack.size):
        assert found[b] == pytest.approx(by_hand(ratings, stack.one(b), [0, 1], days), abs=1e-9)


def test_known_classes_are_known_of_repeats_as_well():
    ratings = drawn(4, cases=12)
    key = Covariate("key", CovariateOf.SUBJECT, np.array(["c1", "c0", *[""] * 10], dtype=object))
    ratings = replace(ratings, covariates=MappingProxyType({**ratings.covariates, "key": key}), known="key")
    plan = design(replace(remembering("t-aj-p+m"), key=Key.INFORMING), ratings)
    (point,) = (random_points(plan, 2, 1).one(0),)
    every = 0.0
    for i in range(12):
        one = ratings.keep(ratings.subject == i)
        order = np.array([float(v) for v in one.covariates["day"].values])
        known = {0: 1, 1: 0}.get(i)
        truth = point.truth if known is None else np.where(np.arange(2) == known, point.truth, 0.0)
        every += by_hand(one, replace(point, truth=truth), [0, 1], order)
    found = plan.space.evidence(plan.patterns).expect(Stack.of([point])).log_likelihood[0]
    assert found == pytest.approx(every, abs=1e-9)


@pytest.mark.parametrize("row", MEMORY_MODELS, ids=lambda row: row.name)
def test_the_slope_is_that_of_the_likelihood(row):
    from tapdesk.models.space import line

    plan = design(remembering(row.name), drawn(6, cases=30, classes=3))
    evidence = plan.space.evidence(plan.patterns)
    way = line(plan.space, random_points(plan, 7, 1).one(0))
    at = way.coordinates(way.origin)
    stack = way.points(at[None])
    (slope,) = way.score(plan.space.tally(evidence.expect(stack)), stack)
    step = 1e-5 * np.eye(at.size)
    ahead, behind = (evidence.expect(way.points(at + s * step)).log_likelihood for s in (1, -1))
    assert slope == pytest.approx((ahead - behind) / 2e-5, abs=1e-4)


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 1000))
def test_memory_never_fits_worse_and_none_is_the_plain_model(seed):
    ratings = drawn(seed, cases=30)
    for name in ("t-aj-p", "t-aj-pj"):
        plain = fitted(model(name), ratings)
        assert fitted(remembering(f"{name}+m"), ratings).log_likelihood.ratings >= (plain.log_likelihood.ratings - 1e-6)
        plan = design(remembering(f"{name}+m"), ratings)
        point = replace(plain.parameters, spread=np.zeros(2))
        level = plan.space.evidence(plan.patterns).expect(Stack.of([point])).log_likelihood[0]
        assert level == pytest.approx(plain.log_likelihood.ratings, abs=1e-8)


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 1000))
def test_occasions_in_reverse_say_the_same_and_in_another_order_not(seed):
    ratings = drawn(seed, cases=25, classes=3)
    day = np.array([float(v) for v in ratings.covariates["day"].values])
    levels = []
    for days in (day, -day, np.where(day < 3, 3 - day, day)):
        plan = design(remembering("t-aj-p+m"), on_days(ratings, days))
        levels.append(plan.space.evidence(plan.patterns).expect(random_points(plan, 3, 1)).log_likelihood[0])
    assert levels[1] == pytest.approx(levels[0], abs=1e-9)
    assert levels[2] != pytest.approx(levels[0], abs=1e-6)


def test_numbers_come_back():
    fit = fitted(remembering("t-aj-p+m"), drawn(2, cases=1500))
    truth = {"t": 0.5, "p": 0.5, "m[R0]": 0.5, "m[R1]": 0.2} | {f"a[R{j}]": 0.6 for j in range(3)}
    for e in fit.estimates:
        assert e.estimate.se < 0.06
        assert e.estimate.value == pytest.approx(truth[str(e.name)], abs=3 * e.estimate.se)


def test_copies_that_pass_for_fresh_answers_look_like_skill():
    ratings = drawn(5, cases=800, memory=(0.8, 0.0))
    plain, own = values(fitted(model("t-aj-p"), ratings)), values(fitted(remembering("t-aj-p+m"), ratings))
    assert plain["a[R0]"] > own["a[R0]"] + 0.05
    assert own["a[R0]"] == pytest.approx(0.6, abs=0.08)


@pytest.mark.parametrize("interval", ["profile", "wald", "bootstrap", "parametric-bootstrap"])
def test_every_number_has_its_interval(interval):
    request = Request(remembering("t-aj-p+m"), interval=interval, replicates=40, subjects=True)
    fit = finish(analyse(drawn(3, cases=250, memory=(0.5, 0.4)), request))
    for e in fit.estimates:
        assert e.estimate.low <= e.estimate.value <= e.estimate.high
    assert fit.subject_posterior.shape == (250, 2)


def test_a_posterior_of_memory_lies_where_the_likelihood_does():
    ratings = drawn(3, cases=300)
    row = remembering("t-aj-p+m")
    belief = values(finish(analyse(ratings, Request(row, estimator="posterior", draws=300))))
    assert belief == pytest.approx(values(fitted(row, ratings)), abs=0.08)


def test_one_rater_alone_cannot_show_whether_sameness_is_memory_or_skill():
    assert verdict(remembering("t-aj-p+m"), drawn(1)).by_design
    assert verdict(remembering("t-aj-p+m"), drawn(1, raters=2, times=(2, 1), memory=(0.3,))).by_design
    assert not verdict(remembering("t-aj-p+m"), drawn(1, raters=1, times=(2,), memory=(0.3,))).by_design


def test_raters_in_another_order_are_the_same_raters():
    ratings = drawn(9, cases=120)
    turned = replace(ratings, rater=2 - ratings.rater, raters=ratings.raters[::-1])
    row = remembering("t-aj-pj+m")
    assert values(fitted(row, turned)) == pytest.approx(values(fitted(row, ratings)), abs=1e-5)


@pytest.mark.parametrize(
    ("ratings", "column", "what", "fix"),
    [
        (
            once(drawn(1)),
            "day",
            "No rater rated a case more than once, so there is no answer to remember.",
            "Choose the model without +m.",
        ),
        (
            drawn(1),
            "",
            "Nothing says in which order a rater rated a case again.",
            "Name the column of the date or round of each rating with --occasion COL.",
        ),
        (
            on_days(drawn(1), [1] * 60, CovariateOf.SUBJECT),
            "day",
            "The column 'day' is the same for all ratings of a case, so it orders no repeats.",
            "Name the column of the date or round of each rating with --occasion COL.",
        ),
        (
            on_days(drawn(1), [1] * 360),
            "day",
            "'day' is the same for two ratings of S0 by R0, so their order is not known.",
            "Correct the column, or choose the model without +m.",
        ),
        (
            on_days(drawn(1), ["", *range(1, 360)]),
            "day",
            "The column 'day' has gaps where cases are rated again, so their order is not known.",
            "Fill it for every repeat, or choose the model without +m.",
        ),
    ],
)
def test_repeats_that_cannot_be_followed_are_refused_in_a_sentence(ratings, column, what, fix):
    with pytest.raises(UsageError) as error:
        design(replace(remembering("t-aj-p+m"), occasions=column), ratings)
    assert (str(error.value.what), str(error.value.fix)) == (what, fix)
