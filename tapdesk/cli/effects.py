"""Every option has an effect or is refused: what was typed, held against the table of options, and the receipt.

Some of it is known as soon as a command is typed, some once FILE is read and the method is chosen; so a command is held
against the table more than once, and what is not known yet refuses nothing.
"""

import argparse
import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tapdesk.cli import option as o
from tapdesk.cli.option import Option, Scope, Topic
from tapdesk.cli.options import ON_A_FORM, options_of
from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.models.model import ALIASES, MODELS, Truth
from tapdesk.project.files.recognition import is_project
from tapdesk.ratings.options import Layout
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.studies.analysis import Request, method_for

_FACTS = ("format", "layout", "classes", "model", "method", "suffix", "figure")
_ROLES = ("subject", "rater", "rating", "question", "count", "known")
_ONE_CLASS_COLUMN = (frozenset({"n_ratings", "n_class1"}), frozenset({"n_r", "n_c"}))
_SHARPENED = frozenset(m.name for m in MODELS if m.truth is Truth.SHARPENED)
_UNSAID = frozenset({"json", "debug"})


@dataclass(frozen=True, slots=True)
class Situation:
    """One thing that is asked, and what is known of it.

    Attributes
    ----------
    about
        What it is called: a model, or a command.
    facts
        By the name of a condition of `Scope` the values it may still have; a name that is not there is not known.
    """

    about: str
    facts: Mapping[str, tuple[str, ...]]


def refuse_at_once(args: argparse.Namespace) -> None:
    """Hold what was typed against the table, before anything is read.

    Raises
    ------
    UsageError
        When an option has no effect in what is asked, or one column is given two roles.
    """
    facts: dict[str, tuple[str, ...]] = {}
    if "file" in args.typed:
        held = holds_project(args.file)
        facts["format"] = (o.PROJECT, o.ANSWERED) if held else o.FILES
    if args.layout != Layout.AUTO.value:
        facts["layout"] = tuple(x for x in o.LAYOUTS if x.partition("-")[0] == args.layout)
    if args.output not in {None, "", "-"}:
        facts["suffix"] = (Path(args.output).suffix.lower(),)
    if args.cell == "study paper":
        facts["figure"] = (args.figure or "list",)
    args.facts, args.called, args.read = facts, None, None
    args.methods = {name: _methods(args, name) for name in _models(args)}
    _refuse_two_roles(args)
    _refuse(args)


def refuse_once_read(args: argparse.Namespace, reading: Reading, *, answered: bool = False) -> None:
    """Hold what was typed against the table once FILE is read.

    Parameters
    ----------
    args
        What was typed.
    reading
        What was understood of FILE.
    answered
        Whether FILE is a project that holds answers of its own.

    Raises
    ------
    UsageError
        When an option has no effect on such a file, or names a column that is not there.
    """
    if holds_project(args.file):
        args.facts["format"] = (o.ANSWERED if answered else o.PROJECT,)
    else:
        args.facts["format"] = (reading.source.format,)
        args.facts["layout"] = (_layout_of(reading),)
    args.facts["classes"] = ("two" if len(reading.ratings.classes) == 2 else "more",)
    args.facts["file"] = (reading.source.name,)
    _refuse(args)
    for key in ("covariates", "by", "occasion", "drift"):
        named = args.typed.get(key, ())
        _refuse_unknown_columns((named,) if isinstance(named, str) else named, reading.ratings, f"--{key}")


def refuse_once_chosen(args: argparse.Namespace, requests: Mapping[str, Request], ratings: Ratings) -> None:
    """Hold what was typed against the table once it is known which method answers each model.

    Raises
    ------
    UsageError
        When an option has no effect with any of these methods.
    """
    args.methods = {name: (_method_of(request, ratings),) for name, request in requests.items()}
    _refuse(args)


def refuse_on_a_form(args: argparse.Namespace) -> None:
    """Refuse what has an effect on the report of one question only, where FILE is a form that is reported whole.

    Raises
    ------
    UsageError
        When such an option was typed.
    """
    for row in options_of(args.cell):
        if row.key in args.typed and row.name not in ON_A_FORM:
            raise UsageError(
                _("{option} has no effect on the one report of all questions of a form.").format(option=row.name),
                fix=_("Leave it out, choose one question with --only, or make a report of each with --each '*'."),
            )


def _refuse_unknown_columns(names: Sequence[str], ratings: Ratings, option: str) -> None:
    """Refuse columns that are not among those kept beside the ratings."""
    for name in names:
        if name not in ratings.covariates:
            known = ", ".join(ratings.covariates) or _("none")
            raise UsageError(
                _("There is no column '{name}' beside the ratings, as {option} names it.").format(
                    name=name, option=option
                ),
                fix=_("There are: {known}.").format(known=known),
            )


def _layout_of(reading: Reading) -> str:
    """The layout of what was read, a key of `option.LAYOUTS`."""
    source = reading.source
    if source.layout is Layout.QUESTIONS and "question" in source.roles:
        return "questions-column"
    if source.layout is Layout.COUNTS and {c.strip().lower() for c in source.rating_columns} in _ONE_CLASS_COLUMN:
        return "counts-class1"
    return source.layout.value


def _method_of(request: Request, ratings: Ratings) -> str:
    """What answers a request, one of `option.METHODS`."""
    if request.estimator != "posterior":
        return request.estimator
    from tapdesk.fitting.quadrature.method import Quadrature  # late: few requests want a posterior

    return o.QUADRATURE if isinstance(method_for(request, ratings), Quadrature) else o.SAMPLING


def holds_project(file: str) -> bool:
    """Whether FILE is a project."""
    return not file.startswith("sample:") and is_project(file)


def _models(args: argparse.Namespace) -> tuple[str, ...]:
    """The models an analysis may be made with, as they were named."""
    if args.cell == "fit":
        return tuple(dict.fromkeys(name for name in args.model if name))
    if args.cell in {"report", "letters", "figure"}:
        return (args.model,) if args.model else ("t-a-p", "t-a-t")
    return ()


def _methods(args: argparse.Namespace, name: str) -> tuple[str, ...]:
    """The methods that may answer for a model, as far as that is known before anything is read."""
    if ALIASES.get(name, name) in _SHARPENED:
        return (o.SAMPLING,)
    if args.estimator == "posterior":
        return (o.QUADRATURE, o.SAMPLING)
    return (args.estimator or o.EXACT,)


def _situations(args: argparse.Namespace) -> tuple[Situation, ...]:
    """What is asked: one for each model, else one."""
    if not args.methods:
        return (Situation(args.cell, MappingProxyType(args.facts)),)
    return tuple(
        Situation(name, {**args.facts, "model": (ALIASES.get(name, name),), "method": methods})
        for name, methods in args.methods.items()
    )


# Refusals -----------------------------------------------------------------------------------------------------------


def _refuse(args: argparse.Namespace) -> None:
    """Refuse the first option that has no effect in anything that is asked."""
    situations = _situations(args)
    for row in options_of(args.cell):
        if row.key in args.typed and not any(_has_effect(row, args, s) for s in situations):
            raise _refusal(row, args, situations[0])


def _has_effect(row: Option, args: argparse.Namespace, situation: Situation) -> bool:
    return any(not _failures(cell, row, args, situation) for cell in row.cells if args.cell in cell.commands)


def _failures(cell: Scope, row: Option, args: argparse.Namespace, situation: Situation) -> tuple[str, ...]:
    """The conditions of a cell that do not hold, by name; a clause of ``needs`` stands for itself."""
    failed = [clause for clause in cell.needs if not any(_holds(part, args) for part in clause.split(" | "))]
    for fact in _FACTS:
        known = situation.facts.get(fact)
        if known is not None and (wanted := getattr(cell, fact)) and not set(wanted) & set(known):
            failed.append(fact)
    if cell.values and str(args.typed[row.key]) not in cell.values:
        failed.append("values")
    return tuple(failed)


def _holds(part: str, args: argparse.Namespace) -> bool:
    """Whether something is so of another option: named, not named, of a value."""
    name, _blank, value = part.removeprefix("no ").partition(" ")
    key = name.lstrip("-").replace("-", "_").lower()
    so = str(getattr(args, key)) == value if value else key in args.typed
    return so is not part.startswith("no ")


def _refusal(row: Option, args: argparse.Namespace, situation: Situation) -> UsageError:
    """The sentence: the option, where it has an effect, and what is so here."""
    cells = [cell for cell in row.cells if args.cell in cell.commands]
    failed = [_failures(cell, row, args, situation) for cell in cells]
    # The cell that is nearest to what is asked says what to change.
    nearest = min(range(len(cells)), key=lambda i: (len(failed[i]), failed[i][0] in _FACTS))
    fact = failed[nearest][0]
    known: list[str] = []
    if fact in _FACTS:
        alike = [cell for cell, f in zip(cells, failed, strict=True) if fact in f]
        known = list(dict.fromkeys(value for cell in alike for value in getattr(cell, fact)))
    here = ", ".join(situation.facts.get(fact, ()))
    sentence = _sentence_of(fact, row, cells[nearest], known)
    return UsageError(
        sentence.format(
            option=row.name,
            known=_either(known),
            here=o.LAYOUTS.get(here, here) if fact == "layout" else here,
            file=Path(getattr(args, "file", None) or "").name,
            value=args.typed[row.key],
            command=args.cell,
        ),
        fix=_("Leave it out."),
    )


def _sentence_of(fact: str, row: Option, cell: Scope, known: list[str]) -> str:
    """The sentence about one condition that does not hold, with its fields."""
    sentences = {
        "layout": _("{option} has an effect only where the layout is {known}; '{file}' is read in the layout {here}."),
        "classes": _("{option} has an effect only with more than two classes; '{file}' has two."),
        "model": _("{option} has an effect only with the models {known}; the model here is {here}."),
        "method": _("{option} has an effect only with {known}; the estimator here is {here}."),
        "suffix": _("{option} has an effect only on files that end in {known}; the one here ends in {here}."),
        "figure": _("{option} has an effect only with --figure {known}; the figure here is {here}."),
        "values": _("{option} {value} has no effect here; of its values only {known} has one."),
        "FILE": _("{option} has an effect only with a FILE to read; 'tapdesk {command}' was given none."),
        "no FILE": _("{option} has no effect with a FILE."),
    }
    if fact == "format":
        return _format(known)
    if fact == "layout":
        known[:] = [o.LAYOUTS[name] for name in known]
    if fact == "values":
        known[:] = cell.values
    if fact in sentences:
        return sentences[fact]
    parts = fact.split(" | ")
    if all(part.startswith("no ") for part in parts):
        known[:] = [part.removeprefix("no ") for part in parts]
        if row.name == "FILE" and len(parts) > 1:
            known[:] = [_("both {first} and {second}").format(first=known[0], second=known[1])]
        return _("{option} has no effect together with {known}.")
    known[:] = parts
    return _("{option} has an effect in 'tapdesk {command}' only together with {known}.")


def _format(known: list[str]) -> str:
    """The sentence about the kind of file."""
    if not {o.PROJECT, o.ANSWERED} & set(known) and set(known) >= set(o.FILES):
        return _("A project is read already, so {option} has no effect on '{file}'.")
    if o.PROJECT in known:
        return _("'{file}' is a project with answers of its own, so {option} has no effect on it.")
    return _("{option} has an effect only on files of the kinds {known}; '{file}' is of the kind {here}.")


def _either(known: Sequence[str]) -> str:
    """A list with its last two joined by or."""
    if len(known) < 2:
        return "".join(known)
    return _("{before} or {last}").format(before=", ".join(known[:-1]), last=known[-1])


def _refuse_two_roles(args: argparse.Namespace) -> None:
    """Refuse one column that is given two roles, or named twice in one list."""
    named: dict[str, str] = {}
    single = [(getattr(args, role), f"--{role}") for role in _ROLES if role in args.typed and getattr(args, role)]
    listed = [(name, f"--{key}") for key in ("columns", "covariates") for name in args.typed.get(key, ())]
    for name, option in (*single, *listed):
        plain = name.strip().casefold()
        if plain in named:
            raise UsageError(
                _("The column '{name}' is named twice: by {first} and by {option}.").format(
                    name=name, first=named[plain], option=option
                )
                if named[plain] != option
                else _("{option} names the column '{name}' twice.").format(option=option, name=name),
                fix=_("A column has one role. Name each once."),
            )
        named[plain] = option


# The receipt --------------------------------------------------------------------------------------------------------


def receipt(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Every option that was typed, its value, and what it applied to."""
    situations = _situations(args)
    rows = []
    for row in _used(args):
        about = [s.about for s in situations if _has_effect(row, args, s)]
        if row.group is Topic.READING:
            about = list(args.facts.get("file", (Path(args.file).name,)))
        value = _plain(args.typed[row.key])
        rows.append({"option": row.name, "value": _unnamed(row, value, args), "applies_to": about})
    return rows


def _unnamed(row: Option, value: Any, args: argparse.Namespace) -> Any:
    """A value as JSON tells it beside a document with codes: not at all where it may hold a name."""
    if row.group is not Topic.READING or row.choices or row.takes == "flag":
        return value
    if args.called is not None:
        text = _text(value)
        sentence = args.called.command_line(text)
        return value if sentence == text else str(sentence)
    if "codes" not in {getattr(args, name, None) for name in ("rater_names", "case_names")}:
        return value
    # Reports of several parts: each has names of its own. Late: no command without codes needs it.
    from tapdesk.answers.naming import WITHHELD

    return str(WITHHELD)


def receipt_line(args: argparse.Namespace, groups: Iterable[Topic] = Topic) -> str:
    """The same as one line; empty where nothing was typed."""
    wanted = set(groups)
    sentence = ", ".join(_words(row, args) for row in _used(args) if row.group in wanted)
    return _("Options used: {told}.").format(told=sentence) if sentence else ""


def typed_line(args: argparse.Namespace, groups: Iterable[Topic] = Topic, names: Collection[str] = ()) -> str:
    """The options of some groups, and those of some names, as they are typed again; empty where none was."""
    wanted = set(groups)
    return " ".join(_words(row, args) for row in _used(args) if row.group in wanted or row.name in names)


def _used(args: argparse.Namespace) -> tuple[Option, ...]:
    return tuple(
        row
        for row in options_of(args.cell)
        if row.key in args.typed and row.key not in _UNSAID and row.group is not Topic.SUBJECT
    )


def _words(row: Option, args: argparse.Namespace) -> str:
    """One option as it was typed; with several models, for which of them."""
    value = args.typed[row.key]
    if row.takes == "flag":
        name = row.name
    else:
        texts = _plain(list(value)) if row.takes == "filter" else value if row.several else (value,)
        name = " ".join(f"{row.name} {_text(one)}" for one in texts)
    situations = _situations(args)
    about = [s.about for s in situations if _has_effect(row, args, s)]
    if len(situations) > len(about) and args.cell == "fit":
        name = _("{told} (for {models})").format(told=name, models=", ".join(about))
    return name


def _text(value: Any) -> str:
    """A value as it is typed."""
    plain = _plain(value)
    if isinstance(plain, list):
        out = io.StringIO()
        csv.writer(out, lineterminator="").writerow(plain)
        plain = out.getvalue()
    text = str(plain)
    return f'"{text}"' if not text or " " in text else text


def _plain(value: Any) -> Any:
    """A value as JSON has it; a filter as it is typed."""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, list) and value and all(isinstance(x, tuple) for x in value):
        # "COL!=VALUE" is kept as the column "COL!".
        return [f"{column}={text}" for column, text in value]
    if isinstance(value, tuple | list):
        return list(value)
    return value
