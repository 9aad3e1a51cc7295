"""What is still open in the checks stands on the first page of a report, and goes with its answer."""

from tapdesk.project.damage import checks_by_damage, mending_fix
from tapdesk.report.build import build
from tests.project.test_damage import audit, opened

from .test_sections import words_of


def test_open_checks_stand_in_the_summary_until_they_are_answered(tmp_path):
    lines = audit()
    lines[3][1] = lines[20][1] = "no"
    project = opened(tmp_path, lines)
    words = words_of(build(project), "summary")
    assert "1 check is open: The ratings 'No' (" in words
    while any(c.state.open and mending_fix(c.state) for c in checks_by_damage(project)):
        check = next(c for c in checks_by_damage(project) if c.state.open and mending_fix(c.state))
        project = project.decide(mending_fix(check.state).decision)
    assert " open: The ratings 'No'" not in words_of(build(project), "summary")
