"""Findings of a project, and the project after one of the links they offer was clicked."""

from dataclasses import replace

from tapdesk.project.review_state import finding_states
from tapdesk.ratings.reading import read_now

TWELVE = "case,Ana,Ben,Cy\n" + "".join(
    f"c{i},{'yes' if i % 3 else 'no'},yes,{'no' if i % 2 else 'yes'}\n" for i in range(12)
)


def row(project, code):
    found = [r for r in finding_states(project) if r.finding.code == code]
    assert found, [r.finding.code for r in finding_states(project)]
    return found[0]


def chosen(project, code, words):
    """The project after the link with these words was clicked."""
    offered = {f.words: f for f in row(project, code).fixes}
    fix = offered[words]
    if fix.decision is not None:
        return project.decide(fix.decision)
    assert project.reading is not None
    reading = project.reading
    return project.with_reading(read_now(reading.source.path, replace(reading.asked, **fix.options)))


def counts(project):
    ratings = project.ratings
    return {c: int((ratings.category == i).sum()) for i, c in enumerate(ratings.classes)}


def words_of(project, code):
    """What the links of a finding say."""
    return [f.words for f in row(project, code).fixes]
