"""Speed of what if (issue 22: the comparison of two fits is instant): seconds of the processor, 1,000 resamples."""

import time
from dataclasses import replace

import pytest

from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request
from tapdesk.studies.comparison import compare
from tapdesk.studies.what_if import side_of
from tests.studies.examples import panel

pytestmark = pytest.mark.benchmark


@pytest.mark.parametrize(("subjects", "raters"), [(150, 4), (183, 12), (1000, 6)])
def test_the_comparison_of_two_fits_is_instant(subjects, raters):
    ratings = panel(["t=.4", "a=.6", "p=.4"], subjects, raters, seed=1)
    others = replace(ratings, subjects=tuple(f"next {name}" for name in ratings.subjects))
    fewer = ratings.keep(ratings.rater != 0).panel()
    first, without, later = (finish(side_of(one, Request(model("t-a-p")))) for one in (ratings, fewer, others))
    used = []
    for second in (without, later):
        began = time.process_time()
        finish(compare(first, second))
        used.append(time.process_time() - began)
    print(f"{subjects} x {raters}: same cases {used[0]:.2f} s, other cases {used[1]:.3f} s")
    assert used[0] < 0.8
    assert used[1] < 0.15
