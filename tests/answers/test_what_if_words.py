"""Whether something changed is said by the interval as it is printed, and by what was said to matter."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.answers import numbers
from tapdesk.answers.award_moves import AwardMoves, changed_share, moves_sentence
from tapdesk.answers.what_if import (
    Verdict,
    headline,
    most_telling,
    ordered,
    remarks,
    row_sentence,
    signed,
    signed_interval,
    table,
    verdict,
    what_if,
)
from tapdesk.answers.what_if_cases import award_moves, award_sentences, case_sentences
from tapdesk.answers.what_if_runs import caveat_of
from tapdesk.estimate import Estimate, undefined
from tapdesk.models.model import model
from tapdesk.models.parameters import ParameterName
from tapdesk.progress import finish
from tapdesk.project.what_if import WithoutRaters
from tapdesk.studies.analysis import Request
from tapdesk.studies.award_answer import AwardRequest
from tapdesk.studies.awards import awards
from tapdesk.studies.comparison import CaseMove, CaseMoves, Contrast, compare
from tapdesk.studies.contrast_intervals import ALIKE
from tapdesk.studies.what_if import side_of
from tests.studies.examples import panel
from tests.tables import scored

SHARE = st.floats(0, 0.5)


def contrast(value, low, high, how="resamples"):
    change = Estimate(value).between(low, high, 0.95, how)
    return Contrast(ParameterName("a"), Estimate(0.5), Estimate(0.5 + value), change)


@given(st.floats(-0.5, 0.5), SHARE, SHARE, st.none() | st.floats(0.001, 0.9))
def test_the_verdict_follows_from_the_interval_as_it_is_printed(value, down, up, smallest):
    one = contrast(value, value - down, value + up)
    shown = signed_interval(one.difference).replace("\N{MINUS SIGN}", "-").replace("+", "")
    low, high = (float(end.lstrip("<>")) for end in shown.split(" to "))
    judged = verdict(one, smallest)
    assert (judged in {Verdict.YES, Verdict.SMALL}) == (low > 0 or high < 0) or "<" in shown
    if smallest is None:
        assert judged in {Verdict.YES, Verdict.CANNOT_TELL}
    elif judged in {Verdict.SMALL, Verdict.NO}:
        assert max(-low, high) <= smallest or "<" in shown


@pytest.mark.parametrize(
    ("low", "high", "smallest", "judged"),
    [
        (0.10, 0.16, None, Verdict.YES),
        (0.10, 0.16, 0.05, Verdict.YES),
        (0.01, 0.04, 0.05, Verdict.SMALL),
        (-0.04, -0.01, 0.05, Verdict.SMALL),
        (-0.01, 0.03, 0.05, Verdict.NO),
        (-0.01, 0.03, None, Verdict.CANNOT_TELL),
        (-0.01, 0.15, 0.05, Verdict.CANNOT_TELL),
        (-0.05, 0.05, 0.05, Verdict.NO),
    ],
)
def test_the_four_verdicts(low, high, smallest, judged):
    assert verdict(contrast((low + high) / 2, low, high), smallest) is judged


def test_of_what_is_exactly_alike_nothing_is_said_before_it_is_known_what_matters():
    alike = contrast(0.0, 0.0, 0.0, ALIKE)
    assert verdict(alike, None) is None
    assert verdict(alike, 0.05) is Verdict.NO


def test_a_difference_has_its_sign():
    up, down = contrast(0.13, 0.1, 0.16), contrast(-0.12, -0.16, -0.08)
    assert (signed(up.difference), signed_interval(up.difference)) == ("+0.13", "+0.10 to +0.16")
    assert (signed(down.difference), signed_interval(down.difference)) == ("−0.12", "−0.16 to −0.08")
    assert signed_interval(Estimate(0.1)) == numbers.DASH


@cache
def compared():
    sides = [
        finish(side_of(panel(["t=.4", f"a={a}", "p=.4"], 80, 4, seed=i), Request(model("t-a-p")), raters=False))
        for i, a in enumerate((0.5, 0.8))
    ]
    return finish(compare(*sides, replicates=100))


def test_a_number_that_is_exactly_alike_is_said_to_be_the_same_in_both():
    found = compared()
    alike = tuple(replace(c, b=c.a, difference=Estimate(0.0).between(0.0, 0.0, 0.95, ALIKE)) for c in found.contrasts)
    sentence, _follows = headline(what_if(replace(found, contrasts=alike), ("one", "two")))
    assert sentence.endswith(" of 100 in both.")


def test_the_table_has_a_row_for_each_number_and_the_remarks_say_how_it_was_compared():
    found = compared()
    pair = what_if(found, ("one", "two"), 0.05)
    shown = table(pair)
    assert len(shown.rows) == len(found.contrasts)
    assert "“one”" in shown.title
    text = " ".join(remarks(pair))
    assert " stand in both, by their names, and the same " in text
    assert "name the smallest change" not in text


def rounds_of(difference, smallest=None, last=0.5):
    """Three rounds that have one number, the last with this difference from the first."""
    found = compared()
    one = replace(found.contrast("a"), a=Estimate(0.5), b=Estimate(last), difference=difference)
    pair = replace(found, contrasts=(one,))
    return what_if(pair, ("May", "June", "July"), smallest, steps=(pair, pair))


def test_of_three_rounds_it_is_said_whether_the_last_differs_from_the_first():
    alike = Estimate(0.0).between(0.0, 0.0, 0.95, ALIKE)
    sentence, _follows = headline(rounds_of(alike))
    assert sentence.endswith("in “May”, “June”, “July”: first and last are exactly alike.")
    near = Estimate(0.01).between(-0.01, 0.03, 0.95, "resamples")
    assert headline(rounds_of(near, 0.05))[0].endswith(": from the first to the last no change that matters.")
    assert headline(rounds_of(near))[0].endswith("the last differs from the first by more than chance cannot be told.")
    pair = rounds_of(near)
    gap = replace(pair.rounds[1], contrasts=tuple(replace(c, b=undefined("no")) for c in pair.rounds[1].contrasts))
    sentence, _follows = headline(replace(pair, rounds=(pair.rounds[0], gap, pair.rounds[2])))
    assert sentence.endswith(": not every round tells it, so no trend of it can be said.")


def test_a_row_of_the_table_is_read_aloud_as_one_sentence():
    pair = what_if(replace(compared(), contrasts=(contrast(0.13, 0.1, 0.16),)), ("one", "two"))
    assert row_sentence(pair.contrasts[0], pair).endswith(
        ": A 0.50, B 0.63; B less A +0.13, +0.10 to +0.16. More than chance: yes."
    )


def test_of_many_cases_that_move_the_surest_are_named_and_the_others_counted():
    moves = tuple(CaseMove(f"C{i}", "no", "yes", 0.9) for i in range(5))
    pair = replace(what_if(compared(), ("one", "two")), cases=CaseMoves(80, 5, moves, (3, 2)))
    words = " ".join(case_sentences(pair))
    assert "5 of 80 cases have another likeliest class." in words
    assert "The surest of them are C0 from “no” to “yes”" in words
    assert words.count(" to “yes”") == 3
    assert "; and 2 more." in words
    few = replace(pair, cases=CaseMoves(80, 1, moves[:1], (3, 2)))
    assert "The surest of them" not in " ".join(case_sentences(few))


def test_without_a_rater_it_is_said_what_that_does_not_say_and_how_the_rater_rates():
    ratings = panel(["t=.4", "a=.6", "p=.4"], 80, 4)
    name = ratings.raters[0]
    words = caveat_of(ratings, WithoutRaters((name,)))
    mine = 100 * (ratings.category[ratings.rater == 0] == 1).mean()
    assert f"{name} says “1” {mine:.0f} times in 100, the others " in words
    assert words.endswith("Ask how the question was read before you decide anything.")
    both = caveat_of(ratings, WithoutRaters(ratings.raters[:2]))
    assert "Ask how the question was read" not in both


def test_of_raters_and_classes_that_are_too_many_it_is_said_that_no_accuracy_of_each_is_compared():
    rng = np.random.default_rng(3)
    scores = scored([(i, j, int(rng.integers(20))) for i in range(25) for j in range(12)])
    request = Request(model("t-a-t"))
    sides = [finish(side_of(scores, request)) for _turn in range(2)]
    assert all(side.crowded and side.raters_fit is None for side in sides)
    pair = what_if(finish(compare(*sides, replicates=50)), ("now", "then"))
    assert "“now” has too many raters and classes to compare an accuracy of each rater." in pair.remarks
    few = finish(side_of(panel(["t=.4", "a=.8", "p=.4"], 60, 4), Request(model("t-a-p"))))
    assert few.raters_fit is not None
    assert not few.crowded


def test_who_wins_is_told_by_the_awards_that_change():
    rng = np.random.default_rng(5)
    worth = rng.normal(15, 1.5, 14)
    rows = [
        (i, j, round(2 * (w - 3 * (j == 3) + rng.normal(0, 0.5))) / 2) for i, w in enumerate(worth) for j in range(4)
    ]
    asked = AwardRequest(lines=(13.0, 15.0), names=("none", "bronze", "gold"))
    before = finish(awards(scored(rows), asked))
    after = finish(awards(scored([row for row in rows if row[1] != 3]), asked))
    rule, model, lead = award_sentences(before, after)
    one, other = (
        {name: result.classes[k] for name, k in zip(result.subjects, result.result.given, strict=True)}
        for result in (before, after)
    )
    changed = [name for name in one if one[name] != other[name]]
    assert len(changed) > 1, "leaving the harsh one out gives better awards"
    assert rule.startswith(f"By the committee’s rule, “mean”, {len(changed)} of 14 awards change: {changed[0]} (")
    assert model.startswith("By the model ")
    assert "leads by fair score" in lead
    alike = award_sentences(before, before)
    assert alike[0] == "By the committee’s rule, “mean”, none of 14 awards changes."
    assert alike[1] == "By the model none of 14 has another likeliest award."
    assert alike[2].endswith("leads by fair score in both.")
    turned = replace(before, order=before.order[::-1])
    first, last = (before.subjects[int(i)] for i in (before.order[0], before.order[-1]))
    assert award_sentences(before, turned)[2] == f"{last} leads by fair score, not {first}."
    strangers = replace(before, subjects=tuple(f"X{i}" for i in range(14)))
    assert award_sentences(before, strangers) == ("No case stands in both, so no award can be compared.",)
    bare = replace(before, probability=np.zeros((14, 0)))
    assert award_sentences(bare, bare)[0] == "By the committee’s rule, “mean”, the first three stay."
    places = replace(bare.result, place=15 - bare.result.place)
    moved = award_sentences(bare, replace(bare, result=places))[0]
    assert moved.startswith("By the committee’s rule, “mean”, these enter or leave the first three: ")
    given = before.result.given.copy()
    given[0] = (given[0] + 1) % 3
    single = award_sentences(before, replace(before, result=replace(before.result, given=given)))[0]
    assert "1 of 14 awards changes: " in single
    shares = before.probability.copy()
    shares[0] = np.roll(shares[0], 1)
    assert (
        "By the model 1 of 14 has another likeliest award: "
        in award_sentences(before, replace(before, probability=shares))[1]
    )
    moves = award_moves(before, after)
    assert (moves.shared, moves.by_rule) == (14, len(changed))
    assert str(changed_share(moves)) == f"{len(changed)} of 14"
    assert award_moves(before, strangers) is None
    assert award_moves(bare, bare).by_rule is None
    every = replace(before, probability=np.roll(before.probability, 1, axis=1))
    assert "By the model all 14 have another likeliest award: " in award_sentences(before, every)[1]


@pytest.mark.parametrize(
    ("moves", "lead", "sentence"),
    [
        (AwardMoves(40, 6, 2, ("W1", "W1")), "Without Ana", "6 of 40 awards would change by the committee’s rule"),
        (AwardMoves(40, 0, 0, ("W1", "W2")), "Without Ana", "none of 40 awards would change by the committee’s rule"),
        (AwardMoves(40, 1, 0, ("W1", "W1")), "", "1 of 40 awards is another one by the committee’s rule"),
        (AwardMoves(40, 3, 0, ("W1", "W1")), "", "3 of 40 awards are other ones by the committee’s rule"),
        (AwardMoves(40, 0, 0, ("W1", "W1")), "", "None of 40 awards is another one by the committee’s rule"),
        (AwardMoves(40, None, None, ("W1", "W2")), "Without Ana", "Without Ana:"),
    ],
)
def test_what_becomes_of_the_awards_is_the_headline_where_who_wins_was_asked(moves, lead, sentence):
    leads = "W1 leads in both." if len(set(moves.leaders)) == 1 else "W2 would lead instead of W1."
    words = moves_sentence(moves, lead)
    assert sentence in words
    assert words.endswith(leads)
    assert words.startswith(lead)
    plain = sides_of_classes(4)
    assert headline(replace(plain, award_moves=moves, lead=lead)) == (words, headline(replace(plain, lead=lead))[0])


def sides_of_classes(count):
    """A comparison with an accuracy and a share of each of some classes, the later ones the clearer."""
    rows = [contrast(0.02, 0.01, 0.03)]
    for k in range(count):
        change = Estimate(0.01 * k).between(0.01 * k - 0.015, 0.01 * k + 0.015, 0.95, "resamples")
        rows.append(Contrast(ParameterName("t", f"C{k}"), Estimate(0.1), Estimate(0.1 + 0.01 * k), change))
    side = finish(side_of(panel(["t=.4", "a=.8", "p=.4"], 60, 4), Request(model("t-a-p"))))
    pair = what_if(finish(compare(side, side, replicates=10)), ("now", "then"))
    return replace(pair, contrasts=tuple(rows), same=False)


def test_of_many_classes_the_clearest_are_printed_and_none_is_lost():
    many, few = sides_of_classes(20), sides_of_classes(6)
    rows, first = most_telling(many.contrasts, None)
    assert sorted(map(str, (c.name for c in rows))) == sorted(map(str, (c.name for c in many.contrasts)))
    assert {c.name.category for c in rows[:first]} == {None, "C19", "C18", "C17"}
    shown = table(many)
    assert (len(shown.rows), shown.most, len(shown.printed().rows)) == (21, 4, 4)
    assert "The first 4 of 21 rows are printed" in shown.printed().note
    assert most_telling(few.contrasts, None) == (ordered(few.contrasts, None), 7)
    assert table(few).most is None
