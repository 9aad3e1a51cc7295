"""Several questions in one model, and a key as one more rater (models_more.md §1, §7): by hand, by laws, refusals."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapdesk.errors import UsageError
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.identification import verdict
from tapdesk.models.design import design
from tapdesk.models.model import QUESTION_MODELS, Key, model
from tapdesk.models.panels import CASE, QUESTION, join_questions, key_as_rater, question_model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.analysis import Request, analyse


def panel(seed, *, cases=60, raters=4, rate=0.4, accuracy=0.7, lean=0.5, classes=2):
    rng = np.random.default_rng(seed)
    rates = np.full(classes, (1 - rate) / (classes - 1))
    rates[-1] = rate
    truth = rng.choice(classes, cases, p=rates)
    subject, rater = np.repeat(np.arange(cases), raters), np.tile(np.arange(raters), cases)
    guesses = np.full(classes, (1 - lean) / (classes - 1))
    guesses[-1] = lean
    guess = rng.choice(classes, subject.size, p=guesses)
    category = np.where(rng.random(subject.size) < accuracy, truth[subject], guess)
    labels = ["no", "yes"] if classes == 2 else [f"c{k}" for k in range(classes)]
    return Ratings.of(
        subject, rater, category, [f"S{i}" for i in range(cases)], [f"R{j}" for j in range(raters)], labels
    )


def three(seed, **more):
    return {
        f"Q{q + 1}": panel(10 * seed + q, rate=rate, lean=lean, **more)
        for q, (rate, lean) in enumerate([(0.3, 0.45), (0.6, 0.3), (0.2, 0.6)])
    }


def fitted(row, ratings):
    return finish(ExactEM().run(row, ratings, 1))


def values(fit):
    return {str(e.name): e.estimate.value for e in fit.estimates}


@pytest.mark.parametrize("row", QUESTION_MODELS, ids=lambda row: row.name)
@pytest.mark.parametrize("classes", [2, 3])
def test_the_likelihood_of_questions_is_that_of_every_answer_by_itself(row, classes):
    questions = three(3, cases=12, classes=classes)
    plan = design(question_model(row.name), join_questions(questions))
    space, rng = plan.space, np.random.default_rng(4)
    accuracy = rng.uniform(0.2, 0.9, (1, *space.accuracy_shape))
    guessing = rng.dirichlet(np.ones(classes), (1, *space.guessing_shape[:2]))
    stack = space.settle(space.point(rng.dirichlet(np.ones(classes), (1, 3)), accuracy, guessing))
    point, total = stack.one(0), 0.0
    for q, one in enumerate(questions.values()):
        for i in range(12):
            joint = point.truth[q].copy()
            for m in np.flatnonzero(one.subject == i):
                c, j = int(one.category[m]), int(one.rater[m])
                own = {"tq-a-pq": (0, q), "tq-aq-pq": (q, q), "tq-aj-pj": (j, j)}[row.name]
                a, p = float(point.accuracy[own[0], 0]), float(point.guessing[own[1], 0, c])
                joint *= [a * (c == k) + (1 - a) * p for k in range(classes)]
            total += np.log(joint.sum())
    assert space.evidence(plan.patterns).expect(stack).log_likelihood[0] == pytest.approx(total, abs=1e-9)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 1000))
def test_everything_of_its_own_is_as_if_alone_and_less_never_fits_better(seed):
    questions = three(seed, cases=40)
    joint = join_questions(questions)
    level = {row.name: fitted(question_model(row.name), joint).log_likelihood.ratings for row in QUESTION_MODELS}
    alone = sum(fitted(model("t-a-p"), one).log_likelihood.ratings for one in questions.values())
    assert level["tq-aq-pq"] == pytest.approx(alone, abs=1e-5)
    assert level["tq-a-pq"] <= level["tq-aq-pq"] + 1e-6


def test_numbers_come_back_and_the_order_of_questions_changes_nothing():
    questions = three(5, cases=1500)
    fit = fitted(question_model("tq-a-pq"), join_questions(questions))
    truth = {"t[Q1]": 0.3, "t[Q2]": 0.6, "t[Q3]": 0.2, "a": 0.7, "p[Q1]": 0.45, "p[Q2]": 0.3, "p[Q3]": 0.6}
    for e in fit.estimates:
        assert e.estimate.se < 0.04
        assert e.estimate.value == pytest.approx(truth[str(e.name)], abs=3 * e.estimate.se)
    found = values(fit)
    turned = join_questions(dict(reversed(questions.items())))
    assert values(fitted(question_model("tq-a-pq"), turned)) == pytest.approx(found, abs=1e-6)


def test_two_yes_no_ratings_leave_everything_open_however_many_questions_there_are():
    row = question_model("tq-a-pq")
    assert not verdict(row, join_questions(three(1, raters=2))).by_design
    assert verdict(row, join_questions(three(1, raters=3))).by_design
    assert verdict(row, join_questions(three(1, raters=2, classes=3))).by_design


def test_a_question_asked_twice_says_no_more_than_once():
    once = panel(8, cases=120)
    twice = join_questions({"Q1": once, "again": once})

    def width(row, ratings):
        request = Request(row, interval="bootstrap", replicates=400, redraws=True)
        drawn = finish(analyse(ratings, request)).draws.values
        return next(np.std(v) for name, v in drawn.items() if str(name) == "a")

    assert width(question_model("tq-a-pq"), twice) == pytest.approx(width(model("t-a-p"), once), rel=0.15)
    # Were the answers drawn one by one, the second would seem to be news.
    apart = replace(question_model("tq-a-pq"), whole="")
    assert width(apart, twice) < 0.85 * width(model("t-a-p"), once)


@pytest.mark.parametrize("interval", ["profile", "wald", "bootstrap", "parametric-bootstrap"])
def test_every_number_of_every_question_has_its_interval(interval):
    request = Request(question_model("tq-a-pq"), interval=interval, replicates=60)
    fit = finish(analyse(join_questions(three(2, cases=150)), request))
    assert len(fit.estimates) == 7
    for e in fit.estimates:
        assert e.estimate.low <= e.estimate.value <= e.estimate.high


def test_a_posterior_of_questions_lies_where_the_likelihood_does():
    ratings = join_questions(three(4, cases=300))
    row = question_model("tq-a-pq")
    belief = values(finish(analyse(ratings, Request(row, estimator="posterior", draws=300))))
    assert belief == pytest.approx(values(fitted(row, ratings)), abs=0.07)


def test_questions_know_their_cases_and_raters_by_name():
    one, other = panel(1, cases=5), panel(2, cases=5, raters=3)
    other = replace(other, raters=("R2", "R9", "R0"))
    joint = join_questions({"Q1": one, "Q2": other})
    assert joint.raters == ("R0", "R1", "R2", "R3", "R9")
    assert joint.subjects[0] == "S0 · Q1"
    assert list(joint.covariates[CASE].values[5:]) == list(other.subjects)
    assert set(joint.covariates[QUESTION].values) == {"Q1", "Q2"}
    names = np.array(joint.raters)[joint.rater[joint.subject >= 5]]
    assert list(names) == list(np.array(other.raters)[other.rater])


def refusal(call):
    with pytest.raises(UsageError) as error:
        call()
    return str(error.value.what), str(error.value.fix)


@pytest.mark.parametrize(
    ("questions", "what", "fix"),
    [
        (
            {"Q1": panel(1)},
            "A model of several questions needs ratings of two questions at least.",
            "Choose a model of one question, such as t-a-p.",
        ),
        (
            {"Q1": panel(1), "Q2": panel(1, classes=3)},
            "The questions 'Q1' and 'Q2' have different classes, so no accuracy holds on both.",
            "Tell them as the same two classes, or analyse them one by one.",
        ),
        (
            {"Q1": panel(1), "Q2": replace(panel(1), weight=np.full(60, 2))},
            "Cases that stand for several cannot be followed from question to question.",
            "Give every case a row of its own, or analyse the questions one by one.",
        ),
    ],
)
def test_questions_that_cannot_be_joined_are_refused_in_a_sentence(questions, what, fix):
    assert refusal(lambda: join_questions(questions)) == (what, fix)


def test_a_model_of_questions_that_does_not_exist_is_refused():
    what, fix = refusal(lambda: question_model("tq-b-pq"))
    assert what == "There is no model 'tq-b-pq' of several questions."
    assert fix == "The models are: tq-a-pq, tq-aq-pq, tq-aj-pj."


def with_key(ratings, texts):
    column = Covariate("gold", CovariateOf.SUBJECT, np.array(texts, dtype=object))
    return replace(ratings, covariates=MappingProxyType({"gold": column}), known="gold")


def keyed(seed, *, cases=80, known=30, wrong=4):
    """A panel of which some cases are known; the key says otherwise in some of them."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, cases)
    subject, rater = np.repeat(np.arange(cases), 3), np.tile(np.arange(3), cases)
    category = np.where(rng.random(subject.size) < 0.7, truth[subject], rng.integers(0, 2, subject.size))
    ratings = Ratings.of(subject, rater, category, [f"S{i}" for i in range(cases)], ["A", "B", "C"], ["no", "yes"])
    given = np.where(np.arange(cases) < wrong, 1 - truth, truth)
    return with_key(ratings, [ratings.classes[k] if i < known else "" for i, k in enumerate(given)])


class TestKeyAsRater:
    """What is known, taken as the opinion of one more rater."""

    def test_it_rates_the_known_cases_and_no_others(self):
        ratings = keyed(1)
        wider = key_as_rater(ratings)
        own = wider.rater == 3
        assert wider.raters == ("A", "B", "C", "gold")
        assert list(wider.subject[own]) == list(range(30))
        assert list(wider.category[own]) == list(ratings.known_classes()[:30])
        assert wider.known_classes() is None
        assert (np.diff(wider.subject) >= 0).all()

    @pytest.mark.parametrize("name", ["t-aj-p", "t-aj-pj", "dawid-skene"])
    @pytest.mark.parametrize("wrong", [0, 6])
    def test_it_never_fits_worse_than_a_key_that_is_certain_and_informs(self, name, wrong):
        ratings = keyed(2, wrong=wrong)
        certain = fitted(replace(model(name), key=Key.INFORMING), ratings).log_likelihood.ratings
        assert fitted(model(name), key_as_rater(ratings)).log_likelihood.ratings >= certain - 1e-6

    def test_they_are_equal_where_the_key_is_always_right(self):
        ratings = keyed(3, wrong=0)
        certain = design(replace(model("t-aj-p"), key=Key.INFORMING), ratings)
        wider = design(model("t-aj-p"), key_as_rater(ratings))
        truth, guess = np.array([[0.45, 0.55]]), np.array([[0.6, 0.4]])
        a = np.array([0.5, 0.7, 0.8])[None, :, None]
        right = np.concatenate([a, np.ones((1, 1, 1))], axis=1)
        levels = [
            plan.space.evidence(plan.patterns).expect(plan.space.point(truth, own, guess)).log_likelihood[0]
            for plan, own in ((certain, a), (wider, right))
        ]
        assert levels[0] == pytest.approx(levels[1], abs=1e-9)

    def test_a_key_that_is_never_wrong_has_no_guesses_and_leaves_nothing_else_open(self):
        fit = fitted(model("t-aj-pj"), key_as_rater(keyed(8, cases=300, known=100, wrong=0)))
        at = values(fit)
        assert at["a[gold]"] == pytest.approx(1)
        assert at["p[gold]"] is None
        assert fit.rates_known
        assert fit.identification.by_design
        assert all(at[f"{part}[{j}]"] is not None for part in "ap" for j in "ABC")

    @pytest.mark.parametrize(
        ("ratings", "what", "fix"),
        [
            (
                panel(1),
                "No true class is known, so there is no key to be taken as a rater.",
                "Name the column that holds what is known with --known COL.",
            ),
            (
                with_key(panel(1), [""] * 60),
                "No true class is known, so there is no key to be taken as a rater.",
                "Name the column that holds what is known with --known COL.",
            ),
            (
                replace(keyed(1), raters_known=False),
                "A key can be taken as one more rater only where it is known who gave each rating.",
                "Take what is known as certain: --known-use certain.",
            ),
            (
                replace(keyed(1), raters=("A", "gold", "C")),
                "A rater is called 'gold', like the column of known answers.",
                "Rename the column.",
            ),
        ],
    )
    def test_where_it_cannot_be_one_it_is_refused_in_a_sentence(self, ratings, what, fix):
        assert refusal(lambda: key_as_rater(ratings)) == (what, fix)
