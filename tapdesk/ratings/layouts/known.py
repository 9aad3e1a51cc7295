"""A column of answers that are known to be true: it is taken out of the table, and told again of each case."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import CaseName, Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembly, RatingCells
from tapdesk.ratings.findings import Finding, ask, note, quoted_list
from tapdesk.ratings.layouts.roles import Roles, user_column
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import Covariate, CovariateOf
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import missing_codes

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
    key = Covariate(cells.raters[place], CovariateOf.SUBJECT, np.array(texts, dtype=object))
    return replace(cells.keep(~own), covariates=(*cells.covariates, key), known=key.name).compacted()


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
    key = Covariate(name, CovariateOf.SUBJECT, np.array(texts, dtype=object))
    return replace(cells, covariates=(*cells.covariates, key), known=name)


def key_findings(made: Assembly, table: RatingTable) -> Iterator[Finding]:
    """Of how many cases the answer is known; and a question about known answers that are no class of the ratings."""
    ratings = made.ratings
    texts, classes = ratings.known_texts(), ratings.known_classes()
    if texts is None or classes is None:
        return
    sentence = sum(map(bool, texts))
    where = table.place(ratings.known) if ratings.known in table.names else ""
    shares = [
        _("{n:,} {label}").format(n=int((classes == k).sum()), label=Label(c)) for k, c in enumerate(ratings.classes)
    ]
    message = ngettext(
        "“{column}” holds the known answer of {n:,} case of {all:,}: {shares}.",
        "“{column}” holds the known answers of {n:,} cases of {all:,}: {shares}.",
        sentence,
    ).format(column=Label(ratings.known), n=sentence, all=len(texts), shares=joined(*shares, sep=", "))
    yield note("known_answers_read", where, message, default=_("It is no rater: each rater is compared with it."))
    strange = tuple(dict.fromkeys(t for t, c in zip(texts, classes, strict=True) if t and c < 0))
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
            _("If another class is meant, write its name into the column of known answers."),
            ngettext(
                "The answer of that case counts as not known.", "The answers of these cases count as not known.", cases
            ),
            (strange,),
        )
