"""The table of every picture holds the numbers of its study: each is worked out here once more, from no drawing."""

from collections.abc import Callable
from functools import cache
from math import comb

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator
from scipy.special import chdtri

from tapdesk.agreement.coefficients import agree
from tapdesk.answers import slope_curve
from tapdesk.answers.figure import Figure
from tapdesk.answers.figures import cases, chance, classes, designs, likelihood, models, open_questions, raters, ruler
from tapdesk.answers.figures.catalog import FIGURES, figures
from tapdesk.answers.figures.tree import branches
from tapdesk.errors import CannotAnswerError
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.reading import read_now
from tapdesk.ratings.samples import SAMPLES
from tapdesk.studies import chance as luck
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.design_study import votes
from tapdesk.studies.distribution import shares
from tapdesk.studies.model_comparison import mean_accuracy
from tapdesk.studies.paradox import between, masses
from tapdesk.studies.rater_diagnostics import (
    rater_calibration,
    rater_informations,
    rating_calibration,
    unexpected_ratings,
)
from tapdesk.studies.subsets import accuracy_without, kappa_without

SETS = 20
# Where each study is run from: the numbers it returns are those the picture must hold.
STUDIES = {
    "contour": (likelihood, "surface"),
    "paradox": (chance, "paradox"),
    "chance": (luck, "chance"),
    "horizon": (luck, "horizon"),
    "independence": (raters, "independence"),
    "influence": (raters, "influence"),
    "information": (raters, "information_contrasts"),
    "scan": (classes, "scan"),
    "class_pairs": (classes, "pairs"),
    "models": (models, "grid_fits"),
    "recovery": (designs, "recover_fit"),
    "plan": (designs, "design"),
    "cases": (cases, "case_beliefs"),
    "clinical": (cases, "analyse"),
    "kappa_factor": (open_questions, "one_accuracy"),
    "balance": (open_questions, "balance_study"),
    "accurate_raters": (raters, "accurate_raters"),
    "curve": (slope_curve, "rater_slopes"),
    "ruler": (ruler, "analyse"),
}
MODELS = {"information": "t-aj-p", "rater_histogram": "t-aj-p"}
INTERVALS = {"profile": "profile", "parameters": "bootstrap"}
# Studies that take seconds are run for one sample each time, for all where there is time.
LONG = {
    "contour": "paradox",
    "paradox": "wine-cut2",
    "models": "wine-cut2",
    "plan": "jury",
    "scan": "jury",
    "influence": "jury",
    "recovery": "wine-cut2",
    "class_pairs": "jury",
    "independence": "dawid-skene-1979",
    "chance": "fleiss-1971",
    "information": "dawid-skene-1979",
}
EVERY = [
    pytest.param(one.name, row.kind, marks=() if LONG.get(row.kind, one.name) == one.name else pytest.mark.slow)
    for one in SAMPLES
    for row in FIGURES
]


@cache
def ratings_of(sample: str):
    """A sample's ratings."""
    return read_now(f"sample:{sample}").ratings


@cache
def fitted(sample: str, name: str, interval: str):
    """The fit of a model to them."""
    return finish(analyse(ratings_of(sample), Request(model(name), interval=interval, replicates=SETS)))


def told(figure: Figure, *keys: str, **only: str):
    """The named columns of the rows where others hold these values; NaN for nothing."""
    rows = [r for r in figure.table.records() if all(r.get(k, "") == v for k, v in only.items())]
    return [tuple(np.nan if row.get(key) is None else row.get(key) for key in keys) for row in rows]


def close(found, wanted, **more):
    """Whether two lists of numbers are the same, numbers that are not there included."""
    assert len(found) == len(wanted)
    assert len(wanted) > 0
    np.testing.assert_allclose(
        np.array(found, dtype=float), np.array(wanted, dtype=float), **{"rtol": 1e-9, "atol": 1e-12, **more}
    )


def ends(e):
    """Value and interval of an estimate, NaN where there is none."""
    there = e.low is not None and e.low < e.high
    return (e.value, e.low if there else np.nan, e.high if there else np.nan)


def of_estimates(found, fit, _ratings, _study):
    (figure,) = found
    close(
        told(figure, "value", "low", "high"),
        [ends(e.estimate) for e in fit.estimates if e.estimate.value is not None][:16],
    )


def of_distribution(found, fit, ratings, _study):
    wanted = (1,) if len(fit.classes) == 2 else range(len(fit.classes))
    for figure, category in zip(found, wanted, strict=True):
        s = shares(ratings, fit, category, 0.95)
        names = [c for c in dict.fromkeys(figure.table.values("what")) if c != "Observed"]
        for name, curve in zip(
            names, (s.expected[k] for k in ("random", "expert", fit.model.name) if k in s.expected), strict=True
        ):
            close(told(figure, "x", "y", what=name), [*enumerate(curve)])
        low, high = (np.where(s.low < s.high, end, np.nan) for end in (s.low, s.high))
        close(told(figure, "y", "low", "high", what="Observed"), [*zip(s.observed, low, high, strict=True)])


def of_ruler(found, fit, ratings, _study):
    # The raters stand at the fitted accuracies of t-aj-p, all together at that of the fit; the cases are counted.
    (figure,) = found
    apart = "t-aj-p" in figure.note
    request = Request(model("t-aj-p"), level=fit.interval[1], seed=fit.seed)
    every = finish(analyse(ratings, request)).estimates if apart else fit.estimates
    wanted = [ends(e.estimate) for e in every if e.name.name == "a"]
    wanted = sorted(wanted, reverse=True) + ([ends(fit.estimate("a"))] if apart else [])
    rows = [r for r in figure.table.records() if r["count"] is None]
    close([tuple(np.nan if r[k] is None else r[k] for k in ("value", "low", "high")) for r in rows], wanted)
    counts = [r["count"] for r in figure.table.records() if r["count"] is not None]
    assert sum(counts) == ratings.subject_weights().sum()


def of_split(found, fit, _ratings, _study):
    # Match rates by the numbers of the model (models.md section 4), and what they leave.
    (figure,) = found
    t, a, p = fit.parameters.truth, fit.parameters.accuracy[0, 0], fit.parameters.guessing[0, 0]
    both, one, neither = a**2, 2 * a * (1 - a) * float(t @ p), (1 - a) ** 2 * float(p @ p)
    shown = [float(row["value"]) for row in figure.table.records()]
    close(shown, [both, one, neither, 1 - both - one - neither], rtol=1e-7)
    low, high = (figure.table.values(end) for end in ("low", "high"))
    for value, least, most in zip(shown, low, high, strict=True):
        assert least is None or least <= value <= most


def of_class_rates(found, fit, ratings, _study):
    figure = found[-1]
    counts = ratings.subject_weights() @ ratings.counts()
    given = told(figure, "name", "y", what="Ratings given")
    assert [name for name, _y in given] == [*fit.classes]
    close([y for _name, y in given], counts / counts.sum())
    if all(e.estimate.value is not None for e in fit.estimates if e.name.name == "t"):
        close([y for (y,) in told(figure, "y", what="True classes, by the model")], fit.parameters.truth)


def of_expected(found, fit, ratings, _study):
    matches = dict(told(found[0], "name", "value"))
    r = fit.match_rates
    names = ("Pairs that match, by the model", "… both justified", "… one justified, one by luck", "… both by luck")
    close([matches[n] for n in names], [r.observed, r.accurate, r.mixed, r.inaccurate])
    assert r.accurate + r.mixed + r.inaccurate == pytest.approx(matches[names[0]])
    of_class_rates(found, fit, ratings, None)


def of_parameters(found, fit, _ratings, _study):
    shown = [e for e in fit.estimates if e.estimate.value is not None and e.name in fit.draws.values][: len(found)]
    for figure, e in zip(found, shown, strict=True):
        draws = np.asarray(fit.draws.values[e.name])
        draws = draws[np.isfinite(draws)]
        bars = told(figure, "x", "y", **({"what": ""} if figure.table.values("what") else {}))
        for (low, high), share in bars:
            inside = (draws >= low) & ((draws < high) | (high == 1.0))
            assert share == pytest.approx(inside.mean())
        assert sum(share for _x, share in bars) == pytest.approx(1)
        close(told(figure, "x", "low", "high", what="estimate"), [ends(e.estimate)])


def of_profile(found, fit, _ratings, _study):
    profiles = [p for p in fit.profiles if p.slot.name.name != "b"][: len(found)]
    for figure, p in zip(found, profiles, strict=True):
        at = dict(told(figure, "x", "y", what="others at their best"))
        fall = p.log_likelihood - p.log_likelihood.max()
        close([at[x] for x in p.at], fall, atol=1e-6)
        limit = -chdtri(1, 1 - fit.interval[1]) / 2
        close(told(figure, "y", what="95 % limit"), [(limit,)])


def of_pairs(found, _fit, ratings, _study):
    kappas = {
        frozenset(c.raters): c.estimate.value
        for c in finish(agree(ratings, interval="none"))
        if c.name == "cohen_kappa" and c.weights == "identity" and c.raters and c.estimate.value is not None
    }
    rows = told(found[0], "row", "column", "value")
    assert {frozenset(row[:2]) for row in rows} == set(kappas)
    close([row[2] for row in rows], [kappas[frozenset(row[:2])] for row in rows])


def of_convergence(found, fit, _ratings, _study):
    best = told(found[0], "x", "y", what="Best start")
    lines = [t.log_likelihood for t in fit.trace if t.log_likelihood.size]
    top = max(lines, key=lambda line: line[-1])
    assert len(best) == len({x for x, _y in best})
    close([y for _x, y in best], [top[int(x)] for x, _y in best])
    assert best[-1][1] == max(line[-1] for line in lines)


def of_tree(found, fit, _ratings, _study):
    wanted = [row["share"] for row in branches(fit.parameters, fit.classes).records()]
    close([share for (share,) in told(found[0], "share")], wanted)
    assert sum(wanted) == pytest.approx(1)


def of_votes(found, fit, _ratings, _study):
    v = votes(fit.parameters, sorted({int(x) for x in found[0].table.values("x")}))
    for name, wanted in (("best rule", v.model), ("vote", v.plurality), ("95 % sure", v.certain)):
        close(told(found[0], "x", "y", what=name), [*zip(v.ratings, wanted, strict=True)])


def of_information(found, fit, _ratings, studies):
    (names, compared), words = studies[0], str(found[0].title)
    if compared is not None:
        pairs = [compared.between(i, j) for i in range(len(names)) for j in range(i)]
        apart = {(names[p.higher], names[p.lower]) for p in pairs if p.low > 0 and not p.alike}
        assert not apart or any(high in words and low in words for high, low in apart)
        assert ("tells more than" in words) == bool(apart)
    wanted = dict(zip(fit.raters, map(ends, rater_informations(fit)), strict=True))
    rows = told(found[0], "name", "value", "low", "high")
    close([row[1:] for row in rows], [wanted[row[0]] for row in rows])
    assert [row[1] for row in rows] == sorted((row[1] for row in rows), reverse=True)


def of_calibration(found, fit, ratings, _study):
    wanted = (1,) if len(fit.classes) == 2 else range(len(fit.classes))[:4]
    made = [rating_calibration(ratings, fit, c) for c in wanted]
    made += [rater_calibration(ratings, fit, c) for c in wanted] if ratings.raters_known else []
    for figure, c in zip(found, made, strict=True):
        assert [name for (name,) in told(figure, "what")] == [*c.names]
        close(told(figure, "x", "y"), [*zip(c.modelled, c.observed, strict=True)])


def of_surprises(found, fit, ratings, _study):
    close([value for (value,) in told(found[0], "value")], unexpected_ratings(ratings, fit, 12).probability)


def of_contour(found, _fit, _ratings, surfaces):
    for figure, s in zip(found, surfaces, strict=True):
        at = RegularGridInterpolator((s.x, s.y), np.where(np.isfinite(s.fall), s.fall, np.nan))
        for level in (50, 95):
            points = told(figure, "x", "y", what=f"{level} %")
            fall = at(points) if points else np.zeros(0)
            np.testing.assert_allclose(fall[np.isfinite(fall)], -chdtri(2, 1 - level / 100) / 2, atol=1e-9)


def of_paradox(found, _fit, _ratings, studies):
    (p,) = studies
    curve = next(curve for name, curve in p.one.marginals.items() if name.name == "a")
    edges = np.linspace(0, 1, 21)
    rows = [(x, y) for x, y in told(found[0], "x", "y") if isinstance(x, tuple)]
    by_range = {round(float(a), 9): float(m) for a, m in zip(edges, masses(curve, edges), strict=False)}
    close([y for _x, y in rows], [by_range[round(x[0], 9)] for x, _y in rows])
    for figure in found[1:2]:
        for x, y in told(figure, "x", "y"):
            if isinstance(x, tuple):
                assert y == pytest.approx(float(between(p.one.guess_minus_truth, np.array(x))[0]), abs=1e-9)
    for figure in found[2:]:
        density, per = p.two.joint.density, p.two.joint.density.shape[0] // 10
        for (low, _h), (left, _r), share in told(figure, "row", "column", "value"):
            i, j = round(10 * left) * per, round(10 * low) * per
            assert share == pytest.approx(float(density[i : i + per, j : j + per].sum() / density.sum()))


def of_draws(found, draws, marks):
    """Bars that count draws, and lines at values."""
    rows = told(found[0], "x", "y", what="")
    last = max((x[1] for x, _y in rows), default=0.0)
    for (low, high), share in rows:
        inside = (draws >= low - 1e-12) & ((draws < high - 1e-12) | ((high == last) & (draws <= high + 1e-12)))
        assert share == pytest.approx(inside.mean(), abs=1.5 / draws.size)
    close(sorted(x for x, _y in told(found[0], "x", "y") if not isinstance(x, tuple)), sorted(marks))


def of_chance(found, _fit, _ratings, studies):
    (c,) = studies
    of_draws(found, c.test.draws, [c.test.statistic])


def of_horizon(found, _fit, _ratings, studies):
    (h,) = studies
    roots = np.where(h.draws > 0, np.sqrt(np.maximum(h.draws, 0)), np.nan)
    of_draws(found, roots, [h.quantiles["0.95"], *([] if h.root_kappa is None else [h.root_kappa])])


def of_independence(found, _fit, _ratings, studies):
    (s,) = studies
    order = np.arange(s.observed.size)[:40]
    low, high = (np.where(s.low < s.high, end, np.nan) for end in (s.low, s.high))
    wanted = [*zip(s.expected[order], low[order], high[order], strict=True)]
    close(told(found[0], "value", "low", "high", what="expected"), wanted)
    seen = [row[1] for row in told(found[0], "what", "value") if row[0] != "expected"]
    close(seen, s.observed[order])


def of_influence(found, _fit, _ratings, studies):
    rows = {row["rater"]: row for row in studies[0].records()}
    for figure in found:
        of = accuracy_without if "accuracy" in figure.title else kappa_without
        here = [r for r in told(figure, "name", "value", "low", "high") if r[0] != "with all"]
        close([r[1:] for r in here], [ends(of(rows[r[0]])) for r in here])


def of_scan(found, _fit, _ratings, studies):
    (s,) = studies
    accuracy, rates = found
    for figure, name in ((accuracy, "a"), (rates, "t"), (rates, "p")):
        known = [
            c for c in s.cuts if c.free is not None and c.free.converged and c.free.estimate(name).value is not None
        ]
        rows = told(figure, "name", "y", "low", "high", what=name)
        assert [row[0] for row in rows] == [cut.name for cut in known]
        if known:
            close([row[1:] for row in rows], [ends(c.free.estimate(name)) for c in known])
    roots = [ends(c.root_kappa) for c in s.cuts if c.root_kappa.value is not None]
    close(told(found[0], "y", "low", "high", what="√κ"), roots)


def of_class_pairs(found, _fit, _ratings, studies):
    known = sorted((p for p in studies[0].pairs if p.accuracy.value is not None), key=lambda p: p.accuracy.value)
    close(told(found[0], "value", "low", "high"), [ends(p.accuracy) for p in known])


def of_models(found, _fit, _ratings, studies):
    every = [mean_accuracy(fit) for fit in studies[0]]
    close(told(found[0], "value", "low", "high"), [ends(a) for a in every if a is not None])


def of_recovery(found, _fit, _ratings, studies):
    shown = [one for one in studies[0] if one.median is not None]
    low_high = [(o.low, o.high) if o.low < o.high else (np.nan, np.nan) for o in shown]
    wanted = [(o.median, *e) for o, e in zip(shown, low_high, strict=True)]
    close(told(found[0], "value", "low", "high", what="found"), wanted)
    close(told(found[0], "value", what="true"), [(o.true,) for o in shown if o.true is not None])


def of_plan(found, _fit, _ratings, studies):
    rows = studies[0].records()
    for name, x, y in told(found[0], "what", "x", "y"):
        (row,) = (r for r in rows if f"{r['raters']} ratings" == name and r["subjects"] == x)
        assert y == pytest.approx(min(1.0, row["width"] if row["spread"] is None else row["spread"]))
    for name, key in (("95 % sure", "classified"), ("class right", "right")):
        sure = {float(r["raters"]): r[key] for r in reversed(rows)}
        close(told(found[1], "x", "y", what=name), sorted(sure.items()))


def of_rater_histogram(found, fit, ratings, _study):
    values = np.array([e.estimate.value for e in fit.estimates if e.name.name == "a"])
    figure, each = found
    bars = [(row["x"], row["y"]) for row in figure.table.records() if not row.get("what")]
    for (low, high), n in bars:
        assert n == ((values >= low) & ((values < high) | ((high == 1) & (values == 1)))).sum()
    assert sum(n for _ends, n in bars) == values.size
    assert ratings.known == ""
    own = {e.name.rater: ends(e.estimate) for e in fit.estimates if e.name.name == "a"}
    rows = [row for row in told(each, "name", "value", "low", "high") if row[0] != "one half"]
    close([row[1:] for row in rows], [own[row[0]] for row in rows])
    assert len(rows) == values.size


def of_accurate_raters(found, _fit, ratings, studies):
    (panels,) = studies
    assert [one.least for one in panels] == sorted({one.least for one in panels})
    for one in panels:
        assert {*one.raters} | {*one.left_out} == {*ratings.raters}
    for name, figure in (("a", found[0]), *((name, found[1]) for name in ("t", "p") if len(found) > 1)):
        close(told(figure, "y", "low", "high", what=name), [ends(one.fit.estimate(name)) for one in panels])
    close(told(found[0], "y", what="√κ"), [(one.root_kappa.value,) for one in panels])


def of_curve(found, _fit, _ratings, studies):
    for figure, (one,) in zip(found, studies, strict=True):
        close(told(figure, "x", "a", what="a rater alone"), one.alone)
        (first, *_rest, last) = told(figure, "x", "a", "low", "high", what="curve")
        close([first, last], [(one.first, *ends(one.at_first)), (one.last, *ends(one.at_last))])


def matching(t, p, a):
    """Fleiss' kappa by the chances that two ratings of a case match, and that two of different cases do."""
    rates = a * np.eye(t.size) + (1 - a) * p
    same, given = float(t @ (rates**2).sum(axis=1)), t @ rates
    return (same - float(given @ given)) / (1 - float(given @ given))


def of_kappa_factor(found, _fit, ratings, studies):
    (fit,) = studies
    t, a, p = fit.parameters.truth, fit.parameters.accuracy[0, 0], fit.parameters.guessing[0, 0]
    beside = {row[0]: row[1:] for row in told(found[-1], "name", "value", "low", "high")}
    close([beside["√κ that follows from t, a, p"][0]], [np.sqrt(matching(t, p, a))])
    close([beside["a, by t-a-p"]], [ends(fit.estimate("a"))])
    (kappa,) = (c for c in finish(agree(ratings)) if c.name == "fleiss_kappa")
    close([beside["√κ of these ratings"][0]], [np.sqrt(kappa.estimate.value)])
    assert len(found) == (2 if t.size == 2 else 1)
    for row, column, value in told(found[0], "row", "column", "value") if t.size == 2 else ():
        close([value], [matching(np.array([1 - row, row]), np.array([1 - column, column]), a) / a**2])


def of_balance(found, _fit, ratings, studies):
    _same, study = studies
    wanted = []
    for one in (study.own, study.made):
        for values in (one.kappa, one.kappa_after, one.a, one.a_after):
            low, high = np.quantile(values, (0.025, 0.975))
            wanted.append((values.mean(), low, high) if high - low > 1e-9 else (values.mean(), np.nan, np.nan))
    close(told(found[0], "value", "low", "high")[:-1], wanted)
    (kappa,) = (c for c in finish(agree(ratings)) if c.name == "fleiss_kappa")
    close([study.own.kappa[0]], [kappa.estimate.value])
    # As many cases of either side stay, so there are no more of them than twice the fewer.
    ones = 2 * ratings.counts()[:, 1] - ratings.counts().sum(axis=1)
    weight = ratings.subject_weights()
    fewer = min(weight[ones > 0].sum(), weight[ones < 0].sum())
    assert (study.own.left <= 2 * (fewer + weight[ones == 0].sum())).all()
    assert (study.own.left % 2 == 0).all()


def of_thermometers(found, _fit, _ratings, _study):
    growth, *circles = found
    for name, of in (("agreements", comb), ("their root", lambda k, two: np.sqrt(comb(k, two)))):
        close(told(growth, "x", "y", what=name), [(k, of(k, 2)) for k in range(2, 9)])
    close(told(growth, "x", "y", what="evidence"), [(k, k / 2) for k in range(2, 9)])
    for n, figure in zip((3, 4), circles, strict=True):
        kinds = figure.table.values("what")
        assert (len(kinds), kinds.count("free")) == (comb(n, 2), n - 1)


def of_cases(found, _fit, ratings, study):
    (beliefs,) = study
    two = len(ratings.classes) == 2
    values = beliefs.probability[:, 1] if two else beliefs.probability.max(axis=1)
    weight = ratings.subject_weights()
    sides = {f"truly “{name}”": beliefs.probability[:, k] for k, name in enumerate(ratings.classes)} if two else {"": 1}
    total = 0.0
    for name, side in sides.items():
        for (low, high), n in told(found[0], "x", "y", what=name):
            inside = (values >= low) & ((values < high) | ((high == 1) & (values == 1)))
            assert n == pytest.approx((weight * side)[inside].sum())
            total += n
    assert total == pytest.approx(weight.sum())


def of_clinical(found, _fit, _ratings, study):
    (again,) = study
    t, a, p = (again.estimate(name).value for name in ("t", "a", "p"))
    # By the four cells of truth and rating, not by the formulas of the picture.
    joint = np.array(
        [[(1 - t) * (a + (1 - a) * (1 - p)), (1 - t) * (1 - a) * p], [t * (1 - a) * (1 - p), t * (a + (1 - a) * p)]]
    )
    sensitivity, specificity = joint[1, 1] / joint[1].sum(), joint[0, 0] / joint[0].sum()
    wanted = [sensitivity, specificity, joint[1, 1] / joint[:, 1].sum(), joint[0, 0] / joint[:, 0].sum(), a]
    rows = told(found[0], "value", "low", "high")
    close([row[0] for row in rows], wanted)
    assert all(low <= value <= high for value, low, high in rows)


def of_cohen(found, _fit, ratings, _study):
    seen, luck, steps = found
    (kappa,) = (c for c in finish(agree(ratings)) if c.name == "cohen_kappa")
    agree_, chance, value = (row[0] for row in told(steps, "value"))
    close([value], [kappa.estimate.value])
    cells = told(seen, "row", "column", "value")
    n = sum(v for _r, _c, v in cells)
    close([agree_], [sum(v for r, c, v in cells if r == c) / n])
    close([chance], [sum(v for r, c, v in told(luck, "row", "column", "value") if r == c) / n])


CHECKS: dict[str, Callable] = {name.removeprefix("of_"): f for name, f in globals().items() if name.startswith("of_")}


@pytest.fixture
def recorded(monkeypatch):
    """What the studies returned, which are run small; the picture is made of it as ever."""
    kept: list = []

    def keep(place, name):
        study = getattr(place, name)

        def run(*args, **kwargs):
            if name == "surface":
                kwargs["cells"] = 9
            result = yield from study(*args, **kwargs)
            kept.append(result)
            return result

        monkeypatch.setattr(place, name, run)

    for place, name in STUDIES.values():
        keep(place, name)
    for place, constant in ((chance, "_REPLICATES"), (chance, "_HORIZON"), (raters, "_REPLICATES")):
        monkeypatch.setattr(place, constant, 5 * SETS)
    monkeypatch.setattr(designs, "_REPLICATES", SETS)
    monkeypatch.setattr(designs, "REPLICATES", SETS)
    monkeypatch.setattr(designs, "SUBJECTS", (30, 60))
    monkeypatch.setattr(designs, "RATERS", (3, 4))
    monkeypatch.setattr(classes, "_PANELS", SETS)
    return kept


def test_every_picture_of_the_catalog_is_checked_against_its_study():
    assert set(CHECKS) - {"draws"} == {row.kind for row in FIGURES}
    # The votes are a run only to look how sure the accuracy is; their own numbers follow from the fit at once.
    assert set(STUDIES) | {"votes"} == {row.kind for row in FIGURES if row.run is not None}


@pytest.mark.parametrize(("sample", "kind"), EVERY)
def test_the_table_of_a_picture_holds_the_numbers_of_its_study(sample, kind, recorded):
    row = next(row for row in FIGURES if row.kind == kind)
    ratings = ratings_of(sample)
    name = MODELS.get(kind, "t-a-p") if ratings.raters_known else "t-a-p"
    fit = fitted(sample, name, INTERVALS.get(kind, "wald"))
    reason = row.needs(fit, ratings)
    if reason is not None:
        with pytest.raises(CannotAnswerError, match=r"\w"):
            figures(kind, fit, ratings)
        return
    found = figures(kind, fit, ratings)
    assert all(figure.table.rows for figure in found)
    CHECKS[kind](found, fit, ratings, recorded)
