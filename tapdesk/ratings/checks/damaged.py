"""Texts that another program has spoilt before: numbers cut short, letters read in the wrong encoding."""

import re
from collections.abc import Iterator

from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembled
from tapdesk.ratings.findings import Finding, ask, note, quoted
from tapdesk.ratings.layouts.roles import Roles
from tapdesk.ratings.table import Table

_CUT = re.compile(r"\d[.,]\d{2,}E\+\d{2,}", re.IGNORECASE)
# UTF-8 read as Windows or as a Mac reads: an accented letter or a dash becomes two or three signs.
_GARBLED = re.compile("[ÂÃ][\u0080-\u00bf]|â€[\u0090-\u00bf“”™˜œž¢¦]|√[©®±∂§†¨]")
_MOST = 100_000


def damaged_findings(table: Table, found: Roles, made: Assembled) -> Iterator[Finding]:
    """Names that are no longer what was typed.

    Parameters
    ----------
    table, found, made
        What was read.
    """
    rated = {found.rating, *found.columns}
    for name, column in zip(table.names, table.columns, strict=True):
        if name in rated or len(column.values) > _MOST:
            continue
        cut = [v for v in column.values if _CUT.fullmatch(v.strip())]
        if cut:
            yield ask(
                "numbers_cut_short",
                table.place(name),
                _(
                    "A spreadsheet has cut long numbers short, such as {texts}: different cases may have one name."
                ).format(texts=quoted(cut, 2)),
                _("Export the column as text from where the file comes from; what was cut cannot be brought back."),
                _("They are read as they stand in the file."),
                ((name,),),
            )
    ratings = made.ratings
    known = (*table.names, *ratings.classes, *ratings.raters[:_MOST], *ratings.subjects[:_MOST])
    garbled = tuple(dict.fromkeys(t for t in known if not t.isascii() and _GARBLED.search(t)))
    if garbled:
        yield note(
            "garbled_letters",
            "",
            _("The letters of {texts} seem to have been read wrongly before the file was saved.").format(
                texts=quoted(garbled, 4)
            ),
            _("Export the file again as 'CSV UTF-8', or rename what a report is to print."),
            _("They are read as they stand in the file."),
        )
