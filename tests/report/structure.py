"""A structure check of our own for PDFs, by the rules of PDF/UA-1 and PDF/A-2a that can be read off the objects.

No validator of record stands behind it: it proves what it looks at and nothing else. `packaging/RELEASING.md` holds
what is released against veraPDF.
"""

import io

import pikepdf

PDFA, PDFUA, DC = (
    "{http://www.aiim.org/pdfa/ns/id/}",
    "{http://www.aiim.org/pdfua/ns/id/}",
    "{http://purl.org/dc/elements/1.1/}",
)
HEADINGS = {"/H1": 1, "/H2": 2, "/H3": 3}
# What stands for nothing by itself: a page break, a box around others.
_AROUND = {"/Div", "/Sect", "/Part", "/Document", "/NonStruct"}


def kids(element):
    """The children of an element of structure: elements, and marks of what is drawn (numbers)."""
    inside = element.get("/K")
    return [] if inside is None else list(inside) if isinstance(inside, pikepdf.Array) else [inside]


def is_element(value):
    return isinstance(value, pikepdf.Dictionary) and "/S" in value


def walk(element):
    """All elements below one, in the order of reading."""
    for kid in kids(element):
        if is_element(kid):
            yield kid
            yield from walk(kid)


def attribute(element, name):
    """An attribute of the kind ``Table``; None where it has none."""
    held = element.get("/A")
    each = [] if held is None else list(held) if isinstance(held, pikepdf.Array) else [held]
    return next((one[name] for one in each if one.get("/O") == "/Table" and name in one), None)


def has_content(element):
    """Whether something is drawn for an element or anything below it."""
    return any(not is_element(kid) or has_content(kid) for kid in kids(element))


def faults(content, *, archive=True):
    """What is wrong with the structure of a PDF of ours, in sentences; nothing where all rules that are tried hold."""
    with pikepdf.open(io.BytesIO(content)) as pdf:
        return [*_of_document(pdf, archive=archive), *_of_tables(pdf), *_of_figures(pdf), *_of_headings(pdf)]


def _of_document(pdf, *, archive):
    root = pdf.Root
    if not root.get("/Lang"):
        yield "no language"
    if not root.MarkInfo.get("/Marked"):
        yield "not marked as tagged"
    if not root.ViewerPreferences.get("/DisplayDocTitle"):
        yield "the title is not shown in the window of a reader"
    with pdf.open_metadata() as about:
        if not about.get(f"{DC}title"):
            yield "no title"
        if about.get(f"{PDFUA}part") != "1":
            yield "does not say that it is PDF/UA-1"
        if archive and (about.get(f"{PDFA}part"), about.get(f"{PDFA}conformance")) != ("2", "A"):
            yield "does not say that it is PDF/A-2a"
    if archive and "/OutputIntents" not in root:
        yield "no output intent"
    for number, page in enumerate(pdf.pages, start=1):
        if page.get("/Tabs") != "/S":
            yield f"page {number}: the order of tabs is not that of the structure"
        if "/StructParents" not in page:
            yield f"page {number}: its content belongs to no structure"
        for font in page.Resources.get("/Font", {}).values():
            yield from _of_font(font, number)


def _of_font(font, number):
    below = font.DescendantFonts[0] if "/DescendantFonts" in font else font
    inside = below.FontDescriptor
    if not {"/FontFile", "/FontFile2", "/FontFile3"} & set(inside.keys()):
        yield f"page {number}: the font {font.BaseFont} is not embedded"
    if "/ToUnicode" not in font:
        yield f"page {number}: the font {font.BaseFont} does not tell its characters"


def _of_tables(pdf):
    for table in (one for one in walk(pdf.Root.StructTreeRoot) if one.S == "/Table"):
        rows = [one for one in walk(table) if one.S == "/TR"]
        if not rows:
            yield "a table without rows"
        if not any(cell.S == "/TH" for row in rows for cell in kids(row)):
            yield "a table without a single head"
        widths = set()
        for at, row in enumerate(rows):
            cells = [one for one in kids(row) if is_element(one)]
            widths.add(sum(int(attribute(cell, "/ColSpan") or 1) for cell in cells))
            filled = [cell for cell in cells if has_content(cell)]
            in_head = row.get("/P") is not None and row.P.S == "/THead"
            if len(filled) > 1 and not in_head and filled[0].S != "/TH":
                yield f"row {at + 1} of a table has no head"
            for cell in cells:
                if cell.S == "/TH" and attribute(cell, "/Scope") not in {"/Row", "/Column", "/Both"}:
                    yield f"a head in row {at + 1} of a table does not say what it is the head of"


def _of_figures(pdf):
    for figure in (one for one in walk(pdf.Root.StructTreeRoot) if one.S in {"/Figure", "/Formula"}):
        words = str(figure.get("/Alt", ""))
        if len(words.strip()) < 4:
            yield "a figure without words"


def _of_headings(pdf):
    """Headings that skip a level, that hold nothing, and below which nothing stands."""
    elements = [one for one in walk(pdf.Root.StructTreeRoot) if one.S not in _AROUND]
    tops = [one for one in elements if one.S in HEADINGS]
    level = 0
    for heading in tops:
        now = HEADINGS[str(heading.S)]
        if now > level + 1:
            yield f"a heading of level {now} below one of level {level}"
        level = now
        if not has_content(heading):
            yield "an empty heading"
    inside = {one.objgen for heading in tops for one in walk(heading)}
    shown = [one for one in elements if one.objgen not in inside]
    for one, after in zip(shown, [*shown[1:], None], strict=True):
        if one.S in HEADINGS and (after is None or HEADINGS.get(str(after.S), 9) <= HEADINGS[str(one.S)]):
            yield "a heading with nothing below it"
    if tops and "/Outlines" not in pdf.Root:
        yield "headings without bookmarks"
