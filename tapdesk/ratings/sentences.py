"""Sentences that tell how a file was read, and one rating as the test of it."""

from tapdesk.language import CaseName, Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembled
from tapdesk.ratings.findings import quoted, rows_named, shortened, shown
from tapdesk.ratings.formats.loaded import Loaded
from tapdesk.ratings.layouts.header_words import RATER, RATING, SUBJECT, words
from tapdesk.ratings.layouts.roles import Roles, is_called
from tapdesk.ratings.options import Layout
from tapdesk.ratings.table import Table

_EACH = {
    Layout.LONG: _("Each row is one rating."),
    Layout.RATERS: _("Each row is a case, each column a rater."),
    Layout.SUBJECTS: _("Each row is a rater, each column a case."),
    Layout.QUESTIONS: _("Each row answers several questions; one of them is read."),
    Layout.COUNTS: _("Each row counts the ratings of a case."),
    Layout.CONFUSION: _("Rows are the classes of the first rater, columns those of the second."),
}
_ORDER = {
    "said": _("The classes are in the order you gave."),
    "numbers": _("The classes are in the order of their numbers."),
    "scale": _("The classes are in the order of a known scale: {classes}."),
    "columns": _("The classes are in the order of the columns."),
    "part": _("The classes are in a known order as far as they have one; the others follow: {classes}."),
    "appearance": _("The classes are in the order in which they first appear: {classes}."),
}
_MARKS = {".": _("Dot is the decimal mark."), ",": _("Comma is the decimal mark.")}

_MOST = 12


def how_read(loaded: Loaded, table: Table, found: Roles, made: Assembled, mark: str | None) -> tuple[str, ...]:
    """How a file was read, sentence by sentence."""
    rows = ngettext("{n:,} row", "{n:,} rows", table.rows).format(n=table.rows)
    columns = ngettext("{n} column", "{n} columns", len(table.names)).format(n=len(table.names))
    size = _("We read {rows} and {columns}.").format(rows=rows, columns=columns)
    header = _("There is no header row.")
    if len(table.header_rows) == 1:
        header = _("Row {row} is the header.").format(row=table.header_rows[0])
    elif table.header_rows:
        header = _("{rows} are the header.").format(rows=rows_named(table.header_rows).capitalize())
    sentences = [size, header, *loaded.words]
    if loaded.sheet is not None and len(loaded.sheets) > 1 and loaded.sheet in loaded.sheets:
        place = loaded.sheets.index(loaded.sheet) + 1
        sentences.append(
            _("Sheet: {sheet} ({place} of {sheets}).").format(
                sheet=Label(loaded.sheet), place=place, sheets=len(loaded.sheets)
            )
        )
    if mark is not None:
        sentences.append(_MARKS[mark])
    sentences.append(_EACH[found.layout])
    if found.layout is Layout.COUNTS and found.count is not None:
        sentences.append(
            _("The column '{count}' says how many cases a row stands for.").format(count=Label(found.count))
        )
    codes = [c for c in made.missing if c]
    if codes:
        sentences.append(_("Besides blank cells, {codes} mean no rating.").format(codes=quoted(codes)))
    classes = joined(*(Label(shown(c, 40)) for c in made.order.classes[:_MOST]), sep=" < ")
    if len(made.order.classes) > _MOST:
        classes = _("{classes} and {n:,} more").format(classes=classes, n=len(made.order.classes) - _MOST)
    order = _ORDER[made.order.how].format(classes=classes)
    # The last class may end in a full stop of its own.
    sentences.append(order[:-1] if order.endswith("..") else order)
    return tuple(sentences)


def one_rating(found: Roles, made: Assembled) -> str:
    """One rating in words, the test whether the file was read rightly."""
    ratings, cells = made.ratings, made.cells
    entry = ratings.subject.size // 2
    subject = CaseName(ratings.subjects[int(ratings.subject[entry])], 40)
    rated = shown(ratings.classes[int(ratings.category[entry])], 40)
    rater = RaterName(ratings.raters[int(ratings.rater[entry])], 40)
    if found.layout is Layout.COUNTS:
        of_subject = ratings.category[ratings.subject == ratings.subject[entry]]
        count = int((of_subject == ratings.category[entry]).sum())
        return _("Of the {n} ratings of case {subject}, {count} say {rated}.").format(
            n=of_subject.size, subject=subject, count=count, rated=Label(rated)
        )
    if found.layout is Layout.CONFUSION:
        first, second = (ratings.classes[int(c)] for c in ratings.category[:2])
        times = 1 if cells.weight is None else int(cells.weight[0])
        return _("For {times} cases the first rater said {first} and the second {second}.").format(
            times=times, first=shortened(first), second=shortened(second)
        )
    case = _word(found.subject, SUBJECT, "case")
    thing = _word(found.rating, RATING, "rating")
    if ratings.raters_known:
        return _("The {person} {rater} gave the {case} {subject} the {thing} {rated}.").format(
            person=_word(found.rater, RATER, "rater"),
            rater=rater,
            case=case,
            subject=subject,
            thing=thing,
            rated=Label(rated),
        )
    return _("The rater in seat {rater} gave the {case} {subject} the {thing} {rated}.").format(
        rater=rater, case=case, subject=subject, thing=thing, rated=Label(rated)
    )


def _word(column: str | None, kind: frozenset[str], usual: str) -> str:
    """The user's own word for a thing, where the column name is one."""
    if column is None or not is_called(column, kind):
        return usual
    word = next(w for w in words(column) if w in kind)
    return usual if word in {"id", "label", "labels", "ratings", "raters", "subjects"} else word
