"""Abstentions: answers that no case truly is (statistics.md C10). A likelihood by hand, laws, recovery, words."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapdesk.agreement.coefficients import agree
from tapdesk.cli.main import main
from tapdesk.fitting.em import ExactEM, MomentEM
from tapdesk.fitting.identification import verdict
from tapdesk.models.design import design
from tapdesk.models.model import GRID_MODELS, model
from tapdesk.models.parameters import Stack
from tapdesk.models.simulate import simulate_like
from tapdesk.models.space import line
from tapdesk.progress import finish
from tapdesk.project.decisions.classes import CountAsAbstention
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read
from tapdesk.studies.analysis import Request, analyse, refusal

ANSWERS = ("no", "yes", "unsure")
WITH_PLACE = (
    *("t-a-p", "t-ak-p", "t-aj-p", "t-a-pj", "t-aj-pj", "t-a0a1-p0p1", "dawid-skene", "t-ah-p", "t-ai-p", "t-a-pi"),
    "t-aij-p",
)
WITHOUT = ("t-a-t", "P-a-P", "ti-aj-P", "t-an-p", "sdt", "sdt-1")


def blank(cases, raters, answers=ANSWERS):
    subject, rater = np.repeat(np.arange(cases), raters), np.tile(np.arange(raters), cases)
    return Ratings.of(
        subject, rater, np.arange(subject.size) % len(answers), [str(i) for i in range(cases)],
        [f"R{j}" for j in range(raters)], answers, ordered=True, abstentions=answers[-1:],
    )  # fmt: skip


def drawn(seed, *, cases=200, accuracy=(0.85, 0.7, 0.6, 0.4), row="t-aj-p", answers=ANSWERS):
    empty = blank(cases, len(accuracy), answers)
    k = len(answers)
    truth = np.append(np.arange(1, k) / (k * (k - 1) / 2), 0.0)[None]
    guess = np.full((1, k), 1 / k)
    point = design(model(row), empty).space.point(truth, np.array(accuracy)[None, :, None], guess).one(0)
    return simulate_like(empty, model(row), point, seed)


def fitted(name, ratings):
    return finish(ExactEM().run(model(name, GRID_MODELS), ratings, 1))


def values(fit):
    return {str(e.name): e.estimate.value for e in fit.estimates}


def by_hand(ratings, point):
    """Sum over the true classes that there are, case by case, in the words of models.md §1."""
    rates, total = point.rating_rates(), 0.0
    for i in range(len(ratings.subjects)):
        rows = np.flatnonzero(ratings.subject == i)
        level = 0.0
        for k in range(len(ratings.classes) - 1):
            one = point.truth[k]
            for r in rows:
                one *= rates[min(int(ratings.rater[r]), rates.shape[0] - 1), k, ratings.category[r]]
            level += one
        total += np.log(level)
    return total


@pytest.mark.parametrize("name", ["t-a-p", "t-ak-p", "t-aj-p", "t-aj-pj", "t-a0a1-p0p1", "dawid-skene"])
def test_the_likelihood_is_the_one_by_hand(name):
    ratings, _truth = drawn(1, cases=25)
    plan = design(model(name), ratings)
    space, rng = plan.space, np.random.default_rng(2)
    stack = space.point(
        rng.dirichlet(np.ones(3), (1, *space.truth_shape[:-1])),
        rng.uniform(0.1, 0.9, (1, *space.accuracy_shape)),
        rng.dirichlet(np.ones(3), (1, *space.guessing_shape[:2])),
    )
    assert stack.truth[0, 2] == 0
    level = space.evidence(plan.patterns).expect(stack).log_likelihood[0]
    assert level == pytest.approx(by_hand(ratings, stack.one(0)), abs=1e-9)


@pytest.mark.parametrize("name", WITH_PLACE)
def test_the_score_is_the_slope_and_no_class_gains_what_no_case_is(name):
    ratings, _truth = drawn(3, cases=30)
    plan = design(model(name, GRID_MODELS), ratings)
    space, evidence = plan.space, plan.space.evidence(plan.patterns)
    rng = np.random.default_rng(4)
    stack = space.point(
        rng.dirichlet(np.ones(3), (1, *space.truth_shape[:-1])),
        rng.uniform(0.2, 0.8, (1, *space.accuracy_shape)),
        rng.dirichlet(np.ones(3), (1, *space.guessing_shape[:2])),
    )
    way = line(space, stack.one(0))
    assert way.size == space.free
    at = way.coordinates(stack.one(0))
    here = way.points(at[None])
    slope = way.score(space.tally(evidence.expect(here)), here)[0]
    step = 1e-5 * np.eye(at.size)
    ahead, behind = (evidence.expect(way.points(at + s)).log_likelihood for s in (step, -step))
    np.testing.assert_allclose(slope, (ahead - behind) / 2e-5, rtol=1e-4, atol=1e-5)
    for _again in range(60):
        stack = space.maximise(space.tally(evidence.expect(stack)), stack)
    assert stack.truth[0, 2] == 0
    assert evidence.posterior(stack)[0, 2].max() == 0


@given(seed=st.integers(0, 10_000), classes=st.integers(2, 3))
@settings(max_examples=6, deadline=None)
def test_with_leanings_of_each_they_are_ratings_that_were_not_given(seed, classes):
    """A rate that depends on the rater alone parts the likelihood: that of the other answers, and that of the rate."""
    answers = (*(f"g{i}" for i in range(classes)), "unsure")
    ratings, _truth = drawn(seed, cases=60, answers=answers)
    whole, left = fitted("t-aj-pj", ratings), fitted("t-aj-pj", ratings.decided())
    silent = ratings.category == classes
    n = np.bincount(ratings.rater, minlength=4)
    share = np.bincount(ratings.rater[silent], minlength=4) / n
    rate = sum(m * (s * np.log(s) + (1 - s) * np.log(1 - s)) for m, s in zip(n, share, strict=True) if 0 < s < 1)
    assert whole.log_likelihood.ratings == pytest.approx(left.log_likelihood.ratings + rate, abs=1e-5)
    assert whole.free == left.free + 4
    a, b = values(whole), values(left)
    for j in range(4):
        if a[f"a[R{j}]"] is not None and b[f"a[R{j}]"] is not None and not left.active_bounds:
            assert a[f"a[R{j}]"] == pytest.approx(b[f"a[R{j}]"] * (1 - share[j]), abs=1e-3)


def test_of_one_accuracy_for_all_they_heal_nothing():
    """Against statistics.md C10: with two yes/no ratings a case one class more to answer tells t, a and p no better."""
    ratings, _truth = drawn(5, accuracy=(0.7, 0.7), row="t-aj-p")
    assert not verdict(model("t-a-p"), ratings).by_design
    assert not verdict(model("t-a-p"), ratings.decided()).by_design
    three, _truth = drawn(5, accuracy=(0.7, 0.7, 0.7))
    assert verdict(model("t-a-p"), three).by_design


def test_who_abstains_more_knows_less_where_guesses_are_shared():
    """One way of guessing for all makes abstaining tell of accuracy: two raters are told apart by it."""
    ratings, _truth = drawn(6, accuracy=(0.8, 0.4), cases=400)
    assert verdict(model("t-aj-p"), ratings).by_design
    assert not verdict(model("t-aj-p"), ratings.decided()).by_design
    three, _truth = drawn(6, accuracy=(0.8, 0.4, 0.6), cases=400)
    row = replace(Request(model("t-aj-p")), interval="profile")
    narrow, wide = finish(analyse(three, row)), finish(analyse(three.decided(), row))
    width = [e.estimate.high - e.estimate.low for e in narrow.estimates if e.name.name == "a"]
    # Of those who decided the accuracy is larger by the share that abstained: widths are held against it.
    other = [e.estimate.high - e.estimate.low for e in wide.estimates if e.name.name == "a"]
    assert sum(width) < 0.8 * sum(other)


def test_recovery():
    errors = []
    for seed in range(8):
        ratings, truth = drawn(seed, cases=400)
        assert truth.max() == 1
        found = values(fitted("t-aj-p", ratings))
        assert "t[unsure]" not in found
        wanted = {"t[yes]": 2 / 3, "a[R0]": 0.85, "a[R1]": 0.7, "a[R2]": 0.6, "a[R3]": 0.4, "p[unsure]": 1 / 3}
        errors.append([found[name] - value for name, value in wanted.items()])
    # Standard errors at 400 cases are .02 to .05.
    assert np.abs(np.mean(errors, axis=0)).max() < 0.03
    assert np.abs(errors).max() < 0.16


@pytest.mark.parametrize("name", WITHOUT)
def test_a_model_without_a_place_for_them_says_so(name):
    ratings, _truth = drawn(7, cases=40)
    why = refusal(ratings, Request(model(name, GRID_MODELS)))
    said = {
        "ti-aj-P": "This model has beliefs only",
        **dict.fromkeys(
            ("t-a-t", "P-a-P"),
            "guesses or truth are tied to the rates of all answers, but no case is truly an abstention",
        ),
    }
    assert said.get(name, "An abstention ('unsure') has no place in the order of the classes") in why


def test_moment_e_m_and_a_panel_that_only_abstained_say_so():
    ratings, _truth = drawn(7, cases=40)
    assert MomentEM().refuses(model("t-a-p"), ratings) == "Moment E-M has no place for abstentions: use exact-em."
    alone = replace(ratings, abstentions=("no", "unsure"))
    why = "Besides abstentions ('no' and 'unsure') there is only one class, so there is nothing to tell apart."
    assert refusal(alone, Request(model("t-a-p"))) == why


def test_beliefs_know_them_too():
    ratings, _truth = drawn(8, cases=150)
    row = Request(model("t-aj-p"), estimator="posterior", draws=300, chains=4)
    fit = finish(analyse(ratings, row))
    peak = values(fitted("t-aj-p", ratings))
    for name, value in values(fit).items():
        assert value == pytest.approx(peak[name], abs=0.05)


def test_coefficients_and_sides_leave_them_out():
    ratings, _truth = drawn(9, cases=60)
    assert finish(agree(ratings)) == finish(agree(ratings.decided()))
    two = ratings.dichotomised(("yes",))
    assert two.members == (("no",), ("yes",))
    assert two.rating_count == ratings.decided().rating_count


def test_a_word_that_sounds_so_is_asked_about_and_each_answer_is_followed(tmp_path):
    file = tmp_path / "panel.csv"
    answers = ("yes", "no", "Unsure", "yes", "no")
    rows = [",".join([f"w{i}", *(answers[(i * i + j) % 5] for j in range(3))]) for i in range(30)]
    file.write_text("case,Ana,Ben,Cleo\n" + "\n".join(rows) + "\n")
    asked = finish(read(file, ReadingOptions()))
    [question] = [f for f in asked.findings if f.code == "maybe_missing_word"]
    assert "--missing" in question.fix
    assert "--abstain" in question.fix
    assert not asked.ratings.empty_classes
    gone = finish(read(file, ReadingOptions(missing=("Unsure",))))
    assert gone.ratings.classes == ("no", "yes")
    for given_ in (ReadingOptions(abstain=("unsure",)), ReadingOptions(abstain=("UNSURE ",))):
        kept = finish(read(file, given_))
        assert (kept.ratings.classes, kept.ratings.empty_classes) == (("no", "yes", "Unsure"), (2,))
        assert not [f for f in kept.findings if f.code == "maybe_missing_word"]
    decided = CountAsAbstention(("Unsure",)).apply(asked.as_read)
    assert (decided.classes, decided.empty_classes) == (("no", "yes", "Unsure"), (2,))
    unused = finish(read(file, ReadingOptions(abstain=("no opinion",))))
    assert "abstention_unused" in [f.code for f in unused.findings]
    assert main(["fit", str(file), "--abstain", "unsure", "--missing", "Unsure", "--model", "t-a-p"]) == 2


def test_json_tells_which_answers_they_are(tmp_path):
    file, out = tmp_path / "panel.csv", tmp_path / "fit.json"
    answers = ("yes", "no", "unsure", "yes", "no")
    rows = [",".join([f"w{i}", *(answers[(i * i + j) % 5] for j in range(3))]) for i in range(30)]
    file.write_text("case,Ana,Ben,Cleo\n" + "\n".join(rows) + "\n")
    line_ = ["fit", str(file), "--model", "t-a-p,t-a-t", "--abstain", "unsure", "--interval", "none", f"--json={out}"]
    assert main(line_) == 0
    result = json.loads(out.read_text())
    assert result["data"]["abstentions"] == ["unsure"]
    first, second = result["fits"]
    assert [r["class"] for r in first["estimates"] if r["name"] == "t"] == ["no", "yes"]
    assert "abstention" in second["refused"]


def test_a_stack_keeps_no_rate_of_them():
    plan = design(model("t-a-p"), drawn(1, cases=10)[0])
    inside = Stack.of([plan.space.point(np.full((1, 3), 1 / 3), np.full(1, 0.5), np.full((1, 3), 1 / 3)).one(0)])
    assert plan.space.settle(inside.inside(0.01)).truth[0].tolist() == [0.5, 0.5, 0.0]
