"""What cannot be asked, each beside what can be: every row is one request with one thing wrong in it."""

from dataclasses import replace
from functools import partial

import numpy as np

from tapdesk.agreement.coefficients import agree
from tapdesk.agreement.tables import user_weights, weights
from tapdesk.agreement.word_scales import WordScale
from tapdesk.answers.figures.catalog import picture
from tapdesk.answers.question import QUESTIONS
from tapdesk.fitting.em import ExactEM, MomentEM
from tapdesk.fitting.priors import Dirichlet, Prior, parse_prior, parse_sampling_prior, prior_counts, priors_of
from tapdesk.fitting.quadrature.method import Quadrature, count_model
from tapdesk.fitting.sampling.method import Sampling, refuses_sharpened
from tapdesk.models.design import design, groups_of_ratings
from tapdesk.models.model import model
from tapdesk.models.parameter_text import parse_parameters
from tapdesk.models.simulate import exact
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.belief_calibration import belief_calibration
from tapdesk.studies.coverage import CoveragePart, chosen_cells, covered
from tapdesk.studies.design_study import StudySize, no_grid, no_squares, plan, votes
from tapdesk.studies.kappa_study import kappa_study
from tapdesk.studies.recovery import RecoveryPlan, Setting, recover, shared_point
from tapdesk.studies.scan import pairs, scan
from tapdesk.studies.share_coverage import ShareCells, share_coverage
from tapdesk.studies.subsets import groups
from tests.words.situations.data import MIXED, THREE, rated
from tests.words.situations.data import covered as with_columns
from tests.words.situations.situation import Situation, several

TWO, MANY = rated(MIXED), rated(THREE, "012")
NOTHING = rated(())
RATERS = ("J1", "J2")
HUGE = rated(["01" * 20] * 4, tuple(f"c{k}" for k in range(2)))
POINT = shared_point((0.6, 0.4), 0.6, (0.5, 0.5))


def parameters(name, *texts, classes=("no", "yes")):
    return partial(parse_parameters, model(name), texts, classes, RATERS)


def asked(key, ratings, every=None):
    """Whether a question can be asked."""
    question = next(one for one in QUESTIONS if one.key == key)
    return lambda: question.refuses(ratings, every or ratings)


def by(*names, **columns):
    """The design of a model with covariates."""
    of = columns.pop("of", "rater")
    ratings = with_columns(MIXED, of, **columns) if columns else TWO
    request = model("t-a(x)-p")
    return lambda: design(replace(request, covariates=names), ratings)


def in_groups(of, **columns):
    """The design of a model of groups, by the column that is named last."""
    request = replace(model("t-a-p"), groups=next(iter(columns), ""))
    ratings = with_columns(MIXED, of, **columns) if columns else TWO
    return lambda: groups_of_ratings(request, ratings).of_subjects(ratings)


def part_of_coverage(**changes):
    given = {"setting": chosen_cells()[0], "kind": "wald", "sets": 1, "seed": 1, "level": 0.95} | changes
    return lambda: covered([CoveragePart(**given)])


PARAMETERS = several(
    "parameters",
    (
        ("right", parameters("t-a-p", "t=.4", "a=.6", "p=.5")),
        ("twice", parameters("t-a-p", "t=.4", "t=.5", "a=.6", "p=.5")),
        ("no-assignment", parameters("t-a-p", "t")),
        ("no-number", parameters("t-a-p", "t=x")),
        ("endless", parameters("t-a-p", "t=inf")),
        ("one-class", parameters("t-a-p", "t=.4", classes=("no",))),
        ("sharpened", parameters("ti-aj-P", "a=.5")),
        ("unknown", parameters("t-a-p", "t=.4", "a=.6", "p=.5", "q=.5")),
        ("bracketed", parameters("t-a-p", "t[J1]=.4", "a=.6", "p=.5")),
        ("lacking", parameters("t-a-p", "t=.4", "p=.5")),
        ("above-1", parameters("t-a-p", "t=1.4", "a=.6", "p=.5")),
        ("too-few-rates", parameters("t-a-p", "t=.4,.6", "a=.6", "p=.5", classes="abc")),
        ("no-sum", parameters("t-a-p", "t=.4,.5", "a=.6", "p=.5")),
        ("too-many", parameters("t-a-p", "t=.4", "a=.6,.7", "p=.5")),
        ("accuracy-above-1", parameters("t-aj-p", "t=.4", "a=.6,1.7", "p=.5")),
        ("several-for-one", parameters("t-aj-p", "t=.4", "a=.6", "a[J1]=.6,.7", "p=.5")),
        ("no-probability", parameters("t-a-p", "t=.4", "a=1.6", "p=.5")),
        ("shared", parameters("t-a-p", "t=.4", "a=.6", "a[J1]=.6", "p=.5")),
        ("nobody", parameters("t-aj-p", "t=.4", "a=.6", "a[J9]=.6", "p=.5")),
        ("table-without-class", parameters("dawid-skene", "t=.4", "pi=.6")),
    ),
)
PRIORS = several(
    "prior",
    (
        ("right", lambda: priors_of("tap", [parse_prior("a=beta(2,5)")])),
        ("unreadable", lambda: parse_prior("a=normal")),
        ("improper", lambda: Prior("a", 0, 1)),
        ("unknown", lambda: priors_of("tap", [Prior("q")])),
        ("twice", lambda: priors_of("tap", [Prior("a"), Prior("a")])),
        ("dirichlet-right", lambda: prior_counts(design(model("t-a-p"), MANY), (Dirichlet("t", (1, 2, 1)),))),
        ("dirichlet-improper", lambda: Dirichlet("t", (0, 1))),
        ("dirichlet-unreadable", lambda: parse_sampling_prior("t=dirichlet(1,x)")),
        ("dirichlet-unreadable-at-all", lambda: parse_sampling_prior("t=(1,x)")),
        ("sampled-unknown", lambda: prior_counts(design(model("t-a-p"), TWO), (Prior("q"),))),
        ("sampled-twice", lambda: prior_counts(design(model("t-a-p"), TWO), (Prior("a"), Prior("a")))),
        ("of-one-rate", lambda: prior_counts(design(model("t-a-p"), TWO), (Dirichlet("a", (1, 1)),))),
        ("of-other-classes", lambda: prior_counts(design(model("t-a-p"), MANY), (Dirichlet("t", (1, 1)),))),
    ),
)
METHODS = several(
    "method",
    (
        ("right", lambda: (ExactEM(), MomentEM(), Sampling(), Quadrature(), Request(model("t-a-p")))),
        ("tolerance", lambda: ExactEM(tolerance=0)),
        ("limit", lambda: ExactEM(limit=0)),
        ("random-starts", lambda: ExactEM(random_starts=-1)),
        ("moment-prior", lambda: MomentEM(prior="x")),
        ("one-chain", lambda: Sampling(chains=1)),
        ("chains", lambda: Sampling(chains=2)),
        ("draws", lambda: Sampling(draws=10)),
        ("sampling-level", lambda: Sampling(level=1)),
        ("sharpness", lambda: Sampling(sharpness=0)),
        ("quadrature-level", lambda: Quadrature(level=0)),
        ("quadrature-model", lambda: count_model(model("t-aj-p"))),
        ("quadrature-apart", lambda: Quadrature().refuses(model("t-aj-p"), TWO)),
        ("groups-unnamed", in_groups("case")),
        ("groups-gaps", in_groups("case", ward=np.array(["a"] * 11 + [""], dtype=object))),
        ("groups-of-one-value", in_groups("case", ward=np.array(["a"] * 12, dtype=object))),
        ("groups-inside-cases", in_groups("rater", site=np.array(["a", "b", "b"], dtype=object))),
        ("groups-right", in_groups("case", ward=np.array(["a", "b"] * 6, dtype=object))),
        ("quadrature-classes", lambda: Quadrature().refuses(model("t-a-p"), MANY)),
        ("quadrature-fits", lambda: Quadrature().refuses(model("t-a-p"), TWO)),
        ("sharpened-classes", lambda: refuses_sharpened(MANY)),
        ("sharpened-fits", lambda: refuses_sharpened(TWO)),
        ("request-interval", lambda: Request(model("t-a-p"), interval="x")),
        ("request-level", lambda: Request(model("t-a-p"), level=95)),
        ("request-one-resample", lambda: Request(model("t-a-p"), replicates=0)),
        ("request-seed", lambda: Request(model("t-a-p"), seed=-1)),
        ("priors-of-a-maximum", lambda: refusal(TWO, Request(model("t-a-p"), priors=(Prior("a"),)))),
        ("priors-of-a-fit", lambda: analyse(TWO, Request(model("t-a-p"), priors=(Prior("a"),)))),
        ("unknown-model", lambda: model("t-b-p")),
        ("covariates-none", by()),
        ("covariates-unknown", by("weight", age=(20.0, 30.0, 40.0))),
        ("covariates-text", by("site", site=np.array(["a", "b", "c"], dtype=object))),
        ("covariates-gaps", by("age", age=(20.0, np.nan, 40.0))),
        ("covariates-right", by("age", age=(20.0, 30.0, 40.0))),
        ("too-many-patterns", lambda: exact(model("t-aj-p"), POINT, ("no", "yes"), [f"R{j}" for j in range(40)], 10)),
        ("patterns-right", lambda: exact(model("t-a-p"), POINT, ("no", "yes"), RATERS, 10)),
    ),
)
SCORES = np.array([[1.0, 0.5], [0.5, 1.0]])
AGREEMENT = several(
    "agreement",
    (
        ("level", lambda: agree(TWO, level=95)),
        ("interval", lambda: agree(TWO, interval="x")),
        ("one-resample", lambda: agree(TWO, interval="bootstrap", replicates=1)),
        ("no-resample", lambda: agree(TWO, interval="bootstrap", replicates=0)),
        ("weights-right", lambda: weights(user_weights("own", SCORES), TWO)),
        ("weights-shape", lambda: user_weights("own", SCORES[:1])),
        ("weights-range", lambda: user_weights("own", 2 * SCORES)),
        ("weights-diagonal", lambda: user_weights("own", np.full((2, 2), 0.5))),
        ("weights-one-sided", lambda: user_weights("own", np.array([[1.0, 0.5], [0.2, 1.0]]))),
        ("weights-all-1", lambda: user_weights("own", np.ones((2, 2)))),
        ("weights-of-others", lambda: weights(user_weights("own", SCORES), MANY)),
        ("weights-unknown", lambda: weights("cubic", TWO)),
        ("weights-without-order", lambda: weights("linear", MANY)),
        ("bands-right", lambda: WordScale("own", ((-1, "poor"), (0.5, "good")))),
        ("bands-wrong", lambda: WordScale("own", ((0, "poor"), (0.5, "good")))),
    ),
)
STUDIES = several(
    "study",
    (
        ("coverage-kind", part_of_coverage(kind="x")),
        ("coverage-sets", part_of_coverage(sets=0)),
        ("shares-none", lambda: share_coverage([ShareCells(30, 3, (0.5,), 0.5, (0.5,), 0)])),
        ("beliefs-none", lambda: belief_calibration(0)),
        ("recovery-none", lambda: recover(RecoveryPlan(model("t-a-p"), (), 1))),
        (
            "recovery-mixed",
            lambda: recover(
                RecoveryPlan(
                    model("t-a-p"),
                    (Setting(POINT, 5, 2), Setting(shared_point((0.2, 0.3, 0.5), 0.5, (0.2, 0.3, 0.5)), 5, 2)),
                    1,
                )
            ),
        ),
        ("recovery-right", lambda: recover(RecoveryPlan(model("t-a-p"), (Setting(POINT, 5, 2),), 1))),
        ("scan-one-class", lambda: scan(rated("000 000", "0"), Request(model("t-a-p")))),
        ("pairs-one-class", lambda: pairs(rated("000 000", "0"), Request(model("t-a-t")))),
        ("groups-right", lambda: groups(with_columns(MIXED, "case", ward=[1.0, 2.0] * 6), "ward")),
        ("groups-unknown", lambda: groups(with_columns(MIXED, "case", ward=[1.0, 2.0] * 6), "site")),
        ("groups-many", lambda: groups(with_columns(MIXED, "case", ward=list(np.arange(12.0))), "ward", most=5)),
        ("groups-empty", lambda: groups(with_columns(MIXED, "case", ward=[np.nan] * 12), "ward")),
        ("groups-of-one", lambda: groups(with_columns(MIXED, "case", ward=list(np.arange(12.0))), "ward")),
        ("kappa-none", lambda: kappa_study(0, 3)),
        ("kappa-rates", lambda: kappa_study(5, 3, rates=(2,))),
        ("kappa-raters", lambda: kappa_study(5, 100_000)),
        ("kappa-right", lambda: kappa_study(5, 3, rates=(0.5,), accuracies=(0.5,))),
        ("plan-none", lambda: plan(POINT, [0], [1])),
        ("plan-right", lambda: plan(POINT, [20], [3], replicates=0)),
        ("plan-wide", lambda: plan(POINT, [], [3], width=0.00001, replicates=0)),
        ("votes-many", lambda: votes(shared_point((0.1,) * 10, 0.5, (0.1,) * 10), [50])),
        ("grid-none", lambda: no_grid(StudySize(0, 3, 3, 0))),
        ("squares-none", lambda: no_squares(StudySize(0, 3, 3, 0))),
    ),
)
ASKED = several(
    "asked",
    (
        ("knowledge", asked("knowledge", TWO)),
        ("knowledge-one-class", asked("knowledge", rated("000 000", "01"))),
        ("raters-seats", asked("raters", rated(MIXED, raters_known=False))),
        ("raters-two", asked("raters", rated("01 00 11 10"))),
        ("raters-right", asked("raters", TWO)),
        ("raters-many", asked("raters", rated(["0123" * 20, "1230" * 20], "0123"))),
        ("lines-one", asked("lines", rated("000 000", "0"))),
        ("lines-two", asked("lines", TWO)),
        ("lines-no-order", asked("lines", MANY)),
        ("lines-right", asked("lines", rated(THREE, "012", ordered=True))),
        ("lines-many", asked("lines", rated(["01" * 8], tuple("abcdefghijklmno"), ordered=True))),
        ("classes-many", asked("classes", rated(["01" * 8], tuple("abcdefghijklmno")))),
        ("classes-right", asked("classes", MANY)),
        ("enough-many", asked("enough", rated(["01234"], "01234"))),
        ("picture", lambda: picture("x")),
        ("picture-right", lambda: picture("tree").title),
    ),
)
SITUATIONS: tuple[Situation, ...] = (*PARAMETERS, *PRIORS, *METHODS, *AGREEMENT, *STUDIES, *ASKED)
