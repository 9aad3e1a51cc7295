"""Fits to small sets of counts, and what the section on what they imply says."""

from tapdesk.answers.content import Paragraph
from tapdesk.answers.side_results import Wanted
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse

BESIDE = Wanted(replicates=40, agreement=False, tests=False, raters=False, sensitivity=False)
# Of 128 cases with three ratings each, so many have 0 … 3 in class 1 where t = a = p = 1/2: a rating of a case of
# class 1 is 1 with probability 3/4, so (1 + 27, 9 + 27, 27 + 9, 27 + 1) / 128, exactly.
HALVES = (28, 36, 36, 28)


def fit_to(ratings, name="t-a-p", interval="none"):
    return finish(analyse(ratings, Request(model(name), interval=interval)))


def blocks(report, kind):
    (section,) = [s for s in report.sections if s.key == "recovery"]
    return [b for b in section.blocks if isinstance(b, kind)]


def said(report):
    return " ".join(b.text for b in blocks(report, Paragraph))
