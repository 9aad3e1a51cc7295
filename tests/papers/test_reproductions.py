"""The papers' studies, run again."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tapdesk import resources
from tapdesk.cli.main import main
from tapdesk.cli.terminal import FAULT
from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.papers.catalog import REPRODUCTIONS, reproduction
from tapdesk.papers.densities import tallied
from tapdesk.papers.multinomial import MIXTURES
from tapdesk.papers.reproduction import FigureRequest, not_printed, page, verdict
from tapdesk.papers.writing import FILE, simulate_file
from tapdesk.progress import finish
from tapdesk.ratings.ratings import CovariateOf
from tapdesk.ratings.reading import read_now
from tapdesk.studies.fleiss_kappa import kappa_of
from tapdesk.studies.table import StudyTable
from tests.studies.examples import panel


def run(name: str, **more) -> StudyTable:
    return finish(reproduction(name).run(FigureRequest(**more)))


def test_names_are_told_apart_and_an_unknown_one_lists_them():
    assert len({r.name for r in REPRODUCTIONS}) == len(REPRODUCTIONS)
    with pytest.raises(UsageError, match="recovery, kappa, kappa-apart, kappa-factor, majority"):
        reproduction("figure 1")


def test_the_same_seed_gives_the_same_table_whatever_the_number_of_processes():
    assert run("majority", replicates=4).rows == run("majority", replicates=4, workers=2).rows


@pytest.mark.slow
def test_a_and_p_come_back_on_the_grid_and_t_only_where_a_is_above_two_tenths():
    table = run("recovery")
    assert len(table.rows) == 729
    a = table.numbers("true a")
    off = {name: np.abs(table.numbers(f"mean {name}") - table.numbers(f"true {name}")) for name in ("t", "a", "p")}
    assert off["t"][a < 0.25].mean() > 0.2
    assert off["t"][a > 0.25].mean() < 0.08
    assert off["a"][a > 0.25].mean() < 0.05
    assert off["p"][a > 0.25].mean() < 0.08
    # The root of kappa leaves the accuracy where t and p differ (models.md §2).
    apart = np.abs(table.numbers("true t") - table.numbers("true p")) > 0.55
    root = table.numbers("root_kappa") - a
    assert np.nanmean(np.abs(root[apart & (a > 0.25)])) > 2 * np.nanmean(np.abs(root[~apart & (a > 0.25)]))


def disagreeing(name: str, **more) -> list[str]:
    row = reproduction(name)
    return [one.what for one in row.printed(finish(row.run(FigureRequest(**more)))) if not one.agrees]


PRINTED = [row for row in REPRODUCTIONS if row.printed is not not_printed]


@pytest.mark.parametrize(
    "name", [pytest.param(r.name, marks=[pytest.mark.slow] * (r.name in {"recovery", "densities"})) for r in PRINTED]
)
def test_the_numbers_of_the_papers_are_found(name):
    assert disagreeing(name) == []


@pytest.mark.parametrize("name", ["krits", "kappa", "four-classes"])
def test_they_are_found_with_other_random_numbers_too(name):
    assert disagreeing(name, seed=7) == []


def test_a_number_that_is_not_the_papers_is_told(monkeypatch):
    wrong = replace(MIXTURES[0], guessing=(0.2, 0.1, 0.3, 0.4))
    monkeypatch.setattr("tapdesk.papers.multinomial.MIXTURES", (wrong, *MIXTURES[1:]))
    assert "skewed, unbiased, expected at a = 0.2" in disagreeing("krits")
    row, table = reproduction("krits"), run("krits")
    text = page([(row, table)])
    assert "| **no** |" in text
    assert verdict(row.printed(table)) in text


def test_one_number_of_a_paper_that_is_otherwise_fails_on_the_page_and_in_the_command(monkeypatch, capsys, tmp_path):
    """The first number of Cohen's example is moved by a hundredth, everything else is as it is."""
    row = reproduction("cohen")

    def moved(table):
        first, *rest = row.printed(table)
        return (replace(first, paper=first.paper + 0.01), *rest)

    monkeypatch.setattr("tapdesk.cli.simulations.REPRODUCTIONS", (replace(row, printed=moved),))
    n = len(row.printed(run("cohen")))
    everything = ["study", "paper", "--figure", "all", "-o", str(tmp_path)]
    assert main([*everything, "--json"]) == FAULT
    (told,) = json.loads(capsys.readouterr().out)["rows"]
    assert [one["agrees"] for one in told["numbers"]] == [False, *[True] * (n - 1)]
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert f"{n - 1} of {n} numbers of the paper agree with ours" in text
    assert text.count("| **no** |") == 1
    assert main(everything) == FAULT
    out, errors = capsys.readouterr()
    assert f"{n - 1} of {n} numbers of the paper agree with ours." in out
    assert f"Not so: cohen, {row.printed(run('cohen'))[0].what}: the paper " in errors


@pytest.mark.parametrize("where", [[], ["-o", "cohen.csv"], ["--json"], ["-o", "cohen.svg"]])
def test_one_figure_whose_number_is_otherwise_ends_in_a_status_of_failure(where, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    command = ["study", "paper", "--figure", "cohen", *where]
    again = [*command, "--force"] if "-o" in where else command
    assert main(again) == 0
    row = reproduction("cohen")
    first, *rest = row.printed(run("cohen"))
    moved = replace(row, printed=lambda _table: (replace(first, ours=first.ours + 0.01), *rest))
    monkeypatch.setattr("tapdesk.cli.simulations.reproduction", lambda _name: moved)
    capsys.readouterr()
    assert main(again) == FAULT
    assert f"Not so: cohen, {first.what}: the paper " in capsys.readouterr().err


def test_another_number_of_data_sets_is_another_study_than_the_papers(monkeypatch, capsys):
    row = reproduction("four-classes")
    moved = replace(row, printed=lambda table: tuple(replace(one, paper=9.0) for one in row.printed(table)))
    monkeypatch.setattr("tapdesk.cli.simulations.reproduction", lambda _name: moved)
    assert main(["study", "paper", "--figure", "four-classes", "--replicates", "2"]) == 0
    assert "Not so: four-classes" in capsys.readouterr().err


def test_kappa_at_equal_rates_has_a_row_for_each_of_1225_panels():
    table = run("kappa")
    assert len(table.rows) == 25 * 49
    assert table.numbers("t").max() == 0.5


def test_kappa_is_the_square_of_the_accuracy_where_t_is_p_and_follows_the_formula_elsewhere():
    table = run("kappa-apart")
    assert len(table.rows) == 25 * 49
    t, p, a = (table.numbers(c) for c in ("t", "p", "a"))
    c = a * t + (1 - a) * p
    # κ = a² t t̄ / (c c̄) (models.md §2).
    assert table.numbers("kappa_expected") == pytest.approx(a**2 * t * (1 - t) / (c * (1 - c)), abs=1e-12)
    seen = table.numbers("kappa_mean")
    assert np.abs(seen - a**2)[t == p].mean() < 0.025
    assert np.abs(seen - a**2)[(t == 0.1) & (p == 0.9)].mean() > 0.15
    assert np.abs(seen - table.numbers("kappa_expected")).mean() < 0.025


def test_known_accuracies_come_back_in_order_and_high_as_the_paper_has_them():
    table = run("rater-accuracies")
    for n, raters in ((1000, 5), (100, 3)):
        rows = table.only(subjects=n, what="rater")
        assert len(rows.rows) == raters
        true = rows.numbers("true a")
        assert (np.diff(true) > 0).all()
        spread = (rows.numbers("mean") - true) / rows.numbers("sd")
        assert np.abs(spread).max() < 3
        # A density of each rater, of area 1.
        for name in rows.values("rater"):
            own = table.only(subjects=n, what="density", rater=name)
            assert np.trapezoid(own.numbers("y"), own.numbers("x")) == pytest.approx(1, abs=0.03)


def test_subjects_of_either_class_have_probabilities_on_their_side():
    whole = run("subject-probabilities")
    for n, bins in ((1000, 10), (100, 15)):
        table = whole.only(subjects=n)
        assert len(table.rows) == bins
        assert table.numbers("truly_0").sum() + table.numbers("truly_1").sum() == n
    table = whole.only(subjects=1000)
    middle = (table.numbers("low") + table.numbers("high")) / 2
    zero, one = table.numbers("truly_0"), table.numbers("truly_1")
    assert zero[middle < 0.5].sum() > 0.93 * zero.sum()
    assert one[middle > 0.5].sum() > 0.9 * one.sum()


WRITING = resources.path(*FILE)


def test_the_bundled_file_is_the_one_that_is_simulated_and_of_the_papers_shape():
    text = simulate_file()
    assert WRITING.read_text(encoding="utf-8") == text
    ratings = read_now(WRITING).ratings
    assert (ratings.rating_count, ratings.classes) == (6718, ("1", "2", "3", "4", "5"))
    assert np.bincount(ratings.subject).min() >= 3
    assert np.bincount(ratings.rater).min() >= 30
    # It is read as what it is: the year is the student's, the age the rater's.
    assert {name: column.of for name, column in ratings.covariates.items()} == {
        "year": CovariateOf.SUBJECT, "age": CovariateOf.RATER,
    }  # fmt: skip


@pytest.mark.slow
def test_most_instructors_are_above_one_half_and_a_few_very_low():
    table = run("rater-histogram")
    a = table.numbers("a")
    assert (a > 0.5).mean() > 0.75
    assert 1 <= (a < 0.3).sum() <= 4


def test_the_writing_scan_is_lowest_at_cut_1_and_the_root_of_kappa_is_about_the_accuracy():
    table = run("writing-scan")
    a = table.numbers("a mean")
    assert a.argmin() == 0
    assert np.abs(table.numbers("root_kappa") - a)[1:].max() < 0.05
    # t = p holds at the middle cuts.
    assert (table.numbers("gain")[1:3] < 3.84).all()


def test_the_least_accurate_rater_is_correlated_with_the_others_though_the_accuracy_is_low():
    table = run("low-rater")
    assert table.numbers("a")[0] < 0.2
    assert np.corrcoef(table.numbers("own"), table.numbers("others"))[0, 1] > 0.1


def test_without_raters_below_one_half_the_accuracy_is_higher():
    table = run("rater-filter")
    whole, some = table.records()
    assert whole["raters"] == 44
    assert some["raters"] < 44
    assert some["a"] > whole["high"]


def test_students_of_later_years_are_less_often_below_the_midpoint():
    table = run("subject-groups")
    x = np.linspace(0, 1, 101)
    means = []
    for year in ("1", "2", "3", "4"):
        rows = table.only(group=year)
        assert np.trapezoid(rows.numbers("density"), x) == pytest.approx(1, abs=0.02)
        means.append((x * rows.numbers("density")).sum() / rows.numbers("density").sum())
    assert (np.diff(means) < -0.1).all()
    assert means[0] > 0.8
    assert means[3] < 0.35


def test_an_age_that_does_nothing_is_not_said_to_change_accuracy():
    table = run("accuracy-by-age")
    (slope,) = table.only(what="slope").records()
    assert slope["low"] < 0 < slope["high"]
    # Raters of unknown age are left out.
    assert len(table.only(what="rater").rows) == 42
    assert "does not clearly change" in reproduction("accuracy-by-age").sheet(table).title


def test_own_files_without_the_column_a_figure_needs_get_the_sentence_that_names_it():
    own = panel(["t=.4", "a=.6", "p=.4"], 60, 4)
    with pytest.raises(CannotAnswerError, match="column about the subjects with 2 to 8 different values"):
        run("subject-groups", ratings=own)
    with pytest.raises(CannotAnswerError, match="column of numbers about the raters"):
        run("accuracy-by-age", ratings=own)
    with pytest.raises(CannotAnswerError, match="needs three classes or more in order"):
        run("wine-scan", ratings=own)


def test_kappa_over_the_square_of_the_accuracy_is_the_formula_of_models():
    table = run("kappa-factor")
    cells = table.only(what="map")
    assert len(cells.rows) == 41 * 41
    t, p, a = (cells.numbers(c) for c in ("t", "p", "a"))
    # κ = a² t t̄ / (c c̄) (models.md §2).
    c = a * t + (1 - a) * p
    assert cells.numbers("factor") == pytest.approx(t * (1 - t) / (c * (1 - c)))
    assert cells.numbers("factor")[t == p] == pytest.approx(1.0)
    point = table.only(what="point")
    kappa = kappa_of(read_now("sample:wine-cut2").ratings)
    assert point.numbers("factor")[0] * point.numbers("a")[0] ** 2 == pytest.approx(kappa, abs=0.004)


def test_leaving_out_cases_of_the_frequent_class_inflates_kappa_and_accuracy():
    table = run("majority", replicates=40)
    for name, true in (("kappa", 0.25), ("a", 0.5)):
        before, after = (table.numbers(f"{name} {when} mean") for when in ("before", "after"))
        spread = table.numbers(f"{name} before sd") / np.sqrt(40)
        assert (np.abs(before - true) < 4.5 * spread + 0.02).all()
        assert (after > true + 0.04).all()
    assert (table.numbers("kappa after sd") > table.numbers("kappa before sd")).all()


def test_sensitivity_and_specificity_less_one_are_the_accuracy():
    table = run("clinical-rates")
    value = dict(zip(table.values("what"), table.numbers("value"), strict=True))
    assert value["sensitivity"] + value["specificity"] - 1 == pytest.approx(value["J"])
    assert value["J"] == pytest.approx(0.43677, abs=2e-5)
    # Bayes' rule on the published numbers of the wine: t .54103, a .43677, p .58703.
    t, a, p = 0.54103, 0.43677, 0.58703
    given = a * t + (1 - a) * p
    assert value["predictive value of 1"] == pytest.approx(t * (a + (1 - a) * p) / given, abs=1e-4)
    assert (table.numbers("low") <= table.numbers("value")).all()
    assert (table.numbers("value") <= table.numbers("high")).all()


def test_the_papers_tree_has_one_node_for_both_guesses():
    table = run("tree-form")
    ends = table.values("end")
    assert ends.count("Random") == 2
    assert sorted(table.only(start="Random").values("letter")) == ["p", "p\u0304"]


def test_the_tree_has_the_published_numbers_of_the_wine_and_shares_that_sum_to_one():
    table = run("tree")
    assert table.numbers("share").sum() == pytest.approx(1)
    row = table.only(truth="class 1", follows=True).records()[0]
    assert (row["truth_rate"], row["follows_rate"]) == pytest.approx((0.54103, 0.43677), abs=2e-5)
    # What is given as class 1, by way of every branch, is the observed rate.
    ratings = read_now("sample:wine-cut2").ratings
    assert table.only(rated="class 1").numbers("share").sum() == pytest.approx(ratings.class_rates()[1], abs=1e-3)


def test_negative_kappas_are_luck_or_camps():
    table = run("negative-kappa", replicates=400)
    luck, camps = table.only(cause="luck"), table.only(cause="camps")
    for n in (20, 50, 100, 300):
        share = luck.only(subjects=n).numbers("negative")
        assert 0.4 < share[0] < 0.75
        assert share[0] > share[4] >= share[-1]
    assert np.abs(luck.numbers("mean") - luck.numbers("expected")).max() < 0.04
    assert np.abs(camps.numbers("mean") - camps.numbers("expected")).max() < 0.02
    # Half against half of four raters: no kappa is lower than -1 / (R - 1).
    assert camps.only(raters=4, a=1.0).numbers("mean")[0] == pytest.approx(-1 / 3)


def test_the_wine_distribution_is_the_published_one():
    table = run("distribution")
    assert table.numbers("observed") == pytest.approx(np.array([18, 35, 46, 48, 36]) / 183)
    for name in ("random", "t-a-p", "expert"):
        assert table.numbers(name).sum() == pytest.approx(1)
    off = {name: np.abs(table.numbers(name) - table.numbers("observed")).sum() for name in ("random", "t-a-p")}
    assert off["t-a-p"] < 0.2 * off["random"]


def test_every_pair_of_medals_has_an_accuracy_in_its_interval():
    table = run("pairs")
    assert len(table.rows) == 6
    assert (table.numbers("low") <= table.numbers("a")).all()
    assert (table.numbers("a") <= table.numbers("high")).all()
    assert table.numbers("root_kappa") ** 2 == pytest.approx(table.numbers("kappa"))


def test_the_paradox_densities_have_the_exact_means_and_two_peaks_of_a():
    table = run("paradox")
    # Reference posterior of 998 + 2 subjects by independent quadrature.
    means = {"t": 0.08306952, "a": 0.40887564, "p": 0.05586661}
    for name, mean in means.items():
        rows = table.only(parameter=name)
        assert rows.only(what="mean").numbers("at")[0] == pytest.approx(mean, abs=2e-4)
        share = rows.only(what="share")
        assert share.numbers("value").sum() == pytest.approx(1)
        assert share.numbers("value") @ share.numbers("at") == pytest.approx(mean, abs=0.01)
    modes = table.only(parameter="a", what="mode")
    assert len(modes.rows) == 2
    assert modes.numbers("value").sum() == pytest.approx(1)


@pytest.mark.slow
def test_the_text_and_the_code_of_the_chapter_give_the_same_densities():
    table = run("densities")
    for name in ("t-a-p", "t-a0a1-p"):
        for parameter in dict.fromkeys(table.only(model=name).values("parameter")):
            text, code = (
                table.only(model=name, parameter=parameter, data=data, what="share").numbers("value")
                for data in ("998 + 2", "980 + 2")
            )
            assert text.sum() == pytest.approx(1)
            assert np.abs(text - code).max() < 0.005
    a0 = table.only(model="t-a0a1-p", parameter="a0", data="998 + 2", what="mean").numbers("at")[0]
    assert a0 == pytest.approx(0.77507, abs=5e-3)


def test_with_p_equal_to_t_any_accuracy_fits():
    table = run("third-reading").only(data="998 + 2")
    fall = table.only(what="fall")
    at = fall.numbers("at")
    assert fall.numbers("value")[at < 0.5].min() > -0.5
    assert fall.numbers("value")[at < 0.8].min() > -1.92
    share = table.only(what="share").numbers("value")
    assert share.sum() == pytest.approx(1)
    assert share.max() < 1.5 / 50


def test_the_joint_density_of_the_accuracies_is_one_and_lies_in_the_corner():
    table = run("joint")
    density, a1, a0 = (table.numbers(c) for c in ("density", "a1", "a0"))
    assert density.mean() == pytest.approx(1)
    assert density @ a0 / density.sum() == pytest.approx(0.77507, abs=0.01)
    assert density @ a1 / density.sum() == pytest.approx(0.19426, abs=0.01)


def test_the_switched_example_has_a_labelling_on_either_side():
    table = run("label-switching")
    mass = {row["parameter"]: row["value"] for row in table.only(what="mass").records()}
    assert sum(mass.values()) == pytest.approx(1, abs=1e-6)
    assert min(mass.values()) > 0.2
    median = {row["parameter"]: row["at"] for row in table.only(what="median").records()}
    assert median["as labelled: t"] == pytest.approx(0.7, abs=0.06)
    assert median["switched: t"] == pytest.approx(0.3, abs=0.06)


def test_krits_are_drawn_in_one_plot_whole_lines_and_broken_ones():
    (figure,) = reproduction("krits").sheet(run("krits")).figures
    assert [mark.broken for mark in figure.marks] == [False, True] * 3
    assert [mark.label for mark in figure.marks if mark.label] == [mixture.name for mixture in MIXTURES]


def test_four_classes_come_back_in_the_order_of_the_alphabet():
    table = run("four-classes")
    names = [c for c in table.columns if not c.startswith("true ") and c != "replicate"]
    assert names == sorted(names)
    assert len(table.rows) == 20


def test_kappa_is_the_square_of_the_accuracy_for_any_number_of_classes():
    table = run("kappa-by-classes")
    error = table.numbers("kappa_mean") - table.numbers("a_squared")
    assert np.abs(error).max() < 4.5 * (table.numbers("kappa_sd") / np.sqrt(20)).max()
    assert sorted(set(table.numbers("classes"))) == [2, 3, 4, 5, 6]


def test_cohen_by_steps_is_the_published_table():
    table = run("cohen")
    assert table.only(step="P_o").numbers("value")[0] == pytest.approx(21 / 36)
    assert table.only(step="P_e").numbers("value")[0] == pytest.approx(0.3441, abs=5e-5)
    assert table.only(step="kappa").numbers("value")[0] == pytest.approx(0.3647, abs=5e-5)
    for whole in ("P_o", "P_e"):
        assert table.only(step=f"{whole} part").numbers("value").sum() == pytest.approx(
            table.only(step=whole).numbers("value")[0]
        )


def test_figures_of_data_take_the_users_own():
    own = panel(["t=.4", "a=.6", "p=.4"], 300, 5)
    assert run("tree", ratings=own).values("truth")[0] == "0"
    assert run("distribution", ratings=own).numbers("observed").sum() == pytest.approx(1)
    assert len(run("rater-histogram", ratings=own).rows) == 5


def test_data_that_cannot_answer_say_why():
    with pytest.raises(CannotAnswerError, match="do not determine the numbers"):
        run("tree", ratings=read_now("sample:paradox").ratings)
    with pytest.raises(CannotAnswerError, match="for two classes, and there are 4"):
        run("joint", ratings=read_now("sample:jury").ratings)
    with pytest.raises(CannotAnswerError, match="two raters"):
        run("cohen", ratings=read_now("sample:jury").ratings)
    with pytest.raises(CannotAnswerError, match="raters are not known"):
        run("rater-histogram", ratings=read_now("sample:wine-cut1").ratings)
    one = panel(["t=0", "a=1", "p=0"], 20, 2)
    with pytest.raises(CannotAnswerError, match="same class, so kappa is undefined"):
        run("cohen", ratings=one)


def test_the_tallied_paradox_is_the_sample():
    sample, typed = read_now("sample:paradox").ratings, tallied(998, 2)
    for ratings in (sample, typed):
        pairs = zip(ratings.counts().tolist(), ratings.subject_weights(), strict=True)
        assert sorted((tuple(row), n) for row, n in pairs if n) == [((1, 1), 2), ((2, 0), 998)]
