"""The web page of a report as a browser shows it, at a desk and on a telephone (slow suite)."""

import pytest

from tapdesk.report.build import build
from tapdesk.report.forms.write import content
from tapdesk.report.report import Form

from .browser import browser, looked_at
from .examples import project_of

pytestmark = pytest.mark.slow
PHONE, DESK = 390, 1280
# Smaller letters are not read on a telephone.
LEAST = 9.0


@pytest.fixture(scope="module")
def page(fitted, wine, extras):
    browser()
    report = build(project_of(fitted, wine, title="Wine <b>show</b>"), extras=extras, form=Form.BOTH)
    return content(report, ".html")


@pytest.fixture(scope="module", params=[PHONE, DESK])
def seen(request, page, tmp_path_factory):
    return {"asked_width": request.param, **looked_at(page, tmp_path_factory.mktemp("browser"), request.param)}


def test_axe_finds_nothing(seen):
    assert seen["passes"] > 20
    assert seen["violations"] == []


def test_the_page_is_as_wide_as_the_screen(seen):
    assert seen["width"] <= seen["asked_width"]


def test_letters_of_figures_can_be_read(seen):
    assert seen["drawings"] > 20
    assert seen["smallest"] >= LEAST


def test_every_area_that_is_moved_sideways_is_reached_by_the_keyboard_and_named(seen):
    assert all(tab == 0 and name for tab, name in seen["scrolled"])
    if seen["asked_width"] == PHONE:
        assert seen["scrolled"]
        assert "scroll" in seen["stops"]


def test_the_list_of_contents_leads_to_every_section(seen):
    assert len(seen["links"]) > 5
    assert all(there for _href, there in seen["links"])
    assert {href for href, _there in seen["links"]} <= set(seen["stops"])


def test_nothing_is_asked_of_a_network(seen):
    assert seen["asked"] == []
