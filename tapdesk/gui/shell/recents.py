"""What was open before: the last projects, the last files, and the folder the next one is looked for in."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path

from PySide6.QtCore import QSettings

from tapdesk.answers import numbers
from tapdesk.gui.runs.plan import cases
from tapdesk.gui.shell import status_texts
from tapdesk.language import gettext as _
from tapdesk.language import say
from tapdesk.project.project import Project
from tapdesk.ratings.formats.files import BETWEEN, paths_of

KEY, FILES = "recent", "files"
KEPT = 8


@dataclass(frozen=True, slots=True)
class RecentProject:
    """One project.

    Attributes
    ----------
    path
        Its file.
    name, about
        What the list shows.
    when
        Local date and time of the last saving or opening, in ISO form.
    """

    path: str
    name: str
    about: str
    when: str


class RecentProjects:
    """The list, newest first; without settings it is forgotten with the window."""

    def __init__(self, settings: QSettings | None) -> None:
        self._settings = settings
        self._rows = self._read()

    @property
    def rows(self) -> tuple[RecentProject, ...]:
        """The projects, newest first."""
        return self._rows

    def add(self, path: Path, project: Project) -> None:
        """Put a project on top."""
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        row = RecentProject(str(path.absolute()), path.stem, about(project), now)
        self._keep((row, *(r for r in self._rows if r.path != row.path)))

    def drop(self, path: str) -> None:
        """Take a project off the list; its file is left alone."""
        self._keep(tuple(r for r in self._rows if r.path != path))

    def _keep(self, rows: tuple[RecentProject, ...]) -> None:
        self._rows = rows[:KEPT]
        if self._settings is not None:
            self._settings.setValue(KEY, json.dumps([asdict(r) for r in self._rows]))

    def _read(self) -> tuple[RecentProject, ...]:
        """What was remembered; a list that cannot be understood is none."""
        if self._settings is None:
            return ()
        try:
            sentence = json.loads(str(self._settings.value(KEY, "[]")))
            rows = tuple(RecentProject(*(str(one[k]) for k in ("path", "name", "about", "when"))) for one in sentence)
            if any(datetime.fromisoformat(row.when).tzinfo is None for row in rows):
                return ()
        except (ValueError, KeyError, TypeError):
            return ()
        return rows[:KEPT]


def about(project: Project) -> str:
    """What a project holds: ``183 cases · 4 seats · results``."""
    if project.reading is None:
        return ""
    ratings = project.reading.as_read
    parts = [
        cases(ratings.subject_count),
        say(status_texts.raters(ratings)),
    ]
    if any(a.fit is not None for a in project.analyses):
        parts.append(_("results"))
    return " · ".join(part for part in parts if part)


def ago(moment: str, now: datetime) -> str:
    """How long ago a day was, as people say it: ``today, 14:02``, ``2 days ago``, ``12 March``."""
    then = datetime.fromisoformat(moment)
    days = (now.date() - then.date()).days
    if days < 0:
        # The clock was set back since.
        return numbers.date(then)
    if days == 0:
        return _("today, {then}").format(then=f"{then:%H:%M}")
    if days == 1:
        return _("yesterday, {then}").format(then=f"{then:%H:%M}")
    if days < 14:
        return _("{days} days ago").format(days=days)
    if days < 35:
        return _("{weeks} weeks ago").format(weeks=days // 7)
    return numbers.day(then) if now - then < timedelta(days=300) else numbers.date(then)


class RecentFiles:
    """The spreadsheets and projects that were opened last, newest first; without settings forgotten with the window.

    One that was read from several files is one row, its paths as `open` takes them.
    """

    def __init__(self, settings: QSettings | None) -> None:
        self._settings = settings
        self._rows = self._read()

    @property
    def rows(self) -> tuple[str, ...]:
        """The paths, newest first."""
        return self._rows

    @property
    def folder(self) -> str:
        """Where the last one was; empty before the first."""
        return str(paths_of(Path(self._rows[0]))[0].parent) if self._rows else ""

    def add(self, source: str) -> None:
        """Put what was opened on top."""
        full = BETWEEN.join(str(path.absolute()) for path in paths_of(Path(source)))
        self._keep((full, *(row for row in self._rows if row != full)))

    def drop(self, source: str) -> None:
        """Take one off the list; its file is left alone."""
        self._keep(tuple(row for row in self._rows if row != source))

    def _keep(self, rows: tuple[str, ...]) -> None:
        self._rows = rows[:KEPT]
        if self._settings is not None:
            self._settings.setValue(FILES, json.dumps(self._rows))

    def _read(self) -> tuple[str, ...]:
        """What was remembered; a list that cannot be understood is none."""
        if self._settings is None:
            return ()
        try:
            sentence = json.loads(str(self._settings.value(FILES, "[]")))
        except ValueError:
            return ()
        whole = isinstance(sentence, list) and all(isinstance(row, str) and row for row in sentence)
        return tuple(sentence[:KEPT]) if whole else ()
