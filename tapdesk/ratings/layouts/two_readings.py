"""Two ways to read a table, in words: one cell read both ways, and what chooses each."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from tapdesk.errors import TapdeskError
from tapdesk.language import Label, joined
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, block, label_text
from tapdesk.ratings.layouts.understanding import Understanding
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import RatingTable

OFFERED = 3  # questions of one reading that are offered at a glance


class TwoReadingsError(TapdeskError):
    """A table can be read in two ways, and in each of them a question has to be chosen first.

    Parameters
    ----------
    doubt
        The question which way it is.
    shown
        The reading options of what is shown meanwhile.
    """

    def __init__(self, doubt: Finding, shown: Mapping[str, Any]) -> None:
        super().__init__(doubt.message, str(doubt.where), doubt.fix)
        self.doubt = doubt
        self.shown = shown


def two_readings(table: RatingTable, best: Understanding, other: Understanding, *, second: bool = False) -> Finding:
    """The question which of two readings is meant, with one cell read both ways and the options that settle it."""
    offered = [*offers(table, best), *offers(table, other)]
    columns = dict.fromkeys(
        n
        for way in (best, other)
        for n in (way.subject, way.rater, way.question, way.occasion, *way.answers[:2])
        if n is not None
    )
    return two_ways(
        joined(*(table.place(n) for n in list(columns)[:5]), sep=", "),
        joined(cell_words(table, best), cell_words(table, other)),
        [command(choice(table, way)) for way in (best, other)],
        offered,
        _("Shown here is the second way; nothing is computed before you have chosen.")
        if second
        else _("Shown here is the first way; nothing is computed before you have chosen."),
    )


def two_ways(
    where: str, cells: str, commands: Sequence[str], offered: Sequence[tuple[str, Mapping[str, Any]]], default: str
) -> Finding:
    """The question which of two readings is meant.

    Parameters
    ----------
    where
        The columns it is about.
    cells
        One cell read both ways.
    commands
        What is written on the command line for each of the two.
    offered
        What a button says for each way, and the reading options that choose it.
    default
        What is shown meanwhile.
    """
    return block(
        "two_readings",
        where,
        _("The table can be read in two ways. {cells}").format(cells=cells),
        _("Say which it is: {first}, or {second}.").format(first=Label(commands[0]), second=Label(commands[1])),
        default=default,
        about=tuple((words, *_written(options)) for words, options in offered),
    )


def cell_words(table: RatingTable, way: Understanding) -> str:
    """One cell of a table as a reading understands it."""
    row = _row(table, way)
    case, who, request, when = (
        "" if n is None else label_text(table.column(n).text(row).strip())
        for n in (way.subject, way.rater, way.question, way.occasion)
    )
    first = way.answers[0]
    given = label_text(table.column(first).text(row).strip())
    column = label_text(first, 40)
    if way.layout is Layout.QUESTIONS:
        return _("As answers to questions: {partner} {who} answered '{first}' of {case} with '{given}'.").format(
            partner=Label(way.rater or ""), who=who, first=column, case=case, given=given
        )
    if way.layout is Layout.RATERS and way.question is not None:
        return _(
            "As raters side by side, a question in each row: asked '{question}', the rater {first} said '{given}' of "
            "{case}."
        ).format(question=request, first=column, given=given, case=case)
    if way.layout is Layout.RATERS and way.occasion is not None:
        return _(
            "As raters side by side: the rater {first} gave {case} the rating '{given}', where {column} is '{when}'."
        ).format(first=column, case=case, given=given, column=Label(way.occasion), when=when)
    if way.question is not None:
        return _("As one answer in each row: asked '{question}', {partner} {who} said '{given}' of {case}.").format(
            question=request, partner=Label(way.rater or ""), who=who, given=given, case=case
        )
    if way.occasion is not None:
        return _(
            "As one rating in each row: {partner} {who} gave {case} the rating '{given}', where {column} is '{when}'."
        ).format(partner=Label(way.rater or ""), who=who, case=case, given=given, column=Label(way.occasion), when=when)
    return _("As one rating in each row: {partner} {who} gave {case} the rating '{given}'.").format(
        partner=Label(way.rater or ""), who=who, case=case, given=given
    )


def _row(table: RatingTable, way: Understanding) -> int:
    """A row in the middle of a table whose first answer is not blank."""
    blank = table.column(way.answers[0]).blank
    order = (*range(table.rows // 2, table.rows), *range(table.rows // 2))
    return next((i for i in order if not blank[i]), table.rows // 2)


def choice(table: RatingTable, way: Understanding, only: str | None = None) -> dict[str, Any]:
    """The reading options that choose a reading, and of several questions one; the first where none is named."""
    chosen: dict[str, Any] = {"layout": way.layout, "subject": way.subject}
    if way.rater is not None:
        chosen["rater"] = way.rater
    if way.layout is Layout.LONG:
        chosen["rating"] = way.answers[0]
    if way.layout is Layout.QUESTIONS:
        chosen["only"] = only or way.answers[0]
    if way.layout is Layout.RATERS:
        chosen["columns"] = way.answers
    if way.question is not None:
        chosen |= {"question": way.question, "only": only or next(iter(questions(table, way)))}
    return chosen


def questions(table: RatingTable, way: Understanding) -> tuple[str, ...]:
    """The questions of a reading, in the order of the file; empty where there is but one without a name."""
    if way.question is not None:
        return tuple(dict.fromkeys(t for v in table.column(way.question).used().values if (t := v.strip())))
    return way.answers if way.layout is Layout.QUESTIONS else ()


def offers(table: RatingTable, way: Understanding) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a button says for each way of going on with a reading."""
    request = questions(table, way)
    for name in request[:OFFERED]:
        if way.rater is not None:
            words = _("“{partner}” rated; read the question “{name}”").format(
                partner=label_text(way.rater), name=label_text(name)
            )
        else:
            words = _("Each column is a rater; read the question “{name}”").format(name=label_text(name))
        yield words, choice(table, way, name)
    if not request and way.layout is Layout.RATERS:
        yield _("Each column is a rater"), choice(table, way)
    elif not request:
        words = _("“{rater}” rated “{case}”").format(rater=label_text(way.rater or ""), case=label_text(way.subject))
        yield words, choice(table, way)


def command(options: Mapping[str, Any]) -> str:
    """Reading options as they are written on the command line."""
    parts = []
    for name, value in options.items():
        text = value.value if isinstance(value, Layout) else _record(value) if isinstance(value, tuple) else value
        plain = text.replace("_", "").replace(",", "").isalnum() and text.isascii()
        parts.append(f"--{name} {text}" if plain else f"--{name} '{text}'")
    return " ".join(parts)


def all_questions_of(doubt: Finding) -> str:
    """What is to be said to a command that takes all questions, where the table can be read in two ways."""
    ways = [options_of(texts) for _words, *texts in doubt.about]
    sides = {way["columns"]: way["only"] for way in reversed(ways) if "only" in way and "columns" in way}
    if len(sides) > 1:
        # Columns of a question and a rater each: the name of a question tells which part of their names it is.
        first, second = (command({"question": way}) for way in reversed(sides.values()))
        return _("Name one of the questions: {first}, or {second}.").format(first=Label(first), second=Label(second))
    whole = {command({n: v for n, v in way.items() if n != "only"}): "only" in way for way in ways}
    forms = [Label(words) for words, several in whole.items() if several]
    alone = [Label(words) for words, several in whole.items() if not several]
    if len(forms) > 1:
        return _("Say which it is: {first}, or {second}.").format(first=forms[0], second=forms[1])
    if not forms:
        return str(doubt.fix)
    return joined(
        _("If these are questions, say {first}.").format(first=forms[0]),
        *(_("If it is one question, use 'tapdesk fit' with {second}.").format(second=words) for words in alone[:1]),
    )


def _record(names: Sequence[str]) -> str:
    """Names as one CSV record."""
    quoted = ('"' + n.replace('"', '""') + '"' if set(n) & set(',"\n') else n for n in names)
    return ",".join(quoted)


def _written(options: Mapping[str, Any]) -> Iterator[str]:
    """Options as texts, name and value in turns, so that a finding can keep them."""
    for name, value in options.items():
        yield name
        yield value.value if isinstance(value, Layout) else _record(value) if isinstance(value, tuple) else value


def options_of(written: Sequence[str]) -> dict[str, Any]:
    """The options a finding keeps as texts."""
    known = {f.name for f in fields(ReadingOptions)}
    made: dict[str, Any] = {}
    for name, text in zip(written[::2], written[1::2], strict=True):
        if name == "layout":
            made[name] = Layout(text)
        elif name in known:
            made[name] = tuple(next(csv.reader([text]))) if name == "columns" else text
    return made
