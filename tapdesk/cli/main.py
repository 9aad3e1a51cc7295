"""The headless program: from arguments to an exit status."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tapdesk.cli import analyses, commands, documents, effects, simulating, simulations, told
from tapdesk.cli.arguments import parse
from tapdesk.cli.outputs import STANDARD_OUTPUT, looked_over, permitted
from tapdesk.cli.selftest import selftest
from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Severity

Command = Callable[[argparse.Namespace], tuple[dict[str, Any], str]]

COMMANDS: dict[str, Command] = {
    "check": commands.check,
    "fit": commands.fit,
    "agree": analyses.agree,
    "scan": analyses.scan,
    "pairs": analyses.pairs,
    "study": simulations.study,
    "report": documents.report,
    "figure": documents.figure,
    "simulate": simulating.simulate,
    "verify": documents.verify,
    "selftest": selftest,
}

_STOPPED = 130


def main(arguments: Sequence[str]) -> int:
    """Run one command.

    Returns
    -------
    int
        The exit status of cli.md: 0 answered, 2 wrong usage, 3 input not understood, 4 nothing can be computed,
        130 stopped by the user.
    """
    debug = "--debug" in arguments
    try:
        args = parse(arguments)
        looked_over(args)
        answer, words = COMMANDS[args.command](args)
        _say(args, answer, words)
        if args.command == "check":
            _refuse_after(answer)
    except TapdeskError as problem:
        if debug:
            raise
        sys.stderr.write(f"tapdesk: {problem}\n")
        return problem.exit_status
    except KeyboardInterrupt:
        sys.stderr.write("tapdesk: stopped.\n")
        return _STOPPED
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as bug:  # no traceback ever reaches a user (cli.md)
        if debug:
            raise
        sys.stderr.write(
            f"tapdesk: this is a fault of the program, not of your data: {type(bug).__name__}: {bug}. "
            "Run it again with --debug to see where.\n"
        )
        return 1
    return int(answer.get("exit_status", 0))


def _refuse_after(answer: dict[str, Any]) -> None:
    """Say after all that was understood what has to be answered before any command can go on.

    Raises
    ------
    TapdeskError
        When a finding blocks.
    """
    found = [f for f in answer["findings"] if f["severity"] == Severity.BLOCK.value]
    if found:
        fix = " ".join(f["fix"] for f in found)
        raise TapdeskError(_("Nothing can be computed before this is decided."), answer["data"]["file"], fix)


def _say(args: argparse.Namespace, answer: dict[str, Any], words: str) -> None:
    """The answer where it was asked for: a table, or JSON on standard output or in a file; with its receipt.

    The receipt of a table that other programs read goes to standard error.
    """
    if args.json is None:
        used = effects.receipt_line(args)
        table = isinstance(words, simulating.Csv)
        sys.stdout.write(words + ("\n" if words and not words.endswith("\n") else ""))
        if used:
            (sys.stderr if table else sys.stdout).write(f"{used}\n" if table else f"\n{used}\n")
        return
    text = told.written(told.with_receipt(answer, effects.receipt(args)))
    if args.json in STANDARD_OUTPUT:
        sys.stdout.write(text)
    else:
        permitted(args).save(Path(args.json), text.encode())
