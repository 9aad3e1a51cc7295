"""The papers' studies, run again."""

import numpy as np
import pytest

from tapdesk.errors import UsageError
from tapdesk.progress import finish
from tapdesk.studies.paper import REPRODUCTIONS, reproduction
from tapdesk.studies.recovery import summary


def run(name: str):
    return finish(reproduction(name).run(1, 1))


def test_names_are_told_apart_and_an_unknown_one_lists_them():
    assert len({r.name for r in REPRODUCTIONS}) == len(REPRODUCTIONS)
    with pytest.raises(UsageError, match="recovery, kappa, rater-accuracies"):
        reproduction("figure 1")


def test_five_rater_accuracies_come_back():
    rows = {row["parameter"]: row for row in summary(run("rater-accuracies")).records()}
    for j, a in enumerate((0.1, 0.3, 0.5, 0.7, 0.9)):
        row = rows[f"a[J{j + 1}]"]
        assert row["mean"] == pytest.approx(a, abs=3.5 * row["error_of_mean"])
        assert row["sd"] < 0.06


def test_subjects_of_either_class_have_probabilities_on_their_side():
    table = run("subject-probabilities")
    middle = (table.numbers("low") + table.numbers("high")) / 2
    zero, one = table.numbers("truly_0"), table.numbers("truly_1")
    assert zero.sum() + one.sum() == 1000
    assert zero[middle < 0.5].sum() > 0.93 * zero.sum()
    assert one[middle > 0.5].sum() > 0.9 * one.sum()
    # Calibrated: among subjects told to be class 1 with probability near one, nearly all are.
    sure = middle > 0.95
    assert one[sure].sum() / (one + zero)[sure].sum() > 0.95


def test_kappa_is_the_square_of_the_accuracy_for_any_number_of_classes():
    table = run("kappa-by-classes")
    error = table.numbers("kappa_mean") - table.numbers("a_squared")
    assert np.abs(error).max() < 4.5 * (table.numbers("kappa_sd") / np.sqrt(20)).max()
    assert sorted(set(table.numbers("classes"))) == [2, 3, 4, 5, 6]


def test_krits_fall_from_one_to_zero_as_accuracy_rises():
    table = run("krits")
    for k in range(2, 7):
        curve = table.numbers("krits_expected")[table.numbers("classes") == k]
        assert curve[0] == pytest.approx(1)
        assert curve[-1] == pytest.approx(0)
        assert (np.diff(curve) < 0).all()
