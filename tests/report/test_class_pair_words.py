"""Which two classes are hardest to tell apart: said only where the intervals carry it."""

from dataclasses import replace

from tapdesk.answers.class_pairs import class_pairs_table, hardest
from tapdesk.answers.cut_points import cuts
from tapdesk.answers.numbers import SCREEN
from tapdesk.estimate import Estimate, undefined
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request
from tapdesk.studies.scan import Pair, Pairs, pairs, scan
from tests.studies.examples import panel, tallied

WALD = Request(model("t-a-t"), interval="wald")


def pair(first, second, value, low, high):
    told = undefined("Too few.") if value is None else Estimate(value, low=low, high=high)
    kappa = undefined("Too few.") if value is None else Estimate(value**2)
    return Pair(first, second, 20, 60, 20, kappa, told, told, None)


def of(*rows):
    return Pairs(("x", "y", "z"), tuple(pair(*row) for row in rows))


def test_a_pair_below_all_others_is_called_hardest():
    found = of(("x", "y", 0.3, 0.2, 0.4), ("x", "z", 0.7, 0.6, 0.8), ("y", "z", 0.6, 0.5, 0.7))
    assert hardest(found) == "Hardest to tell apart are “x” and “y”, with accuracy 0.30 (0.20 to 0.40)"


def test_pairs_whose_intervals_meet_are_not_ranked():
    found = of(("x", "y", 0.4, 0.2, 0.65), ("x", "z", 0.7, 0.6, 0.8), ("y", "z", 0.6, 0.5, 0.7))
    assert hardest(found).startswith("No two classes are clearly harder to tell apart than others: accuracy runs from")


def test_the_lowest_value_is_no_reason_where_its_interval_is_the_widest():
    # x and y have the lowest value, but what is known of them allows nearly all; y and z are known to be harder.
    found = of(("x", "y", 0.4, 0.0, 0.9), ("x", "z", 0.8, 0.7, 0.9), ("y", "z", 0.5, 0.45, 0.55))
    said = hardest(found)
    assert said.startswith("It is harder to tell “y” from “z”, with accuracy 0.50 (0.45 to 0.55), than “x” from “z”")


def test_a_single_pair_and_none_are_told_plainly():
    one = of(("x", "y", 0.4, 0.2, 0.65), ("x", "z", None, 0, 0), ("y", "z", None, 0, 0))
    assert hardest(one) == "“x” and “y”: accuracy 0.40 (0.20 to 0.65), the only pair it is told of"
    assert hardest(of(("x", "y", None, 0, 0))).startswith("No pair of classes can be told apart")


def test_simulated_classes_that_are_confused_are_found():
    # The truth of z is always seen, x and y are told apart by three ratings in ten.
    ratings = panel(["t=.3,.3,.4", "a=.3,.3,.98", "p=.45,.45,.1"], 600, 5, name="t-ak-p", classes=("x", "y", "z"))
    assert hardest(finish(pairs(ratings, WALD))).startswith("Hardest to tell apart are “x” and “y”")


def test_a_pair_without_root_of_kappa_says_why_beside_the_table():
    # Raters who always contradict each other: kappa is -1.
    found = finish(pairs(tallied((0, 40, 0)), WALD))
    assert "There is no root of kappa where kappa is below 0: 0 or 1." in class_pairs_table(found, SCREEN).note


def test_lines_tell_what_is_determined_where_all_agree_and_why_the_rest_is_not():
    free, beside = cuts(finish(scan(tallied((17, 0, 0, 23)), replace(WALD, interval="profile"))), SCREEN)
    (row,) = free.rows
    # 23 of 40 cases are yes and everybody says so; what a guess would be is not seen.
    assert (row[1], row[3], row[5]) == ("0.58", "1.00", "–")
    assert row[4] != "–"
    assert "All cases agree alike, so nothing shows how far the value would move" in beside.note


def test_lines_where_the_ratings_may_be_luck_say_so():
    noise = finish(scan(tallied((5, 12, 16, 12, 5)), replace(WALD, interval="profile")))
    assert "the interval of a reaches 0: these ratings may be luck" in cuts(noise, SCREEN)[0].note
