"""What stands beside models of the grid, as JSON and as text: the same numbers, by the names the papers give them."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tapdesk.answers.grid_parts import CONTRASTS, POPULATION
from tapdesk.answers.paper import _population
from tapdesk.cli.main import main
from tapdesk.fitting.sampling.pooled import ALIKE, PoolRequest, pooled_raters
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse


@pytest.fixture
def asked(capsys):
    """The one fit of a command as JSON, or its text."""

    def ask(*arguments: str, text: bool = False):
        status = main([*arguments, *(() if text else ("--json",))])
        out, err = capsys.readouterr()
        assert status == 0, err
        return " ".join(out.split()) if text else json.loads(out)["fits"][0]

    return ask


def table(tmp_path: Path, head: str, rows) -> str:
    file = tmp_path / "ratings.csv"
    file.write_text("\n".join((head, *rows)) + "\n")
    return str(file)


class TestCasesThatDiffer:
    COUNTS = ((6, 0, 20), (6, 1, 30), (6, 2, 9), (6, 3, 9), (6, 4, 9), (6, 5, 30), (6, 6, 20))
    READ = ("--layout", "counts", "--interval", "none")

    def test_the_range_names_every_way_and_what_fits(self, asked, tmp_path):
        file = table(tmp_path, "n_ratings,n_class1,weight", (",".join(map(str, row)) for row in self.COUNTS))
        fit = asked("fit", file, *self.READ, "--model", "t-ah-p")
        rows = {row["model"]: row for row in fit["dependence"]}
        assert list(rows) == ["t-a-p", "t-ah-p", "t-ai-p", "t-a-pi"]
        best = max(row["log_likelihood"] for row in rows.values())
        assert all(row["fits"] is (best - row["log_likelihood"] <= 1.92) for row in rows.values())
        assert rows["t-ah-p"]["log_likelihood"] == pytest.approx(fit["log_likelihood"]["ratings"], abs=1e-6)
        assert all(0 <= row["a"] <= 1 and 0 <= row["t"] <= 1 for row in rows.values())
        text = asked("fit", file, *self.READ, "--model", "t-ah-p", text=True)
        assert "What if some cases are harder than others?" in text
        assert "of 100 ratings follow the case if all cases are equally hard;" in text
        assert "None of these numbers is the accuracy corrected for difficulty, and no single case is shown" in text
        assert "What fits lies within 1.92 of the best log-likelihood" in text

    def test_what_explains_the_ratings_worse_is_said_to(self, asked, tmp_path):
        # Fewer unanimous cases than even cases that are alike would have.
        counts = ((6, 0, 1), (6, 1, 60), (6, 2, 9), (6, 4, 9), (6, 5, 60), (6, 6, 1))
        file = table(tmp_path, "n_ratings,n_class1,weight", (",".join(map(str, row)) for row in counts))
        text = asked("fit", file, *self.READ, "--model", "t-ai-p", text=True)
        assert "These ratings go with each of these." in text

    def test_three_ratings_of_a_case_cannot_show_it(self, asked, tmp_path):
        counts = ((3, 0, 30), (3, 1, 12), (3, 2, 12), (3, 3, 30))
        file = table(tmp_path, "n_ratings,n_class1,weight", (",".join(map(str, row)) for row in counts))
        fit = asked("fit", file, *self.READ, "--model", "t-ah-p")
        assert [row["fits"] for row in fit["dependence"]] == [True, False, False, False]
        text = asked("fit", file, *self.READ, "--model", "t-ah-p", text=True)
        assert "of 100 ratings following the case fit as well, and fewer if some mislead everybody." in text
        assert "With so few ratings of each case it cannot be seen whether some cases are harder than" in text

    def test_a_plain_fit_that_nothing_speaks_against_tells_what_it_could_not_see(self, asked, tmp_path):
        counts = ((4, 0, 40), (4, 1, 22), (4, 2, 12), (4, 3, 22), (4, 4, 40))
        file = table(tmp_path, "n_ratings,n_class1,weight", (",".join(map(str, row)) for row in counts))
        fit = asked("fit", file, "--layout", "counts")
        assert [row["fits"] for row in fit["dependence"]] == [True] * 4
        low = next(row["low"] for row in fit["dependence"] if row["model"] == "t-ai-p")
        high = next(row["high"] for row in fit["estimates"] if row["name"] == "a")
        text = " ".join(asked("fit", file, "--layout", "counts", text=True).split())
        assert (
            f"if all cases are equally hard; {100 * low:.0f} to {100 * high:.0f} if some are harder than others."
            in text
        )
        assert "not rejected is not right" in text

    def test_tests_are_named_and_bring_the_range_with_them(self, asked, tmp_path):
        counts = ((4, 0, 40), (4, 1, 22), (4, 2, 12), (4, 3, 22), (4, 4, 40))
        file = table(tmp_path, "n_ratings,n_class1,weight", (",".join(map(str, row)) for row in counts))
        fit = asked("fit", file, *self.READ, "--tests", "--replicates", "20")
        (test,) = [t for t in fit["tests"] if t["name"] == "no-difficulty"]
        assert (test["df"], test["p_holm"], test["group"], test["replicates"]) == (None, None, None, 20)
        assert len(fit["dependence"]) == 4


class TestGroups:
    @pytest.fixture
    def wards(self, tmp_path) -> str:
        rng = np.random.default_rng(8)
        rows = []
        for i in range(240):
            ward = "east" if i % 2 else "west"
            true = rng.random() < (0.7 if ward == "east" else 0.2)
            cells = [true if rng.random() < 0.75 else rng.random() < 0.4 for _rater in range(3)]
            rows.append(",".join((f"c{i}", ward, *("yes" if c else "no" for c in cells))))
        return table(tmp_path, "case,ward,A,B,C", rows)

    READ = ("--layout", "raters", "--columns", "A,B,C", "--class1", "yes", "--by", "ward")

    def test_differences_have_intervals_of_their_own(self, asked, wards):
        fit = asked("fit", wards, *self.READ, "--model", "tg-a-p")
        (one,) = fit["contrasts"]
        truth = {e["group"]: e["value"] for e in fit["estimates"] if e["name"] == "t"}
        assert (one["name"], one["of"], one["minus"], one["class"], one["rater"]) == ("t", "east", "west", None, None)
        assert one["value"] == pytest.approx(truth["east"] - truth["west"], abs=1e-12)
        assert 0 < one["low"] < one["value"] < one["high"]
        text = asked("fit", wards, *self.READ, "--model", "tg-a-p", text=True)
        assert "How much do groups or questions differ?" in text
        assert "More cases of “east” than of “west” are truly “yes”:" in text
        assert "profile-likelihood intervals of the differences; whether the intervals of two groups meet" in text
        assert CONTRASTS.explanation.startswith(
            "The difference of every two groups, or questions, with an interval of its own. Where the interval leaves"
        )

    def test_groups_that_are_alike_are_not_said_to_be(self, asked, wards):
        text = asked("fit", wards, *self.READ, "--model", "tg-ag-p", text=True)
        assert "“east” minus “west”" in text
        fit = asked("fit", wards, *self.READ, "--model", "tg-ag-p")
        assert {c["name"] for c in fit["contrasts"]} == {"t", "a"}

    def test_without_intervals_there_are_no_differences(self, asked, wards):
        assert asked("fit", wards, *self.READ, "--model", "tg-a-p", "--interval", "none")["contrasts"] is None

    def test_equality_is_tested(self, asked, wards):
        more = ("--model", "tg-ag-p", "--interval", "none", "--tests", "--replicates", "20")
        tests = {t["name"]: t for t in asked("fit", wards, *self.READ, *more)["tests"]}
        assert tests["equal-t-groups"]["p_bootstrap"] < 0.05
        assert tests["equal-a-groups"]["p_bootstrap"] > 0.05
        assert tests["equal-t-groups"]["df"] == 1

    def test_each_group_alone_has_its_p_value_of_all_together(self, asked, wards):
        more = ("--model", "tg-a-pg", "--interval", "none", "--tests", "--replicates", "20")
        alone = [t for t in asked("fit", wards, *self.READ, *more)["tests"] if t["name"] == "equal-a-group"]
        # As they come in the file.
        assert [t["group"] for t in alone] == ["west", "east"]
        assert all(t["p_bootstrap"] <= t["p_holm"] <= 1 for t in alone)
        text = asked("fit", wards, *self.READ, *more, text=True)
        assert "“east” is rated as accurately as the others." in text


class TestRepeats:
    @pytest.fixture
    def rounds(self, tmp_path) -> str:
        rng = np.random.default_rng(3)
        rows = []
        for i in range(40):
            true = rng.random() < 0.4
            for j in range(3):
                last = None
                for turn in (1, 2) if i < 25 else (1,):
                    given = true if rng.random() < 0.7 else rng.random() < 0.5
                    last = last if last is not None and rng.random() < 0.6 else given
                    rows.append(f"c{i},r{j},{turn},{'yes' if last else 'no'}")
        return table(tmp_path, "case,rater,round,rating", rows)

    NONE = ("--interval", "none")

    def test_consistency_stands_beside_what_skill_makes_of_it(self, asked, rounds):
        fit = asked("fit", rounds, *self.NONE, "--model", "t-aj-p")
        rows = fit["consistency"]
        assert [row["rater"] for row in rows] == ["r0", "r1", "r2"]
        assert all(row["pairs"] == 25 and row["memory"] is None for row in rows)
        truth = {e["name"]: e["value"] for e in fit["estimates"] if e["rater"] is None}
        a = fit["estimates"][1]["value"]
        t, p = truth["t"], truth["p"]
        rates = [(1 - a) * p, a + (1 - a) * p]
        expected = sum(w * (q**2 + (1 - q) ** 2) for w, q in zip((1 - t, t), rates, strict=True))
        assert rows[0]["expected_same"] == pytest.approx(expected, abs=1e-9)
        text = asked("fit", rounds, *self.NONE, "--model", "t-aj-p", text=True)
        assert " of 25 pairs of own ratings of one case; accuracy and leaning alone make" in text
        assert "Consistency is not accuracy: who always errs in the same way is consistent." in text

    def test_the_order_of_ratings_tells_copies(self, asked, rounds):
        more = (*self.NONE, "--occasion", "round", "--model", "t-aj-p+m")
        fit = asked("fit", rounds, *more)
        memory = {e["rater"]: e["value"] for e in fit["estimates"] if e["name"] == "m"}
        assert memory == pytest.approx({row["rater"]: row["memory"] for row in fit["consistency"]})
        text = asked("fit", rounds, *more, text=True)
        assert "repeats of r0 that copy the answer before" in text
        assert "an answer that is remembered, or a habit with single cases" in text
        assert "The panel as a whole" not in text

    def test_memory_is_tested(self, asked, rounds):
        more = (*self.NONE, "--occasion", "round", "--model", "t-aj-p", "--tests", "--replicates", "20")
        (test,) = [t for t in asked("fit", rounds, *more)["tests"] if t["name"] == "memory"]
        assert test["p_bootstrap"] < 0.05

    @pytest.mark.parametrize(
        ("more", "status", "sentence"),
        [
            (("--model", "t-aj-p+m"), 4, "Nothing says in which order a rater rated a case again"),
            (("--model", "t-a-p", "--occasion", "round"), 2, "--occasion has an effect only with the models t-aj-p"),
            (("--model", "t-aj-p", "--occasion", "nope"), 2, "There is no column 'nope'"),
        ],
    )
    def test_what_cannot_be_asked_is_refused(self, capsys, rounds, more, status, sentence):
        assert main(["fit", rounds, *more]) == status
        assert sentence in " ".join(capsys.readouterr().err.split())

    def test_nobody_is_said_to_remember_who_does_not(self, asked, tmp_path):
        rng = np.random.default_rng(5)
        true = rng.random(60) < 0.5
        rows = (
            f"c{i},r{j},{turn},{'yes' if (true[i] if rng.random() < 0.8 else rng.random() < 0.5) else 'no'}"
            for i in range(60)
            for j in range(3)
            for turn in ((1, 2) if i < 20 else (1,))
        )
        file = table(tmp_path, "case,rater,round,rating", rows)
        text = asked("fit", file, *self.NONE, "--model", "t-aj-p", text=True)
        assert "For nobody is that more than they explain by more than luck." in text


class TestPanelAgainstTheKey:
    READ = ("--layout", "raters", "--columns", "A,B,C", "--class1", "yes", "--known", "key", "--interval", "none")

    @pytest.fixture
    def astray(self, tmp_path) -> str:
        """Raters who follow a consensus that is the truth in seven of ten cases; of a hundred cases it is known."""
        rng = np.random.default_rng(11)
        rows = []
        for i in range(220):
            true = rng.random() < 0.5
            together = true if rng.random() < 0.7 else not true
            cells = [together if rng.random() < 0.85 else rng.random() < 0.5 for _rater in range(3)]
            words = ["yes" if c else "no" for c in (*cells, true)]
            rows.append(",".join((f"c{i}", *words[:3], words[3] if i < 100 else "")))
        return table(tmp_path, "case,A,B,C,key", rows)

    def test_a_panel_that_is_wrong_together_is_seen(self, asked, astray):
        more = ("--known-use", "certain", "--model", "t-aj-pj")
        known = asked("fit", astray, *self.READ, *more)["known"]
        panel, key = known["accuracy"]
        assert (panel["against"], key["against"]) == ("panel", "key")
        assert known["consensus"]["value"] == pytest.approx(key["value"] / panel["value"])
        assert known["together"]["p_bootstrap"] < 0.05
        assert known["together"]["mismatches"] > 20
        text = asked("fit", astray, *self.READ, *more, text=True)
        assert "this one seems to be wrong together" in text
        said = asked("fit", astray, *self.READ, *more)["headline"]
        assert said["sentence"].endswith("more than with the known answers: the panel seems to be wrong together.")
        assert "of 100 cases most raters gave the same wrong rating." in said["follows"]
        raters = known["together"]["raters"]
        assert [row["rater"] for row in raters] == ["A", "B", "C"]
        assert all(row["key"]["value"] < row["panel"]["value"] for row in raters)
        assert "Each rater against what is known, and against the panel" in text
        assert "Sensitivity (“yes”, " in text
        assert "Specificity (“no”, " in text
        assert "Do not rely on the accuracy of 0." in said["follows"]
        assert "Accuracy against what is known" in text
        assert "of a known class, the panel’s own shared pattern of answers names another class for" in text
        assert "Intervals from resamples, known cases and the others each for themselves." in text
        assert "How often are the raters right?" in text

    def test_where_raters_are_taken_for_alike_no_verdict_is_given(self, asked, astray):
        text = asked("fit", astray, *self.READ, "--known-use", "certain", text=True)
        assert "Whether that is more than chance a model must say that tells raters apart, such as t-aj-pj" in text
        assert "wrong together." not in text

    @pytest.mark.parametrize(
        ("seed", "sentence"),
        [
            (4, "That does not show that this one is right: few known cases notice little."),
            # Three of a hundred such panels are rejected by luck.
            (2, "So something is amiss, but raters are not clearly less accurate against what is known"),
        ],
    )
    def test_that_nothing_is_seen_proves_nothing(self, asked, tmp_path, seed, sentence):
        rng = np.random.default_rng(seed)
        rows = []
        for i in range(150):
            true = rng.random() < 0.5
            cells = [true if rng.random() < 0.7 else rng.random() < 0.5 for _rater in range(3)]
            words = ["yes" if c else "no" for c in (*cells, true)]
            rows.append(",".join((f"c{i}", *words[:3], words[3] if i < 30 else "")))
        file = table(tmp_path, "case,A,B,C,key", rows)
        text = asked("fit", file, *self.READ, "--known-use", "certain", "--model", "t-aj-pj", text=True)
        assert sentence in text

    def test_the_test_is_among_those_that_were_asked_for(self, asked, astray):
        more = ("--known-use", "certain", "--model", "t-aj-pj", "--interval", "none", "--tests", "--replicates", "3")
        fit = asked("fit", astray, *self.READ, *more)
        one = next(test for test in fit["tests"] if test["name"] == "together")
        assert one["p_bootstrap"] == fit["known"]["together"]["p_bootstrap"]
        assert one["statistic"] == fit["known"]["together"]["log_score"]

    def test_a_panel_that_tells_no_accuracy_without_the_key_is_held_against_nothing(self, asked, tmp_path):
        cells = [("yes", r) for r in ["yes"] * 30 + ["no"] * 10] + [("no", r) for r in ["yes"] * 12 + ["no"] * 28]
        cells += [("", r) for r in ["yes"] * 45 + ["no"] * 55]
        file = table(tmp_path, "case,Ana,key", (f"c{i},{r},{key}" for i, (key, r) in enumerate(cells)))
        read = ("--layout", "raters", "--columns", "Ana", "--known", "key", "--interval", "none")
        assert asked("fit", file, *read, "--known-use", "certain")["known"]["together"] is None


class TestScores:
    READ = ("--layout", "raters", "--columns", "A,B,C,D", "--order", "low,mid,high", "--interval", "none")

    @pytest.fixture
    def graded(self, tmp_path) -> str:
        rng = np.random.default_rng(6)
        words = np.array(["low", "mid", "high"])
        rows = []
        for i in range(60):
            true = rng.integers(3)
            seen = [int((rng.logistic() + 2.5 * true > np.array([1.0, 3.5])).sum()) for _rater in range(4)]
            rows.append(",".join((f"c{i}", *words[seen])))
        return table(tmp_path, "case,A,B,C,D", rows)

    def test_scores_follow_from_the_beliefs(self, asked, graded):
        rows = asked("fit", graded, *self.READ, "--model", "sdt-1", "--subjects")["subjects"]
        for row in rows:
            low, mid, high = row["probabilities"].values()
            assert row["expected_score"] == pytest.approx(low + 2 * mid + 3 * high)
            assert list(row["at_least"].values()) == pytest.approx([1, mid + high, high])
            assert list(row["top"]) == ["1", "3", "10"]
        for most in (1, 3, 10):
            assert sum(row["top"][str(most)] for row in rows) == pytest.approx(most)
        assert max(rows, key=lambda row: row["top"]["1"])["expected_score"] > 2.5

    def test_the_headline_tells_right_next_to_it_and_further_away(self, asked, graded):
        fit = asked("fit", graded, *self.READ, "--model", "sdt-1")
        found = {(e["name"], e["class"] or e["cut"]): e["value"] for e in fit["estimates"]}
        truth = np.array([found["t", label] for label in ("low", "mid", "high")])
        lines, d = np.array([found["tau", "low|mid"], found["tau", "mid|high"]]), found["d", None]
        below = 1 / (1 + np.exp(-(lines[None] - d * np.arange(3)[:, None])))
        rates = np.diff(np.concatenate([np.zeros((3, 1)), below, np.ones((3, 1))], axis=1), axis=1)
        step = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
        right, near, _far = (round(100 * float((truth[:, None] * rates)[step == k].sum())) for k in range(3))
        sentence = fit["headline"]["sentence"]
        assert f"{right} name the true class, about {near} the one next to it and fewer than 1 one further" in sentence
        assert sentence.endswith("by the best fit.")

    def test_scores_are_listed_from_the_best(self, asked, graded):
        text = asked("fit", graded, *self.READ, "--model", "sdt-1", "--subjects", text=True)
        assert "Which cases stand highest?" in text
        assert "Score: the class to be expected, the lowest counting 1;" in text
        assert "Another model may order cases otherwise: the ratings of a few raters decide little." in text

    def test_without_beliefs_there_are_none(self, asked, graded):
        fit = asked("fit", graded, *self.READ, "--model", "sdt-1")
        assert fit["subjects"] is None
        assert "Which cases stand highest?" not in asked("fit", graded, *self.READ, "--model", "sdt-1", text=True)

    def test_near_misses_are_told_and_tested(self, asked, graded):
        more = ("--model", "t-an-p", "--tests", "--replicates", "20")
        fit = asked("fit", graded, *self.READ, *more)
        found = {e["name"]: e["value"] for e in fit["estimates"]}
        assert "near-misses" in [t["name"] for t in fit["tests"]]
        text = asked("fit", graded, *self.READ, *more, text=True)
        assert "fall next to it and" in text
        assert "how sure that is cannot be said" in text
        assert "misses that fall next to the truth" in text
        assert 0 < found["n"] <= 1
        bounds = ("--layout", "raters", "--columns", "A,B,C,D", "--order", "low,mid,high", "--model", "t-an-p")
        assert "follow the case (between" in asked("fit", graded, *bounds, text=True)


class TestPool:
    READ = ("--model", "t-aj-p", "--estimator", "posterior", "--chains", "4", "--draws", "60")

    def test_raters_are_drawn_towards_each_other(self, asked):
        fit = asked("fit", "sample:dawid-skene-1979", *self.READ, "--pool")
        ratings = read_now("sample:dawid-skene-1979").ratings
        found = finish(pooled_raters(ratings, 1, PoolRequest(4, 60)))
        told = {(e["name"], e["rater"], e["class"]): e["value"] for e in fit["estimates"]}
        assert told == pytest.approx({(n.name.name, n.name.rater, n.name.category): n.mean for n in found.numbers})
        assert fit["population"]["alike"] == pytest.approx(found.alike)
        assert fit["population"]["within"] == ALIKE
        assert fit["population"]["typical"]["mean"] == pytest.approx(found.typical.mean)
        assert fit["population"]["new"]["sd"] == pytest.approx(found.new.sd)
        free = asked("fit", "sample:dawid-skene-1979", *self.READ)
        assert free["population"] is None
        own = {e["rater"]: e["value"] for e in free["estimates"] if e["name"] == "a"}
        pooled = {rater: value for (name, rater, _class), value in told.items() if name == "a"}
        assert np.std(list(pooled.values())) < np.std(list(own.values()))

    def test_what_is_believed_of_all_raters_is_said(self, asked):
        text = asked("fit", "sample:dawid-skene-1979", *self.READ, "--pool", text=True)
        assert "are alike for practical purposes has a probability of" in text
        assert "That nobody differs at all is a matter of a test, not of belief." in text
        assert "A typical anaesthetist" in text
        assert "are drawn from one population, so that those with few ratings are drawn towards" in text
        assert POPULATION.explanation.startswith("The accuracies of the raters are taken for a sample of a population")
        assert POPULATION.title == "What if raters come from one population?"

    @pytest.fixture
    def ages(self, tmp_path):
        """Seven raters of 50 cases with leanings of their own, who know less the older they are; one room for all."""
        rng = np.random.default_rng(5)
        truth = rng.random(50) < 0.4
        lines = ["case,rater,age,room,rating"]
        for j, age in enumerate((25, 31, 38, 44, 50, 57, 70)):
            lean = rng.uniform(0.2, 0.7)
            for i in range(50):
                says = truth[i] if rng.random() < 1 / (1 + np.exp(0.07 * (age - 25) - 2.5)) else rng.random() < lean
                lines.append(f"C{i + 1},R{j + 1},{age},1,{'yes' if says else 'no'}")
        file = tmp_path / "ages.csv"
        file.write_text("\n".join(lines) + "\n")
        return str(file)

    def test_what_is_known_of_raters_goes_with_their_accuracy(self, asked, ages):
        more = ("--estimator", "posterior", "--chains", "6", "--draws", "150", "--pool", "--covariates", "age")
        fit = asked("fit", ages, "--model", "t-aj-pj", *more)
        (along,) = fit["population"]["along"]
        slope = next(e for e in fit["estimates"] if e["name"] == "b")
        assert slope["covariate"] == "age"
        assert slope["high"] < 0
        assert (along["covariate"], along["first"], along["last"], along["raters"]) == ("age", 25, 70, 7)
        assert along["changes"]
        assert along["at_first"]["value"] > along["at_last"]["high"]
        # Per year, so that the logit of a typical rater moves by 45 of it between the ends.
        first, last = (np.log(along[k]["value"] / (1 - along[k]["value"])) for k in ("at_first", "at_last"))
        assert (last - first) / 45 == pytest.approx(slope["value"], rel=0.15)
        assert {e["name"] for e in fit["estimates"]} == {"t", "a", "p", "x", "mu", "b", "omega"}
        text = asked("fit", ages, "--model", "t-aj-pj", *more, text=True)
        assert "Accuracy changes with age: 0." in text
        assert "Both are meant at the mean of age. What goes with accuracy is told by 7 raters, however many" in text
        assert "how unlike raters guess, from 0 to 1" in text

    def test_a_paper_says_how_raters_were_pooled(self, ages):
        ratings = read_now(ages).ratings
        small = {"estimator": "posterior", "chains": 4, "draws": 50, "pool": True}
        plain = finish(analyse(ratings, Request(model("t-aj-p"), **small)))
        whole = "The accuracies of the raters were taken for draws from one population, normal on the logit scale"
        assert _population(plain) == f"{whole}."
        by_age = finish(analyse(ratings, Request(replace(model("t-aj-p"), covariates=("age",)), **small)))
        assert _population(by_age) == f"{whole}, around a line along age."
        assert _population(finish(analyse(ratings, Request(model("t-aj-p"), interval="none")))) == ""

    @pytest.mark.parametrize(
        ("more", "status", "sentence"),
        [
            (("--covariates", "room", "--pool"), 4, "'room' is not a number that is known of every rater and differs"),
            (("--covariates", "age"), 2, "--covariates has an effect in 'tapdesk fit' only together with --pool"),
        ],
    )
    def test_a_column_that_tells_no_raters_apart_is_refused(self, capsys, ages, more, status, sentence):
        assert main(["fit", ages, "--model", "t-aj-p", "--estimator", "posterior", *more]) == status
        assert sentence in " ".join(capsys.readouterr().err.split())

    @pytest.mark.parametrize(
        ("more", "sentence"),
        [
            (("--model", "t-aj-p"), "--pool has an effect only with a sampled posterior"),
            (("--model", "t-a-pj", "--estimator", "posterior"), "--pool has an effect only with the models t-aj-p"),
            (
                ("--model", "t-aj-p", "--estimator", "posterior", "--prior", "a=beta(1,2)"),
                "--prior has no effect together with --pool",
            ),
        ],
    )
    def test_where_raters_are_not_pooled_it_is_refused(self, capsys, more, sentence):
        assert main(["fit", "sample:dawid-skene-1979", *more, "--pool"]) == 2
        assert sentence in " ".join(capsys.readouterr().err.split())


class TestDrift:
    @pytest.fixture
    def shifts(self, tmp_path):
        """Four raters of 90 cases, each in an order of their own; the second tires."""
        rng = np.random.default_rng(3)
        rows = []
        truth = rng.random(90) < 0.4
        for j in range(4):
            for turn, i in enumerate(rng.permutation(90)):
                skill = 0.97 - 0.9 * turn / 90 if j == 1 else 0.75
                given = truth[i] if rng.random() < skill else rng.random() < 0.5
                rows.append(f"c{i},r{j},{turn + 1},{'yes' if given else 'no'}")
        return table(tmp_path, "case,rater,turn,rating", rows)

    @pytest.mark.parametrize("name", ["t-a-p", "t-aj-p"])
    def test_accuracy_along_the_order_stands_beside_the_fit(self, asked, shifts, name):
        more = ("--interval", "none", "--model", name, "--drift", "turn")
        rows = asked("fit", shifts, *more)["drift"]
        assert [row["rater"] for row in rows] == [None, "r0", "r1", "r2", "r3"]
        assert [row["rater"] for row in rows if row["rater"] and row["p_holm"] <= 0.05] == ["r1"]
        assert rows[2]["change"] == pytest.approx(rows[2]["last"] - rows[2]["first"])
        text = asked("fit", shifts, *more, text=True)
        assert "r1 became less accurate: of 90 ratings" in text
        assert all(head in text for head in ("First tenth", "Last tenth", "Change"))
        assert "Did accuracy change along the way?" in text
        assert asked("fit", shifts, "--interval", "none", "--model", name)["drift"] is None

    def test_what_orders_nothing_says_why(self, shifts, capsys):
        assert main(["fit", shifts, "--model", "t-aj-p", "--drift", "nope"]) == 2
        assert "There is no column 'nope'" in " ".join(capsys.readouterr().err.split())
        assert main(["fit", shifts, "--model", "dawid-skene", "--drift", "turn"]) == 2
        assert "--drift has an effect only with the models t-a-p, t-aj-p" in " ".join(capsys.readouterr().err.split())
