"""The doubtful cases of a panel as rating sheets: saved by the command, filled, and read as ratings again."""

import numpy as np
import openpyxl
import pytest

from tapdesk.cli.main import main
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.reading import read_now
from tapdesk.report.award_list import case_worklist_files
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.case_beliefs import DOUBTFUL, case_beliefs

CLASSES = ("Anxiety", "Depression", "Psychosis")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Ninety patients with three or four diagnoses each by four raters."""
    rng = np.random.default_rng(2)
    lines = ["Patient,Rater,Diagnosis"]
    for i in range(90):
        truth = int(rng.integers(3))
        raters = rng.choice(4, int(rng.integers(3, 5)), replace=False)
        given = [CLASSES[truth if rng.random() < 0.7 else int(rng.integers(3))] for _rater in raters]
        lines += [f"P{i:02},{'ABCD'[j]},{answer}" for j, answer in zip(raters, given, strict=True)]
    place = tmp_path_factory.mktemp("cases") / "panel.csv"
    place.write_text("\n".join(lines))
    return place


@pytest.fixture(scope="module")
def beliefs(place):
    ratings = read_now(place).ratings
    return finish(case_beliefs(ratings, finish(analyse(ratings, Request(model("t-a-p"))))))


def test_listed_are_the_doubtful_cases_and_those_first_where_one_more_rating_gains_most(beliefs):
    worth = beliefs.worth_another()
    sure = beliefs.probability.max(axis=1)
    assert 5 < worth.size < 90
    assert (sure[worth] < DOUBTFUL).all()
    assert (np.diff(beliefs.gain[worth]) <= 0).all()
    # No rating can make the likeliest class less likely on average, and none makes it likelier than 1.
    assert (beliefs.gain >= 0).all()
    assert (sure + beliefs.gain <= 1 + 1e-9).all()


def test_a_gain_is_what_one_more_rating_does_on_average(place, beliefs):
    """By hand: the belief of each case after each rating a typical rater may give."""
    ratings = read_now(place).ratings
    fit = finish(analyse(ratings, Request(model(beliefs.model))))
    rates = fit.parameters.rating_rates().mean(axis=0)
    case = int(beliefs.worth_another()[0])
    after = 0.0
    for answer in range(3):
        joint = beliefs.probability[case] * rates[:, answer]
        after += joint.sum() * (joint / joint.sum()).max()
    assert beliefs.gain[case] == pytest.approx(after - beliefs.probability[case].max())


def test_the_sheets_come_back_as_ratings_without_a_question(capsys, place, beliefs, tmp_path):
    key = tmp_path / "work.xlsx"
    assert main(["fit", str(place), "--interval", "none", "--worklist", str(key)]) == 0
    assert "Saved " in capsys.readouterr().out
    names = [read_now(place).ratings.subjects[i] for i in beliefs.worth_another()]
    copies = sorted(tmp_path.glob("work-*.xlsx"))
    assert len(copies) == 4
    for at, copy in enumerate(copies):
        book = openpyxl.load_workbook(copy)
        sheet = book.worksheets[0]
        titles = [str(cell.value).lower() for cell in next(sheet.iter_rows()) if cell.value]
        case, column = titles.index("case") + 1, titles.index("rating") + 1
        assert {sheet.cell(line, case).value for line in range(2, sheet.max_row + 1)} == set(names)
        for line in range(2, sheet.max_row + 1):
            sheet.cell(line, column).value = CLASSES[(line + at) % 3]
        book.save(copy)
    reading = read_now(key)
    assert not [f for f in reading.findings if f.severity.value == "block"]
    assert set(reading.ratings.subjects) == set(names)
    assert set(reading.ratings.classes) == set(CLASSES)
    assert len(reading.ratings.category) == 4 * len(names)


def test_where_no_case_is_doubtful_there_is_no_worklist(capsys, tmp_path):
    place = tmp_path / "sure.csv"
    rows = [f"P{i},{','.join(['yes' if i % 2 else 'no'] * 5)}" for i in range(60)]
    place.write_text("\n".join(["case,A,B,C,D,E", *rows]))
    key = tmp_path / "work.xlsx"
    assert main(["fit", str(place), "--interval", "none", "--worklist", str(key)]) == 4
    assert "so there is no worklist" in capsys.readouterr().err
    assert not key.exists()


def test_nothing_is_listed_where_no_rater_can_be_asked_again(place, beliefs, tmp_path):
    ratings = read_now(place).ratings
    files = case_worklist_files(beliefs, ratings.subjects, ratings, tmp_path / "w.xlsx")
    assert [path.name for path, _content in files] == ["w.xlsx", *(f"w-{name}.xlsx" for name in ratings.raters)]
