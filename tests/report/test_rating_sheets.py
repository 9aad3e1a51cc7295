"""Blank rating sheets: a random order for each rater, hidden repeats, and filled copies that need no question."""

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.progress import finish
from tapdesk.project.files.outputs import OutputKind, mark_in
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.formats.files import BETWEEN
from tapdesk.ratings.own.case_list import read_cases
from tapdesk.ratings.own.plan import CaseList, plan_sheets
from tapdesk.ratings.reading import read_now
from tapdesk.report.rating_sheets import sheet_files

CLASSES = ("no", "maybe", "yes")


def some_cases(count, known=3):
    names = tuple(f"patient {i}" for i in range(count))
    return CaseList(
        names,
        {"text": tuple(f"=note {i}" for i in range(count))},
        tuple("yes" if i < known else "" for i in range(count)),
    )


@given(st.integers(4, 60), st.integers(0, 12), st.integers(1, 4), st.integers(0, 9))
def test_every_rater_sees_every_case_once_and_repeats_apart(count, repeats, raters, seed):
    apart = max(1, min(10, count // 3))
    if repeats > count - apart:
        with pytest.raises(UsageError, match="do not fit"):
            plan_sheets(some_cases(count), "ABCD"[:raters], CLASSES, repeats=repeats)
        return
    plan = plan_sheets(some_cases(count), "ABCD"[:raters], CLASSES, repeats=repeats, seed=seed)
    assert plan == plan_sheets(some_cases(count), "ABCD"[:raters], CLASSES, repeats=repeats, seed=seed)
    assert len({line.item for line in plan.lines}) == len(plan.lines)
    for rater in range(raters):
        lines = plan.lines_of(rater)
        assert [line.place for line in lines] == list(range(1, count + repeats + 1))
        assert sorted(line.case for line in lines if line.time == 1) == list(range(count))
        again = [line for line in lines if line.time == 2]
        assert len({line.case for line in again}) == len(again) == repeats
        first = {line.case: line.place for line in lines if line.time == 1}
        assert all(line.place - first[line.case] >= apart for line in again)


def test_raters_have_orders_of_their_own():
    plan = plan_sheets(some_cases(40), ("Ana", "Ben"), CLASSES, seed=2)
    orders = [[line.case for line in plan.lines_of(rater)] for rater in (0, 1)]
    assert orders[0] != orders[1]
    assert list(range(40)) not in orders


@pytest.fixture
def panel(tmp_path):
    """Twelve cases by two raters, three again for each, in files."""
    plan = plan_sheets(some_cases(12), ("Ana", "Ben/2"), CLASSES, repeats=3, seed=4)
    files = sheet_files(plan, tmp_path / "panel.xlsx")
    for path, content in files:
        path.write_bytes(content)
        assert mark_in(content).kind is OutputKind.SHEETS
    return plan, tmp_path


def answer(line):
    """What somebody answers to a line."""
    return CLASSES[(line.case + (line.time == 2) * (line.case % 4 == 0)) % 3]


def fill(path, plan, rater, given=answer, sheet=0):
    """Type ratings into a workbook as a spreadsheet program does, by the items."""
    book = openpyxl.load_workbook(path)
    page = book.worksheets[sheet] if isinstance(sheet, int) else book[sheet]
    head = [cell.value for cell in page[1]]
    items = {line.item: line for line in plan.lines_of(rater)}
    for row in page.iter_rows(min_row=2):
        row[head.index("rating")].value = given(items[row[head.index("item")].value])
    book.save(path)


def rated(reading):
    r = reading.ratings
    return sorted(
        (r.subjects[s], r.raters[j], r.classes[c]) for s, j, c in zip(r.subject, r.rater, r.category, strict=True)
    )


def wanted(plan):
    return sorted((plan.cases.names[x.case], plan.raters[x.rater], answer(x)) for x in plan.lines)


def test_a_rater_sees_neither_names_nor_known_answers_nor_repeats(panel):
    _plan, folder = panel
    book = openpyxl.load_workbook(folder / "panel-Ana.xlsx")
    assert book.sheetnames == ["Ana", "Classes", "About these sheets"]
    texts = [str(cell.value) for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert not [text for text in texts if text.startswith(("=", "@")) or "patient" in text or text == "Key"]
    assert [c.value for c in book["Ana"][1]] == ["item", "text", "rating", "remark"]
    assert texts.count("yes") == 2  # once among the classes, once where it says that these have an order
    [rule] = book["Ana"].data_validations.dataValidation
    assert (str(rule.sqref), rule.formula1, rule.type) == ("C2:C16", "'Classes'!$A$2:$A$4", "list")


def test_filled_copies_come_back_without_a_question(panel):
    plan, folder = panel
    for rater, name in enumerate(("panel-Ana.xlsx", "panel-Ben 2.xlsx")):
        fill(folder / name, plan, rater)
    both = BETWEEN.join(str(folder / name) for name in ("panel-Ana.xlsx", "panel-Ben 2.xlsx"))
    for opened in (folder / "panel.xlsx", folder / "panel-Ana.xlsx", both):
        reading = read_now(opened)
        assert rated(reading) == wanted(plan)
        assert not [f.code for f in reading.findings if f.severity is not Severity.NOTE]
        assert reading.ratings.classes == CLASSES
        assert reading.ratings.ordered
        assert [reading.ratings.known_texts().count(text) for text in ("yes", "")] == [3, 9]
        assert reading.missing == 0


def test_one_workbook_that_is_filled_in_comes_back(panel):
    plan, folder = panel
    for rater, name in enumerate(("Ana", "Ben 2")):
        (folder / f"panel-{name}.xlsx").unlink()
        fill(folder / "panel.xlsx", plan, rater, sheet=name)
    assert rated(read_now(folder / "panel.xlsx")) == wanted(plan)


def test_what_is_not_filled_in_yet_is_a_gap(panel):
    plan, folder = panel
    fill(folder / "panel-Ana.xlsx", plan, 0, lambda line: None if line.place == 2 else answer(line))
    reading = read_now(folder / "panel.xlsx")
    assert reading.ratings.raters == ("Ana",)
    assert len(rated(reading)) == 14


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (lambda line: "perhaps" if line.place == 3 else answer(line), "none of the classes"),
        (lambda _line: None, "No rating was filled in"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_cell(panel, given, why):
    plan, folder = panel
    fill(folder / "panel-Ana.xlsx", plan, 0, given)
    with pytest.raises(TapdeskError, match=why):
        read_now(folder / "panel.xlsx")


def test_two_ratings_of_one_item_are_refused_with_both_cells(panel):
    plan, folder = panel
    fill(folder / "panel-Ana.xlsx", plan, 0)
    fill(folder / "panel.xlsx", plan, 0, lambda line: "no" if line.place == 1 else answer(line), sheet="Ana")
    if answer(plan.lines_of(0)[0]) == "no":
        pytest.fail("the first line must differ")
    with pytest.raises(TapdeskError, match="in one place") as refused:
        read_now(folder / "panel.xlsx")
    assert "panel.xlsx, Ana!" in str(refused.value)
    assert "panel-Ana.xlsx, Ana!" in str(refused.value)


def test_a_copy_without_its_key_and_one_of_another_plan_are_refused(panel):
    plan, folder = panel
    fill(folder / "panel-Ana.xlsx", plan, 0)
    other = plan_sheets(some_cases(12), ("Ana", "Ben/2"), CLASSES, repeats=3, seed=5)
    (folder / "panel-Ben 2.xlsx").write_bytes(
        dict(sheet_files(other, folder / "panel.xlsx"))[folder / "panel-Ben 2.xlsx"]
    )
    with pytest.raises(TapdeskError, match="does not belong"):
        read_now(folder / "panel.xlsx")
    (folder / "panel.xlsx").unlink()
    with pytest.raises(TapdeskError, match="key"):
        read_now(folder / "panel-Ana.xlsx")


def test_names_are_shown_where_nothing_is_hidden(tmp_path):
    cases = CaseList(tuple(f"p{i}" for i in range(5)))
    plan = plan_sheets(cases, ("Ana",), ("1", "2", "3"), ordered=False)
    for path, content in sheet_files(plan, tmp_path / "scores.xlsx"):
        path.write_bytes(content)
    page = openpyxl.load_workbook(tmp_path / "scores-Ana.xlsx")["Ana"]
    assert [c.value for c in page[1]] == ["item", "case", "rating", "remark"]
    fill(tmp_path / "scores-Ana.xlsx", plan, 0, lambda line: 1 + line.case % 3)
    reading = read_now(tmp_path / "scores.xlsx")
    assert reading.ratings.classes == ("1", "2", "3")
    assert not reading.ratings.ordered


def test_cases_of_a_table(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text("ward,record,note,truth\na,r1,x,yes\na,r2,y,\nb,r3,z,no\n")
    cases = finish(read_cases(path, shown=("note",), known="truth"))
    assert cases.names == ("r1", "r2", "r3")
    assert cases.shown == {"note": ("x", "y", "z")}
    assert cases.known == ("yes", "", "no")
    with pytest.raises(UsageError, match="no column 'NOPE'"):
        finish(read_cases(path, subject="NOPE"))
    path.write_text("record,note\nr1,x\nr1,y\n")
    with pytest.raises(TapdeskError, match="different things"):
        finish(read_cases(path, shown=("note",)))
    assert finish(read_cases(path)).names == ("r1",)


@pytest.mark.parametrize(
    ("raters", "classes", "why"),
    [
        (("Ana", "Ana"), CLASSES, "stands twice"),
        (("Ana", ""), CLASSES, "no name"),
        ((), CLASSES, "too few raters"),
        (("Ana",), ("yes",), "too few classes"),
        (("Ana",), ("no", "maybe"), "none of the classes"),
    ],
)
def test_plans_that_cannot_be_are_refused(raters, classes, why):
    with pytest.raises(UsageError, match=why):
        plan_sheets(some_cases(12), raters, classes)
