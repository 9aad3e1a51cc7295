"""Checks of names: those that look the same, persons' data, rounds."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from tapdesk.language import CaseName, Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembly
from tapdesk.ratings.checks.computed import computed_columns, computed_rows, is_computed_question, settled_columns
from tapdesk.ratings.findings import Finding, ask, block, name_list, note, quoted_list, row_list
from tapdesk.ratings.grid import TextColumn
from tapdesk.ratings.layouts.roles import Roles, as_counts, counts_cases, whole_numbers
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import CovariateOf, IntArray
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import bare_form, case_folded_form, drawn_form, names_by_key, number
from tapdesk.ratings.vocabulary import FAMILY_NAMES, GIVEN_NAMES, ROUND, is_known_answer, known_scale, words

_SUMMARY_WORDS = _(
    "total totals sum mean average avg median mode consensus majority overall final agreed "
    "moderated count sd stdev std min max maximum minimum subtotal gesamt summe mittelwert "
    "durchschnitt moyenne somme promedio media standard reference truth adjudicated adjudication "
    "mittel schnitt mw ø gesamtsumme summen médiane total suma mediana totale somma mediano soma média "
    "gemiddelde totaal som konsens konsensus consenso mehrheit"
)
SUMMARY = frozenset(_SUMMARY_WORDS.split())
# Names of a summary only where they stand in the last row.
_LAST = frozenset({"n", "all", "%", "result", "ergebnis", "résultat", "resultado", "risultato", "resultaat"})
_LAST_WITH = frozenset({"kappa", "icc", "agreement", "percent", "prozent", "κ", "übereinstimmung", "variance", "sem"})
_LEAST_RATERS, _LEAST_KNOWN = 3, 6
_PARTLY, _NEARLY_ALL, _SCATTERED = 0.7, 0.95, 0.5


def is_summary(name: str) -> bool:
    """Whether a name is a word for a summary and little else: ``Mean score`` is, ``Mr Average's wine list`` not."""
    result = words(name)
    return bool(SUMMARY.intersection(result)) and len(result) <= 2


def _is_person(name: str, others: Sequence[str]) -> bool:
    """Whether a name that may be a summary is a person's, as Max is beside Kim; a maximum of words there is not."""
    of_persons = GIVEN_NAMES | FAMILY_NAMES
    return SUMMARY.intersection(words(name)) <= of_persons and any(
        of_persons.intersection(words(other)) for other in others if other != name
    )


def _summary_findings(table: RatingTable, roles: Roles, made: Assembly, options: ReadingOptions) -> Iterator[Finding]:
    """Columns, rows and raters that look like a summary of ratings or like answers known beforehand."""
    columns = (*_summary_columns(table, roles), *_computed_question(table, roles))
    summaries = options.keep_summaries or options.columns is not None
    yield from (_kept(f) if summaries else f for f in columns)
    further = (
        *_summary_rows(table, roles, made),
        *_summary_raters(table, roles, made),
    )
    yield from (_kept(f) if options.keep_summaries else f for f in further)
    if not summaries:
        yield from _known_beside(table, roles, made)
        yield from _partly_filled(table, roles, made)


def _known_beside(table: RatingTable, roles: Roles, made: Assembly) -> Iterator[Finding]:
    """A question where a column that is read as further information is called like known answers, and holds classes."""
    ratings = made.ratings
    if roles.layout not in {Layout.LONG, Layout.RATERS, Layout.QUESTIONS} or ratings.known:
        return
    classes = {c.strip() for c in ratings.classes}
    for name, column in ratings.covariates.items():
        if column.of is not CovariateOf.SUBJECT or not is_known_answer(name, table.names):
            continue
        sentences = {t for t in table.texts(name) if t in classes}
        if len(sentences) > 1 or (sentences and sentences == table.texts(name)):
            yield block(
                "known_answers_beside",
                table.place(name),
                _(
                    "The column '{name}' is called like answers that are known, and says what the raters say. It is "
                    "read as further information."
                ).format(name=Label(name)),
                _(
                    'If so, say --known "{name}": each rater is compared with it. If it is something else, say '
                    "--keep-summaries."
                ).format(name=Label(name)),
                _("It is no rater, and nothing is compared with it."),
                ((name,),),
            )


def _partly_filled(table: RatingTable, roles: Roles, made: Assembly) -> Iterator[Finding]:
    """A question where one column of raters has answers for a part of the cases only, while all others have all.

    A late joiner looks so too, but has the cases of one stretch; known answers are scattered, and agree.
    """
    ratings = made.ratings
    if roles.layout is not Layout.RATERS or len(ratings.raters) < _LEAST_RATERS or ratings.weight is not None:
        return
    rated = np.zeros((len(ratings.raters), len(ratings.subjects)), dtype=bool)
    rated[ratings.rater, ratings.subject] = True
    shares = rated.mean(axis=1)
    few = int(shares.argmin())
    others = np.delete(shares, few)
    if not (shares[few] <= _PARTLY and others.min() >= _NEARLY_ALL) or rated[few].sum() < _LEAST_KNOWN:
        return
    # How often the answers begin and end, in the order of the file.
    stretches = int((np.diff(np.concatenate([[False], rated[few]]).astype(np.int8)) == 1).sum())
    if stretches < _SCATTERED * rated[few].sum() * (1 - shares[few]):
        return
    name = ratings.raters[few]
    if is_summary(name) or is_known_answer(name, ratings.raters):
        return
    yield ask(
        "perhaps_known",
        table.place(name) if name in table.names else "",
        _(
            "“{name}” answered {n:,} of {all:,} {subjects}, scattered over the file; all others answered nearly all."
        ).format(name=RaterName(name), n=int(rated[few].sum()), all=len(ratings.subjects)),
        _('If these are known answers, say --known "{name}"; if it is no rater, leave it out.').format(
            name=RaterName(name)
        ),
        _("It counts as a rater."),
        ((name,),),
    )


def _kept(finding: Finding) -> Finding:
    """What was asked, as something to know: the user has said that these are ratings."""
    default = _("It was kept as ratings, as you said.")
    return note(finding.code, finding.where, finding.message, default=default, about=finding.about)


def _summary_columns(table: RatingTable, roles: Roles) -> Iterator[Finding]:
    if roles.layout is Layout.SUBJECTS:
        return
    for name, code, message in _looking_like_summaries(table, roles):
        rest = ",".join(n for n in roles.columns if n != name)
        fix = _(
            'If so, leave it out: --columns "{rest}". If it is one like the others, say so by naming all columns '
            "(--columns) or with --keep-summaries."
        )
        if code == "known_answers":
            fix = _(
                'If so, say --known "{name}": each rater is compared with it. To leave it out: --columns "{rest}". If '
                "it is one like the others, say so by naming all columns (--columns) or with --keep-summaries."
            )
        yield block(
            code,
            table.place(name),
            message.format(name=name),
            fix.format(rest=rest, name=name),
            _("It is read like all others."),
            ((name,),),
        )


def _looking_like_summaries(table: RatingTable, roles: Roles) -> Iterator[tuple[str, str, str]]:
    """Each column that looks like a summary or a key, with the code of the finding and what is said."""
    tallied = roles.layout in {Layout.COUNTS, Layout.CONFUSION}
    sums = _sums(table, roles) if tallied else computed_columns(table, roles)
    settled = frozenset() if tallied else settled_columns(table, roles)
    # "mittel" between "gut" and "schlecht" is a grade, no mean.
    grades = tallied and known_scale(roles.columns) is not None
    in_words = all(number(text) is None for name in roles.columns for text in table.texts(name) if text.strip())
    for name in roles.columns:
        if roles.layout is Layout.RATERS and is_known_answer(name, roles.columns):
            yield (
                name,
                "known_answers",
                _(
                    "The column '{name}' is called like answers that are known, not like a rater. Counted as a "
                    "rater, it makes agreement look better than it is."
                ),
            )
        elif tallied and ((is_summary(name) and not grades) or name in sums):
            yield (
                name,
                "summary_column",
                _(
                    "The column '{name}' looks like a sum of the others, not like a class: each rating would count "
                    "twice."
                ),
            )
        elif not tallied and (
            name in sums or (is_summary(name) and not (in_words and _is_person(name, roles.columns)))
        ):
            yield (
                name,
                "summary_column",
                _(
                    "The column '{name}' looks like a summary of others, not like a rater. A consensus among "
                    "the raters makes agreement look better than it is."
                ),
            )
        elif name in settled:
            yield (
                name,
                "summary_column",
                _(
                    "The column '{name}' never leaves what the raters say, as an outcome they agreed on does. Counted "
                    "as one more rater, it makes agreement look better than it is."
                ),
            )


def _computed_question(table: RatingTable, roles: Roles) -> Iterator[Finding]:
    """A question of a form that is worked out from the others."""
    if roles.rating is not None and is_computed_question(table, roles):
        message = _("The question '{name}' is worked out from the others in every row: nobody rated it.")
        yield _no_question(message, roles.rating, table.place(roles.rating))


def question_called_like_sum(name: str) -> Finding | None:
    """What is asked of a question of a form that is called like a sum or a mean; None of others."""
    if not is_summary(name):
        return None
    message = _("The question '{name}' is called like a sum or a mean of others, not like something that was rated.")
    return _no_question(message, name, "")


def _no_question(message: str, name: str, where: str) -> Finding:
    return block(
        "computed_question",
        where,
        message.format(name=Label(name)),
        _("If so, leave it out of the form: --without '{name}'. If it was rated, say --keep-summaries.").format(
            name=Label(name)
        ),
        _("It is read like all others."),
        ((name,),),
    )


def _sums(table: RatingTable, roles: Roles) -> tuple[str, ...]:
    """Columns of counts that are the sum of all others in every row, whatever they are called."""
    if len(roles.columns) < 3 or table.rows < 2 or not all(whole_numbers(table, n) for n in roles.columns):
        return ()
    counts = {name: as_counts(table, name) for name in roles.columns}
    twice = sum(counts.values())
    return tuple(name for name, own in counts.items() if own.any() and np.array_equal(2 * own, twice))


def _summary_rows(table: RatingTable, roles: Roles, made: Assembly) -> Iterator[Finding]:
    column = roles.subject or roles.rater
    names = made.ratings.raters if roles.layout is Layout.SUBJECTS else made.ratings.subjects
    if roles.layout is Layout.CONFUSION or column is None or len(names) > _MANY:
        return
    cells = table.column(column)
    last = cells.text(table.rows - 1)
    closes = _is_last(last.strip().casefold()) and _stands_alone(last, cells)
    tallies = _tallies(made)
    keys = {v for v in names if is_known_answer(v, names)} if roles.layout is Layout.SUBJECTS else set()
    summary = [is_summary(v) or (closes and v == last) or v.strip() in tallies | keys for v in cells.values]
    computed = computed_rows(table, roles)
    # A row of sums without a rating is left out as it is, and told with other cases without one.
    summary = [s and v.strip() not in made.unrated for s, v in zip(summary, cells.values, strict=True)]
    inside = np.isin(table.row_numbers, made.cells.row)
    named = np.array(summary, dtype=bool)[cells.codes] if any(summary) else np.zeros(table.rows, dtype=bool)
    chosen = (named | computed) & inside
    if not chosen.any():
        return
    rows = [int(r) for r in table.row_numbers[chosen]]
    which = list(dict.fromkeys(cells.text(int(i)) for i in np.flatnonzero(chosen)))
    found = block(
        "summary_row",
        row_list(rows),
        ngettext(
            "A row is called {which} and looks like a summary.",
            "Some rows are called {which} and look like summaries.",
            len(rows),
        ).format(which=quoted_list(which))
        if any(name.strip() for name in which)
        else ngettext(
            "A row without a name looks like a summary.", "Some rows without a name look like summaries.", len(rows)
        ),
        _left_out(table, column, which, rows),
        joined(
            _what_sums_hold(made, which, roles),
            ngettext("It is read like all others.", "They are read like all others.", len(rows)),
        ),
        (tuple(which),),
    )
    yield replace(found, rows=tuple(rows) if _above(table, rows) is not None else ())


def _what_sums_hold(made: Assembly, which: Sequence[str], roles: Roles) -> str:
    """The numbers of a row of sums beside the words of all others; empty where both hold the same."""
    ratings = made.ratings
    if roles.layout is Layout.SUBJECTS or not ratings.raters_known or len(which) > 1:
        return ""
    own = ratings.subject == ratings.subjects.index(which[0]) if which[0] in ratings.subjects else np.zeros(0, bool)
    if not own.any():
        return ""
    order = np.argsort(ratings.rater[own], kind="stable")
    texts = [ratings.classes[k] for k in ratings.category[own][order]]
    if any(number(t) is None for t in texts):
        return ""
    often = np.bincount(ratings.category[~own], minlength=len(ratings.classes))
    usual = [ratings.classes[k] for k in np.argsort(-often, kind="stable")[:2] if often[k]]
    if any(number(t) is not None for t in usual):
        return ""
    return _("It holds {sums} where {subjects} hold {classes}.").format(
        sums=name_list([Label(t) for t in texts], 6), classes=name_list([Label(t) for t in usual])
    )


def _stands_alone(name: str, cells: TextColumn) -> bool:
    """Whether a name stands in one row only, and is no letter among letters, as a case N after a case M is."""
    often = cells.counts()
    others = [v.strip() for v, n in zip(cells.values, often, strict=True) if n and v != name]
    letter = len(name.strip()) == 1 and name.strip().isalpha()
    return int(often[cells.values.index(name)]) == 1 and not (letter and any(len(v) == 1 for v in others))


def _is_last(name: str) -> bool:
    """Whether the last row of a table is called like a summary: ``N``, ``% yes``, ``Cohen's kappa``."""
    return name in _LAST or name.startswith(("%", "∑", "Σ".casefold())) or bool(_LAST_WITH.intersection(words(name)))


def _above(table: RatingTable, rows: Sequence[int]) -> int | None:
    """The last row above some that stand at the end of a table; None where others stand below them."""
    above: IntArray = table.row_numbers[~np.isin(table.row_numbers, rows)]
    return int(above.max()) if above.size and int(above.max()) < min(rows) else None


def _left_out(table: RatingTable, column: str, which: Sequence[str], rows: Sequence[int]) -> str:
    """How rows are left out: by the last row of the table where they stand at its end, else by their names."""
    if (above := _above(table, rows)) is not None:
        return ngettext(
            "If it is one, say where the table ends: --last-row {row}. If not, say --keep-summaries.",
            "If they are, say where the table ends: --last-row {row}. If not, say --keep-summaries.",
            len(rows),
        ).format(row=above)
    return ngettext(
        "If it is one, leave it out: {named}. If not, say --keep-summaries.",
        "If they are, leave them out: {named}. If not, say --keep-summaries.",
        len(rows),
    ).format(named=_where(column, which))


def _where(column: str, names: Sequence[str]) -> str:
    """How rows are left out on a command line."""
    left = (_('--where "{column}!={name}"').format(column=Label(column), name=Label(name)) for name in names[:3])
    return joined(*left)


def _summary_raters(table: RatingTable, roles: Roles, made: Assembly) -> Iterator[Finding]:
    """Raters of a table with one rating in each row that are called like a summary or like known answers."""
    everyone = made.ratings.raters
    if roles.layout not in {Layout.LONG, Layout.QUESTIONS} or roles.rater is None or len(everyone) > _MANY:
        return
    if not made.ratings.raters_known:
        return
    raters = [r for r in everyone if (is_summary(r) and not _is_person(r, everyone)) or is_known_answer(r, everyone)]
    if raters and len(raters) < len(everyone):
        named = _where(roles.rater, raters)
        yield block(
            "summary_rater",
            table.place(roles.rater),
            ngettext(
                "The rater {raters} looks like a summary or like known answers.",
                "The raters {raters} look like summaries or like known answers.",
                len(raters),
            ).format(raters=quoted_list([*map(RaterName, raters)])),
            _(
                "If so, leave it out: {named}. If its ratings are known answers, say --known NAME: each rater is "
                "compared with them. If it rated like the others, say --keep-summaries."
            ).format(named=named),
            ngettext("It is read like all others.", "They are read like all others.", len(raters)),
            (tuple(raters),),
        )


def _tallies(made: Assembly) -> frozenset[str]:
    """Cases that are called like a class and hold numbers only, as rows below a table do that count its words."""
    ratings = made.ratings
    texts = {case_folded_form(c) for c in ratings.classes if number(c) is None}
    if not texts or len(texts) == len(ratings.classes):
        return frozenset()
    called = [i for i, name in enumerate(ratings.subjects) if case_folded_form(name) in texts]
    numeric = np.array([number(c) is not None for c in ratings.classes], dtype=bool)[ratings.category]
    return frozenset(ratings.subjects[i] for i in called if numeric[ratings.subject == i].all())


_PERSONAL_WORDS = _(
    "name surname firstname lastname nhs mrn ssn dob birth birthday birthdate email mail phone "
    "telephone address postcode insurance passport"
)
_PERSONAL = frozenset(_PERSONAL_WORDS.split())
_PERSONS = frozenset(
    {"first", "last", "full", "family", "given", "your", "patient", "student", "person", "candidate", "applicant", "s"}
)
_MANY = 50_000
_PIECE = 5_000


def table_findings(table: RatingTable, roles: Roles, made: Assembly, options: ReadingOptions) -> Iterator[Finding]:
    """What names and places in the table show."""
    yield from _summary_findings(table, roles, made, options)
    yield from _similar("rater", made.ratings.raters)
    yield from _similar("case", made.ratings.subjects)
    yield from _personal(table, roles)
    yield from _rounds(table, roles)
    yield from _count_column(table, roles)
    yield from _outer_blanks(table, roles)


def _similar(what: str, names: Sequence[str]) -> Iterator[Finding]:
    """Names that look or nearly are the same."""
    if len(names) > _MANY and _all_differ(names):
        return
    code = {"rater": "similar_rater_names", "case": "similar_case_names"}[what]
    by_key: dict[tuple[str, ...], None] = {}
    # A second round of one rater is told behind the name, as in Ana (2nd); of cases that is another one.
    rounds = (_first_round,) if what == "rater" else ()
    for key in (drawn_form, case_folded_form, bare_form, *rounds):
        for group in names_by_key(names, key):
            if not any(set(group) <= set(known) for known in by_key):
                by_key[group] = None
    if by_key:
        kind = RaterName if what == "rater" else CaseName
        sentence = name_list(
            [joined(*(_("'{name}'").format(name=kind(n)) for n in group[:4]), sep=" / ") for group in by_key]
        )
        yield ask(
            code,
            "",
            _("Some {what}s have nearly the same name: {told}.").format(what=what, told=sentence),
            _("If they are one {what}, write the name in one way.").format(what=what),
            _("Each name is a {what} of its own.").format(what=what),
            tuple(by_key),
        )


_AGAIN = re.compile(
    r"(?:[\s_–—-]+[(\[]?|[(\[])(?:2nd|3rd|second|third|repeat(?:ed)?|again|re-?test|re-?rating|"
    r"(?:round|time|zeit|tour|ronda) ?[23]|zweite?[rs]?|wiederholung|wdh|deuxième|bis|segunda|seconda)"
    r"(?: (?:time|round|rating|reading|mal|fois|vez|volta))?[)\]]?\s*$",
    re.IGNORECASE,
)


def _first_round(name: str) -> str:
    """A name without what says that somebody rated once more."""
    return case_folded_form(_AGAIN.sub("", name) or name)


def _all_differ(names: Sequence[str]) -> bool:
    """Whether many names differ even without regard to case."""
    seen: set[str] = set()
    # In pieces: nothing interrupts one call over all of them.
    for at in range(0, len(names), _PIECE):
        seen.update(map(str.casefold, names[at : at + _PIECE]))
    return len(seen) == len(names)


def _personal(table: RatingTable, roles: Roles) -> Iterator[Finding]:
    """Columns that look like data about persons; where they name the cases, it is asked how these are printed."""
    named = [n for n in table.names if _PERSONAL.intersection(words(n))]
    numbered = [
        n
        for n, c in zip(table.names, table.columns, strict=True)
        if n not in named and c.values and all(_is_health_number(v) or "@" in v for v in c.values[:50])
    ]
    if roles.subject in {*numbered, *(n for n in named if _of_person(n))}:
        yield ask(
            "persons_as_cases",
            table.place(roles.subject or ""),
            _("The cases are called by '{column}', which may hold data about persons.").format(
                column=Label(roles.subject)
            ),
            _("If nobody is to read them in a report, call the cases Case 1, Case 2 and so on."),
            _("The report prints the names of some cases as the file has them."),
            ((roles.subject or "",),),
        )
    if named or numbered:
        yield note(
            "personal_data",
            joined(*(table.place(n) for n in (*named, *numbered)), sep=", "),
            _("{value} may hold data about persons.").format(value=quoted_list([*named, *numbered])),
            _("Replace them by codes before you share a project or a report."),
            _("They stay in the data."),
            ((*named, *numbered),),
        )


def _of_person(name: str) -> bool:
    """Whether a column of names holds those of persons: ``Patient name`` does, ``Wine name`` not."""
    spoken = set(words(name))
    return bool(spoken & (_PERSONAL - {"name"})) or spoken <= {"name", *_PERSONS}


def _is_health_number(text: str) -> bool:
    """Whether a text is a number of the English health service: ten digits with a check digit modulo 11."""
    digits = re.sub(r"[ -]", "", text)
    if not re.fullmatch(r"\d{10}", digits):
        return False
    check = 11 - sum(int(d) * (10 - i) for i, d in enumerate(digits[:9])) % 11
    return check % 11 == int(digits[9]) and check != 10


def _rounds(table: RatingTable, roles: Roles) -> Iterator[Finding]:
    """A column that tells rounds apart."""
    taken = {roles.subject, roles.rater, roles.rating, *roles.columns}
    for name in table.names:
        if name not in taken and ROUND.intersection(words(name)) and len(table.texts(name)) > 1:
            values = sorted(table.texts(name))
            yield ask(
                "rounds",
                table.place(name),
                _("The column '{name}' tells {values} rounds apart.").format(name=Label(name), values=len(values)),
                _("To read one round, filter it (--where '{name}={values}').").format(
                    name=Label(name), values=Label(values[0])
                ),
                _("All rounds are read together."),
                ((name,), tuple(values)),
            )


def _count_column(table: RatingTable, roles: Roles) -> Iterator[Finding]:
    """A column that perhaps says how many cases a row stands for."""
    taken = {roles.subject, roles.rater, roles.rating, roles.count, *roles.columns}
    for name in table.names:
        if name not in taken and counts_cases(table, name):
            yield ask(
                "maybe_count_column",
                table.place(name),
                _("The column '{name}' may say how many cases each row stands for.").format(name=Label(name)),
                _("If so, name it (--count '{name}').").format(name=Label(name)),
                _("Each row counts once."),
                ((name,),),
            )


def _outer_blanks(table: RatingTable, roles: Roles) -> Iterator[Finding]:
    """Ratings that are one with those of other raters only because blanks around them are not read."""
    if roles.layout is not Layout.RATERS:
        return
    raw = [table.grid.columns[table.position(n)] for n in roles.columns]
    padded = [i for i, column in enumerate(raw) if any(v != v.strip() and v.strip() for v in column.values)]
    if not padded:
        return
    inside = table.row_numbers - 1
    raw = [column.take(inside).used() for column in raw]
    plain = frozenset(v for column in raw for v in column.values if v == v.strip())
    number_of = 0
    by_key: dict[str, None] = {}
    for i in padded:
        # Where a column keeps both, they are told apart and asked about.
        kept = frozenset(table.column(roles.columns[i]).values)
        for text, n in zip(raw[i].values, raw[i].counts(), strict=True):
            if text != text.strip() and text not in kept and text.strip() in plain and text.strip():
                number_of += int(n)
                by_key[text] = None
    if number_of:
        yield note(
            "outer_blanks",
            "",
            ngettext(
                "In {n:,} cell a blank stands before or behind the rating: {told}.",
                "In {n:,} cells a blank stands before or behind the rating: {told}.",
                number_of,
            ).format(n=number_of, told=quoted_list(tuple(by_key))),
            default=_("They are read as the ratings without it."),
        )
