"""The headline of the lines between grades: it names a harder line only where the difference carries it."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers.cut_points import cuts, guessing_table, guessing_words, lines_headline, rates_figure
from tapdesk.answers.figures.classes import scanned as pictures
from tapdesk.answers.numbers import REPORT
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request
from tapdesk.studies.scan import Direction, scan
from tests.studies.examples import panel

CLASSES = ("none", "bronze", "gold")
WALD = Request(model("t-a-p"), interval="wald")


def scanned(texts, subjects, name="t-a-p", request=WALD, **more):
    return finish(scan(panel(texts, subjects, 5, name=name, classes=CLASSES), request, **more))


def test_lines_that_differ_beyond_their_intervals_are_named_hardest_and_surest():
    # Who is truly without a medal is always recognised; bronze and gold are hardly told apart.
    found = scanned(["t=.4,.3,.3", "a=.98,.35,.35", "p=.1,.45,.45"], 800, "t-ak-p")
    said, follows = lines_headline(found)
    assert said == "The line “bronze | gold” is harder to draw than “none | bronze”."
    assert "Their difference is 0.42 (0.39 to 0.45)." in follows


def test_lines_that_may_be_alike_are_not_ranked():
    said, follows = lines_headline(scanned(["t=.4,.3,.3", "a=.6", "p=.3,.4,.3"], 60))
    assert said == "No line between two classes is clearly harder than another."
    assert follows.endswith("so the order may be luck.")


def test_lines_that_differ_are_set_apart_although_their_intervals_meet():
    found = scanned(["t=.4,.3,.3", "a=.8,.5,.4", "p=.3,.4,.3"], 60, "t-ak-p")
    best, worst = (cut.free.estimate("a") for cut in found.cuts)
    assert worst.high > best.low
    said, follows = lines_headline(found)
    assert said == "The line “bronze | gold” is harder to draw than “none | bronze”."
    assert "Their difference is" in follows
    assert "luck" not in follows


def test_what_the_test_of_one_accuracy_says_stands_behind():
    found = scanned(["t=.4,.3,.3", "a=.6", "p=.3,.4,.3"], 60, test=True, replicates=20)
    assert lines_headline(found)[1].endswith(found.words)
    assert found.words


def test_estimates_without_intervals_rank_nothing():
    quick = Request(model("t-a-p"), interval="none")
    assert lines_headline(scanned(["t=.4,.3,.3", "a=.6", "p=.3,.4,.3"], 60, request=quick)) is None


def test_tables_and_pictures_say_which_side_of_the_lines_is_counted():
    quick = Request(model("t-a-p"), interval="none")
    below = scanned(["t=.4,.3,.3", "a=.6", "p=.3,.4,.3"], 60, request=quick, direction=Direction.BELOW)
    line = "All classes above a line against all below it, which are counted. A dash: not determined."
    assert cuts(below, REPORT)[0].note.startswith(line)
    assert pictures(below)[-1].x.title == "line between two classes; what is counted lies below it"


LEANING = {"texts": ["t=.3,.3,.4", "a=.7", "p=.8,.1,.1"], "subjects": 400}


def test_guesses_that_lean_are_set_apart_from_the_truth_and_others_are_not():
    words = guessing_words(scanned(**LEANING))
    assert words.startswith("Guesses do not follow what is true at “none | bronze” and “bronze | gold”:")
    alike = guessing_words(scanned(["t=.4,.3,.3", "a=.7", "p=.4,.3,.3"], 400))
    assert alike.startswith("At none of the lines tested are t and p further apart than luck makes them")
    assert "does not prove" in alike


def test_the_gain_of_t_apart_from_p_is_twice_the_difference_of_both_maxima():
    found = scanned(**LEANING)
    table = guessing_table(found, REPORT)
    assert table.note.startswith("Gain: twice the log-likelihood that t and p of their own gain over t = p;")
    # A line that is rejected is drawn as one that stands apart, and its share of luck is told.
    told = rates_figure(found, REPORT).note
    assert "Luck alone makes t and p as far apart at none | bronze in <1 %" in told
    assert "a diamond where that is under 5 %" in told
    accuracy, rates = pictures(found)
    assert "No dot: not determined there." in accuracy.note
    assert "Luck alone makes t and p as far apart at none | bronze in <1 %" in rates.note
    for cut, row in zip(found.cuts, table.rows, strict=True):
        free, tied = cut.free.log_likelihood.ratings, cut.tied.log_likelihood.ratings
        assert float(row[3]) == pytest.approx(2 * (free - tied), abs=0.006)
        assert row[4] == "<1 %"


def test_a_line_whose_accuracy_may_be_none_is_not_tested():
    # Guesses alone: t says nothing, so t = p cannot be held against p.
    found = scanned(["t=.4,.3,.3", "a=0", "p=.3,.4,.3"], 60, request=replace(WALD, interval="profile"))
    assert found.apart == (None, None)
    assert guessing_words(found) == ""
    assert guessing_table(found, REPORT) is None


def test_turning_the_lines_says_what_a_scan_of_the_other_side_says():
    above = scanned(["t=.4,.3,.3", "a=.6", "p=.3,.4,.3"], 80)
    below = scanned(["t=.4,.3,.3", "a=.6", "p=.3,.4,.3"], 80, direction=Direction.BELOW)
    turned = above.turned(Direction.BELOW)
    assert turned.turned(Direction.ABOVE).cuts[0].estimate("t") == above.cuts[0].estimate("t")
    for one, other in zip(turned.cuts, below.cuts, strict=True):
        assert one.words == other.words
        for name in ("t", "a", "p"):
            mine, theirs = one.estimate(name), other.estimate(name)
            found = [mine.value, mine.low, mine.high]
            np.testing.assert_allclose(found, [theirs.value, theirs.low, theirs.high], atol=1e-5)


def test_a_line_that_cannot_be_tested_is_named_beside_those_that_are():
    found = scanned(**LEANING)
    first = replace(found.cuts[0], tied=None)
    words = guessing_words(replace(found, cuts=(first, *found.cuts[1:])))
    assert words.endswith("Could not be tested: “none | bronze”.")
