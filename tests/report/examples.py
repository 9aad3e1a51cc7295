"""Fits with known numbers: the wine panel of the conformance data, typed in (cut 2|3)."""

from dataclasses import replace

import numpy as np

from tapdesk.estimate import Estimate, MatchRates, undefined
from tapdesk.fitting.fit import (
    Draws,
    Fit,
    Identification,
    Krits,
    LogLikelihood,
    Optimum,
    ParameterEstimate,
    Status,
    Trace,
)
from tapdesk.models.design import Freedom
from tapdesk.models.model import model
from tapdesk.models.parameters import ParameterName, Parameters
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.findings import Finding, Severity
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Preview, Reading, Source
from tapdesk.studies.analysis import Request

# Wines with 0 … 4 of 4 ratings below silver ([MRR] wine data; conformance counts, cut 2|3).
WINE = (18, 35, 46, 48, 36)
RUN_AT = "2025-05-14T10:44:00"
T, A, P = 0.5410345039551465, 0.4367741131129988, 0.5870291703196798


def counted(table, classes=("silver, gold", "no medal, bronze")):
    """Ratings of four seats, from the number of subjects with k ratings in class 1."""
    rows = [[int(seat < k) for seat in range(len(table) - 1)] for k, n in enumerate(table) for _ in range(n)]
    codes = np.array(rows)
    n, r = codes.shape
    return Ratings.of(
        np.repeat(np.arange(n), r),
        np.tile(np.arange(r), n),
        codes.ravel(),
        [f"W{i + 1}" for i in range(n)],
        [f"seat {j + 1}" for j in range(r)],
        classes,
        raters_known=False,
    )


def wine_ratings():
    return counted(WINE)


def estimates(values, reach, freedom=Freedom.FREE):
    return tuple(
        ParameterEstimate(
            ParameterName(name),
            freedom,
            Estimate(value, se=(high - low) / 4).between(low, high, 0.95, "profile"),
        )
        for (name, value), (low, high) in zip(values.items(), reach, strict=True)
    )


def fit_of(truth, accuracy, guessing, **more):
    """A settled two-class fit around given numbers."""
    fit = Fit(
        model=model("t-a-p"),
        estimator="exact-em",
        seed=1,
        classes=("silver, gold", "no medal, bronze"),
        raters=(),
        parameters=Parameters(
            np.array([1 - truth, truth]),
            np.array([[accuracy]]),
            np.array([[[1 - guessing, guessing]]]),
            np.zeros(0),
        ),
        estimates=estimates(
            {"t": truth, "a": accuracy, "p": guessing},
            [(max(x - w, 0.0), min(x + w, 1.0)) for x, w in ((truth, 0.27), (accuracy, 0.09), (guessing, 0.25))],
        ),
        log_likelihood=LogLikelihood(-483.59895762674694, -286.1155900693055),
        free=3,
        subjects=183,
        ratings=732,
        krits=Krits(0.9915, 0.85, 0.87, 0.95),
        match_rates=MatchRates(0.19, 0.51, 0.16, 0.25, 0.61),
        kappa=0.196,
        status=Status.SETTLED,
        converged=True,
        iterations=57,
        identification=Identification(
            by_design=True,
            here=True,
            words="All three numbers are determined: every wine has three or more ratings.",
        ),
        active_bounds=(),
        trace=(
            Trace("majority vote", -483.599 - 60 * np.exp(-np.arange(40) / 4.0)),
            Trace("fleiss", -483.599 - 30 * np.exp(-np.arange(55) / 6.0)),
            Trace("random 1", -484.9 - 50 * np.exp(-np.arange(25) / 5.0)),
        ),
        optima=(),
        interval=("profile", 0.95),
    )
    return replace(fit, **more)


def wine_fit(**more):
    fit = fit_of(T, A, P)
    fit = replace(fit, optima=(Optimum(-483.59895762674694, fit.parameters),))
    return replace(fit, **more)


def with_draws(fit):
    """The fit with made-up re-draws round its numbers."""
    rng = np.random.default_rng(7)
    spread = {"t": 0.13, "a": 0.05, "p": 0.12}
    draws = {
        e.name: np.clip(e.estimate.value + spread[e.name.name] * rng.standard_normal(2000), 0, 1)
        for e in fit.estimates
        if e.estimate.value is not None
    }
    return replace(fit, draws=Draws("bootstrap", draws))


def open_fit():
    """A fit that design and data do not identify: no number has a value."""
    return wine_fit(
        status=Status.NOT_IDENTIFIED,
        identification=Identification(
            by_design=False, here=False, words="With two ratings per case t, a and p cannot be told apart."
        ),
        estimates=tuple(
            ParameterEstimate(ParameterName(n), Freedom.FREE, undefined("Many values fit equally well."))
            for n in ("t", "a", "p")
        ),
    )


# The four medals, with the estimates of the conformance data.
FOUR_T = (0.561720259622108, 0.035033829410006476, 0.22449680446281908, 0.1787491065050664)
FOUR_P = (0.027523307696644298, 0.5025520756422905, 0.3723238900614227, 0.09760072659964267)
FOUR_A = 0.3801193956078056
FOUR = ("no medal", "bronze", "silver", "gold")


def four_fit():
    named = [("t", c, v) for c, v in zip(FOUR, FOUR_T, strict=True)]
    named += [("a", None, FOUR_A)] + [("p", c, v) for c, v in zip(FOUR, FOUR_P, strict=True)]
    return wine_fit(
        classes=FOUR,
        parameters=Parameters(np.array(FOUR_T), np.array([[FOUR_A]]), np.array([[FOUR_P]]), np.zeros(0)),
        estimates=tuple(
            ParameterEstimate(
                ParameterName(n, c), Freedom.FREE, Estimate(v).between(0.9 * v, v + 0.05, 0.95, "profile")
            )
            for n, c, v in named
        ),
        free=7,
    )


def four_ratings():
    """Four seats drawn from the four-class estimates, 183 wines."""
    rng = np.random.default_rng(3)
    truth = rng.choice(4, 183, p=np.array(FOUR_T) / sum(FOUR_T))
    rates = four_fit().parameters.rating_rates()[0]
    category = np.concatenate([rng.choice(4, 4, p=rates[k] / rates[k].sum()) for k in truth])
    return Ratings.of(
        np.repeat(np.arange(183), 4),
        np.tile(np.arange(4), 183),
        category,
        [f"W{i}" for i in range(183)],
        ["1", "2", "3", "4"],
        FOUR,
        ordered=True,
        raters_known=False,
    )


def reading_of(ratings, findings=(), name="spring-show.xlsx"):
    source = Source(
        name=name,
        path=None,
        sha256="9f" * 32,
        format="xlsx",
        sheet="Ratings",
        sheets=("Ratings", "Notes"),
        layout=Layout.RATERS,
        encoding=None,
        delimiter=None,
        decimal=".",
        header_rows=(1,),
        rows=183,
        columns=5,
        roles={"subject": "Wine"},
        rating_columns=("Seat 1", "Seat 2", "Seat 3", "Seat 4"),
        guessed=("layout",),
        words=("We read 183 rows and 5 columns of sheet Ratings.", "Row 1 is the header."),
        sentence="Seat 1 gave wine W12 the score silver.",
    )
    return Reading(
        ratings, ratings, source, ReadingOptions(), tuple(findings), 0, {}, 0, 0, Preview(("Wine",), (("W1",),), 2)
    )


FINDINGS = (
    Finding(
        "repeats",
        Severity.ASK,
        "rows 12 and 40",
        "Seat 2 rated wine W12 twice.",
        "Choose which one counts.",
        "Both count.",
    ),
    Finding(
        "seats", Severity.NOTE, "", "The columns are taken as seats, not as persons.", "Say so if they are persons."
    ),
)


def project_of(fit=None, ratings=None, findings=FINDINGS, **more):
    """A project about these ratings with at most one answer."""
    ratings = wine_ratings() if ratings is None else ratings
    analyses = ()
    if fit is not None:
        analyses = (Analysis("1", Request(fit.model, redraws=fit.draws is not None), fit, run_at=RUN_AT),)
    more.setdefault("title", "Inter-rater agreement of medals at the Spring Wine Show")
    return Project(reading=reading_of(ratings, findings), analyses=analyses, **more)
