"""Further parts: studies of a size, beliefs that were drawn, plans, words of the user, data that were changed."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from tapdesk.agreement.coefficients import agree
from tapdesk.answers import (
    coefficients,
    comparisons,
    design_study,
    model_checks,
    model_comparison,
    ranks,
    raters,
    user_words,
)
from tapdesk.answers.demands import DEMANDS
from tapdesk.answers.figures import design_study as sized
from tapdesk.answers.figures import designs
from tapdesk.answers.figures import raters as rater_figures
from tapdesk.answers.fix_effects import FixEffect, effect_words
from tapdesk.answers.part import Answer
from tapdesk.answers.parts import SHELVES
from tapdesk.answers.side_results import STUDIES, Basis, SideResults
from tapdesk.answers.side_studies import SIDE_STUDIES
from tapdesk.estimate import Estimate
from tapdesk.models.model import (
    GRID_MODELS,
    MEMORY_MODELS,
    MODELS,
    NEAR_MODELS,
    QUESTION_MODELS,
    model,
)
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request
from tapdesk.studies.contrasts import Contrasts
from tapdesk.studies.design_study import (
    DesignStudy,
    plan,
    plan_point,
    size_of,
)
from tapdesk.studies.differences import each_alone
from tapdesk.studies.grid_hypotheses import no_difficulty
from tapdesk.studies.kappa_study import kappa_study
from tapdesk.studies.model_comparison import compare_grid
from tapdesk.studies.pooled_raters import _estimate
from tapdesk.studies.rater_diagnostics import Calibration
from tapdesk.studies.recovery import RecoveryPlan, RecoveryRange, Setting, recover, shared_point
from tapdesk.studies.wrong_together import _estimate as of_ratio
from tapdesk.studies.wrong_together import wrong_together
from tests.words.situations.data import covered, rated
from tests.words.situations.fitting import PROFILED
from tests.words.situations.parts import ALIKE, TWO, fit, test
from tests.words.situations.situation import Situation, several

CELLS = (0.1, 0.5, 0.9)


def recovered(posterior=False):
    settings = tuple(
        Setting(shared_point([1 - t, t], a, [1 - p, p]), 12, 3) for t in CELLS for a in CELLS for p in CELLS
    )
    return finish(recover(RecoveryPlan(model("t-a-p"), settings, 1, 1, posterior)))


def grid():
    study = DesignStudy(size_of(TWO), recovered(), 1)
    return sized.grid(study), design_study.grid(study), design_study.why_grid(), sized.recovery(study.table)


def squares(cases=12, accuracies=(0.1, 0.5, 0.9)):
    table = finish(kappa_study(cases, 3, rates=CELLS, accuracies=accuracies))
    study = DesignStudy(replace(size_of(TWO), subjects=cases), table, 1)
    return sized.squares(study), design_study.squares(study), design_study.why_square(), sized.kappas(table)


def found_again(**changes):
    ranges = (RecoveryRange(0, 0.5, 0.5, 0.4, 0.6, 0.0), replace(RecoveryRange(1, 0.5, 0.5, 0.4, 0.6, 0.0), **changes))
    return designs.cautions(PROFILED, ranges), designs.recovery(PROFILED, ranges, 20)


POINT = shared_point((0.6, 0.4), 0.6, (0.5, 0.5))


def at_edge(low=0.8, truth=(0.5, 0.5)):
    """A fit whose accuracy is found at 1."""
    fitted = replace(
        PROFILED, parameters=replace(PROFILED.parameters, accuracy=np.array([[1.0]]), truth=np.array(truth))
    )
    a = Estimate(1.0) if low is None else Estimate(1.0, low=low, high=1.0, level=0.95, how="profile")
    return replace(
        fitted, estimates=tuple(replace(e, estimate=a) if str(e.name) == "a" else e for e in fitted.estimates)
    )


def study(name, ratings=TWO, of=None, **known):
    row = next(row for row in SIDE_STUDIES if row.name == name)
    return row.run(
        Basis(
            ratings, ratings, of, Request(model("t-a-p")), SimpleNamespace(level=0.95, seed=1, replicates=5), known, {}
        )
    )


def apart(accuracies, unsure=0):
    """What is said of raters of whom these stand apart."""
    fitted = fit("t-aj-p", interval="wald")
    values = [Estimate(a, low=a - 0.01, high=a + 0.01, level=0.95, how="wald") for a in accuracies]
    values = [Estimate(e.value) if i < unsure else e for i, e in enumerate(values)]
    contrasts = Contrasts("t-aj-p", fitted.raters, each(values, 0.5), (), None, each(values, 0.5))
    known = SimpleNamespace(test=test(0.001))
    side = SideResults(rater_contrasts=contrasts, differences=known)
    told = replace(
        fitted,
        estimates=tuple(
            replace(e, estimate=next(v)) if e.name.name == "a" else e for v in [iter(values)] for e in fitted.estimates
        ),
    )
    return raters.who_differs(told, Estimate(0.5, low=0.45, high=0.55), side)


def each(values, whole):
    return each_alone(
        [*values, Estimate(whole, low=whole - 0.01, high=whole + 0.01, level=0.95, how="wald")], 0.95, len(values)
    )


def few_reasons(count):
    from tapdesk.answers.fit_tables import _few

    return _few([f"why {i}" for i in range(count)])


def group_rows(numbers):
    from tapdesk.studies.table import StudyTable

    names = ["a", *(f"t[{i}]" for i in range(numbers))]
    columns = ("ward", "cases", "ratings", *(f"{n}{e}" for n in names for e in ("", " low", " high")), "why_not")
    return StudyTable(
        "groups", columns, (("w", 10, 30, *[0.5] * 3 * len(names), None), ("v", 10, 30, *[0.5] * 3 * len(names), None))
    )


def grid_of_tests():
    result = finish(compare_grid(TWO, 5, 1))
    return (
        comparisons.tests(result),
        model_comparison.answers(result),
        model_comparison.luck(result),
        model_comparison.best(result),
        result,
    )


def crowd():
    count = 400
    one = {
        name: np.full(count, 0.5) for name in ("observed", "expected", "low", "high", "deviation", "p", "p_adjusted")
    }
    return replace(
        ALIKE,
        raters=tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZabcd"),
        first=np.zeros(count, dtype=int),
        second=np.ones(count, dtype=int),
        shared=np.full(count, 30),
        flagged=np.zeros(count, dtype=bool),
        **one,
    )


def influence_table(value):
    from tapdesk.studies.subsets import influence as left_out

    table = finish(left_out(TWO, 1, 0.95))
    from tapdesk.studies.table import StudyTable

    blank = {"a", "a_change", "fleiss_kappa", "fleiss_kappa_change", "kappa", "kappa_change"}
    if np.isnan(value):
        rows = tuple(
            tuple(None if c in blank else v for c, v in zip(table.columns, row, strict=True)) for row in table.rows
        )
        return StudyTable(table.kind if hasattr(table, "kind") else "influence", table.columns, rows)
    return table


def calibration(count, off):
    """So many rates, each so far from the model; two standard errors are .03."""
    made, seen = np.full(count, 0.4), np.full(count, 0.4 + off)
    return Calibration(
        tuple(f"R{i}" for i in range(count)), np.full(count, 1000), made, seen, seen - 0.03, seen + 0.03, abs(off)
    )


def effect(accuracy, before, after):
    """What an answer to a question about the data would do."""
    return effect_words(FixEffect(None, "Leave out Gold", accuracy, before, after))


def ordered(*rows, **more):
    """What is said of ratings that put the cases in order, a column for each rater."""
    ratings = rated(rows, tuple("1234567"), ordered=True, **more)
    result = finish(agree(ratings))
    answer = Answer(fit(), ratings, ratings, SideResults(coefficients=result))
    return ranks.of_ranks(answer), (ranks.RANKS.title, ranks.RANKS.explanation, ranks.RANKS.content(answer))


def against_key(texts, name="t-a-p"):
    """A panel held against answers that are known, a point for none."""
    rows = "000 000 001 000 010 000 111 111 110 111 101 111"
    answers = np.array(["" if sign == "." else sign for sign in texts], dtype=object)
    return wrong_together(replace(covered(rows, "case", lab=answers), known="lab"), model(name), 5, 1)


def unranked():
    answer = Answer(fit(), TWO, TWO, SideResults(coefficients=finish(agree(TWO))))
    return ranks.of_ranks(answer), ranks.RANKS.content(answer), finish(agree(rated("01 01 01", "01", ordered=True)))


# Situations ----------------------------------------------------------------------------------------------------------

SIZES = several(
    "size",
    (
        ("grid", grid),
        ("squares", squares),
        ("squares-tiny", lambda: squares(2)),
        ("plan", lambda: designs.sheet(finish(plan(POINT, [20, 50], [3], replicates=0)))),
        ("plan-of-two", lambda: designs.plan(finish(plan(POINT, [20, 50], [2, 3], replicates=0)))),
        (
            "plan-endless",
            lambda: plan(shared_point([0.5, 0.5], 0.02, [0.5, 0.5]), [], [3, 4], width=0.0001, replicates=0),
        ),
        ("kappa-raters", lambda: kappa_study(100_000, 5_000, rates=(0.5,), accuracies=(0.5,))),
        ("plan-from-edge", lambda: plan_point(at_edge(low=None), TWO)),
        ("plan-from-edge-of-one-class", lambda: plan_point(at_edge(truth=(1.0, 0.0)), TWO)),
        ("plan-from-edge-right", lambda: plan_point(at_edge(), TWO).classes),
        ("again", found_again),
        ("again-aside", lambda: found_again(true=0.9)),
        ("again-without", lambda: found_again(without=0.1)),
    ),
)
BESIDE = several(
    "beside",
    (
        ("nobody-apart", lambda: apart((0.5, 0.5, 0.5))),
        ("one-apart", lambda: apart((0.2, 0.5, 0.5))),
        ("two-apart", lambda: apart((0.2, 0.8, 0.5))),
        ("one-unsure", lambda: apart((0.5, 0.5, 0.5), unsure=1)),
        ("answer-none", lambda: study("goodness")),
        ("contrasts-none", lambda: study("rater_contrasts")),
        ("complete-all", lambda: study("complete")),
        ("complete-right", lambda: study("complete", rated("000 000 01- 011 111 111 11- 101 000"))),
        ("complete-many", lambda: study("complete", SimpleNamespace(subject=SimpleNamespace(size=10**9)))),
        ("coefficients-none", lambda: coefficients._none(Answer(None, TWO, TWO))),
        ("reasons-few", lambda: coefficients._grouped([f"c{i}: why {i}" for i in range(3)])),
        ("reasons-many", lambda: coefficients._grouped([f"c{i}: why {i}" for i in range(30)])),
        ("reasons-of-a-fit", lambda: few_reasons(3)),
        ("reasons-of-a-fit-many", lambda: few_reasons(30)),
        ("groups-table", lambda: comparisons.groups_table(group_rows(1), "profile")),
        ("groups-table-many", lambda: comparisons.groups_table(group_rows(12), "profile")),
        ("tests", grid_of_tests),
        ("pairs-drawn", lambda: rater_figures.independent(fit(), ALIKE)),
        ("pairs-many-drawn", lambda: rater_figures.independent(fit(), crowd())),
        ("left-out-nothing", lambda: rater_figures.influences(fit(), influence_table(np.nan))),
        ("left-out", lambda: rater_figures.influences(fit(), influence_table(0.5))),
        ("calibrated-one-off", lambda: model_checks.calibrated([calibration(1, 0.5)], raters=True)),
        ("calibrated-one", lambda: model_checks.calibrated([calibration(1, 0.0)], raters=True)),
        ("calibrated-some-off", lambda: model_checks.calibrated([calibration(20, 0.5)], raters=True)),
        ("calibrated-all", lambda: model_checks.calibrated([calibration(20, 0.0)], raters=False)),
        ("informations-few", model_checks.too_few_informations),
    ),
    slow={"tests"},
)
CHANGED = several(
    "changed",
    (
        ("accuracy", lambda: effect(True, 0.57, 0.73)),
        ("accuracy-stays", lambda: effect(True, 0.57, 0.57)),
        ("agreement", lambda: effect(False, 0.57, 0.73)),
        ("agreement-stays", lambda: effect(False, 0.57, 0.57)),
        ("ranked", lambda: ordered("000", "112", "221", "333", "445", "554", "666")),
        ("ranked-one-case", lambda: ordered("00", "11")),
        ("ranked-alike", lambda: ordered("000", "111", "222", "333", "444", "555", "666")),
        ("unranked", unranked),
        ("key-none", lambda: wrong_together(TWO, model("t-a-p"), 5, 1)),
        ("key-known", lambda: against_key("000000111111")),
        ("key-one-class", lambda: against_key("000000......")),
        ("key-untold", lambda: against_key("000000111111", "dawid-skene")),
        ("ratio", lambda: of_ratio(0.5, np.linspace(0.4, 0.6, 9), 0.95)),
        ("ratio-none", lambda: of_ratio(float("nan"), np.linspace(0.4, 0.6, 9), 0.95)),
        ("equally-hard", no_difficulty),
        ("raters-at-the-end", lambda: _estimate(1.0, 0.1, 0.95)),
        ("raters-inside", lambda: _estimate(0.5, 0.1, 0.95)),
    ),
)
EXPLAINED = several(
    "explained",
    (
        ("shelves", lambda: SHELVES),
        ("demands", lambda: DEMANDS),
        ("studies", lambda: STUDIES),
        ("models", lambda: (MODELS, QUESTION_MODELS, GRID_MODELS)),
        ("models-again", lambda: (MEMORY_MODELS, NEAR_MODELS)),
        ("prompts", lambda: user_words.PROMPTS),
    ),
)
SITUATIONS: tuple[Situation, ...] = (*CHANGED, *SIZES, *BESIDE, *EXPLAINED)
