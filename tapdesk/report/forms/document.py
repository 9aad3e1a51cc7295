"""A report as the data its template reads: every text fit for print, every figure drawn."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tapdesk.answers import fonts
from tapdesk.answers.content import (
    Align,
    Blank,
    Block,
    Column,
    Heading,
    Paragraph,
    Picture,
    RowPictures,
    Signature,
    Table,
    Tone,
)
from tapdesk.answers.svg.draw import WIDTH, head_lines, svg
from tapdesk.answers.svg.style import LOOKS, Shape, palette
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext
from tapdesk.project.files.outputs import OutputKind, pdf_mark
from tapdesk.report.issue.facts import keywords
from tapdesk.report.issue.seal import EMPTY
from tapdesk.report.issue.seal import NAME as SEAL
from tapdesk.report.issue.texts import PARTS, digest, parts
from tapdesk.report.report import BRIEF, Report, Section, in_its_language

# Points between the margins of A4 in the faces of tables, and what lies between two columns.
_ROOM, _WIDE_ROOM = 415.0, 480.0
_GAP, _TINY = 9.0, 1e-6
_SIZE = 8.5
# A wide column may wrap its words; this much it needs.
_LEAST = 90.0
# What is drawn in the rows of a table: the scale, the mark before a word, the gap there, and how much smaller its
# words are.
_SCALE, _MARK, _DRAWN_GAP, _SMALLER = 62.0, 11.0, 5.2, 8.0 / _SIZE


def narrowed(table: Table, room: float = _ROOM) -> tuple[Table, ...]:
    """The table, or its parts where the columns do not fit beside each other in so many points."""
    table = table.printed()
    if table.drawn is not None:
        if _drawn_width(table) <= room:
            return (table,)
        table = replace(table, drawn=None)
    if _fits(table, room):
        return (table,)
    # Where only the heads are wide, one table with a key is read more easily than several parts.
    table = _keyed(table)
    if _fits(table, room):
        return (table,)
    name, *widths = (_width(table, i) for i in range(len(table.columns)))
    parts = _shared_out(widths, room - name)
    if len(parts) == 1:
        return (table,)
    # As wide as each other: what is said last, such as a verdict, stands beside what it is about, and not alone.
    limits = sorted(sum(widths[i : j + 1]) + _GAP * (j + 1 - i) for j in range(len(widths)) for i in range(j + 1))
    tried = (_shared_out(widths, limit) for limit in limits if limit >= max(widths) + _GAP)
    parts = next((one for one in tried if len(one) <= len(parts)), parts)
    return tuple(_part(table, (0, *columns), i, len(parts)) for i, columns in enumerate(parts))


def _shared_out(widths: Sequence[float], room: float) -> list[list[int]]:
    """The columns behind the first, as many beside each other as find room."""
    parts: list[list[int]] = [[]]
    left = room
    for i, width in enumerate(widths, start=1):
        if parts[-1] and width + _GAP > left + _TINY:
            parts.append([])
            left = room
        parts[-1].append(i)
        left -= width + _GAP
    return parts


def _fits(table: Table, room: float) -> bool:
    widths = [_width(table, i) for i in range(len(table.columns))]
    return len(widths) < 4 or sum(widths) + _GAP * (len(widths) - 1) <= room


def _drawn_width(table: Table) -> float:
    """What a table needs in whose rows something is drawn."""
    widths = [_width(table, i) for i in range(len(table.columns))]
    return _SMALLER * sum(widths) + _SCALE + _MARK + _DRAWN_GAP * len(widths)


def _keyed(table: Table) -> Table:
    """The table with its columns of numbers counted, and their heads explained in the note."""
    heads = [c.title for c in table.columns]
    numbered = [
        i
        for i, column in enumerate(table.columns)
        if i and column.align is Align.RIGHT and fonts.width(column.title, _SIZE) > _width(_headless(table), i)
    ]
    if len(numbered) < 3:
        return table
    columns = list(table.columns)
    for place, i in enumerate(numbered, start=1):
        columns[i] = replace(columns[i], title=str(place))
    meant = (_("{number} = {head}").format(number=place, head=heads[i]) for place, i in enumerate(numbered, start=1))
    key = joined(*meant, sep="; ")
    strip = _("Columns: {key}. {note}").format(key=key, note=table.note).strip()
    return replace(table, columns=tuple(columns), note=strip)


def _headless(table: Table) -> Table:
    return replace(table, columns=tuple(replace(c, title="") for c in table.columns))


def _width(table: Table, column: int) -> float:
    """What a column needs: its longest cell, or the least where its words may wrap."""
    cells = [table.columns[column].title, *(row[column] for row in table.rows)]
    needed = max(fonts.width(cell, _SIZE) for cell in cells)
    wraps = table.columns[column].wide or max(len(cell) for cell in cells) > 32
    return min(needed, _LEAST) if wraps else needed


def _part(table: Table, columns: tuple[int, ...], number: int, of: int) -> Table:
    title = table.title
    if number:
        title = _("{title} (columns continued, part {number} of {of})").format(title=title, number=number + 1, of=of)
    return Table(
        title,
        tuple(table.columns[i] for i in columns),
        tuple(tuple(row[i] for i in columns) for row in table.rows),
        table.note if number == of - 1 else "",
        headed=table.headed,
        totals=table.totals,
    )


# A word this long is given places to break, or it would run over the margin.
_LONGEST_WORD = 24
_LONGEST_IN_CELL = 12
_MOST_LISTED = 40
# Pixels between two panels beside each other.
_BETWEEN = 16.0


@dataclass(frozen=True, eq=False)
class _Setter:
    """Makes texts fit for print and remembers which characters could not be shown."""

    missing: set[str] = field(default_factory=set)
    room: float = _ROOM

    def text(self, text: str, most: int = _LONGEST_WORD) -> str:
        """The text with codes for what the faces lack, and places to break in very long words."""
        return " ".join(_breakable(word, most) for word in fonts.shown(text, self.missing).split(" "))

    def block(self, block: Block) -> dict[str, Any]:
        if isinstance(block, Paragraph):
            by_key = {"text": self.text(block.text), "opening": self.text(block.opening)}
            return {"is": "paragraph", "voice": block.tone.value, **by_key}
        if isinstance(block, Heading):
            return {"is": "heading", "text": self.text(block.text)}
        if isinstance(block, Blank):
            return {"is": "blank", "text": self.text(block.prompt), "lines": block.lines}
        if isinstance(block, Signature):
            return {"is": "signature", "role": self.text(block.role), "meaning": self.text(block.meaning)}
        return self.table(block) if isinstance(block, Table) else self.picture(block)

    def table(self, table: Table) -> dict[str, Any]:
        columns = [
            {
                "title": self.text(c.title),
                "right": c.align is Align.RIGHT,
                "wide": c.wide,
                "symbol": c.symbol,
                "page": c.page,
                "narrow": _narrow(table, i),
            }
            for i, c in enumerate(table.columns)
        ]
        return {
            "is": "table",
            "title": self.text(table.title),
            "columns": columns,
            "rows": [[self.text(cell, _LONGEST_IN_CELL) for cell in row] for row in table.rows],
            "note": self.text(table.note),
            "headed": table.headed,
            "totals": table.totals,
            "whole": table.whole,
            "beside": table.beside,
            "drawn": None if table.drawn is None else _drawn(table.drawn),
        }

    def picture(self, picture: Picture) -> dict[str, Any]:
        panels = []
        width = (WIDTH - _BETWEEN * (picture.columns - 1)) / picture.columns
        head = head_lines(picture.panels, width) if picture.headed else 0
        for figure in picture.panels:
            for label in (figure.x.title, figure.y.title, *(m.label for m in figure.marks)):
                fonts.shown(label, self.missing)
            stacked = len(picture.panels) > 1 and picture.columns == 1
            height = picture.height + (28.0 if figure.x.title and stacked else 0.0)
            drawing = svg(figure, width=width, height=height, head=head)
            panels.append({"svg": drawing, "alt": self.text(figure.alt)})
        return {
            "is": "picture",
            "title": self.text(picture.title),
            "note": self.text(picture.note),
            "panels": panels,
            "columns": picture.columns,
            "alt": " ".join(panel["alt"] for panel in panels),
        }

    def section(self, section: Section) -> dict[str, Any]:
        return {
            "key": section.key,
            "title": self.text(section.title),
            "numbered": section.numbered,
            "fresh": section.fresh,
            "kept": section.kept,
            "blocks": [
                self.block(part)
                for block in section.blocks
                for part in (narrowed(block, self.room) if isinstance(block, Table) else (block,))
            ],
        }


def _drawn(pictures: RowPictures) -> dict[str, Any]:
    """What is drawn in the rows of a table, in the colours of print."""
    colours = palette("print")
    rows = [
        {
            "value": one.value,
            "low": one.low,
            "high": one.high,
            "mark": one.mark,
            "tint": colours[LOOKS[one.role].stroke],
            "shape": (LOOKS[one.role].shape if LOOKS[one.role].filled else Shape.SQUARE).value,
            "strong": one.strong,
            "parted": at > 0 and pictures.rows[at - 1].mark != one.mark,
        }
        for at, one in enumerate(pictures.rows)
    ]
    return {"before": pictures.before, "marked": pictures.marked, "scale": list(pictures.scale), "rows": rows}


def _breakable(word: str, most: int) -> str:
    if len(word) <= _LONGEST_WORD:
        return word
    return "\u200b".join(word[i : i + most] for i in range(0, len(word), most))


def _narrow(table: Table, column: int) -> bool:
    """Whether a column may take what it needs, for its cells are all short."""
    cells = [row[column] for row in table.rows] + [table.columns[column].title]
    return max((len(cell) for cell in cells), default=0) <= 32


@in_its_language
def document(report: Report) -> dict[str, Any]:
    """Everything the template needs, as plain lists, texts and numbers."""
    setter = _Setter(room=_WIDE_ROOM if report.wide else _ROOM)
    brief = [setter.section(s) for s in report.sections if s.key.startswith(BRIEF)]
    sections = [setter.section(s) for s in report.sections if not s.key.startswith(BRIEF)]
    table = {
        "title": setter.text(report.title),
        "subtitle": setter.text(report.subtitle),
        "record": [[setter.text(name), setter.text(value)] for name, value in report.record],
        "status": setter.text(report.status),
        "author": setter.text(report.author),
    }
    if setter.missing and not sections:
        brief[-1]["blocks"].append(setter.block(Paragraph(_shown_by_code(setter.missing), Tone.BOXED)))
    elif setter.missing:
        sections.append(setter.section(_unprintable(setter.missing)))
    return {
        **table,
        "brief": brief,
        "sections": sections,
        "kind": setter.text(report.kind),
        "logo": {"kind": report.logo.kind, "alt": setter.text(report.logo.alt)} if report.logo is not None else None,
        "running": fonts.fitted(fonts.shown(report.title), 7.5, 320),
        "fingerprint": report.fingerprint,
        "keywords": _keywords(report),
        "date": [report.issued.year, report.issued.month, report.issued.day] if report.dated else None,
        "language": report.language,
        "paper": report.paper,
        "wide": report.wide,
        "contents": report.contents,
        "contents-word": _("Contents"),
        "page-word": _("Page {n} of {m}"),
        "annex-word": _("Technical annex"),
        "more-word": _("Then, in this order: {names}").format(names="{names}"),
        "fingerprint-word": _("Data fingerprint"),
        "note-word": _("Note."),
        "table-word": _("Table"),
        "figure-word": _("Figure"),
        "signature-words": [_("Signature"), _("Name, printed"), _("Date and time")],
    }


def _keywords(report: Report) -> list[str]:
    """What the file says of itself: what it is, and of a report what it can be verified by, with room for the seal."""
    if any(name == "mark" for name, _value in report.facts):
        return keywords(report.facts)
    mark = pdf_mark(OutputKind.REPORT, issued=report.final)
    if not report.facts:
        return keywords((mark,))
    return keywords((*report.facts, ("content", digest(report)), (PARTS, parts(report)), mark, (SEAL, EMPTY)))


def _shown_by_code(missing: set[str]) -> str:
    """That some characters are printed by their code: the one line there is room for in a brief."""
    return ngettext(
        "The fonts of this document lack {n} character, which is printed by its code.",
        "The fonts of this document lack {n} characters, which are printed by their codes.",
        len(missing),
    ).format(n=len(missing))


def _unprintable(missing: set[str]) -> Section:
    """What could not be shown, by code and name."""
    listed = sorted(missing)
    rows = tuple(
        (f"U+{ord(c):04X}", unicodedata.name(c, _("without name")).capitalize()) for c in listed[:_MOST_LISTED]
    )
    more = len(listed) - len(rows)
    table = Table(
        _("Characters shown by their code"),
        (Column(_("Code")), Column(_("Name"), wide=True)),
        rows,
        _("{n} more are not listed.").format(n=more) if more else "",
    )
    sentence = ngettext(
        "The fonts of this document lack {n} character that occurs in names or labels. It is printed by its code in "
        "brackets; nothing was left out of the analysis.",
        "The fonts of this document lack {n} characters that occur in names or labels. Each is printed by its code "
        "in brackets; nothing was left out of the analysis.",
        len(listed),
    ).format(n=len(listed))
    return Section("characters", _("Characters shown by their code"), (Paragraph(sentence, Tone.BODY), table))
