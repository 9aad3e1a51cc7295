"""Reports, their pages as pictures, and one sheet with all pages, from the cases of the gallery."""

import json
import math
from pathlib import Path

import pypdfium2
from PIL import Image, ImageDraw

from tapdesk.cli.main import main
from tests.gallery.cases import CASES, Case

_ACROSS, _THUMB = 8, 200
_INK = (20, 20, 20)


def report(case: Case, folder: Path) -> Path | None:
    """The PDF of a case; None where the program says in a sentence why there is none."""
    file, target = case.table, folder / f"{case.name}.pdf"
    if not file.startswith("sample:"):
        table = folder / f"{case.name}.csv"
        table.write_text(case.table, "utf-8")
        file = str(table)
    more: list[str] = []
    if case.notes:
        words = folder / f"{case.name}.toml"
        words.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in json.loads(case.notes).items()))
        more = ["--notes", str(words)]
    issued = ("--issued", "2025-05-14", "--replicates", "60")
    status = main(["report", file, "--form", case.form, *issued, *case.options, *more, "-o", str(target), "--force"])
    if status:
        assert status in {3, 4}, f"{case.name}: {status}"
        return None
    return target


def pages(pdf: Path, folder: Path, scale: float = 1.2) -> list[Path]:
    """Its pages as pictures beside each other in a folder."""
    made = []
    with pypdfium2.PdfDocument(pdf) as document:
        for at, page in enumerate(document, start=1):
            target = folder / f"{pdf.stem}-{at:02d}.png"
            page.render(scale=scale).to_pil().save(target)
            made.append(target)
    return made


def contact_sheet(pictures: list[Path], target: Path) -> None:
    """All pages small on one sheet, each with its name."""
    high = int(_THUMB * 1.45)
    rows = math.ceil(len(pictures) / _ACROSS)
    sheet = Image.new("RGB", (_ACROSS * (_THUMB + 8), rows * (high + 22)), "white")
    pen = ImageDraw.Draw(sheet)
    for at, place in enumerate(pictures):
        x, y = at % _ACROSS * (_THUMB + 8), at // _ACROSS * (high + 22)
        with Image.open(place) as page:
            page.thumbnail((_THUMB, high))
            sheet.paste(page, (x, y + 16))
            pen.rectangle((x, y + 16, x + page.width, y + 16 + page.height), outline=(180, 180, 180))
        pen.text((x, y), place.stem, fill=_INK)
    sheet.save(target)


def gallery(folder: Path, names: tuple[str, ...] = ()) -> list[Path]:
    """Make all of it, or what is named; every picture of a page, in order."""
    folder.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    for case in CASES:
        if names and case.name not in names:
            continue
        pdf = report(case, folder)
        if pdf is not None:
            own = pages(pdf, folder)
            contact_sheet(own, folder / f"sheet-{case.name}.png")
            made += own
    contact_sheet(made, folder / "sheet.png")
    return made
