"""Fits and studies of small ratings, and of values that are typed in, each with one thing that decides what is said."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import numpy as np

from tapdesk.answers import cut_points, model_comparison, paradox
from tapdesk.answers.figures import designs
from tapdesk.answers.part import Answer
from tapdesk.estimate import LINEARISATION, Estimate
from tapdesk.fitting import identification
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import Identification
from tapdesk.fitting.sampling.method import Sampling, _identification, refuses_sharpened
from tapdesk.fitting.sampling.posterior_summary import estimate_of, summarise_draws
from tapdesk.fitting.undetermined import prior_answers
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.simulate import exact
from tapdesk.studies.analysis import Request, _instead_of_profiles
from tapdesk.studies.fleiss_kappa import root
from tapdesk.studies.model_comparison import ModelComparison, compare_fits
from tapdesk.studies.parallel import Checkpoint, _gone
from tapdesk.studies.rater_diagnostics import rater_informations
from tapdesk.studies.rater_pairs import independence
from tapdesk.studies.rater_slopes import rater_slopes
from tapdesk.studies.recovery import no_recovery
from tapdesk.studies.scan import Cut, Scan, pairs
from tapdesk.studies.subsets import _none, influence
from tests.words.situations.data import MIXED, THREE, covered, rated
from tests.words.situations.parts import MANY, NOTHING, TWO, fit, test
from tests.words.situations.situation import Situation, several


def _readings(peaks):
    """What can be believed of the accuracy: one reading, of so many peaks."""
    belief = SimpleNamespace(modes=(None,) * peaks)
    return SimpleNamespace(one=SimpleNamespace(readings=(1,), summary=lambda _name: belief))


def kept(text=None, *, asked=1, folder=False, missing=False):
    """A file of finished pieces that holds a text, opened for a study."""
    with TemporaryDirectory() as place:
        path = Path(place) / ("no" if missing else "") / "out.csv.unfinished"
        if folder:
            path.mkdir()
        elif text is not None:
            path.write_text(text)
        with Checkpoint(path, {"study": asked}) as file:
            return len(file)


class Full:
    """A disk without room."""

    def write(self, _line):
        raise OSError(28, "No space left on device")

    def close(self):
        pass


def without_room():
    with TemporaryDirectory() as place, Checkpoint(Path(place) / "x", {"study": 1}) as file:
        whole, file._out = file._out, Full()
        whole.close()
        file[0] = 1


def core(rows, verdict=True):
    """The verdict on a design of many raters whose parts all tell, or do not."""
    plan = design(model("t-aj-p"), rated(rows))
    return lambda: identification.by_core(plan, lambda _part: Identification(verdict, verdict, "words"))


LINKED = ["0101", "1100", "0011", "1010", "0000", "1111"] * 3


def huge(raters, classes, subjects=1):
    """What a method asks of the size of ratings, without the ratings."""
    return SimpleNamespace(
        rating_count=1, raters_known=True, raters=range(raters), classes=range(classes), subjects=range(subjects)
    )


def slopes(count):
    from tapdesk.models.parameter_text import parse_parameters

    return parse_parameters(model("t-a(x)-p"), ("t=.4", "b=" + ",".join(["0.5"] * (count + 1)), "p=.5"), "01", "ABC")


WALD = fit(interval="wald")
PROFILED = fit(interval="profile")
BARE = fit()


def cut(low, high, value, reach=0.05):
    """A line between classes with this accuracy; without an interval where the reach is None."""
    estimate = (
        Estimate(value)
        if reach is None
        else Estimate(value, low=value - reach, high=value + reach, level=0.95, how="profile")
    )
    free = replace(
        PROFILED,
        estimates=tuple(replace(e, estimate=estimate) if str(e.name) == "a" else e for e in PROFILED.estimates),
    )
    kappa = Estimate(0.3, low=0.2, high=0.4, level=0.95, how=LINEARISATION)
    return Cut((low,), (high,), free, None, kappa, kappa, 12, 36)


def lines(*values, reach=0.05, test=None, refused=0):
    cuts = [cut(str(i), str(i + 1), value, reach) for i, value in enumerate(values)]
    cuts += [replace(cut("8", "9", 0.5), free=None, refused="x") for _again in range(refused)]
    made = Scan(("1", "2", "3", "4"), tuple(cuts), test)
    return cut_points.lines_headline(made), cut_points.cuts(made, Answer(None, TWO, TWO).style), [c.words for c in cuts]


REQUEST = Request(model("t-a-t"))
SHORT = rated("000 001 111 110 010")


def models(*names, ratings=TWO):
    return compare_fits([fit(name, ratings) for name in names])


def best(by_aic, by_bic):
    rows = models("t-a-p", "t-a-t", "t-aj-p").rows
    return model_comparison.best(SimpleNamespace(comparison=ModelComparison(rows, by_aic, by_bic, "")))


def one_sided():
    """A fit by which every case is of one class."""
    fitted = fit("t-aj-p")
    return replace(fitted, parameters=replace(fitted.parameters, truth=np.array([1.0, 0.0])))


def slopes_of(of, rows=MIXED, **columns):
    return rater_slopes(covered(rows, of, **columns), replace(model("t-a(x)-p"), covariates=tuple(columns)), 1, 0.95)


# Situations ----------------------------------------------------------------------------------------------------------

KEPT = several(
    "kept",
    (
        ("right", kept),
        ("again", lambda: kept(json.dumps({"asked": {"study": 1}}) + "\n")),
        ("of-another", lambda: kept(json.dumps({"asked": {"study": 2}}) + "\n")),
        ("unreadable", lambda: kept(folder=True)),
        ("nowhere", lambda: kept(missing=True)),
        ("without-room", without_room),
        ("gone", lambda: _gone(SimpleNamespace(join=lambda _seconds: None, exitcode=-9))),
    ),
)
DESIGNS = several(
    "design",
    (
        ("linked", core(LINKED)),
        ("open", core(LINKED, verdict=False)),
        ("one-apart", core([row + "--" for row in LINKED] + ["----01", "----1-"])),
        (
            "nothing-free",
            lambda: identification.by_design(replace(design(model("t-a-p"), TWO), space=SimpleNamespace(free=0))),
        ),
        ("right", lambda: identification.by_design(design(model("t-a-p"), TWO))),
        ("two-ratings", lambda: identification.by_design(design(model("t-a-p"), rated("00 01 11 10")))),
        ("large", lambda: identification._can(identification.UNCHECKED)),
        ("prior-nothing", lambda: prior_answers(Identification(True, True, "words"))),
        ("prior-here", lambda: prior_answers(Identification(True, False, "words"))),
        ("prior-by-design", lambda: prior_answers(Identification(False, False, "words"))),
        ("tables-huge", lambda: ExactEM().refuses(model("dawid-skene"), huge(100_000, 300))),
        ("tables-right", lambda: ExactEM().refuses(model("dawid-skene"), TWO)),
        ("sharpened-huge", lambda: refuses_sharpened(huge(100_000, 2, subjects=100_000))),
        ("sharpened-single", lambda: _identification(design(model("ti-aj-P"), rated("0-- -1- --1")))),
        ("draws-none", lambda: Sampling()._too_large(0)),
        ("draws-huge", lambda: Sampling()._too_large(100_000_000)),
        ("draws-right", lambda: Sampling()._too_large(10)),
        (
            "sampler-lost",
            lambda: summarise_draws(
                SimpleNamespace(plan=None, evidence=None, size=1),
                SimpleNamespace(at=np.full((2, 2, 1), np.nan)),
                (),
                TWO,
                None,
            ),
        ),
        ("mean-inside", lambda: estimate_of(SimpleNamespace(mean=0.5, sd=0.1, hdi_low=0.3, hdi_high=0.7), 0.95)),
        ("mean-outside", lambda: estimate_of(SimpleNamespace(mean=0.9, sd=0.1, hdi_low=0.3, hdi_high=0.7), 0.95)),
        (
            "slopes-right",
            lambda: exact(replace(model("t-a(x)-p"), covariates=("x",)), slopes(1), ("0", "1"), ("A", "B", "C"), 6),
        ),
        (
            "slopes-other",
            lambda: exact(replace(model("t-a(x)-p"), covariates=("x", "y")), slopes(1), ("0", "1"), ("A", "B", "C"), 6),
        ),
    ),
)
LINES = several(
    "lines",
    (
        ("one-harder", lambda: lines(0.2, 0.7, 0.8)),
        ("one-harder-one-untold", lambda: lines(0.2, 0.7, 0.8, refused=1)),
        ("two-harder", lambda: lines(0.2, 0.25, 0.8)),
        ("two-lines", lambda: lines(0.2, 0.8)),
        ("alike", lambda: lines(0.5, 0.52, 0.51)),
        ("one-line", lambda: lines(0.5)),
        ("tested", lambda: lines(0.2, 0.8, test=test(0.5))),
        ("rejected", lambda: lines(0.2, 0.8, test=test(0.001))),
        (
            "pair-right",
            lambda: pairs(rated(THREE * 3 if isinstance(THREE, list) else f"{THREE} {THREE} {THREE}", "012"), REQUEST),
        ),
        ("pair-few", lambda: pairs(MANY, REQUEST)),
        ("pair-without", lambda: pairs(rated("000 111 010 22- 2-- 011 001", "0123"), REQUEST)),
    ),
)
MODELS = several(
    "models",
    (
        ("test-rejects", lambda: model_comparison.verdict(test(0.001))),
        ("test-does-not", lambda: model_comparison.verdict(test(0.4))),
        ("none-comparable", lambda: best(None, None)),
        ("one-best", lambda: best(0, 0)),
        ("two-best", lambda: best(0, 1)),
        ("few-cases", lambda: models("t-a-p", "t-a-t", ratings=SHORT)),
        ("cases-enough", lambda: models("t-a-p", "t-a-t", ratings=rated(f"{MIXED} {MIXED} {MIXED} {MIXED}"))),
        ("wald-instead", lambda: _instead_of_profiles(replace(WALD, findings=()), 900)),
        ("nothing-instead", lambda: _instead_of_profiles(replace(BARE, findings=()), 900)),
        ("root", lambda: root(Estimate(0.3))),
        ("root-below-0", lambda: root(Estimate(-0.3))),
        ("paradox-none", lambda: paradox.open_readings(_readings(peaks=1))),
        ("paradox-peaks", lambda: paradox.open_readings(_readings(peaks=2))),
        ("slopes-of-cases", lambda: slopes_of("case", weight=[float(i) for i in range(12)])),
        ("slopes-of-two", lambda: slopes_of("rater", age=(20.0, 30.0, 40.0))),
        (
            "slopes-open",
            lambda: slopes_of("rater", rows="01--- 10--- --01- --1-0 01---", age=(20.0, 30.0, 40.0, 25.0, 33.0)),
        ),
        ("groups-none", lambda: _none((), "ward")),
        ("groups-all-refused", lambda: _none(("words",), "ward")),
        ("informations", lambda: rater_informations(fit("t-aj-p"))),
        ("informations-one-class", lambda: rater_informations(one_sided())),
        (
            "pairs-of-strangers",
            lambda: independence(rated("0-- -1- --1 1--"), fit("t-a-p", rated("0-- -1- --1 1--")), 5, 1),
        ),
        ("influence", lambda: influence(TWO, 1, 0.95)),
        ("influence-one-class", lambda: influence(rated("00 01 00 01 00 00"), 1, 0.95)),
        ("recovery-nothing", lambda: no_recovery(fit(), NOTHING)),
        ("recovery-right", lambda: no_recovery(fit(), TWO)),
        ("cautions-none", lambda: designs.cautions(fit(), ())),
        ("cautions-edge", lambda: designs.cautions(replace(fit(), active_bounds=("a = 1",)), ())),
    ),
)
BELIEFS = several(
    "belief",
    (
        ("two-peaks", lambda: fit("t-a-p", rated(["000"] * 30 + ["100", "010"]), estimator="posterior")),
        ("one-peak", lambda: fit("t-a-p", TWO, estimator="posterior")),
        ("commoner", lambda: fit("t-a-p", rated(["111"] * 30 + ["100", "011"]), estimator="posterior")),
    ),
    slow={"two-peaks", "commoner"},
)
SITUATIONS: tuple[Situation, ...] = (*KEPT, *DESIGNS, *LINES, *MODELS, *BELIEFS)
