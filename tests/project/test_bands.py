"""Scores in bands of one's own: 13, 15 and 17, with names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.errors import UsageError
from tapdesk.project.bands import entries, own_bands
from tapdesk.project.project import Project
from tapdesk.ratings.reading import read_now

SCORES = [10, 12.5, 13, 14, 15, 16.5, 17, 19]


def wines(folder, mark="."):
    path = folder / "wines.csv"
    texts = [str(score).replace(".", mark) for score in SCORES]
    rows = (f"w{i};{texts[i % 8]};{texts[(i + i % 3) % 8]}" for i in range(48))
    path.write_text("\n".join(["wine;Ana;Ben", *rows]) + "\n", "utf-8")
    return Project().with_reading(read_now(path))


@pytest.mark.parametrize("mark", [".", ","])
def test_each_score_falls_into_its_band(tmp_path, mark):
    project = wines(tmp_path, mark)
    names = ("none", "bronze", "silver", "gold")
    made = own_bands(project.all_classes, mark, ("13", "17", "15"), names)
    assert [(name, len(labels)) for name, labels in made.groups] == [
        ("none", 2),
        ("bronze", 2),
        ("silver", 2),
        ("gold", 2),
    ]
    after = project.decide(made).ratings
    assert after.classes == names
    assert after.ordered
    before = project.ratings
    wanted = [sum(float(before.classes[c].replace(mark, ".")) >= cut for cut in (13, 15, 17)) for c in before.category]
    assert after.category.tolist() == wanted


def test_bands_without_names_tell_their_scores(tmp_path):
    project = wines(tmp_path)
    after = project.decide(own_bands(project.all_classes, ".", ("13", "15", "17"))).ratings
    assert after.classes == ("below 13", "13 to below 15", "15 to below 17", "17 or more")


@pytest.mark.parametrize(
    ("cuts", "names", "why"),
    [
        (("13", "x"), (), "no cut point"),
        (("10",), (), "lowest score, 10, and the highest, 19"),
        (("20",), (), "lowest score"),
        (("13", "13"), (), "Each cut point lies once"),
        ((), (), "Each cut point"),
        (("10.5", "11"), (), "holds no score"),
        (("13",), ("a",), "make 2 bands"),
        (("13",), ("a", "a"), "make 2 bands"),
        (("13",), ("a", ""), "make 2 bands"),
    ],
)
def test_bands_that_cannot_be_are_refused(tmp_path, cuts, names, why):
    with pytest.raises(UsageError, match=why):
        own_bands(wines(tmp_path).all_classes, ".", cuts, names)


def test_words_are_no_scores():
    with pytest.raises(UsageError, match="no scores"):
        own_bands(read_now("sample:jury").ratings, ".", ("13",))


@given(st.lists(st.sampled_from(["13", "15,5", "gold", "a b"]), min_size=1, max_size=5))
def test_entries_are_parted_by_semicolons_and_keep_decimal_commas(parts):
    assert entries("; ".join(parts) + ";" * (len(parts) == 1)) == (*parts, *([""] if len(parts) == 1 else []))
    assert entries("13, 15") == ("13", "15")
    assert entries("  ") == ()
