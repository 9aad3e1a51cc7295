"""Files made on the spot, and what reading says about them."""

from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import Reading, read_now


@pytest.fixture
def text(tmp_path: Path) -> Callable[..., Reading]:
    """Read a text file of the given content with some options."""

    def make(content: str | bytes, name: str = "ratings.csv", **options) -> Reading:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return read_now(path, ReadingOptions(**options))

    return make


@pytest.fixture
def book(tmp_path: Path) -> Callable[..., Reading]:
    """Read a workbook of one or more sheets, after the test has had its way with it."""

    def make(rows, change=None, name: str = "ratings.xlsx", more=(), **options) -> Reading:
        workbook = openpyxl.Workbook()
        sheet = workbook.active
        sheet.title = "Ratings"
        for row in rows:
            sheet.append(row)
        for title, lines in more:
            other = workbook.create_sheet(title)
            for row in lines:
                other.append(row)
        if change is not None:
            change(sheet)
        path = tmp_path / name
        workbook.save(path)
        return read_now(path, ReadingOptions(**options))

    return make
