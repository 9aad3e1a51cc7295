"""Whether groups differ: intervals of differences against a search by hand, tests of equality, what cannot be told."""

import numpy as np
import pytest

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.climb import climb
from tapdesk.fitting.em import ExactEM
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.panels import join_questions, question_model
from tapdesk.models.parameters import Stack
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.group_contrasts import (
    equal_accuracies,
    equal_truths,
    equality_test,
    group_contrasts,
    groups_alone,
)
from tests.models.test_groups import of_groups, with_groups
from tests.models.test_panels import panel, three


def wards(seed, *, rates=(0.3, 0.3), accuracies=(0.7, 0.7), cases=80, raters=4):
    """Two wards or more of so many cases each."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(len(rates)), cases)
    truth = (rng.random(group.size) < np.array(rates)[group]).astype(int)
    subject, rater = np.repeat(np.arange(group.size), raters), np.tile(np.arange(raters), group.size)
    right = rng.random(subject.size) < np.array(accuracies)[group[subject]]
    category = np.where(right, truth[subject], (rng.random(subject.size) < 0.4).astype(int))
    ratings = Ratings.of(
        subject, rater, category, [str(i) for i in range(group.size)], [f"R{j}" for j in range(raters)], ["no", "yes"]
    )
    return with_groups(ratings, [f"w{g}" for g in group])


def fitted(name, ratings):
    return finish(ExactEM().run(of_groups(name), ratings, 1))


def profile_by_hand(ratings, fit, part, deltas):
    """For each difference the highest log-likelihood of a grid of both numbers, all else maximised by E-M."""
    plan = design(fit.model, ratings)
    evidence = plan.space.evidence(plan.patterns)
    first = getattr(fit.parameters, part)
    base = np.linspace(0.01, 0.99, 99)
    best = []
    for delta in deltas:
        rows = base[(base + delta > 0.005) & (base + delta < 0.995)]
        pins = Stack.of([fit.parameters] * rows.size)
        held = [np.full_like(a, np.nan) for a in pins.parts]
        place = 0 if part == "truth" else 1
        value = np.full((rows.size, *first.shape), np.nan)
        if part == "truth":
            value[:, 0, 1], value[:, 1, 1] = rows, rows + delta
            value[:, :, 0] = 1 - value[:, :, 1]
        else:
            value[:, 0, 0], value[:, 1, 0] = rows, rows + delta
        held[place] = value
        start = [a.copy() for a in Stack.of([fit.parameters] * rows.size).inside(1e-3).parts]
        start[place] = value
        run = climb(plan.space, evidence, Stack(*start), pins=Stack(*held), tolerance=1e-9, limit=1500)
        best.append(float(finish(run).log_likelihood.max()))
    return np.array(best)


@pytest.mark.parametrize(("name", "part", "letter"), [("tg-a-p", "truth", "t"), ("t-ag-p", "accuracy", "a")])
def test_the_ends_of_a_difference_are_where_the_likelihood_has_fallen_by_half_a_chi_square(name, part, letter):
    ratings = wards(
        3, rates=(0.25, 0.5) if letter == "t" else (0.4, 0.4), accuracies=(0.8, 0.6) if letter == "a" else (0.7, 0.7)
    )
    fit = fitted(name, ratings)
    (contrast,) = finish(group_contrasts(ratings, fit, (letter,)))
    assert (contrast.name, contrast.of, contrast.minus) == (letter, "w1", "w0")
    own = {e.name.group: e.estimate.value for e in fit.estimates if e.name.name == letter}
    assert contrast.value == pytest.approx(own["w1"] - own["w0"])
    levels = profile_by_hand(ratings, fit, part, [contrast.low, contrast.high])
    # The grid of the other number is a hundredth wide, so it lies a little below the ridge.
    assert levels == pytest.approx(fit.log_likelihood.ratings - 1.9207, abs=0.03)
    assert contrast.low < contrast.value < contrast.high


def test_a_difference_is_held_as_often_as_it_should_be():
    held, clear = [], []
    for seed in range(24):
        ratings = wards(seed, rates=(0.3, 0.5), cases=60)
        contrasts = finish(group_contrasts(ratings, fitted("tg-a-p", ratings)))
        held.append(contrasts[0].low <= 0.2 <= contrasts[0].high)
        clear.append(contrasts[0].clear)
    # Of 24 intervals of 95 % four fail in one of 80 times.
    assert sum(held) >= 20
    assert sum(clear) >= 5


def test_every_two_groups_are_set_against_each_other_and_of_many_the_neighbours():
    few = wards(1, rates=(0.2, 0.4, 0.6), accuracies=(0.7,) * 3, cases=60)
    assert [(c.of, c.minus) for c in finish(group_contrasts(few, fitted("tg-a-p", few)))] == [
        ("w1", "w0"), ("w2", "w0"), ("w2", "w1"),
    ]  # fmt: skip
    many = wards(2, rates=(0.5,) * 7, accuracies=(0.8,) * 7, cases=25)
    assert len(finish(group_contrasts(many, fitted("tg-a-p", many)))) == 6


def test_equal_groups_are_not_noticed_and_unequal_ones_are():
    same = wards(4, cases=100)
    for nested in (equal_accuracies(of_groups("tg-a-p")), equal_truths(of_groups("tg-a-p"))):
        assert finish(equality_test(same, nested, 40, 1)).p_bootstrap > 0.05
    skill = finish(
        equality_test(wards(5, accuracies=(0.9, 0.4), cases=100), equal_accuracies(of_groups("tg-a-p")), 40, 1)
    )
    truth = finish(equality_test(wards(6, rates=(0.2, 0.6), cases=100), equal_truths(of_groups("tg-a-p")), 40, 1))
    assert (skill.name, skill.df, skill.p_bootstrap < 0.05) == ("equal-a-groups", 1, True)
    assert (truth.name, truth.df, truth.p_bootstrap < 0.05) == ("equal-t-groups", 1, True)
    assert skill.about == "Accuracy is the same in all groups."
    assert truth.about == "The true classes are as common in all groups."


@pytest.mark.parametrize(
    ("name", "accuracy", "truth"),
    [
        ("tg-a-p", ("tg-ag-p", "tg-a-p"), ("tg-a-p", "t-a-p")),
        ("t-ag-p", ("t-ag-p", "t-a-p"), ("tg-ag-p", "t-ag-p")),
        ("tg-a-pg", ("tg-ag-pg", "tg-a-pg"), ("tg-a-pg", "t-a-pg")),
        ("tg-aj-p", ("tg-aj-p*", "tg-aj-p"), ("tg-aj-p", "t-aj-p")),
        ("t-ajg-p", ("t-ajg-p", "t-aj-p"), ("t-ajg-p*", "t-ajg-p")),
    ],
)
def test_what_is_tested_of_a_model_is_that_model_with_and_without_a_difference(name, accuracy, truth):
    row = of_groups(name)
    for nested, names in ((equal_accuracies(row), accuracy), (equal_truths(row), truth)):
        assert (nested.larger.name, nested.smaller.name) == names
        plans = [design(r, wards(1, raters=3)).space.free for r in (nested.larger, nested.smaller)]
        assert plans[0] > plans[1]


def test_raters_in_groups_are_tested_as_well():
    ratings = wards(7, accuracies=(0.9, 0.3), cases=80)
    test = finish(equality_test(ratings, equal_accuracies(of_groups("tg-aj-p")), 20, 1))
    assert (test.df, test.p_bootstrap < 0.06) == (4, True)


def refused(call):
    with pytest.raises(CannotAnswerError) as error:
        call()
    return str(error.value.what)


def test_what_two_ratings_cannot_say_is_said():
    two = wards(8, rates=(0.2, 0.6), accuracies=(0.8, 0.6), raters=2)
    sentence = refused(lambda: finish(equality_test(two, equal_accuracies(of_groups("tg-a-p")), 10, 1)))
    assert sentence == (
        "These ratings cannot say whether groups differ in truth or in skill: either explains them as well."
    )
    with_own = refused(lambda: equal_accuracies(of_groups("tg-aj-pj")))
    assert with_own == "Where raters have leanings of their own, accuracies by group cannot be set beside."
    assert refused(lambda: equal_accuracies(of_groups("tg-dawid-skene"))) == (
        "This model has no accuracies that could differ by group."
    )
    assert refused(lambda: equal_truths(model("t-a-p"))) == (
        "This model has no true class rates that could differ by group."
    )
    plain = finish(ExactEM().run(model("t-a-p"), two, 1))
    assert "tell no number of two groups, so there is no difference." in refused(
        lambda: finish(group_contrasts(two, plain))
    )


def test_the_worse_question_is_found_and_the_others_are_not_blamed():
    questions = three(3, cases=150, accuracy=0.75)
    questions["Q4"] = panel(77, cases=150, accuracy=0.3, rate=0.5)
    rows = finish(groups_alone(join_questions(questions), question_model("tq-a-pq"), 20, 1))
    assert [row.group for row in rows] == ["Q1", "Q2", "Q3", "Q4"]
    assert max(rows, key=lambda row: row.test.statistic).group == "Q4"
    assert rows[3].p_holm < 0.2
    assert rows[3].accuracy < rows[3].others - 0.1
    assert all(row.accuracy > row.others for row in rows[:3])
    assert all(row.p_holm >= row.test.p_bootstrap for row in rows)
    assert rows[0].test.about == "This group is rated as accurately as the others."
    # An accuracy for Q4 and one for the others, by hand: Q4 alone and the others together.
    alone = finish(ExactEM().run(model("t-a-p"), questions["Q4"], 1)).log_likelihood.ratings
    others = join_questions({name: one for name, one in questions.items() if name != "Q4"})
    rest = finish(ExactEM().run(question_model("tq-a-pq"), others, 1)).log_likelihood.ratings
    whole = finish(ExactEM().run(question_model("tq-a-pq"), join_questions(questions), 1)).log_likelihood.ratings
    assert rows[3].test.statistic == pytest.approx(2 * (alone + rest - whole), abs=1e-3)


def test_groups_are_tried_one_by_one_only_where_that_is_possible():
    ratings = wards(1)
    assert refused(lambda: finish(groups_alone(ratings, of_groups("tg-a-p"), 10, 1))) == (
        "Groups are tried one by one where only accuracy is shared: choose tg-a-pg or tq-a-pq."
    )
    two = wards(1, raters=2)
    assert refused(lambda: finish(groups_alone(two, of_groups("tg-a-pg"), 10, 1))) == (
        "These ratings do not tell the accuracy of each group."
    )
