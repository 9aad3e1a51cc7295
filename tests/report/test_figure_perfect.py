"""Pictures of ratings on which all raters agree: what follows is told, and only what nobody's guess would be is not."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers.demands import Selection
from tapdesk.answers.figure import Line, Points, Words
from tapdesk.answers.figures.catalog import figures
from tapdesk.answers.side_results import Wanted
from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.files.file import load, save
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.build import build
from tapdesk.report.setup import prepare
from tapdesk.studies.analysis import Request, analyse
from tests.studies.examples import panel

from .examples import project_of
from .looked_up import said


@pytest.fixture(scope="module", params=[2, 3], ids=["two classes", "three classes"])
def perfect(request) -> tuple[Fit, Ratings]:
    """Thirty cases, four raters, all of one mind, the classes equally often."""
    classes = ("no", "yes", "very")[: request.param]
    share = ",".join([f"{1 / request.param}"] * request.param)
    texts = ["t=.5", "a=.5", "p=.5"] if request.param == 2 else [f"t={share}", "a=.5", f"p={share}"]
    ratings = panel(texts, 30, 4, classes=classes)
    ratings = replace(ratings, category=ratings.subject % request.param)
    return finish(analyse(ratings, Request(model("t-a-p")))), ratings


def test_all_matches_are_justified_and_at_least_as_many_as_the_interval_leaves(perfect):
    fit, ratings = perfect
    assert all(e.estimate.value is None for e in fit.estimates if e.name.name == "p")
    matches, _shares = figures("expected", fit, ratings)
    values = [float(m.x[0]) for m in matches.marks if isinstance(m, Points)]
    # Seen and by the model; both, one, neither justified; kappa seen and by the model.
    assert values == pytest.approx([1, 1, 1, 0, 0, 1, 1], abs=1e-6)
    least = fit.estimate("a").low ** 2
    assert f"at least {100 * least:.0f} % of the pairs" in matches.title
    # How often two guesses would match is the one share that nothing shows.
    assert fit.match_rates.random is None
    assert fit.kappa == pytest.approx(1)


def test_no_rating_is_surprising_and_every_vote_is_right(perfect):
    fit, ratings = perfect
    (surprises,) = figures("surprises", fit, ratings)
    assert surprises.title == "No rating stands against all others of its case"
    (votes,) = figures("votes", fit, ratings)
    for line in votes.marks:
        if isinstance(line, Line):
            assert line.y == pytest.approx(np.ones(line.y.size))
    assert f"from {fit.estimate('a').low:.2f} to 1.00" in votes.note


def test_the_tree_has_no_number_on_the_branches_of_guesses_and_says_why(perfect):
    fit, ratings = perfect
    (tree,) = figures("tree", fit, ratings)
    words = [m.label for m in tree.marks if isinstance(m, Words)]
    assert words.count("p = –") == len(fit.classes) ** 2
    assert sum(w.endswith(": 0 %") for w in words) == len(fit.classes) ** 2
    assert "so none is a guess" in tree.title
    assert "nothing shows what a guess would have been" in tree.note


def test_what_two_ratings_of_two_classes_leave_open_stays_refused():
    ratings = panel(["t=.5", "a=.5", "p=.5"], 30, 2)
    ratings = replace(ratings, category=ratings.subject % 2)
    fit = finish(analyse(ratings, Request(model("t-a-p"))))
    for kind in ("expected", "votes", "tree", "surprises", "recovery"):
        with pytest.raises(CannotAnswerError, match="do not determine"):
            figures(kind, fit, ratings)


def test_the_report_prints_the_parts_and_the_project_keeps_the_fit(perfect, tmp_path):
    fit, ratings = perfect
    project = project_of(fit, ratings)
    asked = Wanted(
        replicates=5, agreement=False, tests=False, raters=False, sensitivity=False, selection=Selection(recovery=True)
    )
    made = build(project, extras=finish(prepare(project, asked)))
    assert "By the model all ratings match because both are justified" in said(made, "recovery")
    assert "If a = 1.00 were true, such data sets would put it there again." in said(made, "recovery")
    assert "A vote of 5 ratings would be right 100 times in 100" in said(made, "checks")
    save(project, tmp_path / "kept.tapdesk")
    assert load(tmp_path / "kept.tapdesk").analyses[0].fit.match_rates == fit.match_rates
