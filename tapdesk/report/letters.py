"""A private page for each rater: set from `tapdesk.answers.letter`, nobody else by name, called by code on the disk."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType

from tapdesk.answers import numbers
from tapdesk.answers.content import Block
from tapdesk.answers.demands import Selection
from tapdesk.answers.forbidden import Secrets
from tapdesk.answers.letter import LetterHead, judged_in, letter_content, letter_fit, own_accuracy
from tapdesk.answers.naming import Naming, RatersAs, naming
from tapdesk.answers.numbers import REPORT, Style
from tapdesk.answers.part import Answer
from tapdesk.answers.side_results import ALL, STUDIES, SideResults
from tapdesk.answers.side_studies import work_out
from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _
from tapdesk.language import speaking
from tapdesk.progress import Run, Step
from tapdesk.project.files.outputs import CAREFUL, OutputKind, Outputs, make_folder, pdf_mark
from tapdesk.project.nouns import nouns_of
from tapdesk.project.project import Project
from tapdesk.project.shown import main_analysis
from tapdesk.report.build import build
from tapdesk.report.report import Report, Section

_STUDIES = ("opposition", "panel", "by_rater", "pooled", "beliefs")


@dataclass(frozen=True, eq=False)
class Letter:
    """The page of one rater.

    Attributes
    ----------
    rater, code
        The name, and what the report calls this rater where it names nobody.
    accuracy
        The number it tells; None where there is none.
    page
        What is set.
    path
        Where it was saved; None as long as it was not.
    """

    rater: str
    code: str
    accuracy: Estimate | None
    page: Report
    path: Path | None = None


def prepare_letters(project: Project) -> Run[SideResults]:
    """What letters are made from, and no more of what a report prints.

    Yields
    ------
    Step
        As `tapdesk.answers.side_studies.work_out`.
    """
    return (yield from work_out(project, only=_STUDIES))


def letters(
    project: Project, extras: SideResults, *, style: Style = REPORT, paper: str = "a4", date: datetime | None = None
) -> tuple[Letter, ...]:
    """One page for each rater.

    Parameters
    ----------
    project, extras
        The work, and what `prepare_letters` or `tapdesk.report.setup.prepare` made of it. Sender, contact and readers
        stand in its notes.
    style, paper
        As in `tapdesk.report.build.build`.
    date
        Of the letters; never taken from the clock.

    Raises
    ------
    CannotAnswerError
        When raters are not known, their accuracies cannot be told apart, or they seem to answer different questions.
    """
    return tuple(_each(project, extras, style, paper, date))


def _each(project: Project, extras: SideResults, style: Style, paper: str, date: datetime | None) -> Iterator[Letter]:
    """The letters one by one, for each of them takes a moment."""
    _refuse(project, extras)
    ratings, main = project.ratings, main_analysis(project)
    answer = Answer(main.fit if main is not None else None, ratings, project.all_classes, extras, main, style)
    own = letter_fit(answer)
    called = naming(project, RatersAs.CODES)
    sender, contact, readers = (project.notes.get(place, "").strip() for place in ("sender", "contact", "readers"))
    head = LetterHead(sender, contact, readers, date)
    whole = build(project, style=style, paper=paper, leave_out=())
    spoken = replace(whole.spoken, nouns=nouns_of(project), style=style)
    for j, name in enumerate(ratings.raters):
        if not (ratings.rater == j).any():
            continue
        # Not round the ``yield``: whoever goes on would speak with this voice.
        with speaking(spoken):
            content = letter_content(answer, name, called.rater(name), head)
            letter = _letter(whole, called, name, head, content.blocks)
            page = replace(letter, secrets=_others(called, name, project.title, head))
        accuracy = None if own is None else own_accuracy(own, name)
        yield Letter(name, called.rater(name), accuracy, _on_one_page(page))


_MOST_JUDGED = 20_000


def _with_judges(project: Project, extras: SideResults) -> Run[SideResults]:
    """The same with how every judge scores, where the classes are scores or have an order."""
    if project.reading is None or "awards" in extras.on_demand:
        return extras
    every, main = project.all_classes, main_analysis(project)
    if not every.ordered or len(every.classes) < 3 or every.subject.size > _MOST_JUDGED:
        return extras
    wanted = replace(ALL, selection=Selection(awards=True))
    if main is not None:
        wanted = replace(wanted, level=main.request.level, seed=main.request.seed)
    made = yield from work_out(project, wanted, only=("awards",))
    return replace(extras, on_demand=MappingProxyType({**extras.on_demand, **made.on_demand}))


def _refuse(project: Project, extras: SideResults) -> None:
    """Say why nobody can be written to, where that is so."""
    if project.reading is not None and all(judged_in(extras, name) for name in project.all_classes.raters):
        return
    if project.reading is None or extras.by_rater is None or extras.fingerprint != project.data_fingerprint:
        reason = extras.reasons.get(
            "by_rater", _("The {raters} are not known by name, so there is nobody to write to.")
        )
        stopped = (fault.words for fault in extras.faults if fault.title == STUDIES["by_rater"][1])
        raise CannotAnswerError(next(stopped, reason))
    if extras.opposition is not None and extras.opposition.groups:
        raise CannotAnswerError(
            _(
                "The {raters} seem to answer different questions, so no letter can tell how often the {ratings} of one "
                "of them follow the {subject}."
            ).format()
        )


def _letter(whole: Report, called: Naming, name: str, head: LetterHead, blocks: tuple[Block, ...]) -> Report:
    """The page of one rater, from the first page of a report."""
    box = [(_("From"), numbers.short(head.sender, 120))] if head.sender else []
    box += [(_("Date"), numbers.date(head.date))] if head.date is not None else []
    box.append((_("Your code"), called.rater(name)))
    box += [row for row in whole.record if row[0] in {_("Committee"), _("Period"), _("Last run")}]
    return replace(
        whole,
        title=_("For {rater}").format(rater=numbers.short(name, 60)),
        subtitle=whole.title,
        record=tuple(box),
        sections=(Section("letter", _("How your {ratings} compare"), blocks, numbered=False),),
        status=_("Private"),
        kind=_("Private page, for the person named only"),
        facts=(pdf_mark(OutputKind.LETTER),),
    )


def _others(called: Naming, own: str, title: str, head: LetterHead) -> Secrets:
    """The names of all others, which a letter must not hold but where the sender wants to be known by one of them."""
    names = {name: code for name, code in called.codes.items() if name != own}
    stated = tuple(filter(None, (head.sender, head.contact, head.readers)))
    return Secrets(MappingProxyType(names), (*called.secrets.allowed, own, *stated), ((_("the title"), title),))


def _on_one_page(page: Report) -> Report:
    """The letter without its last blocks where long names or many classes would need a second page."""
    # typst is loaded when the first page is set, not when the program starts.
    from tapdesk.report.forms.pdf import pages

    (section,) = page.sections
    while len(pages(page, ppi=8)) > 1 and len(section.blocks) > 1:
        section = replace(section, blocks=section.blocks[:-1])
        page = replace(page, sections=(section,))
    return page


def write_letters(
    project: Project,
    extras: SideResults,
    folder: str | Path,
    *,
    style: Style = REPORT,
    paper: str = "a4",
    date: datetime | None = None,
    named: bool = False,
    outputs: Outputs = CAREFUL,
) -> Run[tuple[Letter, ...]]:
    """Save a PDF for each rater into a folder.

    Parameters
    ----------
    project, extras, style, paper, date
        As `letters`.
    folder
        Where they are saved; it is made where there is none.
    named
        Whether files are called by the rater's name; by default by the code, so that a folder tells nobody.
    outputs
        What may be replaced.

    Yields
    ------
    Step
        Phase ``letters``.

    Raises
    ------
    CannotAnswerError
        As `letters`.
    TapdeskError
        When the place cannot be written, or holds what is not to be replaced.
    """
    # typst is loaded when the first PDF is made, not when the program starts.
    from tapdesk.report.forms.pdf import pdf

    extras = yield from _with_judges(project, extras)
    ready: list[tuple[Letter, bytes]] = []
    total = 0 if project.reading is None else len(project.ratings.raters)
    for i, letter in enumerate(_each(project, extras, style, paper, date)):
        yield Step(i, total, "letters")
        # The number keeps names apart that look alike once unusual signs are gone.
        stem = f"{i + 1:02d} {_plain(letter.rater)}".strip() if named else f"letter-{_plain(letter.code)}"
        ready.append((replace(letter, path=Path(folder) / f"{stem}.pdf"), pdf(letter.page)))
    yield Step(total, total, "letters")
    # Written only now: a run that is stopped leaves no half of the letters.
    make_folder(Path(folder))
    outputs.save_all((letter.path, content) for letter, content in ready if letter.path is not None)
    return tuple(letter for letter, _content in ready)


def _plain(name: str) -> str:
    """A name as a file may be called on every system."""
    return re.sub(r"[^\w .-]", "_", name).strip(" .")[:60]
