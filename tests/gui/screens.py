"""Pictures of every pane and state, to be looked at beside the drawings: ``python -m tests.gui.screens FOLDER``.

Offscreen, in a home of its own. ``--looks light,dark,contrast``, ``--scales 100,200``, ``--sizes 1280x720,1440x900``
and ``--only start,model`` choose less than all.
"""

import argparse
import os
import sys
import tempfile
import time
from itertools import product
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_FONT_DPI", "96")
os.environ["XDG_DATA_HOME"] = os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="screens")

from PySide6.QtCore import QEventLoop, QStandardPaths, QTimer
from PySide6.QtWidgets import QApplication

from tapdesk.answers.question import QUESTIONS
from tapdesk.gui.runs import plan
from tapdesk.gui.runs.job import stop_all
from tapdesk.gui.shell.crash import CrashDialog
from tapdesk.gui.shell.session import Session
from tapdesk.gui.shell.window import MainWindow
from tapdesk.gui.theme.theme import ColourScheme, Theme, add_fonts

PATIENCE = 150  # seconds
AWKWARD = {
    "one-class": "case,Ana,Ben,Cy\n" + "".join(f"c{i},yes,yes,yes\n" for i in range(30)),
    "perfect": "case,Ana,Ben,Cy\n" + "".join(f"c{i},{a},{a},{a}\n" for i in range(40) for a in (("no", "yes")[i % 2],)),
    "one-case": "case,Ana,Ben,Cy\nc1,yes,no,yes\n",
    "two-each": "case,Ana,Ben\n" + "".join(f"c{i},{'ny'[i % 3 == 0]},{'ny'[i % 4 == 0]}\n" for i in range(40)),
    "twelve": "case,A,B,C,D\n"
    + "".join(f"c{i}," + ",".join(f"k{(i + (i * j) // 9 % 3) % 12 + 1}" for j in range(4)) + "\n" for i in range(96)),
    "upside-down": "case,Ana,Ben,Cy,Dan\n"
    + "".join(f"c{i},{'ny'[i % 2]},{'ny'[i % 2]},{'ny'[(i + (i % 9 == 0)) % 2]},{'yn'[i % 2]}\n" for i in range(60)),
}


def rest(milliseconds):
    """Let the window go on; the wait of Qt's own tests would keep the interpreter from computations meanwhile."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def waited(ready):
    """Let the window go on until it is ready; whether it was in time."""
    end = time.monotonic() + PATIENCE
    while not ready():
        if time.monotonic() > end:
            print(f"Not ready after {PATIENCE} s, line {sys._getframe(1).f_lineno}", flush=True)
            return False
        rest(20)
    rest(60)
    return True


class Tour:
    """Goes through the states and takes each in every look."""

    def __init__(self, folder, looks, only):
        self.folder, self.looks, self.only = folder, looks, only
        self.theme = Theme()
        self.theme.dress()
        self.session = Session()
        self.window = MainWindow(self.theme, self.session)
        self.theme.dress()
        self.window.show()

    def wanted(self, *names):
        return not self.only or bool(set(names) & set(self.only))

    def take(self, name, widget=None, *, whole=None):
        """The window, or another widget, in every look; ``whole`` is taken as high as it is."""
        for look, scale, (wide, high) in self.looks:
            if (self.theme.look, self.theme.scale) != (look, scale):
                self.theme.use(look, scale)
            self.window.resize(wide, high)
            rest(60)
            self.window.refresh()
            shown = widget() if callable(widget) else widget or self.window
            rest(120)
            of = f"{look.value}-{scale}-{wide}"
            shown.grab().save(str(self.folder / f"{name}.{of}.png"))
            if whole is not None:
                whole.grab().save(str(self.folder / f"{name}-whole.{of}.png"))

    def opened(self, source):
        self.window.project_file.leave = lambda _go: True
        self.window.open_file(source)
        waited(lambda: not self.session.reading.running)
        waited(lambda: self.session.ready or self.session.document.empty)

    def ran(self):
        if self.window.model.run.isEnabled():
            self.session.run()
            self.ended()

    def ended(self):
        """Wait for the end of the run and of what is worked out beside it."""
        rest(100)
        waited(lambda: not self.session.fitting.running and not self.session.queue)
        waited(self.worked_out)

    def worked_out(self):
        found, analysis = self.session.side_studies.current, self.session.document.analysis
        if analysis is None or analysis.fit is None:
            return True
        return found is not None and not found.waiting and found.analysis.fit is analysis.fit

    def settled(self):
        rest(600)

    def start(self):
        for place, name in enumerate(("start", "model-empty", "results-empty", "report-empty")):
            self.window.go(place)
            self.take(name)
        self.window.go(0)
        bad = self.folder / "Ratings.xlsx"
        bad.write_bytes(b"%PDF-1.7 not a workbook")
        self.opened(str(bad))
        self.take("start-error")
        bad.unlink()

    def sample(self):
        self.opened("sample:jury")
        self.session.choose_class1(("no medal", "bronze"))
        waited(lambda: self.session.ready)
        self.window.go(0)
        self.settled()
        self.take("dataset")
        self.window.go(1)
        for question in QUESTIONS:
            self.window.model.cards[QUESTIONS.index(question)].click()
            waited(lambda: self.session.ready)
            self.take(f"model-{question.key}")
        self.window.model.cards[0].click()
        waited(lambda: self.session.ready)
        self.running()
        self.session.run()
        self.ended()
        self.take("model-done")
        for question in QUESTIONS:
            self.window.go(1)
            self.window.model.cards[QUESTIONS.index(question)].click()
            waited(lambda: self.session.ready)
            self.ran()
            self.window.go(2)
            waited(self.worked_out)
            if question.key == "lines":
                waited(lambda: not self.session.cut_points.job.running)
            self.settled()
            self.take(f"results-{question.key}", whole=self.window.results.inside)
        self.window.go(1)
        self.take("model-several")
        self.session.choose_class1(("no medal",))
        waited(lambda: self.session.ready)
        self.window.go(2)
        self.take("results-stale")
        self.session.choose_class1(("no medal", "bronze"))
        waited(lambda: self.session.ready)
        self.report()

    def running(self):
        """A run long enough to be seen in every look; it is stopped then."""
        few, plan.REPLICATES = plan.REPLICATES, 500_000
        self.session.run()
        waited(lambda: self.session.fitting.last is not None and self.session.fitting.last.phase == "re-draws")
        self.take("running")
        self.session.cancel()
        waited(lambda: not self.session.fitting.running)
        self.take("cancelled")
        plan.REPLICATES = few

    def report(self):
        self.window.go(3)
        waited(lambda: self.window.report.preview.ready)
        self.take("report")

    def samples(self):
        for name in ("paradox", "fleiss-1971", "jury-panel"):
            self.opened(f"sample:{name}")
            self.data(name)

    def data(self, name):
        self.window.go(0)
        self.settled()
        self.take(f"dataset-{name}")
        self.window.model.cards[0].click()
        waited(lambda: self.session.ready)
        self.window.go(1)
        self.take(f"model-{name}")
        for question in QUESTIONS[:2]:
            self.window.model.cards[QUESTIONS.index(question)].click()
            waited(lambda: self.session.ready)
            if self.window.model.run.isEnabled():
                self.ran()
                self.window.go(2)
                self.settled()
                self.take(f"results-{name}-{question.key}", whole=self.window.results.inside)

    def awkward(self):
        for name, cells in AWKWARD.items():
            if not self.wanted("awkward", name):
                continue
            sheet = self.folder / f"{name}.csv"
            sheet.write_text(cells, encoding="utf-8")
            self.opened(str(sheet))
            self.data(name)

    def windows(self):
        guides = self.window.guides
        guides.help()
        rest(200)
        self.take("help", guides.page)
        guides.page.open_page("words")
        rest(200)
        self.take("help-words", guides.page)
        guides.page.browser.verticalScrollBar().setValue(guides.page.browser.height())
        rest(50)
        self.take("help-words-table", guides.page)
        guides.page.hide()
        crash = CrashDialog(ValueError("Something that should not happen"), self.window)
        crash.show()
        self.take("crash", crash)
        crash.hide()

    def guided(self):
        tour = self.window.guides.tour
        tour.begin()
        shown = self.looks
        for at in range(20):
            if tour.isHidden():
                break
            waited(lambda: not self.session.reading.running and not self.session.fitting.running)
            self.settled()
            self.take(f"tour-{at}")
            waited(tour.next.isEnabled)
            tour.next.click()
            rest(100)
        self.looks = shown

    def close(self):
        self.session.fitting.cancel()
        self.session.close(10_000)
        stop_all(self.window.report.jobs, 10_000)


def main():
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--looks", default="light,dark,contrast")
    asked.add_argument("--scales", default="100,200")
    asked.add_argument("--sizes", default="1280x720,1440x900")
    asked.add_argument("--only", default="")
    told = asked.parse_args()
    sizes = [tuple(map(int, size.split("x"))) for size in told.sizes.split(",")]
    looks = [ColourScheme(look) for look in told.looks.split(",")]
    told.folder.mkdir(parents=True, exist_ok=True)
    QApplication(sys.argv[:1])
    QStandardPaths.setTestModeEnabled(True)
    add_fonts()
    plan.REPLICATES = 200
    only = tuple(filter(None, told.only.split(",")))
    tour = Tour(told.folder, list(product(looks, map(int, told.scales.split(",")), sizes)), only)
    for name in ("start", "sample", "samples", "awkward", "windows", "guided"):
        if tour.wanted(name, *(AWKWARD if name == "awkward" else ())):
            getattr(tour, name)()
    tour.close()


if __name__ == "__main__":
    main()
