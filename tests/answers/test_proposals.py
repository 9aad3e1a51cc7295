"""What is proposed of a model, and why: one sentence for each kind of ratings."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from tapdesk.answers.proposals import Proposal, declined, declined_keys, proposals_from_studies, seen_in_ratings
from tapdesk.answers.side_results import SideResults
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.project import Project
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.edge_pooling import edge_pooling, wants_pooling

POOLED, APART = model("t-a-p"), model("t-aj-pj")


def panel(cases=60, raters=4, classes=("no", "yes"), twice=0, **columns):
    """Ratings of cases by raters in turn, some of them twice; columns by name, of what they are, and their values."""
    rng = np.random.default_rng(1)
    rows = [(i, j) for i in range(cases) for j in range(raters) for _turn in range(2 if i < twice else 1)]
    subject, rater = np.array(rows).T
    true = rng.integers(len(classes), size=cases)
    seen = np.where(rng.random(subject.size) < 0.7, true[subject], rng.integers(len(classes), size=subject.size))
    covariates = {}
    for name, (of, value) in columns.items():
        count = {CovariateOf.SUBJECT: cases, CovariateOf.RATER: raters, CovariateOf.RATING: subject.size}[of]
        covariates[name] = Covariate(name, of, np.array([value(i) for i in range(count)], dtype=object))
    names = tuple(f"c{i}" for i in range(cases)), tuple(f"r{j}" for j in range(raters))
    made = Ratings.of(subject, rater, seen, *names, classes)
    return replace(made, covariates=MappingProxyType(covariates))


def told(ratings, usual=POOLED):
    return {one.key: f"{one.model}: {one.reason} {one.words}" for one in seen_in_ratings(ratings, usual)}


def test_raters_of_several_groups():
    ratings = panel(ward=(CovariateOf.RATER, lambda j: "east" if j % 2 else "west"))
    (said,) = told(ratings).values()
    assert said == "t-ag-p: The raters are of 2 groups (“ward”). Each group may have an accuracy of its own."
    # Where each rater has an accuracy of their own, groups of raters are told by it.
    assert told(ratings, APART) == {}


def test_ratings_of_several_groups_and_rounds():
    ratings = panel(ward=(CovariateOf.RATING, lambda m: "east" if m % 3 else "west"))
    (said,) = told(ratings).values()
    assert said.startswith("t-ag-p: The ratings are of 2 groups (“ward”).")
    assert said.endswith("Each group may have an accuracy of its own; what is true of a case stays.")
    rounds = panel(round=(CovariateOf.RATING, lambda m: 1 + m % 2))
    (said,) = told(rounds).values()
    assert said.startswith(
        "t-ag-p: The ratings come in 2 rounds (“round”). Each round may have an accuracy of its own; "
    )
    assert said.endswith("what is true of a case stays.")
    assert told(rounds, APART)["groups:round"].startswith("t-ajg-p")


def test_classes_with_an_order():
    ratings = replace(panel(classes=("low", "mid", "high")), ordered=True)
    assert told(ratings)["order"] == (
        "sdt-1: The classes have an order. A rating is then oftener next to the truth than far from it."
    )
    assert told(ratings, APART)["order"].endswith("Each rater has lines of their own, strict or mild.")
    assert told(replace(ratings, ordered=False)) == {}


def test_raters_with_few_ratings():
    few = panel(cases=20, raters=5)
    assert told(few, APART)["pool"] == (
        "t-aj-p: All 5 raters gave fewer than 30 ratings. All are then drawn from one population, so that who rated "
        "little is drawn towards the others."
    )
    one = few.keep((few.rater != 0) | (few.subject < 10))
    more = panel(cases=40, raters=5)
    one = more.keep((more.rater != 0) | (more.subject < 10))
    assert "1 of the raters gave fewer than 30 ratings." in told(one, APART)["pool"]
    assert "pool" not in told(one)


def test_one_rater_who_rated_cases_again():
    again = panel(twice=30, round=(CovariateOf.RATING, lambda m: m))
    # Only the first rater repeats.
    kept = again.keep((again.rater == 0) | ~np.isin(np.arange(again.rater.size), _seconds(again)))
    assert told(kept)["repeats"].startswith(
        "t-aj-p+m: 1 of the raters rated some cases again. They may remember their answer"
    )


def _seconds(ratings):
    """The ratings that are not the first of a case by a rater."""
    pairs = ratings.subject * len(ratings.raters) + ratings.rater
    return np.flatnonzero(np.diff(pairs, prepend=-1) == 0)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("ward", lambda i: "solo" if i == 3 else "east"),  # a group of one case
        ("ward", lambda i: "" if i == 3 else ("east", "west")[i % 2]),  # gaps
        ("age", lambda i: 20 + i),  # too many values
        ("colour of the cover", lambda i: ("red", "blue")[i % 2]),  # nothing that is known for a group
    ],
)
def test_no_group_is_made_of_any_column(column, value):
    assert told(panel(**{column: (CovariateOf.SUBJECT, value)})) == {}


def test_what_nearly_every_rater_has_a_value_of_their_own_of_makes_no_groups():
    assert told(panel(raters=6, age=(CovariateOf.RATER, lambda j: 25 + 7 * j))) == {}
    assert set(told(panel(raters=6, age=(CovariateOf.RATER, lambda j: 25 + 30 * (j % 2))))) == {"groups:age"}


def test_what_was_declined_is_remembered_once():
    project = declined(Project(), ("order", "harder", "order"))
    assert declined_keys(project) == ("order", "harder")
    assert declined_keys(project.with_record("declined models", "no list")) == ()
    assert declined_keys(Project()) == ()


def test_a_proposal_names_its_columns():
    row = Proposal("repeats", "", "", "t-aj-p+m", occasions="round").rater_model
    assert (row.name, row.occasions, row.memory) == ("t-aj-p+m", "round", True)


def edges():
    """Five raters of forty cases, two of whom are never wrong."""
    rng = np.random.default_rng(2)
    true = rng.random(40) < 0.5
    right = np.array([1.0, 1.0, 0.7, 0.6, 0.6])
    said = np.where(rng.random((40, 5)) < right, true[:, None], rng.random((40, 5)) < 0.5)
    subject, rater = np.divmod(np.arange(200), 5)
    names = tuple(f"c{i}" for i in range(40)), tuple(f"r{j}" for j in range(5))
    return Ratings.of(subject, rater, said.ravel().astype(np.int64), *names, ("no", "yes"))


def test_raters_on_an_edge_are_proposed_to_be_drawn_from_one_population_once_a_fit_shows_it():
    ratings = edges()
    assert "pool" not in told(ratings, APART)
    fit = finish(analyse(ratings, Request(model("t-aj-p"), interval="none")))
    assert wants_pooling(fit, ratings)
    side = SideResults(pooled=finish(edge_pooling(ratings, fit, 1)))
    (said,) = proposals_from_studies(side, APART)
    count = len(side.pooled.edge)
    assert count
    reason = f"The fit of each rater alone puts {count} of the raters on an edge, such as an accuracy of 0 or 1."
    assert said.reason == reason
    assert "drawn from one population, so that nobody is believed to be perfect, or to know nothing." in said.words
    assert (said.key, said.model, said.pool) == ("pool", "t-aj-p", True)
    # It is of raters: an answer about the panel as a whole is not proposed it, nor where nobody is on an edge.
    assert proposals_from_studies(side, POOLED) == ()
    assert proposals_from_studies(SideResults(pooled=replace(side.pooled, edge=())), APART) == ()
    assert declined_keys(declined(Project(), [said.key])) == ("pool",)
