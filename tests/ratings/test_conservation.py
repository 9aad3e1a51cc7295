"""Every cell of the rating area is a rating, a missing code or left out for a reason; anything else is a refusal."""

import itertools
from dataclasses import replace

import numpy as np
import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapdesk.errors import TapdeskError
from tapdesk.ratings import reading as reading_module
from tapdesk.ratings.formats import files, workbooks
from tapdesk.ratings.grid import TextColumn
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.reading import read_now
from tests.ratings.telling import rows

ANSWERS = st.sampled_from(["yes", "no", "maybe", "", "NA", "-", " yes", "7", "7.0", "'7"])
NAMES = ["Ana", "Ben", "Cleo", "Dan"]


@st.composite
def panels(draw):
    """Answers of some raters to some cases, as rows of texts."""
    width, height = draw(st.integers(2, 4)), draw(st.integers(2, 8))
    return [[draw(ANSWERS) for _rater in range(width)] for _case in range(height)]


def lines_of(panel, layout):
    """A panel as the lines of a table in one of the layouts."""
    raters = NAMES[: len(panel[0])]
    if layout is Layout.RATERS:
        return [["case", *raters], *([f"w{i}", *row] for i, row in enumerate(panel))]
    if layout is Layout.SUBJECTS:
        return [
            ["judge", *(f"w{i}" for i in range(len(panel)))],
            *([r, *c] for r, c in zip(raters, zip(*panel, strict=True), strict=True)),
        ]
    long = [[f"w{i}", r, x] for i, row in enumerate(panel) for r, x in zip(raters, row, strict=True)]
    if layout is Layout.LONG:
        return [["case", "judge", "rating"], *long]
    return [["case", "judge", "question", "answer"], *([*one[:2], q, one[2]] for one in long for q in ("Q1", "Q2"))]


def saved(tmp_path_factory, lines, kind):
    """A table on disk as text or as a workbook."""
    path = tmp_path_factory.mktemp("t") / f"x.{kind}"
    if kind == "csv":
        path.write_text("\n".join(",".join(line) for line in lines) + "\n", "utf-8")
    else:
        book = openpyxl.Workbook()
        for line in lines:
            book.active.append([x or None for x in line])
        book.save(path)
    return path


def answer(path, options):
    """The reading of a file, or None where it is refused for what stands in it."""
    try:
        return read_now(path, options)
    except TapdeskError as problem:
        refusal = problem
    assert "fault of the program" not in refusal.what, refusal
    return None


def check(reading):
    """The law, for the whole and for each rater."""
    account = reading.account
    for row in (account.total, *account.raters, *account.sheets):
        assert row.cells == row.ratings + row.missing + sum(row.left_out.values())
    assert account.total.ratings == reading.ratings.rating_count
    for part in (account.raters, account.sheets):
        if part:
            assert sum(row.cells for row in part) == account.total.cells
    return account


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "missing": st.sampled_from([("NA",), ("-", "7"), ()]),
        "class1": st.just(("yes",)),
        "class0": st.just(("no",)),
        "where": st.sampled_from([(("case", "w1"),), (("case", "w0"),)]),
        "where_not": st.sampled_from([(("case", "w1"),), (("case", "w1"), ("case", "w0"))]),
    },
)


@settings(max_examples=150, deadline=None)
@given(panels(), st.sampled_from([Layout.RATERS, Layout.SUBJECTS, Layout.LONG, Layout.QUESTIONS]), OPTIONS)
def test_the_cells_of_any_table_are_the_ratings_and_what_is_left_out(tmp_path_factory, panel, layout, options):
    more = {
        Layout.QUESTIONS: {"question": "question", "only": "Q1"},
        Layout.RATERS: {"columns": tuple(NAMES[: len(panel[0])])},
    }.get(layout, {})
    path = saved(tmp_path_factory, lines_of(panel, layout), "csv")
    reading = answer(path, ReadingOptions(layout=layout, **more, **options))
    if reading is None:
        return
    filled = sum(bool(x.strip()) for row in panel for x in row)
    cells = check(reading).total.cells
    assert cells == filled * (2 if layout is Layout.QUESTIONS else 1)


@settings(max_examples=3, deadline=None)
@given(panels(), st.sampled_from([Layout.SUBJECTS, Layout.LONG]))
def test_the_cells_of_a_workbook_are_the_ratings(tmp_path_factory, panel, layout):
    reading = answer(saved(tmp_path_factory, lines_of(panel, layout), "xlsx"), ReadingOptions(layout=layout))
    if reading is None:
        return
    assert check(reading).total.cells == sum(bool(x.strip()) for row in panel for x in row)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 3_000), min_size=3, max_size=3), min_size=2, max_size=6),
    st.sampled_from(["counts", "weights", "crossed", "nk"]),
    st.sampled_from(["", ".", ",", " "]),
)
def test_the_numbers_in_any_table_of_counts_are_the_ratings(tmp_path_factory, numbers, kind, by):
    def cell(n):
        return f"{n:,}".replace(",", by)

    options = {"layout": Layout.COUNTS, "decimal": "," if by == "." else "."}
    if kind == "crossed":
        numbers = (numbers * 2)[:3]
        lines = [["", "a", "b", "c"], *([x, *map(cell, row)] for x, row in zip("cab", numbers, strict=False))]
        lines, options = lines[:4], {**options, "layout": Layout.CONFUSION}
        if len(lines) < 4:
            return
        expected = 2 * sum(map(sum, numbers))
    elif kind == "nk":
        numbers = [(n, min(k, n), w % 5) for n, k, w in numbers]
        lines = [["n_ratings", "n_class1", "weight"], *(list(map(cell, row)) for row in numbers)]
        expected = sum(n * w for n, _k, w in numbers)
    else:
        last = "weight" if kind == "weights" else "c"
        numbers = [(a, b, c % 7 if kind == "weights" else c) for a, b, c in numbers]
        lines = [["case", "a", "b", last], *([f"w{i}", *map(cell, row)] for i, row in enumerate(numbers))]
        expected = sum((a + b) * c if kind == "weights" else a + b + c for a, b, c in numbers)
    path = tmp_path_factory.mktemp("n") / "x.csv"
    path.write_text("\n".join(";".join(line) for line in lines) + "\n", "utf-8")
    reading = answer(path, ReadingOptions(**options))
    if reading is None:
        return
    assert reading.ratings.rating_count == expected
    check(reading)


WIDE = "case,Ana,Ben,Cleo\n" + "".join(
    f"w{i},{i % 2},{i % 3},{'' if i == 4 else 'NA' if i == 5 else 1}\n" for i in range(9)
)


def test_the_account_names_what_became_of_the_cells_of_each_rater(text):
    account = text(WIDE, where=(("case", "w5"),)).account
    assert [(r.name, r.cells, r.ratings, r.missing, dict(r.left_out)) for r in account.raters] == [
        ("Ana", 9, 1, 0, {"filtered out": 8}),
        ("Ben", 9, 1, 0, {"filtered out": 8}),
        ("Cleo", 8, 0, 1, {"filtered out": 7}),
    ]


def test_rows_that_a_filter_leaves_out_or_compares_as_numbers_are_told_as_such(text):
    numbered = "case,year,Ana,Ben\n" + "".join(f"w{i},{(1, '1.0', 2)[i % 3]},{i % 2},{i % 3}\n" for i in range(9))
    both = {"columns": ("Ana", "Ben")}
    assert dict(check(text(numbered, where=(("year", "1"),), **both)).total.left_out) == {"filtered out": 6}
    assert dict(check(text(numbered, where_not=(("year", "1"),), **both)).total.left_out) == {"filtered out": 12}
    named = check(text(WIDE, where_not=(("case", "w5"),)))
    assert [dict(row.left_out) for row in named.raters] == [{"filtered out": 1}] * 3


@pytest.mark.parametrize(
    ("options", "more"),
    [
        ({}, {}),
        ({"where": (("case", "w1"),)}, {"filtered out": 14}),
        ({"where_not": (("case", "w1"),)}, {"filtered out": 2}),
    ],
)
def test_rows_of_other_questions_taken_apart_from_a_wide_table_are_told_as_such(text, options, more):
    lines = [f"w{i},{q},{i % 2},{(i + j) % 3}\n" for j, q in enumerate("AB") for i in range(8)]
    account = check(text("case,item,Ana,Ben\n" + "".join(lines), question="item", only="B", **options))
    assert dict(account.total.left_out) == {"other questions": 16, **more}


def test_rows_below_the_table_headers_that_come_again_and_hidden_rows_are_left_out_by_name(text, book):
    table = WIDE.replace("w7,", "case,Ana,Ben,Cleo\nw7,") + ",* Ana was ill,,\n"
    account = check(text(table))
    assert dict(account.total.left_out) == {"repeated headers": 3, "below the table": 1}
    assert dict(check(text(WIDE, last=7)).total.left_out) == {"below the table": 9}
    lines = [line.split(",") for line in WIDE.strip().split("\n")]
    hidden = book(lines, lambda sheet: setattr(sheet.row_dimensions[3], "hidden", True), hidden=False)
    assert dict(check(hidden).total.left_out) == {"hidden": 3}


def test_classes_on_neither_side_are_left_out_by_name(text):
    account = check(text(WIDE, class1=("1",), class0=("0",)))
    assert dict(account.total.left_out) == {"in classes on neither side": 3}


def fitting(monkeypatch, change):
    """Assembly that loses or mixes up something on its way."""
    whole = reading_module.assemble
    monkeypatch.setattr(reading_module, "assemble", lambda cells, *more: whole(change(cells), *more))


def without_one(cells):
    kept = np.ones(cells.subject.size, dtype=bool)
    kept[3] = False
    return cells.keep(kept)


def swapped(cells):
    return replace(cells, rater=np.where(cells.rater == 0, 1, np.where(cells.rater == 1, 0, cells.rater)))


def changed(cells):
    codes_ = cells.value.codes.copy()
    codes_[0] = codes_[codes_ != codes_[0]][0]
    return replace(cells, value=TextColumn(codes_, cells.value.values))


def doubled(cells):
    return cells.keep(np.concatenate([np.arange(cells.subject.size), [0]]))


UNEVEN = "case,Ana,Ben,Cleo\nw0,yes,no,yes\nw1,no,no,yes\nw2,yes,maybe,no\nw3,yes,no,maybe\n"
LONG = "case,judge,rating\n" + "".join(
    f"w{i},{judge},{('yes', 'no')[i % (2 + j) == 0]}\n" for i in range(6) for j, judge in enumerate(NAMES)
)
COUNTS = "case,yes,no\nw0,3,1\nw1,2,2\nw2,0,4\n"


@pytest.mark.parametrize(
    ("change", "table", "options"),
    [
        *itertools.product([without_one, swapped, changed, doubled], [UNEVEN, LONG], [{}]),
        *((c, COUNTS, {"layout": Layout.COUNTS}) for c in (without_one, changed, doubled)),
        *((c, ",a,b\na,5,1\nb,2,7\n", {"layout": Layout.CONFUSION}) for c in (without_one, swapped, changed)),
    ],
)
def test_a_fault_on_the_way_to_the_ratings_is_a_refusal_and_no_number(text, monkeypatch, change, table, options):
    fitting(monkeypatch, change)
    with pytest.raises(TapdeskError, match="a fault of the program, not of your file") as refusal:
        text(table, **options)
    assert refusal.value.exit_status == 3


def test_the_refusal_says_whose_cells_are_lost_and_by_how_many(text, monkeypatch):
    fitting(monkeypatch, lambda cells: cells.keep(~((cells.rater == 1) & (cells.subject < 2))))
    with pytest.raises(TapdeskError, match=r"of 'Ben' the file holds 4 ratings and 2 were read, a difference of 2"):
        text(UNEVEN)


SHEETS = {"Ana": ["case", "score"], "Ben": ["score", "case"], "Cleo": ["case", "score"]}


def judges(tmp_path, heads=SHEETS):
    """A workbook with a sheet for each judge, whose columns may stand in any order."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for j, (judge, head) in enumerate(heads.items()):
        sheet = book.create_sheet(judge)
        sheet.append(head)
        for i in range(7):
            told_ = (f"w{i}", (i + j) % 3)
            sheet.append(list(told_ if head[0] == "case" else reversed(told_)))
    book.save(tmp_path / "x.xlsx")
    return tmp_path / "x.xlsx"


@pytest.mark.parametrize("sheet", [None, "*", "Ana,Ben,Cleo"])
def test_sheets_with_their_columns_in_another_order_are_put_together_by_name(tmp_path, sheet):
    reading = read_now(judges(tmp_path), ReadingOptions(sheet=sheet))
    assert rows(reading) == sorted((f"w{i}", n, str((i + j) % 3)) for i in range(7) for j, n in enumerate(SHEETS))
    assert [(row.name, row.cells, row.ratings) for row in check(reading).sheets] == [(n, 7, 7) for n in SHEETS]


@pytest.mark.parametrize("sheet", [None, "*"])
def test_a_raters_sheet_with_other_names_is_refused_rather_than_dropped(tmp_path, sheet):
    path = judges(tmp_path, {**SHEETS, "Ben": ["case", "points"]})
    with pytest.raises(TapdeskError, match="'Ana' has 'case' and 'score', 'Ben' has 'case' and 'points'") as refusal:
        read_now(path, ReadingOptions(sheet=sheet))
    assert "--sheet 'Ana,Cleo'" in refusal.value.fix
    named = read_now(path, ReadingOptions(sheet="Ana,Cleo"))
    assert named.ratings.raters == ("Ana", "Cleo")
    assert named.options.sheet == "Ana,Cleo"
    assert read_now(path, named.options).ratings.raters == ("Ana", "Cleo")


def test_a_dropped_sheet_or_swapped_columns_are_a_refusal(tmp_path, monkeypatch):
    path, whole = judges(tmp_path), workbooks.stack_sheets
    monkeypatch.setattr(workbooks, "stack_sheets", lambda sheets: whole(sheets[:2]))
    with pytest.raises(TapdeskError, match="'score' on 'Cleo' the file holds 7 ratings and 0 were read"):
        read_now(path)
    monkeypatch.setattr(
        workbooks,
        "stack_sheets",
        lambda sheets: whole([sheets[0], replace(sheets[1], columns=sheets[0].columns), sheets[2]]),
    )
    with pytest.raises(TapdeskError, match="'score' on 'Ben'"):
        read_now(path)


def test_a_dropped_file_is_a_refusal(tmp_path, monkeypatch):
    paths = []
    for j, judge in enumerate(NAMES[:3]):
        paths.append(tmp_path / f"{judge}.csv")
        paths[-1].write_text("case,score\n" + "".join(f"w{i},{(i + j) % 3}\n" for i in range(5)), "utf-8")
    place = "\n".join(map(str, paths))
    assert [row.name for row in check(read_now(place)).sheets] == NAMES[:3]
    whole = files._stacked
    monkeypatch.setattr(files, "_stacked", lambda grids, names, title: whole(grids[:2], names[:2], title))
    with pytest.raises(TapdeskError, match="'score' on 'Cleo'"):
        read_now(place)


def test_a_part_of_a_confusion_matrix_is_refused_and_sums_around_it_are_not(text):
    matrix = ",low,mid,high,Total\nlow,9,2,1,12\nmid,3,20,4,27\nhigh,2,5,20,27\nTotal,14,27,25,66\n"
    whole = text(matrix, layout=Layout.CONFUSION, columns=("low", "mid", "high"))
    assert whole.ratings.subject_count == 66
    with pytest.raises(TapdeskError, match="leaves out 32 cases"):
        text(matrix, layout=Layout.CONFUSION, columns=("low", "mid"))
    plain = ",low,mid,high\nlow,9,2,1\nmid,3,20,4\nhigh,2,5,20\n"
    with pytest.raises(TapdeskError, match="leaves out 32 cases"):
        text(plain, layout=Layout.CONFUSION, columns=("low", "mid"))


@pytest.mark.parametrize("options", [{"where": (("ward", "N"),)}, {"count": "weight"}])
def test_a_class_that_no_row_left_holds_does_not_lend_its_name_to_the_next_one(text, options):
    reading = text(
        "ward,a,b,c,weight\nS,3,0,0,0\nN,0,2,1,1\nN,0,1,2,1\n", columns=("a", "b", "c"), **COUNTED, **options
    )
    assert reading.ratings.classes == ("a", "b", "c")
    assert [(c, n) for c, n in zip("abc", reading.ratings.counts().sum(axis=0), strict=True)] == [
        ("a", 0),
        ("b", 3),
        ("c", 3),
    ]


COUNTED = {"layout": Layout.COUNTS}


def test_an_option_that_says_nothing_for_a_layout_does_not_unbalance_the_account(text):
    reading = text("judge;Ana;Ben\nw0;0;0\nw1;1;2\n", layout=Layout.SUBJECTS, count="Ana")
    assert check(reading).total.cells == reading.ratings.rating_count
