"""The command line from outside: what it prints, its JSON and its exit status (cli.md)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

WINE_HEAD = {"tapdesk", "schema", "command", "data", "findings"}


def answer(told, *arguments: str) -> dict:
    status, out, err = told(*arguments, "--json")
    assert status == 0, err
    return json.loads(out)


def test_check_tells_what_was_read_and_found(told):
    a = answer(told, "check", "sample:wine-cut1")
    assert set(a) >= WINE_HEAD
    assert a["command"] == "check"
    assert a["data"]["subjects"] == 183
    assert a["data"]["ratings"] == 732
    assert a["data"]["patterns"] == 5
    assert len(a["data"]["sha256"]) == 64


def test_fit_has_every_field_of_the_contract(told):
    a = answer(told, "fit", "sample:wine-cut1", "--subjects")
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


def test_log_likelihoods_differ_by_the_multinomial_coefficients(told):
    from math import comb, log

    fit = answer(told, "fit", "sample:wine-cut1", "--interval", "none")["fits"][0]
    coefficients = sum(n * log(comb(4, k)) for k, n in enumerate((90, 43, 25, 15, 10)))
    both = fit["log_likelihood"]
    assert both["counts"] - both["ratings"] == pytest.approx(coefficients, abs=1e-9)


def test_k_class_parameters_name_their_class(told):
    fit = answer(told, "fit", "sample:jury", "--interval", "none")["fits"][0]
    labels = ["no medal", "bronze", "silver", "gold"]
    assert [e["class"] for e in fit["estimates"] if e["name"] == "t"] == labels
    assert [e["class"] for e in fit["estimates"] if e["name"] == "a"] == [None]


def test_tied_and_fixed_parameters_say_so(told):
    fits = answer(told, "fit", "sample:wine-cut1", "--model", "t-a-t,P-a-P", "--interval", "none")["fits"]
    status = [{e["name"]: (e["status"], e["se"] is None) for e in f["estimates"]} for f in fits]
    assert status[0]["p"][0] == "tied"
    assert status[1]["t"] == ("fixed", True)
    assert status[1]["p"] == ("fixed", True)


def test_a_refused_model_stands_beside_the_others(told):
    a = answer(told, "fit", "sample:wine-cut1", "--model", "t-a-p,t-aj-p", "--interval", "none")
    assert a["fits"][0]["refused"] is None
    assert "raters are not known" in a["fits"][1]["refused"]


def test_nothing_that_can_be_fitted_is_exit_four(told):
    status, out, err = told("fit", "sample:wine-cut1", "--model", "t-aj-p", "--json")
    assert (status, out) == (4, "")
    assert "t-a-p" in err


def test_models_with_one_maximum_are_not_compared(told):
    fits = answer(told, "fit", "sample:wine-cut1", "--model", "t-a-p,t-a0a1-p", "--interval", "none")["fits"]
    assert [f["aic"] for f in fits] == [None, None]
    assert fits[1]["model"] == "t-a0a1-p"
    assert any(x["code"] == "not_comparable" for x in fits[1]["findings"])


def test_what_is_not_identified_is_an_answer(told):
    fit = answer(told, "fit", "sample:paradox")["fits"][0]
    assert fit["identified"] is False
    assert all(e["value"] is None and e["undefined"] for e in fit["estimates"])
    assert any(x["code"] == "not_identified" for x in fit["findings"])


def test_class_one_and_class_zero_leave_the_others_out(told):
    a = answer(told, "fit", "sample:jury", "--class1", "gold", "--class0", "no medal", "--interval", "none")
    assert a["data"]["class1"] == ["gold"]
    assert a["data"]["left_out"]["ratings"] > 0
    assert a["data"]["ratings"] + a["data"]["left_out"]["ratings"] == 732


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("fit", "sample:jury", "--model", "t-b-p"), 2, "There is no model 't-b-p'"),
        (("fit", "sample:jury", "--level", "95"), 2, "not between 0 and 1"),
        (("fit", "sample:jury", "--class1", "platinum"), 2, "platinum"),
        (("fit", "sample:jury", "--bogus"), 2, "bogus"),
        (("frobnicate",), 2, "frobnicate"),
        (("fit", "no such file.csv"), 3, "no such file.csv"),
        (("fit", "sample:nonsense"), 3, "nonsense"),
        (("figure", "sample:jury", "--kind", "bogus", "-o", "x.png"), 2, "bogus"),
        (("report", "sample:jury", "-o", "x.docx"), 2, ".docx"),
        (("simulate", "--param", "t=.5,.6", "--param", "a=.5", "--param", "p=.5", "--subjects", "3", "--raters", "2"),
         2, "t"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_sentence_and_an_exit_status(told, arguments, status, words):
    got, out, err = told(*arguments)
    assert (got, out) == (status, "")
    assert words in err
    assert len(err.splitlines()) <= 3
    assert "Traceback" not in err


def test_json_goes_to_a_file_when_one_is_named(told, tmp_path: Path):
    target = tmp_path / "answer.json"
    status, out, _ = told("check", "sample:jury", "--json", str(target))
    assert (status, out) == (0, "")
    assert json.loads(target.read_text(encoding="utf-8"))["command"] == "check"


def test_simulated_data_fit_back_to_what_they_came_from(told, tmp_path: Path):
    data, truth = tmp_path / "sim.csv", tmp_path / "truth.csv"
    params = ("--param", "t=.1,.2,.3,.4", "--param", "a=.6", "--param", "p=.4,.3,.2,.1")
    made = ("simulate", *params, "--subjects", "2000", "--raters", "5", "--classes", "A,B,C,D")
    assert told(*made, "--exact", "-o", str(data), "--truth-out", str(truth))[0] == 0
    assert data.read_text().splitlines()[0] == "subject,rater,rating"
    assert len(truth.read_text().splitlines()) == 2001
    fit = answer(told, "fit", str(data), "--interval", "none")["fits"][0]
    values = {(e["name"], e["class"]): e["value"] for e in fit["estimates"]}
    assert values["a", None] == pytest.approx(0.6, abs=0.01)
    assert values["t", "D"] == pytest.approx(0.4, abs=0.02)


def test_the_headless_program_never_loads_qt():
    code = (
        "import sys; from tapdesk.__main__ import main; "
        "status = main(['fit', 'sample:wine-cut1', '--interval', 'none', '--json']); "
        "sys.exit(status or any(m.startswith(('PySide6', 'pyqtgraph')) for m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["fits"][0]["identified"] is True


def test_agree_tells_each_coefficient_with_the_fields_of_the_contract(told):
    a = answer(told, "agree", "sample:fleiss-1971")
    wanted = {
        "name", "weights", "metric", "class", "raters", "value", "se", "low", "high", "undefined", "subjects",
        "ratings",
    }  # fmt: skip
    assert all(wanted <= set(c) for c in a["coefficients"])
    by_name = {c["name"]: c for c in a["coefficients"]}
    assert by_name["fleiss_kappa"]["value"] == pytest.approx(0.430, abs=5e-4)  # Fleiss 1971, p. 381
    assert all(c["undefined"] for c in a["coefficients"] if c["value"] is None)


def test_a_confusion_matrix_gives_cohens_kappa(told):
    a = answer(told, "agree", "sample:confusion-3x3")
    kappa = next(c for c in a["coefficients"] if c["name"] == "cohen_kappa")
    assert kappa["value"] == pytest.approx(0.3647, abs=5e-5)
    assert kappa["se"] == pytest.approx(0.1279, abs=5e-5)


def test_scan_has_one_cut_fewer_than_classes_and_says_the_direction(told):
    cuts = answer(told, "scan", "sample:jury", "--interval", "none")["cuts"]
    assert [c["class1"][0] for c in cuts] == ["bronze", "silver", "gold"]
    assert [f["model"] for f in cuts[0]["fits"]] == ["t-a-p", "t-a-t"]
    assert "class 0" in cuts[1]["direction"]


def test_pairs_look_at_every_two_classes(told):
    pairs = answer(told, "pairs", "sample:jury", "--interval", "none")["pairs"]
    assert len(pairs) == 6
    assert all(p["root_kappa"]["value"] ** 2 == pytest.approx(p["kappa"]["value"]) for p in pairs)


@pytest.mark.parametrize("name", ["t-a-p", "t-a0a1-p", "t-a0a1-p0p1"])
def test_the_exact_posterior_is_told_with_its_evidence(told, name):
    fit = answer(told, "fit", "sample:wine-cut1", "--model", name, "--estimator", "posterior", "--subjects")["fits"][0]
    p = fit["posterior"]
    assert p["method"] == "quadrature"
    assert p["log_evidence"]["counts"] > p["log_evidence"]["ratings"]
    # The change against half the nodes, far above the error that is left (conformance holds the values to 1e-4).
    assert 0 < p["error"] < 1e-3
    for s in p["summaries"]:
        assert s["q05"] < s["q25"] < s["median"] < s["q75"] < s["q95"]
        assert sum(m["mass"] for m in s["modes"]) == pytest.approx(1, abs=1e-6)
    assert len(fit["subjects"]) == 5 or len(fit["subjects"]) == 183


def test_other_models_are_sampled_with_diagnostics(told):
    options = ("--estimator", "posterior", "--chains", "8", "--draws", "150")
    p = answer(told, "fit", "sample:jury", "--class1", "gold,silver", "--model", "t-aj-p", *options)["fits"][0][
        "posterior"
    ]
    assert p["method"] == "hmc"
    assert p["log_evidence"] is None
    assert p["rhat"] < 1.1
    assert p["ess_bulk"] > 100


def test_moment_em_ends_below_exact_em_with_a_flat_prior(told):
    exact = answer(told, "fit", "sample:jury", "--interval", "none")["fits"][0]
    options = ("--estimator", "moment-em", "--moment-prior", "flat", "--interval", "none")
    flat = answer(told, "fit", "sample:jury", *options)["fits"][0]
    assert flat["estimator"] == "moment-em"
    assert flat["log_likelihood"]["ratings"] < exact["log_likelihood"]["ratings"]


def test_tests_by_simulation_are_part_of_a_fit_when_asked_for(told):
    fit = answer(told, "fit", "sample:wine-cut2", "--tests", "--replicates", "200", "--interval", "none")["fits"][0]
    tests = {t["name"]: t for t in fit["tests"]}
    # look.md §7: likelihood ratio 34.4 against a = 0 where chance reaches 3.9.
    assert tests["a=0"]["statistic"] == pytest.approx(34.4, abs=0.05)
    assert tests["a=0"]["p_bootstrap"] < 0.01
    assert fit["horizon"]["0.95"] == pytest.approx(0.22, abs=0.02)


def test_studies_print_a_table(told):
    status, out, _ = told("study", "recovery", "--replicates", "2")
    assert status == 0
    lines = out.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("setting,replicate,subjects,raters")
    status, out, err = told("study", "horizon")
    assert (status, out) == (2, "")
    assert "needs a file" in err


def test_a_project_answers_like_the_file_it_was_made_from(told, tmp_path: Path):
    from tapdesk.project.files.file import save
    from tapdesk.project.project import Project
    from tapdesk.ratings.reading import read_now

    place = tmp_path / "jury.tapdesk"
    save(Project().with_reading(read_now("sample:jury")).with_class1(("silver", "gold")), place)
    kept = answer(told, "fit", str(place), "--interval", "none")
    fresh = answer(told, "fit", "sample:jury", "--class1", "silver,gold", "--interval", "none")
    assert kept["data"]["class1"] == ["silver", "gold"]
    assert kept["fits"][0]["log_likelihood"] == fresh["fits"][0]["log_likelihood"]
    status, _, err = told("fit", str(place), "--delimiter", ";")
    assert status == 2
    assert err


def test_a_dash_as_output_of_simulations_is_standard_output(told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = ("--param", "t=.2", "--param", "a=.6", "--param", "p=.3", "--subjects", "3", "--raters", "2")
    status, out, _ = told("simulate", *given, "-o", "-")
    assert status == 0
    assert out.splitlines()[0] == "subject,rater,rating"
    assert not list(tmp_path.iterdir())


def test_no_model_is_wrong_usage_and_a_model_named_twice_is_told_once(told):
    status, _, err = told("fit", "sample:wine-cut1", "--model", "")
    assert (status, "No model was named" in err) == (2, True)
    fits = answer(told, "fit", "sample:wine-cut1", "--model", "t-a-p,t-a-p", "--interval", "none")["fits"]
    assert [f["model"] for f in fits] == ["t-a-p"]
    assert fits[0]["aic"] is not None


def test_intervals_from_data_drawn_from_the_model_are_asked_for_by_name(told):
    asked = ("fit", "sample:wine-cut1", "--interval", "parametric-bootstrap", "--replicates", "200")
    one, two = (answer(told, *asked)["fits"][0] for _ in range(2))
    assert one["interval"] == {"method": "parametric-bootstrap", "level": 0.95}
    assert one["estimates"] == two["estimates"]
    assert all(e["low"] < e["value"] < e["high"] for e in one["estimates"])
    assert "data sets drawn from the fitted model" in told(*asked)[1]


def test_the_scan_is_told_with_intervals_and_the_order_it_took(told):
    _code, out, _err = told("scan", "sample:jury")
    assert "No line between two grades is clearly harder than another." in out
    assert "tested with --tests" in out
    (line,) = [row for row in out.split("Root kappa")[1].splitlines() if row.startswith("silver | gold")]
    # a of t-a-t, root kappa and kappa, each with its interval.
    assert line.count(" to ") == 3
    assert "gives these classes no order" not in out
    # Diagnoses have no order: the one that was taken is not left unsaid.
    _code, out, _err = told("scan", "sample:fleiss-1971", "--interval", "none")
    assert "The file gives these classes no order; they were taken as depression <" in " ".join(out.split())


def test_pairs_of_classes_are_told_in_a_sentence_and_with_intervals(told):
    _code, out, _err = told("pairs", "sample:jury")
    assert "No two classes are clearly harder to tell apart than others" in out
    (line,) = [row for row in out.splitlines() if row.startswith("silver or gold")]
    assert line.count(" to ") == 2


def test_simulated_ratings_come_with_what_they_come_to_in_the_long_run(told, answered, tmp_path):
    asked = ("simulate", "--model", "t-a-p", "--param", "t=.3", "--param", "a=.5", "--param", "p=.4")
    sizes = ("--subjects", "20", "--raters", "3")
    status, out, _ = told(*asked, *sizes, "-o", str(tmp_path / "made.csv"))
    assert status == 0
    assert "one justified, one by luck  0.270" in out
    whole = answered(*asked, *sizes)
    assert whole["asymptotic"]["kappa"] == pytest.approx(3 / 13)
    assert [c["given"] for c in whole["asymptotic"]["classes"]] == pytest.approx([0.65, 0.35])
    # Where JSON stands in place of the table it holds the ratings.
    lines = (tmp_path / "made.csv").read_text().splitlines()[1:]
    assert [",".join(row.values()) for row in whole["rows"]] == lines
    alone = told(*asked, "--subjects", "3", "--raters", "1", "-o", str(tmp_path / "one.csv"))[1]
    assert "A single rater has no pairs" in alone
