"""A report that tells who wins: medal lines as of the command, its two pages about awards, every open one listed."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers import award_brief
from tapdesk.answers.content import Blank, Paragraph, Table
from tapdesk.answers.numbers import REPORT
from tapdesk.answers.part import Answer
from tapdesk.answers.side_results import SideResults
from tapdesk.answers.what_if_kept import with_kept
from tapdesk.answers.what_if_runs import vary
from tapdesk.cli.main import main
from tapdesk.progress import finish
from tapdesk.project.awards import award_request
from tapdesk.project.files.file import load
from tapdesk.project.what_if import WithoutRaters
from tapdesk.report.report import Form
from tapdesk.report.sections.brief import conclusion
from tapdesk.report.setup import arranged, prepare
from tapdesk.studies.award_answer import AwardRequest
from tapdesk.studies.awards import awards
from tests.tables import scored

LINES = ("--cuts", "13,15,17", "--bands", "none,bronze,silver,gold")
ASKED = {"lines": (13.0, 15.0, 17.0), "names": ("none", "bronze", "silver", "gold")}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Thirty wines by four of six judges in half points, one of them harsh."""
    rng = np.random.default_rng(22)
    worth, level = rng.normal(15, 1.4, 30), np.array([-1.6, 0, 0.2, -0.2, 0.3, 0])
    lines = ["wine,judge,score"]
    for i in range(30):
        for j in rng.choice(6, 4, replace=False):
            score = round(2 * (worth[i] + level[j] + rng.normal(0, 0.8))) / 2
            lines.append(f"W{i + 1:02d},Judge {'ABCDEF'[j]},{score:g}")
    place = tmp_path_factory.mktemp("jury") / "jury.csv"
    place.write_text("\n".join(lines))
    return place


@pytest.fixture(scope="module")
def told(place):
    target = place.with_name("awards.json")
    assert main(["awards", str(place), *LINES, f"--json={target}"]) == 0
    return json.loads(target.read_text())


@pytest.fixture(scope="module")
def project(place):
    """The project of a report that was asked for awards on the command line."""
    kept = place.with_name("jury.tapdesk")
    typed = ("--awards", *LINES, "--form", "brief", "--save-project", str(kept))
    assert main(["report", str(place), *typed, "-o", str(place.with_name("brief.html"))]) == 0
    return load(kept)


def pages(project, form=Form.BRIEF):
    return arranged(project, finish(prepare(project, form=form)), form=form)


def blocks(report, key):
    return next(section.blocks for section in report.sections if section.key == key)


def words(report, key):
    return " ".join(block.text for block in blocks(report, key) if isinstance(block, Paragraph))


def table(report, key):
    return next(block for block in blocks(report, key) if isinstance(block, Table))


def test_medal_lines_typed_for_a_report_are_those_of_the_awards_and_stay_with_its_project(project, told):
    asked = award_request(project)
    assert (asked.lines, asked.names) == (ASKED["lines"], ASKED["names"])
    assert len(project.ratings.classes) > 7, "the scores were not cut"
    report = pages(project)
    assert blocks(report, "brief-answer")[0].text == told["headline"]["sentence"]
    assert told["headline"]["follows"] in words(report, "brief-answer")


def test_the_first_page_tells_what_the_committee_gave_before_what_the_model_says(project, told):
    report = pages(project)
    given = Counter(row["given"] for row in told["subjects"])
    each = ", ".join(f"{given[c]} {c}" for c in ("gold", "silver", "bronze", "none") if given[c])
    assert words(report, "brief-awards") == f"By the committee’s rule, “mean”: {each}."
    listed = table(report, "brief-awards")
    heads = [column.title for column in listed.columns]
    assert heads[:4] == ["Place", "Wine", "Committee", "Given"]
    assert "Place, committee and given are the committee’s own; what stands behind them is of the model." in listed.note
    first = sorted(told["subjects"], key=lambda row: (row["committee"]["place"], -row["expected_score"]))[:10]
    assert [row[1] for row in listed.rows] == [row["subject"] for row in first]
    numbers = dict(table(report, "brief-numbers").rows)
    safe = sum(round(100 * row["deserved"]) >= 80 for row in told["subjects"])
    assert numbers["Awards that are deserved with 80 % or more"] == f"{safe} of 30"
    keys = [section.key for section in report.sections]
    assert not {"brief-split", "brief-classes"} & set(keys)
    assert next(s for s in report.sections if s.fresh).key == "brief-basis"


def test_every_award_that_is_not_safe_is_listed_and_goes_on_in_the_annex(project, told):
    open_ = [row["subject"] for row in told["subjects"] if round(100 * row["deserved"]) < 80]
    report = pages(project, Form.BOTH)
    (_why, listed) = blocks(report, "brief-cases")
    assert sorted(row[0] for row in listed.rows) == sorted(open_)
    assert f"{len(open_)} awards are deserved with less than 80 %; those with the least stand first." in _why.text
    annexed = [b for b in blocks(report, "awards") if isinstance(b, Table) and "continued from page 2" in b.title]
    assert [row[0] for b in annexed for row in b.rows] == [row[0] for row in listed.rows[award_brief.SURE_ROWS :]]
    assert next(section.key for section in report.sections if not section.key.startswith("brief-")) == "awards"


def test_the_committee_concludes_about_awards(project):
    prompts = [block.prompt for block in blocks(pages(project), "brief-conclusion") if isinstance(block, Blank)]
    assert prompts == [
        "The awards stand as they were given.", "They stand once the wines above are decided.", "Judge again.",
    ]  # fmt: skip
    method = words(pages(project, Form.FULL), "model")
    assert "Each judge was given a severity, a spread and a slope" in method
    assert "What changes without a judge or by another rule was worked out by that rule again." in method
    assert "Linacre, 1989" in method


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        (("--rule", "median"), "--rule has an effect in 'tapdesk report' only together with --awards"),
        (("--first", "5"), "--first has an effect in 'tapdesk report' only together with --awards"),
        (("--awards", "--cuts", "13,x"), "'x' is no cut point"),
        (("--awards", "--wanted", "17", "--rule", "mean"), "--rule has no effect together with --wanted"),
    ],
)
def test_what_cannot_be_meant_is_refused(capsys, place, typed, reason):
    target = place.with_name("refused.html")
    assert main(["report", str(place), *typed, "-o", str(target)]) == 2
    assert reason in capsys.readouterr().err
    assert not target.exists()


def test_classes_without_an_order_ask_for_one_and_ratings_that_are_alike_say_why(capsys, tmp_path):
    place = tmp_path / "kinds.csv"
    place.write_text("case,A,B,C\n" + "".join(f"c{i},{'xyz'[i % 3]},{'xyz'[i % 2]},x\n" for i in range(12)))
    target = str(tmp_path / "out.html")
    assert main(["report", str(place), "--awards", "-o", target]) == 2
    assert "These classes have no order, so nothing says which of them is best." in capsys.readouterr().err
    place.write_text("case,A,B,C\n" + "".join(f"c{i},15,15,15\n" for i in range(12)))
    assert main(["report", str(place), "--awards", "-o", target]) in {3, 4}
    assert "Every rating is the same, so no case stands above another." in capsys.readouterr().err


def test_rule_and_numbers_of_the_first_are_kept_for_the_report(place):
    kept = place.with_name("rule.tapdesk")
    typed = ("--awards", "--rule", "median", "--first", "5", "--form", "brief", "--save-project", str(kept))
    assert main(["report", str(place), *typed, "-o", str(place.with_name("rule.html"))]) == 0
    asked = award_request(load(kept))
    assert (asked.rule.value, asked.first, asked.lines) == ("median", (5,), ())
    report = pages(load(kept))
    assert words(report, "brief-awards").startswith("By the committee’s rule, “median”, the first are W")


# The sentences by themselves ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ratings():
    rng = np.random.default_rng(3)
    worth = np.append(rng.normal(15, 1, 14), 24.0)
    return scored([(i, j, round(2 * (w + rng.normal(0, 0.7))) / 2) for i, w in enumerate(worth) for j in range(4)])


@pytest.fixture(scope="module")
def result(ratings):
    return finish(awards(ratings, AwardRequest(**ASKED)))


@pytest.fixture(scope="module")
def answer(ratings):
    return Answer(None, ratings, ratings, SideResults(), None, REPORT)


def heard(made):
    return " ".join(block.text for block in made if isinstance(block, Paragraph))


def test_how_it_was_worked_out_and_what_may_be_concluded_is_said_in_plain_nouns_too(result):
    again = "What changes without a rater or by another rule was worked out by that rule again."
    assert award_brief.method_words(result).endswith(again)
    prompts = [block.prompt for block in conclusion({}, result, listed=True)]
    assert prompts[1] == "They stand once the cases above are decided."


def test_awards_that_are_all_safe_leave_nothing_to_discuss(result, answer):
    sure = replace(result, probability=np.eye(4)[result.result.given])
    assert heard(award_brief.discuss_blocks(sure, answer)) == "Every award is deserved with 80 % or more."
    shares = sure.probability.copy()
    shares[2] = (1 - shares[2]) / 3
    one = replace(sure, probability=shares)
    assert heard(award_brief.discuss_blocks(one, answer)) == (
        "1 award is deserved with less than 80 %. The committee decides."
    )
    # What is printed as 80 per cent is safe.
    shares[2] = np.where(np.arange(4) == result.result.given[2], 0.796, 0.068)
    assert heard(award_brief.discuss_blocks(replace(sure, probability=shares), answer)).startswith("Every award")


def test_without_lines_those_who_cannot_be_told_from_the_first_are_discussed(result, answer):
    bare = replace(result, probability=np.zeros((15, 0)), groups=((0, 2),))
    why, listed = award_brief.discuss_blocks(bare, answer)
    assert why.text == "These cannot be told apart from the first."
    assert len(listed.rows) == 3
    clear = replace(bare, groups=())
    assert heard(award_brief.discuss_blocks(clear, answer)) == "The first is told from all others."


def test_grades_say_what_their_numbers_stand_for_and_a_wanted_class_what_is_doubtful(answer):
    rng = np.random.default_rng(4)
    rows = [(i, j, int(np.clip(round(i / 4 + rng.normal(0, 0.6)), 0, 2)) + 1) for i in range(12) for j in range(5)]
    grades = finish(awards(scored(rows), AwardRequest()))
    assert award_brief.scale_words(grades) == "Scores count the classes: 1 is 1, 2 is 2, 3 is 3."
    assert "Ordered classes are taken as ranges of such a score, whose lines were drawn as well." in (
        award_brief.method_words(grades)
    )
    wanted = finish(awards(scored(rows), AwardRequest(wanted="3")))
    assert "places were counted again on cases drawn again" in award_brief.method_words(wanted)
    assert award_brief.committee_words(wanted).startswith("By the committee’s rule, “what was said most often”: ")
    for fair, sentence in (
        ([0.99] * 12, "Of no case it is doubtful whether it is “3”."),
        ([0.5, *[0.99] * 11], "Of 1 case it is doubtful whether it is “3”; the most doubtful first."),
        ([0.5, 0.6, *[0.99] * 10], "Of 2 cases it is doubtful whether they are “3”; the most doubtful first."),
    ):
        doubtful = replace(wanted, fair=np.array(fair))
        assert heard(award_brief.discuss_blocks(doubtful, replace(answer, ratings=scored(rows)))) == sentence
    from tapdesk.answers.awards import judges_table, not_said

    assert "A belief is what these ratings tell, not what the case is" in not_said(wanted)
    assert [column.title for column in judges_table(wanted).columns][-1] == "Interval", "no column stands empty"


def test_what_if_without_a_judge_tells_which_awards_change_in_project_command_and_report(capsys, project, place, told):
    kept = place.with_name("jury.tapdesk")
    assert main(["compare", str(kept), "--without", "Judge A", "--json"]) == 0
    answered = json.loads(capsys.readouterr().out)
    of = next(row for row in told["left_out"] if row["rater"] == "Judge A")["changed"]
    rule = answered["awards"][0]
    assert rule.startswith(f"By the committee’s rule, “mean”, {len(of)} of 30 awards change")
    assert all(f"{row['subject']} ({row['from']} to {row['to']})" in rule for row in of[:6])
    pair = finish(vary(project, project.analyses[0], WithoutRaters(("Judge A",)))).on_paper
    report = pages(with_kept(project, pair), Form.FULL)
    assert rule in words(report, "what_if")
