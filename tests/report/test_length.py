"""Brief and annex have at most ten pages for every sample, nothing stands there twice, the rest is appended."""

import io
import re
from dataclasses import replace
from functools import cache

import pikepdf
import pytest

from tapdesk.answers.content import Picture, Table
from tapdesk.answers.parts import PARTS
from tapdesk.cli.main import main
from tapdesk.models.model import Cases, model
from tapdesk.progress import finish
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.reading import read_now
from tapdesk.report.annex import ANNEX, Kept
from tapdesk.report.forms.pdf import pdf
from tapdesk.report.report import Form
from tapdesk.report.sections import methods
from tapdesk.report.setup import arranged, prepare
from tapdesk.studies.analysis import Request, analyse

MOST_PAGES = 10
FAST = ("jury-panel", "confusion-3x3")
SLOW = ("jury", "audit", "paradox", "fleiss-1971", "dawid-skene-1979", "wine-cut1", "wine-cut2", "wine-cut3")


@cache
def worked(sample):
    """A sample with the answer a command gives it, and all that stands beside it."""
    project = Project().with_reading(read_now(f"sample:{sample}"))
    for name in ("t-a-p", "t-a-t"):
        request = Request(model(name), redraws=True)
        fit = finish(analyse(project.ratings, request))
        if fit.identification.by_design:
            break
    project = project.with_analysis(Analysis("main", request, fit))
    return project, finish(prepare(project))


def made(sample, form):
    project, extras = worked(sample)
    return arranged(project, extras, form=form)


@pytest.mark.parametrize("sample", [*FAST, *(pytest.param(s, marks=pytest.mark.slow) for s in SLOW)])
def test_brief_and_annex_have_at_most_ten_pages(sample):
    with pikepdf.open(io.BytesIO(pdf(made(sample, Form.BOTH)))) as document:
        assert len(document.pages) <= MOST_PAGES


@pytest.mark.parametrize("sample", FAST)
def test_annex_and_appendix_together_say_what_there_is_to_say_and_nothing_twice(sample):
    def titles(form, kind):
        return [b.title for s in made(sample, form).sections for b in s.blocks if isinstance(b, kind)]

    for kind in (Table, Picture):
        annex, appendix = titles(Form.FULL, kind), titles(Form.APPENDIX, kind)
        assert not {*annex} & {*appendix} - {"Agreement coefficients"}
    pictures = {*titles(Form.FULL, Picture), *titles(Form.APPENDIX, Picture)}
    # The flow from the file to the analysis is a table there, whose numbers the picture repeats.
    gone = {*titles(Form.EVERYTHING, Picture)} - pictures
    assert len(gone) <= 3, gone


def test_every_row_of_the_annex_is_about_a_part():
    keys = {part.key for part in PARTS}
    assert ANNEX.keys() <= keys
    assert not [part.key for part in PARTS if part.on_demand and ANNEX.get(part.key) is Kept.NOTHING]


def test_methods_say_from_how_many_starts_and_given_what_ratings_are_independent():
    (done,) = worked("confusion-3x3")[0].analyses
    one = replace(done.fit, starts=1)
    assert "climbed from 1 start until a step gained less than a ten-billionth of it." in methods.estimation(one)
    assert "climbed from 4 starts until" in methods.estimation(replace(done.fit, starts=4))
    alike, harder = (
        " ".join(
            block.text for block in methods.assumptions([replace(done.fit, model=replace(done.fit.model, cases=cases))])
        )
        for cases in (Cases.ALIKE, Cases.HARD)
    )
    assert "no case misleads everybody." in alike
    assert "and how hard it is, its ratings are independent: raters judged alone." in harder


def test_the_short_checklist_counts_what_is_answered():
    (section,) = (s for s in made("confusion-3x3", Form.FULL).sections if s.key == "checklist")
    words = " ".join(f"{getattr(b, 'opening', '')} {getattr(b, 'text', '')}" for b in section.blocks)
    assert re.search(r"Items that are answered: \d+ of 15\.", words)
    assert "The items are those of GRRAS" in words


def test_a_jury_of_many_doubtful_awards_has_ten_pages_as_well(tmp_path):
    target = tmp_path / "awards.pdf"
    assert main(["report", "sample:jury", "--awards", "--form", "both", "-o", str(target)]) == 0
    with pikepdf.open(target) as document:
        assert len(document.pages) <= MOST_PAGES
