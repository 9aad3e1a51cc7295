"""What the command fit answers, field by field."""

import math
import subprocess
import sys
from zlib import crc32

import numpy as np
import pytest

from tapdesk.worlds.catalog import world


def test_fit_has_every_field_of_the_contract(answered):
    a = answered("fit", "sample:wine-cut1", "--subjects")
    fit = a["fits"][0]
    wanted = {
        "model", "refused", "estimator", "converged", "iterations", "log_likelihood", "krits", "parameters", "aic",
        "bic", "match_rates", "identified", "identified_set", "degenerate", "active_bounds", "estimates", "interval",
        "optima", "tests", "horizon", "posterior", "subjects", "findings", "seed", "seconds",
    }  # fmt: skip
    assert wanted <= set(fit)
    assert [e["name"] for e in fit["estimates"]] == ["t", "a", "p"]
    for e in fit["estimates"]:
        assert set(e) >= {
            "name", "class", "rater", "rated", "covariate", "status", "value", "se", "low", "high", "undefined",
        }  # fmt: skip
        assert e["low"] <= e["value"] <= e["high"]
    assert fit["interval"] == {"method": "profile", "level": 0.95}
    assert fit["match_rates"]["observed"] == pytest.approx(
        sum(fit["match_rates"][part] for part in ("accurate", "inaccurate", "mixed"))
    )
    assert fit["optima"][0]["values"]["a"] == pytest.approx(fit["estimates"][1]["value"])
    for subject in fit["subjects"]:
        assert sum(subject["probabilities"].values()) == pytest.approx(1)
        assert subject["probability"] == max(subject["probabilities"].values())
        assert sum(subject["at_estimate"].values()) == pytest.approx(1)


def test_log_likelihoods_differ_by_the_multinomial_coefficients(answered):
    from math import comb, log

    fit = answered("fit", "sample:wine-cut1", "--interval", "none")["fits"][0]
    coefficients = sum(n * log(comb(4, k)) for k, n in enumerate((90, 43, 25, 15, 10)))
    both = fit["log_likelihood"]
    assert both["counts"] - both["ratings"] == pytest.approx(coefficients, abs=1e-9)


def test_k_class_parameters_name_their_class(answered):
    fit = answered("fit", "sample:jury", "--interval", "none")["fits"][0]
    labels = ["no medal", "bronze", "silver", "gold"]
    assert [e["class"] for e in fit["estimates"] if e["name"] == "t"] == labels
    assert [e["class"] for e in fit["estimates"] if e["name"] == "a"] == [None]


def test_tied_and_fixed_parameters_say_so(answered):
    fits = answered("fit", "sample:wine-cut1", "--model", "t-a-t,P-a-P", "--interval", "none")["fits"]
    status = [{e["name"]: (e["status"], e["se"] is None) for e in f["estimates"]} for f in fits]
    assert status[0]["p"][0] == "tied"
    assert status[1]["t"] == ("fixed", True)
    assert status[1]["p"] == ("fixed", True)


def test_a_refused_model_stands_beside_the_others(answered):
    a = answered("fit", "sample:wine-cut1", "--model", "t-a-p,t-aj-p", "--interval", "none")
    assert a["fits"][0]["refused"] is None
    assert "raters are not known" in a["fits"][1]["refused"]
    assert list(a["fits"][1]) == list(a["fits"][0])
    assert a["fits"][1]["log_likelihood"] == {"ratings": None, "counts": None}
    assert a["fits"][1]["krits"].keys() == a["fits"][0]["krits"].keys()
    assert a["fits"][1]["estimates"] == []


def test_a_model_that_does_not_go_with_an_option_does_not_stop_the_others(answered, told):
    a = answered("fit", "sample:wine-cut1", "--model", "t-a-p,P-a-P", "--truth", "uniform", "--interval", "none")
    assert a["fits"][0]["estimates"][0]["value"] == 0.5
    assert "not free" in a["fits"][1]["refused"]
    assert told("fit", "sample:wine-cut1", "--model", "P-a-P", "--truth", "uniform")[0] == 2


def test_nothing_that_can_be_fitted_is_exit_four(told):
    status, out, err = told("fit", "sample:wine-cut1", "--model", "t-aj-p", "--json")
    assert (status, out) == (4, "")
    assert "t-a-p" in err


def test_models_with_one_maximum_are_not_compared(answered):
    fits = answered("fit", "sample:wine-cut1", "--model", "t-a-p,t-a0a1-p", "--interval", "none")["fits"]
    assert [f["aic"] for f in fits] == [None, None]
    assert fits[1]["model"] == "t-a0a1-p"
    assert any(x["code"] == "not_comparable" for x in fits[1]["findings"])


def test_what_is_not_identified_is_an_answer(answered):
    fit = answered("fit", "sample:paradox")["fits"][0]
    assert fit["identified"] is False
    assert all(e["value"] is None and e["undefined"] for e in fit["estimates"])
    assert any(x["code"] == "not_identified" for x in fit["findings"])


def test_a_posterior_gives_no_value_to_what_the_ratings_leave_open_though_its_summaries_stand(answered):
    fit = answered("fit", "sample:wine-cut1", "--model", "t-a0a1-p", "--estimator", "posterior")["fits"][0]
    assert fit["identified"] is False
    told = {e["name"]: e for e in fit["estimates"]}
    # Two classes pin the true rate and nothing else (models.md §3); along the rest the prior answers.
    assert [name for name, e in told.items() if e["value"] is not None] == ["t"]
    assert all(told[name]["undefined"] and told[name]["low"] < told[name]["high"] for name in ("a0", "a1", "p"))
    assert [s["name"] for s in fit["posterior"]["summaries"]] == ["t", "a0", "a1", "p"]


@pytest.mark.parametrize("name", ["t-a-p", "t-a0a1-p", "t-a0a1-p0p1"])
def test_the_exact_posterior_is_told_with_its_evidence(answered, name):
    fit = answered("fit", "sample:wine-cut1", "--model", name, "--estimator", "posterior", "--subjects")["fits"][0]
    p = fit["posterior"]
    assert p["method"] == "quadrature"
    assert p["log_evidence"]["counts"] > p["log_evidence"]["ratings"]
    # The change against half the nodes, far above the error that is left (conformance holds the values to 1e-4).
    assert 0 < p["error"] < 1e-3
    for s in p["summaries"]:
        assert s["q05"] < s["q25"] < s["median"] < s["q75"] < s["q95"]
        assert sum(m["mass"] for m in s["modes"]) == pytest.approx(1, abs=1e-6)
    assert len(fit["subjects"]) == 5


def test_other_models_are_sampled_with_diagnostics(answered):
    options = ("--estimator", "posterior", "--chains", "8", "--draws", "150")
    p = answered("fit", "sample:jury", "--class1", "gold,silver", "--model", "t-aj-p", *options)["fits"][0]["posterior"]
    assert p["method"] == "hmc"
    assert p["log_evidence"] is None
    assert p["rhat"] < 1.1
    assert p["ess_bulk"] > 100


def test_moment_em_ends_below_exact_em_with_a_flat_prior(answered):
    exact = answered("fit", "sample:jury", "--interval", "none")["fits"][0]
    options = ("--estimator", "moment-em", "--moment-prior", "flat", "--interval", "none")
    flat = answered("fit", "sample:jury", *options)["fits"][0]
    assert flat["estimator"] == "moment-em"
    assert flat["log_likelihood"]["ratings"] < exact["log_likelihood"]["ratings"]


def test_tests_by_simulation_are_part_of_a_fit_when_asked_for(answered):
    fit = answered("fit", "sample:wine-cut2", "--tests", "--replicates", "200", "--interval", "none")["fits"][0]
    tests = {t["name"]: t for t in fit["tests"]}
    # look.md §7: likelihood ratio 34.4 against a = 0 where chance reaches 3.9.
    assert tests["a=0"]["statistic"] == pytest.approx(34.4, abs=0.05)
    assert tests["a=0"]["p_bootstrap"] < 0.01
    assert fit["horizon"]["0.95"] == pytest.approx(0.22, abs=0.02)


def test_no_model_is_wrong_usage_and_a_model_named_twice_is_told_once(told, answered):
    status, _, err = told("fit", "sample:wine-cut1", "--model", "")
    assert (status, "No model was named" in err) == (2, True)
    fits = answered("fit", "sample:wine-cut1", "--model", "t-a-p,t-a-p", "--interval", "none")["fits"]
    assert [f["model"] for f in fits] == ["t-a-p"]
    assert fits[0]["aic"] is not None


def test_intervals_from_data_drawn_from_the_model_are_asked_for_by_name(told, answered):
    asked = ("fit", "sample:wine-cut1", "--interval", "parametric-bootstrap", "--replicates", "200")
    one, two = (answered(*asked)["fits"][0] for _ in range(2))
    assert one["interval"] == {"method": "parametric-bootstrap", "level": 0.95}
    assert one["estimates"] == two["estimates"]
    assert all(e["low"] < e["value"] < e["high"] for e in one["estimates"])
    assert "data sets drawn from the fitted model" in told(*asked)[1]


@pytest.mark.parametrize("more", [[], ["--class1", "gold,silver"]], ids=["all-classes", "two-classes"])
def test_a_fit_loads_what_a_fit_needs(more):
    """Studies, pictures, documents and readers of other files come with who asks for them: 362 modules at one time."""
    script = (
        "import contextlib, io, sys\n"
        "from tapdesk.__main__ import main\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n"
        f"    assert main(['fit', 'sample:jury', *{more!r}]) == 0\n"
        "print(sum(name.split('.')[0] == 'tapdesk' for name in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(done.stdout) <= 150


def test_models_fitted_by_belief_are_compared_by_their_exact_evidence(answered, told):
    models = ("--model", "t-a-p,t-a0a1-p,t-a0a1-p0p1", "--estimator", "posterior")
    answer = answered("fit", "sample:wine-cut1", *models)
    evidence = {fit["model"]: fit["posterior"]["log_evidence"]["ratings"] for fit in answer["fits"]}
    shares = answer["model_probabilities"]
    assert shares.keys() == evidence.keys()
    assert sum(shares.values()) == pytest.approx(1)
    # Bayes: models that were as probable before stand to each other as their evidence does.
    assert math.log(shares["t-a-p"] / shares["t-a0a1-p"]) == pytest.approx(evidence["t-a-p"] - evidence["t-a0a1-p"])
    _status, words, _faults = told("fit", "sample:wine-cut1", *models)
    assert f"By the evidence, {max(shares, key=shares.__getitem__)} is the most probable" in words.replace("\n", " ")


def test_maxima_are_not_compared_by_evidence(answered):
    assert "model_probabilities" not in answered("fit", "sample:wine-cut1", "--model", "t-a-p,t-a-t")


def test_nobody_is_set_apart_where_all_guess_each_in_a_way_of_their_own(told, tmp_path):
    """Two were said to stand above the panel, one of them with an accuracy of .92, and nobody knew anything."""
    key = "chance-100x5-leanings"
    panel = world(key).draw(np.random.default_rng([1, crc32(key.encode()), 3]))
    path = tmp_path / "guesses.csv"
    path.write_text(panel.text())
    status, text, _said = told("fit", str(path), "--model", "t-aj-p")
    assert status == 0
    assert "Nobody is set apart: these ratings cannot be told from chance." in text
    assert "stand above" not in text
