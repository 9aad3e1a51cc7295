"""Writing a file so that it is either whole or not there; the project's file is written the same way."""

from tapdesk.project.files.batch import save_all
from tapdesk.project.files.saving import save

__all__ = ["save", "save_all"]
