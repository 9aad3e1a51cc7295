"""What is said of awards: each sentence where it is true, and not where it would be false."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from tapdesk.answers import awards as words
from tapdesk.answers.award_part import AWARDS, severity_figure
from tapdesk.answers.naming import Naming
from tapdesk.answers.numbers import SCREEN
from tapdesk.answers.part import Answer
from tapdesk.answers.pseudonyms import coded_results
from tapdesk.answers.question import QUESTIONS
from tapdesk.answers.side_results import SideResults
from tapdesk.errors import CannotAnswerError, TapdeskError, UsageError
from tapdesk.estimate import Estimate
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf
from tapdesk.studies import class_panel
from tapdesk.studies.award_answer import AwardRequest, Caveat, ScoreKind
from tapdesk.studies.awards import awards, kind_of
from tapdesk.studies.repeat_times import moments_of
from tests.tables import scored

LINES = {"lines": (13.0, 15.0, 17.0), "names": ("none", "bronze", "silver", "gold")}


@pytest.fixture(scope="module")
def ratings():
    rng = np.random.default_rng(3)
    worth = np.append(rng.normal(15, 1, 14), 24.0)
    return scored([(i, j, round(2 * (w + rng.normal(0, 0.7))) / 2) for i, w in enumerate(worth) for j in range(4)])


@pytest.fixture(scope="module")
def result(ratings):
    return finish(awards(ratings, AwardRequest(**LINES)))


def said(result):
    return " ".join(words.headline(result))


def test_a_winner_that_stands_clear_is_said_to_and_one_of_several_is_not(result):
    clear = said(result)
    assert "W15 leads, and the data tell it apart from the second." in clear
    assert "W15 is the best case with a belief of" in clear
    level = replace(result, groups=((0, 4),))
    assert "W15 leads, but 5 cases cannot be told apart at the top." in said(level)
    assert "and the data tell it apart" not in said(level)
    assert words.ties(level) == ("Places 1 to 5 cannot be told apart.",)


def test_safe_are_awards_that_are_deserved_with_80_percent_as_counted_in_the_list(result):
    safe = int((result.deserved >= 0.8).sum())
    assert f"{safe} of 15 awards are safe." in said(result)
    one = replace(result, result=replace(result.result, given=np.where(np.arange(15) == 14, 3, -1)))
    assert "1 of 1 award is safe." in said(one)


def test_caveats_are_said_only_where_they_hold(result):
    sentences = {
        Caveat.TWO_JUDGES: "it is seen how far they are apart, not which of them is nearer to what the",
        Caveat.SINGLE_SCORES: "have one rating: what they are worth rests on what is known of that rater.",
        Caveat.NO_LINES: "No medal lines are set, so no medals are given",
        Caveat.NOT_SETTLED: "The draws have not settled: read the numbers as rough ones.",
        Caveat.UNUSED: "Of classes that nobody gave nothing is said.",
    }
    assert words.caveats(replace(result, caveats=())) == ()
    for caveat, sentence in sentences.items():
        (told,) = words.caveats(replace(result, caveats=(caveat,)))
        assert sentence in told
    assert set(sentences) == set(Caveat)


def test_what_the_list_does_not_say_stands_with_it(result):
    note = words.not_said(result)
    assert "A fair score is what these raters would give, not what the case is worth." in note
    assert "The committee decides: nothing here gives or takes an award." in note
    list_ = words.entries_table(result)
    assert "Apart from next: probability of being better than the one in the next row." in list_.note
    assert "Gain: how much likelier the likeliest class of" in words.discuss_table(result).note
    assert "Severity: points below the panel. Spread: standard deviation" in words.judges_table(result).note
    assert (
        "Follows: correlation with what the other raters make of the cases, 1 at best"
        in words.judges_table(result).note
    )


JUDGE = Estimate(0.9, 0.1, 0.7, 1.1, 0.95, "posterior")


def around(value, half):
    return Estimate(value, half / 2, value - half, value + half, 0.95, "posterior")


@pytest.mark.parametrize(
    ("severity", "follows", "expected"),
    [
        (around(0.1, 0.3), around(0.8, 0.1), "as the panel"),
        (around(0.5, 0.3), around(0.8, 0.1), "stricter than the panel"),
        (around(-0.5, 0.3), around(0.8, 0.1), "more generous than the panel"),
        (around(0.1, 0.3), around(0.1, 0.2), "the scores hardly follow the panel"),
        # An interval that reaches to a fair correlation says nothing against the judge; one that holds 0, nothing more.
        (around(0.1, 0.3), around(0.1, 0.4), "whether the scores follow the panel cannot be told"),
        (
            around(0.5, 0.3),
            around(-0.8, 0.1),
            "against the panel: ask which way the scale runs; stricter than the panel",
        ),
    ],
)
def test_of_a_judge_only_what_the_intervals_hold_is_said(result, severity, follows, expected):
    one = replace(result.judges[0], severity=severity, follows=follows)
    assert words.judge_words(one, result) == expected


def test_the_part_says_it_for_window_and_report(result, ratings):
    assert AWARDS.title == "Who wins, how sure?"
    assert AWARDS.explanation.startswith(
        "What each entry is worth with the severity, spread and guessing of its judges"
    )
    side = SideResults(on_demand=MappingProxyType({"awards": result}))
    content = AWARDS.content(Answer(None, ratings, ratings, side))
    assert content.headline == words.headline(result)
    scores, strict = content.pictures
    assert scores.title == "15 cases by fair score"
    assert "Fair scores with the interval that holds each with 95 %." in scores.note
    differs = bool((result.likeliest != result.result.given).any())
    assert ("Dots: the likeliest class is the one that was given; diamonds: it is another." in scores.note) is differs
    assert strict.title == "Who is strict?"
    assert strict.note == "Points below the panel."
    assert severity_figure(replace(result, kind=ScoreKind.GRADES), SCREEN).note == "Classes below the panel."
    assert len(content.tables[0].columns) < len(words.short_table(result).columns)
    assert len(content.tables[0].rows) == 15
    assert AWARDS.content(Answer(None, ratings, ratings)) is None


def test_with_codes_nobody_is_called_by_name(result, ratings):
    names = Naming(codes={"J01": "A", "J02": "B", "J03": "C", "J04": "D"}, cases={"W15": "C99"})
    side = SideResults(on_demand=MappingProxyType({"awards": result}))
    coded = coded_results(side, names, ratings).on_demand["awards"]
    assert {one.judge for one in coded.judges} == {"A", "B", "C", "D"}
    assert "C99 leads" in said(coded)
    table = words.changes_table(coded)
    assert not any("J0" in cell for row in table.rows for cell in row)


def test_refusals_say_what_to_do(ratings):
    words_only = scored([(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)], classes=["red", "blue"], ordered=False)
    with pytest.raises(UsageError) as refused:
        kind_of(words_only, AwardRequest())
    assert "Say their order, lowest first, such as --order" in str(refused.value)
    with pytest.raises(UsageError) as refused:
        kind_of(words_only, AwardRequest(wanted="pink"))
    assert "The classes are: red, blue." in str(refused.value)
    with pytest.raises(UsageError) as refused:
        kind_of(words_only, AwardRequest(lines=(1.0,)))
    assert "Leave out --cuts and --bands." in str(refused.value)
    apart = scored([(0, 0, 1), (0, 1, 2), (1, 2, 1), (1, 3, 2), (2, 2, 2), (2, 3, 2)])
    with pytest.raises(CannotAnswerError) as refused:
        finish(awards(apart, AwardRequest()))
    assert "in common, so nothing says who of them is strict and which cases are good." in str(refused.value)
    texts = Covariate("when", CovariateOf.RATING, np.array(["noon"] * ratings.subject.size, dtype=object))
    with pytest.raises(TapdeskError) as refused:
        moments_of(replace(ratings, covariates={"when": texts}), "when")
    assert "Name a column such as 2026-05-14, or of numbers that count on." in str(refused.value)


def test_of_a_wanted_class_judges_have_accuracies_and_no_severity():
    rng = np.random.default_rng(1)
    truth = rng.random(40) < 0.5
    rows = [(i, j, int(t if rng.random() < 0.9 else not t)) for i, t in enumerate(truth) for j in range(3)]
    panel = scored(rows, classes=["no", "yes"], ordered=False)
    answer = finish(awards(panel, AwardRequest(wanted="yes")))
    assert answer.kind is ScoreKind.CLASSES
    assert answer.judges[0].severity.undefined == "Classes without an order have no severity."
    assert all(0.5 < one.follows.value <= 1 for one in answer.judges)
    assert words.judge_words(answer.judges[0], answer) == ""
    two = scored([row for row in rows if row[1] < 2], classes=["no", "yes"], ordered=False)
    with pytest.raises(CannotAnswerError, match="These ratings do not tell how sure one can be of single"):
        finish(awards(two, AwardRequest(wanted="yes")))
    assert "is “yes” with a belief of" in said(answer)


def test_where_raters_cannot_be_told_apart_their_accuracies_are_not_told(monkeypatch):
    monkeypatch.setattr(class_panel, "refusal", lambda _ratings, asked: asked.model.name != "t-a-p" and "no")
    rng = np.random.default_rng(1)
    rows = [(i, j, int((i % 2) ^ (rng.random() < 0.1))) for i in range(40) for j in range(3)]
    answer = finish(awards(scored(rows, classes=["no", "yes"], ordered=False), AwardRequest(wanted="yes")))
    assert answer.judges[0].follows.undefined == "Accuracies of single raters cannot be told here."


def test_a_judge_with_few_scores_or_all_alike_has_no_correlation_and_the_reason_is_told(ratings):
    few = ratings.keep((ratings.rater != 0) | (ratings.subject < 3))
    judges = finish(awards(few, AwardRequest())).judges
    assert judges[0].follows.value is None
    assert judges[0].follows.undefined == "There are too few ratings."
    middle = int(np.median(ratings.category))
    alike = replace(ratings, category=np.where(ratings.rater == 0, middle, ratings.category))
    flat = finish(awards(alike, AwardRequest())).judges[0]
    assert flat.follows.undefined == "All ratings are the same."
    assert flat.severity.value is not None


def test_the_page_and_the_chances_together_hold_every_column_of_the_list(result):
    page, chances = words.page_table(result), words.chances_table(result)
    shown = {column.title for table in (page, chances) for column in table.columns}
    assert shown == {column.title for column in words.entries_table(result).columns}
    assert "P(…): probability of each class." in chances.note
    bare = replace(result, probability=np.zeros((15, 0)))
    assert "P(…)" not in words.chances_table(bare).note


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([(i, 0, float(i)) for i in range(9)], "One rater alone cannot be told from the cases"),
        ([(i, j, 1.0) for i in range(9) for j in range(3)], "Every rating is the same"),
        ([(0, j, float(j)) for j in range(3)], "There is one case, so there is nothing to place."),
        ([(i, i % 3, float(i)) for i in range(9)], "severity and quality cannot be told apart."),
        ([(i, j, i + j) for i in range(9) for j in ((0, 1), (2, 3))[i % 2]], "have no case in common"),
    ],
)
def test_the_question_who_wins_is_refused_with_the_sentence_of_the_command(rows, reason):
    asked = next(row for row in QUESTIONS if row.key == "awards")
    ratings = scored(rows)
    assert reason in asked.refuses(ratings, ratings)
    with pytest.raises(CannotAnswerError, match=reason):
        finish(awards(ratings, AwardRequest()))


def test_the_question_who_wins_is_asked_of_two_judges_and_of_classes_without_an_order():
    asked = next(row for row in QUESTIONS if row.key == "awards")
    two = scored([(i, j, float(i % 4 + j)) for i in range(9) for j in range(2)])
    assert asked.refuses(two, two) is None
    unordered = replace(two, ordered=False)
    assert asked.refuses(unordered, unordered) is None
    assert asked.own == (
        "Work out what each {subject} is worth and how sure its place and its award are, with every class and with "
        "what each {rater} is like; beside it <i>t</i> and <i>a</i>, assuming <i>p</i> = <i>t</i>: {what}, {size}, "
        "<b>{intervals}</b>, random start <b>{seed}</b>."
    )


def test_a_row_of_the_list_is_one_sentence(result):
    i = int(result.order[0])
    result = replace(
        result,
        rank_low=np.where(np.arange(15) == i, 1, result.rank_low),
        rank_high=np.where(np.arange(15) == i, 7, result.rank_high),
        fair=np.full(15, 17.0),
        low=np.full(15, 16.1),
        high=np.full(15, 17.9),
        result=replace(result.result, given=np.full(15, 3)),
        probability=np.tile([0.0, 0.1, 0.41, 0.49], (15, 1)),
    )
    heard = words.entry_words(result, 0)
    assert "W15 stands in place 1 to 7 with a fair score of 17.00, 16.10 to 17.90." in heard
    assert "Given gold: deserved with a probability of 49 %." in heard
    assert "Likeliest" not in heard
    other = replace(result, probability=np.tile([0.0, 0.1, 0.5, 0.4], (15, 1)))
    assert words.entry_words(other, 0).endswith("Likeliest silver.")
    assert words.committee_words(result) == (
        "The model would put all 15 awards where you put them. Nothing here gives or takes an award."
    )
    some = other.probability.copy()
    some[1:] = [0.0, 0.1, 0.4, 0.5]
    one = replace(other, probability=some)
    assert words.committee_words(one) == (
        "The model would put 14 of 15 awards where you put them. It sees others otherwise: W01 nearer to silver than "
        "to gold. Nothing here gives or takes an award."
    )
    bare = replace(one, probability=np.zeros((15, 0)))
    assert words.committee_words(bare) == words.not_said(bare)


def test_how_many_awards_change_without_a_judge_is_counted(result):
    change = result.without[0].changes[:1] or result.rules[0].changes[:1]
    for n, sentence in ((0, "0 of 15 awards change."), (1, "1 of 15 awards changes."), (2, "2 of 15 awards change.")):
        one = replace(result, without=(replace(result.without[0], changes=change * n),))
        assert words.left_out_words(one, 0) == sentence
        assert len(words.left_out_table(one, 0).rows) == n
    bare = replace(result, probability=np.zeros((15, 0)), without=(replace(result.without[0], changes=change),))
    assert words.left_out_words(bare, 0) == "1 of the cases enters or leaves the first three."
    two = replace(bare, without=(replace(result.without[0], changes=change * 2),))
    assert words.left_out_words(two, 0) == "2 of the cases enter or leave the first three."


def test_who_is_strict_is_said_only_where_the_interval_tells(result):
    def judged(*ends, entries=(15, 15, 15, 15)):
        judges = (
            replace(one, scores=20, entries=n, severity=Estimate((low + high) / 2, None, low, high, 0.95))
            for one, (low, high), n in zip(result.judges, ends, entries, strict=True)
        )
        return words.strict_words(replace(result, judges=tuple(judges)))

    level = (-0.5, 0.5)
    assert judged(level, level, level, level) == "Nobody is told from the panel."
    assert (
        judged((0.1, 0.9), level, level, (-2, -1))
        == "J01 judges more strictly than the panel. J04 judges more generously than the panel."
    )
    several = judged((0.1, 0.9), (1, 2), (-2, -1), (-2, -1))
    assert "J01, J02 judge more strictly than the panel." in several
    assert "J03, J04 judge more generously than the panel." in several
    # An entry that was judged again counts once.
    few = judged(level, level, level, level, entries=(9, 12, 15, 15))
    assert few.endswith("Each judged 9 to 15 of 15 cases, so the draw of the raters moves a fair score.")
    alike = judged(level, level, level, level, entries=(9, 9, 9, 9))
    assert alike.endswith("Each judged 9 of 15 cases, so the draw of the raters moves a fair score.")


def test_several_groups_are_named_in_one_sentence(result):
    several = replace(result, groups=((0, 3), (4, 9), (11, 13)))
    assert words.ties(several) == ("Places 1 to 4, 5 to 10 and 12 to 14 cannot be told apart.",)
    assert words.ties(replace(result, groups=())) == ()
