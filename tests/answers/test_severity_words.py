"""What is said of strict and mild raters: by intervals, against each other, and with what it does not say."""

from types import SimpleNamespace

import pytest

from tapdesk.answers.numbers import SCREEN
from tapdesk.answers.part import Content
from tapdesk.answers.severity_part import SEVERITIES, severity_content
from tapdesk.answers.side_results import SideResults
from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.models.model import Ordered
from tapdesk.progress import finish
from tapdesk.studies.severities import Severity, severities


def rater(name, low, high):
    between = Estimate((low + high) / 2).between(low, high, 0.95, "bootstrap")
    return Severity(name, between, between, Estimate(1.0).between(0.8, 1.2, 0.95, "bootstrap"))


STRICT, MILD, OPEN = rater("R1", 0.2, 0.9), rater("R2", -0.8, -0.1), rater("R3", -0.2, 0.3)


def told(*rows) -> Content:
    fit = SimpleNamespace(model=SimpleNamespace(name="sdt"), interval=("profile", 0.95))
    content = severity_content(SimpleNamespace(side=SideResults(severities=rows), style=SCREEN, fit=fit))
    assert isinstance(content, Content)
    return content


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ((STRICT, OPEN), ["R1 is strict: the same case gets a lower class from this rater."]),
        ((MILD, OPEN), ["R2 is mild: the same case gets a higher class from this rater."]),
        (
            (STRICT, rater("R4", 0.1, 0.5), MILD, rater("R5", -0.9, -0.5)),
            [
                "R1 and R4 are strict: the same case gets a lower class from these raters.",
                "R5 and R2 are mild: the same case gets a higher class from these raters.",
            ],
        ),
        ((OPEN, OPEN), ["No rater is shown to be strict or mild; that does not show that all are alike."]),
    ],
)
def test_only_whose_interval_leaves_out_the_panel_is_called_strict_or_mild(rows, said):
    words = [one.text for one in told(*rows).paragraphs]
    assert words[:-1] == said
    assert words[-1] == (
        "Strict is said against the other raters, not against the truth: if all are strict, nobody stands out."
    )


def test_the_words_of_the_templates_are_these():
    pieces = ("} is strict: the same {", "} are strict: the same {", "} is mild: the same {", "} are mild: the same {")
    assert len(set(pieces)) == 4
    assert SEVERITIES.title.format() == "Who is strict, who is mild?"
    assert (
        "Where each rater draws the lines between the classes, against where the whole panel" in SEVERITIES.explanation
    )


def test_picture_and_table_tell_the_strictest_first_and_what_the_numbers_are():
    content = told(OPEN, MILD, STRICT)
    assert [str(row[0]) for row in content.tables[0].rows] == ["R1", "R3", "R2"]
    assert (
        "Severity: in classes, against the mean of all raters. Lean: of the own lines alone" in content.tables[0].note
    )
    assert "In classes: how far the lines of each rater lie above those of the panel." in content.pictures[0].note


def test_who_has_no_lines_of_their_own_is_not_called_strict():
    fit = SimpleNamespace(
        model=SimpleNamespace(ordered=Ordered.NONE),
        converged=True, identification=SimpleNamespace(identified=True), estimator="exact-em", classes=("1", "2", "3"),
    )  # fmt: skip
    with pytest.raises(CannotAnswerError, match="Who is strict is told by settled fits with lines of each rater"):
        finish(severities(None, fit, 1))
