"""The headline of the lines between grades: it names a harder line only where the difference carries it."""

from tapdesk.answers.cut_points import cuts, lines_headline
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
