"""Does an issued PDF still say what its project says? Fingerprint, numbers, words, and in the end every byte."""

import hashlib
import re
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from html import unescape
from itertools import product
from pathlib import Path

from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.project.project import Project
from tapdesk.ratings.formats.files import refuse_what_is_no_file
from tapdesk.report import numbers
from tapdesk.report.build import NOTHING, build
from tapdesk.report.failed import spared
from tapdesk.report.issue.facts import Choices, choices, fits_told, from_keywords, numbers_of
from tapdesk.report.issue.issued import Issued, issued
from tapdesk.report.issue.texts import digest
from tapdesk.report.names import RatersAs
from tapdesk.report.prepare import prepare
from tapdesk.report.report import Report
from tapdesk.report.setup import setup
from tapdesk.version import VERSION

_MOST_TOLD = 6
_KEYWORDS = re.compile(rb"<pdf:Keywords>(.*?)</pdf:Keywords>", re.DOTALL)


class Outcome(Enum):
    """What a comparison found."""

    MATCHES = "matches"
    UNSURE = "unsure"
    DIFFERS = "differs"
    UNCHECKED = "unchecked"
    FOREIGN = "foreign"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a comparison found, in words.

    Attributes
    ----------
    outcome
        In one word.
    sentences
        What was compared and what came out, the gravest first.
    fingerprint
        Of the data, as printed in the file; empty where it has none.
    record
        The project's own record of this very file, if it has one.
    """

    outcome: Outcome
    sentences: tuple[str, ...]
    fingerprint: str = ""
    record: Issued | None = None

    @property
    def words(self) -> str:
        """The sentences in one line."""
        return " ".join(self.sentences)


def verify(path: str | Path, project: Project | None = None) -> Run[Verdict]:
    """Compare an issued PDF with a project.

    Parameters
    ----------
    path
        The PDF.
    project
        The project it is said to be made from; None to be told only what the file itself says.

    Yields
    ------
    Step
        Phase ``verify``, and the phases of `tapdesk.report.prepare.prepare`.

    Raises
    ------
    TapdeskError
        When the file cannot be read at all.
    """
    place = Path(path)
    try:
        refuse_what_is_no_file(place)
        content = place.read_bytes()
    except OSError as error:
        raise TapdeskError(
            _("The file could not be read: {why}.").format(why=error.strerror or str(error)), str(place)
        ) from error
    yield Step(0, 3, "verify")
    fault = _fault(content)
    if fault is not None:
        return fault
    told = facts_of(content)
    fingerprint = told.get("data", "")
    if not fingerprint:
        return Verdict(
            Outcome.FOREIGN,
            (_("This PDF was not made by tapdesk, or its fingerprint was removed, so nothing can be compared."),),
        )
    if project is None or project.reading is None:
        said = _("The data of this report have the fingerprint {data}; it was made by tapdesk {version}.")
        sentence = said.format(data=fingerprint, version=told.get("version", _("of an unknown version")))
        return Verdict(
            Outcome.UNCHECKED, (sentence, _("Open its project to see whether they still match.")), fingerprint
        )
    found = yield from _compared(content, told, project, place.name)
    return found


def _fault(content: bytes) -> Verdict | None:
    """The verdict on a file that is no whole PDF; None when it is one."""
    if not content.startswith(b"%PDF-"):
        return Verdict(Outcome.FOREIGN, (_("This file is not a PDF. Only a report saved as PDF can be verified."),))
    if b"%%EOF" not in content[-1024:]:
        said = _("This PDF is damaged: its end is missing. Get it again from where it was saved or sent.")
        return Verdict(Outcome.DAMAGED, (said,))
    return None


def facts_of(content: bytes) -> dict[str, str]:
    """What tapdesk wrote into the keywords of a PDF (its XMP packet, which is stored as plain text)."""
    found = _KEYWORDS.search(content)
    return from_keywords(unescape(found.group(1).decode("utf-8", "replace"))) if found else {}


def _recorded(content: bytes, name: str, project: Project) -> tuple[Issued | None, bool, str]:
    """The project's record of a file; whether it knows another file of this name and these data; both in words."""
    known = tuple(reversed(issued(project)))
    checksum = hashlib.sha256(content).hexdigest()
    record = next((one for one in known if one.sha256 == checksum), None)
    if record is not None:
        said = _("This very file was issued from this project on {when}.")
        return record, False, said.format(when=numbers.moment(record.when))
    other = next((one for one in known if one.name == name and one.fingerprint == project.fingerprint), None)
    if other is not None:
        said = _("The file {name} that this project issued on {when} had another checksum: this is not that file.")
        return None, True, said.format(name=name, when=numbers.moment(other.when))
    return None, False, _("The project holds no record of having issued this very file.")


def _compared(content: bytes, told: dict[str, str], project: Project, name: str) -> Run[Verdict]:
    """The verdict on one of our PDFs beside a project."""
    record, replaced, recorded = _recorded(content, name, project)
    differences = _differences(told, project)
    if differences:
        return Verdict(Outcome.DIFFERS, (*differences, recorded), told["data"], record)
    yield Step(1, 3, "verify")
    same = [_("The data and the numbers recorded in this file are those of the project.")]
    chosen = choices(told.get("choices", ""))
    if chosen is None or told.get("version") != VERSION:
        why = _("It was made by tapdesk {version}, so it could not be made again to compare every word.").format(
            version=told.get("version", _("of an unknown version"))
        )
        outcome = Outcome.MATCHES if record is not None else Outcome.UNSURE
        return Verdict(outcome, (*same, why, recorded), told["data"], record)
    again = yield from _again(project, chosen)
    yield Step(2, 3, "verify")
    sentence, outcome = _word_by_word(content, told, again)
    if outcome is Outcome.UNSURE:
        outcome = Outcome.MATCHES if record is not None else Outcome.DIFFERS if replaced else outcome
    gravest_first = (*same, sentence, recorded) if outcome is Outcome.MATCHES else (sentence, recorded, *same)
    return Verdict(outcome, gravest_first, told["data"], record)


def _differences(told: dict[str, str], project: Project) -> list[str]:
    """What fingerprint, file and numbers say that the project does not; empty where they agree."""
    found = []
    if told["data"] != project.fingerprint:
        found.append(
            _("The data have changed: the report was made from {old}, the project now holds {new}.").format(
                old=told["data"], new=project.fingerprint
            )
        )
    if project.reading is not None and told.get("file") != project.reading.source.sha256:
        found.append(_("The data file is not the one the report was made from."))
    elif found:
        found.append(
            _("The data file is still the same, so what was decided about the data has changed: see the Decisions log.")
        )
    chosen = choices(told.get("choices", ""))
    fits = fits_told(project, RatersAs.NAMES if chosen is None else chosen.raters_as)
    now = [numbers_of(fit) for fit in fits]
    then = [told[key] for key in sorted((k for k in told if k.startswith("numbers ")), key=lambda k: int(k[8:] or 0))]
    if len(now) != len(then):
        found.append(_("The report holds {then} analyses, the project {now}.").format(then=len(then), now=len(now)))
    for before, after, fit in zip(then, now, fits, strict=False):
        if before != after:
            found.append(_other_numbers(before.split(" "), after.split(" "), fit))
    return found


def _other_numbers(before: list[str], after: list[str], fit: Fit) -> str:
    """Which numbers of an answer differ, by name; where it is an answer of another model, that."""
    if before[0] != after[0] or len(before) != len(after):
        return _(
            "The numbers differ: the report holds an answer of the model {then}, the project one of {now}."
        ).format(then=before[0], now=after[0])
    differ = [
        _("{name} {then} in the report, {now} in the project").format(name=str(e.name), then=old, now=new)
        for e, old, new in zip(fit.estimates, before[1:], after[1:], strict=False)
        if old != new
    ]
    more = len(differ) - _MOST_TOLD
    told = "; ".join(differ[:_MOST_TOLD])
    if more > 0:
        return _("The numbers differ: {told}; and {more} more.").format(told=told, more=more)
    return _("The numbers differ: {told}.").format(told=told)


def _again(project: Project, chosen: Choices) -> Run[Report]:
    """The report made anew from the project, written as the issued one was."""
    extras = NOTHING
    if chosen.wanted is not None:
        extras = yield from prepare(project, chosen.wanted)
    return build(
        project,
        extras=extras,
        leave_out=chosen.leave_out,
        style=chosen.style,
        nouns=chosen.nouns,
        raters_as=chosen.raters_as,
        issued=chosen.issued,
        status=chosen.status,
        paper=chosen.paper,
        logo=setup(project).logo,
        scale=chosen.scale,
    )


def _word_by_word(content: bytes, told: dict[str, str], again: Report) -> tuple[str, Outcome]:
    """Whether the report made again is the same, byte by byte or at least word by word."""
    # typst is loaded when a report is made, not when the program starts.
    from tapdesk.report.forms.pdf import pdf

    drawn = {again.logo, None}
    for logo, archive in product(drawn, (True, False)):
        written, made = spared(replace(again, logo=logo), partial(pdf, archive=archive))
        if made == content:
            return _("Made again, the report is the same to the last byte."), Outcome.MATCHES
    if told.get("content") == digest(written):
        said = _(
            "The project would still print the words and numbers that were recorded in this file, but the file itself "
            "is not as it was made: it was changed, saved anew by another program, or holds another logo. What its "
            "pages show was not compared: save the report again and compare the pages before you rely on this file."
        )
        return said, Outcome.UNSURE
    return _("Made again, the report has other words: title, notes or settings have changed since."), Outcome.DIFFERS
