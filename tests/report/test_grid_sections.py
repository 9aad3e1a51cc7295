"""The sections of the report that are printed when they are asked for: tests between models, and groups."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from tapdesk.answers.content import Paragraph, Picture, Table
from tapdesk.answers.demands import Selection
from tapdesk.answers.naming import RatersAs
from tapdesk.answers.side_results import Wanted
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.ratings import Covariate, CovariateOf
from tapdesk.ratings.reading import read_now
from tapdesk.report.build import build
from tapdesk.report.issue.facts import choices
from tapdesk.report.issue.texts import names_left, texts
from tapdesk.report.setup import Setup, prepare, setup, with_setup
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.subsets import group_table

REGIONS = ("north", "south", "east")
BESIDE = Wanted(replicates=20, agreement=False, tests=False, raters=False, sensitivity=False)
ASKED = replace(BESIDE, selection=Selection(models=True, groups=("region", "age")))


@pytest.fixture(scope="module")
def project():
    """The jury, its first 180 wines of three regions and three of a fourth."""
    reading = read_now("sample:jury")
    regions = [REGIONS[i % 3] if i < 180 else "islands" for i in range(183)]
    region = Covariate("region", CovariateOf.SUBJECT, np.array(regions, dtype=object))
    ages = Covariate("age", CovariateOf.SUBJECT, np.arange(183.0))
    further = MappingProxyType({"region": region, "age": ages})
    own = {name: replace(getattr(reading, name), covariates=further) for name in ("ratings", "as_read")}
    project = Project(reading=replace(reading, **own), title="Jury")
    fit = finish(analyse(project.ratings, Request(model("t-aj-p"), interval="wald")))
    return project.with_analysis(Analysis("1", Request(fit.model, interval="wald"), fit))


@pytest.fixture(scope="module")
def extras(project):
    return finish(prepare(project, ASKED))


@pytest.fixture(scope="module")
def report(project, extras):
    return build(project, extras=extras)


def blocks(report, key, kind):
    (section,) = [s for s in report.sections if s.key == key]
    return [b for b in section.blocks if isinstance(b, kind)]


def test_both_are_printed_only_when_they_were_asked_for(project, report):
    plain = build(project, extras=finish(prepare(project, BESIDE)))
    assert {"models", "groups"} & {s.key for s in plain.sections} == set()
    assert {"models", "groups"} <= {s.key for s in report.sections}
    without = build(project, extras=finish(prepare(project, BESIDE)), leave_out=("models",))
    assert "models" not in {s.key for s in without.sections}


def test_every_group_has_its_size_its_numbers_and_their_intervals(project, report):
    studied = finish(group_table(project.ratings, "region", Request(model("t-aj-p"), interval="wald")))
    (table,) = blocks(report, "groups", Table)
    assert [row[0] for row in table.rows] == ["north", "south", "east", "islands"]
    heads = [c.title for c in table.columns]
    for row, known in zip(table.rows, studied.records(), strict=True):
        assert row[1].values == (known["cases"],)
        for rater in project.ratings.raters:
            at = heads.index(f"a[{rater}]")
            assert row[at].values == (known[f"a[{rater}]"],)
            assert row[at + 1].values == (known[f"a[{rater}] low"], known[f"a[{rater}] high"])
    assert "islands: Only 3 wines have two ratings" in table.note
    assert "(Wald)" in table.note
    (picture,) = blocks(report, "groups", Picture)
    assert len(picture.panels[0].y.ticks) == 3 * 4


def test_a_column_that_cannot_make_groups_says_why_and_the_others_are_printed(report):
    told = [p.text for p in blocks(report, "groups", Paragraph)]
    assert any("'age' has 183 different values" in text for text in told)


def test_every_test_between_models_is_printed_with_what_it_rests_on(report, extras):
    models, tests = blocks(report, "models", Table)
    assert [row[0] for row in models.rows] == [row.fit.model.name for row in extras.on_demand["models"].comparison.rows]
    assert len(tests.rows) == len(extras.on_demand["models"].tests) + len(extras.on_demand["models"].untested)
    for row, test in zip(tests.rows, extras.on_demand["models"].tests, strict=False):
        assert row[1].values == (test.statistic,)
        assert row[2].values == ((test.draws >= test.statistic - 1e-9).sum(),)
        assert row[4] == ("Hardly" if test.rejects else "It could")
    assert blocks(report, "models", Picture)


def test_accuracies_of_models_have_the_interval_of_their_mean_over_raters(project, report, extras):
    models, _tests = blocks(report, "models", Table)
    rows = dict(zip((row[0] for row in models.rows), models.rows, strict=True))
    for known in extras.on_demand["models"].comparison.rows:
        mean, each = known.fit.mean_accuracy, [e.estimate.value for e in known.fit.estimates if e.name.name == "a"]
        assert rows[known.fit.model.name][6].values == (mean.low, mean.high)
        assert mean.low <= np.mean(each) <= mean.high
        assert mean.how == "profile"
    # Where all raters have one accuracy, the mean is that number, and so is its profile interval.
    alone = finish(analyse(project.ratings, Request(model("t-a-p"), interval="profile")))
    (own,) = [e.estimate for e in alone.estimates if e.name.name == "a"]
    assert rows["t-a-p"][6].values == pytest.approx((own.low, own.high), abs=1e-4)
    assert "N = 183 wines, 732 ratings." in models.note


def test_no_name_is_left_in_these_sections_with_codes(project, extras):
    coded = build(project, extras=extras, raters_as=RatersAs.CODES)
    assert names_left(coded) == ()
    (table,) = blocks(coded, "groups", Table)
    assert {"a[A]", "a[B]", "a[C]", "a[D]"} <= {c.title for c in table.columns}


def test_a_project_remembers_what_it_prints_and_an_issued_report_what_it_printed(project, report):
    told = with_setup(project, Setup(selection=Selection(models=True, groups=("region",))))
    assert setup(told).selection == {"models": True, "groups": ("region",)}
    assert setup(project).selection == {}
    facts = dict(report.facts)
    assert choices(facts["choices"]).wanted == ASKED
    # A report of an earlier version names neither.
    earlier = facts["choices"].replace('"between": true, ', "").replace('"by": ["region", "age"], ', "")
    assert choices(earlier).wanted == BESIDE


def test_what_a_project_remembers_is_what_is_worked_out(project, monkeypatch):
    asked = []

    def nothing(_project, wanted, **_known):
        asked.append(wanted)
        yield from ()

    monkeypatch.setattr("tapdesk.report.setup.work_out", nothing)
    finish(prepare(with_setup(project, Setup(selection=Selection(models=True, groups=("region",))))))
    assert asked[0].selection == {"models": True, "groups": ("region",)}


def test_ratings_that_cannot_tell_models_apart_say_so_in_the_section(project):
    ratings = project.ratings
    alone = ratings.keep(ratings.rater == 0)
    single = replace(project, analyses=(), reading=replace(project.reading, ratings=alone, as_read=alone))
    made = build(single, extras=finish(prepare(single, ASKED)))
    told = " ".join(texts(made))
    assert "No wine has two ratings, so there is no agreement for a model to explain." in told
    assert "No group can answer." in told
