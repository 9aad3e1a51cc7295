"""What an answer to a check would do to the headline's number is what it does."""

import pytest

from tapdesk.answers.fix_effects import effect_words, fix_effects, with_effects
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.damage import checks_by_damage, findings_by_damage
from tapdesk.studies.analysis import Request, analyse
from tests.project.test_damage import audit, opened, totals


def accuracy(ratings):
    return finish(analyse(ratings, Request(model("t-a-p"), interval="none"))).estimate("a").value


def with_consensus(lines):
    return [[*row, "Yes" if row[1:].count("Yes") > 2 else "No"] for row in lines]


HEAD = ("Record", "Adams", "Brown", "Chen", "Davies", "Consensus")


def test_a_consensus_that_is_left_out_changes_the_accuracy_as_it_is_said(tmp_path):
    project = opened(tmp_path, with_consensus(audit()), HEAD)
    check = checks_by_damage(project)[0]
    effect = next(e for e in finish(fix_effects(project)) if e.finding == check.state.finding)
    fix = next(f for f in check.state.fixes if f.words == effect.answer)
    after = project.decide(fix.decision)
    assert effect.accuracy
    assert effect.before == pytest.approx(accuracy(project.ratings), abs=1e-9)
    assert effect.after == pytest.approx(accuracy(after.ratings), abs=1e-9)
    assert effect.after < effect.before
    assert effect_words(effect).endswith(f"goes from {effect.before:.2f} to {effect.after:.2f}.")


def test_where_no_accuracy_can_be_had_raw_agreement_is_told(tmp_path):
    lines = audit()
    project = opened(tmp_path, [*lines, totals(lines)])
    effect = finish(fix_effects(project))[0]
    assert not effect.accuracy
    assert effect.before < effect.after
    findings = with_effects(findings_by_damage(project), project)
    assert "raw agreement goes from" in next(f for f in findings if f.code == "summary_row").default


def test_nothing_is_worked_out_of_what_is_not_open_or_too_large(tmp_path, monkeypatch):
    project = opened(tmp_path, audit())
    assert finish(fix_effects(project)) == ()
    monkeypatch.setattr("tapdesk.answers.fix_effects._MOST_RATINGS", 10)
    assert finish(fix_effects(opened(tmp_path, with_consensus(audit()), HEAD))) == ()
