"""A command run in this process, and its answer."""

import json

import pytest

from tapdesk.cli.main import main


@pytest.fixture
def told(capsys):
    """Run a command in this process: exit status, standard output, standard error."""

    def run(*arguments: str) -> tuple[int, str, str]:
        status = main(arguments)
        out, err = capsys.readouterr()
        return status, out, err

    return run


@pytest.fixture
def answered(told):
    """The JSON a command prints; it must have answered."""

    def run(*arguments: str) -> dict:
        status, out, err = told(*arguments, "--json")
        assert status == 0, err
        return json.loads(out)

    return run


@pytest.fixture(scope="module", autouse=True)
def fitted_once(remembered_fits):
    """What is said of fits is looked at here: whoever asks for the same fit again gets the one that was found."""
