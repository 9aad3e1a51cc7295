"""The gallery as a page of the site: python packaging/docs_gallery.py NOTEBOOK PAGE.md.

Run by the Python of the site (packaging/docs), with that of the program on the path: a kernel runs every cell beside
the files that the notebook reads, and a cell that fails ends it. The notebook is kept without its answers, so that none
grows old.
"""

import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

WAITS = 600  # seconds for one cell
NAME = "gallery.ipynb"
READS = ("audit_form.csv", "judges.csv")


def text_of(source: str | list[str]) -> str:
    """A text of a notebook: one string, or lines."""
    return source if isinstance(source, str) else "".join(source)


def shown(output: Mapping[str, Any]) -> str:
    """What a cell has answered: as a browser shows it, else as plain text; nothing that was printed beside it."""
    data = output.get("data", {})
    if "text/html" in data:
        # Within a block of HTML a line without letters would end it.
        lines = [line for line in text_of(data["text/html"]).splitlines() if line.strip()]
        return "\n".join(("<div>", *lines, "</div>"))
    plain = text_of(data.get("text/plain", output.get("text", "")))
    return f"```text\n{plain}\n```" if plain else ""


def blocks(notebook: Mapping[str, Any]) -> Iterator[str]:
    """The parts of the page, in order."""
    for at, cell in enumerate(notebook["cells"]):
        source = text_of(cell["source"])
        if cell["cell_type"] != "code":
            yield source
            if at == 0:
                yield "To try it: " + ", ".join(f"[{name}](files/{name})" for name in (NAME, *READS)) + "."
            continue
        yield f"```python\n{source}\n```"
        yield from filter(None, map(shown, cell["outputs"]))


def markdown(notebook: Mapping[str, Any]) -> str:
    """A notebook as a page."""
    return "\n\n".join(blocks(notebook)) + "\n"


def run(place: Path) -> Mapping[str, Any]:
    """The notebook with its answers."""
    # Late: the program's own Python has neither.
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(place, as_version=4)
    with TemporaryDirectory() as folder:
        for name in READS:
            shutil.copy(place.with_name(name), folder)
        NotebookClient(notebook, timeout=WAITS, resources={"metadata": {"path": folder}}).execute()
    answered: Mapping[str, Any] = json.loads(nbformat.writes(notebook))
    return answered


if __name__ == "__main__":
    source, page = map(Path, sys.argv[1:])
    page.write_text(markdown(run(source)), encoding="utf-8", newline="\n")
