"""Pictures that are studies: paradox, contour, chance, calibration, pairs of raters, cuts, plans."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.models.catalog import model
from tapdesk.models.design import design
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.report.build import build
from tapdesk.report.extras import Wanted
from tapdesk.report.figure import Bars, Cells, Line, Mark, Points, Role
from tapdesk.report.figures.catalog import FIGURES, figures, height
from tapdesk.report.figures.classes import scanned
from tapdesk.report.figures.contours import contour
from tapdesk.report.figures.paradox import pictures
from tapdesk.report.numbers import APA, REPORT
from tapdesk.report.prepare import prepare
from tapdesk.report.report import Paragraph, Picture
from tapdesk.report.words import paradox as words_paradox
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.paradox import paradox
from tapdesk.studies.scan import scan
from tapdesk.studies.surface import along, free_slots, surface
from tests.studies.examples import WINE, panel, tallied

from .examples import counted, project_of


def fitted(ratings: Ratings, name: str = "t-a-p", interval: str = "none") -> Fit:
    return finish(analyse(ratings, Request(model(name), interval=interval)))


@pytest.fixture(scope="module")
def jury() -> tuple[Fit, Ratings]:
    ratings = read_now("sample:jury").ratings
    return fitted(ratings), ratings


@pytest.fixture(scope="module")
def wine() -> tuple[Fit, Ratings]:
    ratings = tallied(WINE["2|3"])
    return fitted(ratings, interval="profile"), ratings


@pytest.fixture(scope="module")
def five() -> tuple[Fit, Ratings]:
    ratings = panel(["t=.4", "a=.1,.4,.6,.7,.9", "p=.5"], 300, 5, name="t-aj-p")
    return fitted(ratings, "t-aj-p"), ratings


@pytest.fixture(scope="module")
def rare():
    return finish(paradox(read_now("sample:paradox").ratings))


@pytest.mark.parametrize("kind", ["independence", "influence", "entropy", "scan", "class_pairs", "calibration"])
def test_pictures_of_known_raters_and_many_classes_are_told_in_words(kind, jury, five):
    fit, ratings = five if kind == "entropy" else jury
    for figure in figures(kind, fit, ratings):
        assert figure.kind == kind
        assert figure.title
        assert any(c.isdigit() for c in figure.alt)
        assert "N = " in figure.note
        assert figure.x.low < figure.x.high
        assert figure.y.low < figure.y.high
        assert height(figure) >= 230


def test_every_picture_that_is_a_study_can_be_driven_step_by_step(wine):
    studies = [row for row in FIGURES if row.run is not None]
    assert {"paradox", "contour", "chance", "horizon"} <= {row.kind for row in studies}
    row = next(r for r in studies if r.kind == "contour")
    steps = []
    finish(row.run(*wine), steps.append)
    assert len(steps) > 3


# The kappa paradox (experience.md: Feinstein and Cicchetti's tables; the 998 + 2 subjects of Kappa Zoo ch. 4).


def crossed(both: int, first: int, second: int, neither: int) -> Ratings:
    """Two raters and two classes from the four cells of their table."""
    cells = [(1, 1)] * both + [(1, 0)] * first + [(0, 1)] * second + [(0, 0)] * neither
    codes = np.array(cells)
    n = len(cells)
    return Ratings.of(
        np.repeat(np.arange(n), 2),
        np.tile([0, 1], n),
        codes.ravel(),
        [str(i) for i in range(n)],
        ["Ana", "Ben"],
        ("No", "Yes"),
    )


def test_the_paradox_shows_in_the_unbalanced_table_only():
    balanced = finish(paradox(crossed(40, 9, 6, 45)))
    unbalanced = finish(paradox(crossed(80, 10, 5, 5)))
    assert (balanced.shows, unbalanced.shows) == (False, True)
    assert balanced.agreement == unbalanced.agreement == pytest.approx(0.85)
    assert balanced.kappa == pytest.approx(0.70, abs=0.005)
    assert unbalanced.kappa == pytest.approx(0.32, abs=0.01)
    assert unbalanced.ac1 == pytest.approx(0.81, abs=0.005)
    told = words_paradox.explained(unbalanced)
    assert "Most ratings are “Yes” (88 %)" in told
    assert "85 of 100" in told
    assert "Look at the three numbers together" in told
    assert "Most ratings" not in words_paradox.explained(balanced)


def test_two_readings_are_told_with_their_shares_and_no_single_accuracy(rare):
    first, second = words_paradox.stories(rare)
    assert (first.knows, second.knows) == (False, True)
    assert first.mass == pytest.approx(0.614, abs=2e-3)
    assert first.mass + second.mass == pytest.approx(1)
    # look/paradox.png: 42 % of the belief lies below 0.1, 25 % above 0.9.
    assert first.belief == pytest.approx(0.42, abs=0.005)
    assert second.belief == pytest.approx(0.25, abs=0.005)
    told = words_paradox.open_readings(rare)
    assert "two opposite stories" in told
    assert "What would decide it" in told
    (accuracy, _difference, _joint) = pictures(rare)
    assert "no single one is reported" in accuracy.title
    sides = [m for m in accuracy.marks if isinstance(m, Bars) and m.role is not Role.REFERENCE]
    assert [float(m.heights.sum()) for m in sides] == pytest.approx([first.belief, second.belief], abs=1e-6)


def test_the_paradox_pictures_hold_the_whole_posterior(rare):
    accuracy, difference, joint = pictures(rare)
    whole = accuracy.marks[0]
    assert whole.heights.sum() == pytest.approx(1)
    drawn = float(difference.marks[0].heights.sum())
    assert 0.7 <= drawn <= 1
    assert f"{100 * drawn:.0f} %" in difference.note
    (cells,) = (m for m in joint.marks if isinstance(m, Cells))
    assert cells.values.sum() == pytest.approx(1)
    assert "prior’s answer" in joint.note
    # Of two accuracies the rows run from high a0 to low, the columns from low a1 to high.
    tenths = (np.arange(10) + 0.5) / 10
    assert cells.values.sum(axis=1) @ tenths[::-1] == pytest.approx(0.775, abs=0.02)
    assert cells.values.sum(axis=0) @ tenths == pytest.approx(0.194, abs=0.03)


def test_readings_that_are_neither_noise_nor_certainty_keep_their_own_words(rare):
    def tamer(reading):
        return replace(reading, summaries=tuple(replace(s, median=0.2 + 0.5 * s.median) for s in reading.summaries))

    milder = replace(rare, one=replace(rare.one, readings=tuple(tamer(r) for r in rare.one.readings)))
    assert words_paradox.stories(milder) == ()
    told = words_paradox.open_readings(milder)
    assert "two opposite stories" in told
    assert "nearly always right" not in told
    assert all(reading.words in told for reading in rare.one.readings)


def test_a_posterior_with_one_peak_is_one_reading():
    found = finish(paradox(tallied(WINE["2|3"])))
    assert words_paradox.stories(found) == ()
    assert "one reading" in words_paradox.open_readings(found)
    assert pictures(found)[0].title == "The accuracy is near 0.44"


def test_the_report_of_the_paradox_has_both_readings_and_three_pictures():
    project = project_of(None, counted((998, 2, 0), ("negative", "positive")))
    extras = finish(prepare(project, Wanted(tests=False, raters=False, sensitivity=False)))
    for style in (REPORT, APA):
        (section,) = (s for s in build(project, extras=extras, style=style).sections if s.key == "agreement")
        made = [f for b in section.blocks if isinstance(b, Picture) for f in b.panels if f.kind == "paradox"]
        assert len(made) == 3
        told = " ".join(b.text for b in section.blocks if isinstance(b, Paragraph))
        assert "Most ratings are “negative” (>99 %)" in told
        assert "100 of 100" not in told
        assert "The answers are noise" in told
        assert "The raters are nearly always right" in told
        if style is APA:
            words = [text for f in made for axis in (f.x, f.y) for _at, text in axis.ticks]
            assert not [w for w in words if w.startswith("0.")]
    plain = project_of(None, counted((5, 40, 40, 40, 5)))
    assert finish(prepare(plain, Wanted(tests=False, raters=False, sensitivity=False))).paradox is None


# The likelihood along one number and over two.


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


def test_profile_pictures_mark_the_estimate_and_root_kappa_on_the_accuracy_only(wine):
    fit, ratings = wine
    for panel_, e in zip(figures("profile", fit, ratings), fit.estimates, strict=True):
        lines = [m for m in panel_.marks if isinstance(m, Mark) and m.vertical]
        assert lines[0].at == pytest.approx(e.estimate.value, abs=1e-6)
        roots = [m.at for m in lines if m.role is Role.CLASSICAL]
        assert roots == ([pytest.approx(0.4437, abs=5e-4)] if e.name.name == "a" else [])


def test_the_surface_is_the_profile_where_one_number_is_let_go(wine):
    fit, ratings = wine
    found = finish(surface(ratings, fit, ("t", "a")))
    assert found.fall.max() == pytest.approx(0, abs=1e-3)
    over_a = next(p for p in fit.profiles if p.slot.name.name == "a")
    best = found.fall.max(axis=0)
    inside = best > -4
    oracle = np.interp(found.y[inside], over_a.at, over_a.log_likelihood - over_a.log_likelihood.max())
    assert best[inside] == pytest.approx(oracle, abs=0.12)


def test_the_contour_lies_at_its_limit(wine):
    fit, ratings = wine
    figure = figures("contour", fit, ratings)[0]
    found = finish(surface(ratings, fit, ("t", "a")))
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
        finish(surface(ratings, fit, ("t", "a0")))
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


def test_the_horizon_picture_marks_what_luck_reaches_and_what_is_seen(wine):
    (figure,) = figures("horizon", *wine)
    bars, limit, seen = figure.marks
    assert limit.at == pytest.approx(0.22, abs=0.02)
    assert seen.at == pytest.approx(0.4437, abs=5e-4)
    assert 0.35 < bars.heights.sum() < 0.65
    assert f"{100 * (1 - bars.heights.sum()):.0f} % of them have no root" in figure.note


def test_calibration_of_two_classes_is_one_panel_for_ratings_and_one_for_raters(five):
    ratings_panel, raters_panel = figures("calibration", *five)
    (dots,) = (m for m in raters_panel.marks if isinstance(m, Points))
    assert dots.x.size == 5
    (dots,) = (m for m in ratings_panel.marks if isinstance(m, Points))
    assert np.abs(dots.x - dots.y).max() < 0.15


def test_a_copied_rater_is_singled_out_among_the_pairs():
    ratings = panel(["t=.5", "a=.5", "p=.5"], 200, 4)
    twin = ratings.rater == 1
    category = ratings.category.copy()
    category[twin] = ratings.category[ratings.rater == 0]
    copied = replace(ratings, category=category)
    (figure,) = figures("independence", fitted(copied), copied)
    assert "J1 and J2 agree more" in figure.title
    (out,) = (m for m in figure.marks if m.role is Role.SINGLED_OUT)
    # The twins stand on top; others may stand out as well, for the twins lift what the model expects of all.
    assert dict(figure.y.ticks)[float(out.y.max())] == figure.y.ticks[0][1] == "J1 and J2"
    assert out.x[out.y.argmax()] > max(m.high[0] for m in figure.marks if m.role is Role.REFERENCE)


def test_leaving_out_the_weakest_rater_lifts_the_panel(five):
    accuracy, kappa = figures("influence", *five)
    for figure in (accuracy, kappa):
        values = {name: m.x[0] for (_y, name), m in zip(figure.y.ticks, figure.marks[1:], strict=True)}
        assert max(values, key=values.get) == "J1"
        assert values["J1"] > figure.marks[0].at


def test_entropy_orders_the_raters_by_what_their_ratings_leave_open(five):
    (figure,) = figures("entropy", *five)
    assert [name for _y, name in figure.y.ticks] == ["J5", "J4", "J3", "J2", "J1"]


def test_votes_are_the_binomial_sums(wine):
    fit, ratings = wine
    (figure,) = figures("votes", fit, ratings)
    (vote,) = (m for m in figure.marks if m.role is Role.MODEL)
    t, a, p = (fit.estimate(n).value for n in ("t", "a", "p"))
    high, low = a + (1 - a) * p, (1 - a) * p
    assert vote.y[0] == pytest.approx(t * high + (1 - t) * (1 - low))
    three = t * high**2 * (3 - 2 * high) + (1 - t) * (1 - low) ** 2 * (1 + 2 * low)
    assert vote.y[2] == pytest.approx(three)


def test_cuts_are_drawn_where_the_data_determine_them_and_named_where_not():
    ratings = read_now("sample:jury").ratings
    found = finish(scan(ratings, Request(model("t-a-p"), interval="none")))
    accuracy, truth, guesses = scanned(found)
    assert [text for _x, text in truth.x.ticks] == ["no medal | bronze", "bronze | silver", "silver | gold"]
    (dots,) = (m for m in truth.marks if isinstance(m, Points))
    # Whatever lies above a higher line lies above a lower one.
    assert (np.diff(dots.y) < 0).all()
    assert accuracy.y.title == "a"
    assert "class 1 lies above" in guesses.x.title
    empty = ratings.with_order((*ratings.classes, "grand gold"))
    found = finish(scan(empty, Request(model("t-a-p"), interval="none")))
    assert "No rating is 'grand gold'" in scanned(found)[0].note


def test_a_plan_starts_from_the_estimates(wine):
    width, sure = figures("plan", *wine)
    lines = {m.label: m for m in width.marks}
    assert lines["8 ratings"].y[0] > lines["8 ratings"].y[-1]
    assert lines["3 ratings"].y[-1] > lines["8 ratings"].y[-1]
    assert "N = 183 cases" in width.note
    assert "% of the cases" in sure.title


def test_pictures_that_these_data_cannot_give_say_why(wine, jury, five):
    for kind, (fit, ratings), said in (
        ("independence", wine, "raters are not known"),
        ("influence", wine, "raters are not known"),
        ("entropy", wine, "Raters are alike"),
        ("scan", wine, "three classes or more"),
        ("class_pairs", wine, "three classes or more"),
        ("paradox", jury, "for two classes, and there are 4"),
        ("contour", jury, "two classes"),
        ("votes", five, "Raters differ"),
        ("plan", five, "share their numbers"),
        ("tree", five, "Raters differ"),
    ):
        with pytest.raises(CannotAnswerError, match=said):
            figures(kind, fit, ratings)
    fit, ratings = jury
    with pytest.raises(CannotAnswerError, match="no order"):
        figures("scan", fit, replace(ratings, ordered=False))
    one_each = ratings.keep(ratings.rater == 0)
    with pytest.raises(CannotAnswerError, match="No case has two ratings"):
        figures("chance", fit, one_each)
    with pytest.raises(CannotAnswerError, match="classes have changed"):
        figures("calibration", wine[0], ratings)
