"""What can be chosen about reading a file in the window can be typed as well."""

import re

import openpyxl
import pytest

from tapdesk.ratings import reading

UNEVEN = "case,A,B\nw1,x,y\nw2,x\nw3,y,x,z\n" + "".join(f"v{i},x,y\n" for i in range(5))
ONCE = "case,rater,rating\n" + "".join(f"{'' if j else f'w{i}'},R{j},{j % 2}\n" for i in range(4) for j in (0, 1, 2))
TITLE = "my,own,title\ncase,A,B\nw1,x,y\nw2,x,x\nw3,y,y\n"


@pytest.mark.parametrize(("content", "refused", "typed", "ratings"), [
    (UNEVEN, 3, ("--uneven", "fit"), 15), (ONCE, 3, ("--fill-down",), 12), (TITLE, 3, ("--header", "2"), 6),
    (TITLE.partition("\n")[2] + ",* nobody,\n", 0, ("--last-row", "0"), 7),
])  # fmt: skip
def test_a_file_is_read_as_the_options_say(told, tmp_path, content, refused, typed, ratings):
    path = tmp_path / "a.csv"
    path.write_text(content, "utf-8")
    assert told("check", str(path))[0] == refused
    code, out, _err = told("check", str(path), *typed, "--json")
    assert code == 0
    assert f'"ratings": {ratings},' in out


def test_hidden_rows_and_columns_are_left_out_when_asked(told, tmp_path):
    book = openpyxl.Workbook()
    for row in (["case", "A", "B", "C"], *([f"w{i}", i % 2, 1, 0] for i in range(8))):
        book.active.append(row)
    book.active.row_dimensions[4].hidden = True
    book.active.column_dimensions["D"].hidden = True
    book.save(tmp_path / "a.xlsx")
    path = str(tmp_path / "a.xlsx")
    assert '"ratings": 24,' in told("check", path, "--json")[1]
    assert '"ratings": 14,' in told("check", path, "--leave-out-hidden", "--json")[1]


def test_a_reading_that_does_not_add_up_is_exit_3_with_the_difference(told, tmp_path, monkeypatch):
    whole = reading.assemble
    monkeypatch.setattr(reading, "assemble", lambda cells, *more: whole(cells.keep(cells.rater != 1), *more))
    path = tmp_path / "a.csv"
    path.write_text("case,Ana,Ben\n" + "".join(f"w{i},{i % 2},{i % 3}\n" for i in range(6)), "utf-8")
    for command in ("check", "agree", "fit"):
        status, out, err = told(command, str(path))
        assert status == 3
        assert out == ""
        assert "of 'Ben' the file holds 6 ratings and 0 were read, a difference of 6" in " ".join(err.split())


def test_the_account_of_the_cells_is_printed_and_stands_in_the_json(told, answered, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("case,Ana,Ben\nw0,1,NA\nw1,2,1\nw2,1,2\n", "utf-8")
    out = told("check", str(path), "--where", "case=w0")[1]
    assert re.search(r"Cells for ratings with something in them +6", out)
    assert re.search(r"Left out among them: filtered out +4", out)
    account = answered("check", str(path))["data"]["account"]
    assert account["all"] == {"name": None, "cells": 6, "ratings": 5, "missing": 1, "left_out": {}}
    assert [row["name"] for row in account["raters"]] == ["Ana", "Ben"]
