"""Codes whatever people and cases are called: numbers, letters, words of ours, names in names, names that never end.

A report of such a panel is held against that of the same ratings by people with names that are nothing else: with codes
in the place of names both must say the same, word for word. Then no name is in it, and nothing else was taken for one.
"""

import io
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from openpyxl import load_workbook

from tapdesk.answers import naming
from tapdesk.answers.naming import CasesAs, RatersAs
from tapdesk.answers.side_results import Wanted
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.build import build
from tapdesk.report.forms.html import html
from tapdesk.report.forms.xlsx import xlsx
from tapdesk.report.issue.texts import texts
from tapdesk.report.setup import prepare
from tapdesk.studies.analysis import Request, analyse

from .examples import reading_of

CASES, RATERS = 24, 4
HARMLESS = (("Quorzi", "Vexlam", "Brindol", "Tyskew"), tuple(f"Zumphi{i}ork" for i in range(CASES)))
LONG = "Maximiliane Theodora von Hohenlohe-Schillingsfürst zu "
AWKWARD = {
    "numbers": (("1", "2", "3", "4"), tuple(str(i + 1) for i in range(CASES))),
    "letters": (("a", "b", "c", "d"), tuple(chr(ord("a") + i) for i in range(CASES))),
    "long": (tuple(LONG + x for x in "wxyz"), tuple(f"{LONG}{i}" for i in range(CASES))),
    "words": (("agreement", "rater", "chance", "accuracy"), tuple(f"case {i}" for i in range(CASES))),
    "nested": (("Ann", "Anna", "Annabel", "Annabella"), tuple("Bo" + "b" * i for i in range(CASES))),
}
HEX = re.compile(r"\b(?:[0-9a-f]{8,64}|[0-9A-F]{4}(?:-[0-9A-F]{4}){3})\b")


def ratings_by(raters, cases):
    """The same ratings into classes that are numbers, by other people of other cases."""
    rng = np.random.default_rng(11)
    truth = rng.integers(3, size=CASES)
    rows = [(i, j, truth[i] if rng.random() < 0.7 else rng.integers(3)) for i in range(CASES) for j in range(RATERS)]
    subject, rater, category = np.array(rows).T
    return Ratings.of(subject, rater, category, cases, raters, ("1", "2", "3"), ordered=True)


@cache
def told(raters, cases):
    """Every text of the report with codes, its page and its workbook; digits that follow from the names taken out."""
    reading = reading_of(ratings_by(raters, cases))
    # As reading says it: a sentence that knows its own numbers, of which none is a name.
    read = _("{rows} rows and {columns} columns were read.").format(rows=24, columns=4)
    reading = replace(reading, source=replace(reading.source, words=(read,)))
    project = Project(title="Spring").with_reading(reading, when="")
    fit = finish(analyse(project.ratings, Request(model("t-aj-p"), interval="wald")))
    project = project.with_analysis(Analysis("1", Request(fit.model), fit, run_at="2026-05-14T10:44:00"))
    extras = finish(prepare(project, Wanted(replicates=10)))
    report = build(project, extras=extras, raters_as=RatersAs.CODES, cases_as=CasesAs.CODES)
    book = load_workbook(io.BytesIO(xlsx(report)))
    cells = [str(cell.value) for sheet in book for row in sheet.rows for cell in row if cell.value is not None]
    found = {"texts": list(texts(report)), "page": html(report).decode().split("\n"), "cells": cells}
    return {form: [HEX.sub("#", text) for text in lines] for form, lines in found.items()}


@pytest.fixture
def codes_by_place(monkeypatch):
    """Codes in the order of the file, where they follow from the names otherwise: two reports can be compared."""

    def coded(names, _secret, kinds, *, salted):
        assert salted
        return {name: f"{kinds[-1]}{i + 1:03d}" for i, name in enumerate(dict.fromkeys(names))}

    monkeypatch.setattr(naming, "_coded", coded)
    told.cache_clear()
    yield
    told.cache_clear()


@pytest.mark.costly(2)
@pytest.mark.usefixtures("codes_by_place")
@pytest.mark.parametrize("kind", AWKWARD)
def test_a_report_with_codes_says_the_same_whatever_people_and_cases_are_called(kind):
    awkward, harmless = told(*AWKWARD[kind]), told(*HARMLESS)
    for form, lines in harmless.items():
        assert awkward[form] == lines, form
    everything = "\n".join(line for lines in harmless.values() for line in lines)
    assert not [name for name in (*HARMLESS[0], *HARMLESS[1]) if name in everything]
    assert "Code-001" in everything
