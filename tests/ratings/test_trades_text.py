"""Annotations of texts by Prodigy and doccano: whole texts are read as ratings, marked words are named and refused."""

import json
import random

import pytest

from tapdesk.errors import TapdeskError
from tests.ratings import trade_samples as t
from tests.ratings.conftest import read_now
from tests.ratings.telling import asks, codes, rows, told

OPTIONS = [{"id": "POS", "text": "Yes"}, {"id": "NEG", "text": "No"}]
IDS = {"Yes": "POS", "No": "NEG"}


def lines(records):
    return "\n".join(map(json.dumps, records)) + "\n"


def hashed(case, more=""):
    return random.Random(f"{case}{more}").randrange(-(2**31), 2**31)


def task(case, who, **more):
    """What every task of Prodigy holds, as `db-out` writes it."""
    return {
        "text": f"The letter about {case}.", "_input_hash": hashed(case), "_task_hash": hashed(case, who),
        **more, "_timestamp": 1707211049, "_annotator_id": f"letters-{who}", "_session_id": f"letters-{who}",
    }  # fmt: skip


def choices(*, sets=False):
    """Tasks of `textcat.manual`, with a choice among options."""
    made = []
    for case in t.CASES:
        for who in t.PEOPLE:
            given = [IDS[t.answer(case, who)], *(["NEG"] if sets and t.answer(case, who) == "Yes" else [])]
            style = {"choice_style": "multiple" if sets else "single"}
            more = {"options": OPTIONS, "_view_id": "choice", "config": style, "accept": given, "answer": "accept"}
            made.append(task(case, who, **more))
    return made


def binary(labels=("URGENT",)):
    """Tasks of `textcat.teach` or `mark`: a label, accepted or rejected."""
    return [
        task(
            case, who, label=label, _view_id="classification",
            answer={"Yes": "accept", "No": "reject"}[t.answer(case, who, "" if label == "URGENT" else label)],
        )
        for case in t.CASES for who in t.PEOPLE for label in labels
    ]  # fmt: skip


def expected(yes="Yes", no="No"):
    words = {"Yes": yes, "No": no}
    return {(str(hashed(c)), f"letters-{w}", words[a]) for c, w, a in t.truth()}


def test_choices_of_prodigy_are_read_as_they_were_shown(text):
    reading = text(lines(choices()), "letters.jsonl")
    assert set(rows(reading)) == expected()
    assert told(reading, "known_export").severity.value == "note"


def test_a_label_that_is_accepted_or_rejected_is_a_question_of_yes_and_no(text):
    reading = text(lines(binary()), "letters.jsonl")
    assert set(rows(reading)) == expected("accept", "reject")


def test_several_labels_of_prodigy_are_several_questions(text):
    content = lines(binary(("URGENT", "COMPLAINT")))
    with pytest.raises(TapdeskError, match="names 2 questions"):
        text(content, "letters.jsonl")
    reading = text(content, "letters.jsonl", question="question", only="URGENT")
    assert set(rows(reading)) == expected("accept", "reject")


def test_several_choices_of_prodigy_are_a_set_of_labels(text):
    reading = text(lines(choices(sets=True)), "letters.jsonl")
    assert set(reading.ratings.classes) == {"No", "Yes; No"}


def test_tasks_that_were_ignored_or_rejected_as_a_whole_are_no_ratings(text):
    tasks = choices()
    tasks[0] |= {"answer": "ignore", "accept": []}
    tasks[1] |= {"answer": "reject"}
    reading = text(lines(tasks), "letters.jsonl")
    assert reading.ratings.rating_count == len(t.truth()) - 2
    assert [f.message for f in reading.findings if f.code == "annotations_left_out"] == [
        "1 task was ignored.",
        "1 task was rejected as a whole.",
    ]


def test_sessions_that_nobody_named_are_asked_about(text):
    when = {"Ana": "2024-02-06_10-17-19", "Ben": "2024-02-07_09-00-01", "Cleo": "2024-02-08_11-30-00"}
    tasks = choices()
    for one in tasks:
        one["_annotator_id"] = one["_session_id"] = when[one["_annotator_id"].removeprefix("letters-")]
    assert "sessions_as_raters" in asks(text(lines(tasks), "letters.jsonl"))
    assert "sessions_as_raters" not in codes(text(lines(choices()), "letters.jsonl"))


def test_tasks_without_sessions_have_no_known_raters(text):
    tasks = [{n: v for n, v in one.items() if n not in {"_annotator_id", "_session_id"}} for one in choices()]
    assert not text(lines(tasks), "letters.jsonl").ratings.raters_known


def test_words_that_prodigy_marked_are_no_ratings(text):
    spans = [{"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "ORG"}]
    tasks = [task(c, w, tokens=[], spans=spans, _view_id="ner_manual", answer="accept") for c, w, _a in t.truth()]
    with pytest.raises(TapdeskError, match="Prodigy") as caught:
        text(lines(tasks), "letters.jsonl")
    assert caught.value.fix


def doccano(who, *, sets=False):
    """What doccano writes for one user, as `DocumentClassification` in JSONL."""
    return [
        {
            "id": 300 + i, "text": f"The letter about {case}.", "label": [t.answer(case, who), *(["Old"] * sets)],
            "Comments": ["see page 2"] if i == 3 else [],
        }
        for i, case in enumerate(t.CASES)
    ]  # fmt: skip


def by_number():
    return {(str(300 + t.CASES.index(c)), w, a) for c, w, a in t.truth()}


def as_csv(records):
    body = [[r["id"], r["text"], "#".join(r["label"]), ""] for r in records]
    return t.text([["id", "text", "label", "Comments"], *body])


@pytest.mark.parametrize(("ending", "write"), [("jsonl", lines), ("json", json.dumps), ("csv", as_csv)])
def test_the_files_of_several_users_of_doccano_are_read_as_raters(tmp_path, ending, write):
    for who in t.PEOPLE:
        (tmp_path / f"{who}.{ending}").write_text(write(doccano(who)), "utf-8")
    reading = read_now("\n".join(str(tmp_path / f"{who}.{ending}") for who in t.PEOPLE))
    assert reading.ratings.raters == t.PEOPLE
    assert set(rows(reading)) == by_number()


@pytest.mark.parametrize("write", [lines, as_csv])
def test_one_file_of_doccano_says_that_it_is_the_file_of_one(text, write):
    reading = text(write(doccano("Ana")), "all.jsonl" if write is lines else "all.csv")
    assert "all users" in told(reading, "one_screener").fix
    assert reading.ratings.rating_count == len(t.CASES)


@pytest.mark.parametrize("write", [lines, as_csv])
def test_several_labels_of_doccano_are_a_set(text, write):
    reading = text(write(doccano("Ana", sets=True)), "all.jsonl" if write is lines else "all.csv")
    assert set(reading.ratings.classes) == {"No; Old", "Yes; Old"}


def test_words_that_doccano_marked_are_no_ratings(text):
    marked = [
        {"id": i, "text": "A letter.", "label": [[0, 1, "ART"], [2, 8, "THING"]], "Comments": []} for i in range(9)
    ]
    with pytest.raises(TapdeskError, match="doccano") as caught:
        text(lines(marked), "all.jsonl")
    assert caught.value.fix


def test_doccano_of_before_2020_names_the_user_in_each_record(text):
    old = [
        {"doc_id": i, "text": f"Letter {i}", "labels": [t.answer(case, who)], "username": who}
        for i, case in enumerate(t.CASES) for who in t.PEOPLE
    ]  # fmt: skip
    reading = text(lines(old), "old.jsonl")
    # Number and text name the same documents, so either may name them.
    assert {(c.removeprefix("Letter "), w, a) for c, w, a in rows(reading)} == {
        (str(t.CASES.index(c)), w, a) for c, w, a in t.truth()
    }
