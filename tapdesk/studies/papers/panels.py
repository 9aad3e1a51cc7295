"""Raters of a large panel ("Modeling Raters and Ratings"): their accuracies, the weakest of them, accuracy by age."""

from dataclasses import replace
from functools import partial
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray, Parameters
from tapdesk.models.simulate import simulate
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.batch_fit import refit
from tapdesk.studies.papers.asked import Asked, size_of_data, size_of_sets
from tapdesk.studies.parallel import in_parallel
from tapdesk.studies.table import Cell, Table

_RATERS, _SUBJECTS, _EACH = 60, 1200, 15
_TRUE_T, _TRUE_P = 0.4, 0.5
_LEAST_SHARED = 10
# Accuracy by age on the logit scale: at 45 years, and per decade.
AGE_INTERCEPT, AGE_SLOPE = 0.3, -0.5
_AGE_SUBJECTS = 200
_AGES = np.arange(25, 66, dtype=np.float64)


def accuracies(asked: Asked) -> Run[Table]:
    """The accuracy of each rater of a large panel by t-aj-p; a simulated panel unless ratings are given.

    Returns
    -------
    Table
        ``rater``, ``ratings``, ``a`` and ``true a`` (None for the user's own data).

    Raises
    ------
    CannotAnswerError
        When the user's ratings do not tell single raters apart.
    """
    ratings, true = _panel(asked)
    fit = yield from _by_rater(ratings, asked.seed)
    given = np.bincount(ratings.rater, minlength=len(ratings.raters))
    rows = [
        (name, int(n), float(a), None if true is None else float(true[j]))
        for j, (name, n, a) in enumerate(zip(ratings.raters, given, fit.parameters.accuracy[:, 0], strict=True))
    ]
    return Table("rater accuracies", ("rater", "ratings", "a", "true a"), tuple(rows), size_of_data(ratings))


def companions(asked: Asked) -> Run[Table]:
    """Correlation of the least and of the most accurate rater with every other on the subjects both rated.

    Returns
    -------
    Table
        ``which`` (lowest or highest), ``rater``, its ``own_a``, the ``other`` and its ``a``, ``shared`` subjects,
        ``correlation`` as seen (None where one of the two gave all shared subjects the same class, or fewer than ten
        are shared), and ``expected`` by the model: a_j a_l t(1 - t) / sqrt(c_j(1 - c_j) c_l(1 - c_l)).
    """
    ratings, _true = _panel(asked)
    fit = yield from _by_rater(ratings, asked.seed)
    a = fit.parameters.accuracy[:, 0]
    t, p = float(fit.parameters.truth[1]), float(fit.parameters.guessing[0, 0, 1])
    rate = a * t + (1 - a) * p
    scale = np.sqrt(rate * (1 - rate))
    table = np.full((len(ratings.subjects), len(ratings.raters)), np.nan)
    table[ratings.subject, ratings.rater] = ratings.category
    rows: list[tuple[Cell, ...]] = []
    for which, j in (("lowest", int(a.argmin())), ("highest", int(a.argmax()))):
        for other in np.argsort(a, kind="stable"):
            if other == j:
                continue
            shared, seen = correlation(table[:, j], table[:, other])
            expected = float(a[j] * a[other] * t * (1 - t) / max(scale[j] * scale[other], 1e-12))
            names = (ratings.raters[j], float(a[j]), ratings.raters[other], float(a[other]))
            rows.append((which, *names, shared, seen, expected))
    columns = ("which", "rater", "own_a", "other", "a", "shared", "correlation", "expected")
    return Table("companions", columns, tuple(rows), size_of_data(ratings))


def correlation(x: FloatArray, y: FloatArray) -> tuple[int, float | None]:
    """How many subjects both rated (NaN: not rated), and the correlation there; None where it is undefined."""
    both = np.isfinite(x) & np.isfinite(y)
    n = int(both.sum())
    if n < _LEAST_SHARED or np.ptp(x[both]) == 0 or np.ptp(y[both]) == 0:
        return n, None
    return n, float(np.corrcoef(x[both], y[both])[0, 1])


def _panel(asked: Asked) -> tuple[Ratings, FloatArray | None]:
    """The user's ratings, or a simulated panel with its accuracies: most raters know something, the first does not."""
    if asked.ratings is not None:
        if len(asked.ratings.classes) != 2:
            raise CannotAnswerError(
                _("This figure is for two classes, and there are {classes}.").format(
                    classes=len(asked.ratings.classes)
                ),
                fix=_("Name the classes that make up class 1 with --class1."),
            )
        reason = ExactEM().refuses(model("t-aj-p"), asked.ratings)
        if reason:
            raise CannotAnswerError(reason)
        return asked.ratings, None
    own = np.random.SeedSequence(asked.seed, spawn_key=(11,))
    rng = np.random.default_rng(own)
    true = np.clip(rng.beta(6, 3, _RATERS), 0.02, 0.98)
    true[0] = 0.05
    point = Parameters(
        np.array([1 - _TRUE_T, _TRUE_T]), true[:, None], np.array([[[1 - _TRUE_P, _TRUE_P]]]), np.zeros(0)
    )
    raters = [f"R{j + 1:02d}" for j in range(_RATERS)]
    ratings, _truth = simulate(model("t-aj-p"), point, ("0", "1"), raters, _SUBJECTS, own)
    return ratings.keep(_some(rng)[ratings.subject, ratings.rater]), true


def _some(rng: np.random.Generator) -> NDArray[np.bool_]:
    """Shape (subjects, raters): a few raters for each subject, drawn by lot."""
    place = rng.random((_SUBJECTS, _RATERS)).argsort(axis=1).argsort(axis=1)
    return np.asarray(place < _EACH)


def _by_rater(ratings: Ratings, seed: int) -> Run[Fit]:
    fit = yield from ExactEM().run(model("t-aj-p"), ratings, seed)
    if not fit.identification.identified:
        raise CannotAnswerError(
            _("These ratings do not tell single raters apart. {words}").format(words=fit.identification.words)
        )
    return fit


def by_age(asked: Asked) -> Run[Table]:
    """Accuracy as a logistic curve of the rater's age, put in and got back.

    Returns
    -------
    Table
        ``what`` is ``curve`` (``x`` the age; ``true``, the mean ``fitted`` curve over the data sets, and where the
        middle 90 % of them lie, ``low`` and ``high``) or ``rater`` (one rater of the first data set: ``fitted`` is the
        accuracy t-aj-p gives this rater alone).
    """
    sets = asked.sets(20)
    parts = yield from in_parallel(partial(_age_set, asked.seed), tuple(range(sets)), asked.workers, kept=asked.kept)
    slopes = np.array([slopes for slopes, _own in parts])
    x = (_AGES - 45) / 10
    curves = expit(slopes[:, :1] + slopes[:, 1:] * x)
    low, high = np.quantile(curves, [0.05, 0.95], axis=0)
    true = expit(AGE_INTERCEPT + AGE_SLOPE * x)
    rows: list[tuple[Cell, ...]] = [
        ("curve", float(age), float(a), float(b), float(c), float(d))
        for age, a, b, c, d in zip(_AGES, true, curves.mean(axis=0), low, high, strict=True)
    ]
    ages = _ages()
    own = expit(AGE_INTERCEPT + AGE_SLOPE * (ages - 45) / 10)
    rows += [
        ("rater", float(age), float(a), float(b), None, None) for age, a, b in zip(ages, own, parts[0][1], strict=True)
    ]
    columns = ("what", "x", "true", "fitted", "low", "high")
    return Table("accuracy by age", columns, tuple(rows), size_of_sets(sets, _AGE_SUBJECTS, ages.size))


def _ages() -> FloatArray:
    return np.linspace(25, 65, 21)


def _age_set(seed: int, which: int) -> Run[tuple[tuple[float, ...], tuple[float, ...]]]:
    """The slopes found in one data set, and the accuracy of each rater alone."""
    own = np.random.SeedSequence(seed, spawn_key=(13, which))
    ages = _ages()
    true = expit(AGE_INTERCEPT + AGE_SLOPE * (ages - 45) / 10)
    point = Parameters(np.array([0.5, 0.5]), true[:, None], np.array([[[0.5, 0.5]]]), np.zeros(0))
    names = [f"R{j + 1:02d}" for j in range(ages.size)]
    ratings, _truth = simulate(model("t-aj-p"), point, ("0", "1"), names, _AGE_SUBJECTS, own)
    decades = Covariate("decades", CovariateOf.RATER, (ages - 45) / 10)
    ratings = replace(ratings, covariates=MappingProxyType({"decades": decades}))
    curve = replace(model("t-a(x)-p"), covariates=("decades",))
    found, _level, _settled = yield from refit(curve, ratings, seed)
    alone, _level, _settled = yield from refit(model("t-aj-p"), ratings, seed)
    return tuple(map(float, found.slopes)), tuple(map(float, alone.accuracy[:, 0]))
