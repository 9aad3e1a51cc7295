"""What a test does in a fork of a window that is ready: it touches no other test, and all it says comes back."""

import subprocess
import sys
from pathlib import Path

import pytest
from defusedxml import ElementTree

HERE = Path(__file__).parent
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="windows are forked on Linux alone")


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """By the name of a test of `in_forks`: how it ended, and all that is reported of it."""
    place = tmp_path_factory.mktemp("forks") / "reports.xml"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-o", "junit_logging=all"]
    command += [f"--junitxml={place}", str(HERE / "in_forks.py")]
    run = subprocess.run(command, capture_output=True, check=False)
    assert run.returncode == 1, run.stdout.decode()
    cases = ElementTree.parse(place).iter("testcase")
    return {
        case.get("name").removeprefix("test_"): (
            {part.tag for part in case if not part.tag.startswith("system")},
            " ".join(f"{part.get('message', '')} {part.text}" for part in case),
        )
        for case in cases
    }


@pytest.mark.parametrize(
    ("name", "outcome", "words"),
    [
        ("leaves_what_it_likes", set(), "printed in a fork"),
        ("finds_what_every_test_finds", set(), ""),
        ("fails", {"failure"}, "logged in a fork"),
        ("is_skipped", {"skipped"}, "not today, tapdesk"),
        ("fails_as_expected", {"skipped"}, "known"),
        ("warns", {"failure"}, "beware of tapdesk"),
        ("leaves_what_cannot_be_collected_in_peace", {"error"}, "said when it was collected"),
        ("ends_its_process", {"failure"}, "The process of the test ended with status 0"),
        ("crashes", {"failure"}, "Segmentation fault"),
    ],
)
def test_what_a_test_says_in_a_fork_comes_back(reports, name, outcome, words):
    assert reports[name][0] == outcome, reports[name][1]
    assert words in reports[name][1]
