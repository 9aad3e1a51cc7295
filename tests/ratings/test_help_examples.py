"""Every example of a file in the help and the README is read as the page says."""

import random
import re
from itertools import product
from pathlib import Path

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.reading import read_now
from tests.ratings.telling import blocks

ROOT = Path(__file__).parents[2]
CASES, PEOPLE = 24, ("Ana", "Ben", "Carla", "Dora")
GRADES = ("No", "Bronze", "Silver", "Gold")


def shapes():
    """What a row is, and the example, of every row of the table of shapes in the help."""
    page = (ROOT / "resources/help/3-formats.md").read_text(encoding="utf-8")
    table = page.split("## Shapes")[1].split("\n##")[0]
    for line in table.splitlines():
        cells = [c.strip() for c in line.strip("| \n").split("|")]
        if len(cells) == 3 and (found := re.fullmatch(r"`(.+)`", cells[2])):
            yield cells[0], tuple(n.strip() for n in found[1].split(","))


def rated(rng, says):
    """Four ratings of one case that mostly follow it."""
    true = rng.choice(says)
    return [true if rng.random() < 0.7 else rng.choice(says) for _ in PEOPLE]


def file_of(what, header, rng):
    """A file with the header of an example, and its rows as the help says what a row is."""
    says = GRADES if any(g in header for g in GRADES) or "Medal" in header else ("Yes", "No")
    given = {f"W{i:02}": {q: rated(rng, says) for q in header} for i in range(CASES)}
    match what:
        case "a case":
            rows = [[c, *of[header[0]][: len(header) - 1]] for c, of in given.items()]
        case "one rating":
            rows = [[c, p, of[header[0]][j]] for (c, of), (j, p) in product(given.items(), enumerate(PEOPLE))]
        case "a case, or many alike":
            rows = [[c, *(str(of[header[0]].count(g)) for g in header[1:])] for c, of in given.items()]
        case "a rater":
            rows = [
                [p, *(given[f"W{i:02}"][header[0]][j] for i in range(len(header) - 1))] for j, p in enumerate(PEOPLE)
            ]
        case "a case and rater":
            rows = [
                [c, p, *(of[q][j] for q in header[2:])] for (c, of), (j, p) in product(given.items(), enumerate(PEOPLE))
            ]
        case _:
            raise AssertionError(f"the help has a shape without a test: {what}")
    return "\n".join(",".join(row) for row in [list(header), *rows]) + "\n"


READ_AS = {
    "a case": Layout.RATERS,
    "one rating": Layout.LONG,
    "a case, or many alike": Layout.COUNTS,
    "a rater": Layout.SUBJECTS,
}


@pytest.mark.parametrize(("what", "header"), list(shapes()), ids=lambda v: v if isinstance(v, str) else " ".join(v))
def test_the_examples_of_the_help_are_read_as_the_help_says(tmp_path, what, header):
    path = tmp_path / "example.csv"
    path.write_text(file_of(what, header, random.Random(5)), encoding="utf-8")
    if what in READ_AS:
        reading = read_now(path)
        assert reading.source.layout is READ_AS[what]
        assert not blocks(reading)
        return
    # Several questions: which one is asked, and then each is answered by the nurses.
    with pytest.raises(TapdeskError, match="2 questions") as caught:
        read_now(path)
    assert [way[1]["only"] for way in caught.value.ways[:2]] == list(header[2:])
    reading = read_now(path, ReadingOptions(only=header[2]))
    assert (reading.source.layout, reading.source.roles["rater"]) == (Layout.QUESTIONS, header[1])
    assert reading.ratings.raters == PEOPLE


def test_all_shapes_of_the_help_have_an_example_and_the_readme_names_the_same_layouts():
    assert [what for what, _header in shapes()] == [*READ_AS, "a case and rater"]
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|", page.split("## What you can open")[1].split("\n##")[0], re.MULTILINE)
    assert set(rows) == {layout.value for layout in Layout} - {"auto"}


def test_counts_as_the_readme_writes_them(tmp_path):
    rng = random.Random(6)
    path = tmp_path / "counts.csv"
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    names = re.search(r"`(n_ratings,n_class1)\[,(weight)\]`", page)
    lines = [f"4,{rng.randint(0, 4)},{rng.randint(1, 9)}" for _ in range(CASES)]
    path.write_text("\n".join([",".join(names.groups()), *lines]) + "\n", encoding="utf-8")
    reading = read_now(path)
    assert reading.source.layout is Layout.COUNTS
    assert reading.ratings.subject_count == sum(int(line.split(",")[2]) for line in lines)
    assert not blocks(reading)
