"""A column of answers that are known to be true: it is taken out of the table, and told again of each case."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import CaseName, Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembly, RatingCells
from tapdesk.ratings.findings import Finding, ask, name_list, note, quoted_list
from tapdesk.ratings.layouts.roles import Roles, user_column
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import Covariate, CovariateOf
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import bare_form, case_folded_form, meaning, missing_codes

LAYOUTS = (Layout.LONG, Layout.RATERS, Layout.QUESTIONS)
"""In which a column can hold known answers: each of its rows is about one case."""


def without_key(table: RatingTable, options: ReadingOptions) -> RatingTable:
    """The table without the column of known answers, so that it is neither a rater nor a fact.

    Raises
    ------
    UsageError
        When there is no such column, or it has another role.
    """
    if not options.known or known_rater(table, options) is not None:
        return table
    name = user_column(table, options.known, "--known")
    roles = {
        "--subject": options.subject, "--rater": options.rater, "--rating": options.rating,
        "--question": options.question, "--count": options.count,
    }  # fmt: skip
    taken = next((option for option, column in roles.items() if column == name), None)
    if taken is None and name in (options.columns or ()):
        taken = "--columns"
    if taken is not None:
        raise UsageError(
            _("The column '{name}' is named twice: by {first} and by {option}.").format(
                name=Label(name), first=taken, option="--known"
            ),
            fix=_("A column has one role. Name each once."),
        )
    kept = [i for i, n in enumerate(table.names) if n != name]
    return replace(
        table,
        names=tuple(table.names[i] for i in kept),
        columns=tuple(table.columns[i] for i in kept),
        positions=tuple(table.positions[i] for i in kept),
    )


def known_rater(table: RatingTable, options: ReadingOptions) -> str | None:
    """The rater whose ratings are the known answers, where ``known`` is the name of no column; else None."""
    wanted = (options.known or "").strip().casefold()
    if not wanted or any(name.strip().casefold() == wanted for name in table.names):
        return None
    return options.known


def _with_key_of_rater(cells: RatingCells, table: RatingTable, name: str, options: ReadingOptions) -> RatingCells:
    """The cells without those of the rater who knows the answers, and for each case what that one said."""
    place = next((i for i, rater in enumerate(cells.raters) if rater.strip().casefold() == name.strip().casefold()), -1)
    if place < 0 or not cells.raters_known:
        # Neither a column nor a rater.
        user_column(table, name, "--known")
    own, absent = cells.rater == place, np.array(missing_codes(cells.value.values, options.missing, options.classes))
    texts = [""] * len(cells.subjects)
    for i in np.flatnonzero(own & ~absent.astype(bool)[cells.value.codes]):
        subject, text = int(cells.subject[i]), cells.value.text(int(i)).strip()
        if texts[subject] and texts[subject] != text:
            raise _two_answers(cells.subjects[subject], texts[subject], text, f"{table.file}, row {int(cells.row[i])}")
        texts[subject] = text
    if own.all():
        raise TapdeskError(
            _("Beside the known answers of {rater} there is no rating.").format(rater=RaterName(name)), table.file
        )
    return _keyed(cells.keep(~own), cells.raters[place], texts, options).compacted()


def _two_answers(case: str, first: str, second: str, where: str) -> TapdeskError:
    """The refusal of two known answers of one case."""
    return TapdeskError(
        _("Two rows of the case {case} have different known answers: '{first}' and '{second}'.").format(
            case=CaseName(case), first=Label(first), second=Label(second)
        ),
        where,
        _("Correct one of them, or read the column as a rater."),
    )


def with_key(cells: RatingCells, table: RatingTable, roles: Roles, options: ReadingOptions) -> RatingCells:
    """The cells, and for each case what is known to be true of it.

    Parameters
    ----------
    cells
        Every cell that can hold a rating.
    table
        The table with the column of known answers.
    roles
        What the other columns are for.
    options
        What the user said.

    Raises
    ------
    TapdeskError
        When two rows of a case know different answers, or rows are about no single case.
    """
    if not options.known:
        return cells
    of_rater = known_rater(table, options) if roles.layout in {Layout.LONG, Layout.QUESTIONS} else None
    if of_rater is not None:
        return _with_key_of_rater(cells, table, of_rater, options)
    name = user_column(table, options.known, "--known")
    if roles.layout not in LAYOUTS:
        raise TapdeskError(
            _("Known answers cannot be read here: a row of this layout is about no single case."),
            table.file,
            _("Write the known answers into a column of a table with one case in each row, or leave --known out."),
        )
    column = table.column(name)
    absent = np.array(missing_codes(column.values, options.missing, options.classes), dtype=bool)
    entry = np.unique(cells.row, return_index=True)
    subject_of = dict(zip(entry[0].tolist(), cells.subject[entry[1]].tolist(), strict=True))
    texts = [""] * len(cells.subjects)
    for i in np.flatnonzero(~absent[column.codes]):
        subject = subject_of.get(int(table.row_numbers[i]))
        text = column.text(int(i)).strip()
        if subject is None:
            continue
        if texts[subject] and texts[subject] != text:
            where = f"{table.file}, {table.place(name)}, row {int(table.row_numbers[i])}"
            raise _two_answers(cells.subjects[subject], texts[subject], text, where)
        texts[subject] = text
    return _keyed(cells, name, texts, options)


def _keyed(cells: RatingCells, name: str, texts: Sequence[str], options: ReadingOptions) -> RatingCells:
    """The cells with what is known of each case, as the user says that it is to be read."""
    meant = dict(options.known_as)
    told = np.array([meant.get(text, text) for text in texts], dtype=object)
    key = Covariate(name, CovariateOf.SUBJECT, told)
    return replace(cells, covariates=(*cells.covariates, key), known=name, known_by=options.known_by)


def key_findings(made: Assembly, table: RatingTable, options: ReadingOptions) -> Iterator[Finding]:
    """Of how many cases the answer is known, and what is to be asked about it.

    Asked are: who wrote the known answers; those written otherwise than the raters write; those that are no class.

    Parameters
    ----------
    made
        The ratings with their key.
    table
        The table with the column of known answers.
    options
        What the user said.
    """
    ratings = made.ratings
    texts, classes = ratings.known_texts(), ratings.known_classes()
    if texts is None or classes is None:
        return
    sentence = sum(map(bool, texts))
    where = table.place(ratings.known) if ratings.known in table.names and options.known_sheet is None else ""
    shares = [
        _("{n:,} {label}").format(n=int((classes == k).sum()), label=Label(c)) for k, c in enumerate(ratings.classes)
    ]
    many = ngettext(
        "“{column}” holds the known answer of {n:,} {subject} of {all:,}: {shares}.",
        "“{column}” holds the known answers of {n:,} {subjects} of {all:,}: {shares}.",
        sentence,
    )
    if sentence == len(texts) > 1:
        many = _("“{column}” holds the known answers of all {n:,} {subjects}: {shares}.")
    message = many.format(column=Label(ratings.known), n=sentence, all=len(texts), shares=joined(*shares, sep=", "))
    yield note("known_answers_read", where, message, default=_("It is no rater: each rater is compared with it."))
    if not options.known_by:
        yield ask(
            "known_by",
            where,
            _("Who wrote the known answers?"),
            _("One sentence for the report (--known-by): two experts, a biopsy, a later check."),
            _("The report says that it is not known."),
        )
    strange = tuple(dict.fromkeys(t for t, c in zip(texts, classes, strict=True) if t and c < 0))
    pairs = tuple((text, meant) for text in strange if (meant := _class_meant(text, ratings.classes)) is not None)
    if pairs:
        yield _written_otherwise(pairs, texts, where)
    strange = tuple(text for text in strange if text not in {old for old, _new in pairs})
    if strange:
        cases = sum(t in set(strange) for t in texts)
        yield ask(
            "known_no_class",
            where,
            ngettext(
                "The known answer {texts} is no class that a rater gave ({n:,} {subjects}).",
                "The known answers {texts} are no classes that a rater gave ({n:,} {subjects}).",
                len(strange),
            ).format(texts=quoted_list(strange), n=cases),
            _("If a class of the raters is meant, say which one (--known-as '{text}=CLASS').").format(
                text=Label(strange[0])
            ),
            ngettext(
                "The answer of that case counts as not known.", "The answers of these cases count as not known.", cases
            ),
            (strange,),
        )


def _class_meant(text: str, classes: Sequence[str]) -> str | None:
    """The one class that a known answer means though it is written otherwise; None where it may be none or several.

    It is written otherwise where only capitals, blanks or marks differ, where both are words for one thing, or where
    one is the beginning of the other, as ``POS`` is of ``positive``.
    """
    for key in (case_folded_form, bare_form, meaning):
        same = [c for c in classes if key(c) and key(c) == key(text)]
        if len(same) == 1:
            return same[0]
    plain = case_folded_form(text).rstrip(".")
    begins = [c for c in classes if _begins(plain, case_folded_form(c))]
    return begins[0] if len(begins) == 1 else None


def _begins(one: str, other: str) -> bool:
    """Whether the shorter of two words is the beginning of the longer one; of numbers none is."""
    short, long = sorted((one, other), key=len)
    return bool(short) and long.startswith(short) and not any(sign.isdigit() for sign in short)


def _written_otherwise(pairs: tuple[tuple[str, str], ...], texts: Sequence[str], where: str) -> Finding:
    """The question about known answers that are written otherwise than the raters write them."""
    sentences = [_("“{old}” for “{new}”").format(old=Label(old), new=Label(new)) for old, new in pairs]
    cases = sum(text in {old for old, _new in pairs} for text in texts)
    return ask(
        "known_written_otherwise",
        where,
        ngettext(
            "The known answers are written otherwise than the raters write: {pairs} ({n:,} {subjects}).",
            "The known answers are written otherwise than the raters write: {pairs} ({n:,} {subjects}).",
            cases,
        ).format(pairs=name_list(sentences, 4), n=cases),
        _("If they mean the same, say --known-as '{pairs}'.").format(
            pairs=Label(",".join(f"{old}={new}" for old, new in pairs))
        ),
        ngettext(
            "The answer of that case counts as not known.", "The answers of these cases count as not known.", cases
        ),
        pairs,
    )
