"""The pages as two renderers draw them: the typesetter's own pictures beside the saved PDF drawn by PDFium."""

import numpy as np
import pypdfium2
import pytest
from PySide6.QtGui import QImage

from tapdesk.report.build import build
from tapdesk.report.forms.pdf import pages, pdf

from .examples import project_of

PPI, CELL = 60, 6
# Grey levels of 255, averaged over a page: edges of letters are smoothed in two ways, a moved line counts for more.
ALIKE, FURTHER = 2.6, 3.0


def coarse(grey):
    """Mean grey of cells of a few pixels; the last that do not fill a cell are left out."""
    high, wide = (n // CELL for n in grey.shape)
    cells = grey[: high * CELL, : wide * CELL].astype(float).reshape(high, CELL, wide, CELL)
    return cells.mean(axis=(1, 3))


def picture(png):
    """A picture as an array of grey levels."""
    image = QImage.fromData(png).convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width()].copy()


@pytest.fixture(scope="module")
def apart(fitted, wine, extras):
    """How far each page of the PDF is from each page of the preview, in grey levels."""
    report = build(project_of(fitted, wine), extras=extras)
    with pypdfium2.PdfDocument(pdf(report)) as document:
        printed = [coarse(page.render(scale=PPI / 72, grayscale=True).to_numpy().squeeze()) for page in document]
    shown = [coarse(picture(page)) for page in pages(report, ppi=PPI)]
    assert len(printed) == len(shown) > 8
    return np.array([[np.abs(p - s).mean() for s in shown] for p in printed])


def test_every_page_of_the_pdf_looks_as_the_preview_shows_it(apart):
    assert np.diag(apart).max() < ALIKE


def test_the_tolerance_tells_any_two_pages_apart(apart):
    others = apart[~np.eye(apart.shape[0], dtype=bool)]
    assert others.min() > ALIKE
    # A page that is nearly empty is nearer to any other, and nearer still to itself.
    nearest = np.where(np.eye(apart.shape[0], dtype=bool), np.inf, apart).min(axis=1)
    assert (nearest > FURTHER * np.diag(apart)).all()
