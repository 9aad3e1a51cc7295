"""The grid on the command line: groups, known answers, cases that differ, ordered classes, each with what is said."""

import json
from pathlib import Path

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
