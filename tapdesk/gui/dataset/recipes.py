"""Offers the choices made for an earlier file of the same shape, and remembers those made for this one."""

from datetime import datetime

from PySide6.QtCore import QObject, QSettings, Signal, Slot

from tapdesk.gui.shell.opening import OpenedForm, OpenedProject
from tapdesk.gui.shell.session import Session
from tapdesk.language import gettext as _
from tapdesk.project.project import Project
from tapdesk.project.recipes import (
    Recipe,
    add_recipe,
    apply_recipe,
    for_shape,
    options_for,
    recipe_of,
    recipes_of_text,
    recipes_text,
    shape_of,
)
from tapdesk.ratings.reading import Reading

KEY = "recipes"


class Recipes(QObject):
    """The recipes of one user; nothing of them is applied before the user says so.

    Attributes
    ----------
    changed
        There is something else to offer, or nothing more.
    offered
        A recipe for the file that was just opened; None where there is none.
    refusal
        What became of the last one that was used; empty while there is nothing to tell.
    """

    changed = Signal()

    def __init__(self, session: Session, settings: QSettings | None, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._settings = session, settings
        self._known = recipes_of_text(str(settings.value(KEY, "[]"))) if settings is not None else ()
        self._shape: tuple[str, ...] | None = None
        self._last: Project | None = None
        self._first: Reading | None = None
        self._made = False
        self._using: Recipe | None = None
        self.offered: Recipe | None = None
        self.refusal = ""
        session.opened.connect(self._on_opened)
        session.document.changed.connect(self._on_changed)
        session.reading.done.connect(self._on_read)
        session.reading.failed.connect(self._on_not_read)
        session.reading.cancelled.connect(self._on_not_read)

    def use(self) -> None:
        """Read the open file as the recipe says, and decide what it decided."""
        recipe, reading = self.offered, self._session.document.project.reading
        if recipe is None or reading is None:
            return
        self._using = recipe
        options = options_for(recipe, reading)
        if options != reading.asked:
            self._session.read_again(options)
        else:
            self._finish()

    def decline(self) -> None:
        """Leave the file as it was read."""
        self.offered, self.refusal = None, ""
        self.changed.emit()

    def _finish(self) -> None:
        recipe, self._using, self.offered = self._using, None, None
        if recipe is None:
            return
        document = self._session.document
        after, left = apply_recipe(document.project, recipe)
        if after is not document.project:
            document.do(_("The choices made for {name}").format(name=recipe.name), after)
        self.refusal = _("These choices do not fit this file: {left}").format(left=" ".join(left)) if left else ""
        self.changed.emit()

    @Slot(object)
    def _on_opened(self, opened: OpenedProject | None) -> None:
        reading = self._session.document.project.reading
        self._using, self.refusal, self._shape, self.offered = None, "", None, None
        self._last, self._first, self._made = self._session.document.project, reading, False
        if opened is None and reading is not None and reading.source.path is not None:
            self._shape = shape_of(reading)
            self.offered = for_shape(self._known, self._shape)
        self.changed.emit()

    @Slot(object)
    def _on_read(self, result: object) -> None:
        if self._using is not None and isinstance(result, Reading | OpenedForm):
            self._finish()

    @Slot()
    def _on_not_read(self) -> None:
        self._using = None

    @Slot()
    def _on_changed(self) -> None:
        project = self._session.document.project
        if self._shape is None or project is self._last or self._using is not None:
            return
        if not self._session.document.undo_stack.canUndo() and project.reading is not self._first:
            return  # another file, whose shape is told in a moment
        self._last = project
        when = datetime.now().astimezone().isoformat(timespec="seconds")
        recipe = recipe_of(project, self._shape, when)
        if recipe is not None:
            self._known, self._made = add_recipe(self._known, recipe), True
        elif self._made:
            # Everything was undone: what was remembered of this file was not meant.
            self._known, self._made = tuple(r for r in self._known if r.shape != self._shape), False
        else:
            return
        if self._settings is not None:
            self._settings.setValue(KEY, recipes_text(self._known))
        if self.offered is not None:
            # Whoever begins with choices of their own needs no offer any more.
            self.decline()
