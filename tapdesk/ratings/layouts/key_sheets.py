"""A sheet of its own with an answer for each case: it is noticed beside the ratings, and joined to them by case."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import CaseName, Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembly
from tapdesk.ratings.findings import Finding, Severity, ask, note, of_all, quoted_list
from tapdesk.ratings.grid import FileCells, Piece, TextColumn, column_of
from tapdesk.ratings.layouts.known import LAYOUTS
from tapdesk.ratings.layouts.roles import Roles, column_called, is_called
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import case_folded_form, missing_codes
from tapdesk.ratings.vocabulary import RATER, SUBJECT, is_known_answer

_FEWEST, _SHARED = 2, 0.5  # cases, and the share of a sheet's cases, that must be among those that were rated
_FEWEST_ALIKE, _ALIKE = 6, 0.4  # cases from which on agreement tells something, and how much more than chance it is
_MORE_TEXTS = 2  # so many more texts than classes are still answers
_RATERS_KEPT = frozenset({"known_answers", "summary_column", "perhaps_known", "looks_like_consensus"})


@dataclass(frozen=True, eq=False)
class KeySheet:
    """A sheet with one answer for each of some cases.

    Attributes
    ----------
    name
        Of the sheet.
    case
        Its column of cases.
    answers
        Its columns that may hold the answer, by name; the name of a column without one is that of the sheet.
    """

    name: str
    case: TextColumn
    answers: Mapping[str, TextColumn]

    def by_case(self, answer: str, options: ReadingOptions) -> dict[str, str]:
        """The answer of each case, blank and missing ones left out.

        Raises
        ------
        TapdeskError
            When two rows know different answers of one case.
        """
        column = self.answers[answer]
        absent = np.array(missing_codes(column.values, options.missing, options.classes), dtype=bool)
        texts: dict[str, str] = {}
        for i in np.flatnonzero(~absent[column.codes]).tolist():
            case, text = self.case.text(i).strip(), column.text(i).strip()
            if case and texts.setdefault(case, text) != text:
                raise TapdeskError(
                    _("Two rows of the case {case} have different answers: '{first}' and '{second}'.").format(
                        case=CaseName(case), first=Label(texts[case]), second=Label(text)
                    ),
                    _("sheet '{name}'").format(name=Label(self.name)),
                    _("Correct one of them."),
                )
        return texts


def _sheet_of(piece: Piece, cases: Collection[str]) -> KeySheet | None:
    """A sheet whose rows are cases that were rated; None where they are others."""
    best, share, place = 0, 0.0, -1
    for i, column in enumerate(piece.columns):
        texts = {v.strip() for v in column.used().values} - {""}
        here = len(texts & set(cases))
        # Classes come again and again, cases once or, by a slip, twice.
        if here > best and 2 * len(texts) > int((~column.blank).sum()):
            best, share, place = here, here / len(texts), i
    if best < _FEWEST or share < _SHARED:
        return None
    answers: dict[str, TextColumn] = {}
    for i, (head, column) in enumerate(zip(piece.heads, piece.columns, strict=True)):
        if i != place and not column.blank.all():
            answers.setdefault(head.strip() or piece.name, column)
    return KeySheet(piece.name, piece.columns[place], answers) if answers else None


def _once_each(sheet: KeySheet) -> bool:
    """Whether no case comes again, as in a list with one answer each."""
    texts = [t for i in range(sheet.case.codes.size) if (t := sheet.case.text(i).strip())]
    return len(set(texts)) == len(texts)


# What is asked ------------------------------------------------------------------------------------------------------


def key_sheet_findings(loaded: FileCells, made: Assembly, roles: Roles, options: ReadingOptions) -> Iterator[Finding]:
    """A question about each sheet that is not read and holds one answer for each of the cases that were rated.

    Parameters
    ----------
    loaded
        The cells, with the sheets beside the one that is read.
    made, roles
        The ratings, and what the columns of their table are for.
    options
        What the user said.
    """
    if options.known or options.known_sheet or options.rater_sheet or roles.layout not in LAYOUTS:
        return
    cases = frozenset(name.strip() for name in made.ratings.subjects)
    for piece in loaded.beside:
        sheet = _sheet_of(piece, cases)
        if sheet is None or not _once_each(sheet):
            continue
        answers = _answers_of(sheet, piece, made.ratings, options)
        if not answers:
            continue
        if _of_question(sheet, options) is not None:
            message = _("The sheet “{sheet}” has answers to the questions, case by case, as known answers are.").format(
                sheet=Label(sheet.name)
            )
        else:
            message = _of_one_table(sheet, answers, made.ratings, options)
        yield _question(sheet, answers, message, roles, options)


def _of_question(sheet: KeySheet, options: ReadingOptions) -> str | None:
    """The column of a sheet that is called like the question that is read; None where there is none."""
    plain = {n.strip().casefold(): n for n in sheet.answers}
    questions = (q.strip().casefold() for q in (options.only, options.rating, options.sheet) if q)
    return next((plain[q] for q in questions if q in plain), None)


def _answers_of(sheet: KeySheet, piece: Piece, ratings: Ratings, options: ReadingOptions) -> tuple[str, ...]:
    """The columns that look like answers: by their names, by that of the sheet, or by what they say."""
    few = {n: c for n, c in sheet.answers.items() if _are_few(c, ratings)}
    named = tuple(n for n in few if is_known_answer(n, piece.heads))
    if named or is_known_answer(sheet.name, ()):
        return named or tuple(few)
    if len(few) != 1 or len(sheet.answers) != 1:
        return ()
    agree, of, chance = _agreement(sheet.by_case(next(iter(few)), options), ratings)
    more = of >= _FEWEST_ALIKE and chance < 1 and (agree / of - chance) / (1 - chance) >= _ALIKE
    return tuple(few) if more else ()


def _of_one_table(sheet: KeySheet, answers: tuple[str, ...], ratings: Ratings, options: ReadingOptions) -> str:
    """Of how many cases a sheet has an answer, and how often this is what most raters say."""
    texts = sheet.by_case(answers[0], options)
    agree, of, _chance = _agreement(texts, ratings)
    message = ngettext(
        "The sheet “{sheet}” has an answer for {part}, as known answers are.",
        "The sheet “{sheet}” has one answer each for {part}, as known answers are.",
        of,
    ).format(sheet=Label(sheet.name), part=of_all(of, len(ratings.subjects), "subjects"))
    if len(answers) > 1 or of < _FEWEST_ALIKE:
        return message
    return joined(message, _("For {agree:,} of them it says what most raters say.").format(agree=agree))


def _are_few(column: TextColumn, ratings: Ratings) -> bool:
    """Whether a column has about as many texts as there are classes."""
    return 1 <= len({v.strip() for v in column.used().values} - {""}) <= len(ratings.classes) + _MORE_TEXTS


def _agreement(texts: Mapping[str, str], ratings: Ratings) -> tuple[int, int, float]:
    """Of how many cases the answer goes with what most raters say, of how many it is known, and what luck would make.

    Words may be others than those of the raters: each goes with the class that most raters give to its cases, where no
    other word goes with the same.
    """
    most = ratings.counts().argmax(axis=1)
    pairs = [(texts[n.strip()], int(k)) for n, k in zip(ratings.subjects, most, strict=True) if n.strip() in texts]
    if not pairs:
        return 0, 0, 0.0
    together, by_class = Counter(pairs), Counter(k for _t, k in pairs)
    plain = {case_folded_form(c): k for k, c in enumerate(ratings.classes)}
    goes: dict[str, int] = {t: plain[f] for t, _k in pairs if (f := case_folded_form(t)) in plain}
    for (text, k), _n in together.most_common():
        if text not in goes and k not in goes.values():
            goes[text] = k
    agree = sum(n for (text, k), n in together.items() if goes.get(text) == k)
    chance = sum(n * by_class[goes[t]] for t, n in Counter(t for t, _k in pairs).items() if t in goes) / len(pairs) ** 2
    return agree, len(pairs), chance


def _question(
    sheet: KeySheet, answers: tuple[str, ...], message: str, roles: Roles, options: ReadingOptions
) -> Finding:
    """What is asked about one sheet.

    What it is ``about``: the sheet; its columns of answers, none where it has one for each question.
    """
    name, form = Label(sheet.name), _of_question(sheet, options) is not None
    fix = [_('If they are known, say --known-sheet "{sheet}": each rater is compared with them.').format(sheet=name)]
    if not form and len(answers) > 1:
        fix.append(_("Say with --known which of its columns holds them."))
    if not form and roles.layout in {Layout.RATERS, Layout.LONG} and roles.question is None:
        fix.append(_('If it is one more rater, say --rater-sheet "{sheet}".').format(sheet=name))
    fix.append(_("If it is neither, name the sheet to read (--sheet)."))
    found = ask(
        "key_sheet",
        _("sheet '{name}'").format(name=name),
        message,
        joined(*fix),
        _("It is not read."),
        ((sheet.name,), () if form else answers),
    )
    # Who named the sheet to read has said that the others are not.
    return found if options.sheet is None or form else replace(found, severity=Severity.NOTE)


# What is joined -----------------------------------------------------------------------------------------------------


def with_sheet(
    loaded: FileCells, whole: RatingTable, options: ReadingOptions
) -> tuple[FileCells, ReadingOptions, RatingTable]:
    """The cells with the answers of the sheet that was named, if one was, as one more column, and their table.

    The column is named in the options.

    Where a form is looked through and a sheet knows its questions one by one, nothing is joined before one is chosen.

    Parameters
    ----------
    loaded
        The cells, with the sheets beside the one that is read.
    whole
        Where the table stands in them.
    options
        What the user said.

    Raises
    ------
    UsageError
        When there is no such sheet, or it is not told which of its columns holds the answers.
    TapdeskError
        When its cases are not those that were rated.
    """
    if not options.known_sheet and not options.rater_sheet:
        return loaded, options, whole
    option = "--known-sheet" if options.known_sheet else "--rater-sheet"
    name = options.known_sheet or options.rater_sheet or ""
    piece = next((p for p in loaded.beside if p.name == name), None)
    if piece is None:
        raise UsageError(
            _("There is no further sheet '{name}' beside the ratings.").format(name=Label(name)),
            option,
            _("The other sheets are {names}.").format(names=quoted_list([p.name for p in loaded.beside], 20))
            if loaded.beside
            else _("The file has no other sheet with a table."),
        )
    case = _case_column(whole, piece, options)
    sheet = None if case is None else _sheet_of(piece, whole.texts(case))
    if case is None or sheet is None:
        raise TapdeskError(
            _("The sheet '{name}' has no column with the cases that were rated.").format(name=Label(name)),
            whole.file,
            _("Name the cases alike on both sheets, or say which column holds them (--subject)."),
        )
    answer = _chosen_answer(sheet, whole, options)
    if answer is None:
        return loaded, replace(options, known=None), whole
    texts = sheet.by_case(answer, options)
    column = _column_name(answer, sheet.name, whole.names)
    told = _told(sheet, texts, whole.texts(case), column, rater=options.known_sheet is None)
    rows = None if options.known_sheet is not None else _with_rows(whole, case, sheet.name, texts, options)
    if rows is not None:
        told = _told(sheet, texts, whole.texts(case), sheet.name, rater=True)
        return replace(loaded, grid=rows.grid, findings=(*loaded.findings, *told)), options, rows
    table = _with_column(whole, column, [texts.get(c.strip(), "") for c in _cells(whole, case)])
    cells = replace(loaded, grid=table.grid, findings=(*loaded.findings, *told))
    if options.known_sheet is not None:
        return cells, replace(options, known=column), table
    columns = None if options.columns is None or column in options.columns else (*options.columns, column)
    return cells, replace(options, columns=columns or options.columns), table


def _cells(table: RatingTable, name: str) -> Iterator[str]:
    column = table.column(name)
    return map(column.text, range(table.rows))


def _case_column(whole: RatingTable, piece: Piece, options: ReadingOptions) -> str | None:
    """The column of the ratings that shares most texts with one of a sheet; one called so comes first among equals."""
    if options.subject and options.subject in whole.names:
        return options.subject
    columns = [c for c in piece.columns if 2 * len(c.used().values) > int((~c.blank).sum())]
    texts = [{v.strip() for v in column.used().values} - {""} for column in columns]
    heads = {h.strip().casefold() for h in piece.heads}
    shared = {n: max((len(whole.texts(n) & t) for t in texts), default=0) for n in whole.names}
    best = max(whole.names, key=lambda n: (shared[n], n.strip().casefold() in heads, is_called(n, SUBJECT)))
    return best if shared[best] >= _FEWEST else None


def _chosen_answer(sheet: KeySheet, whole: RatingTable, options: ReadingOptions) -> str | None:
    """The column of a sheet that holds the answers; None where it has one for each question and none is chosen yet."""
    plain = {n.strip().casefold(): n for n in sheet.answers}
    asked = options.known.strip().casefold() if options.known else None
    if asked is not None and (given := plain.get(asked.removeprefix(f"{sheet.name.casefold()}: "))) is not None:
        return given
    question = _of_question(sheet, options)
    if question is not None and asked is None:
        return question
    if len(sheet.answers) == 1 and asked in {None, sheet.name.strip().casefold()}:
        return next(iter(sheet.answers))
    if asked is None:
        named = [n for n in sheet.answers if is_known_answer(n, tuple(sheet.answers))]
        if len(named) == 1:
            return named[0]
        there = {n.strip().casefold() for n in whole.names}
        there |= {t.casefold() for n in whole.names for t in whole.texts(n) if len(whole.texts(n)) < whole.rows}
        if len(set(plain) & there) > 1 or options.only is not None:
            return None
    raise UsageError(
        _("The sheet '{name}' has several columns that may hold the answers.").format(name=Label(sheet.name))
        if asked is None
        else _("The sheet '{name}' has no column '{column}'.").format(
            name=Label(sheet.name), column=Label(options.known or "")
        ),
        "--known",
        _("Name one of them with --known: {names}.").format(names=quoted_list(list(sheet.answers), 20)),
    )


def _column_name(answer: str, sheet: str, names: Sequence[str]) -> str:
    """What the joined column is called: as on its sheet, with the sheet before it where another is called so."""
    taken = {n.strip().casefold() for n in names}
    return answer if answer.strip().casefold() not in taken else f"{sheet}: {answer}"


def _told(
    sheet: KeySheet, texts: Mapping[str, str], cases: frozenset[str], column: str, *, rater: bool
) -> Iterator[Finding]:
    """Where the answers come from, and which of them are of no case that was rated."""
    where = _("sheet '{name}'").format(name=Label(sheet.name))
    known = sum(case in cases for case in texts)
    message = (
        _("The sheet “{sheet}” is read as one more rater, “{column}”, with {n:,} ratings.")
        if rater
        else _("The sheet “{sheet}” holds the known answers, “{column}”, of {n:,} cases.")
    ).format(sheet=Label(sheet.name), column=Label(column), n=known)
    strange = [case for case in texts if case not in cases]
    if strange:
        more = ngettext(
            "{n:,} case of that sheet was not rated and is passed over: {names}.",
            "{n:,} cases of that sheet were not rated and are passed over: {names}.",
            len(strange),
        ).format(n=len(strange), names=quoted_list([*map(CaseName, strange)], 3))
        message = joined(message, more)
    yield note("key_sheet_read", where, message, about=((column,),))


def _with_column(whole: RatingTable, name: str, texts: Sequence[str]) -> RatingTable:
    """A table with one more column on the right, and so its grid."""
    grid = whole.grid
    cells = [""] * grid.rows
    for row, text in zip(whole.row_numbers.tolist(), texts, strict=True):
        cells[row - 1] = text
    if whole.header_rows:
        cells[whole.header_rows[-1] - 1] = name
    fields = None if grid.fields is None else grid.fields + 1
    wider = replace(grid, columns=(*grid.columns, column_of(cells)), fields=fields)
    return replace(
        whole,
        names=(*whole.names, name),
        columns=(*whole.columns, column_of(texts)),
        positions=(*whole.positions, len(grid.columns)),
        grid=wider,
    )


def _with_rows(
    whole: RatingTable, case: str, rater: str, texts: Mapping[str, str], options: ReadingOptions
) -> RatingTable | None:
    """A table of one rating in each row with the rows of one more rater below; None of any other table."""
    names = options.rater or column_called(whole, RATER, apart_from=(case,))
    if options.layout not in {Layout.AUTO, Layout.LONG} or names not in whole.names or whole.all_different(case):
        return None
    answers = {t for t in texts.values() if t}
    rest = [n for n in whole.names if n not in {case, names}]
    rating = options.rating or max(rest, key=lambda n: len(whole.texts(n) & answers), default=None)
    if rating not in whole.names:
        return None
    grid, added = whole.grid, [c for c in texts if c in whole.texts(case)]
    own = {case: added, names: [rater] * len(added), rating: [texts[c] for c in added]}
    place = dict(zip(whole.positions, whole.names, strict=True))
    below = [own.get(place.get(j, ""), [""] * len(added)) for j in range(len(grid.columns))]
    columns = tuple(
        column_of([*map(column.text, range(grid.rows)), *more])
        for column, more in zip(grid.columns, below, strict=True)
    )
    fields = None if grid.fields is None else np.concatenate([grid.fields, np.full(len(added), len(columns))])
    numbers = np.concatenate([whole.row_numbers, grid.rows + 1 + np.arange(len(added))])
    return replace(
        whole,
        columns=tuple(columns[at].take(numbers - 1) for at in whole.positions),
        row_numbers=numbers,
        grid=replace(grid, columns=columns, rows=grid.rows + len(added), fields=fields),
    )


def without_doubts(findings: Sequence[Finding], options: ReadingOptions) -> tuple[Finding, ...]:
    """The findings of a reading without what is asked about a sheet that has a question of its own or was named.

    Parameters
    ----------
    findings
        In their order.
    options
        As they were read with: of a sheet that was named its column stands among them.
    """
    asked = {name for f in findings if f.code == "key_sheet" for name in f.about[0]}
    asked |= {options.known_sheet or "", options.rater_sheet or ""}
    kept = [f for f in findings if f.code != "several_sheets" or not f.about or not set(f.about[0]) <= asked]
    if not options.rater_sheet:
        return tuple(kept)
    column = next((f.about[0][0] for f in findings if f.code == "key_sheet_read"), "")
    default, where = (
        _("It was kept as a rater, as you said."),
        _("sheet '{name}'").format(name=Label(options.rater_sheet)),
    )
    return tuple(
        note(f.code, where, f.message, default=default, about=f.about)
        if f.code in _RATERS_KEPT and f.about and column in f.about[0]
        else f
        for f in kept
    )
