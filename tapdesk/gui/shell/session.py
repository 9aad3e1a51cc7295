"""What the window can do: read, run, print - each as one job beside the document."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from tapdesk.answers.proposals import Proposal, declined, declined_keys, proposals_from_studies
from tapdesk.answers.question import QUESTIONS
from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.gui.runs.job import Job, stop_all
from tapdesk.gui.runs.plan import DesignVerdict, IdentifiabilityCheck, Plan, RunQueue, RunRequest, size
from tapdesk.gui.runs.side_study_runner import CutPointFollower, SideStudyRunner
from tapdesk.gui.shell.document import OpenDocument, RaterNaming
from tapdesk.gui.shell.opening import (
    OpenedForm,
    OpenedProject,
    folders_of,
    open_source,
    options_of,
    place_of,
    read_again,
)
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.project.files.locks import Entry, OpenElsewhereError
from tapdesk.project.project import Analysis, Project
from tapdesk.project.review_state import blocking_findings
from tapdesk.project.what_if import Variation, WithoutRaters
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import Ratings, fingerprint
from tapdesk.ratings.reading import Reading
from tapdesk.studies.analysis import Request, analyse

SMALL = 100_000  # ratings that are put into two classes within a few milliseconds
SAMPLE = "sample:"


@dataclass(frozen=True, eq=False)
class ClassChange:
    """A project before and after a choice, and what the choice was."""

    before: Project
    after: Project
    words: str


def _decided(before: Project, labels: tuple[str, ...], words: str) -> Run[ClassChange]:
    """Make the choice, and what the window will ask about it: later it has only to look."""
    yield Step(0, 3, _("counted class"))
    after = before.with_class1(labels or None)
    yield Step(1, 3, _("counted class"))
    ratings, every = after.ratings, after.all_classes
    for question in QUESTIONS:
        question.refuses(ratings, every)
    size(ratings)
    yield Step(2, 3, _("counted class"))
    fingerprint(ratings)
    return ClassChange(before, after, words)


class ClassChooser(QObject):
    """Makes choices of class 1 and puts them into the document.

    Attributes
    ----------
    changed
        Another choice is on its way, or none any more.
    wanted
        The labels of the choice that is on its way; None where there is none.
    """

    changed = Signal()
    failed = Signal(BaseException)

    def __init__(self, document: OpenDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.job = Job(self)
        self.wanted: tuple[str, ...] | None = None
        self.job.done.connect(self._on_done)
        self.job.failed.connect(self._on_failed)

    def class1(self, labels: tuple[str, ...]) -> None:
        """Make these labels class 1; none of them means all categories as they are."""
        named = ", ".join(labels) if labels else _("every class by itself")
        words, project = _("Counting {named}").format(named=named), self._document.project
        if project.reading is None or project.reading.as_read.rating_count <= SMALL:
            self._document.do(words, project.with_class1(labels or None))
            return
        self.wanted = labels
        self.job.start(_decided(project, labels, words))
        self.changed.emit()

    @Slot(object)
    def _on_done(self, decided: ClassChange) -> None:
        self.wanted = None
        now = self._document.project
        # Other data were opened, or another decision was made meanwhile: the choice was about what is no more.
        if (now.reading, now.in_force) == (decided.before.reading, decided.before.in_force):
            self._document.do(decided.words, replace(decided.after, notes=now.notes, title=now.title))
        self.changed.emit()

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        self.wanted = None
        self.changed.emit()
        self.failed.emit(error)


def _shown_reading(result: Reading | OpenedForm) -> Reading:
    """The ratings that are shown of what was read."""
    return result.reading if isinstance(result, OpenedForm) else result


def _with_result(project: Project, result: Reading | OpenedForm) -> Project:
    """The project with what was read; one that was of a form and is none any more has no questions."""
    if isinstance(result, OpenedForm):
        read = {one.name for one in result.form if one.reading is not None}
        # Labels have no question that the file was opened at: the one that is looked at stays.
        stays = result.reading.sets is not None and project.question in read
        return project.with_form(result.form, project.question if stays else result.question)
    return replace(project, form=(), question="").with_reading(result)


class Session(QObject):
    """The document and the jobs that change it. Panes ask it; it never knows a pane.

    Attributes
    ----------
    problem
        An error the user can mend, and the file it is about.
    bug
        Any other exception.
    planned
        Emitted when the plan or the verdict about it changed.
    opened
        Another project is shown: an `OpenedProject`, or None for ratings just read.
    elsewhere
        A project was not opened, because another window has it open.
    wondered
        Somebody asks what would be if one thing were otherwise.
    """

    problem = Signal(TapdeskError, str)
    bug = Signal(BaseException)
    planned = Signal()
    opened = Signal(OpenedProject)
    elsewhere = Signal(OpenElsewhereError)
    wondered = Signal(Variation)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = OpenDocument(self)
        self.reading, self.design_check = Job(self), IdentifiabilityCheck(self.document, self)
        self.fitting, self.picture_job = Job(self, keeps=True), Job(self, keeps=True)
        self.groups_job, self.models_job, self.design_job = (Job(self, keeps=True) for _of in range(3))
        self.questions_job, self.awards_job = (Job(self, keeps=True) for _of in range(2))
        self.what_if_job = Job(self)
        self.side_studies, self.naming = SideStudyRunner(self.document, self), RaterNaming(self.document, self)
        self.cut_points, self.class_choice = (
            CutPointFollower(self.document, self.side_studies, self),
            ClassChooser(self.document, self),
        )
        self.plan = Plan()
        self.file = ""
        # The ratings whose file was found to be another one since.
        self.changed_since: Reading | None = None
        self._source = ""
        # The user's file that was opened, and the folders what is saved may stand in beforehand, the best first.
        self.place = ""
        self._folders: tuple[Path, ...] = ()
        self._trying: tuple[str, ReadingOptions, str] = ("", ReadingOptions(), "")
        self.run_queue = RunQueue(self.fitting, lambda request: analyse(request.ratings, request.request), self)
        self._fitted: dict[Fit, Ratings] = {}
        self.reading.done.connect(self._on_read)
        self.reading.failed.connect(self._on_reading_failed)
        self.fitting.done.connect(self._on_fitted)
        self.fitting.failed.connect(self._on_fitting_failed)
        self._wanted_question = ""
        self.design_check.changed.connect(self.planned)
        self.planned.connect(self._run_wanted)
        self.design_check.bug.connect(self.bug)
        self.side_studies.bug.connect(self.bug)
        self.cut_points.bug.connect(self.bug)
        self.class_choice.changed.connect(self.planned)
        self.class_choice.failed.connect(self._on_reading_failed)
        self.document.changed.connect(self.judge)

    # Reading ----------------------------------------------------------------------------------------------------

    def open(self, source: str, options: ReadingOptions | None = None, entry: Entry = Entry.ASK) -> None:
        """Read a file or ``sample:NAME``, or load a project; what is open stays until that has been done.

        ``entry`` says what to do where the project is open in another window; `elsewhere` tells of it.
        """
        self._try(source, options or options_of(source), entry=entry)

    def read_again(self, options: ReadingOptions, words: str = _("How the file is read")) -> None:
        """Read the open file once more in another way; that can be taken back under the name ``words``."""
        self._try(self._source, options, words)

    def choose_question(self, name: str) -> None:
        """Look at another question of the form; that can be taken back."""
        project = self.document.project
        if name != project.question:
            words = _("The question “{name}”").format(name=Label(name))
            self.document.do(words, project.with_question(name))

    def give_page(self, name: str, own: bool) -> None:
        """Give a question of the form a page of its own in the report, or take it; that can be taken back."""
        words = _("A page of its own for “{name}”") if own else _("No page of its own for “{name}”")
        self.document.do(words.format(name=Label(name)), self.document.project.with_own_page(name, own=own))

    def open_question(self, name: str) -> None:
        """Look at the results of another question of the form; where there are none the plan is run on it."""
        self.choose_question(name)
        analysis = self.document.analysis
        if analysis is None or analysis.fit is None:
            self._wanted_question = name
            self._run_wanted()

    @Slot()
    def _run_wanted(self) -> None:
        """Run the plan on the question whose results are waited for, as soon as its design was looked at."""
        if self._wanted_question and self._wanted_question == self.document.project.question and self.ready:
            self._wanted_question = ""
            self.run()

    def try_again(self, changes: Mapping[str, Any]) -> None:
        """Read what could not be read once more, with some options changed."""
        source, options, again = self._trying
        self._try(source, replace(options, **changes), again)

    def _try(self, source: str, options: ReadingOptions, again: str = "", entry: Entry = Entry.ASK) -> None:
        self._trying = (source, options, again)
        self.file = source if source.startswith(SAMPLE) else Path(source).name
        before = self.document.project.reading
        by_sheet = bool(self.document.project.form) and (before is not None and before.options.only is None)
        request = read_again(source, options, before, of_form=by_sheet) if again and before is not None else None
        self.reading.start(open_source(source, options, entry) if request is None else request)

    @Slot(object)
    def _on_read(self, result: Reading | OpenedForm | OpenedProject) -> None:
        self._source, _options, again = self._trying
        if again and not isinstance(result, OpenedProject):
            project, reading = self.document.project, _shown_reading(result)
            class1 = project.class1 if set(project.class1 or ()) < set(reading.as_read.classes) else None
            self.document.do(again, _with_result(project, result).with_class1(class1))
            return
        self.run_queue.forget()
        self.design_check.forget()
        self.place, self._folders = place_of(self._source, result), folders_of(self._source, result)
        if isinstance(result, OpenedProject):
            self._source, self._fitted, self.plan = result.source, dict(result.fitted), result.plan
            self.document.open(result.project)
            self.opened.emit(result)
            return
        self._fitted, self.plan = {}, Plan()
        title = _shown_reading(result).source.name.rsplit(".", 1)[0]
        self.document.open(_with_result(Project(title=title), result))
        self.opened.emit(None)

    def leave(self) -> None:
        """Close what is open: nothing is open then, and what goes on about it is stopped."""
        self.reading.cancel()
        self.run_queue.forget()
        self.design_check.forget()
        self._fitted, self.plan = {}, Plan()
        self.place, self._folders, self.file, self._source = "", (), "", ""
        self._trying = ("", ReadingOptions(), "")
        self.document.open(Project())
        self.opened.emit(None)

    @property
    def tried(self) -> str:
        """What was to be opened last, whether it could be or not."""
        return self._trying[0]

    @property
    def folder(self) -> str:
        """The folder what is saved stands in beforehand, beside the file that is open; empty where there is none."""
        return next((str(folder) for folder in self._folders if folder.is_dir()), "")

    def sibling(self, name: str) -> str:
        """The path of a name beside the file that is open; the name alone where there is none."""
        return str(Path(self.folder) / name) if self.folder else name

    @Slot(object)
    def _on_reading_failed(self, error: BaseException) -> None:
        if isinstance(error, OpenElsewhereError):
            self.elsewhere.emit(error)
        elif isinstance(error, TapdeskError):
            self.problem.emit(error, self.file)
        else:
            self.bug.emit(error)

    # Choosing ---------------------------------------------------------------------------------------------------

    def choose(self, **changes: Any) -> None:
        """Change the plan."""
        self.plan = replace(self.plan, **changes)
        self.judge()

    @property
    def refused(self) -> str:
        """Why the plan cannot be run on these ratings; empty when it can, or while that is not known."""
        if self.blocked:
            return self.blocked
        if self.plan.named.model:
            return "" if self.judgement is None else self.judgement.why_refused
        reason = self.design_check.refusal(self.plan.question)
        return reason or ("" if self.judgement is None else self.judgement.why_refused)

    @property
    def blocked(self) -> str:
        """Why nothing is computed or printed before a question about the file is answered; empty when none waits."""
        findings = blocking_findings(self.document.project)
        if not findings:
            return ""
        return _("A question about the file has to be answered first, in the checks of the dataset. {message}").format(
            message=findings[0].message
        )

    def choose_class1(self, labels: tuple[str, ...]) -> None:
        """Make these labels class 1; none of them means all categories as they are."""
        self.class_choice.class1(labels)

    def choose_order(self, order: tuple[str, ...]) -> None:
        """Put the categories in another order, lowest first."""
        self.document.do(_("Order of the classes"), self.document.project.with_order(order))

    @property
    def out_of_date(self) -> str:
        """Why the newest results no longer match; empty when they do."""
        analysis = self.document.analysis
        if analysis is None or analysis.fit is None:
            return ""
        if analysis.stale:
            return _("Data changed after this run")
        plan = self.effective
        changed = bool(plan.named.unreadable) or analysis.request != plan.request()
        return _("The choices changed after this run") if self.ready and changed else ""

    @property
    def fitted_ratings(self) -> Ratings:
        """The ratings the results that are looked at were made on."""
        analysis = self.document.analysis
        fit = None if analysis is None else analysis.fit
        return self.document.ratings if fit is None else self._fitted.get(fit, self.document.ratings)

    # Judging the design -----------------------------------------------------------------------------------------

    @Slot()
    def judge(self) -> None:
        """Ask whether the design can tell the parameters apart; the answer arrives with ``planned``."""
        known = not self.document.empty and self.document.ratings.knows_answers
        if known is not self.plan.known:
            # Known answers that were named just now, or are none any more: the usual is made of them.
            self.plan = replace(self.plan, known=known, key=None)
        self.design_check.ask(self.plan)
        self.planned.emit()

    @property
    def judgement(self) -> DesignVerdict | None:
        """What the design can tell of the plan; None while that is not known."""
        return self.design_check.now

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """Models that go with these ratings: what the studies beside the newest results found, then what is seen."""
        usual, beside = self.plan.question.model(self.plan.guesses), self.side_studies.current
        found = () if beside is None or beside.analysis.stale else proposals_from_studies(beside.extras, usual)
        seen = () if self.judgement is None else self.judgement.proposals
        keys = {one.key for one in found}
        return (*found, *(one for one in seen if one.key not in keys))

    def decline(self, proposal: Proposal) -> None:
        """Propose this no more for these ratings."""
        self.document.record(declined(self.document.project, (*declined_keys(self.document.project), proposal.key)))

    def propose_again(self) -> None:
        """Propose what was declined as well."""
        self.document.record(declined(self.document.project, ()))

    @property
    def effective(self) -> Plan:
        """The plan as it is run: with p = t where the design cannot do without and the user has not chosen."""
        return self.plan.resolved(None if self.judgement is None else self.judgement.own)

    @property
    def ready(self) -> bool:
        """Whether the plan can be run: there are ratings, and the design has been looked at."""
        return not self.document.empty and self.judgement is not None and self.class_choice.wanted is None

    @property
    def fingerprint(self) -> str:
        """Of the data; empty until it is known."""
        return "" if self.judgement is None else self.judgement.fingerprint

    # Running ----------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Run the plan, after what is running; earlier results stay until there are newer ones."""
        if not self.ready or self.refused or self.waits:
            return
        behind = self.fitting.running
        self.run_queue.add(self._wanted)
        if behind:
            self.planned.emit()

    @property
    def waits(self) -> bool:
        """Whether the plan as it stands is running, or waits behind what is running."""
        if not self.fitting.running or not self.ready or self.plan.named.unreadable:
            return False
        return self.run_queue.has(self._wanted)

    @property
    def _wanted(self) -> RunRequest:
        plan = self.effective
        return RunRequest(
            plan.question.key, plan.shown_label, plan.request(), self.document.data, self.document.ratings
        )

    @property
    def goes_on(self) -> bool:
        """Whether the next run of the plan goes on from where it was stopped."""
        return self.ready and not self.plan.named.unreadable and self.run_queue.goes_on(self._wanted)

    @property
    def queue(self) -> tuple[RunRequest, ...]:
        """The runs that wait."""
        return self.run_queue.queue

    def clear_queue(self) -> None:
        """Forget the runs that wait."""
        self.run_queue.queue = ()
        self.planned.emit()

    @property
    def newest_request(self) -> Request | None:
        """What the newest run was asked; None before the first."""
        return None if self.run_queue.newest is None else self.run_queue.newest.request

    @property
    def running_name(self) -> str:
        """The analysis that is running; empty while none is."""
        return self.run_queue.newest.name if self.fitting.running and self.run_queue.newest is not None else ""

    def cancel(self) -> None:
        """Stop what is running; earlier results stay, and what waits behind it comes next."""
        self.fitting.cancel()

    @Slot(object)
    def _on_fitted(self, fit: Fit) -> None:
        newest = self.run_queue.newest
        if newest is None:
            return
        # A run that was stopped and gone on with does not count the time between.
        fit = replace(fit, seconds=min(fit.seconds, self.fitting.seconds))
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        project = self.document.project
        kept = {a.fit for a in project.analyses if a.name != newest.name}
        kept |= {a.fit for one in project.form if one.name != project.question for a in one.analyses}
        self._fitted = {f: r for f, r in self._fitted.items() if f in kept} | {fit: newest.ratings}
        done = Analysis(newest.label, newest.request, fit, run_at=now, question=newest.question)
        self.document.keep(done, newest.data)

    @Slot(object)
    def _on_fitting_failed(self, error: BaseException) -> None:
        if not isinstance(error, TapdeskError):
            self.bug.emit(error)

    def close(self, milliseconds: int) -> bool:
        """Stop all jobs; whether their threads ended in time."""
        self.run_queue.queue = ()
        return stop_all(self.jobs, milliseconds)

    @Slot(str)
    def wonder_without(self, rater: str) -> None:
        """Ask what would be without a rater, who may be called by a code."""
        by_code = {code: name for name, code in self.naming.names.codes.items()}
        self.wondered.emit(WithoutRaters((by_code.get(rater, rater),)))

    @property
    def jobs(self) -> tuple[Job, ...]:
        """All that can go on in threads."""
        rows = (self.side_studies.job, self.cut_points.job, self.class_choice.job)
        items = (self.picture_job, self.groups_job, self.models_job, self.design_job, self.questions_job)
        more = (self.what_if_job, self.awards_job)
        return (self.reading, self.fitting, self.design_check.job, *more, *items, *rows)
