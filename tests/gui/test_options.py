"""Choices by name: every model and estimator, priors in words of their own, and the chains of a sampled posterior."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from tapdesk.answers.question import QUESTIONS, Guesses
from tapdesk.gui.runs.expert_options import NO_OPTIONS, ExpertOptions
from tapdesk.gui.runs.plan import Plan
from tapdesk.gui.shell.opening import plan_of
from tapdesk.models.model import GRID_MODELS, MODELS, Truth
from tapdesk.project.project import Analysis

LONG = 240_000


def named(window, qtbot, **changes):
    window.session.choose(named=replace(window.session.plan.named, **changes))
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)


def run(window, qtbot):
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        window.run()


def test_more_options_are_closed_until_asked_for_and_offer_every_model(jury, qtbot):
    jury.go(1)
    more = jury.model.choices.more
    assert not more.is_open
    assert not more.inside.isVisible()
    qtbot.mouseClick(more.head, Qt.MouseButton.LeftButton)
    assert more.inside.isVisible()
    models = jury.model.choices.options.model
    assert [models.itemData(i) for i in range(models.count())] == ["", *(m.name for m in (*MODELS, *GRID_MODELS))]


def test_a_model_chosen_by_name_is_what_is_run_and_what_the_sentence_says(jury, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 50)
    jury.go(1)
    jury.model.choices.more.open()
    options = jury.model.choices.options
    options.model.setCurrentIndex(options.model.findData("t-aj-p"))
    options.model.activated.emit(options.model.currentIndex())
    jury.session.choose(interval="wald")
    qtbot.waitUntil(lambda: jury.session.ready, timeout=LONG)
    assert "<b>t-aj-p</b>" in jury.model.sentence.text()
    assert "t-aj-p" in jury.model.light.title.text()
    run(jury, qtbot)
    analysis = jury.session.document.analysis
    assert analysis.fit.model.name == "t-aj-p"
    assert analysis.name.endswith("t-aj-p")
    assert jury.session.out_of_date == ""


def test_the_question_decides_again_about_the_model_when_another_one_is_chosen(jury, qtbot):
    named(jury, qtbot, model="dawid-skene")
    jury.go(1)
    jury.model.cards[1].click()
    assert jury.session.plan.model.name == "t-aj-pj"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"estimator": "posterior", "priors": "a=beta(2;5"}, "cannot be read"),
        ({"estimator": "posterior", "priors": "b=beta(2,5)"}, "no parameter 'b'"),
        ({"estimator": "posterior", "priors": "a=beta(0,5)"}, "must lie between"),
        ({"estimator": "moment-em", "model": "t-aj-p"}, "Moment E-M is for the model t-a-p"),
        ({"model": "ti-aj-P"}, "has beliefs only"),
        ({"model": "t-a(x)-p"}, "the file has none"),
    ],
)
def test_what_cannot_be_run_is_refused_before_the_run_with_the_reason(jury, qtbot, changes, said):
    named(jury, qtbot, **changes)
    jury.go(1)
    assert said in jury.model.light.words.text()
    assert not jury.model.run.isEnabled()
    jury.session.run()
    assert not jury.session.fitting.running
    named(jury, qtbot, **{name: getattr(NO_OPTIONS, name) for name in changes})
    assert jury.model.run.isEnabled()


def test_a_sampled_posterior_shows_its_chains_and_r_hat_and_keeps_them_in_the_results(jury, qtbot):
    named(jury, qtbot, model="t-aj-p", estimator="posterior", priors="a=beta(2,2)", draws=200)
    jury.go(1)
    running, begun = jury.model.running, []
    jury.session.fitting.started.connect(lambda: begun.append((running.chains.isVisible(), running.trace.isVisible())))
    run(jury, qtbot)
    # There is room for the chains before one of them has moved: the window is laid out once.
    assert begun == [(True, False)]
    fit = jury.session.document.analysis.fit
    assert running.chains.isVisible()
    assert not running.trace.isVisible()
    assert {v.shape for v in running.chains.whole.values()} == {(16, 200)}
    # After the end of a run the pictures are drawn in turns of the event loop.
    qtbot.waitUntil(lambda: "R-hat" in running.chains.accessibleDescription(), timeout=LONG)
    jury.go(2)
    results = jury.results
    assert results.part_blocks["search"].settled.currentWidget() is results.part_blocks["search"].settled.chains
    _, rows = results.part_blocks["search"].rows
    assert [row[:3] for row in rows][:2] == [("t, truly “no medal, bronze”", "16", "200"), ("a “Ana”", "16", "200")]
    told = dict(results.part_blocks["words"].rows[1])
    assert f"R-hat is {fit.posterior.rhat:.3f}" in told["The chains"]


def test_a_posterior_that_was_added_up_says_that_nothing_had_to_settle(jury, qtbot):
    named(jury, qtbot, estimator="posterior")
    jury.go(1)
    run(jury, qtbot)
    assert not jury.model.running.chains.isVisible()
    assert jury.model.running.ridge.count > 0
    jury.go(2)
    assert "nothing had to settle" in jury.results.part_blocks["search"].trouble.text()
    assert "added up" in dict(jury.results.part_blocks["words"].rows[1])["The sum"]


@pytest.mark.parametrize(
    "plan",
    [
        Plan(),
        Plan(QUESTIONS[2], Guesses.TIED, 0.9, "wald", 7),
        Plan(named=ExpertOptions("t-aj-p", estimator="posterior", priors="a=beta(2,5)", draws=300)),
        Plan(QUESTIONS[1], Guesses.OWN, named=ExpertOptions(replicates=99), label="second look"),
        Plan(QUESTIONS[3], Guesses.OWN, named=ExpertOptions("dawid-skene"), label="2"),
        Plan(named=ExpertOptions("ti-aj-P", estimator="posterior", sharpness=12.5, chains=8)),
        Plan(named=ExpertOptions(estimator="moment-em", moment_prior="flat")),
        Plan(named=ExpertOptions("t-a-p", uniform=True)),
    ],
)
def test_an_analysis_that_is_opened_again_leads_to_the_choices_it_was_made_with(plan):
    found = plan_of(Analysis(plan.shown_label, plan.request(), question=plan.question.key))
    assert found.request() == plan.request()
    assert found.name == plan.name
    assert found.question is plan.question


def test_why_this_model_tells_what_it_assumes_and_what_the_design_allows(jury):
    jury.go(1)
    jury.model.why.click()
    rows = dict(jury.model.page.rows)
    assert rows["What it assumes"] == jury.session.plan.model.about
    assert rows["What your design allows"] == jury.session.judgement.used.words
    jury.model.page.hide()


def typed(line, words):
    line.setText(words)
    line.editingFinished.emit()


def picked(choice, value):
    choice.setCurrentIndex(choice.findData(value))
    choice.activated.emit(choice.currentIndex())


def test_a_model_of_beliefs_only_brings_its_estimator_and_takes_it_away_again(jury):
    jury.go(1)
    jury.model.choices.more.open()
    options = jury.model.choices.options
    assert not options.sharpness.isVisible()
    picked(options.model, "ti-aj-P")
    assert jury.session.plan.named.estimator == "posterior"
    assert options.sharpness.isVisible()
    typed(options.sharpness, "12.5")
    typed(options.chains, "8")
    request = jury.session.plan.request()
    assert (request.estimator, request.sharpness, request.chains) == ("posterior", 12.5, 8)
    picked(options.model, "t-aj-p")
    assert jury.session.plan.named.estimator == "exact-em"
    assert not options.sharpness.isVisible()


def test_truth_and_the_prior_of_moment_em_are_chosen_where_they_have_an_effect(jury):
    jury.go(1)
    jury.model.choices.more.open()
    options = jury.model.choices.options
    picked(options.truth, value=True)
    assert jury.session.plan.request().model.truth is Truth.UNIFORM
    assert "classes equally common" in jury.session.plan.name
    # A model whose truth is that of the groups has no such choice.
    picked(options.model, "tg-a-p")
    assert jury.session.plan.request().model.truth is Truth.PER_GROUP
    assert not options.truth.isVisible()
    picked(options.model, "")
    assert not options.moment_prior.isVisible()
    picked(options.estimator, "moment-em")
    assert options.moment_prior.isVisible()
    picked(options.moment_prior, "flat")
    assert jury.session.plan.request().moment_prior == "flat"


def test_the_pictures_of_a_sampled_posterior_move_during_warm_up_and_begin_anew_with_the_draws(jury, qtbot):
    named(jury, qtbot, model="t-aj-p", estimator="posterior", draws=100)
    jury.go(1)
    running, seen = jury.model.running, []

    def look(steps):
        for step in steps:
            if "warm" in step.values:
                seen.append(("warm", running.chains.words_of_rhat()))
            elif "draws" in step.values:
                seen.append(("draws", running.chains.words_of_rhat()))

    jury.session.fitting.stepped.connect(look)
    run(jury, qtbot)
    kinds = [kind for kind, _words in seen]
    assert kinds[0] == "warm"
    assert kinds == sorted(kinds, reverse=True)
    assert any("warming up" in words for kind, words in seen if kind == "warm")
    # What was passed on the way is no draw: the picture that stays has the draws alone.
    assert {values.shape for values in running.chains.whole.values()} == {(16, 100)}
    assert "warming up" not in running.chains.words_of_rhat()


def test_raters_of_one_population_have_no_priors_of_their_own_to_be_set(jury, qtbot):
    named(jury, qtbot, model="t-aj-pj", estimator="posterior", priors="t=beta(2,2)")
    jury.go(1)
    options = jury.model.choices.options
    jury.model.choices.more.open()
    assert options.pool.isVisible()
    assert options.priors.isVisible()
    qtbot.mouseClick(options.pool, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: jury.session.ready, timeout=LONG)
    chosen = jury.session.plan.named
    assert (chosen.pool, chosen.priors, chosen.covariates) == (True, "", ())
    assert not options.priors.isVisible()
    # A panel without further columns has none to be ticked.
    assert not options.chips.isVisible()
