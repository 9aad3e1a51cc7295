"""A brief that a common signing tool signed, held against its project; needs the peers' environment."""

import subprocess
from pathlib import Path

import pikepdf
import pytest

from tapdesk.progress import finish
from tapdesk.report.build import build
from tapdesk.report.forms.pdf import pdf
from tapdesk.report.issue.verify import Outcome, verify
from tapdesk.report.report import Form

from .examples import project_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def project(fitted, wine):
    return project_of(fitted, wine)


@pytest.fixture(scope="module")
def issued(project, tmp_path_factory):
    path = tmp_path_factory.mktemp("signed") / "brief.pdf"
    path.write_bytes(pdf(build(project, form=Form.BRIEF)))
    return path


@pytest.fixture(scope="module")
def signed(issued):
    """Signs the brief, unseen or with a box on a page."""
    subprocess.run(["bash", str(ROOT / "packaging" / "peers")], check=True, capture_output=True)
    python = ROOT / ".venv-peers" / "bin" / "python"
    program = Path(__file__).with_name("sign_by_pyhanko.py")

    def sign(name, *how):
        target = issued.with_name(name)
        subprocess.run([str(python), str(program), str(issued), str(target), *how], check=True, capture_output=True)
        return target

    return sign


@pytest.mark.slow
def test_a_brief_signed_by_a_common_tool_is_told_as_signed_its_pages_unchanged(signed, issued, project):
    path = signed("signed.pdf")
    assert path.read_bytes().startswith(issued.read_bytes())
    for held in (None, project):
        verdict = finish(verify(path, held))
        assert (verdict.outcome, verdict.exit_status) == (Outcome.SIGNED, 0)
        assert "Signed after issue, pages unchanged." in verdict.words


@pytest.mark.slow
def test_what_is_changed_after_the_signature_is_refused(signed, project, tmp_path):
    path = signed("signed-too.pdf")
    with pikepdf.open(path) as opened:
        content = opened.pages[0].Contents.read_bytes()
        opened.pages[0].Contents = pikepdf.Stream(opened, content + b"\n1 g 0 0 600 850 re f\n")
        opened.save(tmp_path / "painted.pdf")
    for held in (None, project):
        verdict = finish(verify(tmp_path / "painted.pdf", held))
        assert verdict.outcome is Outcome.DIFFERS
        assert verdict.exit_status == 1
        assert "Page 1 differs" in verdict.words


@pytest.mark.slow
def test_a_signature_that_is_drawn_on_a_page_changes_it(signed, project):
    verdict = finish(verify(signed("seen.pdf", "seen"), project))
    assert verdict.outcome is Outcome.DIFFERS
    assert "Page 2 differs" in verdict.words
