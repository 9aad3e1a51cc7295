"""Asks other programs for their coefficients; run in the peers' environment (bash packaging/peers answers).

Without arguments it reads cases.json in resources/reference/peers and writes one JSON per program there, with its
version.
With ``--stdin`` it reads cases from standard input and prints all answers to standard output.

A case is {"name", "classes": [...], "ratings": [[class or null for each rater], ...]}; classes are numbers or words.
"""

import importlib.metadata
import json
import sys
import warnings
from pathlib import Path

import krippendorff
import numpy as np
import pandas as pd
from irrCAC.raw import CAC
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

KEPT = Path(__file__).resolve().parents[3] / "resources" / "reference" / "peers"
WEIGHTS = ("identity", "linear", "quadratic", "ordinal")
METRICS = ("nominal", "ordinal", "interval", "ratio")


def number(value):
    """A float, or None where the program has no value."""
    value = float(value)
    return value if np.isfinite(value) else None


def irrcac(case):
    """Five coefficients with standard errors and 95 % intervals, under every weights."""
    frame = pd.DataFrame(case["ratings"]).dropna(how="all")
    answers = {}
    for weights in WEIGHTS:
        cac = CAC(frame, weights=weights, categories=case["classes"], digits=15)
        methods = (
            ("fleiss_kappa", cac.fleiss),
            ("gwet_ac", cac.gwet),
            ("brennan_prediger", cac.bp),
            ("conger_kappa", cac.conger),
            ("krippendorff_alpha", cac.krippendorff),
        )
        for name, method in methods:
            est = method()["est"]
            low, high = est["confidence_interval"]
            answers[f"{name}/{weights}"] = {
                "value": number(est["coefficient_value"]),
                "se": number(est["se"]),
                "low": number(low),
                "high": number(high),
                "agreement": number(est["pa"]),
            }
    return answers


def codes(case):
    """Ratings as class positions, -1 where missing."""
    where = {label: i for i, label in enumerate(case["classes"])}
    return np.array([[where.get(x, -1) for x in row] for row in case["ratings"]])


def pairs(case):
    """Both raters' codes on shared subjects, for every pair of raters."""
    table = codes(case)
    for one in range(table.shape[1]):
        for other in range(one + 1, table.shape[1]):
            both = (table[:, [one, other]] >= 0).all(axis=1)
            yield f"{one}-{other}", table[both, one], table[both, other]


def statsmodels(case):
    """Cohen's kappa with its standard error for every pair; Fleiss' kappa of complete data."""
    k = len(case["classes"])
    answers = {}
    for pair, x, y in pairs(case):
        square = np.zeros((k, k))
        np.add.at(square, (x, y), 1)
        for weights in ("identity", "linear", "quadratic"):
            found = cohens_kappa(square, wt=None if weights == "identity" else weights)
            answers[f"cohen_kappa/{weights}/{pair}"] = {"value": number(found.kappa), "se": number(found.std_kappa)}
    table = codes(case)
    if (table >= 0).all():
        counts = np.stack([(table == c).sum(axis=1) for c in range(k)], axis=1)
        answers["fleiss_kappa/identity"] = {"value": number(statsmodels_fleiss(counts, method="fleiss"))}
    return answers


def sklearn(case):
    """Cohen's kappa of every pair."""
    answers = {}
    for pair, x, y in pairs(case):
        for weights in ("identity", "linear", "quadratic"):
            value = cohen_kappa_score(
                x, y, labels=range(len(case["classes"])), weights=None if weights == "identity" else weights
            )
            answers[f"cohen_kappa/{weights}/{pair}"] = {"value": number(value)}
    return answers


def krippendorffs(case):
    """Alpha by every metric; the metrics after the first only for numbers."""
    numeric = all(isinstance(c, int | float) for c in case["classes"])
    answers = {}
    for metric in METRICS if numeric else METRICS[:1]:
        values = [[c if c is not None else np.nan for c in row] for row in case["ratings"]]
        if numeric:
            data, domain = np.array(values, dtype=float).T, [float(c) for c in case["classes"]]
        else:
            data, domain = np.where(codes(case) < 0, np.nan, codes(case)).T, list(range(len(case["classes"])))
        value = krippendorff.alpha(data, value_domain=domain, level_of_measurement=metric)
        answers[f"krippendorff_alpha/{metric}"] = {"value": number(value)}
    return answers


PEERS = (
    ("irrCAC", irrcac),
    ("statsmodels", statsmodels),
    ("scikit-learn", sklearn),
    ("krippendorff", krippendorffs),
)


def ask(peer, cases):
    """All answers of one program, with its version."""
    name, function = peer
    answers = {case["name"]: function(case) for case in cases}
    return {"program": name, "version": importlib.metadata.version(name), "answers": answers}


def main():
    """Read cases, ask every program, write down what they say."""
    warnings.simplefilter("ignore")
    if sys.argv[1:] == ["--stdin"]:
        cases = json.load(sys.stdin)
        json.dump([ask(peer, cases) for peer in PEERS], sys.stdout)
        return
    cases = json.loads((KEPT / "cases.json").read_text())
    for peer in PEERS:
        (KEPT / f"{peer[0].lower()}.json").write_text(json.dumps(ask(peer, cases), indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
