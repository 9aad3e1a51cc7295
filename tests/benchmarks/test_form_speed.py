"""How fast a form of thirty questions is told, in processor time."""

import time

import numpy as np
import pytest

from tapdesk.answers.criteria import criteria_of
from tapdesk.answers.naming import RatersAs
from tapdesk.progress import finish
from tapdesk.ratings.form import form
from tapdesk.report.form_report import form_names, form_report
from tapdesk.report.forms.write import content
from tapdesk.studies.criteria import criteria, judge

QUESTIONS, CASES, RATERS = 30, 180, 6


def written(folder, accuracy):
    """A form whose questions have these accuracies."""
    rng = np.random.default_rng(1)
    truth = rng.random((CASES, 1, QUESTIONS)) < 0.5
    follows = rng.random((CASES, RATERS, QUESTIONS)) < accuracy
    said = np.where(np.where(follows, truth, rng.random(follows.shape) < 0.5), "Yes", "No")
    lines = ["record,nurse," + ",".join(f"Q{q + 1}" for q in range(QUESTIONS))]
    lines += [f"r{i},n{j}," + ",".join(said[i, j]) for i in range(CASES) for j in range(RATERS)]
    place = folder / "form.csv"
    place.write_text("\n".join(lines))
    return place


@pytest.mark.benchmark
def test_thirty_questions_are_told_within_ten_seconds_and_reported_within_fifteen(tmp_path):
    place = written(tmp_path, np.random.default_rng(2).uniform(0.3, 0.9, QUESTIONS))
    start = time.process_time()
    found = finish(form(place))
    names = form_names(found, RatersAs.NAMES)
    numbers = finish(criteria(criteria_of(found, names)))
    assert len(judge(numbers)) == QUESTIONS
    assert time.process_time() - start < 10
    made = content(form_report(found, numbers, names), ".pdf")
    assert made.startswith(b"%PDF")
    assert time.process_time() - start < 15


@pytest.mark.benchmark
def test_thirty_guessed_questions_are_told_within_half_a_minute(tmp_path):
    """The flattest likelihoods there are, whose climbs would crawl for a minute."""
    place = written(tmp_path, np.zeros(QUESTIONS))
    start = time.process_time()
    assert len(judge(finish(criteria(criteria_of(finish(form(place))))))) == QUESTIONS
    assert time.process_time() - start < 30
