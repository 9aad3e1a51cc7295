"""The picture of a committee on the first page: checked before it is taken."""

import re
from pathlib import Path

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.ratings.formats.files import read_refusal, refuse_what_is_no_file
from tapdesk.report.report import Logo

MOST_BYTES = 1_500_000
_STARTS = {"png": b"\x89PNG\r\n\x1a\n", "jpg": b"\xff\xd8\xff"}
# What makes an SVG more than a drawing: programs, pages inside, and whatever lies elsewhere.
_ALIVE = re.compile(
    rb"<\s*(script|foreignObject|iframe|animate|!ENTITY)|\bon\w+\s*=|(href|src)\s*=\s*[\"']\s*(?!#|data:image/(png|jpeg))",
    re.IGNORECASE,
)
_PAGE = b"""#set page(width: 60mm, height: 30mm)
#image(bytes(json(bytes(sys.inputs.logo))), format: sys.inputs.kind, height: 16mm)
"""
_OUTSIDE = re.compile(rb"url\(\s*[\"']?\s*(?!#)|@import", re.IGNORECASE)


def logo(path: str | Path, alt: str = "") -> Logo:
    """A picture from a file.

    Parameters
    ----------
    path
        A PNG, JPEG or SVG of at most 1.5 MB.
    alt
        Words for those who cannot see it; by default that it is the committee's logo.

    Raises
    ------
    TapdeskError
        When the file cannot be read, is something else, or is more than a drawing.
    """
    place = Path(path)
    try:
        refuse_what_is_no_file(place)
        content = place.read_bytes()
    except (OSError, ValueError) as error:
        raise read_refusal(error, place) from error
    made = drawing(content, str(place), alt)
    _tried(made, place)
    return made


def drawing(content: bytes, place: str = "", alt: str = "") -> Logo:
    """The bytes of a picture as a logo, after a look at its kind, its size, and whether it is only a drawing.

    Raises
    ------
    TapdeskError
        When it is something else.
    """
    kind = _kind(content)
    if kind is None:
        raise TapdeskError(_("This is not a picture a report can hold."), place, _("Use a PNG, JPEG or SVG file."))
    if len(content) > MOST_BYTES:
        raise TapdeskError(
            _("The picture is larger than 1.5 MB."), place, _("Save it smaller: 1,000 pixels across are enough.")
        )
    if kind == "svg" and (_ALIVE.search(content) or _OUTSIDE.search(content)):
        raise TapdeskError(
            _("This SVG holds more than a drawing: a program, or links to other places."),
            place,
            _("Save it as PNG and use that."),
        )
    return Logo(content, kind, alt or _("Logo of the committee"))


def _kind(content: bytes) -> str | None:
    for kind, start in _STARTS.items():
        if content.startswith(start):
            return kind
    return "svg" if b"<svg" in content[:4000] else None


def _tried(made: Logo, place: Path) -> None:
    """Set the picture on a page of its own: what cannot be drawn is refused now, not when the report is saved."""
    # typst is loaded when it is first needed, not when the program starts.
    import typst

    inputs = {"logo": str(list(made.content)), "kind": made.kind}
    try:
        typst.compile(_PAGE, ignore_system_fonts=True, format="png", ppi=20.0, sys_inputs=inputs)
    except typst.TypstError as error:
        raise TapdeskError(
            _("The picture is damaged or of a kind that cannot be drawn."), str(place), _("Save it again as PNG.")
        ) from error
