"""Numbers of one class or rater as they are read: the letter, and whose it is in quotation marks."""

import re

from tapdesk.language import gettext as _


def read_as(name: str) -> str:
    """A number as it is read: ``t “Fall”`` for ``t[Fall]``; one without brackets as it stands."""
    found = re.fullmatch(r"(?s)(\w+)\[(.*)\]", name)
    return _("{symbol} “{of}”").format(symbol=found[1], of=found[2]) if found else name
