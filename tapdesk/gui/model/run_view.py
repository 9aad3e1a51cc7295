"""The run as it goes: its phases, how far, how long still, and the pictures that fill in and stay."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QLabel

from tapdesk.answers import numbers
from tapdesk.answers.parameter_names import PictureName, picture_names
from tapdesk.fitting.fit import Fit
from tapdesk.fitting.sampling.method import Sampling
from tapdesk.gui.pictures.live_plots import LiveChains, LiveTrace
from tapdesk.gui.pictures.ridge import RidgePlot
from tapdesk.gui.runs.gui_priority import GUI_PRIORITY
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.icons import Glyph, State
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Bar, Frame, button, clear, plain, rule, text
from tapdesk.gui.widgets.layouts import TitleLine
from tapdesk.language import gettext as _
from tapdesk.language import say
from tapdesk.models.design import reported
from tapdesk.progress import Step
from tapdesk.studies.analysis import Request, method_for

# Of each estimator: its phases, their words, and the share of the bar at which each ends; re-draws take the time, where
# any are made.
_PHASES: dict[str, dict[str, tuple[str, float]]] = {
    "exact-em": {
        "fit": (_("Find the best fit"), 0.15),
        "check": (_("Check that the answer is one answer"), 0.2),
        "intervals": (_("Intervals"), 0.4),
        "re-draws": (_("Resample the {subjects}"), 1.0),
    },
    "exact-em-once": {
        "fit": (_("Find the best fit"), 0.3),
        "check": (_("Check that the answer is one answer"), 0.4),
        "intervals": (_("Intervals"), 1.0),
    },
    "moment-em": {"fit": (_("Find the best fit"), 0.95), "check": (_("Check the answer"), 1.0)},
    "posterior": {"posterior": (_("Find what to believe"), 0.98), "check": (_("Check the answer"), 1.0)},
}
REDRAWN = _("Distributions of the numbers over the resamples")
_ALIASES = {"sampling": "posterior"}
SETTLING = (_("Is it settling?"), _("one line per start"))
AGREEING = (_("Do the chains agree?"), _("one line per chain; they should cover each other"))
MOVING = (_("How far would the numbers move?"), _("resamples of the {subjects}"))
BELIEF = (_("What do the data say?"), _("draws from what can be believed"))
ENDS = (_("How sure are the numbers?"), _("intervals, when the run has ended"))


def set_stable_text(label: QLabel, words: str) -> None:
    """Change what a label says; it only ever grows, so that most changes are no reason to lay out the window anew."""
    if label.text() == words:
        return
    wanted = label.fontMetrics().size(Qt.TextFlag.TextSingleLine, words)
    if label.minimumSize() != label.maximumSize() or wanted.width() > label.minimumWidth():
        label.setFixedSize(wanted)
    label.setText(words)


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of a run: how it stands, what it is, and a note at the end of its line."""

    state: State
    words: str
    note: str = ""


class PhaseList(Frame):
    """The phases of a run, one a line."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("none", margins=(0, 0, 0, 0), gap=0)
        self._theme = theme
        self._shown: tuple[Phase, ...] = ()
        self._rows: list[tuple[Glyph, QLabel, QLabel]] = []
        self.setAccessibleName(_("Steps of the run"))

    def show_phases(self, phases: Sequence[Phase]) -> None:
        """Show the phases; lines are made anew only where their number changes."""
        if len(phases) != len(self._rows):
            clear(self.box)
            self._rows = [self._row() for _phase in phases]
        for (mark, words, note), phase in zip(self._rows, phases, strict=True):
            mark.show_state(phase.state)
            words.setText(say(phase.words))
            kind = "strong" if phase.state is State.RUNNING else "body"
            if words.property("type") != kind:
                words.setProperty("type", kind)
                words.style().polish(words)
            set_stable_text(note, phase.note)
        self._shown = tuple(phases)
        self.setAccessibleDescription(". ".join(f"{p.words} {p.note}".strip() for p in phases))

    def turn(self) -> None:
        """Turn the busy arc of what is running."""
        for (mark, _words, _note), phase in zip(self._rows, self._shown, strict=True):
            if phase.state is State.RUNNING:
                mark.turn()

    def _row(self) -> tuple[Glyph, QLabel, QLabel]:
        mark, words, note = Glyph.of(self._theme, State.EMPTY), text(wrap=True), text("", "small", "2")
        line = plain(across=True, gap=10, margins=(0, 5, 0, 5)).add(mark, words)
        line.box.setStretch(1, 1)
        note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line.add(note)
        self.box.addWidget(line)
        return mark, words, note


class RunCourse:
    """How far a run has come.

    Attributes
    ----------
    share
        Of the whole run, from 0 to 1; it never falls.
    """

    def __init__(self) -> None:
        self._phases = _PHASES["exact-em"]
        self.begin()

    def goes_by(self, estimator: str) -> None:
        """Take the phases of an estimator; without re-draws exact E-M is called ``exact-em-once``."""
        self._phases = _PHASES[estimator]

    def begin(self) -> None:
        """Nothing has been done yet."""
        self._reached: dict[str, Step] = {}
        self._now, self._ended = "", False
        self.share = 0.0

    def end(self) -> None:
        """The run came to its end: every phase that was reached is done."""
        self._ended, self.share = True, 1.0

    @property
    def begun(self) -> bool:
        """Whether anything has been done."""
        return bool(self._reached)

    def is_behind(self, step: Step) -> bool:
        """Whether a step is of a phase the run has left behind: re-draws are followed by one more look at the whole."""
        return phase_of(step) == "check" and "re-draws" in self._reached

    def anew(self, step: Step) -> bool:
        """Whether a step begins its phase anew: a second model is sampled for comparison, with chains of its own."""
        before = self._reached.get("posterior")
        return phase_of(step) == "posterior" and before is not None and step.done < before.done

    def take(self, step: Step) -> None:
        """Count a step."""
        self._now = phase_of(step)
        self._reached[self._now] = step
        self.share = max(self.share, self._far(step))

    def _far(self, step: Step) -> float:
        names, ends = list(self._phases), [end for _words, end in self._phases.values()]
        if phase_of(step) not in names:
            return 0.0
        at = names.index(phase_of(step))
        start = ends[at - 1] if at else 0.0
        return start + (ends[at] - start) * (step.done / step.total if step.total else 0.0)

    def phases(self, *, running: bool) -> list[Phase]:
        """The phases as they stand."""
        rows = []
        now = self._now if running else ""
        reached = [name for name in self._phases if name in self._reached]
        for name, (sentence, _end) in self._phases.items():
            step = self._reached.get(name)
            # What was cut short by Cancel or by a mistake is not done.
            ended = self._ended or (name in reached and name != reached[-1])
            state = State.RUNNING if name == now else State.DONE if step is not None and ended else State.EMPTY
            rows.append(Phase(state, sentence, _counted(name, step, state)))
        return rows


def phase_of(step: Step) -> str:
    """The phase of a step: drawing chains and adding up are one to whoever waits."""
    return _ALIASES.get(step.phase, step.phase)


def _counted(name: str, step: Step | None, state: State) -> str:
    """The end of a phase's line: how much of it there is, or is done."""
    if step is None or step.total <= 1:
        return ""
    total = numbers.count(step.total)
    if state is not State.DONE:
        return _("{done} of {total}").format(done=numbers.count(step.done), total=total)
    notes = {"fit": _("{total} starts").format(total=total), "re-draws": _("{total} resamples").format(total=total)}
    return notes.get(name, "")


MOST_ROWS = 24
TICK = 80  # milliseconds between two looks at clock and pictures


class LivePictures:
    """Decides which picture is drawn next; all of them in one turn would hold up the event loop.

    Attributes
    ----------
    lines
        Whether the log-likelihoods or the chains have grown since they were drawn.
    rows
        Whether the distributions have.
    """

    def __init__(self, trace: LiveTrace, chains: LiveChains, ridge: RidgePlot) -> None:
        self._trace, self._chains, self._ridge = trace, chains, ridge
        self.lines = self.rows = self._rows_next = self._ended = False

    def draw_next(self) -> None:
        """Draw what has grown and had not its turn for longest."""
        self._ended = False
        if self.lines and not (self.rows and self._rows_next):
            self.lines, self._rows_next = False, True
            self._trace.redraw()
            self._chains.redraw()
        elif self.rows:
            self.rows = self._rows_next = False
            self._ridge.update()

    def hold_rows(self) -> None:
        """Numbers are added now, and drawn with the other pictures."""
        self._ridge.setUpdatesEnabled(False)

    def draw_end(self) -> None:
        """Draw all of them as they stay, and tell the distributions in words."""
        self._ended = True
        self._draw_lines()
        self._draw_rows()
        self._tell_rows()

    def draw_end_in_turns(self) -> None:
        """As ``draw_end``, in turns of the event loop: what else the end of a run changes takes its time as well."""
        self._ended = True
        for of, draw in (
            (self._ridge, self._draw_rows),
            (self._trace, self._draw_lines),
            (self._ridge, self._tell_rows),
        ):
            GUI_PRIORITY.later(of, draw)

    def _draw_lines(self) -> None:
        # Not where the next run has begun meanwhile.
        if self._ended:
            self._trace.redraw(running=False)
            self._chains.redraw()

    def _draw_rows(self) -> None:
        self._ridge.setUpdatesEnabled(True)
        self._ridge.update()

    def _tell_rows(self) -> None:
        self._ridge.setAccessibleDescription(self._ridge.describe())


class RunView(Frame):
    """Progress, phases, the log-likelihood of all starts, and the distributions of the parameters."""

    def __init__(self, theme: Theme, session: Session) -> None:
        super().__init__("card", margins=(16, 12, 16, 12), gap=6)
        self._session = session
        self._course = RunCourse()
        self._request: Request | None = None
        self._called: Mapping[str, PictureName] = {}
        self._warming = False
        self.title, self.left = text(_("Not run yet"), "card"), text("", "body", "2")
        self.bar = Bar(theme, _("Progress of the run"))
        self.bar.setRange(0, 1000)
        self.percent = text("", "strong")
        self.cancel = button(_("Cancel"), session.cancel, name=_("Cancel the run"))
        self.show_results = button(_("Show results"), small=True)
        # Its place is kept, or the pictures would change their height and be drawn again at the end of a run.
        keeps = self.show_results.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)
        self.show_results.setSizePolicy(keeps)
        self.phases = PhaseList(theme)
        self.trace, self.chains = LiveTrace(theme), LiveChains(theme)
        self._chains = 1
        self.ridge = RidgePlot(theme, REDRAWN)
        self._pictures = LivePictures(self.trace, self.chains, self.ridge)
        self.foot = text("", "small", "2", wrap=True)
        self._fill()
        self._timer = QTimer(self)
        self._timer.setInterval(TICK)
        self._timer.timeout.connect(self._tick)
        session.fitting.started.connect(self._on_started)
        session.fitting.stepped.connect(self._on_stepped)
        session.fitting.done.connect(self._on_done)
        session.fitting.cancelled.connect(self._on_cancelled)
        session.fitting.failed.connect(self._on_failed)
        session.document.changed.connect(self._on_changed)
        session.naming.changed.connect(self._on_called_anew)
        session.planned.connect(self._on_planned)
        self._show_idle()

    def _fill(self) -> None:
        head = plain(across=True).add(self.title)
        head.box.addStretch(1)
        head.add(self.left)
        bar = plain(across=True, gap=12).add(self.bar, self.percent, self.cancel)
        bar.box.setStretch(0, 1)
        self.add(head, bar, self.phases, rule())
        self.settling, self.moving = TitleLine(), TitleLine()
        self.box.addWidget(self.settling)
        self.box.addWidget(self.trace, 3)
        self.box.addWidget(self.chains, 3)
        self.box.addWidget(self.moving)
        self.box.addWidget(self.ridge, 4)
        foot = plain(across=True).add(self.foot, self.show_results)
        foot.box.setStretch(0, 1)
        self.add(foot)

    def _show_kind(self, estimator: str, chains: int, *, sampled: bool) -> None:
        """The pictures that belong to an estimator; not every posterior has chains."""
        self._chains = chains
        self._course.goes_by(estimator)
        posterior = estimator == "posterior"
        self.trace.setVisible(not posterior)
        # Before anything has come: to make room for it later would lay out and draw the whole window once more.
        self.chains.setVisible(sampled)
        self.settling.setVisible(sampled or not posterior)
        self.settling.say(*(AGREEING if posterior else SETTLING))
        self.moving.say(*map(say, BELIEF if posterior else MOVING))
        self.ridge.setAccessibleName(_("Draws from what can be believed") if posterior else REDRAWN)

    def _show_kind_of(self, request: Request, *, sampled: bool) -> None:
        """The same of a run; without re-draws only its end tells how sure the numbers are."""
        self._show_kind(request.estimator, request.chains, sampled=sampled)
        if request.estimator == "exact-em" and not (request.redraws or request.interval.endswith("bootstrap")):
            self._course.goes_by("exact-em-once")
            self.moving.say(*ENDS)
            self.ridge.setAccessibleName(ENDS[0])

    @Slot()
    def _on_planned(self) -> None:
        """What a run would go through, as long as none has left anything to show."""
        if not self._session.fitting.running and not self._course.begun:
            self._show_idle()

    def _show_idle(self) -> None:
        plan = self._session.effective
        if not plan.named.unreadable:
            self._show_kind_of(plan.request(), sampled=False)
        self.title.setText(_("Not run yet"))
        self.cancel.setEnabled(False)
        self.show_results.hide()
        self.phases.show_phases(self._course.phases(running=False))
        self.foot.setText(_("The pictures fill in while a run goes on, and stay."))

    @Slot()
    def _on_changed(self) -> None:
        """Other ratings: the pictures of the old ones go."""
        if self._session.document.analysis is None and not self._session.fitting.running and self._course.begun:
            self._course.begin()
            self._reset()
            self._bar()
            self._show_idle()

    @Slot()
    def _on_started(self) -> None:
        request = self._session.newest_request
        # What a run that is gone on with has shown so far stays, unless another one was shown meanwhile.
        if not self._session.fitting.resumed or request != self._request:
            self._show_begun(request)
        self._request = request
        self.title.setText(_("Estimating"))
        self.cancel.setEnabled(True)
        self.show_results.hide()
        self.foot.setText(_("You can go on working. Cancel keeps the earlier results as they were."))
        self._timer.start()
        self._tick()

    def _show_begun(self, request: Request | None) -> None:
        """Empty pictures for a run that has nothing to show yet."""
        self._course.begin()
        if request is None:
            self._show_kind("exact-em", 1, sampled=False)
            self._reset()
            return
        sampled = isinstance(method_for(request, self._session.document.ratings), Sampling)
        self._show_kind_of(request, sampled=sampled)
        ratings = self._session.document.ratings
        names = reported(request.model, ratings)[:MOST_ROWS]
        self._called = picture_names(names, ratings.classes)
        self._reset([self._session.naming.parameter(name) for name in names])

    def _reset(self, rows: Sequence[str] = ()) -> None:
        """Empty the pictures."""
        self._warming = False
        self.trace.reset()
        self.chains.reset(self._called)
        self.ridge.reset(rows, self._called)

    @Slot(object)
    def _on_stepped(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            if self._course.is_behind(step):
                continue
            if self._course.anew(step):
                self._reset()
            self._course.take(step)
            if "log_likelihood" in step.values:
                self.trace.grow(step.values["start"], step.values["log_likelihood"])
                self._pictures.lines = True
            warm = step.values.get("warm", {})
            drawn = step.values.get("draws", {})
            if drawn and self._warming:
                # What the chains passed on their way is no belief: the pictures begin anew with the first draws.
                self._reset([self._session.naming.parameter(name) for name in drawn])
            self._warming = bool(warm) or (self._warming and not drawn)
            draws = {self._session.naming.parameter(name): values for name, values in (warm or drawn).items()}
            for name, values in draws.items():
                self.ridge.grow(name, values)
            self._pictures.rows |= bool(draws)
            if draws and phase_of(step) == "posterior":
                self.chains.grow(draws, self._chains, step.values.get("rhat"))
                self.chains.warming = self._warming
                self._pictures.lines = True

    @Slot()
    def _tick(self) -> None:
        with GUI_PRIORITY.going():
            self._show_progress()

    def _show_progress(self) -> None:
        self.phases.show_phases(self._course.phases(running=self._session.fitting.running))
        self.phases.turn()
        self._bar()
        set_stable_text(self.left, numbers.left(self._session.fitting.seconds, self._course.share))
        self._pictures.draw_next()

    def _bar(self) -> None:
        self.bar.setValue(round(1000 * self._course.share))
        set_stable_text(self.percent, f"{100 * self._course.share:.0f} %" if self._course.begun else "")

    @Slot(object)
    def _on_done(self, fit: Fit) -> None:
        self._course.end()
        self._stop(_("Done in {seconds}").format(seconds=numbers.seconds(fit.seconds)))
        self.foot.setText(_("The pictures stay until the next run."))
        self.show_results.show()
        self._pictures.hold_rows()
        self._show_numbers(fit)

    def _show_numbers(self, fit: Fit) -> None:
        """Write value and interval of every number beside its draws."""
        if fit.draws is not None and (fit.draws.kind == "posterior" or self._session.fitting.resumed):
            self._show_draws(fit)
        for estimate in fit.estimates[:MOST_ROWS]:
            result = estimate.estimate
            name = self._session.naming.parameter(estimate.name)
            self.ridge.mark(name, result, numbers.value(result), numbers.interval(result))

    def _show_draws(self, fit: Fit) -> None:
        """All draws of a fit in the place of those that came during the run."""
        rows = list(fit.draws.values.items())[:MOST_ROWS] if fit.draws is not None else []
        called = {self._session.naming.parameter(name): draws for name, draws in rows}
        self.ridge.reset(list(called), self._called)
        for name, draws in called.items():
            self.ridge.grow(name, draws)

    @Slot()
    def _on_called_anew(self) -> None:
        """Raters are called otherwise: what was drawn with their names goes, the newest fit is drawn anew."""
        analysis = self._session.document.analysis
        self.chains.reset(self._called)
        self.ridge.reset(words=self._called)
        if (
            analysis is not None
            and analysis.fit is not None
            and not self._session.fitting.running
            and self._course.begun
        ):
            self._show_draws(analysis.fit)
            self._show_numbers(analysis.fit)
            self._pictures.draw_end()

    @Slot()
    def _on_cancelled(self) -> None:
        self._stop(_("Cancelled"))
        kept = _("Cancelled. Earlier results are as they were. Run goes on from where this stopped.")
        self.foot.setText(kept if self._session.goes_on else _("Cancelled. Earlier results are as they were."))

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        del error
        self._stop(_("Stopped"))
        self.foot.setText(_("The run stopped without an answer. Earlier results are as they were."))

    def _stop(self, title: str) -> None:
        self._timer.stop()
        self.title.setText(title)
        self.cancel.setEnabled(False)
        self._pictures.lines = self._pictures.rows = False  # drawn once, after this
        self._tick()
        self.left.setText("")
        self._pictures.draw_end_in_turns()
