"""The programs whose exports are known, one row each, and what follows where a file is one of them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tapdesk.language import Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import note, quoted_list
from tapdesk.ratings.grid import FileCells
from tapdesk.ratings.layouts.roles import rows_that_pass
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.trades.crowds import (
    doccano,
    label_studio,
    maxqda,
    mechanical_turk,
    zooniverse,
    zooniverse_answers,
)
from tapdesk.ratings.trades.export import Export, Head, Recogniser, rows_of
from tapdesk.ratings.trades.redcap import redcap
from tapdesk.ratings.trades.screening import asreview, covidence, rayyan, rayyan_log
from tapdesk.ratings.trades.surveys import google_forms, limesurvey, microsoft_forms, qualtrics

TRADES: tuple[Recogniser, ...] = (
    *(redcap, qualtrics, google_forms, microsoft_forms, limesurvey),
    *(rayyan, rayyan_log, asreview, covidence, label_studio, mechanical_turk, zooniverse, zooniverse_answers),
    *(doccano, maxqda),
)
"""Asked in this order; the first that knows a file has it."""
_NOTHING = ReadingOptions()


def recognised(loaded: FileCells, options: ReadingOptions) -> tuple[FileCells, Export | None]:
    """The cells of a file as the program that wrote it means them, and which program that is; None where none is known.

    Only the first rows are looked at. Where the user names another header row, nothing is taken for known.
    """
    if options.header not in {None, 1} or loaded.grid.rows < 2:
        return loaded, None
    head = Head(loaded.grid)
    export = next((known for look in TRADES if (known := look(head)) is not None), None)
    if loaded.recalled:
        # Start-up cost: few tables are of our own.
        from tapdesk.ratings.trades.cleaned import own_table

        export = own_table(loaded) or export
    if export is None:
        return loaded, None
    rows = export.header_rows if options.header_rows in {None, export.header_rows} else 0
    grid = replace(export.grid or loaded.grid, header_rows=rows)
    sentence = _("The file is an export of {program}.").format(program=Label(export.program))
    findings = (*loaded.findings, *export.findings)
    made = len(grid.columns) - len(loaded.grid.columns)
    words = (sentence, *loaded.words, *export.words)
    return replace(loaded, grid=grid, words=words, findings=findings, made=made), export


def framed(export: Export | None, options: ReadingOptions) -> ReadingOptions:
    """The options with what an export settles about where its table stands."""
    return options if export is None else _filled(options, export.frame)


def _filled(options: ReadingOptions, settled: Mapping[str, Any]) -> ReadingOptions:
    """The options with some that the user left alone."""
    alone = {n: v for n, v in settled.items() if n != "layout" and getattr(options, n) == getattr(_NOTHING, n)}
    if "layout" in settled and options.layout is Layout.AUTO:
        alone["layout"] = settled["layout"]
    return replace(options, **alone)


def settled(
    export: Export | None, loaded: FileCells, whole: RatingTable, options: ReadingOptions
) -> tuple[FileCells, RatingTable, ReadingOptions]:
    """What was read of a file, its table without what the program wrote beside the answers, and the options.

    Parameters
    ----------
    export
        What the file is known as.
    loaded, whole
        Its cells, and the table in them.
    options
        What the user said; it comes before what the export settles.
    """
    if export is None:
        return loaded, whole, options
    looked_at = without(whole, [n for n in export.aside if n not in export.naming], options)
    if options.where or options.where_not:
        looked_at = rows_of(looked_at, rows_that_pass(whole, whole.row_numbers - 1, options))
    result = export.settle(looked_at, options)
    holds = options.layout not in {Layout.AUTO, result.options.get("layout", Layout.AUTO)}
    fresh = options if holds else _filled(options, result.options)
    left = [n for n in dict.fromkeys((*export.aside, *export.naming, *result.aside)) if n in whole.names]
    table = without(whole, left, fresh)
    left = [n for n in left if n not in table.names and n not in export.sources]
    message = _("This is an export of {program}.").format(program=Label(export.program))
    sentences = () if holds or not result.told else (result.told,)
    if left:
        text = ngettext(
            "The column {columns} is the program's own and is not read.",
            "The columns {columns} are the program's own and are not read.",
            len(left),
        )
        sentences = (*sentences, text.format(columns=quoted_list(left)))
    default = joined(*sentences)
    about = ((export.program,), tuple(left))
    findings = (note("known_export", "", message, default=default, about=about), *(() if holds else result.findings))
    guessed = tuple(n for n in result.options if getattr(fresh, n) != getattr(options, n))
    loaded = replace(loaded, findings=(*loaded.findings, *findings), guessed=(*loaded.guessed, *guessed))
    return loaded, table, fresh


def without(table: RatingTable, aside: tuple[str, ...] | list[str], options: ReadingOptions) -> RatingTable:
    """A table without some of its columns, save those that the user names."""
    named = {options.subject, options.rater, options.rating, options.question, options.count, *(options.columns or ())}
    named |= {options.only, *(c for c, _v in (*options.where, *options.where_not))}
    left = {n for n in aside if n not in named}
    kept = [i for i, n in enumerate(table.names) if n not in left]
    if len(kept) == len(table.names) or not kept:
        return table
    return replace(
        table,
        names=tuple(table.names[i] for i in kept),
        columns=tuple(table.columns[i] for i in kept),
        positions=tuple(table.positions[i] for i in kept),
    )
