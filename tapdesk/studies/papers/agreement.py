"""Kappa and the model on small and on real tables ("Modeling Raters and Ratings", and a worked Cohen's kappa)."""

from dataclasses import replace

import numpy as np

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import IntArray, Ratings
from tapdesk.report.figures.tree import branches
from tapdesk.studies.analysis import Request
from tapdesk.studies.class_pairs import pairs
from tapdesk.studies.distribution import distribution
from tapdesk.studies.fleiss_kappa import fleiss_kappas
from tapdesk.studies.papers.asked import Asked, example, size_of_data
from tapdesk.studies.recovery import shared_point
from tapdesk.studies.simulated_data import CountVectors, complete_count_vectors
from tapdesk.studies.table import Cell, Table

_SIZES = (20, 50, 100, 300)
_LUCK_ACCURACIES = tuple(round(0.05 * i, 2) for i in range(11))
_LUCK_RATERS = 5
_CAMP_ACCURACIES = tuple(round(0.1 * i, 1) for i in range(11))
_CAMP_RATERS = (2, 4, 6)
_CAMP_SUBJECTS, _CAMP_SETS = 300, 200


def tree(asked: Asked) -> Run[Table]:
    """The branches of the model with the numbers of a fit; wine at cut 2 | 3 unless ratings are given.

    Raises
    ------
    CannotAnswerError
        When the ratings do not determine the numbers.
    """
    ratings = asked.ratings
    if ratings is None:
        ratings = yield from example("wine-cut2")
    fit = yield from _determined(ratings, asked.seed)
    return replace(branches(fit.parameters, fit.classes), size=size_of_data(ratings))


def _determined(ratings: Ratings, seed: int) -> Run[Fit]:
    reason = ExactEM().refuses(model("t-a-p"), ratings)
    if reason:
        raise CannotAnswerError(reason)
    fit = yield from ExactEM().run(model("t-a-p"), ratings, seed)
    if not fit.identification.identified or any(e.estimate.value is None for e in fit.estimates):
        raise CannotAnswerError(
            _("These ratings do not determine the numbers. {words}").format(words=fit.identification.words)
        )
    return fit


def negative(asked: Asked) -> Run[Table]:
    """How kappa comes to be negative: by luck when raters know little, or because raters are of two camps.

    Returns
    -------
    Table
        ``cause``: ``luck`` (t = p = .5, five raters) or ``camps`` (half of the raters follow the opposite of the
        truth, 300 subjects); ``subjects``, ``raters``, ``a``, ``expected`` kappa (a squared; -a squared / (R - 1)),
        ``mean``, the middle 90 % from ``low`` to ``high``, and the share ``negative`` of the data sets.
    """
    sets = asked.sets(2000)
    rows: list[tuple[Cell, ...]] = []
    total = len(_SIZES) + len(_CAMP_RATERS)
    for at, n in enumerate(_SIZES):
        here = _worlds(n, _LUCK_RATERS)
        for i, a in enumerate(_LUCK_ACCURACIES):
            rng = np.random.default_rng(np.random.SeedSequence(asked.seed, spawn_key=(17, at, i)))
            weights = here.draw(shared_point([0.5, 0.5], a, [0.5, 0.5]), sets, rng)
            rows.append(("luck", n, _LUCK_RATERS, a, a * a, *_spread(fleiss_kappas(here.patterns, weights))))
        yield Step(at + 1, total, "study")
    for at, r in enumerate(_CAMP_RATERS):
        here = _worlds(_CAMP_SUBJECTS, r)
        for i, a in enumerate(_CAMP_ACCURACIES):
            rng = np.random.default_rng(np.random.SeedSequence(asked.seed, spawn_key=(19, at, i)))
            found = fleiss_kappas(here.patterns, _camps(here, r, a, min(sets, _CAMP_SETS), rng))
            rows.append(("camps", _CAMP_SUBJECTS, r, a, -a * a / (r - 1), *_spread(found)))
        yield Step(len(_SIZES) + at + 1, total, "study")
    columns = ("cause", "subjects", "raters", "a", "expected", "mean", "low", "high", "negative")
    size = _("Data sets of each kind: {sets:,} by luck, {camps:,} of camps, these of {subjects:,} subjects.").format(
        sets=sets, camps=min(sets, _CAMP_SETS), subjects=_CAMP_SUBJECTS
    )
    return Table("negative kappa", columns, tuple(rows), size)


def _worlds(subjects: int, raters: int) -> CountVectors:
    here = complete_count_vectors(subjects, raters, 2)
    if here is None:
        raise ValueError(f"no worlds of {raters} raters")
    return here


def _camps(here: CountVectors, raters: int, a: float, sets: int, rng: np.random.Generator) -> FloatArray:
    """Weights of data sets in which the second half of the raters takes class 1 for class 0."""
    shape = (sets, here.total, raters)
    truth = rng.random((sets, here.total, 1)) < 0.5
    follows, guess = rng.random(shape) < a, rng.random(shape) < 0.5
    turned = np.arange(raters) >= raters // 2
    rated: IntArray = np.where(follows, truth ^ turned, guess).sum(axis=2)
    # The vectors of class counts are told apart by their count of class 1.
    places = np.argsort(here.table[:, 1])
    counts = np.stack([np.bincount(places[row], minlength=here.size.size) for row in rated])
    return counts.astype(np.float64)


def _spread(found: FloatArray) -> tuple[float, float, float, float]:
    known = found[np.isfinite(found)]
    low, high = np.quantile(known, [0.05, 0.95])
    return float(known.mean()), float(low), float(high), float((known < 0).mean())


def shares(asked: Asked) -> Run[Table]:
    """Subjects by their number of ratings in class 1, seen and expected; wine at cut 2 | 3 unless ratings are given."""
    ratings = asked.ratings
    if ratings is None:
        ratings = yield from example("wine-cut2")
    fit = yield from _determined(ratings, asked.seed)
    found = yield from distribution(ratings, fit)
    whole = found.parts[0]
    e = whole.expected
    rows = [
        (k, *(float(column[k]) for column in (whole.observed, whole.low, whole.high, *e.values())))
        for k in range(whole.observed.size)
    ]
    return Table("distribution", ("k", "observed", "low", "high", *e), tuple(rows), size_of_data(ratings))


def by_pair(asked: Asked) -> Run[Table]:
    """How well each pair of classes is told apart; the jury that comes with the program unless ratings are given."""
    ratings = asked.ratings
    if ratings is None:
        ratings = yield from example("jury")
    found = yield from pairs(ratings, Request(model("t-a-t"), seed=asked.seed))
    rows = [
        (p.first, p.second, p.compared, p.kappa.value, p.root_kappa.value, a.value, a.low, a.high, a.undefined)
        for p, a in ((p, p.accuracy) for p in found.pairs)
    ]
    columns = ("first", "second", "subjects", "kappa", "root_kappa", "a", "low", "high", "undefined")
    return Table("pairs", columns, tuple(rows), size_of_data(ratings))


def cohen(asked: Asked) -> Run[Table]:
    """Cohen's kappa step by step; the typed 3 x 3 table unless ratings of two raters are given.

    Returns
    -------
    Table
        ``step`` (count, row, column, observed, chance, kappa), ``first`` and ``second`` class where they apply, and
        ``value``: counts, marginal shares, P_o with its sum, P_e with its products, and kappa.

    Raises
    ------
    CannotAnswerError
        When there are not two raters, or kappa is undefined.
    """
    ratings = asked.ratings
    if ratings is None:
        ratings = yield from example("confusion-3x3")
    yield Step(0, 1, "study")
    table = crossed(ratings)
    n, labels = table.sum(), ratings.classes
    row, column = table.sum(axis=1) / n, table.sum(axis=0) / n
    agree, chance = float(np.trace(table) / n), float(row @ column)
    if chance > 1 - 1e-12:
        raise CannotAnswerError(_("Both raters gave every subject the same class, so kappa is undefined."))
    rows: list[tuple[Cell, ...]] = [
        ("count", labels[i], labels[j], float(table[i, j])) for i in range(len(labels)) for j in range(len(labels))
    ]
    rows += [("row share", name, None, float(x)) for name, x in zip(labels, row, strict=True)]
    rows += [("column share", None, name, float(x)) for name, x in zip(labels, column, strict=True)]
    rows += [("P_o part", c, c, float(table[i, i] / n)) for i, c in enumerate(labels)]
    rows.append(("P_o", None, None, agree))
    rows += [("P_e part", c, c, float(row[i] * column[i])) for i, c in enumerate(labels)]
    rows.append(("P_e", None, None, chance))
    rows.append(("kappa", None, None, (agree - chance) / (1 - chance)))
    return Table("cohen", ("step", "first", "second", "value"), tuple(rows), size_of_data(ratings))


def crossed(ratings: Ratings) -> FloatArray:
    """Shape (K, K): subjects by the class of the first and of the second rater.

    Raises
    ------
    CannotAnswerError
        When there are not exactly two raters, or they share no subject.
    """
    if len(ratings.raters) != 2 or not ratings.raters_known:
        raise CannotAnswerError(
            _("Cohen's kappa is about two raters whose ratings are told apart."), fix=_("Give a file with two raters.")
        )
    k = len(ratings.classes)
    given = np.full((len(ratings.subjects), 2), -1)
    given[ratings.subject, ratings.rater] = ratings.category
    both = (given >= 0).all(axis=1)
    if not both.any():
        raise CannotAnswerError(_("No subject was rated by both raters."))
    table = np.zeros((k, k))
    np.add.at(table, (given[both, 0], given[both, 1]), ratings.subject_weights()[both])
    return table
