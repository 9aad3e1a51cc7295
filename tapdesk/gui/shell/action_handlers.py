"""What each action of the menus does in a window."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtGui import QAction

from tapdesk.gui.dataset.dataset_pane import DatasetPane
from tapdesk.gui.dataset.decisions_window import DecisionsWindow
from tapdesk.gui.help.tour import Guides
from tapdesk.gui.model.model_pane import ModelPane
from tapdesk.gui.report.report_pane import ReportPane
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.theme import ColourScheme, Theme
from tapdesk.language import gettext as _

_FINDING = ("find", "find_next", "find_before", "next_question")


class ActionTarget(Protocol):
    """What the menus act on: the window, as far as they know it.

    Attributes
    ----------
    theme, session
        Its look, and what is open.
    dataset, model, report
        The panes that actions belong to.
    decisions, guides
        The windows beside it.
    actions_
        The actions by key.
    """

    theme: Theme
    session: Session
    dataset: DatasetPane
    model: ModelPane
    report: ReportPane
    decisions: DecisionsWindow
    guides: Guides
    actions_: dict[str, QAction]

    def open_dialog(self) -> None:
        """Ask for a file and open it."""

    def paste(self) -> None:
        """Open the cells on the clipboard."""

    def save(self) -> None:
        """Save the project."""

    def save_as(self) -> None:
        """Save the project under another name."""

    def open_sample(self, name: str) -> None:
        """Open an example."""

    def close(self) -> bool:
        """Close the window, unless the user turns back."""

    def go(self, place: int) -> None:
        """Show a pane."""

    def cycle(self, by: int) -> None:
        """Put the keyboard on the next of menu, rail and pane."""

    def dress(self, look: ColourScheme | None = None, scale: int | None = None) -> None:
        """Change look or text size."""

    def run(self) -> None:
        """Run what is chosen."""

    def cancel(self) -> None:
        """Stop what is running."""

    def save_report(self) -> None:
        """Save the report."""

    def on_report(self, act: Callable[[], object]) -> None:
        """Go to the report and do something with it."""


def handlers(window: ActionTarget) -> dict[str, Callable[[], object]]:
    """The call behind each row of ``ACTIONS``, by its key."""
    stack = window.session.document.undo_stack

    def on_pane(place: int, act: Callable[[], object]) -> None:
        window.go(place)
        act()

    return {
        "open": window.open_dialog,
        "paste": window.paste,
        "save": window.save,
        "save_as": window.save_as,
        "decisions": window.decisions.show,
        "example": lambda: window.open_sample("jury"),
        "quit": window.close,
        "undo": stack.undo,
        "redo": stack.redo,
        "find": lambda: on_pane(0, window.dataset.find_bar.begin),
        "find_next": lambda: on_pane(0, lambda: window.dataset.find_bar.go(1)),
        "find_before": lambda: on_pane(0, lambda: window.dataset.find_bar.go(-1)),
        "next_question": lambda: on_pane(0, window.dataset.checks.next_question),
        "dataset": lambda: window.go(0),
        "model": lambda: window.go(1),
        "results": lambda: window.go(2),
        "report": lambda: window.go(3),
        "next_area": lambda: window.cycle(1),
        "previous_area": lambda: window.cycle(-1),
        "larger": lambda: window.dress(scale=window.theme.scale + 10),
        "smaller": lambda: window.dress(scale=window.theme.scale - 10),
        "usual": lambda: window.dress(scale=100),
        "light": lambda: window.dress(look=ColourScheme.LIGHT),
        "dark": lambda: window.dress(look=ColourScheme.DARK),
        "contrast": lambda: window.dress(look=ColourScheme.CONTRAST),
        "codes": lambda: window.session.naming.use(codes=window.actions_["codes"].isChecked()),
        "run": window.run,
        "cancel": window.cancel,
        "save_report": window.save_report,
        "print_report": lambda: window.on_report(window.report.export.print_report),
        "letters": lambda: window.on_report(window.report.export.letters),
        "report_words": lambda: window.on_report(lambda: window.report.words.show_at("title")),
        "verify": lambda: on_pane(3, window.report.export.ask_and_verify),
        "help": window.guides.help,
        "tour": window.guides.tour.begin,
        "about": window.guides.about,
    }


def enable(window: ActionTarget) -> None:
    """Say of every action whether it can be done now, and what undo and redo would do."""
    stack, made = window.session.document.undo_stack, window.actions_
    made["undo"].setEnabled(stack.canUndo())
    made["undo"].setText(_("&Undo {undoText}").format(undoText=stack.undoText()).strip())
    made["redo"].setEnabled(stack.canRedo())
    made["redo"].setText(_("&Redo {redoText}").format(redoText=stack.redoText()).strip())
    made["run"].setEnabled(window.model.run.isEnabled())
    made["cancel"].setEnabled(window.session.fitting.running or window.session.reading.running)
    for key in ("save_report", "print_report", "letters", "report_words", "save", "save_as", "decisions", *_FINDING):
        made[key].setEnabled(not window.session.document.empty)
    made["codes"].setChecked(window.session.naming.codes)
    for look in ColourScheme:
        made[look.value].setChecked(look is window.theme.look)
