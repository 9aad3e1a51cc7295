"""What each section says, against the project and the studies it was made from."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers.content import Blank, Number, Paragraph, Picture, Signature, Table
from tapdesk.answers.figures import classes as figures_classes
from tapdesk.answers.figures import data as figures_data
from tapdesk.answers.numbers import APA
from tapdesk.answers.side_results import SideResults, Wanted
from tapdesk.answers.user_words import PROMPTS, comment, grras_meter
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import ParameterEstimate
from tapdesk.progress import finish
from tapdesk.project.project import Project
from tapdesk.report.build import build
from tapdesk.report.issue.texts import texts
from tapdesk.report.outline import SECTIONS
from tapdesk.report.setup import prepare

from .examples import FINDINGS, counted, open_fit, project_of, wine_fit


def section(report, key):
    return next(s for s in report.sections if s.key == key)


def blocks(report, key, kind):
    return [b for b in section(report, key).blocks if isinstance(b, kind)]


def words_of(report, key):
    kept = replace(report, sections=(section(report, key),))
    return " ".join(texts(kept))


@pytest.fixture(scope="module")
def report(fitted, wine, extras):
    return build(project_of(fitted, wine), extras=extras)


def test_sections_stand_in_the_order_of_the_catalog(report):
    order = [row.key for row in SECTIONS]
    assert [s.key for s in report.sections] == [key for key in order if key in {s.key for s in report.sections}]
    # Seats are nobody, so there is no section on raters; nobody wrote down an action; the others are asked for.
    assert set(order) - {s.key for s in report.sections} == {
        "raters",
        "actions",
        "awards",
        "what_if",
        "models",
        "contour",
        "pictures",
        "groups",
        "recovery",
        "plan",
        "grid",
        "square",
    }


def test_every_coefficient_is_printed_with_its_interval_and_number(report, extras):
    (table, *_more) = blocks(report, "agreement", Table)
    known = [c for c in extras.coefficients if c.raters is None]
    assert len(table.rows) == len(known)
    assert any(c.estimate.value is None for c in known)
    for row, c in zip(table.rows, known, strict=True):
        assert row[1].values == (c.estimate.value,)
        assert row[3].values == (c.estimate.low, c.estimate.high)
        assert row[4] == f"{c.subjects:,}"
        assert row[5] == f"{c.ratings:,}"


def test_an_undefined_coefficient_is_named_with_its_reason(report, extras):
    (table, *_more) = blocks(report, "agreement", Table)
    (conger,) = [c for c in extras.coefficients if c.name == "conger_kappa"]
    assert conger.estimate.value is None
    assert "Conger's kappa" in table.note
    assert conger.estimate.undefined.split(".")[0] in table.note


def test_the_summary_of_the_user_replaces_the_draft_and_is_marked(fitted, wine, extras):
    project = project_of(fitted, wine).with_note("summary", "We agree well enough.\nWe train again in May.")
    told = words_of(build(project, extras=extras), "summary")
    assert "We agree well enough." in told
    assert "written by the committee" in told
    assert "follow the case" not in told
    assert "What this report does not say." in told


def test_a_warning_stays_in_the_summary_whoever_wrote_it():
    few = counted((3, 2, 1, 2, 3))
    fit = wine_fit(subjects=11, ratings=44)
    project = project_of(fit, few).with_note("summary", "All is well.")
    assert "There are only 11 wines" in words_of(build(project), "summary")


@pytest.mark.parametrize("prompt", [p for p in PROMPTS if p.lines and p.place != "actions"], ids=lambda p: p.place)
def test_a_place_without_words_is_named_in_one_line_until_it_is_filled(prompt, fitted, wine):
    project = project_of(fitted, wine)
    title = f"{prompt.title.format()}"
    (named,) = (b for b in blocks(build(project), prompt.section, Paragraph) if b.opening == "Not stated.")
    assert title in f"{named.text}"
    assert not blocks(build(project), prompt.section, Blank)
    filled = build(project.with_note(prompt.place, "These are our words."))
    left = [b.text for b in blocks(filled, prompt.section, Paragraph) if b.opening == "Not stated."]
    assert not any(title in f"{text}" for text in left)
    assert [b for b in blocks(filled, prompt.section, Paragraph) if b.text == "These are our words."]


def test_actions_become_a_table_line_by_line(fitted, wine):
    report = build(project_of(fitted, wine).with_note("actions", "Train seat 3, Ana, May\n\nNext audit, October"))
    (table,) = blocks(report, "actions", Table)
    assert [row[1] for row in table.rows] == ["Train seat 3, Ana, May", "Next audit, October"]


def test_a_comment_stands_in_its_section(fitted, wine, extras):
    report = build(project_of(fitted, wine).with_note(comment("agreement"), "As last year."), extras=extras)
    assert [p for p in blocks(report, "agreement", Paragraph) if p.text == "As last year."]


def test_the_meter_counts_what_the_program_and_the_user_answered(fitted, wine):
    empty, _total, _items = grras_meter(Project())
    assert empty == 1
    project = project_of(fitted, wine)
    filled, total, items = grras_meter(project)
    assert (filled, total) == (5, 15)
    assert [item.number for item in items] == list(range(1, 16))
    for item in items:
        if item.place:
            project = project.with_note(item.place, "Told.")
    assert grras_meter(project)[0] == 15
    assert "all 15 items answered" in words_of(build(project), "record")


def test_an_answer_of_blanks_does_not_count():
    assert grras_meter(Project().with_note("size", "  \n "))[0] == 1


def test_the_page_for_signatures_says_what_it_is_not(report):
    assert [s.role for s in blocks(report, "signoff", Signature)] == ["Prepared by", "Reviewed by", "Approved by"]
    told = words_of(report, "signoff")
    assert "record-keeping aid, not a validated Part 11 system" in told
    assert section(report, "signoff").fresh
    whole = " ".join(texts(report))
    assert "Part 11 compliant" not in whole


def test_a_decision_is_printed_with_its_reason(fitted, wine):
    project = project_of(fitted, wine).decide(_leave_out("W2"), reason="Spilled.", when="2025-05-13T09:30:00+02:00")
    (table,) = blocks(build(project), "decisions", Table)
    (row,) = table.rows
    assert row[1] == "13 May 2025, 09:30"
    assert "W2" in row[2]
    assert row[3] == "4"
    assert row[4] == "Spilled."


def _leave_out(*names):
    from tapdesk.project.decisions.ratings import LeaveOutSubjects

    return LeaveOutSubjects(names)


def test_studies_of_other_ratings_are_not_printed(fitted, wine, extras):
    changed = project_of(fitted, wine).decide(_leave_out("W2"), when="2025-05-13T09:30:00")
    report = build(changed, extras=extras)
    assert not [table for table in blocks(report, "agreement", Table) if "coefficients" in table.title]
    assert report.fingerprint != extras.fingerprint


def test_the_full_counts_add_up_to_the_ratings(report, wine):
    (table, *_more) = blocks(report, "counts", Table)
    *rows, last = [[cell.values[0] for cell in row] for row in table.rows]
    assert np.sum([row[0] for row in rows]) == last[0] == wine.subject_count
    assert np.dot([row[0] for row in rows], [row[2] for row in rows]) == last[2]
    assert last[1] + last[2] == wine.rating_count
    assert sorted(row[0] for row in rows) == [18, 35, 36, 46, 48]


def test_nothing_is_said_about_single_cases_when_the_accuracy_is_open():
    ratings = counted((998, 2, 0), ("negative", "positive"))
    fit = wine_fit(classes=ratings.classes, subjects=1000, ratings=2000)
    wide = replace(fit.estimates[1], estimate=Estimate(0.01).between(0.0, 0.9, 0.95, "profile"))
    fit = replace(fit, estimates=(fit.estimates[0], wide, fit.estimates[2]))
    project = project_of(fit, ratings)
    extras = finish(prepare(project, Wanted(replicates=40, sensitivity=False)))
    assert extras.chance is not None
    assert not extras.chance.more_than_chance
    report = build(project, extras=extras)
    whole = " ".join(texts(report))
    assert "Within chance" in whole
    assert "less than 90 % sure" not in whole
    assert "at least 90 % sure" not in whole


def test_the_paradox_is_told_where_one_class_is_common():
    ratings = counted((5, 15, 80), ("no", "yes"))
    extras = finish(prepare(project_of(None, ratings), Wanted(tests=False, sensitivity=False)))
    told = words_of(build(project_of(None, ratings), extras=extras), "agreement")
    assert "kappa is low even though" in told


def test_apa_numbers_are_not_mixed_with_others(fitted, wine, extras):
    project = project_of(fitted, wine)
    report = build(project, extras=extras, style=APA)
    for s in report.sections:
        for block in s.blocks:
            if isinstance(block, Table):
                assert not [
                    cell for row in block.rows for cell in row if isinstance(cell, Number) and cell.startswith("0.")
                ]
            if isinstance(block, Picture):
                labels = [m.label for f in block.panels for m in f.marks] + [
                    t for f in block.panels for _, t in f.x.ticks
                ]
                assert not [label for label in labels if label.startswith("0.")]


def test_the_coverage_map_shows_each_rating_and_each_gap(wine):
    gone = wine.keep(~((wine.subject == 5) & (wine.rater == 2)))
    figure = figures_data.coverage(gone)
    (band,) = figure.marks
    # Four rows, one of them in two stretches; a stretch is two corners and a break.
    assert band.x.size == 3 * 5
    assert np.nansum(band.x[1::3] - band.x[0::3]) == gone.rating_count
    assert "3 of 4 seats" in figure.title
    alone = wine.keep(wine.rater == 2)
    alone = replace(alone, raters=alone.raters[2:3], rater=np.zeros_like(alone.rater))
    assert figures_data.coverage(alone).title == "The one seat rated every case"


def test_the_way_from_the_file_to_the_analysis_loses_what_was_left_out(fitted, wine):
    project = project_of(fitted, wine).decide(_leave_out("W1", "W2"), when="2025-05-13T09:30:00")
    figure = figures_data.flow(replace(project.reading, missing=11), project.ratings)
    labels = [m.label for m in figure.marks if m.label]
    assert labels == ["743", "732 (11 left out)", "724 (8 left out)", "724"]


def test_pairs_of_classes_count_every_pair_once_from_each_side():
    pairs = figures_classes.class_pairs(counted((0, 0, 1), ("a", "b")))
    assert pairs.tolist() == [[0, 0], [0, 2]]
    mixed = figures_classes.class_pairs(counted((0, 1, 0), ("a", "b")))
    assert mixed.tolist() == [[0, 1], [1, 0]]


def test_no_extras_and_no_reading_are_no_fault():
    assert finish(prepare(Project())).coefficients == ()
    report = build(project_of(open_fit(), findings=FINDINGS), extras=SideResults())
    assert "sensitivity" not in {s.key for s in report.sections}


def test_more_numbers_than_a_page_holds_go_to_the_workbook():
    rows = tuple((f"r{i}", Number(str(i), i)) for i in range(50))
    from tapdesk.answers.content import Column

    table = Table("Many", (Column("a"), Column("b")), (*rows, ("sum", Number("1", 1))), "End.", totals=True, most=10)
    shown = table.printed()
    assert len(shown.rows) == 11
    assert shown.rows[-1][0] == "sum"
    assert shown.note.startswith("The first 10 of 50 rows are printed")
    assert isinstance(wine_fit().estimates[0], ParameterEstimate)
