"""The curve of accuracy over what is known of the raters: against least squares done by hand, and its words."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import t as student

from tapdesk.answers.content import Picture
from tapdesk.answers.fit_studies import fit_studies
from tapdesk.answers.part import Answer
from tapdesk.answers.side_results import SideResults
from tapdesk.answers.slope_curve import CURVE, curve_content
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.analysis import Request, analyse

AGES = (25, 31, 38, 44, 50, 57, 63, 70)
BY_AGE = replace(model("t-a(x)-p"), covariates=("age",))


def answered(slope, covariate=CovariateOf.RATER):
    rng = np.random.default_rng(4)
    truth = rng.random(150) < 0.4
    a = expit(0.4 + slope * (np.array(AGES) - 47))
    knows = rng.random((150, 8)) < a
    category = np.where(knows, truth[:, None], rng.random((150, 8)) < 0.5).astype(int)
    at, by = np.indices((150, 8))
    values = np.array(AGES, dtype=float) if covariate is CovariateOf.RATER else np.resize([1.0, 2.0, 4.0], 150)
    ratings = Ratings(
        at.ravel(), by.ravel(), category.ravel(), tuple(f"c{i}" for i in range(150)), tuple("ABCDEFGH"), ("no", "yes"),
        covariates=MappingProxyType({"age": Covariate("age", covariate, values)}),
    )  # fmt: skip
    request = Request(BY_AGE, interval="wald")
    fit = finish(analyse(ratings, request))
    return Answer(fit, ratings, ratings, finish(fit_studies(fit, ratings, request)))


def test_the_band_is_that_of_a_line_through_the_logits_of_the_raters():
    answer = answered(-0.04)
    (one,) = answer.side.slopes
    x, y = one.alone[:, 0], logit(one.alone[:, 1])
    centred = x - x.mean()
    slope = float(centred @ y / (centred @ centred))
    spread = float(((y - y.mean() - slope * centred) ** 2).sum()) / 6
    along = one.line[:, 0]
    half = student.ppf(0.975, 6) * np.sqrt(spread * (1 / 8 + (along - x.mean()) ** 2 / (centred @ centred)))
    mid = y.mean() + slope * (along - x.mean())
    wanted = np.column_stack([along, expit(mid), expit(mid - half), expit(mid + half)])
    np.testing.assert_allclose(one.line, wanted, atol=1e-9)
    assert (along[0], along[-1]) == (25, 70)


@pytest.mark.parametrize(
    ("slope", "begins"), [(-0.04, "Accuracy changes with age: 0."), (0.0, "There is no sign that accuracy changes")]
)
def test_the_picture_says_the_verdict_and_holds_curve_and_raters(slope, begins):
    content = curve_content(answered(slope))
    assert content.paragraphs[0].text.startswith(begins)
    (picture,) = [block for block in content.blocks if isinstance(block, Picture)]
    (figure,) = picture.panels
    assert figure.title.startswith(begins)
    assert sum(row[0] == "a rating alone" or "alone" in str(row[0]) for row in figure.table.rows) == 8
    assert "Line: accuracy along “age”, found by comparing 8 raters. Band: where the line may lie, 95 %." in figure.note
    assert CURVE.title == "What does accuracy change with?"


def test_without_any_verdict_it_is_said_why():
    answer = answered(0.0, CovariateOf.SUBJECT)
    bare = replace(answer.fit, estimates=tuple(e for e in answer.fit.estimates if e.name.name != "b"))
    content = curve_content(replace(answer, result=bare, side=SideResults()))
    assert content.reason == "None of these columns is about the raters."


def test_a_column_about_cases_has_its_verdict_and_no_curve_of_raters():
    content = curve_content(answered(0.0, CovariateOf.SUBJECT))
    assert [one.text for one in content.paragraphs] == ["There is no sign that accuracy changes with age."]
    assert not content.pictures
