"""What a path or the clipboard holds, as one run: ratings to be read, or a project to go on with."""

import csv
import io
from collections.abc import Generator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import gettempdir

from PySide6.QtWidgets import QApplication

from tapdesk.answers.question import QUESTIONS, question_of
from tapdesk.errors import SeveralQuestionsError, TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.gui.runs.expert_options import ExpertOptions
from tapdesk.gui.runs.plan import REPLICATES, Plan
from tapdesk.language import gettext as _
from tapdesk.models.model import Key, Truth
from tapdesk.progress import Step
from tapdesk.project.external_change import FileStamp, file_stamp
from tapdesk.project.files.autosave import is_copy, unsaved_work
from tapdesk.project.files.file import load
from tapdesk.project.files.locks import Entry, OpenElsewhereError, Presence
from tapdesk.project.files.recognition import SUFFIX, is_project
from tapdesk.project.form import work_of
from tapdesk.project.project import Analysis, FormQuestionWork, Project
from tapdesk.project.shown import shown_analysis
from tapdesk.ratings.form import form
from tapdesk.ratings.formats.files import BETWEEN, html_grid, name_of, paths_of
from tapdesk.ratings.label_sets import EVERY_LABEL
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading, opened, read_cells
from tapdesk.ratings.samples import PREFIX, SAMPLES, sample

NAME = _("Pasted ratings.tsv")


@dataclass(frozen=True, eq=False)
class OpenedProject:
    """A project that was loaded.

    Attributes
    ----------
    project
        As it was saved.
    path
        Where it was loaded from.
    fitted
        The ratings each answer was made on, where they can be made again.
    seen
        The file as it was when it was loaded.
    presence
        What says that the file is open here; None for work that is not saved in its place.
    """

    project: Project
    path: Path
    fitted: Mapping[Fit, Ratings]
    file_stamp: FileStamp | None = None
    presence: Presence | None = None

    @property
    def place(self) -> Path | None:
        """Where Save writes; None for a copy, and an earlier version, which is not to be replaced by later work."""
        return None if self.presence is None else self.path

    @property
    def source(self) -> str:
        """Where the ratings came from, as `read` takes it."""
        reading = self.project.reading
        if reading is None:
            return ""
        source = reading.source
        if source.path is not None:
            return str(source.path)
        return PREFIX + next((row.name for row in SAMPLES if row.file == source.name), source.name)

    @property
    def plan(self) -> Plan:
        """The choices the newest results were made with."""
        known = self.project.ratings.knows_answers
        shown = shown_analysis(self.project)
        return Plan(known=known) if shown is None else plan_of(shown, known=known)


@dataclass(frozen=True, eq=False)
class OpenedForm:
    """A form that was read: its questions, and the one that is shown."""

    form: tuple[FormQuestionWork, ...]
    question: str

    @property
    def reading(self) -> Reading:
        """The ratings of the question that is shown."""
        return next(one.reading for one in self.form if one.name == self.question and one.reading is not None)


def read_source(source: str, options: ReadingOptions) -> Generator[Step, None, Reading | OpenedForm]:
    """Read ratings; where they are one question of several, all of them.

    Raises
    ------
    TapdeskError
        When the file cannot be read, or it is not sure what its questions are.
    """
    file = yield from opened(source, options)
    if options.label == EVERY_LABEL:
        return (yield from _whole_form(source, options, None))
    try:
        reading = yield from read_cells(file, options)
    except SeveralQuestionsError as several:
        if not several.each:
            raise
        return (yield from _whole_form(source, replace(options, only=None), None))
    sheets = options.sheet is None and any(f.code in {"several_sheets", "sheets_stacked"} for f in reading.findings)
    if reading.options.only is None and not sheets:
        return reading
    try:
        return (yield from _whole_form(source, options_of_form(reading), reading))
    except TapdeskError:
        # What is read is one table by itself: the others are none of its kind.
        return reading


def _whole_form(
    source: str, options: ReadingOptions, reading: Reading | None
) -> Generator[Step, None, Reading | OpenedForm]:
    """All questions of a file, that of ``reading`` shown, else the first; of very many ratings only the one."""
    whole = yield from form(source, options)
    if sum(one.as_read.rating_count for one in whole.readings) > MOST_RATINGS and reading is not None:
        return reading
    work = work_of(whole)
    shown = None if reading is None else reading.options.only or reading.options.sheet
    names = [one.name for one in work if one.reading is not None]
    return OpenedForm(work, shown if shown in names else names[0])


# Of all questions together; of more only the one that is looked at is held.
MOST_RATINGS = 3_000_000


def of_a_form(reading: Reading | None) -> bool:
    """Whether some ratings are one question of several in their file."""
    return reading is not None and reading.options.only is not None


def options_of_form(reading: Reading) -> ReadingOptions:
    """How a file is read to find all its questions, where one of them was read."""
    request = replace(reading.asked, only=None, class1=None, class0=None)
    if request.question is not None:
        return request
    if request.layout is Layout.RATERS:
        # Columns of question and rater: named so, all would be raters of one question.
        return replace(request, layout=Layout.AUTO, columns=None)
    return replace(request, rating=None)


def open_source(
    source: str, options: ReadingOptions, entry: Entry = Entry.ASK
) -> Generator[Step, None, OpenedProject | OpenedForm | Reading]:
    """Load a project, or read a spreadsheet or sample; what it is, its content says.

    Raises
    ------
    OpenElsewhereError
        When the project is open in another window, and ``entry`` does not say what to do about that.
    TapdeskError
        When it cannot be read.
    """
    if source.startswith(PREFIX):
        return (yield from read_source(source, options))
    yield Step(0, 0, "open")
    if not is_project(source):
        result = yield from read_source(source, options)
        reading = result.reading if isinstance(result, OpenedForm) else result
        # Kept with the ratings, and shown at once: of a million it would hold up the window.
        reading.as_read.class_rates()
        return result
    place = Path(source)
    presence = _claimed(place, entry)
    try:
        # Looked at first: what is written while it is loaded counts as changed.
        before = file_stamp(place)
        project = load(source)
        yield Step(0, 0, "open")
        opened = OpenedProject(_with_ratings(project, place), place, fitted_ratings(project), before, presence)
    except BaseException:
        # Refused, or not waited for any longer.
        if presence is not None:
            presence.release()
        raise
    return opened


def _claimed(place: Path, entry: Entry) -> Presence | None:
    """What says that a project is open here; None for one that will have another name.

    For unsaved work it is the file that it belongs to; where that is open elsewhere, saving will ask.
    """
    if is_copy(place):
        document = unsaved_work(place).document
        with suppress(OpenElsewhereError):
            return None if document is None else Presence.claim(document)
        return None
    if entry is Entry.COPY or SUFFIX + "~" in place.name.lower():
        return None
    return Presence.claim(place, anyway=entry is Entry.ANYWAY)


def _with_ratings(project: Project, place: Path) -> Project:
    """The project, where it holds ratings; in the window there is nothing to do with another one."""
    if project.reading is None:
        raise TapdeskError(_("The project holds no ratings."), place.name, _("Open the spreadsheet itself."))
    return project


class SourceChangedError(TapdeskError):
    """The file holds something else by now: reading it in another way would change the ratings as well."""


def read_again(
    source: str, options: ReadingOptions, before: Reading, *, of_form: bool = False
) -> Generator[Step, None, Reading | OpenedForm]:
    """Read the file of some ratings in another way, as long as it is the file that was read.

    ``of_form`` says that the ratings are those of a sheet that is a question of a form.

    Raises
    ------
    SourceChangedError
        When the file has changed since; nobody asked for other ratings.
    TapdeskError
        When the file is not there any more, or cannot be read so.
    """
    yield Step(0, 0, "open")
    place = Path(source)
    if not source.startswith(PREFIX) and not all(one.is_file() for one in paths_of(place)):
        raise TapdeskError(
            _("The file of these ratings is no longer at its place, so it cannot be read in another way."),
            source.replace(BETWEEN, ", "),
            _("The ratings themselves are kept. Put the file back there, or open it from where it is now."),
        )
    if of_form and options.label is None and options.sheet == before.options.sheet and options.only is None:
        # The sheet names the question that is shown; the form has all of them.
        sheet, options = options.sheet, replace(options, sheet=None)
        opened_now = yield from read_source(source, options)
        if isinstance(opened_now, OpenedForm) and sheet in {one.name for one in opened_now.form}:
            opened_now = replace(opened_now, question=sheet or "")
    else:
        opened_now = yield from read_source(source, options)
    result = opened_now.reading if isinstance(opened_now, OpenedForm) else opened_now
    if result.source.sha256 != before.source.sha256:
        raise SourceChangedError(
            _("{name} has changed since it was read, so nothing was read in another way.").format(name=name_of(place)),
            "",
            _("See in the checks what differs, and take the changed file over first, or put the old one back."),
        )
    return opened_now


def options_of(source: str) -> ReadingOptions:
    """How a file is read when nothing was chosen about it: a sample as its row says."""
    return sample(source.removeprefix(PREFIX)).options if source.startswith(PREFIX) else ReadingOptions()


def fitted_ratings(project: Project) -> dict[Fit, Ratings]:
    """The ratings each answer was made on: those after all decisions, or after the first few of them."""
    wanted = {a.made_on for a in project.analyses if a.fit is not None and a.made_on}
    by_key: dict[str, Ratings] = {}
    for count in range(len(project.in_force), -1, -1):
        if wanted <= set(by_key):
            break
        before = Project(project.reading, project.in_force[:count], question=project.question)
        by_key.setdefault(before.ratings_fingerprint, before.ratings)
    return {a.fit: by_key[a.made_on] for a in project.analyses if a.fit is not None and a.made_on in by_key}


def plan_of(analysis: Analysis, *, known: bool = False) -> Plan:
    """The choices that lead to an analysis; its question is told by its key.

    Parameters
    ----------
    analysis
        What was asked.
    known
        Whether its ratings have known answers.
    """
    request = analysis.request
    # The usual number is left to the window, so that a later version of it may have another.
    replicates = 0 if request.replicates == REPLICATES else request.replicates
    named = ExpertOptions(
        estimator=request.estimator,
        priors="; ".join(map(str, request.priors)),
        draws=request.draws,
        replicates=replicates,
        pool=request.pool,
        chains=request.chains,
        sharpness=request.sharpness,
        moment_prior=request.moment_prior,
        uniform=request.model.truth is Truth.UNIFORM,
    )
    # A key that was left beside the answer is no usual choice: it is kept as it was.
    key = request.model.key if known and request.model.key is not Key.CERTAIN else None
    usual = replace(
        Plan(level=request.level, interval=request.interval, seed=request.seed), named=named, known=known, key=key
    )
    wish = question_of(analysis)
    plans = [
        replace(usual, question=question, guesses=guesses)
        for question in sorted(QUESTIONS, key=lambda q: q is not wish)
        for guesses, model in question.models.items()
        if model == request.model.name and (wish is None or question is wish)
    ]
    if not plans:
        row = request.model
        chosen = replace(named, model=row.name, covariates=row.covariates, groups=row.groups, occasions=row.occasions)
        plans = [replace(usual, question=wish or QUESTIONS[0], named=chosen)]
    label = analysis.label if wish is not None else ""
    return plans[0] if label == plans[0].shown_label else replace(plans[0], label=label)


def place_of(source: str, opened: OpenedProject | OpenedForm | Reading) -> str:
    """The user's file that was opened, as `open_source` takes it.

    Empty for what nobody would look for on the disk: an example, pasted cells, work that was not saved.
    """
    if isinstance(opened, OpenedProject):
        return "" if opened.place is None else source
    pasted = Path(source).name == NAME and Path(source).is_relative_to(gettempdir())
    return "" if pasted or source.startswith(PREFIX) else source


def folders_of(source: str, opened: OpenedProject | OpenedForm | Reading) -> tuple[Path, ...]:
    """Where the user would look for what is saved: beside the workbook, and where that is gone beside the project."""
    place = place_of(source, opened)
    files = [place]
    if isinstance(opened, OpenedProject):
        reading = opened.project.reading
        files = ["" if reading is None or reading.source.path is None else str(reading.source.path), place]
    return tuple(paths_of(Path(file))[0].absolute().parent for file in files if file)


def cells() -> str:
    """The cells on the clipboard as tab-separated text.

    Spreadsheets put text there whose lines have the same number of tabs. Where they do not - a table of a web page or
    of a letter, whose cells may go over several lines - the table itself is taken.
    """
    words = QApplication.clipboard().text()
    tabs = {line.count("\t") for line in words.splitlines() if line.strip()}
    if len(tabs) == 1 and tabs != {0}:
        return words
    data = QApplication.clipboard().mimeData()
    # Nothing at all is there where no program has copied anything yet.
    page = "" if data is None else data.html()
    if "<table" not in page.lower():
        return words
    try:
        grid = html_grid(page, NAME)
    except TapdeskError:
        return words
    text = io.StringIO()
    csv.writer(text, "excel-tab", lineterminator="\n").writerows(grid.row(i) for i in range(grid.rows))
    return text.getvalue()


def write_cells(folder: str) -> str:
    """Write the cells on the clipboard into a folder; the path of the file.

    Raises
    ------
    TapdeskError
        When there are no cells, or they cannot be written.
    """
    words = cells()
    if len(words.strip().splitlines()) < 2:
        raise TapdeskError(
            _("There are no cells on the clipboard."),
            fix=_("Select the ratings with their header row in your spreadsheet, copy them, and paste again."),
        )
    path = Path(folder) / NAME
    try:
        # A line end as it was copied: within a cell it is part of the cell.
        path.write_text(words, encoding="utf-8", newline="")
    except (OSError, UnicodeEncodeError) as problem:
        raise TapdeskError(
            _("The cells cannot be taken over from the clipboard."), fix=_("Save them as a file and open that.")
        ) from problem
    return str(path)
