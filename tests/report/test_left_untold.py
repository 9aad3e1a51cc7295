"""What a report cannot tell, or leaves out because it would take too long, it says so in a sentence."""

import numpy as np
import pytest

from tapdesk.answers.chance import misfit
from tapdesk.answers.content import Paragraph
from tapdesk.answers.side_results import SideResults, Wanted
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.report.build import build
from tapdesk.report.setup import prepare
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.likelihood_ratio import bootstrap_test
from tests.studies.examples import panel

from .examples import counted, project_of

FEW = Wanted(replicates=20, agreement=False, raters=False)


def said(made, key):
    (section,) = [s for s in made.sections if s.key == key]
    return " ".join(b.text for b in section.blocks if isinstance(b, Paragraph))


def reported(ratings, name, wanted):
    fit = finish(analyse(ratings, Request(model(name), interval="none")))
    project = project_of(fit, ratings)
    found: SideResults = finish(prepare(project, wanted))
    return build(project, extras=found)


def test_twelve_classes_are_too_many_for_every_pair_and_that_is_said():
    classes = tuple("ABCDEFGHIJKL")
    share = ",".join([f"{1 / 12:.12f}"] * 12)
    ratings = panel([f"t={share}", "a=.6", f"p={share}"], 60, 4, classes=classes)
    made = reported(ratings, "t-a-t", Wanted(replicates=5, agreement=False, raters=False, tests=False))
    assert "How well every two classes are told apart is not reported. With more than 8 classes" in said(made, "cases")


@pytest.mark.parametrize(
    ("counts", "name", "proves"), [((30, 20, 40), "t-a-t", False), ((18, 35, 46, 48, 36), "t-a-p", True)]
)
def test_a_fit_that_could_not_fail_is_not_called_a_good_one(counts, name, proves):
    words = said(reported(counted(counts), name, FEW), "results")
    assert ("so this proves nothing" in words) is not proves
    assert ("look like what the model makes" in words) is proves


@pytest.mark.parametrize(
    ("reached", "said"),
    [(150, "look like what the model makes"), (15, "luck makes it at times"), (5, "misses something")],
)
def test_a_misfit_that_is_not_frequent_is_not_called_a_fit(reached, said):
    test = bootstrap_test("G2", 10.0, 5, np.r_[np.full(reached, 11.0), np.full(300 - reached, 1.0)], "")
    words = misfit(test)
    assert said in words
    assert words.startswith(f"Fit: G² = 10.00; {reached} of 300 data sets made by the model fit as badly or worse.")
