"""The commands about a file: check, fit."""

import argparse
from dataclasses import replace
from typing import Any

from tapdesk.cli import effects, reading_words, told
from tapdesk.cli.sources import open_file
from tapdesk.cli.watch import run_watched
from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.fitting.priors import parse_sampling_prior
from tapdesk.models.model import RaterModel, Truth
from tapdesk.models.model import model as named_model
from tapdesk.report.tables import text
from tapdesk.studies.analysis import Request, analyse, refusal

_SHARED_MAXIMUM = {"t-a-p", "t-ak-p", "t-a0a1-p0p1"}


def check(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """What was understood of a file, and what was noticed; where a finding blocks, the exit status says so."""
    reading = open_file(args, waits=False)
    return told.head("check", reading), text.check(reading)


def request(args: argparse.Namespace, name: str) -> Request:
    """The fit options as typed, for one model."""
    wanted = with_options(named_model(name), args)
    chosen = {name: value for name in ("chains", "draws") if (value := getattr(args, name)) is not None}
    return Request(
        model=wanted,
        estimator=args.estimator or ("posterior" if wanted.truth is Truth.SHARPENED else "exact-em"),
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
        if reason := _not_uniform(wanted, args):
            raise UsageError(reason, fix="Leave out --truth uniform.")
        wanted = replace(wanted, truth=Truth.UNIFORM)
    return wanted


def _not_uniform(wanted: RaterModel, args: argparse.Namespace) -> str | None:
    """Why a model does not take the truth asked for; None where it does."""
    if args.truth == "uniform" and wanted.truth is not Truth.FREE:
        return f"In {wanted.name} the truth is not free, so it cannot be uniform."
    return None


def fit(args: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Models fitted to a file.

    Raises
    ------
    CannotAnswerError
        When none of the models can be fitted.
    """
    reading = open_file(args)
    names = [name for name in dict.fromkeys(args.model) if name]
    if not names:
        raise UsageError("No model was named.", fix="Name it with --model, such as --model t-a-p.")
    # One of several models that does not go with an option does not stop the others.
    held = {name: _not_uniform(named_model(name), args) for name in names} if len(names) > 1 else {}
    asked = {name: request(args, name) for name in names if not held.get(name)}
    shared = len(reading.ratings.classes) == 2 and len({r.model.name for r in asked.values()} & _SHARED_MAXIMUM) > 1
    why_not = {name: held.get(name) or refusal(reading.ratings, asked[name]) for name in names}
    # An option that only a model asks for which cannot be fitted has no effect; where none can, that is said.
    fitted = {name: one for name, one in asked.items() if not why_not[name]}
    effects.refuse_once_chosen(args, fitted or asked, reading.ratings)
    answers, words, reasons = [], [reading_words.in_short(reading)], []
    for name in names:
        reason = why_not[name]
        if reason:
            reasons.append(f"{name}: {reason}")
            answers.append(told.refused(name, reason))
            words.append(f"{name}: {reason}")
            continue
        f = run_watched(analyse(reading.ratings, asked[name]))
        told_fit = told.fit(f, name, reading.ratings)
        if shared and asked[name].model.name in _SHARED_MAXIMUM:
            _not_comparable(told_fit)
        answers.append(told_fit)
        words.append(text.fit(f, reading.ratings))
    if len(reasons) == len(names):
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
