"""What stands before any command: the version, the list of commands, and the parser both are made of.

It stands alone because it is all that ``tapdesk --help`` and ``--version`` load of ours, beside the version and what a
signal does.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from tapdesk.version import VERSION

COMMANDS: dict[str, str] = {
    "check": "read a file, show what was understood, list findings",
    "fit": "fit models",
    "agree": "every agreement coefficient",
    "scan": "t-a-p, t-a-t and kappa at every cut of ordered classes",
    "pairs": "conditional accuracy for every pair of classes",
    "questions": "all questions of a form in one table, those that need talk first",
    "compare": "two analyses side by side: another file, or the same one with something otherwise",
    "awards": "who wins, and how sure that is: fair scores, places, judges, and what would change the awards",
    "simulate": "ratings simulated from a model",
    "study": "simulation and further studies",
    "report": "the whole report; of a form without --only one report for all its questions",
    "letters": "a private letter to each rater: the own numbers beside the panel's, nobody else by name",
    "figure": "one figure",
    "export": "the cleaned ratings as a table, with what was decided beside it",
    "sheets": "blank rating sheets for a panel, whose filled copies are read without a question",
    "verify": "is an issued report unchanged, and does it match its data?",
    "dossier": "this copy held against reference values, other programs and kept studies: pages for an approval",
    "selftest": "try the program on a known example, step by step",
}


# Where argparse looks for numbers below zero, it knows neither lists of them nor powers of ten.
_NEGATIVE = re.compile(r"-(\d|\.\d|inf\b|nan\b)", re.IGNORECASE)


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are told like all others; options are written out in full."""

    def __init__(self, **more: Any) -> None:
        super().__init__(allow_abbrev=False, **more)
        self.intermixed = False
        # What follows an option may be less than zero: whether that can be is for the option to say.
        self._negative_number_matcher = _NEGATIVE

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As usual; where ``intermixed`` is set, FILE may also stand between and after the options.

        ``--json`` takes no word after it, or it would be written over the FILE it stands before.
        """
        words = list(args or ())
        options = words[: words.index("--")] if "--" in words else words
        args = ["--json=-" if word == "--json" else word for word in options] + words[len(options) :]
        if not self.intermixed:
            return super().parse_known_args(args, namespace)
        # The other way of parsing may come back here.
        self.intermixed = False
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self.intermixed = True

    def error(self, message: str) -> NoReturn:
        """Raise the complaint instead of ending the program.

        Raises
        ------
        UsageError
            Always.
        """
        from tapdesk.errors import UsageError  # late: the first page complains of nothing

        raise UsageError(f"{message[:1].upper()}{message[1:]}.", fix=f"See: {self.prog} --help")


def top_parser() -> Parser:
    """The parser of the program, without its commands."""
    top = Parser(
        prog="tapdesk",
        description="How much of the agreement between raters is knowledge and how much is luck. "
        "Without a command, or with a file alone, the window opens.",
    )
    top.add_argument("--version", action="version", version=f"tapdesk {VERSION}")
    return top


def command_parsers(top: Parser) -> dict[str, Parser]:
    """The parsers of all commands by name, added to that of the program; their options are not there yet."""
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    return {
        name: commands.add_parser(name, help=words, description=f"{words[:1].upper()}{words[1:]}.")
        for name, words in COMMANDS.items()
    }


def first_page(arguments: Sequence[str]) -> str | None:
    """What ``--version`` or ``--help`` alone writes; None where something else is asked."""
    if list(arguments) == ["--version"]:
        return f"tapdesk {VERSION}\n"
    if list(arguments) in (["--help"], ["-h"]):
        top = top_parser()
        command_parsers(top)
        return top.format_help()
    return None


def write_first_page(arguments: Sequence[str]) -> bool:
    """Write the version or the list of commands, and say whether that was all that was asked.

    Where it cannot be written nothing is, and the whole program says why.
    """
    page = first_page(arguments)
    if page is None or sys.stdout is None or sys.stderr is None:
        return False
    try:
        sys.stdout.write(page)
        sys.stdout.flush()
    except (OSError, ValueError):
        return False
    return True
