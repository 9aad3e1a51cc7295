"""The program tries itself on a known example: everything that could be missing from a bundle is used once."""

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from tapdesk.answers.figures.catalog import figures
from tapdesk.cli import json_output
from tapdesk.cli.outputs import permitted_outputs
from tapdesk.errors import TapdeskError
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.files import file as files
from tapdesk.project.files.outputs import SAV_LABEL, OutputKind, Outputs, make_folder
from tapdesk.project.files.recognition import SUFFIX
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.reading import Reading, read_now
from tapdesk.report.build import build
from tapdesk.report.forms.xlsx import settled
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.recovery import RecoveryPlan, Setting, recover, shared_point

# The maximum for sample:wine-cut1 by brute force, from a program that shares no code with this one.
KNOWN = {"t": 0.2650942295, "a": 0.5421178383, "p": 0.2172111006}
NEAR = 1e-6
LARGEST_RHAT = 1.05
WORKERS = 2


class SelftestError(TapdeskError):
    """A part of the program does not do what it should: the installation is damaged, or we are at fault."""

    exit_status = 1


@dataclass
class _Bench:
    """What one step leaves for the next."""

    folder: Path
    may: Outputs
    kept: dict[str, Any] = field(default_factory=dict)


def selftest(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Read, fit, sample, draw, study, write, save and reopen; each step with its time.

    Raises
    ------
    SelftestError
        When a step fails; its name stands in the sentence.
    """
    if args.output:
        return _tried(make_folder(Path(args.output)), permitted_outputs(args))
    with tempfile.TemporaryDirectory(prefix="tapdesk-") as folder_name:
        return _tried(Path(folder_name), permitted_outputs(args))


def _tried(folder: Path, may: Outputs) -> tuple[dict[str, Any], str]:
    """All steps in their order."""
    bench = _Bench(folder, may)
    rows: list[dict[str, Any]] = []
    began = time.perf_counter()
    for name, step in STEPS:
        before = time.perf_counter()
        try:
            words = step(bench)
        except Exception as problem:  # whatever it is, the step that failed is what has to be known
            raise _named_problem(name, problem) from problem
        rows.append({"step": name, "seconds": round(time.perf_counter() - before, 3), "words": words})
    seconds = time.perf_counter() - began
    answer = {**json_output.answer_head("selftest", None), "rows": rows, "seconds": round(seconds, 3)}
    lines = [f"{row['seconds']:7.2f} s  {row['step']:<9}{row['words']}" for row in rows]
    return answer, "\n".join([*lines, f"{seconds:7.2f} s  all is well"])


def _named_problem(name: str, problem: Exception) -> TapdeskError:
    """A failure with the step it comes from; what the user can mend keeps what to do about it."""
    start = f"The step '{name}' failed:"
    if isinstance(problem, OSError) and problem.strerror:
        return TapdeskError(f"{start} {problem.strerror}.", str(problem.filename or ""), "Name another folder with -o.")
    if isinstance(problem, TapdeskError) and not isinstance(problem, SelftestError):
        return TapdeskError(f"{start} {problem.what}", problem.where, problem.fix)
    reason = problem.what if isinstance(problem, SelftestError) else f"{type(problem).__name__}: {problem}"
    return SelftestError(f"{start} {reason}", fix="Install tapdesk anew, or send this line to the authors.")


def _check(words: str, *, holds: bool) -> None:
    if not holds:
        raise SelftestError(words)


def _read(bench: _Bench) -> str:
    """An example, and the same ratings through a workbook and a file of another statistics program."""
    bench.kept["wine"] = read_now("sample:wine-cut1")
    jury = bench.kept["jury"] = read_now("sample:jury")
    for suffix, write in ((".xlsx", _workbook), (".sav", _spss)):
        path = bench.folder / f"ratings{suffix}"
        # Written as everything else is, so that a full disk is told in our words.
        bench.may.save(path, write(jury))
        back = read_now(path, ReadingOptions(layout=Layout.LONG, subject="wine", rater="judge", rating="medal"))
        same = back.ratings.rating_count == jury.ratings.rating_count and _tally(back) == _tally(jury)
        _check(f"The ratings came back changed from {path.name}.", holds=same)
    return "examples, a workbook and an SPSS file"


def _tally(reading: Reading) -> dict[str, int]:
    """How often each class was given."""
    ratings = reading.as_read
    counts = np.bincount(ratings.category, minlength=len(ratings.classes))
    return dict(zip(ratings.classes, map(int, counts), strict=True))


def _rows(reading: Reading) -> list[tuple[str, str, str]]:
    r = reading.as_read
    numbers = zip(r.subject, r.rater, r.category, strict=True)
    return [(str(r.subjects[s]), str(r.raters[j]), str(r.classes[k])) for s, j, k in numbers]


def _workbook(reading: Reading) -> bytes:
    import openpyxl  # late: not needed to start any other command

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("ratings")
    for row in [("wine", "judge", "medal"), *_rows(reading)]:
        sheet.append(row)
    return settled(book, datetime(1980, 1, 1, tzinfo=UTC), OutputKind.RATINGS)


def _spss(reading: Reading) -> bytes:
    import pandas as pd  # late: these two take half a second
    import pyreadstat

    table = pd.DataFrame(_rows(reading), columns=["wine", "judge", "medal"])
    with tempfile.TemporaryDirectory(prefix="tapdesk-") as folder:
        path = Path(folder) / "ratings.sav"
        pyreadstat.write_sav(table, str(path), file_label=SAV_LABEL)
        return path.read_bytes()


def _fit(bench: _Bench) -> str:
    """The known maximum, to six decimals, with its intervals."""
    request = Request(model("t-a-p"), redraws=True, replicates=500)
    fit = finish(analyse(bench.kept["wine"].ratings, request))
    for name, value in KNOWN.items():
        e = fit.estimate(name)
        _check(f"{name} is {e.value} and should be {value}.", holds=e.value is not None and abs(e.value - value) < NEAR)
        _check(f"{name} has no interval.", holds=e.low is not None and e.high is not None)
    bench.kept |= {"request": request, "fit": fit}
    return "t-a-p with intervals and re-draws; the numbers are the known ones"


def _sample(bench: _Bench) -> str:
    """A posterior by sampling."""
    request = Request(model("t-a-t"), estimator="posterior", chains=8, draws=400)
    posterior = finish(analyse(bench.kept["jury"].ratings, request)).posterior
    rhat = posterior.rhat if posterior is not None else None
    _check(f"The chains differ: R-hat is {rhat}.", holds=rhat is not None and rhat < LARGEST_RHAT)
    return f"t-a-t for four classes, R-hat {rhat:.3f}"


def _study(_bench: _Bench) -> str:
    """The same small study in one process and in two."""
    point = shared_point([0.6, 0.4], 0.5, [0.5, 0.5])
    plan = RecoveryPlan(model("t-a-p"), (Setting(point, 40, 3), Setting(point, 40, 4)), replicates=10)
    together = finish(recover(plan, WORKERS))
    _check("Two processes found something else than one.", holds=together.rows == finish(recover(plan)).rows)
    return f"{len(together.rows)} data sets in {WORKERS} processes, as in one"


def _draw(bench: _Bench) -> str:
    """Every form of a figure."""
    from tapdesk.report.forms.pdf import figure_file  # late: loads the compiler

    (panel, *_) = figures("distribution", bench.kept["fit"], bench.kept["wine"].ratings)
    for suffix, start in ((".svg", b"<svg"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
        drawn = figure_file(panel, suffix)
        _check(f"The figure is no {suffix} file.", holds=start in drawn[:100])
        bench.may.save(bench.folder / f"figure{suffix}", drawn)
    return "a figure as SVG, PNG and PDF"


def _report(bench: _Bench) -> str:
    """The whole report in every form; PDF is tagged, workbook and web page are whole."""
    from tapdesk.report.forms.write import content  # late: loads the compiler

    analysis = Analysis("main", bench.kept["request"], bench.kept["fit"])
    project = Project(title="Selftest").with_reading(bench.kept["wine"]).with_analysis(analysis)
    report = build(project)
    sizes = []
    for suffix, start, end in ((".pdf", b"%PDF", b"%%EOF"), (".xlsx", b"PK", b""), (".html", b"<!", b"-->")):
        made = content(report, suffix)
        whole = made[:100].lower().startswith(start.lower()) and made.rstrip().endswith(end)
        _check(f"The report is no {suffix} file.", holds=whole)
        _check("The report is no tagged PDF.", holds=suffix != ".pdf" or b"pdfuaid" in made)
        bench.may.save(bench.folder / f"report{suffix}", made)
        sizes.append(f"{suffix[1:].upper()} {len(made) // 1024} kB")
    bench.kept["project"] = project
    return ", ".join(sizes)


def _project(bench: _Bench) -> str:
    """Save, open again, compare."""
    path = bench.folder / f"selftest{SUFFIX}"
    project = bench.kept["project"]
    bench.may.save_project(path, project)
    again = files.load(path)
    _check("The project came back changed.", holds=again.fingerprint == project.fingerprint)
    estimates = [[e.estimate for e in a.fit.estimates] for a in (*project.analyses, *again.analyses) if a.fit]
    _check("The results came back changed.", holds=len(estimates) == 2 and estimates[0] == estimates[1])
    return "saved, opened again, the same"


STEPS: tuple[tuple[str, Callable[[_Bench], str]], ...] = (
    ("read", _read),
    ("fit", _fit),
    ("sample", _sample),
    ("study", _study),
    ("draw", _draw),
    ("report", _report),
    ("project", _project),
)
