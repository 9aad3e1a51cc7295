"""Pictures of the papers' open questions, of chosen raters and of accuracy along a column, for one's own ratings."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from tapdesk import resources
from tapdesk.answers.figure import Points, Role
from tapdesk.answers.figures.catalog import figures
from tapdesk.answers.figures.raters import chosen, known_accuracies
from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.estimate import undefined
from tapdesk.models.model import Key, model
from tapdesk.progress import Step, finish
from tapdesk.project.project import Project
from tapdesk.project.what_if import OnlyAccurate
from tapdesk.ratings.ratings import Covariate, CovariateOf
from tapdesk.ratings.reading import read, read_now
from tapdesk.studies.accurate_raters import accurate_raters
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.balance import balance_study
from tests.studies.examples import panel, tallied


def fitted(ratings, name="t-a-p", interval="wald", key=Key.UNUSED):
    return finish(analyse(ratings, Request(replace(model(name), key=key), interval=interval)))


@pytest.fixture(scope="module")
def five():
    """Five raters, one of them guessing, with the true class of every case beside the ratings."""
    return panel(["t=.4", "a=0,.5,.6,.7,.9", "p=.5"], 400, 5, name="t-aj-p")


def known(ratings):
    """The same with known answers: the class that the most accurate rater gave, which is mostly the true one."""
    best = ratings.category[ratings.rater == 4]
    column = Covariate("truth", CovariateOf.SUBJECT, np.array([ratings.classes[k] for k in best], dtype=object))
    return replace(ratings, covariates=MappingProxyType({"truth": column}), known="truth")


def test_known_answers_stand_as_diamonds_beside_the_raters_and_are_a_by_their_shares_in_each_class(five):
    ratings = known(five)
    spread, each = figures("rater_histogram", fitted(ratings, "t-aj-p"), ratings)
    assert len(spread.marks) == 2
    (diamonds,) = (m for m in each.marks if isinstance(m, Points) and m.role is Role.KNOWN)
    by_name = known_accuracies(ratings)
    assert by_name[ratings.raters[4]] == 1
    assert sorted(diamonds.x.tolist()) == pytest.approx(sorted(by_name.values()))
    key = ratings.known_classes()
    mine = ratings.rater == 2
    given, true = ratings.category[mine], key[ratings.subject[mine]]
    # Youden's J: how much more often class 1 is given where it is true.
    assert by_name[ratings.raters[2]] == pytest.approx((given[true == 1] == 1).mean() - (given[true == 0] == 1).mean())
    # Who guesses may lie below 0, and the scale reaches there.
    assert each.x.low <= min(by_name.values())
    assert "The model uses the known answers too." not in each.note
    (_spread, used) = figures("rater_histogram", fitted(ratings, "t-aj-p", key=Key.CERTAIN), ratings)
    assert used.note.endswith("less 1, over the number of classes less 1. The model uses the known answers too.")


def test_cases_of_a_known_class_stand_side_by_side_unless_the_fit_uses_what_is_known(five):
    ratings = known(five)
    _all, by_key = figures("cases", fitted(ratings, "t-a-p"), ratings)
    assert "Full bars: known to be “0”; striped bars: known to be “1”." in by_key.note
    counts = dict.fromkeys(("truly “0”", "truly “1”"), 0.0)
    for name, n in zip(by_key.table.values("what"), by_key.table.values("y"), strict=True):
        counts[name] += n
    assert list(counts.values()) == np.bincount(ratings.known_classes()).tolist()
    assert by_key.title.endswith("cases with a known answer are on its side")
    column = ratings.covariates["truth"]
    half = np.where(np.arange(400) < 200, column.values, "").astype(object)
    some = replace(ratings, covariates=MappingProxyType({"truth": replace(column, values=half)}))
    assert len(figures("cases", fitted(some), some)) == 2
    assert len(figures("cases", fitted(some, key=Key.CERTAIN), some)) == 1


def test_raters_without_a_value_in_a_column_are_left_out_of_its_curve_and_counted():
    ratings = read_now(resources.path("help", "reproductions", "writing.csv")).ratings
    two = ratings.merged((ratings.classes[3:], ratings.classes[:3]))
    (curve,) = figures("curve", fitted(two, "t-aj-p", "none"), two)
    assert curve.note.endswith("2 raters are left out: “age” is not known of them.")
    assert curve.table.values("what").count("a rater alone") == 42
    one = two.keep(two.rater != two.raters.index("I09")).panel()
    (curve,) = figures("curve", fitted(one, "t-aj-p", "none"), one)
    left = sum(not np.isfinite(float(x)) for x in one.covariates["age"].values)
    words = "1 rater is left out: “age” is not known of them." if left == 1 else "2 raters are left out"
    assert words in curve.note


def test_raters_whom_no_tenth_parts_are_parted_in_the_middle_and_equal_ones_are_not(monkeypatch):
    ratings = read_now("sample:jury").ratings
    accuracy, *_rates = figures("accurate_raters", fitted(ratings), ratings)
    names = accuracy.table.values("name")
    assert names[0] == "all 4"
    assert names[-1].endswith(": 2")
    assert accuracy.title.startswith("Without 2 of 4 ")

    def equal(some, _fit, _seed):
        yield Step(1, 1, "fit")
        return dict.fromkeys(some.raters, 0.6)

    monkeypatch.setattr("tapdesk.studies.accurate_raters.rater_accuracies", equal)
    with pytest.raises(CannotAnswerError) as raised:
        figures("accurate_raters", fitted(ratings), ratings)
    words = "The accuracies of these raters, from 0.60 to 0.60, leave out nobody or all but one."
    assert str(raised.value.what) == words


def without_numbers(one):
    """The same panel, of which nothing can be told."""
    rows = tuple(replace(row, estimate=undefined("The data leave it open.")) for row in one.fit.estimates)
    return replace(one, fit=replace(one.fit, estimates=rows))


def test_a_title_gives_no_dash_for_a_number_that_cannot_be_told():
    ratings = read_now("sample:jury").ratings
    fit = fitted(ratings)
    whole, *fewer = finish(accurate_raters(ratings, fit))
    accuracy, *rates = chosen(fit, (whole, *map(without_numbers, fewer)))
    assert accuracy.title.endswith(", a cannot be told")
    assert [one.title for one in rates] == ["t and p of those who are left"] * (len(fit.classes) == 2)
    accuracy, *_rates = chosen(fit, (without_numbers(whole), *fewer))
    value = fewer[0].fit.estimate("a").value
    assert f", a is {value:.2f}" in accuracy.title
    assert accuracy.title.endswith("; of all it cannot be told")
    assert "\N{EN DASH}" not in accuracy.title


def test_a_curve_needs_a_column_of_numbers_about_the_raters(five):
    with pytest.raises(CannotAnswerError, match="This picture needs a column of numbers about the raters, such as"):
        figures("curve", fitted(five, "t-aj-p"), five)


def test_cases_cannot_be_balanced_where_there_is_nothing_to_balance():
    few = "Too few cases have most of their ratings in the rarer class to be balanced."
    for counts, words in (
        ((60, 30, 10, 0, 0), few),
        ((30, 8, 24, 8, 30), "As many cases are mostly of one class as of the other: they are balanced."),
    ):
        ratings = tallied(counts)
        with pytest.raises(CannotAnswerError) as raised:
            finish(balance_study(ratings, fitted(tallied((90, 43, 25, 15, 10))), 1))
        assert str(raised.value.what) == words


def test_balancing_makes_panels_of_known_accuracy_look_better_where_a_class_is_rare():
    ratings = panel(["t=.1", "a=.5", "p=.1"], 600, 5)
    study = finish(balance_study(ratings, fitted(ratings), 1))
    assert study.frequent == 0
    assert study.made.a.mean() == pytest.approx(study.a, abs=0.03)
    assert study.made.a_after.mean() > study.a + 0.1
    assert (study.made.left < 300).all()
    again = finish(balance_study(ratings, fitted(ratings), 1))
    np.testing.assert_array_equal(study.own.kappa_after, again.own.kappa_after)


def test_only_accurate_raters_are_those_of_the_answer_and_nobody_is_left_out_where_all_are():
    project = Project(title="Jury").with_reading(finish(read("sample:jury-panel")), when="")
    project = project.with_class1(("silver", "gold"))
    ratings = project.ratings
    fit = fitted(ratings, "t-aj-p")
    question = finish(OnlyAccurate(0.4).settle(project, fit))
    own = {e.name.rater: e.estimate.value for e in fit.estimates if e.name.name == "a"}
    assert question.names == tuple(name for name in ratings.raters if own[name] < 0.4) != ()
    assert question.apply(project).ratings.raters == tuple(name for name in ratings.raters if own[name] >= 0.4)
    assert question.words == "only raters with an accuracy of at least 0.4"
    assert "(without Omar, Petra)" in question.lead
    assert "they were chosen by these ratings" in question.caveat
    with pytest.raises(TapdeskError, match=r"Every rater has an accuracy of at least 0\.0001: nobody would be left"):
        finish(OnlyAccurate(0.0001).settle(question.apply(project), None))


def test_of_many_raters_the_highest_and_the_lowest_are_drawn():
    accuracies = ",".join(f"{0.1 + 0.02 * j:.2f}" for j in range(44))
    ratings = panel(["t=.5", f"a={accuracies}", "p=.5"], 80, 44, name="t-aj-p")
    fit = fitted(ratings, "t-aj-p", interval="none")
    _bars, each = figures("rater_histogram", fit, ratings)
    values = sorted(e.estimate.value for e in fit.estimates if e.name.rater is not None)
    points = [float(x) for m in each.marks if isinstance(m, Points) for x in m.x]
    assert sorted(points) == pytest.approx(values[:20] + values[-20:])
    assert each.note.endswith("The 20 highest and the 20 lowest of 44 are drawn.")
