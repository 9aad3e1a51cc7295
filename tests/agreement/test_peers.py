"""Other programs' answers, stored with their versions in resources/reference/peers (tests/data/peers/make.py)."""

import json

import numpy as np
import pytest

from agreement.examples import CASES, PEERS, all_of, case, pick
from tapdesk.agreement.tables import BY_DISTANCE, user_weights, weights

IRRCAC = json.loads((PEERS / "irrcac.json").read_text())["answers"]
EXACT = {"abs": 1e-9, "rel": 0}


def ours(name):
    """All our coefficients of a case, with Gwet's weights also given to alpha as own matrices."""
    ratings = case(name)
    own = [weights(w, ratings) for w in BY_DISTANCE]
    matrices = [user_weights(f"own {w.name}", w.matrix) for w in own if not isinstance(w, str)]
    return all_of(ratings, weights=("identity", *BY_DISTANCE, *matrices))


@pytest.mark.parametrize("name", CASES)
def test_values_errors_and_intervals_equal_those_of_irrcac(name):
    found = ours(name)
    compared = 0
    for key, theirs in IRRCAC[name].items():
        coefficient, scheme = key.split("/")
        if scheme != "identity" and name == "words":
            continue  # classes without an order have no near and far here; irrCAC takes the alphabet for one
        if coefficient == "krippendorff_alpha" and scheme != "identity":
            # Alpha has its own metrics; under irrCAC's weights it is asked for with a matrix.
            scheme = f"own {scheme}"
        metric = "nominal" if (coefficient, scheme) == ("krippendorff_alpha", "identity") else None
        e = pick(found, coefficient, weights=scheme, metric=metric).estimate
        assert e.value == pytest.approx(theirs["value"], **EXACT), key
        assert e.se == pytest.approx(theirs["se"], **EXACT), key
        assert (e.low, e.high) == pytest.approx((theirs["low"], theirs["high"]), **EXACT), key
        compared += 1
    assert compared >= 5


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("program", ["statsmodels", "scikit-learn"])
def test_kappas_of_pairs_equal_those_of_statsmodels_and_scikit_learn(program, name):
    found = all_of(case(name), weights=("identity", "linear", "quadratic"))
    answers = json.loads((PEERS / f"{program}.json").read_text())["answers"][name]
    for key, theirs in answers.items():
        coefficient, scheme, *pair = key.split("/")
        if scheme != "identity" and name in {"words", "uneven-scores"}:
            continue  # both programs count classes 0, 1, 2; ours keep the spacing of numeric labels (next test)
        raters = tuple(f"R{int(j) + 1}" for j in pair[0].split("-")) if pair else None
        e = pick(found, coefficient, weights=scheme, raters=raters).estimate
        assert e.value == pytest.approx(theirs["value"], **EXACT), key
        if "se" in theirs:
            assert e.se == pytest.approx(theirs["se"], **EXACT), key


def test_numeric_labels_keep_their_spacing_where_scikit_learn_counts_positions():
    """Classes 0, 1, 2, 5, 9: 5 and 9 lie four apart for us, one apart for scikit-learn; irrCAC agrees with us."""
    theirs = json.loads((PEERS / "scikit-learn.json").read_text())["answers"]["uneven-scores"]["cohen_kappa/linear/0-1"]
    ratings = case("uneven-scores")
    ranked = user_weights("ranks", BY_DISTANCE["linear"](np.arange(5.0)))
    found = all_of(ratings, weights=("linear", ranked))
    spaced, counted = (pick(found, "cohen_kappa", weights=w, raters=("R1", "R2")) for w in ("linear", "ranks"))
    assert counted.estimate.value == pytest.approx(theirs["value"], **EXACT)
    assert abs(spaced.estimate.value - theirs["value"]) > 1e-3


@pytest.mark.parametrize("name", CASES)
def test_alphas_equal_those_of_krippendorff(name):
    found = all_of(case(name))
    for key, theirs in json.loads((PEERS / "krippendorff.json").read_text())["answers"][name].items():
        e = pick(found, "krippendorff_alpha", metric=key.split("/")[1]).estimate
        assert e.value == pytest.approx(theirs["value"], **EXACT), key


def test_krippendorffs_ordinal_metric_is_not_irrcacs_ordinal_weights():
    """His distance of two classes is the number of ratings between them, so it moves with the data.

    Gwet's ordinal weights count the classes between them; with a matrix of these, our alpha is irrCAC's.
    """
    found = ours("gwet-4-raters")
    metric = pick(found, "krippendorff_alpha", metric="ordinal").estimate.value
    by_weights = pick(found, "krippendorff_alpha", weights="own ordinal").estimate.value
    assert by_weights == pytest.approx(IRRCAC["gwet-4-raters"]["krippendorff_alpha/ordinal"]["value"], **EXACT)
    assert abs(metric - by_weights) > 0.01


def test_the_interval_metric_is_quadratic_weights():
    found = ours("gwet-4-raters")
    metric = pick(found, "krippendorff_alpha", metric="interval").estimate.value
    assert metric == pytest.approx(IRRCAC["gwet-4-raters"]["krippendorff_alpha/quadratic"]["value"], **EXACT)
