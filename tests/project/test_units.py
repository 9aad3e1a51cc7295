"""Measured ratings in several units: noticed, nothing is computed before it is settled, one click writes them alike."""

import pytest

from tapdesk.cli.main import main
from tapdesk.project.review_state import blocking_findings
from tapdesk.ratings.checks.units import amount, in_unit, mixed_units
from tests.project.fixing import chosen, counts, row


def length(i, rater):
    """A length of one to four millimetres; the third rater writes each third case in centimetres."""
    size = 1 + (i // 2 if rater == "B" else i) % 4
    return f"0.{size} cm" if rater == "C" and i % 3 == 0 else f"{size} mm"


SHEET = "case,A,B,C\n" + "".join(f"c{i},{','.join(length(i, rater) for rater in 'ABC')}\n" for i in range(36))


@pytest.mark.parametrize(
    ("one", "other", "unit", "alike"),
    [
        ("2 mm", "0.2 cm", "mm", True), ("1.5kg", "1500 g", "g", True), ("0.5 h", "30 min", "min", True),
        ("2 mm", "0.3 cm", "mm", False), ("90 mg/dl", "0.9 g/l", "mg/dl", True), ("1 L", "1000 ml", "ml", True),
    ],
)  # fmt: skip
def test_two_amounts_are_one_where_their_units_say_so(one, other, unit, alike):
    amounts = mixed_units([one, other], ".")
    assert [a.text for a in amounts] == [one, other]
    assert len({round(a.size, 9) for a in amounts}) == (1 if alike else 2)
    names = [name for name, _same in in_unit(amounts, unit)]
    assert len(names) == 1


@pytest.mark.parametrize(
    "texts", [["1a", "1b", "2a", "2m"], ["2 mm", "3 mm"], ["2 mm", "3 kg"], ["2", "3"], ["I mm", "II cm"], ["2g", "3l"]]
)
def test_steps_of_a_scale_and_one_unit_are_not_asked_about(texts):
    assert mixed_units(texts, ".") == ()


def test_a_number_alone_is_no_amount():
    assert amount("2", ".") is None
    assert amount("2,5 cm", ",").size == pytest.approx(25)


def test_one_click_writes_all_in_one_unit_and_is_taken_back(project_from):
    before = project_from(SHEET)
    assert next(f.code for f in blocking_findings(before)) == "mixed_units"
    assert set(counts(before)) == {*(f"{i} mm" for i in range(1, 5)), *(f"0.{i} cm" for i in range(1, 5))}
    offered = [str(fix.words) for fix in row(before, "mixed_units").fixes]
    assert offered == ["Write all in mm", "Write all in cm", "Each is an answer of its own"]
    after = chosen(before, "mixed_units", "Write all in mm")
    assert set(counts(after)) == {f"{i} mm" for i in range(1, 5)}
    assert sum(counts(after).values()) == sum(counts(before).values())
    assert blocking_findings(after) == ()
    assert blocking_findings(after.undo()) != ()


def test_the_command_line_computes_nothing_before_it_is_settled(tmp_path, capsys):
    place = tmp_path / "sizes.csv"
    place.write_text(SHEET)
    assert main(["agree", str(place)]) == 3
    assert "--keep-summaries" in capsys.readouterr().err
    assert main(["agree", str(place), "--keep-summaries"]) == 0
