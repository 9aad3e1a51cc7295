"""Who wins, how sure: the posterior of a panel against what is known of it, and what it refuses to say."""

import numpy as np
import pytest
from scipy.special import ndtr

from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.progress import finish
from tapdesk.studies.award_answer import AwardRequest, Caveat, ScoreKind
from tapdesk.studies.awards import awards, draw_until_settled, kind_of
from tapdesk.studies.case_gains import class_gain, expected_gain
from tapdesk.studies.panel_sampler import PanelSampler, PanelScores
from tests.tables import scored

LINES = {"lines": (13.5, 15.0, 16.5), "names": ("none", "bronze", "silver", "gold")}


def jury(seed=1, entries=60, judges=12, each=5):
    """A ragged wine jury with known truth: one harsh, one guessing, one with the scale turned round, six repeats."""
    rng = np.random.default_rng(seed)
    worth = rng.normal(0, 1.2, entries)
    level, slope = 15 + rng.normal(0, 0.5, judges), np.ones(judges)
    spread = np.exp(rng.normal(0, 0.25, judges))
    level[0] -= 1.5
    slope[1], spread[1], slope[2] = 0.0, 1.6, -1.0
    cells = [(i, int(j)) for i in range(entries) for j in rng.choice(judges, each, replace=False)]
    cells += [cells[each * int(i)] for i in rng.choice(entries, 6, replace=False)]
    rows = [(i, j, level[j] + slope[j] * worth[i] + spread[j] * rng.normal()) for i, j in cells]
    return scored([(i, j, round(2 * y) / 2) for i, j, y in rows]), worth + level.mean()


@pytest.fixture(scope="module")
def panel():
    return jury()


@pytest.fixture(scope="module")
def result(panel):
    return finish(awards(panel[0], AwardRequest(**LINES)))


def test_the_jury_is_seen_through_the_harsh_the_guessing_and_the_reversed(result):
    harsh, guessing, turned, *others = result.judges
    assert harsh.severity.low > 0
    assert harsh.severity.value == max(one.severity.value for one in result.judges)
    assert guessing.follows.low < 0 < guessing.follows.high
    # In 27 of 30 such juries the whole interval lies below 0; in this one it reaches to just above.
    assert turned.follows.value == min(one.follows.value for one in result.judges) < -0.2
    assert turned.follows.high < guessing.follows.high
    assert min(one.follows.value for one in others) > guessing.follows.value


def test_the_list_is_nearer_to_the_truth_than_the_mean_of_the_scores(panel, result):
    truth = panel[1]
    assert np.corrcoef(result.fair, truth)[0, 1] > np.corrcoef(result.result.value, truth)[0, 1] + 0.05
    inside = np.mean((result.low <= truth) & (truth <= result.high))
    assert 0.85 <= inside <= 1
    rank = (-truth).argsort().argsort() + 1
    assert np.mean((result.rank_low <= rank) & (rank <= result.rank_high)) > 0.85


def test_probabilities_are_probabilities_and_add_up(result):
    assert result.probability.sum(axis=1) == pytest.approx(np.ones(60))
    assert result.among.sum(axis=0) == pytest.approx(np.array(result.first, dtype=float))
    assert (np.diff(result.among, axis=1) >= 0).all()
    at = np.arange(60)
    assert result.deserved == pytest.approx(result.probability[at, result.result.given])
    assert (np.diff(result.fair[result.order]) <= 0).all()


def test_ties_follow_each_other_and_the_first_of_each_is_sure_of_those_behind(result):
    ends = [end for pair in result.groups for end in pair]
    assert ends == sorted(ends)
    assert all(a < b for a, b in result.groups)
    assert result.groups[0][0] == 0


def test_the_same_seed_gives_the_same_list_and_another_one_nearly_so(panel, result):
    again = finish(awards(panel[0], AwardRequest(**LINES)))
    other = finish(awards(panel[0], AwardRequest(**LINES, seed=2)))
    assert (again.fair == result.fair).all()
    assert other.fair == pytest.approx(result.fair, abs=0.15)
    assert other.probability == pytest.approx(result.probability, abs=0.12)


def test_moving_all_scores_moves_fair_scores_and_lines_alike(panel, result):
    rows = panel[0]
    moved = scored(
        [
            (i, j, float(rows.classes[c]) * 2 + 30)
            for i, j, c in zip(rows.subject, rows.rater, rows.category, strict=True)
        ]
    )
    lines = tuple(2 * line + 30 for line in LINES["lines"])
    other = finish(awards(moved, AwardRequest(lines=lines, names=LINES["names"])))
    assert other.fair == pytest.approx(2 * result.fair + 30, abs=1e-6)
    assert other.probability == pytest.approx(result.probability, abs=1e-9)


def test_with_equal_judges_who_see_everything_the_fair_score_is_the_shrunken_mean():
    # Known normal model: judges alike, entries N(0, 4), scores N(entry, 1); the mean of 8 weighs 4 / (4 + 1/8).
    rng = np.random.default_rng(5)
    worth = rng.normal(0, 2, 150)
    value = worth[:, None] + rng.normal(0, 1, (150, 8))
    scores = PanelScores.of(*(a.ravel() for a in np.indices(value.shape)), value.ravel(), value.shape)
    draws = finish(draw_until_settled(scores, np.random.default_rng(1)))
    mean = value.mean(axis=1)
    expected = mean.mean() + (mean - mean.mean()) * 4 / (4 + 1 / 8)
    assert draws.fair.mean(axis=0) == pytest.approx(expected, abs=0.25)
    assert draws.fair.std(axis=0).mean() == pytest.approx(np.sqrt(1 / (1 / 4 + 8)), rel=0.15)
    assert draws.spread.mean() == pytest.approx(1.0, rel=0.05)


def test_ordered_classes_are_graded_between_lines_of_the_panel():
    ratings, truth = jury(3, entries=80)
    medal = np.searchsorted([13.8, 15.0, 16.2], [float(c) for c in ratings.classes])
    rows = zip(ratings.subject, ratings.rater, medal[ratings.category], strict=True)
    graded = scored([(i, j, float(k)) for i, j, k in rows], classes=["none", "bronze", "silver", "gold"])
    answer = finish(awards(graded, AwardRequest()))
    assert answer.kind is ScoreKind.GRADES
    assert ((answer.fair >= 1) & (answer.fair <= 4)).all()
    assert np.corrcoef(answer.fair, truth)[0, 1] > 0.75
    right = np.searchsorted([13.8, 15.0, 16.2], truth)
    said = answer.probability[np.arange(80), answer.likeliest]
    assert np.mean(answer.likeliest == right) == pytest.approx(said.mean(), abs=0.17)
    assert answer.judges[2].follows.high < 0


def test_before_the_scores_speak_every_way_to_share_them_among_the_classes_is_as_likely():
    # Chains that count nobody's scores draw from the prior: the shares below the lines are ordered uniform numbers.
    entry, judge = (a.ravel() for a in np.indices((8, 3)))
    graded = PanelScores.of(entry, judge, np.arange(24.0) % 4, (8, 3), classes=4)
    sampler = PanelSampler(graded, np.zeros((64, 3), dtype=bool), np.random.default_rng(5))
    shares = []
    for step in range(3000):
        sampler.sweep(tune=step < 600)
        now = sampler.state
        shares.append(ndtr(now.cuts / np.sqrt(now.tau2 + now.omega2 + 1)[:, None]))
    below = np.concatenate(shares[600:])
    rank = np.arange(1, 4)
    assert below.mean(axis=0) == pytest.approx(rank / 4, abs=0.02)
    assert below.std(axis=0) == pytest.approx(np.sqrt(rank * (4 - rank) / 80), abs=0.01)


def test_a_judge_left_out_is_the_panel_without_that_judge():
    ratings, _truth = jury(4, entries=40)
    whole = finish(awards(ratings, AwardRequest(**LINES)))
    refit = finish(awards(ratings.keep(ratings.rater != 0), AwardRequest(**LINES)))
    changed = {one.entry: one.after for one in whole.left_out[0]}
    # Where the refit is clear the short chains must say the same; near a line either may be said.
    sure = np.sort(refit.probability, axis=1)
    clear = sure[:, -1] - sure[:, -2] > 0.3
    said = np.array([changed.get(i, whole.likeliest[i]) for i in range(40)])
    assert clear.sum() > 15
    assert (said[clear] == refit.likeliest[clear]).all()


# What it refuses, each with its sentence -------------------------------------------------------------------------


def rows_of(table):
    return [(i, j, float(v)) for i, row in enumerate(table) for j, v in enumerate(row) if v is not None]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ([[12], [14], [15]], "One rater alone cannot be told from the cases: severity and quality are one."),
        ([[12, 12], [12, 12]], "Every rating is the same, so no case stands above another."),
        ([[12, 14]], "There is one case, so there is nothing to place."),
        ([[12, None], [None, 14], [15, None]], "One rating each: severity and quality cannot be told apart."),
        (
            [[12, 13, None, None], [14, 15, None, None], [None, None, 16, 11], [None, None, 12, 13]],
            "J01, J02 and the others have no case in common, so nothing says who of them is strict",
        ),
    ],
)
def test_what_tells_nothing_is_refused_with_the_reason(table, sentence):
    with pytest.raises(CannotAnswerError) as refused:
        finish(awards(scored(rows_of(table)), AwardRequest()))
    assert sentence in str(refused.value)


def test_who_gave_which_score_must_be_known():
    with pytest.raises(CannotAnswerError, match="These ratings do not say who gave which"):
        finish(awards(scored(rows_of([[1, 2], [2, 3]]), raters_known=False), AwardRequest()))


def test_classes_without_an_order_are_asked_for_it():
    unordered = scored(rows_of([[0, 1], [1, 2]]), classes=["red", "green", "blue"], ordered=False)
    with pytest.raises(UsageError, match="These classes have no order") as refused:
        kind_of(unordered, AwardRequest())
    assert "--order" in str(refused.value.fix)
    assert "--wanted" in str(refused.value.fix)
    with pytest.raises(UsageError, match="There is no class 'pink'"):
        kind_of(unordered, AwardRequest(wanted="pink"))
    with pytest.raises(UsageError, match="There are no scores to cut"):
        kind_of(unordered, AwardRequest(lines=(1.0,)))


def test_two_judges_and_single_scores_are_told_with_what_cannot_be_known():
    rng = np.random.default_rng(2)
    table = [[15 + w, 14.5 + w + rng.normal(0, 0.5)] for w in rng.normal(0, 2, 20)] + [[14, None]]
    answer = finish(awards(scored([(i, j, round(v, 1)) for i, j, v in rows_of(table)]), AwardRequest()))
    assert {Caveat.TWO_JUDGES, Caveat.SINGLE_SCORES, Caveat.NO_LINES} <= set(answer.caveats)
    assert answer.probability.shape == (21, 0)
    # One score says less than two; far from the middle the unknown slopes of the judges widen intervals as well.
    width = answer.high - answer.low
    assert width[20] > np.median(width[:20])


def test_a_class_that_nobody_gave_has_no_probability_and_that_is_said():
    table = rows_of([[0, 1], [1, 1], [1, 0], [0, 0], [1, 1], [0, 1]])
    graded = scored(table, classes=["none", "bronze", "gold"])
    answer = finish(awards(graded, AwardRequest()))
    assert answer.classes == ("none", "bronze")
    assert Caveat.UNUSED in answer.caveats


# Where one more rating is worth most --------------------------------------------------------------------------------


def test_one_more_rating_gains_most_on_a_line_and_nothing_far_from_it():
    gain = expected_gain(np.array([0.0, 1.0, 9.0]), np.ones(3), np.array([0.0]), 1.0)
    assert gain[0] > gain[1] > gain[2]
    assert gain[2] == pytest.approx(0, abs=1e-6)
    # On the line: belief .5 becomes E Phi(|shift| / left), shift ~ N(0, 1/2), left^2 = 1/2: 1/2 + arctan(1) / pi.
    assert gain[0] == pytest.approx(0.25, abs=0.02)


def test_the_gain_of_a_rating_of_classes_worked_out_by_hand():
    rates = np.array([[0.8, 0.2], [0.2, 0.8]])
    gain = class_gain(np.array([[0.5, 0.5], [0.9, 0.1]]), rates)
    # At .5 the answer decides: right in .8. At .9 even the other answer leaves .9 * .2 = .18 > .1 * .8 = .08.
    assert gain == pytest.approx([0.3, 0.0])
