"""What a screen reader follows in a PDF, by a check of our own: heads, words for pictures, order, bookmarks."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tapdesk.answers.content import Column, Paragraph, Table
from tapdesk.report.build import build
from tapdesk.report.forms import pdf as forms
from tapdesk.report.forms.pdf import pdf, with_row_heads
from tapdesk.report.report import Form, Report, Section

from .examples import project_of
from .structure import faults

ISSUED = datetime(2025, 5, 14, tzinfo=UTC)


@pytest.mark.parametrize("form", Form, ids=lambda form: form.value)
@pytest.mark.parametrize("paper", ["a4", "us-letter"])
def test_every_form_of_a_report_has_heads_words_order_and_bookmarks(fitted, wine, extras, form, paper):
    made = build(project_of(fitted, wine), extras=extras, form=form, paper=paper, issued=ISSUED)
    assert faults(pdf(made)) == []


def test_a_draft_without_a_date_is_pdf_ua_alone(fitted, wine, extras):
    made = replace(build(project_of(fitted, wine), extras=extras, form=Form.BRIEF), dated=False)
    assert faults(pdf(made), archive=False) == []
    assert "does not say that it is PDF/A-2a" in faults(pdf(made))


def small(*blocks, title="A section"):
    return Report("T", "", (), (Section("s", title, blocks),), "", "", ISSUED)


TABLE = Table("A table", (Column("Rater"), Column("Accuracy"), Column("Ratings")), (("Ana", "0.5", "3"),) * 3)


def test_the_check_sees_rows_without_heads(monkeypatch):
    assert faults(pdf(small(TABLE))) == []
    monkeypatch.setattr(forms, "with_row_heads", lambda made: made)
    assert faults(pdf(small(TABLE))) == [f"row {at} of a table has no head" for at in (2, 3, 4)]


def test_the_check_sees_tables_without_any_head(monkeypatch):
    bare = replace(TABLE, headed=False)
    assert faults(pdf(small(bare))) == []
    monkeypatch.setattr(forms, "with_row_heads", lambda made: made)
    assert faults(pdf(small(bare)))[0] == "a table without a single head"


def test_the_check_sees_a_heading_with_nothing_below_it():
    assert "a heading with nothing below it" in faults(pdf(small(title="Nothing")))
    assert faults(pdf(small(Paragraph("Something.")))) == []


def test_heads_of_rows_move_nothing_else_in_the_file(monkeypatch):
    with_heads = pdf(small(TABLE))
    monkeypatch.setattr(forms, "with_row_heads", lambda made: made)
    without = pdf(small(TABLE))
    assert len(with_heads) == len(without)
    assert with_row_heads(without) == with_heads
    # Done again it changes nothing.
    assert with_row_heads(with_heads) == with_heads
