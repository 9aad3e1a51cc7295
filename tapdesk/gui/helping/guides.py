"""What explains the program in the program: the pages of help, the tour, what it is."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from tapdesk.gui import dialogs
from tapdesk.gui.helping.tour import Tour, Toured
from tapdesk.gui.look.theme import Theme
from tapdesk.language import gettext as _
from tapdesk.version import VERSION

if TYPE_CHECKING:
    from tapdesk.gui.helping.help_window import Help


class Guides(QObject):
    """Help, tour and version.

    Parameters
    ----------
    theme
        Of the pages of help.
    window
        Their parent.
    toured
        Where the tour leads through.
    """

    def __init__(self, theme: Theme, window: QWidget, toured: Toured) -> None:
        super().__init__(window)
        self._theme, self._window = theme, window
        self.tour = Tour(toured)
        self.page: Help | None = None

    def help(self) -> None:
        """Open the pages of help."""
        # Late: nobody needs help before there is a window.
        from tapdesk.gui.helping.help_window import Help

        if self.page is None:
            self.page = Help(self._theme, self._window)
        self.page.open_page()

    def about(self) -> None:
        """Tell what the program is."""
        words = _("tapdesk tells how much of the agreement between raters is knowledge and how much is luck.")
        version = _("Version {version}. It opens no connection.").format(version=VERSION)
        dialogs.inform(self._window, _("About tapdesk"), f"{words}\n\n{version}")
