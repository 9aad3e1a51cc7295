"""Every command of a tutorial, and of a how-to page, is run on the files it offers, in order, as a reader would.

What a page quotes, and every number of it, is held against what the program said.
"""

import re
import runpy
import shlex
import shutil
import subprocess
import sys

import openpyxl
import pytest

from tapdesk import resources
from tapdesk.cli.main import main

HELP = resources.path("help")
TUTORIALS = tuple(path.name for path in sorted(HELP.glob("[0-9]*-tutorial-*.md")))
HOW_TO = tuple(path.name for path in sorted(HELP.glob("[0-9]*-howto-*.md")))
PAGES = TUTORIALS + HOW_TO
LATE = {"report", "dossier"}
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:,\d{3})*")


def late(arguments, text):
    """Whether a command is left to the slow suite: it writes pages; no number of a page of the help is theirs.

    A report that the same page verifies is written where the page is read.
    """
    if "tapdesk verify" in text:
        return False
    return arguments[0] in LATE or (arguments[0] == "awards" and "-o" in arguments)


def typed(folder):
    """Type ratings into the copies of blank sheets, as raters do: nearly always the same ones."""
    for at, path in enumerate(sorted(folder.glob("sheets-*.xlsx"))):
        book = openpyxl.load_workbook(path)
        page = book.worksheets[0]
        head = [cell.value for cell in page[1]]
        for row in page.iter_rows(min_row=2):
            case = int(row[head.index("case")].value)
            fracture = case % 3 == 0 or (case + 7 * at) % 20 == 0
            row[head.index("rating")].value = "fracture" if fracture else "no fracture"
        book.save(path)


def ends(arguments):
    """How a command may end: that of a report beside another table says that they differ."""
    return {0, 1} if arguments[0] == "verify" else {0}


def flat(text):
    """A text without line ends and columns: one space between words."""
    return " ".join(text.split())


def quotes(text):
    """What a page quotes, a block each."""
    return [flat(block.replace("\n> ", " ")) for block in re.findall(r"^> (.+(?:\n> .+)*)", text, re.MULTILINE)]


def prose(text):
    """A page without commands, quotations and headings, names in code and links."""
    text = re.sub(r"^(?:    |> |#).*$", "", text, flags=re.MULTILINE)
    return re.sub(r"\]\([^)]*\)|`[^`]*`", "", text)


def numbers(text):
    """All numbers of a text, as they are written."""
    return set(NUMBER.findall(text))


def commands(text):
    """Every command of a text: what stands after `tapdesk`."""
    return [shlex.split(line) for line in re.findall(r"^    tapdesk (.+)$", text, re.MULTILINE)]


def files(text):
    """The files that a page offers."""
    return re.findall(r"\]\(file:([\w.-]+)\)", text)


def place(name):
    """Where a file that is offered stands."""
    found = [path for folder in ("tutorials", "samples") if (path := resources.path(folder, name)).is_file()]
    assert len(found) == 1, name
    return found[0]


def opened(name, folder):
    """The page, and its files where a reader has put them."""
    text = (HELP / name).read_text("utf-8")
    assert files(text) or name in HOW_TO
    for file in files(text):
        shutil.copy(place(file), folder)
    return text


def facts():
    """What is told of how the files were made, by the programs that made them."""
    told = ""
    for folder, name in (
        ("tutorials", "simulate_tutorials"),
        ("tutorials", "simulate_how_to"),
        ("samples", "simulate_jury"),
    ):
        values = runpy.run_path(str(resources.path(folder, f"{name}.py")), run_name="read")
        told += f"{ {key: value for key, value in values.items() if key.isupper()} } {values.get('SEED', 0) + 1} "
    return told


@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_quotes_and_every_number_of_it_is_what_its_commands_answer(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = opened(name, tmp_path)
    parts = re.split(r"^## ", text, flags=re.MULTILINE)
    # Numbers of the files, of which the first part tells, may be named anywhere.
    known, asked = numbers(facts()), 0
    for part in parts:
        said = ""
        for arguments in commands(part):
            if late(arguments, text):
                continue
            if arguments[0] == "check":
                typed(tmp_path)
            assert main(arguments) in ends(arguments), arguments
            said += capsys.readouterr().out
            asked += 1
            known |= numbers(" ".join(arguments))
        known |= numbers(said.replace("%", " "))
        assert [quote for quote in quotes(part) if quote not in flat(said)] == []
        if part is not parts[0]:
            known |= numbers(prose(parts[0]))
            lost = numbers(prose(part)) - known
            assert lost == set(), f"{part.splitlines()[0]}: {sorted(lost)}"
    assert asked


@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_says_of_its_file_is_true_of_how_it_was_made(name, tmp_path):
    first = opened(name, tmp_path).split("\n## ")[0]
    made = numbers(facts()) | numbers(" ".join(" ".join(one) for one in commands(first)))
    rows = {
        str(len({row.split(",")[0] for row in path.read_text("utf-8").splitlines()[1:]})) for path in tmp_path.iterdir()
    }
    lost = {float(one) for one in numbers(prose(first))} - {float(one.replace(",", "")) for one in made | rows}
    # A form is as wide as it has questions.
    lost -= {len(path.read_text("utf-8").split("\n", 1)[0].split(",")) - 2 for path in tmp_path.iterdir()}
    assert lost == set()


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_the_pages_that_are_written_last_are_written(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = opened(name, tmp_path)
    for arguments in (one for one in commands(text) if late(one, text)):
        assert main(arguments) == 0, arguments
        assert (tmp_path / arguments[arguments.index("-o") + 1]).stat().st_size > 1000


def test_the_files_are_made_again_as_their_pages_say(tmp_path, monkeypatch):
    for script in ("simulate_tutorials.py", "simulate_how_to.py"):
        subprocess.run([sys.executable, resources.path("tutorials", script), tmp_path], check=True)
    made = sorted(path.name for path in tmp_path.iterdir())
    assert [*made, "screening.csv"] == sorted(path.name for path in resources.path("tutorials").glob("*.csv"))
    monkeypatch.chdir(tmp_path)
    (command,) = commands((HELP / "16-tutorial-screening.md").read_text("utf-8").split("\n## ")[0])
    assert main(command) == 0
    again = {**{name: name for name in made}, "screening.csv": command[-1]}
    for name, own in again.items():
        assert (tmp_path / own).read_bytes() == place(name).read_bytes(), name


def test_every_file_of_the_tutorials_is_offered_by_a_page():
    offered = {file for name in PAGES for file in files((HELP / name).read_text("utf-8"))}
    assert {path.name for path in resources.path("tutorials").glob("*.csv")} <= offered
    assert len(TUTORIALS) >= 4
    assert len(HOW_TO) >= 8
