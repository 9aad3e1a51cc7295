"""One window on the report of a few sections, opened anew for every test."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QApplication

from tapdesk.answers.naming import RatersAs
from tapdesk.answers.side_results import ALL, SideResults
from tapdesk.gui.report import preview
from tapdesk.gui.runs.job import stop_all
from tapdesk.gui.shell.dialogs import Answer
from tapdesk.gui.shell.session import Session
from tapdesk.gui.shell.window import MainWindow
from tapdesk.gui.theme.theme import Theme, add_fonts
from tapdesk.models.model import model
from tapdesk.progress import Step, finish
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.reading import read_now
from tapdesk.ratings.samples import sample
from tapdesk.report.report import Form
from tapdesk.report.setup import Setup, prepare, with_setup
from tapdesk.studies.analysis import Request, analyse
from tests.remembered import run_once

from .steps import LONG, SMALL

NOTHING = SideResults()


@pytest.fixture(scope="package")
def jury_project():
    """The simulated jury, below silver as class 1, with one answer."""
    project = Project(title="jury").with_reading(read_now("sample:jury", sample("jury").options))
    project = project.with_class1(("no medal", "bronze"))
    request = Request(model("t-a-p"), redraws=True, replicates=50)
    fit = finish(analyse(project.ratings, request))
    return project.with_analysis(Analysis("main", request, fit, run_at="2026-05-14T10:44:00+02:00"))


@pytest.fixture(scope="package")
def known(jury_project):
    """What is printed beside the answer, by few simulations."""
    return finish(prepare(jury_project, replace(ALL, replicates=20)))


@pytest.fixture(scope="package")
def one_window(qapp, jury_project, known):
    """One window for all tests here: what it shows is opened anew for each."""
    assert qapp is QApplication.instance()
    QStandardPaths.setTestModeEnabled(True)
    add_fonts()
    theme = Theme()
    theme.dress()
    with pytest.MonkeyPatch.context() as patch:
        bugs = []
        patch.setattr("tapdesk.gui.shell.crash.CrashDialog.exec", lambda dialog: bugs.append(dialog.details))
        patch.setattr("tapdesk.gui.shell.dialogs.about_changes", lambda _parent, _name: Answer.DROP)

        def prepared(project, **_before):
            """The same studies, worked out once for all tests."""
            yield Step(0, 1, "report")
            return known if project.fingerprint == jury_project.fingerprint else NOTHING

        patch.setattr("tapdesk.gui.report.preview.prepare", prepared)
        session = Session()
        # Nothing here looks at the results pane.
        session.document.changed.disconnect(session.side_studies.follow)
        window = MainWindow(theme, session)
        window.resize(1440, 900)
        window.report.preview._timer.setInterval(0)
        window.show()
        yield window
        window.stop(LONG)
        window.close()
        # Or each later theme would dress it once more.
        window.deleteLater()
        qapp.processEvents()
        assert bugs == []


def printed_once(print_report):
    """The pages all tests begin with: laid out and drawn for the first of them."""

    def run(project, extras, raters_as, ppi, before):
        key = ("pages", project.fingerprint, raters_as, ppi)
        return (yield from run_once(key, print_report(project, extras, raters_as, ppi, before)))

    return run


@pytest.fixture
def printed(one_window, jury_project, qtbot):
    """The window on the report of a few sections."""
    report = one_window.report
    report.preview.clear()
    report.banner.hide()
    report.error.hide()
    report.style_card.raters.choose(RatersAs.NAMES)
    report.zoom.setCurrentIndex(0)
    report._on_zoom()
    with pytest.MonkeyPatch.context() as patch:
        # What a test changes is printed anew; what all begin with need not be.
        patch.setattr(preview, "print_report", printed_once(preview.print_report))
        one_window.session.document.open(with_setup(jury_project, Setup(SMALL, form=Form.FULL)))
        one_window.session.opened.emit(None)
        one_window.go(3)
        qtbot.waitUntil(lambda: report.preview.ready and not report.job.running, timeout=LONG)
    yield one_window
    report.words.hide()
    assert stop_all(report.jobs, LONG)
