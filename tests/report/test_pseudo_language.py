"""A report in a language nobody speaks: what is not in brackets was not looked up, or is the user's own."""

import re
from dataclasses import astuple
from functools import cache

import pytest

from tapdesk.answers.literature import WORKS
from tapdesk.answers.naming import RatersAs
from tapdesk.answers.side_results import Wanted
from tapdesk.language import PSEUDO, Nouns, Signs, Voice, speaking
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.decisions.base import LeaveAsRead
from tapdesk.project.decisions.ratings import LeaveOutRaters, LeaveOutSubjects
from tapdesk.project.files.file import decode, encode
from tapdesk.project.nouns import nouns_of
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.reading import read_now
from tapdesk.report.build import build
from tapdesk.report.forms.html import html
from tapdesk.report.issue.texts import texts
from tapdesk.report.setup import prepare
from tapdesk.studies.analysis import Request, analyse

WORD = re.compile(r"[^\W\d_]{4,}")
COMMAND = re.compile(r"tapdesk report .* -o REPORT\.pdf|Python [\d.]+, NumPy [\d.]+, SciPy [\d.]+")
CASES = [
    ("sample:jury", "t-aj-p", RatersAs.NAMES),
    ("sample:wine-cut1", "t-a-p", RatersAs.NAMES),
    ("sample:jury", "t-a-p", RatersAs.CODES),
]


@cache
def asked(sample, name):
    project = Project(title="Spring").with_reading(read_now(sample))
    fit = finish(analyse(project.ratings, Request(model(name), interval="wald")))
    project = project.with_analysis(Analysis("1", Request(fit.model), fit, run_at="2026-05-14T10:44:00"))
    return project, finish(prepare(project, Wanted(replicates=20)))


def outside(text):
    """The words of a text that stand in no brackets."""
    while (inner := re.sub(r"⟦[^⟦⟧]*⟧", " ", text)) != text:
        text = inner
    return text


def own_words(project, found, called):
    """What is the user's own, or a name of ours that is the same in every language."""
    ratings = project.all_classes
    checksum = project.reading.source.sha256
    names = (checksum, *ratings.raters, *ratings.subjects, *ratings.classes, project.title, project.reading.source.name)
    sections = (section.key for section in found.sections)
    # What the file calls its things; the program's own words for them are in its language.
    nouns = {word for word in astuple(nouns_of(project)) if word not in astuple(Nouns())}
    nouns |= {word[:1].upper() + word[1:] for word in nouns}
    # Works are called and cited as they were published.
    works = {text for work in WORKS for text in (work.cite, work.work)}
    return sorted({*names, *called, *sections, *nouns, *works, "Kruskal"}, key=len, reverse=True)


def untranslated(project, report, called=()):
    """The texts of a report with words in no brackets that are nobody's."""
    own = own_words(project, report, called)
    for text in texts(report):
        # What is typed, and what libraries are called, is the same in every language.
        left = "" if COMMAND.fullmatch(text) else outside(text)
        for name in own:
            left = left.replace(name, " ") if name in left else left
        if WORD.search(left):
            yield text


@pytest.mark.parametrize(("sample", "name", "raters_as"), CASES)
def test_every_sentence_of_a_report_is_in_its_language(sample, name, raters_as):
    project, extras = asked(sample, name)
    report = build(project, extras=extras, raters_as=raters_as, language=PSEUDO)
    assert [*untranslated(project, report)] == []
    # The same work in English holds none of it, before and after.
    assert not any("⟦" in text for text in texts(build(project, extras=extras, raters_as=raters_as)))


def test_forms_of_a_report_add_their_own_words_in_its_language():
    project, extras = asked("sample:wine-cut1", "t-a-p")
    page = html(build(project, extras=extras, language=PSEUDO)).decode()
    assert "⟦Taablee 1⟧" in page
    assert "⟦Fiiguuree⟧" in page
    assert "Table <" not in page


def test_the_bytes_of_a_project_do_not_follow_the_language_of_the_screen():
    read = read_now("sample:jury-panel")
    plain = Project(title="x").with_reading(read)
    steps = (LeaveOutRaters((plain.ratings.raters[0],)), LeaveOutSubjects(plain.ratings.subjects[:2]))
    written = []
    for spoken in (Voice(), Voice(language=PSEUDO, signs=Signs(",", "."))):
        with speaking(spoken):
            # Read and decided under that voice, saved under it, and opened under it.
            project = Project(title="x").with_reading(read_now("sample:jury-panel"), when="")
            for step in steps:
                project = project.decide(step, when="2026-05-14T10:44:00")
            finding = project.reading.findings[0] if project.reading.findings else None
            if finding is not None:
                project = project.decide(LeaveAsRead(finding.code, finding.about, finding.message), when="")
            written.append((encode(project), project.fingerprint, project.log[0].words))
            again = decode(written[-1][0], "x")
            assert [row.words for row in again.log] == [row.words for row in project.log]
    assert written[0][:2] == written[1][:2]
    assert written[0][2] != written[1][2]
    with speaking(Voice(language=PSEUDO)):
        assert decode(written[0][0], "x").log[0].words.startswith("⟦Leeft oouut")
