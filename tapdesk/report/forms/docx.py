"""A report as a document of Word: headings, tables with repeated heads and pictures with words for them, all by styles.

Committees edit their minutes there, so nothing is drawn that could be typed: what was text stays text, and a contents
list, another face or the numbers of pages are a matter of the styles.
"""

import io
import re
import zipfile
from collections.abc import Callable, Sequence
from datetime import UTC
from typing import Any

from tapdesk.answers.content import Align, Blank, Block, Heading, Paragraph, Picture, Signature, Table, Tone
from tapdesk.answers.svg.draw import WIDTH, head_lines, svg
from tapdesk.language import gettext as _
from tapdesk.project.files.outputs import OutputKind, sealed_workbook
from tapdesk.report.forms.xlsx import pageless, plain_text
from tapdesk.report.issue.texts import check
from tapdesk.report.report import Report, Section, in_its_language

PPI = 300.0
"""Dots an inch of the pictures: what printers of journals ask for."""
# Millimetres: sheet and margin.
_SHEETS = {"a4": (210.0, 297.0), "us-letter": (215.9, 279.4)}
_MARGIN = 24.0
# Of a table: letters in points, millimetres of a sign for each point, the edge of a cell, the signs of a line.
_SIZES = (10.0, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5)
_SIGN, _BESIDE, _LONG_LINE = 0.205, 2.0, 40
# Bold letters of the head are wider.
_BOLD = 1.2
# What the file says of itself holds no more signs.
_LONGEST = 255
_CORE = "docProps/core.xml"
_BOX = "\u2610"


@in_its_language
def docx(report: Report, kind: OutputKind = OutputKind.REPORT) -> bytes:
    """The report as a document of Word, the same bytes for the same report; ``kind`` is what its mark calls it."""
    # python-docx is loaded when the first document is made, not when the program starts.
    from docx import Document

    check(report)
    document = Document()
    _sheet(document, report)
    document.add_paragraph(plain_text(report.kind), style="Subtitle")
    document.add_heading(plain_text(report.title), 0)
    document.add_paragraph(plain_text(report.subtitle))
    _record(document, report)
    counts = {"table": 0, "figure": 0}
    for section in report.sections:
        _section(document, section, counts)
    return _settled(document, report, kind)


def _sheet(document: Any, report: Report) -> None:
    """Paper, margins, language, and what stands below each page."""
    from docx.oxml.ns import qn
    from docx.shared import Mm

    page = document.sections[0]
    wide, high = _SHEETS[report.paper]
    page.page_width, page.page_height = Mm(wide), Mm(high)
    page.left_margin = page.right_margin = page.top_margin = page.bottom_margin = Mm(_MARGIN)
    for language in document.styles.element.iter(qn("w:lang")):
        language.set(qn("w:val"), report.language)
    if report.fingerprint:
        page.footer.paragraphs[0].text = _("Data fingerprint {digits}").format(digits=report.fingerprint)
    page.header.paragraphs[0].text = plain_text(report.status)


def _record(document: Any, report: Report) -> None:
    """The record box: names and values."""
    rows = tuple((plain_text(name), plain_text(value)) for name, value in report.record)
    if not rows:
        return
    table = document.add_table(0, 2, style="Table Grid")
    for name, value in rows:
        cells = table.add_row().cells
        cells[0].text, cells[1].text = name, value


def _section(document: Any, section: Section, counts: dict[str, int]) -> None:
    title = document.add_heading(plain_text(section.title), 1)
    title.paragraph_format.page_break_before = section.fresh
    for block in section.blocks:
        _WRITERS[type(block)](document, block, counts)


def _paragraph(document: Any, block: Paragraph, counts: dict[str, int]) -> None:
    del counts
    style = {Tone.LEAD: "Intense Quote", Tone.WARNING: "Quote", Tone.BOXED: "Quote"}.get(block.tone, "Normal")
    made = document.add_paragraph(style=style)
    if block.opening:
        made.add_run(f"{plain_text(block.opening)} ").bold = True
    made.add_run(plain_text(block.text)).italic = True if block.tone is Tone.FORMULA else None


def _heading(document: Any, block: Heading, counts: dict[str, int]) -> None:
    del counts
    document.add_heading(plain_text(block.text), 2)


def _caption(document: Any, words: str) -> None:
    """What stands above a table or a picture, and on one page with it."""
    document.add_paragraph(plain_text(words), style="Caption").paragraph_format.keep_with_next = True


def _table(document: Any, block: Table, counts: dict[str, int]) -> None:
    """A table whose head is repeated on every page and no row of which is parted."""
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.shared import Mm, Pt

    block = pageless(block.printed())
    counts["table"] += 1
    _caption(document, _("Table {number}. {title}").format(number=counts["table"], title=block.title))
    rows = ([tuple(column.title for column in block.columns)] if block.headed else []) + [*block.rows]
    if not rows:
        return
    table = document.add_table(len(rows), len(block.columns), style="Table Grid")
    texts = [[plain_text(text) for text in row] for row in rows]
    size, widths = _columns(texts, _room(document))
    table.autofit = False
    for made, width in zip(table.columns, widths, strict=True):
        made.width = Mm(width)
    for at, (words, row) in enumerate(zip(texts, table.rows, strict=True)):
        for column, text, cell, width in zip(block.columns, words, row.cells, widths, strict=True):
            cell.text, cell.width = text, Mm(width)
            (paragraph,) = cell.paragraphs
            paragraph.paragraph_format.space_after = Pt(0)
            if column.align is Align.RIGHT:
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
            for run in paragraph.runs:
                run.bold = True if block.headed and not at else None
                run.font.size = Pt(size)
    _mark_rows(document, head=block.headed)
    _note(document, block.note)


def _room(document: Any) -> float:
    """Millimetres between the margins."""
    page = document.sections[0]
    return float((page.page_width - page.left_margin - page.right_margin) / 36_000)


def _columns(rows: Sequence[Sequence[str]], room: float) -> tuple[float, list[float]]:
    """The size of the letters in points, and the width of each column in millimetres.

    A cell stands on one line where there is room for all, in the largest letters in which it does; else words are never
    parted, and what has most words to a cell gets what is left.
    """
    head, *body = rows
    words = [
        max(_BOLD * _longest(title), *(_longest(text) for text in column))
        for title, *column in zip(head, *(body or [head]), strict=True)
    ]
    lines = [
        max(at_least, min(max(map(len, column)), _LONG_LINE))
        for at_least, column in zip(words, zip(*(body or [head]), strict=True), strict=True)
    ]

    def wide(signs: Sequence[float], size: float) -> list[float]:
        return [n * size * _SIGN + 2 * _BESIDE for n in signs]

    size = next((one for one in _SIZES if sum(wide(lines, one)) <= room), None)
    if size is not None:
        widths = wide(lines, size)
        return size, [width * room / sum(widths) for width in widths]
    size = next((one for one in _SIZES[2:] if sum(wide(words, one)) <= room), _SIZES[-1])
    least, wished = wide(words, size), wide(lines, size)
    left, more = room - sum(least), [a - b for a, b in zip(wished, least, strict=True)]
    if left <= 0 or not sum(more):
        return size, [width * room / sum(least) for width in least]
    return size, [a + left * b / sum(more) for a, b in zip(least, more, strict=True)]


def _longest(text: str) -> int:
    """The signs of the longest word, and room for one more: letters differ in width."""
    return max(map(len, text.split()), default=0) + 1


def _mark_rows(document: Any, *, head: bool) -> None:
    """Tell Word, and who reads aloud, which row of the last table is the head; no row is parted over two pages."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    table = document.element.body.findall(qn("w:tbl"))[-1]
    for at, row in enumerate(table.findall(qn("w:tr"))):
        properties = row.get_or_add_trPr()
        properties.append(OxmlElement("w:cantSplit"))
        if head and not at:
            properties.append(OxmlElement("w:tblHeader"))


def _note(document: Any, note: str) -> None:
    if note:
        made = document.add_paragraph()
        made.add_run(_("Note.")).italic = True
        made.add_run(" ")
        made.add_run(plain_text(note))


def _picture(document: Any, block: Picture, counts: dict[str, int]) -> None:
    """The panels of a picture one below the other, each with words for who cannot see it."""
    from docx.oxml.ns import qn
    from docx.shared import Mm

    from tapdesk.report.forms.pdf import drawing_file

    counts["figure"] += 1
    _caption(document, _("Figure {number}. {title}").format(number=counts["figure"], title=block.title))
    page = document.sections[0]
    room = Mm((page.page_width - page.left_margin - page.right_margin) / Mm(1))
    for figure in block.panels:
        head = head_lines((figure,), WIDTH) if block.headed else 0
        drawing = svg(figure, width=WIDTH, height=block.height + (28.0 if figure.x.title else 0.0), head=head)
        made = drawing_file(drawing, ".png", title=figure.title, alt=figure.alt, width=WIDTH, ppi=PPI)
        document.add_picture(io.BytesIO(made), width=room)
        about = [*document.element.body.iter(qn("wp:docPr"))][-1]
        about.set("descr", plain_text(figure.alt))
        about.set("title", plain_text(figure.title))
    _note(document, block.note)


def _blank(document: Any, block: Blank, counts: dict[str, int]) -> None:
    del counts
    document.add_paragraph(f"{_BOX} {plain_text(block.prompt)}")


def _signature(document: Any, block: Signature, counts: dict[str, int]) -> None:
    """Who signs what, and room for it."""
    del counts
    made = document.add_paragraph()
    made.add_run(f"{plain_text(block.role)} ").bold = True
    made.add_run(plain_text(block.meaning))
    made.paragraph_format.keep_with_next = True
    table = document.add_table(2, 3, style="Table Grid")
    _mark_rows(document, head=True)
    for cell, words in zip(table.rows[0].cells, (_("Signature"), _("Name, printed"), _("Date and time")), strict=True):
        cell.text = words


def _settled(document: Any, report: Report, kind: OutputKind) -> bytes:
    """The bytes with no trace of the clock, the date of the report in them, and their mark."""
    stamp = report.issued.astimezone(UTC).replace(tzinfo=None, microsecond=0)
    about = document.core_properties
    about.title, about.author = (plain_text(text)[:_LONGEST] for text in (report.title, report.author))
    about.language = report.language
    about.created = about.modified = stamp
    about.last_modified_by, about.comments, about.revision = "tapdesk", "", 1
    # A word to be replaced by the mark.
    about.keywords = "tapdesk"
    written = io.BytesIO()
    document.save(written)
    with zipfile.ZipFile(written) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts[_CORE] = re.sub(rb"<cp:keywords>[^<]*</cp:keywords>", b"", parts[_CORE])
    return sealed_workbook(parts.items(), kind, issued=kind is OutputKind.REPORT and report.final)


_WRITERS: dict[type[Block], Callable[[Any, Any, dict[str, int]], None]] = {
    Paragraph: _paragraph,
    Heading: _heading,
    Table: _table,
    Picture: _picture,
    Blank: _blank,
    Signature: _signature,
}
