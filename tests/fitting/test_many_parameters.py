"""Models of hundreds of numbers: standard errors where they can be had, and otherwise a sentence that says why not."""

import tracemalloc

import numpy as np
import pytest

from tapdesk.fitting import em
from tapdesk.fitting.fit import Status
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tests.tables import drawn

THIRDS = (1 / 3, 1 / 3, 1 / 3)


def crowd(subjects: int, share: float, accuracy: float = 0.5) -> Ratings:
    """Fifty raters, three classes."""
    return drawn(np.random.default_rng(3), THIRDS, accuracy, THIRDS, subjects, 50, share=share)


def test_where_the_truth_is_plain_the_standard_errors_of_300_rates_are_those_of_counted_shares():
    # Fifty ratings leave no doubt about a case, so each rate is a share among so many known cases.
    ratings = crowd(400, 1.0)
    fit = finish(analyse(ratings, Request(model("dawid-skene"), interval="wald")))
    assert fit.free == 302
    assert fit.status is Status.SETTLED
    cases = dict(zip(fit.classes, fit.parameters.truth * 400, strict=True))
    rates = [e for e in fit.estimates if e.name.name == "pi"]
    for e in rates:
        value = e.estimate.value
        wanted = np.sqrt(value * (1 - value) / cases[e.name.category])
        assert e.estimate.se == pytest.approx(wanted, rel=1e-3)
        assert e.estimate.low < value < e.estimate.high
    assert len(rates) == 450


def test_where_profiles_take_too_long_wald_intervals_take_their_place_and_the_fit_says_so():
    fit = finish(analyse(crowd(1500, 0.2, 0.4), Request(model("dawid-skene"))))
    assert fit.interval[0] == "wald"
    assert all(e.estimate.low is not None for e in fit.estimates)
    (told,) = [f for f in fit.findings if f.code == "interval_changed"]
    assert "453 numbers" in told.message
    assert "Wald" in told.message


def test_where_neither_kind_of_interval_exists_the_fit_says_so_and_what_to_do():
    fit = finish(analyse(crowd(250, 0.1, 0.7), Request(model("dawid-skene"))))
    assert fit.active_bounds
    assert all(e.estimate.low is None for e in fit.estimates)
    (told,) = [f for f in fit.findings if f.code == "no_intervals"]
    assert "edge" in told.message
    assert "resamples" in told.fix
    assert all(e.estimate.no_interval for e in fit.estimates if e.estimate.value is not None)


def test_large_tables_are_climbed_few_at_once_so_that_memory_stays_near_their_own_size(monkeypatch):
    # Tables of an eighth of the size at which memory matters, and an eighth of the room for them.
    rng, size = np.random.default_rng(1), 50
    monkeypatch.setattr("tapdesk.fitting.em._CHUNK", em._CHUNK // 8)
    subject = np.repeat(np.arange(300), 5)
    rater, category = rng.integers(0, size, (2, subject.size))
    names = [f"S{i}" for i in range(300)], [f"J{i}" for i in range(size)], [f"c{i}" for i in range(size)]
    ratings = Ratings.of(subject, rater, category, *names)
    tracemalloc.start()
    try:
        run = em.ExactEM(limit=30).run(model("dawid-skene"), ratings, 1)
        for _ in zip(range(5), run, strict=False):
            pass
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # One table of size by size by size; all starts side by side take 440 of them.
    assert peak < 150 * 8 * size**3
