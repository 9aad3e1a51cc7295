"""What is said in few cases: numbers on an edge, designs with holes, beliefs with two peaks, names withheld."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from tapdesk.agreement.coefficients import agree
from tapdesk.agreement.quantity import _bounded
from tapdesk.agreement.quantity import bootstrap as spread
from tapdesk.answers import cut_points, fit_parts, fit_words, optional, parameters
from tapdesk.answers import implied as answers_implied
from tapdesk.answers.figures import classes, shares
from tapdesk.answers.figures import tree as trees
from tapdesk.answers.model_comparison import best, intervals
from tapdesk.answers.part import Answer
from tapdesk.answers.pseudonyms import _open
from tapdesk.answers.range_words import rests_on_it
from tapdesk.answers.side_results import Basis, SideResults
from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting import identification
from tapdesk.fitting.em import MomentEM, _End
from tapdesk.fitting.fit import Identification, Trace
from tapdesk.fitting.sampling.method import compared
from tapdesk.fitting.undetermined import undefined_parameters
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.project.project import Analysis
from tapdesk.studies.analysis import Request, _walded, analyse
from tapdesk.studies.criteria import CriterionNumbers, _none
from tapdesk.studies.distribution import Shares
from tapdesk.studies.model_comparison import ModelComparison, compare_grid
from tapdesk.studies.pair_dependence import DependentPair
from tapdesk.studies.scan import Scan
from tapdesk.studies.subsets import influence
from tests.words.situations.data import MIXED, covered, rated
from tests.words.situations.fitting import WALD, cut, lines
from tests.words.situations.parts import ALIKE, FEW, MANY, TWO, fit, group, test
from tests.words.situations.situation import Situation, several

# Four raters, six pairs of them.
FOUR = replace(
    ALIKE,
    raters=tuple("ABCD"),
    first=np.array([0, 0, 0, 1, 1, 2]),
    second=np.array([1, 2, 3, 2, 3, 3]),
    shared=np.full(6, 30),
    flagged=np.zeros(6, dtype=bool),
    **{n: np.full(6, 0.5) for n in ("observed", "expected", "low", "high", "deviation", "p", "p_adjusted")},
)


def four(seen, flagged, **more):
    pairs = replace(FOUR, observed=np.array(seen), flagged=np.array(flagged), **more)
    from tapdesk.answers.misfit import about_pairs

    return pairs.words, about_pairs(fit(), pairs) if pairs.too_alike else None


ONE, NOBODY, ALL = [True] + [False] * 5, [False] * 6, [True] * 6


def noted(**changes):
    given = {
        "ratings": 3, "subjects": 12, "of": 12, "least": 3, "observed": np.zeros(4), "low": np.zeros(4),
        "high": np.zeros(4), "expected": {"random": np.zeros(4)},
    } | changes  # fmt: skip
    return shares._distribution_note(Shares(**given))


def implied(**changes):
    given = {
        "level": 0.95, "both": SimpleNamespace(level=None), "ranges": {}, "how": "", "unlike": False,
        "rates": SimpleNamespace(accurate=0.5, reach=()), "drawn": {"mixed", "kappa"},
    } | changes  # fmt: skip
    return shares.intervals_from(SimpleNamespace(**given))


def quantity(value=0.5):
    """A coefficient of this value."""
    return SimpleNamespace(bounds=(-1.0, 1.0), point=lambda: value, unit_count=lambda: 10)


DRAWS = np.linspace(0.4, 0.6, 50)
ONE_RARE = rated(["000", "000", "000"] * 12 + ["100"])


def ranked(*likelihoods):
    fits = [
        replace(fit(name), log_likelihood=replace(fit(name).log_likelihood, ratings=level))
        for name, level in zip(("t-a-p", "t-a-t"), likelihoods, strict=True)
    ]
    rows = tuple(SimpleNamespace(fit=one, comparable=True) for one in fits)
    return best(SimpleNamespace(comparison=ModelComparison(rows, 0, 0, "")))


def clear_best():
    return ranked(-10.0, -60.0)


def near_best():
    return ranked(-10.0, -10.5)


def panels(count):
    return [SimpleNamespace(title="x", note="note") for _each in range(count)]


def without_a():
    fitted = fit()
    return replace(
        fitted,
        estimates=tuple(replace(e, estimate=undefined("x")) if e.name.name == "a" else e for e in fitted.estimates),
    )


def names():
    return tuple(e.name for e in fit().estimates)


NAMING = SimpleNamespace(codes={}, cases={}, rater=str, case=str, coded=True)


def ended(*levels):
    return _End(None, Trace("x", np.array(levels)), True)


def of_accuracy(value):
    fitted = fit("t-aj-p")
    return replace(
        fitted,
        estimates=tuple(replace(e, estimate=Estimate(value)) if e.name.name == "a" else e for e in fitted.estimates),
    )


def drawn(value):
    fitted = fit("t-aj-p")
    rows = tuple(SimpleNamespace(name=e.name, mean=value, sd=0.1) for e in fitted.estimates if e.name.name == "a")
    return replace(fitted, posterior=SimpleNamespace(summaries=rows))


def finding(name="t-a-p", modes=1, ratings=TWO, identified=True):
    from tapdesk.fitting.sampling.posterior_summary import _findings

    plan = design(replace(model(name), covariates=("age",)) if name == "t-a(x)-p" else model(name), ratings)
    rows = (SimpleNamespace(name=names()[0], modes=range(modes)),)
    says = Identification(identified, identified, "x")
    return _findings(plan, says, SimpleNamespace(finding=lambda: None), rows)


def hexed(classes):
    """Ratings of so many classes."""
    ratings = rated("000", [f"k{i}" for i in range(classes)])
    each = np.arange(classes)
    return replace(
        ratings,
        subject=np.repeat(each, 3),
        rater=np.tile(np.arange(3), classes),
        category=np.repeat(each, 3),
        subjects=tuple(f"c{i}" for i in each),
    )


def known_beside(texts):
    ratings = replace(covered(MIXED, "case", lab=np.array(texts, dtype=object)), known="lab") if texts else TWO
    return fit_words.not_said(ratings)


def unrated(of):
    """A finding about raters, or cases, without any rating, called by codes."""
    from tapdesk.answers.pseudonyms import SILENT, UNRATED, _coded_finding
    from tapdesk.ratings.findings import Finding, Severity

    code = SILENT if of == "raters" else UNRATED
    calls = SimpleNamespace(
        codes={"Ann": "R1"} if of == "raters" else {},
        cases={} if of == "raters" else {"Ann": "C1"},
        coded=True,
        rater=lambda _name: "R1",
        case=lambda _name: "C1",
        text=lambda text, _instead="": text,
    )
    return _coded_finding(Finding(code, Severity.NOTE, "", "message", "", about=(("Ann",),)), calls)


def of_two_classes(text):
    from tapdesk.studies.chance import horizon

    return horizon(text, 5, 1)


def tallied(*table):
    """Cases by how many of their ratings are of the counted class."""
    return rated([word for ones, n in enumerate(table) for word in ["1" * ones + "0" * (len(table) - 1 - ones)] * n])


def drawn_pairs():
    return rated(["00"] * 40 + ["11"] * 20 + ["01"] * 10 + ["10"] * 10)


def above_0():
    return Scan(("1", "2", "3"), (cut("1", "2", 0.3), cut("2", "3", 0.4)))


def below_0():
    none = undefined("kappa is below 0")
    return replace(above_0(), cuts=tuple(replace(one, kappa=Estimate(-0.2), root_kappa=none) for one in above_0().cuts))


def horizon_of_none():
    from tapdesk.studies.chance import horizon

    return horizon(rated(["00"] * 30 + ["01"]), 1, 4)


NO_FIT = Basis(
    TWO, TWO, None, Request(model("t-a-p")), SimpleNamespace(level=0.95, seed=1, replicates=5, selection={}), {}, {}
)
CHAIN = rated(["0101----", "1100----", "0011----", "----1010", "----0000", "----1111"] * 3)
SEPARATED = covered("000 111 000 111 000 111 001 110", "rater", age=[20.0, 30.0, 40.0])
LARGE = rated(["01" * 20] * 5)


def table_edge(at):
    fitted = fit("dawid-skene")
    name = next(str(e.name) for e in fitted.estimates if e.name.rated is not None)
    return replace(fitted, active_bounds=(f"{name} = {at}",))


def empty_class():
    plan = design(model("t-ak-p"), rated(MIXED))
    fitted = fit("t-ak-p")
    return plan, replace(fitted.parameters, truth=np.array([1.0, 0.0])), 0.0


def astray(count):
    fitted = fit("t-aj-p", estimator="posterior", chains=4, draws=60)
    return replace(fitted, posterior=replace(fitted.posterior, divergences=count))


SETTLED = rated(["000"] * 20 + ["111"] * 20 + ["001"] * 5 + ["110"] * 5)
SETTLED_FIT = fit("t-a-p", SETTLED, interval="profile")


def planned():
    from tapdesk.progress import finish

    result = finish(optional.planned(SETTLED, SETTLED_FIT, 0.95, 1, 2))
    side = SideResults(on_demand={"plan": result})
    return optional.PLAN.content(Answer(SETTLED_FIT, SETTLED, SETTLED, side)), optional.sure(result)


# Situations ----------------------------------------------------------------------------------------------------------

PAIRS = several(
    "four",
    (
        ("as-expected", lambda: four([0.5] * 6, NOBODY)),
        ("too-often", lambda: four([0.9] * 6, ALL)),
        ("one-pair-too-often", lambda: four([0.9] + [0.5] * 5, ONE)),
        ("one-pair-named", lambda: four([0.9] * 6, ALL, pair=DependentPair(0, 1, 0.5, 20.0, 2.0, 1e-4))),
        ("two-pairs-near", lambda: four([0.9] * 6, ALL, pair=DependentPair(0, 1, 0.5, 20.0, 18.0, 1e-4))),
        ("too-seldom", lambda: four([0.1] * 6, ALL)),
        ("one-case-shared", lambda: four([0.5] * 6, NOBODY, shared=np.ones(6, dtype=int))),
        ("two-cases-shared", lambda: four([0.5] * 6, NOBODY, shared=np.full(6, 2))),
        ("unanimous", lambda: four([1.0] * 6, ALL, unanimous=True)),
    ),
)
NUMBERS = several(
    "number",
    (
        ("each", noted),
        ("each-one", lambda: noted(ratings=1)),
        ("together", lambda: noted(ratings=None)),
        ("most-frequent", lambda: noted(of=20)),
        ("experts", lambda: noted(expected={"expert": np.zeros(4)})),
        ("implied", lambda: implied(ranges={"accurate": (0.4, 0.6)}, how="bootstrap")),
        ("implied-unlike", lambda: implied(unlike=True)),
        ("implied-on-edge", lambda: implied(how="bootstrap", rates=SimpleNamespace(accurate=1.0, reach=()))),
        ("implied-by-likelihood", lambda: implied(rates=SimpleNamespace(accurate=0.5, reach=(("mixed", 0.1, 0.2),)))),
        ("limits-hold", lambda: _bounded(Estimate(0.5), 0.4, 0.6, 0.95, quantity())),
        ("limits-do-not", lambda: _bounded(Estimate(0.5), 0.6, 0.7, 0.95, quantity())),
        ("limits-cut", lambda: _bounded(Estimate(0.5), 0.4, 1.6, 0.95, quantity())),
        ("drawn", lambda: spread(quantity(), DRAWS, 0.95, "x")),
        ("drawn-one-lost", lambda: spread(quantity(), np.where(np.arange(50) < 1, np.nan, DRAWS), 0.95, "x")),
        ("drawn-most-lost", lambda: spread(quantity(), np.where(np.arange(50) < 40, np.nan, DRAWS), 0.95, "x")),
        ("lines", lambda: classes._lines([Estimate(0.5, low=0.4, high=0.6, level=0.95, how="profile")])),
        ("lines-none", lambda: classes._lines([Estimate(0.5)])),
        ("guessed", lambda: _none(CriterionNumbers("x", 9, 2, 18, ("0", "1"), (0.5, 0.5)), Estimate(0.3))),
        ("groups-one-more-untold", lambda: group(*[(10, f"why {i}") for i in range(5)], (10, None))),
        ("groups-two-more-untold", lambda: group(*[(10, f"why {i}") for i in range(9)], (10, None))),
        ("rare-one", lambda: fit_words.caution(replace(fit(), subjects=100), ONE_RARE)),
        ("rare-five", lambda: fit_words.caution(replace(fit(), subjects=100), FEW)),
        ("intervals-none", lambda: intervals([fit()])),
        ("best-alone", clear_best),
        ("best-near", near_best),
    ),
)
CLASS = several(
    "told",
    (
        ("picture-few", lambda: fit_parts._picture("x", panels(2))),
        ("picture-many", lambda: fit_parts._picture("x", panels(30))),
        ("test-against", lambda: fit_parts._test_words(test(0.001))),
        ("test-not-against", lambda: fit_parts._test_words(test(0.4))),
        (
            "tests",
            lambda: (
                fit_parts.TESTS.title,
                fit_parts.TESTS.explanation,
                fit_parts.TESTS.content(Answer(replace(fit(), tests=(test(0.4),)), TWO, TWO)),
            ),
        ),
        ("no-tests", lambda: fit_parts.TESTS.content(Answer(fit(), TWO, TWO))),
        ("tree", lambda: trees.tree_needs(fit(), TWO)),
        ("tree-without-number", lambda: trees.tree_needs(without_a(), TWO)),
        ("two-ratings", lambda: rests_on_it(fit("t-a-t", rated("00 01 11 10 00 11 00 00")))),
        ("three-ratings", lambda: rests_on_it(fit("t-a-t"))),
        ("open-numbers", lambda: _open(Identification(False, False, "x", names()), NAMING)),
        ("open-nothing", lambda: _open(Identification(False, False, "x"), NAMING)),
        ("plan-supposes", optional.supposing),
        ("other-model", lambda: optional.other_model(fit())),
        ("moments-fell", lambda: MomentEM()._findings(design(model("t-a-p"), MANY), ended(-10.0, -12.0))),
        ("moments-rose", lambda: MomentEM()._findings(design(model("t-a-p"), TWO), ended(-12.0, -10.0))),
        ("moments-interval", lambda: analyse(TWO, Request(model("t-a-p"), estimator="moment-em", interval="profile"))),
        ("moments-without", lambda: analyse(TWO, Request(model("t-a-p"), estimator="moment-em", interval="none"))),
        ("wald-on-edge", lambda: analyse(rated("000 111 000 111 000 111"), Request(model("t-a-p"), interval="wald"))),
        ("wald-inside", lambda: analyse(TWO, Request(model("t-a-p"), interval="wald"))),
        ("beside-alike", lambda: compared(of_accuracy(0.5), drawn(0.55))),
        ("beside-unlike", lambda: compared(of_accuracy(0.5), drawn(0.9))),
        ("beside-unsettled", lambda: compared(of_accuracy(0.5), replace(drawn(0.5), converged=False))),
        (
            "tests-of-classes",
            lambda: analyse(MANY, Request(model("t-ak-p"), interval="none", tests=True, replicates=5)),
        ),
    ),
    slow={"tests-of-classes"},
)
DRAWN = several(
    "drawn",
    (
        ("plain", finding),
        ("two-peaks", lambda: finding(modes=2)),
        ("switched", lambda: finding("dawid-skene")),
        ("by-covariate", lambda: finding("t-a(x)-p", ratings=covered(MIXED, "rater", age=[20.0, 30.0, 40.0]))),
        ("rates-held", lambda: finding("P-a-P")),
    ),
)
LEFT = several(
    "left",
    (
        ("many-shares", lambda: parameters.parameter_rows(fit("t-a-p", hexed(13)))),
        ("more-shares", lambda: parameters.parameter_rows(fit("t-a-p", hexed(14)))),
        ("edge-of-tables", lambda: parameters.degeneracy(table_edge("0"))),
        ("edge-of-tables-full", lambda: parameters.degeneracy(table_edge("1"))),
        ("known-beside", lambda: known_beside(list("000001111011"))),
        ("known-none", lambda: known_beside(())),
        ("raters-silent", lambda: unrated("raters")),
        ("cases-unrated", lambda: unrated("cases")),
        ("contour-none", lambda: optional._contour_study(replace(NO_FIT, ratings=rated("00 00", "0")))),
        ("plan-none", lambda: optional._plan_study(replace(NO_FIT, ratings=rated("00 00", "0")))),
        ("recovery-none", lambda: answers_implied.RECOVERY.study(NO_FIT)),
        ("peaks-of-truth", lambda: fit("t-a-p", tallied(0, 30, 0, 0), estimator="posterior")),
        ("peaks-of-guesses", lambda: fit("t-a-p", tallied(9, 0, 3, 0, 9), estimator="posterior")),
        ("peaks-of-accuracy", lambda: fit("t-a-p", tallied(20, 20, 0, 0, 0), estimator="posterior")),
        ("range-of-two", lambda: rests_on_it(fit("t-a-t", drawn_pairs(), interval="profile"))),
        ("root-below-0", lambda: cut_points.cuts(below_0(), Answer(None, TWO, TWO).style)),
        ("root-above-0", lambda: cut_points.cuts(above_0(), Answer(None, TWO, TWO).style)),
        ("held-accuracy", lambda: parameters.meanings(fit("P-a-P", MANY))),
        ("luck-alike", horizon_of_none),
        ("weights-all", lambda: agree(rated("00 00 00 11", "012", ordered=True), weights=("linear",))),
        ("luck-of-one-class", lambda: of_two_classes(rated("00 00 00"))),
        ("others-alike", lambda: influence(rated("000 001 000 001 001"), 1, 0.95)),
        ("others-unlike", lambda: influence(TWO, 1, 0.95)),
        ("too-large", lambda: compare_grid(LARGE, 2, 1)),
        ("chance-is-all", lambda: agree(rated("0- 0- 11"))),
        ("class-empty", lambda: undefined_parameters(*empty_class())),
        (
            "slope-endless",
            lambda: analyse(SEPARATED, Request(replace(model("t-a(x)-p"), covariates=("age",)), interval="none")),
        ),
        (
            "wald-flat",
            lambda: _walded(
                replace(
                    WALD,
                    estimates=tuple(
                        replace(e, estimate=replace(e.estimate, se=None, low=None, high=None, level=None))
                        for e in WALD.estimates
                    ),
                    active_bounds=(),
                ),
                0.95,
            ),
        ),
        (
            "core-of-two",
            lambda: identification.by_core(
                design(model("t-aj-p"), CHAIN), lambda part: Identification(part.units[0] == "R0", True, "x")
            ),
        ),
        (
            "stale",
            lambda: fit_parts.words_content(
                Answer(
                    fit(),
                    TWO,
                    TWO,
                    analysis=Analysis("x", Request(model("t-a-p")), fit(), stale=True, run_at="2026-01-01T10:00:00"),
                )
            ),
        ),
        (
            "fresh",
            lambda: fit_parts.words_content(
                Answer(fit(), TWO, TWO, analysis=Analysis("x", Request(model("t-a-p")), fit()))
            ),
        ),
        ("astray-one", lambda: fit_parts.posterior_words(astray(1))),
        ("astray-some", lambda: fit_parts.posterior_words(astray(3))),
        ("sure-of-plan", planned),
        ("kappa-below-0", lambda: lines(0.2, 0.8)),
    ),
    slow={"too-large", "astray-one", "peaks-of-truth", "peaks-of-accuracy"},
)
SITUATIONS: tuple[Situation, ...] = (*PAIRS, *NUMBERS, *CLASS, *DRAWN, *LEFT)
