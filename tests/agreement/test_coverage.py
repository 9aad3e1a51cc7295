"""The page COVERAGE.md says what a new simulation finds."""

import math

import pytest

from agreement.coverage import DESIGNS, PREVALENCES, cell, kept


@pytest.mark.slow
@pytest.mark.parametrize("prevalence", PREVALENCES)
@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_hold_the_truth_as_often_as_the_page_says(design, prevalence):
    page = kept()
    for kind, replicates in (("analytic", 600), ("bootstrap", 120)):
        for name, (share, count) in cell(design, prevalence, kind, replicates, seed=2).items():
            said = page[design, name, prevalence, kind]
            if math.isnan(said) or count < 30:
                continue
            # Both are simulated; the page on more than three times as many data sets.
            spread = math.sqrt(max(said * (1 - said), 0.02) * (1 / count + 1 / (3 * count)))
            assert abs(share - said) < 4.5 * spread, (name, kind, share, said)
