"""The document a committee signs, taken apart."""

import io
import re
from dataclasses import replace

import numpy as np
import pikepdf
import pypdfium2
import pytest
from defusedxml import ElementTree
from PIL import Image

from tapdesk.answers.content import Picture, Table
from tapdesk.answers.figures.catalog import figures
from tapdesk.answers.numbers import APA
from tapdesk.errors import UsageError
from tapdesk.project.project import Project
from tapdesk.report.build import build
from tapdesk.report.forms.document import document
from tapdesk.report.forms.pdf import drawing_file, figure_file, pages, pdf, preview
from tapdesk.report.outline import SECTIONS

from .examples import four_fit, open_fit, project_of, wine_fit, wine_ratings
from .opened import text_of


@pytest.fixture(scope="module")
def report(fitted, wine, extras):
    return build(project_of(fitted, wine), extras=extras)


@pytest.fixture(scope="module")
def made(report):
    return pdf(report)


@pytest.fixture(scope="module")
def opened(made):
    with pikepdf.open(io.BytesIO(made)) as document:
        yield document


def objects(document):
    return [o for o in document.objects if isinstance(o, pikepdf.Dictionary | pikepdf.Stream)]


def structure(node):
    """All structure elements below one."""
    found = []
    kids = node.get("/K", [])
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            found += [kid, *structure(kid)]
    return found


def test_the_document_is_tagged_and_has_language_title_and_standards(opened, report):
    root = opened.Root
    assert bool(root.MarkInfo.Marked)
    assert str(root.Lang) == "en"
    assert bool(root.ViewerPreferences.DisplayDocTitle)
    with opened.open_metadata() as meta:
        assert meta["pdfaid:part"] == "2"
        assert meta["pdfaid:conformance"] == "A"
        assert meta["pdfuaid:part"] == "1"
        assert meta["dc:title"] == report.title
    assert report.fingerprint in str(opened.docinfo["/Keywords"])


def test_headings_are_bookmarks_in_order(opened, report):
    with opened.open_outline() as outline:
        titles = [item.title for item in outline.root]
    assert [section.title for section in report.sections] == [
        t.split(" ", 1)[-1] if t[0].isdigit() else t for t in titles
    ]


def test_every_picture_has_words_for_those_who_cannot_see_it(opened, report):
    told = [e for e in structure(opened.Root.StructTreeRoot) if str(e.S) == "/Figure"]
    pictures = [b for s in report.sections for b in s.blocks if isinstance(b, Picture)]
    panels = [figure for picture in pictures for figure in picture.panels]
    assert len(told) == len(pictures) >= 9
    assert all(str(e.get("/Alt", "")) for e in told)
    alts = " ".join(str(e.Alt) for e in told)
    assert all(figure.alt[:60] in alts for figure in panels)


def test_tables_have_heads_that_are_heads(opened, report):
    kinds = [str(e.S) for e in structure(opened.Root.StructTreeRoot)]
    tables = [b for s in report.sections for b in s.blocks if isinstance(b, Table)]
    assert kinds.count("/Table") == len(tables)
    assert kinds.count("/TH") >= sum(len(t.columns) for t in tables if t.headed)


def test_all_fonts_are_embedded(opened):
    described = [o for o in objects(opened) if o.get("/Type") == pikepdf.Name.FontDescriptor]
    assert described
    assert all(any(f"/FontFile{n}" in o for n in ("", "2", "3")) for o in described)
    names = " ".join(str(o.FontName) for o in described)
    assert "Inter" in names
    assert "Libertinus" in names


def test_nothing_is_transparent(opened):
    for o in objects(opened):
        assert float(o.get("/ca", 1)) == 1
        assert float(o.get("/CA", 1)) == 1
        assert str(o.get("/SMask", "/None")) == "/None"


def test_the_same_project_gives_the_same_bytes(made, fitted, wine, extras):
    assert pdf(build(project_of(fitted, wine), extras=extras)) == made


def test_every_number_of_the_fit_is_in_the_text(made, fitted):
    told = text_of(made)
    for e in fitted.estimates:
        assert f"{e.estimate.value:.2f}" in told
        assert f"[{e.estimate.low:.2f}, {e.estimate.high:.2f}]" in told
    for number in ("−483.599", "−286.116", "183 wines, 732 ratings", "14 May 2025, 10:44", "spring-show.xlsx"):
        assert number in told


def test_every_page_has_its_number_and_the_fingerprint(made, report):
    document = pypdfium2.PdfDocument(made)
    count = len(document)
    for i, page in enumerate(document):
        told = page.get_textpage().get_text_range()
        assert f"Page {i + 1} of {count}" in told
        assert report.fingerprint in told
        # No page is blank: more than head and foot stands on it.
        assert len(told) > 250
    document.close()


def test_the_checklist_tells_the_pages_on_which_its_items_are_answered(made, report):
    _pages, starts = preview(report, ppi=8)
    document = pypdfium2.PdfDocument(made)
    pages = [page.get_textpage().get_text_range() for page in document]
    document.close()
    assert "What it asks for" in pages[starts["checklist"] - 1]
    rows = [" ".join(line.split()) for line in pages[starts["checklist"] - 1].splitlines()]
    line = next(row for row in rows if row.startswith("2 The instrument"))
    assert line == f"2 The instrument and its classes Purpose {starts['purpose']} open"
    for key, title in (("purpose", "Purpose"), ("signoff", "Sign-off"), ("meaning", "Meaning and limits")):
        assert title in pages[starts[key] - 1]


def test_apa_numbers_have_no_leading_zero(fitted, wine):
    told = text_of(pdf(build(project_of(fitted, wine), style=APA)))
    assert f"{fitted.estimates[1].estimate.value:.2f}"[1:] in told
    assert re.search(r"\[\.\d\d, \.\d\d\]", told)


def test_the_preview_shows_the_same_pages(report, made):
    document = pypdfium2.PdfDocument(made)
    count = len(document)
    document.close()
    shown = pages(report, ppi=40)
    assert len(shown) == count
    assert all(page.startswith(b"\x89PNG") for page in shown)


@pytest.mark.parametrize("left", [row.key for row in SECTIONS])
def test_each_section_can_be_left_out(left, fitted, wine, extras):
    project = project_of(fitted, wine)
    whole = {s.key for s in build(project, extras=extras).sections}
    kept = build(project, extras=extras, leave_out={left})
    assert {s.key for s in kept.sections} == whole - {left}
    document(kept)


def test_a_project_without_analysis_gives_a_report_about_the_data(wine):
    report = build(project_of(None, wine))
    without = {"model", "results", "raters", "sensitivity", "technical"}
    assert {s.key for s in report.sections} <= {row.key for row in SECTIONS} - without
    assert {"data", "description", "counts", "signoff"} <= {s.key for s in report.sections}
    assert "No analysis has been run" in text_of(pdf(report))


def test_an_empty_project_gives_a_report_that_says_so():
    told = text_of(pdf(build(Project())))
    assert "nothing to report" in told


def test_an_unidentified_fit_prints_no_estimate():
    # Without the checks: the ends of what was seen in a group of ratings, 0.40 to 0.54, are no estimate.
    told = text_of(pdf(build(project_of(open_fit()), leave_out=("checks",))))
    assert "cannot tell how much of the agreement is knowledge" in told
    assert "0.54" not in told


def test_a_stale_analysis_is_printed_with_its_warning():
    project = project_of(wine_fit())
    project = replace(project, analyses=(replace(project.analyses[0], stale=True),))
    assert "Out of date." in text_of(pdf(build(project)))


def test_numbers_of_other_classes_do_not_get_pictures_of_these_ratings():
    project = project_of(four_fit(), wine_ratings())
    project = replace(project, analyses=(replace(project.analyses[0], stale=True),))
    kinds = {f.kind for s in build(project).sections for b in s.blocks if isinstance(b, Picture) for f in b.panels}
    assert "distribution" not in kinds
    pdf(build(project))


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_a_figure_is_saved_in_each_kind_of_file(suffix, fitted, wine):
    (figure,) = figures("distribution", fitted, wine)
    content = figure_file(figure, suffix)
    assert content == figure_file(figure, suffix)
    assert content.startswith({".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF"}[suffix])
    if suffix == ".svg":
        assert figure.title in "".join(ElementTree.fromstring(content).itertext())
    if suffix == ".pdf":
        assert figure.note.split(".")[0] in text_of(content)


def test_an_unknown_kind_of_file_is_refused(fitted, wine):
    (figure,) = figures("distribution", fitted, wine)
    with pytest.raises(UsageError, match=r"\.png"):
        figure_file(figure, ".bmp")


def striped(width: int, height: int) -> str:
    """A drawing of one-pixel rows, each of a colour of its own."""
    rows = (
        f'<rect y="{y}" width="{width}" height="1" fill="rgb({y % 200},{y // 200},7)" shape-rendering="crispEdges"/>'
        for y in range(height)
    )
    root = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    return f"{root}{''.join(rows)}</svg>"


@pytest.mark.parametrize(
    ("width", "height", "ppi"), [(620, 351, 120), (880, 517, 120), (333, 201, 144), (700, 401, 96)]
)
def test_no_row_of_a_picture_is_lost_where_it_is_no_whole_number_of_pixels(width, height, ppi):
    made = drawing_file(striped(width, height), ".png", title="t", alt="a", width=width, ppi=ppi)
    with Image.open(io.BytesIO(made)) as opened:
        column = np.asarray(opened.convert("RGB"))[:, opened.width // 2].astype(int)
    seen = column[column[:, 2] == 7]
    assert sorted({(int(g) * 200 + int(r)) for r, g, _b in seen}) == list(range(height))


@pytest.mark.parametrize("ppi", [101, 110, 120])
def test_no_row_of_a_picture_is_lost_on_the_pages_of_a_report(extras, fitted, wine, monkeypatch, ppi):
    """A row is a little more than one pixel high here, so that none has another one to stand for it."""
    monkeypatch.setattr("tapdesk.report.forms.document.svg", lambda *_figure, **_size: striped(560, 151))
    made = build(project_of(fitted, wine), extras=extras)
    found = []
    for page in pages(made, ppi=ppi):
        with Image.open(io.BytesIO(page)) as opened:
            every = np.asarray(opened.convert("RGB")).astype(int)
        for x in range(0, every.shape[1], 40):
            column = every[:, x]
            told = column[(column[:, 2] == 7) & (column[:, 1] == 0) & (column[:, 0] < 151)][:, 0]
            parts = np.split(told, np.flatnonzero(np.diff(told) < 0) + 1)
            # Of two beside each other, half as large, rows have to share pixels. Nothing is drawn on the outermost.
            found += [set(range(1, 150)) - set(part.tolist()) for part in parts if part.size > 151]
    assert len(found) > 20
    assert not [lost for lost in found if lost]
