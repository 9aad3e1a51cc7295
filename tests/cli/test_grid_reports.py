"""Reports of models of the grid from the command line: the same options as for a fit, and the same parts."""

import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from tapdesk.answers.side_results import Wanted
from tapdesk.fitting.fit import Fit
from tapdesk.models.model import Key
from tapdesk.project.files.file import load


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Reports with little beside the answer but what the options ask for."""
    little = Wanted(replicates=5, agreement=False, tests=False, sensitivity=False)
    monkeypatch.setattr("tapdesk.report.setup.ALL", little)
    monkeypatch.setattr("tapdesk.answers.grid_studies.PANELS", 5)


@pytest.fixture
def shifts(tmp_path: Path) -> str:
    """80 cases of two wards that differ, by four raters in turn, every other answer known; the first tires."""
    rng = np.random.default_rng(8)
    rows = []
    for i in range(80):
        ward = "north" if i % 2 else "south"
        true = rng.random() < (0.2 if ward == "north" else 0.8)
        known = "" if i % 4 > 1 else ("yes" if true else "no")
        for j in range(4):
            accuracy = 0.8 if j else 0.95 - 0.9 * i / 80
            says = true if rng.random() < accuracy else rng.random() < 0.5
            rows.append(f"c{i},{['Ana', 'Ben', 'Cem', 'Dia'][j]},{'yes' if says else 'no'},{ward},{known},{i}")
    place = tmp_path / "shifts.csv"
    place.write_text("\n".join(["case,rater,rating,ward,truth,turn", *rows]), encoding="utf-8")
    return str(place)


@pytest.fixture
def repeated(tmp_path: Path) -> str:
    """30 cases by three raters, of whom Ana rates all twice."""
    rng = np.random.default_rng(2)
    rows = []
    for i in range(30):
        true = rng.random() < 0.5
        for who, visit in (("Ana", 1), ("Ana", 2), ("Ben", 1), ("Cem", 1)):
            says = true if rng.random() < 0.7 else rng.random() < 0.5
            rows.append(f"c{i},{who},{'yes' if says else 'no'},{visit}")
    place = tmp_path / "repeated.csv"
    place.write_text("\n".join(["case,rater,rating,visit", *rows]), encoding="utf-8")
    return str(place)


def text_of(page: Path) -> str:
    words = re.sub(r"<(style|svg|script).*?</\1>", " ", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", words)))


@pytest.fixture
def reported(told, tmp_path: Path):
    """The words of a report, and the answer in the project that is saved beside it."""

    def run(*arguments: str) -> tuple[str, Fit, Path]:
        page, kept = tmp_path / "r.html", tmp_path / "r.tapdesk"
        more = ("--save-project", str(kept), "--interval", "wald", "--replicates", "20", "--force")
        status, _out, err = told("report", *arguments, "-o", str(page), *more)
        assert status == 0, err
        fit = load(kept).analyses[0].fit
        assert fit is not None
        return text_of(page), fit, kept

    return run


KNOWN = ("--known", "truth")


def test_groups_of_a_model_are_reported_with_their_difference(reported, shifts):
    text, fit, _kept = reported(shifts, *KNOWN, "--model", "tg-a-p", "--by", "ward")
    assert (fit.model.groups, fit.model.key) == ("ward", Key.CERTAIN)
    assert "More cases of “south” than of “north” are truly “yes”" in text
    assert "Differences between groups" in text
    # The groups belong to the model, so each is not fitted by itself as well.
    assert "Is it the same in every group?" not in text


def test_the_order_of_the_ratings_is_reported_with_who_tired(reported, shifts):
    text, fit, _kept = reported(shifts, *KNOWN, "--model", "t-aj-p", "--drift", "turn")
    assert fit.model.along == "turn"
    assert "Ana became less accurate" in text
    # The picture stands on the page, its table in the workbook.
    assert "2 raters changed in accuracy along the way" in text


def test_what_known_answers_are_for_is_reported(reported, shifts):
    text, fit, _kept = reported(shifts, *KNOWN, "--model", "t-aj-p", "--known-informs-t", "yes")
    assert fit.model.key is Key.INFORMING
    assert "They count as a random part of all cases." in text
    text, fit, _kept = reported(shifts, *KNOWN, "--model", "t-aj-p", "--known-use", "beside")
    assert fit.model.key is Key.UNUSED
    assert "taken as certain" not in text


def test_a_key_taken_as_a_rater_is_a_decision_of_the_project(reported, shifts):
    text, fit, kept = reported(shifts, *KNOWN, "--model", "t-aj-p", "--known-use", "rater")
    assert fit.raters == ("Ana", "Ben", "Cem", "Dia", "truth")
    assert "The known answers are taken as those of one more rater, truth." in text
    project = load(kept)
    assert project.ratings.raters[-1] == "truth"
    assert project.reading is not None
    assert "truth" not in project.reading.ratings.raters


def test_raters_from_one_population_are_reported(told, shifts, tmp_path: Path):
    page = tmp_path / "r.html"
    small = ("--estimator", "posterior", "--chains", "4", "--draws", "60", "--known-use", "beside")
    status, _out, err = told("report", shifts, *KNOWN, "--model", "t-aj-p", "--pool", *small, "-o", str(page))
    assert status == 0, err
    text = text_of(page)
    assert "What if raters come from one population?" in text
    assert "alike for practical purposes has a probability of" in text


def test_repeats_are_reported_with_what_memory_makes_of_them(reported, repeated):
    text, fit, _kept = reported(repeated, "--model", "t-aj-p+m", "--occasion", "visit")
    assert fit.model.occasions == "visit"
    assert "How consistent the raters are" in text
    of_ana = [line.split(",")[2] for line in Path(repeated).read_text(encoding="utf-8").splitlines() if ",Ana," in line]
    same = sum(first == second for first, second in zip(of_ana[::2], of_ana[1::2], strict=True))
    assert f"The class was the same in {same} of 30 pairs of own ratings of one case; accuracy and leaning" in text


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--model", "tg-a-p"), "The model tg-a-p is about groups. Name their column with --by COL."),
        (("--model", "tg-a-p", "--by", "ward", "--by", "turn"), "takes the groups of one column; 2 are named."),
        (("--known-use", "rater"), "--known-use rater has no effect here"),
        (("--model", "t-aj-p", "--known-use", "rater", "--each", "ward"), "--known-use rater has no effect here"),
        (("--model", "t-aj-p", "--pool"), "--pool has an effect only with a sampled posterior"),
        (("--model", "t-aj-p", "--occasion", "nope"), "There is no column 'nope' beside the ratings"),
        (("--model", "dawid-skene", "--drift", "turn"), "--drift has an effect only with the models"),
    ],
)
def test_an_option_of_the_grid_without_effect_is_refused_in_a_report_as_in_a_fit(
    told, shifts, tmp_path: Path, more, sentence
):
    page = tmp_path / "r.html"
    status, _out, err = told("report", shifts, *KNOWN, *more, "-o", str(page))
    assert status in {2, 4}
    assert sentence in " ".join(err.split())
    assert not page.exists()
