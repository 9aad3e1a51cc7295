"""A report for each question or group."""

import json

import numpy as np
import pytest

from tapdesk.answers.side_results import ALL
from tapdesk.cli.main import main
from tapdesk.errors import TapdeskError, UsageError
from tapdesk.progress import finish
from tapdesk.project.files.saving import save
from tapdesk.ratings.file_parts import file_parts
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.reading import read_now

RATERS = ("Ana", "Ben", "Cy")


def answers(rng, follow=0.8):
    truth = rng.random() < 0.5
    return ["yes" if (truth if rng.random() < follow else rng.random() < 0.5) else "no" for _ in RATERS]


@pytest.fixture
def wards(tmp_path):
    """Two wards of 30 patients, and one of a single patient."""
    rng = np.random.default_rng(5)
    rows = ["patient,auditor,ward,rating"]
    for i in range(61):
        ward = "Old/East" if i == 60 else ("North", "South")[i % 2]
        rows += [f"p{i},{rater},{ward},{said}" for rater, said in zip(RATERS, answers(rng), strict=True)]
    place = tmp_path / "wards.csv"
    save(place, "\n".join(rows).encode())
    return place


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr("tapdesk.report.setup.ALL", type(ALL)(replicates=5, tests=False, sensitivity=False))


def test_the_groups_together_are_the_file(wards):
    found = finish(file_parts(wards, ReadingOptions(), "ward"))
    assert [part.value for part in found] == ["North", "South", "Old/East"]
    counts = [read_now(wards, part.options).ratings.rating_count for part in found]
    assert counts == [90, 90, 3]
    assert sum(counts) == read_now(wards).ratings.rating_count


def test_questions_side_by_side_are_read_one_by_one(tmp_path):
    rng = np.random.default_rng(6)
    rows = ["patient,auditor,Pain,Fall"]
    for i in range(12):
        both = zip(RATERS, answers(rng), answers(rng), strict=True)
        rows += [f"p{i},{rater},{pain},{fall}" for rater, pain, fall in both]
    place = tmp_path / "form.csv"
    place.write_text("\n".join(rows))
    found = finish(file_parts(place, ReadingOptions(layout=Layout.QUESTIONS), "*"))
    assert [part.value for part in found] == ["Pain", "Fall"]
    assert [read_now(place, part.options).ratings.rating_count for part in found] == [36, 36]


def test_a_column_of_cases_is_no_column_of_groups(wards):
    with pytest.raises(TapdeskError, match="61 parts"):
        finish(file_parts(wards, ReadingOptions(), "patient"))
    with pytest.raises(UsageError, match="no column 'town'"):
        finish(file_parts(wards, ReadingOptions(), "town"))


@pytest.mark.usefixtures("few")
def test_the_command_writes_a_report_for_each_group_and_says_which_it_cannot(wards, tmp_path, capsys):
    out = tmp_path / "audit.html"
    assert main(["report", str(wards), "-o", str(out), "--each", "ward", "--interval", "none", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["value"] for row in told["rows"]] == ["North", "South", "Old/East"]
    files = sorted(tmp_path.glob("*.html"))
    assert [file.name for file in files][:2] == ["audit-01-North.html", "audit-02-South.html"]
    north, south = (file.read_text() for file in files[:2])
    assert "wards: ward North" in north
    assert "30 patients, 90 ratings" in north
    assert "wards: ward South" in south
    last = told["rows"][2]
    assert (last["output"] is None) == bool(last["refused"])


@pytest.mark.usefixtures("few")
def test_nothing_is_written_when_the_last_of_several_reports_cannot_be_made(wards, tmp_path, monkeypatch):
    made = []

    def failing(report, suffix):
        made.append((report, suffix))
        if len(made) == 2:
            raise KeyboardInterrupt
        return b"x"

    monkeypatch.setattr("tapdesk.report.parts.content", failing)
    assert main(["report", str(wards), "-o", str(tmp_path / "a.pdf"), "--each", "ward", "--interval", "none"]) == 130
    assert list(tmp_path.glob("*.pdf")) == []
