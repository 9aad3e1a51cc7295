"""What a project keeps of analyses side by side, and how a report prints it.

It stands alone because the command that compares two files needs no project that keeps anything.
"""

import json
from dataclasses import replace

from tapdesk.answers.charts import forest
from tapdesk.answers.content import Block, Heading, Paragraph, Picture, Table, Tone
from tapdesk.answers.figure import Role
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.answers.what_if import (
    WhatIf,
    caveat,
    headline,
    number_name,
    remarks,
    series,
    table,
    trend_table,
    with_interval,
)
from tapdesk.answers.what_if_cases import case_sentences
from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _
from tapdesk.language import plain
from tapdesk.models.parameters import ParameterName
from tapdesk.project.files.codec import DamagedError, Reader, Writer, no_array
from tapdesk.project.project import Project

_INTERVALS = (2, 4, 6)  # columns
PLACE = "report.what_if"
"""Of what a report shows side by side, in the notes of a project."""
SMALLEST_PLACE = "what_if.smallest_change"
"""Of the smallest change that matters, in the notes of a project."""
_CHANGED = _("The data have changed since these two were compared.")


def blocks(pair: WhatIf, style: Style = SCREEN) -> tuple[Block, ...]:
    """The same on paper: what was otherwise in reading first, the sentence, the tables, and how it was compared."""
    first, follows = headline(pair)
    paragraphs = [Paragraph(text) for text in pair.otherwise]
    paragraphs += [Paragraph(first, Tone.LEAD), *([Paragraph(follows)] if follows else [])]
    # Where who wins was asked the awards that change are the answer; else the cases explain it.
    paragraphs += [Paragraph(text) for text in pair.awards]
    rounds: list[Block] = []
    if pair.rounds:
        rounds = [*trend_pictures(pair, style), trend_table(pair, style)]
        rounds.append(Paragraph(_("The last of {n} rounds against the first:").format(n=len(pair.rounds))))
    after = (*(() if pair.awards else case_sentences(pair)), *remarks(pair), caveat(pair))
    return (*paragraphs, *rounds, _narrow(table(pair, style)), *(Paragraph(text) for text in after))


def trend_pictures(pair: WhatIf, style: Style) -> tuple[Picture, ...]:
    """The first number of all rounds, a row a round in the order of time; nothing where no round tells one."""
    name, values = _round_values(pair)
    if name is None:
        return ()
    title = number_name(name, pair)
    rows = [(one.name, e, Role.MODEL) for one, e in zip(pair.rounds, values, strict=True)]
    panel = forest(rows, style, kind="trend", title=title, note="", each=True)
    return (Picture(_("Round by round: {about}").format(about=title), (panel,), height=panel.height),)


def _narrow(wide: Table) -> Table:
    """The table with each interval behind its number, for a page."""
    columns = tuple(c for i, c in enumerate(wide.columns) if i not in _INTERVALS)
    rows = tuple(
        (name, *(with_interval(row[i], row[i + 1]) for i in (0, 2, 4)), judged) for name, *row, judged in wide.rows
    )
    return replace(wide, columns=columns, rows=rows)


def _round_values(pair: WhatIf) -> tuple[ParameterName | None, list[Estimate]]:
    """The number that is looked at first, round by round; None where the rounds have none in common."""
    rows = series(pair)
    name = next((n for n in rows if n == ParameterName("a")), next(iter(rows), None))
    return (None, []) if name is None else (name, rows[name])


def section(project: Project, style: Style = SCREEN) -> tuple[Block, ...]:
    """What a report shows side by side; nothing where nobody put anything there."""
    rows: list[Block] = []
    pairs = kept_in(project)
    for pair in pairs:
        if len(pairs) > 1:
            rows.append(Heading(_("“{b}” against “{a}”").format(a=pair.a, b=pair.b)))
        if pair.made_on != project.data_fingerprint:
            rows.append(Paragraph(_CHANGED, Tone.WARNING))
        rows += blocks(pair, style)
    return tuple(rows)


def kept_in(project: Project) -> tuple[WhatIf, ...]:
    """What a project keeps for its report; what this version cannot read is left aside."""
    text = project.notes.get(PLACE, "")
    try:
        return tuple(Reader(no_array).value(row, WhatIf) for row in json.loads(text)) if text else ()
    except (DamagedError, ValueError, TypeError):
        return ()


def with_kept(project: Project, pair: WhatIf, *, kept: bool = True) -> Project:
    """The project with two analyses side by side in its report, in the place of the same two before; or without."""
    others = [one for one in kept_in(project) if _names(one) != _names(pair)]
    rows = [*others, pair] if kept else others
    writer = Writer()
    text = json.dumps([writer.plain(row) for row in rows], ensure_ascii=False) if rows else ""
    return project.with_note(PLACE, text)


def is_kept(project: Project, pair: WhatIf) -> bool:
    """Whether just this stands in the report: the same two, of the same data, with the same change that matters."""
    wanted = (_names(pair), pair.made_on, pair.smallest)
    return any((_names(one), one.made_on, one.smallest) == wanted for one in kept_in(project))


def _names(pair: WhatIf) -> tuple[str, ...]:
    """What the two, or all rounds, are called, whoever is called by a code."""
    return (*(plain(one.name) for one in pair.rounds), plain(pair.a), plain(pair.b))


def smallest_change(project: Project) -> float | None:
    """The smallest change that matters to the people of a project; None where nobody said."""
    try:
        value = float(project.notes.get(SMALLEST_PLACE, "") or "nan")
    except ValueError:
        return None
    return value if 0 < value < 1 else None


def with_smallest_change(project: Project, value: float | None) -> Project:
    """The project that knows how much matters."""
    return project.with_note(SMALLEST_PLACE, "" if value is None else f"{value:g}")
