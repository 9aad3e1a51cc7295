"""`import tapdesk`: the same numbers and words as the command line, tables of pandas in and out, its examples run."""

import doctest
import json

import numpy as np
import pandas as pd
import pytest

import tapdesk
from tapdesk.__main__ import main
from tapdesk.errors import CannotAnswerError, TapdeskError, UsageError
from tapdesk.notebook import panel as panel_module
from tapdesk.notebook import shown
from tapdesk.ratings.formats.statistics_files import from_frame

FORM = "Patient,Nurse,Q1,Q2,Q3\n" + "".join(
    f"P{case:02},{nurse},{'yes' if (case * 3 + at) % 4 else 'no'},{'yes' if case % 3 else 'no'},{(case + at) % 2}\n"
    for case in range(24)
    for at, nurse in enumerate(("Ana", "Ben", "Cem"))
)


def answered(capsys, *words):
    assert main([*words, "--json=-"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture(scope="module")
def jury():
    return tapdesk.Panel.from_file("sample:jury", class1=["gold"])


@pytest.fixture(scope="module")
def jury_fit(jury):
    return jury.fit()


class TestFit:
    def test_numbers_and_headline_are_those_of_the_command_line(self, jury_fit, capsys):
        told = answered(capsys, "fit", "sample:jury", "--class1", "gold")["fits"][0]
        frame = jury_fit.to_frame()
        assert list(frame.index) == [one["name"] for one in told["estimates"]]
        for one in told["estimates"]:
            for end in ("value", "low", "high"):
                assert frame.loc[one["name"], end] == pytest.approx(one[end], abs=1e-12)
        assert jury_fit.headline == told["headline"]["sentence"]
        assert jury_fit.follows == told["headline"]["follows"]

    def test_its_html_says_the_headline_and_every_part_of_the_command_line(self, jury_fit, capsys):
        told = answered(capsys, "fit", "sample:jury", "--class1", "gold")["fits"][0]
        page = jury_fit._repr_html_()
        assert jury_fit.headline in page
        titles = [table["title"] for part in told["parts"] for table in part["tables"]]
        assert titles
        assert [title for title in titles if title not in page] == []

    def test_every_case_has_probabilities_that_add_up(self, jury, jury_fit):
        cases = jury_fit.cases()
        assert tuple(cases.index) == jury.subjects
        np.testing.assert_allclose(cases.sum(axis=1), 1)

    def test_the_reason_stands_where_there_is_no_number(self):
        two = pd.DataFrame({"Case": range(20), "Ana": ["yes", "no"] * 10, "Ben": ["yes", "no", "no", "yes"] * 5})
        with pytest.raises(CannotAnswerError):
            tapdesk.Panel.from_frame(two).fit("tg-a-p")

    def test_a_model_that_is_not_there_names_those_that_are(self, jury):
        with pytest.raises(UsageError, match="t-aj-pj"):
            jury.fit("nonsense")


class TestFrames:
    def test_a_frame_is_read_as_the_same_table_in_a_file(self, jury, jury_fit):
        frame = jury.to_frame()
        back = tapdesk.Panel.from_frame(frame, class1="gold", subject="subject", rater="rater", rating="rating")
        assert set(back.raters) == set(jury.raters)
        again = back.fit().to_frame()
        pd.testing.assert_series_equal(again["value"], jury_fit.to_frame()["value"])

    def test_what_went_in_comes_out(self):
        rows = [(f"C{c}", r, "abc"[(c + i) % 3]) for c in range(9) for i, r in enumerate(("Ana", "Ben", "Cem"))]
        frame = pd.DataFrame(rows, columns=["Case", "Rater", "Code"])
        out = tapdesk.Panel.from_frame(frame).to_frame()
        assert sorted(map(tuple, out.to_numpy())) == sorted(rows)
        assert from_frame(frame, "Case", "Rater", "Code").rating_count == len(out)

    def test_ordered_categories_give_the_classes_their_order(self):
        order = ["poor", "fair", "good"]
        codes = [order[(case * 2 + at) % 3] for case in range(12) for at in range(3)]
        frame = pd.DataFrame(
            {
                "Wine": np.repeat([f"W{i}" for i in range(12)], 3),
                "Judge": ["Ana", "Ben", "Cem"] * 12,
                "Grade": pd.Categorical(codes, order, ordered=True),
            }
        )
        panel = tapdesk.Panel.from_frame(frame)
        assert panel.classes == ("poor", "fair", "good")
        assert panel.ratings.ordered

    def test_missing_cells_are_no_ratings(self):
        frame = pd.DataFrame(
            {
                "Case": range(20),
                "Ana": ["yes", "no"] * 10,
                "Ben": ["yes", "no"] * 9 + [None, None],
                "Cem": ["no"] * 5 + ["yes"] * 15,
            }
        )
        assert tapdesk.Panel.from_frame(frame).ratings.rating_count == 58

    def test_what_was_noticed_is_a_frame_with_what_it_says(self):
        frame = pd.DataFrame({"Case": range(1, 31), "Ana": ["y", "n", "n"] * 10, "Ben": ["n", "y", "y"] * 10})
        found = tapdesk.Panel.from_frame(frame.assign(Cem=["y", "n", "n"] * 10)).findings
        assert list(found.columns) == ["severity", "code", "where", "message", "default", "fix"]
        assert "ask" in set(found["severity"])
        assert found["message"].str.len().min() > 0

    def test_a_choice_that_is_none_is_refused_with_those_there_are(self):
        with pytest.raises(UsageError, match="colour"):
            tapdesk.Panel.from_file("sample:jury", colour="red")
        with pytest.raises(UsageError, match="confusion"):
            tapdesk.Panel.from_file("sample:jury", layout="diagonal")


class TestForm:
    def test_several_questions_are_answered_beside_each_other_as_on_the_command_line(self, tmp_path, capsys):
        place = tmp_path / "form.csv"
        place.write_text(FORM, encoding="utf-8")
        panel = tapdesk.Panel.from_file(place)
        told = answered(capsys, "questions", str(place))
        result = panel.questions()
        assert result.headline == told["headline"]["sentence"]
        frame = result.to_frame()
        assert frame.iloc[:, 0].tolist() == [row["question"] for row in told["rows"]]

    def test_one_question_of_several_is_named_first(self, tmp_path):
        place = tmp_path / "form.csv"
        place.write_text(FORM, encoding="utf-8")
        panel = tapdesk.Panel.from_file(place)
        with pytest.raises(UsageError, match="Q1"):
            panel.fit()
        assert tapdesk.Panel.from_file(place, only="Q2").raters == ("Ana", "Ben", "Cem")

    def test_one_question_has_none_beside_it(self, jury):
        with pytest.raises(UsageError, match="one question"):
            jury.questions()


class TestAwards:
    def test_places_and_chances_are_those_of_the_command_line(self, capsys):
        told = answered(capsys, "awards", "sample:jury", "--first", "5")
        result = tapdesk.Panel.from_file("sample:jury").awards(first=5)
        frame = result.to_frame()
        assert result.headline == told["headline"]["sentence"]
        assert frame["Wine"].tolist() == [one["subject"] for one in told["subjects"]]
        np.testing.assert_allclose(frame["Deserved"], [one["deserved"] for one in told["subjects"]])
        np.testing.assert_allclose(frame["Fair score"], [one["expected_score"] for one in told["subjects"]])
        for name in told["classes"]:
            np.testing.assert_allclose(frame[f"P({name})"], [one["probabilities"][name] for one in told["subjects"]])

    def test_the_counted_class_of_a_fit_is_no_matter(self, jury):
        frame = jury.awards(first=5).to_frame()
        whole = tapdesk.Panel.from_file("sample:jury").awards(first=5).to_frame()
        pd.testing.assert_frame_equal(frame, whole)

    def test_medal_lines_are_numbers_whatever_mark_the_table_has(self, tmp_path):
        rows = [f"W{i};{12 + i / 2};{12.5 + i / 2};{11.5 + i / 2}".replace(".", ",") for i in range(12)]
        place = tmp_path / "points.csv"
        place.write_text("Wine;Anna;Bea;Carl\n" + "\n".join(rows) + "\n", encoding="utf-8")
        frame = tapdesk.Panel.from_file(place).awards(lines=[14.5, 16], names=["none", "silver", "gold"]).to_frame()
        given = dict(zip(frame["Wine"], frame["Given"], strict=True))
        # The mean of W4 is 14, of W5 14.5 and of W8 16.
        assert (given["W4"], given["W5"], given["W8"]) == ("none", "silver", "gold")

    @pytest.mark.parametrize(
        ("wrong", "named"), [({"rule": "best"}, "median"), ({"first": 0}, "at least 1"), ({"wanted": "tin"}, "gold")]
    )
    def test_what_makes_no_sense_is_refused_with_what_does(self, jury, wrong, named):
        with pytest.raises(UsageError, match=named):
            jury.awards(**wrong)


class TestAgreement:
    def test_coefficients_are_those_of_the_command_line(self, jury, capsys):
        told = answered(capsys, "agree", "sample:jury", "--class1", "gold")["coefficients"]
        frame = jury.agree().to_frame()
        assert frame["name"].tolist() == [one["name"] for one in told]
        np.testing.assert_allclose(
            frame["value"].astype(float), [np.nan if one["value"] is None else one["value"] for one in told]
        )


class TestPictures:
    @pytest.mark.parametrize("kind", ["split", "estimates", "votes"])
    def test_a_picture_shows_itself_and_is_saved(self, jury_fit, kind, tmp_path):
        picture = jury_fit.plot(kind)
        assert picture._repr_html_().count("<svg") == len(picture.figures)
        assert len(picture.to_frame())
        (place,) = picture.save(tmp_path / "p.svg")
        assert place.read_text(encoding="utf-8").lstrip().startswith(("<?xml", "<svg"))

    def test_their_names_are_told(self, jury_fit):
        assert {"split", "estimates", "profile"} <= set(tapdesk.plots())
        with pytest.raises(UsageError):
            jury_fit.plot("nonsense")
        with pytest.raises(UsageError, match=r"\.svg"):
            jury_fit.plot().save("picture.doc")


class TestReport:
    def test_a_form_that_is_none_is_refused_before_anything_is_fitted(self, jury, tmp_path):
        with pytest.raises(UsageError, match="brief, full, both"):
            jury.report(tmp_path / "brief.pdf", form="short")
        assert list(tmp_path.iterdir()) == []

    def test_the_report_opens_with_the_headline_and_spares_other_files(self, jury, jury_fit, tmp_path):
        place = jury.report(tmp_path / "brief.html", form="brief")
        assert jury_fit.headline in place.read_text(encoding="utf-8")
        (tmp_path / "mine.html").write_text("mine", encoding="utf-8")
        with pytest.raises(TapdeskError):
            jury.report(tmp_path / "mine.html", form="brief")
        assert (tmp_path / "mine.html").read_text(encoding="utf-8") == "mine"


MODULES = (tapdesk, panel_module, shown)


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_are_right(module):
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted


def test_everything_a_panel_is_asked_has_an_example():
    shown_by = {one.name.rpartition(".")[2] for m in MODULES for one in doctest.DocTestFinder().find(m) if one.examples}
    asked = {"from_file", "from_frame", "findings", "to_frame", "fit", "agree", "questions", "awards", "report"}
    assert asked | {"tapdesk", "cases", "plot", "plots"} <= shown_by
