"""Intervals: profile, Wald, bootstrap."""

import numpy as np
import pytest

from tapdesk.errors import UsageError
from tapdesk.fitting.em import ExactEM
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.progress import Step, finish
from tapdesk.studies.analysis import Request, analyse
from tests.tables import WINE_CUTS, counted, drawn


def asked(cut: str = "2|3", **more):
    return finish(analyse(counted(WINE_CUTS[cut]), Request(model("t-a-p"), **more)))


def by_brute_force(name: str, value: float) -> float:
    """Best log-likelihood with one parameter held, by a grid over the other two, twice refined."""
    table = np.array(WINE_CUTS["2|3"])
    k = np.arange(5)
    low, high = np.full(3, 1e-4), np.full(3, 1 - 1e-4)
    place = "tap".index(name)
    low[place] = high[place] = value
    best = -np.inf
    for _ in range(14):
        axes = [np.linspace(a, b, 1 if a == b else 21) for a, b in zip(low, high, strict=True)]
        t, a, p = np.meshgrid(*axes, indexing="ij")
        mu1, mu0 = a + (1 - a) * p, (1 - a) * p
        one, nought = (m[..., None] ** k * (1 - m[..., None]) ** (4 - k) for m in (mu1, mu0))
        level = (table * np.log(t[..., None] * one + (1 - t[..., None]) * nought)).sum(axis=-1)
        at = np.unravel_index(level.argmax(), level.shape)
        best = max(best, float(level[at]))
        centre = np.array([axes[i][at[i]] for i in range(3)])
        width = (high - low) / 4
        low, high = np.maximum(centre - width, 1e-6), np.minimum(centre + width, 1 - 1e-6)
        low[place] = high[place] = value
    return best


@pytest.mark.parametrize("name", ["t", "a", "p"])
def test_profile_ends_lie_half_a_chi_square_below_the_top(name: str):
    fit = asked()
    for end in (fit.estimate(name).low, fit.estimate(name).high):
        drop = fit.log_likelihood.ratings - by_brute_force(name, end)
        assert drop == pytest.approx(3.841458820694124 / 2, abs=2e-3)


def test_a_lower_level_gives_a_shorter_interval():
    wide, narrow = asked(level=0.95).estimate("a"), asked(level=0.5).estimate("a")
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high


def test_wald_intervals_are_symmetric_and_absent_on_the_edge():
    a = asked(interval="wald").estimate("a")
    assert a.value - a.low == pytest.approx(a.high - a.value)
    assert a.high - a.low == pytest.approx(2 * 1.959963984540054 * a.se)
    edge = finish(analyse(counted((30, 0, 0, 20)), Request(model("t-a-t"), interval="wald")))
    assert edge.estimate("a").low is None
    assert "edge" in edge.estimate("a").no_interval


def test_bootstrap_intervals_come_from_the_redraws_and_repeat_with_the_seed():
    one = asked("1|2", interval="bootstrap", replicates=300)
    two = asked("1|2", interval="bootstrap", replicates=300)
    other = asked("1|2", interval="bootstrap", replicates=300, seed=2)
    name = one.estimates[1].name
    draws = one.draws.values[name]
    assert draws.shape == (300,)
    assert one.estimate("a").low == pytest.approx(np.quantile(draws, 0.025))
    np.testing.assert_array_equal(draws, two.draws.values[name])
    assert not np.array_equal(draws, other.draws.values[name])


def test_bootstrap_spread_agrees_with_the_standard_error():
    fit = finish(
        analyse(
            drawn(np.random.default_rng(1), (0.5, 0.5), 0.7, (0.4, 0.6), 400, 5),
            Request(model("t-a-p"), replicates=500, redraws=True),
        )
    )
    for e in fit.estimates:
        assert fit.draws.values[e.name].std() == pytest.approx(e.estimate.se, rel=0.2)


def test_redraws_of_named_raters_agree_with_their_standard_errors():
    r = drawn(np.random.default_rng(1), (0.5, 0.5), (0.8, 0.6, 0.5, 0.4), (0.4, 0.6), 400, 4)
    fit = finish(analyse(r, Request(model("t-aj-p"), interval="none", replicates=200, redraws=True)))
    for e in fit.estimates:
        assert fit.draws.values[e.name].std() == pytest.approx(e.estimate.se, rel=0.3)


def test_tied_guessing_has_the_interval_of_the_truth():
    fit = finish(analyse(counted(WINE_CUTS["2|3"]), Request(model("t-a-t"))))
    assert (fit.estimate("t").low, fit.estimate("t").high) == (fit.estimate("p").low, fit.estimate("p").high)


def test_steps_carry_new_points_and_new_redraws():
    steps: list[Step] = []
    fit = finish(
        analyse(counted(WINE_CUTS["1|2"]), Request(model("t-a-p"), replicates=450, redraws=True)), steps.append
    )
    phases = [s.phase for s in steps]
    assert next(p for i, p in enumerate(phases) if i == 0 or p != phases[i - 1]) == "fit"
    assert {"fit", "intervals", "re-draws"} <= set(phases)
    seen = np.concatenate([s.values["draws"][fit.estimates[0].name] for s in steps if "draws" in s.values])
    np.testing.assert_array_equal(seen, fit.draws.values[fit.estimates[0].name])
    best = fit.trace[0]
    points = np.concatenate([s.values["log_likelihood"] for s in steps if s.values.get("start") == best.start])
    np.testing.assert_array_equal(points, best.log_likelihood)


def test_a_run_can_be_dropped_half_way():
    run = analyse(counted(WINE_CUTS["1|2"]), Request(model("t-a-p"), redraws=True))
    for _ in range(5):
        next(run)
    run.close()


def test_subject_probabilities_follow_bayes_rule_averaged_over_what_is_not_known():
    from tests.fitting.test_averaged import by_sum

    r = counted(WINE_CUTS["1|2"])
    fit = finish(analyse(r, Request(model("t-a-p"), interval="none", subjects=True)))
    assert fit.subject_posterior[:, 1] == pytest.approx(by_sum(WINE_CUTS["1|2"], 4, 100, tied=False), abs=4e-3)


@pytest.mark.parametrize("more", [{"interval": "guess"}, {"level": 1.0}, {"level": 0.0}, {"replicates": 0}], ids=str)
def test_impossible_requests_are_refused_with_the_value(more: dict):
    with pytest.raises(UsageError) as caught:
        Request(model("t-a-p"), **more)
    assert str(next(iter(more.values()))) in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize(("t", "a", "p", "n"), [(0.3, 0.5, 0.5, 100), (0.5, 0.7, 0.3, 300)])
def test_profile_intervals_cover_as_often_as_they_say(t: float, a: float, p: float, n: int):
    # models.md §9.5: 93 to 97 % in the named cells, interior fits.
    rng = np.random.default_rng(11)
    inside, tried = np.zeros(3), 0
    while tried < 1000:
        r = drawn(rng, (1 - t, t), a, (1 - p, p), n, 5)
        fit = finish(analyse(r, Request(model("t-a-p"))))
        if fit.degenerate:
            continue
        tried += 1
        for i, (name, true) in enumerate((("t", t), ("a", a), ("p", p))):
            e = fit.estimate(name)
            inside[i] += e.low <= true <= e.high
    assert ((inside / tried > 0.93) & (inside / tried < 0.97)).all(), inside / tried


def test_method_and_design_agree_on_the_number_of_free_parameters():
    r = drawn(np.random.default_rng(0), (0.2, 0.3, 0.5), 0.6, (0.3, 0.3, 0.4), 30, 4)
    counts = {
        "t-a-p": 5,
        "t-a-t": 3,
        "P-a-P": 1,
        "t-ak-p": 7,
        "t-aj-p": 8,
        "t-aj-pj": 14,
        "t-a-pj": 11,
        "dawid-skene": 26,
    }
    for name, q in counts.items():
        assert design(model(name), r).space.free == q
        assert finish(ExactEM(random_starts=1).run(model(name), r, 1)).free == q
