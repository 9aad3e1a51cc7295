"""After several runs the report leads with the analysis that is shown: the last one run, unless another was chosen."""

from dataclasses import replace

import pytest

from tapdesk.progress import finish
from tapdesk.project.files.file import load, save
from tapdesk.project.project import Analysis
from tapdesk.project.shown import led_by, main_analysis, shown_analysis, with_shown
from tapdesk.report.build import build
from tapdesk.report.forms.pdf import pdf
from tapdesk.report.issue.facts import choices, facts_of
from tapdesk.report.issue.verify import Outcome, verify
from tapdesk.report.report import Form
from tests.report.examples import project_of

EARLY, LATE = "2025-05-14T10:44:00", "2025-05-14T11:02:00"


@pytest.fixture
def two(fitted, wine):
    """The first run, and a later one whose numbers are not the same."""
    project = project_of(fitted, wine)
    (first,) = project.analyses
    other = replace(fitted, estimates=tuple(_moved(e) for e in fitted.estimates))
    return replace(
        project,
        analyses=(
            replace(first, label="first", question="", run_at=EARLY),
            Analysis("second", first.request, other, run_at=LATE, made_on=first.made_on),
        ),
    )


def _moved(row):
    e = row.estimate
    return replace(row, estimate=replace(e, value=e.value - 0.1, low=e.low - 0.1, high=e.high - 0.1))


def first_page(project, form=Form.BRIEF):
    made = build(project, form=form)
    return " ".join(str(getattr(block, "text", "")) for block in made.sections[0].blocks)


def test_the_last_run_leads_though_it_stands_second(two):
    assert main_analysis(two).name == "second"
    alone = replace(two, analyses=two.analyses[1:])
    assert first_page(two) == first_page(alone)
    assert first_page(two) != first_page(replace(two, analyses=two.analyses[:1]))


def test_what_is_run_again_leads_from_its_old_place(two):
    first, second = two.analyses
    again = replace(two, analyses=(replace(first, run_at="2025-05-14T12:00:00"), second))
    assert main_analysis(again).name == "first"


def test_what_was_chosen_to_be_looked_at_leads_and_the_file_keeps_it(two, tmp_path):
    chosen = with_shown(two, "first")
    save(chosen, tmp_path / "two.tapdesk")
    again = load(tmp_path / "two.tapdesk")
    assert shown_analysis(again).name == main_analysis(again).name == "first"
    assert first_page(again) == first_page(chosen) != first_page(two)


def test_a_file_that_does_not_say_is_led_by_the_last_run(two, tmp_path):
    save(two, tmp_path / "old.tapdesk")
    assert main_analysis(load(tmp_path / "old.tapdesk")).name == "second"


def test_what_has_no_answer_or_an_old_one_is_shown_and_does_not_lead(two):
    first, second = two.analyses
    unrun = with_shown(replace(two, analyses=(first, second, Analysis("third", first.request))), "third")
    assert (shown_analysis(unrun).name, main_analysis(unrun).name) == ("third", "second")
    stale = with_shown(replace(two, analyses=(first, replace(second, stale=True))), "second")
    assert (shown_analysis(stale).name, main_analysis(stale).name) == ("second", "first")


def test_each_question_of_a_form_keeps_its_own(two):
    one, other = replace(two, question="Q1"), replace(two, question="Q2")
    after = replace(with_shown(one, "first"), question="Q2")
    assert main_analysis(after).name == main_analysis(other).name == "second"
    assert main_analysis(replace(after, question="Q1")).name == "first"


def test_the_full_report_tells_the_one_that_leads_first(two):
    words = first_page(with_shown(two, "first"), Form.FULL)
    other = first_page(two, Form.FULL)
    assert words != other
    assert sorted(words) == sorted(other)


def test_an_issued_report_matches_whichever_is_looked_at_later(two, tmp_path):
    path = tmp_path / "issued.pdf"
    path.write_bytes(pdf(build(two)))
    for name in ("first", "second"):
        assert finish(verify(path, with_shown(two, name))).outcome is Outcome.MATCHES


def test_a_report_that_does_not_tell_what_leads_was_led_by_the_first(two):
    made = choices(facts_of(pdf(build(two)))["choices"])
    assert made.leads == 1
    assert main_analysis(led_by(two, made.leads)).name == "second"
    before = choices(replace(made, leads=None).text())
    assert main_analysis(led_by(two, before.leads)).name == "first"
