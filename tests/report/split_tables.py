"""Where the tables of a PDF are split: how many rows of each stand on each page, and whether each page has the head."""

import io

import pikepdf

from tests.report.structure import is_element, kids, walk

FEWEST = 4
"""Rows of a table that goes on from page to page which stand on each of them."""


def rows_by_page(content):
    """Of each table with rows on several pages: its first words' heads, and the number of rows on each page."""
    with pikepdf.open(io.BytesIO(content)) as pdf:
        order = {page.objgen: number for number, page in enumerate(pdf.pages, start=1)}
        for table in (one for one in walk(pdf.Root.StructTreeRoot) if one.S == "/Table"):
            counts = {}
            for row in (one for one in walk(table) if one.S == "/TR"):
                at = min((order[p] for p in _pages(row)), default=None)
                if at is not None and row.get("/P") is not None and row.P.S != "/THead":
                    counts[at] = counts.get(at, 0) + 1
            headed = any(one.S == "/THead" for one in walk(table))
            if len(counts) > 1:
                yield headed, counts


def _pages(element):
    """The pages of what is drawn for an element."""
    own = element.get("/Pg")
    for kid in kids(element):
        if is_element(kid):
            yield from _pages(kid)
        elif isinstance(kid, pikepdf.Dictionary) and "/Pg" in kid:
            yield kid.Pg.objgen
        elif own is not None:
            yield own.objgen


def split_badly(content):
    """What is wrong with how tables are split, in sentences."""
    return [
        f"a table with {counts} rows by page{'' if headed else ', and without a head'}"
        for headed, counts in rows_by_page(content)
        if min(counts.values()) < FEWEST or not headed
    ]
