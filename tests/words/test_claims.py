"""Claims are recognised by templates that exist, and each is found false where it is."""

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.progress import finish
from tapdesk.worlds.catalog import WORLDS, world
from tapdesk.worlds.claims import CLAIMS, sure_cases
from tapdesk.worlds.statement import JUDGED, Statement, messages, state
from tapdesk.worlds.world import SimulatedPanel

# What is said of a fit is looked at: the same one of the same panel is worked out once.
pytestmark = pytest.mark.usefixtures("remembered_fits")

SOURCES = Path(__file__).parents[2] / "tapdesk"
BY_KEY = {row.key: row for row in CLAIMS}


@pytest.fixture(scope="module")
def panel():
    return world("model-100x3").draw(np.random.default_rng(2))


@pytest.fixture(scope="module")
def statement(panel):
    return finish(state(panel))


class Saying(Statement):
    """A statement whose sentences are known to hold the phrases of a claim."""

    def says(self, *phrases: str) -> bool:
        return bool(phrases)


def saying(told, **changes):
    return Saying(**{"fit": told.fit, "side": told.side, "report": told.report, **changes})


def texts_of_the_program():
    found = set()
    for path in SOURCES.rglob("*.py"):
        if "worlds" not in path.parts:
            tree = ast.parse(path.read_text("utf-8"))
            found |= {
                node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }
    return found


def test_every_phrase_of_a_claim_stands_in_a_template_of_the_program():
    texts = texts_of_the_program()
    for claim in CLAIMS:
        for phrase in claim.phrases:
            assert any(phrase in text for text in texts), (claim.key, phrase)


def test_every_claim_can_be_judged_in_some_world_and_has_a_name_of_its_own():
    assert len(BY_KEY) == len(CLAIMS)
    for claim in CLAIMS:
        assert any(claim.belongs(row) for row in WORLDS), claim.key


def test_sentences_inside_others_are_seen():
    inner = _("{n} wines").format(n=3)
    told = tuple(messages([joined(_("First."), _("Then {inner}.").format(inner=inner))]))
    assert {one.template for one in told} >= {"First.", "Then {inner}.", "{n} wines"}


def test_a_report_says_what_its_pages_say(statement):
    assert statement.says("of 100 {ratings} follow the {subject} ({low} to {high})")
    assert statement.says("When the {subject} is truly “{one}”")
    assert not statement.says("no template of ours has these words")


def test_the_truth_of_its_own_world_makes_no_claim_false(panel, statement):
    here = world("model-100x3")
    told = saying(statement)
    for claim in CLAIMS:
        if claim.key in {"accuracy", "shares", "no-width"}:
            assert not claim.false(here, panel, told), claim.key


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        ("accuracy", {"accuracy": (0.05,)}),
        ("accuracy", {"accuracy": (0.999,)}),
        ("shares", {"accuracy": (0.05,), "guessing": ((0.5, 0.5),)}),
    ],
)
def test_numbers_are_false_in_a_world_where_other_numbers_are_true(key, changes, panel, statement):
    assert BY_KEY[key].false(replace(world("model-100x3"), **changes), panel, saying(statement))


def test_a_range_is_false_where_the_truth_lies_outside_it():
    here = world("two-100-as-truth")
    told = saying(finish(state(here.draw(np.random.default_rng(1)))))
    assert told.fit.accuracy_range.outer_high < 0.99
    assert not BY_KEY["range"].false(here, told, told)
    assert BY_KEY["range"].false(replace(here, accuracy=(0.99,)), told, told)


def test_cases_that_are_sure_are_counted_and_are_false_where_they_are_truly_otherwise(panel, statement):
    turned = SimulatedPanel(panel.labels, panel.ratings, 1 - panel.truth)
    sure, wrong = sure_cases(panel, statement)
    assert sure == (statement.side.beliefs.probability.max(axis=1) >= 0.9).sum() > 50
    assert sure_cases(turned, statement) == (sure, sure - wrong)
    assert BY_KEY["sure"].tally(world("model-100x3"), turned, saying(statement)) == (sure, sure, sure - wrong)


def test_an_interval_without_width_is_false_and_unanimity_where_ratings_differ(panel, statement):
    assert not panel.unanimous
    assert BY_KEY["unanimous"].false(world("model-100x3"), panel, saying(statement))
    one = statement.fit.estimates[0]
    thin = replace(one, estimate=replace(one.estimate, low=one.estimate.value, high=one.estimate.value))
    fit = replace(statement.fit, estimates=(thin, *statement.fit.estimates[1:]))
    assert BY_KEY["no-width"].false(world("model-100x3"), panel, saying(statement, fit=fit))


@pytest.mark.costly(1)
@pytest.mark.parametrize("key", ["model-30x3", "near-150x5-three"])
def test_the_parts_of_a_report_that_the_study_leaves_out_change_no_claim(key):
    """What a user's report holds besides says nothing that a claim is recognised by, and changes no number of one."""
    here = world(key)
    panel = here.draw(np.random.default_rng(4))
    judged, whole = (finish(state(panel, 3, wanted)) for wanted in (JUDGED, replace(JUDGED, sensitivity=True)))
    assert whole.side.others
    assert not judged.side.others
    assert judged.templates < whole.templates
    for claim in CLAIMS:
        if claim.belongs(here):
            assert claim.tally(here, panel, judged) == claim.tally(here, panel, whole), claim.key
