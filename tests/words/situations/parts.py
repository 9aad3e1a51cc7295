"""Sentences, tables and pictures of values that are typed in or found at once, each with one thing changed."""

from dataclasses import replace
from functools import cache
from types import MappingProxyType

import numpy as np

from tapdesk.agreement.coefficients import agree
from tapdesk.agreement.interpretation import explain
from tapdesk.agreement.known import known_shares
from tapdesk.answers import cases, coefficients, fit_words, misfit, model_checks, parameters
from tapdesk.answers.cases import MOST_CASES
from tapdesk.answers.content import Column, Table
from tapdesk.answers.figure import Size
from tapdesk.answers.figures import data as data_figures
from tapdesk.answers.figures import designs, estimates, models, shares
from tapdesk.answers.figures.catalog import FIGURES, figures
from tapdesk.answers.known import KNOWN
from tapdesk.answers.part import Answer
from tapdesk.answers.side_results import SideResults
from tapdesk.fitting.fit import BootstrapTest, Draws
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.chance import horizon
from tapdesk.studies.distribution import Shares
from tapdesk.studies.rater_differences import RaterDifferences, equal_leanings
from tapdesk.studies.rater_pairs import Independence
from tests.words.situations.data import MIXED, THREE, covered, rated
from tests.words.situations.situation import Situation, several

TWO, MANY = rated(MIXED), rated(THREE, "012", ordered=True)
NOTHING = rated(())


@cache
def fit(name="t-a-p", ratings=TWO, **request):
    """A small fit."""
    return finish(analyse(ratings, Request(model(name), **{"interval": "none", **request})))


def test(p):
    """A test with this p-value."""
    return BootstrapTest("x", 1.0, None, p, {"0.95": 2.0}, 199, np.linspace(0, 3, 199), "nothing")


def picture(kind, of, ratings):
    """A picture of the catalog, or why it cannot be drawn."""
    return lambda: figures(kind, of(), ratings)


def estimate(fitted, name, **changes):
    """The same fit with one of its estimates changed."""
    new = tuple(
        replace(e, estimate=replace(e.estimate, **changes)) if str(e.name) == name else e for e in fitted.estimates
    )
    return replace(fitted, estimates=new)


STEPS = np.linspace(0.5, 0.9, 40)


def tied(more):
    """Forty beliefs of which so many more are as low as the last one listed."""
    sure = STEPS.copy()
    sure[MOST_CASES : MOST_CASES + more] = sure[MOST_CASES - 1]
    return sure


def agreed(rows, classes="01", **more):
    """All coefficients of some ratings, in words, as tables, and with what they stand for."""
    request = {key: more.pop(key) for key in ("weights", "interval", "replicates") if key in more}
    ratings = rated(rows, classes, **more)
    result = finish(agree(ratings, **request))
    answer = Answer(None, ratings, ratings, SideResults(coefficients=result, all_classes=result))
    parts = [part.content(answer) for part in coefficients_parts()]
    tables = (
        coefficients.coefficients(result, answer.style),
        coefficients.pair_kappas(result, answer.style),
        coefficients.benchmarks(result, answer.style),
    )
    return result, parts, tables, [explain(one) for one in result]


def unworked():
    """The parts about agreement where no coefficient was worked out."""
    return [part.content(Answer(None, TWO, TWO)) for part in coefficients_parts()]


def coefficients_parts():
    from tapdesk.answers.parts import PARTS

    return [part for part in PARTS if part.section == "agreement" and part.key not in {"known", "sets"}]


def known(texts, rows=MIXED):
    """What is said of answers known to be true, one for each case."""
    ratings = replace(covered(rows, "case", lab=np.array(texts, dtype=object)), known="lab")
    return KNOWN.title, KNOWN.explanation, KNOWN.content(Answer(None, ratings, ratings)), known_shares(ratings)


RARE = rated(["000"] * 60 + ["100"])
FEW = rated(["000"] * 30 + ["001"] * 5)
NAMES = [f"k{i}" for i in range(9)]
NINE = rated(["000"] * 30 + [f"{k}00" for k in range(1, 9)], NAMES)
ALIKE = Independence(
    ("A", "B", "C"),
    *np.array([[0, 0, 1], [1, 2, 2], [30, 30, 30]]),
    *np.full((7, 3), 0.5),
    np.zeros(3, dtype=bool),
    "agreement",
    20,
)


def pairs_seen(observed, expected, flagged, **more):
    return replace(ALIKE, observed=np.array(observed), expected=np.array(expected), flagged=np.array(flagged), **more)


OFTEN = pairs_seen([0.9] * 3, [0.5] * 3, [True] * 3)
ONE_PAIR = pairs_seen([0.9, 0.5, 0.5], [0.5] * 3, [True, False, False])
SELDOM = pairs_seen([0.1] * 3, [0.5] * 3, [True] * 3)
SPARSE = replace(ALIKE, shared=np.array([1, 1, 1]))


def apart(*names, reach=(0.2, 0.9)):
    return misfit.about_raters(RaterDifferences(test(0.001), ("A", "B", "C"), (0.9, 0.8, 0.1), names, 0.8, reach))


def edge(bound, name="t-aj-pj"):
    fitted = fit(name)
    return lambda: parameters.degeneracy(replace(fitted, active_bounds=(bound,)))


def no_picture(kind, fitted, ratings):
    row = next(row for row in FIGURES if row.kind == kind)
    return row.needs(fitted(), ratings)


DRAWN = fit(redraws=True, replicates=20)


def moved(kind="bootstrap", lost=0):
    """Pictures of resamples of which so many give no value."""
    values = {name: np.where(np.arange(v.size) < lost, np.nan, v) for name, v in DRAWN.draws.values.items()}
    return estimates.parameters(replace(DRAWN, draws=Draws(kind, MappingProxyType(values))), TWO)


def wide(cases, count):
    return data_figures.coverage(rated(["01" * (count // 2)] * cases))


def shares_of(**changes):
    given = {"ratings": 3, "subjects": 12, "of": 12, "least": 3} | changes
    plain = figures("distribution", fit(), TWO)
    return plain, shares._distribution_note(Shares(**given))


def group(*rows):
    """The picture of groups with so many cases each, or the reason why there is no number."""
    from tapdesk.studies.table import StudyTable

    columns = ("ward", "cases", "a", "a low", "a high", "why_not")
    table = StudyTable(
        "groups",
        columns,
        tuple(
            (f"w{i}", size, None if why else 0.5, None if why else 0.4, None if why else 0.6, why)
            for i, (size, why) in enumerate(rows)
        ),
    )
    return models.untold(table), models.groups(table)


GOOD = (10, None)
NO_NUMBER = (10, "too few")
SETTLED = fit(interval="profile")


# Situations ----------------------------------------------------------------------------------------------------------

CASES = several(
    "cases",
    (
        ("listed-all", lambda: cases._listed(STEPS[:5], 5)),
        ("listed-some", lambda: cases._listed(STEPS, 30)),
        ("listed-one-more", lambda: cases._listed(tied(1), 30)),
        ("listed-three-more", lambda: cases._listed(tied(3), 30)),
    ),
)
AGREEMENT = several(
    "agreed",
    (
        ("two", lambda: agreed(MIXED)),
        ("three-ordered", lambda: agreed(THREE, "012", ordered=True, weights=("identity", "linear", "quadratic"))),
        ("three-unordered", lambda: agreed(THREE, "abc", weights=("linear",))),
        ("names", lambda: agreed(THREE, "abc")),
        ("below-luck", lambda: agreed("01 10 01 10 01 10 00 11")),
        ("one-case", lambda: agreed("010")),
        ("one-class", lambda: agreed("000 000 000")),
        ("never-complete", lambda: agreed("00- 0-1 -11 1-0 01- -00")),
        ("strangers", lambda: agreed("00-- 01-- --11 --01 11-- --00")),
        ("alike-pair", lambda: agreed("000 000 001 000 000 001")),
        ("rare-class", lambda: agreed("001 000 010 2-- 011 111", "012")),
        ("resampled", lambda: agreed(MIXED, interval="bootstrap", replicates=50)),
        ("resampled-few", lambda: agreed("00 00 00 01", interval="bootstrap", replicates=50)),
        ("single", lambda: agreed("000 0-- -1- 010 111 --1 011")),
        ("crowd", lambda: agreed(["01" * 40, "00" * 40, "10" * 40])),
        ("perfect", lambda: agreed("000 111 000 111")),
        ("nothing", unworked),
        ("once", lambda: agreed("0-- -1- --1")),
    ),
)
KNOWN_ANSWERS = several(
    "known",
    (
        ("all", lambda: known(list("000001111011"))),
        ("one", lambda: known(["0", *[""] * 11])),
        ("one-strange", lambda: known(list("00000111101x"))),
        ("two-strange", lambda: known(list("0000011110xx"))),
        ("none-rated", lambda: known(list("10"), ["---", "010"])),
        ("nothing", lambda: KNOWN.content(Answer(None, TWO, TWO))),
    ),
)
FITS = several(
    "fit",
    (
        ("few-cases", lambda: (fit_words.few_data(fit(), TWO), fit_words.caution(fit(), TWO))),
        (
            "one-case",
            lambda: (
                fit_words.few_data(replace(fit(), subjects=1), TWO),
                fit_words.caution(replace(fit(), subjects=1), TWO),
            ),
        ),
        (
            "one-rare-rating",
            lambda: (fit_words.few_data(fit("t-a-p", RARE), RARE), fit_words.caution(fit("t-a-p", RARE), RARE)),
        ),
        (
            "rare-ratings",
            lambda: (fit_words.few_data(fit("t-a-p", FEW), FEW), fit_words.caution(fit("t-a-p", FEW), FEW)),
        ),
        ("many-rare-classes", lambda: fit_words.few_data(fit("t-a-p", NINE), NINE)),
        ("accuracy-one", lambda: fit_words.headline(fit(), TWO)),
        (
            "accuracy-by-covariate",
            lambda: fit_words.many_accuracies(replace(fit(), model=model("t-a(x)-p")), "3 ratings"),
        ),
        ("accuracy-none", lambda: fit_words.many_accuracies(replace(fit(), model=model("dawid-skene")), "3 ratings")),
        ("model", lambda: fit_words.model_words(fit())),
        ("pairs-alike", lambda: ALIKE.words),
        ("pairs-too-often", lambda: OFTEN.words),
        ("one-pair-too-often", lambda: ONE_PAIR.words),
        ("pairs-too-seldom", lambda: SELDOM.words),
        ("pairs-sparse", lambda: SPARSE.words),
        ("pairs-share-two", lambda: replace(SPARSE, shared=np.array([2, 1, 1])).words),
        ("pairs-table", lambda: model_checks.independent(ALIKE)),
        ("pairs-covariance", lambda: model_checks.independent(replace(ALIKE, measure="covariance"))),
        ("cases-differ", lambda: misfit.about_cases(fit())),
        ("cases-differ-three", lambda: misfit.about_cases(fit("t-a-p", MANY))),
        ("nobody-apart", apart),
        ("one-apart", lambda: apart("C")),
        ("leanings-alone", lambda: misfit.about_raters(RaterDifferences(test(0.001)))),
        ("two-apart", lambda: apart("B", "C")),
        ("spread-untold", lambda: apart(reach=(0.7, 0.7))),
        ("edge-follows-nothing", edge("a[R0] = 0")),
        ("edge-follows-always", edge("a[R0] = 1")),
        ("edge-guesses-never", edge("p[R0] = 0")),
        ("edge-guesses-always", edge("p[R0] = 1")),
        ("edge-of-a-table", edge("pi[0, R0] = 0", "dawid-skene")),
        ("edge-of-a-table-full", edge("pi[0, R0] = 1", "dawid-skene")),
        ("no-edge", lambda: parameters.degeneracy(fit("t-aj-pj"))),
        ("nothing-moves", lambda: parameters.nothing_moves(fit())),
        ("resamples-move", lambda: parameters.nothing_moves(fit(redraws=True, replicates=20))),
        ("meanings", lambda: parameters.meanings(fit("t-a-p", MANY))),
        ("meanings-held", lambda: parameters.meanings(fit("P-a-P", MANY))),
        ("meanings-tied", lambda: parameters.meanings(fit("t-a-t", MANY))),
        ("meanings-many", lambda: parameters.meanings(fit("t-a-p", NINE))),
        ("leanings", lambda: equal_leanings(TWO, 20, 1)),
        ("luck-of-one-class", lambda: horizon(rated("000 000"), 20, 1)),
        ("luck", lambda: horizon(TWO, 20, 1)),
        ("moments", lambda: fit("t-a-p", estimator="moment-em", ratings=MANY)),
    ),
)
PICTURES = several(
    "picture",
    (
        ("width", lambda: Size(1000)),
        ("dots", lambda: Size(100, 1)),
        ("size-right", lambda: Size(100, 100)),
        ("nothing-drawn", lambda: [no_picture(row.kind, fit, NOTHING) for row in FIGURES]),
        ("of-tables", lambda: [no_picture(row.kind, lambda: fit("dawid-skene"), TWO) for row in FIGURES]),
        ("of-unordered", lambda: no_picture("scan", lambda: fit("t-a-p", rated(THREE, "abc")), rated(THREE, "abc"))),
        ("of-ordered", lambda: no_picture("scan", lambda: fit("t-a-p", MANY), MANY)),
        ("of-one-rater", lambda: no_picture("independence", fit, rated("0 1 0 1"))),
        ("of-strangers", lambda: no_picture("pairs", fit, rated("0-- -1- --1"))),
        (
            "of-undetermined",
            lambda: [
                no_picture(row.kind, lambda: fit("t-a-p", rated("01 00 11 10 11")), rated("01 00 11 10 11"))
                for row in FIGURES
            ],
        ),
        ("one-number", lambda: no_picture("contour", lambda: fit("P-a-P"), TWO)),
        ("pairs-small", lambda: figures("pairs", fit(), TWO)),
        ("pairs-wide", lambda: figures("pairs", fit(), rated(["01" * 15, "10" * 15, "00" * 15, "11" * 15, "01" * 15]))),
        ("votes", lambda: figures("votes", SETTLED, TWO)),
        ("votes-no-interval", lambda: figures("votes", fit(), TWO)),
        ("contour-by-rater", lambda: figures("contour", fit("t-a-pj"), TWO)),
        ("moved", moved),
        ("moved-simulated", lambda: moved("parametric-bootstrap")),
        ("moved-one-lost", lambda: moved(lost=1)),
        ("moved-some-lost", lambda: moved(lost=5)),
        ("moved-all-lost", lambda: moved(lost=20)),
        ("coverage", lambda: wide(5, 2)),
        ("coverage-many-cases", lambda: wide(2000, 2)),
        ("coverage-many-raters", lambda: wide(5, 200)),
        ("groups", lambda: group(GOOD, (20, None))),
        ("groups-alike", lambda: group(GOOD, GOOD)),
        ("group-one", lambda: group(GOOD)),
        ("groups-one-untold", lambda: group(*[NO_NUMBER] * 4, GOOD)),
        ("groups-some-untold", lambda: group(*[NO_NUMBER] * 9, GOOD)),
        ("groups-many", lambda: group(*[GOOD] * 200)),
        ("table-cut", lambda: Table("x", (Column("a"),), tuple((str(i),) for i in range(9)), most=3).printed()),
        ("table-whole", lambda: Table("x", (Column("a"),), tuple((str(i),) for i in range(2)), most=3).printed()),
        ("plan-unsure", lambda: designs.unsure(fit())),
        ("plan-sure", lambda: designs.unsure(SETTLED)),
    ),
    slow={"contour-by-rater", "of-undetermined"},
)
SITUATIONS: tuple[Situation, ...] = (*CASES, *AGREEMENT, *KNOWN_ANSWERS, *FITS, *PICTURES)
