"""The command dossier: this copy of the program held against what is kept, as pages for those who must approve it."""

import argparse
import contextlib
import io
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tapdesk.cli import analyses, json_output
from tapdesk.cli.arguments import parse
from tapdesk.cli.option import PAPERS
from tapdesk.cli.outputs import permitted_outputs
from tapdesk.cli.terminal import FAULT, run_watched
from tapdesk.dossier.dossier import Dossier, make_dossier
from tapdesk.dossier.pages import dossier_report, verdict
from tapdesk.dossier.reference import ReferenceValue

_COMMANDS = {"fit": analyses.fit, "agree": analyses.agree}


def dossier(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Compute, compare and write it; where something is not as it should be the program is at fault.

    The lines of what is not so go to standard error beside whatever was asked for.
    """
    from tapdesk.report.forms.write import content  # late: loads the compiler

    made = run_watched(make_dossier(_answer))
    pages = dossier_report(made, issued=args.issued, paper=PAPERS[args.paper or "a4"])
    permitted_outputs(args).save_all([(Path(args.output), content(pages, ".pdf"))])
    answer = {**json_output.answer_head("dossier", None), "headline": verdict(made), **_record(made, args.output)}
    lines = [f"{'holds' if c.holds else 'NOT SO'}  {c.compared:5,}  {c.what}" for c in made.checks]
    text = "\n".join([verdict(made), "", *lines, "", f"Saved {args.output}."])
    if made.holds:
        return answer, text
    sys.stderr.write("".join(f"tapdesk: Not so: {line}\n" for line in made.off))
    return {**answer, "exit_status": FAULT}, text


def _answer(words: Sequence[str]) -> Mapping[str, Any]:
    """What a command answers as JSON, its numbers through the text a user gets; quietly."""
    args = parse(words)
    with contextlib.redirect_stderr(io.StringIO()):
        answer, _words = _COMMANDS[args.command](args)
    plain: Mapping[str, Any] = json.loads(json_output.json_text(answer))
    return plain


def _record(made: Dossier, output: str) -> dict[str, Any]:
    """Everything that was compared, as plain values."""
    here = made.installation
    return {
        "holds": made.holds,
        "output": output,
        "checks": [{**asdict(check), "holds": check.holds} for check in made.checks],
        "rows": [
            {
                "command": one.command,
                "file": one.file,
                "options": list(one.options),
                "by": one.by,
                "refused": one.failure or None,
                "values": [_value(value) for value in one.values],
            }
            for one in made.questions
        ],
        "peers": [
            {"program": one.program, "version": one.version, "values": [_value(value) for value in one.values]}
            for one in made.peers
        ],
        "python": here.python,
        "system": here.system,
        "libraries": dict(here.libraries),
        "digest": here.digest,
        "files": {name: digest for group in here.groups for name, digest in group.digests},
    }


def _value(value: ReferenceValue) -> dict[str, Any]:
    return {**asdict(value), "agrees": value.agrees}
