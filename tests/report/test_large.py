"""Panels that strain the page: many raters, classes and cases, names in every script."""

import io
import re
import subprocess

import numpy as np
import openpyxl
import pikepdf
import pypdfium2
import pytest

from tapdesk.answers.naming import RatersAs
from tapdesk.answers.side_results import Wanted
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.build import build
from tapdesk.report.forms.html import html
from tapdesk.report.forms.pdf import pdf
from tapdesk.report.forms.xlsx import xlsx
from tapdesk.report.setup import prepare

from .examples import project_of, wine_fit

NAMES = ("Ολυμπία Παπαδοπούλου", "王小明", "محمد علي", "Анна Каренина", "שרה לוי", "O’Brien-Żółkiewska")
FEW = Wanted(replicates=5, tests=False, raters=False, sensitivity=False)
# Points of the page edge on which nothing stands but the number of a heading at the left.
EDGE = 60


def panel(raters, classes, cases, seed=1, labels=None):
    rng = np.random.default_rng(seed)
    labels = labels or [f"class {i + 1}" for i in range(classes)]
    truth = rng.integers(classes, size=cases)
    follows = rng.random((cases, len(raters))) < 0.6
    given = np.where(follows, truth[:, None], rng.integers(classes, size=(cases, len(raters))))
    return Ratings.of(
        np.repeat(np.arange(cases), len(raters)),
        np.tile(np.arange(len(raters)), cases),
        given.ravel(),
        [f"c{i + 1}" for i in range(cases)],
        list(raters),
        labels,
    )


def made_of(ratings, **more):
    project = project_of(None, ratings)
    return build(project, extras=finish(prepare(project, FEW)), **more)


def looked_at(content):
    """The text of every page; each is looked at: not blank, and nothing over its edge."""
    told = []
    with pypdfium2.PdfDocument(content) as document:
        for page in document:
            wide, _high = page.get_size()
            picture = np.asarray(page.render(scale=1).to_pil().convert("L"))
            dark = np.flatnonzero((picture < 200).any(axis=0))
            assert dark.min() >= EDGE
            assert dark.max() <= wide - EDGE
            words = page.get_textpage().get_text_bounded()
            assert len(words) > 250
            told.append(words)
    return told


@pytest.fixture(scope="module")
def thirty():
    return panel((*[f"Rater {i:02d}" for i in range(24)], *NAMES), 3, 60)


def test_thirty_raters_with_names_in_every_script_stay_on_their_pages(thirty):
    pages = looked_at(pdf(made_of(thirty)))
    told = re.sub(r"\s+", " ", " ".join(pages))
    for name in ("Rater 23", "Ολυμπία", "Анна Каренина", "O’Brien-Żółkiewska", "محمد", "שרה", "王小明"):
        assert name in told
    assert "Characters shown by their code" not in told
    assert "U+" not in told


def test_the_workbook_holds_every_name_and_pair_itself(thirty):
    report = made_of(thirty)
    book = openpyxl.load_workbook(io.BytesIO(xlsx(report)))
    (name,) = [n for n in book.sheetnames if "kappa of each pair" in n]
    pairs = {tuple(row[:2]) for row in book[name].iter_rows(min_row=3, values_only=True) if row[1]}
    assert len(pairs) == 30 * 29 / 2
    assert set(NAMES) <= {name for pair in pairs for name in pair}
    assert html(report).startswith(b"<!DOCTYPE html>")


def test_codes_hide_all_thirty(thirty):
    told = " ".join(looked_at(pdf(made_of(thirty, raters_as=RatersAs.CODES))))
    assert "王" not in told
    assert not re.search(r"Rater \d\d|Анна|Brien", told)


def test_twelve_classes_stand_in_one_table_of_counts_with_a_key_to_its_columns():
    labels = [f"Diagnosis group {i + 1} of twelve" for i in range(12)]
    pages = looked_at(pdf(made_of(panel(NAMES[:4], 12, 200, labels=labels))))
    told = re.sub(
        r"\s+",
        " ",
        " ".join(
            page
            for page in pages
            if "All counts" in page or ("Columns: 1 =" in page and "Classes confused" not in page)
        ),
    )
    assert "columns continued" not in told
    assert re.search(r"Wines 1 2 3 4 5 6 7 8 9 10 11 12 ", told)
    for i, label in enumerate(labels, start=1):
        assert f"{i} = {label}" in told
    # The last row sums up: as many ratings of each class as there are.
    ratings = panel(NAMES[:4], 12, 200, labels=labels)
    sums = " ".join(str(int(n)) for n in np.bincount(ratings.category, minlength=12))
    assert f"200 {sums}" in told


def test_five_thousand_cases_make_no_book():
    ratings = panel(("Ana", "Ben", "Cy", "Dora"), 2, 5000)
    pages = looked_at(pdf(made_of(ratings)))
    assert len(pages) < 20
    assert "5,000 wines, 20,000 ratings" in " ".join(pages)


@pytest.mark.parametrize("archive", [True, False])
def test_the_file_is_sound_in_the_eyes_of_another_program(tmp_path, archive, fitted, wine, extras):
    content = pdf(build(project_of(fitted, wine), extras=extras), archive=archive)
    with pikepdf.open(io.BytesIO(content)) as document:
        assert document.check_pdf_syntax() == []
        told = document.open_metadata()
        assert told.get("pdfuaid:part") == "1"
        assert told.get("pdfaid:part") == ("2" if archive else None)
    path = tmp_path / "report.pdf"
    path.write_bytes(content)
    try:
        found = subprocess.run(["qpdf", "--check", str(path)], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        # The library of qpdf has looked at it above.
        return
    assert found.returncode == 0, found.stdout + found.stderr


def test_one_label_of_three_hundred_signs_in_every_place(wine):
    label = "endless " * 37 + "end"
    odd = wine_fit(classes=("plain", label))
    ratings = Ratings.of(
        wine.subject, wine.rater, wine.category, list(wine.subjects), list(wine.raters), ["plain", label]
    )
    looked_at(pdf(build(project_of(odd, ratings, title=label))))
