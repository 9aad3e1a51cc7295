"""No interval of no width: whatever the panel, a number that is estimated is not known exactly."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapdesk.agreement.coefficients import agree
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse, refusal
from tests.fitting.test_likelihood_region import counts_of

TINY = st.lists(st.integers(0, 6), min_size=3, max_size=5).filter(lambda ones: sum(ones) > 1)


@pytest.mark.parametrize("interval", ["profile", "wald", "bootstrap"])
@settings(max_examples=12, deadline=None)
@given(ones=TINY, name=st.sampled_from(["t-a-p", "t-a-t", "P-a-P"]))
def test_parameters_and_shares_of_tiny_panels_have_intervals_with_a_width_or_none(interval, ones, name):
    ratings = counts_of(ones, len(ones) - 1)
    request = Request(model(name), interval=interval, replicates=40)
    if refusal(ratings, request):
        return
    fit = finish(analyse(ratings, request))
    for e in fit.estimates:
        if e.estimate.low is not None:
            assert e.estimate.high - e.estimate.low > 1e-6, (ones, name, e)
    for share in fit.shares:
        if share.low is not None:
            assert share.high - share.low > 1e-6, (ones, name, share)


@settings(max_examples=25, deadline=None)
@given(ones=TINY)
def test_coefficients_of_tiny_panels_have_intervals_with_a_width_or_none(ones):
    for found in finish(agree(counts_of(ones, len(ones) - 1))):
        e = found.estimate
        if e.low is not None and e.high is not None:
            assert e.high - e.low > 1e-9, (ones, found)
