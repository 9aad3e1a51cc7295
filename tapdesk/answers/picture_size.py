"""How large a picture is made: millimetres on paper, and dots of each inch of them."""

from dataclasses import dataclass

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _

# A pixel of a drawing is the 96th part of an inch, on screen and on paper.
_PIXELS = 96.0
_INCH = 25.4
NARROWEST, WIDEST = 60.0, 400.0
COARSEST, FINEST = 36.0, 1200.0


@dataclass(frozen=True, slots=True)
class Size:
    """Width and resolution of a picture; its text keeps its size, so that a narrow one can still be read.

    Attributes
    ----------
    millimetres
        Of the width. The usual is the width of the text of a report.
    ppi
        Dots of an inch, where the picture is made of dots.

    Raises
    ------
    UsageError
        When it is not between 60 and 400 millimetres wide or does not have 36 to 1,200 dots an inch.
    """

    millimetres: float = 158.75
    ppi: float = 192.0

    def __post_init__(self) -> None:
        if not NARROWEST <= self.millimetres <= WIDEST:
            raise UsageError(
                _("A picture cannot be {width:g} millimetres wide.").format(width=self.millimetres),
                fix=_("Choose {least:g} to {most:g} millimetres.").format(least=NARROWEST, most=WIDEST),
            )
        if not COARSEST <= self.ppi <= FINEST:
            raise UsageError(
                _("A picture cannot have {ppi:g} dots an inch.").format(ppi=self.ppi),
                fix=_("Choose {least:g} to {most:g} dots an inch.").format(least=COARSEST, most=FINEST),
            )

    @property
    def pixels(self) -> float:
        """The width in pixels of a drawing."""
        return self.millimetres / _INCH * _PIXELS


USUAL = Size()
