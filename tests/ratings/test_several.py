"""Several files read as one, a file for each rater; and options that mean nothing for a kind of file."""

import pytest

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.ratings.formats.files import BETWEEN
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read_now
from tests.ratings.telling import rows, told

ANA = "wine;score\n" + "".join(f"w{i};{1 + i % 3}\n" for i in range(6))
BEN = "wine;score\n" + "".join(f"w{i};{1 + (i + 1) % 3}\n" for i in range(6))


@pytest.fixture
def files(tmp_path):
    """Write files; the place they stand for together."""

    def make(**content):
        for name, text in content.items():
            (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
        return BETWEEN.join(str(tmp_path / f"{name}.csv") for name in content)

    return make


def test_44_a_file_for_each_rater_is_stacked_and_the_name_of_the_file_is_the_rater(files):
    reading = read_now(files(Ana=ANA, Ben=BEN))
    assert reading.source.name == "Ana.csv and Ben.csv"
    assert reading.ratings.raters == ("Ana", "Ben")
    assert rows(reading)[:2] == [("w0", "Ana", "1"), ("w0", "Ben", "2")]
    found = told(reading, "files_stacked")
    assert found.where == "files 'Ana.csv' and 'Ben.csv'"
    assert "the name of the file is the rater" in found.default
    assert reading.source.words[2].startswith("2 files are stacked")


def test_the_same_files_are_read_again_from_what_the_source_remembers(files):
    reading = read_now(files(Ana=ANA, Ben=BEN, Cy=ANA))
    again = read_now(str(reading.source.path), reading.options)
    assert rows(again) == rows(reading)
    assert again.source.sha256 == reading.source.sha256


def test_files_with_raters_of_their_own_keep_them_and_remember_the_file(files):
    day1 = "case,rater,rating\n" + "".join(f"c{i},{r},{i % 2}\n" for i in range(5) for r in ("Ana", "Ben"))
    day2 = "case,rater,rating\n" + "".join(f"d{i},{r},{i % 2}\n" for i in range(5) for r in ("Ana", "Ben"))
    reading = read_now(files(monday=day1, friday=day2))
    assert reading.ratings.raters == ("Ana", "Ben")
    assert reading.ratings.subject_count == 10
    assert set(reading.ratings.covariates["File"].values.tolist()) == {"monday", "friday"}


def test_files_of_different_shape_are_refused_with_both_headers(files):
    with pytest.raises(TapdeskError, match=r"'wine' and 'score'.*other\.csv has 'wine' and 'points'"):
        read_now(files(Ana=ANA, other=BEN.replace("score", "points")))


def test_one_file_that_cannot_be_read_is_named(files, tmp_path):
    place = files(Ana=ANA, Ben=BEN) + BETWEEN + str(tmp_path / "nowhere.csv")
    with pytest.raises(TapdeskError, match=r"nowhere\.csv"):
        read_now(place)


@pytest.mark.parametrize(("option", "value"), [("sheet", "Ratings"), ("sheet", "*")])
def test_a_sheet_asked_of_a_text_file_is_wrong_usage_and_not_passed_over(files, option, value):
    with pytest.raises(UsageError, match=r"no sheet, so --sheet cannot be used"):
        read_now(files(Ana=ANA), ReadingOptions(**{option: value}))


@pytest.mark.parametrize(("option", "value"), [("encoding", "utf-8"), ("delimiter", ";"), ("delimiter", ",")])
def test_text_options_asked_of_a_workbook_are_wrong_usage(book, option, value):
    with pytest.raises(UsageError, match=rf"no {option}, so --{option} cannot be used"):
        book([["case", "Ana", "Ben"], ["1", "yes", "no"]], **{option: value})


def test_a_sample_that_is_not_there_is_answered_with_the_names_of_all(files):
    del files
    with pytest.raises(TapdeskError, match=r"no sample 'wine'.*jury.*paradox.*wine-cut1"):
        read_now("sample:wine")


def test_a_file_whose_name_has_lines_is_one_file(tmp_path):
    place = tmp_path / "two\nlines.csv"
    place.write_text("case,Ana,Ben\n" + "".join(f"c{i},{'yn'[i % 2]},y\n" for i in range(9)))
    assert read_now(str(place)).ratings.raters == ("Ana", "Ben")
