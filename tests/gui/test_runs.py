"""Runs that are cancelled, overtaken or broken, and results that know whether they still match."""

from tapdesk.gui.theme.icons import State

LONG = 240_000


def test_cancel_answers_within_a_tenth_of_a_second_and_keeps_the_old_results(fitted, qtbot, monkeypatch):
    session, before = fitted.session, fitted.session.document.analysis
    strip = fitted.results.strip.cells
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 100_000)
    session.choose(interval="bootstrap")
    qtbot.waitUntil(lambda: session.ready)
    fitted.go(1)
    with qtbot.waitSignal(session.fitting.stepped, timeout=LONG):
        fitted.run()
    assert "Updating" in fitted.results.banner._words.text()
    fitted.model.running.cancel.click()
    assert not session.fitting.running
    assert fitted.model.running.title.text() == "Cancelled"
    standing = [phase.state for phase in fitted.model.running.phases._shown]
    assert State.RUNNING not in standing
    assert standing[-1] is State.EMPTY
    assert fitted.model.run.isEnabled()
    assert session.fitting.wait(LONG)
    qtbot.wait(50)
    assert session.document.analysis is before
    assert fitted.results.strip.cells == strip


def test_a_result_that_comes_after_another_file_was_opened_is_dropped(jury, qtbot):
    session = jury.session
    with qtbot.waitSignal(session.fitting.stepped, timeout=LONG):
        jury.run()
    with qtbot.waitSignal(session.reading.done, timeout=LONG):
        jury.open_sample("paradox")
    assert session.fitting.wait(LONG)
    qtbot.wait(50)
    assert session.document.analysis is None
    assert session.document.project.reading.source.name == "paradox.csv"
    assert jury.model.running.title.text() == "Not run yet"
    assert jury.model.running.ridge.count == 0


def test_a_bug_in_a_run_ends_in_the_dialog_with_the_old_results_intact(fitted, qtbot, monkeypatch):
    raised = []
    monkeypatch.setattr("tapdesk.gui.shell.crash.CrashDialog.exec", lambda dialog: raised.append(dialog.details))

    def broken(*_):
        yield from ()
        raise ZeroDivisionError("a mistake of ours")

    monkeypatch.setattr("tapdesk.gui.shell.session.analyse", broken)
    before = fitted.session.document.analysis
    with qtbot.waitSignal(fitted.session.fitting.failed, timeout=LONG):
        fitted.run()
    qtbot.waitUntil(lambda: bool(raised))
    assert "a mistake of ours" in raised[0]
    assert fitted.session.document.analysis is before
    assert fitted.model.running.title.text() == "Stopped"
    assert not fitted.session.fitting.running


def test_a_class_choice_is_undone_and_redone_and_results_know_whether_they_match(fitted):
    session, stack = fitted.session, fitted.session.document.undo_stack
    fit = session.document.analysis.fit
    session.choose_class1(("gold",))
    assert session.document.ratings.class1 == ("gold",)
    assert session.document.analysis.stale
    assert session.document.analysis.fit is fit
    assert fitted.steps[2].word == "Out of date"
    assert "Data changed after this run" in fitted.results.banner.words
    assert fitted.actions_["undo"].text() == "&Undo Counting gold"
    fitted.actions_["undo"].trigger()
    assert session.document.ratings.class1 == ("no medal", "bronze")
    assert not session.document.analysis.stale
    assert fitted.results.banner.words == ""
    fitted.actions_["redo"].trigger()
    assert session.document.analysis.stale
    stack.undo()
    stack.undo()
    assert session.document.project.class1 is None
    assert len(session.document.ratings.classes) == 4


def test_a_change_of_the_choices_marks_the_results_and_going_back_clears_it(fitted):
    session = fitted.session
    session.choose(level=0.9)
    assert "choices changed" in fitted.results.banner.words
    session.choose(level=0.95)
    assert fitted.results.banner.words == ""
