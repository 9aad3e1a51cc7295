"""Columns of known answers: asked about, read as what they are once said, kept through decisions and projects."""

import json

import pytest

from tapdesk.cli.main import main
from tapdesk.errors import TapdeskError, UsageError
from tapdesk.project.decisions.classes import MergeClasses, RenameClass, SetClass1
from tapdesk.project.files.file import load, save
from tapdesk.project.fixes.catalog import fixes
from tapdesk.project.project import Project
from tapdesk.ratings.options import Layout
from tapdesk.ratings.ratings import CovariateOf
from tests.ratings.telling import asks, blocks, codes, told

PANEL = ("Adams", "Chen", "Hughes")
NAMES = (
    *("gold", "Gold standard", "ground truth", "y_true", "key", "answer key", "expert", "reference", "correct answer"),
    *("Goldstandard", "Referenz", "Musterlösung", "richtige Antwort", "Sollwert"),
    *("vérité", "référence", "bonne réponse", "corrigé", "étalon"),
    *("verdad", "respuesta correcta", "referencia", "patrón oro"),
    *("verità", "risposta corretta", "riferimento", "chiave"),
    *("gabarito", "resposta correta", "referência", "padrão ouro"),
)


def true(i):
    return "Yes" if i % 3 else "No"


def wide(name, *, known=lambda _i: True, also=true):
    lines = [",".join(["photo", *PANEL, name])]
    for i in range(30):
        given = [true(i) if (i * 7 + j * 5) % 6 else "Yes" if true(i) == "No" else "No" for j in range(3)]
        lines.append(",".join([f"P{i:02}", *given, also(i) if known(i) else ""]))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", NAMES)
def test_a_column_called_like_known_answers_in_six_languages_waits_for_an_answer(text, name):
    found = told(text(wide(name)), "known_answers")
    assert "known_answers" in blocks(text(wide(name)))
    assert f'--known "{name}"' in found.fix
    reading = text(wide(name), known=name)
    assert not blocks(reading)
    assert reading.ratings.raters == PANEL
    assert reading.ratings.known == name


def test_experts_who_are_numbered_are_raters(text):
    lines = wide("Expert 2").replace("Hughes", "Expert 1").replace("Chen", "Expert 3")
    assert not {"known_answers", "summary_column"} & codes(text(lines))


def test_known_answers_are_said_of_the_case_and_are_no_ratings(text):
    reading = text(wide("gold", known=lambda i: i % 2 == 0), known="gold")
    column = reading.ratings.covariates["gold"]
    assert column.of is CovariateOf.SUBJECT
    assert reading.ratings.known_texts() == tuple(true(i) if i % 2 == 0 else "" for i in range(30))
    assert reading.ratings.rating_count == 90
    assert "15 cases of 30: 5 No, 10 Yes" in told(reading, "known_answers_read").message


def test_a_long_table_knows_them_by_its_rows_and_refuses_two_for_one_case(text):
    lines = ["case,rater,rating,truth"]
    lines += [f"c{i},{who},{'ab'[(i + j) % 2]},{'ab'[i % 2]}" for i in range(12) for j, who in enumerate(PANEL)]
    content = "\n".join(lines) + "\n"
    assert "known_answers_beside" in codes(text(content))
    reading = text(content, known="truth")
    assert reading.ratings.known_classes().tolist() == [i % 2 for i in range(12)]
    with pytest.raises(TapdeskError, match="c3 have different known answers"):
        text(content.replace("c3,Chen,a,b", "c3,Chen,a,a"), known="truth")


def test_one_column_has_one_role_and_counts_have_no_case_to_know(text):
    with pytest.raises(UsageError, match="named twice"):
        text(wide("gold"), known="gold", columns=(*PANEL, "gold"))
    with pytest.raises(TapdeskError, match="about no single case"):
        text(wide("gold"), known="gold", layout=Layout.SUBJECTS)


def test_a_known_answer_that_nobody_gave_is_asked_about_and_counts_as_not_known(text):
    reading = text(wide("gold", also=lambda i: "Maybe" if i == 4 else true(i)), known="gold")
    assert told(reading, "known_no_class").about == (("Maybe",),)
    assert reading.ratings.classes == ("No", "Yes")
    assert reading.ratings.known_classes()[4] == -1


def test_known_answers_follow_merged_and_renamed_classes_and_come_back_from_a_project(text, tmp_path):
    lines = ["photo,Adams,Chen,gold", *(f"P{i},{'abc'[i % 3]},{'abc'[(i + 1) % 3]},{'abc'[i % 3]}" for i in range(9))]
    ratings = text("\n".join(lines) + "\n", known="gold").ratings
    assert MergeClasses((("bc", ("b", "c")),)).apply(ratings).known_classes().tolist() == [0, 1, 1] * 3
    assert RenameClass("b", "B+").apply(ratings).known_classes().tolist() == [0, 1, 2] * 3
    assert SetClass1(("b",)).apply(ratings).known_classes().tolist() == [0, 1, 0] * 3
    project = Project().with_reading(text("\n".join(lines) + "\n", known="gold"), when="")
    save(project, tmp_path / "p.tapdesk")
    assert load(tmp_path / "p.tapdesk").ratings.known_classes().tolist() == [0, 1, 2] * 3


def test_three_answers_are_offered_for_a_column_that_looks_like_a_key(text):
    reading = text(wide("gold"))
    offered = fixes(told(reading, "known_answers"), reading, reading.ratings)
    assert [f.words for f in offered] == ["“gold” is the known answer", "Leave out gold", "It rated like the others"]
    assert offered[0].options["known"] == "gold"


def test_answers_scattered_over_a_part_of_the_cases_are_asked_about_and_a_late_joiner_is_not(text):
    found = text(wide("Dr Zimmer", known=lambda i: i % 3 == 1))
    assert "perhaps_known" in asks(found)
    assert "perhaps_known" not in codes(text(wide("Lopez", known=lambda i: i >= 18)))


def test_command_line_compares_each_rater_with_the_known_answers(tmp_path, capsys):
    place = tmp_path / "wounds.csv"
    place.write_text(wide("gold", known=lambda i: i < 20))
    assert main(["agree", str(place)]) == 3
    assert "--known" in capsys.readouterr().err
    assert main(["agree", str(place), "--known", "gold", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["data"]["known"] == {"column": "gold", "subjects": 20, "per_class": {"No": 7, "Yes": 13}}
    (part,) = [p for p in answer["parts"] if p["key"] == "known"]
    rows = part["tables"][0]["rows"]
    assert [row[0] for row in rows] == [*PANEL, "All raters"]
    lines = [line.split(",") for line in place.read_text().splitlines()[1:21]]
    right = [sum(line[j + 1] == line[4] for line in lines) for j in range(3)]
    assert [row[3] for row in rows] == [*right, sum(right)]


def in_rows(who="Gold", *, twice=False):
    """A row for each rating; one rater knows the answers of every second photograph."""
    lines = ["photo,rater,rating"]
    for i in range(30):
        given = [true(i) if (i * 7 + j * 5) % 6 else "Yes" if true(i) == "No" else "No" for j in range(3)]
        lines += [f"P{i:02},{name},{said}" for name, said in zip(PANEL, given, strict=True)]
        lines += [f"P{i:02},{who},{true(i)}"] if i % 2 == 0 else []
        lines += [f"P{i:02},{who},Yes"] if twice and not i else []
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("who", ["Gold", "Schlüssel", "Referenz"])
def test_a_rater_called_like_known_answers_is_a_rater_a_key_or_left_out(text, who):
    plain = text(in_rows(who))
    assert blocks(plain) == {"summary_rater"}
    assert "--known NAME" in told(plain, "summary_rater").fix
    offered = {fix.words: fix for fix in fixes(told(plain, "summary_rater"), plain, plain.as_read)}
    assert list(offered) == [f"“{who}” is the known answer", f"Leave out {who}", "It rated like the others"]
    reading = text(in_rows(who), **offered[f"“{who}” is the known answer"].options)
    assert not blocks(reading)
    assert reading.ratings.raters == PANEL
    assert reading.ratings.rating_count == 90
    assert reading.ratings.known == who
    assert reading.ratings.known_texts() == tuple(true(i) if i % 2 == 0 else "" for i in range(30))
    assert {str(why): n for why, n in reading.account.total.left_out.items() if n} == {"known answers": 15}


def test_a_key_in_rows_says_the_same_as_a_key_in_a_column(text):
    rows, column = text(in_rows(), known="gold"), text(wide("Gold", known=lambda i: i % 2 == 0), known="Gold")
    assert rows.ratings.known_texts() == column.ratings.known_texts()
    assert sorted(rows.ratings.raters) == sorted(column.ratings.raters)


def test_a_rater_who_knows_two_answers_of_a_case_and_one_who_is_not_there_are_refused(text):
    with pytest.raises(TapdeskError, match="different known answers"):
        text(in_rows(twice=True), known="Gold")
    with pytest.raises(UsageError, match="no column 'Silver'"):
        text(in_rows(), known="Silver")


def test_max_beside_other_persons_is_a_person_and_a_maximum_is_asked_about(text):
    assert "summary_rater" not in blocks(text(in_rows("Max")))
    sheet = "\n".join(f"P{i:02},{true(i)},{true(i + i % 3)},{true(i + i % 2)}" for i in range(20))
    assert "summary_column" not in blocks(text("photo,Kim,Lee,Max\n" + sheet))
    assert "summary_column" in blocks(text("photo,R1,R2,Max\n" + sheet))
    points = "\n".join(f"P{i:02},{i % 7},{i % 5},{max(i % 7, i % 5)}" for i in range(20))
    assert "summary_column" in blocks(text("photo,Kim,Lee,Max\n" + points))
