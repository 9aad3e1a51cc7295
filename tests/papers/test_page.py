"""The page of the papers' figures that comes with the program."""

import re

import pytest

from tapdesk import resources
from tapdesk.cli.main import main
from tapdesk.papers.catalog import REPRODUCTIONS, reproduction
from tapdesk.papers.reproduction import FigureRequest, page
from tapdesk.progress import finish
from tapdesk.project.files.outputs import OutputKind, mark_in
from tapdesk.report.forms.pdf import sheet_file

QUICK = ("tree", "distribution", "cohen", "third-reading", "four-classes")


def bundled(name: str) -> bytes:
    return resources.path("help", "reproductions", name).read_bytes()


def numbers(name: str):
    return finish(reproduction(name).run(FigureRequest()))


def test_the_page_names_every_figure_with_its_source_its_finding_and_a_picture():
    text = bundled("README.md").decode()
    for row in REPRODUCTIONS:
        part = text.split(f'<a id="{row.name}"></a>')[1].split("\n## ")[0]
        assert f"*Source:* {row.source}" in part
        assert "- *The paper:* " in part
        assert re.search(r"- \*We find:\* \S", part)
        assert f"]({row.name}.png)" in part
        assert bundled(f"{row.name}.png")[:8] == b"\x89PNG\r\n\x1a\n"


def test_every_number_of_the_papers_agrees_on_the_page():
    text = bundled("README.md").decode()
    verdicts = re.findall(r"(\d+) of (\d+) numbers of the paper agree with ours", text)
    assert sum(int(n) for _agree, n in verdicts) > 200
    assert all(agree == n for agree, n in verdicts)
    assert "**no**" not in text


def test_every_figure_says_of_how_many_it_is():
    text = bundled("README.md").decode()
    for row in REPRODUCTIONS:
        # A tree without numbers and a count of agreements are drawn of no data.
        if row.name in {"tree-form", "thermometers"}:
            continue
        part = text.split(f'<a id="{row.name}"></a>')[1].split("\n## ")[0]
        below = part.split(f"]({row.name}.png)")[1]
        sizes = re.search(r"\d (?:\+ \d )?(subjects|cases|simulated panels|data sets)", below)
        # The two designs of one data set each stand over the panels of the picture.
        assert sizes or ("one data set of each design" in below and "1,000 subjects" in part), row.name


@pytest.mark.parametrize("name", QUICK)
def test_the_pictures_on_the_page_are_those_the_program_draws(name):
    table = numbers(name)
    assert sheet_file(reproduction(name).sheet(table), ".png", ppi=120) == bundled(f"{name}.png")
    own = page([(reproduction(name), table)])
    assert own[own.index("## <a") :].strip() in bundled("README.md").decode()


def test_every_file_of_the_page_carries_the_mark_of_the_program_as_it_was_written():
    for name, kind in (
        ("README.md", OutputKind.PAGE),
        *((f"{row.name}.png", OutputKind.FIGURE) for row in REPRODUCTIONS),
    ):
        mark = mark_in(bundled(name))
        assert mark is not None, name
        assert (mark.kind, mark.changed) == (kind, False), name


@pytest.mark.slow
def test_one_command_makes_the_whole_page_again(tmp_path):
    assert main(["study", "paper", "--figure", "all", "-o", str(tmp_path), "--workers", "2"]) == 0
    for name in ("README.md", "writing.csv"):
        assert (tmp_path / name).read_bytes() == bundled(name)
    for row in REPRODUCTIONS:
        assert (tmp_path / f"{row.name}.png").read_bytes() == bundled(f"{row.name}.png"), row.name
