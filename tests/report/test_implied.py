"""What the numbers of a fit imply beside what was seen: laws, hand-made numbers, intervals."""

import re

import numpy as np
import pytest

from tapdesk.agreement.coefficients import agree
from tapdesk.answers import implied as implied_tables
from tapdesk.answers.figure import Points
from tapdesk.answers.figures.catalog import figures
from tapdesk.answers.figures.shares import BOTH, NEITHER, ONE, implied
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read
from tapdesk.ratings.samples import locate
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.distribution import implied_ranges, seen_ranges
from tapdesk.studies.fleiss_kappa import agreement_estimate

from .examples import WINE, counted, four_ratings
from .implying import HALVES, fit_to


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
    assert agreement_estimate(some).value == pytest.approx(raw.estimate.value, abs=1e-12)
    assert agreement_estimate(ratings.keep(ratings.rater == 0)).value is None


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
        reaches = [i for i, column in enumerate(table.columns) if column.title == "95 % interval"]
        told = [(row[i - 1], row[i]) for row in table.rows for i in reaches]
        assert all((value == "–") == (reach == "–") for value, reach in told)


def test_without_re_draws_pairs_have_the_interval_of_the_likelihood_and_kappa_none_which_is_said():
    ratings = counted(WINE)
    fit = fit_to(ratings, interval="profile")
    matches, _rates = figures("expected", fit, ratings)
    lengths = {words: matches.marks[i] for i, (_at, words) in enumerate(matches.y.ticks)}
    assert lengths["Kappa, by the model"].low[0] == lengths["Kappa, by the model"].high[0]
    reach = {name: ends for name, *ends in fit.match_rates.reach}
    for name, row in (("mixed", ONE), ("inaccurate", NEITHER)):
        assert [lengths[row].low[0], lengths[row].high[0]] == reach[name]
        assert lengths[row].low[0] < lengths[row].high[0]
    assert "of the other pairs the likelihood" in matches.note
    assert "Without resamples the kappa that follows has none." in matches.note
    assert "resamples of the" not in matches.note


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
