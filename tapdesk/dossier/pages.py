"""A dossier on paper: a report of the same pages as every other, from the verdict to the digests of the files."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from tapdesk.answers import numbers
from tapdesk.answers.content import Align, Block, Column, Paragraph, Table, Tone
from tapdesk.answers.numbers import REPORT
from tapdesk.dossier.coverage_pages import calibration, coverage, words
from tapdesk.dossier.dossier import Check, Dossier
from tapdesk.dossier.peers import PeerAnswers
from tapdesk.dossier.reference import ReferenceQuestion, ReferenceValue
from tapdesk.language import PLAIN, in_voice, joined, ngettext, speaking, voice
from tapdesk.language import gettext as _
from tapdesk.project.files.outputs import OutputKind, pdf_mark
from tapdesk.report.report import DRAFT, Report, Section

_RIGHT = Align.RIGHT
# Stands for the date of a dossier that has none; it is neither printed nor written into the file.
_NEVER = datetime(2000, 1, 1, tzinfo=UTC)
# Of what does not agree so much is printed; the answer as JSON has all.
_MOST_OFF = 12
# What every question has in common is not printed with each.
_COMMON = ("--interval", "none")
_NOTHING = 0.001
# Signs of a digest between two blanks: a longer word would be given places to break, which are copied along.
_GROUP = 16


def dossier_report(dossier: Dossier, *, issued: datetime | None = None, paper: str = "a4") -> Report:
    """The dossier as a report.

    Parameters
    ----------
    dossier
        What was looked at.
    issued
        The day it is issued on; None for a draft, which carries no date.
    paper
        ``a4`` or ``us-letter``.
    """
    here = dossier.installation
    status = DRAFT if issued is None else _("Issued {date}").format(date=numbers.date(issued))
    with speaking(PLAIN):
        made = Report(
            title=_("Validation dossier of tapdesk {version}").format(version=here.version),
            subtitle=verdict(dossier),
            record=(
                (_("Status"), status),
                (_("Program"), _("tapdesk {version}").format(version=here.version)),
                (_("Runs on"), f"{here.python}, {here.system}"),
                (
                    _("Files"),
                    _("{n}, SHA-256 {digest}").format(n=numbers.count(here.count), digest=here.digest[:_GROUP]),
                ),
            ),
            sections=(
                _overview(dossier),
                _reference(dossier.questions),
                _peers(dossier.peers),
                coverage(),
                words(),
                calibration(),
                _installation(dossier),
            ),
            fingerprint="",
            status=status,
            issued=issued or _NEVER,
            paper=paper,
            kind=_("For those who must approve the program"),
            facts=(pdf_mark(OutputKind.DOSSIER, issued=issued is not None),),
            dated=issued is not None,
            voice=voice(),
            wide=True,
            contents=True,
        )
        return in_voice(made)


def verdict(dossier: Dossier) -> str:
    """What came of it, in one sentence."""
    if dossier.holds:
        n = sum(check.compared for check in dossier.checks if check.again)
        return _(
            "All {n} values that were computed again agree with those of other programs; what is said of worlds, cases "
            "and awards is within its limits."
        ).format(n=numbers.count(n))
    return ngettext(
        "{n} thing is not as it should be: this copy of the program must not be relied on.",
        "{n} things are not as they should be: this copy of the program must not be relied on.",
        len(dossier.off),
    ).format(n=numbers.count(len(dossier.off)))


def _overview(dossier: Dossier) -> Section:
    """The verdict, what it rests on, and what it does not tell."""
    table = Table(
        _("What was looked at"),
        (
            Column(_("Check"), wide=True),
            Column(_("How")),
            Column(_("Compared"), _RIGHT),
            Column(_("Not so"), _RIGHT),
            Column(_("Verdict")),
        ),
        tuple(_check_row(check) for check in dossier.checks),
        _("Computed now: by this copy of the program on this computer. Kept: read in tables of long studies that come "
          "with the program, and not made again here."),
    )  # fmt: skip
    blocks: list[Block] = [table]
    if dossier.off:
        shown = tuple(dossier.off[:_MOST_OFF])
        blocks.append(
            Table(
                _("What is not as it should be"),
                (Column(_("No.")), Column(_("What"), wide=True)),
                tuple((str(i), line) for i, line in enumerate(shown, start=1)),
                _("{n} more are in the answer as JSON.").format(n=len(dossier.off) - len(shown))
                if len(shown) < len(dossier.off)
                else "",
                headed=False,
            )
        )
    blocks += [
        Paragraph(
            _(
                "It tells whether this copy, on this computer, computes what other programs computed of the same "
                "ratings. It does not tell whether the model suits the ratings you have, whether your data were read "
                "as you meant them, or whether another computer computes the same: make one there. The same copy gives "
                "the same pages, byte for byte, on one computer."
            ),
            Tone.BOXED,
            _("What it does not tell."),
        ),
        Paragraph(
            _(
                "“tapdesk dossier -o FILE.pdf” makes these pages. It ends with 0 where all is as it should be, and "
                "with 70 where something is not. With “--json=FILE.json” every value is written down, kept and "
                "computed, "
                "and the digest of every file."
            ),
            opening=_("Made again."),
        ),
    ]
    return Section("found", _("What was found"), tuple(blocks))


def _check_row(check: Check) -> tuple[str, ...]:
    return (
        check.what,
        _("computed now") if check.again else _("kept"),
        numbers.count(check.compared),
        numbers.count(len(check.off)),
        _("holds") if check.holds else _("does not hold"),
    )


# Reference values -----------------------------------------------------------------------------------------------------


_MAKERS = {
    "brute force": ("B", _("brute force: the likelihood climbed from many starts without E-M, and polished")),
    "quadrature": ("Q", _("quadrature in three dimensions, of posteriors under flat priors")),
    "several packages": ("P", _("coefficients on which several packages agree")),
    "Fleiss (1971)": ("F", _("as printed by Fleiss (1971)")),
}
"""How kept values were made: a letter for a table, and words."""


def _reference(questions: Sequence[ReferenceQuestion]) -> Section:
    """Every kept value, by the command that asks for it."""
    sentence = _(
        "Each row is a command of this program, asked now, with the values that a program kept which shares no "
        "code with "
        "it. A value agrees where it lies at most as far from the kept one as was laid down when it was kept. "
        "Files are "
        "those of the folder “reference” that comes with the program; where “--interval none” belongs to a command, it "
        "is left out here. Values are printed to four places and compared in full."
    )
    makers = (_MAKERS.get(by, (by, by)) for by in dict.fromkeys(one.by for one in questions))
    key = joined(*(_("{letter} {words}").format(letter=letter, words=words) for letter, words in makers), sep="; ")
    table = Table(
        _("Kept values, and how many of them are computed here"),
        (
            Column(_("Command")),
            Column(_("Kept values"), wide=True),
            Column(_("By")),
            Column(_("Difference"), _RIGHT),
            Column(_("Agree"), _RIGHT),
        ),
        tuple(_of_question(one) for one in questions),
        _("Kept by: {key}. Difference: the largest one of a row, in per cent of what is allowed.").format(key=key),
    )
    return Section("reference", _("Reference values"), (Paragraph(sentence), table))


def _of_question(one: ReferenceQuestion) -> tuple[str, ...]:
    words = [one.command, one.file, *one.options]
    for i in range(len(words) - 1):
        if tuple(words[i : i + 2]) == _COMMON:
            del words[i : i + 2]
            break
    agree = sum(value.agrees for value in one.values)
    return (
        " ".join(words),
        joined(*(_value(value) for value in one.values), sep="; "),
        _MAKERS.get(one.by, (one.by, one.by))[0],
        _share(one.share_of_tolerance),
        _("{n} of {m}").format(n=agree, m=len(one.values)),
    )


def _value(value: ReferenceValue) -> str:
    """A kept value with its name; yes and no as such, and ours beside one with which it does not agree."""
    kept = _text(value, value.kept)
    if value.agrees:
        return f"{value.what} {kept}"
    ours = _text(value, value.ours) if value.available else _("not told")
    return _("{what} {kept} (NOT SO: {ours})").format(what=value.what, kept=kept, ours=ours)


def _text(value: ReferenceValue, number: float | None) -> str:
    if value.what == "identified" and number is not None:
        return _("yes") if number else _("no")
    return numbers.decimal(number, REPORT, 4)


def _share(share: float | None) -> str:
    """How much of what is allowed a difference is: the last digits of small ones are those of the computer."""
    if share is None:
        return numbers.DASH
    if share > 1:
        return _(">100 %")
    return _("<0.1 %") if share < _NOTHING else numbers.percent(share, 1)


# Other programs -------------------------------------------------------------------------------------------------------


def _peers(peers: Sequence[PeerAnswers]) -> Section:
    """How many coefficients of each program are ours."""
    rows = tuple(
        (
            one.program,
            one.version,
            numbers.count(len(one.values)),
            numbers.count(sum(value.agrees for value in one.values)),
            _share(
                max(
                    (value.share_of_tolerance for value in one.values if value.share_of_tolerance is not None),
                    default=None,
                )
            ),
        )
        for one in peers
    )
    table = Table(
        _("Coefficients of other programs and ours"),
        (
            Column(_("Program"), wide=True),
            Column(_("Version")),
            Column(_("Values"), _RIGHT),
            Column(_("Agree"), _RIGHT),
            Column(_("Largest difference"), _RIGHT),
        ),
        rows,
        _("Values, standard errors and ends of intervals. They agree where they are at most a billionth apart; the "
          "difference is in per cent of that. The ends by irrCAC are furthest: of Student’s t it had a quantile "
          "that is right to eight digits."),
    )  # fmt: skip
    sentence = _(
        "These programs were asked for every coefficient they have in common with this one, of the same ratings, and "
        "their answers were kept. This program is asked again now. Left out is what means another thing there: weights "
        "of classes without an order, and of classes unevenly spaced where a program counts places."
    )
    return Section("peers", _("Coefficients of other programs"), (Paragraph(sentence), table))


# Installation ---------------------------------------------------------------------------------------------------------


def _installation(dossier: Dossier) -> Section:
    """Versions and digests."""
    here = dossier.installation
    rows = [*_versions(dossier)]
    half = (len(rows) + 1) // 2
    rows += [("", "")] * (2 * half - len(rows))
    libraries = Table(
        _("Python and libraries"),
        (Column(_("Name")), Column(_("Version"), wide=True), Column(_("Name")), Column(_("Version"), wide=True)),
        tuple((*first, *second) for first, second in zip(rows[:half], rows[half:], strict=True)),
    )
    files = Table(
        _("Files of the program"),
        (Column(_("Folder")), Column(_("Files"), _RIGHT), Column(_("SHA-256"), wide=True)),
        (
            *((group.name, numbers.count(len(group.digests)), _grouped(group.digest)) for group in here.groups),
            (_("all files"), numbers.count(here.count), _grouped(here.digest)),
        ),
        _("Of a folder, folders inside included: the digest of the list of its files as “sha256sum” writes it, in the "
          "order of their names, names beginning with the folder. What Python keeps beside its modules "
          "(“__pycache__”) is left out. Where two copies have the same digest, their files are the same."),
        totals=True,
    )  # fmt: skip
    return Section("installation", _("Versions and files"), (libraries, files))


def _grouped(digest: str) -> str:
    return " ".join(digest[i : i + _GROUP] for i in range(0, len(digest), _GROUP))


def _versions(dossier: Dossier) -> Iterator[tuple[str, str]]:
    here = dossier.installation
    yield "tapdesk", here.version
    yield _("Python"), here.python
    yield _("System"), here.system
    for name, version in here.libraries:
        yield name, version or _("not told by this copy")
