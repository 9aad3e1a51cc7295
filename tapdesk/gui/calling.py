"""How the window calls raters: by their names, or by the codes the report uses."""

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from tapdesk.answers.naming import NAMES, Naming, RatersAs, naming
from tapdesk.answers.pseudonyms import coded_fit, coded_ratings
from tapdesk.fitting.fit import Fit
from tapdesk.gui.document import Data, Document
from tapdesk.models.parameters import ParameterName
from tapdesk.ratings.ratings import Ratings


class Calling(QObject):
    """Names or codes for everything but the open file itself, which is shown as it is.

    Attributes
    ----------
    changed
        Raters are called otherwise from now on.
    """

    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._known: tuple[Data | None, Naming] = (None, NAMES)
        self.codes = False

    def use(self, *, codes: bool) -> None:
        """Call raters by codes, or by their names."""
        if codes is not self.codes:
            self.codes = codes
            self.changed.emit()

    @property
    def names(self) -> Naming:
        """Code by name; empty where names are shown or raters are not known."""
        if not self.codes or self._document.empty:
            return NAMES
        data = self._document.data
        if self._known[0] != data:
            self._known = (data, naming(self._document.project, RatersAs.CODES))
        return self._known[1]

    def fit(self, fit: Fit) -> Fit:
        """A fit with its raters called so."""
        return coded_fit(fit, self.names) if self.names.codes else fit

    def ratings(self, ratings: Ratings) -> Ratings:
        """Ratings with their raters called so."""
        return coded_ratings(ratings, self.names)

    def parameter(self, name: ParameterName) -> str:
        """The name of a number that may belong to a rater."""
        return str(name if name.rater is None else replace(name, rater=self.names.rater(name.rater)))
