"""A report of Word as LibreOffice lays it out (slow suite): headings, heads of tables and words of figures."""

import io
import shutil
import subprocess

import docx
import pikepdf
import pypdfium2
import pytest

from tapdesk.answers.content import Picture, Table
from tapdesk.report.build import build
from tapdesk.report.forms.write import content
from tapdesk.report.report import Form

from .examples import project_of
from .structure import walk

pytestmark = pytest.mark.slow
# Tagged, so that what the office took for a heading, a head or a figure can be read off.
_FORM = 'pdf:writer_pdf_Export:{"UseTaggedPDF":{"type":"boolean","value":"true"}}'


@pytest.fixture(scope="module")
def report(fitted, wine, extras):
    return build(project_of(fitted, wine, title="Wine <b>show</b>"), extras=extras, form=Form.BOTH)


@pytest.fixture(scope="module")
def inside(report):
    return content(report, ".docx")


@pytest.fixture(scope="module")
def printed(inside, tmp_path_factory):
    """The same as LibreOffice prints it."""
    office = shutil.which("soffice") or shutil.which("libreoffice")
    if office is None:
        pytest.skip("LibreOffice is not installed here")
    folder = tmp_path_factory.mktemp("office")
    place = folder / "report.docx"
    place.write_bytes(inside)
    own = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    command = [office, own, "--headless", "--convert-to", _FORM, "--outdir", str(folder), str(place)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    made = folder / "report.pdf"
    assert made.exists(), result.stdout + result.stderr
    return made.read_bytes()


@pytest.fixture(scope="module")
def elements(printed):
    """The structure that the office saw: kind, words for who cannot see, of each element."""
    with pikepdf.open(io.BytesIO(printed)) as pdf:
        return [(str(e["/S"]), str(e.get("/Alt", ""))) for e in walk(pdf.Root.StructTreeRoot)]


def words(printed):
    """The text of each page."""
    with pypdfium2.PdfDocument(printed) as document:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in document]


def test_no_page_is_empty_and_every_section_is_there(printed, report):
    pages = words(printed)
    assert 4 <= len(pages) <= 24
    assert all(len(page) > 60 for page in pages)
    whole = " ".join(pages)
    assert [s.title for s in report.sections if s.title not in whole] == []
    assert "<b>show</b>" in whole


def test_headings_are_headings_to_the_office(elements, inside):
    styles = [p.style.name for p in docx.Document(io.BytesIO(inside)).paragraphs if p.text]
    first = sum(kind == "/H1" for kind, _alt in elements)
    assert first >= styles.count("Heading 1") > 5
    assert sum(kind == "/H2" for kind, _alt in elements) >= styles.count("Heading 2")


def test_heads_of_tables_are_heads_to_the_office(elements, report):
    tables = [b for s in report.sections for b in s.blocks if isinstance(b, Table) and b.rows]
    assert sum(kind == "/Table" for kind, _alt in elements) >= len(tables)
    heads = sum(len(table.columns) for table in tables if table.headed)
    assert sum(kind == "/TH" for kind, _alt in elements) >= heads


def test_figures_have_their_words(elements, report):
    alts = [f.alt for s in report.sections for b in s.blocks if isinstance(b, Picture) for f in b.panels]
    seen = [alt for kind, alt in elements if kind == "/Figure" and alt]
    assert len(seen) >= len(alts) > 2
    assert all(any(alt[:60] in told for told in seen) for alt in alts)


def test_figures_are_drawn_and_stay_inside_the_page(printed):
    drawn = 0
    with pypdfium2.PdfDocument(printed) as document:
        for page in document:
            width, height = page.get_size()
            for one in page.get_objects():
                left, bottom, right, top = one.get_bounds()
                if one.type == 3:
                    drawn += 1
                    assert left >= -1
                    assert right <= width + 1
                    assert bottom >= -1
                    assert top <= height + 1
    assert drawn > 2
