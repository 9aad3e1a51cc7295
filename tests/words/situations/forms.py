"""Questions of a form beside each other, each row typed in: what is said of it follows from its verdict alone."""

from dataclasses import replace

import numpy as np

from tapdesk.answers import criteria as words
from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting.fit import BootstrapTest
from tapdesk.studies.chance import Chance
from tapdesk.studies.criteria import Advice, CriterionNumbers, CriterionRow, RaterAcross, RaterShare, Verdict
from tapdesk.studies.rater_differences import RaterDifferences
from tests.words.situations.situation import several

SHARES = (RaterShare("Ann", 80, 100, 0.7, 0.9), RaterShare("Bob", 20, 100, 0.1, 0.3))
NUMBERS = CriterionNumbers("Plan", 100, 2, 200, ("No", "Yes"), (0.5, 0.5), shares=SHARES)
ACCURACY = Estimate(0.8, low=0.7, high=0.9, how="profile")
CLEAR = CriterionRow(NUMBERS, Verdict.CLEAR, Advice.KEEP, accuracy=ACCURACY, p_holm=0.001)


def test(p):
    """A test with this p-value."""
    return BootstrapTest("x", 1.0, None, p, {"0.95": 2.0}, 199, np.linspace(0, 3, 199), "nothing")


def row(verdict, advice=Advice.NONE, *about, numbers=None, **more):
    return replace(
        CLEAR, verdict=verdict, advice=advice, about=about, numbers=replace(NUMBERS, **(numbers or {})), **more
    )


def said(*rows):
    """All that the page of a form says of these rows."""
    tables = [words.table(rows), *(words.shares_table(one) for one in rows), *(words.own_numbers(one) for one in rows)]
    return words.headline(rows), tables, [words.talk(one) for one in rows], words.not_said()


def pooled(count):
    """Raters with an accuracy over so many questions."""
    raters = (RaterAcross("Ann", 3, (), (), ACCURACY, count), RaterAcross("Bob", 3, (), (), ACCURACY, count))
    return words.raters_table(raters)


GUESSED = row(
    Verdict.GUESSING, Advice.DEFINE, accuracy=undefined("no"), numbers={"chance": Chance(test(0.4), "t-a-p", 100, 200)}
)
MIXED = row(Verdict.MIXED, Advice.EXAMPLES)
FEW = row(Verdict.TOO_FEW, Advice.MORE, p_holm=None, numbers={"subjects": 9, "ratings": 18})
SAME = row(Verdict.SAME, Advice.OTHER, "Yes", p_holm=None, numbers={"rates": (1.0, 0.0)})
UNKNOWN = row(Verdict.UNKNOWN, p_holm=None, accuracy=undefined("no"))
UNLIKE = row(
    Verdict.MIXED,
    Advice.RATER,
    "Ann",
    set_back=True,
    numbers={"differences": RaterDifferences(test(0.001), ("Ann", "Bob"), (0.9, 0.2), ("Bob",), 0.5)},
)
HARD = row(Verdict.MIXED, set_back=True, numbers={"goodness": test(0.001)})
SITUATIONS = several(
    "form",
    (
        ("clear", lambda: said(CLEAR, CLEAR)),
        ("one-tested", lambda: said(CLEAR, FEW)),
        ("guessed", lambda: said(GUESSED, CLEAR)),
        ("mixed", lambda: said(MIXED, CLEAR)),
        ("mixed-two", lambda: said(MIXED, MIXED)),
        ("few", lambda: said(FEW, FEW, CLEAR)),
        ("same", lambda: said(SAME, CLEAR, CLEAR)),
        ("same-two", lambda: said(SAME, SAME, CLEAR, CLEAR)),
        ("unknown", lambda: said(UNKNOWN, CLEAR, CLEAR)),
        ("unknown-two", lambda: said(UNKNOWN, UNKNOWN, CLEAR)),
        ("raters-differ", lambda: said(UNLIKE, CLEAR)),
        ("two-apart", lambda: said(replace(UNLIKE, about=("Ann", "Bob")), CLEAR)),
        ("hard-cases", lambda: said(HARD, CLEAR)),
        ("parts", lambda: said(row(Verdict.MIXED, Advice.PARTS), CLEAR)),
        ("scale", lambda: said(row(Verdict.MIXED, Advice.SCALE, "Ann"), CLEAR)),
        ("pooled-one", lambda: pooled(1)),
        ("pooled-two", lambda: pooled(2)),
        ("across", lambda: words.raters_table((RaterAcross("Ann", 2, ("Plan",), ()), RaterAcross("Bob", 2, (), ())))),
    ),
)
