"""Every text a report prints, in order: what a digest is made of, and where names can be looked for."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from html import unescape
from itertools import chain

from tapdesk.language import gettext as _
from tapdesk.report.figure import Cells, Figure
from tapdesk.report.forbidden import guard, leaks
from tapdesk.report.report import Blank, Block, Heading, Paragraph, Picture, Report, Signature, Table

_TAGS = re.compile(r"<[^>]*>")


def texts(report: Report) -> Iterator[str]:
    """All texts of a report; of figures the title and the words for those who cannot see them."""
    return (text for _place, text in placed(report))


def placed(report: Report) -> Iterator[tuple[str, str]]:
    """All texts of a report, each after the place it stands in, as a reader finds it."""
    first = _("the first page")
    yield from ((first, text) for text in (report.kind, report.title, report.subtitle, report.status, report.author))
    for name, value in report.record:
        yield from ((_("the first page, “{name}”").format(name=name), text) for text in (name, value))
    for section in report.sections:
        within = _("section “{title}”").format(title=section.title)
        yield within, section.title
        for block in section.blocks:
            place = within
            if isinstance(block, Table | Picture):
                kind = _("table “{title}”") if isinstance(block, Table) else _("figure “{title}”")
                place = kind.format(title=block.title)
            yield from ((place, text) for text in _block(block))


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Paragraph):
        yield from (block.opening, block.text)
    elif isinstance(block, Heading):
        yield block.text
    elif isinstance(block, Blank):
        yield block.prompt
    elif isinstance(block, Signature):
        yield from (block.role, block.meaning)
    elif isinstance(block, Table):
        yield from (block.title, *(column.title for column in block.columns))
        for row in block.rows:
            yield from row
        yield block.note
    else:
        yield from (block.title, *(figure.alt for figure in block.panels), block.note)


def drawn(report: Report) -> Iterator[tuple[str, str]]:
    """The words drawn into the figures of a report, each after the place it stands in."""
    for section in report.sections:
        for block in section.blocks:
            if isinstance(block, Picture):
                place = _("figure “{title}”").format(title=block.title)
                yield from ((place, text) for figure in block.panels for text in figure_words(figure))


def figure_words(figure: Figure) -> Iterator[str]:
    """Every word of a figure."""
    yield from (figure.title, figure.note, figure.alt)
    for axis in (figure.x, figure.y):
        yield from (axis.title, *(words for _at, words in axis.ticks))
    for mark in figure.marks:
        yield mark.label
        if isinstance(mark, Cells):
            yield from (text for row in mark.texts for text in row)


def digest(report: Report) -> str:
    """Thirty-two hexadecimal digits that change with any printed word or number."""
    made = hashlib.sha256()
    for text in texts(report):
        made.update(text.encode("utf-8", "surrogatepass"))
        made.update(b"\x00")
    return made.hexdigest()[:32]


def check(report: Report, more: Iterable[tuple[str, str]] = ()) -> None:
    """Refuse a report that holds a name it calls by a code; every form of it comes through here.

    Parameters
    ----------
    report
        The report.
    more
        Texts of the form it takes, each after its place.

    Raises
    ------
    CannotAnswerError
        When a text holds such a name, or a piece of one.
    """
    if report.secrets.names:
        facts = ((_("what the file says of itself"), f"{name} {value}") for name, value in report.facts)
        guard(report.secrets, chain(placed(report), drawn(report), facts, more))


def within(value: object, place: str) -> Iterator[tuple[str, str]]:
    """Every text in lists and tables of data for a form, drawings without their marks."""
    if isinstance(value, str):
        yield place, _TAGS.sub("\n", unescape(value)) if value.startswith("<svg") else value
    elif isinstance(value, dict):
        title = value.get("title")
        inside = _("“{title}”").format(title=title) if isinstance(title, str) and title else place
        for part in value.values():
            yield from within(part, inside)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from within(part, place)


def names_left(report: Report) -> tuple[str, ...]:
    """Where a report holds names that it calls by codes: place and code, to be looked at before codes are relied on."""
    secrets = report.secrets
    found = (*leaks(secrets, secrets.typed, typed=True), *leaks(secrets, chain(placed(report), drawn(report))))
    return tuple(dict.fromkeys(_("{code} in {place}").format(code=one.code, place=one.place) for one in found))
