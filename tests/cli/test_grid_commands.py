"""The grid on the command line: groups, known answers, cases that differ, ordered classes, each with what is said."""

import json
from pathlib import Path

import numpy as np
import pytest

from tapdesk.cli.main import main

# Hui & Walter 1980 (Biometrics 36:167), table 1: two tests in two populations, ++ +- -+ --.
HUI_WALTER = {"district": (14, 4, 9, 528), "sanatorium": (887, 31, 37, 367)}
PAIRS = (("1", "1"), ("1", "0"), ("0", "1"), ("0", "0"))


@pytest.fixture
def two_tests(tmp_path: Path) -> str:
    rows = [
        f"{place},{first},{second},{n}"
        for place, counts in HUI_WALTER.items()
        for (first, second), n in zip(PAIRS, counts, strict=True)
    ]
    file = tmp_path / "two.csv"
    file.write_text("\n".join(("place,mantoux,tine,n", *rows)) + "\n")
    return str(file)


@pytest.fixture
def asked(capsys):
    """The fits of a command as JSON, or its text."""

    def ask(*arguments: str, text: bool = False):
        status = main([*arguments, *(() if text else ("--json",))])
        out, err = capsys.readouterr()
        assert status == 0, err
        return " ".join(out.split()) if text else json.loads(out)["fits"]

    return ask


READ = ("--columns", "mantoux,tine", "--class1", "1", "--count", "n")


def refused(capsys, *arguments: str) -> tuple[int, str]:
    status = main([*arguments])
    return status, " ".join(capsys.readouterr().err.split())


class TestGroups:
    def test_two_tests_in_two_populations_have_the_published_rates(self, asked, two_tests):
        fit, *_more = asked("fit", two_tests, *READ, "--by", "place", "--model", "tg-dawid-skene", "--interval", "none")
        truth = {e["group"]: e["value"] for e in fit["estimates"] if e["name"] == "t"}
        assert truth == pytest.approx({"district": 0.0268, "sanatorium": 0.7168}, abs=5e-5)
        assert fit["identified"]
        assert fit["group"] is None

    def test_shares_of_groups_are_said_with_what_they_rest_on(self, asked, two_tests):
        text = asked("fit", two_tests, *READ, "--by", "place", "--model", "tg-a-p", "--interval", "wald", text=True)
        assert "Out of 100 cases, so many would truly be “1”: about 3 in “district” (1 to 4) and about 72" in text
        assert "That holds if the ratings are equally good in all groups." in text
        assert "it cannot be seen whether the groups differ in truth or in how well they are rated" in text
        assert "Out of 100 cases of “district”, about 3 would truly be “1” (between 1 and 4)." in text
        assert "With so few ratings of each case it can follow almost any data, so this proves nothing." in text

    def test_shares_without_intervals_are_said_alone(self, asked, two_tests):
        text = asked("fit", two_tests, *READ, "--by", "place", "--model", "tg-a-p", "--interval", "none", text=True)
        assert "about 3 in “district” and about 72 in “sanatorium”" in text
        assert "Out of 100 cases of “district”, about 3 would truly be “1”." in text

    def test_skill_by_group_rests_on_classes_that_are_equally_common(self, asked, two_tests):
        text = asked("fit", two_tests, *READ, "--by", "place", "--model", "t-ag-p", "--interval", "none", text=True)
        assert "Out of 100 ratings, so many follow the case: about" in text
        assert "That holds if the classes are equally common in all groups." in text

    def test_what_is_open_by_design_is_said_so(self, asked, two_tests):
        text = asked("fit", two_tests, *READ, "--by", "place", "--model", "tg-ag-p", "--interval", "none", text=True)
        assert "Each group has an accuracy of its own here, so there is no single one to report" in text
        assert "A design like this leaves open" in text

    def test_accuracies_of_raters_in_groups_are_listed(self, asked, two_tests):
        text = asked("fit", two_tests, *READ, "--by", "place", "--model", "t-ajg-p", "--interval", "none", text=True)
        assert "an accuracy of their own in each group here, so there is no single one to report" in text

    def test_guesses_of_a_group_are_told_of_that_group(self, asked, tmp_path):
        rows = (f"c{i},{'ab'[i % 2]},{i % 3 > 0:d},{i % 4 > 0:d},{i % 5 > 0:d},{i % 3 > 1:d}" for i in range(80))
        file = tmp_path / "four.csv"
        file.write_text("\n".join(("case,ward,A,B,C,D", *rows)) + "\n")
        more = ("--columns", "A,B,C,D", "--by", "ward", "--model", "t-a-pg", "--interval", "none")
        assert "of “a” does not follow the case, it comes out “1”" in asked("fit", str(file), *more, text=True)

    def test_without_a_model_of_groups_each_is_fitted_by_itself(self, asked, two_tests):
        fits = asked("fit", two_tests, *READ, "--by", "place", "--model", "t-a-t,t-a-p", "--interval", "none")
        assert [(fit["group"], fit["model"]) for fit in fits] == [
            ("district", "t-a-t"), ("district", "t-a-p"), ("sanatorium", "t-a-t"), ("sanatorium", "t-a-p"),
        ]  # fmt: skip
        own = asked("fit", two_tests, *READ, "--where", "place=district", "--model", "t-a-t", "--interval", "none")
        assert fits[0]["log_likelihood"] == pytest.approx(own[0]["log_likelihood"], abs=1e-8)
        text = asked("fit", two_tests, *READ, "--by", "place", "--model", "t-a-t", "--interval", "none", text=True)
        assert "sanatorium t-a-t, 1,322 cases" in text

    @pytest.mark.parametrize(
        ("rows", "model", "status", "sentence"),
        [
            (
                "c0,a,0,1\nc1,a,1,1\nc2,b,0,0",
                "tg-a-p",
                4,
                "of 'ward' has one case only, which tells nothing of a group.",
            ),
            ("c0,a,0,1\nc1,a,1,1\nc2,a,0,0", "tg-a-p", 4, "All ratings are of one group of 'ward'."),
            ("c0,a,0,1\nc1,a,1,1\nc2,,0,0", "tg-a-p", 4, "The column 'ward' has gaps."),
        ],
    )
    def test_groups_that_tell_nothing_are_refused_in_a_sentence(self, capsys, tmp_path, rows, model, status, sentence):
        file = tmp_path / "few.csv"
        file.write_text(f"case,ward,A,B\n{rows}\n")
        more = ("--columns", "A,B", "--by", "ward", "--model", model)
        assert refused(capsys, "fit", str(file), *more)[0] == status
        assert sentence in refused(capsys, "fit", str(file), *more)[1]

    def test_a_group_of_one_case_can_be_left_out(self, capsys, tmp_path):
        file = table(tmp_path, "case,ward,A,B", ("c0,a,0,1", "c1,a,1,1", "c2,b,0,0"))
        more = ("--columns", "A,B", "--by", "ward", "--model", "t-ag-p")
        assert "Leave it out, or join it with another group." in refused(capsys, "fit", file, *more)[1]

    def test_a_model_of_groups_asks_for_their_column(self, capsys, two_tests):
        status, words = refused(capsys, "fit", two_tests, *READ, "--model", "tg-a-p")
        assert (status, "Name their column with --by COL." in words) == (4, True)

    def test_a_group_that_varies_within_a_case_has_no_truth_of_its_own(self, capsys, tmp_path):
        rows = (f"c{i},r{j},{j % 2},{(i + j * (i % 3)) % 2}" for i in range(20) for j in range(4))
        file = tmp_path / "rounds.csv"
        file.write_text("\n".join(("case,rater,round,rating", *rows)) + "\n")
        status, words = refused(capsys, "fit", str(file), "--by", "round", "--model", "tg-a-p", "--interval", "none")
        assert (status, "are of several groups of 'round'" in words) == (4, True)
        assert main(["fit", str(file), "--by", "round", "--model", "t-ag-p", "--interval", "none", "--json"]) == 0


def table(tmp_path: Path, head: str, rows) -> str:
    file = tmp_path / "ratings.csv"
    file.write_text("\n".join((head, *rows)) + "\n")
    return str(file)


class TestOrderedClasses:
    WORDS = ("fair", "good", "best")

    @pytest.fixture
    def panel(self, tmp_path: Path) -> str:
        rows = (
            ",".join((f"c{i}", *(self.WORDS[min((i + (i * j) % 5 // 4) % 3, 2)] for j in range(4)))) for i in range(60)
        )
        return table(tmp_path, "case,A,B,C,D", rows)

    def test_an_order_that_nobody_declared_is_asked_for(self, capsys, panel):
        status, words = refused(capsys, "fit", panel, "--model", "sdt-1", "--interval", "none")
        assert status == 4
        assert "nothing says how these are ordered. Declare their order, lowest first." in words

    def test_beliefs_about_lines_are_refused(self, capsys, panel):
        more = ("--order", "fair,good,best", "--estimator", "posterior")
        status, words = refused(capsys, "fit", panel, "--model", "sdt-1", *more)
        assert (status, "Beliefs about cut points are not worked out" in words) == (4, True)

    def test_lines_and_discrimination_are_named(self, asked, panel):
        more = ("--order", "fair,good,best", "--interval", "none")
        (fit,) = asked("fit", panel, "--model", "sdt-1", *more)
        assert [(e["name"], e["cut"]) for e in fit["estimates"]][-2:] == [("tau", "fair|good"), ("tau", "good|best")]


class TestCasesThatDiffer:
    def test_cases_that_do_not_differ_are_said_not_to(self, asked, tmp_path):
        # Fewer unanimous cases than even cases that are alike would have.
        counts = ((6, 0, 1), (6, 1, 30), (6, 2, 9), (6, 4, 9), (6, 5, 30), (6, 6, 1))
        file = table(tmp_path, "n_ratings,n_class1,weight", (",".join(map(str, row)) for row in counts))
        text = asked("fit", file, "--layout", "counts", "--model", "t-ai-p", "--interval", "none", text=True)
        assert "In the best fit cases do not differ in anything but their truth." in text


class TestKnownAnswers:
    @pytest.fixture
    def panel(self, tmp_path: Path) -> str:
        """One rating of each case: 40 known yes, 40 known no, 100 unknown (the example of models_more.md §1)."""
        parts = (("1", 30, 10), ("0", 12, 28), ("", 45, 55))
        cells = [(key, r) for key, yes, no in parts for r in "1" * yes + "0" * no]
        return table(tmp_path, "case,Ana,key", (f"c{i},{r},{key}" for i, (key, r) in enumerate(cells)))

    @pytest.fixture
    def three(self, tmp_path: Path) -> str:
        rows = (f"c{i},{i % 2},{(i + (i % 7 == 0)) % 2},{(i + (i % 5 == 0)) % 2},{i % 2 if i < 30 else ''}"
                for i in range(90))  # fmt: skip
        return table(tmp_path, "case,A,B,C,key", rows)

    READ = ("--layout", "raters", "--columns", "Ana", "--class1", "1", "--known", "key", "--interval", "none")
    THREE = ("--layout", "raters", "--columns", "A,B,C", "--class1", "1", "--known", "key", "--interval", "none")

    def test_what_is_known_makes_one_rating_of_each_case_enough(self, asked, panel):
        (fit,) = asked("fit", panel, *self.READ, "--known-use", "certain")
        found = {e["name"]: e["value"] for e in fit["estimates"]}
        assert found == pytest.approx({"t": 1 / 3, "a": 0.45, "p": 0.3 / 0.55}, abs=1e-6)
        assert fit["known"] == {
            "column": "key", "subjects": 80, "per_class": {"0": 40, "1": 40}, "use": "certain", "informs_t": False,
            "together": None, "accuracy": None, "consensus": None,
        }  # fmt: skip

    def test_known_cases_may_tell_how_common_the_classes_are(self, asked, panel):
        (fit,) = asked("fit", panel, *self.READ, "--known-informs-t", "yes")
        assert fit["log_likelihood"]["ratings"] == pytest.approx(-171.694494, abs=1e-6)
        assert fit["known"]["informs_t"]
        text = asked("fit", panel, *self.READ, "--known-informs-t", "yes", text=True)
        assert "They count as a random part of all cases." in text

    def test_what_rests_on_known_answers_says_so(self, asked, panel):
        text = asked("fit", panel, *self.READ, "--known-use", "certain", text=True)
        assert "Of 80 cases the true classes are known (“key”) and taken as certain." in text
        assert "How common the classes are is told of the other cases alone." in text
        assert "The known answers are taken as true." in text

    def test_where_all_cases_are_known_none_is_called_another(self, asked, tmp_path):
        rows = [f"p{i},{'YN'[i % 2]},{'YN'[i % 3 == 0]},{'YN'[i % 4 == 1]},{'YN'[i % 2]}" for i in range(30)]
        (tmp_path / "all.csv").write_text("\n".join(["case,Ana,Ben,Cem,truth", *rows]))
        text = asked("fit", str(tmp_path / "all.csv"), "--known", "truth", "--known-use", "certain", text=True)
        assert "Of 30 cases the true classes are known (“truth”) and taken as certain." in text
        assert "of the other cases alone" not in text
        assert "agreement with them where they are known, and with the panel’s own shared pattern of answers" in text
        assert "nobody checked" not in text.lower()
        assert "No true answer is used" not in text

    def test_one_known_case_is_one(self, asked, three):
        text = Path(three).read_text().splitlines()
        file = Path(three).with_name("one.csv")
        file.write_text("\n".join([*text[:2], *(line.rpartition(",")[0] + "," for line in text[2:])]) + "\n")
        said = asked("fit", str(file), *self.THREE, "--known-use", "certain", text=True)
        assert "Of 1 case the true class is known (“key”) and taken as certain." in said

    def test_known_answers_are_certain_unless_they_are_set_beside_the_answer(self, asked, three):
        (fit,) = asked("fit", three, *self.THREE)
        (certain,) = asked("fit", three, *self.THREE, "--known-use", "certain")
        assert fit["estimates"] == certain["estimates"]
        assert fit["known"] == certain["known"]
        assert fit["known"]["use"] == "certain"
        (beside,) = asked("fit", three, *self.THREE, "--known-use", "beside")
        assert beside["known"] is None
        assert beside["log_likelihood"] != fit["log_likelihood"]
        assert "they stand beside them" in asked("fit", three, *self.THREE, "--known-use", "beside", text=True)

    def test_what_is_known_is_used_at_every_line(self, tmp_path):
        # Two raters of two classes each: without the key nothing is told.
        words = ("low", "mid", "high")
        rows = (
            f"c{i},{words[i % 3]},{words[(i + (i % 7 == 0)) % 3]},{words[i % 3] if i < 45 else ''}" for i in range(90)
        )
        file = table(tmp_path, "case,A,B,key", rows)
        more = ("--layout", "raters", "--columns", "A,B", "--order", "low,mid,high")
        for known, told in ((("--known", "key"), True), ((), False)):
            read = (*more, *known) if known else (*more, "--interval", "none")
            status = main(
                ["scan", file, *read, "--interval", "none", "--json=" + str(tmp_path / "scan.json"), "--force"]
            )
            assert status == 0
            cuts = json.loads((tmp_path / "scan.json").read_text())["cuts"]
            assert [cut["fits"][0]["identified"] for cut in cuts] == [told, told]

    def test_a_key_of_one_class_is_said_to_do_little(self, asked, three):
        lines = Path(three).read_text().splitlines()
        file = Path(three).with_name("one_class.csv")
        kept = [line if not line.endswith(",1") else line[:-1] for line in lines[1:]]
        file.write_text("\n".join([lines[0], *kept]) + "\n")
        told = "All of them are of one class, which does little; known cases of two classes would do a lot."
        assert told in asked("fit", str(file), *self.THREE, text=True)
        assert told not in asked("fit", three, *self.THREE, text=True)

    def test_a_key_may_be_one_more_rater(self, asked, three):
        (fit,) = asked("fit", three, *self.THREE, "--known-use", "rater", "--model", "t-aj-p")
        assert [e["rater"] for e in fit["estimates"] if e["name"] == "a"] == ["A", "B", "C", "key"]
        assert (fit["known"]["use"], fit["known"]["informs_t"]) == ("rater", None)

    @staticmethod
    def drawn(asked, capsys, *typed: str) -> list[float]:
        """The values of a figure of the estimates, which must be those of the fit."""
        (fit,) = asked("fit", *typed)
        picture = str(Path(typed[0]).with_name("f.svg"))
        assert main(["figure", *typed, "--kind", "estimates", "-o", picture, "--json"]) == 0
        shown = [row["value"] for row in json.loads(capsys.readouterr().out)["rows"]]
        assert shown == pytest.approx([e["value"] for e in fit["estimates"]], abs=1e-9)
        return shown

    def test_a_figure_shows_what_the_fit_makes_of_known_answers(self, asked, capsys, three):
        typed = (three, *self.THREE, "--model", "t-aj-p", "--known-use")
        certain, beside, rater = (self.drawn(asked, capsys, *typed, use) for use in ("certain", "beside", "rater"))
        assert certain != pytest.approx(beside, abs=1e-3)
        assert len(rater) == len(certain) + 1

    def test_a_figure_takes_known_cases_as_a_random_part(self, asked, capsys, panel):
        certain, informing = (
            self.drawn(asked, capsys, panel, *self.READ, "--known-informs-t", yes) for yes in ("no", "yes")
        )
        assert certain != pytest.approx(informing, abs=1e-3)

    @pytest.mark.parametrize(
        ("more", "status", "sentence"),
        [
            (
                ("--known-use", "rater"),
                2,
                "--known-use rater has no effect here; of its values only certain or beside has one",
            ),
            (
                ("--known-use", "rater", "--known-informs-t", "no", "--model", "t-aj-p"),
                2,
                "has no effect together with --known-use rater",
            ),
            (("--known-use", "certain", "--estimator", "moment-em"), 2, "has an effect only with exact-em"),
        ],
    )
    def test_what_has_no_effect_is_refused(self, capsys, three, more, status, sentence):
        found = refused(capsys, "fit", three, *self.THREE, *more)
        assert (found[0], sentence in found[1]) == (status, True), found

    def test_a_key_of_other_classes_tells_nothing(self, capsys, tmp_path):
        rows = (f"c{i},{i % 2},{i % 3 > 0:d},maybe" for i in range(30))
        file = table(tmp_path, "case,A,B,key", rows)
        more = ("--layout", "raters", "--columns", "A,B", "--known", "key", "--known-use", "certain")
        status, words = refused(capsys, "fit", file, *more)
        assert status == 2
        assert "No known answer is a class of these ratings, so there is nothing to use." in words

    def test_shares_of_classes_are_told_without_saying_that_nobody_checked(self, asked, tmp_path):
        rows = (f"c{i},{'abc'[i % 3]},{'abc'[(i + (i % 7 == 0)) % 3]},{'abc'[i % 3] if i < 20 else ''}"
                for i in range(90))  # fmt: skip
        file = table(tmp_path, "case,A,B,key", rows)
        more = ("--layout", "raters", "--columns", "A,B", "--known", "key", "--known-use", "certain")
        text = asked("fit", file, *more, "--interval", "none", text=True)
        assert "Out of 100 cases, so many would truly be: about" in text
        assert "nobody checked" not in text.lower()


def test_one_explanation_of_cases_that_differ_does_not_tell_the_accuracy(asked, tmp_path):
    counts = ((6, 0, 20), (6, 1, 30), (6, 2, 9), (6, 3, 9), (6, 4, 9), (6, 5, 30), (6, 6, 20))
    file = table(tmp_path, "n_ratings,n_class1,weight", (",".join(map(str, row)) for row in counts))
    text = asked("fit", file, "--layout", "counts", "--model", "t-ah-p", "--interval", "none", text=True)
    assert "This is one way in which cases may differ; others may fit as well and tell another accuracy." in text
    assert "ratings follow the case;" not in text


class TestQuestions:
    @pytest.fixture
    def form(self, tmp_path: Path) -> str:
        """Three questions about forty cases, answered by three raters: each with a share of its own."""
        rng = np.random.default_rng(4)
        rows = ["case,item,Ana,Ben,Cem"]
        for item, share in (("Told", 0.3), ("Asked", 0.6), ("Signed", 0.15)):
            true = rng.random(40) < share
            for i in range(40):
                answers = [true[i] if rng.random() < 0.7 else rng.random() < 0.5 for _rater in range(3)]
                rows.append(",".join([f"c{i}", item, *("yes" if a else "no" for a in answers)]))
        file = tmp_path / "form.csv"
        file.write_text("\n".join(rows) + "\n")
        return str(file)

    READ = ("--layout", "raters", "--subject", "case", "--columns", "Ana,Ben,Cem", "--class1", "yes")

    def test_all_questions_of_a_file_are_fitted_together(self, form, capsys):
        typed = ("fit", form, *self.READ, "--question", "item", "--model", "tq-a-pq,tq-aq-pq", "--interval", "none")
        assert main([*typed, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["data"]["questions"], told["data"]["subjects"]) == (["Told", "Asked", "Signed"], 40)
        shared, own = told["fits"]
        assert [e["group"] for e in shared["estimates"] if e["name"] == "t"] == ["Told", "Asked", "Signed"]
        assert [e["group"] for e in shared["estimates"] if e["name"] == "a"] == [None]
        assert [e["group"] for e in own["estimates"] if e["name"] == "a"] == ["Told", "Asked", "Signed"]
        assert own["log_likelihood"]["ratings"] >= shared["log_likelihood"]["ratings"] - 1e-8
        assert main([*typed]) == 0
        text = " ".join(capsys.readouterr().out.split())
        assert "3 questions, 40 cases, 3 raters, 360 ratings" in text
        assert "tq-a-pq, 120 pairs of a question and a case, 360 ratings" in text

    def test_what_differs_are_questions_and_no_groups(self, form, capsys):
        # Two of the questions: of each pair every difference has an interval.
        sheet = Path(form)
        two = [line for line in sheet.read_text().splitlines() if ",Signed," not in line]
        sheet.write_text("\n".join(two) + "\n")
        typed = ("fit", form, *self.READ, "--question", "item", "--model", "tq-aq-pq", "--interval", "profile")
        assert main([*typed]) == 0
        text = " ".join(capsys.readouterr().out.split())
        assert "Differences between questions" in text
        assert "whether the intervals of two questions meet" in text
        assert "No question clearly differs from another one; that does not show that they are alike." in text

    @pytest.mark.parametrize("more", [("--model", "tq-a-pq,t-a-p"), ("--model", "tq-a-pq", "--only", "Told")])
    def test_they_stand_beside_no_model_of_one_question(self, form, capsys, more):
        status, said = refused(capsys, "fit", form, *self.READ, "--question", "item", *more)
        assert status == 2
        assert "Models of several questions take all questions of a file, and stand beside no other model." in said
        assert "Leave it out, or ask for it by itself." in said
