"""On how many cases all agree: counted by hand, and told by every face of the program."""

import json

import numpy as np
import pytest

from tapdesk.answers.content import Table
from tapdesk.answers.part import Answer
from tapdesk.answers.side_studies import work_out
from tapdesk.answers.unanimity import UNANIMITY, unanimity_content, unanimous_cases
from tapdesk.cli.main import main
from tapdesk.progress import finish
from tapdesk.project.project import Project
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read
from tapdesk.report.build import build


def ratings_of(*cases):
    rows = [(i, j, c) for i, given in enumerate(cases) for j, c in enumerate(given)]
    subject, rater, category = np.array(rows).T
    raters = [f"J{j}" for j in range(max(len(given) for given in cases))]
    return Ratings.of(subject, rater, category, [f"C{i}" for i in range(len(cases))], raters, ["no", "yes", "maybe"])


def test_cases_are_counted_by_what_their_ratings_have_in_common():
    ratings = ratings_of([0, 0, 0], [1, 1], [0, 0, 1], [0, 1], [0, 1, 2], [2], [0, 0, 1, 1])
    # One rating alone agrees with nobody; two against two is no majority.
    assert unanimous_cases(ratings) == (2, 1, 3)


def test_shares_and_sentence_are_those_of_the_counts():
    answer = Answer(None, ratings_of([0, 0], [1, 1], [0, 1], [1, 1, 0]), ratings_of([0, 0]))
    content = unanimity_content(answer)
    assert [row[1].values[0] for row in content.tables[0].rows] == [2, 1, 1]
    assert [row[2].values[0] for row in content.tables[0].rows] == pytest.approx([0.5, 0.25, 0.25])
    assert "agree on 2 of 4 cases (50 %); on 1 no class" in content.paragraphs[0].text


def test_nobody_is_said_to_agree_where_every_case_has_one_rating():
    assert unanimity_content(Answer(None, ratings_of([0], [1]), ratings_of([0]))) is None


def test_paper_terminal_and_json_tell_it(capsys):
    project = Project().with_reading(finish(read("sample:jury")), when="")
    side = finish(work_out(project, only=("coefficients",)))
    section = next(s for s in build(project, extras=side).sections if s.key == UNANIMITY.section)
    found = unanimous_cases(project.ratings)
    (table,) = [b for b in section.blocks if isinstance(b, Table) and "all agree" in b.title]
    assert tuple(row[1].values[0] for row in table.rows) == found
    assert main(["agree", "sample:jury", "--json"]) == 0
    (part,) = [p for p in json.loads(capsys.readouterr().out)["parts"] if p["key"] == UNANIMITY.key]
    assert tuple(row[1] for row in part["tables"][0]["rows"]) == found
    assert main(["agree", "sample:jury"]) == 0
    # Cases are called as the file heads them.
    assert f"agree on {found[0]} of 183 wines" in capsys.readouterr().out
