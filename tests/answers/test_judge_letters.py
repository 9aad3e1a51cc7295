"""What a judge is told in the private letter: severity, spread, how far the scores go with the others', repeats."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from tapdesk.answers.letter import LetterHead, letter_content
from tapdesk.answers.part import Answer
from tapdesk.answers.side_results import SideResults
from tapdesk.estimate import Estimate, undefined
from tapdesk.progress import finish
from tapdesk.studies.award_answer import AwardRequest, ScoreKind
from tapdesk.studies.awards import awards
from tapdesk.studies.self_agreement import SelfAgreement
from tests.tables import scored


@pytest.fixture(scope="module")
def ratings():
    rng = np.random.default_rng(3)
    return scored([(i, j, round(2 * (15 + i / 5 + rng.normal(0, 0.7))) / 2) for i in range(15) for j in range(4)])


@pytest.fixture(scope="module")
def result(ratings):
    return finish(awards(ratings, AwardRequest()))


def letter(ratings, result, **numbers):
    """What J01 reads, with other numbers."""
    judges = (replace(result.judges[0], **numbers), *result.judges[1:])
    side = SideResults(on_demand=MappingProxyType({"awards": replace(result, judges=judges)}))
    return letter_content(Answer(None, ratings, ratings, side), "J01", "K", LetterHead())


def said(content):
    return " ".join(" ".join(block.text for block in content.paragraphs).split())


def between(low, high):
    return Estimate((low + high) / 2, None, low, high, 0.95)


def test_severity_is_told_in_points_and_only_called_strict_where_the_interval_tells(ratings, result):
    strict = said(letter(ratings, result, severity=between(1.0, 1.8)))
    assert "you give 1.40 points less than the panel (1.00 to 1.80): you are among the stricter raters." in strict
    generous = said(letter(ratings, result, severity=between(-1.8, -1.0)))
    sentence = "you give 1.40 points more than the panel (1.00 to 1.80): you are among the more generous raters."
    assert sentence in generous
    level = said(letter(ratings, result, severity=between(-0.5, 0.7)))
    assert "For the same cases you give about what the panel gives (−0.50 to 0.70 points less)." in level
    assert "To be strict or generous is no fault: it is taken out before the cases are compared." in level
    for words in (strict, generous):
        assert "about what the panel gives" not in words


def test_spread_stands_beside_that_of_the_middle_of_the_panel(ratings, result):
    words = said(letter(ratings, result, spread=between(0.6, 1.2)))
    assert "If you judged one case again and again, your ratings would scatter by about 0.90 points (0.60 to" in words
    assert "1.20); in the middle of the panel that is " in words


def test_who_cannot_be_told_from_a_guesser_is_told_so_and_a_scale_turned_round_is_asked_about(ratings, result):
    few = said(letter(ratings, result, follows=between(-0.1, 0.8)))
    assert "Your ratings go with what the others make of the same cases by 0.35 (−0.10 to 0.80), where 1 is" in few
    assert "From so few ratings it cannot be told whether they do." in few
    turned = said(letter(ratings, result, follows=between(-0.9, -0.5)))
    assert "Where the others go up you go down: please look which way the scale runs." in turned
    sure = said(letter(ratings, result, follows=between(0.5, 0.9)))
    assert "it cannot be told whether" not in sure
    assert "which way the scale runs" not in sure
    none = said(letter(ratings, result, follows=undefined("There are too few ratings.")))
    assert "Whether your ratings go with those of the others cannot be told: There are too few ratings." in none


def test_repeats_are_told_with_what_the_spread_makes_of_them(ratings, result):
    own = SelfAgreement(0, 5, 3, 0.2, 0.9, 0.4, 0.6, 0.45, 0.7, (3.0, "days"))
    words = said(letter(ratings, result, self_agreement=own))
    assert (
        "You had 5 cases a second time and gave the same rating in 3 of them; between the two lay 0.6 points" in words
    )
    assert "By your spread 45 % would be the same: so few pairs do not contradict that." in words
    assert "With chance taken out that is a kappa of" not in words
    assert "Between your two ratings of a case lay 3 days, by the middle one." in words
    told = replace(own, kappa_low=-0.1, kappa_high=0.8)
    words = said(letter(ratings, result, self_agreement=told))
    assert "With chance taken out that is a kappa of 0.40 with yourself (−0.10 to 0.80)." in words
    less = said(letter(ratings, result, self_agreement=replace(own, expected_same=0.95)))
    assert "By your spread 95 % would be the same: you agree with yourself less than that." in less
    more = said(letter(ratings, result, self_agreement=replace(own, expected_same=0.1)))
    assert "By your spread 10 % would be the same: you agree with yourself more than that." in more
    counted = said(
        letter(
            ratings,
            replace(result, request=replace(result.request, occasion="flight")),
            self_agreement=replace(own, apart=(2.0, "")),
        )
    )
    assert "Between your two ratings of a case lay 2, as the column “flight” counts." in counted
    once = said(letter(ratings, result, self_agreement=replace(own, pairs=1, same=1, expected_same=None)))
    assert "You had 1 case a second time and gave the same rating in 1; between the two lay" in once
    assert "By your spread" not in once
    assert "a second time" not in said(letter(ratings, result))


def test_the_others_are_points_without_names_and_nobody_else_is_named(ratings, result):
    content = letter(ratings, result)
    (figure,) = content.pictures[0].panels
    assert figure.title == "How strict: you and the others of the panel"
    words = said(content) + figure.alt
    assert not any(name in words for name in ("J02", "J03", "J04"))
    # That points match exactly is no accuracy.
    assert "times in 100" not in words


def test_classes_without_an_order_have_no_severity(ratings, result):
    nominal = replace(result, kind=ScoreKind.CLASSES)
    side = SideResults(on_demand=MappingProxyType({"awards": nominal}))
    with pytest.raises(ValueError, match="nothing tells the raters apart"):
        letter_content(Answer(None, ratings, ratings, side), "J01", "K", LetterHead())
