"""Rows that have a number beside a name that comes again: what is the case is asked, and never guessed by a word."""

import random

from tapdesk.project.decisions.ratings import LeaveOutRaters
from tapdesk.project.fixes.catalog import fixes
from tapdesk.project.project import Project
from tapdesk.project.review_state import finding_states
from tapdesk.ratings.layouts.roles import OFTEN
from tapdesk.ratings.options import Layout
from tests.ratings.telling import blocks, codes, told


def wines(kinds, head="Nr.;Wein", rows=30):
    """A sheet of three judges on numbered wines, which are called by their kind."""
    rng = random.Random(4)
    lines = [f"{head};Müller;Schäfer;Köhler"]
    for row in range(rows):
        true = rng.choice((12, 14, 16))
        points = ";".join(str(true + rng.choice((0, 0, 0, 1))) for _judge in range(3))
        lines.append(f"{row + 1};Riesling {2000 + row % kinds};{points}")
    return "\n".join(lines) + "\n"


def test_kinds_that_come_again_are_no_cases_where_rows_are_numbered(text):
    reading = text(wines(6))
    assert blocks(reading) == {"cases_come_again"}
    assert len(reading.ratings.subjects) == 30
    assert told(reading, "cases_come_again").about == (("Nr.",), ("Wein",))
    offered = fixes(told(reading, "cases_come_again"), reading, reading.ratings)
    assert [dict(fix.options or {}) for fix in offered][:2] == [
        {"subject": "Nr."},
        {"layout": Layout.RATERS, "subject": "Wein"},
    ]
    by_number, by_name = text(wines(6), subject="Nr."), text(wines(6), subject="Wein", layout=Layout.RATERS)
    assert not blocks(by_number)
    assert len(by_number.ratings.subjects) == 30
    assert len(by_name.ratings.subjects) == 6
    assert "repeats_different" in codes(by_name)


def test_a_few_blind_repeats_leave_the_name_the_case(text):
    kinds = 27
    assert 30 / kinds < OFTEN
    reading = text(wines(kinds))
    assert len(reading.ratings.subjects) == kinds
    assert not blocks(reading)


def test_a_number_and_rounds_leave_the_name_the_case(text):
    lines = wines(15).splitlines()
    again = [lines[0].replace("Nr.", "Nr.;Round")]
    again += [line.replace(";", f";{1 + i // 15};", 1) for i, line in enumerate(lines[1:])]
    assert "cases_come_again" not in codes(text("\n".join(again)))


def test_scores_are_counted_again_without_a_mean_that_was_left_out(text):
    rng = random.Random(8)
    lines = ["Wein,Huber,Maier,Lang,Mittelwert"]
    for wine in range(40):
        points = [rng.randrange(16, 36) / 2 for _judge in range(3)]
        lines.append(f"W{wine},{','.join(f'{p:g}' for p in points)},{sum(points) / 3:.2f}")
    reading = text("\n".join(lines), columns=("Huber", "Maier", "Lang", "Mittelwert"))
    project = (
        Project().with_reading(reading, when="").decide(LeaveOutRaters(("Mittelwert",), with_classes=True), when="")
    )
    (scores,) = [s.finding for s in finding_states(project) if s.finding.code == "continuous_scores"]
    left = len(project.all_classes.classes)
    assert left < len(reading.ratings.classes)
    assert f"{left} different scores" in scores.message
