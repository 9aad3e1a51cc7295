"""Intervals from data sets drawn from the fitted model."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.fitting.em import ExactEM
from tapdesk.models.model import model
from tapdesk.models.simulate import simulate_like
from tapdesk.progress import Step, finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.batch_fit import fit_dataset
from tapdesk.studies.bootstrap import parametric_redraws
from tests.tables import WINE_CUTS, counted, drawn

KIND = "parametric-bootstrap"


def asked(ratings: Ratings, name: str = "t-a-p", watch=None, **more):
    options = {"interval": KIND, "replicates": 200, **more}
    return finish(analyse(ratings, Request(model(name), **options)), watch)


def panel(n: int = 300, share: float = 1.0) -> Ratings:
    return drawn(np.random.default_rng(3), (0.5, 0.5), (0.8, 0.7, 0.6, 0.5), (0.4, 0.6), n, 4, share=share)


@pytest.mark.parametrize(
    ("name", "n", "share", "draws"),
    [("t-a-p", 20_000, 0.8, 1500), ("t-a-t", 20_000, 1.0, 1500), ("t-aj-p", 3000, 1.0, 300)],
)
def test_on_much_data_of_the_model_both_kinds_of_redraws_give_the_same_intervals(name, n, share, draws):
    # Both are right then: their spreads are the same number up to chance (the sd of R re-draws errs by 1 in √(2R)).
    accuracies = (0.7, 0.7, 0.6, 0.5) if name == "t-aj-p" else 0.6
    guessing = (0.4, 0.6) if name != "t-a-t" else (0.6, 0.4)
    r = drawn(np.random.default_rng(5), (0.6, 0.4), accuracies, guessing, n, 4, share=share)
    one, two = (asked(r, name, interval=kind, replicates=draws) for kind in ("bootstrap", KIND))
    for mine, theirs in zip(one.estimates, two.estimates, strict=True):
        a, b = (fit.draws.values[mine.name] for fit in (one, two))
        assert np.log(a.std() / b.std()) == pytest.approx(0, abs=4.5 / np.sqrt(draws))
        assert abs(a.mean() - b.mean()) < 4.5 * a.std() * np.sqrt(2 / draws)
        wide, narrow = (e.estimate.high - e.estimate.low for e in (mine, theirs))
        assert wide == pytest.approx(narrow, rel=0.25)


def test_each_redraw_is_the_fit_of_ratings_simulated_on_the_same_design():
    """The vectorised answer against the plain road: simulate like the data, fit, repeat."""
    ratings, rows = panel(120, share=0.7), 150
    fit = finish(ExactEM().run(model("t-a-p"), ratings, 1))
    fast = finish(parametric_redraws(model("t-a-p"), ratings, [fit.parameters], 3000, 1))
    slow = []
    for i in range(rows):
        again, _ = simulate_like(ratings, model("t-a-p"), fit.parameters, np.random.SeedSequence([9, i]))
        point, _, _ = finish(fit_dataset(model("t-a-p"), again, 1))
        slow.append((point.truth[1], point.accuracy[0, 0], point.guessing[0, 0, 1]))
    for name, mine in zip("tap", np.transpose(slow), strict=True):
        theirs = next(v for n, v in fast.items() if n.name == name)
        assert abs(mine.mean() - theirs.mean()) < 4.5 * theirs.std() / np.sqrt(rows)
        assert mine.std() == pytest.approx(theirs.std(), rel=0.25)


def test_percentiles_of_the_redraws_are_the_interval_and_repeat_with_the_seed():
    r = counted(WINE_CUTS["1|2"])
    one, two, other = asked(r), asked(r), asked(r, seed=2)
    assert one.interval == (KIND, 0.95)
    for e in one.estimates:
        draws = one.draws.values[e.name]
        assert draws.shape == (200,)
        assert [e.estimate.low, e.estimate.high] == pytest.approx(np.quantile(draws, [0.025, 0.975]), rel=1e-12)
        assert e.estimate.how == KIND
        np.testing.assert_array_equal(draws, two.draws.values[e.name])
        assert not np.array_equal(draws, other.draws.values[e.name])


@pytest.mark.parametrize("name", ["t-aj-pj", "t-ak-p", "t-a-pj", "dawid-skene", "P-a-P"])
def test_models_of_every_kind_repeat_with_the_seed(name):
    one, two = asked(panel(40), name, replicates=20), asked(panel(40), name, replicates=20)
    assert one.draws.values.keys() == two.draws.values.keys()
    for key, values in one.draws.values.items():
        assert np.isfinite(values).all()
        np.testing.assert_array_equal(values, two.draws.values[key])


def test_slopes_of_a_regression_spread_as_their_standard_errors_say():
    r = panel(400)
    years = Covariate("years", CovariateOf.RATER, np.array([9.0, 6.0, 4.0, 1.0]))
    r, wanted = replace(r, covariates={"years": years}), replace(model("t-a(x)-p"), covariates=("years",))
    fit = finish(analyse(r, Request(wanted, interval=KIND, replicates=200)))
    for e in fit.estimates:
        assert fit.draws.values[e.name].std() == pytest.approx(e.estimate.se, rel=0.3)


def test_steps_carry_every_redraw_and_a_run_can_be_dropped_between_two():
    steps: list[Step] = []
    fit = asked(counted(WINE_CUTS["1|2"]), watch=steps.append, replicates=1100)
    told = [s for s in steps if s.phase == "re-draws"]
    name = fit.estimates[0].name
    seen = [s.values["draws"][name] for s in told if "draws" in s.values]
    assert len(seen) > 1
    np.testing.assert_array_equal(np.concatenate(seen), fit.draws.values[name])
    assert [s.done for s in told] == sorted(s.done for s in told)
    assert (told[-1].done, told[-1].total) == (1100, 1100)
    run = analyse(counted(WINE_CUTS["1|2"]), Request(model("t-a-p"), interval=KIND))
    while next(run).phase != "re-draws":
        continue
    run.close()


EDGES = {
    "all in one class": [[0, 0, 0]] * 6,
    "perfect agreement": [[0, 0, 0]] * 5 + [[1, 1, 1]] * 5,
    "one subject": [[0, 1, 1]],
    "ratings without agreement": [[0, 1], [1, 0]] * 5,
    "a constant rater": [[0, 0, 0], [0, 1, 1], [0, 1, 0], [0, 0, 1]] * 3,
}


@pytest.mark.parametrize("name", ["t-a-p", "t-a-t", "t-aj-pj", "dawid-skene"])
@pytest.mark.parametrize("rows", EDGES.values(), ids=EDGES.keys())
def test_edges_give_numbers_or_reasons_and_never_nan(rows, name):
    table = np.array(rows)
    subject, rater = np.indices(table.shape).reshape(2, -1)
    names = [[f"{x}{i}" for i in range(n)] for x, n in zip("SJ", table.shape, strict=True)]
    fit = asked(Ratings.of(subject, rater, table.ravel(), *names, ["no", "yes"]), name, replicates=30)
    for e in fit.estimates:
        if e.estimate.low is not None:
            assert e.estimate.low < e.estimate.high
            assert 0 <= e.estimate.low <= e.estimate.value <= e.estimate.high <= 1
        elif e.estimate.value is not None and e.freedom.value != "fixed":
            assert e.estimate.no_interval
    for values in fit.draws.values.values():
        assert np.isfinite(values).all()


@pytest.mark.parametrize("kind", ["bootstrap", KIND])
def test_on_an_edge_it_is_said_that_redraws_are_not_reliable(kind):
    fit = asked(counted((30, 0, 0, 20)), "t-a-t", interval=kind)
    assert fit.degenerate
    assert "bootstrap_on_edge" in [f.code for f in fit.findings]
    # Every data set drawn from a = 1 gives a = 1 again: that is no interval.
    a = fit.estimate("a")
    assert (a.value, a.low) == (pytest.approx(1.0), None)
    assert "same number" in a.no_interval


def test_impossible_calls_are_refused_with_the_value():
    fit = finish(ExactEM().run(model("t-a-t"), counted((5, 3, 4)), 1))
    with pytest.raises(ValueError, match="not -3"):
        finish(parametric_redraws(fit.model, counted((5, 3, 4)), [fit.parameters], -3, 1))
    with pytest.raises(ValueError, match="point"):
        finish(parametric_redraws(fit.model, counted((5, 3, 4)), [], 10, 1))
