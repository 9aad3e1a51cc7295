"""What was understood of a form: its questions in a table, and what was noticed, once for all questions."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from tapdesk.answers import cells, numbers
from tapdesk.answers.content import Align, Column, Table
from tapdesk.answers.numbers import DASH
from tapdesk.language import Label, joined, ngettext, same_sentence
from tapdesk.language import gettext as _
from tapdesk.project.review_state import checks_open
from tapdesk.ratings.findings import Finding, Severity, blank_words, label_text, quoted_list
from tapdesk.ratings.form import Form, FormQuestion
from tapdesk.ratings.texts import REASON

_MOST_CLASSES, _MOST_NAMED = 6, 3
_RANK = {severity: rank for rank, severity in enumerate(Severity)}


def questions_read(form: Form) -> Table:
    """How many cases, raters and ratings each question has, and which classes."""
    columns = (
        Column(_("Question"), wide=True),
        Column(_("{Subjects}"), Align.RIGHT),
        Column(_("{Raters}"), Align.RIGHT),
        Column(_("{Ratings}"), Align.RIGHT),
        Column(_("Missing"), Align.RIGHT),
        Column(_("Classes"), wide=True),
    )
    count = len(form.questions)
    title = ngettext("{n} question was found", "{n} questions were found", count).format(n=count)
    return Table(title, columns, tuple(_row(one) for one in form.questions))


def _row(one: FormQuestion) -> tuple[str, ...]:
    name = label_text(one.name, 200)
    if one.reading is None:
        return (name, DASH, DASH, DASH, DASH, str(one.refused))
    ratings = one.reading.as_read
    shown = joined(*(Label(label_text(c, 40)) for c in ratings.classes[:_MOST_CLASSES]), sep=", ")
    if more := ratings.classes[_MOST_CLASSES:]:
        shown = _("{classes} and {n:,} more").format(classes=shown, n=len(more))
    raters = cells.count(len(ratings.raters)) if ratings.raters_known else DASH
    counted = (cells.count(n) for n in (ratings.rating_count, one.reading.missing))
    return (name, cells.count(len(ratings.subjects)), raters, *counted, shown)


def shared_findings(form: Form) -> tuple[Finding, ...]:
    """What was noticed, the gravest first; what is noticed of several questions is told once, by the first of them."""
    told = {(f.code, f.about): f for f in form.remarks}
    whole = set(told)
    by_code: dict[str, list[tuple[Finding, list[str]]]] = {}
    for one in form.questions:
        for finding in () if one.reading is None else one.reading.findings:
            if (finding.code, finding.about) not in whole:
                _gather(by_code.setdefault(finding.code, []), finding, one.name)
    found = [*told.values(), *(f for rows in by_code.values() for f in _of_code(rows, len(form.readings)))]
    return tuple(sorted(found, key=lambda f: (_RANK[f.severity], f.code == "numbers_among_words")))


def codes_read_as_missing(form: Form) -> str:
    """Which texts were read as no rating, and in how many cells of how many questions; empty where none was."""
    cells_of, questions_of = Counter[str](), Counter[str]()
    for reading in form.readings:
        for code, count in reading.missing_by.items():
            if code and count and not code.startswith(REASON):
                cells_of[code] += count
                questions_of[code] += 1
    shown = [
        _("“{code}” ({n} cells, {q} of {all} questions)").format(
            code=Label(label_text(code, 40)),
            n=numbers.count(n),
            q=numbers.count(questions_of[code]),
            all=numbers.count(len(form.questions)),
        )
        for code, n in cells_of.most_common()
    ]
    return _("Read as no {rating}: {codes}.").format(codes=joined(*shown, sep="; ")) if shown else ""


def reading_words(form: Form) -> str:
    """How the file was read, as far as it holds for all questions."""
    first, *others = (reading.source.words for reading in form.readings)
    return joined(*(said for said in first if all(any(same_sentence(said, one) for one in words) for words in others)))


def blank_read(form: Form) -> str:
    """What a blank cell was taken for, where it was no missing rating; empty where it was one."""
    blank = form.readings[0].options.blank
    return "" if blank is None else blank_words(blank)


def checks_of(form: Form) -> tuple[Finding, ...]:
    """The checks of a form that are open; what is noticed of several questions alike is one check."""
    return tuple(f for f in shared_findings(form) if f.severity is Severity.ASK)


def open_checks(form: Form) -> tuple[str, ...]:
    """How many checks are open, then each of them with what was taken meanwhile; nothing where none is."""
    checks = checks_of(form)
    if not checks:
        return ()
    first = _("{checks}.").format(checks=checks_open(len(checks)))
    return (first, *(joined(f.message, f.default) for f in checks))


def questions_with(form: Form, finding: Finding) -> tuple[str, ...]:
    """The names of the questions of which a finding is noticed; none of what is said of the form as a whole."""
    return tuple(one.name for one in form.questions if one.reading is not None and finding in one.reading.findings)


def _gather(rows: list[tuple[Finding, list[str]]], finding: Finding, question: str) -> None:
    """Put a question to those of which the same is said."""
    for known, names in rows:
        if (known.message, known.where) == (finding.message, finding.where):
            names.append(question)
            return
    rows.append((finding, [question]))


def _names_them(finding: Finding, questions: list[str]) -> bool:
    """Whether a finding is about several questions itself, and these are among them."""
    return any(len(group) > 1 and set(questions) <= set(group) for group in finding.about)


def _of_code(rows: list[tuple[Finding, list[str]]], questions: int) -> Iterator[Finding]:
    """What is told of one kind: what holds for all questions as it is, else the first with the names of all."""
    whole = [finding for finding, names in rows if len(names) == questions > 1 or _names_them(finding, names)]
    yield from whole
    rest = [(finding, names) for finding, names in rows if finding not in whole]
    if not rest:
        return
    first, names = rest[0][0], [name for _finding, some in rest for name in some]
    names = list(dict.fromkeys(names))
    about = _("“{question}”: {message}").format(question=Label(names[0]), message=first.message)
    if others := names[1:]:
        more = ngettext(
            "The like is noticed of {n} more question: {names}.",
            "The like is noticed of {n} more questions: {names}.",
            len(others),
        ).format(n=len(others), names=quoted_list(others, _MOST_NAMED))
        about = joined(about, more)
    yield replace(first, message=about)
