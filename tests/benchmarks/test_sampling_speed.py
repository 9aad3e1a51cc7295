"""Effective draws a second of the sampler (issue 3)."""

import time

import numpy as np
import pytest

from tapdesk.fitting.priors import prior_counts
from tapdesk.fitting.sampling.hmc import run_chains
from tapdesk.fitting.sampling.method import begin
from tapdesk.fitting.sampling.posterior_summary import numbers, reported
from tapdesk.fitting.sampling.target import ModelTarget, SmallTarget
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.progress import finish
from tests.fitting.sampling_examples import anaesthesia, diagnose

pytestmark = pytest.mark.benchmark


def test_t_aj_pj_on_dawid_and_skene_1979_makes_four_thousand_effective_draws_a_second():
    """For the worst of the 23 parameters; starts and warm-up are counted as time, CPU seconds of one core."""
    plan = design(model("t-aj-pj"), anaesthesia())
    assert plan.space.free == 23
    rates, whole = [], []
    for seed in range(1, 6):
        began = time.process_time()
        target = ModelTarget(plan, plan.space.evidence(plan.patterns), prior_counts(plan))
        quick = SmallTarget(target)
        start, scale, rng = finish(begin(target, quick, 32, seed))

        def tell(at, target=target):
            return at, numbers(plan, target.points(at))

        names = reported(plan)
        run = run_chains(quick, start, scale, (names, tell), warmup=300, draws=500, rng=rng)
        warm = began
        while True:
            try:
                step = next(run)
            except StopIteration as end:
                sampled = end.value
                break
            if step.done == 300:
                warm = time.process_time()
        ended = time.process_time()
        worst = diagnose(sampled, names)
        assert worst.rhat < 1.02
        rates.append(worst.ess_bulk / (ended - warm))
        whole.append(worst.ess_bulk / (ended - began))
        tail = worst.ess_tail / (ended - warm)
        print(
            f"seed {seed}: {rates[-1]:.0f} effective draws a CPU second ({tail:.0f} in the tails), "
            f"{whole[-1]:.0f} with starts and warm-up"
        )
    assert np.median(rates) > 4000
    assert np.median(whole) > 4000
