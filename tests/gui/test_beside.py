"""What stands beside a fit: coefficients, chance, raters, cases and the lines between grades."""

from threading import Event

import pytest
from PySide6.QtWidgets import QApplication

from tapdesk.agreement.coefficients import agree
from tapdesk.answers import chance as words_chance
from tapdesk.answers import number_cells, raters
from tapdesk.answers.figures.catalog import made
from tapdesk.answers.question import QUESTIONS
from tapdesk.gui.results.on_demand_blocks import Ask, pictured
from tapdesk.gui.runs import side_studies
from tapdesk.gui.runs.side_studies import SideStudy
from tapdesk.progress import Step, finish

LONG = 240_000
KNOWLEDGE, RATERS, CASES, LINES, *_LATER = QUESTIONS


def worked_out(window):
    found = window.session.side_studies.current
    return found is not None and not found.waiting and found.analysis.fit is window.session.document.analysis.fit


def opened(window, qtbot, sample):
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_sample(sample)
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)


def answered(window, qtbot, question):
    window.session.choose(question=question, interval="wald")
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        window.run()
    window.go(2)
    qtbot.waitUntil(lambda: worked_out(window), timeout=LONG)
    return window.results


def test_the_strip_shows_the_coefficients_of_the_command_line_after_the_model(fitted):
    fitted.go(2)
    told = {c.name: c for c in finish(agree(fitted.session.document.ratings)) if c.raters is None}
    cells = fitted.results.strip.cells
    assert [cell.ours for cell in cells] == [True] * 3 + [False] * 3
    names = ("percent_agreement", "fleiss_kappa", "gwet_ac")
    for cell, name in zip(cells[3:], names, strict=True):
        found = told[name].estimate
        assert cell.value == f"{found.value:.2f}"
        assert cell.interval == f"{found.low:.2f} to {found.high:.2f}"
        assert cell.count == "183 wines, 732 ratings"


def test_undefined_coefficients_are_listed_with_a_dash_and_the_reason(fitted):
    fitted.go(2)
    _, rows = fitted.results.part_blocks["coefficients"].rows
    scott = next(row for row in rows if row[0] == "Scott's pi")
    assert scott[1:3] == ("–", "–")
    # The reason stands below the picture, as on paper below the table.
    assert "two ratings of each wine" in fitted.results.part_blocks["coefficients"].body.below.text()
    fitted.results.part_blocks["coefficients"].copy_table()
    assert "two ratings of each wine" in QApplication.clipboard().text()


def test_chance_is_told_in_the_words_of_the_study(fitted):
    fitted.go(2)
    extras = fitted.session.side_studies.current.extras
    block = fitted.results.part_blocks["chance"]
    assert block.body.above.text() == words_chance.verdict(extras.chance)
    assert block.rows is not None


def test_cases_stand_with_the_least_certain_first(fitted):
    fitted.go(2)
    header, rows = fitted.results.part_blocks["cases"].rows
    assert len(rows) == 183
    belief = header.index("Belief")
    sure = [float(row[belief].removesuffix(" %").lstrip(">")) for row in rows]
    assert sure == sorted(sure)


def test_a_change_of_the_data_stops_what_was_being_worked_out_and_going_back_finishes_it(jury, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 200)
    session, gate, work = jury.session, Event(), side_studies.work_out_next

    def held(found):
        while found.waiting[0] is SideStudy.COEFFICIENTS and not gate.wait(0.01):
            yield Step(0, 1, "coefficients")
        return (yield from work(found))

    # Held at the gate, so that the machine's speed does not decide what is seen on the way.
    monkeypatch.setattr(side_studies, "work_out_next", held)
    with qtbot.waitSignal(session.fitting.done, timeout=LONG):
        jury.run()
    jury.go(2)
    assert session.side_studies.job.running
    assert [cell.value for cell in jury.results.strip.cells[3:]] == ["…"] * 3
    assert jury.results.part_blocks["chance"].trouble.text() == SideStudy.CHANCE.words
    session.choose_class1(("gold",))
    assert not session.side_studies.job.running
    assert session.side_studies.current.waiting
    session.document.undo_stack.undo()
    assert session.side_studies.job.running
    gate.set()
    qtbot.waitUntil(lambda: worked_out(jury), timeout=LONG)
    assert jury.results.part_blocks["chance"].rows is not None


def test_a_mistake_of_ours_beside_a_fit_leaves_the_other_blocks(fitted, qtbot, monkeypatch):
    raised = []
    monkeypatch.setattr("tapdesk.gui.shell.crash.CrashDialog.exec", lambda dialog: raised.append(dialog.details))

    def broken(*_arguments):
        raise ZeroDivisionError("a mistake of ours")

    monkeypatch.setattr("tapdesk.answers.side_studies.chance_of", broken)
    results = answered(fitted, qtbot, KNOWLEDGE)
    qtbot.waitUntil(lambda: bool(raised), timeout=LONG)
    assert "a mistake of ours" in raised[0]
    assert results.part_blocks["coefficients"].rows is not None
    assert results.part_blocks["chance"].rows is None
    assert "could not be worked out" in results.part_blocks["chance"].trouble.text()


def test_blocks_that_cannot_be_drawn_say_so_and_leave_the_others(fitted, qtbot, monkeypatch):
    raised = []
    monkeypatch.setattr("tapdesk.gui.shell.crash.CrashDialog.exec", lambda dialog: raised.append(dialog.details))

    def broken(*_arguments):
        raise ZeroDivisionError("a mistake of ours")

    monkeypatch.setattr("tapdesk.answers.figures.shares.distribution", broken)
    for name in ("coefficients.forest", "coefficients.read_as_accuracy", "coefficients.pair_kappas", "chance.verdict"):
        monkeypatch.setattr(f"tapdesk.answers.{name}", broken)
    fitted.go(2)
    fitted.results.call_anew()
    fitted.results.call_anew()
    qtbot.waitUntil(lambda: bool(raised), timeout=LONG)
    qtbot.wait(50)
    # Each fault is told once, however often the pane is shown, and all of them in one box.
    assert "\n".join(raised).count("ZeroDivisionError: a mistake of ours") == 5
    blocks = fitted.results.part_blocks
    for block in (blocks[key] for key in ("model", "coefficients", "differ", "pairs", "chance")):
        assert block.rows is None
        assert block.stack.currentWidget() is block.trouble
        assert block.trouble.text().startswith("–\nA fault of the program")
    for block in (blocks[key] for key in ("movement", "words", "search", "cases")):
        assert block.rows is not None
    assert fitted.results.headline.isVisible()


def test_who_differs_is_refused_with_the_reason_where_raters_are_not_known(window, qtbot):
    opened(window, qtbot, "paradox")
    window.go(1)
    cards = dict(zip((q.key for q in QUESTIONS), window.model.cards, strict=True))
    assert not cards["raters"].isEnabled()
    assert "seats, not people" in cards["raters"].about.text()
    assert "only one line" in cards["lines"].about.text()
    assert cards["cases"].isEnabled()
    opened(window, qtbot, "jury")
    assert cards["raters"].isEnabled()
    assert cards["raters"].about.text() == RATERS.about


def test_who_differs_shows_every_rater_once_and_names_those_the_picture_marks(jury, qtbot):
    results = answered(jury, qtbot, RATERS)
    fit = jury.session.document.analysis.fit
    assert fit.model.name == "t-aj-pj"
    assert results.blocks[0] is results.part_blocks["raters"]
    _, rows = results.part_blocks["raters"].rows
    assert sorted(row[0] for row in rows) == ["Ana", "Ben", "Carla", "Dimitri"]
    values = [float(row[2]) for row in rows]
    assert values == sorted(values, reverse=True)
    below, above = raters.apart(fit, jury.session.side_studies.current.extras)
    for e in (*below, *above):
        assert e.name.rater in results.headline.words
    if not below and not above:
        assert results.headline.words == "Nobody clearly stands apart from the panel."
    assert [cell.symbol for cell in results.strip.cells] == ["t", "Raw", "Kappa", "AC1"]


def test_every_line_between_grades_has_its_own_accuracy(window, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 100)
    opened(window, qtbot, "jury")
    results = answered(window, qtbot, LINES)
    assert results.blocks[0] is results.part_blocks["lines"]
    header, rows = results.part_blocks["lines"].rows
    accuracy = header.index("a")
    assert [row[0] for row in rows] == ["no medal | bronze", "bronze | silver", "silver | gold"]
    for row, cut in zip(rows, window.session.side_studies.current.extras.scan.cuts, strict=True):
        assert row[accuracy] == f"{cut.free.estimate('a').value:.2f}"


WORKED_OUT = {
    "knowledge": "Estimate <i>t</i>, <i>a</i> and <i>p</i>: ",
    "cases": "the probability of each answer for every wine",
    "awards": "Work out what each wine is worth and how sure its place and its award are",
    "lines": "then at every line between two classes",
    # Two classes leave the accuracies of each open: they are believed, not estimated.
    "classes": "Find what can be believed of the numbers of the model <b>t-ak-p</b>",
    "enough": "how far more wines or ratings would narrow the interval",
}


# The jury has no known answers: of these in `test_blocks`.
@pytest.mark.parametrize("question", [q for q in QUESTIONS if q is not RATERS and q.key != "known"])
def test_the_sentence_of_the_run_says_what_else_is_worked_out(jury, qtbot, question):
    jury.session.choose(question=question)
    qtbot.waitUntil(lambda: jury.session.ready, timeout=LONG)
    assert WORKED_OUT[question.key] in jury.model.sentence.text()


def test_whether_the_data_are_enough_is_answered_by_a_picture_before_all_blocks(window, qtbot, monkeypatch):
    # Another picture stands for the plan, which takes its time.
    monkeypatch.setattr(
        "tapdesk.gui.results.on_demand_blocks.ask_for",
        lambda shown, answer, **_choice: Ask(
            shown.key, shown.title, lambda: made("tree", answer.fit, answer.ratings), pictured
        ),
    )
    opened(window, qtbot, "jury")
    enough = next(q for q in QUESTIONS if q.key == "enough")
    results = answered(window, qtbot, enough)
    qtbot.waitUntil(lambda: results.figure_chooser.result is not None, timeout=LONG)
    assert results.figure_chooser.kind == "plan"
    box = results.inside.layout()
    assert box.indexOf(results.figure_chooser) == box.indexOf(results.strip) + 1
    results = answered(window, qtbot, KNOWLEDGE)
    assert results.figure_chooser.kind == ""
    assert box.indexOf(results.figure_chooser) == box.indexOf(results.of_size) + 1 == box.indexOf(results.models) + 2


def test_each_of_two_classes_has_an_accuracy_that_is_believed_and_named_by_its_class(jury, qtbot):
    window = jury
    answered(window, qtbot, next(q for q in QUESTIONS if q.key == "classes"))
    analysis = window.session.document.analysis
    assert (analysis.fit.model.name, analysis.request.estimator) == ("t-ak-p", "posterior")
    words = [cell.words for cell in number_cells.fit_cells(analysis.fit)]
    assert words[1:3] == ["follows a true “silver, gold”", "follows a true “no medal, bronze”"]
    assert analysis.name == "Is one answer easier than the others? – posterior"


def test_raters_without_intervals_are_not_set_beside_the_panel(jury, qtbot):
    jury.session.choose(question=RATERS, interval="none")
    qtbot.waitUntil(lambda: jury.session.ready, timeout=LONG)
    with qtbot.waitSignal(jury.session.fitting.done, timeout=LONG):
        jury.run()
    jury.go(2)
    qtbot.waitUntil(lambda: worked_out(jury), timeout=LONG)
    assert jury.results.headline.words == "No rater can be set beside the panel: there are no intervals."
    assert jury.results.headline.property("role") == "warning"


def test_long_numbers_stand_four_in_a_row_so_that_none_is_cut_off(window, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 100)
    opened(window, qtbot, "paradox")
    results = answered(window, qtbot, KNOWLEDGE)
    qtbot.wait(50)
    assert results.strip.width() <= results.area.viewport().width()
    assert "too narrow" in results.strip.cells[4].why
