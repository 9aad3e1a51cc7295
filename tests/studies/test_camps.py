"""Raters who answer upside-down are told as a camp, not as guessers."""

import numpy as np

from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tests.tables import drawn


def test_a_rater_who_answers_upside_down_is_named_with_the_unrestricted_rates():
    r = drawn(np.random.default_rng(5), (0.5, 0.5), 0.8, (0.5, 0.5), 200, 5)
    turned = np.where(r.rater == 4, 1 - r.category, r.category)
    r = Ratings.of(r.subject, r.rater, turned, r.subjects, r.raters, r.classes)
    fit = finish(analyse(r, Request(model("t-aj-pj"), interval="none")))
    camp = next(f for f in fit.findings if f.code == "two_camps")
    assert "J4 (−0." in camp.message
    assert "J0" not in camp.message


def test_a_rater_who_guesses_is_no_camp():
    r = drawn(np.random.default_rng(6), (0.5, 0.5), (0.8, 0.8, 0.8, 0.8, 0.0), (0.5, 0.5), 300, 5)
    fit = finish(analyse(r, Request(model("t-aj-pj"), interval="none")))
    assert not any(f.code == "two_camps" for f in fit.findings)
