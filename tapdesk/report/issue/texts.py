"""Every text a report prints, in order: what a digest is made of, and where names can be looked for."""

import hashlib
import re
from collections.abc import Iterable, Iterator

from tapdesk.report.report import Blank, Block, Heading, Paragraph, Report, Signature, Table


def texts(report: Report) -> Iterator[str]:
    """All texts of a report; of figures the title and the words for those who cannot see them."""
    yield from (report.kind, report.title, report.subtitle, report.status, report.author)
    for name, value in report.record:
        yield from (name, value)
    for section in report.sections:
        yield section.title
        for block in section.blocks:
            yield from _block(block)


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


def digest(report: Report) -> str:
    """Thirty-two hexadecimal digits that change with any printed word or number."""
    made = hashlib.sha256()
    for text in texts(report):
        made.update(text.encode("utf-8", "surrogatepass"))
        made.update(b"\x00")
    return made.hexdigest()[:32]


def names_left(report: Report, names: Iterable[str]) -> tuple[str, ...]:
    """Those of some names that a report still holds as whole words: what to look at before codes are relied on."""
    whole = "\n".join(texts(report))
    return tuple(name for name in names if len(name) > 1 and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", whole))
