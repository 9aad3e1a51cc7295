"""A file that lacks what a picture needs: the sentence names it, for every picture of the program and of the papers."""

import re

import pytest

from tapdesk.answers.figures.catalog import FIGURES
from tapdesk.cli.main import main
from tapdesk.papers.catalog import REPRODUCTIONS

CASES = 24


def sheet(columns, value=lambda i, j: "yes" if (i * (j + 3)) % 7 < 3 else "no"):
    """A file of cases and the raters that are named."""
    rows = [",".join((f"C{i:02d}", *(value(i, j) for j in range(len(columns))))) for i in range(CASES)]
    return "\n".join((",".join(("case", *columns)), *rows, ""))


FILES = {
    # How many of the ratings of a case are yes: nobody knows whose.
    "counts": "n_ratings,n_class1,weight\n" + "".join(f"4,{k},{w}\n" for k, w in enumerate((9, 5, 6, 5, 8))),
    "one rater": sheet(["Ann"]),
    "two raters": sheet(["Ann", "Bob"]),
    "three raters": sheet(["Ann", "Bob", "Cy"]),
    "all alike": sheet(["Ann", "Bob", "Cy"], lambda _i, _j: "yes"),
    "colours": sheet(["Ann", "Bob", "Cy"], lambda i, j: ("red", "blue", "green")[(i * (j + 3)) % 5 % 3]),
}
RATERS = "This needs to know who gave each rating, and here the raters are not known"
TWICE = r"No case (has two ratings|was rated more than once)"
# By picture: files that lack what it needs, options, and the words that name it.
NEEDS = {
    "estimates": ("all alike", (), "There is only one class, so there is nothing to tell apart"),
    "distribution": ("three raters", ("--model", "t-aj-p"), "Raters differ in this model"),
    "class_rates": ("three raters", ("--model", "t-aj-p"), "Raters differ in this model"),
    "parameters": ("three raters", ("--interval", "none", "--estimator", "moment-em"), "No resamples were made"),
    "profile": ("three raters", ("--interval", "wald"), "No likelihood profile was made with this fit"),
    "pairs": ("counts", (), "does not say which rater gave which rating"),
    "tree": ("one rater", (), TWICE),
    "votes": ("one rater", (), "do not determine the numbers"),
    "information": ("counts", (), RATERS),
    "calibration": ("one rater", (), TWICE),
    "surprises": ("one rater", (), TWICE),
    "expected": ("one rater", (), "do not determine all numbers"),
    "rater_histogram": ("three raters", ("--model", "t-aj-p"), "needs at least 5 "),
    "ruler": ("one rater", (), "leave open how often the ratings follow the case"),
    "accurate_raters": ("two raters", (), "needs at least 3"),
    "curve": ("three raters", (), "a column of numbers about the raters, such as their age"),
    "cohen": ("three raters", (), "about two raters"),
    "split": ("one rater", (), "do not determine all numbers"),
    "cases": ("one rater", (), "leave open how often a rating follows its case"),
    "clinical": ("colours", (), "two classes, and there are 3"),
    "kappa_factor": ("one rater", (), TWICE),
    "balance": ("colours", (), "two classes, and there are 3"),
    "paradox": ("colours", (), "two classes, and there are 3"),
    "chance": ("one rater", (), TWICE),
    "horizon": ("one rater", (), TWICE),
    "independence": ("counts", (), RATERS),
    "influence": ("two raters", (), "at least three"),
    "scan": ("colours", (), "The classes have no order"),
    "class_pairs": ("three raters", (), "three classes or more"),
    "models": ("one rater", (), TWICE),
    "recovery": ("one rater", (), "do not determine all numbers"),
    "plan": ("one rater", (), "do not determine the numbers"),
}
# Pictures of how a search went, of what fits and of counting agreements: every file with ratings has them.
ALWAYS = {"convergence", "contour", "thermometers"}
OF_PAPERS = {
    "kappa-factor": ("colours", "two classes, and there are 3"),
    "clinical-rates": ("colours", "two classes, and there are 3"),
    "wine-scan": ("three raters", "three classes or more in order"),
    "rater-histogram": ("counts", "who gave each rating"),
    "low-rater": ("counts", "who gave each rating"),
    "rater-filter": ("counts", "who gave each rating"),
    "subject-groups": ("three raters", "a column about the subjects with 2 to 8 different values, such as a year"),
    "accuracy-by-age": ("three raters", "a column of numbers about the raters, such as their age"),
    "tree": ("one rater", TWICE),
    "distribution": ("one rater", TWICE),
    "paradox": ("one rater", TWICE),
    "joint": ("colours", "two classes, and there are 3"),
    "cohen": ("three raters", "about two raters"),
}
# Each pair of classes has its own answer, "no pair can be told apart" too.
NO_NEED = {"pairs"}


def test_every_picture_has_a_file_that_cannot_give_it():
    assert set(NEEDS) | ALWAYS == {row.kind for row in FIGURES}
    assert set(OF_PAPERS) | NO_NEED == {row.name for row in REPRODUCTIONS if row.own}


def refused(arguments, words, capsys):
    """The command ends with one sentence that says so, and leaves nothing."""
    assert main(arguments) in {2, 3, 4}
    told = capsys.readouterr().err
    assert "Traceback" not in told
    assert re.search(words, " ".join(told.split())), told


@pytest.mark.parametrize("kind", NEEDS)
def test_the_sentence_names_what_a_picture_needs(kind, tmp_path, capsys):
    name, options, words = NEEDS[kind]
    file = tmp_path / "own.csv"
    file.write_text(FILES[name], encoding="utf-8")
    picture = tmp_path / "own.svg"
    refused(["figure", str(file), "--kind", kind, "-o", str(picture), *options], words, capsys)
    assert not picture.exists()


@pytest.mark.parametrize("kind", sorted(ALWAYS))
def test_what_every_file_has_is_drawn(kind, tmp_path):
    file = tmp_path / "own.csv"
    file.write_text(FILES["three raters"], encoding="utf-8")
    assert main(["figure", str(file), "--kind", kind, "-o", str(tmp_path / "own.svg")]) == 0


@pytest.mark.parametrize("figure", OF_PAPERS)
def test_the_sentence_names_what_a_figure_of_the_papers_needs(figure, tmp_path, capsys):
    name, words = OF_PAPERS[figure]
    file = tmp_path / "own.csv"
    file.write_text(FILES[name], encoding="utf-8")
    table = tmp_path / "numbers.csv"
    refused(["study", "paper", str(file), "--figure", figure, "-o", str(table)], words, capsys)
    assert not table.exists()


@pytest.mark.parametrize("figure", [row.name for row in REPRODUCTIONS if not row.own])
def test_a_figure_of_the_papers_that_is_no_figure_of_data_says_so(figure, tmp_path, capsys):
    file = tmp_path / "own.csv"
    file.write_text(FILES["three raters"], encoding="utf-8")
    refused(["study", "paper", str(file), "--figure", figure, "-o", str(tmp_path / "n.csv")], "FILE", capsys)
