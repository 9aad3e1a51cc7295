"""Pictures that are studies: chance, calibration, pairs of raters, influence, cuts, plans."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from tapdesk.answers import fonts, parameters
from tapdesk.answers.figure import Points, Role, Words
from tapdesk.answers.figures.catalog import FIGURES, figures
from tapdesk.answers.figures.classes import scanned
from tapdesk.answers.model_checks import information_table
from tapdesk.answers.svg.draw import svg
from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.rater_diagnostics import rater_informations
from tapdesk.studies.scan import Direction, scan
from tapdesk.studies.subsets import influence
from tests.studies.examples import WINE, panel, tallied


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


def paradox() -> tuple[Fit, Ratings]:
    ratings = read_now("sample:paradox").ratings
    return fitted(ratings, "t-a-t"), ratings


@pytest.fixture(scope="module")
def five() -> tuple[Fit, Ratings]:
    ratings = panel(["t=.4", "a=.1,.4,.6,.7,.9", "p=.5"], 300, 5, name="t-aj-p")
    return fitted(ratings, "t-aj-p"), ratings


@pytest.mark.parametrize("kind", ["independence", "influence", "information", "scan", "class_pairs", "calibration"])
def test_pictures_of_known_raters_and_many_classes_are_told_in_words(kind, jury, five):
    fit, ratings = five if kind == "information" else jury
    for figure in figures(kind, fit, ratings):
        assert figure.kind == kind
        assert figure.title
        assert any(c.isdigit() for c in figure.alt)
        assert "N = " in figure.note
        assert figure.x.low < figure.x.high
        assert figure.y.low < figure.y.high
        assert figure.height >= 230


def test_every_picture_that_is_a_study_can_be_driven_step_by_step(wine):
    studies = [row for row in FIGURES if row.run is not None]
    assert {"paradox", "contour", "chance", "horizon"} <= {row.kind for row in studies}
    row = next(r for r in studies if r.kind == "contour")
    steps = []
    finish(row.run(*wine), steps.append)
    assert len(steps) > 3


# The kappa paradox (experience.md: Feinstein and Cicchetti's tables; the 998 + 2 subjects of Kappa Zoo ch. 4).


def test_the_horizon_picture_marks_what_luck_reaches_and_what_is_seen(wine):
    (figure,) = figures("horizon", *wine)
    bars, limit, seen = figure.marks
    assert limit.at == pytest.approx(0.22, abs=0.02)
    assert seen.at == pytest.approx(0.4437, abs=5e-4)
    assert 0.35 < bars.heights.sum() < 0.65
    assert f"{100 * (1 - bars.heights.sum()):.0f} % of them have no root" in figure.note


def test_a_horizon_that_luck_hardly_ever_leaves_is_told_in_words_and_not_as_a_root_of_zero():
    ratings = read_now("sample:paradox").ratings
    (figure,) = figures("horizon", fitted(ratings, "t-a-t"), ratings)
    assert figure.title == "In 95 of 100 panels made by luck kappa is not above 0, and here it is not either"


def test_a_horizon_without_a_single_root_has_an_axis_and_is_drawn():
    ratings = tallied((0, 0, 1, 0))
    (figure,) = figures("horizon", fitted(ratings), ratings)
    assert figure.x.high > figure.x.low
    assert svg(figure).startswith("<svg")


def test_numbers_without_intervals_are_not_said_to_have_some():
    ratings = panel(["t=.4", "a=0,.6,.7,.9", "p=.5"], 200, 4, name="t-aj-p")
    (figure,) = figures("estimates", fitted(ratings, "t-aj-p", "wald"), ratings)
    assert all(np.array_equal(m.low, m.high) for m in figure.marks if isinstance(m, Points))
    assert "There are no intervals." in figure.note
    assert "interval from the curvature" not in figure.note


def test_calibration_of_two_classes_is_one_panel_for_ratings_and_one_for_raters(five):
    ratings_panel, raters_panel = figures("calibration", *five)
    (dots,) = (m for m in raters_panel.marks if isinstance(m, Points))
    assert dots.x.size == 5
    (dots,) = (m for m in ratings_panel.marks if isinstance(m, Points))
    assert np.abs(dots.x - dots.y).max() < 0.15


def test_a_copied_rater_lies_beyond_its_line_and_is_not_singled_out():
    ratings = panel(["t=.5", "a=.5", "p=.5"], 200, 4)
    twin = ratings.rater == 1
    category = ratings.category.copy()
    category[twin] = ratings.category[ratings.rater == 0]
    copied = replace(ratings, category=category)
    (figure,) = figures("independence", fitted(copied), copied)
    assert figure.title == "Some raters agree more often than the model explains"
    assert not [m for m in figure.marks if m.role is Role.SINGLED_OUT]
    (dots,) = (m for m in figure.marks if isinstance(m, Points) and m.role is Role.OBSERVED)
    assert figure.y.ticks[0][1] == "J1 and J2"
    assert dots.x[dots.y.argmax()] > max(m.high[0] for m in figure.marks if m.role is Role.REFERENCE)


def test_leaving_out_the_weakest_rater_lifts_the_panel(five):
    accuracy, kappa = figures("influence", *five)
    for figure in (accuracy, kappa):
        values = {name: m.x[0] for (_y, name), m in zip(figure.y.ticks, figure.marks[1:], strict=True)}
        assert max(values, key=values.get) == "J1"
        assert values["J1"] > figure.marks[0].at


def test_a_rater_who_turns_the_scale_over_hides_the_accuracy_and_leaving_out_says_so():
    rows = [[1, 1, 1, 0], [0, 0, 0, 1]] * 10 + [[1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 0, 1]] * 4
    ratings = replace(panel(["t=.5", "a=1", "p=.5"], 32, 4), category=np.array(rows).reshape(-1))
    accuracy, kappa = figures("influence", fitted(ratings), ratings)
    assert accuracy.title.startswith("Without J4 the accuracy of the panel would be 0.")
    assert accuracy.title.endswith("with all raters the ratings do not tell it")
    assert [name for _y, name in accuracy.y.ticks] == ["J4"]
    assert "Without 3 of the raters the others tell nothing." in accuracy.note
    assert "Line: with all." not in accuracy.note
    assert "Line: with all." in kappa.note


def test_where_no_rater_matters_none_is_named():
    ratings = replace(panel(["t=.5", "a=1", "p=.5"], 30, 4), category=np.repeat([1, 0, 0] * 10, 4))
    accuracy, kappa = figures("influence", fitted(ratings), ratings)
    assert accuracy.title == "Whoever is left out, the accuracy of the panel stays near 1.00"
    assert kappa.title == "Whoever is left out, Fleiss’ kappa stays near 1.00"
    assert all(m.low[0] < 1 for m in accuracy.marks if isinstance(m, Points))


def test_the_tree_tells_how_sure_its_accuracy_is_and_long_names_hide_nothing():
    ratings = panel(["t=.4", "a=.6", "p=.5"], 60, 4)
    long = replace(
        ratings, classes=("no sign of it as far as anybody can tell 王小明", "a sign of it beyond doubt 王小明")
    )
    fit = finish(analyse(long, Request(model("t-a-p"), interval="wald")))
    (figure,) = figures("tree", fit, long)
    a = fit.estimate("a")
    reach = f"{100 * a.value:.0f} of 100 ratings follow the case ({100 * a.low:.0f} to {100 * a.high:.0f})"
    assert figure.title.startswith(reach)
    assert figure.alt.startswith(f"Tree. {reach}")
    words = [m for m in figure.marks if isinstance(m, Words)]
    assert max(fonts.width(m.label, 13, bold=True) for m in words) <= 104
    assert sum(m.label.startswith("true ") for m in words) == 2


def test_votes_say_how_sure_the_accuracy_behind_them_is(wine):
    fit, ratings = wine
    (figure,) = figures("votes", fit, ratings)
    a = fit.estimate("a")
    assert (f"any from {a.low:.2f} to {a.high:.2f}" in figure.note) == (a.low is not None)


def test_votes_need_an_accuracy_that_is_known_whether_its_interval_is_told_or_not(wine):
    # On the paradox any accuracy fits (models.md §8); the point estimate alone would say "99 times in 100".
    for (fit, ratings), interval in product((wine, paradox()), ("none", "profile")):
        found = fitted(ratings, fit.model.name, interval)
        if fit is wine[0]:
            assert "would be right about 86 times" in figures("votes", found, ratings)[0].title
        else:
            with pytest.raises(CannotAnswerError, match="known too roughly, or cannot be told from chance"):
                figures("votes", found, ratings)


def test_information_orders_the_raters_by_what_their_ratings_tell(five):
    (figure,) = figures("information", *five)
    assert [name for _y, name in figure.y.ticks] == ["J5", "J4", "J3", "J2", "J1"]


def test_a_rater_with_one_rating_is_not_called_the_clearest_or_the_least_clear():
    rng = np.random.default_rng(8)
    cells = np.column_stack([np.where(rng.random(60) < 0.75, np.arange(60) % 2, 1 - np.arange(60) % 2) for _ in "ABC"])
    subject, rater = np.indices(cells.shape).reshape(2, -1)
    subject, rater, category = np.append(subject, 4), np.append(rater, 3), np.append(cells.ravel(), 1)
    names = [f"S{i}" for i in range(60)], ["A", "B", "C", "Eva"], ["no", "yes"]
    ratings = Ratings.of(subject, rater, category, *names)
    fit = finish(analyse(ratings, Request(model("t-aj-p"))))
    (figure,) = figures("information", fit, ratings)
    assert sorted(name for _y, name in figure.y.ticks) == ["A", "B", "C"]
    assert "Eva" not in figure.title
    table = information_table(fit.raters, rater_informations(fit))
    assert table.rows[-1][0] == "Eva"
    assert table.rows[-1][1].values == (None,)
    assert "who gave one rating only" in table.note
    # The sentence that says why names the rater it is about.
    assert [symbols for symbols, words in parameters.parameter_rows(fit) if "one rating only" in words] == ["a (Eva)"]


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
    accuracy, rates = scanned(found)
    assert [text for _x, text in rates.x.ticks] == ["no medal | bronze", "bronze | silver", "silver | gold"]
    truth, guesses = (m for m in rates.marks if isinstance(m, Points))
    # Whatever lies above a higher line lies above a lower one.
    assert (np.diff(truth.y) < 0).all()
    assert (np.diff(guesses.y) < 0).all()
    assert (accuracy.y.title, rates.y.title) == ("a, √κ", "t, p")
    assert "what is counted lies above" in accuracy.x.title
    assert rates.title == "t and p: no clear difference at any cut that is tested"
    below = scanned(found.turned(Direction.BELOW))
    turned, _guesses = (m for m in below[1].marks if isinstance(m, Points))
    np.testing.assert_allclose(turned.y, 1 - truth.y)
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
        ("information", wine, "raters are not known"),
        ("information", jury, "Raters are alike"),
        ("rater_histogram", wine, "raters are not known"),
        ("rater_histogram", jury, "at least 5 whose accuracies are told apart"),
        ("scan", wine, "three classes or more"),
        ("class_pairs", wine, "three classes or more"),
        ("paradox", jury, "for two classes, and there are 4"),
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


def test_each_number_without_a_rater_is_told_with_its_interval(five):
    table = finish(influence(five[1]))
    accuracy, kappa = figures("influence", *five)
    for figure, column in ((accuracy, "a"), (kappa, "kappa")):
        rows = {row["rater"]: row for row in table.records()}
        most = max(rows.values(), key=lambda row: abs(row[f"{column}_change"]))
        value, low, high = (f"{most[f'{column}{end}']:.2f}" for end in ("", "_low", "_high"))
        assert f"Without {most['rater']} " in figure.title
        assert f"would be {value} ({low} to {high}) instead of" in figure.title.replace("−", "-")
        for (_y, name), mark in zip(figure.y.ticks, figure.marks[1:], strict=True):
            assert (mark.low[0], mark.high[0]) == (rows[name][f"{column}_low"], rows[name][f"{column}_high"])
    assert "95 % profile intervals." in accuracy.note
    assert "95 % intervals by standard errors." in kappa.note


def test_a_rater_called_by_a_number_is_not_taken_for_a_class(five):
    fit, ratings = five
    numbered = replace(ratings, raters=("1", "2", "3", "4", "5"))
    accuracy, _kappa = figures("influence", fit, numbered)
    assert "Without rater " in accuracy.title
