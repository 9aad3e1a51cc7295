"""Every figure as a journal prints it: in grey, 80 millimetres wide, and what a reader could not read there."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from PIL import Image

from tapdesk.answers import fonts
from tapdesk.answers.figure import Figure, Size
from tapdesk.answers.figures.catalog import FIGURES, figures
from tapdesk.answers.svg.draw import height_at, svg
from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read
from tapdesk.report.forms.pdf import drawing_file
from tapdesk.studies.analysis import Request, analyse

COLUMN = Size(80.0, 200.0)
# A pixel of a drawing is three quarters of a point; below six points nobody reads.
_POINT, LEAST_POINTS = 0.75, 6.0
# Letters reach so far above and below their baseline, of their size.
_ABOVE, _BELOW, _TOUCH = 0.72, 0.2, 1.5
_TEXT = re.compile(r"<text ([^>]*)>([^<]*)</text>")
_FIELD = re.compile(r'([\w-]+)="([^"]*)"')
_VIEW = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
# What is drawn: a sample, the answer that is counted, and a model.
PANELS = (
    ("jury", ("gold",), "t-a-p"),
    ("jury", (), "t-a-p"),
    ("jury-panel", ("gold",), "t-aj-p"),
    ("audit", ("yes",), "t-aj-p"),
    ("paradox", (), "t-a-t"),
    ("fleiss-1971", (), "t-a-p"),
    ("dawid-skene-1979", (), "t-aj-p"),
    ("confusion-3x3", (), "t-a-p"),
    ("wine-cut2", (), "t-a-p"),
)


@dataclass(frozen=True)
class Text:
    """Words of a drawing and the box they fill."""

    words: str
    left: float
    top: float
    right: float
    bottom: float
    size: float


def panel(sample: str, counted: tuple[str, ...], name: str) -> tuple[Fit, Ratings]:
    """The ratings of a sample and a fit with intervals."""
    options = ReadingOptions(class1=counted) if counted else ReadingOptions()
    ratings = finish(read(f"sample:{sample}", options)).ratings
    return finish(analyse(ratings, Request(model(name)))), ratings


def drawn(fit: Fit, ratings: Ratings, kinds: tuple[str, ...] = ()) -> Iterator[Figure]:
    """Every figure of the catalog that these ratings support."""
    for row in FIGURES:
        if kinds and row.kind not in kinds:
            continue
        try:
            yield from figures(row.kind, fit, ratings)
        except CannotAnswerError:
            continue


def column_svg(figure: Figure) -> str:
    """The figure with its title and note at the width of a column."""
    return svg(figure, width=COLUMN.pixels, height=height_at(figure, COLUMN.pixels), caption=True)


def texts(drawing: str) -> list[Text]:
    """All words of a drawing with their boxes."""
    found = []
    for fields, words in _TEXT.findall(drawing):
        if not words.strip():
            continue
        of = dict(_FIELD.findall(fields))
        size, x, y, text = float(of["font-size"]), float(of["x"]), float(of["y"]), unescape(words)
        wide = fonts.width(text, size, bold="font-weight" in of)
        left = x - {"middle": wide / 2, "end": wide}.get(of.get("text-anchor", ""), 0.0)
        found.append(Text(text, left, y - _ABOVE * size, left + wide, y + _BELOW * size, size))
    return found


def faults(figure: Figure) -> list[str]:
    """What cannot be read of a figure in a column: words over words, outside, cut off, or too small."""
    drawing = column_svg(figure)
    own = (
        figure.title,
        figure.note,
        *(text for axis in (figure.x, figure.y) for text in (axis.title, *(words for _value, words in axis.ticks))),
        *(mark.label for mark in figure.marks),
    )
    view = _VIEW.search(drawing)
    assert view is not None
    width, height = map(float, view.groups())
    shown = texts(drawing)
    found = []
    for one in shown:
        if one.left < -_TOUCH or one.right > width + _TOUCH or one.top < -_TOUCH or one.bottom > height + _TOUCH:
            found.append(f"outside: {one.words!r}")
        if one.size * _POINT < LEAST_POINTS:
            found.append(f"small: {one.words!r} {one.size * _POINT:.1f} pt")
        # The words of a figure may be short for a name; what the drawing cuts stands nowhere in them.
        if "…" in one.words and not any(one.words in text for text in own):
            found.append(f"cut: {one.words!r}")
    for at, one in enumerate(shown):
        for other in shown[at + 1 :]:
            across = min(one.right, other.right) - max(one.left, other.left)
            down = min(one.bottom, other.bottom) - max(one.top, other.top)
            if across > _TOUCH and down > _TOUCH:
                found.append(f"over: {one.words!r} and {other.words!r}")
    return found


def grey(figure: Figure) -> Image.Image:
    """The figure as a picture without colour."""
    made = drawing_file(
        column_svg(figure), ".png", title=figure.title, alt=figure.alt, width=COLUMN.pixels, ppi=COLUMN.ppi
    )
    with Image.open(io.BytesIO(made)) as picture:
        whole = Image.new("RGB", picture.size, "white")
        whole.paste(picture, mask=picture.getchannel("A") if picture.mode == "RGBA" else None)
    return whole.convert("L")


def sheets(folder: Path, panels: tuple[str, ...] = (), kinds: tuple[str, ...] = ()) -> list[Path]:
    """A sheet for each panel with all its figures, four in a row."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for sample, counted, name in PANELS:
        if panels and sample not in panels:
            continue
        fit, ratings = panel(sample, counted, name)
        pictures = [grey(figure) for figure in drawn(fit, ratings, kinds)]
        across = max((p.width for p in pictures), default=1) + 24
        rows = [pictures[i : i + 4] for i in range(0, len(pictures), 4)]
        high = [max(p.height for p in row) + 24 for row in rows]
        sheet = Image.new("L", (4 * across, sum(high) + 1), 255)
        y = 0
        for row, tall in zip(rows, high, strict=True):
            for i, picture in enumerate(row):
                sheet.paste(picture, (i * across + 12, y + 12))
            y += tall
        target = folder / f"column-{sample}-{''.join(counted) or 'all'}.png"
        sheet.save(target)
        made.append(target)
    return made
