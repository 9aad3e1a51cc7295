"""Cases are what they are said to be: by which model they are told, and the published table of how often."""

from tapdesk.fitting.fit_summary import subject_posterior
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.belief_calibration import WAYS, belief_calibration, belief_parts, tallies
from tapdesk.studies.case_beliefs import case_beliefs
from tests.fitting.test_averaged import panel


def told(ratings):
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="none")))
    return fit, finish(case_beliefs(ratings, fit))


def test_alike_raters_are_pooled_and_unlike_ones_are_not():
    assert told(panel(100, (0.6,) * 5, 1))[1].model == "t-a-p"
    fit, found = told(panel(100, (0.95, 0.9, 0.2, 0.1, 0.05), 1))
    assert found.model == "t-aj-p"
    # Two experts against three guessers: the pooled model goes with the three.
    assert fit.model.name == "t-a-p"


def test_small_panels_are_less_sure_than_their_estimates():
    ratings = panel(10, (0.6,) * 5, 3)
    fit, found = told(ratings)
    plan = design(fit.model, ratings)
    known = subject_posterior(fit, plan, plan.space.evidence(plan.patterns))
    assert found.probability.max(axis=1).mean() < known.max(axis=1).mean() - 0.02


def test_a_piece_of_the_study_repeats_whatever_else_is_asked_for():
    part = belief_parts(16, 5)[0]
    assert finish(tallies(part)) == finish(tallies(part))
    table = finish(belief_calibration(1)).records()
    assert [(r["panel"], r["how"]) for r in table[:4]] == [("10 x 5", WAYS[0])] * 3 + [("10 x 5", WAYS[1])]
