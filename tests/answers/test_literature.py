"""Every coefficient, model, method and scale that is told names the work it comes from."""

import pytest

from tapdesk.agreement.coefficients import COEFFICIENTS
from tapdesk.agreement.word_scales import SCALE_KEYS
from tapdesk.answers.literature import (
    USES,
    WORKS,
    citation,
    of_coefficient,
    of_fit,
    of_model,
    of_scale,
    reference,
    references,
)
from tapdesk.fitting.fit import SampledPosterior
from tapdesk.models.model import GRID_MODELS, MODELS, model
from tapdesk.papers.catalog import REPRODUCTIONS
from tapdesk.papers.reproduction import CK, KZ4, KZ9, MRR
from tapdesk.progress import finish
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse


@pytest.mark.parametrize("name", [row.name for row in COEFFICIENTS])
def test_every_coefficient_but_raw_agreement_comes_from_a_work(name):
    assert bool(of_coefficient(name)) == (name != "percent_agreement")


@pytest.mark.parametrize("model", [*MODELS, *GRID_MODELS], ids=lambda model: model.name)
def test_every_model_comes_from_a_work(model):
    works = of_model(model)
    assert works
    assert all(reference(one.key) is one for one in works)


def test_every_scale_of_words_comes_from_a_work():
    assert [len(of_scale(key)) for key in SCALE_KEYS] == [1] * len(SCALE_KEYS)
    assert of_scale("") == ()


def test_kappa_with_credit_for_near_misses_is_the_one_of_1968():
    assert [one.key for one in of_coefficient("cohen_kappa", "quadratic")] == ["cohen", "cohen_weighted"]
    assert [one.key for one in of_coefficient("gwet_ac", "quadratic")] == ["gwet"]


def test_references_stand_in_alphabetical_order_and_once():
    listed = references(also=("scott", "cohen", "rubin", "cohen"))
    assert [one.key for one in listed] == ["cohen", "rubin", "scott"]
    assert citation(listed) == "(Cohen, 1960; Rubin, 1976; Scott, 1955)"
    assert citation(()) == ""


def test_the_help_tells_of_every_work_what_it_is_used_for():
    told = [key for _use, keys in USES for key in keys]
    assert sorted(told) == sorted(one.key for one in WORKS)


def test_models_of_the_paper_are_credited_to_it_and_those_of_the_book_to_the_book():
    works = {row.name: [one.key for one in of_model(row)] for row in MODELS}
    assert works["ti-aj-P"] == ["eubanks_raters", "dawid_skene"]
    assert works["t-a(x)-p"] == ["eubanks_raters"]
    assert works["t-a-p"] == ["eubanks", "eubanks_raters"]
    assert works["t-a0a1-p0p1"] == works["t-a-t"] == ["eubanks"]


@pytest.mark.parametrize(
    ("estimator", "interval", "keys"),
    [
        ("exact-em", "profile", {"dempster", "venzon"}),
        ("exact-em", "wald", {"dempster", "wald"}),
        ("exact-em", "bootstrap", {"dempster", "efron"}),
        ("exact-em", "parametric-bootstrap", {"dempster", "efron"}),
        ("exact-em", "none", {"dempster"}),
        ("moment-em", "none", set()),
        # Added up exactly, without chains.
        ("posterior", "none", set()),
    ],
)
def test_every_method_and_every_kind_of_interval_comes_from_a_work(estimator, interval, keys):
    ratings = read_now("sample:wine-cut2").ratings
    asked = Request(model("t-a-p"), estimator=estimator, interval=interval, replicates=20)
    works = {one.key for one in of_fit(finish(analyse(ratings, asked)))}
    assert works == {"eubanks", "eubanks_raters"} | keys


def test_beliefs_that_are_sampled_come_from_the_works_on_sampling():
    ratings = read_now("sample:dawid-skene-1979").ratings
    fit = finish(analyse(ratings, Request(model("t-aj-p"), estimator="posterior", draws=50, chains=4)))
    assert isinstance(fit.posterior, SampledPosterior)
    assert {"neal", "vehtari"} <= {one.key for one in of_fit(fit)}
    told = {words for words, _keys in USES}
    assert {"Beliefs that are sampled, and whether chains agree", "Intervals from the curvature of the likelihood"} <= {
        str(words) for words in told
    }


def test_every_figure_of_the_papers_names_the_one_it_is_of():
    assert {row.source for row in REPRODUCTIONS} == {MRR, KZ4, KZ9, CK}
    sources = {row.name: row.source for row in REPRODUCTIONS}
    assert sources["third-reading"] == sources["paradox"] == MRR
    assert sources["densities"] == sources["joint"] == sources["label-switching"] == KZ4
    assert sources["krits"] == sources["four-classes"] == KZ9
