"""Sheets as trades write them: each is read rightly or blocks, and none is read wrongly in silence."""

import itertools
import random

import numpy as np
import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import CovariateOf
from tapdesk.ratings.reading import read_now
from tests.ratings.telling import blocks

CASES, RATERS = 24, 4
# What a case and who rates it are called, in many trades; some of these words the program does not know.
TRADES = (
    ("Patient", "Nurse"), ("Patient", "Initials"), ("Record", "Doctor"), ("segment", "coder"), ("chart", "abstractor"),
    ("abstract", "screener"), ("Photo", "Inspector"), ("X-ray", "Radiologist"), ("essay", "teacher"), ("wine", "judge"),
    ("tweet", "annotator"), ("Akte", "Prüfer"), ("sample_id", "lab_member"), ("StudentID", "RaterID"),
    ("tooth", "dentist"), ("call", "supervisor"),
)  # fmt: skip
ANSWERS = (("Q1", "Q2"), ("pain", "wound", "fall"), ("code_01", "code_02", "code_03"), ("rating",), ("Met",))
BESIDE = (None, "age", "{rater}Age", "ward", "{case}_type", "{rater}_experience", "date")


def table(case, rater, answers, beside, order, *, numbered=False):
    """Rows of one case and one rater each, with what each cell says: ``truth[case, rater, question]``."""
    rng = random.Random(f"{case}{rater}{answers}{beside}{order}{numbered}")
    who = [str(j + 1) if numbered else f"{'ABCD'[j]}nna" for j in range(RATERS)]
    head = [case, rater, *answers]
    extra = None if beside is None else beside.format(case=case, rater=rater)
    facts = {"date": "2024-03-{i:02d}", "age": "{i}", "ward": "{part}", "{case}_type": "type{part}"}
    of_rater = "3{j}"
    says_beside = facts.get(beside or "", of_rater)
    columns = [*head, extra] if extra else head
    turned = {"plain": columns, "turned": [rater, case, *columns[2:]], "last": [*columns[2:], case, rater]}[order]
    lines, truth = [",".join(turned)], {}
    for i, j in itertools.product(range(CASES), range(RATERS)):
        cells = {
            case: f"K{i + 1:03d}",
            rater: who[j],
            **({extra: says_beside.format(i=i + 1, j=j, part="NSE"[i % 3])} if extra else {}),
        }
        for question in answers:
            says = rng.choice(("yes", "no")) if question != "rating" else str(rng.randint(1, 5))
            cells[question] = truth[cells[case], who[j], question] = says
        lines.append(",".join(cells[c] for c in turned))
    return "\n".join(lines) + "\n", truth


SHEETS = [
    (trade, ANSWERS[i % len(ANSWERS)], beside, order, numbered)
    for i, (trade, beside) in enumerate(itertools.product(TRADES, BESIDE))
    for order, numbered in ((("plain", "turned", "last")[i % 3], i % 4 == 3), ("plain", False))
]


def verdict(path, content, truth):
    """``right``, ``blocks``, or what was understood wrongly."""
    path.write_text(content)
    try:
        reading = read_now(path, ReadingOptions())
    except TapdeskError:
        return "blocks"
    if blocks(reading):
        return "blocks"
    r = reading.ratings
    read = {(r.subjects[s], r.raters[j]): r.classes[c] for s, j, c in zip(r.subject, r.rater, r.category, strict=True)}
    for question in {q for _case, _rater, q in truth}:
        if read == {(case, rater): says for (case, rater, q), says in truth.items() if q == question}:
            alone = len({q for _case, _rater, q in truth}) == 1
            return "right" if alone else f"one of several questions alone: {question}"
    return reading.source.sentence


def test_no_sheet_of_a_trade_is_read_wrongly_in_silence(tmp_path):
    assert len(SHEETS) >= 60
    wrong, count = [], {"right": 0, "blocks": 0}
    for (case, rater), answers, beside, order, numbered in SHEETS:
        content, truth = table(case, rater, answers, beside, order, numbered=numbered)
        said = verdict(tmp_path / "sheet.csv", content, truth)
        if said in count:
            count[said] += 1
        else:
            wrong.append((content.split("\n")[:2], said))
    assert wrong == []
    # A sheet with one answer in each row is no riddle: most of those are read.
    assert count["right"] >= 60


@pytest.mark.parametrize(("case", "rater"), TRADES)
@pytest.mark.parametrize("beside", ["age", "{rater}Age", "ward"])
def test_one_answer_in_each_row_is_read_and_not_asked(tmp_path, case, rater, beside):
    content, truth = table(case, rater, ("rating",), beside, "plain")
    assert verdict(tmp_path / "sheet.csv", content, truth) == "right"


@pytest.mark.parametrize("answers", [("Q1", "Q2"), ("code_01", "code_02", "code_03")])
def test_the_sheets_of_the_help_name_both_readings_and_the_options(tmp_path, answers):
    content, truth = table("Patient", "Nurse", answers, None, "plain")
    path = tmp_path / "sheet.csv"
    path.write_text(content)
    with pytest.raises(TapdeskError) as caught:
        read_now(path)
    assert f"answered '{answers[0]}' of K013" in caught.value.what
    assert f"the rater {answers[0]} gave K013" in caught.value.what
    assert "--only" in caught.value.fix
    assert "--layout raters" in caught.value.fix
    # Each button, and the option alone, reads what it says.
    for words, changes in caught.value.ways[:-1]:
        for options in (ReadingOptions(**changes), ReadingOptions(only=words)):
            r = read_now(path, options).ratings
            read = {
                (r.subjects[s], r.raters[j]): r.classes[c]
                for s, j, c in zip(r.subject, r.rater, r.category, strict=True)
            }
            assert read == {(c, j): says for (c, j, q), says in truth.items() if q == words}
    assert read_now(path, ReadingOptions(**caught.value.ways[-1][1])).ratings.raters == answers
    assert read_now(path, ReadingOptions(layout=Layout.RATERS)).source.layout is Layout.RATERS


@pytest.mark.parametrize("header", [
    ("StudentID", "Year", "RaterID", "RaterAge", "Rating"), ("case", "year", "judge", "judge_age", "score"),
    ("Rating", "RaterAge", "RaterID", "Year", "StudentID"),
])  # fmt: skip
def test_raters_who_share_an_age_are_no_second_reading(tmp_path, header):
    # 40 raters of 25 ages: a student and an age nearly tell the rows apart, as a student and a rater do.
    names = [header[0], *header[1:]] if header[0] != "Rating" else [*header[::-1]]
    rng = np.random.default_rng(1)
    lines = [",".join(header)]
    for i in range(300):
        for j in rng.choice(40, 3, replace=False):
            cell = (f"S{i:03d}", str(1 + i % 4), f"R{j:02d}", str(28 + 7 * j % 25), str(rng.integers(1, 6)))
            of = dict(zip(names, cell, strict=True))
            lines.append(",".join(of[n] for n in header))
    path = tmp_path / "writing.csv"
    path.write_text("\n".join(lines))
    reading = read_now(path)
    assert not blocks(reading)
    assert reading.source.layout is Layout.LONG
    assert (len(reading.ratings.raters), reading.ratings.subject_count) == (40, 300)
    assert reading.ratings.covariates[names[3]].of is CovariateOf.RATER


@pytest.mark.parametrize("header", [
    "SubjectID,RaterID,Rating,RaterAge", "case,judge,judge_age,rating", "StudentID,RaterID,RaterAge,Rating",
    "Rater_experience,Rater,Case,Score",
])  # fmt: skip
def test_what_is_said_of_a_rater_is_no_second_rater(tmp_path, header):
    names = header.split(",")
    lines = [header]
    for i, j in itertools.product(range(12), range(3)):
        cell = {True: str(31 + 9 * j)}
        words = {n: cell[True] if "age" in n.lower() or "exper" in n else "" for n in names}
        plain = iter(n for n in names if not words[n])
        for n in plain:
            kind = n.lower()
            words[n] = f"R{j}" if ("rat" in kind and kind != "rating") or kind == "judge" else ""
            words[n] = words[n] or (f"S{i:02d}" if kind[:2] in {"su", "ca", "st"} else str(1 + (i + j) % 4))
        lines.append(",".join(words[n] for n in names))
    path = tmp_path / "sheet.csv"
    path.write_text("\n".join(lines))
    reading = read_now(path)
    assert (reading.ratings.raters, reading.ratings.subject_count, reading.ratings.classes) == (
        ("R0", "R1", "R2"), 12, ("1", "2", "3", "4"),
    )  # fmt: skip
    fact = next(n for n in names if "age" in n.lower() or "exper" in n)
    assert set(reading.ratings.covariates[fact].values) == {31.0, 40.0, 49.0}
