"""Does an issued PDF still say what was issued? Page by page, and held against its project where there is one."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from itertools import product
from pathlib import Path

from tapdesk.answers import numbers
from tapdesk.answers.naming import RatersAs
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.progress import Run, Step
from tapdesk.project.project import Project
from tapdesk.project.shown import led_by
from tapdesk.ratings.formats.files import read_refusal, refuse_what_is_no_file
from tapdesk.ratings.ratings import FINGERPRINT_VERSION as FINGERPRINT
from tapdesk.report.build import NOTHING, build
from tapdesk.report.issue.facts import Choices, choices, facts_of, fits_told, numbers_of
from tapdesk.report.issue.issued import Issued, issued
from tapdesk.report.issue.pdf_objects import UnreadableError
from tapdesk.report.issue.seal import DAMAGED, MOST_PAGES, NAME, Sealed, measured, sealed
from tapdesk.report.issue.texts import PARTS, digest, parts_that_differ
from tapdesk.report.report import Report, spared
from tapdesk.report.setup import prepare, setup
from tapdesk.version import VERSION

_MOST_TOLD = 6
_END = b"%%EOF"


class Outcome(Enum):
    """What a comparison found."""

    MATCHES = "matches"
    SIGNED = "signed"
    UNSURE = "unsure"
    DIFFERS = "differs"
    UNCHECKED = "unchecked"
    FOREIGN = "foreign"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Pages:
    """What a PDF tells of its own pages.

    Attributes
    ----------
    now
        Digests of the file as it is; None where it cannot be read.
    sealed
        Whether it carries a seal.
    differences
        What is not as the seal says, in sentences.
    later
        What was added after its end without changing a page, in a sentence; empty where nothing was.
    """

    now: Sealed | None
    sealed: bool
    differences: tuple[str, ...] = ()
    later: str = ""


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
    def exit_status(self) -> int:
        """0 where all is as issued, 1 where something differs, 3 where the file cannot be verified at all."""
        if self.outcome in {Outcome.FOREIGN, Outcome.DAMAGED}:
            return 3
        return 1 if self.outcome in {Outcome.DIFFERS, Outcome.UNSURE} else 0

    @property
    def words(self) -> str:
        """The sentences in one line."""
        return " ".join(self.sentences)


@dataclass(frozen=True, slots=True)
class _Words:
    """The sentences that name what a report is held against."""

    same: str
    data: str
    analyses: str
    counts: str
    models: str
    number: str
    differs: str
    still: str
    no_record: str


_OF_PROJECT = _Words(
    _("The data and the numbers recorded in this file are those of the project."),
    _("The data have changed: the report was made from {old}, the project now holds {new}."),
    _("The number of analyses differs: {then} in the report, {now} in the project."),
    _("The numbers differ: of the model {model} the report holds {then}, the project {now}."),
    _("The numbers differ: the report holds an answer of the model {then}, the project one of {now}."),
    _("{name} {then} in the report, {now} in the project"),
    _("Made again from the project, the report differs in: {told}."),
    _(
        "The project would still print the words and numbers that were recorded in this file, but the file itself "
        "is not as it was made. Save the report again and compare the pages before you rely on this file."
    ),
    _("The project holds no record of having issued this very file."),
)
_OF_DATA_FILE = _Words(
    _("The data file, read and analysed as the report says, gives the data and the numbers recorded in the report."),
    _("The data have changed: the report was made from {old}, the data file now gives {new}."),
    _("The number of analyses differs: {then} in the report, {now} that can be made from the data file."),
    _("The numbers differ: of the model {model} the report holds {then}, and the data file gives {now}."),
    _("The numbers differ: the report holds an answer of the model {then}, the data file gives one of {now}."),
    _("{name} {then} in the report, {now} from the data file"),
    _("Made again from the data file, the report differs in: {told}."),
    _(
        "The data file would still give the words and numbers that were recorded in the report, but the report itself "
        "is not as it was made. Save the report again and compare the pages before you rely on this one."
    ),
    # A data file never keeps what was issued from it, so that it does not is no news.
    "",
)


def verify(path: str | Path, project: Project | None = None, *, of_data_file: bool = False) -> Run[Verdict]:
    """Compare an issued PDF with a project.

    Parameters
    ----------
    path
        The PDF.
    project
        The project it is said to be made from; None to be told only what the file itself says.
    of_data_file
        Whether the project was only made from a data file by the recipe of the report
        (`tapdesk.report.issue.facts`): then the sentences speak of the file.

    Yields
    ------
    Step
        Phase ``verify``, and the phases of `tapdesk.report.setup.prepare`.

    Raises
    ------
    TapdeskError
        When the file cannot be read at all.
    """
    yield Step(0, 3, "verify")
    read = _read(Path(path))
    if isinstance(read, Verdict):
        return read
    content, text, pages = read
    if project is None or project.reading is None:
        return _alone(text, pages)
    words = _OF_DATA_FILE if of_data_file else _OF_PROJECT
    verdict = yield from _compared(content, text, pages, (project, words), Path(path).name)
    return verdict


def verify_form(path: str | Path, again: Run[Report]) -> Run[Verdict]:
    """Compare the PDF of a form with the same report made anew from its data file.

    Parameters
    ----------
    path
        The PDF.
    again
        Makes the report (`tapdesk.report.form_recipe.made_again`).

    Yields
    ------
    Step
        Phase ``verify``, and those of ``again``.

    Raises
    ------
    TapdeskError
        When the PDF, or the data file, cannot be read at all.
    """
    yield Step(0, 2, "verify")
    read = _read(Path(path))
    if isinstance(read, Verdict):
        return read
    content, text, pages = read
    made = yield from again
    yield Step(1, 2, "verify")
    words, now = _OF_DATA_FILE, dict(made.facts)
    differences = [words.data.format(old=text["data"], new=now["data"])] if text["data"] != now["data"] else []
    if text.get("file") != now["file"]:
        differences.append(_("The data file is not the one the report was made from."))
    if text.get("version") != VERSION:
        why = _("It was made by tapdesk {version}, so it could not be made again to compare every word.").format(
            version=text.get("version", _("of an unknown version"))
        )
        outcome = Outcome.DIFFERS if differences or pages.differences else Outcome.UNSURE
        return Verdict(outcome, (*differences, *pages.differences, why), text["data"])
    sentences, outcome = _page_by_page(content, text, pages, (made, words))
    if differences or outcome is Outcome.DIFFERS:
        return Verdict(Outcome.DIFFERS, (*differences, *pages.differences, *sentences), text["data"])
    return Verdict(outcome, (words.same, *sentences), text["data"])


def _read(place: Path) -> Verdict | tuple[bytes, dict[str, str], Pages]:
    """A PDF with what it says of itself and its pages; a verdict where it is none of ours, or damaged."""
    try:
        refuse_what_is_no_file(place)
        content = place.read_bytes()
    except (OSError, ValueError) as error:
        raise read_refusal(error, place) from error
    fault = _fault(content)
    if fault is not None:
        return fault
    text = facts_of(content)
    fingerprint = text.get("data", "")
    if not fingerprint:
        return Verdict(
            Outcome.FOREIGN,
            (_("This PDF was not made by tapdesk, or its fingerprint was removed, so nothing can be compared."),),
        )
    pages = _pages(content, text)
    if pages.now is None:
        sentence = _("This PDF is damaged: its pages cannot be read. Get it again from where it was saved or sent.")
        return Verdict(Outcome.DAMAGED, (sentence,), fingerprint)
    return content, text, pages


def _alone(by_key: dict[str, str], pages: Pages) -> Verdict:
    """The verdict on one of our PDFs without its project."""
    sentence = _("The data of this report have the fingerprint {data}; it was made by tapdesk {version}.").format(
        data=by_key["data"], version=by_key.get("version", _("of an unknown version"))
    )
    unchecked = _("The data were not checked: open its project, or name it, to see whether they still match.")
    if "form" in by_key:
        unchecked = _("The data were not checked: name the data file of the form to see whether they still match.")
    if pages.differences:
        return Verdict(Outcome.DIFFERS, (*pages.differences, sentence), by_key["data"])
    if not pages.sealed:
        old = _("It was made by a version that did not seal its pages, so only its project can tell whether they are")
        return Verdict(Outcome.UNSURE, (_("{old} those issued.").format(old=old), sentence, unchecked), by_key["data"])
    whole = _("All pages are those that were issued.")
    if pages.later:
        return Verdict(Outcome.SIGNED, (pages.later, sentence, unchecked), by_key["data"])
    return Verdict(Outcome.UNCHECKED, (whole, sentence, unchecked), by_key["data"])


def _pages(content: bytes, by_key: dict[str, str]) -> Pages:
    """The pages of a PDF held against the seal it carries."""
    then = sealed(by_key.get(NAME, ""))
    try:
        now = measured(content)
    except UnreadableError:
        return Pages(None, then is not None)
    if then is None:
        return Pages(now, sealed=False)
    unlike = _unlike(then, now)
    if not unlike and not now.whole(by_key[NAME], by_key):
        unlike = (_("What the file records about itself (data, settings or numbers) was changed after issue."),)
    return Pages(now, sealed=True, differences=unlike, later="" if unlike else _later(content))


def _unlike(then: Sealed, now: Sealed) -> tuple[str, ...]:
    """How a PDF differs from what it was, page by page."""
    names: list[str] = []
    # Of very many pages the last ones are covered by the seal over all of them.
    now = replace(now, pages=now.pages[:MOST_PAGES])
    places = {page: i for i, page in enumerate(then.pages, start=1)}
    missing = [i for i, page in enumerate(then.pages, start=1) if page not in now.pages]
    if len(then.pages) != len(now.pages):
        template = _("The number of pages differs: {then} were issued, {now} stand in the file.")
        names.append(template.format(then=len(then.pages), now=len(now.pages)))
        if len(now.pages) < len(then.pages):
            names += [_("Page {n} is missing or differs.").format(n=i) for i in missing[:_MOST_TOLD]]
    for i, page in enumerate(now.pages, start=1):
        if i <= len(then.pages) and page == then.pages[i - 1]:
            continue
        if page in places:
            names.append(_("Page {n} is the page that was issued as page {m}.").format(n=i, m=places[page]))
        elif page == DAMAGED[: len(page)]:
            names.append(_("Page {n} is damaged and cannot be read.").format(n=i))
        elif len(then.pages) <= len(now.pages):
            names.append(
                _("Page {n} differs: what is drawn or laid on it is not what was issued.").format(n=i)
                if i <= len(then.pages)
                else _("Page {n} was added.").format(n=i)
            )
    for part, words in (
        ("structure", _("The structure for screen readers (texts for pictures, tables) was changed after issue.")),
        ("around", _("Bookmarks, attachments or actions of the document were changed after issue.")),
        ("title", _("The title, author or keywords of the document were changed after issue.")),
    ):
        if getattr(then, part) != getattr(now, part):
            names.append(words)
    more = len(names) - 2 * _MOST_TOLD
    if more > 0:
        sentence = ngettext("There is {n} more difference.", "There are {n} more differences.", more).format(n=more)
        return (*names[: 2 * _MOST_TOLD], sentence)
    return tuple(names)


def _original(content: bytes) -> bytes:
    """The bytes of a PDF up to the end of its first revision."""
    end = content.find(_END) + len(_END)
    end += 1 if content[end : end + 1] == b"\n" else 0
    return content[:end]


def _later(content: bytes) -> str:
    """What was appended after issue, where it left every page as it was."""
    appended = content[len(_original(content)) :]
    if not appended.strip():
        return ""
    if b"/ByteRange" in appended:
        return _("Signed after issue, pages unchanged.")
    if b"startxref" in appended:
        return _("Saved on by another program after issue, pages unchanged.")
    return _("Something was appended after the end of the file, pages unchanged.")


def _fault(content: bytes) -> Verdict | None:
    """The verdict on a file that is no whole PDF; None when it is one."""
    if not content.startswith(b"%PDF-"):
        sentence = _("This file is not a PDF. Only a report saved as PDF can be verified.")
        if b'name="generator" content="tapdesk"' in content[:4096]:
            sentence = _("This is a report as a web page, which carries no seal. Only the PDF of it can be verified.")
        elif content.startswith(b"PK") and b"docProps/core.xml" in content:
            sentence = _("This is a workbook, which carries no seal. Only the PDF of a report can be verified.")
        return Verdict(Outcome.FOREIGN, (sentence,))
    if b"%%EOF" not in content[-1024:]:
        sentence = _("This PDF is damaged: its end is missing. Get it again from where it was saved or sent.")
        return Verdict(Outcome.DAMAGED, (sentence,))
    return None


def _recorded(content: bytes, name: str, project: Project, words: _Words) -> tuple[Issued | None, bool, str]:
    """The project's record of a file; whether it knows another file of this name and these data; both in words."""
    known = tuple(reversed(issued(project)))
    checksums = {hashlib.sha256(part).hexdigest() for part in (content, _original(content))}
    record = next((one for one in known if one.sha256 in checksums), None)
    if record is not None:
        sentence = _("This very file was issued from this project on {when}.")
        return record, False, sentence.format(when=numbers.moment(record.when))
    other = next((one for one in known if one.name == name and one.fingerprint in _known(project)), None)
    if other is not None:
        sentence = _("The file {name} that this project issued on {when} had another checksum: this is not that file.")
        return None, True, sentence.format(name=name, when=numbers.moment(other.when))
    return None, False, words.no_record


def _known(project: Project) -> set[str]:
    """The fingerprints a report of a project can have: as they are made now, and as tapdesk 0.1.0 made them."""
    return {project.fingerprint, project.ratings_fingerprint}


def _compared(
    content: bytes, by_key: dict[str, str], pages: Pages, held: tuple[Project, _Words], name: str
) -> Run[Verdict]:
    """The verdict on one of our PDFs beside a project, in sentences that name what it is held against."""
    project, words = held
    record, replaced, said_of_record = _recorded(content, name, project, words)
    recorded = (said_of_record,) if said_of_record else ()
    differences = _differences(by_key, project, words)
    yield Step(1, 3, "verify")
    chosen = choices(by_key.get("choices", ""))
    again_possible = chosen is not None and by_key.get("version") == VERSION and _current(by_key)
    if chosen is None or not again_possible:
        if differences or pages.differences:
            return Verdict(Outcome.DIFFERS, (*differences, *pages.differences, *recorded), by_key["data"], record)
        why = _("It was made by tapdesk {version}, so it could not be made again to compare every word.").format(
            version=by_key.get("version", _("of an unknown version"))
        )
        outcome = Outcome.MATCHES if record is not None else Outcome.UNSURE
        return Verdict(outcome, (words.same, why, *recorded), by_key["data"], record)
    again = yield from _again(project, chosen)
    yield Step(2, 3, "verify")
    sentences, outcome = _page_by_page(content, by_key, pages, (again, words))
    if differences or outcome is Outcome.DIFFERS:
        lines = (*differences, *pages.differences, *sentences, *recorded)
        return Verdict(Outcome.DIFFERS, tuple(dict.fromkeys(lines)), by_key["data"], record)
    if outcome is Outcome.UNSURE:
        outcome = Outcome.MATCHES if record is not None else Outcome.DIFFERS if replaced else outcome
    sure = outcome in {Outcome.MATCHES, Outcome.SIGNED}
    ordered = (words.same, *sentences, *recorded) if sure else (*sentences, *recorded, words.same)
    return Verdict(outcome, ordered, by_key["data"], record)


def _current(by_key: dict[str, str]) -> bool:
    """Whether the fingerprint of a report is of the kind that is made now."""
    return by_key.get("fingerprint") == str(FINGERPRINT)


def _differences(by_key: dict[str, str], project: Project, words: _Words) -> list[str]:
    """What fingerprint, file and numbers say that the project does not; empty where they agree."""
    items = []
    now_is = project.fingerprint if _current(by_key) else project.ratings_fingerprint
    if by_key["data"] != now_is:
        items.append(words.data.format(old=by_key["data"], new=now_is))
    if project.reading is not None and by_key.get("file") != project.reading.source.sha256:
        items.append(_("The data file is not the one the report was made from."))
    elif items:
        items.append(
            _("The data file is still the same, so what was decided about the data has changed: see the Decisions log.")
        )
    chosen = choices(by_key.get("choices", ""))
    fits = fits_told(project, RatersAs.NAMES if chosen is None else chosen.raters_as, salted=_current(by_key))
    now = [numbers_of(fit) for fit in fits]
    then = [
        by_key[key] for key in sorted((k for k in by_key if k.startswith("numbers ")), key=lambda k: int(k[8:] or 0))
    ]
    if len(now) != len(then):
        items.append(words.analyses.format(then=len(then), now=len(now)))
    for before, after, fit in zip(then, now, fits, strict=False):
        if before != after:
            items.append(_other_numbers(before.split(" "), after.split(" "), fit, words))
    return items


def _other_numbers(before: list[str], after: list[str], fit: Fit, words: _Words) -> str:
    """Which numbers of an answer differ, by name; where it is an answer of another model, that."""
    if before[0] == after[0] and len(before) != len(after):
        return words.counts.format(model=before[0], then=len(before) - 1, now=len(after) - 1)
    if before[0] != after[0]:
        return words.models.format(then=before[0], now=after[0])
    differ = [
        words.number.format(name=str(e.name), then=old, now=new)
        for e, old, new in zip(fit.estimates, before[1:], after[1:], strict=False)
        if old != new
    ]
    more = len(differ) - _MOST_TOLD
    sentence = "; ".join(differ[:_MOST_TOLD])
    if more > 0:
        return _("The numbers differ: {told}; and {more} more.").format(told=sentence, more=more)
    return _("The numbers differ: {told}.").format(told=sentence)


def _again(project: Project, chosen: Choices) -> Run[Report]:
    """The report made anew from the project, written as the issued one was."""
    extras, project = NOTHING, led_by(project, chosen.leads)
    if chosen.wanted is not None:
        extras = yield from prepare(project, chosen.wanted)
    return build(
        project,
        extras=extras,
        leave_out=chosen.leave_out,
        style=chosen.style,
        nouns=chosen.nouns,
        raters_as=chosen.raters_as,
        cases_as=chosen.cases_as,
        file_named=chosen.file_named,
        issued=chosen.issued,
        status=chosen.status,
        paper=chosen.paper,
        logo=setup(project).logo,
        scale=chosen.scale,
        command_line=chosen.command_line,
        form=chosen.form,
        libraries=chosen.libraries,
    )


def _page_by_page(
    content: bytes, by_key: dict[str, str], pages: Pages, made_now: tuple[Report, _Words]
) -> tuple[tuple[str, ...], Outcome]:
    """Whether the report made again is the same: byte by byte, page by page, or at least table by table."""
    # typst is loaded when a report is made, not when the program starts.
    from tapdesk.report.forms.pdf import pdf

    again, words = made_now
    drawn = dict.fromkeys((again.logo, None))
    for logo, archive in product(drawn, (True, False)):
        written, made = spared(replace(again, logo=logo), partial(pdf, archive=archive))
        if made == content:
            return (_("Made again, the report is the same to the last byte."),), Outcome.MATCHES
        if content.startswith(made) and not pages.differences:
            sentence = _("Its beginning is the report made again, to the last byte.")
            return (pages.later or _("Pages unchanged."), sentence), Outcome.SIGNED
        if pages.now is not None and pages.sealed and measured(made) == pages.now and not pages.differences:
            sentence = _("Made again, every page is the same; the file itself was saved anew by another program.")
            return (sentence,), Outcome.MATCHES
    differ = parts_that_differ(by_key.get(PARTS, ""), written)
    if by_key.get("content") == digest(written):
        return (words.still,), Outcome.DIFFERS if pages.differences else Outcome.UNSURE
    if not differ:
        return (_("Made again, the report has another title, status or record box."),), Outcome.DIFFERS
    return (words.differs.format(told=_listed(differ)),), Outcome.DIFFERS


def _listed(differ: Sequence[str]) -> str:
    """The parts of a report that differ, the first of them by name."""
    sentence = ", ".join(differ[: 2 * _MOST_TOLD])
    if len(differ) > 2 * _MOST_TOLD:
        sentence = _("{told} and {n} more").format(told=sentence, n=len(differ) - 2 * _MOST_TOLD)
    return sentence
