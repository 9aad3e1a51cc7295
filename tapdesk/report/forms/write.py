"""A report as a file, the kind chosen by the suffix."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from tapdesk.answers.content import Picture
from tapdesk.answers.figure import USUAL, Size
from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.project.files.outputs import CAREFUL, OutputKind, Outputs, seal
from tapdesk.report.forms.html import html
from tapdesk.report.forms.xlsx import csv_files, xlsx
from tapdesk.report.issue.texts import check
from tapdesk.report.report import Report, spared

PAGE_PPI = 144.0


def _pdf(report: Report, *, archive: bool = True) -> bytes:
    # typst is loaded when the first PDF is made, not when the program starts.
    from tapdesk.report.forms.pdf import pdf

    return pdf(report, archive=archive)


def _docx(report: Report) -> bytes:
    # As the pages: loaded when the first document is made.
    from tapdesk.report.forms.docx import docx

    return docx(report)


KINDS: dict[str, Callable[[Report], bytes]] = {".pdf": _pdf, ".html": html, ".docx": _docx, ".xlsx": xlsx}


SEVERAL = (".csv", ".png")
"""What a report is several files as: one for each table, and one for each page."""
SUFFIXES = (*KINDS, *SEVERAL)
"""What a report may be called."""


def content(report: Report, suffix: str, *, archive: bool = True) -> bytes:
    """The report as the bytes of a file; ``archive`` asks for PDF/A-2a besides PDF/UA-1.

    Raises
    ------
    UsageError
        When there is no such kind of file.
    """
    kind = KINDS.get(suffix.lower())
    if kind is None:
        raise UsageError(
            _("A report cannot be written as “{suffix}”.").format(suffix=suffix),
            fix=_("Use a name that ends in {known}.").format(known=", ".join(SUFFIXES)),
        )
    if suffix.lower() == ".pdf":
        return _pdf(report, archive=archive)
    made = kind(report)
    return seal(made, OutputKind.REPORT, issued=report.final) if suffix.lower() == ".html" else made


def write(
    report: Report,
    path: str | Path,
    *,
    ppi: float = PAGE_PPI,
    archive: bool = True,
    page: int | None = None,
    outputs: Outputs = CAREFUL,
) -> tuple[Report, tuple[Path, ...]]:
    """Save the report; nothing is half-written, and an old file stays until the new one is whole.

    Parameters
    ----------
    report
        What to save.
    path
        Ends in ``.pdf``, ``.html``, ``.docx``, ``.xlsx``, in ``.csv`` for one file a table (``name 1 Title.csv`` and
        so on), or in ``.png`` for one picture a page (``name-01.png`` and so on).
    ppi
        Resolution of pictures of pages.
    archive
        Whether a PDF is also PDF/A-2a.
    page
        Of pictures the one page that is wanted, counted from 1, under the name that was chosen; None for all.
    outputs
        What may be replaced.

    Returns
    -------
    Report
        What was written: a section that could not be drawn or set is replaced (`tapdesk.report.report.spared`).
    tuple of Path
        The files written.

    Raises
    ------
    UsageError
        When there is no such kind of file.
    TapdeskError
        When the place cannot be written.
    """
    report, files = written(report, Path(path), ppi=ppi, archive=archive, page=page)
    outputs.save_all(files)
    return report, tuple(name for name, _inside in files)


def written(
    report: Report, path: Path, *, ppi: float = PAGE_PPI, archive: bool = True, page: int | None = None
) -> tuple[Report, tuple[tuple[Path, bytes], ...]]:
    """What `write` saves and where, not saved yet."""
    if path.suffix.lower() == ".png":
        return spared(report, partial(page_files, path=path, ppi=ppi, page=page))
    if path.suffix.lower() == ".csv":
        return spared(report, partial(csv_files, path=path))
    made, inside = spared(report, partial(content, suffix=path.suffix, archive=archive))
    return made, ((path, inside),)


def page_files(
    report: Report, path: Path, *, ppi: float = PAGE_PPI, page: int | None = None
) -> tuple[tuple[Path, bytes], ...]:
    """The pages as pictures and where each belongs: ``name-01.png`` and so on beside the path, or one page there.

    Raises
    ------
    UsageError
        When there is no such page.
    """
    from tapdesk.report.forms.pdf import pages

    made = [seal(inside, OutputKind.REPORT, issued=report.final) for inside in pages(report, ppi=ppi)]
    if page is None:
        return tuple((path.with_stem(f"{path.stem}-{i:02d}"), inside) for i, inside in enumerate(made, start=1))
    if page > len(made):
        raise UsageError(
            _("There is no page {page}: the report has {n}.").format(page=page, n=len(made)),
            fix=_("Name one of them, such as 1."),
        )
    return ((path, made[page - 1]),)


def pictures(report: Report, suffix: str = ".svg", *, size: Size = USUAL) -> tuple[tuple[str, bytes], ...]:
    """Every figure of a report as a file: names such as ``figure-03-2.svg``, and what is in them.

    Raises
    ------
    UsageError
        When there is no such kind of file.
    """
    from tapdesk.report.forms.pdf import figure_file

    check(report)
    items = [b for section in report.sections for b in section.blocks if isinstance(b, Picture)]
    made = []
    for i, picture in enumerate(items, start=1):
        for j, figure in enumerate(picture.panels, start=1):
            name = f"figure-{i:02d}{f'-{j}' if len(picture.panels) > 1 else ''}{suffix.lower()}"
            height = picture.height + (50.0 if figure.x.title else 0.0)
            made.append((name, figure_file(figure, suffix, width=size.pixels, height=height, ppi=size.ppi)))
    return tuple(made)
