"""Laws that hold on every page of the gallery, whatever is brought: pages, names, headings, structure, edges."""

import re

import pypdfium2
import pytest

from tests.gallery.cases import CASES
from tests.gallery.make import contact_sheet, pages, report
from tests.report.split_tables import split_badly
from tests.report.structure import faults

pytestmark = pytest.mark.slow
BRIEF_PAGES = 2
# A field that was never filled, a value that is none, the code of a sign.
_OPEN = re.compile(r"(?<!\\)\{[a-z_]+\}|\bNone\b(?!\s+of\b)|\bnan\b|Message\(")
_CODE = re.compile(r"U\+[0-9A-F]{4}")
_EDGE = 12.0  # points: nothing is printed so near to the edge of a page


def words_and_boxes(pdf):
    """Of each page its size, its words, and the boxes of what is written on it."""
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            text = page.get_textpage()
            boxes = [text.get_rect(i) for i in range(text.count_rects())]
            yield page.get_size(), text.get_text_bounded(), boxes


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_report_of_bad_input_keeps_the_laws_of_a_page(case, tmp_path, capsys):
    pdf = report(case, tmp_path)
    said = capsys.readouterr().err
    assert "fault of the program" not in said
    if pdf is None:
        # What cannot be reported is said in one sentence.
        assert len(said.strip().splitlines()) >= 1
        return
    shown = list(words_and_boxes(pdf))
    assert len(shown) == BRIEF_PAGES if case.form == "brief" else len(shown) <= case.pages
    for (width, height), words, boxes in shown:
        assert len(words.split()) > 20, "a page with next to nothing on it"
        assert not _OPEN.search(words)
        assert bool(_CODE.search(words)) <= case.codes
        for left, bottom, right, top in boxes:
            assert left >= _EDGE
            assert bottom >= _EDGE
            assert right <= width - _EDGE
            assert top <= height - _EDGE
    assert faults(pdf.read_bytes()) == []
    assert split_badly(pdf.read_bytes()) == []


def test_the_pages_and_the_sheet_of_a_report_are_pictures(tmp_path):
    pdf = report(next(case for case in CASES if case.form == "brief"), tmp_path)
    made = pages(pdf, tmp_path, scale=0.3)
    contact_sheet(made, tmp_path / "sheet.png")
    assert len(made) == BRIEF_PAGES
    assert all(place.read_bytes().startswith(b"\x89PNG") for place in (*made, tmp_path / "sheet.png"))


def test_there_are_thirty_of_them():
    assert len({case.name for case in CASES}) == len(CASES) >= 30
