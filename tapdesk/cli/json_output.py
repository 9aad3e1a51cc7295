"""Answers as JSON (cli.md, "Output"): full precision, null where undefined, never NaN."""

import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tapdesk.answers.misfit import level
from tapdesk.answers.part import Answer
from tapdesk.answers.side_results import SideResults
from tapdesk.estimate import AccuracyRange
from tapdesk.fitting.fit import BootstrapTest, Fit, Optimum, ParameterEstimate, Posterior, SampledPosterior, Summary
from tapdesk.fitting.fit_summary import subject_posterior
from tapdesk.language import say
from tapdesk.models.design import design
from tapdesk.models.model import Key
from tapdesk.ratings.findings import Account, AccountRow, Finding, Severity
from tapdesk.ratings.label_sets import counted_names
from tapdesk.ratings.patterns import tabulate
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.version import VERSION

if TYPE_CHECKING:
    # Few fits need them.
    from tapdesk.report.report import Report
    from tapdesk.studies.case_scores import CaseScores
    from tapdesk.studies.edge_pooling import EdgePooling
    from tapdesk.studies.wrong_together import WrongTogether

SCHEMA = 1
# The shell-safe name of a model is for typing; answers use the name of models.md.
MODEL_NAMES = {"t-ax-p": "t-a(x)-p"}
_KEYS_OF_FIT = (
    *(
        "model",
        "group",
        "headline",
        "refused",
        "estimator",
        "converged",
        "iterations",
        "status",
        "log_likelihood",
        "krits",
    ),
    *("parameters", "aic", "bic", "match_rates", "kappa", "identified", "identification", "identified_set"),
    *(
        "accuracy_range",
        "degenerate",
        "active_bounds",
        "estimates",
        "interval",
        "optima",
        "tests",
        "horizon",
        "posterior",
        "subjects",
    ),
    *(
        "findings",
        "seed",
        "seconds",
        "misfit",
        "dependence",
        "contrasts",
        "consistency",
        "drift",
        "pooled",
        "severities",
        "population",
        "parts",
    ),
)
_KRITS = ("marginal", "imputed", "expected", "standardised")


def answer_head(command: str, reading: Reading | None) -> dict[str, Any]:
    """What every answer starts with."""
    by_key: dict[str, Any] = {"tapdesk": VERSION, "schema": SCHEMA, "command": command}
    if reading is not None:
        by_key |= {"data": data(reading), "findings": [finding(f) for f in reading.findings]}
    return by_key


def with_receipt(answer: Mapping[str, Any], used: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """An answer whose head says which options it used (cli.md): after the findings, where there are any."""
    first = ("tapdesk", "schema", "command", "data", "findings")
    head_ = {key: answer[key] for key in first if key in answer}
    rest = {key: value for key, value in answer.items() if key not in first}
    return {**head_, "options_used": list(used), **rest}


def _known(ratings: Ratings) -> dict[str, Any]:
    """Of how many cases the answer is known; nothing where no column holds known answers."""
    classes = ratings.known_classes()
    if classes is None:
        return {}
    per_class = {label: int((classes == k).sum()) for k, label in enumerate(ratings.classes)}
    return {"known": {"column": ratings.known, "subjects": int((classes >= 0).sum()), "per_class": per_class}}


def known(
    ratings: Ratings, fitted: Fit | None, use: str | None, together: Mapping[str, Any] | None = None
) -> dict[str, Any] | None:
    """How the known answers are used for a fit, and how the panel stands against them; null where they are not."""
    as_rater = use == "rater"
    if fitted is None or not (as_rater or fitted.model.key is not Key.UNUSED) or not (told := _known(ratings)):
        return None
    informs = None if as_rater else fitted.model.key is Key.INFORMING
    how = {"use": "rater" if as_rater else "certain", "informs_t": informs}
    return {**told["known"], **how, **(together or dict.fromkeys(("together", "accuracy", "consensus")))}


WITHIN = 0.05
"""Raters whose accuracies have a smaller standard deviation are alike for practical purposes."""
OF_GRID = ("dependence", "group_contrasts", "consistency", "drift", "together", "scores", "pooled", "severities")
"""The side results of models of the grid."""


def of_grid(answer: Answer) -> dict[str, Any]:
    """What stands beside models of the grid (models_more.md §9); null where it does not belong to a fit."""
    side, two = answer.side, len(answer.ratings.classes) == 2
    by_key: dict[str, Any] = dict.fromkeys(("dependence", "contrasts", "consistency", "drift", "pooled", "severities"))
    by_key["population"] = population(answer.fit)
    if side.dependence is not None:
        by_key["dependence"] = [
            {
                **fields(row, "model", "log_likelihood", "spread", "fits", "low", "high"),
                "a": row.accuracy,
                "t": float(row.truth[1]) if two else [float(t) for t in row.truth],
            }
            for row in side.dependence.rows
        ]
    if side.group_contrasts:
        by_key["contrasts"] = [
            {"class": c.category, **fields(c, "name", "rater", "of", "minus", "value", "low", "high")}
            for c in side.group_contrasts
        ]
    if side.consistency:
        names = ("rater", "pairs", "same", "kappa", "expected_same", "expected_kappa", "p_bootstrap", "p_holm")
        by_key["consistency"] = [fields(c, *names, "memory", "p_memory", "fresh_same") for c in side.consistency]
    if side.drift:
        names = ("ratings", "first", "last", "change", "low", "high", "p_value", "p_holm")
        by_key["drift"] = [{"rater": row.rater or None, **fields(row, *names)} for row in side.drift]
    if side.pooled is not None:
        by_key["pooled"] = _pooled(answer.fit, side.pooled)
    if side.severities:
        by_key["severities"] = [
            {
                "rater": one.rater,
                "severity": fields(one.severity, "value", "low", "high"),
                "lean": fields(one.lean, "value", "low", "high"),
                "tendency": fields(one.tendency, "value", "low", "high"),
            }
            for one in side.severities
        ]
    if side.together is not None:
        by_key["together"] = _together(side.together, answer.ratings)
    if side.scores is not None:
        by_key["subjects"] = _scored(answer, side.scores)
    return by_key


def population(f: Fit) -> dict[str, Any] | None:
    """The population that raters are drawn from; null where they are not."""
    found = f.posterior.population if isinstance(f.posterior, SampledPosterior) else None
    if found is None:
        return None
    names = ("mean", "sd", "median", "q05", "q95", "hdi_low", "hdi_high")
    typical, new, alike = found
    along = [
        {
            **fields(one, "covariate", "first", "last", "changes", "raters"),
            "at_first": fields(one.at_first, "value", "low", "high"),
            "at_last": fields(one.at_last, "value", "low", "high"),
        }
        for one in (f.posterior.along if isinstance(f.posterior, SampledPosterior) else ())
    ]
    ends = {"typical": fields(typical, *names), "new": fields(new, *names)}
    return {**ends, "alike": alike, "within": WITHIN, "along": along}


def _pooled(own: Fit, pooled: "EdgePooling") -> dict[str, Any]:
    """Raters told as drawn from one population in the place of a fit of each by itself, and why."""
    names = ("mean", "sd", "median", "q05", "q95", "hdi_low", "hdi_high")
    alone = {e.name.rater: e.estimate.value for e in own.estimates if e.name.name == "a"}
    raters = [(e.name.rater, e.estimate) for e in pooled.fit.estimates if e.name.name == "a"]
    return {
        "model": pooled.fit.model.name,
        "edge": list(pooled.edge),
        "few": list(pooled.few),
        "panel": fields(pooled.panel, "value", "low", "high"),
        "raters": [{"rater": rater, **fields(e, "value", "low", "high"), "alone": alone[rater]} for rater, e in raters],
        "typical": fields(pooled.typical, *names),
        "new": fields(pooled.new, *names),
        "alike": pooled.alike,
        "within": WITHIN,
    }


def _together(found: "WrongTogether", ratings: Ratings) -> dict[str, Any]:
    """The panel, and where they are told apart each of its raters, against the known cases."""
    against = (("panel", found.against_panel), ("key", found.against_key))
    ends = ("value", "low", "high", "undefined", "no_interval")
    return {
        "together": {
            "model": found.model,
            "log_score": found.test.statistic,
            "mismatches": found.mismatches,
            "expected_mismatches": found.expected_mismatches,
            "p_bootstrap": found.test.p_bootstrap,
            "replicates": found.test.replicates,
            "raters": [
                {"rater": rater, **{what: fields(e, *ends) for what, e in (("panel", panel), ("key", key))}}
                for rater, (panel, key) in zip(ratings.raters, found.raters, strict=False)
            ],
        },
        "accuracy": [{"against": what, **fields(e, "value", "low", "high")} for what, e in against],
        "consensus": fields(found.consensus, "value", "low", "high", "undefined"),
    }


def _scored(answer: Answer, scores: "CaseScores") -> list[dict[str, Any]]:
    """The subjects with their scores, as models of ordered classes tell them."""
    classes = answer.ratings.classes
    return [
        {
            **row,
            "expected_score": float(scores.expected[i]),
            "at_least": dict(zip(classes, map(float, scores.at_least[i]), strict=True)),
            "top": dict(zip(map(str, scores.tops), map(float, scores.among[i]), strict=True)),
        }
        for i, row in enumerate(subjects(answer.fit, answer.ratings))
    ]


def data(reading: Reading) -> dict[str, Any]:
    """What was read."""
    ratings = reading.ratings
    return {
        "file": reading.source.name,
        "sha256": reading.source.sha256,
        "layout": reading.source.layout.value,
        "subjects": ratings.subject_count,
        "raters": rater_count(ratings),
        "ratings": ratings.rating_count,
        "missing": reading.missing,
        "left_out": {"subjects": reading.left_out_subjects, "ratings": reading.left_out_ratings},
        "classes": list(reading.as_read.classes),
        "class1": list(counted_names(ratings, reading.options)),
        **({"abstentions": [ratings.classes[i] for i in ratings.empty_classes]} if ratings.abstentions else {}),
        "patterns": tabulate(ratings).patterns,
        **({} if reading.account is None else {"account": account(reading.account)}),
        **_known(ratings),
    }


def account(result: Account) -> dict[str, Any]:
    """What became of every cell that could hold a rating: of all, of each rater, of each sheet or file."""
    return {
        "all": account_row(result.total),
        "raters": [account_row(row) for row in result.raters],
        "sheets": [account_row(row) for row in result.sheets],
    }


def account_row(row: AccountRow) -> dict[str, Any]:
    """What became of the cells of one rater or sheet."""
    return {"name": row.name or None, **fields(row, "cells", "ratings", "missing"), "left_out": dict(row.left_out)}


def rater_count(ratings: Ratings) -> int:
    """Number of raters or seats; for counts, where nobody is named, the most ratings of one subject."""
    if len(ratings.raters) > 1:
        return len(ratings.raters)
    return int(ratings.ratings_per_subject().max(initial=0))


def finding(f: Finding) -> dict[str, Any]:
    """One finding about the data; one that was decided is a note."""
    decided = f.severity is Severity.DECIDED
    return {
        "code": f.code,
        "severity": (Severity.NOTE if decided else f.severity).value,
        "decided": decided,
        # Noticed while the file was read, before its own words for things were known.
        **{key: say(getattr(f, key)) for key in ("where", "message", "fix", "default")},
    }


def refusal(model: str, reason: str) -> dict[str, Any]:
    """A model that was asked for and cannot be fitted: every key of a fit, with nothing in it."""
    lists = ("identified_set", "active_bounds", "estimates", "optima", "tests", "findings", "parts")
    by_key: dict[str, Any] = dict.fromkeys(_KEYS_OF_FIT) | {key: [] for key in lists}
    by_key |= {"log_likelihood": dict.fromkeys(("ratings", "counts")), "krits": dict.fromkeys((*_KRITS, "by_class"))}
    by_key |= {"interval": dict.fromkeys(("method", "level"))}
    return by_key | {"model": MODEL_NAMES.get(model, model), "refused": reason}


def fit(f: Fit, name: str, ratings: Ratings) -> dict[str, Any]:
    """One fit under the name it was asked for."""
    rates = f.match_rates
    return {
        "model": MODEL_NAMES.get(name, name),
        "refused": None,
        "estimator": f.estimator,
        "converged": f.converged,
        "iterations": f.iterations,
        "status": f.status.name.lower(),
        "log_likelihood": {"ratings": f.log_likelihood.ratings, "counts": f.log_likelihood.counts},
        "krits": {
            **fields(f.krits, *_KRITS),
            "by_class": dict(zip(f.classes, f.krits.by_class, strict=True)) if f.krits.by_class else None,
        },
        "parameters": f.free,
        "aic": f.aic,
        "bic": f.bic,
        "match_rates": rates
        and fields(rates, "accurate", "random", "inaccurate", "mixed", "observed")
        | {"intervals": {name: ends for name, *ends in rates.reach}},
        "kappa": f.kappa,
        # What a rater who never guesses would have guessed has no value, and leaves every other number as it is.
        "identified": f.identification.identified or (f.rates_known and f.model.guessing.by_rater),
        "identification": f.identification.words,
        "identified_set": [
            {**_named(r.name), "low": r.low, "high": r.high, "words": r.words} for r in f.identification.ranges
        ],
        "accuracy_range": _accuracy_range(f.accuracy_range),
        "degenerate": f.degenerate,
        "active_bounds": list(f.active_bounds),
        "estimates": [estimate(e) for e in f.estimates],
        "interval": {"method": f.interval[0], "level": f.interval[1]},
        "optima": [{"log_likelihood": o.log_likelihood, "values": _values(f, o)} for o in f.optima],
        "tests": [test(t) for t in f.tests],
        "horizon": f.horizon,
        "posterior": posterior(f.posterior) if f.posterior is not None else None,
        "subjects": subjects(f, ratings) if f.subject_posterior is not None else None,
        "findings": [fields(x, "code", "severity", "message", "fix") for x in f.findings],
        "seed": f.seed,
        "seconds": f.seconds,
    }


def misfit(side: SideResults) -> dict[str, Any] | None:
    """The test of fit, and whether raters are alike; null where neither was asked."""
    alike = None if side.differences is None else side.differences.test
    tests = [t for t in (side.goodness, alike) if t is not None]
    if not tests:
        return None
    below = level(side)
    return {"level": below, "rejects": any(t.p_bootstrap < below for t in tests), "tests": [test(t) for t in tests]}


def _accuracy_range(accuracy_range: AccuracyRange | None) -> dict[str, Any] | None:
    """Every accuracy that fits equally well, the assumption it does without, and the accuracy under it."""
    if accuracy_range is None:
        return None
    return {
        **fields(accuracy_range, "low", "high", "outer_low", "outer_high", "level"),
        "without": accuracy_range.without.value,
        "assumed": fields(accuracy_range.assumed, "value", "low", "high"),
    }


def test(t: BootstrapTest) -> dict[str, Any]:
    """One test by parametric bootstrap."""
    return fields(t, "name", "group", "statistic", "df", "p_bootstrap", "p_holm", "quantiles", "replicates")


def fields(value: Any, *names: str) -> dict[str, Any]:
    """Some attributes of a value by name."""
    return {name: getattr(value, name) for name in names}


def estimate(e: ParameterEstimate) -> dict[str, Any]:
    """One named number."""
    n, x = e.name, e.estimate
    return {
        **_named(n),
        "rated": n.rated,
        "covariate": n.covariate,
        "group": n.group,
        "cut": n.cut,
        "status": e.freedom.value,
        **fields(x, "value", "se", "low", "high", "undefined", "no_interval"),
    }


def _named(name: Any) -> dict[str, Any]:
    return {"name": name.name, "class": name.category, "rater": name.rater}


def _values(f: Fit, optimum: Optimum) -> dict[str, float | None]:
    """The reported numbers at a maximum, by name; null where they have no value there."""
    values = [slot.value(optimum.parameters) for slot in f.slots]
    gone = set(optimum.undefined)
    return {str(slot.name): None if i in gone else values[i] for i, slot in enumerate(f.slots)}


def posterior(p: Posterior) -> dict[str, Any]:
    """A posterior's own account."""
    names = ("mean", "sd", "median", "q05", "q25", "q75", "q95", "hdi_low", "hdi_high")

    def summary(s: Summary) -> dict[str, Any]:
        return {**_named(s.name), **fields(s, *names), "modes": [fields(m, "at", "mass") for m in s.modes]}

    return {
        **fields(p, "method", "error", "rhat", "ess_bulk", "ess_tail", "divergences", "other_labelling_mass"),
        "log_evidence": p.log_evidence and fields(p.log_evidence, "ratings", "counts"),
        "summaries": [summary(s) for s in p.summaries],
        "readings": [
            {"mass": r.mass, "words": r.words, "summaries": [summary(s) for s in r.summaries]} for r in p.readings
        ],
    }


def subjects(f: Fit, ratings: Ratings) -> list[dict[str, Any]]:
    """The most probable class of every subject, with all probabilities.

    They are averaged over what is not known of the numbers; ``at_estimate`` takes the estimates as known, and so is too
    sure of small panels.
    """
    if f.subject_posterior is None:
        return []
    best = f.subject_posterior.argmax(axis=1)
    plan = design(f.model, ratings)
    known = subject_posterior(f, plan, plan.space.evidence(plan.patterns)) if f.estimator != "posterior" else None
    return [
        {
            "subject": name,
            "class": f.classes[b],
            "probability": float(q[b]),
            "probabilities": dict(zip(f.classes, map(float, q), strict=True)),
            "at_estimate": None if known is None else dict(zip(f.classes, map(float, known[i]), strict=True)),
        }
        for i, (name, b, q) in enumerate(zip(ratings.subjects, best, f.subject_posterior, strict=True))
    ]


def json_text(answer: Mapping[str, Any], encoding: str = "utf-8") -> str:
    """The answer as JSON text; letters that the output cannot show are escaped, which reads the same."""
    clean = _clean(answer)
    text = json.dumps(clean, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return json.dumps(clean, indent=1, allow_nan=False) + "\n"
    return text


def _clean(x: Any) -> Any:
    """Plain types only; what is not a number is null."""
    if isinstance(x, Mapping):
        return {str(k): _clean(v) for k, v in x.items()}
    if isinstance(x, str) or x is None or isinstance(x, bool):
        return x
    if isinstance(x, Sequence):
        return [_clean(v) for v in x]
    if hasattr(x, "tolist"):
        return _clean(x.tolist())
    if isinstance(x, float):
        return x if math.isfinite(x) else None
    return x


def report_written(head: dict[str, Any], made: "Report", files: Sequence[Path]) -> tuple[dict[str, Any], str]:
    """What is said of a report that was saved, as JSON and as text; what a fault left out goes to stderr.

    Parameters
    ----------
    head
        The first keys of the answer.
    made, files
        The report as it was written, and where.
    """
    answer = {
        **head,
        "outputs": [str(f) for f in files],
        "fingerprint": made.fingerprint,
        "missing": [{"section": f.section, "title": f.title, "place": f.place} for f in made.faults],
    }
    for fault in made.faults:
        sys.stderr.write(f"tapdesk: not in the report: {fault.title}. {fault.words}\n")
    return answer, "\n".join(f"Saved {f}." for f in files)
