"""Every text a report prints, in order: what a digest is made of, and where names can be looked for."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import unescape
from itertools import chain

from tapdesk.answers.content import Blank, Block, Heading, Paragraph, Picture, Signature, Table
from tapdesk.answers.figure import Cells, Figure
from tapdesk.answers.forbidden import Secrets, guard, leaks
from tapdesk.language import gettext as _
from tapdesk.report.report import Report, Section

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


PARTS = "parts"


def parts(report: Report) -> str:
    """Six digits for each section and for each table and figure in it: what a later report is compared with."""
    return " ".join(
        f"{section.key}={'/'.join((_short(within_section), *map(_short, tables)))}"
        for section in report.sections
        for within_section, tables in [_of_section(section)]
    )


def _short(texts_: Iterable[str]) -> str:
    return hashlib.sha256("\x00".join(texts_).encode("utf-8", "surrogatepass")).hexdigest()[:6]


def _of_section(section: Section) -> tuple[list[str], list[list[str]]]:
    """The words of a section, and those of each of its tables and figures."""
    shown = [block for block in section.blocks if isinstance(block, Table | Picture)]
    words = [text for b in section.blocks if not isinstance(b, Table | Picture) for text in _block(b)]
    return [section.title, *words], [list(_block(block)) for block in shown]


def parts_that_differ(then: str, now: Report) -> tuple[str, ...]:
    """The tables, figures and sections of a report that are not those an earlier one told of, by title."""
    before = dict(part.split("=", 1) for part in then.split(" ") if "=" in part)
    differ: list[str] = []
    for section in now.sections:
        sentence = before.pop(section.key, "").split("/")
        words, shown = _of_section(section)
        titles = [b.title for b in section.blocks if isinstance(b, Table | Picture)]
        if sentence == [""]:
            differ.append(_("section “{title}” (not in the report)").format(title=section.title))
        elif len(sentence) != 1 + len(shown):
            differ.append(_("section “{title}”: another number of tables").format(title=section.title))
        else:
            rows = zip(sentence[1:], shown, titles, strict=True)
            differ += [_("“{title}”").format(title=title) for old, texts_, title in rows if old != _short(texts_)]
            if sentence[0] != _short(words):
                differ.append(_("words of section “{title}”").format(title=section.title))
    return (*differ, *(_("section “{key}” (only in the report)").format(key=key) for key in before))


def of_workbook(report: Report) -> Iterator[tuple[str, str]]:
    """The texts of the tables that stand in no page, each after its place."""
    for table in report.workbook:
        place = _("table “{title}”").format(title=table.title)
        yield from ((place, text) for text in _block(table))


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


def check_figures(panels: Iterable[Figure], secrets: Secrets) -> None:
    """Refuse figures that stand alone and hold a name they call by a code, as `check` does a report.

    Raises
    ------
    CannotAnswerError
        When a word of them holds such a name, or a piece of one.
    """
    # What the user wrote stands beside a report, not in a figure.
    places = ((_("figure “{title}”").format(title=panel.title), panel) for panel in panels)
    guard(replace(secrets, typed=()), ((place, text) for place, panel in places for text in figure_words(panel)))


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
    items = (*leaks(secrets, secrets.typed, typed=True), *leaks(secrets, chain(placed(report), drawn(report))))
    return tuple(dict.fromkeys(_("{code} in {place}").format(code=one.code, place=one.place) for one in items))
