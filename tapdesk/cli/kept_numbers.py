"""Numbers of questions as lines of a file that is gone on with.

It stands alone because `tapdesk.cli.questions` is about a whole form, and this about how one question is written down.
"""

import base64
from typing import Any

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.project.files.codec import DamagedError, Reader, Writer, pack, unpack
from tapdesk.studies.criteria import CriterionNumbers
from tapdesk.studies.parallel import FinishedPieces


class KeptNumbers:
    """Numbers of questions by the place of their question, written as plain values.

    Parameters
    ----------
    pieces
        What keeps the plain values.
    """

    def __init__(self, pieces: FinishedPieces) -> None:
        self._pieces = pieces
        self._read: dict[int, CriterionNumbers] = {}

    def __contains__(self, place: object, /) -> bool:
        """Whether that question is finished."""
        return place in self._pieces

    def __getitem__(self, place: int, /) -> CriterionNumbers:
        """Its numbers; refused as damaged where the file holds none."""
        if place not in self._read:
            self._read[place] = numbers_of_line(self._pieces[place])
        return self._read[place]

    def __setitem__(self, place: int, answer: CriterionNumbers, /) -> None:
        """Keep the numbers of a question."""
        self._pieces[place] = line_of(answer)
        self._read[place] = answer


def line_of(numbers: CriterionNumbers) -> dict[str, Any]:
    """The numbers of a question as plain values; arrays as the text of their bytes."""
    writer = Writer()
    plain = writer.plain(numbers)
    arrays = {name: base64.b64encode(pack(array)).decode() for name, array in writer.arrays.items()}
    return {"numbers": plain, "arrays": arrays}


def numbers_of_line(line: Any) -> CriterionNumbers:
    """The numbers of a question from `line_of`.

    Raises
    ------
    TapdeskError
        When that is none.
    """
    try:
        arrays = {name: unpack(base64.b64decode(text), name) for name, text in line["arrays"].items()}
        kept: CriterionNumbers = Reader(arrays.__getitem__).value(line["numbers"], CriterionNumbers)
    except (KeyError, TypeError, ValueError, AttributeError, DamagedError) as problem:
        raise TapdeskError(
            _("What is kept of a finished question cannot be read."),
            fix=_("Delete the file that ends in .unfinished, and start again."),
        ) from problem
    return kept
