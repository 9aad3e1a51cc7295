"""What a sceptical reader would not sign: dates nobody recorded, contradictions, confident numbers of a bad model."""

from dataclasses import replace

from tapdesk.answers.side_results import Wanted
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.project import Analysis
from tapdesk.report.build import build
from tapdesk.report.issue.texts import texts
from tapdesk.report.setup import prepare
from tapdesk.studies.analysis import Request, analyse

from .examples import counted, project_of
from .test_sections import words_of


def test_a_section_that_is_left_out_answers_no_item_of_the_checklist(fitted, wine):
    project = project_of(fitted, wine)
    whole, less = build(project), build(project, leave_out={"model"})

    def states(report):
        (table,) = (b for s in report.sections if s.key == "checklist" for b in s.blocks)
        return {row[0]: row[-1] for row in table.rows}, table.title

    assert states(whole)[0]["10"] == "answered"
    assert states(less)[0]["10"] == "left out"
    assert "5 of 15" in states(whole)[1]
    assert "4 of 15" in states(less)[1]


def test_a_run_without_a_recorded_moment_has_no_date(fitted, wine):
    project = project_of(fitted, wine)
    (analysis,) = project.analyses
    undated = replace(project, analyses=(replace(analysis, run_at=""),))
    told = " ".join(texts(build(undated)))
    assert "2000" not in told.replace("2,000", "")
    assert "Last run" not in told
    assert "Last run" in " ".join(texts(build(project)))


def test_a_model_that_misses_something_is_said_beside_the_headline(fitted, wine, extras):
    project = project_of(fitted, wine)
    assert extras.goodness is not None
    good = replace(extras.goodness, p_bootstrap=0.5)
    bad = replace(extras.goodness, p_bootstrap=1 / (1 + extras.goodness.replicates))
    fits, misses = (build(project, extras=replace(extras, goodness=test)) for test in (good, bad))
    assert "misses something" not in words_of(fits, "summary")
    told = words_of(misses, "summary")
    assert "The t-a-p model misses something about these ratings" in told
    assert f"of {bad.replicates} data sets made by the model itself, none fit as badly" in told


def test_an_accuracy_of_0_beside_tied_guesses_does_not_contradict_its_table():
    ratings = counted((1000, 2, 0), ("no", "yes"))
    request = Request(model("t-a-t"), interval="profile")
    project = project_of(None, ratings).with_analysis(
        Analysis("main", request, finish(analyse(ratings, request)), run_at="2026-05-14T10:44:00")
    )
    told = words_of(build(project), "results")
    assert "cannot be learned" not in told
    assert "as p = t assumes; it tells nothing about the truth" in told
    assert "That rests on the assumption" in told
    # Nothing is read out of a fit of which nothing can be concluded.
    assert "would truly be" not in told


def test_a_panel_that_fits_two_stories_is_summed_up_as_open_and_not_as_stable():
    ratings = counted((998, 2, 0), ("no", "yes"))
    request = Request(model("t-a-t"), interval="profile", redraws=True, replicates=50)
    project = project_of(None, ratings).with_analysis(
        Analysis("main", request, finish(analyse(ratings, request)), run_at="2026-05-14T10:44:00")
    )
    found = finish(prepare(project, Wanted(replicates=20, raters=False)))
    report = build(project, extras=found)
    told = words_of(report, "summary")
    assert "that none of 100 follow the wine fits them as well as that more than 99 do" in told
    # The re-draws of a fit on the edge all lie on the edge.
    assert "resamples" not in told
    assert "These ratings fit two opposite stories" in told
    assert "told under Agreement" in told
    assert "told under Agreement" not in words_of(build(project, extras=found, leave_out={"agreement"}), "summary")
    assert "this says little" in words_of(report, "sensitivity")


def test_the_table_of_cases_says_how_many_of_the_uncertain_ones_it_lists(fitted, wine, extras):
    report = build(project_of(fitted, wine), extras=extras)
    told = words_of(report, "cases")
    unsure = int(told.split("less than 90 % sure of ")[1].split(" ")[0])
    (table,) = (
        b
        for s in report.sections
        if s.key == "cases"
        for b in s.blocks
        if getattr(b, "rows", None) and "discuss" in b.title
    )
    assert unsure > len(table.printed().rows) == 12
    assert len(table.rows) == 183
    # Cases with the same ratings are equally uncertain: which of them are listed is the order of the file.
    sure = sorted(extras.beliefs.probability.max(axis=1))
    alike = sum(belief <= sure[11] + 1e-9 for belief in sure) - 12
    assert alike > 0
    assert f"lists 12 of the least certain wines; {alike} more are as uncertain as its last one." in told
