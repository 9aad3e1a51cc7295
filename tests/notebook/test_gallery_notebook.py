"""The gallery: every cell answers, and what is said between the cells is what they answer; here without a kernel."""

import ast
import json
import re
import runpy
import shutil
from pathlib import Path

import pytest

from tapdesk import resources

PLACE = resources.path("tutorials", "gallery.ipynb")
CELLS = json.loads(PLACE.read_text("utf-8"))["cells"]
SITE = runpy.run_path(str(Path(__file__).resolve().parents[2] / "packaging" / "docs_gallery.py"), run_name="site")
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def script(cells):
    """The cells as one program that keeps the value of the last line of each, which a notebook shows."""
    lines = []
    for cell in cells:
        *before, last = ast.parse("".join(cell["source"])).body
        lines += [ast.unparse(one) for one in before]
        lines.append(f"SHOWN.append({ast.unparse(last.value) if isinstance(last, ast.Expr) else None})")
    return "\n".join(lines)


def as_text(value):
    """A value as it is read: its page without marks, and its plain text."""
    page = value._repr_html_() if hasattr(value, "_repr_html_") else ""
    return f"{re.sub(r'<[^>]+>', ' ', page)} {value!r}"


ASKED = [cell for cell in CELLS if cell["cell_type"] == "code"]


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What each cell shows, in order."""
    folder, found = tmp_path_factory.mktemp("gallery"), []
    for name in SITE["READS"]:
        shutil.copy(PLACE.with_name(name), folder)
    program = folder / "cells.py"
    program.write_text(script(ASKED), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        runpy.run_path(str(program), {"SHOWN": found})
    return found


def test_every_cell_shows_something_and_the_notebook_is_kept_without_answers(shown):
    assert len(shown) == len(ASKED) >= 10
    assert [cell["source"] for cell, value in zip(ASKED, shown, strict=True) if value is None] == []
    assert [cell["source"] for cell in ASKED if cell["outputs"] or cell["execution_count"]] == []


def test_numbers_said_between_the_cells_are_those_of_the_cells(shown):
    answers = set(NUMBER.findall(" ".join(map(as_text, shown))))
    said = {n for cell in CELLS if cell not in ASKED for n in NUMBER.findall("".join(cell["source"]))}
    assert {"57", "0.36", "3", "24"} <= said <= answers


def test_the_page_holds_every_cell_and_what_a_kernel_answered():
    plain = {"output_type": "execute_result", "data": {"text/plain": ["1"]}}
    rich = {"output_type": "execute_result", "data": {"text/plain": "p", "text/html": ["<p>One\n", "\n", "two</p>"]}}
    cells = [
        {"cell_type": "markdown", "source": ["# Title"]},
        {"cell_type": "code", "source": "one", "outputs": [plain]},
        {"cell_type": "code", "source": "two", "outputs": [rich]},
    ]
    page = SITE["markdown"]({"cells": cells})
    assert page.startswith("# Title\n\nTo try it: [gallery.ipynb](files/gallery.ipynb), ")
    assert "```python\none\n```\n\n```text\n1\n```" in page
    assert page.endswith("```python\ntwo\n```\n\n<div>\n<p>One\ntwo</p>\n</div>\n")
