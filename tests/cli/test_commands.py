"""The command line from outside: what it prints, its JSON and its exit status (cli.md)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

WINE_HEAD = {"tapdesk", "schema", "command", "data", "findings"}


def test_check_tells_what_was_read_and_found(answered):
    a = answered("check", "sample:wine-cut1")
    assert set(a) >= WINE_HEAD
    assert a["command"] == "check"
    assert a["data"]["subjects"] == 183
    assert a["data"]["ratings"] == 732
    assert a["data"]["patterns"] == 5
    assert len(a["data"]["sha256"]) == 64


def test_class_one_and_class_zero_leave_the_others_out(answered):
    a = answered("fit", "sample:jury", "--class1", "gold", "--class0", "no medal", "--interval", "none")
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
        (("report", "sample:jury", "-o", "x.odt"), 2, ".odt"),
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
    status, out, _ = told("check", "sample:jury", f"--json={target}")
    assert (status, out) == (0, "")
    assert json.loads(target.read_text(encoding="utf-8"))["command"] == "check"


def test_simulated_data_fit_back_to_what_they_came_from(told, answered, tmp_path: Path):
    data, truth = tmp_path / "sim.csv", tmp_path / "truth.csv"
    params = ("--param", "t=.1,.2,.3,.4", "--param", "a=.6", "--param", "p=.4,.3,.2,.1")
    made = ("simulate", *params, "--subjects", "2000", "--raters", "5", "--classes", "A,B,C,D")
    assert told(*made, "--exact", "-o", str(data), "--truth-out", str(truth))[0] == 0
    assert data.read_text().splitlines()[0] == "subject,rater,rating"
    assert len(truth.read_text().splitlines()) == 2001
    fit = answered("fit", str(data), "--interval", "none")["fits"][0]
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


def test_agree_tells_each_coefficient_with_the_fields_of_the_contract(answered):
    a = answered("agree", "sample:fleiss-1971")
    wanted = {
        "name", "weights", "metric", "class", "raters", "value", "se", "low", "high", "undefined", "subjects",
        "ratings",
    }  # fmt: skip
    assert all(wanted <= set(c) for c in a["coefficients"])
    by_name = {c["name"]: c for c in a["coefficients"]}
    assert by_name["fleiss_kappa"]["value"] == pytest.approx(0.430, abs=5e-4)  # Fleiss 1971, p. 381
    assert all(c["undefined"] for c in a["coefficients"] if c["value"] is None)


def test_a_confusion_matrix_gives_cohens_kappa(answered):
    a = answered("agree", "sample:confusion-3x3")
    kappa = next(c for c in a["coefficients"] if c["name"] == "cohen_kappa")
    assert kappa["value"] == pytest.approx(0.3647, abs=5e-5)
    assert kappa["se"] == pytest.approx(0.1279, abs=5e-5)


def test_scan_has_one_cut_fewer_than_classes_and_says_the_direction(answered):
    cuts = answered("scan", "sample:jury", "--interval", "none")["cuts"]
    assert [c["class1"][0] for c in cuts] == ["bronze", "silver", "gold"]
    assert [f["model"] for f in cuts[0]["fits"]] == ["t-a-p", "t-a-t"]
    assert "is counted" in cuts[1]["direction"]


def test_a_scan_in_the_direction_of_the_paper_counts_the_lower_side(answered):
    above = answered("scan", "sample:jury", "--interval", "none")["cuts"]
    below = answered("scan", "sample:jury", "--interval", "none", "--direction", "below")["cuts"]
    assert [c["class1"] for c in below] == [c["class0"] for c in above]
    assert [c["cut"] for c in below] == [c["cut"] for c in above]
    assert below[1]["direction"] == "'no medal' or 'bronze' is counted, 'silver' or 'gold' is not."
    for up, down in zip(above, below, strict=True):
        one, other = ({e["name"]: e["value"] for e in c["fits"][0]["estimates"]} for c in (up, down))
        # The same likelihood, told of the other class.
        assert (1 - other["t"], other["a"], 1 - other["p"]) == pytest.approx((one["t"], one["a"], one["p"]), abs=1e-6)


def test_pairs_look_at_every_two_classes(answered):
    pairs = answered("pairs", "sample:jury", "--interval", "none")["pairs"]
    assert len(pairs) == 6
    assert all(p["root_kappa"]["value"] ** 2 == pytest.approx(p["kappa"]["value"]) for p in pairs)


def test_studies_print_a_table(told):
    status, out, _ = told("study", "recovery", "--replicates", "2")
    assert status == 0
    lines = out.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("setting,replicate,subjects,raters")
    status, out, err = told("study", "horizon")
    assert (status, out) == (2, "")
    assert "needs a file" in err


def test_a_project_answers_like_the_file_it_was_made_from(told, answered, tmp_path: Path):
    from tapdesk.project.files.file import save
    from tapdesk.project.project import Project
    from tapdesk.ratings.reading import read_now

    place = tmp_path / "jury.tapdesk"
    save(Project().with_reading(read_now("sample:jury")).with_class1(("silver", "gold")), place)
    kept = answered("fit", str(place), "--interval", "none")
    fresh = answered("fit", "sample:jury", "--class1", "silver,gold", "--interval", "none")
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


def test_the_scan_is_told_with_intervals_and_the_order_it_took(told):
    _code, out, _err = told("scan", "sample:jury")
    assert "No line between two classes is clearly harder than another." in out
    assert "tested with --tests" in out
    line, _t_beside_p = [row for row in out.split("Root kappa")[1].splitlines() if row.startswith("silver | gold")]
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
