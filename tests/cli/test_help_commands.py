"""Every command of the pages of the help is one, and those of the pages for who must approve the program are run."""

import re
import shlex
from pathlib import Path

import pytest

from tapdesk.cli.arguments import parse
from tapdesk.cli.main import main

HELP = Path(__file__).parents[2] / "resources" / "help"
RUN = ("10-departments.md", "11-statistician.md", "12-questions.md")
PUBLISHED = {
    "agree sample:fleiss-1971": r"Fleiss' kappa +0\.43 ",
    "fit sample:dawid-skene-1979 --interval none": r"Log-likelihood, ratings form +−239\.357\b",
    "fit sample:dawid-skene-1979 --model dawid-skene --interval none": r"Log-likelihood, ratings form +−189\.405\b",
}
SHOWN = ("--help", "--version")


def commands(name):
    """What stands after `tapdesk` in the indented lines of a page."""
    text = (HELP / name).read_text("utf-8")
    return [shlex.split(line) for line in re.findall(r"^    tapdesk (.+)$", text, re.MULTILINE)]


@pytest.mark.parametrize("name", sorted(path.name for path in HELP.glob("[0-9]*-*.md")))
def test_the_commands_of_a_page_of_the_help_are_taken(name):
    for arguments in commands(name):
        if arguments[-1] in SHOWN:
            with pytest.raises(SystemExit) as shown:
                parse(arguments)
            assert shown.value.code == 0
        else:
            assert parse(arguments).command == arguments[0]
    assert commands(name) or name not in RUN


@pytest.mark.slow
@pytest.mark.parametrize("name", RUN)
def test_the_commands_of_the_pages_answer_one_after_the_other(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for arguments in commands(name):
        if arguments[-1] in SHOWN:
            continue
        assert main(arguments) == 0, arguments
        told = capsys.readouterr()
        assert told.out or any(one.partition("=")[2] for one in arguments)
        line = PUBLISHED.get(" ".join(arguments))
        assert line is None or re.search(line, told.out), arguments
    wanted = set(re.findall(r"^    tapdesk .*(?:-o |--json=)(\S+)$", (HELP / name).read_text("utf-8"), re.MULTILINE))
    asked = {" ".join(arguments) for page in RUN for arguments in commands(page)}
    assert set(PUBLISHED) <= asked
    assert {path.name for path in tmp_path.iterdir()} == wanted
