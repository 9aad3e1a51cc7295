"""Scores without steps: cut-points are offered, each a decision that can be told and taken back."""

import pytest

from tapdesk.project.project import Project
from tapdesk.project.review_state import finding_states
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read_now


@pytest.fixture
def opened(tmp_path):
    def make(scores, **options):
        path = tmp_path / "scores.csv"
        rows = [f"w{i};{a};{b}\n" for i, (a, b) in enumerate(zip(scores, scores[1:] + scores[:1], strict=True))]
        path.write_text("case;Ana;Ben\n" + "".join(rows), "utf-8")
        return Project().with_reading(read_now(path, ReadingOptions(**options)))

    return make


def row(project):
    return next(r for r in finding_states(project) if r.finding.code == "continuous_scores")


def chosen(project, words):
    fix = next(f for f in row(project).fixes if words in f.words)
    return project.decide(fix.decision), fix.words


def test_scores_from_0_to_100_are_grouped_at_round_cut_points_that_the_link_names(opened):
    project = opened([str(i * 37 % 101) for i in range(101)])
    after, words = chosen(project, "Cut at")
    assert words == "Cut at 20; 40; 60; 80; 100"
    now = after.all_classes
    assert now.classes == (
        "below 20",
        "20 to below 40",
        "40 to below 60",
        "60 to below 80",
        "80 to below 100",
        "100 or more",
    )
    # Every score is in the class that its number says, and none is lost.
    for old, new in zip(project.all_classes.category, now.category, strict=True):
        score = float(project.all_classes.classes[old])
        assert int(new) == int(score // 20)
    assert now.ordered
    assert not row(after).open
    assert "are one class, 'below 20'" in after.log[-1].words
    assert row(after.undo()).open


def test_one_cut_in_the_middle_halves_the_ratings(opened):
    project = opened([f"{i / 4:.2f}".replace(".", ",") for i in range(40)])
    after, words = chosen(project, "or more")
    assert words == "Below 5, and 5 or more"
    assert "Cut at 2; 4; 6; 8" in {f.words for f in row(project).fixes}
    assert after.all_classes.classes == ("below 5", "5 or more")
    assert after.all_classes.class_rates() == pytest.approx([0.5, 0.5])


def test_keeping_every_score_answers_the_question(opened):
    project = opened([str(i * 37 % 101) for i in range(101)])
    after, _words = chosen(project, "Keep every score")
    assert not row(after).open
    assert after.all_classes.classes == project.all_classes.classes


def test_high_scores_that_occur_once_are_no_codes_for_missing(opened):
    project = opened([str(i * 37 % 101) for i in range(101)])
    asked = {f.code for f in project.reading.findings if f.severity is Severity.ASK}
    assert "maybe_missing_number" not in asked


def test_cut_points_are_written_with_the_decimal_mark_of_the_file(opened):
    project = opened([f"{i / 20:.2f}".replace(".", ",") for i in range(40)])
    after, words = chosen(project, "Cut at")
    assert words == "Cut at 0,5; 1; 1,5"
    assert after.all_classes.classes == ("below 0,5", "0,5 to below 1", "1 to below 1,5", "1,5 or more")
