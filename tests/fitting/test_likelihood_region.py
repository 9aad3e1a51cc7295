"""What the numbers do to a single rating has profile intervals, also on the edge (models.md §3, §5.4)."""

import numpy as np
import pytest

from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.likelihood_region import _falls_aside, _from_inside, extremes
from tapdesk.fitting.profile import _numbers, _share_of, held_maxima
from tapdesk.models.design import design
from tapdesk.models.model import ORDERED_MODELS, model
from tapdesk.models.parameters import Parameters
from tapdesk.models.simulate import simulate, simulate_like
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.grid_panels import blank_panel, point_on

DROP = 1.920729  # half the 95 % point of chi-square with one degree of freedom
EXACT = 3.688879  # minus the logarithm of .025: the exact bound of a rate of which no event was seen


def counts_of(ones: list[int], raters: int) -> Ratings:
    """Two classes: ``ones[k]`` cases of which k ratings say yes."""
    rows = [k for k, cases in enumerate(ones) for _ in range(cases)]
    subject = np.repeat(np.arange(len(rows)), raters)
    category = np.concatenate([[0] * (raters - k) + [1] * k for k in rows])
    return Ratings(
        subject=subject,
        rater=np.tile(np.arange(raters), len(rows)),
        category=category,
        subjects=tuple(f"c{i}" for i in range(len(rows))),
        raters=tuple(f"R{j}" for j in range(raters)),
        classes=("no", "yes"),
        raters_known=False,
    )


def brute_force(ones: list[int], raters: int, top: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """The hull of mu1 and of mu0 within the region, by a grid over (t, mu1, mu0 <= mu1).

    The region of a rate goes down to the exact bound of "no event" where its edge is the maximum (`two_rates`).
    """
    grid, truths, k = np.linspace(0, 1, 201), np.linspace(0, 1, 151), np.arange(raters + 1)
    rates, weight = np.clip(grid, 1e-12, 1 - 1e-12), np.array(ones, float)
    chance = rates[:, None] ** k * (1 - rates[:, None]) ** (raters - k)
    at_high, at_low = np.full(grid.size, -np.inf), np.full(grid.size, -np.inf)
    for i in range(grid.size):
        mixed = truths[:, None, None] * chance[i] + (1 - truths)[:, None, None] * chance[: i + 1]
        level = (np.log(np.maximum(mixed, 1e-300)) @ weight).max(axis=0)
        at_high[i] = level.max()
        at_low[: i + 1] = np.maximum(at_low[: i + 1], level)
    ends = []
    for level, edge in ((at_high, -1), (at_low, 0)):
        inside = grid[level >= top - max(DROP, EXACT - (top - level[edge]))]
        ends.append((float(inside.min()), float(inside.max())))
    return ends[0], ends[1]


@pytest.mark.parametrize(
    ("ones", "why"),
    [
        ([34, 0, 1, 15], "one rating differs (50 cases, 3 raters): re-draws gave 100 to 100"),
        ([70, 0, 0, 30], "nobody ever differs"),
        ([8, 7, 8, 7], "hardly any knowledge"),
        ([20, 9, 5, 9, 17, 40], "five raters, inside"),
        ([40, 25, 5, 1], "rare truth: the region has an arm at t = 1"),
    ],
)
def test_the_two_shares_reach_as_far_as_the_likelihood(ones, why):
    raters = len(ones) - 1
    fit = finish(analyse(counts_of(ones, raters), Request(model("t-a-p"))))
    shares = {share.truth: share for share in fit.shares}
    if not fit.rates_known:
        assert not shares, why
        return
    for truth, (low, high) in zip(("yes", "no"), brute_force(ones, raters, fit.log_likelihood.ratings), strict=True):
        share = shares[truth]
        # The grid's own step is 0.005, and its points lie inside the region.
        assert low - 0.0055 <= share.low <= low + 1e-3, why
        assert high - 1e-3 <= share.high <= high + 0.0055, why
        assert share.low <= share.value <= share.high


def test_one_differing_rating_is_no_proof_of_perfection():
    fit = finish(analyse(counts_of([34, 0, 1, 15], 3), Request(model("t-a-p"))))
    sensitivity = next(share for share in fit.shares if share.truth == "yes")
    assert sensitivity.value > 0.97
    assert sensitivity.low == pytest.approx(0.90, abs=0.03)
    assert sensitivity.high > sensitivity.low + 0.05


@pytest.mark.parametrize(("name", "classes"), [("t-a-p", 2), ("t-a-t", 2), ("t-a-p", 3)])
def test_of_a_parameter_it_is_the_profile_interval(name, classes):
    wanted = model(name)
    labels = tuple("abc"[:classes])
    truth = np.array([0.5, 0.3, 0.2])[:classes]
    guess = truth if name == "t-a-t" else np.array([0.2, 0.3, 0.5])[:classes]
    point = Parameters(truth / truth.sum(), np.array([[0.6]]), (guess / guess.sum())[None, None], np.zeros(0))
    ratings = simulate(wanted, point, labels, ("R1", "R2", "R3", "R4"), 120, 5)[0]
    fit = finish(analyse(ratings, Request(wanted)))
    plan = design(wanted, ratings)
    evidence = plan.space.evidence(plan.patterns)
    quantities = [lambda stack: stack.accuracy[:, 0, 0], lambda stack: stack.truth[:, -1]]
    (a, t) = finish(extremes(plan, evidence, [fit.parameters], fit.log_likelihood.ratings, quantities, 0.95))
    for reach, estimate in ((a, fit.estimate("a")), (t, fit.estimate("t", None if classes == 2 else labels[-1]))):
        assert reach == pytest.approx((estimate.low, estimate.high), abs=2e-4)


@pytest.mark.parametrize("name", ["t-a-p", "t-a-t", "t-ak-p", "P-a-P"])
def test_several_classes_have_the_share_that_names_the_truth(name):
    fit = finish(analyse(read_now("sample:dawid-skene-1979").ratings, Request(model(name))))
    (share,) = fit.shares
    rates = fit.parameters.rating_rates()[0]
    assert share.truth is None
    assert share.value == pytest.approx(float(fit.parameters.truth @ np.diagonal(rates)))
    assert 0.01 < share.high - share.low < 0.3
    assert share.low < share.value < share.high


@pytest.mark.parametrize("name", ["sdt-1", "sdt-tau"])
def test_newtons_steps_from_inside_end_where_the_profile_meets_the_floor(name):
    row, blank = model(name, ORDERED_MODELS), blank_panel(200, 4, 3)
    ratings = simulate_like(blank, row, point_on(design(row, blank)), np.random.SeedSequence(1))[0]
    fit = finish(ExactEM().run(row, ratings, 1))
    plan = design(row, ratings)
    evidence, floor = plan.space.evidence(plan.patterns), fit.log_likelihood.ratings - DROP
    for slot in plan.slots[:: max(len(plan.slots) // 4, 1)]:
        ends = [_from_inside(plan, evidence, fit.parameters, _share_of(slot), sign, floor) for sign in (1.0, -1.0)]
        held = np.array([_numbers(slot, slot.value(fit.parameters), (end.value,) * 2)[0] for end in ends])
        assert held[0] < slot.value(fit.parameters) < held[1]
        levels = finish(held_maxima(plan, evidence, [fit.parameters], [slot], np.zeros(2, int), held, (0, 2)))
        assert levels == pytest.approx([floor, floor], abs=1e-4)


def test_a_pass_between_two_ends_is_no_end():
    # The log-likelihood -x^2 - y^2 + 2 z^2 falls to one side of the way up along x, and rises to the other.
    bend = np.diag([2.0, 2.0, -4.0])
    assert not _falls_aside(bend, np.array([1.0, 0.0, 0.0]))
    assert _falls_aside(bend, np.array([0.0, 0.0, 1.0]))
