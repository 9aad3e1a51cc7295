"""The commands about a file: check, fit, agree, report, figure."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from tapdesk.cli import reading_words, told
from tapdesk.cli.arguments import reading_options
from tapdesk.cli.watch import run_watched
from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.fitting.fit import Fit
from tapdesk.fitting.sampling_priors import parse_sampling_prior
from tapdesk.models.catalog import model as named_model
from tapdesk.models.model import RaterModel, Truth
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.reading import Reading, read
from tapdesk.report import text
from tapdesk.report.saving import save
from tapdesk.studies.analysis import Request, analyse, refusal

_SHARED_MAXIMUM = {"t-a-p", "t-ak-p", "t-a0a1-p0p1"}


def open_file(args: argparse.Namespace) -> Reading:
    """The ratings a command is about."""
    return run_watched(read(args.file, reading_options(args)))


def check(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """What was understood of a file, and what was noticed."""
    reading = open_file(args)
    return told.head("check", reading), text.check(reading)


def request(args: argparse.Namespace, name: str) -> Request:
    """The fit options as typed, for one model."""
    chosen = {name: value for name in ("chains", "draws") if (value := getattr(args, name)) is not None}
    return Request(
        model=with_options(named_model(name), args),
        estimator=args.estimator or "exact-em",
        interval=args.interval,
        level=args.level,
        replicates=args.replicates,
        seed=args.seed,
        subjects=args.subjects,
        tests=args.tests,
        priors=tuple(parse_sampling_prior(p) for p in args.prior),
        sharpness=args.sharpness,
        moment_prior=args.moment_prior,
        **chosen,
    )


def with_options(wanted: RaterModel, args: argparse.Namespace) -> RaterModel:
    """A named model with the covariates and the truth asked for."""
    wanted = replace(wanted, covariates=tuple(args.covariates))
    if args.truth == "uniform":
        if wanted.truth is not Truth.FREE:
            raise UsageError(f"In {wanted.name} the truth is not free.", fix="Leave out --truth uniform.")
        wanted = replace(wanted, truth=Truth.UNIFORM)
    return wanted


def fit(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Models fitted to a file.

    Raises
    ------
    CannotAnswerError
        When none of the models can be fitted.
    """
    reading = open_file(args)
    asked = [request(args, name) for name in args.model]
    shared = len(reading.ratings.classes) == 2 and sum(r.model.name in _SHARED_MAXIMUM for r in asked) > 1
    answers, words, reasons = [], [reading_words.in_short(reading)], []
    for name, r in zip(args.model, asked, strict=True):
        reason = refusal(reading.ratings, r)
        if reason:
            reasons.append(f"{name}: {reason}")
            answers.append(told.refused(name, reason))
            words.append(f"{name}: {reason}")
            continue
        f = run_watched(analyse(reading.ratings, r))
        told_fit = told.fit(f, name, reading.ratings)
        if shared and r.model.name in _SHARED_MAXIMUM:
            _not_comparable(told_fit)
        answers.append(told_fit)
        words.append(text.fit(f, reading.ratings))
    if len(reasons) == len(asked):
        raise CannotAnswerError(" ".join(reasons), reading.source.name)
    return {**told.head("fit", reading), "fits": answers}, "\n\n".join(words)


def _not_comparable(answer: dict[str, Any]) -> None:
    """Models that share one maximum on any binary counts are not compared (models.md §3)."""
    answer["aic"] = answer["bic"] = None
    answer["findings"].append(
        {
            "code": "not_comparable",
            "severity": "note",
            "message": "On counts of two classes t-a-p, t-a0a1-p and t-a0a1-p0p1 reach the same likelihood whatever "
            "the data, so AIC and BIC cannot choose between them and are not shown.",
            "fix": "Choose between them by what you know about the raters.",
        }
    )


def default_fit(args: argparse.Namespace, reading: Reading, name: str | None = None) -> tuple[Request, Fit]:
    """The fit of a report: t-a-p, or t-a-t where t-a-p is not identified, with re-draws for the pictures.

    Raises
    ------
    CannotAnswerError
        When the model cannot be fitted to these ratings.
    """
    asked = replace(request(args, name or "t-a-p"), redraws=True)
    reason = refusal(reading.ratings, asked)
    if reason:
        raise CannotAnswerError(reason, reading.source.name)
    found = run_watched(analyse(reading.ratings, asked))
    if name is None and not found.identification.by_design:
        asked = replace(asked, model=with_options(named_model("t-a-t"), args))
        found = run_watched(analyse(reading.ratings, asked))
    return asked, found


def report(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """The whole report as a file.

    Raises
    ------
    UsageError
        When the suffix is not one a report can have.
    """
    from tapdesk.report.build import build
    from tapdesk.report.pdf import pdf

    target = Path(args.output)
    if target.suffix.lower() != ".pdf":
        raise UsageError(f"A report cannot be written as '{target.suffix}'.", fix="Use a name that ends in .pdf.")
    reading = open_file(args)
    project = Project(title=args.title).with_reading(reading)
    if not any(f.severity is Severity.BLOCK for f in reading.findings):
        asked, found = default_fit(args, reading)
        project = project.with_analysis(Analysis("main", asked, found))
    save(target, pdf(build(project)))
    answer = {**told.head("report", reading), "output": str(target)}
    return answer, f"Saved the report to {target}."


def figure(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """One figure as a file, or the names of all."""
    from tapdesk.report.figures import FIGURES, figures, picture
    from tapdesk.report.pdf import figure_file

    if args.kind == "list":
        rows = [{"name": row.kind, "title": row.title} for row in FIGURES]
        return {**told.head("figure", None), "rows": rows}, "\n".join(f"{r['name']:<16}{r['title']}" for r in rows)
    picture(args.kind)
    if not args.output:
        raise UsageError("There is no file to draw to.", fix="Name it with -o, such as -o figure.png.")
    target = Path(args.output)
    if target.suffix.lower() not in {".png", ".svg", ".pdf"}:
        raise UsageError(f"A figure cannot be written as '{target.suffix}'.", fix="Use .png, .svg or .pdf.")
    reading = open_file(args)
    _, found = default_fit(args, reading, args.model)
    panels = figures(args.kind, found, reading.ratings)
    names = [target] if len(panels) == 1 else [target.with_stem(f"{target.stem}-{i + 1}") for i in range(len(panels))]
    for panel, name in zip(panels, names, strict=True):
        save(name, figure_file(panel, target.suffix.lower()))
    answer = {**told.head("figure", reading), "outputs": [str(n) for n in names]}
    return answer, "\n".join(f"Saved {n}." for n in names)
