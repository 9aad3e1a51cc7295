"""What a last row is called: ``N`` closes a table of records, and is a case like others among letters."""

import pytest

from tapdesk.ratings.reading import read_now


def codes(folder, names, last=("9", "8")):
    path = folder / "x.csv"
    rows = [f"{name},{'yes' if i % 2 else 'no'},{'yes' if i % 3 else 'no'}" for i, name in enumerate(names[:-1])]
    path.write_text("\n".join(["case,Ana,Ben", *rows, ",".join((names[-1], *last))]) + "\n", "utf-8")
    return {f.code: f for f in read_now(path).findings}


def test_a_row_called_n_below_records_closes_the_table(tmp_path):
    findings = codes(tmp_path, [*(f"R{i}" for i in range(12)), "N"])
    assert findings["summary_row"].about == (("N",),)
    assert "If it is one, say where the table ends: --last-row 13." in findings["summary_row"].fix


@pytest.mark.parametrize("names", [list("ABCDEFGHIJKLMN"), list("nABCDEFGHIJKN")])
def test_a_case_n_among_letters_is_a_case(tmp_path, names):
    assert "summary_row" not in codes(tmp_path, names, ("yes", "no"))


def test_a_case_n_that_comes_again_is_a_case(tmp_path):
    path = tmp_path / "long.csv"
    rows = [f"{case},{rater},{'yes' if i % 2 else 'no'}" for i in range(8) for case in ("r1", "N") for rater in "xy"]
    path.write_text("\n".join(["case,rater,rating", *dict.fromkeys(rows)]) + "\n", "utf-8")
    assert "summary_row" not in {f.code for f in read_now(path).findings}


def test_several_rows_are_spoken_of_as_several(tmp_path):
    findings = codes(tmp_path, [*(f"R{i}" for i in range(12)), "Total", "Mean"])
    assert findings["summary_row"].fix.startswith("If they are, say where the table ends: --last-row 13.")


@pytest.mark.parametrize(
    "again", ["Ana (2nd)", "Ana 2nd", "Ana_retest", "ana (second round)", "Ana (again)", "Ana – bis"]
)
def test_a_second_round_of_one_rater_is_asked_about(tmp_path, again):
    path = tmp_path / "rounds.csv"
    rows = [f"c{i},{'yes' if i % 2 else 'no'},{'yes' if i % 3 else 'no'},{'yes' if i % 4 else 'no'}" for i in range(12)]
    path.write_text("\n".join([f"case,Ana,Ben,{again}", *rows]) + "\n", "utf-8")
    findings = {f.code: f for f in read_now(path).findings}
    assert findings["similar_rater_names"].about == (("Ana", again),)


@pytest.mark.parametrize("other", ["Anabis", "Tobis", "Again", "Rater 2", "Ana B"])
def test_another_name_is_no_second_round(tmp_path, other):
    path = tmp_path / "names.csv"
    rows = [f"c{i},{'yes' if i % 2 else 'no'},{'yes' if i % 3 else 'no'},{'yes' if i % 4 else 'no'}" for i in range(12)]
    path.write_text("\n".join([f"case,Ana,Ben,{other}", *rows]) + "\n", "utf-8")
    assert "similar_rater_names" not in {f.code for f in read_now(path).findings}
