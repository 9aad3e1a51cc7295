"""Findings by damage: what blocks first, root causes before what follows from them, and counts that stay true."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapdesk.errors import TapdeskError
from tapdesk.gui.dataset.chips import chip_rows, present_value
from tapdesk.gui.shell import status_texts
from tapdesk.language import say
from tapdesk.project.damage import checks_by_damage, findings_by_damage
from tapdesk.project.project import Project
from tapdesk.project.review_state import blocking_findings, finding_states, findings_now, open_questions, words_now
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.reading import read_now


def audit(rows=140, seed=3):
    """Records of four nurses, as lines."""
    lot = random.Random(seed)
    lines = []
    for i in range(rows):
        truth = lot.random() < 0.7
        ratings = ["Yes" if (truth if lot.random() < 0.85 else lot.random() < 0.5) else "No" for _ in range(4)]
        lines.append([f"R{i + 1}", *ratings])
    return lines


def opened(folder, lines, head=("Record", "Adams", "Brown", "Chen", "Davies")):
    path = folder / "audit.csv"
    path.write_text("\n".join(",".join(row) for row in (head, *lines)) + "\n", "utf-8")
    return Project().with_reading(read_now(path))


def totals(lines):
    return ["Total Yes", *(str(sum(row[j] == "Yes" for row in lines)) for j in range(1, 5))]


def test_what_comes_from_a_row_of_totals_stands_under_it(tmp_path):
    lines = audit()
    project = opened(tmp_path, [*lines, totals(lines)])
    first, *rest = checks_by_damage(project)
    assert first.state.finding.code == "summary_row"
    assert {s.finding.code for s in first.follows} == {"order_unknown", "rare_class", "different_subsets"}
    assert first.touched == 4
    assert not [c for c in rest if c.state.open]
    after = project.decide(first.state.fixes[0].decision)
    # What was said to go is gone, and the order of No and Yes is no question any more.
    assert [s.finding.code for s in finding_states(after) if s.open] == []
    assert open_questions(after) == 0


def test_what_has_another_cause_too_stands_for_itself(tmp_path):
    lines = audit()
    for row, rater, text in ((3, 1, "no"), (20, 1, "no"), (30, 2, "n/d"), (60, 3, "n/d")):
        lines[row][rater] = text
    project = opened(tmp_path, [*lines, totals(lines)])
    checks = checks_by_damage(project)
    codes = [c.state.finding.code for c in checks if c.state.open]
    assert codes[0] == "summary_row"
    assert {"case_space_variants", "maybe_missing_word", "rare_class"} <= set(codes)
    # Of those that ask the one that touches most ratings comes first.
    asks = [c.touched for c in checks if c.state.open and c.state.finding.severity is Severity.ASK]
    assert asks == sorted(asks, reverse=True)


def test_a_key_is_one_question(tmp_path):
    lines = [[f"c{i}", "yes" if i % 2 else "no", "yes" if i % 3 else "no", "yes" if i % 2 else "no"] for i in range(30)]
    project = opened(tmp_path, lines, ("case", "Ana", "Ben", "Gold"))
    first, *rest = checks_by_damage(project)
    assert first.state.finding.code == "known_answers"
    assert [s.finding.code for s in first.follows] == ["identical_raters"]
    assert "identical_raters" not in {c.state.finding.code for c in rest}


def test_sets_of_labels_settle_the_order_of_the_sets(tmp_path):
    words = ("trust", "fear", "trust; fear", "joy", "joy; fear")
    lines = [[f"c{i}", words[i % 5], words[(i + i % 3) % 5]] for i in range(40)]
    project = opened(tmp_path, lines, ("case", "Ana", "Ben"))
    sets = next(c for c in checks_by_damage(project) if c.state.finding.code == "sets_of_labels")
    assert "order_unknown" in {s.finding.code for s in sets.follows}


def test_every_finding_stands_once(tmp_path):
    lines = audit()
    project = opened(tmp_path, [*lines, totals(lines)])
    codes = [f.code for f in findings_by_damage(project)]
    assert sorted(codes) == sorted(s.finding.code for s in finding_states(project))
    assert codes[0] == "summary_row"


@st.composite
def messy(draw):
    """A sheet with several things to be asked about, and a sequence of answers by number."""
    lines = audit(rows=24, seed=draw(st.integers(0, 99)))
    head = ("Record", "Adams", "Brown", "Chen", "Davies")
    for text in draw(st.lists(st.sampled_from(["no", "n/d", "?", "Yes ", "99"]), max_size=4)):
        lines[draw(st.integers(0, 23))][draw(st.integers(1, 4))] = text
    if draw(st.booleans()):
        lines.append(["R1", *lines[0][1:]])
    if draw(st.booleans()):
        lines.append(totals(lines))
    for name in draw(st.lists(st.sampled_from(["Consensus", "gold", "Majority"]), max_size=2, unique=True)):
        head = (*head, name)
        lines = [[*line, max(line[1:5], key=line[1:5].count)] for line in lines]
    return head, lines, draw(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=6))


@settings(max_examples=25)
@given(messy())
def test_counts_and_words_tell_the_present_state_after_any_fixes(tmp_path_factory, sheet):
    head, lines, answers = sheet
    project = opened(tmp_path_factory.mktemp("messy"), lines, head)
    for which, how in (*answers, (-1, 0)):
        states = finding_states(project)
        shown = [s for c in checks_by_damage(project) for s in (c.state, *c.follows)]
        # Each is shown once, as it stands.
        assert sorted(map(id, shown)) == sorted(map(id, states))
        waiting = [s for s in states if s.open and s.finding.severity is Severity.BLOCK]
        asking = [s for s in states if s.open and s.finding.severity is Severity.ASK]
        assert len(blocking_findings(project)) == len(waiting)
        assert open_questions(project) == len(asking)
        words = status_texts.checks(project)
        number = len(waiting) or len(asking)
        assert (words == "Ready") if not number else (str(number) in words.split() or f"{number} " in words)
        assert words.startswith("Not yet") == bool(waiting)
        listed = [f for f in findings_now(project) if f.severity in {Severity.BLOCK, Severity.ASK}]
        assert len(listed) == len(waiting) + len(asking)
        # The chip counts the columns that are raters now.
        row = next(row for row in chip_rows(project.reading) if row.name == "columns")
        counted = re.match(r"\d+", present_value(project, row))[0]
        assert int(counted) == len(project.ratings.raters)
        bar = status_texts.summary(project)
        now = project.all_classes
        assert bar.startswith(f"{now.subject_count} ")
        assert f" {now.rating_count} of " in bar
        # The first sentence names the classes there are.
        said = say(words_now(project)[-1])
        assert all(c in said for c in project.all_classes.classes[:12])
        assert said == project.reading.source.words[-1] or "now" in said or not project.all_classes.classes
        gone = set(project.reading.as_read.classes) - set(project.all_classes.classes)
        assert not gone or "decisions" in said
        # What follows from an open one is open; nothing settled is under it.
        assert all(c.state.open and s.open for c in checks_by_damage(project) for s in c.follows)
        able = [s for s in states if s.open and any(f.decision is not None for f in s.fixes)]
        if which < 0 or not able:
            continue
        fixes = [f for f in able[which % len(able)].fixes if f.decision is not None]
        try:
            project = project.decide(fixes[how % len(fixes)].decision)
        except TapdeskError:
            continue
        if how == 7:
            project = project.undo()


def test_nothing_open_stands_below_what_is_settled():
    project = Project().with_reading(read_now("sample:jury-panel"))
    states = [c.state.open for c in checks_by_damage(project)]
    assert states == sorted(states, reverse=True)
    with pytest.raises(TapdeskError):
        checks_by_damage(Project())
