"""Reports as PDF and as pages, figures as files: one compiler (typst), offline, the same bytes for the same input.

The document is declared PDF/UA-1 and PDF/A-2a; typst enforces what it declares and fails otherwise. All text goes
in as data, never as markup, and characters the bundled faces lack are shown by their code and listed at the end.
"""

import ctypes
import json
import math
import mmap
import re
import sys
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typst

from tapdesk import resources
from tapdesk.answers import fonts
from tapdesk.answers.figure import HEIGHT, Figure
from tapdesk.answers.svg.draw import WIDTH, svg
from tapdesk.answers.svg.sheet import Sheet, sheet_svg
from tapdesk.answers.svg.style import palette
from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.project.files.outputs import OutputKind, pdf_mark, seal
from tapdesk.report.forms.document import document
from tapdesk.report.issue.facts import facts_of, keywords
from tapdesk.report.issue.seal import with_seal
from tapdesk.report.issue.texts import check, within
from tapdesk.report.report import Report


def sheet_file(sheet: Sheet, suffix: str, *, ppi: float = 144) -> bytes:
    """A sheet as ``.svg``, ``.png`` or ``.pdf``.

    Raises
    ------
    UsageError
        When there is no such kind of file.
    """
    drawing = sheet_svg(sheet)
    return drawing_file(drawing, suffix, title=sheet.title, alt=sheet.alt, width=sheet.across, ppi=ppi)


STANDARDS = ("a-2a", "ua-1")
# A pixel of a figure is three quarters of a point, as on the screen.
_POINTS = 0.75
# Pixels of a figure in an inch, and how little less than a whole pixel.
_CSS, _HAIR = 96.0, 0.01
# Dots an inch of a figure that cannot be a drawing.
_DOTS = 300.0
# Around a figure alone, in points.
_MARGIN = 9.0
_ROOT = re.compile(r'<svg xmlns="http://www.w3.org/2000/svg" width="([\d.]+)" height="([\d.]+)" viewBox="0 0 \1 \2"')
_SUFFIXES = (".svg", ".png", ".pdf")
# Compilations after which the compiler has forgotten one.
_REMEMBERED = 11
# Bytes a report of a few dozen pages may need.
_ROOM = 256 << 20


def pdf(report: Report, *, archive: bool = True) -> bytes:
    """The report as a tagged PDF/UA-1; with ``archive`` also PDF/A-2a, for long keeping.

    PDF/A asks for a date, and a draft without a recorded moment has none that is true: it is PDF/UA-1 alone.
    """
    standards = STANDARDS if archive and report.dated else STANDARDS[1:]
    options: dict[str, Any] = {"format": "pdf", "pdf_standards": list(standards)}
    if report.dated:
        options["timestamp"] = int(report.issued.timestamp())
    made = with_row_heads(_report(report, options)[0])
    return with_seal(made, facts_of) if report.facts else made


_ELEMENT = rb"\n(\d+) 0 obj\n<</Type/StructElem/S/"
_ROWS = re.compile(_ELEMENT + rb"TR/[^\n]*?/K\[((?:\d+ 0 R ?)+)\]")
_CELLS = re.compile(_ELEMENT + rb"T([DH])(?=/)([^\n]*)\nendobj")
_HEADS = re.compile(rb"Headers\[[^\]]*\]")
_SCOPE = b"Scope/Row"


def with_row_heads(made: bytes) -> bytes:
    """The PDF with the first cell of every row of a table as its head, which the compiler cannot be told.

    A screen reader says it before each number of the row. The list of heads that stood there, which is empty where
    there is none, is as long as what takes its place, so nothing else in the file moves.
    """
    cells = {int(m[1]): m for m in _CELLS.finditer(made)}
    changed = bytearray(made)
    for row in _ROWS.finditer(made):
        inside = [cells[n] for n in map(int, row[2].split()[::3]) if n in cells and b"/K[]" not in cells[n][3]]
        heads = _HEADS.search(inside[0][3]) if len(inside) > 1 and inside[0][2] == b"D" else None
        if heads is not None:
            first, start = inside[0], inside[0].start(3)
            changed[first.start(2) : first.end(2)] = b"H"
            room = heads.end() - heads.start()
            changed[start + heads.start() : start + heads.end()] = _SCOPE.ljust(room)
    return bytes(changed)


def pages(report: Report, *, ppi: float = 96) -> list[bytes]:
    """The pages of the report as PNG, from the same layout as the PDF."""
    return _report(report, {"format": "png", "ppi": ppi}, ppi)


def preview(report: Report, *, ppi: float) -> tuple[tuple[bytes, ...], dict[str, int]]:
    """The pages of the report as PNG, and the page each section begins on by its key."""
    _refuse_short_memory()
    path = resources.path("report", "report.typ")
    # Asked about a document, the compiler wants its file by name.
    compiler = typst.Compiler(str(path), **_surroundings(path), sys_inputs=_inputs(report, document(report), ppi))
    made: Any = compiler.compile(format="png", ppi=ppi)
    result = json.loads(compiler.query("<section>", field="value"))
    starts = {str(one["key"]): int(one["page"]) for one in result}
    return tuple(made if isinstance(made, list) else [made]), starts


def forget(*, all_of_it: bool = True) -> None:
    """Give back the memory that the compiler keeps of the last documents, some 10 MB a report.

    It remembers what it worked out until ten others were made without it. A command ends after its report; a window
    that is open all day would keep it.

    Parameters
    ----------
    all_of_it
        Whether nothing is kept; else what the document before the last one used and the last one did not is forgotten,
        and what does not change from one to the next need not be worked out anew.
    """
    compiler = typst.Compiler(**_surroundings(resources.path("report", "report.typ")))
    for _again in range(_REMEMBERED if all_of_it else _REMEMBERED // 2):
        compiler.compile(b"")
    if sys.platform == "linux":
        # What was freed lies among what is in use, and goes back to the system only when that is asked for.
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def _report(report: Report, options: dict[str, Any], ppi: float | None = None) -> list[bytes]:
    """The pages of a report, with the picture of the committee; refused where a name stands that may not be printed."""
    made = document(report)
    check(report, within(made, _("the pages")))
    if options["format"] == "pdf":
        for panel in _panels(made):
            panel["svg"] = _printable(panel["svg"])
    return _compiled("report.typ", _inputs(report, made, ppi), options)


def _panels(made: Any) -> Iterator[dict[str, Any]]:
    """Everything in the data of a report that holds a drawing."""
    if isinstance(made, dict):
        if "svg" in made:
            yield made
        for part in made.values():
            yield from _panels(part)
    elif isinstance(made, list | tuple):
        for part in made:
            yield from _panels(part)


def _printable(drawing: str) -> str:
    """The drawing, as a picture of dots where its letters are put together from several signs.

    The compiler writes each sign of a drawing by itself and knows no character for the second one of a cluster, as of
    Thai and Devanagari, which PDF/UA forbids. On the page such names are text; in a figure its alternative text has
    them.
    """
    match = _ROOT.match(drawing)
    if match is None or not fonts.CLUSTERED.search(drawing):
        return drawing
    across = float(match.group(1))
    data = {"svg": drawing, "alt": "-", "title": "-", "language": "en", "keywords": [], "ground": "", "margin": 0}
    data |= {"width": across * _POINTS}
    dots = _compiled("figure.typ", {"figure": json.dumps(data)}, {"format": "png", "ppi": _DOTS})[0]
    root = drawing[: match.end()] + ">"
    size = f'width="{match.group(1)}" height="{match.group(2)}"'
    return f'{root}<image {size} href="data:image/png;base64,{b64encode(dots).decode()}"/></svg>'


def _inputs(report: Report, made: dict[str, Any], ppi: float | None = None) -> dict[str, str]:
    """What the template of a report reads; ``ppi`` where the pages are made of pixels."""
    data: dict[str, Any] = {"report": made}
    if report.logo is not None:
        data["logo"] = list(report.logo.content)
    if ppi is not None:
        data["ppi"] = ppi
    return {name: json.dumps(value) for name, value in data.items()}


def figure_file(
    figure: Figure,
    suffix: str,
    *,
    width: float = WIDTH,
    height: float = HEIGHT,
    ppi: float = 192,
) -> bytes:
    """One figure with its title and note as ``.svg``, ``.png`` or ``.pdf``.

    Raises
    ------
    UsageError
        When there is no such kind of file.
    """
    drawing = svg(figure, width=width, height=height, caption=True)
    return drawing_file(drawing, suffix, title=figure.title, alt=figure.alt, width=width, ppi=ppi)


def drawing_file(drawing: str, suffix: str, *, title: str, alt: str, width: float, ppi: float = 192) -> bytes:
    """An SVG of ours as ``.svg``, ``.png`` or ``.pdf``.

    Parameters
    ----------
    drawing
        The SVG document.
    suffix
        Of the file.
    title, alt
        What it is, and what it shows, in words.
    width
        Of the drawing in pixels.
    ppi
        Pixels per inch of a PNG.

    Raises
    ------
    UsageError
        When there is no such kind of file.
    """
    if suffix.lower() not in _SUFFIXES:
        raise UsageError(
            _("A figure cannot be saved as '{suffix}'.").format(suffix=suffix),
            fix=_("Use one of {suffixes}.").format(suffixes=", ".join(_SUFFIXES)),
        )
    if suffix.lower() == ".svg":
        return seal(drawing.encode(), OutputKind.FIGURE)
    data = {
        "svg": drawing,
        "alt": alt,
        "title": title,
        "language": "en",
        "keywords": keywords((pdf_mark(OutputKind.FIGURE),)),
        "width": width * _POINTS,
        "margin": _MARGIN,
        "ground": palette("print")["surface"],
    }
    if suffix.lower() == ".png":
        # A drawing of 600 pixels is 450 points wide: 96 ppi gives one pixel for one.
        data |= _whole_pixels(drawing, width, ppi)
        picture = _compiled("figure.typ", {"figure": json.dumps(data)}, {"format": "png", "ppi": ppi})[0]
        return seal(picture, OutputKind.FIGURE)
    data["svg"] = _printable(drawing)
    options = {"format": "pdf", "pdf_standards": list(STANDARDS), "timestamp": 0}
    return _compiled("figure.typ", {"figure": json.dumps(data)}, options)[0]


def _whole_pixels(drawing: str, width: float, ppi: float) -> dict[str, str | float]:
    """The drawing on a ground that is a whole number of pixels wide and high, its width and its margin in points.

    The compiler draws an SVG into whole pixels and fits these into the room it has by taking the nearest: of 502 rows
    in a room of 501.25 one is lost, and with it the tops of letters, and so it is where the room begins at half a
    pixel. A hair less keeps it from rounding up.
    """
    match = _ROOT.match(drawing)
    if match is None:
        return {}
    across, high = (float(side) for side in match.groups())
    scale = width / across * ppi / _CSS
    pixels = [max(math.ceil(side * scale - _HAIR), 1) - _HAIR for side in (across, high)]
    w, h = (f"{side / scale:.6f}" for side in pixels)
    root = f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}"'
    point = _CSS / ppi * _POINTS
    margin = max(round(_MARGIN / point), 1) * point
    return {"svg": root + drawing[match.end() :], "width": pixels[0] * point, "margin": margin}


def _compiled(template: str, inputs: dict[str, str], options: dict[str, Any]) -> list[bytes]:
    """The pages of a template filled with data."""
    _refuse_short_memory()
    path = resources.path("report", template)
    made: Any = typst.compile(path.read_bytes(), **_surroundings(path), sys_inputs=inputs, **options)
    return made if isinstance(made, list) else [made]


def _refuse_short_memory() -> None:
    """Make sure of the memory the compiler needs: where it gets none it ends the whole program, unsaved work and all.

    Raises
    ------
    MemoryError
        When the system does not grant it.
    """
    try:
        mmap.mmap(-1, _ROOM).close()
    except OSError as refused:
        raise MemoryError from refused


def _surroundings(path: Path) -> dict[str, Any]:
    """Where a template may look: its own folder, and no fonts but ours and the compiler's own."""
    return {
        "root": str(path.parent),
        "font_paths": [str(resources.path("fonts"))],
        "ignore_system_fonts": True,
    }
