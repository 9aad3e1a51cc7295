"""Pictures chosen by their question: every row of the catalog, on data that can answer and on data that cannot."""

from dataclasses import replace
from threading import Event

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel

from tapdesk.answers.figure import Band
from tapdesk.answers.figures.catalog import FIGURES, figures, picture
from tapdesk.answers.parts import part
from tapdesk.gui.results.on_demand_blocks import OF_ALL, SHOWN
from tapdesk.progress import Step
from tapdesk.project.decisions.classes import ColourClass
from tapdesk.report.setup import setup
from tapdesk.studies.scan import Direction

LONG = 240_000


def chosen(window, kind):
    more = window.results.figure_chooser
    more.choice.choose(kind)
    more.choice.activated.emit(more.choice.currentIndex())
    return more


def test_every_picture_of_the_catalog_is_offered_or_stands_above(fitted):
    fitted.go(2)
    choice = fitted.results.figure_chooser.choice
    offered = {choice.itemData(i) for i in range(choice.count())} - {""}
    assert offered | SHOWN == {row.kind for row in FIGURES}
    assert offered.isdisjoint(SHOWN)


@pytest.mark.parametrize("kind", ["tree", "votes", "profile", "class_rates", "expected"])
def test_a_picture_shows_the_figures_of_the_command_line_with_their_numbers(fitted, qtbot, kind):
    fitted.go(2)
    fit, ratings = fitted.session.document.analysis.fit, fitted.session.fitted_ratings
    assert picture(kind).needs(fit, ratings) is None
    more = chosen(fitted, kind)
    qtbot.waitUntil(lambda: more.rows is not None, timeout=LONG)
    wanted = figures(kind, fit, ratings)
    assert more.accessibleDescription() == " ".join(figure.alt for figure in wanted)
    assert {row[0] for row in more.rows[1]} <= {figure.title for figure in wanted}


def test_a_picture_of_a_part_that_is_printed_on_demand_shows_all_that_the_report_says_of_it(fitted, qtbot):
    fitted.go(2)
    more = chosen(fitted, "recovery")
    qtbot.waitUntil(lambda: more.rows is not None, timeout=LONG)
    content = part("recovery").content(replace(fitted.results.figure_chooser._answer, side=more.result))
    read = [label.text() for label in more.page.findChildren(QLabel)]
    assert [words for words in (p.text for p in content.paragraphs) if words not in read] == []
    assert len(more.page.panels) == len(content.pictures) > 1
    more.in_report.click()
    assert "recovery" in setup(fitted.session.document.project).selection


def test_a_picture_these_data_cannot_support_says_why(fitted):
    fitted.go(2)
    fit, ratings = fitted.session.document.analysis.fit, fitted.session.fitted_ratings
    refused = [row for row in FIGURES if row.kind not in SHOWN | OF_ALL and row.needs(fit, ratings) is not None]
    assert refused
    more = chosen(fitted, refused[0].kind)
    assert refused[0].needs(fit, ratings) in more.trouble.text()
    assert more.rows is None


def test_cuts_and_pairs_of_classes_look_at_all_classes_of_a_fit_of_two(fitted, qtbot, monkeypatch):
    seen = []

    def looked_at(kind, fit, ratings, direction="above"):
        seen.append((kind, fit, ratings.classes, direction))
        yield Step(1, 1, "figure")
        return picture("votes").draw(fit, fitted.session.fitted_ratings)

    monkeypatch.setattr("tapdesk.gui.results.on_demand_blocks.made", looked_at)
    fitted.go(2)
    assert len(fitted.session.fitted_ratings.classes) == 2
    more = chosen(fitted, "scan")
    qtbot.waitUntil(lambda: more.rows is not None, timeout=LONG)
    assert seen == [("scan", fitted.session.document.analysis.fit, ("no medal", "bronze", "silver", "gold"), "above")]
    # The other side is counted here, and with it everywhere.
    next(b for b in more.sides.findChildren(QAbstractButton) if b.text() == "Below the line").click()
    qtbot.waitUntil(lambda: len(seen) == 2, timeout=LONG)
    assert seen[1][-1] == "below"
    qtbot.waitUntil(lambda: setup(fitted.session.document.project).direction is Direction.BELOW, timeout=LONG)
    assert more.sides.isVisibleTo(more)
    chosen(fitted, "tree")
    assert not more.sides.isVisibleTo(more)


def test_another_choice_while_one_is_worked_out_is_what_is_shown(fitted, qtbot, monkeypatch):
    gate, slow = Event(), picture("horizon")

    def held(kind, fit, ratings):
        if kind == slow.kind:
            while not gate.wait(0.01):
                yield Step(1, 3, "held")
        yield Step(1, 1, "figure")
        return picture("votes").draw(fit, ratings)

    monkeypatch.setattr("tapdesk.gui.results.on_demand_blocks.made", held)
    fitted.go(2)
    more = chosen(fitted, slow.kind)
    qtbot.waitUntil(lambda: "1 of 3" in more.trouble.text(), timeout=LONG)
    assert fitted.session.picture_job.running
    chosen(fitted, "tree")
    gate.set()
    qtbot.waitUntil(lambda: more.rows is not None, timeout=LONG)
    assert more.kind == "tree"


def test_another_fit_takes_the_picture_of_the_earlier_one_away(fitted, qtbot):
    fitted.go(2)
    more = chosen(fitted, "votes")
    qtbot.waitUntil(lambda: more.rows is not None, timeout=LONG)
    with qtbot.waitSignal(fitted.session.fitting.done, timeout=LONG):
        fitted.run()
    fitted.go(2)
    assert more.kind == ""
    assert more.rows is None


def test_a_colour_given_after_the_fit_is_seen_in_the_picture_of_the_classes_and_taken_back_with_it(fitted, qtbot):
    fitted.go(2)
    document, more = fitted.session.document, chosen(fitted, "class_rates")
    qtbot.waitUntil(lambda: more.rows is not None, timeout=LONG)

    def drawn():
        return {mark.colour for figure in more.result or () for mark in figure.marks if isinstance(mark, Band)}

    assert drawn() == {""}
    for label in ("silver", "gold"):
        document.do("Colour", document.project.decide(ColourClass(label, "orange")))
    qtbot.waitUntil(lambda: drawn() == {"", "orange"}, timeout=LONG)
    assert not document.analysis.stale
    for _ in range(2):
        document.undo_stack.undo()
    qtbot.waitUntil(lambda: drawn() == {""}, timeout=LONG)


def test_all_classes_of_a_distribution_can_be_looked_at(fitted, qtbot):
    fitted.go(2)
    more = chosen(fitted, "distribution")
    qtbot.waitUntil(lambda: more.rows is not None, timeout=LONG)
    fit, ratings = fitted.session.document.analysis.fit, fitted.session.fitted_ratings
    assert {row[0] for row in more.rows[1]} == {figure.title for figure in figures("distribution", fit, ratings)}


def test_the_test_of_fit_is_told_beside_the_picture_of_the_model(fitted, qtbot):
    fitted.go(2)
    qtbot.waitUntil(lambda: fitted.session.side_studies.current.extras.goodness is not None, timeout=LONG)
    test = fitted.session.side_studies.current.extras.goodness
    shown = fitted.results.part_blocks["model"]
    qtbot.waitUntil(lambda: "Fit: G² = " in shown.body.below.text(), timeout=LONG)
    told = f"Fit: G² = {test.statistic:.2f}; {test.reached} of {test.replicates} data sets"
    assert told in shown.body.below.text()
