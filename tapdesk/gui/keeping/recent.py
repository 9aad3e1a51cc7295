"""The projects a user worked on last, remembered from one start to the next."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path

from PySide6.QtCore import QSettings

from tapdesk.answers import numbers
from tapdesk.gui import sayings
from tapdesk.gui.plan_words import cases
from tapdesk.language import gettext as _
from tapdesk.project.project import Project

KEY = "recent"
KEPT = 8


@dataclass(frozen=True, slots=True)
class Recent:
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


class Recents:
    """The list, newest first; without settings it is forgotten with the window."""

    def __init__(self, settings: QSettings | None) -> None:
        self._settings = settings
        self._rows = self._read()

    @property
    def rows(self) -> tuple[Recent, ...]:
        """The projects, newest first."""
        return self._rows

    def add(self, path: Path, project: Project) -> None:
        """Put a project on top."""
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        row = Recent(str(path.absolute()), path.stem, about(project), now)
        self._keep((row, *(r for r in self._rows if r.path != row.path)))

    def drop(self, path: str) -> None:
        """Take a project off the list; its file is left alone."""
        self._keep(tuple(r for r in self._rows if r.path != path))

    def _keep(self, rows: tuple[Recent, ...]) -> None:
        self._rows = rows[:KEPT]
        if self._settings is not None:
            self._settings.setValue(KEY, json.dumps([asdict(r) for r in self._rows]))

    def _read(self) -> tuple[Recent, ...]:
        """What was remembered; a list that cannot be understood is none."""
        if self._settings is None:
            return ()
        try:
            told = json.loads(str(self._settings.value(KEY, "[]")))
            rows = tuple(Recent(*(str(one[k]) for k in ("path", "name", "about", "when"))) for one in told)
            for row in rows:
                datetime.fromisoformat(row.when)
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
        sayings.raters(ratings),
    ]
    if any(a.fit is not None for a in project.analyses):
        parts.append(_("results"))
    return " · ".join(part for part in parts if part)


def ago(moment: str, now: datetime) -> str:
    """How long ago a day was, as people say it: ``today, 14:02``, ``2 days ago``, ``12 March``."""
    then = datetime.fromisoformat(moment)
    days = (now.date() - then.date()).days
    if days <= 0:
        return _("today, {then}").format(then=f"{then:%H:%M}")
    if days == 1:
        return _("yesterday, {then}").format(then=f"{then:%H:%M}")
    if days < 14:
        return _("{days} days ago").format(days=days)
    if days < 35:
        return _("{weeks} weeks ago").format(weeks=days // 7)
    return numbers.day(then) if now - then < timedelta(days=300) else numbers.date(then)
