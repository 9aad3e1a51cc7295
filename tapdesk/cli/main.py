"""The headless program: from arguments to an exit status."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from tapdesk.cli import effects, json_output
from tapdesk.cli.arguments import parse
from tapdesk.cli.outputs import STANDARD_OUTPUT, permitted_outputs, refuse_outputs
from tapdesk.cli.stopping import StopSignal, stopping_in_order
from tapdesk.cli.terminal import FAULT, Csv, fault, one_line
from tapdesk.cli.terminal import answer as put_out
from tapdesk.errors import TapdeskError, explanation
from tapdesk.language import gettext as _
from tapdesk.language import joined, speaking, voice
from tapdesk.ratings.findings import Severity

_Command: TypeAlias = Callable[[argparse.Namespace], tuple[dict[str, Any], str]]


def _command(name: str) -> _Command:
    """What answers a command; it is loaded when it is called, for the rest would take longer than most answers."""
    commands: dict[str, _Command]
    if name in {"report", "figure", "verify"}:
        from tapdesk.cli import documents

        commands = {"report": documents.report, "figure": documents.figure, "verify": documents.verify}
    elif name in {"study", "simulate"}:
        from tapdesk.cli import simulations

        commands = {"study": simulations.study, "simulate": simulations.simulate}
    elif name in {"export", "sheets"}:
        from tapdesk.cli import tables

        commands = {"export": tables.export, "sheets": tables.sheets}
    elif name == "questions":
        from tapdesk.cli import questions

        commands = {"questions": questions.questions}
    elif name == "compare":
        from tapdesk.cli import comparing

        commands = {"compare": comparing.compare_analyses}
    elif name == "letters":
        from tapdesk.cli import letters

        commands = {"letters": letters.letters}
    elif name == "awards":
        from tapdesk.cli import awards

        commands = {"awards": awards.award}
    elif name == "dossier":
        from tapdesk.cli import dossier

        commands = {"dossier": dossier.dossier}
    elif name == "selftest":
        from tapdesk.cli import selftest

        commands = {"selftest": selftest.selftest}
    else:
        from tapdesk.cli import analyses

        commands = {"check": analyses.check, "fit": analyses.fit, "agree": analyses.agree}
        commands |= {"scan": analyses.scan, "pairs": analyses.pairs}
    return commands[name]


_STOPPED = 130


def main(arguments: Sequence[str]) -> int:
    """Run one command.

    Returns
    -------
    int
        The exit status of cli.md: 0 answered, 2 wrong usage, 3 input not understood, 4 nothing can be computed,
        130 stopped by the user (143 by the system); 70 a bug of ours.
    """
    # What a command reads brings its own words for things (`analyses.open_project`), which go with what it says.
    with speaking(voice()):
        return _status(arguments, debug="--debug" in arguments)


def _status(arguments: Sequence[str], *, debug: bool) -> int:
    try:
        with stopping_in_order():
            return _run(arguments)
    except KeyboardInterrupt as stop:
        sys.stderr.write("tapdesk: stopped.\n")
        return stop.exit_status if isinstance(stop, StopSignal) else _STOPPED
    except BrokenPipeError:
        # Whoever read the answer has seen enough of it.
        return 0
    except Exception as problem:  # no traceback ever reaches a user (cli.md)
        if debug:
            raise
        error = explanation(problem)
        sys.stderr.write(f"tapdesk: {one_line(fault(problem) if error is None else str(error))}\n")
        return FAULT if error is None else error.exit_status


def _refuse_after(answer: dict[str, Any]) -> None:
    """Say after all that was understood what has to be answered before any command can go on."""
    items = [f for f in answer["findings"] if f["severity"] == Severity.BLOCK.value]
    if not items:
        return
    first, *others = items
    more = [joined(f["message"], f["fix"]) for f in others]
    what = joined(_("Nothing can be computed before this is decided."), first["message"])
    where = joined(answer["data"]["file"], first["where"], sep=", ")
    raise TapdeskError(what, where, joined(first["fix"], *more))


def _run(arguments: Sequence[str]) -> int:
    try:
        args = parse(arguments)
    except SystemExit:
        # --help and --version have written and would end the program.
        put_out("")
        return 0
    refuse_outputs(args)
    answer, words = _command(args.command)(args)
    _say(args, answer, words)
    if args.command == "check":
        _refuse_after(answer)
    return int(answer.get("exit_status", 0))


# They tell it where they tell what was read, or in the document they write.
_TELL_WHAT_WAS_READ = {"check", "fit", "agree", "scan", "pairs", "awards", "questions", "report"}


def _left_out(args: argparse.Namespace) -> str:
    """What a filter or a question left out of the file, of commands that tell nothing else of the file.

    Where people are called by codes it is not told: it may name one of them.
    """
    if args.read is None or args.command in _TELL_WHAT_WAS_READ or "codes" in {args.rater_names, args.case_names}:
        return ""
    from tapdesk.answers.terminal import paragraph
    from tapdesk.ratings.reading import rows_summary

    return paragraph(rows_summary(args.read))


def _say(args: argparse.Namespace, answer: dict[str, Any], words: str) -> None:
    """The answer where it was asked for: a table, or JSON on standard output or in a file; with its receipt.

    The receipt of a table that other programs read goes to standard error.
    """
    if args.json is None:
        used = "\n\n".join(filter(None, (_left_out(args), effects.receipt_line(args))))
        put_out(words + ("\n" if words and not words.endswith("\n") else ""))
        if used and isinstance(words, Csv):
            sys.stderr.write(f"{used}\n")
        elif used:
            put_out(f"\n{used}\n")
        return
    answer = json_output.with_receipt(answer, effects.receipt(args))
    if args.json in STANDARD_OUTPUT:
        put_out(json_output.json_text(answer, sys.stdout.encoding or "utf-8"))
    else:
        permitted_outputs(args).save(Path(args.json), json_output.json_text(answer).encode())
