"""Several analyses of one project: duplicated, named, looked at, compared, removed; and the queue behind a run."""

from threading import Event

import pytest

from tapdesk.answers.question import QUESTIONS, question_of
from tapdesk.gui.model import analyses
from tapdesk.gui.runs.plan import Plan
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell import session as session_module
from tapdesk.progress import Step
from tapdesk.project.files.file import load
from tapdesk.project.project import Analysis
from tapdesk.project.shown import main_analysis, shown_analysis

LONG = 240_000
KNOWLEDGE, RATERS, CASES, LINES, *_LATER = QUESTIONS


def ready(window, qtbot):
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)


def answered(window, qtbot, **choices):
    window.session.choose(interval="wald", **choices)
    ready(window, qtbot)
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        window.run()


def names(window):
    return [a.name for a in window.session.document.project.analyses]


@pytest.fixture
def held(monkeypatch):
    """Runs wait at a gate before they begin."""
    gate, analyse = Event(), session_module.analyse

    def waiting(ratings, request):
        while not gate.wait(0.005):
            yield Step(0, 1, "fit")
        return (yield from analyse(ratings, request))

    monkeypatch.setattr(session_module, "analyse", waiting)
    yield gate
    gate.set()


def test_the_question_asked_again_is_the_one_that_is_shown(jury, qtbot):
    answered(jury, qtbot)
    answered(jury, qtbot, question=CASES)
    answered(jury, qtbot, question=KNOWLEDGE, level=0.9)
    assert names(jury) == [KNOWLEDGE.title, CASES.title]
    assert jury.session.document.analysis.name == KNOWLEDGE.title
    assert jury.session.document.analysis.fit.interval[1] == 0.9
    assert jury.session.out_of_date == ""


def test_looking_at_another_analysis_shows_its_choices_and_its_results(jury, qtbot):
    answered(jury, qtbot)
    answered(jury, qtbot, question=RATERS)
    jury.go(2)
    switch = jury.results.switch
    assert switch.isVisible()
    assert switch.currentData() == RATERS.title
    switch.setCurrentIndex(0)
    switch.activated.emit(0)
    ready(jury, qtbot)
    assert jury.session.plan.question is KNOWLEDGE
    assert [cell.symbol for cell in jury.results.strip.cells[:3]] == ["t", "a", "p"]
    assert jury.session.out_of_date == ""


def test_the_report_leads_with_the_analysis_that_is_shown_and_so_does_the_file(jury, qtbot, monkeypatch, tmp_path):
    place = tmp_path / "two.tapdesk"
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.where_to_save", lambda _parent, _suggestion: place)
    answered(jury, qtbot)
    answered(jury, qtbot, question=RATERS)
    project = jury.session.document.project
    assert main_analysis(project) is jury.session.document.analysis
    assert main_analysis(project).name == RATERS.title
    analyses.look_at(jury.session, KNOWLEDGE.title)
    project = jury.session.document.project
    assert main_analysis(project) is jury.session.document.analysis
    with qtbot.waitSignal(jury.project_file.saving.done, timeout=LONG):
        jury.save()
    kept = load(place)
    assert main_analysis(kept).name == shown_analysis(kept).name == KNOWLEDGE.title


def test_a_duplicate_is_changed_and_run_beside_the_first_one(jury, qtbot):
    answered(jury, qtbot)
    jury.go(1)
    jury.model.analyses.duplicate.click()
    assert names(jury) == [KNOWLEDGE.title, f"{KNOWLEDGE.title} – 2"]
    assert jury.session.document.analysis.fit is None
    ready(jury, qtbot)
    answered(jury, qtbot, level=0.99)
    first, second = jury.session.document.project.analyses
    assert (first.fit.interval[1], second.fit.interval[1]) == (0.95, 0.99)
    assert question_of(second) is KNOWLEDGE


def test_an_analysis_is_renamed_in_its_list_and_keeps_its_answer_in_the_file(jury, qtbot, monkeypatch, tmp_path):
    place = tmp_path / "named.tapdesk"
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.where_to_save", lambda _parent, _suggestion: place)
    answered(jury, qtbot)
    monkeypatch.setattr(dialogs, "line_of_text", lambda *_: "first  look")
    jury.model.analyses.rename.click()
    assert names(jury) == [f"{KNOWLEDGE.title} – first look"]
    assert jury.session.plan.name == names(jury)[0]
    assert jury.session.out_of_date == ""
    with qtbot.waitSignal(jury.project_file.saving.done, timeout=LONG):
        jury.save()
    (kept,) = load(place).analyses
    assert kept.name == names(jury)[0]
    assert kept.fit is not None


def test_two_analyses_never_share_a_name(jury, qtbot):
    answered(jury, qtbot)
    analyses.duplicate(jury.session)
    assert "different one" in analyses.rename(jury.session, "")
    assert names(jury) == [KNOWLEDGE.title, f"{KNOWLEDGE.title} – 2"]
    plan = Plan()
    assert analyses.another(plan, [Analysis("2", plan.request(), question=KNOWLEDGE.key)]) == "3"


def test_an_answer_is_removed_only_when_that_is_confirmed(jury, qtbot, monkeypatch):
    answered(jury, qtbot)
    answered(jury, qtbot, question=CASES)
    said = [False, True]
    monkeypatch.setattr(dialogs, "agree", lambda *_: said.pop(0))
    jury.model.analyses.remove.click()
    assert len(names(jury)) == 2
    jury.model.analyses.remove.click()
    assert names(jury) == [KNOWLEDGE.title]
    assert jury.session.plan.question is KNOWLEDGE


def test_analyses_stand_side_by_side_with_the_numbers_of_their_fits(jury, qtbot):
    answered(jury, qtbot)
    assert not jury.model.analyses.compare.isEnabled()
    answered(jury, qtbot, question=RATERS)
    jury.model.analyses.compare.click()
    header, rows, note = analyses.side_by_side(jury.session.document.project.analyses)
    page = jury.model.analyses.page
    assert tuple(page.table.rows.header) == header
    cells = {row[0]: row[1:] for row in rows}
    fits = [a.fit for a in jury.session.document.project.analyses]
    assert cells["Model"] == ("t-a-p", "t-aj-pj")
    assert cells["a"][0].startswith(f"{fits[0].estimate('a').value:.2f}")
    # What a model does not have is a dash, and what all models have stands above the numbers of single raters.
    assert cells["a"][1] == "–"
    assert cells["Counted class"] == ("no medal, bronze", "no medal, bronze")
    assert list(cells).index("p") < list(cells).index("a[Ana]")
    assert cells["Free numbers"] == ("3", "9")
    assert "lower" in note
    page.hide()


def test_criteria_are_left_out_where_the_analyses_rest_on_different_ratings(jury, qtbot):
    answered(jury, qtbot)
    jury.session.choose_class1(("gold",))
    ready(jury, qtbot)
    answered(jury, qtbot, question=CASES)
    _, rows, note = analyses.side_by_side(jury.session.document.project.analyses)
    assert {row[0]: row[1:] for row in rows}["AIC"] == ("–", "–")
    assert "different ratings" in note


def test_an_older_analysis_is_shown_with_the_ratings_it_was_made_on(jury, qtbot):
    answered(jury, qtbot)
    jury.session.choose_class1(("gold",))
    ready(jury, qtbot)
    answered(jury, qtbot, question=CASES)
    assert jury.session.fitted_ratings.class1 == ("gold",)
    analyses.look_at(jury.session, KNOWLEDGE.title)
    assert jury.session.fitted_ratings.class1 == ("no medal", "bronze")
    assert "Data changed" in jury.session.out_of_date


def test_a_run_asked_for_during_another_waits_for_its_turn(jury, qtbot, held):
    session = jury.session
    jury.go(1)
    session.choose(interval="none")
    ready(jury, qtbot)
    jury.run()
    assert session.fitting.running
    assert not jury.model.run.isEnabled()
    session.choose(question=CASES)
    ready(jury, qtbot)
    assert jury.model.run.isEnabled()
    assert jury.model.run.text() == "Run next"
    jury.model.run.click()
    assert [asked.name for asked in session.queue] == [CASES.title]
    assert CASES.title in jury.model.waiting.text()
    assert not jury.model.run.isEnabled()
    held.set()
    qtbot.waitUntil(lambda: len(names(jury)) == 2 and not session.fitting.running, timeout=LONG)
    assert names(jury) == [KNOWLEDGE.title, CASES.title]
    assert session.queue == ()


def test_cancel_stops_one_run_and_the_next_one_has_its_turn(jury, qtbot, held):
    session = jury.session
    session.choose(interval="none")
    ready(jury, qtbot)
    jury.run()
    session.choose(question=CASES)
    ready(jury, qtbot)
    jury.run()
    jury.cancel()
    qtbot.waitUntil(lambda: session.running_name == CASES.title, timeout=LONG)
    held.set()
    qtbot.waitUntil(lambda: not session.fitting.running, timeout=LONG)
    assert names(jury) == [CASES.title]


def test_runs_that_wait_are_taken_off_and_forgotten_with_their_project(jury, qtbot, held):
    session = jury.session
    jury.go(1)
    session.choose(interval="none")
    ready(jury, qtbot)
    jury.run()
    session.choose(question=CASES)
    ready(jury, qtbot)
    jury.run()
    jury.model.forget.click()
    assert session.queue == ()
    jury.run()
    with qtbot.waitSignal(session.reading.done, timeout=LONG):
        jury.open_sample("paradox")
    held.set()
    qtbot.wait(50)
    assert names(jury) == []
    assert not session.fitting.running
