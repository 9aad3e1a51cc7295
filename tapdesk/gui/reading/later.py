"""What a part of the dataset pane shows when there is time for it, or when somebody looks at it."""

from collections.abc import Callable

from tapdesk.project.project import Project


class Later:
    """Holds a project back from being shown.

    Parameters
    ----------
    show
        Shows a project.
    """

    def __init__(self, show: Callable[[Project], None]) -> None:
        self._show = show
        self._held: Project | None = None

    @property
    def waits(self) -> bool:
        """Whether what is on screen is of the project before."""
        return self._held is not None

    def hold(self, project: Project) -> None:
        """Leave it for later."""
        self._held = project

    def drop(self) -> None:
        """Something newer is shown."""
        self._held = None

    def catch_up(self) -> None:
        """Show what was left for later."""
        if self._held is not None:
            self._show(self._held)
