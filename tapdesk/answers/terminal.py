"""Tables and findings as plain lines for the terminal."""

import re
import textwrap
import unicodedata
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tapdesk.answers import fit_tables as tables
from tapdesk.answers import fit_words as words
from tapdesk.answers import misfit
from tapdesk.answers.content import Align, Paragraph, Table
from tapdesk.answers.part import Answer, Content, Missing, Part
from tapdesk.answers.question import headline
from tapdesk.language import gettext as _
from tapdesk.language import say
from tapdesk.ratings.findings import Finding
from tapdesk.ratings.reading import Reading

_WIDTH = 100
_GAP = "  "
_LONGEST = 60


def plain(text: str) -> str:
    """One line without control characters, so that no label of a file can steer the terminal."""
    kept = ("" if unicodedata.category(c) in {"Cc", "Cf", "Cs"} and c not in "\t\n" else c for c in text)
    return " ".join("".join(kept).split())


def cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    wide = sum(unicodedata.east_asian_width(c) in {"F", "W"} for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def table(shown: Table, width: int = _WIDTH) -> str:
    """A table in aligned columns, title above and note below."""
    body = [[_cut(plain(cell)) for cell in row] for row in shown.rows]
    head = [[plain(c.title) for c in shown.columns]] if shown.headed else []
    widths = [max((cells(row[i]) for row in head + body), default=0) for i in range(len(shown.columns))]
    lines = [plain(shown.title), ""] if shown.title else []
    ruler = "-" * (sum(widths) + len(_GAP) * (len(widths) - 1))
    for row in head:
        lines += [_row(row, widths, shown), ruler]
    for i, row in enumerate(body):
        if shown.totals and i == len(body) - 1:
            lines.append(ruler)
        lines.append(_row(row, widths, shown))
    if shown.note:
        lines += ["", *textwrap.wrap(plain(shown.note), width)]
    return "\n".join(lines)


# What is left of a number or an interval where a cell ends within it: "0.48 to", "[0.48,", "(0.4", "−".
_BROKEN = re.compile(r"[\[(]*[-−+]?\d[\d.,]*( ?%)?( (to?)?)?$|[\[(]+[-−+]?$|[-−+]$")
_ENDS = 3  # of an interval with its number


def _cut(cell: str) -> str:
    """A cell that is no longer than a line bears; it never ends within a number, which would be read as another one."""
    if len(cell) <= _LONGEST:
        return cell
    kept = cell[: _LONGEST - 1].rstrip()
    for _end in range(_ENDS):
        kept = _BROKEN.sub("", kept).rstrip() or kept
    return kept + "…"


def _row(row: list[str], widths: list[int], shown: Table) -> str:
    parts = []
    for cell, width, column in zip(row, widths, shown.columns, strict=True):
        space = " " * (width - cells(cell))
        parts.append(space + cell if column.align is Align.RIGHT else cell + space)
    return _GAP.join(parts).rstrip()


def paragraph(text: str, indent: str = "") -> str:
    """Sentences in lines of a readable length."""
    return textwrap.fill(plain(text), _WIDTH, initial_indent=indent, subsequent_indent=indent)


def parts(shown: Sequence[tuple[Part, Content | Missing]]) -> list[str]:
    """Parts as blocks of text, one after the other: the same sentences and tables as everywhere."""
    return [block for part, content in shown for block in _blocks(part, content)]


def _blocks(part: Part, content: Content | Missing) -> list[str]:
    sentences = [part.title] if part.headed else []
    if isinstance(content, Missing):
        sentences.append(paragraph(content.reason))
    for block in content.blocks:
        if isinstance(block, Paragraph):
            sentences.append(
                paragraph(block.text if not block.opening else f"{block.opening.rstrip('.')}: {block.text}")
            )
        elif isinstance(block, Table):
            sentences.append(table(block))
    return sentences


def fit(answer: Answer, shown: Sequence[tuple[Part, Content | Missing]]) -> str:
    """What one fit says, as the command line prints it: sentence first, then its parts.

    Parameters
    ----------
    answer
        The fit.
    shown
        The parts of the command with their contents (`tapdesk.answers.part.contents`).
    """
    title = _("{model}, {size}").format(model=answer.fit.model.name, size=words.size(answer.fit))
    blocks = [title, *(paragraph(sentence) for sentence in headline(answer)), *_misfit(answer), *parts(shown)]
    blocks.append(paragraph(words.not_said(answer.ratings, answer.fit.model.key)))
    return "\n\n".join(block for block in blocks if block.strip())


def _misfit(answer: Answer) -> list[str]:
    """The test of fit as the report tells it."""
    sentence = misfit.sentence(answer.side)
    return [paragraph(sentence)] if sentence else []


def check(reading: Reading, folds: Mapping[Finding, str] = MappingProxyType({})) -> str:
    """How a file was read and what was noticed, as the command line prints it.

    Parameters
    ----------
    reading
        What was read.
    folds
        By finding how many others come from it, which are not told by themselves.
    """
    source = reading.source
    blocks = [paragraph(f"{source.name}: {' '.join(source.words)}"), paragraph(say(source.sentence))]
    blocks.append(table(tables.flow(reading, reading.ratings)))
    blocks.append(table(tables.class_counts(reading.ratings)))
    if reading.findings:
        blocks.append(findings(reading.findings, folds))
    else:
        blocks.append(_("Reading the file raised no question."))
    return "\n\n".join(block for block in blocks if block.strip())


def findings(result: Sequence[Finding], folds: Mapping[Finding, str] = MappingProxyType({})) -> str:
    """Every finding whole: how grave and where, what it means, what was done, what to do; ``folds`` as of `check`."""
    sentences = []
    for f in result:
        head = _("{severity}: {where}").format(severity=tables.SEVERITIES[f.severity], where=f.where or _("whole file"))
        lines = [f.message, f.default, _("To do: {fix}").format(fix=f.fix) if f.fix else "", folds.get(f, "")]
        sentences.append("\n".join([plain(head), *(paragraph(line, indent="  ") for line in lines if line)]))
    return "\n".join(sentences)
