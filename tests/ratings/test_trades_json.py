"""Lists of annotations as JSON are read as tables; what is none is refused in words."""

import json

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.formats import json_files
from tests.ratings import trade_samples as t
from tests.ratings.telling import blocks, codes, rows, told


def result(name, kind, value):
    return {"id": "x1", "from_name": name, "to_name": "text", "type": kind, "value": value}


def studio(*, questions=("sentiment",)):
    """Tasks of Label Studio as it exports them, one annotation by each person."""
    tasks = []
    for i, case in enumerate(t.CASES):
        made = [
            {
                "id": 100 * i + j, "completed_by": {"id": j, "email": who} if i % 2 else who, "was_cancelled": False,
                "ground_truth": False, "created_at": "2024-03-09T22:16:08.728353Z", "lead_time": 4.2, "task": i,
                "result": [
                    result(q, "choices", {"choices": [t.answer(case, who, q if k else "")]})
                    for k, q in enumerate(questions)
                ],
            }
            for j, who in enumerate(t.PEOPLE)
        ]  # fmt: skip
        tasks.append({"id": case, "data": {"text": f"Text {i}"}, "annotations": made, "predictions": [], "project": 8})
    return tasks


def test_the_tasks_of_label_studio_are_cases_and_its_annotators_raters(text):
    reading = text(json.dumps(studio()), "export.json")
    assert set(rows(reading)) == t.truth()
    assert reading.source.format == "json"
    assert told(reading, "known_export").severity.value == "note"


def test_several_questions_of_label_studio_are_never_pooled(text):
    with pytest.raises(TapdeskError, match="names 2 questions"):
        text(json.dumps(studio(questions=("sentiment", "topic"))), "export.json")
    reading = text(
        json.dumps(studio(questions=("sentiment", "topic"))), "export.json", question="question", only="sentiment"
    )
    assert set(rows(reading)) == t.truth()


def test_what_marks_a_part_of_a_task_or_was_cancelled_is_left_out_with_a_word(text):
    tasks = studio()
    tasks[0]["annotations"][0]["result"].append(
        result("tag", "rectanglelabels", {"x": 1, "y": 2, "rectanglelabels": ["Moon"]})
    )
    tasks[1]["annotations"][0]["was_cancelled"] = True
    reading = text(json.dumps(tasks), "export.json")
    assert reading.ratings.rating_count == len(t.truth()) - 1
    assert [f.message for f in reading.findings if f.code == "annotations_left_out"] == [
        "1 annotation was cancelled.",
        "1 result marks a part of a task.",
    ]
    for task in tasks:
        for one in task["annotations"]:
            one["result"] = [result("tag", "labels", {"start": 0, "end": 3, "labels": ["X"]})]
    with pytest.raises(TapdeskError, match="whole task"):
        text(json.dumps(tasks), "export.json")


def test_what_label_studio_marks_as_ground_truth_is_asked_about_as_known_answers_are(text):
    # labelstud.io/guide/task_format: an annotation carries "ground_truth" beside "completed_by" and "was_cancelled".
    tasks = studio()
    for i, task in enumerate(tasks):
        last = json.loads(json.dumps(task["annotations"][0]))
        last |= {"id": 10_000 + i, "ground_truth": True, "completed_by": 99}
        task["annotations"].append(last)
    reading = text(json.dumps(tasks), "export.json")
    assert "summary_rater" in blocks(reading)
    known = text(json.dumps(tasks), "export.json", known="ground truth")
    assert not blocks(known)
    assert known.ratings.known_texts() is not None
    assert set(rows(known)) == t.truth()


def test_json_min_is_known_too(text):
    flat = [
        {
            "id": case, "text": f"T {i % 20}", "sentiment": {"choices": [t.answer(case, who)]}, "annotator": who,
            "annotation_id": 10 * i + j, "created_at": "2024-03-09T21:52:49Z", "updated_at": "2024-03-09T21:52:49Z",
            "lead_time": 3.5,
        }
        for i, case in enumerate(t.CASES) for j, who in enumerate(t.PEOPLE)
    ]  # fmt: skip
    reading = text(json.dumps(flat), "min.json")
    assert set(rows(reading)) == t.truth()
    assert told(reading, "known_export").about[0] == ("Label Studio",)


FLAT = [{"item": c, "annotator": w, "label": t.answer(c, w)} for c in t.CASES for w in t.PEOPLE]


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(FLAT),
        json.dumps({"annotations": FLAT}),
        "\n".join(map(json.dumps, FLAT)) + "\n",
        "\ufeff" + "\n\n".join(map(json.dumps, FLAT)),
        json.dumps(
            [{"item": c, "labels": [{"annotator": w, "label": t.answer(c, w)} for w in t.PEOPLE]} for c in t.CASES]
        ),
        json.dumps({c: {w: t.answer(c, w) for w in t.PEOPLE} for c in t.CASES}),
    ],
    ids=["list", "inside", "lines", "marked", "nested", "crossed"],
)
def test_any_list_of_annotations_is_a_table(text, content):
    for name in ("a.json", "a.jsonl", "a.csv"):
        assert set(rows(text(content, name))) == t.truth()


def test_values_are_told_as_a_cell_holds_them(text):
    made = [
        {
            "item": c,
            "annotator": w,
            "label": [True, 2.0, None, "x\U0001f600", float("nan")][(i + j) % 5],
            "more": {"a": {"b": i}},
        }
        for i, c in enumerate(t.CASES)
        for j, w in enumerate(t.PEOPLE)
    ]
    reading = text(json.dumps(made), "a.json", subject="item", rater="annotator", rating="label")
    assert set(reading.ratings.classes) == {"true", "2", "x\U0001f600"}
    assert "more.a.b" in reading.preview.header


@pytest.mark.parametrize(("content", "said"), [
    (json.dumps(FLAT)[:-40], "breaks off"),
    ("\n".join(map(json.dumps, FLAT))[:-20], "breaks off or is damaged in line 180"),
    ("[]", "no list of records"), ("[1, 2]", "no list of records"), ('{"a": 1}', "no list of records"),
    ('[{"item": "\\ud83d", "a": "x"}]', "halves"), ("[" * 100_000, "no list|breaks off"),
])  # fmt: skip
def test_what_is_no_list_of_annotations_is_refused_in_words(text, content, said):
    with pytest.raises(TapdeskError, match=said) as caught:
        text(content, "a.json")
    assert caught.value.fix


def test_a_list_without_one_of_its_fields_has_no_raters_or_is_refused(text):
    for field in ("item", "label"):
        with pytest.raises(TapdeskError):
            text(json.dumps([{n: v for n, v in r.items() if n != field} for r in FLAT]), "a.json", strict=True)
    reading = text(json.dumps([{n: v for n, v in r.items() if n != "annotator"} for r in FLAT]), "a.json")
    assert not reading.ratings.raters_known


def test_a_file_that_is_too_large_is_refused_before_it_is_parsed(text, monkeypatch):
    monkeypatch.setattr(json_files, "MOST_BYTES", 100)
    with pytest.raises(TapdeskError, match="at most"):
        text(json.dumps(FLAT), "a.json")
    assert "known_export" not in codes(text("case,a,b\n1,x,y\n2,x,x\n"))


def test_tasks_that_are_not_as_label_studio_writes_them_are_refused_in_words(text):
    for annotations in (None, "x", [1, None], [{"result": [7, {"value": 3}, {"value": {"choices": None}}]}]):
        with pytest.raises(TapdeskError):
            text(json.dumps([{"data": {}, "annotations": annotations}]), "a.json")


@pytest.mark.parametrize("lines", [False, True])
def test_a_record_that_names_a_field_twice_is_refused_as_one_of_them_would_be_lost(text, lines):
    records = ['{"case": "1", "A": "y", "A": "n", "B": "y"}', '{"case": "2", "A": "y", "B": "n"}']
    whole = "\n".join(records) if lines else f"[{','.join(records)}]"
    with pytest.raises(TapdeskError, match="names 'A' twice"):
        text(whole, name="ratings.jsonl" if lines else "ratings.json")


def test_who_ticked_no_label_left_a_blank_cell_and_is_no_gap_in_the_export(text):
    tasks = studio()
    for task in tasks[:5]:
        task["annotations"][0]["result"] = []
    reading = text(json.dumps(tasks), "export.json")
    assert reading.missing_by[""] == 5
    assert reading.as_read.rating_count == len(tasks) * len(tasks[0]["annotations"]) - 5
