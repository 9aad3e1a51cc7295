"""A private page for each rater: own results beside the panel's, nobody else by name."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from tapdesk.answers import cells, charts, numbers
from tapdesk.answers.content import Align, Block, Column, Paragraph, Picture, Table, Tone
from tapdesk.answers.figure import Figure, Points, Role
from tapdesk.answers.figures import raters as figures_raters
from tapdesk.answers.forbidden import Secrets
from tapdesk.answers.naming import Naming, RatersAs, naming
from tapdesk.answers.numbers import REPORT, Style, counted
from tapdesk.answers.side_results import STUDIES, SideResults
from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import speaking
from tapdesk.progress import Run, Step
from tapdesk.project.files.outputs import CAREFUL, OutputKind, Outputs, pdf_mark
from tapdesk.project.nouns import nouns_of
from tapdesk.project.project import Project
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.build import build
from tapdesk.report.report import Report, Section

_MOST_CLASSES = 8
_MOST_CASES = 3
_SURPRISING = 0.25


def letters(
    project: Project, extras: SideResults, *, style: Style = REPORT, paper: str = "a4"
) -> tuple[tuple[str, Report], ...]:
    """One page for each rater: name, and the page as a report.

    Parameters
    ----------
    project, extras
        The work, and what `tapdesk.report.setup.prepare` made of it.
    style, paper
        As in `tapdesk.report.build.build`.

    Raises
    ------
    CannotAnswerError
        When raters are not known, their accuracies cannot be told apart, or they seem to answer different questions.
    """
    return tuple(_each(project, extras, style, paper))


def _each(project: Project, extras: SideResults, style: Style, paper: str) -> Iterator[tuple[str, Report]]:
    """The letters one by one, for each of them takes a moment."""
    fit = extras.by_rater
    if project.reading is None or fit is None or extras.fingerprint != project.data_fingerprint:
        reason = extras.reasons.get("by_rater", _("The raters are not known by name, so there is nobody to write to."))
        stopped = (fault.words for fault in extras.faults if fault.title == STUDIES["by_rater"][1])
        raise CannotAnswerError(next(stopped, reason))
    if extras.opposition is not None and extras.opposition.groups:
        raise CannotAnswerError(
            _(
                "The {raters} seem to answer different questions, so no letter can tell how often the {ratings} of one "
                "of them follow the {subject}."
            ).format()
        )
    ratings = project.ratings
    called = naming(project, RatersAs.CODES)
    whole = build(project, style=style, paper=paper, leave_out=())
    spoken = replace(whole.spoken, nouns=nouns_of(project), style=style)
    for j, name in enumerate(ratings.raters):
        if not (ratings.rater == j).any():
            continue
        # Not round the ``yield``: whoever goes on would speak with this voice.
        with speaking(spoken):
            letter = _letter(whole, called, name, _blocks(ratings, j, fit, extras, style))
            page = replace(letter, secrets=_others(called, name, project.title))
        yield name, _on_one_page(page)


def _letter(whole: Report, called: Naming, name: str, blocks: tuple[Block, ...]) -> Report:
    """The page of one rater, from the first page of a report."""
    box = [row for row in whole.record if row[0] in {_("Committee"), _("Period"), _("Last run")}]
    box.insert(0, (_("Your code"), called.rater(name)))
    return replace(
        whole,
        title=numbers.short(name, 60),
        subtitle=whole.title,
        record=tuple(box),
        sections=(Section("letter", _("How your {ratings} compare"), blocks, numbered=False),),
        status=_("Private"),
        kind=_("Private page, for the person named only"),
        facts=(pdf_mark(OutputKind.LETTER),),
    )


def _others(called: Naming, own: str, title: str) -> Secrets:
    """The names of all others, which a letter must not hold."""
    names = {name: code for name, code in called.codes.items() if name != own}
    return Secrets(MappingProxyType(names), (*called.secrets.allowed, own), ((_("the title"), title),))


def _on_one_page(page: Report) -> Report:
    """The letter without its last blocks where long names or many classes would need a second page."""
    # typst is loaded when the first page is set, not when the program starts.
    from tapdesk.report.forms.pdf import pages

    (section,) = page.sections
    while len(pages(page, ppi=8)) > 1 and len(section.blocks) > 1:
        section = replace(section, blocks=section.blocks[:-1])
        page = replace(page, sections=(section,))
    return page


def _blocks(ratings: Ratings, rater: int, fit: Fit, extras: SideResults, style: Style) -> tuple[Block, ...]:
    """What one rater reads."""
    own = next((e.estimate for e in figures_raters.accuracies(fit) if e.name.rater == ratings.raters[rater]), None)
    blocks: list[Block] = [Paragraph(_headline(own), Tone.LEAD), Paragraph(_reading())]
    figure = _figure(fit, ratings.raters[rater], style)
    blocks.append(Picture(figure.title, (figure,), figure.note, height=100.0))
    if len(ratings.classes) <= _MOST_CLASSES:
        blocks.append(_use(ratings, rater))
    surprising = _surprising(ratings, rater, extras)
    if surprising is not None:
        blocks.append(surprising)
    return tuple(blocks)


def _headline(own: Estimate | None) -> str:
    if own is None or own.value is None:
        return _("These data do not tell how often your {ratings} follow the {subject}.")
    return _("Your {ratings} follow the {subject} {often}, as far as the panel’s shared pattern can tell.").format(
        often=numbers.often(own.value, own.low, own.high)
    )


def _reading() -> str:
    return _(
        "Thank you for judging. This page is for you alone: the others appear without names. A number below the "
        "panel’s does not mean that you are wrong, for nobody checked the true answers: you may see something that "
        "the others miss. Wide intervals overlap by luck alone; only a clear gap is worth a conversation about how "
        "the {subjects} are judged."
    )


def _figure(fit: Fit, name: str, style: Style) -> Figure:
    """The rater's accuracy above those of the others, who have no names."""
    result = figures_raters.accuracies(fit)
    own = [(_("You"), e.estimate, Role.MODEL) for e in result if e.name.rater == name]
    others = np.array([e.estimate.value for e in result if e.name.rater != name and e.estimate.value is not None])
    note = _("N = {size}; {model} model, {level} interval.").format(
        size=counted(fit.subjects, fit.ratings),
        model=fit.model.name,
        level=numbers.level(fit.interval[1]),
    )
    title = _("Accuracy: you and the others of the panel")
    figure = charts.forest(own, style, kind="letter", title=title, note=note)
    rows = (*((1.0, words) for _at, words in figure.y.ticks), (0.0, _("The others")))
    mine = tuple(replace(m, y=np.ones(1)) for m in figure.marks if isinstance(m, Points))
    rest = Points("", others.astype(np.float64), np.zeros(others.size), Role.CLASSICAL)
    listed = ", ".join(numbers.decimal(float(v), style) for v in others)
    return replace(
        figure,
        y=replace(figure.y, low=-0.6, high=1.6, ticks=rows),
        marks=(*mine, rest),
        alt=_("{alt} The others: {listed}.").format(alt=figure.alt, listed=listed),
    )


def _use(ratings: Ratings, rater: int) -> Table:
    """The classes as this rater and as all the others used them."""
    mine = ratings.rater == rater
    k = len(ratings.classes)
    weight = ratings.subject_weights()[ratings.subject]
    own = np.bincount(ratings.category[mine], weight[mine], k)
    rest = np.bincount(ratings.category[~mine], weight[~mine], k)
    rows = tuple(
        (
            numbers.short(label, 60),
            cells.percent(float(own[i] / max(own.sum(), 1))),
            cells.percent(float(rest[i] / max(rest.sum(), 1))),
        )
        for i, label in enumerate(ratings.classes)
    )
    note = _("Your {n} {ratings} and {m} of the others. You may have had other {subjects}.").format(
        n=numbers.count(own.sum()), m=numbers.count(rest.sum())
    )
    right = Align.RIGHT
    columns = (Column(_("Class"), wide=True), Column(_("You"), right), Column(_("The others"), right))
    return Table(_("How the classes were used"), columns, rows, note)


def _surprising(ratings: Ratings, rater: int, extras: SideResults) -> Table | None:
    """The rater's own ratings that the panel as a whole finds least probable."""
    beliefs = extras.beliefs
    if beliefs is None or beliefs.probability.shape != (len(ratings.subjects), len(ratings.classes)):
        return None
    mine = np.flatnonzero(ratings.rater == rater)
    belief = beliefs.probability[ratings.subject[mine], ratings.category[mine]]
    order = mine[np.argsort(belief, kind="stable")][:_MOST_CASES]
    rows = [
        (
            numbers.short(ratings.subjects[s], 40),
            numbers.short(ratings.classes[ratings.category[i]], 30),
            numbers.short(ratings.classes[int(beliefs.probability[s].argmax())], 30),
        )
        for i in order
        if beliefs.probability[s := int(ratings.subject[i]), int(ratings.category[i])] < _SURPRISING
    ]
    if not rows:
        return None
    columns = (
        Column(_("{Subject}"), wide=True),
        Column(_("You said")),
        Column(_("The panel’s pattern says")),
    )
    return Table(_("{Subjects} you may want to look at again"), columns, tuple(rows))


def write_letters(
    project: Project,
    extras: SideResults,
    folder: str | Path,
    *,
    style: Style = REPORT,
    paper: str = "a4",
    outputs: Outputs = CAREFUL,
) -> Run[tuple[Path, ...]]:
    """Save a PDF for each rater into a folder, named after the rater.

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

    ready: list[tuple[Path, bytes]] = []
    total = 0 if project.reading is None else len(project.ratings.raters)
    for i, (name, page) in enumerate(_each(project, extras, style, paper)):
        yield Step(i, total, "letters")
        # The number keeps names apart that look alike once unusual signs are gone.
        plain = re.sub(r"[^\w .-]", "_", name).strip(" .")[:60]
        target = Path(folder) / f"{i + 1:02d} {plain}".strip()
        ready.append((target.with_name(f"{target.name}.pdf"), pdf(page)))
    yield Step(total, total, "letters")
    # Written only now: a run that is stopped leaves no half of the letters.
    outputs.save_all(ready)
    return tuple(target for target, _content in ready)
