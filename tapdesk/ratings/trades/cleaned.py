"""Tables of this program's own, which say themselves how they are read."""

from types import MappingProxyType

from tapdesk.language import gettext as _
from tapdesk.ratings.grid import FileCells
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.trades.export import Export, Settled

# Where the table stands, which is known before its columns are looked at.
_FRAME = ("header", "header_rows", "last")


def own_table(loaded: FileCells) -> Export | None:
    """A table that this program wrote with a record of how it is read; None for all others."""
    if not loaded.recalled:
        return None
    options = MappingProxyType(dict(loaded.recalled))

    def settle(_table: RatingTable, _options: ReadingOptions) -> Settled:
        return Settled(options, _("It says itself how it is read, so nothing is guessed."))

    frame = MappingProxyType({name: options[name] for name in _FRAME if name in options})
    return Export("tapdesk", settle, frame=frame)
