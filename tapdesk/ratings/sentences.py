"""Sentences that tell how a file was read, and one rating as the test of it."""

from tapdesk.ratings.assembly import Assembled
from tapdesk.ratings.findings import quoted, rows_named, shortened, shown
from tapdesk.ratings.formats.loaded import Loaded
from tapdesk.ratings.layouts.roles import RATER, RATING, SUBJECT, Roles, is_called, words
from tapdesk.ratings.options import Layout
from tapdesk.ratings.table import Table

_EACH = {
    Layout.LONG: "Each row is one rating.",
    Layout.RATERS: "Each row is a case, each column a rater.",
    Layout.SUBJECTS: "Each row is a rater, each column a case.",
    Layout.QUESTIONS: "Each row answers several questions; one of them is read.",
    Layout.COUNTS: "Each row counts the ratings of a case.",
    Layout.CONFUSION: "Rows are the classes of the first rater, columns those of the second.",
}
_ORDER = {
    "said": "The classes are in the order you gave.",
    "numbers": "The classes are in the order of their numbers.",
    "scale": "The classes are in the order of a known scale: {classes}.",
    "columns": "The classes are in the order of the columns.",
    "appearance": "The classes are in the order in which they come: {classes}.",
}
_MARKS = {".": "Dot is the decimal mark.", ",": "Comma is the decimal mark."}


def how_read(loaded: Loaded, table: Table, found: Roles, made: Assembled, mark: str | None) -> tuple[str, ...]:
    """How a file was read, sentence by sentence."""
    several = len(table.names) != 1
    size = f"We read {table.rows:,} rows and {len(table.names)} column{'s' if several else ''}."
    header = "There is no header row."
    if len(table.header_rows) == 1:
        header = f"Row {table.header_rows[0]} is the header."
    elif table.header_rows:
        header = f"{rows_named(table.header_rows).capitalize()} are the header."
    sentences = [size, header, *loaded.words]
    if loaded.sheet is not None and len(loaded.sheets) > 1 and loaded.sheet in loaded.sheets:
        place = loaded.sheets.index(loaded.sheet) + 1
        sentences.append(f"Sheet: {loaded.sheet} ({place} of {len(loaded.sheets)}).")
    if mark is not None:
        sentences.append(_MARKS[mark])
    sentences.append(_EACH[found.layout])
    if found.layout is Layout.COUNTS and found.count is not None:
        sentences.append(f"The column '{found.count}' says how many cases a row stands for.")
    codes = [c for c in made.missing if c]
    if codes:
        sentences.append(f"Besides blank cells, {quoted(codes)} mean no rating.")
    sentences.append(_ORDER[made.order.how].format(classes=" < ".join(shown(c, 40) for c in made.order.classes[:12])))
    return tuple(sentences)


def one_rating(found: Roles, made: Assembled) -> str:
    """One rating in words, the test whether the file was read rightly."""
    ratings, cells = made.ratings, made.cells
    entry = ratings.subject.size // 2
    subject = shortened(ratings.subjects[int(ratings.subject[entry])])
    rated = shortened(ratings.classes[int(ratings.category[entry])])
    rater = shortened(ratings.raters[int(ratings.rater[entry])])
    if found.layout is Layout.COUNTS:
        of_subject = ratings.category[ratings.subject == ratings.subject[entry]]
        count = int((of_subject == ratings.category[entry]).sum())
        return f"Of the {of_subject.size} ratings of case {subject}, {count} say {rated}."
    if found.layout is Layout.CONFUSION:
        first, second = (ratings.classes[int(c)] for c in ratings.category[:2])
        times = 1 if cells.weight is None else int(cells.weight[0])
        return f"For {times} cases the first rater said {shortened(first)} and the second {shortened(second)}."
    case = _word(found.subject, SUBJECT, "case")
    thing = _word(found.rating, RATING, "rating")
    if ratings.raters_known:
        return f"The {_word(found.rater, RATER, 'rater')} {rater} gave the {case} {subject} the {thing} {rated}."
    return f"The rater in seat {rater} gave the {case} {subject} the {thing} {rated}."


def _word(column: str | None, kind: frozenset[str], usual: str) -> str:
    """The user's own word for a thing, where the column name is one."""
    if column is None or not is_called(column, kind):
        return usual
    word = next(w for w in words(column) if w in kind)
    return usual if word in {"id", "label", "labels", "ratings", "raters", "subjects"} else word
