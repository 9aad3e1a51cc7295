"""The samples that come with the program hold the published numbers."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tapdesk import resources
from tapdesk.errors import TapdeskError
from tapdesk.ratings.options import Layout, RatersAre, ReadingOptions
from tapdesk.ratings.reading import read_now
from tapdesk.ratings.samples import SAMPLES, sample


def table(name):
    """Shape (raters, classes): ratings of each rater in each class."""
    r = read_now(f"sample:{name}").ratings
    j, k = len(r.raters), len(r.classes)
    return np.bincount(r.rater * k + r.category, minlength=j * k).reshape(j, k)


def test_fleiss_1971_has_30_patients_6_ratings_each_and_the_published_column_sums():
    r = read_now("sample:fleiss-1971").ratings
    assert len(r.subjects) == 30
    assert set(r.ratings_per_subject()) == {6}
    assert r.counts().sum(axis=0).tolist() == [26, 26, 30, 55, 43]
    assert not r.raters_known


def test_fleiss_1971_gives_the_published_kappa():
    # Fleiss (1971) prints mean agreement .5556 and kappa = .430.
    counts = read_now("sample:fleiss-1971").ratings.counts()
    share = counts.sum(axis=0) / counts.sum()
    observed = ((counts**2).sum(axis=1) - 6).mean() / 30
    expected = (share**2).sum()
    assert observed == pytest.approx(0.5556, abs=5e-5)
    assert expected == pytest.approx(0.220, abs=5e-4)
    assert (observed - expected) / (1 - expected) == pytest.approx(0.430, abs=5e-4)


def test_dawid_and_skene_1979_has_the_margins_of_every_anaesthetist():
    r = read_now("sample:dawid-skene-1979").ratings
    assert (len(r.subjects), r.rating_count) == (45, 315)
    assert table("dawid-skene-1979").tolist() == [
        [53, 60, 18, 4],
        [16, 15, 11, 3],
        [20, 17, 5, 3],
        [18, 17, 7, 3],
        [21, 15, 7, 2],
    ]


def test_the_first_anaesthetist_judged_every_patient_three_times_and_the_others_once():
    r = read_now("sample:dawid-skene-1979").ratings
    times = np.bincount(r.subject * 5 + r.rater, minlength=225).reshape(45, 5)
    assert (times == [3, 1, 1, 1, 1]).all()


def test_the_confusion_matrix_has_36_cases_21_on_the_diagonal_and_kappa_3647():
    r = read_now("sample:confusion-3x3").ratings
    assert r.subject_count == 36
    matrix = np.zeros((3, 3))
    for s, weight in enumerate(r.weight):
        first, second = r.category[r.subject == s]
        matrix[first, second] = weight
    assert matrix.tolist() == [[8, 4, 2], [5, 7, 1], [1, 2, 6]]
    expected = (matrix.sum(0) @ matrix.sum(1)) / 36**2
    assert (21 / 36 - expected) / (1 - expected) == pytest.approx(0.3647, abs=5e-5)


@pytest.mark.parametrize(
    ("name", "tally"),
    [("wine-cut1", [90, 43, 25, 15, 10]), ("wine-cut2", [18, 35, 46, 48, 36]), ("wine-cut3", [0, 5, 16, 42, 120])],
)
def test_the_wine_tallies_are_the_printed_ones(name, tally):
    r = read_now(f"sample:{name}").ratings
    inside = r.counts()[:, 1]
    assert [int(r.weight[inside == k].sum()) for k in range(5)] == tally
    assert r.subject_count == 183


def test_the_paradox_is_998_agreements_and_2_splits():
    r = read_now("sample:paradox").ratings
    assert r.counts().tolist() == [[2, 0], [1, 1]]
    assert r.weight.tolist() == [998, 2]
    assert r.class1 == ("class 1",)


def test_the_jury_is_183_wines_by_4_named_judges_with_ordered_medals():
    r = read_now("sample:jury").ratings
    assert (len(r.subjects), len(r.raters), r.rating_count) == (183, 4, 732)
    assert r.classes == ("no medal", "bronze", "silver", "gold")
    assert r.ordered
    assert r.raters_known


def test_the_panel_is_ragged_and_has_blind_repeats():
    r = read_now("sample:jury-panel").ratings
    judges = [len(set(r.rater[r.subject == s])) for s in range(183)]
    assert len(r.raters) == 12
    assert set(judges) == {4, 5, 6}
    assert r.rating_count - sum(judges) == 18


def test_the_audit_is_120_records_by_4_auditors_of_whom_one_joined_half_way():
    r = read_now("sample:audit").ratings
    assert (r.subject_count, r.raters) == (120, ("Adams", "Brown", "Chen", "Davies"))
    assert (r.classes, r.ordered) == (("no", "yes"), True)
    assert np.bincount(r.rater).tolist() == [120, 120, 120, 60]
    assert set(r.subject[r.rater == 3]) == set(range(60, 120))


def test_the_truth_of_the_jury_follows_its_ratings_as_simulated():
    for name in ("jury", "jury_panel"):
        truth = read_now(
            resources.path("samples", f"{name}_truth.csv"),
            ReadingOptions(layout=Layout.LONG, subject="wine", rating="truth"),
        )
        assert truth.ratings.subject_count == 183
    panel = read_now("sample:jury-panel").ratings
    lines = resources.path("samples", "jury_panel_truth.csv").read_text().splitlines()[1:]
    known = np.array([panel.classes.index(line.split(",")[1]) for line in lines])
    right = panel.category == known[panel.subject]
    rate = np.bincount(panel.rater, right) / np.bincount(panel.rater)
    best, guesser = panel.raters.index("Edith"), panel.raters.index("Petra")
    assert rate.argmin() == guesser
    assert rate[best] > rate[guesser] + 0.3


def test_the_simulation_script_makes_the_same_files_again(tmp_path: Path):
    folder = resources.path("samples")
    subprocess.run([sys.executable, folder / "simulate_jury.py", tmp_path], check=True)
    made = sorted(p.name for p in tmp_path.iterdir())
    kinds = [f"{name}{truth}.csv" for name in ("audit", "jury", "jury_panel") for truth in ("", "_truth")]
    assert made == sorted(kinds)
    for name in made:
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_every_sample_has_a_file_a_citation_and_a_line_in_the_list_of_sources():
    sources = resources.path("samples", "SOURCES.md").read_text()
    for one in SAMPLES:
        assert resources.path("samples", one.file).is_file()
        assert len(one.citation) > 40
        assert one.file in sources


def test_samples_read_without_their_own_options_give_the_same_ratings():
    for one in SAMPLES:
        if one.options.layout is Layout.CONFUSION:
            continue  # three bare columns of numbers cannot be told from three raters
        plain = read_now(resources.path("samples", one.file))
        assert plain.ratings.rating_count == read_now(f"sample:{one.name}").ratings.rating_count
        assert plain.source.layout is one.options.layout


def test_a_users_option_beats_that_of_the_sample():
    reading = read_now("sample:jury", ReadingOptions(class1=("gold",), raters_are=RatersAre.SEATS))
    assert reading.ratings.class1 == ("gold",)
    assert not reading.ratings.raters_known
    assert reading.as_read.classes == ("no medal", "bronze", "silver", "gold")


def test_an_unknown_sample_is_refused_with_the_names_of_all():
    with pytest.raises(TapdeskError, match="There is no sample 'wien'") as caught:
        sample("wien")
    assert "jury-panel" in caught.value.fix
