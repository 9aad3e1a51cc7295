"""Tables and pictures on the clipboard, each in every form that other programs paste."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QByteArray, QMimeData, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from tapdesk.language import gettext as _
from tapdesk.ratings.formats.formulas import guarded
from tapdesk.report.figure import Figure
from tapdesk.report.signs import Number
from tapdesk.report.svg.draw import svg

WIDTH = 600.0
GROWN = 2  # pixels of a picture for one of its drawing: sharp also on paper


def _cell(words: str) -> str:
    """A cell as spreadsheets paste it; line breaks and tabs inside become blanks."""
    # A number with the decimal sign of this computer: a spreadsheet reads what is pasted by it.
    # A text that could be a formula stands behind an apostrophe, which is no part of it.
    return words.cell if isinstance(words, Number) else guarded(" ".join(words.split()))


def as_tsv(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as text: a line for each row, a tab between two cells."""
    return "\n".join("\t".join(_cell(w) for w in row) for row in [header, *rows]) + "\n"


def as_html(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table for programs that paste with a layout."""

    def line(tag: str, row: Sequence[str]) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(_cell(w))}</{tag}>' for w in row)}</tr>"

    body = "\n".join(line("td", row) for row in rows)
    return _('<meta charset="utf-8"><table>\n{line}\n{body}\n</table>').format(line=line("th", header), body=body)


def put_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Put a table on the clipboard, as text and with a layout."""
    data = QMimeData()
    data.setText(as_tsv(header, rows))
    data.setHtml(as_html(header, rows))
    QApplication.clipboard().setMimeData(data)


def put_picture(panels: Sequence[Figure]) -> None:
    """Put a picture on the clipboard as it is printed: an image of all panels, and of a single one the drawing."""
    drawings = [svg(p, width=WIDTH, height=p.height, theme="print", caption=True).encode() for p in panels]
    drawn = [QSvgRenderer(QByteArray(text.replace(b'"Inter, sans-serif"', b'"Inter"'))) for text in drawings]
    highs = [renderer.defaultSize().height() * GROWN for renderer in drawn]
    image = QImage(int(WIDTH * GROWN), sum(highs), QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for i, renderer in enumerate(drawn):
        renderer.render(painter, QRectF(0, sum(highs[:i]), WIDTH * GROWN, highs[i]))
    painter.end()
    data = QMimeData()
    data.setImageData(image)
    data.setText("\n".join(f"{panel.title} {panel.alt}".strip() for panel in panels))
    if len(drawings) == 1:
        data.setData("image/svg+xml", QByteArray(drawings[0]))
    QApplication.clipboard().setMimeData(data)
