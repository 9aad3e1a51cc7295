"""What can be typed: the parser, made from the table of options."""

import argparse
import csv
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time
from functools import cache
from typing import Any

from tapdesk.answers.figure import COARSEST, FINEST, NARROWEST, WIDEST
from tapdesk.cli import effects
from tapdesk.cli.first_page import COMMANDS, Parser, command_parsers, top_parser
from tapdesk.cli.option import FIELDS, FILES, LAYOUTS, PROJECT, STUDIES, Option, Scope
from tapdesk.cli.options import OPTIONS, options_of
from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.ratings.options import Layout, QuestionOptions, RatersAre, ReadingOptions, Uneven

_WHOLE = re.compile(r"[-+]?[0-9]{1,30}")
_SHOWN = 40
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2099, 12, 31)


def short_form(text: str) -> str:
    """What was typed, on one line and not longer than a sentence bears."""
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text[: _SHOWN + 1])
    return f"'{shown}'" if len(text) <= _SHOWN else f"'{shown[:_SHOWN]}…'"


@dataclass(frozen=True, slots=True)
class NumberRange:
    """A finite number between two bounds; called with what was typed it is a type of argparse.

    Every option that takes a number takes one of these, so what cannot be is refused before any file is read.

    Attributes
    ----------
    least, most
        The bounds.
    whole
        Whether it is a count.
    open
        Whether the bounds themselves are out of range.
    """

    least: float
    most: float
    whole: bool = True
    open: bool = False

    def __call__(self, text: str) -> float:
        """The number; refused where it is none or lies outside."""
        value = _whole(text) if self.whole else _decimal(text)
        inside = self.least < value < self.most if self.open else self.least <= value <= self.most
        if inside:
            return value
        sentence = _("{given} is not a whole number from {least} to {most:,}")
        if self.open:
            sentence = _("{given} is not between {least:g} and {most:g}")
        elif not self.whole:
            sentence = _("{given} is not a number from {least:g} to {most:g}")
        raise argparse.ArgumentTypeError(sentence.format(given=short_form(text), least=self.least, most=self.most))


def _one_of(text: str) -> int:
    """A whole number, of which the choices of an option are some."""
    value = _whole(text)
    if math.isnan(value):
        raise argparse.ArgumentTypeError(_("{given} is not a whole number").format(given=short_form(text)))
    return int(value)


def _decimal(text: str) -> float:
    """The number a text shows; not a number where it shows none."""
    try:
        return float(text) if len(text) <= _SHOWN and "_" not in text else math.nan
    except ValueError:
        return math.nan


def _whole(text: str) -> float:
    """The whole number a text shows; not a number where it shows none."""
    return int(text) if _WHOLE.fullmatch(text.strip()) else math.nan


MOST_RATINGS = 20_000_000


def refuse_absurd_size(subjects: int | None, raters: int | None) -> None:
    """Refuse subjects and raters that together are more ratings than a study can hold.

    Raises
    ------
    UsageError
        Naming both.
    """
    ratings = (subjects or 1) * (raters or 1)
    if ratings > MOST_RATINGS:
        raise UsageError(
            _(
                "{subjects:,} subjects by {raters:,} raters are {ratings:,} ratings; at most {most:,} can be made."
            ).format(subjects=subjects or 1, raters=raters or 1, ratings=ratings, most=MOST_RATINGS),
            fix=_("Choose smaller numbers for --subjects and --raters."),
        )


def _csv_entries(text: str) -> tuple[str, ...]:
    """A list given as one CSV record; blanks around the entries do not count, but for those inside quotation marks."""
    try:
        rows = list(csv.reader([text], skipinitialspace=True))
    except csv.Error:
        rows = []
    if text and len(rows) != 1:
        raise argparse.ArgumentTypeError(
            _("{given} is not a list on one line; separate its entries by commas").format(given=short_form(text))
        )
    return tuple(cell if f'"{cell}"' in text else cell.strip() for cell in rows[0]) if rows else ()


def _list(text: str) -> tuple[str, ...]:
    """A list of something."""
    entries = _csv_entries(text)
    if not any(entries):
        raise argparse.ArgumentTypeError(
            _("{given} names nothing; write it in full, or leave the option out").format(given=short_form(text))
        )
    return entries


def _sizes(text: str) -> tuple[int, ...]:
    """Several whole numbers, such as ``50,100,200``."""
    one = NumberRange(1, 10_000_000)
    return tuple(int(one(entry)) for entry in _csv_entries(text) or ("",))


_MARKS = {"tab": "\t", "\\t": "\t", "space": " "}


def _delimiter(text: str) -> str:
    """The sign between the cells of a text file: one sign, or the word ``tab`` or ``space``."""
    sign = _MARKS.get(text.lower(), text)
    if len(sign) != 1 or not sign.isascii() or sign.isalnum() or sign in '"\r\n\0.':
        raise argparse.ArgumentTypeError(
            _("{given} cannot separate columns; name one sign such as ; or , or the word tab").format(
                given=short_form(text)
            )
        )
    return sign


def day(text: str) -> datetime:
    """A day such as ``2026-05-14``, within what a report can be issued on.

    Raises
    ------
    UsageError
        When it is no day, or lies before 2000 or after 2099.
    """
    try:
        day = date.fromisoformat(text.strip())
    except ValueError as error:
        raise UsageError(
            _("{given} is not a day.").format(given=short_form(text)),
            fix=_("Write it as year, month and day: 2026-05-14."),
        ) from error
    if not FIRST_DAY <= day <= LAST_DAY:
        raise UsageError(
            _("No report is issued on {day}.").format(day=day.isoformat()),
            fix=_("Choose a day from {first} to {last}.").format(
                first=FIRST_DAY.isoformat(), last=LAST_DAY.isoformat()
            ),
        )
    return datetime.combine(day, time(), UTC)


def _row_filter(text: str) -> tuple[str, str]:
    """``COL=VALUE`` as a pair; of ``COL!=VALUE`` the column keeps its sign."""
    column, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"'{text}' is not of the form COL=VALUE.", fix='Write for example --where "year=2024".')
    return column.strip(), value.strip()


_WHAT = "(?:missing|order|class1|class0)"
_OF_A_QUESTION = re.compile(rf"(.+?):\s*({_WHAT}\s*=.*)", re.DOTALL)
_NEXT_OF_IT = re.compile(rf";\s*(?={_WHAT}\s*=)")


def _about_a_question(text: str) -> str:
    """``QUESTION: what=A,B; what=C``, as it was typed."""
    _question_options(text)
    return text


def _question_options(text: str) -> QuestionOptions:
    """What is otherwise for one question, as `_about_a_question` has it."""
    match = _OF_A_QUESTION.fullmatch(text)
    given: dict[str, tuple[str, ...]] = {}
    for part in _NEXT_OF_IT.split(match[2]) if match else ():
        what, _equals, values = part.partition("=")
        entries = tuple(entry for entry in _csv_entries(values) if entry)
        if what.strip() in given or not (entries or what.strip() == "missing"):
            match = None
        given[what.strip()] = entries
    if match is None or not match[1].strip():
        raise UsageError(
            _("{given} says nothing about a question.").format(given=short_form(text)),
            "--for-question",
            _('Write for example --for-question "Q3: missing=n/a", with missing, order, class1 or class0.'),
        )
    if "class0" in given and "class1" not in given:
        raise UsageError(_("class0 has an effect only with class1."), "--for-question", _("Name both, or neither."))
    return QuestionOptions(match[1].strip(), **given)


def _pairs(text: str) -> tuple[str, ...]:
    """Pairs of what is written and what is meant, such as ``POS=positive,NEG=negative``."""
    pairs = _csv_entries(text)
    for pair in pairs:
        old, sign, new = pair.rpartition("=")
        if not sign or not old.strip() or not new.strip():
            raise argparse.ArgumentTypeError(_("'{pair}' is no pair such as POS=positive").format(pair=pair))
    return pairs


_PATHS = {
    "file",
    "other",
    "compare",
    "output",
    "truth_out",
    "json",
    "picture",
    "logo",
    "pdf",
    "project",
    "save_project",
}


def _refuse_what_is_no_text(args: argparse.Namespace) -> None:
    """Refuse blank names, bytes no system could have typed, and such that are no letters (but in a name of a file)."""
    for name, value in vars(args).items():
        option = f"--{name.replace('_', '-')}"
        if name in _PATHS - {"output"} and value == "":
            raise UsageError("The name of a file is blank.", option, "Write it in full, or leave the option out.")
        letters = {c for text in _texts(value) for c in text}
        if "\0" in letters or (name not in _PATHS and any("\ud800" <= c <= "\udfff" for c in letters)):
            raise UsageError(
                f"What is given with {option} is not text.",
                fix="Write it in the encoding of this terminal, which should be UTF-8.",
            )


def _texts(value: object) -> Iterator[str]:
    """The texts in what was given, which may be a list of lists."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)


# What an option takes, by the word of the table.
TYPES: Mapping[str, Callable[[str], Any]] = {
    "text": str,
    "optional": str,
    "choice": _one_of,
    "list": _list,
    # It may be empty: no text means a missing rating; that no model was named is said elsewhere.
    "entries": _csv_entries,
    "filter": _row_filter,
    "question": _about_a_question,
    "pairs": _pairs,
    "day": day,
    "sign": _delimiter,
    "share": NumberRange(0, 1, whole=False, open=True),
    "row": NumberRange(0, 100_000_000),
    "seed": NumberRange(0, 2**63 - 1),
    "subjects": NumberRange(1, 10_000_000),
    "sizes": _sizes,
    "raters": NumberRange(1, 10_000),
    "page": NumberRange(1, 10_000),
    "replicates": NumberRange(1, 1_000_000),
    "repeats": NumberRange(0, 1_000_000),
    "chains": NumberRange(1, 64),
    "draws": NumberRange(1, 1_000_000),
    "workers": NumberRange(1, 256),
    "sharpness": NumberRange(1e-3, 1e6, whole=False),
    "millimetres": NumberRange(NARROWEST, WIDEST, whole=False),
    "dots": NumberRange(COARSEST, FINEST, whole=False),
}


@cache
def parser(only: frozenset[str] | None = None) -> Parser:
    """The command line; what is not typed is not among the parsed arguments.

    Parameters
    ----------
    only
        The commands and kinds of studies whose options are wanted; the others are known by their names alone.
    """
    top = top_parser()
    for name, p in command_parsers(top).items():
        if name != "study":
            p.intermixed = name == "compare"
            if only is None or name in only:
                _add(p, name)
            continue
        kinds = p.add_subparsers(dest="kind", metavar="KIND", required=True, parser_class=Parser)
        for kind, says in STUDIES.items():
            q = kinds.add_parser(kind, help=says, description=f"{says[:1].upper()}{says[1:]}.")
            q.intermixed = True
            if only is None or kind in only:
                _add(q, f"study {kind}")
    return top


def _add(p: Parser, command: str) -> None:
    """The options of one command, under the headings of their groups."""
    groups: dict[str, Any] = {}
    for row in options_of(command):
        heading = row.group.value
        if heading not in groups:
            groups[heading] = p.add_argument_group(heading)
        groups[heading].add_argument(*_names(row), **_taken(row))


def _names(row: Option) -> tuple[str, ...]:
    return row.names if row.name.startswith("-") else (row.key,)


def _taken(row: Option) -> dict[str, Any]:
    """What `argparse` is told of an option."""
    by_key: dict[str, Any] = {"help": help_of(row).replace("%", "%%"), "default": argparse.SUPPRESS}
    if not row.name.startswith("-"):
        many = {"nargs": "*"} if row.several else {} if row.required else {"nargs": "?"}
        return {**by_key, "metavar": row.metavar or row.name, **many}
    by_key |= {"dest": row.key, "required": row.required}
    if row.takes == "flag":
        return {**by_key, "action": "store_true"}
    by_key |= {"type": TYPES[row.takes], "metavar": row.metavar}
    if row.choices:
        by_key |= {"choices": row.choices}
    if row.several:
        by_key |= {"action": "append"}
    if row.takes == "optional":
        by_key |= {"nargs": "?", "const": "-"}
    return by_key


def help_of(row: Option) -> str:
    """The words of the help about an option, with its default."""
    return row.help.format(default=row.default)


_NAMES = frozenset(COMMANDS) | frozenset(STUDIES)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """What was typed, with the defaults of what was not; what has no effect is refused.

    Returns
    -------
    argparse.Namespace
        Every key of the table, ``command`` as in it (``study plan``), and ``typed``, the values that were named.

    Raises
    ------
    UsageError
        When something cannot be understood, or an option has no effect in what is asked.
    """
    args: argparse.Namespace
    # All options of all commands take longer to list than most files to read.
    args, rest = parser(frozenset(arguments) & _NAMES).parse_known_args(arguments)
    command = f"study {args.kind}" if args.command == "study" else args.command
    if rest:
        raise _unknown(command, rest)
    typed = {row.key: getattr(args, row.key) for row in options_of(command) if hasattr(args, row.key)}
    # An option another command calls alike does not lend it its default.
    for row in (*options_of(command), *OPTIONS):
        if not hasattr(args, row.key):
            setattr(args, row.key, row.default)
    args.typed, args.cell = typed, command
    _refuse_what_is_no_text(args)
    effects.refuse_at_once(args)
    return args


def _unknown(command: str, rest: Sequence[str]) -> UsageError:
    """What is said about what the command does not take."""
    for text in rest:
        name = text.partition("=")[0]
        rows = [row for row in OPTIONS if name in row.names]
        if rows:
            takers = dict.fromkeys(c for row in rows for c in row.commands)
            return UsageError(
                _("'tapdesk {command}' does not take {name}, which has an effect only with: {takers}.").format(
                    command=command, name=name, takers=", ".join(takers)
                ),
                fix=_("Leave it out, or see: tapdesk {command} --help").format(command=command),
            )
    odd = next((text for text in rest if text.startswith("-")), rest[0])
    return UsageError(
        _("'tapdesk {command}' does not take '{text}'.").format(command=command, text=odd),
        fix=_("See: tapdesk {command} --help").format(command=command),
    )


def command_page() -> str:
    """The page of commands in the help, as Markdown: ``resources/help/7-command-line.md`` holds it."""
    from tapdesk.answers.user_words import PROMPTS  # late: nothing else of the command line needs it

    lines = [
        "# The command line",
        "",
        "The same engine answers on the command line, without a window. FILE is a spreadsheet, a text file, a project,",
        "or `sample:NAME`. An option that has no effect in what is asked is refused, and every answer tells its own.",
        "`tapdesk COMMAND --help` shows the options of one command.",
        "",
        "| command | does |",
        "| --- | --- |",
        *(f"| `tapdesk {name}` | {words} |" for name, words in COMMANDS.items() if name != "study"),
        *(f"| `tapdesk study {name}` | {words} |" for name, words in STUDIES.items()),
    ]
    for group in dict.fromkeys(row.group for row in OPTIONS):
        rows = [row for row in OPTIONS if row.group is group]
        lines += ["", f"## {group.value[:1].upper()}{group.value[1:]}", "", "| option | means | has an effect in |"]
        lines += ["| --- | --- | --- |", *(_page_row(row) for row in rows)]
    lines += ["", "## Fields of `fit --json`", "", "Of each of the `fits`:", "", "| field | means |", "| --- | --- |"]
    lines += [f"| `{name}` | {words} |" for name, words in FIELDS.items()]
    lines += ["", "## The committee's own words in `report --notes FILE`", ""]
    lines += [
        'A file of TOML in UTF-8: a name and a text on each line, such as `committee = "Audit committee"`; a list'
    ]
    lines += ['holds several lines, such as `signers = ["Ann Lee", "Bob May"]`. Below `[comment]` stand comments on']
    lines += ['sections by their keys, such as `agreement = "As last year."`.', "", "| name | holds |", "| --- | --- |"]
    lines += [f"| `{prompt.place}` | {prompt.question} |" for prompt in PROMPTS]
    return "\n".join(lines) + "\n"


def _page_row(row: Option) -> str:
    """One option as a row of the page; no sign in it parts cells."""
    taken = (
        "" if row.takes == "flag" or not row.name.startswith("-") else row.metavar or ", ".join(map(str, row.choices))
    )
    name = f"{', '.join(row.names)} {taken}".strip()
    cells = f"`{name}`", help_of(row), "; ".join(_cell_words(cell) for cell in row.cells)
    return "| " + " | ".join(cell.replace(" | ", " or ").replace("|", "/") for cell in cells) + " |"


def _cell_words(cell: Scope) -> str:
    """Where an option has an effect, as a list of conditions."""
    studies = [name.removeprefix("study ") for name in cell.commands if name.startswith("study ")]
    sentences = [name for name in cell.commands if not name.startswith("study ")]
    if len(studies) > 1:
        sentences.append(f"study ({', '.join(studies)})")
    else:
        sentences += [f"study {name}" for name in studies]
    text = ", ".join(sentences)
    if len(sentences) > 6:
        text = "every command with FILE" if "FILE" in cell.needs else "every command"
    limits = [
        *(f"layout {', '.join(LAYOUTS[name] for name in cell.layout)}" for _once in cell.layout[:1]),
        *(", ".join(values) for values in (cell.model, cell.method, cell.suffix) if values),
        *(f"--figure {', '.join(cell.figure)}" for _once in cell.figure[:1]),
        *("more than two classes" for _once in cell.classes[:1]),
        *("not of a project" for _once in cell.format[:1] if PROJECT not in cell.format and cell.format == FILES),
        *(f".{', .'.join(cell.format)}" for _once in cell.format[:1] if not set(FILES) <= set(cell.format)),
        *(f"of its values only {', '.join(cell.values)}" for _once in cell.values[:1]),
        *(f"with {clause}" for clause in cell.needs if clause != "FILE"),
    ]
    return f"{text}: {'; '.join(limits)}" if limits else text


# What is typed in another way than it is kept.
_TOLD_OTHERWISE = {"known_as", "of_questions", "layout", "where", "where_not", "raters_are", "uneven", "hidden", "last"}


def _once_each(texts: Sequence[str]) -> tuple[QuestionOptions, ...]:
    """What was said of questions, each of them once.

    Raises
    ------
    UsageError
        When two say something of one question.
    """
    given = tuple(map(_question_options, texts))
    names = [one.question for one in given]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(
            _("The question '{question}' is named twice.").format(question=twice),
            "--for-question",
            _('Say all of it at once: "Q3: missing=n/a; order=low,high".'),
        )
    return given


def reading_options(args: argparse.Namespace) -> ReadingOptions:
    """The reading options as typed."""
    alike = {f.name: getattr(args, f.name) for f in fields(ReadingOptions) if f.name not in _TOLD_OTHERWISE}
    if args.command == "compare":
        # There it names raters.
        alike["without"] = ()
    return ReadingOptions(
        layout=Layout(args.layout),
        where=tuple((c, v) for c, v in args.where if not c.endswith("!")),
        where_not=tuple((c.removesuffix("!").strip(), v) for c, v in args.where if c.endswith("!")),
        raters_are=RatersAre(args.raters_are) if args.raters_are else None,
        uneven=Uneven(args.uneven),
        hidden=not args.leave_out_hidden,
        last=args.last_row,
        of_questions=_once_each(args.for_question),
        known_as=tuple((old.strip(), new.strip()) for old, _sign, new in (p.rpartition("=") for p in args.known_as)),
        **alike,
    )
