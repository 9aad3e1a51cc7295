"""Groups of a file in one model: the numbers of the fit, and a test of whether they are alike."""

from pathlib import Path

import numpy as np
import pytest


@pytest.fixture
def sites(tmp_path):
    """Two raters of 300 cases of two sites that differ in truth only, as many as two raters need (Hui & Walter)."""
    rng = np.random.default_rng(4)
    rows = []
    for i in range(300):
        site = "B" if i % 2 else "A"
        true = rng.random() < (0.6 if site == "B" else 0.1)
        for who in ("Ana", "Ben"):
            says = true if rng.random() < 0.7 else rng.random() < 0.3
            rows.append(f"c{i},{who},{'yes' if says else 'no'},{site},{i % 2 if i % 4 < 2 else 1 - i % 2}")
    place = tmp_path / "sites.csv"
    place.write_text("\n".join(["case,rater,rating,site,half", *rows]), encoding="utf-8")
    return str(place)


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr("tapdesk.studies.joint_groups.joint_groups.__defaults__", (60,))


def test_two_raters_tell_two_sites_in_one_model_that_neither_site_tells_alone(answered, sites):
    rows = answered("study", "groups", sites, "--by", "site", "--model", "tg-a-p")["rows"]
    assert [(row["site"], row["cases"], row["ratings"]) for row in rows] == [("A", 150, 300), ("B", 150, 300)]
    assert [row["t"] for row in rows] == pytest.approx([0.1, 0.6], abs=0.15)
    assert rows[0]["a"] == rows[1]["a"] == pytest.approx(0.7, abs=0.15)
    assert all(row["t low"] <= row["t"] <= row["t high"] for row in rows)
    alone = answered("study", "groups", sites, "--by", "site")["rows"]
    assert all(row["a"] is None and row["why_not"] for row in alone)


def test_the_numbers_are_those_of_the_fit(answered, sites):
    rows = answered("study", "groups", sites, "--by", "site", "--model", "tg-aj-p")["rows"]
    fit = answered("fit", sites, "--by", "site", "--model", "tg-aj-p")["fits"][0]
    found = {(e["name"], e["group"], e["rater"]): e["value"] for e in fit["estimates"]}
    for row in rows:
        assert row["t"] == pytest.approx(found["t", row["site"], None], abs=1e-9)
        assert row["a[Ana]"] == pytest.approx(found["a", None, "Ana"], abs=1e-9)


def test_alike_groups_and_others_are_told_apart(answered, sites):
    three = Path(sites).with_name("three.csv")
    head, *rows = Path(sites).read_text("utf-8").splitlines()
    rng = np.random.default_rng(5)
    cells = [row.split(",") for row in rows[::2]]
    more = [",".join([c, "Cem", says if rng.random() < 0.8 else "no", *rest]) for c, _who, says, *rest in cells]
    three.write_text("\n".join([head, *rows, *more]), encoding="utf-8")
    unlike = answered("study", "groups", str(three), "--by", "site", "--model", "tg-a-p")["rows"][0]
    alike = answered("study", "groups", str(three), "--by", "half", "--model", "tg-a-p")["rows"][0]
    assert unlike["p_equal_t"] < 0.05 < alike["p_equal_t"]
    assert unlike["p_equal_a"] is None


def test_what_the_groups_cannot_tell_is_refused(told, sites):
    status, _out, err = told("study", "groups", sites, "--by", "site", "--model", "tg-ag-p")
    assert status == 4
    assert err.strip()
