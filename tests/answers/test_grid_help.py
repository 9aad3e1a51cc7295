"""The help says of every model of the grid what it is for, and what none of them can show."""

from pathlib import Path

import pytest

from tapdesk.models.model import GRID_MODELS, QUESTION_MODELS

PAGE = (Path(__file__).parents[2] / "resources" / "help" / "9-grid.md").read_text("utf-8")
SAID = " ".join(PAGE.split())


@pytest.mark.parametrize("name", [row.name for row in (*GRID_MODELS, *QUESTION_MODELS)])
def test_every_model_stands_on_the_page(name):
    assert f"`{name}`" in PAGE


def test_every_section_says_when_what_it_tells_and_what_it_cannot_show():
    *sections, time, trust = PAGE.split("\n## ")[1:]
    assert len(sections) == 7
    assert time.startswith("How long they take")
    assert trust.startswith("How far these models keep their word")
    for section in sections:
        assert "**When.**" in section
        assert "**What it tells.**" in section
        assert "**What it cannot show.**" in " ".join(section.split())


@pytest.mark.parametrize(
    "sentence",
    [
        "Three yes/no ratings of each case cannot show hard cases at all",
        "it cannot be seen whether the groups differ in truth or in how well they are rated",
        "A key of one class does little; known cases of two classes do a lot",
        "accuracy against reality = accuracy against the panel × how often the panel's own pattern is the truth",
        "Consistency is not accuracy",
        "That a test does not reject is no proof that all cases are alike",
    ],
)
def test_what_users_must_be_told_is_told(sentence):
    assert sentence in SAID
