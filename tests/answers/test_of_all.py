"""Where all of several are meant, a sentence says so: ``all 60 cases``, never ``60 of 60 cases``."""

import re

import pytest

from tapdesk.answers.numbers import of_all
from tapdesk.cli.main import main

TWICE = re.compile(r"\b(\d[\d,.]*) (?:\w+ )?of (?:the )?\1\b(?! ratings follow)")


@pytest.mark.parametrize(
    ("some", "every", "of", "first", "words"),
    [
        (58, 60, "subjects", False, "58 of 60 cases"), (60, 60, "subjects", False, "all 60 cases"),
        (60, 60, "subjects", True, "All 60 cases"), (0, 1, "subjects", True, "0 of 1 case"),
        (1, 1, "subjects", True, "1 of 1 case"), (3, 3, "raters", False, "all 3 raters"), (5, 7, "", True, "5 of 7"),
        (1200, 1200, "", False, "all 1,200"), (1199.0, 1200.0, "", False, "1,199 of 1,200"),
    ],
)  # fmt: skip
def test_all_of_several_are_called_all(some, every, of, first, words):
    assert of_all(some, every, of, first=first) == words


@pytest.fixture
def place(tmp_path):
    """A panel that agrees on every case, beside known answers of all of them."""
    table = tmp_path / "alike.csv"
    rows = (f"c{i},{'yn'[i % 2]}," + ",".join("yn"[i % 2] for _ in range(4)) for i in range(60))
    table.write_text("\n".join(["case,gold,Ana,Ben,Cy,Dee", *rows]) + "\n")
    return table


def test_no_answer_about_a_panel_that_always_agrees_says_so_many_of_as_many(place, tmp_path, capsys):
    for command in (("check",), ("agree",), ("fit",), ("fit", "--model", "t-aj-p")):
        assert main([command[0], str(place), "--known", "gold", *command[1:]]) == 0
        said = " ".join(capsys.readouterr().out.split())
        assert not TWICE.search(said), (command, TWICE.search(said))
        if command == ("check",):
            assert "holds the known answers of all 60 cases: 30 n, 30 y." in said
        if command == ("agree",):
            assert "All ratings agree on all 60 cases (100 %)" in said
    page = tmp_path / "r.html"
    assert main(["report", str(place), "--known", "gold", "--replicates", "20", "-o", str(page)]) == 0
    text = " ".join(re.sub(r"<[^>]*>", " ", page.read_text("utf-8")).split())
    assert not TWICE.search(text), TWICE.search(text)
