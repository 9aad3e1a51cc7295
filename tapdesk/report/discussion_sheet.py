"""The sheet for discussing cases most raters got wrong alike: what each said, and room for what is decided."""

from collections.abc import Sequence
from pathlib import Path

from tapdesk.agreement.known import CommonError, common_errors
from tapdesk.answers import numbers
from tapdesk.answers.content import Blank, Block, Column, Paragraph, Table, Tone
from tapdesk.answers.known import in_common, ratings_of
from tapdesk.language import CaseName, Label, RaterName, voice
from tapdesk.language import gettext as _
from tapdesk.project.files.outputs import OutputKind, refuse_ending
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.cleaned import WITHOUT_DATE
from tapdesk.report.report import Report, Section

SUFFIXES = (".docx",)
"""What a discussion sheet may be called."""
_MOST_RATERS = 8  # columns that fit on a page that lies on its side


def discussion_files(
    ratings: Ratings, errors: Sequence[CommonError], path: Path, title: str = ""
) -> tuple[tuple[Path, bytes], ...]:
    """The sheet as a document of Word.

    Parameters
    ----------
    ratings
        With a key; raters as they are to be called.
    errors
        The cases, of `tapdesk.agreement.known.common_errors`.
    path
        Where it is to be saved.
    title
        That of the work.

    Raises
    ------
    UsageError
        When the name ends in something else.
    """
    from tapdesk.report.forms.docx import docx  # late: what writes documents is not needed before

    refuse_ending(path, SUFFIXES, _("“{name}” is no name for a discussion sheet."))
    blocks: tuple[Block, ...] = (
        Paragraph(in_common(ratings, common_errors(ratings)), Tone.LEAD),
        Paragraph(
            _("Look at these: what do they have in common? The known answer may be the one that is wrong.").format()
        ),
        _table(ratings, errors),
        Blank(_("What they have in common"), 4),
    )
    heading = _("{Subjects} to discuss").format()
    report = Report(
        title=title or heading,
        subtitle=_("Known answers: “{column}”").format(column=Label(ratings.known)),
        record=(),
        sections=(Section("discussion", heading, blocks, numbered=False),),
        fingerprint="",
        status="",
        issued=WITHOUT_DATE,
        kind=_("Discussion sheet") if title else "",
        dated=False,
        voice=voice(),
        wide=True,
    )
    return ((path, docx(report, OutputKind.DISCUSSION)),)


def _table(ratings: Ratings, errors: Sequence[CommonError]) -> Table:
    """A row for each case, with what each rater said, and an empty cell for what is decided."""
    shown = ratings.raters if ratings.raters_known and len(ratings.raters) <= _MOST_RATERS else ()
    columns = [Column(_("{Subject}"), wide=True), Column(_("Known"))]
    columns += [Column(RaterName(name)) for name in shown]
    columns += [Column(_("Most {raters} say")), Column(_("What is decided"), wide=True)]
    rows = []
    for one in errors:
        said = ratings_of(ratings, one)
        most = _("{count} of {all}: {given}").format(
            count=numbers.count(one.count),
            all=numbers.count(one.ratings),
            given=Label(ratings.classes[one.given]),
        )
        by_rater = [" / ".join(Label(ratings.classes[k]) for j, k in said if j == rater) for rater in range(len(shown))]
        known = Label(ratings.classes[one.known])
        rows.append((CaseName(ratings.subjects[one.case]), known, *by_rater, most, ""))
    return Table(_("The same wrong {rating} from most {raters}").format(), tuple(columns), tuple(rows))
