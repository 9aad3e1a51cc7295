"""The likelihood of every member of the grid by brute force, and that a larger model never fits worse than a smaller.

The likelihood here knows only the numbers as users read them: it goes through the cases in plain loops, over every true
class, and where cases differ over every accuracy, lean of the guesses or difficulty a case may have (Gauss's rules,
exact for such products, or the points that the model itself is told by).
"""

from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from math import exp, log

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import roots_jacobi

from tapdesk.errors import TapdeskError
from tapdesk.fitting.em import ExactEM
from tapdesk.models.design import design
from tapdesk.models.model import GRID_MODELS, MODELS, Key, Ordered, Truth, model
from tapdesk.models.space import line
from tapdesk.progress import finish
from tapdesk.studies.grid_panels import COLUMN, KEY, KNOWN, MEMBERS, grid_panel, point_on

NAMES = [name for name in MEMBERS if name != KNOWN]
OF_CASES = {"t-ah-p", "t-ai-p", "t-a-pi"}


def drawn(name, seed, cases):
    """A panel of some ratings, a fifth of them missing, and a model with numbers anywhere."""
    panel, rng = grid_panel(name, cases), np.random.default_rng(seed)
    blank = panel.blank
    kept = rng.random(blank.subject.size) < 0.8
    kept[np.unique(blank.subject, return_index=True)[1]] = True
    blank = blank.keep(kept)
    category = rng.integers(0, len(blank.classes), blank.subject.size).astype(np.int64)
    ratings = replace(blank, category=category)
    plan = design(panel.model, ratings)
    start = point_on(plan)
    free = line(plan.space, start)
    place = free.coordinates(start)
    point = free.points((place + rng.normal(0, 0.6, place.size))[None])
    return ratings, plan, point


class Numbers:
    """The numbers of a model, by the names under which they are reported."""

    def __init__(self, plan, stack, classes):
        self.classes = classes
        self.rows = {
            (n.name, n.category, n.rater, n.rated, n.group, n.cut): float(slot.column(stack)[0])
            for slot in plan.slots
            for n in (slot.name,)
        }

    def one(self, name, *, category=None, rater=None, rated=None, group=None, cut=None):
        """A number of that name, with what it is told apart by as far as it is."""
        for who in (rater, None):
            for where in (group, None):
                key = (name, category, who, rated, where, cut)
                if key in self.rows:
                    return self.rows[key]
        raise KeyError((name, category, rater, rated, group, cut))

    def shares(self, name, **by):
        """Shares of all classes; of two only that of the last is reported."""
        if len(self.classes) == 2:
            last = self.one(name, **by)
            return [1 - last, last]
        return [self.one(name, category=c, **by) for c in self.classes]


def chances(numbers, row, rater, group):
    """Probabilities of each given class, by true class, from the reported numbers; cases are alike."""
    classes = numbers.classes
    k_of = range(len(classes))
    if row.ordered is not Ordered.NONE:
        d = numbers.one("d", rater=rater)
        cuts = [numbers.one("tau", rater=rater, cut=f"{a}|{b}") for a, b in pairwise(classes)]
        below = [[0.0, *(1 / (1 + exp(-(tau - d * k))) for tau in cuts), 1.0] for k in k_of]
        return [[b - a for a, b in pairwise(one)] for one in below]
    if row.name.endswith("dawid-skene"):
        return [[numbers.one("pi", category=classes[k], rater=rater, rated=c) for c in classes] for k in k_of]
    a, p = numbers.one("a", rater=rater, group=group), numbers.shares("p", rater=rater, group=group)
    if not row.near:
        return [[a * (c == k) + (1 - a) * p[c] for c in k_of] for k in k_of]
    n, rates = numbers.one("n"), []
    for k in k_of:
        beside = [c for c in (k - 1, k + 1) if c in k_of]
        rates.append([a * (c == k) + (1 - a) * (n * (c in beside) / len(beside) + (1 - n) * p[c]) for c in k_of])
    return rates


def beta_rule(first, second):
    """Points and weights of a beta law, exact for products of up to 59 factors."""
    x, w = roots_jacobi(30, second - 1, first - 1)
    return list(zip(((x + 1) / 2).tolist(), (w / w.sum()).tolist(), strict=True))


@cache
def normal_rule():
    """The 41 points of the model (models_more.md §3); `test_difficulty` holds them against an integral."""
    z, w = np.polynomial.hermite_e.hermegauss(41)
    return z, w / w.sum()


@cache
def middle(accuracy, sigma):
    """The logit whose mean accuracy over all difficulties is this one."""
    z, w = normal_rule()
    return brentq(lambda alpha: float(w @ (1 / (1 + np.exp(sigma * z - alpha)))) - accuracy, -60, 60, xtol=1e-13)


def of_a_case(given_, numbers, row, group):
    """The probability of the ratings of one case, by true class: pairs of rater and class in the order of time."""
    classes, result = range(len(numbers.classes)), []
    for k in classes:
        if row.name in OF_CASES:
            result.append(of_a_case_that_differs(given_, numbers, row.name, k))
        elif row.name.startswith("t-aij"):
            z, w = normal_rule()
            density, sigma = w.copy(), numbers.one("sigma")
            for rater, c in given_:
                a = 1 / (1 + np.exp(sigma * z - middle(numbers.one("a", rater=rater), sigma)))
                density = density * (a * (c == k) + (1 - a) * numbers.shares("p", rater=rater)[c])
            result.append(float(density.sum()))
        else:
            level, last = 1.0, {}
            for rater, c in given_:
                chance = chances(numbers, row, rater, group)[k][c]
                if row.memory and rater in last:
                    m = numbers.one("m", rater=rater)
                    chance = m * (last[rater] == c) + (1 - m) * chance
                last[rater] = c
                level *= chance
            result.append(level)
    return result


def of_a_case_that_differs(given_, numbers, name, k):
    """The same where cases differ besides their truth, of two classes."""
    a, p = numbers.one("a"), numbers.shares("p")
    if name == "t-ah-p":
        h, easy, hard = numbers.one("h"), 1.0, 1.0
        for _rater, c in given_:
            easy, hard = easy * (a * (c == k) + (1 - a) * p[c]), hard * p[c]
        return (1 - h) * easy + h * hard
    rho = numbers.one("rho")
    spread, total = (1 - rho) / rho, 0.0
    for x, w in beta_rule(*((a * spread, (1 - a) * spread) if name == "t-ai-p" else (p[1] * spread, p[0] * spread))):
        own, guess = (x, p) if name == "t-ai-p" else (a, [1 - x, x])
        level = w
        for _rater, c in given_:
            level *= own * (c == k) + (1 - own) * guess[c]
        total += level
    return total


def by_brute_force(ratings, plan, stack, row):
    numbers = Numbers(plan, stack, ratings.classes)
    groups = ratings.covariates[COLUMN].values if row.by_group else [None] * len(ratings.subjects)
    key = ratings.covariates[KEY].values if row.key is not Key.UNUSED else [""] * len(ratings.subjects)
    turns = ratings.covariates[COLUMN].values if row.memory else np.zeros(ratings.subject.size)
    total = 0.0
    for i in range(len(ratings.subjects)):
        own = sorted(np.flatnonzero(ratings.subject == i), key=lambda m: turns[m])
        given_ = [(ratings.raters[ratings.rater[m]], int(ratings.category[m])) for m in own]
        truth = numbers.shares("t", group=groups[i])
        each = of_a_case(given_, numbers, row, groups[i])
        if key[i]:
            total += log(each[ratings.classes.index(key[i])])
        else:
            total += log(sum(t * one for t, one in zip(truth, each, strict=True)))
    return total


@pytest.mark.parametrize("name", MEMBERS)
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10**6), st.integers(8, 14))
def test_the_likelihood_is_the_sum_over_all_that_may_be_true(name, seed, cases):
    ratings, plan, point = drawn(name, seed, cases)
    found = plan.space.evidence(plan.patterns).expect(point).log_likelihood[0]
    assert found == pytest.approx(by_brute_force(ratings, plan, point, plan.space.model), abs=1e-8)


def parts(name):
    """What a model lets differ, as the letters behind t, a and p."""
    t, a, p = name.split("-")[:3]
    return t[1:], a[1:], p[1:]


LETTERS = [n for n in (*NAMES, *(m.name for m in MODELS)) if n.count("-") == 2 and n[0] == "t"]
LETTERS = [n for n in LETTERS if "+" not in n and not n.startswith("ti") and n not in {"t-a-t", "t-a(x)-p"}]
PAIRS = sorted(
    (small, large)
    for small, large in product(LETTERS, LETTERS)
    if small != large and all(set(one) <= set(other) for one, other in zip(parts(small), parts(large), strict=True))
    if not set("ihn01k") & set(small + large)
)
"""Of models of groups and raters: the letters of one are among those of the other."""
PAIRS += [("t-a-p", name) for name in sorted(OF_CASES)] + [("t-a-p", "t-an-p")]
PAIRS += [("t-aj-p", "t-aij-p"), ("t-aj-pj", "t-aij-pj"), ("t-aij-p", "t-aij-pj")]
PAIRS += [("sdt-1", "sdt-d"), ("sdt-1", "sdt-tau"), ("sdt-d", "sdt"), ("sdt-tau", "sdt"), ("sdt", "dawid-skene")]
PAIRS += [("t-aj-p", "t-aj-p+m"), ("t-aj-pj", "t-aj-pj+m"), ("t-aj-p+m", "t-aj-pj+m")]
PAIRS += [("tg-aj-pj", "tg-dawid-skene"), ("dawid-skene", "tg-dawid-skene"), ("t-aj-pj", "dawid-skene")]
LONG = {"t-aij-p", "t-aij-pj", "t-ai-p", "t-a-pi", "sdt", "sdt-d", "sdt-tau", "dawid-skene", "tg-dawid-skene"}
LARGE = sorted({large for _small, large in PAIRS})


@pytest.mark.parametrize("large", [pytest.param(n, marks=pytest.mark.slow) if n in LONG else n for n in LARGE])
@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10**6))
def test_a_larger_model_never_fits_worse_on_any_design(large, seed):
    of = large if large in NAMES else "tg-aj-pj"
    ratings = drawn(of if large != "dawid-skene" else "sdt", seed, 24)[0]
    level = {}
    for name in (large, *(small for small, other in PAIRS if other == large)):
        row = model(name, GRID_MODELS)
        row = replace(row, groups=COLUMN if row.by_group else "", occasions=COLUMN if row.memory else "")
        try:
            level[name] = finish(ExactEM().run(row, ratings, 1)).log_likelihood.ratings
        except TapdeskError:
            assert row.truth is not Truth.FREE
    assert len(level) > 1
    assert all(level[small] <= level[large] + 1e-5 for small in level), level


def test_every_member_is_proved():
    assert {name for pair in PAIRS for name in pair} >= set(NAMES)
