"""Raters who drift are made up with a known accuracy at first and at last."""

import csv

import pytest

from tapdesk.cli.main import main
from tapdesk.errors import UsageError
from tapdesk.models.drifting import drift_ends


def test_a_rater_who_drifts_follows_the_truth_oftener_at_first(tmp_path, capsys):
    made, true = tmp_path / "made.csv", tmp_path / "true.csv"
    asked = ["simulate", "--model", "t-aj-p", "--param", "t=.5", "--param", "a=.7", "--param", "p=.5"]
    asked += ["--subjects", "2000", "--raters", "2", "--drift", "J1=.95,.1", "-o", str(made), "--truth-out", str(true)]
    assert main(asked) == 0
    capsys.readouterr()
    truth = {row["subject"]: row["truth"] for row in csv.DictReader(true.read_text().splitlines())}
    rows = list(csv.DictReader(made.read_text().splitlines()))
    assert [int(row["order"]) for row in rows] == list(range(1, 4001))
    for rater, first, last in (("J1", 0.95, 0.1), ("J2", 0.7, 0.7)):
        right = [row["rating"] == truth[row["subject"]] for row in rows if row["rater"] == rater]
        # Half of what is guessed is right as well; of 100 ratings the line hardly moves.
        assert sum(right[:100]) / 100 == pytest.approx(first + (1 - first) / 2, abs=0.11)
        assert sum(right[-100:]) / 100 == pytest.approx(last + (1 - last) / 2, abs=0.16)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            ("--model", "t-a-t", "--param", "t=.5", "--param", "a=.7", "--drift", "J1=.9,.3"),
            "Leave it out, or choose a model such as t-aj-p.",
        ),
        (
            ("--model", "t-a-p", "--param", "t=.5", "--param", "a=.7", "--param", "p=.5", "--drift", "J1=.9"),
            "does not say how accurate a rater is at first and at last. Write a rater and two",
        ),
        (
            ("--model", "t-a-p", "--param", "t=.5", "--param", "a=.7", "--param", "p=.5", "--drift", "J7=.9,.3"),
            "There is no rater 'J7'.",
        ),
    ],
)
def test_what_cannot_drift_is_refused(more, said, capsys, tmp_path):
    size = ("--subjects", "9", "--raters", "2", "-o", str(tmp_path / "made.csv"))
    assert main(["simulate", *more, *size]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def test_how_a_drift_is_written_is_said():
    with pytest.raises(UsageError) as caught:
        drift_ends(("J1=.9",), ("J1",))
    assert str(caught.value.fix) == "Write a rater and two shares, such as J1=.9,.3."
    assert " does not say how accurate a rater is at first and at last." in str(caught.value.what)
