"""The colours a class can be given: few, and told apart by every kind of colour vision.

They are those of M. Okabe and K. Ito (Color Universal Design, 2008) with a grey; their black and yellow are left out,
for these vanish on the dark and on the light ground of the window. A colour is never the only carrier of what it says:
the name of the class always stands beside it.
"""

from collections.abc import Mapping
from types import MappingProxyType

from tapdesk.language import gettext as _

COLOURS: Mapping[str, str] = MappingProxyType(
    {
        "orange": "#E69F00",
        "sky": "#56B4E9",
        "green": "#009E73",
        "blue": "#0072B2",
        "vermilion": "#D55E00",
        "pink": "#CC79A7",
        "grey": "#5E5E5E",
    }
)
"""By the name that projects keep, the colour on screen and paper."""


def in_words(name: str) -> str:
    """A colour in words, in the language of the reader."""
    words = {
        "orange": _("orange"),
        "sky": _("sky blue"),
        "green": _("green"),
        "blue": _("blue"),
        "vermilion": _("red-orange"),
        "pink": _("pink"),
        "grey": _("grey"),
    }
    return words.get(name, name)
