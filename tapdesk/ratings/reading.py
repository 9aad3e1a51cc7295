"""From a file to ratings, with everything that was understood, guessed and noticed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError
from tapdesk.language import CaseName, Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step, finish
from tapdesk.ratings.assembly import Assembly, RatingCells, assemble
from tapdesk.ratings.checks.all import all_findings, label_findings
from tapdesk.ratings.checks.rest import REST, rest_of_file
from tapdesk.ratings.conservation import account_of
from tapdesk.ratings.findings import (
    Account,
    Finding,
    Severity,
    label_text,
    no_rating_words,
    note,
    refuse_what_asks,
    row_list,
    short_text,
)
from tapdesk.ratings.formats.files import load, name_of, paths_of, place_of
from tapdesk.ratings.formats.kinds import FileKind, record_of
from tapdesk.ratings.grid import Codes, FileCells
from tapdesk.ratings.label_sets import OF_SETS, as_asked, of_label, yes_or_no
from tapdesk.ratings.layouts.assignment import of_one_question, roles
from tapdesk.ratings.layouts.catalog import cells as cells_of
from tapdesk.ratings.layouts.crossed import in_file_names, without_shared_part
from tapdesk.ratings.layouts.crosstab import PROVED, without_totals
from tapdesk.ratings.layouts.known import key_findings, with_key, without_key
from tapdesk.ratings.layouts.roles import Roles, is_called, rows_that_pass
from tapdesk.ratings.layouts.two_readings import TwoReadingsError
from tapdesk.ratings.number_marks import decimal_mark, decimal_of_counts
from tapdesk.ratings.options import Layout, Preview, RatersAre, ReadingOptions, Source
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.samples import locate
from tapdesk.ratings.table import FOOTNOTES, RatingTable, frame_table
from tapdesk.ratings.texts import missing_codes
from tapdesk.ratings.trades.catalog import framed, recognised, settled
from tapdesk.ratings.trades.export import Export
from tapdesk.ratings.vocabulary import RATER, RATING, SUBJECT, words

ONE_OF_SEVERAL = _("Each row answers several questions; one of them is read.")
"""Said of a table with several questions; not of all of them together."""
_EACH = {
    Layout.LONG: _("Each row is one {rating}."),
    Layout.RATERS: _("Each row is {a_subject}, each column {a_rater}."),
    Layout.SUBJECTS: _("Each row is {a_rater}, each column {a_subject}."),
    Layout.QUESTIONS: ONE_OF_SEVERAL,
    Layout.COUNTS: _("Each row counts the {ratings} of {a_subject}."),
    Layout.CONFUSION: _("Rows are the classes of the first {rater}, columns those of the second."),
}
_ORDER = {
    "said": _("The classes are in the order you gave."),
    "listed": _("The classes stand as you listed them; they have no order: {classes}."),
    "numbers": _("The classes are in the order of their numbers."),
    "scale": _("The classes are in the order of a known scale: {classes}."),
    "columns": _("The classes are in the order of the columns."),
    "codes": _("The classes are in the order of their codes in the file, which says that they are ordered: {classes}."),
    "nominal": _("The classes stand in the order of their codes; the file says that they have no order: {classes}."),
    "coded": _("The classes stand in the order of their codes in the file: {classes}."),
    "part": _("The classes are in a known order as far as they have one; the others follow: {classes}."),
    "appearance": _("The classes are in the order in which they first appear: {classes}."),
}
_MARKS = {".": _("Dot is the decimal mark."), ",": _("Comma is the decimal mark.")}
NO_OPTIONS = ReadingOptions()
_MOST_CLASSES = 12
_PREVIEW_ROWS = 200
_RANK = {severity: rank for rank, severity in enumerate(Severity)}


def _reading_summary(
    loaded: FileCells, table: RatingTable, result: Roles, made: Assembly, mark: str | None, blank: str | None
) -> tuple[str, ...]:
    """How a file was read, sentence by sentence."""
    rows = ngettext("{n:,} row", "{n:,} rows", table.rows).format(n=table.rows)
    columns = ngettext("{n} column", "{n} columns", n := len(table.names) - loaded.made).format(n=n)
    size = _("We read {rows} and {columns}.").format(rows=rows, columns=columns)
    header = _("There is no header row.")
    if len(table.header_rows) == 1:
        header = _("Row {row} is the header.").format(row=table.header_rows[0])
    elif table.header_rows:
        header = _("{rows} are the header.").format(rows=row_list(table.header_rows).capitalize())
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
    sentences.append(_EACH[result.layout])
    if result.layout is Layout.COUNTS and result.count is not None:
        by_count = _("The column '{count}' says how many {subjects} a row stands for.")
        sentences.append(by_count.format(count=Label(result.count)))
    sentences += no_rating_words([c for c in made.missing if c], None if made.cells.classes else blank)
    # Only where an order is known is one class less than another.
    between = " < " if made.order.ordered or made.order.how == "part" else ", "
    there = [c for c in made.order.classes if c not in made.ratings.abstentions]
    # A class may hold what stands between two classes, as sets of labels do.
    quoted = any(sign in c for c in there[:_MOST_CLASSES] for sign in ",;<")
    names = (Label(label_text(c, 40)) for c in there[:_MOST_CLASSES])
    classes = joined(*(_("“{label}”").format(label=name) if quoted else name for name in names), sep=between)
    if len(there) > _MOST_CLASSES:
        classes = _("{classes} and {n:,} more").format(classes=classes, n=len(there) - _MOST_CLASSES)
    order = _ORDER[made.order.how].format(classes=classes)
    # The last class may end in a full stop of its own.
    sentences.append(order[:-1] if order.endswith("..") else order)
    return tuple(sentences)


def _one_rating(result: Roles, made: Assembly) -> str:
    """One rating in words, the test whether the file was read rightly."""
    ratings, cells = made.ratings, made.cells
    entry = ratings.subject.size // 2
    subject = CaseName(ratings.subjects[int(ratings.subject[entry])], 40)
    rated = label_text(ratings.classes[int(ratings.category[entry])], 40)
    if result.layout is Layout.COUNTS:
        of_subject = ratings.category[ratings.subject == ratings.subject[entry]]
        count = int((of_subject == ratings.category[entry]).sum())
        if of_subject.size == 1:
            return _("The only {rating} of {subject} {name} says {rated}.").format(name=subject, rated=Label(rated))
        return ngettext(
            "Of the {n:,} {ratings} of {subject} {name}, {count:,} says {rated}.",
            "Of the {n:,} {ratings} of {subject} {name}, {count:,} say {rated}.",
            count,
        ).format(n=of_subject.size, name=subject, count=count, rated=Label(rated))
    if result.layout is Layout.CONFUSION:
        first, second = (ratings.classes[int(c)] for c in ratings.category[:2])
        times = 1 if cells.weight is None else int(cells.weight[0])
        return ngettext(
            "For {times:,} {subjects} the first {rater} said {first} and the second {second}.",
            "For {times:,} {subjects} the first {rater} said {first} and the second {second}.",
            times,
        ).format(times=times, first=short_text(first), second=short_text(second))
    if (known := ratings.known_texts()) is not None:
        text = known[int(ratings.subject[entry])]
        true = _("The known answer is {known}.").format(known=Label(label_text(text, 40)))
        return joined(_rated_so(result, made, entry), true if text else _("The answer of this {subject} is not known."))
    return _rated_so(result, made, entry)


def _rated_so(result: Roles, made: Assembly, entry: int) -> str:
    """One rating in words, where each row or cell is one."""
    ratings = made.ratings
    subject = CaseName(ratings.subjects[int(ratings.subject[entry])], 40)
    rated = label_text(ratings.classes[int(ratings.category[entry])], 40)
    rater = RaterName(ratings.raters[int(ratings.rater[entry])], 40)
    case = _word(result.subject, SUBJECT, _("{subject}"))
    # A question is called by what it asks, its answers are none of that: "Pain score written down?" has no scores.
    thing = _("{rating}") if result.layout is Layout.QUESTIONS else _word(result.rating, RATING, _("{rating}"))
    if ratings.raters_known:
        return _("The {person} {rater} gave the {case} {subject} the {thing} {rated}.").format(
            person=_word(result.rater, RATER, _("{rater}")),
            rater=rater,
            case=case,
            subject=subject,
            thing=thing,
            rated=Label(rated),
        )
    return _("The {person} in seat {rater} gave the {case} {subject} the {thing} {rated}.").format(
        person=_("{rater}"), rater=rater, case=case, subject=subject, thing=thing, rated=Label(rated)
    )


def _word(column: str | None, kind: frozenset[str], usual: str) -> str:
    """The user's own word for a thing, where the column name is one."""
    if column is None or not is_called(column, kind):
        return usual
    word = next(w for w in words(column) if w in kind)
    return usual if word in {"id", "label", "labels", "ratings", "raters", "subjects"} else word


@dataclass(frozen=True, eq=False)
class Reading:
    """Ratings and everything about how they were read.

    Attributes
    ----------
    ratings
        After missing codes, filters, order and class 1.
    as_read
        The same before class 1 and class 0 made it binary.
    source, options
        The file, and the options as resolved: no field is left to guess.
    findings
        What a user should know, the gravest first.
    missing, missing_by
        Number of cells that mean "no rating", and the number by text (blank under the empty text).
    left_out_subjects, left_out_ratings
        What filters, class 0 and the lack of any rating left out.
    preview
        The first rows of the file.
    asked
        The options as the user gave them: what is left alone there was guessed.
    account
        What became of every cell of the rating area; None where a project of an earlier format kept the reading.
    sets
        The ratings as sets of labels, where the question is about one label of a form of them; else None.
    """

    ratings: Ratings
    as_read: Ratings
    source: Source
    options: ReadingOptions
    findings: tuple[Finding, ...]
    missing: int
    missing_by: Mapping[str, int]
    left_out_subjects: int
    left_out_ratings: int
    preview: Preview
    asked: ReadingOptions = NO_OPTIONS
    account: Account | None = None
    sets: Ratings | None = None


def rows_summary(reading: Reading) -> str:
    """Which rows of the file were read, and what the others say with how many ratings; empty where all were."""
    options = reading.asked
    rest = [f.message for f in reading.findings if f.code == REST]
    parts = [_("{column} = {value}").format(column=Label(c), value=Label(v)) for c, v in options.where]
    parts += [_("{column} is not {value}").format(column=Label(c), value=Label(v)) for c, v in options.where_not]
    if options.question is not None and options.only is not None:
        parts.append(_("{column} = {value}").format(column=Label(options.question), value=Label(options.only)))
    if not parts:
        return joined(*rest)
    # What stands in classes on neither side is left out later.
    left = reading.left_out_ratings - (reading.as_read.rating_count - reading.ratings.rating_count)
    what = joined(*parts, sep=_(" and "))
    if not left:
        return joined(_("Only rows where {what} are read.").format(what=what), *rest)
    sentence = ngettext(
        "Only rows where {what}: {n:,} {ratings} left out.", "Only rows where {what}: {n:,} {ratings} left out.", left
    ).format(what=what, n=left)
    return joined(sentence, *rest)


def read_now(path: str | Path, options: ReadingOptions = NO_OPTIONS) -> Reading:
    """The ratings in a file; see :func:`read`."""
    return finish(read(path, options))


def read(path: str | Path, options: ReadingOptions = NO_OPTIONS) -> Run[Reading]:
    """The ratings in a file.

    Parameters
    ----------
    path
        A file, or ``sample:NAME`` for one that comes with the program. Files of one shape, told one per line, are read
        as one: each is a rater.
    options
        What the user decided; the rest is guessed and the guess reported.

    Raises
    ------
    TapdeskError
        When the file cannot be read or given a meaning, or - with ``strict`` - when a finding asks.
    UsageError
        When an option names a column, sheet, class or encoding that is not there.
    """
    return (yield from read_cells((yield from opened(path, options)), options))


@dataclass(frozen=True, eq=False)
class OpenFile:
    """A file whose cells are loaded, so that several readings of it load it once."""

    given: str | Path
    place: Path
    loaded: FileCells
    export: Export | None


def opened(path: str | Path, options: ReadingOptions = NO_OPTIONS) -> Run[OpenFile]:
    """The cells of a file; parameters and errors as of `read`. Of the options only those about cells matter."""
    place, options = locate(path, options)
    loaded = yield from load(place, options)
    if loaded.form == FileKind.TEXT.value and len(paths_of(place)) == 1 and record_of(Path(place)).is_file():
        # Start-up cost: beside few tables lies a record of ours.
        from tapdesk.ratings.own.recall import SETTLED, recalled_beside

        recalled = recalled_beside(place, loaded.sha256)
        loaded = replace(loaded, recalled=recalled, answered=SETTLED if recalled else loaded.answered)
    if loaded.paths:
        place = place_of(loaded.paths)
    return OpenFile(path, place, *recognised(loaded, options))


def read_cells(
    file: OpenFile, options: ReadingOptions, sides: Callable[[Ratings, ReadingOptions], Ratings] | None = None
) -> Run[Reading]:
    """The ratings in a file that is open; errors as of `read`.

    Parameters
    ----------
    file
        With the options that tell its cells.
    options
        What the user decided.
    sides
        What makes the ratings binary, where that is not `as_asked`.
    """
    try:
        reading = yield from _read_cells(file, options, sides)
    except TwoReadingsError as two:
        # Both ways stand side by side before a question of either is chosen; meanwhile the first question is shown.
        reading = yield from _read_cells(file, replace(options, **two.shown), sides)
        reading = replace(reading, asked=options, findings=_in_order((two.doubt,), reading.findings, frozenset()))
    return reading if sides is not None or options.label is None else about_label(reading, options)


# Few files have a sheet beside the ratings that is a key: what looks at it is loaded for these alone.


def _with_sheet(
    loaded: FileCells, shown: RatingTable, options: ReadingOptions
) -> tuple[FileCells, ReadingOptions, RatingTable]:
    if not options.known_sheet and not options.rater_sheet:
        return loaded, options, shown
    from tapdesk.ratings.layouts.key_sheets import with_sheet

    return with_sheet(loaded, shown, options)


def _key_sheets(loaded: FileCells, made: Assembly, roles: Roles, options: ReadingOptions) -> Iterator[Finding]:
    if loaded.beside:
        from tapdesk.ratings.layouts.key_sheets import key_sheet_findings

        yield from key_sheet_findings(loaded, made, roles, options)


def _without_doubts(found: tuple[Finding, ...], loaded: FileCells, options: ReadingOptions) -> tuple[Finding, ...]:
    if not loaded.beside:
        return found
    from tapdesk.ratings.layouts.key_sheets import without_doubts

    return without_doubts(found, options)


def _read_cells(
    file: OpenFile, options: ReadingOptions, sides: Callable[[Ratings, ReadingOptions], Ratings] | None
) -> Run[Reading]:
    """The same, where there are several ways without a word about the others."""
    path, place, loaded, export = file.given, file.place, file.loaded, file.export
    _place, asked = locate(path, options)
    options = asked.for_question(asked.only or asked.sheet)
    name = name_of(place)
    shown, frame = frame_table(loaded.grid, name, framed(export, options))
    loaded, options, whole = _with_sheet(loaded, shown, options)
    yield Step(whole.rows, whole.rows, "read")
    given, (loaded, plain, options) = options, settled(export, loaded, whole, framed(export, options))
    crosstab = without_totals(plain, in_file_names(plain, options))
    keyed, options = of_one_question(crosstab.table, crosstab.options)
    table = without_key(keyed, options)
    table, result = without_shared_part(table, roles(table, options), options, own=bool(loaded.recalled))
    mark, counted, of_marks = _marks(table, result, options)
    all_cells = with_key(_cells(table, result, counted, options), keyed, result, options)
    yield Step(table.rows, table.rows, "read")
    chosen = _counted(_where(table, all_cells, options))
    made = assemble(chosen, name, mark or ".", options, _codes_of(loaded, result))
    yield Step(table.rows, table.rows, "read")
    doubts = (*loaded.findings, *frame, *crosstab.findings, *result.findings, *of_marks, *chosen.findings)
    doubts += (*made.findings, *label_findings(loaded.labels, made))
    doubts += tuple(rest_of_file(crosstab.table.renamed(table.aliases), result, given, of_form=sides is not None))
    noticed = yield from all_findings(table, result, made, mark or ".", options)
    answered = loaded.answered | (PROVED if crosstab.proved else frozenset())
    sheets = (*_key_sheets(loaded, made, result, options), *key_findings(made, keyed, options))
    findings = _without_doubts(_in_order((*doubts, *sheets), noticed, answered), loaded, options)
    if options.strict:
        refuse_what_asks(findings, name)
    binary = (sides or as_asked)(made.ratings, options)
    yield Step(table.rows, table.rows, "read")
    decided = replace(of_label(made.ratings, options, must=sides is None), decimal=mark)
    account = account_of(whole, table, result, loaded.pieces, made.ratings, binary, findings, decided, counted)
    yield Step(table.rows, table.rows, "read")
    subjects, rated_cells = _before(all_cells, mark or ".", options)
    return Reading(
        ratings=binary,
        as_read=made.ratings,
        source=_source(path, place, loaded, shown, result, made, mark, options.blank),
        options=_resolved(given, loaded, result, made, mark, whole, findings),
        findings=findings,
        missing=sum(made.missing.values()),
        missing_by=made.missing,
        left_out_subjects=subjects - binary.subject_count,
        left_out_ratings=rated_cells - binary.rating_count,
        preview=_preview(shown.renamed(table.aliases)),
        asked=asked,
        account=account,
    )


def _preview(table: RatingTable) -> Preview:
    """The first rows of the file, and what their columns are called."""
    top = range(min(table.grid.rows, _PREVIEW_ROWS))
    return Preview(table.names, tuple(map(table.grid.row, top)), int(table.row_numbers[0]))


def _cells(table: RatingTable, result: Roles, counted: str | None, options: ReadingOptions) -> RatingCells:
    """Every cell that can hold a rating; blank ones as what they mean."""
    read = cells_of(table, result, replace(options, decimal=counted))
    tallied = result.layout in {Layout.COUNTS, Layout.CONFUSION}
    return read if tallied else replace(read, value=read.value.filled(options.blank))


def _in_order(doubts: tuple[Finding, ...], noticed: Sequence[Finding], answered: frozenset[str]) -> tuple[Finding, ...]:
    """All findings, the gravest first; what the file answers itself is only told."""
    apart = {n for f in noticed if f.code == "rows_of_questions" for n in f.about[0]}
    # A name beside numbered rows is asked about with the number; the two stand apart in what that is about.
    apart |= {n for f in (*doubts, *noticed) if f.code == "cases_come_again" for n in chain(*f.about[1:])}
    # What a question is already asked about is not asked about once more as a column beside the ratings.
    kept = (f for f in doubts if f.code != "columns_not_rated" or not apart or {*f.about[:1]} != {tuple(apart)})
    each = (replace(f, severity=Severity.NOTE) if f.code in answered else f for f in (*kept, *noticed))
    return tuple(sorted(each, key=lambda f: _RANK[f.severity]))


def _marks(
    table: RatingTable, result: Roles, options: ReadingOptions
) -> tuple[str | None, str | None, tuple[Finding, ...]]:
    """The decimal mark of the ratings and that of the counts, and what is to be asked about them."""
    tallied = result.layout in {Layout.COUNTS, Layout.CONFUSION}
    rated = () if tallied else tuple(n for n in (result.rating, *result.columns) if n is not None)
    mark, request = (options.decimal, ()) if tallied else decimal_mark(table, rated, result.count, options)
    counts = (*(result.columns if tallied else ()), *([result.count] if result.count is not None else []))
    if not counts:
        return mark, mark, request
    elsewhere = mark if not any(f.severity is Severity.ASK for f in request) else None
    counted, text = decimal_of_counts(table, counts, options.decimal, elsewhere)
    return mark, counted, (*request, *text)


def _codes_of(loaded: FileCells, result: Roles) -> Codes | None:
    """The numbers behind the ratings; None where not all of their columns have the same."""
    names = (result.rating,) if result.rating is not None else result.columns
    known = [loaded.codes.get(n or "") for n in names]
    if not loaded.codes or any(k is None for k in known):
        return None
    each = [k for k in known if k is not None]
    code = {text: number for k in each for text, number in k.code.items()}
    if any(code[text] != number for k in each for text, number in k.code.items()):
        return None
    measures = {k.measure for k in each}
    return Codes(code, measures.pop() if len(measures) == 1 else "unknown")


def _where(table: RatingTable, cells: RatingCells, options: ReadingOptions) -> RatingCells:
    """Only the cells in rows that pass every filter."""
    if not options.where and not options.where_not:
        return cells
    kept = rows_that_pass(table, table.row_numbers - 1, options)
    if not kept.any():
        sentence = " and ".join([*(f"{c}={v}" for c, v in options.where), *(f"{c}!={v}" for c, v in options.where_not)])
        raise TapdeskError(
            _("No row has {asked}.").format(asked=sentence),
            table.file,
            _("Check the column and the value of the filter."),
        )
    of_row = np.zeros(int(table.row_numbers.max()) + 1, dtype=bool)
    of_row[table.row_numbers[kept]] = True
    return cells.keep(of_row[cells.row]).compacted()


def _counted(cells: RatingCells) -> RatingCells:
    """Only the cells of subjects that stand for at least one: a weight of 0 says that nobody was rated so."""
    if cells.weight is None or cells.weight.all():
        return cells
    none = int((cells.weight == 0).sum())
    sentence = ngettext(
        "{n:,} row stands for 0 {subjects} and is passed over.",
        "{n:,} rows stand for 0 {subjects} and are passed over.",
        none,
    ).format(n=none)
    rows = sorted({int(r) for r in cells.row[cells.weight[cells.subject] == 0]})
    # It is no part of the ratings, so there is nothing in them that could be raised by hand.
    fix = _("If there are such {subjects}, write their number in the file and read it again.")
    kept = cells.keep(cells.weight[cells.subject] > 0).compacted()
    return replace(kept, findings=(*kept.findings, note("rows_of_none", row_list(rows) if rows else "", sentence, fix)))


def _before(cells: RatingCells, decimal: str, options: ReadingOptions) -> tuple[int, int]:
    """Number of subjects and of ratings in the file, before anything is left out."""
    absent: NDArray[np.bool_] = np.zeros(len(cells.value.values), dtype=bool)
    if cells.classes is None:
        absent = np.array(missing_codes(cells.value.values, options.missing, options.classes, decimal), dtype=bool)
    if cells.weight is None:
        return len(cells.subjects), int(cells.value.counts()[~absent].sum())
    rated = ~absent[cells.value.codes]
    return int(cells.weight.sum()), int(cells.weight[cells.subject[rated]].sum())


def _source(
    given: str | Path,
    place: Path,
    loaded: FileCells,
    table: RatingTable,
    result: Roles,
    made: Assembly,
    mark: str | None,
    blank: str | None,
) -> Source:
    """What the file was and how it was understood."""
    by_role = {
        role: column
        for role in ("subject", "rater", "rating", "question", "count")
        if (column := getattr(result, role)) is not None
    }
    if made.cells.known:
        by_role["known"] = made.cells.known
    return Source(
        name=name_of(place),
        path=None if str(given).startswith("sample:") else place,
        sha256=loaded.sha256,
        format=loaded.form,
        sheet=loaded.sheet,
        sheets=loaded.sheets,
        layout=result.layout,
        encoding=loaded.encoding,
        delimiter=loaded.delimiter,
        decimal=mark,
        header_rows=table.header_rows,
        rows=table.rows,
        columns=len(table.names) - loaded.made,
        roles=by_role,
        rating_columns=result.columns,
        guessed=(*loaded.guessed, *result.guessed),
        words=_reading_summary(loaded, table, result, made, mark, blank),
        sentence=_one_rating(result, made),
    )


def _resolved(
    options: ReadingOptions,
    loaded: FileCells,
    result: Roles,
    made: Assembly,
    mark: str | None,
    table: RatingTable,
    findings: tuple[Finding, ...],
) -> ReadingOptions:
    """The options with every guess filled in, so that the same file reads the same again."""
    return replace(
        options,
        layout=result.layout,
        subject=options.subject if result.subject is None else result.subject,
        rater=result.rater,
        rating=result.rating,
        question=options.question if result.question is None else result.question,
        columns=result.columns or None,
        sheet=loaded.sheet,
        encoding=loaded.encoding,
        delimiter=loaded.delimiter,
        decimal=mark or options.decimal,
        missing=tuple(t for t in made.missing if t) if options.missing is None else options.missing,
        order=made.ratings.classes if options.order is not None else None,
        raters_are=RatersAre.PEOPLE if made.ratings.raters_known else RatersAre.SEATS,
        count=result.count,
        header=table.header_rows[0] if table.header_rows else 0,
        header_rows=len(table.header_rows) or None,
        last=int(table.row_numbers[-1]) if FOOTNOTES & {f.code for f in findings} else options.last or 0,
    )


def about_label(reading: Reading, options: ReadingOptions) -> Reading:
    """What was read as a yes/no question about one label, which knows the sets it was made from.

    Parameters
    ----------
    reading
        With a class for each set.
    options
        With the label.
    """
    given = yes_or_no(reading.as_read, options)
    answer, label = given.classes[int(given.category[given.subject.size // 2])], Label(str(options.label))
    words = _("Asked of each set is whether “{label}” is in it.").format(label=label)
    said = _("“{label}” is answered “{answer}” by that.").format(label=label, answer=Label(answer))
    source = reading.source
    source = replace(source, words=(*source.words[:-1], words), sentence=joined(source.sentence, said))
    return replace(
        reading,
        source=source,
        ratings=given,
        as_read=given,
        sets=reading.as_read,
        options=replace(reading.options, label=options.label, order=None, class1=None, class0=None),
        # What is said of each set as a class is no longer so.
        findings=tuple(f for f in reading.findings if f.code not in OF_SETS),
    )
