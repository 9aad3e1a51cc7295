"""The pages of the report as the window shows and saves them."""

import pytest

from tapdesk.answers.side_results import Wanted

LONG = 240_000


@pytest.fixture
def printed(fitted, qtbot, monkeypatch):
    # Little beside the answer: what is looked at here are pages, whatever they say.
    little = Wanted(replicates=5, tests=False, raters=False, sensitivity=False)
    monkeypatch.setattr("tapdesk.report.setup.ALL", little)
    fitted.go(3)
    qtbot.waitUntil(lambda: fitted.report.preview.ready, timeout=LONG)
    return fitted


def test_the_report_shows_true_pages_and_saves_the_pdf_it_shows(printed, qtbot, tmp_path):
    report = printed.report
    # What a committee signs is offered first.
    assert len(report.made.pages) == 2
    assert all(page.startswith(b"\x89PNG") for page in report.made.pages)
    assert report.save.isEnabled()
    place = tmp_path / "report.pdf"
    with qtbot.waitSignal(report.export.job.done, timeout=LONG):
        report.save_to(place)
    assert place.read_bytes().startswith(b"%PDF")
    assert f"Saved {len(report.made.pages)} pages" in report.banner.words


def test_a_report_that_cannot_be_saved_says_why_and_loses_nothing(printed, qtbot, tmp_path):
    with qtbot.waitSignal(printed.report.export.job.failed, timeout=LONG):
        printed.report.save_to(tmp_path / "no such folder" / "report.pdf")
    assert printed.report.error.isVisible()
    assert "folder" in printed.report.error.words[0].lower()
    assert printed.report.made is not None


def test_a_section_left_out_is_gone_from_the_pages(printed, qtbot):
    report = printed.report
    before = report.made
    report.form.setCurrentIndex(1)
    report.form.activated.emit(1)
    qtbot.waitUntil(lambda: report.made is not before, timeout=LONG)
    assert len(report.made.pages) >= 3
    before = report.made
    report.ticks["summary"].setChecked(False)
    qtbot.waitUntil(lambda: report.made is not before, timeout=LONG)
    assert report.made.pages != before.pages
