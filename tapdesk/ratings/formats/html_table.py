"""The first table of a web page, such as some programs save under the name .xls."""

from html.parser import HTMLParser

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.ratings.grid import Grid, grid_of


class _Tables(HTMLParser):
    """Collects the cells of tables, joined cells filled up with blanks."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[list[list[str]]] = []
        self._open = 0
        self._cell: list[str] | None = None
        self._span = 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._open += 1
            if self._open == 1:
                self.tables.append([])
        elif self._open == 1 and tag == "tr":
            self._close_cell()
            self.tables[-1].append([])
        elif self._open == 1 and tag in {"td", "th"}:
            self._close_cell()
            if not self.tables[-1]:
                self.tables[-1].append([])
            self._cell = []
            span = dict(attrs).get("colspan") or "1"
            self._span = min(int(span), 1000) if span.isdigit() else 1
        elif tag == "br" and self._cell is not None:
            self._cell.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th", "tr", "table"} and self._open == 1:
            self._close_cell()
        if tag == "table":
            self._open = max(self._open - 1, 0)

    def handle_data(self, data: str) -> None:
        if self._cell is not None and self._open == 1:
            self._cell.append(data)

    def _close_cell(self) -> None:
        if self._cell is not None:
            row = self.tables[-1][-1]
            row.append(" ".join("".join(self._cell).split()))
            row.extend([""] * (self._span - 1))
            self._cell = None


def html_grid(text: str, name: str) -> Grid:
    """The largest table of a web page.

    Raises
    ------
    TapdeskError
        When the page has no table with more than one cell.
    """
    parser = _Tables()
    parser.feed(text)
    parser.close()
    tables = [[r for r in t if r] for t in parser.tables]
    largest = max(tables, key=lambda t: sum(len(r) for r in t), default=[])
    if sum(len(r) for r in largest) < 2:
        raise TapdeskError(
            _("This is a web page without a table."),
            name,
            _("Download the data themselves, as an Excel workbook or as CSV."),
        )
    width = max(len(r) for r in largest)
    return grid_of([[*r, *[""] * (width - len(r))] for r in largest])
