"""What became of the cells of a file: ratings, missing codes, and what is left out for which reason."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


def _nothing() -> Mapping[str, int]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class AccountRow:
    """What became of the cells of one rater, of one sheet, or of all.

    Attributes
    ----------
    name
        Of the rater or the sheet; empty for all.
    cells
        Cells of the rating area with something in them; ratings, where cells count them.
    ratings
        How many of them are ratings of the analysis.
    missing
        How many hold a code for "no rating".
    left_out
        How many are left out, by reason.
    """

    name: str
    cells: int
    ratings: int
    missing: int
    left_out: Mapping[str, int] = field(default_factory=_nothing)


@dataclass(frozen=True, slots=True)
class Account:
    """The account of a reading.

    Attributes
    ----------
    total
        All cells of the rating area.
    raters
        By rater; empty where raters are not known or too many.
    sheets
        By sheet or file, where several were read as one.
    """

    total: AccountRow
    raters: tuple[AccountRow, ...] = ()
    sheets: tuple[AccountRow, ...] = ()
