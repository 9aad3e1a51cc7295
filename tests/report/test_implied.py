"""What the numbers of a fit imply, and whether they would be found again: laws, hand-made numbers, refusals, report."""

import re
from dataclasses import replace

import numpy as np
import pytest

from tapdesk.agreement.agree import agree
from tapdesk.errors import CannotAnswerError
from tapdesk.models.catalog import model
from tapdesk.progress import finish
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read
from tapdesk.ratings.samples import locate
from tapdesk.report.build import build
from tapdesk.report.extras import Wanted
from tapdesk.report.figure import Points
from tapdesk.report.figures.catalog import figures
from tapdesk.report.figures.expected import BOTH, NEITHER, ONE, implied, seen_matches
from tapdesk.report.figures.recovery import recovery
from tapdesk.report.names import RatersAs
from tapdesk.report.prepare import prepare, prepare_further
from tapdesk.report.report import Paragraph, Picture, Table
from tapdesk.report.setup import Setup, setup, with_setup
from tapdesk.report.svg.draw import svg
from tapdesk.report.tables import implied as implied_tables
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.found_again import found_again, summarised
from tapdesk.studies.implied_ranges import implied_ranges, seen_ranges

from .examples import WINE, counted, four_ratings, open_fit, project_of, wine_fit

BESIDE = Wanted(replicates=40, agreement=False, tests=False, raters=False, sensitivity=False)
# Of 128 cases with three ratings each, so many have 0 … 3 in class 1 where t = a = p = 1/2: a rating of a case of
# class 1 is 1 with probability 3/4, so (1 + 27, 9 + 27, 27 + 9, 27 + 1) / 128, exactly.
HALVES = (28, 36, 36, 28)


def fit_to(ratings, name="t-a-p", interval="none"):
    return finish(analyse(ratings, Request(model(name), interval=interval)))


@pytest.fixture(scope="module")
def asked(fitted, wine):
    """The wine panel with the section, few simulations."""
    project = project_of(fitted, wine)
    return project, finish(prepare(project, replace(BESIDE, recovery=True)))


def blocks(report, kind):
    (section,) = [s for s in report.sections if s.key == "recovery"]
    return [b for b in section.blocks if isinstance(b, kind)]


def said(report):
    return " ".join(b.text for b in blocks(report, Paragraph))


# What is implied ----------------------------------------------------------------------------------------------------


def test_halves_imply_a_quarter_justified_a_quarter_mixed_and_an_eighth_by_luck():
    """a² = 1/4; 2 a (1 - a) Σ t p = 1/4; (1 - a)² Σ p² = 1/8; kappa = a² (1 - Σ t²) / (1 - Σ c²) = 1/4."""
    ratings = counted(HALVES)
    told = implied(fit_to(ratings), ratings)
    assert (told.rates.accurate, told.rates.mixed) == (pytest.approx(0.25), pytest.approx(0.25))
    assert (told.rates.inaccurate, told.rates.observed) == (pytest.approx(0.125), pytest.approx(0.625))
    assert told.kappa == pytest.approx(0.25)
    # Six of the cases' pairs in six, or one in three: (56 + 72 / 3) / 128.
    assert told.seen == pytest.approx(0.625)
    assert told.seen_kappa == pytest.approx(0.25)
    matches, _rates = figures("expected", fit_to(ratings), ratings)
    assert matches.title.startswith("Of the pairs of ratings that match, 40 % are justified on both sides, 40 % on one")
    assert "20 % match by luck alone" in matches.title


@pytest.mark.parametrize("ratings", [counted(WINE), counted((40, 20, 9, 30)), four_ratings()], ids=["2", "3", "4"])
def test_where_guesses_are_as_the_truth_kappa_is_the_squared_accuracy(ratings):
    fit = fit_to(ratings, "t-a-t")
    told = implied(fit, ratings)
    a = fit.estimate("a").value
    assert told.kappa == pytest.approx(a**2, abs=1e-9)
    assert told.rates.accurate == pytest.approx(a**2, abs=1e-12)


@pytest.mark.parametrize("ratings", [counted(WINE), counted((60, 20, 9, 30)), four_ratings()], ids=["2", "3", "4"])
def test_matches_by_cause_add_up_to_the_chance_that_two_ratings_of_a_case_are_alike(ratings):
    fit = fit_to(ratings)
    told = implied(fit, ratings)
    alike = float(fit.parameters.truth @ (fit.parameters.rating_rates()[0] ** 2).sum(axis=1))
    assert told.rates.accurate + told.rates.mixed + told.rates.inaccurate == pytest.approx(alike, abs=1e-12)
    assert told.rates.observed == pytest.approx(alike, abs=1e-12)


def test_matches_seen_are_the_raw_agreement_of_cases_with_unequal_ratings():
    ratings = four_ratings()
    kept = np.random.default_rng(2).random(ratings.subject.size) < 0.6
    some = ratings.keep(kept)
    (raw,) = [c for c in finish(agree(some)) if c.name == "percent_agreement"]
    assert len(set(some.ratings_per_subject())) > 2
    assert seen_matches(some) == pytest.approx(raw.estimate.value, abs=1e-12)
    assert seen_matches(ratings.keep(ratings.rater == 0)) is None


def test_the_interval_of_what_is_justified_is_that_of_the_accuracy_squared(fitted, wine):
    a = fitted.estimate("a")
    told = implied(fitted, wine)
    assert (told.both.low, told.both.high) == (pytest.approx(a.low**2), pytest.approx(a.high**2))
    picture = figures("expected", fitted, wine)[0]
    (row,) = [at for at, words in picture.y.ticks if words == BOTH]
    (both,) = [m for m in picture.marks if isinstance(m, Points) and m.y[0] == row]
    assert (both.low[0], both.x[0], both.high[0]) == pytest.approx((a.low**2, a.value**2, a.high**2))


def test_every_number_that_is_implied_or_seen_has_an_interval_that_holds_it(fitted, wine):
    matches, rates = figures("expected", fitted, wine)
    for mark in (*matches.marks, *(m for m in rates.marks if isinstance(m, Points))):
        value = mark.x if mark.horizontal else mark.y
        assert np.all((mark.low < value) & (value < mark.high)), mark.label
    for name in ("justified on both sides", "on one", "match by luck"):
        found = re.search(rf"(\d+) % \((\d+) to (\d+)\)( are)? {name}", matches.title)
        assert found is not None
        share, low, high = map(int, found.groups()[:3])
        assert low < share < high
    for table in (implied_tables.matches(fitted, wine), implied_tables.rates(fitted, wine)):
        reaches = [i for i, column in enumerate(table.columns) if column.title == "95 % CI"]
        told = [(row[i - 1], row[i]) for row in table.rows for i in reaches]
        assert all((value == "–") == (reach == "–") for value, reach in told)


def test_without_re_draws_what_needs_them_is_told_without_interval_and_that_is_said():
    ratings = counted(WINE)
    matches, _rates = figures("expected", fit_to(ratings, interval="profile"), ratings)
    lengths = {words: matches.marks[i] for i, (_at, words) in enumerate(matches.y.ticks)}
    assert lengths[ONE].low[0] == lengths[ONE].high[0]
    assert lengths[BOTH].low[0] < lengths[BOTH].high[0]
    assert "Without re-draws the other numbers by the model have none." in matches.note


def test_re_draws_of_kappa_are_those_of_the_squared_accuracy_where_guesses_follow_the_truth():
    ratings = counted(WINE)
    fit = finish(analyse(ratings, Request(model("t-a-t"), redraws=True, replicates=300)))
    ranges = implied_ranges(fit)
    (a,) = [v for name, v in fit.draws.values.items() if name.name == "a"]
    assert ranges["kappa"] == pytest.approx(np.quantile(a**2, [0.025, 0.975]))
    assert ranges["accurate"] == pytest.approx(ranges["kappa"])
    # The shares of the matches move against each other, and all of them lie between 0 and 1.
    assert all(
        0 < ranges[f"of {part}"][0] < ranges[f"of {part}"][1] < 1 for part in ("accurate", "mixed", "inaccurate")
    )


def test_shares_seen_move_as_when_cases_are_drawn_anew(wine):
    """Cases, not ratings, are independent: with one rating each it is the interval of a proportion (Agresti 2013)."""
    counts, cases = wine.counts(), 183
    rng = np.random.default_rng(3)
    anew = [counts[rng.integers(0, cases, cases)].sum(axis=0)[1] / (4 * cases) for _ in range(4000)]
    low, high = seen_ranges(wine, 0.95)[1]
    assert (low, high) == pytest.approx(np.quantile(anew, [0.025, 0.975]), abs=0.006)
    one = wine.keep(wine.rater == 0)
    rate = float(one.class_rates()[1])
    reach = 1.96 * np.sqrt(rate * (1 - rate) / (cases - 1)) / (rate * (1 - rate))
    ends = 1 / (1 + np.exp(-(np.log(rate / (1 - rate)) + np.array([-reach, reach]))))
    assert seen_ranges(one, 0.95)[1] == pytest.approx(ends, abs=1e-4)
    assert seen_ranges(one.keep(one.category == 1), 0.95) == (None, None)


def test_ratings_that_may_be_noise_promise_no_share_that_is_no_luck():
    # 200 answers by lot: the profile of the accuracy reaches 0, while re-draws find some accuracy again and again.
    counts = np.bincount(np.random.default_rng(4).binomial(4, 0.5, 50), minlength=5)
    ratings = counted(tuple(int(n) for n in counts))
    fit = finish(analyse(ratings, Request(model("t-a-p"), redraws=True, replicates=400)))
    assert fit.estimate("a").low == pytest.approx(0, abs=1e-6)
    told = implied(fit, ratings)
    assert told.both.low == pytest.approx(0, abs=1e-9)
    for name in ("of accurate", "mixed", "inaccurate"):
        assert name not in told.ranges or told.ranges[name][0] < 0.02
    (matches, _shares) = figures("expected", fit, ratings)
    assert matches.title.endswith("the interval of the accuracy reaches 0: all of them may be luck")


def test_an_accuracy_of_0_is_told_with_how_much_could_be_knowledge():
    paradox = counted((998, 2, 0))
    (matches, _shares) = figures("expected", fit_to(paradox, "t-a-t", "profile"), paradox)
    assert re.match(
        r"By the model no ratings match because both are justified; \d+ % of the pairs at most", matches.title
    )


def test_what_was_seen_is_told_as_among_the_coefficients_where_a_rater_repeats():
    # The first anaesthetist of Dawid and Skene (1979) judged every patient three times: that is no agreement.
    ratings = finish(read(*locate("sample:dawid-skene-1979", ReadingOptions()))).ratings
    told = implied(fit_to(ratings), ratings)
    found = {c.name: c.estimate for c in finish(agree(ratings, interval="none"))}
    assert told.seen == found["percent_agreement"].value
    assert told.kappa_seen.value == found["fleiss_kappa"].value
    assert told.kappa_seen.low < told.kappa_seen.value < told.kappa_seen.high


def test_unsure_numbers_are_said_to_imply_no_more_than_an_example():
    few = counted((6, 3, 2, 5))
    fit = fit_to(few, interval="wald")
    assert "is an example" in figures("expected", fit, few)[0].note
    assert "is an example" in figures("recovery", fit, few)[0].note
    project = project_of(fit, few)
    made = build(project, extras=finish(prepare(project, replace(BESIDE, recovery=True, replicates=5))))
    assert "is an example" in said(made)


# Found again --------------------------------------------------------------------------------------------------------


def test_the_same_seed_finds_the_same_and_another_one_does_not(fitted, wine):
    one, same, other = (finish(found_again(fitted, wine, 30, seed)) for seed in (5, 5, 6))
    assert one == same
    assert one != other


def test_the_range_is_the_interval_by_data_drawn_from_the_model(wine):
    fit = fit_to(wine)
    asked = Request(model("t-a-p"), interval="parametric-bootstrap", replicates=200, seed=3)
    drawn = finish(analyse(wine, asked))
    for one in finish(found_again(fit, wine, 200, 3)):
        reach = drawn.estimates[one.at].estimate
        assert (one.low, one.high) == pytest.approx((reach.low, reach.high), abs=1e-3)


def test_what_is_found_holds_the_number_and_is_narrower_with_more_cases():
    small, large = counted(HALVES), counted(tuple(9 * n for n in HALVES))
    fit = fit_to(small)
    (few,), (many,) = ([x for x in finish(found_again(fit, r, 150)) if x.at == 1] for r in (small, large))
    assert few.true == many.true == fit.estimate("a").value
    for one in (few, many):
        assert one.low < one.true < one.high
    # Nine times as many cases: about a third of the width.
    assert 0.2 < (many.high - many.low) / (few.high - few.low) < 0.5
    assert abs(many.median - many.true) < 0.03


def test_only_numbers_the_model_estimates_are_found_again():
    ratings = counted(WINE)
    fit = fit_to(ratings, "t-a-t")
    assert [str(fit.estimates[x.at].name) for x in finish(found_again(fit, ratings, 5))] == ["t", "a"]


def test_edges_and_sets_without_a_value_are_told_by_the_share_of_the_sets():
    fit = wine_fit(slots=fit_to(counted(WINE)).slots)
    half = np.linspace(0.3, 0.6, 100)
    accuracy = np.where(np.arange(100) < 60, 1.0, half)
    names = {e.name.name: e.name for e in fit.estimates}
    t, a, p = summarised(fit, {names["t"]: half, names["a"]: accuracy, names["p"]: half})
    assert (t.on_edge, t.without) == (0.0, 0.0)
    assert a.on_edge == pytest.approx(0.6)
    # Nobody guesses where everyone is accurate, so there is no share of guesses in 60 of 100 sets.
    assert (p.median, p.low, p.without) == (None, None, pytest.approx(0.6))
    figure = recovery(fit, (t, a, p), 100)
    assert "a is found at 0 or 1 in 60 % of the data sets." in figure.note
    assert "Not drawn: p. In most of these data sets this number has no value." in figure.note
    assert [words for _at, words in figure.y.ticks] == ["t", "a"]
    assert "nan" not in svg(figure)


def test_the_picture_marks_what_the_sets_were_drawn_with(fitted, wine):
    (figure,) = figures("recovery", fitted, wine)
    *ranges, true = (m for m in figure.marks if isinstance(m, Points))
    assert list(true.x) == [fitted.estimate(name).value for name in "tap"]
    assert [m.low[0] <= x <= m.high[0] for m, x in zip(ranges, true.x, strict=True)] == [True] * 3
    assert [m.y[0] for m in ranges] == list(true.y)
    assert "200 data sets" in figure.note


@pytest.mark.parametrize(
    ("kind", "fit", "ratings", "why"),
    [
        ("expected", open_fit(), counted(WINE), "how much of the agreement is luck"),
        ("recovery", open_fit(), counted(WINE), "nothing to draw from"),
        ("expected", wine_fit(converged=False), counted(WINE), "had not settled"),
        ("recovery", wine_fit(converged=False), counted(WINE), "had not settled"),
        ("expected", wine_fit(), counted(WINE, ("no", "yes")), "classes have changed"),
        ("recovery", wine_fit(), counted(WINE, ("no", "yes")), "classes have changed"),
        ("expected", wine_fit(match_rates=None), counted(WINE), "do not determine all numbers"),
        ("recovery", wine_fit(model=model("t-a(x)-p")), counted(WINE), "goes with another column"),
    ],
)
def test_what_cannot_be_told_says_why(kind, fit, ratings, why):
    with pytest.raises(CannotAnswerError, match=why):
        figures(kind, fit, ratings)


# In the report ------------------------------------------------------------------------------------------------------


def test_the_section_stands_where_it_is_asked_for_with_both_parts(asked, fitted, wine):
    project, extras = asked
    made = build(project, extras=extras)
    assert not made.faults
    assert len(blocks(made, Picture)) == 3
    causes, _shares, again = blocks(made, Table)
    column = {row[0]: row[1].values[0] for row in causes.rows}
    matching, kappa = causes.rows[0], causes.rows[-1]
    assert column[BOTH] + column[ONE] + column[NEITHER] == pytest.approx(matching[1].values[0])
    assert matching[3].values == (pytest.approx(seen_matches(wine)),)
    assert kappa[1].values == (pytest.approx(fitted.kappa),)
    assert [row[0] for row in again.rows] == ["t", "a", "p"]
    assert [row[2].values[0] for row in again.rows] == [fitted.estimate(name).value for name in "tap"]
    assert "40 data sets" in again.note
    assert "match by luck alone." in said(made)
    assert "95 of 100 such data sets would put the accuracy a = 0.44 between" in said(made)


def test_the_section_is_off_unless_asked_for_and_can_be_left_out(asked):
    project, extras = asked
    for plain in (build(project), build(project, extras=extras, leave_out=("recovery",))):
        assert "recovery" not in {s.key for s in plain.sections}
    only = with_setup(project, Setup(recovery=True))
    assert (setup(only).recovery, setup(only).plan) == (True, False)
    kept = finish(prepare_further(only, extras))
    assert kept.recovery is extras.recovery
    assert finish(prepare_further(with_setup(project, Setup()), extras)).recovery is None


def test_undetermined_numbers_are_a_sentence_in_place_of_the_section():
    two = counted((30, 20, 40))
    project = project_of(fit_to(two), two)
    extras = finish(prepare(project, replace(BESIDE, recovery=True)))
    assert extras.recovery is None
    assert "do not determine all numbers, so there is nothing to draw from." in said(build(project, extras=extras))


def test_raters_who_differ_are_found_again_by_their_codes_and_luck_says_why_it_is_not_told():
    people: Ratings = replace(four_ratings(), raters=("Ann", "Ben", "Cy", "Di"), raters_known=True)
    project = project_of(fit_to(people, "t-aj-p"), people)
    extras = finish(prepare(project, replace(BESIDE, recovery=True, replicates=5)))
    made = build(project, extras=extras, raters_as=RatersAs.CODES)
    (again,) = blocks(made, Table)
    words = " ".join(str(cell) for row in again.rows for cell in row) + " ".join(
        p.alt for b in blocks(made, Picture) for p in b.panels
    )
    assert not [name for name in people.raters if f" {name} " in words or f"({name})" in words]
    assert len(again.rows) == 4 + 4 + 4
    assert "this needs one with one accuracy for all" in said(made)
