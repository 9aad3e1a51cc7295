"""The list of awards that can be signed, as workbook, document or CSV, with all that stands beside it; the worklist."""

from collections.abc import Sequence
from pathlib import Path

from tapdesk.answers import awards as words
from tapdesk.answers.content import Block, Paragraph, Signature, Tone
from tapdesk.answers.numbers import decimal
from tapdesk.answers.repeats import repeats_tables
from tapdesk.errors import CannotAnswerError
from tapdesk.language import Label, joined, voice
from tapdesk.language import gettext as _
from tapdesk.project.files.outputs import OutputKind, refuse_ending
from tapdesk.ratings.grid import guard
from tapdesk.ratings.own.plan import CaseList, plan_sheets
from tapdesk.ratings.ratings import Ratings, plain_text
from tapdesk.report.cleaned import WITHOUT_DATE
from tapdesk.report.forms.xlsx import csv_bytes, settled, write_table
from tapdesk.report.rating_sheets import sheet_files
from tapdesk.report.report import Report, Section
from tapdesk.studies.award_answer import Awards
from tapdesk.studies.case_beliefs import CaseBeliefs
from tapdesk.studies.case_gains import worklist

SUFFIXES = (".xlsx", ".docx", ".csv")
"""What a list of awards may be called."""
MOST_TO_DISCUSS = 12
"""So many cases stand on a worklist."""


def refuse_suffix(path: Path) -> None:
    """Refuse a name that ends in nothing that can be written.

    Raises
    ------
    UsageError
        It names the endings there are.
    """
    refuse_ending(path, SUFFIXES, _("“{name}” is no name for a list of awards."))


def award_files(result: Awards, path: Path, title: str = "") -> tuple[tuple[Path, bytes], ...]:
    """The list with every probability, by the ending of the name; ``title`` is that of the work.

    Raises
    ------
    UsageError
        When the name ends in something else.
    """
    refuse_suffix(path)
    ending = path.suffix.lower()
    if ending == ".csv":
        table = words.entries_table(result)
        return ((path, csv_bytes(table.columns, table.rows)),)
    return ((path, _document(result, title) if ending == ".docx" else _workbook(result)),)


def _document(result: Awards, title: str) -> bytes:
    """The list as a document of Word: what is decided, who signs, and behind that what it rests on."""
    from tapdesk.report.forms.docx import docx  # late: what writes documents is not needed before

    sentence, follows = words.headline(result)
    said = (follows, *words.ties(result), *words.caveats(result))
    listed: tuple[Block, ...] = (
        Paragraph(sentence, Tone.LEAD),
        *(Paragraph(more) for more in said if more),
        words.page_table(result),
        Paragraph(words.not_said(result), Tone.BODY, _("What this does not say.")),
        Signature(_("Chair of the committee"), _("These are the awards the committee decided on.")),
    )
    judges = (words.judges_table(result), *repeats_tables(result))
    report = Report(
        title=title or _("List of awards"),
        subtitle=_("{n} {subjects}, {m} {raters}").format(n=len(result.subjects), m=len(result.raters)),
        record=((_("Rule of the committee"), words.rule_of(result)), *_lines(result)),
        sections=(
            Section("awards", _("Awards"), listed, numbered=False),
            Section("chances", _("How sure each place and award is"), (words.chances_table(result),), numbered=False),
            Section("judges", _("Judges"), judges, numbered=False, fresh=True),
            Section(
                "changes",
                _("What would change the awards"),
                (words.changes_table(result), words.discuss_table(result, MOST_TO_DISCUSS)),
                numbered=False,
            ),
        ),
        fingerprint="",
        status="",
        issued=WITHOUT_DATE,
        kind=_("List of awards") if title else "",
        dated=False,
        voice=voice(),
        wide=True,
    )
    return docx(report, OutputKind.AWARDS)


def _lines(result: Awards) -> tuple[tuple[str, str], ...]:
    """The medal lines as a row of the record; none where there are none."""
    if not result.lines:
        return ()
    named = zip(result.classes[1:], result.lines, strict=True)
    words_of = (
        _("{label} from {line}").format(label=Label(label), line=decimal(line, places=1)) for label, line in named
    )
    return ((_("Medal lines"), joined(*words_of, sep="; ")),)


def _workbook(result: Awards) -> bytes:
    """A sheet for each table, the list first, with lines to sign on."""
    from openpyxl import Workbook  # late: opened when the first workbook is made, not when the program starts

    book = Workbook()
    book.remove(book.worksheets[0])
    sheets = (
        (_("Awards"), words.entries_table(result)),
        (_("Judges"), words.judges_table(result)),
        *((_("Repeats"), table) for table in repeats_tables(result)),
        (_("What would change"), words.changes_table(result)),
        (_("Discuss first"), words.discuss_table(result)),
    )
    for name, table in sheets:
        write_table(book.create_sheet(name), table)
    about = book.create_sheet(_("About"))
    sentences = (*words.headline(result), *words.ties(result), *words.caveats(result), words.not_said(result))
    for sentence in sentences:
        about.append([guard(str(sentence))])
    for line in (_("Decided by the committee on:"), _("Signed:")):
        about.append([])
        about.append([line])
    about.column_dimensions["A"].width = 110
    return settled(book, WITHOUT_DATE, OutputKind.AWARDS)


def worklist_files(
    result: Awards,
    ratings: Ratings,
    path: Path,
    most: int = MOST_TO_DISCUSS,
    which: Sequence[int] | None = None,
) -> tuple[tuple[Path, bytes], ...]:
    """The cases worth another rating as blank rating sheets, whose filled copies are read without a question.

    Parameters
    ----------
    result, ratings, path
        The answer, what it is about, and where the sheets go.
    most
        So many of those for which one more rating gains most.
    which
        These cases in place of them.

    Raises
    ------
    CannotAnswerError
        When one more rating gains nothing anywhere.
    """
    chosen = tuple(map(int, worklist(result.gain, most))) if which is None else tuple(which)
    if not chosen:
        raise CannotAnswerError(_("One more {rating} would change nothing, so there is no worklist.").format())
    return _sheets_of(tuple(ratings.subjects[i] for i in chosen), ratings, path)


def case_worklist_files(
    beliefs: CaseBeliefs, cases: Sequence[str], ratings: Ratings, path: Path
) -> tuple[tuple[Path, bytes], ...]:
    """The doubtful cases as blank rating sheets, those first for which one more rating is worth most.

    Parameters
    ----------
    beliefs, cases
        What is believed of each case, and what the cases are called.
    ratings, path
        In all their classes; where the sheets go.

    Raises
    ------
    CannotAnswerError
        When no case is doubtful, or one more rating gains nothing anywhere.
    """
    chosen = tuple(cases[i] for i in beliefs.worth_another())
    if not chosen:
        raise CannotAnswerError(_("One more {rating} would change nothing, so there is no worklist.").format())
    return _sheets_of(chosen, ratings, path)


def _sheets_of(cases: tuple[str, ...], ratings: Ratings, path: Path) -> tuple[tuple[Path, bytes], ...]:
    # A score is written on the sheet as a number, without the places it has in the file.
    classes = tuple(dict.fromkeys(map(plain_text, ratings.classes)))
    return sheet_files(plan_sheets(CaseList(cases), ratings.raters, classes, ordered=ratings.ordered), path)
