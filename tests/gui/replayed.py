"""Runs that are worked out once: whoever asks for the same again is given the same steps and the same values."""

from dataclasses import replace

from tapdesk.gui.runs import side_studies
from tapdesk.gui.shell import session
from tapdesk.ratings.ratings import digest

_KNOWN = {}


def _run(key, work):
    """The steps and the result of a run, which is worked out only where nobody has asked for it before."""
    if key not in _KNOWN:
        steps = []
        while True:
            try:
                steps.append(next(work))
            except StopIteration as end:
                _KNOWN[key] = (tuple(steps), end.value)
                break
            yield steps[-1]
        return _KNOWN[key][1]
    steps, result = _KNOWN[key]
    yield from steps
    return result


def _analysed(analyse):
    def run(ratings, request):
        fit = yield from _run((digest(ratings), request), analyse(ratings, request))
        # Another run is another fit, though its numbers are the same.
        return replace(fit)

    return run


def _worked_out(work):
    def run(found):
        # What was worked out before is a part of the result; nothing was in a run that went wrong.
        key = (found.project.fingerprint, found.analysis.request, found.waiting, tuple(found.extras.reasons))
        result = yield from _run(key, work(found))
        return replace(found, extras=result.extras)

    return run


def replay(patch):
    """Until ``patch`` is undone, fits and what stands beside them are worked out once for all tests."""
    patch.setattr(session, "analyse", _analysed(session.analyse))
    patch.setattr("tapdesk.gui.runs.side_study_runner.REST", 0)
    patch.setattr(side_studies, "work_out_next", _worked_out(side_studies.work_out_next))
