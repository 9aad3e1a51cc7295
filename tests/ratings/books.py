"""Workbooks on disk, for tests that have their way with them."""

import zipfile

import openpyxl

ROWS = [["case", "Ana", "Ben"], ["w1", 1, 2], ["w2", 2, 2.5], ["w3", 1, 1]]
SHEET = "xl/worksheets/sheet1.xml"


def replaced(path, part, change):
    """The same zip with one part changed, or added."""
    with zipfile.ZipFile(path) as old:
        parts = {n: old.read(n) for n in old.namelist()}
    parts[part] = change(parts.get(part, b""))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in parts.items():
            new.writestr(name, content)


def saved(tmp_path, lines, name="x.xlsx"):
    """A workbook of one sheet on disk."""
    book = openpyxl.Workbook()
    for row in lines:
        book.active.append(row)
    book.save(tmp_path / name)
    return tmp_path / name
