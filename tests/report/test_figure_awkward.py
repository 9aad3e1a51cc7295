"""Every picture of ratings that can tell little or nothing: it is drawn without gaps, or says in a sentence why not."""

import re

import numpy as np
import pytest

from tapdesk.answers.figure import Words
from tapdesk.answers.figures.catalog import FIGURES, figures
from tapdesk.answers.figures.classes import class_pairs, confusion
from tapdesk.answers.svg.draw import svg
from tapdesk.errors import TapdeskError
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse

from .examples import four_ratings

# These take a second or more, whatever the ratings are.
LONG = {"plan", "paradox", "contour", "models", "recovery"}


def rated(rows: list[str], classes: str = "ny", *, known: bool = True) -> Ratings:
    """One row of letters for each case, one column for each rater; a dot is a gap."""
    cells = [(i, j, classes.index(x)) for i, row in enumerate(rows) for j, x in enumerate(row) if x != "."]
    subject, rater, category = (np.array(column) for column in zip(*cells, strict=True))
    names = [str(i) for i in range(len(rows))]
    raters = [f"J{j}" for j in range(max(map(len, rows)))]
    return Ratings.of(subject, rater, category, names, raters, list(classes), ordered=True, raters_known=known)


AWKWARD = {
    "one class": rated(["yyy"] * 6),
    "one rater": rated(["y", "n", "y", "y"]),
    "one case": rated(["yyn"]),
    "two cases": rated(["yny", "nny"]),
    "all alike": rated(["yyy", "nnn"] * 6),
    "always opposed": rated(["yn", "ny"] * 6),
    "uneven, raters not known": rated(["y", "yn", "yny", "nn", "nnyn", "yyyy"], known=False),
    "gaps": rated(["y.n", ".yy", "n.n", "yn.", "y.y"]),
    "a rare third class": rated(["lmm", "mll", "lml", "mmh", "lll"], "lmh"),
}


@pytest.mark.parametrize("long", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", AWKWARD)
def test_every_picture_is_drawn_or_says_why_not(name, long):
    ratings = AWKWARD[name]
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="wald")))
    drawn, refused = [], {}
    for row in FIGURES:
        if (row.kind in LONG) is not long:
            continue
        try:
            found = figures(row.kind, fit, ratings)
        except TapdeskError as error:
            refused[row.kind] = error.what
            continue
        drawn.append(row.kind)
        for figure in found:
            told = " ".join((figure.title, figure.alt, figure.note, svg(figure)))
            assert not re.search(r"\b(nan|inf|None)\b", told), row.kind
            assert figure.alt
    assert long or "class_rates" in drawn
    for kind, what in refused.items():
        assert re.match(r"^[A-Z].*\.$", what, re.DOTALL), (kind, what)


def test_confused_classes_are_told_in_numbers_as_well_as_boxes():
    ratings = four_ratings()
    figure = confusion(ratings)
    told = {(x, y): m.label for m in figure.marks if isinstance(m, Words) for x, y in zip(m.x, m.y, strict=True)}
    pairs = class_pairs(ratings)
    share = pairs / pairs.sum(axis=1, keepdims=True)
    for (i, j), value in np.ndenumerate(share):
        assert told.get((float(j), float(3 - i)), "0") == ("<1" if 0 < value < 0.005 else f"{100 * value:.0f}")


def test_confused_classes_count_only_cases_with_two_ratings():
    # A case with one rating confuses nothing.
    case, rater, answer = np.array([[0, 0, 1, 1, 1, 2], [0, 1, 0, 1, 2, 0], [0, 1, 2, 2, 0, 1]])
    ratings = Ratings.of(case, rater, answer, "abc", "xyz", ("p", "q", "r"))
    assert confusion(ratings).note.startswith("N = 2 cases, 5 ratings. ")
