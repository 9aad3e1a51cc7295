"""What stands around the code for whoever comes to it: every link leads somewhere, what is cited is this version."""

import re
from pathlib import Path

import pytest
import yaml

from tapdesk.version import VERSION

ROOT = Path(__file__).resolve().parents[2]
PAPERS = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "tapdesk/ARCHITECTURE.md")),
    *sorted((ROOT / ".github").rglob("*.md")),
    *sorted((ROOT / "packaging").glob("*.md")),
    *sorted((ROOT / "resources").rglob("*.md")),
]
# Places of the help by name (help:grid) are followed by tests/gui/test_guides.py, files (file:jury.csv) by
# tests/cli/test_tutorials.py.
LINK = re.compile(r"!?\[[^\]]*\]\((?!https?://|mailto:|help:|file:|#)(?P<place>[^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_of_a_page_leads_to_a_file(paper):
    places = [found["place"] for found in LINK.finditer(paper.read_text("utf-8"))]
    assert [place for place in places if not (paper.parent / place).exists()] == []


def test_what_is_cited_is_this_version_under_its_licence():
    cited = yaml.safe_load((ROOT / ".github" / "CITATION.cff").read_text("utf-8"))
    assert cited["version"] == VERSION
    assert cited["license"] == ["MIT", "OFL-1.1"]


@pytest.mark.parametrize(
    "form", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml")), ids=lambda path: path.stem
)
def test_a_form_asks_for_what_is_needed_and_for_no_ratings_of_real_people(form):
    told = yaml.safe_load(form.read_text("utf-8"))
    assert {"name", "description", "body"} <= set(told)
    assert any(part.get("validations", {}).get("required") for part in told["body"])
    ids = [part["id"] for part in told["body"] if part["type"] != "markdown"]
    assert len(set(ids)) == len(ids)
    if form.stem != "question":
        assert "no ratings of real people" in told["body"][0]["attributes"]["value"]
