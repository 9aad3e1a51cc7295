"""The headless program: from arguments to an exit status."""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any

from tapdesk.cli import analyses, commands, documents, simulating, simulations, told
from tapdesk.cli.arguments import parser, refuse_what_is_no_text
from tapdesk.cli.mishaps import FAULT, explained, fault, one_line
from tapdesk.cli.selftest import selftest
from tapdesk.cli.stopping import Stopped, stopping_in_order
from tapdesk.cli.streams import answer as put_out

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
        130 stopped by the user (143 by the system); 70 a bug of ours.
    """
    debug = "--debug" in arguments
    try:
        with stopping_in_order():
            _run(arguments)
    except KeyboardInterrupt as stop:
        sys.stderr.write("tapdesk: stopped.\n")
        return stop.exit_status if isinstance(stop, Stopped) else _STOPPED
    except BrokenPipeError:
        # Whoever read the answer has seen enough of it.
        return 0
    except Exception as problem:  # no traceback ever reaches a user (cli.md)
        if debug:
            raise
        said = explained(problem)
        sys.stderr.write(f"tapdesk: {one_line(fault(problem) if said is None else str(said))}\n")
        return FAULT if said is None else said.exit_status
    return 0


def _run(arguments: Sequence[str]) -> None:
    try:
        args = parser().parse_args(arguments)
    except SystemExit:
        # --help and --version have written and would end the program.
        put_out("")
        return
    refuse_what_is_no_text(args)
    answer, words = COMMANDS[args.command](args)
    _say(args, answer, words)


def _say(args: argparse.Namespace, answer: dict[str, Any], words: str) -> None:
    """The answer where it was asked for: a table, or JSON on standard output or in a file."""
    if args.json is None:
        put_out(words + ("\n" if words and not words.endswith("\n") else ""))
        return
    text = told.put(answer, args.json)
    if text is not None:
        put_out(text)
