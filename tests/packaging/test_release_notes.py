"""The notes of a release are the newest section of the changelog, or there is no release."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WHOLE = "# Changelog\n\n## 0.2.0 - 2026-11-25\n\nSecond.\n\n### New\n\n- This.\n\n## 0.1.0 - 2026-01-02\n\nFirst.\n"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(ROOT / "packaging" / "release_notes.py"), run_name="notes")


def test_the_newest_section_is_what_a_release_says(script):
    assert script["notes"](WHOLE, "0.2.0") == "Second.\n\n### New\n\n- This.\n"
    # What a chapter tells of no version is no news of this one.
    assert script["notes"](WHOLE.replace("## 0.1.0", "# How it came about\n\nLong.\n\n## 0.1.0"), "0.2.0").endswith(
        "This.\n"
    )
    only = WHOLE[WHOLE.index("## 0.1.0") :]
    assert script["notes"](only, "0.1.0") == "First.\n"


@pytest.mark.parametrize(
    ("changelog", "reason"),
    [
        (WHOLE.replace("2026-11-25", "unreleased"), "says 'unreleased' of version 0.2.0"),
        (WHOLE.replace("2026-11-25", "2026-13-25"), "says '2026-13-25'"),
        (WHOLE.replace("0.2.0", "0.3.0"), "opens with version 0.3.0, and 0.2.0 is to be released"),
        (WHOLE.replace("Second.\n\n### New\n\n- This.\n\n", ""), "says nothing about version 0.2.0"),
        ("# Changelog\n", "no section"),
    ],
)
def test_without_a_date_a_version_and_words_there_are_no_notes_and_the_release_stops(
    script, capsys, tmp_path, changelog, reason
):
    with pytest.raises(ValueError, match=reason):
        script["notes"](changelog, "0.2.0")
    file = tmp_path / "CHANGELOG.md"
    file.write_text(changelog, "utf-8")
    assert script["main"](["v0.2.0", str(file)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert reason in said.err


def test_a_reader_can_use_what_the_newest_version_says(script):
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    newest = script["HEAD"].search(changelog)
    told = script["notes"](changelog.replace(newest["day"], "2026-11-25", 1), newest["version"])
    assert 8 <= len(told.splitlines()) <= 40
