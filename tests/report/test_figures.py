"""What the pictures hold."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from tapdesk.answers.figure import Axis, Band, Line, Mark, Points, Role
from tapdesk.answers.figures.catalog import FIGURES, figures, picture
from tapdesk.answers.figures.classes import class_use, confusion
from tapdesk.answers.numbers import Style
from tapdesk.answers.svg.draw import svg
from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.estimate import Estimate
from tapdesk.models.model import model
from tapdesk.models.parameters import ParameterName
from tapdesk.progress import finish
from tapdesk.ratings.ratings import COLOURS, Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.distribution import binomial_band, expected_shares, shares
from tests.studies import examples

from .examples import A, P, T, counted, fit_of, four_fit, four_ratings, open_fit, wine_fit, wine_ratings

# Rates of no size that anyone could see only try the oracle.
unit = st.floats(0.0, 1.0).map(lambda x: round(x, 9))


@settings(max_examples=25)
@given(t=unit, high=unit, low=unit, n=st.integers(1, 12))
def test_expected_shares_are_the_mixture_of_two_binomials(t, high, low, n):
    high, low = max(high, low), min(high, low)
    a = high - low
    fit = fit_of(t, a, low / (1 - a) if a < 1 else 0.5)
    k = np.arange(n + 1)
    oracle = t * binom.pmf(k, n, high) + (1 - t) * binom.pmf(k, n, low)
    found = expected_shares(ragged([n]), fit, 1, np.ones(1), n)
    assert found == pytest.approx(oracle, abs=1e-12)
    assert found.sum() == pytest.approx(1.0)


def test_the_band_of_observed_shares_is_the_quantile_of_the_binomial():
    observed = np.array([0.0, 0.1, 0.5, 1.0])
    low, high = binomial_band(observed, 183, 0.95)
    assert low == pytest.approx(binom.ppf(0.025, 183, observed) / 183)
    assert high == pytest.approx(binom.ppf(0.975, 183, observed) / 183)


def test_wine_shares_are_those_of_the_table_and_of_the_model():
    (figure,) = figures("distribution", wine_fit(), wine_ratings())
    lines = {m.label: m for m in figure.marks if isinstance(m, Line | Points) and m.label}
    assert lines["Observed"].y == pytest.approx(np.array([18, 35, 46, 48, 36]) / 183)
    k = np.arange(5)
    expected = T * binom.pmf(k, 4, A + (1 - A) * P) + (1 - T) * binom.pmf(k, 4, (1 - A) * P)
    assert lines["t-a-p model"].y == pytest.approx(expected)
    assert lines["Random answers"].y == pytest.approx(binom.pmf(k, 4, 415 / 732))
    assert "183 cases, 4 ratings each" in figure.note


def ragged(sizes):
    """Ratings in class 1 of every second, for subjects with these numbers of ratings."""
    subject = np.repeat(np.arange(len(sizes)), sizes)
    return Ratings.of(
        subject,
        np.zeros(subject.size, dtype=int),
        np.arange(subject.size) % 2,
        [str(i) for i in range(len(sizes))],
        ["x"],
        wine_fit().classes,
        raters_known=False,
    )


def test_uneven_data_show_the_commonest_number_of_ratings_and_say_so():
    (figure,) = figures("distribution", wine_fit(), ragged([4] * 30 + [3] * 10))
    assert "N = 30 of 40 cases: those with 4 ratings" in figure.note


def test_very_uneven_data_are_drawn_together_and_say_so():
    found = shares(ragged([2] * 10 + [3] * 9 + [5] * 8), wine_fit(), 1)
    assert found.ratings is None
    assert found.observed.sum() == pytest.approx(1.0)
    for expected in found.expected.values():
        assert expected.sum() == pytest.approx(1.0)
    (figure,) = figures("distribution", wine_fit(), ragged([2] * 10 + [3] * 9 + [5] * 8))
    assert "27 cases with 2 to 5 ratings each, drawn together" in figure.note


def test_tallied_subjects_count_as_often_as_they_stand_for():
    plain = counted((3, 1, 2, 0, 4))
    first = np.array([plain.subjects.index(f"W{i}") for i in (1, 4, 5, 7)])
    kept = plain.keep(np.isin(plain.subject, first))
    tallied = replace(kept, weight=np.array([3, 1, 2, 4]))
    assert shares(tallied, wine_fit(), 1).observed == pytest.approx(shares(plain, wine_fit(), 1).observed)


def test_four_classes_give_four_panels_on_one_scale():
    panels = figures("distribution", four_fit(), four_ratings())
    assert len(panels) == 4
    for c, panel in enumerate(panels):
        (model,) = (m for m in panel.marks if isinstance(m, Line) and m.role is Role.MODEL)
        assert model.y.sum() == pytest.approx(1.0)
        mean = float(model.y @ np.arange(5)) / 4
        truth = four_fit().parameters.truth
        rates = four_fit().parameters.rating_rates()[0]
        assert mean == pytest.approx(float(truth @ rates[:, c]), abs=1e-9)


def test_the_parameters_are_histograms_of_the_re_draws_on_the_scale_0_to_1(fitted, wine):
    panels = figures("parameters", fitted, wine)
    assert [p.y.title for p in panels] == ["t", "a", "p"]
    for panel in panels:
        assert (panel.x.low, panel.x.high) == (0.0, 1.0)
        assert panel.marks[0].heights.sum() == pytest.approx(1.0)
        assert "200 resamples" in panel.note
        assert "N = 183 cases, 732 ratings" in panel.note


def test_convergence_has_one_line_for_each_start_and_says_how_many_meet(fitted, wine):
    # As if another maximum had been found on the way.
    fitted = replace(fitted, optima=fitted.optima[:1] * 2)
    (figure,) = figures("convergence", fitted, wine)
    assert len(figure.marks) == len(fitted.trace)
    # Of 87 starts a dozen are kept to be drawn; the title speaks of those only.
    drawn = len(fitted.trace)
    assert fitted.starts > drawn
    assert figure.title == f"All {drawn} starts drawn reach the same best value"
    assert f"{drawn} of {fitted.starts} are drawn" in figure.note
    assert figure.y.low < fitted.log_likelihood.ratings < figure.y.high


def test_where_all_starts_meet_the_answer_is_one_unless_the_data_leave_it_open(fitted, wine):
    one = replace(fitted, optima=fitted.optima[:1], trace=(fitted.trace[0],) * 3)
    (figure,) = figures("convergence", one, wine)
    assert figure.title == f"All {fitted.starts} starts meet: one answer"
    for other in (
        replace(one, identification=open_fit().identification),
        replace(one, optima=fitted.optima[:1] * 2),
    ):
        (figure,) = figures("convergence", other, wine)
        assert figure.title == "All 3 starts drawn reach the same best value"


def test_slopes_stand_on_an_axis_of_their_own_and_no_number_is_cut_off():
    fit = wine_fit()
    slope = Estimate(-2.4).between(-3.1, 1.7, 0.95, "profile")
    name = ParameterName("b", covariate="age")
    many = tuple(replace(fit.estimates[-1], name=ParameterName("p", "gold", f"R{i}")) for i in range(60))
    fit = replace(fit, estimates=(*fit.estimates, *many, replace(fit.estimates[0], name=name, estimate=slope)))
    drawn = figures("estimates", fit, wine_ratings())
    assert [len(figure.y.ticks) for figure in drawn] == [32, 31, 1]
    shares, slopes = drawn[:-1], drawn[-1]
    assert all((figure.x.low, figure.x.high) == (0.0, 1.0) for figure in shares)
    assert slopes.x.low < -3.1
    assert slopes.x.high > 1.7
    assert slopes.y.ticks[0][1] == "slope of age (logit)"


def test_the_profile_crosses_its_limit_at_the_ends_of_the_interval(fitted, wine):
    for panel, e in zip(figures("profile", fitted, wine), fitted.estimates, strict=True):
        (limit,) = (m for m in panel.marks if isinstance(m, Mark) and not m.vertical)
        (line,) = (m for m in panel.marks if isinstance(m, Line) and m.role is Role.MODEL)
        assert limit.at == pytest.approx(-1.9207, abs=1e-4)
        for end in (e.estimate.low, e.estimate.high):
            assert np.interp(end, line.x, line.y) == pytest.approx(limit.at, abs=1e-3)


def test_class_rates_are_the_observed_ones():
    (figure,) = figures("class_rates", four_fit(), four_ratings())
    assert figure.marks[0].high[::3] == pytest.approx(four_ratings().class_rates())


def test_the_estimates_stand_on_one_scale_with_their_intervals():
    (figure,) = figures("estimates", wine_fit(), wine_ratings())
    rows = [m for m in figure.marks if isinstance(m, Points)]
    assert [float(m.x[0]) for m in rows] == pytest.approx([T, A, P])
    assert [(float(m.low[0]), float(m.high[0])) for m in rows] == [
        (e.estimate.low, e.estimate.high) for e in wine_fit().estimates
    ]


def test_a_figure_that_cannot_be_drawn_says_why():
    with pytest.raises(CannotAnswerError, match="resamples"):
        figures("parameters", wine_fit(), wine_ratings())
    with pytest.raises(CannotAnswerError, match="profile"):
        figures("profile", wine_fit(), wine_ratings())
    with pytest.raises(CannotAnswerError, match="has a value"):
        figures("estimates", open_fit(), wine_ratings())
    with pytest.raises(CannotAnswerError, match="classes have changed"):
        figures("distribution", four_fit(), wine_ratings())
    with pytest.raises(CannotAnswerError, match="trace"):
        figures("convergence", replace(wine_fit(), trace=()), wine_ratings())


def test_an_unknown_figure_is_refused_with_the_names():
    with pytest.raises(UsageError, match="distribution"):
        picture("pie")


# Pictures of known raters, and of more than two classes: see test_figure_catalog.
OF_OTHER_DATA = {
    "pairs", "information", "independence", "influence", "scan", "class_pairs", "rater_histogram", "cohen",
    "accurate_raters", "curve",
}  # fmt: skip


@pytest.mark.parametrize("row", FIGURES, ids=lambda row: row.kind)
def test_every_figure_has_title_words_for_the_blind_and_a_note_with_n(row, fitted, wine):
    drawable = row.needs(fitted, wine) is None
    assert drawable is (row.kind not in OF_OTHER_DATA)
    for figure in row.draw(fitted, wine) if drawable else ():
        assert figure.kind == row.kind
        assert figure.title
        assert any(c.isdigit() for c in figure.alt)
        assert "N = " in figure.note
        assert isinstance(figure.x, Axis)
        assert figure.x.low < figure.x.high
        assert figure.y.low < figure.y.high


def test_a_class_has_its_colour_in_every_picture_of_classes_and_its_name_beside_it():
    fit, plain = four_fit(), replace(four_ratings(), raters_known=True)
    coloured = replace(plain, colours=("", "green", "", "orange"))
    use, mixed = class_use(coloured, Style()), confusion(coloured)
    for figure in (*figures("class_rates", fit, coloured), use, mixed):
        drawn = {m.colour for m in figure.marks if isinstance(m, Band)}
        assert drawn == {"", "green", "orange"}
        square = f'height="9" fill="{COLOURS["green"]}"'
        picture = svg(figure, theme="dark")
        assert picture.count(square) == (2 if figure is mixed else 1)
        assert all(f">{name}<" in picture for name in plain.classes)


def test_the_colour_of_a_class_changes_no_value_of_a_picture():
    fit, plain = four_fit(), replace(four_ratings(), raters_known=True)
    coloured = replace(plain, colours=("blue", "green", "", "orange"))
    for kind in ("class_rates", "class_use"):
        heights = []
        for ratings in (plain, coloured):
            figure = class_use(ratings, Style()) if kind == "class_use" else figures(kind, fit, ratings)[0]
            bands = [m for m in figure.marks if isinstance(m, Band)]
            corners = np.hstack([np.stack([m.x, m.low, m.high]) for m in bands])
            heights.append(sorted(c for c in corners.T.tolist() if np.isfinite(c[0])))
        assert heights[0] == heights[1]


def test_cohen_is_not_drawn_of_raters_who_share_no_case():
    ratings = examples.panel(["t=.4", "a=.6", "p=.4"], 20, 2)
    apart = ratings.keep(ratings.subject % 2 == ratings.rater)
    assert picture("cohen").needs(None, apart) == "No case was rated by both raters."


def test_sensitivity_is_not_told_where_re_draws_would_make_it_look_sure():
    needs = picture("clinical").needs
    ratings = examples.panel(["t=.4", "a=.6", "p=0"], 60, 3)
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="none")))
    assert fit.active_bounds
    assert needs(fit, ratings) == (
        "A number lies at its edge, where re-draws of the cases do not show how far it may be off."
    )
    # The paradox: with p = t the accuracy can be anything, and re-draws of 998 equal cases would not show it.
    rare = read_now("sample:paradox").ratings
    tied = finish(analyse(rare, Request(model("t-a-t"), interval="none")))
    assert needs(tied, rare) == (
        "These names need one accuracy and one way of guessing that are told apart from the truth, as by t-a-p."
    )
