"""Fits, and what commands work out beside them, once in a process: who asks again gets the same steps and values.

For files that look at what is said, drawn or written about a fit (``usefixtures("remembered_fits")``); those of
the methods (``fitting``, ``studies``) never ask for it.
"""

from collections import OrderedDict
from dataclasses import replace

import pytest

from tapdesk.answers import fit_studies, grid_studies
from tapdesk.answers.part import Answer
from tapdesk.cli import analyses
from tapdesk.fitting.fit import Fit
from tapdesk.ratings.ratings import digest
from tapdesk.studies import analysis

MOST = 400  # runs that are remembered
_KNOWN = OrderedDict()


def run_once(key, work):
    """The steps and the result of a run, which is worked out only where nobody has asked for it before."""
    if key in _KNOWN:
        _KNOWN.move_to_end(key)
        steps, result = _KNOWN[key]
        yield from steps
        return result
    steps = []
    while True:
        try:
            steps.append(next(work))
        except StopIteration as end:
            _KNOWN[key] = (tuple(steps), end.value)
            break
        yield steps[-1]
    if len(_KNOWN) > MOST:
        _KNOWN.popitem(last=False)
    return _KNOWN[key][1]


class _Method:
    """A method of which the fits are remembered."""

    def __init__(self, method, request):
        # The maximum is the same whatever is asked about its uncertainty.
        self._method, self._key = method, "maximum" if request.estimator == "exact-em" else request

    def __getattr__(self, name):
        return getattr(self._method, name)

    def run(self, model, ratings, seed):
        fit = yield from run_once((self._key, model, digest(ratings), seed), self._method.run(model, ratings, seed))
        # Another run is another fit, though its numbers are the same.
        return replace(fit)


def _study(study, of_fit=lambda _fit: ()):
    """A study beside a fit that depends on the ratings, the seed and something of the fit."""

    def run(ratings, *more):
        asked = [of_fit(one) if isinstance(one, Fit) else one for one in more]
        return (yield from run_once((study.__name__, digest(ratings), *asked), study(ratings, *more)))

    return run


def _answered(answer):
    """The answer of a command, of which what stands beside the fit is remembered."""

    def run(fit, ratings, request):
        # Tests may ask for fewer simulated data sets.
        key = ("answer", digest(ratings), request, repr(fit_studies.ALL))
        side = (yield from run_once(key, answer(fit, ratings, request))).side
        return Answer(fit, ratings, ratings, side)

    return run


@pytest.fixture(scope="module")
def remembered_fits():
    """Within a file: what `analyse` works out is remembered, its maximum and its uncertainty each by itself."""
    method_for, with_uncertainty = analysis.method_for, analysis._with_uncertainty

    def uncertain(fit, ratings, request, only, *, shares):
        key = (request, digest(ratings), None if only is None else frozenset(only), shares)
        return replace((yield from run_once(key, with_uncertainty(fit, ratings, request, only, shares=shares))))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysis, "method_for", lambda request, ratings: _Method(method_for(request, ratings), request))
        patch.setattr(analysis, "_with_uncertainty", uncertain)
        patch.setattr(analyses, "fit_answer", _answered(analyses.fit_answer))
        patch.setattr(
            grid_studies, "drift_of", _study(grid_studies.drift_of, lambda fit: (fit.model.along, fit.interval))
        )
        patch.setattr(grid_studies, "dependence_of", _study(grid_studies.dependence_of))
        yield
