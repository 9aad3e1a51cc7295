"""Pictures of the likelihood: slice and profile along one number, contours over two."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from tapdesk.answers.figure import Line, Mark, Role
from tapdesk.answers.figures.catalog import figures
from tapdesk.answers.figures.likelihood import contour, reach_of
from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.parameters import ParameterName
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.contour import along, free_slots, surface
from tests.studies.examples import WINE, tallied

T_AND_A = (ParameterName("t"), ParameterName("a"))


def fitted(ratings: Ratings, name: str = "t-a-p", interval: str = "none") -> Fit:
    return finish(analyse(ratings, Request(model(name), interval=interval)))


@pytest.fixture(scope="module")
def wine() -> tuple[Fit, Ratings]:
    ratings = tallied(WINE["2|3"])
    return fitted(ratings, interval="profile"), ratings


def test_the_slice_has_its_top_at_the_estimate_and_lies_under_the_profile(wine):
    fit, ratings = wine
    plan = design(fit.model, ratings)
    for profile in fit.profiles:
        cut = along(plan, fit, profile.slot, profile.at)
        assert (cut <= profile.log_likelihood + 1e-6).all()
        best = getattr(fit.parameters, profile.slot.part)[profile.slot.index]
        assert along(plan, fit, profile.slot, np.array([best]))[0] == pytest.approx(
            fit.log_likelihood.ratings, abs=1e-3
        )


@pytest.mark.parametrize(("counts", "name"), [((998, 2, 0), "t-a-t"), (WINE["2|3"], "t-a-p")], ids=["paradox", "wine"])
def test_the_drawn_profile_lies_nowhere_under_the_drawn_slice(counts, name):
    """Numbers at their best fit at least as well as where they stay, between the points of a grid as well."""
    ratings = tallied(counts)
    for panel_ in figures("profile", fitted(ratings, name, "profile"), ratings):
        lines = {mark.role: mark for mark in panel_.marks if isinstance(mark, Line)}
        at = np.linspace(0.001, 0.999, 500)
        thick, thin = (np.interp(at, lines[r].x, lines[r].y) for r in (Role.MODEL, Role.OTHER_START))
        seen = thin > panel_.y.low
        assert (thick[seen] >= thin[seen] - 1e-9).all()


def test_profile_pictures_mark_the_estimate_and_root_kappa_on_the_accuracy_only(wine):
    fit, ratings = wine
    for panel_, e in zip(figures("profile", fit, ratings), fit.estimates, strict=True):
        lines = [m for m in panel_.marks if isinstance(m, Mark) and m.vertical]
        assert lines[0].at == pytest.approx(e.estimate.value, abs=1e-6)
        roots = [m.at for m in lines if m.role is Role.CLASSICAL]
        assert roots == ([pytest.approx(0.4437, abs=5e-4)] if e.name.name == "a" else [])


def test_the_surface_is_the_profile_where_one_number_is_let_go(wine):
    fit, ratings = wine
    found = finish(surface(ratings, fit, T_AND_A))
    assert found.fall.max() == pytest.approx(0, abs=1e-3)
    over_a = next(p for p in fit.profiles if p.slot.name.name == "a")
    best = found.fall.max(axis=0)
    inside = best > -4
    oracle = np.interp(found.y[inside], over_a.at, over_a.log_likelihood - over_a.log_likelihood.max())
    assert best[inside] == pytest.approx(oracle, abs=0.12)


def test_the_contour_lies_at_its_limit(wine):
    fit, ratings = wine
    figure = figures("contour", fit, ratings)[0]
    found = finish(surface(ratings, fit, T_AND_A))
    for line, level in zip([m for m in figure.marks if isinstance(m, Line)], (0.5, 0.95), strict=True):
        x, y = line.x[np.isfinite(line.x)], line.y[np.isfinite(line.y)]
        limit = -chi2.ppf(level, 2) / 2
        assert found.fall[np.abs(found.x - x[0]).argmin(), np.abs(found.y - y[0]).argmin()] == pytest.approx(
            limit, abs=1.5
        )
        # The wider region holds the estimate in its middle.
        best = float(fit.estimate("a").value)
        assert y.min() < best < y.max()


def test_a_pair_of_numbers_the_model_has_not_is_refused(wine):
    fit, ratings = wine
    with pytest.raises(CannotAnswerError, match="does not estimate both"):
        finish(surface(ratings, fit, (ParameterName("t"), ParameterName("a0"))))
    assert {s.name.name for s in free_slots(fit)} == {"t", "a", "p"}


@settings(max_examples=20)
@given(r=st.floats(0.15, 0.4), x0=st.floats(0.45, 0.55), y0=st.floats(0.45, 0.55))
def test_the_contour_of_a_cone_is_its_circle(r, x0, y0):
    x = y = np.linspace(0, 1, 41)
    cone = -np.hypot(x[:, None] - x0, y[None, :] - y0)
    cx, cy = contour(x, y, cone, -r)
    assert np.isfinite(cx).all()
    assert np.hypot(cx - x0, cy - y0) == pytest.approx(r, abs=0.01)
    assert (cx[0], cy[0]) == pytest.approx((cx[-1], cy[-1]))
    turn = np.unwrap(np.arctan2(cy - y0, cx - x0))
    assert abs(turn[-1] - turn[0]) == pytest.approx(2 * np.pi, abs=0.2)


def test_two_hills_have_two_lines_and_a_plain_none():
    x = y = np.linspace(0, 1, 41)
    hills = np.exp(-40 * ((x[:, None] - 0.25) ** 2 + (y - 0.25) ** 2)) + np.exp(
        -40 * ((x[:, None] - 0.75) ** 2 + (y - 0.75) ** 2)
    )
    cx, _cy = contour(x, y, hills, 0.6)
    assert np.isnan(cx).sum() == 1
    assert contour(x, y, np.zeros((41, 41)), 0.6)[0].size == 0


# Luck, raters, cuts.


@pytest.mark.parametrize("copies", [1, 60])
def test_the_reach_of_a_line_is_the_profile_interval_of_as_deep_a_fall(copies):
    # Two numbers at 95 % may fall as far as one at 98.6 %; sixty times the cases leave room for about a step.
    ratings = tallied(tuple(copies * n for n in WINE["2|3"]))
    fit = fitted(ratings, interval="profile")
    found = finish(surface(ratings, fit, T_AND_A))
    level = float(chi2.cdf(chi2.ppf(0.95, 2), 1))
    deep = finish(analyse(ratings, Request(model("t-a-p"), level=level)))
    for name, reach in zip(("t", "a"), reach_of(found, 0.95), strict=True):
        e = deep.estimate(name)
        assert reach == pytest.approx((e.low, e.high), abs=0.05 * (e.high - e.low))
