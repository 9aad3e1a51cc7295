"""All questions of a form at once: each as its single analysis tells it, verdicts right at their rates."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import binomtest

from tapdesk.agreement.known import wilson
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.chance import chance_of
from tapdesk.studies.criteria import Advice, Criterion, Verdict, across, criteria, judge
from tapdesk.studies.holm import holm
from tests.studies import guessers

T_A_P = Request(model("t-a-p"))


def rated(rng, cases, raters, accuracy, guess=0.5, truth=0.5, known=True):
    """Ratings of two classes: each follows the truth or is a guess; one number for all raters, or one for each."""
    true = rng.random((cases, 1)) < truth
    follows = rng.random((cases, raters)) < np.broadcast_to(accuracy, raters)
    said = np.where(follows, true, rng.random((cases, raters)) < np.broadcast_to(guess, raters)).astype(np.int64)
    return of_table(said, known)


def of_table(said, known=True, classes=("No", "Yes")):
    cases, raters = said.shape
    return Ratings(
        np.repeat(np.arange(cases), raters),
        np.tile(np.arange(raters), cases),
        said.ravel(),
        tuple(f"c{i}" for i in range(cases)),
        tuple(f"r{j}" for j in range(raters)),
        classes,
        raters_known=known,
    )


@pytest.fixture(scope="module")
def form():
    """Questions of known kinds, by name."""
    rng = np.random.default_rng(11)
    clear = rated(rng, 150, 5, 0.9)
    unlike = [0.85, 0.85, 0.85, 0.85, 0.85, 0.0]
    turned = rated(rng, 150, 4, 0.9)
    back = np.where(turned.rater == 3, 1 - turned.category, turned.category)
    return {
        "clear": clear,
        "mixed": rated(rng, 150, 5, 0.4),
        "guessing": rated(rng, 100, 4, 0.0),
        "leaning": rated(rng, 100, 4, 0.0, guess=[0.2, 0.4, 0.6, 0.8]),
        "few cases": rated(rng, 12, 5, 0.9),
        "few ratings": rated(rng, 100, 3, 0.9, guess=0.02, truth=0.03),
        "same": of_table(np.ones((40, 3), dtype=np.int64)),
        "one rater": of_table(rng.integers(0, 2, (60, 1))),
        "one apart": rated(rng, 200, 6, unlike),
        "turned": replace(turned, category=back),
        "two": rated(rng, 300, 2, 0.9),
    }


@pytest.fixture(scope="module")
def rows(form):
    found = finish(criteria([Criterion(name, ratings) for name, ratings in form.items()]))
    return {row.name: row for row in judge(found)}


def test_verdicts_and_what_to_do(rows):
    told = {name: (row.verdict, row.advice, row.about) for name, row in rows.items()}
    assert told == {
        "clear": (Verdict.CLEAR, Advice.KEEP, ()),
        "mixed": (Verdict.MIXED, Advice.EXAMPLES, ()),
        "guessing": (Verdict.GUESSING, Advice.EXAMPLES, ()),
        "leaning": (Verdict.GUESSING, Advice.DEFINE, ()),
        "few cases": (Verdict.TOO_FEW, Advice.MORE, ()),
        "few ratings": (Verdict.TOO_FEW, Advice.MORE, ()),
        "same": (Verdict.SAME, Advice.OTHER, ("No",)),
        "one rater": (Verdict.UNKNOWN, Advice.SECOND, ()),
        "one apart": (Verdict.CLEAR, Advice.RATER, ("r5",)),
        "turned": (Verdict.MIXED, Advice.SCALE, ("r3",)),
        "two": (Verdict.CLEAR, Advice.KEEP, ()),
    }


def test_those_that_need_talk_stand_first(rows):
    order = list(Verdict)
    ranks = [order.index(row.verdict) for row in rows.values()]
    assert ranks == sorted(ranks)
    clear = [row.accuracy.value for row in rows.values() if row.verdict is Verdict.CLEAR and row.accuracy.value]
    assert clear == sorted(clear)


def test_no_number_where_nothing_can_be_told(rows):
    for name in ("guessing", "leaning", "same", "one rater", "turned", "two"):
        assert rows[name].accuracy.value is None, name
        assert rows[name].accuracy.undefined
    # Two raters: every accuracy of a range fits, and its interval is told.
    two = rows["two"]
    assert two.open_range is not None
    assert two.accuracy.low <= two.open_range.low <= two.open_range.high <= two.accuracy.high
    assert rows["one apart"].set_back
    assert not rows["clear"].set_back


def test_a_guessed_question_has_an_interval_that_reaches_down_to_guessing():
    """Whatever its fit looks like: where guessing alone explains the ratings, and where its maximum lies far from 0."""
    form = [Criterion(f"Q{i}", rated(np.random.default_rng(i), 180, 6, 0.0)) for i in range(8)]
    rows = {row.name: row for row in judge(finish(criteria(form)))}
    alone = [row for row in rows.values() if row.numbers.fit.estimate("a").value is None]
    assert alone
    assert len(alone) < len(rows)
    assert sum(row.accuracy.low == 0 for row in rows.values()) >= 6
    for question in form:
        row = rows[question.name]
        assert row.verdict is Verdict.GUESSING
        assert row.accuracy.value is None
        # By itself a question may be told from guessing; only beside the others it is not.
        assert row.accuracy.low == 0 or row.numbers.chance.test.p_bootstrap < 0.05
        assert drop(question.ratings, row.accuracy.high) == pytest.approx(1.92, abs=0.02)


def drop(ratings, accuracy):
    """How far an accuracy lies below the highest log-likelihood of two binomials, searched without the program."""
    counts = np.bincount(ratings.subject, ratings.category).astype(int)
    number, cases = int(ratings.ratings_per_subject()[0]), np.bincount(counts)
    k = np.arange(cases.size)

    def level(a, truth, guess):
        ends = [np.clip(x, 1e-9, 1 - 1e-9) for x in ((1 - a) * guess, a + (1 - a) * guess)]
        low, high = (np.exp(k * np.log(x) + (number - k) * np.log1p(-x)) for x in ends)
        return float(cases @ np.log((1 - truth) * low + truth * high))

    starts = ((-4, 3), (4, -3), (0, 0), (-6, 0.2), (6, -0.2), (-9, 0), (9, 0))

    def highest(function, begins):
        search = {"method": "Nelder-Mead", "options": {"maxiter": 2000, "xatol": 1e-6, "fatol": 1e-9}}
        return max(-minimize(lambda x: -function(*expit(x)), begin, **search).fun for begin in begins)

    # The accuracy beside the other two: a walk from each of them at four accuracies.
    top = highest(level, [(a, *start) for start in starts for a in (-6, -1, 0.5, 2)])
    return top - highest(lambda *rates: level(accuracy, *rates), starts)


def test_a_question_is_told_as_its_single_analysis_tells_it(form, rows):
    for name in ("clear", "mixed", "one apart"):
        single = finish(analyse(form[name], T_A_P)).estimate("a")
        told = rows[name].accuracy
        assert told.value == single.value
        assert (told.low, told.high) == pytest.approx((single.low, single.high), rel=1e-9)
        luck = finish(chance_of(form[name], 2000, 1))
        assert rows[name].numbers.chance.test.p_bootstrap == luck.test.p_bootstrap


def test_questions_in_another_order_are_the_same_questions(form, rows):
    some = ["two", "few cases", "clear", "same"]
    numbers = {row.name: row.numbers for row in rows.values()}
    one = judge([numbers[n] for n in some])
    other = judge([numbers[n] for n in reversed(some)])
    assert [(r.name, r.verdict, r.p_holm, r.accuracy) for r in one] == [
        (r.name, r.verdict, r.p_holm, r.accuracy) for r in other
    ]
    again = finish(criteria([Criterion(n, form[n]) for n in ("same", "few cases")]))
    assert again[1].fit.estimate("a") == numbers["few cases"].fit.estimate("a")


def test_a_run_that_was_stopped_goes_on_where_it_was(form):
    questions = [Criterion(n, form[n]) for n in ("few cases", "same", "few ratings")]
    kept = {}
    run = criteria(questions, kept=kept)
    while len(kept) < 2:
        next(run)
    run.close()
    first = dict(kept)
    found = finish(criteria(questions, kept=kept))
    assert all(found[i] is first[i] for i in first)
    assert [one.name for one in found] == [q.name for q in questions]


def test_raters_over_all_questions(form, rows):
    questions = [Criterion(name, ratings) for name, ratings in form.items()]
    found = {one.rater: one for one in across(questions, list(rows.values()))}
    assert found["r5"].apart == ("one apart",)
    assert found["r3"].turned == ("turned",)
    assert found["r0"].questions == len(form)
    assert found["r5"].questions == 1
    assert not found["r0"].apart


def test_p_values_are_adjusted_as_holm_does():
    # Wright (1992), Biometrics 48, 1005, example: five p-values.
    assert holm([0.01, 0.02, 0.03, 0.04, 0.05]) == pytest.approx((0.05, 0.08, 0.09, 0.09, 0.09))
    assert holm([]) == ()
    rng = np.random.default_rng(5)
    p = rng.random(20)
    assert all(a >= b for a, b in zip(holm(p), p, strict=True))


@pytest.mark.parametrize(("given", "of"), [(0, 7), (3, 7), (7, 7), (78, 140), (139, 140)])
def test_shares_of_raters_have_the_interval_of_wilson(given, of):
    told = binomtest(given, of).proportion_ci(0.9, method="wilson")
    assert wilson(given / of, of, 0.9) == pytest.approx((told.low, told.high), abs=1e-12)


def test_panels_of_guessers_are_hardly_ever_told_from_guessing():
    """Of 60 forms of 12 questions nobody knows anything about, 5 in 100 may be wrong: 7 or more once in 50 times."""
    wrong = 0
    for turn in range(60):
        rng = np.random.default_rng([turn, 3])
        p = [
            finish(
                chance_of(rated(rng, 30, 3, 0.0, guess=rng.uniform(0.3, 0.7, 3)), 400, 1, power=False)
            ).test.p_bootstrap
            for _question in range(12)
        ]
        wrong += min(holm(p)) < 0.05
    assert wrong <= 6


def test_forms_of_guessers_are_told_from_guessing_no_oftener_than_is_said():
    """The table of `tests.studies.guessers`: 60 forms of 30 questions nobody knows anything about."""
    table = guessers.table()
    assert len(table) == guessers.FORMS
    assert not any(row["clear"] for row in table)
    # Of 60 such forms 5 in 100 may be wrong: 8 or more once in 100 times.
    assert sum(row["told_from_guessing"] > 0 for row in table) <= 7


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_random_tenth_of_the_forms_of_guessers_is_what_the_study_gives_today():
    table = guessers.table()
    for turn in np.random.default_rng().choice(guessers.FORMS, guessers.FORMS // 10, replace=False).tolist():
        found = dict(zip(guessers.COLUMNS, finish(guessers.row(turn)), strict=True))
        assert found == pytest.approx(table[turn]), turn
