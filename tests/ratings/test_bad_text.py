"""Awkward text files (bad_input.md 1-9, 49, 50, 54-56): what is understood, what is asked, what is refused."""

import os
import subprocess
import sys

import pytest

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.ratings.options import ReadingOptions, Uneven
from tapdesk.ratings.reading import read_now
from tests.ratings.telling import asks, codes, rows, told

PLAIN = "case,Ana,Ben\nw1,yes,no\nw2,no,no\n"


def test_01_a_byte_order_mark_does_not_reach_the_first_name(text):
    reading = text(b"\xef\xbb\xbf" + PLAIN.encode())
    assert reading.source.roles["subject"] == "case"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_02_marked_utf_16_and_32_are_read_and_said(text, encoding):
    reading = text(PLAIN.encode(encoding))
    assert rows(reading)[0] == ("w1", "Ana", "yes")
    assert "UTF" in told(reading, "encoding").message


def test_02_unmarked_utf_16_is_asked_with_its_first_line(text):
    with pytest.raises(TapdeskError, match="case,Ana,Ben") as caught:
        text(PLAIN.encode("utf-16-le"))
    assert "--encoding utf-16-le" in caught.value.fix
    assert rows(text(PLAIN.encode("utf-16-le"), encoding="utf-16-le"))[0] == ("w1", "Ana", "yes")


def test_03_letters_of_an_uncertain_encoding_are_asked_with_previews(text):
    raw = "case,José,Zoë\nw1,naïf,sûr\nw2,sûr,naïf\n".encode("cp1252")
    with pytest.raises(TapdeskError, match="Which line shows the letters of this file correctly") as caught:
        text(raw)
    assert "cp1252 reads José" in caught.value.fix
    assert "mac_roman reads JosÈ" in caught.value.fix
    assert caught.value.where == "ratings.csv, row 1"
    assert "--encoding cp1252" in caught.value.fix
    assert text(raw, encoding="cp1252").ratings.raters == ("José", "Zoë")


def test_03_no_replacement_mark_ever_reaches_a_name(text):
    with pytest.raises(TapdeskError, match="not valid"):
        text("case,José\n".encode("cp1252"), encoding="utf-8")
    with pytest.raises(UsageError, match="no encoding 'utf-88'"):
        text(PLAIN, encoding="utf-88")


@pytest.mark.parametrize("mark", [";", "\t", "|", " "])
def test_04_the_delimiter_is_found_on_the_whole_file(text, mark):
    reading = text(PLAIN.replace(",", mark))
    assert rows(reading) == rows(text(PLAIN))
    assert reading.source.delimiter == mark
    assert "separate the columns" in told(reading, "delimiter").message


def test_04_delimiters_inside_quotation_marks_do_not_count(text):
    reading = text('case;Ana;Ben\n"w1, red, dry";yes;no\n"w2, white, dry";no;no\n')
    assert reading.source.delimiter == ";"
    assert reading.ratings.subjects == ("w1, red, dry", "w2, white, dry")


def test_04_a_tab_file_named_csv_reads_like_any_other(text):
    assert rows(text(PLAIN.replace(",", "\t"), name="x.csv")) == rows(text(PLAIN.replace(",", "\t"), name="x.tsv"))


def test_05_the_line_sep_is_obeyed_and_dropped(text):
    reading = text("sep=;\n" + PLAIN.replace(",", ";"))
    assert rows(reading) == rows(text(PLAIN))
    assert reading.source.header_rows == (1,)


def test_06_a_decimal_comma_is_decided_from_all_numbers(text):
    reading = text("case;Ana;Ben\nw1;1,5;2\nw2;10,5;1,5\nw3;2;10,5\n")
    assert reading.source.decimal == ","
    assert reading.ratings.classes == ("1,5", "2", "10,5")


def test_06_numbers_that_can_be_read_both_ways_are_asked(text):
    reading = text("case;Ana;Ben\nw1;1,234;2,345\nw2;2,345;1,234\nw3;1,234;1,234\n")
    finding = told(reading, "decimal_mark_uncertain")
    assert finding.default == "The comma is read as the decimal mark."
    assert "decimal_mark_uncertain" not in codes(
        text("case;Ana;Ben\nw1;1,234;2,345\nw2;2,345;1,234\nw3;1,234;1,234\n", decimal=".")
    )


def test_06_a_leading_zero_can_only_be_a_decimal(text):
    reading = text("case;Ana;Ben\nw1;0,435;0,500\nw2;0,500;0,435\n")
    assert reading.source.decimal == ","
    assert "decimal_mark_uncertain" not in codes(reading)


def test_07_both_marks_in_one_column_are_refused_with_the_cells(text):
    with pytest.raises(TapdeskError, match=r"mixes decimal commas and decimal dots: '2\.5' in row 4") as caught:
        text("case;Ana;Ben\nw1;1,5;3,5\nw2;3,5;1,5\nw3;2.5;1,5\n")
    assert caught.value.where == "ratings.csv, column B (Ana), row 4"
    assert text("case;Ana;Ben\nw1;1,5;3,5\nw2;3,5;1,5\nw3;2.5;1,5\n", decimal=",").ratings.rating_count == 6


def test_08_thousands_marks_in_counts_are_understood(text):
    reading = text("n_ratings;n_class1;weight\n4;0;1 200\n4;1;2'300\n4;4;1.100\n")
    assert reading.ratings.weight.tolist() == [1200, 2300, 1100]


def test_09_quoted_line_breaks_and_doubled_quotes_are_cells(text):
    reading = text('case,Ana,Ben\n"w1\nsecond line",yes,no\n"the ""best""",no,no\n')
    assert reading.ratings.subjects == ("w1\nsecond line", 'the "best"')


def test_09_uneven_rows_are_refused_with_their_numbers(text):
    with pytest.raises(TapdeskError, match="row 3 with fewer than 3 cells, row 5 with more than 3") as caught:
        text("case,Ana,Ben\nw1,yes,no\nw2,yes\nw3,no,no\nw4,no,no,yes\nw5,no,no\n")
    assert caught.value.where == "ratings.csv, row 3"


def test_09_short_rows_can_be_filled_when_the_user_says_so(text):
    reading = text("case,Ana,Ben\nw1,yes,no\nw2,yes\nw3,no,no\n", uneven=Uneven.FIT)
    assert reading.ratings.rating_count == 5
    assert told(reading, "uneven_rows").where == "row 3"


def test_09_a_delimiter_too_many_at_the_end_of_rows_is_no_fault(text):
    assert rows(text("case,Ana,Ben\nw1,yes,no,\nw2,no,no\nw3,no,no,\n")) == [
        ("w1", "Ana", "yes"), ("w1", "Ben", "no"), ("w2", "Ana", "no"),
        ("w2", "Ben", "no"), ("w3", "Ana", "no"), ("w3", "Ben", "no"),
    ]  # fmt: skip


def test_09_a_quotation_mark_that_never_closes_is_refused_with_its_row(text):
    with pytest.raises(TapdeskError, match="opens in row 3 and is never closed"):
        text('case,Ana,Ben\nw1,yes,no\nw2,"yes,no\nw3,no,no\n')


def test_old_mac_line_ends_are_line_ends(text):
    assert rows(text(PLAIN.replace("\n", "\r"))) == rows(text(PLAIN))


def test_49_a_file_that_is_not_there_or_a_folder_is_said_so(tmp_path):
    with pytest.raises(TapdeskError, match="There is no such file"):
        read_now(tmp_path / "nothing.csv")
    with pytest.raises(TapdeskError, match="This is a folder"):
        read_now(tmp_path)
    with pytest.raises(TapdeskError, match="cannot be read"):
        read_now("a\x00b.csv")


@pytest.mark.parametrize("name", ["~$audit.xlsx", ".~lock.audit.xlsx#"])
def test_49_the_note_beside_an_open_workbook_is_not_taken_for_it(text, name):
    with pytest.raises(TapdeskError, match="not the workbook itself"):
        text(b"\x07Dr. May" + b" " * 150, name=name)


@pytest.mark.parametrize("raw", [b"", b"\n\n\n", b"  \r\n", b"\x00\x00"])
def test_50_an_empty_file_is_called_empty(text, raw):
    with pytest.raises(TapdeskError, match="The file is empty"):
        text(raw)


def test_50_bytes_that_are_no_text_are_refused(text):
    with pytest.raises(TapdeskError, match="not a table of text"):
        text(bytes(range(256)) * 20)


@pytest.mark.parametrize(
    ("raw", "row"),
    [("case,Ana,Ben\n", 1), ("record,nurse,met\n\n\n", 1), ("Wine,Judge 1,Judge 2\n", 1), ("Title\n\na,b,c\n", 3)],
)
def test_50_a_header_without_rows_is_refused_as_that(text, raw, row):
    with pytest.raises(TapdeskError, match=f"a header and no rows: nothing stands below row {row}") as refused:
        text(raw)
    assert refused.value.fix == "Export it again with its rows, or choose another sheet or file."


def test_50_rows_of_blank_cells_are_not_called_missing_rows(text):
    with pytest.raises(TapdeskError, match=r"There is no rating|No column with ratings"):
        text("case,Ana,Ben\nc1,,\nc2,,\n")


def test_52_cells_that_look_like_formulas_are_text(text):
    reading = text("case,Ana,Ben\n=1+1,yes,no\n@cmd,no,no\n-2,+yes,no\n")
    assert reading.ratings.subjects == ("=1+1", "@cmd", "-2")
    assert "+yes" in reading.ratings.classes


def test_54_names_of_any_script_and_length_are_kept(text):
    names = ("🍷", "שרה", "王伟", "x" * 300)
    reading = text("case," + ",".join(names) + "\n" + "w1,a,b,a,b\nw2,b,a,b,a\n")
    assert reading.ratings.raters == names
    assert len(reading.source.sentence) < 200


def test_55_columns_named_like_code_are_plain_data(text):
    reading = text("id,__init__,index,=1+1\nw1,a,b,a\nw2,b,a,b\nw3,a,a,b\n")
    assert reading.ratings.raters == ("__init__", "index", "=1+1")


def test_56_odd_paths_are_read(tmp_path):
    folder = tmp_path / "Bögen #1 50%" / ("d" * 100) / ("e" * 100)
    folder.mkdir(parents=True)
    path = folder / "ratings &=;'.csv"
    path.write_text(PLAIN)
    assert read_now(path).ratings.rating_count == 4
    assert read_now(path).source.path == path


def test_a_file_of_412_decimal_commas_reads_the_same_in_every_language(tmp_path):
    lines = ["wine;score A;score B"]
    lines += [f"w{i};{i % 7},{i % 4 * 25:02d};{i % 5},5" for i in range(206)]
    (tmp_path / "f.csv").write_text("\n".join(lines))
    program = (
        "import locale, sys, contextlib\n"
        "with contextlib.suppress(locale.Error): locale.setlocale(locale.LC_ALL, '')\n"
        "from tapdesk.ratings.reading import read_now\n"
        "r = read_now(sys.argv[1]); print(r.source.decimal, r.ratings.classes, r.ratings.category.tolist())"
    )
    said = set()
    for language in ("C", "de_DE.UTF-8", "en_US.UTF-8", "fr_FR.UTF-8"):
        env = {**os.environ, "LC_ALL": language, "LANG": language, "LC_NUMERIC": language, "PYTHONUTF8": "1"}
        done = subprocess.run(
            [sys.executable, "-c", program, tmp_path / "f.csv"], env=env, capture_output=True, text=True, check=True
        )
        said.add(done.stdout)
    assert len(said) == 1
    assert said.pop().startswith(", ('0,00', '0,25', '0,50'")


def test_a_run_can_be_stopped_between_steps(tmp_path):
    from tapdesk.ratings.reading import read

    path = tmp_path / "long.csv"
    path.write_text("case,rater,rating\n" + "".join(f"c{i},r{i % 3},{i % 2}\n" for i in range(300_000)))
    run = read(path, ReadingOptions())
    steps = [next(run) for _ in range(6)]
    assert {s.phase for s in steps} == {"read"}
    assert any(s.total == 300_001 for s in steps)
    run.close()


def test_delimiter_is_not_asked_when_given(text):
    assert asks(text(PLAIN, delimiter=",")) == set()


def test_49_a_file_another_program_holds_is_said_so(tmp_path, monkeypatch):
    path = tmp_path / "x.csv"
    path.write_text(PLAIN)
    monkeypatch.setattr("pathlib.Path.open", lambda *_: (_ for _ in ()).throw(PermissionError()))
    with pytest.raises(TapdeskError, match="may not be opened") as caught:
        read_now(path)
    assert "Close it in other programs" in caught.value.fix


def test_51_a_text_file_beyond_the_limit_is_refused_with_numbers(tmp_path, monkeypatch):
    path = tmp_path / "x.csv"
    path.write_text(PLAIN)
    monkeypatch.setattr("tapdesk.ratings.formats.files.MOST_BYTES", 5)
    with pytest.raises(TapdeskError, match=r"The file has 0\.0 GB"):
        read_now(path)
    monkeypatch.undo()
    monkeypatch.setattr("tapdesk.ratings.formats.text_files.MOST_COLUMNS", 2)
    with pytest.raises(TapdeskError, match="Row 1 has 3 cells; no spreadsheet has more than 2 columns"):
        read_now(path)


@pytest.mark.parametrize("sign", ["A", " a", "9"])
def test_the_name_of_a_column_may_be_a_whole_book(text, sign):
    # A pattern that looks at all pairs of its places would not come to an end (and the test to its limit).
    book = (sign * 100_000).strip()
    reading = text(f"case,{book},Ben,Cy\n" + "".join(f"c{i},{'yn'[i % 2]},y,n\n" for i in range(9)))
    assert reading.ratings.raters == (book, "Ben", "Cy")
