"""Exports of screening programs and crowds are read as what they are, or refused in words."""

import json

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.options import Layout
from tapdesk.ratings.reading import read_now
from tests.ratings import trade_samples as t
from tests.ratings.telling import asks, codes, read_or_refused, rows, told

TURK = [
    "HITId",
    "HITTypeId",
    "Title",
    "Reward",
    "AssignmentId",
    "WorkerId",
    "AssignmentStatus",
    "WorkTimeInSeconds",
    "Input.text",
    "Answer.sentiment.label",
    "Answer.sure.on",
    "Approve",
    "Reject",
]
ZOONIVERSE = [
    "classification_id",
    "user_name",
    "user_id",
    "user_ip",
    "workflow_id",
    "workflow_name",
    "workflow_version",
    "created_at",
    "gold_standard",
    "expert",
    "metadata",
    "annotations",
    "subject_data",
    "subject_ids",
]
DECISIONS = ("Excluded", "Included")


def rayyan(names=t.PEOPLE):
    """The articles file of Rayyan; every tenth article has not been looked at by the last reviewer."""
    lines = [["key", "title", "year", "authors", "notes"]]
    for i, case in enumerate(t.CASES):
        said = {n: t.answer(case, w, "", DECISIONS) for n, w in zip(names, t.PEOPLE, strict=True)}
        if i % 10 == 0:
            del said[names[-1]]
        told_ = ", ".join(f'"{n}"=>"{d}"' for n, d in said.items())
        notes = f'RAYYAN-INCLUSION: {{{told_}}} | RAYYAN-LABELS: pilot,{i} | USER-NOTES: {{"{names[0]}"=>["see"]}}'
        lines.append([f"rayyan-{1000 + i}", f"On {case}", "2020", "Doe, J.", notes])
    return lines


def test_the_decisions_in_the_notes_of_rayyan_are_one_column_for_each_reviewer(text):
    reading = text(t.text(rayyan()))
    right = {
        (f"rayyan-{1000 + i}", who, t.answer(case, who, "", DECISIONS))
        for i, case in enumerate(t.CASES)
        for who in t.PEOPLE
        if who != "Cleo" or i % 10
    }
    assert set(rows(reading)) == right
    assert reading.ratings.classes == DECISIONS
    assert reading.ratings.ordered
    assert told(reading, "known_export").about[0] == ("Rayyan",)
    again = text(t.text(rayyan()), **{n: getattr(reading.options, n) for n in reading.options.__dataclass_fields__})
    assert rows(again) == rows(reading)


def test_a_reviewer_called_like_a_column_keeps_the_column(text):
    reading = text(t.text(rayyan(("title", "Ben", "Cleo"))))
    assert reading.ratings.raters == ("title (reviewer)", "Ben", "Cleo")


def test_a_sheet_with_notes_is_no_export_of_rayyan(text):
    lines = [[c, t.answer(c, "Ana"), t.answer(c, "Ben"), "RAYYAN-INCLUSION"] for c in t.CASES]
    assert "known_export" not in codes(text(t.text([["case", "Ana", "Ben", "notes"], *lines])))


def asreview(who):
    """The file of one reviewer in ASReview; the last ten records were never shown."""
    lines = [["record_id", "title", "abstract", "asreview_label", "asreview_time", "asreview_note"]]
    for i, case in enumerate(t.CASES):
        seen = i < len(t.CASES) - 10
        label = t.answer(case, who, "", ("0", "1")) if seen else ""
        lines.append([str(i), f"On {case}", "Text.", label, "1735689600.5" if seen else "", ""])
    return lines


def test_the_files_of_several_reviewers_of_asreview_are_read_as_raters(tmp_path):
    for who in t.PEOPLE:
        (tmp_path / f"{who}.csv").write_text(t.text(asreview(who)), "utf-8")
    reading = read_now("\n".join(str(tmp_path / f"{who}.csv") for who in t.PEOPLE))
    assert reading.ratings.raters == t.PEOPLE
    assert set(rows(reading)) == {
        (str(i), who, t.answer(case, who, "", ("0", "1"))) for i, case in enumerate(t.CASES[:-10]) for who in t.PEOPLE
    }


def test_what_asreview_never_showed_is_no_rating_and_labels_of_the_imported_data_are_none_either(tmp_path):
    """Not seen is -1 for the reader of ASReview; imported labels stay beside ``asreview_label``."""
    for who in t.PEOPLE:
        lines = [[*(c for c in row[:3]), "1" if i else "included", row[3]] for i, row in enumerate(asreview(who))]
        lines = [[*row[:4], row[4] or "-1"] for row in lines]
        (tmp_path / f"{who}.csv").write_text(t.text(lines), "utf-8")
    reading = read_now("\n".join(str(tmp_path / f"{who}.csv") for who in t.PEOPLE))
    assert reading.ratings.classes == ("0", "1")
    assert reading.missing_by["-1"] == 30
    assert set(rows(reading)) == {
        (str(i), who, t.answer(case, who, "", ("0", "1"))) for i, case in enumerate(t.CASES[:-10]) for who in t.PEOPLE
    }


def test_the_log_of_a_rayyan_review_is_refused_with_what_to_do(text):
    """As public scripts read it: a decision may be taken back, and reasons stand as keys of their own."""
    lines = [["id", "created_at", "user_id", "user_email", "article_id", "key", "value"]]
    for i, case in enumerate(t.CASES):
        for j, who in enumerate(t.PEOPLE[:2]):
            given = ("-1", "1")[t.answer(case, who) == "Yes"]
            day = f"2025-03-{i % 28 + 1:02d} 10:00:0{j}"
            lines.append([str(len(lines)), day, str(j + 1), f"{who}@ward.example", str(1000 + i), "included", given])
            if given == "-1":
                lines.append([*lines[-1][:5], "__EXR__wrong population", "1"])
    with pytest.raises(TapdeskError, match=r"articles\.csv"):
        text(t.text(lines))


def test_one_file_of_asreview_says_that_it_is_the_file_of_one(text):
    assert "all reviewers together" in told(text(t.text(asreview("Ana"))), "one_screener").fix


def covidence():
    """Votes in pairs of columns: two of three reviewers decide on each study, in changing order."""
    lines = [["Covidence #", "Title", "Reviewer A", "Vote A", "Reviewer B", "Vote B", "Consensus"]]
    for i, case in enumerate(t.CASES):
        one, two = t.PEOPLE[i % 3], t.PEOPLE[(i + 1) % 3]
        lines.append([f"#{i}", case, one, t.answer(case, one), two, t.answer(case, two), "Yes"])
    return lines


def test_votes_beside_the_names_of_reviewers_belong_to_those(text):
    reading = text(t.text(covidence()))
    right = {
        (f"#{i}", w, t.answer(c, w)) for i, c in enumerate(t.CASES) for w in (t.PEOPLE[i % 3], t.PEOPLE[(i + 1) % 3])
    }
    assert set(rows(reading)) == right
    assert "Consensus" in told(reading, "known_export").about[1]


def test_sums_of_pairs_of_reviewers_are_refused_with_what_to_do(text):
    head = ["Reviewer A", "Reviewer B", "A Yes B Yes", "A No B No", "Proportionate agreement", "Cohen's Kappa"]
    with pytest.raises(TapdeskError, match="sums of each pair"):
        text(t.text([head, ["Ana", "Ben", "10", "80", "0.9", "0.61"], ["Ana", "Cleo", "9", "70", "0.8", "0.5"]]))


def turk():
    """Results of a batch of Mechanical Turk."""
    lines = [TURK]
    for i, case in enumerate(t.CASES):
        for j, who in enumerate(t.PEOPLE):
            lines.append([case, "3TYPE", "Judge", "$0.05", f"A{i}{j}", who, "Submitted", "31", f"Text {i}",
                          t.answer(case, who), "true", "", ""])  # fmt: skip
    return lines


def test_a_batch_of_mechanical_turk_is_asked_about_and_each_way_reads_it(text):
    with pytest.raises(TapdeskError, match="batch of Mechanical Turk") as caught:
        text(t.text(turk()))
    assert set(rows(text(t.text(turk()), **caught.value.ways[0][1]))) == t.truth()
    assert set(rows(text(t.text(turk()), rating="Answer.sentiment.label"))) == t.truth()


def test_zooniverse_is_refused_with_what_to_do(text):
    head = ZOONIVERSE
    said = json.dumps([{"task": "T0", "value": "Yes"}])
    lines = [
        [str(i), "ana", "7", "ab", "61", "Birds", "2.8", "2024-02-20", "", "", "{}", said, "{}", str(i)]
        for i in range(9)
    ]
    with pytest.raises(TapdeskError, match="Zooniverse") as caught:
        text(t.text([head, *lines]))
    assert "panoptes_aggregation" in caught.value.fix


@pytest.mark.parametrize("head", [["user_id", "annotations", "subject_ids"], ["case", "user_name", "annotations"]])
def test_zooniverse_is_known_by_its_answers_where_columns_were_taken_away(text, head):
    answers = [json.dumps([{"task": "T0", "task_label": "A bird?", "value": value}]) for value in ("Yes", "No")]
    lines = [[str(1000 + i % 3), answers[i % 2], str(i // 3)] for i in range(24)]
    if head[0] == "case":
        lines = [[case, user, answer] for user, answer, case in lines]
    with pytest.raises(TapdeskError, match="Zooniverse"):
        text(t.text([head, *lines]))


def extracts(tasks=("T0",)):
    """What panoptes_aggregation takes out of classifications: a column of ticks for each answer."""
    lines = [
        ["classification_id", "user_name", "user_id", "workflow_id", "task", "created_at", "subject_id", "extractor",
         "data.aggregation_version", "data.no", "data.yes"]
    ]  # fmt: skip
    for i, case in enumerate(t.CASES):
        for j, who in enumerate(t.PEOPLE):
            for k, task in enumerate(tasks):
                given = t.answer(case, who, task if k else "")
                ticks = ["1.0" if given == "No" else "", "1.0" if given == "Yes" else ""]
                own = [str(900 + 9 * i + 3 * j + k), who, str(j), "61", task, "2024-02-20 10:00:00 UTC", case]
                lines.append([*own, "question_extractor", "4.1.0", *ticks])
    return lines


def test_the_extracts_that_the_refusal_of_zooniverse_asks_for_are_read(text):
    reading = text(t.text(extracts()))
    assert set(rows(reading)) == {(c, w, a.lower()) for c, w, a in t.truth()}
    two = t.text(extracts(("T0", "T1")))
    with pytest.raises(TapdeskError, match="2 questions"):
        text(two)
    assert set(rows(text(two, question="task", only="T0"))) == {(c, w, a.lower()) for c, w, a in t.truth()}


def test_counts_of_answers_that_were_put_together_are_asked_about(text):
    lines = [["subject_id", "workflow_id", "task", "reducer", "data.no", "data.yes"]]
    lines += [[f"{900 + i}", "61", "T0", "question_reducer", str(i * 5 % 6), str(5 - i * 5 % 6)] for i in range(12)]
    assert asks(text(t.text(lines))) & {"looks_like_counts", "rows_add_up", "called_like_answers"}


def segments(head=("Document group", "Document name", "Code", "Begin", "End")):
    """The overview of coded segments of MAXQDA."""
    lines = [["Color", "Comment", *head, "Weight score", "Segment", "Created by", "Area"]]
    lines += [
        ["●", "", "Ward A", f"Interview {i}", t.answer(str(i), who, "", ("Trust", "Fear")), str(i + 1), str(i + 9), "0",
         "We never knew.", who, "120"]
        for i in range(12) for who in t.PEOPLE
    ]  # fmt: skip
    return lines


@pytest.mark.parametrize("head", [
    ("Document group", "Document name", "Code", "Begin", "End"),
    ("Dokumentgruppe", "Dokumentname", "Code", "Anfang", "Ende"),
])  # fmt: skip
def test_coded_segments_of_maxqda_are_named_and_refused(text, head):
    with pytest.raises(TapdeskError, match="coded segments of MAXQDA") as caught:
        text(t.text(segments(head)))
    assert "each document and coder" in caught.value.fix


def test_the_matrix_of_codes_of_maxqda_has_a_column_of_sums(text):
    lines = [["", "Trust", "Fear", "SUM"]]
    lines += [[f"Interview {i}", str(i % 4), str(i * 3 % 5), str(i % 4 + i * 3 % 5)] for i in range(12)]
    reading = text(t.text(lines))
    assert any(f.severity.value == "block" for f in reading.findings)


def studio(*, sets=False):
    """A table of Label Studio: the text of a task stands in each of its rows."""
    lines = [["annotation_id", "annotator", "created_at", "id", "lead_time", "sentiment", "text", "updated_at"]]
    for i, case in enumerate(t.CASES):
        for j, who in enumerate(t.PEOPLE):
            given = t.answer(case, who)
            told_ = json.dumps({"choices": [given, "Sure"]}) if sets and i % 2 else given
            lines.append(
                [str(9 * i + j), who, "2024-03-09T21:52:49Z", case, "4.2", told_, f"T {i % 20}", "2024-03-09T22"]
            )
    return lines


def test_a_table_of_label_studio_is_read(text):
    reading = text(t.text(studio()))
    assert set(rows(reading)) == t.truth()
    assert reading.source.roles == {"subject": "id", "rater": "annotator", "rating": "sentiment"}


def test_several_choices_of_label_studio_are_labels_one_after_the_other(text):
    reading = text(t.text(studio(sets=True)))
    assert set(reading.ratings.classes) == {"No", "Yes", "No; Sure", "Yes; Sure"}


@pytest.mark.parametrize("made", [rayyan(), asreview("Ana"), covidence(), turk(), studio()])
@pytest.mark.parametrize("left", [1, 2, 3])
def test_an_export_that_breaks_off_is_refused_or_read_as_far_as_it_goes(text, made, left):
    reading = read_or_refused(text, t.text(made[:left]))
    assert reading is None or reading.ratings.rating_count < 3 * left


@pytest.mark.parametrize("made", [rayyan(), covidence(), studio()])
@pytest.mark.parametrize("column", range(5))
def test_an_export_without_one_of_its_columns_is_never_read_wrongly_in_silence(text, made, column):
    whole = {(c, w, a) for c, w, a in rows(text(t.text(made)))}
    reading = read_or_refused(text, t.text([[x for i, x in enumerate(r) if i != column] for r in made]))
    if reading is None:
        return
    same = sorted((w, a) for _c, w, a in rows(reading)) == sorted((w, a) for _c, w, a in whole)
    assert same or asks(reading) or not reading.ratings.raters_known


@pytest.mark.parametrize(("content", "said"), [
    (b"#FORMAT=WebAnno TSV 3.3\n#T_SP=x|y\n\n1-1\t0-3\tThe\tNO\n", "INCEpTION"),
    (b'<?xml version="1.0"?><CodeBook xmlns="urn:QDA-XML:codebook:1.0"></CodeBook>', "REFI-QDA"),
    (b"SQLite format 3\x00" + bytes(100), "MAXQDA"),
    (b'{"%TYPES": {"custom.Span": {"%NAME": "custom.Span"}}, "%FEATURE_STRUCTURES": [{"%ID": 1}]}', "INCEpTION"),
    ((b'<?xml version="1.0" encoding="UTF-8"?><xmi:XMI xmlns:cas="http:///uima/cas.ecore" '
     b'xmlns:xmi="http://www.omg.org/XMI" xmi:version="2.0"><cas:NULL xmi:id="0"/></xmi:XMI>'), "INCEpTION"),
])  # fmt: skip
def test_projects_of_annotation_programs_are_named_and_refused(text, content, said):
    with pytest.raises(TapdeskError, match=said) as caught:
        text(content)
    assert caught.value.fix


def test_what_the_user_says_of_an_export_comes_first(text):
    reading = text(t.text(covidence()), layout=Layout.LONG, subject="Title", rater="Reviewer A", rating="Vote A")
    assert reading.ratings.rating_count == len(t.CASES)
