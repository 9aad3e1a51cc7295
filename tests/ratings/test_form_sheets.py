"""A workbook with a sheet for each question is one form; sheets that are something else are not taken for questions."""

import numpy as np
import openpyxl
import pytest

from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.progress import finish
from tapdesk.ratings.form import form
from tapdesk.ratings.options import ReadingOptions

RATERS = ("Ana", "Ben", "Cem")


def workbook(place, sheets, *, long=False):
    """Sheets by name, each with the cases it is about, rated at random; or with rows as they are given."""
    rng = np.random.default_rng(5)
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, cases in sheets.items():
        sheet = book.create_sheet(name)
        if not isinstance(cases, range):
            for row in cases:
                sheet.append(row)
            continue
        given = [(f"r{i}", [("Yes", "No")[int(x)] for x in rng.integers(0, 2, len(RATERS))]) for i in cases]
        sheet.append(["Record", "Nurse", "Rating"] if long else ["Record", *RATERS])
        for case, answers in given:
            rows = [[case, r, a] for r, a in zip(RATERS, answers, strict=True)] if long else [[case, *answers]]
            for row in rows:
                sheet.append(row)
    book.save(place)
    return place


@pytest.mark.parametrize("long", [False, True])
def test_each_sheet_is_a_question_read_as_it_would_be_alone(tmp_path, long):
    sheets = {"Pain": range(30), "Plan": range(30), "Falls": range(24)}
    place = workbook(tmp_path / "form.xlsx", sheets, long=long)
    whole = finish(form(place))
    assert [one.name for one in whole.questions] == list(sheets)
    assert [one.reading.ratings.subject_count for one in whole.questions] == [30, 30, 24]
    assert all(set(one.reading.ratings.raters) == set(RATERS) for one in whole.questions)
    assert whole.findings[0].code == "sheets_as_questions"
    assert "several_sheets" not in {f.code for f in whole.findings}
    for one in whole.questions:
        assert one.options.sheet == one.name


def test_a_sheet_that_is_laid_out_otherwise_is_no_question_and_is_named(tmp_path):
    notes = [["Read me"], ["Made in May"], ["By the ward"]]
    place = workbook(tmp_path / "form.xlsx", {"Pain": range(30), "Plan": range(30), "Notes": notes})
    whole = finish(form(place))
    assert [one.name for one in whole.questions] == ["Pain", "Plan"]
    assert "'Notes'" in str(whole.remarks[0].message)


def test_sheets_of_other_cases_may_be_months_and_are_asked_about(tmp_path):
    place = workbook(tmp_path / "months.xlsx", {"May": range(30), "June": range(30, 60)})
    with pytest.raises(TapdeskError, match="not the same cases"):
        finish(form(place))


def test_one_sheet_that_is_chosen_is_one_question(tmp_path):
    place = workbook(tmp_path / "form.xlsx", {"Pain": range(30), "Plan": range(30)})
    with pytest.raises(CannotAnswerError, match="one question"):
        finish(form(place, ReadingOptions(sheet="Plan")))


def test_sheets_that_are_forms_themselves_are_no_questions(tmp_path):
    """Wards with the same nurses and several questions each: sheet by sheet the columns would pass for raters."""
    rng = np.random.default_rng(3)
    rows = [["Record", "Nurse", "Q1", "Q2", "Q3"]]
    for i in range(30):
        rows += [[f"r{i}", r, *(("Yes", "No")[int(x)] for x in rng.integers(0, 2, 3))] for r in RATERS]
    place = workbook(tmp_path / "wards.xlsx", {"North": rows, "South": rows})
    try:
        names = [one.name for one in finish(form(place)).questions]
    except TapdeskError:
        return
    assert names == ["Q1", "Q2", "Q3"]
