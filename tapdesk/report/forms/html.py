"""A report as one web page that needs nothing else: same order, same numbers, figures drawn inside."""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from html import escape as escaped
from html import unescape
from typing import Any

from tapdesk import resources
from tapdesk.answers.content import (
    Align,
    Blank,
    Block,
    Heading,
    Paragraph,
    Picture,
    RowPicture,
    RowPictures,
    Signature,
    Table,
    Tone,
)
from tapdesk.answers.fonts import steady
from tapdesk.answers.numbers import DASH
from tapdesk.answers.svg.draw import WIDTH, head_lines, svg
from tapdesk.answers.svg.style import LOOKS, Shape, palette
from tapdesk.language import gettext as _
from tapdesk.report.issue.texts import check
from tapdesk.report.report import Report, Section, in_its_language

_MIME = {"png": "image/png", "jpg": "image/jpeg", "svg": "image/svg+xml"}
_BETWEEN = 16.0
# A telephone is this wide between its margins: a wide drawing made smaller could not be read there.
_PHONE = 340.0
_FEWEST_LISTED = 4
_TAGS = re.compile(r"<[^>]*>")

# No address, no script, no face from elsewhere: the page can be kept and read without a network.
_STYLE = """
:root { color-scheme: light; }
body { font: 1.05rem/1.5 Georgia, "Libertinus Serif", serif; color: #111; background: #fff; max-width: 46rem;
  margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
body.wide { max-width: 64rem; }
h1, h2, h3, table, .kind, dl, nav, footer { font-family: Inter, "Segoe UI", Arial, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; } h2 { font-size: 1.35rem; margin-top: 2.4rem; } h3 { font-size: 1.05rem; }
.kind { color: #14607A; font-weight: 600; margin: 0; } .subtitle, footer, .prompt { color: #555; }
.logo { float: right; max-height: 4rem; max-width: 12rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; font-size: .85rem;
  border-top: 2px solid; border-bottom: 1px solid; padding: .6rem 0; }
dt { color: #555; } dd { margin: 0; }
.lead { font-size: 1.15rem; } .formula { font-style: italic; margin-left: 2rem; }
.boxed, .warning { border-left: 4px solid #14607A; padding-left: 1rem; font-size: .95rem; }
.warning { border-color: #855400; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .82rem; font-variant-numeric: tabular-nums;
  border-top: 2px solid; border-bottom: 2px solid; margin-top: .4rem; }
caption { text-align: left; font-family: Georgia, serif; font-size: 1rem; font-style: italic; }
caption b, figcaption b { display: block; font: 600 .85rem Inter, Arial, sans-serif; }
th { font-weight: 500; border-bottom: 1px solid; } th, td { text-align: left; padding: .22rem .8rem .22rem 0;
  vertical-align: top; } tbody th { border: 0; }
/* A number that is broken over two lines reads as two numbers; a table that is too wide is moved sideways. */
thead th { overflow-wrap: normal; } tbody th { min-width: 6rem; } tbody th:has(.symbol) { min-width: 0; }
.scale { padding: 0 .5rem; } .scale span { display: flex; justify-content: space-between; width: 6.4rem; }
tr.parted > * { border-top: 1px solid #999; } .strong { font-weight: 600; } td svg { vertical-align: middle; }
.right { text-align: right; padding-right: .3rem; padding-left: .5rem; white-space: nowrap; }
.symbol { font-weight: 600; font-style: italic; } .totals > * { border-top: 1px solid; }
figure { margin: 1.6rem 0; } figcaption { font-style: italic; } figure svg { max-width: 100%; height: auto; }
.panels { display: grid; gap: 1rem; } .phone { display: none; }
nav ul { columns: 2; list-style: none; padding: 0; font-size: .9rem; } nav li { margin: .2rem 0; }
nav a { color: #14607A; display: inline-block; padding: .15rem 0; }
.scroll:focus-visible, a:focus-visible { outline: 2px solid #14607A; outline-offset: 2px; }
 .note { font-size: .85rem; } .prompt { font-style: italic; }
.ruled { border-bottom: 1px solid #999; height: 1.6rem; }
.signature { margin: 2rem 0; } .signature ul { display: grid; grid-template-columns: 1.6fr 1.6fr 1fr; gap: 1.5rem;
  list-style: none; padding: 3rem 0 0; } .signature li { border-top: 1px solid; font-size: .8rem; color: #555; }
/* On a telephone panels stand one below the other. */
@media screen and (max-width: 40rem) { .desk { display: none; } .phone { display: block; } nav ul { columns: 1; }
  .panels { grid-template-columns: 1fr !important; }
  dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; }
  caption { max-width: calc(100vw - 2rem); }
  .signature ul { grid-template-columns: 1fr; gap: 3rem; padding-left: 0; } .formula { margin-left: 0; } }
@media print { body { max-width: none; } h2, h3, caption, figcaption { break-after: avoid; }
  figure, tr, .signature, .blank { break-inside: avoid; } thead { display: table-header-group; } }
"""
_FRAGMENT = ":scope { max-width: 52rem; padding: .5rem 1rem; color: #1b1b1b; background: white; }\n"


@in_its_language
def html(report: Report) -> bytes:
    """The report as one self-contained file of HTML."""
    numbers = _Numbers(frozenset(section.key for section in report.sections))
    head = [
        "<!DOCTYPE html>",
        f'<html lang="{escape(report.language)}">',
        '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(report.title)}</title>",
        f'<meta name="generator" content="tapdesk"><meta name="keywords" content="{escape(report.fingerprint)}">',
        f"<style>{_STYLE}</style></head>",
        '<body class="wide">' if report.wide else "<body>",
        "<header>",
        *_logo(report),
        f'<p class="kind">{escape(report.kind)}</p>',
        f"<h1>{escape(report.title)}</h1>",
        f'<p class="subtitle">{escape(report.subtitle)}</p>',
        "<dl>" + "".join(f"<dt>{escape(n)}</dt><dd>{escape(v)}</dd>" for n, v in report.record) + "</dl>",
        "</header>",
        *_contents(report),
        "<main>",
    ]
    body = [line for section in report.sections for line in _section(section, numbers)]
    check(report, ((_("the web page"), steady(_TAGS.sub("\n", unescape(line)))) for line in body))
    foot = f"<footer><p>{_('Data fingerprint')} {escape(report.fingerprint)}</p></footer>" if report.fingerprint else ""
    return "\n".join([*head, *body, "</main>", foot, "</body></html>", ""]).encode("utf-8", "replace")


def fragment(blocks: Sequence[Block]) -> str:
    """Blocks as HTML to be put into another page, such as the output of a cell of a notebook.

    Parameters
    ----------
    blocks
        What is said, in order; numbered tables and figures count from 1.

    Returns
    -------
    str
        One element with its own style, which holds inside it alone, white in a dark page too.
    """
    numbers = _Numbers(frozenset())
    lines = [line for block in blocks for line in _WRITERS[type(block)](block, numbers)]
    return "\n".join([f'<div class="tapdesk"><style>@scope {{ {_FRAGMENT}{_STYLE} }}</style>', *lines, "</div>"])


def escape(text: str) -> str:
    """A text that can become no markup, and in which a name from right to left does not turn the numbers round."""
    return escaped(steady(text))


class _Numbers:
    """Counts headings, tables and figures as they come; knows which sections there are."""

    def __init__(self, keys: frozenset[str]) -> None:
        self.keys = keys
        self.counts: dict[str, int] = {}

    def next(self, what: str) -> int:
        self.counts[what] = self.counts.get(what, 0) + 1
        return self.counts[what]


def _logo(report: Report) -> list[str]:
    if report.logo is None:
        return []
    data = b64encode(report.logo.content).decode()
    source = f"data:{_MIME[report.logo.kind]};base64,{data}"
    return [f'<img class="logo" alt="{escape(report.logo.alt)}" src="{source}">']


def _contents(report: Report) -> list[str]:
    """The way to each section, where there are so many that they are not seen at once."""
    if len(report.sections) < _FEWEST_LISTED:
        return []
    numbers = _Numbers(frozenset())
    lines = []
    for section in report.sections:
        number = f"{numbers.next('section')} " if section.numbered else ""
        lines.append(f'<li><a href="#{escape(section.key)}">{number}{escape(section.title)}</a></li>')
    return [f'<nav aria-label="{_("Contents")}"><ul>', *lines, "</ul></nav>"]


def _section(section: Section, numbers: _Numbers) -> Iterator[str]:
    number = f"{numbers.next('section')} " if section.numbered else ""
    yield f'<section id="{escape(section.key)}"><h2>{number}{escape(section.title)}</h2>'
    for block in section.blocks:
        yield from _WRITERS[type(block)](block, numbers)
    yield "</section>"


def _paragraph(block: Paragraph, numbers: _Numbers) -> Iterator[str]:
    del numbers
    style = "" if block.tone is Tone.BODY else f' class="{block.tone.value}"'
    symbol = ' class="symbol"' if block.opening in {"t", "a", "p"} else ""
    opening = f"<b{symbol}>{escape(block.opening)}</b> " if block.opening else ""
    yield f"<p{style}>{opening}{escape(block.text)}</p>"


def _heading(block: Heading, numbers: _Numbers) -> Iterator[str]:
    del numbers
    yield f"<h3>{escape(block.text)}</h3>"


def _table(block: Table, numbers: _Numbers) -> Iterator[str]:
    block = block.printed()
    called = _("Table {number}").format(number=numbers.next("table"))
    caption = f"<b>{called}</b>{escape(block.title)}"
    # What may have to be moved sideways is reached by the keyboard, and says what it is.
    yield f'<div class="scroll" tabindex="0" role="region" aria-label="{called}"><table><caption>{caption}</caption>'
    if block.headed:
        cells = "".join(
            _scale(block, i)
            # A head that says nothing is none.
            + (f'<th scope="col"{_right(block, i)}>{escape(c.title)}</th>' if c.title else "<td></td>")
            for i, c in enumerate(block.columns)
        )
        yield f"<thead><tr>{cells}</tr></thead>"
    yield "<tbody>"
    for at, row in enumerate(block.rows):
        totals = ' class="totals"' if block.totals and at == len(block.rows) - 1 else ""
        if block.drawn is not None:
            yield _drawn_row(block, block.drawn, at, numbers.keys)
            continue
        yield f"<tr{totals}>" + "".join(_cell(block, i, cell, numbers.keys) for i, cell in enumerate(row)) + "</tr>"
    yield "</tbody></table></div>"
    yield from _note(block.note)


def _cell(table: Table, column: int, text: str, keys: frozenset[str]) -> str:
    symbol = table.columns[column].symbol and text in {"t", "a", "p"}
    inside = f'<span class="symbol">{escape(text)}</span>' if symbol else escape(text)
    if table.columns[column].page and text not in keys:
        inside = DASH
    elif table.columns[column].page:
        # A web page has no pages: the way to the section stands there.
        inside = f'<a href="#{escape(text)}" aria-label="{escape(table.columns[column].title)}: {escape(text)}">→</a>'
    if column == 0 and table.columns[0].align is Align.LEFT:
        return f'<th scope="row">{inside}</th>'
    return f"<td{_right(table, column)}>{inside}</td>"


def _scale(table: Table, column: int) -> str:
    """The head of the intervals that are drawn before a column; empty before others."""
    if table.drawn is None or column != table.drawn.before:
        return ""
    return '<th class="scale"><span>' + "".join(f"<b>{escape(end)}</b>" for end in table.drawn.scale) + "</span></th>"


def _drawn_row(table: Table, drawn: RowPictures, at: int, keys: frozenset[str]) -> str:
    """A row with its interval and its mark, which say nothing that is not said in words beside them."""
    one = drawn.rows[at]
    colour = palette("print")[LOOKS[one.role].stroke]
    cells = [_cell(table, i, cell, keys) for i, cell in enumerate(table.rows[at])]
    if one.strong:
        cells[0] = cells[0].replace("<th ", '<th class="strong" ', 1)
    icon = resources.path("icons", f"mark-{one.mark}.svg").read_text(encoding="utf-8").strip()
    icon = icon.replace("<svg ", f'<svg aria-hidden="true" style="color: {colour}" ', 1)
    cells[drawn.marked] = cells[drawn.marked].replace("<td>", f"<td>{icon} ", 1)
    cells.insert(drawn.before, f'<td class="scale">{_interval(one, colour)}</td>')
    parted = ' class="parted"' if at and drawn.rows[at - 1].mark != one.mark else ""
    return f"<tr{parted}>" + "".join(cells) + "</tr>"


def _interval(one: RowPicture, colour: str) -> str:
    """An interval on the scale from 0 to 1 as a small drawing."""
    lines = [f'<path d="M{4 + 100 * x:g} 0v16" stroke="#ccc"/>' for x in (0, 0.5, 1)]
    if one.low is not None and one.high is not None:
        low, high = (round(4 + 100 * x, 1) for x in (one.low, one.high))
        dashes = ' stroke-dasharray="3 2.4"' if one.value is None else ""
        lines.append(f'<path d="M{low:g} 8H{high:g}"{dashes}/><path d="M{low:g} 4v8M{high:g} 4v8"/>')
    if one.value is not None:
        at = round(4 + 100 * one.value, 1)
        look = LOOKS[one.role]
        fill = colour if look.filled else "white"
        lines.append(
            {
                Shape.CIRCLE: f'<circle cx="{at:g}" cy="8" r="3.4" fill="{fill}"/>',
                Shape.DIAMOND: f'<path d="M{at:g} 4l4 4-4 4-4-4z" fill="{fill}"/>',
                Shape.SQUARE: f'<rect x="{at - 3:g}" y="5" width="6" height="6" fill="{fill}"/>',
            }[look.shape]
        )
    drawing = f'width="108" height="16" viewBox="0 0 108 16" fill="none" stroke="{colour}" stroke-width="1.6"'
    return f'<svg aria-hidden="true" {drawing}>' + "".join(lines) + "</svg>"


def _right(table: Table, column: int) -> str:
    return ' class="right"' if table.columns[column].align is Align.RIGHT else ""


def _note(note: str) -> Iterator[str]:
    if note:
        yield f'<p class="note"><i>{_("Note.")}</i> {escape(note)}</p>'


def _picture(block: Picture, numbers: _Numbers) -> Iterator[str]:
    yield f"<figure><figcaption><b>{_('Figure')} {numbers.next('figure')}</b>{escape(block.title)}</figcaption>"
    yield f'<div class="panels" style="grid-template-columns: repeat({block.columns}, 1fr)">'
    stacked = len(block.panels) > 1 and block.columns == 1
    width = (WIDTH - _BETWEEN * (block.columns - 1)) / block.columns
    head, small = (head_lines(block.panels, w) if block.headed else 0 for w in (width, _PHONE))
    for figure in block.panels:
        height = block.height + (28.0 if figure.x.title and stacked else 0.0)
        drawing = svg(figure, width=width, height=height, head=head).rstrip("\n")
        if width <= _PHONE:
            yield drawing
            continue
        narrow = svg(figure, width=_PHONE, height=height, head=small).rstrip("\n")
        yield f'<div class="desk">{drawing}</div><div class="phone">{narrow}</div>'
    yield "</div>"
    yield from _note(block.note)
    yield "</figure>"


def _blank(block: Blank, numbers: _Numbers) -> Iterator[str]:
    del numbers
    yield f'<div class="blank"><p class="prompt">{escape(block.prompt)}</p>'
    yield '<div class="ruled"></div>' * block.lines + "</div>"


def _signature(block: Signature, numbers: _Numbers) -> Iterator[str]:
    del numbers
    lines = "".join(f"<li>{w}</li>" for w in (_("Signature"), _("Name, printed"), _("Date and time")))
    yield f'<div class="signature"><p><b>{escape(block.role)}</b> {escape(block.meaning)}</p><ul>{lines}</ul></div>'


_WRITERS: dict[type[Block], Callable[[Any, _Numbers], Iterator[str]]] = {
    Paragraph: _paragraph,
    Heading: _heading,
    Table: _table,
    Picture: _picture,
    Blank: _blank,
    Signature: _signature,
}
